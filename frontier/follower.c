#include "frontier/follower.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

struct opt_set follower_opts(const struct policy *chain, const struct opt_set *opts, size_t i)
{
	const struct policy_turn *t = &chain->turns[i];

	return (struct opt_set){t->policy->opts, t->policy->opts ? opts->value + t->opts_at : NULL,
		t->policy->name};
}

/* The leader's view of now, with what is one's own. */
static void look(struct follower *f, const struct policy_view *leaders)
{
	void *private = f->view.private_pages;

	f->view = *leaders;
	f->view.opts = &f->opts;
	f->view.work = &f->work;
	f->view.private_pages = private;
	if (!f->policy->oracle)
		f->view.oracle = NULL;
}

int follower_init(struct follower *f, const struct policy *chain, size_t i,
	const struct opt_set *opts, const struct policy_view *view, struct err_note *why)
{
	const struct policy *p = chain->turns[i].policy;

	*f = (struct follower){.policy = p,
		.until = chain->turns[i].until,
		.opts = follower_opts(chain, opts, i),
		.call = {.state = mem_zero(1, p->state_size), .view = &f->view, .why = why}};
	look(f, view);
	int err = p->init ? p->init(&f->call) : 0;
	f->call.why = NULL;
	f->initialised = !err;
	return err;
}

void follower_release(struct follower *f, uint32_t ids)
{
	if (f->initialised && f->policy->done)
		f->policy->done(&f->call);
	mem_big_free(f->call.page, ids, sizeof *f->call.page);
	if (f->policy->page_size)
		mem_big_free(f->private, ids, f->policy->page_size);
	free(f->call.state);
}

void followers_grow(struct follower *f, size_t n, uint32_t had, uint32_t want)
{
	for (size_t i = 0; i < n; i++) {
		f[i].call.page = mem_big_grow(f[i].call.page, had, want, sizeof *f[i].call.page);
		if (f[i].policy->page_size)
			f[i].private =
				mem_big_grow(f[i].private, had, want, f[i].policy->page_size);
		f[i].view.private_pages = f[i].private;
	}
}

void followers_see(struct follower *f, size_t n, uint32_t id, uint32_t seq)
{
	for (size_t i = 0; i < n; i++)
		f[i].call.page[id] = (struct page){f[i].policy->first_key, seq, 0};
}

void followers_redirected(struct follower *f, size_t n, uint32_t id, uint32_t target)
{
	for (size_t i = 0; i < n; i++) {
		size_t size = f[i].policy->page_size;
		f[i].call.page[target] = f[i].call.page[id];
		if (size)
			memcpy(f[i].private + target * size, f[i].private + id * size, size);
	}
}

void followers_seed(struct follower *f, size_t n, const struct policy_view *view,
	const uint32_t *seeds, size_t n_seeds)
{
	for (size_t i = 0; i < n; i++) {
		look(&f[i], view);
		if (f[i].policy->seed)
			f[i].policy->seed(&f[i].call, seeds, n_seeds);
	}
}

int followers_crawled(struct follower *f, size_t n, const struct policy_view *view, uint32_t u,
	size_t outdegree, const uint32_t *queued, size_t n_queued)
{
	int changed = 0;

	for (size_t i = 0; changed >= 0 && i < n; i++) {
		const struct policy *p = f[i].policy;
		look(&f[i], view);
		if (p->crawled)
			p->crawled(&f[i].call, u, outdegree, queued, n_queued);
		int due = p->due ? p->due(&f[i].call) : view->crawled % view->batch == 0;
		if (p->rerank && due)
			changed = p->rerank(&f[i].call);
	}
	return changed < 0 ? changed : 0;
}
