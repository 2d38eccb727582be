/* The client against a server that says just what the test wants, good and bad. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <openssl/evp.h>
#include <uv.h>

#include <merels/client.h>

/* One server, one connection, one thing that it says when a whole head has come. */
struct scene {
	uv_loop_t loop;
	uv_tcp_t listener;
	uv_tcp_t connection;
	uv_write_t write;
	char heard[4096];
	size_t heard_length;
	const char *says; /* bytes; "ACCEPT" in it stands for the right Sec-WebSocket-Accept */
	size_t says_length;
	char out[8192];
	bool said;
	bool hangs_up; /* after having said it */
	bool closed;   /* the client told that it is over */
	unsigned code;
	char why[128];
	char message[256];
	unsigned messages;
	int status;
	char body[128];
	char cookie[64];
	struct mrl_client *client;
	struct mrl_client_socket *socket;
};

static void on_handle_closed(uv_handle_t *handle)
{
	(void)handle;
}

static void close_handle(uv_tcp_t *tcp)
{
	if (!uv_is_closing((uv_handle_t *)tcp))
		uv_close((uv_handle_t *)tcp, on_handle_closed);
}

static void on_said(uv_write_t *write, int status)
{
	struct scene *scene = write->data;

	(void)status;
	if (scene->hangs_up)
		close_handle(&scene->connection);
}

static void accept_of(const char *heard, char accept[32])
{
	const char *key = strstr(heard, "Sec-WebSocket-Key: ");
	char text[128];
	unsigned char digest[EVP_MAX_MD_SIZE];
	unsigned length = 0;

	accept[0] = '\0';
	if (key == NULL)
		return;
	snprintf(text, sizeof(text), "%.24s258EAFA5-E914-47DA-95CA-C5AB0DC85B11", key + 19);
	assert_int_equal(EVP_Digest(text, strlen(text), digest, &length, EVP_sha1(), NULL), 1);
	(void)EVP_EncodeBlock((unsigned char *)accept, digest, (int)length);
}

static void say(struct scene *scene)
{
	char accept[32];
	size_t length = 0;

	accept_of(scene->heard, accept);
	for (size_t i = 0; i < scene->says_length; i++) {
		if (scene->says_length - i >= 6 && memcmp(scene->says + i, "ACCEPT", 6) == 0) {
			memcpy(scene->out + length, accept, strlen(accept));
			length += strlen(accept);
			i += 5;
		} else {
			scene->out[length++] = scene->says[i];
		}
	}

	uv_buf_t out = uv_buf_init(scene->out, (unsigned)length);

	scene->write.data = scene;
	assert_int_equal(uv_write(&scene->write, (uv_stream_t *)&scene->connection, &out, 1, on_said), 0);
}

static void on_memory(uv_handle_t *handle, size_t wanted, uv_buf_t *memory)
{
	struct scene *scene = handle->data;

	(void)wanted;
	*memory =
	    uv_buf_init(scene->heard + scene->heard_length, (unsigned)(sizeof(scene->heard) - 1 - scene->heard_length));
}

static void on_heard(uv_stream_t *stream, ssize_t count, const uv_buf_t *memory)
{
	struct scene *scene = stream->data;

	(void)memory;
	if (count < 0) {
		close_handle(&scene->connection);
		return;
	}
	scene->heard_length += (size_t)count;
	if (!scene->said && strstr(scene->heard, "\r\n\r\n") != NULL) {
		scene->said = true;
		say(scene);
	}
}

static void on_connection(uv_stream_t *listener, int status)
{
	struct scene *scene = listener->data;

	assert_int_equal(status, 0);
	assert_int_equal(uv_tcp_init(&scene->loop, &scene->connection), 0);
	scene->connection.data = scene;
	assert_int_equal(uv_accept(listener, (uv_stream_t *)&scene->connection), 0);
	assert_int_equal(uv_read_start((uv_stream_t *)&scene->connection, on_memory, on_heard), 0);
	close_handle(&scene->listener);
}

static void open_scene(struct scene *scene, const char *says, size_t length, bool hangs_up)
{
	struct sockaddr_in address;
	int size = sizeof(address);
	char url[64];

	memset(scene, 0, sizeof(*scene));
	scene->says = says;
	scene->says_length = length;
	scene->hangs_up = hangs_up;
	assert_int_equal(uv_loop_init(&scene->loop), 0);
	assert_int_equal(uv_tcp_init(&scene->loop, &scene->listener), 0);
	scene->listener.data = scene;
	assert_int_equal(uv_ip4_addr("127.0.0.1", 0, &address), 0);
	assert_int_equal(uv_tcp_bind(&scene->listener, (struct sockaddr *)&address, 0), 0);
	assert_int_equal(uv_listen((uv_stream_t *)&scene->listener, 1, on_connection), 0);
	assert_int_equal(uv_tcp_getsockname(&scene->listener, (struct sockaddr *)&address, &size), 0);
	snprintf(url, sizeof(url), "http://127.0.0.1:%u", ntohs(address.sin_port));
	assert_int_equal(mrl_client_new(&scene->client, &scene->loop, url, NULL), MRL_OK);
	assert_true(mrl_client_is_local(scene->client));
}

/* Runs until nothing is on the loop any more. */
static void close_scene(struct scene *scene)
{
	assert_int_equal(uv_run(&scene->loop, UV_RUN_DEFAULT), 0);
	assert_int_equal(mrl_client_busy(scene->client), 0);
	mrl_client_free(scene->client);
	assert_int_equal(uv_loop_close(&scene->loop), 0);
}

/* ---- Sockets ------------------------------------------------------------------------------------------------ */

static void on_message(void *user, const char *text, size_t length)
{
	struct scene *scene = user;

	scene->messages++;
	snprintf(scene->message, sizeof(scene->message), "%.*s", (int)length, text);
	if (strcmp(scene->message, "bye") == 0)
		mrl_client_close(scene->socket, 1000);
	if (strcmp(scene->message, "cut") == 0)
		mrl_client_cut(scene->socket);
}

static void on_closed(void *user, unsigned code, const char *why)
{
	struct scene *scene = user;

	assert_false(scene->closed);
	scene->closed = true;
	scene->code = code;
	snprintf(scene->why, sizeof(scene->why), "%s", why);
}

static void play(struct scene *scene, const char *says, size_t length, bool hangs_up)
{
	static const struct mrl_client_events events = {on_message, on_closed};

	open_scene(scene, says, length, hangs_up);
	scene->socket = mrl_client_open(scene->client, 2, NULL, &events, scene);
	assert_non_null(scene->socket);
	close_scene(scene);
}

#define SWITCH \
	"HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ACCEPT\r\n\r\n"
#define PLAY(scene, says, hangs_up) play(scene, says, sizeof(says) - 1, hangs_up)

static void a_message_behind_the_handshake_is_heard(void **state)
{
	struct scene scene;

	(void)state;
	PLAY(&scene, SWITCH "\x81\x05hello", true);
	assert_int_equal(scene.messages, 1);
	assert_string_equal(scene.message, "hello");
	assert_int_equal(scene.code, 1006);
	assert_non_null(strstr(scene.heard, "Origin: http://127.0.0.1:"));
}

static void a_message_in_pieces_is_one(void **state)
{
	struct scene scene;

	(void)state;
	PLAY(&scene, SWITCH "\x01\x03hel\x89\x00\x80\x02lo", true);
	assert_int_equal(scene.messages, 1);
	assert_string_equal(scene.message, "hello");
}

static void the_code_and_reason_of_the_end_are_told(void **state)
{
	struct scene scene;

	(void)state;
	PLAY(&scene, SWITCH "\x88\x06\x03\xf0slow", false);
	assert_true(scene.closed);
	assert_int_equal(scene.code, 1008);
	assert_string_equal(scene.why, "slow");
}

static void a_socket_may_be_closed_or_cut_while_it_speaks(void **state)
{
	struct scene scene;

	(void)state;
	PLAY(&scene,
	     SWITCH "\x81\x03"
		    "bye\x88\x02\x03\xe8",
	     false);
	assert_true(scene.closed);
	assert_int_equal(scene.code, 1000);
	PLAY(&scene,
	     SWITCH "\x81\x03"
		    "cut\x81\x05hello",
	     false);
	assert_int_equal(scene.messages, 1);
	assert_false(scene.closed);
}

static void what_is_no_handshake_gives_no_socket(void **state)
{
	struct scene scene;

	(void)state;
	PLAY(&scene, "HTTP/1.1 101 Switching\r\nSec-WebSocket-Accept: dGhlIHdyb25nIG9uZQ==\r\n\r\n\x81\x05hello",
	     false);
	assert_int_equal(scene.code, 0);
	assert_int_equal(scene.messages, 0);
	PLAY(&scene, "HTTP/1.1 429 Too Many\r\nContent-Length: 0\r\n\r\n", false);
	assert_int_equal(scene.code, 0);
	assert_string_equal(scene.why, "HTTP status 429");
	PLAY(&scene, "SSH-2.0-nothing\r\n\r\n", false);
	assert_int_equal(scene.code, 0);
	PLAY(&scene, "", true);
	assert_int_equal(scene.code, 0);
}

static void frames_that_are_none_end_the_socket(void **state)
{
	struct scene scene;

	(void)state;
	/* Reserved bits; the beginning of a frame of 2^62 bytes; a binary frame; text that is no UTF-8. */
	PLAY(&scene, SWITCH "\xf1\x01x", false);
	assert_true(scene.closed);
	PLAY(&scene, SWITCH "\x81\x7f\x40\0\0\0\0\0\0\0x", false);
	assert_true(scene.closed);
	PLAY(&scene, SWITCH "\x82\x01x", false);
	assert_true(scene.closed);
	PLAY(&scene, SWITCH "\x81\x02\xc0\x80", false);
	assert_true(scene.closed);
	assert_int_equal(scene.messages, 0);
}

/* ---- Requests ----------------------------------------------------------------------------------------------- */

static void on_answer(void *user, const struct mrl_client_answer *answer)
{
	struct scene *scene = user;

	assert_false(scene->closed);
	scene->closed = true;
	scene->status = answer->status;
	snprintf(scene->body, sizeof(scene->body), "%s", answer->body);
	snprintf(scene->cookie, sizeof(scene->cookie), "%s", answer->cookie);
}

static void ask(struct scene *scene, const char *says, bool hangs_up, const struct mrl_client_identity *identity,
		const char *body)
{
	open_scene(scene, says, strlen(says), hangs_up);
	assert_true(mrl_client_ask(scene->client, 0, identity, "/api/v1/me", body, on_answer, scene));
	close_scene(scene);
	assert_true(scene->closed);
}

static void an_answer_is_told_whole(void **state)
{
	struct scene scene;

	(void)state;
	ask(&scene, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nSet-Cookie: merels=abc; Path=/\r\n\r\n{}", false, NULL,
	    NULL);
	assert_int_equal(scene.status, 200);
	assert_string_equal(scene.body, "{}");
	assert_string_equal(scene.cookie, "abc");
	ask(&scene, "HTTP/1.0 200 OK\r\n\r\nuntil the end", true, NULL, "{\"a\":1}");
	assert_string_equal(scene.body, "until the end");
	assert_non_null(strstr(scene.heard, "POST /api/v1/me HTTP/1.1\r\n"));
	assert_non_null(strstr(scene.heard, "Content-Length: 7\r\n"));
}

static void a_token_counts_alone(void **state)
{
	const struct mrl_client_identity both = {.cookie = "cookie", .token = "token"};
	const struct mrl_client_identity cookie = {.cookie = "cookie"};
	struct scene scene;

	(void)state;
	ask(&scene, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", false, &both, NULL);
	assert_non_null(strstr(scene.heard, "Authorization: Bearer token\r\n"));
	assert_null(strstr(scene.heard, "Cookie:"));
	ask(&scene, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", false, &cookie, NULL);
	assert_non_null(strstr(scene.heard, "Cookie: merels=cookie\r\n"));
	assert_non_null(strstr(scene.heard, "Origin: http://"));
}

static void no_answer_is_told_as_none(void **state)
{
	struct scene scene;

	(void)state;
	ask(&scene, "", true, NULL, NULL);
	assert_int_equal(scene.status, 0);
	ask(&scene, "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nhalf", true, NULL, NULL);
	assert_int_equal(scene.status, 0);
	ask(&scene, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", false, NULL, NULL);
	assert_int_equal(scene.status, 0);
}

static void what_is_no_url_is_refused(void **state)
{
	static const char *const bad[] = {"",
					  "127.0.0.1:8080",
					  "https://127.0.0.1",
					  "http://",
					  "http://:80",
					  "http://127.0.0.1:",
					  "http://127.0.0.1:123456",
					  "http://127.0.0.1:80x",
					  "http://127.0.0.1/path",
					  "http://[::1"};
	struct mrl_client *client = NULL;
	struct mrl_error error;
	uv_loop_t loop;

	(void)state;
	assert_int_equal(uv_loop_init(&loop), 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(mrl_client_new(&client, &loop, bad[i], &error), MRL_SYNTAX);
	assert_int_equal(mrl_client_new(&client, &loop, "http://[::1]:80/", &error), MRL_OK);
	assert_false(mrl_client_is_local(client));
	mrl_client_free(client);
	assert_int_equal(uv_loop_close(&loop), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_message_behind_the_handshake_is_heard),
	    cmocka_unit_test(a_message_in_pieces_is_one),
	    cmocka_unit_test(the_code_and_reason_of_the_end_are_told),
	    cmocka_unit_test(a_socket_may_be_closed_or_cut_while_it_speaks),
	    cmocka_unit_test(what_is_no_handshake_gives_no_socket),
	    cmocka_unit_test(frames_that_are_none_end_the_socket),
	    cmocka_unit_test(an_answer_is_told_whole),
	    cmocka_unit_test(a_token_counts_alone),
	    cmocka_unit_test(no_answer_is_told_as_none),
	    cmocka_unit_test(what_is_no_url_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
