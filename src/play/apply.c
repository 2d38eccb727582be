/*
 * Events applied. What an event says is believed (it was judged when it was made, perhaps by an older version with
 * other limits); what is checked is that it can follow here at all, so that damaged or foreign events are told, not
 * played.
 */
#include "play_internal.h"

#include <merels/builtins.h>
#include <merels/notation.h>
#include <merels/text.h>

#define CLOCK_LIMIT (14 * MRL_PLAY_DAY) /* no clock of any kind shows more */

typedef enum mrl_status (*applier)(struct mrl_play_game *game, const struct mrl_play_event *event,
				   struct mrl_error *error);

static enum mrl_status refuse(struct mrl_error *error, enum mrl_status status, const struct mrl_play_event *event,
			      const char *reason)
{
	struct mrl_text text = mrl_error_open(error, status, 0, 0);

	mrl_text_add(&text, "event ");
	mrl_text_number(&text, event->number);
	mrl_text_add(&text, " (");
	mrl_text_add(&text, mrl_play_kind_text(event->kind));
	mrl_text_add(&text, "): ");
	mrl_text_add(&text, reason);
	return status;
}

static enum mrl_status misplaced(struct mrl_error *error, const struct mrl_play_event *event)
{
	return refuse(error, MRL_POSITION, event, "this cannot happen at this point of the game");
}

static bool clocks_possible(const uint32_t clock[2])
{
	return clock[0] <= CLOCK_LIMIT && clock[1] <= CLOCK_LIMIT;
}

static void set_clocks(struct mrl_play_game *game, const uint32_t clock[2])
{
	mrl_copy(game->clock, clock, sizeof game->clock);
}

static enum mrl_status apply_created(struct mrl_play_game *game, const struct mrl_play_event *event,
				     struct mrl_error *error)
{
	const struct mrl_play_created *created = &event->created;
	static const struct mrl_play_player nobody = {.kind = MRL_PLAY_EMPTY};
	char rules[MRL_RULES_NAME_SIZE];

	if (game->phase != MRL_PLAY_NOTHING || event->seat != MRL_PLAY_OWNER || created->game == 0)
		return misplaced(error, event);
	mrl_rules_write(game->moves.rules, rules);
	if (mrl__length(created->settings.rules, sizeof rules) == sizeof rules ||
	    !mrl__same_text(rules, created->settings.rules))
		return refuse(error, MRL_NAME, event, "the game is of another rule set");
	if (mrl__settings_check(&created->settings, &created->owner, &nobody) != MRL_CODE_OK)
		return refuse(error, MRL_RANGE, event, "settings or owner are not possible");
	game->id = created->game;
	game->previous = created->previous;
	game->wall = event->wall;
	game->begun = event->time;
	game->tempo = created->settings.tempo;
	game->rated = created->settings.rated;
	game->unlisted = created->settings.unlisted;
	game->phrases = created->settings.phrases;
	game->first = created->settings.first;
	game->player[MRL_PLAY_OWNER] = created->owner;
	mrl_copy(game->link, created->link, sizeof game->link);
	for (unsigned seat = 0; seat < MRL_PLAY_NOBODY; seat++)
		game->present[seat].since = event->time;
	game->phase = MRL_PLAY_WAITING;
	return MRL_OK;
}

static enum mrl_status apply_joined(struct mrl_play_game *game, const struct mrl_play_event *event,
				    struct mrl_error *error)
{
	struct mrl_play_settings settings;

	if (game->phase != MRL_PLAY_WAITING || event->seat != MRL_PLAY_FRIEND || event->joined.kind == MRL_PLAY_EMPTY)
		return misplaced(error, event);
	mrl_play_settings_of(game, &settings);
	if (mrl__settings_check(&settings, &game->player[MRL_PLAY_OWNER], &event->joined) != MRL_CODE_OK)
		return refuse(error, MRL_RANGE, event, "this player cannot sit here");
	game->player[MRL_PLAY_FRIEND] = event->joined;
	game->phase = MRL_PLAY_READY;
	return MRL_OK;
}

static enum mrl_status apply_started(struct mrl_play_game *game, const struct mrl_play_event *event,
				     struct mrl_error *error)
{
	if (game->phase != MRL_PLAY_READY || event->started.white >= MRL_PLAY_NOBODY ||
	    !clocks_possible(event->started.clock))
		return misplaced(error, event);
	game->white = event->started.white;
	set_clocks(game, event->started.clock);
	game->lag_quota[MRL_WHITE] = MRL_PLAY_LAG_QUOTA;
	game->lag_quota[MRL_BLACK] = MRL_PLAY_LAG_QUOTA;
	game->begun = event->time;
	game->phase = MRL_PLAY_RUNNING;
	return MRL_OK;
}

static enum mrl_status apply_turn(struct mrl_play_game *game, const struct mrl_play_event *event,
				  struct mrl_error *error)
{
	const struct mrl_play_turn *made = &event->turn;
	struct mrl_play_past past = {.clock = {game->clock[0], game->clock[1]}, .spent = made->spent};
	unsigned side = game->moves.position.side;
	size_t length = mrl__length(made->text, sizeof made->text);
	bool charged = mrl__clock_runs(game);
	size_t count = game->moves.count;
	enum mrl_status status;
	struct mrl_turn turn;

	if (game->phase != MRL_PLAY_RUNNING || event->seat >= MRL_PLAY_NOBODY || made->ply != count ||
	    mrl_play_side_of(game, event->seat) != (enum mrl_side)side || !clocks_possible(made->clock) ||
	    made->credit > game->lag_quota[side] || length == sizeof made->text)
		return misplaced(error, event);
	status = mrl_turn_read(game->moves.rules, &game->moves.position, made->text, length, &turn, error);
	if (status == MRL_OK)
		status = mrl_game_play(&game->moves, &turn, error);
	if (status != MRL_OK)
		return status;
	game->past[count] = past;
	set_clocks(game, made->clock);
	game->begun = event->time;
	if (charged)
		game->lag_quota[side] =
		    mrl__less(game->lag_quota[side] - made->credit + MRL_PLAY_LAG_REFILL, MRL_PLAY_LAG_QUOTA);
	return MRL_OK;
}

/* Whether the phase is the one in which such an offer is made and answered. */
static bool offer_possible(const struct mrl_play_game *game, unsigned offer)
{
	if (offer == MRL_PLAY_OFFER_REMATCH)
		return game->phase == MRL_PLAY_FINISHED && game->white != MRL_PLAY_NOBODY;
	return offer < MRL_PLAY_OFFERS && game->phase == MRL_PLAY_RUNNING;
}

static enum mrl_status apply_offered(struct mrl_play_game *game, const struct mrl_play_event *event,
				     struct mrl_error *error)
{
	uint32_t count = (uint32_t)game->moves.count;

	if (!offer_possible(game, event->offer) || event->seat >= MRL_PLAY_NOBODY ||
	    game->offers[event->offer] != MRL_PLAY_NOBODY ||
	    (event->offer == MRL_PLAY_OFFER_REMATCH && game->next != 0))
		return misplaced(error, event);
	game->offers[event->offer] = event->seat;
	if (event->offer == MRL_PLAY_OFFER_DRAW)
		game->draw_again[event->seat] = count + MRL_PLAY_DRAW_PAUSE;
	else if (event->offer == MRL_PLAY_OFFER_TAKEBACK)
		game->takeback_again[event->seat] = count + 1;
	return MRL_OK;
}

/* Declined by the other, withdrawn by the one who made it, lapsed by a turn: the offer is off. */
static enum mrl_status apply_refused(struct mrl_play_game *game, const struct mrl_play_event *event,
				     struct mrl_error *error)
{
	if (!offer_possible(game, event->offer) || event->seat >= MRL_PLAY_NOBODY ||
	    game->offers[event->offer] == MRL_PLAY_NOBODY)
		return misplaced(error, event);
	if (event->offer == MRL_PLAY_OFFER_REMATCH)
		game->rematch_over[game->offers[event->offer]] = true;
	game->offers[event->offer] = MRL_PLAY_NOBODY;
	return MRL_OK;
}

static enum mrl_status apply_takeback(struct mrl_play_game *game, const struct mrl_play_event *event,
				      struct mrl_error *error)
{
	const struct mrl_play_takeback *takeback = &event->takeback;

	if (game->phase != MRL_PLAY_RUNNING || takeback->ply >= game->moves.count || event->seat >= MRL_PLAY_NOBODY ||
	    !clocks_possible(takeback->clock))
		return misplaced(error, event);
	while (game->moves.count > takeback->ply)
		(void)mrl_game_back(&game->moves);
	set_clocks(game, takeback->clock);
	/* What was said about the turns that are gone is said no more. */
	game->offers[MRL_PLAY_OFFER_DRAW] = MRL_PLAY_NOBODY;
	game->offers[MRL_PLAY_OFFER_TAKEBACK] = MRL_PLAY_NOBODY;
	game->takeback_again[0] = 0;
	game->takeback_again[1] = 0;
	game->begun = event->time;
	return MRL_OK;
}

static enum mrl_status apply_time(struct mrl_play_game *game, const struct mrl_play_event *event,
				  struct mrl_error *error)
{
	enum mrl_side side;

	if (game->phase != MRL_PLAY_RUNNING || event->seat >= MRL_PLAY_NOBODY || event->added.added > CLOCK_LIMIT)
		return misplaced(error, event);
	side = mrl_other(mrl_play_side_of(game, event->seat));
	if (game->clock[side] > CLOCK_LIMIT - event->added.added)
		return refuse(error, MRL_RANGE, event, "no clock shows so much");
	/* The clock as it was when the turn began grows; so what this turn takes is reckoned from the same beginning.
	 */
	game->clock[side] += event->added.added;
	game->time_again[event->seat] = event->time + MRL_PLAY_TIME_PAUSE;
	return MRL_OK;
}

static enum mrl_status apply_chat(struct mrl_play_game *game, const struct mrl_play_event *event,
				  struct mrl_error *error)
{
	bool player = event->seat < MRL_PLAY_NOBODY;

	if (game->phase < MRL_PLAY_RUNNING || game->white == MRL_PLAY_NOBODY || event->chat.person == 0 ||
	    event->chat.room != (player ? MRL_PLAY_ROOM_PLAYERS : MRL_PLAY_ROOM_SPECTATORS))
		return misplaced(error, event);
	if (player) {
		uint64_t *paid = &game->chat_paid[event->seat];

		*paid = mrl__later(*paid, event->time) + MRL_PLAY_CHAT_COST;
	} else {
		game->lines[game->line_count++ % MRL_PLAY_ROOM_LINES] = (struct mrl_play_line){
		    event->chat.person, event->time, mrl__id_hash(event->id, mrl__length(event->id, sizeof event->id)),
		    event->number};
	}
	return MRL_OK;
}

static enum mrl_status apply_ended(struct mrl_play_game *game, const struct mrl_play_event *event,
				   struct mrl_error *error)
{
	const struct mrl_play_ended *ended = &event->ended;
	bool no_result = ended->outcome == MRL_ONGOING;

	if ((game->phase != MRL_PLAY_RUNNING && game->phase != MRL_PLAY_WAITING) ||
	    (game->phase == MRL_PLAY_WAITING && !no_result) || ended->outcome > MRL_DRAW ||
	    ended->reason > MRL_REASON_ABORTED || ended->reason == MRL_REASON_NONE ||
	    ended->cause > MRL_PLAY_CAUSE_OPERATOR || no_result != (ended->reason == MRL_REASON_ABORTED) ||
	    no_result != (ended->cause != MRL_PLAY_CAUSE_NONE) || !clocks_possible(ended->clock))
		return misplaced(error, event);
	game->verdict = (struct mrl_verdict){(enum mrl_outcome)ended->outcome, (enum mrl_reason)ended->reason};
	game->cause = ended->cause;
	set_clocks(game, ended->clock);
	game->offers[MRL_PLAY_OFFER_DRAW] = MRL_PLAY_NOBODY;
	game->offers[MRL_PLAY_OFFER_TAKEBACK] = MRL_PLAY_NOBODY;
	game->phase = MRL_PLAY_FINISHED;
	return MRL_OK;
}

static enum mrl_status apply_rated(struct mrl_play_game *game, const struct mrl_play_event *event,
				   struct mrl_error *error)
{
	if (game->phase != MRL_PLAY_FINISHED || !game->rated || game->was_rated ||
	    game->verdict.reason == MRL_REASON_ABORTED)
		return misplaced(error, event);
	game->was_rated = true;
	return MRL_OK;
}

static enum mrl_status apply_rematch(struct mrl_play_game *game, const struct mrl_play_event *event,
				     struct mrl_error *error)
{
	if (!offer_possible(game, MRL_PLAY_OFFER_REMATCH) || game->next != 0 || event->rematch == 0 ||
	    event->seat >= MRL_PLAY_NOBODY)
		return misplaced(error, event);
	game->next = event->rematch;
	game->next_number = event->number;
	game->offers[MRL_PLAY_OFFER_REMATCH] = MRL_PLAY_NOBODY;
	return MRL_OK;
}

static void remember(struct mrl_play_game *game, const struct mrl_play_event *event)
{
	struct mrl_play_memory *memory;
	uint32_t at;

	if (event->id[0] == '\0' || event->seat >= MRL_PLAY_NOBODY)
		return;
	memory = &game->memory[event->seat];
	at = memory->count++ % MRL_PLAY_REMEMBERED;
	memory->hash[at] = mrl__id_hash(event->id, mrl__length(event->id, sizeof event->id));
	memory->number[at] = event->number;
}

enum mrl_status mrl_play_apply(struct mrl_play_game *game, const struct mrl_play_event *event, struct mrl_error *error)
{
	static const applier appliers[MRL_PLAY_KINDS] = {
	    [MRL_PLAY_CREATED] = apply_created, [MRL_PLAY_JOINED] = apply_joined,
	    [MRL_PLAY_STARTED] = apply_started, [MRL_PLAY_TURN] = apply_turn,
	    [MRL_PLAY_OFFERED] = apply_offered, [MRL_PLAY_DECLINED] = apply_refused,
	    [MRL_PLAY_LAPSED] = apply_refused,  [MRL_PLAY_TAKEBACK] = apply_takeback,
	    [MRL_PLAY_TIME] = apply_time,       [MRL_PLAY_CHAT] = apply_chat,
	    [MRL_PLAY_ENDED] = apply_ended,     [MRL_PLAY_RATED] = apply_rated,
	    [MRL_PLAY_REMATCH] = apply_rematch,
	};
	enum mrl_status status;

	if (event->kind >= MRL_PLAY_KINDS || event->seat > MRL_PLAY_NOBODY)
		return refuse(error, MRL_RANGE, event, "there is no such kind of event, or no such seat");
	if (game->number == UINT32_MAX || event->number != game->number + 1)
		return refuse(error, MRL_RANGE, event, "another number comes next");
	if (event->time < game->time)
		return refuse(error, MRL_RANGE, event, "it is older than the one before");
	if (event->time > UINT64_MAX / 2)
		return refuse(error, MRL_RANGE, event, "no server has been up for so long");
	status = appliers[event->kind](game, event, error);
	if (status != MRL_OK)
		return status;
	remember(game, event);
	game->number = event->number;
	game->time = event->time;
	return MRL_OK;
}
