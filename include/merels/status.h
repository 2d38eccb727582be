/*
 * Status codes and the one error structure of the library.
 *
 * Every function that can fail returns an `enum mrl_status`: 0 is good, a negative value says what kind of
 * thing went wrong. Functions that read text from people or files also fill a `struct mrl_error`, which says
 * where, what was found and what would have been right. Nothing here allocates; everything is safe to share
 * between threads as long as each thread has its own `struct mrl_error`.
 */
#ifndef MERELS_STATUS_H
#define MERELS_STATUS_H

#include <stddef.h>

/* X(name, value, text): the one table of codes. */
#define MRL_STATUS_TABLE(X)                                                \
	X(OK, 0, "no error")                                               \
	X(SYNTAX, -1, "the text does not have the form it should")         \
	X(NAME, -2, "an unknown name")                                     \
	X(RANGE, -3, "a value outside its range")                          \
	X(POSITION, -4, "a position that cannot occur under the rule set") \
	X(ILLEGAL, -5, "a turn the rules do not allow")                    \
	X(AMBIGUOUS, -6, "a turn that could be read in more than one way") \
	X(DECIDED, -7, "the game is over")                                 \
	X(SPACE, -8, "the memory the caller gave is too small")            \
	X(BOARD, -9, "a board description that makes no board")            \
	X(UNSUPPORTED, -10, "the format cannot say this")                  \
	X(STOPPED, -11, "stopped before there was a result")               \
	X(SYSTEM, -12, "the operating system said no")                     \
	X(BUSY, -13, "busy with something else")                           \
	X(FULL, -14, "the disk is full")                                   \
	X(CONFLICT, -15, "something else is there already")                \
	X(MISSING, -16, "there is no such thing")                          \
	X(TAKEN, -17, "it is in other hands now")

enum mrl_status {
#define MRL_STATUS_ENUM(name, value, text) MRL_##name = (value),
	MRL_STATUS_TABLE(MRL_STATUS_ENUM)
#undef MRL_STATUS_ENUM
};

#if defined(__GNUC__)
#define MRL_MUST_USE __attribute__((warn_unused_result))
#else
#define MRL_MUST_USE
#endif

#define MRL_ERROR_MESSAGE_SIZE 512

/*
 * What was wrong with a text. `line` and `column` count from 1, columns in bytes; both are 0 when the error has
 * no place in a text (a position set up by hand, say). `message` is one complete sentence without the place,
 * ready to show, 0-terminated, never holding a control character; it is cut to fit.
 */
struct mrl_error {
	enum mrl_status status;
	size_t line;
	size_t column;
	char message[MRL_ERROR_MESSAGE_SIZE];
};

/* The code's name ("SYNTAX") and its text; for a value that is no code "UNKNOWN" and "an unknown error". */
const char *mrl_status_name(enum mrl_status status);
const char *mrl_status_text(enum mrl_status status);

#endif
