/*
 * The engine protocol, a conversation: each line of the input is one of it, behind a ~ one that comes while a search is
 * running. Whatever the lines hold, answers are lines, a wrong one gets one note and changes nothing, and what a search
 * would be asked for is possible. Only a rule set that was taken may have a note too: that its tables cannot be had.
 */
#include "engine_session.h"

#include "fuzz.h"

struct heard {
	unsigned notes;
	unsigned answers;
};

static void hear(void *context, const char *line)
{
	struct heard *heard = context;
	size_t length = strlen(line);

	MUST(length > 0 && length < ENGINE_ANSWER_SIZE);
	for (size_t i = 0; i < length; i++)
		MUST((unsigned char)line[i] >= 0x20 && line[i] != 0x7f);
	heard->answers++;
	heard->notes += strncmp(line, "info string ", 12) == 0;
}

static bool resize(void *context, unsigned threads, unsigned megabytes)
{
	(void)context;
	MUST(threads >= 1 && threads <= MRL_PLAYER_MAX_THREADS);
	MUST(megabytes >= 1 && megabytes <= MRL_PLAYER_MAX_MEGABYTES);
	return megabytes < 1000;
}

/* Folders with names of even length hold tables. */
static bool open_tables(void *context, const char *folder, const struct mrl_rules *rules, struct mrl_error *error)
{
	(void)context;
	if (folder == NULL)
		return true;
	MUST(rules != NULL && folder[0] != '\0');
	*error = (struct mrl_error){.message = "there are no tables"};
	return strlen(folder) % 2 == 0;
}

/* What a search would choose: the first turn it may. */
static void answer(struct engine_session *session, const struct mrl_player_limits *limits)
{
	const struct mrl_game *game = &session->game.game;
	struct mrl_turn turn;

	MUST(game->verdict.outcome == MRL_ONGOING);
	MUST(limits->lines >= 1 && limits->lines <= MRL_MAX_MULTI_PV);
	MUST(limits->level >= 1 && limits->level <= MRL_LEVELS);
	MUST((limits->only == NULL) == (limits->only_count == 0));
	for (size_t i = 0; i < limits->only_count; i++)
		MUST(mrl_turn_check(game->rules, &game->position, &limits->only[i], NULL) == MRL_OK);
	if (limits->only_count > 0)
		turn = limits->only[0];
	else
		MUST(mrl_turns(game->rules, &game->position, &turn, 1) > 0);
	if (session->begun.is_begun)
		MUST(engine_continues(&session->begun, &turn));
	engine_say_best(session, &turn, 1);
	engine_session_chosen(session, &turn);
}

static void say_line(struct engine_session *session, struct heard *heard, const char *line, size_t length)
{
	bool busy = length > 0 && line[0] == '~';
	struct mrl_position position = session->game.game.position;
	size_t count = session->game.game.count;
	const struct mrl_rules *rules = session->rules;
	unsigned lines = session->lines;

	*heard = (struct heard){0};
	struct engine_order order = engine_session_line(session, line + busy, length - busy, busy);
	const struct mrl_game *game = &session->game.game;

	MUST(heard->notes <= 1);
	MUST(game->rules == session->rules);
	MUST(game->position.hash == mrl_position_hash(game->rules, &game->position));
	MUST(mrl_position_check(game->rules, &game->position, NULL) == MRL_OK);
	MUST(!busy || session->rules == rules);
	if ((heard->notes > 0 && session->rules == rules) || busy) {
		MUST(count == game->count && mrl_position_same(&position, &game->position));
		MUST(lines == session->lines);
		MUST(order.action != ENGINE_GO && order.action != ENGINE_PERFT);
	}
	if (order.action == ENGINE_GO)
		answer(session, &order.limits);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_text text = {(const char *)data, size};
	struct engine_session session;
	struct heard heard = {0};

	MUST(engine_session_init(&session));
	session.say = hear;
	session.resize = resize;
	session.open_tables = open_tables;
	session.context = &heard;
	while (text.length > 0) {
		struct fuzz_text line = fuzz_line(&text);

		say_line(&session, &heard, line.data, line.length);
	}
	engine_session_release(&session);
	return 0;
}
