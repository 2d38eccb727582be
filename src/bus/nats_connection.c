/* One connection after another to NATS. cnats is not asked to mend them: it would keep messages that are not true any
 * more, and hold its locks while it waits. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <merels/text.h>
#include <os/clock.h>

#include "nats_link.h"
#include "place.h"

enum {
	CONNECT_MS = 2000,
	FLUSH_MS = 2000,
	WRITE_MS = 2000, /* a server that takes nothing for so long is lost */
	PING_MS = 2000,  /* as is one that leaves two of these unanswered */
	PINGS = 2,
	CLOSE_MS = 5000
};

/* ---- What cnats tells, in its threads ----------------------------------------------------------------------- */

static void on_closed(natsConnection *connection, void *closure)
{
	struct nats_link *link = closure;

	(void)connection;
	atomic_store(&link->up, false);
	mrl_monitor_enter(link->monitor);
	link->closed = true;
	mrl_monitor_wake(link->monitor);
	/* Outside of the monitor the link may be gone. */
	if (link->watch != NULL && link->inbox->wake != NULL)
		link->inbox->wake(link->inbox->context);
	mrl_monitor_leave(link->monitor);
}

static void on_error(natsConnection *connection, natsSubscription *subscription, natsStatus status, void *closure)
{
	struct nats_link *link = closure;
	const char *reason = NULL;
	char sentence[256];
	struct mrl_text text = mrl_text_in(sentence, sizeof(sentence));

	(void)subscription;
	(void)link->library.connection_error(connection, &reason);
	if (status == NATS_SLOW_CONSUMER) {
		inbox_put_news(link->inbox, MRL_BUS_TROUBLE,
			       "messages from NATS were thrown away by its client library, which had too many");
		return;
	}
	mrl_text_add(&text, "NATS complains: ");
	mrl_text_add(&text, reason != NULL && reason[0] != '\0' ? reason : link->library.status_text(status));
	inbox_put_news(link->inbox, MRL_BUS_TROUBLE, sentence);
}

struct item *connection_item(struct nats_link *link, uint64_t listener, natsMsg *message)
{
	const struct nats_library *library = &link->library;
	int length = library->data_length(message);
	const char *reply = library->reply(message);
	enum item_kind kind = library->is_nobody(message) ? ITEM_NOBODY : ITEM_MESSAGE;
	struct item *item = item_new(kind, library->subject(message), reply != NULL ? reply : "",
				     library->data(message), length > 0 ? (size_t)length : 0);

	if (item != NULL)
		item->listener = listener;
	library->message_destroy(message);
	return item;
}

static void on_message(natsConnection *connection, natsSubscription *subscription, natsMsg *message, void *closure)
{
	const struct nats_ear *ear = closure;

	(void)connection;
	(void)subscription;
	inbox_put(ear->link->inbox, connection_item(ear->link, ear->listener, message));
}

static void on_complete(void *closure)
{
	struct nats_ear *ear = closure;
	struct nats_link *link = ear->link;

	free(ear);
	mrl_monitor_enter(link->monitor);
	link->ears--;
	mrl_monitor_wake(link->monitor);
	mrl_monitor_leave(link->monitor);
}

/* ---- Opening ------------------------------------------------------------------------------------------------ */

static enum mrl_status refuse(struct nats_link *link, struct mrl_error *error, enum mrl_status status, const char *what,
			      const char *name, natsStatus why)
{
	struct mrl_text text = mrl_error_open(error, status, 0, 0);
	const char *more = link->library.last_error(NULL);

	mrl_text_add(&text, what);
	mrl_text_add(&text, name);
	mrl_text_add(&text, ": ");
	mrl_text_add(&text, more != NULL && more[0] != '\0' ? more : link->library.status_text(why));
	return status;
}

static natsStatus set_servers(struct nats_link *link, const char *place)
{
	const char *urls[PLACE_MOST];
	size_t size = strlen(place) + 1;
	char *copy = malloc(size);

	if (copy == NULL)
		return NATS_NO_MEMORY;
	memcpy(copy, place, size);
	size_t count = place_split(copy, urls, PLACE_MOST);
	natsStatus status = link->library.set_servers(link->options, urls, (int)count);

	free(copy);
	/* What was published is written at once, by this thread: another would only be woken for it. */
	if (status == NATS_OK && place_wants_tls(place))
		status = link->library.set_secure(link->options, true);
	else if (status == NATS_OK)
		status = link->library.set_send_asap(link->options, true);
	return status;
}

static natsStatus set_habits(struct nats_link *link, const char *name)
{
	const struct nats_library *library = &link->library;
	natsOptions *options = link->options;
	natsStatus status = library->set_timeout(options, CONNECT_MS);

	if (status == NATS_OK && name != NULL)
		status = library->set_name(options, name);
	if (status == NATS_OK)
		status = library->set_ping_interval(options, PING_MS);
	if (status == NATS_OK)
		status = library->set_most_pings(options, PINGS);
	if (status == NATS_OK)
		status = library->set_reconnect(options, false);
	if (status == NATS_OK)
		status = library->set_write_deadline(options, WRITE_MS);
	/* One thread for all subscriptions, so what one process says is heard in order. */
	if (status == NATS_OK)
		status = library->set_global_delivery(options, true);
	if (status == NATS_OK)
		status = library->set_closed(options, on_closed, link);
	if (status == NATS_OK)
		status = library->set_error(options, on_error, link);
	return status;
}

enum mrl_status connection_prepare(struct nats_link *link, const struct mrl_bus_settings *settings,
				   struct mrl_error *error)
{
	const struct nats_library *library = &link->library;
	natsInbox *inbox = NULL;
	natsStatus status = library->inbox_create(&inbox);

	if (status == NATS_OK) {
		struct mrl_text text = mrl_text_in(link->answers, sizeof(link->answers));

		mrl_text_add(&text, inbox);
		library->inbox_destroy(inbox);
		status = library->options_create(&link->options);
	}
	if (status == NATS_OK)
		status = set_habits(link, settings->name);
	if (status == NATS_OK && link->watch != NULL)
		status = watched_prepare(link);
	if (status != NATS_OK)
		return refuse(link, error, MRL_SPACE, "NATS's client library does not start", "", status);
	status = set_servers(link, settings->place);
	if (status != NATS_OK)
		return refuse(link, error, MRL_NAME, "NATS's client library cannot use ", link->place, status);
	if (settings->certificates != NULL)
		status = library->set_certificates(link->options, settings->certificates);
	if (status != NATS_OK)
		return refuse(link, error, MRL_NAME, "the certificates cannot be used, ", settings->certificates,
			      status);
	/* It is read anew at each connection. */
	if (settings->credentials != NULL)
		status = library->set_credentials(link->options, settings->credentials, NULL);
	if (status != NATS_OK)
		return refuse(link, error, MRL_NAME, "the credentials cannot be used, ", settings->credentials, status);
	return MRL_OK;
}

static bool is_refusal(natsStatus status)
{
	return status == NATS_CONNECTION_AUTH_FAILED || status == NATS_NOT_PERMITTED ||
	       status == NATS_SECURE_CONNECTION_REQUIRED || status == NATS_SECURE_CONNECTION_WANTED ||
	       status == NATS_SSL_ERROR;
}

/* The same trouble is told once. */
static void tell_trouble(struct nats_link *link, enum mrl_bus_news news, const char *what, const char *why)
{
	char sentence[400];
	struct mrl_text text = mrl_text_in(sentence, sizeof(sentence));

	mrl_text_add(&text, what);
	mrl_text_add(&text, link->place);
	mrl_text_add(&text, ": ");
	mrl_text_add(&text, why);
	if (strncmp(link->trouble, sentence, sizeof(link->trouble) - 1) == 0)
		return;
	struct mrl_text told = mrl_text_in(link->trouble, sizeof(link->trouble));

	mrl_text_add(&told, sentence);
	mrl_text_add(&text, "; it is tried again and again");
	inbox_put_news(link->inbox, news, sentence);
}

void connection_tell(struct nats_link *link)
{
	char url[256] = "";
	char sentence[400];
	struct mrl_text text = mrl_text_in(sentence, sizeof(sentence));

	mrl_text_add(&text, "connected to NATS at ");
	if (link->library.connected_url(link->connection, url, sizeof(url)) == NATS_OK) {
		char shown[256];

		mrl_bus_show_place(url, shown, sizeof(shown));
		mrl_text_add(&text, shown);
	}
	link->trouble[0] = '\0';
	inbox_put_news(link->inbox, MRL_BUS_CONNECTED, sentence);
}

bool connection_open(struct nats_link *link)
{
	mrl_monitor_enter(link->monitor);
	link->closed = false;
	mrl_monitor_leave(link->monitor);
	natsStatus status = link->library.connect(&link->connection, link->options);

	if (status != NATS_OK) {
		bool refused = is_refusal(status);
		const char *more = link->library.last_error(NULL);

		link->connection = NULL;
		tell_trouble(link, refused ? MRL_BUS_REFUSED : MRL_BUS_LOST,
			     refused ? "NATS refuses us at " : "NATS cannot be reached at ",
			     more != NULL && more[0] != '\0' ? more : link->library.status_text(status));
		return false;
	}
	int64_t most = link->library.most_payload(link->connection);

	/* The library counts in int. */
	atomic_store(&link->most_payload, most > 0 && most < INT_MAX ? (size_t)most : (size_t)INT_MAX);
	if (link->watch != NULL)
		return watched_lend(link);
	for (size_t i = 0; i < MAP_SIZE; i++) {
		for (struct entry *entry = link->wishes.slots[i]; entry != NULL; entry = entry->next)
			connection_listen(link, (struct nats_wish *)entry);
	}
	/* NATS knows of them before it is told that it is there. */
	status = link->library.flush(link->connection, FLUSH_MS);
	if (status != NATS_OK) {
		tell_trouble(link, MRL_BUS_LOST, "NATS does not answer at ", link->library.status_text(status));
		return false;
	}
	atomic_store(&link->up, true);
	mrl_monitor_enter(link->monitor);
	bool closed = link->closed;

	mrl_monitor_leave(link->monitor);
	if (closed)
		atomic_store(&link->up, false);
	connection_tell(link);
	return true;
}

/* ---- Closing ------------------------------------------------------------------------------------------------ */

static void forget_subscriptions(struct nats_link *link)
{
	for (size_t i = 0; i < MAP_SIZE; i++) {
		for (struct entry *entry = link->wishes.slots[i]; entry != NULL; entry = entry->next) {
			struct nats_wish *wish = (struct nats_wish *)entry;

			if (wish->subscription != NULL)
				link->library.subscription_destroy(wish->subscription);
			wish->subscription = NULL;
		}
	}
}

void connection_close(struct nats_link *link)
{
	uint64_t until = mrl_clock_now() + (uint64_t)CLOSE_MS * 1000000;
	const char *reason = NULL;

	if (link->connection == NULL)
		return;
	mrl_monitor_enter(link->monitor);
	bool stop = link->stop;
	const char *how = link->closed ? "it was closed" : "it did not answer";

	mrl_monitor_leave(link->monitor);
	if (stop && link->watch == NULL) {
		(void)link->library.flush(link->connection, FLUSH_MS);
	} else if (!stop) {
		(void)link->library.connection_error(link->connection, &reason);
		tell_trouble(link, MRL_BUS_LOST, "the connection to NATS is lost, ",
			     reason != NULL && reason[0] != '\0' ? reason : how);
	}
	forget_subscriptions(link);
	link->library.destroy(link->connection);
	link->connection = NULL;
	mrl_monitor_enter(link->monitor);
	while ((!link->closed || link->attached || link->ears > 0) && mrl_monitor_wait_until(link->monitor, until))
		;
	link->kept = !link->closed || link->attached || link->ears > 0;
	mrl_monitor_leave(link->monitor);
}

/* ---- Working ------------------------------------------------------------------------------------------------ */

void connection_send(struct nats_link *link, const struct item *item)
{
	const struct nats_library *library = &link->library;
	int length = (int)item->length;

	/* What fails here fails with the connection, of which is told. */
	if (item->reply[0] == '\0')
		(void)library->publish(link->connection, item->subject, item->data, length);
	else
		(void)library->publish_request(link->connection, item->subject, item->reply, item->data, length);
}

void connection_listen(struct nats_link *link, struct nats_wish *wish)
{
	const struct nats_library *library = &link->library;
	struct nats_ear *ear = malloc(sizeof(*ear));
	natsStatus status = NATS_NO_MEMORY;

	if (ear != NULL) {
		*ear = (struct nats_ear){.link = link, .listener = wish->entry.id};
		if (wish->group[0] == '\0')
			status =
			    library->subscribe(&wish->subscription, link->connection, wish->subject, on_message, ear);
		else
			status = library->subscribe_group(&wish->subscription, link->connection, wish->subject,
							  wish->group, on_message, ear);
	}
	if (status != NATS_OK) {
		wish->subscription = NULL;
		free(ear);
		/* The connection is being lost, and all is made again with the next; or there is no memory. */
		return;
	}
	mrl_monitor_enter(link->monitor);
	link->ears++;
	mrl_monitor_leave(link->monitor);
	if (library->set_complete(wish->subscription, on_complete, ear) != NATS_OK) {
		/* It was closed at this very moment, and may still be in use: a few bytes are left to it. */
		mrl_monitor_enter(link->monitor);
		link->ears--;
		mrl_monitor_leave(link->monitor);
	}
	/* Our own queue is the one that has limits. */
	(void)library->set_limits(wish->subscription, -1, -1);
}

void connection_leave(struct nats_link *link, struct nats_wish *wish)
{
	if (wish->subscription == NULL)
		return;
	(void)link->library.unsubscribe(wish->subscription);
	link->library.subscription_destroy(wish->subscription);
	wish->subscription = NULL;
}
