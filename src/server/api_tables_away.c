/* What each turn of a position is worth by exact tables that a worker has. What it says is believed as far as it fits.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <merels/notation.h>
#include <merels/work.h>

#include "asked.h"
#include "engines.h"
#include "exchange.h"
#include "rulebook.h"
#include "server_internal.h"

struct question {
	struct mrl__exchange *exchange;
	const struct mrl_rules *rules; /* held */
	struct mrl_position position;
};

struct rated {
	char turn[MRL_TURN_TEXT_SIZE];
	char value[8];
	unsigned distance;
	bool has_distance;
	unsigned traps;
};

/* "TURN VALUE DISTANCE TRAPS" */
static bool read_line(const struct question *question, const char *line, size_t length, struct rated *rated)
{
	char text[128];
	char distance[16] = "";
	struct mrl_turn turn;

	if (length >= sizeof(text))
		return false;
	memcpy(text, line, length);
	text[length] = '\0';
	if (sscanf(text, "%39s %7s %15s %9u", rated->turn, rated->value, distance, &rated->traps) != 4) /* NOLINT */
		return false;
	rated->has_distance = strcmp(distance, "-") != 0;
	rated->distance = (unsigned)strtoul(distance, NULL, 10);
	bool known =
	    strcmp(rated->value, "win") == 0 || strcmp(rated->value, "draw") == 0 || strcmp(rated->value, "loss") == 0;

	return known && mrl_turn_read(question->rules, &question->position, rated->turn, strlen(rated->turn), &turn,
				      NULL) == MRL_OK;
}

static void write_value(struct mrl__json *json, const struct rated *rated)
{
	mrl__json_text(json, "value", rated->value);
	if (rated->has_distance)
		mrl__json_number(json, "distance", rated->distance);
	else
		mrl__json_null(json, "distance");
}

/* False when a line is wrong: what was written is worth nothing then. */
static bool write_answer(struct mrl__json *json, const struct question *question, const struct mrl_work_result *result)
{
	const char *end = result->text + result->length;
	size_t count = 0;

	for (const char *line = result->text; line < end; count++) {
		const char *next = memchr(line, '\n', (size_t)(end - line));
		struct rated rated = {0};

		if (next == NULL || !read_line(question, line, (size_t)(next - line), &rated))
			return false;
		if (count == 0) {
			write_value(json, &rated);
			mrl__json_number(json, "best", result->best);
			mrl__json_open_list(json, "turns");
		}
		mrl__json_open(json, NULL);
		mrl__json_text(json, "turn", rated.turn);
		write_value(json, &rated);
		mrl__json_number(json, "traps", rated.traps);
		mrl__json_close(json);
		line = next + 1;
	}
	/* The game is over. */
	if (count == 0)
		mrl__json_open_list(json, "turns");
	mrl__json_close_list(json);
	return count >= result->best;
}

static void on_rated(void *user, const struct mrl_work_result *result)
{
	struct question *question = user;
	struct mrl__exchange *exchange = question->exchange;
	struct mrl__server *server = exchange->server; /* an exchange that was answered is gone */

	server->questions--;
	if (result != NULL && write_answer(mrl__answer_open(exchange), question, result)) {
		mrl__answer(exchange, 200);
	} else {
		exchange->retry_after = 1;
		mrl__answer_error(exchange, 503, "unavailable", "The tables cannot be asked at the moment.");
	}
	mrl__rulebook_drop(&server->rulebook, question->rules);
	free(question);
}

bool mrl__ask_worker(struct mrl__exchange *exchange, const char *rules)
{
	struct mrl__server *server = exchange->server;
	struct mrl_giver *giver = mrl__engines_giver(server->engines);
	struct mrl_job job = {.kind = MRL_WORK_RATE, .tables = true};
	uint64_t id = 0;

	if (giver == NULL || !mrl_giver_has_tables(giver, rules))
		return false;
	struct question *question = calloc(1, sizeof(*question));

	if (question == NULL)
		return false;
	question->exchange = exchange;
	question->rules = mrl__rulebook_hold(&server->rulebook, rules);
	if (question->rules == NULL) {
		free(question);
		return false;
	}
	if (mrl__read_asked(exchange, question->rules, &question->position)) {
		(void)memcpy(job.rules, rules, strlen(rules) + 1);
		(void)mrl_position_write(question->rules, &question->position, job.position);
		server->questions++;
		if (mrl_giver_ask(giver, &job, on_rated, question, &id) != MRL_OK)
			on_rated(question, NULL);
		return true;
	}
	mrl__rulebook_drop(&server->rulebook, question->rules);
	free(question);
	return true;
}
