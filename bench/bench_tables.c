/*
 * Builds are measured by the time of the processor that they take: fixed rule sets, on one thread, one whose men only
 * slide and one whose men fly. Probes are of positions drawn at random with a fixed seed. A cold probe reads its block
 * from a file that has not been opened before, though the system may have it in memory.
 */
#include "bench_tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <merels/table.h>
#include <os/clock.h>
#include <os/disk.h>
#include <os/folder.h>

enum { SAMPLES = 4096, COLD_PROBES = 32 };

static enum mrl_status remove_file(void *user, const char *path, const char *name, struct mrl_error *error)
{
	(void)user;
	(void)name;
	return mrl_disk_remove(path, error);
}

static void remove_folder(const char *folder)
{
	if (mrl_folder_walk(folder, remove_file, NULL, NULL) != MRL_OK)
		return;
	(void)mrl_disk_remove_folder(folder);
}

/* Builds a rule set and prints how fast. */
static enum mrl_status measure_build(const struct mrl_rules *rules, const char *name, const char *kind,
				     const char *folder, enum mrl_table_metric metric, struct mrl_error *error)
{
	struct mrl_table_build build = {.folder = folder, .metric = metric, .threads = 1};
	uint64_t memory;
	uint64_t positions;
	clock_t begin = clock();
	enum mrl_status status = mrl_table_build(rules, &build, error);
	double passed = (double)(clock() - begin) / CLOCKS_PER_SEC;

	if (status == MRL_OK)
		status = mrl_table_estimate(rules, (struct mrl_endings){0}, 1, &memory, &positions, error);
	if (status != MRL_OK)
		return status;
	printf("build %-10s %-7s %-8s %9" PRIu64 " positions %7.2f s  %7.3f million/s and core\n", name, kind,
	       metric == MRL_TABLE_VALUE ? "value" : "distance", positions, passed, (double)positions / passed / 1e6);
	(void)fflush(stdout);
	return MRL_OK;
}

static enum mrl_status measure_size(struct mrl_tables *tables, const char *name, struct mrl_error *error)
{
	uint64_t positions = 0;
	uint64_t values = 0;
	uint64_t plies = 0;

	for (size_t i = 0; i < mrl_tables_sectors(tables); i++) {
		struct mrl_table_sector sector;
		enum mrl_status status = mrl_tables_count(tables, i, false, &sector, error);

		if (status != MRL_OK)
			return status;
		positions += sector.positions;
		values += sector.value_bytes;
		plies += sector.plies_bytes;
	}
	printf("size  %-10s %.4f bytes a position for values, %.4f for distances\n", name,
	       (double)values / (double)positions, (double)plies / (double)positions);
	return MRL_OK;
}

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Positions of random games, undecided ones. */
static void draw_positions(const struct mrl_rules *rules, struct mrl_position samples[SAMPLES])
{
	uint64_t random = UINT64_C(0x7461626c6573);
	struct mrl_position position;
	unsigned plies = 0;

	mrl_position_start(rules, &position);
	for (size_t filled = 0; filled < SAMPLES;) {
		struct mrl_turn turns[MRL_TURNS_USUAL];
		size_t count = mrl_turns(rules, &position, turns, MRL_TURNS_USUAL);

		if (count == 0 || plies == 60) {
			mrl_position_start(rules, &position);
			plies = 0;
			continue;
		}
		samples[filled++] = position;
		(void)mrl_apply(rules, &position, &turns[next_random(&random) % count], NULL);
		plies++;
	}
}

static enum mrl_status probe_all(struct mrl_tables *tables, const struct mrl_position samples[SAMPLES],
				 struct mrl_error *error)
{
	struct mrl_table_value value;
	enum mrl_status status = MRL_OK;

	for (size_t i = 0; i < SAMPLES && status == MRL_OK; i++)
		status = mrl_tables_probe(tables, &samples[i], &value, error);
	return status;
}

static int by_length(const void *left, const void *right)
{
	double a = *(const double *)left;
	double b = *(const double *)right;

	return a < b ? -1 : a > b;
}

/* The median of first probes, each of tables opened anew: their files are opened and their index is read, too. */
static enum mrl_status measure_cold(const struct mrl_rules *rules, const char *folder,
				    const struct mrl_position samples[SAMPLES], double *median, struct mrl_error *error)
{
	double seconds[COLD_PROBES];
	enum mrl_status status = MRL_OK;

	for (size_t i = 0; i < COLD_PROBES && status == MRL_OK; i++) {
		struct mrl_tables *tables = NULL;
		struct mrl_table_value value;
		uint64_t begin;

		status = mrl_tables_open(&tables, folder, rules, 0, error);
		if (status != MRL_OK)
			break;
		begin = mrl_clock_now();
		status = mrl_tables_probe(tables, &samples[i * (SAMPLES / COLD_PROBES)], &value, error);
		seconds[i] = mrl_clock_since(begin);
		mrl_tables_close(tables);
	}
	if (status != MRL_OK)
		return status;
	qsort(seconds, COLD_PROBES, sizeof(seconds[0]), by_length);
	*median = seconds[COLD_PROBES / 2];
	return MRL_OK;
}

static enum mrl_status measure_probes(const struct mrl_rules *rules, const char *name, const char *folder,
				      double seconds, struct mrl_error *error)
{
	static struct mrl_position samples[SAMPLES];
	struct mrl_tables *tables = NULL;
	enum mrl_status status;
	double passed = 0;
	double cold = 0;
	uint64_t probes = 0;

	draw_positions(rules, samples);
	status = measure_cold(rules, folder, samples, &cold, error);
	if (status == MRL_OK)
		status = mrl_tables_open(&tables, folder, rules, (size_t)256 << 20, error);
	if (status != MRL_OK)
		return status;
	status = probe_all(tables, samples, error);
	uint64_t begin = mrl_clock_now();

	while (status == MRL_OK && passed < seconds) {
		status = probe_all(tables, samples, error);
		probes += SAMPLES;
		passed = mrl_clock_since(begin);
	}
	if (status == MRL_OK) {
		printf("probe %-10s warm %.3f us, cold %.1f us\n", name, passed / (double)probes * 1e6, cold * 1e6);
		status = measure_size(tables, name, error);
	}
	mrl_tables_close(tables);
	return status;
}

static enum mrl_status measure(const char *name, const char *kind, const char *above, double seconds,
			       struct mrl_error *error)
{
	static struct mrl_rules rules;
	char folder[512];
	enum mrl_status status = mrl_rules_parse(&rules, name, strlen(name), error);

	for (unsigned metric = 0; metric < 2 && status == MRL_OK; metric++) {
		(void)snprintf(folder, sizeof(folder), "%s/merels-bench-%" PRIu64, above, mrl_clock_now());
		status = measure_build(&rules, name, kind, folder, metric == 0 ? MRL_TABLE_VALUE : MRL_TABLE_DISTANCE,
				       error);
		if (status == MRL_OK && metric == 1)
			status = measure_probes(&rules, name, folder, seconds, error);
		remove_folder(folder);
	}
	return status;
}

bool bench_tables(double seconds)
{
	const char *above = getenv("TMPDIR");
	struct mrl_error error = {0};
	enum mrl_status status;

	above = above != NULL ? above : "/tmp";
	status = measure("six", "sliding", above, seconds, &error);
	if (status == MRL_OK)
		status = measure("nine,men=4", "flying", above, seconds, &error);
	if (status != MRL_OK)
		printf("the measurement ended: %s\n", error.message);
	return true;
}
