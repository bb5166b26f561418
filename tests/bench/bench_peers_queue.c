/* The frontier where it may be slow: a star, all of whose leaves have one key, and a graph of many hosts. */
#include "base/mem.h"
#include "policies/policies.h"
#include "tests/bench/bench_peers.h"

#include <stdlib.h>

#define FEW_LEAVES  250000u
#define MANY_LEAVES 4000000u
#define HOSTS       13291u /* as many as a crawl of a country's universities has */

#define LEAST_PAGES 30 /* a host; fewer are no web */

/* --- a star */

static void make_star(struct graph *g, uint32_t leaves)
{
	uint32_t *from = mem_zero(leaves, sizeof *from), *to = mem_new(leaves, sizeof *to);

	for (uint32_t i = 0; i < leaves; i++)
		to[i] = i + 1;
	graph_take_arcs(g, leaves + 1, from, to, leaves);
}

struct stars {
	struct dataset few, many;
};

static void crawl_many(void *ctx)
{
	peers_replay(&((const struct stars *)ctx)->many, &policy_opic, PEERS_ONE_HOST);
}

/* As often as there are leaves in the other star. */
static void crawl_few(void *ctx)
{
	for (uint32_t i = 0; i < MANY_LEAVES / FEW_LEAVES; i++)
		peers_replay(&((const struct stars *)ctx)->few, &policy_opic, PEERS_ONE_HOST);
}

void peers_star(void)
{
	struct stars s = {.few.format = "generated", .many.format = "generated"};

	make_star(&s.few.graph, FEW_LEAVES);
	make_star(&s.many.graph, MANY_LEAVES);
	peers_row("a star of 4,000,000 leaves with equal keys crawled under opic", "ns/page", CLOCK_PROCESS_CPUTIME_ID, MANY_LEAVES,
		crawl_many, crawl_few, "stars of 250,000", &s);
	graph_release(&s.few.graph);
	graph_release(&s.many.graph);
}

/* --- hosts */

static void crawl_hosts(void *ctx)
{
	peers_replay(&((const struct bench *)ctx)->data, &policy_opic, PEERS_HOSTS);
}

static void crawl_one_host(void *ctx)
{
	peers_replay(&((const struct bench *)ctx)->data, &policy_opic, PEERS_ONE_HOST);
}

void peers_hosts(struct bench *b)
{
	const uint32_t nodes = b->data.graph.nodes;

	if (nodes / HOSTS < LEAST_PAGES)
		return;
	uint32_t *host = mem_new(nodes, sizeof *host);
	for (uint32_t u = 0; u < nodes; u++) /* as in a graph that is sorted by URL */
		host[u] = (uint32_t)((uint64_t)u * HOSTS / nodes);
	b->data.names.host = host;
	b->data.names.hosts = HOSTS;
	peers_graph_row(b, "a crawl replayed under opic with 13,291 hosts", CLOCK_PROCESS_CPUTIME_ID, crawl_hosts, crawl_one_host,
		"one host", b);
	b->data.names.host = NULL;
	b->data.names.hosts = 0;
	free(host);
}
