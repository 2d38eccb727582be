/* One visitor: gets an identity, a socket, and a new socket whenever that is lost. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <os/clock.h>

#include "load_event.h"
#include "load_internal.h"

enum { MOST_OPENING = 200, MESSAGE_MOST = 1024, MOST_PAUSE_MS = 2000 };

/* With nodes: how long a socket may be quiet until it is asked, and until it is given up; nanoseconds. */
#define QUIET UINT64_C(2000000000)
#define SILENT UINT64_C(5000000000)

/* With nodes: service time that falls back by more than this, in milliseconds, has done so on purpose. */
#define STOPPED 1500

static void connect_next(struct load *load);
static void lose(struct load_visitor *visitor);

/* ---- A place in the queue of those who connect -------------------------------------------------------------- */

static void leave_place(struct load_visitor *visitor)
{
	if (!visitor->opening)
		return;
	visitor->opening = false;
	visitor->load->opening--;
	connect_next(visitor->load);
}

static void queue(struct load_visitor *visitor)
{
	struct load *load = visitor->load;

	if (visitor->queued || visitor->opening || !visitor->wanted)
		return;
	visitor->queued = true;
	visitor->next_queued = NULL;
	if (load->queue_end != NULL)
		load->queue_end->next_queued = visitor;
	else
		load->queue = visitor;
	load->queue_end = visitor;
	connect_next(load);
}

static void on_pause_over(uv_timer_t *timer)
{
	queue(timer->data);
}

static void come_back(struct load_visitor *visitor, uint64_t pause)
{
	if (visitor->wanted)
		(void)uv_timer_start(&visitor->pause, on_pause_over, pause, 0);
}

/* Waits longer after each failure, and never all at the same time. */
static void fail(struct load_visitor *visitor, const char *what, unsigned status, const char *why)
{
	struct load *load = visitor->load;
	uint64_t most = visitor->failures < 6 ? 50U << visitor->failures : MOST_PAUSE_MS;

	visitor->failures++;
	/* Another one may be there. */
	visitor->server = (visitor->server + 1) % load->plan.servers;
	if (load->plan.server_dies)
		load->stats.losses++;
	else if (!load->closing)
		load_fault(&load->stats, LOAD_FAULT_CLOSED, "%s: %u %.120s", what, status, why);
	come_back(visitor, most / 2 + load_random(load) % most);
	leave_place(visitor);
}

struct mrl_client *load_visitor_client(const struct load_visitor *visitor)
{
	return visitor->load->clients[visitor->server];
}

/* ---- Who one is --------------------------------------------------------------------------------------------- */

static void open_socket(struct load_visitor *visitor);

static void on_registered(void *user, const struct mrl_client_answer *answer)
{
	struct load_visitor *visitor = user;

	/* After a crash the account may be there without our having heard of it. */
	if (answer->status != 201 && !(answer->status == 409 && visitor->load->plan.server_dies)) {
		fail(visitor, "register", (unsigned)answer->status, answer->body);
		return;
	}
	visitor->has_account = true;
	if (answer->cookie[0] != '\0')
		memcpy(visitor->identity.cookie, answer->cookie, sizeof(answer->cookie));
	open_socket(visitor);
}

static void register_account(struct load_visitor *visitor)
{
	char body[128];

	(void)snprintf(body, sizeof(body), "{\"name\":\"%s\",\"password\":\"password of %s\"}", visitor->name,
		       visitor->name);
	if (!mrl_client_ask(load_visitor_client(visitor), visitor->source, &visitor->identity, "/api/v1/register", body,
			    on_registered, visitor))
		fail(visitor, "register", 0, "no memory");
}

static void on_me(void *user, const struct mrl_client_answer *answer)
{
	struct load_visitor *visitor = user;

	if (answer->status != 200 || answer->cookie[0] == '\0') {
		fail(visitor, "the first request", (unsigned)answer->status, answer->body);
		return;
	}
	memcpy(visitor->identity.cookie, answer->cookie, sizeof(answer->cookie));
	if (visitor->account)
		register_account(visitor);
	else
		open_socket(visitor);
}

/* ---- Messages ----------------------------------------------------------------------------------------------- */

bool load_visitor_say(struct load_visitor *visitor, const char *format, ...)
{
	char text[MESSAGE_MOST];
	va_list arguments;

	va_start(arguments, format);

	int length = vsnprintf(text, sizeof(text), format, arguments);

	va_end(arguments);
	return visitor->socket != NULL && visitor->welcomed && length > 0 && (size_t)length < sizeof(text) &&
	       mrl_client_send(visitor->socket, text, (size_t)length);
}

void load_visitor_watch(struct load_visitor *visitor, bool anew)
{
	struct load *load = visitor->load;
	struct load_table *table = visitor->table;
	uint32_t last = visitor->receiver.last;

	visitor->caught_up = false;
	visitor->receiver.back = false;
	visitor->receiver.player = visitor->role == LOAD_PLAYER;
	visitor->receiver.known = table->model != NULL ? load_model_known(table->model) : 0;
	if (anew || last == 0) {
		visitor->receiver.last = 0;
		(void)load_visitor_say(visitor, "{\"t\":\"watch\",\"game\":\"%s\"}", table->game);
		return;
	}
	/* What was told already may be asked for again: it must be told the same. */
	if (load_chance(load, 0.5)) {
		uint32_t more = (uint32_t)(load_random(load) % 60);

		last -= more < last ? more : last - 1;
		visitor->receiver.last = last;
	}
	if (load_chance(load, 0.5))
		(void)load_visitor_say(visitor, "{\"t\":\"watch\",\"game\":\"%s\",\"last\":%u}", table->game, last);
	else
		(void)load_visitor_say(visitor, "{\"t\":\"hello\",\"last\":{\"%s\":%u}}", table->game, last);
}

static void on_welcome(struct load_visitor *visitor, json_t *message)
{
	struct load *load = visitor->load;
	const char *id = json_string_value(json_object_get(json_object_get(message, "person"), "id"));

	if (visitor->welcomed)
		return;
	visitor->welcomed = true;
	visitor->failures = 0;
	visitor->pinged = 0;
	load->open++;
	load_spans_add(&load->stats.join, mrl_clock_now() - visitor->opened);
	if (visitor->role == LOAD_PLAYER &&
	    (id == NULL || (visitor->person[0] != '\0' && strcmp(visitor->person, id) != 0)))
		load_fault(&load->stats, LOAD_FAULT_LOST, "a player with a cookie is not known any more");
	if (id != NULL && strlen(id) < sizeof(visitor->person))
		memcpy(visitor->person, id, strlen(id) + 1);
	leave_place(visitor);
	if (visitor->table != NULL)
		load_table_welcomed(visitor->table, visitor);
}

/* Something that happened in the table's game; false when it is about another. */
static bool is_ours(const struct load_visitor *visitor, json_t *message)
{
	const char *game = json_string_value(json_object_get(message, "game"));

	return game != NULL && strcmp(game, visitor->table->game) == 0;
}

static void on_event(struct load_visitor *visitor, const char *text, size_t length, json_t *message)
{
	struct load_table *table = visitor->table;
	struct load_news news;
	uint64_t at = 0;

	if (table->model == NULL || visitor->receiver.last == 0 || !is_ours(visitor, message))
		return;
	if (load_moment(message, "at", &at))
		load_heard_time(visitor->load, at, false);
	load_model_event(table->model, &visitor->receiver, text, length, message, &news);
	if (news.good)
		load_table_news(table, visitor, &news);
	/* The next game's name is only in the text. */
	if (news.is_new && news.kind == MRL_PLAY_REMATCH) {
		const char *next = json_string_value(json_object_get(message, "next"));

		if (next != NULL)
			load_arrange_rematch(table, next);
	}
}

static void on_snapshot(struct load_visitor *visitor, json_t *message)
{
	uint64_t now = 0;

	if (!is_ours(visitor, message))
		return;
	if (load_moment(message, "now", &now))
		load_heard_time(visitor->load, now, true);
	load_table_snapshot(visitor->table, visitor, message);
}

/* ---- The times of nodes ------------------------------------------------------------------------------------- */

static void hear_frame(struct load_visitor *visitor, json_t *message)
{
	uint64_t now = 0;

	if (!load_moment(message, "now", &now))
		return;

	int64_t frame = (int64_t)now - (int64_t)(mrl_clock_now() / 1000000U);

	/* A node that was stopped has left that time out: it is not late, its time has gone back. */
	if (!visitor->frame_known || frame > visitor->frame || frame + STOPPED < visitor->frame)
		visitor->frame = frame;
	visitor->frame_known = true;
}

static void shift(const struct load_visitor *visitor, json_t *object, const char *key)
{
	uint64_t moment = 0;

	if (json_is_object(object) && load_moment(object, key, &moment))
		(void)json_object_set_new(object, key, json_integer((json_int_t)moment - visitor->frame));
}

/* Every node tells moments in its own service time; ours is what they have in common. */
static void translate(struct load_visitor *visitor, const char *kind, json_t *message)
{
	if (strcmp(kind, "welcome") == 0 || strcmp(kind, "pong") == 0) {
		hear_frame(visitor, message);
	} else if (strcmp(kind, "event") == 0) {
		shift(visitor, message, "at");
	} else if (strcmp(kind, "game") == 0) {
		hear_frame(visitor, message);
		shift(visitor, message, "now");
		shift(visitor, json_object_get(message, "clock"), "at");
		shift(visitor, json_object_get(message, "clock"), "until");
	}
}

void load_visitor_look_after(struct load_visitor *visitor, uint64_t now)
{
	uint64_t quiet = 0;

	if (visitor->socket == NULL)
		return;
	if (visitor->too_early && visitor->welcomed && visitor->table->game[0] != '\0') {
		visitor->too_early = false;
		load_visitor_watch(visitor, true);
	}
	quiet = now - (visitor->welcomed ? visitor->heard : visitor->opened);
	if (quiet > SILENT) {
		mrl_client_cut(visitor->socket);
		lose(visitor);
		fail(visitor, "a socket is silent", 0, "nothing came for 5 s");
	} else if (visitor->welcomed && quiet > QUIET && now - visitor->pinged > QUIET) {
		visitor->pinged = now;
		(void)load_visitor_say(visitor, "{\"t\":\"ping\"}");
	}
}

/* ---- What a message is -------------------------------------------------------------------------------------- */

static void dispatch(struct load_visitor *visitor, const char *text, size_t length, json_t *message)
{
	const char *kind = json_string_value(json_object_get(message, "t"));
	uint64_t now = 0;

	if (kind != NULL && visitor->load->plan.nodes)
		translate(visitor, kind, message);

	if (kind == NULL) {
		load_fault(&visitor->load->stats, LOAD_FAULT_WRONG, "a message without a kind");
	} else if (strcmp(kind, "welcome") == 0) {
		if (load_moment(message, "now", &now))
			load_heard_time(visitor->load, now, true);
		on_welcome(visitor, message);
	} else if (visitor->table == NULL) {
		return;
	} else if (strcmp(kind, "event") == 0) {
		on_event(visitor, text, length, message);
	} else if (strcmp(kind, "game") == 0) {
		on_snapshot(visitor, message);
	} else {
		load_table_message(visitor->table, visitor, kind, message);
	}
}

static void on_message(void *user, const char *text, size_t length)
{
	struct load_visitor *visitor = user;
	struct load_table *table = visitor->table;
	struct load_news news;
	json_error_t error;

	visitor->heard = mrl_clock_now();
	if (table != NULL && table->model != NULL && visitor->receiver.last > 0 &&
	    load_model_again(table->model, &visitor->receiver, text, length, &news)) {
		load_table_news(table, visitor, &news);
		return;
	}

	json_t *message = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);

	if (message == NULL) {
		load_fault(&visitor->load->stats, LOAD_FAULT_WRONG, "a message that is no JSON: %s", error.text);
		return;
	}
	dispatch(visitor, text, length, message);
	json_decref(message);
}

/* ---- The socket --------------------------------------------------------------------------------------------- */

static void lose(struct load_visitor *visitor)
{
	visitor->socket = NULL;
	visitor->caught_up = false;
	if (visitor->welcomed)
		visitor->load->open--;
	visitor->welcomed = false;
	if (visitor->table != NULL)
		load_table_lost(visitor->table, visitor);
}

static void on_closed(void *user, unsigned code, const char *why)
{
	struct load_visitor *visitor = user;
	struct load *load = visitor->load;

	lose(visitor);
	if (!visitor->wanted || load->closing) {
		leave_place(visitor);
		return;
	}
	fail(visitor, code == 0 ? "no socket" : "a socket was closed", code, why);
}

static void open_socket(struct load_visitor *visitor)
{
	static const struct mrl_client_events events = {.message = on_message, .closed = on_closed};
	if (!visitor->wanted) {
		leave_place(visitor);
		return;
	}
	visitor->opened = mrl_clock_now();
	visitor->frame_known = false;
	visitor->socket = mrl_client_open(load_visitor_client(visitor), visitor->source,
					  visitor->role == LOAD_PLAYER ? &visitor->identity : NULL, &events, visitor);
	if (visitor->socket == NULL)
		fail(visitor, "no socket", 0, "no memory");
}

static void begin_to_connect(struct load_visitor *visitor)
{
	visitor->opening = true;
	visitor->load->opening++;
	if (visitor->role != LOAD_PLAYER || visitor->has_account ||
	    (visitor->identity.cookie[0] != '\0' && !visitor->account)) {
		open_socket(visitor);
	} else if (visitor->identity.cookie[0] != '\0') {
		register_account(visitor);
	} else if (!mrl_client_ask(load_visitor_client(visitor), visitor->source, NULL, "/api/v1/me", NULL, on_me,
				   visitor)) {
		fail(visitor, "the first request", 0, "no memory");
	}
}

static void connect_next(struct load *load)
{
	while (load->queue != NULL && load->opening < MOST_OPENING) {
		struct load_visitor *visitor = load->queue;

		load->queue = visitor->next_queued;
		if (load->queue == NULL)
			load->queue_end = NULL;
		visitor->queued = false;
		if (visitor->wanted)
			begin_to_connect(visitor);
	}
}

void load_visitor_come(struct load_visitor *visitor)
{
	visitor->wanted = true;
	queue(visitor);
}

void load_visitor_go(struct load_visitor *visitor)
{
	visitor->wanted = false;
	(void)uv_timer_stop(&visitor->pause);
	if (visitor->socket != NULL)
		mrl_client_close(visitor->socket, 1000);
}

void load_visitor_cut(struct load_visitor *visitor)
{
	uint64_t pause = load_random(visitor->load) % 1000;

	if (visitor->socket == NULL || !visitor->welcomed)
		return;
	mrl_client_cut(visitor->socket);
	visitor->load->stats.cuts++;
	if (visitor->role == LOAD_PLAYER)
		visitor->table->cut += pause * 1000000U;
	lose(visitor);
	come_back(visitor, pause);
}
