#include "traps/chains.h"
#include "base/paged.h"
#include "traps/traps.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* By which page a page was found. Lists have the broods of families. */
struct chains_page {
	uint8_t host;   /* a part of the hash of its host */
	uint8_t family; /* a part of the hash of its family */
	/* how many new pages of its section the page had that led to it, MOST at most; FOREIGN: a page of another section, or none,
	 * has led to it */
	uint8_t brood[CHAINS_LISTS];
};

struct value {
	uint32_t key[2];
	uint32_t pages;
};

#define FOREIGN  UINT8_MAX
#define MOST     (UINT8_MAX - 1)
#define FEWER    8 /* a page reproduces if it has led to at least one new page where the page that led to it had led to so many */
#define COMMON   16
#define VALUES   32 /* the parameters of a URL that are looked at: a stranger writes the URL, and each value takes memory */
#define EARLY    2  /* after a row's EARLY-th part its pages wait for others, so that these show whether there is an end */
#define SECTIONS 8  /* how much longer the rows of hosts and of lists are */

void chains_init(struct chains *c, uint32_t pages)
{
	*c = (struct chains){.n = 0};
	for (enum chains_level level = 0; level < CHAINS_LEVELS; level++) {
		const uint64_t skip = (level == CHAINS_FAMILY ? 1 : SECTIONS) * (uint64_t)pages;
		c->limits[level].skip = skip < UINT32_MAX ? (uint32_t)skip : UINT32_MAX;
		c->limits[level].defer = (c->limits[level].skip + EARLY - 1) / EARLY;
		c->limits[level].skips = PLACES_ANYWAY;
	}
	map_init_paged(&c->values, sizeof(struct value));
}

void chains_release(struct chains *c)
{
	map_release(&c->values);
	paged_free(c->page, c->room, sizeof *c->page);
}

void chains_image(struct chains *c, struct image *im)
{
	image_map(im, &c->values);
	c->page = image_paged(im, c->page, &c->n, &c->room, sizeof *c->page);
}

uint64_t chains_place(const struct url_traits *u, enum chains_level level)
{
	return places_key(level == CHAINS_HOST ? u->host : shape_family(u->url), PLACES_OF_CHAIN + level);
}

void chains_find(struct chains *c, uint32_t id, const struct url_traits *u)
{
	if (!c->limits->defer)
		return;
	c->page = paged_need(c->page, &c->room, (size_t)id + 1, sizeof *c->page);
	c->n = id < c->n ? c->n : (size_t)id + 1;
	c->page[id] = (struct chains_page){(uint8_t)u->host, (uint8_t)shape_family(u->url), {FOREIGN, FOREIGN}};
}

/* Returns the brood of a page at a level. */
static uint8_t *brood_of(const struct chains *c, uint32_t id, enum chains_level level)
{
	return &c->page[id].brood[level != CHAINS_HOST];
}

/* Says whether a URL has several parameters, and each of the first VALUES has a common value, which the URLs of COMMON pages had:
 * then the page is a combination of what other pages are about. The values are noted if the page `is_crawled`. */
static int is_mixed(struct chains *c, const struct url_traits *u, int is_crawled)
{
	const char *at = u->url->text.at + u->url->query;
	const size_t n = u->url->text.used - u->url->query;
	unsigned parameters = 0, others = 0;

	for (size_t from = 1, to; u->path && from < n && parameters < VALUES; from = to + 1) {
		const char *joint = memchr(at + from, '&', n - from);
		to = joint ? (size_t)(joint - at) : n;
		const uint64_t key = XXH3_64bits_withSeed(at + from, to - from, u->path);
		struct value *value = is_crawled ? map_at(&c->values, key) : map_find(&c->values, key);
		parameters++;
		others += !value || value->pages < COMMON;
		if (is_crawled)
			value->pages++;
	}
	return parameters > 1 && !others;
}

int chains_doubts(struct chains *c, const struct trap_places *p, uint32_t id, const struct url_traits *u, enum chains_level level)
{
	return id < c->n && *brood_of(c, id, level) != FOREIGN &&
		(!u->path || places_state(p, chains_place(u, level), &c->limits[level]) == PLACE_SKIPPED || is_mixed(c, u, 0));
}

/* Says whether two pages are of one section. */
static int is_kin(const struct chains_page *a, const struct chains_page *b, enum chains_level level)
{
	return a->host == b->host && (level == CHAINS_HOST || a->family == b->family);
}

/* Returns how far a page moves the walk of its section: 1 if the page reproduces, -1 if it is barren, 0 if it does not count.
 * `here` and `elsewhere` are the new pages of this section and of others that the page links to; `born` is the page's brood;
 * `is_other` says that it is a duplicate or a combination, or has no links. A page that reproduces does not count if it leads to
 * new pages elsewhere, too, or if `born` is FOREIGN and it is not `is_other`; a barren one does not count if it `is_other`. */
static int gain_of(unsigned born, size_t here, size_t elsewhere, int is_other)
{
	if (!here || (born != FOREIGN && FEWER * here < born))
		return is_other ? 0 : -1;
	return !elsewhere && (born != FOREIGN || is_other);
}

/* Returns how many times a page counts in a row: of a host, pages of families that no page of their own leads to count as much as
 * in the row of a family; lists count with the new pages of other families to which they lead, and more if they say what others
 * say. */
static uint32_t times_of(const struct chains *c, const struct chains_met *met, size_t elsewhere, enum chains_level level)
{
	if (level == CHAINS_LISTS)
		return (uint32_t)(1 + elsewhere) * (met->is_copy ? SECTIONS : 1);
	return level == CHAINS_HOST && *brood_of(c, met->fact->id, CHAINS_FAMILY) == FOREIGN ? SECTIONS : 1;
}

/* Notes that a page leads to page `id` of another section, which is freed if it was kept as one of its own. */
static void free_page(struct chains *c, struct trap_places *p, const struct traps_world *w, uint32_t id, enum chains_level level,
	const struct chains_met *met, struct places_freed *freed)
{
	const int was_foreign = *brood_of(c, id, level) == FOREIGN;

	*brood_of(c, id, level) = FOREIGN;
	if (was_foreign || !places_is_kept(p, id) || !w->url(w->ctx, id, met->other))
		return;
	const struct url_traits traits = url_traits(met->other);
	places_free_from(p, chains_place(&traits, level), id, freed);
	if (level == CHAINS_FAMILY)
		places_free_from(p, chains_place(&traits, CHAINS_LISTS), id, freed);
}

/* Counts the new pages of a page's section, and others, that the page links to, and notes that they were found by it. */
static size_t note_links(struct chains *c, struct trap_places *p, const struct traps_world *w, const struct chains_met *met,
	enum chains_level level, struct places_freed *freed)
{
	const struct traps_fact *f = met->fact;
	size_t here = 0;

	for (size_t i = 0; i < f->n; i++) {
		const uint32_t id = f->links[i];
		if (id < c->n && is_kin(&c->page[f->id], &c->page[id], level))
			here += id >= f->first_new;
		else if (id < c->n && id < f->first_new)
			free_page(c, p, w, id, level, met, freed);
	}
	for (size_t i = 0; i < f->n; i++)
		if (f->links[i] >= f->first_new && f->links[i] < c->n && is_kin(&c->page[f->id], &c->page[f->links[i]], level))
			*brood_of(c, f->links[i], level) = (uint8_t)(here < MOST ? here : MOST);
	return here;
}

static void learn(struct chains *c, struct trap_places *p, const struct chains_met *met, enum chains_level level, int gain,
	uint32_t times, struct places_freed *freed)
{
	const uint64_t key = chains_place(met->fact->traits, level);

	if (gain <= 0 && !places_row(p, key)) {
		if (!gain)
			places_pass(p, key, 1);
		return;
	}
	times += places_pass(p, key, 0);
	places_confirmed(p, key, &c->limits[level], &(struct places_met){met->original, met->fact->new_refused != 0, times, times});
	if (!places_lean(p, key, gain))
		places_differed(p, key, &c->limits[level], freed);
}

void chains_learn(struct chains *c, struct trap_places *p, const struct traps_world *w, const struct chains_met *met,
	struct places_freed *freed)
{
	const struct traps_fact *f = met->fact;
	const int is_other = c->limits->defer && (is_mixed(c, f->traits, 1) || met->is_copy || !f->n);
	size_t new = 0, here = 0;

	if (f->id >= c->n)
		return;
	for (size_t i = 0; i < f->n; i++)
		new += f->links[i] >= f->first_new;
	for (enum chains_level level = 0; level < CHAINS_LEVELS; level++) {
		here = level == CHAINS_LISTS ? here : note_links(c, p, w, met, level, freed);
		const size_t elsewhere = new - here;
		const int gain = gain_of(*brood_of(c, f->id, level), here, level == CHAINS_LISTS ? 0 : elsewhere, is_other);
		if (!met->is_made)
			learn(c, p, met, level, gain, times_of(c, met, elsewhere, level), freed);
	}
}
