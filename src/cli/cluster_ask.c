/* One question over HTTP, with its answer waited for. */
#include <stdio.h>
#include <string.h>

#include <os/clock.h>
#include <os/socket.h>

#include "cluster_internal.h"

int cluster_ask(unsigned port, const char *path, char *body, size_t size)
{
	const uint64_t patience = UINT64_C(2000000000);
	char question[256];
	char answer[4096];
	int status = 0;

	if (body != NULL && size > 0)
		body[0] = '\0';
	(void)snprintf(question, sizeof(question), "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nConnection: close\r\n\r\n",
		       path, port);
	if (!mrl_socket_ask(port, question, answer, sizeof(answer), mrl_clock_now() + patience) ||
	    sscanf(answer, "HTTP/1.%*c %d", &status) != 1)
		return 0;

	const char *end = strstr(answer, "\r\n\r\n");

	if (body != NULL && size > 0 && end != NULL)
		(void)snprintf(body, size, "%.*s", (int)strcspn(end + 4, "\r\n"), end + 4);
	return status;
}
