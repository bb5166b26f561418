#include "frontier/ranker.h"
#include "base/mem.h"
#include "base/paged.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void ranker_look(struct ranker *s, const struct policy_view *leaders)
{
	s->view.crawled = leaders->crawled;
	s->view.batch = leaders->batch;
	s->view.batches = leaders->batches;
	s->view.batch_began = leaders->batch_began;
	s->view.seen = leaders->seen;
	s->view.queued = leaders->queued;
	s->view.ids = leaders->ids;
	s->view.new_seq = leaders->new_seq;
	s->view.state = leaders->state;
}

int ranker_init(struct ranker *s, const struct policy *p, uint64_t until, const struct opt_set *opts,
	const struct policy_view *view, struct err_note *why)
{
	*s = (struct ranker){.policy = p,
		.until = until,
		.opts = *opts,
		.call = {.state = mem_zero(1, p->state_size), .view = &s->view, .why = why, .policy = p}};
	s->view = *view;
	s->view.opts = &s->opts;
	s->view.work = &s->work;
	if (!p->oracle)
		s->view.oracle = NULL;
	int err = p->init ? p->init(&s->call) : 0;
	s->call.why = NULL;
	s->initialised = !err;
	return err;
}

void ranker_release(struct ranker *s, uint32_t ids)
{
	if (s->initialised && s->policy->done)
		s->policy->done(&s->call);
	paged_free(s->call.page, ids, sizeof *s->call.page);
	if (s->policy->page_size)
		paged_free(s->private, ids, s->policy->page_size);
	free(s->call.state);
}

void rankers_grow(struct ranker *s, size_t n, uint32_t had, uint32_t want, enum ranker_pages pages)
{
	for (size_t i = 0; i < n; i++) {
		const size_t size = s[i].policy->page_size;
		if (pages == RANKER_PAGES)
			s[i].call.page = paged_grow(s[i].call.page, had, want, sizeof *s[i].call.page);
		if (size)
			s[i].private = paged_grow(s[i].private, had, want, size);
		s[i].view.private_pages = s[i].private;
	}
}

void rankers_take_over(struct ranker *s, size_t n, uint32_t id, uint32_t target)
{
	for (size_t i = 0; i < n; i++) {
		const size_t size = s[i].policy->page_size;
		const struct page *from = &s[i].call.page[id];
		struct page *to = &s[i].call.page[target];
		to->key = from->key;
		to->seq = from->seq;
		if (size)
			memcpy(s[i].private + target * size, s[i].private + id * size, size);
	}
}

void ranker_remote(struct ranker *s, uint32_t id, double key, const void *private)
{
	const size_t sent = s->policy->page_sent;

	assert(sent <= s->policy->page_size);
	s->call.page[id].key = key;
	if (sent)
		memcpy(s->private + id * s->policy->page_size, private, sent);
}

void rankers_missed(struct ranker *s, size_t n, uint32_t u)
{
	for (size_t i = 0; i < n; i++)
		if (s[i].policy->missed)
			s[i].policy->missed(&s[i].call, u);
}

void rankers_tell_redirect(struct ranker *s, size_t n, uint32_t u, uint32_t target)
{
	for (size_t i = 0; i < n; i++)
		if (s[i].policy->redirected)
			s[i].policy->redirected(&s[i].call, u, target);
}
