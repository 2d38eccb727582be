/*
 * Requests to the interface, path, query and body, as the server reads and answers them, with a store and games behind
 * it, without a network: see server/scene.h for what `$G` and the like stand for.
 *
 * Each line is a request, behind a digit that says who asks: `0GET /api/v1/games/$G` or
 * `1POST /api/v1/games/$P/join {"link":"$L"}`. Each must be answered once, by a status and a code that docs/PROTOCOL.md
 * has, never by 5xx.
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
		unsigned who = (unsigned char)*line.data++ % 16 % VISITORS;

		line.length--;
		size_t length = scene_expand(line, text);

		scene_request(&visitors[who], text, length);
	}
	scene_end();
	return 0;
}
