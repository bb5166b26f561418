#include "traps/places.h"
#include "base/mem.h"

#include <stdlib.h>

#define MIX         0x9e3779b97f4a7c15u
#define WAITING     4    /* PLACES_WAITING: a place is skipped if it keeps row / WAITING pages */
#define SCORED      8    /* places_lean(): the pages of a row for each point of its score */
#define LONG_ROW    1024 /* a longer row needs no higher score */
#define MOST_SCORE  160  /* so that a row of any length ends after 33 pages more that are barren than others */
#define MOST_PASSED 128  /* places_pass() */
#define IN_FLIGHT   2    /* the pages of a chain that may already be in flight when the page before them is confirmed */

struct place {
	uint64_t key;
	uint32_t row;     /* the pages confirmed in a row */
	uint32_t weight;  /* and their weight */
	uint32_t excess;  /* what the copies among them weigh beyond their least weight, until a page with bytes of its own comes */
	uint32_t half;    /* of these, the pages since half the weight of a row was complete */
	uint32_t fresh;   /* the new pages of the place since then */
	uint32_t kept;    /* the pages that are kept there now */
	uint32_t last;    /* 1 + the index of the last link of its chain; 0: no page was kept */
	uint32_t example; /* the original of the page that was confirmed last */
	uint8_t grows;    /* 1: it grew in the last half of a row that is complete */
	uint8_t differed; /* 1: a page of the place has differed */
	uint16_t score;   /* places_lean() */
};

struct page {
	uint64_t key;   /* the id */
	uint64_t place; /* the place in which it was kept last */
	enum places_keeping kept;
};

/* A link of the chain of a place: page `id` was kept in the place, and may have left it since. */
struct link {
	uint32_t id, before; /* before: 1 + the index of the link before it; 0: none */
};

void places_init(struct trap_places *p)
{
	*p = (struct trap_places){.deferred = 0};
	map_init_paged(&p->place, sizeof(struct place));
	map_init_paged(&p->page, sizeof(struct page));
}

void places_release(struct trap_places *p)
{
	map_release(&p->place);
	map_release(&p->page);
	free(p->link);
}

void places_image(struct trap_places *p, struct image *im)
{
	image_map(im, &p->place);
	image_map(im, &p->page);
	p->link = image_array(im, p->link, &p->n, &p->room, sizeof *p->link);
	image_bytes(im, &p->deferred, sizeof p->deferred);
	image_bytes(im, &p->skipped, sizeof p->skipped);
}

void places_freed_release(struct places_freed *f)
{
	free(f->deferred.id);
	free(f->skipped.id);
	*f = (struct places_freed){.deferred = {.n = 0}};
}

/* Returns half the weight of a row that is complete. */
static uint32_t half_of(const struct places_limits *limits)
{
	return limits->skip / 2 ? limits->skip / 2 : 1;
}

enum places_state places_state(const struct trap_places *p, uint64_t key, const struct places_limits *limits)
{
	const struct place *place = map_find(&p->place, key);

	const int is_doubted = limits->begins == PLACES_DOUBTED && !(place && place->differed);
	const uint32_t row = place ? place->row : 0;

	const uint32_t weight = place ? place->weight : 0;

	if (!limits->defer || (row < limits->defer && weight < half_of(limits) && !is_doubted))
		return PLACE_TRUSTED;
	if (!place || weight < limits->skip)
		return PLACE_DEFERRED;
	const int is_left =
		limits->skips == PLACES_ANYWAY || (limits->skips == PLACES_GROWING ? place->grows : place->kept >= row / WAITING);
	return is_left ? PLACE_SKIPPED : PLACE_DEFERRED;
}

int places_draws(uint32_t id, uint32_t row)
{
	uint32_t one_in = PLACES_SAMPLE;

	for (; row >= PLACES_LONG; row /= 2)
		one_in *= 2;
	return ((id + UINT64_C(1)) * MIX >> 32) % one_in == 0;
}

void places_meet(struct trap_places *p, uint32_t id, const uint64_t *keys, size_t n)
{
	const size_t met = p->page.used;

	map_at(&p->page, id);
	if (p->page.used == met)
		return;
	for (size_t i = 0; i < n; i++)
		((struct place *)map_at(&p->place, keys[i]))->fresh++;
}

enum places_keeping places_kept(const struct trap_places *p, uint32_t id)
{
	const struct page *page = map_find(&p->page, id);

	return page ? page->kept : PLACES_FREE;
}

static int is_kept(const struct page *page)
{
	return page->kept == PLACES_DEFERRED || page->kept == PLACES_SKIPPED;
}

/* Adds a page that is kept to the counts of its place and of all places (by = 1), or takes it away (by = -1). */
static void count(struct trap_places *p, const struct page *page, int by)
{
	if (!is_kept(page))
		return;
	((struct place *)map_at(&p->place, page->place))->kept += (uint32_t)by;
	*(page->kept == PLACES_DEFERRED ? &p->deferred : &p->skipped) += (uint64_t)(int64_t)by;
}

void places_keep(struct trap_places *p, uint64_t key, uint32_t id, enum places_keeping keeping)
{
	struct page *page = map_at(&p->page, id);

	count(p, page, -1);
	if (!is_kept(page) || page->place != key) {
		struct place *place = map_at(&p->place, key);
		p->link = mem_grow(p->link, &p->room, p->n + 1, sizeof *p->link);
		p->link[p->n] = (struct link){id, place->last};
		place->last = (uint32_t)++p->n;
		page->place = key;
	}
	page->kept = keeping;
	count(p, page, 1);
}

/* Ends the keeping of a page, which is PLACES_GRANTED or PLACES_PARDONED from now on. */
static void let_go(struct trap_places *p, uint32_t id, enum places_keeping as)
{
	struct page *page = map_find(&p->page, id);

	if (!page || page->kept == PLACES_PARDONED)
		return;
	count(p, page, -1);
	page->kept = as;
}

void places_grant(struct trap_places *p, uint32_t id)
{
	let_go(p, id, PLACES_GRANTED);
}

void places_pardon(struct trap_places *p, uint32_t id)
{
	let_go(p, id, PLACES_PARDONED);
}

static void append(struct places_list *l, uint32_t id)
{
	l->id = mem_grow(l->id, &l->room, l->n + 1, sizeof id);
	l->id[l->n++] = id;
}

void places_free(struct trap_places *p, uint32_t id, struct places_freed *freed)
{
	struct page *page = map_find(&p->page, id);

	if (!page || !is_kept(page))
		return;
	append(page->kept == PLACES_DEFERRED ? &freed->deferred : &freed->skipped, id);
	count(p, page, -1);
	page->kept = PLACES_FREE;
}

int places_is_kept(const struct trap_places *p, uint32_t id)
{
	const struct page *page = map_find(&p->page, id);

	return page && is_kept(page);
}

void places_free_from(struct trap_places *p, uint64_t key, uint32_t id, struct places_freed *freed)
{
	const struct page *page = map_find(&p->page, id);

	if (page && page->place == key)
		places_free(p, id, freed);
}

uint32_t places_row(const struct trap_places *p, uint64_t key)
{
	const struct place *place = map_find(&p->place, key);

	return place ? place->row : 0;
}

uint32_t places_weight(const struct trap_places *p, uint64_t key)
{
	const struct place *place = map_find(&p->place, key);

	return place ? place->weight : 0;
}

uint32_t places_example(const struct trap_places *p, uint64_t key)
{
	const struct place *place = map_find(&p->place, key);

	return place && place->row ? place->example : UINT32_MAX;
}

/* Adds a page to the weight of a row. A page that is no copy takes back what the copies before it have in excess. */
static void weigh(struct place *place, const struct places_met *met)
{
	const uint32_t excess = met->weight - met->least;

	if (!excess) {
		place->weight -= place->excess;
		place->excess = 0;
	}
	const uint32_t weight = met->weight < UINT32_MAX - place->weight ? met->weight : UINT32_MAX - place->weight;
	place->weight += weight;
	place->excess += excess < weight ? excess : weight;
}

void places_confirmed(struct trap_places *p, uint64_t key, const struct places_limits *limits, const struct places_met *met)
{
	struct place *place = map_at(&p->place, key);
	const uint32_t half = half_of(limits), halves = place->weight / half;

	place->example = met->original;
	place->fresh += met->fresh;
	place->row++;
	place->half++;
	weigh(place, met);
	if (place->weight / half == halves)
		return;
	/* the place grows if, in this half of the row, at least as many new pages were found as were confirmed, not counting the
	 * pages in flight */
	place->grows = place->fresh + IN_FLIGHT >= place->half;
	place->fresh = place->half = 0;
}

uint32_t places_pass(struct trap_places *p, uint64_t key, int by)
{
	struct place *place = map_at(&p->place, key);

	if (!place->row && place->fresh < MOST_PASSED)
		place->fresh += (uint32_t)by;
	return place->row ? 0 : place->fresh;
}

int places_lean(struct trap_places *p, uint64_t key, int gain)
{
	struct place *place = map_at(&p->place, key);
	const int score = place->score + gain;
	const uint32_t row = place->row < LONG_ROW ? place->row : LONG_ROW;

	place->score = (uint16_t)(score < 0 ? 0 : score < MOST_SCORE ? score : MOST_SCORE);
	return (uint32_t)place->score * SCORED >= row;
}

void places_differed(struct trap_places *p, uint64_t key, const struct places_limits *limits, struct places_freed *freed)
{
	struct place *place = limits->begins == PLACES_DOUBTED ? map_at(&p->place, key) : map_find(&p->place, key);

	if (!place)
		return;
	const uint32_t passed = place->fresh + place->row + 1;
	place->fresh = limits->skips != PLACES_ANYWAY ? 0 : passed < MOST_PASSED ? passed : MOST_PASSED;
	place->row = place->weight = place->excess = place->half = 0;
	place->score = 0;
	place->grows = 0;
	place->differed = 1;
	for (uint32_t at = place->last; at; at = p->link[at - 1].before) {
		const uint32_t id = p->link[at - 1].id;
		const struct page *page = map_find(&p->page, id);
		if (page->place == key)
			places_free(p, id, freed);
	}
	place->last = 0;
}
