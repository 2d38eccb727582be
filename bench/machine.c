#include "machine.h"

#include <stdio.h>
#include <string.h>

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "unknown"
#endif

/* Set by the build, from what it really passes. */
#ifndef BENCH_FLAGS
#define BENCH_FLAGS "unknown"
#endif

/* The processor's name as Linux tells it; "unknown" elsewhere. */
static void print_processor(void)
{
	FILE *file = fopen("/proc/cpuinfo", "r");
	char line[256];
	const char *name = "unknown\n";

	while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
		const char *colon = strchr(line, ':');

		if (colon != NULL && strncmp(line, "model name", 10) == 0) {
			name = colon + 2;
			break;
		}
	}
	printf("processor  %s", name);
	if (file != NULL)
		(void)fclose(file);
}

void bench_print_machine(void)
{
	print_processor();
	printf("compiler   %s\n", COMPILER);
	printf("flags      %s\n", BENCH_FLAGS);
}
