/*
 * Nothing is lost: three nodes under load, with PostgreSQL, NATS and the network between them failing at random, while
 * everything that anybody is told is compared with everything that anybody has ever been told.
 *
 *     chaos SECONDS [SEED [FAULT|nodes=N]...]     only these kinds of faults, all when none is named; 3 nodes
 *
 * Mostly one thing is broken at a time, sometimes two. After the given time nothing more is broken, the games are
 * compared once more with what the nodes have, and the database is asked whether each game is there without a gap. For
 * each kind of fault is told for how long a game stood still at most: from the fault, or before it at the pace of the
 * games, until it went on.
 */
#include <libpq-fe.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <uv.h>

#include <merels/notation.h>
#include <os/clock.h>
#include <os/scratch.h>

#include "cluster_internal.h"
#include "detour.h"
#include "load.h"
#include "load_show.h"

enum { MOST_NODES = 5, GAMES = 24, TURNS = 72, STEP_MS = 20, RECOVERY_S = 120, START_S = 60, DRAIN_S = 30 };

#define SECOND UINT64_C(1000000000)

/* X(name, text, weight): kinds of faults; the sum of the weights is of no matter. */
#define FAULT_TABLE(X)                                   \
	X(KILL, "kill", 5) /* a node */                  \
	X(PAUSE, "pause", 3)                             \
	X(DRAIN, "drain", 4)                             \
	X(BUS, "bus", 3) /* ends and is started again */ \
	X(STORE, "store", 3)                             \
	X(BUS_HANGS, "bus-hangs", 2) /* for one node */  \
	X(BUS_CUT, "bus-cut", 2)                         \
	X(STORE_HANGS, "store-hangs", 2)                 \
	X(STORE_CUT, "store-cut", 2)

enum fault {
#define FAULT_ENUM(name, text, weight) name,
	FAULT_TABLE(FAULT_ENUM)
#undef FAULT_ENUM
	    FAULTS
};

static const struct {
	const char *text;
	unsigned weight;
} faults[FAULTS] = {
#define FAULT_ROW(name, text, weight) [name] = {text, weight},
    FAULT_TABLE(FAULT_ROW)
#undef FAULT_ROW
};

enum state { COMING, CALM, BROKEN, FINISHING, OVER };

/* One thing that is broken, or was and is not well yet. */
struct trouble {
	enum fault fault;
	unsigned node;  /* whose it is */
	uint64_t until; /* when it is mended, nanoseconds */
	bool broken;
	bool told; /* a drained node was told to stop as well */
};

struct tally {
	unsigned times;
	uint64_t most;
	uint64_t sum;
};

struct chaos {
	struct cluster cluster;
	struct detours *detours;
	struct detour *bus[MOST_NODES];
	struct detour *store[MOST_NODES];
	struct load *load;
	uv_loop_t loop;
	uv_timer_t timer;
	char web[CLUSTER_FOLDER_SIZE];
	unsigned nodes;
	uint64_t random;
	uint64_t begun;
	double seconds;
	enum state state;
	uint64_t until; /* when this state ends, nanoseconds */
	uint64_t late;  /* when it has lasted too long */
	bool allowed[FAULTS];
	struct trouble troubles[2];
	unsigned trouble_count;
	uint64_t second;                  /* when the second one begins; 0: there is none */
	uint64_t broken;                  /* when the first one began */
	uint64_t stood;                   /* the longest that a game has stood still since */
	struct tally tallies[FAULTS + 1]; /* by kind; the last: two at once */
	bool bad;
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

/* ---- The cluster -------------------------------------------------------------------------------------------- */

static struct cluster_piece *node(struct chaos *chaos, unsigned i)
{
	return cluster_nth(&chaos->cluster, CLUSTER_NODE, i);
}

static void start(struct chaos *chaos, struct cluster_piece *piece)
{
	struct mrl_error error;

	if (cluster_start(&chaos->cluster, piece, &error) != MRL_OK)
		fail(chaos, error.message);
}

static bool is_there(const struct chaos *chaos, const struct cluster_piece *piece)
{
	return cluster_ready(&chaos->cluster, piece) &&
	       (piece->kind != CLUSTER_NODE || cluster_ask(piece->port, "/readyz", NULL, 0) == 200);
}

/* Starts what is to be started and waits for it: before there are games. */
static bool start_all(struct chaos *chaos)
{
	for (size_t i = 0; i < chaos->cluster.piece_count && !chaos->bad; i++) {
		struct cluster_piece *piece = &chaos->cluster.pieces[i];
		uint64_t begun = mrl_clock_now();
		char words[800];
		char how[32];

		start(chaos, piece);
		while (!chaos->bad && !is_there(chaos, piece)) {
			bool ended = cluster_ended(&chaos->cluster, piece, how);

			if (ended || mrl_clock_since(begun) > START_S) {
				cluster_last_words(&chaos->cluster, piece, words, sizeof(words));
				printf("%s %s:\n%s\n", piece->name, ended ? how : "did not start in time", words);
				return false;
			}
			mrl_program_pause(SECOND / 50);
		}
	}
	return !chaos->bad;
}

static void make_detours(struct chaos *chaos)
{
	char folder[CLUSTER_FOLDER_SIZE + 8];
	char from[CLUSTER_PLACE_SIZE];
	char to[CLUSTER_PLACE_SIZE];

	chaos->detours = detours_new();
	(void)snprintf(to, sizeof(to), "%s/postgres/.s.PGSQL.5432", chaos->cluster.folder);
	for (unsigned i = 0; i < chaos->nodes; i++) {
		struct cluster_piece *piece = node(chaos, i);
		unsigned port = 0;

		(void)snprintf(folder, sizeof(folder), "%s/%u", chaos->cluster.folder, i + 1);
		if (mkdir(folder, 0700) != 0)
			fail(chaos, "a folder cannot be made");
		(void)snprintf(from, sizeof(from), "%s/%u/.s.PGSQL.5432", chaos->cluster.folder, i + 1);
		chaos->store[i] = detour_add_path(chaos->detours, from, to);
		(void)snprintf(piece->store, sizeof(piece->store), "postgres:host=%s user=merels dbname=postgres",
			       folder);
		/* One alone has no bus. */
		if (chaos->cluster.bus_port == 0)
			continue;
		chaos->bus[i] = detour_add_port(chaos->detours, &port, chaos->cluster.bus_port);
		(void)snprintf(piece->bus, sizeof(piece->bus), "nats://127.0.0.1:%u", port);
	}
	detours_run(chaos->detours);
}

/* ---- Breaking ----------------------------------------------------------------------------------------------- */

/* A fault that can be beside what is broken already: not of the same thing. */
static struct trouble choose(struct chaos *chaos)
{
	const struct trouble *first = chaos->trouble_count > 0 ? &chaos->troubles[0] : NULL;
	unsigned weights[FAULTS];
	unsigned sum = 0;
	uint64_t at = 0;
	struct trouble trouble = {.node = (unsigned)draw(chaos, chaos->nodes), .broken = true};

	if (first != NULL && trouble.node == first->node)
		trouble.node = (trouble.node + 1) % chaos->nodes;
	for (unsigned i = 0; i < FAULTS; i++) {
		bool same = first != NULL && (i == first->fault || chaos->nodes == 1);

		weights[i] = chaos->allowed[i] && !same ? faults[i].weight : 0;
		sum += weights[i];
	}
	if (sum == 0) {
		trouble.broken = false;
		return trouble;
	}
	at = draw(chaos, sum);
	for (unsigned i = 0; i < FAULTS; i++) {
		if (at < weights[i]) {
			trouble.fault = i;
			break;
		}
		at -= weights[i];
	}
	return trouble;
}

/* For how long it is broken, in milliseconds: mostly short, sometimes long. */
static uint64_t duration(struct chaos *chaos, enum fault fault)
{
	uint64_t most = draw(chaos, 3) == 0 ? 15000 : 3000;

	switch (fault) {
	case PAUSE:
		/* A test of some seconds has no half a minute to wait. */
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

/* The piece that ends by a fault, or NULL. */
static struct cluster_piece *victim(struct chaos *chaos, const struct trouble *trouble)
{
	switch (trouble->fault) {
	case KILL:
	case DRAIN:
		return node(chaos, trouble->node);
	case BUS:
		return cluster_nth(&chaos->cluster, CLUSTER_BUS, 0);
	case STORE:
		return cluster_nth(&chaos->cluster, CLUSTER_POSTGRES, 0);
	default:
		return NULL;
	}
}

static void break_it(struct chaos *chaos, const struct trouble *trouble)
{
	struct cluster_piece *piece = victim(chaos, trouble);
	bool gently = draw(chaos, 2) == 0;

	switch (trouble->fault) {
	case KILL:
		(void)mrl_program_tell(piece->id, false, MRL_KILL);
		return;
	case PAUSE:
		(void)mrl_program_tell(node(chaos, trouble->node)->id, false, MRL_STOP);
		return;
	case DRAIN:
		(void)mrl_program_tell(piece->id, false, MRL_USR1);
		return;
	case BUS:
		(void)mrl_program_tell(piece->id, false, gently ? MRL_TERM : MRL_KILL);
		return;
	case STORE:
		(void)mrl_program_tell(piece->id, false, gently ? MRL_INT : MRL_QUIT);
		return;
	case BUS_HANGS:
	case BUS_CUT:
		detour_put(chaos->bus[trouble->node], trouble->fault == BUS_CUT ? DETOUR_CUT : DETOUR_HANGS);
		return;
	default:
		detour_put(chaos->store[trouble->node], trouble->fault == STORE_CUT ? DETOUR_CUT : DETOUR_HANGS);
		return;
	}
}

/* True when it is whole again, as far as that is ours to do. */
static bool mend(struct chaos *chaos, struct trouble *trouble)
{
	struct cluster_piece *piece = victim(chaos, trouble);

	switch (trouble->fault) {
	case PAUSE:
		(void)mrl_program_tell(node(chaos, trouble->node)->id, false, MRL_CONT);
		return true;
	case BUS_HANGS:
	case BUS_CUT:
		detour_put(chaos->bus[trouble->node], DETOUR_OPEN);
		return true;
	case STORE_HANGS:
	case STORE_CUT:
		detour_put(chaos->store[trouble->node], DETOUR_OPEN);
		return true;
	default:
		if (piece->id == 0) {
			start(chaos, piece);
			return true;
		}
		/* A drained node that waits to be told is told. */
		if (trouble->fault == DRAIN && !trouble->told) {
			(void)mrl_program_tell(piece->id, false, MRL_TERM);
			trouble->told = true;
		}
		return false;
	}
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
	uint64_t milliseconds = duration(chaos, trouble.fault);
	struct cluster_piece *piece = victim(chaos, &trouble);
	uint64_t until = mrl_clock_now() + milliseconds * 1000000U;

	if (!trouble.broken)
		return;
	if (chaos->trouble_count == 0)
		printf("%7.1f  ", passed(chaos));
	else
		printf(", and ");
	printf("%s", faults[trouble.fault].text);
	if (piece == NULL || piece->kind == CLUSTER_NODE)
		printf(" n%u", trouble.node + 1);
	if (trouble.fault != DRAIN)
		printf(" for %.1f s", (double)milliseconds / 1000);
	trouble.until = until;
	chaos->troubles[chaos->trouble_count++] = trouble;
	break_it(chaos, &trouble);
	if (until + RECOVERY_S * SECOND > chaos->late)
		chaos->late = until + RECOVERY_S * SECOND;
}

static void begin_fault(struct chaos *chaos)
{
	enter(chaos, BROKEN, 0);
	chaos->trouble_count = 0;
	chaos->broken = mrl_clock_now();
	chaos->stood = 0;
	chaos->second = draw(chaos, 5) == 0 ? chaos->broken + draw(chaos, 3000) * 1000000U : 0;
	begin_trouble(chaos);
}

static void end_fault(struct chaos *chaos)
{
	struct tally *tally = &chaos->tallies[chaos->trouble_count > 1 ? FAULTS : chaos->troubles[0].fault];

	tally->times++;
	tally->sum += chaos->stood;
	if (chaos->stood > tally->most)
		tally->most = chaos->stood;
	printf(": a game stood still for %.1f s at most; all well after %.1f s\n", (double)chaos->stood / 1e9,
	       mrl_clock_since(chaos->broken));
	enter(chaos, CALM, 300 + draw(chaos, 1500));
}

static bool all_play(const struct chaos *chaos)
{
	return load_playing(chaos->load) >= GAMES * 9 / 10 && load_standing(chaos->load) < 3 * SECOND / 2;
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
			trouble->broken = !mend(chaos, trouble);
		broken = broken || trouble->broken;
	}
	if (!broken && chaos->second == 0 && all_play(chaos))
		end_fault(chaos);
}

/* The trouble by which a piece was to end, or NULL. */
static struct trouble *reason_of(struct chaos *chaos, const struct cluster_piece *piece)
{
	for (unsigned i = 0; chaos->state == BROKEN && i < chaos->trouble_count; i++) {
		if (chaos->troubles[i].broken && victim(chaos, &chaos->troubles[i]) == piece)
			return &chaos->troubles[i];
	}
	return NULL;
}

/* What has ended without having been told to is a fault of its own; the nodes must bear all the rest. */
static void look_for_the_dead(struct chaos *chaos)
{
	for (size_t i = 0; i < chaos->cluster.piece_count; i++) {
		struct cluster_piece *piece = &chaos->cluster.pieces[i];
		struct trouble *reason = NULL;
		char words[1200];
		char how[32];
		char what[64];

		if (!cluster_ended(&chaos->cluster, piece, how))
			continue;
		reason = reason_of(chaos, piece);
		if (reason != NULL && (reason->fault != DRAIN || strcmp(how, "exit code 0") == 0)) {
			/* It is handed over: nothing more to wait for. */
			if (reason->fault == DRAIN)
				reason->until = mrl_clock_now();
			continue;
		}
		cluster_last_words(&chaos->cluster, piece, words, sizeof(words));
		(void)snprintf(what, sizeof(what), "%s ended by itself: %s", piece->name, how);
		printf("\n");
		fail(chaos, what);
		printf("%s\n", words);
	}
}

static void on_step(uv_timer_t *timer)
{
	struct chaos *chaos = timer->data;
	uint64_t now = mrl_clock_now();
	uint64_t standing = load_standing(chaos->load);
	uint64_t wrong = load_fault_count(load_stats(chaos->load));

	if (wrong > chaos->faults_told) {
		const struct load_stats *stats = load_stats(chaos->load);

		/* Only the first ones of each kind are told in words; the report has the numbers. */
		for (; chaos->words_told < stats->told; chaos->words_told++)
			printf("\n%7.1f  WRONG: %s\n", passed(chaos), stats->tale[chaos->words_told]);
		chaos->faults_told = wrong;
		chaos->bad = true;
	}
	look_for_the_dead(chaos);
	if (chaos->state == BROKEN && standing > chaos->stood)
		chaos->stood = standing;
	if (chaos->state != CALM && now > chaos->late) {
		printf("\n%zu of %d games are played\n", load_playing(chaos->load), GAMES);
		fail(chaos, "two minutes later all is not well");
		return;
	}
	if (chaos->state != CALM && now > chaos->until + 10 * SECOND && now > chaos->wondered + 10 * SECOND) {
		char text[LOAD_TOLD_SIZE];
		size_t count = load_waiting(chaos->load, text);

		printf("\n%7.1f  %zu tables still wait; %s", passed(chaos), count, text);
		chaos->wondered = now;
	}
	if (now < chaos->until)
		return;
	switch (chaos->state) {
	case COMING:
		if (all_play(chaos))
			enter(chaos, CALM, 1000);
		return;
	case CALM:
		if (passed(chaos) < chaos->seconds) {
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

/* ---- The database, asked by somebody else ------------------------------------------------------------------- */

/* Each game has the events 1 to n, and no turn is there twice. */
static bool is_whole(struct chaos *chaos)
{
	static const char *const questions[][2] = {
	    {"games with a gap in their events", "SELECT count(*) FROM (SELECT game FROM events GROUP BY game HAVING "
						 "count(*) <> max(number) OR min(number) "
						 "<> 1) g"},
	    {"events", "SELECT count(*) FROM events"},
	    {"games", "SELECT count(DISTINCT game) FROM events"},
	};
	char place[CLUSTER_PLACE_SIZE];
	bool good = true;

	(void)snprintf(place, sizeof(place), "host=%s/postgres user=merels dbname=postgres", chaos->cluster.folder);

	PGconn *connection = PQconnectdb(place);

	for (size_t i = 0; i < sizeof(questions) / sizeof(questions[0]); i++) {
		PGresult *result = PQexec(connection, questions[i][1]);
		bool answered = PQresultStatus(result) == PGRES_TUPLES_OK;

		printf("database   %s %s\n", answered ? PQgetvalue(result, 0, 0) : PQerrorMessage(connection),
		       questions[i][0]);
		good = good && answered && (i > 0 || strcmp(PQgetvalue(result, 0, 0), "0") == 0);
		PQclear(result);
	}
	PQfinish(connection);
	return good;
}

/* ---- The whole ---------------------------------------------------------------------------------------------- */

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
	};

	cluster_place(&chaos->cluster, cluster_nth(&chaos->cluster, CLUSTER_BALANCER, 0), url);
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
	enter(chaos, COMING, 0);
	load_begin(chaos->load);
	(void)uv_run(&chaos->loop, UV_RUN_DEFAULT);

	double seconds = passed(chaos);

	load_report_text(stdout, chaos->load, &plan, seconds);

	bool good = !chaos->bad && chaos->state == OVER && load_fault_count(load_stats(chaos->load)) == 0;

	uv_close((uv_handle_t *)&chaos->timer, NULL);
	load_free(chaos->load);
	(void)uv_run(&chaos->loop, UV_RUN_DEFAULT);
	(void)uv_loop_close(&chaos->loop);
	return good;
}

static void show(const struct chaos *chaos)
{
	printf("%-12s %5s  a game stood still\n", "fault", "times");
	for (size_t i = 0; i <= FAULTS; i++) {
		const struct tally *tally = &chaos->tallies[i];

		if (tally->times > 0)
			printf("%-12s %5u  %.1f s at most, %.1f s on average\n",
			       i < FAULTS ? faults[i].text : "two at once", tally->times, (double)tally->most / 1e9,
			       (double)tally->sum / 1e9 / tally->times);
	}
}

static bool run(struct chaos *chaos, uint64_t seed)
{
	char *more[] = {(char[]){"--address-rate"},
			(char[]){"0"},
			(char[]){"--address-sockets"},
			(char[]){"0"},
			(char[]){"--web"},
			NULL,
			NULL};
	/* Another build may be tried, such as one with sanitizers. */
	const char *other = getenv("CHAOS_MERELS");
	const struct cluster_plan plan = {
	    .program = other != NULL ? other : MERELS, .nodes = chaos->nodes, .more = more};
	char page[CLUSTER_PLACE_SIZE];
	struct mrl_error error;

	if (mrl_scratch_make("merels-chaos", chaos->web, sizeof(chaos->web), &error) != MRL_OK) {
		printf("%s\n", error.message);
		return false;
	}
	(void)snprintf(page, sizeof(page), "%s/index.html", chaos->web);

	FILE *file = fopen(page, "w");

	if (file != NULL) {
		(void)fputs("<!doctype html><title>Merels</title>\n", file);
		(void)fclose(file);
	}
	more[5] = chaos->web;

	enum mrl_status status = cluster_make(&chaos->cluster, &plan, &error);

	if (status != MRL_OK) {
		printf("%s\n", error.message);
		(void)mrl_scratch_remove(chaos->web);
		return false;
	}
	make_detours(chaos);

	bool good = start_all(chaos) && put_under_load(chaos, seed);

	show(chaos);
	good = good && is_whole(chaos);
	if (!good)
		printf("left for you to look at: %s\n", chaos->cluster.folder);
	cluster_free(&chaos->cluster, !good);
	detours_free(chaos->detours);
	(void)mrl_scratch_remove(chaos->web);
	return good;
}

int main(int argc, char **argv)
{
	static struct chaos chaos;
	bool some = false;

	chaos.nodes = 3;
	chaos.seconds = argc > 1 ? strtod(argv[1], NULL) : 0;
	if (chaos.seconds <= 0) {
		fprintf(stderr, "usage: chaos SECONDS [SEED [FAULT|nodes=N]...]\n");
		return 2;
	}

	uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : mrl_clock_now() & 0xffffffffU;

	for (int i = 3; i < argc; i++) {
		bool known = false;

		for (size_t k = 0; k < FAULTS; k++) {
			if (strcmp(argv[i], faults[k].text) == 0)
				chaos.allowed[k] = known = some = true;
		}
		if (sscanf(argv[i], "nodes=%u", &chaos.nodes) == 1)
			known = chaos.nodes > 0 && chaos.nodes <= MOST_NODES;
		if (!known) {
			fprintf(stderr, "there is no fault '%s'\n", argv[i]);
			return 2;
		}
	}
	for (size_t k = 0; k < FAULTS && !some; k++)
		chaos.allowed[k] = true;
	(void)signal(SIGPIPE, SIG_IGN);
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("seed       %llu\n", (unsigned long long)seed);
	chaos.random = seed;

	bool good = run(&chaos, seed);

	printf("%s\n", good ? "nothing lost" : "FAILED");
	return good ? 0 : 1;
}
