/* merels worker: thinks for the nodes of a club. */
#include <stdlib.h>
#include <string.h>

#include <merels/bus.h>
#include <merels/work.h>
#include <os/interrupt.h>
#include <os/log.h>
#include <os/thread.h>

#include "commands.h"

enum { BUS = 'b', CLUB = 256, THREADS, TABLES, CREDENTIALS, CERTIFICATES, LOG_LEVEL, LOG_FORMAT };

enum { MOST_THREADS = 1024, WAIT_MS = 100 };

static const struct cli_option options[] = {
    {"bus", BUS, "SERVERS", "NATS, as the nodes have it: nats://HOST:PORT,...\n(default $MERELS_BUS)", NULL},
    {"threads", THREADS, "N", "jobs at a time (default: as many as there are processors)", NULL},
    {"tables", TABLES, "FOLDER", "exact tables, a folder for each rule set\n(default $MERELS_TABLES, else none)",
     CLI_CHOOSE_FILES},
    {"club", CLUB, "ID", "the club to work for (default: that of the first node heard of)", NULL},
    {"credentials", CREDENTIALS, "FILE", "a credentials file of NATS", CLI_CHOOSE_FILES},
    {"certificates", CERTIFICATES, "FILE", "certificates that are believed with tls://\n(default: the system's)",
     CLI_CHOOSE_FILES},
    {"log-level", LOG_LEVEL, "LEVEL", "error, warning, info (default) or debug", "error warning info debug"},
    {"log-format", LOG_FORMAT, "FORMAT", "text (default) or json", "text json"},
    {0},
};

const struct cli_command cli_worker = {
    .name = "worker",
    .run = cmd_worker,
    .summary = "think for the nodes of a club, on another machine",
    .usage = "[OPTION]...",
    .about = "Takes jobs from the nodes of a club (`merels serve --bus`): turns of the\n"
	     "computer, perfect play, questions to exact tables. Give it the tables where they\n"
	     "are: nodes then offer perfect play without having any. There may be any number\n"
	     "of workers; one that is killed or cut off loses nothing, for the node gives its\n"
	     "jobs to another or does them itself. Stops by Ctrl-C or SIGTERM.",
    .options = options,
    .examples = "merels worker --bus nats://bus:4222\n"
		"merels worker --bus nats://bus:4222 --threads 8 --tables /srv/tables",
};

struct wanted {
	struct mrl_bus_settings bus;
	struct mrl_worker_settings worker;
	struct mrl_log log;
};

/* The place of a text among the words of a choice, or -1. */
static int choice(const char *value, const char *const words[], int count)
{
	for (int i = 0; i < count; i++) {
		if (strcmp(value, words[i]) == 0)
			return i;
	}
	return -1;
}

/* CLI_GO_ON, or an exit code. */
static int take(struct wanted *wanted, int option, const char *value)
{
	static const char *const levels[] = {"error", "warning", "info", "debug"};
	static const char *const formats[] = {"text", "json"};
	char *end = NULL;
	int place = 0;

	switch (option) {
	case BUS:
		wanted->bus.place = value;
		break;
	case CLUB:
		wanted->worker.club = value;
		break;
	case TABLES:
		wanted->worker.tables = value;
		break;
	case CREDENTIALS:
		wanted->bus.credentials = value;
		break;
	case CERTIFICATES:
		wanted->bus.certificates = value;
		break;
	case THREADS: {
		unsigned long threads = strtoul(value, &end, 10);

		if (end == value || *end != '\0' || threads < 1 || threads > MOST_THREADS)
			return cli_wrong_usage(&cli_worker, "--threads is a number from 1 to %d, not '%s'",
					       MOST_THREADS, value);
		wanted->worker.threads = (unsigned)threads;
		break;
	}
	case LOG_LEVEL:
		place = choice(value, levels, 4);
		wanted->log.most = (enum mrl_log_level)place;
		break;
	default:
		place = choice(value, formats, 2);
		wanted->log.json = place == 1;
	}
	if (place < 0)
		return cli_wrong_usage(&cli_worker, "'%s' is not one of the choices", value);
	return CLI_GO_ON;
}

static void on_news(void *context, enum mrl_bus_news news, const char *sentence)
{
	const struct mrl_log *log = context;

	mrl_log(log, news == MRL_BUS_CONNECTED ? MRL_LOG_INFO : MRL_LOG_WARNING, "%s", sentence);
}

static enum mrl_status work(const struct wanted *wanted, struct mrl_error *error)
{
	struct mrl_bus *bus = NULL;
	struct mrl_worker *worker = NULL;
	enum mrl_status status = mrl_bus_open(&bus, &wanted->bus, error);

	if (status != MRL_OK)
		return status;
	status = mrl_worker_open(&worker, bus, &wanted->worker, error);
	mrl_interrupt_catch();
	while (status == MRL_OK && !mrl_interrupted()) {
		(void)mrl_bus_wait(bus, WAIT_MS);
		mrl_worker_tick(worker);
	}
	mrl_worker_close(worker);
	mrl_bus_close(bus);
	if (status == MRL_OK)
		mrl_log(&wanted->log, MRL_LOG_INFO, "stopped");
	return status;
}

int cmd_worker(int argc, char **argv)
{
	struct cli_parse parse = cli_parse_begin(&cli_worker, argc, argv);
	struct wanted wanted = {.log = {.most = MRL_LOG_INFO}};
	struct mrl_error error;
	int option = 0;
	int code = CLI_GO_ON;

	wanted.bus.place = getenv("MERELS_BUS");
	wanted.bus.name = "merels worker";
	wanted.bus.tell = on_news;
	wanted.bus.context = &wanted.log;
	wanted.worker.tables = getenv("MERELS_TABLES");
	wanted.worker.threads = mrl_thread_processors();
	wanted.worker.log = &wanted.log;
	while (code == CLI_GO_ON && (option = cli_parse_next(&parse)) != 0)
		code = take(&wanted, option, parse.value);
	if (code != CLI_GO_ON)
		return code;
	if (parse.finished)
		return parse.code;
	if (parse.operand_count > 0)
		return cli_wrong_usage(&cli_worker, "'%s' is no option, and nothing else is expected",
				       parse.operands[0]);
	if (wanted.bus.place == NULL || wanted.bus.place[0] == '\0')
		return cli_wrong_usage(&cli_worker, "--bus is missing: where the nodes' NATS is, nats://HOST:PORT");
	enum mrl_status status = work(&wanted, &error);

	if (status == MRL_OK)
		return CLI_GOOD;
	cli_complain(&cli_worker, "%s", error.message);
	return status == MRL_NAME ? CLI_USAGE : CLI_SYSTEM;
}
