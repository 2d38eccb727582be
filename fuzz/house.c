/*
 * The whole of online play as a sequence: several people with several games, in requests, messages and time, with
 * sockets that close, do not read or go silent, and a server that is killed. See server/scene.h for what `$G` and the
 * like stand for. What must hold is checked all the way (server/visitor.h), and in the end every game is what its
 * events in the store tell.
 *
 * The first line is the settings of the game of 0 and 1. Then, a line each:
 *
 *     0GET /path   0POST /path {}      a request of visitor 0
 *     0{"t":"ping"}                    a message
 *     0open 0close 0slow 0read 0mute   the socket: its reader takes nothing, everything again; answers no pings
 *     0bot                             from now on the visitor is the bot of whose token somebody was told last
 *     +500                             milliseconds pass
 *     !                                the server is killed, and starts again
 *     &0…                              the same as without &, but the next line does not wait for what comes of it
 */
#include "server/host.h"
#include "server/scene.h"

enum { MOST_RESTARTS = 3 };

static unsigned restarts;

static void socket_step(struct visitor *visitor, const char *word)
{
	struct lws *wsi = visitor->owner.wsi;

	if (strcmp(word, "open") == 0)
		visitor_open(visitor);
	else if (strcmp(word, "close") == 0)
		visitor_close(visitor);
	else if (strcmp(word, "bot") == 0)
		visitor_is_bot(visitor);
	else if (wsi == NULL)
		return;
	else if (strcmp(word, "slow") == 0 || strcmp(word, "read") == 0)
		wire_choke(wsi, word[0] == 's');
	else if (strcmp(word, "mute") == 0)
		wire_mute(wsi, true);
}

static void restart(void)
{
	if (restarts++ >= MOST_RESTARTS)
		return;
	host_settle();
	host_compare();
	host_restart();
	for (size_t i = 0; i < VISITORS; i++)
		MUST(visitors[i].owner.wsi == NULL);
}

static void step(char *text, size_t length)
{
	struct visitor *visitor = &visitors[(unsigned char)text[0] % 16 % VISITORS];

	if (text[0] == '+') {
		host_pass(strtoull(text + 1, NULL, 10) % (UINT64_C(20) * 24 * 3600 * 1000));
	} else if (text[0] == '!') {
		restart();
	} else if (length > 1 && text[1] == '{') {
		visitor_say(visitor, text + 1, length - 1, false, false);
	} else if (length > 1 && text[1] >= 'A' && text[1] <= 'Z') {
		scene_request(visitor, text + 1, length - 1);
	} else if (length > 1) {
		socket_step(visitor, text + 1);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char text[SCENE_LINE_SIZE];
	struct fuzz_text rest = {(const char *)data, size};
	struct fuzz_text settings = fuzz_line(&rest);

	(void)scene_expand(settings, text);
	scene_begin(text);
	restarts = 0;
	for (int lines = 0; rest.length > 0 && lines < SCENE_LINES; lines++) {
		struct fuzz_text line = fuzz_line(&rest);
		bool waits = line.length == 0 || line.data[0] != '&';

		if (!waits) {
			line.data++;
			line.length--;
		}
		size_t length = scene_expand(line, text);

		if (length > 0)
			step(text, length);
		if (waits) {
			host_settle();
			host_pass(10);
		}
	}
	scene_end();
	return 0;
}
