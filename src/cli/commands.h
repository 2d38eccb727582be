/* Every command of the program; main.c has them in order. */
#ifndef MERELS_CLI_COMMANDS_H
#define MERELS_CLI_COMMANDS_H

#include "cli.h"

#define CLI_COMMAND_TABLE(X) \
	X(play)              \
	X(serve)             \
	X(cluster)           \
	X(rules)             \
	X(legal)             \
	X(replay)            \
	X(perft)             \
	X(check)             \
	X(convert)           \
	X(tables)            \
	X(vectors)           \
	X(bench)             \
	X(load)              \
	X(engine)            \
	X(match)             \
	X(analyze)           \
	X(user)              \
	X(reports)           \
	X(backup)            \
	X(migrate)           \
	X(worker)            \
	X(completion)

#define CLI_COMMAND_DECLARE(name)                   \
	extern const struct cli_command cli_##name; \
	int cmd_##name(int argc, char **argv);
CLI_COMMAND_TABLE(CLI_COMMAND_DECLARE)
#undef CLI_COMMAND_DECLARE

#endif
