/* A policy whose hooks are functions of the library's caller (struct lycosa_policy). The caller writes keys into an array of its
 * own; after each of its functions the keys that may have changed are checked and copied to the pages of the frontier, so that no
 * mistake of the caller can put the queue out of order. */
#include "base/mem.h"
#include "lib/lib_internal.h"

#include <math.h>
#include <stdlib.h>

#define SAME(state) _Static_assert((int)LYCOSA_##state == (int)PAGE_##state, "one state")
SAME(UNSEEN);
SAME(QUEUED);
SAME(IN_FLIGHT);
SAME(CRAWLED);

struct own_policy {
	struct policy policy; /* the first field, so that a hook can cast its policy to this struct */
	const struct lycosa_policy *own;
	uint32_t nodes;
	pthread_mutex_t lock; /* of the two fields below: crawls of a comparison run in several threads */
	int error;            /* of the first crawl that failed */
	struct err_note why;
};

/* The state of the policy in one crawl. */
struct own_crawl {
	struct lycosa_crawl crawl;
	double *key; /* crawl.key, unless begin() has put an array of the caller there */
	int failed;  /* a function of the caller has failed: none but end() is called any more */
};

static const struct own_policy *own_of(const struct policy_call *c)
{
	return (const struct own_policy *)c->policy;
}

static void fail(const struct policy_call *c, int err, const struct err_note *why)
{
	struct own_policy *p = (struct own_policy *)c->policy;
	struct own_crawl *s = c->state;

	s->failed = 1;
	pthread_mutex_lock(&p->lock);
	if (!p->error) {
		p->error = err;
		p->why = *why;
	}
	pthread_mutex_unlock(&p->lock);
}

/* Notes what a function of the caller has returned. Returns 1 if it succeeded. */
static int succeeded(const struct policy_call *c, int returned)
{
	struct err_note why;

	if (returned >= 0)
		return 1;
	err_set(&why, ERR_OTHER, "the policy '%s' has ended the crawl with %d", own_of(c)->own->name, returned);
	fail(c, ERR_OTHER, &why);
	return 0;
}

/* Gives a page of the frontier the key that the caller wrote for it. */
static void take_key(const struct policy_call *c, uint32_t u)
{
	struct own_crawl *s = c->state;
	const double key = s->crawl.key[u];
	struct err_note why;

	if (isfinite(key)) {
		c->page[u].key = key;
		return;
	}
	err_set(&why, ERR_USAGE, "the policy '%s' has given page %u the key %g, which is not finite", own_of(c)->own->name, u, key);
	fail(c, ERR_USAGE, &why);
}

/* Brings what the caller sees of the crawl up to date. Returns it, or NULL if the policy has failed. */
static struct lycosa_crawl *look(const struct policy_call *c)
{
	struct own_crawl *s = c->state;

	s->crawl.crawled = (uint32_t)c->view->crawled;
	s->crawl.queued = (uint32_t)c->view->queued;
	s->crawl.state = c->view->state;
	return s->failed ? NULL : &s->crawl;
}

/* --- the hooks */

static int init(const struct policy_call *c)
{
	const struct own_policy *p = own_of(c);
	struct own_crawl *s = c->state;

	s->crawl.nodes = p->nodes;
	s->crawl.key = s->key = mem_new(p->nodes, sizeof *s->key);
	for (uint32_t u = 0; u < p->nodes; u++)
		s->key[u] = p->own->first_key;
	if (p->own->begin)
		succeeded(c, p->own->begin(&s->crawl, p->own->user));
	return 0; /* so that done() is called; a failure ends the crawl at its first page */
}

static void done(const struct policy_call *c)
{
	const struct own_policy *p = own_of(c);
	struct own_crawl *s = c->state;

	if (p->own->end)
		p->own->end(&s->crawl);
	free(s->key);
}

static void seed(const struct policy_call *c, const uint32_t *seeds, size_t n)
{
	const struct own_policy *p = own_of(c);
	struct lycosa_crawl *crawl = look(c);

	if (!crawl || (p->own->seeds && !succeeded(c, p->own->seeds(crawl, seeds, n))))
		return;
	for (size_t i = 0; i < n; i++)
		take_key(c, seeds[i]);
}

static void crawled(const struct policy_call *c, uint32_t u, size_t outdegree, const uint32_t *queued, size_t n)
{
	const struct own_policy *p = own_of(c);
	struct lycosa_crawl *crawl = look(c);
	const uint32_t *links;

	(void)outdegree;
	if (!crawl)
		return;
	const size_t n_links = view_links(c->view, u, &links);
	if (p->own->crawled && !succeeded(c, p->own->crawled(crawl, u, links, n_links)))
		return;
	for (size_t i = 0; i < n; i++)
		take_key(c, queued[i]);
}

static int due(const struct policy_call *c)
{
	const struct own_crawl *s = c->state;

	return s->failed || (own_of(c)->own->rerank && view_batch_ended(c->view));
}

static int rerank(const struct policy_call *c)
{
	struct own_crawl *s = c->state;
	struct lycosa_crawl *crawl = look(c);

	if (crawl && succeeded(c, own_of(c)->own->rerank(crawl)))
		for (uint32_t u = 0; u < c->view->ids; u++)
			if (c->view->state[u] == PAGE_QUEUED)
				take_key(c, u);
	c->view->work->pages += c->view->queued;
	return s->failed ? ERR_OTHER : 1;
}

/* --- the policy */

const struct policy *own_policy_make(const struct lycosa_policy *own, uint32_t nodes)
{
	struct own_policy *p = mem_zero(1, sizeof *p);

	p->policy = (struct policy){.name = own->name,
		.summary = "a policy of the caller",
		.source = "the caller",
		.order = own->lowest_first ? POLICY_LOWEST_FIRST : POLICY_HIGHEST_FIRST,
		.first_key = isfinite(own->first_key) ? own->first_key : 0, /* take_key() refuses it */
		.state_size = sizeof(struct own_crawl),
		.init = init,
		.seed = seed,
		.crawled = crawled,
		.due = due,
		.rerank = rerank,
		.done = done};
	p->own = own;
	p->nodes = nodes;
	pthread_mutex_init(&p->lock, NULL);
	return &p->policy;
}

void own_policy_free(const struct policy *p)
{
	pthread_mutex_destroy(&((struct own_policy *)p)->lock);
	free((struct own_policy *)p);
}

int own_policy_is(const struct policy *p)
{
	return p->init == init;
}

int own_policy_error(const struct policy *policy, struct err_note *why)
{
	const struct own_policy *p = (const struct own_policy *)policy;

	if (why && p->error)
		*why = p->why;
	return p->error;
}
