/* Rule sets and their written form, `name[,key=value]...`. */
#include "parameters.h"
#include "presets.h"

#include <merels/builtins.h>
#include <merels/text.h>

static const char defaults[] = "repetition=3,no-mill=100";

static size_t find_preset(const char *bytes, size_t length)
{
	size_t index = 0;

	while (mrl_preset(index) != NULL && !mrl__same_word(mrl_preset(index)->name, bytes, length))
		index++;
	return index;
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
		mrl_text_add(&text, mrl__parameter_row((enum parameter)i)->key);
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
		enum parameter parameter = mrl__parameter_find(bytes + at, key);
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
		if (!mrl__parameter_read(parameter, bytes + at + key + 1, item - key - 1, &value))
			return bad_value(mrl__parameter_row(parameter), bytes + at + key + 1, item - key - 1,
					 column + key + 1, error);
		mrl__parameter_set(rules, parameter, value);
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
		if (mrl__same_word(mrl_board_name(i), board, length_of(board)))
			return mrl_board_lines(i);
	return "";
}

static void set_defaults(struct mrl_rules *rules)
{
	enum mrl_status status;

	for (unsigned i = 0; i < PARAMETERS; i++)
		mrl__parameter_set(rules, (enum parameter)i, 0);
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

bool mrl_rules_parameter(const struct mrl_rules *rules, size_t index, struct mrl_parameter *parameter)
{
	const struct parameter_row *row;
	struct mrl_rules preset;
	struct mrl_text text;

	if (index >= PARAMETERS)
		return false;
	row = mrl__parameter_row((enum parameter)index);
	set_preset(&preset, rules->preset);
	parameter->key = row->key;
	parameter->values = row->values;
	parameter->meaning = row->meaning;
	parameter->preset_value =
	    mrl__parameter_get(rules, (enum parameter)index) == mrl__parameter_get(&preset, (enum parameter)index);
	text = mrl_text_in(parameter->value, sizeof parameter->value);
	mrl__parameter_write(&text, (enum parameter)index, mrl__parameter_get(rules, (enum parameter)index));
	set_defaults(&preset);
	text = mrl_text_in(parameter->usual, sizeof parameter->usual);
	if (index != MEN)
		mrl__parameter_write(&text, (enum parameter)index, mrl__parameter_get(&preset, (enum parameter)index));
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
		if (mrl__parameter_get(a, (enum parameter)i) != mrl__parameter_get(b, (enum parameter)i))
			return false;
	return mrl__same_word(a->board.name, b->board.name, length_of(b->board.name));
}
