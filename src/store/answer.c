#include "answer.h"

/* ---- Lists with one row more -------------------------------------------------------------------------------- */

static bool drop_one_more(struct task *task)
{
	if (task->rows.count <= task->limit)
		return false;
	task->rows.count = task->limit;
	return true;
}

static void turn_round(struct mrl_store_rating_point *points, size_t count)
{
	for (size_t i = 0; i < count / 2; i++) {
		const struct mrl_store_rating_point kept = points[i];

		points[i] = points[count - 1 - i];
		points[count - 1 - i] = kept;
	}
}

void answer_points(struct task *task)
{
	task->answer.more = drop_one_more(task);
	if (task->flag)
		turn_round(task->rows.data, task->rows.count);
	task->answer.points = task->rows.data;
	task->answer.point_count = task->rows.count;
}

void answer_leaders(struct task *task)
{
	const struct mrl_store_rating *ratings = task->rows.data;

	task->answer.more = drop_one_more(task);
	if (task->answer.more) {
		const struct mrl_store_rating *last = &ratings[task->limit - 1];

		task->answer.next = (struct mrl_store_key){.major = 1, .minor = last->person, .rating = last->rating};
	}
}

void answer_reports(struct task *task)
{
	task->answer.more = drop_one_more(task);
	task->answer.reports = task->rows.data;
	task->answer.report_count = task->rows.count;
	if (task->answer.more) {
		const struct mrl_store_report *last = &task->answer.reports[task->limit - 1];

		task->answer.next = (struct mrl_store_key){.major = last->wall, .minor = last->id};
	}
}

void answer_deleted(struct task *task, bool more)
{
	const struct mrl_store_person *people = task->rows.data;

	task->answer.more = more;
	if (more)
		task->answer.next = (struct mrl_store_key){.major = 1, .minor = people[task->limit - 1].id};
}

/* ---- Games -------------------------------------------------------------------------------------------------- */

static const struct mrl_store_game *last_game(const struct task *task)
{
	return (const struct mrl_store_game *)task->rows.data + (task->rows.count - 1);
}

void answer_games(struct task *task, bool more)
{
	task->answer.more = more;
	if (more)
		task->answer.next =
		    (struct mrl_store_key){.major = last_game(task)->ended, .minor = last_game(task)->id};
}

/* The key has the state, and whether it has an id. */
int64_t answer_unfinished_state(const struct task *task)
{
	return task->after.major >> 1;
}

int64_t answer_unfinished_after(const struct task *task)
{
	return (task->after.major & 1) != 0 ? (int64_t)task->after.minor : INT64_MIN;
}

void answer_unfinished(struct task *task, bool more)
{
	int64_t state = answer_unfinished_state(task);

	task->answer.more = more;
	if (more) {
		task->answer.next = (struct mrl_store_key){.major = state * 2 + 1, .minor = last_game(task)->id};
	} else if (state == MRL_STORE_OPEN) {
		task->answer.more = true;
		task->answer.next = (struct mrl_store_key){.major = MRL_STORE_PLAYING * 2};
	}
}

void answer_score(struct task *task, int64_t outcome, uint64_t count, bool white)
{
	struct mrl_store_score *score = &task->answer.score;

	switch (outcome) {
	case MRL_STORE_WHITE_WINS:
		*(white ? &score->wins : &score->losses) += count;
		break;
	case MRL_STORE_BLACK_WINS:
		*(white ? &score->losses : &score->wins) += count;
		break;
	case MRL_STORE_DRAW:
		score->draws += count;
		break;
	default:
		break;
	}
}
