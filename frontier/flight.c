/* Flights: pages are taken from the queue, and their flights end. */
#include "frontier/frontier_internal.h"

#include <assert.h>

/* Visits: crawled pages that are fetched once more. */

/* ms after which a host with the most requests in flight that it may have is looked at again */
#define BUSY_MS 20

/* Returns the host of a crawled page, which the queue then has. */
static uint32_t host_of(struct frontier *f, uint32_t id)
{
	const uint32_t host = f->world.host ? f->world.host(f->world.ctx, id) : 0;

	if (host >= f->queue.hosts.n)
		queue_need_host(&f->queue, host);
	return host;
}

int64_t frontier_visit_time(struct frontier *f, int64_t now, uint32_t id)
{
	const uint32_t host = host_of(f, id);
	const struct hosts *all = &f->queue.hosts;
	const struct host *h = &all->at[host];
	const int64_t at = hosts_rest_end(all, h);

	if (h->pace.next >= FRONTIER_FOR_GOOD)
		return FRONTIER_NEVER;
	if (at > now)
		return at;
	queue_wake_all(&f->queue, now);
	return hosts_may_ask(all, host) ? now : now + BUSY_MS;
}

void frontier_visit(struct frontier *f, int64_t now, uint32_t id)
{
	const uint32_t host = host_of(f, id);

	assert(id < f->pages.n && f->pages.state[id] == PAGE_CRAWLED);
	queue_wake_all(&f->queue, now);
	assert(hosts_may_ask(&f->queue.hosts, host));
	queue_went_out(&f->queue, host);
	f->visits++;
}

void frontier_visited(struct frontier *f, uint32_t id, const struct frontier_end *end)
{
	assert(f->visits && f->pages.state[id] == PAGE_CRAWLED);
	f->visits--;
	frontier_land_host(f, host_of(f, id), end);
}

void frontier_learn(struct frontier *f, uint32_t id, const uint32_t *links, size_t n)
{
	assert(id < f->pages.n && f->pages.state[id] == PAGE_CRAWLED);
	for (size_t i = 0; i < n; i++)
		if (!f->world.outside || !f->world.outside(f->world.ctx, links[i]))
			frontier_seed(f, &links[i], 1);
}

int frontier_take(struct frontier *f, int64_t now, uint32_t *id)
{
	if (!queue_take(&f->queue, now, id))
		return 0;
	assert(f->pages.state[*id] == PAGE_QUEUED);
	frontier_goes_out(f, *id);
	return 1;
}

size_t frontier_take_run(struct frontier *f, int64_t now, uint32_t *ids, double *keys, size_t most)
{
	size_t n = queue_fifo(&f->queue) ? queue_take_run(&f->queue, now, ids, most) : 0;

	for (size_t i = 0; i < n; i++) {
		f->pages.state[ids[i]] = PAGE_IN_FLIGHT; /* ignored since it was queued */
		keys[i] = f->queue.taken_key;
	}
	f->count.queued -= n;
	f->count.in_flight += n;
	if (n) /* as many as can be */
		return n;
	while (n < most && frontier_take(f, now, &ids[n]))
		keys[n++] = f->queue.taken_key;
	return n;
}

void frontier_retake(struct frontier *f, uint32_t id)
{
	assert(f->restoring && id < f->pages.n && f->pages.state[id] == PAGE_QUEUED);
	frontier_goes_out(f, id);
	f->pages.page[id].slot = SLOT_NONE;
	hosts_retake(&f->queue.hosts, pages_host(&f->pages, id));
}

/* Updates the pace of a host at the end of a flight: its delay, a pause, and its address. */
static inline void land_host(struct frontier *f, uint32_t host, const struct frontier_end *end)
{
	const struct frontier_host_news *news = end->host;
	struct hosts *hosts = &f->queue.hosts;

	if (!news && end->request == FRONTIER_ASKED) {
		hosts_back(hosts, host, 0, 0, end->at);
		return;
	}
	if (news && news->delay >= 0)
		hosts_delay(hosts, host, news->delay);
	if (news && news->pause)
		queue_pause(&f->queue, host, news->pause);
	if (end->request == FRONTIER_ASKED)
		hosts_back(hosts, host, news->took, news->hung, end->at);
	else
		hosts_back_unasked(hosts, host, end->at);
	if (news && news->address) /* after hosts_back(), since the request was counted at the host's former server */
		hosts_move(hosts, host, news->address);
}

void frontier_land_host(struct frontier *f, uint32_t host, const struct frontier_end *end)
{
	land_host(f, host, end);
}

/* Counts the end of a flight in the share of its host, which may take more pages if this one was not crawled. */
static void land_share(struct frontier *f, uint32_t host, const struct frontier_end *end)
{
	share_ends(&f->queue.share, host, end->state, f->restoring ? 0 : end->bytes);
	if (!f->restoring && f->queue.hosts.at[host].is_spent)
		queue_weigh_host(&f->queue, host);
}

/* Ends the flight of a page for its host: politeness counts the request, and the host gets its news. */
static inline void land(struct frontier *f, uint32_t id, const struct frontier_end *end)
{
	assert(id < f->pages.n && f->pages.state[id] == PAGE_IN_FLIGHT);
	f->pages.state[id] = (uint8_t)end->state; /* ignored, as it was in flight */
	if (end->state == PAGE_QUEUED)
		pages_set_state(&f->pages, id, PAGE_QUEUED);
	f->count.in_flight--;
	land_host(f, pages_host(&f->pages, id), end);
	if (f->queue.share.is_on)
		land_share(f, f->pages.host[id], end);
}

static void queue_again(struct frontier *f, uint32_t id, const struct frontier_end *end)
{
	f->count.queued++;
	if (end->is_deferred)
		pages_set_deferred(&f->pages, id, 1);
	f->count.deferred += (uint64_t)pages_is_deferred(&f->pages, id);
	/* during a restore the piles are empty, but a page that has to wait is put into the heap of delayed pages at once */
	if (!f->restoring || end->not_before > end->at)
		queue_delay(&f->queue, id, end->not_before);
}

/* Queues the new targets of a crawled page while no structs page are kept (frontier/pile.h). The policy has no hook that
 * is called now, so the other fields of its view stay as they are until frontier_need_pages(). */
static inline void crawled_plain(struct frontier *f, const uint32_t *links, size_t n)
{
	struct queue *q = &f->queue;
	size_t i = 0;

	while ((i += queue_push_unseen(q, links + i, n - i, &f->pages)) < n)
		frontier_need_ids(f, links[i] + 1);
	const size_t found = queue_fifo(q)->tail - f->next_seq;
	assert(found <= UINT32_MAX - f->next_seq);
	f->next_seq += (uint32_t)found;
	f->count.queued += found;
	f->count.seen += found;
	frontier_show_queued(f);
}

static inline int count_crawled(struct frontier *f, uint32_t id, const struct frontier_end *end)
{
	if (f->pages.order)
		f->pages.order[f->count.crawled] = id;
	f->count.crawled++;
	if (f->pages_kept == RANKER_NO_PAGES) {
		crawled_plain(f, end->links, end->n_links);
		return 0;
	}
	frontier_show_crawled(f);
	int err = frontier_found(f, id, end->links, end->kinds, end->n_links);
	while (!err && f->lead->until && f->count.crawled >= f->lead->until)
		frontier_next_turn(f);
	return err;
}

/* Ends the flight of a page that was not crawled, which needs its struct page. */
static void end_uncrawled(struct frontier *f, uint32_t id, const struct frontier_end *end)
{
	frontier_need_pages(f);
	land(f, id, end);
	frontier_count_end(f, id, end);
}

void frontier_count_end(struct frontier *f, uint32_t id, const struct frontier_end *end)
{
	switch (end->state) {
	case PAGE_QUEUED:
		queue_again(f, id, end);
		break;
	case PAGE_FAILED:
		f->count.failed++;
		break;
	case PAGE_REFUSED:
		f->count.refused++;
		break;
	case PAGE_REDIRECTED:
		f->count.redirected++;
		frontier_show_seen(f);
		frontier_found_target(f, id, end->target);
		f->lead->view.queued = f->count.queued;
		rankers_tell_redirect(f->lead, f->n_turns, id, end->target);
		break;
	default:
		assert(!"the state ends a flight");
	}
	if (end->state == PAGE_FAILED || end->state == PAGE_REFUSED || (end->state == PAGE_QUEUED && end->has_failed))
		rankers_missed(f->lead, f->n_turns, id);
}

int frontier_ended(struct frontier *f, uint32_t id, const struct frontier_end *end)
{
	if (end->state != PAGE_CRAWLED) {
		end_uncrawled(f, id, end);
		return 0;
	}
	land(f, id, end);
	return count_crawled(f, id, end);
}

void frontier_refuse(struct frontier *f, uint32_t id)
{
	frontier_need_pages(f);
	assert(f->pages.state[id] == PAGE_QUEUED);
	pages_set_state(&f->pages, id, PAGE_REFUSED);
	f->count.queued--;
	f->count.deferred -= (uint64_t)pages_is_deferred(&f->pages, id);
	f->count.refused++;
	if (!f->restoring)
		queue_drop(&f->queue, id);
	f->pages.page[id].slot = SLOT_NONE;
}
