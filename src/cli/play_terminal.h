/* Apart from the screen because <term.h> takes names like `columns` for itself. */
#ifndef MERELS_CLI_PLAY_TERMINAL_H
#define MERELS_CLI_PLAY_TERMINAL_H

#include <stdbool.h>

/* Whether the terminal is one that curses knows. newterm() would say so too, but keeps memory when it fails. */
bool play_terminal_known(void);

#endif
