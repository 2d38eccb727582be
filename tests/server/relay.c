#include "relay.h"

#include <netinet/in.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include "client.h"

/* ---- Certificates ------------------------------------------------------------------------------------------- */

static FILE *create(const char *folder, const char *name, const char *ending)
{
	char path[512];

	(void)snprintf(path, sizeof(path), "%s/%s%s", folder, name, ending);
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	return file;
}

void certificate_make(const char *folder, const char *name)
{
	EVP_PKEY *key = EVP_EC_gen("P-256");
	X509 *certificate = X509_new();

	assert_non_null(key);
	assert_non_null(certificate);
	X509_NAME *subject = X509_get_subject_name(certificate);

	(void)ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
	(void)X509_gmtime_adj(X509_getm_notBefore(certificate), -3600);
	(void)X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
	assert_int_equal(
	    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, (const unsigned char *)name, -1, -1, 0), 1);
	assert_int_equal(X509_set_issuer_name(certificate, subject), 1);
	assert_int_equal(X509_set_pubkey(certificate, key), 1);
	assert_true(X509_sign(certificate, key, EVP_sha256()) > 0);
	FILE *file = create(folder, name, ".key");

	assert_int_equal(PEM_write_PrivateKey(file, key, NULL, NULL, 0, NULL, NULL), 1);
	assert_int_equal(fclose(file), 0);
	file = create(folder, name, ".pem");
	assert_int_equal(PEM_write_X509(file, certificate), 1);
	assert_int_equal(fclose(file), 0);
	X509_free(certificate);
	EVP_PKEY_free(key);
}

/* TLS to 127.0.0.1; NULL when it does not come about. */
static SSL *speak(SSL_CTX *context, unsigned port)
{
	SSL *ssl = SSL_new(context);

	if (ssl == NULL || SSL_set_fd(ssl, client_connect(port)) != 1)
		return NULL;
	if (SSL_connect(ssl) == 1)
		return ssl;
	(void)close(SSL_get_fd(ssl));
	SSL_free(ssl);
	return NULL;
}

static void hang_up(SSL *ssl)
{
	(void)SSL_shutdown(ssl);
	(void)close(SSL_get_fd(ssl));
	SSL_free(ssl);
}

void certificate_shown(unsigned port, char name[64])
{
	SSL_CTX *context = SSL_CTX_new(TLS_client_method());
	SSL *ssl = speak(context, port);

	name[0] = '\0';
	if (ssl != NULL) {
		X509 *certificate = SSL_get1_peer_certificate(ssl);

		(void)X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName, name, 64);
		X509_free(certificate);
		hang_up(ssl);
	}
	SSL_CTX_free(context);
}

/* ---- The relay ---------------------------------------------------------------------------------------------- */

static bool send_all(int fd, const char *bytes, int length)
{
	for (int at = 0; at < length;) {
		ssize_t sent = send(fd, bytes + at, (size_t)(length - at), MSG_NOSIGNAL);

		if (sent <= 0)
			return false;
		at += (int)sent;
	}
	return true;
}

/* One connection, until either end has had enough. */
static void carry(int plain, SSL *ssl)
{
	struct pollfd wait[2] = {{.fd = plain, .events = POLLIN}, {.fd = SSL_get_fd(ssl), .events = POLLIN}};
	char bytes[16384];

	for (;;) {
		int length = 0;

		if (SSL_pending(ssl) == 0 && poll(wait, 2, -1) < 0)
			return;
		if (SSL_pending(ssl) > 0 || wait[1].revents != 0) {
			length = SSL_read(ssl, bytes, sizeof(bytes));
			bool nothing = length <= 0 && SSL_get_error(ssl, length) == SSL_ERROR_WANT_READ;

			if (!nothing && (length <= 0 || !send_all(plain, bytes, length)))
				return;
		}
		if (wait[0].revents != 0) {
			length = (int)recv(plain, bytes, sizeof(bytes), 0);
			if (length <= 0 || SSL_write(ssl, bytes, length) != length)
				return;
			wait[0].revents = 0;
		}
	}
}

/* A process for each connection. */
static void serve(int listening, unsigned to)
{
	SSL_CTX *context = SSL_CTX_new(TLS_client_method());

	/* What comes is not always for us: a ticket of TLS 1.3 is none that one must wait behind. */
	(void)SSL_CTX_clear_mode(context, SSL_MODE_AUTO_RETRY);
	(void)signal(SIGCHLD, SIG_IGN);
	(void)signal(SIGPIPE, SIG_IGN);
	for (;;) {
		int plain = accept(listening, NULL, NULL);

		if (plain >= 0 && fork() == 0) {
			(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
			SSL *ssl = speak(context, to);

			if (ssl != NULL) {
				carry(plain, ssl);
				hang_up(ssl);
			}
			_exit(0);
		}
		(void)close(plain);
	}
}

void relay_start(struct relay *relay, unsigned to)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t length = sizeof(at);
	int listening = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_int_equal(bind(listening, (const struct sockaddr *)&at, sizeof(at)), 0);
	assert_int_equal(listen(listening, 16), 0);
	assert_int_equal(getsockname(listening, (struct sockaddr *)&at, &length), 0);
	relay->port = ntohs(at.sin_port);
	relay->child = fork();
	assert_true(relay->child >= 0);
	if (relay->child == 0) {
		/* A test that fails leaves nothing behind. */
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		serve(listening, to);
	}
	(void)close(listening);
}

void relay_stop(struct relay *relay)
{
	int status = 0;

	assert_int_equal(kill(relay->child, SIGKILL), 0);
	assert_int_equal(waitpid(relay->child, &status, 0), relay->child);
}
