/* The head of an HTTP answer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "head.h"

/* In memory of just this size, so that a sanitizer sees a byte too many read. */
static enum mrl__head_state read_head(const char *text, size_t length, struct mrl__head *head)
{
	char *exact = malloc(length > 0 ? length : 1);

	assert_non_null(exact);
	memcpy(exact, text, length);

	enum mrl__head_state state = mrl__head_read(exact, length, head);

	free(exact);
	return state;
}

static const char good[] = "HTTP/1.1 200 OK\r\ncontent-length: 12\r\n"
			   "Set-Cookie: merels=abcDEF_-0; Path=/; HttpOnly\r\nX: y\r\n\r\nbody";

static void an_answer_is_read_to_its_body(void **state)
{
	struct mrl__head head;

	(void)state;
	assert_int_equal(read_head(good, strlen(good), &head), MRL__HEAD_WHOLE);
	assert_int_equal(head.status, 200);
	assert_int_equal(head.size, strlen(good) - 4);
	assert_true(head.has_length);
	assert_int_equal(head.length, 12);
	assert_string_equal(head.cookie, "abcDEF_-0");
}

static void a_part_of_a_head_wants_more(void **state)
{
	struct mrl__head head;

	(void)state;
	for (size_t length = 0; length < strlen(good) - 4; length++)
		assert_int_equal(read_head(good, length, &head), MRL__HEAD_MORE);
}

static void what_is_no_head_is_refused(void **state)
{
	static const char *const bad[] = {
	    "\r\n\r\n",
	    "HTTP/2 200\r\n\r\n",
	    "HTTP/1.1 2x0 OK\r\n\r\n",
	    "HTTP/1.1 099 no\r\n\r\n",
	    "HTTP/1.1 200 OK\nX: y\r\n\r\n",
	    "HTTP/1.1 200 OK\r\nContent-Length: \r\n\r\n",
	    "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
	    "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\n",
	    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
	};
	struct mrl__head head;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(read_head(bad[i], strlen(bad[i]), &head), MRL__HEAD_BAD);
}

static void a_head_without_an_end_is_refused_in_time(void **state)
{
	static char text[MRL__HEAD_MOST];
	struct mrl__head head;

	(void)state;
	memset(text, 'x', sizeof(text));
	assert_int_equal(read_head(text, sizeof(text) - 1, &head), MRL__HEAD_MORE);
	assert_int_equal(read_head(text, sizeof(text), &head), MRL__HEAD_BAD);
}

static void other_cookies_and_long_ones_are_none(void **state)
{
	char text[512];
	struct mrl__head head;

	(void)state;
	strcpy(text, "HTTP/1.1 200 OK\r\nSet-Cookie: merel=1\r\nSet-Cookie: merels=");
	for (int i = 0; i < 200; i++)
		strcat(text, "a");
	strcat(text, "\r\n\r\n");
	assert_int_equal(read_head(text, strlen(text), &head), MRL__HEAD_WHOLE);
	assert_string_equal(head.cookie, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_answer_is_read_to_its_body),
	    cmocka_unit_test(a_part_of_a_head_wants_more),
	    cmocka_unit_test(what_is_no_head_is_refused),
	    cmocka_unit_test(a_head_without_an_end_is_refused_in_time),
	    cmocka_unit_test(other_cookies_and_long_ones_are_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
