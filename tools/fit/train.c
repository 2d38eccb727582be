/*
 * Logistic regression: weights such that the logistic function of the weighted features predicts the exact value where
 * that is known, and elsewhere what happened: mostly the result of the game, for the rest the score of a deeper search.
 * Gradient descent with Adam (Kingma, Ba 2014) on all samples.
 */
#include "fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "evaluate.h"

#define ROUNDS 1500
#define SCORE_SCALE 140.0 /* hundredths of a man that make the odds e to 1; for the scores that label samples */
#define DECAY 1e-5
#define RESULT_SHARE 0.9 /* of the label; the rest is the score of the deeper search */

struct row {
	struct features features;
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
	(void)snprintf(setting->name, sizeof setting->name, "%s", name);
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
	mrl__features(&setting->evaluator, &position, &row->features, threats);
	row->label =
	    (float)(sample->exact ? sample->result : RESULT_SHARE * sample->result + (1 - RESULT_SHARE) * expected);
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

	while (fscanf(in, "%63s %llx %llx %u %u %u %d %lf %u", sample.rules, &white, &black, &sample.hand[0],
		      &sample.hand[1], &sample.side, &sample.score, &sample.result, &sample.exact) == 9) {
		sample.men[0] = white;
		sample.men[1] = black;
		if (!set_rules(&setting, sample.rules) || !add_row(rows, &setting, &sample))
			return false;
	}
	return rows->count > 0;
}

static double predict(double weights[ROLES][FEATURES], const struct row *row)
{
	const struct features *features = &row->features;
	double sum = 0;

	for (unsigned i = 0; i < FEATURES; i++)
		sum += weights[features->role[0]][i] * features->of[0][i] -
		       weights[features->role[1]][i] * features->of[1][i];
	return 1 / (1 + exp(-sum));
}

static double mean_loss(const struct rows *rows, double weights[ROLES][FEATURES], bool held_out)
{
	double loss = 0;
	size_t count = 0;

	for (size_t i = 0; i < rows->count; i++) {
		const struct row *row = &rows->row[i];
		double p;
		double y = (double)row->label;

		if (row->held_out != held_out)
			continue;
		p = predict(weights, row);
		p = fmin(fmax(p, 1e-9), 1 - 1e-9);
		loss -= y * log(p) + (1 - y) * log(1 - p);
		count++;
	}
	return loss / (double)count;
}

/* How well each role is predicted, against what could be said without looking at the position. */
static void tell_roles(const struct rows *rows, double weights[ROLES][FEATURES])
{
	static const char *const names[] = {
#define NAME(name) #name,
	    ROLE_TABLE(NAME)
#undef NAME
	};

	for (unsigned role = 0; role < ROLES; role++) {
		double loss = 0;
		double mean = 0;
		size_t count = 0;

		for (size_t i = 0; i < rows->count; i++) {
			const struct row *row = &rows->row[i];
			double p = fmin(fmax(predict(weights, row), 1e-9), 1 - 1e-9);
			double y = (double)row->label;

			if (row->features.role[0] != role)
				continue;
			loss -= y * log(p) + (1 - y) * log(1 - p);
			mean += y;
			count++;
		}
		if (count == 0)
			continue;
		mean = fmin(fmax(mean / (double)count, 1e-9), 1 - 1e-9);
		fprintf(stderr, "%-10s %7zu samples to move, loss %.4f, of the mean %.4f\n", names[role], count,
			loss / (double)count, -mean * log(mean) - (1 - mean) * log(1 - mean));
	}
}

struct adam {
	double mean[ROLES][FEATURES];
	double square[ROLES][FEATURES];
};

static void step(double weights[ROLES][FEATURES], double gradient[ROLES][FEATURES], const size_t count[ROLES],
		 struct adam *adam, unsigned round)
{
	double rate = 0.02 * (round < 1000 ? 1 : 0.1);

	for (unsigned role = 0; role < ROLES; role++)
		for (unsigned i = 0; i < FEATURES; i++) {
			double g = count[role] == 0 ? 0 : gradient[role][i] / (double)count[role];
			double *mean = &adam->mean[role][i];
			double *square = &adam->square[role][i];

			g += DECAY * weights[role][i];
			*mean = 0.9 * *mean + 0.1 * g;
			*square = 0.999 * *square + 0.001 * g * g;
			weights[role][i] -=
			    rate * (*mean / (1 - pow(0.9, round))) / (sqrt(*square / (1 - pow(0.999, round))) + 1e-8);
		}
}

static void fit(const struct rows *rows, double weights[ROLES][FEATURES])
{
	static struct adam adam;

	for (unsigned round = 1; round <= ROUNDS; round++) {
		double gradient[ROLES][FEATURES] = {{0}};
		size_t count[ROLES] = {0};

		for (size_t k = 0; k < rows->count; k++) {
			const struct row *row = &rows->row[k];
			double miss;

			if (row->held_out)
				continue;
			miss = predict(weights, row) - (double)row->label;
			for (unsigned side = 0; side < 2; side++) {
				enum role role = row->features.role[side];

				count[role]++;
				for (unsigned i = 0; i < FEATURES; i++)
					gradient[role][i] += (side == 0 ? miss : -miss) * row->features.of[side][i];
			}
		}
		step(weights, gradient, count, &adam, round);
		if (round % 250 == 0)
			fprintf(stderr, "round %u: loss %.5f, held out %.5f\n", round, mean_loss(rows, weights, false),
				mean_loss(rows, weights, true));
	}
}

/* What a weight of 1 in the fit is in hundredths of a man: a man is to be worth a hundred while men are placed. */
static double unit(double weights[ROLES][FEATURES])
{
	double man = weights[ROLE_PLACING][FEATURE_MEN];

	return man > 0 ? 100 / man : SCORE_SCALE;
}

static void write_weights(double weights[ROLES][FEATURES], FILE *out)
{
	static const char *const roles[] = {
#define NAME(name) "ROLE_" #name,
	    ROLE_TABLE(NAME)
#undef NAME
	};
	static const char *const features[] = {
#define NAME(name) "FEATURE_" #name,
	    FEATURE_TABLE(NAME)
#undef NAME
	};

	fprintf(out, "/* Written by tools/fit; see docs/ENGINE.md. */\n#include \"evaluate.h\"\n\n"
		     "const int16_t mrl__weights[ROLES][FEATURES] = {\n");
	for (unsigned role = 0; role < ROLES; role++) {
		fprintf(out, "    [%s] =\n\t{\n", roles[role]);
		for (unsigned i = 0; i < FEATURES; i++)
			fprintf(out, "\t    [%s] = %ld,\n", features[i],
				lround(weights[role][i] * unit(weights) * WEIGHT_UNIT));
		fprintf(out, "\t},\n");
	}
	fprintf(out, "};\n");
}

int train(FILE *in, FILE *out)
{
	static double weights[ROLES][FEATURES];
	struct rows rows = {0};

	if (!read_samples(&rows, in)) {
		fprintf(stderr, "merels-fit: no samples to read, or a rule set that does not exist\n");
		free(rows.row);
		return 1;
	}
	fprintf(stderr, "%zu samples\n", rows.count);
	fit(&rows, weights);
	tell_roles(&rows, weights);
	write_weights(weights, out);
	free(rows.row);
	return 0;
}
