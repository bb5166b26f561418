#include "lab/measure/by_time.h"

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
