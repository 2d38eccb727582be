/* The presets as data: for each a board and the parameters that differ from the defaults. */
#ifndef MERELS_PRESETS_H
#define MERELS_PRESETS_H

#include <merels/rules.h>

struct preset_row {
	struct mrl_preset shown;
	const char *parameters; /* in the written form, without the name; "men=9,fly=3" */
};

/* NULL past the end. */
const struct preset_row *mrl__preset_row(size_t index);

#endif
