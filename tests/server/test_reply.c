/* What is answered to which request. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "folder.h"
#include "reply.h"

static char folder[FOLDER_SIZE];
static struct mrl__assets assets;

static int load(void **state)
{
	(void)state;
	folder_make(folder);
	folder_put_text(folder, "index.html", "page");
	folder_put_text(folder, "healthz", "a file of that name");
	return mrl__assets_load(&assets, folder, NULL) == MRL_OK ? 0 : -1;
}

static int release(void **state)
{
	(void)state;
	mrl__assets_release(&assets);
	folder_remove(folder);
	return 0;
}

static struct mrl__request request_for(enum mrl__method method, const char *path)
{
	return (struct mrl__request){
	    .method = method, .path = path, .path_length = strlen(path), .accept_encoding = "", .if_none_match = ""};
}

static void health_is_the_servers_own_word(void **state)
{
	struct mrl__request request = request_for(MRL__GET, "/healthz");
	struct mrl__reply reply;

	(void)state;
	mrl__reply(&assets, &request, &reply);
	assert_int_equal(reply.status, 200);
	assert_string_equal(reply.body, "ok\n");
	assert_string_equal(reply.caching, "no-store");
}

static void a_method_is_refused_before_a_path_is_looked_for(void **state)
{
	static const char *const paths[] = {"/", "/nothing", "/healthz"};

	(void)state;
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		struct mrl__request request = request_for(MRL__OTHER_METHOD, paths[i]);
		struct mrl__reply reply;

		mrl__reply(&assets, &request, &reply);
		assert_int_equal(reply.status, 405);
		assert_string_equal(reply.allow, "GET, HEAD");
	}
}

static void head_is_get_without_the_body(void **state)
{
	static const char *const paths[] = {"/", "/nothing", "/healthz"};

	(void)state;
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		struct mrl__request get = request_for(MRL__GET, paths[i]);
		struct mrl__request head = request_for(MRL__HEAD, paths[i]);
		struct mrl__reply to_get;
		struct mrl__reply to_head;

		mrl__reply(&assets, &get, &to_get);
		mrl__reply(&assets, &head, &to_head);
		assert_true(to_get.sends_body);
		assert_false(to_head.sends_body);
		assert_int_equal(to_get.status, to_head.status);
		assert_int_equal(to_get.length, to_head.length);
		assert_string_equal(to_get.type, to_head.type);
	}
}

static void any_tag_matches_a_star_but_none_makes_a_missing_page(void **state)
{
	struct mrl__request request = request_for(MRL__GET, "/");
	struct mrl__reply reply;

	(void)state;
	request.if_none_match = "*";
	mrl__reply(&assets, &request, &reply);
	assert_int_equal(reply.status, 304);
	assert_false(reply.sends_body);
	request = request_for(MRL__GET, "/nothing");
	request.if_none_match = "*";
	mrl__reply(&assets, &request, &reply);
	assert_int_equal(reply.status, 404);
}

static void there_is_no_socket_to_upgrade_to(void **state)
{
	struct mrl__request request = request_for(MRL__GET, "/");
	struct mrl__reply reply;

	(void)state;
	request.upgrade = true;
	mrl__reply(&assets, &request, &reply);
	assert_int_equal(reply.status, 404);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(health_is_the_servers_own_word),
	    cmocka_unit_test(a_method_is_refused_before_a_path_is_looked_for),
	    cmocka_unit_test(head_is_get_without_the_body),
	    cmocka_unit_test(any_tag_matches_a_star_but_none_makes_a_missing_page),
	    cmocka_unit_test(there_is_no_socket_to_upgrade_to),
	};

	return cmocka_run_group_tests(tests, load, release);
}
