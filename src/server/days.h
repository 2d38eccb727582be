/* Days of the calendar as text, "2026-11-30", and as days since 1970-01-01. Thread-safe. */
#ifndef MERELS_SERVER_DAYS_H
#define MERELS_SERVER_DAYS_H

#include <stdbool.h>
#include <stdint.h>

/* Room for three numbers of any size, as a compiler sees it. */
#define MRL__DAY_TEXT_SIZE 40

/* False when the text is no day that there is, from 1970 to 9999. */
bool mrl__day_read(const char *text, int32_t *day);

void mrl__day_write(char text[MRL__DAY_TEXT_SIZE], int32_t day);

#endif
