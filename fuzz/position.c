/* Position text of our own: what reads can occur, and writes a text that reads as the same position. */
#include <string.h>

#include <merels/notation.h>

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct mrl_rules *rules;
	struct fuzz_text text = {(const char *)data, size};
	struct mrl_position position;
	struct mrl_position again;
	struct mrl_error error = {0};
	char written[MRL_POSITION_TEXT_SIZE];
	char second[MRL_POSITION_TEXT_SIZE];
	enum mrl_status status;
	size_t length;

	rules = fuzz_rules(&text);
	memset(&position, 0x5a, sizeof position);
	again = position;
	status = mrl_position_read(rules, text.data, text.length, &position, &error);
	if (status != MRL_OK) {
		fuzz_check_error(&error, status, text);
		MUST(memcmp(&position, &again, sizeof position) == 0);
		return 0;
	}
	MUST(mrl_position_check(rules, &position, NULL) == MRL_OK);
	MUST(position.hash == mrl_position_hash(rules, &position));
	length = mrl_position_write(rules, &position, written);
	MUST(length == strlen(written) && length + 1 < sizeof written);
	MUST(mrl_position_format(written, length) == MRL_FORMAT_MERELS);
	MUST(mrl_position_read(rules, written, length, &again, &error) == MRL_OK);
	MUST(mrl_position_same(&position, &again));
	MUST(position.no_mill == again.no_mill && position.three_men == again.three_men);
	mrl_position_write(rules, &again, second);
	MUST(strcmp(written, second) == 0);
	return 0;
}
