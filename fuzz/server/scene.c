#include "scene.h"

#include <stdio.h>
#include <string.h>

#include "host.h"

static struct {
	char game[ID_SIZE];
	char secret[2][SECRET_SIZE];
	char waiting[ID_SIZE];
	char link[SECRET_SIZE];
	char computer[ID_SIZE];
	char name[16];
	unsigned accounts;
} scene;

static void post(size_t who, const char *path, const char *body, unsigned status)
{
	unsigned got = visitor_ask(&visitors[who], "POST", path, body, strlen(body));

	if (got != status) {
		fprintf(stderr, "POST %s %s: %u\n", path, body, got);
		abort();
	}
}

static void make_game(const char *settings)
{
	static const char usual[] =
	    "{\"first\":\"me\",\"private\":false,\"tempo\":{\"base\":60000,\"increment\":1000}}";
	char path[64];
	char body[128];

	if (settings == NULL || visitor_ask(&visitors[0], "POST", "/api/v1/games", settings, strlen(settings)) != 201 ||
	    told.link[0] == '\0')
		post(0, "/api/v1/games", usual, 201);
	memcpy(scene.game, told.game, sizeof(scene.game));
	memcpy(scene.secret[0], told.secret, SECRET_SIZE);
	(void)snprintf(path, sizeof(path), "/api/v1/games/%s/join", told.game);
	(void)snprintf(body, sizeof(body), "{\"link\":\"%s\"}", told.link);
	post(1, path, body, 200);
	memcpy(scene.secret[1], told.secret, SECRET_SIZE);
}

void scene_begin(const char *settings)
{
	char body[128];

	(void)host_begin();
	visitors_begin();
	for (size_t i = 0; i < VISITORS - 1; i++)
		MUST(visitor_ask(&visitors[i], "GET", "/api/v1/me", NULL, 0) == 200);
	(void)snprintf(scene.name, sizeof(scene.name), "Anna%u", ++scene.accounts % 1000000);
	(void)snprintf(body, sizeof(body), "{\"name\":\"%s\",\"password\":\"secret word\"}", scene.name);
	post(2, "/api/v1/register", body, 201);
	post(0, "/api/v1/games", "{\"against\":{\"level\":3},\"first\":\"me\"}", 201);
	memcpy(scene.computer, told.game, sizeof(scene.computer));
	post(0, "/api/v1/games", "{}", 201);
	memcpy(scene.waiting, told.game, sizeof(scene.waiting));
	memcpy(scene.link, told.link, sizeof(scene.link));
	make_game(settings);
	for (size_t i = 0; i < VISITORS; i++)
		visitor_open(&visitors[i]);
	host_settle();
	for (size_t i = 0; i < 3; i++) {
		(void)snprintf(body, sizeof(body), "{\"t\":\"watch\",\"game\":\"%s\"}", scene.game);
		visitor_say(&visitors[i], body, strlen(body), false, false);
	}
	host_settle();
}

void scene_end(void)
{
	host_settle();
	host_compare();
	visitors_leave();
	host_settle();
	/* Longer than anything waits for anybody. */
	for (int i = 0; i < 2; i++)
		host_pass(UINT64_C(30) * 24 * 3600 * 1000);
	host_compare();
}

size_t scene_expand(struct fuzz_text line, char out[SCENE_LINE_SIZE])
{
	size_t length = 0;

	for (size_t i = 0; i < line.length && length < SCENE_LINE_SIZE - SECRET_SIZE - 1; i++) {
		const char *word = NULL;

		if (line.data[i] == '$' && i + 1 < line.length) {
			switch (line.data[i + 1]) {
			case 'G':
				word = scene.game;
				break;
			case 'S':
				word = scene.secret[0];
				break;
			case 'T':
				word = scene.secret[1];
				break;
			case 'C':
				word = scene.computer;
				break;
			case 'P':
				word = scene.waiting;
				break;
			case 'L':
				word = scene.link;
				break;
			case 'A':
				word = scene.name;
				break;
			case 'N':
				word = told.game;
				break;
			case 'M':
				word = told.link;
				break;
			case 'O':
				word = told.offer;
				break;
			case 'I':
				word = told.person;
				break;
			case 'X':
				word = "00000000001";
				break;
			default:
				break;
			}
		}
		if (word == NULL) {
			out[length++] = line.data[i];
			continue;
		}
		memcpy(out + length, word, strlen(word));
		length += strlen(word);
		i++;
	}
	out[length] = '\0';
	return length;
}

void scene_request(struct visitor *visitor, char *line, size_t length)
{
	static const char *const methods[] = {"GET", "HEAD", "POST", "PUT"};
	char *space = memchr(line, ' ', length);

	if (space == NULL || space[1] != '/')
		return;
	*space = '\0';
	char *target = space + 1;
	char *body = memchr(target, ' ', length - (size_t)(target - line));
	size_t body_length = 0;

	if (body != NULL) {
		*body++ = '\0';
		body_length = length - (size_t)(body - line);
	}
	/* Bytes that end a text never come through libwebsockets. */
	if (strlen(target) + 1 != (size_t)((body != NULL ? body : line + length + 1) - target))
		return;
	for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
		if (strcmp(line, methods[i]) == 0)
			(void)visitor_ask(visitor, methods[i], target, i >= 2 && body == NULL ? "" : body, body_length);
}
