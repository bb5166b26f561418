#include "traps/copies.h"
#include "parser/shape.h"
#include "parser/simhash.h"

#define RECENT 4 /* pages of a shape that a new one is compared with */

struct content {
	uint64_t key; /* of a digest or a gist */
	uint32_t first;
};

/* A folder at a host's root, a host, a registrable domain, or the web. */
struct place {
	uint64_t key;
	uint32_t pages; /* crawled */
	uint32_t run;   /* doubtful ones in a row that were copies */
	uint32_t own;   /* pages that were no copies */
	uint32_t is_closed;
};

struct led {
	uint64_t key; /* a page */
	uint64_t place;
};

struct shape {
	uint64_t key;
	uint64_t recent[RECENT]; /* simhashes; 0: none */
	uint32_t next;
};

void copies_init(struct copies *c, uint32_t most, uint32_t near)
{
	*c = (struct copies){.most = most, .near = near};
	map_init(&c->contents, sizeof(struct content));
	map_init(&c->places, sizeof(struct place));
	map_init(&c->led, sizeof(struct led));
	map_init(&c->shapes, sizeof(struct shape));
}

void copies_release(struct copies *c)
{
	map_release(&c->contents);
	map_release(&c->places);
	map_release(&c->led);
	map_release(&c->shapes);
}

/* What a doubtful page turned out to be. */
enum doubt { NO_DOUBT, COPY, NEW };

/* A host and a domain of the same name are two places. */
static uint64_t domain_key(const struct url *u)
{
	return ~shape_domain(u);
}

/* All pages of a domain. */
static uint64_t pages_key(const struct url *u)
{
	return domain_key(u) * 3;
}

#define WEB 1 /* the key of the web */

/* The first page of the content, or `id` where it is new. */
static uint32_t first_of(struct copies *c, uint64_t key, uint32_t id)
{
	const size_t known = c->contents.used;
	struct content *content = map_at(&c->contents, key);

	if (c->contents.used > known)
		content->first = id;
	return content->first;
}

/* Whether the page is near to one of the last of its shape, among which it is from now on. */
static int is_near(struct copies *c, const struct url *u, uint64_t simhash)
{
	struct shape *s = map_at(&c->shapes, shape_of(u));
	int near = 0;

	for (unsigned i = 0; i < RECENT; i++)
		near |= s->recent[i] && simhash_distance(simhash, s->recent[i]) < c->near;
	s->recent[s->next++ % RECENT] = simhash;
	return near;
}

static void close(struct copies *c, struct place *p)
{
	c->closed += !p->is_closed;
	p->is_closed = 1;
}

/* Counts a page for its place, which is left after `most` copies; returns it. */
static struct place *count(struct copies *c, uint64_t key, uint64_t most, enum doubt doubt)
{
	struct place *p = map_at(&c->places, key);

	if (doubt != NO_DOUBT)
		p->run = doubt == COPY ? p->run + 1 : 0;
	if (p->run >= most)
		close(c, p);
	p->pages++;
	return p;
}

/* Whether a host has next to nothing of its own. */
static int is_hollow(const struct place *host)
{
	return host->own <= host->pages / COPIES_OWN;
}

static void count_all(struct copies *c, const struct url *u, enum doubt doubt, int is_copy)
{
	const uint64_t many = (uint64_t)COPIES_HOST * c->most;

	count(c, shape_root(u), c->most, doubt);
	struct place *host = count(c, shape_host(u), many, doubt);
	const int is_first = host->pages == 1;
	host->own += !is_copy;
	if (is_first && count(c, domain_key(u), c->most, doubt)->pages == 1)
		count(c, WEB, c->most, doubt);
	count(c, pages_key(u), many, doubt);
}

/* A copy without links leads nowhere. */
static enum doubt doubt_of(const struct page_came *came, int is_copy)
{
	if (!came->is_doubtful || (is_copy && !came->links))
		return NO_DOUBT;
	return is_copy ? COPY : NEW;
}

/* The folder that led to something new begins again. */
static void thank(struct copies *c, uint32_t id)
{
	const struct led *led = map_find(&c->led, id);
	struct place *p = led ? map_find(&c->places, led->place) : NULL;

	if (p)
		p->run = 0;
}

void copies_led(struct copies *c, uint32_t id)
{
	if (c->most)
		((struct led *)map_at(&c->led, id))->place = c->reading;
}

struct page_copied copies_add(struct copies *c, const struct url *u, const struct page_marks *marks,
	const struct page_came *came)
{
	const uint64_t digest = marks->digest[0] ^ marks->digest[1];
	struct page_copied copied = {0, came->id};

	if (marks->gist)
		copied.first = first_of(c, marks->gist, came->id);
	if (digest) {
		const uint32_t first = first_of(c, digest, came->id);
		copied.first = first != came->id ? first : copied.first;
	}
	copied.is_copy = copied.first != came->id;
	if (c->near && marks->simhash)
		copied.is_copy |= is_near(c, u, marks->simhash);
	if (!c->most)
		return copied;
	const enum doubt doubt = doubt_of(came, copied.is_copy);
	count_all(c, u, doubt, copied.is_copy);
	if (doubt == NEW)
		thank(c, came->id);
	c->reading = shape_root(u);
	return copied;
}

static int is_closed(const struct place *p)
{
	return p && p->is_closed;
}

int copies_leave(const struct copies *c, const struct url *u)
{
	if (!c->closed)
		return 0;
	const struct place *host = map_find(&c->places, shape_host(u));
	if (is_closed(host) || is_closed(map_find(&c->places, shape_root(u))))
		return 1;
	if (host && !is_hollow(host))
		return 0;
	if (is_closed(map_find(&c->places, pages_key(u))))
		return 1;
	if (host)
		return 0;
	const struct place *domain = map_find(&c->places, domain_key(u));
	return is_closed(domain ? domain : map_find(&c->places, WEB));
}
