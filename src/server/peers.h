/*
 * All WebSockets: who they are is found out, they are pinged in turn, and those that say nothing are cut. All on the
 * thread of the loop.
 */
#ifndef MERELS_SERVER_PEERS_H
#define MERELS_SERVER_PEERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mrl__message;
struct mrl__peer;
struct mrl__person;
struct mrl__server;

/* Each second those of one slot are pinged: so everybody once in so many seconds. */
#define MRL__PING_SECONDS 15

#define MRL__PEER_BUCKETS 4096

/*
 * A clock, in ms, that passes only while the loop attends to its sockets. When the process gets no processor for a
 * while, what came meanwhile lies unread, and nobody may be called silent for that. Zeroed it has not begun.
 */
struct mrl__attention {
	uint64_t clock;
	uint64_t seen; /* the monotonic clock when it was looked at last */
};

/* Looks at the monotonic clock, as happens once a second; what passes in one look beyond that does not count. */
void mrl__attention_pass(struct mrl__attention *attention, uint64_t now);

struct mrl__peers {
	struct mrl__peer *slots[MRL__PING_SECONDS];
	struct mrl__peer *fast;  /* those who play by the clock: pinged every 2 s */
	struct mrl__peer *lobby; /* those who look at the lobby */
	struct mrl__peer *closing;
	struct mrl__peer *persons[MRL__PEER_BUCKETS]; /* by person; those of nobody are in none */
	size_t count;
	unsigned next_slot;
	unsigned second;
	uint64_t next_second; /* ms */
	struct mrl__attention attention;
};

void mrl__peers_add(struct mrl__peers *peers, struct mrl__peer *peer);
void mrl__peers_remove(struct mrl__peers *peers, struct mrl__peer *peer);

/* Finds out who a new peer is, and welcomes it. */
void mrl__peers_introduce(struct mrl__peer *peer);

/* Whether it plays by the clock at the moment. */
void mrl__peers_set_fast(struct mrl__peer *peer, bool fast);

/* The peer is to be closed as soon as everything has been sent; and that is done, to be called every 10 ms. */
void mrl__peers_close_later(struct mrl__peer *peer);
void mrl__peers_end_closing(struct mrl__server *server);

/*
 * Whether a second has passed since this was true last. Seconds are the clock's: with much to do the loop comes to its
 * ticks late, and pings must not. Those that it was late by follow at once, half a minute of them at most.
 */
bool mrl__peers_second(struct mrl__peers *peers, uint64_t now);

/* To be called once a second. */
void mrl__peers_tick(struct mrl__server *server);

/* Closes the sockets of a person (0: all), but for those of the session `except`, which may be NULL. */
void mrl__peers_close(struct mrl__server *server, uint64_t person, const unsigned char *except, unsigned code,
		      const char *reason);

/* Closes the sockets of one session of a person, which has ended. */
void mrl__peers_end_session(struct mrl__server *server, uint64_t person, const unsigned char *session);

/* Looks again who everybody is: whose session has ended, or who is banned, is closed. */
void mrl__peers_check(struct mrl__server *server);

/* The same for one person, of whom something has changed, the name perhaps. */
void mrl__peers_check_person(struct mrl__server *server, uint64_t person);

/* Sends to all sockets of a person; 0: of everybody. */
void mrl__peers_send(struct mrl__server *server, uint64_t person, struct mrl__message *message);

/* A person has another name or kind now. */
void mrl__peers_renamed(struct mrl__server *server, const struct mrl__person *person);

/* The mutes of a person have changed. */
void mrl__peers_muted(struct mrl__server *server, uint64_t person, uint64_t muted, bool on);
/* Without telling other nodes. */
void mrl__peers_muted_here(struct mrl__server *server, uint64_t person, uint64_t muted, bool on);

#endif
