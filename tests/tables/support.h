/* What the tests of src/tables share: rule sets, folders that go away, tables built in them. */
#ifndef MERELS_TEST_TABLES_SUPPORT_H
#define MERELS_TEST_TABLES_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <merels/table.h>

#define FOLDER_SIZE 256

/* Reads a rule set or fails the test. */
void test_rules(struct mrl_rules *rules, const char *text);

/* A new empty folder; and removes it with all its files. */
void test_folder(char folder[FOLDER_SIZE]);
void test_remove_folder(const char *folder);

/* Builds tables in a folder, or fails the test. */
void test_build(const struct mrl_rules *rules, const char *folder, enum mrl_table_metric metric, unsigned threads);

/* The same without the sectors that may be left out. */
void test_build_half(const struct mrl_rules *rules, const char *folder, enum mrl_table_metric metric);

/* Opens the tables of a folder, or fails the test. */
struct mrl_tables *test_open(const struct mrl_rules *rules, const char *folder);

/* A number that changes when any file's name or content does. */
uint64_t test_folder_sum(const char *folder);

/* Reads and writes whole files; data is to be freed. */
unsigned char *test_read_file(const char *path, size_t *length);
void test_write_file(const char *path, const unsigned char *data, size_t length);

/* Calls `visit` with the path of each file of a folder. */
void test_each_file(const char *folder, void (*visit)(const char *path, void *context), void *context);

/* Fails the test unless the status is as expected and the sentence has this part. */
void test_message(enum mrl_status status, enum mrl_status expected, const struct mrl_error *error, const char *part);

/* For a build: stops it when it has asked so many times. */
struct test_fuse {
	atomic_int left;
};
bool test_burn(void *context, const struct mrl_table_progress *progress);

/* A random position with so many men on the board and none in hand, White to move. */
void test_draw(const struct mrl_rules *rules, unsigned white, unsigned black, uint64_t *random,
	       struct mrl_position *position);

/* The seed from MRL_SEED, else from the clock; printed, so that a failure can be run again. */
uint64_t test_seed(void);
uint64_t test_random(uint64_t *state);

#endif
