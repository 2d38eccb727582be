/* Commands: which is next, what its answer must be. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <merels/notation.h>
#include <os/clock.h>

#include "load_event.h"
#include "load_internal.h"

enum { MOST_TURNS = 512, SHORT_GAME = 10 };

#define MILLISECOND 1000000U

/* ---- Choosing ----------------------------------------------------------------------------------------------- */

static struct load_command *begin(struct load_table *table, unsigned player, enum mrl_play_kind kind, unsigned seat)
{
	struct load_command *command = &table->command;

	*command =
	    (struct load_command){.player = (uint8_t)player, .deed = {.kind = (uint8_t)kind, .seat = (uint8_t)seat}};
	(void)snprintf(command->id, sizeof(command->id), "c%u-%u", table->games, ++table->commands);
	return command;
}

static void write_text(struct load_table *table, const char *kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void write_text(struct load_table *table, const char *kind, const char *format, ...)
{
	struct load_command *command = &table->command;
	int length = snprintf(command->text, sizeof(command->text), "{\"t\":\"%s\",\"game\":\"%s\",\"id\":\"%s\"", kind,
			      table->game, command->id);
	va_list arguments;

	va_start(arguments, format);
	length += vsnprintf(command->text + length, sizeof(command->text) - (size_t)length, format, arguments);
	va_end(arguments);
	(void)snprintf(command->text + length, sizeof(command->text) - (size_t)length, "}");
}

/* Any legal turn, all alike. False when the player is not there to make it. */
static bool choose_turn(struct load_table *table, const struct mrl_play_game *game)
{
	struct mrl_turn turns[MOST_TURNS];
	size_t count = mrl_turns(game->moves.rules, &game->moves.position, turns, MOST_TURNS);
	unsigned seat = mrl_play_seat_of_side(game, (enum mrl_side)game->moves.position.side);
	char text[MRL_TURN_TEXT_SIZE];

	if (count == 0)
		return false;
	if (count > MOST_TURNS)
		count = MOST_TURNS;
	(void)mrl_turn_write(&game->moves.rules->board, &turns[load_random(table->load) % count], text);

	struct load_command *command = begin(table, load_table_other(table, seat), MRL_PLAY_TURN, seat);

	command->deed.ply = (uint32_t)game->moves.count;
	(void)snprintf(command->deed.text, sizeof(command->deed.text), "%s", text);
	write_text(table, "turn", ",\"ply\":%u,\"turn\":\"%s\"", command->deed.ply, text);
	return true;
}

static bool choose_answer(struct load_table *table, const struct mrl_play_game *game)
{
	for (unsigned offer = MRL_PLAY_OFFER_DRAW; offer <= MRL_PLAY_OFFER_TAKEBACK; offer++) {
		if (game->offers[offer] >= MRL_PLAY_NOBODY || load_chance(table->load, 0.3))
			continue;

		unsigned seat = 1U - game->offers[offer];
		bool accept = load_chance(table->load, offer == MRL_PLAY_OFFER_DRAW ? 0.05 : 0.5);
		enum mrl_play_kind kind = !accept                        ? MRL_PLAY_DECLINED
					  : offer == MRL_PLAY_OFFER_DRAW ? MRL_PLAY_ENDED
									 : MRL_PLAY_TAKEBACK;
		struct load_command *command =
		    begin(table, load_table_other(table, seat), kind, accept ? LOAD_ANY_SEAT : seat);

		command->deed.offer = (uint8_t)(accept ? 0 : offer);
		write_text(table, accept ? "accept" : "decline", ",\"what\":\"%s\"", mrl_play_offer_text(offer));
		return true;
	}
	return false;
}

static void choose_talk(struct load_table *table, const struct mrl_play_game *game)
{
	unsigned seat = (unsigned)(load_random(table->load) & 1);
	unsigned player = load_table_other(table, seat);
	unsigned what = (unsigned)(load_random(table->load) % 4);
	struct load_command *command = NULL;

	if (what == 1 || (what == 2 && !game->rated)) {
		command = begin(table, player, MRL_PLAY_OFFERED, seat);
		command->deed.offer = what == 1 ? MRL_PLAY_OFFER_DRAW : MRL_PLAY_OFFER_TAKEBACK;
		write_text(table, "offer", ",\"what\":\"%s\"", mrl_play_offer_text(command->deed.offer));
		/* An offer that meets the same one of the other's ends the game. */
		if (game->offers[command->deed.offer] < MRL_PLAY_NOBODY && command->deed.offer == MRL_PLAY_OFFER_DRAW)
			command->deed = (struct load_deed){.kind = MRL_PLAY_ENDED, .seat = LOAD_ANY_SEAT};
	} else if (what == 3 && game->tempo.kind == MRL_PLAY_FISCHER) {
		command = begin(table, player, MRL_PLAY_TIME, seat);
		write_text(table, "time", "%s", "");
	} else {
		command = begin(table, player, MRL_PLAY_CHAT, seat);
		(void)snprintf(command->deed.text, sizeof(command->deed.text), "line %s of seat %u", command->id, seat);
		write_text(table, "chat", ",\"room\":\"players\",\"text\":\"%s\"", command->deed.text);
	}
	command->may_refuse = true;
}

static bool choose(struct load_table *table)
{
	const struct mrl_play_game *game = load_model_game(table->model);

	if (choose_answer(table, game))
		return true;
	if (game->moves.count >= 2 && load_chance(table->load, table->load->plan.talk)) {
		choose_talk(table, game);
		return true;
	}
	if (game->rated && game->moves.count >= SHORT_GAME && load_chance(table->load, 0.15)) {
		unsigned player = (unsigned)(load_random(table->load) & 1);

		(void)begin(table, player, MRL_PLAY_ENDED, LOAD_ANY_SEAT);
		write_text(table, "resign", "%s", "");
		return true;
	}
	return choose_turn(table, game);
}

/* ---- Sending ------------------------------------------------------------------------------------------------ */

static void send_it(struct load_table *table)
{
	struct load_command *command = &table->command;
	struct load_visitor *player = &table->players[command->player];

	if (!load_visitor_say(player, "%s", command->text))
		return;
	if (command->again) {
		table->load->stats.repeats++;
		(void)load_visitor_say(player, "%s", command->text);
	}
}

/* The moment of the next: on average as the rate says, but never in a burst to make good for what was late. */
static void set_due(struct load_table *table, uint64_t now)
{
	const struct load_plan *plan = &table->load->plan;

	if (plan->rate <= 0) {
		table->due = now;
		return;
	}

	double interval = 1e9 * (double)plan->games / plan->rate;
	double part = 0.5 + (double)(load_random(table->load) >> 11) / (double)(UINT64_C(1) << 53);

	table->due += (uint64_t)(interval * part);
	if (table->due + (uint64_t)interval < now)
		table->due = now;
}

void load_command_next(struct load_table *table)
{
	struct load *load = table->load;
	struct load_command *command = &table->command;
	uint64_t now = mrl_clock_now();

	if (command->out || load->finishing || load_model_game(table->model)->phase != MRL_PLAY_RUNNING ||
	    load_model_in_batch(table->model))
		return;
	if (now < table->due) {
		if (!uv_is_active((uv_handle_t *)&table->timer))
			load_table_step_later(table, (table->due - now + MILLISECOND - 1) / MILLISECOND);
		return;
	}
	/* Who moves must know all there is to know; who does not may be away. */
	if (!choose(table))
		return;

	const struct load_visitor *player = &table->players[command->player];

	if (!player->caught_up || player->receiver.last < load_model_known(table->model))
		return;
	set_due(table, now);
	command->out = true;
	command->sent = mrl_clock_now();
	command->again = load_chance(load, load->plan.repeats);
	table->since = command->sent;
	if (command->deed.kind == MRL_PLAY_TURN) {
		table->turn.ply = command->deed.ply;
		table->turn.sent = command->sent;
		table->turn.heard = false;
		table->turn.clean = table->players[0].caught_up && table->players[1].caught_up;
	}
	send_it(table);
}

void load_command_again(struct load_table *table)
{
	struct load_command *command = &table->command;

	if (command->acknowledged)
		return;
	table->load->stats.repeats++;
	command->sent = 0;
	table->turn.clean = false;
	send_it(table);
}

/* ---- Answers ------------------------------------------------------------------------------------------------ */

static void complete(struct load_table *table)
{
	struct load_command *command = &table->command;

	load_table_moved(table);
	if (load_model_game(table->model)->number >= command->n)
		command->out = false;
	load_table_step(table);
}

/*
 * A late answer to a command that was sent twice: with nodes the two may go different ways, and the second answer come
 * after those of later commands.
 */
static bool is_late(const struct load_table *table, const char *id)
{
	unsigned game = 0;
	unsigned number = 0;

	return table->load->plan.nodes && id != NULL && sscanf(id, "c%u-%u", &game, &number) == 2 &&
	       (game < table->games || number < table->commands);
}

/* What a command was to do has been done, and told as event `n`. */
static void count(struct load_table *table, uint32_t n, const struct load_deed *deed)
{
	table->done[deed->kind]++;
	table->load->stats.commands++;
	if (deed->kind == MRL_PLAY_TURN)
		table->load->stats.turns++;
	load_model_acknowledged(table->model, n, deed);
}

static void note_refused(struct load_table *table)
{
	struct load_refused *refused = &table->refused[table->refused_next++ % LOAD_REFUSED];

	memcpy(refused->id, table->command.id, sizeof(refused->id));
	refused->n = 0;
	refused->deed = table->command.deed;
}

/*
 * Whether this answers a repeat of a command that was refused: with nodes one may take another way, and come after the
 * game has gone on. It is judged anew then, and done once at most.
 */
static bool was_refused(struct load_table *table, const char *id, uint32_t n)
{
	for (unsigned i = 0; i < LOAD_REFUSED; i++) {
		struct load_refused *refused = &table->refused[i];

		if (strcmp(refused->id, id) != 0)
			continue;
		if (refused->n == 0)
			count(table, n, &refused->deed);
		else if (refused->n != n)
			load_fault(&table->load->stats, LOAD_FAULT_DOUBLED,
				   "game %s: command %s was refused, done as event %u, and repeated as %u", table->game,
				   id, refused->n, n);
		refused->n = n;
		return true;
	}
	return false;
}

void load_command_done(struct load_table *table, struct load_visitor *visitor, json_t *message)
{
	struct load *load = table->load;
	struct load_command *command = &table->command;
	const char *id = json_string_value(json_object_get(message, "id"));
	uint32_t n = 0;

	if (id != NULL && id[0] == 'r')
		return;
	if (table->model == NULL || id == NULL || !load_number(message, "n", &n)) {
		load_fault(&load->stats, LOAD_FAULT_WRONG, "game %s: a done without id or number", table->game);
		return;
	}
	if (was_refused(table, id, n))
		return;
	if (strcmp(id, table->last[visitor->seat].id) == 0) {
		if (n != table->last[visitor->seat].n)
			load_fault(&load->stats, LOAD_FAULT_DOUBLED,
				   "game %s: command %s was acknowledged as event %u, and repeated as %u", table->game,
				   id, table->last[visitor->seat].n, n);
		return;
	}
	if (is_late(table, id))
		return;
	if (!command->out || strcmp(id, command->id) != 0 || command->player != visitor->seat) {
		load_fault(&load->stats, LOAD_FAULT_DOUBLED,
			   "game %s: command %s is acknowledged without having been sent", table->game, id);
		return;
	}
	command->acknowledged = true;
	command->n = n;
	memcpy(table->last[visitor->seat].id, command->id, sizeof(command->id));
	table->last[visitor->seat].n = n;
	if (command->sent != 0)
		load_spans_add(&load->stats.answer, mrl_clock_now() - command->sent);
	count(table, n, &command->deed);
	complete(table);
}

void load_command_refused(struct load_table *table, struct load_visitor *visitor, json_t *message)
{
	struct load *load = table->load;
	struct load_command *command = &table->command;
	const char *id = json_string_value(json_object_get(message, "id"));
	const char *code = json_string_value(json_object_get(message, "code"));
	const char *text = json_string_value(json_object_get(message, "text"));

	if (id != NULL && (id[0] == 'r' || strcmp(id, table->last[visitor->seat].id) == 0 || is_late(table, id)))
		return;
	if (command->out && id != NULL && code != NULL && strcmp(id, command->id) == 0) {
		if (strcmp(code, "unavailable") == 0) {
			load->stats.unavailable++;
			command->sent = 0;
			table->turn.clean = false;
			/* The beat sends it again. */
			command->unavailable = true;
			return;
		}
		/* A clock may have ended the game meanwhile. */
		if (command->may_refuse || strcmp(code, "over") == 0) {
			command->out = false;
			note_refused(table);
			(void)snprintf(table->last[visitor->seat].id, sizeof(command->id), "%s", command->id);
			table->last[visitor->seat].n = 0;
			load_table_step(table);
			return;
		}
	}
	load_fault(&load->stats, LOAD_FAULT_REFUSED, "game %s, %.60s: %s, %.100s", table->game, command->text,
		   code != NULL ? code : "no code", text != NULL ? text : "no text");
	/* Nothing sensible follows; a new game does. */
	command->out = false;
	table->phase = LOAD_ARRANGING;
	table->asked = false;
	load_table_step_later(table, 1000);
}
