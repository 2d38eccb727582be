/* Ids, and the lines that keep events: one spelling each, read back the same, and whatever else is refused with a word.
 */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>

static void ids_read_back(void **state)
{
	static const struct {
		uint64_t id;
		const char *text;
	} rows[] = {
	    {1, "00000000001"},
	    {61, "0000000000z"},
	    {62, "00000000010"},
	    {UINT64_MAX, "LygHa16AHYF"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		char text[MRL_ID_TEXT_SIZE];
		uint64_t id = 0;

		mrl_id_write(rows[i].id, text);
		assert_string_equal(text, rows[i].text);
		assert_true(mrl_id_read(text, strlen(text), &id));
		assert_true(id == rows[i].id);
	}
}

static void what_is_no_id_is_refused(void **state)
{
	static const char *const wrong[] = {"",
					    "0",
					    "00000000000",
					    "0000000000-",
					    "LygHa16AHYG",
					    "zzzzzzzzzzz",
					    "000000000001",
					    "0000000001",
					    "0000000000\xc3"};
	uint64_t id = 99;

	(void)state;
	for (size_t i = 0; i < COUNT(wrong); i++)
		if (mrl_id_read(wrong[i], strlen(wrong[i]), &id))
			fail_msg("%s was read", wrong[i]);
	assert_true(id == 99);
}

static void hashes_are_equal_when_all_bytes_are(void **state)
{
	uint8_t a[MRL_PLAY_HASH_SIZE] = {0};
	uint8_t b[MRL_PLAY_HASH_SIZE] = {0};

	(void)state;
	assert_false(mrl_play_hash_equal(a, b)); /* no secret at all */
	for (size_t i = 0; i < MRL_PLAY_HASH_SIZE; i++) {
		a[i] = 0x80;
		assert_false(mrl_play_hash_equal(a, b));
		assert_false(mrl_play_hash_equal(b, a));
		b[i] = 0x80;
		assert_true(mrl_play_hash_equal(a, b));
	}
}

#define HASH "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
#define NO_HASH "0000000000000000000000000000000000000000000000000000000000000000"

/* A line of every kind, as docs/PLAY.md has them. */
static const char *const lines[] = {
    "1 created 1000 1764530001000 0 make 0000000001F . nine,fly=0 300000+3000 rated public chat lots " HASH
    " 000000000G9 account 0 Anna%20%C3 " NO_HASH,
    "1 created 1000 -5 0 . 0000000001F 0000000001E three 3d casual private phrases owner " NO_HASH
    " 000000000G9 guest 0 %2E " HASH,
    "2 joined 1000 1764530001000 1 j-1 000000000GA computer 11 M\xc3\xbchle " NO_HASH,
    "3 started 1000 1764530001000 2 . 1 300000 300000",
    "4 turn 2000 1764530002000 1 c1 0 d6 300000 300000 1000 0",
    "5 turn 18446744073709551615 1764530002000 0 c1 4294967295 d6-d7xa1xg7 4294967295 0 1 500",
    "6 offered 2000 0 0 c2 draw",
    "7 declined 2000 0 1 c3 takeback",
    "8 lapsed 2000 0 0 . rematch",
    "9 takeback 2000 0 1 c4 4 1000 2000",
    "10 time 2000 0 1 c5 15000 16000 2000",
    "11 chat 2000 0 2 c6 spectators 000000000GB Guest 0 gr\xc3\xbc\xc3\x9f%20dich%25",
    "12 chat 2000 0 0 c7 players 000000000G9 Anna 12 .",
    "13 ended 2000 0 2 . 1-0 few-men . 1000 2000",
    "14 ended 2000 0 0 c8 * aborted asked 1000 2000",
    "15 rated 2000 0 2 . 1500000 350000 60000000 1500000 350000 60000000 1662212 290319 59999968 1337788 290319 "
    "59999968",
    "16 rematch 2000 0 1 c9 0000000001G",
};

static bool good(const char *line)
{
	/* The first one's name has a byte that is no UTF-8. */
	return line != lines[0];
}

static void every_kind_has_a_line(void **state)
{
	unsigned seen = 0;

	(void)state;
	for (size_t i = 0; i < COUNT(lines); i++) {
		char text[MRL_PLAY_EVENT_TEXT_SIZE];
		struct mrl_play_event event;
		struct mrl_error error = {.message = ""};

		if (!good(lines[i])) {
			assert_int_equal(mrl_play_event_read(lines[i], strlen(lines[i]), &event, &error), MRL_RANGE);
			continue;
		}
		if (mrl_play_event_read(lines[i], strlen(lines[i]), &event, &error) != MRL_OK)
			fail_msg("%s\n%s", lines[i], error.message);
		assert_int_equal(mrl_play_event_write(&event, text), strlen(lines[i]));
		assert_string_equal(text, lines[i]);
		seen |= 1U << event.kind;
	}
	assert_int_equal(seen, (1U << MRL_PLAY_KINDS) - 1);
}

static void a_line_that_is_cut_is_no_event(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(lines); i++) {
		size_t length = strlen(lines[i]);

		for (size_t cut = 0; cut < length; cut++) {
			char *text = malloc(cut + 1); /* so that a sanitizer sees a step too far */
			struct mrl_play_event event;
			struct mrl_error error;

			assert_non_null(text);
			memcpy(text, lines[i], cut);
			if (mrl_play_event_read(text, cut, &event, &error) == MRL_OK) {
				/* A shorter line may be an event, but then it is that line's own. */
				char again[MRL_PLAY_EVENT_TEXT_SIZE];

				assert_int_equal(mrl_play_event_write(&event, again), cut);
				assert_memory_equal(again, text, cut);
			} else {
				assert_true(error.column >= 1 && error.column <= cut + 1);
				assert_true(error.message[0] != '\0');
			}
			free(text);
		}
	}
}

static void other_spellings_are_refused(void **state)
{
	static const struct {
		const char *line;
		enum mrl_status status;
		const char *message;
	} rows[] = {
	    {"", MRL_SYNTAX, "the number of an event"},
	    {"x", MRL_SYNTAX, "the number of an event"},
	    {"4294967296 offered 2000 0 0 c2 draw", MRL_RANGE, "the number of an event"},
	    {"6 offer 2000 0 0 c2 draw", MRL_NAME, "the kind of an event"},
	    {"6 offered 18446744073709551616 0 0 c2 draw", MRL_RANGE, "service time"},
	    {"6 offered 2000 - 0 c2 draw", MRL_SYNTAX, "Unix time"},
	    {"6 offered 2000 0 3 c2 draw", MRL_RANGE, "a seat"},
	    {"6 offered 2000 0 0 c%20 draw", MRL_SYNTAX, "the id of a command"},
	    {"6 offered 2000 0 0 123456789012345678901234567890123 draw", MRL_RANGE, "the id of a command"},
	    {"6 offered 2000 0 0 c2 peace", MRL_NAME, "draw, takeback or rematch"},
	    {"6 offered 2000 0 0 c2 draw x", MRL_SYNTAX, "the end of the event"},
	    {"6 offered 2000 0 0 c2 draw ", MRL_SYNTAX, "one space"},
	    {"6  offered 2000 0 0 c2 draw", MRL_NAME, "the kind"},
	    {"06 offered 2000 0 0 c2 draw", MRL_SYNTAX, "one space"},
	    {"6 offered 2000 -0 0 c2 draw", MRL_SYNTAX, "one space"},
	    {"6 offered 2000 0 0 %632 draw", MRL_SYNTAX, "%XX"},
	    {"12 chat 2000 0 0 c7 players 000000000G9 Anna 13 .", MRL_RANGE, "a phrase that there is"},
	    {"12 chat 2000 0 0 c7 players 000000000G9 Anna 0 .", MRL_RANGE, "a text that can be shown"},
	    {"12 chat 2000 0 0 c7 players 000000000G9 Anna 0 a%0Ab", MRL_RANGE, "a text that can be shown"},
	    {"12 chat 2000 0 0 c7 players 000000000G9 Anna 0 a%00b", MRL_SYNTAX, "a text"},
	    {"12 chat 2000 0 0 c7 players 000000000G9 Anna 0 a%4", MRL_SYNTAX, "a text"},
	    {"16 rematch 2000 0 1 c9 00000000000", MRL_SYNTAX, "an id"},
	    {"15 rated 2000 0 2 . 1 1 1 1 1 1 1 1 1 1 1 1", MRL_RANGE, "a rating in its range"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct mrl_play_event event;
		struct mrl_error error = {.message = ""};
		enum mrl_status status = mrl_play_event_read(rows[i].line, strlen(rows[i].line), &event, &error);

		if (status != rows[i].status || strstr(error.message, rows[i].message) == NULL)
			fail_msg("%s\n%s: %s", rows[i].line, mrl_status_name(status), error.message);
	}
}

static void the_longest_event_fits(void **state)
{
	struct mrl_play_event event = {.number = UINT32_MAX, .kind = MRL_PLAY_CHAT, .seat = 2, .time = UINT64_MAX};
	char text[MRL_PLAY_EVENT_TEXT_SIZE];

	(void)state;
	event.wall = INT64_MIN + 1;
	memset(event.id, 'x', MRL_PLAY_COMMAND_ID_SIZE - 1);
	event.chat.person = UINT64_MAX;
	event.chat.room = MRL_PLAY_ROOM_SPECTATORS;
	memset(event.chat.name, '%', MRL_PLAY_NAME_SIZE - 1);
	for (size_t i = 0; i < MRL_PLAY_CHAT_CHARACTERS; i++)
		memcpy(event.chat.text + 4 * i, "\xf0\x9f\x99\x82", 4);
	assert_true(mrl_play_event_write(&event, text) < MRL_PLAY_EVENT_TEXT_SIZE - 1);
	event.kind = MRL_PLAY_CREATED;
	memset(&event.created, 0xff, sizeof event.created);
	memset(event.created.settings.rules, ' ', MRL_RULES_NAME_SIZE - 1);
	event.created.settings.tempo = (struct mrl_play_tempo){MRL_PLAY_FISCHER, 0, UINT32_MAX, UINT32_MAX};
	event.created.settings.rated = true;
	event.created.settings.unlisted = true;
	event.created.settings.phrases = true;
	event.created.settings.rules[MRL_RULES_NAME_SIZE - 1] = '\0';
	memset(event.created.owner.name, ' ', MRL_PLAY_NAME_SIZE - 1);
	event.created.owner.name[MRL_PLAY_NAME_SIZE - 1] = '\0';
	assert_true(mrl_play_event_write(&event, text) < MRL_PLAY_EVENT_TEXT_SIZE - 1);
}

static void codes_are_words_of_their_own(void **state)
{
	(void)state;
	for (unsigned i = 0; i < MRL_CODES; i++) {
		const char *name = mrl_play_code_name((enum mrl_play_code)i);

		assert_true(strspn(name, "abcdefghijklmnopqrstuvwxyz-") == strlen(name) && name[0] != '\0');
		assert_true(strlen(mrl_play_code_sentence((enum mrl_play_code)i)) > 4);
		for (unsigned j = 0; j < i; j++)
			assert_string_not_equal(name, mrl_play_code_name((enum mrl_play_code)j));
	}
	assert_string_equal(mrl_play_code_name(MRL_CODES), "?");
	assert_string_equal(mrl_play_kind_text(MRL_PLAY_KINDS), "?");
}

static void the_page_names_every_kind_code_and_cause(void **state)
{
	static char page[1 << 16];
	FILE *file = fopen(PLAY_PAGE, "rb");
	char wanted[256];
	size_t length;

	(void)state;
	assert_non_null(file);
	length = fread(page, 1, sizeof page - 1, file);
	fclose(file);
	assert_in_range(length, 1000, sizeof page - 2);
	for (unsigned i = 0; i < MRL_CODES; i++) {
		snprintf(wanted, sizeof wanted, "\n| `%s` | %s |\n", mrl_play_code_name((enum mrl_play_code)i),
			 mrl_play_code_sentence((enum mrl_play_code)i));
		if (strstr(page, wanted) == NULL)
			fail_msg("docs/PLAY.md lacks:%s", wanted);
	}
	for (unsigned i = 0; i < MRL_PLAY_KINDS; i++) {
		snprintf(wanted, sizeof wanted, "\n| `%s` | ", mrl_play_kind_text(i));
		if (strstr(page, wanted) == NULL)
			fail_msg("docs/PLAY.md lacks:%s", wanted);
	}
	for (unsigned i = MRL_PLAY_CAUSE_ASKED; i <= MRL_PLAY_CAUSE_OPERATOR; i++) {
		snprintf(wanted, sizeof wanted, "`%s`", mrl_play_cause_text(i));
		if (strstr(page, wanted) == NULL)
			fail_msg("docs/PLAY.md lacks %s", wanted);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(ids_read_back),
	    cmocka_unit_test(what_is_no_id_is_refused),
	    cmocka_unit_test(hashes_are_equal_when_all_bytes_are),
	    cmocka_unit_test(every_kind_has_a_line),
	    cmocka_unit_test(a_line_that_is_cut_is_no_event),
	    cmocka_unit_test(other_spellings_are_refused),
	    cmocka_unit_test(the_longest_event_fits),
	    cmocka_unit_test(codes_are_words_of_their_own),
	    cmocka_unit_test(the_page_names_every_kind_code_and_cause),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
