/* What is written about the protocol is what there is: requests, codes of refusals, kinds of messages and events. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include <merels/play.h>

#include "messages.h"
#include "routes.h"

static char *page;
static json_t *described;

static char *read_file(const char *path)
{
	FILE *file = fopen(path, "rb");

	assert_non_null(file);
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	long size = ftell(file);
	char *text = calloc(1, (size_t)size + 1);

	assert_non_null(text);
	rewind(file);
	assert_int_equal(fread(text, 1, (size_t)size, file), size);
	(void)fclose(file);
	return text;
}

static int start(void **state)
{
	(void)state;
	page = read_file(DOCS "/PROTOCOL.md");
	described = json_load_file(DOCS "/openapi.json", 0, NULL);
	assert_non_null(described);
	return 0;
}

static int stop(void **state)
{
	(void)state;
	free(page);
	json_decref(described);
	return 0;
}

static const json_t *operation(const struct mrl__route *route)
{
	const json_t *path = json_object_get(json_object_get(described, "paths"), route->path);

	return json_object_get(path, (route->flags & MRL__ROUTE_POST) != 0 ? "post" : "get");
}

static void each_request_is_described(void **state)
{
	(void)state;
	for (size_t i = 0; mrl__route(i) != NULL; i++) {
		char line[128];
		const struct mrl__route *route = mrl__route(i);

		if (operation(route) == NULL)
			fail_msg("docs/openapi.json has no %s", route->path);
		(void)snprintf(line, sizeof(line), "%s %s", (route->flags & MRL__ROUTE_POST) != 0 ? "POST" : "GET",
			       route->path);
		if (strstr(page, line) == NULL)
			fail_msg("docs/PROTOCOL.md has no %s", line);
	}
}

static void each_description_is_of_a_request(void **state)
{
	const char *path = NULL;
	json_t *operations = NULL;

	(void)state;
	json_object_foreach(json_object_get(described, "paths"), path, operations)
	{
		const char *method = NULL;
		json_t *ignored = NULL;

		json_object_foreach(operations, method, ignored)
		{
			size_t i = 0;

			while (mrl__route(i) != NULL &&
			       (strcmp(mrl__route(i)->path, path) != 0 || operation(mrl__route(i)) != ignored))
				i++;
			if (mrl__route(i) == NULL)
				fail_msg("there is no %s %s", method, path);
		}
	}
}

static void a_path_is_found_with_what_stands_in_it(void **state)
{
	static const char join[] = "/api/v1/games/7sK2mQw0ZpA/join";
	char parameter[MRL__PARAMETER_SIZE] = "";
	bool other = false;

	(void)state;
	assert_non_null(mrl__route_find(join, sizeof(join) - 1, true, parameter, &other));
	assert_string_equal(parameter, "7sK2mQw0ZpA");
	assert_null(mrl__route_find(join, sizeof(join) - 1, false, parameter, &other));
	assert_true(other);
	assert_null(mrl__route_find(join, sizeof(join) - 2, true, parameter, &other));
	assert_false(other);
	assert_null(mrl__route_find("/api/v1/games//join", 19, true, parameter, &other));
	assert_null(mrl__route_find("/api/v1/games/x/join/", 21, true, parameter, &other));
}

/* A word of the page, as code. */
static bool is_told(const char *word)
{
	char code[64];

	(void)snprintf(code, sizeof(code), "`%s`", word);
	return strstr(page, code) != NULL;
}

static void each_refusal_of_a_game_is_told(void **state)
{
	(void)state;
	for (int code = MRL_CODE_OK + 1; code < MRL_CODES; code++) {
		const char *name = mrl_play_code_name((enum mrl_play_code)code);

		if (!is_told(name))
			fail_msg("docs/PROTOCOL.md does not tell of `%s`", name);
	}
}

static void each_kind_of_event_is_told(void **state)
{
	(void)state;
	for (unsigned kind = 0; kind < MRL_PLAY_KINDS; kind++) {
		if (!is_told(mrl_play_kind_text(kind)))
			fail_msg("docs/PROTOCOL.md does not tell of `%s`", mrl_play_kind_text(kind));
	}
}

static void each_kind_of_message_is_told(void **state)
{
	(void)state;
	for (size_t i = 0; mrl__message_type(i) != NULL; i++) {
		char text[64];

		(void)snprintf(text, sizeof(text), "\"t\":\"%s\"", mrl__message_type(i));
		if (strstr(page, text) == NULL)
			fail_msg("docs/PROTOCOL.md does not tell of %s", text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_request_is_described),
	    cmocka_unit_test(each_description_is_of_a_request),
	    cmocka_unit_test(a_path_is_found_with_what_stands_in_it),
	    cmocka_unit_test(each_refusal_of_a_game_is_told),
	    cmocka_unit_test(each_kind_of_event_is_told),
	    cmocka_unit_test(each_kind_of_message_is_told),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
