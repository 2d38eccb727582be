#include "web_folder.h"

#include <stdio.h>

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
