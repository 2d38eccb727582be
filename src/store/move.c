#include "move.h"

#include <stdlib.h>
#include <string.h>

#include <merels/text.h>
#include <os/disk.h>

#include "alive.h"
#include "store_internal.h"

enum { SQL_BYTES = 1024, TABLES_MOST = 16 };

const struct move_table move_tables[] = {
    {"people", "id, kind, name, name_key, password, email, created, seen, banned_until, ban_reason, kept",
     "iittttiiiti"},
    {"sessions", "hash, person, kind, label, created, seen, expires", "biitiii"},
    {"settings", "person, key, value", "itt"},
    {"mutes", "person, muted, wall", "iii"},
    {"games",
     "id, state, rules, owner, rated, private, speed, base_ms, increment_ms, days, white_kind, white, white_level, "
     "white_rating, white_deviation, white_change, black_kind, black, black_level, black_rating, black_deviation, "
     "black_change, created, started, ended, outcome, reason, plies, opening",
     "iitiiiiiiiiiirrriiirrriiiitit"},
    {"events", "game, number, t, wall, text", "iiiit"},
    {"ratings", "person, rules, speed, rating, deviation, volatility, games, wins, losses, draws, best, changed, game",
     "itirrriiiirii"},
    {"rating_points", "person, rules, speed, number, wall, game, rating, deviation", "itiiiirr"},
    {"seeks", "id, person, t, wall, text", "iiiit"},
    {"reports", "id, reporter, reported, game, event, text, note, wall, closed, verdict", "iiiiittiit"},
    {"counts", "day, what, count", "iti"},
    {NULL, NULL, NULL},
};

/* ---- Sums --------------------------------------------------------------------------------------------------- */

/* Rows, and the sum of a hash of each: the same whatever their order. */
struct sum {
	uint64_t rows;
	uint64_t hashes;
};

static uint64_t add_byte(uint64_t hash, unsigned char byte)
{
	return (hash ^ byte) * UINT64_C(0x100000001b3);
}

static uint64_t add_number(uint64_t hash, uint64_t number)
{
	for (unsigned i = 0; i < 8; i++)
		hash = add_byte(hash, (unsigned char)(number >> (8 * i)));
	return hash;
}

static uint64_t add_value(uint64_t hash, const struct bind *value)
{
	uint64_t bits = (uint64_t)value->integer;
	size_t length = 0;

	hash = add_byte(hash, (unsigned char)value->kind);
	if (value->kind == BIND_REAL)
		memcpy(&bits, &value->real, sizeof(bits));
	if (value->kind == BIND_INTEGER || value->kind == BIND_REAL)
		return add_number(hash, bits);
	if (value->kind == BIND_TEXT)
		length = strlen(value->text);
	if (value->kind == BIND_BYTES)
		length = MRL_STORE_HASH_BYTES;
	hash = add_number(hash, length);
	for (size_t i = 0; i < length; i++)
		hash = add_byte(hash, (unsigned char)value->text[i]);
	return hash;
}

/* FNV-1a of the row, its bits mixed once more so that sums do not cancel out. */
static void add_row(struct sum *sum, const struct bind *values, size_t count)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < count; i++)
		hash = add_value(hash, &values[i]);
	hash = (hash ^ hash >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	hash = (hash ^ hash >> 27) * UINT64_C(0x94d049bb133111eb);
	sum->rows++;
	sum->hashes += hash ^ hash >> 31;
}

/* ---- One table ---------------------------------------------------------------------------------------------- */

struct move {
	struct move_end from;
	struct move_end to;
	struct backend *reads;
	struct backend *writes;
	const atomic_bool *stop;
	struct mrl_error *error;
	/* Statements are known by their address, so they live as long as the connections. */
	char select[TABLES_MOST][SQL_BYTES];
	char insert[TABLES_MOST][SQL_BYTES];
	size_t at;
	size_t columns;
	struct sum sum;
};

static enum mrl_status refuse(struct mrl_error *error, enum mrl_status status, const char *table, const char *sentence)
{
	struct mrl_text text = mrl_error_open(error, status, 0, 0);

	mrl_text_add(&text, table);
	mrl_text_add(&text, sentence);
	return status;
}

/* Says of which table an error is. */
static enum mrl_status name_table(struct mrl_error *error, enum mrl_status status, const char *table)
{
	if (error == NULL)
		return status;
	const struct mrl_error inner = *error;

	struct mrl_text text = mrl_error_open(error, status, 0, 0);

	mrl_text_add(&text, table);
	mrl_text_add(&text, ": ");
	mrl_text_add(&text, inner.message);
	return status;
}

static void write_sql(struct move *move, size_t at)
{
	const struct move_table *table = &move_tables[at];
	struct mrl_text select = mrl_text_in(move->select[at], SQL_BYTES);
	struct mrl_text insert = mrl_text_in(move->insert[at], SQL_BYTES);

	mrl_text_add(&select, "SELECT ");
	mrl_text_add(&select, table->columns);
	mrl_text_add(&select, " FROM ");
	mrl_text_add(&select, table->name);
	mrl_text_add(&insert, "INSERT INTO ");
	mrl_text_add(&insert, table->name);
	mrl_text_add(&insert, "(");
	mrl_text_add(&insert, table->columns);
	mrl_text_add(&insert, ") VALUES(");
	for (size_t i = 0; table->kinds[i] != '\0'; i++) {
		mrl_text_add(&insert, i == 0 ? "" : ", ");
		mrl_text_char(&insert, move->to.kind->mark);
		mrl_text_number(&insert, i + 1);
	}
	mrl_text_add(&insert, ")");
}

static bool must_stop(const struct move *move)
{
	return move->stop != NULL && atomic_load_explicit(move->stop, memory_order_relaxed);
}

static enum mrl_status copy_row(void *user, const struct bind *values)
{
	struct move *move = user;

	if (must_stop(move))
		return refuse(move->error, MRL_STOPPED, "", "the store is being closed");
	add_row(&move->sum, values, move->columns);
	return move->to.kind->add(move->writes, move->insert[move->at], values, move->columns, move->error);
}

static enum mrl_status sum_row(void *user, const struct bind *values)
{
	struct move *move = user;

	if (must_stop(move))
		return refuse(move->error, MRL_STOPPED, "", "the store is being closed");
	add_row(&move->sum, values, move->columns);
	return MRL_OK;
}

static enum mrl_status move_table(struct move *move, struct mrl_store_moved *moved)
{
	const struct move_table *table = &move_tables[move->at];

	move->columns = strlen(table->kinds);
	move->sum = (struct sum){0};
	enum mrl_status status =
	    move->to.kind->scan(move->writes, move->select[move->at], table->kinds, sum_row, move, move->error);

	if (status == MRL_OK && move->sum.rows > 0)
		return refuse(move->error, MRL_CONFLICT, table->name,
			      ": there is something in this table already; a club is moved to an empty database");
	if (status == MRL_OK)
		status = move->from.kind->scan(move->reads, move->select[move->at], table->kinds, copy_row, move,
					       move->error);
	const struct sum read = move->sum;

	move->sum = (struct sum){0};
	if (status == MRL_OK)
		status =
		    move->to.kind->scan(move->writes, move->select[move->at], table->kinds, sum_row, move, move->error);
	if (status == MRL_OK && (read.rows != move->sum.rows || read.hashes != move->sum.hashes))
		return refuse(move->error, MRL_SYSTEM, table->name,
			      ": what was written is not what was read; nothing has been moved");
	*moved = (struct mrl_store_moved){.table = table->name, .rows = read.rows, .checksum = read.hashes};
	return status == MRL_OK ? MRL_OK : name_table(move->error, status, table->name);
}

/* ---- All of them -------------------------------------------------------------------------------------------- */

enum mrl_status move_club(struct move_end from, struct move_end to, enum backend_move how, const atomic_bool *stop,
			  mrl_store_tell *tell, void *user, struct mrl_error *error)
{
	struct move *move = calloc(1, sizeof(*move));
	struct mrl_store_moved moved[TABLES_MOST];

	if (move == NULL)
		return refuse(error, MRL_SPACE, "", "there is not enough memory to move a club");
	*move = (struct move){.from = from, .to = to, .stop = stop, .error = error};
	enum mrl_status status = from.kind->open_move(&move->reads, from.place, how, error);

	if (status == MRL_OK)
		status = to.kind->open_move(&move->writes, to.place, MOVE_TO, error);
	for (; status == MRL_OK && move_tables[move->at].name != NULL; move->at++) {
		write_sql(move, move->at);
		status = move_table(move, &moved[move->at]);
	}
	if (status == MRL_OK)
		status = to.kind->commit_move(move->writes, error);
	for (size_t i = 0; status == MRL_OK && tell != NULL && i < move->at; i++)
		tell(user, &moved[i]);
	if (move->reads != NULL)
		from.kind->close(move->reads);
	if (move->writes != NULL)
		to.kind->close(move->writes);
	free(move);
	return status;
}

/* What keeps servers away from a database that is a file: they know each other by the alive file. */
struct file_lock {
	struct alive *alive;
	char *path;
	bool made; /* there was no such file before */
};

static enum mrl_status lock_file(const struct move_end *end, struct file_lock *lock, struct mrl_error *error)
{
	static const char suffix[] = "-alive";
	size_t length = strlen(end->place);

	if (!end->kind->is_file)
		return MRL_OK;
	lock->path = malloc(length + sizeof(suffix));
	if (lock->path == NULL)
		return refuse(error, MRL_SPACE, "", "there is not enough memory to move a club");
	memcpy(lock->path, end->place, length);
	memcpy(lock->path + length, suffix, sizeof(suffix));
	lock->made = !mrl_disk_exists(lock->path);
	return alive_open(&lock->alive, lock->path, error);
}

/* A move that failed leaves no alive file that was not there before. */
static void unlock_file(struct file_lock *lock, bool moved)
{
	if (!moved && lock->made && lock->alive != NULL)
		(void)mrl_disk_remove(lock->path, NULL);
	alive_close(lock->alive);
	free(lock->path);
}

static bool same_place(const struct move_end ends[2])
{
	return ends[0].kind == ends[1].kind && (strcmp(ends[0].place, ends[1].place) == 0 ||
						(ends[0].kind->is_file && mrl_disk_same(ends[0].place, ends[1].place)));
}

enum mrl_status mrl_store_move(const char *from, const char *to, mrl_store_tell *tell, void *user,
			       struct mrl_error *error)
{
	struct move_end ends[2] = {{.place = from}, {.place = to}};
	struct file_lock locks[2] = {0};
	enum mrl_status status = MRL_OK;

	for (unsigned i = 0; i < 2; i++) {
		ends[i].kind = store_read_place(&ends[i].place);
		status = store_check_place(ends[i].kind, ends[i].place, error);
		if (status != MRL_OK)
			return status;
	}
	if (same_place(ends))
		return refuse(error, MRL_CONFLICT, "", "a club cannot be moved to where it is");
	if (ends[0].kind->is_file && !mrl_disk_exists(ends[0].place))
		return refuse(error, MRL_MISSING, ends[0].place, ": there is no such database");
	for (unsigned i = 0; i < 2 && status == MRL_OK; i++)
		status = lock_file(&ends[i], &locks[i], error);
	for (unsigned i = 0; i < 2 && status == MRL_OK; i++)
		status = ends[i].kind->migrate(ends[i].place, error);
	if (status == MRL_OK)
		status = move_club(ends[0], ends[1], MOVE_FROM, NULL, tell, user, error);
	unlock_file(&locks[0], status == MRL_OK);
	unlock_file(&locks[1], status == MRL_OK);
	return status;
}
