/* Echo: PageRank that includes the links which queued pages are expected to have.
 *
 * A crawl knows only the links of crawled pages. On most sites a queued page will distribute much of its value to the page
 * on which it was discovered, and to the pages that were discovered there with it (menus, lists, links to the parent).
 * Echo expects a queued page to link as the crawled pages discovered on the same page do. It keeps two values of a page
 * (policies/expected_rank.h): x is PageRank by the known links, and e also includes the expected links. The page with
 * the highest K comes first:
 *   K = (1 - m) ln(b + x) + m ln(b + e) + lambda p
 *   m = 0.4 (1 - (crawled / seen)^2)
 * b is the base of a page (policies/expected_rank.h). It is 1 before the first reranking, if batches are fixed, and in a crawl from
 * 20 seeds or fewer, which are no sample of its pages. m is the weight of the expected links: 0 before the first reranking. Both
 * are computed at each (policies/rerank.h). In a crawl with URLs p is what the page's file name tells of its value, and lambda how
 * far this can be trusted (policies/name_prior.h).
 *
 * When a page is crawled, it adds its shares to x and e of its queued targets, and their keys change at once. Before the first
 * reranking the key of a new page is ln of a temporary value t, the sum over the crawled pages that link to it, without damping, of
 *   (base + t) / (number of links)
 * The base of a seed is 1, and that of other pages 0. If batches grow, other pages have the base 1, too, but a link's share
 * of it is at most half of t: else the first page with few links would outweigh all that the home page links to. The key that
 * orders the queue is K in units of 1e-5, rounded.
 *
 * Seeds come before all other pages until the first reranking. Then they are ordered by K, too, and a seed to which no crawled page
 * links has a bonus (policies/seed_bonus.h). If there are more seeds than pages of the first batch, all pages are ordered by K at
 * once; if batches are fixed, only when the seeds have turned out to be roots.
 *
 * What a seed leads to is not known before it is crawled, and no value by links tells. If batches grow, each reranking puts seeds
 * before all other pages, in order of discovery, until of n crawled pages
 *   max(sqrt(n) / 4, like n / 4)
 * are seeds. `like` (policies/expected_rank.h) is 1 where the seeds are a sample of all pages: then a quarter of the first pages
 * are seeds, so that the crawl soon knows every part of the web that has a seed. It is 0 where the seeds are roots, to which no
 * page links: then hardly any are, since a web may have as many roots as other pages. */
#include "base/mem.h"
#include "frontier/schedule.h"
#include "policies/echo.h"
#include "policies/policies.h"
#include "policies/rerank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BELIEF 0.4
#define STEP   1e-5
#define LENT   0.5  /* of the temporary value of a page, at most, is a link's share of its base */
#define SEEDS  0.25 /* of the pages, or of their square root, are seeds while there are some */

/* Returns the key of a page: K of the head of this file. */
static double key_of(const struct policy_call *c, uint32_t u)
{
	const struct expected_page *v = &((const struct expected_page *)c->view->private_pages)[u];
	const struct echo *s = c->state;
	const double base = 1 - s->rank.lack;
	double key = (1 - s->m) * log(base + (double)v->x);

	if (s->m > 0)
		key += s->m * log(base + (double)v->e);
	key += name_prior(&s->names, &v->named);
	return rerank_steps(v->finder || v->in ? key : key + s->bonus, STEP);
}

void echo_seed(const struct policy_call *c, const uint32_t *seeds, size_t n)
{
	struct expected_page *page = c->view->private_pages;
	struct echo *s = c->state;

	if (!c->view->crawled) {
		s->n_first_seeds = (uint32_t)c->view->seen;
		s->keys_are_K = c->view->growth > 0 && s->n_first_seeds > SCHEDULE_FIRST;
	}
	for (size_t i = 0; i < n; i++) {
		name_prior_meet(&page[seeds[i]].named, c->view, seeds[i]);
		page[seeds[i]].is_seed = !c->view->crawled;
		c->page[seeds[i]].key = s->keys_are_K ? key_of(c, seeds[i]) : RERANK_FIRST_OF_ALL;
	}
}

void echo_crawled(const struct policy_call *c, uint32_t u, size_t outdegree, const uint32_t *queued, size_t n)
{
	struct expected_page *page = c->view->private_pages;
	struct echo *s = c->state;
	const double O = (double)outdegree, ux = page[u].x, ue = page[u].e;
	const int is_first = c->page[u].seq < s->n_first_seeds;
	const double lent = c->view->growth > 0 ? fmin(1 / O, LENT * ue) : 0;
	const double temporary = is_first ? (1 + ux) / O : lent + ue / O;
	const double base = expected_rank_base(&s->rank, &page[u]), x = EXPECTED_DAMPING * (base + ux) / O;
	const double e = s->is_reranked ? EXPECTED_DAMPING * (base + ue) / O : temporary;

	if (c->view->state[u] != PAGE_REMOTE)
		seed_bonus_learn(&s->seeds, c->view, u, outdegree, page[u].finder ? FOUND_PAGE : SEED);
	s->seeds_crawled += page[u].is_seed;
	expected_rank_learn(&s->rank, c->view, u, outdegree);
	if (c->view->sees & POLICY_SEES_URLS)
		name_prior_crawled(&s->names, &page[u].named, log(1 + ux));
	if (!s->keys_are_K)
		seed_bonus_watch(&s->seeds, c, s->n_first_seeds, outdegree, queued, n);
	for (size_t i = 0; i < n; i++) {
		struct expected_page *v = &page[queued[i]];
		struct page *p = &c->page[queued[i]];
		if (view_is_new(c->view, c->page, queued[i])) {
			v->finder = u + 1;
			name_prior_meet(&v->named, c->view, queued[i]);
		}
		v->x = (float)(v->x + x);
		v->e = (float)(v->e + e);
		expected_rank_count_link(v);
		if (!s->keys_are_K && p->seq >= s->n_first_seeds)
			p->key = rerank_steps(log(fmax((double)v->e, 1e-12)), STEP);
		else if (p->key != RERANK_FIRST_OF_ALL)
			p->key = key_of(c, queued[i]);
	}
}

int echo_due(const struct policy_call *c)
{
	const struct echo *s = c->state;

	return rerank_is_due(c->view, s->ranked) || (!s->keys_are_K && seed_bonus_are_roots(&s->seeds));
}

static void solve(const struct policy_call *c)
{
	const struct policy_view *view = c->view;
	struct expected_page *page = view->private_pages;
	struct echo *s = c->state;

	if (!s->is_reranked)
		for (uint32_t v = 0; v < view->ids; v++)
			page[v].e = page[v].x;
	if (view->growth > 0 && s->n_first_seeds > SCHEDULE_FIRST)
		s->rank.lack = expected_rank_likeness(&s->rank) * expected_rank_unknown(view);
	expected_rank_solve(&s->rank, c);
	s->m = BELIEF * expected_rank_unknown(view);
	s->bonus = seed_bonus(&s->seeds);
	name_prior_learn(&s->names, view, expected_rank_named);
	s->is_reranked = 1;
	s->ranked = view->crawled;
}

/* Puts the next seeds before all other pages, as many as the head of this file says. */
static void send_seeds(const struct policy_call *c)
{
	const struct expected_page *page = c->view->private_pages;
	const double n = (double)c->view->crawled;
	const struct echo *s = c->state;
	const double most = SEEDS * fmax(sqrt(n), expected_rank_likeness(&s->rank) * n);
	double left = floor(fmin(most, s->n_first_seeds)) - (double)s->seeds_crawled;

	if (c->view->growth <= 0 || left <= 0)
		return;
	AUTO_FREE uint32_t *by_seq = mem_new(s->n_first_seeds, sizeof *by_seq);
	memset(by_seq, 0xff, s->n_first_seeds * sizeof *by_seq);
	for (uint32_t v = 0; v < c->view->ids; v++)
		if (c->view->state[v] == PAGE_QUEUED && c->page[v].seq < s->n_first_seeds && !page[v].is_missed)
			by_seq[c->page[v].seq] = v;
	for (uint32_t i = 0; i < s->n_first_seeds && left > 0; i++)
		if (by_seq[i] != POLICY_NO_PAGE) {
			c->page[by_seq[i]].key = RERANK_FIRST_OF_ALL;
			left--;
		}
}

int echo_rerank(const struct policy_call *c)
{
	struct echo *s = c->state;

	if (rerank_is_due(c->view, s->ranked))
		solve(c);
	s->keys_are_K = 1;
	rerank_queued(c, key_of);
	send_seeds(c);
	return 1;
}

const struct policy policy_echo = {
	.name = "echo",
	.summary = "PageRank with the links that queued pages are expected to have",
	.source = "lycosa's own: doc/policies/echo.md",
	.order = POLICY_HIGHEST_FIRST,
	.wants = POLICY_SEES_URLS,
	.state_size = sizeof(struct echo),
	.page_size = sizeof(struct expected_page),
	.page_sent = offsetof(struct expected_page, finder), /* x and e */
	.seed = echo_seed,
	.crawled = echo_crawled,
	.missed = expected_rank_missed,
	.rerank = echo_rerank,
	.due = echo_due,
};
