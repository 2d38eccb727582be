/*
 * Nothing is lost: three nodes under load, with PostgreSQL, NATS and the network between them failing at random, while
 * everything that anybody is told is compared with everything that anybody has ever been told.
 *
 *     chaos SECONDS [SEED [FAULT|nodes=N|cables]...]
 *                                                 only these kinds of faults, all when none is named; 3 nodes;
 *                                                 `cables`: each in a network of its own, whose cables are pulled
 *     chaos each SEED FAULT...                    each of these once, as they are named, for a short while
 *
 * Mostly one thing is broken at a time, sometimes two. After the given time nothing more is broken, the games are
 * compared once more with what the nodes have, and all that were played with what the database has. For each kind of
 * fault is told for how long a game stood still at most: from the fault, or before it at the pace of the games, until
 * it went on; a player whose connection we had cut is not waited for.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include <merels/notation.h>
#include <os/clock.h>

#include "ledger.h"
#include "load.h"
#include "load_show.h"
#include "trouble.h"

enum {
	GAMES = 24,
	TURNS = 72,
	STEP_MS = 20,
	RECOVERY_S = 120,
	DRAIN_S = 30,
	DATABASE_S = 30,
	MOST_TIMES = 1000,
	MOST_EACH = 16
};

enum state { COMING, CALM, BROKEN, FINISHING, OVER };

struct tally {
	unsigned times;
	uint64_t stood[MOST_TIMES]; /* nanoseconds */
	uint64_t shortest;          /* milliseconds for which it was broken */
	uint64_t longest;
};

struct chaos {
	struct stage stage;
	struct load *load;
	struct ledger *ledger;
	uv_loop_t loop;
	uv_timer_t timer;
	uv_signal_t signals[2];
	uint64_t random;
	uint64_t begun;
	double seconds;
	enum fault each[MOST_EACH]; /* when they are named one by one */
	unsigned each_count;
	unsigned each_done;
	enum state state;
	uint64_t until; /* when this state ends, nanoseconds */
	uint64_t late;  /* when it has lasted too long */
	bool allowed[FAULTS];
	struct trouble troubles[2];
	unsigned trouble_count;
	uint64_t second;                  /* when the second one begins; 0: there is none */
	uint64_t broken;                  /* when the first one began */
	uint64_t mended;                  /* when the last one was mended */
	uint64_t stood;                   /* the longest that a game has stood still since */
	uint64_t store_mended;            /* when the way to PostgreSQL was last cut for somebody */
	struct tally tallies[FAULTS + 1]; /* by kind; the last: two at once */
	bool bad;
	bool interrupted;
	uint64_t faults_told;
	size_t words_told;
	uint64_t wondered; /* when it was told last what is waited for */
};

static uint64_t draw(struct chaos *chaos, uint64_t below)
{
	chaos->random = chaos->random * 6364136223846793005U + 1442695040888963407U;
	return (chaos->random >> 33) % below;
}

static double passed(const struct chaos *chaos)
{
	return mrl_clock_since(chaos->begun);
}

static void fail(struct chaos *chaos, const char *what)
{
	printf("%7.1f  FAILED: %s\n", passed(chaos), what);
	chaos->bad = true;
	uv_stop(&chaos->loop);
}

/* ---- What is broken, and for how long ----------------------------------------------------------------------- */

/* For how long it is broken, in milliseconds: mostly short, sometimes long. */
static uint64_t duration(struct chaos *chaos, enum fault fault)
{
	uint64_t most = draw(chaos, 3) == 0 ? 15000 : 3000;

	switch (fault) {
	case PAUSE:
		/* A test of some seconds has no half a minute to wait. */
		if (chaos->seconds >= 200 && draw(chaos, 2) == 0)
			return 30000;
		return 500 + draw(chaos, chaos->seconds < 200 ? 9500 : 29500);
	case DRAIN:
		return DRAIN_S * UINT64_C(1000);
	case BUS:
	case STORE:
	case KILL:
		return draw(chaos, most / 2);
	default:
		return 500 + draw(chaos, most);
	}
}

/* The same when each is to be seen once: short, but a pause longer than a lease. */
static uint64_t short_duration(enum fault fault)
{
	switch (fault) {
	case PAUSE:
		return 6000;
	case DRAIN:
		return DRAIN_S * UINT64_C(1000);
	default:
		return 1500;
	}
}

/* One of the kinds that are allowed, by their weights; FAULTS: there is none. */
static enum fault draw_fault(struct chaos *chaos, enum fault but)
{
	unsigned sum = 0;
	uint64_t at = 0;

	for (unsigned i = 0; i < FAULTS; i++)
		sum += chaos->allowed[i] && i != but ? fault_kinds[i].weight : 0;
	if (sum == 0)
		return FAULTS;
	at = draw(chaos, sum);
	for (unsigned i = 0; i < FAULTS; i++) {
		unsigned weight = chaos->allowed[i] && i != but ? fault_kinds[i].weight : 0;

		if (at < weight)
			return i;
		at -= weight;
	}
	return FAULTS;
}

/* Whether this node is the right one: not that of the first trouble, and one that is drained must be there. */
static bool may_be(struct chaos *chaos, const struct trouble *trouble)
{
	if (chaos->trouble_count > 0 && trouble->node == chaos->troubles[0].node)
		return false;
	return trouble->fault != DRAIN || !chaos->stage.coming[trouble->node];
}

/* A trouble that can be beside what is broken already: of another kind, and of another node. Fault FAULTS: none. */
static struct trouble choose(struct chaos *chaos)
{
	const struct trouble *first = chaos->trouble_count > 0 ? &chaos->troubles[0] : NULL;
	struct trouble trouble = {.node = (unsigned)draw(chaos, chaos->stage.nodes), .broken = true};

	if (chaos->each_count > 0) {
		trouble.fault = chaos->each[chaos->each_done++];
		trouble.milliseconds = short_duration(trouble.fault);
	} else {
		trouble.fault = draw_fault(chaos, first != NULL ? first->fault : FAULTS);
		trouble.milliseconds = duration(chaos, trouble.fault);
	}
	trouble.gently = draw(chaos, 2) == 0;
	for (unsigned tries = 0; tries < chaos->stage.nodes && !may_be(chaos, &trouble); tries++)
		trouble.node = (trouble.node + 1) % chaos->stage.nodes;
	return trouble;
}

/* ---- Step by step ------------------------------------------------------------------------------------------- */

static void enter(struct chaos *chaos, enum state state, uint64_t milliseconds)
{
	chaos->state = state;
	chaos->until = mrl_clock_now() + milliseconds * 1000000U;
	chaos->late = chaos->until + RECOVERY_S * SECOND;
}

static void begin_trouble(struct chaos *chaos)
{
	struct trouble trouble = choose(chaos);
	const struct cluster_piece *victim = trouble_victim(&chaos->stage, &trouble);

	if (trouble.fault == FAULTS)
		return;
	trouble.process = victim != NULL ? victim->id : 0;
	if (chaos->trouble_count == 0)
		printf("%7.1f  ", passed(chaos));
	else
		printf(", and ");
	printf("%s", fault_kinds[trouble.fault].text);
	if (victim == NULL || victim->kind == CLUSTER_NODE)
		printf(" n%u", trouble.node + 1);
	if (trouble.fault != DRAIN)
		printf(" for %.1f s", (double)trouble.milliseconds / 1000);
	trouble.until = mrl_clock_now() + trouble.milliseconds * 1000000U;
	if (trouble.until + RECOVERY_S * SECOND > chaos->late)
		chaos->late = trouble.until + RECOVERY_S * SECOND;
	chaos->troubles[chaos->trouble_count++] = trouble;
	trouble_begin(&chaos->stage, &trouble);
}

static void begin_fault(struct chaos *chaos)
{
	bool two = chaos->each_count == 0 && chaos->stage.nodes > 1 && draw(chaos, 5) == 0;

	enter(chaos, BROKEN, 0);
	chaos->trouble_count = 0;
	chaos->broken = mrl_clock_now();
	chaos->stood = 0;
	chaos->second = two ? chaos->broken + draw(chaos, 3000) * 1000000U : 0;
	begin_trouble(chaos);
}

static void end_fault(struct chaos *chaos)
{
	const struct trouble *first = &chaos->troubles[0];
	struct tally *tally = &chaos->tallies[chaos->trouble_count > 1 ? FAULTS : first->fault];

	if (tally->times < MOST_TIMES)
		tally->stood[tally->times++] = chaos->stood;
	if (tally->shortest == 0 || first->milliseconds < tally->shortest)
		tally->shortest = first->milliseconds;
	if (first->milliseconds > tally->longest)
		tally->longest = first->milliseconds;
	printf(": a game stood still for %.1f s at most; all well after %.1f s\n", (double)chaos->stood / 1e9,
	       mrl_clock_since(chaos->broken));
	enter(chaos, CALM, 300 + draw(chaos, 1500));
}

/* Nearly all tables are in the middle of a game, and every game has gone on since a moment. */
static bool all_play(const struct chaos *chaos, uint64_t moment)
{
	uint64_t standing = load_standing(chaos->load);

	return load_playing(chaos->load) >= GAMES * 9 / 10 && standing < 3 * SECOND / 2 &&
	       standing < mrl_clock_now() - moment;
}

static void mend(struct chaos *chaos, struct trouble *trouble)
{
	if (!trouble_mend(&chaos->stage, trouble))
		fail(chaos, "a piece could not be started");
	if (trouble->fault == STORE_CUT || trouble->fault == STORE_HANGS)
		chaos->store_mended = mrl_clock_now();
}

/* Breaks the second thing, mends what has been broken long enough; ends when all is well. */
static void go_on_broken(struct chaos *chaos, uint64_t now)
{
	bool broken = false;

	if (chaos->second != 0 && now >= chaos->second) {
		chaos->second = 0;
		begin_trouble(chaos);
	}
	for (unsigned i = 0; i < chaos->trouble_count; i++) {
		struct trouble *trouble = &chaos->troubles[i];

		if (trouble->broken && now >= trouble->until)
			mend(chaos, trouble);
		broken = broken || trouble->broken;
	}
	if (broken || chaos->second != 0)
		chaos->mended = now;
	else if (all_play(chaos, chaos->mended))
		end_fault(chaos);
}

/* ---- Who has ended ------------------------------------------------------------------------------------------ */

/* The trouble by which a piece was to end, or NULL. */
static struct trouble *reason_of(struct chaos *chaos, const struct cluster_piece *piece)
{
	for (unsigned i = 0; chaos->state == BROKEN && i < chaos->trouble_count; i++) {
		if (chaos->troubles[i].broken && trouble_victim(&chaos->stage, &chaos->troubles[i]) == piece)
			return &chaos->troubles[i];
	}
	return NULL;
}

static bool was_lately(uint64_t moment)
{
	return moment != 0 && mrl_clock_now() - moment < 5 * SECOND;
}

static bool store_is_away(const struct chaos *chaos)
{
	for (unsigned i = 0; chaos->state == BROKEN && i < chaos->trouble_count; i++) {
		enum fault fault = chaos->troubles[i].fault;

		if (chaos->troubles[i].broken && (fault == STORE_CUT || fault == STORE_HANGS))
			return true;
	}
	return was_lately(chaos->store_mended) || was_lately(chaos->stage.store_away);
}

/* What has ended without having been told to is a fault of its own; the nodes must bear all the rest. */
static void on_end(struct chaos *chaos, struct cluster_piece *piece, const char *how)
{
	struct trouble *reason = reason_of(chaos, piece);
	char words[1200];
	char what[64];

	if (reason != NULL && (reason->fault != DRAIN || strcmp(how, "exit code 0") == 0)) {
		/* It is handed over: nothing more to wait for. */
		if (reason->fault == DRAIN)
			reason->until = mrl_clock_now();
		return;
	}
	/* A node that finds no database when it comes says so and ends, and whoever looks after it starts it again. */
	if (stage_comes(&chaos->stage, piece) && store_is_away(chaos) && strcmp(how, "exit code 3") == 0) {
		printf(" (%s came while the database was away)", piece->name);
		stage_start_later(&chaos->stage, piece);
		return;
	}
	cluster_last_words(&chaos->stage.cluster, piece, words, sizeof(words));
	(void)snprintf(what, sizeof(what), "%s ended by itself: %s", piece->name, how);
	printf("\n");
	fail(chaos, what);
	printf("%s\n", words);
}

static void look_for_the_dead(struct chaos *chaos)
{
	struct cluster *cluster = &chaos->stage.cluster;
	char how[32];

	if (!stage_look(&chaos->stage))
		fail(chaos, "a piece could not be started");
	for (size_t i = 0; i < cluster->piece_count; i++) {
		if (cluster_ended(cluster, &cluster->pieces[i], how))
			on_end(chaos, &cluster->pieces[i], how);
	}
}

/* ---- The beat ----------------------------------------------------------------------------------------------- */

static void tell_of_faults(struct chaos *chaos)
{
	const struct load_stats *stats = load_stats(chaos->load);
	uint64_t wrong = load_fault_count(stats);

	if (wrong == chaos->faults_told)
		return;
	/* Only the first ones of each kind are told in words; the report has the numbers. */
	for (; chaos->words_told < stats->told; chaos->words_told++)
		printf("\n%7.1f  WRONG: %s\n", passed(chaos), stats->tale[chaos->words_told]);
	chaos->faults_told = wrong;
	chaos->bad = true;
}

static void wonder(struct chaos *chaos, uint64_t now)
{
	char text[LOAD_TOLD_SIZE];
	size_t count = 0;

	if (chaos->state == CALM || now < chaos->until + 10 * SECOND || now < chaos->wondered + 10 * SECOND)
		return;
	count = load_waiting(chaos->load, text);
	printf("\n%7.1f  %zu of %d games are played, one stands still for %.1f s; %zu tables still wait; %s",
	       passed(chaos), load_playing(chaos->load), GAMES, (double)load_standing(chaos->load) / 1e9, count, text);
	chaos->wondered = now;
}

static bool is_enough(const struct chaos *chaos)
{
	return chaos->each_count > 0 ? chaos->each_done == chaos->each_count : passed(chaos) >= chaos->seconds;
}

static void step(struct chaos *chaos, uint64_t now)
{
	switch (chaos->state) {
	case COMING:
		if (all_play(chaos, chaos->begun))
			enter(chaos, CALM, 1000);
		return;
	case CALM:
		if (!is_enough(chaos)) {
			begin_fault(chaos);
		} else {
			load_finish(chaos->load);
			enter(chaos, FINISHING, 0);
		}
		return;
	case BROKEN:
		go_on_broken(chaos, now);
		return;
	case FINISHING:
		if (load_is_over(chaos->load)) {
			chaos->state = OVER;
			uv_stop(&chaos->loop);
		}
		return;
	default:
		return;
	}
}

static void on_step(uv_timer_t *timer)
{
	struct chaos *chaos = timer->data;
	uint64_t now = mrl_clock_now();
	uint64_t standing = load_standing(chaos->load);

	tell_of_faults(chaos);
	look_for_the_dead(chaos);
	if (chaos->state == BROKEN && standing > chaos->stood)
		chaos->stood = standing;
	if (chaos->state != CALM && now > chaos->late) {
		printf("\n%zu of %d games are played, one stands still for %.1f s\n", load_playing(chaos->load), GAMES,
		       (double)load_standing(chaos->load) / 1e9);
		fail(chaos, "two minutes later all is not well");
		return;
	}
	wonder(chaos, now);
	if (now >= chaos->until)
		step(chaos, now);
}

/* ---- The whole ---------------------------------------------------------------------------------------------- */

/* Whoever interrupts it wants nothing left behind, the folder included. */
static void on_signal(uv_signal_t *handle, int number)
{
	struct chaos *chaos = handle->data;

	(void)number;
	chaos->interrupted = true;
	fail(chaos, "interrupted");
}

static void heed_signals(struct chaos *chaos)
{
	const int numbers[] = {SIGINT, SIGTERM};

	for (size_t i = 0; i < 2; i++) {
		(void)uv_signal_init(&chaos->loop, &chaos->signals[i]);
		chaos->signals[i].data = chaos;
		(void)uv_signal_start(&chaos->signals[i], on_signal, numbers[i]);
	}
}

static bool put_under_load(struct chaos *chaos, uint64_t seed)
{
	char url[CLUSTER_PLACE_SIZE];
	struct mrl_error error;
	struct load_plan plan = {
	    .servers = 1,
	    .nodes = true,
	    .games = GAMES,
	    .rated = 4,
	    .watchers = 12,
	    .watched = 6,
	    .rate = TURNS,
	    .cuts = 1,
	    .repeats = 0.1,
	    .lobby = 0.2,
	    .talk = 0.25,
	    .base = 600000,
	    .increment = 3000,
	    .server_dies = true,
	    .seed = seed,
	    .left = ledger_keep,
	    .user = chaos->ledger,
	};

	cluster_place(&chaos->stage.cluster, cluster_nth(&chaos->stage.cluster, CLUSTER_BALANCER, 0), url);
	plan.urls[0] = url;
	if (mrl_rules_parse(&plan.rules, "nine", 4, NULL) != MRL_OK || uv_loop_init(&chaos->loop) != 0)
		return false;
	if (load_new(&chaos->load, &chaos->loop, &plan, &error) != MRL_OK) {
		printf("no load: %s\n", error.message);
		return false;
	}
	chaos->begun = mrl_clock_now();
	(void)uv_timer_init(&chaos->loop, &chaos->timer);
	chaos->timer.data = chaos;
	(void)uv_timer_start(&chaos->timer, on_step, STEP_MS, STEP_MS);
	heed_signals(chaos);
	enter(chaos, COMING, 0);
	load_begin(chaos->load);
	(void)uv_run(&chaos->loop, UV_RUN_DEFAULT);

	double seconds = passed(chaos);

	printf("\n");
	load_report_text(stdout, chaos->load, &plan, seconds);

	bool good = !chaos->bad && chaos->state == OVER && load_fault_count(load_stats(chaos->load)) == 0;

	/* Whoever asks a node that is stopped would wait for its answer. */
	for (unsigned i = 0; i < chaos->trouble_count; i++) {
		if (chaos->troubles[i].broken)
			mend(chaos, &chaos->troubles[i]);
	}
	uv_close((uv_handle_t *)&chaos->timer, NULL);
	for (size_t i = 0; i < 2; i++)
		uv_close((uv_handle_t *)&chaos->signals[i], NULL);
	load_free(chaos->load);
	(void)uv_run(&chaos->loop, UV_RUN_DEFAULT);
	(void)uv_loop_close(&chaos->loop);
	return good;
}

static int compare_times(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a;
	uint64_t y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* They are in order. */
static uint64_t median(const struct tally *tally)
{
	return (tally->stood[(tally->times - 1) / 2] + tally->stood[tally->times / 2]) / 2;
}

static void show(struct chaos *chaos)
{
	printf("%-12s %5s %20s   a game stood still\n", "fault", "times", "broken for");
	for (size_t i = 0; i <= FAULTS; i++) {
		struct tally *tally = &chaos->tallies[i];

		if (tally->times == 0)
			continue;
		qsort(tally->stood, tally->times, sizeof(tally->stood[0]), compare_times);
		printf("%-12s %5u", i < FAULTS ? fault_kinds[i].text : "two at once", tally->times);
		if (i == DRAIN || i == FAULTS)
			printf(" %20s", "");
		else
			printf("    %5.1f to %5.1f s", (double)tally->shortest / 1e3, (double)tally->longest / 1e3);
		printf("   %.1f s at most, median %.1f s\n", (double)tally->stood[tally->times - 1] / 1e9,
		       (double)median(tally) / 1e9);
	}
}

static bool compare_with_database(struct chaos *chaos)
{
	char place[CLUSTER_PLACE_SIZE];

	(void)snprintf(place, sizeof(place), "host=%s/postgres user=merels dbname=postgres",
		       chaos->stage.cluster.folder);

	PGconn *connection = PQconnectdb(place);

	/* It may have been away a moment ago. */
	for (int tries = 0; PQstatus(connection) != CONNECTION_OK && tries < DATABASE_S; tries++) {
		mrl_program_pause(SECOND);
		PQreset(connection);
	}

	bool good = PQstatus(connection) == CONNECTION_OK;

	if (good)
		good = ledger_compare(chaos->ledger, connection);
	else
		printf("database   cannot be asked: %s", PQerrorMessage(connection));
	PQfinish(connection);
	return good;
}

static bool run(struct chaos *chaos, uint64_t seed, unsigned nodes, bool cables)
{
	/* Another build may be tried, such as one with sanitizers. */
	const char *other = getenv("CHAOS_MERELS");

	if (!stage_make(&chaos->stage, other != NULL ? other : MERELS, nodes, cables))
		return false;
	chaos->ledger = ledger_new();

	bool good = stage_start_all(&chaos->stage) && put_under_load(chaos, seed);

	show(chaos);
	good = compare_with_database(chaos) && good;
	stage_end(&chaos->stage, !good && !chaos->interrupted);
	ledger_free(chaos->ledger);
	return good;
}

/* FAULT or nodes=N; false when it is neither. */
static bool take_word(struct chaos *chaos, const char *word, unsigned *nodes)
{
	for (unsigned k = 0; k < FAULTS; k++) {
		if (strcmp(word, fault_kinds[k].text) != 0)
			continue;
		chaos->allowed[k] = true;
		if (chaos->each_count < MOST_EACH)
			chaos->each[chaos->each_count++] = k;
		return true;
	}
	return sscanf(word, "nodes=%u", nodes) == 1 && *nodes > 0 && *nodes <= STAGE_NODES;
}

int main(int argc, char **argv)
{
	static struct chaos chaos;
	unsigned nodes = 3;
	bool cables = false;
	bool each = argc > 1 && strcmp(argv[1], "each") == 0;

	chaos.seconds = argc > 1 ? strtod(argv[1], NULL) : 0;
	if (each ? argc < 4 : chaos.seconds <= 0) {
		fprintf(stderr,
			"usage: chaos SECONDS [SEED [FAULT|nodes=N|cables]...]\n       chaos each SEED FAULT...\n");
		return 2;
	}

	uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : mrl_clock_now() & 0xffffffffU;

	for (int i = 3; i < argc; i++) {
		if (strcmp(argv[i], "cables") == 0) {
			cables = true;
		} else if (!take_word(&chaos, argv[i], &nodes)) {
			fprintf(stderr, "there is no fault '%s'\n", argv[i]);
			return 2;
		}
	}
	for (size_t k = 0; k < FAULTS && chaos.each_count == 0; k++)
		chaos.allowed[k] = true;
	if (!each)
		chaos.each_count = 0;
	(void)signal(SIGPIPE, SIG_IGN);
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("seed       %llu\n", (unsigned long long)seed);
	chaos.random = seed;

	bool good = run(&chaos, seed, nodes, cables);

	printf("%s\n", good ? "nothing lost" : "FAILED");
	return good ? 0 : 1;
}
