#include "base/ascii.h"
#include "crawler/monitor/control_internal.h"
#include "base/clock.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define MOST 1000

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
	struct buf text = BUF_EMPTY;
	int blocked = 0;

	if (!scope_has_blocks(c->scope))
		return 0;
	buf_format(&text, "http://%s/", name);
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
		: err_set(why, ERR_USAGE, "no host is '%s'; hosts are idle, ready, rests, held, given-up or blocked", text);
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

/* The best hosts so far, as a heap whose root is the worst of them. */
struct top {
	struct control *c;
	figure_fn *order;
	uint32_t *host; /* n */
	double *value;
	size_t n, most;
};

/* Says whether host a comes before host b. */
static int before(struct top *t, uint32_t a, double value_a, uint32_t b, double value_b)
{
	if (t->order)
		return value_a > value_b || (!(value_a < value_b) && a < b);
	return strcmp(control_host_name(t->c, a), control_host_name(t->c, b)) < 0;
}

static int comes_before(struct top *t, size_t i, size_t k)
{
	return before(t, t->host[i], t->value[i], t->host[k], t->value[k]);
}

static void swap(struct top *t, size_t i, size_t k)
{
	const uint32_t host = t->host[i];
	const double value = t->value[i];

	t->host[i] = t->host[k];
	t->value[i] = t->value[k];
	t->host[k] = host;
	t->value[k] = value;
}

/* Restores the order of the first n elements after the root has changed: no parent comes before its children. */
static void sift_down(struct top *t, size_t n)
{
	size_t i = 0, child;

	while ((child = 2 * i + 1) < n) {
		if (child + 1 < n && comes_before(t, child, child + 1))
			child++;
		if (!comes_before(t, i, child))
			break;
		swap(t, i, child);
		i = child;
	}
}

static void insert_in_top(struct top *t, uint32_t host)
{
	const struct figures f = figures_of(t->c, host);
	const double value = t->order ? t->order(&f) : 0;

	if (t->n == t->most) {
		if (before(t, host, value, t->host[0], t->value[0])) {
			t->host[0] = host;
			t->value[0] = value;
			sift_down(t, t->n);
		}
		return;
	}
	size_t i = t->n++;
	t->host[i] = host;
	t->value[i] = value;
	while (i && comes_before(t, (i - 1) / 2, i)) {
		swap(t, i, (i - 1) / 2);
		i = (i - 1) / 2;
	}
}

/* Sorts the heap into a list, the best host first. */
static void sort(struct top *t)
{
	for (size_t n = t->n; n > 1; n--) {
		swap(t, 0, n - 1);
		sift_down(t, n - 1);
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
		insert_in_top(t, host);
	}
	sort(t);
	return matching;
}

int control_hosts(struct control *c, const json_t *args, json_t *out, struct err_note *why)
{
	const char *by = control_text(args, "sort-by");
	struct top t = {.c = c};
	uint64_t most;
	int err = control_count(args, "count", 50, MOST, &most, why);

	if (!err)
		err = find_order(by ? by : "queued", &t.order, why);
	if (!err)
		err = check_state(control_text(args, "only"), why);
	if (err)
		return err;
	t.most = most ? (size_t)most : 1;
	t.host = mem_new(t.most, sizeof *t.host);
	t.value = mem_new(t.most, sizeof *t.value);
	const uint64_t matching = choose(&t, control_text(args, "match"), control_text(args, "only"));
	json_t *rows = json_array();
	for (size_t i = 0; i < t.n; i++)
		json_array_append_new(rows, host_row(c, t.host[i]));
	json_put_count(out, "hosts", store_hosts(c->store));
	json_put_count(out, "matching", matching);
	if (census_time(c->census))
		json_put_count(out, "age_ms", (uint64_t)(clock_ms() - census_time(c->census)));
	json_object_set_new(out, "rows", rows);
	free(t.host);
	free(t.value);
	return 0;
}
