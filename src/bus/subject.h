/* Subjects: words with dots between them, and patterns of them. */
#ifndef MERELS_BUS_SUBJECT_H
#define MERELS_BUS_SUBJECT_H

#include <stdbool.h>

#include <merels/status.h>

/* MRL_SYNTAX with a sentence that names the subject; `pattern`: * and > are allowed. */
enum mrl_status subject_check(const char *subject, bool pattern, struct mrl_error *error);

/* A queue group's name: one word. "" is none. */
enum mrl_status subject_check_group(const char *group, struct mrl_error *error);

/* Whether a subject, which is one, is of a pattern, which is one. */
bool subject_matches(const char *pattern, const char *subject);

#endif
