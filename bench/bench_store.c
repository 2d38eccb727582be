/*
 * Turns are appended to ten thousand games, drawn at random with a fixed seed, as a server's are. In the first rows
 * there is always the same number under way, so that is how large the groups are at most; in the last ones so many are
 * submitted every second, ready or not, and the latency is from the moment at which each should have been submitted. A
 * turn is answered when it is on the disk, so what is measured is mostly the disk: its own speed stands before the
 * rows.
 */
#include "bench_store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <merels/store.h>
#include <os/clock.h>
#include <os/disk.h>
#include <os/folder.h>
#include <os/thread.h>

enum { GAMES = 10000, PEOPLE = 1000, MOST_SAMPLES = 1 << 20, SYNCS = 64 };

static const char turn[] = "turn 3 w 9f2c-17 d6-d7xa1 281440 300000 3120 180 ok";

struct bench {
	struct mrl_store *store;
	struct mrl_monitor *monitor;
	bool woken;
	uint64_t random;
	uint32_t next[GAMES + 1];
	bool busy[GAMES + 1];
	float *samples; /* latencies in milliseconds */
	size_t count;
	size_t under_way;
	uint64_t answered;
	uint64_t failed;
};

struct sent {
	struct bench *bench;
	uint64_t game;
	uint64_t when;
};

static void ring(void *context)
{
	struct bench *bench = context;

	mrl_monitor_enter(bench->monitor);
	bench->woken = true;
	mrl_monitor_wake(bench->monitor);
	mrl_monitor_leave(bench->monitor);
}

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void note(void *user, const struct mrl_store_answer *answer)
{
	struct sent *sent = user;
	struct bench *bench = sent->bench;

	bench->failed += answer->status != MRL_OK;
	if (bench->count < MOST_SAMPLES)
		bench->samples[bench->count++] = (float)((double)(mrl_clock_now() - sent->when) / 1e6);
	bench->answered++;
	bench->under_way--;
	bench->busy[sent->game] = false;
	free(sent);
}

/* A turn of a game that has none under way; false when there is no memory, or too much waits. */
static bool send_turn(struct bench *bench, uint64_t when)
{
	struct sent *sent = malloc(sizeof(*sent));
	struct mrl_store_change *change = mrl_change_new();
	uint64_t game = next_random(&bench->random) % GAMES + 1;

	while (bench->busy[game])
		game = game % GAMES + 1;
	if (sent == NULL) {
		mrl_change_free(change);
		return false;
	}
	*sent = (struct sent){bench, game, when};
	mrl_change_append(change, game,
			  &(struct mrl_store_event){.number = bench->next[game], .t = 1, .wall = 1, .text = turn});
	if (mrl_store_submit(bench->store, change, note, sent, NULL) != MRL_OK) {
		free(sent);
		return false;
	}
	bench->next[game]++;
	bench->busy[game] = true;
	bench->under_way++;
	return true;
}

static void wait_a_little(struct bench *bench, uint64_t until)
{
	mrl_monitor_enter(bench->monitor);
	if (!bench->woken)
		(void)mrl_monitor_wait_until(bench->monitor, until);
	bench->woken = false;
	mrl_monitor_leave(bench->monitor);
	(void)mrl_store_poll(bench->store);
}

static int by_length(const void *left, const void *right)
{
	float a = *(const float *)left;
	float b = *(const float *)right;

	return a < b ? -1 : a > b;
}

static double percentile(const struct bench *bench, unsigned thousandths)
{
	return bench->count == 0 ? 0 : (double)bench->samples[(bench->count - 1) * thousandths / 1000];
}

/* `processor` are the seconds that all threads took, the one that submits among them. */
static void print_row(struct bench *bench, const char *what, double passed, double processor)
{
	qsort(bench->samples, bench->count, sizeof(bench->samples[0]), by_length);
	printf("%-16s %6.0f turns/s  %5.1f us of processor  ms: median %7.2f, 99 %% %7.2f, 99.9 %% %7.2f, longest "
	       "%7.2f%s\n",
	       what, (double)bench->answered / passed, processor / (double)bench->answered * 1e6,
	       percentile(bench, 500), percentile(bench, 990), percentile(bench, 999), percentile(bench, 1000),
	       bench->failed > 0 ? "  SOME FAILED" : "");
	(void)fflush(stdout);
}

static void start_row(struct bench *bench)
{
	bench->count = 0;
	bench->answered = 0;
	bench->failed = 0;
}

/* Always so many under way. */
static bool measure_group(struct bench *bench, size_t group, double seconds)
{
	char what[32];
	uint64_t begin = mrl_clock_now();
	uint64_t end = begin + (uint64_t)(seconds * 1e9);

	clock_t processor = clock();

	start_row(bench);
	while (mrl_clock_now() < end) {
		while (bench->under_way < group)
			if (!send_turn(bench, mrl_clock_now()))
				return false;
		wait_a_little(bench, end);
	}
	mrl_store_wait(bench->store);
	(void)snprintf(what, sizeof(what), "%zu under way", group);
	print_row(bench, what, mrl_clock_since(begin), (double)(clock() - processor) / CLOCKS_PER_SEC);
	return true;
}

/* So many a second; what is late counts from when it should have been. */
static bool measure_rate(struct bench *bench, unsigned rate, double seconds)
{
	char what[32];
	uint64_t begin = mrl_clock_now();
	uint64_t sent = 0;
	uint64_t refused = 0;

	clock_t processor = clock();

	start_row(bench);
	while (mrl_clock_since(begin) < seconds) {
		uint64_t due = (uint64_t)(mrl_clock_since(begin) * rate);

		for (; sent < due; sent++) {
			uint64_t when = begin + (uint64_t)((double)sent / rate * 1e9);

			/* Not all games can have one under way. */
			if (bench->under_way >= GAMES / 2 || !send_turn(bench, when))
				refused++;
		}
		wait_a_little(bench, mrl_clock_now() + 500000);
	}
	mrl_store_wait(bench->store);
	(void)snprintf(what, sizeof(what), "%u a second", rate);
	print_row(bench, what, mrl_clock_since(begin), (double)(clock() - processor) / CLOCKS_PER_SEC);
	if (refused > 0)
		printf("%-16s %6" PRIu64 " refused, for too many were under way\n", "", refused);
	return true;
}

/* ---- Reading ------------------------------------------------------------------------------------------------ */

static void count_read(void *user, const struct mrl_store_answer *answer)
{
	struct bench *bench = user;

	bench->failed += answer->status != MRL_OK;
	bench->answered++;
	bench->under_way--;
}

static bool measure_reads(struct bench *bench, bool sessions, double seconds)
{
	uint64_t begin = mrl_clock_now();
	uint64_t events = 0;

	start_row(bench);
	while (mrl_clock_since(begin) < seconds) {
		while (bench->under_way < 64) {
			uint64_t drawn = next_random(&bench->random);
			uint64_t game = drawn % GAMES + 1;
			uint64_t person = drawn % PEOPLE + 1;
			uint8_t hash[MRL_STORE_HASH_BYTES] = {(uint8_t)person, (uint8_t)(person >> 8)};
			enum mrl_status status = sessions
						     ? mrl_store_find_session(bench->store, hash, 1, count_read, bench)
						     : mrl_store_load_game(bench->store, game, 1, count_read, bench);

			if (status != MRL_OK)
				return false;
			bench->under_way++;
			events += bench->next[game] - 1;
		}
		wait_a_little(bench, mrl_clock_now() + 1000000000u);
	}
	mrl_store_wait(bench->store);
	double passed = mrl_clock_since(begin);

	if (sessions)
		printf("%-16s %6.0f a second\n", "sessions found", (double)bench->answered / passed);
	else
		printf("%-16s %6.0f a second, of %.1f events each\n", "games loaded", (double)bench->answered / passed,
		       (double)events / (double)bench->answered);
	return bench->failed == 0;
}

/* ---- The whole ---------------------------------------------------------------------------------------------- */

static void fill(struct bench *bench)
{
	struct mrl_store_change *change = NULL;

	for (uint64_t i = 1; i <= PEOPLE; i++) {
		struct mrl_store_session session = {
		    .hash = {(uint8_t)i, (uint8_t)(i >> 8)}, .person = i, .expires = INT64_MAX};

		change = change == NULL ? mrl_change_new() : change;
		mrl_change_add_person(change, &(struct mrl_store_person){.id = i, .name = "Guest"});
		mrl_change_add_session(change, &session);
	}
	bench->failed += mrl_store_submit(bench->store, change, NULL, NULL, NULL) != MRL_OK;
	change = mrl_change_new();
	for (uint64_t i = 1; i <= GAMES; i++) {
		mrl_change_add_game(change, &(struct mrl_store_game){
						.id = i,
						.state = MRL_STORE_PLAYING,
						.rules = "nine",
						.white = {.kind = MRL_STORE_PERSON, .person = i % PEOPLE + 1},
						.black = {.kind = MRL_STORE_PERSON, .person = (i + 7) % PEOPLE + 1}});
		bench->next[i] = 1;
	}
	bench->failed += mrl_store_submit(bench->store, change, NULL, NULL, NULL) != MRL_OK;
	mrl_store_wait(bench->store);
}

/* What the disk does alone: so much is added to a file and synced. */
static void measure_disk(const char *folder)
{
	static char page[4096];
	static float times[SYNCS];
	char path[600];
	struct mrl_disk_file *file;

	(void)snprintf(path, sizeof(path), "%s/sync", folder);
	if (mrl_disk_open(&file, path, MRL_DISK_CREATE, NULL) != MRL_OK)
		return;
	for (unsigned i = 0; i < SYNCS; i++) {
		uint64_t begin = mrl_clock_now();

		if (mrl_disk_write(file, (uint64_t)i * sizeof(page), page, sizeof(page), NULL) != MRL_OK ||
		    mrl_disk_sync(file, NULL) != MRL_OK)
			break;
		times[i] = (float)(mrl_clock_since(begin) * 1e3);
	}
	mrl_disk_close(file);
	qsort(times, SYNCS, sizeof(times[0]), by_length);
	printf("the disk alone: 4 kB added and synced in ms: median %.2f, longest of %d %.2f\n",
	       (double)times[SYNCS / 2], SYNCS, (double)times[SYNCS - 1]);
}

static enum mrl_status remove_file(void *user, const char *path, const char *name, struct mrl_error *error)
{
	(void)user;
	(void)name;
	return mrl_disk_remove(path, error);
}

static bool measure(struct bench *bench, double seconds)
{
	static const size_t groups[] = {1, 8, 64, 512, 4096};
	static const unsigned rates[] = {1000, 5000, 10000, 20000};
	bool good = true;

	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]) && good; i++)
		good = measure_group(bench, groups[i], seconds);
	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]) && good; i++)
		good = measure_rate(bench, rates[i], seconds);
	return good && measure_reads(bench, false, seconds) && measure_reads(bench, true, seconds);
}

static bool run(struct bench *bench, const char *folder, double seconds)
{
	char place[600];
	struct mrl_error error = {0};
	struct mrl_store_settings settings = {.place = place, .serve = true, .wake = ring, .context = bench};

	(void)snprintf(place, sizeof(place), "%s/merels.db", folder);
	if (mrl_disk_make_folder(folder, &error) != MRL_OK ||
	    mrl_store_open(&bench->store, &settings, &error) != MRL_OK) {
		printf("the measurement ended: %s\n", error.message);
		return true;
	}
	measure_disk(folder);
	fill(bench);
	bool good = measure(bench, seconds);

	mrl_store_wait(bench->store);
	mrl_store_close(bench->store);
	return good;
}

bool bench_store(double seconds)
{
	const char *above = getenv("TMPDIR");
	struct bench *bench = calloc(1, sizeof(*bench));
	char folder[512];
	bool good = false;

	(void)snprintf(folder, sizeof(folder), "%s/merels-bench-%" PRIu64, above != NULL ? above : "/tmp",
		       mrl_clock_now());
	if (bench != NULL) {
		bench->random = UINT64_C(0x73746f7265);
		bench->monitor = mrl_monitor_new();
		bench->samples = malloc(MOST_SAMPLES * sizeof(bench->samples[0]));
		good = bench->monitor != NULL && bench->samples != NULL && run(bench, folder, seconds);
		free(bench->samples);
		mrl_monitor_free(bench->monitor);
	}
	free(bench);
	if (mrl_folder_walk(folder, remove_file, NULL, NULL) == MRL_OK)
		(void)mrl_disk_remove_folder(folder);
	return good;
}
