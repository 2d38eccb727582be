/*
 * Random ids and secrets, and the hashes that are kept of secrets: libsodium behind a few names. Thread-safe once
 * mrl__secret_init() has returned true.
 */
#ifndef MERELS_SERVER_SECRET_H
#define MERELS_SERVER_SECRET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MRL__SECRET_SIZE 44 /* 43 characters of base64url and the closing 0 */
#define MRL__HASH_SIZE 32
#define MRL__PASSWORD_HASH_SIZE 128
#define MRL__PASSWORD_MOST 200 /* bytes */

bool mrl__secret_init(void);

uint64_t mrl__random(void);

/* Never 0. */
uint64_t mrl__random_id(void);

/* The id of what these three numbers name: always the same one, and of nothing else as far as can be told. Never 0. */
uint64_t mrl__id_from(const uint64_t numbers[3]);

/* A new secret and its hash. */
void mrl__secret_new(char text[MRL__SECRET_SIZE], unsigned char hash[MRL__HASH_SIZE]);

/* The hash of a secret that somebody sent; false when it has not the form of one. */
bool mrl__secret_hash(const char *text, size_t length, unsigned char hash[MRL__HASH_SIZE]);

/* The hash that a password is kept as (Argon2id). Takes a while and 64 MB. False when there is no memory. */
bool mrl__password_hash(const char *password, char hash[MRL__PASSWORD_HASH_SIZE]);

/* Whether it is the password of the hash. Takes as long, whatever the answer. */
bool mrl__password_check(const char *password, const char *hash);

/* A hash that no password has: so that a name nobody has takes as long as one that somebody has. */
extern const char mrl__password_nobody[];

#endif
