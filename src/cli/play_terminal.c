#include "play_terminal.h"

#include <curses.h>
#include <term.h>

bool play_terminal_known(void)
{
	int found = 0;

	if (setupterm(NULL, fileno(stdout), &found) != OK)
		return false;
	(void)del_curterm(cur_term);
	return true;
}
