#include "seeds/coverage.h"
#include "seeds/ball.h"
#include "seeds/method.h"

void coverage_of(const struct graph *g, const uint32_t *seed, size_t n, uint32_t hops, const int64_t *value, struct coverage *c)
{
	struct ball b;

	ball_init(&b, g->nodes);
	ball_search(&b, g, seed, n, hops);
	*c = (struct coverage){.pages = b.n};
	for (uint32_t i = 0; i < b.n; i++)
		c->value += value ? value[b.node[i]] : SEED_VALUE_ONE;
	ball_release(&b);
}
