#include "crawler/agent/live_agent.h"
#include "base/clock.h"
#include "base/mem.h"
#include "crawler/agent/live_agent_parts.h"
#include "crawler/agent/post_log.h"
#include "crawler/network/net_source.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LEAVE_MS     5000                 /* an agent that leaves waits so long for confirmations */
#define MARKS_MS     3000                 /* an agent waits so long for the marks of others before it takes a page */
#define WAITING_MOST ((uint64_t)64 << 20) /* bytes of letters that are not confirmed; then no page is taken */

/* --- from the parts to an agent */

struct live_agent *live_agent_new(struct member *member, const struct roster *roster, unsigned self, struct live_rest rest)
{
	struct live_agent *a = mem_zero(1, sizeof *a);
	const unsigned agents = roster->n;

	assert(agents >= 1 && agents <= PARTITIONS && self < agents);
	a->roster = mem_new(1, sizeof *a->roster);
	*a->roster = *roster;
	a->member = member;
	a->agents = agents;
	a->self = self;
	a->turns = (struct agent_turns){.member = member, .is_shared = agents > 1, .delay = rest.delay, .factor = rest.factor};
	shares_deal(&a->shares, roster->agents);
	a->moves = agent_shares_new(member, self);
	a->post = post_new(agents, self);
	a->news = mem_zero(1, sizeof *a->news);
	a->run = mem_zero(NEWS_AGENTS, sizeof *a->run);
	a->is_away = mem_zero(NEWS_AGENTS, sizeof *a->is_away);
	a->has_told = mem_zero(NEWS_AGENTS, sizeof *a->has_told);
	a->fleet.goes_on = 1;
	return a;
}

void live_agent_free(struct live_agent *a)
{
	if (!a)
		return;
	/* what is not committed comes again, since the sender keeps it until it is confirmed */
	if (a->next)
		member_acknowledge(a->member, a->next);
	if (a->taken)
		member_acknowledge(a->member, a->taken);
	agent_shares_free(a->moves);
	exchange_free(a->exchange);
	agent_pages_release(&a->pages);
	post_free(a->post);
	post_log_free(a->post_log);
	buf_release(&a->own);
	free(a->roster);
	free(a->news);
	free(a->run);
	free(a->is_away);
	free(a->has_told);
	free(a);
}

void live_agent_divide(struct live_agent *a, struct source *source)
{
	const struct net_permits permits = agent_turns_permits(&a->turns);

	net_source_divide(source, &a->shares, a->self, &permits);
}

static int commit_all(void *ctx, struct err_note *why)
{
	struct live_agent *a = ctx;

	return a->commit(a->commit_ctx, why);
}

void live_agent_join(struct live_agent *a, struct store *store, struct frontier *frontier, struct source *source,
	int (*commit)(void *ctx, struct err_note *why), void *ctx)
{
	a->pages = (struct agent_pages){.store = store, .source = source, .time = NET_FLEET_BEFORE};
	const struct exchange_pages pages = agent_pages_for_exchange(&a->pages);

	a->store = store;
	a->post_log = post_log_new(store);
	a->frontier = frontier;
	a->source = source;
	a->commit = commit;
	a->commit_ctx = ctx;
	a->exchange = exchange_new(frontier, &a->shares, a->self, &pages,
		&(struct exchange_post){.ctx = a, .send = live_agent_post, .tells_self = 1});
	agent_shares_join(a->moves,
		&(struct agent_parts){.member = a->member,
			.self = a->self,
			.shares = &a->shares,
			.post = a->post,
			.store = store,
			.frontier = frontier,
			.source = source,
			.exchange = a->exchange,
			.pages = &a->pages,
			.turns = &a->turns,
			.ctx = a,
			.send = live_agent_post,
			.commit = commit_all});
	if (a->member) /* half of what may travel: the page's own URL and what the policy keeps of it come on top */
		exchange_limit(a->exchange, member_parcel_most(a->member) / 2);
}

void live_agent_seed_by(struct live_agent *a, int (*seed)(void *ctx, const char *url, size_t n, struct err_note *why))
{
	a->seed = seed;
}

/* --- resuming */

static int read_letter(struct live_agent *a, const struct log_entry *e, uint64_t at, struct err_note *why)
{
	if (e->agent >= a->agents)
		return err_set(why, ERR_DAMAGED, "the store's log is damaged: a letter of agent %u", e->agent);
	if (e->kind == LOG_POSTED) {
		post_count_earlier(a->post, e->agent);
		return 0;
	}
	const int err = e->letter_n ? exchange_take(a->exchange, e->letter, e->letter_n, why) : 0;
	/* a letter of the agent itself is one that an earlier owner of the partition has taken, or that was addressed to an agent
	 * that is gone */
	if (err || e->agent == a->self)
		return err;
	post_took(a->post, e->agent);
	live_agent_log_heard(a, e->agent, post_mark(a->post, e->agent), e->letter, e->letter_n, at);
	return 0;
}

int live_agent_entry(struct live_agent *a, const struct log_entry *e, uint64_t at, struct err_note *why)
{
	switch (e->kind) {
	case LOG_SHARES:
		return agent_shares_entry(a->moves, e->text, why);
	case LOG_ADOPTED:
		agent_shares_adopted(a->moves, e->id);
		return 0;
	case LOG_ELSEWHERE:
		return agent_elsewhere_read(&a->elsewhere, a->frontier, e->text, why);
	default:
		return read_letter(a, e, at, why);
	}
}

/* Puts what other agents must know of an event into letters, before the frontier is told of the event. */
static int exchange_event(struct live_agent *a, const struct result *e, struct err_note *why)
{
	int err = 0;

	if (e->state == PAGE_CRAWLED)
		return exchange_page(a->exchange, e->id, e->links, e->kinds, e->n, why);
	if (e->state == PAGE_REDIRECTED)
		return exchange_target(a->exchange, e->id, e->target, why);
	for (size_t i = 0; !err && e->outcome == OUTCOME_SITEMAPS && i < e->n; i++)
		err = exchange_seed(a->exchange, e->links[i], why);
	return err;
}

int live_agent_lands(struct live_agent *a, const struct result *e, uint64_t at, struct err_note *why)
{
	if (!a->member || at < member_logged_before(a->member))
		return 0;
	const int err = exchange_event(a, e, why);
	live_agent_log_own(a, at);
	agent_shares_ended(a->moves, e, at);
	return err;
}

void live_agent_queued(struct live_agent *a, uint32_t id, uint64_t at)
{
	agent_shares_queued(a->moves, id, at);
}

int live_agent_is_heir(const struct live_agent *a, uint32_t id)
{
	return agent_shares_is_heir(a->moves, id);
}

void live_agent_inherit(struct live_agent *a, const struct result *e)
{
	agent_shares_inherit(a->moves, e);
}

int live_agent_landed(struct live_agent *a, struct err_note *why)
{
	return exchange_masses(a->exchange, why);
}

void live_agent_resumed(struct live_agent *a)
{
	a->pages.time = NET_FLEET_NOW;
	agent_shares_resumed(a->moves);
	a->resumed = clock_ms();
	a->must_tell = 1;
}

/* --- the observers */

static int event(void *ctx, const struct result *e, struct err_note *why)
{
	struct live_agent *a = ctx;
	const int err = exchange_event(a, e, why);

	/* the recorder is about to write the entry that tells of the event */
	a->at = store_log_length(a->store);
	live_agent_log_own(a, a->at);
	return err;
}

static int recorded(void *ctx, const struct result *e, struct err_note *why)
{
	struct live_agent *a = ctx;

	(void)why;
	agent_shares_ended(a->moves, e, a->at);
	return 0;
}

/* Learns which agents have joined. An agent that was alone asked for no turns at addresses: its requests end before it does. */
static int welcome(struct live_agent *a, struct err_note *why)
{
	struct buf text = BUF_EMPTY;
	int err = 0;

	if (member_roster(a->member, a->roster)) {
		a->agents = a->roster->n;
		roster_write(a->roster, &text);
		err = store_set(a->store, LIVE_AGENT_ROSTER, text.at, why);
		buf_release(&text);
	}
	a->turns.is_shared |= a->agents > 1 && !frontier_in_flight(a->frontier);
	return err;
}

/* Says whether the news of all other agents have come since the resume, which tell up to which number each has received this
 * agent's letters; after MARKS_MS they are not waited for any longer. */
static int knows_marks(struct live_agent *a)
{
	if (clock_ms() - a->resumed > MARKS_MS)
		return 1;
	for (unsigned i = 0; i < a->agents; i++)
		if (i != a->self && !a->has_told[i])
			return 0;
	return 1;
}

static void look_at_state(struct live_agent *a)
{
	const enum member_state state = member_state(a->member);

	a->is_running = member_is_sure(a->member) && state != MEMBER_PAUSED;
	a->fleet.is_held = !a->is_running || a->mine.waiting > WAITING_MOST || !knows_marks(a) || agent_shares_holds(a->moves) ||
		(a->agents > 1 && !a->turns.is_shared);
	a->fleet.is_stopped = state == MEMBER_STOPPED;
	if (state == MEMBER_DONE)
		a->fleet.goes_on = 0;
}

/* Takes the seeds that the operator has added to the crawl, a line each. Every agent takes all: they may widen its scope. */
static int take_seeds(struct live_agent *a, struct err_note *why)
{
	struct buf lines = BUF_EMPTY;
	uint64_t revision;
	int err = 0;

	if (!a->seed || !member_take_seeds(a->member, &lines, &revision))
		return 0;
	a->mine.seeded = revision;
	a->must_tell = 1;
	/* each line has its line feed, and perhaps NULs: it comes from the server */
	for (const char *at = lines.at, *last = lines.at + lines.used, *end; !err && at < last; at = end + 1) {
		end = memchr(at, '\n', (size_t)(last - at));
		err = a->seed(a->commit_ctx, at, (size_t)(end - at), why);
	}
	buf_release(&lines);
	return err;
}

/* Makes a step of the agent between two steps of the crawl loop: takes what has arrived, commits, looks at the news of the others,
 * and moves partitions. */
static int step(void *ctx, struct err_note *why)
{
	struct live_agent *a = ctx;
	int err = member_fault(a->member, why);

	if (!err)
		err = welcome(a, why); /* before any letter of an agent that has joined */
	if (!err)
		err = take_seeds(a, why);
	if (!err)
		err = exchange_masses(a->exchange, why);
	if (!err)
		err = live_agent_settle(a, why);
	if (!err)
		err = live_agent_take_letters(a, why);
	if (!err)
		err = live_agent_commit_letters(a, why);
	if (!err)
		err = live_agent_settle(a, why);
	if (!err)
		err = live_agent_look_at_news(a, why);
	if (!err)
		err = agent_shares_step(a->moves, a->agents, a->is_running, why);
	look_at_state(a);
	return err;
}

int live_agent_leave(struct live_agent *a, struct err_note *why)
{
	const int64_t until = clock_ms() + LEAVE_MS;
	const struct timespec pause = {.tv_nsec = 20000000};
	int err = 0;

	a->is_leaving = 1;
	while (!err && clock_ms() < until && member_is_sure(a->member) && !agent_shares_is_quiet(a->moves)) {
		err = step(a, why);
		if (!err)
			err = commit_all(a, why);
		nanosleep(&pause, NULL);
	}
	return err;
}

struct observer live_agent_observer(struct live_agent *a)
{
	return (struct observer){.ctx = a, .event = event, .step = step};
}

struct observer live_agent_after(struct live_agent *a)
{
	return (struct observer){.ctx = a, .event = recorded};
}

const struct crawl_fleet *live_agent_fleet(const struct live_agent *a)
{
	return &a->fleet;
}
