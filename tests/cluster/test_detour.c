/* Detours pass on what they are given, let it hang, and break; or what is found with them would be worth nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "detour.h"

enum { LONG_MS = 60000, SHORT_MS = 300 };

struct scene {
	struct detours *detours;
	struct detour *detour;
	unsigned port;
	int listener;
};

static int listen_somewhere(unsigned *port)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t length = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	assert_int_equal(bind(fd, (struct sockaddr *)&address, length), 0);
	assert_int_equal(listen(fd, 8), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &length), 0);
	*port = ntohs(address.sin_port);
	return fd;
}

static int connect_to(unsigned port)
{
	struct sockaddr_in address = {
	    .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	return fd;
}

static int make(void **state)
{
	static struct scene scene;
	unsigned to = 0;
	char place[32];

	scene.listener = listen_somewhere(&to);
	scene.detours = detours_new();
	(void)snprintf(place, sizeof(place), "127.0.0.1:%u", to);
	scene.detour = detour_add(scene.detours, "127.0.0.1:0", place);
	scene.port = detour_port(scene.detour);
	detours_run(scene.detours);
	*state = &scene;
	return 0;
}

static int unmake(void **state)
{
	struct scene *scene = *state;

	detours_free(scene->detours);
	close(scene->listener);
	return 0;
}

static bool is_ready(int fd, int ms)
{
	struct pollfd wait = {.fd = fd, .events = POLLIN};

	return poll(&wait, 1, ms) == 1;
}

static void say(int fd, const char *text)
{
	assert_int_equal(send(fd, text, strlen(text), MSG_NOSIGNAL), strlen(text));
}

static void hear(int fd, const char *text)
{
	char got[64] = "";
	size_t length = 0;

	while (length < strlen(text)) {
		assert_true(is_ready(fd, LONG_MS));

		ssize_t count = recv(fd, got + length, strlen(text) - length, 0);

		assert_true(count > 0);
		length += (size_t)count;
	}
	assert_string_equal(got, text);
}

static int accept_one(const struct scene *scene)
{
	assert_true(is_ready(scene->listener, LONG_MS));
	return accept(scene->listener, NULL, NULL);
}

static void what_is_said_arrives_both_ways(void **state)
{
	struct scene *scene = *state;
	int here = connect_to(scene->port);
	int there = accept_one(scene);

	say(here, "there");
	hear(there, "there");
	say(there, "back");
	hear(here, "back");
	close(there);
	assert_true(is_ready(here, LONG_MS));
	assert_int_equal(recv(here, (char[1]){0}, 1, 0), 0);
	close(here);
}

static void what_hangs_flows_on_later(void **state)
{
	struct scene *scene = *state;
	int here = connect_to(scene->port);
	int there = accept_one(scene);

	say(here, "before");
	hear(there, "before");
	detour_put(scene->detour, DETOUR_HANGS);
	/* One that comes now is taken by the system, and reaches nobody. The word that it hangs may be a moment late.
	 */
	usleep(SHORT_MS * 1000);
	int other = connect_to(scene->port);

	say(here, "meanwhile");
	assert_false(is_ready(there, SHORT_MS));
	assert_false(is_ready(scene->listener, SHORT_MS));
	detour_put(scene->detour, DETOUR_OPEN);
	hear(there, "meanwhile");
	close(accept_one(scene));
	close(other);
	close(here);
	close(there);
}

static void what_is_cut_is_broken_and_new_ones_too(void **state)
{
	struct scene *scene = *state;
	int here = connect_to(scene->port);
	int there = accept_one(scene);

	detour_put(scene->detour, DETOUR_CUT);
	assert_true(is_ready(here, LONG_MS));
	assert_true(recv(here, (char[1]){0}, 1, 0) <= 0);
	assert_true(is_ready(there, LONG_MS));
	assert_true(recv(there, (char[1]){0}, 1, 0) <= 0);
	close(here);
	close(there);
	here = connect_to(scene->port);
	assert_true(is_ready(here, LONG_MS));
	assert_true(recv(here, (char[1]){0}, 1, 0) <= 0);
	close(here);
	detour_put(scene->detour, DETOUR_OPEN);
	/* It may take a moment until it is open. */
	for (there = -1; there < 0;) {
		here = connect_to(scene->port);
		if (is_ready(scene->listener, SHORT_MS))
			there = accept_one(scene);
		else
			close(here);
	}
	say(here, "again");
	hear(there, "again");
	close(here);
	close(there);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(what_is_said_arrives_both_ways, make, unmake),
	    cmocka_unit_test_setup_teardown(what_hangs_flows_on_later, make, unmake),
	    cmocka_unit_test_setup_teardown(what_is_cut_is_broken_and_new_ones_too, make, unmake),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
