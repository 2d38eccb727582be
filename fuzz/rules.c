/* Rule set text: what reads writes a canonical form, which reads as the same rule set. */
#include <string.h>

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct mrl_rules rules;
	static struct mrl_rules again;
	struct fuzz_text text = {(const char *)data, size};
	char name[MRL_RULES_NAME_SIZE];
	char second[MRL_RULES_NAME_SIZE];
	struct mrl_parameter parameter;
	struct mrl_position start;
	struct mrl_error error = {0};
	enum mrl_status status = mrl_rules_parse(&rules, text.data, text.length, &error);

	if (status != MRL_OK) {
		fuzz_check_error(&error, status, text);
		return 0;
	}
	mrl_rules_write(&rules, name);
	MUST(mrl_rules_parse(&again, name, strlen(name), &error) == MRL_OK);
	MUST(mrl_rules_equal(&rules, &again));
	mrl_rules_write(&again, second);
	MUST(strcmp(name, second) == 0);
	for (size_t i = 0; mrl_rules_parameter(&rules, i, &parameter); i++)
		MUST(parameter.key[0] != '\0' && memchr(parameter.value, '\0', sizeof parameter.value) != NULL);
	mrl_position_start(&rules, &start);
	MUST(mrl_position_check(&rules, &start, NULL) == MRL_OK);
	MUST(start.hash == mrl_position_hash(&rules, &start));
	MUST(mrl_turn_count(&rules, &start) > 0);
	return 0;
}
