#include "crawler/monitor/control_internal.h"
#include "base/clock.h"
#include "config.h"
#include "crawler/monitor/metrics.h"
#include "crawler/monitor/hot_share.h"

#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define RATE_MS 10000 /* over which rates are taken, as far as the samples reach */

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
	const struct hot_share s = hot_share_of(&n);
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
	struct buf path = BUF_EMPTY;
	struct statvfs disk;
	struct stat st;

	json_put_count(machine, "pid", (uint32_t)getpid());
	json_put_count(machine, "resident_bytes", tally_resident());
	json_put_real(machine, "cpu_seconds", (double)clock_cpu_ns() / 1e9);
	buf_format(&path, "%s/data.mdb", c->settings.dir);
	if (stat(path.at, &st) == 0)
		json_put_count(machine, "store_bytes", (uint64_t)st.st_blocks * 512);
	if (statvfs(c->settings.dir, &disk) == 0)
		json_put_count(machine, "disk_free_bytes", (unsigned long long)disk.f_bavail * disk.f_frsize);
	buf_release(&path);
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
