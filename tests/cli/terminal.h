/*
 * A terminal for tests: runs a program in a pseudo-terminal and keeps the screen as an xterm would show it.
 *
 * Waiting is for a text to appear, never for a time to pass; only a program that does not get there in half a minute
 * fails. One at a time, on the test's thread; failures are cmocka's.
 */
#ifndef MERELS_TESTS_TERMINAL_H
#define MERELS_TESTS_TERMINAL_H

#include <stdbool.h>
#include <sys/types.h>

enum { TERMINAL_ROWS = 70, TERMINAL_COLUMNS = 200 };

struct terminal {
	int fd;
	pid_t child;
	int rows;
	int columns;
	char cell[TERMINAL_ROWS][TERMINAL_COLUMNS]; /* ASCII; anything else is `?` */
	int row;
	int column;
	bool wrap; /* the next character goes to the next row */
	bool ended;
	char last; /* character printed, for REP */
	/* The escape sequence that is being read. */
	int state;
	int parameters[16];
	int parameter_count;
	bool is_private;
};

/* Starts argv[0] with these environment entries ("NAME=value", NULL at the end) besides those of the test. */
void terminal_start(struct terminal *terminal, int rows, int columns, const char *const argv[],
		    const char *const environment[]);

void terminal_send(struct terminal *terminal, const char *bytes);

/* Reads until `text` stands in a row of the screen. */
void terminal_wait(struct terminal *terminal, const char *text);

/* Reads until one of two texts does. */
void terminal_wait_either(struct terminal *terminal, const char *text, const char *other);

/* Reads until the cursor is in another row. */
void terminal_wait_leave(struct terminal *terminal, int row);

/* The row in which `text` stands, or -1. */
int terminal_find(const struct terminal *terminal, const char *text);

void terminal_resize(struct terminal *terminal, int rows, int columns);

/* Reads until the program has ended; its exit code. */
int terminal_end(struct terminal *terminal);

/* Prints the screen, for a person who looks for what went wrong. */
void terminal_print(const struct terminal *terminal);

#endif
