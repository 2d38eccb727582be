#include "session.h"
#include <merels/builtins.h>
#include <merels/notation.h>

struct session session;

/* ---- Text in and out ---------------------------------------------------------------------------------------- */

int32_t text_room(uint32_t size);
int32_t text_place(void);
uint32_t error_line(void);
uint32_t error_column(void);

/* Makes `in` at least `size` bytes large and returns where it is; 0 when there is no memory. */
EXPORT("text_room") int32_t text_room(uint32_t size)
{
	return block_grow(&session.in, size + 1U) ? (int32_t)(uintptr_t)session.in.data : 0;
}

/* Where `out` is. */
EXPORT("text_place") int32_t text_place(void)
{
	return (int32_t)(uintptr_t)session.out.data;
}

/* The place of the last error in its text, from 1; 0 when it has none. */
EXPORT("error_line") uint32_t error_line(void)
{
	return (uint32_t)session.error.line;
}

EXPORT("error_column") uint32_t error_column(void)
{
	return (uint32_t)session.error.column;
}

int32_t session_answer(text_writer *write)
{
	size_t need = 1;

	for (;;) {
		if (!block_grow(&session.out, need))
			return MRL_SPACE;
		struct mrl_text text = mrl_text_in(session.out.data, session.out.size);

		write(&text);
		if (text.length < text.size)
			return (int32_t)text.length;
		need = text.length + 1;
	}
}

static void write_error(struct mrl_text *text)
{
	mrl_text_add(text, session.error.message);
}

int32_t session_refuse(void)
{
	session_answer(write_error);
	return session.error.status;
}

int32_t session_refuse_with(enum mrl_status status, const char *sentence)
{
	struct mrl_text message = mrl_error_open(&session.error, status, 0, 0);

	mrl_text_add(&message, sentence);
	return session_refuse();
}

const char *session_text(size_t *length)
{
	if (*length > session.in.size)
		*length = session.in.size;
	return session.in.data ? session.in.data : "";
}

/* ---- The game ----------------------------------------------------------------------------------------------- */

enum mrl_status session_play(const struct mrl_turn *turn)
{
	struct mrl_game *game = &session.game;

	if (game->count == game->capacity) {
		if (!block_grow(&session.history, (game->count + 1) * sizeof(struct mrl_ply))) {
			(void)session_refuse_with(MRL_SPACE, "the browser has no memory left for another turn");
			return MRL_SPACE;
		}
		mrl_game_move(game, session.history.data, session.history.size / sizeof(struct mrl_ply));
	}
	return mrl_game_play(game, turn, &session.error);
}

/* ---- Writing ------------------------------------------------------------------------------------------------ */

void write_key(struct mrl_text *text, const char *key)
{
	mrl_text_add(text, key);
	mrl_text_char(text, ' ');
}

void write_points(struct mrl_text *text, mrl_points points)
{
	char name[4];

	for (mrl_points rest = points; rest; rest &= rest - 1) {
		if (rest != points)
			mrl_text_char(text, ' ');
		mrl_point_name(&session.rules.board, mrl_lowest(rest), name);
		mrl_text_add(text, name);
	}
}

void write_mills(struct mrl_text *text, mrl_points men, mrl_points through)
{
	const struct mrl_board *board = &session.rules.board;
	bool first = true;

	for (unsigned m = 0; m < board->mill_count; m++) {
		if ((board->mill[m] & ~men) != 0 || (board->mill[m] & through) == 0)
			continue;
		if (!first)
			mrl_text_char(text, '/');
		first = false;
		write_points(text, board->mill[m]);
	}
}

void write_turn(struct mrl_text *text, const struct mrl_turn *turn)
{
	char words[MRL_TURN_TEXT_SIZE];

	mrl_turn_write(&session.rules.board, turn, words);
	mrl_text_add(text, words);
}
