#include "days.h"

#include <stdio.h>
#include <string.h>

void mrl__day_write(char text[MRL__DAY_TEXT_SIZE], int32_t day)
{
	int32_t z = day + 719468;
	int32_t era = z / 146097;
	int32_t in_era = z - era * 146097;
	int32_t y = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
	int32_t in_year = in_era - (365 * y + y / 4 - y / 100);
	int32_t m = (5 * in_year + 2) / 153;
	int32_t month = m < 10 ? m + 3 : m - 9;

	(void)snprintf(text, MRL__DAY_TEXT_SIZE, "%04d-%02d-%02d", (int)(y + era * 400 + (month <= 2)), (int)month,
		       (int)(in_year - (153 * m + 2) / 5 + 1));
}

/* Two or four digits. */
static bool read_digits(const char *from, unsigned count, int *number)
{
	*number = 0;
	for (unsigned i = 0; i < count; i++) {
		if (from[i] < '0' || from[i] > '9')
			return false;
		*number = *number * 10 + (from[i] - '0');
	}
	return true;
}

bool mrl__day_read(const char *text, int32_t *day)
{
	char again[MRL__DAY_TEXT_SIZE];
	int year = 0;
	int month = 0;
	int date = 0;

	if (strlen(text) != 10 || text[4] != '-' || text[7] != '-' || !read_digits(text, 4, &year) ||
	    !read_digits(text + 5, 2, &month) || !read_digits(text + 8, 2, &date) || year < 1970)
		return false;
	/* Days of the civil calendar, counted from March, so that the leap day is the last of a year. */
	int y = month <= 2 ? year - 1 : year;
	int m = month <= 2 ? month + 9 : month - 3;

	*day = 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + date - 1 - 719468;
	/* One that there is not, as the 31st of June, is another when it is written. */
	mrl__day_write(again, *day);
	return strcmp(text, again) == 0;
}
