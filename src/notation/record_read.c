/*
 * Reads records: the turns with everything beside them, the result, and the way on to the next game after an error.
 *
 * One loop, no recursion: a variation that opens pushes a frame, which lives in the arena like everything else. The
 * game that the turns are played on lies at the arena's far end: it is needed for legality and repetition while
 * reading, and its memory is free again afterwards.
 */
#include <merels/builtins.h>

#include "record_internal.h"
#include "turn.h"

/* ---- Errors ------------------------------------------------------------------------------------------------- */

enum mrl_status mrl__no_space(struct mrl__reading *reading)
{
	struct mrl_text text = mrl_error_open(reading->error, MRL_SPACE, 0, 0);

	mrl_text_add(&text, "the memory for the record is too small");
	return MRL_SPACE;
}

struct mrl_text mrl__reading_fail(struct mrl__reading *reading, size_t at, enum mrl_status status)
{
	return mrl__fail(&reading->scan, at, status, reading->error);
}

enum mrl_status mrl__reading_expected(struct mrl__reading *reading, size_t at, const char *what)
{
	struct mrl_text text = mrl__reading_fail(reading, at, MRL_SYNTAX);

	mrl_text_add(&text, "expected ");
	mrl_text_add(&text, what);
	mrl_text_add(&text, "; found ");
	mrl__found(&text, &reading->scan, at);
	return MRL_SYNTAX;
}

/* ---- Turns -------------------------------------------------------------------------------------------------- */

/* Makes room for one more ply: the history moves down, away from the arena's end. */
static enum mrl_status grow_history(struct mrl__reading *reading)
{
	struct mrl_arena *work = &reading->work;
	size_t more = reading->game.capacity > 0 ? reading->game.capacity : 32;
	size_t bytes = more * sizeof(struct mrl_ply);
	struct mrl_ply *plies;

	if (bytes > work->size - work->used)
		return mrl__no_space(reading);
	work->size -= bytes;
	/* `more` plies further down than before, at least as many as there are: the two do not overlap. */
	plies = (struct mrl_ply *)(void *)(work->memory + work->size);
	if (reading->game.count > 0)
		mrl_copy(plies, reading->game.plies, reading->game.count * sizeof *plies);
	mrl_game_move(&reading->game, plies, reading->game.capacity + more);
	return MRL_OK;
}

static enum mrl_status add_turn(struct mrl__reading *reading, const struct mrl_turn *turn)
{
	struct mrl_record_turn *node = mrl__take(&reading->work, sizeof *node);
	enum mrl_status status = MRL_OK;

	if (node == NULL)
		return mrl__no_space(reading);
	if (reading->game.count == reading->game.capacity)
		status = grow_history(reading);
	if (status != MRL_OK)
		return status;
	node->turn = *turn;
	node->ply = reading->game.count;
	node->clock = MRL_NO_CLOCK;
	node->line = reading->line;
	node->previous = reading->last;
	node->before = reading->pending.first;
	if (reading->last != NULL)
		reading->last->next = node;
	else
		reading->line->first = node;
	reading->line->last = node;
	reading->last = node;
	reading->tails = (struct mrl__tails){NULL, NULL, NULL};
	reading->pending = (struct mrl__comments){NULL, NULL};
	reading->record->count += reading->frames == NULL;
	return mrl_game_play(&reading->game, turn, reading->error);
}

/* Whether a turn or a result may end before this byte. */
static bool is_delimiter(const struct mrl__scan *scan, size_t at)
{
	char c = mrl__byte(scan, at);

	return at >= scan->length || mrl__is_space(c) || c == '{' || c == '}' || c == '(' || c == ')' || c == ';' ||
	       c == '$' || c == '!' || c == '?' || c == '*' || c == '[';
}

static enum mrl_status read_turn(struct mrl__reading *reading)
{
	struct mrl__scan *scan = &reading->scan;
	const struct mrl_game *game = &reading->game;
	size_t start = scan->at;
	struct mrl_turn turn;
	enum mrl_status status;
	struct mrl_text text;

	if (game->verdict.outcome != MRL_ONGOING) {
		size_t end = start;

		while (!is_delimiter(scan, end))
			end++;
		text = mrl__reading_fail(reading, start, MRL_DECIDED);
		mrl_text_quote(&text, scan->text + start, end - start);
		mrl_text_add(&text, " is played after the end: the game is over, ");
		mrl_text_add(&text, mrl_outcome_text(game->verdict.outcome));
		mrl_text_char(&text, ' ');
		mrl_text_add(&text, mrl_reason_text(game->verdict.reason));
		return MRL_DECIDED;
	}
	status = mrl__turn_scan(game->rules, &game->position, scan, &turn, reading->error);
	if (status != MRL_OK)
		return status;
	if (!is_delimiter(scan, scan->at))
		return mrl__reading_expected(reading, scan->at, "the end of the turn");
	return add_turn(reading, &turn);
}

/* ---- Variations --------------------------------------------------------------------------------------------- */

static enum mrl_status open_variation(struct mrl__reading *reading)
{
	struct mrl__frame *frame = reading->spare;
	struct mrl_record_line *line;

	if (reading->last == NULL)
		return mrl__reading_expected(reading, reading->scan.at, "a turn before the variation that replaces it");
	if (frame != NULL)
		reading->spare = frame->outer;
	else
		frame = mrl__take(&reading->work, sizeof *frame);
	line = mrl__take(&reading->work, sizeof *line);
	if (frame == NULL || line == NULL)
		return mrl__no_space(reading);
	line->replaces = reading->last;
	if (reading->tails.variation != NULL)
		reading->tails.variation->next = line;
	else
		reading->last->variations = line;
	reading->tails.variation = line;
	*frame =
	    (struct mrl__frame){reading->frames, reading->last, reading->pending, reading->tails, reading->scan.at};
	reading->frames = frame;
	reading->line = line;
	reading->last = NULL;
	reading->pending = (struct mrl__comments){NULL, NULL};
	(void)mrl_game_back(&reading->game);
	reading->scan.at++;
	return MRL_OK;
}

static enum mrl_status close_variation(struct mrl__reading *reading)
{
	struct mrl__frame *frame = reading->frames;
	enum mrl_status status;

	if (frame == NULL)
		return mrl__reading_expected(reading, reading->scan.at, "( before a )");
	if (reading->last == NULL)
		return mrl__reading_expected(reading, reading->scan.at, "a turn in the variation");
	status = mrl__settle_comments(reading);
	if (status != MRL_OK)
		return status;
	while (reading->game.count > frame->replaced->ply)
		(void)mrl_game_back(&reading->game);
	reading->last = frame->replaced;
	reading->line = frame->replaced->line;
	reading->pending = frame->pending;
	reading->tails = frame->tails;
	reading->frames = frame->outer;
	frame->outer = reading->spare;
	reading->spare = frame;
	reading->scan.at++;
	return mrl_game_play(&reading->game, &reading->last->turn, reading->error);
}

/* ---- Numbers and the result --------------------------------------------------------------------------------- */

/* Moves behind the result at the scan; false when there is none. */
static bool skip_result(struct mrl__scan *scan, enum mrl_outcome *outcome)
{
	for (enum mrl_outcome o = MRL_ONGOING; o <= MRL_DRAW; o++) {
		const char *text = mrl_outcome_text(o);
		size_t at = scan->at;

		while (*text != '\0' && mrl__byte(scan, at) == *text) {
			at++;
			text++;
		}
		if (*text == '\0' && (o == MRL_ONGOING || is_delimiter(scan, at))) {
			*outcome = o;
			scan->at = at;
			return true;
		}
	}
	return false;
}

/* The number of a move, `12.`, `12...` or `12`: people and programs count differently, so it is not looked at. */
static enum mrl_status skip_number(struct mrl__reading *reading)
{
	struct mrl__scan *scan = &reading->scan;
	size_t start = scan->at;

	while (mrl__is_digit(mrl__byte(scan, scan->at)))
		scan->at++;
	if (mrl__byte(scan, scan->at) != '.' && !is_delimiter(scan, scan->at))
		return mrl__reading_expected(reading, start, "a turn, its number as in 1. or the result of the game");
	while (mrl__byte(scan, scan->at) == '.')
		scan->at++;
	return MRL_OK;
}

static enum mrl_status contradiction(struct mrl__reading *reading, size_t at, const char *what, const char *value,
				     const char *why)
{
	struct mrl_text text = mrl__reading_fail(reading, at, MRL_SYNTAX);

	mrl_text_add(&text, what);
	mrl_text_add(&text, value);
	mrl_text_add(&text, ", but ");
	mrl_text_add(&text, why);
	return MRL_SYNTAX;
}

/* The result stands at `place`, the scan behind it. */
static enum mrl_status finish(struct mrl__reading *reading, enum mrl_outcome outcome, size_t place)
{
	const struct mrl__tag_value *result = &reading->value[MRL__TAG_RESULT];
	const struct mrl__tag_value *termination = &reading->value[MRL__TAG_TERMINATION];
	struct mrl_record *record = reading->record;
	struct mrl_verdict verdict = reading->game.verdict;
	char reason_text[256];
	struct mrl_text why = mrl_text_in(reason_text, sizeof reason_text);
	enum mrl_status status;

	reading->at_end = true;
	if (reading->frames != NULL)
		return contradiction(reading, reading->frames->place,
				     "the variation that begins here is not closed by )", "",
				     "the result of the game follows");
	if (result->text != NULL && !mrl__strings_equal(result->text, mrl_outcome_text(outcome)))
		return contradiction(reading, place, "the result is ", mrl_outcome_text(outcome),
				     "the tag Result says otherwise");
	if (!mrl__result_fits(verdict, outcome, MRL_REASON_NONE, &why))
		return contradiction(reading, place, "the result is ", mrl_outcome_text(outcome), reason_text);
	if (!mrl__result_fits(verdict, outcome, record->reason, &why))
		return contradiction(reading, termination->place, "Termination is ", termination->text, reason_text);
	status = mrl__settle_comments(reading);
	if (status != MRL_OK)
		return status;
	record->outcome = outcome;
	if (verdict.outcome != MRL_ONGOING) {
		/* What another program called it is not kept beside what the rules call it. */
		record->reason = verdict.reason;
		mrl__drop_tag(record, mrl__tag_names[MRL__TAG_TERMINATION]);
	}
	record->verdict = verdict;
	record->final = reading->game.position;
	return MRL_OK;
}

static enum mrl_status no_result(struct mrl__reading *reading)
{
	if (reading->frames != NULL) {
		struct mrl_text text = mrl__reading_fail(reading, reading->frames->place, MRL_SYNTAX);

		mrl_text_add(&text, "the variation that begins here is never closed by )");
		return MRL_SYNTAX;
	}
	return mrl__reading_expected(reading, reading->scan.at,
				     "the result of the game, 1-0, 0-1, 1/2-1/2 or * when it has none");
}

/* ---- The text of the turns ---------------------------------------------------------------------------------- */

static enum mrl_status read_one(struct mrl__reading *reading)
{
	struct mrl__scan *scan = &reading->scan;
	char c = mrl__byte(scan, scan->at);

	switch (c) {
	case '{':
	case ';':
		return mrl__read_comment(reading);
	case '(':
		return open_variation(reading);
	case ')':
		return close_variation(reading);
	case '$':
	case '!':
	case '?':
		return mrl__read_nag(reading);
	case '}':
		return mrl__reading_expected(reading, scan->at, "{ before a }");
	case '[':
		return no_result(reading);
	case '.':
		scan->at++;
		return MRL_OK;
	default:
		if (mrl__is_digit(c))
			return skip_number(reading);
		if (mrl__is_letter(c))
			return read_turn(reading);
		return mrl__reading_expected(reading, scan->at, "a turn, a comment, a variation or the result");
	}
}

static enum mrl_status read_turns(struct mrl__reading *reading)
{
	struct mrl__scan *scan = &reading->scan;
	enum mrl_outcome outcome = MRL_ONGOING;

	for (;;) {
		enum mrl_status status;
		size_t place;

		mrl__skip_blank(scan);
		place = scan->at;
		if (mrl__at_end(scan))
			return no_result(reading);
		if (skip_result(scan, &outcome))
			return finish(reading, outcome, place);
		status = read_one(reading);
		if (status != MRL_OK)
			return status;
	}
}

static enum mrl_status read_game(struct mrl__reading *reading)
{
	enum mrl_status status;

	reading->record = mrl__take(&reading->work, sizeof *reading->record);
	if (reading->record == NULL)
		return mrl__no_space(reading);
	reading->line = &reading->record->line;
	status = mrl__read_tags(reading);
	if (status == MRL_OK)
		status = mrl__use_tags(reading);
	return status == MRL_OK ? read_turns(reading) : status;
}

/* ---- The way on after an error ------------------------------------------------------------------------------ */

static void skip_line(struct mrl__scan *scan)
{
	while (!mrl__at_end(scan) && scan->text[scan->at] != '\n')
		scan->at++;
	scan->at += !mrl__at_end(scan);
}

/* Whether a line begins here with `[Name "`, as the next game does; in a comment nobody writes that. */
static bool at_tag_line(const struct mrl__scan *scan)
{
	size_t at = scan->at;

	if (mrl__byte(scan, at) != '[' || (at > 0 && scan->text[at - 1] != '\n') ||
	    !mrl__is_letter(mrl__byte(scan, at + 1)))
		return false;
	for (at++; mrl__is_letter(mrl__byte(scan, at)) || mrl__is_digit(mrl__byte(scan, at)); at++)
		;
	while (mrl__byte(scan, at) == ' ')
		at++;
	return mrl__byte(scan, at) == '"';
}

/* Moves to where the next game may begin: behind the result of the bad one, or to the next line with a tag. */
static void skip_bad_game(struct mrl__scan *scan, bool in_tags)
{
	enum mrl_outcome outcome;
	bool in_comment = false;

	if (in_tags) {
		skip_line(scan);
		while (at_tag_line(scan))
			skip_line(scan);
	}
	while (!mrl__at_end(scan) && !at_tag_line(scan)) {
		bool word = scan->at == 0 || is_delimiter(scan, scan->at - 1) || scan->text[scan->at] == '*';

		if (!in_comment && word && skip_result(scan, &outcome))
			return;
		if (scan->text[scan->at] == '{')
			in_comment = true;
		else if (scan->text[scan->at] == '}')
			in_comment = false;
		scan->at++;
	}
}

/* ---- The reader --------------------------------------------------------------------------------------------- */

void mrl_record_reader_init(struct mrl_record_reader *reader, const char *text, size_t length)
{
	reader->text = text;
	reader->length = length;
	reader->at = 0;
	reader->line = 1;
	reader->column = 1;
	reader->games = 0;
	reader->rules_text[0] = '\0';
}

static struct mrl__scan scan_of(const struct mrl_record_reader *reader)
{
	return (struct mrl__scan){.text = reader->text,
				  .length = reader->length,
				  .at = reader->at,
				  .known = {reader->at, reader->line, reader->column}};
}

static void move_reader(struct mrl_record_reader *reader, const struct mrl__scan *scan)
{
	struct mrl__place place = scan->known;

	mrl__place_move(&place, scan->text, scan->at);
	reader->at = place.at;
	reader->line = place.line;
	reader->column = place.column;
}

bool mrl_record_more(struct mrl_record_reader *reader)
{
	static const char mark[] = "\xef\xbb\xbf";
	struct mrl__scan scan = scan_of(reader);

	if (scan.at == 0 && scan.length >= 3 && mrl_compare(scan.text, mark, 3) == 0)
		scan.at = 3;
	mrl__skip_blank(&scan);
	move_reader(reader, &scan);
	return !mrl__at_end(&scan);
}

enum mrl_status mrl_record_read(struct mrl_record_reader *reader, struct mrl_arena *arena, struct mrl_record **record,
				struct mrl_error *error)
{
	bool more = mrl_record_more(reader);
	struct mrl__reading reading = {.scan = scan_of(reader), .reader = reader, .work = *arena, .error = error};
	enum mrl_status status;

	*record = NULL;
	if (!more)
		return mrl__reading_expected(&reading, reading.scan.at, "a game");
	status = read_game(&reading);
	if (status == MRL_SPACE)
		return status;
	if (status == MRL_OK) {
		arena->used = reading.work.used;
		*record = reading.record;
	} else if (!reading.at_end) {
		skip_bad_game(&reading.scan, reading.in_tags);
	}
	move_reader(reader, &reading.scan);
	reader->games++;
	return status;
}
