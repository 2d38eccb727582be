/* The settings of a server: one table of names, three places they come from. */
#include <merels/server.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <merels/bus.h>
#include <merels/store.h>
#include <merels/text.h>
#include <os/socket.h>

#include "addresses.h"

/* In the order of the help. */
enum {
	LISTEN,
	DATA,
	STORE,
	BUS,
	BUS_CREDENTIALS,
	BUS_CERTIFICATES,
	NODE,
	WEB,
	TLS_CERT,
	TLS_KEY,
	TRUST_PROXY,
	TABLES,
	ENGINE_THREADS,
	ADDRESS_RATE,
	ADDRESS_SOCKETS,
	REQUEST_SECONDS,
	METRICS,
	LOG_LEVEL,
	LOG_FORMAT
};

enum { MOST_THREADS = 256, MOST_RATE = 1000000, MOST_SECONDS = 3600 };

static const struct mrl_server_setting table[] = {
    [LISTEN] = {"listen", "MERELS_LISTEN", "ADDRESS:PORT",
		"where to listen (default 127.0.0.1:8080); port 0: any free one", NULL},
    [DATA] = {"data", "MERELS_DATA", "FOLDER",
	      "where games and people are kept (default $XDG_STATE_HOME/merels, or merels-data here)", NULL},
    [STORE] =
	{"store", "MERELS_STORE", "DATABASE",
	 "keep games and people in another database: postgresql://USER@HOST/NAME (default SQLite in the data folder)",
	 NULL},
    [BUS] = {"bus", "MERELS_BUS", "SERVERS",
	     "be one of several nodes that serve the database together: nats://HOST:PORT,... (default: alone)", NULL},
    [BUS_CREDENTIALS] = {"bus-credentials", "MERELS_BUS_CREDENTIALS", "FILE",
			 "a credentials file of NATS (default none)", NULL},
    [BUS_CERTIFICATES] = {"bus-certificates", "MERELS_BUS_CERTIFICATES", "FILE",
			  "certificates that are believed of a bus with tls:// (default the system's)", NULL},
    [NODE] = {"node", "MERELS_NODE", "NAME", "what this node is called (default: the name of the machine)", NULL},
    [WEB] = {"web", "MERELS_WEB", "FOLDER",
	     "the web client to serve (default the one built or installed with the program)", NULL},
    [TLS_CERT] = {"tls-cert", "MERELS_TLS_CERT", "FILE", "the certificate, for HTTPS (default: HTTP)", NULL},
    [TLS_KEY] = {"tls-key", "MERELS_TLS_KEY", "FILE", "the key of the certificate", NULL},
    [TRUST_PROXY] = {"trust-proxy", "MERELS_TRUST_PROXY", "ADDRESSES",
		     "proxies whose X-Forwarded-For and -Proto are believed, as 127.0.0.1,10.0.0.0/8 (default none)",
		     NULL},
    [TABLES] = {"tables", "MERELS_TABLES", "FOLDER",
		"exact tables for the perfect computer, a folder for each rule set (default none)", NULL},
    [ENGINE_THREADS] = {"engine-threads", "MERELS_ENGINE_THREADS", "N",
			"threads of the computer player (default one less than there are processors)", NULL},
    [ADDRESS_RATE] = {"address-rate", "MERELS_ADDRESS_RATE", "N",
		      "requests and messages a second of one address (default 200); 0: no limit", NULL},
    [ADDRESS_SOCKETS] = {"address-sockets", "MERELS_ADDRESS_SOCKETS", "N",
			 "sockets of one address (default 256); 0: no limit", NULL},
    [REQUEST_SECONDS] = {"request-seconds", "MERELS_REQUEST_SECONDS", "N",
			 "how long the head of a request may take to come, and its body (default 10)", NULL},
    [METRICS] = {"metrics", "MERELS_METRICS", "WHOM", "who may read /metrics: local (default) or all", "local all"},
    [LOG_LEVEL] = {"log-level", "MERELS_LOG_LEVEL", "LEVEL",
		   "how much to tell on stderr: error, warning, info (default), debug", "error warning info debug"},
    [LOG_FORMAT] = {"log-format", "MERELS_LOG_FORMAT", "FORMAT", "how to tell it: text (default) or json", "text json"},
};

#define TABLE_SIZE (sizeof(table) / sizeof(table[0]))

const struct mrl_server_setting *mrl_server_setting(size_t index)
{
	return index < TABLE_SIZE ? &table[index] : NULL;
}

void mrl_server_defaults(struct mrl_server_settings *settings)
{
	*settings = (struct mrl_server_settings){.listen = "127.0.0.1:8080",
						 .log_level = 2,
						 .address_rate = 200,
						 .address_sockets = 256,
						 .request_seconds = 10};
}

/* ---- One setting -------------------------------------------------------------------------------------------- */

static enum mrl_status set_text(char to[MRL_SERVER_TEXT_SIZE], const struct mrl_server_setting *setting,
				const char *value, struct mrl_error *error);

/* A name is a word, for logs and for the table of nodes. */
static enum mrl_status set_node(char to[MRL_SERVER_TEXT_SIZE], const struct mrl_server_setting *setting,
				const char *value, struct mrl_error *error)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";

	if (strlen(value) <= MRL_SERVER_NODE_MOST && strspn(value, letters) == strlen(value))
		return set_text(to, setting, value, error);
	struct mrl_text text = mrl_error_open(error, MRL_SYNTAX, 0, 0);

	mrl_text_add(&text, "node cannot be ");
	mrl_text_quote(&text, value, strlen(value));
	mrl_text_add(&text, "; it is at most 63 letters, digits, dots, - and _");
	return MRL_SYNTAX;
}

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

static enum mrl_status set_number(unsigned *to, const struct mrl_server_setting *setting, const char *value,
				  unsigned least, unsigned most, struct mrl_error *error)
{
	size_t digits = strspn(value, "0123456789");
	unsigned long number =
	    digits > 0 && digits < 10 && value[digits] == '\0' ? strtoul(value, NULL, 10) : ULONG_MAX;

	if (number < least || number > most) {
		struct mrl_text text = mrl_error_open(error, MRL_SYNTAX, 0, 0);

		mrl_text_add(&text, setting->key);
		mrl_text_add(&text, " cannot be ");
		mrl_text_quote(&text, value, strlen(value));
		mrl_text_add(&text, "; it is a whole number from ");
		mrl_text_number(&text, least);
		mrl_text_add(&text, " to ");
		mrl_text_number(&text, most);
		return MRL_SYNTAX;
	}
	*to = (unsigned)number;
	return MRL_OK;
}

static enum mrl_status set_addresses(char to[MRL_SERVER_TEXT_SIZE], const struct mrl_server_setting *setting,
				     const char *value, struct mrl_error *error)
{
	if (mrl__address_list_is_good(value))
		return set_text(to, setting, value, error);
	struct mrl_text text = mrl_error_open(error, MRL_SYNTAX, 0, 0);

	mrl_text_add(&text, setting->key);
	mrl_text_add(&text, " cannot be ");
	mrl_text_quote(&text, value, strlen(value));
	mrl_text_add(&text, "; right would be addresses and networks, as 127.0.0.1,10.0.0.0/8,::1");
	return MRL_SYNTAX;
}

enum mrl_status mrl_server_set(struct mrl_server_settings *settings, const char *key, const char *value,
			       struct mrl_error *error)
{
	const struct mrl_server_setting *setting = table;
	enum mrl_status status = MRL_OK;
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
	case LISTEN:
		status = mrl_socket_check(value, error);
		return status != MRL_OK ? status : set_text(settings->listen, setting, value, error);
	case DATA:
		return set_text(settings->data, setting, value, error);
	case STORE:
		status = value[0] == '\0' ? MRL_OK : mrl_store_check_place(value, error);
		return status != MRL_OK ? status : set_text(settings->store, setting, value, error);
	case BUS:
		/* It is the value that is wrong, and not the name of the setting. */
		return mrl_bus_check_place(value, error) != MRL_OK ? MRL_SYNTAX
								   : set_text(settings->bus, setting, value, error);
	case BUS_CREDENTIALS:
		return set_text(settings->bus_credentials, setting, value, error);
	case BUS_CERTIFICATES:
		return set_text(settings->bus_certificates, setting, value, error);
	case NODE:
		return set_node(settings->node, setting, value, error);
	case WEB:
		return set_text(settings->web, setting, value, error);
	case TLS_CERT:
		return set_text(settings->tls_cert, setting, value, error);
	case TLS_KEY:
		return set_text(settings->tls_key, setting, value, error);
	case TRUST_PROXY:
		return set_addresses(settings->trust_proxy, setting, value, error);
	case TABLES:
		return set_text(settings->tables, setting, value, error);
	case ENGINE_THREADS:
		return set_number(&settings->engine_threads, setting, value, 0, MOST_THREADS, error);
	case ADDRESS_RATE:
		return set_number(&settings->address_rate, setting, value, 0, MOST_RATE, error);
	case ADDRESS_SOCKETS:
		return set_number(&settings->address_sockets, setting, value, 0, MOST_RATE, error);
	case REQUEST_SECONDS:
		return set_number(&settings->request_seconds, setting, value, 1, MOST_SECONDS, error);
	case METRICS:
		settings->metrics_for_all = chosen == 1;
		return MRL_OK;
	case LOG_LEVEL:
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

/* ---- The data ----------------------------------------------------------------------------------------------- */

void mrl_server_data_folder(char folder[MRL_SERVER_TEXT_SIZE])
{
	const char *state = getenv("XDG_STATE_HOME");
	int length = -1;

	if (state != NULL && state[0] == '/')
		length = snprintf(folder, MRL_SERVER_TEXT_SIZE, "%s/merels", state);
	if (length < 0 || length >= MRL_SERVER_TEXT_SIZE)
		(void)snprintf(folder, MRL_SERVER_TEXT_SIZE, "merels-data");
}

bool mrl_server_database(const char *folder, char place[MRL_SERVER_TEXT_SIZE + 32])
{
	int length = snprintf(place, MRL_SERVER_TEXT_SIZE + 32, "sqlite:%s/merels.db", folder);

	return length > 0 && length < MRL_SERVER_TEXT_SIZE + 32;
}
