#include "base/clock.h"
#include "base/mem.h"
#include "crawler/agent/agent_shares_parts.h"
#include "crawler/network/net_source.h"

#include <stdlib.h>
#include <string.h>

#define HUNGRY_MS  1000 /* an agent is hungry when it has had nothing to do for so long, */
#define AHEAD_MS   6000 /* or will have nothing to do in so long, since a gift takes some seconds */
#define GIVE_LEAST 32   /* pages that an agent must have queued to give any, */
#define GIVE_LASTS 3000 /* which must last so many ms: nobody crawls pages that are being given */
#define GIVE_MS    3000 /* between two gifts of an agent */

const struct gift *agent_gift_of(const struct agent_shares *s, unsigned p)
{
	for (size_t i = 0; i < s->n_gifts; i++)
		if (s->gift[i].partition == p)
			return &s->gift[i];
	return NULL;
}

void agent_gift_add(struct agent_shares *s, unsigned p, unsigned to)
{
	s->gift = mem_grow(s->gift, &s->gifts_room, s->n_gifts + 1, sizeof *s->gift);
	s->gift[s->n_gifts++] = (struct gift){.partition = p, .to = to, .entries = store_log_length(s->parts.store)};
}

void agent_gifts_waive(struct agent_shares *s)
{
	for (size_t i = 0; i < s->n_gifts; i++)
		if (!s->gift[i].has_ticket && s->of[s->gift[i].to].is_gone)
			agent_log_waive(s->log, s->gift[i].to);
}

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

void agent_gifts_hand_over(struct agent_shares *s)
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

/* --- what is given */

/* What an agent has in its partitions. */
struct load {
	uint32_t queued[PARTITIONS];
	uint8_t is_busy[PARTITIONS]; /* a page is in flight */
	uint64_t all;
};

static struct load *weigh(const struct agent_shares *s)
{
	struct load *l = mem_zero(1, sizeof *l);
	const struct knowledge *k = net_source_knowledge(s->parts.source);

	for (uint32_t id = 0; id < k->n; id++) {
		const enum page_state state = frontier_state(s->parts.frontier, id);
		if (state != PAGE_QUEUED && state != PAGE_IN_FLIGHT)
			continue;
		const unsigned p = net_fleet_partition(net_source_fleet(s->parts.source), id);
		l->queued[p] += state == PAGE_QUEUED;
		l->is_busy[p] |= state == PAGE_IN_FLIGHT;
		l->all += state == PAGE_QUEUED;
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

int agent_gifts_feed(struct agent_shares *s, uint64_t queued, struct err_note *why)
{
	uint64_t hungry = 0, sum = queued;
	int err = 0;

	if (clock_ms() - s->gave < GIVE_MS)
		return 0;
	for (unsigned i = 0; i < s->agents; i++) {
		const struct neighbour *of = &s->of[i];
		if (i == s->parts.self || !of->is_live)
			continue;
		hungry += of->is_hungry;
		sum += of->is_hungry ? of->queued : 0;
		if (of->queued > queued || (of->queued == queued && i < s->parts.self))
			return 0;
	}
	const uint64_t level = sum / (hungry + 1);
	if (!hungry || !is_rich(queued, s->lasts) || queued - level < GIVE_LEAST / 2)
		return 0;
	struct load *l = weigh(s);
	for (unsigned i = 0; !err && i < s->agents; i++)
		if (i != s->parts.self && s->of[i].is_live && s->of[i].is_hungry && s->of[i].queued < level - level / 4)
			err = give(s, l, i, level - s->of[i].queued, why);
	free(l);
	return err;
}

int agent_gifts_share_out(struct agent_shares *s, uint64_t queued, struct err_note *why)
{
	uint64_t sum = queued, live = 1;
	int err = 0;

	for (unsigned i = 0; i < s->agents; i++) {
		if (i == s->parts.self || !s->of[i].is_live)
			continue;
		sum += s->of[i].queued;
		live++;
	}
	const uint64_t mean = sum / live;
	if (queued <= mean)
		return 0;
	struct load *l = weigh(s);
	uint64_t surplus = queued - mean;
	for (unsigned i = 0; !err && surplus && i < s->agents; i++) {
		if (i == s->parts.self || !s->of[i].is_live || s->of[i].queued >= mean)
			continue;
		const uint64_t lack = mean - s->of[i].queued, part = lack < surplus ? lack : surplus;
		err = give(s, l, i, part, why);
		surplus -= part;
	}
	free(l);
	return err;
}
