#include "condition.h"

#include <string.h>

/* A question mark becomes the mark of the database. */
static void add(struct condition *condition, const char *sql)
{
	for (; *sql != '\0' && condition->length + 1 < sizeof(condition->text); sql++)
		condition->text[condition->length++] = *sql == '?' ? condition->mark : *sql;
	condition->text[condition->length] = '\0';
}

struct condition search_condition(const struct task *task, const char *mine, const char *other, char mark)
{
	const struct mrl_store_search *search = &task->search;
	struct condition condition = {.mark = mark};
	bool all = mine[0] == '\0';
	bool white = strcmp(mine, "white") == 0;

	add(&condition, "state = 2");
	if (all || search->viewer != search->person)
		add(&condition, " AND private = 0");
	if (!all) {
		add(&condition, " AND ");
		add(&condition, mine);
		add(&condition, " = ?1");
		/* A game against oneself is found with White. */
		if (!white)
			add(&condition, " AND white IS DISTINCT FROM ?1");
		if (search->opponent != 0) {
			add(&condition, " AND ");
			add(&condition, other);
			add(&condition, " = ?2");
		}
	}
	if (search->rules[0] != '\0')
		add(&condition, " AND rules = ?3");
	if (search->speeds != 0)
		add(&condition, " AND ((CAST(?4 AS INTEGER) >> speed) & 1) = 1");
	if (search->rated)
		add(&condition, " AND rated = 1");
	if (search->from != 0)
		add(&condition, " AND ended >= ?5");
	if (search->until != 0)
		add(&condition, " AND ended < ?6");
	if (search->opening[0] != '\0')
		add(&condition, " AND opening >= ?7 AND opening < ?8");
	switch (search->result) {
	case MRL_STORE_RESULT_ANY:
		break;
	case MRL_STORE_RESULT_WHITE:
		add(&condition, " AND outcome = 1");
		break;
	case MRL_STORE_RESULT_BLACK:
		add(&condition, " AND outcome = 2");
		break;
	case MRL_STORE_RESULT_DRAW:
		add(&condition, " AND outcome = 3");
		break;
	case MRL_STORE_RESULT_WON:
		add(&condition, white ? " AND outcome = 1" : " AND outcome = 2");
		break;
	case MRL_STORE_RESULT_LOST:
		add(&condition, white ? " AND outcome = 2" : " AND outcome = 1");
		break;
	}
	if (task->after.major != 0)
		add(&condition, search->oldest_first ? " AND (ended, id) > (?9, ?10)" : " AND (ended, id) < (?9, ?10)");
	return condition;
}

/* ---- Values ------------------------------------------------------------------------------------------------- */

bool search_make_sense(struct task *task)
{
	struct mrl_store_search *search = &task->search;

	if (search->opponent != 0 && search->person == 0) {
		search->person = search->opponent;
		search->opponent = 0;
	}
	/* Nobody has won or lost where nobody is asked for. */
	return search->person != 0 ||
	       (search->result != MRL_STORE_RESULT_WON && search->result != MRL_STORE_RESULT_LOST);
}

/* The first turns with a space behind each, and what comes behind all texts that begin so: '!' is the next after ' '.
 */
static bool make_prefix(struct task *task, const char **prefix, const char **behind)
{
	size_t length = strlen(task->search.opening);
	char *texts = arena_take(&task->memory, 2 * (length + 2));

	if (texts == NULL)
		return false;
	memcpy(texts, task->search.opening, length);
	texts[length] = ' ';
	memcpy(texts + length + 2, texts, length);
	texts[2 * length + 2] = '!';
	*prefix = texts;
	*behind = texts + length + 2;
	return true;
}

bool search_values(struct task *task, struct bind values[AT_LIMIT])
{
	const struct mrl_store_search *search = &task->search;
	const char *prefix = "";
	const char *behind = "";

	if (!make_prefix(task, &prefix, &behind))
		return false;
	values[AT_PERSON - 1] = INTEGER(search->person);
	values[AT_OPPONENT - 1] = INTEGER(search->opponent);
	values[AT_RULES - 1] = TEXT(search->rules);
	values[AT_SPEEDS - 1] = INTEGER(search->speeds);
	values[AT_FROM - 1] = INTEGER(search->from);
	values[AT_UNTIL - 1] = INTEGER(search->until);
	values[AT_PREFIX - 1] = TEXT(prefix);
	values[AT_BEHIND - 1] = TEXT(behind);
	values[AT_ENDED - 1] = INTEGER(task->after.major);
	values[AT_ID - 1] = INTEGER(task->after.minor);
	values[AT_LIMIT - 1] = INTEGER(task->limit + 1);
	return true;
}
