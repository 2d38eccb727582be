/*
 * Logistic regression: weights such that the logistic function of the weighted features predicts what happened, half
 * the result of the game and half the score of a deep search. Gradient descent with Adam (Kingma, Ba 2014) on all
 * samples.
 */
#include "fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "evaluate.h"

#define ROUNDS 1500
#define SCORE_SCALE 140.0 /* hundredths of a man that make the odds e to 1; for the scores that label samples */
#define DECAY 1e-5

struct row {
	enum phase phase;
	int16_t features[FEATURES];
	float label;
	bool held_out;
};

struct rows {
	struct row *row;
	size_t count;
	size_t capacity;
};

/* A rule set and its evaluator, kept between samples that share it. */
struct setting {
	char name[64];
	struct mrl_rules rules;
	struct evaluator evaluator;
};

static bool set_rules(struct setting *setting, const char *name)
{
	if (strcmp(setting->name, name) == 0)
		return true;
	if (mrl_rules_parse(&setting->rules, name, strlen(name), NULL) != MRL_OK)
		return false;
	mrl__evaluator_init(&setting->evaluator, &setting->rules);
	strncpy(setting->name, name, sizeof setting->name - 1);
	return true;
}

static bool add_row(struct rows *rows, const struct setting *setting, const struct sample *sample)
{
	struct mrl_position position = {.men = {sample->men[0], sample->men[1]},
					.hand = {(uint8_t)sample->hand[0], (uint8_t)sample->hand[1]},
					.side = (uint8_t)sample->side};
	mrl_points threats[2];
	double expected = 1 / (1 + exp(-sample->score / SCORE_SCALE));
	struct row *row;

	if (rows->count == rows->capacity) {
		size_t capacity = rows->capacity == 0 ? 65536 : 2 * rows->capacity;
		struct row *larger = realloc(rows->row, capacity * sizeof *larger);

		if (larger == NULL)
			return false;
		rows->row = larger;
		rows->capacity = capacity;
	}
	row = &rows->row[rows->count];
	row->phase = mrl__phase(&setting->rules, &position);
	mrl__features(&setting->evaluator, &position, row->features, threats);
	row->label = (float)(0.5 * sample->result + 0.5 * expected);
	row->held_out = rows->count % 10 == 0;
	rows->count++;
	return true;
}

static bool read_samples(struct rows *rows, FILE *in)
{
	static struct setting setting;
	struct sample sample;
	unsigned long long white;
	unsigned long long black;

	while (fscanf(in, "%63s %llx %llx %u %u %u %d %lf", sample.rules, &white, &black, &sample.hand[0],
		      &sample.hand[1], &sample.side, &sample.score, &sample.result) == 8) {
		sample.men[0] = white;
		sample.men[1] = black;
		if (!set_rules(&setting, sample.rules) || !add_row(rows, &setting, &sample))
			return false;
	}
	return rows->count > 0;
}

static double predict(const double *weights, const struct row *row)
{
	double sum = 0;

	for (unsigned i = 0; i < FEATURES; i++)
		sum += weights[i] * row->features[i];
	return 1 / (1 + exp(-sum));
}

static double mean_loss(const struct rows *rows, double weights[PHASES][FEATURES], bool held_out)
{
	double loss = 0;
	size_t count = 0;

	for (size_t i = 0; i < rows->count; i++) {
		const struct row *row = &rows->row[i];
		double p;
		double y = (double)row->label;

		if (row->held_out != held_out)
			continue;
		p = predict(weights[row->phase], row);
		p = fmin(fmax(p, 1e-9), 1 - 1e-9);
		loss -= y * log(p) + (1 - y) * log(1 - p);
		count++;
	}
	return loss / (double)count;
}

struct adam {
	double mean[PHASES][FEATURES];
	double square[PHASES][FEATURES];
};

static void step(double weights[PHASES][FEATURES], double gradient[PHASES][FEATURES], const size_t count[PHASES],
		 struct adam *adam, unsigned round)
{
	double rate = 0.02 * (round < 1000 ? 1 : 0.1);

	for (unsigned phase = 0; phase < PHASES; phase++)
		for (unsigned i = 0; i < FEATURES; i++) {
			double g = count[phase] == 0 ? 0 : gradient[phase][i] / (double)count[phase];
			double *mean = &adam->mean[phase][i];
			double *square = &adam->square[phase][i];

			g += DECAY * weights[phase][i];
			*mean = 0.9 * *mean + 0.1 * g;
			*square = 0.999 * *square + 0.001 * g * g;
			weights[phase][i] -=
			    rate * (*mean / (1 - pow(0.9, round))) / (sqrt(*square / (1 - pow(0.999, round))) + 1e-8);
		}
}

static void fit(const struct rows *rows, double weights[PHASES][FEATURES])
{
	static struct adam adam;

	for (unsigned round = 1; round <= ROUNDS; round++) {
		double gradient[PHASES][FEATURES] = {{0}};
		size_t count[PHASES] = {0};

		for (size_t k = 0; k < rows->count; k++) {
			const struct row *row = &rows->row[k];
			double miss;

			if (row->held_out)
				continue;
			miss = predict(weights[row->phase], row) - (double)row->label;
			count[row->phase]++;
			for (unsigned i = 0; i < FEATURES; i++)
				gradient[row->phase][i] += miss * row->features[i];
		}
		step(weights, gradient, count, &adam, round);
		if (round % 250 == 0)
			fprintf(stderr, "round %u: loss %.5f, held out %.5f\n", round, mean_loss(rows, weights, false),
				mean_loss(rows, weights, true));
	}
}

/* What a weight of 1 in the fit is in hundredths of a man: a man in the moving phase is to be worth a hundred. */
static double unit(double weights[PHASES][FEATURES])
{
	double man = weights[PHASE_MOVING][FEATURE_MEN];

	return man > 0 ? 100 / man : SCORE_SCALE;
}

static void write_weights(double weights[PHASES][FEATURES], FILE *out)
{
	static const char *const phases[] = {"PHASE_PLACING", "PHASE_MOVING", "PHASE_FLYING"};
	static const char *const features[] = {
#define NAME(name) "FEATURE_" #name,
	    FEATURE_TABLE(NAME)
#undef NAME
	};

	fprintf(out, "/* Written by tools/fit; see docs/ENGINE.md. */\n#include \"evaluate.h\"\n\n"
		     "const int16_t mrl__weights[PHASES][FEATURES] = {\n");
	for (unsigned phase = 0; phase < PHASES; phase++) {
		fprintf(out, "    [%s] =\n\t{\n", phases[phase]);
		for (unsigned i = 0; i < FEATURES; i++)
			fprintf(out, "\t    [%s] = %ld,\n", features[i], lround(weights[phase][i] * unit(weights)));
		fprintf(out, "\t},\n");
	}
	fprintf(out, "};\n");
}

int train(FILE *in, FILE *out)
{
	static double weights[PHASES][FEATURES];
	struct rows rows = {0};

	if (!read_samples(&rows, in)) {
		fprintf(stderr, "merels-fit: no samples to read, or a rule set that does not exist\n");
		free(rows.row);
		return 1;
	}
	fprintf(stderr, "%zu samples\n", rows.count);
	fit(&rows, weights);
	write_weights(weights, out);
	free(rows.row);
	return 0;
}
