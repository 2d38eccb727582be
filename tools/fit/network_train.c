/*
 * Trains the network of src/search/network.h in floating point, with the same limits that its integers have, and writes
 * it as source. Each position is shown in a random one of its symmetric images. Adam (Kingma, Ba 2014), in batches.
 */
#include "network_train.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <merels/builtins.h>

#include "chance.h"
#include "network.h"
#include "positions.h"

#define BATCH 1024
#define FIRST_RATE 0.002F
#define HELD_OUT 50 /* one in so many */
/* Odds of a win by what is known of its distance, as logarithms: of one far away, what a near one has more, and plies
 * in which that falls to an e-th. */
#define FAR_WIN 0.4F
#define NEAR_WIN 2.6F
#define NEARNESS 22.0F
#define LARGEST_LATER 1.98F /* weights of the later layers, in ones; the first layer fits easily */

struct layers {
	float rows[NETWORK_ROWS][NETWORK_FIRST];
	float second[NETWORK_STAGES][NETWORK_FIRST][NETWORK_SECOND];
	float second_bias[NETWORK_STAGES][NETWORK_SECOND];
	float third[NETWORK_STAGES][NETWORK_SECOND];
	float third_bias[NETWORK_STAGES];
};

#define WEIGHTS (sizeof(struct layers) / sizeof(float))

union weights {
	struct layers layers;
	float all[WEIGHTS];
};

struct images {
	unsigned count;
	uint32_t of[MRL_MAX_SYMMETRIES][3][256];
};

struct training {
	struct mrl_rules rules;
	struct network_eye eye;
	struct images images;
	struct labelled *positions; /* owned */
	size_t count;
	size_t shown; /* the others are held out */
	uint64_t random;
	union weights weights;
	union weights gradient;
	union weights mean;
	union weights square;
};

static void make_images(struct images *images, const struct mrl_board *board)
{
	images->count = board->symmetry_count;
	for (unsigned s = 0; s < board->symmetry_count; s++)
		for (unsigned chunk = 0; chunk < 3; chunk++)
			for (unsigned byte = 0; byte < 256; byte++)
				images->of[s][chunk][byte] =
				    (uint32_t)mrl_points_map(board, s, (mrl_points)byte << 8 * chunk);
}

static mrl_points image_of(const struct images *images, unsigned s, uint32_t points)
{
	return images->of[s][0][points & 0xff] | images->of[s][1][points >> 8 & 0xff] |
	       images->of[s][2][points >> 16 & 0xff];
}

/*
 * What the network is to say: the share of the point that the side to move gets. Where it is known how far a win is,
 * the nearer the better, in odds, so that there is a slope to climb from everywhere.
 */
static float target_of(const struct labelled *labelled)
{
	float won = 1;

	if (labelled->result == DRAWN)
		return 0.5F;
	if (labelled->plies != UNKNOWN_PLIES)
		won = 1 / (1 + expf(-FAR_WIN - NEAR_WIN * expf(-(float)labelled->plies / NEARNESS)));
	return labelled->result == WON ? won : 1 - won;
}

static void see(const struct training *training, const struct labelled *labelled, unsigned s, struct network_view *view)
{
	struct mrl_position position = {
	    .men = {image_of(&training->images, s, labelled->own), image_of(&training->images, s, labelled->enemies)},
	    .hand = {labelled->own_hand, labelled->enemy_hand}};

	mrl__network_see(&training->eye, &position, view);
}

struct signals {
	float first[NETWORK_FIRST];
	float first_sum[NETWORK_FIRST];
	float second[NETWORK_SECOND];
	float second_sum[NETWORK_SECOND];
};

static float clip(float value)
{
	return value < 0 ? 0 : value > 1 ? 1 : value;
}

static float run_forward(const struct layers *layers, const struct network_view *view, struct signals *signals)
{
	float value = layers->third_bias[view->stage];

	memset(signals->first_sum, 0, sizeof signals->first_sum);
	for (unsigned i = 0; i < NETWORK_INPUTS; i++)
		for (unsigned k = 0; k < NETWORK_FIRST; k++)
			signals->first_sum[k] += layers->rows[view->row[i]][k];
	memcpy(signals->second_sum, layers->second_bias[view->stage], sizeof signals->second_sum);
	for (unsigned k = 0; k < NETWORK_FIRST; k++) {
		signals->first[k] = clip(signals->first_sum[k]);
		for (unsigned j = 0; j < NETWORK_SECOND; j++)
			signals->second_sum[j] += signals->first[k] * layers->second[view->stage][k][j];
	}
	for (unsigned j = 0; j < NETWORK_SECOND; j++) {
		signals->second[j] = clip(signals->second_sum[j]);
		value += signals->second[j] * layers->third[view->stage][j];
	}
	return value;
}

/* A neuron outside its limits lets a little through, so that it can come back. */
static float open_to(float sum)
{
	return sum < 0 || sum > 1 ? 0.01F : 1;
}

static void run_back(struct training *training, const struct network_view *view, const struct signals *signals,
		     float miss)
{
	const struct layers *layers = &training->weights.layers;
	struct layers *gradient = &training->gradient.layers;
	float second[NETWORK_SECOND];
	float first[NETWORK_FIRST];

	gradient->third_bias[view->stage] += miss;
	for (unsigned j = 0; j < NETWORK_SECOND; j++) {
		gradient->third[view->stage][j] += miss * signals->second[j];
		second[j] = miss * layers->third[view->stage][j] * open_to(signals->second_sum[j]);
		gradient->second_bias[view->stage][j] += second[j];
	}
	for (unsigned k = 0; k < NETWORK_FIRST; k++) {
		float sum = 0;

		for (unsigned j = 0; j < NETWORK_SECOND; j++) {
			gradient->second[view->stage][k][j] += second[j] * signals->first[k];
			sum += second[j] * layers->second[view->stage][k][j];
		}
		first[k] = sum * open_to(signals->first_sum[k]);
	}
	for (unsigned i = 0; i < NETWORK_INPUTS; i++)
		for (unsigned k = 0; k < NETWORK_FIRST; k++)
			gradient->rows[view->row[i]][k] += first[k];
}

static void step(struct training *training, float rate, unsigned long round)
{
	float mean_share = 1 / (1 - powf(0.9F, (float)round));
	float square_share = 1 / (1 - powf(0.999F, (float)round));
	float *later = &training->weights.layers.second[0][0][0];

	for (size_t i = 0; i < WEIGHTS; i++) {
		float g = training->gradient.all[i] / BATCH;

		training->mean.all[i] = 0.9F * training->mean.all[i] + 0.1F * g;
		training->square.all[i] = 0.999F * training->square.all[i] + 0.001F * g * g;
		/* Nothing below the square of a millionth of a hundredth: fast roots of hardly anything are none. */
		training->weights.all[i] -=
		    rate * training->mean.all[i] * mean_share / sqrtf(training->square.all[i] * square_share + 1e-16F);
	}
	for (size_t i = 0; i < sizeof training->weights.layers.second / sizeof(float); i++)
		later[i] = fminf(fmaxf(later[i], -LARGEST_LATER), LARGEST_LATER);
	memset(&training->gradient, 0, sizeof training->gradient);
}

static float loss_of(float value, float target)
{
	float p = 1 / (1 + expf(-value));

	p = fminf(fmaxf(p, 1e-7F), 1 - 1e-7F);
	return -target * logf(p) - (1 - target) * logf(1 - p);
}

static void tell(struct training *training, unsigned epoch, double shown_loss)
{
	double loss[NETWORK_STAGES] = {0};
	double least[NETWORK_STAGES] = {0}; /* of one who knows the value */
	size_t count[NETWORK_STAGES] = {0};
	double all = 0;

	for (size_t i = training->shown; i < training->count; i++) {
		struct network_view view;
		struct signals signals;
		float target = target_of(&training->positions[i]);
		double l;

		see(training, &training->positions[i], 0, &view);
		l = (double)loss_of(run_forward(&training->weights.layers, &view, &signals), target);
		all += l;
		loss[view.stage] += l;
		least[view.stage] += (double)loss_of(logf((target + 1e-6F) / (1 - target + 1e-6F)), target);
		count[view.stage]++;
	}
	fprintf(stderr, "epoch %u: loss %.5f, held out %.5f;", epoch, shown_loss,
		all / (double)(training->count - training->shown));
	for (unsigned stage = 0; stage < NETWORK_STAGES; stage++)
		fprintf(stderr, " %.4f/%.4f", loss[stage] / (double)count[stage], least[stage] / (double)count[stage]);
	fputc('\n', stderr);
}

static void shuffle(struct training *training, size_t count)
{
	for (size_t i = count - 1; i > 0; i--) {
		size_t other = (size_t)(chance_next(&training->random) >> 11) % (i + 1);
		struct labelled swapped = training->positions[i];

		training->positions[i] = training->positions[other];
		training->positions[other] = swapped;
	}
}

static void train_epochs(struct training *training, unsigned epochs)
{
	unsigned long round = 0;
	unsigned long rounds = training->shown / BATCH * epochs;

	for (unsigned epoch = 1; epoch <= epochs; epoch++) {
		double loss = 0;

		shuffle(training, training->shown);
		for (size_t i = 0; i + BATCH <= training->shown; i += BATCH) {
			float rate = FIRST_RATE * 0.5F *
				     (1 + cosf(3.14159265F * (float)round / (float)rounds)); /* down to nothing */

			for (size_t k = i; k < i + BATCH; k++) {
				const struct labelled *labelled = &training->positions[k];
				struct network_view view;
				struct signals signals;
				float target = target_of(labelled);
				float value;

				see(training, labelled, chance_below(&training->random, training->images.count), &view);
				value = run_forward(&training->weights.layers, &view, &signals);
				loss += (double)loss_of(value, target);
				run_back(training, &view, &signals, 1 / (1 + expf(-value)) - target);
			}
			step(training, rate, ++round);
		}
		tell(training, epoch, loss / (double)(training->shown / BATCH * BATCH));
	}
}

static float spread(struct training *training, float width)
{
	return width * ((float)(chance_next(&training->random) >> 40) / (float)(1 << 23) - 1);
}

static void begin(struct training *training)
{
	struct layers *layers = &training->weights.layers;

	for (size_t i = 0; i < NETWORK_ROWS * NETWORK_FIRST; i++)
		(&layers->rows[0][0])[i] = spread(training, 0.1F);
	for (unsigned i = 0; i < 2 * NETWORK_COUNTS; i++) /* one of each half applies: neurons begin half open */
		for (unsigned k = 0; k < NETWORK_FIRST; k++)
			layers->rows[NETWORK_MILLS * NETWORK_STATES + i][k] += 0.2F;
	for (size_t i = 0; i < NETWORK_STAGES * NETWORK_FIRST * NETWORK_SECOND; i++)
		(&layers->second[0][0][0])[i] = spread(training, 0.4F);
	for (size_t i = 0; i < NETWORK_STAGES * NETWORK_SECOND; i++) {
		(&layers->second_bias[0][0])[i] = 0.4F;
		(&layers->third[0][0])[i] = spread(training, 1);
	}
}

static bool read_positions(struct training *training, const char *path)
{
	FILE *in = fopen(path, "rb");
	size_t got = 0;

	if (in == NULL)
		return false;
	do {
		struct labelled *larger =
		    realloc(training->positions, (training->count + 65536) * sizeof *training->positions);

		if (larger == NULL)
			break;
		training->positions = larger;
		got = fread(training->positions + training->count, sizeof *training->positions, 65536, in);
		training->count += got;
	} while (got == 65536);
	(void)fclose(in);
	return true;
}

/* ---- What was learned, in integers --------------------------------------------------------------------------- */

static void write_numbers(const char *name, const float *numbers, size_t count, float one, FILE *out)
{
	fprintf(out, "    .%s =\n\t{\n", name);
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%ld,%c", lroundf(numbers[i] * one), i % 24 == 23 || i + 1 == count ? '\n' : ' ');
	fprintf(out, "\t},\n");
}

static void write_network(const struct layers *layers, FILE *out)
{
	static float turned[NETWORK_STAGES][NETWORK_SECOND][NETWORK_FIRST];

	for (unsigned s = 0; s < NETWORK_STAGES; s++)
		for (unsigned j = 0; j < NETWORK_SECOND; j++)
			for (unsigned k = 0; k < NETWORK_FIRST; k++)
				turned[s][j][k] = layers->second[s][k][j];
	fprintf(out, "/* Written by tools/fit; see docs/ENGINE.md. */\n#include \"network.h\"\n\n"
		     "const struct network mrl__network = {\n");
	write_numbers("rows", &layers->rows[0][0], NETWORK_ROWS * NETWORK_FIRST, NETWORK_FULL, out);
	write_numbers("second", &turned[0][0][0], sizeof turned / sizeof(float), NETWORK_ONE, out);
	write_numbers("second_bias", &layers->second_bias[0][0], NETWORK_STAGES * NETWORK_SECOND,
		      NETWORK_FULL * NETWORK_ONE, out);
	write_numbers("third", &layers->third[0][0], NETWORK_STAGES * NETWORK_SECOND, NETWORK_ONE, out);
	write_numbers("third_bias", layers->third_bias, NETWORK_STAGES, NETWORK_FULL * NETWORK_ONE, out);
	fprintf(out, "};\n");
}

int train_network(unsigned epochs, char **paths, size_t path_count, FILE *out)
{
	static struct training training;

	if (mrl_rules_parse(&training.rules, "nine", 4, NULL) != MRL_OK)
		return 1;
	training.random = chance_seeded(1);
	for (size_t i = 0; i < path_count; i++)
		if (!read_positions(&training, paths[i])) {
			fprintf(stderr, "merels-fit: %s cannot be read\n", paths[i]);
			free(training.positions);
			return 1;
		}
	mrl__network_eye_init(&training.eye, &training.rules.board);
	make_images(&training.images, &training.rules.board);
	shuffle(&training, training.count);
	training.shown = training.count - training.count / HELD_OUT;
	fprintf(stderr, "%zu positions, %zu weights\n", training.count, WEIGHTS);
	begin(&training);
	train_epochs(&training, epochs);
	write_network(&training.weights.layers, out);
	free(training.positions);
	return 0;
}
