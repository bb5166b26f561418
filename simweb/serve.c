#include "simweb/serve.h"
#include "base/ascii.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/output.h"
#include "simweb/answer.h"
#include "simweb/expected.h"

#include <arpa/inet.h>
#include <errno.h>
#include <gnutls/crypto.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define DAY       (24 * 3600)
#define VALID     (365 * DAY)
#define NAME_MOST 254
#define ADDRESSES 254 /* as of simweb/serve.h */

struct tls {
	gnutls_x509_privkey_t ca_key, key; /* of the authority, and of all hosts */
	gnutls_x509_crt_t ca;
	time_t since;
};

static int failed(int code, const char *what, struct err_note *why)
{
	return err_set(why, ERR_OTHER, "cannot make %s: %s", what, gnutls_strerror(code));
}

static int make_key(gnutls_x509_privkey_t *key)
{
	const int code = gnutls_x509_privkey_init(key);

	return code ? code : gnutls_x509_privkey_generate(*key, GNUTLS_PK_EC, GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1), 0);
}

/* Begins with a certificate: version, key, serial number, dates. Returns 0 or an error of GnuTLS. */
static int begin(const struct tls *t, gnutls_x509_crt_t crt, gnutls_x509_privkey_t key)
{
	unsigned char serial[16];
	int code = gnutls_rnd(GNUTLS_RND_NONCE, serial, sizeof serial);

	serial[0] = (unsigned char)(serial[0] & 0x7f) | 0x40; /* a positive number of 16 bytes */
	if (!code)
		code = gnutls_x509_crt_set_version(crt, 3);
	if (!code)
		code = gnutls_x509_crt_set_serial(crt, serial, sizeof serial);
	if (!code)
		code = gnutls_x509_crt_set_activation_time(crt, t->since - DAY);
	if (!code)
		code = gnutls_x509_crt_set_expiration_time(crt, t->since + VALID);
	return code ? code : gnutls_x509_crt_set_key(crt, key);
}

/* Makes two keys and the self-signed certificate of the authority. Returns 0 or a code of GnuTLS. */
static int make_authority(struct tls *t)
{
	static const char name[] = "CN=lycosa serve";
	const char *wrong;
	int code = make_key(&t->ca_key);

	if (!code)
		code = make_key(&t->key);
	if (!code)
		code = gnutls_x509_crt_init(&t->ca);
	if (!code)
		code = begin(t, t->ca, t->ca_key);
	if (!code)
		code = gnutls_x509_crt_set_dn(t->ca, name, &wrong);
	if (!code)
		code = gnutls_x509_crt_set_basic_constraints(t->ca, 1, 0);
	if (!code)
		code = gnutls_x509_crt_set_key_usage(t->ca, GNUTLS_KEY_KEY_CERT_SIGN);
	return code ? code : gnutls_x509_crt_sign2(t->ca, t->ca, t->ca_key, GNUTLS_DIG_SHA256, 0);
}

/* Writes the certificate of the authority as PEM, for clients that are to trust it. */
static int write_authority(const struct tls *t, const char *path, struct err_note *why)
{
	gnutls_datum_t pem;
	struct output *out;
	int code = gnutls_x509_crt_export2(t->ca, GNUTLS_X509_FMT_PEM, &pem);

	if (code)
		return failed(code, "the authority's certificate", why);
	int err = output_open(&out, path, why);
	if (!err) {
		output_bytes(out, pem.data, pem.size);
		err = output_close(out, why);
	}
	gnutls_free(pem.data);
	return err;
}

int tls_new(struct tls **out, const char *ca_path, struct err_note *why)
{
	if (MHD_is_feature_supported(MHD_FEATURE_TLS) != MHD_YES ||
		MHD_is_feature_supported(MHD_FEATURE_HTTPS_CERT_CALLBACK2) != MHD_YES)
		return err_set(why, ERR_OTHER, "this libmicrohttpd has no TLS");
	struct tls *t = mem_zero(1, sizeof *t);
	t->since = time(NULL);
	const int code = make_authority(t);
	const int err = code ? failed(code, "keys for HTTPS", why) : write_authority(t, ca_path, why);
	if (err)
		tls_free(t);
	else
		*out = t;
	return err;
}

void tls_free(struct tls *t)
{
	if (!t)
		return;
	if (t->ca)
		gnutls_x509_crt_deinit(t->ca);
	if (t->ca_key)
		gnutls_x509_privkey_deinit(t->ca_key);
	if (t->key)
		gnutls_x509_privkey_deinit(t->key);
	free(t);
}

/* --- a connection */

/* Attaches the struct tls to the GnuTLS session, by the pointer that GnuTLS reserves for a session cache: no other pointer of
 * the session is free, and this server has no session cache. */
void tls_connection(void *tls, struct MHD_Connection *connection, void **context, enum MHD_ConnectionNotificationCode what)
{
	(void)context;
	if (what != MHD_CONNECTION_NOTIFY_STARTED)
		return;
	const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
	if (info && info->tls_session)
		gnutls_db_set_ptr(info->tls_session, tls);
}

/* Writes the names that a certificate is valid for: the host of the client's SNI, or else localhost and the server's addresses. */
static int set_names(gnutls_x509_crt_t crt, gnutls_session_t session)
{
	char name[NAME_MOST];
	size_t n = sizeof name;
	unsigned kind;

	if (gnutls_server_name_get(session, name, &n, &kind, 0) == 0 && kind == GNUTLS_NAME_DNS)
		return gnutls_x509_crt_set_subject_alt_name(crt, GNUTLS_SAN_DNSNAME, name, (unsigned)strlen(name), GNUTLS_FSAN_SET);
	int code = gnutls_x509_crt_set_subject_alt_name(crt, GNUTLS_SAN_DNSNAME, "localhost", 9, GNUTLS_FSAN_SET);
	for (uint32_t i = 0; !code && i < ADDRESSES; i++) {
		const struct in_addr a = {htonl(INADDR_LOOPBACK + i)};
		code = gnutls_x509_crt_set_subject_alt_name(crt, GNUTLS_SAN_IPADDRESS, &a, sizeof a, GNUTLS_FSAN_APPEND);
	}
	return code;
}

static int make_certificate(const struct tls *t, gnutls_session_t session, gnutls_x509_crt_t crt)
{
	int code = begin(t, crt, t->key);

	if (!code)
		code = set_names(crt, session);
	if (!code)
		code = gnutls_x509_crt_set_key_purpose_oid(crt, GNUTLS_KP_TLS_WWW_SERVER, 0);
	if (!code)
		code = gnutls_x509_crt_set_key_usage(crt, GNUTLS_KEY_DIGITAL_SIGNATURE);
	return code ? code : gnutls_x509_crt_sign2(crt, t->ca, t->ca_key, GNUTLS_DIG_SHA256, 0);
}

/* Copies the key of all hosts for one connection. */
static int copy_key(const struct tls *t, gnutls_privkey_t *key)
{
	int code = gnutls_privkey_init(key);

	if (code)
		return code;
	code = gnutls_privkey_import_x509(*key, t->key, GNUTLS_PRIVKEY_IMPORT_COPY);
	if (code)
		gnutls_privkey_deinit(*key);
	return code;
}

int tls_certificate(gnutls_session_t session, const struct gnutls_cert_retr_st *info, gnutls_pcert_st **certs,
	unsigned *certs_length, gnutls_ocsp_data_st **ocsp, unsigned *ocsp_length, gnutls_privkey_t *key, unsigned *flags)
{
	const struct tls *t = gnutls_db_get_ptr(session);
	gnutls_pcert_st *cert = gnutls_calloc(1, sizeof *cert);
	gnutls_x509_crt_t crt = NULL;
	int code = cert && t ? gnutls_x509_crt_init(&crt) : GNUTLS_E_INTERNAL_ERROR;

	(void)info;
	if (!code)
		code = make_certificate(t, session, crt);
	if (!code)
		code = gnutls_pcert_import_x509(cert, crt, 0);
	if (!code) {
		code = copy_key(t, key);
		if (code)
			gnutls_pcert_deinit(cert);
	}
	if (crt)
		gnutls_x509_crt_deinit(crt);
	if (code) {
		gnutls_free(cert);
		return -1;
	}
	*certs = cert;
	*certs_length = 1;
	*ocsp = NULL;
	*ocsp_length = 0;
	*flags = GNUTLS_CERT_RETR_DEINIT_ALL;
	return 0;
}

#define CONNECTIONS_MAX 10000
#define SPARE_FILES     64    /* descriptors left to the rest of the process */
#define REQUEST_MEMORY  65536 /* bytes a connection: a request line and headers must fit in */
#define IDLE_SECONDS    300
#define ADDRESSES_MAX   254

struct simweb {
	struct answering answering;
	struct stored *stored;
	struct MHD_Daemon *daemon[ADDRESSES_MAX];
	struct tls *tls; /* of the settings */
	unsigned daemons;
	uint16_t port;
};

/* Refuses settings that contradict one another, with a sentence about each contradiction. */
static int check(const struct simweb_settings *set, struct err_note *why)
{
	if (!!set->g + !!set->pages_dir + !!set->endless != 1)
		return err_set(why, ERR_USAGE, "serve a graph, a folder of pages or an endless web, one of them");
	if (set->endless && set->faults.share[FAULT_REDIRECT] > 0)
		return err_set(why, ERR_USAGE, "an endless web has redirects of its own: 'moved' in place of the fault 'redirect'");
	if (set->names && (!set->g || set->names->nodes != set->g->nodes))
		return err_set(why, ERR_USAGE, "URLs or hosts of %u nodes do not go with a graph of %u", set->names->nodes,
			set->g ? set->g->nodes : 0);
	if (set->changing && (!set->g || set->changing->pages != set->g->nodes))
		return err_set(why, ERR_USAGE, "only the pages of a graph can be made to change");
	if (set->addresses > ADDRESSES_MAX)
		return err_set(why, ERR_USAGE, "%u addresses are too many, %d is the most", set->addresses, ADDRESSES_MAX);
	return 0;
}

static unsigned connection_limit(unsigned threads)
{
	struct rlimit files;
	unsigned n = CONNECTIONS_MAX;

	if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < n + SPARE_FILES)
		n = files.rlim_cur > 2 * SPARE_FILES ? (unsigned)files.rlim_cur - SPARE_FILES : SPARE_FILES;
	/* each thread has its own share, at least one */
	return n < threads ? threads : n;
}

/* Lists the options that not every server has. */
static void list_options(const struct simweb *sw, unsigned threads, struct MHD_OptionItem more[4])
{
	unsigned n = 0;

	if (threads > 1) /* MHD takes no pool of one thread */
		more[n++] = (struct MHD_OptionItem){MHD_OPTION_THREAD_POOL_SIZE, (intptr_t)threads, NULL};
	if (sw->tls) {
		more[n++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_CERT_CALLBACK2, 0, (void *)(uintptr_t)tls_certificate};
		more[n++] = (struct MHD_OptionItem){MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)tls_connection, sw->tls};
	}
	more[n] = (struct MHD_OptionItem){MHD_OPTION_END, 0, NULL};
}

/* Starts a daemon on the next loopback address. libmicrohttpd opens the socket itself: it closes a socket that it was given
 * after some failures only. It waits by poll(): with its edge-triggered epoll (0.9.75), requests to a busy machine were
 * sometimes never read. */
static int start_daemon(struct simweb *sw, unsigned threads, uint16_t port, struct err_note *why)
{
	struct answering *w = &sw->answering;
	unsigned flags =
		MHD_USE_POLL_INTERNAL_THREAD | (w->delays ? MHD_ALLOW_SUSPEND_RESUME : MHD_USE_ITC) | (sw->tls ? MHD_USE_TLS : 0u);
	struct sockaddr_in address = {.sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK + sw->daemons)};
	struct MHD_OptionItem more[4];
	list_options(sw, threads, more);

	errno = 0;
	struct MHD_Daemon *daemon = MHD_start_daemon(flags, port, NULL, NULL, answer, w, MHD_OPTION_SOCK_ADDR, &address,
		MHD_OPTION_LISTEN_BACKLOG_SIZE, (unsigned)SOMAXCONN, MHD_OPTION_URI_LOG_CALLBACK, answer_begin, w,
		MHD_OPTION_NOTIFY_COMPLETED, answer_end, w, MHD_OPTION_CONNECTION_LIMIT, connection_limit(threads),
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)REQUEST_MEMORY, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS,
		MHD_OPTION_ARRAY, more, MHD_OPTION_END);
	const union MHD_DaemonInfo *bound = daemon ? MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT) : NULL;
	if (daemon)
		sw->daemon[sw->daemons++] = daemon;
	if (!bound)
		return err_set(why, ERR_FILE, "cannot listen on 127.0.0.%u:%u with %u threads: %s", sw->daemons + 1, port, threads,
			errno ? ascii_error(errno) : "the web server does not start");
	sw->port = bound->port;
	return 0;
}

/* Fills the state that all answers share from the settings. After an error the caller frees what is there. */
static int prepare(struct simweb *sw, const struct simweb_settings *set, struct err_note *why)
{
	struct answering *w = &sw->answering;

	if (set->pages_dir) {
		int err = stored_open(&sw->stored, set->pages_dir, why);
		if (err)
			return err;
	}
	sw->tls = set->tls;
	w->endless = set->endless;
	w->changing = set->changing;
	w->clock = set->clock;
	w->started = clock_ns();
	w->site = (struct site){.g = set->g,
		.names = set->names,
		.stored = sw->stored,
		.tls = set->tls != NULL,
		.default_host = set->default_host ? set->default_host : SIMWEB_HOST};
	if (!w->endless)
		site_init(&w->site);
	w->faults = set->faults;
	w->robots = set->robots;
	if (set->log) {
		w->log = fopen(set->log, "we");
		if (!w->log)
			return err_set(why, ERR_FILE, "cannot write '%s': %s", set->log, ascii_error(errno));
		/* a line leaves the buffer when its request has ended, so that another program can read it at once */
		setvbuf(w->log, NULL, _IOLBF, BUFSIZ);
	}
	if (fault_passes(&w->faults) && !w->endless)
		w->answers = mem_zero((size_t)w->site.pages + 1, sizeof *w->answers);
	if (w->faults.share[FAULT_SLOW] > 0 && !(w->delays = delays_new(w->faults.slow_ms)))
		return err_set(why, ERR_OTHER, "cannot start a thread for slow answers");
	return 0;
}

int simweb_start(struct simweb **out, const struct simweb_settings *set, struct err_note *why)
{
	unsigned threads = set->threads ? set->threads : 1;
	int err = check(set, why);

	if (err)
		return err;
	struct simweb *sw = mem_zero(1, sizeof *sw);
	err = prepare(sw, set, why);
	for (unsigned i = 0; !err && (i == 0 || i < set->addresses); i++)
		err = start_daemon(sw, threads, i ? sw->port : set->port, why);
	if (err) {
		simweb_stop(sw);
		return err;
	}
	*out = sw;
	return 0;
}

void simweb_stop(struct simweb *sw)
{
	if (!sw)
		return;
	/* MHD must not be stopped while a connection is suspended */
	if (sw->answering.delays)
		delays_finish(sw->answering.delays);
	while (sw->daemons)
		MHD_stop_daemon(sw->daemon[--sw->daemons]);
	delays_free(sw->answering.delays);
	site_release(&sw->answering.site);
	stored_close(sw->stored);
	if (sw->answering.log)
		fclose(sw->answering.log);
	free((void *)sw->answering.answers);
	free(sw);
}

uint16_t simweb_port(const struct simweb *sw)
{
	return sw->port;
}

uint32_t simweb_pages(const struct simweb *sw)
{
	return sw->answering.site.pages;
}

void simweb_url(const struct simweb *sw, uint32_t page, struct buf *out)
{
	site_url(&sw->answering.site, page, out);
}

int simweb_write_expected(const struct simweb *sw, const uint32_t *seed, size_t n, unsigned threads, const char *path,
	struct err_note *why)
{
	const struct answering *w = &sw->answering;

	if (!w->site.g)
		return err_set(why, ERR_USAGE, "what to expect is known of a graph alone");
	if (w->changing)
		return err_set(why, ERR_USAGE, "what to expect of a web that changes depends on the time");
	struct robots *rules = w->robots ? robots_parse(w->robots, strlen(w->robots), "lycosa") : NULL;
	const int err = expected_write(&w->site, &w->faults, rules, &(struct expected_reader){seed, n, threads}, path, why);
	robots_free(rules);
	return err;
}

void simweb_counts(const struct simweb *sw, struct simweb_counts *out)
{
	const struct answering *w = &sw->answering;

	*out = (struct simweb_counts){w->requests, w->pages, w->robots_asked, w->not_found, w->faulty};
}
