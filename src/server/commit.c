/* Events on their way into the store, and what follows when they are there. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <merels/notation.h>

#include "exchange.h"
#include "messages.h"
#include "nodes.h"
#include "peer.h"
#include "room.h"
#include "server_internal.h"
#include "snapshot.h"
#include "summary.h"

enum { DAY_MS = 24 * 3600 * 1000, RETRY_MS = 500 };

struct mrl__commit {
	struct mrl__server *server;
	struct mrl__room *room;
	struct mrl__order *order; /* NULL: nobody waits for it */
	struct mrl_play_answer answer;
	struct mrl_play_batch batch;
	struct mrl_play_batch *rematch; /* owned; the first events of the game that was agreed on */
	uint64_t rematch_id;
	uint64_t begun; /* ns */
	bool rates;
	struct mrl_store_rating rating[2]; /* as they are after it, by seat */
	const char *rules;
};

static const struct mrl_play_event *find_event(const struct mrl_play_batch *batch, unsigned kind)
{
	for (size_t i = 0; i < batch->count; i++) {
		if (batch->events[i].kind == kind)
			return &batch->events[i];
	}
	return NULL;
}

/* ---- When it is done ---------------------------------------------------------------------------------------- */

static void count_events(struct mrl__metrics *metrics, const struct mrl_play_batch *batch)
{
	metrics->events += batch->count;
	metrics->turns += find_event(batch, MRL_PLAY_TURN) != NULL;
	metrics->games_started += find_event(batch, MRL_PLAY_STARTED) != NULL;
	metrics->games_ended += find_event(batch, MRL_PLAY_ENDED) != NULL;
}

/* Tells the order's giver; frees the order. Other nodes have been told the events. */
static void answer_order(struct mrl__commit *commit)
{
	struct mrl__order *order = commit->order;
	const struct mrl_play_answer *answer = &commit->answer;

	commit->order = NULL;
	if (order == NULL)
		return;
	/* The node that it came from finds it done by the event; without that it asks again. */
	if (order->far != NULL && answer->code == MRL_CODE_OK && mrl__owner_tells(commit->room, order->far_node))
		mrl__order_free(order);
	else if (answer->code != MRL_CODE_OK)
		mrl__order_refuse(order, commit->room->id, mrl_play_code_name(answer->code), answer->text);
	else
		mrl__tell_done(commit->room, order, answer->number);
}

static void tell_all(struct mrl__commit *commit)
{
	struct mrl__room *room = commit->room;
	size_t applied = 0;

	/*
	 * Each event is told as the game is after it, and none before the one who gave the order has been answered. An
	 * event says all that is told of it but the number of turns, so all may be applied before.
	 */
	while (applied < commit->batch.count && mrl__room_apply(room, &commit->batch.events[applied]))
		applied++;
	/* Other nodes first: an answer that comes before its event makes them read the store for it. */
	mrl__owner_tell(room, &commit->batch);
	answer_order(commit);
	for (size_t i = 0; i < applied; i++)
		mrl__room_tell(room, &commit->batch.events[i]);
	if (applied < commit->batch.count)
		mrl__rooms_reload(room);
}

static void free_commit(struct mrl__commit *commit)
{
	commit->server->rooms.commits--;
	free(commit->rematch);
	free(commit);
}

/* It was not kept: the game is as it was before. */
static void fail(struct mrl__commit *commit, enum mrl_status status, const char *why)
{
	struct mrl__room *room = commit->room;
	struct mrl__order *order = commit->order;
	bool computer = order != NULL && order->peer == NULL && order->exchange == NULL;

	if (status == MRL_TAKEN) {
		/* Another node has the game now: what was wanted is wanted of that. */
		room->commit = NULL;
		free_commit(commit);
		mrl__replica_lost(room, order);
		return;
	}
	commit->server->metrics.store_failures++;
	/* Of a trouble that was told each event tells no more. */
	mrl_log(&commit->server->log, commit->server->store_trouble ? MRL_LOG_DEBUG : MRL_LOG_ERROR,
		"the store did not take an event: %s", why);
	if (order != NULL)
		mrl__order_refuse(order, room->id, "unavailable",
				  "Nothing can be kept at the moment. Nothing was done; try again in a moment.");
	room->commit = NULL;
	free_commit(commit);
	if (computer)
		room->thinking = 0;
	/* Timers, and the computer, try again after a while. */
	room->deadline = room->server->time + RETRY_MS;
	mrl__rooms_schedule(room);
	/* Somebody else's event has this number, or the disk has more than it told: what it has is right. */
	if (status == MRL_CONFLICT || status == MRL_MISSING)
		mrl__rooms_reload(room);
	else
		mrl__room_pump(room);
}

static void on_committed(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__commit *commit = user;
	struct mrl__server *server = commit->server;
	struct mrl__room *room = commit->room;
	uint64_t game = room->id;

	if (answer->status != MRL_OK) {
		fail(commit, answer->status, answer->message);
		return;
	}
	mrl__metrics_commit(&commit->server->metrics, (uv_hrtime() - commit->begun) / 1000);
	count_events(&commit->server->metrics, &commit->batch);
	room->commit = NULL;
	tell_all(commit);
	/* It is in the store: if it is not here now it is loaded when somebody asks. */
	if (commit->rematch != NULL)
		(void)mrl__rooms_open(commit->server, commit->rematch_id, commit->rematch);
	free_commit(commit);
	/* One that had to be read anew, and could not be, is gone. */
	room = mrl__rooms_find(server, game);
	if (room == NULL)
		return;
	if (room->state == MRL__ROOM_READY)
		mrl__room_settle(room);
	mrl__room_pump(room);
}

/* ---- Making the change -------------------------------------------------------------------------------------- */

static void append_all(struct mrl_store_change *change, uint64_t game, uint64_t fence,
		       const struct mrl_play_batch *batch)
{
	char text[MRL_PLAY_EVENT_TEXT_SIZE];

	for (size_t i = 0; i < batch->count; i++) {
		const struct mrl_play_event *event = &batch->events[i];

		(void)mrl_play_event_write(event, text);
		const struct mrl_store_event kept = {
		    .number = event->number, .t = event->time, .wall = event->wall, .text = text, .fence = fence};

		mrl_change_append(change, game, &kept);
	}
}

static void count_day(struct mrl_store_change *change, const struct mrl_play_event *ended, uint32_t plies)
{
	int32_t day = (int32_t)(ended->wall / DAY_MS);

	if (ended->ended.reason == MRL_REASON_ABORTED)
		return;
	mrl_change_count_day(change, day, "games", 1);
	mrl_change_count_day(change, day, "turns", plies);
}

/* Whether a batch changes what lists show of a game. */
static bool changes_summary(const struct mrl_play_batch *batch)
{
	return find_event(batch, MRL_PLAY_JOINED) != NULL || find_event(batch, MRL_PLAY_STARTED) != NULL ||
	       find_event(batch, MRL_PLAY_ENDED) != NULL;
}

static void add_rematch(struct mrl__commit *commit, struct mrl_store_change *change)
{
	struct mrl__summary summary;
	const struct mrl_play_event *created = &commit->rematch->events[0];

	mrl__summary_new(&summary, commit->rematch_id, &created->created.settings, &created->created.owner,
			 created->wall);
	for (size_t i = 0; i < commit->rematch->count; i++)
		mrl__summary_event(&summary, &commit->rematch->events[i]);
	mrl_change_add_game(change, &summary.game);
	append_all(change, commit->rematch_id, 1, commit->rematch);
}

static void submit(struct mrl__commit *commit)
{
	struct mrl__room *room = commit->room;
	struct mrl_store_change *change = mrl_change_new();
	const struct mrl_play_event *ended = find_event(&commit->batch, MRL_PLAY_ENDED);
	struct mrl_error error;

	append_all(change, room->id, room->fence, &commit->batch);
	if (changes_summary(&commit->batch)) {
		struct mrl__summary summary;

		mrl__summary_of(&summary, &room->game, room->started, &commit->batch);
		mrl_change_put_game(change, &summary.game);
		if (ended != NULL)
			count_day(change, ended, summary.game.plies);
	}
	for (unsigned seat = 0; commit->rates && seat < 2; seat++)
		mrl_change_set_rating(change, &commit->rating[seat]);
	if (commit->rematch != NULL)
		add_rematch(commit, change);
	enum mrl_status status = mrl_store_submit(commit->server->store, change, on_committed, commit, &error);

	if (status != MRL_OK)
		fail(commit, status, error.message);
}

/* ---- Ratings ------------------------------------------------------------------------------------------------ */

static int32_t thousandths(double value)
{
	return (int32_t)lround(value * 1000);
}

static void on_ratings(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__commit *commit = user;
	const struct mrl_play_game *game = &commit->room->game;
	struct mrl_rating now[2] = {MRL_RATING_START, MRL_RATING_START};
	const struct mrl_play_event *ended = find_event(&commit->batch, MRL_PLAY_ENDED);

	if (answer->status != MRL_OK || ended == NULL) {
		fail(commit, answer->status == MRL_OK ? MRL_SYSTEM : answer->status, answer->message);
		return;
	}
	for (unsigned seat = 0; seat < 2; seat++) {
		struct mrl_store_rating *kept = &commit->rating[seat];

		*kept = (struct mrl_store_rating){.person = game->player[seat].person};
		for (size_t i = 0; i < answer->rating_count; i++) {
			if (answer->ratings[i].person == kept->person)
				*kept = answer->ratings[i];
		}
		if (kept->games > 0)
			now[seat] = (struct mrl_rating){thousandths(kept->rating), thousandths(kept->deviation),
							(int32_t)lround(kept->volatility * 1e9)};
	}
	commit->rates = mrl_play_rate(game, &commit->batch, now);
	const struct mrl_play_event *rated = find_event(&commit->batch, MRL_PLAY_RATED);

	for (unsigned seat = 0; rated != NULL && seat < 2; seat++) {
		struct mrl_store_rating *kept = &commit->rating[seat];
		const struct mrl_rating *after = &rated->rated.after[seat];
		bool white = mrl_play_side_of(game, seat) == MRL_WHITE;

		kept->rules = commit->rules;
		kept->speed = mrl_play_speed(&game->tempo);
		kept->rating = after->rating / 1000.0;
		kept->deviation = after->deviation / 1000.0;
		kept->volatility = after->volatility / 1e9;
		kept->games++;
		if (ended->ended.outcome == MRL_DRAW)
			kept->draws++;
		else if ((ended->ended.outcome == MRL_WHITE_WINS) == white)
			kept->wins++;
		else
			kept->losses++;
		kept->changed = ended->wall;
		kept->game = commit->room->id;
		kept->name = NULL;
	}
	submit(commit);
}

/* ---- Beginning ---------------------------------------------------------------------------------------------- */

/* The game that two have agreed on to play next: false when there is no memory. */
static bool prepare_rematch(struct mrl__commit *commit)
{
	const struct mrl_play_event *agreed = find_event(&commit->batch, MRL_PLAY_REMATCH);

	if (agreed == NULL)
		return true;
	/* The new game's T is this node's. */
	const struct mrl_play_now now = {
	    .time = mrl__room_shown(commit->room, agreed->time), .wall = agreed->wall, .random = mrl__random()};

	commit->rematch = malloc(sizeof(*commit->rematch));
	commit->rematch_id = agreed->rematch;
	return commit->rematch != NULL &&
	       mrl_play_create_rematch(&commit->room->game, &commit->batch, &now, commit->rematch) == MRL_CODE_OK;
}

void mrl__commit_begin(struct mrl__room *room, struct mrl__order *order, const struct mrl_play_batch *batch,
		       const struct mrl_play_answer *answer)
{
	struct mrl__commit *commit = calloc(1, sizeof(*commit));
	struct mrl__server *server = room->server;

	if (commit == NULL) {
		mrl__order_refuse(order, room->id, "unavailable", "There is no memory for this at the moment.");
		return;
	}
	commit->server = server;
	commit->room = room;
	commit->order = order;
	commit->answer = *answer;
	commit->batch = *batch;
	commit->begun = uv_hrtime();
	commit->rules = mrl__rulebook_text(room->rules);
	room->commit = commit;
	server->rooms.commits++;
	if (!prepare_rematch(commit)) {
		fail(commit, MRL_SPACE, "there is no memory for a rematch");
		return;
	}
	if (!mrl_play_rates(&room->game, &commit->batch)) {
		submit(commit);
		return;
	}
	enum mrl_status status =
	    mrl_store_find_ratings(server->store, room->game.player[0].person, room->game.player[1].person,
				   commit->rules, mrl_play_speed(&room->game.tempo), on_ratings, commit);

	if (status != MRL_OK)
		fail(commit, status, "the ratings cannot be read");
}
