#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "crawler/agent/agent_shares_parts.h"

#include <string.h>

void agent_shares_hear(struct agent_shares *s, unsigned agent, const struct news *n, int64_t ago)
{
	struct neighbour *of = &s->of[agent];

	of->is_gone = (uint8_t)n->is_gone;
	of->is_live = !n->is_gone && !n->has_left && ago <= NEWS_LOST_MS;
	of->is_hungry = of->is_live && n->is_hungry;
	of->queued = n->queued;
}

int agent_shares_is_gone(const struct agent_shares *s, unsigned agent)
{
	return s->of[agent].is_gone;
}

int agent_shares_is_closed(const struct agent_shares *s, unsigned agent)
{
	return s->of[agent].is_closed;
}

int agent_shares_is_live(const struct agent_shares *s, unsigned agent)
{
	return agent == s->parts.self || s->of[agent].is_live;
}

unsigned agent_shares_first(const struct agent_shares *s)
{
	unsigned first = 0;

	while (!agent_shares_is_live(s, first))
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
		while (!agent_shares_is_live(s, to));
		next.owner[p] = (uint16_t)to;
		any = 1;
	}
	if (any)
		member_set_shares(s->parts.member, &next);
}

void agent_gone_look(struct agent_shares *s)
{
	if (agent_shares_first(s) != s->parts.self)
		return;
	for (unsigned i = 0; i < s->agents; i++)
		if (i != s->parts.self && !s->of[i].is_gone && member_is_lost(s->parts.member, i))
			member_seize(s->parts.member, i);
	deal(s);
}

/* Takes or sends a letter that was addressed to an agent that is gone. */
static int readdress(struct agent_shares *s, const struct buf *letter, struct err_note *why)
{
	unsigned p;
	int err = exchange_partition(letter->at, letter->used, &p);

	if (err || p >= PARTITIONS)
		return 0;
	if (s->parts.shares->owner[p] != s->parts.self)
		return s->parts.send(s->parts.ctx, p, letter->at, letter->used, why);
	const struct log_entry entry = {.kind = LOG_HEARD, .agent = s->parts.self, .letter = letter->at, .letter_n = letter->used};
	err = exchange_take(s->parts.exchange, letter->at, letter->used, why);
	if (!err) {
		agent_shares_letter(s, p, s->parts.self, 0, letter->at, letter->used, store_log_length(s->parts.store));
		err = store_log(s->parts.store, &entry, why);
	}
	return err ? err : agent_pages_queue_sitemaps(s->parts.pages, s->parts.frontier, why);
}

/* Sends the letters to an agent that is gone, and that it has not confirmed, to the new owners. The agent may have been given a
 * partition since its line was closed, by an owner who did not know yet that it was gone; then there are letters again. */
static int close_line(struct agent_shares *s, unsigned agent, struct err_note *why)
{
	struct store_log_cursor *c = store_log_start(s->parts.store);
	const uint64_t entries = store_log_length(s->parts.store), confirmed = post_confirmed(s->parts.post, agent);
	struct buf letter = BUF_EMPTY;
	struct log_entry e;
	uint64_t number = 0;
	int got = 0, err = 0;

	for (uint64_t i = 0; !err && i < entries && (got = store_log_next(c, &e, why)) > 0; i++) {
		if (e.kind != LOG_POSTED || e.agent != agent || ++number <= confirmed)
			continue;
		buf_clear(&letter);
		buf_add(&letter, e.letter, e.letter_n);
		err = letter.used ? readdress(s, &letter, why) : 0;
	}
	store_log_stop(c);
	buf_clear(&letter);
	buf_format(&letter, "%u %u 0 1\n", NO_PARTITION, agent);
	if (!err)
		err = store_log(s->parts.store, &(struct log_entry){.kind = LOG_SHARES, .text = letter.at}, why);
	buf_release(&letter);
	const int is_known = s->of[agent].is_closed;
	s->of[agent].is_closed = 1;
	post_close(s->parts.post, agent);
	if (!err && got >= 0) {
		if (!is_known)
			log_say("agent %u is gone; its partitions are other agents' now", agent + 1);
		agent_log_readdressed(s->log, s->parts.post);
	}
	return err ? err : got < 0 ? got : 0;
}

int agent_gone_owns_any(const struct agent_shares *s, unsigned agent)
{
	for (unsigned p = 0; p < PARTITIONS; p++)
		if (s->parts.shares->owner[p] == agent)
			return 1;
	return 0;
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
