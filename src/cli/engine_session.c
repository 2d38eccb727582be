/* The engine's conversation: which command a line is, and words. */
#include "engine_session.h"

#include <stdlib.h>
#include <string.h>

#include <merels/text.h>
#include <merels/version.h>

/* ---- Words -------------------------------------------------------------------------------------------------- */

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

struct engine_word engine_next_word(struct engine_words *words)
{
	while (words->at < words->end && is_space(*words->at))
		words->at++;
	struct engine_word word = {words->at, 0};

	while (words->at < words->end && !is_space(*words->at))
		words->at++;
	word.length = (size_t)(words->at - word.text);
	return word;
}

bool engine_word_is(struct engine_word word, const char *name)
{
	return word.length == strlen(name) && memcmp(word.text, name, word.length) == 0;
}

bool engine_word_number(struct engine_word word, uint64_t from, uint64_t to, uint64_t *number)
{
	uint64_t value = 0;

	if (word.length == 0)
		return false;
	for (size_t i = 0; i < word.length; i++) {
		if (word.text[i] < '0' || word.text[i] > '9')
			return false;
		uint64_t digit = (uint64_t)(word.text[i] - '0');

		if (value > (UINT64_MAX - digit) / 10)
			return false;
		value = 10 * value + digit;
	}
	if (value < from || value > to)
		return false;
	*number = value;
	return true;
}

const char *engine_quote(struct engine_word word, char quoted[ENGINE_QUOTE_SIZE])
{
	struct mrl_text text = mrl_text_in(quoted, ENGINE_QUOTE_SIZE);

	mrl_text_quote(&text, word.text, word.length);
	return quoted;
}

/* ---- State -------------------------------------------------------------------------------------------------- */

bool engine_session_init(struct engine_session *session)
{
	*session =
	    (struct engine_session){.threads = 1, .megabytes = 16, .lines = 1, .level = MRL_LEVELS, .endings = true};
	session->rules = malloc(sizeof(*session->rules));
	if (session->rules == NULL || mrl_rules_parse(session->rules, "nine", 4, NULL) != MRL_OK) {
		free(session->rules);
		return false;
	}
	cli_game_init(&session->game, session->rules, NULL);
	return true;
}

void engine_session_release(struct engine_session *session)
{
	cli_game_release(&session->game);
	free(session->rules);
	free(session->only);
	free(session->table_path);
}

void engine_session_chosen(struct engine_session *session, const struct mrl_turn *turn)
{
	session->has_chosen = true;
	session->chosen_in = session->game.game.position;
	session->chosen = *turn;
}

/* ---- Lines -------------------------------------------------------------------------------------------------- */

static void introduce(const struct engine_session *session)
{
	session->say(session->context, "id name Merels " MRL_VERSION);
	session->say(session->context, "id author the Merels developers");
	engine_say_options(session);
	session->say(session->context, "uciok");
}

/* A command that would change what a running search works on. */
static bool must_wait(const struct engine_session *session, struct engine_word command, bool busy)
{
	static const char *const commands[] = {"position", "go", "setoption", "ucinewgame"};

	for (size_t i = 0; busy && i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (engine_word_is(command, commands[i])) {
			engine_say_note(session, "%s: a search is running; stop it first", commands[i]);
			return true;
		}
	}
	return false;
}

static enum engine_action plain_command(const struct engine_session *session, struct engine_word command)
{
	static const struct {
		const char *name;
		enum engine_action action;
	} commands[] = {{"stop", ENGINE_STOP},
			{"ponderhit", ENGINE_PONDER_HIT},
			{"ucinewgame", ENGINE_NEW_GAME},
			{"quit", ENGINE_QUIT}};
	char quoted[ENGINE_QUOTE_SIZE];

	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (engine_word_is(command, commands[i].name))
			return commands[i].action;
	engine_say_note(session,
			"unknown command %s; there are uci, isready, setoption, ucinewgame, position, go, stop, "
			"ponderhit and quit",
			engine_quote(command, quoted));
	return ENGINE_NOTHING;
}

struct engine_order engine_session_line(struct engine_session *session, const char *line, size_t length, bool busy)
{
	struct engine_order order = {.action = ENGINE_NOTHING};
	struct engine_words words = {line, line + length};

	if (length > ENGINE_MAX_LINE) {
		engine_say_note(session, "a line of more than %zu bytes is not read", ENGINE_MAX_LINE);
		return order;
	}
	struct engine_word command = engine_next_word(&words);

	if (command.length == 0 || must_wait(session, command, busy))
		return order;
	if (engine_word_is(command, "uci"))
		introduce(session);
	else if (engine_word_is(command, "isready"))
		session->say(session->context, "readyok");
	else if (engine_word_is(command, "position"))
		engine_position(session, words);
	else if (engine_word_is(command, "setoption"))
		engine_set_option(session, words);
	else if (engine_word_is(command, "go"))
		order = engine_go(session, words);
	else
		order.action = plain_command(session, command);
	if (order.action == ENGINE_NEW_GAME)
		session->has_chosen = false;
	return order;
}
