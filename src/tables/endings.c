#include "endings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <merels/text.h>
#include <os/disk.h>
#include <os/file.h>

#include "plan.h"
#include "sectorfile.h"

enum { LEAST_MEN = 3, MOST_BYTES = 512 };

static const char title[] = "merels endings 1";

/* ---- Which there are ---------------------------------------------------------------------------------------- */

struct mrl_endings endings_order(struct mrl_endings endings)
{
	if (endings.men >= endings.against)
		return endings;
	return (struct mrl_endings){endings.against, endings.men};
}

static enum mrl_status no_such(const struct mrl_rules *rules, struct mrl_endings endings, const char *why,
			       struct mrl_error *error)
{
	struct mrl_text text = mrl_error_open(error, MRL_RANGE, 0, 0);
	char name[MRL_RULES_NAME_SIZE];

	mrl_rules_write(rules, name);
	mrl_text_add(&text, "endings of ");
	mrl_text_number(&text, endings.men);
	mrl_text_add(&text, " men against ");
	mrl_text_number(&text, endings.against);
	mrl_text_add(&text, " do not occur in ");
	mrl_text_add(&text, name);
	mrl_text_add(&text, why);
	return MRL_RANGE;
}

enum mrl_status endings_check(const struct mrl_rules *rules, struct mrl_endings endings, struct mrl_error *error)
{
	struct sector sector;
	struct plan *plan;
	bool occurs;

	endings = endings_order(endings);
	if (endings.against < LEAST_MEN)
		return no_such(rules, endings, ": with fewer than three men a game is over", error);
	if (endings.men > rules->men)
		return no_such(rules, endings, ": a side does not have so many men", error);
	sector = (struct sector){(uint8_t)endings.men, (uint8_t)endings.against, 0, 0};
	plan = malloc(sizeof(*plan));
	if (plan == NULL) {
		struct mrl_text text = mrl_error_open(error, MRL_SYSTEM, 0, 0);

		mrl_text_add(&text, "there is not enough memory to look for the endings");
		return MRL_SYSTEM;
	}
	plan_init(plan, rules);
	occurs = plan_has(plan, sector);
	free(plan);
	return occurs ? MRL_OK : no_such(rules, endings, "", error);
}

/* ---- The file ----------------------------------------------------------------------------------------------- */

static char *path_of(const char *folder, const char *more)
{
	size_t size = strlen(folder) + strlen(more) + 16;
	char *path = malloc(size);

	if (path != NULL)
		(void)snprintf(path, size, "%s/endings%s", folder, more);
	return path;
}

/* What stands in the file; its length. */
static size_t write_text(const struct mrl_rules *rules, struct mrl_endings endings, char text[MOST_BYTES])
{
	char key[MRL_RULES_NAME_SIZE];

	sectorfile_key(rules, true, key);
	return (size_t)snprintf(text, MOST_BYTES, "%s\n%s\n%u-%u\n", title, key, endings.men, endings.against);
}

static enum mrl_status refuse(struct mrl_error *error, enum mrl_status status, const char *path, const char *what)
{
	struct mrl_text text = mrl_error_open(error, status, 0, 0);

	mrl_text_add(&text, path == NULL ? "there is not enough memory to read the tables" : path);
	if (path != NULL) {
		mrl_text_add(&text, ": ");
		mrl_text_add(&text, what);
	}
	return status;
}

static enum mrl_status parse(const char *path, const char *found, const struct mrl_rules *rules,
			     struct mrl_endings *endings, struct mrl_error *error)
{
	char expected[MOST_BYTES];
	char key[MRL_RULES_NAME_SIZE];
	const char *men = NULL;

	if (strncmp(found, title, sizeof(title) - 1) == 0 && found[sizeof(title) - 1] == '\n')
		men = strchr(found + sizeof(title), '\n');
	if (men == NULL || sscanf(men, "\n%2u-%2u\n", &endings->men, &endings->against) != 2)
		return refuse(error, MRL_SYSTEM, path, "is damaged; remove the folder and build it again");
	sectorfile_key(rules, true, key);
	if (strncmp(found + sizeof(title), key, strlen(key)) != 0 || found[sizeof(title) + strlen(key)] != '\n')
		return refuse(error, MRL_NAME, path, "says that these are endings of another rule set");
	(void)write_text(rules, *endings, expected);
	if (strcmp(found, expected) != 0 || endings_check(rules, *endings, NULL) != MRL_OK)
		return refuse(error, MRL_SYSTEM, path, "is damaged; remove the folder and build it again");
	return MRL_OK;
}

enum mrl_status endings_read(const char *folder, const struct mrl_rules *rules, struct mrl_endings *endings,
			     struct mrl_error *error)
{
	char *path = path_of(folder, "");
	struct mrl_error why = {0};
	enum mrl_status status;
	char *found = NULL;
	size_t length;

	*endings = (struct mrl_endings){0};
	if (path == NULL)
		return refuse(error, MRL_SYSTEM, NULL, NULL);
	if (!mrl_disk_exists(path)) {
		free(path);
		return MRL_OK;
	}
	status = mrl_file_read(path, MOST_BYTES, &found, &length, &why);
	if (status != MRL_OK)
		status = refuse(error, status, path, why.message);
	else
		status = parse(path, found, rules, endings, error);
	if (status != MRL_OK)
		*endings = (struct mrl_endings){0};
	free(found);
	free(path);
	return status;
}

enum mrl_status endings_write(const char *folder, const struct mrl_rules *rules, struct mrl_endings endings, bool hasty,
			      struct mrl_error *error)
{
	char *path = path_of(folder, "");
	char *part = path_of(folder, ".part");
	struct mrl_disk_file *file = NULL;
	char text[MOST_BYTES];
	size_t length = write_text(rules, endings, text);
	enum mrl_status status = MRL_OK;

	if (path == NULL || part == NULL)
		status = refuse(error, MRL_SYSTEM, NULL, NULL);
	if (status == MRL_OK)
		status = mrl_disk_open(&file, part, MRL_DISK_CREATE, error);
	if (status == MRL_OK)
		status = mrl_disk_write(file, 0, text, length, error);
	if (status == MRL_OK && !hasty)
		status = mrl_disk_sync(file, error);
	mrl_disk_close(file);
	if (status == MRL_OK)
		status = mrl_disk_rename(part, path, !hasty, error);
	free(part);
	free(path);
	return status;
}
