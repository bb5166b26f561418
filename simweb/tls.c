#include "simweb/tls.h"

#include "base/mem.h"
#include "base/output.h"

#include <arpa/inet.h>
#include <gnutls/crypto.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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
