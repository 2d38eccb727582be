#include "line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <os/socket.h>

#include "addresses.h"

enum { MOST_HEADERS = 8193 }; /* no headers are longer in all, so one always fits */

struct mrl__line *mrl__line_had(struct lws *wsi)
{
	return lws_get_opaque_user_data(wsi);
}

struct mrl__line *mrl__line_of(struct lws *wsi)
{
	struct mrl__line *line = mrl__line_had(wsi);

	if (line == NULL) {
		line = calloc(1, sizeof(*line));
		lws_set_opaque_user_data(wsi, line);
	}
	return line;
}

void mrl__line_release(struct lws *wsi)
{
	free(mrl__line_had(wsi));
	lws_set_opaque_user_data(wsi, NULL);
}

void mrl__line_request_over(struct lws *wsi)
{
	struct mrl__line *line = mrl__line_of(wsi);

	if (line != NULL)
		line->taken = mrl_socket_taken(lws_get_socket_fd(wsi));
}

bool mrl__line_is_pipelined(struct lws *wsi)
{
	const struct mrl__line *line = mrl__line_had(wsi);

	return line != NULL && line->taken != 0 && mrl_socket_taken(lws_get_socket_fd(wsi)) == line->taken;
}

/* The last address of the list that is not a proxy's; proxies add behind. Places with nothing in them say nothing. */
static void forwarded(char *list, const char *trusted, char *address, int size)
{
	for (;;) {
		char *comma = strrchr(list, ',');
		char *last = comma != NULL ? comma + 1 : list;

		last += strspn(last, " \t");
		last[strcspn(last, " \t")] = '\0';
		if (last[0] != '\0')
			(void)snprintf(address, (size_t)size, "%s", last);
		if (comma == NULL || (last[0] != '\0' && !mrl__address_in(last, trusted)))
			return;
		*comma = '\0';
	}
}

void mrl__line_address(struct lws *wsi, const char *trusted, char *address, int size, bool *secure)
{
	char peer[MRL_SOCKET_ADDRESS_SIZE];
	char list[MOST_HEADERS];

	*secure = lws_is_ssl(wsi) != 0;
	mrl_socket_peer(lws_get_socket_fd(wsi), peer);
	(void)snprintf(address, (size_t)size, "%s", peer);
	if (trusted[0] == '\0' || !mrl__address_in(peer, trusted))
		return;
	if (lws_hdr_copy(wsi, list, sizeof(list), WSI_TOKEN_X_FORWARDED_FOR) > 0)
		forwarded(list, trusted, address, size);
	if (lws_hdr_custom_copy(wsi, list, sizeof(list), "x-forwarded-proto:", 18) > 0)
		*secure = strcmp(list, "https") == 0;
}
