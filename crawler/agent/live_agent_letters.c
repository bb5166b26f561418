#include "base/clock.h"
#include "crawler/agent/live_agent_parts.h"
#include "crawler/agent/post_log.h"

#define PACKS_A_STEP 16
#define COMMIT_SHARE 10  /* commits for letters take at most a tenth of the time, */
#define COMMIT_MS    250 /* and come no faster than so, unless the agent is soon without work */

/* --- letters of this agent */

static void keep_own(struct live_agent *a, unsigned p, const void *letter, size_t n)
{
	buf_varint(&a->own, p);
	buf_varint(&a->own, n);
	buf_add(&a->own, letter, n);
}

void live_agent_log_own(struct live_agent *a, uint64_t at)
{
	const uint8_t *next = (const uint8_t *)a->own.at, *end = next + a->own.used;
	uint64_t p, n;

	while (next < end && !varint_read(&next, end, &p) && !varint_read(&next, end, &n)) {
		agent_shares_letter(a->moves, (unsigned)p, a->self, 0, next, (size_t)n, at);
		next += n;
	}
	buf_clear(&a->own);
}

int live_agent_post(void *ctx, unsigned p, const void *letter, size_t n, struct err_note *why)
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

/* --- letters that have come */

static int foreign(struct err_note *why)
{
	return err_set(why, ERR_FORMAT,
		"what came from the NATS server is no letter of an agent of this version: all agents need the same");
}

void live_agent_log_heard(struct live_agent *a, unsigned from, uint64_t number, const void *letter, size_t n, uint64_t at)
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
	return live_agent_post(a, partition, p->letter, p->n, why);
}

/* Takes one letter. Returns 1 if it was taken, 0 if it changes nothing, or an error. */
static int take(struct live_agent *a, const void *bytes, size_t n, struct err_note *why)
{
	struct post_parcel p;

	if (post_parcel_read(&p, bytes, n) || p.from >= NEWS_AGENTS)
		return foreign(why);
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

int live_agent_take_letters(struct live_agent *a, struct err_note *why)
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

int live_agent_commit_letters(struct live_agent *a, struct err_note *why)
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

	if (!a->is_away[to])
		member_send(a->member, to, parcel, n);
	return a->is_away[to];
}

static enum agent_log_haste haste(const struct live_agent *a)
{
	if (a->is_leaving)
		return AGENT_LOG_AT_ONCE;
	return a->mine.queued || a->mine.in_flight ? AGENT_LOG_CALM : AGENT_LOG_URGENT;
}

int live_agent_settle(struct live_agent *a, struct err_note *why)
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
	a->has_marks |= agent_shares_settle(a->moves, &a->mine, a->agents, haste(a));
	a->must_tell |= !had_marks && a->mine.n_marks; /* a process begins, and others wait for its marks */
	return err;
}
