#include "agents/bus_options.h"

#ifdef HAVE_NATS

#include "agents/bus.h"
#include "base/ascii.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define SIGNATURES 3 /* connections that are tried where each is signed */

const char *bus_last_words(natsStatus status)
{
	const char *more = nats_GetLastError(NULL), *behind;

	if (!more || !*more)
		return natsStatus_GetText(status);
	behind = *more == '(' ? strstr(more, "): ") : NULL;
	return behind ? behind + 3 : more;
}

static int refused(const char *what, natsStatus s, struct err_note *why)
{
	return err_set(why, ERR_USAGE, "--join: the library for NATS does not take this %s: %s", what, bus_last_words(s));
}

/* Returns the error for a file that the NATS library cannot use. */
static int useless(const char *file, const char *what, natsStatus status, struct err_note *why)
{
	return err_set(why, access(file, R_OK) ? ERR_FILE : ERR_USAGE, "cannot use '%s' as %s for the NATS server: %s", file, what,
		access(file, R_OK) ? ascii_error(errno) : bus_last_words(status));
}

static int set_tls(natsOptions *o, const struct bus_url *url, const struct bus_access *a, struct err_note *why)
{
	natsStatus s;

	if ((a->cert == NULL) != (a->key == NULL))
		return err_set(why, ERR_USAGE,
			"a certificate for the NATS server needs its key, and the key a certificate: give both");
	if ((url->is_tls || a->cacert || a->cert) && (s = natsOptions_SetSecure(o, true)) != NATS_OK)
		return refused("TLS", s, why);
	if (a->cacert && (s = natsOptions_LoadCATrustedCertificates(o, a->cacert)) != NATS_OK)
		return useless(a->cacert, "certificates to trust", s, why);
	if (a->cert && (s = natsOptions_LoadCertificatesChain(o, a->cert, a->key)) != NATS_OK)
		return useless(a->cert, "certificate, with that key,", s, why);
	return 0;
}

static int set_user(natsOptions *o, const struct bus_url *url, const struct bus_access *a, struct err_note *why)
{
	char public[NKEY_PUBLIC];
	natsStatus s = NATS_OK;

	if (a->creds && (s = natsOptions_SetUserCredentialsFromFiles(o, a->creds, NULL)) != NATS_OK)
		return useless(a->creds, "credentials", s, why);
	if (a->creds && access(a->creds, R_OK)) /* the library would look later */
		return useless(a->creds, "credentials", s, why);
	if (a->nkey && !a->creds) {
		const int err = nkey_read_public(a->nkey, public, why);
		if (err)
			return err;
		s = natsOptions_SetNKeyFromSeed(o, public, a->nkey);
	}
	if (s == NATS_OK && a->user && !url->has_user)
		s = natsOptions_SetUserInfo(o, a->user, a->password ? a->password : "");
	return s == NATS_OK ? 0 : refused("credentials", s, why);
}

static natsStatus set_times(natsOptions *o, const struct bus_url *url)
{
	natsStatus s = natsOptions_SetURL(o, url->server);

	if (s == NATS_OK)
		s = natsOptions_SetTimeout(o, BUS_CONNECT_MS);
	if (s == NATS_OK)
		s = natsOptions_SetMaxReconnect(o, -1);
	if (s == NATS_OK)
		s = natsOptions_SetReconnectWait(o, 200);
	if (s == NATS_OK)
		s = natsOptions_SetFailRequestsOnDisconnect(o, true);
	if (s == NATS_OK)
		s = natsOptions_SetPingInterval(o, 2000);
	return s;
}

int bus_options(natsOptions **out, const struct bus_url *url, const struct bus_access *a, struct err_note *why)
{
	natsStatus s = natsOptions_Create(out);

	if (s == NATS_OK)
		s = set_times(*out, url);
	int err = s == NATS_OK ? set_tls(*out, url, a, why) : refused("URL", s, why);
	if (!err)
		err = set_user(*out, url, a, why);
	return err;
}

natsStatus bus_connect(natsConnection **connection, natsOptions *options, const struct bus_access *a)
{
	natsStatus s = natsConnection_Connect(connection, options);

	for (int again = 1; again < SIGNATURES && s == NATS_CONNECTION_AUTH_FAILED && (a->creds || a->nkey); again++)
		s = natsConnection_Connect(connection, options);
	return s;
}

#endif
