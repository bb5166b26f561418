#include "fetch/captured.h"
#include "base/mem.h"
#include "fetch/page_fill.h"
#include "fetch/robots_cache.h"
#include "fetch/transfer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct captured {
	struct transfer_options options; /* settings and product alone: nothing is sent */
	struct transfer transfer;
	struct page_build build, requisites;
	struct robots_cache *origins;
};

void captured_new(struct captured **out, const struct fetch_settings *set)
{
	struct captured *c = mem_zero(1, sizeof *c);

	c->options.set = *set;
	answer_product(set->user_agent ? set->user_agent : "", c->options.product, sizeof c->options.product);
	c->transfer.options = &c->options;
	page_build_init(&c->build, set->max_links, 0);
	page_build_init(&c->requisites, FETCH_MAX_REQUISITES, 0);
	c->build.rules = c->requisites.rules = set->rules;
	c->origins = robots_cache_new(c->options.product, set->host_settings);
	*out = c;
}

void captured_free(struct captured *c)
{
	if (!c)
		return;
	page_build_release(&c->build);
	page_build_release(&c->requisites);
	robots_cache_free(c->origins);
	answer_release(&c->transfer.answer);
	url_release(&c->transfer.url);
	free(c);
}

void captured_robots(struct captured *c, const struct url *u, const char *text, size_t n)
{
	robots_cache_rules(c->origins, robots_cache_find(c->origins, u, 0), text, n, 0);
}

/* Reads the head of an answer. */
static void read_head(struct captured *c, const struct captured_answer *a)
{
	struct answer *answer = &c->transfer.answer;
	const char *at = a->head.at, *end = at + a->head.n;

	answer_reset(answer);
	while (at < end) {
		const char *lf = memchr(at, '\n', (size_t)(end - at)), *stop = lf ? lf + 1 : end;
		if (answer_line(answer, at, (size_t)(stop - at), c->options.product, a->time / 1000))
			break;
		at = stop;
	}
	if (a->head.n)
		return;
	answer->status = 200;
	answer->has_headers = 1;
	answer->has_type = a->type != NULL;
	if (a->type)
		snprintf(answer->type, sizeof answer->type, "%s", a->type);
}

struct fetch_page *captured_page(struct captured *c, const struct captured_answer *a)
{
	struct transfer *t = &c->transfer;

	read_head(c, a);
	url_copy(&t->url, a->url);
	t->origin = robots_cache_find(c->origins, a->url, 0);
	t->body = (struct buf){(char *)(uintptr_t)a->body.at, a->body.n, a->body.n};
	const struct verdict v = answer_judge(&t->answer, OUTCOME_NONE, PERMANENT, 0, 1);
	struct fetch_page head = {.result = {.status = t->answer.status,
					  .state = v.state,
					  .outcome = v.outcome,
					  .target = UINT32_MAX,
					  .not_before = a->time,
					  .started = a->time,
					  .ended = a->time,
					  .host_delay = -1,
					  .bytes = a->body.n}};
	page_fill(&c->build, &c->requisites, &head, t, c->options.set.topic);
	return page_build_take(&c->build, &head);
}
