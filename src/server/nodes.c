#include "nodes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_in.h"
#include "nodes_inside.h"
#include "peer.h"
#include "room.h"
#include "server_internal.h"

enum {
	BEAT_MS = 1000,
	LEASE_MS = 4000,      /* the store's, of which it is told nothing */
	ADOPT_MS = 2000,      /* games that were given back and nobody took */
	ADOPT_NEW_MS = 60000, /* games that never had an owner: of a club whose server was alone */
	ADOPT_MOST = 200,
	BUSY_MS = 20,
	PACE_MS = 4, /* between what is sent over the bus in a busy time */
	LOOK_MS = 1000,
	SHOW_MS = 4000,   /* a node says which of its games may be watched, */
	SHOWN_MS = 10000, /* which are shown for so long, */
	MOST_SHOWN = 20,  /* and how many of them */
	SKEW_MS = 5000,   /* that clocks may differ by */
	ODD_MS = 10000,   /* between two words about odd messages */
	PROTOCOL = 1      /* of the messages: other numbers are not understood */
};

static struct mrl__server *server_of(void *user)
{
	return user;
}

const char *mrl__nodes_name(struct mrl__server *server)
{
	static const char other[] = "node";
	size_t size = sizeof(server->node_name);

	if (server->settings->bus[0] == '\0')
		return NULL;
	if (server->settings->node[0] != '\0')
		(void)snprintf(server->node_name, sizeof(server->node_name), "%.255s", server->settings->node);
	else if (uv_os_gethostname(server->node_name, &size) != 0)
		(void)snprintf(server->node_name, sizeof(server->node_name), "%s", other);
	server->node_name[MRL_SERVER_NODE_MOST] = '\0';
	return server->node_name;
}

/* ---- Messages ---------------------------------------------------------------------------------------------------- */

void mrl__nodes_subject(const struct mrl__nodes *nodes, char subject[MRL__SUBJECT_SIZE], const char *kind, uint64_t id,
			const char *end)
{
	char text[MRL_ID_TEXT_SIZE];

	mrl_id_write(id, text);
	(void)snprintf(subject, MRL__SUBJECT_SIZE, "%s%s.%s.%s", nodes->prefix, kind, text, end);
}

struct mrl__json *mrl__nodes_write(struct mrl__nodes *nodes, const char *kind)
{
	uint64_t now = mrl__service_time(nodes->server);

	mrl__json_reset(&nodes->json);
	mrl__json_open(&nodes->json, NULL);
	mrl__json_text(&nodes->json, "t", kind);
	mrl__json_number(&nodes->json, "v", PROTOCOL);
	mrl__json_number(&nodes->json, "node", nodes->id);
	mrl__json_number(&nodes->json, "now", now);
	mrl__json_number(&nodes->json, "naps", nodes->naps);
	return &nodes->json;
}

void mrl__nodes_publish(struct mrl__nodes *nodes, const char *subject)
{
	mrl__json_close(&nodes->json);
	/* What is lost is healed: nothing is to be done about it here. */
	if (!nodes->json.failed)
		(void)mrl_bus_publish(nodes->bus, subject, nodes->json.data, nodes->json.length, NULL);
}

void mrl__nodes_reply(struct mrl__nodes *nodes, const char *reply)
{
	if (reply[0] != '\0')
		mrl__nodes_publish(nodes, reply);
}

/* A node of another version says so all the time: that is told now and then. */
static void tell_odd(struct mrl__server *server, const char *subject)
{
	struct mrl__nodes *nodes = server->nodes;
	uint64_t now = mrl__now_ms();

	nodes->odd++;
	if (now < nodes->odd_from)
		return;
	mrl_log(&server->log, MRL_LOG_WARNING,
		"%llu messages of another version, or none of ours, on the bus, the last one at %.60s",
		(unsigned long long)nodes->odd, subject);
	nodes->odd = 0;
	nodes->odd_from = now + ODD_MS;
}

/* The object of a message of our protocol; NULL when it is none. The caller's to json_decref(). */
static json_t *read_message(struct mrl__server *server, const struct mrl_bus_message *message)
{
	json_t *object = mrl__json_read(message->data, message->length);

	if (object == NULL || json_integer_value(json_object_get(object, "v")) != PROTOCOL ||
	    !json_is_string(json_object_get(object, "t"))) {
		tell_odd(server, message->subject);
		json_decref(object);
		return NULL;
	}
	return object;
}

static void on_asked(void *user, const struct mrl_bus_message *message)
{
	struct mrl__server *server = server_of(user);
	json_t *object = server->playing && !server->stopping ? read_message(server, message) : NULL;

	if (object == NULL)
		return;
	const char *kind = json_string_value(json_object_get(object, "t"));

	if (strncmp(kind, "lobby-", 6) == 0)
		mrl__lobby_asked(server, kind, object, message->reply);
	else
		mrl__games_asked(server, kind, object, message->reply);
	json_decref(object);
}

/* ---- People ------------------------------------------------------------------------------------------------------ */

void mrl__nodes_person(struct mrl__server *server, uint64_t person)
{
	struct mrl__nodes *nodes = server->nodes;
	char subject[MRL__SUBJECT_SIZE];

	if (nodes == NULL)
		return;
	struct mrl__json *json = mrl__nodes_write(nodes, "person");
	char id[MRL_ID_TEXT_SIZE];

	mrl_id_write(person, id);
	mrl__json_text(json, "person", id);
	(void)snprintf(subject, sizeof(subject), "%speople.evt", nodes->prefix);
	mrl__nodes_publish(nodes, subject);
}

void mrl__nodes_muted(struct mrl__server *server, uint64_t person, uint64_t muted, bool on)
{
	struct mrl__nodes *nodes = server->nodes;
	char subject[MRL__SUBJECT_SIZE];
	char id[MRL_ID_TEXT_SIZE];

	if (nodes == NULL)
		return;
	struct mrl__json *json = mrl__nodes_write(nodes, "muted");

	mrl_id_write(person, id);
	mrl__json_text(json, "person", id);
	mrl_id_write(muted, id);
	mrl__json_text(json, "muted", id);
	mrl__json_bool(json, "on", on);
	(void)snprintf(subject, sizeof(subject), "%speople.evt", nodes->prefix);
	mrl__nodes_publish(nodes, subject);
}

static uint64_t id_of(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));
	uint64_t id = 0;

	return text != NULL && mrl_id_read(text, strlen(text), &id) ? id : 0;
}

static void on_people(void *user, const struct mrl_bus_message *message)
{
	struct mrl__server *server = server_of(user);
	json_t *object = read_message(server, message);
	const char *kind = json_string_value(json_object_get(object, "t"));
	uint64_t person = id_of(object, "person");
	bool own = (uint64_t)json_integer_value(json_object_get(object, "node")) == server->nodes->id;

	if (object != NULL && !own && person != 0) {
		if (strcmp(kind, "tell") == 0) {
			mrl__nodes_told(server, person, object);
		} else if (strcmp(kind, "muted") == 0) {
			mrl__peers_muted_here(server, person, id_of(object, "muted"),
					      json_is_true(json_object_get(object, "on")));
		} else {
			mrl__people_forget_here(server, person);
			mrl__peers_check_person(server, person);
			mrl__gone_refresh(server);
		}
	}
	json_decref(object);
}

static void on_lobby(void *user, const struct mrl_bus_message *message)
{
	struct mrl__server *server = server_of(user);
	json_t *object = read_message(server, message);

	if (object != NULL)
		mrl__lobby_heard(server, object);
	json_decref(object);
}

/* What another node shows, in the place of what it showed before, or of the oldest. */
static void keep_shows(struct mrl__nodes *nodes, uint64_t node, json_t *games)
{
	struct mrl__shows *place = &nodes->shows[0];

	for (size_t i = 0; i < MRL__NODES_MOST && place->node != node; i++) {
		if (nodes->shows[i].node == node || nodes->shows[i].until < place->until)
			place = &nodes->shows[i];
	}
	json_decref(place->games);
	*place = (struct mrl__shows){
	    .node = node, .until = mrl__now_ms() + SHOWN_MS, .games = json_is_array(games) ? json_incref(games) : NULL};
}

void mrl__nodes_show_soon(struct mrl__server *server)
{
	if (server->nodes != NULL && server->nodes->show_at > server->nodes->show_from)
		server->nodes->show_at = server->nodes->show_from;
}

static void tell_shows(struct mrl__server *server)
{
	struct mrl__nodes *nodes = server->nodes;
	bool shows = server->rooms.running != NULL;
	char subject[MRL__SUBJECT_SIZE];

	if (!shows && !nodes->showed)
		return;
	nodes->showed = shows;
	struct mrl__json *json = mrl__nodes_write(nodes, "shows");

	mrl__json_open_list(json, "games");
	mrl__rooms_write_running(server, json, MOST_SHOWN, true);
	mrl__json_close_list(json);
	(void)snprintf(subject, sizeof(subject), "%snodes.evt", nodes->prefix);
	mrl__nodes_publish(nodes, subject);
}

/* A node has gone in order, or could not hand something over: what was its own is free. */
static void on_nodes(void *user, const struct mrl_bus_message *message)
{
	struct mrl__server *server = server_of(user);
	struct mrl__nodes *nodes = server->nodes;
	json_t *object = read_message(server, message);
	const char *kind = json_string_value(json_object_get(object, "t"));
	uint64_t node = (uint64_t)json_integer_value(json_object_get(object, "node"));
	bool left = object != NULL && strcmp(kind, "left") == 0;

	if (object != NULL && strcmp(kind, "shows") == 0 && node != nodes->id)
		keep_shows(nodes, node, json_object_get(object, "games"));
	for (size_t i = 0; left && i < nodes->seen_count; i++) {
		if (nodes->seen[i].id == node && node != nodes->id)
			nodes->seen[i].alive = false;
	}
	if (left)
		mrl__games_left(server, node);
	if (left || (object != NULL && strcmp(kind, "free") == 0))
		nodes->adopt_at = nodes->lobby_at = 0;
	json_decref(object);
}

static void tell_nodes(struct mrl__nodes *nodes, const char *kind)
{
	char subject[MRL__SUBJECT_SIZE];

	(void)mrl__nodes_write(nodes, kind);
	(void)snprintf(subject, sizeof(subject), "%snodes.evt", nodes->prefix);
	mrl__nodes_publish(nodes, subject);
}

void mrl__nodes_tell_free(struct mrl__nodes *nodes)
{
	tell_nodes(nodes, "free");
}

/* ---- Opening and closing ----------------------------------------------------------------------------------------- */

static void on_news(void *user, enum mrl_bus_news news, const char *sentence)
{
	struct mrl__server *server = server_of(user);

	mrl_log(&server->log, news == MRL_BUS_CONNECTED ? MRL_LOG_INFO : MRL_LOG_WARNING, "%s", sentence);
	/* What was said meanwhile was not heard. */
	if (news == MRL_BUS_CONNECTED && server->nodes != NULL)
		mrl__games_check(server, false);
}

static enum mrl_status listen_to(struct mrl__server *server, const char *subject, mrl_bus_heard *heard,
				 struct mrl_error *error)
{
	uint64_t id;

	return mrl_bus_subscribe(server->nodes->bus, subject, NULL, heard, server, &id, error);
}

enum mrl_status mrl__nodes_open_on(struct mrl__server *server, const char *name,
				   const struct mrl_bus_settings *settings, struct mrl_error *error)
{
	char subject[MRL__SUBJECT_SIZE];
	char club[MRL_ID_TEXT_SIZE];
	struct mrl__nodes *nodes = calloc(1, sizeof(*nodes));

	if (nodes == NULL)
		return MRL_SPACE;
	server->nodes = nodes;
	nodes->server = server;
	nodes->id = mrl_store_node_id(server->store);
	mrl_id_write(mrl_store_club(server->store), club);
	(void)snprintf(nodes->prefix, sizeof(nodes->prefix), "merels.%s.", club);
	(void)snprintf(nodes->name, sizeof(nodes->name), "%.63s", name);
	enum mrl_status status = mrl_bus_open(&nodes->bus, settings, error);

	mrl__nodes_subject(nodes, subject, "node", nodes->id, "cmd");
	if (status == MRL_OK)
		status = listen_to(server, subject, on_asked, error);
	mrl__nodes_subject(nodes, subject, "node", nodes->id, "evt");
	if (status == MRL_OK)
		status = listen_to(server, subject, mrl__replica_event, error);
	(void)snprintf(subject, sizeof(subject), "%sgames.evt", nodes->prefix);
	if (status == MRL_OK)
		status = listen_to(server, subject, mrl__replica_event, error);
	(void)snprintf(subject, sizeof(subject), "%speople.evt", nodes->prefix);
	if (status == MRL_OK)
		status = listen_to(server, subject, on_people, error);
	(void)snprintf(subject, sizeof(subject), "%snodes.evt", nodes->prefix);
	if (status == MRL_OK)
		status = listen_to(server, subject, on_nodes, error);
	(void)snprintf(subject, sizeof(subject), "%slobby.evt", nodes->prefix);
	if (status == MRL_OK)
		status = listen_to(server, subject, on_lobby, error);
	return status;
}

enum mrl_status mrl__nodes_open(struct mrl__server *server, void (*wake)(void *context), struct mrl_error *error)
{
	char shown[MRL_SERVER_TEXT_SIZE];
	char club[MRL_ID_TEXT_SIZE];
	const char *name = mrl__nodes_name(server);
	const struct mrl_server_settings *wanted = server->settings;
	const struct mrl_bus_settings settings = {
	    .place = wanted->bus,
	    .credentials = wanted->bus_credentials[0] != '\0' ? wanted->bus_credentials : NULL,
	    .certificates = wanted->bus_certificates[0] != '\0' ? wanted->bus_certificates : NULL,
	    .name = name,
	    .wake = wake,
	    .watch = mrl__nodes_watch,
	    .pace_ms = PACE_MS,
	    .tell = on_news,
	    .context = server};

	if (name == NULL)
		return MRL_OK;
	enum mrl_status status = mrl__nodes_open_on(server, name, &settings, error);

	if (status != MRL_OK)
		return status;
	mrl_id_write(mrl_store_club(server->store), club);
	mrl_bus_show_place(wanted->bus, shown, sizeof(shown));
	mrl_log(&server->log, MRL_LOG_INFO, "node %s of club %s, on the bus %s", server->nodes->name, club, shown);
	return MRL_OK;
}

bool mrl__nodes_use_workers(struct mrl__server *server)
{
	char club[MRL_ID_TEXT_SIZE];

	if (server->nodes == NULL)
		return true;
	mrl_id_write(mrl_store_club(server->store), club);
	return mrl__engines_use_bus(server->engines, server->nodes->bus, club);
}

void mrl__nodes_poll(struct mrl__server *server)
{
	if (server->nodes != NULL && server->nodes->bus != NULL)
		(void)mrl_bus_poll(server->nodes->bus);
}

void mrl__nodes_flush(struct mrl__server *server)
{
	if (server->nodes != NULL && server->nodes->bus != NULL)
		mrl_bus_flush(server->nodes->bus);
}

void mrl__nodes_stop(struct mrl__server *server)
{
	if (server->nodes != NULL)
		server->nodes->stopping = true;
}

void mrl__nodes_leave(struct mrl__server *server)
{
	struct mrl_store_change *change = server->nodes != NULL && server->store != NULL ? mrl_change_new() : NULL;

	if (change == NULL)
		return;
	mrl_change_leave(change, mrl__service_time(server));
	if (mrl_store_submit(server->store, change, NULL, NULL, NULL) != MRL_OK)
		mrl_log(&server->log, MRL_LOG_DEBUG,
			"the store was not told of the leave: the lease runs out by itself");
}

void mrl__nodes_close(struct mrl__server *server)
{
	struct mrl__nodes *nodes = server->nodes;

	if (nodes == NULL)
		return;
	if (nodes->bus != NULL)
		tell_nodes(nodes, "left");
	mrl_bus_close(nodes->bus);
	mrl__json_release(&nodes->json);
	mrl__lobby_release(nodes);
	for (size_t i = 0; i < MRL__NODES_MOST; i++)
		json_decref(nodes->shows[i].games);
	free(nodes);
	server->nodes = NULL;
}

/* ---- The lease, and games without an owner ----------------------------------------------------------------------- */

bool mrl__nodes_sure(const struct mrl__server *server)
{
	return server->nodes == NULL || mrl__now_ms() - server->nodes->well_at < LEASE_MS;
}

static void on_adopted(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__server *server = server_of(user);
	struct mrl__nodes *nodes = server->nodes;

	size_t count = 0;

	nodes->adopting = false;
	if (answer->status != MRL_OK || server->stopping)
		return;
	/* The others are of nodes that are alive after all, or were quicker. */
	for (size_t i = 0; i < answer->owner_count; i++) {
		if (answer->owners[i].node != nodes->id)
			continue;
		mrl__nodes_adopted(server, &answer->owners[i]);
		count++;
	}
	if (count > 0)
		mrl_log(&server->log, MRL_LOG_INFO, "%zu games were taken over", count);
	/* There may be more. */
	if (count == ADOPT_MOST) {
		nodes->beat_at = 0;
		nodes->adopt_at = 0;
		nodes->adopt_new_at = 0;
	}
}

static void adopt(struct mrl__server *server, uint64_t from)
{
	struct mrl__nodes *nodes = server->nodes;
	struct mrl_store_change *change = NULL;

	if (nodes->adopting || nodes->draining || nodes->stopping)
		return;
	change = mrl_change_new();
	mrl_change_adopt(change, from, ADOPT_MOST, mrl__service_time(server));
	nodes->adopting = mrl_store_submit(server->store, change, on_adopted, server, NULL) == MRL_OK;
}

/* Leases are PostgreSQL's business; but dates of games, bans and sessions are by this machine's clock. */
static void compare_clocks(struct mrl__server *server, int64_t wall)
{
	struct mrl__nodes *nodes = server->nodes;
	int64_t ahead = mrl__wall_ms() - wall;
	bool wrong = ahead > SKEW_MS || ahead < -SKEW_MS;

	if (wrong && !nodes->skewed)
		mrl_log(&server->log, MRL_LOG_WARNING,
			"the clock of this machine is %lld s %s that of PostgreSQL: dates that it writes are wrong by "
			"as much; games are not",
			(long long)((ahead < 0 ? -ahead : ahead) + 500) / 1000, ahead < 0 ? "behind" : "ahead of");
	if (!wrong && nodes->skewed)
		mrl_log(&server->log, MRL_LOG_INFO, "the clock of this machine is right again");
	nodes->skewed = wrong;
}

static void on_beat(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__server *server = server_of(user);
	struct mrl__nodes *nodes = server->nodes;

	nodes->beating = false;
	if (answer->status == MRL_TAKEN && !server->stopping) {
		mrl_log(&server->log, MRL_LOG_ERROR, "%s: this one ends", answer->message);
		server->failed = true;
		mrl__server_stop(server);
	}
	if (answer->status != MRL_OK)
		return;
	/* Others may have our games: they were not written to from here, so nobody would have told us. */
	if (nodes->beat_sent - nodes->well_at > LEASE_MS - BEAT_MS && nodes->well_at != 0)
		mrl__games_check(server, true);
	nodes->well_at = nodes->beat_sent;
	if (answer->node_count > 0)
		compare_clocks(server, answer->nodes[0].wall);
	nodes->seen_count = 0;
	for (size_t i = 0; i < answer->node_count && nodes->seen_count < MRL__NODES_MOST; i++) {
		const struct mrl_store_node *node = &answer->nodes[i];
		struct mrl__node_seen *seen = &nodes->seen[nodes->seen_count++];

		*seen = (struct mrl__node_seen){.id = node->id, .alive = node->alive, .draining = node->draining};
		(void)snprintf(seen->name, sizeof(seen->name), "%s", node->name);
		mrl__nodes_read_note(node->note, &seen->counts);
	}
	for (size_t i = 0; i < nodes->seen_count; i++) {
		if (!nodes->seen[i].alive && nodes->seen[i].id != nodes->id)
			adopt(server, nodes->seen[i].id);
	}
	mrl__nodes_drain_or_not(server);
}

static void beat(struct mrl__server *server)
{
	struct mrl__nodes *nodes = server->nodes;
	struct mrl_store_change *change = NULL;
	char note[64];

	if (nodes->beating)
		return;
	nodes->beat_sent = mrl__now_ms();
	change = mrl_change_new();
	mrl__nodes_write_note(server, note);
	mrl_change_beat(change, mrl__service_time(server), nodes->draining, note);
	nodes->beating = mrl_store_submit(server->store, change, on_beat, server, NULL) == MRL_OK;
}

void mrl__nodes_tick(struct mrl__server *server)
{
	struct mrl__nodes *nodes = server->nodes;
	uint64_t now = mrl__now_ms();

	if (nodes == NULL)
		return;
	mrl__nodes_poll(server);
	if (now >= nodes->beat_at) {
		nodes->beat_at = now + BEAT_MS;
		beat(server);
	}
	if (now >= nodes->adopt_at) {
		nodes->adopt_at = now + ADOPT_MS;
		adopt(server, MRL_STORE_NO_NODE);
	} else if (now >= nodes->adopt_new_at && !nodes->adopting) {
		nodes->adopt_new_at = now + ADOPT_NEW_MS;
		adopt(server, MRL_STORE_NEVER_OWNED);
	}
	mrl__lobby_tick(server);
	if (now >= nodes->busy_at) {
		nodes->busy_at = now + BUSY_MS;
		mrl__games_busy(server);
	}
	if (now >= nodes->look_at) {
		nodes->look_at = now + LOOK_MS;
		mrl__games_look(server);
	}
	if (now >= nodes->show_at) {
		nodes->show_from = now + SHOW_MS / 2;
		nodes->show_at = now + SHOW_MS;
		tell_shows(server);
	}
	if (nodes->draining && now >= nodes->drain_at) {
		nodes->drain_at = now + BUSY_MS;
		mrl__nodes_drain_tick(server);
	}
}

void mrl__nodes_slept(struct mrl__server *server, uint64_t ms)
{
	mrl_log(&server->log, MRL_LOG_WARNING, "the process did not run for %llu ms; whose the games are is looked up",
		(unsigned long long)ms);
	server->nodes->naps++;
	server->nodes->beat_at = 0;
	mrl__games_check(server, true);
}

bool mrl__nodes_may_have(const struct mrl__nodes *nodes, uint64_t node)
{
	for (size_t i = 0; i < nodes->seen_count; i++) {
		const struct mrl__node_seen *seen = &nodes->seen[i];

		if (seen->id == node)
			return seen->alive && !seen->draining && node != nodes->id;
	}
	return false;
}
