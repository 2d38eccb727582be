/* Parts of the server that need no socket: JSON, credits, addresses, outboxes, slow-down. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "addresses.h"
#include "days.h"
#include "json_in.h"
#include "json_out.h"
#include "messages.h"
#include "names.h"
#include "nodes_clock.h"
#include "outbox.h"
#include "passwords.h"
#include "peers.h"
#include "rulebook.h"
#include "secret.h"

static void json_is_read_strictly(void **state)
{
	static const char *const bad[] = {
	    "",
	    "{",
	    "[]",
	    "1",
	    "{}{}",
	    "{\"a\":1,\"a\":2}",
	    "{'a':1}",
	    "{\"a\":}",
	    "{\"a\":\"\xff\"}",
	    "{\"a\":\"\xed\xa0\x80\"}",
	    "{\"a\":01}",
	};
	char deep[64];
	size_t at = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_null(mrl__json_read(bad[i], strlen(bad[i])));
	/* 16 deep is read, 17 is not. */
	for (size_t depth = 16; depth <= 17; depth++) {
		at = (size_t)snprintf(deep, sizeof(deep), "{\"a\":");
		memset(deep + at, '[', depth - 1);
		memset(deep + at + depth - 1, ']', depth - 1);
		at += 2 * (depth - 1);
		deep[at++] = '}';
		json_t *read = mrl__json_read(deep, at);

		assert_int_equal(read != NULL, depth == 16);
		json_decref(read);
	}
	/* Brackets in a text are no depth. */
	static const char brackets[] = "{\"a\":\"[[[[[[[[[[[[[[[[[[[[[\\\"[\"}";
	json_t *text = mrl__json_read(brackets, sizeof(brackets) - 1);

	assert_non_null(text);
	json_decref(text);
}

static void a_field_that_is_wrong_is_named(void **state)
{
	static const char object[] = "{\"n\":5,\"t\":\"x\",\"z\":null,\"c\":\"a\\u0007\",\"b\":true}";
	json_t *json = mrl__json_read(object, sizeof(object) - 1);
	struct mrl__fields fields = mrl__fields_of(json);

	(void)state;
	assert_int_equal(mrl__field_number(&fields, "n", 0, 5, -1), 5);
	assert_string_equal(mrl__field_text(&fields, "t", 1, true), "x");
	assert_null(mrl__field_text(&fields, "z", 1, false));
	assert_true(mrl__field_bool(&fields, "b", false));
	assert_int_equal(mrl__field_choice(&fields, "t", "w x y", -1), 1);
	assert_true(mrl__fields_good(&fields));
	assert_null(mrl__field_text(&fields, "c", 10, false));
	assert_non_null(strstr(fields.wrong, "\"c\""));
	/* The first stays. */
	(void)mrl__field_number(&fields, "n", 6, 7, -1);
	assert_non_null(strstr(fields.wrong, "\"c\""));
	json_decref(json);
}

/* What is said of a field may name everything that there is: the end of it is as much worth as the beginning. */
static void what_is_said_of_a_field_is_said_to_its_end(void **state)
{
	static const char object[] = "{\"rules\":\"nine,no-such-parameter-of-the-rules=5\"}";
	json_t *json = mrl__json_read(object, sizeof(object) - 1);
	struct mrl__fields fields = mrl__fields_of(json);
	struct mrl_play_settings settings;
	struct mrl_error error;
	char rules[MRL_RULES_NAME_SIZE];

	(void)state;
	mrl__read_settings(&fields, &settings, false);
	assert_false(mrl__rules_canonical("nine,no-such-parameter-of-the-rules=5", rules, &error));
	assert_true(strlen(error.message) > 100);
	assert_non_null(strstr(fields.wrong, error.message));
	assert_int_equal(fields.wrong[strlen(fields.wrong) - 1], '.');
	json_decref(json);
}

static void json_is_written_so_that_it_reads_back(void **state)
{
	struct mrl__json json = {0};

	(void)state;
	for (int i = 0; i < 3; i++) {
		mrl__json_reset(&json);
		mrl__json_open(&json, NULL);
		mrl__json_text(&json, "a", "\"\\\n\x01\xc3\xa4");
		mrl__json_signed(&json, "b", INT64_MIN);
		mrl__json_number(&json, "c", UINT64_MAX);
		mrl__json_open_list(&json, "d");
		mrl__json_close_list(&json);
		mrl__json_open_list(&json, "e");
		mrl__json_bool(&json, NULL, true);
		mrl__json_null(&json, NULL);
		mrl__json_signed(&json, NULL, -7);
		mrl__json_close_list(&json);
		mrl__json_close(&json);
	}
	assert_false(json.failed);
	static const char expected[] = "{\"a\":\"\\\"\\\\\\u000a\\u0001\xc3\xa4\",\"b\":-9223372036854775808,"
				       "\"c\":18446744073709551615,\"d\":[],\"e\":[true,null,-7]}";

	assert_int_equal(json.length, sizeof(expected) - 1);
	assert_memory_equal(json.data, expected, sizeof(expected) - 1);
	mrl__json_release(&json);
}

static void credits_are_spent_and_come_back(void **state)
{
	struct mrl__credits credits = {0};

	(void)state;
	for (int i = 0; i < 60; i++)
		assert_true(mrl__credits_take(&credits, 1000, 1, 20, 60));
	assert_false(mrl__credits_take(&credits, 1000, 1, 20, 60));
	assert_true(mrl__credits_take(&credits, 1050, 1, 20, 60));
	assert_false(mrl__credits_take(&credits, 1050, 1, 20, 60));
	/* However long the rest was, there are never more than at first. */
	assert_true(mrl__credits_take(&credits, 1000000000, 60, 20, 60));
	assert_false(mrl__credits_take(&credits, 1000000000, 1, 20, 60));
	assert_true(mrl__credits_take(&credits, 1000000000, 1000, 0, 60));
}

static void an_address_is_in_its_network(void **state)
{
	(void)state;
	assert_true(mrl__address_in("10.1.2.3", "127.0.0.1,10.0.0.0/8"));
	assert_false(mrl__address_in("11.1.2.3", "127.0.0.1,10.0.0.0/8"));
	assert_true(mrl__address_in("::1", "::1"));
	assert_true(mrl__address_in("2001:db8::5", "2001:db8::/32"));
	assert_false(mrl__address_in("2001:db9::5", "2001:db8::/32"));
	assert_true(mrl__address_in("127.0.0.1", "0.0.0.0/0"));
	assert_false(mrl__address_in("::1", "0.0.0.0/0"));
	assert_false(mrl__address_in("nowhere", "0.0.0.0/0"));
	assert_false(mrl__address_in("127.0.0.1", ""));
	assert_false(mrl__address_list_is_good("10.0.0.0/33"));
	assert_false(mrl__address_list_is_good("10.0.0.0/"));
	assert_false(mrl__address_list_is_good("10.0.0"));
	assert_true(mrl__address_list_is_good("10.0.0.0/8, ::1"));
}

static void addresses_are_one_by_network_and_forgotten(void **state)
{
	struct mrl__addresses addresses;

	(void)state;
	assert_true(mrl__addresses_init(&addresses, 10, 10));
	struct mrl__address *one = mrl__address_hold(&addresses, "2001:db8::1");
	struct mrl__address *other = mrl__address_hold(&addresses, "2001:db8::2");
	struct mrl__address *third = mrl__address_hold(&addresses, "2001:db8:0:1::1");

	assert_ptr_equal(one, other);
	assert_ptr_not_equal(one, third);
	assert_int_equal(addresses.count, 2);
	mrl__address_drop(&addresses, one);
	mrl__address_drop(&addresses, third);
	mrl__addresses_sweep(&addresses, 1000000);
	assert_int_equal(addresses.count, 1);
	mrl__address_drop(&addresses, other);
	mrl__addresses_sweep(&addresses, 1000000);
	assert_int_equal(addresses.count, 0);
	mrl__addresses_release(&addresses);
}

static void an_outbox_keeps_the_order_and_has_an_end(void **state)
{
	struct mrl__outbox outbox = {0};
	char text[16];
	int put = 0;

	(void)state;
	for (;; put++) {
		int length = snprintf(text, sizeof(text), "%d", put);
		struct mrl__message *message = mrl__message_new(text, (size_t)length);
		bool fits = mrl__outbox_put(&outbox, message);

		mrl__message_release(message);
		if (!fits)
			break;
	}
	assert_int_equal(put, MRL__OUTBOX_MESSAGES);
	for (int i = 0; i < put; i++) {
		struct mrl__message *message = mrl__outbox_take(&outbox);

		(void)snprintf(text, sizeof(text), "%d", i);
		assert_int_equal(message->length, strlen(text));
		mrl__message_release(message);
	}
	assert_null(mrl__outbox_take(&outbox));
	assert_null(outbox.ring);
	/* By bytes too, but the first gets in whatever it is. */
	char *large = calloc(1, MRL__OUTBOX_BYTES + 1);
	struct mrl__message *message = mrl__message_new(large, MRL__OUTBOX_BYTES + 1);

	assert_true(mrl__outbox_put(&outbox, message));
	assert_false(mrl__outbox_put(&outbox, message));
	mrl__message_release(message);
	mrl__outbox_release(&outbox);
	free(large);
}

static void failures_slow_down_more_and_more(void **state)
{
	uint64_t before = 0;

	(void)state;
	for (unsigned failures = 0; failures <= 4; failures++)
		assert_int_equal(mrl__slow_down(failures), 0);
	for (unsigned failures = 5; failures < 100; failures++) {
		uint64_t wait = mrl__slow_down(failures);

		assert_true(wait >= before && wait >= 1000 && wait <= 15 * 60 * 1000);
		before = wait;
	}
	assert_int_equal(before, 15 * 60 * 1000);
}

static void a_secret_is_known_by_its_hash(void **state)
{
	char secret[MRL__SECRET_SIZE];
	unsigned char hash[MRL__HASH_SIZE];
	unsigned char again[MRL__HASH_SIZE];

	(void)state;
	assert_true(mrl__secret_init());
	mrl__secret_new(secret, hash);
	assert_int_equal(strlen(secret), MRL__SECRET_SIZE - 1);
	assert_true(mrl__secret_hash(secret, strlen(secret), again));
	assert_memory_equal(hash, again, MRL__HASH_SIZE);
	assert_false(mrl__secret_hash(secret, strlen(secret) - 1, again));
	secret[0] = '!';
	assert_false(mrl__secret_hash(secret, strlen(secret), again));
}

static void a_password_is_checked_against_its_hash_and_nobody_has_none(void **state)
{
	char hash[MRL__PASSWORD_HASH_SIZE];

	(void)state;
	assert_true(mrl__secret_init());
	assert_true(mrl__password_hash("correct horse", hash));
	assert_int_equal(strncmp(hash, "$argon2id$", 10), 0);
	assert_true(mrl__password_check("correct horse", hash));
	assert_false(mrl__password_check("correct house", hash));
	assert_false(mrl__password_check("", mrl__password_nobody));
	/* The costs are the same, so both take as long. */
	assert_memory_equal(hash, mrl__password_nobody, strlen("$argon2id$v=19$m=65536,t=2,p=1$"));
}

static void names_have_a_form(void **state)
{
	(void)state;
	assert_true(mrl__name_is_good("Anna"));
	assert_true(mrl__name_is_good("a_-9"));
	assert_false(mrl__name_is_good("a"));
	assert_false(mrl__name_is_good("9a"));
	assert_false(mrl__name_is_good("anna b"));
	assert_false(mrl__name_is_good(""));
	assert_false(mrl__name_is_good("abcdefghijklmnopqrstu"));
	assert_false(mrl__name_is_good("\xc3\xa4nna"));
	assert_false(mrl__password_is_good("1234567"));
	assert_true(mrl__password_is_good("12345678"));
}

/* A second passes as a second, a minute without a processor as little more than one. */
static void time_without_a_processor_is_nobodys_silence(void **state)
{
	struct mrl__attention attention = {0};
	uint64_t now = 5000;

	(void)state;
	mrl__attention_pass(&attention, now);
	assert_int_equal(attention.clock, 0);
	for (unsigned i = 0; i < 40; i++)
		mrl__attention_pass(&attention, now += 1000);
	assert_int_equal(attention.clock, 40000);
	mrl__attention_pass(&attention, now += 60000);
	assert_true(attention.clock < 42000);
	mrl__attention_pass(&attention, now += 1010);
	assert_in_range(attention.clock, 42010, 42510);
}

static void a_day_is_one_that_there_is(void **state)
{
	static const char *const bad[] = {"",           "2026-11-3",  "2026-11-300", "2026-13-01", "2026-00-01",
					  "2026-02-29", "2026-06-31", "2026-11-00",  "1969-12-31", "+202-11-30",
					  "2026-1 -30", "2026/11/30", "2100-02-29"};
	char text[MRL__DAY_TEXT_SIZE];
	int32_t day = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(mrl__day_read(bad[i], &day));
	assert_true(mrl__day_read("1970-01-01", &day) && day == 0);
	assert_true(mrl__day_read("2026-11-30", &day) && day == 20787);
	assert_true(mrl__day_read("2000-02-29", &day) && day == 11016);
	/* Every day of a thousand years, there and back. */
	for (int32_t wanted = 0; wanted < 365243; wanted++) {
		mrl__day_write(text, wanted);
		assert_true(mrl__day_read(text, &day) && day == wanted);
	}
}

/* What is said comes late by an unknown while: the message that took least is right. */
static void the_fastest_message_tells_how_far_a_clock_is_ahead(void **state)
{
	struct mrl__clock clocks[2] = {{0}};

	(void)state;
	assert_int_equal(mrl__clock_heard(clocks, 2, 7, 0, 5000, 1000), 4000);
	/* One that waited 8 s on the way says less. */
	assert_int_equal(mrl__clock_heard(clocks, 2, 7, 0, 5100, 9100), 4000);
	assert_int_equal(mrl__clock_heard(clocks, 2, 7, 0, 13300, 9200), 4100);
	/* Clocks drift, by a thousandth at most. */
	assert_int_equal(mrl__clock_heard(clocks, 2, 7, 0, 23290, 19200), 4090);
	assert_int_equal(mrl__clock_heard(clocks, 2, 7, 0, 23290, 19201), 4090);
	/* After a nap its service time is behind; what it said before says nothing any more. */
	assert_int_equal(mrl__clock_heard(clocks, 2, 7, 1, 23400, 24400), -1000);
	assert_int_equal(mrl__clock_heard(clocks, 2, 7, 0, 29000, 24500), -1000);
	/* Others have their own; the one that was not heard for longest is forgotten. */
	assert_int_equal(mrl__clock_heard(clocks, 2, 8, 0, 30000, 25000), 5000);
	assert_int_equal(mrl__clock_heard(clocks, 2, 9, 0, 30000, 29000), 1000);
	assert_int_equal(mrl__clock_heard(clocks, 2, 8, 0, 30000, 29500), 5000);
	assert_int_equal(mrl__clock_heard(clocks, 2, 7, 0, 30000, 29600), 400);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(json_is_read_strictly),
	    cmocka_unit_test(a_field_that_is_wrong_is_named),
	    cmocka_unit_test(what_is_said_of_a_field_is_said_to_its_end),
	    cmocka_unit_test(json_is_written_so_that_it_reads_back),
	    cmocka_unit_test(credits_are_spent_and_come_back),
	    cmocka_unit_test(an_address_is_in_its_network),
	    cmocka_unit_test(addresses_are_one_by_network_and_forgotten),
	    cmocka_unit_test(an_outbox_keeps_the_order_and_has_an_end),
	    cmocka_unit_test(failures_slow_down_more_and_more),
	    cmocka_unit_test(a_secret_is_known_by_its_hash),
	    cmocka_unit_test(a_password_is_checked_against_its_hash_and_nobody_has_none),
	    cmocka_unit_test(names_have_a_form),
	    cmocka_unit_test(time_without_a_processor_is_nobodys_silence),
	    cmocka_unit_test(a_day_is_one_that_there_is),
	    cmocka_unit_test(the_fastest_message_tells_how_far_a_clock_is_ahead),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
