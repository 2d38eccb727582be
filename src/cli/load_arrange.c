/* How the next game of a table comes about: by a link, in the lobby, as a rematch. */
#include <stdio.h>
#include <string.h>

#include <os/clock.h>

#include "load_event.h"
#include "load_internal.h"

enum { RETRY_MS = 500, LISTED_MOST = 100, LOBBY_REFUSED = 400 };

static void write_tempo(const struct load *load, char *text, size_t size)
{
	if (load->plan.base == 0)
		(void)snprintf(text, size, "null");
	else
		(void)snprintf(text, size, "{\"base\":%llu,\"increment\":%llu}", (unsigned long long)load->plan.base,
			       (unsigned long long)load->plan.increment);
}

static bool copy_text(json_t *json, const char *key, char *to, size_t size)
{
	const char *text = json_string_value(json_object_get(json, key));

	return text != NULL && (size_t)snprintf(to, size, "%s", text) < size && text[0] != '\0';
}

/*
 * Nobody answered; or a balancer answered in place of a node that was lost; or the owner of the lobby was, with an
 * offer.
 */
static bool is_lost(const struct load *load, int status)
{
	return status == 0 || (load->plan.nodes && (status == 502 || status == 504 || status == LOBBY_REFUSED));
}

/* It did not come about; again from the beginning. */
static void give_up(struct load_table *table, const char *what, int status, const char *why)
{
	struct load *load = table->load;

	table->asked = false;
	if (status == 503)
		load->stats.unavailable++;
	else if (load->plan.server_dies && is_lost(load, status))
		load->stats.losses++;
	else
		load_fault(&load->stats, status == 0 ? LOAD_FAULT_CLOSED : LOAD_FAULT_REFUSED, "%s: %d %.150s", what,
			   status, why);
	load_table_step_later(table, RETRY_MS + load_random(load) % RETRY_MS);
}

/* ---- By link ------------------------------------------------------------------------------------------------ */

static void on_joined(void *user, const struct mrl_client_answer *answer)
{
	struct load_table *table = user;

	if (answer->status != 200) {
		give_up(table, "joining", answer->status, answer->body);
		return;
	}
	load_table_begin(table);
}

static void on_created(void *user, const struct mrl_client_answer *answer)
{
	struct load_table *table = user;
	struct load_visitor *other = &table->players[1 - table->owner];
	char path[64];
	char body[128];

	if (answer->status != 201) {
		give_up(table, "a new game", answer->status, answer->body);
		return;
	}

	json_t *json = json_loadb(answer->body, answer->length, 0, NULL);
	bool good = copy_text(json, "game", table->next, sizeof(table->next)) &&
		    copy_text(json, "link", table->link, sizeof(table->link));

	json_decref(json);
	(void)snprintf(path, sizeof(path), "/api/v1/games/%s/join", table->next);
	(void)snprintf(body, sizeof(body), "{\"link\":\"%s\"}", table->link);
	if (!good)
		give_up(table, "a new game", answer->status, "without id or link");
	else if (!mrl_client_ask(load_visitor_client(other), other->source, &other->identity, path, body, on_joined,
				 table))
		give_up(table, "joining", 0, "no memory");
}

static void by_link(struct load_table *table)
{
	struct load *load = table->load;
	struct load_visitor *owner = &table->players[table->owner];
	char rules[MRL_RULES_NAME_SIZE];
	char tempo[80];
	char body[512];

	mrl_rules_write(&load->plan.rules, rules);
	write_tempo(load, tempo, sizeof(tempo));
	(void)snprintf(body, sizeof(body),
		       "{\"rules\":\"%s\",\"tempo\":%s,\"rated\":%s,\"private\":false,\"first\":\"lots\"}", rules,
		       tempo, table->rated ? "true" : "false");
	if (!mrl_client_ask(load_visitor_client(owner), owner->source, &owner->identity, "/api/v1/games", body,
			    on_created, table))
		give_up(table, "a new game", 0, "no memory");
}

/* ---- In the lobby ------------------------------------------------------------------------------------------- */

static void by_lobby(struct load_table *table)
{
	struct load *load = table->load;
	char rules[MRL_RULES_NAME_SIZE];
	char tempo[80];

	mrl_rules_write(&load->plan.rules, rules);
	write_tempo(load, tempo, sizeof(tempo));
	table->paired = 0;
	table->offer[0] = '\0';
	(void)load_visitor_say(
	    &table->players[table->owner],
	    "{\"t\":\"seek\",\"id\":\"s%u\",\"rules\":\"%s\",\"tempo\":%s,\"rated\":%s,\"first\":\"lots\"}",
	    ++table->arranged, rules, tempo, table->rated ? "true" : "false");
}

static void take_offer(struct load_table *table)
{
	(void)load_visitor_say(&table->players[1 - table->owner], "{\"t\":\"take\",\"id\":\"t%u\",\"offer\":\"%s\"}",
			       ++table->arranged, table->offer);
}

/* The offer is there; the other one looks for it where everybody does, unless the list is too long. */
static void on_offered(struct load_table *table, json_t *message)
{
	if (!copy_text(message, "offer", table->offer, sizeof(table->offer))) {
		give_up(table, "seek", 0, "without an id");
		return;
	}
	/* At another node it may be in the list a moment later. */
	if (table->load->plan.games <= LISTED_MOST && !table->load->plan.nodes)
		(void)load_visitor_say(&table->players[1 - table->owner], "{\"t\":\"lobby\",\"on\":true}");
	else
		take_offer(table);
}

static void on_lobby(struct load_table *table, struct load_visitor *visitor, json_t *message)
{
	json_t *offers = json_object_get(message, "offers");
	json_t *offer = NULL;
	size_t i = 0;
	bool found = false;

	if (!json_is_array(offers) || visitor != &table->players[1 - table->owner] || table->offer[0] == '\0')
		return;
	json_array_foreach(offers, i, offer)
	{
		const char *id = json_string_value(json_object_get(offer, "offer"));

		found = found || (id != NULL && strcmp(id, table->offer) == 0);
	}
	if (!found)
		load_fault(&table->load->stats, LOAD_FAULT_LOST, "offer %s is not in the lobby", table->offer);
	(void)load_visitor_say(visitor, "{\"t\":\"lobby\",\"on\":false}");
	take_offer(table);
}

static void on_paired(struct load_table *table, struct load_visitor *visitor, json_t *message)
{
	uint32_t seat = 0;
	char game[MRL_ID_TEXT_SIZE];

	if (!copy_text(message, "game", game, sizeof(game)) || !load_number(message, "seat", &seat) || seat > 1) {
		give_up(table, "paired", 0, "without a game or seat");
		return;
	}
	if (table->paired != 0 && strcmp(game, table->next) != 0)
		load_fault(&table->load->stats, LOAD_FAULT_WRONG, "one offer was taken and made two games");
	memcpy(table->next, game, sizeof(game));
	table->owner = (uint8_t)(seat == 0 ? visitor->seat : 1 - visitor->seat);
	table->paired |= 1U << visitor->seat;
	if (table->paired == 3)
		load_table_begin(table);
}

/* ---- A rematch ---------------------------------------------------------------------------------------------- */

void load_arrange_ask_rematch(struct load_table *table)
{
	for (size_t i = 0; i < 2; i++) {
		if (table->players[i].caught_up)
			(void)load_visitor_say(
			    &table->players[i],
			    "{\"t\":\"offer\",\"game\":\"%s\",\"id\":\"r%u-%zu\",\"what\":\"rematch\"}", table->game,
			    ++table->arranged, i);
	}
}

void load_arrange_rematch(struct load_table *table, const char *next)
{
	if (table->phase != LOAD_PARTING || table->checking)
		return;
	(void)snprintf(table->next, sizeof(table->next), "%s", next);
	load_table_begin(table);
}

/* ---- All of them -------------------------------------------------------------------------------------------- */

void load_arrange(struct load_table *table)
{
	struct load *load = table->load;

	table->asked = true;
	table->since = mrl_clock_now();
	table->owner = (uint8_t)(load_random(load) & 1);
	table->arrangement = load_chance(load, load->plan.lobby) ? LOAD_BY_LOBBY : LOAD_BY_LINK;
	if (table->arrangement == LOAD_BY_LOBBY)
		by_lobby(table);
	else
		by_link(table);
}

void load_arrange_message(struct load_table *table, struct load_visitor *visitor, const char *kind, json_t *message)
{
	const char *id = json_string_value(json_object_get(message, "id"));
	const char *code = json_string_value(json_object_get(message, "code"));

	if (table->phase != LOAD_ARRANGING || table->arrangement != LOAD_BY_LOBBY)
		return;
	if (strcmp(kind, "done") == 0 && id != NULL && id[0] == 's')
		on_offered(table, message);
	else if (strcmp(kind, "lobby") == 0)
		on_lobby(table, visitor, message);
	else if (strcmp(kind, "paired") == 0)
		on_paired(table, visitor, message);
	else if (strcmp(kind, "no") == 0)
		give_up(table, "lobby", code != NULL && strcmp(code, "unavailable") == 0 ? 503 : LOBBY_REFUSED,
			code != NULL ? code : "no code");
}

/* ---- Ratings at the end ------------------------------------------------------------------------------------- */

static void check_rating(struct load_visitor *player, json_t *ratings)
{
	struct load_stats *stats = &player->load->stats;
	char rules[MRL_RULES_NAME_SIZE];
	json_t *rating = NULL;
	size_t i = 0;
	bool found = false;

	mrl_rules_write(&player->load->plan.rules, rules);
	json_array_foreach(ratings, i, rating)
	{
		const char *name = json_string_value(json_object_get(rating, "rules"));

		if (name == NULL || strcmp(name, rules) != 0)
			continue;
		found = true;
		if (json_integer_value(json_object_get(rating, "rating")) != player->rating ||
		    json_integer_value(json_object_get(rating, "games")) != (json_int_t)player->rated_games)
			load_fault(stats, LOAD_FAULT_LOST,
				   "%s has %ld after %u rated games; the server says %lld after %lld", player->name,
				   player->rating, player->rated_games,
				   (long long)json_integer_value(json_object_get(rating, "rating")),
				   (long long)json_integer_value(json_object_get(rating, "games")));
	}
	if (!found && player->rated_games > 0)
		load_fault(stats, LOAD_FAULT_LOST, "%s has no rating after %u games", player->name,
			   player->rated_games);
}

static void on_player(void *user, const struct mrl_client_answer *answer)
{
	struct load_visitor *player = user;
	json_t *json = answer->status == 200 ? json_loadb(answer->body, answer->length, 0, NULL) : NULL;

	if (json == NULL)
		load_fault(&player->load->stats, LOAD_FAULT_CLOSED, "the page of a player: %d %.100s", answer->status,
			   answer->body);
	else
		check_rating(player, json_object_get(json, "ratings"));
	json_decref(json);
	if (player->table->checks > 0)
		player->table->checks--;
	load_table_step(player->table);
}

void load_arrange_check_ratings(struct load_table *table)
{
	for (size_t i = 0; i < 2; i++) {
		struct load_visitor *player = &table->players[i];
		char path[64];

		(void)snprintf(path, sizeof(path), "/api/v1/players/%s", player->name);
		if (player->has_account && mrl_client_ask(load_visitor_client(player), player->source,
							  &player->identity, path, NULL, on_player, player))
			table->checks++;
	}
}
