/*
 * Derives values anew by the plain rules and compares. It shares with the solver nothing but the order of the cells.
 *
 * That every value follows from those one turn on is a proof when there are distances: each win has a loss one ply
 * nearer to the end, so by induction all are right. Values alone could support each other in a circle. Values that were
 * left out of the files are no claim of theirs and pass by; what they are is asked where turns lead to them.
 */
#include "derive.h"
#include "tables.h"

struct verifying {
	struct mrl_tables *tables;
	struct mrl_table_check *check;
	bool (*watch)(void *context, uint64_t checked);
	void *context;
};

enum { ASK_EACH = 4096 };

/*
 * Of large tables positions are drawn in bunches with the same enemy men: what their turns lead to lies in the same few
 * blocks, and to unpack those is nearly all the work. Each position is as likely as any other all the same.
 */
enum { LARGE = 1 << 26, BUNCH = 64 };

static enum mrl_status check_cell(struct verifying *verifying, size_t index, uint64_t cell, struct mrl_error *error)
{
	struct mrl_table_check *check = verifying->check;
	struct mrl_table_value stored;
	struct mrl_table_value derived = {MRL_TABLE_DRAW, MRL_TABLE_NO_PLIES};
	struct mrl_position position;
	bool unused;
	enum mrl_status status;

	if (tables_left_out(verifying->tables, index))
		return MRL_OK;
	status = tables_read(verifying->tables, index, cell, &stored, &unused, error);
	if (status != MRL_OK || unused)
		return status;
	tables_position(verifying->tables, index, cell, &position);
	status = derive_value(verifying->tables, tables_rules(verifying->tables), &position, &derived, error);
	if (status != MRL_OK)
		return status;
	if (!mrl_tables_have_plies(verifying->tables))
		derived.plies = MRL_TABLE_NO_PLIES;
	check->checked++;
	if (stored.result == derived.result && (stored.plies == derived.plies || stored.result == MRL_TABLE_DRAW))
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
	struct verifying verifying = {tables, check, watch, context};
	uint64_t cells = tables_cells(tables, index);
	enum mrl_status status = MRL_OK;

	*check = (struct mrl_table_check){0};
	for (uint64_t cell = 0; cell < cells && status == MRL_OK; cell++) {
		status = check_cell(&verifying, index, cell, error);
		if (status == MRL_OK && stopped(&verifying))
			status = MRL_STOPPED;
	}
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

/* Some positions of the row that a random cell is in, the cell itself first; fewer in the last bunch. */
static enum mrl_status check_bunch(struct verifying *verifying, uint64_t cell, uint64_t count, uint64_t *random,
				   struct mrl_error *error)
{
	enum mrl_status status = MRL_OK;
	size_t index = 0;
	uint64_t row_cells;
	uint64_t row;

	while (cell >= tables_cells(verifying->tables, index))
		cell -= tables_cells(verifying->tables, index++);
	row_cells = tables_row_cells(verifying->tables, index);
	row = cell / row_cells * row_cells;
	for (uint64_t i = 0; i < count && status == MRL_OK; i++) {
		status = check_cell(verifying, index, cell, error);
		if (status == MRL_OK && stopped(verifying))
			status = MRL_STOPPED;
		cell = row + next_random(random) % row_cells;
	}
	return status;
}

enum mrl_status mrl_tables_verify_sample(struct mrl_tables *tables, uint64_t samples, uint64_t seed,
					 struct mrl_table_check *check, bool (*watch)(void *context, uint64_t checked),
					 void *context, struct mrl_error *error)
{
	struct verifying verifying = {tables, check, watch, context};
	enum mrl_status status = MRL_OK;
	uint64_t total = 0;
	uint64_t bunch;

	*check = (struct mrl_table_check){0};
	for (size_t index = 0; index < mrl_tables_sectors(tables); index++)
		total += tables_cells(tables, index);
	bunch = total < LARGE ? 1 : BUNCH;
	for (uint64_t left = samples; left > 0 && total > 0 && status == MRL_OK;) {
		uint64_t count = left < bunch ? left : bunch;

		/* Fewer than 2^40 cells: the remainder favours none that anyone could notice. */
		status = check_bunch(&verifying, next_random(&seed) % total, count, &seed, error);
		left -= count;
	}
	return status;
}
