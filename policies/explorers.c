#include "policies/explorers.h"
#include "base/mem.h"
#include "base/paged.h"
#include "base/rng.h"
#include "frontier/heap.h"
#include "policies/expected_rank.h"
#include "policies/rerank.h"

#include <string.h>

#define HALF 65536 /* the values of half of the bits of a float */

const char *const chooser_names[CHOOSERS] = {[CLUSTERS] = "clusters", [CHANCE] = "chance", [OLDEST] = "oldest"};

/* Says whether page v may be chosen: it is queued, and was not tried in vain. A live crawl tries a page again that fails at once in
 * a replay, and both explore alike. */
static inline int is_waiting(const struct policy_view *view, uint32_t v)
{
	const struct expected_page *page = view->private_pages;

	return view->state[v] == PAGE_QUEUED && !page[v].is_missed;
}

static inline int is_known(const struct policy_view *view, uint32_t v)
{
	return view->state[v] == PAGE_CRAWLED || view->state[v] == PAGE_IN_FLIGHT || is_waiting(view, v);
}

void explorers_know(const struct policy_call *c, uint32_t u)
{
	struct expected_page *page = c->view->private_pages;
	const uint32_t *row;

	page[u].place = (uint32_t)c->view->crawled;
	const size_t n = page[u].chooser == OWN_CHOICE ? view_links(c->view, u, &row) : 0;

	for (size_t i = 0; i < n; i++)
		page[row[i]].is_own = 1;
}

/* --- hot pages */

/* Returns the bits of a value x, which is not negative: the order of bits is the order of values. */
static inline uint32_t bits_of(const struct expected_page *p)
{
	uint32_t bits;

	memcpy(&bits, &p->x, sizeof bits);
	return bits;
}

/* Counts from the largest number down until `left` members are passed; returns the number at which this happens, and in *left how
 * many of its members are wanted. */
static uint32_t count_down(const uint32_t *members, uint64_t *left)
{
	uint32_t i = HALF - 1;

	while (i > 0 && members[i] < *left)
		*left -= members[i--];
	return i;
}

/* Returns the value above which a page is hot: the n-th largest x, found by its upper and then by its lower bits, and a little more
 * against ties. */
static double hot_value(const struct policy_view *view)
{
	const struct expected_page *page = view->private_pages;
	AUTO_FREE uint32_t *members = mem_zero(HALF, sizeof *members);
	uint64_t left = view->crawled;
	uint32_t bits;
	float x;

	for (uint32_t v = 0; v < view->ids; v++)
		if (is_known(view, v))
			members[bits_of(&page[v]) / HALF]++;
	const uint32_t upper = count_down(members, &left);
	memset(members, 0, HALF * sizeof *members);
	for (uint32_t v = 0; v < view->ids; v++)
		if (is_known(view, v) && (bits = bits_of(&page[v])) / HALF == upper)
			members[bits % HALF]++;
	bits = upper * HALF + count_down(members, &left);
	memcpy(&x, &bits, sizeof x);
	return (double)x * (1 + 1e-9) + 1e-12;
}

/* Returns for each id 1 + the chooser of a page of the later half; 0 for any other page. */
static uint8_t *later_half(const struct policy_view *view)
{
	const struct expected_page *page = view->private_pages;
	uint8_t *by = paged_new(view->ids, 1);

	for (uint32_t u = 0; u < view->ids; u++)
		if (view->state[u] == PAGE_CRAWLED && page[u].place > view->crawled / 2)
			by[u] = (uint8_t)(1 + page[u].chooser);
	return by;
}

void explorers_found(const struct policy_call *c, double found[CHOOSERS], double pages[CHOOSERS])
{
	const struct policy_view *view = c->view;
	const struct expected_page *page = view->private_pages;
	const double hot = hot_value(view);
	uint8_t *by = later_half(view);

	for (int j = 0; j < CHOOSERS; j++)
		found[j] = pages[j] = 0;
	for (uint32_t v = 0; v < view->ids; v++) {
		const int chooser = by[v] - 1;
		if (chooser >= 0)
			pages[chooser]++;
		if (!is_known(view, v) || !((double)page[v].x > hot))
			continue;
		const uint32_t finder = view->found[v].finder;
		const int by_finder = finder == POLICY_NO_PAGE ? -1 : by[finder] - 1;
		if (chooser >= 0)
			found[chooser] += chooser == OWN_CHOICE || !page[v].is_own;
		if (by_finder >= 0)
			found[by_finder] += by_finder == OWN_CHOICE || !page[v].is_own;
	}
	paged_free(by, view->ids, 1);
}

/* --- groups of pages that were discovered on one page */

struct group {
	uint32_t best; /* the id of its best queued page that nobody has chosen, + 1; 0: there is none */
	uint32_t queued, crawled;
};

/* Returns the groups by the ids of their finders, and in *alone the number of queued seeds. */
static struct group *groups_of(const struct policy_call *c, double *alone)
{
	const struct policy_view *view = c->view;
	const struct expected_page *page = view->private_pages;
	struct group *of = paged_new(view->ids, sizeof *of);

	*alone = 0;
	for (uint32_t v = 0; v < view->ids; v++) {
		if (!is_known(view, v))
			continue;
		const int is_queued = is_waiting(view, v);
		if (view->found[v].finder == POLICY_NO_PAGE) {
			*alone += is_queued;
			continue;
		}
		struct group *g = &of[view->found[v].finder];
		const struct page *p = &c->page[v], *best = g->best ? &c->page[g->best - 1] : NULL;
		g->queued += (uint32_t)is_queued;
		g->crawled += view->state[v] == PAGE_CRAWLED;
		if (is_queued && page[v].chooser == OWN_CHOICE &&
			(!best || p->key > best->key || (p->key >= best->key && p->seq < best->seq)))
			g->best = v + 1;
	}
	return of;
}

double explorers_stake(const struct policy_call *c)
{
	double alone;
	struct group *of = groups_of(c, &alone);
	double all = alone, untouched = alone;

	for (uint32_t u = 0; u < c->view->ids; u++)
		if (of[u].queued) {
			all++;
			untouched += !of[u].crawled;
		}
	paged_free(of, c->view->ids, sizeof *of);
	return all > 0 ? untouched / all : 0;
}

/* --- choosing */

/* Keeps the k best candidates, which have the lowest worth; the worst of them is at the root of the heap. */
static void offer(struct heap *kept, size_t k, double worth, const struct page *p, uint32_t id)
{
	static const struct heap_indexes nowhere = {NULL, 0};
	const struct entry e = entry_make(-worth, ~p->seq, id);

	if (kept->n < k)
		heap_push(kept, e, nowhere);
	else if (entry_before(&kept->at[0], &e))
		heap_sift_down(kept, 0, e, nowhere);
}

static void offer_groups(const struct policy_call *c, struct heap *kept, size_t k)
{
	double alone;
	struct group *of = groups_of(c, &alone);

	for (uint32_t u = 0; u < c->view->ids; u++)
		if (of[u].best)
			offer(kept, k, -(double)of[u].queued / (1 + (double)of[u].crawled), &c->page[of[u].best - 1],
				of[u].best - 1);
	paged_free(of, c->view->ids, sizeof *of);
}

/* Returns a number that tells pages apart by how they were discovered. It is the same in a replay, where redirects are known
 * beforehand and pages that lead to one page have one number in the order of discovery. */
static uint64_t discovery_of(const struct policy_call *c, uint32_t v)
{
	const struct policy_found *f = &c->view->found[v];

	return f->finder == POLICY_NO_PAGE ? c->page[v].seq : (uint64_t)f->when << 16 ^ f->link;
}

/* Offers each queued page, with a random worth, or with the same worth, so that the earliest seq counts. */
static void offer_pages(const struct policy_call *c, enum chooser chooser, struct heap *kept, size_t k, uint64_t draw)
{
	const struct policy_view *view = c->view;
	const struct expected_page *page = view->private_pages;

	for (uint32_t v = 0; v < view->ids; v++) {
		if (!is_waiting(view, v) || page[v].chooser != OWN_CHOICE)
			continue;
		struct rng rng = {view->rng_seed ^ (draw << 48 ^ discovery_of(c, v))};
		offer(kept, k, chooser == CHANCE ? rng_unit(&rng) : 0, &c->page[v], v);
	}
}

void explorers_send(const struct policy_call *c, enum chooser chooser, size_t k, uint64_t draw)
{
	struct expected_page *page = c->view->private_pages;
	struct heap kept = {.n = 0};

	if (!k)
		return;
	if (chooser == CLUSTERS)
		offer_groups(c, &kept, k);
	else
		offer_pages(c, chooser, &kept, k, draw);
	for (size_t i = 0; i < kept.n; i++) {
		c->page[kept.at[i].id].key = RERANK_FIRST_OF_ALL;
		page[kept.at[i].id].chooser = (unsigned)chooser & 3;
	}
	heap_release(&kept);
}

void explorers_recall(const struct policy_call *c)
{
	struct expected_page *page = c->view->private_pages;

	for (uint32_t v = 0; v < c->view->ids; v++)
		if (c->view->state[v] == PAGE_QUEUED)
			page[v].chooser = OWN_CHOICE;
}
