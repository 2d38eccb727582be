#include <merels/shelf.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <merels/table.h>
#include <merels/text.h>
#include <os/folder.h>
#include <os/log.h>

/* Bytes of unpacked blocks that are kept of each. */
#define CACHE ((size_t)64 << 20)

static void open_one(struct mrl_shelf *shelf, const char *folder, const char *name, const struct mrl_log *log)
{
	char path[2048];
	int length = snprintf(path, sizeof(path), "%s/%s", folder, name);
	struct mrl_rules *rules = NULL;
	struct mrl_tables *tables = NULL;
	struct mrl_error error;

	if (length < 0 || (size_t)length >= sizeof(path) || !mrl_folder_exists(path) ||
	    (rules = malloc(sizeof(*rules))) == NULL)
		return;
	enum mrl_status status = mrl_rules_parse(rules, name, strlen(name), &error);

	if (status == MRL_OK)
		status = mrl_tables_open(&tables, path, rules, CACHE, &error);
	if (status == MRL_OK && mrl_tables_endings(tables).men > 0) {
		struct mrl_text text = mrl_error_open(&error, status = MRL_MISSING, 0, 0);

		mrl_text_add(&text, "there are but endings, and the perfect computer plays whole games");
		mrl_tables_close(tables);
	}
	if (status != MRL_OK) {
		mrl_log(log, MRL_LOG_WARNING, "tables of %s: %s", name, error.message);
		free(rules);
		return;
	}
	mrl_log(log, MRL_LOG_INFO, "exact tables of %s", name);
	shelf->tables[shelf->count].name = name;
	shelf->tables[shelf->count].rules = rules;
	shelf->tables[shelf->count].tables = tables;
	shelf->count++;
}

void mrl_shelf_open(struct mrl_shelf *shelf, const char *folder, const struct mrl_log *log)
{
	for (size_t i = 0; mrl_preset(i) != NULL && shelf->count < MRL_SHELF_MOST; i++)
		open_one(shelf, folder, mrl_preset(i)->name, log);
	if (shelf->count == 0)
		mrl_log(log, MRL_LOG_WARNING, "there are no tables in %s; each rule set has a folder of its name there",
			folder);
}

void mrl_shelf_close(struct mrl_shelf *shelf)
{
	for (size_t i = 0; i < shelf->count; i++) {
		mrl_tables_close(shelf->tables[i].tables);
		free(shelf->tables[i].rules);
	}
	shelf->count = 0;
}

struct mrl_tables *mrl_shelf_ask(const struct mrl_shelf *shelf, const char *rules, const struct mrl_rules **own)
{
	for (size_t i = 0; i < shelf->count; i++) {
		if (strcmp(shelf->tables[i].name, rules) != 0)
			continue;
		*own = shelf->tables[i].rules;
		return shelf->tables[i].tables;
	}
	return NULL;
}

struct mrl_tables *mrl_shelf_find(const struct mrl_shelf *shelf, const char *rules)
{
	const struct mrl_rules *own = NULL;

	return mrl_shelf_ask(shelf, rules, &own);
}

bool mrl_shelf_probe(void *context, const struct mrl_rules *rules, const struct mrl_position *position,
		     struct mrl_exact *exact)
{
	struct mrl_table_value value;

	(void)rules;
	if (mrl_tables_probe(context, position, &value, NULL) != MRL_OK)
		return false;
	exact->value = value.result == MRL_TABLE_WIN ? 1 : value.result == MRL_TABLE_LOSS ? -1 : 0;
	exact->distance = value.plies == MRL_TABLE_NO_PLIES ? -1 : (int)value.plies;
	return true;
}
