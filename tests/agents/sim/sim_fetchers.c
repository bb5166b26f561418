#include "tests/agents/sim/sim_fetchers.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/rng.h"
#include "fetch/page_build.h"
#include "tests/agents/sim/sim_bus.h"
#include "tests/agents/sim/sim_time.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct fetch_settings fetch_defaults = {
	.threads = 1,
	.parallel = 32,
	.max_links = 50000,
	.tries = 3,
	.max_redirect = 10,
};

struct request {
	unsigned host, page;
	int64_t started, ended;
};

static struct {
	struct sim_web web;
	struct request *asked;
	size_t n, room;
} all;

struct flight {
	uint32_t id;
	struct url url;
	unsigned host, page;
	int is_request; /* the server is asked */
	int64_t started, due;
};

struct fetchers {
	struct fetch_settings set;
	struct flight *flight;
	unsigned n;
	int is_aborted;
	struct page_build build;
};

/* --- the web */

void sim_web_begin(const struct sim_web *web)
{
	all.web = *web;
	all.n = 0;
}

void sim_web_end(void)
{
	free(all.asked);
	all.asked = NULL;
	all.n = all.room = 0;
}

/* Link `i` of a page leads to a page of its own host or, in every third case, of any. */
static void link_of(unsigned host, unsigned page, unsigned i, unsigned *to_host, unsigned *to_page)
{
	struct rng r = {all.web.seed + ((uint64_t)host * all.web.pages + page) * 1000 + i};

	(void)rng_next(&r);
	*to_host = rng_below(&r, 3) ? host : (unsigned)rng_below(&r, all.web.hosts);
	*to_page = (unsigned)rng_below(&r, all.web.pages);
}

int sim_web_is_found(unsigned host, unsigned page)
{
	struct rng r = {all.web.seed ^ ((uint64_t)host << 32 | page)};

	(void)rng_next(&r);
	return !page || rng_below(&r, 16) != 0;
}

size_t sim_web_reach(unsigned seeds, uint8_t *has)
{
	const unsigned pages = all.web.pages;
	uint32_t *queue = mem_new((size_t)all.web.hosts * pages, sizeof *queue);
	size_t n = 0;

	for (unsigned h = 0; h < seeds; h++) {
		has[h * pages] = 1;
		queue[n++] = h * pages;
	}
	for (size_t at = 0; at < n; at++) {
		const unsigned host = queue[at] / pages, page = queue[at] % pages;
		for (unsigned i = 0, h, p; sim_web_is_found(host, page) && i < all.web.links; i++) {
			link_of(host, page, i, &h, &p);
			if (!has[h * pages + p])
				queue[n++] = h * pages + p;
			has[h * pages + p] = 1;
		}
	}
	free(queue);
	return n;
}

static int by_start(const void *a, const void *b)
{
	const struct request *x = a, *y = b;

	return x->started < y->started ? -1 : x->started > y->started;
}

struct sim_audit sim_web_audit(int64_t delay)
{
	struct sim_audit a = {.requests = all.n};
	int64_t *host = mem_new(all.web.hosts, sizeof *host), *address = mem_new(all.web.addresses, sizeof *address);
	uint8_t *has = mem_zero((size_t)all.web.hosts * all.web.pages, 1);

	for (unsigned i = 0; i < all.web.hosts; i++)
		host[i] = INT64_MIN / 2;
	for (unsigned i = 0; i < all.web.addresses; i++)
		address[i] = INT64_MIN / 2;
	qsort(all.asked, all.n, sizeof *all.asked, by_start);
	for (size_t i = 0; i < all.n; i++) {
		const struct request *r = &all.asked[i];
		int64_t *h = &host[r->host], *at = &address[r->host % all.web.addresses];
		const int64_t before = *h > *at ? *h : *at;
		a.at_once += r->started < before;
		a.too_soon += r->started >= before && r->started < before + delay;
		a.again += has[r->host * all.web.pages + r->page];
		has[r->host * all.web.pages + r->page] = 1;
		*h = *h > r->ended ? *h : r->ended;
		*at = *at > r->ended ? *at : r->ended;
	}
	free(host);
	free(address);
	free(has);
	return a;
}

/* --- the fetchers */

int fetchers_new(struct fetchers **out, const struct fetch_settings *set, struct err_note *why)
{
	struct fetchers *f = mem_zero(1, sizeof *f);

	(void)why;
	f->set = *set;
	f->flight = mem_zero(set->parallel, sizeof *f->flight);
	page_build_init(&f->build, set->max_links, 7);
	*out = f;
	return 0;
}

unsigned fetchers_parallel(const struct fetchers *f)
{
	return (unsigned)f->set.parallel;
}

uint64_t fetchers_memory(const struct fetchers *f)
{
	(void)f;
	return 0;
}

void fetchers_free(struct fetchers *f)
{
	if (!f)
		return;
	page_build_release(&f->build);
	free(f->flight);
	free(f);
}

void fetchers_know_robots(struct fetchers *f, const char *url, size_t n, const char *text, size_t text_n, int64_t ms)
{
	(void)f, (void)url, (void)n, (void)text, (void)text_n, (void)ms;
}

void fetchers_abort(struct fetchers *f)
{
	f->is_aborted = 1;
}

static int is_barred(const struct fetchers *f)
{
	const struct sim_line *owner = sim_owner();

	return f->is_aborted || owner->is_dead || (f->set.lease_end && clock_boot_ms() >= atomic_load(f->set.lease_end));
}

void fetchers_submit(struct fetchers *f, const struct fetch_request *r)
{
	struct flight *a = &f->flight[f->n++];
	char text[80];

	assert(f->n <= f->set.parallel && r->n < sizeof text);
	snprintf(text, sizeof text, "%.*s", (int)r->n, r->url);
	*a = (struct flight){.id = r->id, .started = clock_ms()};
	const int got = sscanf(text, "http://h%u.test/%u", &a->host, &a->page);
	assert(got == 2);
	a->is_request = !is_barred(f) && !net_address_is_none(&r->address);
	if (a->is_request)
		((struct sim_line *)sim_owner())->asked = a->started;
	a->due = a->started + (a->is_request ? 1 + (int64_t)sim_draw((uint64_t)all.web.latency) : 0);
}

static void add_link(struct fetchers *f, unsigned host, unsigned page)
{
	struct url u = URL_EMPTY;
	char text[80];
	const int n = snprintf(text, sizeof text, "http://h%u.test/%u", host, page);

	if (url_parse(&u, text, (size_t)n, NULL) == URL_OK)
		(void)page_build_add(&f->build, &u, LINK_A, "");
	url_release(&u);
}

static struct net_address address_of(unsigned host)
{
	char text[20];
	const int n = snprintf(text, sizeof text, "10.0.0.%u", 1 + host % all.web.addresses);

	return net_address_read(text, (size_t)n);
}

/* Writes what became of a page. */
static void answer(struct fetchers *f, const struct flight *a, int is_barred_now, struct fetch_page *head)
{
	unsigned host, page;

	head->address = address_of(a->host);
	if (is_barred_now) {
		head->result.outcome = OUTCOME_ABORTED;
	} else if (!a->is_request) {
		head->result.outcome = OUTCOME_ADDRESS;
	} else if (!sim_web_is_found(a->host, a->page)) {
		head->result.outcome = OUTCOME_STATUS;
		head->result.status = 404;
	} else {
		head->result.outcome = OUTCOME_CRAWLED;
		head->result.status = 200;
		head->result.bytes = 1000;
		head->result.digest[0] = a->host;
		head->result.digest[1] = a->page + 1;
		snprintf(head->about.type, sizeof head->about.type, "text/html");
		for (unsigned i = 0; i < all.web.links; i++) {
			link_of(a->host, a->page, i, &host, &page);
			add_link(f, host, page);
		}
	}
	head->result.state = outcome_state(head->result.outcome);
}

static void note(const struct flight *a, int64_t ended)
{
	all.asked = mem_grow(all.asked, &all.room, all.n + 1, sizeof *all.asked);
	all.asked[all.n++] = (struct request){a->host, a->page, a->started, ended};
}

int fetchers_reap(struct fetchers *f, struct fetch_page **page, int64_t until)
{
	unsigned first = 0;

	for (unsigned i = 1; i < f->n; i++)
		if (f->flight[i].due < f->flight[first].due)
			first = i;
	/* a fetcher looks at its lease all the time, and the process may be killed meanwhile */
	while (clock_ms() < until && !(f->n && (is_barred(f) || clock_ms() >= f->flight[first].due))) {
		const int64_t next = f->n && f->flight[first].due < until ? f->flight[first].due : until, soon = clock_ms() + 100;
		sim_sleep_until(next < soon ? next : soon);
		const struct sim_line *owner = sim_owner();
		if (owner->is_dead)
			break;
	}
	if (!f->n || !(is_barred(f) || clock_ms() >= f->flight[first].due))
		return 0;
	const struct flight a = f->flight[first];
	const int64_t now = clock_ms();
	struct fetch_page head = {.result.id = a.id, .result.started = a.started, .result.ended = now, .result.host_delay = -1};

	head.no_request = !a.is_request;
	answer(f, &a, is_barred(f), &head);
	if (a.is_request)
		note(&a, now < a.due ? now : a.due);
	f->flight[first] = f->flight[--f->n];
	*page = page_build_take(&f->build, &head);
	return 1;
}
