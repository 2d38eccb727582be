/* The two ways in which a game is shown: lines of text, or a screen. Each runs until the person has had enough. */
#ifndef MERELS_CLI_PLAY_VIEWS_H
#define MERELS_CLI_PLAY_VIEWS_H

#include "play.h"
#include "play_computer.h"

/* Both return an exit code and have said what was wrong if it is not 0. */
int play_plain(struct play *play, struct play_computer *computer);
int play_screen(struct play *play, struct play_computer *computer);

extern const struct cli_command cli_play;

#endif
