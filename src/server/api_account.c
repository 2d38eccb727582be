/* Accounts: registering, logging in and out. */
#include <stdlib.h>
#include <string.h>

#include "account.h"
#include "exchange.h"
#include "peer.h"
#include "routes.h"
#include "server_internal.h"
#include "snapshot.h"

void mrl__account_end(struct mrl__account *account)
{
	memset(account->password, 0, sizeof(account->password));
	free(account);
}

struct mrl__account *mrl__account_begin(struct mrl__exchange *exchange)
{
	struct mrl__account *account = calloc(1, sizeof(*account));

	if (account == NULL) {
		mrl__answer_status(exchange, MRL_SPACE);
		return NULL;
	}
	account->exchange = exchange;
	account->person = exchange->person.id;
	return account;
}

void mrl__account_fail(struct mrl__account *account, enum mrl_status status)
{
	mrl__answer_status(account->exchange, status);
	mrl__account_end(account);
}

/* ---- Fields ------------------------------------------------------------------------------------------------- */

const char *mrl__account_password(struct mrl__fields *fields, const char *key)
{
	const char *password = mrl__field_text(fields, key, MRL__PASSWORD_MOST, true);

	if (password != NULL && !mrl__password_is_good(password))
		mrl__field_wrong(fields, key, MRL__PASSWORD_SHOULD);
	return password;
}

/* ---- Registering -------------------------------------------------------------------------------------------- */

static void on_registered(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__account *account = user;
	struct mrl__exchange *exchange = account->exchange;
	struct mrl__person person = {.id = account->person, .kind = account->bot ? MRL_STORE_BOT : MRL_STORE_ACCOUNT};

	if (answer->status == MRL_CONFLICT) {
		mrl__answer_error(exchange, 409, "name-taken", "There is somebody of this name already.");
		mrl__account_end(account);
		return;
	}
	if (answer->status != MRL_OK) {
		mrl__account_fail(account, answer->status);
		return;
	}
	memcpy(person.name, account->name, strlen(account->name) + 1);
	if (!account->bot) {
		mrl__people_forget(exchange->server, person.id);
		mrl__peers_renamed(exchange->server, &person);
		mrl__set_cookie(exchange, account->secret);
	}
	struct mrl__json *json = mrl__answer_open(exchange);

	mrl__write_person(json, "person", &person);
	if (account->bot)
		mrl__json_text(json, "token", account->secret);
	mrl__answer(exchange, 201);
	mrl__account_end(account);
}

static void on_hashed(void *user, bool good, const char *hash)
{
	struct mrl__account *account = user;
	struct mrl__server *server = account->exchange->server;
	struct mrl_store_session session;

	if (!good) {
		mrl__account_fail(account, MRL_SPACE);
		return;
	}
	struct mrl_store_change *change = mrl_change_new();

	if (account->bot) {
		account->person = mrl__random_id();
		const struct mrl_store_person person = {.id = account->person,
							.kind = MRL_STORE_BOT,
							.name = account->name,
							.password = hash,
							.email = account->email,
							.created = mrl__wall_ms(),
							.seen = mrl__wall_ms()};

		mrl_change_add_person(change, &person);
	} else {
		mrl_change_promote(change, account->person, MRL_STORE_ACCOUNT, account->name, hash, account->email);
	}
	/* Whoever had the guest's cookie is not to have the account. */
	if (!account->bot)
		mrl_change_revoke_sessions(change, account->person, true, true, NULL);
	mrl__session_new(account->person, account->bot ? MRL_STORE_BEARER : MRL_STORE_COOKIE, &session,
			 account->secret);
	mrl_change_add_session(change, &session);
	enum mrl_status status = mrl_store_submit(server->store, change, on_registered, account, NULL);

	if (status != MRL_OK)
		mrl__account_fail(account, status);
}

void mrl__api_register(struct mrl__exchange *exchange)
{
	struct mrl__fields *fields = &exchange->fields;
	const char *name = mrl__field_text(fields, "name", 64, true);
	const char *password = mrl__account_password(fields, "password");
	const char *email = mrl__field_text(fields, "email", sizeof(((struct mrl__account *)NULL)->email) - 1, false);
	bool bot = mrl__field_bool(fields, "bot", false);

	if (name != NULL && !mrl__name_is_good(name))
		mrl__field_wrong(fields, "name", MRL__NAME_SHOULD);
	if (email != NULL && email[0] != '\0' && strchr(email, '@') == NULL)
		mrl__field_wrong(fields, "email", "an e-mail address");
	if (!mrl__fields_good(fields) || name == NULL || password == NULL) {
		mrl__answer_wrong(exchange);
		return;
	}
	if (mrl__name_is_reserved(name)) {
		mrl__answer_error(exchange, 409, "name-taken", "This name is reserved; choose another.");
		return;
	}
	if (!bot && exchange->person.kind != MRL_STORE_GUEST) {
		mrl__answer_error(exchange, 409, "not-now", "You have an account; log out first to make another.");
		return;
	}
	struct mrl__account *account = mrl__account_begin(exchange);

	if (account == NULL)
		return;
	account->bot = bot;
	memcpy(account->name, name, strlen(name) + 1);
	if (email != NULL)
		memcpy(account->email, email, strlen(email) + 1);
	if (!mrl__passwords_hash(exchange->server, password, on_hashed, account))
		mrl__account_fail(account, MRL_BUSY);
}

/* ---- Logging in --------------------------------------------------------------------------------------------- */

static void on_logged_in(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__account *account = user;
	struct mrl__exchange *exchange = account->exchange;

	if (answer->status != MRL_OK) {
		mrl__account_fail(account, answer->status);
		return;
	}
	mrl__set_cookie(exchange, account->secret);
	struct mrl__json *json = mrl__answer_open(exchange);

	mrl__write_person(json, "person", &exchange->person);
	mrl__answer(exchange, 200);
	mrl__account_end(account);
}

/* Whether it was the password or not is known now; a name that nobody has took as long. */
static void on_checked(void *user, bool good, const char *hash)
{
	struct mrl__account *account = user;
	struct mrl__exchange *exchange = account->exchange;
	struct mrl__server *server = exchange->server;
	struct mrl_store_session session;

	(void)hash;
	good = good && account->person != 0;
	/* That it failed was counted before. */
	if (good) {
		mrl__passwords_tried(server, account->name, true);
		exchange->address->failures = 0;
		exchange->address->try_again = 0;
	}
	if (!good) {
		mrl__answer_error(exchange, 401, "wrong-password", "The name or the password is wrong.");
		mrl__account_end(account);
		return;
	}
	struct mrl_store_change *change = mrl_change_new();

	mrl__session_new(account->person, MRL_STORE_COOKIE, &session, account->secret);
	mrl_change_add_session(change, &session);
	mrl_change_seen(change, account->person, session.created);
	/* The guest's session that this takes the place of. */
	if (account->exchange->has_session && !account->exchange->by_token)
		mrl_change_revoke_session(change, account->exchange->session);
	enum mrl_status status = mrl_store_submit(server->store, change, on_logged_in, account, NULL);

	if (status != MRL_OK)
		mrl__account_fail(account, status);
}

static void on_found(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__account *account = user;
	const char *hash = mrl__password_nobody;
	const char *password = json_string_value(json_object_get(account->exchange->json, "password"));

	if (answer->status != MRL_OK && answer->status != MRL_MISSING) {
		mrl__account_fail(account, answer->status);
		return;
	}
	account->person = 0;
	if (answer->status == MRL_OK && answer->person_count > 0 && answer->people[0].password[0] != '\0') {
		const struct mrl_store_person *found = &answer->people[0];

		hash = found->password;
		account->person = found->id;
		account->exchange->person = (struct mrl__person){
		    .id = found->id, .kind = (uint8_t)found->kind, .banned_until = found->banned_until};
		memcpy(account->exchange->person.name, found->name, strlen(found->name) + 1);
	}
	if (!mrl__passwords_check(account->exchange->server, password, hash, on_checked, account))
		mrl__account_fail(account, MRL_BUSY);
}

void mrl__api_login(struct mrl__exchange *exchange)
{
	struct mrl__fields *fields = &exchange->fields;
	const char *name = mrl__field_text(fields, "name", MRL__NAME_MOST, true);
	const char *password = mrl__field_text(fields, "password", MRL__PASSWORD_MOST, true);
	uint64_t now = mrl__now_ms();

	if (!mrl__fields_good(fields) || name == NULL || password == NULL) {
		mrl__answer_wrong(exchange);
		return;
	}
	unsigned wait = mrl__passwords_wait(exchange->server, name);

	if (exchange->address->try_again > now && wait == 0)
		wait = (unsigned)((exchange->address->try_again - now + 999) / 1000);
	if (wait > 0) {
		exchange->retry_after = wait;
		mrl__answer_error(exchange, 429, "slow-down", "Too many logins have failed; wait before the next.");
		return;
	}
	struct mrl__account *account = mrl__account_begin(exchange);

	if (account == NULL)
		return;
	memcpy(account->name, name, strlen(name) + 1);
	/* It has failed until it is found good, so that many at once are no way around the wait. */
	mrl__passwords_tried(exchange->server, name, false);
	exchange->address->failures++;
	exchange->address->try_again = now + mrl__slow_down(exchange->address->failures);
	enum mrl_status status = mrl_store_find_name(exchange->server->store, name, on_found, account);

	if (status != MRL_OK)
		mrl__account_fail(account, status);
}

/* ---- Logging out -------------------------------------------------------------------------------------------- */

static void on_logged_out(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__exchange *exchange = user;
	uint64_t person = exchange->person.id;

	if (answer->status == MRL_OK) {
		mrl__peers_end_session(exchange->server, person, exchange->session);
		mrl__people_forget(exchange->server, person);
		mrl__set_cookie(exchange, "");
	}
	mrl__answer_status(exchange, answer->status);
}

static void submit(struct mrl__exchange *exchange, struct mrl_store_change *change, mrl_store_done *done)
{
	enum mrl_status status = mrl_store_submit(exchange->server->store, change, done, exchange, NULL);

	if (status != MRL_OK)
		mrl__answer_status(exchange, status);
}

void mrl__api_logout(struct mrl__exchange *exchange)
{
	if (exchange->person.id == 0 || exchange->by_token) {
		mrl__answer_status(exchange, MRL_OK);
		return;
	}
	struct mrl_store_change *change = mrl_change_new();

	mrl_change_revoke_session(change, exchange->session);
	submit(exchange, change, on_logged_out);
}

static void on_logged_out_everywhere(void *user, const struct mrl_store_answer *answer)
{
	struct mrl__exchange *exchange = user;

	if (answer->status == MRL_OK)
		mrl__peers_close(exchange->server, exchange->person.id, NULL, MRL__CLOSE_SESSION, "logged out");
	on_logged_out(exchange, answer);
}

void mrl__api_logout_everywhere(struct mrl__exchange *exchange)
{
	struct mrl_store_change *change = mrl_change_new();

	mrl_change_revoke_sessions(change, exchange->person.id, true, false, NULL);
	submit(exchange, change, on_logged_out_everywhere);
}
