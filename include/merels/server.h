/*
 * The game server: one event loop that serves the web client over HTTP.
 *
 * A server is described by its settings. Settings come from three places, each of which outweighs the one before:
 * a file, the environment (MERELS_LISTEN and so on), the command line. Whoever starts a server applies them in that
 * order to one `struct mrl_server_settings` and then calls mrl_server_run(), once a process: it takes over SIGINT,
 * SIGTERM and the limit of open files.
 */
#ifndef MERELS_SERVER_H
#define MERELS_SERVER_H

#include <stdbool.h>
#include <stddef.h>

#include <merels/status.h>

#define MRL_SERVER_TEXT_SIZE 1024
#define MRL_SERVER_NODE_MOST 63 /* bytes of the name of a node */

struct mrl_server_settings {
	char listen[MRL_SERVER_TEXT_SIZE]; /* ADDRESS:PORT; port 0 is any free one */
	char web[MRL_SERVER_TEXT_SIZE]; /* the folder of the web client; "" for the one that belongs to the program */
	unsigned log_level;             /* 0 errors only, 1 warnings too, 2 information too, 3 every request */
	bool log_json;                  /* the log is JSON, one object a line */
	char
	    data[MRL_SERVER_TEXT_SIZE]; /* the folder of the database; "" for the usual one, mrl_server_data_folder() */
	char store[MRL_SERVER_TEXT_SIZE]; /* another database, as mrl_store_open() takes it; "" for one in the folder */
	char bus[MRL_SERVER_TEXT_SIZE];   /* NATS, as mrl_bus_open() takes it; "": this server is alone */
	char bus_credentials[MRL_SERVER_TEXT_SIZE];  /* a file for NATS, see bus.h; "" none */
	char bus_certificates[MRL_SERVER_TEXT_SIZE]; /* those that are believed with tls://; "" the system's */
	char node[MRL_SERVER_TEXT_SIZE];             /* its name among the nodes; "" for the name of the machine */
	char tls_cert[MRL_SERVER_TEXT_SIZE];         /* a certificate chain; "" for HTTP without TLS */
	char tls_key[MRL_SERVER_TEXT_SIZE];          /* its key */
	char trust_proxy[MRL_SERVER_TEXT_SIZE]; /* addresses and networks whose forwarded headers are believed; "" none
						 */
	char tables[MRL_SERVER_TEXT_SIZE];      /* a folder with a folder of exact tables for each rule set; "" none */
	unsigned engine_threads;                /* 0: one less than there are processors, and at least one */
	unsigned address_rate;                  /* messages and requests a second of an address; 0: no limit */
	unsigned address_sockets;               /* sockets of an address; 0: no limit */
	unsigned request_seconds;               /* from the head of a request to the end of its body; 1 .. 3600 */
	bool metrics_for_all;                   /* /metrics is not for this machine alone */
};

/* A setting's name, as it stands in the file and, with dashes before it, on the command line. */
struct mrl_server_setting {
	const char *key;         /* "log-level" */
	const char *environment; /* "MERELS_LOG_LEVEL" */
	const char *argument;    /* what its value is called: "LEVEL" */
	const char *about;       /* what it does, begun small, without a full stop */
	const char *choices;     /* its values, separated by spaces; NULL when it is no choice */
};

/* The settings in the order of the help; NULL past the end. */
const struct mrl_server_setting *mrl_server_setting(size_t index);

/* The settings of a server that was told nothing: 127.0.0.1:8080, the program's own web client, information as text. */
void mrl_server_defaults(struct mrl_server_settings *settings);

/* Changes one setting. MRL_NAME for an unknown key, MRL_SYNTAX for a value that is none; nothing is changed then. */
MRL_MUST_USE enum mrl_status mrl_server_set(struct mrl_server_settings *settings, const char *key, const char *value,
					    struct mrl_error *error);

/*
 * Changes what the text of a settings file says: lines `key = value`; blank lines and lines that begin with # say
 * nothing. On an error, which has its line, what stood before it is changed.
 */
MRL_MUST_USE enum mrl_status mrl_server_read_settings(struct mrl_server_settings *settings, const char *text,
						      size_t length, struct mrl_error *error);

/* Changes what the environment says; the error names the variable. */
MRL_MUST_USE enum mrl_status mrl_server_read_environment(struct mrl_server_settings *settings, struct mrl_error *error);

/* The folder of the database when none is named: $XDG_STATE_HOME/merels, or merels-data where the program stands. */
void mrl_server_data_folder(char folder[MRL_SERVER_TEXT_SIZE]);

/* The database in a folder, as mrl_store_open() takes it. False when the name gets too long. */
bool mrl_server_database(const char *folder, char place[MRL_SERVER_TEXT_SIZE + 32]);

/*
 * Serves until SIGINT or SIGTERM, then finishes what it is sending (4 seconds at most) and returns MRL_OK. As soon as
 * it listens it prints one line with its address on stdout. MRL_SYSTEM or MRL_SYNTAX when it cannot start: `error`
 * says why, with what would help.
 */
MRL_MUST_USE enum mrl_status mrl_server_run(const struct mrl_server_settings *settings, struct mrl_error *error);

#endif
