#include "crawler/agent/agent_turns.h"
#include "frontier/frontier.h"

static int ask(void *ctx, const struct net_address *address)
{
	const struct agent_turns *t = ctx;

	return !t->is_shared || member_ask(t->member, address->ip);
}

int64_t agent_turns_rest(const struct agent_turns *t, int64_t took, int64_t host_delay)
{
	int64_t rest = t->delay, slow = (int64_t)(t->factor * (double)took);

	slow = slow < FRONTIER_MAX_SLOW_MS ? slow : FRONTIER_MAX_SLOW_MS;
	rest = rest > slow ? rest : slow;
	return rest > host_delay ? rest : host_delay;
}

static void asked(void *ctx, const struct net_address *address, int64_t took, int64_t host_delay)
{
	const struct agent_turns *t = ctx;

	member_asked(t->member, address->ip, agent_turns_rest(t, took, host_delay));
}

struct net_permits agent_turns_permits(struct agent_turns *t)
{
	return (struct net_permits){.ctx = t, .ask = t->member ? ask : NULL, .asked = asked};
}
