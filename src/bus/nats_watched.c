/*
 * A link whose connection is read and written by the thread of the bus, when the loop says that it is ready. cnats
 * calls that an external event loop. Its own threads, three wake-ups for each message that comes and three for each
 * that goes, have nothing to do then.
 *
 * The link's thread connects and closes, which takes time; between these it lends the connection. Everything here is
 * for the thread of the bus, unless it is said otherwise.
 */
#include <stdlib.h>
#include <string.h>

#include <merels/text.h>
#include <os/clock.h>
#include <os/socket.h>

#include "nats_link.h"
#include "place.h"

enum { ECHO_MS = 2000, REST_MS = 5 };

#define MS ((uint64_t)1000000)

bool nats_is_watched(const struct mrl_bus_settings *settings)
{
	/* With TLS cnats waits for the rest of a record in the middle of reading. */
	return settings->watch != NULL && !place_wants_tls(settings->place);
}

/* ---- What cnats asks for, in whatever thread ----------------------------------------------------------------- */

static natsStatus on_attach(void **user, void *loop, natsConnection *connection, natsSock socket)
{
	struct nats_link *link = loop;

	(void)connection;
	/* A copy, as cnats may close its own at any time, and then another connection may have the number. */
	link->descriptor = mrl_socket_copy((int)socket);
	if (link->descriptor < 0)
		return NATS_SYS_ERROR;
	mrl_monitor_enter(link->monitor);
	link->attached = true;
	mrl_monitor_leave(link->monitor);
	*user = link;
	return NATS_OK;
}

/* It is always read. */
static natsStatus on_read(void *user, bool add)
{
	(void)user;
	(void)add;
	return NATS_OK;
}

static natsStatus on_write(void *user, bool add)
{
	struct nats_link *link = user;

	atomic_store(&link->unwritten, add);
	/* A ping, from the thread of the timers. */
	if (add && !atomic_load(&link->inside) && link->inbox->wake != NULL)
		link->inbox->wake(link->inbox->context);
	return NATS_OK;
}

static natsStatus on_detach(void *user)
{
	struct nats_link *link = user;

	mrl_monitor_enter(link->monitor);
	link->attached = false;
	mrl_monitor_wake(link->monitor);
	mrl_monitor_leave(link->monitor);
	return NATS_OK;
}

natsStatus watched_prepare(struct nats_link *link)
{
	const struct nats_library *library = &link->library;
	natsInbox *inbox = NULL;
	natsStatus status = library->inbox_create(&inbox);

	if (status == NATS_OK) {
		struct mrl_text text = mrl_text_in(link->echo, sizeof(link->echo));

		mrl_text_add(&text, inbox);
		library->inbox_destroy(inbox);
		status = library->set_event_loop(link->options, link, on_attach, on_read, on_write, on_detach);
	}
	return status;
}

/* ---- The link's thread --------------------------------------------------------------------------------------- */

bool watched_lend(struct nats_link *link)
{
	mrl_monitor_enter(link->monitor);
	link->lent = LENT_OFFERED;
	mrl_monitor_leave(link->monitor);
	if (link->inbox->wake != NULL)
		link->inbox->wake(link->inbox->context);
	mrl_monitor_enter(link->monitor);
	while (link->lent != LENT_BACK && !(link->stop && link->lent == LENT_OFFERED))
		mrl_monitor_wait(link->monitor);
	link->lent = LENT_NOT;
	mrl_monitor_leave(link->monitor);
	mrl_socket_close(link->descriptor);
	link->descriptor = -1;
	return link->echo_until == 0;
}

/* ---- Reading and writing ------------------------------------------------------------------------------------- */

static bool is_here(struct nats_link *link)
{
	mrl_monitor_enter(link->monitor);
	bool here = link->lent == LENT_TAKEN;

	mrl_monitor_leave(link->monitor);
	return here;
}

static void subscribe(struct nats_link *link, struct nats_wish *wish)
{
	const struct nats_library *library = &link->library;
	natsStatus status = NATS_OK;

	/* Asked for the next message cnats does not say to which question it is that nobody listens. So a thread of it
	 * brings these. */
	if (wish->entry.id == ANSWERS) {
		connection_listen(link, wish);
		return;
	}
	if (wish->group[0] == '\0')
		status = library->subscribe_quietly(&wish->subscription, link->connection, wish->subject);
	else
		status =
		    library->subscribe_group_quietly(&wish->subscription, link->connection, wish->subject, wish->group);
	/* The connection is being lost, and all is made again with the next; or there is no memory. */
	if (status != NATS_OK)
		wish->subscription = NULL;
	else
		(void)library->set_limits(wish->subscription, -1, -1);
}

static void unsubscribe(struct nats_link *link, natsSubscription **subscription)
{
	if (*subscription != NULL)
		link->library.subscription_destroy(*subscription);
	*subscription = NULL;
}

/* What cnats has of a subscription goes into the inbox. */
static void take_all(struct nats_link *link, const struct nats_wish *wish)
{
	natsMsg *message = NULL;

	while (wish->entry.id != ANSWERS && wish->subscription != NULL &&
	       link->library.next_message(&message, wish->subscription, 0) == NATS_OK)
		(void)inbox_add(link->inbox, connection_item(link, wish->entry.id, message));
}

static void hear_echo(struct nats_link *link)
{
	natsMsg *message = NULL;

	while (link->echoes != NULL && link->library.next_message(&message, link->echoes, 0) == NATS_OK) {
		link->library.message_destroy(message);
		link->echo_until = 0;
	}
	/* NATS has heard of all subscriptions before it sent this. */
	if (link->echo_until != 0 || atomic_load(&link->up))
		return;
	mrl_monitor_enter(link->monitor);
	bool closed = link->closed;

	mrl_monitor_leave(link->monitor);
	if (closed)
		return;
	atomic_store(&link->up, true);
	connection_tell(link);
}

/* Watches for room to write as long as there is something that could not be written. */
static void watch(struct nats_link *link)
{
	bool room = atomic_load(&link->unwritten);

	if (room == link->room)
		return;
	link->room = room;
	link->watch(link->inbox->context, link->descriptor, room);
}

static void write_out(struct nats_link *link)
{
	if (!atomic_load(&link->unwritten) && !link->room)
		return;
	atomic_store(&link->inside, true);
	if (atomic_load(&link->unwritten))
		link->library.process_write(link->connection);
	atomic_store(&link->inside, false);
	watch(link);
}

static void read_in(struct nats_link *link)
{
	atomic_store(&link->inside, true);
	link->library.process_read(link->connection);
	hear_echo(link);
	for (struct nats_wish *wish = link->first; wish != NULL; wish = wish->next)
		take_all(link, wish);
	atomic_store(&link->inside, false);
}

/* ---- Taking the connection, and giving it back --------------------------------------------------------------- */

/* Says something to itself, which comes back when NATS has taken all that was said before. */
static void send_echo(struct nats_link *link)
{
	link->echo_until = mrl_clock_now() + ECHO_MS * MS;
	(void)link->library.publish(link->connection, link->echo, "", 0);
}

static void take_up(struct nats_link *link)
{
	mrl_monitor_enter(link->monitor);
	link->lent = LENT_TAKEN;
	mrl_monitor_leave(link->monitor);
	atomic_store(&link->inside, true);
	if (link->library.subscribe_quietly(&link->echoes, link->connection, link->echo) != NATS_OK)
		link->echoes = NULL;
	for (struct nats_wish *wish = link->first; wish != NULL; wish = wish->next)
		subscribe(link, wish);
	send_echo(link);
	atomic_store(&link->inside, false);
	link->room = false;
	link->watch(link->inbox->context, link->descriptor, false);
	write_out(link);
}

static void give_back(struct nats_link *link)
{
	atomic_store(&link->up, false);
	atomic_store(&link->inside, true);
	unsubscribe(link, &link->echoes);
	for (struct nats_wish *wish = link->first; wish != NULL; wish = wish->next)
		unsubscribe(link, &wish->subscription);
	link->watch(link->inbox->context, -1, false);
	atomic_store(&link->inside, false);
	mrl_monitor_enter(link->monitor);
	link->lent = LENT_BACK;
	mrl_monitor_wake(link->monitor);
	mrl_monitor_leave(link->monitor);
}

static void turn(void *of)
{
	struct nats_link *link = of;

	mrl_monitor_enter(link->monitor);
	enum lent lent = link->lent;
	bool closed = link->closed;

	mrl_monitor_leave(link->monitor);
	if (lent == LENT_OFFERED)
		take_up(link);
	else if (lent == LENT_TAKEN && (closed || (!atomic_load(&link->up) && mrl_clock_now() >= link->echo_until)))
		give_back(link);
}

/* ---- The rest of a backend ----------------------------------------------------------------------------------- */

static void ready(void *of, bool reads, bool writes)
{
	struct nats_link *link = of;

	if (!is_here(link))
		return;
	if (reads)
		read_in(link);
	if (writes)
		write_out(link);
}

static void flush(void *of)
{
	struct nats_link *link = of;

	/* What there was no room for is written when there is. */
	if (atomic_load(&link->unwritten) && !link->room && is_here(link))
		write_out(link);
}

static void wait_for(void *of, uint64_t until)
{
	struct nats_link *link = of;

	if (!is_here(link)) {
		uint64_t soon = mrl_clock_now() + REST_MS * MS;

		(void)mrl_socket_wait(-1, false, false, soon < until ? soon : until);
	} else if (mrl_socket_wait(link->descriptor, true, link->room, until)) {
		ready(link, true, link->room);
	}
}

static enum mrl_status send_message(void *of, const char *subject, const char *reply, const void *data, size_t length)
{
	struct nats_link *link = of;
	const struct nats_library *library = &link->library;
	natsStatus status = NATS_OK;

	if (!atomic_load(&link->up) || !is_here(link))
		return MRL_SYSTEM;
	if (library->buffered(link->connection) > 0 &&
	    (size_t)library->buffered(link->connection) + length > link->most_bytes)
		return MRL_BUSY;
	atomic_store(&link->inside, true);
	if (reply[0] == '\0')
		status = library->publish(link->connection, subject, data, (int)length);
	else
		status = library->publish_request(link->connection, subject, reply, data, (int)length);
	atomic_store(&link->inside, false);
	if (status == NATS_OK)
		return MRL_OK;
	return status == NATS_NO_MEMORY ? MRL_SPACE : MRL_SYSTEM;
}

static enum mrl_status listen_to(void *of, uint64_t listener, const char *subject, const char *group)
{
	struct nats_link *link = of;
	struct nats_wish *wish = link_wish(listener, subject, group);

	if (wish == NULL)
		return MRL_SPACE;
	wish->next = link->first;
	link->first = wish;
	atomic_store(&link->inside, true);
	if (is_here(link))
		subscribe(link, wish);
	atomic_store(&link->inside, false);
	return MRL_OK;
}

static void leave(void *of, uint64_t listener)
{
	struct nats_link *link = of;
	struct nats_wish **at = &link->first;

	while (*at != NULL && (*at)->entry.id != listener)
		at = &(*at)->next;
	if (*at == NULL)
		return;
	struct nats_wish *wish = *at;

	*at = wish->next;
	atomic_store(&link->inside, true);
	unsubscribe(link, &wish->subscription);
	atomic_store(&link->inside, false);
	free(wish);
}

static bool close_link(void *of)
{
	struct nats_link *link = of;

	if (is_here(link)) {
		/* What was said before goes, unless it takes too long. */
		if (atomic_load(&link->up)) {
			atomic_store(&link->inside, true);
			send_echo(link);
			atomic_store(&link->inside, false);
			write_out(link);
		}
		uint64_t until = link->echo_until;

		while (link->echo_until != 0 && atomic_load(&link->up) &&
		       mrl_socket_wait(link->descriptor, true, link->room, until))
			ready(link, true, link->room);
		give_back(link);
	}
	for (struct nats_wish *wish = link->first; wish != NULL; wish = link->first) {
		link->first = wish->next;
		free(wish);
	}
	return link_end(link);
}

const struct backend backend_watched = {.close = close_link,
					.inbox = link_inbox,
					.most_payload = link_most_payload,
					.send = send_message,
					.listen = listen_to,
					.leave = leave,
					.flush = flush,
					.turn = turn,
					.ready = ready,
					.wait = wait_for};
