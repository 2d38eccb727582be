/*
 * One game as it must be, from what its sockets were told, and whether they were told the same.
 *
 * The first socket that is told an event gives it to the model, where src/play applies it: an illegal turn, a wrong
 * ply, a wrong number is a fault. Every other telling of the event must be the same text, byte for byte, whoever is
 * told it and whenever, before or after a restart. Snapshots must be what the events of their number lead to.
 *
 * What is wrong is counted and told in the stats. A model belongs to one thread.
 */
#ifndef MERELS_CLI_LOAD_MODEL_H
#define MERELS_CLI_LOAD_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include <merels/play.h>

#include "load_stats.h"

struct load_model;

/* What one socket has been told of a game. */
struct load_receiver {
	uint32_t last; /* number of the last event */
	uint32_t
	    known;   /* what the server had told to somebody when this socket began to watch: a snapshot has no less */
	bool player; /* sees what players see */
	bool back;   /* asked again for what comes after `last`: newer events may still be on their way from before */
};

/* What an event told was. */
struct load_news {
	bool good;   /* it fits: the receiver has moved on */
	bool is_new; /* nobody had been told it before */
	uint32_t n;
	uint8_t kind; /* an enum mrl_play_kind; MRL_PLAY_KINDS: hidden */
	uint8_t seat;
	uint32_t ply; /* of a turn */
};

/* A command and what must come of it. */
#define LOAD_ANY_SEAT 9
struct load_deed {
	uint8_t kind;  /* of the event, an enum mrl_play_kind */
	uint8_t seat;  /* LOAD_ANY_SEAT: not looked at */
	uint8_t offer; /* where the kind has one */
	uint32_t ply;  /* of a turn */
	char text[48]; /* of a turn or a line of chat */
};

/*
 * A game that begins with this snapshot, which must be of its first ply; NULL when it is not, or there is no memory.
 * The rules must outlive it.
 *
 * With `nodes` it is told of by many nodes of one club, whose times have been made one only roughly: moments are not
 * compared to the millisecond, and a node may not have heard yet what another has told.
 */
struct load_model *load_model_new(const struct mrl_rules *rules, json_t *snapshot, struct load_stats *stats,
				  bool nodes);
void load_model_free(struct load_model *model);

const char *load_model_id(const struct load_model *model);

/* The game after the last event that was applied. */
const struct mrl_play_game *load_model_game(const struct load_model *model);

/* The event of this number, from 1 to that of the game. */
const struct load_deed *load_model_deed(const struct load_model *model, uint32_t n);

/* An event is still to follow from the last one: an offer that its turn has made void, the end that it has brought. */
bool load_model_in_batch(const struct load_model *model);

/* How many events of a kind there were. */
uint32_t load_model_count(const struct load_model *model, unsigned kind);

/* The highest number that the server has told anybody, by an event or an acknowledgement. */
uint32_t load_model_known(const struct load_model *model);

/*
 * The event from which on to ask for those that nobody was told: that before the last turn, as the server may need a
 * turn to tell what came after it. 0: there is none, and all that was told is behind it.
 */
uint32_t load_model_before_turn(const struct load_model *model);

/*
 * A text that may be the telling of an event known already: if so, moves the receiver on and returns true. So the
 * thousandth watcher of a game costs a comparison.
 */
bool load_model_again(struct load_model *model, struct load_receiver *receiver, const char *text, size_t length,
		      struct load_news *news);

/* The telling of an event: `text` is what `event` was read from. */
void load_model_event(struct load_model *model, struct load_receiver *receiver, const char *text, size_t length,
		      json_t *event, struct load_news *news);

/* A snapshot that a receiver got; it then has what is in it. */
void load_model_snapshot(struct load_model *model, struct load_receiver *receiver, json_t *snapshot);

/* `n` was acknowledged as the (last) event of this deed. */
void load_model_acknowledged(struct load_model *model, uint32_t n, const struct load_deed *deed);

/* The change of both ratings as the game's event told it, whole points by seat; false when there was none. */
bool load_model_ratings(const struct load_model *model, long before[2], long after[2]);

#endif
