#include "lab/study/relocate.h"
#include "base/ascii.h"
#include "base/mem.h"
#include "seeds/best.h"

#include <stdlib.h>
#include <string.h>

/* Appends "http://host" with the port and without a slash; with the other scheme if `ways` has VARIANT_SCHEME. */
static void variant_origin(const struct url *u, unsigned ways, struct buf *out)
{
	const int https = ways & VARIANT_SCHEME ? !u->https : u->https;
	const char *host = u->text.at + u->host;
	size_t length = u->host_end - u->host;

	buf_text(out, https ? "https://" : "http://");
	if (ways & VARIANT_WWW && length > 4 && strncmp(host, "www.", 4) == 0) {
		host += 4;
		length -= 4;
	} else if (ways & VARIANT_WWW) {
		buf_text(out, "www.");
	}
	buf_add(out, host, length);
	buf_add(out, u->text.at + u->host_end, u->path - u->host_end); /* the URL's port, if it has one */
}

/* Says whether the last segment of a path is the name of a directory's own page, such as index.html. */
static int is_index(const char *name)
{
	static const char *const names[] = {"index.", "default.", "home."};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (ascii_same(name, names[i], strlen(names[i])))
			return 1;
	return 0;
}

/* Alters a path in the ways of enum variant. Says whether each of the ways changes it. */
static int alter_path(struct buf *path, unsigned ways)
{
	char *last = strrchr(path->at, '/') + 1;
	int altered = 1;

	if (ways & VARIANT_INDEX) {
		altered &= is_index(last);
		path->used = (size_t)(last - path->at);
	}
	if (ways & VARIANT_SLASH && path->at[path->used - 1] != '/') {
		buf_byte(path, '/');
	} else if (ways & VARIANT_SLASH) {
		altered &= path->used > 1;
		path->used -= path->used > 1;
	}
	if (ways & VARIANT_CASE) {
		int lower = 1;
		for (size_t i = 0; i < path->used; i++) {
			const char c = ascii_lower(path->at[i]);
			lower &= c == path->at[i];
			path->at[i] = c;
		}
		altered &= !lower;
	}
	return altered;
}

/* Writes to *out, which is cleared first, the URL altered in all the ways that `ways` (bits of enum variant) names.
 * Returns 1, or 0 if one of the ways leaves the URL as it is. */
static int variant_of(const struct url *u, unsigned ways, struct buf *out)
{
	AUTO(buf) path = BUF_EMPTY;
	const size_t query = u->text.used - u->query;

	buf_clear(out);
	variant_origin(u, ways, out);
	buf_add(&path, u->text.at + u->path, u->query - u->path);
	int altered = alter_path(&path, ways);
	if (ways & VARIANT_QUERY)
		altered &= query > 0;
	buf_add(out, path.at, path.used);
	if (!(ways & VARIANT_QUERY))
		buf_add(out, u->text.at + u->query, query);
	return altered;
}

const char *relocate_rule_name(enum relocate_rule rule)
{
	static const char *const names[] = {"", "1-exact", "2-core-hub", "3-variant", "4-directory", "5-root", "6-anchor",
		"7-lost"};

	return names[rule];
}

/* --- what pages are called */

static int has_urls(const struct dataset *d)
{
	return d->names.text || (d->names.hosts && d->names.hosts == d->names.nodes);
}

/* Appends the URL of a node; in a graph of hosts that of the host's root. */
static void add_url(struct buf *text, const struct dataset *d, uint32_t v)
{
	if (d->names.text)
		buf_text(text, names_url(&d->names, v));
	else
		buf_format(text, "http://%s/", names_host(&d->names, v));
}

void relocate_url(const struct dataset *d, uint32_t v, struct buf *out)
{
	buf_clear(out);
	add_url(out, d, v);
}

/* --- the newer graph by its URLs */

/* Appends the canonical URL of a node, or its URL unchanged if it cannot be parsed. */
static void add_canonical(struct buf *text, struct url *scratch, const struct dataset *d, uint32_t v)
{
	AUTO(buf) url = BUF_EMPTY;

	add_url(&url, d, v);
	if (url_parse(scratch, url.at ? url.at : "", url.used, NULL) == URL_OK)
		buf_add(text, scratch->text.at, scratch->text.used);
	else
		buf_add(text, url.at, url.used);
}

static const char *url_at(const struct relocation *s, uint32_t i)
{
	return s->text + s->start[s->by_url[i]];
}

static int compare_urls(const void *a, const void *b, void *ctx)
{
	const struct relocation *s = ctx;
	const uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
	const int order = strcmp(s->text + s->start[i], s->text + s->start[j]);

	return order ? order : (i > j) - (i < j);
}

static int may_start(const struct dataset *d, uint32_t v)
{
	return !(d->outside && d->outside[v]) && !(d->alias && d->alias[v] != v);
}

int relocation_init(struct relocation *s, const struct dataset *from, struct dataset *into, unsigned threads, struct err_note *why)
{
	struct buf text = BUF_EMPTY;
	struct url scratch = URL_EMPTY;

	*s = (struct relocation){.from = from, .into = into, .threads = threads};
	if (!has_urls(from) || !has_urls(into))
		return err_set(why, ERR_USAGE, "--into: both graphs need the URLs of their pages, and the %s has none",
			has_urls(from) ? "newer" : "older");
	s->start = mem_new(into->graph.nodes, sizeof *s->start);
	s->by_url = mem_new(into->graph.nodes, sizeof *s->by_url);
	for (uint32_t v = 0; v < into->graph.nodes; v++) {
		s->start[v] = text.used;
		add_canonical(&text, &scratch, into, v);
		buf_byte(&text, 0);
		if (may_start(into, v))
			s->by_url[s->n++] = v;
	}
	url_release(&scratch);
	s->text = buf_take(&text);
	qsort_r(s->by_url, s->n, sizeof *s->by_url, compare_urls, s);
	return 0;
}

void relocation_release(struct relocation *s)
{
	free(s->text);
	free(s->start);
	free(s->by_url);
	*s = (struct relocation){0};
}

/* Returns the index in by_url of the first URL that is not less than this one. */
static uint32_t place_of(const struct relocation *s, const char *url)
{
	uint32_t low = 0, high = s->n;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		if (strcmp(url_at(s, middle), url) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int find_url(const struct relocation *s, const char *url, uint32_t *node)
{
	const uint32_t place = place_of(s, url);

	if (place == s->n || strcmp(url_at(s, place), url) != 0)
		return 0;
	*node = s->by_url[place];
	return 1;
}

/* Finds the page with the same canonical URL. */
static int find_same(const struct relocation *s, uint32_t page, uint32_t *node)
{
	AUTO(buf) text = BUF_EMPTY;
	AUTO(url) scratch = URL_EMPTY;

	add_canonical(&text, &scratch, s->from, page);
	return text.at && find_url(s, text.at, node);
}

/* --- rules 2 and 3 */

static int find_hub(const struct relocation *s, uint32_t seed, const struct seed_core *core, uint32_t *node)
{
	for (size_t i = 0; core && i < core->hubs; i++)
		if (core->hub[i] != seed && find_same(s, core->hub[i], node))
			return 1;
	return 0;
}

/* Tries all combinations of the alterations of enum variant, those of fewer alterations first, and equally many in the order of
 * their bits. */
static int find_variant(const struct relocation *s, const struct url *u, uint32_t *node)
{
	AUTO(buf) text = BUF_EMPTY;
	int found = 0;

	for (int ways = 1; ways <= 6; ways++)
		for (unsigned bits = 1; bits <= VARIANT_ALL && !found; bits++)
			found = __builtin_popcount(bits) == ways && variant_of(u, bits, &text) && find_url(s, text.at, node);
	return found;
}

/* --- rules 4 and 5: near it */

static int is_better(const struct relocation *s, uint32_t v, uint32_t than)
{
	const struct graph *g = &s->into->graph;
	const uint32_t links = seeds_outdegree(g, v), others = seeds_outdegree(g, than);

	if (links != others)
		return links > others;
	const size_t length = strlen(s->text + s->start[v]);
	const size_t other_length = strlen(s->text + s->start[than]);
	return length != other_length ? length < other_length : v < than;
}

/* Finds the best page, by is_better(), whose URL is `url`, or begins with `url` and "/" or "?". Returns 1 with *node, or 0. */
static int find_below(const struct relocation *s, const struct buf *url, uint32_t *node)
{
	static const char ends[] = {0, '/', '?'};
	AUTO(buf) text = BUF_EMPTY;
	int found = 0;

	for (size_t i = 0; i < sizeof ends; i++) {
		buf_clear(&text);
		buf_add(&text, url->at, url->used);
		if (ends[i])
			buf_byte(&text, ends[i]);
		for (uint32_t at = place_of(s, text.at); at < s->n; at++) {
			if (strncmp(url_at(s, at), text.at, text.used + !ends[i]) != 0)
				break;
			if (!found || is_better(s, s->by_url[at], *node))
				*node = s->by_url[at];
			found = 1;
		}
	}
	return found;
}

/* Finds the best page, by is_better(), below the first `end` bytes of a URL's path, with the scheme http or https. Returns 1
 * with *node, or 0. */
static int find_beside(const struct relocation *s, const struct url *u, size_t end, uint32_t *node)
{
	int found = 0;

	for (unsigned ways = 0; ways <= VARIANT_SCHEME; ways++) {
		AUTO(buf) text = BUF_EMPTY;
		uint32_t other;
		variant_origin(u, ways, &text);
		buf_add(&text, u->text.at + u->path, end);
		if (find_below(s, &text, &other) && (!found || is_better(s, other, *node))) {
			*node = other;
			found = 1;
		}
	}
	return found;
}

/* Returns the length of a path without its last segment; 0 if it has only one. */
static size_t parent(const struct url *u, size_t end)
{
	while (end && u->text.at[u->path + --end] != '/')
		;
	return end;
}

static int find_directory(const struct relocation *s, const struct url *u, uint32_t *node)
{
	size_t end = u->query - u->path;

	if (end && u->text.at[u->path + end - 1] == '/')
		end--;
	for (; end; end = parent(u, end))
		if (find_beside(s, u, end, node))
			return 1;
	return 0;
}

static int find_root(const struct relocation *s, const struct url *u, uint32_t *node)
{
	int found = 0;

	for (unsigned ways = 0; ways <= VARIANT_SCHEME && !found; ways++) {
		AUTO(buf) text = BUF_EMPTY;
		variant_origin(u, ways, &text);
		buf_byte(&text, '/');
		found = find_url(s, text.at, node);
	}
	return found;
}

/* --- rule 6 */

struct anchors {
	uint32_t *node; /* distinct pages of the newer graph, n of them */
	size_t n;
	uint8_t *host; /* of each host: whether one of the pages is on it */
};

/* Finds the page with the most links to pages of `a`, on a host that has none of them; of equal ones that with the most links,
 * then the lowest id. Returns 1 with *node, or 0. */
static int best_linker(struct relocation *s, const struct anchors *a, uint32_t *node)
{
	const struct graph *reverse = dataset_reverse(s->into, s->threads);
	const struct graph *g = &s->into->graph;
	AUTO_FREE uint32_t *count = mem_zero(g->nodes, sizeof *count);
	int found = 0;

	for (size_t i = 0; i < a->n; i++)
		for (uint64_t k = reverse->offset[a->node[i]]; k < reverse->offset[a->node[i] + 1]; k++)
			count[reverse->target[k]]++;
	for (uint32_t v = 0; v < g->nodes; v++) {
		if (!count[v] || a->host[s->into->names.host[v]] || !may_start(s->into, v))
			continue;
		if (!found || count[v] > count[*node] ||
			(count[v] == count[*node] && seeds_outdegree(g, v) > seeds_outdegree(g, *node)))
			*node = v;
		found = 1;
	}
	return found;
}

/* Finds the seed of a core in the other graph: the page that best_linker() finds for those authorities of the core that the other
 * graph has. Returns 0 if there is none. */
static int find_anchor(struct relocation *s, const struct seed_core *core, uint32_t *node)
{
	if (!core)
		return 0;
	struct anchors a = {.node = mem_new(core->authorities, sizeof *a.node), .host = mem_zero(s->into->names.hosts, 1)};
	for (size_t i = 0; i < core->authorities; i++) {
		uint32_t v;
		if (!find_same(s, core->authority[i], &v))
			continue;
		a.host[s->into->names.host[v]] = 1;
		a.node[a.n++] = v;
	}
	const int found = a.n && best_linker(s, &a, node);
	free(a.node);
	free(a.host);
	return found;
}

/* --- all of them */

enum relocate_rule relocate_find(struct relocation *s, uint32_t seed, const struct seed_core *core, uint32_t *node)
{
	AUTO(buf) text = BUF_EMPTY;
	struct url u = URL_EMPTY;
	enum relocate_rule rule = RELOCATE_LOST;

	if (find_same(s, seed, node))
		return RELOCATE_EXACT;
	if (find_hub(s, seed, core, node))
		return RELOCATE_CORE_HUB;
	add_url(&text, s->from, seed);
	if (url_parse(&u, text.at ? text.at : "", text.used, NULL) == URL_OK)
		rule = find_variant(s, &u, node)      ? RELOCATE_VARIANT
			: find_directory(s, &u, node) ? RELOCATE_DIRECTORY
			: find_root(s, &u, node)      ? RELOCATE_ROOT
						      : RELOCATE_LOST;
	url_release(&u);
	if (rule == RELOCATE_LOST && find_anchor(s, core, node))
		return RELOCATE_ANCHOR;
	return rule;
}

/* --- candidates */

struct telling {
	void (*tell)(void *ctx, enum relocate_rule rule, const char *url);
	void *ctx;
	struct buf told; /* each with a NUL */
};

static void tell_once(struct telling *t, enum relocate_rule rule, const char *url)
{
	for (size_t at = 0; at < t->told.used; at += strlen(t->told.at + at) + 1)
		if (strcmp(t->told.at + at, url) == 0)
			return;
	buf_text(&t->told, url);
	buf_byte(&t->told, 0);
	t->tell(t->ctx, rule, url);
}

static void tell_page(struct telling *t, enum relocate_rule rule, const struct dataset *from, uint32_t page)
{
	AUTO(buf) text = BUF_EMPTY;
	AUTO(url) scratch = URL_EMPTY;

	add_canonical(&text, &scratch, from, page);
	tell_once(t, rule, text.at ? text.at : "");
}

/* Reports the URLs near a page's URL that may be its new place: its variants, the directories above it, and the root of its
 * host. */
static void tell_near(struct telling *t, const struct url *u)
{
	AUTO(buf) text = BUF_EMPTY;

	for (unsigned ways = 1; ways <= VARIANT_ALL; ways <<= 1)
		if (variant_of(u, ways, &text))
			tell_once(t, RELOCATE_VARIANT, text.at);
	for (size_t end = parent(u, u->query - u->path); end; end = parent(u, end)) {
		buf_clear(&text);
		variant_origin(u, 0, &text);
		buf_add(&text, u->text.at + u->path, end + 1);
		tell_once(t, RELOCATE_DIRECTORY, text.at);
	}
	buf_clear(&text);
	variant_origin(u, 0, &text);
	buf_byte(&text, '/');
	tell_once(t, RELOCATE_ROOT, text.at);
}

void relocate_candidates(const struct dataset *from, uint32_t seed, const struct seed_core *core,
	void (*tell)(void *ctx, enum relocate_rule rule, const char *url), void *ctx)
{
	struct telling t = {.tell = tell, .ctx = ctx};
	AUTO(buf) text = BUF_EMPTY;
	AUTO(url) u = URL_EMPTY;

	add_url(&text, from, seed);
	tell_page(&t, RELOCATE_EXACT, from, seed);
	for (size_t i = 0; core && i < core->hubs; i++)
		if (core->hub[i] != seed)
			tell_page(&t, RELOCATE_CORE_HUB, from, core->hub[i]);
	if (url_parse(&u, text.at ? text.at : "", text.used, NULL) == URL_OK)
		tell_near(&t, &u);
	buf_release(&t.told);
}
