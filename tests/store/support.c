#define _XOPEN_SOURCE 700 /* mkdtemp() */
#include "support.h"

#include <libpq-fe.h>
#include <unistd.h>

#include <os/disk.h>
#include <os/folder.h>

/* Tells PostgreSQL something, apart from the store. */
static bool tell_postgres(const char *sql, const char *name, const char *end)
{
	const char *place = getenv("MERELS_TEST_POSTGRES");
	char text[128];
	PGconn *connection = PQconnectdb(place + strlen("postgres:"));

	(void)snprintf(text, sizeof(text), "%s%s%s", sql, name, end);
	PGresult *result = PQexec(connection, text);
	bool done = PQresultStatus(result) == PGRES_COMMAND_OK;

	if (!done)
		(void)fprintf(stderr, "%s: %s%s", text, PQerrorMessage(connection), PQresultErrorMessage(result));
	PQclear(result);
	PQfinish(connection);
	return done;
}

static bool make_schema(struct home *home, const char *place)
{
	static unsigned made;

	(void)snprintf(home->schema, sizeof(home->schema), "test_%ld_%u", (long)getpid(), made++);
	(void)snprintf(home->place, sizeof(home->place), "%.400s options=-csearch_path=%s", place, home->schema);
	(void)snprintf(home->time, sizeof(home->time), "%.400s/merels.db-alive", home->folder);
	return tell_postgres("CREATE SCHEMA ", home->schema, "");
}

int home_make(void **state)
{
	struct home *home = calloc(1, sizeof(*home));
	const char *above = getenv("TMPDIR");

	if (home == NULL)
		return -1;
	(void)snprintf(home->folder, sizeof(home->folder), "%s/merels-store-XXXXXX", above != NULL ? above : "/tmp");
	if (mkdtemp(home->folder) == NULL)
		return -1;
	(void)snprintf(home->place, sizeof(home->place), "sqlite:%.400s/merels.db", home->folder);
	const char *postgres = getenv("MERELS_TEST_POSTGRES");

	if (postgres != NULL && !make_schema(home, postgres))
		return -1;
	*state = home;
	return 0;
}

static enum mrl_status remove_file(void *user, const char *path, const char *name, struct mrl_error *error)
{
	(void)user;
	(void)name;
	return mrl_disk_remove(path, error);
}

int home_remove(void **state)
{
	struct home *home = *state;

	if (home->schema[0] != '\0' &&
	    !tell_postgres("SET client_min_messages = warning; DROP SCHEMA ", home->schema, " CASCADE"))
		return -1;
	bool removed =
	    mrl_folder_walk(home->folder, remove_file, NULL, NULL) == MRL_OK && mrl_disk_remove_folder(home->folder);

	free(home);
	return removed ? 0 : -1;
}

struct mrl_store_settings home_settings(const struct home *home)
{
	return (struct mrl_store_settings){
	    .place = home->place, .alive = home->time[0] == '\0' ? NULL : home->time, .serve = true};
}

struct mrl_store *store_open(const struct home *home)
{
	struct mrl_store *store = NULL;
	struct mrl_error error = {0};
	struct mrl_store_settings settings = home_settings(home);

	if (mrl_store_open(&store, &settings, &error) != MRL_OK)
		fail_msg("%s", error.message);
	return store;
}

void look_done(void *user, const struct mrl_store_answer *answer)
{
	struct look *look = user;

	look->asked++;
	look->status = answer->status;
	look->affected = answer->affected;
	(void)snprintf(look->message, sizeof(look->message), "%s", answer->message);
	if (answer->status == MRL_OK && look->at != NULL)
		look->at(look->context, answer);
}

enum mrl_status commit(struct mrl_store *store, struct mrl_store_change *change, struct mrl_error *error)
{
	struct look look = {0};
	enum mrl_status status = mrl_store_submit(store, change, look_done, &look, error);

	if (status != MRL_OK)
		return status;
	mrl_store_wait(store);
	assert_int_equal(look.asked, 1);
	if (error != NULL) {
		error->status = look.status;
		(void)snprintf(error->message, sizeof(error->message), "%s", look.message);
	}
	return look.status;
}

void must(struct mrl_store *store, struct mrl_store_change *change)
{
	struct mrl_error error = {0};

	if (commit(store, change, &error) != MRL_OK)
		fail_msg("%s", error.message);
}

void expect_answer(struct mrl_store *store, struct look *look, enum mrl_status submitted, enum mrl_status expected)
{
	unsigned before = look->asked;

	assert_int_equal(submitted, MRL_OK);
	mrl_store_wait(store);
	assert_int_equal(look->asked, before + 1);
	if (look->status != expected)
		fail_msg("%s instead of %s: %s", mrl_status_name(look->status), mrl_status_name(expected),
			 look->message);
}

static void add_person(struct mrl_store *store, const struct mrl_store_person *person)
{
	struct mrl_store_change *change = mrl_change_new();

	mrl_change_add_person(change, person);
	must(store, change);
}

void add_account(struct mrl_store *store, uint64_t id, const char *name)
{
	add_person(store, &(struct mrl_store_person){.id = id,
						     .kind = MRL_STORE_ACCOUNT,
						     .name = name,
						     .password = "$argon2id$x",
						     .created = 1000,
						     .seen = 1000});
}

void add_guest(struct mrl_store *store, uint64_t id, const char *name)
{
	add_person(store, &(struct mrl_store_person){
			      .id = id, .kind = MRL_STORE_GUEST, .name = name, .created = 1000, .seen = 1000});
}

struct mrl_store_game some_game(uint64_t id, uint64_t white, uint64_t black)
{
	return (struct mrl_store_game){
	    .id = id,
	    .state = MRL_STORE_PLAYING,
	    .rules = "nine",
	    .owner = white,
	    .speed = 1,
	    .base_ms = 300000,
	    .increment_ms = 3000,
	    .white = {.kind = white == 0 ? MRL_STORE_EMPTY : MRL_STORE_PERSON, .person = white},
	    .black = {.kind = black == 0 ? MRL_STORE_EMPTY : MRL_STORE_PERSON, .person = black},
	    .created = 1000,
	    .started = 2000,
	};
}

struct mrl_store_game some_ended(uint64_t id, uint64_t white, uint64_t black, int64_t ended,
				 enum mrl_store_outcome outcome)
{
	struct mrl_store_game game = some_game(id, white, black);

	game.state = MRL_STORE_ENDED;
	game.ended = ended;
	game.outcome = outcome;
	game.reason = "few-men";
	game.plies = 40;
	game.opening = "d2 f4 d6 b4";
	return game;
}

static void count_in(void *context, const struct mrl_store_answer *answer)
{
	size_t *count = context;

	assert_int_equal(answer->game_count, 1);
	*count = answer->games[0].event_count;
	for (size_t i = 0; i < *count; i++)
		assert_int_equal(answer->games[0].events[i].number, i + 1);
}

size_t count_events(struct mrl_store *store, uint64_t game)
{
	size_t count = 0;
	struct look look = {.at = count_in, .context = &count};

	expect_answer(store, &look, mrl_store_load_game(store, game, 1, look_done, &look), MRL_OK);
	return count;
}

uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}
