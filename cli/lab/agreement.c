#include "cli/lab/agreement.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

uint32_t agreement_same(const struct replay *a, const struct replay *b)
{
	uint32_t n = 0;

	while (n < a->crawled && n < b->crawled && a->order[n] == b->order[n])
		n++;
	return n;
}

static double per_minute(double pages, int64_t ms)
{
	return ms > 0 ? pages * 60000 / (double)ms : INFINITY;
}

/* Returns the relative deviation of the second of two speeds from the first; equal ones, also if infinite, do not deviate. */
static double deviation_of(double first, double second)
{
	return first < second || second < first ? fabs(second / first - 1) : 0;
}

/* The pages of one host in one crawl. */
struct span {
	uint32_t pages;
	int64_t first, last; /* ms */
};

static struct span *spans_of(const struct dataset *data, const struct replay *r)
{
	const uint32_t hosts = data->names.host ? data->names.hosts : 1;
	struct span *span = mem_zero(hosts, sizeof *span);

	for (uint32_t i = 0; i < r->crawled; i++) {
		struct span *s = &span[data->names.host ? data->names.host[r->order[i]] : 0];
		if (!s->pages++)
			s->first = r->when[i];
		s->last = r->when[i];
	}
	return span;
}

static double speed_of(const struct span *s)
{
	return per_minute(s->pages - 1, s->last - s->first);
}

static void measure_hosts(struct agreement *g, const struct dataset *data, const struct replay *first, const struct replay *second)
{
	const uint32_t hosts = data->names.host ? data->names.hosts : 1;
	struct span *a = spans_of(data, first), *b = spans_of(data, second);

	for (uint32_t h = 0; h < hosts; h++) {
		if (a[h].pages < AGREEMENT_HOST_PAGES || b[h].pages < AGREEMENT_HOST_PAGES)
			continue;
		const double deviation = deviation_of(speed_of(&a[h]), speed_of(&b[h]));
		if (!g->hosts++ || deviation > g->host_deviation) {
			g->host_deviation = deviation;
			g->worst_host = h;
		}
	}
	free(a);
	free(b);
}

static void measure_curves(struct agreement *g, const struct dataset *data, const struct benchmark *b, const struct seedset *seeds,
	const struct replay *first, const struct replay *second)
{
	const struct replay *crawl[] = {first, second};
	struct throughput t[2];

	for (int i = 0; i < 2; i++)
		throughput_measure(&t[i], b, &data->graph, NULL, crawl[i]->order, crawl[i]->crawled, seeds->ids, seeds->n);
	int percent = 1;
	for (; percent <= 100; percent++) {
		const uint32_t k = throughput_k(percent / 100.0, data->graph.nodes);
		if (k > first->crawled || k > second->crawled)
			break;
		const double distance = fabs(throughput_at(&t[0], k).strict - throughput_at(&t[1], k).strict);
		g->curve_mean += distance;
		if (percent >= 10 && distance > g->curve_max)
			g->curve_max = distance;
	}
	if (percent > 1)
		g->curve_mean /= percent - 1;
	throughput_release(&t[0]);
	throughput_release(&t[1]);
}

void agreement_measure(struct agreement *g, const struct dataset *data, const struct benchmark *b, const struct seedset *seeds,
	const struct replay *first, const struct replay *second)
{
	*g = (struct agreement){.crawled = {first->crawled, second->crawled},
		.per_minute = {per_minute(first->crawled, first->lasted), per_minute(second->crawled, second->lasted)}};
	g->deviation = deviation_of(g->per_minute[0], g->per_minute[1]);
	measure_hosts(g, data, first, second);
	measure_curves(g, data, b, seeds, first, second);
}

int agreement_holds(const struct agreement *g)
{
	return g->deviation <= 0.1 && g->host_deviation <= 0.1 && g->curve_mean <= 0.02;
}
