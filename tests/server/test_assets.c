/* The files of the web client: what is loaded, under which names it is found, what it is taken for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "assets.h"
#include "folder.h"
#include "media.h"

static const struct mrl__asset *find(const struct mrl__assets *assets, const char *path)
{
	return mrl__assets_find(assets, path, strlen(path));
}

static void compressed_forms_belong_to_the_file_beside_them(void **state)
{
	char folder[FOLDER_SIZE];
	struct mrl__assets assets;

	(void)state;
	folder_make(folder);
	folder_put_text(folder, "index.html", "plain");
	folder_put_text(folder, "index.html.gz", "gzip");
	folder_put_text(folder, "a/b/deep.js", "deep");
	folder_put_text(folder, "a/b/deep.js.br", "brotli");
	folder_put_text(folder, "lonely.tar.gz", "of its own");
	folder_put_text(folder, "odd.js", "1");
	folder_put_text(folder, "odd.js.br", "2");
	folder_put_text(folder, "odd.js.br.gz", "3");
	assert_int_equal(mrl__assets_load(&assets, folder, NULL), MRL_OK);
	assert_int_equal(assets.count, 5);

	const struct mrl__asset *page = find(&assets, "/");

	assert_non_null(page);
	assert_ptr_equal(page, find(&assets, "/index.html"));
	assert_int_equal(page->bodies[MRL__GZIP].length, 4);
	assert_null(page->bodies[MRL__BROTLI].data);
	assert_string_not_equal(page->bodies[MRL__GZIP].tag, page->bodies[MRL__PLAIN].tag);
	assert_null(find(&assets, "/index.html.gz"));
	assert_non_null(find(&assets, "/a/b/deep.js")->bodies[MRL__BROTLI].data);
	assert_non_null(find(&assets, "/lonely.tar.gz"));
	assert_non_null(find(&assets, "/odd.js")->bodies[MRL__BROTLI].data);
	mrl__assets_release(&assets);
	folder_remove(folder);
}

static void hidden_files_and_links_are_not_loaded(void **state)
{
	char folder[FOLDER_SIZE];
	char link[FOLDER_SIZE + 16];
	struct mrl__assets assets;

	(void)state;
	folder_make(folder);
	folder_put_text(folder, "index.html", "page");
	folder_put_text(folder, ".hidden", "x");
	folder_put_text(folder, ".git/config", "x");
	(void)snprintf(link, sizeof(link), "%s/passwd", folder);
	assert_int_equal(symlink("/etc/passwd", link), 0);
	(void)snprintf(link, sizeof(link), "%s/loop", folder);
	assert_int_equal(symlink(".", link), 0);
	assert_int_equal(mrl__assets_load(&assets, folder, NULL), MRL_OK);
	assert_int_equal(assets.count, 1);
	mrl__assets_release(&assets);
	folder_remove(folder);
}

static void a_folder_without_a_page_is_refused(void **state)
{
	char folder[FOLDER_SIZE];
	struct mrl__assets assets;
	struct mrl_error error;

	(void)state;
	folder_make(folder);
	assert_int_equal(mrl__assets_load(&assets, folder, &error), MRL_SYSTEM);
	assert_non_null(strstr(error.message, "index.html"));
	folder_put_text(folder, "about.html", "page");
	assert_int_equal(mrl__assets_load(&assets, folder, &error), MRL_SYSTEM);
	folder_remove(folder);
	assert_int_equal(mrl__assets_load(&assets, folder, &error), MRL_SYSTEM);
	assert_non_null(strstr(error.message, "No such file"));
}

static void no_odd_path_finds_anything(void **state)
{
	static const char *const paths[] = {"",   "index.html", "//index.html", "/index.html/", "/./index.html",
					    "/a", "/a/"};
	char folder[FOLDER_SIZE];
	char longest[5000];
	struct mrl__assets assets;

	(void)state;
	folder_make(folder);
	folder_put_text(folder, "index.html", "page");
	folder_put_text(folder, "a/file.js", "x");
	assert_int_equal(mrl__assets_load(&assets, folder, NULL), MRL_OK);
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		assert_null(find(&assets, paths[i]));
	assert_null(mrl__assets_find(&assets, "/index.html\0x", 13));
	for (size_t length = 2; length <= sizeof(longest); length++) {
		memset(longest, 'x', length);
		longest[0] = '/';
		assert_null(mrl__assets_find(&assets, longest, length));
		longest[length - 1] = '/';
		assert_null(mrl__assets_find(&assets, longest, length));
	}
	mrl__assets_release(&assets);
	folder_remove(folder);
}

static void a_hash_in_a_name_is_told_from_a_word(void **state)
{
	static const char *const hashed[] = {"app-X3K7QW2B.js", "assets/main-0123456789.css", "a/b/core.DEADBEEF.wasm",
					     "x-abcdef12.js"};
	static const char *const words[] = {
	    "app.js",      "board-geometry.js", "index.html", "app-1234567.js", "assets-X3K7QW2B/a.js",
	    "X3K7QW2B.js", "service-worker.js", "x-abcdef12"};

	(void)state;
	for (size_t i = 0; i < sizeof(hashed) / sizeof(hashed[0]); i++)
		assert_true(mrl__media_is_hashed(hashed[i]));
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		assert_false(mrl__media_is_hashed(words[i]));
}

static void an_unknown_ending_is_just_bytes(void **state)
{
	(void)state;
	assert_string_equal(mrl__media_type("a.b/c"), "application/octet-stream");
	assert_string_equal(mrl__media_type("a.htm"), "application/octet-stream");
	assert_string_equal(mrl__media_type("html"), "application/octet-stream");
	assert_string_equal(mrl__media_type("icon.svg"), "image/svg+xml");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(compressed_forms_belong_to_the_file_beside_them),
	    cmocka_unit_test(hidden_files_and_links_are_not_loaded),
	    cmocka_unit_test(a_folder_without_a_page_is_refused),
	    cmocka_unit_test(no_odd_path_finds_anything),
	    cmocka_unit_test(a_hash_in_a_name_is_told_from_a_word),
	    cmocka_unit_test(an_unknown_ending_is_just_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
