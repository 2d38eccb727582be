/* A server as a client knows it: where it is, and what its connections share. */
#include "client_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <merels/text.h>

/* ---- The URL ------------------------------------------------------------------------------------------------ */

struct place {
	char name[96];
	char port[8];
};

static enum mrl_status refuse(struct mrl_error *error, enum mrl_status status, const char *what, const char *url)
{
	struct mrl_text text = mrl_error_open(error, status, 0, 0);

	mrl_text_add(&text, what);
	mrl_text_quote(&text, url, strlen(url));
	return status;
}

/* Takes apart "http://name:port/"; false when it is no such thing. */
static bool read_url(const char *url, struct place *place, char *host, size_t host_size)
{
	static const char scheme[] = "http://";

	if (strncmp(url, scheme, sizeof(scheme) - 1) != 0)
		return false;
	url += sizeof(scheme) - 1;

	bool bracket = *url == '[';
	const char *name = url + (bracket ? 1 : 0);
	size_t length = strcspn(name, bracket ? "]/" : ":/");
	const char *end = name + length;

	if (length == 0 || length >= sizeof(place->name) || (bracket && *end != ']'))
		return false;
	memcpy(place->name, name, length);
	place->name[length] = '\0';
	end += bracket ? 1 : 0;

	size_t digits = 2;
	const char *port = "80";

	if (*end == ':') {
		port = end + 1;
		digits = strspn(port, "0123456789");
		end = port + digits;
	}
	if (digits == 0 || digits > 5 || (*end != '\0' && strcmp(end, "/") != 0))
		return false;
	memcpy(place->port, port, digits);
	place->port[digits] = '\0';

	int written = snprintf(host, host_size, "%.*s", (int)(end - url), url);

	return written > 0 && (size_t)written < host_size;
}

/* Numbers are tried first, so that no name server is asked for them. */
static bool find(uv_loop_t *loop, const struct place *place, struct sockaddr_storage *address)
{
	int port = atoi(place->port);

	if (uv_ip4_addr(place->name, port, (struct sockaddr_in *)address) == 0 ||
	    uv_ip6_addr(place->name, port, (struct sockaddr_in6 *)address) == 0)
		return true;

	uv_getaddrinfo_t request;
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM};

	if (uv_getaddrinfo(loop, &request, NULL, place->name, place->port, &hints) != 0)
		return false;
	memcpy(address, request.addrinfo->ai_addr, request.addrinfo->ai_addrlen);
	uv_freeaddrinfo(request.addrinfo);
	return true;
}

enum mrl_status mrl_client_new(struct mrl_client **client, uv_loop_t *loop, const char *url, struct mrl_error *error)
{
	struct place place;
	struct mrl_client *made = calloc(1, sizeof(*made));

	if (made == NULL)
		return refuse(error, MRL_SYSTEM, "no memory for a client of ", url);
	made->loop = loop;
	if (!read_url(url, &place, made->host, sizeof(made->host))) {
		free(made);
		return refuse(error, MRL_SYNTAX, "a server is named as http://127.0.0.1:8080, not ", url);
	}
	if (!find(loop, &place, &made->address)) {
		free(made);
		return refuse(error, MRL_SYSTEM, "nobody knows where this is: ", place.name);
	}
	if (uv_random(NULL, NULL, &made->random, sizeof(made->random), 0, NULL) != 0)
		made->random = uv_hrtime();
	made->random |= 1;
	*client = made;
	return MRL_OK;
}

size_t mrl_client_busy(const struct mrl_client *client)
{
	return client->busy;
}

void mrl_client_free(struct mrl_client *client)
{
	free(client);
}

bool mrl_client_is_local(const struct mrl_client *client)
{
	const struct sockaddr_in *address = (const struct sockaddr_in *)&client->address;

	return client->address.ss_family == AF_INET && (ntohl(address->sin_addr.s_addr) >> 24) == 127;
}

/* ---- What connections share --------------------------------------------------------------------------------- */

int mrl__client_connect(struct mrl_client *client, unsigned source, uv_tcp_t *tcp, uv_connect_t *connect,
			uv_connect_cb connected)
{
	int status = uv_tcp_init(client->loop, tcp);

	if (status != 0)
		return status;
	client->busy++;
	if (source > 0 && mrl_client_is_local(client)) {
		struct sockaddr_in from = {.sin_family = AF_INET};

		from.sin_addr.s_addr = htonl(0x7f000000U + source);
		status = uv_tcp_bind(tcp, (const struct sockaddr *)&from, 0);
	}
	if (status == 0)
		status = uv_tcp_connect(connect, tcp, (const struct sockaddr *)&client->address, connected);
	if (status == 0)
		(void)uv_tcp_nodelay(tcp, 1);
	return status;
}

void mrl__client_memory(struct mrl_client *client, uv_buf_t *memory)
{
	*memory = uv_buf_init(client->read, sizeof(client->read));
}

bool mrl__client_identify(const struct mrl_client *client, const struct mrl_client_identity *identity, char *text)
{
	size_t length = strlen(text);
	int written = 0;

	if (identity != NULL && identity->token[0] != '\0') {
		written = snprintf(text + length, MRL__REQUEST_MOST - length, "Authorization: Bearer %s\r\n",
				   identity->token);
	} else {
		/* A cookie has authority only together with the server's own origin. */
		bool known = identity != NULL && identity->cookie[0] != '\0';

		written =
		    snprintf(text + length, MRL__REQUEST_MOST - length, "Origin: http://%s\r\n%s%s%s", client->host,
			     known ? "Cookie: merels=" : "", known ? identity->cookie : "", known ? "\r\n" : "");
	}
	return written >= 0 && (size_t)written < MRL__REQUEST_MOST - length;
}

uint64_t mrl__client_random(struct mrl_client *client)
{
	/* splitmix64 */
	uint64_t z = client->random += 0x9e3779b97f4a7c15U;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
	return z ^ (z >> 31);
}
