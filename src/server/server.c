/*
 * The server as a whole: starts everything on one loop, stops it in order.
 *
 * Stopping: no new connections; sockets are told to come back; replies on their way are finished and events that were
 * given to the store are committed, for 4 seconds at most; then libwebsockets is taken down, which closes what is left,
 * and the loop runs until nothing is on it any more.
 */
#include <merels/server.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <merels/text.h>
#include <os/disk.h>
#include <os/process.h>
#include <os/socket.h>
#include <os/thread.h>

#include "connection.h"
#include "peer.h"
#include "server_internal.h"
#include "tls.h"
#include "web_folder.h"

enum {
	STOP_MS = 4000,        /* patience with replies on their way */
	FAREWELL_MS = 1000,    /* patience with sockets that are told to come back */
	MOST_FAREWELLS = 1000, /* sockets that are closed one by one; more are just let go after the message */
	STOP_LOOK_MS = 10,     /* how often it is looked whether all is done */
	TICK_MS = 10,          /* timers of games, service time */
	DESK_TICKS = 5,        /* the lobby */
	IDLE_SECONDS = 15,     /* a connection on which nothing is asked */
	REQUEST_SIZE = 8192,   /* the headers of a request */
	READ_SIZE = 4096,      /* read at a time */
	MOST_FILES = 65536     /* open at a time: libwebsockets has tables of this size */
};

/* libwebsockets gives what it logs no user pointer, so the one server of the process is known here. */
static const struct mrl_log *library_log;

static void on_library_log(int level, const char *line)
{
	(void)level;
	if (library_log != NULL)
		mrl_log(library_log, MRL_LOG_DEBUG, "libwebsockets: %.*s", (int)strcspn(line, "\n"), line);
}

/* ---- Time --------------------------------------------------------------------------------------------------- */

uint64_t mrl__now_ms(void)
{
	return uv_hrtime() / 1000000;
}

int64_t mrl__wall_ms(void)
{
	uv_timeval64_t now = {0};

	(void)uv_gettimeofday(&now);
	return now.tv_sec * 1000 + now.tv_usec / 1000;
}

uint64_t mrl__service_time(struct mrl__server *server)
{
	/* It stands while the games are being read: nobody could play. */
	if (server->playing) {
		uint64_t now = mrl__now_ms();

		/* A node that was stopped for longer than others wait for it was not there: nobody is charged for that.
		 */
		if (server->nodes != NULL && server->time_seen != 0 && now - server->time_seen > MRL__LONGEST_NAP_MS) {
			server->time_base -= now - server->time_seen;
			mrl__nodes_slept(server, now - server->time_seen);
		}
		server->time_seen = now;
		server->time = now + server->time_base;
	}
	return server->time;
}

/* Once when it begins and once when it ends, however much is refused between. */
static void watch_store(struct mrl__server *server)
{
	struct mrl_error error;
	bool trouble = mrl_store_trouble(server->store, &error) != MRL_OK;

	if (trouble && !server->store_trouble)
		mrl_log(&server->log, MRL_LOG_ERROR, "the store is in trouble, turns are refused: %s", error.message);
	if (!trouble && server->store_trouble)
		mrl_log(&server->log, MRL_LOG_INFO, "the store is well again");
	server->store_trouble = trouble;
}

static void on_tick(uv_timer_t *timer)
{
	struct mrl__server *server = timer->data;

	mrl_store_keep_time(server->store, mrl__service_time(server));
	mrl__peers_end_closing(server);
	mrl__connection_tick(server);
	mrl__engines_tick(server->engines);
	if (!server->playing || server->stopping)
		return;
	mrl__nodes_tick(server);
	mrl__rooms_tick(server);
	server->ticks++;
	if (server->ticks % DESK_TICKS == 0)
		mrl__desk_tick(server);
	if (!mrl__peers_second(&server->peers, mrl__now_ms()))
		return;
	watch_store(server);
	mrl__peers_tick(server);
	mrl__rooms_second(server);
	mrl__desk_second(server);
	if (server->peers.second % 60 == 0) {
		mrl__addresses_sweep(&server->addresses, mrl__now_ms());
		mrl__people_sweep(server);
		mrl__people_tidy(server);
		mrl__gone_refresh(server);
	}
}

/* Everything of this turn of the loop is done. */
static void on_rest(uv_prepare_t *rest)
{
	mrl__nodes_flush(rest->data);
}

/* ---- Stopping ----------------------------------------------------------------------------------------------- */

static void take_down(struct mrl__server *server)
{
	if (server->taken_down)
		return;
	server->taken_down = true;
	uv_close((uv_handle_t *)&server->interrupt, NULL);
	uv_close((uv_handle_t *)&server->terminate, NULL);
	uv_close((uv_handle_t *)&server->hangup, NULL);
	uv_close((uv_handle_t *)&server->drain, NULL);
	uv_close((uv_handle_t *)&server->patience, NULL);
	uv_close((uv_handle_t *)&server->tick, NULL);
	uv_close((uv_handle_t *)&server->rest, NULL);
	/* The store may still wake the loop while it is closed, so this handle is closed last. */
	uv_unref((uv_handle_t *)&server->wake);
	mrl__waiting_close(&server->waiting);
	mrl__engines_stop(server->engines);
	lws_context_destroy(server->context);
}

/* Whether everything that was begun is done; sockets have a moment to answer the goodbye. */
static bool is_idle(const struct mrl__server *server)
{
	return server->busy == 0 && server->rooms.commits == 0 &&
	       (server->peers.count == 0 || mrl__now_ms() >= server->farewell_until);
}

/* Not from inside a callback of libwebsockets, which would be taken down under its own feet: from the loop. */
static void on_patience(uv_timer_t *timer)
{
	struct mrl__server *server = timer->data;

	if (!is_idle(server) && mrl__now_ms() < server->stop_at)
		return;
	if (server->peers.count <= MOST_FAREWELLS) {
		take_down(server);
		return;
	}
	/* To end very many sockets one by one takes long; the system does it at once when the process ends. */
	server->abandoned = true;
	uv_stop(&server->loop);
}

void mrl__server_less_busy(struct mrl__server *server)
{
	server->busy--;
}

static void say_goodbye(struct mrl__server *server)
{
	static const char bye[] = "{\"t\":\"bye\",\"why\":\"stopping\"}";
	struct mrl__message *message = mrl__message_new(bye, sizeof(bye) - 1);

	mrl__peers_send(server, 0, message);
	mrl__message_release(message);
	/* Each closing has timeouts, and libwebsockets 4.1 walks through those of all others to set one. */
	if (server->peers.count <= MOST_FAREWELLS)
		mrl__peers_close(server, 0, NULL, MRL__CLOSE_STOPPING, "stopping");
}

static void on_signal(uv_signal_t *watcher, int number)
{
	struct mrl__server *server = watcher->data;

	if (server->stopping)
		return;
	server->stopping = true;
	mrl_log(&server->log, MRL_LOG_INFO, "stopping (%s)", number == SIGINT ? "SIGINT" : "SIGTERM");
	mrl__nodes_stop(server);
	mrl__listener_stop(&server->listener);
	say_goodbye(server);
	server->farewell_until = mrl__now_ms() + (server->peers.count <= MOST_FAREWELLS ? FAREWELL_MS : 0);
	server->stop_at = mrl__now_ms() + STOP_MS;
	(void)uv_timer_start(&server->patience, on_patience, 0, STOP_LOOK_MS);
}

/* ---- What can be wrong from outside ------------------------------------------------------------------------- */

static enum mrl_status refuse(struct mrl_error *error, const char *what, const char *why)
{
	struct mrl_text text = mrl_error_open(error, MRL_SYSTEM, 0, 0);

	mrl_text_add(&text, what);
	mrl_text_add(&text, why);
	return MRL_SYSTEM;
}

/* Loads the files of the web client, which take the place of those that there were. */
static enum mrl_status load_client(struct mrl__server *server, struct mrl_error *error)
{
	struct mrl__web *web = NULL;
	enum mrl_status status = mrl__web_folder_load(&web, server->settings->web, &server->log, error);

	if (status != MRL_OK)
		return status;
	mrl__web_drop(server->web);
	server->web = web;
	return MRL_OK;
}

/*
 * What may have changed outside of the program is looked at again: bans and sessions, who was deleted, the web client,
 * the certificate.
 */
static void on_hangup(uv_signal_t *watcher, int number)
{
	struct mrl__server *server = watcher->data;
	struct mrl_error error;

	(void)number;
	mrl__people_forget(server, 0);
	mrl__peers_check(server);
	mrl__gone_refresh(server);
	if (load_client(server, &error) != MRL_OK)
		mrl_log(&server->log, MRL_LOG_ERROR, "%s; the one that was there stays", error.message);
	mrl__tls_renew(server);
	mrl_log(&server->log, MRL_LOG_INFO, "settings and sessions are looked at again (SIGHUP)");
}

/* Games go to other nodes, one by one; then the server stops. */
static void on_drain(uv_signal_t *watcher, int number)
{
	struct mrl__server *server = watcher->data;

	(void)number;
	if (server->nodes == NULL)
		mrl_log(&server->log, MRL_LOG_WARNING, "SIGUSR1: there are no other nodes to hand games over to");
	else if (server->playing && !server->stopping)
		mrl__nodes_drain(server);
}

void mrl__server_stop(struct mrl__server *server)
{
	on_signal(&server->terminate, SIGTERM);
}

/* ---- Starting ----------------------------------------------------------------------------------------------- */

static enum mrl_status make_context(struct mrl__server *server, struct mrl_error *error)
{
	/* Nothing is pinged by libwebsockets: peers.c does it, without a timer for each. */
	static const lws_retry_bo_t no_pings = {0};
	void *loops[1] = {&server->loop};
	struct lws_context_creation_info info = {
	    .port = CONTEXT_PORT_NO_LISTEN_SERVER,
	    .protocols = mrl__protocols,
	    .headers = &mrl__every_header,
	    .server_string = "merels",
	    .foreign_loops = loops,
	    .options = LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_EXPLICIT_VHOSTS | LWS_SERVER_OPTION_VALIDATE_UTF8 |
		       LWS_SERVER_OPTION_FALLBACK_TO_APPLY_LISTEN_ACCEPT_CONFIG,
	    .user = server,
	    .pcontext = &server->context,
	    .retry_and_idle_policy = &no_pings,
	    .max_http_header_data = REQUEST_SIZE,
	    .pt_serv_buf_size = READ_SIZE,
	    .timeout_secs = server->settings->request_seconds,
	    .timeout_secs_ah_idle = server->settings->request_seconds,
	    .keepalive_timeout = IDLE_SECONDS,
	    .vhost_name = "merels",
	    /* HTTP/2 has other rules for what connections and requests may do, and a proxy in front speaks it. */
	    .alpn = "http/1.1",
	};

	if (server->secure) {
		info.options |= LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
		info.ssl_cert_filepath = server->settings->tls_cert;
		info.ssl_private_key_filepath = server->settings->tls_key;
	}
	(void)mrl_process_allow_files(MOST_FILES);
	server->context = lws_create_context(&info);
	if (server->context == NULL)
		return refuse(error, "libwebsockets does not start",
			      "; is its libuv event library installed (Debian: libwebsockets-evlib-uv)?");
	server->host = lws_create_vhost(server->context, &info);
	if (server->host == NULL)
		return refuse(error, "libwebsockets does not start: ",
			      server->secure ? "the certificate or its key cannot be used" : "it has no host");
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

/* Takes the port, so that it is known early whether it can be had. Who connects waits until the games are back. */
static enum mrl_status take_port(struct mrl__server *server, struct mrl_error *error)
{
	return mrl_socket_listen(server->settings->listen, &server->port, server->place, error);
}

static bool start_listening(struct mrl__server *server)
{
	server->listener.take = on_connection;
	server->listener.full = on_full;
	server->listener.user = server;
	int problem = mrl__listener_start(&server->listener, &server->loop, server->port);

	if (problem != 0) {
		mrl_log(&server->log, MRL_LOG_ERROR, "cannot listen: %s", uv_strerror(problem));
		return false;
	}
	server->port = -1;
	printf("Merels is at %s://%s/\n", server->secure ? "https" : "http", server->place);
	(void)fflush(stdout);
	mrl_log(&server->log, MRL_LOG_INFO, "listening at %s", server->place);
	return true;
}

static void start_watching(struct mrl__server *server)
{
	(void)uv_signal_init(&server->loop, &server->interrupt);
	(void)uv_signal_init(&server->loop, &server->terminate);
	(void)uv_signal_init(&server->loop, &server->hangup);
	(void)uv_signal_init(&server->loop, &server->drain);
	(void)uv_timer_init(&server->loop, &server->patience);
	(void)uv_timer_init(&server->loop, &server->tick);
	(void)uv_prepare_init(&server->loop, &server->rest);
	mrl__waiting_open(&server->waiting, &server->loop);
	server->interrupt.data = server;
	server->terminate.data = server;
	server->hangup.data = server;
	server->drain.data = server;
	server->patience.data = server;
	server->tick.data = server;
	server->rest.data = server;
	(void)uv_signal_start(&server->interrupt, on_signal, SIGINT);
	(void)uv_signal_start(&server->terminate, on_signal, SIGTERM);
	(void)uv_signal_start(&server->hangup, on_hangup, SIGHUP);
	(void)uv_signal_start(&server->drain, on_drain, SIGUSR1);
}

/* ---- The store and the games -------------------------------------------------------------------------------- */

static void on_wake(uv_async_t *wake)
{
	struct mrl__server *server = wake->data;

	if (server->store != NULL)
		(void)mrl_store_poll(server->store);
	mrl__nodes_poll(server);
}

/* In a thread of the store. */
static void wake_up(void *context)
{
	struct mrl__server *server = context;

	(void)uv_async_send(&server->wake);
}

static void on_restored(struct mrl__server *server, enum mrl_status status)
{
	if (server->taken_down || server->stopping)
		return;
	if (status == MRL_OK) {
		server->time_base = server->time - mrl__now_ms();
		server->playing = true;
		if (start_listening(server))
			return;
	}
	mrl_log(&server->log, MRL_LOG_ERROR, "the server cannot go on");
	on_signal(&server->terminate, SIGTERM);
	server->failed = true;
}

/* A limit on the size of files must be told by the write that fails, and must not end the process. */
static void outlive_full_disks(void)
{
	(void)signal(SIGXFSZ, SIG_IGN);
}

static enum mrl_status open_store(struct mrl__server *server, struct mrl_error *error)
{
	char folder[MRL_SERVER_TEXT_SIZE];
	char place[MRL_SERVER_TEXT_SIZE + 32];
	char alive[MRL_SERVER_TEXT_SIZE + 64];

	outlive_full_disks();
	mrl_process_keep_private();
	(void)snprintf(folder, sizeof(folder), "%s", server->settings->data);
	if (folder[0] == '\0')
		mrl_server_data_folder(folder);
	enum mrl_status status = mrl_disk_make_folder(folder, error);

	if (status != MRL_OK)
		return status;
	if (!mrl_server_database(folder, place))
		return refuse(error, "the name of the data folder is too long: ", folder);
	const char *other = server->settings->store;

	/* Service time stays in the folder, whatever database it is; another database may have a password in its name.
	 */
	(void)snprintf(alive, sizeof(alive), "%s-alive", place + strlen("sqlite:"));
	const struct mrl_store_settings settings = {.place = other[0] == '\0' ? place : other,
						    .alive = alive,
						    .serve = true,
						    .wake = wake_up,
						    .context = server,
						    .node = mrl__nodes_name(server),
						    .node_id = mrl__random_id() >> 1 | 1};

	status = mrl_store_open(&server->store, &settings, error);
	if (status != MRL_OK)
		return status;
	mrl_store_show_place(other[0] == '\0' ? folder : other, place, sizeof(place));
	mrl_log(&server->log, MRL_LOG_INFO, "games and people are in %s", place);
	server->time = mrl_store_first_time(server->store);
	return MRL_OK;
}

static unsigned engine_threads(const struct mrl_server_settings *settings)
{
	unsigned processors = mrl_thread_processors();

	if (settings->engine_threads != 0)
		return settings->engine_threads;
	return processors > 2 ? processors - 1 : 1;
}

static enum mrl_status start_playing(struct mrl__server *server, struct mrl_error *error)
{
	const struct mrl_server_settings *settings = server->settings;

	if (!mrl__secret_init())
		return refuse(error, "cannot start: ", "libsodium has no random numbers");
	if (!mrl__addresses_init(&server->addresses, settings->address_rate, settings->address_sockets) ||
	    !mrl__rooms_init(server) || !mrl__desk_init(server))
		return refuse(error, "cannot start: ", "there is not enough memory");
	enum mrl_status status = open_store(server, error);

	if (status == MRL_OK)
		status = mrl__nodes_open(server, wake_up, error);
	if (status != MRL_OK)
		return status;
	server->engines = mrl__engines_start(server, engine_threads(settings), settings->tables);
	if (server->engines == NULL || !mrl__nodes_use_workers(server))
		return refuse(error, "cannot start: ", "there is no memory or no thread for the computer player");
	(void)uv_timer_start(&server->tick, on_tick, TICK_MS, TICK_MS);
	(void)uv_prepare_start(&server->rest, on_rest);
	mrl__gone_refresh(server);
	if (server->nodes != NULL)
		on_restored(server, MRL_OK);
	else
		mrl__rooms_restore(server, on_restored);
	return MRL_OK;
}

/* The loop has come to its end: what it held is freed. */
static void stop_playing(struct mrl__server *server)
{
	/* Runs the callbacks of what was still being written; nobody is left to be told. */
	mrl__nodes_leave(server);
	mrl_store_close(server->store);
	server->store = NULL;
	mrl__rooms_release(server);
	mrl__nodes_close(server);
	mrl__engines_free(server->engines);
	mrl__desk_release(server);
	mrl__people_release(server);
	mrl__gone_release(server);
	mrl__addresses_release(&server->addresses);
	mrl__json_release(&server->json);
	if (server->port >= 0)
		mrl_socket_close(server->port);
}

static enum mrl_status start(struct mrl__server *server, struct mrl_error *error)
{
	enum mrl_status status = mrl__tls_check(server->settings->tls_cert, server->settings->tls_key, error);

	if (status == MRL_OK)
		status = make_context(server, error);
	if (status == MRL_OK)
		status = take_port(server, error);
	return status == MRL_OK ? start_playing(server, error) : status;
}

static enum mrl_status serve(struct mrl__server *server, struct mrl_error *error)
{
	enum mrl_status status = load_client(server, error);

	if (status != MRL_OK)
		return status;
	int problem = uv_loop_init(&server->loop);

	if (problem == 0)
		problem = uv_async_init(&server->loop, &server->wake, on_wake);
	if (problem != 0)
		return refuse(error, "cannot start: ", uv_strerror(problem));
	server->wake.data = server;
	start_watching(server);
	status = start(server, error);
	if (status != MRL_OK)
		take_down(server);
	(void)uv_run(&server->loop, UV_RUN_DEFAULT);
	if (server->abandoned) {
		mrl__engines_stop(server->engines);
		mrl__nodes_leave(server);
		mrl_store_close(server->store);
		return status;
	}
	/* The first call waited for the loop to close its handles; this one frees the rest. */
	if (server->context != NULL)
		lws_context_destroy(server->context);
	stop_playing(server);
	uv_close((uv_handle_t *)&server->wake, NULL);
	(void)uv_run(&server->loop, UV_RUN_DEFAULT);
	(void)uv_loop_close(&server->loop);
	if (server->failed)
		return refuse(error, "cannot go on: ", "the log says why");
	return status;
}

enum mrl_status mrl_server_run(const struct mrl_server_settings *settings, struct mrl_error *error)
{
	struct mrl__server *server = calloc(1, sizeof(*server));

	if (server == NULL)
		return refuse(error, "cannot start: ", "there is not enough memory");
	server->settings = settings;
	server->secure = settings->tls_cert[0] != '\0';
	server->log = (struct mrl_log){.most = (enum mrl_log_level)settings->log_level, .json = settings->log_json};
	server->listener.fd = -1;
	server->port = -1;
	library_log = &server->log;
	lws_set_log_level(LLL_ERR | LLL_WARN, on_library_log);

	enum mrl_status status = serve(server, error);

	if (status == MRL_OK)
		mrl_log(&server->log, MRL_LOG_INFO, "stopped");
	/* What was abandoned is still referred to by the loop, and gone with the process. */
	if (server->abandoned)
		return status;
	library_log = NULL;
	mrl__web_drop(server->web);
	free(server);
	return status;
}
