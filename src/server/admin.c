#include <merels/admin.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <merels/server.h>
#include <merels/store.h>
#include <merels/text.h>
#include <os/disk.h>
#include <os/process.h>

#include "admin_internal.h"
#include "names.h"
#include "secret.h"

#define DAY_MS (INT64_C(24) * 3600 * 1000)

enum mrl_status admin_refuse(struct mrl_error *error, enum mrl_status status, const char *what, const char *why)
{
	struct mrl_text text = mrl_error_open(error, status, 0, 0);

	mrl_text_add(&text, what);
	mrl_text_add(&text, why);
	return status;
}

int64_t admin_now(void)
{
	return (int64_t)time(NULL) * 1000;
}

enum mrl_status mrl_admin_open(struct mrl_admin **admin, const char *data, const char *store, struct mrl_error *error)
{
	char folder[MRL_SERVER_TEXT_SIZE];
	char place[MRL_SERVER_TEXT_SIZE + 32];
	struct mrl_admin *opened = NULL;

	mrl_process_keep_private();
	if (data == NULL)
		mrl_server_data_folder(folder);
	if (!mrl_server_database(data != NULL ? data : folder, place))
		return admin_refuse(error, MRL_RANGE, "the name of the data folder is too long", "");
	const char *path = place + strlen("sqlite:");
	bool other = store != NULL && store[0] != '\0';

	if (!other && !mrl_disk_exists(path))
		return admin_refuse(error, MRL_MISSING, path,
				    ": there is no such database; name its folder with --data");
	if (!mrl__secret_init() || (opened = calloc(1, sizeof(*opened))) == NULL)
		return admin_refuse(error, MRL_SPACE, "there is not enough memory", "");
	const struct mrl_store_settings settings = {.place = other ? store : place};
	enum mrl_status status = mrl_store_open(&opened->store, &settings, error);

	if (status != MRL_OK) {
		free(opened);
		return status;
	}
	*admin = opened;
	return MRL_OK;
}

void mrl_admin_close(struct mrl_admin *admin)
{
	if (admin == NULL)
		return;
	mrl_store_close(admin->store);
	free(admin);
}

/* ---- Asking and waiting ------------------------------------------------------------------------------------- */

void admin_keep(struct mrl_admin *admin, const struct mrl_store_answer *answer)
{
	size_t length = strlen(answer->message);

	if (length >= sizeof(admin->message))
		length = sizeof(admin->message) - 1;
	memcpy(admin->message, answer->message, length);
	admin->message[length] = '\0';
	admin->status = answer->status;
}

static void on_answer(void *user, const struct mrl_store_answer *answer)
{
	struct mrl_admin *admin = user;

	admin_keep(admin, answer);
	if (answer->status == MRL_OK && answer->person_count > 0) {
		admin->person = answer->people[0].id;
		admin->kind = answer->people[0].kind;
	}
}

enum mrl_status admin_submit(struct mrl_admin *admin, struct mrl_store_change *change, struct mrl_error *error)
{
	enum mrl_status status = mrl_store_submit(admin->store, change, on_answer, admin, error);

	if (status != MRL_OK)
		return status;
	mrl_store_wait(admin->store);
	return admin->status == MRL_OK ? MRL_OK : admin_refuse(error, admin->status, admin->message, "");
}

/* The person of a name, into `admin`. */
static enum mrl_status find(struct mrl_admin *admin, const char *name, struct mrl_error *error)
{
	enum mrl_status status = mrl_store_find_name(admin->store, name, on_answer, admin);

	if (status != MRL_OK)
		return admin_refuse(error, status, "the store cannot be asked", "");
	mrl_store_wait(admin->store);
	if (admin->status == MRL_MISSING)
		return admin_refuse(error, MRL_MISSING, "there is nobody of this name: ", name);
	return admin->status == MRL_OK ? MRL_OK : admin_refuse(error, admin->status, admin->message, "");
}

/* ---- What can be done --------------------------------------------------------------------------------------- */

static void add_token(struct mrl_store_change *change, uint64_t person, char token[MRL_ADMIN_TOKEN_SIZE])
{
	_Static_assert(MRL_ADMIN_TOKEN_SIZE == MRL__SECRET_SIZE, "a token is a secret");
	struct mrl_store_session session = {.person = person,
					    .kind = MRL_STORE_BEARER,
					    .label = "token",
					    .created = admin_now(),
					    .seen = admin_now(),
					    .expires = INT64_MAX};

	mrl__secret_new(token, session.hash);
	mrl_change_add_session(change, &session);
}

static enum mrl_status hash(const char *password, char hashed[MRL__PASSWORD_HASH_SIZE], struct mrl_error *error)
{
	if (!mrl__password_is_good(password))
		return admin_refuse(error, MRL_SYNTAX, "a password is ", MRL__PASSWORD_SHOULD);
	return mrl__password_hash(password, hashed) ? MRL_OK
						    : admin_refuse(error, MRL_SPACE, "there is not enough memory", "");
}

enum mrl_status mrl_admin_add(struct mrl_admin *admin, const char *name, const char *password, bool bot,
			      char token[MRL_ADMIN_TOKEN_SIZE], struct mrl_error *error)
{
	char hashed[MRL__PASSWORD_HASH_SIZE];
	enum mrl_status status = hash(password, hashed, error);

	if (status != MRL_OK)
		return status;
	if (!mrl__name_is_good(name))
		return admin_refuse(error, MRL_SYNTAX, "a name is ", MRL__NAME_SHOULD);
	if (mrl__name_is_reserved(name))
		return admin_refuse(error, MRL_SYNTAX, "this name is reserved: ", name);
	const struct mrl_store_person person = {.id = mrl__random_id(),
						.kind = bot ? MRL_STORE_BOT : MRL_STORE_ACCOUNT,
						.name = name,
						.password = hashed,
						.created = admin_now(),
						.seen = admin_now()};
	struct mrl_store_change *change = mrl_change_new();

	mrl_change_add_person(change, &person);
	if (bot)
		add_token(change, person.id, token);
	status = admin_submit(admin, change, error);
	return status == MRL_CONFLICT ? admin_refuse(error, status, "there is somebody of this name already: ", name)
				      : status;
}

enum mrl_status mrl_admin_password(struct mrl_admin *admin, const char *name, const char *password,
				   struct mrl_error *error)
{
	char hashed[MRL__PASSWORD_HASH_SIZE];
	enum mrl_status status = find(admin, name, error);

	if (status == MRL_OK)
		status = hash(password, hashed, error);
	if (status != MRL_OK)
		return status;
	struct mrl_store_change *change = mrl_change_new();

	mrl_change_set_password(change, admin->person, hashed);
	mrl_change_revoke_sessions(change, admin->person, true, false, NULL);
	return admin_submit(admin, change, error);
}

enum mrl_status mrl_admin_ban(struct mrl_admin *admin, const char *name, uint32_t days, const char *reason,
			      struct mrl_error *error)
{
	int64_t until = days == 0 ? 0 : days == UINT32_MAX ? INT64_MAX : admin_now() + days * DAY_MS;
	enum mrl_status status = find(admin, name, error);

	if (status != MRL_OK)
		return status;
	struct mrl_store_change *change = mrl_change_new();

	mrl_change_ban(change, admin->person, until, reason);
	return admin_submit(admin, change, error);
}

enum mrl_status mrl_admin_delete(struct mrl_admin *admin, const char *name, struct mrl_error *error)
{
	enum mrl_status status = find(admin, name, error);

	if (status != MRL_OK)
		return status;
	struct mrl_store_change *change = mrl_change_new();

	mrl_change_delete_person(change, admin->person);
	return admin_submit(admin, change, error);
}

enum mrl_status mrl_admin_token(struct mrl_admin *admin, const char *name, char token[MRL_ADMIN_TOKEN_SIZE],
				struct mrl_error *error)
{
	enum mrl_status status = find(admin, name, error);

	if (status != MRL_OK)
		return status;
	if (admin->kind != MRL_STORE_BOT)
		return admin_refuse(error, MRL_CONFLICT,
				    "only bots have a token; this is an account of a person: ", name);
	struct mrl_store_change *change = mrl_change_new();

	mrl_change_revoke_sessions(change, admin->person, false, true, NULL);
	add_token(change, admin->person, token);
	return admin_submit(admin, change, error);
}

enum mrl_status mrl_admin_backup(struct mrl_admin *admin, const char *path, struct mrl_error *error)
{
	enum mrl_status status = mrl_store_backup(admin->store, path, on_answer, admin);

	if (status != MRL_OK)
		return admin_refuse(error, status, "the store cannot be asked", "");
	mrl_store_wait(admin->store);
	return admin->status == MRL_OK ? MRL_OK : admin_refuse(error, admin->status, admin->message, "");
}
