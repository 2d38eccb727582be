#include "passwords.h"

#include <stdlib.h>
#include <string.h>

#include <uv.h>

#include "server_internal.h"

enum { AT_A_TIME = 2, MOST_WAITING = 64, FREE_FAILURES = 4, LONGEST_MS = 15 * 60 * 1000 };

struct mrl__password_job {
	uv_work_t work;
	struct mrl__password_job *next;
	struct mrl__server *server;
	bool checks;
	bool good;
	char password[MRL__PASSWORD_MOST + 1];
	char hash[MRL__PASSWORD_HASH_SIZE];
	mrl__password_done *done;
	void *user;
};

static void work(uv_work_t *work)
{
	struct mrl__password_job *job = work->data;

	job->good =
	    job->checks ? mrl__password_check(job->password, job->hash) : mrl__password_hash(job->password, job->hash);
}

static void start_next(struct mrl__server *server);

static void after_work(uv_work_t *work, int status)
{
	struct mrl__password_job *job = work->data;
	struct mrl__server *server = job->server;

	server->passwords.running--;
	memset(job->password, 0, sizeof(job->password));
	job->done(job->user, job->good && status == 0, job->hash);
	free(job);
	start_next(server);
}

static void start_next(struct mrl__server *server)
{
	struct mrl__passwords *passwords = &server->passwords;

	while (passwords->first != NULL && passwords->running < AT_A_TIME) {
		struct mrl__password_job *job = passwords->first;

		passwords->first = job->next;
		passwords->waiting--;
		passwords->running++;
		(void)uv_queue_work(&server->loop, &job->work, work, after_work);
	}
}

static bool add(struct mrl__server *server, const char *password, const char *hash, mrl__password_done *done,
		void *user)
{
	struct mrl__passwords *passwords = &server->passwords;
	struct mrl__password_job *job = NULL;

	if (passwords->waiting >= MOST_WAITING || strlen(password) > MRL__PASSWORD_MOST ||
	    (hash != NULL && strlen(hash) >= MRL__PASSWORD_HASH_SIZE) || (job = calloc(1, sizeof(*job))) == NULL)
		return false;
	job->work.data = job;
	job->server = server;
	job->checks = hash != NULL;
	job->done = done;
	job->user = user;
	memcpy(job->password, password, strlen(password) + 1);
	if (hash != NULL)
		memcpy(job->hash, hash, strlen(hash) + 1);
	if (passwords->first == NULL)
		passwords->first = job;
	else
		passwords->last->next = job;
	passwords->last = job;
	passwords->waiting++;
	start_next(server);
	return true;
}

bool mrl__passwords_hash(struct mrl__server *server, const char *password, mrl__password_done *done, void *user)
{
	return add(server, password, NULL, done, user);
}

bool mrl__passwords_check(struct mrl__server *server, const char *password, const char *hash, mrl__password_done *done,
			  void *user)
{
	return add(server, password, hash, done, user);
}

/* ---- Slowing down ------------------------------------------------------------------------------------------- */

uint64_t mrl__slow_down(unsigned failures)
{
	if (failures <= FREE_FAILURES)
		return 0;
	unsigned doublings = failures - FREE_FAILURES - 1;
	uint64_t wait = doublings < 12 ? UINT64_C(1000) << doublings : LONGEST_MS;

	return wait < LONGEST_MS ? wait : LONGEST_MS;
}

static uint64_t hash_name(const char *name)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (; *name != '\0'; name++) {
		char c = *name >= 'A' && *name <= 'Z' ? (char)(*name - 'A' + 'a') : *name;

		hash = (hash ^ (unsigned char)c) * UINT64_C(0x100000001b3);
	}
	return hash == 0 ? 1 : hash;
}

/* A small table in which names that share a place push each other out: that costs an attacker a name each time. */
static size_t place_of(uint64_t name)
{
	return (name ^ name >> 32) % MRL__PASSWORD_NAMES;
}

unsigned mrl__passwords_wait(const struct mrl__server *server, const char *name)
{
	uint64_t hash = hash_name(name);
	const struct mrl__failures *failures = &server->passwords.failures[place_of(hash)];
	uint64_t now = mrl__now_ms();

	if (failures->name != hash || failures->try_again <= now)
		return 0;
	return (unsigned)((failures->try_again - now + 999) / 1000);
}

void mrl__passwords_tried(struct mrl__server *server, const char *name, bool good)
{
	uint64_t hash = hash_name(name);
	struct mrl__failures *failures = &server->passwords.failures[place_of(hash)];

	if (failures->name != hash && good)
		return;
	if (failures->name != hash || good)
		*failures = (struct mrl__failures){.name = hash};
	if (good)
		return;
	failures->count++;
	failures->try_again = mrl__now_ms() + mrl__slow_down(failures->count);
}
