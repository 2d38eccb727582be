/*
 * What an administrator does with the people of a server, beside it while it runs or while it does not. A running
 * server notices within a minute, or at once when it is sent SIGHUP.
 *
 * All functions wait for the disk. `error` may be NULL. One thread at a time.
 */
#ifndef MERELS_ADMIN_H
#define MERELS_ADMIN_H

#include <stdbool.h>
#include <stdint.h>

#include <merels/status.h>

#define MRL_ADMIN_TOKEN_SIZE 44

struct mrl_admin;

/*
 * Opens the database in a data folder; NULL is the usual one. Or `store`, when it is neither NULL nor "": another
 * database, as mrl_store_open() takes it. MRL_MISSING when there is none.
 */
MRL_MUST_USE enum mrl_status mrl_admin_open(struct mrl_admin **admin, const char *data, const char *store,
					    struct mrl_error *error);
void mrl_admin_close(struct mrl_admin *admin); /* NULL is allowed */

/*
 * A new account; with `bot` one for a bot, whose token is written to `token` (else NULL). MRL_CONFLICT when the name is
 * taken, MRL_SYNTAX when it or the password is none.
 */
MRL_MUST_USE enum mrl_status mrl_admin_add(struct mrl_admin *admin, const char *name, const char *password, bool bot,
					   char token[MRL_ADMIN_TOKEN_SIZE], struct mrl_error *error);

/* In all that follow MRL_MISSING when there is nobody of this name. A new password ends the person's sessions. */
MRL_MUST_USE enum mrl_status mrl_admin_password(struct mrl_admin *admin, const char *name, const char *password,
						struct mrl_error *error);

/* For so many days; 0 lifts the ban, UINT32_MAX is for good. */
MRL_MUST_USE enum mrl_status mrl_admin_ban(struct mrl_admin *admin, const char *name, uint32_t days, const char *reason,
					   struct mrl_error *error);

MRL_MUST_USE enum mrl_status mrl_admin_delete(struct mrl_admin *admin, const char *name, struct mrl_error *error);

/* A new token of a bot; the old one is worth nothing any more. */
MRL_MUST_USE enum mrl_status mrl_admin_token(struct mrl_admin *admin, const char *name,
					     char token[MRL_ADMIN_TOKEN_SIZE], struct mrl_error *error);

/* A report as it is shown: texts are gone when the callback returns. */
struct mrl_admin_report {
	char id[12];
	int64_t wall;         /* ms since 1970 */
	int64_t closed;       /* 0: still open */
	const char *reporter; /* names at present */
	const char *reported;
	char reporter_id[12]; /* which stay when the names go */
	char reported_id[12];
	char game[12];       /* "": about none */
	uint32_t event;      /* the number of the line; 0: about the game */
	const char *line;    /* the line of chat, or "" */
	const char *about;   /* what the reporter says */
	const char *verdict; /* what was done about it, or "" */
};

typedef void mrl_admin_each(void *user, const struct mrl_admin_report *report);

/* Gives the reports, newest first: those that are open, or all. */
MRL_MUST_USE enum mrl_status mrl_admin_reports(struct mrl_admin *admin, bool all, mrl_admin_each *each, void *user,
					       struct mrl_error *error);

/* A report is done. MRL_SYNTAX when the id is none, MRL_MISSING when there is no open report of this id. */
MRL_MUST_USE enum mrl_status mrl_admin_close_report(struct mrl_admin *admin, const char *id, const char *verdict,
						    struct mrl_error *error);

/* Copies the database as it is at this moment into a new file. MRL_CONFLICT when that exists. */
MRL_MUST_USE enum mrl_status mrl_admin_backup(struct mrl_admin *admin, const char *path, struct mrl_error *error);

#endif
