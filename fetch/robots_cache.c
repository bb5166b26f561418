#include "fetch/robots_cache.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

struct entry {
	struct origin origin; /* first: an origin is its entry */
	UT_hash_handle hh;    /* in the order of last use */
	size_t cost;          /* bytes */
	char key[];           /* "https://example.org:8443", by hh.keylen */
};

struct robots_cache {
	struct entry *all;
	size_t cost;
	char *product;
	const struct host_settings *hosts;
	struct buf key;
};

struct robots_cache *robots_cache_new(const char *product, const struct host_settings *hosts)
{
	struct robots_cache *c = mem_zero(1, sizeof *c);

	c->product = mem_text(product);
	c->hosts = hosts;
	return c;
}

static void forget(struct robots_cache *c, struct entry *e)
{
	HASH_DELETE(hh, c->all, e);
	c->cost -= e->cost;
	robots_free(e->origin.rules);
	free(e->origin.next);
	free(e->origin.sitemaps.named);
	free(e->origin.feeds.named);
	free(e);
}

void robots_cache_free(struct robots_cache *c)
{
	struct entry *e, *next;

	for (e = c->all; e; e = next) {
		next = e->hh.next;
		forget(c, e);
	}
	free(c->product);
	buf_release(&c->key);
	free(c);
}

/* Forgets the oldest that nobody needs until the cost is in bounds. */
static void make_room(struct robots_cache *c)
{
	struct entry *e, *next;

	for (e = c->all; e && c->cost > ROBOTS_CACHE_BYTES; e = next) {
		next = e->hh.next;
		if (e->origin.users == 0 && e->origin.standing != ORIGIN_ASKED)
			forget(c, e);
	}
}

static void set_cost(struct robots_cache *c, struct entry *e, size_t rules)
{
	c->cost -= e->cost;
	e->cost = sizeof *e + e->hh.keylen + rules;
	c->cost += e->cost;
}

static struct entry *add(struct robots_cache *c)
{
	make_room(c);
	struct entry *e = mem_zero(1, sizeof *e + c->key.used);
	memcpy(e->key, c->key.at, c->key.used);
	e->origin.host_delay = -1;
	e->origin.waiting_end = &e->origin.waiting;
	HASH_ADD_KEYPTR(hh, c->all, e->key, c->key.used, e);
	set_cost(c, e, 0);
	return e;
}

struct origin *robots_cache_find(struct robots_cache *c, const struct url *u, int64_t now)
{
	struct entry *e;

	buf_clear(&c->key);
	buf_text(&c->key, u->https ? "https://" : "http://");
	buf_add(&c->key, u->text.at + u->host, u->path - u->host); /* without user and password */
	HASH_FIND(hh, c->all, c->key.at, c->key.used, e);
	if (!e)
		return &add(c)->origin;
	if (e->hh.next) { /* to the end of the order */
		HASH_DELETE(hh, c->all, e);
		HASH_ADD_KEYPTR(hh, c->all, e->key, e->hh.keylen, e);
	}
	struct origin *o = &e->origin;
	if ((o->standing == ORIGIN_KNOWN || o->standing == ORIGIN_GIVEN_UP) && now >= o->expires) {
		o->standing = ORIGIN_UNKNOWN;
		o->failures = 0;
	} else if (o->standing == ORIGIN_LATER && now >= o->retry_time) {
		o->standing = ORIGIN_UNKNOWN;
	}
	return o;
}

static void set_rules(struct robots_cache *c, struct origin *o, struct robots *rules, size_t cost, int64_t now)
{
	double delay = robots_delay(rules);

	robots_free(o->rules);
	o->rules = rules;
	o->standing = ORIGIN_KNOWN;
	o->expires = now + ROBOTS_LIVE_MS;
	o->failures = 0;
	if (delay > ROBOTS_MAX_DELAY_MS / 1000)
		delay = ROBOTS_MAX_DELAY_MS / 1000;
	o->host_delay = delay < 0 ? -1 : (int64_t)(delay * 1000);
	set_cost(c, (struct entry *)o, cost);
}

/* Returns the agent's name to look for in the robots.txt of an origin: in token[size] if the user has set a user agent for the
 * origin's host, else the crawl's. */
static const char *product_for(const struct robots_cache *c, const struct origin *o, char *token, size_t size)
{
	const struct entry *e = (const struct entry *)o;
	const char *slash = memchr(e->key, '/', e->hh.keylen), *host = slash + strlen("//");
	struct host_setting own;

	host_settings_for(c->hosts, host, (size_t)(e->key + e->hh.keylen - host), &own);
	if (!own.user_agent)
		return c->product;
	answer_product(own.user_agent, token, size);
	return token;
}

void robots_cache_rules(struct robots_cache *c, struct origin *o, const char *bytes, size_t n, int64_t now)
{
	char token[ANSWER_PRODUCT_SIZE];

	set_rules(c, o, robots_parse(bytes, n, product_for(c, o, token, sizeof token)), n, now);
}

void robots_cache_no_rules(struct robots_cache *c, struct origin *o, int64_t now)
{
	set_rules(c, o, robots_empty(), 0, now);
}

void robots_cache_failed(struct origin *o, enum outcome error, uint16_t status, unsigned allowed, int64_t delay, int64_t now)
{
	o->failures++;
	o->error = error;
	o->status = status;
	o->standing = o->failures >= allowed ? ORIGIN_GIVEN_UP : ORIGIN_LATER;
	o->expires = now + (status && !answer_blames_host(status) ? ROBOTS_GIVEN_UP_MS : ROBOTS_SILENT_MS);
	o->retry_time = now + delay;
}

static int knows(const struct origin_lists *l, uint64_t hash)
{
	for (unsigned i = 0; i < l->n; i++)
		if (l->named[i] == hash)
			return 1;
	return 0;
}

int origin_takes(struct origin_lists *l, const char *url, size_t n)
{
	const uint64_t hash = XXH3_64bits(url, n);

	if (knows(l, hash))
		return 1;
	if (l->n == ORIGIN_MAX_NAMED)
		return 0;
	if (!l->named)
		l->named = mem_new(ORIGIN_MAX_NAMED, sizeof *l->named);
	l->named[l->n++] = hash;
	return 1;
}

int origin_has(const struct origin_lists *l, const char *url, size_t n)
{
	return knows(l, XXH3_64bits(url, n));
}

int64_t origin_trouble(struct origin *o, int64_t now)
{
	if (!o->trouble_since)
		o->trouble_since = now;
	const int64_t lasted = now - o->trouble_since;

	if (lasted >= ORIGIN_TROUBLE_MS) {
		o->trouble_since = 0;
		return -1;
	}
	return lasted < 1000 ? 1000 : lasted < ORIGIN_TROUBLE_PAUSE ? lasted : ORIGIN_TROUBLE_PAUSE;
}

struct verdict origin_judge_trouble(struct origin *o, enum outcome error, int64_t now)
{
	const int64_t delay = origin_trouble(o, now);

	if (delay < 0 && outcome_may_leave(error, PAGE_FAILED))
		return (struct verdict){error, PAGE_FAILED, 0};
	return (struct verdict){error, PAGE_QUEUED, delay < 0 ? ORIGIN_TROUBLE_PAUSE : delay};
}

int origin_robots_url(const struct origin *o, const struct url *page, struct url *u)
{
	struct buf text = BUF_EMPTY;

	if (o->next) {
		buf_text(&text, o->next);
	} else {
		buf_text(&text, page->https ? "https://" : "http://");
		buf_add(&text, page->text.at + page->host, page->path - page->host);
		buf_text(&text, "/robots.txt");
	}
	const enum url_result parsed = url_parse(u, text.at, text.used, NULL);
	buf_release(&text);
	return parsed == URL_OK ? 0 : -1;
}

void origin_wait(struct origin *o, enum outcome error, int64_t delay, int64_t now)
{
	o->error = error;
	o->status = 0;
	o->standing = ORIGIN_LATER;
	o->retry_time = now + delay;
}

int origin_allows(const struct origin *o, const struct url *u)
{
	return robots_allows(o->rules, u->text.at + u->path, u->text.used - u->path);
}

uint16_t origin_usage(const struct origin *o, const struct url *u)
{
	return o->standing == ORIGIN_KNOWN ? robots_usage(o->rules, u->text.at + u->path, u->text.used - u->path) : 0;
}
