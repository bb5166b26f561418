#include "crawler/agent/agent_shares.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "crawler/agent/agent_shares_parts.h"
#include "crawler/network/net_source.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOOK_MS 1000 /* between two looks at who has too much */

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

static unsigned partition_of_id(const struct agent_shares *s, uint32_t id)
{
	return net_fleet_partition(net_source_fleet(s->parts.source), id);
}

static int is_own(const struct agent_shares *s, unsigned partition)
{
	return s->parts.shares->owner[partition] == s->parts.self;
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

	if (is_own(s, partition_of_id(s, id)) && store_page(s->parts.store, id, &page))
		agent_log_add(s->log, partition_of_id(s, id), LOG_PACK_QUEUED, at, page.url, page.url_length);
}

/* The page's host is to rest for longer than hosts do: the next owner of the partition lets it rest, too. */
static void log_rest(struct agent_shares *s, const struct result *e, uint64_t at)
{
	const unsigned partition = partition_of_id(s, e->id);
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
		agent_log_add(s->log, partition_of_id(s, e->id), LOG_PACK_PAGE, at, s->text.at, s->text.used);
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
		const unsigned p = partition_of_id(s, id);
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
			s->of[owner].is_closed = 1;
			post_close(s->parts.post, owner);
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

/* Begins with the first message of the log also if an earlier process has read a part of it: see take_message(). */
static void read_back(struct agent_shares *s, unsigned p)
{
	s->rest[p] = s->parts.turns->delay > 0 ? s->parts.turns->delay : 1;
	member_read_log(s->parts.member, p);
}

/* --- the table */

void agent_shares_resumed(struct agent_shares *s)
{
	for (unsigned p = 0; s->parts.member && p < PARTITIONS; p++) {
		if (s->reading[p])
			read_back(s, p);
		else if (s->is_given[p] && !is_own(s, p))
			agent_gift_add(s, p, s->parts.shares->owner[p]); /* unless the table has it */
	}
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
			return err_set(why, ERR_BUSY, MEMBER_SHARE_TAKEN);
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

void agent_shares_next(const struct agent_shares *s, struct share_table *t)
{
	*t = s->table;
	if (!t->epoch)
		memcpy(t->owner, s->parts.shares->owner, sizeof t->owner);
	for (size_t i = 0; !t->epoch && i < s->n_gifts; i++)
		t->owner[s->gift[i].partition] = (uint16_t)s->parts.self;
	t->epoch++;
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
	return is_asked ? agent_gifts_share_out(s, n.queued, why) : agent_gifts_feed(s, n.queued, why);
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
		err = agent_gone_close(s, why);
	if (!err)
		err = look(s, why);
	return err;
}

int agent_shares_settle(struct agent_shares *s, struct news *news, unsigned agents, enum agent_log_haste haste)
{
	int changed = 0;

	agent_log_committed(s->log, s->parts.post, store_log_length(s->parts.store));
	agent_gifts_waive(s);
	if (haste == AGENT_LOG_CALM && agent_gifts_are_awaited(s))
		haste = AGENT_LOG_URGENT;
	(void)agent_log_write(s->log, s->parts.post, haste);
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
	for (size_t i = 0; i < s->n_gifts; i++)
		s->gift[i].has_ticket = s->gift[i].has_ticket ||
			agent_log_close(s->log, s->gift[i].partition, s->gift[i].entries, &s->gift[i].ticket);
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

void agent_shares_tell(struct agent_shares *s, struct news *n)
{
	const int64_t now = clock_ms();

	s->queued = n->queued;
	s->lasts = agent_gifts_duration(n);
	s->is_fed = s->is_running && !s->n_unfinished;
	if (n->queued || n->in_flight || !s->is_fed || !s->idle_since)
		s->idle_since = now;
	n->is_hungry = agent_gifts_are_needed(s);
	n->logged = agent_log_done(s->log);
}
