/* Builds the store of a crawl without a network, as large as wanted: bench_crawled DIR [PAGES [HOSTS [STORE]]]
 *
 * The web is endless and drawn by a seed: a page has 2 links to new pages and 8 to known ones, most of them to pages found early.
 * The new store gets the settings of the store STORE, so that `lycosa crawl --store DIR` goes on with the crawl. The pages are
 * crawled in the order of their discovery, with all that a crawl keeps of a page. Prints a line a figure: name TAB value TAB unit.
 * The store stays, for exports and resumes to be timed. */
#include "base/clock.h"
#include "base/num.h"
#include "base/rng.h"
#include "storage/handle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define NEW_LINKS   2u
#define LINKS       10u
#define COMMIT_EACH 5000u

struct web {
	struct store *store;
	struct rng rng;
	uint32_t hosts, known; /* pages */
};

static void must(int err, const struct err_note *why)
{
	if (err) {
		fprintf(stderr, "%s\n", why->text);
		exit(1);
	}
}

static uint32_t discover(struct web *w)
{
	struct err_note why;
	char url[128], host[64];
	const uint32_t id = w->known++;
	const int n = snprintf(host, sizeof host, "www%u.example.org", id % w->hosts);
	const int m =
		snprintf(url, sizeof url, "http://%s/some/folder/%08x/page%u.html", host, (unsigned)((id * 2654435761u) >> 8), id);
	struct store_page page = {.url = url, .url_length = (size_t)m, .depth = (uint16_t)(id ? 3 : 0)};
	uint32_t got;

	must(store_host(w->store, host, (size_t)n, &page.host, &why), &why);
	must(store_add(w->store, &page, &got, &why), &why);
	return got;
}

static void enter(struct web *w, enum log_kind kind, uint32_t id)
{
	struct err_note why;

	must(store_log(w->store, &(struct log_entry){.kind = kind, .id = id, .time = 1790000000000}, &why), &why);
}

static void crawl(struct web *w, uint32_t id)
{
	uint32_t links[LINKS];
	struct err_note why;
	char title[64];
	size_t n = 0;

	enter(w, LOG_TAKE, id);
	while (n < LINKS - NEW_LINKS) {
		/* early pages have the most links to them */
		const double x = rng_unit(&w->rng);
		const uint32_t to = (uint32_t)(x * x * w->known);
		size_t i = 0;
		while (i < n && links[i] != to)
			i++;
		if (i == n || w->known <= LINKS)
			links[n++] = to;
		if (w->known <= LINKS)
			break;
	}
	for (uint32_t i = 0; i < NEW_LINKS; i++)
		links[n++] = discover(w);
	snprintf(title, sizeof title, "Page %u of the made-up web: a title", id);
	must(store_put_links(w->store, id, links, NULL, NULL, n, &why), &why);
	must(store_put_result(w->store, id,
		     &(struct result){.state = PAGE_CRAWLED,
			     .outcome = OUTCOME_CRAWLED,
			     .status = 200,
			     .tries = 1,
			     .target = STORE_NO_PAGE,
			     .bytes = rng_below(&w->rng, 60000),
			     .ended = 1790000000000 + (int64_t)id * 50,
			     .digest = {rng_next(&w->rng), rng_next(&w->rng)},
			     .fingerprint = rng_next(&w->rng),
			     .simhash = rng_next(&w->rng),
			     .validators.modified = 1780000000,
			     .type = "text/html",
			     .language = "en",
			     .title = title},
		     &why),
		&why);
	enter(w, LOG_CRAWLED, id);
}

static void take_settings(struct web *w, const char *from)
{
	struct err_note why;
	struct store *s;

	must(store_open(&s, from, STORE_READ, &why), &why);
	for (size_t i = 0; i < s->settings; i++)
		must(store_set(w->store, s->setting[i].name, s->setting[i].text, &why), &why);
	store_drop(s);
}

static void say(const char *name, double value, const char *unit)
{
	printf("%s\t%.4g\t%s\n", name, value, unit);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	uint64_t pages = 1000000, hosts = 1000;
	struct web w = {0};
	struct err_note why;
	struct stat st;
	char path[4096];

	if (argc < 2 || (argc > 2 && num_count(argv[2], UINT32_MAX / 4, &pages)) ||
		(argc > 3 && (num_count(argv[3], 1000000, &hosts) || !hosts))) {
		fprintf(stderr, "usage: bench_crawled DIR [PAGES [HOSTS [STORE]]]\n");
		return 2;
	}
	const int64_t from = clock_cpu_ns();
	must(store_open(&w.store, argv[1], STORE_WRITE, &why), &why);
	w.rng = (struct rng){1};
	w.hosts = (uint32_t)hosts;
	if (argc > 4)
		take_settings(&w, argv[4]);
	enter(&w, LOG_SITTING, 0);
	enter(&w, LOG_SEED, discover(&w));
	for (uint32_t id = 0; id < pages; id++) {
		crawl(&w, id);
		if (id % COMMIT_EACH == 0)
			must(store_commit(w.store, &why), &why);
	}
	must(store_commit(w.store, &why), &why);
	store_drop(w.store);
	snprintf(path, sizeof path, "%s/data.mdb", argv[1]);
	if (stat(path, &st) == 0)
		say("bytes of the store, a page discovered", (double)st.st_size / w.known, "bytes");
	say("pages discovered", w.known, "");
	say("to write a page crawled", (double)(clock_cpu_ns() - from) / (double)pages / 1000, "us of CPU");
	return 0;
}
