/* The load as a whole: makes everybody, lets them come, cuts them off, and sees that it ends. */
#include "load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <merels/text.h>
#include <os/clock.h>

#include "load_internal.h"

enum { BEAT_MS = 100, SILENCE_S = 30, NODES_SILENCE_S = 75, FINISH_S = 30, CLOCK_SLACK_MS = 50 };

#define SECOND UINT64_C(1000000000)
#define MILLISECOND INT64_C(1000000)

/* ---- Chance and time ---------------------------------------------------------------------------------------- */

uint64_t load_random(struct load *load)
{
	/* splitmix64 */
	uint64_t z = load->random += 0x9e3779b97f4a7c15U;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
	return z ^ (z >> 31);
}

bool load_chance(struct load *load, double part)
{
	return part > 0 && (double)(load_random(load) >> 11) < part * (double)(UINT64_C(1) << 53);
}

static int64_t milliseconds(uint64_t moment)
{
	return (int64_t)moment / MILLISECOND;
}

/*
 * Service time goes on from where it stood: what was told of it is not lost, and the time of no server is not in it.
 * Where it stood when the server was killed can be told only as well as the server had a processor just then; so what
 * it has told counts against losses.
 */
static void check_restart(struct load *load, int64_t moment, uint64_t now)
{
	int64_t passed = load->started != 0 ? milliseconds(now) - milliseconds(load->started) : 0;
	int64_t early = load->told - moment;
	int64_t late = moment - (load->died_at + passed);
	int64_t error = early > 0 ? early : late > 0 ? late : 0;

	if (error > load->stats.clock_error)
		load->stats.clock_error = error;
	if (error > CLOCK_SLACK_MS)
		load_fault(&load->stats, LOAD_FAULT_CLOCK,
			   "service time was told as %lld, was about %lld when the server was killed, is %lld after "
			   "%lld ms up",
			   (long long)load->told, (long long)load->died_at, (long long)moment, (long long)passed);
	load->told = moment;
	load->died = false;
	load->time_known = false;
}

void load_heard_time(struct load *load, uint64_t moment, bool exact)
{
	uint64_t now = mrl_clock_now();
	int64_t offset = (int64_t)moment - milliseconds(now);

	/* Each node has a service time of its own. */
	if (load->plan.nodes)
		return;
	if (load->died) {
		if (!exact || load->started == 0)
			return;
		check_restart(load, (int64_t)moment, now);
	}
	if (!load->time_known || offset > load->time_offset)
		load->time_offset = offset;
	load->time_known = true;
	if ((int64_t)moment > load->told)
		load->told = (int64_t)moment;
}

void load_server_killed(struct load *load)
{
	if (!load->time_known || load->plan.nodes)
		return;
	load->died = true;
	load->started = 0;
	load->died_at = milliseconds(mrl_clock_now()) + load->time_offset;
}

void load_server_started(struct load *load)
{
	load->started = mrl_clock_now();
}

/* ---- Making ------------------------------------------------------------------------------------------------- */

static void make_visitor(struct load *load, struct load_visitor *visitor, enum load_role role, struct load_table *table)
{
	/* Players of a table come one after the other, so they sit at different servers where there are several. */
	visitor->server = (unsigned)(load->next_server++ % load->plan.servers);
	visitor->load = load;
	visitor->role = (uint8_t)role;
	visitor->table = table;
	if (load->plan.addresses > 0)
		visitor->source = 1 + (unsigned)(load->next_source++ % load->plan.addresses);
	(void)uv_timer_init(load->loop, &visitor->pause);
	visitor->pause.data = visitor;
	load->handles++;
}

static void make_table(struct load *load, unsigned index)
{
	struct load_table *table = &load->tables[index];
	const struct load_plan *plan = &load->plan;

	/* The first of them at each server as often as the second. */
	load->next_server = index;
	table->load = load;
	table->index = index;
	table->rated = index < plan->rated;
	(void)uv_timer_init(load->loop, &table->timer);
	table->timer.data = table;
	load->handles++;
	for (uint8_t seat = 0; seat < 2; seat++) {
		struct load_visitor *player = &table->players[seat];

		if (plan->together)
			load->next_server = index;
		make_visitor(load, player, LOAD_PLAYER, table);
		player->seat = seat;
		player->account = table->rated;
		(void)snprintf(player->name, sizeof(player->name), "L%08x-%u%c", (unsigned)(plan->seed & 0xffffffffU),
			       index % 100000, 'a' + seat);
	}
}

static void share_watchers(struct load *load)
{
	const struct load_plan *plan = &load->plan;
	unsigned shared = plan->watched == 0 ? 1 : plan->watched;
	size_t from = 0;

	for (unsigned i = 0; i < shared && i < plan->games; i++) {
		size_t end = (size_t)plan->watchers * (i + 1) / shared;

		load->tables[i].watcher_from = from;
		load->tables[i].watcher_end = end;
		for (; from < end; from++)
			make_visitor(load, &load->watchers[from], LOAD_WATCHER, &load->tables[i]);
	}
}

static enum mrl_status refuse(struct mrl_error *error, const char *why)
{
	struct mrl_text text = mrl_error_open(error, MRL_RANGE, 0, 0);

	mrl_text_add(&text, why);
	return MRL_RANGE;
}

static enum mrl_status check_plan(const struct load_plan *plan, struct mrl_error *error)
{
	if (plan->servers == 0 || plan->servers > LOAD_SERVERS)
		return refuse(error, "one server at least is needed, and no more than 16");
	if (plan->watchers > 0 && (plan->games == 0 || plan->watched > plan->games))
		return refuse(error, "watchers need a game of this load to watch, and no more games than there are");
	if (plan->rated > plan->games)
		return refuse(error, "there cannot be more rated games than games");
	if (plan->rated > 0 && plan->base == 0)
		return refuse(error, "rated games need a clock");
	if (plan->rate > 0 && plan->base > 0 && (double)plan->games / plan->rate > 15)
		return refuse(error,
			      "at this rate first turns would come too late for games with a clock: fewer games, "
			      "more turns, or no clock");
	return MRL_OK;
}

enum mrl_status load_new(struct load **load, struct uv_loop_s *loop, const struct load_plan *plan,
			 struct mrl_error *error)
{
	struct load *made = NULL;
	enum mrl_status status = check_plan(plan, error);

	if (status != MRL_OK)
		return status;
	made = calloc(1, sizeof(*made));
	if (made == NULL)
		return refuse(error, "no memory");
	made->plan = *plan;
	made->loop = loop;
	made->random = plan->seed;
	made->tables = calloc((size_t)plan->games + 1, sizeof(*made->tables));
	made->watchers = calloc((size_t)plan->watchers + 1, sizeof(*made->watchers));
	made->idle = calloc((size_t)plan->idle + 1, sizeof(*made->idle));
	if (made->tables == NULL || made->watchers == NULL || made->idle == NULL)
		status = refuse(error, "no memory for so many");
	else
		status = MRL_OK;
	for (unsigned i = 0; status == MRL_OK && i < plan->servers; i++)
		status = mrl_client_new(&made->clients[i], loop, plan->urls[i], error);
	if (status != MRL_OK) {
		for (unsigned i = 0; i < plan->servers; i++)
			mrl_client_free(made->clients[i]);
		free(made->tables);
		free(made->watchers);
		free(made->idle);
		free(made);
		return status;
	}
	for (unsigned i = 0; i < plan->games; i++)
		make_table(made, i);
	share_watchers(made);
	for (unsigned i = 0; i < plan->idle; i++)
		make_visitor(made, &made->idle[i], LOAD_IDLE, NULL);
	(void)uv_timer_init(loop, &made->beat);
	made->beat.data = made;
	made->handles++;
	*load = made;
	return MRL_OK;
}

/* ---- The beat ----------------------------------------------------------------------------------------------- */

static void cut_some(struct load *load)
{
	size_t players = 2 * (size_t)load->plan.games;
	size_t all = players + load->plan.watchers;

	if (all == 0 || load->finishing)
		return;
	load->cuts_due += load->plan.cuts * BEAT_MS / 1000;
	for (; load->cuts_due >= 1; load->cuts_due--) {
		size_t who = load_random(load) % all;

		load_visitor_cut(who < players ? &load->tables[who / 2].players[who % 2]
					       : &load->watchers[who - players]);
	}
}

static void complain(struct load_table *table, unsigned seconds)
{
	char text[LOAD_TOLD_SIZE];

	load_table_describe(table, text);
	load_fault(&table->load->stats, LOAD_FAULT_SILENT, "nothing for %u s: %.200s", seconds, text);
}

static void look_after(struct load_table *table, uint64_t now)
{
	struct load *load = table->load;
	struct load_command *command = &table->command;
	bool waits = command->out || table->asked || table->phase == LOAD_PARTING ||
		     (load->plan.nodes && table->phase == LOAD_PLAYING);
	unsigned silence = load->plan.nodes ? NODES_SILENCE_S : SILENCE_S;

	if (command->out && command->unavailable && table->players[command->player].caught_up) {
		command->unavailable = false;
		load_command_again(table);
	}
	if (!waits || load->finishing || now - table->since < silence * SECOND || load->died)
		return;
	complain(table, silence);
	table->since = now;
	if (table->asked && table->arrangement == LOAD_BY_LOBBY) {
		table->asked = false;
		load_table_step(table);
	}
}

static void see_to_the_end(struct load *load, uint64_t now)
{
	bool late = now >= load->finish_by;
	bool over = true;

	for (unsigned i = 0; i < load->plan.games; i++) {
		struct load_table *table = &load->tables[i];

		load_table_step(table);
		if (table->phase == LOAD_SETTLED)
			continue;
		if (late)
			complain(table, FINISH_S);
		over = false;
	}
	load->over = over || late;
}

static void look_after_visitors(struct load *load, uint64_t now)
{
	for (unsigned i = 0; i < load->plan.games; i++) {
		load_visitor_look_after(&load->tables[i].players[0], now);
		load_visitor_look_after(&load->tables[i].players[1], now);
	}
	for (unsigned i = 0; i < load->plan.watchers; i++)
		load_visitor_look_after(&load->watchers[i], now);
	for (unsigned i = 0; i < load->plan.idle; i++)
		load_visitor_look_after(&load->idle[i], now);
}

static void on_beat(uv_timer_t *timer)
{
	struct load *load = timer->data;
	uint64_t now = mrl_clock_now();

	if (load->over || load->closing)
		return;
	cut_some(load);
	if (load->plan.nodes)
		look_after_visitors(load, now);
	for (unsigned i = 0; i < load->plan.games; i++)
		look_after(&load->tables[i], now);
	if (load->finishing)
		see_to_the_end(load, now);
}

/* ---- Beginning and end -------------------------------------------------------------------------------------- */

void load_begin(struct load *load)
{
	load->begun = mrl_clock_now();
	for (unsigned i = 0; i < load->plan.games; i++) {
		load->tables[i].since = load->begun;
		load_visitor_come(&load->tables[i].players[0]);
		load_visitor_come(&load->tables[i].players[1]);
	}
	for (unsigned i = 0; i < load->plan.watchers; i++)
		load_visitor_come(&load->watchers[i]);
	for (unsigned i = 0; i < load->plan.idle; i++)
		load_visitor_come(&load->idle[i]);
	(void)uv_timer_start(&load->beat, on_beat, BEAT_MS, BEAT_MS);
}

void load_finish(struct load *load)
{
	load->finishing = true;
	load->finish_by = mrl_clock_now() + FINISH_S * SECOND;
}

bool load_is_over(const struct load *load)
{
	return load->over;
}

static void on_handle_closed(uv_handle_t *handle)
{
	/* Tables, visitors and the load itself all lead to the load. */
	size_t *handles = handle->data;

	--*handles;
}

static void close_timer(struct load *load, uv_timer_t *timer)
{
	timer->data = &load->handles;
	uv_close((uv_handle_t *)timer, on_handle_closed);
}

static void dismiss(struct load *load, struct load_visitor *visitor)
{
	visitor->wanted = false;
	if (visitor->socket != NULL)
		mrl_client_cut(visitor->socket);
	visitor->socket = NULL;
	close_timer(load, &visitor->pause);
}

static bool is_busy(const struct load *load)
{
	for (unsigned i = 0; i < load->plan.servers; i++) {
		if (mrl_client_busy(load->clients[i]) > 0)
			return true;
	}
	return false;
}

void load_free(struct load *load)
{
	if (load == NULL)
		return;
	load->closing = true;
	load->queue = NULL;
	load->queue_end = NULL;
	for (unsigned i = 0; i < load->plan.games; i++) {
		dismiss(load, &load->tables[i].players[0]);
		dismiss(load, &load->tables[i].players[1]);
		close_timer(load, &load->tables[i].timer);
	}
	for (unsigned i = 0; i < load->plan.watchers; i++)
		dismiss(load, &load->watchers[i]);
	for (unsigned i = 0; i < load->plan.idle; i++)
		dismiss(load, &load->idle[i]);
	close_timer(load, &load->beat);
	while (is_busy(load) || load->handles > 0)
		(void)uv_run(load->loop, UV_RUN_ONCE);
	for (unsigned i = 0; i < load->plan.games; i++)
		load_table_leave(&load->tables[i]);
	for (unsigned i = 0; i < load->plan.servers; i++)
		mrl_client_free(load->clients[i]);
	free(load->tables);
	free(load->watchers);
	free(load->idle);
	free(load);
}

/* ---- Asked from outside ------------------------------------------------------------------------------------- */

const struct load_stats *load_stats(const struct load *load)
{
	return &load->stats;
}

void load_measure(struct load *load)
{
	struct load_stats *stats = &load->stats;
	struct load_stats fresh = {.told = stats->told,
				   .games_begun = stats->games_begun,
				   .games_over = stats->games_over,
				   .games_on_time = stats->games_on_time,
				   .clock_error = stats->clock_error,
				   .join = stats->join};

	memcpy(fresh.faults, stats->faults, sizeof(fresh.faults));
	memcpy(fresh.tale, stats->tale, sizeof(fresh.tale));
	*stats = fresh;
}

size_t load_open(const struct load *load)
{
	return load->open;
}

size_t load_wanted(const struct load *load)
{
	return 2 * (size_t)load->plan.games + load->plan.watchers + load->plan.idle;
}

size_t load_playing(const struct load *load)
{
	size_t playing = 0;

	for (unsigned i = 0; i < load->plan.games; i++) {
		const struct load_table *table = &load->tables[i];

		playing += table->phase == LOAD_PLAYING && table->players[0].caught_up && table->players[1].caught_up;
	}
	return playing;
}
