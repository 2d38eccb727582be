/* merels backup: the database of a server, copied while it runs. */
#include <stdlib.h>

#include <merels/admin.h>

#include "commands.h"

enum { DATA = 'd', STORE = 256 };

static const struct cli_option options[] = {
    {"data", DATA, "FOLDER",
     "the data folder of the server\n(default $MERELS_DATA, $XDG_STATE_HOME/merels, or merels-data)", CLI_CHOOSE_FILES},
    {"store", STORE, "DATABASE", "the database of the server, if it has another (default $MERELS_STORE)", NULL},
    {0},
};

const struct cli_command cli_backup = {
    .name = "backup",
    .run = cmd_backup,
    .summary = "copy the games and people of a server, which may be running",
    .usage = "[OPTION]... FILE",
    .about = "Copies the database as it is at one moment into a new file. To go back to it,\n"
	     "stop the server and put the file in the place of merels.db in its data folder.\n"
	     "The copy is one of SQLite, whatever the database is; `merels migrate` moves it\n"
	     "to PostgreSQL.",
    .options = options,
    .operands = CLI_CHOOSE_FILES,
    .examples = "merels backup merels-monday.db",
};

int cmd_backup(int argc, char **argv)
{
	struct cli_parse parse = cli_parse_begin(&cli_backup, argc, argv);
	const char *data = getenv("MERELS_DATA");
	const char *store = getenv("MERELS_STORE");
	struct mrl_admin *admin = NULL;
	struct mrl_error error;
	int option = 0;

	while ((option = cli_parse_next(&parse)) != 0) {
		if (option == DATA)
			data = parse.value;
		if (option == STORE)
			store = parse.value;
	}
	if (parse.finished)
		return parse.code;
	if (parse.operand_count != 1)
		return cli_wrong_usage(&cli_backup, "the file to write is expected");
	enum mrl_status status = mrl_admin_open(&admin, data, store, &error);

	if (status == MRL_NAME) {
		cli_complain(&cli_backup, "%s", error.message);
		return CLI_USAGE;
	}
	if (status == MRL_OK)
		status = mrl_admin_backup(admin, parse.operands[0], &error);
	mrl_admin_close(admin);
	if (status == MRL_OK)
		return CLI_GOOD;
	cli_complain(&cli_backup, "%s", error.message);
	return CLI_SYSTEM;
}
