#define _POSIX_C_SOURCE 200809L
#include "support.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <merels/builtins.h>

void test_rules(struct mrl_rules *rules, const char *text)
{
	struct mrl_error error;

	if (mrl_rules_parse(rules, text, strlen(text), &error) != MRL_OK)
		fail_msg("%s: %s", text, error.message);
}

void test_folder(char folder[FOLDER_SIZE])
{
	const char *above = getenv("TMPDIR");

	(void)snprintf(folder, FOLDER_SIZE, "%s/merels-tables-XXXXXX", above != NULL ? above : "/tmp");
	assert_non_null(mkdtemp(folder));
}

void test_each_file(const char *folder, void (*visit)(const char *path, void *context), void *context)
{
	DIR *files = opendir(folder);
	const struct dirent *entry;

	assert_non_null(files);
	while ((entry = readdir(files)) != NULL) {
		char path[FOLDER_SIZE + 256 + 2];

		if (entry->d_name[0] == '.')
			continue;
		(void)snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		visit(path, context);
	}
	(void)closedir(files);
}

static void remove_file(const char *path, void *context)
{
	(void)context;
	assert_int_equal(unlink(path), 0);
}

void test_remove_folder(const char *folder)
{
	char lock[FOLDER_SIZE + 16];

	test_each_file(folder, remove_file, NULL);
	(void)snprintf(lock, sizeof(lock), "%s/.build", folder);
	(void)unlink(lock); /* of a build that did not come to its end */
	assert_int_equal(rmdir(folder), 0);
}

void test_build(const struct mrl_rules *rules, const char *folder, enum mrl_table_metric metric, unsigned threads)
{
	struct mrl_table_build build = {.folder = folder, .metric = metric, .threads = threads};
	struct mrl_error error = {0};

	if (mrl_table_build(rules, &build, &error) != MRL_OK)
		fail_msg("%s", error.message);
}

void test_build_half(const struct mrl_rules *rules, const char *folder, enum mrl_table_metric metric)
{
	struct mrl_table_build build = {.folder = folder, .metric = metric, .half = true, .threads = 2};
	struct mrl_error error = {0};

	if (mrl_table_build(rules, &build, &error) != MRL_OK)
		fail_msg("%s", error.message);
}

struct mrl_tables *test_open(const struct mrl_rules *rules, const char *folder)
{
	struct mrl_tables *tables = NULL;
	struct mrl_error error = {0};

	if (mrl_tables_open(&tables, folder, rules, (size_t)16 << 20, &error) != MRL_OK)
		fail_msg("%s", error.message);
	return tables;
}

unsigned char *test_read_file(const char *path, size_t *length)
{
	FILE *file = fopen(path, "rb");
	unsigned char *data;

	assert_non_null(file);
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	*length = (size_t)ftell(file);
	rewind(file);
	data = malloc(*length + 1);
	assert_non_null(data);
	assert_int_equal(fread(data, 1, *length, file), *length);
	(void)fclose(file);
	return data;
}

void test_write_file(const char *path, const unsigned char *data, size_t length)
{
	FILE *file = fopen(path, "wb");

	assert_non_null(file);
	assert_int_equal(fwrite(data, 1, length, file), length);
	assert_int_equal(fclose(file), 0);
}

/* The files come in any order, so their sums are added. */
static void add_sum(const char *path, void *context)
{
	const char *name = strrchr(path, '/');
	uint64_t *total = context;
	uint64_t sum = UINT64_C(0xcbf29ce484222325);
	size_t length;
	unsigned char *data = test_read_file(path, &length);

	for (size_t i = 0; name[i] != '\0'; i++)
		sum = (sum ^ (unsigned char)name[i]) * UINT64_C(0x100000001b3);
	for (size_t i = 0; i < length; i++)
		sum = (sum ^ data[i]) * UINT64_C(0x100000001b3);
	*total += sum * UINT64_C(0x9e3779b97f4a7c15);
	free(data);
}

uint64_t test_folder_sum(const char *folder)
{
	uint64_t total = 0;

	test_each_file(folder, add_sum, &total);
	return total;
}

uint64_t test_seed(void)
{
	const char *text = getenv("MRL_SEED");
	uint64_t seed = text != NULL ? strtoull(text, NULL, 0) : (uint64_t)time(NULL);

	printf("MRL_SEED=%" PRIu64 "\n", seed);
	return seed;
}

uint64_t test_random(uint64_t *state)
{
	uint64_t mixed = *state += UINT64_C(0x9e3779b97f4a7c15);

	mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
	return mixed ^ mixed >> 31;
}

void test_draw(const struct mrl_rules *rules, unsigned white, unsigned black, uint64_t *random,
	       struct mrl_position *position)
{
	unsigned men[2] = {white, black};

	*position = (struct mrl_position){0};
	for (unsigned side = 0; side < 2; side++)
		while (mrl_popcount(position->men[side]) < men[side])
			position->men[side] |=
			    mrl_point_bit((unsigned)(test_random(random) % rules->board.point_count)) &
			    ~position->men[side ^ 1U];
	position->hash = mrl_position_hash(rules, position);
}

void test_message(enum mrl_status status, enum mrl_status expected, const struct mrl_error *error, const char *part)
{
	if (status != expected || strstr(error->message, part) == NULL)
		fail_msg("%s: %s", mrl_status_name(status), error->message);
}

bool test_burn(void *context, const struct mrl_table_progress *progress)
{
	struct test_fuse *fuse = context;

	(void)progress;
	return atomic_fetch_sub(&fuse->left, 1) <= 0;
}
