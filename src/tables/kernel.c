/*
 * The kernels, compiled twice: with KERNELS named for the processor.
 *
 * Everything happens within a row and the rows of the same men less those taken; a row is some kilobytes, so nearly
 * every access is to a cache.
 */
#include "kernel.h"

#include <merels/builtins.h>

#include "frame.h"
#include "record.h"
#include "takes.h"

#ifndef KERNELS
#define KERNELS kernels_plain
#endif

/* A row being worked on. */
struct row {
	const struct stage *stage;
	struct stage_worker *worker;
	const struct layout_size *size;
	struct frame frame;
	struct stage_takes *takes;
	unsigned enemies; /* men of the row */
	uint32_t set;     /* the row's men */
	uint32_t number;
	bool closes; /* closing a mill here is more than a quiet turn */
	bool full;   /* every position of the row is over: the enemy has a mill, and mills win */
	uint64_t *decided;
	/* Where each input keeps this row; NULL when it has none. */
	const uint64_t *fresh[2];
	const uint64_t *won[2];
	unsigned kinds;
	/* With mills that win: the positions that have a mill. */
	unsigned mill_count;
	struct frame_men mills[MRL_MAX_MILLS];
};

static void row_mills(struct row *row)
{
	const struct mrl_board *board = &row->stage->rules->board;

	row->mill_count = 0;
	row->full = false;
	if (!row->stage->rules->mill_wins)
		return;
	row->full = mrl_points_in_mills(board, row->set) != 0;
	for (unsigned i = 0; i < board->mill_count; i++)
		if ((board->mill[i] & ~(mrl_points)row->frame.points) == 0)
			row->mills[row->mill_count++] =
			    frame_men(mrl_extract((uint32_t)board->mill[i], row->frame.points));
}

static void row_init(struct row *row, uint32_t number)
{
	const struct stage *stage = row->stage;

	row->number = number;
	row->set = stage->sets->canon[row->enemies][number];
	row->decided = stage->decided + layout_row_word(row->size, number);
	row->closes = takes_init(stage, row->takes, row->set);
	frame_init(&row->frame, &stage->rules->board, stage->sets->all & ~row->set, row->closes);
	row_mills(row);
	for (unsigned i = 0; i < stage->input_count; i++) {
		const struct stage_input *input = &stage->input[i];
		const struct layout_size *size = &input->layout.size[row->enemies];
		uint64_t first = size->rows > 0 ? layout_row_word(size, number) : 0;
		bool news = size->rows > 0 && input->news[size->first_row + number] != 0;

		row->won[i] = size->rows > 0 ? input->won + first : NULL;
		row->fresh[i] = news ? input->fresh + first : NULL;
	}
}

/* The positions of a word that are played on. */
static uint64_t row_valid(const struct row *row, uint32_t word)
{
	uint64_t valid = stage_counts(row->stage->layer->owns[row->enemies], word);

	if (row->full)
		return 0;
	if (row->frame.free < 6)
		valid &= ((uint64_t)1 << (1U << row->frame.free)) - 1;
	for (unsigned i = 0; i < row->mill_count; i++)
		valid &= ~frame_have(&row->mills[i], word);
	return valid;
}

/* The positions of a word whose side to move flies. */
static uint64_t row_flying(const struct row *row, uint32_t word)
{
	unsigned fly = row->stage->rules->fly;

	return row->stage->layer->own_hand > 0 || fly == 0 ? 0 : stage_counts((UINT32_C(2) << fly) - 1, word);
}

/* ---- Results ------------------------------------------------------------------------------------------------ */

/* Appends the positions in `out` to the record and clears it. */
static void row_write(struct row *row, uint32_t *before)
{
	struct stage_worker *worker = row->worker;
	uint32_t count = 0;

	for (uint32_t base = 0; base < row->size->words; base += 64) {
		uint64_t map = worker->out.map[base >> 6];

		worker->out.map[base >> 6] = 0;
		for (; map != 0; map &= map - 1) {
			uint32_t word = base + mrl_lowest(map);
			uint64_t found = worker->out.words[word];

			worker->out.words[word] = 0;
			row->decided[word] |= found;
			for (; found != 0; found &= found - 1)
				worker->list[count++] = word * 64 + mrl_lowest(found);
		}
	}
	if (record_row(worker, row->number - *before, count, row->size->words))
		*before = row->number;
}

/* ---- Depth 0 ------------------------------------------------------------------------------------------------ */

static void find_stuck(struct row *row)
{
	const struct stage *stage = row->stage;
	uint64_t full_board = (uint64_t)1 << (((UINT32_C(1) << row->frame.free) - 1U) & 63U);

	for (uint32_t word = 0; word < row->size->words; word++) {
		uint64_t stuck = row_valid(row, word);

		for (unsigned i = 0; i < stage->input_count && stuck != 0; i++)
			stuck &=
			    ~frame_open(&row->frame, stage->input[i].places, NULL, word, stuck, row_flying(row, word));
		/* All points taken: the last position of the row. */
		if (stuck != 0 && word == row->size->words - 1 && (stuck & full_board) != 0 &&
		    stage->rules->full_board_draws)
			stuck &= ~full_board;
		if (stuck != 0)
			frame_add(&row->worker->out, word, stuck);
	}
}

static void stuck_tile(const struct stage *stage, uint32_t tile, struct stage_worker *worker)
{
	struct row row = {.stage = stage, .worker = worker, .takes = worker->takes, .kinds = stage->take_kinds};
	uint32_t first;
	uint32_t last;
	uint32_t before;

	row.enemies = layout_tile(&stage->layout, tile, &first, &last);
	row.size = &stage->layout.size[row.enemies];
	before = first;
	worker->data_bytes = 0;
	worker->positions = 0;
	for (uint32_t number = first; number < last && !stage->rules->stuck_draws; number++) {
		row_init(&row, number);
		find_stuck(&row);
		row_write(&row, &before);
	}
}

/* Up to so many positions of a word are looked at one by one. */
enum { FEW_POSITIONS = 4 };

/* ---- A step ------------------------------------------------------------------------------------------------- */

/* Positions of a word of the row where a take leads, as positions of this row. */
static void gather_word(const struct row *row, const struct take *take, uint32_t word, uint64_t found,
			struct stage_row *taken)
{
	for (; found != 0; found &= found - 1) {
		uint32_t men = mrl_deposit(word * 64 + mrl_lowest(found), take->points);
		uint32_t at;

		men = sets_map(row->stage->sets, take->back, men);
		if ((men & take->gone) != 0)
			continue;
		at = mrl_extract(men, row->frame.points);
		frame_add(taken, at >> 6, (uint64_t)1 << (at & 63U));
	}
}

/* The fresh positions of the row where a take leads, as positions of this row: those that could come of a mill. */
static void gather_take(struct row *row, const struct stage_input *input, const struct take *take,
			struct stage_row *taken)
{
	const struct mrl_board *board = row->stage->sets->board;
	const struct layout_size *size = &input->layout.size[take->size];
	uint64_t first = layout_row_word(size, take->row);
	struct frame_men mills[MRL_MAX_MILLS];
	unsigned mill_count = 0;

	for (unsigned i = 0; i < board->mill_count; i++)
		if ((board->mill[i] & ~(mrl_points)take->points) == 0)
			mills[mill_count++] = frame_men(mrl_extract((uint32_t)board->mill[i], take->points));
	for (uint32_t base = 0; base < size->words; base += 64) {
		uint64_t map = stage_map(input->map, first, size->words, base);

		for (; map != 0; map &= map - 1) {
			uint32_t word = base + mrl_lowest(map);
			uint64_t mill = 0;

			for (unsigned i = 0; i < mill_count; i++)
				mill |= frame_have(&mills[i], word);
			if ((mill & input->fresh[first + word]) != 0)
				gather_word(row, take, word, mill & input->fresh[first + word], taken);
		}
	}
}

static bool take_has_news(const struct stage_input *input, const struct take *take)
{
	const struct layout_size *size = &input->layout.size[take->size];

	return size->rows > 0 && input->news[size->first_row + take->row] != 0;
}

/* Fills worker->taken for an input; true when any take brings news. */
static bool gather_takes(struct row *row, unsigned number)
{
	const struct stage_input *input = &row->stage->input[number];
	bool any = false;

	for (unsigned kind = 0; kind < row->kinds; kind++) {
		for (uint32_t i = 0; i < row->takes->count[kind]; i++) {
			const struct take *take = &row->takes->take[kind][i];

			if (!take_has_news(input, take))
				continue;
			gather_take(row, input, take, &row->worker->taken[number][kind]);
			any = true;
		}
	}
	return any;
}

/* The words of a row with news through one input, among [base, base + 64). `wins`: turns that win at once are news. */
static uint64_t news_map(struct row *row, unsigned number, bool takes, bool wins, uint32_t base)
{
	const struct stage_input *input = &row->stage->input[number];
	const struct layout_size *size = &input->layout.size[row->enemies];
	uint64_t map = 0;

	if (row->fresh[number] != NULL)
		map = stage_map(input->map, layout_row_word(size, row->number), size->words, base);
	for (unsigned kind = 0; takes && kind < row->kinds; kind++)
		map |= row->worker->taken[number][kind].map[base >> 6];
	return wins ? row->size->words < 64 ? ((uint64_t)1 << row->size->words) - 1U : ~UINT64_C(0) : map;
}

static void scatter_one(struct row *row, unsigned number, uint32_t word, unsigned bit, uint64_t quiet,
			const uint64_t *taken)
{
	bool closing[STAGE_MOST_TAKES] = {false};

	for (unsigned kind = 0; kind < row->kinds; kind++)
		closing[kind] = (taken[kind] >> bit & 1U) != 0;
	frame_backward_one(&row->frame, row->stage->input[number].places, &row->worker->out, word * 64 + bit,
			   (quiet >> bit & 1U) != 0, closing, row->kinds, (row_flying(row, word) >> bit & 1U) != 0);
}

static void scatter_word(struct row *row, unsigned number, bool takes, bool wins, uint32_t word)
{
	struct stage_worker *worker = row->worker;
	uint64_t taken[STAGE_MOST_TAKES] = {0};
	uint64_t quiet = row->fresh[number] != NULL ? row->fresh[number][word] : 0;
	uint64_t any = quiet;

	for (unsigned kind = 0; kind < row->kinds; kind++) {
		if (takes) {
			taken[kind] = worker->taken[number][kind].words[word];
			worker->taken[number][kind].words[word] = 0;
		}
		if (wins && row->takes->wins[kind])
			taken[kind] = ~UINT64_C(0);
	}
	for (unsigned kind = 0; kind < row->kinds; kind++)
		any |= taken[kind];
	if (mrl_popcount(any) > FEW_POSITIONS) {
		frame_backward(&row->frame, row->stage->input[number].places, &worker->out, word, quiet, taken,
			       row->kinds, row_flying(row, word));
		return;
	}
	for (; any != 0; any &= any - 1)
		scatter_one(row, number, word, mrl_lowest(any), quiet, taken);
}

/* All predecessors of news through one input, into worker->out. */
static void scatter_input(struct row *row, unsigned number, bool takes, bool wins)
{
	for (uint32_t base = 0; base < row->size->words; base += 64) {
		uint64_t map = news_map(row, number, takes, wins, base);

		for (unsigned kind = 0; takes && kind < row->kinds; kind++)
			row->worker->taken[number][kind].map[base >> 6] = 0;
		for (; map != 0; map &= map - 1)
			scatter_word(row, number, takes, wins, base + mrl_lowest(map));
	}
}

/* Whether every take of one kind, in position `men` of this row after the turn, leads to a win of the opponent. */
static bool takes_lost(const struct row *row, const struct stage_input *input, unsigned kind, uint32_t men)
{
	const struct sets *sets = row->stage->sets;
	uint32_t points = mrl_deposit(men, row->frame.points);

	if (row->takes->wins[kind])
		return false;
	for (uint32_t i = 0; i < row->takes->count[kind]; i++) {
		const struct take *take = &row->takes->take[kind][i];
		const struct layout_size *size = &input->layout.size[take->size];
		uint32_t at = mrl_extract(sets_map(sets, take->there, points), take->points);
		const uint64_t *won = input->won + layout_row_word(size, take->row);

		if ((won[at >> 6] >> (at & 63U) & 1U) == 0)
			return false;
	}
	return true;
}

/* Whether coming to `to`, which makes `men`, leaves nothing but wins of the opponent. */
static bool landing_lost(const struct row *row, unsigned input, unsigned to, uint32_t men)
{
	unsigned mills = frame_mills(&row->frame, to, men);

	if (mills == 0)
		return (row->won[input][men >> 6] >> (men & 63U) & 1U) != 0;
	return takes_lost(row, &row->stage->input[input], mills < row->kinds ? mills - 1 : row->kinds - 1, men);
}

/* Whether every turn of one kind from the position `men` leads to a win of the opponent. */
static bool turns_lost(const struct row *row, unsigned input, uint32_t men, bool flies)
{
	uint32_t empty = ((UINT32_C(1) << row->frame.free) - 1U) & ~men;

	if (row->stage->input[input].places) {
		for (uint32_t rest = empty; rest != 0; rest &= rest - 1)
			if (!landing_lost(row, input, mrl_lowest(rest), men | (rest & (~rest + 1U))))
				return false;
		return true;
	}
	for (uint32_t rest = men; rest != 0; rest &= rest - 1) {
		uint32_t without = men & (~rest | (rest - 1));
		uint32_t to = flies ? empty : row->frame.near[mrl_lowest(rest)] & empty;

		for (; to != 0; to &= to - 1)
			if (!landing_lost(row, input, mrl_lowest(to), without | (to & (~to + 1U))))
				return false;
	}
	return true;
}

/* Those of `asked`, positions of a word, from which nothing but wins of the opponent can be reached. */
static uint64_t all_lost(const struct row *row, uint32_t word, uint64_t asked)
{
	const struct stage *stage = row->stage;
	uint64_t flying = row_flying(row, word);
	uint64_t lost = 0;

	for (unsigned i = 0; i < stage->input_count && mrl_popcount(asked) > FEW_POSITIONS; i++)
		asked &= ~frame_open(&row->frame, stage->input[i].places, row->won[i], word, asked, flying);
	for (; asked != 0; asked &= asked - 1) {
		unsigned bit = mrl_lowest(asked);
		bool all = true;

		for (unsigned i = 0; all && i < stage->input_count; i++)
			all = turns_lost(row, i, word * 64 + bit, (flying >> bit & 1U) != 0);
		lost |= (uint64_t)all << bit;
	}
	return lost;
}

/* Finds what is decided in a row at this depth, into worker->out; false when there was no news. */
static bool step_row(struct row *row, unsigned depth)
{
	struct stage_worker *worker = row->worker;
	bool wins = false;
	bool news = false;

	for (unsigned kind = 0; kind < row->kinds; kind++)
		wins = wins || (row->closes && depth == 1 && row->takes->wins[kind]);
	for (unsigned i = 0; i < row->stage->input_count; i++) {
		bool takes = row->closes && gather_takes(row, i);

		if (!takes && !wins && row->fresh[i] == NULL)
			continue;
		scatter_input(row, i, takes, wins);
		news = true;
	}
	for (uint32_t base = 0; news && base < row->size->words; base += 64) {
		for (uint64_t map = worker->out.map[base >> 6]; map != 0; map &= map - 1) {
			uint32_t word = base + mrl_lowest(map);
			uint64_t found = worker->out.words[word] & row_valid(row, word) & ~row->decided[word];

			worker->out.words[word] = found != 0 && depth % 2 == 0 ? all_lost(row, word, found) : found;
		}
	}
	return news;
}

static void step_tile(const struct stage *stage, uint32_t tile, unsigned depth, struct stage_worker *worker)
{
	struct row row = {.stage = stage, .worker = worker, .takes = worker->takes, .kinds = stage->take_kinds};
	uint32_t first;
	uint32_t last;
	uint32_t before;

	row.enemies = layout_tile(&stage->layout, tile, &first, &last);
	row.size = &stage->layout.size[row.enemies];
	before = first;
	worker->data_bytes = 0;
	worker->positions = 0;
	for (uint32_t number = first; number < last; number++) {
		row_init(&row, number);
		if (row.full)
			continue;
		if (step_row(&row, depth))
			row_write(&row, &before);
	}
}

/* ---- Feeding ------------------------------------------------------------------------------------------------ */

/* A position whose men to move have symmetries: all its spellings in their row. */
static bool send_spellings(const struct stage *stage, const struct stage_input *input, const struct layout_size *size,
			   uint32_t entry, uint32_t own, uint32_t enemies, struct stage_worker *worker)
{
	const struct sets *sets = stage->sets;
	uint32_t points = sets->all & ~own;
	uint8_t keep[MRL_MAX_SYMMETRIES];
	unsigned count = sets_stabiliser(sets, own, keep);

	for (unsigned i = 0; i < count; i++) {
		uint32_t at = mrl_extract(sets_map(sets, keep[i], enemies), points);

		if (!stage_send(&input->layout, size, sets_class(entry), at, worker))
			return false;
	}
	return true;
}

static bool send_row(const struct stage *stage, const struct stage_input *input, uint32_t enemies, const uint32_t *bits,
		     uint32_t count, struct stage_worker *worker)
{
	const struct sets *sets = stage->sets;
	uint32_t points = sets->all & ~enemies;
	uint32_t image[MRL_MAX_SYMMETRIES];

	for (unsigned s = 0; s < sets->board->symmetry_count; s++)
		image[s] = sets_map(sets, s, enemies);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t men = mrl_deposit(bits[i], points);
		unsigned number = mrl_popcount(men);
		const struct layout_size *size = &input->layout.size[number];
		uint32_t entry = sets->entry[men];
		uint32_t own;
		uint32_t seen = image[sets_symmetry(entry)];

		if (mrl_unlikely(size->rows == 0))
			return false;
		own = sets->canon[number][sets_class(entry)];
		if (mrl_unlikely(sets_is_symmetric(entry))) {
			if (!send_spellings(stage, input, size, entry, own, seen, worker))
				return true;
			continue;
		}
		if (!stage_send(&input->layout, size, sets_class(entry), mrl_extract(seen, sets->all & ~own), worker))
			return true;
	}
	return true;
}

static bool feed_tile(const struct stage *stage, const struct stage_input *input, const struct layout *source,
		      uint32_t tile, const uint8_t *record, size_t bytes, struct stage_worker *worker)
{
	uint32_t first;
	uint32_t last;
	unsigned enemies = layout_tile(source, tile, &first, &last);
	uint32_t words = source->size[enemies].words;
	struct record_reader reader = {record, record + bytes, first, false};
	uint32_t count;

	while ((count = record_get_row(&reader, words, worker->list_room, worker->list)) > 0) {
		if (reader.row >= last)
			return false;
		if (!send_row(stage, input, stage->sets->canon[enemies][reader.row], worker->list, count, worker))
			return false;
	}
	return !reader.bad;
}

const struct kernels KERNELS = {stuck_tile, step_tile, feed_tile};
