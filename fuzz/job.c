/*
 * Messages between nodes and workers, as anybody on the bus may send them. What is refused says why; what reads as a
 * job is written and read back the same, and its game is one that the rules allow, whose turns are written as they were
 * read.
 */
#include <merels/notation.h>
#include <merels/work.h>

#include "fuzz.h"
#include "message.h"

static void check_words(const struct mrl_error *error, enum mrl_status status)
{
	MUST(status < 0 && error->status == status && error->message[0] != '\0');
}

static void check_same(const struct mrl_job *job)
{
	static char text[1 << 20];
	size_t length = mrl_job_write(job, text, sizeof text);
	struct mrl_job again;

	MUST(length < sizeof text);
	MUST(mrl_job_read(&again, text, length, NULL) == MRL_OK);
	MUST(again.kind == job->kind && again.tables == job->tables && strcmp(again.rules, job->rules) == 0);
	MUST(strcmp(again.position, job->position) == 0 && again.turns_length == job->turns_length);
	MUST(job->turns_length == 0 || memcmp(again.turns, job->turns, job->turns_length) == 0);
	if (job->kind == MRL_WORK_TURN)
		MUST(again.level == job->level && again.time == job->time && again.left == job->left &&
		     again.increment == job->increment && again.seed == job->seed);
}

static void check_game(const struct mrl_job *job)
{
	static struct mrl_rules rules;
	struct mrl_game game;
	struct mrl_error error = {.message = ""};
	enum mrl_status status = mrl_job_set_up(job, &rules, &game, &error);

	if (status != MRL_OK) {
		check_words(&error, status);
		MUST(game.plies == NULL);
		return;
	}
	MUST(mrl_position_check(&rules, &game.position, NULL) == MRL_OK);
	free(game.plies);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mrl_error error = {.message = ""};
	struct message message;
	struct mrl_job job;
	enum mrl_status status = message_read(&message, (const char *)data, size, &error);

	if (status != MRL_OK) {
		check_words(&error, status);
		return 0;
	}
	MUST(message_is_name(message.club, strlen(message.club)) && message.kind[0] != '\0');
	MUST(message.from[0] == '\0' || message_is_name(message.from, strlen(message.from)));
	status = mrl_job_read(&job, message.body.data, message.body.length, &error);
	if (status != MRL_OK) {
		check_words(&error, status);
		return 0;
	}
	check_same(&job);
	check_game(&job);
	return 0;
}
