/*
 * Exact tables: the value of every position of a rule set, and how many plies it is from the end.
 *
 * A table is a folder with two files for each sector (men on the board and in hand, the side to move first): its
 * values, and its distances if they were asked for. docs/TABLES.md tells the method and the format. What a table says
 * holds with unlimited patience: the no-mill and three-men counters and repetition are outside of it, so rule sets that
 * differ only there share their tables. Where all of a rule set is too much there may be endings alone, which know only
 * few men without any in hand.
 *
 * Errors come as enum mrl_status with a sentence that says which file and what is wrong; `error` may be NULL.
 */
#ifndef MERELS_TABLE_H
#define MERELS_TABLE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <merels/rules.h>
#include <merels/status.h>

/* ---- Building ----------------------------------------------------------------------------------------------- */

enum mrl_table_metric { MRL_TABLE_VALUE, MRL_TABLE_DISTANCE };

/* How far a build is. */
struct mrl_table_progress {
	unsigned own_hand;   /* of the layer being solved: men in hand of the side to move, */
	unsigned enemy_hand; /* and of the other */
	bool writing;        /* its files are being written */
	unsigned depth;      /* plies, while it is solved */
	uint64_t decided;    /* positions decided in the layer so far; draws never are */
	uint64_t finished;   /* positions of finished layers, up to symmetry (symmetric positions counted in part) */
	uint64_t positions;  /* positions of the layer, and of all */
	uint64_t total;
};

/*
 * The endings without men in hand in which one side has at most `men` men and the other at most `against`, either way
 * round, as takes lead from these to fewer. 0 against 0: no endings, but all positions.
 */
struct mrl_endings {
	unsigned men;
	unsigned against;
};

struct mrl_table_build {
	const char *folder;         /* made when it does not exist */
	struct mrl_endings endings; /* only these */
	enum mrl_table_metric metric;
	/*
	 * Leave out the sectors from which every turn leads to sectors that are there: half the size, and a probe in
	 * them looks one turn on, ten times as long.
	 */
	bool half;
	bool anew;        /* what is in the folder is thrown away first, once no other build is at work there */
	bool hasty;       /* do not wait for the disk: after a power cut files may be damaged, which is noticed */
	unsigned threads; /* 1 .. 256 */
	uint64_t memory;  /* bytes that may be used; 0: three quarters of what the machine has */
	/* Told now and then, from any thread of the build but one at a time; true stops it. NULL: nobody. */
	bool (*watch)(void *context, const struct mrl_table_progress *progress);
	void *context;
};

/*
 * Builds the tables of a rule set, or goes on with what a build before has left in the folder; the files are the same
 * whatever the number of threads and however often it was stopped. MRL_STOPPED when `watch` said so, MRL_UNSUPPORTED
 * for boards of more than 24 points, MRL_RANGE for endings that do not occur, MRL_NAME when the folder holds other
 * tables, MRL_SPACE when the memory allowed is too little, MRL_BUSY when another build is at
 * work in the folder, MRL_SYSTEM for the rest.
 */
MRL_MUST_USE enum mrl_status mrl_table_build(const struct mrl_rules *rules, const struct mrl_table_build *build,
					     struct mrl_error *error);

/* The memory in bytes that building takes at most, and the positions that there are: all, or of these endings. */
MRL_MUST_USE enum mrl_status mrl_table_estimate(const struct mrl_rules *rules, struct mrl_endings endings,
						unsigned threads, uint64_t *memory, uint64_t *positions,
						struct mrl_error *error);

/* ---- Probing ------------------------------------------------------------------------------------------------ */

enum mrl_table_result { MRL_TABLE_DRAW, MRL_TABLE_WIN, MRL_TABLE_LOSS };

/* Plies that are not known: of a draw, or from tables without distances. */
#define MRL_TABLE_NO_PLIES UINT_MAX

/* For the side to move. `plies` to the end if both sides play as well as they can; the turn that decides is counted. */
struct mrl_table_value {
	enum mrl_table_result result;
	unsigned plies;
};

struct mrl_tables;

/*
 * Opens a folder of tables for a rule set. `rules` must outlive it. At most `cache` bytes of unpacked blocks are kept,
 * some megabytes at least; files are opened when they are first asked for. MRL_NAME when the tables are for another
 * rule set, MRL_SYSTEM when they are not there, damaged, or there is no memory.
 */
MRL_MUST_USE enum mrl_status mrl_tables_open(struct mrl_tables **tables, const char *folder,
					     const struct mrl_rules *rules, size_t cache, struct mrl_error *error);

/* NULL is allowed. Nobody may be probing. */
void mrl_tables_close(struct mrl_tables *tables);

/* Which endings the tables know; 0 against 0 when they know all positions. */
struct mrl_endings mrl_tables_endings(const struct mrl_tables *tables);

/* Reads all files and checks their checksums; MRL_SYSTEM when one is damaged. Of endings some 20 ms. */
MRL_MUST_USE enum mrl_status mrl_tables_check(struct mrl_tables *tables, struct mrl_error *error);

/* Whether distances are known. */
bool mrl_tables_have_plies(const struct mrl_tables *tables);

/*
 * The value of a position that has passed mrl_position_check(); counters are ignored. Any number of threads may probe
 * at once. MRL_POSITION when such men cannot occur in a game, MRL_MISSING when the tables know endings alone and this
 * is none of them, MRL_SYSTEM when a file is missing or damaged.
 */
MRL_MUST_USE enum mrl_status mrl_tables_probe(struct mrl_tables *tables, const struct mrl_position *position,
					      struct mrl_table_value *value, struct mrl_error *error);

/* ---- The user's own tables ---------------------------------------------------------------------------------- */

/* What a folder's name takes at most, with its closing 0. */
#define MRL_TABLE_FOLDER_SIZE 4096

/*
 * Where the user's tables of a rule set are kept: $XDG_CACHE_HOME/merels/tables/NAME, or ~/.cache/merels/tables/NAME;
 * NAME is the rule set as written, without its counters. MRL_SYSTEM when the environment does not say where that is.
 */
MRL_MUST_USE enum mrl_status mrl_tables_home(const struct mrl_rules *rules, char folder[MRL_TABLE_FOLDER_SIZE],
					     struct mrl_error *error);

/* The same for endings: the folder endings/NAME beside the others. */
MRL_MUST_USE enum mrl_status mrl_tables_home_endings(const struct mrl_rules *rules, char folder[MRL_TABLE_FOLDER_SIZE],
						     struct mrl_error *error);

/* Whether the tables of a rule set, distances included, are built within seconds. */
bool mrl_tables_are_small(const struct mrl_rules *rules);

/*
 * The endings that are built within a minute where all tables are too large: of six men against four, or of as many as
 * the rule set has. 0 against 0 when these are too large too, or do not occur.
 */
struct mrl_endings mrl_tables_small_endings(const struct mrl_rules *rules);

enum mrl_keeper_state {
	MRL_KEEPER_NONE,     /* there are none, and they are too large to be built unasked */
	MRL_KEEPER_BUILDING, /* they will be there in seconds, endings perhaps in a minute */
	MRL_KEEPER_READY,
	MRL_KEEPER_FAILED /* they cannot be read, or not be built */
};

/*
 * Keeps the user's tables of one rule set: opens them, or if they are small builds them in a thread of its own and
 * opens them then. Where they are too large the same goes for endings, whose build stands back behind everything else
 * that runs until it is hurried. Two processes that want the same wait for each other. One thread makes and frees a
 * keeper; any may ask it.
 */
struct mrl_table_keeper;

struct mrl_keeper_wish {
	size_t cache;               /* as for mrl_tables_open() */
	bool no_endings;            /* tables of all positions, or none */
	bool only_endings;          /* the other way round */
	struct mrl_endings endings; /* to be built; 0 against 0: mrl_tables_small_endings() */
	/*
	 * Told when a build has come to its end, in a thread of the keeper: of these endings or, 0 against 0, of all;
	 * and why it failed, or NULL. Nobody is told when it is NULL itself.
	 */
	void (*ended)(void *context, struct mrl_endings endings, const struct mrl_error *error);
	void *context;
};

/* NULL when there is no memory. The rules are copied. */
struct mrl_table_keeper *mrl_table_keeper_new(const struct mrl_rules *rules, const struct mrl_keeper_wish *wish);

/* Stops a build that runs. NULL is allowed. Nobody may be probing. */
void mrl_table_keeper_free(struct mrl_table_keeper *keeper);

/* From now on a build that runs stands back behind nobody: its tables would be asked now. Returns at once. */
void mrl_table_keeper_hurry(struct mrl_table_keeper *keeper);

/* Which endings it has or builds; 0 against 0 for tables of all positions and for none. */
struct mrl_endings mrl_table_keeper_endings(const struct mrl_table_keeper *keeper);

/* How it stands; when it failed or there are none `error` (may be NULL) says why. */
enum mrl_keeper_state mrl_table_keeper_state(struct mrl_table_keeper *keeper, struct mrl_error *error);

/* Waits until there is nothing to wait for, at most so many milliseconds. */
enum mrl_keeper_state mrl_table_keeper_wait(struct mrl_table_keeper *keeper, unsigned milliseconds,
					    struct mrl_error *error);

/* The tables, good until the keeper is freed; NULL while they are not ready. NULL is allowed as keeper. */
struct mrl_tables *mrl_table_keeper_tables(struct mrl_table_keeper *keeper);

/* ---- Counting and verifying --------------------------------------------------------------------------------- */

/* What one sector holds; positions up to symmetry. */
struct mrl_table_sector {
	unsigned own; /* men of the side to move */
	unsigned enemy;
	unsigned own_hand;
	unsigned enemy_hand;
	uint64_t positions;
	uint64_t wins;
	uint64_t draws;
	uint64_t losses;
	bool left_out;
	unsigned longest;                     /* plies of the longest decided position, or MRL_TABLE_NO_PLIES */
	struct mrl_position longest_position; /* when `longest` is known */
	uint64_t value_bytes;                 /* of the files */
	uint64_t plies_bytes;
};

size_t mrl_tables_sectors(const struct mrl_tables *tables);

/* What the index-th sector holds, as its build counted it; or, to `recount`, position by position. */
MRL_MUST_USE enum mrl_status mrl_tables_count(struct mrl_tables *tables, size_t index, bool recount,
					      struct mrl_table_sector *sector, struct mrl_error *error);

/* What verifying found. */
struct mrl_table_check {
	uint64_t checked;
	uint64_t wrong;
	struct mrl_position position; /* the first that is wrong, and what the table and the rules say of it */
	struct mrl_table_value stored;
	struct mrl_table_value derived;
};

/*
 * Derives values anew from those of the positions one turn on, by src/rules alone, and compares: every position of the
 * index-th sector; or `samples` positions drawn from all sectors with a seed, of large tables in bunches with the same
 * enemy men. What a half table leaves out is not counted. `watch` may be NULL; true stops.
 */
MRL_MUST_USE enum mrl_status mrl_tables_verify(struct mrl_tables *tables, size_t index, struct mrl_table_check *check,
					       bool (*watch)(void *context, uint64_t checked), void *context,
					       struct mrl_error *error);
MRL_MUST_USE enum mrl_status mrl_tables_verify_sample(struct mrl_tables *tables, uint64_t samples, uint64_t seed,
						      struct mrl_table_check *check,
						      bool (*watch)(void *context, uint64_t checked), void *context,
						      struct mrl_error *error);

#endif
