/* HTTPS for the fake web: an authority of its own for the run, and for each connection a certificate of the host that the client
 * asks for (SNI), which the authority signs at once. So a web of any number of hosts needs no list of them.
 *
 *	err = tls_new(&tls, "ca.pem", why);                  a client trusts what ca.pem has signed (crawl --cacert ca.pem)
 *	MHD_start_daemon(flags | MHD_USE_TLS, ...,
 *		MHD_OPTION_HTTPS_CERT_CALLBACK2, tls_certificate, MHD_OPTION_NOTIFY_CONNECTION, tls_connection, tls, ...);
 *	tls_free(tls);                                       when the daemon has ended
 *
 * The keys are made anew for each run, and never leave the process; only the authority's certificate is written. It is valid for a
 * year. A client that names no host gets a certificate for localhost and the addresses of the server. */
#ifndef SIMWEB_TLS_H
#define SIMWEB_TLS_H

#include "base/err.h"

#include <gnutls/abstract.h>
#include <gnutls/gnutls.h>
#include <microhttpd.h>

struct tls;

/* Makes the keys, and writes the authority's certificate to a file. Returns 0; ERR_FILE; or ERR_OTHER if libmicrohttpd was built
 * without TLS, or keys cannot be made. */
int tls_new(struct tls **, const char *ca_path, struct err_note *why) MUST_USE;

/* Frees the keys. NULL is allowed. */
void tls_free(struct tls *);

/* Tells a new connection of its struct tls, the context of the callback. */
void tls_connection(void *tls, struct MHD_Connection *, void **context, enum MHD_ConnectionNotificationCode);

/* Makes the certificate for a connection. Threads may call it at once. */
int tls_certificate(gnutls_session_t, const struct gnutls_cert_retr_st *info, gnutls_pcert_st **certs, unsigned *certs_length,
	gnutls_ocsp_data_st **ocsp, unsigned *ocsp_length, gnutls_privkey_t *key, unsigned *flags);

#endif
