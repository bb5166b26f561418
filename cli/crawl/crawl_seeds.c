#include "cli/crawl/crawl_seeds.h"
#include "base/ascii.h"
#include "base/input.h"
#include "base/mem.h"
#include "cli/crawl/crawl_options.h"
#include "fetch/guard.h"
#include "fetch/proxies.h"
#include "lab/study/seedset.h"

#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void crawl_seeds_release(struct crawl_seeds *l)
{
	for (size_t i = 0; i < l->n; i++)
		url_release(&l->url[i]);
	free(l->url);
}

/* Says whether a text begins with a host without a scheme: letters, digits, '-' and '.', with at least one '.' (or "localhost"), or
 * an IPv6 address in brackets, and then a port, a path or nothing. */
static int begins_with_host(const char *text)
{
	const size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.");
	const char *end = text + n;

	if (*text == '[')
		return strchr(text, ']') != NULL;
	if (!n || (!memchr(text, '.', n) && !(n == 9 && ascii_same(text, "localhost", n))))
		return 0;
	return !*end || strchr("/?#", *end) || (*end == ':' && strspn(end + 1, "0123456789") > 0);
}

int crawl_seeds_add(struct crawl_seeds *l, const char *text, struct err_note *why)
{
	AUTO(buf) whole = buf_of("%s%s", begins_with_host(text) ? "http://" : "", text);

	l->url = mem_grow(l->url, &l->room, l->n + 1, sizeof *l->url);
	l->url[l->n] = (struct url)URL_EMPTY;
	return live_seed_parse(&l->url[l->n++], whole.at, whole.used, why);
}

/* Says whether --seeds names a rule that draws seeds from a graph (random:N, hosts:N, roots), and not a file of that name. */
static int is_rule(const char *spec)
{
	return access(spec, F_OK) != 0 && (seedset_is_drawn(spec) || strncmp(spec, "hosts:", 6) == 0 || strcmp(spec, "roots") == 0);
}

int crawl_seeds_file(struct crawl_seeds *l, const char *file, struct err_note *why)
{
	struct seed_line entry;
	struct input *in;
	char *line;
	size_t n;

	if (is_rule(file))
		return err_set(why, ERR_USAGE,
			"--seeds %s: that is a rule for graphs; a live crawl needs a file of URLs, which 'lycosa seeds' can write",
			file);
	int err = input_open(&in, file, why);
	if (err)
		return err;
	while ((err = input_line(in, &line, &n, why)) > 0) {
		if (!seed_line_parse(line, &entry))
			continue;
		if (!entry.url) {
			err = err_set(why, ERR_USAGE, "%s:%llu: '%s' is a node id; a live crawl needs URLs", input_path(in),
				(unsigned long long)input_line_number(in), entry.id);
			break;
		}
		err = crawl_seeds_add(l, entry.url, why);
		if (err)
			break;
	}
	input_close(in);
	return err;
}

int crawl_seeds_read(const struct command *c, struct crawl_seeds *l, struct err_note *why)
{
	const struct crawl_options *o = c->options;
	int err = 0;

	for (size_t i = 0; !err && i < c->flags->operands; i++)
		err = crawl_seeds_add(l, c->flags->operand[i], why);
	l->named = l->n;
	return !err && o->seeds ? crawl_seeds_file(l, o->seeds, why) : err;
}

char *crawl_seeds_store(const struct crawl_seeds *l)
{
	const struct url *u = &l->url[0];
	struct buf name = BUF_EMPTY;

	buf_add(&name, u->text.at + u->host, u->host_end - u->host);
	if (u->host_end < u->path)
		buf_format(&name, "-%u", u->port);
	buf_text(&name, ".crawl");
	return buf_take(&name);
}

/* --- seeds beyond this machine */

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

static int url_is_loopback(const struct url *u)
{
	return host_is_loopback(u->text.at + u->host, u->host_end - u->host);
}

static int proxy_is_loopback(const char *proxy)
{
	AUTO(url) u = URL_EMPTY;

	AUTO(buf) text = buf_of("%s%s", strstr(proxy, "://") ? "" : "http://", proxy);

	return url_parse(&u, text.at, text.used, NULL) == URL_OK && url_is_loopback(&u);
}

/* Says whether a rule of --connect-to, HOST:PORT:TO:PORT with TO perhaps in brackets, leads the requests for the seed's host to
 * a loopback address. A rule without HOST applies to every host. The ports are not compared. */
static int rule_leads_to_loopback(const char *rule, const struct url *seed)
{
	const char *to = strchr(rule, ':');

	to = to ? strchr(to + 1, ':') : NULL;
	if (!to)
		return 0;
	const char *end = to[1] == '[' ? strchr(to, ']') : NULL;
	end = end ? end + 1 : to + 1 + strcspn(to + 1, ":");
	size_t host = (size_t)(strchr(rule, ':') - rule);
	const int is_its = !host || (host == seed->host_end - seed->host && ascii_same(rule, seed->text.at + seed->host, host));
	return is_its && host_is_loopback(to + 1, (size_t)(end - to - 1));
}

static int seed_is_loopback(const struct url *seed, const char *proxy, const char *const *connect_to)
{
	if (proxy)
		return proxy_is_loopback(proxy);
	for (size_t i = 0; connect_to && connect_to[i]; i++)
		if (rule_leads_to_loopback(connect_to[i], seed))
			return 1;
	return url_is_loopback(seed);
}

int crawl_seeds_check(const struct live_config *c, const struct url *seeds, size_t n, struct err_note *why)
{
	if (c->contact) {
		struct url u = URL_EMPTY;
		const int is_url = url_parse(&u, c->contact, strlen(c->contact), NULL) == URL_OK;
		url_release(&u);
		if (!is_url && (!strchr(c->contact, '@') || strpbrk(c->contact, " \r\n()<>")))
			return err_set(why, ERR_USAGE, "--contact '%s' is neither a URL nor a mail address", c->contact);
		return 0;
	}
	struct proxies *proxies = proxies_new(c->proxy);
	AUTO(url) shown = URL_EMPTY;
	int err = 0;
	for (size_t i = 0; i < n && !err; i++) {
		const char *through = proxies_for(proxies, &seeds[i]); /* may have a password, as the seed may */
		if (seed_is_loopback(&seeds[i], through, c->connect_to.at))
			continue;
		url_copy(&shown, &seeds[i]);
		url_drop_user(&shown);
		err = err_set(why, ERR_USAGE, "'%s' %s not on this machine: say with --contact (URL or mail address) who crawls it",
			shown.text.at, through ? "goes through a proxy that is" : "is");
	}
	proxies_free(proxies);
	return err;
}
