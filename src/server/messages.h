/* Messages of sockets: read, and handed to who answers them. docs/PROTOCOL.md has them. */
#ifndef MERELS_SERVER_MESSAGES_H
#define MERELS_SERVER_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <merels/play.h>

#include "json_in.h"

struct mrl__order;
struct mrl__peer;
struct mrl__room;
struct mrl__server;

/* A whole message has come. */
void mrl__message_received(struct mrl__peer *peer, const char *text, size_t length);

/* The kinds of messages there are ("turn"); NULL past the end. */
const char *mrl__message_type(size_t index);

/* `done` to who gave the order, which is freed: it is committed as event `number`. */
void mrl__tell_done(struct mrl__room *room, struct mrl__order *order, uint32_t number);

/*
 * The settings of a game that a message or a request asks for: rules, tempo, rated, private, first, chat. What is wrong
 * is said in the fields.
 */
void mrl__read_settings(struct mrl__fields *fields, struct mrl_play_settings *settings, bool unlisted);

/* An id that a field names; 0 when it is wrong, which the fields then say. */
uint64_t mrl__read_id(struct mrl__fields *fields, const char *name);

/* The hash of a secret that a field holds; false when there is none. One that is no secret is wrong. */
bool mrl__read_secret_field(struct mrl__fields *fields, const char *name, uint8_t hash[MRL_PLAY_HASH_SIZE]);

#endif
