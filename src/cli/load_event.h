/* Events as the server tells them, in JSON, made into events as src/play applies them. Pure. */
#ifndef MERELS_CLI_LOAD_EVENT_H
#define MERELS_CLI_LOAD_EVENT_H

#include <jansson.h>

#include <merels/play.h>

/*
 * Reads the telling of an event. What is not told (ids of commands, hashes of secrets, credit for lag) gets a value
 * that fits. NULL when all went well, else which field is missing or wrong. `tempo` is the game's.
 */
const char *load_event_read(json_t *json, const struct mrl_play_tempo *tempo, struct mrl_play_event *event);

/* The same for what a snapshot says of a game: its first three events, when both sit and it has begun. */
const char *load_event_begin(json_t *snapshot, struct mrl_play_event events[3]);

/* A tempo; false when it is none. */
bool load_tempo_read(json_t *json, struct mrl_play_tempo *tempo);

/* A number of 32 bits that is not below 0; false when it is missing or none. */
bool load_number(json_t *json, const char *key, uint32_t *number);
bool load_moment(json_t *json, const char *key, uint64_t *moment);

/* Both clocks of the object `clock`. */
bool load_clocks(json_t *json, uint32_t clock[2]);

/* An offer by its name; MRL_PLAY_OFFERS when there is none such. */
uint8_t load_offer(const char *text);

#endif
