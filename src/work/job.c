/* A job as text, and the game that it is about. */
#include <stdlib.h>
#include <string.h>

#include <merels/search.h>

#include "message.h"

/* Longer than any game that the counters of a rule set let go on, and short enough to be gone through at once. */
enum { MOST_TURNS = 20000, MOST_TIME = 60000 };

size_t mrl_job_write(const struct mrl_job *job, char *buffer, size_t size)
{
	struct mrl_text text = mrl_text_in(buffer, size);

	message_text(&text, "do", job->kind == MRL_WORK_TURN ? "turn" : "rate");
	message_number(&text, "tables", job->tables);
	message_text(&text, "rules", job->rules);
	if (job->kind == MRL_WORK_TURN) {
		message_number(&text, "level", job->level);
		message_number(&text, "time", job->time);
		message_number(&text, "left", job->left);
		message_number(&text, "increment", job->increment);
		message_number(&text, "seed", job->seed);
	}
	if (job->position[0] != '\0')
		message_text(&text, "position", job->position);
	if (job->turns_length > 0) {
		mrl_text_add(&text, "turns ");
		mrl_text_bytes(&text, job->turns, job->turns_length);
		mrl_text_char(&text, '\n');
	}
	return text.length;
}

static enum mrl_status refuse(struct mrl_error *error, enum mrl_status status, const char *why, struct words what)
{
	struct mrl_text text = mrl_error_open(error, status, 0, 0);

	mrl_text_add(&text, why);
	mrl_text_quote(&text, what.data, what.length);
	return status;
}

static bool copy_text(char *to, size_t size, struct words words)
{
	if (words.length == 0 || words.length >= size || memchr(words.data, '\0', words.length) != NULL)
		return false;
	memcpy(to, words.data, words.length);
	to[words.length] = '\0';
	return true;
}

static bool read_number(struct words value, uint32_t *number, uint64_t most)
{
	uint64_t read;

	if (!words_number(value, most, &read))
		return false;
	*number = (uint32_t)read;
	return true;
}

static bool read_value(struct mrl_job *job, struct words key, struct words value)
{
	uint32_t number = 0;

	if (words_are(key, "do")) {
		job->kind = words_are(value, "rate") ? MRL_WORK_RATE : MRL_WORK_TURN;
		return words_are(value, "rate") || words_are(value, "turn");
	}
	if (words_are(key, "tables")) {
		job->tables = words_are(value, "1");
		return job->tables || words_are(value, "0");
	}
	if (words_are(key, "rules"))
		return copy_text(job->rules, sizeof(job->rules), value);
	if (words_are(key, "position"))
		return copy_text(job->position, sizeof(job->position), value);
	if (words_are(key, "level")) {
		bool good = read_number(value, &number, MRL_LEVELS);

		job->level = number;
		return good && number > 0;
	}
	if (words_are(key, "time"))
		return read_number(value, &job->time, MOST_TIME) && job->time > 0;
	if (words_are(key, "left"))
		return read_number(value, &job->left, UINT32_MAX);
	if (words_are(key, "increment"))
		return read_number(value, &job->increment, UINT32_MAX);
	if (words_are(key, "seed"))
		return words_number(value, UINT64_MAX, &job->seed);
	if (words_are(key, "turns")) {
		job->turns = value.data;
		job->turns_length = value.length;
	}
	return true;
}

enum mrl_status mrl_job_read(struct mrl_job *job, const char *text, size_t length, struct mrl_error *error)
{
	struct words rest = {text, length};
	struct mrl_job read = {.kind = MRL_WORK_TURN};
	bool has_kind = false;

	while (rest.length > 0) {
		struct words line = words_line(&rest);
		struct words value = line;
		struct words key = words_word(&value);

		if (!read_value(&read, key, value))
			return refuse(error, MRL_SYNTAX, "a line of the job is wrong: ", line);
		has_kind = has_kind || words_are(key, "do");
	}
	if (!has_kind || read.rules[0] == '\0')
		return refuse(error, MRL_SYNTAX, "the job does not say what is to be done, or by which rules",
			      (struct words){"", 0});
	if (read.kind == MRL_WORK_TURN && (read.level == 0 || read.time == 0))
		return refuse(error, MRL_RANGE, "the job has no level or no time", (struct words){"", 0});
	if (read.kind == MRL_WORK_RATE && !read.tables)
		return refuse(error, MRL_RANGE, "nothing is rated without tables", (struct words){"", 0});
	*job = read;
	return MRL_OK;
}

static enum mrl_status play_turns(const struct mrl_job *job, struct mrl_game *game, struct mrl_error *error)
{
	size_t at = 0;

	for (size_t count = 0; at < job->turns_length; count++) {
		size_t consumed = 0;
		struct mrl_turn turn;
		enum mrl_status status = mrl_turn_next(game->rules, &game->position, job->turns + at,
						       job->turns_length - at, &consumed, &turn, error);

		if (status != MRL_OK)
			return status;
		if (turn.to == MRL_NO_POINT)
			return MRL_OK;
		at += consumed;
		status = mrl_game_play(game, &turn, error);
		if (status == MRL_SPACE)
			return refuse(error, MRL_RANGE, "the job has too many turns", (struct words){"", 0});
		if (status != MRL_OK)
			return status;
	}
	return MRL_OK;
}

enum mrl_status mrl_job_set_up(const struct mrl_job *job, struct mrl_rules *rules, struct mrl_game *game,
			       struct mrl_error *error)
{
	/* A turn is two characters at least, and a space. */
	size_t capacity = job->turns_length / 3 + 2;
	struct mrl_position start;

	*game = (struct mrl_game){0};
	enum mrl_status status = mrl_rules_parse(rules, job->rules, strlen(job->rules), error);

	if (status != MRL_OK)
		return status;
	if (job->position[0] == '\0')
		mrl_position_start(rules, &start);
	else
		status = mrl_position_read(rules, job->position, strlen(job->position), &start, error);
	if (status != MRL_OK)
		return status;
	if (capacity > MOST_TURNS)
		return refuse(error, MRL_RANGE, "the job has too many turns", (struct words){"", 0});
	struct mrl_ply *plies = malloc(capacity * sizeof(*plies));

	if (plies == NULL)
		return refuse(error, MRL_SPACE, "there is not enough memory for the job", (struct words){"", 0});
	mrl_game_init(game, rules, &start, plies, capacity);
	status = play_turns(job, game, error);
	if (status == MRL_OK)
		return MRL_OK;
	free(plies);
	game->plies = NULL;
	return status;
}
