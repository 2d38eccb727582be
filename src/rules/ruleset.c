/* Rule sets and their written form, `name[,key=value]...`. */
#include "presets.h"

#include <merels/builtins.h>
#include <merels/text.h>

/* The parameters in the table's order; the order of the canonical form. */
enum parameter {
	MEN,
	FLY,
	MOVE_EARLY,
	MILL,
	TAKE,
	TAKE_COUNT,
	STUCK,
	FULL_BOARD,
	REPETITION,
	NO_MILL,
	THREE_MEN,
	PARAMETERS
};

struct parameter_row {
	const char *key;
	const char *values; /* as a person may write them */
	const char *meaning;
	const char *words[4]; /* the values of a parameter that is a word, in the order of their numbers */
	unsigned least;       /* of a number that is not 0 */
	unsigned most;
	bool may_be_zero;
};

static const struct parameter_row table[PARAMETERS] = {
    [MEN] = {"men", "3 to 24", "men each side starts with in hand", {NULL}, 3, MRL_MAX_MEN, false},
    [FLY] = {"fly",
	     "0, or 3 to 24",
	     "with none in hand and at most so many men a side may move a man to any empty point; 0: never",
	     {NULL},
	     3,
	     MRL_MAX_MEN,
	     true},
    [MOVE_EARLY] = {"move-early",
		    "off or on",
		    "with men in hand a turn may place or slide a man",
		    {"off", "on", NULL},
		    0,
		    0,
		    false},
    [MILL] = {"mill",
	      "take or win",
	      "closing a mill takes an enemy man, or wins at once",
	      {"take", "win", NULL},
	      0,
	      0,
	      false},
    [TAKE] = {"take",
	      "free-first, any or free-only",
	      "which men may be taken: those outside mills first, any, or only those outside mills",
	      {"free-first", "any", "free-only", NULL},
	      0,
	      0,
	      false},
    [TAKE_COUNT] = {"take-count",
		    "one or per-mill",
		    "closing several mills with one man takes one man, or one for each mill",
		    {"one", "per-mill", NULL},
		    0,
		    0,
		    false},
    [STUCK] = {"stuck",
	       "lose or draw",
	       "what happens to the side to move when it has no legal turn",
	       {"lose", "draw", NULL},
	       0,
	       0,
	       false},
    [FULL_BOARD] = {"full-board",
		    "stuck or draw",
		    "no legal turn and every point occupied: the same as stuck, or a draw",
		    {"stuck", "draw", NULL},
		    0,
		    0,
		    false},
    [REPETITION] = {"repetition",
		    "0, or 3 to 9999",
		    "the position occurs for this many times: a draw; 0: never",
		    {NULL},
		    3,
		    MRL_MAX_COUNTER,
		    true},
    [NO_MILL] = {"no-mill",
		 "0 to 9999",
		 "so many plies in a row in which no one places a man or closes a mill: a draw; 0: never",
		 {NULL},
		 1,
		 MRL_MAX_COUNTER,
		 true},
    [THREE_MEN] = {"three-men",
		   "0 to 9999",
		   "while a side with none in hand has exactly three men, so many plies without a placement or a take: "
		   "a draw; 0: never",
		   {NULL},
		   1,
		   MRL_MAX_COUNTER,
		   true},
};

static const char defaults[] = "repetition=3,no-mill=100";

static unsigned get(const struct mrl_rules *rules, enum parameter parameter)
{
	switch (parameter) {
	case MEN:
		return rules->men;
	case FLY:
		return rules->fly;
	case MOVE_EARLY:
		return rules->move_early;
	case MILL:
		return rules->mill_wins;
	case TAKE:
		return rules->take;
	case TAKE_COUNT:
		return rules->take_per_mill;
	case STUCK:
		return rules->stuck_draws;
	case FULL_BOARD:
		return rules->full_board_draws;
	case REPETITION:
		return rules->repetition;
	case NO_MILL:
		return rules->no_mill;
	case THREE_MEN:
		return rules->three_men;
	case PARAMETERS:
		break;
	}
	return 0;
}

static void set(struct mrl_rules *rules, enum parameter parameter, unsigned value)
{
	switch (parameter) {
	case MEN:
		rules->men = (uint8_t)value;
		break;
	case FLY:
		rules->fly = (uint8_t)value;
		break;
	case MOVE_EARLY:
		rules->move_early = value != 0;
		break;
	case MILL:
		rules->mill_wins = value != 0;
		break;
	case TAKE:
		rules->take = (enum mrl_take)value;
		break;
	case TAKE_COUNT:
		rules->take_per_mill = value != 0;
		break;
	case STUCK:
		rules->stuck_draws = value != 0;
		break;
	case FULL_BOARD:
		rules->full_board_draws = value != 0;
		break;
	case REPETITION:
		rules->repetition = (uint16_t)value;
		break;
	case NO_MILL:
		rules->no_mill = (uint16_t)value;
		break;
	case THREE_MEN:
		rules->three_men = (uint16_t)value;
		break;
	case PARAMETERS:
		break;
	}
}

static bool same(const char *word, const char *bytes, size_t length)
{
	size_t i = 0;

	while (i < length && word[i] != '\0' && word[i] == bytes[i])
		i++;
	return i == length && word[i] == '\0';
}

static size_t find_preset(const char *bytes, size_t length)
{
	size_t index = 0;

	while (mrl_preset(index) != NULL && !same(mrl_preset(index)->name, bytes, length))
		index++;
	return index;
}

static enum parameter find_parameter(const char *bytes, size_t length)
{
	unsigned index = 0;

	while (index < PARAMETERS && !same(table[index].key, bytes, length))
		index++;
	return (enum parameter)index;
}

/* Reads a value; false when it is none of this parameter's. */
static bool read_value(const struct parameter_row *row, const char *bytes, size_t length, unsigned *value)
{
	unsigned number = 0;

	if (row->words[0] != NULL) {
		for (unsigned i = 0; row->words[i] != NULL; i++)
			if (same(row->words[i], bytes, length)) {
				*value = i;
				return true;
			}
		return false;
	}
	if (length == 0 || length > 4 || (length > 1 && bytes[0] == '0'))
		return false;
	for (size_t i = 0; i < length; i++) {
		if (bytes[i] < '0' || bytes[i] > '9')
			return false;
		number = number * 10 + (unsigned)(bytes[i] - '0');
	}
	*value = number;
	return number == 0 ? row->may_be_zero : number >= row->least && number <= row->most;
}

/* Bytes before the next `stop` or the end. */
static size_t span(const char *bytes, size_t length, char stop)
{
	size_t i = 0;

	while (i < length && bytes[i] != stop)
		i++;
	return i;
}

static enum mrl_status unknown_name(const char *bytes, size_t length, struct mrl_error *error)
{
	struct mrl_text text = mrl_error_open(error, MRL_NAME, 1, 1);

	mrl_text_add(&text, "no rule set is named ");
	mrl_text_quote(&text, bytes, length);
	mrl_text_add(&text, "; there are");
	for (size_t i = 0; mrl_preset(i) != NULL; i++) {
		mrl_text_add(&text, i == 0 ? " " : ", ");
		mrl_text_add(&text, mrl_preset(i)->name);
	}
	return MRL_NAME;
}

static enum mrl_status unknown_key(const char *bytes, size_t length, size_t column, struct mrl_error *error)
{
	struct mrl_text text = mrl_error_open(error, MRL_NAME, 1, column);

	mrl_text_add(&text, "no parameter is named ");
	mrl_text_quote(&text, bytes, length);
	mrl_text_add(&text, "; there are");
	for (unsigned i = 0; i < PARAMETERS; i++) {
		mrl_text_add(&text, i == 0 ? " " : ", ");
		mrl_text_add(&text, table[i].key);
	}
	return MRL_NAME;
}

static enum mrl_status bad_value(const struct parameter_row *row, const char *bytes, size_t length, size_t column,
				 struct mrl_error *error)
{
	struct mrl_text text = mrl_error_open(error, MRL_RANGE, 1, column);

	mrl_text_add(&text, "found ");
	mrl_text_quote(&text, bytes, length);
	mrl_text_add(&text, " for ");
	mrl_text_add(&text, row->key);
	mrl_text_add(&text, ", expected ");
	mrl_text_add(&text, row->values);
	return MRL_RANGE;
}

static enum mrl_status bad_form(const char *reason, const char *key, size_t length, size_t column,
				struct mrl_error *error)
{
	struct mrl_text text = mrl_error_open(error, MRL_SYNTAX, 1, column);

	mrl_text_add(&text, reason);
	if (length > 0)
		mrl_text_quote(&text, key, length);
	return MRL_SYNTAX;
}

/* Reads `key=value[,key=value]...`; `offset` is where it stands in the whole text. */
static enum mrl_status read_parameters(struct mrl_rules *rules, const char *bytes, size_t length, size_t offset,
				       struct mrl_error *error)
{
	unsigned seen = 0;
	size_t at = 0;

	for (;;) {
		size_t item = span(bytes + at, length - at, ',');
		size_t key = span(bytes + at, item, '=');
		size_t column = offset + at + 1;
		enum parameter parameter = find_parameter(bytes + at, key);
		unsigned value;

		if (item == 0)
			return bad_form("expected key=value after the comma, found nothing", NULL, 0, column, error);
		if (parameter == PARAMETERS)
			return unknown_key(bytes + at, key, column, error);
		if (key == item)
			return bad_form("expected = and a value after ", bytes + at, key, column + key, error);
		if (seen & (1U << parameter))
			return bad_form("a parameter is given twice: ", bytes + at, key, column, error);
		seen |= 1U << parameter;
		if (!read_value(&table[parameter], bytes + at + key + 1, item - key - 1, &value))
			return bad_value(&table[parameter], bytes + at + key + 1, item - key - 1, column + key + 1,
					 error);
		set(rules, parameter, value);
		at += item;
		if (at == length)
			return MRL_OK;
		at++;
	}
}

static size_t length_of(const char *string)
{
	size_t length = 0;

	while (string[length] != '\0')
		length++;
	return length;
}

/* The generator splitmix64 (Steele, Lea, Flood 2014), for keys that are the same everywhere. */
static uint64_t next_key(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static void make_keys(struct mrl_rules *rules)
{
	uint64_t state = UINT64_C(0x6d6572656c73); /* "merels" */

	for (unsigned side = 0; side < 2; side++) {
		for (unsigned point = 0; point < MRL_MAX_POINTS; point++)
			rules->man_key[side][point] = next_key(&state);
		for (unsigned hand = 0; hand <= MRL_MAX_MEN; hand++)
			rules->hand_key[side][hand] = next_key(&state);
	}
	rules->side_key = next_key(&state);
}

static const char *lines_of(const char *board)
{
	for (size_t i = 0; mrl_board_name(i) != NULL; i++)
		if (same(mrl_board_name(i), board, length_of(board)))
			return mrl_board_lines(i);
	return "";
}

static void set_defaults(struct mrl_rules *rules)
{
	enum mrl_status status;

	for (unsigned i = 0; i < PARAMETERS; i++)
		set(rules, (enum parameter)i, 0);
	status = read_parameters(rules, defaults, sizeof defaults - 1, 0, NULL);
	(void)status; /* the table is tested */
}

/* The parameters of a preset alone, without board and keys. */
static void set_preset(struct mrl_rules *rules, size_t index)
{
	const struct preset_row *row = mrl__preset_row(index);
	enum mrl_status status;

	set_defaults(rules);
	rules->preset = (uint8_t)index;
	status = read_parameters(rules, row->parameters, length_of(row->parameters), 0, NULL);
	(void)status; /* the table is tested */
}

enum mrl_status mrl_rules_parse(struct mrl_rules *rules, const char *text, size_t length, struct mrl_error *error)
{
	size_t name = span(text, length, ',');
	size_t preset = find_preset(text, name);
	enum mrl_status status;

	if (mrl_preset(preset) == NULL)
		return unknown_name(text, name, error);
	set_preset(rules, preset);
	if (name < length) {
		status = read_parameters(rules, text + name + 1, length - name - 1, name + 1, error);
		if (status != MRL_OK)
			return status;
	}
	make_keys(rules);
	return mrl_board_init(&rules->board, mrl_preset(preset)->board, lines_of(mrl_preset(preset)->board), error);
}

static void write_value(struct mrl_text *text, enum parameter parameter, unsigned value)
{
	if (table[parameter].words[0] != NULL)
		mrl_text_add(text, table[parameter].words[value]);
	else
		mrl_text_number(text, value);
}

bool mrl_rules_parameter(const struct mrl_rules *rules, size_t index, struct mrl_parameter *parameter)
{
	struct mrl_rules preset;
	struct mrl_text text;

	if (index >= PARAMETERS)
		return false;
	set_preset(&preset, rules->preset);
	parameter->key = table[index].key;
	parameter->values = table[index].values;
	parameter->meaning = table[index].meaning;
	parameter->preset_value = get(rules, (enum parameter)index) == get(&preset, (enum parameter)index);
	text = mrl_text_in(parameter->value, sizeof parameter->value);
	write_value(&text, (enum parameter)index, get(rules, (enum parameter)index));
	set_defaults(&preset);
	text = mrl_text_in(parameter->usual, sizeof parameter->usual);
	if (index != MEN)
		write_value(&text, (enum parameter)index, get(&preset, (enum parameter)index));
	return true;
}

void mrl_rules_write(const struct mrl_rules *rules, char name[MRL_RULES_NAME_SIZE])
{
	struct mrl_text text = mrl_text_in(name, MRL_RULES_NAME_SIZE);
	struct mrl_parameter parameter;

	mrl_text_add(&text, mrl_preset(rules->preset)->name);
	for (size_t i = 0; mrl_rules_parameter(rules, i, &parameter); i++) {
		if (parameter.preset_value)
			continue;
		mrl_text_char(&text, ',');
		mrl_text_add(&text, parameter.key);
		mrl_text_char(&text, '=');
		mrl_text_add(&text, parameter.value);
	}
}

bool mrl_rules_equal(const struct mrl_rules *a, const struct mrl_rules *b)
{
	for (unsigned i = 0; i < PARAMETERS; i++)
		if (get(a, (enum parameter)i) != get(b, (enum parameter)i))
			return false;
	return same(a->board.name, b->board.name, length_of(b->board.name));
}
