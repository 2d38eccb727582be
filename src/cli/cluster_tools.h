/* The actions of `merels cluster`: each returns an exit code, after having said what was wrong. */
#ifndef MERELS_CLI_CLUSTER_TOOLS_H
#define MERELS_CLI_CLUSTER_TOOLS_H

#include "cli.h"
#include "cluster.h"

/* Starts a cluster, watches it, and stops it when this process is to end. Pieces that end are started again when
 * `restart`. */
int cluster_up(const struct cli_command *command, const struct cluster_plan *plan, bool restart);

/* What runs in the folder; stops all of it; has one node hand its games over and end. */
int cluster_status(const struct cli_command *command, const char *folder);
int cluster_down(const struct cli_command *command, const char *folder);
int cluster_drain(const struct cli_command *command, const char *folder, const char *node);

#endif
