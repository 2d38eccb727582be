#include <stdarg.h>
#include <stdio.h>

#include "cluster_internal.h"

void cluster_word(struct cluster_words *words, const char *format, ...)
{
	size_t left = sizeof(words->text) - words->used;
	va_list arguments;

	va_start(arguments, format);

	int length = vsnprintf(words->text + words->used, left, format, arguments);

	va_end(arguments);
	if (length < 0 || (size_t)length >= left || words->count == CLUSTER_WORDS) {
		words->full = true;
		return;
	}
	words->words[words->count++] = words->text + words->used;
	words->words[words->count] = NULL;
	words->used += (size_t)length + 1;
}
