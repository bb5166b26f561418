#include "crawler/agent/agent_shares.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "crawler/agent/agent_shares_parts.h"
#include "crawler/network/net_source.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOOK_MS    1000 /* between two looks at who has too much */
#define HUNGRY_MS  1000 /* an agent is hungry when it has had nothing to do for so long, */
#define AHEAD_MS   6000 /* or will have nothing to do in so long, since a gift takes some seconds */
#define GIVE_LEAST 32   /* pages that an agent must have queued to give any, */
#define GIVE_LASTS 3000 /* which must last so many ms: nobody crawls pages that are being given */
#define GIVE_MS    3000 /* between two gifts of an agent */

struct agent_shares *agent_shares_new(struct member *member, unsigned self)
{
	struct agent_shares *s = mem_zero(1, sizeof *s);

	s->log = agent_log_new(member, self);
	s->read = mem_zero(PARTITIONS, sizeof *s->read);
	s->reading = mem_zero(PARTITIONS, sizeof *s->reading);
	s->rest = mem_zero(PARTITIONS, sizeof *s->rest);
	s->of = mem_zero(NEWS_AGENTS, sizeof *s->of);
	s->marks = mem_zero(NEWS_AGENTS, sizeof *s->marks);
	for (unsigned kind = LOG_PACK_LETTER; kind < LOG_PACK_KINDS; kind++)
		s->seen[kind] = mem_zero(NEWS_AGENTS, sizeof *s->seen[kind]);
	s->heir = UINT32_MAX;
	return s;
}

void agent_shares_join(struct agent_shares *s, const struct agent_parts *parts)
{
	s->parts = *parts;
}

void agent_shares_free(struct agent_shares *s)
{
	if (!s)
		return;
	for (struct member_chapter *c = s->chapter, *next; c; c = next) {
		next = c->next;
		free(c);
	}
	for (unsigned kind = LOG_PACK_LETTER; kind < LOG_PACK_KINDS; kind++)
		free(s->seen[kind]);
	agent_log_free(s->log);
	page_record_release(&s->record);
	buf_release(&s->text);
	free(s->read);
	free(s->reading);
	free(s->rest);
	free(s->of);
	free(s->marks);
	free(s->gift);
	free(s->links);
	free(s->kinds);
	free(s);
}

static int is_own(const struct agent_shares *s, unsigned partition)
{
	return s->parts.shares->owner[partition] == s->parts.self;
}

/* Returns the gift of a partition, or NULL. */
static const struct gift *agent_gift_of(const struct agent_shares *s, unsigned p)
{
	for (size_t i = 0; i < s->n_gifts; i++)
		if (s->gift[i].partition == p)
			return &s->gift[i];
	return NULL;
}

/* Notes that a partition was given away, and is to be handed over. */
static void agent_gift_add(struct agent_shares *s, unsigned p, unsigned to)
{
	s->gift = mem_grow(s->gift, &s->gifts_room, s->n_gifts + 1, sizeof *s->gift);
	s->gift[s->n_gifts++] = (struct gift){.partition = p, .to = to, .entries = store_log_length(s->parts.store)};
}

/* Says whether an agent owns a partition. */
static int agent_gone_owns_any(const struct agent_shares *s, unsigned agent)
{
	for (unsigned p = 0; p < PARTITIONS; p++)
		if (s->parts.shares->owner[p] == agent)
			return 1;
	return 0;
}

/* --- for the logs */

void agent_shares_letter(struct agent_shares *s, unsigned partition, unsigned from, uint64_t number, const void *letter, size_t n,
	uint64_t at)
{
	buf_clear(&s->text);
	buf_varint(&s->text, from);
	buf_varint(&s->text, number);
	buf_add(&s->text, letter, n);
	agent_log_add(s->log, partition, LOG_PACK_LETTER, at, s->text.at, s->text.used);
}

void agent_shares_queued(struct agent_shares *s, uint32_t id, uint64_t at)
{
	struct store_page page;

	if (is_own(s, agent_shares_partition(s, id)) && store_page(s->parts.store, id, &page))
		agent_log_add(s->log, agent_shares_partition(s, id), LOG_PACK_QUEUED, at, page.url, page.url_length);
}

/* The page's host is to rest for longer than hosts do: the next owner of the partition lets it rest, too. */
static void log_rest(struct agent_shares *s, const struct result *e, uint64_t at)
{
	const unsigned partition = agent_shares_partition(s, e->id);
	struct store_page page;

	if (e->host_pause <= e->ended || e->host_pause >= FRONTIER_FOR_GOOD || !store_page(s->parts.store, e->id, &page))
		return;
	buf_clear(&s->text);
	buf_varint(&s->text, (uint64_t)(e->host_pause + e->ahead));
	buf_add(&s->text, page.url, page.url_length);
	agent_log_add(s->log, partition, LOG_PACK_REST, at, s->text.at, s->text.used);
}

void agent_shares_ended(struct agent_shares *s, const struct result *e, uint64_t at)
{
	log_rest(s, e, at);
	for (size_t i = 0; e->outcome == OUTCOME_SITEMAPS && i < e->n; i++)
		agent_shares_queued(s, e->links[i], at);
	for (size_t i = 0; e->freed && i < e->freed->skipped.n; i++)
		agent_shares_queued(s, e->freed->skipped.id[i], at);
	if (e->state == PAGE_QUEUED || e->visit)
		return;
	const int64_t rest = agent_turns_rest(s->parts.turns, e->ended - e->started, e->host_delay);
	if (page_record_write(s->parts.store, e->id, rest, &s->text))
		agent_log_add(s->log, agent_shares_partition(s, e->id), LOG_PACK_PAGE, at, s->text.at, s->text.used);
}

/* --- changes of owners */

/* Which pages a change is about. */
struct change {
	uint8_t comes[PARTITIONS], goes[PARTITIONS];
	int any;
};

static void set_owner(struct agent_shares *s, unsigned p, unsigned owner, struct change *c)
{
	const unsigned before = s->parts.shares->owner[p], self = s->parts.self;

	s->parts.shares->owner[p] = (uint16_t)owner;
	c->comes[p] = owner == self && before != self;
	c->goes[p] = owner != self && before == self;
	s->is_given[p] = c->goes[p];
	c->any |= c->comes[p] | c->goes[p];
}

/* Applies a change of owners to the frontier: the pages of partitions that go become remote; the pages of partitions that come
 * become unseen, and seeds among them are queued. */
static void move_pages(struct agent_shares *s, const struct change *c)
{
	const struct knowledge *k = net_source_knowledge(s->parts.source);
	struct frontier_remote page;
	double mass;

	for (uint32_t id = 0; c->any && id < k->n; id++) {
		const unsigned p = agent_shares_partition(s, id);
		if (c->goes[p])
			(void)frontier_give(s->parts.frontier, id, &page, &mass);
		if (!c->comes[p])
			continue;
		frontier_forget(s->parts.frontier, id);
		if (net_source_is_seed(s->parts.source, id) && frontier_state(s->parts.frontier, id) == PAGE_UNSEEN)
			frontier_seed(s->parts.frontier, &id, 1);
	}
}

static void finish(struct agent_shares *s, unsigned p, int is_whole)
{
	if ((s->reading[p] == READING_NOTHING) == is_whole)
		return;
	s->reading[p] = is_whole ? READING_NOTHING : READING_LOG;
	if (is_whole) {
		s->n_unfinished--;
		agent_log_release(s->log, p);
	} else {
		s->n_unfinished++;
		agent_log_hold(s->log, p);
	}
}

/* Notes that all letters to an agent that is gone were sent to others. */
static void close_post(struct agent_shares *s, unsigned agent)
{
	s->of[agent].is_closed = 1;
	s->of[agent].kept = post_sent(s->parts.post, agent);
	post_close(s->parts.post, agent);
}

int agent_shares_is_closing(const char *text)
{
	return strtoul(text, NULL, 10) == NO_PARTITION;
}

int agent_shares_entry(struct agent_shares *s, const char *text, struct err_note *why)
{
	struct change *c = mem_zero(1, sizeof *c);
	unsigned p, owner;
	uint64_t number;
	int is_whole, length;

	for (; *text; text += length) {
		if (sscanf(text, "%u %u %" SCNu64 " %d\n%n", &p, &owner, &number, &is_whole, &length) != 4 || p > PARTITIONS ||
			owner >= NEWS_AGENTS) {
			free(c);
			return err_set(why, ERR_DAMAGED, "the store's log is damaged: shares of partitions");
		}
		if (p == NO_PARTITION) {
			close_post(s, owner);
			continue;
		}
		set_owner(s, p, owner, c);
		s->read[p] = number;
		finish(s, p, owner != s->parts.self || is_whole != 0);
	}
	move_pages(s, c);
	free(c);
	return 0;
}

int agent_shares_change(struct agent_shares *s, const unsigned *partitions, const uint16_t *owners, size_t n, struct err_note *why)
{
	struct buf text = BUF_EMPTY;

	for (size_t i = 0; i < n; i++)
		buf_format(&text, "%u %u 0 0\n", partitions[i], owners[i]); /* a log is read from its first message */
	int err = n ? store_log(s->parts.store, &(struct log_entry){.kind = LOG_SHARES, .text = text.at}, why) : 0;
	if (!err && n)
		err = agent_shares_entry(s, text.at, why);
	buf_release(&text);
	return err;
}

/* Makes the table that is next after the one that is known, with the same owners: what is given away has its owner until it is
 * handed over. */
static void agent_shares_next(const struct agent_shares *s, struct share_table *t)
{
	*t = s->table;
	if (!t->epoch)
		memcpy(t->owner, s->parts.shares->owner, sizeof t->owner);
	for (size_t i = 0; !t->epoch && i < s->n_gifts; i++)
		t->owner[s->gift[i].partition] = (uint16_t)s->parts.self;
	t->epoch++;
}

/* --- what is given */

int64_t agent_gifts_duration(const struct news *n)
{
	const double ms = n->speed ? 1e6 * (double)n->queued / (double)n->speed : (double)INT64_MAX;

	return ms < 1e15 ? (int64_t)ms : INT64_MAX;
}

int agent_gifts_are_needed(const struct agent_shares *s)
{
	return s->idle_since && (clock_ms() - s->idle_since > HUNGRY_MS || (s->is_fed && s->lasts < AHEAD_MS));
}

int agent_shares_has_hungry(const struct agent_shares *s)
{
	for (unsigned i = 0; i < s->agents; i++)
		if (s->of[i].is_hungry)
			return 1;
	return 0;
}

static int is_rich(uint64_t queued, int64_t lasts)
{
	return queued >= GIVE_LEAST && lasts >= GIVE_LASTS;
}

int agent_gifts_are_awaited(const struct agent_shares *s)
{
	int any_poor = 0, any_rich = s->is_fed && is_rich(s->queued, s->lasts);

	for (unsigned i = 0; i < s->agents; i++) {
		any_poor |= s->of[i].is_hungry && !s->of[i].queued;
		any_rich |= s->of[i].is_live && is_rich(s->of[i].queued, s->of[i].lasts);
	}
	return any_poor && any_rich;
}

/* Asks for a table in which the partitions that were given away, and whose logs are written, have their new owners; forgets those
 * that have. */
static void agent_gifts_hand_over(struct agent_shares *s)
{
	struct share_table next;
	int any = 0;

	agent_shares_next(s, &next);
	for (size_t i = s->n_gifts; s->table.epoch && i-- > 0;)
		if (s->table.owner[s->gift[i].partition] != s->parts.self)
			s->gift[i] = s->gift[--s->n_gifts];
	for (size_t i = 0; i < s->n_gifts; i++) {
		const struct gift *g = &s->gift[i];
		if (!g->has_ticket || !agent_log_is_written(s->log, g->ticket))
			continue;
		next.owner[g->partition] = (uint16_t)g->to;
		any = 1;
	}
	if (any)
		member_set_shares(s->parts.member, &next);
}

/* What an agent has in its partitions. */
struct load {
	uint32_t queued[PARTITIONS];
	uint8_t is_busy[PARTITIONS]; /* a page is in flight */
};

static struct load *weigh(const struct agent_shares *s)
{
	struct load *l = mem_zero(1, sizeof *l);
	const struct knowledge *k = net_source_knowledge(s->parts.source);

	for (uint32_t id = 0; id < k->n; id++) {
		const enum page_state state = frontier_state(s->parts.frontier, id);
		if (state != PAGE_QUEUED && state != PAGE_IN_FLIGHT)
			continue;
		const unsigned p = agent_shares_partition(s, id);
		l->queued[p] += state == PAGE_QUEUED;
		l->is_busy[p] |= state == PAGE_IN_FLIGHT;
	}
	return l;
}

/* Returns the free partition with most queued pages, but not more than `most`; PARTITIONS: there is none. */
static unsigned heaviest(const struct agent_shares *s, const struct load *l, uint64_t most)
{
	unsigned best = PARTITIONS;

	for (unsigned p = 0; p < PARTITIONS; p++)
		if (s->parts.shares->owner[p] == s->parts.self && !l->is_busy[p] && l->queued[p] && l->queued[p] <= most &&
			!agent_gift_of(s, p) && (best == PARTITIONS || l->queued[p] > l->queued[best]))
			best = p;
	return best;
}

/* Gives an agent partitions with up to `amount` queued pages. */
static int give(struct agent_shares *s, struct load *l, unsigned to, uint64_t amount, struct err_note *why)
{
	unsigned partitions[PARTITIONS], p;
	uint16_t owners[PARTITIONS];
	size_t n = 0;

	while ((p = heaviest(s, l, amount)) < PARTITIONS) {
		amount -= l->queued[p];
		l->queued[p] = 0;
		partitions[n] = p;
		owners[n++] = (uint16_t)to;
	}
	const int err = agent_shares_change(s, partitions, owners, n, why);
	for (size_t i = 0; !err && i < n; i++)
		agent_gift_add(s, partitions[i], to);
	if (n)
		s->gave = clock_ms();
	return err;
}

/* Says whether this agent may give although nobody has asked for it: it has more queued pages than any other, they last for
 * GIVE_LASTS, and its last gift is GIVE_MS ago. */
static int may_give(const struct agent_shares *s, uint64_t queued)
{
	for (unsigned i = 0; i < s->agents; i++)
		if (i != s->parts.self && s->of[i].is_live &&
			(s->of[i].queued > queued || (s->of[i].queued == queued && i < s->parts.self)))
			return 0;
	return clock_ms() - s->gave >= GIVE_MS && is_rich(queued, s->lasts);
}

/* Gives partitions of this agent to the hungry agents or, if the operator asks for it, to all that have less, so that each of them
 * and this agent have about the same number of queued pages. `queued` is the number of pages that this agent has queued now. A
 * hungry agent that already has three quarters of the common number gets nothing, since moving a partition costs more than so few
 * pages are worth. Returns 0 or an error of the store. */
static int agent_gifts_give(struct agent_shares *s, uint64_t queued, int is_asked, struct err_note *why)
{
	uint64_t sum = queued, sharing = 1;
	int err = 0;

	for (unsigned i = 0; i < s->agents; i++) {
		if (i == s->parts.self || !s->of[i].is_live || !(is_asked || s->of[i].is_hungry))
			continue;
		sum += s->of[i].queued;
		sharing++;
	}
	const uint64_t level = sum / sharing, least = is_asked ? level : level - level / 4;
	if (sharing < 2 || queued <= level || (!is_asked && (!may_give(s, queued) || queued - level < GIVE_LEAST / 2)))
		return 0;
	struct load *l = weigh(s);
	uint64_t surplus = queued - level;
	for (unsigned i = 0; !err && surplus && i < s->agents; i++) {
		if (i == s->parts.self || !s->of[i].is_live || !(is_asked || s->of[i].is_hungry) || s->of[i].queued >= least)
			continue;
		const uint64_t lack = level - s->of[i].queued, part = lack < surplus ? lack : surplus;
		err = give(s, l, i, part, why);
		surplus -= part;
	}
	free(l);
	return err;
}

/* --- the other agents, and what belongs to those that are gone */

void agent_shares_hear(struct agent_shares *s, unsigned agent, const struct news *n, int64_t ago, uint64_t generation)
{
	struct neighbour *of = &s->of[agent];

	of->is_gone = (uint8_t)n->is_gone;
	of->is_live = !n->is_gone && !n->has_left && ago <= NEWS_LOST_MS;
	of->is_hungry = of->is_live && n->is_hungry;
	of->is_built = n->generation == generation;
	if (of->is_built && !n->is_passing && !of->is_closed && n->n_marks > s->parts.self &&
		n->mark[s->parts.self] <= post_sent(s->parts.post, agent)) {
		of->is_kept = 1;
		of->kept = n->mark[s->parts.self];
	}
	of->queued = n->queued;
}

int agent_shares_is_closed(const struct agent_shares *s, unsigned agent)
{
	return s->of[agent].is_closed;
}

/* Says whether an agent has neither lost its lease nor left. */
static int is_live(const struct agent_shares *s, unsigned agent)
{
	return agent == s->parts.self || s->of[agent].is_live;
}

unsigned agent_shares_first(const struct agent_shares *s)
{
	unsigned first = 0;

	while (!is_live(s, first))
		first++;
	return first;
}

/* Deals the partitions of agents that are gone to all live agents in turn. Only the first agent does so. */
static void deal(struct agent_shares *s)
{
	struct share_table next;
	unsigned to = s->parts.self;
	int any = 0;

	agent_shares_next(s, &next);
	for (unsigned p = 0; p < PARTITIONS; p++) {
		if (next.owner[p] == s->parts.self || next.owner[p] >= s->agents || !s->of[next.owner[p]].is_gone)
			continue;
		do
			to = (to + 1) % s->agents;
		while (!is_live(s, to));
		next.owner[p] = (uint16_t)to;
		any = 1;
	}
	if (any)
		member_set_shares(s->parts.member, &next);
}

/* If this agent is the first of those that live: seizes the leases of agents that are lost, and deals the partitions of agents that
 * are gone to those that live. It does not wait for gifts, since a gift may wait for letters that the lost agent would have to
 * confirm. */
static void agent_gone_look(struct agent_shares *s)
{
	if (agent_shares_first(s) != s->parts.self)
		return;
	for (unsigned i = 0; i < s->agents; i++)
		if (i != s->parts.self && !s->of[i].is_gone && member_is_lost(s->parts.member, i))
			member_seize(s->parts.member, i);
	deal(s);
}

/* Sends a letter to the owner of its partition. One to an own partition is taken, too; close_line() writes it into the log of the
 * partition. */
static int readdress(struct agent_shares *s, const void *letter, size_t n, struct err_note *why)
{
	unsigned p;
	int err = exchange_partition(letter, n, &p);

	if (err || p >= PARTITIONS)
		return 0;
	if (is_own(s, p))
		err = agent_take_own(s, letter, n, why);
	return err ? err : s->parts.send(s->parts.ctx, p, letter, n, why);
}

/* Says whether this agent must send a letter again, to the present owner of the partition, since the letter was addressed to an
 * agent that is gone. A letter that the gone agent had confirmed may have to be sent again, too: it may only have passed the letter
 * on to a new owner who does not have it, and if the bus has gone back since, the gone agent's log may no longer have the
 * letter. */
static int is_stranded(const struct agent_shares *s, const struct log_entry *e, unsigned agent, uint64_t number)
{
	const struct neighbour *of = &s->of[agent];

	if (e->kind != LOG_POSTED)
		return 0;
	return e->agent == agent ? number > of->kept : !(of->is_kept && of->is_built) && s->of[e->agent].is_closed;
}

/* Sends the letters to an agent that is gone, and that it has not confirmed, to the new owners. The agent may have been given a
 * partition since its line was closed, by an owner who did not know yet that it was gone; then there are letters again. */
static int close_line(struct agent_shares *s, unsigned agent, struct err_note *why)
{
	struct store_log_cursor *c = store_log_start(s->parts.store);
	const uint64_t entries = store_log_length(s->parts.store);
	struct buf letter = BUF_EMPTY;
	struct log_entry e;
	uint64_t number = 0;
	int got = 0, err = 0;

	for (uint64_t i = 0; !err && i < entries && (got = store_log_next(c, &e, why)) > 0; i++) {
		number += e.kind == LOG_POSTED && e.agent == agent;
		if (!is_stranded(s, &e, agent, number))
			continue;
		buf_clear(&letter);
		buf_add(&letter, e.letter, e.letter_n);
		err = letter.used ? readdress(s, letter.at, letter.used, why) : 0;
	}
	store_log_stop(c);
	buf_clear(&letter);
	buf_format(&letter, "%u %u 0 1\n", NO_PARTITION, agent);
	s->parts.log_own(s->parts.ctx, store_log_length(s->parts.store));
	if (!err)
		err = store_log(s->parts.store, &(struct log_entry){.kind = LOG_SHARES, .text = letter.at}, why);
	buf_release(&letter);
	const int is_known = s->of[agent].is_closed;
	close_post(s, agent);
	if (!err && got >= 0) {
		if (!is_known)
			log_say("agent %u is gone; its partitions are other agents' now", agent + 1);
		agent_log_readdressed(s->log, s->parts.post);
	}
	return err ? err : got < 0 ? got : 0;
}

int agent_gone_close(struct agent_shares *s, struct err_note *why)
{
	int err = 0;

	for (unsigned i = 0; !err && i < s->agents; i++)
		if (s->of[i].is_gone && (!s->of[i].is_closed || post_confirmed(s->parts.post, i) < post_sent(s->parts.post, i)) &&
			!agent_gone_owns_any(s, i))
			err = close_line(s, i, why);
	return err;
}

/* --- reading back */

/* Begins with the first message of the log also if an earlier process has read a part of it: see take_message(). */
static void read_back(struct agent_shares *s, unsigned p)
{
	s->rest[p] = s->parts.turns->delay > 0 ? s->parts.turns->delay : 1;
	member_read_log(s->parts.member, p);
}

/* The logs of agents that are gone may be lost before all heirs have read them: the letters to these agents are addressed anew. */
static void reopen_lines(struct agent_shares *s)
{
	for (unsigned i = 0; i < NEWS_AGENTS; i++) {
		s->of[i].is_closed = 0;
		s->of[i].kept = 0;
	}
}

int agent_shares_resumed(struct agent_shares *s, struct err_note *why)
{
	if (member_rewrites(s->parts.member))
		reopen_lines(s);
	for (unsigned p = 0; s->parts.member && p < PARTITIONS; p++) {
		if (s->reading[p] && member_rewrites(s->parts.member))
			s->read[p] = 0; /* another log, whose first messages nobody has read */
		if (s->reading[p])
			read_back(s, p);
		else if (s->is_given[p] && !is_own(s, p))
			agent_gift_add(s, p, s->parts.shares->owner[p]); /* unless the table has it */
	}
	return member_rewrites(s->parts.member)
		? agent_log_readdress(s->log, s->parts.shares->owner, s->parts.send, s->parts.ctx, why)
		: 0;
}

/* Follows the table: 0 or an error. */
static int follow(struct agent_shares *s, struct err_note *why)
{
	unsigned partitions[PARTITIONS];
	uint16_t owners[PARTITIONS];
	size_t n = 0;

	for (unsigned p = 0; p < PARTITIONS; p++) {
		const unsigned owner = s->table.owner[p], before = s->parts.shares->owner[p], self = s->parts.self;
		if (owner == before)
			continue;
		if (before == self)
			return err_set(why, ERR_OTHER, MEMBER_SHARE_TAKEN);
		if (owner == self && agent_gift_of(s, p))
			continue; /* the table does not have the gift yet */
		partitions[n] = p;
		owners[n++] = (uint16_t)owner;
	}
	int err = agent_shares_change(s, partitions, owners, n, why);
	for (size_t i = 0; !err && i < n; i++)
		if (owners[i] == s->parts.self)
			read_back(s, partitions[i]);
	return err;
}

/* Takes a partition back whose receiver is gone before it could be handed over: the log may wait for confirmations that never come.
 * The partition's log, which has its letters by then, is read as that of any partition that comes; pages that have ended here are
 * settled. Returns 0 or an error of the store. */
static int take_back(struct agent_shares *s, struct err_note *why)
{
	const uint16_t self = (uint16_t)s->parts.self;
	int err = 0;

	for (size_t i = s->n_gifts; !err && i-- > 0;) {
		const struct gift g = s->gift[i];
		if (!s->of[g.to].is_gone || g.has_ticket || !g.has_letters || !agent_log_is_written(s->log, g.letters))
			continue;
		err = agent_shares_change(s, &g.partition, &self, 1, why);
		s->gift[i] = s->gift[--s->n_gifts];
		read_back(s, g.partition);
	}
	return err;
}

/* --- steps */

/* Every LOOK_MS, looks for agents that are gone, and gives partitions to agents that have nothing to do, or, if the operator has
 * asked for a rebalance, shares them out. */
static int look(struct agent_shares *s, struct err_note *why)
{
	struct frontier_counts n;
	const uint64_t rebalance = member_rebalance(s->parts.member);
	const int64_t now = clock_ms();

	if (now - s->looked < LOOK_MS)
		return 0;
	s->looked = now;
	agent_gone_look(s);
	frontier_count(s->parts.frontier, &n);
	if (!s->is_running || s->n_gifts || s->n_unfinished || !member_is_sure(s->parts.member))
		return 0;
	/* the number that was there when the process began was meant for an earlier one */
	const int is_asked = s->has_rebalance && rebalance != s->rebalance;
	s->has_rebalance = 1;
	s->rebalance = rebalance;
	return agent_gifts_give(s, n.queued, is_asked, why);
}

int agent_shares_step(struct agent_shares *s, unsigned agents, int is_running, struct err_note *why)
{
	int err = 0;

	s->agents = agents;
	s->is_running = is_running;
	if (member_shares(s->parts.member, &s->table))
		err = follow(s, why);
	if (!err)
		err = agent_adopt(s, why);
	if (!err)
		err = take_back(s, why);
	if (!err)
		err = agent_gone_close(s, why);
	if (!err)
		err = look(s, why);
	return err;
}

int agent_shares_settle(struct agent_shares *s, struct news *news, unsigned agents, int64_t every)
{
	int changed = 0;

	agent_log_committed(s->log, s->parts.post, store_log_length(s->parts.store));
	if (every > AGENT_LOG_SOON_MS && agent_gifts_are_awaited(s))
		every = AGENT_LOG_SOON_MS;
	(void)agent_log_write(s->log, s->parts.post, every);
	if (s->has_marks && agent_log_is_written(s->log, s->marks_ticket)) {
		changed = news->n_marks != agents;
		for (unsigned i = 0; i < agents; i++) {
			changed |= news->mark[i] != s->marks[i];
			news->mark[i] = s->marks[i];
		}
		news->n_marks = agents;
		s->has_marks = 0;
	}
	if (!s->has_marks && agent_log_has_letters(s->log, &s->marks_ticket)) {
		for (unsigned i = 0; i < agents; i++)
			s->marks[i] = post_mark(s->parts.post, i);
		s->has_marks = 1;
	}
	for (size_t i = 0; i < s->n_gifts; i++) {
		struct gift *g = &s->gift[i];
		g->has_letters = g->has_letters || agent_log_has_letters(s->log, &g->letters);
		g->has_ticket = g->has_ticket || agent_log_close(s->log, g->partition, g->entries, &g->ticket);
	}
	if (s->n_gifts)
		agent_gifts_hand_over(s);
	return changed;
}

int agent_shares_holds(const struct agent_shares *s)
{
	return s->n_unfinished > 0;
}

int agent_shares_is_quiet(const struct agent_shares *s)
{
	for (unsigned i = 0; i < s->agents; i++) {
		if (i != s->parts.self && post_confirmed(s->parts.post, i) < post_sent(s->parts.post, i))
			return 0;
		if (s->of[i].is_gone && (!s->of[i].is_closed || agent_gone_owns_any(s, i)))
			return 0;
	}
	return !s->n_unfinished && !s->n_gifts && agent_log_is_quiet(s->log);
}

uint64_t agent_shares_epoch(const struct agent_shares *s)
{
	return s->table.epoch;
}

uint64_t agent_shares_logged(const struct agent_shares *s)
{
	return agent_log_done(s->log);
}

void agent_shares_tell(struct agent_shares *s, struct news *n)
{
	const int64_t now = clock_ms();

	s->queued = n->queued;
	s->lasts = agent_gifts_duration(n);
	s->is_fed = s->is_running && !s->n_unfinished;
	if (n->queued || n->in_flight || !s->is_fed || !s->idle_since)
		s->idle_since = now;
	n->is_hungry = agent_gifts_are_needed(s);
}
