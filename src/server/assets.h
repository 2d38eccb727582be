/*
 * The files of the web client, in memory: what is served is what was there when they were loaded, whatever happens to
 * the folder. For each file the forms it may be sent in: as it is, and compressed where the build left NAME.gz or
 * NAME.br beside it. After loading nothing changes, so any thread may look things up.
 */
#ifndef MERELS_SERVER_ASSETS_H
#define MERELS_SERVER_ASSETS_H

#include <stdbool.h>
#include <stddef.h>

#include <merels/status.h>

enum mrl__coding { MRL__PLAIN, MRL__GZIP, MRL__BROTLI, MRL__CODINGS };

struct mrl__body {
	char *data; /* owned; NULL: this form is not there */
	size_t length;
	char tag[24]; /* the ETag, with its quotes; told from the bytes, so equal bytes have equal tags */
};

struct mrl__asset {
	char *name;       /* owned; below the folder: "assets/app-X3K7QW2B.js" */
	const char *type; /* Content-Type */
	bool hashed;      /* the name holds a hash of the content: never changes */
	struct mrl__body bodies[MRL__CODINGS];
};

struct mrl__assets {
	struct mrl__asset *items; /* owned; in order of their names */
	size_t count;
	size_t size; /* places in items */
	size_t bytes;
};

/*
 * Loads a folder. MRL_SYSTEM when it or a file in it cannot be read, when it is too large to be a web client (more
 * than 256 MiB), or has no index.html; nothing is held then. `error` (may be NULL) says what was wrong.
 */
MRL_MUST_USE enum mrl_status mrl__assets_load(struct mrl__assets *assets, const char *folder, struct mrl_error *error);

void mrl__assets_release(struct mrl__assets *assets);

/*
 * The file that answers for the path of a URL, decoded and without the query: "/assets/app.js", "/" (index.html). NULL
 * when there is none. Only names that were loaded are compared with, so no path leads anywhere else.
 */
const struct mrl__asset *mrl__assets_find(const struct mrl__assets *assets, const char *path, size_t length);

/* Files that replies may be on their way from while others have taken their place. On one thread. */
struct mrl__web {
	struct mrl__assets assets;
	unsigned references;
};

/* Loads a folder, as above; the caller's is the first reference. */
MRL_MUST_USE enum mrl_status mrl__web_load(struct mrl__web **web, const char *folder, struct mrl_error *error);

void mrl__web_hold(struct mrl__web *web);
void mrl__web_drop(struct mrl__web *web); /* NULL is allowed */

#endif
