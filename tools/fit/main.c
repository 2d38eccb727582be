/* merels-fit generate RULES GAMES NODES SEED > samples;  merels-fit train < samples > weights.c */
#include "fit.h"

#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	if (argc == 6 && strcmp(argv[1], "generate") == 0)
		return generate(argv[2], strtoul(argv[3], NULL, 10), strtoul(argv[4], NULL, 10),
				strtoull(argv[5], NULL, 10), stdout);
	if (argc == 2 && strcmp(argv[1], "train") == 0)
		return train(stdin, stdout);
	fprintf(stderr, "usage: merels-fit generate RULES GAMES NODES SEED > samples\n"
			"       merels-fit train < samples > weights.c\n");
	return 2;
}
