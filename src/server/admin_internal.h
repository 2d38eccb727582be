/* What the files of the administration share. */
#ifndef MERELS_SERVER_ADMIN_INTERNAL_H
#define MERELS_SERVER_ADMIN_INTERNAL_H

#include <stdint.h>

#include <merels/status.h>
#include <merels/store.h>

struct mrl_admin {
	struct mrl_store *store;
	/* Of the last answer. */
	enum mrl_status status;
	char message[MRL_ERROR_MESSAGE_SIZE];
	uint64_t person;
	enum mrl_store_kind kind;
};

/* Says in `error` (may be NULL) what is wrong, and returns the status. */
enum mrl_status admin_refuse(struct mrl_error *error, enum mrl_status status, const char *what, const char *why);

/* Wall ms. */
int64_t admin_now(void);

/* Keeps the status and the sentence of an answer. */
void admin_keep(struct mrl_admin *admin, const struct mrl_store_answer *answer);

/* Submits a change and waits until it is on the disk. */
enum mrl_status admin_submit(struct mrl_admin *admin, struct mrl_store_change *change, struct mrl_error *error);

#endif
