#include "crawler/agent/live_agent.h"
#include "agents/exchange.h"
#include "agents/post.h"
#include "base/clock.h"
#include "base/mem.h"
#include "crawler/agent/agent_charter.h"
#include "crawler/agent/agent_pages.h"
#include "crawler/agent/agent_shares.h"
#include "crawler/agent/post_log.h"
#include "crawler/network/net_source.h"
#include "frontier/remote.h"
#include "storage/store.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LIVE_AGENT_HUNGRY 32   /* an agent with fewer pages queued is soon without work */
#define ELSEWHERE_MS      1000 /* between two entries */
#define PACKS_A_STEP      16
#define COMMIT_SHARE      10                   /* commits for letters take at most a tenth of the time, */
#define COMMIT_MS         250                  /* and come no faster than so, unless the agent is soon without work */
#define LOOK_MS           50                   /* between two looks at the news, and a ms more for each agent */
#define SPEED_MS          4000                 /* the speed is that of so long */
#define LEAVE_MS          5000                 /* an agent that leaves waits so long for confirmations */
#define MARKS_MS          3000                 /* an agent waits so long for the marks of others before it takes a page */
#define WAITING_MOST      ((uint64_t)64 << 20) /* bytes of letters that are not confirmed; then no page is taken */

/* A round of the first agent. */
struct live_round {
	int was_idle;  /* all agents were */
	unsigned gone; /* agents that are */
	uint64_t sent; /* letters of all others, all of which were confirmed if the agents were idle */
};

/* What is known of another agent. */
struct peer {
	uint64_t passed;        /* the number of the last letter to it that was sent on */
	uint64_t run;           /* its process that was seen last */
	unsigned char is_away;  /* it has left, or has lost its lease: letters wait for it here */
	unsigned char has_told; /* its marks were heard since the resume */
};

struct live_agent {
	struct member *member;
	struct peer *peer; /* NEWS_AGENTS */
	unsigned agents, self;
	struct shares shares;
	struct agent_turns turns;
	struct store *store;
	struct frontier *frontier;
	struct source *source;
	struct exchange *exchange;
	struct post *post;
	struct post_log *post_log;
	int (*commit)(void *ctx, struct err_note *why);
	void *commit_ctx;
	agent_charter_seed *seed; /* with commit_ctx */
	struct agent_pages pages;
	struct agent_shares *moves;
	struct roster *roster; /* as far as it is known */
	struct crawl_fleet fleet;
	int is_running;   /* the agent may take pages, */
	const char *held; /* unless this says why not */
	int is_leaving;   /* logs and news are told at once */

	/* letters */
	struct member_parcel *next;  /* those that have come, oldest first */
	struct member_parcel *taken; /* of letters that are taken, and not committed yet */
	uint64_t at;                 /* the entry of the store's log that tells of the last event */
	struct buf own;              /* letters to own partitions about the page that ends: see live_agent_log_own() */
	uint32_t *adopted;           /* pages of earlier owners, whose letters the bus may have lost with their writers */
	size_t n_adopted, adopted_room;
	int64_t committed, cost;
	int has_marks; /* marks have changed since the last news */

	/* news */
	struct {
		struct frontier_elsewhere counts; /* as the frontier has heard them; all 0 at first */
		int64_t logged;
	} elsewhere; /* what the other agents have crawled, seen and queued */
	struct {
		int64_t at;
		uint64_t logged, epoch; /* entries that were written into logs by then, and the table */
		uint64_t rewritten;     /* when so many are, the logs that the bus has lost are whole again */
	} remembered;                   /* what the store keeps of the bus */
	int64_t looked;
	struct news mine, *news; /* the own ones; scratch for another's */
	uint64_t odd_mark;       /* the last one that was put aside */
	int64_t resumed;         /* when this process had read its log */
	int64_t speed_since;     /* from which the speed is counted: */
	uint64_t speed_from;     /* the pages crawled by then */
	int must_tell; /* the news are urgent: the process begins, and others wait for its marks, or the operator has added seeds */
	struct live_round before;
	uint64_t told; /* letters that the last urgent news have counted */
};

/* --- what the other agents have crawled, seen and queued, as the frontier hears it, once a second at most: each time the store's
 * log has an entry LOG_ELSEWHERE, so that the policy of a crawl that is resumed hears the same counts at the same places */

/* Reads back the text of an entry of the log. Returns 0 or ERR_DAMAGED. */
static int hear_elsewhere(struct live_agent *a, const char *text, struct err_note *why)
{
	struct frontier_elsewhere e;

	if (sscanf(text, "%" SCNu64 " %" SCNu64 " %" SCNu64, &e.crawled, &e.seen, &e.queued) != 3 ||
		e.crawled < a->elsewhere.counts.crawled)
		return err_set(why, ERR_DAMAGED, "the store's log is damaged: counts of other agents");
	a->elsewhere.counts = e;
	frontier_hear(a->frontier, &e);
	return 0;
}

/* Tells the frontier and the log of new counts, if there are any and it is time. Returns 0 or an error of the store. */
static int log_elsewhere(struct live_agent *a, const struct frontier_elsewhere *sum, struct err_note *why)
{
	struct frontier_elsewhere now = *sum;
	char text[80];

	if (now.crawled < a->elsewhere.counts.crawled)
		now.crawled = a->elsewhere.counts.crawled; /* an agent that came back knows of fewer at first */
	if (clock_ms() - a->elsewhere.logged < ELSEWHERE_MS || memcmp(&now, &a->elsewhere.counts, sizeof now) == 0)
		return 0;
	snprintf(text, sizeof text, "%" PRIu64 " %" PRIu64 " %" PRIu64, now.crawled, now.seen, now.queued);
	const int err = store_log(a->store, &(struct log_entry){.kind = LOG_ELSEWHERE, .text = text}, why);
	a->elsewhere.logged = clock_ms();
	a->elsewhere.counts = now;
	frontier_hear(a->frontier, &now);
	return err;
}

/* --- letters of this agent */

static void keep_own(struct live_agent *a, unsigned p, const void *letter, size_t n)
{
	buf_varint(&a->own, p);
	buf_varint(&a->own, n);
	buf_add(&a->own, letter, n);
}

/* Writes the letters to own partitions into the logs of these: those about links from other own partitions, of which the policy has
 * heard when the page ended, and those that were addressed to an agent that is gone. `at` is the number of the entry that tells of
 * the page, or of the addressing. For struct agent_parts. */
static void live_agent_log_own(void *ctx, uint64_t at)
{
	struct live_agent *a = ctx;
	const uint8_t *next = (const uint8_t *)a->own.at, *end = next + a->own.used;
	uint64_t p, n;

	while (next < end && !varint_read(&next, end, &p) && !varint_read(&next, end, &n)) {
		agent_shares_letter(a->moves, (unsigned)p, a->self, 0, next, (size_t)n, at);
		next += n;
	}
	buf_clear(&a->own);
}

/* Posts a letter to a partition of another agent: LOG_POSTED. A letter to an own partition waits for live_agent_log_own(). For
 * struct exchange_post, whose `ctx` is the agent. */
static int live_agent_post(void *ctx, unsigned p, const void *letter, size_t n, struct err_note *why)
{
	struct live_agent *a = ctx;
	const struct log_entry entry = {.kind = LOG_POSTED, .agent = a->shares.owner[p], .letter = letter, .letter_n = n};

	if (entry.agent == a->self) {
		keep_own(a, p, letter, n);
		return 0;
	}
	/* a letter of an event that is read back stands in the log beside it */
	if (a->pages.time == NET_FLEET_BEFORE)
		return 0;
	const int err = store_log(a->store, &entry, why);
	if (!err)
		post_add(a->post, entry.agent, letter, n);
	return err;
}

/* Sends a letter of another agent, or one that the logs have lost, to the agent that owns its partition now. The sender may have
 * got a confirmation already and have deleted its copy, so this agent keeps the letter until the new receiver confirms it. For
 * struct agent_parts. */
static int live_agent_pass(void *ctx, unsigned p, const void *letter, size_t n, struct err_note *why)
{
	struct live_agent *a = ctx;
	const unsigned to = a->shares.owner[p];
	const int err = live_agent_post(a, p, letter, n, why);

	a->peer[to].passed = post_sent(a->post, to);
	return err;
}

static int is_passing(const struct live_agent *a)
{
	for (unsigned i = 0; i < a->agents; i++)
		if (i != a->self && post_confirmed(a->post, i) < a->peer[i].passed)
			return 1;
	return 0;
}

/* --- letters that have come */

/* Writes a letter to an own partition, which was taken in entry `at`, into the log of the partition. */
static void live_agent_log_heard(struct live_agent *a, unsigned from, uint64_t number, const void *letter, size_t n, uint64_t at)
{
	unsigned p;

	if (n && !exchange_partition(letter, n, &p) && p < PARTITIONS && a->shares.owner[p] == a->self)
		agent_shares_letter(a->moves, p, from, number, letter, n, at);
}

/* Sends a letter for a partition that has moved on to the partition's owner. */
static int send_on(struct live_agent *a, const struct post_parcel *p, struct err_note *why)
{
	unsigned partition;

	if (!p->n || exchange_partition(p->letter, p->n, &partition) || partition >= PARTITIONS ||
		a->shares.owner[partition] == a->self)
		return 0;
	return live_agent_pass(a, partition, p->letter, p->n, why);
}

/* Takes one letter. Returns 1 if it was taken, 0 if it changes nothing, or an error: ERR_FORMAT if it is none of an agent of this
 * version. Then its number counts as missing, so that a letter of the crawl with this number is taken when it is sent again. */
static int take(struct live_agent *a, const void *bytes, size_t n, struct err_note *why)
{
	struct post_parcel p;

	if (post_parcel_read(&p, bytes, n) || p.from >= NEWS_AGENTS)
		return ERR_FORMAT;
	if (p.from >= a->agents) /* it has joined a moment ago, and sends the letter again */
		return 0;
	if (post_judge(a->post, p.from, p.number) != POST_NEXT)
		return 0;
	int err = p.n ? exchange_take(a->exchange, p.letter, p.n, why) : 0;
	if (!err)
		live_agent_log_heard(a, p.from, p.number, p.letter, p.n, store_log_length(a->store));
	if (!err)
		err = store_log(a->store,
			&(struct log_entry){.kind = LOG_HEARD, .agent = p.from, .letter = p.letter, .letter_n = p.n}, why);
	if (!err)
		err = agent_pages_queue_sitemaps(&a->pages, a->frontier, why);
	if (!err)
		err = send_on(a, &p, why);
	if (err)
		return err;
	post_took(a->post, p.from);
	return 1;
}

/* Takes the letters of a pack; what is none is put aside. Returns 1 if one was taken, 0, or an error. */
static int take_pack(struct live_agent *a, const struct bus_letter *l, struct err_note *why)
{
	const uint8_t *at = l->bytes, *end = at + l->n;
	const void *parcel;
	int more, got = 0, any = 0;
	size_t n;

	while (got >= 0 && (more = post_unpack(&at, end, &parcel, &n)) != 0) {
		got = more < 0 ? ERR_FORMAT : take(a, parcel, n, why);
		any |= got > 0;
		if (got == ERR_FORMAT) {
			member_put_aside(a->member, "a letter");
			got = 0;
		}
		if (more < 0)
			break;
	}
	return got < 0 ? got : any;
}

/* Takes some of the letters that have come. Returns 0 or an error. */
static int live_agent_take_letters(struct live_agent *a, struct err_note *why)
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

/* --- commits, and what waits for them */

/* Commits the letters that were taken, if it is time: the recorder commits for events alone. Returns 0 or an error of the store. */
static int live_agent_commit_letters(struct live_agent *a, struct err_note *why)
{
	const int64_t now = clock_ms(), least = a->mine.queued < LIVE_AGENT_HUNGRY ? 0 : COMMIT_MS,
		      share = COMMIT_SHARE * (1 + a->cost);

	if (store_is_committed(a->store) || now - a->committed < (share > least ? share : least))
		return 0;
	const int err = a->commit(a->commit_ctx, why);
	a->committed = clock_ms();
	a->cost = a->committed - now;
	return err;
}

static int hand_out(void *ctx, unsigned to, const void *parcel, size_t n)
{
	struct live_agent *a = ctx;

	if (!a->peer[to].is_away)
		member_send(a->member, to, parcel, n);
	return a->peer[to].is_away;
}

/* Returns how long records wait for others to the same log. */
static int64_t log_every(const struct live_agent *a)
{
	if (a->is_leaving)
		return 0;
	return a->mine.queued || a->mine.in_flight ? news_ms(a->agents) : AGENT_LOG_SOON_MS;
}

/* If everything is committed, sends what waited for the commit: letters, acknowledgements, records for the logs of partitions.
 * Returns 0 or an error of the store. */
static int live_agent_settle(struct live_agent *a, struct err_note *why)
{
	struct post_counts n;

	if (!store_is_committed(a->store))
		return 0;
	const int err = post_lacks(a->post) ? post_log_restore(a->post_log, a->post, why) : 0;
	post_each_due(a->post, clock_ms(), hand_out, a);
	if (a->taken)
		member_acknowledge(a->member, a->taken);
	a->taken = NULL;
	post_count(a->post, &n);
	a->mine.sent = n.sent;
	a->mine.taken = n.taken;
	a->mine.waiting = n.waiting;
	a->mine.again = n.again;
	a->mine.lag = n.since == INT64_MAX ? 0 : (uint64_t)(clock_ms() - n.since);
	const int had_marks = a->mine.n_marks > 0;
	a->has_marks |= agent_shares_settle(a->moves, &a->mine, a->agents, log_every(a));
	a->must_tell |= !had_marks && a->mine.n_marks; /* a process begins, and others wait for its marks */
	a->mine.is_passing = is_passing(a);
	return err;
}

/* --- rounds */

static void add_up(const struct news *n, struct frontier_elsewhere *sum)
{
	sum->crawled += n->crawled;
	sum->seen += n->is_gone ? 0 : n->seen;
	sum->queued += n->is_gone ? 0 : n->queued;
}

/* How the round of the first agent stands: an agent is not idle; all are, but not all have answered; all are, and have. */
enum standing { ROUND_BUSY, ROUND_OPEN, ROUND_ANSWERED };

/* Takes what an agent, whose news are in a->news, says of letters. Returns 0 or an error of the store. */
static int hear_of_letters(struct live_agent *a, unsigned agent, int64_t ago, struct err_note *why)
{
	const struct news *n = a->news;
	const int has_mark = n->n_marks > a->self;

	a->peer[agent].is_away = n->has_left || ago > NEWS_LOST_MS;
	a->peer[agent].has_told |= has_mark || n->is_gone;
	/* the letters to an agent that is gone are addressed to others, once its partitions are theirs */
	int err = has_mark && !agent_shares_is_closed(a->moves, agent)
		? post_log_confirm(a->store, a->post, agent, n->mark[a->self], clock_ms(), why)
		: 0;
	if (err == ERR_FORMAT && a->odd_mark != n->mark[a->self]) {
		a->odd_mark = n->mark[a->self];
		member_put_aside(a->member, "a number of letters in the news of an agent");
	}
	err = err == ERR_FORMAT ? 0 : err;
	if (n->run != a->peer[agent].run)
		post_again(a->post, agent);
	a->peer[agent].run = n->run;
	return err;
}

static int is_idle(const struct live_agent *a)
{
	return !a->next && store_is_committed(a->store) && crawl_is_idle(a->frontier, a->source) && agent_shares_is_quiet(a->moves);
}

/* Reads the news of the other agents first, and decides then whether this agent is idle: an agent that has just heard that another
 * one is gone, and has to deal its partitions, must not publish that it is idle. *round becomes the sums. */
static enum standing look_round(struct live_agent *a, struct frontier_elsewhere *sum, struct live_round *round, int *err,
	struct err_note *why)
{
	const unsigned first = agent_shares_first(a->moves);
	const uint64_t generation = member_generation(a->member);
	int all_idle = 1, answered = 1;
	int64_t ago;

	*round = (struct live_round){.sent = a->mine.sent};
	for (unsigned i = 0; !*err && i < a->agents; i++) {
		if (i == a->self)
			continue;
		member_hear(a->member, i, a->news, &ago);
		agent_shares_hear(a->moves, i, a->news, ago, generation);
		add_up(a->news, sum);
		round->gone += a->news->is_gone != 0;
		if (!a->news->is_gone) {
			round->sent += a->news->sent;
			all_idle &= a->news->is_idle;
			answered &= a->news->round == a->mine.round || a->news->has_left;
			answered &= a->news->seeded == a->mine.seeded;
		}
		*err = hear_of_letters(a, i, ago, why);
		if (i == first)
			a->mine.round = a->news->round;
	}
	a->mine.is_idle = is_idle(a);
	all_idle &= a->mine.is_idle;
	round->was_idle = all_idle;
	return !all_idle ? ROUND_BUSY : answered ? ROUND_ANSWERED : ROUND_OPEN;
}

/* Closes a round at the first agent: ends the crawl if the same agents were idle in the round before, too, and no letter was sent
 * since; else begins the next round. */
static void close_round(struct live_agent *a, const struct live_round *now)
{
	if (a->before.was_idle && a->before.gone == now->gone && a->before.sent == now->sent) {
		member_set_state(a->member, MEMBER_DONE);
		a->fleet.goes_on = 0;
	}
	a->before = *now;
	a->mine.round++;
}

/* --- the own news */

static void count_speed(struct live_agent *a)
{
	const int64_t now = clock_ms(), ms = now - a->speed_since;

	if (a->speed_since && ms < SPEED_MS)
		return;
	a->mine.speed = a->speed_since ? (a->mine.crawled - a->speed_from) * 1000000 / (uint64_t)ms : 0;
	a->speed_since = now;
	a->speed_from = a->mine.crawled;
}

static void count_own(struct live_agent *a)
{
	struct frontier_counts n;

	frontier_count(a->frontier, &n);
	a->mine.crawled = n.crawled;
	a->mine.seen = n.seen - n.redirected;
	a->mine.queued = n.queued;
	a->mine.in_flight = n.in_flight;
	count_speed(a);
	agent_shares_tell(a->moves, &a->mine);
}

/* Says whether others wait for what this agent has to say: that it is idle, above all if no agent has anything to do; or that it
 * has letters whose confirmations an agent waits for that would be idle, too; or that it has marks, for which a gift to a hungry
 * agent may wait, or another agent that leaves, too, or new seeds. */
static int is_urgent(const struct live_agent *a, enum standing standing, int was_idle, uint64_t round)
{
	const int has_news = a->mine.round != round || a->told != a->mine.sent + a->mine.taken;

	return a->must_tell || (a->mine.is_idle && (!was_idle || (standing != ROUND_BUSY && has_news))) ||
		(a->has_marks && (a->is_leaving || agent_shares_has_hungry(a->moves) || (!a->mine.queued && !a->mine.in_flight)));
}

/* Keeps in the store what the agent remembers of the bus, once a second, and with each change of the table, which the store's log
 * tells, too. Up to which entry the logs are written is told only when a commit has what tells that the bus has them. Returns 0 or
 * an error of the store. */
static int remember(struct live_agent *a, struct err_note *why)
{
	const int is_committed = store_is_committed(a->store), is_changed = agent_shares_epoch(a->moves) != a->remembered.epoch;
	struct buf text = BUF_EMPTY;
	struct member_past past;

	if (is_committed)
		a->mine.logged = a->remembered.logged;
	if (!is_changed && (!is_committed || clock_ms() - a->remembered.at < ELSEWHERE_MS))
		return 0;
	if (is_committed)
		a->remembered.logged = agent_shares_logged(a->moves);
	member_remember(a->member, a->remembered.logged >= a->remembered.rewritten, &past);
	member_past_write(&past, &text);
	const char *kept = store_get(a->store, LIVE_AGENT_PAST);
	const int err = kept && strcmp(kept, text.at) == 0 ? 0 : store_set(a->store, LIVE_AGENT_PAST, text.at, why);
	buf_release(&text);
	a->remembered.at = clock_ms();
	a->remembered.epoch = agent_shares_epoch(a->moves);
	return err;
}

/* Looks at the news of the other agents and tells the own ones, if it is time. Returns 0 or an error of the store. */
static int live_agent_look_at_news(struct live_agent *a, struct err_note *why)
{
	const int was_idle = a->mine.is_idle;
	const uint64_t round = a->mine.round;
	struct frontier_elsewhere sum = {0};
	struct live_round now;
	int err = 0;

	if (clock_ms() - a->looked < LOOK_MS + a->agents && a->agents > 1)
		return 0;
	a->looked = clock_ms();
	count_own(a);
	const enum standing standing = look_round(a, &sum, &now, &err, why);
	if (err)
		return err;
	if (a->self == agent_shares_first(a->moves) && standing == ROUND_ANSWERED)
		close_round(a, &now);
	else if (standing == ROUND_BUSY)
		a->before.was_idle = 0;
	a->fleet.crawled = sum.crawled;
	const int urgent = is_urgent(a, standing, was_idle, round);
	if (urgent)
		a->told = a->mine.sent + a->mine.taken;
	member_tell(a->member, &a->mine, a->held, urgent);
	a->has_marks = a->must_tell = 0;
	return log_elsewhere(a, &sum, why);
}

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
	a->peer = mem_zero(NEWS_AGENTS, sizeof *a->peer);
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
	free(a->adopted);
	free(a->roster);
	free(a->news);
	free(a->peer);
	free(a);
}

void live_agent_divide(struct live_agent *a, struct source *source)
{
	const struct net_permits permits = agent_turns_permits(&a->turns);

	net_source_divide(source, &a->shares, a->self, &permits);
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
			.send = live_agent_pass,
			.log_own = live_agent_log_own,
			.commit = commit,
			.commit_ctx = ctx});
	if (a->member) /* half of what may travel: the page's own URL and what the policy keeps of it come on top */
		exchange_limit(a->exchange, member_parcel_most(a->member) / 2);
}

void live_agent_seed_by(struct live_agent *a, agent_charter_seed *seed)
{
	a->seed = seed;
}

/* --- resuming */

static int read_letter(struct live_agent *a, const struct log_entry *e, uint64_t at, struct err_note *why)
{
	unsigned p;

	if (e->agent >= a->agents)
		return err_set(why, ERR_DAMAGED, "the store's log is damaged: a letter of agent %u", e->agent);
	if (e->kind == LOG_POSTED) {
		post_count_earlier(a->post, e->agent);
		return 0;
	}
	const int err = e->letter_n ? exchange_take(a->exchange, e->letter, e->letter_n, why) : 0;
	if (err)
		return err;
	/* one of the agent itself is from the log of the partition, which has it unless the bus has gone back, or it was addressed
	 * to an agent that is gone, as the next LOG_SHARES says: then the log may lack it */
	if (e->agent == a->self && member_rewrites(a->member))
		live_agent_log_heard(a, a->self, 0, e->letter, e->letter_n, at);
	else if (e->agent == a->self && !exchange_partition(e->letter, e->letter_n, &p))
		keep_own(a, p, e->letter, e->letter_n);
	if (e->agent == a->self)
		return 0;
	post_took(a->post, e->agent);
	live_agent_log_heard(a, e->agent, post_mark(a->post, e->agent), e->letter, e->letter_n, at);
	return 0;
}

int live_agent_entry(struct live_agent *a, const struct log_entry *e, uint64_t at, struct err_note *why)
{
	switch (e->kind) {
	case LOG_SHARES:
		if (agent_shares_is_closing(e->text))
			live_agent_log_own(a, at);
		buf_clear(&a->own);
		return agent_shares_entry(a->moves, e->text, why);
	case LOG_ADOPTED:
		agent_shares_adopted(a->moves, e->id);
		return 0;
	case LOG_ELSEWHERE:
		return hear_elsewhere(a, e->text, why);
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

struct agent_shares *live_agent_moves(struct live_agent *a)
{
	return a->moves;
}

/* A bus that has lost the logs needs what this agent has of earlier owners, too. */
void live_agent_inherit(struct live_agent *a, const struct result *e, uint64_t at)
{
	agent_shares_inherit(a->moves, e);
	if (!member_rewrites(a->member))
		return;
	agent_shares_ended(a->moves, e, at);
	a->adopted = mem_grow(a->adopted, &a->adopted_room, a->n_adopted + 1, sizeof *a->adopted);
	a->adopted[a->n_adopted++] = e->id;
}

/* If the bus has gone back, names the pages that adopted pages link to once more to their owners: the letters about an adopted page
 * stood in the store of its first owner, who may be gone, and in logs. Returns 0 or an error. */
static int tell_adopted(struct live_agent *a, struct err_note *why)
{
	const uint32_t *links;
	int err = 0;

	for (size_t i = 0; !err && i < a->n_adopted; i++) {
		const size_t n = store_links(a->store, a->adopted[i], &links, NULL);
		uint32_t *copy = mem_copy(links, n * sizeof *copy);
		for (size_t k = 0; !err && k < n; k++)
			err = agent_shares_queue(a->moves, copy[k], why);
		for (size_t k = 0; !err && k < n; k++)
			err = exchange_seed(a->exchange, copy[k], why);
		free(copy);
	}
	a->n_adopted = 0;
	return err;
}

int live_agent_landed(struct live_agent *a, struct err_note *why)
{
	return exchange_masses(a->exchange, why);
}

int live_agent_resumed(struct live_agent *a, struct err_note *why)
{
	a->pages.time = NET_FLEET_NOW;
	a->resumed = clock_ms();
	a->must_tell = 1;
	for (unsigned i = 0; i < a->agents; i++) /* nobody knows any more which of them were sent on */
		a->peer[i].passed = post_sent(a->post, i);
	a->remembered.rewritten = member_rewrites(a->member) ? store_log_length(a->store) : 0;
	const int err = agent_shares_resumed(a->moves, why);
	return err ? err : tell_adopted(a, why);
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
	/* addresses may be held by agents that have not noticed yet that the bus has gone back */
	if (member_rewrites(a->member) && clock_ms() - a->resumed < NEWS_LOST_MS)
		return 0;
	if (clock_ms() - a->resumed > MARKS_MS)
		return 1;
	for (unsigned i = 0; i < a->agents; i++)
		if (i != a->self && !a->peer[i].has_told)
			return 0;
	return 1;
}

/* Says why the agent may take no page, or returns NULL. */
static const char *why_held(struct live_agent *a)
{
	if (a->mine.waiting > WAITING_MOST)
		return "letters wait for other agents that do not confirm them";
	if (!knows_marks(a))
		return "other agents have not said yet which letters they have, or that they know that the bus has gone back";
	if (agent_shares_holds(a->moves))
		return "the logs of partitions that this agent was given are read";
	return a->agents > 1 && !a->turns.is_shared ? "the requests from before other agents joined are still in flight" : NULL;
}

static void look_at_state(struct live_agent *a)
{
	const enum member_state state = member_state(a->member);

	a->is_running = member_is_sure(a->member) && state != MEMBER_PAUSED;
	a->held = why_held(a);
	a->fleet.is_held = !a->is_running || a->held;
	a->fleet.is_stopped = state == MEMBER_STOPPED;
	if (state == MEMBER_DONE)
		a->fleet.goes_on = 0;
}

/* Takes the seeds that the operator has added to the crawl. */
static int take_seeds(struct live_agent *a, struct err_note *why)
{
	const int got = a->seed ? agent_charter_take_seeds(a->member, a->store, a->seed, a->commit_ctx, &a->mine.seeded, why) : 0;

	a->must_tell |= got > 0;
	return got < 0 ? got : 0;
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
	if (!err)
		err = remember(a, why);
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
			err = a->commit(a->commit_ctx, why);
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
