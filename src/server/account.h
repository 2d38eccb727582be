/*
 * A request about an account under way: what it keeps while passwords are hashed and the store is asked. Belongs to its
 * exchange; ended exactly once, when that has been answered.
 */
#ifndef MERELS_SERVER_ACCOUNT_H
#define MERELS_SERVER_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>

#include <merels/status.h>

#include "names.h"
#include "secret.h"

struct mrl__exchange;
struct mrl__fields;

struct mrl__account {
	struct mrl__exchange *exchange;
	uint64_t person;
	bool bot;
	char name[MRL__NAME_MOST + 1];
	char email[256];
	char secret[MRL__SECRET_SIZE];
	char password[MRL__PASSWORD_MOST + 1]; /* the new one */
	void (*then)(struct mrl__account *account);
};

/* NULL after having answered that there is no memory. */
struct mrl__account *mrl__account_begin(struct mrl__exchange *exchange);

/* After the answer. */
void mrl__account_end(struct mrl__account *account);

/* Answers with what a status is called, and ends. */
void mrl__account_fail(struct mrl__account *account, enum mrl_status status);

/* A new password that a field holds; NULL when it is none, which the fields then say. */
const char *mrl__account_password(struct mrl__fields *fields, const char *key);

#endif
