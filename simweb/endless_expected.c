#include "simweb/endless_expected.h"

#include "base/long_hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "graph/kernels/pagerank.h"
#include "parser/robots.h"
#include "simweb/expected.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* A URL that the reader has found. */
struct found_url {
	size_t url; /* its offset in the text */
	uint64_t digest[2];
	size_t first_link; /* of the page's */
	uint32_t links;
	uint32_t depth;  /* the number of links on the shortest path to it that was found so far */
	uint32_t target; /* of a redirect */
	uint16_t status;
	enum fate { UNREAD, FORBIDDEN, ANSWERED, READ } fate; /* ANSWERED: the last answer was not a whole page of status 200 */
};

struct url_place {
	uint64_t hash;
	uint32_t place;
};

struct host_rules {
	uint64_t hash;
	struct robots *rules;
	int is_broken; /* no robots.txt can be had, so nothing may be asked for */
};

/* Places to read, in order. */
struct level {
	uint32_t *at;
	size_t n, room;
};

struct reading {
	const struct endless *web;
	const struct fault_settings *faults;
	uint32_t max_depth;
	struct buf text; /* of all URLs, a NUL behind each */
	struct found_url *place;
	size_t places, room;
	struct map known; /* struct url_place, by the hash of the URL */
	struct map hosts; /* struct host_rules, by the hash of the host's name */
	uint32_t *link;   /* places */
	size_t n_links, link_room;
	struct level now, next;     /* of this depth, and one link deeper */
	struct endless_reply reply; /* scratch */
	struct buf url;
};

/* Finds the place of a URL, or adds one, and puts it into the level if this depth is the least so far. Returns its index. */
static uint32_t meet(struct reading *r, const char *url, size_t n, uint32_t depth, struct level *level)
{
	struct url_place *u = map_at(&r->known, XXH3_64bits(url, n));

	if (!u->place) {
		r->place = mem_grow(r->place, &r->room, r->places + 1, sizeof *r->place);
		r->place[r->places] = (struct found_url){.url = r->text.used, .depth = UINT32_MAX};
		buf_add(&r->text, url, n);
		buf_byte(&r->text, 0);
		u->place = (uint32_t)++r->places;
	}
	const uint32_t id = u->place - 1;
	if (depth < r->place[id].depth) {
		r->place[id].depth = depth;
		level->at = mem_grow(level->at, &level->room, level->n + 1, sizeof *level->at);
		level->at[level->n++] = id;
	}
	return id;
}

/* --- robots.txt */

/* Returns the robots.txt rules of a host, which are asked for at the first URL of the host and kept. */
static const struct host_rules *rules_of(struct reading *r, const struct address *a)
{
	struct host_rules *h = map_at(&r->hosts, XXH3_64bits(a->host, a->host_length));
	struct address robots = *a;

	if (h->rules)
		return h;
	robots.target = "/robots.txt";
	robots.target_length = strlen(robots.target);
	endless_answer(r->web, &robots, 0, &r->reply);
	h->is_broken = r->reply.status >= 500;
	h->rules = r->reply.status == 200 ? robots_parse(r->reply.body.at, r->reply.body.used, "lycosa") : robots_empty();
	return h;
}

static int is_forbidden(struct reading *r, const struct address *a)
{
	const struct host_rules *h = rules_of(r, a);

	return h->is_broken || !robots_allows(h->rules, a->target, a->target_length);
}

/* --- pages */

/* Finds the next href of a page of the endless web, in which "&#38;" is the only escape. Returns 1, or 0 at the end. */
static int next_href(const char **at, struct buf *out)
{
	static const char begin[] = "<a href=\"", amp[] = "&#38;";
	const char *p = strstr(*at, begin), *end = p ? strchr(p + strlen(begin), '"') : NULL;

	if (!end)
		return 0;
	for (p += strlen(begin); p < end; p++) {
		const int is_escape = strncmp(p, amp, strlen(amp)) == 0;
		buf_byte(out, *p);
		p += is_escape ? strlen(amp) - 1 : 0;
	}
	*at = end;
	return 1;
}

/* Reads the links of the page that was answered last, meets their targets one link deeper, and notes them as the page's row. */
static void read_links(struct reading *r, uint32_t id, const struct address *a)
{
	const uint32_t depth = r->place[id].depth + 1;
	const char *at = r->reply.body.at;

	r->place[id].first_link = r->n_links;
	for (;;) {
		buf_clear(&r->url);
		const size_t origin = (size_t)(a->target - a->origin);
		buf_add(&r->url, a->origin, origin);
		if (!next_href(&at, &r->url))
			break;
		const int is_whole = r->url.at[origin] != '/';
		const size_t skip = is_whole ? origin : 0;
		const uint32_t v = meet(r, r->url.at + skip, r->url.used - skip, depth, &r->next);
		r->link = mem_grow(r->link, &r->link_room, r->n_links + 1, sizeof *r->link);
		r->link[r->n_links++] = v;
	}
	r->place[id].links = (uint32_t)(r->n_links - r->place[id].first_link);
}

/* Judges the answer to a URL as a crawler has to see it: its fate and status, the target of a redirect, and the digest and links of
 * a whole page. Faults that pass have passed. */
static void take_answer(struct reading *r, uint32_t id, const struct address *a)
{
	struct endless_reply *reply = &r->reply;
	const enum fault fault = reply->status == 200 ? fault_now(r->faults, reply->page, FAULT_MAX_PASSING) : FAULT_NONE;

	r->place[id].fate = ANSWERED;
	r->place[id].status = (uint16_t)(fault == FAULT_NONE ? reply->status : fault_status(fault));
	if (reply->status == 301) {
		buf_clear(&r->url);
		buf_add(&r->url, a->origin, (size_t)(a->target - a->origin));
		buf_add(&r->url, reply->location.at, reply->location.used);
		const uint32_t target = meet(r, r->url.at, r->url.used, r->place[id].depth, &r->now);
		r->place[id].target = target;
	}
	if (reply->status != 200 || fault != FAULT_NONE)
		return;
	r->place[id].fate = READ;
	long_hash_128(reply->body.at, reply->body.used, r->place[id].digest);
	if (strncmp(reply->type, "text/html", strlen("text/html")) == 0)
		read_links(r, id, a);
}

/* Asks the web for one URL, unless robots.txt forbids it. */
static void ask(struct reading *r, uint32_t id)
{
	AUTO_FREE char *url = mem_text(r->text.at + r->place[id].url);
	struct address a;

	if (!address_of_url(&a, url) || is_forbidden(r, &a)) {
		r->place[id].fate = FORBIDDEN;
	} else {
		endless_answer(r->web, &a, 0, &r->reply);
		buf_end(&r->reply.body);
		take_answer(r, id, &a);
	}
}

/* Reads the web in the order of depth; the target of a redirect has the depth of the redirect. Returns 0 or ERR_TOO_BIG. */
static int read_web(struct reading *r, uint32_t most, struct err_note *why)
{
	buf_clear(&r->url);
	endless_url(r->web, 0, 0, &r->url);
	(void)meet(r, r->url.at, r->url.used, 0, &r->now);
	for (uint32_t depth = 0; r->now.n && (!r->max_depth || depth <= r->max_depth); depth++) {
		for (size_t i = 0; i < r->now.n && r->places <= most; i++)
			if (r->place[r->now.at[i]].fate == UNREAD)
				ask(r, r->now.at[i]);
		if (r->places > most)
			return err_set(why, ERR_TOO_BIG,
				"a reader comes upon more than %u URLs of this endless web: fewer hosts=N and pages=N, or a lower --max-depth",
				most);
		const struct level read = r->now;
		r->now = r->next;
		r->next = read;
		r->next.n = 0;
	}
	return 0;
}

/* --- PageRank and the file */

static int by_number(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Returns the place that a link leads to: the target of a redirect (which never redirects again), or the page itself. */
static uint32_t end_of_link(const struct reading *r, uint32_t id)
{
	return r->place[id].fate == ANSWERED && r->place[id].status == 301 ? r->place[id].target : id;
}

/* Computes the PageRank of the URLs found. A link counts as one to the end of the target's redirects, several links of a page to
 * one URL count once. */
static void rank(struct reading *r, unsigned threads, double *out)
{
	uint64_t *offset = mem_new(r->places + 1, sizeof *offset), arcs = 0;
	uint32_t *target = mem_new(r->n_links + 1, sizeof *target);
	struct pagerank p = PAGERANK_DEFAULT;
	struct graph g;

	for (size_t u = 0; u < r->places; u++) {
		const struct found_url *page = &r->place[u];
		uint32_t *row = target + arcs, kept = 0;
		offset[u] = arcs;
		for (uint32_t i = 0; i < page->links; i++)
			row[i] = end_of_link(r, r->link[page->first_link + i]);
		if (page->links)
			qsort(row, page->links, sizeof *row, by_number);
		for (uint32_t i = 0; i < page->links; i++)
			if (i == 0 || row[i] != row[kept - 1])
				row[kept++] = row[i];
		arcs += kept;
	}
	offset[r->places] = arcs;
	graph_take_rows(&g, (uint32_t)r->places, offset, target, GRAPH_ORDERED);
	p.threads = threads;
	p.tolerance = 1e-13;
	pagerank(&g, &p, out);
	graph_release(&g);
}

static int by_url(const void *a, const void *b, void *ctx)
{
	const struct reading *r = ctx;

	return strcmp(r->text.at + r->place[*(const uint32_t *)a].url, r->text.at + r->place[*(const uint32_t *)b].url);
}

/* Writes a line for each URL found, in order of the URLs. */
static int write_file(const struct reading *r, const double *score, const char *path, struct err_note *why)
{
	AUTO_FREE uint32_t *order = mem_new(r->places, sizeof *order);
	struct output *out;
	int err = output_open(&out, path, why);

	for (uint32_t i = 0; i < r->places; i++)
		order[i] = i;
	qsort_r(order, r->places, sizeof *order, by_url, (void *)(uintptr_t)r);
	for (size_t i = 0; !err && i < r->places; i++) {
		const struct found_url *p = &r->place[order[i]];
		expected_line(out,
			&(struct expected_line){.url = r->text.at + p->url,
				.word = p->fate == FORBIDDEN ? "robots"
					: p->fate == UNREAD  ? "depth"
							     : NULL,
				.status = p->status,
				.digest = p->fate == READ ? p->digest : NULL,
				.is_reached = 1,
				.rank = score[order[i]]});
	}
	if (!err)
		err = output_close(out, why);
	return err;
}

static int check(const struct endless *e, const struct endless_reader *reader, struct err_note *why)
{
	if (e->changes > 0)
		return err_set(why, ERR_USAGE, "what to expect of a web that changes depends on the time: changes=0 is wanted");
	if (reader->max_depth)
		return 0;
	if (e->traps > 0)
		return err_set(why, ERR_USAGE, "the traps of this endless web have no end: traps=0, or --max-depth N, is wanted");
	if (e->hosts > reader->most)
		return err_set(why, ERR_USAGE,
			"this endless web has more than %u hosts: fewer hosts=N, or --max-depth N, is wanted", reader->most);
	return 0;
}

/* Frees the memory of a reading. */
static void release(struct reading *r)
{
	for (size_t i = 0; i < r->hosts.room; i++) {
		struct host_rules *h = (struct host_rules *)(void *)(r->hosts.record + i * r->hosts.size);
		if (h->hash)
			robots_free(h->rules);
	}
	map_release(&r->hosts);
	map_release(&r->known);
	buf_release(&r->text);
	buf_release(&r->url);
	endless_reply_release(&r->reply);
	free(r->place);
	free(r->link);
	free(r->now.at);
	free(r->next.at);
}

int endless_expected_write(const struct endless *e, const struct fault_settings *faults, const struct endless_reader *reader,
	const char *path, struct err_note *why)
{
	struct reading r = {.web = e, .faults = faults, .max_depth = reader->max_depth, .text = BUF_EMPTY, .url = BUF_EMPTY};
	int err = check(e, reader, why);

	if (err)
		return err;
	map_init(&r.known, sizeof(struct url_place));
	map_init(&r.hosts, sizeof(struct host_rules));
	err = read_web(&r, reader->most, why);
	if (!err) {
		AUTO_FREE double *score = mem_new(r.places, sizeof *score);
		rank(&r, reader->threads, score);
		err = write_file(&r, score, path, why);
	}
	release(&r);
	return err;
}
