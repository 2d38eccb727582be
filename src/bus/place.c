#include "place.h"

#include <string.h>

#include <merels/bus.h>
#include <merels/text.h>

static enum mrl_status refuse(struct mrl_error *error, const char *sentence)
{
	struct mrl_text text = mrl_error_open(error, MRL_NAME, 0, 0);

	mrl_text_add(&text, sentence);
	mrl_text_add(&text, "; say nats://HOST:PORT, several with commas between them");
	return MRL_NAME;
}

static size_t scheme(const char *url)
{
	static const char *const schemes[] = {"nats://", "tls://"};

	for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
		if (strncmp(url, schemes[i], strlen(schemes[i])) == 0)
			return strlen(schemes[i]);
	}
	return 0;
}

/* Where the host of an address begins: behind the last @, as a password may have one. */
static const char *host_of(const char *url, size_t length)
{
	const char *host = url + scheme(url);

	for (const char *c = host; c < url + length; c++) {
		if (*c == '@')
			host = c + 1;
	}
	return host;
}

static bool is_port(const char *text, size_t length)
{
	unsigned number = 0;

	for (size_t i = 0; i < length; i++) {
		if (text[i] < '0' || text[i] > '9' || i >= 5)
			return false;
		number = number * 10 + (unsigned)(text[i] - '0');
	}
	return length > 0 && number > 0 && number <= 65535;
}

/* There may be a password in it, so nothing of it is repeated. */
static enum mrl_status check_one(const char *url, size_t length, struct mrl_error *error)
{
	if (scheme(url) == 0)
		return refuse(error, "an address of NATS begins with nats:// or tls://");
	const char *host = host_of(url, length);
	const char *end = url + length;
	const char *name_end = host;

	for (const char *c = host; c < end; c++) {
		if ((unsigned char)*c <= ' ' || *c == 0x7f)
			return refuse(error, "an address of NATS has a space or control character in it");
	}
	if (host < end && *host == '[') {
		while (name_end < end && *name_end != ']')
			name_end++;
		if (name_end == end)
			return refuse(error, "an address of NATS has a [ without its ]");
		name_end++;
	} else {
		while (name_end < end && *name_end != ':')
			name_end++;
	}
	if (name_end == host)
		return refuse(error, "an address of NATS has no host");
	if (name_end < end && (*name_end != ':' || !is_port(name_end + 1, (size_t)(end - name_end - 1))))
		return refuse(error, "the port of an address of NATS is no number from 1 to 65535");
	return MRL_OK;
}

enum mrl_status mrl_bus_check_place(const char *place, struct mrl_error *error)
{
	size_t count = 0;

	for (const char *url = place;;) {
		size_t length = strcspn(url, ",");
		enum mrl_status status = check_one(url, length, error);

		if (status != MRL_OK)
			return status;
		if (++count > PLACE_MOST)
			return refuse(error, "there are more than 64 addresses of NATS");
		if (url[length] == '\0')
			return MRL_OK;
		url += length + 1;
	}
}

void mrl_bus_show_place(const char *place, char *text, size_t size)
{
	struct mrl_text shown = mrl_text_in(text, size);

	for (const char *url = place;;) {
		size_t length = strcspn(url, ",");
		const char *host = host_of(url, length);

		mrl_text_bytes(&shown, url, scheme(url));
		mrl_text_bytes(&shown, host, (size_t)(url + length - host));
		if (url[length] == '\0')
			return;
		mrl_text_char(&shown, ',');
		url += length + 1;
	}
}

size_t place_split(char *place, const char **urls, size_t most)
{
	size_t count = 0;

	for (char *url = place; count < most;) {
		size_t length = strcspn(url, ",");
		bool last = url[length] == '\0';

		urls[count++] = url;
		url[length] = '\0';
		if (last)
			break;
		url += length + 1;
	}
	return count;
}

bool place_wants_tls(const char *place)
{
	for (const char *url = place;; url++) {
		if (strncmp(url, "tls://", 6) == 0)
			return true;
		url += strcspn(url, ",");
		if (*url == '\0')
			return false;
	}
}
