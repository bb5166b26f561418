/* Chains: sections without end, known by how their pages lead to each other, whatever their texts are. The pages of such a section
 * are like their parents, and have about as many new pages as those had. On a real site the pages that an index leads to are no
 * indices, and most pages lead to none that is new. So the pages of a section are the steps of a random walk, one up where a page
 * *reproduces*, one down where it is barren; a row of pages lasts as long as the walk is above an eighth of their number (a test of
 * Page's, "Continuous inspection schemes", 1954, for a change of the mean). doc/traps.md has the longest rows of real sites.
 *
 *	chains_find(&c, id, traits, from);                          a page was found
 *	if (chains_doubts(&c, &places, id, traits, level, &section)) ...    its turn: it waits if the place of this section does
 *	chains_learn(&c, &places, &world, &met, &freed);      a page was crawled
 *
 * One thread uses a struct chains. Memory: 4 bytes for each page that was found, 16 to 32 for each value of a parameter of a
 * path. */
#ifndef TRAPS_CHAINS_H
#define TRAPS_CHAINS_H

#include "traps/places.h"
#include "parser/shape.h"

struct traps_fact;
struct traps_world;

/* The sections to which a page belongs: its host; its family (shape_family()); and its family together with the pages of other
 * families to which pages of this family were the first to lead: lists, for example, together with the articles that they list. */
enum chains_level { CHAINS_HOST, CHAINS_FAMILY, CHAINS_LISTS, CHAINS_LEVELS };

struct chains {
	struct places_limits limits[CHAINS_LEVELS];
	struct chains_page *page; /* n, by id, if the limits are on */
	size_t n, room;
	struct map hosts;  /* how many crawled pages other families led to, and how many of these reproduced */
	struct map values; /* by path, parameter and value: how many crawled pages have them */
	struct map lists;  /* by the place of lists: the address that was made up for them */
	struct map items;  /* by page: the lists, whose row is half complete, that were the first to lead to it */
};

/* Makes an empty table. The rest of a family waits after so many pages in a row; 0: nothing is judged. */
void chains_init(struct chains *, uint32_t pages);

/* Frees the memory. */
void chains_release(struct chains *);

/* Writes the table into an image, or reads it. */
void chains_image(struct chains *, struct image *);

/* The place of a section, and its limits. */
struct chains_section {
	uint64_t key;
	struct places_limits limits;
};

/* Says whether an address far behind a list is to be made up, when the list is crawled. This is so once, when the lists of its
 * section and their items have nearly as many pages as a section without end may have. If the answer leads to further lists with
 * items, the section is without end; if not, it may have SECTIONS times as many pages. Returns 1, and in *like the list that was
 * crawled before this one; or 0. */
int chains_asks(const struct chains *, const struct trap_places *, const struct traps_fact *, uint32_t *like);

/* Notes that page `id` has the address that was made up. */
void chains_made(struct chains *, const struct url_traits *, uint32_t id);

/* Notes that a page is found. Where page `from` of its host redirects to the page, the page counts as found on the page that `from`
 * was found on. `from` is TRAPS_NO_PAGE if no page redirects to it. */
void chains_find(struct chains *, uint32_t id, const struct url_traits *, uint32_t from);

/* Says whether a page may be kept in its section, which is written into *out: not if a page of another section leads to it,
 * nor, before the section is skipped, if its URL has a query that is no combination. */
int chains_doubts(struct chains *, const struct trap_places *, uint32_t id, const struct url_traits *, enum chains_level,
	struct chains_section *out);

/* A page that was crawled. */
struct chains_met {
	const struct traps_fact *fact;
	int is_copy;       /* 1: it is a duplicate */
	int is_made;       /* 1: its address was made up: it tells only by which page its links were found */
	struct url *other; /* scratch memory, whose text belongs to the traps_world */
};

/* Confirms or frees the sections of a page, and notes of the pages that it links to by which they were found. */
void chains_learn(struct chains *, struct trap_places *, const struct traps_world *, const struct chains_met *,
	struct places_freed *);

#endif
