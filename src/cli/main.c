/* The program `merels`: finds the command, runs it, sees to it that the output arrived. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <merels/version.h>
#include <os/terminal.h>

#include "cli.h"
#include "commands.h"

static const struct cli_command *const commands[] = {
    &cli_play,   &cli_serve,   &cli_rules,   &cli_legal,   &cli_replay,  &cli_perft,      &cli_check, &cli_convert,
    &cli_engine, &cli_match,   &cli_analyze, &cli_tables,  &cli_vectors, &cli_bench,      &cli_load,  &cli_cluster,
    &cli_user,   &cli_reports, &cli_backup,  &cli_migrate, &cli_worker,  &cli_completion,
};

#define COMMAND_COUNT (sizeof(commands) / sizeof(commands[0]))

const struct cli_command *cli_command(size_t index)
{
	return index < COMMAND_COUNT ? commands[index] : NULL;
}

const struct cli_command *cli_command_find(const char *name)
{
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	}
	return NULL;
}

static void print_help(void)
{
	puts("Merels plays and teaches nine men's morris and its family.\n"
	     "\n"
	     "Usage: merels COMMAND [OPTION]... [ARGUMENT]...\n"
	     "       merels COMMAND --help\n"
	     "\n"
	     "Commands:");
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		printf("  %-11s %s\n", commands[i]->name, commands[i]->summary);
	puts("\n"
	     "Options:\n"
	     "  -h, --help     say this, or after a command what that does\n"
	     "  -V, --version  say which version this is\n"
	     "\n"
	     "Exit codes:\n"
	     "  0  good\n"
	     "  1  the answer is no, or what was read is bad: a turn, a position, a file's text\n"
	     "  2  wrong usage: an unknown command, option or rule set, an argument missing\n"
	     "  3  the system said no: a file that cannot be read, output that cannot be written");
}

static int unknown_command(const char *name)
{
	const char *names[COMMAND_COUNT + 1];

	for (size_t i = 0; i < COMMAND_COUNT; i++)
		names[i] = commands[i]->name;
	names[COMMAND_COUNT] = "help";
	const char *nearest = cli_nearest(name, names, COMMAND_COUNT + 1);

	const char *kind = name[0] == '-' ? "option" : "command";

	if (nearest != NULL)
		return cli_wrong_usage(NULL, "unknown %s '%s', did you mean '%s'?", kind, name, nearest);
	return cli_wrong_usage(NULL, "unknown %s '%s'", kind, name);
}

static int help(const char *name)
{
	if (name == NULL) {
		print_help();
		return CLI_GOOD;
	}
	const struct cli_command *command = cli_command_find(name);

	if (command == NULL)
		return unknown_command(name);
	cli_help(command);
	return CLI_GOOD;
}

static int run(int argc, char **argv)
{
	if (argc < 2)
		return cli_wrong_usage(NULL, "a command is missing");
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
		return help(NULL);
	if (strcmp(argv[1], "help") == 0)
		return help(argc > 2 ? argv[2] : NULL);
	if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
		puts("merels " MRL_VERSION);
		return CLI_GOOD;
	}
	const struct cli_command *command = cli_command_find(argv[1]);

	if (command == NULL)
		return unknown_command(argv[1]);
	return command->run(argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
	mrl_terminal_init();
	int code = run(argc, argv);

	/*
	 * A full disk is noticed only here; a result that did not arrive is no success. A reader that has heard enough
	 * (`merels ... | head`) is no cause for a message.
	 */
	errno = 0;
	if (fflush(stdout) != 0 || ferror(stdout)) {
		if (errno != EPIPE)
			fprintf(stderr, "merels: cannot write the output: %s\n",
				errno != 0 ? strerror(errno) : "an earlier write failed");
		return CLI_SYSTEM;
	}
	return code;
}
