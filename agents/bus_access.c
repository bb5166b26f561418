#include "agents/bus_access.h"
#include "base/ascii.h"

#include <errno.h>
#ifdef HAVE_NATS
#include <nettle/eddsa.h>
#endif
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int malformed(const char *what, struct err_note *why)
{
	return err_set(why, ERR_USAGE, "--join: %s; give nats://HOST:PORT/NAME, where NAME is the crawl's", what);
}

static int is_name(const char *name)
{
	const size_t n = strlen(name);

	return n > 0 && n < BUS_NAME_MAX && strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") == n;
}

int bus_url_read(struct bus_url *u, const char *text, struct err_note *why)
{
	const char *host, *slash;

	*u = (struct bus_url){.is_tls = strncmp(text, "tls://", 6) == 0};
	if (strncmp(text, "nats://", 7) != 0 && !u->is_tls)
		return malformed("the text does not begin with nats:// or tls://", why);
	host = strstr(text, "://") + 3;
	slash = strchr(host, '/');
	if (!slash || slash == host)
		return malformed(slash ? "no host is named" : "no crawl is named", why);
	if (!is_name(slash + 1))
		return malformed("the crawl's name has other characters than letters, digits, '-' and '_', or too many", why);
	if ((size_t)(slash - text) >= sizeof u->server)
		return malformed("the text is too long", why);
	snprintf(u->server, sizeof u->server, "%.*s", (int)(slash - text), text);
	for (const char *at = host; at < slash; at++)
		if (*at == '@')
			host = at + 1, u->has_user = 1;
	if ((size_t)(slash - host) >= sizeof u->place || slash == host)
		return malformed("no host is named, or a host that is too long", why);
	snprintf(u->place, sizeof u->place, "%.*s", (int)(slash - host), host);
	snprintf(u->name, sizeof u->name, "%s", slash + 1);
	return 0;
}

static void from(const char **field, const char *variable)
{
	const char *value = getenv(variable);

	if (!*field && value && *value)
		*field = value;
}

void bus_access_from_environment(struct bus_access *a)
{
	from(&a->creds, "NATS_CREDS");
	from(&a->nkey, "NATS_NKEY");
	from(&a->cacert, "NATS_CA");
	from(&a->cert, "NATS_CERT");
	from(&a->key, "NATS_KEY");
	from(&a->user, "NATS_USER");
	from(&a->password, "NATS_PASSWORD");
}

/* --- nkeys: Ed25519 keys as NATS writes them, in base 32 without padding. Before coding, a public key is a byte with its kind and
 * 32 bytes; a seed is 5 bits that say so, 8 bits with the kind of the key, 3 bits 0, and 32 bytes. Behind both stand two bytes with
 * a CRC-16 (XMODEM), the lower one first. */

#ifdef HAVE_NATS

#define SEED_TEXT  58
#define SEED_BYTES 36        /* 2 of kind, the key, 2 of check */
#define KIND_SEED  (18 << 3) /* S */
#define KIND_USER  (20 << 3) /* U */

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

static unsigned crc16(const uint8_t *bytes, size_t n)
{
	unsigned crc = 0;

	for (size_t i = 0; i < n; i++) {
		crc ^= (unsigned)bytes[i] << 8;
		for (int bit = 0; bit < 8; bit++)
			crc = (crc << 1 ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
	}
	return crc;
}

/* Decodes n digits. Returns 0 or -1. */
static int decode(const char *text, size_t n, uint8_t *out)
{
	unsigned bits = 0, held = 0;

	for (size_t i = 0; i < n; i++) {
		const char *digit = text[i] ? strchr(digits, text[i]) : NULL;
		if (!digit)
			return -1;
		held = (held << 5 | (unsigned)(digit - digits)) & 0xfff;
		bits += 5;
		if (bits >= 8)
			*out++ = (uint8_t)(held >> (bits -= 8));
	}
	return 0;
}

static void encode(const uint8_t *bytes, size_t n, char *out)
{
	unsigned bits = 0, held = 0;

	for (size_t i = 0; i < n; i++) {
		held = (held << 8 | bytes[i]) & 0xfff;
		for (bits += 8; bits >= 5; bits -= 5)
			*out++ = digits[held >> (bits - 5) & 31];
	}
	if (bits)
		*out++ = digits[held << (5 - bits) & 31];
	*out = 0;
}

/* Returns 0 if the line is the seed of a user's nkey, whose public key is then written; else -1. */
static int read_line(const char *line, char public[NKEY_PUBLIC])
{
	uint8_t seed[SEED_BYTES], key[1 + ED25519_KEY_SIZE + 2] = {KIND_USER};

	if (strspn(line, digits) != SEED_TEXT || decode(line, SEED_TEXT, seed))
		return -1;
	const unsigned crc = crc16(seed, SEED_BYTES - 2), kind = (seed[0] & 7u) << 5 | (seed[1] & 0xf8u) >> 3;
	if ((seed[0] & 0xf8) != KIND_SEED || kind != KIND_USER || seed[34] != (crc & 0xff) || seed[35] != crc >> 8)
		return -1;
	ed25519_sha512_public_key(key + 1, seed + 2);
	const unsigned check = crc16(key, sizeof key - 2);
	key[sizeof key - 2] = (uint8_t)check;
	key[sizeof key - 1] = (uint8_t)(check >> 8);
	encode(key, sizeof key, public);
	memset(seed, 0, sizeof seed);
	return 0;
}

int nkey_read_public(const char *file, char public[NKEY_PUBLIC], struct err_note *why)
{
	FILE *f = fopen(file, "r");
	char line[256];
	int status = -1;

	if (!f)
		return err_set(why, ERR_FILE, "cannot open '%s': %s", file, ascii_error(errno));
	while (status && fgets(line, sizeof line, f))
		status = read_line(line, public);
	memset(line, 0, sizeof line);
	fclose(f);
	return status ? err_set(why, ERR_USAGE, "'%s' has no seed of a user's nkey (SU and 56 letters and digits)", file) : 0;
}

#endif
