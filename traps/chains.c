#include "traps/chains.h"
#include "base/paged.h"
#include "traps/sinks.h"
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

struct host {
	uint64_t key;
	uint32_t strangers, fertile; /* the pages that other families led to, and those of them that reproduced */
};

struct lists {
	uint64_t key;
	uint32_t made;    /* the page whose address was made up */
	uint32_t goes_on; /* 1: it led to further lists and to items */
};

struct item {
	uint64_t key;   /* the id */
	uint64_t lists; /* the place of its lists; 0: a page that is none of their items has led to it since */
};

#define FOREIGN  UINT8_MAX
#define MOST     (UINT8_MAX - 1)
#define FEWER    8 /* a page reproduces if it has led to at least one new page where the page that led to it had led to so many */
#define COMMON   16
#define VALUES   32 /* the parameters of a URL that are looked at: a stranger writes the URL, and each value takes memory */
#define EARLY    2  /* after a row's EARLY-th part its pages wait for others, so that these show whether there is an end */
#define SECTIONS 8  /* how much longer the rows of hosts are, and of lists that are not known to go on */
#define ASKED    8  /* an address is made up for lists before the last ASKED-th of a row as long as that of a family */

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
	map_init_paged(&c->items, sizeof(struct item));
	map_init(&c->lists, sizeof(struct lists));
	map_init_paged(&c->hosts, sizeof(struct host));
}

void chains_release(struct chains *c)
{
	map_release(&c->values);
	map_release(&c->items);
	map_release(&c->lists);
	map_release(&c->hosts);
	paged_free(c->page, c->room, sizeof *c->page);
}

void chains_image(struct chains *c, struct image *im)
{
	image_map(im, &c->values);
	image_map(im, &c->items);
	image_map(im, &c->lists);
	image_map(im, &c->hosts);
	c->page = image_paged(im, c->page, &c->n, &c->room, sizeof *c->page);
}

static uint64_t place_of(const struct url_traits *u, enum chains_level level)
{
	return places_key(level == CHAINS_HOST ? u->host : shape_family(u->url), PLACES_OF_CHAIN + level);
}

/* Returns the limits of a section. Lists that are known to go on have no more pages than other sections. */
static struct places_limits limits_of(const struct chains *c, uint64_t key, enum chains_level level)
{
	const struct lists *lists = level == CHAINS_LISTS && c->lists.used ? map_find(&c->lists, key) : NULL;
	struct places_limits limits = c->limits[level];

	if (lists && lists->goes_on)
		limits.skip = c->limits[CHAINS_FAMILY].skip;
	return limits;
}

/* Says whether two pages are of one section. */
static int is_kin(const struct chains_page *a, const struct chains_page *b, enum chains_level level)
{
	return a->host == b->host && (level == CHAINS_HOST || a->family == b->family);
}

/* Says whether a page that another has led to is of its host, and of another family. */
static int is_stranger(const struct chains *c, uint32_t from, uint32_t id)
{
	return id < c->n && is_kin(&c->page[from], &c->page[id], CHAINS_HOST) &&
		!is_kin(&c->page[from], &c->page[id], CHAINS_FAMILY);
}

/* Counts the new pages of other families, on its host, to which a page leads. */
static size_t strangers_of(const struct chains *c, const struct traps_fact *f)
{
	size_t n = 0;

	for (size_t i = 0; i < f->n; i++)
		n += f->links[i] >= f->first_new && is_stranger(c, f->id, f->links[i]);
	return n;
}

int chains_asks(const struct chains *c, const struct trap_places *p, const struct traps_fact *f, uint32_t *like)
{
	const uint64_t key = place_of(f->traits, CHAINS_LISTS);
	const uint32_t skip = c->limits[CHAINS_FAMILY].skip;

	*like = places_example(p, key);
	return skip && *like != UINT32_MAX && places_weight(p, key) >= skip - skip / ASKED && !f->traits->may_be_dated &&
		strangers_of(c, f) && !map_find(&c->lists, key);
}

void chains_made(struct chains *c, const struct url_traits *u, uint32_t id)
{
	((struct lists *)map_at(&c->lists, place_of(u, CHAINS_LISTS)))->made = id;
}

void chains_find(struct chains *c, uint32_t id, const struct url_traits *u, uint32_t from)
{
	if (!c->limits->defer)
		return;
	c->page = paged_need(c->page, &c->room, (size_t)id + 1, sizeof *c->page);
	c->n = id < c->n ? c->n : (size_t)id + 1;
	c->page[id] = (struct chains_page){(uint8_t)u->host, (uint8_t)shape_family(u->url), {FOREIGN, FOREIGN}};
	if (from < c->n && c->page[id].host == c->page[from].host)
		c->page[id].brood[CHAINS_HOST] = c->page[from].brood[CHAINS_HOST];
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

/* Returns the place of the lists of which a page is an item, or 0. */
static uint64_t lists_of(const struct chains *c, uint32_t id)
{
	const struct item *item = c->items.used ? map_find(&c->items, id) : NULL;

	return item ? item->lists : 0;
}

int chains_doubts(struct chains *c, const struct trap_places *p, uint32_t id, const struct url_traits *u, enum chains_level level,
	struct chains_section *out)
{
	const uint64_t lists = level == CHAINS_LISTS ? lists_of(c, id) : 0;

	out->key = lists ? lists : place_of(u, level);
	out->limits = limits_of(c, out->key, level);
	if (lists) { /* a row of `skip` pages that were found has its last items */
		out->limits.skip += out->limits.skip < UINT32_MAX;
		return 1;
	}
	return id < c->n && *brood_of(c, id, level) != FOREIGN &&
		(!u->path || places_state(p, out->key, &out->limits) == PLACE_SKIPPED || is_mixed(c, u, 0));
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

/* Returns how many times a page that leads to so many new pages of other families counts in a row. Lists count with these
 * pages. Of a host, pages that lead to other families, or come from them, count as much as in the row of a family, if half of
 * those that come from others reproduce: such families are one section. */
static uint32_t times_of(struct chains *c, const struct chains_met *met, size_t strangers, enum chains_level level, int gain)
{
	const int is_asked = level == CHAINS_LISTS && map_find(&c->lists, place_of(met->fact->traits, level)) != NULL;

	if (level != CHAINS_HOST)
		return level == CHAINS_FAMILY ? 1 : (uint32_t)(1 + strangers) * (met->is_copy && !is_asked ? SECTIONS : 1);
	const int is_stranger = *brood_of(c, met->fact->id, CHAINS_FAMILY) == FOREIGN;
	if (!is_stranger && !strangers)
		return 1;
	struct host *host = map_at(&c->hosts, met->fact->traits->host);
	host->strangers += (uint32_t)is_stranger;
	host->fertile += is_stranger && gain > 0;
	return 2 * host->fertile >= host->strangers ? SECTIONS : 1;
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
	places_free_from(p, place_of(&traits, level), id, freed);
	if (level == CHAINS_FAMILY)
		places_free_from(p, place_of(&traits, CHAINS_LISTS), id, freed);
}

/* Notes the items of a list: the new pages of other families to which a page leads whose lists wait. A page that is an item no
 * more, since another than these lists and their items leads to it, is freed. */
static void note_items(struct chains *c, struct trap_places *p, const struct chains_met *met, struct places_freed *freed)
{
	const struct traps_fact *f = met->fact;
	const uint64_t key = place_of(f->traits, CHAINS_LISTS);
	const struct places_limits limits = limits_of(c, key, CHAINS_LISTS);
	const int waits = places_state(p, key, &limits) != PLACE_TRUSTED || (c->lists.used && map_find(&c->lists, key));

	for (size_t i = 0; (waits || c->items.used) && i < f->n; i++) {
		const uint32_t id = f->links[i];
		const uint64_t lists = id < f->first_new ? lists_of(c, id) : 0;
		if (id >= f->first_new && waits && is_stranger(c, f->id, id))
			((struct item *)map_at(&c->items, id))->lists = key;
		else if (lists && lists != key && lists != lists_of(c, f->id)) {
			((struct item *)map_at(&c->items, id))->lists = 0;
			places_free_from(p, lists, id, freed);
		}
	}
}

/* Notes whether a page whose address was made up for lists leads to further lists, and to so many items. Lists that are not as far
 * are not further ones: a site may answer with its last list. */
static void note_answer(struct chains *c, const struct traps_world *w, const struct chains_met *met, size_t items)
{
	const struct traps_fact *f = met->fact;
	struct lists *lists = map_find(&c->lists, place_of(f->traits, CHAINS_LISTS));

	for (size_t i = 0; lists && lists->made == f->id && items && i < f->n; i++)
		lists->goes_on |= f->links[i] >= f->first_new && f->links[i] < c->n &&
			is_kin(&c->page[f->id], &c->page[f->links[i]], CHAINS_FAMILY) && w->url(w->ctx, f->links[i], met->other) &&
			sinks_is_as_far(met->other, f->traits->url);
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
	const uint64_t key = place_of(met->fact->traits, level);
	const struct places_limits limits = limits_of(c, key, level);

	if (gain <= 0 && !places_row(p, key)) {
		if (!gain || level == CHAINS_FAMILY)
			places_pass(p, key, 1);
		return;
	}
	times += places_pass(p, key, 0);
	places_confirmed(p, key, &limits, &(struct places_met){met->fact->id, met->fact->new_refused != 0, times, times});
	if (!places_lean(p, key, gain))
		places_differed(p, key, &limits, freed);
}

void chains_learn(struct chains *c, struct trap_places *p, const struct traps_world *w, const struct chains_met *met,
	struct places_freed *freed)
{
	const struct traps_fact *f = met->fact;
	const int is_other = c->limits->defer && (is_mixed(c, f->traits, 1) || met->is_copy || !f->n);
	const size_t strangers = f->id < c->n ? strangers_of(c, f) : 0;
	size_t new = 0, here = 0;

	if (f->id >= c->n)
		return;
	for (size_t i = 0; i < f->n; i++)
		new += f->links[i] >= f->first_new;
	note_items(c, p, met, freed);
	if (met->is_made)
		note_answer(c, w, met, strangers);
	for (enum chains_level level = 0; level < CHAINS_LEVELS; level++) {
		here = level == CHAINS_LISTS ? here : note_links(c, p, w, met, level, freed);
		const size_t elsewhere = new - here;
		const int gain = gain_of(*brood_of(c, f->id, level), here, level == CHAINS_LISTS ? 0 : elsewhere, is_other);
		if (!met->is_made)
			learn(c, p, met, level, gain, times_of(c, met, strangers, level, gain), freed);
		else if (here && level != CHAINS_HOST)
			learn(c, p, met, level, 0, 1, freed);
	}
}
