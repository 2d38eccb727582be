/* What is written and read of the small things: seeks, reports, mutes, settings, counts. */
#include "sqlite.h"

static void put_seek(struct sqlite *db, const struct mrl_store_seek *seek)
{
	static const char sql[] = "INSERT OR REPLACE INTO seeks(id, person, t, wall, text) VALUES(?, ?, ?, ?, ?)";

	sqlite_run(
	    db, sql,
	    WITH(INTEGER(seek->id), INTEGER(seek->person), INTEGER(seek->t), INTEGER(seek->wall), TEXT(seek->text)));
}

static void add_report(struct sqlite *db, const struct mrl_store_report *report)
{
	static const char sql[] =
	    "INSERT INTO reports(id, reporter, reported, game, event, text, note, wall, closed, verdict) "
	    "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

	sqlite_run(db, sql,
		   WITH(INTEGER(report->id), INTEGER(report->reporter), INTEGER(report->reported),
			INTEGER(report->game), INTEGER(report->event), TEXT(report->text), TEXT(report->note),
			INTEGER(report->wall), INTEGER(report->closed), TEXT(report->verdict)));
}

static void close_report(struct sqlite *db, const struct op *op)
{
	static const char sql[] = "UPDATE reports SET closed = ?, verdict = ? WHERE id = ? AND closed = 0";

	if (sqlite_run(db, sql, WITH(INTEGER(op->wall), TEXT(op->text), INTEGER(op->id))) == 0)
		sqlite_refuse(db, MRL_MISSING, "there is no open report of this id");
}

static void set_setting(struct sqlite *db, const struct op *op)
{
	static const char put[] = "INSERT INTO settings(person, key, value) VALUES(?, ?, ?) "
				  "ON CONFLICT(person, key) DO UPDATE SET value = excluded.value";
	static const char drop[] = "DELETE FROM settings WHERE person = ? AND key = ?";

	if (op->value == NULL)
		sqlite_run(db, drop, WITH(INTEGER(op->id), TEXT(op->text)));
	else
		sqlite_run(db, put, WITH(INTEGER(op->id), TEXT(op->text), TEXT(op->value)));
}

void sqlite_write_small(struct sqlite *db, const struct op *op)
{
	static const char remove_seek[] = "DELETE FROM seeks WHERE id = ?";
	static const char remove_seeks[] = "DELETE FROM seeks";
	static const char mute[] = "INSERT INTO mutes(person, muted, wall) VALUES(?, ?, ?) ON CONFLICT DO NOTHING";
	static const char unmute[] = "DELETE FROM mutes WHERE person = ? AND muted = ?";
	static const char count[] = "INSERT INTO counts(day, what, count) VALUES(?, ?, ?) "
				    "ON CONFLICT(day, what) DO UPDATE SET count = count + excluded.count";

	switch (op->kind) {
	case OP_PUT_SEEK:
		put_seek(db, &op->of.seek);
		break;
	case OP_REMOVE_SEEK:
		sqlite_run(db, remove_seek, WITH(INTEGER(op->id)));
		break;
	case OP_REMOVE_SEEKS:
		sqlite_run(db, remove_seeks, WITHOUT);
		break;
	case OP_ADD_REPORT:
		add_report(db, &op->of.report);
		break;
	case OP_CLOSE_REPORT:
		close_report(db, op);
		break;
	case OP_MUTE:
		sqlite_run(db, mute, WITH(INTEGER(op->id), INTEGER(op->other), INTEGER(op->wall)));
		break;
	case OP_UNMUTE:
		sqlite_run(db, unmute, WITH(INTEGER(op->id), INTEGER(op->other)));
		break;
	case OP_SET_SETTING:
		set_setting(db, op);
		break;
	default: /* OP_COUNT_DAY */
		sqlite_run(db, count, WITH(INTEGER(op->day), TEXT(op->text), INTEGER(op->wall)));
	}
}
