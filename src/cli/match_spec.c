/* What a match was asked for: engines as words of the command line. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "match.h"

/* ---- A command as words ------------------------------------------------------------------------------------- */

/*
 * Splits a command as a shell does, with blanks, quotes of both kinds and backslashes. The words live in one block
 * behind the array. NULL when there is no memory or a quote is not closed.
 */
static char **split(const char *command)
{
	size_t length = strlen(command);
	size_t most = length / 2 + 2;
	char **words = malloc(most * sizeof(*words) + length + 1);

	if (words == NULL)
		return NULL;
	char *out = (char *)(words + most);
	size_t count = 0;
	char quote = '\0';
	bool inside = false; /* a word */

	for (const char *c = command; *c != '\0'; c++) {
		if (quote == '\0' && (*c == ' ' || *c == '\t')) {
			if (inside)
				*out++ = '\0';
			inside = false;
			continue;
		}
		if (!inside)
			words[count++] = out;
		inside = true;
		if (quote == '\0' && (*c == '\'' || *c == '"'))
			quote = *c;
		else if (*c == quote)
			quote = '\0';
		else if (*c == '\\' && quote != '\'' && c[1] != '\0')
			*out++ = *++c;
		else
			*out++ = *c;
	}
	*out = '\0';
	words[count] = NULL;
	if (quote == '\0')
		return words;
	free(words);
	return NULL;
}

/* ---- Words of one engine ------------------------------------------------------------------------------------ */

/* A word behind an engine: it names something and has no dash in front. */
static bool is_setting(const char *word)
{
	size_t name = strcspn(word, "=");

	return word[0] != '-' && word[name] == '=' && name > 0;
}

static bool read_whole(const char *text, uint64_t to, uint64_t *number)
{
	char *end = NULL;

	errno = 0;
	unsigned long long value = strtoull(text, &end, 10);

	if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || value == 0 || value > to)
		return false;
	*number = value;
	return true;
}

/* SECONDS or SECONDS+SECONDS, to milliseconds. */
static bool read_clock(const char *text, uint64_t *base, uint64_t *increment)
{
	char *end = NULL;
	double first = strtod(text, &end);
	double second = 0;

	if (end == text || !(first > 0) || first > 1e6)
		return false;
	if (*end == '+') {
		text = end + 1;
		second = strtod(text, &end);
		if (end == text || !(second >= 0) || second > 1e6)
			return false;
	}
	if (*end != '\0')
		return false;
	*base = (uint64_t)llround(first * 1000);
	*increment = (uint64_t)llround(second * 1000);
	return *base > 0;
}

static bool add_option(struct match_spec *spec, const char *name, size_t name_length, const char *value)
{
	if (spec->option_count == MATCH_MAX_OPTIONS)
		return false;
	struct match_option *option = &spec->options[spec->option_count];
	size_t value_length = strlen(value);

	option->name = malloc(name_length + value_length + 2);
	if (option->name == NULL)
		return false;
	memcpy(option->name, name, name_length);
	option->name[name_length] = '\0';
	option->value = option->name + name_length + 1;
	memcpy(option->value, value, value_length + 1);
	spec->option_count++;
	return true;
}

static int bad_setting(const char *word, const char *right)
{
	(void)cli_wrong_usage(&cli_match, "'%s': %s", word, right);
	return 0;
}

/* 1, or 0 after having reported. */
static int read_setting(struct match_spec *spec, const char *word)
{
	size_t name = strcspn(word, "=");
	const char *value = word + name + 1;
	struct match_limits *limits = &spec->limits;
	uint64_t number = 0;

	if (name == 4 && strncmp(word, "name", 4) == 0) {
		size_t length = strlen(value);

		if (length == 0 || length >= sizeof(spec->name) || strpbrk(value, "\"\\\n\r\t") != NULL)
			return bad_setting(word, "a name has 1 to 63 characters, no quotes or backslashes");
		memcpy(spec->name, value, length + 1);
		return 1;
	}
	if (strncmp(word, "option.", 7) == 0 && name > 7) {
		if (strpbrk(word, "\n\r") != NULL || !add_option(spec, word + 7, name - 7, value))
			return bad_setting(word, "at most 32 options, each on one line");
		return 1;
	}
	spec->has_limits = true;
	if (name == 2 && strncmp(word, "tc", 2) == 0) {
		limits->has_clock = true;
		if (!read_clock(value, &limits->base, &limits->increment))
			return bad_setting(word, "expected tc=SECONDS or tc=SECONDS+INCREMENT");
	} else if (name == 8 && strncmp(word, "movetime", 8) == 0) {
		if (!read_whole(value, 3600000, &limits->time))
			return bad_setting(word, "expected milliseconds, 1 to 3600000");
	} else if (name == 5 && strncmp(word, "nodes", 5) == 0) {
		if (!read_whole(value, UINT64_MAX, &limits->nodes))
			return bad_setting(word, "expected a whole number of at least 1");
	} else if (name == 5 && strncmp(word, "depth", 5) == 0) {
		if (!read_whole(value, MRL_MAX_DEPTH, &number))
			return bad_setting(word, "expected plies, 1 to 64");
		limits->depth = (unsigned)number;
	} else {
		return bad_setting(word, "an engine has name=, option.NAME=, tc=, movetime=, nodes= and depth=");
	}
	return 1;
}

int match_spec_read_each(struct match_spec *spec, int argc, char **argv)
{
	int used = 0;

	for (; used < argc && is_setting(argv[used]); used++)
		if (read_setting(spec, argv[used]) == 0)
			return 0;
	if (used == 0)
		(void)cli_wrong_usage(&cli_match, "--each: expected settings such as nodes=1000");
	return used;
}

int match_spec_read(struct match_spec *spec, int argc, char **argv)
{
	if (argc == 0) {
		(void)cli_wrong_usage(&cli_match, "--engine: a command is missing");
		return 0;
	}
	size_t length = strlen(argv[0]) + 1;

	spec->command = malloc(length);
	spec->arguments = split(argv[0]);
	if (spec->command == NULL || spec->arguments == NULL || spec->arguments[0] == NULL) {
		(void)cli_wrong_usage(&cli_match, "--engine: '%s' is no command: it is empty or has an open quote",
				      argv[0]);
		return 0;
	}
	memcpy(spec->command, argv[0], length);
	int used = 1;

	for (; used < argc && is_setting(argv[used]); used++)
		if (read_setting(spec, argv[used]) == 0)
			return 0;
	return used;
}

bool match_spec_complete(struct match_spec *spec, const struct match_spec *each)
{
	if (!spec->has_limits)
		spec->limits = each->limits;
	for (size_t i = 0; i < each->option_count; i++) {
		const struct match_option *option = &each->options[i];
		bool known = false;

		for (size_t j = 0; j < spec->option_count && !known; j++)
			known = strcmp(spec->options[j].name, option->name) == 0;
		if (!known && !add_option(spec, option->name, strlen(option->name), option->value)) {
			(void)cli_wrong_usage(&cli_match, "an engine has at most %d options", MATCH_MAX_OPTIONS);
			return false;
		}
	}
	return true;
}

void match_spec_release(struct match_spec *spec)
{
	free(spec->command);
	free(spec->arguments);
	for (size_t i = 0; i < spec->option_count; i++)
		free(spec->options[i].name);
	*spec = (struct match_spec){0};
}

void match_limits_write(const struct match_limits *limits, char text[MATCH_LIMITS_SIZE])
{
	int used = 0;

	text[0] = '\0';
	if (limits->has_clock)
		used += snprintf(text + used, MATCH_LIMITS_SIZE - (size_t)used, "%g+%g ", (double)limits->base / 1000,
				 (double)limits->increment / 1000);
	if (limits->time > 0)
		used += snprintf(text + used, MATCH_LIMITS_SIZE - (size_t)used, "movetime=%llu ",
				 (unsigned long long)limits->time);
	if (limits->nodes > 0)
		used += snprintf(text + used, MATCH_LIMITS_SIZE - (size_t)used, "nodes=%llu ",
				 (unsigned long long)limits->nodes);
	if (limits->depth > 0)
		used += snprintf(text + used, MATCH_LIMITS_SIZE - (size_t)used, "depth=%u ", limits->depth);
	if (used > 0)
		text[used - 1] = '\0';
}
