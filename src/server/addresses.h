/*
 * The addresses that connections come from, and what each may still do: credits that refill, a count of sockets, and
 * failed logins. An IPv6 network of 64 bits counts as one address. An address is remembered while a connection of it is
 * open or its credits are not full. All on the thread of the loop.
 */
#ifndef MERELS_SERVER_ADDRESSES_H
#define MERELS_SERVER_ADDRESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Credits: `level` thousandths of one, as of the moment `at`, in ms of the monotonic clock. */
struct mrl__credits {
	uint64_t level;
	uint64_t at;
};

/* Takes `cost`; false when there are not so many. A zeroed one is full. `rate` a second, at most `most`; rate 0: free.
 */
bool mrl__credits_take(struct mrl__credits *credits, uint64_t now, unsigned cost, unsigned rate, unsigned most);

struct mrl__address {
	struct mrl__address *next;
	unsigned char bytes[16]; /* IPv4 as in ::ffff:1.2.3.4 */
	unsigned users;          /* how many hold it */
	unsigned sockets;        /* of which are WebSockets */
	unsigned waiting;        /* games made from it that wait for somebody; they hold it too */
	struct mrl__credits credits;
	unsigned reports;       /* that were made from it up to this moment: */
	uint64_t reports_until; /* ms; 0: none were */
	unsigned failures;      /* logins in a row */
	uint64_t try_again;     /* no login before this moment, ms */
};

struct mrl__addresses {
	struct mrl__address **buckets; /* owned */
	size_t bucket_count;           /* a power of two */
	size_t count;
	unsigned rate; /* credits a second of an address; 0: no limit */
	unsigned most_sockets;
};

bool mrl__addresses_init(struct mrl__addresses *addresses, unsigned rate, unsigned most_sockets);
void mrl__addresses_release(struct mrl__addresses *addresses);

/*
 * The entry of an address as text ("203.0.113.7", "2001:db8::1"), held by the caller until mrl__address_drop(). Text
 * that is no address counts as one address. NULL when there is no memory.
 */
struct mrl__address *mrl__address_hold(struct mrl__addresses *addresses, const char *text);
void mrl__address_drop(struct mrl__addresses *addresses, struct mrl__address *address);

/* Takes credits; false when there are none left. */
bool mrl__address_pay(struct mrl__addresses *addresses, struct mrl__address *address, uint64_t now, unsigned cost);

/* Forgets who is no longer needed; to be called now and then. */
void mrl__addresses_sweep(struct mrl__addresses *addresses, uint64_t now);

/* Whether `text` is an address in one of the networks of `list` ("127.0.0.1,10.0.0.0/8,::1"). */
bool mrl__address_in(const char *text, const char *list);

/* Whether `list` is such a list. */
bool mrl__address_list_is_good(const char *list);

#endif
