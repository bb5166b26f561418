#include "traps/duplicates.h"
#include "base/mem.h"
#include "parser/shape.h"
#include "parser/simhash.h"

#include <assert.h>
#include <stdlib.h>

#define RECENT 4 /* the pages of each shape whose simhashes are kept */

struct content {
	uint64_t key; /* a digest, or a fingerprint */
	uint32_t first;
	uint32_t stand; /* its index in struct duplicates */
};

struct counts {
	uint64_t key;        /* a hash of struct page_stand */
	uint32_t pages, own; /* as in struct duplicates_counts */
	uint32_t shared;     /* the pages counted in `own` that have a duplicate outside this folder or host */
	uint32_t stand;      /* of a first folder: its index in struct duplicates, + 1; 0: it has none */
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

void duplicates_init(struct duplicates *d, uint32_t near)
{
	*d = (struct duplicates){.near = near};
	map_init_paged(&d->contents, sizeof(struct content));
	map_init_paged(&d->counts, sizeof(struct counts));
	map_init_paged(&d->shared, sizeof(struct shared));
	map_init_paged(&d->shapes, sizeof(struct shape));
}

void duplicates_release(struct duplicates *d)
{
	map_release(&d->contents);
	map_release(&d->counts);
	map_release(&d->shared);
	map_release(&d->shapes);
	free(d->stand);
}

static struct counts *counts_at(struct duplicates *d, uint64_t key)
{
	return map_at(&d->counts, key);
}

/* Returns the index of a location in d->stand; it is a new one if no page of the first folder was added before. */
static uint32_t stand_index(struct duplicates *d, const struct page_stand *stand)
{
	struct counts *root = counts_at(d, stand->root);

	if (!root->stand) {
		d->stand = mem_grow(d->stand, &d->stand_room, d->n_stands + 1, sizeof *d->stand);
		d->stand[d->n_stands++] = *stand;
		root->stand = (uint32_t)d->n_stands;
	}
	const uint32_t index = root->stand - 1;
	assert(d->stand[index].host == stand->host && d->stand[index].domain == stand->domain);
	return index;
}

/* Looks up the first page whose content has the key. If there is none, page `id` becomes it. */
static struct page_copied first_of(
	struct duplicates *d, uint64_t key, uint32_t id, uint32_t stand)
{
	const size_t known = d->contents.used;
	struct content *content = map_at(&d->contents, key);

	if (d->contents.used > known) {
		content->first = id;
		content->stand = stand;
	}
	return (struct page_copied){content->first != id, content->first, d->stand[content->stand], 0, 0};
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

static struct page_copied find(struct duplicates *d, uint32_t id, const struct page_stand *stand,
	const struct page_marks *marks, size_t new_outside)
{
	const uint64_t digest = marks->digest[0] ^ marks->digest[1];
	const uint32_t index = stand_index(d, stand);
	struct page_copied near = {0, id, *stand, 0, 0}, exact = near;

	if (marks->fingerprint)
		near = first_of(d, marks->fingerprint, id, index);
	if (digest)
		exact = first_of(d, digest, id, index);
	if (exact.is_copy)
		return exact;
	return near.is_copy && !new_outside ? near : (struct page_copied){0, id, *stand, 0, 0};
}

/* Adds a page to the counts of a folder, host or domain. Returns the number of its pages. */
static uint32_t count(struct duplicates *d, uint64_t key, const struct page_copied *copied)
{
	struct counts *c = counts_at(d, key);

	c->own += !copied->is_copy;
	return ++c->pages;
}

struct page_copied duplicates_add(struct duplicates *d, uint32_t id, const struct url *u,
	const struct page_stand *stand, const struct page_marks *marks, size_t new_outside)
{
	struct page_copied copied = find(d, id, stand, marks, new_outside);

	if (copied.is_copy)
		share(d, &copied, stand);
	if (d->near && marks->simhash)
		copied.is_copy |= is_near(d, u, marks->simhash) && !new_outside;
	count(d, stand->root, &copied);
	copied.is_first_of_host = count(d, stand->host, &copied) == 1;
	copied.is_first_of_domain = count(d, stand->domain, &copied) == 1;
	return copied;
}

struct duplicates_counts duplicates_count(const struct duplicates *d, uint64_t key)
{
	const struct counts *c = map_find(&d->counts, key);

	return c ? (struct duplicates_counts){c->pages, c->own,
			   c->own > c->shared ? c->own - c->shared : 0}
		 : (struct duplicates_counts){0, 0, 0};
}
