/*
 * A change: a list of things to be written together or not at all.
 *
 *	struct mrl_store_change *change = mrl_change_new();
 *
 *	mrl_change_append(change, game, &event);
 *	mrl_change_put_game(change, &summary);
 *	mrl_change_set_rating(change, &white);
 *	mrl_change_set_rating(change, &black);
 *	status = mrl_store_submit(store, change, done, user);
 *
 * What is given is copied at once. Nothing here fails: what is wrong (a text too long, no memory, an id of 0) is
 * remembered, and mrl_store_submit() says it. So mrl_change_new() may return NULL for want of memory, and every
 *function takes NULL. A change belongs to one thread; mrl_store_submit() takes it away.
 *
 * Each function says with which status the whole change fails when what it asks for cannot be; MRL_CONFLICT and
 * MRL_MISSING leave everything as it was.
 */
#ifndef MERELS_STORE_CHANGE_H
#define MERELS_STORE_CHANGE_H

#include <stdint.h>

#include <merels/store_values.h>

struct mrl_store_change;

struct mrl_store_change *mrl_change_new(void);

/* For a change that was not submitted. NULL is allowed. */
void mrl_change_free(struct mrl_store_change *change);

/* How many things are in it. */
size_t mrl_change_count(const struct mrl_store_change *change);

/* ---- People ------------------------------------------------------------------------------------------------- */

/* A new person. MRL_CONFLICT when the id or (of an account or bot) the name is taken. */
void mrl_change_add_person(struct mrl_store_change *change, const struct mrl_store_person *person);

/*
 * A guest becomes an account or a bot, with the same id, so everything of the guest is the account's. MRL_MISSING when
 * there is no guest of this id, MRL_CONFLICT when the name is taken.
 */
void mrl_change_promote(struct mrl_store_change *change, uint64_t person, enum mrl_store_kind kind, const char *name,
			const char *password, const char *email);

/* MRL_MISSING when there is no such person, or it is deleted; so in all that follow. MRL_CONFLICT: the name is taken.
 */
void mrl_change_rename(struct mrl_store_change *change, uint64_t person, const char *name);
void mrl_change_set_password(struct mrl_store_change *change, uint64_t person, const char *password);
void mrl_change_set_email(struct mrl_store_change *change, uint64_t person, const char *email);

/* The person was here. */
void mrl_change_seen(struct mrl_store_change *change, uint64_t person, int64_t wall);

/* Until 0 lifts a ban. Sessions stay: whoever looks at them sees the ban. */
void mrl_change_ban(struct mrl_store_change *change, uint64_t person, int64_t until, const char *reason);

/*
 * Deletes a person: its name is "deleted" and free for others; password, e-mail, sessions, settings, mutes, seeks,
 * ratings and their graphs are gone; its games stay, and so do reports.
 */
void mrl_change_delete_person(struct mrl_store_change *change, uint64_t person);

/*
 * Deletes guests that were last seen before `seen` and are in no game and no report, with their sessions: a crawler
 * leaves many. Looks at the 500 longest gone of those it has not looked at; the answer's `affected` says how many went.
 */
void mrl_change_drop_guests(struct mrl_store_change *change, int64_t seen);

/* ---- Sessions and tokens ------------------------------------------------------------------------------------ */

/* MRL_CONFLICT when the hash is there already, MRL_MISSING when there is no such person. */
void mrl_change_add_session(struct mrl_store_change *change, const struct mrl_store_session *session);

/* It was used, and is good until `expires`. No error when it is gone meanwhile. */
void mrl_change_touch_session(struct mrl_store_change *change, const uint8_t hash[MRL_STORE_HASH_BYTES], int64_t seen,
			      int64_t expires);

/* No error when it is not there; the answer's `affected` counts what was revoked. */
void mrl_change_revoke_session(struct mrl_store_change *change, const uint8_t hash[MRL_STORE_HASH_BYTES]);

/*
 * All of a person, cookies or bearer tokens or both; but the one with the hash `except`, which may be NULL. `affected`
 * counts.
 */
void mrl_change_revoke_sessions(struct mrl_store_change *change, uint64_t person, bool cookies, bool bearers,
				const uint8_t *except);

/* Forgets sessions that have expired at `now`; 500 at most a change, as `affected` says. */
void mrl_change_expire_sessions(struct mrl_store_change *change, int64_t now);

/* ---- Games -------------------------------------------------------------------------------------------------- */

/* A new game. MRL_CONFLICT when the id is taken, MRL_MISSING when one of its persons is not there. */
void mrl_change_add_game(struct mrl_store_change *change, const struct mrl_store_game *game);

/*
 * Appends an event. MRL_CONFLICT when its number is not the next of the game, MRL_MISSING when there is no such game.
 * Events are never changed.
 */
void mrl_change_append(struct mrl_store_change *change, uint64_t game, const struct mrl_store_event *event);

/*
 * The summary anew, all but `id`, `rules`, `created` and `owner`, which stay as they are. A game that is ended is in
 * the archive from then on, and a later summary must be of an ended game too (MRL_CONFLICT). MRL_MISSING when there is
 * no such game.
 */
void mrl_change_put_game(struct mrl_store_change *change, const struct mrl_store_game *game);

/* Forgets a game that never was played, with its events. MRL_CONFLICT when it is playing or ended; none there is no
 * error. */
void mrl_change_remove_game(struct mrl_store_change *change, uint64_t game);

/* ---- Ratings ------------------------------------------------------------------------------------------------ */

/*
 * A person's new rating after `rating->game`, and a point of its graph. MRL_CONFLICT when `rating->games` is not one
 * more than the store has (0 before the first): somebody else's game came between, so read anew and compute again. A
 * person that has been deleted meanwhile gets no rating, which is no error: its last game may end.
 */
void mrl_change_set_rating(struct mrl_store_change *change, const struct mrl_store_rating *rating);

/* ---- The small things --------------------------------------------------------------------------------------- */

/* A seek of this id is replaced. */
void mrl_change_put_seek(struct mrl_store_change *change, const struct mrl_store_seek *seek);

/* None there is no error. */
void mrl_change_remove_seek(struct mrl_store_change *change, uint64_t id);
void mrl_change_remove_seeks(struct mrl_store_change *change);

/* MRL_CONFLICT when the id is taken. `closed` and `verdict` count too. */
void mrl_change_add_report(struct mrl_store_change *change, const struct mrl_store_report *report);

/* MRL_MISSING when there is no open report of this id. */
void mrl_change_close_report(struct mrl_store_change *change, uint64_t id, int64_t wall, const char *verdict);

/* Again is no error; nor is unmuting who is not muted. */
void mrl_change_mute(struct mrl_store_change *change, uint64_t person, uint64_t muted, int64_t wall);
void mrl_change_unmute(struct mrl_store_change *change, uint64_t person, uint64_t muted);

/* `value` NULL forgets the setting. */
void mrl_change_set_setting(struct mrl_store_change *change, uint64_t person, const char *key, const char *value);

/* Adds to a day's count of something: days since 1970-01-01 UTC. */
void mrl_change_count_day(struct mrl_store_change *change, int32_t day, const char *what, int64_t more);

#endif
