#include "subject.h"

#include <string.h>

#include <merels/bus.h>
#include <merels/text.h>

static enum mrl_status refuse(struct mrl_error *error, const char *what, const char *subject, const char *why)
{
	struct mrl_text text = mrl_error_open(error, MRL_SYNTAX, 0, 0);

	mrl_text_add(&text, what);
	mrl_text_quote(&text, subject, strlen(subject));
	mrl_text_add(&text, why);
	return MRL_SYNTAX;
}

static bool is_plain(const char *word, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)word[i];

		if (c <= ' ' || c == 0x7f || c == '*' || c == '>')
			return false;
	}
	return length > 0;
}

enum mrl_status subject_check(const char *subject, bool pattern, struct mrl_error *error)
{
	static const char what[] = "the subject ";

	if (strlen(subject) >= MRL_BUS_SUBJECT_SIZE)
		return refuse(error, what, subject, " is longer than 255 bytes");
	for (const char *word = subject;;) {
		size_t length = strcspn(word, ".");
		bool last = word[length] == '\0';
		bool wild = length == 1 && (word[0] == '*' || word[0] == '>');

		if (length == 0)
			return refuse(error, what, subject, " has an empty word; words have one dot between them");
		if (wild && !pattern)
			return refuse(error, what, subject, " has a * or > in it, which only listeners may use");
		if (wild && word[0] == '>' && !last)
			return refuse(error, what, subject, " has a > that is not its last word");
		if (!wild && !is_plain(word, length))
			return refuse(error, what, subject,
				      " has a space, a control character, or a * or > that is no word of its own");
		if (last)
			return MRL_OK;
		word += length + 1;
	}
}

enum mrl_status subject_check_group(const char *group, struct mrl_error *error)
{
	if (group[0] == '\0' ||
	    (is_plain(group, strlen(group)) && strchr(group, '.') == NULL && strlen(group) < MRL_BUS_SUBJECT_SIZE))
		return MRL_OK;
	return refuse(error, "the queue group ", group, " is not one word");
}

bool subject_matches(const char *pattern, const char *subject)
{
	for (;;) {
		size_t wanted = strcspn(pattern, ".");
		size_t length = strcspn(subject, ".");

		if (wanted == 1 && pattern[0] == '>')
			return true;
		if (!(wanted == 1 && pattern[0] == '*') && (wanted != length || memcmp(pattern, subject, length) != 0))
			return false;
		if (pattern[wanted] == '\0' || subject[length] == '\0')
			return pattern[wanted] == subject[length];
		pattern += wanted + 1;
		subject += length + 1;
	}
}
