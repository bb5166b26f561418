/* The fake web: an HTTP server on 127.0.0.1 for the pages of a graph, or for stored pages. Each
 * page has its own host and path, and faults can be injected. The server is also a proxy to
 * itself: a client reaches the hosts by connecting to 127.0.0.1:PORT instead of them (curl's
 * --connect-to), or by using 127.0.0.1:PORT as its proxy.
 *
 *	simweb_start(&web, &(struct simweb_settings){.g = graph, .names = names}, why);
 *	crawl("127.0.0.1", simweb_port(web));
 *	simweb_stop(web);
 *
 * The host, path and query of a request select the page. The host is that of an absolute-form
 * request line, or else that of the Host header; the port counts only if several URLs differ in
 * nothing else. Without `tls` the server also serves https URLs, over plain HTTP. site_find() says where a page
 * without a URL stands: a graph without names is also served at http://127.0.0.1:PORT/LABEL. The
 * answer to any other request is 404; the answer to any method but GET and HEAD is 405. */
#ifndef SIMWEB_SERVE_H
#define SIMWEB_SERVE_H

#include "base/buf.h"
#include "base/err.h"
#include "graph/formats/names.h"
#include "graph/graph.h"
#include "simweb/changing.h"
#include "simweb/endless.h"
#include "simweb/fault.h"

#include <gnutls/abstract.h>
#include <gnutls/gnutls.h>
#include <microhttpd.h>
#include <stdint.h>

/* --- HTTPS for the fake web: an authority of its own for the run, and for each connection a certificate of the host that the
 * client asks for (SNI), which the authority signs at once. So a web of any number of hosts needs no list of them.
 *
 *	err = tls_new(&tls, "ca.pem", why);                  a client trusts what ca.pem has signed (crawl --cacert ca.pem)
 *	MHD_start_daemon(flags | MHD_USE_TLS, ...,
 *		MHD_OPTION_HTTPS_CERT_CALLBACK2, tls_certificate, MHD_OPTION_NOTIFY_CONNECTION, tls_connection, tls, ...);
 *	tls_free(tls);                                       when the daemon has ended
 *
 * The keys are made anew for each run, and never leave the process; only the authority's certificate is written. It is valid for a
 * year. A client that names no host gets a certificate for localhost and the addresses of the server. */

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

struct simweb;

#define SIMWEB_HOST "node.test"

/* The settings of a server. Exactly one of `g`, `pages_dir` and `endless` must be set. All that the pointers
 * refer to must outlive the server. */
struct simweb_settings {
	const struct graph *g;
	const struct names *names;       /* the names of g's nodes; NULL if there are none */
	const char *pages_dir;           /* a folder with index.tsv, see simweb/site.h */
	const struct endless *endless;   /* see simweb/endless.h; its faults must not include redirects */
	const struct changing *changing; /* what the pages of g are like at a time; NULL: they do not change */
	int64_t clock;                   /* the web's time when the server starts, in s since 1970, for changes */
	/* HTTPS in place of HTTP, with certificates that this struct makes; NULL: HTTP. The URLs of nodes without
	 * one then begin with https; an endless web has to be told by its field `tls`. */
	struct tls *tls;
	uint16_t port;                /* 0 means any free port */
	unsigned addresses;           /* the number of addresses, 127.0.0.1, 127.0.0.2 ...: at most 254; 0
			       means 1 */
	const char *log;              /* the file of the request log (answer.c), or NULL */
	unsigned threads;             /* 0 means 1; a thread can serve more than one connection */
	const char *default_host;     /* the host of nodes without one; NULL means SIMWEB_HOST */
	struct fault_settings faults; /* a zeroed struct means no faults */
	/* The robots.txt of every host, as a NUL-terminated text. If it is NULL, a request for
	 * /robots.txt gets the page with this URL, or 404. Faults do not affect robots.txt. */
	const char *robots;
};

/* Starts a server. The function returns ERR_USAGE if the settings have none or two of graph, pages
 * and endless web, or if the names belong to another graph; ERR_FILE if the index or the log cannot be opened
 * or the port is taken; ERR_FORMAT if the index is malformed. */
int simweb_start(struct simweb **, const struct simweb_settings *, struct err_note *why) MUST_USE;

/* Ends all connections (waiting connections too), joins the threads and frees the server. A NULL
 * pointer is allowed. */
void simweb_stop(struct simweb *);

/* Returns the port on which the server listens. */
uint16_t simweb_port(const struct simweb *);

/* Returns the number of pages: the nodes of the graph or the rows of the index; 0 of an endless web. */
uint32_t simweb_pages(const struct simweb *);

/* Appends the URL of a page of a graph or of an index to the buffer. */
void simweb_url(const struct simweb *, uint32_t page, struct buf *out);

/* Writes what a patient reader gets of the web that starts at the pages seed[n] and computes with so many threads
 * (simweb/expected.h), of a graph; for an endless web see simweb/endless_expected.h. A robots.txt is that of the settings, for the
 * product token "lycosa". Returns 0; ERR_USAGE if stored pages are served, whose links the server does not know, or pages that
 * change; or ERR_FILE. */
int simweb_write_expected(const struct simweb *, const uint32_t *seed, size_t n, unsigned threads, const char *path,
	struct err_note *why) MUST_USE;

/* The numbers of the requests so far. */
struct simweb_counts {
	uint64_t requests;  /* all requests */
	uint64_t pages;     /* requests answered with a page: slow, packed, cut off, or whole */
	uint64_t robots;    /* requests for a robots.txt from the settings, or for a missing one */
	uint64_t not_found; /* requests for a page that does not exist */
	uint64_t faults;    /* requests answered by FAULT_404..FAULT_DROP, cut-off pages included */
};

/* Gives the numbers of the requests so far. The function is thread-safe. */
void simweb_counts(const struct simweb *, struct simweb_counts *);

#endif
