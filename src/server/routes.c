#include "routes.h"

#include <string.h>

#define POST MRL__ROUTE_POST
#define PERSON MRL__ROUTE_PERSON
#define GUEST MRL__ROUTE_GUEST
#define LOGIN MRL__ROUTE_LOGIN
#define STORE MRL__ROUTE_STORE

static const struct mrl__route table[] = {
    {STORE | GUEST, "/api/v1/me", mrl__api_me},
    {STORE | POST | GUEST | LOGIN, "/api/v1/register", mrl__api_register},
    {STORE | POST | LOGIN, "/api/v1/login", mrl__api_login},
    {STORE | POST, "/api/v1/logout", mrl__api_logout},
    {STORE | POST | PERSON, "/api/v1/logout-everywhere", mrl__api_logout_everywhere},
    {STORE | POST | PERSON | LOGIN, "/api/v1/password", mrl__api_password},
    {STORE | POST | PERSON, "/api/v1/token", mrl__api_token},
    {STORE | PERSON, "/api/v1/export", mrl__api_export},
    {STORE | POST | PERSON | LOGIN, "/api/v1/delete-account", mrl__api_delete_account},
    {STORE | POST | PERSON, "/api/v1/mute", mrl__api_mute},
    {STORE | POST | PERSON, "/api/v1/unmute", mrl__api_unmute},
    {STORE, "/api/v1/players/{name}", mrl__api_player},
    {STORE, "/api/v1/players/{name}/games", mrl__api_player_games},
    {STORE, "/api/v1/players/{name}/ratings", mrl__api_player_ratings},
    {STORE, "/api/v1/players/{name}/score", mrl__api_player_score},
    {STORE, "/api/v1/leaders", mrl__api_leaders},
    {STORE | POST | GUEST, "/api/v1/games", mrl__api_new_game},
    {STORE, "/api/v1/games", mrl__api_games},
    {STORE, "/api/v1/games/{id}", mrl__api_game},
    {STORE | POST, "/api/v1/games/{id}/look", mrl__api_look},
    {STORE | POST | GUEST, "/api/v1/games/{id}/join", mrl__api_join},
    {STORE | POST | PERSON, "/api/v1/games/{id}/report", mrl__api_report},
    {STORE, "/api/v1/games/{id}/record", mrl__api_record},
    {STORE, "/api/v1/days", mrl__api_days},
    {STORE, "/api/v1/lobby", mrl__api_lobby},
    {STORE, "/api/v1/playing", mrl__api_playing},
    {0, "/api/v1/tables", mrl__api_tables},
    {0, "/api/v1/status", mrl__api_status},
    {0, "/readyz", mrl__api_ready},
    {0, "/metrics", mrl__api_metrics},
};

const struct mrl__route *mrl__route(size_t index)
{
	return index < sizeof(table) / sizeof(table[0]) ? &table[index] : NULL;
}

/* Whether `path` is of the form; a parameter is anything but a slash, not empty, that fits. */
static bool matches(const char *form, const char *path, size_t length, char parameter[MRL__PARAMETER_SIZE])
{
	const char *end = path + length;

	while (*form != '\0') {
		if (*form != '{') {
			if (path == end || *path++ != *form++)
				return false;
			continue;
		}
		const char *slash = memchr(path, '/', (size_t)(end - path));
		size_t taken = (size_t)((slash != NULL ? slash : end) - path);

		if (taken == 0 || taken >= MRL__PARAMETER_SIZE)
			return false;
		memcpy(parameter, path, taken);
		parameter[taken] = '\0';
		path += taken;
		form = strchr(form, '}') + 1;
	}
	return path == end;
}

const struct mrl__route *mrl__route_find(const char *path, size_t length, bool post,
					 char parameter[MRL__PARAMETER_SIZE], bool *other)
{
	*other = false;
	for (const struct mrl__route *route = table; route < table + sizeof(table) / sizeof(table[0]); route++) {
		if (!matches(route->path, path, length, parameter))
			continue;
		if (((route->flags & MRL__ROUTE_POST) != 0) == post)
			return route;
		*other = true;
	}
	return NULL;
}

static bool begins_with(const char *path, size_t length, const char *with)
{
	return length >= strlen(with) && memcmp(path, with, strlen(with)) == 0;
}

bool mrl__route_is_ours(const char *path, size_t length)
{
	return begins_with(path, length, "/api/") || (length == 7 && begins_with(path, length, "/readyz")) ||
	       (length == 8 && begins_with(path, length, "/metrics"));
}
