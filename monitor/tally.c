#include "monitor/tally.h"
#include "base/clock.h"
#include "base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct tally *tally_new(void)
{
	struct tally *t = mem_zero(1, sizeof *t);

	t->interval = TALLY_FIRST_MS;
	t->started = clock_ms();
	return t;
}

void tally_free(struct tally *t)
{
	if (t)
		free(t->host);
	free(t);
}

void tally_of(struct tally *t, const struct frontier *f, const struct knowledge *k)
{
	t->frontier = f;
	t->knowledge = k;
	t->started = clock_ms();
}

static struct tally_host *host_of(struct tally *t, uint32_t id)
{
	const uint32_t host = knowledge_host(t->knowledge, id);

	if (host >= t->n_hosts) {
		t->host = mem_grow(t->host, &t->hosts_room, (size_t)host + 1, sizeof *t->host);
		memset(&t->host[t->n_hosts], 0, (host + 1 - t->n_hosts) * sizeof *t->host);
		t->n_hosts = (size_t)host + 1;
	}
	return &t->host[host];
}

static int taken(void *ctx, uint32_t id, double key, struct err_note *why)
{
	struct tally *t = ctx;

	(void)why;
	if (!isfinite(key) || !t->knowledge->page[id].depth)
		return 0;
	t->key_sum += key;
	t->taken++;
	return 0;
}

static void count_request(struct tally *t, const struct result *e)
{
	struct tally_host *h = host_of(t, e->id);
	const int has_failed = e->state != PAGE_CRAWLED && e->state != PAGE_REDIRECTED;

	t->requests++;
	h->requests++;
	h->bytes += e->bytes;
	h->ms += e->ended > e->started ? (uint64_t)(e->ended - e->started) : 0;
	if (has_failed) {
		h->failures++;
		h->status = e->status;
		h->outcome = (uint8_t)e->outcome;
	}
}

static int event(void *ctx, const struct result *e, struct err_note *why)
{
	struct tally *t = ctx;

	(void)why;
	t->bytes += e->bytes;
	t->outcome[e->outcome]++;
	/* the status of a page that waits is that of its robots.txt */
	if (e->status && e->status < TALLY_STATUSES && !outcome_has(e->outcome, TRAIT_WAITS))
		t->status[e->status]++;
	t->crawled += e->state == PAGE_CRAWLED;
	t->failed += e->state == PAGE_FAILED;
	if (outcome_has(e->outcome, TRAIT_ASKED))
		count_request(t, e);
	return 0;
}

void tally_store(struct tally *t, struct store *store)
{
	struct result r;

	for (uint32_t id = 0; id < t->knowledge->n; id++) {
		if (!store_result(store, id, &r) || r.outcome >= OUTCOMES)
			continue;
		(void)event(t, &r, NULL);
	}
}

struct observer tally_observer(struct tally *t)
{
	return (struct observer){.ctx = t, .taken = taken, .event = event};
}

uint64_t tally_resident(void)
{
	FILE *in = fopen("/proc/self/statm", "re");
	unsigned long long pages = 0;

	if (!in)
		return 0;
	if (fscanf(in, "%*u %llu", &pages) != 1)
		pages = 0;
	fclose(in);
	return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Halves the number of samples: of each two the later one is kept, with the mean key of both. */
static void thin(struct tally *t)
{
	for (size_t i = 0; i + 1 < t->n_samples; i += 2) {
		const struct tally_sample *a = &t->sample[i];
		struct tally_sample kept = t->sample[i + 1];
		kept.taken += a->taken;
		if (kept.taken)
			kept.key = ((a->taken ? a->key * (double)a->taken : 0) +
					   (kept.taken > a->taken ? kept.key * (double)(kept.taken - a->taken) : 0)) /
				(double)kept.taken;
		t->sample[i / 2] = kept;
	}
	t->n_samples /= 2;
	t->interval *= 2;
}

void tally_tick(struct tally *t, int64_t now)
{
	const int64_t last = t->n_samples ? t->sample[t->n_samples - 1].at : t->started;
	struct frontier_counts n;

	if (now - last < t->interval)
		return;
	if (t->n_samples == TALLY_SAMPLES)
		thin(t);
	frontier_count(t->frontier, &n);
	t->sample[t->n_samples++] = (struct tally_sample){.at = now,
		.crawled = t->crawled,
		.failed = t->failed,
		.bytes = t->bytes,
		.queued = n.queued,
		.deferred = n.deferred,
		.seen = n.seen,
		.hosts_ready = n.hosts_ready,
		.hosts_waiting = n.hosts_waiting,
		.resident = tally_resident(),
		.taken = t->taken,
		.key = t->taken ? t->key_sum / (double)t->taken : (double)NAN};
	t->taken = 0;
	t->key_sum = 0;
}
