#include "web_folder.h"

#include <stdio.h>

#include <merels/server.h>
#include <merels/text.h>
#include <os/folder.h>
#include <os/process.h>

enum mrl_status mrl__web_folder_find(char *folder, size_t size, struct mrl_error *error)
{
	static const char *const places[] = {"/../../web/dist", "/../share/merels/web"};
	char program[1024];

	if (mrl_process_folder(program, sizeof(program))) {
		for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
			int length = snprintf(folder, size, "%s%s", program, places[i]);

			if (length > 0 && (size_t)length < size && mrl_folder_exists(folder))
				return MRL_OK;
		}
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
