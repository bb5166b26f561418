#include "monitor/control_internal.h"
#include "base/ascii.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/num.h"
#include "config.h"
#include "monitor/census.h"
#include "monitor/metrics.h"
#include "parser/url_rules.h"
#include "storage/store.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* The way to each page of a crawl: the page that it was first discovered on. It is read once from the log, and then
 * follows the events of the crawl. The monitor shows it; a crawl without a monitor does not keep it.
 *
 *	struct discovery_paths *w = discovery_paths_new(store);
 *	err = discovery_paths_read(w, why);                             what the log has
 *	discovery_paths_found(w, event->id);                            after each event
 *	for (id = page; id != STORE_NO_PAGE; id = discovery_paths_from(w, id)) ...      the last one is a seed
 *
 * Memory: 4 bytes a page. Only the coordinator thread calls these functions. */

struct discovery_paths;

struct discovery_paths {
	struct store *store;
	uint32_t *from; /* n, by id */
	size_t n, room;
};

struct discovery_paths *discovery_paths_new(struct store *store)
{
	struct discovery_paths *w = mem_zero(1, sizeof *w);

	w->store = store;
	return w;
}

void discovery_paths_free(struct discovery_paths *w)
{
	if (w)
		free(w->from);
	free(w);
}

static void put(struct discovery_paths *w, uint32_t id, uint32_t from)
{
	if (id < w->n)
		return;
	w->from = mem_grow(w->from, &w->room, (size_t)id + 1, sizeof *w->from);
	while (w->n < id)
		w->from[w->n++] = STORE_NO_PAGE;
	w->from[w->n++] = from;
}

int discovery_paths_read(struct discovery_paths *w, struct err_note *why)
{
	struct store_log_cursor *c = store_log_start(w->store);
	struct log_entry e;
	int err;

	while ((err = store_log_next(c, &e, why)) > 0) {
		const int is_seed = e.kind == LOG_SEED || e.kind == LOG_SITEMAP;
		for (uint32_t i = 0; e.n_new != STORE_NO_PAGE && i < e.n_new; i++)
			put(w, e.first_new + i, is_seed ? STORE_NO_PAGE : e.id);
	}
	store_log_stop(c);
	discovery_paths_found(w, STORE_NO_PAGE);
	return err;
}

void discovery_paths_found(struct discovery_paths *w, uint32_t from)
{
	const uint32_t n = store_pages(w->store);

	for (uint32_t id = (uint32_t)w->n; id < n; id++)
		put(w, id, from);
}

/* Returns the page on which a page was discovered by a link or a redirect; STORE_NO_PAGE for a seed, or if it is not
 * known. */
static uint32_t discovery_paths_from(const struct discovery_paths *w, uint32_t id)
{
	return id < w->n ? w->from[id] : STORE_NO_PAGE;
}

#define MOST_HOSTS    1000
#define RATE_MS       10000 /* over which rates are taken, as far as the samples reach */
#define MOST_NEXT     200
#define MOST_LINKS    200
#define MOST_SEARCHED 1000000 /* pages and links read for the pages that link to a page */
#define MOST_WAY      100     /* pages between a seed and a page that are shown */

/* --- arguments */

const char *control_text(const json_t *args, const char *name)
{
	return json_string_value(json_object_get(args, name));
}

/* Reads a whole number from an argument: 0 and *n, which becomes `otherwise` if there is none, or ERR_USAGE. */
static int control_count(const json_t *args, const char *name, uint64_t otherwise, uint64_t most, uint64_t *n, struct err_note *why)
{
	const char *text = control_text(args, name);

	*n = otherwise;
	if (!text || num_count(text, most, n) == 0)
		return 0;
	return err_set(why, ERR_USAGE, "%s '%s' is no whole number up to %llu", name, text, (unsigned long long)most);
}

/* --- one host */

const char *control_host_name(struct control *c, uint32_t host)
{
	const char *name = store_host_name(c->store, host);

	return name ? name : "";
}

int control_find_host(struct control *c, const char *name, uint32_t *host, struct err_note *why)
{
	const uint32_t n = store_hosts(c->store);

	for (*host = 0; *host < n; ++*host)
		if (ascii_order(control_host_name(c, *host), name) == 0)
			return 0;
	return err_set(why, ERR_NOTHING, "the crawl knows no host '%s'", name);
}

/* Says whether a host of this name is blocked. */
static int is_blocked(const struct control *c, const char *name)
{
	struct url u = URL_EMPTY;
	int blocked = 0;

	if (!scope_has_blocks(c->scope))
		return 0;
	struct buf text = buf_of("http://%s/", name);
	if (url_parse(&u, text.at, text.used, NULL) == URL_OK)
		blocked = scope_blocks(c->scope, &u);
	url_release(&u);
	buf_release(&text);
	return blocked;
}

#define BLOCKED FRONTIER_HOST_STATES

static const char *const words[FRONTIER_HOST_STATES + 1] = {[FRONTIER_HOST_IDLE] = "idle",
	[FRONTIER_HOST_READY] = "ready",
	[FRONTIER_HOST_RESTS] = "rests",
	[FRONTIER_HOST_HELD] = "held",
	[FRONTIER_HOST_GIVEN_UP] = "given-up",
	[FRONTIER_HOST_SPENT] = "spent",
	[BLOCKED] = "blocked"};

static const char *state_of(struct control *c, uint32_t host, int64_t *at)
{
	const enum frontier_host_state state = frontier_host_state(c->frontier, host, at);

	return words[is_blocked(c, control_host_name(c, host)) ? BLOCKED : state];
}

/* Checks that a text is a state of hosts, or missing (NULL). */
static int check_state(const char *text, struct err_note *why)
{
	size_t i = 0;

	while (text && i <= BLOCKED && strcmp(words[i], text) != 0)
		i++;
	return i <= BLOCKED
		? 0
		: err_set(why, ERR_USAGE, "no host is '%s'; hosts are idle, ready, rests, held, given-up, spent or blocked", text);
}

void control_put_host_state(struct control *c, json_t *out, uint32_t host)
{
	const int64_t now = c->source->ops->now((struct source *)c->source);
	int64_t at;

	json_put_text(out, "state", state_of(c, host, &at));
	json_put_count(out, "ready_in_ms", at != FRONTIER_NEVER && at > now ? (uint64_t)(at - now) : 0);
}

/* --- the first hosts by a figure */

struct figures {
	struct census_figures pages;
	struct tally_host asked;
};

static struct figures figures_of(struct control *c, uint32_t host)
{
	struct figures f = {.pages = {0}};
	uint32_t n;
	const struct census_figures *pages = census_hosts(c->census, &n);

	if (host < n)
		f.pages = pages[host];
	if (host < c->tally->n_hosts)
		f.asked = c->tally->host[host];
	return f;
}

static double mean_ms(const struct tally_host *h)
{
	return h->requests ? (double)h->ms / h->requests : 0;
}

#define FIGURE(name, expression) \
	static double name(const struct figures *f) \
	{ \
		return (double)(expression); \
	}
FIGURE(by_queued, f->pages.queued)
FIGURE(by_crawled, f->pages.crawled)
FIGURE(by_failed, f->pages.failed)
FIGURE(by_refused, f->pages.refused)
FIGURE(by_requests, f->asked.requests)
FIGURE(by_failures, f->asked.failures)
FIGURE(by_bytes, f->asked.bytes)
FIGURE(by_mean_ms, mean_ms(&f->asked))

typedef double figure_fn(const struct figures *);

static int find_order(const char *name, figure_fn **order, struct err_note *why)
{
	static const struct {
		const char *name;
		figure_fn *figure; /* NULL: by name */
	} rows[] = {{"queued", by_queued}, {"crawled", by_crawled}, {"failed", by_failed}, {"refused", by_refused},
		{"requests", by_requests}, {"failures", by_failures}, {"bytes", by_bytes}, {"mean_ms", by_mean_ms}, {"name", NULL}};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (strcmp(rows[i].name, name) != 0)
			continue;
		*order = rows[i].figure;
		return 0;
	}
	return err_set(why, ERR_USAGE,
		"hosts are not sorted by '%s', but by queued, crawled, failed, refused, requests, failures, bytes, mean_ms or name",
		name);
}

struct candidate {
	uint32_t host;
	double value;
};

/* The best hosts so far: twice as many as are wanted, of which the better half stays when there is no room for more. */
struct top {
	struct control *c;
	figure_fn *order;
	struct candidate *best; /* n; room for 2 most */
	size_t n, most;
	struct candidate last; /* of those that stayed, if `is_cut`: what does not come before it is none of the best */
	int is_cut;
};

/* Compares two hosts for qsort_r(): the one that comes first is less. */
static int compare(const void *a, const void *b, void *top)
{
	const struct candidate *x = a, *y = b;
	const struct top *t = top;

	if (!t->order)
		return strcmp(control_host_name(t->c, x->host), control_host_name(t->c, y->host));
	if (x->value != y->value)
		return x->value > y->value ? -1 : 1;
	return (x->host > y->host) - (x->host < y->host);
}

static void keep_best(struct top *t)
{
	qsort_r(t->best, t->n, sizeof *t->best, compare, t);
	t->n = t->n < t->most ? t->n : t->most;
}

static void offer(struct top *t, uint32_t host)
{
	const struct figures f = figures_of(t->c, host);
	const struct candidate one = {host, t->order ? t->order(&f) : 0};

	if (t->is_cut && compare(&one, &t->last, t) >= 0)
		return;
	t->best[t->n++] = one;
	if (t->n == 2 * t->most) {
		keep_best(t);
		t->last = t->best[t->n - 1];
		t->is_cut = 1;
	}
}

static json_t *host_row(struct control *c, uint32_t host)
{
	const struct figures f = figures_of(c, host);
	json_t *row = json_object();

	json_put_text(row, "host", control_host_name(c, host));
	control_put_host_state(c, row, host);
	json_put_count(row, "queued", f.pages.queued);
	json_put_count(row, "crawled", f.pages.crawled);
	json_put_count(row, "failed", f.pages.failed);
	json_put_count(row, "refused", f.pages.refused);
	json_put_count(row, "redirected", f.pages.redirected);
	json_put_count(row, "requests", f.asked.requests);
	json_put_count(row, "failures", f.asked.failures);
	json_put_count(row, "bytes", f.asked.bytes);
	json_put_real(row, "mean_ms", mean_ms(&f.asked));
	json_put_text(row, "last_failure", f.asked.outcome ? outcome_word(f.asked.outcome) : NULL);
	json_put_count(row, "last_failure_status", f.asked.status);
	return row;
}

/* Offers every host that matches, and returns how many do. */
static uint64_t choose(struct top *t, const char *match, const char *state)
{
	const uint32_t n = store_hosts(t->c->store);
	uint64_t matching = 0;
	int64_t at;

	for (uint32_t host = 0; host < n; host++) {
		if (match && !ascii_find(control_host_name(t->c, host), match))
			continue;
		if (state && strcmp(state_of(t->c, host, &at), state) != 0)
			continue;
		matching++;
		offer(t, host);
	}
	keep_best(t);
	return matching;
}

int control_hosts(struct control *c, const json_t *args, json_t *out, struct err_note *why)
{
	const char *by = control_text(args, "sort-by");
	struct top t = {.c = c};
	uint64_t most;
	int err = control_count(args, "count", 50, MOST_HOSTS, &most, why);

	if (!err)
		err = find_order(by ? by : "queued", &t.order, why);
	if (!err)
		err = check_state(control_text(args, "only"), why);
	if (err)
		return err;
	t.most = most ? (size_t)most : 1;
	t.best = mem_new(2 * t.most, sizeof *t.best);
	const uint64_t matching = choose(&t, control_text(args, "match"), control_text(args, "only"));
	json_t *rows = json_array();
	for (size_t i = 0; i < t.n; i++)
		json_array_append_new(rows, host_row(c, t.best[i].host));
	json_put_count(out, "hosts", store_hosts(c->store));
	json_put_count(out, "matching", matching);
	if (census_time(c->census))
		json_put_count(out, "age_ms", (uint64_t)(clock_ms() - census_time(c->census)));
	json_object_set_new(out, "rows", rows);
	free(t.best);
	return 0;
}

/* --- the whole crawl: status, history */

static const char *stage(const struct control *c)
{
	if (!c->settings.stop)
		return "stored";
	if (*c->settings.stop)
		return "stopping";
	return *c->settings.paused ? "paused" : "running";
}

static void put_policy(const struct control *c, json_t *out)
{
	const struct policy *p = frontier_policy(c->frontier);
	json_t *policy = json_object();
	struct buf opts = BUF_EMPTY;

	opt_describe(frontier_opts(c->frontier), &opts);
	json_put_text(policy, "name", p->name);
	json_put_text(policy, "summary", p->summary);
	json_put_text(policy, "source", p->source);
	json_put_text(policy, "order", p->order == POLICY_HIGHEST_FIRST ? "highest" : "lowest");
	json_put_text(policy, "options", opts.used ? opts.at : "");
	buf_release(&opts);
	json_object_set_new(out, "policy", policy);
}

static void put_pages(const struct control *c, json_t *out)
{
	struct frontier_counts n;
	json_t *pages = json_object();

	frontier_count(c->frontier, &n);
	json_put_count(pages, "seen", n.seen);
	json_put_count(pages, "queued", n.queued);
	json_put_count(pages, "in_flight", n.in_flight);
	json_put_count(pages, "crawled", n.crawled);
	json_put_count(pages, "failed", n.failed);
	json_put_count(pages, "refused", n.refused);
	json_put_count(pages, "redirected", n.redirected);
	json_put_count(pages, "deferred", n.deferred);
	json_put_count(pages, "given_up", n.given_up);
	json_object_set_new(out, "pages", pages);
}

/* Adds the estimate of the share of hot pages that are crawled, with its bounds. */
static void put_hot(const struct control *c, json_t *out)
{
	struct frontier_counts n;
	json_t *hot = json_object();

	frontier_count(c->frontier, &n);
	const struct hot_share s = hot_share_of(&n, traps_skipped(scope_traps(c->scope)), frontier_policy(c->frontier)->name);
	json_put_real(hot, "share", s.share);
	json_put_real(hot, "low", s.low);
	json_put_real(hot, "high", s.high);
	json_object_set_new(out, "hot", hot);
}

static void put_hosts(const struct control *c, json_t *out)
{
	struct metrics_hosts n;
	struct frontier_counts counts;
	json_t *hosts = json_object();

	metrics_count_hosts(c->frontier, c->source, &n);
	frontier_count(c->frontier, &counts);
	json_put_count(hosts, "known", store_hosts(c->store));
	json_put_count(hosts, "ready", n.ready);
	json_put_count(hosts, "waiting", n.waiting);
	json_put_count(hosts, "silent", n.silent);
	json_put_count(hosts, "given_up", n.given_up);
	json_put_count(hosts, "held", counts.hosts_held);
	json_object_set_new(out, "hosts", hosts);
}

static double a_second(uint64_t n, int64_t ms)
{
	return ms > 0 ? (double)n * 1000 / (double)ms : 0;
}

/* Adds the counts of the sitting so far, and the rates of its last seconds. */
static void put_sitting(const struct control *c, json_t *out)
{
	const struct tally *t = c->tally;
	/* a store that is only viewed has no sitting, and no rates */
	const int64_t now = c->settings.stop ? clock_ms() : t->started;
	const struct tally_sample start = {.at = t->started};
	const struct tally_sample *from = &start;
	const struct live_config *set = &c->settings.decision->config;
	json_t *sitting = json_object();

	for (size_t i = 0; i < t->n_samples && t->sample[i].at <= now - RATE_MS; i++)
		from = &t->sample[i];
	json_put_count(sitting, "ms", (uint64_t)(now - t->started));
	json_put_count(sitting, "crawled", t->crawled);
	json_put_count(sitting, "failed", t->failed);
	json_put_count(sitting, "bytes", t->bytes);
	json_put_count(sitting, "requests", t->requests);
	json_put_real(sitting, "pages_a_second", a_second(t->crawled - from->crawled, now - from->at));
	json_put_real(sitting, "bytes_a_second", a_second(t->bytes - from->bytes, now - from->at));
	json_put_count(sitting, "max_pages", set->max_pages);
	json_put_count(sitting, "max_ms", (uint64_t)set->max_time);
	json_put_count(sitting, "max_bytes", set->max_bytes);
	json_object_set_new(out, "sitting", sitting);
}

/* Adds the counts of the sitting by outcome and by HTTP status. */
static void put_endings(const struct control *c, json_t *out)
{
	json_t *outcomes = json_array(), *statuses = json_array();

	for (unsigned o = outcome_next(0); o < OUTCOMES; o = outcome_next(o)) {
		if (!c->tally->outcome[o])
			continue;
		json_t *one = json_object();
		json_put_text(one, "outcome", outcome_word(o));
		json_put_text(one, "state", page_state_name(outcome_state(o)));
		json_put_text(one, "because", outcome_sentence(o));
		json_put_count(one, "count", c->tally->outcome[o]);
		json_array_append_new(outcomes, one);
	}
	for (unsigned s = 0; s < TALLY_STATUSES; s++) {
		if (!c->tally->status[s])
			continue;
		json_t *one = json_object();
		json_put_count(one, "status", s);
		json_put_count(one, "count", c->tally->status[s]);
		json_array_append_new(statuses, one);
	}
	json_object_set_new(out, "outcomes", outcomes);
	json_object_set_new(out, "statuses", statuses);
}

static json_t *figures(const struct census_figures *f)
{
	json_t *one = json_object();

	json_put_count(one, "queued", f->queued);
	json_put_count(one, "crawled", f->crawled);
	json_put_count(one, "failed", f->failed);
	json_put_count(one, "refused", f->refused);
	json_put_count(one, "redirected", f->redirected);
	return one;
}

static void put_depths(const struct control *c, json_t *out)
{
	const struct census_figures *f = census_depths(c->census);
	json_t *depths = json_array();
	size_t n = CENSUS_DEPTHS;

	while (n && !(f[n - 1].queued | f[n - 1].crawled | f[n - 1].failed | f[n - 1].refused | f[n - 1].redirected))
		n--;
	for (size_t i = 0; i < n; i++)
		json_array_append_new(depths, figures(&f[i]));
	json_object_set_new(out, "depths", depths);
	if (census_time(c->census))
		json_put_count(out, "depths_age_ms", (uint64_t)(clock_ms() - census_time(c->census)));
}

static void put_machine(const struct control *c, json_t *out)
{
	json_t *machine = json_object();
	struct statvfs disk;
	struct stat st;

	json_put_count(machine, "pid", (uint32_t)getpid());
	json_put_count(machine, "resident_bytes", tally_resident());
	json_put_real(machine, "cpu_seconds", (double)clock_cpu_ns() / 1e9);
	struct buf path = buf_of("%s/data.mdb", c->settings.dir);
	if (stat(path.at, &st) == 0)
		json_put_count(machine, "store_bytes", (uint64_t)st.st_blocks * 512);
	if (statvfs(c->settings.dir, &disk) == 0)
		json_put_count(machine, "disk_free_bytes", (unsigned long long)disk.f_bavail * disk.f_frsize);
	buf_release(&path);
	const struct store_scrub scrub = store_scrubbed(c->store);
	json_put_count(machine, "scrub_rounds", scrub.rounds);
	json_put_count(machine, "scrubbed_chunks", scrub.chunks);
	json_put_count(machine, "store_chunks", scrub.total);
	json_object_set_new(out, "machine", machine);
}

int control_status(struct control *c, const json_t *args, json_t *out, struct err_note *why)
{
	struct buf blocked = BUF_EMPTY;

	(void)args;
	(void)why;
	json_put_text(out, "version", PACKAGE_VERSION);
	json_put_text(out, "store", c->settings.dir);
	json_put_text(out, "stage", stage(c));
	json_put_count(out, "time", (uint64_t)clock_wall_ms());
	json_put_count(out, "delay_ms", (uint64_t)c->delay);
	scope_list_blocked(c->scope, &blocked);
	json_put_text(out, "blocked", blocked.at);
	buf_release(&blocked);
	put_policy(c, out);
	put_pages(c, out);
	put_hot(c, out);
	put_hosts(c, out);
	put_sitting(c, out);
	put_endings(c, out);
	put_depths(c, out);
	put_machine(c, out);
	return 0;
}

/* Returns a column of the history: one value for each sample. */
static json_t *column(const struct tally *t, double (*value)(const struct tally_sample *, int64_t))
{
	json_t *all = json_array();

	for (size_t i = 0; i < t->n_samples; i++) {
		const double v = value(&t->sample[i], t->started);
		json_array_append_new(all, isfinite(v) ? json_real(v) : json_null());
	}
	return all;
}

#define COLUMN(name, expression) \
	static double name(const struct tally_sample *s, int64_t started) \
	{ \
		(void)started; \
		return (double)(expression); \
	}
COLUMN(ms_of, s->at - started)
COLUMN(crawled_of, s->crawled)
COLUMN(failed_of, s->failed)
COLUMN(bytes_of, s->bytes)
COLUMN(queued_of, s->queued)
COLUMN(deferred_of, s->deferred)
COLUMN(seen_of, s->seen)
COLUMN(ready_of, s->hosts_ready)
COLUMN(waiting_of, s->hosts_waiting)
COLUMN(resident_of, s->resident)
COLUMN(key_of, s->key)

int control_history(struct control *c, const json_t *args, json_t *out, struct err_note *why)
{
	static const struct {
		const char *name;
		double (*value)(const struct tally_sample *, int64_t);
	} columns[] = {{"ms", ms_of}, {"crawled", crawled_of}, {"failed", failed_of}, {"bytes", bytes_of}, {"queued", queued_of},
		{"deferred", deferred_of}, {"seen", seen_of}, {"hosts_ready", ready_of}, {"hosts_waiting", waiting_of},
		{"resident_bytes", resident_of}, {"key", key_of}};

	(void)args;
	(void)why;
	json_put_count(out, "interval_ms", (uint64_t)c->tally->interval);
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		json_object_set_new(out, columns[i].name, column(c->tally, columns[i].value));
	return 0;
}

/* --- one page */

static const char *url_of(struct control *c, uint32_t id)
{
	struct store_page page;

	return store_page(c->store, id, &page) ? page.url : NULL;
}

/* Adds the state of a page, and what the frontier and the knowledge have of it. */
static void put_page(struct control *c, json_t *out, uint32_t id)
{
	const enum page_state state = frontier_state(c->frontier, id);
	const struct known_page *known = &c->knowledge->page[id];

	json_put_text(out, "url", url_of(c, id));
	json_put_text(out, "state", page_state_name(state));
	json_put_count(out, "id", id);
	json_put_count(out, "depth", known->depth);
	json_put_text(out, "host", control_host_name(c, knowledge_host(c->knowledge, id)));
	if (state != PAGE_UNSEEN)
		json_put_real(out, "key", frontier_key(c->frontier, id));
	if (state == PAGE_QUEUED)
		json_put_count(out, "failed_tries", knowledge_tries(c->knowledge, id));
}

/* --- next */

/* Adds the reason for a queued page's position in the queue, as a sentence. */
static void put_why(struct control *c, json_t *out, uint32_t id)
{
	const struct policy *p = frontier_policy(c->frontier);
	const char *rule = frontier_chosen_by(c->frontier, id);
	struct buf text = BUF_EMPTY;

	if (rule)
		buf_format(&text, "%s's explorer '%s' has chosen it", p->name, rule);
	else if (!p->crawled && !p->rerank && !p->seed)
		buf_format(&text, "%s takes pages in the order of their discovery", p->name);
	else
		buf_format(&text, "%s takes the %s key first", p->name, p->order == POLICY_HIGHEST_FIRST ? "highest" : "lowest");
	if (frontier_is_deferred(c->frontier, id))
		buf_text(&text, "; it is deferred behind other pages, since it may be in a trap");
	if (c->knowledge->page[id].depth == 0)
		buf_text(&text, "; it is a seed");
	json_put_text(out, "why", text.at);
	buf_release(&text);
}

int control_next(struct control *c, const json_t *args, json_t *out, struct err_note *why)
{
	uint32_t id[MOST_NEXT];
	uint64_t most;
	int err = control_count(args, "count", 20, MOST_NEXT, &most, why);

	if (err)
		return err;
	const size_t n = most ? frontier_upcoming(c->frontier, id, (size_t)most) : 0;
	json_t *rows = json_array();
	for (size_t i = 0; i < n; i++) {
		json_t *row = json_object(), *host = json_object();
		put_page(c, row, id[i]);
		put_why(c, row, id[i]);
		control_put_host_state(c, host, knowledge_host(c->knowledge, id[i]));
		json_object_set_new(row, "host_now", host);
		const uint32_t from = discovery_paths_from(c->paths, id[i]);
		json_put_text(row, "found_on", from != STORE_NO_PAGE ? url_of(c, from) : NULL);
		json_array_append_new(rows, row);
	}
	json_object_set_new(out, "rows", rows);
	return 0;
}

/* --- explain */

static int find_page(struct control *c, const char *text, uint32_t *id, struct err_note *why)
{
	struct url u = URL_EMPTY;
	int err = 0;

	if (url_parse(&u, text, strlen(text), NULL) != URL_OK)
		err = err_set(why, ERR_USAGE, "'%s' is no http or https URL", text);
	else {
		url_drop_user(&u);
		url_rules_apply(live_url_rules(c->live), &u);
		if (!store_find(c->store, u.text.at, u.text.used, id) || *id >= c->knowledge->n)
			err = err_set(why, ERR_NOTHING, "the crawl does not know '%s': no link that was followed leads to it",
				text);
	}
	url_release(&u);
	return err;
}

/* Adds the outcome of a page and what its result in the store says. */
static void put_result(struct control *c, json_t *out, uint32_t id)
{
	const enum outcome refusal = knowledge_refusal(c->knowledge, id);
	struct result r;

	if (refusal) {
		json_put_text(out, "outcome", outcome_word(refusal));
		json_put_text(out, "because", outcome_sentence(refusal));
	}
	if (!store_result(c->store, id, &r))
		return;
	if (r.status)
		json_put_count(out, "status", r.status);
	if (!refusal && r.outcome != OUTCOME_NONE) {
		json_put_text(out, "outcome", outcome_word(r.outcome));
		json_put_text(out, "because", outcome_sentence(r.outcome));
	}
	json_put_count(out, "tries", r.tries);
	json_put_count(out, "bytes", r.bytes);
	json_put_count(out, "time", r.ended > 0 ? (uint64_t)r.ended : 0);
	if (r.target != STORE_NO_PAGE)
		json_put_text(out, r.state == PAGE_REDIRECTED ? "redirects_to" : "duplicate_of", url_of(c, r.target));
}

/* Adds the verdict of the trap detectors on a queued page to the answer. */
static void put_trap_verdict(struct control *c, json_t *out, uint32_t id)
{
	if (frontier_state(c->frontier, id) != PAGE_QUEUED)
		return;
	if (frontier_is_deferred(c->frontier, id))
		json_object_set_new(out, "put_off", json_true());
	const struct traps_verdict v = knowledge_trap_verdict(c->knowledge, id);
	if (!v.detector)
		return;
	json_t *suspicion = json_object();
	json_put_text(suspicion, "detector", outcome_word(v.detector));
	json_put_text(suspicion, "because", outcome_sentence(v.detector));
	if (v.original != TRAPS_NO_PAGE)
		json_put_text(suspicion, "duplicate_of", url_of(c, v.original));
	json_object_set_new(out, "suspicion", suspicion);
}

/* Adds the chain of pages from a seed to the page, each of which was discovered on the one before; the seed is first. */
static void put_way(struct control *c, json_t *out, uint32_t id)
{
	json_t *way = json_array();

	for (unsigned i = 0; i < MOST_WAY && id != STORE_NO_PAGE; i++) {
		json_array_insert_new(way, 0, json_text(url_of(c, id)));
		id = discovery_paths_from(c->paths, id);
	}
	json_object_set_new(out, "way", way);
	if (id != STORE_NO_PAGE)
		json_object_set_new(out, "way_is_cut", json_true());
}

/* Adds the first MOST_LINKS links of a crawled page with their states, and the number of its links. */
static void put_links(struct control *c, json_t *out, uint32_t id)
{
	const uint32_t *links;
	json_t *rows = json_array();

	if (frontier_state(c->frontier, id) != PAGE_CRAWLED) {
		json_decref(rows);
		return;
	}
	const size_t n = store_links(c->store, id, &links, NULL);
	for (size_t i = 0; i < n && i < MOST_LINKS; i++) {
		json_t *row = json_object();
		if (links[i] >= c->knowledge->n) {
			json_decref(row);
			continue; /* a damaged store */
		}
		json_put_text(row, "url", url_of(c, links[i]));
		json_put_text(row, "state", page_state_name(frontier_state(c->frontier, links[i])));
		json_array_append_new(rows, row);
	}
	json_put_count(out, "n_links", n);
	json_object_set_new(out, "links", rows);
}

/* Says whether a crawled page links to page `id`, under any name of it. Adds the number of its links to `*searched`. */
static int links_to(struct control *c, uint32_t from, uint32_t id, uint64_t *searched)
{
	const uint32_t *links;
	const size_t n = store_links(c->store, from, &links, NULL);

	*searched += n;
	for (size_t i = 0; i < n; i++)
		if (links[i] == id || (links[i] < c->knowledge->n && knowledge_resolve(c->knowledge, links[i]) == id))
			return 1;
	return 0;
}

/* Adds the crawled pages that link to a page, the earliest first. This reads the links of all crawled pages, and stops after
 * MOST_SEARCHED pages and links, so that it does not delay a large crawl. */
static void put_links_to(struct control *c, json_t *out, uint32_t id)
{
	json_t *rows = json_array();
	uint64_t found = 0;
	uint64_t searched = 0;
	uint32_t from = 0;

	for (; from < c->knowledge->n && searched < MOST_SEARCHED; from++) {
		searched++;
		if (!knowledge_is_crawled(c->knowledge, from) || !links_to(c, from, id, &searched))
			continue;
		if (found++ < MOST_LINKS)
			json_array_append_new(rows, json_text(url_of(c, from)));
	}
	json_put_count(out, "n_linked_from", found);
	json_object_set_new(out, "linked_from", rows);
	if (from < c->knowledge->n)
		json_object_set_new(out, "linked_from_is_cut", json_true());
}

int control_explain(struct control *c, const json_t *args, json_t *out, struct err_note *why)
{
	uint32_t id;
	int err = find_page(c, control_text(args, "url"), &id, why);

	if (err)
		return err;
	json_t *host = json_object();
	put_page(c, out, id);
	control_put_host_state(c, host, knowledge_host(c->knowledge, id));
	json_object_set_new(out, "host_now", host);
	put_result(c, out, id);
	const char *rule = frontier_chosen_by(c->frontier, id);
	if (rule)
		json_put_text(out, "chosen_by", rule);
	if (frontier_state(c->frontier, id) == PAGE_QUEUED)
		put_why(c, out, id);
	put_trap_verdict(c, out, id);
	put_way(c, out, id);
	put_links(c, out, id);
	put_links_to(c, out, id);
	return 0;
}
