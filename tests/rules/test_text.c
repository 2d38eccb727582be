/* The bounded string, and the table of status codes. */
#include "support.h"

#include <string.h>

#include <merels/text.h>

static void a_text_that_does_not_fit_is_cut_and_says_so(void **state)
{
	char buffer[8];
	struct mrl_text text = mrl_text_in(buffer, sizeof buffer);

	(void)state;
	mrl_text_add(&text, "seven..");
	assert_int_equal(text.length, 7);
	assert_string_equal(buffer, "seven..");
	mrl_text_number(&text, 12345);
	assert_int_equal(text.length, 12);
	assert_int_equal(mrl_text_stored(&text), 7);
	assert_string_equal(buffer, "seven..");
	text = mrl_text_in(NULL, 0);
	mrl_text_add(&text, "dropped");
	assert_int_equal(text.length, 7);
	assert_int_equal(mrl_text_stored(&text), 0);
}

static void numbers_are_written_in_full(void **state)
{
	char buffer[64];
	struct mrl_text text = mrl_text_in(buffer, sizeof buffer);

	(void)state;
	mrl_text_number(&text, UINT64_MAX);
	mrl_text_char(&text, ' ');
	mrl_text_signed(&text, INT64_MIN);
	mrl_text_char(&text, ' ');
	mrl_text_signed(&text, 7);
	mrl_text_char(&text, ' ');
	mrl_text_number(&text, 0);
	assert_string_equal(buffer, "18446744073709551615 -9223372036854775808 7 0");
}

static void quoted_bytes_never_hold_a_control_character(void **state)
{
	char buffer[128];
	struct mrl_text text = mrl_text_in(buffer, sizeof buffer);

	(void)state;
	mrl_text_quote(&text, "a\"\\\n\0\x1b\xff", 7);
	assert_string_equal(buffer, "\"a\\\"\\\\\\x0a\\x00\\x1b\\xff\"");
	text = mrl_text_in(buffer, sizeof buffer);
	mrl_text_quote(&text, "abcdefghijklmnopqrstuvwxyz", 26);
	assert_string_equal(buffer, "\"abcdefghijklmnopqrstuvwx...\"");
	text = mrl_text_in(buffer, sizeof buffer);
	mrl_text_quote(&text, "", 0);
	assert_string_equal(buffer, "nothing");
}

static void every_status_has_a_name_and_a_text(void **state)
{
	(void)state;
	assert_string_equal(mrl_status_name(MRL_OK), "OK");
	assert_string_equal(mrl_status_name(MRL_AMBIGUOUS), "AMBIGUOUS");
	assert_true(strlen(mrl_status_text(MRL_SPACE)) > 0);
	assert_string_equal(mrl_status_name((enum mrl_status) - 99), "UNKNOWN");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_text_that_does_not_fit_is_cut_and_says_so),
	    cmocka_unit_test(numbers_are_written_in_full),
	    cmocka_unit_test(quoted_bytes_never_hold_a_control_character),
	    cmocka_unit_test(every_status_has_a_name_and_a_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
