/* nginx in front of the nodes: its settings. packaging/nginx/merels.conf has the same for a real club. */
#include <stdio.h>
#include <stdlib.h>

#include <os/disk.h>

#include "cluster_internal.h"

enum { PATH_SIZE = 256, TEXT_SIZE = 8192 };

/*
 * Requests go to the nodes in turn. The node with the fewest connections (least_conn) would be the worst choice when
 * one hangs: everybody who leaves it, and whoever comes new, would be sent to it again and again. A node that is down,
 * or says 503 because it is being drained or starts, is passed over for a second; a request that may change something
 * is never sent twice.
 *
 * For sockets no node is remembered as down (max_fails=0): nginx takes a node for good again when a request to it has
 * ended well, and sockets do not end, so one that has come back would be given one a second. A node sends something to
 * every socket every 15 s; when nothing comes for longer it hangs, and who is there had better come back elsewhere.
 */
static const char head[] = "daemon off;\n"
			   "master_process off;\n"
			   "pid nginx.pid;\n"
			   "worker_rlimit_nofile 16384;\n"
			   "events {\n"
			   "	worker_connections 8000;\n"
			   "}\n"
			   "http {\n"
			   "	access_log off;\n"
			   "	client_body_temp_path body;\n"
			   "	proxy_temp_path proxy;\n"
			   "	fastcgi_temp_path fastcgi;\n"
			   "	uwsgi_temp_path uwsgi;\n"
			   "	scgi_temp_path scgi;\n"
			   "	map $http_upgrade $merels_connection {\n"
			   "		default upgrade;\n"
			   "		\"\" \"\";\n"
			   "	}\n";

static const char tail[] = "		proxy_http_version 1.1;\n"
			   "		proxy_set_header Host $http_host;\n"
			   "		proxy_set_header X-Forwarded-For $remote_addr;\n"
			   "		proxy_set_header X-Forwarded-Proto $scheme;\n"
			   "		proxy_set_header Upgrade $http_upgrade;\n"
			   "		proxy_set_header Connection $merels_connection;\n"
			   "		proxy_next_upstream error timeout http_502 http_503;\n"
			   "		proxy_connect_timeout 2s;\n"
			   "		proxy_read_timeout 90s;\n"
			   "		proxy_send_timeout 90s;\n"
			   "		proxy_buffering off;\n"
			   "		location / {\n"
			   "			proxy_pass http://merels;\n"
			   "		}\n"
			   "		location = /api/v1/socket {\n"
			   "			proxy_pass http://merels_sockets;\n"
			   "			proxy_read_timeout 35s;\n"
			   "		}\n"
			   "	}\n"
			   "}\n";

static size_t add(char text[TEXT_SIZE], size_t length, const char *more)
{
	int written = snprintf(text + length, TEXT_SIZE - length, "%s", more);

	return written > 0 ? length + (size_t)written : length;
}

/* The nodes as nginx may choose from them, with what it is to think of one that fails. */
static size_t add_nodes(char text[TEXT_SIZE], size_t length, const struct cluster *cluster, const char *name,
			const char *failing)
{
	char line[128];

	(void)snprintf(line, sizeof(line), "	upstream %s {\n		zone %s 256k;\n", name, name);
	length = add(text, length, line);
	for (size_t i = 0; i < cluster->piece_count; i++) {
		if (cluster->pieces[i].kind != CLUSTER_NODE)
			continue;
		(void)snprintf(line, sizeof(line), "		server 127.0.0.1:%u %s;\n", cluster->pieces[i].port,
			       failing);
		length = add(text, length, line);
	}
	return add(text, length, "	}\n");
}

enum mrl_status cluster_balancer_make(const struct cluster *cluster, const struct cluster_piece *balancer,
				      struct mrl_error *error)
{
	char path[PATH_SIZE];
	char line[128];
	struct mrl_disk_file *file = NULL;
	char *text = malloc(TEXT_SIZE);

	if (text == NULL)
		return MRL_SPACE;

	size_t length = add(text, 0, head);

	length = add_nodes(text, length, cluster, "merels", "max_fails=1 fail_timeout=1s");
	length = add_nodes(text, length, cluster, "merels_sockets", "max_fails=0");
	(void)snprintf(line, sizeof(line), "	server {\n		listen 127.0.0.1:%u;\n", balancer->port);
	length = add(text, length, line);
	length = add(text, length, tail);
	(void)snprintf(path, sizeof(path), "%s/balancer/nginx.conf", cluster->folder);

	enum mrl_status status = mrl_disk_open(&file, path, MRL_DISK_CREATE, error);

	if (status == MRL_OK)
		status = mrl_disk_write(file, 0, text, length, error);
	mrl_disk_close(file);
	free(text);
	return status;
}
