/* merels user: the people of a server. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <merels/admin.h>
#include <os/terminal.h>

#include "commands.h"

enum { DATA = 'd', BOT = 256, DAYS, REASON, STORE, PASSWORD_SIZE = 256 };

static const struct cli_option options[] = {
    {"data", DATA, "FOLDER",
     "the data folder of the server\n(default $MERELS_DATA, $XDG_STATE_HOME/merels, or merels-data)", CLI_CHOOSE_FILES},
    {"store", STORE, "DATABASE", "the database of the server, if it has another (default $MERELS_STORE)", NULL},
    {"bot", BOT, NULL, "add: an account for a bot; its token is printed", NULL},
    {"days", DAYS, "N", "ban: for so many days (default for good); 0 lifts a ban", NULL},
    {"reason", REASON, "TEXT", "ban: why", NULL},
    {0},
};

const struct cli_command cli_user = {
    .name = "user",
    .run = cmd_user,
    .summary = "add, ban and delete people of a server",
    .usage = "[OPTION]... add NAME\n[OPTION]... passwd NAME\n[OPTION]... ban NAME\n[OPTION]... delete NAME\n"
	     "[OPTION]... token NAME",
    .about = "Changes who may play at a server, which may be running. `add` and `passwd` read\n"
	     "the password from standard input, one line. `token` gives a bot another token\n"
	     "and prints it. A running server notices within a minute, or at once when it is\n"
	     "sent SIGHUP.",
    .options = options,
    .operands = "add passwd ban delete token",
    .examples = "merels user add anna\n"
		"merels user --bot add crow < password\n"
		"merels user --days 7 --reason \"rude in chat\" ban ben",
};

struct wish {
	const char *data;
	const char *store;
	bool bot;
	uint32_t days;
	const char *reason;
};

/* Reads a line from standard input; from a terminal without showing it. */
static bool read_password(char password[PASSWORD_SIZE])
{
	bool person = mrl_terminal_input();

	if (person) {
		fputs("Password: ", stderr);
		(void)fflush(stderr);
		mrl_terminal_echo(false);
	}
	bool read = fgets(password, PASSWORD_SIZE, stdin) != NULL;

	if (person) {
		mrl_terminal_echo(true);
		fputs("\n", stderr);
	}
	if (read)
		password[strcspn(password, "\r\n")] = '\0';
	return read;
}

static enum mrl_status run_one(struct mrl_admin *admin, const struct wish *wish, const char *action, const char *name,
			       struct mrl_error *error)
{
	char password[PASSWORD_SIZE] = "";
	char token[MRL_ADMIN_TOKEN_SIZE] = "";
	enum mrl_status status = MRL_OK;

	if (strcmp(action, "ban") == 0)
		return mrl_admin_ban(admin, name, wish->days, wish->reason, error);
	if (strcmp(action, "delete") == 0)
		return mrl_admin_delete(admin, name, error);
	if (strcmp(action, "token") == 0) {
		status = mrl_admin_token(admin, name, token, error);
	} else {
		(void)read_password(password);
		status = strcmp(action, "add") == 0 ? mrl_admin_add(admin, name, password, wish->bot, token, error)
						    : mrl_admin_password(admin, name, password, error);
		memset(password, 0, sizeof(password));
	}
	if (status == MRL_OK && token[0] != '\0')
		puts(token);
	return status;
}

static int code_of(enum mrl_status status)
{
	return status == MRL_SYSTEM || status == MRL_FULL || status == MRL_BUSY || status == MRL_UNSUPPORTED
		   ? CLI_SYSTEM
		   : CLI_NO;
}

int cmd_user(int argc, char **argv)
{
	static const char *const actions[] = {"add", "passwd", "ban", "delete", "token"};
	struct cli_parse parse = cli_parse_begin(&cli_user, argc, argv);
	struct wish wish = {
	    .data = getenv("MERELS_DATA"), .store = getenv("MERELS_STORE"), .days = UINT32_MAX, .reason = ""};
	struct mrl_admin *admin = NULL;
	struct mrl_error error;
	const char *only_ban = NULL;
	bool known = false;
	unsigned long days = 0;
	int option = 0;

	while ((option = cli_parse_next(&parse)) != 0) {
		if (option == DATA)
			wish.data = parse.value;
		if (option == STORE)
			wish.store = parse.value;
		if (option == BOT)
			wish.bot = true;
		if (option == REASON)
			wish.reason = parse.value;
		if (option == REASON || option == DAYS)
			only_ban = option == DAYS ? "days" : "reason";
		if (option == DAYS) {
			int code = cli_read_number(&cli_user, "days", parse.value, 0, 36500, &days);

			if (code != CLI_GO_ON)
				return code;
			wish.days = (uint32_t)days;
		}
	}
	if (parse.finished)
		return parse.code;
	if (parse.operand_count != 2)
		return cli_wrong_usage(&cli_user, "what to do and a name are expected");
	for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++)
		known = known || strcmp(actions[i], parse.operands[0]) == 0;
	if (!known)
		return cli_wrong_usage(&cli_user, "'%s' is not one of add, passwd, ban, delete, token",
				       parse.operands[0]);
	if (only_ban != NULL && strcmp(parse.operands[0], "ban") != 0)
		return cli_wrong_usage(&cli_user, "--%s goes with ban, not with %s", only_ban, parse.operands[0]);
	enum mrl_status status = mrl_admin_open(&admin, wish.data, wish.store, &error);

	if (status != MRL_OK) {
		cli_complain(&cli_user, "%s", error.message);
		return status == MRL_NAME ? CLI_USAGE : CLI_SYSTEM;
	}
	status = run_one(admin, &wish, parse.operands[0], parse.operands[1], &error);
	mrl_admin_close(admin);
	if (status == MRL_OK)
		return CLI_GOOD;
	cli_complain(&cli_user, "%s", error.message);
	return code_of(status);
}
