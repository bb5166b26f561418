#include "agents/bus_log.h"
#include "agents/member_parts.h"
#include "base/clock.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define REST_MS    5000 /* so long an agent that leaves writes logs */
#define LAST_TRIES 10   /* to write the state of the crawl before the agent leaves */

static const char *const words[] = {"running", "paused", "stopped", "done"};

const char *member_state_word(enum member_state s)
{
	return words[s];
}

int member_state_of(const char *word, size_t n)
{
	for (int i = 0; i < (int)(sizeof words / sizeof *words); i++)
		if (strlen(words[i]) == n && memcmp(words[i], word, n) == 0)
			return i;
	return -1;
}

int member_start(struct member **out, struct bus *bus, const struct roster *roster, unsigned self, int64_t rest,
	uint64_t log_length, struct err_note *why)
{
	struct member *m = mem_zero(1, sizeof *m);
	int err;

	*out = NULL;
	m->bus = bus;
	m->roster = *roster;
	m->self = self;
	m->log_length = log_length;
	member_queue_make(&m->s.out);
	m->s.in_end = &m->s.in;
	m->s.wants_state = -1;
	m->s.book = book_new(self, rest);
	member_partitions_make(&m->s.p);
	m->s.leases = leases_new(self, clock_boot_ms());
	m->pack = mem_zero(NEWS_AGENTS, sizeof *m->pack);
	m->s.news = mem_big(NEWS_AGENTS, sizeof *m->s.news);
	m->s.heard = mem_zero(NEWS_AGENTS, sizeof *m->s.heard);
	m->s.is_alive = mem_zero(NEWS_AGENTS, sizeof *m->s.is_alive);
	m->agent_revision = mem_zero(NEWS_AGENTS, sizeof *m->agent_revision);
	m->log_last = mem_zero(PARTITIONS, sizeof *m->log_last);
	char drawn[ROSTER_ID];
	roster_draw(drawn);
	m->run = strtoull(drawn, NULL, 16) >> 1;
	pthread_mutex_init(&m->lock, NULL);
	/* the first news may find those of an earlier process, and take the lease from it */
	do
		err = member_write_news(m, why);
	while (!err && !m->told);
	err = err > 0 ? 0 : err;
	if (!err)
		err = bus_log_open(bus, why);
	if (!err)
		err = member_listen(m, why);
	if (!err && pthread_create(&m->thread, NULL, member_run, m) != 0)
		err = err_set(why, ERR_OTHER, "cannot start a thread for the NATS server");
	m->is_running = !err;
	if (err)
		member_stop(m);
	else
		*out = m;
	return err;
}

static void free_parcels(struct member_parcel *p)
{
	while (p) {
		struct member_parcel *next = p->next;
		bus_drop_letter(&p->letter);
		free(p);
		p = next;
	}
}

/* At the end of the membership, writes the letters and then the log messages that are still queued, for REST_MS at most. */
static void write_rest(struct member *m)
{
	const int64_t until = clock_boot_ms() + REST_MS;
	struct err_note why;
	int err = member_send_all(m, &why);

	while (!err && m->s.p.out.first && clock_boot_ms() < until)
		err = member_write_logs(m, &why);
}

void member_stop(struct member *m)
{
	struct err_note why;

	if (!m)
		return;
	atomic_store(&m->stops, 1);
	if (m->is_running) {
		pthread_join(m->thread, NULL);
		member_acknowledge_all(m);
		for (int i = 0; i < LAST_TRIES && !m->s.fault && m->s.wants_state >= 0; i++)
			member_write_state(m);
		m->s.mine.has_left = 1;
		if (!m->s.fault)
			write_rest(m);
		if (!m->s.fault)
			(void)!member_write_news(m, &why);
	}
	free_parcels(m->s.in);
	free_parcels(m->s.done);
	member_queue_free(&m->s.out);
	bus_close(m->bus);
	pthread_mutex_destroy(&m->lock);
	buf_release(&m->s.seeds);
	buf_release(&m->key);
	buf_release(&m->text);
	book_free(m->s.book);
	free(m->s.leases);
	buf_release(&m->last);
	member_partitions_free(&m->s.p);
	for (unsigned i = 0; i < NEWS_AGENTS; i++)
		buf_release(&m->pack[i].bytes);
	free(m->pack);
	mem_big_free(m->s.news, NEWS_AGENTS, sizeof *m->s.news);
	free(m->s.heard);
	free(m->s.is_alive);
	free(m->agent_revision);
	free(m->log_last);
	free(m);
}

void member_give_up_after(struct member *m, int64_t ms)
{
	atomic_store(&m->give_up, ms);
}

size_t member_parcel_most(const struct member *m)
{
	return bus_letter_most(m->bus) - MEMBER_PACK_HEAD;
}

const _Atomic int64_t *member_sure_until(const struct member *m)
{
	return &m->sure_until;
}

int member_is_sure(const struct member *m)
{
	return clock_boot_ms() < atomic_load(&m->sure_until);
}

int member_fault(struct member *m, struct err_note *why)
{
	pthread_mutex_lock(&m->lock);
	const int err = m->s.fault;
	if (err && why)
		*why = m->s.note;
	pthread_mutex_unlock(&m->lock);
	return err;
}

void member_queue_make(struct member_queue *q)
{
	*q = (struct member_queue){.end = &q->first};
}

void member_queue_free(struct member_queue *q)
{
	while (q->first)
		free(member_queue_remove(q));
}

uint64_t member_queue_add(struct member *m, struct member_queue *q, unsigned to, const void *bytes, size_t n)
{
	struct member_message *p = mem_new(1, sizeof *p + n);

	*p = (struct member_message){.to = to, .n = n};
	memcpy(p->bytes, bytes, n);
	pthread_mutex_lock(&m->lock);
	*q->end = p;
	q->end = &p->next;
	const uint64_t number = ++q->added;
	pthread_mutex_unlock(&m->lock);
	return number;
}

struct member_message *member_queue_remove(struct member_queue *q)
{
	struct member_message *p = q->first;

	q->first = p->next;
	if (!q->first)
		q->end = &q->first;
	q->removed += !p->is_part;
	return p;
}

void member_send(struct member *m, unsigned to, const void *parcel, size_t n)
{
	(void)member_queue_add(m, &m->s.out, to, parcel, n);
}

struct member_parcel *member_take(struct member *m)
{
	pthread_mutex_lock(&m->lock);
	struct member_parcel *in = m->s.in;
	m->s.in = NULL;
	m->s.in_end = &m->s.in;
	m->s.in_n = 0;
	pthread_mutex_unlock(&m->lock);
	return in;
}

void member_acknowledge(struct member *m, struct member_parcel *p)
{
	pthread_mutex_lock(&m->lock);
	while (p) {
		struct member_parcel *next = p->next;
		p->next = m->s.done;
		m->s.done = p;
		m->s.done_n++;
		p = next;
	}
	pthread_mutex_unlock(&m->lock);
}

int member_take_seeds(struct member *m, struct buf *lines, uint64_t *revision)
{
	pthread_mutex_lock(&m->lock);
	const struct buf taken = m->s.seeds;
	m->s.seeds = (struct buf)BUF_EMPTY;
	*revision = m->s.seeds_revision;
	pthread_mutex_unlock(&m->lock);
	buf_release(lines);
	*lines = taken;
	return taken.used > 0;
}

void member_tell(struct member *m, const struct news *n, int is_urgent)
{
	pthread_mutex_lock(&m->lock);
	m->s.mine = *n;
	m->s.is_urgent |= is_urgent;
	pthread_mutex_unlock(&m->lock);
}

void member_hear(struct member *m, unsigned agent, struct news *out, int64_t *ago)
{
	pthread_mutex_lock(&m->lock);
	*out = m->s.news[agent];
	*ago = m->s.heard[agent] ? clock_boot_ms() - m->s.heard[agent] : INT64_MAX;
	pthread_mutex_unlock(&m->lock);
}

int member_ask(struct member *m, const unsigned char ip[16])
{
	pthread_mutex_lock(&m->lock);
	const int64_t now = clock_boot_ms();
	const int may = member_is_sure(m) && leases_hears(m->s.leases, now, MEMBER_MARGIN_MS) && book_ask(m->s.book, ip, now);
	pthread_mutex_unlock(&m->lock);
	return may;
}

void member_asked(struct member *m, const unsigned char ip[16], int64_t rest)
{
	pthread_mutex_lock(&m->lock);
	book_ended(m->s.book, ip, clock_boot_ms(), rest);
	pthread_mutex_unlock(&m->lock);
}

enum member_state member_state(struct member *m)
{
	pthread_mutex_lock(&m->lock);
	const enum member_state s = m->s.state;
	pthread_mutex_unlock(&m->lock);
	return s;
}

void member_set_state(struct member *m, enum member_state state)
{
	pthread_mutex_lock(&m->lock);
	m->s.wants_state = (int)state;
	pthread_mutex_unlock(&m->lock);
}
