#include "base/clock.h"
#include "crawler/agent/live_agent_parts.h"
#include "crawler/agent/post_log.h"

#define LOOK_MS  50   /* between two looks at the news, and a ms more for each agent */
#define SPEED_MS 4000 /* the speed is that of so long */

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

	a->is_away[agent] = n->has_left || ago > NEWS_LOST_MS;
	a->has_told[agent] |= has_mark || n->is_gone;
	/* the letters to an agent that is gone are addressed to others, once its partitions are theirs */
	const int err = has_mark && !agent_shares_is_closed(a->moves, agent)
		? post_log_confirm(a->store, a->post, agent, n->mark[a->self], clock_ms(), why)
		: 0;
	if (n->run != a->run[agent])
		post_again(a->post, agent);
	a->run[agent] = n->run;
	return err;
}

/* Looks at the news of the others. *round becomes the sums. */
static enum standing look_round(struct live_agent *a, struct frontier_elsewhere *sum, struct live_round *round, int *err,
	struct err_note *why)
{
	const unsigned first = agent_shares_first(a->moves);
	int all_idle = a->mine.is_idle, answered = 1;
	int64_t ago;

	*round = (struct live_round){.was_idle = a->mine.is_idle, .sent = a->mine.sent};
	for (unsigned i = 0; !*err && i < a->agents; i++) {
		if (i == a->self)
			continue;
		member_hear(a->member, i, a->news, &ago);
		agent_shares_hear(a->moves, i, a->news, ago);
		add_up(a->news, sum);
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
	return !all_idle ? ROUND_BUSY : answered ? ROUND_ANSWERED : ROUND_OPEN;
}

/* Closes a round at the first agent: ends the crawl if all agents were idle in the round before, too, and no letter was sent since;
 * else begins the next round. */
static void close_round(struct live_agent *a, const struct live_round *now)
{
	if (a->before.was_idle && a->before.sent == now->sent) {
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
	a->mine.is_idle = !a->next && store_is_committed(a->store) && crawl_is_idle(a->frontier, a->source) &&
		agent_shares_is_quiet(a->moves);
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

int live_agent_look_at_news(struct live_agent *a, struct err_note *why)
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
	member_tell(a->member, &a->mine, urgent);
	a->has_marks = a->must_tell = 0;
	return agent_elsewhere_log(&a->elsewhere, a->frontier, a->store, &sum, why);
}
