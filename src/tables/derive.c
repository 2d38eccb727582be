#include "derive.h"

#include <stdlib.h>

#include <merels/text.h>

bool derive_better(const struct mrl_table_value *a, const struct mrl_table_value *b)
{
	static const int order[] = {[MRL_TABLE_LOSS] = 0, [MRL_TABLE_DRAW] = 1, [MRL_TABLE_WIN] = 2};

	if (a->result != b->result)
		return order[a->result] > order[b->result];
	if (a->plies == b->plies || a->result == MRL_TABLE_DRAW)
		return false;
	return a->result == MRL_TABLE_WIN ? a->plies < b->plies : a->plies > b->plies;
}

struct mrl_table_value derive_before(struct mrl_table_value value)
{
	value.result = value.result == MRL_TABLE_WIN    ? MRL_TABLE_LOSS
		       : value.result == MRL_TABLE_LOSS ? MRL_TABLE_WIN
							: MRL_TABLE_DRAW;
	if (value.plies != MRL_TABLE_NO_PLIES)
		value.plies++;
	return value;
}

static enum mrl_status best_of(struct mrl_tables *tables, const struct mrl_rules *rules,
			       const struct mrl_position *position, const struct mrl_turn *turns, size_t count,
			       struct mrl_table_value *best, struct mrl_error *error)
{
	for (size_t i = 0; i < count; i++) {
		struct mrl_position next = *position;
		struct mrl_table_value value;
		enum mrl_status status;

		(void)mrl_apply(rules, &next, &turns[i], NULL);
		status = mrl_tables_probe(tables, &next, &value, error);
		if (status != MRL_OK)
			return status;
		value = derive_before(value);
		if (i == 0 || derive_better(&value, best))
			*best = value;
	}
	return MRL_OK;
}

enum mrl_status derive_value(struct mrl_tables *tables, const struct mrl_rules *rules,
			     const struct mrl_position *position, struct mrl_table_value *value,
			     struct mrl_error *error)
{
	struct mrl_verdict verdict = mrl_men_verdict(rules, position);
	struct mrl_turn usual[MRL_TURNS_USUAL];
	struct mrl_turn *more = NULL;
	enum mrl_status status;
	size_t count;

	if (verdict.outcome != MRL_ONGOING) {
		bool won = verdict.outcome == (position->side == MRL_WHITE ? MRL_WHITE_WINS : MRL_BLACK_WINS);

		*value = verdict.outcome == MRL_DRAW
			     ? (struct mrl_table_value){MRL_TABLE_DRAW, MRL_TABLE_NO_PLIES}
			     : (struct mrl_table_value){won ? MRL_TABLE_WIN : MRL_TABLE_LOSS, 0};
		return MRL_OK;
	}
	count = mrl_turns(rules, position, usual, MRL_TURNS_USUAL);
	if (count > MRL_TURNS_USUAL) {
		more = malloc(count * sizeof(*more));
		if (more == NULL) {
			struct mrl_text text = mrl_error_open(error, MRL_SYSTEM, 0, 0);

			mrl_text_add(&text, "there is not enough memory to read the tables");
			return MRL_SYSTEM;
		}
		(void)mrl_turns(rules, position, more, count);
	}
	*value = (struct mrl_table_value){MRL_TABLE_DRAW, MRL_TABLE_NO_PLIES};
	status = best_of(tables, rules, position, more != NULL ? more : usual, count, value, error);
	free(more);
	return status;
}
