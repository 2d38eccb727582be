/* What people report, for the one who runs the server. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <merels/admin.h>
#include <merels/play.h>
#include <merels/store.h>
#include <merels/text.h>

#include "admin_internal.h"

enum { PAGE = 50 };

_Static_assert(sizeof(((struct mrl_admin_report *)NULL)->id) == MRL_ID_TEXT_SIZE, "a report has an id as others do");

/* One report, kept while the store is asked for names. */
struct kept {
	struct mrl_store_report report;
	char *line;
	char *about;
	char *verdict;
};

struct page {
	struct mrl_admin *admin;
	struct kept kept[PAGE];
	size_t count;
	bool more;
	struct mrl_store_key next;
	char name[MRL_STORE_NAME_MOST + 1]; /* of the last person that was asked for */
	bool no_memory;
};

static char *copy(struct page *page, const char *text)
{
	char *made = malloc(strlen(text) + 1);

	if (made == NULL)
		page->no_memory = true;
	else
		memcpy(made, text, strlen(text) + 1);
	return made;
}

static void on_page(void *user, const struct mrl_store_answer *answer)
{
	struct page *page = user;

	admin_keep(page->admin, answer);
	for (size_t i = 0; i < answer->report_count && page->count < PAGE; i++) {
		struct kept *kept = &page->kept[page->count++];

		kept->report = answer->reports[i];
		kept->line = copy(page, answer->reports[i].text);
		kept->about = copy(page, answer->reports[i].note);
		kept->verdict = copy(page, answer->reports[i].verdict);
	}
	page->more = answer->more;
	page->next = answer->next;
}

static void release(struct page *page)
{
	for (size_t i = 0; i < page->count; i++) {
		free(page->kept[i].line);
		free(page->kept[i].about);
		free(page->kept[i].verdict);
	}
	page->count = 0;
}

static void on_person(void *user, const struct mrl_store_answer *answer)
{
	struct page *page = user;

	admin_keep(page->admin, answer);
	if (answer->status == MRL_OK && strlen(answer->people[0].name) < sizeof(page->name))
		memcpy(page->name, answer->people[0].name, strlen(answer->people[0].name) + 1);
}

/* The name of a person into `name`. */
static enum mrl_status find_name(struct page *page, uint64_t person, char name[MRL_STORE_NAME_MOST + 1],
				 struct mrl_error *error)
{
	page->name[0] = '\0';
	/* A report may be about a computer, who is nobody. */
	enum mrl_status status =
	    person == 0 ? MRL_OK : mrl_store_find_person(page->admin->store, person, on_person, page);

	if (status == MRL_OK && person != 0) {
		mrl_store_wait(page->admin->store);
		status = page->admin->status;
	}
	if (status != MRL_OK && status != MRL_MISSING)
		return admin_refuse(error, status, page->admin->message, "");
	if (page->name[0] != '\0')
		memcpy(name, page->name, sizeof(page->name));
	else
		memcpy(name, "nobody", sizeof("nobody"));
	return MRL_OK;
}

static enum mrl_status give_one(struct page *page, const struct kept *kept, mrl_admin_each *each, void *user,
				struct mrl_error *error)
{
	char reporter[MRL_STORE_NAME_MOST + 1];
	char reported[MRL_STORE_NAME_MOST + 1];
	enum mrl_status status = find_name(page, kept->report.reporter, reporter, error);

	if (status == MRL_OK)
		status = find_name(page, kept->report.reported, reported, error);
	if (status != MRL_OK)
		return status;
	struct mrl_admin_report report = {.wall = kept->report.wall,
					  .closed = kept->report.closed,
					  .reporter = reporter,
					  .reported = reported,
					  .event = kept->report.event,
					  .line = kept->line,
					  .about = kept->about,
					  .verdict = kept->verdict};

	mrl_id_write(kept->report.id, report.id);
	mrl_id_write(kept->report.reporter, report.reporter_id);
	mrl_id_write(kept->report.reported, report.reported_id);
	if (kept->report.game != 0)
		mrl_id_write(kept->report.game, report.game);
	each(user, &report);
	return MRL_OK;
}

enum mrl_status mrl_admin_reports(struct mrl_admin *admin, bool all, mrl_admin_each *each, void *user,
				  struct mrl_error *error)
{
	struct page page = {.admin = admin, .more = true};
	enum mrl_status status = MRL_OK;
	struct mrl_store_key after = {0};

	while (page.more && status == MRL_OK) {
		status =
		    mrl_store_list_reports(admin->store, !all, after.minor != 0 ? &after : NULL, PAGE, on_page, &page);
		if (status != MRL_OK)
			return admin_refuse(error, status, "the store cannot be asked", "");
		mrl_store_wait(admin->store);
		if (admin->status != MRL_OK)
			status = admin_refuse(error, admin->status, admin->message, "");
		else if (page.no_memory)
			status = admin_refuse(error, MRL_SPACE, "there is not enough memory", "");
		for (size_t i = 0; i < page.count && status == MRL_OK; i++)
			status = give_one(&page, &page.kept[i], each, user, error);
		release(&page);
		after = page.next;
	}
	return status;
}

enum mrl_status mrl_admin_close_report(struct mrl_admin *admin, const char *id, const char *verdict,
				       struct mrl_error *error)
{
	uint64_t report = 0;

	if (!mrl_id_read(id, strlen(id), &report))
		return admin_refuse(error, MRL_SYNTAX,
				    "a report has an id of 11 letters and digits; this is none: ", id);
	struct mrl_store_change *change = mrl_change_new();

	mrl_change_close_report(change, report, admin_now(), verdict);
	enum mrl_status status = admin_submit(admin, change, error);

	return status == MRL_MISSING ? admin_refuse(error, status, "there is no open report of this id: ", id) : status;
}
