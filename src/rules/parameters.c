#include "parameters.h"

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

const struct parameter_row *mrl__parameter_row(enum parameter parameter)
{
	return &table[parameter];
}

bool mrl__same_word(const char *word, const char *bytes, size_t length)
{
	size_t i = 0;

	while (i < length && word[i] != '\0' && word[i] == bytes[i])
		i++;
	return i == length && word[i] == '\0';
}

enum parameter mrl__parameter_find(const char *bytes, size_t length)
{
	unsigned index = 0;

	while (index < PARAMETERS && !mrl__same_word(table[index].key, bytes, length))
		index++;
	return (enum parameter)index;
}

unsigned mrl__parameter_get(const struct mrl_rules *rules, enum parameter parameter)
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

void mrl__parameter_set(struct mrl_rules *rules, enum parameter parameter, unsigned value)
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

bool mrl__parameter_read(enum parameter parameter, const char *bytes, size_t length, unsigned *value)
{
	const struct parameter_row *row = &table[parameter];
	unsigned number = 0;

	if (row->words[0] != NULL) {
		for (unsigned i = 0; row->words[i] != NULL; i++)
			if (mrl__same_word(row->words[i], bytes, length)) {
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

void mrl__parameter_write(struct mrl_text *text, enum parameter parameter, unsigned value)
{
	if (table[parameter].words[0] != NULL)
		mrl_text_add(text, table[parameter].words[value]);
	else
		mrl_text_number(text, value);
}
