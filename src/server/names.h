/* What a name and a password may be. Thread-safe. */
#ifndef MERELS_SERVER_NAMES_H
#define MERELS_SERVER_NAMES_H

#include <stdbool.h>

#define MRL__NAME_MOST 20
#define MRL__NAME_SHOULD "2 to 20 letters, digits, _ or -, a letter first"
#define MRL__PASSWORD_SHOULD "a text of 8 to 200 bytes"

bool mrl__name_is_good(const char *name);

/* Names that would be taken for something else: "deleted", "guest", "computer", "merels", in letters of any size. */
bool mrl__name_is_reserved(const char *name);

bool mrl__password_is_good(const char *password);

#endif
