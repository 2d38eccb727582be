/* One running engine: the handshake, a question, its answer. */
#include <stdlib.h>
#include <string.h>

#include <os/child.h>
#include <os/clock.h>

#include "match.h"

#define MILLISECOND UINT64_C(1000000)

enum {
	HANDSHAKE = 15000, /* milliseconds at most for `uciok` and `readyok` */
	FAREWELL = 500,
	SLICE = 100,
	WHY_SIZE = 256
};

struct match_engine {
	const struct match_spec *spec;
	struct mrl_child *child;
	uint64_t patience; /* milliseconds for `uciok` and `readyok` */
	bool is_ours;      /* it has the option Rules */
	char known[4096];  /* names of its options, each behind a newline */
};

bool match_engine_is_ours(const struct match_engine *engine)
{
	return engine->is_ours;
}

/* ---- Lines -------------------------------------------------------------------------------------------------- */

static bool send(struct match_engine *engine, const char *line)
{
	uint64_t moment = mrl_clock_now() + engine->patience * MILLISECOND;

	return mrl_child_send(engine->child, line, strlen(line), moment) &&
	       mrl_child_send(engine->child, "\n", 1, moment);
}

/* The next line up to a moment, looking up now and then. */
static enum match_trouble receive(struct match_engine *engine, uint64_t moment, const struct match_watch *watch,
				  const char **line)
{
	for (;;) {
		uint64_t now = mrl_clock_now();
		uint64_t slice = now + SLICE * MILLISECOND;
		enum mrl_child_answer answer = mrl_child_read(engine->child, slice < moment ? slice : moment, line);

		if (answer == MRL_CHILD_LINE)
			return mrl_clock_now() > moment ? MATCH_LATE : MATCH_FINE;
		if (answer == MRL_CHILD_ENDED)
			return MATCH_GONE;
		if (watch->stop != NULL && watch->stop(watch->context))
			return MATCH_INTERRUPTED;
		if (mrl_clock_now() >= moment)
			return MATCH_LATE;
	}
}

/* Whether a line consists of this word, as far as it goes: what follows a blank does not matter. */
static bool begins(const char *line, const char *word)
{
	size_t length = strlen(word);

	while (*line == ' ' || *line == '\t')
		line++;
	return strncmp(line, word, length) == 0 &&
	       (line[length] == '\0' || line[length] == ' ' || line[length] == '\t');
}

/* ---- Handshake ---------------------------------------------------------------------------------------------- */

/* "option name Some Name type ..." */
static void note_option(struct match_engine *engine, const char *line)
{
	const char *name = strstr(line, "name ");
	const char *end = name != NULL ? strstr(name, " type") : NULL;
	size_t used = strlen(engine->known);

	if (name == NULL)
		return;
	name += strlen("name ");
	size_t length = end != NULL ? (size_t)(end - name) : strlen(name);

	if (length == 5 && strncmp(name, "Rules", 5) == 0)
		engine->is_ours = true;
	if (used + length + 3 > sizeof(engine->known))
		return;
	engine->known[used] = '\n';
	memcpy(engine->known + used + 1, name, length);
	memcpy(engine->known + used + 1 + length, "\n", 2);
}

static bool has_option(const struct match_engine *engine, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = engine->known; *at != '\0'; at++)
		if (*at == '\n' && strncmp(at + 1, name, length) == 0 && at[1 + length] == '\n')
			return true;
	return false;
}

static enum match_trouble wait_for(struct match_engine *engine, const char *word, const struct match_watch *watch)
{
	uint64_t moment = mrl_clock_now() + engine->patience * MILLISECOND;
	enum match_trouble trouble;
	const char *line;

	while ((trouble = receive(engine, moment, watch, &line)) == MATCH_FINE) {
		if (begins(line, word))
			return MATCH_FINE;
		if (begins(line, "option"))
			note_option(engine, line);
	}
	return trouble;
}

static enum match_trouble explain(const struct match_engine *engine, enum match_trouble trouble, const char *what,
				  char *why)
{
	switch (trouble) {
	case MATCH_LATE:
		(void)snprintf(why, WHY_SIZE, "no %s within %llu seconds", what,
			       (unsigned long long)engine->patience / 1000);
		break;
	case MATCH_GONE:
		(void)snprintf(why, WHY_SIZE, "it ended before it said %s", what);
		break;
	default:
		break;
	}
	return trouble;
}

static enum match_trouble set_option(struct match_engine *engine, const char *name, const char *value, char *why)
{
	size_t size = strlen(name) + strlen(value) + 32;
	char *line = malloc(size);

	if (line == NULL) {
		(void)snprintf(why, WHY_SIZE, "there is not enough memory");
		return MATCH_UNFIT;
	}
	(void)snprintf(line, size, "setoption name %s value %s", name, value);
	bool sent = send(engine, line);

	free(line);
	if (sent)
		return MATCH_FINE;
	(void)snprintf(why, WHY_SIZE, "it does not read the option %s", name);
	return MATCH_GONE;
}

static enum match_trouble set_options(struct match_engine *engine, const struct match_plan *plan, char *why)
{
	enum match_trouble trouble = MATCH_FINE;

	if (engine->is_ours)
		trouble = set_option(engine, "Rules", plan->rules_text, why);
	for (size_t i = 0; i < engine->spec->option_count && trouble == MATCH_FINE; i++) {
		const struct match_option *option = &engine->spec->options[i];

		if (!has_option(engine, option->name)) {
			(void)snprintf(why, WHY_SIZE, "it has no option %s", option->name);
			return MATCH_UNFIT;
		}
		trouble = set_option(engine, option->name, option->value, why);
	}
	return trouble;
}

static enum match_trouble shake_hands(struct match_engine *engine, const struct match_plan *plan,
				      const struct match_watch *watch, char *why)
{
	enum match_trouble trouble = send(engine, "uci") ? wait_for(engine, "uciok", watch) : MATCH_GONE;

	if (trouble != MATCH_FINE)
		return explain(engine, trouble, "uciok", why);
	trouble = set_options(engine, plan, why);
	if (trouble != MATCH_FINE)
		return trouble;
	trouble = send(engine, "isready") ? wait_for(engine, "readyok", watch) : MATCH_GONE;
	return explain(engine, trouble, "readyok", why);
}

enum match_trouble match_engine_start(struct match_engine **engine, const struct match_plan *plan, size_t number,
				      const struct match_watch *watch, char *why)
{
	struct match_engine *made = calloc(1, sizeof(*made));
	struct mrl_error error = {0};

	why[0] = '\0';
	if (made == NULL) {
		(void)snprintf(why, WHY_SIZE, "there is not enough memory");
		return MATCH_UNFIT;
	}
	made->spec = &plan->engines[number];
	made->patience = plan->patience < HANDSHAKE ? plan->patience : HANDSHAKE;
	if (mrl_child_start(&made->child, made->spec->arguments, NULL, plan->quiet, &error) != MRL_OK) {
		(void)snprintf(why, WHY_SIZE, "%.200s", error.message);
		free(made);
		return MATCH_UNFIT;
	}
	enum match_trouble trouble = shake_hands(made, plan, watch, why);

	if (trouble == MATCH_FINE)
		*engine = made;
	else
		match_engine_end(made, NULL);
	return trouble;
}

void match_engine_end(struct match_engine *engine, char *how)
{
	if (engine == NULL)
		return;
	(void)mrl_child_send(engine->child, "quit\n", 5, mrl_clock_now());
	mrl_child_end(engine->child, FAREWELL * MILLISECOND, how);
	free(engine);
}

enum match_trouble match_engine_new_game(struct match_engine *engine, const struct match_watch *watch)
{
	if (!send(engine, "ucinewgame") || !send(engine, "isready"))
		return MATCH_GONE;
	return wait_for(engine, "readyok", watch);
}

/* ---- A question and its answer ------------------------------------------------------------------------------ */

/* The next word of a line, or a length of 0. */
static size_t next_word(const char **at, const char **word)
{
	while (**at == ' ' || **at == '\t')
		++*at;
	*word = *at;
	while (**at != '\0' && **at != ' ' && **at != '\t')
		++*at;
	return (size_t)(*at - *word);
}

static bool word_is(const char *word, size_t length, const char *name)
{
	return length == strlen(name) && memcmp(word, name, length) == 0;
}

/* "cp 12", "win 7", "win" without plies, "mate -3", "draw", or a number alone, as some programs write. */
static void read_score(const char **at, struct match_answer *answer)
{
	const char *word;
	size_t length = next_word(at, &word);
	bool cp = word_is(word, length, "cp");
	bool win = word_is(word, length, "win") || word_is(word, length, "mate");
	bool loss = word_is(word, length, "loss");
	long number = 0;

	answer->score[0] = '\0';
	if (word_is(word, length, "draw")) {
		(void)snprintf(answer->score, sizeof(answer->score), "draw");
		answer->value = 0;
		answer->has_value = true;
		return;
	}
	const char *digits = word;

	if (cp || win || loss)
		(void)next_word(at, &digits);
	char *end = NULL;

	number = strtol(digits, &end, 10);
	if ((end == digits && !win && !loss) || number > 1000000 || number < -1000000)
		return;
	answer->has_value = true;
	if (end == digits) { /* how far off is not known */
		*at = digits;
		(void)snprintf(answer->score, sizeof(answer->score), win ? "win" : "loss");
		answer->value = win ? MRL_SCORE_WIN : -MRL_SCORE_WIN;
		return;
	}
	if (win) {
		(void)snprintf(answer->score, sizeof(answer->score), "win %ld", number);
		answer->value = number > 0 ? MRL_SCORE_WIN : -MRL_SCORE_WIN;
	} else if (loss) {
		(void)snprintf(answer->score, sizeof(answer->score), "loss %ld", number);
		answer->value = -MRL_SCORE_WIN;
	} else {
		(void)snprintf(answer->score, sizeof(answer->score), "cp %ld", number);
		answer->value = (int)number;
	}
}

/* The turn of `bestmove d6-d7 xa1 ponder ...`, its parts closed up. */
static void read_turn(const char **at, struct match_answer *answer)
{
	size_t used = 0;
	const char *word;
	size_t length;

	while ((length = next_word(at, &word)) > 0) {
		bool take = word[0] == 'x' || word[0] == 'X';

		if ((used > 0 && !take) || word_is(word, length, "ponder"))
			break;
		if (length >= sizeof(answer->turn) - used)
			length = sizeof(answer->turn) - 1 - used;
		memcpy(answer->turn + used, word, length);
		used += length;
	}
	answer->turn[used] = '\0';
}

/* Takes what a line tells; true when it holds the answer. Some programs put `bestmove` behind `info score ...`. */
static bool read_line(const char *line, struct match_answer *answer)
{
	const char *at = line;
	const char *word;
	size_t length = next_word(&at, &word);
	bool first_line_of_play = true;

	if (word_is(word, length, "bestmove")) {
		read_turn(&at, answer);
		return true;
	}
	if (!word_is(word, length, "info"))
		return false;
	while ((length = next_word(&at, &word)) > 0) {
		char *end = NULL;

		if (word_is(word, length, "bestmove")) {
			read_turn(&at, answer);
			return true;
		}
		if (word_is(word, length, "string") || word_is(word, length, "pv"))
			return false;
		if (word_is(word, length, "multipv"))
			first_line_of_play = strtoul(at, &end, 10) <= 1;
		else if (!first_line_of_play)
			continue;
		else if (word_is(word, length, "score"))
			read_score(&at, answer);
		else if (word_is(word, length, "depth"))
			answer->depth = (unsigned)(strtoul(at, &end, 10) % 1000);
		else if (word_is(word, length, "nodes"))
			answer->nodes = strtoull(at, &end, 10);
	}
	return false;
}

enum match_trouble match_engine_think(struct match_engine *engine, const char *position, const char *go,
				      uint64_t allowed, const struct match_watch *watch, struct match_answer *answer)
{
	*answer = (struct match_answer){0};
	if (!send(engine, position))
		return MATCH_GONE;
	uint64_t begin = mrl_clock_now();

	if (!send(engine, go))
		return MATCH_GONE;
	for (;;) {
		const char *line;
		enum match_trouble trouble = receive(engine, begin + allowed * MILLISECOND, watch, &line);

		answer->elapsed = mrl_clock_now() - begin;
		if (trouble != MATCH_FINE)
			return trouble;
		if (read_line(line, answer))
			return MATCH_FINE;
	}
}
