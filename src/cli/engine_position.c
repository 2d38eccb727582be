/* The command `position`: where the game stands, and the turns that led on from there. */
#include "engine_session.h"

#include <stdlib.h>
#include <string.h>

#include <merels/notation.h>

/* ---- A turn that was only begun ----------------------------------------------------------------------------- */

bool engine_continues(const struct engine_begun *begun, const struct mrl_turn *turn)
{
	unsigned named = mrl_turn_takes(&begun->turn);

	if (begun->turn.from != turn->from || begun->turn.to != turn->to || mrl_turn_takes(turn) <= named)
		return false;
	return memcmp(begun->turn.take, turn->take, named) == 0;
}

/* The text of a turn as it is written, from words that may stand apart and in capitals; false: too long for one. */
static bool close_up(const char *text, size_t length, char turn[MRL_TURN_TEXT_SIZE])
{
	size_t used = 0;

	for (size_t i = 0; i < length; i++) {
		char c = text[i];

		if (c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f')
			continue;
		if (used + 1 == MRL_TURN_TEXT_SIZE || c == '\0')
			return false;
		turn[used++] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
	}
	turn[used] = '\0';
	return used > 0;
}

bool engine_read_begun(const struct mrl_game *game, const char *text, size_t length, struct engine_begun *begun)
{
	char start[MRL_TURN_TEXT_SIZE];

	if (!close_up(text, length, start))
		return false;
	size_t count = mrl_turns(game->rules, &game->position, NULL, 0);
	struct mrl_turn *turns = malloc((count + 1) * sizeof(*turns));

	if (turns == NULL)
		return false;
	(void)mrl_turns(game->rules, &game->position, turns, count);
	bool found = false;

	for (size_t i = 0; i < count && !found; i++) {
		char whole[MRL_TURN_TEXT_SIZE];
		size_t known = strlen(start);

		(void)mrl_turn_write(&game->rules->board, &turns[i], whole);
		if (strncmp(whole, start, known) != 0 || whole[known] != 'x')
			continue;
		found = true;
		begun->is_begun = true;
		begun->turn = turns[i];
		/* Of the takes only those that were named. */
		unsigned named = 0;

		for (const char *c = start; *c != '\0'; c++)
			named += *c == 'x';
		memset(begun->turn.take + named, MRL_NO_POINT, sizeof(begun->turn.take) - named);
	}
	free(turns);
	return found;
}

/* ---- The command -------------------------------------------------------------------------------------------- */

/* Plays the turns of the rest of a line; says what is wrong with one. */
static bool play_turns(struct engine_session *session, struct cli_game *game, struct engine_words words,
		       struct engine_begun *begun)
{
	for (;;) {
		struct mrl_error error = {0};
		struct mrl_turn turn;
		size_t consumed = 0;
		size_t length = (size_t)(words.end - words.at);
		enum mrl_status status =
		    mrl_turn_next(session->rules, &game->game.position, words.at, length, &consumed, &turn, &error);

		if (status == MRL_OK && turn.to == MRL_NO_POINT)
			return true;
		if (status == MRL_OK)
			status = cli_game_play(game, &turn, &error);
		if (status == MRL_ILLEGAL && engine_read_begun(&game->game, words.at, length, begun))
			return true;
		if (status != MRL_OK) {
			engine_say_note(session, "position: turn %zu: %s", game->game.count + 1, error.message);
			return false;
		}
		words.at += consumed;
	}
}

/* What stands before the word `moves`, or all; `words` is behind it then. */
static struct engine_word until_moves(struct engine_words *words)
{
	struct engine_words look = *words;
	struct engine_word first = engine_next_word(&look);
	struct engine_word last = first;

	for (struct engine_word word = first; word.length > 0; word = engine_next_word(&look)) {
		if (engine_word_is(word, "moves")) {
			words->at = look.at;
			if (word.text == first.text)
				first.length = 0;
			else
				first.length = (size_t)(last.text + last.length - first.text);
			return first;
		}
		last = word;
	}
	words->at = words->end;
	first.length = (size_t)(last.text + last.length - first.text);
	return first;
}

static bool read_start(struct engine_session *session, struct engine_words *words, struct mrl_position *start)
{
	struct engine_word kind = engine_next_word(words);
	struct engine_word text = until_moves(words);
	struct mrl_error error = {0};
	char quoted[ENGINE_QUOTE_SIZE];

	if (engine_word_is(kind, "startpos")) {
		if (text.length > 0) {
			engine_say_note(session, "position: expected `moves` behind startpos, found %s",
					engine_quote(text, quoted));
			return false;
		}
		mrl_position_start(session->rules, start);
		return true;
	}
	if (!engine_word_is(kind, "text") && !engine_word_is(kind, "fen")) {
		engine_say_note(session, "position: expected startpos, text or fen, found %s",
				engine_quote(kind, quoted));
		return false;
	}
	if (mrl_position_read(session->rules, text.text, text.length, start, &error) == MRL_OK)
		return true;
	engine_say_note(session, "position: column %zu: %s", error.column, error.message);
	return false;
}

void engine_position(struct engine_session *session, struct engine_words words)
{
	struct engine_begun begun = {.is_begun = false};
	struct mrl_position start;
	struct cli_game game;

	if (!read_start(session, &words, &start))
		return;
	cli_game_init(&game, session->rules, &start);
	if (!play_turns(session, &game, words, &begun)) {
		cli_game_release(&game);
		return;
	}
	cli_game_release(&session->game);
	session->game = game;
	session->begun = begun;
}
