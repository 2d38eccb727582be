/*
 * The functions of cnats, the client library of NATS. It is loaded when a bus over NATS is opened and not before, so
 * that a start without one costs nothing.
 */
#ifndef MERELS_BUS_NATS_LIBRARY_H
#define MERELS_BUS_NATS_LIBRARY_H

#include <nats/nats.h>

#include <merels/status.h>

/* X(type, name, cnats's name, arguments) */
#define NATS_FUNCTIONS(X)                                                                                              \
	X(const char *, last_error, "nats_GetLastError", (natsStatus * status))                                        \
	X(const char *, status_text, "natsStatus_GetText", (natsStatus status))                                        \
	X(void, release_thread, "nats_ReleaseThreadMemory", (void))                                                    \
	X(natsStatus, inbox_create, "natsInbox_Create", (natsInbox * *inbox))                                          \
	X(void, inbox_destroy, "natsInbox_Destroy", (natsInbox * inbox))                                               \
	X(natsStatus, options_create, "natsOptions_Create", (natsOptions * *options))                                  \
	X(void, options_destroy, "natsOptions_Destroy", (natsOptions * options))                                       \
	X(natsStatus, set_servers, "natsOptions_SetServers", (natsOptions * options, const char **servers, int count)) \
	X(natsStatus, set_timeout, "natsOptions_SetTimeout", (natsOptions * options, int64_t ms))                      \
	X(natsStatus, set_name, "natsOptions_SetName", (natsOptions * options, const char *name))                      \
	X(natsStatus, set_secure, "natsOptions_SetSecure", (natsOptions * options, bool secure))                       \
	X(natsStatus, set_certificates, "natsOptions_LoadCATrustedCertificates",                                       \
	  (natsOptions * options, const char *file))                                                                   \
	X(natsStatus, set_credentials, "natsOptions_SetUserCredentialsFromFiles",                                      \
	  (natsOptions * options, const char *file, const char *seed))                                                 \
	X(natsStatus, set_ping_interval, "natsOptions_SetPingInterval", (natsOptions * options, int64_t ms))           \
	X(natsStatus, set_most_pings, "natsOptions_SetMaxPingsOut", (natsOptions * options, int count))                \
	X(natsStatus, set_reconnect, "natsOptions_SetAllowReconnect", (natsOptions * options, bool allow))             \
	X(natsStatus, set_write_deadline, "natsOptions_SetWriteDeadline", (natsOptions * options, int64_t ms))         \
	X(natsStatus, set_global_delivery, "natsOptions_UseGlobalMessageDelivery",                                     \
	  (natsOptions * options, bool global))                                                                        \
	X(natsStatus, set_send_asap, "natsOptions_SetSendAsap", (natsOptions * options, bool asap))                    \
	X(natsStatus, set_event_loop, "natsOptions_SetEventLoop",                                                      \
	  (natsOptions * options, void *loop, natsEvLoop_Attach attach, natsEvLoop_ReadAddRemove read,                 \
	   natsEvLoop_WriteAddRemove write, natsEvLoop_Detach detach))                                                 \
	X(natsStatus, set_closed, "natsOptions_SetClosedCB",                                                           \
	  (natsOptions * options, natsConnectionHandler handler, void *closure))                                       \
	X(natsStatus, set_error, "natsOptions_SetErrorHandler",                                                        \
	  (natsOptions * options, natsErrHandler handler, void *closure))                                              \
	X(natsStatus, connect, "natsConnection_Connect", (natsConnection * *connection, natsOptions * options))        \
	X(void, destroy, "natsConnection_Destroy", (natsConnection * connection))                                      \
	X(natsStatus, flush, "natsConnection_FlushTimeout", (natsConnection * connection, int64_t ms))                 \
	X(int64_t, most_payload, "natsConnection_GetMaxPayload", (natsConnection * connection))                        \
	X(natsStatus, connection_error, "natsConnection_GetLastError",                                                 \
	  (natsConnection * connection, const char **text))                                                            \
	X(natsStatus, connected_url, "natsConnection_GetConnectedUrl",                                                 \
	  (natsConnection * connection, char *buffer, size_t size))                                                    \
	X(natsStatus, publish, "natsConnection_Publish",                                                               \
	  (natsConnection * connection, const char *subject, const void *data, int length))                            \
	X(natsStatus, publish_request, "natsConnection_PublishRequest",                                                \
	  (natsConnection * connection, const char *subject, const char *reply, const void *data, int length))         \
	X(natsStatus, subscribe, "natsConnection_Subscribe",                                                           \
	  (natsSubscription * *subscription, natsConnection * connection, const char *subject, natsMsgHandler handler, \
	   void *closure))                                                                                             \
	X(natsStatus, subscribe_group, "natsConnection_QueueSubscribe",                                                \
	  (natsSubscription * *subscription, natsConnection * connection, const char *subject, const char *group,      \
	   natsMsgHandler handler, void *closure))                                                                     \
	X(natsStatus, subscribe_quietly, "natsConnection_SubscribeSync",                                               \
	  (natsSubscription * *subscription, natsConnection * connection, const char *subject))                        \
	X(natsStatus, subscribe_group_quietly, "natsConnection_QueueSubscribeSync",                                    \
	  (natsSubscription * *subscription, natsConnection * connection, const char *subject, const char *group))     \
	X(natsStatus, next_message, "natsSubscription_NextMsg",                                                        \
	  (natsMsg * *message, natsSubscription * subscription, int64_t ms))                                           \
	X(void, process_read, "natsConnection_ProcessReadEvent", (natsConnection * connection))                        \
	X(void, process_write, "natsConnection_ProcessWriteEvent", (natsConnection * connection))                      \
	X(int, buffered, "natsConnection_Buffered", (natsConnection * connection))                                     \
	X(natsStatus, set_limits, "natsSubscription_SetPendingLimits",                                                 \
	  (natsSubscription * subscription, int messages, int bytes))                                                  \
	X(natsStatus, set_complete, "natsSubscription_SetOnCompleteCB",                                                \
	  (natsSubscription * subscription, natsOnCompleteCB handler, void *closure))                                  \
	X(natsStatus, unsubscribe, "natsSubscription_Unsubscribe", (natsSubscription * subscription))                  \
	X(void, subscription_destroy, "natsSubscription_Destroy", (natsSubscription * subscription))                   \
	X(const char *, subject, "natsMsg_GetSubject", (const natsMsg *message))                                       \
	X(const char *, reply, "natsMsg_GetReply", (const natsMsg *message))                                           \
	X(const char *, data, "natsMsg_GetData", (const natsMsg *message))                                             \
	X(int, data_length, "natsMsg_GetDataLength", (const natsMsg *message))                                         \
	X(bool, is_nobody, "natsMsg_IsNoResponders", (natsMsg * message))                                              \
	X(void, message_destroy, "natsMsg_Destroy", (natsMsg * message))

struct nats_library {
#define NATS_MEMBER(type, name, symbol, arguments) type(*name) arguments; /* NOLINT(bugprone-macro-parentheses) */
	NATS_FUNCTIONS(NATS_MEMBER)
#undef NATS_MEMBER
};

/* Loads the library and finds them all. MRL_UNSUPPORTED when there is none, or one that is too old. */
enum mrl_status nats_library_load(struct nats_library *library, struct mrl_error *error);

#endif
