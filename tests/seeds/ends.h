/* How pages end in tests of the frontier: frontier_ended() with what a test does not care about left out. */
#ifndef TESTS_ENDS_H
#define TESTS_ENDS_H

#include "frontier/frontier_internal.h"

static inline int end_crawled(struct frontier *f, uint32_t id, const uint32_t *links, size_t n, int64_t at)
{
	return frontier_ended(f, id, &(struct frontier_end){.state = PAGE_CRAWLED, .at = at, .links = links, .n_links = n});
}

static inline void end_as(struct frontier *f, uint32_t id, struct frontier_end end)
{
	if (frontier_ended(f, id, &end))
		abort();
}

static inline void end_failed(struct frontier *f, uint32_t id, int64_t at)
{
	end_as(f, id, (struct frontier_end){.state = PAGE_FAILED, .at = at});
}

static inline void end_retried(struct frontier *f, uint32_t id, int64_t not_before, int64_t at)
{
	end_as(f, id, (struct frontier_end){.state = PAGE_QUEUED, .not_before = not_before, .at = at});
}

static inline void end_put_back(struct frontier *f, uint32_t id, int64_t at)
{
	end_as(f, id, (struct frontier_end){.state = PAGE_QUEUED, .request = FRONTIER_NOT_ASKED, .at = at});
}

/* As end_put_back(), the host being found at an address. */
static inline void end_addressed(struct frontier *f, uint32_t id, uint32_t address, int64_t at)
{
	end_as(f, id,
		(struct frontier_end){.state = PAGE_QUEUED,
			.request = FRONTIER_NOT_ASKED,
			.at = at,
			.host = &(struct frontier_host_news){.address = address, .delay = -1}});
}

static inline void end_redirected(struct frontier *f, uint32_t id, uint32_t target, int64_t at)
{
	end_as(f, id, (struct frontier_end){.state = PAGE_REDIRECTED, .target = target, .at = at});
}

static inline void end_refused(struct frontier *f, uint32_t id)
{
	end_as(f, id, (struct frontier_end){.state = PAGE_REFUSED, .request = FRONTIER_NOT_ASKED, .at = INT64_MIN});
}

/* The pages, the next call of the frontier not having been made. */
static inline const struct page *pages_of(struct frontier *f)
{
	frontier_need_pages(f);
	return f->pages.page;
}

#endif
