/* What is said: players among themselves, spectators among themselves. */
#include "play_internal.h"

/*
 * Each line costs its writer a while; of that, so many lines may be owed. What a player has paid for is known from the
 * lines themselves, so it is the same after a restart.
 */
static bool player_too_quick(const struct mrl__request *request)
{
	uint64_t now = request->now.time;
	uint64_t paid = mrl__later(request->game->chat_paid[request->command->seat], now);

	return paid + MRL_PLAY_CHAT_COST > now + (uint64_t)MRL_PLAY_CHAT_BURST * MRL_PLAY_CHAT_COST;
}

/* The same for one spectator as far as the last lines tell, and for all of them together. */
static bool spectators_too_quick(const struct mrl__request *request)
{
	const struct mrl_play_game *game = request->game;
	uint64_t now = request->now.time;
	uint32_t own = 0;
	uint32_t recent = 0;

	for (uint32_t i = 0; i < MRL_PLAY_ROOM_LINES && i < game->line_count; i++) {
		const struct mrl_play_line *line = &game->lines[i];

		own += line->person == request->command->player->person &&
		       now < line->time + (uint64_t)MRL_PLAY_CHAT_BURST * MRL_PLAY_CHAT_COST;
		recent += now < line->time + MRL_PLAY_ROOM_TIME;
	}
	return own >= MRL_PLAY_CHAT_BURST || recent >= MRL_PLAY_ROOM_LINES;
}

/* Whether the words may be said in this game. */
static enum mrl_play_code check_words(const struct mrl__request *request)
{
	const struct mrl_play_command *command = request->command;

	if (command->phrase != 0)
		return mrl_play_phrase(command->phrase) != NULL ? MRL_CODE_OK : MRL_CODE_BAD_TEXT;
	if (request->game->phrases)
		return MRL_CODE_PHRASES_ONLY;
	if (mrl_play_text_valid(command->text, command->text_length, MRL_PLAY_CHAT_CHARACTERS))
		return MRL_CODE_OK;
	return mrl_play_text_valid(command->text, command->text_length, SIZE_MAX) ? MRL_CODE_TEXT_TOO_LONG
										  : MRL_CODE_BAD_TEXT;
}

/* Whether whoever speaks is in the room, and who it is. */
static enum mrl_play_code check_speaker(const struct mrl__request *request, const struct mrl_play_player **speaker)
{
	const struct mrl_play_game *game = request->game;
	const struct mrl_play_command *command = request->command;
	size_t length;

	if (command->room > MRL_PLAY_ROOM_SPECTATORS)
		return MRL_CODE_BAD_COMMAND;
	if (game->phase != MRL_PLAY_RUNNING && (game->phase != MRL_PLAY_FINISHED || game->white == MRL_PLAY_NOBODY))
		return game->phase == MRL_PLAY_FINISHED ? MRL_CODE_OVER : MRL_CODE_NOT_STARTED;
	if (command->seat < MRL_PLAY_NOBODY) {
		*speaker = &game->player[command->seat];
		return command->room == MRL_PLAY_ROOM_PLAYERS ? MRL_CODE_OK : MRL_CODE_WRONG_ROOM;
	}
	*speaker = command->player;
	if (game->unlisted)
		return MRL_CODE_NO_SEAT;
	if (command->player == NULL || command->player->person == 0)
		return MRL_CODE_BAD_PLAYER;
	/* A player who looks on from another window is a player still. */
	if (command->room != MRL_PLAY_ROOM_SPECTATORS ||
	    mrl_play_seat_of_person(game, command->player->person) != MRL_PLAY_NOBODY)
		return MRL_CODE_WRONG_ROOM;
	length = mrl__length(command->player->name, MRL_PLAY_NAME_SIZE);
	return length < MRL_PLAY_NAME_SIZE &&
		       mrl_play_text_valid(command->player->name, length, MRL_PLAY_NAME_CHARACTERS)
		   ? MRL_CODE_OK
		   : MRL_CODE_BAD_PLAYER;
}

enum mrl_play_code mrl__say(struct mrl__request *request)
{
	const struct mrl_play_command *command = request->command;
	const struct mrl_play_player *speaker = NULL;
	enum mrl_play_code code = check_speaker(request, &speaker);
	struct mrl_play_event *event;

	if (code == MRL_CODE_OK)
		code = check_words(request);
	if (code != MRL_CODE_OK)
		return code;
	if (request->game->number >= MRL_PLAY_MAX_EVENTS)
		return MRL_CODE_FULL;
	if (command->seat < MRL_PLAY_NOBODY ? player_too_quick(request) : spectators_too_quick(request))
		return MRL_CODE_SLOW_DOWN;
	event = mrl__add(request->batch, request->game, &request->now, MRL_PLAY_CHAT, command->seat);
	event->chat.person = speaker->person;
	mrl__copy_text(event->chat.name, sizeof event->chat.name, speaker->name,
		       mrl__length(speaker->name, sizeof speaker->name));
	event->chat.room = command->room;
	event->chat.phrase = command->phrase;
	if (command->phrase == 0)
		mrl__copy_text(event->chat.text, sizeof event->chat.text, command->text, command->text_length);
	return MRL_CODE_OK;
}
