/*
 * Lines on stderr for whoever runs the program: text, or JSON for a collector of logs.
 *
 * A log is a small value; whoever has a pointer to it may write, from any thread: each line is one write(2). What is
 * said may hold anything a stranger sent: control characters and bytes that are no UTF-8 arrive as \xNN.
 */
#ifndef MERELS_OS_LOG_H
#define MERELS_OS_LOG_H

#include <stdbool.h>

enum mrl_log_level {
	MRL_LOG_ERROR,   /* something that should work does not */
	MRL_LOG_WARNING, /* worth a look */
	MRL_LOG_INFO,    /* the life of the program: started, stopped */
	MRL_LOG_DEBUG    /* every request */
};

struct mrl_log {
	enum mrl_log_level most; /* lines up to this level are written */
	bool json;
};

/* Writes one line; what is longer than 1000 bytes is cut. */
void mrl_log(const struct mrl_log *log, enum mrl_log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
