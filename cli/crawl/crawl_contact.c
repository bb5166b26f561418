#include "cli/crawl/crawl_contact.h"
#include "base/ascii.h"
#include "base/mem.h"
#include "fetch/guard.h"
#include "fetch/proxies.h"
#include "parser/url.h"

#include <netdb.h>
#include <stdlib.h>
#include <string.h>

/* Says whether a name is localhost or below it: RFC 6761 says that these names are this machine, whatever a resolver answers. */
static int is_localhost(const char *host, size_t n)
{
	static const char name[] = "localhost";
	const size_t m = sizeof name - 1;

	return n >= m && ascii_same(host + n - m, name, m) && (n == m || host[n - m - 1] == '.');
}

/* Says whether all addresses of a host (n bytes, brackets of IPv6 allowed) are loopback. */
static int host_is_loopback(const char *host, size_t n)
{
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *all, *a;
	int loopback = 1;

	if (n >= 2 && host[0] == '[') {
		host++;
		n -= 2;
	}
	if (is_localhost(host, n))
		return 1;
	char *name = mem_part(host, n);
	int failed = getaddrinfo(name, NULL, &hints, &all);
	free(name);
	if (failed)
		return 0;
	for (a = all; a; a = a->ai_next) {
		const struct net_address address = net_address_of(a->ai_addr);
		loopback &= guard_is_loopback(&address);
	}
	freeaddrinfo(all);
	return loopback;
}

static int url_is_loopback(const char *text)
{
	struct url u = URL_EMPTY;
	int loopback = 0;

	if (url_parse(&u, text, strlen(text), NULL) == URL_OK)
		loopback = host_is_loopback(u.text.at + u.host, u.host_end - u.host);
	url_release(&u);
	return loopback;
}

static int proxy_is_loopback(const char *proxy)
{
	struct buf with_scheme = BUF_EMPTY;

	if (!strstr(proxy, "://")) {
		buf_format(&with_scheme, "http://%s", proxy);
		proxy = with_scheme.at;
	}
	int loopback = url_is_loopback(proxy);
	buf_release(&with_scheme);
	return loopback;
}

/* Says whether a rule of --connect-to, HOST:PORT:TO:PORT with TO perhaps in brackets, leads the requests for the seed's host to
 * a loopback address. A rule without HOST applies to every host. The ports are not compared. */
static int rule_leads_to_loopback(const char *rule, const char *seed)
{
	struct url u = URL_EMPTY;
	const char *to = strchr(rule, ':');
	int mine = 0;

	to = to ? strchr(to + 1, ':') : NULL;
	if (!to)
		return 0;
	const char *end = to[1] == '[' ? strchr(to, ']') : NULL;
	end = end ? end + 1 : to + 1 + strcspn(to + 1, ":");
	size_t host = (size_t)(strchr(rule, ':') - rule);
	if (url_parse(&u, seed, strlen(seed), NULL) == URL_OK)
		mine = !host || (host == u.host_end - u.host && ascii_same(rule, u.text.at + u.host, host));
	url_release(&u);
	return mine && host_is_loopback(to + 1, (size_t)(end - to - 1));
}

static int seed_is_loopback(const char *seed, const char *proxy, const char *const *connect_to)
{
	if (proxy)
		return proxy_is_loopback(proxy);
	for (size_t i = 0; connect_to && connect_to[i]; i++)
		if (rule_leads_to_loopback(connect_to[i], seed))
			return 1;
	return url_is_loopback(seed);
}

int crawl_contact_check(const char *contact, const char *proxy, const char *const *connect_to, const char *const *seeds, size_t n,
	struct err_note *why)
{
	struct url u = URL_EMPTY;

	if (contact) {
		int is_url = url_parse(&u, contact, strlen(contact), NULL) == URL_OK;
		url_release(&u);
		if (!is_url && (!strchr(contact, '@') || strpbrk(contact, " \r\n()<>")))
			return err_set(why, ERR_USAGE, "--contact '%s' is neither a URL nor a mail address", contact);
		return 0;
	}
	struct proxies *proxies = proxies_new(proxy);
	int err = 0;
	for (size_t i = 0; i < n && !err; i++) {
		if (url_parse(&u, seeds[i], strlen(seeds[i]), NULL) != URL_OK)
			continue;                               /* live_seed_check() reports it with a better message */
		const char *through = proxies_for(proxies, &u); /* may have a password */
		if (!seed_is_loopback(seeds[i], through, connect_to))
			err = err_set(why, ERR_USAGE,
				"'%s' %s not on this machine: say with --contact (URL or mail address) who crawls it", seeds[i],
				through ? "goes through a proxy that is" : "is");
	}
	proxies_free(proxies);
	url_release(&u);
	return err;
}
