/*
 * A server's life as the store sees it, for tests that end it at any moment.
 *
 *	store_life live FOLDER        plays for ever, saying each thing that was acknowledged; never ends by itself
 *	store_life check FOLDER FILE  whether a database holds what a life that was ended has said
 *	store_life fill FOLDER FILE   plays until the disk is full, removes FILE, and goes on
 *
 * The database is in the folder, or MERELS_TEST_STORE is its place. There are SLOTS games at any time. A game has
 *LENGTH events; the change that has its last one also has its summary, a rating of its player, and the game that
 *follows it. Each line is one write, so a kill can only cut the last one.
 *
 *	A 130 7     event 7 of game 130 was acknowledged
 *	E 130       and so was its end
 *	T 2310      service time, after it was kept
 */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <merels/store.h>
#include <os/clock.h>
#include <os/disk.h>
#include <os/thread.h>

enum { SLOTS = 48, LENGTH = 20, MOST_GAMES = 1 << 20, STEP_MS = 10 };

struct slot {
	struct life *life;
	uint64_t game; /* generation * SLOTS + slot + 1 */
	uint32_t next; /* number of the event that is under way */
	bool found;    /* when it was read */
};

struct life {
	struct mrl_store *store;
	struct mrl_monitor *monitor;
	bool woken;
	uint64_t t;
	struct slot slots[SLOTS];
	uint32_t *events; /* by game: how many were read */
	bool *ended;
	uint64_t refused;
	uint64_t acknowledged;
	char message[256];
	bool filling;
	unsigned under_way;
};

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void say(const char *format, ...)
{
	char line[128];
	va_list arguments;

	va_start(arguments, format);
	int length = vsnprintf(line, sizeof(line), format, arguments);

	va_end(arguments);
	if (length < 0 || write(STDOUT_FILENO, line, (size_t)length) != length)
		_exit(2);
}

static _Noreturn void wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

static _Noreturn void wrong(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	(void)vfprintf(stderr, format, arguments);
	va_end(arguments);
	(void)fputc('\n', stderr);
	exit(1);
}

static unsigned slot_of(uint64_t game)
{
	return (unsigned)((game - 1) % SLOTS);
}

static uint64_t generation_of(uint64_t game)
{
	return (game - 1) / SLOTS;
}

static uint64_t person_of(uint64_t game)
{
	return slot_of(game) + 1000;
}

/* ---- Opening and reading ------------------------------------------------------------------------------------ */

static void ring(void *context)
{
	struct life *life = context;

	mrl_monitor_enter(life->monitor);
	life->woken = true;
	mrl_monitor_wake(life->monitor);
	mrl_monitor_leave(life->monitor);
}

static void expect_text(uint64_t game, const struct mrl_store_event *event)
{
	char expected[64];

	(void)snprintf(expected, sizeof(expected), "event %" PRIu32 " of %" PRIu64, event->number, game);
	if (strcmp(event->text, expected) != 0)
		wrong("game %" PRIu64 " has '%s' in place of '%s'", game, event->text, expected);
}

static enum mrl_store_flow read_game(void *user, const struct mrl_store_game *game)
{
	struct life *life = user;
	struct slot *slot = &life->slots[slot_of(game->id)];

	if (game->id >= MOST_GAMES || life->events[game->id] != 0)
		wrong("game %" PRIu64 " is there twice", game->id);
	for (size_t i = 0; i < game->event_count; i++) {
		if (game->events[i].number != i + 1)
			wrong("game %" PRIu64 " has event %" PRIu32 " in place %zu", game->id, game->events[i].number,
			      i + 1);
		expect_text(game->id, &game->events[i]);
		if (game->events[i].t > life->t)
			wrong("game %" PRIu64 " has an event of the future", game->id);
	}
	life->events[game->id] = (uint32_t)game->event_count;
	life->ended[game->id] = game->state == MRL_STORE_ENDED;
	if (life->ended[game->id] != (game->event_count == LENGTH))
		wrong("game %" PRIu64 " has %zu events and the state %d", game->id, game->event_count,
		      (int)game->state);
	if (game->state == MRL_STORE_PLAYING) {
		if (slot->found)
			wrong("games %" PRIu64 " and %" PRIu64 " are both going on", slot->game, game->id);
		*slot = (struct slot){
		    .life = life, .game = game->id, .next = (uint32_t)game->event_count + 1, .found = true};
	}
	return MRL_STORE_GO_ON;
}

static void expect_good(void *user, const struct mrl_store_answer *answer)
{
	(void)user;
	if (answer->status != MRL_OK)
		wrong("%s", answer->message);
}

static void open_life(struct life *life, const char *folder)
{
	char path[1024];
	char time[1024];
	const char *place = getenv("MERELS_TEST_STORE");
	struct mrl_error error = {0};
	struct mrl_store_settings settings = {
	    .place = place == NULL ? path : place, .alive = time, .serve = true, .wake = ring, .context = life};

	(void)snprintf(path, sizeof(path), "%s/life.db", folder);
	(void)snprintf(time, sizeof(time), "%s/life.db-alive", folder);
	life->monitor = mrl_monitor_new();
	life->events = calloc(MOST_GAMES, sizeof(life->events[0]));
	life->ended = calloc(MOST_GAMES, sizeof(life->ended[0]));
	if (life->monitor == NULL || life->events == NULL || life->ended == NULL)
		wrong("no memory");
	if (mrl_store_open(&life->store, &settings, &error) != MRL_OK)
		wrong("%s", error.message);
	life->t = mrl_store_first_time(life->store);
}

static void close_life(struct life *life)
{
	mrl_store_close(life->store);
	mrl_monitor_free(life->monitor);
	free(life->events);
	free(life->ended);
}

static void read_games(struct life *life, bool ended_too)
{
	struct mrl_store_search all = {.oldest_first = true};

	if (mrl_store_stream_unfinished(life->store, read_game, expect_good, life, NULL) != MRL_OK ||
	    (ended_too && mrl_store_stream_games(life->store, &all, read_game, expect_good, life, NULL) != MRL_OK))
		wrong("the games cannot be read");
	mrl_store_wait(life->store);
}

/* ---- Living ------------------------------------------------------------------------------------------------- */

static void append(struct life *life, struct mrl_store_change *change, uint64_t game, uint32_t number)
{
	char text[64];

	(void)snprintf(text, sizeof(text), "event %" PRIu32 " of %" PRIu64, number, game);
	mrl_change_append(change, game,
			  &(struct mrl_store_event){.number = number, .t = life->t, .wall = 1, .text = text});
}

static void add_game(struct life *life, struct mrl_store_change *change, uint64_t game)
{
	mrl_change_add_game(change,
			    &(struct mrl_store_game){.id = game,
						     .state = MRL_STORE_PLAYING,
						     .rules = "nine",
						     .white = {.kind = MRL_STORE_PERSON, .person = person_of(game)},
						     .created = 1,
						     .started = 1});
	append(life, change, game, 1);
}

static void end_game(struct mrl_store_change *change, uint64_t game)
{
	mrl_change_put_game(change,
			    &(struct mrl_store_game){.id = game,
						     .state = MRL_STORE_ENDED,
						     .white = {.kind = MRL_STORE_PERSON, .person = person_of(game)},
						     .created = 1,
						     .started = 1,
						     .ended = (int64_t)game,
						     .outcome = MRL_STORE_DRAW});
	mrl_change_set_rating(change, &(struct mrl_store_rating){.person = person_of(game),
								 .rules = "nine",
								 .rating = 1500,
								 .deviation = 100,
								 .volatility = 0.06,
								 .games = (uint32_t)generation_of(game) + 1,
								 .game = game});
}

static void next_event(struct slot *slot);

static void note_event(void *user, const struct mrl_store_answer *answer)
{
	struct slot *slot = user;
	struct life *life = slot->life;

	life->under_way--;
	if (answer->status != MRL_OK) {
		if (!life->filling)
			wrong("game %" PRIu64 ", event %" PRIu32 ": %s", slot->game, slot->next, answer->message);
		life->refused++;
		(void)snprintf(life->message, sizeof(life->message), "%s: %s", mrl_status_name(answer->status),
			       answer->message);
		return;
	}
	life->acknowledged++;
	if (!life->filling)
		say("A %" PRIu64 " %" PRIu32 "\n", slot->game, slot->next);
	life->events[slot->game] = slot->next;
	if (slot->next == LENGTH) {
		if (!life->filling)
			say("E %" PRIu64 "\nA %" PRIu64 " 1\n", slot->game, slot->game + SLOTS);
		life->ended[slot->game] = true;
		slot->game += SLOTS;
		life->events[slot->game] = 1;
		slot->next = 1;
	}
	slot->next++;
	if (!life->filling)
		next_event(slot);
}

static void next_event(struct slot *slot)
{
	struct life *life = slot->life;
	struct mrl_store_change *change = mrl_change_new();
	struct mrl_error error = {0};

	append(life, change, slot->game, slot->next);
	if (slot->next == LENGTH) {
		end_game(change, slot->game);
		add_game(life, change, slot->game + SLOTS);
	}
	life->under_way++;
	if (mrl_store_submit(life->store, change, note_event, slot, &error) != MRL_OK)
		wrong("%s", error.message);
}

/* The first time, everything is made at once. */
static void make_games(struct life *life)
{
	struct mrl_store_change *change = mrl_change_new();

	for (unsigned i = 0; i < SLOTS; i++) {
		char name[16];

		(void)snprintf(name, sizeof(name), "Player%u", i);
		mrl_change_add_person(change, &(struct mrl_store_person){
						  .id = person_of(i + 1), .kind = MRL_STORE_ACCOUNT, .name = name});
		add_game(life, change, i + 1);
		life->slots[i] = (struct slot){.life = life, .game = i + 1, .next = 2, .found = true};
	}
	if (mrl_store_submit(life->store, change, expect_good, NULL, NULL) != MRL_OK)
		wrong("the games cannot be made");
	mrl_store_wait(life->store);
}

static void begin(struct life *life)
{
	read_games(life, false);
	if (!life->slots[0].found)
		make_games(life);
}

static void live(const char *folder)
{
	static struct life life;

	open_life(&life, folder);
	begin(&life);
	for (unsigned i = 0; i < SLOTS; i++)
		next_event(&life.slots[i]);
	for (;;) {
		/* Time goes by steps, not by the clock: how fast the machine is makes no difference. */
		life.t += STEP_MS;
		mrl_store_keep_time(life.store, life.t);
		say("T %" PRIu64 "\n", life.t);
		mrl_monitor_enter(life.monitor);
		if (!life.woken)
			(void)mrl_monitor_wait_until(life.monitor, mrl_clock_now() + 1000000);
		life.woken = false;
		mrl_monitor_leave(life.monitor);
		(void)mrl_store_poll(life.store);
	}
}

/* ---- Checking ----------------------------------------------------------------------------------------------- */

struct said {
	uint64_t t;
	uint64_t lines;
};

/* Everything a life has said must be so. A last line without an end was never said. */
static struct said check_words(const struct life *life, const char *path)
{
	struct said said = {0};
	char line[128];
	FILE *file = fopen(path, "r");

	if (file == NULL)
		wrong("%s cannot be read", path);
	while (fgets(line, sizeof(line), file) != NULL && strchr(line, '\n') != NULL) {
		uint64_t game = 0;
		uint32_t number = 0;

		said.lines++;
		if (sscanf(line, "A %" SCNu64 " %" SCNu32, &game, &number) == 2) {
			if (life->events[game] < number)
				wrong("event %" PRIu32 " of game %" PRIu64 " was acknowledged and is lost", number,
				      game);
		} else if (sscanf(line, "E %" SCNu64, &game) == 1) {
			if (!life->ended[game])
				wrong("the end of game %" PRIu64 " was acknowledged and is lost", game);
		} else if (sscanf(line, "T %" SCNu64, &said.t) != 1) {
			wrong("not understood: %s", line);
		}
	}
	(void)fclose(file);
	return said;
}

static void check_rating(void *user, const struct mrl_store_answer *answer)
{
	const struct slot *slot = user;
	uint64_t games = answer->rating_count == 0 ? 0 : answer->ratings[0].games;

	if (answer->status != MRL_OK || games != generation_of(slot->game))
		wrong("player %" PRIu64 " has %" PRIu64 " rated games in place of %" PRIu64, person_of(slot->game),
		      games, generation_of(slot->game));
}

static void check_whole(struct life *life)
{
	for (unsigned i = 0; i < SLOTS; i++) {
		const struct slot *slot = &life->slots[i];

		if (!slot->found)
			wrong("no game of slot %u goes on", i);
		for (uint64_t game = i + 1; game < slot->game; game += SLOTS)
			if (!life->ended[game])
				wrong("game %" PRIu64 " is not there", game);
		if (mrl_store_list_ratings(life->store, person_of(slot->game), check_rating, &life->slots[i]) != MRL_OK)
			wrong("ratings cannot be read");
	}
	mrl_store_wait(life->store);
}

static void check(const char *folder, const char *path)
{
	static struct life life;

	open_life(&life, folder);
	read_games(&life, true);
	struct said said = check_words(&life, path);

	if (life.slots[0].found)
		check_whole(&life);
	else if (said.lines > 0)
		wrong("the database is empty");
	/* It was kept before it was shown, so it may only be later, by a step. */
	if (said.t != 0 && (life.t < said.t || life.t > said.t + 50))
		wrong("time goes on at %" PRIu64 ", and %" PRIu64 " was shown", life.t, said.t);
	(void)printf("%" PRIu64 "\n", said.lines);
	close_life(&life);
}

/* ---- A full disk -------------------------------------------------------------------------------------------- */

static void play_round(struct life *life)
{
	for (unsigned i = 0; i < SLOTS; i++)
		next_event(&life->slots[i]);
	mrl_store_wait(life->store);
}

/* The database has what was acknowledged, and nothing of what was refused. */
static void expect_acknowledged(const char *folder, const struct life *life)
{
	struct life *again = calloc(1, sizeof(*again));

	if (again == NULL)
		wrong("no memory");
	open_life(again, folder);
	read_games(again, true);
	for (uint64_t game = 1; game < MOST_GAMES; game++)
		if (again->events[game] != life->events[game])
			wrong("game %" PRIu64 " has %" PRIu32 " events, and %" PRIu32 " were acknowledged", game,
			      again->events[game], life->events[game]);
	close_life(again);
	free(again);
}

static void fill(const char *folder, const char *ballast)
{
	static struct life life;
	struct mrl_error error = {0};
	unsigned full_rounds = 0;

	open_life(&life, folder);
	life.filling = true;
	begin(&life);
	for (unsigned i = 0; i < SLOTS; i++)
		life.events[life.slots[i].game] = 1;
	/* Full is full: it stays so for a while, and each time somebody is told. */
	while (full_rounds < 5) {
		uint64_t refused = life.refused;

		play_round(&life);
		full_rounds += life.refused > refused;
	}
	if (mrl_store_trouble(life.store, &error) != MRL_FULL || strstr(life.message, "the disk is full") == NULL)
		wrong("a full disk is called: %s", life.message);
	(void)printf("%" PRIu64 " acknowledged, then %" PRIu64 " refused: %s\n", life.acknowledged, life.refused,
		     life.message);
	if (mrl_disk_remove(ballast, &error) != MRL_OK)
		wrong("%s", error.message);
	uint64_t refused = life.refused;

	/* Not so many that the disk is full again. */
	for (unsigned i = 0; i < 20; i++)
		play_round(&life);
	if (life.refused != refused)
		wrong("there is room again, and still it says: %s", life.message);
	mrl_store_close(life.store);
	expect_acknowledged(folder, &life);
	mrl_monitor_free(life.monitor);
	free(life.events);
	free(life.ended);
}

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "live") == 0) {
		live(argv[2]);
	} else if (argc == 4 && strcmp(argv[1], "check") == 0) {
		check(argv[2], argv[3]);
	} else if (argc == 4 && strcmp(argv[1], "fill") == 0) {
		fill(argv[2], argv[3]);
	} else {
		wrong("usage: store_life live FOLDER | check FOLDER FILE | fill FOLDER FILE");
	}
	return 0;
}
