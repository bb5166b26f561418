#include "tests/bench/endless_fetchers.h"
#include "base/clock.h"
#include "base/mem.h"
#include "fetch/page_build.h"
#include "simweb/endless_draws.h"
#include "simweb/endless_links.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ADDRESSES 0x1000000u /* the hosts share so many addresses */
#define NOBODY    UINT64_MAX /* no host: links of all hosts are whole URLs to it */

const struct fetch_settings fetch_defaults = {
	.threads = 1,
	.parallel = 32,
	.max_links = 50000,
	.tries = 3,
	.max_redirect = 10,
};

struct asked {
	uint32_t id;
	struct buf url;
	int has_address;
};

struct fetchers {
	struct fetch_settings set;
	struct asked *asked; /* a ring of set.parallel requests, n of them from `first` on */
	unsigned first, n;
	uint8_t *has_robots; /* a bit for each host of the web */
	struct page_build build;
	struct buf link, name;
};

/* what fetchers_new() cannot be given */
static const struct endless *the_web;
static int64_t spent;
static uint64_t links_given;

void endless_fetchers_web(const struct endless *web)
{
	the_web = web;
}

int64_t endless_fetchers_ns(void)
{
	return spent;
}

/* The host of a URL: 1 with its id, or 0. */
static int host_of(const struct url *u, uint64_t *id)
{
	size_t n;
	const char *name = url_authority(u, &n);

	return endless_host_find(the_web, name, n, id);
}

uint64_t endless_fetchers_links(void)
{
	return links_given;
}

int fetchers_new(struct fetchers **out, const struct fetch_settings *set, struct err_note *why)
{
	struct fetchers *f = mem_zero(1, sizeof *f);

	(void)why;
	assert(the_web && the_web->traps <= 0);
	f->set = *set;
	f->asked = mem_zero(set->parallel, sizeof *f->asked);
	f->has_robots = mem_zero((size_t)(the_web->hosts / 8) + 1, 1);
	page_build_init(&f->build, set->max_links, the_web->seed);
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
	for (unsigned i = 0; i < f->set.parallel; i++)
		buf_release(&f->asked[i].url);
	page_build_release(&f->build);
	buf_release(&f->link);
	buf_release(&f->name);
	free(f->asked);
	free(f->has_robots);
	free(f);
}

void fetchers_submit(struct fetchers *f, const struct fetch_request *r)
{
	assert(f->n < f->set.parallel);
	struct asked *a = &f->asked[(f->first + f->n++) % f->set.parallel];

	a->id = r->id;
	a->has_address = !net_address_is_none(&r->address);
	buf_clear(&a->url);
	buf_add(&a->url, r->url, r->n);
}

void fetchers_know_robots(struct fetchers *f, const char *url, size_t n, const char *text, size_t text_n, int64_t ms)
{
	struct url u;
	uint64_t host;

	(void)text, (void)text_n, (void)ms;
	if (url_split(&u, url, n) == URL_OK && host_of(&u, &host))
		f->has_robots[host / 8] |= (uint8_t)(1u << host % 8);
}

void fetchers_abort(struct fetchers *f)
{
	(void)f;
}

/* --- answers */

static void add_link(struct fetchers *f, const struct endless_link *link)
{
	static const struct endless_host nobody = {.id = NOBODY};
	struct url u;

	buf_clear(&f->link);
	endless_link_url(the_web, &nobody, 0, link, &f->link);
	if (url_split(&u, f->link.at, f->link.used) == URL_OK)
		page_build_add(&f->build, &u, LINK_A, "");
}

static void add_links(struct fetchers *f, const struct endless_host *h, uint32_t page)
{
	struct endless_links links;
	struct endless_link link;

	if (endless_media_of(the_web, h, page) != ENDLESS_PAGE)
		return;
	endless_links_begin(&links, the_web, h, page, 0);
	while (endless_links_next(&links, &link))
		add_link(f, &link);
}

/* What a server tells of a page. */
static void describe(struct fetch_page *head, const struct fetchers *f, const struct endless_host *h, uint32_t page)
{
	struct rng r = draw_stream(the_web->seed, DRAW_TEXT, h->id, page);

	head->result.status = 200;
	head->result.outcome = OUTCOME_CRAWLED;
	head->result.bytes = 2000 + rng_below(&r, 60000);
	head->result.digest[0] = rng_next(&r);
	head->result.digest[1] = rng_next(&r);
	head->result.fingerprint = f->set.fingerprints ? rng_next(&r) : 0;
	head->result.simhash = f->set.simhash ? rng_next(&r) : 0;
	head->result.validators.modified = 1780000000 + (int64_t)rng_below(&r, 10000000);
	snprintf(head->about.type, sizeof head->about.type, "text/html; charset=utf-8");
	snprintf(head->about.language, sizeof head->about.language, "en");
	snprintf(head->about.title, sizeof head->about.title, "Page %u of host %llu", page, (unsigned long long)h->id);
}

static void answer_page(struct fetchers *f, struct fetch_page *head, uint64_t id, const char *path, size_t n)
{
	struct endless_host h;
	uint32_t page;

	endless_host_get(the_web, id, &h);
	switch (endless_find(the_web, &h, path, n, &page)) {
	case ENDLESS_IS_PAGE:
		describe(head, f, &h, page);
		add_links(f, &h, page);
		break;
	case ENDLESS_IS_MOVED:
		head->result.status = 301;
		head->result.outcome = OUTCOME_REDIRECTED;
		add_link(f, &(struct endless_link){.host = id, .page = page, .form = ENDLESS_PLAIN});
		break;
	default:
		head->result.status = 404;
		head->result.outcome = OUTCOME_STATUS;
	}
}

static struct net_address address_of(uint64_t host)
{
	const uint32_t number = (uint32_t)(host % ADDRESSES);
	char text[20];
	const int n = snprintf(text, sizeof text, "10.%u.%u.%u", number >> 16, number >> 8 & 255, number & 255);

	return net_address_read(text, (size_t)n);
}

static void answer(struct fetchers *f, const struct asked *a, struct fetch_page *head)
{
	struct url u;
	uint64_t host;

	if (url_split(&u, a->url.at, a->url.used) != URL_OK || !host_of(&u, &host)) {
		head->result.outcome = OUTCOME_DNS;
	} else if (f->set.by_address && !a->has_address) {
		head->result.outcome = OUTCOME_ADDRESS;
		head->address = address_of(host);
	} else if (!f->set.no_robots && !(f->has_robots[host / 8] >> host % 8 & 1)) {
		f->has_robots[host / 8] |= (uint8_t)(1u << host % 8);
		head->result.outcome = OUTCOME_ROBOTS_WAIT;
		head->result.status = 404;
		head->robots = "";
	} else {
		head->address = address_of(host);
		answer_page(f, head, host, a->url.at + u.path, a->url.used - u.path);
	}
	head->result.state = outcome_state(head->result.outcome);
}

int fetchers_reap(struct fetchers *f, struct fetch_page **page, int64_t until)
{
	(void)until;
	if (!f->n)
		return 0;
	const struct asked *a = &f->asked[f->first];
	const int64_t from = clock_cpu_ns(), now = clock_ms();
	struct fetch_page head = {.result.id = a->id, .result.started = now, .result.ended = now, .result.host_delay = -1};

	answer(f, a, &head);
	f->first = (f->first + 1) % (unsigned)f->set.parallel;
	f->n--;
	*page = page_build_take(&f->build, &head);
	links_given += (*page)->n;
	spent += clock_cpu_ns() - from;
	return 1;
}
