/* How games begin: settings, links, joining, who has White. */
#include "support.h"

static void a_game_waits_until_a_friend_joins_by_the_link(void **state)
{
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.alone = true, .tempo = "60000+0"});
	assert_int_equal(table.game.phase, MRL_PLAY_WAITING);
	assert_int_equal(table_view(&table, MRL_PLAY_OWNER).link_left, MRL_PLAY_LINK_LIMIT);
	assert_int_equal(table_join(&table, BELA, MRL_PLAY_GUEST, 5), MRL_CODE_OK);
	assert_true(HAPPENED(&table, MRL_PLAY_JOINED, MRL_PLAY_STARTED));
	assert_int_equal(table.game.phase, MRL_PLAY_RUNNING);
	assert_int_equal(mrl_play_seat_of_person(&table.game, BELA), MRL_PLAY_FRIEND);
	table_release(&table);
}

static void only_the_right_secret_joins_and_tells_nothing_of_the_game(void **state)
{
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.alone = true});
	assert_int_equal(table_join(&table, BELA, MRL_PLAY_GUEST, 6), MRL_CODE_WRONG_LINK);
	assert_int_equal(table_join(&table, BELA, MRL_PLAY_GUEST, 5), MRL_CODE_OK);
	/* Taken for those who have the link; for the rest as before. */
	assert_int_equal(table_join(&table, GUEST, MRL_PLAY_GUEST, 6), MRL_CODE_WRONG_LINK);
	assert_int_equal(table_join(&table, GUEST, MRL_PLAY_GUEST, 5), MRL_CODE_TAKEN);
	table_release(&table);
}

static void a_game_without_a_link_is_joined_by_nobody(void **state)
{
	static const uint8_t zeros[MRL_PLAY_HASH_SIZE];
	struct mrl_play_creation creation = {.game = GAME, .id = ""};
	struct mrl_play_player bela = player_of(BELA, MRL_PLAY_GUEST);
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.alone = true});
	mrl_play_settings_of(&table.game, &creation.settings);
	creation.owner = player_of(ANNA, MRL_PLAY_GUEST);
	assert_int_equal(mrl_play_create(&creation, &(struct mrl_play_now){.time = 1}, &table.batch), MRL_CODE_OK);
	mrl_play_init(&table.game, &table.rules, table.game.moves.plies, table.game.past, table.game.moves.capacity);
	table.line_count = 0;
	table_keep(&table, &table.batch);
	table_give(&table, (struct mrl_play_command){
			       .verb = MRL_PLAY_JOIN, .seat = MRL_PLAY_NOBODY, .player = &bela, .link = zeros});
	assert_code(&table, MRL_CODE_WRONG_LINK);
	table_release(&table);
}

static void a_join_that_is_sent_twice_takes_one_seat(void **state)
{
	struct mrl_play_player bela = player_of(BELA, MRL_PLAY_GUEST);
	struct mrl_play_player other = player_of(GUEST, MRL_PLAY_GUEST);
	struct mrl_play_command join = {
	    .verb = MRL_PLAY_JOIN, .seat = MRL_PLAY_NOBODY, .player = &bela, .id = "j1", .id_length = 2};
	uint8_t link[MRL_PLAY_HASH_SIZE];
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.alone = true});
	hash_of(5, link);
	join.link = link;
	assert_int_equal(table_give(&table, join), MRL_CODE_OK);
	assert_int_equal(table.answer.number, 2);
	table_restart(&table);
	assert_int_equal(table_give(&table, join), MRL_CODE_OK);
	assert_true(table.answer.repeated);
	assert_int_equal(table.answer.number, 2);
	assert_int_equal(table.batch.count, 0);
	/* The same id from somebody else is another command. */
	join.player = &other;
	assert_int_equal(table_give(&table, join), MRL_CODE_TAKEN);
	table_release(&table);
}

static void nobody_plays_against_himself(void **state)
{
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.alone = true});
	assert_int_equal(table_join(&table, ANNA, MRL_PLAY_ACCOUNT, 5), MRL_CODE_OWN_GAME);
	assert_int_equal(table.game.phase, MRL_PLAY_WAITING);
	table_release(&table);
}

static void rated_games_are_for_accounts_and_bots(void **state)
{
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.alone = true, .rated = true, .tempo = "60000+0"});
	assert_int_equal(table_join(&table, BELA, MRL_PLAY_GUEST, 5), MRL_CODE_ACCOUNT_NEEDED);
	assert_int_equal(table_join(&table, BELA, MRL_PLAY_COMPUTER, 5), MRL_CODE_ACCOUNT_NEEDED);
	assert_int_equal(table_join(&table, BELA, MRL_PLAY_BOT, 5), MRL_CODE_OK);
	table_release(&table);
}

static enum mrl_play_code try_settings(const char *tempo, bool rated, enum mrl_play_player_kind kind)
{
	struct mrl_play_creation creation = {.game = GAME, .id = "", .settings = {.rules = "nine", .rated = rated}};
	struct mrl_play_batch batch;

	assert_true(mrl_play_tempo_read(tempo, strlen(tempo), &creation.settings.tempo));
	creation.owner = player_of(ANNA, kind);
	return mrl_play_create(&creation, &(struct mrl_play_now){.time = 1}, &batch);
}

static void impossible_settings_make_no_game(void **state)
{
	struct mrl_play_creation creation = {.game = GAME, .id = "", .settings = {.rules = "nine"}};
	struct mrl_play_batch batch;
	const struct mrl_play_now now = {.time = 1};

	(void)state;
	assert_int_equal(try_settings("none", false, MRL_PLAY_GUEST), MRL_CODE_OK);
	assert_int_equal(try_settings("none", true, MRL_PLAY_ACCOUNT), MRL_CODE_BAD_SETTINGS);
	assert_int_equal(try_settings("3d", true, MRL_PLAY_ACCOUNT), MRL_CODE_OK);
	assert_int_equal(try_settings("3d", true, MRL_PLAY_GUEST), MRL_CODE_ACCOUNT_NEEDED);
	creation.owner = player_of(ANNA, MRL_PLAY_GUEST);
	creation.settings.first = 3;
	assert_int_equal(mrl_play_create(&creation, &now, &batch), MRL_CODE_BAD_SETTINGS);
	creation.settings.first = 0;
	creation.settings.tempo.days = 1;
	assert_int_equal(mrl_play_create(&creation, &now, &batch), MRL_CODE_BAD_SETTINGS);
	creation.settings.tempo.days = 0;
	memset(creation.settings.rules, 'x', sizeof creation.settings.rules);
	assert_int_equal(mrl_play_create(&creation, &now, &batch), MRL_CODE_BAD_SETTINGS);
	strcpy(creation.settings.rules, "nine");
	creation.owner.name[0] = '\n';
	assert_int_equal(mrl_play_create(&creation, &now, &batch), MRL_CODE_BAD_PLAYER);
	creation.owner = player_of(0, MRL_PLAY_GUEST);
	assert_int_equal(mrl_play_create(&creation, &now, &batch), MRL_CODE_BAD_PLAYER);
	creation.owner = player_of(ANNA, MRL_PLAY_GUEST);
	creation.id = "not an id";
	creation.id_length = 9;
	assert_int_equal(mrl_play_create(&creation, &now, &batch), MRL_CODE_BAD_ID);
	assert_int_equal(batch.count, 0);
}

static void white_is_who_was_chosen_or_drawn(void **state)
{
	static const struct {
		enum mrl_play_first first;
		uint64_t random;
		enum mrl_play_seat white;
	} rows[] = {
	    {MRL_PLAY_OWNER_FIRST, 1, MRL_PLAY_OWNER},
	    {MRL_PLAY_FRIEND_FIRST, 0, MRL_PLAY_FRIEND},
	    {MRL_PLAY_LOTS, 6, MRL_PLAY_OWNER},
	    {MRL_PLAY_LOTS, 7, MRL_PLAY_FRIEND},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct table table;

		table_open(&table, &(struct plan){.alone = true, .first = rows[i].first});
		table.random = rows[i].random;
		assert_int_equal(table_join(&table, BELA, MRL_PLAY_GUEST, 5), MRL_CODE_OK);
		assert_int_equal(table.game.white, rows[i].white);
		assert_int_equal(mrl_play_seat_of_side(&table.game, MRL_WHITE), rows[i].white);
		assert_int_equal(mrl_play_side_of(&table.game, rows[i].white), MRL_WHITE);
		table_release(&table);
	}
}

static void a_link_lapses_after_a_day(void **state)
{
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.alone = true});
	table_wait(&table, MRL_PLAY_LINK_LIMIT - 1);
	assert_int_equal(table.batch.count, 0);
	assert_true(mrl_play_deadline(&table.game) == table.time + 1);
	table_wait(&table, 1);
	assert_ended(&table, MRL_ONGOING, MRL_REASON_ABORTED);
	assert_int_equal(table.game.cause, MRL_PLAY_CAUSE_EXPIRED);
	assert_int_equal(table_join(&table, BELA, MRL_PLAY_GUEST, 5), MRL_CODE_OVER);
	table_release(&table);
}

static void who_joins_at_the_moment_the_link_lapses_is_too_late(void **state)
{
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.alone = true});
	table.time += MRL_PLAY_LINK_LIMIT;
	assert_int_equal(table_join(&table, BELA, MRL_PLAY_GUEST, 5), MRL_CODE_OVER);
	/* What the timer says is kept although the command was refused. */
	assert_true(HAPPENED(&table, MRL_PLAY_ENDED));
	assert_ended(&table, MRL_ONGOING, MRL_REASON_ABORTED);
	table_release(&table);
}

static void the_owner_may_leave_a_game_that_nobody_joined(void **state)
{
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.alone = true});
	assert_int_equal(table_do(&table, MRL_PLAY_FRIEND, MRL_PLAY_LEAVE), MRL_CODE_NO_SEAT);
	assert_int_equal(table_do(&table, MRL_PLAY_OWNER, MRL_PLAY_LEAVE), MRL_CODE_OK);
	assert_int_equal(table.game.cause, MRL_PLAY_CAUSE_LEFT);
	assert_int_equal(table_join(&table, BELA, MRL_PLAY_GUEST, 5), MRL_CODE_OVER);
	table_release(&table);
	table_open(&table, &(struct plan){.tempo = "60000+0"});
	assert_int_equal(table_do(&table, MRL_PLAY_OWNER, MRL_PLAY_LEAVE), MRL_CODE_TOO_LATE);
	table_release(&table);
}

static void nothing_is_done_before_the_start(void **state)
{
	static const enum mrl_play_verb verbs[] = {MRL_PLAY_RESIGN, MRL_PLAY_ABORT, MRL_PLAY_ADD_TIME,
						   MRL_PLAY_CLAIM_WIN};
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.alone = true, .tempo = "60000+0"});
	for (size_t i = 0; i < COUNT(verbs); i++)
		assert_int_equal(table_do(&table, MRL_PLAY_OWNER, verbs[i]), MRL_CODE_NOT_STARTED);
	assert_int_equal(table_offer(&table, MRL_PLAY_OWNER, MRL_PLAY_OFFER, MRL_PLAY_OFFER_DRAW),
			 MRL_CODE_NOT_STARTED);
	assert_int_equal(table_say(&table, MRL_PLAY_OWNER, MRL_PLAY_ROOM_PLAYERS, "hm"), MRL_CODE_NOT_STARTED);
	assert_int_equal(
	    table_give(&table, (struct mrl_play_command){.verb = MRL_PLAY_PLAY, .turn = "a1", .turn_length = 2}),
	    MRL_CODE_NOT_STARTED);
	assert_int_equal(table.game.number, 1);
	table_release(&table);
}

static void each_seat_has_a_secret_of_its_own(void **state)
{
	static const uint8_t zeros[MRL_PLAY_HASH_SIZE];
	uint8_t hash[MRL_PLAY_HASH_SIZE];
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.alone = true});
	hash_of(ANNA, hash);
	assert_int_equal(mrl_play_seat_of_secret(&table.game, hash), MRL_PLAY_OWNER);
	hash_of(BELA, hash);
	assert_int_equal(mrl_play_seat_of_secret(&table.game, hash), MRL_PLAY_NOBODY);
	/* The empty seat has no secret that could be guessed. */
	assert_int_equal(mrl_play_seat_of_secret(&table.game, zeros), MRL_PLAY_NOBODY);
	assert_int_equal(mrl_play_seat_of_person(&table.game, 0), MRL_PLAY_NOBODY);
	assert_int_equal(table_join(&table, BELA, MRL_PLAY_GUEST, 5), MRL_CODE_OK);
	assert_int_equal(mrl_play_seat_of_secret(&table.game, hash), MRL_PLAY_FRIEND);
	hash[31] ^= 1;
	assert_int_equal(mrl_play_seat_of_secret(&table.game, hash), MRL_PLAY_NOBODY);
	table_release(&table);
}

static void the_operator_may_close_a_game(void **state)
{
	struct table table;

	(void)state;
	table_open(&table, &(struct plan){.tempo = "60000+0"});
	table_play(&table, "a1 d1 g1", 100);
	assert_int_equal(table_do(&table, MRL_PLAY_OWNER, MRL_PLAY_CLOSE), MRL_CODE_BAD_COMMAND);
	assert_int_equal(table_do(&table, MRL_PLAY_NOBODY, MRL_PLAY_CLOSE), MRL_CODE_OK);
	assert_ended(&table, MRL_ONGOING, MRL_REASON_ABORTED);
	assert_int_equal(table.game.cause, MRL_PLAY_CAUSE_OPERATOR);
	table_release(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_game_waits_until_a_friend_joins_by_the_link),
	    cmocka_unit_test(only_the_right_secret_joins_and_tells_nothing_of_the_game),
	    cmocka_unit_test(a_game_without_a_link_is_joined_by_nobody),
	    cmocka_unit_test(a_join_that_is_sent_twice_takes_one_seat),
	    cmocka_unit_test(nobody_plays_against_himself),
	    cmocka_unit_test(rated_games_are_for_accounts_and_bots),
	    cmocka_unit_test(impossible_settings_make_no_game),
	    cmocka_unit_test(white_is_who_was_chosen_or_drawn),
	    cmocka_unit_test(a_link_lapses_after_a_day),
	    cmocka_unit_test(who_joins_at_the_moment_the_link_lapses_is_too_late),
	    cmocka_unit_test(the_owner_may_leave_a_game_that_nobody_joined),
	    cmocka_unit_test(nothing_is_done_before_the_start),
	    cmocka_unit_test(each_seat_has_a_secret_of_its_own),
	    cmocka_unit_test(the_operator_may_close_a_game),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
