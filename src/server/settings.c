/* The settings of a server: one table of names, three places they come from. */
#include <merels/server.h>

#include <stdlib.h>
#include <string.h>

#include <merels/text.h>
#include <os/socket.h>

static const struct mrl_server_setting table[] = {
    {"listen", "MERELS_LISTEN", "ADDRESS:PORT", "where to listen (default 127.0.0.1:8080); port 0: any free one", NULL},
    {"web", "MERELS_WEB", "FOLDER", "the web client to serve (default the one built or installed with the program)",
     NULL},
    {"log-level", "MERELS_LOG_LEVEL", "LEVEL", "how much to tell on stderr: error, warning, info (default), debug",
     "error warning info debug"},
    {"log-format", "MERELS_LOG_FORMAT", "FORMAT", "how to tell it: text (default) or json", "text json"},
};

#define TABLE_SIZE (sizeof(table) / sizeof(table[0]))

const struct mrl_server_setting *mrl_server_setting(size_t index)
{
	return index < TABLE_SIZE ? &table[index] : NULL;
}

void mrl_server_defaults(struct mrl_server_settings *settings)
{
	*settings = (struct mrl_server_settings){.listen = "127.0.0.1:8080", .web = "", .log_level = 2};
}

/* ---- One setting -------------------------------------------------------------------------------------------- */

static enum mrl_status unknown_key(const char *key, struct mrl_error *error)
{
	struct mrl_text text = mrl_error_open(error, MRL_NAME, 0, 0);

	mrl_text_add(&text, "there is no setting ");
	mrl_text_quote(&text, key, strlen(key));
	mrl_text_add(&text, "; there are");
	for (size_t i = 0; i < TABLE_SIZE; i++) {
		mrl_text_add(&text, i == 0 ? " " : i + 1 == TABLE_SIZE ? " and " : ", ");
		mrl_text_add(&text, table[i].key);
	}
	return MRL_NAME;
}

/* The place of `value` in the words of `choices`, or -1 after having said what would be right. */
static int choice(const struct mrl_server_setting *setting, const char *value, struct mrl_error *error)
{
	size_t length = strlen(value);
	int index = 0;

	for (const char *word = setting->choices; *word != '\0'; index++) {
		size_t word_length = strcspn(word, " ");

		if (word_length == length && memcmp(word, value, length) == 0)
			return index;
		word += word_length;
		word += strspn(word, " ");
	}
	struct mrl_text text = mrl_error_open(error, MRL_SYNTAX, 0, 0);

	mrl_text_add(&text, setting->key);
	mrl_text_add(&text, " cannot be ");
	mrl_text_quote(&text, value, length);
	mrl_text_add(&text, "; it is one of: ");
	mrl_text_add(&text, setting->choices);
	return -1;
}

static enum mrl_status set_text(char to[MRL_SERVER_TEXT_SIZE], const struct mrl_server_setting *setting,
				const char *value, struct mrl_error *error)
{
	size_t length = strlen(value);

	if (length == 0 || length >= MRL_SERVER_TEXT_SIZE) {
		struct mrl_text text = mrl_error_open(error, MRL_SYNTAX, 0, 0);

		mrl_text_add(&text, setting->key);
		mrl_text_add(&text, length == 0 ? " is empty; it needs " : " is too long; it needs ");
		mrl_text_add(&text, setting->argument);
		return MRL_SYNTAX;
	}
	memcpy(to, value, length + 1);
	return MRL_OK;
}

enum mrl_status mrl_server_set(struct mrl_server_settings *settings, const char *key, const char *value,
			       struct mrl_error *error)
{
	const struct mrl_server_setting *setting = table;
	int chosen = 0;

	while (setting < table + TABLE_SIZE && strcmp(setting->key, key) != 0)
		setting++;
	if (setting == table + TABLE_SIZE)
		return unknown_key(key, error);
	if (setting->choices != NULL) {
		chosen = choice(setting, value, error);
		if (chosen < 0)
			return MRL_SYNTAX;
	}
	switch (setting - table) {
	case 0: {
		enum mrl_status status = mrl_socket_check(value, error);

		return status != MRL_OK ? status : set_text(settings->listen, setting, value, error);
	}
	case 1:
		return set_text(settings->web, setting, value, error);
	case 2:
		settings->log_level = (unsigned)chosen;
		return MRL_OK;
	default:
		settings->log_json = chosen == 1;
		return MRL_OK;
	}
}

/* ---- The file ----------------------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Takes the blanks off both ends. */
static void trim(const char **from, const char **to)
{
	while (*from < *to && is_blank(**from))
		(*from)++;
	while (*from < *to && is_blank((*to)[-1]))
		(*to)--;
}

static enum mrl_status bad_line(struct mrl_error *error, const char *why)
{
	struct mrl_text text = mrl_error_open(error, MRL_SYNTAX, 0, 0);

	mrl_text_add(&text, why);
	return MRL_SYNTAX;
}

static enum mrl_status read_line(struct mrl_server_settings *settings, const char *from, const char *to,
				 struct mrl_error *error)
{
	char key[32];
	char value[MRL_SERVER_TEXT_SIZE];

	trim(&from, &to);
	if (from == to || *from == '#')
		return MRL_OK;
	if (memchr(from, '\0', (size_t)(to - from)) != NULL)
		return bad_line(error, "the line holds a NUL byte; this is no text file");

	const char *equals = memchr(from, '=', (size_t)(to - from));

	if (equals == NULL)
		return bad_line(error, "the line has no \"=\"; a setting is written: key = value");
	const char *key_to = equals;
	const char *value_from = equals + 1;

	trim(&from, &key_to);
	trim(&value_from, &to);
	if ((size_t)(key_to - from) >= sizeof(key) || (size_t)(to - value_from) >= sizeof(value))
		return bad_line(error, "the line is too long");
	memcpy(key, from, (size_t)(key_to - from));
	key[key_to - from] = '\0';
	memcpy(value, value_from, (size_t)(to - value_from));
	value[to - value_from] = '\0';
	return mrl_server_set(settings, key, value, error);
}

enum mrl_status mrl_server_read_settings(struct mrl_server_settings *settings, const char *text, size_t length,
					 struct mrl_error *error)
{
	const char *end = text + length;
	size_t line = 1;

	for (const char *from = text; from < end; line++) {
		const char *to = memchr(from, '\n', (size_t)(end - from));

		if (to == NULL)
			to = end;
		enum mrl_status status = read_line(settings, from, to, error);

		if (status != MRL_OK) {
			if (error != NULL) {
				error->line = line;
				error->column = 1;
			}
			return status;
		}
		from = to < end ? to + 1 : end;
	}
	return MRL_OK;
}

/* ---- The environment ---------------------------------------------------------------------------------------- */

enum mrl_status mrl_server_read_environment(struct mrl_server_settings *settings, struct mrl_error *error)
{
	for (size_t i = 0; i < TABLE_SIZE; i++) {
		const char *value = getenv(table[i].environment);
		struct mrl_error why;

		if (value == NULL)
			continue;
		enum mrl_status status = mrl_server_set(settings, table[i].key, value, &why);

		if (status != MRL_OK) {
			struct mrl_text text = mrl_error_open(error, status, 0, 0);

			mrl_text_add(&text, table[i].environment);
			mrl_text_add(&text, ": ");
			mrl_text_add(&text, why.message);
			return status;
		}
	}
	return MRL_OK;
}
