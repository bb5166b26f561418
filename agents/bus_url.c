#include "agents/bus_url.h"

#include <stdio.h>
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
