/*
 * Detours: connections that go through this process, which can let them hang or cut them, as a network may.
 *
 * All detours run in one thread of their own. detours_new() and detour_add() come first, then detours_run(); after that
 * only detour_put() and detours_free() may be called, from the thread that made them. Failures end the program with a
 * word.
 */
#ifndef MERELS_TESTS_DETOUR_H
#define MERELS_TESTS_DETOUR_H

struct detours;
struct detour;

enum detour_state {
	DETOUR_OPEN,
	DETOUR_HANGS, /* nothing is passed on and nobody is told, as when a cable is pulled; it flows on when it is open
		       */
	DETOUR_CUT    /* connections are broken, and new ones broken at once */
};

struct detours *detours_new(void);

/* From a socket at the path `from` to that at the path `to`. */
struct detour *detour_add_path(struct detours *detours, const char *from, const char *to);

/* From a free port of 127.0.0.1, put into `from`, to the port `to`. */
struct detour *detour_add_port(struct detours *detours, unsigned *from, unsigned to);

void detours_run(struct detours *detours);
void detour_put(struct detour *detour, enum detour_state state);

/* Breaks what there is. NULL is allowed. */
void detours_free(struct detours *detours);

#endif
