/* What a live crawl of very many URLs costs: bench_scale DIR [URLS [WEB [POLICY [MEMORY]]]]
 *                                            bench_scale DIR measure
 *
 * Crawls the endless web WEB (as `lycosa serve --endless`) into the store DIR until URLS URLs are seen, in this process and without
 * a network (tests/bench/endless_fetchers.h), under POLICY and with --max-memory MEMORY; a crawl that is in DIR already goes on.
 * Then, or at once with "measure", the crawl is opened again, with its snapshot and from its log alone, as a later sitting does,
 * and the parts of its file are measured. Prints lines, TAB between the fields:
 *
 *	scale   URLs seen   what   value   unit
 *
 * at 1, 2, 5, 10, 20, 50 ... million URLs and at the end. Pages a second are those of the last fifth of the URLs before the mark,
 * or, at the end of a crawl that went on from DIR, of all that it has added; their CPU time is that of the crawl alone, without the
 * answers of the endless web. Memory is what the process has allocated and touched (RssAnon), whatever for, less what it had before
 * the crawl. */
#include "base/clock.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/paged.h"
#include "crawler/live/live.h"
#include "storage/handle.h"
#include "tests/bench/endless_fetchers.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MILLION  1000000u
#define SEEDS    100 /* the home pages of the most popular hosts */
#define WEB      "7,hosts=2000000,pages=16000000,links=6,branches=1000,outside=0.1,traps=0,rules=0"
#define POLICY   "opic"
#define WINDOW   5 /* the last fifth before a mark is measured */
#define PARALLEL 64

/* How far a crawl is. */
struct point {
	uint64_t crawled, links;
	int64_t ns, cpu;
};

struct bench {
	const char *dir, *policy;
	uint64_t memory; /* bytes; 0: as a crawl decides by itself */
	struct live_config config;
	struct live_decision decision;
	struct live *live;
	uint64_t wanted; /* URLs */
	uint64_t mark;   /* the next one; below it the window begins */
	struct point begin, window;
	int is_in_window;
	uint64_t program; /* bytes of memory before the crawl */
	volatile sig_atomic_t stop;
};

static void must(int err, const struct err_note *why)
{
	if (err) {
		fprintf(stderr, "bench_scale: %s\n", why->text);
		exit(1);
	}
}

static void say(uint64_t urls, const char *what, double value, const char *unit)
{
	printf("scale\t%.3g M\t%s\t%.4g\t%s\n", (double)urls / MILLION, what, value, unit);
	fflush(stdout);
}

/* A line of /proc/self/status in bytes. */
static uint64_t memory(const char *name)
{
	FILE *f = fopen("/proc/self/status", "re");
	char line[256];
	unsigned long long kb = 0;

	while (f && fgets(line, sizeof line, f))
		if (strncmp(line, name, strlen(name)) == 0)
			sscanf(line + strlen(name), ": %llu", &kb);
	if (f)
		fclose(f);
	return kb * 1024;
}

static double file_size(const struct bench *b, const char *name)
{
	struct buf path = BUF_EMPTY;
	struct stat st = {0};

	buf_format(&path, "%s/%s", b->dir, name);
	(void)!stat(path.at, &st);
	buf_release(&path);
	return (double)st.st_size;
}

/* --- marks */

static struct point here(const struct bench *b)
{
	struct frontier_counts n;

	frontier_count(live_frontier(b->live), &n);
	return (struct point){n.crawled, endless_fetchers_links(), clock_ns(), clock_cpu_ns() - endless_fetchers_ns()};
}

/* The next of 1, 2, 5, 10 ... million. */
static uint64_t mark_above(uint64_t urls)
{
	static const unsigned steps[] = {1, 2, 5};

	for (uint64_t decade = MILLION;; decade *= 10)
		for (int i = 0; i < 3; i++)
			if (steps[i] * decade > urls)
				return steps[i] * decade;
}

static void tell(const struct bench *b, uint64_t urls)
{
	const struct point now = here(b), *from = &b->window;
	const double pages = (double)(now.crawled - from->crawled);
	struct frontier_counts n;

	frontier_count(live_frontier(b->live), &n);
	say(urls, "pages crawled", (double)n.crawled / MILLION, "M");
	say(urls, "URLs queued", (double)n.queued / MILLION, "M");
	say(urls, "hosts", (double)store_hosts(live_store(b->live)) / MILLION, "M");
	say(urls, "memory of a URL seen", (double)(memory("RssAnon") - b->program) / (double)urls, "bytes");
	say(urls, "peak resident memory", (double)memory("VmHWM") / MILLION, "MB");
	say(urls, "memory in the file", (double)paged_use().in_file / MILLION, "MB");
	say(urls, "file, a URL seen", file_size(b, "data.mdb") / (double)urls, "bytes");
	if (b->is_in_window) {
		say(urls, "pages crawled a second", pages / ((double)(now.ns - from->ns) / 1e9), "pages/s");
		say(urls, "a page crawled", (double)(now.cpu - from->cpu) / 1000 / pages, "us of CPU");
		say(urls, "links of a page crawled just now", (double)(now.links - from->links) / pages, "links");
		say(urls, "a link looked up and stored", (double)(now.cpu - from->cpu) / 1000 / (double)(now.links - from->links),
			"us of CPU");
	}
}

static int look(void *ctx, struct err_note *why)
{
	struct bench *b = ctx;
	const uint64_t urls = store_pages(live_store(b->live));

	(void)why;
	if (!b->is_in_window && urls >= b->mark - b->mark / WINDOW) {
		b->window = here(b);
		b->is_in_window = 1;
	}
	if (urls >= b->mark) {
		tell(b, b->mark);
		b->mark = mark_above(urls);
		b->is_in_window = 0;
	}
	if (b->stop || urls < b->wanted)
		return 0;
	b->stop = 1;
	if (b->decision.resumed && urls < b->mark && endless_fetchers_links() > b->begin.links) {
		b->window = b->begin;
		b->is_in_window = 1;
		tell(b, urls);
	}
	return 0;
}

/* --- the crawl */

static void decide(struct bench *b)
{
	struct live_asked a = {.dir = b->dir, .config = &b->config};
	struct err_note why;
	struct store *s = NULL;

	b->config = live_config_defaults;
	LIVE_ASK(&a, &b->config, policy, b->policy);
	if (b->memory)
		LIVE_ASK(&a, &b->config, max_memory, b->memory);
	LIVE_ASK(&a, &b->config, span_hosts, 1);
	LIVE_ASK(&a, &b->config, delay, 0);
	LIVE_ASK(&a, &b->config, parallel, PARALLEL);
	LIVE_ASK(&a, &b->config, proxy, "");
	LIVE_ASK(&a, &b->config, allow_private, 1);
	if (store_is(b->dir))
		must(store_open(&s, b->dir, STORE_READ, &why), &why);
	must(live_decide(&b->decision, &a, s, &why), &why);
	store_drop(s);
}

/* Opens the crawl. */
static void open_crawl(struct bench *b, const struct observer *observer)
{
	struct err_note why;

	must(live_new(&b->live, &(struct live_settings){.dir = b->dir, .decision = &b->decision, .stop = &b->stop}, &why), &why);
	live_observe(b->live, observer, observer != NULL, NULL);
	must(live_open(b->live, &why), &why);
}

static void open_again(struct bench *b, const char *how)
{
	const int64_t from = clock_ns(), cpu = clock_cpu_ns();
	char what[80];

	open_crawl(b, NULL);
	const uint64_t urls = store_pages(live_store(b->live));
	snprintf(what, sizeof what, "to open the crawl again %s", how);
	say(urls, what, (double)(clock_ns() - from) / 1e9, "s");
	say(urls, what, (double)(clock_cpu_ns() - cpu) / 1e9, "s of CPU");
	live_close(b->live);
	b->live = NULL;
}

/* The snapshot is put aside meanwhile. */
static void open_again_both_ways(struct bench *b)
{
	struct buf from = BUF_EMPTY, to = BUF_EMPTY;

	buf_format(&from, "%s/frontier", b->dir);
	buf_format(&to, "%s/frontier.aside", b->dir);
	open_again(b, "with its snapshot");
	if (rename(from.at, to.at) == 0) {
		open_again(b, "from its log");
		(void)!rename(to.at, from.at);
	}
	buf_release(&from);
	buf_release(&to);
}

static void crawl(struct bench *b, const struct endless *web)
{
	const struct observer observer = {.ctx = b, .step = look};
	struct buf seed = BUF_EMPTY;
	struct url url = URL_EMPTY;
	struct err_note why;

	b->program = memory("RssAnon");
	open_crawl(b, &observer);
	b->mark = mark_above(store_pages(live_store(b->live)));
	b->begin = here(b);
	for (uint64_t host = 0; !b->decision.resumed && host < SEEDS && host < web->hosts; host++) {
		buf_clear(&seed);
		endless_url(web, host, 0, &seed);
		must(live_seed_parse(&url, seed.at, seed.used, &why), &why);
		must(live_seed(b->live, &url, GUARD_LISTED, &why), &why);
	}
	buf_release(&seed);
	url_release(&url);
	must(live_run(b->live, &why), &why);
	live_close(b->live);
	b->live = NULL;
}

/* --- the disk */

static double value_bytes(struct records *r)
{
	double sum = 0;
	struct err_note why;

	for (size_t i = 0; i < r->chunks; i++) {
		must(records_read_chunk(r, i, &why), &why);
		const struct chunk *k = &r->chunk[i];
		sum += k->size + (k->ends ? 2 * (double)(records_chunk_end(r, i) - k->first) : 0);
	}
	return sum;
}

/* The mean links of the crawled pages from..to-1, in the order of the crawl. */
static double links_a_page(struct store *s, uint64_t from, uint64_t to)
{
	double links = 0;

	for (uint64_t i = from; i < to; i++) {
		uint32_t id;
		size_t n;
		int kinds;
		if (links_read(s, i, &id, &n, &kinds) == 0)
			links += (double)n;
	}
	return to > from ? links / (double)(to - from) : 0;
}

static void measure_disk(struct bench *b)
{
	struct err_note why;
	struct store *s;

	must(store_open(&s, b->dir, STORE_READ, &why), &why);
	const uint64_t urls = store_pages(s);
	const double n = (double)urls, results = (double)s->results.n;
	const double links = links_a_page(s, 0, s->links.n) * (double)s->links.n;
	say(urls, "links of a page crawled", links / (double)s->links.n, "links");
	say(urls, "URL, host and depth", value_bytes(&s->pages.records) / n, "bytes a URL");
	say(urls, "names of hosts", value_bytes(&s->hosts.records) / n, "bytes a URL");
	say(urls, "links", value_bytes(&s->links) / links, "bytes a link");
	say(urls, "results", value_bytes(&s->results) / results, "bytes a result");
	say(urls, "log", value_bytes(&s->log) / results, "bytes a result");
	say(urls, "file", file_size(b, "data.mdb") / n, "bytes a URL");
	say(urls, "snapshot", file_size(b, "frontier") / n, "bytes a URL");
	store_drop(s);
}

int main(int argc, char **argv)
{
	struct bench b = {.wanted = MILLION, .policy = argc > 4 ? argv[4] : POLICY};
	struct endless web;
	struct err_note why;
	const int only_measures = argc == 3 && strcmp(argv[2], "measure") == 0;

#ifdef __GLIBC__ /* as cli/main.c */
	mallopt(M_MMAP_THRESHOLD, 1 << 20);
	mallopt(M_TRIM_THRESHOLD, 8 << 20);
#endif
	if (argc < 2 || argc > 6 || (argc > 2 && !only_measures && num_count(argv[2], UINT32_MAX / 4, &b.wanted)) ||
		(argc > 5 && num_bytes(argv[5], &b.memory))) {
		fprintf(stderr, "usage: bench_scale DIR [URLS [WEB [POLICY [MEMORY]]]], or bench_scale DIR measure\n");
		return 2;
	}
	b.dir = argv[1];
	must(endless_parse(&web, argc > 3 ? argv[3] : WEB, &why), &why);
	endless_fetchers_web(&web);
	if (!only_measures) {
		decide(&b);
		crawl(&b, &web);
		live_decision_release(&b.decision);
		b.stop = 0;
	}
	decide(&b);
	open_again_both_ways(&b);
	live_decision_release(&b.decision);
	measure_disk(&b);
	return 0;
}
