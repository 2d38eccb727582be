/* Positions in any format: what reads writes in every format that can say it, and reads from there as the same. */
#include <string.h>

#include <merels/notation.h>

#include "fuzz.h"

static void check_format(const struct mrl_rules *rules, const struct mrl_position *position,
			 enum mrl_position_format format)
{
	char text[MRL_POSITION_TEXT_SIZE];
	struct mrl_position again;
	struct mrl_error error = {0};
	enum mrl_status status = mrl_position_write_as(rules, position, format, text, &error);

	if (status != MRL_OK) {
		MUST(status == MRL_UNSUPPORTED && format != MRL_FORMAT_MERELS && error.message[0] != '\0');
		return;
	}
	MUST(strlen(text) + 1 < sizeof text);
	MUST(mrl_position_format(text, strlen(text)) == format);
	MUST(mrl_position_read(rules, text, strlen(text), &again, &error) == MRL_OK);
	MUST(mrl_position_same(position, &again) && position->hash == again.hash);
	MUST(position->no_mill == again.no_mill && position->three_men == again.three_men);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct mrl_rules *rules;
	struct fuzz_text text = {(const char *)data, size};
	struct mrl_position position = {0};
	struct mrl_error error = {0};
	enum mrl_status status;

	rules = fuzz_rules(&text);
	status = mrl_position_read(rules, text.data, text.length, &position, &error);
	if (status != MRL_OK) {
		fuzz_check_error(&error, status, text);
		return 0;
	}
	MUST(mrl_position_check(rules, &position, NULL) == MRL_OK);
	for (enum mrl_position_format format = MRL_FORMAT_MERELS; format <= MRL_FORMAT_MFEN; format++)
		check_format(rules, &position, format);
	return 0;
}
