/* Who is there and who is gone; what is said, and who hears it. */
#include "support.h"

#define OWNER MRL_PLAY_OWNER
#define FRIEND MRL_PLAY_FRIEND
#define NOBODY MRL_PLAY_NOBODY
#define PLAYERS MRL_PLAY_ROOM_PLAYERS
#define SPECTATORS MRL_PLAY_ROOM_SPECTATORS

static void open_running(struct table *table, const char *tempo)
{
	table_open(table, &(struct plan){.tempo = tempo});
	table_play(table, "a1 d1 g1", 100);
}

static void who_stayed_may_claim_after_a_while(void **state)
{
	static const struct {
		const char *tempo;
		bool closed_tab;
		uint64_t wait; /* milliseconds; 0: never */
	} rows[] = {
	    {"300000+0", false, 40000},    {"300000+0", true, 10000},    {"600000+0", false, 60000},
	    {"600000+5000", false, 80000}, {"600000+5000", true, 20000}, {"1800000+20000", false, 180000},
	    {"none", false, 600000},       {"none", true, 150000},       {"2d", false, 0},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct table table;

		open_running(&table, rows[i].tempo);
		assert_int_equal(table_do(&table, OWNER, MRL_PLAY_CLAIM_WIN), MRL_CODE_NOT_GONE);
		mrl_play_presence(&table.game, FRIEND, false, rows[i].closed_tab, table.time);
		if (rows[i].wait == 0) {
			assert_true(mrl_play_claim_time(&table.game, OWNER) == UINT64_MAX);
			assert_int_equal(table_view(&table, OWNER).claim_left, MRL_PLAY_NEVER);
		} else {
			assert_int_equal(table_view(&table, OWNER).claim_left, rows[i].wait);
			table.time += rows[i].wait - 1;
			assert_int_equal(table_do(&table, OWNER, MRL_PLAY_CLAIM_WIN), MRL_CODE_NOT_GONE);
			table.time++;
			assert_true((table_view(&table, OWNER).may & MRL_PLAY_MAY_CLAIM) != 0);
			assert_int_equal(table_do(&table, FRIEND, MRL_PLAY_CLAIM_WIN), MRL_CODE_NOT_GONE);
			assert_int_equal(table_do(&table, OWNER, MRL_PLAY_CLAIM_WIN), MRL_CODE_OK);
			assert_ended(&table, MRL_WHITE_WINS, MRL_REASON_ABANDONED);
		}
		table_release(&table);
	}
}

static void a_draw_may_be_claimed_instead(void **state)
{
	struct table table;

	(void)state;
	open_running(&table, "300000+0");
	mrl_play_presence(&table.game, OWNER, false, false, table.time);
	table.time += 40000;
	assert_int_equal(table_do(&table, FRIEND, MRL_PLAY_CLAIM_DRAW), MRL_CODE_OK);
	assert_ended(&table, MRL_DRAW, MRL_REASON_ABANDONED);
	table_release(&table);
}

static void who_comes_back_in_time_plays_on(void **state)
{
	struct table table;

	(void)state;
	open_running(&table, "300000+0");
	mrl_play_presence(&table.game, FRIEND, false, false, table.time);
	table.time += 30000;
	mrl_play_presence(&table.game, FRIEND, false, false, table.time); /* told again: counts from the first */
	assert_int_equal(table_view(&table, OWNER).claim_left, 10000);
	mrl_play_presence(&table.game, FRIEND, true, false, table.time);
	table.time += 60000;
	assert_int_equal(table_do(&table, OWNER, MRL_PLAY_CLAIM_WIN), MRL_CODE_NOT_GONE);
	table_release(&table);
}

static void before_both_have_moved_nothing_is_claimed(void **state)
{
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.tempo = "none"});
	table_play(&table, "a1", 100);
	mrl_play_presence(&table.game, FRIEND, false, true, table.time);
	table.time += 3600000;
	assert_int_equal(table_do(&table, OWNER, MRL_PLAY_CLAIM_WIN), MRL_CODE_NOT_GONE);
	table_release(&table);
}

static void after_a_restart_both_are_gone_from_then_on(void **state)
{
	struct table table;

	(void)state;
	open_running(&table, "300000+0");
	mrl_play_presence(&table.game, FRIEND, false, true, table.time);
	table.time += 9000;
	table_restart(&table);
	assert_int_equal(table_view(&table, OWNER).claim_left, 40000);
	assert_int_equal(table_view(&table, FRIEND).claim_left, 40000);
	table_release(&table);
}

static void a_computer_is_never_gone(void **state)
{
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.alone = true, .tempo = "300000+0"});
	assert_int_equal(table_join(&table, BELA, MRL_PLAY_COMPUTER, 5), MRL_CODE_OK);
	table_play(&table, "a1 d1 g1", 100);
	mrl_play_all_gone(&table.game, table.time);
	assert_true(mrl_play_claim_time(&table.game, OWNER) == UINT64_MAX);
	assert_true(mrl_play_claim_time(&table.game, FRIEND) == table.time + 40000);
	table_release(&table);
}

static void players_and_spectators_have_a_room_each(void **state)
{
	struct table table;

	(void)state;
	open_running(&table, "300000+0");
	assert_int_equal(table_say(&table, OWNER, PLAYERS, "hello"), MRL_CODE_OK);
	assert_int_equal(mrl_play_event_audience(&table.batch.events[0]), MRL_PLAY_PLAYERS);
	assert_int_equal(table_say(&table, OWNER, SPECTATORS, "hello"), MRL_CODE_WRONG_ROOM);
	assert_int_equal(table_say(&table, NOBODY, PLAYERS, "take d2!"), MRL_CODE_WRONG_ROOM);
	assert_int_equal(table_say(&table, NOBODY, SPECTATORS, "take d2!"), MRL_CODE_OK);
	assert_int_equal(mrl_play_event_audience(&table.batch.events[0]), MRL_PLAY_SPECTATORS);
	assert_true(table.batch.events[0].chat.person == GUEST);
	assert_string_equal(table.batch.events[0].chat.name, "Player 1003");
	table_release(&table);
}

static void a_hidden_event_spends_its_number(void **state)
{
	struct table table;
	uint32_t before;

	(void)state;
	open_running(&table, "300000+0");
	before = table.game.number;
	assert_int_equal(table_say(&table, NOBODY, SPECTATORS, "quiet please"), MRL_CODE_OK);
	assert_int_equal(table_turn(&table, "b2"), MRL_CODE_OK);
	assert_int_equal(table.answer.number, before + 2);
	table_release(&table);
}

static void a_player_in_another_window_is_no_spectator(void **state)
{
	struct mrl_play_player anna = player_of(ANNA, MRL_PLAY_ACCOUNT);
	struct table table;

	(void)state;
	open_running(&table, "300000+0");
	assert_int_equal(table_give(&table, (struct mrl_play_command){.verb = MRL_PLAY_SAY,
								      .seat = NOBODY,
								      .room = SPECTATORS,
								      .text = "x",
								      .text_length = 1,
								      .player = &anna}),
			 MRL_CODE_WRONG_ROOM);
	table_release(&table);
}

static void a_private_game_has_no_spectators(void **state)
{
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.tempo = "300000+0", .unlisted = true});
	assert_int_equal(table_say(&table, NOBODY, SPECTATORS, "hi"), MRL_CODE_NO_SEAT);
	assert_int_equal(table_say(&table, OWNER, PLAYERS, "hi"), MRL_CODE_OK);
	table_release(&table);
}

static void a_line_has_200_characters_of_good_text(void **state)
{
	static const char *const bad[] = {"",
					  "   ",
					  "a\nb",
					  "a\tb",
					  "\x7f",
					  "caf\xe9",
					  "\xc0\xaf",
					  "\xed\xa0\x80",
					  "\xf4\x90\x80\x80",
					  "\xc2\x85",
					  "x\xe2\x80\xaey",
					  "x\xe2\x80\xa8y",
					  "\xe2\x80\x8b",
					  "\xef\xbb\xbfx",
					  "\xef\xbf\xbf",
					  "cut \xe2\x82"};
	char text[4 * 201 + 1];
	struct table table;

	(void)state;
	open_running(&table, "300000+0");
	for (size_t i = 0; i < COUNT(bad); i++)
		assert_int_equal(table_say(&table, OWNER, PLAYERS, bad[i]), MRL_CODE_BAD_TEXT);
	for (size_t i = 0; i < 201; i++)
		memcpy(text + 4 * i, "\xf0\x9f\x99\x82", 4);
	text[sizeof text - 1] = '\0';
	assert_int_equal(table_say(&table, OWNER, PLAYERS, text), MRL_CODE_TEXT_TOO_LONG);
	text[800] = '\0';
	assert_int_equal(table_say(&table, OWNER, PLAYERS, text), MRL_CODE_OK);
	assert_string_equal(table.batch.events[0].chat.text, text);
	memset(text, '%', 200);
	text[200] = '\0';
	assert_int_equal(table_say(&table, OWNER, PLAYERS, text), MRL_CODE_OK);
	assert_int_equal(table_say(&table, OWNER, PLAYERS, "."), MRL_CODE_OK);
	assert_int_equal(table_say(&table, OWNER, PLAYERS, "gr\xc3\xbc\xc3\x9f dich %20 . !"), MRL_CODE_OK);
	table_release(&table);
}

static void a_nul_byte_is_no_text(void **state)
{
	struct table table;

	(void)state;
	open_running(&table, "300000+0");
	assert_int_equal(
	    table_give(&table,
		       (struct mrl_play_command){
			   .verb = MRL_PLAY_SAY, .seat = OWNER, .room = PLAYERS, .text = "a\0b", .text_length = 3}),
	    MRL_CODE_BAD_TEXT);
	table_release(&table);
}

static enum mrl_play_code phrase(struct table *table, enum mrl_play_seat seat, uint8_t number)
{
	return table_give(
	    table, (struct mrl_play_command){.verb = MRL_PLAY_SAY, .seat = seat, .room = PLAYERS, .phrase = number});
}

static void children_say_phrases_only(void **state)
{
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.tempo = "300000+0", .phrases = true});
	table_play(&table, "a1 d1", 100);
	assert_int_equal(table_say(&table, OWNER, PLAYERS, "where do you live"), MRL_CODE_PHRASES_ONLY);
	assert_int_equal(table_say(&table, NOBODY, SPECTATORS, "hi"), MRL_CODE_PHRASES_ONLY);
	assert_int_equal(phrase(&table, OWNER, 5), MRL_CODE_OK);
	assert_string_equal(mrl_play_phrase(table.batch.events[0].chat.phrase), "Well played!");
	assert_string_equal(table.batch.events[0].chat.text, "");
	assert_int_equal(phrase(&table, OWNER, 200), MRL_CODE_BAD_TEXT);
	assert_null(mrl_play_phrase(0));
	assert_null(mrl_play_phrase(13));
	table_release(&table);
}

static void who_writes_too_quickly_waits(void **state)
{
	struct table table;

	(void)state;
	open_running(&table, "300000+0");
	for (unsigned i = 0; i < MRL_PLAY_CHAT_BURST; i++)
		assert_int_equal(table_say(&table, OWNER, PLAYERS, "spam"), MRL_CODE_OK);
	assert_int_equal(table_say(&table, OWNER, PLAYERS, "spam"), MRL_CODE_SLOW_DOWN);
	table_restart(&table); /* helps nobody */
	assert_int_equal(table_say(&table, OWNER, PLAYERS, "spam"), MRL_CODE_SLOW_DOWN);
	assert_int_equal(table_say(&table, FRIEND, PLAYERS, "stop it"), MRL_CODE_OK);
	table.time += MRL_PLAY_CHAT_COST;
	assert_int_equal(table_say(&table, OWNER, PLAYERS, "spam"), MRL_CODE_OK);
	assert_int_equal(table_say(&table, OWNER, PLAYERS, "spam"), MRL_CODE_SLOW_DOWN);
	table_release(&table);
}

static enum mrl_play_code spectator_says(struct table *table, uint64_t person, const char *id)
{
	struct mrl_play_player player = player_of(person, MRL_PLAY_GUEST);

	return table_give(table, (struct mrl_play_command){.verb = MRL_PLAY_SAY,
							   .seat = NOBODY,
							   .room = SPECTATORS,
							   .text = "oh",
							   .text_length = 2,
							   .player = &player,
							   .id = id,
							   .id_length = id != NULL ? strlen(id) : 0});
}

static void one_spectator_cannot_fill_the_room(void **state)
{
	struct table table;

	(void)state;
	open_running(&table, "300000+0");
	for (unsigned i = 0; i < MRL_PLAY_CHAT_BURST; i++)
		assert_int_equal(spectator_says(&table, 5000, NULL), MRL_CODE_OK);
	assert_int_equal(spectator_says(&table, 5000, NULL), MRL_CODE_SLOW_DOWN);
	for (unsigned i = MRL_PLAY_CHAT_BURST; i < MRL_PLAY_ROOM_LINES; i++)
		assert_int_equal(spectator_says(&table, 6000 + i, NULL), MRL_CODE_OK);
	/* Nor can many together. */
	assert_int_equal(spectator_says(&table, 7000, NULL), MRL_CODE_SLOW_DOWN);
	table.time += MRL_PLAY_ROOM_TIME;
	assert_int_equal(spectator_says(&table, 7000, NULL), MRL_CODE_OK);
	table_release(&table);
}

static void a_spectators_line_sent_twice_is_said_once(void **state)
{
	struct table table;
	uint32_t number;

	(void)state;
	open_running(&table, "300000+0");
	assert_int_equal(spectator_says(&table, 5000, "s1"), MRL_CODE_OK);
	number = table.answer.number;
	table_restart(&table);
	assert_int_equal(spectator_says(&table, 5000, "s1"), MRL_CODE_OK);
	assert_true(table.answer.repeated);
	assert_int_equal(table.answer.number, number);
	assert_int_equal(table.batch.count, 0);
	assert_int_equal(spectator_says(&table, 5001, "s1"), MRL_CODE_OK);
	assert_false(table.answer.repeated);
	table_release(&table);
}

static void one_may_talk_after_the_game(void **state)
{
	struct table table;

	(void)state;
	open_running(&table, "300000+0");
	assert_int_equal(table_do(&table, OWNER, MRL_PLAY_RESIGN), MRL_CODE_OK);
	assert_int_equal(table_say(&table, FRIEND, PLAYERS, "thank you"), MRL_CODE_OK);
	assert_int_equal(table_say(&table, NOBODY, SPECTATORS, "bravo"), MRL_CODE_OK);
	table_release(&table);
}

static void where_too_much_has_happened_only_turns_are_possible(void **state)
{
	struct table table;

	(void)state;
	open_running(&table, "none");
	table.quick = true;
	while (table.game.number < MRL_PLAY_MAX_EVENTS) {
		table.time += MRL_PLAY_CHAT_COST;
		assert_int_equal(table_say(&table, OWNER, PLAYERS, "and another thing"), MRL_CODE_OK);
	}
	table.time += MRL_PLAY_CHAT_COST;
	assert_int_equal(table_say(&table, OWNER, PLAYERS, "and"), MRL_CODE_FULL);
	assert_int_equal(table_say(&table, NOBODY, SPECTATORS, "and"), MRL_CODE_FULL);
	assert_int_equal(table_offer(&table, OWNER, MRL_PLAY_OFFER, MRL_PLAY_OFFER_DRAW), MRL_CODE_FULL);
	assert_int_equal(table_offer(&table, OWNER, MRL_PLAY_OFFER, MRL_PLAY_OFFER_TAKEBACK), MRL_CODE_FULL);
	assert_int_equal(table_turn(&table, "b2"), MRL_CODE_OK);
	assert_int_equal(table_do(&table, OWNER, MRL_PLAY_RESIGN), MRL_CODE_OK);
	table_restart(&table);
	table_release(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(who_stayed_may_claim_after_a_while),
	    cmocka_unit_test(a_draw_may_be_claimed_instead),
	    cmocka_unit_test(who_comes_back_in_time_plays_on),
	    cmocka_unit_test(before_both_have_moved_nothing_is_claimed),
	    cmocka_unit_test(after_a_restart_both_are_gone_from_then_on),
	    cmocka_unit_test(a_computer_is_never_gone),
	    cmocka_unit_test(players_and_spectators_have_a_room_each),
	    cmocka_unit_test(a_hidden_event_spends_its_number),
	    cmocka_unit_test(a_player_in_another_window_is_no_spectator),
	    cmocka_unit_test(a_private_game_has_no_spectators),
	    cmocka_unit_test(a_line_has_200_characters_of_good_text),
	    cmocka_unit_test(a_nul_byte_is_no_text),
	    cmocka_unit_test(children_say_phrases_only),
	    cmocka_unit_test(who_writes_too_quickly_waits),
	    cmocka_unit_test(one_spectator_cannot_fill_the_room),
	    cmocka_unit_test(a_spectators_line_sent_twice_is_said_once),
	    cmocka_unit_test(one_may_talk_after_the_game),
	    cmocka_unit_test(where_too_much_has_happened_only_turns_are_possible),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
