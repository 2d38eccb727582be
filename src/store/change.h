/* A change from inside: the things that are to be written, in order. Texts are never NULL and within their limits. */
#ifndef MERELS_STORE_CHANGE_INSIDE_H
#define MERELS_STORE_CHANGE_INSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <merels/status.h>
#include <merels/store_change.h>

#include "arena.h"

enum op_kind {
	OP_ADD_PERSON,
	OP_PROMOTE,
	OP_RENAME,
	OP_SET_PASSWORD,
	OP_SET_EMAIL,
	OP_SEEN,
	OP_BAN,
	OP_DELETE_PERSON,
	OP_DROP_GUESTS,
	OP_ADD_SESSION,
	OP_TOUCH_SESSION,
	OP_REVOKE_SESSION,
	OP_REVOKE_SESSIONS,
	OP_EXPIRE_SESSIONS,
	OP_ADD_GAME,
	OP_APPEND,
	OP_PUT_GAME,
	OP_REMOVE_GAME,
	OP_SET_RATING,
	OP_PUT_SEEK,
	OP_REMOVE_SEEK,
	OP_REMOVE_SEEKS,
	OP_ADD_REPORT,
	OP_CLOSE_REPORT,
	OP_MUTE,
	OP_UNMUTE,
	OP_SET_SETTING,
	OP_COUNT_DAY,
	OP_BEAT,
	OP_TAKE,
	OP_ADOPT,
	OP_RELEASE,
	OP_LEAVE,
	OP_KINDS
};

struct op {
	struct op *next;
	enum op_kind kind;
	uint64_t id;    /* whom or what it is about */
	uint64_t other; /* OP_MUTE, OP_UNMUTE: who is muted. OP_RELEASE: the fence */
	int64_t wall;   /* or a number: days' counts, T of nodes */
	const char *text;
	const char *value; /* OP_SET_SETTING: NULL to forget it */
	bool cookies;      /* OP_REVOKE_SESSIONS */
	bool bearers;
	bool has_except;
	bool drains; /* OP_BEAT */
	int32_t day; /* OP_ADOPT: how many */
	union {
		struct mrl_store_person person;   /* OP_ADD_PERSON, OP_PROMOTE */
		struct mrl_store_session session; /* what has a hash */
		struct mrl_store_game game;
		struct mrl_store_event event;
		struct mrl_store_rating rating;
		struct mrl_store_seek seek;
		struct mrl_store_report report;
	} of;
};

/* A name in small letters (A-Z alone), by which it is unique. */
struct name_key {
	char text[MRL_STORE_NAME_MOST + 1];
};

struct name_key name_key_of(const char *name);

struct mrl_store_change {
	struct arena memory;
	struct op *first;
	struct op *last;
	size_t count;
	struct mrl_error error; /* the first thing that was wrong; MRL_OK: nothing */
};

#endif
