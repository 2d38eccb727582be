/* Commands of merels-fit; see `usage`. */
#include "fit.h"

#include <stdlib.h>
#include <string.h>

static const char usage[] = "usage: merels-fit generate RULES GAMES NODES SEED [TABLE-RULES FOLDER] > samples\n"
			    "       merels-fit endings RULES COUNT NODES SEED TABLE-RULES FOLDER > samples\n"
			    "       merels-fit train < samples > weights.c\n";

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "train") == 0)
		return train(stdin, stdout);
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
