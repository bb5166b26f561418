#include "lab/study/crawl_order.h"
#include "base/mem.h"
#include "base/num.h"
#include "lab/measure/order_log.h"
#include "lab/study/dataset.h"

#include <stdlib.h>
#include <string.h>

#define NAME_MOST 100 /* bytes of a crawler's name */

/* --- one order */

struct reading {
	struct crawl_order *order;
	const struct dataset *data;
	struct page_index *index;
	uint32_t *place; /* of each node: its place in order->page, + 1; 0: it is not there */
	size_t room;
};

/* Finds the page of an entry: by its URL if both the entry and the graph have URLs, and otherwise by its id. Returns 1, or 0. */
static int find_page(const struct reading *r, const struct order_entry *e, uint32_t *node)
{
	uint64_t label;

	if (e->url && (r->data->names.text || !e->id))
		return page_index_find(r->index, e->url, node);
	return num_count(e->id, UINT64_MAX, &label) == 0 && graph_find_label(&r->data->graph, label, node);
}

/* Says whether a URL is that of a robots.txt, which is asked for before the pages and is none. */
static int is_robots(const char *url)
{
	const char *host = *url == '/' ? url : strstr(url, "://"), *path = host == url ? url : host ? strchr(host + 3, '/') : NULL;

	return path && strcmp(path, "/robots.txt") == 0;
}

static void count_unknown(struct crawl_order *o, const struct order_entry *e)
{
	const char *name = e->url ? e->url : e->id;

	if (e->url && is_robots(e->url))
		return;
	o->unknown++;
	if (o->name.count < CRAWL_ORDER_NAMES)
		intern_number(&o->name, name, strlen(name));
	else
		o->names_more++;
}

/* Takes a page out again that was called fetched before it failed. */
static void take_back(struct reading *r, uint32_t node)
{
	if (!r->place[node])
		return;
	r->order->page[r->place[node] - 1] = UINT32_MAX;
	r->place[node] = 0;
	r->order->failed++;
}

static void add_entry(struct reading *r, const struct order_entry *e)
{
	struct crawl_order *o = r->order;
	uint32_t node;
	const int is_known = find_page(r, e, &node);

	o->read++;
	o->redirects += e->fate == ORDER_REDIRECTED;
	if (e->fate == ORDER_TAKEN_BACK && is_known)
		take_back(r, node);
	o->failed += e->fate == ORDER_FAILED;
	if (e->fate == ORDER_FAILED || e->fate == ORDER_TAKEN_BACK)
		return;
	if (e->fate == ORDER_REDIRECTED && (!is_known || (r->data->alias && r->data->alias[node] != node)))
		return;
	if (!is_known) {
		count_unknown(o, e);
		return;
	}
	if (r->data->alias)
		node = r->data->alias[node];
	if (r->place[node]) {
		o->repeated++;
		return;
	}
	o->page = mem_grow(o->page, &r->room, (size_t)o->pages + 1, sizeof *o->page);
	o->page[o->pages++] = node;
	r->place[node] = o->pages;
}

/* Closes the gaps that take_back() has left. */
static void close_gaps(struct crawl_order *o)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < o->pages; i++)
		if (o->page[i] != UINT32_MAX)
			o->page[n++] = o->page[i];
	o->pages = n;
}

/* Collects the pages to which no page before them links. */
static void find_entries(struct crawl_order *o, const struct graph *g)
{
	AUTO_FREE unsigned char *linked = mem_zero(g->nodes, 1);

	o->entry = mem_new(o->pages, sizeof *o->entry);
	for (uint32_t i = 0; i < o->pages; i++) {
		const uint32_t u = o->page[i];
		if (!linked[u])
			o->entry[o->entries++] = u;
		for (uint32_t k = 0; k < graph_outdegree(g, u); k++)
			linked[graph_row(g, u)[k]] = 1;
	}
}

/* The pages of a log may be more than a graph has nodes, and so may those that are taken back and fetched again; their number is
 * bounded to keep the places of pages within 32 bits. */
static int read_entries(struct reading *r, struct order_log *log, struct err_note *why)
{
	struct order_entry e;
	int got;

	while ((got = order_log_next(log, &e, why)) > 0) {
		if (r->order->pages == UINT32_MAX - 1)
			return err_set(why, ERR_TOO_BIG, "'%s' fetches more than %u pages", r->order->path, r->order->pages);
		add_entry(r, &e);
	}
	return got;
}

static int read_order(struct crawl_order *o, const char *format, const struct dataset *data, struct page_index *index,
	struct err_note *why)
{
	struct reading r = {.order = o, .data = data, .index = index};
	struct order_log *log;
	int err = order_log_open(&log, o->path, format, why);

	if (err)
		return err;
	r.place = mem_zero(data->graph.nodes, sizeof *r.place);
	o->format = order_log_format(log);
	err = read_entries(&r, log, why);
	free(r.place);
	order_log_close(log);
	if (err)
		return err;
	close_gaps(o);
	if (o->pages) {
		find_entries(o, &data->graph);
		return 0;
	}
	return err_set(why, ERR_NOTHING, "'%s' (read as %s): of %llu entries none is a page of the graph%s%.200s%s", o->path,
		o->format, (unsigned long long)o->read, o->name.count ? "; the first is '" : "",
		o->name.count ? o->name.text.at : "", o->name.count ? "'" : "");
}

/* --- all orders */

/* Returns the length of NAME in "NAME=FILE"; 0 if there is none. A text with a slash before its first '=' is a path. */
static size_t name_length(const char *given)
{
	const size_t n = strcspn(given, "=/");

	return given[n] == '=' ? n : 0;
}

static char *name_of(const char *given)
{
	const size_t n = name_length(given);
	const char *last = strrchr(given, '/');

	return n ? mem_part(given, n) : mem_text(strcmp(given, "-") == 0 ? "stdin" : last ? last + 1 : given);
}

static int check_name(const char *name, const char *given, struct err_note *why)
{
	int is_good = *name && strlen(name) <= NAME_MOST;

	for (const char *c = name; *c; c++)
		is_good &= *c >= ' ' && *c <= '~' && *c != ',';
	return is_good ? 0
		       : err_set(why, ERR_USAGE,
				 "--order %s: a name of at most %d printable characters without commas is wanted: NAME=FILE", given,
				 NAME_MOST);
}

/* Finds the crawler of a name, or adds it. */
static size_t crawler_named(struct crawl_orders *o, char *take_name)
{
	for (size_t i = 0; i < o->crawlers; i++)
		if (strcmp(o->name[i], take_name) == 0) {
			free(take_name);
			return i;
		}
	o->name[o->crawlers] = take_name;
	o->crawler[o->crawlers] = (struct policy){.name = take_name, .summary = "an order that was given", .source = "its log"};
	return o->crawlers++;
}

/* Sorts the texts into crawlers and draws. */
static int sort_orders(struct crawl_orders *o, const char *const *given, size_t n, size_t *crawler, struct err_note *why)
{
	AUTO_FREE uint32_t *count = mem_zero(n, sizeof *count);
	int err = 0;

	for (size_t i = 0; !err && i < n; i++) {
		char *name = name_of(given[i]);
		err = check_name(name, given[i], why);
		if (err)
			free(name);
		else
			count[crawler[i] = crawler_named(o, name)]++;
	}
	o->draws = count[0];
	for (size_t i = 1; !err && i < o->crawlers; i++)
		if (count[i] != count[0])
			err = err_set(why, ERR_USAGE, "%u orders of '%s' and %u of '%s': as many of each are wanted, one a draw",
				count[0], o->name[0], count[i], o->name[i]);
	if (err)
		o->draws = 0;
	return err;
}

int crawl_orders_read(struct crawl_orders *o, const char *const *given, size_t n, const char *format, const struct dataset *data,
	struct err_note *why)
{
	AUTO(page_index) index = {.data = data};
	AUTO_FREE size_t *crawler = mem_new(n, sizeof *crawler);
	AUTO_FREE uint32_t *draw = mem_zero(n, sizeof *draw);

	*o = (struct crawl_orders){.crawler = mem_zero(n, sizeof *o->crawler), .name = mem_zero(n, sizeof *o->name)};
	int err = sort_orders(o, given, n, crawler, why);
	o->order = mem_zero(n, sizeof *o->order);
	for (size_t i = 0; !err && i < n; i++) {
		struct crawl_order *one = &o->order[crawler[i] * o->draws + draw[crawler[i]]++];
		const size_t name = name_length(given[i]);
		one->path = given[i] + (name ? name + 1 : 0);
		err = read_order(one, format, data, &index, why);
	}
	return err;
}

void crawl_orders_release(struct crawl_orders *o)
{
	for (size_t i = 0; o->order && i < o->crawlers * o->draws; i++) {
		free(o->order[i].page);
		free(o->order[i].entry);
		intern_release(&o->order[i].name);
	}
	for (size_t i = 0; i < o->crawlers; i++)
		free(o->name[i]);
	free(o->order);
	free(o->name);
	free(o->crawler);
	*o = (struct crawl_orders){0};
}

const struct crawl_order *crawl_order_of(const struct crawl_orders *o, const struct policy *policy, uint32_t draw)
{
	for (size_t i = 0; o && i < o->crawlers; i++)
		if (policy == &o->crawler[i])
			return &o->order[i * o->draws + draw];
	return NULL;
}

size_t crawl_orders_entries(const struct crawl_orders *o, uint32_t draw, uint32_t nodes, uint32_t **entry)
{
	AUTO_FREE unsigned char *taken = mem_zero(nodes, 1);
	size_t n = 0, room = 0;

	*entry = NULL;
	for (size_t c = 0; c < o->crawlers; c++) {
		const struct crawl_order *one = &o->order[c * o->draws + draw];
		for (uint32_t i = 0; i < one->entries; i++) {
			if (taken[one->entry[i]])
				continue;
			taken[one->entry[i]] = 1;
			*entry = mem_grow(*entry, &room, n + 1, sizeof **entry);
			(*entry)[n++] = one->entry[i];
		}
	}
	return n;
}
