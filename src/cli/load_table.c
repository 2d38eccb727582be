/* A table: two players, one game after another, and those who watch. */
#include <stdio.h>
#include <string.h>

#include <os/clock.h>

#include "load_event.h"
#include "load_internal.h"

enum {
	MOST_TOLD_AGAIN = 64, /* events that the server tells again */
	BEGUN = 3             /* number of the event with which a game begins */
};

unsigned load_table_other(const struct load_table *table, unsigned seat_or_player)
{
	/* Seat 0 is the owner's; with owner 0 seats and players have the same numbers, with owner 1 they are swapped.
	 */
	return table->owner == 0 ? seat_or_player : 1 - seat_or_player;
}

static void on_timer(uv_timer_t *timer)
{
	load_table_step(timer->data);
}

void load_table_step_later(struct load_table *table, uint64_t pause)
{
	(void)uv_timer_start(&table->timer, on_timer, pause, 0);
}

/* ---- A game begins ------------------------------------------------------------------------------------------ */

static void change_game(struct load_visitor *visitor, const char *left)
{
	if (left[0] != '\0')
		(void)load_visitor_say(visitor, "{\"t\":\"leave\",\"game\":\"%s\"}", left);
	visitor->receiver.last = 0;
	load_visitor_watch(visitor, true);
}

void load_table_moved(struct load_table *table)
{
	table->moved = mrl_clock_now();
	table->cut = 0;
}

void load_table_leave(struct load_table *table)
{
	const struct load_plan *plan = &table->load->plan;

	if (table->model != NULL && plan->left != NULL)
		plan->left(plan->user, table->model);
	load_model_free(table->model);
	table->model = NULL;
}

void load_table_begin(struct load_table *table)
{
	struct load *load = table->load;
	char left[MRL_ID_TEXT_SIZE];

	memcpy(left, table->game, sizeof(left));
	memcpy(table->game, table->next, sizeof(table->game));
	table->next[0] = '\0';
	load_table_leave(table);
	table->phase = LOAD_PLAYING;
	table->asked = false;
	table->since = mrl_clock_now();
	load_table_moved(table);
	table->command.out = false;
	memset(table->last, 0, sizeof(table->last));
	memset(table->refused, 0, sizeof(table->refused));
	memset(table->done, 0, sizeof(table->done));
	table->turn.clean = false;
	table->games++;
	load->stats.games_begun++;
	for (size_t i = 0; i < 2; i++)
		change_game(&table->players[i], left);
	for (size_t i = table->watcher_from; i < table->watcher_end; i++)
		change_game(&load->watchers[i], left);
}

/* ---- A game ends -------------------------------------------------------------------------------------------- */

/* Commands that were refused, and may have been done later without anybody having been told by an answer. */
static uint32_t refused(const struct load_table *table, uint8_t kind)
{
	uint32_t count = 0;

	for (unsigned i = 0; i < LOAD_REFUSED; i++) {
		const struct load_refused *one = &table->refused[i];

		count += one->id[0] != '\0' && one->n == 0 && one->deed.kind == kind;
	}
	return count;
}

/* As many events as commands that made them: none lost, none done twice. */
static void check_counts(struct load_table *table)
{
	static const uint8_t kinds[] = {MRL_PLAY_TURN,     MRL_PLAY_OFFERED, MRL_PLAY_DECLINED,
					MRL_PLAY_TAKEBACK, MRL_PLAY_TIME,    MRL_PLAY_CHAT};

	for (size_t i = 0; i < sizeof(kinds); i++) {
		uint32_t told = load_model_count(table->model, kinds[i]);
		uint32_t done = table->done[kinds[i]];

		if (told < done || told > done + refused(table, kinds[i]))
			load_fault(&table->load->stats, told > done ? LOAD_FAULT_DOUBLED : LOAD_FAULT_LOST,
				   "game %s: %u commands for a %s were acknowledged, %u events came", table->game, done,
				   mrl_play_kind_text(kinds[i]), told);
	}
}

/* A rating begins where the last game left it. */
static void check_ratings(struct load_table *table)
{
	long before[2];
	long after[2];

	if (!load_model_ratings(table->model, before, after))
		return;
	for (unsigned seat = 0; seat < 2; seat++) {
		struct load_visitor *player = &table->players[load_table_other(table, seat)];

		if (player->rated_games > 0 && player->rating != before[seat])
			load_fault(&table->load->stats, LOAD_FAULT_LOST,
				   "game %s: %s begins at %ld, after a game that ended at %ld", table->game,
				   player->name, before[seat], player->rating);
		player->rating = after[seat];
		player->rated_games++;
		table->load->stats.ratings++;
	}
}

static bool all_heard(const struct load_table *table)
{
	const struct mrl_play_game *game = load_model_game(table->model);

	for (size_t i = 0; i < 2; i++) {
		if (!table->players[i].caught_up || table->players[i].receiver.last < load_model_known(table->model))
			return false;
	}
	if (game->number != load_model_known(table->model))
		return false;
	/* At other nodes there may be a watcher who has not heard of it yet, and must. */
	for (size_t i = table->watcher_from; table->load->plan.nodes && i < table->watcher_end; i++) {
		const struct load_visitor *watcher = &table->load->watchers[i];

		if (!watcher->caught_up || watcher->receiver.last < load_model_known(table->model))
			return false;
	}
	/* The ratings follow the end of a rated game. */
	return !game->rated || game->phase != MRL_PLAY_FINISHED || game->was_rated ||
	       game->verdict.reason == MRL_REASON_ABORTED;
}

static void part(struct load_table *table)
{
	struct load *load = table->load;
	const struct mrl_play_game *game = load_model_game(table->model);

	table->since = mrl_clock_now();
	load->stats.games_over++;
	if (game->verdict.reason == MRL_REASON_TIME || game->verdict.reason == MRL_REASON_ABORTED)
		load->stats.games_on_time++;
	check_counts(table);
	check_ratings(table);
	if (!load->finishing && !table->rated && load_chance(load, 0.3)) {
		table->arrangement = LOAD_BY_REMATCH;
		load_arrange_ask_rematch(table);
		return;
	}
	table->phase = LOAD_ARRANGING;
	load_table_step(table);
}

/* ---- The load ends ------------------------------------------------------------------------------------------ */

/* Everything is compared once more with what the server has now. */
static void settle(struct load_table *table)
{
	if (table->checking) {
		if (table->checks == 0)
			table->phase = LOAD_SETTLED;
		return;
	}
	if (table->phase == LOAD_PLAYING && table->model != NULL)
		check_counts(table);
	table->checking = true;
	table->checks = 0;
	if (table->model != NULL) {
		for (size_t i = 0; i < 2; i++) {
			table->checks++;
			load_visitor_watch(&table->players[i], true);
		}
	}
	if (table->rated)
		load_arrange_check_ratings(table);
	settle(table);
}

/* ---- Going on ----------------------------------------------------------------------------------------------- */

static bool both_here(const struct load_table *table)
{
	return table->players[0].welcomed && table->players[1].welcomed;
}

void load_table_step(struct load_table *table)
{
	struct load *load = table->load;

	if (load->closing)
		return;
	switch (table->phase) {
	case LOAD_COMING:
	case LOAD_ARRANGING:
		if (load->finishing && !table->asked)
			settle(table);
		else if (both_here(table) && !table->asked && !load->finishing) {
			table->phase = LOAD_ARRANGING;
			load_arrange(table);
		}
		return;
	case LOAD_PLAYING:
		if (table->model == NULL)
			return;
		if (load_model_game(table->model)->phase == MRL_PLAY_FINISHED && !table->command.out) {
			table->phase = LOAD_PARTING;
			table->arrangement = LOAD_BY_LINK;
			load_table_step(table);
		} else if (load->finishing && !table->command.out && all_heard(table)) {
			settle(table);
		} else if (!table->checking) {
			load_command_next(table);
		}
		return;
	case LOAD_PARTING:
		/* With a rematch asked for, the new game is what is waited for. */
		if (table->arrangement == LOAD_BY_REMATCH) {
			if (load->finishing)
				settle(table);
			return;
		}
		if (all_heard(table))
			part(table);
		return;
	default:
		return;
	}
}

/* ---- What comes from the sockets ---------------------------------------------------------------------------- */

void load_table_welcomed(struct load_table *table, struct load_visitor *visitor)
{
	if (table->phase >= LOAD_PLAYING || (visitor->role == LOAD_WATCHER && table->game[0] != '\0'))
		load_visitor_watch(visitor,
				   visitor->receiver.last == 0 || table->checking || load_chance(table->load, 0.3));
	load_table_step(table);
}

void load_table_lost(struct load_table *table, struct load_visitor *visitor)
{
	if (visitor->role != LOAD_PLAYER)
		return;
	table->turn.clean = false;
	/* Half of an arrangement is worth nothing without the socket. */
	if (table->phase == LOAD_ARRANGING && table->arrangement == LOAD_BY_LOBBY)
		table->asked = false;
}

/* A game that is over may have waited for this watcher alone. */
static void step_when_over(struct load_table *table)
{
	if (table->phase == LOAD_PARTING)
		load_table_step(table);
}

static void caught_up(struct load_table *table, struct load_visitor *visitor)
{
	visitor->caught_up = true;
	table->since = mrl_clock_now();
	if (visitor->role != LOAD_PLAYER) {
		step_when_over(table);
		return;
	}
	if (table->checking && table->checks > 0)
		table->checks--;
	if (table->command.out && &table->players[table->command.player] == visitor)
		load_command_again(table);
	if (table->phase == LOAD_PARTING && table->arrangement == LOAD_BY_REMATCH && !table->checking)
		load_arrange_ask_rematch(table);
	load_table_step(table);
}

void load_table_snapshot(struct load_table *table, struct load_visitor *visitor, json_t *snapshot)
{
	struct load *load = table->load;
	uint32_t n = 0;

	if (table->model != NULL) {
		uint32_t told = load_model_game(table->model)->number;

		load_model_snapshot(table->model, &visitor->receiver, snapshot);
		/* With both players away nobody may have been told what it has; then it is asked for, event by event.
		 */
		if (visitor->role == LOAD_PLAYER && visitor->receiver.last > told &&
		    visitor->receiver.last - told <= MOST_TOLD_AGAIN) {
			uint32_t before = load_model_before_turn(table->model);

			if (before > 0 && visitor->receiver.last - before <= MOST_TOLD_AGAIN)
				told = before;
			visitor->receiver.last = told;
			visitor->receiver.back = true;
			(void)load_visitor_say(visitor, "{\"t\":\"watch\",\"game\":\"%s\",\"last\":%u}", table->game,
					       told);
			return;
		}
	} else if (load->plan.nodes && load_number(snapshot, "n", &n) && n < BEGUN) {
		visitor->too_early = true;
		return;
	} else {
		table->model = load_model_new(&load->plan.rules, snapshot, &load->stats, load->plan.nodes);
		if (table->model == NULL || !load_number(snapshot, "n", &n)) {
			/* It cannot be followed: another one. */
			table->phase = LOAD_ARRANGING;
			load_table_step_later(table, 1000);
			return;
		}
		visitor->receiver.last = n;
		if (strcmp(load_model_id(table->model), table->game) != 0)
			load_fault(&load->stats, LOAD_FAULT_WRONG, "the snapshot of another game");
	}
	caught_up(table, visitor);
}

static void on_caught_up(struct load_table *table, struct load_visitor *visitor, json_t *message)
{
	uint32_t n = 0;

	if (!load_number(message, "n", &n) || n != visitor->receiver.last ||
	    (n < visitor->receiver.known && !table->load->plan.nodes))
		load_fault(&table->load->stats, LOAD_FAULT_LOST,
			   "game %s: caught up to %u with %u received and %u known", table->game, n,
			   visitor->receiver.last, visitor->receiver.known);
	visitor->receiver.back = false;
	caught_up(table, visitor);
}

/* With nodes: a game that could not be read just now, as its node or the database is away. It is asked for again. */
static bool cannot_be_watched(const struct load_table *table, json_t *message)
{
	const char *code = json_string_value(json_object_get(message, "code"));

	return table->load->plan.nodes && json_string_value(json_object_get(message, "id")) == NULL && code != NULL &&
	       strcmp(code, "unavailable") == 0;
}

void load_table_message(struct load_table *table, struct load_visitor *visitor, const char *kind, json_t *message)
{
	const char *game = json_string_value(json_object_get(message, "game"));
	bool ours = game != NULL && strcmp(game, table->game) == 0;

	if (strcmp(kind, "caught-up") == 0 && ours)
		on_caught_up(table, visitor, message);
	else if (strcmp(kind, "no") == 0 && ours && cannot_be_watched(table, message))
		visitor->too_early = true;
	else if (visitor->role != LOAD_PLAYER)
		return;
	else if (strcmp(kind, "done") == 0 && ours)
		load_command_done(table, visitor, message);
	else if (strcmp(kind, "no") == 0 && ours)
		load_command_refused(table, visitor, message);
	else
		load_arrange_message(table, visitor, kind, message);
}

void load_table_news(struct load_table *table, struct load_visitor *visitor, const struct load_news *news)
{
	struct load *load = table->load;
	bool is_turn = news->kind == MRL_PLAY_TURN && table->turn.clean && news->ply == table->turn.ply;
	struct load_command *command = &table->command;

	/* Who has just come back is told it again. */
	if (is_turn && visitor->role == LOAD_WATCHER && visitor->caught_up)
		load_spans_add(&load->stats.watched, mrl_clock_now() - table->turn.sent);
	if (visitor->role != LOAD_PLAYER) {
		step_when_over(table);
		return;
	}
	table->since = mrl_clock_now();
	if (is_turn && !table->turn.heard && load_table_other(table, visitor->seat) != news->seat) {
		table->turn.heard = true;
		load_spans_add(&load->stats.receipt, mrl_clock_now() - table->turn.sent);
	}
	if (command->out && command->acknowledged && load_model_game(table->model)->number >= command->n)
		command->out = false;
	load_table_step(table);
}
