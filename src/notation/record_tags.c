/* The tag section of a record: `[Name "value"]`, and what Rules, SetUp, Position, Result and Termination mean. */
#include <merels/builtins.h>
#include <merels/notation.h>

#include "record_internal.h"

/* ---- The form ----------------------------------------------------------------------------------------------- */

static enum mrl_status read_name(struct mrl__reading *reading, const char **name)
{
	struct mrl__scan *scan = &reading->scan;
	size_t start = scan->at;

	if (!mrl__is_letter(mrl__byte(scan, start)))
		return mrl__reading_expected(reading, start, "the name of a tag, as in [Event \"...\"]");
	while (mrl__is_letter(mrl__byte(scan, scan->at)) || mrl__is_digit(mrl__byte(scan, scan->at)) ||
	       mrl__byte(scan, scan->at) == '_')
		scan->at++;
	*name = mrl__take_string(&reading->work, scan->text + start, scan->at - start);
	return *name != NULL ? MRL_OK : mrl__no_space(reading);
}

/* Where the quotation mark stands that ends the value begun at `at`. */
static enum mrl_status find_value_end(struct mrl__reading *reading, size_t at, size_t *end)
{
	struct mrl__scan *scan = &reading->scan;

	while (mrl__byte(scan, at) != '"') {
		size_t step;

		if (mrl__byte(scan, at) == '\\' &&
		    (mrl__byte(scan, at + 1) == '"' || mrl__byte(scan, at + 1) == '\\')) {
			at += 2;
			continue;
		}
		if (at >= scan->length || (unsigned char)scan->text[at] < 0x20 || scan->text[at] == 0x7f)
			return mrl__reading_expected(reading, at, "\" at the end of the tag's value, in the same line");
		step = mrl_utf8(scan->text, at, scan->length);
		if (step == 0)
			return mrl__reading_expected(reading, at, "text in UTF-8");
		at += step;
	}
	*end = at;
	return MRL_OK;
}

/* Reads from the opening quotation mark to behind the closing one. */
static enum mrl_status read_value(struct mrl__reading *reading, struct mrl__tag_value *value)
{
	struct mrl__scan *scan = &reading->scan;
	size_t start = scan->at + 1;
	size_t end = start;
	size_t length = 0;
	enum mrl_status status;
	char *copy;

	if (mrl__byte(scan, scan->at) != '"')
		return mrl__reading_expected(reading, scan->at, "the value of the tag between \" and \"");
	scan->at = start;
	status = find_value_end(reading, start, &end);
	if (status != MRL_OK)
		return status;
	copy = mrl__take_string(&reading->work, scan->text + start, end - start);
	if (copy == NULL)
		return mrl__no_space(reading);
	for (size_t at = start; at < end; at++) {
		/* A backslash stands before a quotation mark and a backslash; before anything else it is itself. */
		if (scan->text[at] == '\\' && (scan->text[at + 1] == '"' || scan->text[at + 1] == '\\'))
			at++;
		copy[length++] = scan->text[at];
	}
	copy[length] = '\0';
	*value = (struct mrl__tag_value){copy, start};
	scan->at = end + 1;
	return MRL_OK;
}

/* Tags with a meaning must not contradict themselves; of others the text may have as many as it likes. */
static enum mrl_status keep_tag(struct mrl__reading *reading, const char *name, size_t name_place,
				struct mrl__tag_value value)
{
	enum mrl__tag known = mrl__tag_find(name);
	struct mrl_record_tag *tag;
	struct mrl_text text;

	if (known < MRL__TAGS && reading->value[known].text != NULL) {
		text = mrl__reading_fail(reading, name_place, MRL_SYNTAX);
		mrl_text_add(&text, "the tag ");
		mrl_text_add(&text, name);
		mrl_text_add(&text, " stands here for the second time");
		return MRL_SYNTAX;
	}
	if (known < MRL__TAGS)
		reading->value[known] = value;
	if (known == MRL__TAG_TERMINATION ? mrl__reason_find(value.text) != MRL_REASON_NONE
					  : known >= MRL__TAG_RESULT && known < MRL__TAGS)
		return MRL_OK;
	tag = mrl__take(&reading->work, sizeof *tag);
	if (tag == NULL)
		return mrl__no_space(reading);
	tag->name = name;
	tag->value = value.text;
	if (reading->last_tag != NULL)
		reading->last_tag->next = tag;
	else
		reading->record->tags = tag;
	reading->last_tag = tag;
	return MRL_OK;
}

static enum mrl_status read_tag(struct mrl__reading *reading)
{
	struct mrl__scan *scan = &reading->scan;
	const char *name = NULL;
	size_t name_place;
	struct mrl__tag_value value = {NULL, 0};
	enum mrl_status status;

	scan->at++;
	mrl__skip_space(scan);
	name_place = scan->at;
	status = read_name(reading, &name);
	if (status != MRL_OK)
		return status;
	mrl__skip_space(scan);
	status = read_value(reading, &value);
	if (status != MRL_OK)
		return status;
	mrl__skip_space(scan);
	if (mrl__byte(scan, scan->at) != ']')
		return mrl__reading_expected(reading, scan->at, "] at the end of the tag");
	scan->at++;
	return keep_tag(reading, name, name_place, value);
}

enum mrl_status mrl__read_tags(struct mrl__reading *reading)
{
	struct mrl__scan *scan = &reading->scan;

	reading->in_tags = true;
	for (mrl__skip_blank(scan); mrl__byte(scan, scan->at) == '['; mrl__skip_blank(scan)) {
		enum mrl_status status = read_tag(reading);

		if (status != MRL_OK)
			return status;
	}
	reading->in_tags = false;
	return MRL_OK;
}

/* ---- The meaning -------------------------------------------------------------------------------------------- */

static size_t string_length(const char *string)
{
	size_t length = 0;

	while (string[length] != '\0')
		length++;
	return length;
}

/* Takes over an error of a reader that saw the value alone, with its place in the whole text. */
static enum mrl_status value_error(struct mrl__reading *reading, enum mrl__tag tag, const struct mrl_error *inner)
{
	size_t column = inner->column > 0 ? inner->column - 1 : 0;
	struct mrl_text text = mrl__reading_fail(reading, reading->value[tag].place + column, inner->status);

	mrl_text_add(&text, mrl__tag_names[tag]);
	mrl_text_add(&text, ": ");
	mrl_text_add(&text, inner->message);
	return inner->status;
}

static enum mrl_status use_rules(struct mrl__reading *reading)
{
	struct mrl_record_reader *reader = reading->reader;
	const char *text = reading->value[MRL__TAG_RULES].text;
	struct mrl_rules *rules = mrl__take(&reading->work, sizeof *rules);
	struct mrl_error inner = {0};
	size_t length;

	if (rules == NULL)
		return mrl__no_space(reading);
	if (text == NULL)
		text = "nine";
	length = string_length(text);
	if (length == 0 || !mrl__strings_equal(text, reader->rules_text)) {
		reader->rules_text[0] = '\0';
		if (mrl_rules_parse(&reader->rules, text, length, &inner) != MRL_OK)
			return value_error(reading, MRL__TAG_RULES, &inner);
		if (length < sizeof reader->rules_text)
			mrl_copy(reader->rules_text, text, length + 1);
	}
	mrl_copy(rules, &reader->rules, sizeof *rules);
	reading->record->rules = rules;
	return MRL_OK;
}

static enum mrl_status use_position(struct mrl__reading *reading)
{
	const struct mrl__tag_value *set_up = &reading->value[MRL__TAG_SET_UP];
	enum mrl__tag tag = reading->value[MRL__TAG_POSITION].text != NULL ? MRL__TAG_POSITION : MRL__TAG_FEN;
	const struct mrl__tag_value *position = &reading->value[tag];
	struct mrl_record *record = reading->record;
	struct mrl_position start;
	struct mrl_error inner = {0};
	struct mrl_text text;
	const char *fault = NULL;
	size_t place = set_up->place;

	mrl_position_start(record->rules, &start);
	record->start = start;
	if (set_up->text != NULL && !mrl__strings_equal(set_up->text, "0") && !mrl__strings_equal(set_up->text, "1")) {
		fault = "SetUp must be 0 or 1";
	} else if (tag == MRL__TAG_POSITION && reading->value[MRL__TAG_FEN].text != NULL) {
		fault = "the tags Position and FEN both give a start; one is enough";
		place = reading->value[MRL__TAG_FEN].place;
	} else if (set_up->text != NULL && (*set_up->text == '1') != (position->text != NULL)) {
		fault = *set_up->text == '1' ? "SetUp is 1, but there is no tag Position"
					     : "SetUp is 0, but there is a position to start from";
	}
	if (fault != NULL) {
		text = mrl__reading_fail(reading, place, MRL_SYNTAX);
		mrl_text_add(&text, fault);
		return MRL_SYNTAX;
	}
	if (position->text == NULL)
		return MRL_OK;
	if (mrl_position_read(record->rules, position->text, string_length(position->text), &record->start, &inner) !=
	    MRL_OK)
		return value_error(reading, tag, &inner);
	record->set_up =
	    !mrl_position_same(&record->start, &start) || record->start.no_mill != 0 || record->start.three_men != 0;
	return MRL_OK;
}

static enum mrl_status use_result(struct mrl__reading *reading)
{
	const struct mrl__tag_value *result = &reading->value[MRL__TAG_RESULT];
	struct mrl_text text;

	if (result->text == NULL)
		return MRL_OK;
	for (enum mrl_outcome outcome = MRL_ONGOING; outcome <= MRL_DRAW; outcome++)
		if (mrl__strings_equal(result->text, mrl_outcome_text(outcome)))
			return MRL_OK;
	text = mrl__reading_fail(reading, result->place, MRL_SYNTAX);
	mrl_text_add(&text, "Result must be 1-0, 0-1, 1/2-1/2 or *; found ");
	mrl_text_quote(&text, result->text, string_length(result->text));
	return MRL_SYNTAX;
}

enum mrl_status mrl__use_tags(struct mrl__reading *reading)
{
	enum mrl_status status = use_rules(reading);

	if (status == MRL_OK)
		status = use_position(reading);
	if (status == MRL_OK)
		status = use_result(reading);
	if (status != MRL_OK)
		return status;
	if (reading->value[MRL__TAG_TERMINATION].text != NULL)
		reading->record->reason = mrl__reason_find(reading->value[MRL__TAG_TERMINATION].text);
	mrl_game_init(&reading->game, reading->record->rules, &reading->record->start, NULL, 0);
	return MRL_OK;
}
