/* liblycosa: link graphs, crawl policies, the parsers of a crawler, and the stores of its crawls.
 *
 *	#include <lycosa.h>                         cc $(pkg-config --cflags lycosa) rank.c \
 *	                                               $(pkg-config --libs lycosa)
 *	struct lycosa_note why;
 *	struct lycosa_graph *g;
 *	if (lycosa_graph_open(&g, "cnr-2000", NULL, &why))
 *		fprintf(stderr, "%s\n", why.text);
 *	double *rank = malloc(lycosa_graph_nodes(g) * sizeof *rank);
 *	lycosa_pagerank(g, NULL, rank, &why);
 *	lycosa_graph_close(g);
 *
 * doc/examples has a program for each part of this header.
 *
 * Errors. A function that can fail returns 0 or a negative enum lycosa_error, and writes the cause
 * for a person into the note `why`, which may be NULL. A pointer that the function would have
 * filled is NULL then. The library never ends the process because of its input. If the system
 * refuses memory, the library writes one line to stderr and calls abort().
 *
 * Ownership. Arguments are borrowed for the call. A pointer that a function returns belongs to the
 * object that the function was asked about, and is valid until the object is closed or freed,
 * unless the function says otherwise. Every close and free function accepts NULL.
 *
 * Threads. The library has no state of its own. Any number of threads may use different objects.
 * Threads may share a graph, a replay, a comparison, a page and a robots.txt, whose functions only
 * read; one thread at a time may use a struct lycosa_rows or a struct lycosa_store. A number of
 * threads that a caller asks for (0 means one for each processor) never changes a result.
 *
 * What you must never do:
 *  - use an object, or a pointer that it returned, after its close or free function; free what is the object's;
 *  - use a store that was open before fork() in the child: LMDB forbids it; open the store again there;
 *  - keep a store that is in use on a network file system, or copy its files while a crawl writes them: stop the crawl first;
 *  - shorten or overwrite the file of a graph or a store that is open: files are mapped, and a read behind the new end ends the
 *    process with SIGBUS;
 *  - name a policy as a path ("./mine.so") that you did not build or read: it is code, and runs with the rights of your process;
 *  - let two threads use one struct lycosa_rows or one struct lycosa_store at the same time.
 *
 * Locales. The locale of the process changes neither results nor texts: numbers have a decimal
 * point, and only the letters of ASCII are compared without regard to case. */
#ifndef LYCOSA_H
#define LYCOSA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- errors */

enum lycosa_error {
	LYCOSA_OK = 0,
	LYCOSA_OTHER = -1,
	LYCOSA_USAGE = -2,    /* an argument has a value that it cannot have */
	LYCOSA_FILE = -3,     /* a file cannot be read */
	LYCOSA_FORMAT = -4,   /* a file or a text is malformed */
	LYCOSA_TOO_BIG = -5,  /* a file or a text is larger than allowed */
	LYCOSA_BUSY = -6,     /* a store is in use */
	LYCOSA_DAMAGED = -10, /* a store is damaged */
	LYCOSA_NEWER = -11,   /* a later version wrote a store */
	LYCOSA_NOTHING = -12, /* no seed was found, or a graph is empty */
	LYCOSA_MEMORY = -13   /* no address space for a store */
};

/* The cause of a failure: what failed, where it failed, and what to do, as one line of printable
 * UTF-8 without a full stop. */
struct lycosa_note {
	char text[512];
};

/* Returns the text of an error code, "no error" for 0. The text is static. */
const char *lycosa_error_text(int code);

/* Returns the version of the library, "0.1.0". The text is static. */
const char *lycosa_version(void);

/* Frees a text that lycosa_url_resolve() or lycosa_url_normalise() gave. */
void lycosa_free(void *text);

/* --- graphs */

/* A directed graph of the nodes 0 to nodes - 1 in memory, with the URLs of its nodes if they are
 * known. A graph does not change once it is open. */
struct lycosa_graph;

struct lycosa_graph_options {
	const char *urls;  /* a file with the URL of node i on line i; NULL: x.urls beside graph x */
	const char *hosts; /* a file with the host of node i on line i; NULL: x.hosts likewise */
	unsigned threads;  /* that read the file; 0: one for each processor */
	uint64_t memory;   /* bytes of memory for the arcs, the rest stays on disk; 0: no bound */
	/* NULL: of a damaged store there is no graph. Else the graph is made of the rest, as lycosa_store_open_rest() does,
	 * and says here what is missing */
	struct lycosa_note *missing;
};

/* Opens the graph at a path, whose format the contents and the name tell: a BVGraph (with or
 * without ".graph"), an edge list, Matrix Market, CSR, ASCIIGraph, each plain or compressed, or the
 * folder of a crawl's store; `lycosa list formats` has them all. `options` may be NULL. Errors:
 * LYCOSA_FILE, LYCOSA_FORMAT, LYCOSA_TOO_BIG; for a store also LYCOSA_BUSY (this process has the
 * store open), LYCOSA_DAMAGED, LYCOSA_NEWER, LYCOSA_MEMORY. The caller closes the graph with
 * lycosa_graph_close(). */
int lycosa_graph_open(struct lycosa_graph **graph, const char *path, const struct lycosa_graph_options *options,
	struct lycosa_note *why);

/* Makes a graph of `nodes` nodes from arcs in any order: arc i leads from from[i] to to[i]. Parallel
 * arcs become one. Errors: LYCOSA_USAGE if an id is not below `nodes`, or `nodes` exceeds
 * 2^32 - 2. The caller closes the graph with lycosa_graph_close(). */
int lycosa_graph_from_arcs(struct lycosa_graph **graph, uint32_t nodes, const uint32_t *from, const uint32_t *to, uint64_t arcs,
	struct lycosa_note *why);

/* Frees a graph. */
void lycosa_graph_close(struct lycosa_graph *graph);

/* Return the number of nodes and of arcs. */
uint32_t lycosa_graph_nodes(const struct lycosa_graph *graph);
uint64_t lycosa_graph_arcs(const struct lycosa_graph *graph);

/* Returns the name of the format the graph was read from ("bvgraph", "edges", "store" ...), or
 * "arcs" for a graph from lycosa_graph_from_arcs(). The text is static. */
const char *lycosa_graph_format(const struct lycosa_graph *graph);

/* Returns what a person should know about the file the graph was read from (a heading that was
 * guessed, arcs that are missing), or an empty text. */
const char *lycosa_graph_remark(const struct lycosa_graph *graph);

/* Returns a hash of nodes and arcs, which is the same for the same graph in every format. */
uint64_t lycosa_graph_fingerprint(const struct lycosa_graph *graph);

/* Returns the targets of node u, which must be below the number of nodes, and their number in *n:
 * distinct ids in ascending order, or in the order of the document for a graph from a store. */
const uint32_t *lycosa_graph_row(const struct lycosa_graph *graph, uint32_t u, uint32_t *n);

/* Return all rows in one piece: the targets of node u are targets[offsets[u]] to
 * targets[offsets[u + 1] - 1]. There are nodes + 1 offsets, and as many targets as arcs. */
const uint64_t *lycosa_graph_offsets(const struct lycosa_graph *graph);
const uint32_t *lycosa_graph_targets(const struct lycosa_graph *graph);

/* Returns the URL of node u, which must be below the number of nodes, or NULL if it is unknown. */
const char *lycosa_graph_url(const struct lycosa_graph *graph, uint32_t u);

/* Returns the data set's own number for node u, which is u unless the file numbers its nodes with
 * gaps. u must be below the number of nodes. */
uint64_t lycosa_graph_label(const struct lycosa_graph *graph, uint32_t u);

/* Returns 1 and the node whose label this is in *u, or 0 if no node has the label. */
int lycosa_graph_find(const struct lycosa_graph *graph, uint64_t label, uint32_t *u);

/* --- rows of a graph that is larger than the memory */

/* A BVGraph on disk, whose rows are decoded when they are asked for. Takes 8 bytes of memory for
 * each node. One thread at a time. */
struct lycosa_rows;

/* Opens a BVGraph with its .offsets file. Errors: LYCOSA_FILE if a file is missing, LYCOSA_FORMAT if
 * a file is damaged or belongs to another graph. The caller closes the rows with
 * lycosa_rows_close(). */
int lycosa_rows_open(struct lycosa_rows **rows, const char *path, struct lycosa_note *why);
void lycosa_rows_close(struct lycosa_rows *rows);
uint32_t lycosa_rows_nodes(const struct lycosa_rows *rows);
uint64_t lycosa_rows_arcs(const struct lycosa_rows *rows);

/* Decodes the targets of node u into *targets, *n ascending ids, valid until the next call. Errors:
 * LYCOSA_USAGE if there is no node u, LYCOSA_FORMAT with node and bit if the row is damaged. */
int lycosa_rows_get(struct lycosa_rows *rows, uint32_t u, const uint32_t **targets, uint32_t *n, struct lycosa_note *why);

/* --- kernels */

struct lycosa_pagerank_options {
	double damping;      /* in (0, 1); 0: 0.85 */
	double tolerance;    /* the L1 change at which to stop; 0: 1e-12 */
	unsigned max_sweeps; /* 0: as many as the tolerance takes */
	unsigned threads;    /* 0: one for each processor */
	const double *start; /* a value for each node to start from, of a sum above 0; NULL: all the same */
	unsigned sweeps;     /* result: the sweeps that were done */
	double change;       /* result: the L1 change of the last sweep */
};

/* Computes PageRank with the mass of dangling nodes spread uniformly into rank[nodes], whose sum is
 * 1, by power iteration: |rank - exact| in L1 is at most damping / (1 - damping) * change.
 * `options` may be NULL. Errors: LYCOSA_USAGE for an option out of its range. */
int lycosa_pagerank(const struct lycosa_graph *graph, struct lycosa_pagerank_options *options, double *rank,
	struct lycosa_note *why);

#define LYCOSA_MOST_ITERATIONS 1000000

/* Computes Kleinberg's hubs and authorities into hub[nodes] and authority[nodes], each of L2 norm 1
 * (or all 0 in a graph without arcs), by `iterations` steps from all ones; 0 means 60. Errors:
 * LYCOSA_USAGE for more than LYCOSA_MOST_ITERATIONS. */
int lycosa_hits(const struct lycosa_graph *graph, unsigned iterations, unsigned threads, double *hub, double *authority,
	struct lycosa_note *why);

/* Writes the strongly connected component of each node into component[nodes] and returns the number
 * of components. Components are numbered from 0 in the order of their smallest nodes. */
uint32_t lycosa_scc(const struct lycosa_graph *graph, uint32_t *component);

#define LYCOSA_UNREACHED UINT32_MAX

/* Writes the distance of each node from the nearest of n seeds into level[nodes], LYCOSA_UNREACHED
 * where no path leads, and the number of nodes reached into *reached (which may be NULL). Errors:
 * LYCOSA_USAGE if a seed is no node. */
int lycosa_bfs(const struct lycosa_graph *graph, const uint32_t *seeds, size_t n, uint32_t *level, uint32_t *reached,
	struct lycosa_note *why);

/* --- crawls of a graph under a policy */

#define LYCOSA_MOST_DRAWS 1000000

enum lycosa_page_state {
	LYCOSA_UNSEEN,    /* no link to the page was found yet */
	LYCOSA_QUEUED,    /* the page waits to be crawled */
	LYCOSA_IN_FLIGHT, /* the page was taken from the queue */
	LYCOSA_CRAWLED
};

/* What a policy of the caller's own knows and says in one crawl. The pointers are valid while one of its functions runs. */
struct lycosa_crawl {
	uint32_t nodes;       /* the ids of pages are below this */
	uint32_t crawled;     /* pages */
	uint32_t queued;      /* pages */
	double *key;          /* nodes values, which the policy writes: the queued page of the best key comes next, and of equal
				 keys the page that was discovered first. They begin as first_key of the policy. begin() may put an
				 array of its own here, with all values written, which lasts until end() has returned. */
	const uint8_t *state; /* nodes of enum lycosa_page_state */
	void *mine;           /* the policy's own; NULL before begin() */
};

/* A policy of the caller's own: functions that lycosa calls during a crawl, all of one crawl by one thread. The crawls of a
 * comparison run at the same time, each with a struct lycosa_crawl of its own; with one thread (struct lycosa_crawl_options) one
 * crawl follows the other. A function that is NULL is not called. A function returns 0, or a number below 0, which ends the
 * crawl; the call that runs the crawl then fails with LYCOSA_OTHER. A key that is not finite fails with LYCOSA_USAGE.
 *
 *	static int crawled(struct lycosa_crawl *c, uint32_t page, const uint32_t *links, size_t n)
 *	{
 *		for (size_t i = 0; i < n; i++)      Backlink: the page to which most crawled pages link comes first
 *			c->key[links[i]] += 1;
 *		return 0;
 *	}
 *	const struct lycosa_policy mine = {.name = "mine", .crawled = crawled}; */
struct lycosa_policy {
	const char *name; /* of its crawls in a comparison */
	int lowest_first; /* 1: the best key is the lowest; 0: the highest */
	double first_key;
	void *user; /* is handed to begin() */

	/* Is called before the first page of a crawl is known; sets crawl->mine if the policy has a state. */
	int (*begin)(struct lycosa_crawl *crawl, void *user);
	/* Is called at the end of every crawl of which begin() was called, also of one that failed. */
	void (*end)(struct lycosa_crawl *crawl);
	/* Is called when n pages were queued as seeds. The keys of the seeds are read after it. */
	int (*seeds)(struct lycosa_crawl *crawl, const uint32_t *seeds, size_t n);
	/* Is called after a page was crawled, with its n distinct links in the order of the page. The keys of the links are read
	 * after it; the key of any other page counts from the next rerank() on. */
	int (*crawled)(struct lycosa_crawl *crawl, uint32_t page, const uint32_t *links, size_t n);
	/* Is called at the end of every batch (struct lycosa_crawl_options). The keys of all queued pages are read after it. */
	int (*rerank)(struct lycosa_crawl *crawl);
};

/* What a crawl of a graph is given. A zeroed struct with policy and seeds is enough. */
struct lycosa_crawl_options {
	/* The policy: "opic", "bfs:1000,ieca" (policies take turns), or the path of a shared object,
	 * which may call no function of lycosa. For a comparison, n_policies of them. */
	const char *const *policies;
	size_t n_policies;
	/* Options "key=value" of the policies that have them, or "policy.key=value". */
	const char *const *policy_options;
	size_t n_policy_options;
	/* Where to begin: a rule ("random:100", "random:0.001", "hosts:1", "roots"), or the path of a
	 * file of ids or URLs, a line each; NULL: the nodes of seed_ids. */
	const char *seeds;
	const uint32_t *seed_ids;
	size_t n_seed_ids;
	uint32_t draws;     /* of a comparison: how often seeds "random:" are drawn, LYCOSA_MOST_DRAWS at most; 0: once */
	uint64_t rng_seed;  /* of the first draw, the next one has the next; 0: 1 */
	uint64_t batch;     /* pages between two rankings of a policy; 0: it ranks when the crawl has grown by a tenth */
	uint64_t total;     /* pages the policy is told the web has; 0: none */
	uint64_t max_pages; /* where a crawl ends; 0: when nothing is left */
	unsigned threads;   /* crawls of a comparison at a time; 0: one for each processor */
	/* Policies of the caller's own, n_own of them, which stand behind `policies` in a comparison. A replay takes the first
	 * of all. They are borrowed until the comparison is freed. */
	const struct lycosa_policy *own;
	size_t n_own;
};

/* What the first k pages of a crawl were worth. The k hot pages of a graph are its first k by
 * PageRank. */
struct lycosa_point {
	uint32_t k, crawled; /* crawled: k, or the length of a crawl that ended before */
	double strict;       /* hot pages found / k */
	double discoverable; /* hot pages found / hot pages that the seeds reach, at most k */
	double mass;         /* PageRank found, of 1 */
	double lift;         /* (strict - k/N) / (1 - k/N): 0 is a random order; NAN once all is crawled */
};

/* The order of one crawl. */
struct lycosa_replay;

/* Crawls a graph from the first draw of the seeds under the first of its policies, with the frontier and
 * the loop of the live crawler. The first replay or comparison of a graph computes its PageRank,
 * which the graph keeps. Errors: LYCOSA_USAGE for an unknown policy or option, an id that is no
 * node, or a policy that needs hosts if the graph has none; LYCOSA_NOTHING if no seed is left;
 * LYCOSA_FILE and LYCOSA_FORMAT for a file of seeds. The caller frees the replay with
 * lycosa_replay_free(); it must not outlive the graph. */
int lycosa_replay_run(struct lycosa_replay **replay, const struct lycosa_graph *graph, const struct lycosa_crawl_options *options,
	struct lycosa_note *why);
void lycosa_replay_free(struct lycosa_replay *replay);

/* Returns the pages in the order in which they were crawled, *n distinct nodes. */
const uint32_t *lycosa_replay_order(const struct lycosa_replay *replay, uint32_t *n);

/* Writes the curve of the crawl: point[i] is what its first k pages were worth, k being
 * (i + 1) / n of the nodes, rounded down, and at least 1. */
void lycosa_replay_curve(const struct lycosa_replay *replay, struct lycosa_point *point, size_t n);

/* Returns the mean of `strict` over all k from 1 to the number of nodes. */
double lycosa_replay_auc(const struct lycosa_replay *replay);

/* Crawls by several policies from the same draws of seeds. */
struct lycosa_comparison;

/* One crawl of a comparison. */
struct lycosa_trial {
	const char *policy;               /* its name */
	uint32_t draw;                    /* from 1 */
	uint32_t crawled, seeds;          /* pages */
	double auc;                       /* as lycosa_replay_auc() */
	const struct lycosa_point *curve; /* as lycosa_replay_curve() for points = 100 */
	size_t points;
};

/* Crawls a graph under each of the policies from each draw of the seeds. Errors as
 * lycosa_replay_run(). The caller frees the comparison with lycosa_comparison_free(). */
int lycosa_compare(struct lycosa_comparison **comparison, const struct lycosa_graph *graph,
	const struct lycosa_crawl_options *options, struct lycosa_note *why);
void lycosa_comparison_free(struct lycosa_comparison *comparison);

/* Returns the crawls, *n of them: policy by policy in the order given, draw by draw. */
const struct lycosa_trial *lycosa_comparison_trials(const struct lycosa_comparison *comparison, size_t *n);

/* How two policies of a comparison differ, by the area under the curve on the same draws: what 'lycosa compare' says of them. */
struct lycosa_pair {
	const char *policy, *other;   /* names; the first has the higher mean */
	double difference, low, high; /* mean over the draws, and its 95% interval; NAN for the ends if there is one draw */
	double share;                 /* the share of the draws on which the first is better, equal ones as half */
	double p, holm_p; /* Wilcoxon's signed-rank test, and corrected by Holm's method for all pairs; NAN if there is one draw */
	uint32_t draws;   /* independent ones: 1 if all draws have the same seeds */
	size_t comparisons;  /* the number of pairs, for which p is corrected */
	const char *verdict; /* "better", "worse", "equal" or "too few draws" */
};

/* Returns all pairs of policies, *n of them, by the means of the policies, best first. */
const struct lycosa_pair *lycosa_comparison_pairs(const struct lycosa_comparison *comparison, size_t *n);

/* --- URLs */

/* Resolves a reference of n bytes against the URL `base` (NULL: the reference is absolute) into the
 * canonical http or https URL, without fragment, in *url, which the caller frees with
 * lycosa_free(). Follows the WHATWG URL standard. Errors: LYCOSA_FORMAT if one of the two is no
 * URL, or the result is neither http nor https; LYCOSA_TOO_BIG if a canonical URL exceeds 8,192
 * bytes. */
int lycosa_url_resolve(char **url, const char *reference, size_t n, const char *base, struct lycosa_note *why);

/* Applies rules that most servers allow though no standard promises it to a URL of n bytes. `rules`
 * names them with commas between ("escapes,tracking,sessions,query,slashes,index"), or "all". The
 * caller frees *normal with lycosa_free(). Errors: LYCOSA_USAGE for an unknown rule; those of
 * lycosa_url_resolve(). */
int lycosa_url_normalise(char **normal, const char *url, size_t n, const char *rules, struct lycosa_note *why);

/* --- pages */

/* What an HTML document says. */
struct lycosa_page;

enum lycosa_link_kind {
	LYCOSA_LINK_A,
	LYCOSA_LINK_AREA,
	LYCOSA_LINK_FRAME,
	LYCOSA_LINK_LINK,   /* link[href] */
	LYCOSA_LINK_REFRESH /* meta refresh */
};

struct lycosa_link {
	const char *url; /* canonical */
	enum lycosa_link_kind kind;
	int nofollow; /* 1 if the element has rel=nofollow, else 0 */
};

/* Reads an HTML document of n bytes that came from the URL `address`, with the value of its
 * Content-Type header or NULL. Any bytes are a document. Errors: LYCOSA_FORMAT or LYCOSA_TOO_BIG if
 * the address is no http or https URL. The caller frees the page with lycosa_page_free(). */
int lycosa_page_parse(struct lycosa_page **page, const char *bytes, size_t n, const char *address, const char *content_type,
	struct lycosa_note *why);
void lycosa_page_free(struct lycosa_page *page);

/* Returns the links in the order of the document, repeated ones included, *n of them. */
const struct lycosa_link *lycosa_page_links(const struct lycosa_page *page, size_t *n);

/* Return the document's base URL; the name of its encoding, in lower case; the URL that it says it
 * should be known by, or NULL. */
const char *lycosa_page_base(const struct lycosa_page *page);
const char *lycosa_page_charset(const struct lycosa_page *page);
const char *lycosa_page_canonical(const struct lycosa_page *page);

/* --- robots.txt */

/* The rules of a robots.txt for one agent (RFC 9309). */
struct lycosa_robots;

/* Reads a robots.txt of n bytes for a product token such as "lycosa". Any bytes are a robots.txt;
 * those behind the first 500 KiB do not count. The caller frees the rules with
 * lycosa_robots_free(). */
struct lycosa_robots *lycosa_robots_parse(const char *bytes, size_t n, const char *agent);
void lycosa_robots_free(struct lycosa_robots *robots);

/* Returns 1 if the agent may fetch a URL of the host, 0 if it may not, or LYCOSA_FORMAT or
 * LYCOSA_TOO_BIG if the text is neither an http or https URL nor a path that begins with '/'. */
int lycosa_robots_allowed(const struct lycosa_robots *robots, const char *url, struct lycosa_note *why);

/* Returns the Crawl-delay for the agent in seconds, or -1 if there is none. */
double lycosa_robots_delay(const struct lycosa_robots *robots);

/* Returns the sitemap of number i, from 0, as it is written, or NULL behind the last one. */
const char *lycosa_robots_sitemap(const struct lycosa_robots *robots, size_t i);

/* --- stores */

/* The store of a crawl, as it was when it was opened. One thread at a time; a process can have one
 * handle on a store. */
struct lycosa_store;

struct lycosa_store_page {
	const char *url;
	const char *state;   /* "crawled", "failed", "refused", "redirected", "queued" or "unseen" */
	const char *outcome; /* why: "crawled", "robots", "timeout" ...; "-" if unknown */
	uint16_t status;     /* of HTTP; 0: none */
	uint16_t depth;      /* links from a seed when the page was discovered */
	uint32_t tries;
	uint64_t bytes;  /* of the body */
	int64_t time;    /* of the last attempt, ms since 1970; 0: none */
	uint32_t target; /* the page that a redirect leads to; else LYCOSA_NO_PAGE */
	char digest[33]; /* 32 hexadecimal digits of the body's hash; empty: none */
};

#define LYCOSA_NO_PAGE UINT32_MAX

/* Opens the store in a folder for reading, also while a crawl writes it. Errors: LYCOSA_FILE,
 * LYCOSA_BUSY (this process has the store open), LYCOSA_DAMAGED, LYCOSA_NEWER, LYCOSA_MEMORY. The
 * caller closes the store with lycosa_store_close(). */
int lycosa_store_open(struct lycosa_store **store, const char *folder, struct lycosa_note *why);

/* Opens a store as lycosa_store_open() does; of a damaged one it opens the rest, a salvaged copy in a file for temporary files that
 * has no name, and ends with the store. What it tells is true, and *missing says what is missing; an empty text: nothing. Ids of
 * pages may be others than those of the store before the damage. */
int lycosa_store_open_rest(struct lycosa_store **store, const char *folder, struct lycosa_note *missing, struct lycosa_note *why);
void lycosa_store_close(struct lycosa_store *store);

/* Returns the number of pages, whose ids are 0, 1, 2 ... in the order of their discovery. */
uint32_t lycosa_store_pages(const struct lycosa_store *store);

/* Reads the page of an id. Its URL is valid until the next call of this function. Errors: LYCOSA_USAGE if there
 * is no such page, LYCOSA_DAMAGED. */
int lycosa_store_page(struct lycosa_store *store, uint32_t id, struct lycosa_store_page *page, struct lycosa_note *why);

/* Returns 1 and the id of a canonical URL of n bytes in *id, or 0 if the crawl never saw it. The
 * first call takes 12 bytes of memory for each page. */
int lycosa_store_find(struct lycosa_store *store, const char *url, size_t n, uint32_t *id);

/* Returns the pages that a page links to, *n distinct ids in the order of the document, valid until
 * the next call of this function; *n is 0 if the page was not crawled. */
const uint32_t *lycosa_store_links(struct lycosa_store *store, uint32_t id, size_t *n);

/* Returns a setting of the crawl ("policy", "scope" ...), or NULL if there is none. */
const char *lycosa_store_setting(struct lycosa_store *store, const char *name);

#ifdef __cplusplus
}
#endif

#endif
