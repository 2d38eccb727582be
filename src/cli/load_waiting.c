/* Which tables do not get on, and why. */
#include <stdio.h>

#include <os/clock.h>

#include "load_internal.h"

/* Who has not gone on for so long waits for something, nanoseconds. */
#define PATIENCE UINT64_C(2000000000)

static const char *phase_text(const struct load_table *table)
{
	static const char *const texts[] = {"its players come", "a game is arranged", "it is played", "it is over",
					    "all is compared"};

	return texts[table->phase];
}

void load_table_describe(const struct load_table *table, char text[LOAD_TOLD_SIZE])
{
	static const char *const ways[] = {"by link", "in the lobby", "as a rematch"};
	const struct load_command *command = &table->command;
	bool arranged = table->phase == LOAD_ARRANGING || table->phase == LOAD_PARTING;

	unsigned watchers = 0;
	unsigned behind = 0;

	for (size_t i = table->watcher_from; i < table->watcher_end; i++) {
		const struct load_visitor *watcher = &table->load->watchers[i];

		watchers++;
		behind += table->model != NULL &&
			  (!watcher->caught_up || watcher->receiver.last < load_model_known(table->model));
	}
	(void)snprintf(text, LOAD_TOLD_SIZE,
		       "game %s: %s%s%s%s; players %s and %s, at %u and %u of %u, %u of %u watchers behind; %s %.60s",
		       table->game[0] != '\0' ? table->game : "(none)", phase_text(table), arranged ? " " : "",
		       arranged ? ways[table->arrangement] : "", table->asked ? ", asked for" : "",
		       table->players[0].caught_up ? "here" : "away", table->players[1].caught_up ? "here" : "away",
		       table->players[0].receiver.last, table->players[1].receiver.last,
		       table->model != NULL ? load_model_known(table->model) : 0, behind, watchers,
		       command->out ? "waiting for" : "no command", command->out ? command->text : "");
}

static uint64_t standing(const struct load_table *table, uint64_t now)
{
	uint64_t since = table->moved + table->cut;

	return table->phase == LOAD_PLAYING && table->moved != 0 && now > since ? now - since : 0;
}

size_t load_waiting(const struct load *load, char text[LOAD_TOLD_SIZE])
{
	uint64_t now = mrl_clock_now();
	const struct load_table *longest = NULL;
	size_t count = 0;

	text[0] = '\0';
	for (unsigned i = 0; i < load->plan.games; i++) {
		const struct load_table *table = &load->tables[i];

		if (table->phase == LOAD_PLAYING && table->players[0].caught_up && table->players[1].caught_up &&
		    standing(table, now) < PATIENCE)
			continue;
		count++;
		if (longest == NULL || standing(table, now) > standing(longest, now))
			longest = table;
	}
	if (longest != NULL)
		load_table_describe(longest, text);
	return count;
}

uint64_t load_standing(const struct load *load)
{
	uint64_t now = mrl_clock_now();
	uint64_t longest = 0;

	for (unsigned i = 0; i < load->plan.games; i++) {
		uint64_t stands = standing(&load->tables[i], now);

		if (stands > longest)
			longest = stands;
	}
	return longest;
}
