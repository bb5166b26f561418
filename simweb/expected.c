#include "simweb/expected.h"
#include "base/long_hash.h"
#include "base/mem.h"
#include "graph/kernels/pagerank.h"
#include "simweb/site.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE          UINT32_MAX
#define STATUS_ROBOTS 1 /* in place of an HTTP status */

/* A URL of the web. Place u is that of page u; the targets of the redirects follow after the pages. */
struct served_url {
	size_t url; /* its offset in the text */
	uint32_t page;
	uint32_t node; /* in the graph of the reached places, in the order in which they are reached; NONE: not reached */
	uint16_t status;
};

struct expected {
	const struct site *site;
	const struct fault_settings *faults;
	const struct robots *rules;
	struct buf text; /* of all URLs, a NUL behind each */
	struct served_url *place;
	uint32_t places;
	uint32_t *target;  /* by page: the place of its redirect's target; NONE: it does not redirect */
	uint32_t *reached; /* places, in the order in which the reader comes upon them */
	uint32_t n_reached;
	double *rank; /* by node */
};

static int is_forbidden(const struct expected *e, const char *url)
{
	struct address a;

	return e->rules && address_of_url(&a, url) && !robots_allows(e->rules, a.target, a.target_length);
}

static void add_place(struct expected *e, uint32_t page, size_t url, uint16_t status)
{
	buf_byte(&e->text, 0);
	e->place[e->places++] = (struct served_url){url, page, NONE, is_forbidden(e, e->text.at + url) ? STATUS_ROBOTS : status};
}

static enum fault last_fault(const struct expected *e, uint32_t page)
{
	return fault_now(e->faults, page, FAULT_MAX_PASSING);
}

/* Lists the URLs of the web: one for each page, with the status that its last fault gives it, and behind them the targets of the
 * redirects.
 */
static void find_places(struct expected *e)
{
	const uint32_t pages = e->site->pages;

	e->place = mem_new((size_t)pages * 2 + 1, sizeof *e->place);
	e->target = mem_new((size_t)pages + 1, sizeof *e->target);
	for (uint32_t u = 0; u < pages; u++) {
		const size_t url = e->text.used;
		site_url(e->site, u, &e->text);
		e->target[u] = NONE;
		add_place(e, u, url, fault_status(last_fault(e, u)));
	}
	for (uint32_t u = 0; u < pages; u++) {
		const size_t url = e->text.used;
		if (last_fault(e, u) != FAULT_REDIRECT)
			continue;
		e->target[u] = e->places;
		site_alias_url(e->site, u, &e->text);
		add_place(e, u, url, 200);
	}
}

/* --- the reader */

static void reach(struct expected *e, uint32_t place)
{
	if (e->place[place].node != NONE)
		return;
	e->place[place].node = e->n_reached;
	e->reached[e->n_reached++] = place;
}

static int is_read(const struct expected *e, uint32_t place)
{
	const struct served_url *p = &e->place[place];

	return p->status == 200 && (place >= e->site->pages || last_fault(e, p->page) == FAULT_NONE);
}

/* Returns the place that a link to a page leads to: the page, or the target of its redirect. */
static uint32_t end_of_link(const struct expected *e, uint32_t page)
{
	return e->place[page].status == 302 ? e->target[page] : page;
}

/* Goes through the web from the seeds, breadth first: by redirects, and by the links of the pages that can be read. */
static void read_web(struct expected *e, const struct expected_reader *reader)
{
	e->reached = mem_new((size_t)e->places + 1, sizeof *e->reached);
	for (size_t i = 0; i < reader->seeds; i++)
		reach(e, reader->seed[i]);
	for (uint32_t i = 0; i < e->n_reached; i++) {
		const uint32_t place = e->reached[i], page = e->place[place].page;
		if (place < e->site->pages && e->place[place].status == 302)
			reach(e, e->target[page]);
		if (!is_read(e, place))
			continue;
		const uint32_t *row = graph_row(e->site->g, page);
		for (uint32_t k = 0; k < graph_outdegree(e->site->g, page); k++)
			reach(e, row[k]);
	}
}

/* --- PageRank */

/* Makes the graph of the reached places. A link leads to the end of its target's redirect, and a place that is not read has no
 * links. */
static void read_links(const struct expected *e, struct graph *g)
{
	uint64_t *offset = mem_new((size_t)e->n_reached + 1, sizeof *offset), arcs = 0;
	uint32_t *target;

	offset[0] = 0;
	for (uint32_t i = 0; i < e->n_reached; i++) {
		if (is_read(e, e->reached[i]))
			arcs += graph_outdegree(e->site->g, e->place[e->reached[i]].page);
		offset[i + 1] = arcs;
	}
	target = mem_new((size_t)arcs + 1, sizeof *target);
	for (uint32_t i = 0; i < e->n_reached; i++) {
		const uint32_t *row = graph_row(e->site->g, e->place[e->reached[i]].page);
		for (uint64_t k = offset[i]; k < offset[i + 1]; k++)
			target[k] = e->place[end_of_link(e, row[k - offset[i]])].node;
	}
	graph_take_rows(g, e->n_reached, offset, target, 0);
}

static void rank(struct expected *e, unsigned threads)
{
	struct pagerank p = PAGERANK_DEFAULT;
	struct graph g;

	p.threads = threads;
	p.tolerance = 1e-13;
	e->rank = mem_new((size_t)e->n_reached + 1, sizeof *e->rank);
	read_links(e, &g);
	if (e->n_reached)
		pagerank(&g, &p, e->rank);
	graph_release(&g);
}

/* --- the file */

static int by_url(const void *a, const void *b, void *ctx)
{
	const struct expected *e = ctx;
	const uint32_t *x = a, *y = b;

	return strcmp(e->text.at + e->place[*x].url, e->text.at + e->place[*y].url);
}

void expected_line(struct output *out, const struct expected_line *l)
{
	AUTO(buf) line = BUF_EMPTY;

	buf_text(&line, l->url);
	if (l->word)
		buf_format(&line, "\t%s", l->word);
	else
		buf_format(&line, "\t%u", l->status);
	if (l->digest)
		buf_format(&line, "\t%016" PRIx64 "%016" PRIx64, l->digest[1], l->digest[0]);
	else
		buf_text(&line, "\t-");
	buf_format(&line, "\t%d\t%.17g\n", l->is_reached, l->is_reached ? l->rank : 0);
	output_bytes(out, line.at, line.used);
}

/* Writes the line of one place: what a crawl has to find there, with the digest of its page and its PageRank. */
static void write_place(const struct expected *e, uint32_t place, struct buf *scratch, struct output *out)
{
	const struct served_url *p = &e->place[place];
	const int has_page = is_read(e, place), is_reached = p->node != NONE;
	uint64_t digest[2];

	if (has_page) {
		buf_clear(scratch);
		node_page(e->site, p->page, NULL, scratch);
		long_hash_128(scratch->at, scratch->used, digest);
	}
	expected_line(out,
		&(struct expected_line){.url = e->text.at + p->url,
			.word = p->status == STATUS_ROBOTS ? "robots" : NULL,
			.status = p->status,
			.digest = has_page ? digest : NULL,
			.is_reached = is_reached,
			.rank = is_reached ? e->rank[p->node] : 0});
}

/* Writes a line for each place, in order of the URLs. */
static int write_file(const struct expected *e, const char *path, struct err_note *why)
{
	AUTO_FREE uint32_t *order = mem_new((size_t)e->places + 1, sizeof *order);
	AUTO(buf) scratch = BUF_EMPTY;
	struct output *out;

	int err = output_open(&out, path, why);

	for (uint32_t i = 0; i < e->places; i++)
		order[i] = i;
	qsort_r(order, e->places, sizeof *order, by_url, (void *)(uintptr_t)e);
	for (uint32_t i = 0; !err && i < e->places; i++)
		write_place(e, order[i], &scratch, out);
	if (!err)
		err = output_close(out, why);
	return err;
}

int expected_write(const struct site *site, const struct fault_settings *faults, const struct robots *rules,
	const struct expected_reader *reader, const char *path, struct err_note *why)
{
	struct expected e = {.site = site, .faults = faults, .rules = rules, .text = BUF_EMPTY};

	find_places(&e);
	read_web(&e, reader);
	rank(&e, reader->threads);
	const int err = write_file(&e, path, why);
	buf_release(&e.text);
	free(e.place);
	free(e.target);
	free(e.reached);
	free(e.rank);
	return err;
}
