/* Settings, mutes, seeks, reports, counts. */
#include "support.h"

enum { ANNA = 11, BERT = 12 };

static struct mrl_store *with_people(const struct home *home)
{
	struct mrl_store *store = store_open(home);

	add_account(store, ANNA, "Anna");
	add_account(store, BERT, "Bert");
	return store;
}

static void look_at_settings(void *context, const struct mrl_store_answer *answer)
{
	(void)context;
	assert_int_equal(answer->setting_count, 2);
	assert_string_equal(answer->settings[0].key, "board");
	assert_string_equal(answer->settings[0].value, "");
	assert_string_equal(answer->settings[1].key, "theme");
	assert_string_equal(answer->settings[1].value, "light");
}

static void a_setting_is_set_changed_and_forgotten(void **state)
{
	struct mrl_store *store = with_people(*state);
	struct mrl_store_change *change = mrl_change_new();
	struct look look = {.at = look_at_settings};

	mrl_change_set_setting(change, ANNA, "theme", "dark");
	mrl_change_set_setting(change, ANNA, "theme", "light");
	mrl_change_set_setting(change, ANNA, "sound", "on");
	mrl_change_set_setting(change, ANNA, "sound", NULL);
	mrl_change_set_setting(change, ANNA, "never", NULL);
	mrl_change_set_setting(change, ANNA, "board", "");
	mrl_change_set_setting(change, BERT, "theme", "dark");
	must(store, change);
	expect_answer(store, &look, mrl_store_list_settings(store, ANNA, look_done, &look), MRL_OK);
	change = mrl_change_new();
	mrl_change_set_setting(change, 99, "theme", "dark");
	assert_int_equal(commit(store, change, NULL), MRL_MISSING);
	mrl_store_close(store);
}

static void look_at_mutes(void *context, const struct mrl_store_answer *answer)
{
	(void)context;
	assert_int_equal(answer->mute_count, 1);
	assert_int_equal(answer->mutes[0].muted, BERT);
	assert_string_equal(answer->mutes[0].name, "Bert");
	assert_int_equal(answer->mutes[0].wall, 5);
}

static void muting_twice_is_muting_once(void **state)
{
	struct mrl_store *store = with_people(*state);
	struct mrl_store_change *change = mrl_change_new();
	struct look look = {.at = look_at_mutes};

	mrl_change_mute(change, ANNA, BERT, 5);
	mrl_change_mute(change, ANNA, BERT, 6);
	mrl_change_unmute(change, BERT, ANNA);
	must(store, change);
	expect_answer(store, &look, mrl_store_list_mutes(store, ANNA, look_done, &look), MRL_OK);
	mrl_store_close(store);
}

static void look_at_seeks(void *context, const struct mrl_store_answer *answer)
{
	(void)context;
	assert_int_equal(answer->seek_count, 2);
	assert_int_equal(answer->seeks[0].id, 2);
	assert_int_equal(answer->seeks[0].person, ANNA);
	assert_int_equal(answer->seeks[0].t, 10);
	assert_int_equal(answer->seeks[0].wall, 3);
	assert_string_equal(answer->seeks[0].text, "new");
	assert_int_equal(answer->seeks[1].id, 1);
}

static void look_at_no_seeks(void *context, const struct mrl_store_answer *answer)
{
	(void)context;
	assert_int_equal(answer->seek_count, 0);
}

static void seeks_come_oldest_first_and_can_be_cleared(void **state)
{
	struct mrl_store *store = with_people(*state);
	struct mrl_store_change *change = mrl_change_new();
	struct look look = {.at = look_at_seeks};

	mrl_change_put_seek(change, &(struct mrl_store_seek){.id = 1, .person = BERT, .t = 20, .text = "x"});
	mrl_change_put_seek(change,
			    &(struct mrl_store_seek){.id = 2, .person = ANNA, .t = 10, .wall = 3, .text = "old"});
	mrl_change_put_seek(change,
			    &(struct mrl_store_seek){.id = 2, .person = ANNA, .t = 10, .wall = 3, .text = "new"});
	mrl_change_put_seek(change, &(struct mrl_store_seek){.id = 3, .person = ANNA, .t = 5, .text = "gone"});
	mrl_change_remove_seek(change, 3);
	mrl_change_remove_seek(change, 4);
	must(store, change);
	expect_answer(store, &look, mrl_store_list_seeks(store, look_done, &look), MRL_OK);
	change = mrl_change_new();
	mrl_change_remove_seeks(change);
	must(store, change);
	look.at = look_at_no_seeks;
	expect_answer(store, &look, mrl_store_list_seeks(store, look_done, &look), MRL_OK);
	mrl_store_close(store);
}

struct reports {
	uint64_t ids[16];
	size_t count;
	bool more;
	struct mrl_store_key next;
};

static void look_at_reports(void *context, const struct mrl_store_answer *answer)
{
	struct reports *reports = context;

	for (size_t i = 0; i < answer->report_count; i++) {
		const struct mrl_store_report *report = &answer->reports[i];

		reports->ids[reports->count++] = report->id;
		assert_int_equal(report->reporter, ANNA);
		assert_int_equal(report->reported, BERT);
		assert_int_equal(report->game, 7);
		assert_int_equal(report->event, 3);
		assert_string_equal(report->text, "line");
		assert_string_equal(report->note, "rude");
		assert_int_equal(report->closed, report->id == 4 ? 99 : 0);
		assert_string_equal(report->verdict, report->id == 4 ? "warned" : "");
	}
	reports->more = answer->more;
	reports->next = answer->next;
}

static void list_reports(struct mrl_store *store, bool open_only, struct reports *reports)
{
	struct look look = {.at = look_at_reports, .context = reports};
	const struct mrl_store_key *after = NULL;

	*reports = (struct reports){.more = true};
	while (reports->more) {
		expect_answer(store, &look, mrl_store_list_reports(store, open_only, after, 2, look_done, &look),
			      MRL_OK);
		after = &reports->next;
	}
}

static void reports_are_open_until_they_are_closed_once(void **state)
{
	struct mrl_store *store = with_people(*state);
	struct mrl_store_change *change = mrl_change_new();
	struct reports reports;

	for (uint64_t i = 1; i <= 5; i++)
		mrl_change_add_report(change, &(struct mrl_store_report){.id = i,
									 .reporter = ANNA,
									 .reported = BERT,
									 .game = 7,
									 .event = 3,
									 .text = "line",
									 .note = "rude",
									 .wall = 10 + (int64_t)i / 2});
	mrl_change_close_report(change, 4, 99, "warned");
	must(store, change);
	change = mrl_change_new();
	mrl_change_close_report(change, 4, 100, "banned");
	assert_int_equal(commit(store, change, NULL), MRL_MISSING);
	list_reports(store, false, &reports);
	assert_int_equal(reports.count, 5);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(reports.ids[i], 5 - i);
	list_reports(store, true, &reports);
	assert_int_equal(reports.count, 4);
	assert_int_equal(reports.ids[0], 5);
	assert_int_equal(reports.ids[1], 3);
	mrl_store_close(store);
}

static void a_person_s_own_reports_are_found(void **state)
{
	struct mrl_store *store = with_people(*state);
	struct mrl_store_change *change = mrl_change_new();
	struct reports reports = {.more = true};
	struct look look = {.at = look_at_reports, .context = &reports};
	const struct mrl_store_key *after = NULL;

	for (uint64_t i = 1; i <= 6; i++)
		mrl_change_add_report(change, &(struct mrl_store_report){.id = i,
									 .reporter = i % 2 == 0 ? BERT : ANNA,
									 .reported = i % 2 == 0 ? ANNA : BERT,
									 .game = 7,
									 .event = 3,
									 .text = "line",
									 .note = "rude",
									 .wall = 10 + (int64_t)i});
	must(store, change);
	for (; reports.more; after = &reports.next)
		expect_answer(store, &look, mrl_store_list_reports_by(store, ANNA, after, 2, look_done, &look), MRL_OK);
	assert_int_equal(reports.count, 3);
	assert_int_equal(reports.ids[0], 5);
	assert_int_equal(reports.ids[2], 1);
	assert_int_equal(mrl_store_list_reports_by(store, 0, NULL, 2, look_done, &look), MRL_RANGE);
	mrl_store_close(store);
}

static void look_at_counts(void *context, const struct mrl_store_answer *answer)
{
	(void)context;
	assert_int_equal(answer->count_count, 3);
	assert_int_equal(answer->counts[0].day, 20000);
	assert_string_equal(answer->counts[0].what, "games");
	assert_int_equal(answer->counts[0].count, 5);
	assert_string_equal(answer->counts[1].what, "turns");
	assert_int_equal(answer->counts[1].count, 40);
	assert_int_equal(answer->counts[2].day, 20001);
}

static void counts_of_a_day_add_up(void **state)
{
	struct mrl_store *store = with_people(*state);
	struct mrl_store_change *change = mrl_change_new();
	struct look look = {.at = look_at_counts};

	mrl_change_count_day(change, 20000, "games", 2);
	mrl_change_count_day(change, 20000, "turns", 40);
	mrl_change_count_day(change, 20000, "games", 3);
	mrl_change_count_day(change, 20001, "games", 1);
	mrl_change_count_day(change, 20002, "games", 1);
	must(store, change);
	expect_answer(store, &look, mrl_store_list_counts(store, 20000, 20001, look_done, &look), MRL_OK);
	mrl_store_close(store);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, home_make, home_remove)
	const struct CMUnitTest tests[] = {
	    TEST(a_setting_is_set_changed_and_forgotten),      TEST(muting_twice_is_muting_once),
	    TEST(seeks_come_oldest_first_and_can_be_cleared),  TEST(a_person_s_own_reports_are_found),
	    TEST(reports_are_open_until_they_are_closed_once), TEST(counts_of_a_day_add_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
