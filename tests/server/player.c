#include "player.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <cmocka.h>

#include "client.h"

const char *text_of(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	return text != NULL ? text : "";
}

long long number_of(const json_t *object, const char *name)
{
	const json_t *value = json_object_get(object, name);

	if (!json_is_integer(value))
		fail_msg("%s is no number", name);
	return json_integer_value(value);
}

void player_init(struct player *player, unsigned port)
{
	*player = (struct player){.port = port, .fd = -1};
}

void player_release(struct player *player)
{
	player_close(player);
}

void player_close(struct player *player)
{
	if (player->fd >= 0)
		client_close(player->fd);
	player->fd = -1;
}

/* ---- Requests ----------------------------------------------------------------------------------------------- */

static void take_cookie(struct player *player, const struct answer *answer)
{
	const char *cookie = answer_header(answer, "set-cookie");

	if (cookie == NULL || strncmp(cookie, "merels=", 7) != 0)
		return;
	(void)snprintf(player->cookie, sizeof(player->cookie), "%.*s", (int)strcspn(cookie + 7, ";"), cookie + 7);
}

static void write_who(const struct player *player, char *headers, size_t size)
{
	if (player->token[0] != '\0')
		(void)snprintf(headers, size, "Authorization: Bearer %s\r\n", player->token);
	else if (player->cookie[0] != '\0')
		(void)snprintf(headers, size, "Cookie: merels=%s\r\n", player->cookie);
	else
		headers[0] = '\0';
}

int player_ask(struct player *player, const char *method, const char *path, const char *body, json_t **answer)
{
	static char request[65536];
	char who[256];
	struct answer got;

	write_who(player, who, sizeof(who));
	int length = snprintf(request, sizeof(request),
			      "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nOrigin: http://127.0.0.1:%u\r\n%s", method, path,
			      player->port, player->port, who);

	if (strcmp(method, "POST") == 0)
		length += snprintf(request + length, sizeof(request) - (size_t)length,
				   "Content-Type: application/json\r\nContent-Length: %zu\r\n",
				   body != NULL ? strlen(body) : 0);
	(void)snprintf(request + length, sizeof(request) - (size_t)length, "\r\n%s", body != NULL ? body : "");
	client_ask(player->port, request, &got);
	take_cookie(player, &got);
	if (answer != NULL)
		*answer = got.body != NULL ? json_loadb(got.body, got.length, 0, NULL) : NULL;
	int status = got.status;

	answer_release(&got);
	return status;
}

static json_t *expect(struct player *player, const char *method, const char *path, const char *body, int status)
{
	json_t *answer = NULL;
	int got = player_ask(player, method, path, body, &answer);

	if (got != status)
		fail_msg("%s %s: %d, not %d: %s", method, path, got, status,
			 text_of(json_object_get(answer, "error"), "text"));
	return answer;
}

json_t *player_get(struct player *player, const char *path, int status)
{
	return expect(player, "GET", path, NULL, status);
}

json_t *player_post(struct player *player, const char *path, const char *body, int status)
{
	return expect(player, "POST", path, body, status);
}

void player_make(struct player *player, const char *settings)
{
	json_t *made = player_post(player, "/api/v1/games", settings, 201);

	(void)snprintf(player->game, sizeof(player->game), "%s", text_of(made, "game"));
	(void)snprintf(player->link, sizeof(player->link), "%s", text_of(made, "link"));
	(void)snprintf(player->secret, sizeof(player->secret), "%s", text_of(made, "secret"));
	json_decref(made);
}

void player_join(struct player *player, const struct player *owner)
{
	char path[64];
	char body[128];

	(void)snprintf(path, sizeof(path), "/api/v1/games/%s/join", owner->game);
	(void)snprintf(body, sizeof(body), "{\"link\":\"%s\"}", owner->link);
	json_t *joined = player_post(player, path, body, 200);

	(void)snprintf(player->game, sizeof(player->game), "%s", owner->game);
	(void)snprintf(player->secret, sizeof(player->secret), "%s", text_of(joined, "secret"));
	json_decref(joined);
}

/* ---- The socket --------------------------------------------------------------------------------------------- */

int player_open_raw(struct player *player, const char *origin)
{
	char request[1024];
	char who[256];
	struct answer answer;

	write_who(player, who, sizeof(who));
	(void)snprintf(request, sizeof(request),
		       "GET /api/v1/socket HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nUpgrade: websocket\r\n"
		       "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
		       "Sec-WebSocket-Version: 13\r\n%s%s%s%s\r\n",
		       player->port, who, origin != NULL ? "Origin: " : "", origin != NULL ? origin : "",
		       origin != NULL ? "\r\n" : "");
	player->fd = client_connect(player->port);
	player->closed = 0;
	assert_true(client_say(player->fd, request));
	/* An answer of 101 has no body. */
	client_read(player->fd, true, &answer);
	int status = answer.status;

	answer_release(&answer);
	if (status != 101)
		player_close(player);
	return status;
}

void player_open(struct player *player)
{
	char origin[64];

	(void)snprintf(origin, sizeof(origin), "http://127.0.0.1:%u", player->port);
	assert_int_equal(player_open_raw(player, origin), 101);
	json_t *welcome = player_await(player, "welcome", NULL);

	json_decref(welcome);
}

void player_frame(struct player *player, unsigned opcode, bool final, const void *bytes, size_t length)
{
	static const unsigned char mask[4] = {0x37, 0xfa, 0x21, 0x3d};
	unsigned char *frame = malloc(length + 14);
	size_t at = 0;

	assert_non_null(frame);
	frame[at++] = (unsigned char)((final ? 0x80 : 0) | opcode);
	if (length < 126) {
		frame[at++] = (unsigned char)(0x80 | length);
	} else if (length < 65536) {
		frame[at++] = 0x80 | 126;
		frame[at++] = (unsigned char)(length >> 8);
		frame[at++] = (unsigned char)length;
	} else {
		frame[at++] = 0x80 | 127;
		for (int shift = 56; shift >= 0; shift -= 8)
			frame[at++] = (unsigned char)((uint64_t)length >> shift);
	}
	memcpy(frame + at, mask, sizeof(mask));
	at += sizeof(mask);
	for (size_t i = 0; i < length; i++)
		frame[at + i] = (unsigned char)(((const unsigned char *)bytes)[i] ^ mask[i % 4]);
	/* The server may have closed already, which is seen when reading. */
	(void)client_send(player->fd, frame, at + length);
	free(frame);
}

void player_send(struct player *player, const char *format, ...)
{
	char text[8192];
	va_list arguments;

	va_start(arguments, format);
	int length = vsnprintf(text, sizeof(text), format, arguments);

	va_end(arguments);
	assert_true(length > 0 && (size_t)length < sizeof(text));
	player_frame(player, 1, true, text, (size_t)length);
}

/* Reads exactly so many bytes; false at the end of the connection. */
static bool read_bytes(int fd, void *to, size_t length)
{
	return length == 0 || recv(fd, to, length, MSG_WAITALL) == (ssize_t)length;
}

/* One frame, its text the caller's to free; the opcode, or -1 at the end of the connection. */
static int read_frame(struct player *player, char **text, size_t *length)
{
	unsigned char head[2];
	unsigned char more[8];

	if (!read_bytes(player->fd, head, 2))
		return -1;
	size_t extra = (head[1] & 127) == 126 ? 2 : (head[1] & 127) == 127 ? 8 : 0;
	uint64_t size = head[1] & 127;

	/* Frames of a server are not masked, and ours are never in pieces. */
	assert_int_equal(head[1] & 128, 0);
	assert_int_equal(head[0] & 128, 128);
	if (!read_bytes(player->fd, more, extra))
		return -1;
	if (extra > 0)
		size = 0;
	for (size_t i = 0; i < extra; i++)
		size = size << 8 | more[i];
	assert_true(size < 1 << 20);
	*text = malloc(size + 1);
	assert_non_null(*text);
	(*text)[size] = '\0';
	*length = size;
	if (read_bytes(player->fd, *text, size))
		return head[0] & 15;
	free(*text);
	return -1;
}

json_t *player_next(struct player *player)
{
	char *text = NULL;
	size_t length = 0;

	while (player->fd >= 0) {
		int opcode = read_frame(player, &text, &length);

		if (opcode == 9)
			player_frame(player, 10, true, text, length);
		if (opcode == 8 && length >= 2)
			player->closed = (unsigned)((unsigned char)text[0] << 8 | (unsigned char)text[1]);
		if (opcode == 1) {
			json_t *message = json_loadb(text, length, 0, NULL);

			if (message == NULL)
				fail_msg("this is no JSON: %s", text);
			free(text);
			return message;
		}
		if (opcode >= 0)
			free(text);
		if (opcode < 0 || opcode == 8)
			player_close(player);
	}
	return NULL;
}

json_t *player_await(struct player *player, const char *type, const char *kind)
{
	for (;;) {
		json_t *message = player_next(player);

		if (message == NULL)
			fail_msg("the socket was closed with %u instead of sending %s %s", player->closed, type,
				 kind != NULL ? kind : "");
		if (strcmp(text_of(message, "t"), type) == 0 &&
		    (kind == NULL || strcmp(text_of(message, "kind"), kind) == 0))
			return message;
		if (strcmp(text_of(message, "t"), "no") == 0)
			fail_msg("instead of %s %s: %s: %s", type, kind != NULL ? kind : "", text_of(message, "code"),
				 text_of(message, "text"));
		json_decref(message);
	}
}

void player_expect_close(struct player *player, unsigned code)
{
	json_t *message = NULL;

	while ((message = player_next(player)) != NULL)
		json_decref(message);
	assert_int_equal(player->closed, code);
}

json_t *player_watch(struct player *player)
{
	player_send(player, "{\"t\":\"watch\",\"game\":\"%s\"}", player->game);
	return player_await(player, "game", NULL);
}

void player_turn(struct player *player, unsigned ply, const char *turn)
{
	char more[128];

	(void)snprintf(more, sizeof(more), "\"ply\":%u,\"turn\":\"%s\"", ply, turn);
	player_command(player, "turn", more, NULL);
}

void player_command(struct player *player, const char *type, const char *more, const char *code)
{
	player_send(player, "{\"t\":\"%s\",\"game\":\"%s\",\"id\":\"c%u\"%s%s}", type, player->game, ++player->commands,
		    more[0] != '\0' ? "," : "", more);
	if (code == NULL) {
		json_decref(player_await(player, "done", NULL));
		return;
	}
	for (;;) {
		json_t *message = player_next(player);

		assert_non_null(message);
		bool refused = strcmp(text_of(message, "t"), "no") == 0;

		if (refused)
			assert_string_equal(text_of(message, "code"), code);
		if (strcmp(text_of(message, "t"), "done") == 0)
			fail_msg("%s was done, not refused with %s", type, code);
		json_decref(message);
		if (refused)
			return;
	}
}
