/*
 * Exact tables beside the computer player: which are asked, and perfect play by them.
 *
 * Perfect play leaves the player only the best turns (merels/perfect.h). Among several that draw, or that win by tables
 * without distances, the search chooses by its own score and does not ask the tables, to which all are equal.
 */
#ifndef MERELS_CLI_TABLES_PLAYER_H
#define MERELS_CLI_TABLES_PLAYER_H

#include <stdbool.h>

#include <merels/perfect.h>
#include <merels/player.h>
#include <merels/table.h>

/* Bytes of unpacked blocks that are kept. */
#define TABLES_PLAYER_CACHE ((size_t)64 << 20)

/* Tables of a folder, or the user's own, which may still be being built. {0} has none. */
struct tables_player {
	struct mrl_tables *tables;       /* owned */
	struct mrl_table_keeper *keeper; /* owned */
};

/* Opens the tables of a folder. `rules` must outlive them. */
MRL_MUST_USE enum mrl_status tables_player_open(struct tables_player *player, const char *folder,
						const struct mrl_rules *rules, struct mrl_error *error);

/* Opens the user's own tables if they are there, else their endings; builds none. */
MRL_MUST_USE enum mrl_status tables_player_open_own(struct tables_player *player, const struct mrl_rules *rules,
						    struct mrl_error *error);

/*
 * The user's own tables; small ones, or endings, are built beside the game if they are not there. Of the wish the cache
 * is set here. MRL_SYSTEM without memory.
 */
MRL_MUST_USE enum mrl_status tables_player_keep(struct tables_player *player, const struct mrl_rules *rules,
						struct mrl_keeper_wish wish, struct mrl_error *error);

void tables_player_close(struct tables_player *player);

/*
 * What may be asked now, or NULL. Where the position is one of endings that are still being built, the build stands
 * back no longer.
 */
struct mrl_tables *tables_player_ask(const struct tables_player *player, const struct mrl_position *position);

/* The turns that a perfect player chooses from. */
struct tables_choice {
	struct mrl_turn *turns; /* owned */
	size_t count;
	struct mrl_perfect_turn first; /* one of them, with what it is worth */
};

/*
 * Leaves limits->only those of its turns (all when it is NULL) that are best, until the choice is released, and sets or
 * clears limits->probe. Where there is nothing to think about the depth is 1. Where the tables do not know the position
 * but may know what comes of it, none are chosen and the search is to ask them. On failure the limits are as before and
 * there is nothing to release.
 */
MRL_MUST_USE enum mrl_status tables_choose(struct mrl_tables *tables, const struct mrl_game *game,
					   struct mrl_player_limits *limits, struct tables_choice *choice,
					   struct mrl_error *error);

void tables_choice_release(struct tables_choice *choice);

/* "draw", "win 13", "loss" when the plies are not known. */
#define TABLES_VALUE_SIZE 24
void tables_value_text(const struct mrl_table_value *value, char text[TABLES_VALUE_SIZE]);

#endif
