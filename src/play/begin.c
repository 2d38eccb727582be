/* How a game begins: made, joined by its link, started; and the rematch of another. */
#include "play_internal.h"

#include <merels/builtins.h>

/* The game starts; clocks stand until both have made their first turn. */
static void start(struct mrl_play_batch *batch, const struct mrl_play_game *game, const struct mrl_play_now *now,
		  const struct mrl_play_tempo *tempo, unsigned first)
{
	struct mrl_play_event *event = mrl__add(batch, game, now, MRL_PLAY_STARTED, MRL_PLAY_NOBODY);

	if (first == MRL_PLAY_LOTS)
		event->started.white = (uint8_t)(now->random & 1);
	else
		event->started.white = first == MRL_PLAY_OWNER_FIRST ? MRL_PLAY_OWNER : MRL_PLAY_FRIEND;
	event->started.clock[0] = mrl__clock_start(tempo);
	event->started.clock[1] = mrl__clock_start(tempo);
}

/* Fills in what a creation says: the same texts with nothing behind their ends. */
static void copy_player(struct mrl_play_player *to, const struct mrl_play_player *from)
{
	*to = *from;
	mrl__copy_text(to->name, sizeof to->name, from->name, mrl__length(from->name, sizeof from->name));
}

static void create(struct mrl_play_batch *batch, const struct mrl_play_creation *creation, uint64_t previous,
		   const struct mrl_play_now *now)
{
	struct mrl_play_event *event = mrl__add(batch, NULL, now, MRL_PLAY_CREATED, MRL_PLAY_OWNER);
	struct mrl_play_created *created = &event->created;

	created->game = creation->game;
	created->previous = previous;
	created->settings = creation->settings;
	mrl__copy_text(created->settings.rules, sizeof created->settings.rules, creation->settings.rules,
		       mrl__length(creation->settings.rules, sizeof creation->settings.rules));
	copy_player(&created->owner, &creation->owner);
	mrl_copy(created->link, creation->link, sizeof created->link);
	if (creation->id_length > 0)
		mrl_copy(event->id, creation->id, creation->id_length);
	if (creation->friend_seat.kind != MRL_PLAY_EMPTY) {
		event = mrl__add(batch, NULL, now, MRL_PLAY_JOINED, MRL_PLAY_FRIEND);
		copy_player(&event->joined, &creation->friend_seat);
		start(batch, NULL, now, &creation->settings.tempo, creation->settings.first);
	}
}

enum mrl_play_code mrl_play_create(const struct mrl_play_creation *creation, const struct mrl_play_now *now,
				   struct mrl_play_batch *batch)
{
	enum mrl_play_code code = mrl__settings_check(&creation->settings, &creation->owner, &creation->friend_seat);

	batch->count = 0;
	if (creation->id_length > 0 && !mrl_play_command_id_valid(creation->id, creation->id_length))
		return MRL_CODE_BAD_ID;
	if (creation->game == 0)
		return MRL_CODE_BAD_SETTINGS;
	if (code == MRL_CODE_OK)
		create(batch, creation, 0, now);
	return code;
}

/* The new game's id, from a batch that is not applied yet or from the game. */
static uint64_t agreed_rematch(const struct mrl_play_game *game, const struct mrl_play_batch *agreed)
{
	for (size_t i = 0; agreed != NULL && i < agreed->count; i++)
		if (agreed->events[i].kind == MRL_PLAY_REMATCH)
			return agreed->events[i].rematch;
	return game->next;
}

enum mrl_play_code mrl_play_create_rematch(const struct mrl_play_game *game, const struct mrl_play_batch *agreed,
					   const struct mrl_play_now *now, struct mrl_play_batch *batch)
{
	struct mrl_play_creation creation = {
	    .game = agreed_rematch(game, agreed),
	    .owner = game->player[MRL_PLAY_OWNER],
	    .friend_seat = game->player[MRL_PLAY_FRIEND],
	};

	batch->count = 0;
	if (game->phase != MRL_PLAY_FINISHED || creation.game == 0)
		return MRL_CODE_NOT_OVER;
	mrl_play_settings_of(game, &creation.settings);
	creation.settings.first = game->white == MRL_PLAY_OWNER ? MRL_PLAY_FRIEND_FIRST : MRL_PLAY_OWNER_FIRST;
	create(batch, &creation, game->id, now);
	return MRL_CODE_OK;
}

enum mrl_play_code mrl__join(struct mrl__request *request)
{
	const struct mrl_play_game *game = request->game;
	const struct mrl_play_player *player = request->command->player;
	struct mrl_play_settings settings;
	enum mrl_play_code code;

	if (player == NULL || request->command->link == NULL || player->kind == MRL_PLAY_EMPTY)
		return MRL_CODE_BAD_COMMAND;
	/* First of all, so that a stranger learns nothing of the game. */
	if (!mrl_play_hash_equal(game->link, request->command->link))
		return MRL_CODE_WRONG_LINK;
	if (game->phase == MRL_PLAY_FINISHED)
		return MRL_CODE_OVER;
	if (game->phase != MRL_PLAY_WAITING)
		return MRL_CODE_TAKEN;
	mrl_play_settings_of(game, &settings);
	code = mrl__settings_check(&settings, &game->player[MRL_PLAY_OWNER], player);
	if (code != MRL_CODE_OK)
		return code;
	copy_player(&mrl__add(request->batch, game, &request->now, MRL_PLAY_JOINED, MRL_PLAY_FRIEND)->joined, player);
	start(request->batch, game, &request->now, &game->tempo, game->first);
	return MRL_CODE_OK;
}
