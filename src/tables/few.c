#include "few.h"

#include <stdlib.h>

static bool make_row(struct few_row *row, const struct sets *sets, unsigned free_points, uint32_t counts)
{
	uint32_t number = 0;

	row->counts = counts;
	for (uint32_t rest = counts; rest != 0; rest &= rest - 1)
		row->positions += sets->choose[free_points][mrl_lowest(rest)];
	row->bits = 6;
	while ((uint32_t)1 << row->bits < row->positions)
		row->bits++;
	row->sets = malloc((row->positions + 1U) * sizeof(uint32_t));
	if (row->sets == NULL)
		return false;
	for (uint32_t rest = counts; rest != 0; rest &= rest - 1) {
		unsigned size = mrl_lowest(rest);
		uint32_t here = sets->choose[free_points][size];
		uint32_t set = (UINT32_C(1) << size) - 1;

		row->first[size] = number;
		for (uint32_t i = 0; i < here; i++) {
			row->sets[number++] = set;
			if (i + 1 < here)
				set = sets_next(set);
		}
	}
	return true;
}

struct few *few_new(const struct sets *sets, const struct plan_layer *layer)
{
	struct few *few = calloc(1, sizeof(*few));
	bool made = few != NULL;

	for (unsigned enemy = 0; made && enemy <= sets->points; enemy++) {
		few->row[enemy].bits = 6;
		if (layer->owns[enemy] != 0)
			made = make_row(&few->row[enemy], sets, sets->points - enemy, layer->owns[enemy]);
	}
	if (made)
		return few;
	few_free(few);
	return NULL;
}

void few_free(struct few *few)
{
	if (few == NULL)
		return;
	for (unsigned men = 0; men <= SETS_MAX_POINTS; men++)
		free(few->row[men].sets);
	free(few);
}
