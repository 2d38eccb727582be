#include "terminal.h"

#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATIENCE_SECONDS = 30 };
enum { TEXT, ESCAPE, CHARSET, CSI, OSC };

/* ---- The screen --------------------------------------------------------------------------------------------- */

static void blank(struct terminal *terminal, int row, int from, int to)
{
	for (int column = from; column < to; column++)
		terminal->cell[row][column] = ' ';
}

static void blank_rows(struct terminal *terminal, int from, int to)
{
	for (int row = from; row < to; row++)
		blank(terminal, row, 0, TERMINAL_COLUMNS);
}

/* Moves the rows from `top` to the last up by `count` (down when negative). */
static void scroll(struct terminal *terminal, int top, int count)
{
	for (; count > 0; count--) {
		memmove(terminal->cell[top], terminal->cell[top + 1],
			(size_t)(terminal->rows - 1 - top) * TERMINAL_COLUMNS);
		blank_rows(terminal, terminal->rows - 1, terminal->rows);
	}
	for (; count < 0; count++) {
		memmove(terminal->cell[top + 1], terminal->cell[top],
			(size_t)(terminal->rows - 1 - top) * TERMINAL_COLUMNS);
		blank_rows(terminal, top, top + 1);
	}
}

static int within(int value, int most)
{
	return value < 0 ? 0 : value > most ? most : value;
}

static void go_to(struct terminal *terminal, int row, int column)
{
	terminal->row = within(row, terminal->rows - 1);
	terminal->column = within(column, terminal->columns - 1);
	terminal->wrap = false;
}

static void line_feed(struct terminal *terminal)
{
	if (terminal->row == terminal->rows - 1)
		scroll(terminal, 0, 1);
	else
		terminal->row++;
}

static void put(struct terminal *terminal, char c)
{
	if (terminal->wrap) {
		terminal->column = 0;
		line_feed(terminal);
		terminal->wrap = false;
	}
	terminal->cell[terminal->row][terminal->column] = c;
	terminal->last = c;
	if (terminal->column == terminal->columns - 1)
		terminal->wrap = true;
	else
		terminal->column++;
}

/* ---- Escape sequences --------------------------------------------------------------------------------------- */

static void erase_display(struct terminal *terminal, int what)
{
	if (what == 0) {
		blank(terminal, terminal->row, terminal->column, TERMINAL_COLUMNS);
		blank_rows(terminal, terminal->row + 1, TERMINAL_ROWS);
	} else {
		blank_rows(terminal, 0, what == 1 ? terminal->row : TERMINAL_ROWS);
	}
}

static void erase_line(struct terminal *terminal, int what)
{
	int from = what == 0 ? terminal->column : 0;
	int to = what == 1 ? terminal->column + 1 : TERMINAL_COLUMNS;

	blank(terminal, terminal->row, from, to);
}

/* Characters behind the cursor move right by `count` (left when negative). */
static void shift(struct terminal *terminal, int count)
{
	char *row = terminal->cell[terminal->row];

	for (; count > 0; count--) {
		memmove(row + terminal->column + 1, row + terminal->column,
			(size_t)(TERMINAL_COLUMNS - terminal->column - 1));
		row[terminal->column] = ' ';
	}
	for (; count < 0; count++) {
		memmove(row + terminal->column, row + terminal->column + 1,
			(size_t)(TERMINAL_COLUMNS - terminal->column - 1));
		row[TERMINAL_COLUMNS - 1] = ' ';
	}
}

static void obey(struct terminal *terminal, char final)
{
	int zero = terminal->parameters[0];
	int one = zero > 0 ? zero : 1;
	int second = terminal->parameters[1] > 0 ? terminal->parameters[1] : 1;

	if (terminal->is_private) {
		/* The other screen begins empty, and so does this one when the program comes back to it. */
		if (zero == 1049) {
			blank_rows(terminal, 0, TERMINAL_ROWS);
			go_to(terminal, 0, 0);
		}
		return;
	}
	switch (final) {
	case 'H':
	case 'f':
		go_to(terminal, one - 1, second - 1);
		break;
	case 'A':
		go_to(terminal, terminal->row - one, terminal->column);
		break;
	case 'B':
		go_to(terminal, terminal->row + one, terminal->column);
		break;
	case 'C':
		go_to(terminal, terminal->row, terminal->column + one);
		break;
	case 'D':
		go_to(terminal, terminal->row, terminal->column - one);
		break;
	case 'G':
		go_to(terminal, terminal->row, one - 1);
		break;
	case 'd':
		go_to(terminal, one - 1, terminal->column);
		break;
	case 'J':
		erase_display(terminal, zero);
		break;
	case 'K':
		erase_line(terminal, zero);
		break;
	case 'X':
		blank(terminal, terminal->row, terminal->column, within(terminal->column + one, TERMINAL_COLUMNS));
		break;
	case 'b':
		for (int i = 0; i < one; i++)
			put(terminal, terminal->last);
		break;
	case '@':
		shift(terminal, one);
		break;
	case 'P':
		shift(terminal, -one);
		break;
	case 'L':
		scroll(terminal, terminal->row, -one);
		break;
	case 'M':
		scroll(terminal, terminal->row, one);
		break;
	case 'm': /* colours */
	case 'h':
	case 'l':
	case 'r': /* ncurses restores the whole screen as the region at the start */
	case 't':
		break;
	default:
		fail_msg("the terminal of the test does not know ESC [ %c", final);
	}
}

static void read_control(struct terminal *terminal, char c)
{
	switch (c) {
	case '\033':
		terminal->state = ESCAPE;
		break;
	case '\n':
		line_feed(terminal);
		break;
	case '\r':
		go_to(terminal, terminal->row, 0);
		break;
	case '\b':
		go_to(terminal, terminal->row, terminal->column - 1);
		break;
	case '\t':
		go_to(terminal, terminal->row, (terminal->column / 8 + 1) * 8);
		break;
	default:
		break;
	}
}

static void read_escape(struct terminal *terminal, char c)
{
	terminal->state = TEXT;
	switch (c) {
	case '[':
		terminal->state = CSI;
		terminal->parameter_count = 0;
		terminal->is_private = false;
		memset(terminal->parameters, 0, sizeof(terminal->parameters));
		break;
	case ']':
		terminal->state = OSC;
		break;
	case '(':
	case ')':
		terminal->state = CHARSET;
		break;
	case 'M':
		if (terminal->row == 0)
			scroll(terminal, 0, -1);
		else
			terminal->row--;
		break;
	default:
		break;
	}
}

static void read_csi(struct terminal *terminal, char c)
{
	int *parameter = &terminal->parameters[terminal->parameter_count];

	if (c >= '0' && c <= '9') {
		*parameter = within(*parameter * 10 + (c - '0'), 100000);
	} else if (c == ';') {
		terminal->parameter_count = within(terminal->parameter_count + 1, 15);
	} else if (c == '?' || c == '>') {
		terminal->is_private = true;
	} else {
		terminal->state = TEXT;
		obey(terminal, c);
	}
}

static void read_byte(struct terminal *terminal, char c)
{
	unsigned char byte = (unsigned char)c;

	switch (terminal->state) {
	case ESCAPE:
		read_escape(terminal, c);
		break;
	case CSI:
		read_csi(terminal, c);
		break;
	case OSC:
		if (c == '\007')
			terminal->state = TEXT;
		break;
	case CHARSET:
		terminal->state = TEXT;
		break;
	default:
		if (byte < 0x20)
			read_control(terminal, c);
		else if (byte < 0x7f)
			put(terminal, c);
		else if (byte >= 0xc0) /* the first byte of a character of several */
			put(terminal, '?');
	}
}

/* ---- The program -------------------------------------------------------------------------------------------- */

void terminal_start(struct terminal *terminal, int rows, int columns, const char *const argv[],
		    const char *const environment[])
{
	struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};

	assert_true(rows <= TERMINAL_ROWS && columns <= TERMINAL_COLUMNS);
	*terminal = (struct terminal){.rows = rows, .columns = columns};
	blank_rows(terminal, 0, TERMINAL_ROWS);
	(void)fflush(NULL);
	terminal->child = forkpty(&terminal->fd, NULL, NULL, &size);
	assert_true(terminal->child >= 0);
	if (terminal->child > 0)
		return;
	char *arguments[32];
	int count = 0;

	(void)unsetenv("NO_COLOR");
	(void)unsetenv("LINES");
	(void)unsetenv("COLUMNS");
	for (int i = 0; environment[i] != NULL; i++)
		(void)putenv(strdup(environment[i]));
	for (; argv[count] != NULL && count < 31; count++)
		arguments[count] = strdup(argv[count]);
	arguments[count] = NULL;
	(void)execv(arguments[0], arguments);
	_exit(127);
}

void terminal_send(struct terminal *terminal, const char *bytes)
{
	size_t length = strlen(bytes);

	while (length > 0) {
		ssize_t written = write(terminal->fd, bytes, length);

		if (written < 0 && errno == EINTR)
			continue;
		assert_true(written > 0);
		bytes += written;
		length -= (size_t)written;
	}
}

/* Reads what the program has printed; waits for it, but not for ever. */
static void read_some(struct terminal *terminal)
{
	char bytes[4096];
	struct pollfd poll_fd = {.fd = terminal->fd, .events = POLLIN};
	int ready = poll(&poll_fd, 1, PATIENCE_SECONDS * 1000);

	if (ready == 0) {
		terminal_print(terminal);
		fail_msg("the program printed nothing for %d seconds", PATIENCE_SECONDS);
	}
	ssize_t got = read(terminal->fd, bytes, sizeof(bytes));

	if (got < 0 && errno == EINTR)
		return;
	/* Linux says EIO when the other side has closed the terminal. */
	if (got <= 0) {
		terminal->ended = true;
		return;
	}
	for (ssize_t i = 0; i < got; i++)
		read_byte(terminal, bytes[i]);
}

int terminal_find(const struct terminal *terminal, const char *text)
{
	for (int row = 0; row < terminal->rows; row++) {
		char line[TERMINAL_COLUMNS + 1];

		memcpy(line, terminal->cell[row], (size_t)terminal->columns);
		line[terminal->columns] = '\0';
		if (strstr(line, text) != NULL)
			return row;
	}
	return -1;
}

void terminal_wait_either(struct terminal *terminal, const char *text, const char *other)
{
	while (terminal_find(terminal, text) < 0 && terminal_find(terminal, other) < 0) {
		if (terminal->ended) {
			terminal_print(terminal);
			fail_msg("the program ended before it showed \"%s\"", text);
		}
		read_some(terminal);
	}
}

void terminal_wait(struct terminal *terminal, const char *text)
{
	terminal_wait_either(terminal, text, text);
}

void terminal_wait_leave(struct terminal *terminal, int row)
{
	while (terminal->row == row) {
		assert_false(terminal->ended);
		read_some(terminal);
	}
}

void terminal_resize(struct terminal *terminal, int rows, int columns)
{
	struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};

	terminal->rows = rows;
	terminal->columns = columns;
	go_to(terminal, terminal->row, terminal->column);
	assert_int_equal(ioctl(terminal->fd, TIOCSWINSZ, &size), 0);
}

int terminal_end(struct terminal *terminal)
{
	int status = 0;

	while (!terminal->ended)
		read_some(terminal);
	while (waitpid(terminal->child, &status, 0) < 0)
		assert_int_equal(errno, EINTR);
	(void)close(terminal->fd);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

void terminal_print(const struct terminal *terminal)
{
	for (int row = 0; row < terminal->rows; row++)
		fprintf(stderr, "|%.*s|\n", terminal->columns, terminal->cell[row]);
}
