#include "frontier/queue.h"
#include "base/paged.h"

#include <assert.h>
#include <math.h>

static const struct heap_indexes nowhere = {NULL, 0};

void queue_init(struct queue *q, const struct pages *pages, const struct frontier_counts *count,
	const struct politeness *politeness, uint64_t draw_seed)
{
	*q = (struct queue){.pages = pages, .count = count, .draw_seed = draw_seed, .by.sign = 1};
	hosts_init(&q->hosts, politeness);
	q->of = paged_new(1, sizeof *q->of);
	q->room = 1;
}

void queue_set_policy(struct queue *q, const struct policy *p, const struct policy_call *call)
{
	q->by.sign = p->order == POLICY_HIGHEST_FIRST ? -1 : 1;
	q->host_key = p->host_key;
	q->call = call;
}

void queue_use_fifo(struct queue *q, double key)
{
	pile_use_fifo(&q->of[0].prompt, q->by.sign * key);
}

void queue_release(struct queue *q)
{
	for (size_t h = 0; h < q->hosts.n; h++) {
		pile_release(&q->of[h].prompt);
		deferred_release(&q->of[h]);
	}
	paged_free(q->of, q->room, sizeof *q->of);
	hosts_release(&q->hosts);
	share_release(&q->share);
	heap_release(&q->draws);
	heap_release(&q->delayed);
}

void queue_need_host(struct queue *q, uint32_t host)
{
	assert(host >= q->hosts.n);
	hosts_need(&q->hosts, host);
	if (host >= q->room) {
		const size_t room = mem_grown(q->room, (size_t)host + 1);
		q->of = paged_grow(q->of, q->room, room, sizeof *q->of);
		q->room = room;
	}
}

/* --- the standing of a host */

/* Computes the standing of a host: the entry of its best page, with the host's key if the policy has a host_key. Returns
 * `standing`, or NULL if no page of the host is queued. */
static inline const struct entry *standing_of(struct queue *q, struct host_pages *of, struct entry *standing)
{
	const struct entry *best = pile_best(&of->prompt, queue_order(q));

	if (!best)
		return of->deferred && deferred_standing(q, of, standing) ? standing : NULL;
	if (!q->host_key)
		*standing = *best;
	else if (q->by.rank)
		*standing = entry_in_tier(queue_host_key(q, of->prompt.n), rank_tier(q->by.rank[best->id]), best->seq, best->id);
	else
		*standing = entry_make(queue_host_key(q, of->prompt.n), best->seq, best->id);
	return standing;
}

void queue_host_changed(struct queue *q, uint32_t host)
{
	struct entry space;

	hosts_stand(&q->hosts, host, standing_of(q, &q->of[host], &space));
}

/* Does what queue_host_changed() does, but returns at once if the host's best entry is unchanged; for callers that mostly change
 * other pages. */
static inline void host_changed(struct queue *q, uint32_t host)
{
	const struct host *h = &q->hosts.at[host];
	const struct entry *best = pile_best(&q->of[host].prompt, queue_order(q));

	if (!best || !h->has_pages || q->host_key || !entry_is_equal(best, &h->standing))
		queue_host_changed(q, host);
}

/* --- hosts that are given up or spent */

static inline int is_given_up(const struct queue *q, uint32_t host)
{
	return q->hosts.at[host].pace.next >= FRONTIER_FOR_GOOD;
}

/* Returns the number among which the prompt pages of a host count because nothing is taken from it; NULL: there is none. */
static inline uint64_t *idle_count(struct queue *q, uint32_t host)
{
	return is_given_up(q, host) ? &q->given_up : q->hosts.at[host].is_spent ? &q->spent : NULL;
}

/* Counts n more prompt pages of a host. */
static inline void count_idle(struct queue *q, uint32_t host, uint64_t n)
{
	uint64_t *count = idle_count(q, host);

	if (count)
		*count += n;
}

void queue_pause(struct queue *q, uint32_t host, int64_t time)
{
	const int was_given_up = is_given_up(q, host);

	count_idle(q, host, -q->of[host].prompt.n);
	hosts_pause(&q->hosts, host, time);
	count_idle(q, host, q->of[host].prompt.n);
	q->hosts_given_up += (uint64_t)(!was_given_up && is_given_up(q, host));
}

int queue_weigh_host(struct queue *q, uint32_t host)
{
	const struct host *h = &q->hosts.at[host];
	const int is_over = q->share.is_on && share_is_over(&q->share, host, h->pace.in_flight);

	if (is_over == h->is_spent)
		return is_over;
	count_idle(q, host, -q->of[host].prompt.n);
	hosts_spend(&q->hosts, host, is_over);
	count_idle(q, host, q->of[host].prompt.n);
	q->hosts_spent += is_over ? 1 : UINT64_MAX;
	return is_over;
}

/* --- pages come and change */

/* Puts a page into a pile of its host. The caller then updates the host's standing. */
static inline void put(struct queue *q, uint32_t host, uint32_t id)
{
	if (pages_is_deferred(q->pages, id))
		deferred_push(q, host, id);
	else
		pile_push(&q->of[host].prompt, id, queue_order(q));
	if (!pages_is_deferred(q->pages, id))
		count_idle(q, host, 1);
}

void queue_push(struct queue *q, uint32_t id)
{
	const uint32_t host = pages_host(q->pages, id);

	put(q, host, id);
	host_changed(q, host);
}

/* Returns the pile of a page: that of the deferred pages of its host, or that of the others. */
static inline struct pile *pile_of(struct queue *q, uint32_t host, uint32_t id)
{
	return pages_is_deferred(q->pages, id) ? q->of[host].deferred : &q->of[host].prompt;
}

void queue_delay(struct queue *q, uint32_t id, int64_t time)
{
	if (time <= q->hosts.now) {
		queue_push(q, id);
		return;
	}
	q->pages->page[id].slot = SLOT_DELAYED;
	heap_push(&q->delayed, entry_make((double)time, q->pages->page[id].seq, id), nowhere);
}

void queue_update(struct queue *q, const uint32_t *ids, const double *old_key, size_t n, uint32_t new_seq)
{
	uint32_t changed = HOSTS_NONE; /* its standing is updated after the last of its pages in a row */

	for (size_t i = 0; i < n; i++) {
		const struct page *page = &q->pages->page[ids[i]];
		const int is_new = page->seq >= new_seq;
		if (!is_new && (page->key == old_key[i] || page->slot == SLOT_DELAYED))
			continue;
		const uint32_t host = pages_host(q->pages, ids[i]);
		if (host != changed && changed != HOSTS_NONE)
			host_changed(q, changed);
		changed = host;
		if (is_new) {
			put(q, host, ids[i]);
		} else {
			q->key_updates++;
			pile_rekey(pile_of(q, host, ids[i]), ids[i], queue_order(q));
		}
	}
	if (changed != HOSTS_NONE)
		host_changed(q, changed);
}

void queue_rebuild(struct queue *q)
{
	for (size_t h = 0; h < q->hosts.n; h++) {
		pile_rekey_all(&q->of[h].prompt, queue_order(q));
		if (q->of[h].deferred)
			pile_rekey_all(q->of[h].deferred, queue_order(q));
		host_changed(q, (uint32_t)h);
	}
}

void queue_drop(struct queue *q, uint32_t id)
{
	const uint32_t host = pages_host(q->pages, id);

	if (q->pages->page[id].slot == SLOT_DELAYED)
		return; /* skipped when its time comes */
	pile_remove(pile_of(q, host, id), id, queue_order(q));
	if (!pages_is_deferred(q->pages, id))
		count_idle(q, host, UINT64_MAX);
	host_changed(q, host);
}

void queue_wake_all(struct queue *q, int64_t now)
{
	hosts_wake(&q->hosts, now);
	while (heap_next_key(&q->delayed) <= (double)q->hosts.now) {
		const uint32_t id = heap_remove(&q->delayed, 0, nowhere).id;
		if (q->pages->state[id] == PAGE_QUEUED && q->pages->page[id].slot == SLOT_DELAYED)
			queue_push(q, id);
	}
}

/* --- pages go and come back */

static inline void goes_out(struct queue *q, uint32_t host, uint32_t n)
{
	struct entry space;

	hosts_take(&q->hosts, host, n, standing_of(q, &q->of[host], &space));
}

void queue_went_out(struct queue *q, uint32_t host)
{
	goes_out(q, host, 1);
}

int queue_take(struct queue *q, int64_t now, uint32_t *id)
{
	queue_wake(q, now);
	while (q->hosts.ready.n && q->share.is_on && queue_weigh_host(q, q->hosts.ready.at[0].id))
		; /* a spent host is ready no more */
	if (!q->hosts.ready.n)
		return 0;
	const struct entry first = q->hosts.ready.at[0];
	struct host_pages *of = &q->of[first.id];
	if (of->prompt.n) {
		*id = pile_best(&of->prompt, queue_order(q))->id;
		/* the key of an entry with a rank is not the policy's */
		if (q->by.rank)
			q->taken_key = q->host_key ? q->host_key(q->call, of->prompt.n) : q->pages->page[*id].key;
		else
			q->taken_key = q->by.sign * entry_key(&first) + 0.0; /* and not -0 */
		pile_remove(&of->prompt, *id, queue_order(q));
	} else if (!deferred_take(q, of, id)) {
		return 0;
	}
	goes_out(q, first.id, 1);
	return 1;
}

size_t queue_take_run(struct queue *q, int64_t now, uint32_t *ids, size_t most)
{
	const struct host *h = &q->hosts.at[0];
	struct pile *p = &q->of[0].prompt;

	assert(p->fifo);
	queue_wake(q, now);
	if (h->where != HOST_READY || h->delay > 0 || q->hosts.politeness.delay > 0 || q->delayed.n)
		return 0;
	const uint32_t may = h->pace.most - h->pace.in_flight;
	const size_t n = pile_take_run(p, ids, most < may ? most : may, q->pages->state);
	q->taken_key = q->by.sign * p->fifo->key;
	if (n) /* the pages of a FIFO are alike: the host stands for any of them */
		hosts_take(&q->hosts, 0, (uint32_t)n, p->n ? &h->standing : NULL);
	return n;
}
