/* What people write beside the turns of a record: comments, clock times, evaluations, annotation marks. */
#include <merels/builtins.h>

#include "record_internal.h"

/* ---- Clock and evaluation inside a comment ------------------------------------------------------------------ */

static bool starts_with(const char *text, const char *start)
{
	while (*start != '\0' && *text == *start) {
		text++;
		start++;
	}
	return *start == '\0';
}

/* Two digits below 60 at *text, which moves on. */
static bool sixty(const char **text, uint64_t *value)
{
	const char *t = *text;

	if (!mrl__is_digit(t[0]) || !mrl__is_digit(t[1]) || t[0] > '5')
		return false;
	*value = (uint64_t)(10 * (t[0] - '0') + (t[1] - '0'));
	*text = t + 2;
	return true;
}

/* Reads h:mm:ss or h:mm:ss.fff up to the closing bracket; at most 1e9 hours, 1 to 3 digits of a second. */
static bool read_clock(const char *text, const char *end, uint64_t *clock)
{
	uint64_t hours = 0;
	uint64_t minutes = 0;
	uint64_t seconds = 0;
	uint64_t thousandths = 0;

	if (!mrl__is_digit(*text))
		return false;
	for (; mrl__is_digit(*text); text++) {
		hours = 10 * hours + (uint64_t)(*text - '0');
		if (hours > 1000000000)
			return false;
	}
	if (*text++ != ':' || !sixty(&text, &minutes) || *text++ != ':' || !sixty(&text, &seconds))
		return false;
	if (*text == '.') {
		uint64_t unit = 100;

		text++;
		if (!mrl__is_digit(*text))
			return false;
		for (; mrl__is_digit(*text) && unit > 0; text++, unit /= 10)
			thousandths += unit * (uint64_t)(*text - '0');
	}
	*clock = ((hours * 60 + minutes) * 60 + seconds) * 1000 + thousandths;
	return text == end;
}

static enum mrl_status bad_command(struct mrl__reading *reading, size_t place, const char *message)
{
	struct mrl_text text = mrl__reading_fail(reading, place, MRL_SYNTAX);

	mrl_text_add(&text, message);
	return MRL_SYNTAX;
}

/* Takes one command, from its bracket to the closing one at `end`. */
static enum mrl_status take_command(struct mrl__reading *reading, struct mrl_record_turn *turn, const char *value,
				    const char *end, bool is_clock, size_t place)
{
	while (*value == ' ')
		value++;
	while (end > value && end[-1] == ' ')
		end--;
	if (is_clock) {
		if (turn->clock != MRL_NO_CLOCK)
			return bad_command(reading, place, "a second [%clk] for the same turn");
		if (!read_clock(value, end, &turn->clock)) {
			turn->clock = MRL_NO_CLOCK;
			return bad_command(reading, place,
					   "[%clk] must hold a time as in [%clk 0:04:59] or [%clk 0:04:59.5]");
		}
		return MRL_OK;
	}
	if (turn->evaluation != NULL)
		return bad_command(reading, place, "a second [%eval] for the same turn");
	for (const char *c = value; c == value || c < end; c++)
		if (c == end || *c == '[' || *c == ' ')
			return bad_command(reading, place, "[%eval] must hold one value as in [%eval 0.13]");
	turn->evaluation = mrl__take_string(&reading->work, value, (size_t)(end - value));
	return turn->evaluation != NULL ? MRL_OK : mrl__no_space(reading);
}

/* Takes [%clk] and [%eval] out of a comment behind a turn; the rest moves together. */
static enum mrl_status take_commands(struct mrl__reading *reading, struct mrl_record_turn *turn, char *text,
				     size_t place)
{
	char *to = text;

	for (const char *from = text; *from != '\0';) {
		bool is_clock = starts_with(from, "[%clk");
		const char *value = from + (is_clock ? 5 : 6);
		const char *end;
		enum mrl_status status;

		if ((!is_clock && !starts_with(from, "[%eval")) || (*value != ' ' && *value != ']')) {
			*to++ = *from++;
			continue;
		}
		for (end = value; *end != ']'; end++)
			if (*end == '\0')
				return bad_command(reading, place,
						   is_clock ? "[%clk] is not closed by ]"
							    : "[%eval] is not closed by ]");
		status = take_command(reading, turn, value, end, is_clock, place);
		if (status != MRL_OK)
			return status;
		/* The words on both sides stay apart, by one space. */
		from = end + 1;
		if (*from == ' ')
			from++;
		if (to > text && to[-1] != ' ')
			*to++ = ' ';
	}
	if (to > text && to[-1] == ' ')
		to--;
	*to = '\0';
	return MRL_OK;
}

/* ---- Comments ----------------------------------------------------------------------------------------------- */

static enum mrl_status add_after(struct mrl__reading *reading, char *text, size_t place)
{
	struct mrl_record_turn *turn = reading->last;
	enum mrl_status status = take_commands(reading, turn, text, place);
	struct mrl_record_comment *comment;

	if (status != MRL_OK || *text == '\0')
		return status;
	comment = mrl__take(&reading->work, sizeof *comment);
	if (comment == NULL)
		return mrl__no_space(reading);
	comment->text = text;
	if (reading->tails.after != NULL)
		reading->tails.after->next = comment;
	else
		turn->after = comment;
	reading->tails.after = comment;
	return MRL_OK;
}

static enum mrl_status add_pending(struct mrl__reading *reading, const char *text)
{
	struct mrl_record_comment *comment = mrl__take(&reading->work, sizeof *comment);

	if (comment == NULL)
		return mrl__no_space(reading);
	comment->text = text;
	if (reading->pending.last != NULL)
		reading->pending.last->next = comment;
	else
		reading->pending.first = comment;
	reading->pending.last = comment;
	return MRL_OK;
}

/* Copies a comment with each run of white space made one space; checks its characters. */
static enum mrl_status copy_comment(struct mrl__reading *reading, size_t start, size_t end, char **copy)
{
	const char *text = reading->scan.text;
	size_t length = 0;
	char *to = mrl__take(&reading->work, end - start + 1);

	if (to == NULL)
		return mrl__no_space(reading);
	for (size_t at = start; at < end;) {
		size_t step = mrl_utf8(text, at, end);

		if (mrl__is_space(text[at])) {
			if (length > 0 && to[length - 1] != ' ')
				to[length++] = ' ';
			at++;
			continue;
		}
		if (step == 0 || (unsigned char)text[at] < 0x20 || text[at] == 0x7f)
			return mrl__reading_expected(reading, at, step == 0 ? "text in UTF-8" : "text in a comment");
		mrl_copy(to + length, text + at, step);
		/* Braces cannot hold a closing one; only a comment to the end of the line can bring it here. */
		if (to[length] == '}')
			to[length] = ')';
		length += step;
		at += step;
	}
	if (length > 0 && to[length - 1] == ' ')
		length--;
	to[length] = '\0';
	reading->work.used -= end - start - length;
	*copy = to;
	return MRL_OK;
}

enum mrl_status mrl__read_comment(struct mrl__reading *reading)
{
	struct mrl__scan *scan = &reading->scan;
	size_t start = scan->at;
	bool braces = scan->text[start] == '{';
	size_t end = start + 1;
	char *text = NULL;
	enum mrl_status status;

	while (end < scan->length && scan->text[end] != (braces ? '}' : '\n'))
		end++;
	if (braces && end == scan->length) {
		struct mrl_text message = mrl__reading_fail(reading, start, MRL_SYNTAX);

		mrl_text_add(&message, "the comment that begins here is never closed by }");
		return MRL_SYNTAX;
	}
	status = copy_comment(reading, start + 1, end, &text);
	if (text == NULL)
		return status;
	scan->at = end + braces;
	if (*text == '\0')
		return MRL_OK;
	if (reading->last != NULL && reading->last->variations == NULL)
		return add_after(reading, text, start);
	return add_pending(reading, text);
}

enum mrl_status mrl__settle_comments(struct mrl__reading *reading)
{
	struct mrl_record_comment *comment = reading->pending.first;
	enum mrl_status status = MRL_OK;

	if (reading->last == NULL) {
		reading->record->comments = comment;
	} else {
		for (; comment != NULL && status == MRL_OK; comment = comment->next) {
			size_t length = 0;
			char *text;

			while (comment->text[length] != '\0')
				length++;
			text = mrl__take_string(&reading->work, comment->text, length);
			status = text == NULL ? mrl__no_space(reading) : add_after(reading, text, reading->scan.at);
		}
	}
	reading->pending = (struct mrl__comments){NULL, NULL};
	return status;
}

/* ---- Annotation marks --------------------------------------------------------------------------------------- */

static bool is_mark(char c)
{
	return c == '!' || c == '?';
}

/* `!` 1, `?` 2, `!!` 3, `??` 4, `!?` 5, `?!` 6, as PGN numbers them. */
static unsigned mark_number(char first, char second)
{
	if (!is_mark(second))
		return first == '!' ? 1 : 2;
	if (first == second)
		return first == '!' ? 3 : 4;
	return first == '!' ? 5 : 6;
}

enum mrl_status mrl__read_nag(struct mrl__reading *reading)
{
	struct mrl__scan *scan = &reading->scan;
	size_t start = scan->at;
	char first = scan->text[start];
	struct mrl_record_nag *nag;
	unsigned number = 0;

	if (reading->last == NULL)
		return mrl__reading_expected(reading, start, "a turn before the mark that annotates it");
	if (is_mark(first)) {
		number = mark_number(first, mrl__byte(scan, start + 1));
		scan->at += number > 2 ? 2 : 1;
		if (is_mark(mrl__byte(scan, scan->at)))
			return mrl__reading_expected(reading, start, "one of ! ? !! ?? !? ?!");
	} else {
		for (scan->at++; mrl__is_digit(mrl__byte(scan, scan->at)) && number <= 255; scan->at++)
			number = 10 * number + (unsigned)(scan->text[scan->at] - '0');
		if (scan->at == start + 1 || number > 255)
			return mrl__reading_expected(reading, start, "$ and a number from 0 to 255");
	}
	nag = mrl__take(&reading->work, sizeof *nag);
	if (nag == NULL)
		return mrl__no_space(reading);
	nag->number = number;
	if (reading->tails.nag != NULL)
		reading->tails.nag->next = nag;
	else
		reading->last->nags = nag;
	reading->tails.nag = nag;
	return MRL_OK;
}
