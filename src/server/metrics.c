#include "metrics.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <merels/version.h>

#include "server_internal.h"

enum { TEXT_SIZE = 8192 };

/* The upper ends of the buckets, in microseconds. */
static const uint64_t bounds[MRL__LATENCY_BUCKETS] = {250,   500,   1000,   2500,   5000,   10000,
						      25000, 50000, 100000, 250000, 500000, 1000000};

void mrl__metrics_commit(struct mrl__metrics *metrics, uint64_t microseconds)
{
	size_t bucket = 0;

	while (bucket < MRL__LATENCY_BUCKETS && microseconds > bounds[bucket])
		bucket++;
	metrics->latency[bucket]++;
	metrics->latency_sum += microseconds;
}

struct page {
	char *text;
	size_t length;
};

static void add(struct page *page, const char *name, const char *kind, const char *help, double value)
{
	size_t left = TEXT_SIZE - page->length;
	int written = snprintf(page->text + page->length, left, "# HELP %s %s\n# TYPE %s %s\n%s %.17g\n", name, help,
			       name, kind, name, value);

	if (written > 0 && (size_t)written < left)
		page->length += (size_t)written;
}

static void add_latency(struct page *page, const struct mrl__metrics *metrics)
{
	static const char name[] = "merels_commit_seconds";
	uint64_t sum = 0;
	char line[128];

	(void)snprintf(line, sizeof(line), "# HELP %s From a command's events to their commit.\n# TYPE %s histogram\n",
		       name, name);
	for (size_t i = 0; i <= MRL__LATENCY_BUCKETS + 2; i++) {
		size_t length = strlen(line);

		if (TEXT_SIZE - page->length <= length)
			return;
		memcpy(page->text + page->length, line, length + 1);
		page->length += length;
		if (i < MRL__LATENCY_BUCKETS) {
			sum += metrics->latency[i];
			(void)snprintf(line, sizeof(line), "%s_bucket{le=\"%g\"} %" PRIu64 "\n", name,
				       (double)bounds[i] / 1e6, sum);
		} else if (i == MRL__LATENCY_BUCKETS) {
			sum += metrics->latency[i];
			(void)snprintf(line, sizeof(line), "%s_bucket{le=\"+Inf\"} %" PRIu64 "\n", name, sum);
		} else if (i == MRL__LATENCY_BUCKETS + 1) {
			(void)snprintf(line, sizeof(line), "%s_sum %.6f\n%s_count %" PRIu64 "\n", name,
				       (double)metrics->latency_sum / 1e6, name, sum);
		}
	}
}

char *mrl__metrics_text(const struct mrl__server *server)
{
	const struct mrl__metrics *m = &server->metrics;
	struct page page = {malloc(TEXT_SIZE), 0};

	if (page.text == NULL)
		return NULL;
	page.text[0] = '\0';
	add(&page, "merels_up", "gauge", "1 while the server takes games.", server->playing && !server->stopping);
	add(&page, "merels_sockets", "gauge", "Open sockets.", (double)server->peers.count);
	add(&page, "merels_sockets_total", "counter", "Sockets opened.", (double)m->sockets_opened);
	add(&page, "merels_persons_online", "gauge", "Persons with a socket.", server->desk.lobby.counts.online);
	add(&page, "merels_persons_playing", "gauge", "Persons in a running game.", server->desk.lobby.counts.playing);
	add(&page, "merels_offers", "gauge", "Open offers.", server->desk.lobby.counts.waiting);
	add(&page, "merels_games_running", "gauge", "Running games.", server->desk.lobby.counts.games);
	add(&page, "merels_rooms", "gauge", "Games in memory.", (double)server->rooms.count);
	add(&page, "merels_games_started_total", "counter", "Games started.", (double)m->games_started);
	add(&page, "merels_games_ended_total", "counter", "Games ended.", (double)m->games_ended);
	add(&page, "merels_turns_total", "counter", "Turns committed.", (double)m->turns);
	add(&page, "merels_events_total", "counter", "Events committed.", (double)m->events);
	add(&page, "merels_refused_total", "counter", "Commands refused.", (double)m->refused);
	add(&page, "merels_messages_in_total", "counter", "Messages received.", (double)m->messages_in);
	add(&page, "merels_messages_out_total", "counter", "Messages sent.", (double)m->messages_out);
	add(&page, "merels_bytes_out_total", "counter", "Bytes of messages sent.", (double)m->bytes_out);
	add(&page, "merels_dropped_slow_total", "counter", "Sockets dropped for not reading.", (double)m->dropped_slow);
	add(&page, "merels_dropped_rate_total", "counter", "Sockets dropped for sending too much.",
	    (double)m->dropped_rate);
	add(&page, "merels_dropped_silent_total", "counter", "Sockets cut for not answering pings.",
	    (double)m->dropped_silent);
	add(&page, "merels_requests_total", "counter", "Requests to the interface.", (double)m->requests);
	add(&page, "merels_request_errors_total", "counter", "Requests answered with 5xx.", (double)m->request_errors);
	add(&page, "merels_store_failures_total", "counter", "Changes that the store refused.",
	    (double)m->store_failures);
	add(&page, "merels_store_waiting", "gauge", "Changes that wait for their commit.",
	    server->store != NULL ? (double)mrl_store_waiting(server->store) : 0);
	add(&page, "merels_engine_queue", "gauge", "Turns that wait for a thread of the engine.",
	    (double)mrl__engines_waiting(server->engines));
	add(&page, "merels_engine_turns_total", "counter", "Turns of the engine.", (double)m->engine_turns);
	uint64_t done;
	uint64_t failed;
	uint64_t workers;

	mrl__engines_count_workers(server->engines, &done, &failed, &workers);
	add(&page, "merels_workers", "gauge", "Workers that are there.", (double)workers);
	add(&page, "merels_worker_jobs_total", "counter", "Jobs that workers did.", (double)done);
	add(&page, "merels_worker_failures_total", "counter", "Jobs that came back from workers undone.",
	    (double)failed);
	add_latency(&page, m);
	return page.text;
}
