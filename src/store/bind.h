/* A value for a place in a statement, or of a column: what databases understand. */
#ifndef MERELS_STORE_BIND_H
#define MERELS_STORE_BIND_H

#include <stdint.h>

enum bind_kind { BIND_NULL, BIND_INTEGER, BIND_REAL, BIND_TEXT, BIND_BYTES };

struct bind {
	enum bind_kind kind;
	int64_t integer;
	double real;
	const char *text; /* or MRL_STORE_HASH_BYTES bytes */
};

/* Values for the places of a statement, in order. Ids are 64 bits either way. */
#define INTEGER(x) ((struct bind){.kind = BIND_INTEGER, .integer = (int64_t)(x)})
#define REAL(x) ((struct bind){.kind = BIND_REAL, .real = (x)})
#define TEXT(x) ((struct bind){.kind = BIND_TEXT, .text = (x)})
#define HASH(x) ((struct bind){.kind = BIND_BYTES, .text = (const char *)(x)})
#define NOTHING ((struct bind){.kind = BIND_NULL})
/* An id, or NULL for 0. */
#define ID_OR_NULL(x) ((x) == 0 ? NOTHING : INTEGER(x))
#define WITH(...) (const struct bind[]){__VA_ARGS__}, sizeof((const struct bind[]){__VA_ARGS__}) / sizeof(struct bind)
#define WITHOUT NULL, 0

#endif
