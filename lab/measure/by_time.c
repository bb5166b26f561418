#include "lab/measure/by_time.h"

#include <math.h>

void by_time(struct time_point *out, const struct throughput *hot, const uint32_t *order, const int64_t *when, uint32_t crawled,
	const int64_t *ms, size_t n)
{
	const uint32_t tenth = throughput_k(0.1, hot->nodes);
	uint32_t k = 0, found = 0;

	for (size_t i = 0; i < n; i++) {
		for (; k < crawled && when[k] <= ms[i]; k++)
			found += hot->benchmark->position[order[k]] < tenth;
		out[i] = (struct time_point){.ms = ms[i], .crawled = k, .found = (double)found / tenth};
		if (found > tenth) /* pages that tie share their position */
			out[i].found = 1;
		if (!k)
			continue;
		const struct throughput_point p = throughput_at(hot, k);
		out[i].mass = p.mass;
		out[i].strict = p.strict;
		out[i].discoverable = p.discoverable;
	}
}

/* Counts the copies that are up to date at the time `now`: the page is there, and of the version that it had when the crawl
 * requested it.
 */
static uint32_t count_fresh(const struct changing *web, int64_t now, const uint32_t *order, const int64_t *began, int64_t clock_ms,
	uint32_t n)
{
	AUTO(changing_look) look = {.links = NULL};
	uint32_t fresh = 0;

	for (uint32_t i = 0; i < n; i++) {
		changing_see(web, order[i], now, &look);
		const uint64_t version = look.version;
		if (!look.is_there)
			continue;
		changing_see(web, order[i], (clock_ms + began[i]) / 1000, &look);
		fresh += look.version == version;
	}
	return fresh;
}

void by_then(struct then_point *out, const struct changing *web, int64_t now, const struct benchmark *then, const uint32_t *order,
	const int64_t *began, int64_t clock_ms, uint32_t n)
{
	const uint32_t tenth = throughput_k(0.1, then->nodes);
	uint32_t hits = 0, found = 0;
	double mass = 0, all = 0;

	*out = (struct then_point){.strict = 0};
	if (!n)
		return;
	for (uint32_t i = 0; i < n; i++) {
		hits += then->position[order[i]] < n;
		found += then->position[order[i]] < tenth;
		mass += then->rank[order[i]];
	}
	for (uint32_t u = 0; u < then->nodes; u++)
		all += then->rank[u];
	/* pages that tie may share their position, and rounding may exceed 1 */
	*out = (struct then_point){.strict = fmin((double)hits / n, 1),
		.found = fmin((double)found / tenth, 1),
		.mass = fmin(mass / all, 1),
		.fresh = (double)count_fresh(web, now, order, began, clock_ms, n) / n};
}
