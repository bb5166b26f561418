/* How fresh the copies of pages stay, and which of the hot ones are found, on a web of which there are dated snapshots: bench_dated
 * FILE VISITS... A line of FILE is "YYYYMM TAB FROM TAB TO": a link at a date. VISITS are budgets a month, one after the other.
 *
 * A page is what its links are. It changes between two dates if they differ, at a time that is drawn; a page that a snapshot does
 * not have is taken to be as it was. The crawl starts with copies of all pages of the first snapshot that have links, and knows of
 * another page when it sees a link to it. The pages are visited by the schedule of a live crawl (refresh/schedule.h), which is made
 * anew each month with the PageRank in the links of the copies, and the best of the new pages competes with them
 * (crawler/revisit/revisit.h).
 *
 * Pages to which no links lead from there, at any date, are left out. Prints a row a budget and order, of the second half of the
 * time: freshness is the share of the PageRank in the links as they are whose pages have a copy that is up to date; of_copies the
 * same share of the pages that have a copy; age the mean days for which the copies have been out of date, weighted alike; hot_kept
 * and hot_found the shares of the 1% of pages with the highest PageRank whose copy is up to date, and that have a copy. The order
 * `hindsight` is `optimal` with the rates that the whole series has, which no crawler knows. */
#include "base/map.h"
#include "base/mem.h"
#include "base/rng.h"
#include "graph/kernels/pagerank.h"
#include "refresh/schedule.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MONTH   (SCHEDULE_DAY * 30.4375)
#define SAMPLES 4   /* a month */
#define HOT     100 /* the hot pages are 1 in so many */
#define NEVER   INT64_MAX

struct link {
	uint32_t date, from, to; /* months */
};

/* The links of a page from a time on: links[at] to links[at + n]. */
struct version {
	int64_t time;
	size_t at, n;
};

struct page {
	char *name;
	struct version *version;
	size_t versions, room;
	int64_t since;    /* it exists from then on */
	int is_reachable; /* from the pages of the first snapshot, by links of any date */
	/* of the crawl */
	size_t seen; /* the version of the copy, + 1; 0: there is no copy */
	int is_known;
	int64_t last;
	struct changes changes;
	double importance; /* in the links of the copies */
	uint32_t place;    /* in the order of importance */
};

struct web {
	struct page *page;
	size_t n, room;
	struct map names;
	struct link *link;
	size_t links, link_room;
	uint32_t first, last; /* dates */
	uint32_t *order;      /* the pages, the most important one first */
	uint32_t next;        /* no page before this place is known and has no copy */
};

static void die(const char *what)
{
	fprintf(stderr, "bench_dated: %s\n", what);
	exit(2);
}

/* --- the web */

struct name {
	uint64_t key;
	uint32_t of; /* + 1 */
};

static uint32_t page_named(struct web *w, const char *name)
{
	uint64_t key = 14695981039346656037u; /* FNV-1a */

	for (const char *c = name; *c; c++)
		key = (key ^ (uint8_t)*c) * 1099511628211u;
	struct name *at = map_at(&w->names, key);
	if (!at->of) {
		w->page = mem_grow(w->page, &w->room, w->n + 1, sizeof *w->page);
		w->page[w->n] = (struct page){.name = mem_text(name), .since = NEVER};
		at->of = (uint32_t)++w->n;
	}
	return at->of - 1;
}

static int by_date(const void *a, const void *b)
{
	const struct link *x = a, *y = b;

	if (x->date != y->date)
		return x->date < y->date ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->to > y->to) - (x->to < y->to);
}

static void read_links(struct web *w, const char *path)
{
	FILE *in = fopen(path, "r");
	char line[4096], from[1024], to[1024];
	unsigned date;

	if (!in)
		die("cannot open the file");
	map_init(&w->names, sizeof(struct name));
	while (fgets(line, sizeof line, in)) {
		if (sscanf(line, "%u\t%1023[^\t]\t%1023[^\t\n]", &date, from, to) != 3)
			continue;
		w->link = mem_grow(w->link, &w->link_room, w->links + 1, sizeof *w->link);
		w->link[w->links++] = (struct link){date / 100 * 12 + date % 100, page_named(w, from), page_named(w, to)};
	}
	fclose(in);
	if (!w->links)
		die("the file has no links");
	qsort(w->link, w->links, sizeof *w->link, by_date);
	w->first = w->link[0].date;
	w->last = w->link[w->links - 1].date;
}

static int64_t time_of(const struct web *w, uint32_t date)
{
	return (int64_t)((double)(date - w->first) * MONTH);
}

static int is_same(const struct web *w, const struct version *v, size_t at, size_t n)
{
	size_t i = 0;

	while (v->n == n && i < n && w->link[v->at + i].to == w->link[at + i].to)
		i++;
	return v->n == n && i == n;
}

static void exists(struct page *p, int64_t time)
{
	p->since = time < p->since ? time : p->since;
}

/* Each run of links of one date and page is a version, if it differs from the one before. */
static void make_versions(struct web *w)
{
	struct rng r = {5};
	uint32_t date = w->first, before = w->first;

	for (size_t at = 0, n; at < w->links; at += n) {
		const struct link *l = &w->link[at];
		struct page *p = &w->page[l->from];
		if (l->date != date) {
			before = date;
			date = l->date;
		}
		for (n = 1; at + n < w->links && w->link[at + n].date == l->date && w->link[at + n].from == l->from; n++)
			;
		const int64_t from = time_of(w, before), to = time_of(w, date);
		const int64_t time = from + (int64_t)(rng_unit(&r) * (double)(to - from));
		if (p->versions && is_same(w, &p->version[p->versions - 1], at, n))
			continue;
		p->version = mem_grow(p->version, &p->room, p->versions + 1, sizeof *p->version);
		p->version[p->versions++] = (struct version){time, at, n};
		exists(p, time);
		for (size_t i = 0; i < n; i++)
			exists(&w->page[w->link[at + i].to], time);
	}
}

static void reach(struct web *w)
{
	uint32_t *queue = mem_new(w->n + 1, sizeof *queue), n = 0;

	for (uint32_t i = 0; i < w->n; i++)
		if (w->page[i].versions && w->page[i].version[0].time <= 0) {
			w->page[i].is_reachable = 1;
			queue[n++] = i;
		}
	for (uint32_t k = 0; k < n; k++)
		for (size_t v = 0; v < w->page[queue[k]].versions; v++)
			for (size_t i = 0; i < w->page[queue[k]].version[v].n; i++) {
				const uint32_t to = w->link[w->page[queue[k]].version[v].at + i].to;
				if (!w->page[to].is_reachable)
					queue[n++] = to;
				w->page[to].is_reachable = 1;
			}
	free(queue);
}

/* The number of versions that a page has had by a time; 0: it has no links yet. */
static size_t version_at(const struct page *p, int64_t now)
{
	size_t v = 0;

	while (v < p->versions && p->version[v].time <= now)
		v++;
	return v;
}

/* --- ranks */

/* The PageRank in the links of the copies (now: NEVER), or in those that the pages have. */
static void rank(const struct web *w, int64_t now, double *value)
{
	uint64_t *offset = mem_zero(w->n + 1, sizeof *offset);
	uint32_t *target = mem_new(w->links + 1, sizeof *target);
	struct pagerank p = PAGERANK_DEFAULT;
	struct graph g;
	uint64_t arcs = 0;

	for (size_t i = 0; i < w->n; i++) {
		const struct page *page = &w->page[i];
		const size_t v = now == NEVER ? (page->seen ? page->seen - 1 : 0) : version_at(page, now);
		for (size_t k = 0; v && k < page->version[v - 1].n; k++) {
			const uint32_t to = w->link[page->version[v - 1].at + k].to;
			if (!k || to != target[arcs - 1])
				target[arcs++] = to;
		}
		offset[i + 1] = arcs;
	}
	graph_take_rows(&g, (uint32_t)w->n, offset, target, 0);
	p.tolerance = 1e-9;
	pagerank(&g, &p, value);
	graph_release(&g);
}

/* --- the crawl */

struct figures {
	double fresh, all, age, aged, kept, found, hot;
};

static int by_value(const void *a, const void *b, void *ctx)
{
	const double *value = ctx, x = value[*(const uint32_t *)a], y = value[*(const uint32_t *)b];

	return x != y ? (x < y) - (x > y)
		      : (*(const uint32_t *)a > *(const uint32_t *)b) - (*(const uint32_t *)a < *(const uint32_t *)b);
}

static void sample(struct web *w, int64_t now, struct figures *f)
{
	double *value = mem_new(w->n, sizeof *value);
	uint32_t *order = mem_new(w->n, sizeof *order), n = 0;

	rank(w, now, value);
	for (uint32_t i = 0; i < w->n; i++) {
		const struct page *p = &w->page[i];
		if (p->since > now || !p->is_reachable)
			continue;
		order[n++] = i;
		const size_t v = version_at(p, now);
		f->all += value[i];
		if (!p->seen)
			continue;
		f->fresh += p->seen == v + 1 ? value[i] : 0;
		f->age += p->seen == v + 1 ? 0 : value[i] * (double)(now - p->version[p->seen - 1].time) / SCHEDULE_DAY;
		f->aged += value[i];
	}
	qsort_r(order, n, sizeof *order, by_value, value);
	for (uint32_t i = 0; i < n / HOT + 1; i++) {
		const struct page *p = &w->page[order[i]];
		f->hot++;
		f->found += p->seen != 0;
		f->kept += p->seen == version_at(p, now) + 1;
	}
	free(value);
	free(order);
}

static void know(struct web *w, struct page *p)
{
	p->is_known = 1;
	if (!p->seen && p->place < w->next)
		w->next = p->place;
}

/* Takes a copy of a page, and comes to know the pages that it links to. */
static int look(struct web *w, struct page *p, int64_t now)
{
	const size_t v = version_at(p, now);
	const int is_changed = p->seen != v + 1;

	p->seen = v + 1;
	p->last = now;
	for (size_t i = 0; v && i < p->version[v - 1].n; i++)
		know(w, &w->page[w->link[p->version[v - 1].at + i].to]);
	return is_changed;
}

static int64_t at_once(void *ctx, uint32_t id)
{
	(void)ctx, (void)id;
	return 0;
}

/* As many changes and quiet days as outweigh all that the crawl will see. */
static struct changes hindsight_of(const struct web *w, const struct page *p)
{
	const double days = (double)(time_of(w, w->last)) / SCHEDULE_DAY, n = p->versions > 1 ? (double)(p->versions - 1) : 0;

	return (struct changes){.quiet = (float)(1000 * days), .dated = (float)(1000 * n)};
}

static struct schedule *plan(struct web *w, enum schedule_how how, int is_hindsight, double visits)
{
	struct schedule *s;
	double *value = mem_new(w->n, sizeof *value), sum = 0;
	size_t copies = 0;

	rank(w, NEVER, value);
	for (size_t i = 0; i < w->n; i++) {
		copies += w->page[i].seen != 0;
		sum += w->page[i].seen ? value[i] : 0;
	}
	schedule_new(&s, &(struct schedule_settings){.how = how, .visits = visits, .prior = 1 / 30.0});
	for (uint32_t i = 0; i < w->n; i++) {
		struct page *p = &w->page[i];
		p->importance = value[i] * (double)copies / sum;
		if (p->seen)
			schedule_add(s, i,
				&(struct schedule_page){.host = i,
					.importance = p->importance,
					.last = p->last,
					.changes = is_hindsight ? hindsight_of(w, p) : p->changes});
	}
	for (uint32_t i = 0; i < w->n; i++)
		w->order[i] = i;
	qsort_r(w->order, w->n, sizeof *w->order, by_value, value);
	for (uint32_t i = 0; i < w->n; i++)
		w->page[w->order[i]].place = i;
	w->next = 0;
	free(value);
	return s;
}

/* The best page that is known and has no copy. */
static int best_new(struct web *w, uint32_t *id)
{
	while (w->next < w->n && (!w->page[w->order[w->next]].is_known || w->page[w->order[w->next]].seen))
		w->next++;
	*id = w->next < w->n ? w->order[w->next] : 0;
	return w->next < w->n;
}

static void visit(struct web *w, struct schedule *s, uint32_t id, int64_t now)
{
	struct page *p = &w->page[id];
	const double days = (double)(now - p->last) / SCHEDULE_DAY;

	schedule_out(s, id);
	const int is_changed = look(w, p, now);
	(is_changed ? changes_seen : changes_same)(&p->changes, days);
	schedule_visited(s, id, now, is_changed ? SCHEDULE_CHANGED : SCHEDULE_SAME, 0);
}

static void turn(struct web *w, struct schedule *s, int64_t now)
{
	uint32_t old, fresh;
	const int has_old = schedule_next(s, now, at_once, NULL, &old), has_new = best_new(w, &fresh);

	if (has_new && (!has_old || schedule_worth_new(s, fresh, w->page[fresh].importance) > schedule_worth(s, old, now))) {
		look(w, &w->page[fresh], now);
		schedule_add(s, fresh,
			&(struct schedule_page){.host = fresh, .importance = w->page[fresh].importance, .last = now});
	} else if (has_old) {
		visit(w, s, old, now);
	}
}

static struct figures run(struct web *w, enum schedule_how how, int is_hindsight, uint64_t visits)
{
	struct figures f = {0};
	const uint32_t months = w->last - w->first;

	for (size_t i = 0; i < w->n; i++) {
		struct page *p = &w->page[i];
		p->seen = 0;
		p->is_known = 0;
		p->last = 0;
		p->changes = (struct changes){.n = 0};
	}
	for (size_t i = 0; i < w->n; i++)
		if (version_at(&w->page[i], 0))
			look(w, &w->page[i], 0);
	for (uint32_t m = 0; m < months; m++) {
		struct schedule *s = plan(w, how, is_hindsight, (double)visits / (MONTH / SCHEDULE_DAY));
		for (uint64_t v = 0; v < visits; v++) {
			const int64_t now = (int64_t)(((double)m + (double)v / (double)visits) * MONTH);
			turn(w, s, now);
			if (m >= months / 2 && v % (visits / SAMPLES + 1) == 0)
				sample(w, now, &f);
		}
		schedule_free(s);
	}
	return f;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		enum schedule_how how;
		int is_hindsight;
	} orders[] = {{"hindsight", SCHEDULE_OPTIMAL, 1}, {"optimal", SCHEDULE_OPTIMAL, 0}, {"uniform", SCHEDULE_UNIFORM, 0},
		{"proportional", SCHEDULE_PROPORTIONAL, 0}};
	struct web w = {.n = 0};

	if (argc < 3)
		die("FILE VISITS...");
	read_links(&w, argv[1]);
	make_versions(&w);
	reach(&w);
	w.order = mem_zero(w.n, sizeof *w.order);
	printf("# %zu pages, %zu links, %u months\nvisits\torder\tfreshness\tof_copies\tage_days\thot_kept\thot_found\n", w.n,
		w.links, w.last - w.first);
	for (int i = 2; i < argc; i++)
		for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
			const struct figures f = run(&w, orders[o].how, orders[o].is_hindsight, strtoull(argv[i], NULL, 10));
			printf("%s\t%s\t%.4f\t%.4f\t%.1f\t%.3f\t%.3f\n", argv[i], orders[o].name, f.fresh / f.all, f.fresh / f.aged,
				f.age / f.aged, f.kept / f.hot, f.found / f.hot);
		}
	return 0;
}
