/*
 * Somebody between the store and PostgreSQL, who passes on what each says to the other, until it is told not to. It
 * listens on a socket in a folder of its own.
 */
#ifndef MERELS_TESTS_STORE_BETWEEN_H
#define MERELS_TESTS_STORE_BETWEEN_H

struct between;

enum between_mood {
	BETWEEN_PASSES,  /* everything */
	BETWEEN_DEAFENS, /* what PostgreSQL says is lost, and shortly after it begins to the connection is cut */
	BETWEEN_MUTES,   /* what is said to PostgreSQL is lost, and at once the connection is cut */
	BETWEEN_REFUSES  /* connections are cut as soon as they are made, and those that are */
};

/* `there`: PostgreSQL's folder; `here`: the one to listen in. */
struct between *between_start(const char *there, const char *here);
void between_end(struct between *between);

/* Deafening and muting happen to one connection, then everything passes again. */
void between_set(struct between *between, enum between_mood mood);

/* How many connections were deafened or muted. */
unsigned between_cuts(const struct between *between);

#endif
