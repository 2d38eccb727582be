/* The engine's answers. */
#include "engine_session.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <merels/notation.h>
#include <merels/text.h>

void engine_say_note(const struct engine_session *session, const char *format, ...)
{
	char line[ENGINE_ANSWER_SIZE] = "info string ";
	size_t lead = strlen(line);
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(line + lead, sizeof(line) - lead, format, arguments);
	va_end(arguments);
	session->say(session->context, line);
}

/* ---- Turns -------------------------------------------------------------------------------------------------- */

/* A turn; with atomic moves its takes stand apart. */
static void add_turn(struct mrl_text *text, const struct engine_session *session, const struct mrl_turn *turn)
{
	char whole[MRL_TURN_TEXT_SIZE];

	(void)mrl_turn_write(&session->rules->board, turn, whole);
	for (const char *c = whole; *c != '\0'; c++) {
		if (*c == 'x' && session->atomic)
			mrl_text_char(text, ' ');
		mrl_text_char(text, *c);
	}
}

static void add_take(struct mrl_text *text, const struct engine_session *session, unsigned point)
{
	char name[4];

	(void)mrl_point_name(&session->rules->board, point, name);
	mrl_text_char(text, 'x');
	mrl_text_add(text, name);
}

void engine_say_no_best(const struct engine_session *session)
{
	session->say(session->context, "bestmove (none)");
}

void engine_say_best(const struct engine_session *session, const struct mrl_turn *turns, unsigned count)
{
	char line[ENGINE_ANSWER_SIZE];
	struct mrl_text text = mrl_text_in(line, sizeof(line));
	struct mrl_turn first = turns[0];

	mrl_text_add(&text, "bestmove ");
	if (session->begun.is_begun) {
		/* What was begun goes on with its next take. */
		add_take(&text, session, first.take[mrl_turn_takes(&session->begun.turn)]);
	} else if (session->atomic && mrl_turn_takes(&first) > 0) {
		memset(first.take, MRL_NO_POINT, sizeof(first.take));
		add_turn(&text, session, &first);
	} else {
		add_turn(&text, session, &first);
		if (count > 1 && (!session->atomic || mrl_turn_takes(&turns[1]) == 0)) {
			mrl_text_add(&text, " ponder ");
			add_turn(&text, session, &turns[1]);
		}
	}
	session->say(session->context, line);
}

/* ---- What was found ----------------------------------------------------------------------------------------- */

static void add_number(struct mrl_text *text, const char *name, uint64_t number)
{
	mrl_text_char(text, ' ');
	mrl_text_add(text, name);
	mrl_text_char(text, ' ');
	mrl_text_number(text, number);
}

static void add_score(struct mrl_text *text, int score)
{
	if (score > MRL_SCORE_DECIDED) {
		mrl_text_add(text, " score win ");
		mrl_text_signed(text, MRL_SCORE_WIN - score);
	} else if (score < -MRL_SCORE_DECIDED) {
		mrl_text_add(text, " score loss ");
		mrl_text_signed(text, MRL_SCORE_WIN + score);
	} else if (score > MRL_SCORE_KNOWN) {
		mrl_text_add(text, " score win");
	} else if (score < -MRL_SCORE_KNOWN) {
		mrl_text_add(text, " score loss");
	} else if (score == 0) {
		mrl_text_add(text, " score draw");
	} else {
		mrl_text_add(text, " score cp ");
		mrl_text_signed(text, score);
	}
}

static void say_line(const struct engine_session *session, const struct mrl_player_report *report, unsigned index)
{
	const struct mrl_search_result *result = &report->result;
	const struct mrl_search_line *line = &result->lines[index];
	char buffer[ENGINE_ANSWER_SIZE];
	struct mrl_text text = mrl_text_in(buffer, sizeof(buffer));

	mrl_text_add(&text, "info");
	add_number(&text, "depth", result->depth);
	add_number(&text, "seldepth", result->selective_depth);
	if (session->lines > 1)
		add_number(&text, "multipv", index + 1);
	add_score(&text, line->score);
	add_number(&text, "nodes", report->nodes);
	add_number(&text, "nps", report->per_second);
	add_number(&text, "hashfull", result->full);
	add_number(&text, "tbhits", report->probes);
	add_number(&text, "time", report->elapsed);
	mrl_text_add(&text, " pv");
	for (unsigned i = 0; i < line->length; i++) {
		mrl_text_char(&text, ' ');
		add_turn(&text, session, &line->turns[i]);
	}
	session->say(session->context, buffer);
}

void engine_say_info(const struct engine_session *session, const struct mrl_player_report *report)
{
	for (unsigned i = 0; i < report->result.line_count; i++)
		say_line(session, report, i);
}
