/*
 * The kernels for rows of few men, compiled twice as those of kernel.c are. They do the same, position by position: a
 * word of a lattice would hold hardly one.
 *
 * A layer without hands has one kind of turn and so one input, the moves.
 */
#include "kernel.h"

#include <merels/builtins.h>

#include "few.h"
#include "frame.h"
#include "record.h"
#include "takes.h"

#ifndef KERNELS_FEW
#define KERNELS_FEW kernels_few_plain
#endif

/* A row being worked on. */
struct row {
	const struct stage *stage;
	struct stage_worker *worker;
	const struct layout_size *size;
	const struct few_row *few;
	struct frame frame;
	struct stage_takes *takes;
	unsigned enemies; /* men of the row */
	uint32_t set;     /* the row's men */
	uint32_t number;
	bool closes; /* closing a mill here is more than a quiet turn */
	bool full;   /* every position of the row is over: the enemy has a mill, and mills win */
	unsigned kinds;
	uint64_t *decided;
	const uint64_t *fresh; /* NULL: none */
	const uint64_t *won;
};

static struct row row_of_tile(const struct stage *stage, uint32_t tile, struct stage_worker *worker, uint32_t *first,
			      uint32_t *last)
{
	struct row row = {.stage = stage, .worker = worker, .takes = worker->takes, .kinds = stage->take_kinds};

	row.enemies = layout_tile(&stage->layout, tile, first, last);
	row.size = &stage->layout.size[row.enemies];
	row.few = &stage->few->row[row.enemies];
	worker->data_bytes = 0;
	worker->positions = 0;
	return row;
}

static void row_init(struct row *row, uint32_t number)
{
	const struct stage *stage = row->stage;
	const struct stage_input *input = &stage->input[0];
	const struct layout_size *size = &input->layout.size[row->enemies];

	row->number = number;
	row->set = stage->sets->canon[row->enemies][number];
	row->decided = stage->decided + layout_row_word(row->size, number);
	row->closes = takes_init(stage, row->takes, row->set);
	row->full = stage->rules->mill_wins && mrl_points_in_mills(&stage->rules->board, row->set) != 0;
	row->won = input->won + layout_row_word(size, number);
	row->fresh = input->news[size->first_row + number] != 0 ? input->fresh + layout_row_word(size, number) : NULL;
	frame_init(&row->frame, &stage->rules->board, stage->sets->all & ~row->set, row->closes);
}

/* Whether the position `men` of a row that is not full is over: mills win, and there is one. */
static bool is_over(const struct row *row, uint32_t men)
{
	const struct mrl_rules *rules = row->stage->rules;

	return rules->mill_wins && mrl_points_in_mills(&rules->board, mrl_deposit(men, row->frame.points)) != 0;
}

static bool flies(const struct row *row, uint32_t men)
{
	return mrl_popcount(men) <= row->stage->rules->fly;
}

/* Where a man may go from `at`, in the position `men`. */
static uint32_t reach_of(const struct row *row, unsigned at, uint32_t men)
{
	return (flies(row, men) ? (UINT32_C(1) << row->frame.free) - 1U : row->frame.near[at]) & ~men;
}

static void mark(const struct row *row, uint64_t *words, uint32_t men)
{
	uint32_t number = few_number(row->stage->sets, row->few, men);

	words[number >> 6] |= (uint64_t)1 << (number & 63U);
}

/* ---- Results ------------------------------------------------------------------------------------------------ */

/* Appends the positions in `out` to the record and clears it. */
static void row_write(struct row *row, uint32_t *before)
{
	struct stage_worker *worker = row->worker;
	uint32_t count = 0;

	for (uint32_t word = 0; word < row->size->words; word++) {
		uint64_t found = worker->out.words[word];

		worker->out.words[word] = 0;
		row->decided[word] |= found;
		for (; found != 0; found &= found - 1)
			worker->list[count++] = word * 64 + mrl_lowest(found);
	}
	if (record_row(worker, row->number - *before, count, row->size->words))
		*before = row->number;
}

/* ---- Depth 0 ------------------------------------------------------------------------------------------------ */

static bool is_stuck(const struct row *row, uint32_t men)
{
	uint32_t all = (UINT32_C(1) << row->frame.free) - 1U;

	if (men == all)
		return !row->stage->rules->full_board_draws;
	for (uint32_t rest = men; rest != 0; rest &= rest - 1)
		if (reach_of(row, mrl_lowest(rest), men) != 0)
			return false;
	return true;
}

static void stuck_tile(const struct stage *stage, uint32_t tile, struct stage_worker *worker)
{
	uint32_t first;
	uint32_t last;
	struct row row = row_of_tile(stage, tile, worker, &first, &last);
	uint32_t before = first;

	for (uint32_t number = first; number < last && !stage->rules->stuck_draws; number++) {
		row_init(&row, number);
		for (uint32_t i = 0; i < row.few->positions && !row.full; i++)
			if (is_stuck(&row, row.few->sets[i]) && !is_over(&row, row.few->sets[i]))
				worker->out.words[i >> 6] |= (uint64_t)1 << (i & 63U);
		row_write(&row, &before);
	}
}

/* ---- Backwards ---------------------------------------------------------------------------------------------- */

/*
 * Marks the positions from which a move makes the position `men`: where it closes no mill if `quiet`, where it closes
 * k + 1 (the last kind: or more) if taken[k].
 */
static void mark_before(const struct row *row, uint32_t men, bool quiet, const bool *taken)
{
	for (uint32_t rest = men; rest != 0; rest &= rest - 1) {
		unsigned to = mrl_lowest(rest);
		unsigned mills = frame_mills(&row->frame, to, men);
		uint32_t without = men & ~(UINT32_C(1) << to);

		if (mills == 0 ? !quiet : !taken[mills < row->kinds ? mills - 1 : row->kinds - 1])
			continue;
		for (uint32_t from = reach_of(row, to, men); from != 0; from &= from - 1)
			mark(row, row->worker->out.words, without | (from & (~from + 1U)));
	}
}

/* The fresh positions of the row where a take leads, as positions of this row: those that could come of a mill. */
static void gather_take(const struct row *row, const struct take *take, uint64_t *taken)
{
	const struct stage *stage = row->stage;
	const struct stage_input *input = &stage->input[0];
	const struct layout_size *size = &input->layout.size[take->size];
	const struct few_row *few = &stage->few->row[take->size];
	const uint64_t *fresh = input->fresh + layout_row_word(size, take->row);

	for (uint32_t word = 0; word < size->words; word++) {
		for (uint64_t found = fresh[word]; found != 0; found &= found - 1) {
			uint32_t men = mrl_deposit(few->sets[word * 64 + mrl_lowest(found)], take->points);

			if (mrl_points_in_mills(&stage->rules->board, men) == 0)
				continue;
			men = sets_map(stage->sets, take->back, men);
			if ((men & take->gone) == 0 && few_has(row->few, men))
				mark(row, taken, mrl_extract(men, row->frame.points));
		}
	}
}

/* Fills worker->taken; true when any take brings news. */
static bool gather_takes(const struct row *row)
{
	const struct stage_input *input = &row->stage->input[0];
	bool any = false;

	for (unsigned kind = 0; kind < row->kinds; kind++) {
		for (uint32_t i = 0; i < row->takes->count[kind]; i++) {
			const struct take *take = &row->takes->take[kind][i];
			const struct layout_size *size = &input->layout.size[take->size];

			if (size->rows == 0 || input->news[size->first_row + take->row] == 0)
				continue;
			gather_take(row, take, row->worker->taken[0][kind].words);
			any = true;
		}
	}
	return any;
}

/* Marks what leads to the news of a word of the row. `takes` and `wins`: turns that close a mill may bring some. */
static void scatter_word(const struct row *row, bool takes, bool wins, uint32_t word)
{
	uint64_t taken[STAGE_MOST_TAKES] = {0};
	uint64_t quiet = row->fresh != NULL ? row->fresh[word] : 0;
	uint64_t any = quiet;

	for (unsigned kind = 0; kind < row->kinds; kind++) {
		uint64_t *words = row->worker->taken[0][kind].words;

		if (takes) {
			taken[kind] = words[word];
			words[word] = 0;
		}
		if (wins && row->takes->wins[kind])
			taken[kind] = ~UINT64_C(0);
		any |= taken[kind];
	}
	for (; any != 0; any &= any - 1) {
		unsigned bit = mrl_lowest(any);
		bool closing[STAGE_MOST_TAKES] = {false};

		if (word * 64 + bit >= row->few->positions)
			return;
		for (unsigned kind = 0; kind < row->kinds; kind++)
			closing[kind] = (taken[kind] >> bit & 1U) != 0;
		mark_before(row, row->few->sets[word * 64 + bit], (quiet >> bit & 1U) != 0, closing);
	}
}

/* ---- Forwards ----------------------------------------------------------------------------------------------- */

/* Whether every take of one kind, in position `men` of this row after the turn, leads to a win of the opponent. */
static bool takes_lost(const struct row *row, unsigned kind, uint32_t men)
{
	const struct stage *stage = row->stage;
	const struct stage_input *input = &stage->input[0];
	uint32_t points = mrl_deposit(men, row->frame.points);

	if (row->takes->wins[kind])
		return false;
	for (uint32_t i = 0; i < row->takes->count[kind]; i++) {
		const struct take *take = &row->takes->take[kind][i];
		uint32_t there = mrl_extract(sets_map(stage->sets, take->there, points), take->points);
		uint32_t number = few_number(stage->sets, &stage->few->row[take->size], there);
		const uint64_t *won = input->won + layout_row_word(&input->layout.size[take->size], take->row);

		if ((won[number >> 6] >> (number & 63U) & 1U) == 0)
			return false;
	}
	return true;
}

/* Whether coming to `to`, which makes `men`, leaves nothing but wins of the opponent. */
static bool landing_lost(const struct row *row, unsigned to, uint32_t men)
{
	unsigned mills = frame_mills(&row->frame, to, men);
	uint32_t number;

	if (mills > 0)
		return takes_lost(row, mills < row->kinds ? mills - 1 : row->kinds - 1, men);
	number = few_number(row->stage->sets, row->few, men);
	return (row->won[number >> 6] >> (number & 63U) & 1U) != 0;
}

/* Whether every turn from the position `men` leads to a win of the opponent. */
static bool all_lost(const struct row *row, uint32_t men)
{
	for (uint32_t rest = men; rest != 0; rest &= rest - 1) {
		uint32_t without = men & (~rest | (rest - 1));

		for (uint32_t to = reach_of(row, mrl_lowest(rest), men); to != 0; to &= to - 1)
			if (!landing_lost(row, mrl_lowest(to), without | (to & (~to + 1U))))
				return false;
	}
	return true;
}

/* ---- A step ------------------------------------------------------------------------------------------------- */

/* Leaves of a word of worker->out what is decided at this depth. */
static void sift_word(const struct row *row, unsigned depth, uint32_t word)
{
	uint64_t found = row->worker->out.words[word] & ~row->decided[word];
	uint64_t kept = found;

	for (; found != 0; found &= found - 1) {
		uint32_t men = row->few->sets[word * 64 + mrl_lowest(found)];

		if (is_over(row, men) || (depth % 2 == 0 && !all_lost(row, men)))
			kept &= ~(found & (~found + 1U));
	}
	row->worker->out.words[word] = kept;
}

/* Finds what is decided in a row at this depth, into worker->out; false when there was no news. */
static bool step_row(const struct row *row, unsigned depth)
{
	bool takes = row->closes && gather_takes(row);
	bool wins = false;

	for (unsigned kind = 0; kind < row->kinds; kind++)
		wins = wins || (row->closes && depth == 1 && row->takes->wins[kind]);
	if (!takes && !wins && row->fresh == NULL)
		return false;
	for (uint32_t word = 0; word < row->size->words; word++)
		scatter_word(row, takes, wins, word);
	for (uint32_t word = 0; word < row->size->words; word++)
		if (row->worker->out.words[word] != 0)
			sift_word(row, depth, word);
	return true;
}

static void step_tile(const struct stage *stage, uint32_t tile, unsigned depth, struct stage_worker *worker)
{
	uint32_t first;
	uint32_t last;
	struct row row = row_of_tile(stage, tile, worker, &first, &last);
	uint32_t before = first;

	for (uint32_t number = first; number < last; number++) {
		row_init(&row, number);
		if (!row.full && step_row(&row, depth))
			row_write(&row, &before);
	}
}

/* ---- Feeding ------------------------------------------------------------------------------------------------ */

/* Sends a position on its way to the row of the men to move, in all its spellings there; false without memory. */
static bool send(const struct stage *stage, const struct stage_input *input, uint32_t own, uint32_t enemies,
		 struct stage_worker *worker)
{
	const struct sets *sets = stage->sets;
	unsigned men = mrl_popcount(own);
	uint32_t entry = sets->entry[own];
	uint32_t canonical = sets->canon[men][sets_class(entry)];
	uint32_t seen = sets_map(sets, sets_symmetry(entry), enemies);
	uint8_t keep[MRL_MAX_SYMMETRIES] = {0};
	unsigned count = sets_is_symmetric(entry) ? sets_stabiliser(sets, canonical, keep) : 1;

	for (unsigned i = 0; i < count; i++) {
		uint32_t at = mrl_extract(i == 0 ? seen : sets_map(sets, keep[i], seen), sets->all & ~canonical);

		if (!stage_send(&input->layout, &input->layout.size[men], sets_class(entry),
				few_number(sets, &stage->few->row[men], at), worker))
			return false;
	}
	return true;
}

static bool feed_tile(const struct stage *stage, const struct stage_input *input, const struct layout *source,
		      uint32_t tile, const uint8_t *record, size_t bytes, struct stage_worker *worker)
{
	const struct sets *sets = stage->sets;
	uint32_t first;
	uint32_t last;
	unsigned enemies = layout_tile(source, tile, &first, &last);
	const struct few_row *few = &stage->few->row[enemies];
	struct record_reader reader = {record, record + bytes, first, false};
	uint32_t count;

	while ((count = record_get_row(&reader, source->size[enemies].words, worker->list_room, worker->list)) > 0) {
		uint32_t set;

		if (reader.row >= last)
			return false;
		set = sets->canon[enemies][reader.row];
		for (uint32_t i = 0; i < count; i++) {
			if (worker->list[i] >= few->positions)
				return false;
			if (!send(stage, input, mrl_deposit(few->sets[worker->list[i]], sets->all & ~set), set, worker))
				return true;
		}
	}
	return !reader.bad;
}

const struct kernels KERNELS_FEW = {stuck_tile, step_tile, feed_tile};
