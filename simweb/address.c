#include "simweb/address.h"

#include "base/ascii.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <xxhash.h>

/* Returns the length of "scheme://" at the beginning of a text; 0 if there is none. */
static size_t scheme_length(const char *text, const char *end)
{
	const char *p = text;

	while (p < end && (ascii_is_letter(*p) || (p > text && ((*p >= '0' && *p <= '9') || *p == '+' || *p == '-' || *p == '.'))))
		p++;
	return p > text && end - p > 3 && memcmp(p, "://", 3) == 0 ? (size_t)(p - text) + 3 : 0;
}

/* Reads host and port from [at, end). Without a port, a->port becomes `port`. Returns 1, or 0 if the text after the colon is no
 * port. */
static int read_authority(struct address *a, const char *at, const char *end, unsigned port)
{
	unsigned value = 0;

	for (const char *p = at; p < end; p++)
		if (*p == '@')
			at = p + 1;
	const char *stop = at;
	if (at < end && *at == '[')
		while (stop < end && *stop != ']')
			stop++;
	while (stop < end && *stop != ':')
		stop++;
	a->host = at;
	a->host_length = (size_t)(stop - at);
	a->port = port;
	if (end - stop < 2)
		return 1;
	for (const char *p = stop + 1; p < end; p++) {
		if (*p < '0' || *p > '9')
			return 0;
		value = value * 10 + (unsigned)(*p - '0');
		if (value > 65535)
			return 0;
	}
	a->port = value;
	return 1;
}

/* Divides an absolute URL into authority and target (path and query, without the fragment). Returns 0 if it has no scheme of the
 * web or no host. */
static int read_url(struct address *a, const char *url, const char *end)
{
	size_t scheme = scheme_length(url, end);

	if (!scheme)
		return 0;
	const char *authority = url + scheme, *p = authority;
	while (p < end && !strchr("/?#\\", *p))
		p++;
	const char *fragment = memchr(p, '#', (size_t)(end - p));
	a->origin = url;
	a->target = p;
	a->target_length = (size_t)((fragment ? fragment : end) - p);
	int https = scheme == strlen("https://") && ascii_same(url, "https", 5);
	return read_authority(a, authority, p, https ? 443 : 80) && a->host_length > 0;
}

int address_of_url(struct address *a, const char *url)
{
	const char *end = url + strlen(url);

	while ((unsigned char)*url <= ' ' && url < end)
		url++;
	while (url < end && (unsigned char)end[-1] <= ' ')
		end--;
	return read_url(a, url, end);
}

int address_of_request(struct address *a, const char *target, const char *host)
{
	const char *end = target + strlen(target);

	if (*target != '/')
		return read_url(a, target, end);
	a->origin = NULL;
	a->target = target;
	a->target_length = (size_t)(end - target);
	if (!host)
		host = "";
	(void)read_authority(a, host, host + strlen(host), 80);
	return 1;
}

int address_host_is(const struct address *a, const char *host)
{
	return strlen(host) == a->host_length && ascii_same(a->host, host, a->host_length);
}

/* Appends bytes to a key: percent-escapes decoded, and tabs and line ends, which URL parsers drop, left out. */
static void add_unescaped(struct buf *key, const char *p, const char *end)
{
	char *out = buf_room(key, (size_t)(end - p));

	for (; p < end; p++) {
		char c = *p;
		if (c == '\t' || c == '\n' || c == '\r')
			continue;
		if (c == '%' && end - p > 2 && ascii_hex(p[1]) >= 0 && ascii_hex(p[2]) >= 0) {
			c = (char)(ascii_hex(p[1]) * 16 + ascii_hex(p[2]));
			p += 2;
		}
		*out++ = c;
	}
	key->used = (size_t)(out - key->at);
}

/* Resolves "." and ".." in the path that begins at key->at[start]; in place, as it only shrinks.
 * Backslashes become slashes first. */
static void resolve_dots(struct buf *key, size_t start)
{
	char *path = key->at + start, *end = key->at + key->used, *out = path;

	for (char *p = path; p < end; p++)
		if (*p == '\\')
			*p = '/';
	for (char *p = path; p < end;) {
		/* p is at a slash */
		char *next = memchr(p + 1, '/', (size_t)(end - p - 1));
		char *stop = next ? next : end;
		size_t n = (size_t)(stop - p);
		if (n == 3 && p[1] == '.' && p[2] == '.') {
			while (out > path && *--out != '/')
				;
		} else if (!(n == 2 && p[1] == '.')) {
			memmove(out, p, n);
			out += n;
			p = stop;
			continue;
		}
		if (stop == end)
			*out++ = '/';
		p = stop;
	}
	key->used = (size_t)(out - key->at);
}

/* Makes the key by which addresses of the same page are compared: host in lower case, path and query, without scheme and port. */
static void make_key(struct buf *key, const struct address *a)
{
	const char *end = a->target + a->target_length;
	const char *query = memchr(a->target, '?', a->target_length);
	char *host = buf_room(key, a->host_length);

	key->used = a->host_length;
	for (size_t i = 0; i < a->host_length; i++)
		host[i] = ascii_lower(a->host[i]);
	size_t path = key->used;
	if (a->target_length == 0 || a->target == query)
		buf_byte(key, '/');
	else
		add_unescaped(key, a->target, query ? query : end);
	if (key->used > path && (key->at[path] == '/' || key->at[path] == '\\'))
		resolve_dots(key, path);
	if (query && query + 1 < end)
		add_unescaped(key, query, end);
}

/* An iteration over the pages whose key equals that of an address. */
struct walk {
	const struct address_table *t;
	const struct address *wanted;
	struct buf key, other;
	uint64_t hash, at;
};

static void walk_begin(struct walk *w, const struct address_table *t, const struct address *wanted)
{
	w->t = t;
	w->wanted = wanted;
	buf_clear(&w->key);
	make_key(&w->key, wanted);
	w->hash = XXH3_64bits_withSeed(w->key.at, w->key.used, t->seed);
	w->at = w->hash & t->mask;
}

/* Finds the next page with the key. Returns 1 with its number in *i and its address in *a, or 0 at the end, when w->at is the
 * free slot for a new page. */
static int walk_next(struct walk *w, uint32_t *i, struct address *a)
{
	for (;; w->at = (w->at + 1) & w->t->mask) {
		const struct address_slot *s = &w->t->slot[w->at];
		if (s->page == 0)
			return 0;
		if (s->tag != (uint32_t)(w->hash >> 32))
			continue;
		*i = s->page - 1;
		if (!address_of_url(a, w->t->list.url(w->t->list.ctx, *i)))
			continue;
		buf_clear(&w->other);
		make_key(&w->other, a);
		if (w->other.used == w->key.used && memcmp(w->other.at, w->key.at, w->key.used) == 0) {
			w->at = (w->at + 1) & w->t->mask;
			return 1;
		}
	}
}

static void walk_end(struct walk *w)
{
	buf_release(&w->key);
	buf_release(&w->other);
}

/* Returns how well an address fits the wanted one, whose key it has: 2 for the same path and query, plus 1 for the same port. */
static int fit(const struct address *a, const struct address *wanted)
{
	int same = a->target_length == wanted->target_length && memcmp(a->target, wanted->target, a->target_length) == 0;

	return 2 * same + (a->port == wanted->port);
}

/* Adds a page to the table. A page whose URL fits exactly that of an earlier page is left out, and so is one where ADDRESS_SAME
 * URLs that differ in ignored parts alone are in the table. */
static void insert(struct address_table *t, struct walk *w, uint32_t page)
{
	struct address wanted, a;
	unsigned same = 0;
	uint32_t i;

	const char *url = t->list.url(t->list.ctx, page);
	if (!url || !address_of_url(&wanted, url))
		return;
	walk_begin(w, t, &wanted);
	while (walk_next(w, &i, &a))
		if (++same == ADDRESS_SAME || fit(&a, &wanted) == 3)
			return;
	t->slot[w->at] = (struct address_slot){page + 1, (uint32_t)(w->hash >> 32)};
}

void address_table_init(struct address_table *t, struct address_list list)
{
	struct walk w = {.key = BUF_EMPTY, .other = BUF_EMPTY};
	uint64_t slots = 8;

	while (slots < list.n + (uint64_t)list.n / 4)
		slots *= 2;
	*t = (struct address_table){list, mem_big(slots, sizeof *t->slot), slots - 1, 1};
	/* without random bytes the seed stays 0: then URLs could be chosen that make the table slow, but its results are the
	 * same */
	if (getrandom(&t->seed, sizeof t->seed, GRND_NONBLOCK) != (ssize_t)sizeof t->seed)
		t->seed = 1;
	for (uint32_t i = 0; i < list.n; i++)
		insert(t, &w, i);
	walk_end(&w);
}

void address_table_release(struct address_table *t)
{
	if (t->slot)
		mem_big_free(t->slot, t->mask + 1, sizeof *t->slot);
	*t = (struct address_table){0};
}

int address_table_find(const struct address_table *t, const struct address *wanted, uint32_t *page)
{
	struct walk w = {.key = BUF_EMPTY, .other = BUF_EMPTY};
	struct address a;
	int best = -1;
	uint32_t i;

	walk_begin(&w, t, wanted);
	while (best < 3 && walk_next(&w, &i, &a)) {
		int f = fit(&a, wanted);
		/* the walk is in the order of insertion, and only a better fit replaces the first one */
		if (f > best) {
			best = f;
			*page = i;
		}
	}
	walk_end(&w);
	return best >= 0;
}
