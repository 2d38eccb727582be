/* Records in memory: the arena, tags, results, and the record of a game that was played. */
#include <merels/builtins.h>

#include "record_internal.h"

#define ALIGNMENT ((size_t)16)

/* ---- Memory ------------------------------------------------------------------------------------------------- */

struct mrl_arena mrl_arena_in(void *memory, size_t size)
{
	size_t skip = (ALIGNMENT - (uintptr_t)memory % ALIGNMENT) % ALIGNMENT;

	if (memory == NULL || skip > size)
		return (struct mrl_arena){NULL, 0, 0};
	return (struct mrl_arena){(char *)memory + skip, (size - skip) / ALIGNMENT * ALIGNMENT, 0};
}

void *mrl__take(struct mrl_arena *arena, size_t bytes)
{
	size_t start = (arena->used + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	void *memory;

	if (start > arena->size || bytes > arena->size - start)
		return NULL;
	memory = arena->memory + start;
	mrl_fill(memory, 0, bytes);
	arena->used = start + bytes;
	return memory;
}

char *mrl__take_string(struct mrl_arena *arena, const char *bytes, size_t length)
{
	char *string = length < SIZE_MAX ? mrl__take(arena, length + 1) : NULL;

	if (string != NULL)
		mrl_copy(string, bytes, length);
	return string;
}

/* ---- Names -------------------------------------------------------------------------------------------------- */

const char *const mrl__tag_names[MRL__TAGS] = {
    [MRL__TAG_EVENT] = "Event",
    [MRL__TAG_SITE] = "Site",
    [MRL__TAG_DATE] = "Date",
    [MRL__TAG_ROUND] = "Round",
    [MRL__TAG_WHITE] = "White",
    [MRL__TAG_BLACK] = "Black",
    [MRL__TAG_TIME_CONTROL] = "TimeControl",
    [MRL__TAG_RESULT] = "Result",
    [MRL__TAG_RULES] = "Rules",
    [MRL__TAG_TERMINATION] = "Termination",
    [MRL__TAG_SET_UP] = "SetUp",
    [MRL__TAG_POSITION] = "Position",
    [MRL__TAG_FEN] = "FEN",
};

bool mrl__strings_equal(const char *a, const char *b)
{
	while (*a != '\0' && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

enum mrl__tag mrl__tag_find(const char *name)
{
	enum mrl__tag tag = 0;

	while (tag < MRL__TAGS && !mrl__strings_equal(name, mrl__tag_names[tag]))
		tag++;
	return tag;
}

enum mrl_reason mrl__reason_find(const char *text)
{
	for (enum mrl_reason reason = MRL_REASON_NONE + 1; reason <= MRL_REASON_ABORTED; reason++)
		if (mrl__strings_equal(text, mrl_reason_text(reason)))
			return reason;
	return MRL_REASON_NONE;
}

/* ---- Results ------------------------------------------------------------------------------------------------ */

/* How a game may end for a reason that the rules do not give; NULL when any result goes with it. */
static const char *results_for(enum mrl_reason reason)
{
	switch (reason) {
	case MRL_REASON_RESIGN:
	case MRL_REASON_TIME:
		return "1-0 or 0-1";
	case MRL_REASON_AGREEMENT:
		return "1/2-1/2";
	case MRL_REASON_ABORTED:
		return "*";
	default:
		return NULL;
	}
}

static bool goes_with(enum mrl_reason reason, enum mrl_outcome outcome)
{
	switch (reason) {
	case MRL_REASON_RESIGN:
	case MRL_REASON_TIME:
		return outcome == MRL_WHITE_WINS || outcome == MRL_BLACK_WINS;
	case MRL_REASON_AGREEMENT:
		return outcome == MRL_DRAW;
	case MRL_REASON_ABORTED:
		return outcome == MRL_ONGOING;
	default:
		return true;
	}
}

bool mrl__result_fits(struct mrl_verdict verdict, enum mrl_outcome outcome, enum mrl_reason reason,
		      struct mrl_text *why)
{
	if (verdict.outcome != MRL_ONGOING) {
		if (outcome == verdict.outcome && (reason == MRL_REASON_NONE || reason == verdict.reason))
			return true;
		mrl_text_add(why, "by the rules the game ended ");
		mrl_text_add(why, mrl_outcome_text(verdict.outcome));
		mrl_text_char(why, ' ');
		mrl_text_add(why, mrl_reason_text(verdict.reason));
		return false;
	}
	if (reason != MRL_REASON_NONE && reason <= MRL_REASON_REPETITION) {
		mrl_text_add(why, "by the rules the game is not over");
		return false;
	}
	if (goes_with(reason, outcome))
		return true;
	mrl_text_add(why, "with ");
	mrl_text_add(why, mrl_reason_text(reason));
	mrl_text_add(why, " the result must be ");
	mrl_text_add(why, results_for(reason));
	return false;
}

enum mrl_status mrl_record_set_result(struct mrl_record *record, enum mrl_outcome outcome, enum mrl_reason reason,
				      struct mrl_error *error)
{
	char reason_text[256];
	struct mrl_text why = mrl_text_in(reason_text, sizeof reason_text);
	struct mrl_text text;

	if (!mrl__result_fits(record->verdict, outcome, reason, &why)) {
		text = mrl_error_open(error, MRL_RANGE, 0, 0);
		mrl_text_add(&text, "the result cannot be ");
		mrl_text_add(&text, mrl_outcome_text(outcome));
		mrl_text_char(&text, ' ');
		mrl_text_add(&text, mrl_reason_text(reason));
		mrl_text_add(&text, ": ");
		mrl_text_add(&text, reason_text);
		return MRL_RANGE;
	}
	record->outcome = outcome;
	record->reason = record->verdict.outcome != MRL_ONGOING ? record->verdict.reason : reason;
	if (record->reason != MRL_REASON_NONE)
		mrl__drop_tag(record, mrl__tag_names[MRL__TAG_TERMINATION]);
	return MRL_OK;
}

/* ---- Tags --------------------------------------------------------------------------------------------------- */

const char *mrl_record_tag(const struct mrl_record *record, const char *name)
{
	for (const struct mrl_record_tag *tag = record->tags; tag != NULL; tag = tag->next)
		if (mrl__strings_equal(tag->name, name))
			return tag->value;
	return NULL;
}

void mrl__drop_tag(struct mrl_record *record, const char *name)
{
	struct mrl_record_tag **link = &record->tags;

	while (*link != NULL && !mrl__strings_equal((*link)->name, name))
		link = &(*link)->next;
	if (*link != NULL)
		*link = (*link)->next;
}

static size_t string_length(const char *string)
{
	size_t length = 0;

	while (string[length] != '\0')
		length++;
	return length;
}

static bool is_tag_name(const char *name)
{
	if (!mrl__is_letter(*name))
		return false;
	while (mrl__is_letter(*name) || mrl__is_digit(*name) || *name == '_')
		name++;
	return *name == '\0';
}

static enum mrl_status check_tag(const struct mrl_record *record, const char *name, const char *value,
				 struct mrl_error *error)
{
	enum mrl__tag known = mrl__tag_find(name);
	bool reason = record->reason != MRL_REASON_NONE || mrl__reason_find(value) != MRL_REASON_NONE;
	bool member = known == MRL__TAG_TERMINATION ? reason : known >= MRL__TAG_RESULT && known < MRL__TAGS;
	size_t length = string_length(value);
	struct mrl_text text;

	if (!is_tag_name(name) || member) {
		text = mrl_error_open(error, MRL_NAME, 0, 0);
		mrl_text_quote(&text, name, string_length(name));
		mrl_text_add(&text, member ? " is written from the record itself and not to be set as a tag"
					   : " is no tag name, which is letters, digits and _, a letter first");
		return MRL_NAME;
	}
	for (size_t at = 0, step; at < length; at += step) {
		step = mrl_utf8(value, at, length);
		if (step != 0 && (unsigned char)value[at] >= 0x20 && value[at] != 0x7f)
			continue;
		text = mrl_error_open(error, MRL_SYNTAX, 0, 0);
		mrl_text_add(&text, "the value of a tag must be UTF-8 without control characters; found ");
		mrl_text_quote(&text, value + at, 1);
		return MRL_SYNTAX;
	}
	return MRL_OK;
}

enum mrl_status mrl_record_set_tag(struct mrl_arena *arena, struct mrl_record *record, const char *name,
				   const char *value, struct mrl_error *error)
{
	enum mrl_status status = check_tag(record, name, value, error);
	struct mrl_record_tag **link = &record->tags;
	size_t used = arena->used;
	struct mrl_record_tag *tag;
	char *copy;
	struct mrl_text text;

	if (status != MRL_OK)
		return status;
	while (*link != NULL && !mrl__strings_equal((*link)->name, name))
		link = &(*link)->next;
	copy = mrl__take_string(arena, value, string_length(value));
	tag = *link;
	if (copy != NULL && tag == NULL) {
		tag = mrl__take(arena, sizeof *tag);
		if (tag != NULL)
			tag->name = mrl__take_string(arena, name, string_length(name));
	}
	if (copy == NULL || tag == NULL || tag->name == NULL) {
		arena->used = used;
		text = mrl_error_open(error, MRL_SPACE, 0, 0);
		mrl_text_add(&text, "the memory for the record is too small for another tag");
		return MRL_SPACE;
	}
	tag->value = copy;
	*link = tag;
	return MRL_OK;
}

/* ---- The record of a game ----------------------------------------------------------------------------------- */

static bool copy_turns(struct mrl_arena *arena, const struct mrl_game *game, struct mrl_record *record)
{
	for (size_t i = 0; i < game->count; i++) {
		struct mrl_record_turn *turn = mrl__take(arena, sizeof *turn);

		if (turn == NULL)
			return false;
		turn->turn = game->plies[i].turn;
		turn->ply = i;
		turn->clock = MRL_NO_CLOCK;
		turn->line = &record->line;
		turn->previous = record->line.last;
		if (turn->previous != NULL)
			turn->previous->next = turn;
		else
			record->line.first = turn;
		record->line.last = turn;
	}
	record->count = game->count;
	return true;
}

enum mrl_status mrl_record_make(struct mrl_arena *arena, const struct mrl_game *game, struct mrl_record **record)
{
	size_t used = arena->used;
	struct mrl_record *made = mrl__take(arena, sizeof *made);
	struct mrl_rules *rules = made != NULL ? mrl__take(arena, sizeof *rules) : NULL;
	struct mrl_position start;

	*record = NULL;
	if (rules == NULL || !copy_turns(arena, game, made)) {
		arena->used = used;
		return MRL_SPACE;
	}
	mrl_copy(rules, game->rules, sizeof *rules);
	mrl_position_start(rules, &start);
	made->rules = rules;
	made->start = game->count > 0 ? game->plies[0].before : game->position;
	made->set_up =
	    !mrl_position_same(&made->start, &start) || made->start.no_mill != 0 || made->start.three_men != 0;
	made->verdict = game->verdict;
	made->outcome = game->verdict.outcome;
	made->reason = game->verdict.reason;
	made->final = game->position;
	*record = made;
	return MRL_OK;
}
