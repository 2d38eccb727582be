/*
 * The functions of libpq, PostgreSQL's client library. It is loaded when a database of PostgreSQL is opened and not
 * before: with all that it brings along it would make every start of the program several times as long.
 */
#ifndef MERELS_STORE_POSTGRES_LIBRARY_H
#define MERELS_STORE_POSTGRES_LIBRARY_H

#include <libpq-fe.h>
#include <stdbool.h>

#include <merels/status.h>

/* X(type, name, libpq's name, arguments) */
#define POSTGRES_FUNCTIONS(X)                                                                               \
	X(PGconn *, connect, "PQconnectdbParams",                                                           \
	  (const char *const *keywords, const char *const *values, int expand))                             \
	X(void, finish, "PQfinish", (PGconn * connection))                                                  \
	X(ConnStatusType, status, "PQstatus", (const PGconn *connection))                                   \
	X(char *, error_message, "PQerrorMessage", (const PGconn *connection))                              \
	X(int, socket, "PQsocket", (const PGconn *connection))                                              \
	X(PQnoticeProcessor, set_notices, "PQsetNoticeProcessor",                                           \
	  (PGconn * connection, PQnoticeProcessor processor, void *argument))                               \
	X(int, set_nonblocking, "PQsetnonblocking", (PGconn * connection, int on))                          \
	X(int, enter_pipeline, "PQenterPipelineMode", (PGconn * connection))                                \
	X(int, pipeline_sync, "PQpipelineSync", (PGconn * connection))                                      \
	X(int, send_prepare, "PQsendPrepare",                                                               \
	  (PGconn * connection, const char *name, const char *sql, int count, const Oid *types))            \
	X(int, send_prepared, "PQsendQueryPrepared",                                                        \
	  (PGconn * connection, const char *name, int count, const char *const *values, const int *lengths, \
	   const int *formats, int format))                                                                 \
	X(int, send_once, "PQsendQueryParams",                                                              \
	  (PGconn * connection, const char *sql, int count, const Oid *types, const char *const *values,    \
	   const int *lengths, const int *formats, int format))                                             \
	X(int, flush, "PQflush", (PGconn * connection))                                                     \
	X(int, is_busy, "PQisBusy", (PGconn * connection))                                                  \
	X(int, consume, "PQconsumeInput", (PGconn * connection))                                            \
	X(PGresult *, get_result, "PQgetResult", (PGconn * connection))                                     \
	X(PGcancel *, get_cancel, "PQgetCancel", (PGconn * connection))                                     \
	X(int, cancel, "PQcancel", (PGcancel * cancel, char *error, int size))                              \
	X(void, free_cancel, "PQfreeCancel", (PGcancel * cancel))                                           \
	X(ExecStatusType, result_status, "PQresultStatus", (const PGresult *result))                        \
	X(char *, result_field, "PQresultErrorField", (const PGresult *result, int field))                  \
	X(int, rows, "PQntuples", (const PGresult *result))                                                 \
	X(int, columns, "PQnfields", (const PGresult *result))                                              \
	X(char *, value, "PQgetvalue", (const PGresult *result, int row, int column))                       \
	X(int, length, "PQgetlength", (const PGresult *result, int row, int column))                        \
	X(int, is_null, "PQgetisnull", (const PGresult *result, int row, int column))                       \
	X(char *, command, "PQcmdStatus", (PGresult * result))                                              \
	X(char *, affected, "PQcmdTuples", (PGresult * result))                                             \
	X(void, clear, "PQclear", (PGresult * result))

struct postgres_library {
#define POSTGRES_MEMBER(type, name, symbol, arguments) type(*name) arguments; /* NOLINT(bugprone-macro-parentheses) */
	POSTGRES_FUNCTIONS(POSTGRES_MEMBER)
#undef POSTGRES_MEMBER
};

/* Loads the library and finds them all. MRL_UNSUPPORTED when there is none, or one that is too old. */
enum mrl_status postgres_library_load(struct postgres_library *library, struct mrl_error *error);

#endif
