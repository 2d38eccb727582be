#include "play_terminal.h"

#include <curses.h>
#include <term.h>

bool play_terminal_known(void)
{
	enum { STANDARD_OUTPUT = 1 };
	int found = 0;

	if (setupterm(NULL, STANDARD_OUTPUT, &found) != OK)
		return false;
	(void)del_curterm(cur_term);
	return true;
}
