/* Builds all tables of a rule set: group after group, and what a build before has left is not done again. */
#include <merels/table.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <merels/text.h>
#include <os/disk.h>
#include <os/folder.h>
#include <os/thread.h>

#include "bytes.h"
#include "crew.h"
#include "endings.h"
#include "few.h"
#include "pack.h"
#include "sectorfile.h"
#include "solve.h"

#define GROUPS ((MRL_MAX_MEN + 1) * (MRL_MAX_MEN + 2) / 2)

static const char no_memory[] = "there is not enough memory to build the tables";

struct build {
	struct solve solve;
	struct plan plan;
	const struct mrl_table_build *options;
	struct mrl_table_progress progress;
	struct mrl_monitor *watching; /* one thread at a time tells how far it is */
	bool missing[GROUPS];         /* some file of the group is not there */
	bool needed[GROUPS];          /* its journal is, for its own files or for another group */
};

static enum mrl_status refuse(struct mrl_error *error, enum mrl_status status, const char *what)
{
	struct mrl_text text = mrl_error_open(error, status, 0, 0);

	mrl_text_add(&text, what);
	return status;
}

static uint64_t sector_positions(const struct build *build, struct sector sector)
{
	const struct sets *sets = build->solve.sets;
	uint64_t all =
	    (uint64_t)sets->choose[sets->points][sector.enemy] * sets->choose[sets->points - sector.enemy][sector.own];

	return all / sets->board->symmetry_count;
}

/* Layers of a group: one or two. */
static unsigned group_layers(const struct plan *plan, unsigned group, const struct plan_layer *layers[2])
{
	unsigned less = plan->groups[group].hand[0];
	unsigned more = plan->groups[group].hand[1];
	unsigned count = 0;

	if (plan->layers[less][more].used)
		layers[count++] = &plan->layers[less][more];
	if (less != more && plan->layers[more][less].used)
		layers[count++] = &plan->layers[more][less];
	return count;
}

static uint64_t layer_positions(const struct build *build, const struct plan_layer *layer)
{
	uint64_t positions = 0;

	for (unsigned enemy = 0; enemy <= SETS_MAX_POINTS; enemy++)
		for (uint32_t owns = layer->owns[enemy]; owns != 0; owns &= owns - 1)
			positions += sector_positions(build, (struct sector){(uint8_t)mrl_lowest(owns), (uint8_t)enemy,
									     layer->own_hand, layer->enemy_hand});
	return positions;
}

static enum mrl_status layer_missing(const struct build *build, const struct plan_layer *layer, bool *missing,
				     struct mrl_error *error)
{
	enum mrl_status status = MRL_OK;

	*missing = false;
	for (unsigned enemy = 0; enemy <= SETS_MAX_POINTS; enemy++)
		for (uint32_t owns = layer->owns[enemy]; owns != 0 && !*missing && status == MRL_OK; owns &= owns - 1)
			status = pack_missing(&build->solve,
					      (struct sector){(uint8_t)mrl_lowest(owns), (uint8_t)enemy,
							      layer->own_hand, layer->enemy_hand},
					      build->options->folder, missing, error);
	return status;
}

/* ---- Journals ----------------------------------------------------------------------------------------------- */

static char *journal_path(const struct build *build, const struct plan_layer *layer)
{
	size_t size = strlen(build->options->folder) + 40;
	char *path = malloc(size);

	if (path != NULL)
		(void)snprintf(path, size, "%s/%u-%u.journal", build->options->folder, layer->own_hand,
			       layer->enemy_hand);
	return path;
}

/* A journal belongs to a layer of a rule set, a metric (values alone are journals of another kind), and endings. */
static uint64_t journal_key(const struct build *build, const struct plan_layer *layer)
{
	char key[MRL_RULES_NAME_SIZE + 5] = {0};

	sectorfile_key(build->solve.rules, build->plan.endings, key);
	key[MRL_RULES_NAME_SIZE] = (char)layer->own_hand;
	key[MRL_RULES_NAME_SIZE + 1] = (char)layer->enemy_hand;
	key[MRL_RULES_NAME_SIZE + 2] = build->solve.distance ? 1 : 0;
	key[MRL_RULES_NAME_SIZE + 3] = (char)build->options->endings.men;
	key[MRL_RULES_NAME_SIZE + 4] = (char)build->options->endings.against;
	return bytes_checksum((const uint8_t *)key, sizeof(key));
}

static enum mrl_status open_journal(struct build *build, const struct plan_layer *layer, struct mrl_error *error)
{
	struct journal **journal = &build->solve.journals[layer->own_hand][layer->enemy_hand];
	enum mrl_status status;
	char *path;

	if (*journal != NULL)
		return MRL_OK;
	path = journal_path(build, layer);
	if (path == NULL)
		return refuse(error, MRL_SYSTEM, no_memory);
	status = journal_open(journal, path, journal_key(build, layer), error);
	free(path);
	return status;
}

static void drop_journal(struct build *build, const struct plan_layer *layer)
{
	struct journal **journal = &build->solve.journals[layer->own_hand][layer->enemy_hand];
	char *path = journal_path(build, layer);

	journal_close(*journal);
	*journal = NULL;
	if (path != NULL)
		(void)mrl_disk_remove(path, NULL);
	free(path);
}

static bool journal_is_there(const struct build *build, const struct plan_layer *layer)
{
	char *path = journal_path(build, layer);
	bool there = path != NULL && mrl_disk_exists(path);

	free(path);
	return there;
}

/* Whether turns lead from a layer of group `from` to a layer of the earlier group `to`. */
static bool leads_to(const struct plan *plan, unsigned from, unsigned to)
{
	const struct plan_layer *layers[2];
	unsigned count = group_layers(plan, from, layers);

	for (unsigned i = 0; i < count; i++) {
		unsigned enemy = layers[i]->enemy_hand;
		unsigned own = layers[i]->own_hand;
		const unsigned char *hand = plan->groups[to].hand;

		if (layers[i]->places &&
		    ((hand[0] == enemy && hand[1] == own - 1) || (hand[1] == enemy && hand[0] == own - 1)))
			return true;
	}
	return false;
}

static bool group_solved(const struct build *build, unsigned group)
{
	const struct plan_layer *layers[2];
	unsigned count = group_layers(&build->plan, group, layers);
	bool solved = true;

	for (unsigned i = 0; i < count; i++) {
		const struct journal *journal = build->solve.journals[layers[i]->own_hand][layers[i]->enemy_hand];

		solved = solved && journal != NULL && journal_finished(journal);
	}
	return solved;
}

/* Finds out what there is to do: from the last group to the first, what its files or a later group need. */
static enum mrl_status find_needs(struct build *build, struct mrl_error *error)
{
	const struct plan *plan = &build->plan;
	enum mrl_status status = MRL_OK;

	for (unsigned group = plan->group_count; group-- > 0 && status == MRL_OK;) {
		const struct plan_layer *layers[2];
		unsigned count = group_layers(plan, group, layers);

		for (unsigned i = 0; i < count && !build->missing[group] && status == MRL_OK; i++)
			status = layer_missing(build, layers[i], &build->missing[group], error);
		build->needed[group] = build->missing[group];
		for (unsigned later = group + 1; later < plan->group_count; later++)
			if (build->needed[later] && !group_solved(build, later) && leads_to(plan, later, group))
				build->needed[group] = true;
		for (unsigned i = 0; i < count && build->needed[group] && status == MRL_OK; i++)
			if (journal_is_there(build, layers[i]))
				status = open_journal(build, layers[i], error);
	}
	return status;
}

/* Removes the journals that no group from `next` on reads. */
static void drop_journals(struct build *build, unsigned next)
{
	for (unsigned group = 0; group < next; group++) {
		const struct plan_layer *layers[2];
		unsigned count = group_layers(&build->plan, group, layers);
		bool wanted = false;

		for (unsigned later = next; later < build->plan.group_count; later++)
			wanted = wanted || (build->needed[later] && !group_solved(build, later) &&
					    leads_to(&build->plan, later, group));
		for (unsigned i = 0; i < count && !wanted; i++)
			drop_journal(build, layers[i]);
	}
}

/* ---- Progress ----------------------------------------------------------------------------------------------- */

static bool watch(void *context, const struct plan_layer *layer, unsigned depth, uint64_t decided)
{
	struct build *build = context;
	struct mrl_table_progress progress = build->progress;
	bool stop;

	if (build->options->watch == NULL)
		return false;
	progress.own_hand = layer->own_hand;
	progress.enemy_hand = layer->enemy_hand;
	progress.writing = depth == UINT32_MAX;
	progress.depth = depth;
	progress.decided = decided;
	mrl_monitor_enter(build->watching);
	stop = build->options->watch(build->options->context, &progress);
	mrl_monitor_leave(build->watching);
	return stop;
}

/* ---- The whole ---------------------------------------------------------------------------------------------- */

static enum mrl_status check_memory(struct build *build, struct mrl_error *error)
{
	for (unsigned group = 0; group < build->plan.group_count; group++) {
		uint64_t bytes = solve_memory(&build->solve, group);

		if (!build->needed[group] || bytes <= build->solve.memory)
			continue;
		struct mrl_text text = mrl_error_open(error, MRL_SPACE, 0, 0);

		mrl_text_add(&text, "building these tables takes ");
		mrl_text_number(&text, (bytes >> 20) + 1);
		mrl_text_add(&text, " MB of memory, and ");
		mrl_text_number(&text, build->solve.memory >> 20);
		mrl_text_add(&text, " MB may be used");
		return MRL_SPACE;
	}
	return MRL_OK;
}

static enum mrl_status build_group(struct build *build, unsigned group, struct mrl_error *error)
{
	const struct plan_layer *layers[2];
	unsigned count = group_layers(&build->plan, group, layers);
	enum mrl_status status = MRL_OK;

	build->progress.positions = 0;
	for (unsigned i = 0; i < count; i++)
		build->progress.positions += layer_positions(build, layers[i]);
	if (build->needed[group]) {
		for (unsigned i = 0; i < count && status == MRL_OK; i++)
			status = open_journal(build, layers[i], error);
		if (status == MRL_OK && !group_solved(build, group))
			status = solve_group(&build->solve, group, error);
		for (unsigned i = 0; i < count && build->missing[group] && status == MRL_OK; i++)
			status = pack_layer(&build->solve, layers[i], build->options->folder, error);
	}
	build->progress.finished += build->progress.positions;
	return status;
}

static enum mrl_status build_locked(struct build *build, struct mrl_error *error)
{
	enum mrl_status status = find_needs(build, error);

	if (status == MRL_OK)
		status = check_memory(build, error);
	for (unsigned group = 0; group < build->plan.group_count && status == MRL_OK; group++) {
		status = build_group(build, group, error);
		if (status == MRL_OK)
			drop_journals(build, group + 1);
	}
	return status;
}

/* A folder holds one kind of endings, which can only grow; what makes no sense there is written anew. */
static enum mrl_status check_endings(const struct build *build, struct mrl_error *error)
{
	struct mrl_endings wanted = build->options->endings;
	struct mrl_endings there;
	enum mrl_status status = endings_read(build->options->folder, build->solve.rules, &there, error);

	if (status == MRL_NAME)
		return status;
	if (there.men <= wanted.men && there.against <= wanted.against)
		return MRL_OK;
	struct mrl_text text = mrl_error_open(error, MRL_NAME, 0, 0);

	mrl_text_add(&text, build->options->folder);
	mrl_text_add(&text, ": holds the endings of ");
	mrl_text_number(&text, there.men);
	mrl_text_add(&text, " men against ");
	mrl_text_number(&text, there.against);
	mrl_text_add(&text, ", which cannot become fewer; build these in a folder of their own");
	return MRL_NAME;
}

static enum mrl_status build_endings(struct build *build, struct mrl_error *error)
{
	const struct mrl_table_build *options = build->options;
	enum mrl_status status = check_endings(build, error);

	if (status == MRL_OK)
		status = build_locked(build, error);
	if (status == MRL_OK)
		status = endings_write(options->folder, build->solve.rules, options->endings, options->hasty, error);
	return status;
}

static enum mrl_status remove_file(void *user, const char *path, const char *name, struct mrl_error *error)
{
	(void)user;
	(void)name;
	return mrl_disk_remove(path, error);
}

/* Two builds in one folder would write over each other. */
static enum mrl_status build_all(struct build *build, struct mrl_error *error)
{
	enum mrl_status status = mrl_disk_make_folder(build->options->folder, error);
	size_t size = strlen(build->options->folder) + 8;
	char *path = malloc(size);
	struct mrl_disk_file *lock = NULL;

	if (path == NULL)
		return refuse(error, MRL_SYSTEM, no_memory);
	(void)snprintf(path, size, "%s/.build", build->options->folder);
	if (status == MRL_OK)
		status = mrl_disk_open(&lock, path, MRL_DISK_UPDATE, error);
	if (status == MRL_OK)
		status = mrl_disk_lock(lock, "another build is at work in this folder", error);
	if (status == MRL_OK && build->options->anew)
		status = mrl_folder_walk(build->options->folder, remove_file, NULL, error);
	if (status == MRL_OK) {
		status = build->plan.endings ? build_endings(build, error) : build_locked(build, error);
		/* Who waits for the lock of a file that is gone finds all done; else two could go on at once. */
		if (status == MRL_OK)
			(void)mrl_disk_remove(path, NULL);
	}
	mrl_disk_close(lock);
	free(path);
	return status;
}

static void build_free(struct build *build)
{
	struct sets *sets = (struct sets *)(uintptr_t)build->solve.sets;

	for (unsigned own = 0; own <= MRL_MAX_MEN; own++)
		for (unsigned enemy = 0; enemy <= MRL_MAX_MEN; enemy++)
			journal_close(build->solve.journals[own][enemy]);
	few_free((struct few *)(uintptr_t)build->solve.few);
	sets_free(sets);
	mrl_monitor_free(build->watching);
	free(build);
}

static struct build *build_new(const struct mrl_rules *rules, const struct mrl_table_build *options,
			       struct mrl_error *error)
{
	struct build *build = calloc(1, sizeof(*build));
	struct sets *sets = NULL;
	struct few *few = NULL;
	struct sector sector;
	enum mrl_status status;

	if (build == NULL) {
		(void)refuse(error, MRL_SYSTEM, no_memory);
		return NULL;
	}
	build->options = options;
	if (options->endings.men != 0)
		plan_init_endings(&build->plan, rules, options->endings.men, options->endings.against);
	else
		plan_init(&build->plan, rules);
	build->watching = mrl_monitor_new();
	status = build->watching != NULL ? sets_new(&sets, &rules->board, build->plan.largest, error)
					 : refuse(error, MRL_SYSTEM, no_memory);
	if (status == MRL_OK && build->plan.endings) {
		few = few_new(sets, &build->plan.layers[0][0]);
		status = few != NULL ? MRL_OK : refuse(error, MRL_SYSTEM, no_memory);
	}
	build->solve = (struct solve){.rules = rules,
				      .sets = sets,
				      .plan = &build->plan,
				      .few = few,
				      .distance = options->metric == MRL_TABLE_DISTANCE,
				      .half = options->half,
				      .hasty = options->hasty,
				      .threads = options->threads,
				      .memory = options->memory,
				      .watch = watch,
				      .context = build};
	if (status != MRL_OK) {
		build_free(build);
		return NULL;
	}
	if (build->solve.memory == 0)
		build->solve.memory = mrl_memory_installed() / 4 * 3;
	for (uint32_t i = 0; plan_sector(&build->plan, i, &sector); i++)
		build->progress.total += sector_positions(build, sector);
	return build;
}

/* Whether there are such tables. */
static enum mrl_status check(const struct mrl_rules *rules, struct mrl_endings endings, struct mrl_error *error)
{
	if (rules->board.point_count > SETS_MAX_POINTS)
		return refuse(error, MRL_UNSUPPORTED, "there are no tables for boards of more than 24 points");
	return endings.men == 0 && endings.against == 0 ? MRL_OK : endings_check(rules, endings, error);
}

enum mrl_status mrl_table_build(const struct mrl_rules *rules, const struct mrl_table_build *asked,
				struct mrl_error *error)
{
	enum mrl_status status = check(rules, asked->endings, error);
	struct mrl_table_build options = *asked;
	struct build *build;

	if (status != MRL_OK)
		return status;
	if (options.threads < 1 || options.threads > CREW_MOST)
		return refuse(error, MRL_RANGE, "the number of threads must be from 1 to 256");
	options.endings = endings_order(options.endings);
	build = build_new(rules, &options, error);
	if (build == NULL)
		return MRL_SYSTEM;
	status = build_all(build, error);
	build_free(build);
	return status;
}

enum mrl_status mrl_table_estimate(const struct mrl_rules *rules, struct mrl_endings endings, unsigned threads,
				   uint64_t *memory, uint64_t *positions, struct mrl_error *error)
{
	struct mrl_table_build options = {.folder = "", .endings = endings_order(endings), .threads = threads};
	enum mrl_status status = check(rules, endings, error);
	struct build *build;

	if (status != MRL_OK)
		return status;
	build = build_new(rules, &options, error);
	if (build == NULL)
		return MRL_SYSTEM;
	*memory = 0;
	*positions = build->progress.total;
	for (unsigned group = 0; group < build->plan.group_count; group++) {
		uint64_t bytes = solve_memory(&build->solve, group);

		*memory = bytes > *memory ? bytes : *memory;
	}
	build_free(build);
	return MRL_OK;
}
