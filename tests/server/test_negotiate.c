/* The headers with which a browser says what it takes and what it has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "negotiate.h"

static char some[] = "x";

static void the_strongest_coding_that_is_allowed_is_chosen(void **state)
{
	static const struct {
		const char *accept;
		enum mrl__coding coding;
	} cases[] = {
	    {"", MRL__PLAIN},
	    {"br", MRL__BROTLI},
	    {"gzip", MRL__GZIP},
	    {"gzip, br", MRL__BROTLI},
	    {"gzip,deflate,br,zstd", MRL__BROTLI},
	    {"GZIP", MRL__GZIP},
	    {"BR ; Q=0.5 , gzip ; q=1", MRL__BROTLI},
	    {"br;q=0, gzip", MRL__GZIP},
	    {"br;q=0.000,gzip;q=0.001", MRL__GZIP},
	    {"br; q=0 , gzip; q=0.0", MRL__PLAIN},
	    {"*", MRL__BROTLI},
	    {"*;q=0", MRL__PLAIN},
	    {"*;q=0, gzip", MRL__GZIP},
	    {"br;q=0, *", MRL__GZIP},
	    {"identity", MRL__PLAIN},
	    {"brotli, xgzip, gzip2", MRL__PLAIN},
	    {",,, ,;q=0,gzip", MRL__GZIP},
	    {"gzip;", MRL__GZIP},
	    {"gzip;q", MRL__GZIP},
	    {"gzip;q=", MRL__PLAIN},
	};
	const struct mrl__asset both = {.bodies = {{.data = some}, {.data = some}, {.data = some}}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		enum mrl__coding got = mrl__negotiate_coding(&both, cases[i].accept);

		if (got != cases[i].coding)
			fail_msg("\"%s\" gives %d, not %d", cases[i].accept, (int)got, (int)cases[i].coding);
	}
}

static void a_form_that_is_not_there_is_not_chosen(void **state)
{
	const struct mrl__asset zipped = {.bodies = {{.data = some}, {.data = some}, {.data = NULL}}};
	const struct mrl__asset plain = {.bodies = {{.data = some}, {.data = NULL}, {.data = NULL}}};

	(void)state;
	assert_int_equal(mrl__negotiate_coding(&zipped, "br, gzip"), MRL__GZIP);
	assert_int_equal(mrl__negotiate_coding(&zipped, "br"), MRL__PLAIN);
	assert_int_equal(mrl__negotiate_coding(&plain, "br, gzip, identity;q=0"), MRL__PLAIN);
}

static void a_tag_is_found_in_any_list(void **state)
{
	static const char *const has[] = {"\"abc\"", "W/\"abc\"", "\"x\", \"abc\"", "\"x\",W/\"abc\"  , \"y\"",
					  "*",       " * "};
	static const char *const has_not[] = {"", "abc", "\"abcd\"", "\"ab\"", "\"x\", \"y\"", "W/", ",,,", "\"abc"};

	(void)state;
	for (size_t i = 0; i < sizeof(has) / sizeof(has[0]); i++)
		assert_true(mrl__negotiate_has(has[i], "\"abc\""));
	for (size_t i = 0; i < sizeof(has_not) / sizeof(has_not[0]); i++)
		assert_false(mrl__negotiate_has(has_not[i], "\"abc\""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_strongest_coding_that_is_allowed_is_chosen),
	    cmocka_unit_test(a_form_that_is_not_there_is_not_chosen),
	    cmocka_unit_test(a_tag_is_found_in_any_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
