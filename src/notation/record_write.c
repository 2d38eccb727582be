/* Writes records in their canonical form. */
#include <merels/builtins.h>
#include <merels/notation.h>
#include <merels/text.h>

#include "record_internal.h"

#define LINE_BYTES 80

/* Text that is broken into lines between words. */
struct writer {
	struct mrl_text text;
	size_t column; /* bytes in the line so far */
	bool glued;    /* the next word belongs to what stands there */
};

/* ---- Words -------------------------------------------------------------------------------------------------- */

/* Goes to the place of the next word, which has `length` bytes: behind a space, or on a new line. */
static void begin_word(struct writer *out, size_t length)
{
	size_t space = out->column > 0 && !out->glued;

	if (out->column > 0 && out->column + space + length > LINE_BYTES) {
		mrl_text_char(&out->text, '\n');
		out->column = 0;
	} else if (space) {
		mrl_text_char(&out->text, ' ');
		out->column++;
	}
	out->glued = false;
	out->column += length;
}

static size_t string_length(const char *string)
{
	size_t length = 0;

	while (string[length] != '\0')
		length++;
	return length;
}

static void put_word(struct writer *out, const char *word)
{
	begin_word(out, string_length(word));
	mrl_text_add(&out->text, word);
}

static void put_number(struct writer *out, char before, size_t number, const char *after)
{
	char buffer[32];
	struct mrl_text text = mrl_text_in(buffer, sizeof buffer);

	if (before != '\0')
		mrl_text_char(&text, before);
	mrl_text_number(&text, number);
	mrl_text_add(&text, after);
	put_word(out, buffer);
}

static void open_variation(struct writer *out)
{
	put_word(out, "(");
	out->glued = true;
}

static void close_variation(struct writer *out)
{
	out->glued = true;
	put_word(out, ")");
}

/* ---- Comments ----------------------------------------------------------------------------------------------- */

/* A comment is put together from words; the first brings the opening brace, the last the closing one. */
struct comment {
	struct writer *out;
	bool open;
};

static void put_comment_word(struct comment *comment, const char *before, const char *word, size_t length,
			     const char *after, bool last)
{
	struct writer *out = comment->out;

	begin_word(out, string_length(before) + length + string_length(after) + !comment->open + last);
	if (!comment->open)
		mrl_text_char(&out->text, '{');
	comment->open = true;
	mrl_text_add(&out->text, before);
	mrl_text_bytes(&out->text, word, length);
	mrl_text_add(&out->text, after);
	if (last)
		mrl_text_char(&out->text, '}');
}

/* Puts the text that ends a comment. */
static void put_comment_text(struct comment *comment, const char *text)
{
	while (*text != '\0') {
		size_t length = 0;

		while (text[length] != '\0' && text[length] != ' ')
			length++;
		put_comment_word(comment, "", text, length, "", text[length] == '\0');
		text += length + (text[length] == ' ');
	}
}

static bool put_comments(struct writer *out, const struct mrl_record_comment *list)
{
	for (const struct mrl_record_comment *c = list; c != NULL; c = c->next)
		put_comment_text(&(struct comment){out, false}, c->text);
	return list != NULL;
}

static void add_two_digits(struct mrl_text *text, uint64_t number)
{
	mrl_text_char(text, ':');
	mrl_text_char(text, (char)('0' + number / 10));
	mrl_text_char(text, (char)('0' + number % 10));
}

/* `[%clk h:mm:ss]`, with the fraction that it needs. It is one word: no line is broken in it. */
static void put_clock(struct comment *comment, uint64_t clock, bool last)
{
	char buffer[48];
	struct mrl_text text = mrl_text_in(buffer, sizeof buffer);
	uint64_t thousandths = clock % 1000;

	mrl_text_number(&text, clock / 3600000);
	add_two_digits(&text, clock / 60000 % 60);
	add_two_digits(&text, clock / 1000 % 60);
	if (thousandths > 0) {
		mrl_text_char(&text, '.');
		for (uint64_t unit = 100; thousandths > 0; unit /= 10) {
			mrl_text_char(&text, (char)('0' + thousandths / unit));
			thousandths %= unit;
		}
	}
	put_comment_word(comment, "[%clk ", buffer, text.length, "]", last);
}

/* Clock and evaluation go into the first comment behind the turn, before its text. */
static bool put_after(struct writer *out, const struct mrl_record_turn *turn)
{
	const struct mrl_record_comment *first = turn->after;
	struct comment comment = {out, false};

	if (turn->clock != MRL_NO_CLOCK)
		put_clock(&comment, turn->clock, turn->evaluation == NULL && first == NULL);
	if (turn->evaluation != NULL)
		put_comment_word(&comment, "[%eval ", turn->evaluation, string_length(turn->evaluation), "]",
				 first == NULL);
	if (first != NULL) {
		put_comment_text(&comment, first->text);
		(void)put_comments(out, first->next);
	}
	return first != NULL || comment.open;
}

/* ---- Tags --------------------------------------------------------------------------------------------------- */

static void put_tag(struct writer *out, const char *name, const char *value)
{
	mrl_text_char(&out->text, '[');
	mrl_text_add(&out->text, name);
	mrl_text_add(&out->text, " \"");
	for (; *value != '\0'; value++) {
		if (*value == '"' || *value == '\\')
			mrl_text_char(&out->text, '\\');
		mrl_text_char(&out->text, *value);
	}
	mrl_text_add(&out->text, "\"]\n");
}

static void put_kept_tag(struct writer *out, const struct mrl_record *record, enum mrl__tag tag)
{
	const char *value = mrl_record_tag(record, mrl__tag_names[tag]);

	if (value != NULL)
		put_tag(out, mrl__tag_names[tag], value);
}

static void put_tags(struct writer *out, const struct mrl_record *record)
{
	char rules[MRL_RULES_NAME_SIZE];
	char position[MRL_POSITION_TEXT_SIZE];

	for (enum mrl__tag tag = MRL__TAG_EVENT; tag <= MRL__TAG_BLACK; tag++)
		put_kept_tag(out, record, tag);
	put_tag(out, mrl__tag_names[MRL__TAG_RESULT], mrl_outcome_text(record->outcome));
	mrl_rules_write(record->rules, rules);
	put_tag(out, mrl__tag_names[MRL__TAG_RULES], rules);
	if (record->reason != MRL_REASON_NONE)
		put_tag(out, mrl__tag_names[MRL__TAG_TERMINATION], mrl_reason_text(record->reason));
	else
		put_kept_tag(out, record, MRL__TAG_TERMINATION);
	put_kept_tag(out, record, MRL__TAG_TIME_CONTROL);
	if (record->set_up) {
		mrl_position_write(record->rules, &record->start, position);
		put_tag(out, mrl__tag_names[MRL__TAG_SET_UP], "1");
		put_tag(out, mrl__tag_names[MRL__TAG_POSITION], position);
	}
	for (const struct mrl_record_tag *tag = record->tags; tag != NULL; tag = tag->next)
		if (mrl__tag_find(tag->name) == MRL__TAGS)
			put_tag(out, tag->name, tag->value);
}

/* ---- Turns -------------------------------------------------------------------------------------------------- */

/* White's turns have their number; Black's only where something stands before them. True when something follows. */
static bool put_turn(struct writer *out, const struct mrl_record *record, const struct mrl_record_turn *turn, bool anew)
{
	char buffer[MRL_TURN_TEXT_SIZE];
	size_t ply = turn->ply + record->start.side;

	anew = put_comments(out, turn->before) || anew;
	if (ply % 2 == 0)
		put_number(out, '\0', ply / 2 + 1, ".");
	else if (anew)
		put_number(out, '\0', ply / 2 + 1, "...");
	mrl_turn_write(&record->rules->board, &turn->turn, buffer);
	put_word(out, buffer);
	for (const struct mrl_record_nag *nag = turn->nags; nag != NULL; nag = nag->next)
		put_number(out, '$', nag->number, "");
	return put_after(out, turn);
}

/*
 * The turn that is written next, and the parentheses before it: the first variation of this turn, else what follows in
 * its line, else the next variation, else what follows the turn that was replaced. Sets *anew when Black's number is
 * due.
 */
static const struct mrl_record_turn *next_turn(struct writer *out, const struct mrl_record_turn *turn, bool *anew)
{
	const struct mrl_record_line *variation = turn->variations;

	while (variation == NULL && turn->next == NULL && turn->line->replaces != NULL) {
		close_variation(out);
		*anew = true;
		variation = turn->line->next;
		turn = turn->line->replaces;
	}
	if (variation == NULL)
		return turn->next;
	open_variation(out);
	*anew = true;
	return variation->first;
}

static void put_turns(struct writer *out, const struct mrl_record *record)
{
	bool anew = true;

	for (const struct mrl_record_turn *turn = record->line.first; turn != NULL; turn = next_turn(out, turn, &anew))
		anew = put_turn(out, record, turn, anew);
}

size_t mrl_record_write(const struct mrl_record *record, char *text, size_t size)
{
	struct writer out = {.text = mrl_text_in(text, size)};

	put_tags(&out, record);
	mrl_text_char(&out.text, '\n');
	(void)put_comments(&out, record->comments);
	put_turns(&out, record);
	put_word(&out, mrl_outcome_text(record->outcome));
	mrl_text_char(&out.text, '\n');
	return out.text.length;
}
