#include "people.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server_internal.h"

enum { KEEP_MS = 60 * 1000, MOST_REMEMBERED = 100000 };

#define COOKIE_MS (INT64_C(400) * 24 * 3600 * 1000)
#define DAY_MS (INT64_C(24) * 3600 * 1000)

struct mrl__session_memory {
	struct mrl__session_memory *next;
	unsigned char hash[MRL__HASH_SIZE];
	bool bearer;
	uint64_t until; /* monotonic ms */
	struct mrl__person person;
};

const char *mrl__kind_text(unsigned kind)
{
	static const char *const texts[] = {"guest", "account", "bot", "deleted"};

	return kind < sizeof(texts) / sizeof(texts[0]) ? texts[kind] : "deleted";
}

struct mrl_play_player mrl__player_of(const struct mrl__person *person)
{
	struct mrl_play_player player = {.person = person->id,
					 .kind = person->kind == MRL_STORE_BOT       ? MRL_PLAY_BOT
						 : person->kind == MRL_STORE_ACCOUNT ? MRL_PLAY_ACCOUNT
										     : MRL_PLAY_GUEST};

	memcpy(player.name, person->name, sizeof(player.name));
	return player;
}

/* ---- Mutes -------------------------------------------------------------------------------------------------- */

bool mrl__mutes_has(const struct mrl__mutes *mutes, uint64_t person)
{
	for (size_t i = 0; i < mutes->count; i++) {
		if (mutes->ids[i] == person)
			return true;
	}
	return false;
}

void mrl__mutes_add(struct mrl__mutes *mutes, uint64_t person)
{
	uint64_t *moved = NULL;

	if (mrl__mutes_has(mutes, person))
		return;
	moved = realloc(mutes->ids, (mutes->count + 1) * sizeof(*moved));
	if (moved == NULL)
		return;
	mutes->ids = moved;
	mutes->ids[mutes->count++] = person;
}

void mrl__mutes_take(struct mrl__mutes *mutes, const struct mrl_store_answer *answer)
{
	mrl__mutes_release(mutes);
	if (answer->mute_count > 0)
		mutes->ids = calloc(answer->mute_count, sizeof(*mutes->ids));
	for (size_t i = 0; mutes->ids != NULL && i < answer->mute_count; i++)
		mutes->ids[mutes->count++] = answer->mutes[i].muted;
}

void mrl__mutes_remove(struct mrl__mutes *mutes, uint64_t person)
{
	for (size_t i = 0; i < mutes->count; i++) {
		if (mutes->ids[i] == person)
			mutes->ids[i--] = mutes->ids[--mutes->count];
	}
}

void mrl__mutes_release(struct mrl__mutes *mutes)
{
	free(mutes->ids);
	*mutes = (struct mrl__mutes){0};
}

/* ---- What is remembered ------------------------------------------------------------------------------------- */

static struct mrl__session_memory **bucket_of(struct mrl__people *people, const unsigned char hash[MRL__HASH_SIZE])
{
	uint32_t start = 0;

	memcpy(&start, hash, sizeof(start));
	return &people->buckets[start % MRL__SESSION_BUCKETS];
}

static const struct mrl__session_memory *recall(struct mrl__people *people, const unsigned char hash[MRL__HASH_SIZE])
{
	for (const struct mrl__session_memory *at = *bucket_of(people, hash); at != NULL; at = at->next) {
		if (at->until > mrl__now_ms() && memcmp(at->hash, hash, MRL__HASH_SIZE) == 0)
			return at;
	}
	return NULL;
}

static void remember(struct mrl__people *people, const unsigned char hash[MRL__HASH_SIZE], bool bearer,
		     const struct mrl__person *person)
{
	struct mrl__session_memory *memory = NULL;

	if (people->count >= MOST_REMEMBERED || (memory = malloc(sizeof(*memory))) == NULL)
		return;
	struct mrl__session_memory **bucket = bucket_of(people, hash);

	*memory = (struct mrl__session_memory){
	    .next = *bucket, .bearer = bearer, .until = mrl__now_ms() + KEEP_MS, .person = *person};
	memcpy(memory->hash, hash, MRL__HASH_SIZE);
	*bucket = memory;
	people->count++;
}

/* Forgets those that `person` has (0: all), or, when `now` is not 0, those that are too old. */
static void forget(struct mrl__people *people, uint64_t person, uint64_t now)
{
	for (size_t i = 0; i < MRL__SESSION_BUCKETS; i++) {
		struct mrl__session_memory **link = &people->buckets[i];

		while (*link != NULL) {
			struct mrl__session_memory *at = *link;

			if (now != 0 ? at->until <= now : person == 0 || at->person.id == person) {
				*link = at->next;
				people->count--;
				free(at);
			} else {
				link = &at->next;
			}
		}
	}
}

void mrl__people_forget_here(struct mrl__server *server, uint64_t person)
{
	forget(&server->people, person, 0);
}

void mrl__people_forget(struct mrl__server *server, uint64_t person)
{
	mrl__people_forget_here(server, person);
	if (person != 0)
		mrl__nodes_person(server, person);
}

void mrl__people_sweep(struct mrl__server *server)
{
	forget(&server->people, 0, mrl__now_ms());
}

void mrl__people_tidy(struct mrl__server *server)
{
	struct mrl_store_change *change = mrl_change_new();
	int64_t now = mrl__wall_ms();

	mrl_change_expire_sessions(change, now);
	mrl_change_drop_guests(change, now - 30 * DAY_MS);
	/* What is not done now is done a minute later. */
	if (mrl_store_submit(server->store, change, NULL, NULL, NULL) != MRL_OK)
		return;
}

void mrl__people_release(struct mrl__server *server)
{
	forget(&server->people, 0, 0);
}

/* ---- Finding ------------------------------------------------------------------------------------------------ */

struct search {
	struct mrl__server *server;
	unsigned char hash[MRL__HASH_SIZE];
	bool bearer;
	mrl__person_found *found;
	void *user;
};

/* A session that is used goes on; once a day is enough to write down. */
static void touch(struct mrl__server *server, const struct mrl_store_session *session)
{
	int64_t now = mrl__wall_ms();

	if (session->kind != MRL_STORE_COOKIE || now - session->seen < DAY_MS)
		return;
	struct mrl_store_change *change = mrl_change_new();

	mrl_change_touch_session(change, session->hash, now, now + COOKIE_MS);
	mrl_change_seen(change, session->person, now);
	/* Nothing hangs on it. */
	if (mrl_store_submit(server->store, change, NULL, NULL, NULL) != MRL_OK)
		return;
}

static void on_session(void *user, const struct mrl_store_answer *answer)
{
	struct search *search = user;
	struct mrl__person person = {0};
	enum mrl_status status = answer->status;

	if (status == MRL_OK && (answer->session_count == 0 || answer->person_count == 0 ||
				 (answer->sessions[0].kind == MRL_STORE_BEARER) != search->bearer ||
				 answer->people[0].kind == MRL_STORE_DELETED))
		status = MRL_MISSING;
	if (status == MRL_OK) {
		const struct mrl_store_person *found = &answer->people[0];

		person.id = found->id;
		person.kind = (uint8_t)found->kind;
		person.banned_until = found->banned_until;
		(void)snprintf(person.name, sizeof(person.name), "%s", found->name);
		remember(&search->server->people, search->hash, search->bearer, &person);
		touch(search->server, &answer->sessions[0]);
	}
	search->found(search->user, status, &person);
	free(search);
}

void mrl__people_find(struct mrl__server *server, const unsigned char hash[MRL__HASH_SIZE], bool bearer,
		      mrl__person_found *found, void *user)
{
	static const struct mrl__person nobody = {0};
	const struct mrl__session_memory *memory = recall(&server->people, hash);

	if (memory != NULL) {
		const struct mrl__person person = memory->person;

		found(user, memory->bearer == bearer ? MRL_OK : MRL_MISSING, &person);
		return;
	}
	struct search *search = malloc(sizeof(*search));

	if (search == NULL) {
		found(user, MRL_SPACE, &nobody);
		return;
	}
	*search = (struct search){.server = server, .bearer = bearer, .found = found, .user = user};
	memcpy(search->hash, hash, MRL__HASH_SIZE);
	enum mrl_status status = mrl_store_find_session(server->store, hash, mrl__wall_ms(), on_session, search);

	if (status != MRL_OK) {
		free(search);
		found(user, status, &nobody);
	}
}

/* ---- Guests and sessions ------------------------------------------------------------------------------------ */

void mrl__session_new(uint64_t person, enum mrl_store_session_kind kind, struct mrl_store_session *session,
		      char secret[MRL__SECRET_SIZE])
{
	int64_t now = mrl__wall_ms();

	*session = (struct mrl_store_session){.person = person,
					      .kind = kind,
					      .label = "",
					      .created = now,
					      .seen = now,
					      .expires = kind == MRL_STORE_COOKIE ? now + COOKIE_MS : INT64_MAX};
	mrl__secret_new(secret, session->hash);
}

/* A name that is easy to say and to tell from others; that two have the same does no harm. */
static void make_name(char name[MRL_PLAY_NAME_SIZE])
{
	static const char *const first[] = {
	    "Amber",  "Azure",  "Bold",   "Brave", "Bright", "Calm",   "Clever", "Coral", "Copper", "Cosy",    "Eager",
	    "Early",  "Fair",   "Fine",   "Fleet", "Gentle", "Golden", "Happy",  "Hazel", "Indigo", "Jade",    "Jolly",
	    "Keen",   "Kind",   "Lively", "Lucky", "Merry",  "Misty",  "Mellow", "Noble", "Olive",  "Patient", "Pearl",
	    "Plucky", "Proud",  "Quick",  "Quiet", "Rosy",   "Ruby",   "Russet", "Sage",  "Silver", "Sly",     "Snowy",
	    "Spry",   "Steady", "Sunny",  "Swift", "Tawny",  "Tidy",   "Topaz",  "True",  "Umber",  "Velvet",  "Vivid",
	    "Warm",   "Wild",   "Wily",   "Wise",  "Witty",  "Young",  "Zesty",  "Teal",  "Honest"};
	static const char *const second[] = {
	    "Badger", "Bear",   "Beaver", "Bee",    "Bison",  "Crane",  "Crow",    "Deer",  "Dove",  "Duck",   "Eagle",
	    "Elk",    "Falcon", "Finch",  "Fox",    "Frog",   "Gecko",  "Goose",   "Hare",  "Hawk",  "Heron",  "Horse",
	    "Ibex",   "Jay",    "Kite",   "Koala",  "Lark",   "Lion",   "Lizard",  "Llama", "Lynx",  "Magpie", "Marten",
	    "Mole",   "Moose",  "Mouse",  "Newt",   "Otter",  "Owl",    "Ox",      "Panda", "Pike",  "Puffin", "Quail",
	    "Rabbit", "Raven",  "Robin",  "Salmon", "Seal",   "Shrew",  "Sparrow", "Stoat", "Stork", "Swan",   "Tiger",
	    "Toad",   "Trout",  "Turtle", "Vole",   "Walrus", "Weasel", "Whale",   "Wolf",  "Wren"};
	uint64_t lots = mrl__random();

	(void)snprintf(name, MRL_PLAY_NAME_SIZE, "Guest %s %s", first[lots % 64], second[lots / 64 % 64]);
}

struct making {
	struct mrl__server *server;
	struct mrl__person person;
	char secret[MRL__SECRET_SIZE];
	unsigned char hash[MRL__HASH_SIZE];
	mrl__guest_made *made;
	void *user;
};

static void on_guest(void *user, const struct mrl_store_answer *answer)
{
	struct making *making = user;

	if (answer->status == MRL_OK)
		remember(&making->server->people, making->hash, false, &making->person);
	making->made(making->user, answer->status, &making->person, making->secret, making->hash);
	free(making);
}

void mrl__people_make_guest(struct mrl__server *server, mrl__guest_made *made, void *user)
{
	static const struct mrl__person nobody = {0};
	struct making *making = calloc(1, sizeof(*making));

	if (making == NULL) {
		made(user, MRL_SPACE, &nobody, "", NULL);
		return;
	}
	struct mrl_store_change *change = mrl_change_new();
	struct mrl_store_session session;

	*making = (struct making){.server = server, .made = made, .user = user};
	making->person.id = mrl__random_id();
	making->person.kind = MRL_STORE_GUEST;
	make_name(making->person.name);
	mrl__session_new(making->person.id, MRL_STORE_COOKIE, &session, making->secret);
	memcpy(making->hash, session.hash, MRL__HASH_SIZE);
	const struct mrl_store_person person = {.id = making->person.id,
						.kind = MRL_STORE_GUEST,
						.name = making->person.name,
						.created = session.created,
						.seen = session.created};

	mrl_change_add_person(change, &person);
	mrl_change_add_session(change, &session);
	enum mrl_status status = mrl_store_submit(server->store, change, on_guest, making, NULL);

	if (status != MRL_OK) {
		made(user, status, &nobody, "", NULL);
		free(making);
	}
}
