#include "frontier/snapshot.h"
#include "base/mem.h"
#include "frontier/frontier_internal.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A snapshot is, each part at a multiple of 8 bytes:
 *
 *   struct head            numbers that must be the same in both frontiers, and counts
 *   states                 a byte for each page
 *   deferred               a bit for each page, if pages can be deferred
 *   proven                 a bit for each page, if hosts have shares
 *   seqs                   a uint32_t for each page
 *   found, order           if a policy sees them
 *   for each ranker left:  name, values of options, state, work, keys, private bytes
 *   delays                 struct delay for each page that waits for a time */
struct head {
	uint64_t batch; /* the fixed pages of a batch; 0: batches grow */
	double growth;
	uint64_t total, rng_seed;
	uint64_t turns, led; /* policies in all, and those whose turns are over */
	uint64_t sees, has_deferred, has_shares;
	uint64_t start; /* of struct share */
	uint64_t pages, next_seq, delays;
	uint64_t n_targets;
	struct rng jitter;
	struct frontier_counts count;
};

struct delay {
	double time;
	uint64_t id;
};

#define PART 8 /* bytes to which each part is aligned */

int frontier_can_save(const struct frontier *f)
{
	if (f->world.is_remote)
		return 0;
	for (size_t i = 0; i < f->n_turns; i++)
		if (f->lead[i].policy->done)
			return 0;
	return f->pages_kept == RANKER_PAGES && !queue_fifo(&f->queue);
}

static uint64_t turns_of(const struct frontier *f)
{
	return (uint64_t)(f->lead - f->rankers) + f->n_turns;
}

static uint32_t pages_seen(const struct frontier *f)
{
	uint32_t n = f->pages.n;

	while (n && f->pages.state[n - 1] == PAGE_UNSEEN)
		n--;
	return n;
}

static struct head head_of(const struct frontier *f)
{
	const struct policy_view *v = &f->lead->view;

	return (struct head){.batch = v->growth > 0 ? 0 : v->batch,
		.growth = v->growth,
		.total = v->total,
		.rng_seed = v->rng_seed,
		.turns = turns_of(f),
		.led = (uint64_t)(f->lead - f->rankers),
		.sees = f->sees,
		.has_deferred = f->world.defers != NULL,
		.has_shares = (uint64_t)f->queue.share.is_on,
		.start = f->queue.share.start,
		.pages = pages_seen(f),
		.next_seq = f->next_seq,
		.n_targets = f->n_targets,
		.jitter = f->queue.hosts.politeness.rng,
		.count = f->count};
}

/* --- saving */

struct writer {
	frontier_sink *sink;
	void *ctx;
};

static void put(const struct writer *w, const void *bytes, size_t n)
{
	static const char zeros[PART];

	if (n)
		w->sink(w->ctx, bytes, n);
	if (n % PART)
		w->sink(w->ctx, zeros, PART - n % PART);
}

/* Writes a field of `size` bytes, at `offset` in struct page, of all pages, a block of pages at a time. */
static void put_field(const struct writer *w, const struct page *page, size_t n, size_t offset, size_t size)
{
	char field[4096];

	for (size_t i = 0, m; i < n; i += m) {
		m = n - i < sizeof field / size ? n - i : sizeof field / size;
		for (size_t k = 0; k < m; k++)
			memcpy(field + k * size, (const char *)&page[i + k] + offset, size);
		put(w, field, m * size);
	}
}

/* Writes the name of a policy and the values of its options, by which a snapshot of another policy is recognised. */
static void identity_of(const struct ranker *s, struct buf *out)
{
	buf_clear(out);
	buf_format(out, "%s until %llu, %zu + %zu bytes", s->policy->name, (unsigned long long)s->until, s->policy->state_size,
		s->policy->page_size);
	opt_describe(&s->opts, out);
}

static void put_ranker(const struct writer *w, const struct ranker *s, size_t n)
{
	struct buf identity = BUF_EMPTY;
	uint64_t length;

	identity_of(s, &identity);
	length = identity.used;
	put(w, &length, sizeof length);
	put(w, identity.at, identity.used);
	put(w, s->call.state, s->policy->state_size);
	put(w, &s->work, sizeof s->work);
	put_field(w, s->call.page, n, offsetof(struct page, key), sizeof s->call.page->key);
	put(w, s->private, n * s->policy->page_size);
	buf_release(&identity);
}

/* Says whether an entry of the heap of delayed pages is current: the page still waits for this time. */
static int is_delayed(const struct frontier *f, const struct entry *e)
{
	return f->pages.state[e->id] == PAGE_QUEUED && f->pages.page[e->id].slot == SLOT_DELAYED;
}

static void put_delays(const struct writer *w, const struct frontier *f, int64_t ahead)
{
	for (size_t i = 0; i < f->queue.delayed.n; i++) {
		const struct entry *e = &f->queue.delayed.at[i];
		const struct delay d = {entry_key(e) + (double)ahead, e->id};
		if (is_delayed(f, e))
			put(w, &d, sizeof d);
	}
}

void frontier_save(const struct frontier *f, int64_t ahead, frontier_sink *sink, void *ctx)
{
	const struct writer w = {sink, ctx};
	const struct pages *p = &f->pages;
	struct head head = head_of(f);
	const size_t n = head.pages;

	assert(frontier_can_save(f) && !f->restoring);
	for (size_t i = 0; i < f->queue.delayed.n; i++)
		head.delays += (uint64_t)is_delayed(f, &f->queue.delayed.at[i]);
	put(&w, &head, sizeof head);
	put(&w, p->state, n);
	if (p->deferred)
		put(&w, p->deferred, pages_words((uint32_t)n) * sizeof *p->deferred);
	if (p->proven)
		put(&w, p->proven, pages_words((uint32_t)n) * sizeof *p->proven);
	put_field(&w, p->page, n, offsetof(struct page, seq), sizeof p->page->seq);
	if (p->found)
		put(&w, p->found, n * sizeof *p->found);
	if (p->order)
		put(&w, p->order, n * sizeof *p->order);
	for (size_t i = 0; i < f->n_turns; i++)
		put_ranker(&w, &f->lead[i], n);
	put_delays(&w, f, ahead);
}

/* --- loading */

struct reader {
	const char *at, *end;
};

/* Returns the next part of the snapshot, `count` elements of `size` bytes; NULL if the snapshot ends before. */
static const void *get(struct reader *r, uint64_t count, size_t size)
{
	const char *at = r->at;
	const uint64_t left = (uint64_t)(r->end - at);

	if (size && count > left / size)
		return NULL;
	const uint64_t n = count * size, whole = (n + PART - 1) / PART * PART;
	if (whole > left)
		return NULL;
	r->at += whole;
	return at;
}

static int does_not_fit(struct err_note *why, const char *what)
{
	return err_set(why, ERR_OTHER, "%s", what);
}

/* The parts of a snapshot that belong to one ranker. */
struct saved_ranker {
	const void *state, *private;
	const struct policy_work *work;
	const double *key;
};

/* The parts of a snapshot, which point into its bytes. */
struct saved {
	const struct head *head;
	const uint8_t *state;
	const uint64_t *deferred, *proven;
	const uint32_t *seq, *order;
	const struct policy_found *found;
	struct saved_ranker *ranker; /* head->turns - head->led */
	const struct delay *delay;
};

static int get_ranker(struct reader *r, const struct ranker *s, uint64_t pages, struct saved_ranker *out, struct err_note *why)
{
	struct buf identity = BUF_EMPTY;
	const uint64_t *length = get(r, 1, sizeof *length);
	const char *text = length ? get(r, *length, 1) : NULL;

	identity_of(s, &identity);
	const int is_same = text && *length == identity.used && memcmp(text, identity.at, identity.used) == 0;
	buf_release(&identity);
	if (!is_same)
		return does_not_fit(why, "it is of another policy, or of other options");
	out->state = get(r, s->policy->state_size, 1);
	out->work = get(r, 1, sizeof *out->work);
	out->key = get(r, pages, sizeof *out->key);
	out->private = get(r, pages, s->policy->page_size);
	return out->state && out->work && out->key && out->private ? 0 : does_not_fit(why, "it is cut short");
}

/* Finds the parts of a snapshot, and checks that they belong to a crawl with the same settings and policies. Returns 0 or
 * ERR_OTHER. */
static int find_parts(const struct frontier *f, struct reader *r, struct saved *s, struct err_note *why)
{
	const struct head *h = s->head = get(r, 1, sizeof *h), own = head_of(f);

	if (!h)
		return does_not_fit(why, "it is cut short");
	if (h->batch != own.batch || memcmp(&h->growth, &own.growth, sizeof own.growth) || h->total != own.total ||
		h->rng_seed != own.rng_seed || h->turns != own.turns || h->sees != own.sees ||
		h->has_deferred != own.has_deferred || h->has_shares < own.has_shares)
		return does_not_fit(why, "it is of a crawl with other settings");
	if (h->led >= h->turns || h->pages >= UINT32_MAX || h->next_seq >= UINT32_MAX)
		return does_not_fit(why, "it has numbers that cannot be");
	s->state = get(r, h->pages, 1);
	s->deferred = h->has_deferred ? get(r, pages_words((uint32_t)h->pages), sizeof *s->deferred) : NULL;
	s->proven = h->has_shares ? get(r, pages_words((uint32_t)h->pages), sizeof *s->proven) : NULL;
	s->seq = get(r, h->pages, sizeof *s->seq);
	s->found = f->pages.found || f->sees & POLICY_NEEDS_FOUND ? get(r, h->pages, sizeof *s->found) : NULL;
	s->order = f->sees & POLICY_SEES_ORDER ? get(r, h->pages, sizeof *s->order) : NULL;
	if (!s->state || !s->seq || (h->has_shares && !s->proven))
		return does_not_fit(why, "it is cut short");
	s->ranker = mem_zero(h->turns, sizeof *s->ranker);
	int err = 0;
	for (uint64_t i = h->led; i < h->turns && !err; i++)
		err = get_ranker(r, &f->rankers[i], h->pages, &s->ranker[i - h->led], why);
	s->delay = err ? NULL : get(r, h->delays, sizeof *s->delay);
	if (!err && (!s->delay || r->at != r->end))
		err = does_not_fit(why, "it is cut short, or too long");
	return err;
}

/* Checks that the arrays agree with one another and with the counts: every page number is below the number of pages, and no two
 * pages have the same seq. Returns 0 or ERR_OTHER. */
static int check(const struct saved *s, struct err_note *why)
{
	const struct head *h = s->head;
	uint8_t *taken = mem_zero((size_t)h->next_seq + 1, 1);
	uint64_t states[PAGE_STATES] = {0}, deferred = 0;
	int is_sound = h->start < h->pages || h->start == SHARE_NO_START || h->start == SHARE_MANY_START;

	for (uint64_t i = 0; i < h->pages && is_sound; i++) {
		const uint8_t state = s->state[i];
		is_sound = state < PAGE_STATES && isfinite(s->ranker[0].key[i]);
		if (!is_sound)
			break;
		states[state]++;
		deferred += state == PAGE_QUEUED && s->deferred && pages_bit(s->deferred, (uint32_t)i);
		if (state == PAGE_QUEUED || state == PAGE_IN_FLIGHT)
			is_sound = s->seq[i] < h->next_seq && !taken[s->seq[i]]++;
		if (s->found && s->found[i].finder != POLICY_NO_PAGE && s->found[i].finder >= h->pages)
			is_sound = 0;
		if (s->order && s->order[i] >= h->pages)
			is_sound = 0;
	}
	for (uint64_t i = 0; i < h->delays && is_sound; i++)
		is_sound = s->delay[i].id < h->pages && s->state[s->delay[i].id] == PAGE_QUEUED && fabs(s->delay[i].time) < 9e15;
	free(taken);
	if (!is_sound || states[PAGE_QUEUED] != h->count.queued || states[PAGE_IN_FLIGHT] != h->count.in_flight ||
		states[PAGE_CRAWLED] != h->count.crawled || deferred != h->count.deferred)
		return does_not_fit(why, "its pages and their numbers contradict each other");
	return 0;
}

static void load_rankers(struct frontier *f, const struct saved *s)
{
	const struct head *h = s->head;

	for (size_t i = 0; i < f->n_turns; i++) {
		struct ranker *to = &f->lead[i];
		const struct saved_ranker *from = &s->ranker[i];
		const size_t size = to->policy->page_size;
		if (to->policy->state_size)
			memcpy(to->call.state, from->state, to->policy->state_size);
		to->work = *from->work;
		if (size)
			memcpy(to->private, from->private, h->pages * size);
		for (uint64_t id = 0; id < h->pages; id++)
			to->call.page[id] = (struct page){from->key[id], s->seq[id], SLOT_NONE};
	}
}

/* Restores the hosts and ranks of all pages. Pages in flight are counted at their hosts, and a host of which a page was requested
 * begins with a rest. */
static void load_hosts(struct frontier *f, int64_t now)
{
	struct queue *q = &f->queue;
	uint8_t *asked;

	for (uint32_t id = 0; id < f->pages.n && f->pages.host; id++) {
		const uint8_t state = f->pages.state[id];
		if (state == PAGE_UNSEEN || state == PAGE_OUTSIDE)
			continue;
		f->pages.host[id] = f->world.host(f->world.ctx, id);
		if (f->pages.host[id] >= f->hosts_known)
			frontier_need_host(f, f->pages.host[id]);
	}
	for (uint32_t id = 0; id < f->pages.n && f->pages.rank; id++)
		if (f->pages.state[id] != PAGE_UNSEEN && f->pages.state[id] != PAGE_OUTSIDE)
			frontier_ask_rank(f, id);
	asked = mem_zero(q->hosts.n, 1);
	for (uint32_t id = 0; id < f->pages.n; id++) {
		const uint8_t state = f->pages.state[id];
		const uint32_t host = pages_host(&f->pages, id);
		if ((state == PAGE_CRAWLED || state == PAGE_FAILED || state == PAGE_REDIRECTED) && !asked[host]++) {
			hosts_retake(&q->hosts, host);
			hosts_back(&q->hosts, host, 0, 0, now);
		}
	}
	free(asked);
	for (uint32_t id = 0; id < f->pages.n; id++)
		if (f->pages.state[id] == PAGE_IN_FLIGHT)
			hosts_retake(&q->hosts, pages_host(&f->pages, id));
}

/* Restores the shares of the hosts from the states of their pages. */
static void load_shares(struct frontier *f, const struct saved *s)
{
	struct share *share = &f->queue.share;

	if (!share->is_on)
		return;
	memcpy(f->pages.proven, s->proven, pages_words((uint32_t)s->head->pages) * sizeof *s->proven);
	for (uint32_t id = 0; id < s->head->pages; id++) {
		if (s->state[id] == PAGE_UNSEEN || s->state[id] == PAGE_OUTSIDE)
			continue;
		share_meets(share, f->pages.host[id]);
		if (s->state[id] == PAGE_CRAWLED)
			share_ends(share, f->pages.host[id], PAGE_CRAWLED, 0);
		if (pages_bit(s->proven, id))
			share_proves(share, f->pages.host[id]);
	}
	share->start = (uint32_t)s->head->start;
	share->start_host = s->head->start < s->head->pages ? f->pages.host[s->head->start] : 0;
}

/* Restores the delays of pages whose time is still to come; frontier_restore_end() queues the others. */
static void load_delays(struct frontier *f, const struct saved *s, int64_t now, int64_t latest)
{
	for (uint64_t i = 0; i < s->head->delays; i++) {
		const double time = fmin(s->delay[i].time, (double)latest);
		if (time > (double)now)
			queue_delay(&f->queue, (uint32_t)s->delay[i].id, (int64_t)time);
	}
}

/* Restores the frontier from the parts of a snapshot, which have been checked. */
static void load(struct frontier *f, const struct saved *s, int64_t now, int64_t latest)
{
	const struct head *h = s->head;
	struct pages *p = &f->pages;

	for (uint64_t i = 0; i < h->led; i++)
		frontier_next_turn(f);
	if (h->pages)
		frontier_need_ids(f, (uint32_t)h->pages);
	for (uint32_t id = 0; id < h->pages; id++)
		pages_set_state(p, id, s->state[id]);
	if (p->deferred)
		memcpy(p->deferred, s->deferred, pages_words((uint32_t)h->pages) * sizeof *p->deferred);
	if (p->found)
		memcpy(p->found, s->found, h->pages * sizeof *p->found);
	if (p->order)
		memcpy(p->order, s->order, h->pages * sizeof *p->order);
	load_rankers(f, s);
	f->count = h->count;
	f->next_seq = (uint32_t)h->next_seq;
	f->n_targets = h->n_targets;
	schedule_pass(&f->lead->view, f->count.crawled);
	frontier_show_crawled(f);
	frontier_show_queued(f);
	frontier_show_seen(f);
	load_hosts(f, now);
	load_shares(f, s);
	f->queue.hosts.politeness.rng = h->jitter;
	load_delays(f, s, now, latest);
}

/* Finds the parts; the caller frees s->ranker. */
static int read_parts(const struct frontier *f, uint32_t ids, const void *bytes, size_t n, struct saved *s, struct err_note *why)
{
	struct reader r = {bytes, (const char *)bytes + n};

	assert(f->restoring && !f->count.seen && (uintptr_t)bytes % PART == 0);
	*s = (struct saved){NULL};
	int err = frontier_can_save(f) ? find_parts(f, &r, s, why) : does_not_fit(why, "this policy cannot be loaded");
	if (!err && s->head->pages > ids)
		err = does_not_fit(why, "it has more pages than the crawl");
	return err;
}

int frontier_can_load(const struct frontier *f, uint32_t ids, const void *bytes, size_t n, struct err_note *why)
{
	struct saved s;
	int err = read_parts(f, ids, bytes, n, &s, why);

	if (!err)
		err = check(&s, why);
	free(s.ranker);
	return err;
}

void frontier_load(struct frontier *f, int64_t now, int64_t latest, const void *bytes, size_t n)
{
	struct saved s;
	int err = read_parts(f, UINT32_MAX, bytes, n, &s, NULL);

	assert(!err);
	if (!err)
		load(f, &s, now, latest);
	free(s.ranker);
}
