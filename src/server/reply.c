#include "reply.h"

#include <string.h>

#include "negotiate.h"

/* A name with a hash in it is good for ever; any other must be asked about each time, which an ETag makes cheap. */
static const char caching_forever[] = "public, max-age=31536000, immutable";
static const char caching_ask[] = "no-cache";
static const char caching_never[] = "no-store";

static const char text_type[] = "text/plain; charset=utf-8";

static void say(struct mrl__reply *reply, unsigned status, const char *what)
{
	reply->status = status;
	reply->type = text_type;
	reply->caching = caching_never;
	reply->body = what;
	reply->length = strlen(what);
}

static void give(struct mrl__reply *reply, const struct mrl__asset *asset, const struct mrl__request *request)
{
	enum mrl__coding coding = mrl__negotiate_coding(asset, request->accept_encoding);
	const struct mrl__body *body = &asset->bodies[coding];

	reply->status = 200;
	reply->type = asset->type;
	reply->encoding = mrl__coding_name(coding);
	reply->tag = body->tag;
	reply->caching = asset->hashed ? caching_forever : caching_ask;
	reply->is_part = asset->hashed;
	reply->varies = asset->bodies[MRL__GZIP].data != NULL || asset->bodies[MRL__BROTLI].data != NULL;
	reply->body = body->data;
	reply->length = body->length;
}

static bool is_path(const struct mrl__request *request, const char *path)
{
	return strlen(path) == request->path_length && memcmp(path, request->path, request->path_length) == 0;
}

/* Whether the path is a place inside the web client, which finds its way by itself once its page is there. */
static bool is_place_of_client(const char *path, size_t length)
{
	static const char *const alone[] = {"/play",     "/watch",   "/people", "/archive", "/account",
					    "/settings", "/puzzles", "/learn",  "/analysis"};
	static const char *const below[] = {"/play/", "/g/", "/people/", "/learn/"};

	for (size_t i = 0; i < sizeof(alone) / sizeof(alone[0]); i++) {
		if (strlen(alone[i]) == length && memcmp(alone[i], path, length) == 0)
			return true;
	}
	for (size_t i = 0; i < sizeof(below) / sizeof(below[0]); i++) {
		size_t begin = strlen(below[i]);

		if (length > begin && memcmp(below[i], path, begin) == 0)
			return true;
	}
	return false;
}

/* No page of that name: the client's own words for it, 404.html, where it has some. */
static void not_found(struct mrl__reply *reply, const struct mrl__assets *assets, const struct mrl__request *request)
{
	static const char page[] = "/404.html";
	const struct mrl__asset *asset = mrl__assets_find(assets, page, sizeof(page) - 1);

	if (asset == NULL) {
		say(reply, 404, "There is nothing here.\n");
		return;
	}
	give(reply, asset, request);
	reply->status = 404;
	reply->tag = NULL;
	reply->caching = caching_ask;
}

void mrl__reply(const struct mrl__assets *assets, const struct mrl__request *request, struct mrl__reply *reply)
{
	*reply = (struct mrl__reply){.sends_body = request->method != MRL__HEAD};

	if (request->method == MRL__OTHER_METHOD) {
		say(reply, 405, "Here one can only look: GET and HEAD.\n");
		reply->allow = "GET, HEAD";
		return;
	}
	if (request->has_body) {
		say(reply, 400, "A request to look at something has no body.\n");
		return;
	}
	if (is_path(request, "/healthz")) {
		say(reply, 200, "ok\n");
		return;
	}

	const struct mrl__asset *asset = mrl__assets_find(assets, request->path, request->path_length);

	if (asset == NULL && is_place_of_client(request->path, request->path_length))
		asset = mrl__assets_find(assets, "/", 1);
	if (asset == NULL || request->upgrade) {
		not_found(reply, assets, request);
		return;
	}
	give(reply, asset, request);
	if (mrl__negotiate_has(request->if_none_match, reply->tag)) {
		reply->status = 304;
		reply->type = NULL;
		reply->encoding = NULL;
		reply->sends_body = false;
	}
}
