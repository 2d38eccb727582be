#include "assets.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <merels/text.h>
#include <os/file.h>
#include <os/folder.h>

#include "media.h"

enum { LONGEST_NAME = 1023 };

#define MOST_BYTES ((size_t)256 << 20)

static const char *const endings[MRL__CODINGS] = {"", ".gz", ".br"};

static enum mrl_status refuse(struct mrl_error *error, const char *name, const char *why)
{
	struct mrl_text text = mrl_error_open(error, MRL_SYSTEM, 0, 0);

	mrl_text_add(&text, name);
	mrl_text_add(&text, ": ");
	mrl_text_add(&text, why);
	return MRL_SYSTEM;
}

/* FNV-1a, 64 bits: tells versions of a file apart, which is all a tag is for. */
static void make_tag(struct mrl__body *body)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < body->length; i++)
		hash = (hash ^ (unsigned char)body->data[i]) * UINT64_C(0x100000001b3);
	(void)snprintf(body->tag, sizeof(body->tag), "\"%016llx\"", (unsigned long long)hash);
}

/* ---- Loading ------------------------------------------------------------------------------------------------ */

static bool grow(struct mrl__assets *assets)
{
	if (assets->count < assets->size)
		return true;
	size_t larger = assets->size == 0 ? 64 : 2 * assets->size;
	struct mrl__asset *moved = realloc(assets->items, larger * sizeof(*moved));

	if (moved == NULL)
		return false;
	assets->items = moved;
	assets->size = larger;
	return true;
}

static enum mrl_status take_file(void *user, const char *path, const char *name, struct mrl_error *error)
{
	struct mrl__assets *assets = user;
	struct mrl__asset asset = {.type = mrl__media_type(name), .hashed = mrl__media_is_hashed(name)};
	struct mrl__body *body = &asset.bodies[MRL__PLAIN];
	struct mrl_error why;

	if (strlen(name) > LONGEST_NAME)
		return refuse(error, path, "the name is too long");
	if (mrl_file_read(path, MOST_BYTES - assets->bytes, &body->data, &body->length, &why) != MRL_OK)
		return refuse(error, path, why.message);
	make_tag(body);
	asset.name = malloc(strlen(name) + 1);
	if (asset.name == NULL || !grow(assets)) {
		free(asset.name);
		free(body->data);
		return refuse(error, path, "there is not enough memory");
	}
	memcpy(asset.name, name, strlen(name) + 1);
	assets->items[assets->count++] = asset;
	assets->bytes += body->length;
	return MRL_OK;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct mrl__asset *)a)->name, ((const struct mrl__asset *)b)->name);
}

static struct mrl__asset *find_name(const struct mrl__assets *assets, const char *name)
{
	/* Only read through; bsearch() wants an element to compare with. */
	char held[LONGEST_NAME + 1];
	struct mrl__asset key = {.name = held};
	size_t length = strlen(name);

	if (length > LONGEST_NAME || assets->count == 0)
		return NULL;
	memcpy(held, name, length + 1);
	return bsearch(&key, assets->items, assets->count, sizeof(key), by_name);
}

/* The file that `name` is a compressed form of, and in which coding; NULL when it is a file of its own. */
static struct mrl__asset *plain_of(const struct mrl__assets *assets, const char *name, enum mrl__coding *coding)
{
	size_t length = strlen(name);

	for (enum mrl__coding c = MRL__GZIP; c < MRL__CODINGS; c++) {
		char plain[LONGEST_NAME + 1];
		size_t ending = strlen(endings[c]);

		if (length <= ending || strcmp(name + length - ending, endings[c]) != 0)
			continue;
		memcpy(plain, name, length - ending);
		plain[length - ending] = '\0';
		*coding = c;
		return find_name(assets, plain);
	}
	return NULL;
}

/* Moves each compressed form to the file it belongs to. */
static void fold(struct mrl__assets *assets)
{
	size_t kept = 0;

	for (size_t i = 0; i < assets->count; i++) {
		enum mrl__coding coding = MRL__PLAIN;
		struct mrl__asset *plain = plain_of(assets, assets->items[i].name, &coding);

		/* One that has itself gone elsewhere takes nothing in. */
		if (plain == NULL || plain->bodies[MRL__PLAIN].data == NULL)
			continue;
		plain->bodies[coding] = assets->items[i].bodies[MRL__PLAIN];
		assets->items[i].bodies[MRL__PLAIN].data = NULL;
	}
	for (size_t i = 0; i < assets->count; i++) {
		if (assets->items[i].bodies[MRL__PLAIN].data != NULL)
			assets->items[kept++] = assets->items[i];
		else
			free(assets->items[i].name);
	}
	assets->count = kept;
}

enum mrl_status mrl__assets_load(struct mrl__assets *assets, const char *folder, struct mrl_error *error)
{
	enum mrl_status status;

	*assets = (struct mrl__assets){0};
	/* Asked first, so that a wrong folder is not read whole before it is found to be one. */
	if (mrl_folder_exists(folder) && !mrl_folder_has(folder, "index.html"))
		return refuse(error, folder, "there is no index.html in it, so it is no web client");
	status = mrl_folder_walk(folder, take_file, assets, error);

	if (status == MRL_OK && assets->count > 0) {
		qsort(assets->items, assets->count, sizeof(*assets->items), by_name);
		fold(assets);
	}
	if (status != MRL_OK)
		mrl__assets_release(assets);
	return status;
}

void mrl__assets_release(struct mrl__assets *assets)
{
	for (size_t i = 0; i < assets->count; i++) {
		free(assets->items[i].name);
		for (size_t c = 0; c < MRL__CODINGS; c++)
			free(assets->items[i].bodies[c].data);
	}
	free(assets->items);
	*assets = (struct mrl__assets){0};
}

/* ---- Finding ------------------------------------------------------------------------------------------------ */

const struct mrl__asset *mrl__assets_find(const struct mrl__assets *assets, const char *path, size_t length)
{
	static const char index[] = "index.html";
	char name[LONGEST_NAME + sizeof(index)];

	if (length == 0 || path[0] != '/' || length - 1 > LONGEST_NAME || memchr(path, '\0', length) != NULL)
		return NULL;
	memcpy(name, path + 1, length - 1);
	name[length - 1] = '\0';
	if (path[length - 1] == '/')
		memcpy(name + length - 1, index, sizeof(index));
	return find_name(assets, name);
}

/* ---- Files that are replaced -------------------------------------------------------------------------------- */

enum mrl_status mrl__web_load(struct mrl__web **web, const char *folder, struct mrl_error *error)
{
	struct mrl__web *made = calloc(1, sizeof(*made));
	enum mrl_status status = MRL_SPACE;

	if (made == NULL) {
		struct mrl_text text = mrl_error_open(error, MRL_SPACE, 0, 0);

		mrl_text_add(&text, "there is not enough memory");
		return status;
	}
	status = mrl__assets_load(&made->assets, folder, error);
	if (status != MRL_OK) {
		free(made);
		return status;
	}
	made->references = 1;
	*web = made;
	return MRL_OK;
}

void mrl__web_hold(struct mrl__web *web)
{
	web->references++;
}

void mrl__web_drop(struct mrl__web *web)
{
	if (web == NULL || --web->references > 0)
		return;
	mrl__assets_release(&web->assets);
	free(web);
}
