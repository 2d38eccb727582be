#include "secret.h"

#include <string.h>

#include <sodium.h>

/* Argon2id as libsodium writes it, of a random password that was thrown away; the costs are those below. */
const char mrl__password_nobody[] = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$"
				    "RdescudvJCsgt3ub+b/dWRWJTmaaJObG8vHmFIKuiFQ";

bool mrl__secret_init(void)
{
	return sodium_init() >= 0;
}

uint64_t mrl__random(void)
{
	/* Drawn by the dozen, as each draw is a call to the system; what was given is forgotten. */
	static _Thread_local uint64_t drawn[64];
	static _Thread_local size_t left;

	if (left == 0) {
		randombytes_buf(drawn, sizeof(drawn));
		left = sizeof(drawn) / sizeof(drawn[0]);
	}
	uint64_t number = drawn[--left];

	drawn[left] = 0;
	return number;
}

uint64_t mrl__random_id(void)
{
	uint64_t id = 0;

	while (id == 0)
		id = mrl__random();
	return id;
}

uint64_t mrl__id_from(const uint64_t numbers[3])
{
	unsigned char bytes[24];
	unsigned char hash[MRL__HASH_SIZE];
	uint64_t id = 0;

	/* Byte by byte: a database may move to a machine of the other order. */
	for (unsigned i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)(numbers[i / 8] >> 8 * (i % 8));
	(void)crypto_generichash(hash, sizeof(hash), bytes, sizeof(bytes), NULL, 0);
	for (unsigned i = 0; i < 8; i++)
		id = id << 8 | hash[i];
	return id != 0 ? id : 1;
}

static void hash_bytes(const unsigned char bytes[MRL__HASH_SIZE], unsigned char hash[MRL__HASH_SIZE])
{
	(void)crypto_generichash(hash, MRL__HASH_SIZE, bytes, MRL__HASH_SIZE, NULL, 0);
}

void mrl__secret_new(char text[MRL__SECRET_SIZE], unsigned char hash[MRL__HASH_SIZE])
{
	unsigned char bytes[MRL__HASH_SIZE];

	randombytes_buf(bytes, sizeof(bytes));
	(void)sodium_bin2base64(text, MRL__SECRET_SIZE, bytes, sizeof(bytes), sodium_base64_VARIANT_URLSAFE_NO_PADDING);
	hash_bytes(bytes, hash);
	sodium_memzero(bytes, sizeof(bytes));
}

bool mrl__secret_hash(const char *text, size_t length, unsigned char hash[MRL__HASH_SIZE])
{
	unsigned char bytes[MRL__HASH_SIZE];
	size_t decoded = 0;

	if (length != MRL__SECRET_SIZE - 1 ||
	    sodium_base642bin(bytes, sizeof(bytes), text, length, NULL, &decoded, NULL,
			      sodium_base64_VARIANT_URLSAFE_NO_PADDING) != 0 ||
	    decoded != sizeof(bytes))
		return false;
	hash_bytes(bytes, hash);
	sodium_memzero(bytes, sizeof(bytes));
	return true;
}

bool mrl__password_hash(const char *password, char hash[MRL__PASSWORD_HASH_SIZE])
{
	_Static_assert(MRL__PASSWORD_HASH_SIZE >= crypto_pwhash_STRBYTES, "room for libsodium's text");
	return crypto_pwhash_str(hash, password, strlen(password), crypto_pwhash_OPSLIMIT_INTERACTIVE,
				 crypto_pwhash_MEMLIMIT_INTERACTIVE) == 0;
}

bool mrl__password_check(const char *password, const char *hash)
{
	return crypto_pwhash_str_verify(hash, password, strlen(password)) == 0;
}
