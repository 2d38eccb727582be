#include "tls.h"

#include <stdbool.h>
#include <stdlib.h>

#include <openssl/err.h>
#include <openssl/ssl.h>

#include <merels/text.h>
#include <os/file.h>

#include "server_internal.h"

enum { MOST_BYTES = 1 << 20 };

static enum mrl_status refuse(struct mrl_error *error, const char *what, const char *path, const char *why)
{
	struct mrl_text text = mrl_error_open(error, MRL_SYSTEM, 0, 0);

	mrl_text_add(&text, what);
	mrl_text_add(&text, path);
	mrl_text_add(&text, why);
	return MRL_SYSTEM;
}

/* OpenSSL would say of a missing file that it is no PEM. */
static enum mrl_status check_file(const char *what, const char *path, struct mrl_error *error)
{
	char *data = NULL;
	size_t length = 0;
	struct mrl_error why;

	if (mrl_file_read(path, MOST_BYTES, &data, &length, &why) != MRL_OK) {
		struct mrl_text text = mrl_error_open(error, MRL_SYSTEM, 0, 0);

		mrl_text_add(&text, what);
		mrl_text_add(&text, path);
		mrl_text_add(&text, ": ");
		mrl_text_add(&text, why.message);
		return MRL_SYSTEM;
	}
	/* It may be the key. */
	OPENSSL_cleanse(data, length);
	free(data);
	return MRL_OK;
}

/* Nobody is there to be asked for a passphrase. */
static int no_passphrase(char *to, int size, int writes, void *asked)
{
	(void)to;
	(void)size;
	(void)writes;
	*(bool *)asked = true;
	return -1;
}

static enum mrl_status check(SSL_CTX *context, const char *cert, const char *key, struct mrl_error *error)
{
	bool asked = false;

	SSL_CTX_set_default_passwd_cb(context, no_passphrase);
	SSL_CTX_set_default_passwd_cb_userdata(context, &asked);
	if (SSL_CTX_use_certificate_chain_file(context, cert) != 1)
		return refuse(error, "the certificate ", cert, " is not one in PEM form");
	if (SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) != 1) {
		if (asked)
			return refuse(error, "the key ", key, " has a passphrase; store it without");
		if (ERR_GET_REASON(ERR_peek_last_error()) == X509_R_KEY_VALUES_MISMATCH)
			return refuse(error, "the key ", key, " is that of another certificate");
		return refuse(error, "the key ", key, " is not one in PEM form");
	}
	if (SSL_CTX_check_private_key(context) != 1)
		return refuse(error, "the key ", key, " is that of another certificate");
	return MRL_OK;
}

enum mrl_status mrl__tls_check(const char *cert, const char *key, struct mrl_error *error)
{
	if (cert[0] == '\0' && key[0] == '\0')
		return MRL_OK;
	if (cert[0] == '\0')
		return refuse(error, "the key ", key, " has no certificate; --tls-cert names it");
	if (key[0] == '\0')
		return refuse(error, "the certificate ", cert, " has no key; --tls-key names it");
	enum mrl_status status = check_file("the certificate ", cert, error);

	if (status == MRL_OK)
		status = check_file("the key ", key, error);
	if (status != MRL_OK)
		return status;
	SSL_CTX *context = SSL_CTX_new(TLS_server_method());

	if (context == NULL)
		return refuse(error, "cannot start: ", "OpenSSL", " does not");
	status = check(context, cert, key, error);
	SSL_CTX_free(context);
	ERR_clear_error();
	return status;
}

void mrl__tls_renew(struct mrl__server *server)
{
	const char *cert = server->settings->tls_cert;
	const char *key = server->settings->tls_key;
	struct mrl_error error;

	if (!server->secure)
		return;
	/* libwebsockets would take a certificate without its key, and then nobody could connect. */
	if (mrl__tls_check(cert, key, &error) != MRL_OK)
		mrl_log(&server->log, MRL_LOG_ERROR, "the certificate stays the old one: %s", error.message);
	else if (lws_tls_cert_updated(server->context, cert, key, NULL, 0, NULL, 0) != 0)
		mrl_log(&server->log, MRL_LOG_ERROR, "the certificate cannot be read anew");
}
