#include "lab/study/dataset.h"
#include "base/ascii.h"
#include "base/mem.h"
#include "base/num.h"
#include "crawler/live/live_import.h"
#include "frontier/policy.h"
#include "graph/catalogue.h"
#include "parser/url.h"
#include "simweb/endless_graph.h"
#include "storage/store.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

/* --- a store as a graph */

#define ALIAS_STEPS 32 /* of a chain of redirects */

/* Returns for each page the page at the end of its redirects, and sets the states of the pages. */
static uint32_t *read_aliases(struct store *s, uint32_t n, uint8_t *state)
{
	uint32_t *alias = mem_new(n, sizeof *alias);
	struct result r;

	for (uint32_t i = 0; i < n; i++) {
		alias[i] = i;
		if (!store_result(s, i, &r))
			continue;
		state[i] = r.state;
		if (r.state == PAGE_REDIRECTED && r.target < n)
			alias[i] = r.target;
	}
	for (uint32_t i = 0; i < n; i++)
		for (int step = 0; step < ALIAS_STEPS && alias[alias[i]] != alias[i]; step++)
			alias[i] = alias[alias[i]];
	return alias;
}

/* The anchor texts of all arcs, as they are read. */
struct anchors {
	struct buf text;
	size_t *start;
	size_t room;
};

static void read_anchor(struct store *s, uint32_t u, size_t place, size_t arc, struct anchors *out)
{
	size_t n;
	const char *anchor = store_anchor(s, u, place, &n);

	out->start = mem_grow(out->start, &out->room, arc + 1, sizeof *out->start);
	out->start[arc] = out->text.used;
	buf_add(&out->text, anchor, n + 1);
}

typedef size_t links_fn(struct store *, uint32_t id, const uint32_t **links, const uint8_t **kinds);

/* Reads the rows in document order, with aliases followed, and drops the links that are then duplicates. Returns the kinds of
 * the arcs, and reads their anchor texts unless `anchors` is NULL. */
static uint8_t *read_rows(struct store *s, uint32_t n, const uint32_t *alias, struct graph *g, links_fn *read,
	struct anchors *anchors)
{
	uint64_t *offset = mem_new((size_t)n + 1, sizeof *offset);
	uint32_t *target = NULL, *seen_on = mem_zero(n, sizeof *seen_on);
	uint8_t *kind = NULL;
	size_t arcs = 0, room = 0, kind_room = 0;

	for (uint32_t u = 0; u < n; u++) {
		const uint32_t *links;
		const uint8_t *kinds;
		offset[u] = arcs;
		const size_t m = read(s, u, &links, &kinds);
		target = mem_grow(target, &room, arcs + m, sizeof *target);
		kind = mem_grow(kind, &kind_room, arcs + m + 1, sizeof *kind);
		for (size_t i = 0; i < m; i++) {
			if (links[i] >= n)
				continue;
			uint32_t v = alias[links[i]];
			if (seen_on[v] == u + 1)
				continue;
			seen_on[v] = u + 1;
			if (anchors)
				read_anchor(s, u, i, arcs, anchors);
			kind[arcs] = kinds ? kinds[i] : 0;
			target[arcs++] = v;
		}
	}
	offset[n] = arcs;
	free(seen_on);
	graph_take_rows(g, n, offset, target, 0);
	return kind;
}

/* Returns the scores of a crawl with a score command; NULL if it had none. */
static double *read_scores(struct store *s, uint32_t n)
{
	const char *command = store_get(s, "score-cmd");
	struct result r;

	if (!command || !*command)
		return NULL;
	double *score = mem_new(n, sizeof *score);
	for (uint32_t u = 0; u < n; u++)
		score[u] = store_result(s, u, &r) && r.is_scored ? r.score : (double)NAN;
	return score;
}

/* Returns the number of uncrawled pages that each node links to; see dataset.uncrawled. The caller frees the array. The graph's
 * rows are distinct and its aliases are resolved. */
static uint32_t *count_uncrawled(const struct graph *g, const uint8_t *state, const uint8_t *outside)
{
	uint32_t *uncrawled = mem_zero(g->nodes, sizeof *uncrawled);

	for (uint32_t u = 0; u < g->nodes; u++)
		for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++)
			uncrawled[u] += state[g->target[a]] != PAGE_CRAWLED && state[g->target[a]] != PAGE_REDIRECTED &&
				!outside[g->target[a]];
	return uncrawled;
}

/* Reads the URLs and hosts of a store's pages. */
static void read_names(struct store *s, uint32_t n, struct names *names)
{
	struct buf text = BUF_EMPTY, hosts = BUF_EMPTY;

	names->nodes = n;
	names->start = mem_new(n, sizeof *names->start);
	names->host = mem_new(n, sizeof *names->host);
	names->hosts = store_hosts(s);
	names->host_start = mem_new(names->hosts, sizeof *names->host_start);
	for (uint32_t h = 0; h < names->hosts; h++) {
		names->host_start[h] = hosts.used;
		const char *name = store_host_name(s, h);
		buf_text(&hosts, name ? name : ""); /* store_close() tells of one that cannot be read */
		buf_byte(&hosts, 0);
	}
	for (uint32_t i = 0; i < n; i++) {
		struct store_page page = {0};
		names->start[i] = text.used;
		if (store_page(s, i, &page))
			buf_add(&text, page.url, page.url_length);
		buf_byte(&text, 0);
		names->host[i] = page.host < names->hosts ? page.host : 0;
	}
	names->text = buf_take(&text);
	names->host_text = buf_take(&hosts);
}

/* Reads a crawl's store as a graph: its pages with links, names, anchors and scores. Pages that failed or were refused are nodes
 * that cannot be crawled. */
static int from_store(struct dataset *d, const char *dir, const struct dataset_where *where, struct err_note *why)
{
	struct anchors anchors = {.text = BUF_EMPTY};
	struct store *s;
	int err = where->damaged ? store_open_rest(&s, dir, &d->rest, &d->missing, why) : store_open(&s, dir, STORE_READ, why);

	if (err)
		return err;
	uint32_t n = store_pages(s);
	uint8_t *state = mem_zero(n, 1);
	d->format = "store";
	d->alias = read_aliases(s, n, state);
	const char *keeps = store_get(s, "keep-anchors");
	const int with_anchors = keeps && *keeps;
	d->kinds = read_rows(s, n, d->alias, &d->graph, where->made_up ? store_links : store_web_links,
		with_anchors ? &anchors : NULL);
	d->anchors = with_anchors ? buf_take(&anchors.text) : NULL;
	d->anchor_start = anchors.start;
	d->score = read_scores(s, n);
	read_names(s, n, &d->names);
	d->outside = mem_zero(n, 1);
	d->crawled = mem_new(n, 1);
	for (uint32_t i = 0; i < n; i++) {
		struct store_page page = {0};
		d->crawled[i] = state[i] == PAGE_CRAWLED;
		if (state[i] == PAGE_FAILED || state[i] == PAGE_REFUSED)
			d->outside[i] = state[i];
		else if (state[i] == PAGE_UNSEEN && store_page(s, i, &page) && page.refusal)
			d->outside[i] = PAGE_OUTSIDE;
	}
	d->uncrawled = count_uncrawled(&d->graph, state, d->outside);
	free(state);
	err = store_close(s, 0, why);
	if (err)
		dataset_release(d);
	return err;
}

/* --- archives */

/* Removes a folder with the files in it. */
static void remove_folder(const char *dir)
{
	struct dirent **entry = NULL;
	const int n = scandir(dir, &entry, NULL, NULL);

	for (int i = 0; i < n; i++) {
		char *path = buf_made("%s/%s", dir, entry[i]->d_name);
		(void)!unlink(path);
		free(path);
		free(entry[i]);
	}
	free(entry);
	(void)!rmdir(dir);
}

/* Reads archives as a graph: they become the store of a crawl, in a temporary folder, and then that is read. */
static int from_archives(struct dataset *d, const struct dataset_where *where, const struct warc_files *files,
	const struct graph_space *space, struct err_note *why)
{
	if (!where->import)
		return err_set(why, ERR_FORMAT, "'%s' is an archive: 'lycosa import' makes a store of it, which is a graph",
			where->graph);
	const char *usual = getenv("TMPDIR");
	AUTO_FREE char *dir = buf_made("%s/lycosa-import-XXXXXX", space->folder ? space->folder : usual && *usual ? usual : "/tmp");
	struct import_counts counts;
	AUTO(buf) missing = BUF_EMPTY;
	int err = 0;

	if (!mkdtemp(dir))
		err = err_set(why, ERR_FILE, "cannot make a folder as '%s': %s", dir, ascii_error(errno));
	if (!err)
		err = where->import(dir, files, where->threads, &counts, why);
	if (!err)
		import_tell_missing(&counts, &missing);
	if (!err && !counts.captures)
		err = err_set(why, ERR_NOTHING, "the archive '%s' has no page of the Web%s", files->path[0],
			missing.used ? missing.at : "");
	if (!err)
		err = from_store(d, dir, &(struct dataset_where){0}, why);
	if (!err) {
		d->format = "archive";
		if (missing.used)
			err_set(&d->odd, ERR_FORMAT, "%s", missing.at + 2);
	}
	remove_folder(dir);
	return err;
}

/* --- an endless web */

#define ENDLESS "endless:"
#define NODES   "nodes="

int dataset_is_endless(const char *graph)
{
	return strncmp(graph, ENDLESS, strlen(ENDLESS)) == 0;
}

/* Takes "nodes=N" out of a list of settings. */
static int take_nodes(char *list, uint64_t *nodes, struct err_note *why)
{
	char *item = list;

	*nodes = DATASET_ENDLESS_NODES;
	while (strncmp(item, NODES, strlen(NODES)) != 0) {
		item = strchr(item, ',');
		if (!item)
			return 0;
		item++;
	}
	char *value = item + strlen(NODES), *end = value + strcspn(value, ","), *rest = end + (*end == ',');
	*end = 0;
	if (num_count(value, GRAPH_MAX_NODES, nodes) || !*nodes)
		return err_set(why, ERR_USAGE, "the part of an endless web has nodes=N pages, not '%s'", value);
	memmove(item, rest, strlen(rest) + 1);
	if (!*item && item > list)
		item[-1] = 0;
	return 0;
}

/* Makes a graph of the first pages of a web without end. */
static int from_endless(struct dataset *d, const char *text, struct err_note *why)
{
	AUTO_FREE char *list = mem_text(text + strlen(ENDLESS));
	struct endless web;
	uint64_t nodes;

	TRY(take_nodes(list, &nodes, why));
	TRY(endless_parse(&web, list, why));
	d->format = "endless";
	d->part = mem_new(1, sizeof *d->part);
	endless_part_make(d->part, &web, (uint32_t)nodes, &d->graph, &d->names);
	return 0;
}

/* --- files */

/* Reads URLs or hosts from the file that the user names, or else from the file beside the graph, if there is one. */
static int read_names_beside(struct dataset *d, const struct dataset_where *where, struct err_note *why)
{
	char *beside = NULL;
	int err = 0;

	if (where->urls)
		return names_from_urls(&d->names, where->urls, d->graph.nodes, why);
	if (where->hosts)
		return names_from_hosts(&d->names, where->hosts, d->graph.nodes, why);
	if (strcmp(where->graph, "-") != 0 && names_beside(where->graph, &beside)) {
		err = strstr(beside, ".hosts") || strstr(beside, "-vertices.txt")
			? names_from_hosts(&d->names, beside, d->graph.nodes, why)
			: names_from_urls(&d->names, beside, d->graph.nodes, why);
		free(beside);
	}
	return err;
}

/* Counts the lines of --urls or --hosts into *nodes, which is then the number of nodes, nodes without links included; 0 without
 * these files. */
static int count_names(const struct dataset_where *where, uint32_t *nodes, struct err_note *why)
{
	AUTO(names) names = {0};
	int err = where->urls  ? names_from_urls(&names, where->urls, 0, why)
		: where->hosts ? names_from_hosts(&names, where->hosts, 0, why)
			       : 0;

	*nodes = names_hint(&names);
	return err;
}

/* Leaves the names that a graph file has itself to those that the user gives, which is possible if the file numbers its nodes. */
static int drop_own_names(struct dataset *d, const struct dataset_where *where, struct err_note *why)
{
	if (d->names.nodes && !d->names.id)
		return err_set(why, ERR_USAGE,
			"'%s' names its nodes itself, and does not number them: leave out --urls and --hosts", where->graph);
	names_release(&d->names);
	return 0;
}

/* Says whether the names that the user gives by ids leave a node without one. */
static int check_names(const struct dataset *d, const char *file, struct err_note *why)
{
	for (uint32_t u = 0; u < d->graph.nodes; u++)
		if (!*(d->names.text ? names_url(&d->names, u) : names_host(&d->names, u)))
			return err_set(why, ERR_FORMAT, "'%s' has no name of the node %llu", file,
				(unsigned long long)graph_label(&d->graph, u));
	return 0;
}

/* Brings the names to their nodes. Names without ids are a line a node: the nodes must then be 0, 1, 2 ... or 1, 2, 3 ... */
static int arrange_names(struct dataset *d, const struct dataset_where *where, struct err_note *why)
{
	const char *given = where->urls ? where->urls : where->hosts;
	const struct graph *g = &d->graph;
	const int has_ids = d->names.id != NULL;

	if (!has_ids && d->names.nodes && g->label && g->label[g->nodes - 1] != g->nodes)
		return err_set(why, ERR_FORMAT,
			"'%s' has a name for each node, but the ids are not 0 to %u or 1 to %u, the last one is %llu: lines 'ID NAME' are needed",
			where->graph, g->nodes - 1, g->nodes, (unsigned long long)g->label[g->nodes - 1]);
	const int is_turned = d->names.is_turned;
	const uint64_t strangers = names_arrange(&d->names, g);
	if (is_turned)
		err_set(&d->odd, ERR_FORMAT, "the hosts of '%s' are taken as reversed, com.example for example.com",
			given ? given : where->graph);
	if (strangers)
		err_set(&d->odd, ERR_FORMAT, "%llu names of '%s' are of no node", (unsigned long long)strangers,
			given ? given : where->graph);
	return given && has_ids ? check_names(d, given, why) : 0;
}

int dataset_open(struct dataset *d, const struct dataset_where *where, struct err_note *why)
{
	const struct graph_space unbounded = {0};

	return dataset_open_within(d, where, &unbounded, why);
}

/* Opens a graph file, and its names. */
static int from_file(struct dataset *d, const struct dataset_where *where, const struct graph_space *space, struct err_note *why)
{
	struct graph_load load = {.threads = where->threads, .space = *space, .odd = &d->odd, .names = &d->names};
	const struct graph_format *format = NULL;

	TRY(count_names(where, &load.nodes_hint, why));
	TRY(graph_open(where->graph, &load, &d->graph, &format, why));
	d->format = format->name;
	if (where->urls || where->hosts)
		TRY(drop_own_names(d, where, why));
	if (!d->names.nodes)
		TRY(read_names_beside(d, where, why));
	return arrange_names(d, where, why);
}

/* Opens the files of a graph of the catalogue. */
static int from_catalogue(struct dataset *d, const struct dataset_where *where, const struct graph_space *space,
	struct err_note *why)
{
	const struct catalogue_row *row = catalogue_named(where->graph, why);
	struct dataset_where here = *where;

	if (!row)
		return ERR_USAGE;
	if (!catalogue_is_here(row))
		return err_set(why, ERR_FILE, "'%s' is not here: `lycosa data get %s` fetches it", where->graph, row->name);
	AUTO_FREE char *path = catalogue_path(row);
	here.graph = path;
	return from_file(d, &here, space, why);
}

int dataset_open_within(struct dataset *d, const struct dataset_where *where, const struct graph_space *space, struct err_note *why)
{
	*d = (struct dataset){0};
	if (dataset_is_endless(where->graph))
		return from_endless(d, where->graph, why);
	if (store_is(where->graph))
		return from_store(d, where->graph, where, why);
	struct warc_files archives;
	if (warc_files_find(&archives, where->graph)) {
		const int err = from_archives(d, where, &archives, space, why);
		warc_files_release(&archives);
		return err;
	}
	const int err = catalogue_is(where->graph) ? from_catalogue(d, where, space, why) : from_file(d, where, space, why);
	if (err)
		dataset_release(d);
	return err;
}

uint8_t *dataset_barred(const struct dataset *d)
{
	uint8_t *barred = d->crawled ? mem_new(d->graph.nodes, sizeof *barred) : NULL;

	for (uint32_t v = 0; barred && v < d->graph.nodes; v++)
		barred[v] = !d->crawled[v];
	return barred;
}

void dataset_release(struct dataset *d)
{
	graph_release(&d->reverse);
	graph_release(&d->graph);
	names_release(&d->names);
	free(d->outside);
	free(d->kinds);
	free(d->score);
	free(d->anchors);
	free(d->anchor_start);
	free(d->crawled);
	free(d->uncrawled);
	free(d->alias);
	if (d->part)
		endless_part_release(d->part);
	free(d->part);
	*d = (struct dataset){0};
}

const struct graph *dataset_reverse(struct dataset *d, unsigned threads)
{
	if (!d->reverse.offset)
		graph_transpose(&d->graph, &d->reverse, threads);
	return &d->reverse;
}

const char *dataset_url(const struct dataset *d, uint32_t node)
{
	return d->names.nodes ? names_url(&d->names, node) : NULL;
}

unsigned dataset_sights(const struct dataset *d)
{
	return POLICY_SEES_FINDERS | POLICY_SEES_ORDER | (d->names.host ? POLICY_SEES_HOSTS : 0u) |
		(d->names.text ? POLICY_SEES_URLS : 0u) | (d->kinds ? POLICY_SEES_KINDS : 0u) |
		(d->score ? POLICY_SEES_SCORES : 0u) | (d->anchors ? POLICY_SEES_ANCHORS : 0u);
}

/* The hash of what a node is found by. Nodes with equal hashes are told apart by the texts themselves. */
struct page_key {
	uint64_t hash;
	uint32_t node;
};

enum part { WHOLE, PATH };

/* Makes the text by which a URL is found: its canonical form without user and password, or the part of it from the path on. What is
 * no URL stays as it is. The text is valid until the next call with the same *u. */
static const char *found_by(struct url *u, const char *url, enum part part, size_t *n)
{
	*n = strlen(url);
	if (url_parse(u, url, *n, NULL) != URL_OK)
		return url;
	url_drop_user(u);
	*n = u->text.used - (part == PATH ? u->path : 0);
	return u->text.at + (part == PATH ? u->path : 0);
}

static int compare_keys(const void *a, const void *b)
{
	const struct page_key *x = a, *y = b;

	return x->hash != y->hash ? (x->hash > y->hash) - (x->hash < y->hash) : (x->node > y->node) - (x->node < y->node);
}

static struct page_key *make_table(const struct names *names, enum part part)
{
	struct page_key *key = mem_new(names->nodes + (size_t)1, sizeof *key);
	struct url u = URL_EMPTY;
	size_t n;

	for (uint32_t i = 0; i < names->nodes; i++) {
		const char *text = found_by(&u, names_url(names, i), part, &n);
		key[i] = (struct page_key){XXH3_64bits(text, n), i};
	}
	url_release(&u);
	qsort(key, names->nodes, sizeof *key, compare_keys);
	return key;
}

/* Returns the index of the first key with at least this hash. */
static uint32_t first_key(const struct page_key *key, uint32_t n, uint64_t hash)
{
	uint32_t low = 0, high = n;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		if (key[middle].hash < hash)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Searches a table for n bytes of text. Returns the number of nodes that are found by them; *node is the one whose URL is
 * `exact` if there is one, and otherwise the first. */
static size_t search(const struct names *names, const struct page_key *key, enum part part, const char *text, size_t n,
	const char *exact, uint32_t *node)
{
	const uint64_t hash = XXH3_64bits(text, n);
	AUTO(url) u = URL_EMPTY;
	size_t found = 0, length;

	for (uint32_t i = first_key(key, names->nodes, hash); i < names->nodes && key[i].hash == hash; i++) {
		const char *url = names_url(names, key[i].node), *its = found_by(&u, url, part, &length);
		if (length != n || memcmp(its, text, n) != 0)
			continue;
		if (!found++ || strcmp(url, exact) == 0)
			*node = key[i].node;
		if (strcmp(url, exact) == 0)
			break;
	}
	return found;
}

/* Finds the node whose label is the path of a URL. */
static int find_label(const struct graph *g, const char *url, uint32_t *node)
{
	const char *host = *url == '/' ? NULL : strstr(url, "://"), *path = host ? strchr(host + 3, '/') : url;
	uint64_t label;

	return path && *path == '/' && num_count(path + 1, UINT64_MAX, &label) == 0 && graph_find_label(g, label, node);
}

int page_index_find(struct page_index *x, const char *url, uint32_t *node)
{
	const struct names *names = &x->data->names;
	AUTO(url) u = URL_EMPTY;
	size_t n, found;

	if (!names->text)
		return find_label(&x->data->graph, url, node);
	if (*url == '/') {
		if (!x->by_path)
			x->by_path = make_table(names, PATH);
		return search(names, x->by_path, PATH, url, strlen(url), "", node) == 1;
	}
	if (!x->by_url)
		x->by_url = make_table(names, WHOLE);
	const char *text = found_by(&u, url, WHOLE, &n);
	found = search(names, x->by_url, WHOLE, text, n, url, node);
	return found > 0;
}

void page_index_release(struct page_index *x)
{
	free(x->by_url);
	free(x->by_path);
	x->by_url = x->by_path = NULL;
}
