/* What the server of games carries: sockets, games, turns a second, watchers. */
#ifndef MERELS_BENCH_PLAY_H
#define MERELS_BENCH_PLAY_H

#include <stdbool.h>

/*
 * Starts this program as a server on one processor and puts it under load from another; each thing is measured for
 * `seconds`. False when there is no memory or no server can be started.
 */
bool bench_play(double seconds);

#endif
