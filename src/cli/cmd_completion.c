/* merels completion: scripts for the shells, made from the tables that the options are read with. */
#include <stdio.h>
#include <string.h>

#include "commands.h"

static const struct cli_option options[] = {{0}};

const struct cli_command cli_completion = {
    .name = "completion",
    .run = cmd_completion,
    .summary = "print a completion script for a shell",
    .usage = "bash|zsh",
    .about = "Load it where your shell starts:\n"
	     "\n"
	     "  bash: source <(merels completion bash)\n"
	     "  zsh:  source <(merels completion zsh)   after compinit",
    .options = options,
    .operands = "bash zsh",
    .examples = "merels completion bash > ~/.local/share/bash-completion/completions/merels\n"
		"merels completion zsh > ~/.zfunc/_merels",
};

static const struct cli_option help_option = {"help", 'h', NULL, "say what the command does", NULL};

static void print_presets(void)
{
	for (size_t i = 0; mrl_preset(i) != NULL; i++)
		printf("%s%s", i > 0 ? " " : "", mrl_preset(i)->name);
}

static void print_commands(void)
{
	for (size_t i = 0; cli_command(i) != NULL; i++)
		printf("%s%s", i > 0 ? " " : "", cli_command(i)->name);
}

/* Calls `each` for every option of a command, --help last. */
static void for_options(const struct cli_command *command, void (*each)(const struct cli_option *option))
{
	for (const struct cli_option *option = command->options; option != NULL && option->name != NULL; option++)
		each(option);
	each(&help_option);
}

/* ---- bash --------------------------------------------------------------------------------------------------- */

static void bash_choices(const char *choices)
{
	if (choices == NULL) {
		printf("return");
	} else if (strcmp(choices, CLI_CHOOSE_FILES) == 0) {
		printf("compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- \"$current\")); return");
	} else {
		printf("COMPREPLY=($(compgen -W '");
		if (strcmp(choices, CLI_CHOOSE_RULES) == 0)
			print_presets();
		else
			printf("%s", choices);
		printf("' -- \"$current\")); return");
	}
}

/* What follows an option that takes an argument. */
static void bash_argument(const struct cli_option *option)
{
	if (option->argument == NULL)
		return;
	if (option->id < 256)
		printf("\t\t-%c|", option->id);
	else
		printf("\t\t");
	printf("--%s) ", option->name);
	bash_choices(option->choices);
	puts(" ;;");
}

static void bash_name(const struct cli_option *option)
{
	printf("--%s ", option->name);
}

static void bash_command(const struct cli_command *command)
{
	printf("\t%s)\n\t\tcase \"$previous\" in\n", command->name);
	for_options(command, bash_argument);
	printf("\t\tesac\n\t\tif [[ $current == -* ]]; then\n\t\t\tCOMPREPLY=($(compgen -W '");
	for_options(command, bash_name);
	printf("' -- \"$current\")); return\n\t\tfi\n");
	if (command->operands != NULL) {
		printf("\t\t");
		bash_choices(command->operands);
		putchar('\n');
	}
	puts("\t\t;;");
}

static void print_bash(void)
{
	/* `--rules=nine` arrives as three words: the option, `=`, and what is completed. */
	printf("# bash completion for merels, printed by `merels completion bash`.\n"
	       "_merels() {\n"
	       "\tlocal current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
	       "\tif [[ $current == = ]]; then\n"
	       "\t\tcurrent=\n"
	       "\telif [[ $previous == = && COMP_CWORD -gt 2 ]]; then\n"
	       "\t\tprevious=${COMP_WORDS[COMP_CWORD-2]}\n"
	       "\tfi\n"
	       "\tCOMPREPLY=()\n"
	       "\tif [[ COMP_CWORD -eq 1 || ( COMP_CWORD -eq 2 && ${COMP_WORDS[1]} == help ) ]]; then\n"
	       "\t\tCOMPREPLY=($(compgen -W '");
	print_commands();
	printf(" help --help --version' -- \"$current\"))\n"
	       "\t\treturn\n"
	       "\tfi\n"
	       "\tcase \"${COMP_WORDS[1]}\" in\n");
	for (size_t i = 0; cli_command(i) != NULL; i++)
		bash_command(cli_command(i));
	puts("\tesac\n"
	     "}\n"
	     "complete -F _merels merels");
}

/* ---- zsh ---------------------------------------------------------------------------------------------------- */

/* Text inside '...' of an _arguments specification, on one line. */
static void zsh_text(const char *text)
{
	for (; *text != '\0'; text++) {
		if (*text == '\'')
			printf("'\\''");
		else if (*text == '\n')
			putchar(' ');
		else if (strchr("[]:\\", *text) != NULL)
			printf("\\%c", *text);
		else
			putchar(*text);
	}
}

static void zsh_choices(const char *choices)
{
	if (choices == NULL) {
		putchar(' ');
	} else if (strcmp(choices, CLI_CHOOSE_FILES) == 0) {
		printf("_files");
	} else {
		putchar('(');
		if (strcmp(choices, CLI_CHOOSE_RULES) == 0)
			print_presets();
		else
			printf("%s", choices);
		putchar(')');
	}
}

static void zsh_form(const struct cli_option *option, bool is_long)
{
	if (is_long)
		printf("\t\t\t'--%s%s[", option->name, option->argument != NULL ? "=" : "");
	else
		printf("\t\t\t'-%c%s[", option->id, option->argument != NULL ? "+" : "");
	zsh_text(option->about);
	putchar(']');
	if (option->argument != NULL) {
		printf(":%s:", option->argument);
		zsh_choices(option->choices);
	}
	puts("' \\");
}

static void zsh_option(const struct cli_option *option)
{
	zsh_form(option, true);
	if (option->id < 256)
		zsh_form(option, false);
}

static void zsh_command(const struct cli_command *command)
{
	printf("\t%s)\n\t\t_arguments \\\n", command->name);
	for_options(command, zsh_option);
	printf("\t\t\t'*:argument:");
	zsh_choices(command->operands);
	puts("'\n\t\t;;");
}

static void print_zsh(void)
{
	puts("#compdef merels\n"
	     "# zsh completion for merels, printed by `merels completion zsh`.\n"
	     "_merels() {\n"
	     "\tif (( CURRENT == 2 )) || { (( CURRENT == 3 )) && [[ $words[2] == help ]]; }; then\n"
	     "\t\tlocal -a commands=(");
	for (size_t i = 0; cli_command(i) != NULL; i++) {
		printf("\t\t\t'%s:", cli_command(i)->name);
		zsh_text(cli_command(i)->summary);
		puts("'");
	}
	puts("\t\t)\n"
	     "\t\t_describe command commands\n"
	     "\t\t(( CURRENT == 2 )) && compadd -- --help --version help\n"
	     "\t\treturn\n"
	     "\tfi\n"
	     "\tlocal command=$words[2]\n"
	     "\tshift words\n"
	     "\t(( CURRENT-- ))\n"
	     "\tcase $command in");
	for (size_t i = 0; cli_command(i) != NULL; i++)
		zsh_command(cli_command(i));
	/* Either sourced, or put into a folder of $fpath and called as the function itself. */
	puts("\tesac\n"
	     "}\n"
	     "if [[ $funcstack[1] == _merels ]]; then\n"
	     "\t_merels \"$@\"\n"
	     "else\n"
	     "\tcompdef _merels merels\n"
	     "fi");
}

int cmd_completion(int argc, char **argv)
{
	struct cli_parse parse = cli_parse_begin(&cli_completion, argc, argv);

	while (cli_parse_next(&parse) != 0)
		continue;
	if (parse.finished)
		return parse.code;
	if (parse.operand_count != 1)
		return cli_wrong_usage(&cli_completion, "name one shell, bash or zsh");
	if (strcmp(parse.operands[0], "bash") == 0)
		print_bash();
	else if (strcmp(parse.operands[0], "zsh") == 0)
		print_zsh();
	else
		return cli_wrong_usage(&cli_completion, "'%s' is no shell that is known: bash or zsh",
				       parse.operands[0]);
	return CLI_GOOD;
}
