/*
 * Records: what reads is sound by the rules, writes lines of at most 80 bytes, and reads back equal; what does not read
 * says why, and the reader moves on to the next game.
 */
#include <string.h>

#include <merels/record.h>

#include <record_equal.h>

#include "fuzz.h"

static char first_memory[(size_t)32 << 20];
static char second_memory[(size_t)32 << 20];

/* No line is too long unless it has no place where it could be broken. */
static void check_lines(const char *text)
{
	bool in_tags = true;

	while (*text != '\0') {
		size_t length = strcspn(text, "\n");
		const char *word = text + strspn(text, "({");

		if (length == 0)
			in_tags = false;
		if (!in_tags && length > 80) {
			if (strncmp(word, "[%eval ", 7) == 0)
				word += 7;
			MUST(strcspn(word, " \n") == strcspn(word, "\n"));
		}
		text += length + 1;
	}
}

/* The game as it was played, played once more by the rules. */
static void check_game(const struct mrl_record *record)
{
	struct mrl_ply *plies = malloc((record->count + 1) * sizeof *plies);
	struct mrl_game game;
	size_t count = 0;

	MUST(plies != NULL);
	MUST(mrl_position_check(record->rules, &record->start, NULL) == MRL_OK);
	mrl_game_init(&game, record->rules, &record->start, plies, record->count + 1);
	for (const struct mrl_record_turn *turn = record->line.first; turn != NULL; turn = turn->next, count++) {
		MUST(turn->ply == count && turn->line == &record->line);
		MUST(mrl_game_play(&game, &turn->turn, NULL) == MRL_OK);
	}
	MUST(count == record->count);
	MUST(mrl_position_same(&game.position, &record->final));
	MUST(game.verdict.outcome == record->verdict.outcome && game.verdict.reason == record->verdict.reason);
	MUST(game.verdict.outcome == MRL_ONGOING || game.verdict.outcome == record->outcome);
	free(plies);
}

static void check_record(const struct mrl_record *record)
{
	struct mrl_arena arena = mrl_arena_in(second_memory, sizeof second_memory);
	size_t length = mrl_record_write(record, NULL, 0);
	char *text = malloc(length + 1);
	char *second = malloc(length + 1);
	struct mrl_record_reader reader;
	struct mrl_record *again = NULL;
	struct mrl_error error;

	MUST(text != NULL && second != NULL);
	MUST(mrl_record_write(record, text, length + 1) == length && strlen(text) == length);
	check_lines(text);
	check_game(record);
	mrl_record_reader_init(&reader, text, length);
	MUST(mrl_record_more(&reader));
	MUST(mrl_record_read(&reader, &arena, &again, &error) == MRL_OK);
	MUST(!mrl_record_more(&reader));
	MUST(record_difference(record, again) == NULL);
	MUST(mrl_record_write(again, second, length + 1) == length);
	MUST(memcmp(text, second, length) == 0);
	free(text);
	free(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_text text = {(const char *)data, size};
	struct mrl_record_reader reader;

	mrl_record_reader_init(&reader, text.data, text.length);
	while (mrl_record_more(&reader)) {
		/* First with little memory, how little being left to the input; then with enough. */
		struct mrl_arena arena = mrl_arena_in(first_memory, (size_t)12000 + 16 * data[reader.at]);
		struct mrl_record *record = NULL;
		struct mrl_error error = {0};
		size_t before = reader.at;
		enum mrl_status status = mrl_record_read(&reader, &arena, &record, &error);

		if (status == MRL_SPACE) {
			MUST(record == NULL && arena.used == 0 && reader.at == before);
			arena = mrl_arena_in(first_memory, sizeof first_memory);
			status = mrl_record_read(&reader, &arena, &record, &error);
		}
		MUST(reader.at > before && reader.at <= text.length);
		if (status == MRL_OK) {
			check_record(record);
		} else {
			MUST(record == NULL && arena.used == 0);
			fuzz_check_error(&error, status, text);
		}
	}
	return 0;
}
