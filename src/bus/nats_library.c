#include "nats_library.h"

#include <merels/text.h>
#include <os/library.h>

enum mrl_status nats_library_load(struct nats_library *library, struct mrl_error *error)
{
	/* Its name has the version in it; the build knows the one whose header it used. */
	void *loaded = mrl_library_open(MRL_NATS_SONAME);
	bool complete = loaded != NULL;

#define NATS_FIND(type, name, symbol, arguments)                                                                    \
	if (complete) {                                                                                             \
		library->name = (type(*) arguments)mrl_library_find(loaded, symbol); /* NOLINT(bugprone-macro-*) */ \
		complete = library->name != NULL;                                                                   \
	}
	NATS_FUNCTIONS(NATS_FIND)
#undef NATS_FIND
	if (complete)
		return MRL_OK;
	struct mrl_text text = mrl_error_open(error, MRL_UNSUPPORTED, 0, 0);

	mrl_text_add(&text, "NATS cannot be used: its client library " MRL_NATS_SONAME);
	mrl_text_add(&text, loaded == NULL ? " is not installed (Debian: " MRL_NATS_PACKAGE ")" : " is too old");
	return MRL_UNSUPPORTED;
}
