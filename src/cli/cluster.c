/* A cluster as a whole: its pieces, started and stopped. */
#include "cluster.h"

#include <stdio.h>
#include <string.h>

#include <merels/text.h>
#include <os/clock.h>
#include <os/disk.h>
#include <os/scratch.h>
#include <os/socket.h>

#include "cluster_internal.h"

enum { PATH_SIZE = 256, STEP_NS = 5000000 };

/* How long a piece may take to end, by its kind, in seconds. */
static const double patience[] = {
    [CLUSTER_POSTGRES] = 20, [CLUSTER_BUS] = 5, [CLUSTER_NODE] = 10, [CLUSTER_WORKER] = 10, [CLUSTER_BALANCER] = 5};

/* ---- Making ------------------------------------------------------------------------------------------------- */

static struct cluster_piece *add(struct cluster *cluster, enum cluster_kind kind, const char *name)
{
	struct cluster_piece *piece = &cluster->pieces[cluster->piece_count++];

	*piece = (struct cluster_piece){.kind = (uint8_t)kind};
	(void)snprintf(piece->name, sizeof(piece->name), "%s", name);
	return piece;
}

static void add_some(struct cluster *cluster, enum cluster_kind kind, const char *prefix, unsigned count)
{
	for (unsigned i = 1; i <= count; i++) {
		char name[16];
		struct cluster_piece *piece = NULL;

		(void)snprintf(name, sizeof(name), "%s%u", prefix, i);
		piece = add(cluster, kind, name);
		(void)snprintf(piece->store, sizeof(piece->store),
			       "postgres:host=%s/postgres user=merels dbname=postgres", cluster->folder);
		if (cluster->bus_port != 0)
			(void)snprintf(piece->bus, sizeof(piece->bus), "nats://127.0.0.1:%u", cluster->bus_port);
	}
}

/* Ports that are free now, and stay ours in so far as nobody else asks for just these. All are held until each is
 * known, so that none is had twice. */
static enum mrl_status choose_ports(unsigned *const *ports, size_t count, struct mrl_error *error)
{
	int held[CLUSTER_MOST_PIECES + 1];
	size_t i = 0;
	enum mrl_status status = MRL_OK;

	for (; i < count && status == MRL_OK; i++) {
		char where[MRL_SOCKET_ADDRESS_SIZE];
		char address[MRL_SOCKET_ADDRESS_SIZE];

		(void)snprintf(where, sizeof(where), "127.0.0.1:%u", *ports[i]);
		status = mrl_socket_listen(where, &held[i], address, error);
		if (status == MRL_OK)
			(void)sscanf(address, "127.0.0.1:%u", ports[i]);
		else
			break;
	}
	while (i > 0)
		mrl_socket_close(held[--i]);
	return status;
}

static enum mrl_status make_pieces(struct cluster *cluster, struct mrl_error *error)
{
	const struct cluster_plan *plan = &cluster->plan;
	unsigned *ports[CLUSTER_MOST_PIECES + 1];
	size_t count = 0;

	(void)add(cluster, CLUSTER_POSTGRES, "postgres");
	if (plan->nodes > 1) {
		ports[count++] = &cluster->bus_port;
		ports[count++] = &cluster->bus_http_port;
		enum mrl_status status = choose_ports(ports, count, error);

		if (status != MRL_OK)
			return status;
		add(cluster, CLUSTER_BUS, "bus")->port = cluster->bus_port;
		count = 0;
	}
	add_some(cluster, CLUSTER_NODE, "n", plan->nodes);
	add_some(cluster, CLUSTER_WORKER, "w", plan->workers);
	add(cluster, CLUSTER_BALANCER, "balancer")->port = plan->port;
	for (size_t i = 0; i < cluster->piece_count; i++) {
		struct cluster_piece *piece = &cluster->pieces[i];

		if (piece->kind == CLUSTER_NODE || piece->kind == CLUSTER_BALANCER)
			ports[count++] = &piece->port;
	}
	return choose_ports(ports, count, error);
}

enum mrl_status cluster_make(struct cluster *cluster, const struct cluster_plan *plan, struct mrl_error *error)
{
	*cluster = (struct cluster){.plan = *plan};
	if (mrl_program_is_root())
		cluster->user = mrl_program_user_exists("postgres") ? "postgres" : "nobody";

	enum mrl_status status = cluster_find_programs(cluster, error);

	if (status == MRL_OK)
		status = cluster_take_folder(cluster, error);
	if (status == MRL_OK)
		status = make_pieces(cluster, error);
	if (status == MRL_OK)
		status = cluster_postgres_make(cluster, error);
	if (status == MRL_OK)
		status = cluster_record_write(cluster, error);
	if (status != MRL_OK)
		cluster_free(cluster, false);
	return status;
}

/* ---- Starting ----------------------------------------------------------------------------------------------- */

static enum mrl_status node_arguments(const struct cluster *cluster, const struct cluster_piece *piece,
				      struct cluster_words *words, struct mrl_error *error)
{
	char path[PATH_SIZE];

	(void)snprintf(path, sizeof(path), "%s/%s", cluster->folder, piece->name);
	cluster_word(words, "%s", cluster->plan.program);
	cluster_word(words, "serve");
	cluster_word(words, "--listen");
	cluster_word(words, "127.0.0.1:%u", piece->port);
	cluster_word(words, "--data");
	cluster_word(words, "%s", path);
	cluster_word(words, "--store");
	cluster_word(words, "%s", piece->store);
	cluster_word(words, "--trust-proxy");
	cluster_word(words, "127.0.0.1");
	if (piece->bus[0] != '\0') {
		cluster_word(words, "--bus");
		cluster_word(words, "%s", piece->bus);
		cluster_word(words, "--node");
		cluster_word(words, "%s", piece->name);
	}
	for (size_t i = 0; cluster->plan.more != NULL && cluster->plan.more[i] != NULL; i++)
		cluster_word(words, "%s", cluster->plan.more[i]);
	return mrl_disk_make_folder(path, error);
}

static void bus_arguments(const struct cluster *cluster, struct cluster_words *words)
{
	cluster_word(words, "%s", cluster->paths[CLUSTER_BUS]);
	cluster_word(words, "-a");
	cluster_word(words, "127.0.0.1");
	cluster_word(words, "-p");
	cluster_word(words, "%u", cluster->bus_port);
	cluster_word(words, "-m");
	cluster_word(words, "%u", cluster->bus_http_port);
}

static void balancer_arguments(const struct cluster *cluster, struct cluster_words *words)
{
	cluster_word(words, "%s", cluster->paths[CLUSTER_BALANCER]);
	cluster_word(words, "-p");
	cluster_word(words, "%s/balancer", cluster->folder);
	cluster_word(words, "-c");
	cluster_word(words, "%s/balancer/nginx.conf", cluster->folder);
	cluster_word(words, "-e");
	cluster_word(words, "stderr");
}

static enum mrl_status gather(struct cluster *cluster, struct cluster_piece *piece, struct cluster_words *words,
			      struct mrl_error *error)
{
	switch (piece->kind) {
	case CLUSTER_POSTGRES:
		cluster_postgres_arguments(cluster, words);
		return MRL_OK;
	case CLUSTER_BUS:
		bus_arguments(cluster, words);
		return MRL_OK;
	case CLUSTER_NODE:
		return node_arguments(cluster, piece, words, error);
	case CLUSTER_WORKER:
		cluster_word(words, "%s", cluster->plan.program);
		cluster_word(words, "worker");
		cluster_word(words, "--bus");
		cluster_word(words, "%s", piece->bus);
		return MRL_OK;
	default:
		balancer_arguments(cluster, words);
		return cluster_balancer_make(cluster, piece, error);
	}
}

/* Bytes in a file; 0 when there is none. */
static uint64_t length_of(const char *path)
{
	struct mrl_disk_file *file = NULL;
	uint64_t length = 0;

	if (mrl_disk_open(&file, path, MRL_DISK_READ, NULL) == MRL_OK)
		length = mrl_disk_size(file);
	mrl_disk_close(file);
	return length;
}

enum mrl_status cluster_start(struct cluster *cluster, struct cluster_piece *piece, struct mrl_error *error)
{
	/* What is told to end without us is to end for certain: a node may be paused, and all but PostgreSQL is built
	 * for it; that ends its own processes first. */
	static const enum mrl_signal at_last[] = {[CLUSTER_POSTGRES] = MRL_QUIT,
						  [CLUSTER_BUS] = MRL_KILL,
						  [CLUSTER_NODE] = MRL_KILL,
						  [CLUSTER_WORKER] = MRL_KILL,
						  [CLUSTER_BALANCER] = MRL_KILL};
	struct cluster_words words = {.count = 0};
	char output[PATH_SIZE];
	char folder[PATH_SIZE];
	enum mrl_status status = gather(cluster, piece, &words, error);

	if (status != MRL_OK)
		return status;
	if (words.full) {
		struct mrl_text text = mrl_error_open(error, MRL_SPACE, 0, 0);

		mrl_text_add(&text, "too many arguments for ");
		mrl_text_add(&text, piece->name);
		return MRL_SPACE;
	}
	(void)snprintf(output, sizeof(output), "%s/log/%s", cluster->folder, piece->name);
	(void)snprintf(folder, sizeof(folder), "%s/postgres", cluster->folder);

	const struct mrl_program program = {.arguments = words.words,
					    .folder = piece->kind == CLUSTER_POSTGRES ? folder : cluster->folder,
					    .output = output,
					    .user = piece->kind == CLUSTER_POSTGRES ? cluster->user : NULL,
					    .at_last = at_last[piece->kind]};

	piece->said = length_of(output);
	status = mrl_program_start(&program, &piece->id, error);
	if (status != MRL_OK)
		return status;
	piece->starts++;
	return cluster_record_write(cluster, error);
}

bool cluster_ready(const struct cluster *cluster, const struct cluster_piece *piece)
{
	if (piece->id == 0)
		return false;
	if (piece->kind == CLUSTER_POSTGRES)
		return cluster_postgres_ready(cluster, piece->id);
	return piece->port == 0 || mrl_socket_answers(piece->port);
}

/* ---- Ending ------------------------------------------------------------------------------------------------- */

bool cluster_ended(struct cluster *cluster, struct cluster_piece *piece, char how[32])
{
	if (piece->id == 0 || !mrl_program_ended(piece->id, how))
		return false;
	piece->id = 0;
	/* A record that still has it is not wrong: its process is looked for by number and beginning. */
	(void)!cluster_record_write(cluster, NULL);
	return true;
}

static void ask_to_end(const struct cluster_piece *piece)
{
	/* PostgreSQL's TERM waits until everybody has gone by himself. One that is paused has to go on to hear of it.
	 */
	(void)mrl_program_tell(piece->id, false, piece->kind == CLUSTER_POSTGRES ? MRL_INT : MRL_TERM);
	(void)mrl_program_tell(piece->id, false, MRL_CONT);
}

static void wait_for_end(struct cluster *cluster, struct cluster_piece *piece, uint64_t asked)
{
	char how[32];

	while (piece->id != 0 && !cluster_ended(cluster, piece, how)) {
		double passed = mrl_clock_since(asked);

		if (passed > patience[piece->kind] && piece->kind == CLUSTER_POSTGRES)
			(void)mrl_program_tell(piece->id, false, MRL_QUIT);
		if (passed > patience[piece->kind] + (piece->kind == CLUSTER_POSTGRES ? 10 : 0))
			(void)mrl_program_tell(piece->id, true, MRL_KILL);
		mrl_program_pause(STEP_NS);
	}
}

void cluster_stop_piece(struct cluster *cluster, struct cluster_piece *piece)
{
	if (piece->id == 0)
		return;
	ask_to_end(piece);
	wait_for_end(cluster, piece, mrl_clock_now());
}

void cluster_stop(struct cluster *cluster)
{
	static const enum cluster_kind order[] = {CLUSTER_BALANCER, CLUSTER_WORKER, CLUSTER_NODE, CLUSTER_BUS,
						  CLUSTER_POSTGRES};

	/* All of a kind at once. */
	for (size_t k = 0; k < sizeof(order) / sizeof(order[0]); k++) {
		struct cluster_piece *piece = NULL;
		uint64_t asked = mrl_clock_now();

		for (size_t i = 0; (piece = cluster_nth(cluster, order[k], i)) != NULL; i++) {
			if (piece->id != 0)
				ask_to_end(piece);
		}
		for (size_t i = 0; (piece = cluster_nth(cluster, order[k], i)) != NULL; i++)
			wait_for_end(cluster, piece, asked);
	}
}

void cluster_free(struct cluster *cluster, bool keep)
{
	char path[PATH_SIZE];

	cluster_stop(cluster);
	/* The record is of what runs; a folder of which nothing was taken is not ours to change. */
	if (cluster->lock != NULL && cluster->piece_count > 0) {
		(void)snprintf(path, sizeof(path), "%s/pieces", cluster->folder);
		(void)mrl_disk_remove(path, NULL);
	}
	mrl_disk_close(cluster->lock);
	cluster->lock = NULL;
	if (cluster->made && !keep)
		(void)mrl_scratch_remove(cluster->folder);
}

/* ---- Asked from outside ------------------------------------------------------------------------------------- */

struct cluster_piece *cluster_find(struct cluster *cluster, const char *name)
{
	for (size_t i = 0; i < cluster->piece_count; i++) {
		if (strcmp(cluster->pieces[i].name, name) == 0)
			return &cluster->pieces[i];
	}
	return NULL;
}

struct cluster_piece *cluster_nth(struct cluster *cluster, enum cluster_kind kind, size_t n)
{
	for (size_t i = 0; i < cluster->piece_count; i++) {
		if (cluster->pieces[i].kind == kind && n-- == 0)
			return &cluster->pieces[i];
	}
	return NULL;
}

void cluster_place(const struct cluster *cluster, const struct cluster_piece *piece, char place[CLUSTER_PLACE_SIZE])
{
	switch (piece->kind) {
	case CLUSTER_POSTGRES:
		(void)snprintf(place, CLUSTER_PLACE_SIZE, "postgres:host=%s/postgres user=merels dbname=postgres",
			       cluster->folder);
		return;
	case CLUSTER_BUS:
		(void)snprintf(place, CLUSTER_PLACE_SIZE, "nats://127.0.0.1:%u", piece->port);
		return;
	case CLUSTER_WORKER:
		(void)snprintf(place, CLUSTER_PLACE_SIZE, "-");
		return;
	default:
		(void)snprintf(place, CLUSTER_PLACE_SIZE, "http://127.0.0.1:%u", piece->port);
	}
}

void cluster_last_words(const struct cluster *cluster, const struct cluster_piece *piece, char *words, size_t size)
{
	char path[PATH_SIZE];
	struct mrl_disk_file *file = NULL;

	words[0] = '\0';
	(void)snprintf(path, sizeof(path), "%s/log/%s", cluster->folder, piece->name);
	if (mrl_disk_open(&file, path, MRL_DISK_READ, NULL) != MRL_OK)
		return;

	uint64_t length = mrl_disk_size(file);
	uint64_t since = length > piece->said ? length - piece->said : 0;
	size_t wanted = since < size - 1 ? (size_t)since : size - 1;

	if (mrl_disk_read(file, length - wanted, words, wanted, NULL) == MRL_OK) {
		words[wanted] = '\0';

		const char *line = wanted < since ? strchr(words, '\n') : NULL;

		if (line != NULL && line[1] != '\0')
			memmove(words, line + 1, strlen(line + 1) + 1);
	} else {
		words[0] = '\0';
	}
	mrl_disk_close(file);
}
