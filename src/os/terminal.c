#define _POSIX_C_SOURCE 200809L
#include "terminal.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

void mrl_terminal_init(void)
{
	/* On failure the locale stays "C", whose characters are ASCII. */
	(void)setlocale(LC_CTYPE, "");
}

bool mrl_terminal_utf8(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

bool mrl_terminal_interactive(void)
{
	const char *kind = getenv("TERM");

	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && kind != NULL && kind[0] != '\0' &&
	       strcmp(kind, "dumb") != 0;
}

bool mrl_terminal_input(void)
{
	return isatty(STDIN_FILENO);
}

void mrl_terminal_echo(bool on)
{
	struct termios how;

	if (tcgetattr(STDIN_FILENO, &how) != 0)
		return;
	if (on)
		how.c_lflag |= (tcflag_t)ECHO;
	else
		how.c_lflag &= ~(tcflag_t)ECHO;
	(void)tcsetattr(STDIN_FILENO, TCSAFLUSH, &how);
}

bool mrl_terminal_errors(void)
{
	return isatty(STDERR_FILENO);
}
