/* Other programs, in lines: plain ones, and such as end, hang, or never stop talking. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <os/child.h>
#include <os/clock.h>

#define SECOND UINT64_C(1000000000)

/* Far enough away that only a fault reaches it. */
static uint64_t late(void)
{
	return mrl_clock_now() + 60 * SECOND;
}

static struct mrl_child *shell(const char *script)
{
	char text[512];
	char *arguments[] = {(char[]){"sh"}, (char[]){"-c"}, text, NULL};
	struct mrl_child *child = NULL;

	assert_true(strlen(script) < sizeof(text));
	strcpy(text, script);
	assert_int_equal(mrl_child_start(&child, arguments, NULL, true, NULL), MRL_OK);
	return child;
}

static bool send(struct mrl_child *child, const char *text)
{
	return mrl_child_send(child, text, strlen(text), late());
}

static void expect(struct mrl_child *child, const char *expected)
{
	const char *line = NULL;

	assert_int_equal(mrl_child_read(child, late(), &line), MRL_CHILD_LINE);
	assert_string_equal(line, expected);
}

static void expect_end(struct mrl_child *child, const char *expected)
{
	char how[32];

	mrl_child_end(child, 60 * SECOND, how);
	assert_string_equal(how, expected);
}

static void lines_go_there_and_back(void **state)
{
	struct mrl_child *child = shell("cat");

	(void)state;
	assert_true(send(child, "one\ntwo\r\n\nfour\n"));
	expect(child, "one");
	expect(child, "two");
	expect(child, "");
	expect(child, "four");
	assert_true(send(child, "half"));
	assert_true(send(child, " and half\n"));
	expect(child, "half and half");
	expect_end(child, "exit code 0");
}

static void a_0_byte_is_a_space(void **state)
{
	struct mrl_child *child = shell("printf 'a\\000b\\n'");

	(void)state;
	expect(child, "a b");
	expect_end(child, "exit code 0");
}

static void an_end_is_seen_after_the_last_line(void **state)
{
	struct mrl_child *child = shell("echo last; exit 3");
	const char *line;

	(void)state;
	expect(child, "last");
	assert_int_equal(mrl_child_read(child, late(), &line), MRL_CHILD_ENDED);
	assert_int_equal(mrl_child_read(child, late(), &line), MRL_CHILD_ENDED);
	expect_end(child, "exit code 3");
}

static void a_signal_is_told(void **state)
{
	struct mrl_child *child = shell("kill -SEGV $$");
	const char *line;

	(void)state;
	assert_int_equal(mrl_child_read(child, late(), &line), MRL_CHILD_ENDED);
	expect_end(child, "signal 11");
}

static void silence_is_waited_for_only_to_the_moment(void **state)
{
	struct mrl_child *child = shell("read line; echo $line");
	const char *line;

	(void)state;
	assert_int_equal(mrl_child_read(child, mrl_clock_now() + SECOND / 50, &line), MRL_CHILD_LATE);
	assert_int_equal(mrl_child_read(child, 0, &line), MRL_CHILD_LATE);
	assert_true(send(child, "now\n"));
	expect(child, "now");
	expect_end(child, "exit code 0");
}

static void a_child_that_does_not_end_is_killed_with_what_it_started(void **state)
{
	struct mrl_child *child = shell("trap '' TERM INT; sleep 1000 & while :; do sleep 1000; done");
	char how[32];

	(void)state;
	mrl_child_end(child, SECOND / 50, how);
	assert_string_equal(how, "killed");
}

static void writing_to_one_that_has_ended_fails(void **state)
{
	struct mrl_child *child = shell("exec <&-; echo closed; exit 0");
	const char *line;

	(void)state;
	expect(child, "closed");
	assert_int_equal(mrl_child_read(child, late(), &line), MRL_CHILD_ENDED);
	assert_false(send(child, "anybody there?\n"));
	mrl_child_end(child, SECOND, NULL);
}

static void one_that_talks_and_does_not_listen_blocks_nobody(void **state)
{
	struct mrl_child *child = shell("yes 'still talking'");
	size_t size = (size_t)1 << 20;
	char *text = malloc(size);

	(void)state;
	assert_non_null(text);
	memset(text, 'x', size);
	assert_false(mrl_child_send(child, text, size, mrl_clock_now() + SECOND / 20));
	expect(child, "still talking");
	mrl_child_end(child, 0, NULL);
	free(text);
}

static void much_goes_through_in_both_directions_at_once(void **state)
{
	struct mrl_child *child = shell("cat");
	enum { LINES = 4000 };
	char text[64];

	(void)state;
	memset(text, 'y', sizeof(text));
	text[61] = '\n';
	text[62] = '\0';
	/* More than both pipes hold, but what comes back fits into the buffer only in part. */
	for (unsigned i = 0; i < LINES; i++) {
		assert_true(send(child, text));
		if (i >= 500) {
			const char *line;

			assert_int_equal(mrl_child_read(child, late(), &line), MRL_CHILD_LINE);
			assert_int_equal(strlen(line), 61);
		}
	}
	mrl_child_end(child, SECOND, NULL);
}

static void a_line_without_end_is_dropped(void **state)
{
	struct mrl_child *child = shell("head -c 300000 /dev/zero | tr '\\0' z; echo; echo after");
	const char *line;

	(void)state;
	assert_int_equal(mrl_child_read(child, late(), &line), MRL_CHILD_FLOOD);
	expect(child, "after");
	expect_end(child, "exit code 0");
}

static void what_cannot_be_run_is_told(void **state)
{
	char *arguments[] = {(char[]){"/no/such/program"}, NULL};
	struct mrl_child *child = NULL;
	struct mrl_error error = {0};

	(void)state;
	assert_int_equal(mrl_child_start(&child, arguments, NULL, true, &error), MRL_SYSTEM);
	assert_non_null(strstr(error.message, "No such file"));
	assert_null(child);
	mrl_child_end(NULL, 0, NULL);
}

static void it_runs_where_it_is_told(void **state)
{
	char *arguments[] = {(char[]){"pwd"}, NULL};
	struct mrl_child *child = NULL;

	(void)state;
	assert_int_equal(mrl_child_start(&child, arguments, "/", true, NULL), MRL_OK);
	expect(child, "/");
	expect_end(child, "exit code 0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(lines_go_there_and_back),
	    cmocka_unit_test(a_0_byte_is_a_space),
	    cmocka_unit_test(an_end_is_seen_after_the_last_line),
	    cmocka_unit_test(a_signal_is_told),
	    cmocka_unit_test(silence_is_waited_for_only_to_the_moment),
	    cmocka_unit_test(a_child_that_does_not_end_is_killed_with_what_it_started),
	    cmocka_unit_test(writing_to_one_that_has_ended_fails),
	    cmocka_unit_test(one_that_talks_and_does_not_listen_blocks_nobody),
	    cmocka_unit_test(much_goes_through_in_both_directions_at_once),
	    cmocka_unit_test(a_line_without_end_is_dropped),
	    cmocka_unit_test(what_cannot_be_run_is_told),
	    cmocka_unit_test(it_runs_where_it_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
