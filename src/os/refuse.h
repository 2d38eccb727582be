/* How this room says what the system would not do; for its own files only. */
#ifndef MERELS_OS_REFUSE_H
#define MERELS_OS_REFUSE_H

#include <merels/status.h>

/* Fills the error with "PATH: WHAT: WHY", without PATH or WHY when they are NULL. Returns MRL_SYSTEM. */
enum mrl_status mrl__refuse(struct mrl_error *error, const char *path, const char *what, const char *why);

/* A value of errno in words that say what would be right. */
const char *mrl__reason(int number);

#endif
