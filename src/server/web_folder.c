#include "web_folder.h"

#include <stdio.h>
#include <string.h>

#include <merels/server.h>
#include <merels/text.h>
#include <os/folder.h>
#include <os/process.h>

enum mrl_status mrl__web_folder_find(char *folder, size_t size, struct mrl_error *error)
{
	/* From the program's folder so many folders up, and then down. */
	static const struct {
		unsigned up;
		const char *down;
	} places[] = {{2, "/web/dist"}, {1, "/share/merels/web"}};
	char program[1024];

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		if (!mrl_process_folder(program, sizeof(program)))
			break;
		for (unsigned up = 0; up < places[i].up && strrchr(program, '/') != NULL; up++)
			*strrchr(program, '/') = '\0';
		int length = snprintf(folder, size, "%s%s", program, places[i].down);

		if (length > 0 && (size_t)length < size && mrl_folder_exists(folder))
			return MRL_OK;
	}
	struct mrl_text text = mrl_error_open(error, MRL_SYSTEM, 0, 0);

	mrl_text_add(&text, "the web client is not there: neither web/dist of the tree the program was built in nor "
			    "share/merels/web beside it; build it with make web, or name its folder with --web");
	return MRL_SYSTEM;
}

enum mrl_status mrl__web_folder_load(struct mrl__web **web, const char *folder, const struct mrl_log *log,
				     struct mrl_error *error)
{
	char found[MRL_SERVER_TEXT_SIZE];
	struct mrl_error why;

	if (folder[0] == '\0') {
		enum mrl_status status = mrl__web_folder_find(found, sizeof(found), error);

		if (status != MRL_OK)
			return status;
		folder = found;
	}
	if (mrl__web_load(web, folder, &why) != MRL_OK) {
		struct mrl_text text = mrl_error_open(error, MRL_SYSTEM, 0, 0);

		mrl_text_add(&text, "the web client cannot be read: ");
		mrl_text_add(&text, why.message);
		return MRL_SYSTEM;
	}
	mrl_log(log, MRL_LOG_INFO, "%zu files of the web client from %s, %zu bytes", (*web)->assets.count, folder,
		(*web)->assets.bytes);
	return MRL_OK;
}
