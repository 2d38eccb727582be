/* Training of the network in src/search/network.h. */
#ifndef MERELS_FIT_NETWORK_TRAIN_H
#define MERELS_FIT_NETWORK_TRAIN_H

#include <stddef.h>
#include <stdio.h>

/* Reads files of positions (positions.h) and writes the source of the network; progress goes to stderr. */
int train_network(unsigned epochs, char **paths, size_t path_count, FILE *out);

#endif
