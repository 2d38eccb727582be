/* Exports of game records: the game as a record, and a record as what a game is begun with. */
#include "session.h"
#include <merels/notation.h>
#include <merels/record.h>

int32_t record_write(uint32_t length);
int32_t record_read(uint32_t length);

static struct block memory;
static struct mrl_record *record;

/* The tags in `in`, each a line of a name, a space and a value. */
static enum mrl_status set_tags(struct mrl_arena *arena, const char *text, size_t length)
{
	static char line[1024];
	enum mrl_status status = MRL_OK;
	size_t at = 0;

	while (at < length && status == MRL_OK) {
		size_t used = 0;
		size_t space = 0;

		for (; at < length && text[at] != '\n'; at++) {
			if (used + 1 >= sizeof line)
				continue;
			if (text[at] == ' ' && space == 0)
				space = used;
			line[used++] = text[at];
		}
		at++;
		line[used] = 0;
		if (space == 0)
			continue;
		line[space] = 0;
		status = mrl_record_set_tag(arena, record, line, line + space + 1, &session.error);
	}
	return status;
}

static void write_record(struct mrl_text *text)
{
	size_t room = text->size > text->length ? text->size - text->length : 0;

	text->length += mrl_record_write(record, text->data + (room > 0 ? text->length : 0), room);
}

/* Does one thing with an arena: MRL_SPACE asks for a larger one and another try. */
typedef enum mrl_status arena_use(struct mrl_arena *arena, const char *text, size_t length);

static enum mrl_status with_arena(arena_use *use, const char *text, size_t length)
{
	size_t size = memory.size == 0 ? 65536U : memory.size;

	while (block_grow(&memory, size)) {
		struct mrl_arena arena = mrl_arena_in(memory.data, memory.size);
		enum mrl_status status = use(&arena, text, length);

		if (status != MRL_SPACE)
			return status;
		size = memory.size + 1;
	}
	(void)session_refuse_with(MRL_SPACE, "the browser has no memory left for this record");
	return MRL_SPACE;
}

static enum mrl_status make(struct mrl_arena *arena, const char *tags, size_t length)
{
	enum mrl_status status = mrl_record_make(arena, &session.game, &record);

	return status == MRL_OK ? set_tags(arena, tags, length) : status;
}

/* The game as a record, with the tags that `in` has, each a line of a name, a space and a value. */
EXPORT("record_write") int32_t record_write(uint32_t length)
{
	size_t bytes = length;
	const char *tags = session_text(&bytes);

	if (!session.game.rules)
		return session_refuse_with(MRL_NAME, "no rule set has been chosen yet");
	return with_arena(make, tags, bytes) == MRL_OK ? session_answer(write_record) : session_refuse();
}

static enum mrl_status read_first(struct mrl_arena *arena, const char *text, size_t length)
{
	struct mrl_record_reader reader;
	struct mrl_text message;

	mrl_record_reader_init(&reader, text, length);
	if (mrl_record_more(&reader))
		return mrl_record_read(&reader, arena, &record, &session.error);
	message = mrl_error_open(&session.error, MRL_SYNTAX, 0, 0);
	mrl_text_add(&message, "there is no game in this text");
	return MRL_SYNTAX;
}

static void write_game(struct mrl_text *text)
{
	const struct mrl_record_turn *turn = record->line.first;
	char words[MRL_POSITION_TEXT_SIZE];

	mrl_rules_write(record->rules, words);
	write_key(text, "rules");
	mrl_text_add(text, words);
	write_key(text, "\nstart");
	if (record->set_up) {
		mrl_position_write(record->rules, &record->start, words);
		mrl_text_add(text, words);
	}
	write_key(text, "\nturns");
	for (; turn; turn = turn->next) {
		mrl_turn_write(&record->rules->board, &turn->turn, words);
		mrl_text_add(text, words);
		if (turn->next)
			mrl_text_char(text, ' ');
	}
}

/*
 * Reads the first record in `in`: the answer has its rules, start (empty for the rule set's own) and the turns of the
 * game as it was played. The session's game is not touched.
 */
EXPORT("record_read") int32_t record_read(uint32_t length)
{
	size_t bytes = length;
	const char *text = session_text(&bytes);

	return with_arena(read_first, text, bytes) == MRL_OK ? session_answer(write_game) : session_refuse();
}
