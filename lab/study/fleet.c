#include "lab/study/fleet.h"
#include "agents/exchange.h"
#include "agents/letter.h"
#include "base/clock.h"
#include "base/map.h"
#include "base/mem.h"
#include "crawler/crawl.h"
#include "frontier/schedule.h"
#include "graph/formats/names.h"
#include "lab/replay/graph_source.h"
#include "lab/study/oracle.h"
#include "policies/policies.h"

#include <assert.h>
#include <string.h>

/* A node of the graph has one name between agents, its URL, and an id of its own at each agent: an agent's own nodes have the ids
 * 0, 1, 2 ... in the order of the graph, and pages of other agents the next ids, as the agent hears of them. With one agent, ids
 * are nodes. */
struct place {
	uint32_t node;
	size_t row; /* where its links begin in `links`, + 1; 0: they have not been asked for */
};

/* The id of a node. */
struct known {
	uint64_t node;
	uint64_t id; /* + 1 */
};

/* An agent: a frontier, a source that answers from the graph, the crawl loop, and the agent's end of the exchange. */
struct agent {
	struct source source; /* the first field, by which the source finds its agent */
	struct fleet *fleet;
	unsigned self;
	struct place *page; /* of each id */
	uint32_t n;         /* ids are below it */
	struct map known;   /* struct known */
	uint32_t *links;    /* of pages, as ids of the agent */
	size_t n_links, page_room, links_room;
	struct exchange *exchange;
	struct crawl crawl;
	struct observer observer;
	double *oracle;   /* by id; NULL: none */
	uint32_t oracles; /* ids whose value is known */
	uint32_t *host;   /* of the graph's hosts: the agent's number + 1, or 0; NULL: the policy does not see hosts */
	uint32_t hosts;
	uint32_t submitted; /* the page in flight */
	int is_busy;        /* whether there is one */
	int is_awake;       /* it may have a queued page */
	int has_taken;      /* a page at this tick */
	struct result event;
};

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
	const struct dataset *data;
	struct frontier_settings settings; /* `oracle` is by node */
	const double *score;               /* of each node; NULL: none */
	unsigned sees;                     /* bits of enum policy_sight that the policy asks for */
	struct fleet_figures *figures;
	struct shares shares;
	struct intern names; /* of the nodes, in their order */
	uint16_t *partition; /* of each node, by its host; 0 if the graph has no hosts */
	struct agent *agent;
	const struct frontier **frontier; /* of each agent */
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

/* --- names */

/* Gives every node a URL that no other node has, its own if possible: agents know pages of one another by URL. */
static void name_nodes(struct fleet *f)
{
	const struct dataset *d = f->data;

	for (uint32_t u = 0; u < d->graph.nodes; u++) {
		const char *url = dataset_url(d, u);
		const size_t n = url ? strlen(url) : 0;
		if (n && n < LETTER_URL_MAX / 2 && intern_number(&f->names, url, n) == u)
			continue;
		AUTO(buf) made = buf_of("http://%.1000s/%u#node", d->names.host ? names_host(&d->names, u) : "node.test", u);
		while (intern_number(&f->names, made.at, made.used) != u)
			buf_byte(&made, '#');
	}
}

static void find_partitions(struct fleet *f)
{
	const struct names *names = &f->data->names;

	f->partition = mem_zero(f->data->graph.nodes, sizeof *f->partition);
	if (!names->host)
		return;
	AUTO_FREE uint16_t *of_host = mem_new(names->hosts, sizeof *of_host);
	for (uint32_t h = 0; h < names->hosts; h++) {
		const char *host = names->host_text + names->host_start[h];
		of_host[h] = (uint16_t)partition_of(host, strlen(host));
	}
	for (uint32_t u = 0; u < f->data->graph.nodes; u++)
		f->partition[u] = of_host[names->host[u]];
}

/* --- the pages of an agent */

static uint32_t node_of(const struct agent *a, uint32_t id)
{
	return a->page[id].node;
}

static unsigned partition_of_page(const struct agent *a, uint32_t id)
{
	return a->fleet->partition[node_of(a, id)];
}

static int owns(const struct agent *a, uint32_t node)
{
	return a->fleet->shares.owner[a->fleet->partition[node]] == a->self;
}

/* Returns the id of a node, which is a new one if it had none. */
static uint32_t id_of(struct agent *a, uint32_t node)
{
	struct known *k = map_at(&a->known, node);

	if (!k->id) {
		a->page = mem_grow(a->page, &a->page_room, (size_t)a->n + 1, sizeof *a->page);
		a->page[a->n++] = (struct place){node, 0};
		k->id = a->n;
	}
	return (uint32_t)k->id - 1;
}

/* Gives the links of a page as ids, in link order, valid until the next call with a page whose row was not asked for before.
 * Returns their number. */
static size_t row_of(struct agent *a, uint32_t id, const uint32_t **row)
{
	const struct graph *g = &a->fleet->data->graph;
	const uint32_t node = node_of(a, id), *target = graph_row(g, node);
	const size_t n = graph_outdegree(g, node);

	if (!a->page[id].row) {
		a->links = mem_grow(a->links, &a->links_room, a->n_links + n + 1, sizeof *a->links);
		a->page[id].row = a->n_links + 1;
		for (size_t i = 0; i < n; i++)
			a->links[a->n_links++] = id_of(a, target[i]);
	}
	*row = a->links + a->page[id].row - 1;
	return n;
}

/* --- what the frontier asks */

static uint32_t host(void *ctx, uint32_t id)
{
	struct agent *a = ctx;
	uint32_t *host = &a->host[a->fleet->data->names.host[node_of(a, id)]];

	if (!*host)
		*host = ++a->hosts;
	return *host - 1;
}

static int outside(void *ctx, uint32_t id)
{
	const struct agent *a = ctx;

	return a->fleet->data->outside[node_of(a, id)] == PAGE_OUTSIDE;
}

static int is_remote(void *ctx, uint32_t id)
{
	return !owns(ctx, node_of(ctx, id));
}

static size_t links(void *ctx, uint32_t u, const uint32_t **out)
{
	return row_of(ctx, u, out);
}

static const char *url(void *ctx, uint32_t id, size_t *n)
{
	const struct agent *a = ctx;
	const char *text = dataset_url(a->fleet->data, node_of(a, id));

	*n = text ? strlen(text) : 0;
	return text;
}

static double score(void *ctx, uint32_t id)
{
	const struct agent *a = ctx;

	return a->fleet->score[node_of(a, id)];
}

/* --- the source: one page at a time, answered at once */

static struct agent *self(struct source *s)
{
	return (struct agent *)s;
}

/* The hook `world` of a source: answers the frontier from the data set, as far as the policy may see it. */
static void world(struct source *s, struct frontier_world *w)
{
	const struct agent *a = self(s);
	const struct dataset *d = a->fleet->data;
	const unsigned sees = a->fleet->sees;

	*w = (struct frontier_world){.ctx = self(s),
		.host = a->host ? host : NULL,
		.outside = d->outside ? outside : NULL,
		.links = links,
		.url = sees & POLICY_SEES_URLS && d->names.text ? url : NULL,
		.score = sees & POLICY_SEES_SCORES && a->fleet->score ? score : NULL,
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
	struct agent *a = self(s);
	const struct dataset *d = a->fleet->data;
	const uint32_t node = node_of(a, a->submitted);

	(void)until;
	(void)why;
	if (!a->is_busy)
		return 0;
	a->is_busy = 0;
	a->event = (struct result){.id = a->submitted, .host_delay = -1};
	a->event.n = row_of(a, a->submitted, &a->event.links);
	a->event.kinds = a->fleet->sees & POLICY_SEES_KINDS && d->kinds ? d->kinds + d->graph.offset[node] : NULL;
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
static void learn_oracle(struct agent *a)
{
	for (; a->oracle && a->oracles < a->n; a->oracles++)
		a->oracle[a->oracles] = a->fleet->settings.oracle[node_of(a, a->oracles)];
}

static const char *name_of(void *ctx, uint32_t id, size_t *n)
{
	const struct agent *a = ctx;
	const char *name = a->fleet->names.text.at + a->fleet->names.start[node_of(a, id)];

	*n = strlen(name);
	return name;
}

static int find(void *ctx, const struct exchange_url *u, uint32_t *id, struct err_note *why)
{
	struct agent *a = ctx;
	const uint32_t node = intern_number(&a->fleet->names, u->url, u->n);

	if (node >= a->fleet->data->graph.nodes)
		return err_set(why, ERR_FORMAT, "no node of the graph has the URL '%.*s'", (int)u->n, u->url);
	*id = id_of(a, node);
	learn_oracle(a);
	return 0;
}

static unsigned partition(void *ctx, uint32_t id)
{
	return partition_of_page(ctx, id);
}

/* The hook `send`: the letter is delivered `lag` ticks after the next one. */
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
		AUTO_FREE struct parcel *p = take_parcel(f);
		const unsigned owner = f->shares.owner[p->partition];
		err = exchange_take(f->agent[owner].exchange, p->letter, p->n, why);
		f->agent[owner].is_awake = 1;
		f->figures->share[owner].taken++;
	}
	return err;
}

/* --- observing all agents together */

static void note_steps(struct fleet *f)
{
	struct replay *r = f->replay;

	while (r->work.steps < OP_COUNTS_STEPS && f->next_step == r->crawled) {
		op_counts_step_of_all(&r->work, f->frontier, f->opened);
		f->next_step = op_counts_step_at(r->work.steps, f->data->graph.nodes);
	}
}

static int taken(void *ctx, uint32_t id, double key, struct err_note *why)
{
	const struct agent *a = ctx;
	struct fleet *f = a->fleet;
	uint8_t *is_asked = &f->is_asked[node_of(a, id)];

	(void)key;
	(void)why;
	f->figures->twice += *is_asked;
	*is_asked = 1;
	f->value = frontier_taken_value(a->crawl.frontier, id);
	return 0;
}

/* Notes the crawled page in the order of the fleet, counts requests, and tells the other agents of the page. */
static int event(void *ctx, const struct result *e, struct err_note *why)
{
	struct agent *a = ctx;
	struct fleet *f = a->fleet;
	struct replay *r = f->replay;

	learn_oracle(a);
	if (r->crawled == f->next_step)
		note_steps(f);
	if (e->state != PAGE_CRAWLED) {
		r->requests += (uint64_t)outcome_has(e->outcome, TRAIT_ASKED);
		return 0;
	}
	r->requests++;
	if (r->key)
		r->key[r->crawled] = f->value;
	r->order[r->crawled++] = node_of(a, e->id);
	r->links += e->n;
	f->figures->share[f->turn].crawled++;
	return exchange_page(a->exchange, e->id, e->links, e->kinds, e->n, why);
}

/* --- agents */

/* Opens the next agent. Returns 0 or an error of frontier_new(); release() closes it in each case. */
static int open_agent(struct fleet *f, struct err_note *why)
{
	struct agent *a = &f->agent[f->opened];
	const struct exchange_pages pages = {.ctx = a, .url = name_of, .find = find, .partition = partition};
	struct frontier_settings s = f->settings;
	struct frontier_world w;
	struct frontier *frontier;

	*a = (struct agent){.source = {&ops}, .fleet = f, .self = f->opened++};
	map_init(&a->known, sizeof(struct known));
	for (uint32_t u = 0; u < f->data->graph.nodes; u++)
		if (owns(a, u))
			id_of(a, u);
	s.ids = a->n;
	if (f->sees & POLICY_SEES_HOSTS && f->data->names.host)
		a->host = mem_zero(f->data->names.hosts, sizeof *a->host);
	if (s.oracle) {
		a->oracle = mem_big(f->data->graph.nodes, sizeof *a->oracle);
		learn_oracle(a);
	}
	s.oracle = a->oracle;
	s.rng_seed += a->self;
	world(&a->source, &w);
	TRY(frontier_new(&frontier, &s, &w, why));
	a->exchange = exchange_new(frontier, &f->shares, a->self, &pages, &(struct exchange_post){.ctx = f, .send = send});
	a->observer = (struct observer){.ctx = a, .taken = taken, .event = event};
	a->crawl = (struct crawl){.frontier = frontier, .source = &a->source, .observers = &a->observer, .n_observers = 1};
	f->frontier[a->self] = frontier;
	crawl_begin(&a->crawl);
	return 0;
}

static void close_agent(struct agent *a)
{
	exchange_free(a->exchange);
	frontier_free(a->crawl.frontier);
	map_release(&a->known);
	free(a->page);
	free(a->links);
	mem_big_free(a->oracle, a->oracle ? a->fleet->data->graph.nodes : 0, sizeof *a->oracle);
	free(a->host);
}

/* Queues those of n nodes that belong to the agent as seeds, in their order. */
static void seed(struct agent *a, const uint32_t *nodes, size_t n)
{
	AUTO_FREE uint32_t *own = mem_new(n, sizeof *own);
	size_t owned = 0;

	for (size_t i = 0; i < n; i++)
		if (owns(a, nodes[i]))
			own[owned++] = id_of(a, nodes[i]);
	frontier_seed(a->crawl.frontier, own, owned);
}

/* --- partitions that move */

/* Counts the queued pages of an agent by partition, in queued[PARTITIONS]. */
static void tally(const struct agent *a, uint32_t *queued)
{
	memset(queued, 0, PARTITIONS * sizeof *queued);
	for (uint32_t id = 0; id < a->n; id++)
		if (frontier_state(a->crawl.frontier, id) == PAGE_QUEUED)
			queued[partition_of_page(a, id)]++;
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

static void adopt(struct agent *to, struct moved *m)
{
	const uint32_t id = id_of(to, m->node);

	if (m->state == PAGE_CRAWLED)
		m->page.n_links = row_of(to, id, &m->page.links);
	learn_oracle(to);
	frontier_adopt(to->crawl.frontier, id, m->state, &m->page, m->mass);
}

/* Moves the pages of a partition that has moved, as shares->owner says, from one agent to another. Returns their number. */
static uint32_t move_partition(struct agent *from, struct agent *to, unsigned partition)
{
	AUTO_FREE struct moved *moved = NULL;
	size_t n = 0, room = 0;

	for (uint32_t id = 0; id < from->n; id++) {
		struct moved m = {.node = node_of(from, id)};
		if (from->fleet->partition[m.node] != partition)
			continue;
		m.state = frontier_give(from->crawl.frontier, id, &m.page, &m.mass);
		if (m.state == PAGE_UNSEEN || m.state == PAGE_REMOTE)
			continue;
		moved = mem_grow(moved, &room, n + 1, sizeof *moved);
		moved[n++] = m;
	}
	if (n > 1)
		qsort(moved, n, sizeof *moved, by_seq);
	for (size_t i = 0; i < n; i++)
		adopt(to, &moved[i]);
	for (uint32_t id = 0; id < to->n; id++)
		if (partition_of_page(to, id) == partition)
			frontier_forget(to->crawl.frontier, id);
	return (uint32_t)n;
}

double fleet_idle(const struct fleet_figures *f)
{
	return f->ticks ? (double)f->all.idle / ((double)f->ticks * f->agents) : 0;
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

	frontier_hear(f->agent[a].crawl.frontier,
		&(struct frontier_elsewhere){.crawled = all->crawled - own->crawled,
			.seen = all->seen - own->seen,
			.queued = all->queued - own->queued});
}

/* Counts the pages of an agent anew. */
static void count(struct fleet *f, unsigned a)
{
	struct frontier_elsewhere *own = &f->counts[a], *all = &f->counts[f->opened];
	struct frontier_counts n;

	frontier_count(f->frontier[a], &n);
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
	f->figures->moved += move_partition(&f->agent[from], &f->agent[to], partition);
	count(f, from);
	count(f, to);
	f->agent[to].is_awake = 1;
}

/* Returns the first idle agent from `a` on, or `opened`. */
static unsigned next_idle(const struct fleet *f, unsigned a)
{
	while (a < f->opened && (f->agent[a].is_awake || f->counts[a].queued))
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
	tally(&f->agent[from], queued);
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
	struct agent *agent = &f->agent[a];

	f->turn = a;
	tell_counts(f, a);
	const int n = crawl_step(&agent->crawl, why);
	if (n < 0)
		return n;
	agent->is_awake = n > 0;
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
		if (f->agent[a].is_awake && !is_full(f->replay))
			n = take_turn(f, a, why);
		goes_on |= n > 0;
		f->agent[a].has_taken = n > 0;
		err = n < 0 ? n : 0;
	}
	if (err || !goes_on)
		return err;
	for (unsigned a = 0; a < f->opened; a++)
		f->figures->share[a].idle += !f->agent[a].has_taken;
	memcpy(past(f, 0), f->counts, (f->opened + 1) * sizeof *f->counts);
	f->tick++;
	return !is_full(f->replay);
}

/* Makes the agents, and gives all seeds to each of them, which keeps those of its own partitions. */
static int open_agents(struct fleet *f, const struct seedset *seeds, struct err_note *why)
{
	const unsigned n = (unsigned)f->replay->fleet->agents;
	size_t n_pages;
	const uint32_t *pages = seedset_pages(seeds, &n_pages);

	f->agent = mem_zero(n, sizeof *f->agent);
	f->frontier = mem_zero(n, sizeof *f->frontier);
	f->counts = mem_zero(n + 1, sizeof *f->counts);
	f->past = mem_zero((size_t)(n + 1) * (f->replay->fleet->lag + 1), sizeof *f->past);
	while (f->opened < n)
		TRY(open_agent(f, why));
	for (unsigned a = 0; a < n; a++) {
		seed(&f->agent[a], pages, n_pages);
		f->agent[a].is_awake = 1;
		count(f, a);
	}
	return 0;
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
	for (uint32_t u = 0; u < f->data->graph.nodes; u++)
		figures->share[f->shares.owner[f->partition[u]]].pages++;
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
		close_agent(&f->agent[a]);
	free(f->agent);
	free(f->frontier);
	free(f->counts);
	free(f->past);
	free(f->is_asked);
	free(f->partition);
	intern_release(&f->names);
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
	struct fleet f = {.replay = r,
		.data = data,
		.settings = replay_settings(r, data, oracle),
		.score = replay_score(r, data),
		.sees = policy_asks(r->policy),
		.rest = FLEET_REST,
		.next_step = op_counts_step_at(0, data->graph.nodes)};
	f.end = &f.first;
	f.figures = r->figures = mem_zero(1, sizeof *r->figures);
	f.figures->agents = (unsigned)r->fleet->agents;
	f.figures->share = mem_zero(f.figures->agents, sizeof *f.figures->share);
	f.is_asked = mem_zero(data->graph.nodes, sizeof *f.is_asked);
	shares_deal(&f.shares, f.figures->agents);
	name_nodes(&f);
	find_partitions(&f);
	const int64_t started = clock_read_ns(CLOCK_THREAD_CPUTIME_ID);
	err = open_agents(&f, seeds, why);
	if (!err)
		err = run(&f, why);
	r->cpu_ns = clock_read_ns(CLOCK_THREAD_CPUTIME_ID) - started;
	r->work.links = r->links;
	r->work.batches = schedule_batches(f.settings.batch, f.settings.growth, r->crawled);
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
