/* Programs beside this one, and folders for a while. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <os/clock.h>
#include <os/disk.h>
#include <os/file.h>
#include <os/folder.h>
#include <os/process.h>
#include <os/program.h>
#include <os/scratch.h>

static char folder[128];
static char output[160];

static int make(void **state)
{
	(void)state;
	if (mrl_scratch_make("merels-program", folder, sizeof(folder), NULL) != MRL_OK)
		return 1;
	(void)snprintf(output, sizeof(output), "%s/said", folder);
	return 0;
}

static int unmake(void **state)
{
	(void)state;
	return mrl_scratch_remove(folder) ? 0 : 1;
}

static long shell(const char *script)
{
	char text[512];
	char *arguments[] = {(char[]){"/bin/sh"}, (char[]){"-c"}, text, NULL};
	const struct mrl_program program = {
	    .arguments = arguments, .folder = folder, .output = output, .at_last = MRL_KILL};
	long id = 0;

	assert_true(strlen(script) < sizeof(text));
	strcpy(text, script);
	assert_int_equal(mrl_program_start(&program, &id, NULL), MRL_OK);
	return id;
}

static void expect_end(long id, const char *expected)
{
	char how[32];

	while (!mrl_program_ended(id, how))
		mrl_program_pause(1000000);
	assert_string_equal(how, expected);
}

/* Waits for a file of the folder and takes the number in it. */
static long number_in(const char *name)
{
	char path[160];
	char *text = NULL;
	size_t length = 0;
	long number = 0;

	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	while (number == 0) {
		if (mrl_file_read(path, 64, &text, &length, NULL) == MRL_OK) {
			number = length > 0 && text[length - 1] == '\n' ? strtol(text, NULL, 10) : 0;
			free(text);
		}
		mrl_program_pause(1000000);
	}
	return number;
}

static void what_a_program_says_is_kept_and_its_end_told(void **state)
{
	char *text = NULL;
	size_t length = 0;

	(void)state;
	expect_end(shell("pwd; echo wrong >&2; cat; exit 3"), "exit code 3");
	assert_int_equal(mrl_file_read(output, 1000, &text, &length, NULL), MRL_OK);
	assert_non_null(strstr(text, folder));
	assert_non_null(strstr(text, "wrong"));
	free(text);
}

static void a_program_that_is_told_to_end_ends(void **state)
{
	long id = shell("echo $$ >here; sleep 1000");
	char how[32];

	(void)state;
	assert_int_equal(number_in("here"), id);
	assert_false(mrl_program_ended(id, how));
	assert_true(mrl_program_tell(id, true, MRL_TERM));
	expect_end(id, "signal 15");
	assert_false(mrl_program_tell(id, false, MRL_TERM));
}

static void a_paused_program_can_be_killed(void **state)
{
	long id = shell("sleep 1000");

	(void)state;
	assert_true(mrl_program_tell(id, false, MRL_STOP));
	assert_true(mrl_program_tell(id, true, MRL_KILL));
	expect_end(id, "signal 9");
}

static void what_cannot_be_started_is_named_with_the_reason(void **state)
{
	char *arguments[] = {(char[]){"/nowhere/to/be/found"}, NULL};
	struct mrl_program program = {.arguments = arguments, .output = output, .at_last = MRL_KILL};
	struct mrl_error error;
	long id = 0;

	(void)state;
	assert_int_equal(mrl_program_start(&program, &id, &error), MRL_SYSTEM);
	assert_non_null(strstr(error.message, "/nowhere/to/be/found"));
	assert_non_null(strstr(error.message, "no such file"));
	program.user = "nobody-of-this-name";
	assert_int_equal(mrl_program_start(&program, &id, &error), MRL_SYSTEM);
	assert_non_null(strstr(error.message, "nobody-of-this-name"));
}

static void programs_are_found_by_pattern_and_path(void **state)
{
	static const char *const none[] = {NULL};
	static const char *const some[] = {"/nowhere", "/b*n", NULL};
	char path[MRL_PROGRAM_PATH_SIZE];

	(void)state;
	assert_true(mrl_program_find("sh", some, path));
	assert_string_equal(path, "/bin/sh");
	assert_true(mrl_program_find("sh", none, path));
	assert_false(mrl_program_find("no-program-has-this-name", some, path));
}

static void a_process_is_named_by_its_number_and_its_beginning(void **state)
{
	long id = shell("sleep 1000");
	uint64_t began = mrl_process_began(id);

	(void)state;
	assert_true(began > 0);
	assert_true(began >= mrl_process_began(mrl_process_self()));
	assert_true(mrl_program_tell(id, true, MRL_KILL));
	/* One that has ended and was not asked about yet has no beginning either. */
	while (mrl_process_began(id) != 0)
		mrl_program_pause(1000000);
	expect_end(id, "signal 9");
}

static void a_folder_goes_with_all_that_is_in_it_and_links_lead_nowhere(void **state)
{
	char path[128];
	char script[1024];
	char kept[160];

	(void)state;
	assert_int_equal(mrl_scratch_make("merels-scratch", path, sizeof(path), NULL), MRL_OK);
	(void)snprintf(kept, sizeof(kept), "%s/kept", folder);
	(void)snprintf(script, sizeof(script), "echo 1 >kept; mkdir -p %s/a/b; echo 2 >%s/a/b/c; ln -s %s %s/a/link",
		       path, path, folder, path);
	expect_end(shell(script), "exit code 0");
	assert_true(mrl_scratch_remove(path));
	assert_false(mrl_folder_exists(path));
	assert_true(mrl_disk_exists(kept));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_a_program_says_is_kept_and_its_end_told),
	    cmocka_unit_test(a_program_that_is_told_to_end_ends),
	    cmocka_unit_test(a_paused_program_can_be_killed),
	    cmocka_unit_test(what_cannot_be_started_is_named_with_the_reason),
	    cmocka_unit_test(programs_are_found_by_pattern_and_path),
	    cmocka_unit_test(a_process_is_named_by_its_number_and_its_beginning),
	    cmocka_unit_test(a_folder_goes_with_all_that_is_in_it_and_links_lead_nowhere),
	};

	return cmocka_run_group_tests(tests, make, unmake);
}
