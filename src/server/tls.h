/* The certificate and its key, looked at before libwebsockets has them, which says little of what is wrong. */
#ifndef MERELS_SERVER_TLS_H
#define MERELS_SERVER_TLS_H

#include <merels/status.h>

/*
 * Whether both files can be used: a certificate with the chain behind it, a key without a passphrase, one belonging to
 * the other, as PEM. Both "" is good. MRL_SYSTEM otherwise: `error` names the file and what is wrong with it.
 */
MRL_MUST_USE enum mrl_status mrl__tls_check(const char *cert, const char *key, struct mrl_error *error);

struct mrl__server;

/* Reads both files anew, for the connections that come; when they cannot be used all stays as it is, and the log says
 * why. */
void mrl__tls_renew(struct mrl__server *server);

#endif
