/*
 * Messages of sockets, as the server reads and answers them, with a store and games behind it, without a network: see
 * server/scene.h for what `$G` and the like stand for.
 *
 * Each line is a message, behind a letter that says who sends it: 0 to 4, or a to e in two frames, A to E as bytes.
 * Whatever comes, each answer is one that docs/PROTOCOL.md tells of, and in the end the games are what the store has.
 */
#include "server/host.h"
#include "server/scene.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char text[SCENE_LINE_SIZE];
	struct fuzz_text rest = {(const char *)data, size};

	scene_begin(NULL);
	for (int lines = 0; rest.length > 0 && lines < SCENE_LINES; lines++) {
		struct fuzz_text line = fuzz_line(&rest);

		if (line.length == 0)
			continue;
		char kind = *line.data++;

		line.length--;
		size_t length = scene_expand(line, text);

		visitor_say(&visitors[(unsigned char)kind % 16 % VISITORS], text, length, kind >= 'a',
			    kind >= 'A' && kind < 'a');
		host_settle();
		host_pass(10);
	}
	scene_end();
	return 0;
}
