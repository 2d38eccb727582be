/* What a number was measured on: it means nothing without. */
#ifndef MERELS_BENCH_MACHINE_H
#define MERELS_BENCH_MACHINE_H

/* Prints the processor, the compiler and its flags, each on a line. */
void bench_print_machine(void);

#endif
