/* What each turn of a position is worth by exact tables. The files are asked on a thread of their own. */
#include <stdlib.h>
#include <string.h>

#include <merels/notation.h>
#include <merels/perfect.h>
#include <uv.h>

#include "asked.h"
#include "engines.h"
#include "exchange.h"
#include "routes.h"
#include "rulebook.h"
#include "server_internal.h"

enum { MOST_WAITING = 64 };

struct question {
	uv_work_t work;
	struct mrl__exchange *exchange;
	struct mrl_tables *tables;
	const struct mrl_rules *rules; /* the tables' own */
	struct mrl_position position;
	struct mrl_perfect perfect;
	enum mrl_status status;
	struct mrl_error error;
};

static void ask(uv_work_t *work)
{
	struct question *question = work->data;
	struct mrl_game game;

	mrl_game_init(&game, question->rules, &question->position, NULL, 0);
	question->status = mrl_perfect_rate(question->tables, &game, &question->perfect, &question->error);
}

static void write_value(struct mrl__json *json, const struct mrl_table_value *value)
{
	static const char *const names[] = {
	    [MRL_TABLE_DRAW] = "draw", [MRL_TABLE_WIN] = "win", [MRL_TABLE_LOSS] = "loss"};

	mrl__json_text(json, "value", names[value->result]);
	if (value->plies == MRL_TABLE_NO_PLIES)
		mrl__json_null(json, "distance");
	else
		mrl__json_number(json, "distance", value->plies);
}

static void write_answer(struct mrl__json *json, const struct question *question)
{
	const struct mrl_perfect *perfect = &question->perfect;

	write_value(json, &perfect->value);
	mrl__json_number(json, "best", perfect->best);
	mrl__json_open_list(json, "turns");
	for (size_t i = 0; i < perfect->count; i++) {
		char text[MRL_TURN_TEXT_SIZE];

		(void)mrl_turn_write(&question->rules->board, &perfect->turns[i].turn, text);
		mrl__json_open(json, NULL);
		mrl__json_text(json, "turn", text);
		write_value(json, &perfect->turns[i].value);
		mrl__json_number(json, "traps", perfect->turns[i].traps);
		mrl__json_close(json);
	}
	mrl__json_close_list(json);
}

static void answer(uv_work_t *work, int cancelled)
{
	struct question *question = work->data;
	struct mrl__exchange *exchange = question->exchange;

	exchange->server->questions--;
	if (cancelled != 0) {
		mrl__answer_error(exchange, 503, "stopping", "The server stops.");
	} else if (question->status == MRL_OK) {
		write_answer(mrl__answer_open(exchange), question);
		mrl_perfect_release(&question->perfect);
		mrl__answer(exchange, 200);
	} else if (question->status == MRL_DECIDED) {
		struct mrl__json *json = mrl__answer_open(exchange);

		mrl__json_open_list(json, "turns");
		mrl__json_close_list(json);
		mrl__answer(exchange, 200);
	} else if (question->status == MRL_POSITION) {
		mrl__answer_error(exchange, 404, "not-found", question->error.message);
	} else {
		mrl_log(&exchange->server->log, MRL_LOG_WARNING, "tables: %s", question->error.message);
		mrl__answer_status(exchange, MRL_SYSTEM);
	}
	free(question);
}

/* False after having answered: the position is wrong. */
bool mrl__read_asked(struct mrl__exchange *exchange, const struct mrl_rules *rules, struct mrl_position *position)
{
	char text[MRL__QUERY_SIZE] = "";
	const struct mrl__parameter wanted = {"position", text, sizeof(text)};
	struct mrl_error error;

	if (!mrl__query(exchange, &wanted, 1))
		return false;
	if (text[0] == '\0') {
		mrl__answer_error(exchange, 400, "bad-field", "\"position\" is missing.");
		return false;
	}
	if (mrl_position_read(rules, text, strlen(text), position, &error) == MRL_OK)
		return true;
	mrl__answer_error(exchange, 400, "bad-field", error.message);
	return false;
}

void mrl__api_tables(struct mrl__exchange *exchange)
{
	struct mrl__server *server = exchange->server;
	char rules[MRL_RULES_NAME_SIZE] = "nine";
	char canonical[MRL_RULES_NAME_SIZE];
	const struct mrl__parameter wanted = {"rules", rules, sizeof(rules)};
	struct mrl_error error;

	if (!mrl__query(exchange, &wanted, 1))
		return;
	if (!mrl__rules_canonical(rules, canonical, &error)) {
		mrl__answer_error(exchange, 400, "bad-field", error.message);
		return;
	}
	if (server->questions >= MOST_WAITING) {
		exchange->retry_after = 1;
		mrl__answer_error(exchange, 429, "slow-down", "Too many ask the tables at the moment.");
		return;
	}
	struct question *question = calloc(1, sizeof(*question));

	if (question == NULL) {
		mrl__answer_status(exchange, MRL_SPACE);
		return;
	}
	question->tables = mrl__engines_tables(server->engines, canonical, &question->rules);
	if (question->tables == NULL) {
		free(question);
		if (mrl__ask_worker(exchange, canonical))
			return;
		mrl__answer_error(exchange, 404, "not-found", "There are no exact tables for these rules here.");
		return;
	}
	if (!mrl__read_asked(exchange, question->rules, &question->position)) {
		free(question);
		return;
	}
	question->exchange = exchange;
	question->work.data = question;
	server->questions++;
	(void)uv_queue_work(&server->loop, &question->work, ask, answer);
}
