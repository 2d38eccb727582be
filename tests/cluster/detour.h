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

/*
 * Each end is the path of a socket ("/tmp/a/socket"), or an address and a port ("127.0.0.1:4222"; where one listens 0
 * is any free one).
 */
struct detour *detour_add(struct detours *detours, const char *from, const char *to);

/* Where it listens. */
unsigned detour_port(const struct detour *detour);

void detours_run(struct detours *detours);
void detour_put(struct detour *detour, enum detour_state state);

/* Breaks what there is. NULL is allowed. */
void detours_free(struct detours *detours);

#endif
