#include "traps/duplicates.h"
#include "parser/shape.h"
#include "parser/fingerprint.h"

#define HOLLOW 4 /* a host is hollow if at most one in HOLLOW of its pages has new content */
#define RECENT 4 /* the pages of each shape whose simhashes are kept */

struct content {
	uint32_t key[2]; /* a digest, or a fingerprint */
	uint32_t first;
};

struct counts {
	uint32_t key[2];     /* a hash of struct page_stand */
	uint32_t pages, own; /* as in struct duplicates_counts */
	uint32_t shared;     /* the pages counted in `own` that have a duplicate outside this folder or host */
};

struct shared {
	uint64_t key; /* the id of an original */
	/* 1: it has a duplicate outside its first folder, or host */
	uint32_t outside_root, outside_host;
};

struct shape {
	uint64_t key;
	uint64_t recent[RECENT]; /* the simhashes of its last pages; 0: none */
	uint32_t next;           /* the next one is written to recent[next % RECENT] */
};

/* A page to which a duplicate was the first to link. */
struct led {
	uint64_t key;    /* the id */
	uint64_t family; /* of this duplicate; 0: a page that is no duplicate links to it, too */
};

void duplicates_init(struct duplicates *d, uint32_t near)
{
	*d = (struct duplicates){.near = near};
	map_init_paged(&d->contents, sizeof(struct content));
	map_init_paged(&d->counts, sizeof(struct counts));
	map_init_paged(&d->shared, sizeof(struct shared));
	map_init_paged(&d->shapes, sizeof(struct shape));
	map_init_paged(&d->led, sizeof(struct led));
}

void duplicates_release(struct duplicates *d)
{
	map_release(&d->contents);
	map_release(&d->counts);
	map_release(&d->shared);
	map_release(&d->shapes);
	map_release(&d->led);
}

static struct counts *counts_at(struct duplicates *d, uint64_t key)
{
	return map_at(&d->counts, key);
}

/* Returns the first page whose content has the key. If there is none, page `id` becomes it. A key of 0 is that of no other page. */
static uint32_t first_of(struct duplicates *d, uint64_t key, uint32_t id)
{
	const size_t known = d->contents.used;

	if (!key)
		return id;
	struct content *content = map_at(&d->contents, key);
	if (d->contents.used > known)
		content->first = id;
	return content->first;
}

/* Says whether a simhash is near one of the last pages of the URL's shape, and adds it to them. */
static int is_near(struct duplicates *d, const struct url *u, uint64_t simhash)
{
	struct shape *s = map_at(&d->shapes, shape_of(u));
	int near = 0;

	for (unsigned i = 0; i < RECENT; i++)
		near |= s->recent[i] && simhash_distance(simhash, s->recent[i]) < d->near;
	s->recent[s->next++ % RECENT] = simhash;
	return near;
}

/* Counts the original of a duplicate at `copy` as shared, once by its folder and once by its host. */
static void share(struct duplicates *d, const struct page_copied *c, const struct page_stand *copy)
{
	struct shared *s = map_at(&d->shared, c->first);

	if (copy->root != c->stand.root && !s->outside_root) {
		s->outside_root = 1;
		counts_at(d, c->stand.root)->shared++;
	}
	if (copy->host != c->stand.host && !s->outside_host) {
		s->outside_host = 1;
		counts_at(d, c->stand.host)->shared++;
	}
}

static struct page_copied find(struct duplicates *d, const struct page_met *p)
{
	const uint32_t near = first_of(d, p->marks->fingerprint, p->id);
	const uint32_t exact = first_of(d, p->marks->digest[0] ^ p->marks->digest[1], p->id);
	const int is_same = exact != p->id;
	const uint32_t first = is_same ? exact : p->new_outside ? p->id : near;
	struct page_copied copied = {.is_copy = first != p->id, .is_same = is_same, .first = first, .stand = p->stand};
	struct page_stand there;

	if (copied.is_copy && p->stand_of(p->ctx, first, &there))
		copied.stand = there;
	return copied;
}

/* Adds a page to the counts of a folder, host or domain. Returns the number of its pages. */
static uint32_t count(struct duplicates *d, uint64_t key, const struct page_copied *copied)
{
	struct counts *c = counts_at(d, key);

	c->own += !copied->is_copy;
	return ++c->pages;
}

struct page_copied duplicates_add(struct duplicates *d, const struct page_met *p)
{
	struct page_copied copied = find(d, p);

	if (copied.is_copy)
		share(d, &copied, &p->stand);
	if (d->near && p->marks->simhash)
		copied.is_copy |= is_near(d, p->url, p->marks->simhash) && !p->new_outside;
	count(d, p->stand.root, &copied);
	count(d, p->stand.family, &copied);
	copied.is_first_of_host = count(d, p->stand.host, &copied) == 1;
	copied.is_first_of_domain = count(d, p->stand.domain, &copied) == 1;
	return copied;
}

struct duplicates_counts duplicates_count(const struct duplicates *d, uint64_t key)
{
	const struct counts *c = map_find(&d->counts, key);

	return c ? (struct duplicates_counts){c->pages, c->own, c->own > c->shared ? c->own - c->shared : 0}
		 : (struct duplicates_counts){0, 0, 0};
}

int duplicates_is_hollow(const struct duplicates_counts *host)
{
	return host->own <= host->pages / HOLLOW;
}

void duplicates_lead(struct duplicates *d, uint32_t id, uint64_t family)
{
	((struct led *)map_at(&d->led, id))->family = family;
}

uint64_t duplicates_leader(const struct duplicates *d, uint32_t id)
{
	const struct led *led = d->led.used ? map_find(&d->led, id) : NULL;

	return led ? led->family : 0;
}

int duplicates_trust(struct duplicates *d, uint32_t id)
{
	struct led *led = d->led.used ? map_find(&d->led, id) : NULL;
	const int was_led = led && led->family;

	if (was_led)
		led->family = 0;
	return was_led;
}
