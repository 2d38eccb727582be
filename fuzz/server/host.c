#include "host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <merels/notation.h>
#include <sodium.h>

#include "connection.h"
#include "fuzz.h"
#include "peer.h"
#include "room.h"
#include "server_internal.h"
#include "wire.h"

enum {
	LIVES = 300,        /* inputs that one database is used for */
	BUCKETS = 256,      /* of games, fewer than the server has: all are walked through after each input */
	MOST_QUESTIONS = 64 /* games that wait for the computer */
};

static struct host {
	struct mrl__server *server;
	struct mrl_server_settings settings;
	char folder[256];
	uint64_t now; /* ms */
	unsigned lives;
	struct work {
		struct work *next;
		uv_work_t *request;
		uv_work_cb work;
		uv_after_work_cb after;
	} * first;
	uint64_t questions[MOST_QUESTIONS];
	unsigned question_count;
	uint64_t drawn;
} host;

/* ---- What is always the same -------------------------------------------------------------------------------- */

uint64_t mrl__now_ms(void)
{
	return host.now;
}

int64_t mrl__wall_ms(void)
{
	return INT64_C(1700000000000) + (int64_t)host.now;
}

uint64_t mrl__service_time(struct mrl__server *server)
{
	if (server->playing)
		server->time = mrl__now_ms() + server->time_base;
	return server->time;
}

void mrl__server_stop(struct mrl__server *server)
{
	server->stopping = true;
}

void mrl__server_less_busy(struct mrl__server *server)
{
	MUST(server->busy > 0);
	server->busy--;
}

/* Random enough that no id comes twice, and the same in each run. */
void randombytes_buf(void *const buffer, const size_t size)
{
	unsigned char *bytes = buffer;

	for (size_t i = 0; i < size; i++) {
		host.drawn = host.drawn * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		bytes[i] = (unsigned char)(host.drawn >> 56);
	}
}

static void hash_quickly(char *out, const char *password, unsigned long long length)
{
	unsigned char hash[16];

	(void)crypto_generichash(hash, sizeof(hash), (const unsigned char *)password, length, NULL, 0);
	memcpy(out, "$fuzz$", 6);
	(void)sodium_bin2hex(out + 6, crypto_pwhash_STRBYTES - 6, hash, sizeof(hash));
}

int crypto_pwhash_str(char out[crypto_pwhash_STRBYTES], const char *const password, unsigned long long length,
		      unsigned long long operations, size_t memory)
{
	(void)operations;
	(void)memory;
	hash_quickly(out, password, length);
	return 0;
}

int crypto_pwhash_str_verify(const char text[crypto_pwhash_STRBYTES], const char *const password,
			     unsigned long long length)
{
	char again[crypto_pwhash_STRBYTES];

	hash_quickly(again, password, length);
	return strcmp(text, again) == 0 ? 0 : -1;
}

int uv_queue_work(uv_loop_t *loop, uv_work_t *request, uv_work_cb work, uv_after_work_cb after)
{
	struct work *added = malloc(sizeof(*added));
	struct work **link = &host.first;

	(void)loop;
	MUST(added != NULL);
	while (*link != NULL)
		link = &(*link)->next;
	*added = (struct work){.request = request, .work = work, .after = after};
	*link = added;
	return 0;
}

static bool do_work(void)
{
	struct work *work = host.first;

	if (work == NULL)
		return false;
	host.first = work->next;
	work->work(work->request);
	work->after(work->request, 0);
	free(work);
	return true;
}

/* ---- The computer: any legal turn, when time passes --------------------------------------------------------- */

struct mrl__engines {
	int nothing;
};

static struct mrl__engines engines;

bool mrl__engines_ask(struct mrl__engines *asked, uint64_t game, const struct mrl_game *moves, unsigned level,
		      uint32_t left, uint32_t increment)
{
	(void)asked;
	(void)left;
	(void)increment;
	MUST(level >= 1 && level <= MRL_PLAY_PERFECT && moves->verdict.outcome == MRL_ONGOING);
	if (host.question_count == MOST_QUESTIONS)
		return false;
	host.questions[host.question_count++] = game;
	return true;
}

void mrl__engines_cancel(struct mrl__engines *asked, uint64_t game)
{
	(void)asked;
	for (unsigned i = 0; i < host.question_count; i++)
		if (host.questions[i] == game)
			host.questions[i--] = host.questions[--host.question_count];
}

static void answer_questions(void)
{
	unsigned count = host.question_count;

	while (count-- > 0) {
		uint64_t game = host.questions[0];
		struct mrl__room *room = mrl__rooms_find(host.server, game);
		struct mrl_turn turns[MRL_TURNS_USUAL];
		char text[MRL_TURN_TEXT_SIZE];

		memmove(host.questions, host.questions + 1, --host.question_count * sizeof(host.questions[0]));
		MUST(room != NULL);
		const struct mrl_game *moves = &room->game.moves;

		if (moves->verdict.outcome != MRL_ONGOING ||
		    mrl_turns(moves->rules, &moves->position, turns, MRL_TURNS_USUAL) == 0)
			continue;
		(void)mrl_turn_write(&moves->rules->board, &turns[0], text);
		mrl__rooms_engine_turn(host.server, game, (uint32_t)moves->count, text);
	}
}

size_t mrl__engines_waiting(const struct mrl__engines *asked)
{
	(void)asked;
	return host.question_count;
}

bool mrl__engines_has_tables(struct mrl__engines *asked, const char *rules)
{
	(void)asked;
	(void)rules;
	return false;
}

struct mrl_tables *mrl__engines_tables(struct mrl__engines *asked, const char *rules, const struct mrl_rules **own)
{
	(void)asked;
	(void)rules;
	(void)own;
	return NULL;
}

bool mrl__engines_use_bus(struct mrl__engines *asked, struct mrl_bus *bus, const char *club)
{
	(void)asked;
	(void)bus;
	(void)club;
	return true;
}

struct mrl_giver *mrl__engines_giver(struct mrl__engines *asked)
{
	(void)asked;
	return NULL;
}

void mrl__engines_count_workers(const struct mrl__engines *asked, uint64_t *done, uint64_t *failed, uint64_t *workers)
{
	(void)asked;
	*done = *failed = *workers = 0;
}

void mrl__engines_write_tables(const struct mrl__engines *asked, struct mrl__json *json)
{
	(void)asked;
	(void)json;
}

/* ---- Beginning and ending ----------------------------------------------------------------------------------- */

static void on_restored(struct mrl__server *server, enum mrl_status status)
{
	MUST(status == MRL_OK);
	server->time_base = server->time - mrl__now_ms();
	server->playing = true;
}

static void start(void)
{
	struct mrl__server *server = calloc(1, sizeof(*server));
	char place[512];
	struct mrl_error error;

	MUST(server != NULL);
	(void)snprintf(place, sizeof(place), "%s/games", host.folder);
	const struct mrl_store_settings settings = {.place = place, .serve = true};

	host.server = server;
	server->settings = &host.settings;
	server->log.most = MRL_LOG_ERROR;
	server->engines = &engines;
	wire_open(server, -1);
	server->context = wire_context();
	MUST(uv_loop_init(&server->loop) == 0);
	mrl__waiting_open(&server->waiting, &server->loop);
	MUST(mrl__secret_init());
	MUST(mrl__addresses_init(&server->addresses, 0, 0) && mrl__rooms_init(server) && mrl__desk_init(server));
	server->rooms.bucket_count = BUCKETS;
	if (mrl_store_open(&server->store, &settings, &error) != MRL_OK) {
		fprintf(stderr, "%s\n", error.message);
		abort();
	}
	server->time = mrl_store_first_time(server->store);
	/* A web client without files: every path is none. */
	server->web = calloc(1, sizeof(*server->web));
	MUST(server->web != NULL);
	server->web->references = 1;
	mrl__gone_refresh(server);
	mrl__rooms_restore(server, on_restored);
	mrl_store_wait(server->store);
	MUST(server->playing);
}

/* In the order of server.c. */
static void stop(void)
{
	struct mrl__server *server = host.server;

	while (do_work())
		;
	wire_close();
	mrl__waiting_close(&server->waiting);
	mrl_store_close(server->store);
	server->store = NULL;
	while (do_work())
		;
	mrl__rooms_release(server);
	mrl__desk_release(server);
	mrl__people_release(server);
	mrl__gone_release(server);
	mrl__addresses_release(&server->addresses);
	mrl__json_release(&server->json);
	MUST(server->busy == 0 && server->peers.count == 0 && server->rulebook.count == 0);
	MUST(host.question_count == 0);
	(void)uv_run(&server->loop, UV_RUN_DEFAULT);
	MUST(uv_loop_close(&server->loop) == 0);
	mrl__web_drop(server->web);
	free(server);
	host.server = NULL;
}

static void remove_database(void)
{
	static const char *const endings[] = {"", "-wal", "-shm", "-alive"};
	char path[512];

	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		(void)snprintf(path, sizeof(path), "%s/games%s", host.folder, endings[i]);
		(void)unlink(path);
	}
}

static void end(void)
{
	if (host.server != NULL)
		stop();
	remove_database();
	(void)rmdir(host.folder);
}

/* Memory in place of a disk where there is some: each commit is synced. */
static void make_folder(void)
{
	const char *where = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : getenv("TMPDIR");

	(void)snprintf(host.folder, sizeof(host.folder), "%s/merels-fuzz-XXXXXX", where != NULL ? where : "/tmp");
	MUST(mkdtemp(host.folder) != NULL);
	MUST(atexit(end) == 0);
	mrl_server_defaults(&host.settings);
	host.settings.metrics_for_all = true;
	host.now = 1000;
}

struct mrl__server *host_server(void)
{
	return host.server;
}

struct mrl__server *host_begin(void)
{
	if (host.folder[0] == '\0')
		make_folder();
	if (host.server != NULL && host.lives == 0) {
		stop();
		remove_database();
	}
	if (host.server == NULL) {
		start();
		host.lives = LIVES;
	}
	host.lives--;
	return host.server;
}

void host_restart(void)
{
	stop();
	start();
}

/* ---- Going on ----------------------------------------------------------------------------------------------- */

void host_settle(void)
{
	for (unsigned quiet = 0; quiet < 2;) {
		mrl_store_wait(host.server->store);
		bool any = do_work();

		any |= wire_serve(host.now);
		quiet = any ? 0 : quiet + 1;
	}
	MUST(host.server->rooms.commits == 0);
}

static void tick(void)
{
	struct mrl__server *server = host.server;

	mrl_store_keep_time(server->store, mrl__service_time(server));
	mrl__peers_end_closing(server);
	mrl__connection_tick(server);
	mrl__rooms_tick(server);
	mrl__desk_tick(server);
}

/* Those that have passed; everybody who listens answers pings in time. */
static void seconds(void)
{
	struct mrl__server *server = host.server;

	while (mrl__peers_second(&server->peers, host.now)) {
		mrl__peers_tick(server);
		mrl__rooms_second(server);
		mrl__desk_second(server);
		host_settle();
		wire_pongs();
	}
}

/* Long spans in few steps; what is due in between has its moment. */
void host_pass(uint64_t milliseconds)
{
	uint64_t end_of_it = host.now + milliseconds;

	while (host.now < end_of_it) {
		const struct mrl__rooms *rooms = &host.server->rooms;
		uint64_t left = end_of_it - host.now;
		uint64_t step = left <= 1000 ? left : left <= 100000 ? 1000 : left / 2;

		if (rooms->heap_count > 0) {
			uint64_t due = rooms->heap[0]->deadline - host.server->time_base;

			if (due > host.now && due - host.now < step)
				step = due - host.now;
		}
		host.now += step;
		answer_questions();
		tick();
		host_settle();
		seconds();
	}
	if (milliseconds >= 60000) {
		mrl__addresses_sweep(&host.server->addresses, host.now);
		mrl__people_sweep(host.server);
	}
}

void host_hold_up(uint64_t milliseconds)
{
	host.now += milliseconds;
	tick();
	seconds();
	host_settle();
}

/* ---- Comparing ---------------------------------------------------------------------------------------------- */

static void compare(void *user, const struct mrl_store_answer *answer)
{
	const struct mrl__room *room = user;
	size_t size = room->game.number + 1; /* takebacks took some away */
	struct mrl_ply *plies = calloc(size, sizeof(*plies));
	struct mrl_play_past *past = calloc(size, sizeof(*past));
	struct mrl_play_game game;

	MUST(answer->status == MRL_OK && answer->game_count == 1 && plies != NULL && past != NULL);
	const struct mrl_store_game *kept = &answer->games[0];

	mrl_play_init(&game, room->rules, plies, past, size);
	MUST(kept->event_count == room->game.number);
	for (size_t i = 0; i < kept->event_count; i++) {
		struct mrl_play_event event;

		MUST(kept->events[i].number == i + 1);
		MUST(mrl_play_event_read(kept->events[i].text, strlen(kept->events[i].text), &event, NULL) == MRL_OK);
		MUST(mrl_play_apply(&game, &event, NULL) == MRL_OK);
	}
	MUST(mrl_play_same(&game, &room->game));
	MUST((kept->ended != 0) == (game.phase == MRL_PLAY_FINISHED));
	/* Lists show how long a game was, once it is over. */
	MUST(kept->ended == 0 || kept->plies == game.moves.count);
	free(plies);
	free(past);
}

void host_compare(void)
{
	struct mrl__server *server = host.server;

	host_settle();
	for (size_t i = 0; i < server->rooms.bucket_count; i++) {
		for (struct mrl__room *room = server->rooms.buckets[i]; room != NULL; room = room->next) {
			MUST(room->state == MRL__ROOM_READY && room->commit == NULL && room->first == NULL);
			MUST(mrl_store_load_game(server->store, room->id, 1, compare, room) == MRL_OK);
		}
	}
	mrl_store_wait(server->store);
}
