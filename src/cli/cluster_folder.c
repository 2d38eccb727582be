/* The folder of a cluster: taken, and the record of what runs in it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <merels/text.h>
#include <os/disk.h>
#include <os/file.h>
#include <os/process.h>
#include <os/scratch.h>

#include "cluster_internal.h"

enum { PATH_SIZE = 256, RECORD_SIZE = 4096 };

static enum mrl_status refuse(struct mrl_error *error, const char *folder, const char *why)
{
	struct mrl_text text = mrl_error_open(error, MRL_NAME, 0, 0);

	mrl_text_add(&text, folder);
	mrl_text_add(&text, ": ");
	mrl_text_add(&text, why);
	return MRL_NAME;
}

/* Names stand in settings of other programs, which have ways of their own to quote: only plain ones are taken. */
static bool is_plain(const char *path)
{
	return strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._+-") == strlen(path);
}

static enum mrl_status refuse_leftovers(const char *folder, struct mrl_error *error)
{
	struct cluster_line lines[CLUSTER_MOST_PIECES + 1];
	size_t count = cluster_record_read(folder, lines);
	struct mrl_text text = mrl_error_open(error, MRL_NAME, 0, 0);
	bool any = false;

	mrl_text_add(&text, folder);
	mrl_text_add(&text, ": of a cluster that was killed there still run");
	for (size_t i = 0; i < count; i++) {
		char what[64];

		if (!lines[i].runs)
			continue;
		(void)snprintf(what, sizeof(what), "%s %.15s (process %ld)", any ? "," : "", lines[i].name,
			       lines[i].id);
		mrl_text_add(&text, what);
		any = true;
	}
	mrl_text_add(&text, "; `merels cluster stop --folder ");
	mrl_text_add(&text, folder);
	mrl_text_add(&text, "` ends them");
	return any ? MRL_NAME : MRL_OK;
}

static enum mrl_status make_below(const struct cluster *cluster, const char *name, struct mrl_error *error)
{
	char path[PATH_SIZE];

	(void)snprintf(path, sizeof(path), "%s/%s", cluster->folder, name);
	return mrl_disk_make_folder(path, error);
}

static enum mrl_status fill(struct cluster *cluster, struct mrl_error *error)
{
	static const char *const names[] = {"log", "balancer", "postgres"};
	char path[PATH_SIZE];
	enum mrl_status status = MRL_OK;

	(void)snprintf(path, sizeof(path), "%s/lock", cluster->folder);
	status = mrl_disk_open(&cluster->lock, path, MRL_DISK_UPDATE, error);
	if (status == MRL_OK)
		status = mrl_disk_lock(cluster->lock, "a cluster runs in this folder already", error);
	if (status == MRL_BUSY)
		return refuse(error, cluster->folder,
			      "a cluster runs in this folder already; `merels cluster status` shows it");
	if (status == MRL_OK)
		status = refuse_leftovers(cluster->folder, error);
	for (size_t i = 0; status == MRL_OK && i < sizeof(names) / sizeof(names[0]); i++)
		status = make_below(cluster, names[i], error);
	if (status == MRL_OK && cluster->user != NULL) {
		(void)snprintf(path, sizeof(path), "%s/postgres", cluster->folder);
		status = mrl_program_give(cluster->folder, path, cluster->user, error);
	}
	return status;
}

enum mrl_status cluster_take_folder(struct cluster *cluster, struct mrl_error *error)
{
	const char *wanted = cluster->plan.folder;
	enum mrl_status status = MRL_OK;

	mrl_process_keep_private();
	if (wanted == NULL)
		status = mrl_scratch_make("merels-cluster", cluster->folder, sizeof(cluster->folder), error);
	else
		status = mrl_disk_make_folder(wanted, error);
	if (status == MRL_OK && wanted != NULL)
		status = mrl_scratch_whole(wanted, cluster->folder, sizeof(cluster->folder), error);
	if (status != MRL_OK)
		return status;
	cluster->made = wanted == NULL;
	if (!is_plain(cluster->folder))
		return refuse(error, cluster->folder, "only letters, digits and ._+- may be in the path of the folder");
	return fill(cluster, error);
}

/* ---- The record --------------------------------------------------------------------------------------------- */

const char *cluster_kind_text(enum cluster_kind kind)
{
	static const char *const texts[] = {"postgres", "bus", "node", "worker", "balancer"};

	return texts[kind];
}

enum mrl_status cluster_record_write(const struct cluster *cluster, struct mrl_error *error)
{
	char text[RECORD_SIZE];
	char path[PATH_SIZE];
	char fresh[PATH_SIZE];
	struct mrl_disk_file *file = NULL;
	long self = mrl_process_self();
	size_t length =
	    (size_t)snprintf(text, sizeof(text), "cluster up %ld %" PRIu64 " 0\n", self, mrl_process_began(self));

	for (size_t i = 0; i < cluster->piece_count; i++) {
		const struct cluster_piece *piece = &cluster->pieces[i];

		if (piece->id != 0)
			length += (size_t)snprintf(text + length, sizeof(text) - length, "%s %s %ld %" PRIu64 " %u\n",
						   piece->name, cluster_kind_text(piece->kind), piece->id,
						   mrl_process_began(piece->id), piece->port);
	}
	(void)snprintf(path, sizeof(path), "%s/pieces", cluster->folder);
	(void)snprintf(fresh, sizeof(fresh), "%s/pieces.new", cluster->folder);

	enum mrl_status status = mrl_disk_open(&file, fresh, MRL_DISK_CREATE, error);

	if (status == MRL_OK)
		status = mrl_disk_write(file, 0, text, length, error);
	mrl_disk_close(file);
	return status == MRL_OK ? mrl_disk_rename(fresh, path, false, error) : status;
}

size_t cluster_record_read(const char *folder, struct cluster_line lines[CLUSTER_MOST_PIECES + 1])
{
	char path[PATH_SIZE];
	char *text = NULL;
	size_t length = 0;
	size_t count = 0;

	(void)snprintf(path, sizeof(path), "%.200s/pieces", folder);
	if (mrl_file_read(path, RECORD_SIZE, &text, &length, NULL) != MRL_OK)
		return 0;
	for (const char *at = text; *at != '\0' && count <= CLUSTER_MOST_PIECES;) {
		struct cluster_line *line = &lines[count];
		unsigned long long began = 0;
		size_t end = strcspn(at, "\n");

		if (sscanf(at, "%15s %15s %ld %llu %u", line->name, line->kind, &line->id, &began, &line->port) == 5 &&
		    line->id > 1) {
			line->began = began;
			line->runs = began != 0 && mrl_process_began(line->id) == began;
			count++;
		}
		at += end + (at[end] == '\n' ? 1 : 0);
	}
	free(text);
	return count;
}
