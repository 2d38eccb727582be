#include "network.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { COMMAND_SIZE = 256 };

static bool run(const char *format, ...) __attribute__((format(printf, 1, 2)));

static bool run(const char *format, ...)
{
	char command[COMMAND_SIZE];
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(command, sizeof(command), format, arguments);
	va_end(arguments);
	return system(command) == 0;
}

void network_address(unsigned node, enum network_cable cable, bool at_node, char text[NETWORK_ADDRESS_SIZE])
{
	(void)snprintf(text, NETWORK_ADDRESS_SIZE, "10.213.%u.%u", node * NETWORK_CABLES + (unsigned)cable,
		       at_node ? 2U : 1U);
}

static bool lay_cable(unsigned node, enum network_cable cable)
{
	char here[NETWORK_ADDRESS_SIZE];
	char there[NETWORK_ADDRESS_SIZE];
	unsigned n = node + 1;
	unsigned c = (unsigned)cable;

	network_address(node, cable, false, here);
	network_address(node, cable, true, there);
	return run("ip link add merels%u-%u type veth peer name cable%u netns merels%u", n, c, c, n) &&
	       run("ip address add %s/30 dev merels%u-%u", here, n, c) && run("ip link set merels%u-%u up", n, c) &&
	       run("ip -n merels%u address add %s/30 dev cable%u", n, there, c) &&
	       run("ip -n merels%u link set cable%u up", n, c);
}

bool network_make(unsigned nodes)
{
	for (unsigned i = 0; i < nodes; i++) {
		bool good = run("ip netns add merels%u", i + 1) && run("ip -n merels%u link set lo up", i + 1);

		for (unsigned c = 0; good && c < NETWORK_CABLES; c++)
			good = lay_cable(i, (enum network_cable)c);
		if (!good) {
			printf("no networks of their own for the nodes: that takes root and iproute2\n");
			network_end(i + 1);
			return false;
		}
	}
	return true;
}

void network_end(unsigned nodes)
{
	/* The cables go with the namespaces. */
	for (unsigned i = 0; i < nodes; i++)
		(void)run("ip netns del merels%u", i + 1);
}

void network_pull(unsigned node, enum network_cable cable, bool out)
{
	if (!run("ip link set merels%u-%u %s", node + 1, (unsigned)cable, out ? "down" : "up"))
		printf("a cable of n%u could not be pulled\n", node + 1);
}

bool network_wrap(const char *program, const char *folder, char *path, size_t size)
{
	(void)snprintf(path, size, "%s/merels", folder);

	FILE *file = fopen(path, "w");

	if (file == NULL) {
		printf("%s cannot be written\n", path);
		return false;
	}
	(void)fprintf(file,
		      "#!/bin/sh\n"
		      "last=\n"
		      "for word; do\n"
		      "	[ \"$last\" != --node ] || node=${word#n}\n"
		      "	last=$word\n"
		      "done\n"
		      "last=\n"
		      "for word; do\n"
		      "	shift\n"
		      "	[ \"$last\" != --listen ] || word=10.213.$(((node - 1) * %d)).2:${word#*:}\n"
		      "	set -- \"$@\" \"$word\"\n"
		      "	last=$word\n"
		      "done\n"
		      "exec ip netns exec \"merels$node\" '%s' \"$@\"\n",
		      NETWORK_CABLES, program);
	return fclose(file) == 0 && chmod(path, 0755) == 0;
}
