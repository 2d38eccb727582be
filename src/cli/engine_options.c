/* The engine's options: what there is, and setting one. */
#include "engine_session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A value for an option: what is left of the line, without white space around it. */
typedef void set_option(struct engine_session *session, const char *name, struct engine_word value);

static void wrong_number(const struct engine_session *session, const char *name, struct engine_word value,
			 unsigned from, unsigned to)
{
	char quoted[ENGINE_QUOTE_SIZE];

	engine_say_note(session, "option %s: expected a whole number from %u to %u, found %s", name, from, to,
			engine_quote(value, quoted));
}

/* Opens the tables of table_path for the present rule set; says so when it plays without. */
static void open_tables(struct engine_session *session)
{
	struct mrl_error error = {0};

	if (session->table_path == NULL)
		return;
	if (session->open_tables == NULL)
		engine_say_note(session, "option TablePath: there are no tables here; it plays without");
	else if (!session->open_tables(session->context, session->table_path, session->rules, &error))
		engine_say_note(session, "option TablePath: %s; it plays without", error.message);
}

static void close_tables(struct engine_session *session)
{
	if (session->open_tables != NULL)
		(void)session->open_tables(session->context, NULL, NULL, NULL);
}

static void set_rules(struct engine_session *session, const char *name, struct engine_word value)
{
	struct mrl_rules *rules = malloc(sizeof(*rules));
	struct mrl_error error = {0};

	if (rules == NULL) {
		engine_say_note(session, "option %s: there is not enough memory", name);
		return;
	}
	if (mrl_rules_parse(rules, value.text, value.length, &error) != MRL_OK) {
		engine_say_note(session, "option %s: column %zu: %s", name, error.column, error.message);
		free(rules);
		return;
	}
	close_tables(session); /* they look at the rules that go */
	cli_game_release(&session->game);
	free(session->rules);
	session->rules = rules;
	session->begun.is_begun = false;
	session->has_chosen = false;
	cli_game_init(&session->game, rules, NULL);
	open_tables(session);
}

static void resize(struct engine_session *session, const char *name, unsigned threads, unsigned megabytes)
{
	if (threads == session->threads && megabytes == session->megabytes)
		return;
	if (session->resize != NULL && !session->resize(session->context, threads, megabytes)) {
		engine_say_note(session, "option %s: there is not enough memory; it stays at %u threads and %u MB",
				name, session->threads, session->megabytes);
		return;
	}
	session->threads = threads;
	session->megabytes = megabytes;
}

static void set_threads(struct engine_session *session, const char *name, struct engine_word value)
{
	uint64_t number;

	if (engine_word_number(value, 1, MRL_PLAYER_MAX_THREADS, &number))
		resize(session, name, (unsigned)number, session->megabytes);
	else
		wrong_number(session, name, value, 1, MRL_PLAYER_MAX_THREADS);
}

static void set_hash(struct engine_session *session, const char *name, struct engine_word value)
{
	uint64_t number;

	if (engine_word_number(value, 1, MRL_PLAYER_MAX_MEGABYTES, &number))
		resize(session, name, session->threads, (unsigned)number);
	else
		wrong_number(session, name, value, 1, MRL_PLAYER_MAX_MEGABYTES);
}

static void set_lines(struct engine_session *session, const char *name, struct engine_word value)
{
	uint64_t number;

	if (engine_word_number(value, 1, MRL_MAX_MULTI_PV, &number))
		session->lines = (unsigned)number;
	else
		wrong_number(session, name, value, 1, MRL_MAX_MULTI_PV);
}

static void set_level(struct engine_session *session, const char *name, struct engine_word value)
{
	uint64_t number;

	if (engine_word_number(value, 1, MRL_LEVELS, &number))
		session->level = (unsigned)number;
	else
		wrong_number(session, name, value, 1, MRL_LEVELS);
}

static void set_table_path(struct engine_session *session, const char *name, struct engine_word value)
{
	char *path = NULL;

	if (value.length > 0 && !engine_word_is(value, "<empty>")) {
		if (memchr(value.text, '\0', value.length) != NULL) {
			engine_say_note(session, "option %s: a folder has no NUL byte in its name", name);
			return;
		}
		path = malloc(value.length + 1);
		if (path == NULL) {
			engine_say_note(session, "option %s: there is not enough memory", name);
			return;
		}
		memcpy(path, value.text, value.length);
		path[value.length] = '\0';
	}
	close_tables(session);
	free(session->table_path);
	session->table_path = path;
	open_tables(session);
}

static void set_check(struct engine_session *session, const char *name, struct engine_word value, bool *check)
{
	char quoted[ENGINE_QUOTE_SIZE];

	if (engine_word_is(value, "true"))
		*check = true;
	else if (engine_word_is(value, "false"))
		*check = false;
	else
		engine_say_note(session, "option %s: expected true or false, found %s", name,
				engine_quote(value, quoted));
}

static void set_endings(struct engine_session *session, const char *name, struct engine_word value)
{
	set_check(session, name, value, &session->endings);
	if (!session->endings && session->table_path == NULL)
		close_tables(session);
}

static void set_ponder(struct engine_session *session, const char *name, struct engine_word value)
{
	bool wanted; /* it says only what the other side will do */

	set_check(session, name, value, &wanted);
}

static void set_atomic(struct engine_session *session, const char *name, struct engine_word value)
{
	set_check(session, name, value, &session->atomic);
}

static const struct {
	const char *name;
	const char *form;
	set_option *set;
} options[] = {
    {"Rules", "type string default nine", set_rules},
    {"Threads", "type spin default 1 min 1 max 256", set_threads},
    {"Hash", "type spin default 16 min 1 max 65536", set_hash},
    {"MultiPV", "type spin default 1 min 1 max 16", set_lines},
    {"Level", "type spin default 10 min 1 max 10", set_level},
    {"TablePath", "type string default <empty>", set_table_path},
    {"Endings", "type check default true", set_endings},
    {"Ponder", "type check default false", set_ponder},
    {"AtomicMoves", "type check default false", set_atomic},
};

#define OPTION_COUNT (sizeof(options) / sizeof(options[0]))

void engine_say_options(const struct engine_session *session)
{
	char line[160];

	for (size_t i = 0; i < OPTION_COUNT; i++) {
		(void)snprintf(line, sizeof(line), "option name %s %s", options[i].name, options[i].form);
		session->say(session->context, line);
	}
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool same_name(struct engine_word word, const char *name)
{
	if (word.length != strlen(name))
		return false;
	for (size_t i = 0; i < word.length; i++)
		if (lower(word.text[i]) != lower(name[i]))
			return false;
	return true;
}

/* The rest of the line from the next word to the last. */
static struct engine_word rest(struct engine_words words)
{
	struct engine_word first = engine_next_word(&words);
	struct engine_word last = first;

	for (struct engine_word word = first; word.length > 0; word = engine_next_word(&words))
		last = word;
	return (struct engine_word){first.text, (size_t)(last.text + last.length - first.text)};
}

void engine_set_option(struct engine_session *session, struct engine_words words)
{
	char quoted[ENGINE_QUOTE_SIZE];

	if (!engine_word_is(engine_next_word(&words), "name")) {
		engine_say_note(session, "setoption: expected `setoption name NAME value VALUE`");
		return;
	}
	struct engine_word name = engine_next_word(&words);
	struct engine_word value_word = engine_next_word(&words);

	for (size_t i = 0; i < OPTION_COUNT; i++) {
		if (!same_name(name, options[i].name))
			continue;
		if (!engine_word_is(value_word, "value"))
			engine_say_note(session, "setoption: expected `value` behind %s, found %s", options[i].name,
					engine_quote(value_word, quoted));
		else
			options[i].set(session, options[i].name, rest(words));
		return;
	}
	engine_say_note(session, "unknown option %s; `uci` lists them", engine_quote(name, quoted));
}
