#include "crawler/metrics.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/opt.h"
#include "config.h"

#include <stdatomic.h>
#include <stdlib.h>

/* upper bounds of the histogram, ms */
static const unsigned bounds[] = {
	5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000, 30000, 60000};
#define BOUNDS (sizeof bounds / sizeof *bounds)

struct metrics {
	_Atomic(const char *) policy; /* whose turn it is; static, or NULL */
	double started;               /* s since 1970 */
	struct frontier *frontier;
	const struct source *source;
	_Atomic uint64_t pages[PAGE_STATES], errors[OUTCOMES], bytes;
	_Atomic uint64_t took[BOUNDS + 1], took_ms; /* fetches by time, the last without bound */
	_Atomic uint64_t queued, put_off, skipped, in_flight, seen;
	_Atomic uint64_t hosts_ready, hosts_waiting, hosts_silent, hosts_given_up;
};

struct metrics *metrics_new(void)
{
	struct metrics *m = mem_zero(1, sizeof *m);

	m->started = (double)clock_read_ns(CLOCK_REALTIME) / 1e9;
	return m;
}

void metrics_free(struct metrics *m)
{
	free(m);
}

/* --- written by the coordinator */

static void add(_Atomic uint64_t *to, uint64_t n)
{
	atomic_fetch_add_explicit(to, n, memory_order_relaxed);
}

static void set(_Atomic uint64_t *to, uint64_t n)
{
	atomic_store_explicit(to, n, memory_order_relaxed);
}

static uint64_t get(_Atomic uint64_t *from)
{
	return atomic_load_explicit(from, memory_order_relaxed);
}

void metrics_count_hosts(
	const struct frontier *frontier, const struct source *source, struct metrics_hosts *out)
{
	struct frontier_counts n;

	frontier_count(frontier, &n);
	*out = (struct metrics_hosts){.ready = n.hosts_ready,
		.silent = source->ops->silent_hosts ? source->ops->silent_hosts(source) : 0,
		.given_up = n.hosts_given_up};
	/* for the frontier, these wait, too */
	const uint64_t asked_later = out->silent + out->given_up;
	out->waiting = n.hosts_waiting > asked_later ? n.hosts_waiting - asked_later : 0;
}

static void look(struct metrics *m)
{
	struct frontier_counts n;
	struct metrics_hosts hosts;

	frontier_count(m->frontier, &n);
	metrics_count_hosts(m->frontier, m->source, &hosts);
	atomic_store_explicit(&m->policy, frontier_policy(m->frontier)->name, memory_order_release);
	set(&m->queued, n.queued);
	set(&m->put_off, n.deferred);
	set(&m->in_flight, n.in_flight);
	set(&m->seen, n.seen);
	set(&m->hosts_ready, hosts.ready);
	set(&m->hosts_waiting, hosts.waiting);
	set(&m->hosts_silent, hosts.silent);
	set(&m->hosts_given_up, hosts.given_up);
}

void metrics_of(struct metrics *m, struct frontier *frontier, const struct source *source)
{
	m->frontier = frontier;
	m->source = source;
	look(m);
}

static int event(void *ctx, const struct event *e, struct err_note *why)
{
	struct metrics *m = ctx;
	size_t i = 0;

	(void)why;
	look(m);
	add(&m->bytes, e->bytes);
	if (outcome_has(e->outcome, TRAIT_WAITS))
		return 0;
	add(&m->pages[e->state], 1);
	add(&m->errors[e->outcome], 1);
	add(&m->skipped, e->state == PAGE_REFUSED && outcome_is_skip(e->outcome));
	if (!outcome_has(e->outcome, TRAIT_ASKED))
		return 0;
	const uint64_t ms = e->ended > e->started ? (uint64_t)(e->ended - e->started) : 0;
	while (i < BOUNDS && ms > bounds[i])
		i++;
	add(&m->took_ms, ms);
	add(&m->took[i], 1);
	return 0;
}

static int idle(void *ctx, struct err_note *why)
{
	(void)why;
	look(ctx);
	return 0;
}

struct observer metrics_observer(struct metrics *m)
{
	return (struct observer){.ctx = m, .event = event, .idle = idle};
}

/* --- read by anybody */

void metrics_label(struct buf *out, const char *value)
{
	while (*value) {
		const size_t n = err_printable(value);
		if (*value == '\n')
			buf_text(out, "\\n");
		else if (*value == '"' || *value == '\\')
			buf_format(out, "\\%c", *value);
		else if (n)
			buf_add(out, value, n);
		else
			buf_byte(out, '?');
		value += n ? n : 1;
	}
}

static void head(struct buf *out, const char *name, const char *type, const char *help)
{
	buf_format(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void sample(
	struct buf *out, const char *name, const char *label, const char *value, uint64_t n)
{
	buf_text(out, name);
	if (label) {
		buf_format(out, "{%s=\"", label);
		metrics_label(out, value);
		buf_text(out, "\"}");
	}
	buf_format(out, " %llu\n", (unsigned long long)n);
}

static void histogram(struct metrics *m, struct buf *out)
{
	uint64_t sum = 0;

	head(out, "lycosa_fetch_duration_seconds", "histogram",
		"Time from a request to the end of its answer.");
	for (size_t i = 0; i <= BOUNDS; i++) {
		struct buf text = BUF_EMPTY;
		sum += get(&m->took[i]);
		if (i < BOUNDS)
			opt_shortest(&text, bounds[i] / 1000.0);
		else
			buf_text(&text, "+Inf");
		sample(out, "lycosa_fetch_duration_seconds_bucket", "le", text.at, sum);
		buf_release(&text);
	}
	const uint64_t ms = get(&m->took_ms);
	buf_format(out, "lycosa_fetch_duration_seconds_sum %llu.%03llu\n",
		(unsigned long long)ms / 1000, (unsigned long long)ms % 1000);
	sample(out, "lycosa_fetch_duration_seconds_count", NULL, NULL, sum);
}

/* Whether an outcome is why a page did not come. */
static int is_reason(unsigned o)
{
	return o != OUTCOME_CRAWLED && o != OUTCOME_REDIRECTED && !outcome_has(o, TRAIT_WAITS) &&
	       o != OUTCOME_OLD_TRAP && o != OUTCOME_OLD_SCOPE;
}

static void totals(struct metrics *m, struct buf *out)
{
	static const enum page_state told[] = {
		PAGE_CRAWLED, PAGE_FAILED, PAGE_QUEUED, PAGE_REFUSED, PAGE_REDIRECTED};

	head(out, "lycosa_pages_total", "counter", "What became of pages, retries included.");
	for (size_t i = 0; i < sizeof told / sizeof *told; i++)
		sample(out, "lycosa_pages_total", "state", outcome_event(OUTCOME_NONE, told[i]),
			get(&m->pages[told[i]]));
	head(out, "lycosa_fetch_errors_total", "counter", "Pages that did not come, by reason.");
	for (unsigned o = outcome_next(0); o < OUTCOMES; o = outcome_next(o))
		if (is_reason(o))
			sample(out, "lycosa_fetch_errors_total", "kind", outcome_word(o),
				get(&m->errors[o]));
	head(out, "lycosa_skipped_pages_total", "counter", "Pages skipped as part of a trap.");
	sample(out, "lycosa_skipped_pages_total", NULL, NULL, get(&m->skipped));
	head(out, "lycosa_received_bytes_total", "counter", "Bytes of bodies as they came.");
	sample(out, "lycosa_received_bytes_total", NULL, NULL, get(&m->bytes));
}

static void gauges(struct metrics *m, struct buf *out)
{
	head(out, "lycosa_queue_pages", "gauge", "Pages that wait for their turn.");
	sample(out, "lycosa_queue_pages", NULL, NULL, get(&m->queued));
	head(out, "lycosa_put_off_pages", "gauge",
		"Of the pages that wait, those that may be in a trap: they wait behind the others.");
	sample(out, "lycosa_put_off_pages", NULL, NULL, get(&m->put_off));
	head(out, "lycosa_in_flight_pages", "gauge", "Pages asked for and not yet there.");
	sample(out, "lycosa_in_flight_pages", NULL, NULL, get(&m->in_flight));
	head(out, "lycosa_seen_pages", "gauge", "Pages known of.");
	sample(out, "lycosa_seen_pages", NULL, NULL, get(&m->seen));
	head(out, "lycosa_hosts", "gauge",
		"Hosts with pages queued; those that are silent have stopped answering and are tried again.");
	sample(out, "lycosa_hosts", "state", "ready", get(&m->hosts_ready));
	sample(out, "lycosa_hosts", "state", "waiting", get(&m->hosts_waiting));
	sample(out, "lycosa_hosts", "state", "silent", get(&m->hosts_silent));
	sample(out, "lycosa_hosts", "state", "given_up", get(&m->hosts_given_up));
}

void metrics_text(struct metrics *m, struct buf *out)
{
	head(out, "lycosa_build_info", "gauge", "Version and policy.");
	buf_text(out, "lycosa_build_info{version=\"" PACKAGE_VERSION "\",policy=\"");
	const char *policy = atomic_load_explicit(&m->policy, memory_order_acquire);
	metrics_label(out, policy ? policy : "");
	buf_text(out, "\"} 1\n");
	head(out, "lycosa_start_time_seconds", "gauge", "When this sitting began.");
	buf_format(out, "lycosa_start_time_seconds %.3f\n", m->started);
	totals(m, out);
	gauges(m, out);
	histogram(m, out);
}
