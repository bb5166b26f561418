#include "lab/study/fleet_agent.h"
#include "agents/letter.h"
#include "base/buf.h"
#include "base/mem.h"
#include "lab/replay/graph_source.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* --- names */

/* Returns the name of a node, n bytes. */
static const char *fleet_names_of(const struct fleet_names *s, uint32_t node, size_t *n)
{
	*n = s->start[node + 1] - s->start[node] - 1;
	return s->text + s->start[node];
}

/* Returns the slot of a name, which is 0 if the table does not have it. */
static uint32_t *slot_of(const struct fleet_names *s, const char *name, size_t n)
{
	size_t at = XXH3_64bits(name, n) & (s->slots - 1), length;

	for (;; at = (at + 1) & (s->slots - 1)) {
		if (!s->slot[at])
			return &s->slot[at];
		const char *known = fleet_names_of(s, s->slot[at] - 1, &length);
		if (length == n && memcmp(known, name, n) == 0)
			return &s->slot[at];
	}
}

/* Returns the node of a name, or UINT32_MAX if there is none. */
static uint32_t fleet_names_find(const struct fleet_names *s, const char *name, size_t n)
{
	return *slot_of(s, name, n) - 1;
}

/* Gives every node a URL that no other node has, its own if possible: agents know pages of one another by URL. */
static void name_nodes(struct fleet_names *s)
{
	const struct dataset *d = s->data;
	struct buf text = BUF_EMPTY;

	for (uint32_t u = 0; u < d->graph.nodes; u++) {
		const char *url = dataset_url(d, u);
		const size_t n = url ? strlen(url) : 0;
		s->start[u] = text.used;
		if (n && n < LETTER_URL_MAX / 2) {
			buf_add(&text, url, n + 1);
			s->start[u + 1] = text.used;
			s->text = text.at;
			if (!*slot_of(s, url, n)) {
				*slot_of(s, url, n) = u + 1;
				continue;
			}
		}
		text.used = s->start[u]; /* no URL, or that of an earlier node */
		buf_format(&text, "http://%.1000s/%u#node", d->names.host ? names_host(&d->names, u) : "node.test", u);
		buf_byte(&text, 0);
		s->start[u + 1] = text.used;
		s->text = text.at;
		size_t length;
		const char *made = fleet_names_of(s, u, &length);
		*slot_of(s, made, length) = u + 1;
	}
	s->text = text.at;
}

static void find_partitions(struct fleet_names *s)
{
	const struct names *names = &s->data->names;
	uint16_t *of_host = mem_zero(names->hosts, sizeof *of_host);

	for (uint32_t h = 0; names->host && h < names->hosts; h++) {
		const char *host = names->host_text + names->host_start[h];
		of_host[h] = (uint16_t)partition_of(host, strlen(host));
	}
	for (uint32_t u = 0; names->host && u < s->data->graph.nodes; u++)
		s->partition[u] = of_host[names->host[u]];
	free(of_host);
}

void fleet_names_make(struct fleet_names *s, const struct dataset *data)
{
	const uint32_t n = data->graph.nodes;

	*s = (struct fleet_names){.data = data, .slots = 16};
	while (s->slots < 2 * (size_t)n)
		s->slots *= 2;
	s->slot = mem_zero(s->slots, sizeof *s->slot);
	s->start = mem_zero((size_t)n + 1, sizeof *s->start);
	s->partition = mem_zero(n, sizeof *s->partition);
	name_nodes(s);
	find_partitions(s);
}

void fleet_names_release(struct fleet_names *s)
{
	free(s->partition);
	free(s->text);
	free(s->start);
	free(s->slot);
}

/* --- the pages of an agent */

static size_t place_of(const struct fleet_pages *p, uint32_t node)
{
	size_t at = (node * 0x9e3779b97f4a7c15u >> 32) & (p->slots - 1);

	while (p->slot[at] && p->node[p->slot[at] - 1] != node)
		at = (at + 1) & (p->slots - 1);
	return at;
}

static void grow(struct fleet_pages *p)
{
	free(p->slot);
	p->slots = p->slots ? 2 * p->slots : 64;
	p->slot = mem_zero(p->slots, sizeof *p->slot);
	for (uint32_t id = 0; id < p->n; id++)
		p->slot[place_of(p, p->node[id])] = id + 1;
}

/* Returns the id of a node, which is a new one if it had none. */
static uint32_t fleet_pages_id(struct fleet_pages *p, uint32_t node)
{
	if (2 * ((size_t)p->n + 1) > p->slots)
		grow(p);
	const size_t at = place_of(p, node);
	if (p->slot[at])
		return p->slot[at] - 1;
	size_t room = p->room;
	p->node = mem_grow(p->node, &p->room, (size_t)p->n + 1, sizeof *p->node);
	p->row = mem_grow(p->row, &room, (size_t)p->n + 1, sizeof *p->row);
	p->node[p->n] = node;
	p->row[p->n] = 0;
	p->slot[at] = ++p->n;
	return p->n - 1;
}

/* Gives the links of a page as ids, in link order, valid until the next call with a page whose row was not asked for before.
 * Returns their number. */
static size_t fleet_pages_row(struct fleet_pages *p, uint32_t id, const uint32_t **row)
{
	const struct graph *g = &p->names->data->graph;
	const uint32_t node = p->node[id], *target = graph_row(g, node);
	const size_t n = graph_outdegree(g, node);

	if (!p->row[id]) {
		p->links = mem_grow(p->links, &p->links_room, p->n_links + n + 1, sizeof *p->links);
		p->row[id] = p->n_links + 1;
		for (size_t i = 0; i < n; i++)
			p->links[p->n_links++] = fleet_pages_id(p, target[i]);
	}
	*row = p->links + p->row[id] - 1;
	return n;
}

/* Begins with the nodes that belong to the agent. */
static void fleet_pages_make(struct fleet_pages *p, const struct fleet_names *names, const struct shares *shares, unsigned agent)
{
	*p = (struct fleet_pages){.names = names};
	for (uint32_t u = 0; u < names->data->graph.nodes; u++)
		if (shares->owner[names->partition[u]] == agent)
			fleet_pages_id(p, u);
	p->own = p->n;
}

static void fleet_pages_release(struct fleet_pages *p)
{
	free(p->node);
	free(p->slot);
	free(p->row);
	free(p->links);
}

static uint32_t node_of(const struct fleet_agent *a, uint32_t id)
{
	return a->pages.node[id];
}

/* --- what the frontier asks */

static uint32_t host(void *ctx, uint32_t id)
{
	struct fleet_agent *a = ctx;
	uint32_t *host = &a->host[a->setting->data->names.host[node_of(a, id)]];

	if (!*host)
		*host = ++a->hosts;
	return *host - 1;
}

static int outside(void *ctx, uint32_t id)
{
	const struct fleet_agent *a = ctx;

	return a->setting->data->outside[node_of(a, id)] == PAGE_OUTSIDE;
}

static int is_remote(void *ctx, uint32_t id)
{
	const struct fleet_agent *a = ctx;

	return a->setting->shares->owner[a->setting->names->partition[node_of(a, id)]] != a->self;
}

static size_t links(void *ctx, uint32_t u, const uint32_t **out)
{
	struct fleet_agent *a = ctx;

	return fleet_pages_row(&a->pages, u, out);
}

static const char *url(void *ctx, uint32_t id, size_t *n)
{
	const struct fleet_agent *a = ctx;
	const char *text = dataset_url(a->setting->data, node_of(a, id));

	*n = text ? strlen(text) : 0;
	return text;
}

static double score(void *ctx, uint32_t id)
{
	const struct fleet_agent *a = ctx;

	return a->setting->score[node_of(a, id)];
}

/* --- the source: one page at a time, answered at once */

static struct fleet_agent *self(struct source *s)
{
	return (struct fleet_agent *)s;
}

/* The hook `world` of a source: answers the frontier from the data set, as far as the policy may see it. */
static void world(struct source *s, struct frontier_world *w)
{
	const struct fleet_agent *a = self(s);
	const struct dataset *d = a->setting->data;
	const unsigned sees = a->setting->sees;

	*w = (struct frontier_world){.ctx = self(s),
		.host = a->host ? host : NULL,
		.outside = d->outside ? outside : NULL,
		.links = links,
		.url = sees & POLICY_SEES_URLS && d->names.text ? url : NULL,
		.score = sees & POLICY_SEES_SCORES && a->setting->score ? score : NULL,
		.has_kinds = sees & POLICY_SEES_KINDS && d->kinds,
		.is_remote = is_remote};
}

static size_t room(struct source *s)
{
	return !self(s)->is_busy;
}

static void submit(struct source *s, const uint32_t *ids, size_t n)
{
	assert(n == 1 && !self(s)->is_busy);
	self(s)->submitted = *ids;
	self(s)->is_busy = 1;
}

/* The hook `reap` of a source: the page submitted last is there at once, with the links of its node. */
static int reap(struct source *s, const struct result **events, int64_t until, struct err_note *why)
{
	struct fleet_agent *a = self(s);
	const struct dataset *d = a->setting->data;
	const uint32_t node = node_of(a, a->submitted);

	(void)until;
	(void)why;
	if (!a->is_busy)
		return 0;
	a->is_busy = 0;
	a->event = (struct result){.id = a->submitted, .host_delay = -1};
	a->event.n = fleet_pages_row(&a->pages, a->submitted, &a->event.links);
	a->event.kinds = a->setting->sees & POLICY_SEES_KINDS && d->kinds ? d->kinds + d->graph.offset[node] : NULL;
	graph_world_end(&a->event, d->outside ? (enum page_state)d->outside[node] : PAGE_UNSEEN);
	*events = &a->event;
	return 1;
}

static void release(struct source *s)
{
	(void)s;
}

static int64_t now(struct source *s)
{
	(void)s;
	return 0;
}

static const struct source_ops ops =
	{.name = "fleet", .world = world, .room = room, .submit = submit, .reap = reap, .release = release, .now = now};

/* --- what the exchange asks */

/* Copies the oracle's values for pages that have got an id since the last call, before the frontier is told these ids. */
static void learn_oracle(struct fleet_agent *a)
{
	for (; a->oracle && a->oracles < a->pages.n; a->oracles++)
		a->oracle[a->oracles] = a->setting->frontier->oracle[node_of(a, a->oracles)];
}

static const char *name_of(void *ctx, uint32_t id, size_t *n)
{
	const struct fleet_agent *a = ctx;

	return fleet_names_of(a->setting->names, node_of(a, id), n);
}

static int find(void *ctx, const struct exchange_url *u, uint32_t *id, struct err_note *why)
{
	struct fleet_agent *a = ctx;
	const uint32_t node = fleet_names_find(a->setting->names, u->url, u->n);

	if (node == UINT32_MAX)
		return err_set(why, ERR_FORMAT, "no node of the graph has the URL '%.*s'", (int)u->n, u->url);
	*id = fleet_pages_id(&a->pages, node);
	learn_oracle(a);
	return 0;
}

static unsigned partition(void *ctx, uint32_t id)
{
	const struct fleet_agent *a = ctx;

	return a->setting->names->partition[node_of(a, id)];
}

/* --- observers */

static int taken(void *ctx, uint32_t id, double key, struct err_note *why)
{
	struct fleet_agent *a = ctx;
	const struct observer *watch = &a->setting->watch;

	(void)key;
	return watch->taken(watch->ctx, node_of(a, id), frontier_taken_value(a->frontier, id), why);
}

static int event(void *ctx, const struct result *e, struct err_note *why)
{
	struct fleet_agent *a = ctx;
	const struct observer *watch = &a->setting->watch;
	struct result told = *e;

	told.id = node_of(a, e->id);
	learn_oracle(a);
	const int err = watch->event(watch->ctx, &told, why);
	return err || e->state != PAGE_CRAWLED ? err : exchange_page(a->exchange, e->id, e->links, e->kinds, e->n, why);
}

/* --- life and death */

int fleet_agent_open(struct fleet_agent *a, const struct fleet_setting *setting, unsigned self, struct err_note *why)
{
	const struct exchange_pages pages = {.ctx = a, .url = name_of, .find = find, .partition = partition};
	struct frontier_settings s = *setting->frontier;
	struct frontier_world w;

	*a = (struct fleet_agent){.source = {&ops}, .setting = setting, .self = self};
	fleet_pages_make(&a->pages, setting->names, setting->shares, self);
	if (setting->sees & POLICY_SEES_HOSTS && setting->data->names.host)
		a->host = mem_zero(setting->data->names.hosts, sizeof *a->host);
	if (s.oracle) {
		a->oracle = mem_big(setting->data->graph.nodes, sizeof *a->oracle);
		learn_oracle(a);
	}
	s.oracle = a->oracle;
	s.ids = a->pages.own;
	s.rng_seed += self;
	world(&a->source, &w);
	int err = frontier_new(&a->frontier, &s, &w, why);
	if (err)
		return err;
	a->exchange = exchange_new(a->frontier, setting->shares, self, &pages, &setting->post);
	a->observer = (struct observer){.ctx = a, .taken = taken, .event = event};
	a->crawl = (struct crawl){.frontier = a->frontier, .source = &a->source, .observers = &a->observer, .n_observers = 1};
	crawl_begin(&a->crawl);
	return 0;
}

void fleet_agent_close(struct fleet_agent *a)
{
	exchange_free(a->exchange);
	frontier_free(a->frontier);
	fleet_pages_release(&a->pages);
	mem_big_free(a->oracle, a->oracle ? a->setting->data->graph.nodes : 0, sizeof *a->oracle);
	free(a->host);
}

void fleet_agent_seed(struct fleet_agent *a, const uint32_t *nodes, size_t n)
{
	uint32_t *own = mem_new(n, sizeof *own);
	size_t owned = 0;

	for (size_t i = 0; i < n; i++) {
		const unsigned p = a->setting->names->partition[nodes[i]];
		if (a->setting->shares->owner[p] == a->self)
			own[owned++] = fleet_pages_id(&a->pages, nodes[i]);
	}
	frontier_seed(a->frontier, own, owned);
	free(own);
}

/* --- partitions that move */

void fleet_agent_tally(const struct fleet_agent *a, uint32_t *queued)
{
	memset(queued, 0, PARTITIONS * sizeof *queued);
	for (uint32_t id = 0; id < a->pages.n; id++)
		if (frontier_state(a->frontier, id) == PAGE_QUEUED)
			queued[a->setting->names->partition[node_of(a, id)]]++;
}

/* A page on its way from one agent to another. */
struct moved {
	struct frontier_remote page;
	enum page_state state;
	uint32_t node;
	double mass;
};

static int by_seq(const void *a, const void *b)
{
	const struct moved *x = a, *y = b;

	return x->page.seq < y->page.seq ? -1 : x->page.seq > y->page.seq;
}

static void adopt(struct fleet_agent *to, struct moved *m)
{
	const uint32_t id = fleet_pages_id(&to->pages, m->node);

	if (m->state == PAGE_CRAWLED)
		m->page.n_links = fleet_pages_row(&to->pages, id, &m->page.links);
	learn_oracle(to);
	frontier_adopt(to->frontier, id, m->state, &m->page, m->mass);
}

uint32_t fleet_agent_move(struct fleet_agent *from, struct fleet_agent *to, unsigned partition)
{
	struct moved *moved = NULL;
	size_t n = 0, room = 0;

	for (uint32_t id = 0; id < from->pages.n; id++) {
		struct moved m = {.node = node_of(from, id)};
		if (from->setting->names->partition[m.node] != partition)
			continue;
		m.state = frontier_give(from->frontier, id, &m.page, &m.mass);
		if (m.state == PAGE_UNSEEN || m.state == PAGE_REMOTE)
			continue;
		moved = mem_grow(moved, &room, n + 1, sizeof *moved);
		moved[n++] = m;
	}
	if (n > 1)
		qsort(moved, n, sizeof *moved, by_seq);
	for (size_t i = 0; i < n; i++)
		adopt(to, &moved[i]);
	for (uint32_t id = 0; id < to->pages.n; id++)
		if (to->setting->names->partition[node_of(to, id)] == partition)
			frontier_forget(to->frontier, id);
	free(moved);
	return (uint32_t)n;
}
