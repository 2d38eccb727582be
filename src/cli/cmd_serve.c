/* merels serve: the game server with the web client. */
#include <stdlib.h>
#include <string.h>

#include <merels/server.h>

#include "commands.h"

/* The ids of the options; a setting has the same name as its option. */
enum {
	CONFIG = 'c',
	DATA = 'd',
	LISTEN = 'l',
	WEB = 'w',
	LOG_LEVEL = 256,
	LOG_FORMAT,
	TLS_CERT,
	TLS_KEY,
	TRUST_PROXY,
	TABLES,
	ENGINE_THREADS,
	ADDRESS_RATE,
	ADDRESS_SOCKETS,
	REQUEST_SECONDS,
	METRICS,
	STORE,
	BUS,
	BUS_CREDENTIALS,
	BUS_CERTIFICATES,
	NODE,
	END
};

static const struct cli_option options[] = {
    {"listen", LISTEN, "ADDRESS:PORT", "where to listen (default 127.0.0.1:8080); port 0: any free one", NULL},
    {"data", DATA, "FOLDER", "where games and people are kept\n(default $XDG_STATE_HOME/merels, or merels-data here)",
     CLI_CHOOSE_FILES},
    {"store", STORE, "DATABASE",
     "keep games and people in another database:\npostgresql://USER@HOST/NAME (default SQLite in the data folder)",
     NULL},
    {"bus", BUS, "SERVERS",
     "be one of several nodes that serve the database together:\nnats://HOST:PORT,... (default: alone)", NULL},
    {"bus-credentials", BUS_CREDENTIALS, "FILE", "a credentials file of NATS", CLI_CHOOSE_FILES},
    {"bus-certificates", BUS_CERTIFICATES, "FILE",
     "certificates that are believed of a bus with tls://\n(default: the system's)", CLI_CHOOSE_FILES},
    {"node", NODE, "NAME", "what this node is called (default: the name of the machine)", NULL},
    {"web", WEB, "FOLDER", "the web client (default the one built or installed with the program)", CLI_CHOOSE_FILES},
    {"config", CONFIG, "FILE", "a file of settings", CLI_CHOOSE_FILES},
    {"tls-cert", TLS_CERT, "FILE", "the certificate, for HTTPS (default: HTTP)", CLI_CHOOSE_FILES},
    {"tls-key", TLS_KEY, "FILE", "the key of the certificate", CLI_CHOOSE_FILES},
    {"trust-proxy", TRUST_PROXY, "ADDRESSES",
     "proxies whose X-Forwarded-For and -Proto are believed,\n"
     "as 127.0.0.1,10.0.0.0/8 (default none)",
     NULL},
    {"tables", TABLES, "FOLDER", "exact tables for the perfect computer, a folder for each\nrule set (default none)",
     CLI_CHOOSE_FILES},
    {"engine-threads", ENGINE_THREADS, "N",
     "threads of the computer player\n(default one less than there are processors)", NULL},
    {"address-rate", ADDRESS_RATE, "N", "requests and messages a second of one address\n(default 200); 0: no limit",
     NULL},
    {"address-sockets", ADDRESS_SOCKETS, "N", "sockets of one address (default 256); 0: no limit", NULL},
    {"request-seconds", REQUEST_SECONDS, "N",
     "how long the head of a request may take to come, and\nits body (default 10)", NULL},
    {"metrics", METRICS, "WHOM", "who may read /metrics: local (default) or all", "local all"},
    {"log-level", LOG_LEVEL, "LEVEL", "error, warning, info (default) or debug", "error warning info debug"},
    {"log-format", LOG_FORMAT, "FORMAT", "text (default) or json", "text json"},
    {0},
};

const struct cli_command cli_serve = {
    .name = "serve",
    .run = cmd_serve,
    .summary = "serve Merels to browsers: games with others, and the page",
    .usage = "[OPTION]...",
    .about = "Serves the web client and games between people over HTTP until it is told to\n"
	     "stop (Ctrl-C, SIGTERM), and prints the address to open. Logs go to standard\n"
	     "error. SIGHUP has it look again at bans, sessions, the web client and the\n"
	     "certificate. With --bus, SIGUSR1 has it hand its games over to other nodes, one\n"
	     "by one, and then stop.\n"
	     "\n"
	     "Each option may also be given by the environment (MERELS_LISTEN for --listen,\n"
	     "MERELS_TLS_CERT for --tls-cert, and so on) or, but for --config, as a line\n"
	     "`listen = 127.0.0.1:8080` of the settings file. An option outweighs the\n"
	     "environment, and that the file.",
    .options = options,
    .examples = "merels serve\n"
		"merels serve --listen 0.0.0.0:80\n"
		"merels serve --store postgresql://merels@db.example.org/club\n"
		"merels serve --store postgresql://db/club --bus nats://bus:4222 --node a\n"
		"MERELS_LOG_FORMAT=json merels serve --config /etc/merels.conf",
};

static const char *name_of(int option)
{
	for (const struct cli_option *o = options; o->name != NULL; o++) {
		if (o->id == option)
			return o->name;
	}
	return NULL;
}

static int read_file(struct mrl_server_settings *settings, const char *path)
{
	char *text = NULL;
	size_t length = 0;
	struct mrl_error error;
	int code = cli_read_file(&cli_serve, path, &text, &length);

	if (code != CLI_GO_ON)
		return code;
	if (mrl_server_read_settings(settings, text, length, &error) != MRL_OK) {
		(void)cli_report(&cli_serve, path, false, &error);
		code = CLI_USAGE;
	}
	free(text);
	return code;
}

/* Reads the options, the environment and the file, the weightiest last. CLI_GO_ON, or an exit code. */
static int read_settings(int argc, char **argv, struct mrl_server_settings *settings)
{
	struct cli_parse parse = cli_parse_begin(&cli_serve, argc, argv);
	const char *given[END] = {NULL};
	const char *config = getenv("MERELS_CONFIG");
	struct mrl_error error;
	int option = 0;

	while ((option = cli_parse_next(&parse)) != 0)
		given[option] = parse.value;
	if (parse.finished)
		return parse.code;
	if (parse.operand_count > 0)
		return cli_wrong_usage(&cli_serve, "'%s' is no option, and nothing else is expected",
				       parse.operands[0]);
	if (given[CONFIG] != NULL)
		config = given[CONFIG];
	if (config != NULL && config[0] != '\0') {
		int code = read_file(settings, config);

		if (code != CLI_GO_ON)
			return code;
	}
	if (mrl_server_read_environment(settings, &error) != MRL_OK)
		return cli_wrong_usage(&cli_serve, "%s", error.message);
	for (option = 0; option < END; option++) {
		if (given[option] == NULL || option == CONFIG)
			continue;
		if (mrl_server_set(settings, name_of(option), given[option], &error) != MRL_OK)
			return cli_wrong_usage(&cli_serve, "--%s: %s", name_of(option), error.message);
	}
	return CLI_GO_ON;
}

int cmd_serve(int argc, char **argv)
{
	struct mrl_server_settings settings;
	struct mrl_error error;

	mrl_server_defaults(&settings);
	int code = read_settings(argc, argv, &settings);

	if (code != CLI_GO_ON)
		return code;
	enum mrl_status status = mrl_server_run(&settings, &error);

	if (status != MRL_OK) {
		cli_complain(&cli_serve, "%s", error.message);
		return status == MRL_NAME ? CLI_USAGE : CLI_SYSTEM;
	}
	return CLI_GOOD;
}
