/* How fresh the copies of pages stay, on the changing endless web: bench_refresh [PAGES [HOSTS [DAYS [FIRST [LAST]]]]], in virtual
 * time, and bench_refresh live WEB RANK START FROM TO LOG..., by the logs of live crawls with --refresh --forever.
 *
 * In virtual time, the schedule of a live crawl (refresh/schedule.h) visits pages whose changes are those of `serve --endless`;
 * each visit shows the version of the page and, on a share of the hosts, its Last-Modified, which is known of the first copies,
 * too. A row of the output is the median of the hosts' changes a day, the share of the hosts with a Last-Modified, the importance
 * of pages (equal, or drawn from a power law), the visits a page and day, and for each order the mean and the least over the seeds
 * FIRST to LAST of the freshness: the share of the time in which a copy is that of the page, weighted by importance. It is relative
 * to the optimum, the best regular visits for ever by the true rates; `knowing` is the schedule itself with the true rates.
 *
 * Live, RANK is what `lycosa rank --by pagerank` prints of the store, WEB what `serve --endless` was given, and FROM and TO are in
 * seconds since 1970. Prints a row a log: the visits, and the freshness and age in s from FROM to TO; then the optimum at the rate
 * of visits of each log. */
#include "base/mem.h"
#include "base/rng.h"
#include "refresh/schedule.h"
#include "simweb/page_change.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SAMPLES 100 /* of the freshness, in virtual time */

struct page {
	struct endless_host host;
	uint32_t number;
	double importance, rate; /* rate: a day */
	uint64_t seen;           /* the version at the last visit */
	int64_t stale;           /* when the copy was first seen to be out of date, s; 0: it is not */
	char *url;
};

struct world {
	struct endless web;
	struct page *page;
	size_t n, room;
};

static void die(const char *what)
{
	fprintf(stderr, "bench_refresh: %s\n", what);
	exit(2);
}

/* The version of a page, 0 while it is gone. */
static uint64_t version_of(const struct world *w, const struct page *p, int64_t s, int64_t *modified)
{
	const struct endless_state state = endless_state(&w->web, &p->host, p->number, s);

	if (modified)
		*modified = state.is_there ? state.modified : 0;
	return state.is_there ? state.version + 1 : 0;
}

/* --- the optimum */

static double interval_of(double y)
{
	double low = 0, high = 60;

	for (int i = 0; i < 60; i++) {
		const double x = (low + high) / 2;
		*(1 - exp(-x) * (1 + x) < y ? &low : &high) = x;
	}
	return low;
}

/* The freshness of the best regular visits, `budget` a day in all (Cho and Garcia-Molina 2003). */
static double optimum(const struct world *w, double budget)
{
	double low = log(1e-12), high = log(1e12), fresh = 0, all = 0;

	for (int k = 0; k < 70; k++) {
		const double price = exp((low + high) / 2);
		double visits = 0;
		fresh = all = 0;
		for (size_t i = 0; i < w->n; i++) {
			const struct page *p = &w->page[i];
			const double y = price * p->rate / p->importance;
			all += p->importance;
			if (y >= 1)
				continue;
			const double x = interval_of(y);
			visits += p->rate / x;
			fresh += p->importance * -expm1(-x) / x;
		}
		*(visits > budget ? &low : &high) = log(price);
	}
	return fresh / all;
}

/* --- freshness and age, by samples */

struct sums {
	double fresh, age, all;
};

static void sample(struct world *w, int64_t s, struct sums *sum)
{
	for (size_t i = 0; i < w->n; i++) {
		struct page *p = &w->page[i];
		sum->all += p->importance;
		if (version_of(w, p, s, NULL) == p->seen) {
			sum->fresh += p->importance;
			p->stale = 0;
			continue;
		}
		if (!p->stale)
			p->stale = s;
		sum->age += p->importance * (double)(s - p->stale);
	}
}

/* --- virtual time */

#define START 1700000000

/* A web and how it is refreshed. */
struct trial {
	uint64_t seed;
	double changes; /* the median of the hosts' rates */
	double dated;   /* the share of the hosts whose pages have a Last-Modified */
	double budget;  /* visits a page and day */
	int is_equal;   /* all pages are of the same importance */
};

enum { OPTIMAL, UNIFORM, PROPORTIONAL, KNOWING, ORDERS };

struct shares {
	double early, late; /* freshness in the first and in the second half */
};

static void make_pages(struct world *w, size_t n, size_t hosts, const struct trial *t)
{
	struct rng r = {t->seed + 17};
	struct err_note why;
	char web[200];

	snprintf(web, sizeof web, "%llu,hosts=%zu,traps=0,changes=%g,dated=%g", (unsigned long long)t->seed, hosts, t->changes,
		t->dated);
	if (endless_parse(&w->web, web, &why))
		die(why.text);
	w->page = mem_zero(n, sizeof *w->page);
	for (uint32_t k = 0; w->n < n; k++)
		for (uint64_t h = 0; h < hosts && w->n < n; h++) {
			struct page *p = &w->page[w->n];
			endless_host_get(&w->web, h, &p->host);
			if (k >= p->host.pages)
				continue;
			p->number = k;
			p->rate = endless_pace(&w->web, &p->host);
			p->importance = t->is_equal ? 1 : pow(1 - rng_unit(&r), -0.5);
			w->n++;
		}
}

static int64_t at_once(void *ctx, uint32_t id)
{
	(void)ctx, (void)id;
	return 0;
}

/* What is known of a page when the refresh begins: its first Last-Modified, or, if `is_known`, its true rate, with a weight that no
 * visit changes. */
static struct changes first_of(struct world *w, struct page *p, int is_known)
{
	struct changes c = {0};
	int64_t modified;

	p->seen = version_of(w, p, START, &modified);
	p->stale = 0;
	if (is_known)
		c = (struct changes){.quiet = 1e8F, .dated = (float)(p->rate * 1e8)};
	else if (modified)
		changes_dated(&c, (double)(START - modified) / 86400);
	return c;
}

static void look(struct world *w, struct schedule *s, uint32_t id, int64_t now, int is_known)
{
	struct page *p = &w->page[id];
	int64_t modified;
	const uint64_t version = version_of(w, p, now / 1000, &modified);

	schedule_out(s, id);
	schedule_visited(s, id, now, is_known || version == p->seen ? SCHEDULE_SAME : SCHEDULE_CHANGED, modified * 1000);
	p->seen = version;
	p->stale = 0;
}

static struct shares run(struct world *w, int order, double budget, double days)
{
	struct sums sum[2] = {{0}};
	struct schedule *s;
	uint32_t id;
	const int64_t start = (int64_t)START * 1000;
	double next_sample = 0;

	schedule_new(&s,
		&(struct schedule_settings){.how = order == KNOWING ? SCHEDULE_OPTIMAL : (enum schedule_how)order,
			.visits = budget,
			.prior = 1 / 30.0});
	for (uint32_t i = 0; i < w->n; i++)
		schedule_add(s, i,
			&(struct schedule_page){.host = (uint32_t)w->page[i].host.id,
				.importance = w->page[i].importance,
				.last = start,
				.changes = first_of(w, &w->page[i], order == KNOWING)});
	for (double n = 0; n < budget * days; n++) {
		const double day = n / budget;
		const int64_t now = start + (int64_t)(day * SCHEDULE_DAY);
		for (; day >= next_sample; next_sample += days / SAMPLES)
			sample(w, now / 1000, &sum[day >= days / 2]);
		if (schedule_next(s, now, at_once, NULL, &id))
			look(w, s, id, now, order == KNOWING);
	}
	schedule_free(s);
	return (struct shares){sum[0].fresh / sum[0].all, sum[1].fresh / sum[1].all};
}

/* The mean and the least share over the seeds. */
struct figure {
	double sum, least;
};

static void count(struct figure *f, double share)
{
	f->sum += share;
	f->least = f->least > 0 && f->least < share ? f->least : share;
}

static void try_seeds(struct trial t, size_t pages, size_t hosts, double days, uint64_t last)
{
	struct figure of_optimum[ORDERS] = {{0}}, of_known[ORDERS] = {{0}};
	const uint64_t first = t.seed;

	for (; t.seed <= last; t.seed++) {
		struct shares got[ORDERS];
		struct world w = {.n = 0};
		make_pages(&w, pages, hosts, &t);
		const double budget = t.budget * (double)w.n, best = optimum(&w, budget);
		for (int o = 0; o < ORDERS; o++)
			got[o] = run(&w, o, budget, days);
		for (int o = 0; o < ORDERS; o++) {
			count(&of_optimum[o], got[o].late / best);
			count(&of_known[o], got[o].early / got[KNOWING].early);
		}
		free(w.page);
	}
	const double n = (double)(last - first + 1);
	printf("%g\t%g\t%s\t%g", t.changes, t.dated, t.is_equal ? "equal" : "power", t.budget);
	for (int o = 0; o < ORDERS; o++)
		printf("\t%.3f %.3f", of_optimum[o].sum / n, of_optimum[o].least);
	for (int o = 0; o < KNOWING; o++)
		printf("\t%.3f %.3f", of_known[o].sum / n, of_known[o].least);
	printf("\n");
	fflush(stdout);
}

static void simulate(size_t pages, size_t hosts, double days, uint64_t first, uint64_t last)
{
	static const double budgets[] = {0.05, 0.1, 0.2, 0.5, 1}, medians[] = {0.1, 0.5, 3}, dated[] = {0, 0.4, 1};

	printf("# %zu pages of %zu hosts, %g days; mean and least share of the optimum in the second half, then of `knowing` in the first\n",
		pages, hosts, days);
	printf("changes\tdated\timportance\tvisits\toptimal\tuniform\tproportional\tknowing\toptimal\tuniform\tproportional\n");
	for (size_t m = 0; m < sizeof medians / sizeof *medians; m++)
		for (size_t d = 0; d < sizeof dated / sizeof *dated; d++)
			for (int is_equal = 0; is_equal < 2; is_equal++)
				for (size_t b = 0; b < sizeof budgets / sizeof *budgets; b++)
					try_seeds((struct trial){first, medians[m], dated[d], budgets[b], is_equal}, pages, hosts,
						days, last);
}

/* --- live */

static void read_ranks(struct world *w, const char *path, int64_t from)
{
	FILE *in = fopen(path, "r");
	char line[4096], url[4000];
	double rank;

	if (!in)
		die("cannot open the ranks");
	while (fgets(line, sizeof line, in)) {
		struct address a;
		uint64_t id;
		if (sscanf(line, "%*u\t%lf\t%3999s", &rank, url) != 2 || !address_of_url(&a, url) ||
			!endless_host_find(&w->web, a.host, a.host_length, &id))
			continue;
		w->page = mem_grow(w->page, &w->room, w->n + 1, sizeof *w->page);
		struct page *p = &w->page[w->n];
		*p = (struct page){.importance = rank};
		endless_host_get(&w->web, id, &p->host);
		if (endless_find(&w->web, &p->host, a.target_length ? a.target : "/", a.target_length ? a.target_length : 1,
			    &p->number) != ENDLESS_IS_PAGE)
			continue;
		p->rate = endless_pace(&w->web, &p->host);
		p->seen = version_of(w, p, from, NULL);
		p->url = mem_text(url);
		w->n++;
	}
	fclose(in);
}

static int by_url(const void *a, const void *b)
{
	return strcmp(((const struct page *)a)->url, ((const struct page *)b)->url);
}

/* The text of a member of a line of JSON, whose texts have no escapes here. */
static int member(const char *line, const char *name, char *out, size_t size)
{
	const char *at = strstr(line, name);
	size_t n;

	if (!at)
		return 0;
	at += strlen(name);
	n = strcspn(at, "\"");
	if (n >= size)
		return 0;
	memcpy(out, at, n);
	out[n] = 0;
	return 1;
}

static int64_t seconds_of(const char *text)
{
	struct tm tm = {0};

	if (!strptime(text, "%Y-%m-%dT%H:%M:%S", &tm))
		die("a line of the log has no time");
	return timegm(&tm);
}

static void live(struct world *w, const char *path, int64_t start, int64_t from, int64_t to)
{
	struct sums sum = {0, 0, 0};
	FILE *in = fopen(path, "r");
	char line[8192], text[4000];
	int64_t next = from;
	uint64_t visits = 0;

	if (!in)
		die("cannot open a log");
	for (size_t i = 0; i < w->n; i++) {
		w->page[i].seen = version_of(w, &w->page[i], start, NULL);
		w->page[i].stale = 0;
	}
	while (fgets(line, sizeof line, in)) {
		struct page key = {.url = text};
		if (!member(line, "\"time\":\"", text, sizeof text))
			continue;
		const int64_t s = seconds_of(text);
		for (; next < s && next < to; next++)
			sample(w, next, &sum);
		visits += s >= from && s < to;
		if (!member(line, "\"url\":\"", text, sizeof text))
			continue;
		struct page *p = bsearch(&key, w->page, w->n, sizeof *w->page, by_url);
		if (!p || strstr(line, "\"event\":\"visit-"))
			continue;
		p->seen = version_of(w, p, s, NULL);
		p->stale = 0;
	}
	fclose(in);
	const double a_day = (double)visits * 86400 / (double)(to - from), best = optimum(w, a_day);
	printf("%s\t%llu\t%.4f\t%.4f\t%.4f\t%.2f\n", path, (unsigned long long)visits, sum.fresh / sum.all, best,
		sum.fresh / sum.all / best, sum.age / sum.all);
}

int main(int argc, char **argv)
{
	struct world w = {.n = 0};
	struct err_note why;

	if (argc < 2 || strcmp(argv[1], "live") != 0) {
		simulate(argc > 1 ? strtoul(argv[1], NULL, 10) : 2000, argc > 2 ? strtoul(argv[2], NULL, 10) : 400,
			argc > 3 ? strtod(argv[3], NULL) : 120, argc > 4 ? strtoull(argv[4], NULL, 10) : 7,
			argc > 5 ? strtoull(argv[5], NULL, 10) : 14);
		return 0;
	}
	if (argc < 8)
		die("live WEB RANK START FROM TO LOG...");
	if (endless_parse(&w.web, argv[2], &why))
		die(why.text);
	const int64_t start = atoll(argv[4]);
	read_ranks(&w, argv[3], start);
	qsort(w.page, w.n, sizeof *w.page, by_url);
	printf("# %zu pages\nlog\tvisits\tfreshness\toptimum\tof_optimum\tage_s\n", w.n);
	for (int i = 7; i < argc; i++)
		live(&w, argv[i], start, atoll(argv[5]), atoll(argv[6]));
	return 0;
}
