#include "lab/study/fleet.h"
#include "base/clock.h"
#include "base/mem.h"
#include "frontier/schedule.h"
#include "lab/study/oracle.h"
#include "lab/study/fleet_agent.h"
#include "policies/policies.h"

#include <stdlib.h>
#include <string.h>

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
		err = replay_prepare(r, data, &oracle, why);
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
