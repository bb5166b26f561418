#include "agents/member_shares.h"
#include "agents/member_parts.h"
#include "base/clock.h"
#include "base/mem.h"

#include <stdlib.h>

#define STRANGER_TIMES 6 /* so much longer an agent is waited for that this process has never heard */

void member_partitions_make(struct member_partitions *p)
{
	*p = (struct member_partitions){.seize = -1};
	member_queue_make(&p->out);
	p->reading_end = &p->reading;
	p->in_end = &p->in;
}

void member_partitions_free(struct member_partitions *p)
{
	member_queue_free(&p->out);
	for (struct member_reading *r = p->reading, *next; r; r = next) {
		next = r->next;
		free(r);
	}
	for (struct member_chapter *c = p->in, *next; c; c = next) {
		next = c->next;
		free(c);
	}
}

int member_shares(struct member *m, struct share_table *table)
{
	pthread_mutex_lock(&m->lock);
	const int is_newer = m->s.p.table.epoch > table->epoch;
	if (is_newer)
		*table = m->s.p.table;
	pthread_mutex_unlock(&m->lock);
	return is_newer;
}

void member_set_shares(struct member *m, const struct share_table *table)
{
	pthread_mutex_lock(&m->lock);
	m->s.p.wanted = *table;
	m->s.p.is_wanted = 1;
	pthread_mutex_unlock(&m->lock);
}

int member_roster(struct member *m, struct roster *roster)
{
	pthread_mutex_lock(&m->lock);
	const int has_more = m->roster.n > roster->n;
	if (has_more)
		*roster = m->roster;
	pthread_mutex_unlock(&m->lock);
	return has_more;
}

int member_has_lost(const struct member *m, unsigned agent)
{
	const int64_t heard = m->s.heard[agent] > m->s.sure_since ? m->s.heard[agent] : m->s.sure_since;
	const int64_t patience = NEWS_LOST_MS * (m->s.is_alive[agent] ? 1 : STRANGER_TIMES);

	return agent < m->roster.n && clock_boot_ms() - heard > patience && member_is_sure(m);
}

int member_is_lost(struct member *m, unsigned agent)
{
	pthread_mutex_lock(&m->lock);
	const int is_lost = member_has_lost(m, agent);
	pthread_mutex_unlock(&m->lock);
	return is_lost;
}

void member_seize(struct member *m, unsigned agent)
{
	pthread_mutex_lock(&m->lock);
	m->s.p.seize = (int)agent;
	pthread_mutex_unlock(&m->lock);
}

uint64_t member_rebalance(struct member *m)
{
	pthread_mutex_lock(&m->lock);
	const uint64_t n = m->s.p.rebalance;
	pthread_mutex_unlock(&m->lock);
	return n;
}

uint64_t member_log(struct member *m, unsigned partition, const void *message, size_t n)
{
	return member_queue_add(m, &m->s.p.out, partition, message, n);
}

uint64_t member_logged_before(const struct member *m)
{
	return m->logged_before;
}

uint64_t member_logged(struct member *m)
{
	pthread_mutex_lock(&m->lock);
	const uint64_t n = m->s.p.out.removed;
	pthread_mutex_unlock(&m->lock);
	return n;
}

void member_read_log(struct member *m, unsigned partition)
{
	struct member_reading *r = mem_zero(1, sizeof *r);

	*r = (struct member_reading){.partition = partition};
	pthread_mutex_lock(&m->lock);
	*m->s.p.reading_end = r;
	m->s.p.reading_end = &r->next;
	pthread_mutex_unlock(&m->lock);
}

struct member_chapter *member_chapters(struct member *m)
{
	pthread_mutex_lock(&m->lock);
	struct member_chapter *c = m->s.p.in;
	m->s.p.in = NULL;
	m->s.p.in_end = &m->s.p.in;
	pthread_mutex_unlock(&m->lock);
	return c;
}
