/*
 * The lobby: who is here, open offers of a game, and the pool of those who want to be paired.
 *
 * A state machine like play.h, without a clock or memory of its own; but nothing in it is kept: after a restart the
 * lobby is empty, everybody connects anew, and whoever still waits says so again.
 *
 *   - An offer (a *seek*) lives as long as its owner is connected: without a connection it can be seen and taken no
 * more, and after MRL_LOBBY_GRACE it is gone; at once when the tab was closed.
 *   - Who starts a game is out of the lobby: all offers of both players go.
 *   - Pairing: the longest waiting first, with the nearest rating, once both accept the difference; what one accepts
 *     widens with waiting. Who had White more often gets Black.
 *
 * One lobby belongs to one thread at a time.
 */
#ifndef MERELS_LOBBY_H
#define MERELS_LOBBY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <merels/play.h>
#include <merels/play_event.h>
#include <merels/rating.h>

#define MRL_LOBBY_GRACE 10000U        /* milliseconds an offer outlives its owner's last connection */
#define MRL_LOBBY_SEEKS_EACH 3U       /* open offers of one person */
#define MRL_LOBBY_WINDOW 100000       /* thousandths of a point: the rating difference accepted at first */
#define MRL_LOBBY_WINDOW_GROWTH 10000 /* and by how much it grows in each second */
#define MRL_LOBBY_PAIRING_PAUSE 1000U /* milliseconds between two rounds of pairing */

/* An offer, open to all or in the pool. */
struct mrl_lobby_seek {
	uint64_t id;
	struct mrl_play_player player; /* its owner; the secret is that of the seat to be */
	struct mrl_play_settings settings;
	struct mrl_rating rating; /* the owner's, for these rules and this speed */
	int32_t lowest, highest;  /* thousandths: which ratings may take an open offer; both 0: any */
	int32_t whites;           /* pool: games with White minus games with Black, lately */
	bool pool;                /* wants to be paired; is not listed */
	/* Filled in by the lobby: */
	uint64_t since;      /* service time */
	uint64_t away_since; /* service time from which its owner has no connection; UINT64_MAX: has one */
};

/* Two who play each other; `first` says who has White (the owner is the seek's, the friend took it). */
struct mrl_lobby_pairing {
	struct mrl_lobby_seek owner;
	struct mrl_lobby_seek friend_seat;
	enum mrl_play_first first;
};

/* Somebody who is connected or plays. A slot of a hash table. */
struct mrl_lobby_person {
	uint64_t person; /* 0: empty */
	uint32_t connections;
	uint32_t games; /* running ones with this person in a seat */
};

/* A rule set that somebody plays or waits for. */
struct mrl_lobby_topic {
	char rules[MRL_RULES_NAME_SIZE];
	uint32_t games;   /* running */
	uint32_t waiting; /* offers, those in the pool included */
};

struct mrl_lobby_counts {
	uint32_t online;  /* persons with a connection */
	uint32_t playing; /* of those online: persons in a running game */
	uint32_t waiting; /* offers, those in the pool included */
	uint32_t games;   /* running */
};

/* All memory is the caller's; see mrl_lobby_init. */
struct mrl_lobby {
	struct mrl_lobby_seek *seeks; /* seeks[0 .. seek_count), the oldest first */
	size_t seek_count;
	size_t seek_capacity;
	struct mrl_lobby_person *people;
	size_t people_count;
	size_t people_capacity;
	struct mrl_lobby_topic *topics; /* topics[0 .. topic_count) */
	size_t topic_count;
	size_t topic_capacity;
	struct mrl_lobby_counts counts;
	uint64_t paired;  /* service time of the last round of pairing */
	uint64_t version; /* grows with every change of what the page of the lobby shows */
};

/*
 * An empty lobby. people_capacity is a power of two, and never more than three quarters of it are used; rule sets that
 * find no room in `topics` are counted in the sums alone.
 */
void mrl_lobby_init(struct mrl_lobby *lobby, struct mrl_lobby_seek *seeks, size_t seek_capacity,
		    struct mrl_lobby_person *people, size_t people_capacity, struct mrl_lobby_topic *topics,
		    size_t topic_capacity);

/* ---- Who is here -------------------------------------------------------------------------------------------- */

/* One more connection of a person. False when there is no room for another person. */
bool mrl_lobby_connect(struct mrl_lobby *lobby, uint64_t person, uint64_t time);
/* One connection less. Offers die with the last one: after the grace, or now when it said that it is leaving. */
void mrl_lobby_disconnect(struct mrl_lobby *lobby, uint64_t person, bool closed_tab, uint64_t time);
bool mrl_lobby_connected(const struct mrl_lobby *lobby, uint64_t person);

/* A game has started (both players' offers are withdrawn) or ended. Computers have person 0 here. */
void mrl_lobby_game_started(struct mrl_lobby *lobby, const char *rules, const uint64_t persons[2]);
void mrl_lobby_game_ended(struct mrl_lobby *lobby, const char *rules, const uint64_t persons[2]);

/* ---- Offers ------------------------------------------------------------------------------------------------- */

/*
 * Adds an offer. BAD_SETTINGS, BAD_PLAYER, ACCOUNT_NEEDED (rated), NOT_CONNECTED, SEEKING_ALREADY,
 * LOBBY_FULL. A second entry in the pool takes the place of the first.
 */
enum mrl_play_code mrl_lobby_seek(struct mrl_lobby *lobby, const struct mrl_lobby_seek *seek, uint64_t time);

/* Withdraws an offer of one's own; NO_SEEK. And all of a person's, returns how many there were. */
enum mrl_play_code mrl_lobby_unseek(struct mrl_lobby *lobby, uint64_t id, uint64_t person);
size_t mrl_lobby_unseek_all(struct mrl_lobby *lobby, uint64_t person);

/*
 * Takes an open offer. Of `taker` only player and rating count. On OK the pairing is filled and all offers of both are
 * gone. NO_SEEK (also when its owner is away), NOT_CONNECTED, OWN_GAME, ACCOUNT_NEEDED, NOT_WELCOME, BAD_PLAYER.
 */
enum mrl_play_code mrl_lobby_take(struct mrl_lobby *lobby, uint64_t id, const struct mrl_lobby_seek *taker,
				  uint64_t time, struct mrl_lobby_pairing *pairing);

/* The next offer to show, from *index on, which moves behind it; NULL when there are no more. */
const struct mrl_lobby_seek *mrl_lobby_next(const struct mrl_lobby *lobby, size_t *index);

/* ---- Time --------------------------------------------------------------------------------------------------- */

/* When the lobby next wants a tick; UINT64_MAX: never. */
uint64_t mrl_lobby_deadline(const struct mrl_lobby *lobby);

/*
 * Lets offers of those who are away go, and pairs; writes at most `capacity` pairings and returns how many. What found
 * no room is paired at the next tick. `random` draws the lots between two who had White equally often.
 */
size_t mrl_lobby_tick(struct mrl_lobby *lobby, uint64_t time, uint64_t random, struct mrl_lobby_pairing *pairings,
		      size_t capacity);

/* The rating difference (thousandths) that one accepts after waiting so long (milliseconds). */
int32_t mrl_lobby_window(uint64_t waited);

#endif
