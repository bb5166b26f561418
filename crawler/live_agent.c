#include "crawler/live_agent.h"
#include "agents/exchange.h"
#include "agents/post.h"
#include "base/clock.h"
#include "base/mem.h"
#include "crawler/net_source.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PACKS_A_STEP   16
#define LOOK_MS        50                   /* between two looks at the news, and a ms more for each agent */
#define ELSEWHERE_MS   1000                 /* between two LOG_ELSEWHERE */
#define COMMIT_SHARE   10                   /* commits for letters take at most a tenth of the time */
#define WAITING_MOST   ((uint64_t)64 << 20) /* bytes of letters that are not confirmed; then no page is taken */

/* A round of agent 0. */
struct round {
	int was_idle; /* all agents were */
	uint64_t sent, taken;
};

struct live_agent {
	struct member *member;
	unsigned agents, self;
	struct shares shares;
	struct live_rest rest;
	struct store *store;
	struct frontier *frontier;
	struct source *source;
	struct exchange *exchange;
	struct post *post;
	int (*commit)(void *ctx, struct err_note *why);
	void *commit_ctx;
	enum net_fleet_time time; /* NET_FLEET_BEFORE during a resume */

	struct member_parcel *next;  /* those that have come, oldest first */
	struct member_parcel *taken; /* of letters that are taken, and not committed yet */
	struct crawl_fleet fleet;
	struct frontier_elsewhere elsewhere;
	int64_t looked, logged, committed, cost;
	struct news mine, *news; /* the own ones; scratch for another's */
	uint64_t *run;           /* the process of each agent that was seen last */
	struct round before;
	uint64_t told; /* letters that the last news have counted */
};

/* --- what the exchange asks */

static const char *url_of(void *ctx, uint32_t id, size_t *n)
{
	struct live_agent *a = ctx;
	struct store_page page;

	if (!store_page(a->store, id, &page)) {
		*n = 0; /* a damaged store */
		return "";
	}
	*n = page.url_length;
	return page.url;
}

static int find(void *ctx, const struct exchange_url *u, uint32_t *id, struct err_note *why)
{
	struct live_agent *a = ctx;

	return net_fleet_find(net_source_fleet(a->source), u, a->time, id, why);
}

static unsigned partition(void *ctx, uint32_t id)
{
	struct live_agent *a = ctx;

	return net_fleet_partition(net_source_fleet(a->source), id);
}

static uint16_t depth(void *ctx, uint32_t id)
{
	struct live_agent *a = ctx;

	return net_source_knowledge(a->source)->page[id].depth;
}

/* A letter of an event that is read back stands in the log beside it. */
static int post_letter(void *ctx, unsigned p, const void *letter, size_t n, struct err_note *why)
{
	struct live_agent *a = ctx;
	const struct log_entry entry = {.kind = LOG_POSTED, .agent = a->shares.owner[p], .letter = letter, .letter_n = n};

	if (a->time == NET_FLEET_BEFORE)
		return 0;
	const int err = store_log(a->store, &entry, why);
	if (!err)
		post_add(a->post, entry.agent, letter, n);
	return err;
}

/* --- addresses that agents share */

static int ask(void *ctx, const struct net_address *address)
{
	const struct live_agent *a = ctx;

	return member_ask(a->member, address->ip);
}

/* The longest rest that the frontier of another agent could keep after this request. */
static void asked(void *ctx, const struct net_address *address, int64_t took, int64_t host_delay)
{
	const struct live_agent *a = ctx;
	int64_t rest = a->rest.delay, slow = (int64_t)(a->rest.factor * (double)took);

	slow = slow < FRONTIER_MAX_SLOW_MS ? slow : FRONTIER_MAX_SLOW_MS;
	rest = rest > slow ? rest : slow;
	rest = rest > host_delay ? rest : host_delay;
	member_asked(a->member, address->ip, rest);
}

/* --- from the parts to an agent */

struct live_agent *live_agent_new(struct member *member, unsigned agents, unsigned self, struct live_rest rest)
{
	struct live_agent *a = mem_zero(1, sizeof *a);

	assert(agents >= 1 && agents <= PARTITIONS && self < agents);
	a->member = member;
	a->agents = agents;
	a->self = self;
	a->rest = rest;
	shares_deal(&a->shares, agents);
	a->post = post_new(agents, self);
	a->news = mem_zero(1, sizeof *a->news);
	a->run = mem_zero(agents, sizeof *a->run);
	a->fleet.goes_on = 1;
	a->mine.n_marks = agents;
	return a;
}

static void free_parcels(struct live_agent *a, struct member_parcel *p)
{
	if (p)
		member_acknowledge(a->member, p);
}

void live_agent_free(struct live_agent *a)
{
	if (!a)
		return;
	/* what is not committed comes again, since the sender keeps it until it is confirmed */
	free_parcels(a, a->next);
	free_parcels(a, a->taken);
	exchange_free(a->exchange);
	post_free(a->post);
	free(a->news);
	free(a->run);
	free(a);
}

void live_agent_divide(struct live_agent *a, struct source *source)
{
	net_source_divide(source, &a->shares, a->self,
		&(struct net_permits){.ctx = a, .ask = a->member ? ask : NULL, .asked = asked});
}

void live_agent_join(struct live_agent *a, struct store *store, struct frontier *frontier, struct source *source,
	int (*commit)(void *ctx, struct err_note *why), void *ctx)
{
	const struct exchange_pages pages = {.ctx = a, .url = url_of, .find = find, .partition = partition, .depth = depth};

	a->store = store;
	a->frontier = frontier;
	a->source = source;
	a->commit = commit;
	a->commit_ctx = ctx;
	a->time = NET_FLEET_BEFORE;
	a->exchange = exchange_new(frontier, &a->shares, a->self, &pages, &(struct exchange_post){a, post_letter});
}

/* --- resuming */

static int read_elsewhere(struct live_agent *a, const char *text, struct err_note *why)
{
	struct frontier_elsewhere e;

	if (sscanf(text, "%" SCNu64 " %" SCNu64 " %" SCNu64, &e.crawled, &e.seen, &e.queued) != 3 ||
		e.crawled < a->elsewhere.crawled)
		return err_set(why, ERR_DAMAGED, "the store's log is damaged: counts of other agents");
	a->elsewhere = e;
	frontier_hear(a->frontier, &e);
	return 0;
}

int live_agent_entry(struct live_agent *a, const struct log_entry *e, struct err_note *why)
{
	if (e->kind == LOG_ELSEWHERE)
		return read_elsewhere(a, e->text, why);
	if (e->agent >= a->agents)
		return err_set(why, ERR_DAMAGED, "the store's log is damaged: a letter of agent %u", e->agent);
	if (e->kind == LOG_POSTED) {
		post_add(a->post, e->agent, e->letter, e->letter_n);
		return 0;
	}
	const int err = exchange_take(a->exchange, e->letter, e->letter_n, why);
	if (!err)
		post_took(a->post, e->agent);
	return err;
}

int live_agent_landed(struct live_agent *a, struct err_note *why)
{
	return exchange_masses(a->exchange, why);
}

void live_agent_resumed(struct live_agent *a)
{
	a->time = NET_FLEET_NOW;
}

/* --- letters that have come */

static int foreign(struct err_note *why)
{
	return err_set(why, ERR_FORMAT,
		"what came from the NATS server is no letter of an agent of this version: all agents need the same");
}

/* Takes one letter. Returns 1 if it was taken, 0 if it changes nothing, or an error. */
static int take(struct live_agent *a, const void *bytes, size_t n, struct err_note *why)
{
	struct post_parcel p;

	if (post_parcel_read(&p, bytes, n) || p.from >= a->agents)
		return foreign(why);
	if (post_judge(a->post, p.from, p.number) != POST_NEXT)
		return 0;
	int err = exchange_take(a->exchange, p.letter, p.n, why);
	if (!err)
		err = store_log(a->store,
			&(struct log_entry){.kind = LOG_HEARD, .agent = p.from, .letter = p.letter, .letter_n = p.n}, why);
	if (err)
		return err;
	post_took(a->post, p.from);
	return 1;
}

/* Takes the letters of a pack. Returns 1 if one was taken, 0, or an error. */
static int take_pack(struct live_agent *a, const struct bus_letter *l, struct err_note *why)
{
	const uint8_t *at = l->bytes, *end = at + l->n;
	const void *parcel;
	int more, got = 0, any = 0;
	size_t n;

	while (got >= 0 && (more = post_unpack(&at, end, &parcel, &n)) != 0) {
		got = more < 0 ? foreign(why) : take(a, parcel, n, why);
		any |= got > 0;
	}
	return got < 0 ? got : any;
}

static int take_letters(struct live_agent *a, struct err_note *why)
{
	int got = 0;

	if (!a->next) /* else the server waits with more */
		a->next = member_take(a->member);
	for (int i = 0; got >= 0 && a->next && i < PACKS_A_STEP; i++) {
		struct member_parcel *p = a->next;
		got = take_pack(a, &p->letter, why);
		a->next = p->next;
		p->next = NULL;
		if (got > 0) {
			p->next = a->taken;
			a->taken = p;
		} else {
			member_acknowledge(a->member, p);
		}
	}
	return got < 0 ? got : 0;
}

/* --- letters that go out, and commits */

static int hand_out(void *ctx, unsigned to, const void *parcel, size_t n)
{
	struct live_agent *a = ctx;

	member_send(a->member, to, parcel, n);
	return 0;
}

/* Everything is committed: what waited for it happens. */
static void settle(struct live_agent *a)
{
	struct post_counts n;

	(void)post_each_due(a->post, clock_ms(), hand_out, a);
	free_parcels(a, a->taken);
	a->taken = NULL;
	post_count(a->post, &n);
	a->mine.sent = n.sent;
	a->mine.taken = n.taken;
	a->mine.waiting = n.waiting;
	for (unsigned i = 0; i < a->agents; i++)
		a->mine.mark[i] = post_mark(a->post, i);
}

/* The recorder commits for events; where only letters come, the agent has to. */
static int commit(struct live_agent *a, struct err_note *why)
{
	const int64_t now = clock_ms();

	if (store_is_committed(a->store) || now - a->committed < COMMIT_SHARE * (1 + a->cost))
		return 0;
	const int err = a->commit(a->commit_ctx, why);
	a->committed = clock_ms();
	a->cost = a->committed - now;
	return err;
}

/* --- news */

static void add_up(struct live_agent *a, const struct news *n, struct frontier_elsewhere *sum)
{
	(void)a;
	sum->crawled += n->crawled;
	sum->seen += n->seen;
	sum->queued += n->queued;
}

/* How the round of agent 0 stands: an agent is not idle; all are, but not all have answered; all are, and have. */
enum standing { ROUND_BUSY, ROUND_OPEN, ROUND_ANSWERED };

/* Looks at the news of the others. *round becomes the sums. */
static enum standing look_round(struct live_agent *a, struct frontier_elsewhere *sum, struct round *round)
{
	int all_idle = a->mine.is_idle, answered = 1;
	int64_t ago;

	*round = (struct round){.was_idle = a->mine.is_idle, .sent = a->mine.sent, .taken = a->mine.taken};
	for (unsigned i = 0; i < a->agents; i++) {
		if (i == a->self)
			continue;
		member_hear(a->member, i, a->news, &ago);
		add_up(a, a->news, sum);
		round->sent += a->news->sent;
		round->taken += a->news->taken;
		all_idle &= a->news->is_idle;
		answered &= a->news->round == a->mine.round || a->news->has_left;
		if (a->news->n_marks > a->self)
			post_confirm(a->post, i, a->news->mark[a->self], clock_ms());
		if (a->news->run != a->run[i])
			post_again(a->post, i);
		a->run[i] = a->news->run;
		if (i == 0)
			a->mine.round = a->news->round;
	}
	return !all_idle ? ROUND_BUSY : answered ? ROUND_ANSWERED : ROUND_OPEN;
}

/* Agent 0: the next round, or the end. */
static void close_round(struct live_agent *a, const struct round *now)
{
	if (a->before.was_idle && a->before.taken == now->sent) {
		member_set_state(a->member, MEMBER_DONE);
		a->fleet.goes_on = 0;
	}
	a->before = *now;
	a->mine.round++;
}

static int log_elsewhere(struct live_agent *a, const struct frontier_elsewhere *sum, struct err_note *why)
{
	struct frontier_elsewhere now = *sum;
	char text[80];

	if (now.crawled < a->elsewhere.crawled)
		now.crawled = a->elsewhere.crawled; /* an agent that came back knows of fewer at first */
	if (clock_ms() - a->logged < ELSEWHERE_MS || memcmp(&now, &a->elsewhere, sizeof now) == 0)
		return 0;
	snprintf(text, sizeof text, "%" PRIu64 " %" PRIu64 " %" PRIu64, now.crawled, now.seen, now.queued);
	const int err = store_log(a->store, &(struct log_entry){.kind = LOG_ELSEWHERE, .text = text}, why);
	a->logged = clock_ms();
	a->elsewhere = now;
	frontier_hear(a->frontier, &now);
	return err;
}

static void count_own(struct live_agent *a)
{
	struct frontier_counts n;

	frontier_count(a->frontier, &n);
	a->mine.crawled = n.crawled;
	a->mine.seen = n.seen - n.redirected;
	a->mine.queued = n.queued;
	a->mine.in_flight = n.in_flight;
	a->mine.is_idle = !a->next && store_is_committed(a->store) && crawl_is_idle(a->frontier, a->source);
}

static int look_at_news(struct live_agent *a, struct err_note *why)
{
	const int was_idle = a->mine.is_idle;
	const uint64_t round = a->mine.round, letters = a->told;
	struct frontier_elsewhere sum = {0};
	struct round now;

	if (clock_ms() - a->looked < LOOK_MS + a->agents && a->agents > 1)
		return 0;
	a->looked = clock_ms();
	count_own(a);
	const enum standing standing = look_round(a, &sum, &now);
	if (a->self == 0 && standing == ROUND_ANSWERED)
		close_round(a, &now);
	else if (standing == ROUND_BUSY)
		a->before.was_idle = 0;
	a->fleet.crawled = sum.crawled;
	a->told = a->mine.sent + a->mine.taken;
	/* others wait for what an idle agent says */
	member_tell(a->member, &a->mine, a->mine.is_idle && (!was_idle || a->mine.round != round || a->told != letters));
	return log_elsewhere(a, &sum, why);
}

static void look_at_state(struct live_agent *a)
{
	const enum member_state state = member_state(a->member);

	a->fleet.is_held = !member_is_sure(a->member) || state == MEMBER_PAUSED || a->mine.waiting > WAITING_MOST;
	a->fleet.is_stopped = state == MEMBER_STOPPED;
	if (state == MEMBER_DONE)
		a->fleet.goes_on = 0;
}

/* --- the observer */

static int event(void *ctx, const struct event *e, struct err_note *why)
{
	struct live_agent *a = ctx;

	if (e->state == PAGE_CRAWLED)
		return exchange_page(a->exchange, e->id, e->links, e->kinds, e->n, why);
	if (e->state == PAGE_REDIRECTED)
		return exchange_target(a->exchange, e->id, e->target, why);
	return 0;
}

static int step(void *ctx, struct err_note *why)
{
	struct live_agent *a = ctx;
	int err = member_fault(a->member, why);

	if (!err)
		err = exchange_masses(a->exchange, why);
	if (!err && store_is_committed(a->store))
		settle(a);
	if (!err)
		err = take_letters(a, why);
	if (!err)
		err = commit(a, why);
	if (!err && store_is_committed(a->store))
		settle(a);
	if (!err)
		err = look_at_news(a, why);
	look_at_state(a);
	return err;
}

struct observer live_agent_observer(struct live_agent *a)
{
	return (struct observer){.ctx = a, .event = event, .step = step};
}

const struct crawl_fleet *live_agent_fleet(const struct live_agent *a)
{
	return &a->fleet;
}
