/*
 * Commands: whose id was done before, timers that are over first, then the verb. The verbs are in begin.c, turn.c,
 * offers.c, ending.c and chat.c.
 */
#include "play_internal.h"

#include <merels/builtins.h>
#include <merels/text.h>

struct mrl_play_event *mrl__add(struct mrl_play_batch *batch, const struct mrl_play_game *game,
				const struct mrl_play_now *now, enum mrl_play_kind kind, unsigned seat)
{
	struct mrl_play_event *event = &batch->events[batch->count++];

	mrl_fill(event, 0, sizeof *event);
	event->number = (game != NULL ? game->number : 0) + (uint32_t)batch->count;
	event->kind = (uint8_t)kind;
	event->seat = (uint8_t)seat;
	event->time = now->time;
	event->wall = now->wall;
	return event;
}

uint64_t mrl__id_hash(const char *id, size_t length)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a: whoever makes two ids collide confuses only himself */

	for (size_t i = 0; i < length; i++) {
		hash ^= (unsigned char)id[i];
		hash *= UINT64_C(0x100000001b3);
	}
	return hash;
}

uint32_t mrl__remembered(const struct mrl_play_game *game, unsigned seat, uint64_t hash)
{
	const struct mrl_play_memory *memory = &game->memory[seat];

	for (uint32_t i = 0; i < MRL_PLAY_REMEMBERED && i < memory->count; i++)
		if (memory->hash[i] == hash)
			return memory->number[i];
	return 0;
}

/* The event that this command made before, or 0. */
static uint32_t done_before(const struct mrl_play_game *game, const struct mrl_play_command *command)
{
	uint64_t hash = mrl__id_hash(command->id, command->id_length);
	uint64_t person = command->player != NULL ? command->player->person : 0;

	if (command->verb == MRL_PLAY_JOIN)
		return person != 0 && person == game->player[MRL_PLAY_FRIEND].person
			   ? mrl__remembered(game, MRL_PLAY_FRIEND, hash)
			   : 0;
	if (command->seat < MRL_PLAY_NOBODY)
		return mrl__remembered(game, command->seat, hash);
	for (uint32_t i = 0; i < MRL_PLAY_ROOM_LINES && i < game->line_count; i++)
		if (person != 0 && game->lines[i].person == person && game->lines[i].hash == hash)
			return game->lines[i].number;
	return 0;
}

enum mrl_play_code mrl__running(const struct mrl_play_game *game)
{
	if (game->phase == MRL_PLAY_FINISHED)
		return MRL_CODE_OVER;
	return game->phase == MRL_PLAY_RUNNING ? MRL_CODE_OK : MRL_CODE_NOT_STARTED;
}

enum mrl_play_code mrl__judge(struct mrl__request *request)
{
	const struct mrl_play_command *command = request->command;
	bool seated = command->seat < MRL_PLAY_NOBODY && request->game->player[command->seat].kind != MRL_PLAY_EMPTY;

	switch (command->verb) {
	case MRL_PLAY_JOIN:
		return mrl__join(request);
	case MRL_PLAY_SAY:
		return mrl__say(request);
	case MRL_PLAY_CLOSE:
		return mrl__close(request);
	default:
		break;
	}
	if (!seated)
		return MRL_CODE_NO_SEAT;
	switch (command->verb) {
	case MRL_PLAY_PLAY:
		return mrl__turn(request);
	case MRL_PLAY_RESIGN:
		return mrl__resign(request);
	case MRL_PLAY_ABORT:
		return mrl__abort(request);
	case MRL_PLAY_OFFER:
		return mrl__offer(request);
	case MRL_PLAY_ACCEPT:
		return mrl__accept(request);
	case MRL_PLAY_DECLINE:
		return mrl__decline(request);
	case MRL_PLAY_ADD_TIME:
		return mrl__add_time(request);
	case MRL_PLAY_CLAIM_WIN:
	case MRL_PLAY_CLAIM_DRAW:
		return mrl__claim(request);
	case MRL_PLAY_LEAVE:
		return mrl__leave(request);
	default:
		return MRL_CODE_BAD_COMMAND;
	}
}

/* Judges a command that has a good id. */
static enum mrl_play_code decide(struct mrl__request *request)
{
	const struct mrl_play_command *command = request->command;
	struct mrl_play_answer *answer = request->answer;
	enum mrl_play_code code;

	if (command->seat > MRL_PLAY_NOBODY)
		return MRL_CODE_BAD_COMMAND;
	answer->number = done_before(request->game, command);
	if (answer->number != 0) {
		answer->repeated = true;
		return MRL_CODE_OK;
	}
	/* A timer that was over before this command came has ended the game. */
	if (request->batch->count > 0)
		return MRL_CODE_OVER;
	code = mrl__judge(request);
	if (code != MRL_CODE_OK) {
		request->batch->count = 0;
	} else if (request->batch->count > 0) {
		struct mrl_play_event *first = &request->batch->events[0];

		mrl_copy(first->id, command->id, command->id_length);
		answer->number = first->number;
	}
	return code;
}

enum mrl_play_code mrl_play_command(const struct mrl_play_game *game, const struct mrl_play_command *command,
				    const struct mrl_play_now *now, struct mrl_play_batch *batch,
				    struct mrl_play_answer *answer)
{
	struct mrl__request request = {game, command, *now, batch, answer};

	request.now.time = mrl__later(now->time, game->time);
	answer->repeated = false;
	answer->number = 0;
	answer->text[0] = '\0';
	mrl_play_tick(game, now, batch);
	answer->code = MRL_CODE_BAD_ID;
	if (mrl_play_command_id_valid(command->id, command->id_length))
		answer->code = decide(&request);
	if (answer->text[0] == '\0') {
		struct mrl_text text = mrl_text_in(answer->text, sizeof answer->text);

		mrl_text_add(&text, mrl_play_code_sentence(answer->code));
	}
	return answer->code;
}
