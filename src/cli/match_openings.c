/*
 * How the games of a match begin: from a file, or at random. A random opening is a number of random turns after which a
 * short search sees neither side ahead by much, and whose position has not occurred yet, nor a mirror image of it.
 */
#include <stdlib.h>
#include <string.h>

#include <merels/notation.h>
#include <merels/search.h>

#include "commands.h"
#include "match.h"

enum {
	SEARCH_NODES = 20000,
	SEARCH_TABLE = 1 << 20,
	TRIES = 200 /* for one opening, before repeated ones are taken, and unbalanced ones after as many more */
};

struct match_openings {
	const struct match_plan *plan;
	uint64_t random;
	/* Random openings: */
	void *memory;
	struct mrl_search *search;
	uint64_t *seen; /* hashes, the least of all mirror images */
	size_t seen_count;
	size_t seen_size;
	unsigned demand; /* 2: new and balanced; 1: balanced; 0: none, for games that have nothing better */
	/* Openings of a file: */
	struct match_opening *list;
	size_t count;
	size_t next;
};

/* ---- Openings ----------------------------------------------------------------------------------------------- */

void match_opening_release(struct match_opening *opening)
{
	cli_game_release(&opening->game);
}

static const struct mrl_position *start_of(const struct mrl_game *game)
{
	return game->count > 0 ? &game->plies[0].before : &game->position;
}

bool match_opening_copy(struct match_opening *to, const struct match_opening *from)
{
	const struct mrl_game *game = &from->game.game;

	to->set_up = from->set_up;
	cli_game_init(&to->game, game->rules, start_of(game));
	for (size_t i = 0; i < game->count; i++) {
		if (cli_game_play(&to->game, &game->plies[i].turn, NULL) != MRL_OK) {
			match_opening_release(to);
			return false;
		}
	}
	return true;
}

/* ---- From a file -------------------------------------------------------------------------------------------- */

/* A line: turns, or a position (which has a / in it) and perhaps `moves` and turns. */
static bool read_opening(const struct match_plan *plan, const char *line, size_t length, struct match_opening *opening,
			 struct mrl_error *error)
{
	struct mrl_position start;
	const char *end = line + length;
	const char *turns = line;

	opening->set_up = memchr(line, '/', length) != NULL;
	mrl_position_start(&plan->rules, &start);
	if (opening->set_up) {
		const char *stop = end;

		turns = end;
		for (const char *c = line; c + 7 <= end && stop == end; c++) {
			if (memcmp(c, " moves ", 7) == 0) {
				stop = c;
				turns = c + 7;
			}
		}
		if (mrl_position_read(&plan->rules, line, (size_t)(stop - line), &start, error) != MRL_OK)
			return false;
	}
	cli_game_init(&opening->game, &plan->rules, &start);
	while (turns < end) {
		struct mrl_turn turn;
		size_t consumed = 0;
		enum mrl_status status = mrl_turn_next(&plan->rules, &opening->game.game.position, turns,
						       (size_t)(end - turns), &consumed, &turn, error);

		if (status == MRL_OK && turn.to == MRL_NO_POINT)
			break;
		if (status == MRL_OK)
			status = cli_game_play(&opening->game, &turn, error);
		if (status != MRL_OK) {
			match_opening_release(opening);
			return false;
		}
		turns += consumed;
	}
	if (opening->game.game.verdict.outcome == MRL_ONGOING)
		return true;
	match_opening_release(opening);
	error->column = 0;
	strcpy(error->message, "the game is over before it begins");
	return false;
}

static bool add_line(struct match_openings *openings, const char *line, size_t length, size_t number)
{
	struct match_opening *larger = realloc(openings->list, (openings->count + 1) * sizeof(*larger));
	struct mrl_error error = {0};

	if (larger == NULL) {
		(void)cli_no_memory(&cli_match);
		return false;
	}
	openings->list = larger;
	if (read_opening(openings->plan, line, length, &openings->list[openings->count], &error)) {
		openings->count++;
		return true;
	}
	cli_complain(&cli_match, "%s: line %zu: %s", openings->plan->opening_path, number, error.message);
	return false;
}

static bool read_file(struct match_openings *openings)
{
	char *text = NULL;
	size_t length = 0;
	size_t number = 0;
	bool good = cli_read_file(&cli_match, openings->plan->opening_path, &text, &length) == CLI_GO_ON;

	for (size_t at = 0; good && at < length;) {
		const char *line = text + at;
		const char *end = memchr(line, '\n', length - at);
		size_t size = end != NULL ? (size_t)(end - line) : length - at;
		size_t blank = 0;

		at += size + 1;
		number++;
		while (blank < size && (line[blank] == ' ' || line[blank] == '\t' || line[blank] == '\r'))
			blank++;
		while (size > blank && (line[size - 1] == ' ' || line[size - 1] == '\t' || line[size - 1] == '\r'))
			size--;
		if (blank < size && line[blank] != '#')
			good = add_line(openings, line + blank, size - blank, number);
	}
	free(text);
	if (good && openings->count == 0) {
		cli_complain(&cli_match, "%s: there is no opening in it", openings->plan->opening_path);
		return false;
	}
	return good;
}

/* ---- At random ---------------------------------------------------------------------------------------------- */

/* Steele, Lea, Flood: Fast splittable pseudorandom number generators (splitmix64). */
static uint64_t draw(struct match_openings *openings)
{
	uint64_t z = openings->random += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* The same for all mirror images of a position. */
static uint64_t image(const struct mrl_rules *rules, const struct mrl_position *position)
{
	uint64_t least = position->hash;

	for (unsigned s = 1; s < rules->board.symmetry_count; s++) {
		struct mrl_position mirrored;

		mrl_position_map(rules, s, position, &mirrored);
		if (mirrored.hash < least)
			least = mirrored.hash;
	}
	return least;
}

/* Plays random turns; false when the game ended meanwhile, or there is no memory. */
static bool play_random(struct match_openings *openings, struct match_opening *opening)
{
	static const size_t most = MRL_TURNS_USUAL;
	struct mrl_game *game = &opening->game.game;

	cli_game_init(&opening->game, &openings->plan->rules, NULL);
	opening->set_up = false;
	struct mrl_turn *turns = malloc(most * sizeof(*turns));
	bool good = turns != NULL;

	for (unsigned ply = 0; good && ply < openings->plan->opening_plies; ply++) {
		size_t count = mrl_turns(game->rules, &game->position, turns, most);

		good = count > 0 && count <= most &&
		       cli_game_play(&opening->game, &turns[draw(openings) % count], NULL) == MRL_OK;
	}
	free(turns);
	if (good && game->verdict.outcome == MRL_ONGOING)
		return true;
	match_opening_release(opening);
	return false;
}

static bool is_balanced(struct match_openings *openings, const struct match_opening *opening)
{
	struct mrl_search_limits limits = {.nodes = SEARCH_NODES};
	struct mrl_search_result *result = malloc(sizeof(*result));

	if (result == NULL)
		return true;
	mrl_search_clear(openings->search);
	enum mrl_status status = mrl_search_run(openings->search, &opening->game.game, &limits, result);
	int score = result->lines[0].score;

	free(result);
	return status == MRL_OK && score <= openings->plan->opening_score && score >= -openings->plan->opening_score;
}

static bool is_new(const struct match_openings *openings, uint64_t hash)
{
	for (size_t i = 0; i < openings->seen_count; i++)
		if (openings->seen[i] == hash)
			return false;
	return true;
}

static void remember(struct match_openings *openings, uint64_t hash)
{
	if (openings->seen_count == openings->seen_size) {
		size_t size = openings->seen_size == 0 ? 256 : 2 * openings->seen_size;
		uint64_t *larger = realloc(openings->seen, size * sizeof(*larger));

		if (larger == NULL)
			return; /* then it may occur again */
		openings->seen = larger;
		openings->seen_size = size;
	}
	openings->seen[openings->seen_count++] = hash;
}

static bool next_random(struct match_openings *openings, struct match_opening *opening)
{
	for (unsigned attempt = 1; attempt <= 3 * TRIES; attempt++) {
		if (!play_random(openings, opening))
			continue;
		uint64_t hash = image(&openings->plan->rules, &opening->game.game.position);

		if ((openings->demand < 2 || is_new(openings, hash)) &&
		    (openings->demand < 1 || is_balanced(openings, opening))) {
			remember(openings, hash);
			return true;
		}
		match_opening_release(opening);
		/* A small game has few openings, or none that is balanced; that does not change later. */
		if (attempt % TRIES == 0 && openings->demand > 0)
			openings->demand--;
	}
	/* No way through at all: from the start. */
	cli_game_init(&opening->game, &openings->plan->rules, NULL);
	opening->set_up = false;
	return true;
}

/* ---- All ---------------------------------------------------------------------------------------------------- */

struct match_openings *match_openings_new(const struct match_plan *plan)
{
	struct match_openings *openings = calloc(1, sizeof(*openings));
	size_t size = mrl_search_minimum() + SEARCH_TABLE;

	if (openings == NULL) {
		(void)cli_no_memory(&cli_match);
		return NULL;
	}
	openings->plan = plan;
	openings->random = plan->seed;
	openings->demand = 2;
	if (plan->opening_path != NULL) {
		if (read_file(openings))
			return openings;
		match_openings_free(openings);
		return NULL;
	}
	openings->memory = malloc(size);
	openings->search = openings->memory != NULL ? mrl_search_init(openings->memory, size) : NULL;
	if (openings->search != NULL)
		return openings;
	match_openings_free(openings);
	(void)cli_no_memory(&cli_match);
	return NULL;
}

void match_openings_free(struct match_openings *openings)
{
	if (openings == NULL)
		return;
	for (size_t i = 0; i < openings->count; i++)
		match_opening_release(&openings->list[i]);
	free(openings->list);
	free(openings->seen);
	free(openings->memory);
	free(openings);
}

bool match_openings_next(struct match_openings *openings, struct match_opening *opening)
{
	if (openings->plan->opening_path == NULL)
		return next_random(openings, opening);
	const struct match_opening *listed = &openings->list[openings->next++ % openings->count];

	return match_opening_copy(opening, listed);
}
