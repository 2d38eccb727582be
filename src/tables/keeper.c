/* The user's own tables: where they are, and building small ones, or small endings, when they are first wanted. */
#include <merels/table.h>

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <merels/text.h>
#include <os/clock.h>
#include <os/thread.h>

/* What is built unasked: some ten seconds of one processor, and some hundred megabytes. */
#define SMALL_POSITIONS UINT64_C(50000000)
#define SMALL_MEMORY (UINT64_C(1) << 30)

/* Endings, of which fewer positions are decided, and nobody waits for them. */
#define SMALL_ENDINGS UINT64_C(150000000)
#define ENDINGS_MEMORY (UINT64_C(400) << 20)

#define MILLISECOND UINT64_C(1000000)

enum { ENDINGS_MEN = 6, ENDINGS_AGAINST = 4 };

/* How often one who waits for another process's build looks again. */
enum { LOOK_AGAIN = 300, MOST_THREADS = 4 };

struct mrl_table_keeper {
	struct mrl_rules rules;
	struct mrl_keeper_wish wish;
	char folder[MRL_TABLE_FOLDER_SIZE];
	struct mrl_endings endings; /* that it has or builds */
	struct mrl_thread *thread;
	struct mrl_monitor *monitor; /* for what follows */
	enum mrl_keeper_state state;
	struct mrl_tables *tables;
	struct mrl_error error;
	atomic_bool stop;
	atomic_bool hurry;
};

/* To build them and open them. */
struct attempt {
	struct mrl_table_keeper *keeper;
	bool stands_back;
	bool anew; /* what is there is of no use */
	enum mrl_status status;
	struct mrl_tables *tables;
	struct mrl_error error;
};

/* ---- Where -------------------------------------------------------------------------------------------------- */

/* The written form with the counters of the preset: what tables do not depend on. */
static void plain_name(const struct mrl_rules *rules, char name[MRL_RULES_NAME_SIZE])
{
	const struct mrl_preset *preset = mrl_preset(rules->preset);
	struct mrl_rules *plain = malloc(2 * sizeof(*plain));

	mrl_rules_write(rules, name);
	if (plain != NULL && mrl_rules_parse(&plain[1], preset->name, strlen(preset->name), NULL) == MRL_OK) {
		plain[0] = *rules;
		plain[0].no_mill = plain[1].no_mill;
		plain[0].three_men = plain[1].three_men;
		plain[0].repetition = plain[1].repetition;
		mrl_rules_write(plain, name);
	}
	free(plain);
}

static enum mrl_status home(const struct mrl_rules *rules, const char *kind, char folder[MRL_TABLE_FOLDER_SIZE],
			    struct mrl_error *error)
{
	const char *cache = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");
	bool own = cache != NULL && cache[0] == '/'; /* others are to be ignored, says the XDG specification */
	struct mrl_text text = mrl_text_in(folder, MRL_TABLE_FOLDER_SIZE);
	char name[MRL_RULES_NAME_SIZE];

	plain_name(rules, name);
	if (own || (home != NULL && home[0] == '/')) {
		mrl_text_add(&text, own ? cache : home);
		mrl_text_add(&text, own ? "/merels/tables/" : "/.cache/merels/tables/");
		mrl_text_add(&text, kind);
		mrl_text_add(&text, name);
		if (text.length + 1 < MRL_TABLE_FOLDER_SIZE)
			return MRL_OK;
	}
	text = mrl_error_open(error, MRL_SYSTEM, 0, 0);
	mrl_text_add(&text, "neither XDG_CACHE_HOME nor HOME names a folder where tables could be kept");
	return MRL_SYSTEM;
}

enum mrl_status mrl_tables_home(const struct mrl_rules *rules, char folder[MRL_TABLE_FOLDER_SIZE],
				struct mrl_error *error)
{
	return home(rules, "", folder, error);
}

enum mrl_status mrl_tables_home_endings(const struct mrl_rules *rules, char folder[MRL_TABLE_FOLDER_SIZE],
					struct mrl_error *error)
{
	return home(rules, "endings/", folder, error);
}

bool mrl_tables_are_small(const struct mrl_rules *rules)
{
	uint64_t memory;
	uint64_t positions;

	return rules->board.point_count <= 24 && /* spares the estimate its tables of sets */
	       mrl_table_estimate(rules, (struct mrl_endings){0}, 1, &memory, &positions, NULL) == MRL_OK &&
	       positions <= SMALL_POSITIONS && memory <= SMALL_MEMORY;
}

struct mrl_endings mrl_tables_small_endings(const struct mrl_rules *rules)
{
	struct mrl_endings endings = {rules->men < ENDINGS_MEN ? rules->men : ENDINGS_MEN,
				      rules->men < ENDINGS_AGAINST ? rules->men : ENDINGS_AGAINST};
	uint64_t memory;
	uint64_t positions;

	if (rules->board.point_count <= 24 &&
	    mrl_table_estimate(rules, endings, 1, &memory, &positions, NULL) == MRL_OK && positions <= SMALL_ENDINGS &&
	    memory <= ENDINGS_MEMORY)
		return endings;
	return (struct mrl_endings){0};
}

/* ---- Building ----------------------------------------------------------------------------------------------- */

static void settle(struct mrl_table_keeper *keeper, enum mrl_keeper_state state, struct mrl_tables *tables,
		   const struct mrl_error *error)
{
	mrl_monitor_enter(keeper->monitor);
	keeper->state = state;
	keeper->tables = tables;
	if (error != NULL)
		keeper->error = *error;
	mrl_monitor_wake(keeper->monitor);
	mrl_monitor_leave(keeper->monitor);
}

/* Whether it is not to go on as it does. */
static bool is_cut_short(const struct attempt *attempt)
{
	return atomic_load(&attempt->keeper->stop) || (attempt->stands_back && atomic_load(&attempt->keeper->hurry));
}

static bool watch(void *context, const struct mrl_table_progress *progress)
{
	(void)progress;
	return is_cut_short(context);
}

/* Another process builds them: waits a little. */
static void rest(const struct attempt *attempt)
{
	struct mrl_table_keeper *keeper = attempt->keeper;
	uint64_t moment = mrl_clock_now() + LOOK_AGAIN * MILLISECOND;

	mrl_monitor_enter(keeper->monitor);
	while (!is_cut_short(attempt) && mrl_monitor_wait_until(keeper->monitor, moment))
		continue;
	mrl_monitor_leave(keeper->monitor);
}

/* Opens the folder's tables. Of endings, whose folder is small, every byte is looked at. */
static enum mrl_status open_good(const struct mrl_table_keeper *keeper, struct mrl_tables **tables,
				 struct mrl_error *error)
{
	enum mrl_status status = mrl_tables_open(tables, keeper->folder, &keeper->rules, keeper->wish.cache, error);

	if (status != MRL_OK || mrl_tables_endings(*tables).men == 0)
		return status;
	status = mrl_tables_check(*tables, error);
	if (status != MRL_OK) {
		mrl_tables_close(*tables);
		*tables = NULL;
	}
	return status;
}

static void learn_endings(struct mrl_table_keeper *keeper, struct mrl_endings endings)
{
	mrl_monitor_enter(keeper->monitor);
	keeper->endings = endings;
	mrl_monitor_leave(keeper->monitor);
}

/* Builds them, unless that is done, and opens them. */
static enum mrl_status build_and_open(struct attempt *attempt)
{
	struct mrl_table_keeper *keeper = attempt->keeper;
	struct mrl_error *error = &attempt->error;
	unsigned threads = mrl_thread_processors();
	struct mrl_table_build options = {.folder = keeper->folder,
					  .endings = keeper->endings,
					  .metric = MRL_TABLE_DISTANCE,
					  .anew = attempt->anew,
					  .hasty = true, /* it is a cache, and someone waits */
					  .threads = threads < MOST_THREADS ? threads : MOST_THREADS,
					  .memory = SMALL_MEMORY,
					  .watch = watch,
					  .context = attempt};
	enum mrl_status status = MRL_BUSY;

	while (status == MRL_BUSY && !is_cut_short(attempt)) {
		status = mrl_table_build(&keeper->rules, &options, error);
		if (status == MRL_BUSY)
			rest(attempt);
		else
			options.anew = attempt->anew = false; /* who goes on with this goes on with what it has made */
	}
	if (status == MRL_OK || (status == MRL_NAME && keeper->endings.men > 0)) /* somebody may have built more */
		status = open_good(keeper, &attempt->tables, error);
	else
		return status;
	/* Files that are there but are none, or are other endings without use: in a cache they are thrown away. */
	attempt->anew = status != MRL_OK;
	if (status == MRL_OK)
		learn_endings(keeper, mrl_tables_endings(attempt->tables));
	return status;
}

static void make(void *context)
{
	struct attempt *attempt = context;

	if (attempt->stands_back)
		mrl_thread_stand_back();
	attempt->status = build_and_open(attempt);
	if (attempt->status != MRL_OK && !is_cut_short(attempt))
		attempt->status = build_and_open(attempt);
}

/*
 * A thread that has stood back may not come forward again, so one of its own does that; when hurry is wanted it leaves
 * off, and what it has done is gone on from here.
 */
static void build(void *context)
{
	struct mrl_table_keeper *keeper = context;
	struct attempt attempt = {.keeper = keeper, .stands_back = keeper->endings.men > 0};
	struct mrl_thread *behind = attempt.stands_back ? mrl_thread_start(make, &attempt) : NULL;

	mrl_thread_join(behind);
	if (behind == NULL || (attempt.status != MRL_OK && atomic_load(&keeper->hurry))) {
		attempt.stands_back = false;
		make(&attempt);
	}
	bool good = attempt.status == MRL_OK;

	settle(keeper, good ? MRL_KEEPER_READY : MRL_KEEPER_FAILED, attempt.tables, &attempt.error);
	if (keeper->wish.ended != NULL && !atomic_load(&keeper->stop))
		keeper->wish.ended(keeper->wish.context, keeper->endings, good ? NULL : &attempt.error);
}

/* ---- Keeping ------------------------------------------------------------------------------------------------ */

static void begin_build(struct mrl_table_keeper *keeper)
{
	settle(keeper, MRL_KEEPER_BUILDING, NULL, NULL);
	keeper->thread = mrl_thread_start(build, keeper);
	if (keeper->thread == NULL) {
		struct mrl_error error = {0};
		struct mrl_text text = mrl_error_open(&error, MRL_SYSTEM, 0, 0);

		mrl_text_add(&text, "no thread could be started to build the tables");
		settle(keeper, MRL_KEEPER_FAILED, NULL, &error);
	}
}

/* There are no tables of all positions, for the reason given. */
static void begin_endings(struct mrl_table_keeper *keeper, const struct mrl_error *reason)
{
	struct mrl_tables *tables = NULL;
	struct mrl_error error = {0};

	if (keeper->wish.no_endings) {
		settle(keeper, MRL_KEEPER_NONE, NULL, reason);
		return;
	}
	if (mrl_tables_home_endings(&keeper->rules, keeper->folder, &error) != MRL_OK) {
		settle(keeper, MRL_KEEPER_FAILED, NULL, &error);
		return;
	}
	if (open_good(keeper, &tables, NULL) == MRL_OK) {
		keeper->endings = mrl_tables_endings(tables);
		settle(keeper, MRL_KEEPER_READY, tables, NULL);
		return;
	}
	keeper->endings =
	    keeper->wish.endings.men > 0 ? keeper->wish.endings : mrl_tables_small_endings(&keeper->rules);
	if (keeper->endings.men == 0)
		settle(keeper, MRL_KEEPER_NONE, NULL, reason);
	else
		begin_build(keeper);
}

static void begin(struct mrl_table_keeper *keeper)
{
	struct mrl_error error = {0};
	struct mrl_tables *tables = NULL;
	bool small;

	if (keeper->wish.only_endings) {
		begin_endings(keeper, &error);
		return;
	}
	if (mrl_tables_home(&keeper->rules, keeper->folder, &error) != MRL_OK) {
		settle(keeper, MRL_KEEPER_FAILED, NULL, &error);
		return;
	}
	small = mrl_tables_are_small(&keeper->rules);
	if (mrl_tables_open(&tables, keeper->folder, &keeper->rules, keeper->wish.cache, &error) == MRL_OK) {
		if (!small || mrl_tables_have_plies(tables)) {
			settle(keeper, MRL_KEEPER_READY, tables, NULL);
			return;
		}
		mrl_tables_close(tables); /* small ones get their distances too */
	}
	if (small)
		begin_build(keeper);
	else
		begin_endings(keeper, &error);
}

struct mrl_table_keeper *mrl_table_keeper_new(const struct mrl_rules *rules, const struct mrl_keeper_wish *wish)
{
	struct mrl_table_keeper *keeper = calloc(1, sizeof(*keeper));

	if (keeper == NULL)
		return NULL;
	keeper->rules = *rules;
	keeper->wish = *wish;
	keeper->monitor = mrl_monitor_new();
	if (keeper->monitor == NULL) {
		free(keeper);
		return NULL;
	}
	begin(keeper);
	return keeper;
}

void mrl_table_keeper_free(struct mrl_table_keeper *keeper)
{
	if (keeper == NULL)
		return;
	mrl_monitor_enter(keeper->monitor);
	atomic_store(&keeper->stop, true);
	mrl_monitor_wake(keeper->monitor);
	mrl_monitor_leave(keeper->monitor);
	mrl_thread_join(keeper->thread);
	mrl_tables_close(keeper->tables);
	mrl_monitor_free(keeper->monitor);
	free(keeper);
}

void mrl_table_keeper_hurry(struct mrl_table_keeper *keeper)
{
	atomic_store(&keeper->hurry, true);
}

struct mrl_endings mrl_table_keeper_endings(const struct mrl_table_keeper *keeper)
{
	struct mrl_endings endings;

	mrl_monitor_enter(keeper->monitor);
	endings = keeper->endings;
	mrl_monitor_leave(keeper->monitor);
	return endings;
}

enum mrl_keeper_state mrl_table_keeper_wait(struct mrl_table_keeper *keeper, unsigned milliseconds,
					    struct mrl_error *error)
{
	uint64_t moment = mrl_clock_now() + milliseconds * MILLISECOND;
	enum mrl_keeper_state state;

	mrl_monitor_enter(keeper->monitor);
	while (keeper->state == MRL_KEEPER_BUILDING && milliseconds > 0 &&
	       mrl_monitor_wait_until(keeper->monitor, moment))
		continue;
	state = keeper->state;
	if (error != NULL)
		*error = keeper->error;
	mrl_monitor_leave(keeper->monitor);
	return state;
}

enum mrl_keeper_state mrl_table_keeper_state(struct mrl_table_keeper *keeper, struct mrl_error *error)
{
	return mrl_table_keeper_wait(keeper, 0, error);
}

struct mrl_tables *mrl_table_keeper_tables(struct mrl_table_keeper *keeper)
{
	struct mrl_tables *tables;

	if (keeper == NULL)
		return NULL;
	mrl_monitor_enter(keeper->monitor);
	tables = keeper->tables;
	mrl_monitor_leave(keeper->monitor);
	return tables;
}
