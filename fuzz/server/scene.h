/*
 * A scene on the server, and a script that is played in it. A script is lines; in each, `$` and a letter stand for what
 * nobody can know before:
 *
 *     $G a game of visitors 0 and 1   $S $T the secrets of their seats   $C a game of 0 with the computer
 *     $P a private game of 0 that waits   $L its link   $A the name of an account (visitor 2)
 *     $N $M $O $I the game, link, offer and person that somebody was told last   $X an id that nobody has
 *
 * The last visitor has no cookie; 3 has one and does nothing before the script begins.
 */
#ifndef MERELS_FUZZ_SCENE_H
#define MERELS_FUZZ_SCENE_H

#include <stddef.h>

#include "fuzz.h"
#include "visitor.h"

enum { SCENE_LINE_SIZE = 20000, SCENE_LINES = 48 };

/* `settings`: of $G, as POST /api/v1/games takes them, or NULL. */
void scene_begin(const char *settings);

/* All go, time ends every game; then everything must be in order. */
void scene_end(void);

/* The line with everything replaced, 0-terminated; its length. */
size_t scene_expand(struct fuzz_text line, char out[SCENE_LINE_SIZE]);

/* "GET /path?query", "POST /path {body}" of a visitor. Anything else is passed over. */
void scene_request(struct visitor *visitor, char *line, size_t length);

#endif
