/* What kind of place the output goes to. Thread-safe once mrl_terminal_init() has returned. */
#ifndef MERELS_OS_TERMINAL_H
#define MERELS_OS_TERMINAL_H

#include <stdbool.h>

/* Takes over the character set that the environment asks for; numbers keep the form they have in C. Call once, first.
 */
void mrl_terminal_init(void);

/* Whether the character set is UTF-8. */
bool mrl_terminal_utf8(void);

/* Whether both standard input and standard output are a terminal that can do more than print lines. */
bool mrl_terminal_interactive(void);

/* Whether standard input is a terminal, so that a person waits for a prompt. */
bool mrl_terminal_input(void);

/* Whether what is typed on standard input is shown; for passwords. Does nothing when that is no terminal. */
void mrl_terminal_echo(bool on);

/* Whether standard error is a terminal, where a line can be overwritten. */
bool mrl_terminal_errors(void);

#endif
