#include "postgres_library.h"

#include <merels/text.h>
#include <os/library.h>

enum mrl_status postgres_library_load(struct postgres_library *library, struct mrl_error *error)
{
	/* The name that it has had since 2006; what was added since then is looked for below. */
	void *loaded = mrl_library_open("libpq.so.5");
	bool complete = loaded != NULL;

#define POSTGRES_FIND(type, name, symbol, arguments)                                                                \
	if (complete) {                                                                                             \
		library->name = (type(*) arguments)mrl_library_find(loaded, symbol); /* NOLINT(bugprone-macro-*) */ \
		complete = library->name != NULL;                                                                   \
	}
	POSTGRES_FUNCTIONS(POSTGRES_FIND)
#undef POSTGRES_FIND
	if (complete)
		return MRL_OK;
	struct mrl_text text = mrl_error_open(error, MRL_UNSUPPORTED, 0, 0);

	mrl_text_add(&text,
		     loaded == NULL
			 ? "PostgreSQL cannot be used: its client library libpq is not installed (Debian: libpq5)"
			 : "PostgreSQL cannot be used: the client library libpq is older than version 14");
	return MRL_UNSUPPORTED;
}
