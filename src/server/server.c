/*
 * The server as a whole: starts everything on one loop, stops it in order.
 *
 * Stopping: no new connections; replies on their way are finished, for 3 seconds at most; then libwebsockets is taken
 * down, which closes what is left, and the loop runs until nothing is on it any more.
 */
#include <merels/server.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <merels/text.h>
#include <os/process.h>
#include <os/socket.h>

#include "connection.h"
#include "peer.h"
#include "server_internal.h"
#include "web_folder.h"

enum {
	STOP_MS = 3000,       /* patience with replies on their way */
	IDLE_SECONDS = 15,    /* a connection on which nothing is asked */
	REQUEST_SECONDS = 10, /* from the first byte of a request to its last */
	REQUEST_SIZE = 8192,  /* the headers of a request */
	READ_SIZE = 4096,     /* read at a time */
	MOST_FILES = 32768    /* open at a time: libwebsockets has tables of this size */
};

/* libwebsockets gives what it logs no user pointer, so the one server of the process is known here. */
static const struct mrl_log *library_log;

static void on_library_log(int level, const char *line)
{
	(void)level;
	if (library_log != NULL)
		mrl_log(library_log, MRL_LOG_DEBUG, "libwebsockets: %.*s", (int)strcspn(line, "\n"), line);
}

/* ---- Stopping ----------------------------------------------------------------------------------------------- */

static void take_down(struct mrl__server *server)
{
	uv_close((uv_handle_t *)&server->interrupt, NULL);
	uv_close((uv_handle_t *)&server->terminate, NULL);
	uv_close((uv_handle_t *)&server->patience, NULL);
	mrl__waiting_close(&server->waiting);
	lws_context_destroy(server->context);
}

/* Not from inside a callback of libwebsockets, which would be taken down under its own feet: from the loop. */
static void on_patience_over(uv_timer_t *timer)
{
	take_down(timer->data);
}

void mrl__server_idle(struct mrl__server *server)
{
	(void)uv_timer_start(&server->patience, on_patience_over, 0, 0);
}

static void on_signal(uv_signal_t *watcher, int number)
{
	struct mrl__server *server = watcher->data;

	if (server->stopping)
		return;
	server->stopping = true;
	mrl_log(&server->log, MRL_LOG_INFO, "stopping (%s)", number == SIGINT ? "SIGINT" : "SIGTERM");
	mrl__listener_stop(&server->listener);
	(void)uv_timer_start(&server->patience, on_patience_over, server->busy > 0 ? STOP_MS : 0, 0);
}

/* ---- Starting ----------------------------------------------------------------------------------------------- */

static enum mrl_status refuse(struct mrl_error *error, const char *what, const char *why)
{
	struct mrl_text text = mrl_error_open(error, MRL_SYSTEM, 0, 0);

	mrl_text_add(&text, what);
	mrl_text_add(&text, why);
	return MRL_SYSTEM;
}

static enum mrl_status load_client(struct mrl__server *server, const struct mrl_server_settings *settings,
				   struct mrl_error *error)
{
	char found[MRL_SERVER_TEXT_SIZE];
	const char *folder = settings->web;

	if (folder[0] == '\0') {
		enum mrl_status status = mrl__web_folder_find(found, sizeof(found), error);

		if (status != MRL_OK)
			return status;
		folder = found;
	}
	struct mrl_error why;

	if (mrl__assets_load(&server->assets, folder, &why) != MRL_OK)
		return refuse(error, "the web client cannot be read: ", why.message);
	mrl_log(&server->log, MRL_LOG_INFO, "%zu files of the web client from %s, %zu bytes", server->assets.count,
		folder, server->assets.bytes);
	return MRL_OK;
}

static enum mrl_status make_context(struct mrl__server *server, struct mrl_error *error)
{
	void *loops[1] = {&server->loop};
	struct lws_context_creation_info info = {
	    .port = CONTEXT_PORT_NO_LISTEN_SERVER,
	    .protocols = mrl__protocols,
	    .headers = &mrl__every_header,
	    .server_string = "merels",
	    .foreign_loops = loops,
	    .options = LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_EXPLICIT_VHOSTS |
		       LWS_SERVER_OPTION_FALLBACK_TO_APPLY_LISTEN_ACCEPT_CONFIG,
	    .user = server,
	    .pcontext = &server->context,
	    .max_http_header_data = REQUEST_SIZE,
	    .pt_serv_buf_size = READ_SIZE,
	    .timeout_secs = REQUEST_SECONDS,
	    .timeout_secs_ah_idle = REQUEST_SECONDS,
	    .keepalive_timeout = IDLE_SECONDS,
	    .vhost_name = "merels",
	};

	(void)mrl_process_allow_files(MOST_FILES);
	server->context = lws_create_context(&info);
	if (server->context == NULL)
		return refuse(error, "libwebsockets does not start",
			      "; is its libuv event library installed (Debian: libwebsockets-evlib-uv)?");
	server->host = lws_create_vhost(server->context, &info);
	if (server->host == NULL)
		return refuse(error, "libwebsockets does not start: ", "it has no host");
	return MRL_OK;
}

static void on_connection(void *user, int fd)
{
	struct mrl__server *server = user;

	/* Takes the socket over, whatever happens. */
	(void)lws_adopt_socket_vhost(server->host, fd);
}

static void on_full(void *user)
{
	struct mrl__server *server = user;

	mrl_log(&server->log, MRL_LOG_WARNING, "no place for more connections; the next must wait");
}

static enum mrl_status start_listening(struct mrl__server *server, const char *where, struct mrl_error *error)
{
	char address[MRL_SOCKET_ADDRESS_SIZE];
	int fd = -1;
	enum mrl_status status = mrl_socket_listen(where, &fd, address, error);

	if (status != MRL_OK)
		return status;
	server->listener.take = on_connection;
	server->listener.full = on_full;
	server->listener.user = server;
	int problem = mrl__listener_start(&server->listener, &server->loop, fd);

	if (problem != 0) {
		mrl_socket_close(fd);
		return refuse(error, "cannot listen: ", uv_strerror(problem));
	}
	printf("Merels is at http://%s/\n", address);
	(void)fflush(stdout);
	mrl_log(&server->log, MRL_LOG_INFO, "listening at %s", address);
	return MRL_OK;
}

static void start_watching(struct mrl__server *server)
{
	(void)uv_signal_init(&server->loop, &server->interrupt);
	(void)uv_signal_init(&server->loop, &server->terminate);
	(void)uv_timer_init(&server->loop, &server->patience);
	mrl__waiting_open(&server->waiting, &server->loop);
	server->interrupt.data = server;
	server->terminate.data = server;
	server->patience.data = server;
	(void)uv_signal_start(&server->interrupt, on_signal, SIGINT);
	(void)uv_signal_start(&server->terminate, on_signal, SIGTERM);
}

static enum mrl_status serve(struct mrl__server *server, const struct mrl_server_settings *settings,
			     struct mrl_error *error)
{
	enum mrl_status status = load_client(server, settings, error);

	if (status != MRL_OK)
		return status;
	int problem = uv_loop_init(&server->loop);

	if (problem != 0)
		return refuse(error, "cannot start: ", uv_strerror(problem));
	start_watching(server);
	status = make_context(server, error);
	if (status == MRL_OK)
		status = start_listening(server, settings->listen, error);
	if (status != MRL_OK)
		take_down(server);
	(void)uv_run(&server->loop, UV_RUN_DEFAULT);
	/* The first call waited for the loop to close its handles; this one frees the rest. */
	if (server->context != NULL)
		lws_context_destroy(server->context);
	(void)uv_loop_close(&server->loop);
	return status;
}

enum mrl_status mrl_server_run(const struct mrl_server_settings *settings, struct mrl_error *error)
{
	struct mrl__server *server = calloc(1, sizeof(*server));

	if (server == NULL)
		return refuse(error, "cannot start: ", "there is not enough memory");
	server->log = (struct mrl_log){.most = (enum mrl_log_level)settings->log_level, .json = settings->log_json};
	server->listener.fd = -1;
	library_log = &server->log;
	lws_set_log_level(LLL_ERR | LLL_WARN, on_library_log);

	enum mrl_status status = serve(server, settings, error);

	if (status == MRL_OK)
		mrl_log(&server->log, MRL_LOG_INFO, "stopped");
	library_log = NULL;
	mrl__assets_release(&server->assets);
	free(server);
	return status;
}
