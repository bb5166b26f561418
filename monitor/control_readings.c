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

/* --- the way to each page of a crawl. A crawl without a monitor does not keep it. Memory: 4 bytes a page */

static void put(struct control *c, uint32_t id, uint32_t from)
{
	if (id < c->n_found)
		return;
	c->found_on = mem_grow(c->found_on, &c->found_room, (size_t)id + 1, sizeof *c->found_on);
	while (c->n_found < id)
		c->found_on[c->n_found++] = STORE_NO_PAGE;
	c->found_on[c->n_found++] = from;
}

int control_read_found(struct control *c, struct err_note *why)
{
	struct store_log_cursor *cursor = store_log_start(c->store);
	struct log_entry e;
	int err;

	while ((err = store_log_next(cursor, &e, why)) > 0) {
		const int is_seed = e.kind == LOG_SEED || e.kind == LOG_SITEMAP;
		for (uint32_t i = 0; e.n_new != STORE_NO_PAGE && i < e.n_new; i++)
			put(c, e.first_new + i, is_seed ? STORE_NO_PAGE : e.id);
	}
	store_log_stop(cursor);
	control_found(c, STORE_NO_PAGE);
	return err;
}

void control_found(struct control *c, uint32_t from)
{
	const uint32_t n = store_pages(c->store);

	for (uint32_t id = (uint32_t)c->n_found; id < n; id++)
		put(c, id, from);
}

/* Returns the page on which a page was discovered by a link or a redirect; STORE_NO_PAGE for a seed, or if it is not
 * known. */
static uint32_t found_on(const struct control *c, uint32_t id)
{
	return id < c->n_found ? c->found_on[id] : STORE_NO_PAGE;
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
	AUTO(url) u = URL_EMPTY;
	int blocked = 0;

	if (!scope_has_blocks(c->scope))
		return 0;
	AUTO(buf) text = buf_of("http://%s/", name);
	if (url_parse(&u, text.at, text.used, NULL) == URL_OK)
		blocked = scope_blocks(c->scope, &u);
	return blocked;
}

#define BLOCKED FRONTIER_HOST_STATES

const char *control_state_word(size_t i)
{
	static const char *const words[FRONTIER_HOST_STATES + 1] = {[FRONTIER_HOST_IDLE] = "idle",
		[FRONTIER_HOST_READY] = "ready",
		[FRONTIER_HOST_RESTS] = "rests",
		[FRONTIER_HOST_HELD] = "held",
		[FRONTIER_HOST_GIVEN_UP] = "given-up",
		[FRONTIER_HOST_SPENT] = "spent",
		[BLOCKED] = "blocked"};

	return i < sizeof words / sizeof *words ? words[i] : NULL;
}

/* Returns the place of a word in a list, or the number of words. */
static size_t place_of(const char *(*word)(size_t), const char *text)
{
	size_t i = 0;

	while (word(i) && strcmp(word(i), text) != 0)
		i++;
	return i;
}

static const char *state_of(struct control *c, uint32_t host, int64_t *at)
{
	const enum frontier_host_state state = frontier_host_state(c->frontier, host, at);

	return control_state_word(is_blocked(c, control_host_name(c, host)) ? BLOCKED : state);
}

void control_put_host_state(struct control *c, json_t *out, uint32_t host)
{
	const int64_t now = c->source->ops->now((struct source *)c->source);
	int64_t at;

	json_put_text(out, "state", state_of(c, host, &at));
	json_put_count(out, "ready_in_ms", at != FRONTIER_NEVER && at > now ? (uint64_t)(at - now) : 0);
}

/* --- the first hosts by a figure */

/* The figures of a host: its pages by state (monitor/census.h), and its requests (monitor/tally.h). */
enum { REDIRECTED = CENSUS_STATES - 1, REQUESTS, FAILURES, BYTES, MEAN_MS, FIGURES };
static const char *const figure_names[FIGURES] = {"queued", "crawled", "failed", "refused", "redirected", "requests", "failures",
	"bytes", "mean_ms"};

/* All of them but "redirected", and the name. */
const char *control_figure_word(size_t i)
{
	i += i >= REDIRECTED;
	return i < FIGURES ? figure_names[i] : i == FIGURES ? "name" : NULL;
}

static struct tally_host asked_of(const struct control *c, uint32_t host)
{
	return host < c->tally->n_hosts ? c->tally->host[host] : (struct tally_host){0};
}

static double figure_of(const struct control *c, uint32_t host, unsigned figure)
{
	const struct tally_host h = asked_of(c, host);
	const double of_requests[] = {h.requests, h.failures, (double)h.bytes, h.requests ? (double)h.ms / h.requests : 0};
	uint32_t n;
	const struct census_figures *pages = census_hosts(c->census, &n);

	if (figure >= REQUESTS)
		return of_requests[figure - REQUESTS];
	return host < n ? pages[host].pages[figure] : 0;
}

struct candidate {
	uint32_t host;
	double value;
};

/* The best hosts so far: twice as many as are wanted, of which the better half stays when there is no room for more. */
struct top {
	struct control *c;
	unsigned order;         /* a figure; FIGURES: the name */
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

	if (t->order == FIGURES) {
		char *name = mem_text(control_host_name(t->c, x->host)); /* it is valid until the other one is asked for */
		const int order = strcmp(name, control_host_name(t->c, y->host));
		free(name);
		return order;
	}
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
	const struct candidate one = {host, t->order < FIGURES ? figure_of(t->c, host, t->order) : 0};

	if (t->is_cut && compare(&one, &t->last, t) >= 0)
		return;
	t->best[t->n++] = one;
	if (t->n == 2 * t->most) {
		keep_best(t);
		t->last = t->best[t->n - 1];
		t->is_cut = 1;
	}
}

static void put_host_row(struct control *c, json_t *row, uint32_t host)
{
	const struct tally_host asked = asked_of(c, host);

	json_put_text(row, "host", control_host_name(c, host));
	control_put_host_state(c, row, host);
	for (unsigned i = 0; i < MEAN_MS; i++)
		json_put_count(row, figure_names[i], (uint64_t)figure_of(c, host, i));
	json_put_real(row, figure_names[MEAN_MS], figure_of(c, host, MEAN_MS));
	json_put_text(row, "last_failure", asked.outcome ? outcome_word(asked.outcome) : NULL);
	json_put_count(row, "last_failure_status", asked.status);
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
	const char *by = control_text(args, "sort-by"), *only = control_text(args, "only");
	const size_t order = by ? place_of(control_figure_word, by) : 0;
	struct top t = {.c = c, .order = (unsigned)(order + (order >= REDIRECTED))};
	uint64_t most;

	TRY(control_count(args, "count", 50, MOST_HOSTS, &most, why));
	if (!control_figure_word(order))
		return err_set(why, ERR_USAGE, "hosts are not sorted by '%s', but by " CONTROL_FIGURES, by);
	if (only && place_of(control_state_word, only) > BLOCKED)
		return err_set(why, ERR_USAGE, "no host is '%s'; hosts are " CONTROL_STATES, only);
	t.most = most ? (size_t)most : 1;
	t.best = mem_new(2 * t.most, sizeof *t.best);
	const uint64_t matching = choose(&t, control_text(args, "match"), only);
	JSON_COUNTS(out, {"hosts", store_hosts(c->store)}, {"matching", matching});
	if (census_time(c->census))
		json_put_count(out, "age_ms", (uint64_t)(clock_ms() - census_time(c->census)));
	json_t *rows = json_put_array(out, "rows");
	for (size_t i = 0; i < t.n; i++)
		put_host_row(c, json_add_object(rows), t.best[i].host);
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

static void put_policy(const struct control *c, json_t *policy)
{
	const struct policy *p = frontier_policy(c->frontier);
	AUTO(buf) opts = BUF_EMPTY;

	opt_describe(frontier_opts(c->frontier), &opts);
	json_put_text(policy, "name", p->name);
	json_put_text(policy, "summary", p->summary);
	json_put_text(policy, "source", p->source);
	json_put_text(policy, "order", p->order == POLICY_HIGHEST_FIRST ? "highest" : "lowest");
	json_put_text(policy, "options", opts.used ? opts.at : "");
}

/* Adds the counts of pages and hosts, and the estimate of the share of hot pages that are crawled, with its bounds. */
static void put_counts(const struct control *c, json_t *out)
{
	struct frontier_counts n;
	struct metrics_hosts hosts;

	frontier_count(c->frontier, &n);
	metrics_count_hosts(c->frontier, c->source, &hosts);
	JSON_COUNTS(json_put_object(out, "pages"), {"seen", n.seen}, {"queued", n.queued}, {"in_flight", n.in_flight},
		{"crawled", n.crawled}, {"failed", n.failed}, {"refused", n.refused}, {"redirected", n.redirected},
		{"deferred", n.deferred}, {"given_up", n.given_up});
	const struct hot_share s = hot_share_of(&n, traps_skipped(scope_traps(c->scope)), frontier_policy(c->frontier)->name);
	json_t *hot = json_put_object(out, "hot");
	json_put_real(hot, "share", s.share);
	json_put_real(hot, "low", s.low);
	json_put_real(hot, "high", s.high);
	JSON_COUNTS(json_put_object(out, "hosts"), {"known", store_hosts(c->store)}, {"ready", hosts.ready},
		{"waiting", hosts.waiting}, {"silent", hosts.silent}, {"given_up", hosts.given_up}, {"held", n.hosts_held});
}

static double a_second(uint64_t n, int64_t ms)
{
	return ms > 0 ? (double)n * 1000 / (double)ms : 0;
}

/* Adds the counts of the sitting so far, and the rates of its last seconds. */
static void put_sitting(const struct control *c, json_t *sitting)
{
	const struct tally *t = c->tally;
	/* a store that is only viewed has no sitting, and no rates */
	const int64_t now = c->settings.stop ? clock_ms() : t->started;
	const struct tally_sample start = {.at = t->started};
	const struct tally_sample *from = &start;
	const struct live_config *set = &c->settings.decision->config;

	for (size_t i = 0; i < t->n_samples && t->sample[i].at <= now - RATE_MS; i++)
		from = &t->sample[i];
	JSON_COUNTS(sitting, {"ms", (uint64_t)(now - t->started)}, {"crawled", t->crawled}, {"failed", t->failed},
		{"bytes", t->bytes}, {"requests", t->requests});
	json_put_real(sitting, "pages_a_second", a_second(t->crawled - from->crawled, now - from->at));
	json_put_real(sitting, "bytes_a_second", a_second(t->bytes - from->bytes, now - from->at));
	JSON_COUNTS(sitting, {"max_pages", set->max_pages}, {"max_ms", (uint64_t)set->max_time}, {"max_bytes", set->max_bytes});
}

/* Adds the counts of the sitting by outcome and by HTTP status. */
static void put_endings(const struct control *c, json_t *out)
{
	json_t *outcomes = json_put_array(out, "outcomes"), *statuses = json_put_array(out, "statuses");

	for (unsigned o = outcome_next(0); o < OUTCOMES; o = outcome_next(o)) {
		if (!c->tally->outcome[o])
			continue;
		json_t *one = json_add_object(outcomes);
		json_put_text(one, "outcome", outcome_word(o));
		json_put_text(one, "state", page_state_name(outcome_state(o)));
		json_put_text(one, "because", outcome_sentence(o));
		json_put_count(one, "count", c->tally->outcome[o]);
	}
	for (unsigned s = 0; s < TALLY_STATUSES; s++)
		if (c->tally->status[s])
			JSON_COUNTS(json_add_object(statuses), {"status", s}, {"count", c->tally->status[s]});
}

static int is_empty(const struct census_figures *f)
{
	uint32_t all = 0;

	for (size_t i = 0; i < CENSUS_STATES; i++)
		all |= f->pages[i];
	return !all;
}

static void put_depths(const struct control *c, json_t *out)
{
	const struct census_figures *f = census_depths(c->census);
	json_t *depths = json_put_array(out, "depths");
	size_t n = CENSUS_DEPTHS;

	while (n && is_empty(&f[n - 1]))
		n--;
	for (size_t i = 0; i < n; i++) {
		json_t *one = json_add_object(depths);
		for (size_t k = 0; k < CENSUS_STATES; k++)
			json_put_count(one, figure_names[k], f[i].pages[k]);
	}
	if (census_time(c->census))
		json_put_count(out, "depths_age_ms", (uint64_t)(clock_ms() - census_time(c->census)));
}

static void put_machine(const struct control *c, json_t *machine)
{
	struct statvfs disk;
	struct stat st;

	JSON_COUNTS(machine, {"pid", (uint32_t)getpid()}, {"resident_bytes", tally_resident()});
	json_put_real(machine, "cpu_seconds", (double)clock_cpu_ns() / 1e9);
	AUTO(buf) path = buf_of("%s/data.mdb", c->settings.dir);
	if (stat(path.at, &st) == 0)
		json_put_count(machine, "store_bytes", (uint64_t)st.st_blocks * 512);
	if (statvfs(c->settings.dir, &disk) == 0)
		json_put_count(machine, "disk_free_bytes", (unsigned long long)disk.f_bavail * disk.f_frsize);
	const struct store_scrub scrub = store_scrubbed(c->store);
	JSON_COUNTS(machine, {"scrub_rounds", scrub.rounds}, {"scrubbed_chunks", scrub.chunks}, {"store_chunks", scrub.total});
}

int control_status(struct control *c, const json_t *args, json_t *out, struct err_note *why)
{
	AUTO(buf) blocked = BUF_EMPTY;

	(void)args, (void)why;
	json_put_text(out, "version", PACKAGE_VERSION);
	json_put_text(out, "store", c->settings.dir);
	json_put_text(out, "stage", stage(c));
	json_put_count(out, "time", (uint64_t)clock_wall_ms());
	json_put_count(out, "delay_ms", (uint64_t)c->delay);
	scope_list_blocked(c->scope, &blocked);
	json_put_text(out, "blocked", blocked.at);
	put_policy(c, json_put_object(out, "policy"));
	put_counts(c, out);
	put_sitting(c, json_put_object(out, "sitting"));
	put_endings(c, out);
	put_depths(c, out);
	put_machine(c, json_put_object(out, "machine"));
	return 0;
}

#define COLUMNS 11

/* Writes the values of a sample by column. */
static void values_of(const struct tally_sample *s, int64_t started, double value[COLUMNS])
{
	const double all[COLUMNS] = {(double)(s->at - started), (double)s->crawled, (double)s->failed, (double)s->bytes,
		(double)s->queued, (double)s->deferred, (double)s->seen, (double)s->hosts_ready, (double)s->hosts_waiting,
		(double)s->resident, s->key};

	memcpy(value, all, sizeof all);
}

int control_history(struct control *c, const json_t *args, json_t *out, struct err_note *why)
{
	static const char *const columns[COLUMNS] = {"ms", "crawled", "failed", "bytes", "queued", "deferred", "seen",
		"hosts_ready", "hosts_waiting", "resident_bytes", "key"};
	json_t *column[COLUMNS];
	double value[COLUMNS];

	(void)args, (void)why;
	json_put_count(out, "interval_ms", (uint64_t)c->tally->interval);
	for (size_t k = 0; k < COLUMNS; k++)
		column[k] = json_put_array(out, columns[k]);
	for (size_t i = 0; i < c->tally->n_samples; i++) {
		values_of(&c->tally->sample[i], c->tally->started, value);
		for (size_t k = 0; k < COLUMNS; k++)
			json_array_append_new(column[k], isfinite(value[k]) ? json_real(value[k]) : json_null());
	}
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
	AUTO(buf) text = BUF_EMPTY;

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
}

int control_next(struct control *c, const json_t *args, json_t *out, struct err_note *why)
{
	uint32_t id[MOST_NEXT];
	uint64_t most;

	TRY(control_count(args, "count", 20, MOST_NEXT, &most, why));
	const size_t n = most ? frontier_upcoming(c->frontier, id, (size_t)most) : 0;
	json_t *rows = json_put_array(out, "rows");
	for (size_t i = 0; i < n; i++) {
		json_t *row = json_add_object(rows);
		put_page(c, row, id[i]);
		put_why(c, row, id[i]);
		control_put_host_state(c, json_put_object(row, "host_now"), knowledge_host(c->knowledge, id[i]));
		const uint32_t from = found_on(c, id[i]);
		json_put_text(row, "found_on", from != STORE_NO_PAGE ? url_of(c, from) : NULL);
	}
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

static void put_outcome(json_t *out, const char *name, unsigned outcome)
{
	json_put_text(out, name, outcome_word(outcome));
	json_put_text(out, "because", outcome_sentence(outcome));
}

/* Adds the outcome of a page and what its result in the store says. */
static void put_result(struct control *c, json_t *out, uint32_t id)
{
	const enum outcome refusal = knowledge_refusal(c->knowledge, id);
	struct result r;

	if (refusal)
		put_outcome(out, "outcome", refusal);
	if (!store_result(c->store, id, &r))
		return;
	if (r.status)
		json_put_count(out, "status", r.status);
	if (!refusal && r.outcome != OUTCOME_NONE)
		put_outcome(out, "outcome", r.outcome);
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
	json_t *suspicion = json_put_object(out, "suspicion");
	put_outcome(suspicion, "detector", v.detector);
	if (v.original != TRAPS_NO_PAGE)
		json_put_text(suspicion, "duplicate_of", url_of(c, v.original));
}

/* Adds the chain of pages from a seed to the page, each of which was discovered on the one before; the seed is first. */
static void put_way(struct control *c, json_t *out, uint32_t id)
{
	json_t *way = json_put_array(out, "way");

	for (unsigned i = 0; i < MOST_WAY && id != STORE_NO_PAGE; i++) {
		json_array_insert_new(way, 0, json_text(url_of(c, id)));
		id = found_on(c, id);
	}
	if (id != STORE_NO_PAGE)
		json_object_set_new(out, "way_is_cut", json_true());
}

/* Adds the first MOST_LINKS links of a crawled page with their states, and the number of its links. */
static void put_links(struct control *c, json_t *out, uint32_t id)
{
	const uint32_t *links;

	if (frontier_state(c->frontier, id) != PAGE_CRAWLED)
		return;
	const size_t n = store_web_links(c->store, id, &links, NULL);
	json_put_count(out, "n_links", n);
	json_t *rows = json_put_array(out, "links");
	for (size_t i = 0; i < n && i < MOST_LINKS; i++) {
		if (links[i] >= c->knowledge->n)
			continue; /* a damaged store */
		json_t *row = json_add_object(rows);
		json_put_text(row, "url", url_of(c, links[i]));
		json_put_text(row, "state", page_state_name(frontier_state(c->frontier, links[i])));
	}
}

/* Says whether a crawled page links to page `id`, under any name of it. Adds the number of its links to `*searched`. */
static int links_to(struct control *c, uint32_t from, uint32_t id, uint64_t *searched)
{
	const uint32_t *links;
	const size_t n = store_web_links(c->store, from, &links, NULL);

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

	TRY(find_page(c, control_text(args, "url"), &id, why));
	put_page(c, out, id);
	control_put_host_state(c, json_put_object(out, "host_now"), knowledge_host(c->knowledge, id));
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
