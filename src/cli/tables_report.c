#include "tables_report.h"

#include <inttypes.h>
#include <stdio.h>

#include <merels/notation.h>

static const char *const result_names[] = {
    [MRL_TABLE_DRAW] = "draw", [MRL_TABLE_WIN] = "win", [MRL_TABLE_LOSS] = "loss"};

static bool has_plies(const struct mrl_table_value *value)
{
	return value->result != MRL_TABLE_DRAW && value->plies != MRL_TABLE_NO_PLIES;
}

enum mrl_status tables_turn_value(struct mrl_tables *tables, const struct mrl_rules *rules,
				  const struct mrl_position *position, const struct mrl_turn *turn,
				  struct mrl_table_value *value, struct mrl_error *error)
{
	struct mrl_position next = *position;
	enum mrl_status status;

	(void)mrl_apply(rules, &next, turn, NULL);
	status = mrl_tables_probe(tables, &next, value, error);
	if (status != MRL_OK)
		return status;
	if (value->result != MRL_TABLE_DRAW)
		value->result = value->result == MRL_TABLE_WIN ? MRL_TABLE_LOSS : MRL_TABLE_WIN;
	if (value->plies != MRL_TABLE_NO_PLIES)
		value->plies++;
	return MRL_OK;
}

/* ---- The start ---------------------------------------------------------------------------------------------- */

static void print_value(const char *name, const struct mrl_table_value *value, enum tables_format format, bool first)
{
	if (format == TABLES_JSON) {
		printf("%s\n  \"%s\": {\"value\": \"%s\"", first ? "" : ",", name, result_names[value->result]);
		if (has_plies(value))
			printf(", \"plies\": %u", value->plies);
		putchar('}');
		return;
	}
	printf("%s: %s", name, result_names[value->result]);
	if (has_plies(value))
		printf(" %u", value->plies);
	putchar('\n');
}

/* No rule set of this family has more first turns than points. */
static enum mrl_status report_start(struct mrl_tables *tables, const struct mrl_rules *rules, enum tables_format format,
				    struct mrl_error *error)
{
	struct mrl_position position;
	struct mrl_turn turns[MRL_MAX_POINTS];
	struct mrl_table_value value;
	enum mrl_status status;
	size_t count;

	mrl_position_start(rules, &position);
	status = mrl_tables_probe(tables, &position, &value, error);
	if (status != MRL_OK)
		return status;
	print_value("start", &value, format, true);
	if (format == TABLES_JSON)
		fputs(",\n  \"first\": {", stdout);
	count = mrl_turns(rules, &position, turns, MRL_MAX_POINTS);
	for (size_t i = 0; i < count; i++) {
		char text[MRL_TURN_TEXT_SIZE];

		status = tables_turn_value(tables, rules, &position, &turns[i], &value, error);
		if (status != MRL_OK)
			return status;
		mrl_turn_write(&rules->board, &turns[i], text);
		print_value(text, &value, format, i == 0);
	}
	if (format == TABLES_JSON)
		fputs("},\n  \"sectors\": [", stdout);
	return MRL_OK;
}

/* Endings do not have the start. */
static void report_endings(struct mrl_endings endings, enum tables_format format)
{
	if (format == TABLES_JSON)
		printf("\n  \"endings\": \"%u-%u\",\n  \"sectors\": [", endings.men, endings.against);
	else if (format == TABLES_TEXT)
		printf("endings without men in hand, at most %u men against %u\n", endings.men, endings.against);
}

/* ---- Sectors ------------------------------------------------------------------------------------------------ */

/* The bytes of both files for each position. */
static double bytes_each(uint64_t bytes, uint64_t positions)
{
	return positions == 0 ? 0 : (double)bytes / (double)positions;
}

static void print_text(const struct mrl_rules *rules, const struct mrl_table_sector *sector)
{
	char position[MRL_POSITION_TEXT_SIZE];

	printf("%u-%u hands %u-%u: %" PRIu64 " positions, %" PRIu64 " won, %" PRIu64 " drawn, %" PRIu64 " lost",
	       sector->own, sector->enemy, sector->own_hand, sector->enemy_hand, sector->positions, sector->wins,
	       sector->draws, sector->losses);
	printf("; %.4f bytes a position", bytes_each(sector->value_bytes, sector->positions));
	if (sector->plies_bytes > 0)
		printf(", distances %.4f", bytes_each(sector->plies_bytes, sector->positions));
	if (sector->longest != MRL_TABLE_NO_PLIES) {
		mrl_position_write(rules, &sector->longest_position, position);
		printf("; longest %u: %s", sector->longest, position);
	}
	putchar('\n');
}

static void print_csv(const struct mrl_table_sector *sector)
{
	printf("%u,%u,%u,%u,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",", sector->own, sector->enemy,
	       sector->own_hand, sector->enemy_hand, sector->positions, sector->wins, sector->draws, sector->losses);
	if (sector->longest != MRL_TABLE_NO_PLIES)
		printf("%u", sector->longest);
	putchar('\n');
}

static void print_json(const struct mrl_rules *rules, const struct mrl_table_sector *sector, bool first)
{
	char position[MRL_POSITION_TEXT_SIZE];

	printf("%s\n    {\"own\": %u, \"enemy\": %u, \"own_hand\": %u, \"enemy_hand\": %u, \"positions\": %" PRIu64
	       ", \"win\": %" PRIu64 ", \"draw\": %" PRIu64 ", \"loss\": %" PRIu64 ", \"value_bytes\": %" PRIu64
	       ", \"plies_bytes\": %" PRIu64,
	       first ? "" : ",", sector->own, sector->enemy, sector->own_hand, sector->enemy_hand, sector->positions,
	       sector->wins, sector->draws, sector->losses, sector->value_bytes, sector->plies_bytes);
	if (sector->longest != MRL_TABLE_NO_PLIES) {
		mrl_position_write(rules, &sector->longest_position, position);
		printf(", \"longest\": %u, \"longest_position\": \"%s\"", sector->longest, position);
	}
	putchar('}');
}

static void add(struct mrl_table_sector *total, const struct mrl_table_sector *sector)
{
	total->positions += sector->positions;
	total->wins += sector->wins;
	total->draws += sector->draws;
	total->losses += sector->losses;
	total->value_bytes += sector->value_bytes;
	total->plies_bytes += sector->plies_bytes;
	if (sector->longest != MRL_TABLE_NO_PLIES &&
	    (total->longest == MRL_TABLE_NO_PLIES || sector->longest > total->longest)) {
		total->longest = sector->longest;
		total->longest_position = sector->longest_position;
	}
}

static void print_total(const struct mrl_rules *rules, const struct mrl_table_sector *total)
{
	char position[MRL_POSITION_TEXT_SIZE];

	printf("all: %" PRIu64 " positions, %" PRIu64 " won, %" PRIu64 " drawn, %" PRIu64 " lost; values %" PRIu64
	       " bytes, %.4f a position",
	       total->positions, total->wins, total->draws, total->losses, total->value_bytes,
	       bytes_each(total->value_bytes, total->positions));
	if (total->plies_bytes > 0)
		printf("; distances %" PRIu64 " bytes, %.4f a position", total->plies_bytes,
		       bytes_each(total->plies_bytes, total->positions));
	if (total->longest != MRL_TABLE_NO_PLIES) {
		mrl_position_write(rules, &total->longest_position, position);
		printf("; longest %u: %s", total->longest, position);
	}
	putchar('\n');
}

static void print_json_total(const struct mrl_table_sector *total)
{
	printf("],\n  \"all\": {\"positions\": %" PRIu64 ", \"win\": %" PRIu64 ", \"draw\": %" PRIu64
	       ", \"loss\": %" PRIu64 ", \"value_bytes\": %" PRIu64 ", \"plies_bytes\": %" PRIu64,
	       total->positions, total->wins, total->draws, total->losses, total->value_bytes, total->plies_bytes);
	if (total->longest != MRL_TABLE_NO_PLIES)
		printf(", \"longest\": %u", total->longest);
	puts("}\n}");
}

enum mrl_status tables_report(struct mrl_tables *tables, const struct mrl_rules *rules, enum tables_format format,
			      struct mrl_error *error)
{
	struct mrl_table_sector total = {.longest = MRL_TABLE_NO_PLIES};
	struct mrl_endings endings = mrl_tables_endings(tables);
	enum mrl_status status = MRL_OK;

	if (format == TABLES_JSON) {
		char name[MRL_RULES_NAME_SIZE];

		mrl_rules_write(rules, name);
		printf("{\n  \"rules\": \"%s\",", name);
	}
	if (endings.men > 0)
		report_endings(endings, format);
	else if (format != TABLES_CSV)
		status = report_start(tables, rules, format, error);
	if (format == TABLES_CSV)
		puts("own,enemy,own_hand,enemy_hand,positions,win,draw,loss,longest");
	for (size_t i = 0; i < mrl_tables_sectors(tables) && status == MRL_OK; i++) {
		struct mrl_table_sector sector;

		status = mrl_tables_count(tables, i, false, &sector, error);
		if (status != MRL_OK)
			return status;
		add(&total, &sector);
		if (format == TABLES_TEXT)
			print_text(rules, &sector);
		else if (format == TABLES_CSV)
			print_csv(&sector);
		else
			print_json(rules, &sector, i == 0);
		(void)fflush(stdout);
	}
	if (status == MRL_OK && format == TABLES_TEXT)
		print_total(rules, &total);
	if (status == MRL_OK && format == TABLES_JSON)
		print_json_total(&total);
	return status;
}
