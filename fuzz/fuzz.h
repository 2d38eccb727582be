/*
 * What the fuzzers share. Each defines LLVMFuzzerTestOneInput(), which libFuzzer calls with inputs of its own making
 * (preset `fuzz`) and replay.c with the files it is given (every other build).
 *
 * An input is text: its first line names the rule set, the rest is what the fuzzer is about.
 */
#ifndef MERELS_FUZZ_H
#define MERELS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <merels/rules.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A fault of the library: says which and ends the process, which a fuzzer takes for a crash. */
#define MUST(condition)                                                                         \
	do {                                                                                    \
		if (!(condition)) {                                                             \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
			abort();                                                                \
		}                                                                               \
	} while (0)

struct fuzz_text {
	const char *data;
	size_t length;
};

/* Cuts the first line off, without its newline. */
static inline struct fuzz_text fuzz_line(struct fuzz_text *rest)
{
	struct fuzz_text line = {rest->data, 0};

	while (line.length < rest->length && rest->data[line.length] != '\n')
		line.length++;
	rest->data += line.length + (line.length < rest->length);
	rest->length -= line.length + (line.length < rest->length);
	return line;
}

/*
 * The rule set that the first line names; nine when it names none. Those read last are remembered, as to compute a
 * board takes longer than all the rest.
 */
static inline const struct mrl_rules *fuzz_rules(struct fuzz_text *rest)
{
	static struct {
		char name[64];
		size_t length;
		struct mrl_rules rules;
	} known[16];
	static size_t next;
	struct fuzz_text name = fuzz_line(rest);
	size_t slot = next % 16;

	if (name.length >= sizeof known[0].name)
		name = (struct fuzz_text){"nine", 4};
	for (size_t i = 0; i < 16; i++)
		if (known[i].length == name.length && name.length > 0 &&
		    memcmp(known[i].name, name.data, name.length) == 0)
			return &known[i].rules;
	next++;
	if (mrl_rules_parse(&known[slot].rules, name.data, name.length, NULL) != MRL_OK)
		MUST(mrl_rules_parse(&known[slot].rules, "nine", 4, NULL) == MRL_OK);
	known[slot].length = name.length;
	memcpy(known[slot].name, name.data, name.length);
	return &known[slot].rules;
}

/* An error must say what is wrong, in words that can be shown, and where, unless it is of no text. */
static inline void fuzz_check_error(const struct mrl_error *error, enum mrl_status status, struct fuzz_text text)
{
	size_t lines = 1;

	for (size_t i = 0; i < text.length; i++)
		lines += text.data[i] == '\n';
	MUST(status < 0 && error->status == status);
	MUST(error->line >= 1 && error->line <= lines);
	MUST(error->column >= 1 && error->column <= text.length + 1);
	MUST(error->message[0] != '\0');
	for (const char *c = error->message; *c != '\0'; c++)
		MUST((unsigned char)*c >= 0x20 && (unsigned char)*c != 0x7f);
}

#endif
