/* What the store costs: bench_store [DIR [GRAPH [PAGES]]]
 *
 * GRAPH is a path without its ending: GRAPH.urls.gz, a URL a line, and GRAPH.txt.gz, an arc a line
 * ("": none). It is crawled breadth first into a store below DIR; then a store of PAGES made-up
 * pages is filled and asked. Prints a line a figure: name TAB value TAB unit. Without arguments: a
 * folder of its own, the graph of the shared data where it is there, a million pages. */
#include "base/clock.h"
#include "base/input.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/rng.h"
#include "storage/handle.h"
#include "tests/paths.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct arcs {
	char **url;
	uint32_t nodes, *from, *to, *first;
	size_t n;
};

static void die(const char *what, const struct err_note *why)
{
	fprintf(stderr, "%s: %s\n", what, why ? why->text : "");
	exit(1);
}

static void say(const char *name, double value, const char *unit)
{
	printf("%s\t%.4g\t%s\n", name, value, unit);
	fflush(stdout);
}

static struct input *open_part(const char *graph, const char *ending)
{
	char path[4096];
	struct input *in;
	struct err_note why;

	snprintf(path, sizeof path, "%s%s", graph, ending);
	if (input_open(&in, path, &why))
		die(path, &why);
	return in;
}

/* Arcs in the order of their sources, as they come. */
static void read_graph(struct arcs *g, const char *graph)
{
	struct input *in = open_part(graph, ".urls.gz");
	size_t room = 0, arc_room = 0, to_room = 0, n;
	char *line;

	while (input_line(in, &line, &n, NULL) == 1) {
		g->url = mem_grow(g->url, &room, g->nodes + 1u, sizeof *g->url);
		g->url[g->nodes++] = mem_text(line);
	}
	input_close(in);
	in = open_part(graph, ".txt.gz");
	while (input_line(in, &line, &n, NULL) == 1) {
		unsigned from, to;
		if (sscanf(line, "%u %u", &from, &to) != 2 || from >= g->nodes || to >= g->nodes)
			continue;
		g->from = mem_grow(g->from, &arc_room, g->n + 1, sizeof *g->from);
		g->to = mem_grow(g->to, &to_room, g->n + 1, sizeof *g->to);
		g->from[g->n] = from;
		g->to[g->n++] = to;
	}
	input_close(in);
	g->first = mem_zero(g->nodes + 2u, sizeof *g->first);
	for (size_t i = 0; i < g->n; i++)
		g->first[g->from[i] + 1]++;
	for (uint32_t v = 0; v < g->nodes; v++)
		g->first[v + 1] += g->first[v];
	uint32_t *sorted = mem_new(g->n, sizeof *sorted), *at = mem_copy(g->first, (g->nodes + 1u) * 4);
	for (size_t i = 0; i < g->n; i++)
		sorted[at[g->from[i]]++] = g->to[i];
	free(at);
	free(g->to);
	g->to = sorted;
}

static uint32_t intern(struct store *s, const char *url)
{
	struct store_page page = {.url = url, .url_length = strlen(url), .depth = 3};
	const char *host = strstr(url, "//"), *end;
	struct err_note why;
	uint32_t id;

	if (store_find(s, url, page.url_length, &id))
		return id;
	host = host ? host + 2 : url;
	end = host + strcspn(host, "/?#");
	if (store_host(s, end > host ? host : "-", end > host ? (size_t)(end - host) : 1, &page.host, &why) ||
		store_add(s, &page, &id, &why))
		die("add", &why);
	return id;
}

static void log_event(struct store *s, enum log_kind kind, uint32_t id)
{
	struct log_entry e = {.kind = kind, .id = id};

	if (store_log(s, &e, NULL))
		die("log", NULL);
}

static void crawl_one(struct store *s, const struct arcs *g, uint32_t id, uint32_t node, struct rng *r, uint32_t *links)
{
	struct result result = {.state = PAGE_CRAWLED,
		.status = 200,
		.tries = 1,
		.target = STORE_NO_PAGE,
		.bytes = rng_below(r, 60000),
		.ended = 1700000000000 + id,
		.digest = {rng_next(r), rng_next(r)}};
	size_t n = 0;

	log_event(s, LOG_TAKE, id);
	for (uint32_t k = g->first[node]; k < g->first[node + 1]; k++)
		links[n++] = intern(s, g->url[g->to[k]]);
	log_event(s, LOG_CRAWLED, id);
	if (store_put_links(s, id, links, NULL, NULL, n, NULL) || store_put_result(s, id, &result, NULL))
		die("put", NULL);
}

static size_t value_bytes(struct records *r)
{
	size_t sum = 0;

	for (size_t i = 0; i < r->chunks; i++) {
		if (records_read_chunk(r, i, NULL))
			die("read", NULL);
		const struct chunk *k = &r->chunk[i];
		sum += k->size + (k->ends ? 2 * (size_t)(records_chunk_end(r, i) - k->first) : 0);
	}
	return sum;
}

static void commit_timed(struct store *s, double *ms, int *commits)
{
	struct err_note why;
	int64_t t = clock_ns();

	if (store_commit(s, &why))
		die("commit", &why);
	*ms += (double)(clock_ns() - t) / 1e6;
	++*commits;
}

struct tally {
	uint64_t crawled, links;
	double commit_ms;
	int commits;
};

/* What is reached from a seed, breadth first. */
static void crawl_from(struct store *s, const struct arcs *g, uint32_t seed, uint8_t *known, struct tally *t)
{
	uint32_t *queue = mem_new(g->nodes, 4), *links = mem_new(g->nodes, 4), tail = 0;
	struct rng r = {seed};

	log_event(s, LOG_SEED, intern(s, g->url[seed]));
	known[seed] = 1;
	queue[tail++] = seed;
	for (uint32_t head = 0; head < tail; head++) {
		uint32_t u = queue[head], first = g->first[u], end = g->first[u + 1];
		if (first == end) /* of this data: was not fetched */
			continue;
		crawl_one(s, g, intern(s, g->url[u]), u, &r, links);
		t->links += end - first;
		if (++t->crawled % 1000 == 0)
			commit_timed(s, &t->commit_ms, &t->commits);
		for (uint32_t k = first; k < end; k++) {
			if (!known[g->to[k]])
				queue[tail++] = g->to[k];
			known[g->to[k]] = 1;
		}
	}
	free(queue);
	free(links);
}

static void report_sizes(struct store *s, const struct tally *t, const char *dir)
{
	const double pages = store_pages(s), crawled = (double)t->crawled;
	const double hosts = (double)value_bytes(&s->hosts.records);
	const double urls = (double)value_bytes(&s->pages.records);
	const double results = (double)value_bytes(&s->results);
	const double links = (double)value_bytes(&s->links);
	const double log = (double)value_bytes(&s->log);
	struct stat about;
	char path[4096];

	snprintf(path, sizeof path, "%s/data.mdb", dir);
	if (stat(path, &about) != 0)
		die(path, NULL);
	say("graph", pages, "pages");
	say("graph, crawled", crawled, "pages");
	say("graph, links", (double)t->links, "links");
	say("graph, hosts", hosts / pages, "bytes a page");
	say("graph, URLs", urls / pages, "bytes a page");
	say("graph, results", results / crawled, "bytes a crawled page");
	say("graph, links", links / (double)t->links, "bytes a link");
	say("graph, log", log / crawled, "bytes a crawled page");
	say("graph, file", (double)about.st_size / (hosts + urls + results + links + log), "times the values");
	say("graph, file", (double)about.st_size / pages, "bytes a page, all in");
}

static void crawl_graph(const char *dir, const char *graph)
{
	struct arcs g = {0};
	struct store *s;
	struct err_note why;
	struct tally t = {0};
	char path[4000];

	read_graph(&g, graph);
	snprintf(path, sizeof path, "%s/graph", dir);
	if (store_open(&s, path, STORE_WRITE, &why))
		die("open", &why);
	uint8_t *known = mem_zero(g.nodes, 1);
	int64_t start = clock_cpu_ns();
	for (uint32_t u = 0; u < g.nodes; u++)
		if (!known[u] && g.first[u] < g.first[u + 1])
			crawl_from(s, &g, u, known, &t);
	commit_timed(s, &t.commit_ms, &t.commits);
	double ns = (double)(clock_cpu_ns() - start);
	report_sizes(s, &t, path);
	say("graph, CPU", ns / 1e3 / (double)t.crawled, "ms a 1000 crawled pages");
	say("graph, commit", t.commit_ms / t.commits, "ms");
	store_drop(s);
}

static size_t made_url(char *url, uint32_t i)
{
	return (size_t)sprintf(url, "http://www%u.example.org/some/folder/%08x/page%u.html", i % 1000, i * 2654435761u, i);
}

/* Finds a batch of URLs; if they are expected, as many at a time as a store takes. Returns how many are there. */
static uint32_t find_batch(struct store *s, char (*url)[96], const size_t *n, int batch, int are_expected)
{
	struct store_text next[STORE_EXPECT_MOST];
	uint32_t id, found = 0;

	for (int i = 0; i < batch; i++) {
		int k = 0;
		for (; are_expected && i % STORE_EXPECT_MOST == 0 && k < STORE_EXPECT_MOST && i + k < batch; k++)
			next[k] = (struct store_text){url[i + k], n[i + k]};
		if (k)
			store_expect(s, next, (size_t)k);
		found += (uint32_t)store_find(s, url[i], n[i], &id);
	}
	return found;
}

static void ask(struct store *s, uint32_t pages, uint32_t among, const char *name, int missing, int are_expected)
{
	enum { BATCH = 1000 };
	static char url[BATCH][96];
	size_t n[BATCH];
	struct rng r = {among};
	uint32_t found = 0;
	int64_t t = 0;

	for (int round = 0; round < 1000; round++) {
		for (int i = 0; i < BATCH; i++)
			n[i] = made_url(url[i], (uint32_t)rng_below(&r, among) + (missing ? pages : 0));
		int64_t start = clock_cpu_ns();
		found += find_batch(s, url, n, BATCH, are_expected);
		t += clock_cpu_ns() - start;
	}
	if (found != (missing ? 0 : 1000u * BATCH))
		die("lost pages", NULL);
	say(name, (double)t / 1e6, "ns of CPU");
}

static void fill_and_ask(const char *dir, uint32_t pages)
{
	struct store *s;
	struct err_note why;
	char path[4096], url[96];
	double ms = 0;
	int commits = 0;
	int64_t t = 0;

	snprintf(path, sizeof path, "%s/made", dir);
	if (store_open(&s, path, STORE_WRITE, &why))
		die("open", &why);
	struct store_page page = {.url = url, .depth = 2};
	if (store_host(s, "www.example.org", 15, &page.host, &why))
		die("host", &why);
	for (uint32_t i = 0, id; i < pages; i++) {
		if (i % 5000 == 0 && i)
			commit_timed(s, &ms, &commits);
		int64_t start = i % 5000 ? 0 : clock_cpu_ns();
		page.url_length = made_url(url, i);
		if (store_add(s, &page, &id, &why))
			die("add", &why);
		if (start)
			t -= start;
		if (i % 5000 == 4999 || i == pages - 1)
			t += clock_cpu_ns();
	}
	commit_timed(s, &ms, &commits);
	say("add", (double)t / pages, "ns of CPU, making the URL included");
	say("commit of 5000 pages", ms / commits, "ms");
	ask(s, pages, pages, "find, any of all", 0, 0);
	ask(s, pages, pages, "find, any of all, when expected", 0, 1);
	ask(s, pages, 8000, "find, any of 8000", 0, 0);
	ask(s, pages, pages, "find, not there", 1, 0);
	ask(s, pages, pages, "find, not there, when expected", 1, 1);
	say("tags", (double)(s->pages.tags.slots * 8) / pages, "bytes a page");
	double small = 0;
	int n_small = 0;
	for (int i = 0; i < 200; i++) {
		struct log_entry e = {.kind = LOG_SEED, .id = 0};
		if (store_log(s, &e, &why))
			die("log", &why);
		commit_timed(s, &small, &n_small);
	}
	say("commit of one entry", small / n_small, "ms");
	store_drop(s);
	t = clock_cpu_ns();
	if (store_open(&s, path, STORE_WRITE, &why))
		die("open", &why);
	say("open", (double)(clock_cpu_ns() - t) / 1e6 / (pages / 1e6), "ms of CPU a million pages");
	ask(s, pages, pages, "find, any of all, after opening", 0, 0);
	ask(s, pages, pages, "find, any of all, when expected, after opening", 0, 1);
	store_drop(s);
}

static int has_graph(const char *graph)
{
	char path[4096];

	snprintf(path, sizeof path, "%s.urls.gz", graph);
	return access(path, R_OK) == 0;
}

static void forget(const char *dir, const char *store)
{
	static const char *const files[] = {"/data.mdb", "/lock.mdb", "/writer", ""};
	char path[4096];

	for (int i = 0; i < 4; i++) {
		snprintf(path, sizeof path, "%s/%s%s", dir, store, files[i]);
		remove(path);
	}
}

int main(int argc, char **argv)
{
	char own[] = "/tmp/lycosa-bench-XXXXXX";
	const char *graph = TEST_SHARED_DIR "/data/uci-ics-2016-full/uci-ics-2016-full";
	uint64_t pages = 1000000;

	if (argc > 3 && num_count(argv[3], UINT32_MAX / 2, &pages))
		return 2;
	if (argc < 2 && !mkdtemp(own))
		die(own, NULL);
	const char *dir = argc > 1 ? argv[1] : own;
	if (argc > 2)
		graph = argv[2];
	else if (!has_graph(graph))
		graph = "";
	if (*graph)
		crawl_graph(dir, graph);
	fill_and_ask(dir, (uint32_t)pages);
	if (argc < 2) {
		forget(dir, "graph");
		forget(dir, "made");
		rmdir(dir);
	}
	return 0;
}
