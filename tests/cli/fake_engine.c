/*
 * An engine for the tests of `merels match`, which misbehaves as its first argument says:
 *
 *   good       legal turns, chosen by the position
 *   atomic     the same, takes as moves of their own, no option Rules
 *   inline     the same, `bestmove` behind `info score ...` on one line, no option Rules
 *   noisy      the same, with much that is no protocol before it
 *   crash      ends by a signal at its third turn
 *   leave      ends with code 7 at its third turn
 *   illegal    names a turn that no position allows, at its third turn
 *   nothing    `bestmove` without a turn, at its third turn
 *   binary     `bestmove` and bytes that are no text, at its third turn
 *   hang       no answer, from its third turn on
 *   flood      lines without end instead of an answer, from its third turn on
 *   endless    a line without end instead of an answer, from its third turn on
 *   mute       does not even say `uciok`
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine_session.h"

static const char *way;

static bool is_way(const char *name)
{
	return strcmp(way, name) == 0;
}

static void say(void *context, const char *line)
{
	(void)context;
	if (is_way("mute") || ((is_way("atomic") || is_way("inline")) && strstr(line, "name Rules") != NULL))
		return;
	if (is_way("inline") && strncmp(line, "bestmove", 8) == 0)
		printf("info score 12 depth 3 ");
	printf("%s\n", line);
	(void)fflush(stdout);
}

static void make_noise(void)
{
	puts("");
	puts("info depth seldepth score cp x pv bestmove d6");
	puts("debug: bestmove follows");
	puts("info string bestmove z9");
	puts("info depth 99999999999999999999 score win");
	for (unsigned i = 0; i < 2000; i++)
		printf("infoinfoinfo ");
	puts("");
}

/* Never returns for those that do not answer. */
static void misbehave(void)
{
	if (is_way("crash"))
		abort();
	if (is_way("leave"))
		exit(7);
	if (is_way("illegal"))
		say(NULL, "bestmove a1-g7xd4 ponder d6");
	else if (is_way("nothing"))
		say(NULL, "bestmove");
	else if (is_way("binary"))
		say(NULL, "bestmove \001\002\377\"}[%");
	while (is_way("hang"))
		(void)getchar();
	while (is_way("flood"))
		say(NULL, "info depth 1 score cp 1 pv d6");
	while (is_way("endless"))
		printf("and so on ");
}

static bool misbehaves(void)
{
	static const char *const ways[] = {"crash",  "leave", "illegal", "nothing",
					   "binary", "hang",  "flood",   "endless"};

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		if (is_way(ways[i]))
			return true;
	return false;
}

static void answer(struct engine_session *session, const struct mrl_player_limits *limits)
{
	const struct mrl_game *game = &session->game.game;
	static struct mrl_turn turns[20000];
	size_t count = mrl_turns(game->rules, &game->position, turns, 20000);
	uint64_t number = game->position.hash >> 20;
	struct mrl_turn turn = limits->only != NULL ? limits->only[number % limits->only_count] : turns[number % count];

	if (is_way("noisy"))
		make_noise();
	else
		say(NULL, "info depth 1 score cp 0 nodes 1 pv a1");
	engine_say_best(session, &turn, 1);
	engine_session_chosen(session, &turn);
}

int main(int argc, char **argv)
{
	static struct engine_session session;
	static char line[1 << 20];
	unsigned turns = 0;

	way = argc > 1 ? argv[1] : "good";
	if (!engine_session_init(&session))
		return 3;
	session.say = say;
	session.atomic = is_way("atomic");
	while (fgets(line, sizeof(line), stdin) != NULL) {
		struct engine_order order = engine_session_line(&session, line, strcspn(line, "\n"), false);

		if (order.action == ENGINE_QUIT)
			break;
		if (order.action != ENGINE_GO)
			continue;
		turns++;
		if (turns >= 3 && misbehaves())
			misbehave();
		else
			answer(&session, &order.limits);
	}
	engine_session_release(&session);
	return 0;
}
