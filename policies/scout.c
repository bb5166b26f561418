/* Scout: echo, with a few pages for explorers that look where echo does not.
 *
 * Links tell well which of the queued pages are worth most, and nothing of the pages that nobody has linked to yet: of the hot
 * pages that a crawl lacks, most are not in its queue. Echo (policies/echo.c) chooses nearly all pages. A small share of them is
 * left to three explorers (policies/explorers.h), who share it by what each of them has found in this crawl.
 *
 * Whenever the crawl has grown by a quarter, the explorers are looked at. Among the later half of the crawled pages, r(j) is the
 * mean number of hot pages that explorer j has found by a page that it took and that echo's choices have not found, too; r(echo)
 * that of echo's choices, smoothed:
 *   r(echo) = (found + 1) / (pages + 1)       r(j) = (found + 2 r(echo)) / (pages + 2)
 * If explorer j took three pages at least, its share becomes 1.5 times as large if r(j) > r(echo), and otherwise 1.5 times smaller,
 * within [LEAST, MOST]. Then it chooses
 *   share(j) max(1, (1000 / n)^(1/3)) min(1, 2 stake) (a quarter of the n crawled pages)
 * queued pages, which come before all others; fractions are kept for the next time. The stake is the share of the groups of queued
 * pages in which no page is crawled: on a site whose every corner echo has seen there is nothing to explore. The fewer pages are
 * known, the less can be judged by them, so more is explored at first: a share that falls with the third root of the pages, until a
 * thousand are crawled.
 *
 * The shares begin with START. In a crawl from 20 seeds or fewer, as people crawl a site, that of the oldest page begins with
 * START_NEAR: what lies near the first page is often what all of the site links to. */
#include "frontier/schedule.h"
#include "policies/echo.h"
#include "policies/explorers.h"
#include "policies/policies.h"

#define START      0.01 /* of the pages, for each explorer */
#define START_NEAR 0.05
#define LEAST      (0.02 / 3)
#define MOST       0.05
#define CHANGE     1.5
#define GROWTH     0.25 /* of the crawl, until the explorers are looked at again */
#define EARLY      1000 /* pages of a crawl, until which more is explored */
#define ENOUGH     3    /* pages of an explorer by which it is judged */

struct scout {
	struct echo echo; /* the first field: see policies/echo.h */
	double share[CHOOSERS];
	double due[CHOOSERS]; /* the pages that an explorer may choose, and has not chosen yet */
	uint64_t looked;      /* the pages that were crawled when the explorers were looked at last */
	uint64_t looks, sent; /* `sent`: pages at the last look, which may still be queued at the next reranking */
};

static int init(const struct policy_call *c)
{
	struct scout *s = c->state;

	for (int j = CLUSTERS; j < CHOOSERS; j++)
		s->share[j] = START;
	return 0;
}

static void seed(const struct policy_call *c, const uint32_t *seeds, size_t n)
{
	struct scout *s = c->state;

	echo_seed(c, seeds, n);
	if (!c->view->crawled)
		s->share[OLDEST] = s->echo.n_first_seeds > SCHEDULE_FIRST ? START : START_NEAR;
}

static void crawled(const struct policy_call *c, uint32_t u, size_t outdegree, const uint32_t *queued, size_t n)
{
	echo_crawled(c, u, outdegree, queued, n);
	if (c->view->state[u] != PAGE_REMOTE)
		explorers_know(c, u);
}

static void learn(const struct policy_call *c)
{
	struct scout *s = c->state;
	double found[CHOOSERS], pages[CHOOSERS];

	explorers_found(c, found, pages);
	const double own = (found[OWN_CHOICE] + 1) / (pages[OWN_CHOICE] + 1);
	for (int j = CLUSTERS; j < CHOOSERS; j++) {
		const double r = (found[j] + 2 * own) / (pages[j] + 2);
		if (pages[j] >= ENOUGH)
			s->share[j] = fmax(LEAST, fmin(MOST, r > own ? s->share[j] * CHANGE : s->share[j] / CHANGE));
	}
}

static int rerank(const struct policy_call *c)
{
	const double pages = (double)c->view->crawled;
	struct scout *s = c->state;
	const int changed = echo_rerank(c);

	if (s->sent)
		explorers_recall(c);
	s->sent = 0;
	if (pages < (1 + GROWTH) * (double)s->looked)
		return changed;
	s->looked = c->view->crawled;
	s->looks++;
	learn(c);
	const double early = fmax(1, cbrt(EARLY / pages));
	const double span = early * fmin(1, 2 * explorers_stake(c)) * GROWTH * pages;
	for (enum chooser j = CLUSTERS; j < CHOOSERS; j++) {
		s->due[j] += s->share[j] * span;
		const double whole = floor(s->due[j]);
		s->due[j] -= whole;
		explorers_send(c, j, (size_t)whole, s->looks);
		s->sent += (uint64_t)whole;
	}
	return changed;
}

static const char *chosen_by(const struct policy_call *c, uint32_t u)
{
	const struct expected_page *page = c->view->private_pages;

	return chooser_names[page[u].chooser];
}

const struct policy policy_scout = {
	.name = "scout",
	.summary = "echo, with a few pages for explorers that look elsewhere",
	.source = "lycosa's own: doc/policies/scout.md",
	.order = POLICY_HIGHEST_FIRST,
	.needs = POLICY_SEES_FINDERS,
	.wants = POLICY_SEES_URLS,
	.state_size = sizeof(struct scout),
	.page_size = sizeof(struct expected_page),
	.page_sent = offsetof(struct expected_page, finder), /* x and e */
	.init = init,
	.seed = seed,
	.crawled = crawled,
	.missed = expected_rank_missed,
	.rerank = rerank,
	.due = echo_due,
	.chosen_by = chosen_by,
};
