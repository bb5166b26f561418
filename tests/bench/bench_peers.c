/* lycosa beside the best peers that a Debian machine has, in one process, one thread, turn by turn:
 *
 *   bench_peers [NODES:ARCS_PER_NODE | GRAPH [FOLDER_OF_HTML]]      500000:14.7 and the PostgreSQL manual
 *
 * The rows of texts and of a star come with a generated graph only. Each row of a graph comes twice: of the graph, whose neighbours
 * have numbers that are close together, as the pages of a sorted crawl have, and of a copy whose pages are numbered at random.
 *
 * A row a job: name, what is counted, lycosa's figure, the peer's name and figure; CPU seconds over the
 * count, the best of three rounds. igraph is the peer for graphs, where it was there to build with;
 * libxml2 for HTML, libcurl for URLs, zlib for reading. A job without a peer is left out. */
#include "tests/bench/bench_peers.h"
#include "base/mem.h"
#include "graph/formats/format.h"
#include "graph/kernels/bfs.h"
#include "graph/kernels/hits.h"
#include "graph/kernels/pagerank.h"
#include "graph/kernels/scc.h"
#include "lab/study/replay.h"
#include "policies/policies.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* A row of CPU time. */
static void graph_row_of(const struct bench *b, const char *what, peers_job *ours, peers_job *theirs, const char *peer, void *ctx)
{
	peers_graph_row(b, what, CLOCK_PROCESS_CPUTIME_ID, ours, theirs, peer, ctx);
}

static void load_bvgraph(void *ctx)
{
	peers_load(ctx, "g", 1);
}

/* What any reader of the same arcs, kept as packed text, has to do first. */
static void unpack_text(void *ctx)
{
	static char bytes[1 << 16];
	char path[600];

	peers_path(ctx, "g.edges.gz", path);
	gzFile in = gzopen(path, "rb");
	while (in && gzread(in, bytes, sizeof bytes) > 0)
		;
	if (!in || gzclose(in) != Z_OK)
		peers_die("cannot unpack the text");
}

/* --- replays beside a search without frontier, policy and events */

void peers_replay(const struct dataset *data, const struct policy *policy, enum peers_hosts_kept hosts)
{
	uint32_t id[] = {0, 1, 2, 3, 4, 5, 6, 7};
	const struct seedset seeds = {.ids = id, .n = sizeof id / sizeof *id};
	struct opt_set opts;
	struct err_note why;

	opt_init(&opts, policy->opts, policy->name);
	struct replay r = {.policy = policy,
		.opts = &opts,
		.rng_seed = 1,
		.batch = policy == &policy_backlink, /* the continuous one, whose keys change with each page */
		.with_hosts = hosts == PEERS_HOSTS};
	if (replay_run(&r, data, &seeds, &why))
		peers_die(why.text);
	replay_release(&r);
	opt_release(&opts);
}

/* A replay of the graph, as a job. */
static void replay(void *ctx, const char *policy)
{
	peers_replay(&((const struct bench *)ctx)->data, policy_named(policy), PEERS_ONE_HOST);
}

static void replay_bfs(void *ctx)
{
	replay(ctx, "bfs");
}

static void replay_opic(void *ctx)
{
	replay(ctx, "opic");
}

static void replay_ieca(void *ctx)
{
	replay(ctx, "ieca");
}

static void replay_fica(void *ctx)
{
	replay(ctx, "fica");
}

static void replay_backlink(void *ctx)
{
	replay(ctx, "backlink");
}

static void bare_search(void *ctx)
{
	const uint32_t seeds[] = {0, 1, 2, 3, 4, 5, 6, 7};
	const struct bench *b = ctx;
	struct bfs s;

	bfs_run(&s, &b->data.graph, seeds, sizeof seeds / sizeof *seeds);
	bfs_release(&s);
}

#ifdef HAVE_IGRAPH
#include <igraph.h>

struct beside {
	struct bench *b; /* first, so that the jobs above may be given either */
	igraph_t copy;
};

static const struct graph *graph_of(void *ctx)
{
	const struct beside *s = ctx;

	return &s->b->data.graph;
}

static void our_pagerank(void *ctx)
{
	struct pagerank p = PAGERANK_DEFAULT;

	p.tolerance = 1e-10; /* PRPACK's */
	pagerank_solve(graph_of(ctx), &p, ((struct beside *)ctx)->b->a);
}

static void igraph_ranks(void *ctx)
{
	struct beside *s = ctx;
	igraph_vector_t v;

	igraph_vector_init(&v, 0);
	igraph_pagerank(&s->copy, IGRAPH_PAGERANK_ALGO_PRPACK, &v, NULL, igraph_vss_all(), IGRAPH_DIRECTED, 0.85, NULL, NULL);
	for (uint32_t u = 0; u < graph_of(ctx)->nodes; u++)
		s->b->b[u] = VECTOR(v)[u];
	igraph_vector_destroy(&v);
}

static void our_hits(void *ctx)
{
	struct beside *s = ctx;
	struct hits h;

	hits_init(&h, graph_of(ctx), 1);
	hits_run(&h, HITS_ITERATIONS, NULL, s->b->a, s->b->b);
	hits_release(&h);
}

static void igraph_hits(void *ctx)
{
	struct beside *s = ctx;
	igraph_vector_t hub, authority;
	igraph_arpack_options_t how;

	igraph_arpack_options_init(&how);
	igraph_vector_init(&hub, 0);
	igraph_vector_init(&authority, 0);
	igraph_hub_and_authority_scores(&s->copy, &hub, &authority, NULL, 1, NULL, &how);
	igraph_vector_destroy(&hub);
	igraph_vector_destroy(&authority);
}

static void our_scc(void *ctx)
{
	scc(graph_of(ctx), ((struct beside *)ctx)->b->number);
}

static void igraph_scc(void *ctx)
{
	struct beside *s = ctx;
	igraph_vector_int_t member;

	igraph_vector_int_init(&member, 0);
	igraph_connected_components(&s->copy, &member, NULL, NULL, IGRAPH_STRONG);
	igraph_vector_int_destroy(&member);
}

static void our_bfs(void *ctx)
{
	const struct beside *s = ctx;
	struct bfs b;

	bfs_run(&b, graph_of(ctx), &s->b->start, 1);
	bfs_levels(&b, s->b->number);
	bfs_release(&b);
}

static void igraph_levels(void *ctx)
{
	struct beside *s = ctx;
	igraph_vector_int_t level;

	igraph_vector_int_init(&level, 0);
	igraph_bfs(&s->copy, s->b->start, NULL, IGRAPH_OUT, 0, NULL, NULL, NULL, NULL, NULL, NULL, &level, NULL, NULL);
	igraph_vector_int_destroy(&level);
}

static void our_text(void *ctx)
{
	peers_load(((struct beside *)ctx)->b, "g.edges", 1);
}

static void igraph_text(void *ctx)
{
	struct beside *s = ctx;
	igraph_t g;
	char path[600];

	peers_path(s->b, "g.edges", path);
	FILE *in = fopen(path, "r");
	if (!in || igraph_read_graph_edgelist(&g, in, 0, IGRAPH_DIRECTED))
		peers_die("igraph cannot read the text");
	fclose(in);
	igraph_destroy(&g);
}

static void beside_igraph(struct bench *b)
{
	const struct graph *g = &b->data.graph;
	struct beside s = {.b = b};
	igraph_vector_int_t ends;

	igraph_vector_int_init(&ends, (igraph_integer_t)(2 * g->arcs));
	for (uint32_t u = 0; u < g->nodes; u++) {
		for (uint64_t i = g->offset[u]; i < g->offset[u + 1]; i++) {
			VECTOR(ends)[2 * i] = u;
			VECTOR(ends)[2 * i + 1] = g->target[i];
		}
	}
	igraph_create(&s.copy, &ends, g->nodes, IGRAPH_DIRECTED);
	igraph_vector_int_destroy(&ends);
	graph_row_of(b, "PageRank to 1e-10", our_pagerank, igraph_ranks, "igraph (PRPACK)", &s);
	graph_row_of(b, "HITS, 60 iterations (igraph: until it converges)", our_hits, igraph_hits, "igraph (ARPACK)", &s);
	graph_row_of(b, "strongly connected components", our_scc, igraph_scc, "igraph", &s);
	graph_row_of(b, "breadth-first levels from one page", our_bfs, igraph_levels, "igraph", &s);
	graph_row_of(b, "an edge list read", our_text, igraph_text, "igraph", &s);
	igraph_destroy(&s.copy);
}
#else
static void beside_igraph(struct bench *b)
{
	(void)b;
	printf("# built without igraph: five rows of each graph are missing\n");
}
#endif

/* The graph as BVGraph, as text, and as packed text. */
static void write_files(const struct bench *b)
{
	static const char *const format[] = {"bvgraph", "edges"}, *const name[] = {"g", "g.edges"};
	struct err_note why;
	char path[600], command[1400];

	for (int i = 0; i < 2; i++) {
		peers_path(b, name[i], path);
		if (graph_format_named(format[i])->save(&b->data.graph, path, &why))
			peers_die(why.text);
	}
	/* igraph's reader knows no comments */
	snprintf(command, sizeof command, "sed -i /^#/d '%s/g.edges' && gzip -fk6 '%s/g.edges'", b->folder, b->folder);
	if (system(command))
		peers_die("cannot pack the text");
}

/* All rows of a graph. */
static void beside_peers(struct bench *b)
{
	write_files(b);
	beside_igraph(b);
	graph_row_of(b, "a BVGraph read (zlib: its text unpacked, no more)", load_bvgraph, unpack_text, "zlib", b);
	graph_row_of(b, "a crawl replayed under bfs", replay_bfs, bare_search, "the bare search", b);
	graph_row_of(b, "a crawl replayed under opic", replay_opic, bare_search, "the bare search", b);
	graph_row_of(b, "a crawl replayed under backlink, a batch of one page", replay_backlink, bare_search, "the bare search", b);
	graph_row_of(b, "a crawl replayed under ieca", replay_ieca, bare_search, "the bare search", b);
	graph_row_of(b, "a crawl replayed under fica", replay_fica, bare_search, "the bare search", b);
	peers_hosts(b);
	peers_plain(b);
}

/* The rows that are of no graph that the user gives. */
static void beside_texts(const char *folder)
{
	peers_texts(folder);
	peers_star();
}

int main(int argc, char **argv)
{
	struct bench b;

	peers_begin(&b, argc > 1 ? argv[1] : "500000:14.7");
	if (!*b.which)
		beside_texts(argc > 2 ? argv[2] : "/usr/share/doc/postgresql-doc-15/html");
	beside_peers(&b);
	peers_threads(&b);
	peers_shuffle(&b);
	beside_peers(&b);
	peers_end(&b);
	return 0;
}
