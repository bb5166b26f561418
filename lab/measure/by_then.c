#include "lab/measure/by_then.h"

#include <math.h>

/* Counts the copies that are up to date at the time `now`: the page is there, and of the version that it had when the crawl
 * requested it.
 */
static uint32_t count_fresh(const struct changing *web, int64_t now, const uint32_t *order, const int64_t *began, int64_t clock_ms,
	uint32_t n)
{
	struct changing_look look = {.links = NULL};
	uint32_t fresh = 0;

	for (uint32_t i = 0; i < n; i++) {
		changing_see(web, order[i], now, &look);
		const uint64_t version = look.version;
		if (!look.is_there)
			continue;
		changing_see(web, order[i], (clock_ms + began[i]) / 1000, &look);
		fresh += look.version == version;
	}
	changing_look_release(&look);
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
