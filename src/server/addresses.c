#include "addresses.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 4096, BURST_SECONDS = 5, FORGET_MS = 20 * 60 * 1000 };

/* ---- Credits ------------------------------------------------------------------------------------------------ */

bool mrl__credits_take(struct mrl__credits *credits, uint64_t now, unsigned cost, unsigned rate, unsigned most)
{
	uint64_t full = (uint64_t)most * 1000;

	if (rate == 0)
		return true;
	if (credits->at == 0) {
		credits->level = full;
	} else if (now > credits->at) {
		uint64_t gained = (now - credits->at) * rate;

		credits->level = gained > full - credits->level ? full : credits->level + gained;
	}
	credits->at = now;
	if (credits->level < (uint64_t)cost * 1000)
		return false;
	credits->level -= (uint64_t)cost * 1000;
	return true;
}

/* ---- Addresses as bytes ------------------------------------------------------------------------------------- */

static bool read_address(const char *text, unsigned char bytes[16])
{
	static const unsigned char mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

	if (inet_pton(AF_INET, text, bytes + 12) == 1) {
		memcpy(bytes, mapped, sizeof(mapped));
		return true;
	}
	return inet_pton(AF_INET6, text, bytes) == 1;
}

static bool is_v4(const unsigned char bytes[16])
{
	static const unsigned char mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

	return memcmp(bytes, mapped, sizeof(mapped)) == 0;
}

/* Reads one network of a list, up to `end`. */
static bool read_network(const char *from, const char *end, unsigned char bytes[16], unsigned *bits)
{
	char text[64];
	size_t length = (size_t)(end - from);

	if (length == 0 || length >= sizeof(text))
		return false;
	memcpy(text, from, length);
	text[length] = '\0';
	char *slash = strchr(text, '/');
	unsigned long wanted = 0;

	if (slash != NULL) {
		char *stop = NULL;

		*slash++ = '\0';
		wanted = strtoul(slash, &stop, 10);
		if (*slash < '0' || *slash > '9' || *stop != '\0')
			return false;
	}
	if (!read_address(text, bytes))
		return false;
	unsigned long most = is_v4(bytes) ? 32 : 128;

	if (slash == NULL)
		wanted = most;
	*bits = (unsigned)(wanted + (is_v4(bytes) ? 96 : 0));
	return wanted <= most;
}

static bool same_bits(const unsigned char *a, const unsigned char *b, unsigned bits)
{
	unsigned whole = bits / 8;
	unsigned rest = bits % 8;

	return memcmp(a, b, whole) == 0 && (rest == 0 || ((a[whole] ^ b[whole]) >> (8 - rest)) == 0);
}

/* Walks a list; false when it is bad. `found` may be NULL. */
static bool walk_list(const char *list, const unsigned char *wanted, bool *found)
{
	while (*list != '\0') {
		const char *end = list + strcspn(list, ", ");
		unsigned char network[16];
		unsigned bits = 0;

		if (end > list) {
			if (!read_network(list, end, network, &bits))
				return false;
			if (wanted != NULL && same_bits(wanted, network, bits))
				*found = true;
		}
		list = *end != '\0' ? end + 1 : end;
	}
	return true;
}

bool mrl__address_in(const char *text, const char *list)
{
	unsigned char bytes[16];
	bool found = false;

	return read_address(text, bytes) && walk_list(list, bytes, &found) && found;
}

bool mrl__address_list_is_good(const char *list)
{
	return walk_list(list, NULL, NULL);
}

/* ---- The table ---------------------------------------------------------------------------------------------- */

bool mrl__addresses_init(struct mrl__addresses *addresses, unsigned rate, unsigned most_sockets)
{
	*addresses = (struct mrl__addresses){.bucket_count = BUCKETS, .rate = rate, .most_sockets = most_sockets};
	addresses->buckets = calloc(BUCKETS, sizeof(struct mrl__address *));
	return addresses->buckets != NULL;
}

void mrl__addresses_release(struct mrl__addresses *addresses)
{
	for (size_t i = 0; addresses->buckets != NULL && i < addresses->bucket_count; i++) {
		while (addresses->buckets[i] != NULL) {
			struct mrl__address *gone = addresses->buckets[i];

			addresses->buckets[i] = gone->next;
			free(gone);
		}
	}
	free(addresses->buckets);
	*addresses = (struct mrl__addresses){0};
}

static struct mrl__address **bucket_of(const struct mrl__addresses *addresses, const unsigned char bytes[16])
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < 16; i++)
		hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
	return &addresses->buckets[(hash ^ hash >> 32) & (addresses->bucket_count - 1)];
}

struct mrl__address *mrl__address_hold(struct mrl__addresses *addresses, const char *text)
{
	unsigned char bytes[16] = {0};

	if (!read_address(text, bytes))
		memset(bytes, 0, sizeof(bytes));
	/* Who has one address of IPv6 has the 64 bits below too. */
	if (!is_v4(bytes))
		memset(bytes + 8, 0, 8);
	struct mrl__address **bucket = bucket_of(addresses, bytes);

	for (struct mrl__address *at = *bucket; at != NULL; at = at->next) {
		if (memcmp(at->bytes, bytes, sizeof(bytes)) == 0) {
			at->users++;
			return at;
		}
	}
	struct mrl__address *fresh = calloc(1, sizeof(*fresh));

	if (fresh == NULL)
		return NULL;
	memcpy(fresh->bytes, bytes, sizeof(bytes));
	fresh->users = 1;
	fresh->next = *bucket;
	*bucket = fresh;
	addresses->count++;
	return fresh;
}

void mrl__address_drop(struct mrl__addresses *addresses, struct mrl__address *address)
{
	(void)addresses;
	if (address != NULL)
		address->users--;
}

bool mrl__address_pay(struct mrl__addresses *addresses, struct mrl__address *address, uint64_t now, unsigned cost)
{
	return mrl__credits_take(&address->credits, now, cost, addresses->rate, BURST_SECONDS * addresses->rate);
}

void mrl__addresses_sweep(struct mrl__addresses *addresses, uint64_t now)
{
	for (size_t i = 0; i < addresses->bucket_count; i++) {
		struct mrl__address **link = &addresses->buckets[i];

		while (*link != NULL) {
			struct mrl__address *at = *link;

			/* Credits are full again after the burst; a failed login is remembered longer, a report for a
			 * day. */
			if (at->users == 0 && now > at->credits.at + BURST_SECONDS * 1000u &&
			    now >= at->reports_until && (at->failures == 0 || now > at->try_again + FORGET_MS)) {
				*link = at->next;
				free(at);
				addresses->count--;
			} else {
				link = &at->next;
			}
		}
	}
}
