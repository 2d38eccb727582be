#include "message.h"

#include <string.h>

static enum mrl_status refuse(struct mrl_error *error, enum mrl_status status, const char *why, struct words what)
{
	struct mrl_text text = mrl_error_open(error, status, 0, 0);

	mrl_text_add(&text, why);
	mrl_text_quote(&text, what.data, what.length);
	return status;
}

bool message_is_name(const char *name, size_t length)
{
	static const char good[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";

	for (size_t i = 0; i < length; i++) {
		if (name[i] == '\0' || strchr(good, name[i]) == NULL)
			return false;
	}
	return length > 0 && length < MRL_WORK_NAME_SIZE;
}

struct words words_line(struct words *rest)
{
	const char *end = rest->length > 0 ? memchr(rest->data, '\n', rest->length) : NULL;
	struct words line = {rest->data, end != NULL ? (size_t)(end - rest->data) : rest->length};
	size_t cut = line.length + (end != NULL);

	*rest = (struct words){rest->data + cut, rest->length - cut};
	return line;
}

struct words words_word(struct words *rest)
{
	const char *end = rest->length > 0 ? memchr(rest->data, ' ', rest->length) : NULL;
	struct words word = {rest->data, end != NULL ? (size_t)(end - rest->data) : rest->length};
	size_t cut = word.length + (end != NULL);

	*rest = (struct words){rest->data + cut, rest->length - cut};
	return word;
}

bool words_are(struct words words, const char *text)
{
	return strlen(text) == words.length && memcmp(words.data, text, words.length) == 0;
}

bool words_number(struct words words, uint64_t most, uint64_t *number)
{
	uint64_t read = 0;

	for (size_t i = 0; i < words.length; i++) {
		unsigned digit = (unsigned char)words.data[i] - (unsigned)'0';

		if (digit > 9 || read > (UINT64_MAX - digit) / 10)
			return false;
		read = read * 10 + digit;
	}
	if (words.length == 0 || read > most)
		return false;
	*number = read;
	return true;
}

static bool is_printable(struct words words)
{
	for (size_t i = 0; i < words.length; i++) {
		if (words.data[i] < ' ' || words.data[i] > '~')
			return false;
	}
	return true;
}

static bool copy_name(char name[MRL_WORK_NAME_SIZE], struct words words)
{
	if (!message_is_name(words.data, words.length))
		return false;
	memcpy(name, words.data, words.length);
	name[words.length] = '\0';
	return true;
}

static enum mrl_status read_head(struct message *message, struct words line, struct mrl_error *error)
{
	struct words rest = line;
	uint64_t version;

	if (!words_are(words_word(&rest), "merels-work") || !words_number(words_word(&rest), UINT32_MAX, &version))
		return refuse(error, MRL_SYNTAX, "it does not begin with merels-work and a version, but with ", line);
	if (version != MRL_WORK_VERSION)
		return refuse(error, MRL_UNSUPPORTED, "it is of another version of Merels: ", line);
	struct words club = words_word(&rest);

	if (!copy_name(message->club, club))
		return refuse(error, MRL_SYNTAX, "it has no club's id: ", club);
	if (rest.length == 0 || rest.length >= sizeof(message->kind) || !message_is_name(rest.data, rest.length))
		return refuse(error, MRL_SYNTAX, "it is of no kind: ", rest);
	memcpy(message->kind, rest.data, rest.length);
	message->kind[rest.length] = '\0';
	return MRL_OK;
}

/* What is unknown is for others. */
static bool read_value(struct message *message, struct words key, struct words value)
{
	uint64_t number = 0;

	if (words_are(key, "from"))
		return copy_name(message->from, value);
	if (words_are(key, "id"))
		return words_number(value, UINT64_MAX, &message->id);
	if (words_are(key, "threads") || words_are(key, "best")) {
		if (!words_number(value, 4096, &number))
			return false;
		*(key.length == 4 ? &message->best : &message->threads) = (unsigned)number;
	}
	if (words_are(key, "tables"))
		message->tables = value;
	if (words_are(key, "why"))
		message->why = value;
	return true;
}

enum mrl_status message_read(struct message *message, const char *text, size_t length, struct mrl_error *error)
{
	struct words rest = {text, length};

	*message = (struct message){0};
	enum mrl_status status = read_head(message, words_line(&rest), error);

	while (status == MRL_OK && rest.length > 0) {
		struct words line = words_line(&rest);
		struct words value = line;

		if (line.length == 0) {
			message->body = rest;
			break;
		}
		struct words key = words_word(&value);

		if (!is_printable(line) || !read_value(message, key, value))
			status = refuse(error, MRL_SYNTAX, "a line of it is wrong: ", line);
	}
	return status;
}

bool message_is(const struct message *message, const char *club, const char *kind)
{
	return strcmp(message->club, club) == 0 && strcmp(message->kind, kind) == 0;
}

void message_text(struct mrl_text *text, const char *key, const char *value)
{
	mrl_text_add(text, key);
	mrl_text_char(text, ' ');
	mrl_text_add(text, value);
	mrl_text_char(text, '\n');
}

void message_number(struct mrl_text *text, const char *key, uint64_t number)
{
	mrl_text_add(text, key);
	mrl_text_char(text, ' ');
	mrl_text_number(text, number);
	mrl_text_char(text, '\n');
}

void message_begin(struct mrl_text *text, const char *club, const char *kind, const char *from)
{
	mrl_text_add(text, "merels-work ");
	mrl_text_number(text, MRL_WORK_VERSION);
	mrl_text_char(text, ' ');
	mrl_text_add(text, club);
	mrl_text_char(text, ' ');
	mrl_text_add(text, kind);
	mrl_text_char(text, '\n');
	message_text(text, "from", from);
}

void work_subject(char subject[MRL_BUS_SUBJECT_SIZE], const char *club, const char *what, const char *more)
{
	struct mrl_text text = mrl_text_in(subject, MRL_BUS_SUBJECT_SIZE);

	mrl_text_add(&text, "merels.");
	mrl_text_add(&text, club);
	mrl_text_add(&text, ".work.");
	mrl_text_add(&text, what);
	if (more != NULL) {
		mrl_text_char(&text, '.');
		mrl_text_add(&text, more);
	}
}
