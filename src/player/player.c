/*
 * Threads around a search. All work on the same position through one transposition table and so help each other (Lazy
 * SMP); the result is that of worker 0, and when it ends, all end.
 */
#include <merels/player.h>

#include <stdatomic.h>
#include <stdlib.h>

#include <os/clock.h>
#include <os/ram.h>
#include <os/thread.h>

#define NEVER UINT64_MAX
#define MILLISECOND UINT64_C(1000000)
#define ALIGNMENT 64
#define ALWAYS_TRIED ((uint64_t)128 << 20)

struct worker {
	struct mrl_player *player;
	unsigned number;
	void *memory;
	struct mrl_search *search;
	struct mrl_thread *thread; /* of a helper while a search runs */
	atomic_bool counts;        /* its search has begun, so its count of nodes is of this search */
	struct mrl_search_limits limits;
	struct mrl_search_result result;
};

struct mrl_player {
	struct worker *workers;
	unsigned count;
	const struct mrl_game *game;
	const struct mrl_player_limits *limits;
	struct mrl_thread *thread;             /* of worker 0, for a search that was started */
	struct mrl_player_allotment allotment; /* NEVER for no limit */
	bool forced;                           /* there is but one turn */
	bool helped;                           /* the helpers were started */
	uint64_t begin;                        /* moments are of mrl_clock_now() */
	_Atomic uint64_t hard_moment;          /* at which the search is cut */
	atomic_bool pondering;
	atomic_bool stopped;
	atomic_bool busy;
	struct mrl_monitor *monitor; /* for those who wait for `stopped` or the end of `pondering` */
	struct mrl_player_report report;
};

/* ---- Making ------------------------------------------------------------------------------------------------- */

/* Memory for a search, in large pages when it has a table of some size. */
static void *room_for(size_t *size)
{
	size_t alignment = *size >= 2 * MRL_LARGE_PAGE ? MRL_LARGE_PAGE : ALIGNMENT;
	void *memory;

	*size = (*size + alignment - 1) / alignment * alignment;
	memory = aligned_alloc(alignment, *size);
	if (memory != NULL && alignment == MRL_LARGE_PAGE)
		mrl_memory_prefer_large_pages(memory, *size);
	return memory;
}

static bool make_worker(struct mrl_player *player, unsigned number, size_t table)
{
	struct worker *worker = &player->workers[number];
	size_t size = number == 0 ? mrl_search_minimum() + table : mrl_search_join_size();

	worker->player = player;
	worker->number = number;
	worker->memory = room_for(&size);
	if (worker->memory == NULL)
		return false;
	worker->search = number == 0 ? mrl_search_init(worker->memory, size)
				     : mrl_search_join(worker->memory, size, player->workers[0].search);
	return worker->search != NULL;
}

struct mrl_player *mrl_player_new(unsigned threads, unsigned megabytes)
{
	if (threads == 0 || threads > MRL_PLAYER_MAX_THREADS || megabytes == 0 || megabytes > MRL_PLAYER_MAX_MEGABYTES)
		return NULL;
	/* The table is written to at once: much memory that is promised but not there would end the process. */
	uint64_t size = ((uint64_t)megabytes << 20) + threads * (uint64_t)mrl_search_join_size();

	if (size > ALWAYS_TRIED && size > mrl_memory_available())
		return NULL;
	struct mrl_player *player = calloc(1, sizeof(*player));

	if (player == NULL)
		return NULL;
	player->monitor = mrl_monitor_new();
	player->workers = calloc(threads, sizeof(*player->workers));
	player->count = player->workers != NULL ? threads : 0;
	bool made = player->monitor != NULL && player->workers != NULL;

	for (unsigned i = 0; made && i < threads; i++)
		made = make_worker(player, i, (size_t)megabytes << 20);
	if (made)
		return player;
	mrl_player_free(player);
	return NULL;
}

void mrl_player_free(struct mrl_player *player)
{
	if (player == NULL)
		return;
	for (unsigned i = 0; i < player->count; i++)
		free(player->workers[i].memory);
	free(player->workers);
	mrl_monitor_free(player->monitor);
	free(player);
}

void mrl_player_clear(struct mrl_player *player)
{
	/* The table is shared; what helpers remember besides only orders their turns. */
	mrl_search_clear(player->workers[0].search);
}

/* ---- Stopping ----------------------------------------------------------------------------------------------- */

void mrl_player_stop(struct mrl_player *player)
{
	mrl_monitor_enter(player->monitor);
	atomic_store(&player->stopped, true);
	mrl_monitor_wake(player->monitor);
	mrl_monitor_leave(player->monitor);
}

bool mrl_player_busy(const struct mrl_player *player)
{
	return atomic_load(&player->busy);
}

static uint64_t elapsed(const struct mrl_player *player)
{
	return (mrl_clock_now() - player->begin) / MILLISECOND;
}

void mrl_player_ponder_hit(struct mrl_player *player)
{
	if (!atomic_load(&player->pondering))
		return;
	if (player->allotment.hard != NEVER)
		atomic_store(&player->hard_moment, mrl_clock_now() + player->allotment.hard * MILLISECOND);
	mrl_monitor_enter(player->monitor);
	atomic_store(&player->pondering, false);
	if (elapsed(player) >= player->allotment.soft)
		atomic_store(&player->stopped, true);
	mrl_monitor_wake(player->monitor);
	mrl_monitor_leave(player->monitor);
}

static uint64_t all_nodes(const struct mrl_player *player)
{
	uint64_t nodes = 0;

	for (unsigned i = 0; i < player->count; i++)
		if (atomic_load_explicit(&player->workers[i].counts, memory_order_relaxed))
			nodes += mrl_search_nodes(player->workers[i].search);
	return nodes;
}

/* ---- Reporting ---------------------------------------------------------------------------------------------- */

static void fill_report(struct mrl_player *player, const struct mrl_search_result *result)
{
	struct mrl_player_report *report = &player->report;
	uint64_t nanoseconds = mrl_clock_now() - player->begin;

	report->elapsed = nanoseconds / MILLISECOND;
	report->nodes = all_nodes(player);
	report->per_second = nanoseconds == 0 ? 0 : (uint64_t)((double)report->nodes * 1e9 / (double)nanoseconds);
	report->probes = result->probes;
	if (&report->result != result)
		report->result = *result;
}

/* The plies of the win, or of the loss, that the best line ends with; 0 when it is neither. */
static unsigned plies_to_end(const struct mrl_search_result *result)
{
	int score = result->lines[0].score;
	int size = score < 0 ? -score : score;

	return size > MRL_SCORE_DECIDED ? (unsigned)(MRL_SCORE_WIN - size) : 0;
}

/* Whether the iteration that was just finished is a good last one. */
static bool enough(const struct mrl_player *player)
{
	const struct mrl_player_limits *limits = player->limits;
	const struct mrl_search_result *result = &player->report.result;
	unsigned plies = plies_to_end(result);

	if (limits->infinite || atomic_load(&player->pondering))
		return false;
	if (player->report.elapsed >= player->allotment.soft)
		return true;
	if (limits->has_clock && player->forced)
		return true;
	if (limits->win != 0 && plies != 0 && plies <= limits->win && result->lines[0].score > 0)
		return true;
	/* A certain end, that pondering went on searching beyond. */
	return limits->ponder && plies != 0 && plies <= result->depth;
}

static void report(void *context, const struct mrl_search_result *result)
{
	struct mrl_player *player = ((const struct worker *)context)->player;

	fill_report(player, result);
	if (player->limits->report != NULL)
		player->limits->report(player->limits->context, &player->report);
	if (enough(player))
		mrl_player_stop(player);
}

/* ---- Helpers ------------------------------------------------------------------------------------------------ */

static void help(void *context)
{
	struct worker *worker = context;

	/* What it learned is in the table. */
	(void)!mrl_search_run(worker->search, worker->player->game, &worker->limits, &worker->result);
}

/*
 * Done by the leader from inside its search: by then it has made the table fit the rule set, and a search that is over
 * at once has started nobody. A helper that gets no thread is missed, not fatal.
 */
static void start_helpers(struct mrl_player *player)
{
	player->helped = true;
	for (unsigned i = 1; i < player->count; i++)
		player->workers[i].thread = mrl_thread_start(help, &player->workers[i]);
}

static void join_helpers(struct mrl_player *player)
{
	for (unsigned i = 1; i < player->count; i++) {
		mrl_thread_join(player->workers[i].thread);
		player->workers[i].thread = NULL;
	}
}

/* A player of a lower level thinks alone. */
static bool is_weak(const struct mrl_player *player)
{
	return player->limits->level > 0 && player->limits->level < MRL_LEVELS;
}

static bool nodes_are_spent(const struct mrl_player *player)
{
	uint64_t most = player->limits->nodes;

	return most != 0 && !atomic_load(&player->pondering) && all_nodes(player) >= most;
}

/* Asked by each worker some thousand times a second. Only the leader looks at the limits; the others see `stopped`. */
static bool must_stop(void *context)
{
	struct worker *worker = context;
	struct mrl_player *player = worker->player;

	atomic_store_explicit(&worker->counts, true, memory_order_relaxed);
	if (atomic_load_explicit(&player->stopped, memory_order_relaxed))
		return true;
	if (worker->number != 0)
		return false;
	if (!player->helped && !is_weak(player))
		start_helpers(player);
	if (!worker->limits.nodes && nodes_are_spent(player))
		return true;
	uint64_t moment = atomic_load_explicit(&player->hard_moment, memory_order_relaxed);

	return moment != NEVER && mrl_clock_now() >= moment;
}

/* ---- Searching ---------------------------------------------------------------------------------------------- */

static void set_worker_limits(struct worker *worker)
{
	const struct mrl_player_limits *limits = worker->player->limits;
	bool leads = worker->number == 0;

	worker->limits = (struct mrl_search_limits){
	    .depth = leads ? limits->depth : 0,
	    .nodes = worker->player->count == 1 && !limits->ponder ? limits->nodes : 0,
	    .lines = limits->lines,
	    .worker = worker->number,
	    .keep_going = !leads || limits->infinite || limits->ponder,
	    .only = limits->only,
	    .only_count = limits->only_count,
	    .stop = must_stop,
	    .report = leads ? report : NULL,
	    .probe = limits->probe,
	    .context = worker,
	    .probe_context = limits->probe_context,
	};
}

static bool only_one_turn(const struct mrl_player *player)
{
	if (player->limits->only != NULL)
		return player->limits->only_count == 1;
	return mrl_turn_count(player->game->rules, &player->game->position) == 1;
}

static struct mrl_player_allotment allot(const struct mrl_player_limits *limits)
{
	struct mrl_player_allotment allotment = {.soft = NEVER, .hard = NEVER};

	if (limits->has_clock)
		allotment = mrl_player_allot(&limits->clock);
	if (limits->time != 0 && limits->time < allotment.hard)
		allotment.hard = limits->time;
	return allotment;
}

static void prepare(struct mrl_player *player, const struct mrl_game *game, const struct mrl_player_limits *limits)
{
	player->game = game;
	player->limits = limits;
	player->begin = mrl_clock_now();
	player->allotment = allot(limits);
	player->forced = only_one_turn(player);
	player->helped = false;
	atomic_store(&player->stopped, false);
	atomic_store(&player->pondering, limits->ponder);
	atomic_store(&player->hard_moment, limits->ponder || limits->infinite || player->allotment.hard == NEVER
					       ? NEVER
					       : player->begin + player->allotment.hard * MILLISECOND);
	for (unsigned i = 0; i < player->count; i++) {
		set_worker_limits(&player->workers[i]);
		player->workers[i].result.probes = 0;
		atomic_store(&player->workers[i].counts, i == 0);
	}
	atomic_store(&player->busy, true);
}

/* An answer that has come before it is wanted waits. */
static void hold_answer(struct mrl_player *player)
{
	mrl_monitor_enter(player->monitor);
	while ((player->limits->infinite || atomic_load(&player->pondering)) && !atomic_load(&player->stopped))
		mrl_monitor_wait(player->monitor);
	mrl_monitor_leave(player->monitor);
}

static enum mrl_status run(struct mrl_player *player)
{
	struct worker *leader = &player->workers[0];

	enum mrl_status status;

	if (is_weak(player))
		status = mrl_level_run(leader->search, player->game, player->limits->level, player->limits->seed,
				       &leader->limits, &leader->result);
	else
		status = mrl_search_run(leader->search, player->game, &leader->limits, &leader->result);

	if (status == MRL_OK || status == MRL_STOPPED)
		hold_answer(player);
	atomic_store(&player->stopped, true);
	join_helpers(player);
	fill_report(player, &leader->result);
	for (unsigned i = 1; i < player->count; i++)
		player->report.probes += player->workers[i].result.probes;
	atomic_store(&player->busy, false);
	return status;
}

enum mrl_status mrl_player_think(struct mrl_player *player, const struct mrl_game *game,
				 const struct mrl_player_limits *limits, struct mrl_player_report *report_to)
{
	prepare(player, game, limits);
	enum mrl_status status = run(player);

	*report_to = player->report;
	return status;
}

static void run_and_tell(void *context)
{
	struct mrl_player *player = context;
	enum mrl_status status = run(player);

	if (player->limits->done != NULL)
		player->limits->done(player->limits->context, status, &player->report);
}

enum mrl_status mrl_player_start(struct mrl_player *player, const struct mrl_game *game,
				 const struct mrl_player_limits *limits)
{
	mrl_player_wait(player);
	prepare(player, game, limits);
	player->thread = mrl_thread_start(run_and_tell, player);
	if (player->thread != NULL)
		return MRL_OK;
	atomic_store(&player->busy, false);
	return MRL_SYSTEM;
}

void mrl_player_wait(struct mrl_player *player)
{
	mrl_thread_join(player->thread);
	player->thread = NULL;
}
