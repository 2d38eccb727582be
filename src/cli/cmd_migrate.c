/* merels migrate: a whole club from one database to another. */
#include <inttypes.h>
#include <stdio.h>

#include <merels/store.h>
#include <os/process.h>

#include "commands.h"

enum { FROM = 256, TO };

static const struct cli_option options[] = {
    {"from", FROM, "DATABASE", "the database that the club is in: sqlite:PATH or postgresql://...", NULL},
    {"to", TO, "DATABASE", "the database that it is moved to, with nothing in it", NULL},
    {0},
};

const struct cli_command cli_migrate = {
    .name = "migrate",
    .run = cmd_migrate,
    .summary = "move the games and people of a server to another database",
    .usage = "--from DATABASE --to DATABASE",
    .about = "Moves a whole club from one database to another, in either direction. No server\n"
	     "may be running on either. Every row that was written is read again and compared,\n"
	     "by number and checksum, before anything is committed; then a line for each table\n"
	     "tells both. The first database is left as it is. Then start the server with\n"
	     "`--store` and the same data folder, where its clock is.",
    .options = options,
    .examples = "merels migrate --from sqlite:merels-data/merels.db --to postgresql://merels@db/club\n"
		"merels migrate --from postgresql://merels@db/club --to sqlite:club.db",
};

static void tell(void *user, const struct mrl_store_moved *moved)
{
	uint64_t *rows = user;

	printf("%-14s %12" PRIu64 "  %016" PRIx64 "\n", moved->table, moved->rows, moved->checksum);
	*rows += moved->rows;
}

int cmd_migrate(int argc, char **argv)
{
	struct cli_parse parse = cli_parse_begin(&cli_migrate, argc, argv);
	const char *from = NULL;
	const char *to = NULL;
	struct mrl_error error;
	uint64_t rows = 0;
	int option = 0;

	while ((option = cli_parse_next(&parse)) != 0) {
		if (option == FROM)
			from = parse.value;
		if (option == TO)
			to = parse.value;
	}
	if (parse.finished)
		return parse.code;
	if (parse.operand_count > 0)
		return cli_wrong_usage(&cli_migrate, "'%s' is no option, and nothing else is expected",
				       parse.operands[0]);
	if (from == NULL || to == NULL)
		return cli_wrong_usage(&cli_migrate, "%s is missing", from == NULL ? "--from" : "--to");
	mrl_process_keep_private();
	if (mrl_store_move(from, to, tell, &rows, &error) != MRL_OK) {
		cli_complain(&cli_migrate, "%s", error.message);
		return error.status == MRL_NAME ? CLI_USAGE : CLI_SYSTEM;
	}
	printf("%" PRIu64 " rows are moved, and are the same\n", rows);
	return CLI_GOOD;
}
