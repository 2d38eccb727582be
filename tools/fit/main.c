/* Commands of merels-fit; see `usage`. */
#include "fit.h"
#include "network_train.h"
#include "positions.h"

#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: merels-fit generate RULES GAMES NODES SEED [TABLE-RULES FOLDER] > samples\n"
    "       merels-fit endings RULES COUNT NODES SEED TABLE-RULES FOLDER > samples\n"
    "       merels-fit train < samples > weights.c\n"
    "       merels-fit positions RULES GAMES NODES SEED FOLDER ENDINGS-RULES FOLDER > positions\n"
    "       merels-fit random RULES COUNT SEED FOLDER ENDINGS-RULES FOLDER [MEN MEN [DRAWN]] > positions\n"
    "       merels-fit chases RULES GAMES NODES SEED FOLDER ENDINGS-RULES FOLDER MEN MEN > positions\n"
    "       merels-fit network EPOCHS FILE... > network_weights.c\n";

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "train") == 0)
		return train(stdin, stdout);
	if (argc > 3 && strcmp(argv[1], "network") == 0)
		return train_network((unsigned)strtoul(argv[2], NULL, 10), argv + 3, (size_t)argc - 3, stdout);
	if (argc == 9 && strcmp(argv[1], "positions") == 0) {
		struct position_source source = {.rules = argv[2],
						 .count = strtoul(argv[3], NULL, 10),
						 .nodes = strtoul(argv[4], NULL, 10),
						 .seed = strtoull(argv[5], NULL, 10),
						 .folder = argv[6],
						 .endings_rules = argv[7],
						 .endings_folder = argv[8]};

		return play_for_positions(&source, stdout);
	}
	if ((argc == 8 || argc == 10 || argc == 11) && strcmp(argv[1], "random") == 0) {
		struct position_source source = {.rules = argv[2],
						 .count = strtoul(argv[3], NULL, 10),
						 .seed = strtoull(argv[4], NULL, 10),
						 .folder = argv[5],
						 .endings_rules = argv[6],
						 .endings_folder = argv[7]};

		if (argc > 8) {
			source.men[0] = (unsigned)strtoul(argv[8], NULL, 10);
			source.men[1] = (unsigned)strtoul(argv[9], NULL, 10);
		}
		if (argc == 11)
			source.drawn = strtoul(argv[10], NULL, 10);
		return draw_positions(&source, stdout);
	}
	if (argc == 11 && strcmp(argv[1], "chases") == 0) {
		struct position_source source = {
		    .rules = argv[2],
		    .count = strtoul(argv[3], NULL, 10),
		    .nodes = strtoul(argv[4], NULL, 10),
		    .seed = strtoull(argv[5], NULL, 10),
		    .folder = argv[6],
		    .endings_rules = argv[7],
		    .endings_folder = argv[8],
		    .men = {(unsigned)strtoul(argv[9], NULL, 10), (unsigned)strtoul(argv[10], NULL, 10)}};

		return chase_for_positions(&source, stdout);
	}
	if (argc == 6 || argc == 8) {
		unsigned long count = strtoul(argv[3], NULL, 10);
		struct source source = {.rules = argv[2],
					.nodes = strtoul(argv[4], NULL, 10),
					.seed = strtoull(argv[5], NULL, 10),
					.table_rules = argc == 8 ? argv[6] : NULL,
					.folder = argc == 8 ? argv[7] : NULL};

		if (strcmp(argv[1], "generate") == 0)
			return generate(&source, count, stdout);
		if (strcmp(argv[1], "endings") == 0 && argc == 8)
			return draw_endings(&source, count, stdout);
	}
	fputs(usage, stderr);
	return 2;
}
