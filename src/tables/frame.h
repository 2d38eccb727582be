/*
 * A row as a lattice: the geometry of the board on the free points of one set, in spread order (layout.h), and the
 * turns of the men on them as operations on words of 64 positions.
 *
 * Coordinate j of a position is whether the j-th free point has a man. Coordinates 0..5 are the place in a word, the
 * others are bits of the word's number. All of it is static inline: kernel.c is compiled for more than one processor.
 */
#ifndef MERELS_TABLES_FRAME_H
#define MERELS_TABLES_FRAME_H

#include "sets.h"
#include "stage.h"

/* The positions of a word whose coordinate j is set, for j < 6. */
static const uint64_t frame_low[6] = {UINT64_C(0xaaaaaaaaaaaaaaaa), UINT64_C(0xcccccccccccccccc),
				      UINT64_C(0xf0f0f0f0f0f0f0f0), UINT64_C(0xff00ff00ff00ff00),
				      UINT64_C(0xffff0000ffff0000), UINT64_C(0xffffffff00000000)};

/* Positions that have certain men: those words whose number has all of `high`, and in them the bits `low`. */
struct frame_men {
	uint32_t high;
	uint64_t low;
};

struct frame {
	unsigned free;   /* coordinates */
	uint32_t points; /* the free points */
	uint8_t neighbour_count[SETS_MAX_POINTS];
	uint8_t neighbours[SETS_MAX_POINTS][MRL_MAX_NEIGHBOURS];
	uint32_t near[SETS_MAX_POINTS]; /* the same as coordinates */
	/* For each coordinate the mills through it, without itself. */
	uint8_t mill_count[SETS_MAX_POINTS];
	struct frame_men mills[SETS_MAX_POINTS][MRL_MAX_MILLS_OF_POINT];
	uint32_t mill_bits[SETS_MAX_POINTS][MRL_MAX_MILLS_OF_POINT];
};

static inline struct frame_men frame_men(uint32_t bits)
{
	struct frame_men men = {bits >> 6, ~UINT64_C(0)};

	for (uint32_t rest = bits & 63U; rest != 0; rest &= rest - 1)
		men.low &= frame_low[mrl_lowest(rest)];
	return men;
}

static inline uint64_t frame_have(const struct frame_men *men, uint32_t word)
{
	return (word & men->high) == men->high ? men->low : 0;
}

/* `closes` is false when closing a mill is a turn like any other. */
static inline void frame_init(struct frame *frame, const struct mrl_board *board, uint32_t points, bool closes)
{
	unsigned at = 0;

	frame->points = points;
	frame->free = mrl_popcount(points);
	for (uint32_t rest = points; rest != 0; rest &= rest - 1, at++) {
		unsigned point = mrl_lowest(rest);
		uint32_t near = mrl_extract((uint32_t)board->neighbours[point] & points, points);

		frame->near[at] = near;
		frame->neighbour_count[at] = 0;
		for (; near != 0; near &= near - 1)
			frame->neighbours[at][frame->neighbour_count[at]++] = (uint8_t)mrl_lowest(near);
		frame->mill_count[at] = 0;
		for (unsigned i = 0; closes && i < board->partner_count[point]; i++) {
			uint32_t partners = (uint32_t)board->partners[point][i];

			if ((partners & points) != partners)
				continue;
			frame->mill_bits[at][frame->mill_count[at]] = mrl_extract(partners, points);
			frame->mills[at][frame->mill_count[at]] =
			    frame_men(frame->mill_bits[at][frame->mill_count[at]]);
			frame->mill_count[at]++;
		}
	}
}

/* The positions of a word that have a man at `at` but, if low, this is for the caller to see to; 0 or all when high. */
static inline uint64_t frame_at(unsigned at, uint32_t word)
{
	return at < 6 ? frame_low[at] : (word >> (at - 6) & 1U) != 0 ? ~UINT64_C(0) : 0;
}

/* The positions of a word in which a man at `at` is in a mill. */
static inline uint64_t frame_closed(const struct frame *frame, unsigned at, uint32_t word)
{
	uint64_t closed = 0;

	for (unsigned i = 0; i < frame->mill_count[at]; i++)
		closed |= frame_have(&frame->mills[at][i], word);
	return closed;
}

/*
 * What the positions of a word are worth to the one who came to `at` to make them: `quiet` where that closed no mill,
 * taken[k] where it closed k + 1 (the last kind: or more).
 */
static inline uint64_t frame_landing(const struct frame *frame, unsigned at, uint32_t word, uint64_t quiet,
				     const uint64_t *taken, unsigned kinds)
{
	uint64_t exactly[STAGE_MOST_TAKES + 1] = {~UINT64_C(0)};
	uint64_t value;

	if (frame->mill_count[at] == 0)
		return quiet;
	if (kinds <= 1) {
		uint64_t closed = frame_closed(frame, at, word);

		return (quiet & ~closed) | (taken[0] & closed);
	}
	for (unsigned i = 0; i < frame->mill_count[at]; i++) {
		uint64_t mill = frame_have(&frame->mills[at][i], word);

		for (unsigned k = i + 1; k > 0; k--)
			exactly[k] = (exactly[k] & ~mill) | (exactly[k - 1] & mill);
		exactly[0] &= ~mill;
	}
	value = quiet & exactly[0];
	for (unsigned k = 0; k < frame->mill_count[at]; k++)
		value |= taken[k < kinds ? k : kinds - 1] & exactly[k + 1];
	return value;
}

static inline void frame_add(struct stage_row *row, uint32_t word, uint64_t set)
{
	row->words[word] |= set;
	row->map[word >> 6] |= (uint64_t)1 << (word & 63U);
}

/* Puts a man at `from` into the positions `set` of a word that have none there. */
static inline void frame_put(struct stage_row *row, uint32_t word, uint64_t set, unsigned from)
{
	if (from < 6)
		frame_add(row, word, (set & ~frame_low[from]) << (1U << from));
	else if ((word >> (from - 6) & 1U) == 0)
		frame_add(row, word | UINT32_C(1) << (from - 6), set);
}

/*
 * Adds to row `out` the positions from which a placement, or a move, makes one of the positions of a word; `quiet` and
 * `taken` as in frame_landing(). `flying` are the positions of the word whose men may have flown.
 */
static inline void frame_backward(const struct frame *frame, bool places, struct stage_row *out, uint32_t word,
				  uint64_t quiet, const uint64_t *taken, unsigned kinds, uint64_t flying)
{
	for (unsigned to = 0; to < frame->free; to++) {
		uint64_t there = frame_at(to, word);
		uint32_t base = to < 6 ? word : word & ~(UINT32_C(1) << (to - 6));
		unsigned shift = to < 6 ? 1U << to : 0;
		uint64_t made;

		if (there == 0)
			continue;
		made = frame_landing(frame, to, word, quiet, taken, kinds) & there;
		if (made == 0)
			continue;
		if (places) {
			frame_add(out, base, made >> shift);
			continue;
		}
		if ((made & ~flying) != 0)
			for (unsigned i = 0; i < frame->neighbour_count[to]; i++)
				frame_put(out, base, (made & ~flying) >> shift, frame->neighbours[to][i]);
		if ((made & flying) != 0)
			for (unsigned from = 0; from < frame->free; from++)
				if (from != to)
					frame_put(out, base, (made & flying) >> shift, from);
	}
}

/* How many mills the man at `at` stands in, in the position `men`. */
static inline unsigned frame_mills(const struct frame *frame, unsigned at, uint32_t men)
{
	unsigned mills = 0;

	for (unsigned i = 0; i < frame->mill_count[at]; i++)
		mills += (men & frame->mill_bits[at][i]) == frame->mill_bits[at][i];
	return mills;
}

/* frame_backward() for one position; quicker where there are few in a word. */
static inline void frame_backward_one(const struct frame *frame, bool places, struct stage_row *out, uint32_t men,
				      bool quiet, const bool *taken, unsigned kinds, bool flying)
{
	for (uint32_t rest = men; rest != 0; rest &= rest - 1) {
		unsigned to = mrl_lowest(rest);
		unsigned mills = frame_mills(frame, to, men);
		uint32_t without = men & ~(UINT32_C(1) << to);
		uint32_t from;

		if (mills == 0 ? !quiet : !taken[mills < kinds ? mills - 1 : kinds - 1])
			continue;
		if (places) {
			frame_add(out, without >> 6, (uint64_t)1 << (without & 63U));
			continue;
		}
		from = (flying ? (UINT32_C(1) << frame->free) - 1U : frame->near[to]) & ~men;
		for (; from != 0; from &= from - 1) {
			uint32_t before = without | (from & (~from + 1U));

			frame_add(out, before >> 6, (uint64_t)1 << (before & 63U));
		}
	}
}

/* The positions of word `word` from which moving a man from `from` to `to` quietly makes a position that is not `won`.
 */
static inline uint64_t frame_open_move(const struct frame *frame, const uint64_t *won, uint32_t word, unsigned from,
				       unsigned to)
{
	uint64_t open;

	if (from >= 6) {
		if ((word >> (from - 6) & 1U) == 0)
			return 0;
		word &= ~(UINT32_C(1) << (from - 6));
	}
	if (to >= 6) {
		if ((word >> (to - 6) & 1U) != 0)
			return 0;
		word |= UINT32_C(1) << (to - 6);
	}
	open = ~(won == NULL ? 0 : won[word]) & (won == NULL ? ~UINT64_C(0) : ~frame_closed(frame, to, word));
	if (to < 6)
		open = (open & frame_low[to]) >> (1U << to);
	if (from < 6)
		open = (open & ~frame_low[from]) << (1U << from);
	return open;
}

static inline uint64_t frame_open_placement(const struct frame *frame, const uint64_t *won, uint32_t word, unsigned to)
{
	uint64_t open;

	if (to >= 6) {
		if ((word >> (to - 6) & 1U) != 0)
			return 0;
		word |= UINT32_C(1) << (to - 6);
	}
	open = ~(won == NULL ? 0 : won[word]) & (won == NULL ? ~UINT64_C(0) : ~frame_closed(frame, to, word));
	return to < 6 ? (open & frame_low[to]) >> (1U << to) : open;
}

/*
 * Those of `asked`, positions of a word, from which some quiet turn makes a position that is not `won` for the
 * opponent. With `won` NULL: from which there is a turn at all.
 */
static inline uint64_t frame_open(const struct frame *frame, bool places, const uint64_t *won, uint32_t word,
				  uint64_t asked, uint64_t flying)
{
	uint64_t open = 0;

	for (unsigned to = 0; to < frame->free && (asked & ~open) != 0; to++) {
		if (places) {
			open |= frame_open_placement(frame, won, word, to);
			continue;
		}
		for (unsigned i = 0; i < frame->neighbour_count[to]; i++)
			open |= frame_open_move(frame, won, word, frame->neighbours[to][i], to);
		if ((asked & flying & ~open) != 0)
			for (unsigned from = 0; from < frame->free; from++)
				if (from != to)
					open |= frame_open_move(frame, won, word, from, to) & flying;
	}
	return asked & open;
}

#endif
