#include "change.h"

#include <stdlib.h>
#include <string.h>

#include <merels/store_node.h>
#include <merels/text.h>

struct mrl_store_change *mrl_change_new(void)
{
	return calloc(1, sizeof(struct mrl_store_change));
}

void mrl_change_free(struct mrl_store_change *change)
{
	if (change == NULL)
		return;
	arena_release(&change->memory);
	free(change);
}

size_t mrl_change_count(const struct mrl_store_change *change)
{
	return change == NULL ? 0 : change->count;
}

struct name_key name_key_of(const char *name)
{
	struct name_key key;
	size_t i = 0;

	for (; name[i] != '\0' && i < MRL_STORE_NAME_MOST; i++)
		key.text[i] = (char)(name[i] >= 'A' && name[i] <= 'Z' ? name[i] - 'A' + 'a' : name[i]);
	key.text[i] = '\0';
	return key;
}

/* ---- What is wrong is remembered ---------------------------------------------------------------------------- */

static void no_memory(struct mrl_store_change *change)
{
	if (change->error.status != MRL_OK)
		return;
	struct mrl_text text = mrl_error_open(&change->error, MRL_SPACE, 0, 0);

	mrl_text_add(&text, "there is not enough memory for what is to be stored");
}

static void refuse(struct mrl_store_change *change, const char *what, const char *why)
{
	if (change->error.status != MRL_OK)
		return;
	struct mrl_text text = mrl_error_open(&change->error, MRL_RANGE, 0, 0);

	mrl_text_add(&text, what);
	mrl_text_add(&text, why);
}

/* A copy of a text; "" for NULL, and for one that is refused. */
static const char *keep(struct mrl_store_change *change, const char *given, size_t most, const char *what)
{
	size_t length = given == NULL ? 0 : strlen(given);

	if (length == 0)
		return "";
	if (length > most) {
		if (change->error.status == MRL_OK) {
			struct mrl_text text = mrl_error_open(&change->error, MRL_RANGE, 0, 0);

			mrl_text_add(&text, what);
			mrl_text_add(&text, " has ");
			mrl_text_number(&text, length);
			mrl_text_add(&text, " bytes; the store keeps at most ");
			mrl_text_number(&text, most);
		}
		return "";
	}
	const char *copy = arena_text(&change->memory, given, length);

	if (copy == NULL) {
		no_memory(change);
		return "";
	}
	return copy;
}

static const char *need(struct mrl_store_change *change, const char *given, size_t most, const char *what)
{
	if (given == NULL || given[0] == '\0')
		refuse(change, what, " must not be empty");
	return keep(change, given, most, what);
}

/* A new thing at the end of the change; NULL when there is no change or no memory. `id` is about whom. */
static struct op *add(struct mrl_store_change *change, enum op_kind kind, uint64_t id, const char *what)
{
	if (change == NULL)
		return NULL;
	if (id == 0)
		refuse(change, what, " must not be 0");
	struct op *op = arena_take(&change->memory, sizeof(*op));

	if (op == NULL) {
		no_memory(change);
		return NULL;
	}
	op->kind = kind;
	op->id = id;
	op->text = "";
	op->value = "";
	if (change->last == NULL)
		change->first = op;
	else
		change->last->next = op;
	change->last = op;
	change->count++;
	return op;
}

/* What is about nobody in particular has this in place of an id. */
enum { EVERYBODY = 1 };

static const char of_person[] = "the id of a person";
static const char of_game[] = "the id of a game";

/* ---- People ------------------------------------------------------------------------------------------------- */

void mrl_change_add_person(struct mrl_store_change *change, const struct mrl_store_person *person)
{
	struct op *op = add(change, OP_ADD_PERSON, person->id, of_person);

	if (op == NULL)
		return;
	if (person->kind != MRL_STORE_GUEST && person->kind != MRL_STORE_ACCOUNT && person->kind != MRL_STORE_BOT)
		refuse(change, "a new person", " is a guest, an account or a bot");
	op->of.person = *person;
	op->of.person.name = need(change, person->name, MRL_STORE_NAME_MOST, "a name");
	op->of.person.password = keep(change, person->password, MRL_STORE_WORD_MOST, "a password's hash");
	op->of.person.email = keep(change, person->email, MRL_STORE_LINE_MOST, "an e-mail address");
	op->of.person.ban_reason = keep(change, person->ban_reason, MRL_STORE_LINE_MOST, "the reason of a ban");
}

void mrl_change_promote(struct mrl_store_change *change, uint64_t person, enum mrl_store_kind kind, const char *name,
			const char *password, const char *email)
{
	struct op *op = add(change, OP_PROMOTE, person, of_person);

	if (op == NULL)
		return;
	if (kind != MRL_STORE_ACCOUNT && kind != MRL_STORE_BOT)
		refuse(change, "a guest", " becomes an account or a bot");
	op->of.person.kind = kind;
	op->of.person.name = need(change, name, MRL_STORE_NAME_MOST, "a name");
	op->of.person.password = keep(change, password, MRL_STORE_WORD_MOST, "a password's hash");
	op->of.person.email = keep(change, email, MRL_STORE_LINE_MOST, "an e-mail address");
}

void mrl_change_rename(struct mrl_store_change *change, uint64_t person, const char *name)
{
	struct op *op = add(change, OP_RENAME, person, of_person);

	if (op != NULL)
		op->text = need(change, name, MRL_STORE_NAME_MOST, "a name");
}

void mrl_change_set_password(struct mrl_store_change *change, uint64_t person, const char *password)
{
	struct op *op = add(change, OP_SET_PASSWORD, person, of_person);

	if (op != NULL)
		op->text = keep(change, password, MRL_STORE_WORD_MOST, "a password's hash");
}

void mrl_change_set_email(struct mrl_store_change *change, uint64_t person, const char *email)
{
	struct op *op = add(change, OP_SET_EMAIL, person, of_person);

	if (op != NULL)
		op->text = keep(change, email, MRL_STORE_LINE_MOST, "an e-mail address");
}

void mrl_change_seen(struct mrl_store_change *change, uint64_t person, int64_t wall)
{
	struct op *op = add(change, OP_SEEN, person, of_person);

	if (op != NULL)
		op->wall = wall;
}

void mrl_change_ban(struct mrl_store_change *change, uint64_t person, int64_t until, const char *reason)
{
	struct op *op = add(change, OP_BAN, person, of_person);

	if (op == NULL)
		return;
	op->wall = until;
	op->text = keep(change, reason, MRL_STORE_LINE_MOST, "the reason of a ban");
}

void mrl_change_delete_person(struct mrl_store_change *change, uint64_t person)
{
	(void)add(change, OP_DELETE_PERSON, person, of_person);
}

void mrl_change_drop_guests(struct mrl_store_change *change, int64_t seen)
{
	struct op *op = add(change, OP_DROP_GUESTS, EVERYBODY, "");

	if (op != NULL)
		op->wall = seen;
}

/* ---- Sessions ----------------------------------------------------------------------------------------------- */

static struct op *add_hashed(struct mrl_store_change *change, enum op_kind kind, uint64_t id, const uint8_t *hash)
{
	struct op *op = add(change, kind, id, of_person);

	if (op != NULL && hash != NULL)
		memcpy(op->of.session.hash, hash, MRL_STORE_HASH_BYTES);
	return op;
}

void mrl_change_add_session(struct mrl_store_change *change, const struct mrl_store_session *session)
{
	struct op *op = add(change, OP_ADD_SESSION, session->person, of_person);

	if (op == NULL)
		return;
	op->of.session = *session;
	op->of.session.label = keep(change, session->label, MRL_STORE_WORD_MOST, "the label of a session");
}

void mrl_change_touch_session(struct mrl_store_change *change, const uint8_t hash[MRL_STORE_HASH_BYTES], int64_t seen,
			      int64_t expires)
{
	struct op *op = add_hashed(change, OP_TOUCH_SESSION, EVERYBODY, hash);

	if (op == NULL)
		return;
	op->of.session.seen = seen;
	op->of.session.expires = expires;
}

void mrl_change_revoke_session(struct mrl_store_change *change, const uint8_t hash[MRL_STORE_HASH_BYTES])
{
	(void)add_hashed(change, OP_REVOKE_SESSION, EVERYBODY, hash);
}

void mrl_change_revoke_sessions(struct mrl_store_change *change, uint64_t person, bool cookies, bool bearers,
				const uint8_t *except)
{
	struct op *op = add_hashed(change, OP_REVOKE_SESSIONS, person, except);

	if (op == NULL)
		return;
	op->cookies = cookies;
	op->bearers = bearers;
	op->has_except = except != NULL;
}

void mrl_change_expire_sessions(struct mrl_store_change *change, int64_t now)
{
	struct op *op = add(change, OP_EXPIRE_SESSIONS, EVERYBODY, "");

	if (op != NULL)
		op->wall = now;
}

/* ---- Games -------------------------------------------------------------------------------------------------- */

static void check_seat(struct mrl_store_change *change, const struct mrl_store_seat *seat)
{
	if ((seat->kind == MRL_STORE_PERSON) != (seat->person != 0))
		refuse(change, "a seat", " has a person's id exactly when a person sits there");
}

static void add_summary(struct mrl_store_change *change, enum op_kind kind, const struct mrl_store_game *game)
{
	struct op *op = add(change, kind, game->id, of_game);

	if (op == NULL)
		return;
	bool over = game->state == MRL_STORE_ENDED || game->state == MRL_STORE_ABORTED;

	if (over != (game->ended != 0))
		refuse(change, "a game", " has a moment of its end exactly when it is ended or aborted");
	if (game->speed > 15)
		refuse(change, "a speed", " is 0 .. 15");
	check_seat(change, &game->white);
	check_seat(change, &game->black);
	op->of.game = *game;
	op->of.game.rules = kind == OP_ADD_GAME ? need(change, game->rules, MRL_STORE_RULES_MOST, "a rule set") : "";
	op->of.game.reason = keep(change, game->reason, MRL_STORE_WORD_MOST, "the reason of an end");
	op->of.game.opening = keep(change, game->opening, MRL_STORE_LINE_MOST, "an opening");
}

void mrl_change_add_game(struct mrl_store_change *change, const struct mrl_store_game *game)
{
	add_summary(change, OP_ADD_GAME, game);
}

void mrl_change_put_game(struct mrl_store_change *change, const struct mrl_store_game *game)
{
	add_summary(change, OP_PUT_GAME, game);
}

void mrl_change_append(struct mrl_store_change *change, uint64_t game, const struct mrl_store_event *event)
{
	struct op *op = add(change, OP_APPEND, game, of_game);

	if (op == NULL)
		return;
	if (event->number == 0)
		refuse(change, "the number of an event", " begins with 1");
	if (event->t > INT64_MAX)
		refuse(change, "service time", " is less than 2^63 ms");
	op->of.event = *event;
	op->of.event.text = need(change, event->text, MRL_STORE_EVENT_MOST, "an event");
}

void mrl_change_remove_game(struct mrl_store_change *change, uint64_t game)
{
	(void)add(change, OP_REMOVE_GAME, game, of_game);
}

void mrl_change_set_rating(struct mrl_store_change *change, const struct mrl_store_rating *rating)
{
	struct op *op = add(change, OP_SET_RATING, rating->person, of_person);

	if (op == NULL)
		return;
	if (rating->games == 0)
		refuse(change, "the number of rated games", " counts the one that led to the rating");
	if (rating->speed > 15)
		refuse(change, "a speed", " is 0 .. 15");
	/* NULL in place of a number that is none would be a constraint failed, far from here. */
	if (rating->rating != rating->rating || rating->deviation != rating->deviation ||
	    rating->volatility != rating->volatility)
		refuse(change, "a rating", " is a number");
	op->of.rating = *rating;
	op->of.rating.rules = need(change, rating->rules, MRL_STORE_RULES_MOST, "a rule set");
}

/* ---- The small things --------------------------------------------------------------------------------------- */

void mrl_change_put_seek(struct mrl_store_change *change, const struct mrl_store_seek *seek)
{
	struct op *op = add(change, OP_PUT_SEEK, seek->id, "the id of a seek");

	if (op == NULL)
		return;
	if (seek->person == 0)
		refuse(change, of_person, " must not be 0");
	op->of.seek = *seek;
	op->of.seek.text = keep(change, seek->text, MRL_STORE_LINE_MOST, "a seek");
}

void mrl_change_remove_seek(struct mrl_store_change *change, uint64_t id)
{
	(void)add(change, OP_REMOVE_SEEK, id, "the id of a seek");
}

void mrl_change_remove_seeks(struct mrl_store_change *change)
{
	(void)add(change, OP_REMOVE_SEEKS, EVERYBODY, "");
}

void mrl_change_add_report(struct mrl_store_change *change, const struct mrl_store_report *report)
{
	struct op *op = add(change, OP_ADD_REPORT, report->id, "the id of a report");

	if (op == NULL)
		return;
	if (report->reporter == 0 || report->reported == 0)
		refuse(change, of_person, " must not be 0");
	op->of.report = *report;
	op->of.report.text = keep(change, report->text, MRL_STORE_LINE_MOST, "the line reported");
	op->of.report.note = keep(change, report->note, MRL_STORE_LINE_MOST, "the note of a report");
	op->of.report.verdict = keep(change, report->verdict, MRL_STORE_LINE_MOST, "a verdict");
}

void mrl_change_close_report(struct mrl_store_change *change, uint64_t id, int64_t wall, const char *verdict)
{
	struct op *op = add(change, OP_CLOSE_REPORT, id, "the id of a report");

	if (op == NULL)
		return;
	if (wall == 0)
		refuse(change, "the moment a report is closed", " must not be 0");
	op->wall = wall;
	op->text = keep(change, verdict, MRL_STORE_LINE_MOST, "a verdict");
}

void mrl_change_mute(struct mrl_store_change *change, uint64_t person, uint64_t muted, int64_t wall)
{
	struct op *op = add(change, OP_MUTE, person, of_person);

	if (op == NULL)
		return;
	op->other = muted;
	op->wall = wall;
}

void mrl_change_unmute(struct mrl_store_change *change, uint64_t person, uint64_t muted)
{
	struct op *op = add(change, OP_UNMUTE, person, of_person);

	if (op != NULL)
		op->other = muted;
}

void mrl_change_set_setting(struct mrl_store_change *change, uint64_t person, const char *key, const char *value)
{
	struct op *op = add(change, OP_SET_SETTING, person, of_person);

	if (op == NULL)
		return;
	op->text = need(change, key, MRL_STORE_WORD_MOST, "the key of a setting");
	op->value = value == NULL ? NULL : keep(change, value, MRL_STORE_VALUE_MOST, "the value of a setting");
}

void mrl_change_count_day(struct mrl_store_change *change, int32_t day, const char *what, int64_t more)
{
	struct op *op = add(change, OP_COUNT_DAY, EVERYBODY, "");

	if (op == NULL)
		return;
	op->day = day;
	op->wall = more;
	op->text = need(change, what, MRL_STORE_WORD_MOST, "what is counted");
}

/* ---- Nodes -------------------------------------------------------------------------------------------------- */

void mrl_change_beat(struct mrl_store_change *change, uint64_t t, bool draining, const char *note)
{
	struct op *op = add(change, OP_BEAT, EVERYBODY, "");

	if (op == NULL)
		return;
	op->wall = (int64_t)t;
	op->drains = draining;
	op->text = keep(change, note, MRL_STORE_LINE_MOST, "what a node says of itself");
}

void mrl_change_take(struct mrl_store_change *change, uint64_t game, uint64_t t)
{
	struct op *op = add(change, OP_TAKE, game, of_game);

	if (op != NULL)
		op->wall = (int64_t)t;
}

void mrl_change_adopt(struct mrl_store_change *change, uint64_t node, unsigned most, uint64_t t)
{
	struct op *op = add(change, OP_ADOPT, EVERYBODY, "");

	if (op == NULL)
		return;
	op->id = node;
	op->day = (int32_t)most;
	op->wall = (int64_t)t;
}

void mrl_change_release(struct mrl_store_change *change, uint64_t game, uint64_t fence, uint64_t t)
{
	struct op *op = add(change, OP_RELEASE, game, of_game);

	if (op == NULL)
		return;
	op->other = fence;
	op->wall = (int64_t)t;
}

void mrl_change_leave(struct mrl_store_change *change, uint64_t t)
{
	struct op *op = add(change, OP_LEAVE, EVERYBODY, "");

	if (op != NULL)
		op->wall = (int64_t)t;
}
