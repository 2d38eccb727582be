/*
 * JSON being written into memory that grows: the messages and answers of the server. Commas come by themselves.
 *
 *     mrl__json_open(json, NULL);                        {
 *     mrl__json_text(json, "t", "pong");                 "t":"pong"
 *     mrl__json_number(json, "now", 7);                  ,"now":7
 *     mrl__json_close(json);                             }
 *
 * `key` is NULL at the top and for the members of a list. When memory runs out, `failed` is set and what is written is
 * worth nothing. Belongs to one thread.
 */
#ifndef MERELS_SERVER_JSON_OUT_H
#define MERELS_SERVER_JSON_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mrl__json {
	char *data; /* owned; data[0 .. length) */
	size_t length;
	size_t size;
	bool comma; /* something stands before in the same object or list */
	bool failed;
};

/* Empties it; the memory is kept. A zeroed one is empty too. */
void mrl__json_reset(struct mrl__json *json);
void mrl__json_release(struct mrl__json *json);

void mrl__json_open(struct mrl__json *json, const char *key);
void mrl__json_close(struct mrl__json *json);
void mrl__json_open_list(struct mrl__json *json, const char *key);
void mrl__json_close_list(struct mrl__json *json);

/* UTF-8; NULL is null. */
void mrl__json_text(struct mrl__json *json, const char *key, const char *text);
void mrl__json_bytes(struct mrl__json *json, const char *key, const char *text, size_t length);
void mrl__json_number(struct mrl__json *json, const char *key, uint64_t number);
void mrl__json_signed(struct mrl__json *json, const char *key, int64_t number);
void mrl__json_bool(struct mrl__json *json, const char *key, bool value);
void mrl__json_null(struct mrl__json *json, const char *key);

/* A value that is JSON already. */
void mrl__json_raw(struct mrl__json *json, const char *key, const char *value, size_t length);

/* Bytes as they are, with nothing before them. */
void mrl__json_append(struct mrl__json *json, const char *bytes, size_t length);

#endif
