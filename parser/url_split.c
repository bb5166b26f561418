#include "parser/url.h"

#include <string.h>

/* Finds the port after the last colon of [host, path), or the default one of the scheme, and the end of the host. "[::1]" ends in a
 * bracket, so a colon before digits at the end is that of a port. Returns 0 or -1. */
static int split_port(const char *text, uint32_t host, uint32_t path, struct url *out)
{
	uint32_t digits = path, port = 0;

	out->host_end = path;
	out->port = out->https ? 443 : 80;
	while (digits > host && text[digits - 1] >= '0' && text[digits - 1] <= '9')
		digits--;
	if (digits == path || digits == host || text[digits - 1] != ':')
		return 0;
	for (uint32_t i = digits; i < path; i++)
		if ((port = 10 * port + (uint32_t)(text[i] - '0')) > UINT16_MAX)
			return -1;
	out->host_end = digits - 1;
	out->port = port;
	return 0;
}

enum url_result url_split(struct url *out, const char *text, size_t n)
{
	const size_t scheme = n > 8 && memcmp(text, "https://", 8) == 0 ? 8 : n > 7 && memcmp(text, "http://", 7) == 0 ? 7 : 0;

	if (!scheme || n > URL_MAX)
		return URL_BAD;
	const char *path = memchr(text + scheme, '/', n - scheme);
	if (!path)
		return URL_BAD;
	const char *credentials = memrchr(text + scheme, '@', (size_t)(path - text) - scheme);
	const char *query = memchr(path, '?', n - (size_t)(path - text));
	*out = (struct url){
		.text = {(char *)(uintptr_t)text, n, 0},
		.host = (uint32_t)(credentials ? (size_t)(credentials - text) + 1 : scheme),
		.path = (uint32_t)(path - text),
		.query = (uint32_t)(query ? (size_t)(query - text) : n),
		.https = scheme == 8,
	};
	if (split_port(text, out->host, out->path, out) || out->host_end == out->host)
		return URL_BAD;
	return URL_OK;
}
