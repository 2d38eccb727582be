/* The settings of the server, and what is said of wrong ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <merels/server.h>

static struct mrl_server_settings settings;
static struct mrl_error error;

static int begin(void **state)
{
	(void)state;
	mrl_server_defaults(&settings);
	memset(&error, 0, sizeof(error));
	return 0;
}

static enum mrl_status read_text(const char *text)
{
	return mrl_server_read_settings(&settings, text, strlen(text), &error);
}

static void a_server_that_is_told_nothing_listens_to_this_machine_only(void **state)
{
	(void)state;
	assert_string_equal(settings.listen, "127.0.0.1:8080");
	assert_string_equal(settings.web, "");
	assert_int_equal(settings.log_level, 2);
	assert_false(settings.log_json);
}

static void a_file_is_read_line_by_line(void **state)
{
	(void)state;
	assert_int_equal(read_text("# Merels\r\n\n  listen=[::1]:80 \r\n\tweb =  /srv/my web\nlog-level = error\n"
				   "log-format = json\nlog-format = text"),
			 MRL_OK);
	assert_string_equal(settings.listen, "[::1]:80");
	assert_string_equal(settings.web, "/srv/my web");
	assert_int_equal(settings.log_level, 0);
	assert_false(settings.log_json);
	assert_int_equal(read_text(""), MRL_OK);
}

static void a_wrong_line_is_named(void **state)
{
	static const struct {
		const char *text;
		enum mrl_status status;
		size_t line;
		const char *said;
	} cases[] = {
	    {"colour = blue\n", MRL_NAME, 1,
	     "\"colour\"; there are listen, data, store, bus, bus-credentials, bus-certificates, node, web, "
	     "tls-cert, "},
	    {"\n\n# x\nlisten\n", MRL_SYNTAX, 4, "key = value"},
	    {"listen = here", MRL_SYNTAX, 1, "127.0.0.1:8080"},
	    {"web =\n", MRL_SYNTAX, 1, "web is empty"},
	    {"log-level = 3\n", MRL_SYNTAX, 1, "error warning info debug"},
	    {"log-format = xml\n", MRL_SYNTAX, 1, "text json"},
	    {"engine-threads = many\n", MRL_SYNTAX, 1, "a whole number from 0 to 256"},
	    {"engine-threads = 257\n", MRL_SYNTAX, 1, "a whole number from 0 to 256"},
	    {"request-seconds = 0\n", MRL_SYNTAX, 1, "from 1 to 3600"},
	    {"trust-proxy = 10.0.0.0/33\n", MRL_SYNTAX, 1, "addresses and networks"},
	    {"= x\n", MRL_NAME, 1, "nothing"},
	    {"a-key-that-is-longer-than-any-key-there-is = x", MRL_SYNTAX, 1, "too long"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(read_text(cases[i].text), cases[i].status);
		assert_int_equal(error.line, cases[i].line);
		if (strstr(error.message, cases[i].said) == NULL)
			fail_msg("%s: %s", cases[i].text, error.message);
	}
	assert_string_equal(settings.listen, "127.0.0.1:8080");
	assert_int_equal(mrl_server_read_settings(&settings, "web = a\0b\n", 10, &error), MRL_SYNTAX);
	assert_non_null(strstr(error.message, "NUL"));
}

static void a_value_has_a_longest_length(void **state)
{
	char value[MRL_SERVER_TEXT_SIZE + 1];

	(void)state;
	memset(value, 'x', sizeof(value));
	value[MRL_SERVER_TEXT_SIZE] = '\0';
	assert_int_equal(mrl_server_set(&settings, "web", value, &error), MRL_SYNTAX);
	assert_non_null(strstr(error.message, "too long"));
	value[MRL_SERVER_TEXT_SIZE - 1] = '\0';
	assert_int_equal(mrl_server_set(&settings, "web", value, &error), MRL_OK);
	assert_string_equal(settings.web, value);
}

static void the_environment_counts_and_is_named(void **state)
{
	(void)state;
	assert_int_equal(setenv("MERELS_LISTEN", "0", 1), 0);
	assert_int_equal(mrl_server_read_environment(&settings, &error), MRL_OK);
	assert_string_equal(settings.listen, "0");
	assert_int_equal(setenv("MERELS_LOG_FORMAT", "yaml", 1), 0);
	assert_int_equal(mrl_server_read_environment(&settings, &error), MRL_SYNTAX);
	assert_non_null(strstr(error.message, "MERELS_LOG_FORMAT: log-format cannot be \"yaml\""));
	assert_int_equal(unsetenv("MERELS_LOG_FORMAT"), 0);
	assert_int_equal(unsetenv("MERELS_LISTEN"), 0);
}

static void each_setting_can_be_set_by_its_name(void **state)
{
	size_t count = 0;

	(void)state;
	for (; mrl_server_setting(count) != NULL; count++) {
		const struct mrl_server_setting *setting = mrl_server_setting(count);

		assert_int_equal(strncmp(setting->environment, "MERELS_", 7), 0);
		/* A file may be called anything, and a database. */
		bool file = strcmp(setting->argument, "FILE") == 0 || strcmp(setting->argument, "FOLDER") == 0 ||
			    strcmp(setting->argument, "DATABASE") == 0;

		assert_int_equal(mrl_server_set(&settings, setting->key, "\n", &error), file ? MRL_OK : MRL_SYNTAX);
	}
	assert_int_equal(count, 19);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(a_server_that_is_told_nothing_listens_to_this_machine_only, begin),
	    cmocka_unit_test_setup(a_file_is_read_line_by_line, begin),
	    cmocka_unit_test_setup(a_wrong_line_is_named, begin),
	    cmocka_unit_test_setup(a_value_has_a_longest_length, begin),
	    cmocka_unit_test_setup(the_environment_counts_and_is_named, begin),
	    cmocka_unit_test_setup(each_setting_can_be_set_by_its_name, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
