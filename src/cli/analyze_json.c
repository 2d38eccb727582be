/* An analysis for other programs. docs/ENGINE.md has the form. */
#include "analyze.h"

#include <stdlib.h>

#include <jansson.h>

#include <merels/notation.h>

#include "analyze_exact.h"

struct analyze_json {
	json_t *list;
};

struct analyze_json *analyze_json_new(void)
{
	struct analyze_json *json = malloc(sizeof(*json));

	if (json == NULL)
		return NULL;
	json->list = json_array();
	if (json->list != NULL)
		return json;
	free(json);
	return NULL;
}

void analyze_json_free(struct analyze_json *json)
{
	if (json == NULL)
		return;
	json_decref(json->list);
	free(json);
}

/* jansson takes NULL for a value that could not be made, and answers -1 then: one check at the end is enough. */
struct builder {
	bool failed;
};

static void put(struct builder *builder, json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, value) != 0)
		builder->failed = true;
}

static void push(struct builder *builder, json_t *array, json_t *value)
{
	if (json_array_append_new(array, value) != 0)
		builder->failed = true;
}

/* {"cp": 35}, {"win": 7} or {"loss": 8}, for the side to move; null for plies that are not known. */
static json_t *score_json(struct builder *builder, int score)
{
	json_t *object = json_object();

	if (score > MRL_SCORE_DECIDED)
		put(builder, object, "win", json_integer(MRL_SCORE_WIN - score));
	else if (score < -MRL_SCORE_DECIDED)
		put(builder, object, "loss", json_integer(MRL_SCORE_WIN + score));
	else if (score > MRL_SCORE_KNOWN || score < -MRL_SCORE_KNOWN)
		put(builder, object, score > 0 ? "win" : "loss", json_null());
	else
		put(builder, object, "cp", json_integer(score));
	return object;
}

static json_t *turn_json(const struct mrl_rules *rules, const struct mrl_turn *turn)
{
	char text[MRL_TURN_TEXT_SIZE];

	(void)mrl_turn_write(&rules->board, turn, text);
	return json_string(text);
}

static json_t *lines_json(struct builder *builder, const struct mrl_rules *rules, const struct analyze_turn *turn)
{
	json_t *lines = json_array();

	for (unsigned i = 0; i < turn->line_count; i++) {
		json_t *line = json_object();
		json_t *turns = json_array();

		put(builder, line, "score", score_json(builder, turn->lines[i].score));
		for (unsigned t = 0; t < turn->lines[i].length; t++)
			push(builder, turns, turn_json(rules, &turn->lines[i].turns[t]));
		put(builder, line, "turns", turns);
		push(builder, lines, line);
	}
	return lines;
}

/* What a position and a turn have in common. */
static void put_look(struct builder *builder, json_t *object, const struct mrl_rules *rules,
		     const struct analyze_turn *turn)
{
	char position[MRL_POSITION_TEXT_SIZE];

	(void)mrl_position_write(rules, &turn->before, position);
	put(builder, object, "position", json_string(position));
	put(builder, object, "depth", json_integer(turn->depth));
	put(builder, object, "nodes", json_integer((json_int_t)turn->nodes));
	put(builder, object, "lines", lines_json(builder, rules, turn));
}

static json_t *played_json(struct builder *builder, const struct mrl_rules *rules, const struct analyze_turn *turn)
{
	json_t *object = json_object();

	put(builder, object, "ply", json_integer((json_int_t)turn->ply + 1));
	put(builder, object, "side", json_string(turn->before.side == MRL_WHITE ? "w" : "b"));
	put(builder, object, "turn", turn_json(rules, &turn->turn));
	put(builder, object, "score", score_json(builder, turn->score));
	put(builder, object, "loss", json_integer(turn->loss));
	put(builder, object, "mark", json_string(analyze_mark(turn->loss)));
	put_look(builder, object, rules, turn);
	return object;
}

static json_t *sum_json(struct builder *builder, const struct analysis *analysis, unsigned side)
{
	struct analyze_sum sum = analyze_sum_of(analysis, side);
	json_t *object = json_object();

	put(builder, object, "turns", json_integer(sum.turns));
	put(builder, object, "average_loss", json_real(sum.average_loss));
	put(builder, object, "inaccuracies", json_integer(sum.inaccuracies));
	put(builder, object, "mistakes", json_integer(sum.mistakes));
	put(builder, object, "blunders", json_integer(sum.blunders));
	return object;
}

static void put_game(struct builder *builder, json_t *object, const struct analysis *analysis)
{
	const struct mrl_record *record = analysis->record;
	json_t *tags = json_object();
	json_t *turns = json_array();

	for (const struct mrl_record_tag *tag = record->tags; tag != NULL; tag = tag->next)
		put(builder, tags, tag->name, json_string(tag->value));
	put(builder, object, "tags", tags);
	put(builder, object, "result", json_string(mrl_outcome_text(record->outcome)));
	put(builder, object, "reason", json_string(mrl_reason_text(record->reason)));
	for (size_t i = 0; i < analysis->count; i++)
		if (analysis->turns[i].played)
			push(builder, turns, played_json(builder, analysis->rules, &analysis->turns[i]));
	put(builder, object, "turns", turns);
	put(builder, object, "white", sum_json(builder, analysis, MRL_WHITE));
	put(builder, object, "black", sum_json(builder, analysis, MRL_BLACK));
}

bool analyze_json_add(struct analyze_json *json, const struct analysis *analysis)
{
	struct builder builder = {.failed = false};
	json_t *object = json_object();
	char rules[MRL_RULES_NAME_SIZE];

	mrl_rules_write(analysis->rules, rules);
	put(&builder, object, "rules", json_string(rules));
	if (analysis->record != NULL)
		put_game(&builder, object, analysis);
	else
		put_look(&builder, object, analysis->rules, &analysis->turns[0]);
	push(&builder, json->list, object);
	return !builder.failed;
}

/* {"value": "win", "plies": 13}; no plies where they are not known. */
static void put_value(struct builder *builder, json_t *object, const struct mrl_table_value *value)
{
	static const char *const names[] = {
	    [MRL_TABLE_DRAW] = "draw", [MRL_TABLE_WIN] = "win", [MRL_TABLE_LOSS] = "loss"};

	put(builder, object, "value", json_string(names[value->result]));
	if (value->result != MRL_TABLE_DRAW && value->plies != MRL_TABLE_NO_PLIES)
		put(builder, object, "plies", json_integer(value->plies));
}

static json_t *exact_json(struct builder *builder, const struct mrl_rules *rules, const struct mrl_perfect *perfect)
{
	json_t *object = json_object();
	json_t *turns = json_array();

	put_value(builder, object, &perfect->value);
	put(builder, object, "best", json_integer((json_int_t)perfect->best));
	for (size_t i = 0; i < perfect->count; i++) {
		json_t *turn = json_object();

		put(builder, turn, "turn", turn_json(rules, &perfect->turns[i].turn));
		put_value(builder, turn, &perfect->turns[i].value);
		put(builder, turn, "traps", json_integer(perfect->turns[i].traps));
		push(builder, turns, turn);
	}
	put(builder, object, "turns", turns);
	return object;
}

bool analyze_json_exact(struct analyze_json *json, const struct analysis *analysis, const struct analyze_exact *exact)
{
	struct builder builder = {.failed = false};
	json_t *object = json_array_get(json->list, json_array_size(json->list) - 1);
	json_t *turns = json_object_get(object, "turns");
	size_t at = 0;

	if (analysis->record == NULL && exact[0].perfect.count > 0)
		put(&builder, object, "exact", exact_json(&builder, analysis->rules, &exact[0].perfect));
	for (size_t i = 0; analysis->record != NULL && i < analysis->count; i++) {
		if (!analysis->turns[i].played)
			continue;
		if (exact[i].perfect.count > 0)
			put(&builder, json_array_get(turns, at), "exact",
			    exact_json(&builder, analysis->rules, &exact[i].perfect));
		at++;
	}
	return !builder.failed;
}

bool analyze_json_print(const struct analyze_json *json)
{
	bool good = json_dumpf(json->list, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6)) == 0;

	puts("");
	return good;
}
