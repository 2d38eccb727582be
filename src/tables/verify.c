/*
 * Derives values anew by the plain rules and compares. It shares with the solver nothing but the order of the cells.
 *
 * That every value follows from those one turn on is a proof when there are distances: each win has a loss one ply
 * nearer to the end, so by induction all are right. Values alone could support each other in a circle.
 */
#include <merels/text.h>

#include <stdlib.h>

#include "tables.h"

struct verifying {
	struct mrl_tables *tables;
	struct mrl_turn *turns;
	size_t room;
	struct mrl_table_check *check;
	bool (*watch)(void *context, uint64_t checked);
	void *context;
};

enum { TURNS_AT_FIRST = MRL_TURNS_USUAL, ASK_EACH = 4096 };

static enum mrl_status no_memory(struct mrl_error *error)
{
	struct mrl_text text = mrl_error_open(error, MRL_SYSTEM, 0, 0);

	mrl_text_add(&text, "there is not enough memory to verify the tables");
	return MRL_SYSTEM;
}

static enum mrl_status list_turns(struct verifying *verifying, const struct mrl_position *position, size_t *count,
				  struct mrl_error *error)
{
	const struct mrl_rules *rules = tables_rules(verifying->tables);

	*count = mrl_turns(rules, position, verifying->turns, verifying->room);
	if (*count <= verifying->room)
		return MRL_OK;
	free(verifying->turns);
	verifying->room = *count;
	verifying->turns = malloc(verifying->room * sizeof(*verifying->turns));
	if (verifying->turns == NULL)
		return no_memory(error);
	*count = mrl_turns(rules, position, verifying->turns, verifying->room);
	return MRL_OK;
}

/* The better of two values for the side to move: the shortest win, else a draw, else the longest loss. */
static bool better(const struct mrl_table_value *a, const struct mrl_table_value *b)
{
	static const int order[] = {[MRL_TABLE_LOSS] = 0, [MRL_TABLE_DRAW] = 1, [MRL_TABLE_WIN] = 2};

	if (a->result != b->result)
		return order[a->result] > order[b->result];
	if (a->plies == b->plies || a->result == MRL_TABLE_DRAW)
		return false;
	return a->result == MRL_TABLE_WIN ? a->plies < b->plies : a->plies > b->plies;
}

/* What a value is for the side that moved into it. */
static struct mrl_table_value before_turn(struct mrl_table_value value)
{
	value.result = value.result == MRL_TABLE_WIN    ? MRL_TABLE_LOSS
		       : value.result == MRL_TABLE_LOSS ? MRL_TABLE_WIN
							: MRL_TABLE_DRAW;
	if (value.plies != MRL_TABLE_NO_PLIES)
		value.plies++;
	return value;
}

static enum mrl_status derive(struct verifying *verifying, const struct mrl_position *position,
			      struct mrl_table_value *derived, struct mrl_error *error)
{
	const struct mrl_rules *rules = tables_rules(verifying->tables);
	struct mrl_verdict verdict = mrl_men_verdict(rules, position);
	enum mrl_status status;
	size_t count;

	if (verdict.outcome != MRL_ONGOING) {
		*derived = (struct mrl_table_value){verdict.outcome == MRL_DRAW         ? MRL_TABLE_DRAW
						    : verdict.outcome == MRL_WHITE_WINS ? MRL_TABLE_WIN
											: MRL_TABLE_LOSS,
						    verdict.outcome == MRL_DRAW ? MRL_TABLE_NO_PLIES : 0};
		return MRL_OK;
	}
	status = list_turns(verifying, position, &count, error);
	for (size_t i = 0; i < count && status == MRL_OK; i++) {
		struct mrl_position next = *position;
		struct mrl_table_value value;

		(void)mrl_apply(rules, &next, &verifying->turns[i], NULL);
		status = mrl_tables_probe(verifying->tables, &next, &value, error);
		if (status != MRL_OK)
			break;
		value = before_turn(value);
		if (i == 0 || better(&value, derived))
			*derived = value;
	}
	return status;
}

static enum mrl_status check_cell(struct verifying *verifying, size_t index, uint64_t cell, struct mrl_error *error)
{
	struct mrl_table_check *check = verifying->check;
	struct mrl_table_value stored;
	struct mrl_table_value derived = {MRL_TABLE_DRAW, MRL_TABLE_NO_PLIES};
	struct mrl_position position;
	bool unused;
	enum mrl_status status = tables_read(verifying->tables, index, cell, &stored, &unused, error);

	if (status != MRL_OK || unused)
		return status;
	tables_position(verifying->tables, index, cell, &position);
	status = derive(verifying, &position, &derived, error);
	if (status != MRL_OK)
		return status;
	if (!mrl_tables_have_plies(verifying->tables))
		derived.plies = MRL_TABLE_NO_PLIES;
	check->checked++;
	if (stored.result == derived.result &&
	    (stored.plies == derived.plies || stored.result == MRL_TABLE_DRAW))
		return MRL_OK;
	if (check->wrong++ == 0) {
		check->position = position;
		check->stored = stored;
		check->derived = derived;
	}
	return MRL_OK;
}

static bool stopped(const struct verifying *verifying)
{
	return verifying->check->checked % ASK_EACH == 0 && verifying->watch != NULL &&
	       verifying->watch(verifying->context, verifying->check->checked);
}

enum mrl_status mrl_tables_verify(struct mrl_tables *tables, size_t index, struct mrl_table_check *check,
				  bool (*watch)(void *context, uint64_t checked), void *context,
				  struct mrl_error *error)
{
	struct verifying verifying = {tables, malloc(TURNS_AT_FIRST * sizeof(struct mrl_turn)),
				      TURNS_AT_FIRST, check, watch, context};
	uint64_t cells = tables_cells(tables, index);
	enum mrl_status status = verifying.turns == NULL ? no_memory(error) : MRL_OK;

	*check = (struct mrl_table_check){0};
	for (uint64_t cell = 0; cell < cells && status == MRL_OK; cell++) {
		status = check_cell(&verifying, index, cell, error);
		if (status == MRL_OK && stopped(&verifying))
			status = MRL_STOPPED;
	}
	free(verifying.turns);
	return status;
}

/* Steele, Lea and Flood's splitmix64: any seed will do. */
static uint64_t next_random(uint64_t *state)
{
	uint64_t mixed = *state += UINT64_C(0x9e3779b97f4a7c15);

	mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
	return mixed ^ mixed >> 31;
}

enum mrl_status mrl_tables_verify_sample(struct mrl_tables *tables, uint64_t samples, uint64_t seed,
					 struct mrl_table_check *check, bool (*watch)(void *context, uint64_t checked),
					 void *context, struct mrl_error *error)
{
	struct verifying verifying = {tables, malloc(TURNS_AT_FIRST * sizeof(struct mrl_turn)),
				      TURNS_AT_FIRST, check, watch, context};
	enum mrl_status status = verifying.turns == NULL ? no_memory(error) : MRL_OK;
	uint64_t total = 0;

	*check = (struct mrl_table_check){0};
	for (size_t index = 0; index < mrl_tables_sectors(tables); index++)
		total += tables_cells(tables, index);
	for (uint64_t sample = 0; sample < samples && status == MRL_OK; sample++) {
		/* Fewer than 2^40 cells: the remainder favours none that anyone could notice. */
		uint64_t cell = next_random(&seed) % total;
		size_t index = 0;

		while (cell >= tables_cells(tables, index))
			cell -= tables_cells(tables, index++);
		status = check_cell(&verifying, index, cell, error);
		if (status == MRL_OK && stopped(&verifying))
			status = MRL_STOPPED;
	}
	free(verifying.turns);
	return status;
}
