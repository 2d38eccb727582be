/* Several servers of one club: what is written and read of nodes, and of whose a game is. */
#include <merels/store_node.h>
#include <os/clock.h>
#include <os/socket.h>

#include "postgres.h"

/* How long a node waits for one of its name that was killed to count as gone, beyond its lease. */
enum { LEASE_MORE_MS = 1000, LOOK_MS = 200 };

static const char append_owned[] = "SELECT merels_append_owned($1, $2, $3, $4, $5, $6, $7)";
static const char own_new[] = "INSERT INTO owners(game, node, fence, shift) VALUES($1, $2, 1, 0)";
static const char beat[] = "SELECT merels_beat($1, $2, $3, $4, $5)";
static const char list_nodes[] =
    "SELECT n.id, n.name, (n.until > clock_timestamp())::int, n.draining, n.t, n.note, "
    "(extract(epoch FROM clock_timestamp()) * 1000)::bigint FROM nodes n "
    "WHERE n.until > clock_timestamp() OR EXISTS(SELECT FROM owners o WHERE o.node = n.id) ORDER BY n.id";
static const char take[] = "SELECT * FROM merels_take($1, $2, $3)";
static const char adopt[] = "SELECT * FROM merels_adopt($1, $2, $3, $4)";
static const char release[] = "SELECT merels_release($1, $2, $3, $4)";
static const char leave[] = "SELECT merels_leave($1, $2)";

const char *const postgres_node_statements[] = {append_owned, own_new, beat,  list_nodes, take,
						adopt,        release, leave, NULL};

/* ---- Entering ----------------------------------------------------------------------------------------------- */

static void enter_as_node(struct postgres *db)
{
	static const char sql[] = "SELECT merels_enter($1, $2, $3)";
	uint64_t until = mrl_clock_now() + (uint64_t)(db->lease_ms + LEASE_MORE_MS) * POSTGRES_MS;

	for (;;) {
		/* Only the first connection waits: one that comes back is known already. */
		PGresult *result =
		    postgres_run_once(db, sql, WITH(INTEGER(db->node), TEXT(db->name), INTEGER(db->lease_ms)));

		for (struct postgres_row row = postgres_rows(db, result); postgres_next(&row);)
			db->club = postgres_integer(&row, 0);
		postgres_free(db, result);
		if (!db->failed || db->wrong.status != MRL_CONFLICT || db->club != 0 || mrl_clock_now() >= until)
			break;
		postgres_clear(db);
		(void)mrl_socket_wait(-1, false, false, mrl_clock_now() + LOOK_MS * POSTGRES_MS);
	}
	if (db->failed && db->wrong.status == MRL_CONFLICT) {
		postgres_clear(db);
		postgres_refuse(db, MRL_BUSY, "another node of this name is running: give each a name of its own");
	}
}

void postgres_enter(struct postgres *db)
{
	static const char left[] = "SELECT count(*) FROM owners o JOIN games g ON g.id = o.game WHERE g.state < 2";
	static const char clean[] = "WITH gone AS (DELETE FROM nodes) DELETE FROM owners";

	if (db->use == POSTGRES_NODE) {
		enter_as_node(db);
		return;
	}
	/* The T of such a game is not that of one server alone: its clocks would jump. */
	if (postgres_number(db, left, WITHOUT, 0) > 0)
		postgres_refuse(db, MRL_UNSUPPORTED,
				"games of this database are being played on nodes: start the server with --bus, or "
				"let them end first");
	postgres_do(db, clean);
}

/* ---- Writing ------------------------------------------------------------------------------------------------ */

static unsigned send_owned(struct postgres *db, const struct op *op)
{
	const struct mrl_store_event *event = &op->of.event;

	return postgres_send(db, append_owned,
			     WITH(INTEGER(op->id), INTEGER(event->number), INTEGER(event->t), INTEGER(event->wall),
				  TEXT(event->text), INTEGER(db->node), INTEGER(event->fence)));
}

unsigned postgres_send_node(struct postgres *db, const struct op *op)
{
	/* Who is alone owns all. */
	if (db->node == 0)
		return 0;
	switch (op->kind) {
	case OP_APPEND:
		return send_owned(db, op);
	case OP_ADD_GAME:
		return postgres_send(db, own_new, WITH(INTEGER(op->of.game.id), INTEGER(db->node)));
	case OP_BEAT:
		return (unsigned)postgres_send(db, beat,
					       WITH(INTEGER(db->node), INTEGER(db->lease_ms), INTEGER(op->wall),
						    INTEGER(op->drains), TEXT(op->text))) +
		       (unsigned)postgres_send(db, list_nodes, WITHOUT);
	case OP_TAKE:
		return postgres_send(db, take, WITH(INTEGER(op->id), INTEGER(db->node), INTEGER(op->wall)));
	case OP_ADOPT:
		return postgres_send(db, adopt,
				     WITH(INTEGER(op->id), INTEGER(db->node), INTEGER(op->wall), INTEGER(op->day)));
	case OP_RELEASE:
		return postgres_send(db, release,
				     WITH(INTEGER(op->id), INTEGER(db->node), INTEGER(op->other), INTEGER(op->wall)));
	default: /* OP_LEAVE */
		return postgres_send(db, leave, WITH(INTEGER(db->node), INTEGER(op->wall)));
	}
}

static struct mrl_store_owner *add_owner(struct postgres *db, struct task *task, const struct postgres_row *row)
{
	struct mrl_store_owner *owner = postgres_add_row(db, &task->rows, sizeof(*owner));

	if (owner == NULL)
		return NULL;
	owner->game = POSTGRES_ID(row, 0);
	owner->node = POSTGRES_ID(row, 1);
	owner->fence = POSTGRES_ID(row, 2);
	owner->t = POSTGRES_ID(row, 3);
	owner->alive = postgres_integer(row, 4) != 0;
	owner->name = postgres_text(row, task, 5);
	task->answer.owners = task->rows.data;
	task->answer.owner_count = task->rows.count;
	return owner;
}

static void add_node(struct postgres *db, struct task *task, const struct postgres_row *row)
{
	struct mrl_store_node *node = postgres_add_row(db, &task->extra, sizeof(*node));

	if (node == NULL)
		return;
	node->id = POSTGRES_ID(row, 0);
	node->name = postgres_text(row, task, 1);
	node->alive = postgres_integer(row, 2) != 0;
	node->draining = postgres_integer(row, 3) != 0;
	node->t = POSTGRES_ID(row, 4);
	node->note = postgres_text(row, task, 5);
	node->wall = postgres_integer(row, 6);
	task->answer.nodes = task->extra.data;
	task->answer.node_count = task->extra.count;
}

void postgres_take_node(struct postgres *db, struct task *task, const struct op *op, PGresult *result)
{
	struct postgres_row row = postgres_rows(db, result);

	if (op->kind == OP_TAKE || op->kind == OP_ADOPT) {
		while (postgres_next(&row))
			(void)add_owner(db, task, &row);
	} else if (op->kind == OP_BEAT && db->lib.columns(result) > 1) {
		while (postgres_next(&row))
			add_node(db, task, &row);
	}
}

/* ---- Reading ------------------------------------------------------------------------------------------------ */

void postgres_read_owners(struct postgres *db, struct task *task)
{
	static const char sql[] =
	    "SELECT a.g, coalesce(o.node, 0), coalesce(o.fence, 0), coalesce(n.t, 0) + coalesce(o.shift, 0), "
	    "coalesce(n.until > clock_timestamp(), false)::int, coalesce(n.name, ''), coalesce(l.number, 0), "
	    "(coalesce(p.state, 0) >= 2)::int "
	    "FROM unnest($1::text::bigint[]) AS a(g) LEFT JOIN owners o ON o.game = a.g "
	    "LEFT JOIN nodes n ON n.id = o.node LEFT JOIN games p ON p.id = a.g LEFT JOIN LATERAL "
	    "(SELECT e.number FROM events e WHERE e.game = a.g ORDER BY e.number DESC LIMIT 1) l ON true "
	    "WHERE o.game IS NOT NULL OR l.number IS NOT NULL";
	PGresult *found = postgres_run(db, sql, WITH(TEXT(task->text)));

	for (struct postgres_row row = postgres_rows(db, found); postgres_next(&row);) {
		struct mrl_store_owner *owner = add_owner(db, task, &row);

		if (owner == NULL)
			break;
		owner->number = (uint32_t)postgres_integer(&row, 6);
		owner->over = postgres_integer(&row, 7) != 0;
	}
	postgres_free(db, found);
}
