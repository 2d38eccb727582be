/* One game between two engines, refereed by our rules. */
#include <stdlib.h>
#include <string.h>

#include <merels/notation.h>
#include <merels/text.h>

#include "engine_session.h"
#include "match.h"

#define MILLISECOND UINT64_C(1000000)

/* A `position` line, which grows. */
struct line {
	char *text; /* owned */
	size_t length;
	size_t size;
};

struct play {
	struct match_seat *seat;
	size_t engine[2]; /* by side */
	struct match_result *result;
	struct mrl_game *game;
	struct line position[2]; /* what each side is told */
	uint64_t clock[2];
	unsigned draw_plies; /* in a row with a score near 0 */
	unsigned win_plies[2];
};

static const char *name_of(const struct play *play, unsigned side)
{
	return play->seat->plan->engines[play->engine[side]].name;
}

static const char *side_word(unsigned side)
{
	return side == MRL_WHITE ? "White" : "Black";
}

/* ---- What the engines are told ------------------------------------------------------------------------------ */

static bool append(struct line *line, const char *text)
{
	size_t more = strlen(text);

	if (line->length + more + 1 > line->size) {
		size_t size = 2 * (line->length + more + 1) + 1024;
		char *larger = realloc(line->text, size);

		if (larger == NULL)
			return false;
		line->text = larger;
		line->size = size;
	}
	memcpy(line->text + line->length, text, more + 1);
	line->length += more;
	return true;
}

/* A turn for the engines: its takes stand apart, which every program of this game reads. */
static bool append_turn(struct play *play, const struct mrl_turn *turn)
{
	char whole[MRL_TURN_TEXT_SIZE];
	char apart[2 * MRL_TURN_TEXT_SIZE];
	struct mrl_text text = mrl_text_in(apart, sizeof(apart));

	(void)mrl_turn_write(&play->game->rules->board, turn, whole);
	mrl_text_char(&text, ' ');
	for (const char *c = whole; *c != '\0'; c++) {
		if (*c == 'x')
			mrl_text_char(&text, ' ');
		mrl_text_char(&text, *c);
	}
	return append(&play->position[MRL_WHITE], apart) && append(&play->position[MRL_BLACK], apart);
}

/* The line up to `moves`. */
static bool begin_position(struct play *play, unsigned side)
{
	const struct match_opening *opening = &play->result->opening;
	const struct mrl_game *game = play->game;
	const struct mrl_position *start = game->count > 0 ? &game->plies[0].before : &game->position;
	bool ours = match_engine_is_ours(play->seat->engines[play->engine[side]]);
	struct line *line = &play->position[side];
	char text[MRL_POSITION_TEXT_SIZE];

	line->length = 0;
	if (!opening->set_up)
		return append(line, "position startpos moves");
	enum mrl_position_format format = ours ? MRL_FORMAT_MERELS : MRL_FORMAT_SANMILL;

	if (mrl_position_write_as(game->rules, start, format, text, NULL) != MRL_OK)
		return false;
	return append(line, ours ? "position text " : "position fen ") && append(line, text) && append(line, " moves");
}

static bool begin_positions(struct play *play)
{
	if (!begin_position(play, MRL_WHITE) || !begin_position(play, MRL_BLACK))
		return false;
	for (size_t i = 0; i < play->game->count; i++)
		if (!append_turn(play, &play->game->plies[i].turn))
			return false;
	return true;
}

static void write_go(const struct play *play, unsigned side, uint64_t spent, char *go, size_t size)
{
	const struct match_limits *limits = &play->seat->plan->engines[play->engine[side]].limits;
	struct mrl_text text = mrl_text_in(go, size);

	mrl_text_add(&text, "go");
	if (limits->has_clock) {
		static const char *const times[2] = {" wtime ", " btime "};
		static const char *const increments[2] = {" winc ", " binc "};

		for (unsigned s = 0; s < 2; s++) {
			const struct match_limits *own = &play->seat->plan->engines[play->engine[s]].limits;
			uint64_t left = s != side                ? play->clock[s]
					: play->clock[s] > spent ? play->clock[s] - spent
								 : 0;

			mrl_text_add(&text, times[s]);
			mrl_text_number(&text, own->has_clock ? left : play->clock[side]);
			mrl_text_add(&text, increments[s]);
			mrl_text_number(&text, own->increment);
		}
	}
	if (limits->time > 0) {
		mrl_text_add(&text, " movetime ");
		mrl_text_number(&text, limits->time > spent ? limits->time - spent : 1);
	}
	if (limits->nodes > 0) {
		mrl_text_add(&text, " nodes ");
		mrl_text_number(&text, limits->nodes);
	}
	if (limits->depth > 0) {
		mrl_text_add(&text, " depth ");
		mrl_text_number(&text, limits->depth);
	}
}

/* ---- How it ends -------------------------------------------------------------------------------------------- */

static void end_game(struct play *play, enum mrl_outcome outcome, enum mrl_reason reason, const char *termination)
{
	struct match_result *result = play->result;

	result->outcome = outcome;
	result->reason = reason;
	(void)snprintf(result->termination, sizeof(result->termination), "%s", termination);
}

/* This side has lost by what its engine did, which must then be started anew. */
static void lose(struct play *play, unsigned side, enum mrl_reason reason, const char *what)
{
	char why[256];
	struct match_engine **engine = &play->seat->engines[play->engine[side]];

	(void)snprintf(why, sizeof(why), "%s, %s: %.150s", side_word(side), name_of(play, side), what);
	match_engine_end(*engine, NULL);
	*engine = NULL;
	end_game(play, side == MRL_WHITE ? MRL_BLACK_WINS : MRL_WHITE_WINS, reason, why);
	play->result->failed = true;
	play->result->failed_engine = play->engine[side];
}

/* It has ended by itself: how? */
static void lose_gone(struct play *play, unsigned side)
{
	struct match_engine **engine = &play->seat->engines[play->engine[side]];
	char how[32] = "";
	char what[80];

	match_engine_end(*engine, how);
	*engine = NULL;
	(void)snprintf(what, sizeof(what), "the engine ended in the middle of the game (%s)", how);
	lose(play, side, MRL_REASON_NONE, what);
}

static void lose_late(struct play *play, unsigned side, uint64_t spent)
{
	const struct match_limits *limits = &play->seat->plan->engines[play->engine[side]].limits;
	char what[80];

	if (limits->has_clock || limits->time > 0)
		(void)snprintf(what, sizeof(what), "out of time after %llu ms", (unsigned long long)spent);
	else
		(void)snprintf(what, sizeof(what), "no answer for %llu s",
			       (unsigned long long)(play->seat->plan->patience / 1000));
	lose(play, side, limits->has_clock || limits->time > 0 ? MRL_REASON_TIME : MRL_REASON_NONE, what);
}

static void lose_illegal(struct play *play, unsigned side, const char *turn, const struct mrl_error *error)
{
	char what[200];

	if (turn[0] == '\0')
		(void)snprintf(what, sizeof(what), "no turn behind bestmove");
	else
		(void)snprintf(what, sizeof(what), "illegal turn %.40s: %.120s", turn, error->message);
	/* What an engine says may be anything; a record has no control characters and only UTF-8. */
	for (char *c = what; *c != '\0'; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	lose(play, side, MRL_REASON_NONE, what);
}

/* Draws and wins that both engines agree about, when the plan wants that. */
static bool adjudicate(struct play *play, unsigned side, const struct match_answer *answer)
{
	const struct match_adjudication *rule = &play->seat->plan->adjudication;
	unsigned plies = (unsigned)play->game->count;
	int value = side == MRL_WHITE ? answer->value : -answer->value;
	bool near = answer->has_value && value <= rule->draw_score && value >= -rule->draw_score;

	play->draw_plies = near ? play->draw_plies + 1 : 0;
	play->win_plies[MRL_WHITE] = answer->has_value && value >= rule->win_score ? play->win_plies[MRL_WHITE] + 1 : 0;
	play->win_plies[MRL_BLACK] =
	    answer->has_value && -value >= rule->win_score ? play->win_plies[MRL_BLACK] + 1 : 0;
	if (rule->draw_plies > 0 && plies >= rule->draw_after && play->draw_plies >= rule->draw_plies) {
		end_game(play, MRL_DRAW, MRL_REASON_NONE, "adjudicated: both see a draw");
		return true;
	}
	for (unsigned s = 0; s < 2; s++) {
		if (rule->win_plies == 0 || play->win_plies[s] < rule->win_plies)
			continue;
		end_game(play, s == MRL_WHITE ? MRL_WHITE_WINS : MRL_BLACK_WINS, MRL_REASON_NONE,
			 s == MRL_WHITE ? "adjudicated: both see White win" : "adjudicated: both see Black win");
		return true;
	}
	if (rule->most_plies > 0 && plies >= rule->most_plies) {
		end_game(play, MRL_DRAW, MRL_REASON_NONE, "adjudicated: too many turns");
		return true;
	}
	return false;
}

/* ---- One turn ----------------------------------------------------------------------------------------------- */

/* What stands in the record, for White as is the custom. */
static void write_note(struct match_note *note, unsigned side, const struct match_answer *answer)
{
	bool turned = side == MRL_BLACK;
	long number = 0;

	*note = (struct match_note){.depth = answer->depth, .elapsed = answer->elapsed};
	if (sscanf(answer->score, "win %ld", &number) == 1)
		(void)snprintf(note->score, sizeof(note->score), "#%ld", turned ? -number : number);
	else if (sscanf(answer->score, "loss %ld", &number) == 1)
		(void)snprintf(note->score, sizeof(note->score), "#%ld", turned ? number : -number);
	else if (answer->has_value)
		(void)snprintf(note->score, sizeof(note->score), "%.2f",
			       (double)(turned ? -answer->value : answer->value) / 100);
}

static bool add_note(struct match_result *result, const struct match_note *note)
{
	if (result->note_count == result->note_size) {
		size_t size = result->note_size == 0 ? 64 : 2 * result->note_size;
		struct match_note *larger = realloc(result->notes, size * sizeof(*larger));

		if (larger == NULL)
			return false;
		result->notes = larger;
		result->note_size = size;
	}
	result->notes[result->note_count++] = *note;
	return true;
}

/* How long an answer may take, the margin included, in milliseconds. */
static uint64_t allowed(const struct play *play, unsigned side, uint64_t spent)
{
	const struct match_plan *plan = play->seat->plan;
	const struct match_limits *limits = &plan->engines[play->engine[side]].limits;
	uint64_t most = plan->patience;

	if (limits->time > 0 && limits->time + plan->margin < most)
		most = limits->time + plan->margin;
	if (limits->has_clock && play->clock[side] + plan->margin < most)
		most = play->clock[side] + plan->margin;
	return most > spent ? most - spent : 0;
}

/*
 * Asks until the turn is whole: a program with takes of its own is asked once for each. False when the game has ended
 * over it.
 */
static bool ask(struct play *play, unsigned side, struct mrl_turn *turn, struct match_answer *answer)
{
	struct match_engine *engine = play->seat->engines[play->engine[side]];
	char turn_text[4 * sizeof(answer->turn)] = "";
	struct line *line = &play->position[side];
	size_t known = line->length;
	uint64_t elapsed = 0;

	for (;;) {
		char go[160];
		struct engine_begun begun = {.is_begun = false};
		struct mrl_error error = {0};
		uint64_t spent = elapsed / MILLISECOND;

		write_go(play, side, spent, go, sizeof(go));
		enum match_trouble trouble =
		    match_engine_think(engine, line->text, go, allowed(play, side, spent), &play->seat->watch, answer);

		elapsed += answer->elapsed;
		if (trouble == MATCH_LATE)
			lose_late(play, side, elapsed / MILLISECOND);
		else if (trouble == MATCH_GONE)
			lose_gone(play, side);
		if (trouble != MATCH_FINE)
			return false;
		(void)strncat(turn_text, answer->turn, sizeof(turn_text) - strlen(turn_text) - 1);
		line->length = known;
		line->text[known] = '\0';
		answer->elapsed = elapsed;
		if (mrl_turn_read(play->game->rules, &play->game->position, turn_text, strlen(turn_text), turn,
				  &error) == MRL_OK)
			return true;
		if (answer->turn[0] == '\0' || strlen(turn_text) >= MRL_TURN_TEXT_SIZE ||
		    !engine_read_begun(play->game, turn_text, strlen(turn_text), &begun)) {
			lose_illegal(play, side, turn_text, &error);
			return false;
		}
		/* What is begun stands at the end of the line, and the engine goes on from there. */
		if (!append(line, " "))
			return false;
		for (const char *c = turn_text; *c != '\0'; c++) {
			const char letter[3] = {*c == 'x' || *c == 'X' ? ' ' : *c, *c == 'x' || *c == 'X' ? *c : '\0',
						'\0'};

			if (!append(line, letter))
				return false;
		}
	}
}

/* False when the game is over. */
static bool play_turn(struct play *play)
{
	unsigned side = play->game->position.side == MRL_WHITE ? MRL_WHITE : MRL_BLACK;
	const struct match_limits *limits = &play->seat->plan->engines[play->engine[side]].limits;
	struct match_answer answer;
	struct match_note note;
	struct mrl_turn turn;

	if (!ask(play, side, &turn, &answer))
		return false;
	uint64_t spent = answer.elapsed / MILLISECOND;

	write_note(&note, side, &answer);
	if (limits->has_clock) {
		play->clock[side] = (play->clock[side] > spent ? play->clock[side] - spent : 0) + limits->increment;
		note.has_clock = true;
		note.clock = play->clock[side];
	}
	if (cli_game_play(&play->result->opening.game, &turn, NULL) != MRL_OK || !add_note(play->result, &note) ||
	    !append_turn(play, &turn))
		return false;
	if (play->game->verdict.outcome != MRL_ONGOING) {
		end_game(play, play->game->verdict.outcome, play->game->verdict.reason, "");
		return false;
	}
	return !adjudicate(play, side, &answer);
}

/* ---- The game ----------------------------------------------------------------------------------------------- */

/* Sees to it that this side's engine runs and knows that a game begins; false when the game cannot be played. */
static bool ready_engine(struct play *play, unsigned side)
{
	struct match_engine **engine = &play->seat->engines[play->engine[side]];
	enum match_trouble trouble = MATCH_FINE;
	char why[256] = "";

	if (*engine != NULL && match_engine_new_game(*engine, &play->seat->watch) != MATCH_FINE) {
		match_engine_end(*engine, NULL);
		*engine = NULL;
	}
	if (*engine == NULL)
		trouble = match_engine_start(engine, play->seat->plan, play->engine[side], &play->seat->watch, why);
	if (trouble == MATCH_FINE)
		return true;
	if (trouble != MATCH_INTERRUPTED)
		lose(play, side, MRL_REASON_NONE, why);
	return false;
}

void match_game_play(struct match_seat *seat, size_t white, size_t black, struct match_result *result)
{
	struct play play = {
	    .seat = seat, .engine = {white, black}, .result = result, .game = &result->opening.game.game};

	result->outcome = MRL_ONGOING;
	result->opening_plies = play.game->count;
	for (unsigned side = 0; side < 2; side++)
		play.clock[side] = seat->plan->engines[play.engine[side]].limits.base;
	if (ready_engine(&play, MRL_WHITE) && ready_engine(&play, MRL_BLACK) && begin_positions(&play))
		while (play_turn(&play))
			continue;
	for (unsigned side = 0; side < 2; side++)
		free(play.position[side].text);
}

void match_result_release(struct match_result *result)
{
	match_opening_release(&result->opening);
	free(result->notes);
	result->notes = NULL;
	result->note_count = 0;
	result->note_size = 0;
}
