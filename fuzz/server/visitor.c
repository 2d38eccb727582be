#include "visitor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>
#include <merels/play.h>

#include "fuzz.h"
#include "host.h"

struct visitor visitors[VISITORS];
struct told told;

/* Every secret that was told, and to whom. */
static struct {
	char text[SECRET_SIZE];
	unsigned whose; /* bits of visitors */
} secrets[SECRETS];
static size_t secret_count;
bool visitors_believe;

static unsigned bit_of(const struct visitor *visitor)
{
	return 1U << (visitor - visitors);
}

static void keep_secret(const struct visitor *visitor, const char *text)
{
	size_t i = 0;

	if (text == NULL || strlen(text) != SECRET_SIZE - 1)
		return;
	while (i < secret_count && strcmp(secrets[i].text, text) != 0)
		i++;
	if (i == SECRETS)
		return;
	if (i == secret_count)
		memcpy(secrets[secret_count++].text, text, SECRET_SIZE);
	secrets[i].whose |= bit_of(visitor);
}

/* No secret in it that somebody else was told, nor one of its own told again by a look. */
static void check_secrets(const struct visitor *visitor, const char *text)
{
	for (size_t i = 0; i < secret_count; i++)
		MUST((secrets[i].whose & bit_of(visitor)) != 0 || strstr(text, secrets[i].text) == NULL);
}

/* Who says a secret has it. */
static void learn_secrets(const struct visitor *visitor, const char *text)
{
	for (size_t i = 0; i < secret_count; i++)
		if (strstr(text, secrets[i].text) != NULL)
			secrets[i].whose |= bit_of(visitor);
}

/* ---- JSON --------------------------------------------------------------------------------------------------- */

static const char *text_in(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	return text != NULL ? text : "";
}

static bool is_one_of(const char *word, const char *const words[])
{
	while (*words != NULL && strcmp(*words, word) != 0)
		words++;
	return *words != NULL;
}

static bool is_code_of_game(const char *code)
{
	for (unsigned i = MRL_CODE_OK + 1; i < MRL_CODES; i++)
		if (strcmp(mrl_play_code_name((enum mrl_play_code)i), code) == 0)
			return true;
	return false;
}

static void check_clock(const json_t *clock)
{
	static const char *const sides[] = {"white", "black"};

	if (clock == NULL || json_is_null(clock))
		return;
	for (size_t i = 0; i < 2; i++) {
		json_int_t time = json_integer_value(json_object_get(clock, sides[i]));

		MUST(json_is_integer(json_object_get(clock, sides[i])));
		MUST(time >= 0 && time <= (json_int_t)14 * MRL_PLAY_DAY);
	}
}

/* ---- What comes by a socket --------------------------------------------------------------------------------- */

static size_t game_of(struct visitor *visitor, const char *id)
{
	size_t i = 0;

	MUST(strlen(id) == ID_SIZE - 1);
	while (i < visitor->game_count && strcmp(visitor->games[i].id, id) != 0)
		i++;
	if (i == VISITOR_GAMES)
		i = VISITOR_GAMES - 1;
	if (i == visitor->game_count) {
		memset(&visitor->games[i], 0, sizeof(visitor->games[i]));
		memcpy(visitor->games[i].id, id, ID_SIZE);
		visitor->game_count++;
	}
	return i;
}

void visitor_sits(struct visitor *visitor, const char *game)
{
	visitor->games[game_of(visitor, game)].is_player = true;
}

static void check_snapshot(struct visitor *visitor, const json_t *game)
{
	static const char *const states[] = {"waiting", "playing", "over", NULL};
	size_t i = game_of(visitor, text_in(game, "game"));
	json_int_t n = json_integer_value(json_object_get(game, "n"));
	size_t turns = json_array_size(json_object_get(game, "turns"));

	MUST(is_one_of(text_in(game, "state"), states));
	MUST(n >= 1 && json_integer_value(json_object_get(game, "ply")) == (json_int_t)turns);
	check_clock(json_object_get(game, "clock"));
	if (json_is_integer(json_object_get(game, "you")))
		visitor->games[i].is_player = true;
	else if (!visitor->games[i].is_player) {
		const json_t *lines = json_object_get(game, "lines");

		for (size_t line = 0; line < json_array_size(lines); line++)
			MUST(strcmp(text_in(json_array_get(lines, line), "room"), "players") != 0);
	}
	visitor->games[i].last = (uint32_t)n;
}

/* Something came that follows event `before`: what it has, or has said that it has. */
static void take_number(struct visitor *visitor, size_t i, uint32_t before)
{
	uint32_t last = visitor->games[i].last;

	/* The last place is shared by all games that have none of their own. */
	if (i == VISITOR_GAMES - 1 || last == 0 || last == before)
		return;
	MUST(visitor->games[i].asked != 0 && visitor->games[i].asked == before);
	visitor->games[i].asked = 0;
}

static void check_event(struct visitor *visitor, const json_t *event)
{
	size_t i = game_of(visitor, text_in(event, "game"));
	json_int_t n = json_integer_value(json_object_get(event, "n"));
	const char *kind = text_in(event, "kind");
	bool is_known = strcmp(kind, "hidden") == 0;

	for (unsigned k = 0; k < MRL_PLAY_KINDS; k++)
		is_known |= strcmp(mrl_play_kind_text(k), kind) == 0;
	MUST(is_known && n >= 1);
	take_number(visitor, i, (uint32_t)n - 1);
	visitor->games[i].last = (uint32_t)n;
	visitor->events++;
	check_clock(json_object_get(event, "clock"));
	if (strcmp(kind, "hidden") == 0)
		MUST(json_object_size(event) == 4);
	if (strcmp(kind, "chat") == 0 && strcmp(text_in(event, "room"), "players") == 0)
		MUST(visitor->games[i].is_player);
}

static void check_refusal(struct visitor *visitor, const json_t *no)
{
	static const char *const codes[] = {"bad-json",     "bad-field", "unknown-type", "no-game",
					    "not-watching", "no-person", "too-many",     NULL};
	const char *code = text_in(no, "code");

	/* `unavailable` is documented too, but here the store always takes what it is given. */
	MUST(is_one_of(code, codes) || is_code_of_game(code));
	MUST(text_in(no, "text")[0] != '\0');
	(void)snprintf(visitor->refused, sizeof(visitor->refused), "%s", code);
}

static void check_message(struct visitor *visitor, const json_t *message, const char *type)
{
	static const char *const others[] = {"welcome", "pong", "presence", "watchers", "lobby", "counts", "bye", NULL};

	visitor->heard++;
	if (strcmp(type, "game") == 0) {
		check_snapshot(visitor, message);
	} else if (strcmp(type, "event") == 0) {
		check_event(visitor, message);
	} else if (strcmp(type, "no") == 0) {
		check_refusal(visitor, message);
	} else if (strcmp(type, "caught-up") == 0) {
		size_t i = game_of(visitor, text_in(message, "game"));
		uint32_t n = (uint32_t)json_integer_value(json_object_get(message, "n"));

		take_number(visitor, i, n);
		visitor->games[i].last = n;
		check_clock(json_object_get(message, "clock"));
	} else if (strcmp(type, "paired") == 0) {
		keep_secret(visitor, text_in(message, "secret"));
		visitor_sits(visitor, text_in(message, "game"));
		(void)snprintf(told.game, sizeof(told.game), "%s", text_in(message, "game"));
	} else if (strcmp(type, "done") == 0) {
		visitor->refused[0] = '\0';
		if (text_in(message, "offer")[0] != '\0')
			(void)snprintf(told.offer, sizeof(told.offer), "%s", text_in(message, "offer"));
		else
			MUST(json_integer_value(json_object_get(message, "n")) >= 1);
	} else {
		MUST(is_one_of(type, others));
	}
}

static json_t *read_object(const char *text, size_t length)
{
	json_t *object = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);

	if (!json_is_object(object)) {
		fprintf(stderr, "no JSON: %.*s\n", (int)length, text);
		abort();
	}
	return object;
}

static void on_text(struct wire_owner *owner, const char *text, size_t length)
{
	struct visitor *visitor = (struct visitor *)owner;
	char *whole = malloc(length + 1);

	MUST(whole != NULL);
	memcpy(whole, text, length);
	whole[length] = '\0';
	json_t *message = read_object(whole, length);
	const char *type = text_in(message, "t");

	/* Its own seat in a game that was just paired is told here, and nowhere else. */
	if (strcmp(type, "paired") == 0 && !visitors_believe)
		keep_secret(visitor, text_in(message, "secret"));
	if (!visitors_believe) {
		check_secrets(visitor, whole);
		check_message(visitor, message, type);
	}
	json_decref(message);
	free(whole);
}

static void forget_numbers(struct visitor *visitor)
{
	for (size_t i = 0; i < visitor->game_count; i++)
		visitor->games[i].last = visitor->games[i].asked = 0;
}

static void on_gone(struct wire_owner *owner)
{
	struct visitor *visitor = (struct visitor *)owner;

	/* A fault of the server is none that bytes can cause. */
	MUST(owner->code != 1011 && (owner->code == 0 || (owner->code >= 1000 && owner->code < 5000)));
	forget_numbers(visitor);
}

/* ---- Coming and going --------------------------------------------------------------------------------------- */

void visitors_begin(void)
{
	memset(visitors, 0, sizeof(visitors));
	memset(&told, 0, sizeof(told));
	secret_count = 0;
	visitors[VISITORS - 1].nobody = true;
	for (size_t i = 0; i < VISITORS; i++) {
		visitors[i].owner.text = on_text;
		visitors[i].owner.gone = on_gone;
	}
}

void visitors_leave(void)
{
	for (size_t i = 0; i < VISITORS; i++)
		visitor_close(&visitors[i]);
}

static struct wire_request request_of(const struct visitor *visitor, const char *method, const char *path)
{
	bool bot = visitor->bearer[0] != '\0';
	bool has = !bot && !visitor->nobody && visitor->cookie[0] != '\0';

	return (struct wire_request){.method = method,
				     .path = path,
				     .host = "merels.example",
				     .origin = has ? "http://merels.example" : NULL,
				     .cookie = has ? visitor->cookie : NULL,
				     .authorization = bot ? visitor->bearer : NULL};
}

void visitor_is_bot(struct visitor *visitor)
{
	if (told.token[0] == '\0')
		return;
	visitor_close(visitor);
	(void)snprintf(visitor->bearer, sizeof(visitor->bearer), "Bearer %s", told.token);
	learn_secrets(visitor, visitor->bearer);
}

void visitor_open(struct visitor *visitor)
{
	struct wire_request request = request_of(visitor, "GET", "/api/v1/socket");
	struct wire_answer answer = {0};

	if (visitor->owner.wsi != NULL)
		return;
	if (!wire_socket(&request, &visitor->owner, &answer))
		MUST(answer.status == 429);
	free(answer.body);
}

void visitor_close(struct visitor *visitor)
{
	wire_hang_up(visitor->owner.wsi);
}

static void ask_from(struct visitor *visitor, const char *game, const json_t *last)
{
	json_int_t number = json_integer_value(last);

	if (game != NULL && strlen(game) == ID_SIZE - 1 && number > 0 && number < UINT32_MAX)
		visitor->games[game_of(visitor, game)].asked = (uint32_t)number;
}

/* What it says that it has. */
static void note_last(struct visitor *visitor, const char *text, size_t length)
{
	json_t *message = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
	json_t *last = json_object_get(message, "last");
	const char *type = text_in(message, "t");
	const char *game = NULL;
	json_t *number = NULL;

	if (strcmp(type, "watch") == 0)
		ask_from(visitor, text_in(message, "game"), last);
	if (strcmp(type, "hello") == 0)
		json_object_foreach(last, game, number) ask_from(visitor, game, number);
	json_decref(message);
}

void visitor_say(struct visitor *visitor, const char *text, size_t length, bool pieces, bool binary)
{
	if (visitor->owner.wsi == NULL || !wire_listens(visitor->owner.wsi))
		return;
	note_last(visitor, text, length);
	learn_secrets(visitor, text);
	if (pieces) {
		wire_frame(visitor->owner.wsi, text, length / 2, 0, false, binary);
		if (visitor->owner.wsi != NULL)
			wire_frame(visitor->owner.wsi, text + length / 2, length - length / 2, 0, true, binary);
	} else {
		wire_frame(visitor->owner.wsi, text, length, 0, true, binary);
	}
}

/* ---- Requests ----------------------------------------------------------------------------------------------- */

static void take_cookie(struct visitor *visitor, const char *head)
{
	const char *at = strstr(head, "\r\nset-cookie:");
	size_t length = 0;

	if (at == NULL)
		return;
	at += strlen("\r\nset-cookie:");
	length = strcspn(at, ";");
	MUST(length < sizeof(visitor->cookie) && strncmp(at, "merels=", 7) == 0);
	memcpy(visitor->cookie, at, length);
	visitor->cookie[length] = '\0';
	keep_secret(visitor, visitor->cookie + 7);
	if (length == 7)
		visitor->cookie[0] = '\0';
}

static void check_error(struct visitor *visitor, const json_t *json, const struct wire_answer *answer)
{
	static const char *const codes[] = {
	    "bad-json",      "bad-field",      "pipelined", "bad-request", "no-person", "wrong-password", "not-yours",
	    "needs-account", "account-needed", "banned",    "not-found",   "method",    "name-taken",     "not-now",
	    "conflict",      "slow-down",      "no-length", "too-large",   "not-json",  "foreign-origin", NULL};
	const json_t *error = json_object_get(json, "error");
	const char *code = text_in(error, "code");

	if (!is_one_of(code, codes) && !is_code_of_game(code)) {
		fprintf(stderr, "%s%s\n", answer->head, answer->body);
		abort();
	}
	MUST(text_in(error, "text")[0] != '\0');
	(void)snprintf(visitor->refused, sizeof(visitor->refused), "%s", code);
	MUST((answer->status == 429) == (strstr(answer->head, "\r\nretry-after:") != NULL));
	MUST((answer->status == 405) == (strstr(answer->head, "\r\nallow:") != NULL));
}

static void take_answer(struct visitor *visitor, const json_t *json)
{
	const char *game = text_in(json, "game");

	if (json_object_get(json, "secret") != NULL) {
		keep_secret(visitor, text_in(json, "secret"));
		keep_secret(visitor, text_in(json, "link"));
		(void)snprintf(told.game, sizeof(told.game), "%s", game);
		(void)snprintf(told.secret, sizeof(told.secret), "%s", text_in(json, "secret"));
		(void)snprintf(told.link, sizeof(told.link), "%s", text_in(json, "link"));
		visitor_sits(visitor, game);
	} else if (json_object_get(json, "person") != NULL) {
		(void)snprintf(told.person, sizeof(told.person), "%s", text_in(json_object_get(json, "person"), "id"));
	}
	if (text_in(json, "token")[0] != '\0') {
		keep_secret(visitor, text_in(json, "token"));
		(void)snprintf(told.token, sizeof(told.token), "%s", text_in(json, "token"));
	}
}

static void check_answer(struct visitor *visitor, const char *method, const struct wire_answer *answer)
{
	bool is_json = strstr(answer->head, "\r\ncontent-type:application/json") != NULL;
	json_t *json = NULL;

	MUST(answer->status >= 200 && answer->status < 500);
	take_cookie(visitor, answer->head);
	visitor->refused[0] = '\0';
	if (strcmp(method, "HEAD") == 0) {
		MUST(answer->length == 0);
		return;
	}
	if (is_json) {
		json = read_object(answer->body, answer->length);
		if (answer->status >= 400)
			check_error(visitor, json, answer);
		else
			take_answer(visitor, json);
	}
	if (answer->body != NULL)
		check_secrets(visitor, answer->body);
	json_decref(json);
}

unsigned visitor_ask(struct visitor *visitor, const char *method, const char *target, const char *body, size_t length)
{
	struct wire_answer answer = {0};
	const char *mark = strchr(target, '?');
	size_t path_length = mark != NULL ? (size_t)(mark - target) : strlen(target);
	char *path = malloc(path_length + 1);

	MUST(path != NULL);
	memcpy(path, target, path_length);
	path[path_length] = '\0';
	struct wire_request request = request_of(visitor, method, path);

	request.query = mark != NULL ? mark + 1 : NULL;
	request.type = body != NULL ? "application/json" : NULL;
	request.body = body;
	request.body_length = length;
	if (body != NULL)
		learn_secrets(visitor, body);
	wire_ask(&request, &answer);
	host_settle();
	/* Answered, or the connection was ended with the answer. */
	MUST(answer.status != 0 && (answer.complete || answer.wsi == NULL));
	check_answer(visitor, method, &answer);
	wire_hang_up(answer.wsi);
	free(answer.body);
	free(path);
	return answer.status;
}
