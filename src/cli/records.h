/* The records of a text, one after the other, in memory that grows as they need it. */
#ifndef MERELS_CLI_RECORDS_H
#define MERELS_CLI_RECORDS_H

#include <merels/record.h>

/* struct cli_records r = {0} may be released. */
struct cli_records {
	struct mrl_record_reader reader;
	void *memory; /* owned; the record read last lives in it */
	size_t size;
};

/* Starts with a text, which must outlive `records`; memory from an earlier text is used again. */
void cli_records_begin(struct cli_records *records, const char *text, size_t length);

/*
 * Reads the next game; *record lives until the next call and is NULL at the end, where the answer is MRL_OK. On an
 * error the next call goes on with the next game. Never MRL_SPACE: MRL_SYSTEM, after which there is no next call, when
 * there is no memory.
 */
MRL_MUST_USE enum mrl_status cli_records_next(struct cli_records *records, struct mrl_record **record,
					      struct mrl_error *error);

void cli_records_release(struct cli_records *records);

#endif
