/* merels reports: what people of a server have reported. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <merels/admin.h>

#include "commands.h"

enum { DATA = 'd', ALL = 'a', VERDICT = 256, STORE };

static const struct cli_option options[] = {
    {"data", DATA, "FOLDER",
     "the data folder of the server\n(default $MERELS_DATA, $XDG_STATE_HOME/merels, or merels-data)", CLI_CHOOSE_FILES},
    {"store", STORE, "DATABASE", "the database of the server, if it has another (default $MERELS_STORE)", NULL},
    {"all", ALL, NULL, "list those that are done as well", NULL},
    {"verdict", VERDICT, "TEXT", "done: what was done about it", NULL},
    {0},
};

const struct cli_command cli_reports = {
    .name = "reports",
    .run = cmd_reports,
    .summary = "list what people of a server have reported",
    .usage = "[OPTION]...\n[OPTION]... done ID",
    .about = "Lists the open reports of a server, which may be running, the newest first: its\n"
	     "id, when it was made (UTC), who reports whom, with their ids, in which game, the\n"
	     "line of chat it is about, and what the reporter says. `done` closes one.",
    .options = options,
    .operands = "done",
    .examples = "merels reports\n"
		"merels reports --verdict \"banned for a week\" done 7sK2mQw0ZpA",
};

static void show_moment(int64_t wall)
{
	time_t seconds = (time_t)(wall / 1000);
	const struct tm *utc = gmtime(&seconds);
	char text[32] = "?";

	if (utc != NULL)
		(void)strftime(text, sizeof(text), "%Y-%m-%d %H:%M", utc);
	fputs(text, stdout);
}

static void show(void *user, const struct mrl_admin_report *report)
{
	size_t *count = user;

	(*count)++;
	printf("%s  ", report->id);
	show_moment(report->wall);
	printf("  %s (%s) reports %s (%s)", report->reporter, report->reporter_id, report->reported,
	       report->reported_id);
	if (report->game[0] != '\0')
		printf("  game %s", report->game);
	if (report->event != 0)
		printf(", event %u", (unsigned)report->event);
	putchar('\n');
	if (report->line[0] != '\0')
		printf("    line: %s\n", report->line);
	if (report->about[0] != '\0')
		printf("    about: %s\n", report->about);
	if (report->closed == 0)
		return;
	fputs("    done ", stdout);
	show_moment(report->closed);
	printf("%s%s\n", report->verdict[0] != '\0' ? ": " : "", report->verdict);
}

static int code_of(enum mrl_status status)
{
	return status == MRL_MISSING || status == MRL_SYNTAX || status == MRL_RANGE ? CLI_NO : CLI_SYSTEM;
}

int cmd_reports(int argc, char **argv)
{
	struct cli_parse parse = cli_parse_begin(&cli_reports, argc, argv);
	const char *data = getenv("MERELS_DATA");
	const char *verdict = NULL;
	struct mrl_admin *admin = NULL;
	const char *store = getenv("MERELS_STORE");
	struct mrl_error error;
	bool all = false;
	size_t count = 0;
	int option = 0;

	while ((option = cli_parse_next(&parse)) != 0) {
		if (option == DATA)
			data = parse.value;
		if (option == STORE)
			store = parse.value;
		if (option == ALL)
			all = true;
		if (option == VERDICT)
			verdict = parse.value;
	}
	if (parse.finished)
		return parse.code;
	bool done = parse.operand_count == 2 && strcmp(parse.operands[0], "done") == 0;

	if (!done && parse.operand_count != 0)
		return cli_wrong_usage(&cli_reports, "nothing is expected, or done and the id of a report");
	if (!done && verdict != NULL)
		return cli_wrong_usage(&cli_reports, "--verdict goes with done and the id of a report");
	enum mrl_status status = mrl_admin_open(&admin, data, store, &error);

	if (status != MRL_OK) {
		cli_complain(&cli_reports, "%s", error.message);
		return status == MRL_NAME ? CLI_USAGE : CLI_SYSTEM;
	}
	status = done ? mrl_admin_close_report(admin, parse.operands[1], verdict != NULL ? verdict : "", &error)
		      : mrl_admin_reports(admin, all, show, &count, &error);
	mrl_admin_close(admin);
	if (status != MRL_OK) {
		cli_complain(&cli_reports, "%s", error.message);
		return code_of(status);
	}
	if (!done && count == 0)
		puts(all ? "There are no reports." : "There are no open reports.");
	return CLI_GOOD;
}
