#include "media.h"

#include <stddef.h>
#include <string.h>

static const struct {
	const char *ending;
	const char *type;
} types[] = {
    {"css", "text/css; charset=utf-8"},
    {"html", "text/html; charset=utf-8"},
    {"ico", "image/x-icon"},
    {"jpg", "image/jpeg"},
    {"js", "text/javascript; charset=utf-8"},
    {"json", "application/json"},
    {"map", "application/json"},
    {"mjs", "text/javascript; charset=utf-8"},
    {"mp3", "audio/mpeg"},
    {"ogg", "audio/ogg"},
    {"png", "image/png"},
    {"svg", "image/svg+xml"},
    {"txt", "text/plain; charset=utf-8"},
    {"wasm", "application/wasm"},
    {"webmanifest", "application/manifest+json"},
    {"webp", "image/webp"},
    {"woff2", "font/woff2"},
    {"xml", "application/xml"},
};

static const char *last_part(const char *name)
{
	const char *slash = strrchr(name, '/');

	return slash != NULL ? slash + 1 : name;
}

const char *mrl__media_type(const char *name)
{
	const char *dot = strrchr(last_part(name), '.');

	for (size_t i = 0; dot != NULL && i < sizeof(types) / sizeof(types[0]); i++) {
		if (strcmp(dot + 1, types[i].ending) == 0)
			return types[i].type;
	}
	return "application/octet-stream";
}

/* True for letters and digits that look like a hash rather than like a word. */
static bool looks_hashed(const char *from, size_t length)
{
	bool digit = false;
	bool small = false;

	for (size_t i = 0; i < length; i++) {
		char c = from[i];

		if (c >= '0' && c <= '9')
			digit = true;
		else if (c >= 'a' && c <= 'z')
			small = true;
		else if (c < 'A' || c > 'Z')
			return false;
	}
	return length >= 8 && (digit || !small);
}

bool mrl__media_is_hashed(const char *name)
{
	const char *part = last_part(name);
	const char *ending = strrchr(part, '.');
	const char *start = NULL;

	if (ending == NULL)
		return false;
	for (const char *at = part; at < ending; at++) {
		if (*at == '-' || *at == '.')
			start = at + 1;
	}
	return start != NULL && looks_hashed(start, (size_t)(ending - start));
}
