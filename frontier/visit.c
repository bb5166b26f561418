/* Visits: crawled pages that are fetched once more. */
#include "frontier/frontier_internal.h"

#include <assert.h>

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
