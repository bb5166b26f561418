#include "monitor/metrics.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/opt.h"
#include "config.h"
#include "storage/warc_files.h"

#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- the text format */

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

/* Appends the lines that begin a family of samples. */
static void metrics_head(struct buf *out, const char *name, const char *type, const char *help)
{
	buf_format(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

/* Appends a sample, with one label or (NULL) none. */
static void metrics_sample(struct buf *out, const char *name, const char *label, const char *value, uint64_t n)
{
	buf_text(out, name);
	if (label) {
		buf_format(out, "{%s=\"", label);
		metrics_label(out, value);
		buf_text(out, "\"}");
	}
	buf_format(out, " %llu\n", (unsigned long long)n);
}

/* Appends a family of one sample without a label. */
static void metrics_single(struct buf *out, const char *name, const char *type, const char *help, uint64_t n)
{
	metrics_head(out, name, type, help);
	metrics_sample(out, name, NULL, NULL, n);
}

/* --- the process and its files, which are read when somebody asks */

static uint64_t open_descriptors(void)
{
	DIR *all = opendir("/proc/self/fd");
	uint64_t n = 0;

	if (!all)
		return 0;
	while (readdir(all))
		n++;
	closedir(all);
	return n > 3 ? n - 3 : 0; /* ".", ".." and the folder itself */
}

/* Appends the metrics of the process, by the names that Prometheus' client libraries give them: process_cpu_seconds_total
 * and others. */
static void metrics_process(struct buf *out)
{
	const int64_t ns = clock_cpu_ns();
	struct rlimit most;

	metrics_head(out, "process_cpu_seconds_total", "counter", "Total user and system CPU time spent in seconds.");
	buf_format(out, "process_cpu_seconds_total %lld.%03lld\n", (long long)(ns / 1000000000), (long long)(ns / 1000000 % 1000));
	metrics_single(out, "process_resident_memory_bytes", "gauge", "Resident memory size in bytes.", tally_resident());
	metrics_single(out, "process_open_fds", "gauge", "Number of open file descriptors.", open_descriptors());
	if (getrlimit(RLIMIT_NOFILE, &most) == 0 && most.rlim_cur != RLIM_INFINITY)
		metrics_single(out, "process_max_fds", "gauge", "Maximum number of open file descriptors.", most.rlim_cur);
}

static int add_size(void *bytes, const char *path, struct err_note *why)
{
	struct stat st;

	(void)why;
	*(uint64_t *)bytes += stat(path, &st) == 0 ? (uint64_t)st.st_size : 0;
	return 0;
}

/* Appends the sizes of the files: see metrics_files_of(). */
static void metrics_files(struct buf *out, const char *store, const char *warc)
{
	uint64_t bytes = 0;
	struct stat st;

	if (store) {
		AUTO(buf) path = buf_of("%s/data.mdb", store);
		metrics_single(out, "lycosa_store_bytes", "gauge", "Bytes of the store on the disk.",
			stat(path.at, &st) == 0 ? (uint64_t)st.st_blocks * 512u : 0);
	}
	if (warc && !warc_each_file(warc, add_size, &bytes, NULL))
		metrics_single(out, "lycosa_warc_bytes", "gauge", "Bytes of the archive, of all sittings.", bytes);
}

/* --- the counts of a crawl */

/* upper bounds of the histogram, ms */
static const unsigned bounds[] = {5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000, 30000, 60000};
#define BOUNDS (sizeof bounds / sizeof *bounds)

/* The figures of a host with many requests in this sitting. */
static const struct {
	const char *name, *help;
} host_figures[] = {{"lycosa_host_requests", "Requests of this sitting to the hosts with the most."},
	{"lycosa_host_failures", "Of these requests, those that failed."},
	{"lycosa_host_bytes", "Bytes of bodies from these hosts, in this sitting."}};
#define HOST_FIGURES (sizeof host_figures / sizeof *host_figures)

struct top {
	char name[256];
	uint64_t figure[HOST_FIGURES];
};

/* What the gauges show of the crawl, in the order in which copy_counts() sets them. */
static const struct {
	const char *name, *help; /* help: NULL: a further sample of the family above */
	const char *state;       /* the value of its label; NULL: there is none */
} gauges[] = {{"lycosa_queue_pages", "Pages that wait for their turn.", NULL},
	{"lycosa_put_off_pages", "Of the pages that wait, those that may be in a trap: they wait behind the others.", NULL},
	{"lycosa_in_flight_pages", "Pages asked for and not yet there.", NULL}, {"lycosa_seen_pages", "Pages known of.", NULL},
	{"lycosa_hosts", "Hosts with pages queued; those that are silent have stopped answering and are tried again.", "ready"},
	{"lycosa_hosts", NULL, "waiting"}, {"lycosa_hosts", NULL, "silent"}, {"lycosa_hosts", NULL, "given_up"}};
#define GAUGES (sizeof gauges / sizeof *gauges)

struct metrics {
	_Atomic(const char *) policy; /* the name of the policy whose turn it is; static, or NULL */
	double started;               /* s since 1970 */
	struct frontier *frontier;
	const struct source *source;
	_Atomic uint64_t pages[PAGE_STATES], errors[OUTCOMES], bytes;
	_Atomic uint64_t took[BOUNDS + 1], took_ms; /* fetches by time, the last without bound */
	_Atomic uint64_t gauge[GAUGES], skipped;
	uint64_t refused_before,
		refused_in_turn; /* the coordinator's: refused pages when the sitting began, and taken pages since */
	_Atomic uint64_t status[TALLY_STATUSES]; /* of pages, and not of their robots.txt */
	_Atomic uint64_t responses;              /* the sum of status[] */
	/* the coordinator's alone, with the store; NULL: there are no metrics of hosts */
	const struct tally *tally;
	struct store *store;
	int64_t published;             /* ms of clock_ms() */
	pthread_mutex_t lock;          /* of the rest */
	struct buf labels;             /* of every sample: `name="value",name="value"`; empty: none */
	const _Atomic uint64_t *aside; /* messages that the agent has put aside; NULL: the crawl has one agent */
	struct top top[METRICS_TOP];
	size_t n_top;
	const char *store_dir, *warc;
};

struct metrics *metrics_new(void)
{
	struct metrics *m = mem_zero(1, sizeof *m);

	pthread_mutex_init(&m->lock, NULL);
	m->started = (double)clock_read_ns(CLOCK_REALTIME) / 1e9;
	return m;
}

void metrics_free(struct metrics *m)
{
	if (!m)
		return;
	pthread_mutex_destroy(&m->lock);
	buf_release(&m->labels);
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

void metrics_count_hosts(const struct frontier *frontier, const struct source *source, struct metrics_hosts *out)
{
	struct frontier_counts n;

	frontier_count(frontier, &n);
	*out = (struct metrics_hosts){.ready = n.hosts_ready,
		.silent = source->ops->silent_hosts ? source->ops->silent_hosts(source) : 0,
		.given_up = n.hosts_given_up};
	/* the frontier counts silent and given-up hosts as waiting */
	const uint64_t asked_later = out->silent + out->given_up;
	out->waiting = n.hosts_waiting > asked_later ? n.hosts_waiting - asked_later : 0;
}

static void copy_counts(struct metrics *m)
{
	struct frontier_counts n;
	struct metrics_hosts hosts;

	frontier_count(m->frontier, &n);
	metrics_count_hosts(m->frontier, m->source, &hosts);
	atomic_store_explicit(&m->policy, frontier_policy(m->frontier)->name, memory_order_release);
	const uint64_t now[GAUGES] = {n.queued, n.deferred, n.in_flight, n.seen, hosts.ready, hosts.waiting, hosts.silent,
		hosts.given_up};
	for (size_t i = 0; i < GAUGES; i++)
		set(&m->gauge[i], now[i]);
	/* most pages are refused when they are discovered, of which no event tells; pages that are admitted again, as after
	 * `lycosa ctl unblock`, do not lower the counter */
	uint64_t refused = n.refused > m->refused_before ? n.refused - m->refused_before : 0;
	refused = refused > m->refused_in_turn ? refused : m->refused_in_turn;
	if (refused > get(&m->pages[PAGE_REFUSED]))
		set(&m->pages[PAGE_REFUSED], refused);
}

/* Finds the hosts with the most requests, the first one first. */
static size_t find_top(const struct tally *t, uint32_t host[METRICS_TOP])
{
	size_t n = 0;

	for (size_t h = 0; h < t->n_hosts; h++) {
		const uint32_t requests = t->host[h].requests;
		if (!requests || (n == METRICS_TOP && requests <= t->host[host[n - 1]].requests))
			continue;
		size_t i = n < METRICS_TOP ? n++ : n - 1;
		for (; i && t->host[host[i - 1]].requests < requests; i--)
			host[i] = host[i - 1];
		host[i] = (uint32_t)h;
	}
	return n;
}

static void publish_hosts(struct metrics *m)
{
	const int64_t now = clock_ms();
	uint32_t host[METRICS_TOP];

	if (!m->tally || !m->tally->requests || (m->published && now - m->published < METRICS_TOP_MS))
		return;
	m->published = now;
	const size_t n = find_top(m->tally, host);
	pthread_mutex_lock(&m->lock);
	m->n_top = n;
	for (size_t i = 0; i < n; i++) {
		const struct tally_host *h = &m->tally->host[host[i]];
		const char *name = store_host_name(m->store, host[i]);
		snprintf(m->top[i].name, sizeof m->top[i].name, "%s", name ? name : "");
		memcpy(m->top[i].figure, (uint64_t[HOST_FIGURES]){h->requests, h->failures, h->bytes}, sizeof m->top[i].figure);
	}
	pthread_mutex_unlock(&m->lock);
}

void metrics_hosts_of(struct metrics *m, const struct tally *t, struct store *store)
{
	m->tally = t;
	m->store = store;
}

void metrics_files_of(struct metrics *m, const char *store, const char *warc)
{
	m->store_dir = store;
	m->warc = warc;
}

void metrics_of(struct metrics *m, struct frontier *frontier, const struct source *source)
{
	struct frontier_counts n;

	m->frontier = frontier;
	m->source = source;
	frontier_count(frontier, &n);
	m->refused_before = n.refused;
	copy_counts(m);
}

/* Counts an event. An event that is no end of a page (TRAIT_WAITS) counts its bytes only. */
static int event(void *ctx, const struct result *e, struct err_note *why)
{
	struct metrics *m = ctx;
	size_t i = 0;

	(void)why;
	m->refused_in_turn += e->state == PAGE_REFUSED;
	copy_counts(m);
	publish_hosts(m);
	add(&m->bytes, e->bytes);
	if (outcome_has(e->outcome, TRAIT_WAITS))
		return 0;
	if (e->status && e->status < TALLY_STATUSES) {
		add(&m->status[e->status], 1);
		add(&m->responses, 1);
	}
	if (e->state != PAGE_REFUSED)
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
	copy_counts(ctx);
	publish_hosts(ctx);
	return 0;
}

struct observer metrics_observer(struct metrics *m)
{
	return (struct observer){.ctx = m, .event = event, .idle = idle};
}

/* --- read by anybody */

static void histogram(struct metrics *m, struct buf *out)
{
	uint64_t sum = 0;

	metrics_head(out, "lycosa_fetch_duration_seconds", "histogram", "Time from a request to the end of its answer.");
	for (size_t i = 0; i <= BOUNDS; i++) {
		AUTO(buf) text = BUF_EMPTY;
		sum += get(&m->took[i]);
		if (i < BOUNDS)
			opt_shortest(&text, bounds[i] / 1000.0);
		else
			buf_text(&text, "+Inf");
		metrics_sample(out, "lycosa_fetch_duration_seconds_bucket", "le", text.at, sum);
	}
	const uint64_t ms = get(&m->took_ms);
	buf_format(out, "lycosa_fetch_duration_seconds_sum %llu.%03llu\n", (unsigned long long)ms / 1000,
		(unsigned long long)ms % 1000);
	metrics_sample(out, "lycosa_fetch_duration_seconds_count", NULL, NULL, sum);
}

/* Says whether an outcome is the reason why a page was not crawled. */
static int is_reason(unsigned o)
{
	return outcome_is_reason(o) && !outcome_has(o, TRAIT_WAITS) && o != OUTCOME_OLD_TRAP && o != OUTCOME_OLD_SCOPE;
}

static void totals(struct metrics *m, struct buf *out)
{
	static const enum page_state told[] = {PAGE_CRAWLED, PAGE_FAILED, PAGE_QUEUED, PAGE_REFUSED, PAGE_REDIRECTED};

	metrics_head(out, "lycosa_pages_total", "counter", "What became of pages, retries included.");
	for (size_t i = 0; i < sizeof told / sizeof *told; i++)
		metrics_sample(out, "lycosa_pages_total", "state", outcome_event(OUTCOME_NONE, told[i]), get(&m->pages[told[i]]));
	metrics_head(out, "lycosa_fetch_errors_total", "counter", "Pages that did not come, by reason.");
	for (unsigned o = outcome_next(0); o < OUTCOMES; o = outcome_next(o))
		if (is_reason(o))
			metrics_sample(out, "lycosa_fetch_errors_total", "kind", outcome_word(o), get(&m->errors[o]));
	metrics_single(out, "lycosa_skipped_pages_total", "counter", "Pages skipped as part of a trap.", get(&m->skipped));
	metrics_single(out, "lycosa_received_bytes_total", "counter", "Bytes of bodies as they came.", get(&m->bytes));
}

static void statuses(struct metrics *m, struct buf *out)
{
	char code[8];

	if (!get(&m->responses))
		return;
	metrics_head(out, "lycosa_responses_total", "counter", "Answers for pages, by HTTP status.");
	for (unsigned s = 0; s < TALLY_STATUSES; s++) {
		const uint64_t n = get(&m->status[s]);
		snprintf(code, sizeof code, "%u", s);
		if (n)
			metrics_sample(out, "lycosa_responses_total", "code", code, n);
	}
}

/* Writes a family of gauges for each figure of the hosts with the most requests. A host that is no longer among them is missing. */
static void hosts(struct metrics *m, struct buf *out)
{
	pthread_mutex_lock(&m->lock);
	for (size_t f = 0; m->n_top && f < HOST_FIGURES; f++) {
		metrics_head(out, host_figures[f].name, "gauge", host_figures[f].help);
		for (size_t i = 0; i < m->n_top; i++)
			metrics_sample(out, host_figures[f].name, "host", m->top[i].name, m->top[i].figure[f]);
	}
	pthread_mutex_unlock(&m->lock);
}

static void put_gauges(struct metrics *m, struct buf *out)
{
	for (size_t i = 0; i < GAUGES; i++) {
		if (gauges[i].help)
			metrics_head(out, gauges[i].name, "gauge", gauges[i].help);
		metrics_sample(out, gauges[i].name, gauges[i].state ? "state" : NULL, gauges[i].state, get(&m->gauge[i]));
	}
	if (m->aside)
		metrics_single(out, "lycosa_put_aside_messages_total", "counter",
			"Messages at the NATS server that no agent of this version writes, and that were passed over.",
			atomic_load(m->aside));
}

void metrics_agent_of(struct metrics *m, const char *crawl, unsigned agent, const _Atomic uint64_t *aside)
{
	pthread_mutex_lock(&m->lock);
	m->aside = aside;
	buf_clear(&m->labels);
	buf_text(&m->labels, "crawl=\"");
	metrics_label(&m->labels, crawl);
	buf_format(&m->labels, "\",agent=\"%u\"", agent);
	pthread_mutex_unlock(&m->lock);
}

/* Appends a line of the text with the labels that every sample has. A sample is "name value" or "name{labels} value". */
static void put_line(struct buf *out, const char *line, size_t n, const struct buf *labels)
{
	const size_t name = strcspn(line, "{ ");

	if (*line == '#' || name >= n) {
		buf_add(out, line, n);
		return;
	}
	buf_add(out, line, name);
	buf_format(out, "{%s%s", labels->at, line[name] == '{' ? "," : "}");
	buf_add(out, line + name + (line[name] == '{'), n - name - (line[name] == '{'));
}

static void all(struct metrics *m, struct buf *out)
{
	metrics_head(out, "lycosa_build_info", "gauge", "Version and policy.");
	buf_text(out, "lycosa_build_info{version=\"" PACKAGE_VERSION "\",policy=\"");
	const char *policy = atomic_load_explicit(&m->policy, memory_order_acquire);
	metrics_label(out, policy ? policy : "");
	buf_text(out, "\"} 1\n");
	metrics_head(out, "lycosa_start_time_seconds", "gauge", "When this sitting began.");
	buf_format(out, "lycosa_start_time_seconds %.3f\n", m->started);
	totals(m, out);
	statuses(m, out);
	put_gauges(m, out);
	histogram(m, out);
	hosts(m, out);
	metrics_files(out, m->store_dir, m->warc);
	metrics_process(out);
}

void metrics_text(struct metrics *m, struct buf *out)
{
	AUTO(buf) plain = BUF_EMPTY, labels = BUF_EMPTY;

	pthread_mutex_lock(&m->lock);
	if (m->labels.used)
		buf_text(&labels, m->labels.at);
	pthread_mutex_unlock(&m->lock);
	all(m, labels.used ? &plain : out);
	for (const char *at = plain.at, *end; labels.used && *at; at = end) {
		end = strchr(at, '\n') + 1;
		put_line(out, at, (size_t)(end - at), &labels);
	}
}
