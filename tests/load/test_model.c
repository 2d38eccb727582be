/* Every kind of thing that a server might do wrong is noticed; what is right is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "load_model.h"

#define GAME "00000000abc"

struct table {
	struct mrl_rules rules;
	struct load_stats stats;
	struct load_model *model;
	struct load_receiver a;
	struct load_receiver b;
};

static json_t *read_json(const char *text)
{
	json_t *json = json_loads(text, 0, NULL);

	assert_non_null(json);
	return json;
}

static json_t *snapshot_of(unsigned n, unsigned now, const char *turns, unsigned ply, unsigned white, unsigned black,
			   const char *more)
{
	char text[2048];

	snprintf(text, sizeof(text),
		 "{\"t\":\"game\",\"game\":\"" GAME "\",\"n\":%u,\"now\":%u,\"state\":\"playing\",\"rules\":\"nine\","
		 "\"tempo\":{\"base\":60000,\"increment\":1000},\"rated\":false,\"private\":false,"
		 "\"seats\":[{\"id\":\"00000000001\",\"name\":\"Anna\",\"kind\":\"guest\"},"
		 "{\"id\":\"00000000002\",\"name\":\"Bert\",\"kind\":\"guest\"}],\"white\":0,\"you\":0,"
		 "\"turns\":[%s],\"ply\":%u,\"clock\":{\"white\":%u,\"black\":%u,\"running\":null,\"at\":%u},"
		 "\"lines\":[]%s}",
		 n, now, turns, ply, white, black, now, more);
	return read_json(text);
}

static void make_of(struct table *table, bool nodes)
{
	*table = (struct table){.a = {.player = true}, .b = {.player = true}};
	assert_int_equal(mrl_rules_parse(&table->rules, "nine", 4, NULL), MRL_OK);

	json_t *snapshot = snapshot_of(3, 1000, "", 0, 60000, 60000, ",\"offers\":[]");

	table->model = load_model_new(&table->rules, snapshot, &table->stats, nodes);
	json_decref(snapshot);
	assert_non_null(table->model);
	table->a.last = table->b.last = 3;
}

static void make(struct table *table)
{
	make_of(table, false);
}

static void release(struct table *table)
{
	load_model_free(table->model);
}

static void tell(struct table *table, struct load_receiver *receiver, const char *text)
{
	struct load_news news;

	if (load_model_again(table->model, receiver, text, strlen(text), &news))
		return;

	json_t *json = read_json(text);

	load_model_event(table->model, receiver, text, strlen(text), json, &news);
	json_decref(json);
}

#define EVENT(n, at, rest) \
	"{\"t\":\"event\",\"game\":\"" GAME "\",\"n\":" #n ",\"at\":" #at ",\"date\":1796066012000," rest "}"
#define TURN(n, at, seat, ply, turn, spent, white, black)                                                     \
	EVENT(n, at,                                                                                          \
	      "\"kind\":\"turn\",\"seat\":" #seat ",\"ply\":" #ply ",\"turn\":\"" turn "\",\"spent\":" #spent \
	      ",\"clock\":{\"white\":" #white ",\"black\":" #black "}")

static const char *const opening[] = {
    TURN(4, 2000, 0, 0, "d2", 1000, 60000, 60000),
    TURN(5, 3000, 1, 1, "d6", 1000, 60000, 60000),
    TURN(6, 5000, 0, 2, "f4", 2000, 59000, 60000),
};

static void open_game(struct table *table)
{
	make(table);
	for (size_t i = 0; i < 3; i++) {
		tell(table, &table->a, opening[i]);
		tell(table, &table->b, opening[i]);
	}
	assert_int_equal(load_fault_count(&table->stats), 0);
}

/* One fault of this kind and none of another. */
static void expect(struct table *table, enum load_fault_kind kind)
{
	assert_int_equal(load_fault_count(&table->stats), 1);
	assert_int_equal(table->stats.faults[kind], 1);
	release(table);
}

static void a_good_game_has_no_fault(void **state)
{
	struct table table;

	(void)state;
	open_game(&table);
	assert_int_equal(table.stats.events, 6);
	assert_int_equal(table.stats.compared, 3);
	assert_int_equal(load_model_game(table.model)->moves.count, 3);

	json_t *snapshot = snapshot_of(6, 5500, "\"d2\",\"d6\",\"f4\"", 3, 59000, 59500, ",\"offers\":[]");

	table.a.known = 6;
	load_model_snapshot(table.model, &table.a, snapshot);
	json_decref(snapshot);
	assert_int_equal(load_fault_count(&table.stats), 0);
	release(&table);
}

static void a_gap_is_noticed(void **state)
{
	struct table table;

	(void)state;
	make(&table);
	tell(&table, &table.a, opening[0]);
	tell(&table, &table.a, opening[1]);
	tell(&table, &table.b, opening[1]);
	expect(&table, LOAD_FAULT_LOST);
}

static void an_event_told_twice_is_noticed(void **state)
{
	struct table table;

	(void)state;
	open_game(&table);
	tell(&table, &table.a, opening[2]);
	expect(&table, LOAD_FAULT_DOUBLED);
}

static void an_event_told_in_two_ways_is_noticed(void **state)
{
	struct table table;

	(void)state;
	make(&table);
	tell(&table, &table.a, opening[0]);
	tell(&table, &table.b, TURN(4, 2000, 0, 0, "d3", 1000, 60000, 60000));
	expect(&table, LOAD_FAULT_WRONG);
}

static void an_illegal_turn_is_noticed(void **state)
{
	struct table table;

	(void)state;
	open_game(&table);
	tell(&table, &table.a, TURN(7, 6000, 1, 3, "d2", 1000, 59000, 60000));
	expect(&table, LOAD_FAULT_WRONG);
}

static void a_turn_done_twice_is_noticed(void **state)
{
	struct table table;

	(void)state;
	open_game(&table);
	tell(&table, &table.a, TURN(7, 5000, 0, 2, "f4", 2000, 59000, 60000));
	assert_true(load_fault_count(&table.stats) > 0);
	release(&table);
}

static void a_clock_that_does_not_add_up_is_noticed(void **state)
{
	struct table table;

	(void)state;
	open_game(&table);
	tell(&table, &table.a, TURN(7, 6000, 1, 3, "b4", 1000, 59000, 60001));
	expect(&table, LOAD_FAULT_CLOCK);
	open_game(&table);
	tell(&table, &table.a, TURN(7, 6000, 1, 3, "b4", 2000, 59000, 59000));
	expect(&table, LOAD_FAULT_CLOCK);
}

static void a_negative_clock_is_noticed(void **state)
{
	struct table table;

	(void)state;
	open_game(&table);
	tell(&table, &table.a, TURN(7, 6000, 1, 3, "b4", 1000, 59000, -5));
	expect(&table, LOAD_FAULT_WRONG);
}

static void a_snapshot_that_forgets_is_noticed(void **state)
{
	struct table table;

	(void)state;
	open_game(&table);

	json_t *snapshot = snapshot_of(5, 5500, "\"d2\",\"d6\"", 2, 57500, 60000, ",\"offers\":[]");

	table.a.known = load_model_known(table.model);
	load_model_snapshot(table.model, &table.a, snapshot);
	json_decref(snapshot);
	expect(&table, LOAD_FAULT_LOST);
}

static void a_snapshot_that_charges_the_time_of_no_server_is_noticed(void **state)
{
	struct table table;

	(void)state;
	open_game(&table);

	json_t *snapshot = snapshot_of(6, 5500, "\"d2\",\"d6\",\"f4\"", 3, 59000, 50000, ",\"offers\":[]");

	load_model_snapshot(table.model, &table.a, snapshot);
	json_decref(snapshot);
	expect(&table, LOAD_FAULT_CLOCK);
}

static void a_snapshot_without_its_offer_is_noticed(void **state)
{
	struct table table;

	(void)state;
	open_game(&table);
	tell(&table, &table.a, EVENT(7, 5100, "\"kind\":\"offered\",\"seat\":1,\"what\":\"draw\""));

	json_t *snapshot = snapshot_of(7, 5500, "\"d2\",\"d6\",\"f4\"", 3, 59000, 59500, ",\"offers\":[]");

	load_model_snapshot(table.model, &table.a, snapshot);
	json_decref(snapshot);
	expect(&table, LOAD_FAULT_LOST);
}

static void an_acknowledgement_of_what_did_not_happen_is_noticed(void **state)
{
	struct load_deed deed = {.kind = MRL_PLAY_CHAT, .seat = 1, .text = "hello"};
	struct table table;

	(void)state;
	open_game(&table);
	load_model_acknowledged(table.model, 6, &deed);
	expect(&table, LOAD_FAULT_LOST);
}

static void an_acknowledgement_may_come_before_its_event(void **state)
{
	struct load_deed deed = {.kind = MRL_PLAY_TURN, .seat = 1, .ply = 3, .text = "b4"};
	struct table table;

	(void)state;
	open_game(&table);
	load_model_acknowledged(table.model, 7, &deed);
	assert_int_equal(load_model_known(table.model), 7);
	tell(&table, &table.a, TURN(7, 6000, 1, 3, "b4", 1000, 59000, 60000));
	assert_int_equal(load_fault_count(&table.stats), 0);
	release(&table);
}

static void what_is_hidden_from_spectators_still_counts(void **state)
{
	struct load_receiver spectator = {.last = 6};
	struct table table;

	(void)state;
	open_game(&table);
	tell(&table, &spectator, "{\"t\":\"event\",\"game\":\"" GAME "\",\"n\":7,\"kind\":\"hidden\"}");
	tell(&table, &spectator, TURN(8, 6000, 1, 3, "b4", 1000, 59000, 60000));
	tell(&table, &table.a,
	     EVENT(7, 5500, "\"kind\":\"chat\",\"seat\":0,\"room\":\"players\",\"name\":\"Anna\",\"text\":\"hello\""));
	tell(&table, &table.a, TURN(8, 6000, 1, 3, "b4", 1000, 59000, 60000));
	assert_int_equal(load_fault_count(&table.stats), 0);
	assert_int_equal(load_model_game(table.model)->number, 8);
	release(&table);
}

static void what_was_on_its_way_when_it_was_asked_again_is_no_loss(void **state)
{
	struct load_receiver player = {.last = 4, .player = true, .back = true};
	struct table table;

	(void)state;
	open_game(&table);
	/* The last of the opening comes from before the question, the rest is the answer. */
	tell(&table, &player, opening[2]);
	assert_int_equal(player.last, 4);
	tell(&table, &player, opening[1]);
	tell(&table, &player, opening[2]);
	assert_int_equal(player.last, 6);
	assert_int_equal(load_fault_count(&table.stats), 0);
	/* After that a gap is a loss again. */
	tell(&table, &player, TURN(8, 6000, 1, 3, "b4", 1000, 59000, 60000));
	assert_int_equal(table.stats.faults[LOAD_FAULT_LOST], 1);
	release(&table);
}

static void what_nobody_was_told_is_asked_for_with_a_turn_before_it(void **state)
{
	struct table table;

	(void)state;
	open_game(&table);
	assert_int_equal(load_model_before_turn(table.model), 5);
	tell(&table, &table.a,
	     EVENT(7, 5500, "\"kind\":\"chat\",\"seat\":0,\"room\":\"players\",\"name\":\"Anna\",\"text\":\"hello\""));
	assert_int_equal(load_model_before_turn(table.model), 5);
	release(&table);
}

static void nodes_may_tell_an_event_at_other_moments_and_in_no_other_way(void **state)
{
	struct table table;

	(void)state;
	make_of(&table, true);
	tell(&table, &table.a, TURN(4, 2000, 0, 0, "d2", 1000, 60000, 60000));
	tell(&table, &table.b, TURN(4, 987654, 0, 0, "d2", 1000, 60000, 60000));
	/* Roughly one time: it may even go back. */
	tell(&table, &table.a, TURN(5, 1990, 1, 1, "d6", 0, 60000, 60000));
	assert_int_equal(load_fault_count(&table.stats), 0);
	assert_int_equal(table.stats.compared, 1);
	tell(&table, &table.b, TURN(5, 1990, 1, 1, "d7", 0, 60000, 60000));
	expect(&table, LOAD_FAULT_WRONG);
}

static void nodes_may_charge_less_than_has_passed_and_no_more(void **state)
{
	struct table table;

	(void)state;
	make_of(&table, true);
	tell(&table, &table.a, opening[0]);
	tell(&table, &table.a, opening[1]);
	/* Its node was lost for the rest. */
	tell(&table, &table.a, TURN(6, 13000, 0, 2, "f4", 2000, 59000, 60000));
	assert_int_equal(load_fault_count(&table.stats), 0);
	tell(&table, &table.a, TURN(7, 14000, 1, 3, "b4", 4000, 59000, 57000));
	expect(&table, LOAD_FAULT_CLOCK);
}

static void a_node_that_is_behind_is_no_loss(void **state)
{
	struct table table;

	(void)state;
	make_of(&table, true);
	for (size_t i = 0; i < 3; i++)
		tell(&table, &table.a, opening[i]);

	json_t *snapshot = snapshot_of(5, 5500, "\"d2\",\"d6\"", 2, 60000, 60000, ",\"offers\":[]");

	table.b.known = 6;
	load_model_snapshot(table.model, &table.b, snapshot);
	json_decref(snapshot);
	assert_int_equal(load_fault_count(&table.stats), 0);
	tell(&table, &table.b, opening[2]);
	assert_int_equal(load_fault_count(&table.stats), 0);
	release(&table);
}

static void spans_are_told_to_three_percent(void **state)
{
	struct load_spans spans = {0};

	(void)state;
	for (uint64_t us = 1; us <= 10000; us++)
		load_spans_add(&spans, us * 1000);
	assert_in_range(load_spans_at(&spans, 0.5), 4850000, 5200000);
	assert_in_range(load_spans_at(&spans, 0.99), 9600000, 10000000);
	assert_int_equal(load_spans_at(&spans, 1), 10000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_good_game_has_no_fault),
	    cmocka_unit_test(a_gap_is_noticed),
	    cmocka_unit_test(an_event_told_twice_is_noticed),
	    cmocka_unit_test(an_event_told_in_two_ways_is_noticed),
	    cmocka_unit_test(an_illegal_turn_is_noticed),
	    cmocka_unit_test(a_turn_done_twice_is_noticed),
	    cmocka_unit_test(a_clock_that_does_not_add_up_is_noticed),
	    cmocka_unit_test(a_negative_clock_is_noticed),
	    cmocka_unit_test(a_snapshot_that_forgets_is_noticed),
	    cmocka_unit_test(a_snapshot_that_charges_the_time_of_no_server_is_noticed),
	    cmocka_unit_test(a_snapshot_without_its_offer_is_noticed),
	    cmocka_unit_test(an_acknowledgement_of_what_did_not_happen_is_noticed),
	    cmocka_unit_test(an_acknowledgement_may_come_before_its_event),
	    cmocka_unit_test(what_is_hidden_from_spectators_still_counts),
	    cmocka_unit_test(what_was_on_its_way_when_it_was_asked_again_is_no_loss),
	    cmocka_unit_test(what_nobody_was_told_is_asked_for_with_a_turn_before_it),
	    cmocka_unit_test(nodes_may_tell_an_event_at_other_moments_and_in_no_other_way),
	    cmocka_unit_test(nodes_may_charge_less_than_has_passed_and_no_more),
	    cmocka_unit_test(a_node_that_is_behind_is_no_loss),
	    cmocka_unit_test(spans_are_told_to_three_percent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
