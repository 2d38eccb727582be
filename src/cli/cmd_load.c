/* merels load: people by the thousand, for a server to show what it can do. */
#include <stdlib.h>
#include <string.h>

#include <uv.h>

#include <os/clock.h>
#include <os/interrupt.h>
#include <os/process.h>

#include "commands.h"
#include "load.h"
#include "load_show.h"

enum { SHOW_MS = 250, SPARE_FILES = 64, WARM_UP = 5 };
enum {
	GAMES = 'g',
	TURNS = 't',
	TIME = 's',
	WATCHERS = 'w',
	WATCHED = 256,
	IDLE,
	RATED,
	CUTS,
	REPEATS,
	LOBBY,
	TALK,
	CLOCK,
	ADDRESSES,
	RESTARTS,
	NODES,
	SEED,
	JSON
};

static const struct cli_option options[] = {
    CLI_OPTION_RULES,
    {"games", GAMES, "N", "games at a time, 0 to 20000 (default 10)", NULL},
    {"turns", TURNS, "RATE", "turns a second of all games together (default 20);\n0: as many as there can be", NULL},
    {"time", TIME, "SECONDS", "how long, 1 to 86400 (default 10)", NULL},
    {"watchers", WATCHERS, "N", "sockets that watch games of these (default 0)", NULL},
    {"watched", WATCHED, "N", "how many of the games they watch (default 1)", NULL},
    {"idle", IDLE, "N", "sockets that do nothing (default 0)", NULL},
    {"rated", RATED, "N", "how many of the games are rated, between accounts made\nfor it (default 0)", NULL},
    {"cuts", CUTS, "RATE", "connections that break and come back, a second (default 0)", NULL},
    {"repeats", REPEATS, "PERCENT", "commands that are sent twice (default 0)", NULL},
    {"lobby", LOBBY, "PERCENT", "games that begin in the lobby (default 0); others by link\nor as a rematch", NULL},
    {"talk", TALK, "PERCENT", "commands that are chat, offers, or time given (default 0)", NULL},
    {"clock", CLOCK, "BASE+INC",
     "seconds, and seconds for each turn, or none (default\n600+5, or none when turns are rare)", NULL},
    {"addresses", ADDRESSES, "N", "connect from so many addresses 127.0.0.x, 1 to 250", NULL},
    {"restarts", RESTARTS, NULL, "the server may die and come back: lost connections are no fault", NULL},
    {"nodes", NODES, NULL, "the servers are nodes of one club, or a balancer is in front of\nsome", NULL},
    {"seed", SEED, "N", "of all that is random (default the clock)", NULL},
    {"json", JSON, NULL, "report as JSON", NULL},
    {0},
};

const struct cli_command cli_load = {
    .name = "load",
    .run = cmd_load,
    .summary = "put a server under load, and check all it says",
    .usage = "[OPTION]... URL...",
    .about = "Plays games by random turns on the server at URL, watches them, breaks connections,\n"
	     "and checks every answer and event by the rules: numbers without a gap, nothing twice,\n"
	     "everybody told the same, clocks that add up, snapshots that agree. Reports turns a\n"
	     "second and how long a turn takes from its sender to the opponent.\n"
	     "\n"
	     "With several URLs, which are nodes of one club, the two at a table sit at different\n"
	     "ones; when one is lost its people go to the next.\n"
	     "\n"
	     "All this comes from one address (or few), so the server's limits for an address must be\n"
	     "lifted: merels serve --address-sockets 0 --address-rate 0. A socket may send\n"
	     "20 messages a second: more than 40 turns a second and game are refused.\n"
	     "\n"
	     "Only http: a server with TLS is put under load behind its proxy. Exit code 1 when\n"
	     "anything was wrong.",
    .options = options,
    .examples = "merels load http://127.0.0.1:8080\n"
		"merels load --games 500 --turns 2000 --time 60 --cuts 5 http://127.0.0.1:8080\n"
		"merels load --games 1 --turns 1 --watchers 5000 http://127.0.0.1:8080\n"
		"merels load --games 0 --idle 10000 --time 60 --json http://127.0.0.1:8080",
};

/* ---- Options ------------------------------------------------------------------------------------------------ */

struct wishes {
	struct load_plan plan;
	double seconds;
	bool json;
	bool clock_given;
};

/* A number with or without a point, 0..most. */
static int read_rate(const char *name, const char *text, double most, double *rate)
{
	char *end = NULL;
	double value = strtod(text, &end);

	if (end == text || *end != '\0' || !(value >= 0) || value > most)
		return cli_wrong_usage(&cli_load, "--%s: a number from 0 to %.0f is expected, not '%s'", name, most,
				       text);
	*rate = value;
	return CLI_GO_ON;
}

static int read_part(const char *name, const char *text, double *part)
{
	int code = read_rate(name, text, 100, part);

	*part /= 100;
	return code;
}

static int read_count(const char *name, const char *text, unsigned long most, unsigned *count)
{
	unsigned long number = *count;
	int code = cli_read_number(&cli_load, name, text, 0, most, &number);

	*count = (unsigned)number;
	return code;
}

static int read_clock(const char *text, struct load_plan *plan)
{
	char *end = NULL;
	double base = 0;
	double increment = 0;

	if (strcmp(text, "none") == 0) {
		plan->base = 0;
		return CLI_GO_ON;
	}
	base = strtod(text, &end);
	if (end != text && *end == '+') {
		const char *rest = end + 1;

		increment = strtod(rest, &end);
		if (end != rest && *end == '\0' && base >= 1 && base <= 10800 && increment >= 0 && increment <= 180) {
			plan->base = (uint64_t)(base * 1000);
			plan->increment = (uint64_t)(increment * 1000);
			return CLI_GO_ON;
		}
	}
	return cli_wrong_usage(&cli_load, "--clock: 'none' or seconds as 600+5 are expected, not '%s'", text);
}

static int read_option(struct wishes *wishes, int option, const char *value)
{
	struct load_plan *plan = &wishes->plan;
	unsigned long seed = 0;
	int code = CLI_GO_ON;

	switch (option) {
	case 'r':
		return cli_read_rules(&cli_load, value, &plan->rules);
	case GAMES:
		return read_count("games", value, 20000, &plan->games);
	case TURNS:
		return read_rate("turns", value, 1e6, &plan->rate);
	case TIME:
		return read_rate("time", value, 86400, &wishes->seconds);
	case WATCHERS:
		return read_count("watchers", value, 100000, &plan->watchers);
	case WATCHED:
		return read_count("watched", value, 20000, &plan->watched);
	case IDLE:
		return read_count("idle", value, 100000, &plan->idle);
	case RATED:
		return read_count("rated", value, 1000, &plan->rated);
	case CUTS:
		return read_rate("cuts", value, 1e5, &plan->cuts);
	case REPEATS:
		return read_part("repeats", value, &plan->repeats);
	case LOBBY:
		return read_part("lobby", value, &plan->lobby);
	case TALK:
		return read_part("talk", value, &plan->talk);
	case CLOCK:
		wishes->clock_given = true;
		return read_clock(value, plan);
	case ADDRESSES:
		return read_count("addresses", value, 250, &plan->addresses);
	case RESTARTS:
		plan->server_dies = true;
		return CLI_GO_ON;
	case NODES:
		plan->nodes = true;
		return CLI_GO_ON;
	case SEED:
		code = cli_read_number(&cli_load, "seed", value, 0, UINT32_MAX, &seed);
		plan->seed = seed;
		return code;
	default:
		wishes->json = true;
		return CLI_GO_ON;
	}
}

static int read_wishes(int argc, char **argv, struct wishes *wishes)
{
	struct cli_parse parse = cli_parse_begin(&cli_load, argc, argv);
	struct load_plan *plan = &wishes->plan;
	int option = 0;

	*wishes = (struct wishes){.seconds = 10};
	*plan = (struct load_plan){.games = 10, .rate = 20, .base = 600000, .increment = 5000};
	plan->seed = mrl_clock_now() & UINT32_MAX;

	int code = cli_read_rules(&cli_load, NULL, &plan->rules);

	while (code == CLI_GO_ON && (option = cli_parse_next(&parse)) != 0)
		code = read_option(wishes, option, parse.value);
	if (code != CLI_GO_ON)
		return code;
	if (parse.finished)
		return parse.code;
	if (parse.operand_count < 1 || parse.operand_count > LOAD_SERVERS)
		return cli_wrong_usage(&cli_load, "name a server, as http://127.0.0.1:8080, or up to %d nodes of one",
				       LOAD_SERVERS);
	plan->servers = (unsigned)parse.operand_count;
	plan->nodes = plan->nodes || plan->servers > 1;
	for (unsigned i = 0; i < plan->servers; i++)
		plan->urls[i] = parse.operands[i];
	/* First turns have 20 seconds in games with a clock. */
	if (!wishes->clock_given && plan->rated == 0 && plan->rate > 0 && (double)plan->games / plan->rate > 8)
		plan->base = 0;
	return CLI_GO_ON;
}

/* ---- The run ------------------------------------------------------------------------------------------------ */

struct run {
	struct load *load;
	const struct wishes *wishes;
	struct load_progress progress;
	uint64_t begun;
	uint64_t measured; /* since when; 0: not yet */
	double seconds;    /* that were measured */
	bool finishing;
};

static bool all_are_there(const struct run *run)
{
	return load_open(run->load) >= load_wanted(run->load) &&
	       load_playing(run->load) >= run->wishes->plan.games * 9 / 10;
}

static void on_show(uv_timer_t *timer)
{
	struct run *run = timer->data;
	double passed = mrl_clock_since(run->begun);

	load_progress_show(&run->progress, run->load, passed);
	if (run->measured == 0 && (all_are_there(run) || passed > run->wishes->seconds + WARM_UP)) {
		run->measured = mrl_clock_now();
		load_measure(run->load);
	}
	if (!run->finishing && run->measured != 0 &&
	    (mrl_clock_since(run->measured) >= run->wishes->seconds || mrl_interrupted())) {
		run->seconds = mrl_clock_since(run->measured);
		run->finishing = true;
		load_finish(run->load);
	}
	if (load_is_over(run->load) || (mrl_interrupted() && run->measured == 0))
		uv_stop(timer->loop);
}

static int go(uv_loop_t *loop, struct wishes *wishes)
{
	struct run run = {.wishes = wishes};
	struct mrl_error error;
	uv_timer_t timer = {.data = &run};

	if (load_new(&run.load, loop, &wishes->plan, &error) != MRL_OK) {
		cli_complain(&cli_load, "%s", error.message);
		return error.status == MRL_SYSTEM ? CLI_SYSTEM : CLI_USAGE;
	}

	/* Each table may have a request under way beside its sockets. */
	size_t wanted = load_wanted(run.load) + wishes->plan.games + SPARE_FILES;
	size_t allowed = mrl_process_allow_files(wanted);

	if (allowed < wanted)
		cli_complain(&cli_load, "this process may have %zu files open; so many sockets need %zu", allowed,
			     wanted);
	load_progress_begin(&run.progress);
	run.begun = mrl_clock_now();
	(void)uv_timer_init(loop, &timer);
	(void)uv_timer_start(&timer, on_show, SHOW_MS, SHOW_MS);
	load_begin(run.load);
	(void)uv_run(loop, UV_RUN_DEFAULT);
	uv_close((uv_handle_t *)&timer, NULL);
	load_progress_end(&run.progress);
	if (wishes->json)
		load_report_json(stdout, run.load, &wishes->plan, run.seconds);
	else
		load_report_text(stdout, run.load, &wishes->plan, run.seconds);

	bool good = load_fault_count(load_stats(run.load)) == 0 && run.seconds > 0;

	load_free(run.load);
	return good ? CLI_GOOD : CLI_NO;
}

int cmd_load(int argc, char **argv)
{
	struct wishes wishes;
	uv_loop_t loop;
	int code = read_wishes(argc, argv, &wishes);

	if (code != CLI_GO_ON)
		return code;
	if (uv_loop_init(&loop) != 0)
		return cli_no_memory(&cli_load);
	mrl_interrupt_catch();
	code = go(&loop, &wishes);
	(void)uv_run(&loop, UV_RUN_DEFAULT);
	(void)uv_loop_close(&loop);
	return code;
}
