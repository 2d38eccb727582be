/* Turn text: what reads is one of the legal turns, and writes a text that reads as the same turn. */
#include <string.h>

#include <merels/notation.h>

#include "fuzz.h"

static bool is_listed(const struct mrl_rules *rules, const struct mrl_position *position, const struct mrl_turn *turn)
{
	static struct mrl_turn turns[20000];
	size_t capacity = sizeof turns / sizeof turns[0];
	size_t count = mrl_turns(rules, position, turns, capacity);

	for (size_t i = 0; i < count && i < capacity; i++)
		if (mrl_turn_equal(&turns[i], turn))
			return true;
	return count > capacity;
}

static void check_turn(const struct mrl_rules *rules, const struct mrl_position *position, const struct mrl_turn *turn)
{
	char text[MRL_TURN_TEXT_SIZE];
	struct mrl_turn again;
	struct mrl_error error;
	size_t length = mrl_turn_write(&rules->board, turn, text);

	MUST(length == strlen(text) && length + 1 < sizeof text);
	MUST(mrl_turn_read(rules, position, text, length, &again, &error) == MRL_OK);
	MUST(mrl_turn_equal(turn, &again));
	MUST(is_listed(rules, position, turn));
}

/* Second line: the position. The rest: the turns. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct mrl_rules *rules;
	struct fuzz_text text = {(const char *)data, size};
	struct fuzz_text line;
	struct mrl_position position;
	struct mrl_turn turn;
	struct mrl_error error = {0};
	enum mrl_status status;

	rules = fuzz_rules(&text);
	line = fuzz_line(&text);
	if (mrl_position_read(rules, line.data, line.length, &position, NULL) != MRL_OK)
		mrl_position_start(rules, &position);
	status = mrl_turn_read(rules, &position, text.data, text.length, &turn, &error);
	if (status == MRL_OK)
		check_turn(rules, &position, &turn);
	else
		fuzz_check_error(&error, status, text);
	for (;;) {
		size_t consumed = 0;

		status = mrl_turn_next(rules, &position, text.data, text.length, &consumed, &turn, &error);
		if (status != MRL_OK) {
			fuzz_check_error(&error, status, text);
			return 0;
		}
		MUST(consumed <= text.length);
		if (turn.to == MRL_NO_POINT) {
			MUST(consumed == text.length);
			return 0;
		}
		MUST(consumed > 0);
		check_turn(rules, &position, &turn);
		mrl_apply(rules, &position, &turn, NULL);
		text.data += consumed;
		text.length -= consumed;
	}
}
