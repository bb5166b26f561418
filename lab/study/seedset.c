#include "lab/study/seedset.h"
#include "base/ascii.h"
#include "base/input.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "base/num.h"
#include "base/rng.h"
#include "lab/replay/graph_source.h"
#include "lab/study/dataset.h"
#include "graph/kernels/scc.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SAMPLE "sample:"

struct collector {
	struct seedset *set;
	size_t room, room_tried;
	unsigned char *taken; /* a byte a node */
	const struct dataset *data;
};

/* Adds a seed once, or the page for which it is an alias. A page that failed or was refused in the store is barred: it is counted,
 * and only in `tried`. */
static void add(struct collector *c, uint32_t node)
{
	struct seedset *s = c->set;

	if (c->data->alias)
		node = c->data->alias[node];
	if (c->taken[node])
		return;
	const uint8_t fate = c->data->outside ? c->data->outside[node] : 0;
	c->taken[node] = 1;
	if (c->data->outside && fate != PAGE_OUTSIDE) {
		s->tried = mem_grow(s->tried, &c->room_tried, s->n_tried + 1, sizeof *s->tried);
		s->tried[s->n_tried++] = node;
	}
	if (fate) {
		s->barred++;
		return;
	}
	s->ids = mem_grow(s->ids, &c->room, s->n + 1, sizeof *s->ids);
	s->ids[s->n++] = node;
}

/* --- rules: they name fetched pages alone */

/* Draws m pages of those that were fetched, `fetched` in all. */
static void draw(struct collector *c, uint32_t fetched, uint32_t m, uint64_t rng_seed)
{
	const uint32_t nodes = c->data->graph.nodes;
	struct rng rng = {rng_seed};
	uint32_t *drawn = mem_new(m, sizeof *drawn), *page = mem_new(fetched, sizeof *page), n = 0;

	for (uint32_t v = 0; v < nodes; v++)
		if (dataset_fetched(c->data, v))
			page[n++] = v;
	rng_sample(&rng, fetched, m, drawn);
	for (uint32_t i = 0; i < m; i++)
		add(c, page[drawn[i]]);
	free(page);
	free(drawn);
}

/* Adds random pages, their number or their share given by `what`. */
static int add_random(struct collector *c, const char *what, uint64_t rng_seed, struct err_note *why)
{
	uint32_t nodes = 0;
	double number;

	if (num_real(what, &number) || number <= 0 || (number >= 1 && number != floor(number)))
		return err_set(why, ERR_USAGE, "seeds 'random:%s': a number of nodes, or a fraction below 1, is wanted", what);
	for (uint32_t v = 0; v < c->data->graph.nodes; v++)
		nodes += dataset_fetched(c->data, v);
	if (number > nodes)
		return err_set(why, ERR_USAGE, "seeds 'random:%s': the graph has only %u %s", what, nodes,
			c->data->crawled ? "pages that were fetched" : "nodes");
	const uint32_t m = (uint32_t)(number < 1 ? number * nodes : number);
	if (nodes)
		draw(c, nodes, m ? m : 1, rng_seed);
	return 0;
}

/* Adds the first pages of each host. */
static int add_by_host(struct collector *c, const char *what, struct err_note *why)
{
	const struct names *names = &c->data->names;
	uint64_t each;

	if (num_count(what, UINT32_MAX, &each) || !each)
		return err_set(why, ERR_USAGE, "seeds 'hosts:%s': a number of pages is wanted", what);
	if (!names->nodes)
		return err_set(why, ERR_USAGE, "seeds 'hosts:%s': the graph has no hosts; name them with --urls or --hosts", what);
	AUTO_FREE uint32_t *count = mem_zero(names->hosts, sizeof *count);
	for (uint32_t i = 0; i < names->nodes; i++)
		if (dataset_fetched(c->data, i) && count[names->host[i]]++ < each)
			add(c, i);
	return 0;
}

/* Adds a page of each strongly connected component that no other component links to: together they reach all pages. */
static void add_roots(struct collector *c)
{
	const struct graph *g = &c->data->graph;
	AUTO_FREE uint32_t *component = mem_new(g->nodes, sizeof *component);
	uint32_t n = scc(g, component);
	AUTO_FREE unsigned char *entered = mem_zero(n, 1);

	for (uint32_t u = 0; u < g->nodes; u++)
		for (uint32_t i = 0; i < graph_outdegree(g, u); i++)
			if (component[graph_row(g, u)[i]] != component[u])
				entered[component[graph_row(g, u)[i]]] = 1;
	for (uint32_t u = 0; u < g->nodes; u++) {
		if (entered[component[u]] || !dataset_fetched(c->data, u))
			continue;
		add(c, u);
		entered[component[u]] = 1; /* one page of each */
	}
}

/* Returns the method that "METHOD:N" names; NULL if it names none. */
static const struct seed_method *method_of(const char *spec)
{
	const size_t n = strcspn(spec, ":");

	for (size_t i = 0; spec[n] && seed_methods[i]; i++)
		if (strlen(seed_methods[i]->name) == n && strncmp(seed_methods[i]->name, spec, n) == 0)
			return seed_methods[i];
	return NULL;
}

/* Adds the seeds of a method, "name:number". */
static int add_by_method(struct collector *c, const struct seed_method *m, const char *spec, uint64_t rng_seed,
	struct err_note *why)
{
	const struct dataset *d = c->data;
	struct seed_output found = {0};
	uint64_t k;

	if (num_count(strchr(spec, ':') + 1, UINT32_MAX, &k) || !k)
		return err_set(why, ERR_USAGE, "seeds '%s': a number of seeds is wanted", spec);
	AUTO_FREE uint8_t *barred = dataset_barred(d);
	const struct seed_input given = {.host = d->names.nodes ? d->names.host : NULL,
		.barred = barred,
		.threads = 1,
		.rng_seed = rng_seed};
	const int err = method_seeds(m, d, &given, k, &found, why);
	for (size_t i = 0; !err && i < found.n; i++)
		add(c, found.seed[i]);
	seed_output_release(&found);
	return err;
}

/* --- files */

int seed_line_parse(char *line, struct seed_line *out)
{
	char *end = line + strlen(line);

	*out = (struct seed_line){NULL, NULL};
	while (end > line && ascii_is_space(end[-1]))
		*--end = 0;
	while (ascii_is_space(*line))
		line++;
	if (!*line || *line == '#')
		return 0;
	size_t digits = strspn(line, "0123456789");
	if (digits && (!line[digits] || line[digits] == '\t')) {
		out->id = line;
		if (line[digits]) {
			line[digits] = 0;
			out->url = line + digits + 1;
			((char *)out->url)[strcspn(out->url, "\t")] = 0;
		}
	} else {
		out->url = line;
	}
	return 1;
}

/* Adds the seed of a line, by URL where the graph has URLs, and by id if not. A URL that the graph does not have is counted as
 * missing. */
static int add_line(struct collector *c, const struct seed_line *line, struct page_index *urls, const struct input *in,
	struct err_note *why)
{
	uint64_t label;
	uint32_t node;

	if (line->url && c->data->names.text) {
		if (page_index_find(urls, line->url, &node))
			add(c, node);
		else
			c->set->missing++;
		return 0;
	}
	if (!line->id)
		return err_set(why, ERR_USAGE, "%s:%llu: '%s' is no node id, and the graph has no URLs", input_path(in),
			(unsigned long long)input_line_number(in), line->url);
	if (num_count(line->id, UINT64_MAX, &label) || !graph_find_label(&c->data->graph, label, &node))
		return err_set(why, ERR_USAGE, "%s:%llu: no node '%s' in the graph", input_path(in),
			(unsigned long long)input_line_number(in), line->id);
	add(c, node);
	return 0;
}

/* Adds the seeds of a file, a line each. */
static int add_file(struct collector *c, const char *path, struct err_note *why)
{
	struct page_index urls = {.data = c->data};
	struct input *in;
	struct seed_line entry;
	char *line;
	size_t n;
	int err = input_open(&in, path, why);

	if (err)
		return err;
	while ((err = input_line(in, &line, &n, why)) > 0) {
		if (!seed_line_parse(line, &entry))
			continue;
		err = add_line(c, &entry, &urls, in, why);
		if (err)
			break;
	}
	page_index_release(&urls);
	input_close(in);
	return err;
}

/* --- samples */

static int compare_places(const void *a, const void *b)
{
	const uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;

	return (i > j) - (i < j);
}

/* Adds the random `share` of the pages of a set, in their order. */
static void add_part(struct collector *c, const struct seedset *whole, double share, uint64_t rng_seed)
{
	size_t all;
	const uint32_t *page = seedset_pages(whole, &all);
	const uint32_t n = (uint32_t)all, m = (uint32_t)fmax(1, share * n);
	AUTO_FREE uint32_t *drawn = mem_new(m, sizeof *drawn);
	struct rng rng = {rng_seed};

	rng_sample(&rng, n, m, drawn);
	qsort(drawn, m, sizeof *drawn, compare_places);
	for (uint32_t i = 0; i < m; i++)
		add(c, page[drawn[i]]);
}

/* Adds the pages of "F:RULE". */
static int add_sample(struct collector *c, const char *what, uint64_t rng_seed, struct err_note *why)
{
	const char *rule = strchr(what, ':');
	char *number = mem_part(what, rule ? (size_t)(rule - what) : strlen(what));
	AUTO(seedset) whole = {0};
	double share = 0;
	const int is_share = rule && num_real(number, &share) == 0 && share > 0 && share < 1;

	free(number);
	if (!is_share)
		return err_set(why, ERR_USAGE,
			"seeds 'sample:%s': a fraction below 1 and a rule are wanted, as in sample:0.5:roots", what);
	if (strncmp(rule + 1, SAMPLE, strlen(SAMPLE)) == 0)
		return err_set(why, ERR_USAGE, "seeds 'sample:%s': a sample of a sample is none", what);
	int err = seedset_read(&whole, rule + 1, c->data, rng_seed, why);
	if (!err && whole.n)
		add_part(c, &whole, share, rng_seed);
	c->set->missing += whole.missing;
	return err;
}

int seedset_is_drawn(const char *spec)
{
	return strncmp(spec, "random:", 7) == 0 || strncmp(spec, SAMPLE, strlen(SAMPLE)) == 0;
}

/* Replaces the error of a file of seeds that is not there, if its name is nearly a rule's. */
static int no_file(const char *spec, int err, struct err_note *why)
{
	static const char *const rules[] = {"random", "hosts", "roots", "sample"};
	AUTO_FREE char *word = mem_text(spec);
	const char *best = NULL;
	size_t distance = 0;

	word[strcspn(word, ":")] = 0;
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
		nearest_try(word, rules[i], &best, &distance);
	for (size_t i = 0; seed_methods[i]; i++)
		nearest_try(word, seed_methods[i]->name, &best, &distance);
	if (access(spec, F_OK) != 0 && nearest_is_near(word, distance))
		err = err_set(why, err, "seeds '%s': there is no such file, and no such rule; the nearest rule is '%s%s'", spec,
			best, strcmp(best, "roots") ? ":N" : "");
	return err;
}

static int no_seed(const struct seedset *set, const char *spec, struct err_note *why)
{
	if (!set->missing && !set->barred)
		return err_set(why, ERR_NOTHING, "no seed found: '%s' names no page", spec);
	return err_set(why, ERR_NOTHING,
		"no seed found: of the pages of '%s' %zu are not in the graph, %zu were not fetched by its crawl", spec,
		set->missing, set->barred);
}

int seedset_read(struct seedset *set, const char *spec, const struct dataset *data, uint64_t rng_seed, struct err_note *why)
{
	struct collector c = {.set = set, .taken = mem_zero(data->graph.nodes, 1), .data = data};
	int err = 0;

	*set = (struct seedset){0};
	if (strncmp(spec, SAMPLE, strlen(SAMPLE)) == 0)
		err = add_sample(&c, spec + strlen(SAMPLE), rng_seed, why);
	else if (seedset_is_drawn(spec))
		err = add_random(&c, spec + 7, rng_seed, why);
	else if (strncmp(spec, "hosts:", 6) == 0)
		err = add_by_host(&c, spec + 6, why);
	else if (strcmp(spec, "roots") == 0)
		add_roots(&c);
	else if (method_of(spec))
		err = add_by_method(&c, method_of(spec), spec, rng_seed, why);
	else if ((err = add_file(&c, spec, why)))
		err = no_file(spec, err, why);
	if (!err && !set->n && data->graph.nodes)
		err = no_seed(set, spec, why);
	free(c.taken);
	if (err)
		seedset_release(set);
	return err;
}

int seedset_take(struct seedset *set, const uint32_t *id, size_t n, const struct dataset *data, struct err_note *why)
{
	struct collector c = {.set = set, .taken = mem_zero(data->graph.nodes, 1), .data = data};
	int err = 0;

	*set = (struct seedset){0};
	for (size_t i = 0; i < n; i++) {
		assert(id[i] < data->graph.nodes);
		add(&c, id[i]);
	}
	if (!set->n)
		err = no_seed(set, "the nodes given", why);
	free(c.taken);
	if (err)
		seedset_release(set);
	return err;
}

void seedset_release(struct seedset *set)
{
	free(set->ids);
	free(set->tried);
	*set = (struct seedset){0};
}

int method_seeds(const struct seed_method *m, const struct dataset *data, const struct seed_input *given, size_t k,
	struct seed_output *out, struct err_note *why)
{
	struct seed_input in = *given;
	struct opt_set opts;
	AUTO(graph) reverse = {.nodes = 0};

	in.graph = &data->graph;
	in.opts = &opts;
	in.reverse = &data->reverse;
	if (m->ways == SEEDS_BOTH_WAYS && !data->reverse.offset) {
		graph_transpose(&data->graph, &reverse, in.threads);
		in.reverse = &reverse;
	}
	opt_init(&opts, m->opts, m->name);
	const int err = m->select(&in, k, out, why);
	opt_release(&opts);
	return err;
}
