#include "fetch/connect_to.h"
#include "base/ascii.h"

#include <stdlib.h>
#include <string.h>

/* Returns the colon after a host, which may be in brackets, or NULL if there is none. */
static const char *colon_behind(const char *host)
{
	const char *end = *host == '[' ? strchr(host, ']') : host;

	return end ? strchr(end, ':') : NULL;
}

/* Returns the second half of a rule, TO:PORT, if the rule applies to the URL; else NULL. */
static const char *fits(const char *rule, const struct url *u)
{
	const char *host = u->text.at + u->host, *end = colon_behind(rule);
	const size_t n = u->host_end - u->host;

	if (!end || (end != rule && ((size_t)(end - rule) != n || !ascii_same(rule, host, n))))
		return NULL;
	if (end[1] != ':' && strtoul(end + 1, NULL, 10) != u->port)
		return NULL;
	end = strchr(end + 1, ':');
	return end ? end + 1 : NULL;
}

static void set_host(struct connect_target *to, const char *host, size_t n)
{
	const int brackets = n >= 2 && host[0] == '[' && host[n - 1] == ']';

	to->host = host + brackets;
	to->n = n - (brackets ? 2 : 0);
}

int connect_to_find(const char *const *rules, const struct url *u, struct connect_target *to)
{
	set_host(to, u->text.at + u->host, u->host_end - u->host);
	to->port = u->port;
	for (; rules && *rules; rules++) {
		const char *half = fits(*rules, u), *colon = half ? colon_behind(half) : NULL;
		if (!half)
			continue;
		if (colon ? colon > half : *half)
			set_host(to, half, colon ? (size_t)(colon - half) : strlen(half));
		if (colon && colon[1])
			to->port = (unsigned)strtoul(colon + 1, NULL, 10);
		return 1;
	}
	return 0;
}
