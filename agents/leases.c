#include "agents/leases.h"
#include "base/mem.h"

struct leases *leases_new(unsigned self, int64_t now)
{
	struct leases *l = mem_zero(1, sizeof *l);

	l->self = self;
	l->began = now;
	return l;
}

void leases_listen(struct leases *l, int64_t now)
{
	l->listened = now;
}

void leases_wrote(struct leases *l, uint64_t revision, int64_t sent)
{
	l->wrote.revision = revision;
	l->wrote.sent = sent;
}

void leases_heard(struct leases *l, unsigned agent, uint64_t revision, int is_over, int64_t now)
{
	if (agent >= NEWS_AGENTS)
		return;
	l->heard[agent] = now;
	l->is_over[agent] = is_over != 0;
	/* of news whose writing has failed, and that the bucket has nevertheless, it is not known when they were sent */
	if (agent == l->self && revision == l->wrote.revision && l->wrote.sent >= l->listened) {
		l->mark.revision = l->wrote.revision;
		l->mark.sent = l->wrote.sent;
	}
}

int leases_is_marked(const struct leases *l, uint64_t revision, int64_t time)
{
	return l->mark.revision > revision && l->mark.sent >= time;
}

int leases_is_over(const struct leases *l, unsigned agent, uint64_t revision)
{
	if (agent >= NEWS_AGENTS)
		return 1;
	const int64_t heard = l->heard[agent] ? l->heard[agent] : l->began;
	return leases_is_marked(l, revision, l->is_over[agent] ? 0 : heard + NEWS_LOST_MS);
}

int leases_hears(const struct leases *l, int64_t now, int64_t margin)
{
	return l->mark.revision && now < l->mark.sent + NEWS_LOST_MS - margin;
}
