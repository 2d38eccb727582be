#include "network.h"

#include <merels/builtins.h>

#define FLY 3
#define FEW 6

void mrl__network_eye_init(struct network_eye *eye, const struct mrl_board *board)
{
	static const uint8_t power[3] = {1, 3, 9};

	mrl_fill(eye, 0, sizeof *eye);
	eye->by_avx2 = mrl_has_avx2();
	for (unsigned mill = 0; mill < board->mill_count; mill++) {
		unsigned digit = 0;

		for (mrl_points points = board->mill[mill]; points != 0; points &= points - 1) {
			unsigned point = mrl_lowest(points);
			uint64_t value = (uint64_t)power[digit++] << 8 * (mill % 8);

			for (unsigned byte = 0; byte < 256; byte++)
				if ((byte >> point % 8 & 1) != 0)
					eye->digits[point / 8][byte][mill / 8] += value;
		}
	}
}

static unsigned stage_of(unsigned own, unsigned enemies, unsigned hands)
{
	static const uint8_t endings[FEW - FLY][FEW - FLY] = {{7, 7, 8}, {7, 7, 9}, {10, 11, 12}};

	if (hands > 0)
		return (hands - 1) / 5; /* 0 .. 3 */
	if (own <= FLY)
		return enemies <= FLY ? 4 : 5;
	if (enemies <= FLY)
		return 6;
	if (own <= FEW && enemies <= FEW)
		return endings[own - FLY - 1][enemies - FLY - 1]; /* 7 .. 12 */
	return own + enemies <= 13 ? 13 : 14;
}

void mrl__network_see(const struct network_eye *eye, const struct mrl_position *position, struct network_view *view)
{
	unsigned side = position->side;
	mrl_points own = position->men[side];
	mrl_points enemies = position->men[side ^ 1U];
	unsigned counts[4] = {mrl_popcount(own), mrl_popcount(enemies), position->hand[side],
			      position->hand[side ^ 1U]};
	unsigned input = 0;

	for (unsigned half = 0; half < NETWORK_MILLS / 8; half++) {
		uint64_t states = 0;

		for (unsigned byte = 0; byte < 3; byte++)
			states += eye->digits[byte][own >> 8 * byte & 0xff][half] +
				  2 * eye->digits[byte][enemies >> 8 * byte & 0xff][half];
		for (unsigned mill = 0; mill < 8; mill++, input++)
			view->row[input] = (uint16_t)(NETWORK_STATES * input + (states >> 8 * mill & 0xff));
	}
	for (unsigned i = 0; i < 4; i++, input++)
		view->row[input] = (uint16_t)(NETWORK_MILLS * NETWORK_STATES + NETWORK_COUNTS * i + counts[i]);
	view->by_avx2 = eye->by_avx2;
	view->stage = stage_of(counts[0], counts[1], counts[2] + counts[3]);
}

#define SIXTEENS (NETWORK_FIRST / 16)

/* What the first layer says: the rows are summed sixteen numbers at a time. */
MRL_IN_BOTH void look_at_rows(const struct network *network, const struct network_view *view,
			      int16_t first[NETWORK_FIRST])
{
	mrl_sixteen sum[SIXTEENS] = {0};

	for (unsigned i = 0; i < NETWORK_INPUTS; i++) {
		const int16_t *row = &network->rows[view->row[i] * NETWORK_FIRST];

		for (unsigned k = 0; k < SIXTEENS; k++) {
			mrl_sixteen numbers;

			mrl_copy(&numbers, row + 16 * k, sizeof numbers);
			sum[k] += numbers;
		}
	}
	for (unsigned k = 0; k < SIXTEENS; k++) {
		mrl_sixteen low = sum[k] & (sum[k] > 0);
		mrl_sixteen over = low > NETWORK_FULL;

		low = (low & ~over) | (NETWORK_FULL & over);
		mrl_copy(first + 16 * k, &low, sizeof low);
	}
}

MRL_IN_BOTH int judge(const struct network *network, const struct network_view *view)
{
	const int16_t *second = &network->second[view->stage * NETWORK_SECOND * NETWORK_FIRST];
	const int32_t *second_bias = &network->second_bias[view->stage * NETWORK_SECOND];
	const int16_t *third = &network->third[view->stage * NETWORK_SECOND];
	int16_t first[NETWORK_FIRST];
	int32_t value = network->third_bias[view->stage];

	look_at_rows(network, view, first);
	for (unsigned j = 0; j < NETWORK_SECOND; j++) {
		int32_t sum = second_bias[j];

		for (unsigned k = 0; k < NETWORK_FIRST; k++)
			sum += first[k] * second[j * NETWORK_FIRST + k];
		sum = sum > 0 ? sum / NETWORK_ONE : 0;
		value += (sum < NETWORK_FULL ? sum : NETWORK_FULL) * third[j];
	}
	return value * NETWORK_SCALE / (NETWORK_FULL * NETWORK_ONE);
}

MRL_FOR_AVX2 static int judge_by_avx2(const struct network *network, const struct network_view *view)
{
	return judge(network, view);
}

int mrl__network_judge(const struct network *network, const struct network_view *view)
{
	return view->by_avx2 ? judge_by_avx2(network, view) : judge(network, view);
}
