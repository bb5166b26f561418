#include "agents/member_parts.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"

#include <stdlib.h>

#define URGENT_MS 50 /* between two urgent news */

static void key_of(struct member *m, unsigned agent)
{
	buf_clear(&m->key);
	buf_format(&m->key, "agent.%s", m->roster.id[agent]);
}

/* Finds out why the bucket has refused this agent's news: another process runs as this agent, another agent has taken over its
 * partitions, or the bucket has gone back to an earlier revision. */
static int look_who(struct member *m, struct err_note *why)
{
	struct news *n = mem_new(1, sizeof *n);
	int got = bus_get(m->bus, m->key.at, &m->text, &m->revision, why);

	if (got > 0 && news_read(n, m->text.at, m->text.used))
		got = 0;
	if (got > 0 && n->is_gone)
		got = err_set(why, ERR_BUSY, MEMBER_SHARE_TAKEN);
	else if (got > 0 && m->told && n->run != m->run)
		got = err_set(why, ERR_BUSY,
			"another process runs as agent %s of this crawl: a store is one agent's; give each agent its own",
			m->roster.id[m->self]);
	else if (got > 0 && !m->told && n->logged > m->log_length)
		got = err_set(why, ERR_USAGE,
			"the store is an older copy: agent %s has told the other agents of more than the store has; join with another --store, "
			"and they take over what the copy lacks",
			m->roster.id[m->self]);
	else if (got > 0 && !m->told)
		m->logged_before = n->logged;
	free(n);
	return got < 0 ? got : 0;
}

/* Writes the news once. Returns 1, 0 if they are to be written again, or an error. */
int member_write_news(struct member *m, struct err_note *why)
{
	struct buf text = BUF_EMPTY;
	const int64_t before = clock_boot_ms();

	pthread_mutex_lock(&m->lock);
	m->s.mine.run = m->run;
	news_write(&m->s.mine, &text);
	m->s.is_urgent = 0;
	pthread_mutex_unlock(&m->lock);
	key_of(m, m->self);
	int got = bus_set(m->bus, m->key.at, text.at, text.used, &m->revision, why);
	buf_release(&text);
	if (got > 0) {
		m->told = before;
		pthread_mutex_lock(&m->lock);
		leases_wrote(m->s.leases, m->revision, before);
		if (clock_boot_ms() >= atomic_load(&m->sure_until)) {
			book_lapse(m->s.book, m->revision);
			m->s.sure_since = before;
		}
		pthread_mutex_unlock(&m->lock);
		atomic_store(&m->sure_until, before + NEWS_LOST_MS - MEMBER_MARGIN_MS);
	} else if (!got) {
		got = look_who(m, why);
	}
	return got;
}

void member_fail(struct member *m, int err, const struct err_note *why)
{
	pthread_mutex_lock(&m->lock);
	m->s.fault = err;
	m->s.note = *why;
	pthread_mutex_unlock(&m->lock);
	atomic_store(&m->sure_until, 0);
	atomic_store(&m->stops, 1);
}

/* Tells the user when the server can no longer be reached, and when it can be reached again. */
void member_note_contact(struct member *m, int err, const struct err_note *why)
{
	if (err && !m->is_cut_off)
		log_say("%s; the agent tries again, and crawls as long as it is sure of its lease", why->text);
	if (!err && m->is_cut_off)
		log_say("the NATS server answers again");
	m->is_cut_off = err != 0;
}

/* Handles a failed call: ends the membership if the server has not answered for too long, and returns 1; else 0. */
static int is_given_up(struct member *m, int err, const struct err_note *last)
{
	const int64_t most = atomic_load(&m->give_up), ago = clock_boot_ms() - m->told;
	struct err_note why;

	if (!most || ago < most)
		return 0;
	err = err_set(&why, err, "%s; this has been so for %lld s (--give-up-after); the same command goes on", last->text,
		(long long)(ago / 1000));
	member_fail(m, err, &why);
	return 1;
}

void member_keep_lease(struct member *m)
{
	const int64_t ago = clock_boot_ms() - m->told;
	struct err_note why = {""};

	pthread_mutex_lock(&m->lock);
	const int is_due = ago >= NEWS_MS || (m->s.is_urgent && ago >= URGENT_MS);
	pthread_mutex_unlock(&m->lock);
	if (!is_due)
		return;
	const int got = member_write_news(m, &why);
	if (got == ERR_BUSY) {
		member_fail(m, got, &why);
		return;
	}
	member_note_contact(m, got < 0 ? got : 0, &why);
	if (got < 0 && is_given_up(m, got, &why))
		return;
	if (got < 0)
		member_pause(MEMBER_AGAIN_MS);
}
