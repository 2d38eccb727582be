#include "records.h"

#include <stdlib.h>
#include <string.h>

void cli_records_begin(struct cli_records *records, const char *text, size_t length)
{
	mrl_record_reader_init(&records->reader, text, length);
}

static bool grow(struct cli_records *records)
{
	size_t size = records->size > 0 ? 2 * records->size : 65536;
	void *memory = size > records->size ? malloc(size) : NULL;

	if (memory == NULL)
		return false;
	free(records->memory);
	records->memory = memory;
	records->size = size;
	return true;
}

enum mrl_status cli_records_next(struct cli_records *records, struct mrl_record **record, struct mrl_error *error)
{
	*record = NULL;
	if (!mrl_record_more(&records->reader))
		return MRL_OK;
	for (;;) {
		struct mrl_arena arena = mrl_arena_in(records->memory, records->size);
		enum mrl_status status = mrl_record_read(&records->reader, &arena, record, error);

		if (status != MRL_SPACE)
			return status;
		if (!grow(records)) {
			*error = (struct mrl_error){.status = MRL_SYSTEM};
			strcpy(error->message, "there is not enough memory for the record");
			return MRL_SYSTEM;
		}
	}
}

void cli_records_release(struct cli_records *records)
{
	free(records->memory);
	*records = (struct cli_records){0};
}
