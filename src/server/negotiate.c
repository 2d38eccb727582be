#include "negotiate.h"

#include <string.h>

const char *mrl__coding_name(enum mrl__coding coding)
{
	switch (coding) {
	case MRL__GZIP:
		return "gzip";
	case MRL__BROTLI:
		return "br";
	default:
		return NULL;
	}
}

static char small(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool same_word(const char *from, size_t length, const char *word)
{
	if (strlen(word) != length)
		return false;
	for (size_t i = 0; i < length; i++) {
		if (small(from[i]) != word[i])
			return false;
	}
	return true;
}

/* True when the parameters of a list element hold a weight of 0: "q=0", "q=0.000". */
static bool weighs_nothing(const char *from, size_t length)
{
	for (size_t i = 0; i + 1 < length; i++) {
		if (small(from[i]) != 'q' || from[i + 1] != '=')
			continue;
		for (i += 2; i < length && (from[i] == '0' || from[i] == '.'); i++)
			;
		return i == length || from[i] == ' ' || from[i] == '\t' || from[i] == ';';
	}
	return false;
}

/* Whether the header allows the coding of this name, or says nothing of it (then `*` decides). */
static bool allows(const char *accept, const char *coding)
{
	bool any = false;

	for (const char *at = accept; *at != '\0';) {
		at += strspn(at, " \t,");
		size_t length = strcspn(at, ",");
		size_t name = strcspn(at, ",; \t");
		bool good = !weighs_nothing(at + name, length - name);

		if (same_word(at, name, coding))
			return good;
		if (same_word(at, name, "*"))
			any = good;
		at += length;
	}
	return any;
}

enum mrl__coding mrl__negotiate_coding(const struct mrl__asset *asset, const char *accept)
{
	static const enum mrl__coding best_first[] = {MRL__BROTLI, MRL__GZIP};

	for (size_t i = 0; i < sizeof(best_first) / sizeof(best_first[0]); i++) {
		enum mrl__coding coding = best_first[i];

		if (asset->bodies[coding].data != NULL && allows(accept, mrl__coding_name(coding)))
			return coding;
	}
	return MRL__PLAIN;
}

bool mrl__negotiate_has(const char *if_none_match, const char *tag)
{
	size_t tag_length = strlen(tag);

	for (const char *at = if_none_match; *at != '\0';) {
		at += strspn(at, " \t,");
		if (*at == '*')
			return true;
		if (at[0] == 'W' && at[1] == '/')
			at += 2;
		size_t length = strcspn(at, ",");
		size_t word = strcspn(at, ", \t");

		if (word == tag_length && memcmp(at, tag, word) == 0)
			return true;
		at += length;
	}
	return false;
}
