#include "lab/study/fleet.h"
#include "agents/exchange.h"
#include "agents/letter.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "crawler/crawl.h"
#include "frontier/schedule.h"
#include "lab/replay/graph_source.h"
#include "lab/study/dataset.h"
#include "lab/study/oracle.h"
#include "lab/study/replay.h"
#include "policies/policies.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* An agent of a simulated crawl: a frontier, a source that answers from the graph, the crawl loop, and the agent's end of the
 * exchange.
 *
 *	err = fleet_agent_open(&a, &setting, self, why);
 *	n = crawl_step(&a.crawl, why);                    1: the agent has taken a page, 0: it has none
 *	err = exchange_masses(a.exchange, why);
 *	fleet_agent_close(&a); */

/* --- The pages of the agents of a simulated crawl. A node of the graph has one name between agents, its URL, and an id of its own at
 * each agent: an agent's own nodes have the ids 0, 1, 2 ... in the order of the graph, and pages of other agents the next ids, as
 * the agent hears of them. With one agent, ids are nodes.
 *
 *	fleet_names_make(&names, &data);
 *	fleet_pages_make(&pages, &names, &shares, agent);
 *	id = fleet_pages_id(&pages, node);
 *	n = fleet_pages_row(&pages, id, &row);                          the links of the page, as ids of the agent */

/* What the nodes are called. All agents share it, and nothing changes it. */
struct fleet_names {
	const struct dataset *data;
	uint16_t *partition; /* of each node, by its host; 0 if the graph has no hosts */
	/* The name of node i is text + start[i], with a NUL behind it: its URL, if it is the first node with this URL; else one
	 * that is made of its URL or host and its number. */
	char *text;
	size_t *start;  /* nodes + 1 */
	uint32_t *slot; /* a hash table of nodes by name: node + 1, or 0 */
	size_t slots;   /* a power of two */
};

/* The pages of one agent. */
struct fleet_pages {
	const struct fleet_names *names;
	uint32_t *node; /* of each id */
	uint32_t n;     /* ids are below it */
	uint32_t own;   /* ids below it were the agent's own at the start */
	size_t room;
	uint32_t *slot; /* a hash table of ids by node: id + 1, or 0 */
	size_t slots;
	size_t *row; /* of each id: where its row begins in `links`, + 1; 0: it has not been asked for */
	uint32_t *links;
	size_t n_links, links_room;
};

/* What the agents have in common. */
struct fleet_setting {
	const struct dataset *data;
	const struct fleet_names *names;
	const struct shares *shares;
	const struct frontier_settings *frontier; /* `oracle` is by node; `ids` is ignored */
	const double *score;                      /* of each node; NULL: none */
	unsigned sees;                            /* bits of enum policy_sight that the policy asks for */
	struct exchange_post post;
	struct observer watch; /* `taken` and `event` are called with nodes in place of the agents' ids, and with the value
				  of a page in place of its key */
};

struct fleet_agent {
	struct source source; /* the first field, by which the source finds its agent */
	const struct fleet_setting *setting;
	unsigned self;
	struct fleet_pages pages;
	struct frontier *frontier;
	struct exchange *exchange;
	struct crawl crawl;
	struct observer observer;
	double *oracle;   /* by id; NULL: none */
	uint32_t oracles; /* ids whose value is known */
	uint32_t *host;   /* of the graph's hosts: the agent's number + 1, or 0; NULL: the policy does not see hosts */
	uint32_t hosts;
	uint32_t submitted; /* the page in flight */
	int is_busy;        /* whether there is one */
	struct result event;
};

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

static void fleet_names_make(struct fleet_names *s, const struct dataset *data)
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

static void fleet_names_release(struct fleet_names *s)
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

static void leave(struct source *s)
{
	(void)s;
}

static int64_t now(struct source *s)
{
	(void)s;
	return 0;
}

static const struct source_ops ops =
	{.name = "fleet", .world = world, .room = room, .submit = submit, .reap = reap, .release = leave, .now = now};

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

static int node_taken(void *ctx, uint32_t id, double key, struct err_note *why)
{
	struct fleet_agent *a = ctx;
	const struct observer *watch = &a->setting->watch;

	(void)key;
	return watch->taken(watch->ctx, node_of(a, id), frontier_taken_value(a->frontier, id), why);
}

static int node_event(void *ctx, const struct result *e, struct err_note *why)
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

/* Opens agent number `self`; the setting must outlive it. Returns 0 or an error of frontier_new(); the caller closes it in each
 * case. */
static int fleet_agent_open(struct fleet_agent *a, const struct fleet_setting *setting, unsigned self, struct err_note *why)
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
	a->observer = (struct observer){.ctx = a, .taken = node_taken, .event = node_event};
	a->crawl = (struct crawl){.frontier = a->frontier, .source = &a->source, .observers = &a->observer, .n_observers = 1};
	crawl_begin(&a->crawl);
	return 0;
}

static void fleet_agent_close(struct fleet_agent *a)
{
	exchange_free(a->exchange);
	frontier_free(a->frontier);
	fleet_pages_release(&a->pages);
	mem_big_free(a->oracle, a->oracle ? a->setting->data->graph.nodes : 0, sizeof *a->oracle);
	free(a->host);
}

/* Queues those of n nodes that belong to the agent as seeds, in their order. */
static void fleet_agent_seed(struct fleet_agent *a, const uint32_t *nodes, size_t n)
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

/* Counts the queued pages of an agent by partition, in queued[PARTITIONS]. */
static void fleet_agent_tally(const struct fleet_agent *a, uint32_t *queued)
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

/* Moves the pages of a partition that has moved, as shares->owner says, from one agent to another. Returns their number. */
static uint32_t fleet_agent_move(struct fleet_agent *from, struct fleet_agent *to, unsigned partition)
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

/* A letter on its way. */
struct parcel {
	struct parcel *next;
	uint64_t due; /* the tick at whose beginning the letter arrives */
	unsigned partition;
	size_t n;
	char letter[];
};

struct fleet {
	struct replay *replay;
	struct fleet_figures *figures;
	struct shares shares;
	struct fleet_names names;
	struct fleet_setting setting;
	struct fleet_agent *agent;
	const struct frontier **frontier; /* of each agent */
	uint8_t *is_awake;                /* agents that may have a queued page */
	uint8_t *has_taken;               /* agents that have taken a page at this tick */
	unsigned opened, turn;            /* agents that are open; the agent whose turn it is */
	uint64_t tick;
	struct parcel *first, **end; /* in the order of `due` */
	/* The counts of each agent now, their sum, and both at the end of the last lag + 1 ticks: the end of tick t is in
	 * the row t modulo (lag + 1), whose last element is the sum. */
	struct frontier_elsewhere *counts, *past;
	uint8_t *is_asked; /* nodes that were taken */
	double value;      /* of the page taken last */
	uint32_t next_step;
	uint64_t next_look, rest; /* the tick at which shares may move next, and the ticks until then */
};

double fleet_idle(const struct fleet_figures *f)
{
	return f->ticks ? (double)f->all.idle / ((double)f->ticks * f->agents) : 0;
}

/* --- letters */

/* The hook `send` of an agent's exchange: the letter is delivered `lag` ticks after the next one. */
static int send(void *ctx, unsigned partition, const void *letter, size_t n, struct err_note *why)
{
	struct fleet *f = ctx;
	struct parcel *p = mem_new(1, sizeof *p + n);
	struct fleet_share *share = &f->figures->share[f->turn];

	(void)why;
	*p = (struct parcel){.due = f->tick + 1 + f->replay->fleet->lag, .partition = partition, .n = n};
	memcpy(p->letter, letter, n);
	*f->end = p;
	f->end = &p->next;
	share->letters++;
	share->bytes += n;
	return 0;
}

static struct parcel *take_parcel(struct fleet *f)
{
	struct parcel *p = f->first;

	f->first = p->next;
	if (!f->first)
		f->end = &f->first;
	return p;
}

/* Hands the letters that are due to the agents that own their partitions. */
static int deliver(struct fleet *f, struct err_note *why)
{
	int err = 0;

	while (!err && f->first && f->first->due <= f->tick) {
		struct parcel *p = take_parcel(f);
		const unsigned owner = f->shares.owner[p->partition];
		err = exchange_take(f->agent[owner].exchange, p->letter, p->n, why);
		f->is_awake[owner] = 1;
		f->figures->share[owner].taken++;
		free(p);
	}
	return err;
}

/* --- observing all agents together */

static void note_steps(struct fleet *f)
{
	struct replay *r = f->replay;
	const uint32_t nodes = f->setting.data->graph.nodes;

	while (r->work.steps < OP_COUNTS_STEPS && f->next_step == r->crawled) {
		op_counts_step_of_all(&r->work, f->frontier, f->opened);
		f->next_step = op_counts_step_at(r->work.steps, nodes);
	}
}

static int taken(void *ctx, uint32_t node, double value, struct err_note *why)
{
	struct fleet *f = ctx;

	(void)why;
	f->figures->twice += f->is_asked[node];
	f->is_asked[node] = 1;
	f->value = value;
	return 0;
}

/* The observer of all agents: notes the crawled page in the order of the fleet, and counts requests. */
static int event(void *ctx, const struct result *e, struct err_note *why)
{
	struct fleet *f = ctx;
	struct replay *r = f->replay;

	(void)why;
	if (r->crawled == f->next_step)
		note_steps(f);
	if (e->state != PAGE_CRAWLED) {
		r->requests += (uint64_t)outcome_has(e->outcome, TRAIT_ASKED);
		return 0;
	}
	r->requests++;
	if (r->key)
		r->key[r->crawled] = f->value;
	r->order[r->crawled++] = e->id;
	r->links += e->n;
	f->figures->share[f->turn].crawled++;
	return 0;
}

/* --- counts */

/* Returns the counts at the end of the tick that is (lag + 1) before this one: of an agent, or of all together. */
static struct frontier_elsewhere *past(const struct fleet *f, unsigned agent)
{
	return &f->past[f->tick % (f->replay->fleet->lag + 1) * (f->opened + 1) + agent];
}

/* Tells the frontier of agent a what the other agents have crawled, seen and queued. */
static void tell_counts(struct fleet *f, unsigned a)
{
	const struct frontier_elsewhere *all = past(f, f->opened), *own = past(f, a);

	frontier_hear(f->agent[a].frontier,
		&(struct frontier_elsewhere){.crawled = all->crawled - own->crawled,
			.seen = all->seen - own->seen,
			.queued = all->queued - own->queued});
}

/* Counts the pages of an agent anew. */
static void count(struct fleet *f, unsigned a)
{
	struct frontier_elsewhere *own = &f->counts[a], *all = &f->counts[f->opened];
	struct frontier_counts n;

	frontier_count(f->agent[a].frontier, &n);
	const struct frontier_elsewhere now = {n.crawled, n.seen - n.redirected, n.queued};
	all->crawled += now.crawled - own->crawled;
	all->seen += now.seen - own->seen;
	all->queued += now.queued - own->queued;
	*own = now;
}

/* --- shares that follow load */

/* Returns the partition with the most queued pages, but not more than half of `all`; PARTITIONS: there is none. */
static unsigned heaviest(const uint32_t *queued, uint64_t all)
{
	unsigned best = PARTITIONS;

	for (unsigned p = 0; p < PARTITIONS; p++)
		if (queued[p] && 2 * (uint64_t)queued[p] <= all && (best == PARTITIONS || queued[p] > queued[best]))
			best = p;
	return best;
}

static void give_partition(struct fleet *f, unsigned partition, unsigned to)
{
	const unsigned from = f->shares.owner[partition];

	f->shares.owner[partition] = (uint16_t)to;
	f->figures->moves++;
	f->figures->moved += fleet_agent_move(&f->agent[from], &f->agent[to], partition);
	count(f, from);
	count(f, to);
	f->is_awake[to] = 1;
}

/* Returns the first idle agent from `a` on, or `opened`. */
static unsigned next_idle(const struct fleet *f, unsigned a)
{
	while (a < f->opened && (f->is_awake[a] || f->counts[a].queued))
		a++;
	return a;
}

/* Lets each idle agent take a partition of the agent with the most queued pages. If there is none that can be taken, the next
 * look is twice as many ticks later. */
static void follow_load(struct fleet *f)
{
	uint32_t queued[PARTITIONS];
	unsigned idle = next_idle(f, 0), from = 0, partition = PARTITIONS;

	if (f->replay->fleet->shares != FLEET_LOAD || f->tick < f->next_look || idle == f->opened)
		return;
	for (unsigned a = 1; a < f->opened; a++)
		if (f->counts[a].queued > f->counts[from].queued)
			from = a;
	fleet_agent_tally(&f->agent[from], queued);
	f->rest *= 2;
	while (idle < f->opened && (partition = heaviest(queued, f->counts[from].queued)) < PARTITIONS) {
		give_partition(f, partition, idle);
		queued[partition] = 0;
		f->rest = FLEET_REST;
		idle = next_idle(f, idle + 1);
	}
	f->next_look = f->tick + f->rest;
}

/* --- the crawl */

/* Gives an agent its turn. Returns 1 if it has taken a page, 0 if it has none, or an error. */
static int take_turn(struct fleet *f, unsigned a, struct err_note *why)
{
	struct fleet_agent *agent = &f->agent[a];

	f->turn = a;
	tell_counts(f, a);
	const int n = crawl_step(&agent->crawl, why);
	if (n < 0)
		return n;
	f->is_awake[a] = n > 0;
	const int err = n ? exchange_masses(agent->exchange, why) : 0;
	count(f, a);
	return err ? err : n;
}

static int is_full(const struct replay *r)
{
	return r->max_pages && r->crawled >= r->max_pages;
}

/* Makes one tick. Returns 1 if an agent is awake or a letter is on its way, 0 if the crawl has ended, or an error. */
static int tick(struct fleet *f, struct err_note *why)
{
	int goes_on = f->first != NULL, err = deliver(f, why);

	if (!err)
		follow_load(f);

	for (unsigned a = 0; !err && a < f->opened; a++) {
		int n = 0;
		if (f->is_awake[a] && !is_full(f->replay))
			n = take_turn(f, a, why);
		goes_on |= n > 0;
		f->has_taken[a] = n > 0;
		err = n < 0 ? n : 0;
	}
	if (err || !goes_on)
		return err;
	for (unsigned a = 0; a < f->opened; a++)
		f->figures->share[a].idle += !f->has_taken[a];
	memcpy(past(f, 0), f->counts, (f->opened + 1) * sizeof *f->counts);
	f->tick++;
	return !is_full(f->replay);
}

/* Makes the agents, and gives all seeds to each of them, which keeps those of its own partitions. */
static int open_agents(struct fleet *f, const struct seedset *seeds, struct err_note *why)
{
	const unsigned n = (unsigned)f->replay->fleet->agents;
	int err = 0;

	f->agent = mem_zero(n, sizeof *f->agent);
	f->frontier = mem_zero(n, sizeof *f->frontier);
	f->is_awake = mem_zero(n, sizeof *f->is_awake);
	f->has_taken = mem_zero(n, sizeof *f->has_taken);
	f->counts = mem_zero(n + 1, sizeof *f->counts);
	f->past = mem_zero((size_t)(n + 1) * (f->replay->fleet->lag + 1), sizeof *f->past);
	while (!err && f->opened < n) {
		struct fleet_agent *a = &f->agent[f->opened];
		err = fleet_agent_open(a, &f->setting, f->opened, why);
		f->frontier[f->opened++] = a->frontier;
	}
	for (unsigned a = 0; !err && a < n; a++) {
		if (seeds->tried)
			fleet_agent_seed(&f->agent[a], seeds->tried, seeds->n_tried);
		else
			fleet_agent_seed(&f->agent[a], seeds->ids, seeds->n);
		f->is_awake[a] = 1;
		count(f, a);
	}
	return err;
}

/* Runs until no agent has a page and no letter is under way. */
static int run(struct fleet *f, struct err_note *why)
{
	int goes_on;

	do
		goes_on = tick(f, why);
	while (goes_on > 0);
	if (goes_on < 0)
		return goes_on;
	note_steps(f);
	op_counts_total(&f->replay->work, f->frontier, f->opened);
	return 0;
}

/* Adds up the figures of the agents. */
static void add_up(struct fleet *f)
{
	struct fleet_figures *figures = f->figures;

	figures->ticks = f->tick;
	for (unsigned p = 0; p < PARTITIONS; p++)
		figures->share[f->shares.owner[p]].partitions++;
	for (uint32_t u = 0; u < f->setting.data->graph.nodes; u++)
		figures->share[f->shares.owner[f->names.partition[u]]].pages++;
	for (unsigned a = 0; a < figures->agents; a++) {
		const struct fleet_share *s = &figures->share[a];
		figures->all.partitions += s->partitions;
		figures->all.pages += s->pages;
		figures->all.crawled += s->crawled;
		figures->all.idle += s->idle;
		figures->all.letters += s->letters;
		figures->all.bytes += s->bytes;
		figures->all.taken += s->taken;
	}
}

/* Frees the memory of a fleet, which may be only partly open. */
static void release(struct fleet *f)
{
	while (f->first)
		free(take_parcel(f));
	for (unsigned a = 0; a < f->opened; a++)
		fleet_agent_close(&f->agent[a]);
	free(f->agent);
	free(f->frontier);
	free(f->is_awake);
	free(f->has_taken);
	free(f->counts);
	free(f->past);
	free(f->is_asked);
	fleet_names_release(&f->names);
}

/* Refuses what a fleet cannot replay, with a sentence for each. */
static int check(const struct replay *r, const struct dataset *data, struct err_note *why)
{
	const struct fleet_plan *plan = r->fleet;

	if (r->policy->plan.n)
		return err_set(why, ERR_USAGE, "--agents: the chain '%s' cannot be divided; give one policy", r->policy->name);
	if (r->virtual_time)
		return err_set(why, ERR_USAGE, "--agents is not simulated in virtual time: leave --politeness out");
	if (!plan->agents || plan->agents > PARTITIONS)
		return err_set(why, ERR_USAGE, "--agents %llu: give a number from 1 to %d", (unsigned long long)plan->agents,
			PARTITIONS);
	if (plan->lag >= FLEET_MOMENTS / plan->agents)
		return err_set(why, ERR_USAGE, "--agents %llu --lag %llu: their product is limited to %d",
			(unsigned long long)plan->agents, (unsigned long long)plan->lag, FLEET_MOMENTS);
	if (plan->agents > 1 && !data->names.host)
		return err_set(why, ERR_USAGE, "--agents: the hosts are divided, and the graph has none; see --hosts and --urls");
	return 0;
}

int fleet_run(struct replay *r, const struct dataset *data, const struct seedset *seeds, struct err_note *why)
{
	double *oracle = NULL;
	int err = check(r, data, why);

	if (!err)
		err = replay_prepare(r, data, seeds, &oracle, why);
	if (err || r->policy == &policy_ideal)
		return err ? err : replay_take_ideal(r, data, oracle);
	const struct frontier_settings frontier = replay_settings(r, data, oracle);
	struct fleet f = {.replay = r, .next_step = op_counts_step_at(0, data->graph.nodes)};
	f.end = &f.first;
	f.rest = FLEET_REST;
	f.figures = r->figures = mem_zero(1, sizeof *r->figures);
	f.figures->agents = (unsigned)r->fleet->agents;
	f.figures->share = mem_zero(f.figures->agents, sizeof *f.figures->share);
	f.is_asked = mem_zero(data->graph.nodes, sizeof *f.is_asked);
	shares_deal(&f.shares, f.figures->agents);
	fleet_names_make(&f.names, data);
	f.setting = (struct fleet_setting){.data = data,
		.names = &f.names,
		.shares = &f.shares,
		.frontier = &frontier,
		.score = replay_score(r, data),
		.sees = policy_asks(r->policy),
		.post = {&f, send},
		.watch = {.ctx = &f, .taken = taken, .event = event}};
	const int64_t started = clock_read_ns(CLOCK_THREAD_CPUTIME_ID);
	err = open_agents(&f, seeds, why);
	if (!err)
		err = run(&f, why);
	r->cpu_ns = clock_read_ns(CLOCK_THREAD_CPUTIME_ID) - started;
	r->work.links = r->links;
	r->work.batches = schedule_batches(frontier.batch, frontier.growth, r->crawled);
	add_up(&f);
	release(&f);
	free(oracle);
	if (err) {
		replay_release(r);
		fleet_figures_free(r->figures);
		r->figures = NULL;
	}
	return err;
}
