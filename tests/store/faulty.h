/*
 * A disk that fails when it is told to: a layer of SQLite's between it and the system. Once faulty_register() was
 * called every database of the process lies on it.
 */
#ifndef MERELS_TESTS_STORE_FAULTY_H
#define MERELS_TESTS_STORE_FAULTY_H

#include <stdbool.h>

enum fault {
	FAULT_WRITE, /* writing says that there is an error, */
	FAULT_TORN,  /* after half of it was written, */
	FAULT_FULL,  /* that the disk is full */
	FAULT_SYNC,  /* syncing says that there is an error */
	FAULT_HOME,  /* writing to the database itself, not to its log */
	FAULT_OPEN   /* writing and opening */
};

void faulty_register(void);

/*
 * From the `after`-th operation of this kind on (1: the next), `times` of them fail. Counting begins anew. Threads of
 * the store may be at work.
 */
void faulty_fail(enum fault fault, unsigned after, unsigned times);

/* Bytes of the log that a power cut would take now. */
unsigned faulty_unsynced(void);

/* Well again; how many operations have failed since it was told to. */
unsigned faulty_heal(void);

#endif
