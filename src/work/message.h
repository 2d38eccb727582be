/*
 * The messages of giving and taking work, as lines of text. The first is "merels-work VERSION CLUB KIND", each other
 * one a word, a space, and a value of printable ASCII. They are read from anybody: nothing of them is believed.
 */
#ifndef MERELS_WORK_MESSAGE_H
#define MERELS_WORK_MESSAGE_H

#include <merels/text.h>
#include <merels/work.h>

struct words {
	const char *data;
	size_t length;
};

/* What there is of a message, after it was found good. What is not there is empty or 0. */
struct message {
	char club[MRL_WORK_NAME_SIZE];
	char kind[16];
	char from[MRL_WORK_NAME_SIZE]; /* the sender */
	uint64_t id;
	unsigned threads;
	unsigned best;
	struct words tables; /* names, spaces between them */
	struct words why;
	struct words body; /* behind an empty line: a job, or an outcome */
};

/* MRL_SYNTAX for what is no message of ours, MRL_UNSUPPORTED for one of another version; with a sentence. */
enum mrl_status message_read(struct message *message, const char *text, size_t length, struct mrl_error *error);

/* Whether a message, which was found good, is of this club and kind. */
bool message_is(const struct message *message, const char *club, const char *kind);

/* Begins one: the first line, and who sends it. */
void message_begin(struct mrl_text *text, const char *club, const char *kind, const char *from);
void message_number(struct mrl_text *text, const char *key, uint64_t number);
void message_text(struct mrl_text *text, const char *key, const char *value);

/* A word that may be part of a subject: letters, digits, - and _, less than MRL_WORK_NAME_SIZE of them. */
bool message_is_name(const char *name, size_t length);

/* Cuts the first line off, without its end. */
struct words words_line(struct words *rest);

/* Cuts the first word off; "" at the end. */
struct words words_word(struct words *rest);
bool words_are(struct words words, const char *text);

/* A number that is the whole of it, at most `most`; false when it is none. */
bool words_number(struct words words, uint64_t most, uint64_t *number);

/* "merels.CLUB.work.WHAT" with up to one more word, NULL: none. */
void work_subject(char subject[MRL_BUS_SUBJECT_SIZE], const char *club, const char *what, const char *more);

#endif
