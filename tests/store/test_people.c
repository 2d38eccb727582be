/* People, their sessions, and what is theirs alone. */
#include "support.h"

enum { ANNA = 11, BERT = 12, GUEST = 13 };

static void keep_person(void *context, const struct mrl_store_answer *answer)
{
	uint64_t *id = context;

	assert_int_equal(answer->person_count, 1);
	*id = answer->people[0].id;
}

/* Whose the name is; 0: nobody's. */
static uint64_t who_is(struct mrl_store *store, const char *name)
{
	uint64_t id = 0;
	struct look look = {.at = keep_person, .context = &id};

	assert_int_equal(mrl_store_find_name(store, name, look_done, &look), MRL_OK);
	mrl_store_wait(store);
	assert_int_equal(look.status, id == 0 ? MRL_MISSING : MRL_OK);
	return id;
}

static void look_at_anna(void *context, const struct mrl_store_answer *answer)
{
	const struct mrl_store_person *person = answer->people;

	(void)context;
	assert_int_equal(answer->person_count, 1);
	assert_int_equal(person->id, UINT64_MAX);
	assert_int_equal(person->kind, MRL_STORE_BOT);
	assert_string_equal(person->name, "Anna");
	assert_string_equal(person->password, "hash");
	assert_string_equal(person->email, "anna@example.org");
	assert_int_equal(person->created, 1);
	assert_int_equal(person->seen, 77);
	assert_true(person->banned_until == INT64_MAX);
	assert_string_equal(person->ban_reason, "cheats");
}

static void a_person_comes_back_as_it_was(void **state)
{
	struct mrl_store *store = store_open(*state);
	struct mrl_store_change *change = mrl_change_new();
	struct look look = {.at = look_at_anna};

	mrl_change_add_person(
	    change,
	    &(struct mrl_store_person){
		.id = UINT64_MAX, .kind = MRL_STORE_BOT, .name = "Anna", .password = "old", .created = 1, .seen = 2});
	mrl_change_set_password(change, UINT64_MAX, "hash");
	mrl_change_set_email(change, UINT64_MAX, "anna@example.org");
	mrl_change_seen(change, UINT64_MAX, 77);
	mrl_change_ban(change, UINT64_MAX, INT64_MAX, "cheats");
	must(store, change);
	expect_answer(store, &look, mrl_store_find_person(store, UINT64_MAX, look_done, &look), MRL_OK);
	look.at = NULL;
	expect_answer(store, &look, mrl_store_find_person(store, 5, look_done, &look), MRL_MISSING);
	mrl_store_close(store);
}

static enum mrl_status rename_to(struct mrl_store *store, uint64_t id, const char *name)
{
	struct mrl_store_change *change = mrl_change_new();

	mrl_change_rename(change, id, name);
	return commit(store, change, NULL);
}

static enum mrl_status promote_to(struct mrl_store *store, uint64_t id, const char *name)
{
	struct mrl_store_change *change = mrl_change_new();

	mrl_change_promote(change, id, MRL_STORE_ACCOUNT, name, "hash", "");
	return commit(store, change, NULL);
}

static void a_name_is_one_persons_in_any_letters(void **state)
{
	struct mrl_store *store = store_open(*state);
	struct mrl_store_change *change = mrl_change_new();
	struct mrl_error error = {0};

	add_account(store, ANNA, "Anna");
	mrl_change_add_person(change,
			      &(struct mrl_store_person){.id = BERT, .kind = MRL_STORE_ACCOUNT, .name = "aNNA"});
	assert_int_equal(commit(store, change, &error), MRL_CONFLICT);
	assert_string_equal(error.message, "the name is taken");
	change = mrl_change_new();
	mrl_change_add_person(change,
			      &(struct mrl_store_person){.id = ANNA, .kind = MRL_STORE_ACCOUNT, .name = "Other"});
	assert_int_equal(commit(store, change, &error), MRL_CONFLICT);
	assert_string_equal(error.message, "there is a person with this id already");
	add_account(store, BERT, "Bert");
	assert_int_equal(rename_to(store, BERT, "ANNA"), MRL_CONFLICT);
	assert_int_equal(who_is(store, "bert"), BERT);
	/* Other letters of one's own name are one's own. */
	assert_int_equal(rename_to(store, ANNA, "ANNA"), MRL_OK);
	assert_int_equal(who_is(store, "anna"), ANNA);
	assert_int_equal(rename_to(store, ANNA, "Zoe"), MRL_OK);
	assert_int_equal(who_is(store, "anna"), 0);
	assert_int_equal(rename_to(store, BERT, "anna"), MRL_OK);
	assert_int_equal(who_is(store, "ANNA"), BERT);
	/* Guests may be called like anybody. */
	add_guest(store, GUEST, "Zoe");
	assert_int_equal(rename_to(store, GUEST, "Anna"), MRL_OK);
	assert_int_equal(who_is(store, "anna"), BERT);
	mrl_store_close(store);
}

static void look_at_owner(void *context, const struct mrl_store_answer *answer)
{
	(void)context;
	assert_int_equal(answer->game_count, 1);
	assert_int_equal(answer->games[0].white.person, GUEST);
	assert_string_equal(answer->games[0].white.name, "Zoe");
	assert_int_equal(answer->games[0].white.person_kind, MRL_STORE_ACCOUNT);
}

static void a_guest_becomes_an_account_and_keeps_its_games(void **state)
{
	struct mrl_store *store = store_open(*state);
	struct mrl_store_change *change = mrl_change_new();
	struct mrl_store_game game = some_ended(5, GUEST, ANNA, 9000, MRL_STORE_DRAW);
	struct mrl_store_search search = {.person = GUEST};
	struct look look = {.at = look_at_owner};

	add_account(store, ANNA, "Anna");
	add_guest(store, GUEST, "Guest otter");
	mrl_change_add_game(change, &game);
	must(store, change);
	assert_int_equal(promote_to(store, GUEST, "anna"), MRL_CONFLICT);
	assert_int_equal(promote_to(store, GUEST, "Zoe"), MRL_OK);
	assert_int_equal(promote_to(store, GUEST, "Zoe2"), MRL_MISSING);
	assert_int_equal(promote_to(store, 999, "Zoe3"), MRL_MISSING);
	assert_int_equal(who_is(store, "zoe"), GUEST);
	expect_answer(store, &look, mrl_store_list_games(store, &search, false, NULL, 10, look_done, &look), MRL_OK);
	mrl_store_close(store);
}

static struct mrl_store_session session_of(uint64_t person, uint8_t first, enum mrl_store_session_kind kind)
{
	return (struct mrl_store_session){.hash = {first},
					  .person = person,
					  .kind = kind,
					  .label = "laptop",
					  .created = first,
					  .seen = 2,
					  .expires = 1000};
}

static enum mrl_status find_session(struct mrl_store *store, uint8_t first, int64_t now)
{
	uint8_t hash[MRL_STORE_HASH_BYTES] = {first};
	struct look look = {0};

	assert_int_equal(mrl_store_find_session(store, hash, now, look_done, &look), MRL_OK);
	mrl_store_wait(store);
	return look.status;
}

static void look_at_session(void *context, const struct mrl_store_answer *answer)
{
	(void)context;
	assert_int_equal(answer->session_count, 1);
	assert_int_equal(answer->person_count, 1);
	assert_int_equal(answer->sessions[0].hash[0], 1);
	assert_int_equal(answer->sessions[0].person, ANNA);
	assert_int_equal(answer->sessions[0].kind, MRL_STORE_COOKIE);
	assert_string_equal(answer->sessions[0].label, "laptop");
	assert_int_equal(answer->sessions[0].seen, 50);
	assert_int_equal(answer->sessions[0].expires, 2000);
	assert_string_equal(answer->people[0].name, "Anna");
}

static void look_at_sessions(void *context, const struct mrl_store_answer *answer)
{
	(void)context;
	assert_int_equal(answer->session_count, 3);
	assert_int_equal(answer->sessions[0].hash[0], 3);
	assert_int_equal(answer->sessions[2].hash[0], 1);
}

static struct mrl_store *with_sessions(const struct home *home)
{
	struct mrl_store *store = store_open(home);
	struct mrl_store_change *change = mrl_change_new();

	add_account(store, ANNA, "Anna");
	add_account(store, BERT, "Bert");
	for (uint8_t i = 1; i <= 4; i++) {
		struct mrl_store_session session =
		    session_of(i == 4 ? BERT : ANNA, i, i == 2 ? MRL_STORE_BEARER : MRL_STORE_COOKIE);

		mrl_change_add_session(change, &session);
	}
	must(store, change);
	return store;
}

static void a_session_is_found_until_it_expires(void **state)
{
	struct mrl_store *store = with_sessions(*state);
	struct mrl_store_change *change = mrl_change_new();
	struct mrl_store_session session = session_of(ANNA, 1, MRL_STORE_COOKIE);
	struct look look = {.at = look_at_session};

	assert_int_equal(find_session(store, 1, 999), MRL_OK);
	assert_int_equal(find_session(store, 1, 1000), MRL_MISSING);
	assert_int_equal(find_session(store, 9, 0), MRL_MISSING);
	mrl_change_touch_session(change, session.hash, 50, 2000);
	must(store, change);
	expect_answer(store, &look, mrl_store_find_session(store, session.hash, 1999, look_done, &look), MRL_OK);
	change = mrl_change_new();
	mrl_change_add_session(change, &session);
	assert_int_equal(commit(store, change, NULL), MRL_CONFLICT);
	change = mrl_change_new();
	session = session_of(999, 8, MRL_STORE_COOKIE);
	mrl_change_add_session(change, &session);
	assert_int_equal(commit(store, change, NULL), MRL_MISSING);
	look = (struct look){.at = look_at_sessions};
	expect_answer(store, &look, mrl_store_list_sessions(store, ANNA, look_done, &look), MRL_OK);
	change = mrl_change_new();
	mrl_change_expire_sessions(change, 1500);
	look = (struct look){0};
	expect_answer(store, &look, mrl_store_submit(store, change, look_done, &look, NULL), MRL_OK);
	assert_int_equal(look.affected, 3);
	assert_int_equal(find_session(store, 1, 0), MRL_OK);
	assert_int_equal(find_session(store, 2, 0), MRL_MISSING);
	mrl_store_close(store);
}

static void sessions_are_revoked_one_or_all(void **state)
{
	struct mrl_store *store = with_sessions(*state);
	struct mrl_store_change *change = mrl_change_new();
	uint8_t kept[MRL_STORE_HASH_BYTES] = {3};
	struct look look = {0};

	mrl_change_revoke_sessions(change, ANNA, true, false, kept);
	expect_answer(store, &look, mrl_store_submit(store, change, look_done, &look, NULL), MRL_OK);
	assert_int_equal(look.affected, 1);
	assert_int_equal(find_session(store, 1, 0), MRL_MISSING);
	assert_int_equal(find_session(store, 2, 0), MRL_OK);
	assert_int_equal(find_session(store, 3, 0), MRL_OK);
	change = mrl_change_new();
	mrl_change_revoke_session(change, kept);
	mrl_change_revoke_session(change, kept);
	expect_answer(store, &look, mrl_store_submit(store, change, look_done, &look, NULL), MRL_OK);
	assert_int_equal(look.affected, 1);
	assert_int_equal(find_session(store, 3, 0), MRL_MISSING);
	change = mrl_change_new();
	mrl_change_revoke_sessions(change, ANNA, true, true, NULL);
	must(store, change);
	assert_int_equal(find_session(store, 2, 0), MRL_MISSING);
	assert_int_equal(find_session(store, 4, 0), MRL_OK);
	mrl_store_close(store);
}

static void look_at_nothing_left(void *context, const struct mrl_store_answer *answer)
{
	(void)context;
	assert_int_equal(answer->session_count + answer->setting_count + answer->mute_count + answer->rating_count +
			     answer->seek_count + answer->point_count,
			 0);
}

static void look_at_deleted(void *context, const struct mrl_store_answer *answer)
{
	(void)context;
	assert_int_equal(answer->people[0].kind, MRL_STORE_DELETED);
	assert_string_equal(answer->people[0].name, "deleted");
	assert_string_equal(answer->people[0].password, "");
	assert_string_equal(answer->people[0].email, "");
}

static void look_at_game_left(void *context, const struct mrl_store_answer *answer)
{
	(void)context;
	assert_int_equal(answer->game_count, 1);
	assert_string_equal(answer->games[0].white.name, "deleted");
	assert_int_equal(answer->games[0].white.person_kind, MRL_STORE_DELETED);
	assert_string_equal(answer->games[0].black.name, "Bert");
}

struct deleted {
	uint64_t ids[16];
	size_t count;
	bool more;
	struct mrl_store_key next;
};

static void look_at_all_deleted(void *context, const struct mrl_store_answer *answer)
{
	struct deleted *deleted = context;

	for (size_t i = 0; i < answer->person_count; i++) {
		assert_int_equal(answer->people[i].kind, MRL_STORE_DELETED);
		deleted->ids[deleted->count++] = answer->people[i].id;
	}
	deleted->more = answer->more;
	deleted->next = answer->next;
}

static void all_who_are_deleted_are_listed_once(void **state)
{
	struct mrl_store *store = store_open(*state);
	struct mrl_store_change *change = mrl_change_new();

	for (uint64_t id = 1; id <= 7; id++) {
		char name[16];

		(void)snprintf(name, sizeof(name), "Player%u", (unsigned)id);
		/* Ids are 64 bits, those of the highest one too. */
		add_account(store, id % 2 == 0 ? id : UINT64_MAX - id, name);
	}
	for (uint64_t id = 1; id <= 5; id++)
		mrl_change_delete_person(change, id % 2 == 0 ? id : UINT64_MAX - id);
	must(store, change);
	for (unsigned limit = 1; limit <= 6; limit++) {
		struct deleted deleted = {.more = true};
		struct look look = {.at = look_at_all_deleted, .context = &deleted};
		const struct mrl_store_key *after = NULL;
		unsigned pages = 0;

		for (; deleted.more; pages++, after = &deleted.next)
			expect_answer(store, &look, mrl_store_list_deleted(store, after, limit, look_done, &look),
				      MRL_OK);
		assert_int_equal(deleted.count, 5);
		assert_int_equal(pages, (5 + limit - 1) / limit);
		for (size_t i = 1; i < 5; i++)
			assert_true((int64_t)deleted.ids[i - 1] < (int64_t)deleted.ids[i]);
	}
	mrl_store_close(store);
}

static void a_deleted_person_leaves_only_its_games(void **state)
{
	struct mrl_store *store = with_sessions(*state);
	struct mrl_store_change *change = mrl_change_new();
	struct mrl_store_game game = some_ended(5, ANNA, BERT, 9000, MRL_STORE_DRAW);
	struct mrl_store_rating rating = {
	    .person = ANNA, .rules = "nine", .rating = 1500, .deviation = 100, .volatility = 0.06, .games = 1};
	struct mrl_store_search search = {.person = BERT};
	struct look look = {.at = look_at_nothing_left};

	mrl_change_add_game(change, &game);
	mrl_change_set_rating(change, &rating);
	mrl_change_set_email(change, ANNA, "a@example.org");
	mrl_change_set_setting(change, ANNA, "theme", "dark");
	mrl_change_mute(change, ANNA, BERT, 1);
	mrl_change_mute(change, BERT, ANNA, 1);
	mrl_change_put_seek(change, &(struct mrl_store_seek){.id = 3, .person = ANNA, .text = "x"});
	must(store, change);
	change = mrl_change_new();
	mrl_change_delete_person(change, ANNA);
	must(store, change);
	expect_answer(store, &look, mrl_store_list_sessions(store, ANNA, look_done, &look), MRL_OK);
	expect_answer(store, &look, mrl_store_list_settings(store, ANNA, look_done, &look), MRL_OK);
	expect_answer(store, &look, mrl_store_list_mutes(store, ANNA, look_done, &look), MRL_OK);
	expect_answer(store, &look, mrl_store_list_mutes(store, BERT, look_done, &look), MRL_OK);
	expect_answer(store, &look, mrl_store_list_ratings(store, ANNA, look_done, &look), MRL_OK);
	expect_answer(store, &look, mrl_store_list_points(store, ANNA, "nine", 0, 0, 9, look_done, &look), MRL_OK);
	expect_answer(store, &look, mrl_store_list_seeks(store, look_done, &look), MRL_OK);
	look.at = look_at_deleted;
	expect_answer(store, &look, mrl_store_find_person(store, ANNA, look_done, &look), MRL_OK);
	look.at = look_at_game_left;
	expect_answer(store, &look, mrl_store_list_games(store, &search, false, NULL, 9, look_done, &look), MRL_OK);
	/* Nothing is done with who is gone, but its last rated game may end. */
	assert_int_equal(rename_to(store, ANNA, "Anna"), MRL_MISSING);
	change = mrl_change_new();
	mrl_change_delete_person(change, ANNA);
	assert_int_equal(commit(store, change, NULL), MRL_MISSING);
	change = mrl_change_new();
	mrl_change_set_rating(change, &rating);
	must(store, change);
	look.at = look_at_nothing_left;
	expect_answer(store, &look, mrl_store_list_ratings(store, ANNA, look_done, &look), MRL_OK);
	/* The name is free. */
	add_account(store, 99, "anna");
	mrl_store_close(store);
}

static void guests_without_games_are_dropped_after_a_while(void **state)
{
	struct mrl_store *store = with_sessions(*state);
	struct mrl_store_change *change = mrl_change_new();
	struct mrl_store_game game = some_ended(5, 100, BERT, 9000, MRL_STORE_DRAW);
	struct mrl_store_session session = session_of(101, 77, MRL_STORE_COOKIE);
	struct look look = {0};

	for (uint64_t i = 100; i < 110; i++)
		add_guest(store, i, "Guest");
	mrl_change_add_game(change, &game);
	mrl_change_add_session(change, &session);
	mrl_change_seen(change, 109, 5000);
	mrl_change_add_report(change, &(struct mrl_store_report){.id = 1, .reporter = BERT, .reported = 102});
	must(store, change);
	for (unsigned i = 0; i < 2; i++) {
		change = mrl_change_new();
		mrl_change_drop_guests(change, 4000);
		expect_answer(store, &look, mrl_store_submit(store, change, look_done, &look, NULL), MRL_OK);
		/* All but those with a game or a report, and the one who was here lately; then nobody. */
		assert_int_equal(look.affected, i == 0 ? 7 : 0);
	}
	expect_answer(store, &look, mrl_store_find_person(store, 100, look_done, &look), MRL_OK);
	expect_answer(store, &look, mrl_store_find_person(store, 101, look_done, &look), MRL_MISSING);
	expect_answer(store, &look, mrl_store_find_person(store, 102, look_done, &look), MRL_OK);
	expect_answer(store, &look, mrl_store_find_person(store, 109, look_done, &look), MRL_OK);
	expect_answer(store, &look, mrl_store_find_person(store, ANNA, look_done, &look), MRL_OK);
	assert_int_equal(find_session(store, 77, 0), MRL_MISSING);
	mrl_store_close(store);
}

static void look_at_names(void *context, const struct mrl_store_answer *answer)
{
	const char *const *names = context;

	for (size_t i = 0; i < answer->person_count; i++)
		assert_string_equal(answer->people[i].name, names[i]);
	assert_null(names[answer->person_count]);
}

static void names_are_found_by_their_beginning(void **state)
{
	static const char *const an[] = {"AN", "Anna", "anton", NULL};
	static const char *const none[] = {NULL};
	static const char *const odd[] = {"a%", NULL};
	struct mrl_store *store = store_open(*state);
	struct look look = {.at = look_at_names};

	add_account(store, 1, "anton");
	add_account(store, 2, "AN");
	add_account(store, 3, "Anna");
	add_account(store, 4, "ao");
	add_account(store, 5, "a%");
	add_guest(store, 6, "Anguest");
	look.context = (void *)(uintptr_t)an;
	expect_answer(store, &look, mrl_store_list_names(store, "aN", 10, look_done, &look), MRL_OK);
	look.context = (void *)(uintptr_t)none;
	expect_answer(store, &look, mrl_store_list_names(store, "x", 10, look_done, &look), MRL_OK);
	look.context = (void *)(uintptr_t)odd;
	expect_answer(store, &look, mrl_store_list_names(store, "A%", 10, look_done, &look), MRL_OK);
	mrl_store_close(store);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, home_make, home_remove)
	const struct CMUnitTest tests[] = {
	    TEST(a_person_comes_back_as_it_was),
	    TEST(a_name_is_one_persons_in_any_letters),
	    TEST(a_guest_becomes_an_account_and_keeps_its_games),
	    TEST(a_session_is_found_until_it_expires),
	    TEST(sessions_are_revoked_one_or_all),
	    TEST(all_who_are_deleted_are_listed_once),
	    TEST(a_deleted_person_leaves_only_its_games),
	    TEST(guests_without_games_are_dropped_after_a_while),
	    TEST(names_are_found_by_their_beginning),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
