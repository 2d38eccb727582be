#include "record_equal.h"

#include <string.h>

static bool same_string(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool same_comments(const struct mrl_record_comment *a, const struct mrl_record_comment *b)
{
	for (; a != NULL && b != NULL; a = a->next, b = b->next)
		if (strcmp(a->text, b->text) != 0)
			return false;
	return a == b;
}

static bool same_nags(const struct mrl_record_nag *a, const struct mrl_record_nag *b)
{
	for (; a != NULL && b != NULL; a = a->next, b = b->next)
		if (a->number != b->number)
			return false;
	return a == b;
}

/* Tags of the fixed order may have changed their place, others not. */
static bool same_tags(const struct mrl_record *a, const struct mrl_record *b)
{
	static const char *const fixed[] = {"Event", "Site",  "Date",        "Round",
					    "White", "Black", "TimeControl", "Termination"};
	const struct mrl_record_tag *s = a->tags;
	const struct mrl_record_tag *t = b->tags;

	for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
		if (!same_string(mrl_record_tag(a, fixed[i]), mrl_record_tag(b, fixed[i])))
			return false;
	for (;;) {
		for (size_t i = 0; s != NULL && i < sizeof fixed / sizeof fixed[0]; i++) {
			if (strcmp(s->name, fixed[i]) == 0) {
				s = s->next;
				i = (size_t)-1;
			}
		}
		for (size_t i = 0; t != NULL && i < sizeof fixed / sizeof fixed[0]; i++) {
			if (strcmp(t->name, fixed[i]) == 0) {
				t = t->next;
				i = (size_t)-1;
			}
		}
		if (s == NULL || t == NULL)
			return s == t;
		if (strcmp(s->name, t->name) != 0 || strcmp(s->value, t->value) != 0)
			return false;
		s = s->next;
		t = t->next;
	}
}

static const char *turn_difference(const struct mrl_record_turn *a, const struct mrl_record_turn *b)
{
	if (!mrl_turn_equal(&a->turn, &b->turn))
		return "a turn";
	if (a->ply != b->ply)
		return "the ply of a turn";
	if (!same_comments(a->before, b->before))
		return "the comments before a turn";
	if (!same_comments(a->after, b->after))
		return "the comments after a turn";
	if (!same_nags(a->nags, b->nags))
		return "the annotation marks";
	if (a->clock != b->clock)
		return "the clock";
	if (!same_string(a->evaluation, b->evaluation))
		return "the evaluation";
	if ((a->next == NULL) != (b->next == NULL) || (a->previous == NULL) != (b->previous == NULL))
		return "the length of a line";
	if ((a->variations == NULL) != (b->variations == NULL) || (a->line->next == NULL) != (b->line->next == NULL))
		return "the number of variations";
	return NULL;
}

/* Both trees are walked in step; that they have the same shape is checked at every turn. */
static const struct mrl_record_turn *walk(const struct mrl_record_turn *turn)
{
	const struct mrl_record_line *line = turn->variations;

	while (line == NULL && turn->next == NULL && turn->line->replaces != NULL) {
		line = turn->line->next;
		turn = turn->line->replaces;
	}
	return line != NULL ? line->first : turn->next;
}

const char *record_difference(const struct mrl_record *a, const struct mrl_record *b)
{
	const struct mrl_record_turn *s = a->line.first;
	const struct mrl_record_turn *t = b->line.first;

	if (!mrl_rules_equal(a->rules, b->rules))
		return "the rule set";
	if (!mrl_position_same(&a->start, &b->start) || a->start.no_mill != b->start.no_mill ||
	    a->start.three_men != b->start.three_men || a->set_up != b->set_up)
		return "the start";
	if (a->outcome != b->outcome || a->reason != b->reason)
		return "the result";
	if (a->verdict.outcome != b->verdict.outcome || a->verdict.reason != b->verdict.reason ||
	    a->count != b->count || !mrl_position_same(&a->final, &b->final))
		return "the end";
	if (!same_tags(a, b))
		return "the tags";
	if (!same_comments(a->comments, b->comments))
		return "the comments of the record";
	for (; s != NULL && t != NULL; s = walk(s), t = walk(t)) {
		const char *difference = turn_difference(s, t);

		if (difference != NULL)
			return difference;
	}
	return s == t ? NULL : "the number of turns";
}
