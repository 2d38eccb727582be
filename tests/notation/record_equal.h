/* Whether two records say the same, for the tests and the fuzzers. */
#ifndef MERELS_TEST_RECORD_EQUAL_H
#define MERELS_TEST_RECORD_EQUAL_H

#include <stdbool.h>

#include <merels/record.h>

/* NULL when all is equal, else the name of the first difference. The trees are walked without recursion. */
const char *record_difference(const struct mrl_record *a, const struct mrl_record *b);

#endif
