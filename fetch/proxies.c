#include "fetch/proxies.h"
#include "base/mem.h"
#include "base/num.h"
#include "parser/match.h"
#include "fetch/net_address.h"

#include <stdlib.h>
#include <string.h>

struct proxies {
	char *http, *https; /* NULL: none */
	char *except;       /* NULL: nothing */
};

/* Returns the value of the first of these environment variables that is set and not empty, or NULL. */
static const char *first_of(const char *const *names)
{
	for (; *names; names++) {
		const char *value = getenv(*names);
		if (value && *value)
			return value;
	}
	return NULL;
}

static char *copy(const char *text)
{
	return text && *text ? mem_text(text) : NULL;
}

struct proxies *proxies_new(const char *given)
{
	/* HTTP_PROXY is not read: a web server sets this variable from the header "Proxy" of a request (CGI) */
	static const char *const http[] = {"http_proxy", "all_proxy", "ALL_PROXY", NULL},
				 *const https[] = {"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", NULL},
				 *const except[] = {"no_proxy", "NO_PROXY", NULL};
	struct proxies *p = mem_zero(1, sizeof *p);

	p->http = copy(given ? given : first_of(http));
	p->https = copy(given ? given : first_of(https));
	p->except = copy(first_of(except));
	return p;
}

void proxies_free(struct proxies *p)
{
	if (!p)
		return;
	free(p->http);
	free(p->https);
	free(p->except);
	free(p);
}

/* Says whether the first `bits` bits of two addresses are equal. */
static int is_in_block(const struct net_address *a, const struct net_address *block, unsigned bits)
{
	for (unsigned i = 0; i < bits; i++)
		if (((a->ip[i / 8] ^ block->ip[i / 8]) >> (7 - i % 8)) & 1)
			return 0;
	return 1;
}

/* Says whether an entry of no_proxy, such as "10.0.0.0/8" or "::1", contains the address of a URL's host, which is not none. */
static int has_address(const char *entry, const struct net_address *host)
{
	const struct net_address block = net_address_read(entry, strcspn(entry, "/"));
	const char *slash = strchr(entry, '/');
	const int is_v4 = strchr(entry, ':') == NULL;
	uint64_t bits = is_v4 ? 32 : 128;

	if (net_address_is_none(&block) || (slash && num_count(slash + 1, bits, &bits)))
		return 0;
	return is_in_block(host, &block, (unsigned)bits + (is_v4 ? 96 : 0));
}

/* Says whether no_proxy excludes the host of a URL: "*", a domain, an address or a block of addresses. */
static int is_excepted(const struct proxies *p, const struct url *u)
{
	const char *host = u->text.at + u->host, *at = p->except ? p->except : "";
	const size_t n = u->host_end - u->host;
	const struct net_address address = net_address_read(host, n);
	int found = 0;

	while (*at && !found) {
		at += strspn(at, ", \t");
		size_t length = strcspn(at, ", \t");
		char *entry = mem_part(at, length);
		at += length;
		while (length && entry[length - 1] == '.')
			entry[--length] = 0;
		if (strcmp(entry, "*") == 0)
			found = 1;
		else if (*entry)
			found = net_address_is_none(&address) ? match_domain(host, n, entry) : has_address(entry, &address);
		free(entry);
	}
	return found;
}

const char *proxies_for(const struct proxies *p, const struct url *u)
{
	const char *proxy = u->https ? p->https : p->http;

	return proxy && !is_excepted(p, u) ? proxy : NULL;
}
