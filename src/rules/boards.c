/* The boards that come with the program, as nothing but their lines. docs/RULES.md draws them. */
#include <merels/rules.h>

#define ROWS_AND_COLUMNS_9 "a1 b1 c1/a2 b2 c2/a3 b3 c3/a1 a2 a3/b1 b2 b3/c1 c2 c3"

#define SIDES_16 "a1 c1 e1/b2 c2 d2/b4 c4 d4/a5 c5 e5/a1 a3 a5/b2 b3 b4/d2 d3 d4/e1 e3 e5"

#define SIDES_AND_SPOKES_24                                                        \
	"a1 d1 g1/b2 d2 f2/c3 d3 e3/a4 b4 c4/e4 f4 g4/c5 d5 e5/b6 d6 f6/a7 d7 g7/" \
	"a1 a4 a7/b2 b4 b6/c3 c4 c5/d1 d2 d3/d5 d6 d7/e3 e4 e5/f2 f4 f6/g1 g4 g7"

static const struct {
	const char *name;
	const char *lines;
} boards[] = {
    {"grid9", ROWS_AND_COLUMNS_9},
    {"grid9x", ROWS_AND_COLUMNS_9 "/a1 b2 c3/a3 b2 c1"},
    {"ring16", SIDES_16 "/c1 c2/a3 b3/d3 e3/c4 c5"},
    {"ring17", SIDES_16 "/c1 c2 c3 c4 c5/a3 b3 c3 d3 e3"},
    {"ring24", SIDES_AND_SPOKES_24},
    {"ring24x", SIDES_AND_SPOKES_24 "/a1 b2 c3/a7 b6 c5/g1 f2 e3/g7 f6 e5"},
};

const char *mrl_board_name(size_t index)
{
	return index < sizeof boards / sizeof boards[0] ? boards[index].name : NULL;
}

const char *mrl_board_lines(size_t index)
{
	return index < sizeof boards / sizeof boards[0] ? boards[index].lines : NULL;
}
