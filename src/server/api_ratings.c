/* Ratings: who has the highest, how one came about; and the score between two. */
#include <stdlib.h>
#include <string.h>

#include "exchange.h"
#include "routes.h"
#include "rulebook.h"
#include "server_internal.h"
#include "snapshot.h"

enum { LEADERS = 50, MOST_POINTS = 500 };

#define YEAR_MS (INT64_C(365) * 24 * 3600 * 1000)

/* Which ratings are meant: those of the nine men's game, blitz, unless the query says others. False after having
 * answered that it is wrong. */
static bool read_which(struct mrl__exchange *exchange, char rules[MRL_RULES_NAME_SIZE], unsigned *speed)
{
	char text[MRL_RULES_NAME_SIZE] = "nine";
	char speed_text[16] = "blitz";
	const struct mrl__parameter wanted[] = {{"rules", text, sizeof(text)},
						{"speed", speed_text, sizeof(speed_text)}};

	if (!mrl__query(exchange, wanted, 2))
		return false;
	if (!mrl__rules_canonical(text, rules, NULL)) {
		mrl__answer_error(exchange, 400, "bad-field", "\"rules\" is no rule set.");
		return false;
	}
	*speed = 0;
	while (*speed <= MRL_PLAY_SLOW && strcmp(mrl_play_speed_text(*speed), speed_text) != 0)
		(*speed)++;
	if (*speed <= MRL_PLAY_SLOW)
		return true;
	mrl__answer_error(exchange, 400, "bad-field", "\"speed\" is bullet, blitz, rapid or slow.");
	return false;
}

/* To the nearest whole number, as everywhere where people read one. */
static int64_t whole(double rating)
{
	return (int64_t)(rating + 0.5);
}

/* ---- Leaders ------------------------------------------------------------------------------------------------ */

static void on_leaders(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__exchange *exchange = user;

	if (answer->status != MRL_OK) {
		mrl__answer_status(exchange, answer->status);
		return;
	}
	struct mrl__json *json = mrl__answer_open(exchange);

	mrl__json_open_list(json, "leaders");
	for (size_t i = 0; i < answer->rating_count; i++) {
		const struct mrl_store_rating *rating = &answer->ratings[i];

		mrl__json_open(json, NULL);
		mrl__json_open(json, "person");
		mrl__write_id(json, "id", rating->person);
		mrl__json_text(json, "name", rating->name);
		mrl__json_text(json, "kind", mrl__kind_text(rating->kind));
		mrl__json_close(json);
		mrl__json_signed(json, "rating", whole(rating->rating));
		mrl__json_signed(json, "deviation", whole(rating->deviation));
		mrl__json_number(json, "games", rating->games);
		mrl__json_close(json);
	}
	mrl__json_close_list(json);
	mrl__answer(exchange, 200);
}

void mrl__api_leaders(struct mrl__exchange *exchange)
{
	char rules[MRL_RULES_NAME_SIZE];
	unsigned speed = 0;

	if (!read_which(exchange, rules, &speed))
		return;
	/* Who has not played for a year is no leader any more. */
	mrl__asked(exchange,
		   mrl_store_list_leaders(exchange->server->store, rules, speed, MRL_RATING_PROVISIONAL / 1000.0,
					  mrl__wall_ms() - YEAR_MS, NULL, LEADERS, on_leaders, exchange));
}

/* ---- A graph ------------------------------------------------------------------------------------------------ */

static void on_points(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__exchange *exchange = user;
	struct mrl__json *json = &exchange->out;

	if (answer->status != MRL_OK) {
		mrl__answer_status(exchange, answer->status);
		return;
	}
	mrl__json_open_list(json, "points");
	for (size_t i = 0; i < answer->point_count; i++) {
		const struct mrl_store_rating_point *point = &answer->points[i];

		mrl__json_open(json, NULL);
		mrl__json_signed(json, "date", point->wall);
		mrl__json_signed(json, "rating", whole(point->rating));
		mrl__json_signed(json, "deviation", whole(point->deviation));
		/* That there was a private game the graph tells; which one, nobody but its players. */
		if (point->is_private && exchange->use == NULL)
			mrl__json_null(json, "game");
		else
			mrl__write_id(json, "game", point->game);
		mrl__json_close(json);
	}
	mrl__json_close_list(json);
	mrl__json_bool(json, "more", answer->more);
	mrl__answer(exchange, 200);
}

static void on_rated_player(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__exchange *exchange = user;
	char rules[MRL_RULES_NAME_SIZE];
	unsigned speed = 0;

	if (answer->status != MRL_OK) {
		mrl__answer_status(exchange, answer->status);
		return;
	}
	if (!read_which(exchange, rules, &speed))
		return;
	const struct mrl_store_person *found = &answer->people[0];
	struct mrl__json *json = mrl__answer_open(exchange);

	mrl__write_found(json, "person", found);
	mrl__json_text(json, "rules", rules);
	mrl__json_text(json, "speed", mrl_play_speed_text(speed));
	exchange->use = found->id == exchange->person.id ? exchange : NULL;
	mrl__asked(exchange, mrl_store_list_last_points(exchange->server->store, found->id, rules, speed, MOST_POINTS,
							on_points, exchange));
}

void mrl__api_player_ratings(struct mrl__exchange *exchange)
{
	char rules[MRL_RULES_NAME_SIZE];
	unsigned speed = 0;

	/* What is wrong with the question is said before anybody is looked for. */
	if (read_which(exchange, rules, &speed))
		mrl__asked(exchange, mrl_store_find_name(exchange->server->store, exchange->parameter, on_rated_player,
							 exchange));
}

/* ---- The score between two ---------------------------------------------------------------------------------- */

/* A question under way; `use` of its exchange. */
struct pair {
	uint64_t person;
	char opponent[MRL__PARAMETER_SIZE];
};

static void fail_pair(struct mrl__exchange *exchange, enum mrl_status status)
{
	free(exchange->use);
	exchange->use = NULL;
	mrl__answer_status(exchange, status);
}

static void on_score(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__exchange *exchange = user;
	struct mrl__json *json = &exchange->out;
	const struct mrl_store_score *score = &answer->score;

	if (answer->status != MRL_OK) {
		fail_pair(exchange, answer->status);
		return;
	}
	free(exchange->use);
	exchange->use = NULL;
	mrl__json_number(json, "games", score->wins + score->draws + score->losses);
	mrl__json_number(json, "wins", score->wins);
	mrl__json_number(json, "draws", score->draws);
	mrl__json_number(json, "losses", score->losses);
	mrl__answer(exchange, 200);
}

static void on_scored_opponent(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__exchange *exchange = user;
	const struct pair *pair = exchange->use;
	enum mrl_status status = answer->status;

	if (status == MRL_OK) {
		uint64_t opponent = answer->people[0].id;
		bool all = exchange->person.id == pair->person || exchange->person.id == opponent;

		mrl__write_found(&exchange->out, "opponent", &answer->people[0]);
		status = mrl_store_find_score(exchange->server->store, pair->person, opponent, all, on_score, exchange);
	}
	if (status != MRL_OK)
		fail_pair(exchange, status);
}

static void on_scored(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__exchange *exchange = user;
	struct pair *pair = exchange->use;
	enum mrl_status status = answer->status;

	if (status == MRL_OK) {
		pair->person = answer->people[0].id;
		mrl__write_found(mrl__answer_open(exchange), "person", &answer->people[0]);
		status = mrl_store_find_name(exchange->server->store, pair->opponent, on_scored_opponent, exchange);
	}
	if (status != MRL_OK)
		fail_pair(exchange, status);
}

void mrl__api_player_score(struct mrl__exchange *exchange)
{
	struct pair *pair = calloc(1, sizeof(*pair));

	exchange->use = pair;
	if (pair == NULL) {
		mrl__answer_status(exchange, MRL_SPACE);
		return;
	}
	const struct mrl__parameter wanted = {"opponent", pair->opponent, sizeof(pair->opponent)};

	if (!mrl__query(exchange, &wanted, 1)) {
		free(pair);
		return;
	}
	if (pair->opponent[0] == '\0') {
		free(pair);
		mrl__answer_error(exchange, 400, "bad-field", "\"opponent\" is the name of the other player.");
		return;
	}
	enum mrl_status status = mrl_store_find_name(exchange->server->store, exchange->parameter, on_scored, exchange);

	if (status != MRL_OK)
		fail_pair(exchange, status);
}
