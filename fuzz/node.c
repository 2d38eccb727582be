/*
 * What nodes say to one another, as anybody may send it who reaches the club's NATS: the server takes it for what it
 * is, or leaves it alone. No line may break it, what it sends is of its own protocol, and the games that are its own
 * are in the end what the store has. See server/scene.h for what `$G` and the like stand for.
 *
 * A line each, behind a letter:
 *
 *     c{"t":"order"}   a request to this node
 *     a{"ok":true}     what its next request is answered with, instead of with nothing
 *     g{"t":"events"}  about the game $C, which another node has after a line `r`
 *     p l n            about people, the lobby, nodes; `f`: another node has the lobby
 *     0{"t":"ping"}    a message of visitor 0
 *     +500             milliseconds pass
 */
#include "server/host.h"
#include "server/scene.h"

#include "nodes_inside.h"
#include "room.h"
#include "server_internal.h"

enum { OTHER = 7 };

static struct mrl_bus_hub *hub;
static struct mrl_bus *other; /* the rest of the club */
static char answer[SCENE_LINE_SIZE];
static char asked_of_us[MRL__SUBJECT_SIZE]; /* where requests of line `c` go */

static uint64_t bus_time(void *context)
{
	(void)context;
	return mrl__now_ms() * 1000000;
}

/* Everything that is on the bus, our own words too. */
static void on_message(void *user, const struct mrl_bus_message *message)
{
	(void)user;
	if (message->reply[0] == '\0' || strstr(message->subject, ".node.") == NULL || answer[0] == '\0' ||
	    strcmp(message->subject, asked_of_us) == 0)
		return;
	(void)mrl_bus_publish(other, message->reply, answer, strlen(answer), NULL);
	answer[0] = '\0';
}

/* What the server answers is of its own protocol. */
static void on_answer(void *user, enum mrl_status status, const struct mrl_bus_message *message)
{
	(void)user;
	if (status != MRL_OK)
		return;
	json_t *said = json_loadb(message->data, message->length, JSON_REJECT_DUPLICATES, NULL);

	MUST(json_is_string(json_object_get(said, "t")) && json_is_integer(json_object_get(said, "v")));
	json_decref(said);
}

static void run(struct mrl__server *server)
{
	for (unsigned i = 0; i < 3; i++) {
		mrl__nodes_tick(server);
		host_settle();
		(void)mrl_bus_poll(other);
		mrl__nodes_poll(server);
		host_settle();
	}
}

static struct mrl__room *game_of(struct mrl__server *server)
{
	static char text[SCENE_LINE_SIZE];
	uint64_t id = 0;

	(void)scene_expand((struct fuzz_text){"$C", 2}, text);
	return mrl_id_read(text, strlen(text), &id) ? mrl__rooms_find(server, id) : NULL;
}

static void publish(struct mrl__server *server, const char *kind, uint64_t id, const char *end, const char *text)
{
	char subject[MRL__SUBJECT_SIZE];

	if (end != NULL)
		mrl__nodes_subject(server->nodes, subject, kind, id, end);
	else
		(void)snprintf(subject, sizeof(subject), "%s%s", server->nodes->prefix, kind);
	if (strcmp(kind, "node") == 0)
		MUST(mrl_bus_request(other, subject, text, strlen(text), 1000, on_answer, NULL, NULL, NULL) == MRL_OK);
	else
		(void)mrl_bus_publish(other, subject, text, strlen(text), NULL);
}

static void step(struct mrl__server *server, char *text, size_t length)
{
	struct mrl__room *room = game_of(server);

	switch (text[0]) {
	case 'c':
		publish(server, "node", server->nodes->id, "cmd", text + 1);
		break;
	case 'g':
		publish(server, "games.evt", 0, NULL, text + 1);
		break;
	case 'p':
		publish(server, "people.evt", 0, NULL, text + 1);
		break;
	case 'l':
		publish(server, "lobby.evt", 0, NULL, text + 1);
		break;
	case 'n':
		publish(server, "nodes.evt", 0, NULL, text + 1);
		break;
	case 'a':
		memcpy(answer, text + 1, length);
		break;
	case 'f':
		server->nodes->lobby = OTHER;
		break;
	case 'r':
		if (room != NULL && room->state == MRL__ROOM_READY && room->commit == NULL)
			mrl__nodes_become_replica(room, OTHER);
		break;
	case '+':
		host_pass(strtoull(text + 1, NULL, 10) % 60000);
		break;
	default:
		visitor_say(&visitors[(unsigned char)text[0] % 16 % VISITORS], text + 1, length - 1, false, false);
	}
}

/* The server is one that is alone again, and has no game that another node may have changed. */
static void part(struct mrl__server *server)
{
	run(server);
	for (size_t i = 0; i < server->rooms.bucket_count; i++) {
		for (struct mrl__room *room = server->rooms.buckets[i], *next = NULL; room != NULL; room = next) {
			next = room->next;
			if (room->state != MRL__ROOM_READY || !room->owned) {
				mrl__rooms_give_up(room, "unavailable", "The game is gone.");
				continue;
			}
			mrl__nodes_forget(room);
			room->busy = false;
			room->find_at = room->request = 0;
		}
	}
	host_settle();
	mrl__nodes_close(server);
	mrl_bus_close(other);
	mrl_bus_hub_free(hub);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char text[SCENE_LINE_SIZE];
	struct fuzz_text rest = {(const char *)data, size};
	uint64_t id = 0;

	scene_begin(NULL);
	visitors_believe = true;
	struct mrl__server *server = host_server();

	hub = mrl_bus_hub_new();
	answer[0] = '\0';
	MUST(hub != NULL);
	const struct mrl_bus_settings settings = {.hub = hub, .now = bus_time};

	MUST(mrl_bus_open(&other, &settings, NULL) == MRL_OK);
	MUST(mrl__nodes_open_on(server, "fuzz", &settings, NULL) == MRL_OK);
	mrl__nodes_subject(server->nodes, asked_of_us, "node", server->nodes->id, "cmd");
	MUST(mrl_bus_subscribe(other, "merels.>", NULL, on_message, NULL, &id, NULL) == MRL_OK);
	run(server);
	for (int lines = 0; rest.length > 0 && lines < SCENE_LINES; lines++) {
		size_t length = scene_expand(fuzz_line(&rest), text);

		if (length == 0)
			continue;
		step(server, text, length);
		run(server);
		host_pass(10);
	}
	part(server);
	scene_end();
	visitors_believe = false;
	return 0;
}
