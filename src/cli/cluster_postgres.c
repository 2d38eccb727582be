/* PostgreSQL: the database made, the server's arguments, whether it is there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <merels/text.h>
#include <os/clock.h>
#include <os/disk.h>
#include <os/file.h>

#include "cluster_internal.h"

enum { PATH_SIZE = 256, MAKING_S = 120, STEP_NS = 5000000, WORDS_SIZE = 300 };

static void say_data(const struct cluster *cluster, char path[PATH_SIZE])
{
	(void)snprintf(path, PATH_SIZE, "%s/postgres/data", cluster->folder);
}

static enum mrl_status refuse(const struct cluster *cluster, const char *how, struct mrl_error *error)
{
	const struct cluster_piece piece = {.name = "postgres"};
	struct mrl_text text = mrl_error_open(error, MRL_SYSTEM, 0, 0);
	char words[WORDS_SIZE];

	cluster_last_words(cluster, &piece, words, sizeof(words));
	mrl_text_add(&text, "initdb could not make the database: ");
	mrl_text_add(&text, how);
	mrl_text_add(&text, ": ");
	mrl_text_add(&text, words);
	if (cluster->user != NULL) {
		mrl_text_add(&text, " (PostgreSQL does not run as root; it runs as ");
		mrl_text_add(&text, cluster->user);
		mrl_text_add(&text, ", who must be able to reach the folder)");
	}
	return MRL_SYSTEM;
}

enum mrl_status cluster_postgres_make(struct cluster *cluster, struct mrl_error *error)
{
	struct cluster_words words = {.count = 0};
	char path[PATH_SIZE];
	char above[PATH_SIZE];
	char output[PATH_SIZE];
	char how[32] = "it took too long";
	long id = 0;

	say_data(cluster, path);
	(void)snprintf(above, sizeof(above), "%s/postgres", cluster->folder);
	(void)snprintf(output, sizeof(output), "%s/log/postgres", cluster->folder);
	cluster_word(&words, "%s/PG_VERSION", path);
	if (mrl_disk_exists(words.text))
		return MRL_OK;
	words = (struct cluster_words){.count = 0};
	cluster_word(&words, "%s", cluster->initdb);
	cluster_word(&words, "--pgdata=%s", path);
	/* Nobody but this user gets to the socket, so nobody has to be asked for a password. */
	cluster_word(&words, "--username=merels");
	cluster_word(&words, "--auth=trust");
	cluster_word(&words, "--no-sync");
	cluster_word(&words, "--encoding=UTF8");
	cluster_word(&words, "--locale=C");

	const struct mrl_program program = {
	    .arguments = words.words, .folder = above, .output = output, .user = cluster->user, .at_last = MRL_KILL};
	enum mrl_status status = mrl_program_start(&program, &id, error);

	if (status != MRL_OK)
		return status;

	uint64_t begun = mrl_clock_now();

	while (!mrl_program_ended(id, how)) {
		if (mrl_clock_since(begun) > MAKING_S) {
			(void)mrl_program_tell(id, true, MRL_KILL);
			return refuse(cluster, "it took too long", error);
		}
		mrl_program_pause(STEP_NS);
	}
	return strcmp(how, "exit code 0") == 0 ? MRL_OK : refuse(cluster, how, error);
}

void cluster_postgres_arguments(const struct cluster *cluster, struct cluster_words *words)
{
	/* Each node has some connections, each worker none; a few more for whoever looks. */
	unsigned connections = 20 + 10 * cluster->plan.nodes;

	cluster_word(words, "%s", cluster->paths[CLUSTER_POSTGRES]);
	cluster_word(words, "-D");
	cluster_word(words, "%s/postgres/data", cluster->folder);
	cluster_word(words, "-k");
	cluster_word(words, "%s/postgres", cluster->folder);
	cluster_word(words, "-h");
	cluster_word(words, "%s", "");
	cluster_word(words, "-c");
	cluster_word(words, "max_connections=%u", connections);
	cluster_word(words, "-c");
	cluster_word(words, "shared_buffers=64MB");
	cluster_word(words, "-c");
	cluster_word(words, "timezone=UTC");
	if (cluster->plan.statistics) {
		cluster_word(words, "-c");
		cluster_word(words, "shared_preload_libraries=pg_stat_statements");
		cluster_word(words, "-c");
		cluster_word(words, "pg_stat_statements.track=all");
	}
}

/* The server writes into a file what it has come to: line 1 is its process, line 8 its state. */
bool cluster_postgres_ready(const struct cluster *cluster, long id)
{
	enum { STATE_LINE = 8, MOST = 4096 };
	char path[PATH_SIZE];
	char *text = NULL;
	size_t length = 0;
	bool ready = false;

	(void)snprintf(path, sizeof(path), "%s/postgres/data/postmaster.pid", cluster->folder);
	if (mrl_file_read(path, MOST, &text, &length, NULL) != MRL_OK)
		return false;
	if (strtol(text, NULL, 10) == id) {
		const char *at = text;

		for (int line = 1; line < STATE_LINE && at != NULL; line++) {
			at = strchr(at, '\n');
			at = at != NULL ? at + 1 : NULL;
		}
		ready = at != NULL && strncmp(at, "ready", 5) == 0;
	}
	free(text);
	return ready;
}
