/* Accounts: another password, another token, no account any more. */
#include <string.h>

#include "account.h"
#include "exchange.h"
#include "peer.h"
#include "routes.h"
#include "server_internal.h"

/* Checks the password that a field holds; then goes on, or answers that it is wrong. */
static void on_old_checked(void *user, bool good, const char *hash)
{
	struct mrl__account *account = user;

	(void)hash;
	if (good) {
		mrl__passwords_tried(account->exchange->server, account->exchange->person.name, true);
		account->then(account);
		return;
	}
	mrl__answer_error(account->exchange, 401, "wrong-password", "This is not the password.");
	mrl__account_end(account);
}

static void on_own(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__account *account = user;
	const json_t *json = account->exchange->json;
	const json_t *old = json_object_get(json, account->password[0] != '\0' ? "old" : "password");

	if (answer->status != MRL_OK)
		mrl__account_fail(account, answer->status);
	else if (answer->people[0].password[0] == '\0')
		mrl__account_fail(account, MRL_MISSING);
	else if (!mrl__passwords_check(account->exchange->server, json_string_value(old), answer->people[0].password,
				       on_old_checked, account))
		mrl__account_fail(account, MRL_BUSY);
}

static void check_own(struct mrl__exchange *exchange, const char *new_password,
		      void (*then)(struct mrl__account *account))
{
	unsigned wait = mrl__passwords_wait(exchange->server, exchange->person.name);

	if (exchange->person.kind == MRL_STORE_GUEST) {
		mrl__answer_error(exchange, 403, "needs-account", "A guest has no password.");
		return;
	}
	if (wait > 0) {
		exchange->retry_after = wait;
		mrl__answer_error(exchange, 429, "slow-down", "Too many passwords were wrong; wait before the next.");
		return;
	}
	struct mrl__account *account = mrl__account_begin(exchange);

	if (account == NULL)
		return;
	account->then = then;
	/* Wrong until it is found right: see mrl__api_login(). */
	mrl__passwords_tried(exchange->server, exchange->person.name, false);
	if (new_password != NULL)
		memcpy(account->password, new_password, strlen(new_password) + 1);
	enum mrl_status status = mrl_store_find_person(exchange->server->store, exchange->person.id, on_own, account);

	if (status != MRL_OK)
		mrl__account_fail(account, status);
}

static void on_password_set(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__account *account = user;
	struct mrl__exchange *exchange = account->exchange;

	if (answer->status == MRL_OK) {
		mrl__people_forget(exchange->server, exchange->person.id);
		mrl__peers_close(exchange->server, exchange->person.id, exchange->session, MRL__CLOSE_SESSION,
				 "password changed");
	}
	mrl__answer_status(exchange, answer->status);
	mrl__account_end(account);
}

static void on_new_hashed(void *user, bool good, const char *hash)
{
	struct mrl__account *account = user;
	struct mrl_store_change *change = NULL;

	if (!good) {
		mrl__account_fail(account, MRL_SPACE);
		return;
	}
	change = mrl_change_new();
	mrl_change_set_password(change, account->person, hash);
	mrl_change_revoke_sessions(change, account->person, true, false, account->exchange->session);
	enum mrl_status status =
	    mrl_store_submit(account->exchange->server->store, change, on_password_set, account, NULL);

	if (status != MRL_OK)
		mrl__account_fail(account, status);
}

static void set_password(struct mrl__account *account)
{
	if (!mrl__passwords_hash(account->exchange->server, account->password, on_new_hashed, account))
		mrl__account_fail(account, MRL_BUSY);
}

void mrl__api_password(struct mrl__exchange *exchange)
{
	const char *old = mrl__field_text(&exchange->fields, "old", MRL__PASSWORD_MOST, true);
	const char *new_password = mrl__account_password(&exchange->fields, "new");

	if (mrl__fields_good(&exchange->fields) && old != NULL)
		check_own(exchange, new_password, set_password);
	else
		mrl__answer_wrong(exchange);
}

static void on_deleted(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__account *account = user;
	struct mrl__exchange *exchange = account->exchange;

	if (answer->status == MRL_OK) {
		mrl__people_forget(exchange->server, exchange->person.id);
		mrl__gone_add(exchange->server, exchange->person.id);
		(void)mrl_lobby_unseek_all(&exchange->server->desk.lobby, exchange->person.id);
		mrl__peers_close(exchange->server, exchange->person.id, NULL, MRL__CLOSE_SESSION, "deleted");
		mrl__set_cookie(exchange, "");
	}
	mrl__answer_status(exchange, answer->status);
	mrl__account_end(account);
}

static void delete_account(struct mrl__account *account)
{
	struct mrl_store_change *change = mrl_change_new();

	mrl_change_delete_person(change, account->person);
	enum mrl_status status = mrl_store_submit(account->exchange->server->store, change, on_deleted, account, NULL);

	if (status != MRL_OK)
		mrl__account_fail(account, status);
}

void mrl__api_delete_account(struct mrl__exchange *exchange)
{
	const char *password = mrl__field_text(&exchange->fields, "password", MRL__PASSWORD_MOST, true);

	if (password != NULL)
		check_own(exchange, NULL, delete_account);
	else
		mrl__answer_wrong(exchange);
}

static void on_token(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__account *account = user;
	struct mrl__exchange *exchange = account->exchange;

	if (answer->status != MRL_OK) {
		mrl__account_fail(account, answer->status);
		return;
	}
	mrl__people_forget(exchange->server, exchange->person.id);
	mrl__peers_close(exchange->server, exchange->person.id, NULL, MRL__CLOSE_SESSION, "new token");
	struct mrl__json *json = mrl__answer_open(exchange);

	mrl__json_text(json, "token", account->secret);
	mrl__answer(exchange, 200);
	mrl__account_end(account);
}

void mrl__api_token(struct mrl__exchange *exchange)
{
	struct mrl_store_session session;

	if (exchange->person.kind != MRL_STORE_BOT) {
		mrl__answer_error(exchange, 403, "not-yours", "Only bots have a token.");
		return;
	}
	struct mrl__account *account = mrl__account_begin(exchange);

	if (account == NULL)
		return;
	struct mrl_store_change *change = mrl_change_new();

	mrl__session_new(account->person, MRL_STORE_BEARER, &session, account->secret);
	mrl_change_revoke_sessions(change, account->person, false, true, NULL);
	mrl_change_add_session(change, &session);
	enum mrl_status status = mrl_store_submit(exchange->server->store, change, on_token, account, NULL);

	if (status != MRL_OK)
		mrl__account_fail(account, status);
}
