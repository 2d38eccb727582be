/* Exports about rule sets and boards: what can be chosen, what is chosen, how its board is drawn. */
#include "session.h"

int32_t preset(uint32_t index);
int32_t rules_set(uint32_t length);
int32_t parameter(uint32_t index);
int32_t board(void);

static uint32_t asked;

static void write_preset(struct mrl_text *text)
{
	const struct mrl_preset *preset = mrl_preset(asked);

	if (!preset)
		return;
	mrl_text_add(text, preset->name);
	mrl_text_char(text, '\n');
	mrl_text_add(text, preset->board);
	mrl_text_char(text, '\n');
	mrl_text_add(text, preset->about);
}

/* Preset number `index`: its name, its board's and a sentence about it, one a line. Empty past the end. */
EXPORT("preset") int32_t preset(uint32_t index)
{
	asked = index;
	return session_answer(write_preset);
}

static void write_rules(struct mrl_text *text)
{
	char name[MRL_RULES_NAME_SIZE];

	mrl_rules_write(&session.rules, name);
	mrl_text_add(text, name);
}

/* Takes the rule set written in `in` and starts a game of it; the answer is its canonical form. On failure the rule set
 * and the game are as they were. */
EXPORT("rules_set") int32_t rules_set(uint32_t length)
{
	static struct mrl_rules rules; /* too large for the stack to like it */
	size_t bytes = length;
	const char *text = session_text(&bytes);

	if (mrl_rules_parse(&rules, text, bytes, &session.error) != MRL_OK)
		return session_refuse();
	session.rules = rules;
	mrl_game_init(&session.game, &session.rules, NULL, session.history.data,
		      session.history.size / sizeof(struct mrl_ply));
	return session_answer(write_rules);
}

static void write_parameter(struct mrl_text *text)
{
	struct mrl_parameter parameter;

	if (!mrl_rules_parameter(&session.rules, asked, &parameter))
		return;
	mrl_text_add(text, parameter.key);
	mrl_text_char(text, '\n');
	mrl_text_add(text, parameter.value);
	mrl_text_char(text, '\n');
	mrl_text_add(text, parameter.preset_value ? "preset" : "changed");
	mrl_text_char(text, '\n');
	mrl_text_add(text, parameter.values);
	mrl_text_char(text, '\n');
	mrl_text_add(text, parameter.meaning);
}

/* Parameter number `index` of the rule set: key, value, whether it is the preset's, what may be written, what it
 * means, one a line. Empty past the end. */
EXPORT("parameter") int32_t parameter(uint32_t index)
{
	if (!session.game.rules)
		return session_refuse_with(MRL_NAME, "no rule set has been chosen yet");
	asked = index;
	return session_answer(write_parameter);
}

static void write_board(struct mrl_text *text)
{
	const struct mrl_board *board = &session.rules.board;
	bool first = true;

	write_key(text, "name");
	mrl_text_add(text, board->name);
	write_key(text, "\nfiles");
	mrl_text_number(text, board->file_count);
	write_key(text, "\nranks");
	mrl_text_number(text, board->rank_count);
	write_key(text, "\npoints");
	write_points(text, board->all);
	write_key(text, "\nlines");
	for (unsigned l = 0; l < board->line_count; l++) {
		for (unsigned i = 0; i < board->line[l].length; i++) {
			if (!first)
				mrl_text_char(text, i == 0 ? '/' : ' ');
			first = false;
			write_points(text, mrl_point_bit(board->line[l].point[i]));
		}
	}
}

/* The rule set's board, as lines of a key and a value: name, files, ranks, points, lines (separated by `/`, their
 * points in order). */
EXPORT("board") int32_t board(void)
{
	if (!session.game.rules)
		return session_refuse_with(MRL_NAME, "no rule set has been chosen yet");
	return session_answer(write_board);
}
