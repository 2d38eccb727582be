/* Names and texts of the status codes. */
#include <merels/status.h>

struct status_row {
	enum mrl_status status;
	const char *name;
	const char *text;
};

static const struct status_row rows[] = {
#define ROW(name, value, text) {MRL_##name, #name, text},
    MRL_STATUS_TABLE(ROW)
#undef ROW
};

static const struct status_row *find(enum mrl_status status)
{
	static const struct status_row unknown = {MRL_OK, "UNKNOWN", "an unknown error"};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (rows[i].status == status)
			return &rows[i];
	return &unknown;
}

const char *mrl_status_name(enum mrl_status status)
{
	return find(status)->name;
}

const char *mrl_status_text(enum mrl_status status)
{
	return find(status)->text;
}
