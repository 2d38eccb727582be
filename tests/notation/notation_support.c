#define _DEFAULT_SOURCE
#include "notation_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct guard {
	char *memory;
	size_t size;
};

const char *guarded(const char *text, size_t length)
{
	static struct guard guards[16];
	static unsigned next;
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t pages = (length + page - 1) / page * page;
	struct guard *guard = &guards[next++ % 16];

	if (guard->memory != NULL)
		(void)munmap(guard->memory, guard->size);
	guard->size = pages + page;
	guard->memory = mmap(NULL, guard->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(guard->memory, MAP_FAILED);
	assert_int_equal(mprotect(guard->memory + pages, page, PROT_NONE), 0);
	if (length > 0)
		memcpy(guard->memory + pages - length, text, length);
	return guard->memory + pages - length;
}

bool refused(const struct refusal *refusal, enum mrl_status status, const struct mrl_error *error)
{
	if (status == refusal->status && error->status == status && error->line == refusal->line &&
	    error->column == refusal->column && strcmp(error->message, refusal->message) == 0)
		return true;
	print_error("text:     %.200s\nexpected: %s %zu:%zu: %s\nfound:    %s %zu:%zu: %s\n", refusal->text,
		    mrl_status_name(refusal->status), refusal->line, refusal->column, refusal->message,
		    mrl_status_name(status), status == MRL_OK ? 0 : error->line, status == MRL_OK ? 0 : error->column,
		    status == MRL_OK ? "" : error->message);
	return false;
}

struct mrl_position position_of(const struct mrl_rules *rules, const char *text)
{
	struct mrl_position position = {0};
	struct mrl_error error;

	if (mrl_position_read(rules, guarded(text, strlen(text)), strlen(text), &position, &error) != MRL_OK)
		fail_msg("%s: %s", text, error.message);
	return position;
}

struct mrl_record *record_of(const char *text, size_t length)
{
	static char *memories[2];
	static unsigned calls;
	char **memory = &memories[calls++ % 2];
	size_t size = 65536;
	struct mrl_record_reader reader;
	struct mrl_record *record = NULL;
	struct mrl_error error;
	enum mrl_status status;

	mrl_record_reader_init(&reader, guarded(text, length), length);
	do {
		struct mrl_arena arena;

		size *= 2;
		free(*memory);
		*memory = malloc(size);
		assert_non_null(*memory);
		arena = mrl_arena_in(*memory, size);
		status = mrl_record_read(&reader, &arena, &record, &error);
	} while (status == MRL_SPACE);
	if (status != MRL_OK)
		fail_msg("%zu:%zu: %s\n%.300s", error.line, error.column, error.message, text);
	assert_false(mrl_record_more(&reader));
	return record;
}

const char *text_of(const struct mrl_record *record)
{
	static char *text;
	size_t length = mrl_record_write(record, NULL, 0);

	free(text);
	text = malloc(length + 1);
	assert_non_null(text);
	assert_int_equal(mrl_record_write(record, text, length + 1), length);
	assert_int_equal(strlen(text), length);
	return text;
}
