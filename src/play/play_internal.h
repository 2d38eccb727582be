/*
 * What the files of this room share. A command is judged in a `request`: the game as it is, the command, the moment,
 * and the batch that its events go to.
 */
#ifndef MERELS_PLAY_INTERNAL_H
#define MERELS_PLAY_INTERNAL_H

#include <merels/play.h>

struct mrl__request {
	const struct mrl_play_game *game;
	const struct mrl_play_command *command;
	struct mrl_play_now now; /* its time is never before the game's */
	struct mrl_play_batch *batch;
	struct mrl_play_answer *answer; /* its text may be filled when the code's sentence would say less */
};

/* ---- Events put together ------------------------------------------------------------------------------------ */

/*
 * Adds an event to a batch, numbered behind the game's (NULL: a new game) and the batch's own; everything that its kind
 * has is to be filled in.
 */
struct mrl_play_event *mrl__add(struct mrl_play_batch *batch, const struct mrl_play_game *game,
				const struct mrl_play_now *now, enum mrl_play_kind kind, unsigned seat);

/* Adds the end of the game, the clocks as given. */
void mrl__end(struct mrl_play_batch *batch, const struct mrl_play_game *game, const struct mrl_play_now *now,
	      unsigned seat, struct mrl_verdict verdict, enum mrl_play_cause cause, const uint32_t clock[2]);

/* ---- Clocks ------------------------------------------------------------------------------------------------- */

/* Whether the clock of the side to move is running: both have made their first turn. */
bool mrl__clock_runs(const struct mrl_play_game *game);

/* Both clocks at a moment, never below 0. */
void mrl__clocks_at(const struct mrl_play_game *game, uint64_t time, uint32_t clock[2]);

/* What a clock shows at the start of a game. */
uint32_t mrl__clock_start(const struct mrl_play_tempo *tempo);

/* Milliseconds for the first turn, 0: no limit. */
uint32_t mrl__first_limit(const struct mrl_play_tempo *tempo);

/* ---- Command ids -------------------------------------------------------------------------------------------- */

uint64_t mrl__id_hash(const char *id, size_t length);

/* The event that this id made before, or 0. `seat` is a player's. */
uint32_t mrl__remembered(const struct mrl_play_game *game, unsigned seat, uint64_t hash);

/* ---- Verbs -------------------------------------------------------------------------------------------------- */

enum mrl_play_code mrl__join(struct mrl__request *request);
enum mrl_play_code mrl__turn(struct mrl__request *request);
enum mrl_play_code mrl__offer(struct mrl__request *request);
enum mrl_play_code mrl__accept(struct mrl__request *request);
enum mrl_play_code mrl__decline(struct mrl__request *request);
enum mrl_play_code mrl__add_time(struct mrl__request *request);
enum mrl_play_code mrl__resign(struct mrl__request *request);
enum mrl_play_code mrl__abort(struct mrl__request *request);
enum mrl_play_code mrl__claim(struct mrl__request *request);
enum mrl_play_code mrl__leave(struct mrl__request *request);
enum mrl_play_code mrl__close(struct mrl__request *request);
enum mrl_play_code mrl__say(struct mrl__request *request);

/* OK while the game runs, else what it is instead. */
enum mrl_play_code mrl__running(const struct mrl_play_game *game);

/* Judges a command whose id and repetition have been seen to, timers too. */
enum mrl_play_code mrl__judge(struct mrl__request *request);

/* ---- Checks ------------------------------------------------------------------------------------------------- */

/* Whether these two may play under these settings; `friend_seat` may be empty. */
enum mrl_play_code mrl__settings_check(const struct mrl_play_settings *settings, const struct mrl_play_player *owner,
				       const struct mrl_play_player *friend_seat);

/* Characters before the closing 0, which must be within size bytes; else `size`. */
size_t mrl__length(const char *text, size_t size);

/* Whether two such texts are the same. */
bool mrl__same_text(const char *a, const char *b);

/* Copies a text that fits, its closing 0 and nothing behind it. */
void mrl__copy_text(char *to, size_t size, const char *from, size_t length);

static inline uint64_t mrl__later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static inline uint32_t mrl__less(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

#endif
