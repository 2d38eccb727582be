/* Where the other programs are, and where they are to be had. */
#include <stdio.h>
#include <string.h>

#include <merels/text.h>

#include "cluster_internal.h"

static const char *const postgres_folders[] = {"/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", NULL};
static const char *const system_folders[] = {"/usr/sbin", "/usr/local/sbin", NULL};

/* Adds a sentence for a program that is not there. */
static void miss(struct mrl_text *text, bool *missing, const char *name, const char *package)
{
	mrl_text_add(text, *missing ? "; " : "");
	mrl_text_add(text, name);
	mrl_text_add(text, " is not installed (Debian: apt install ");
	mrl_text_add(text, package);
	mrl_text_add(text, ")");
	*missing = true;
}

enum mrl_status cluster_find_programs(struct cluster *cluster, struct mrl_error *error)
{
	struct mrl_text text = mrl_error_open(error, MRL_NAME, 0, 0);
	bool missing = false;

	(void)snprintf(cluster->paths[CLUSTER_NODE], MRL_PROGRAM_PATH_SIZE, "%s", cluster->plan.program);
	memcpy(cluster->paths[CLUSTER_WORKER], cluster->paths[CLUSTER_NODE], MRL_PROGRAM_PATH_SIZE);
	if (!mrl_program_find("postgres", postgres_folders, cluster->paths[CLUSTER_POSTGRES]) ||
	    !mrl_program_find("initdb", postgres_folders, cluster->initdb))
		miss(&text, &missing, "PostgreSQL", "postgresql");
	if (cluster->plan.nodes > 1 && !mrl_program_find("nats-server", system_folders, cluster->paths[CLUSTER_BUS]))
		miss(&text, &missing, "nats-server", "nats-server");
	if (!mrl_program_find("nginx", system_folders, cluster->paths[CLUSTER_BALANCER]))
		miss(&text, &missing, "nginx", "nginx-light");
	return missing ? MRL_NAME : MRL_OK;
}
