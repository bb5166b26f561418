#include "agents/member_parts.h"
#include "agents/post.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define URGENT_MS        50 /* between two urgent news */
#define STRANGER_TIMES   6  /* so much longer an agent is waited for that this process has never heard */
#define TAKE_MOST        256
#define TAKE_WAIT_MS     20
#define INCOMING_MOST    4096   /* parcels that wait for the coordinator */
#define PACK_MOST        200000 /* bytes of a pack of several parcels */
#define PACK_MS          500    /* a pack waits so long for more parcels */
#define ACKNOWLEDGE_MS   3000 /* between two acknowledgements; the server sends what is not acknowledged again after ten seconds */
#define ACKNOWLEDGE_MOST 512  /* packs that wait for one */
#define HUNGRY           32   /* an agent with fewer pages queued is soon without work, */
#define HUNGRY_MS        60   /* and packs to it and from it wait so long */

/* --- queues */

void member_queue_make(struct member_queue *q)
{
	*q = (struct member_queue){.end = &q->first};
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

void member_queue_free(struct member_queue *q)
{
	while (q->first)
		free(member_queue_remove(q));
}

struct member_message *member_message(unsigned to, const void *bytes, size_t n)
{
	struct member_message *p = mem_new(1, sizeof *p + n);

	*p = (struct member_message){.to = to, .n = n};
	memcpy(p->bytes, bytes, n);
	return p;
}

uint64_t member_queue_add(struct member *m, struct member_queue *q, unsigned to, const void *bytes, size_t n)
{
	struct member_message *p = member_message(to, bytes, n);

	pthread_mutex_lock(&m->lock);
	*q->end = p;
	q->end = &p->next;
	const uint64_t number = ++q->added;
	pthread_mutex_unlock(&m->lock);
	return number;
}

void member_put_aside(struct member *m, const char *what)
{
	if (m && !atomic_fetch_add(&m->aside, 1))
		log_say("%s at the NATS server is none that an agent of this version writes, and is put aside; the crawl goes on, and "
			"'lycosa fleet status' counts more of this kind",
			what);
}

/* --- the lease */

int member_is_sure(const struct member *m)
{
	return clock_boot_ms() < atomic_load(&m->sure_until);
}

int member_has_lost(const struct member *m, unsigned agent)
{
	const int64_t heard = m->s.heard[agent] > m->s.sure_since ? m->s.heard[agent] : m->s.sure_since;
	const int64_t patience = NEWS_LOST_MS * (m->s.is_alive[agent] ? 1 : STRANGER_TIMES);

	return agent < m->roster.n && clock_boot_ms() - heard > patience && member_is_sure(m);
}

void member_pause(int64_t ms)
{
	const struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

	nanosleep(&t, NULL);
}

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
	const uint64_t before = m->told ? m->revision : 0;
	int got = bus_get(m->bus, m->key.at, &m->text, &m->revision, why);

	if (got >= 0 && m->revision < before) {
		free(n);
		member_fall_back(m);
		return ERR_UNREACHABLE;
	}

	if (got > 0 && news_read(n, m->text.at, m->text.used)) {
		member_put_aside(m, "the news of this agent");
		got = 0;
	}
	if (got > 0 && n->is_gone)
		got = err_set(why, ERR_OTHER, MEMBER_SHARE_TAKEN);
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
		m->logged_before = m->rewrites ? 0 : n->logged;
	free(n);
	return got < 0 ? got : 0;
}

int member_write_news(struct member *m, struct err_note *why)
{
	struct buf text = BUF_EMPTY;
	const int64_t before = clock_boot_ms();

	pthread_mutex_lock(&m->lock);
	m->s.mine.run = m->run;
	m->s.mine.aside = atomic_load(&m->aside);
	m->s.mine.generation = m->rewrites && !m->s.mine.n_marks ? 0 : m->s.past.generation;
	news_write(&m->s.mine, &text);
	m->s.is_urgent = 0;
	pthread_mutex_unlock(&m->lock);
	key_of(m, m->self);
	int got = bus_set(m->bus, m->key.at, text.at, text.used, &m->revision, why);
	buf_release(&text);
	if (got > 0) {
		m->told = before;
		member_saw_key(m, m->revision);
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

void member_note_contact(struct member *m, int err, const struct err_note *why)
{
	if (err && !m->is_cut_off)
		log_say("%s; the agent tries again, and crawls as long as it is sure of its lease", why->text);
	if (!err && m->is_cut_off) {
		log_say("the NATS server answers again");
		m->still_since = 0;
	}
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

/* Says whether the news are due. In a crawl of many agents each hears of all others, so they write less often, and at the same
 * times by the clocks of their machines: what the server sends to an agent goes together then. A clock that is wrong costs nothing
 * but this. */
static int is_news_due(const struct member *m, int64_t ago)
{
	const int64_t ms = news_ms(m->roster.n), beat = clock_wall_ms() % ms;

	if (m->roster.n <= NEWS_FEW)
		return ago >= ms;
	return ago >= ms + ms / 4 || (ago >= ms / 4 && ago > beat);
}

void member_keep_lease(struct member *m)
{
	const int64_t ago = clock_boot_ms() - m->told;
	struct err_note why = {""};

	pthread_mutex_lock(&m->lock);
	const int is_due = is_news_due(m, ago) || (m->s.is_urgent && ago >= URGENT_MS);
	pthread_mutex_unlock(&m->lock);
	if (!is_due)
		return;
	const int got = member_write_news(m, &why);
	if (atomic_load(&m->stops))
		return;
	if (got == ERR_BUSY || got == ERR_OTHER) {
		member_fail(m, got, &why);
		return;
	}
	member_note_contact(m, got < 0 ? got : 0, &why);
	if (got < 0 && is_given_up(m, got, &why))
		return;
	if (got < 0)
		member_pause(MEMBER_AGAIN_MS);
}

/* --- a bus that has gone back */

void member_saw_key(struct member *m, uint64_t revision)
{
	pthread_mutex_lock(&m->lock);
	if (revision > m->s.past.seen.bucket)
		m->s.past.seen.bucket = revision;
	pthread_mutex_unlock(&m->lock);
}

void member_saw_log(struct member *m, unsigned partition, uint64_t number)
{
	pthread_mutex_lock(&m->lock);
	if (number > m->s.past.seen.log)
		m->s.past.seen.log = number;
	if (number > m->s.past.message) {
		m->s.past.message = number;
		m->s.past.partition = partition;
	}
	pthread_mutex_unlock(&m->lock);
}

void member_fall_back(struct member *m)
{
	struct err_note why;
	const int err = err_set(&why, ERR_UNREACHABLE,
		"the NATS server has lost what it had acknowledged: its files are older, or gone; the agent asks for no page, and begins anew from its store when the server answers");

	pthread_mutex_lock(&m->lock);
	m->s.begins_anew = 1;
	pthread_mutex_unlock(&m->lock);
	member_fail(m, err, &why);
}

int member_look_back(struct member *m, struct err_note *why)
{
	const int got = member_past_is_ahead(&m->s.past, m->bus, why);

	if (got > 0)
		member_fall_back(m);
	return got < 0 ? got : 0;
}

/* --- letters */

static struct member_message *next_outgoing(struct member *m)
{
	pthread_mutex_lock(&m->lock);
	struct member_message *o = m->s.out.first ? member_queue_remove(&m->s.out) : NULL;
	pthread_mutex_unlock(&m->lock);
	return o;
}

/* Sends the pack of an agent. What is lost is sent again by agents/post.h. */
static int send_pack(struct member *m, unsigned to, struct err_note *why)
{
	struct buf *bytes = &m->pack[to].bytes;
	const int err = bytes->used ? bus_send(m->bus, m->roster.id[to], bytes->at, bytes->used, why) : 0;

	buf_clear(bytes);
	return err;
}

static void add_to_pack(struct member_pack *pack, const struct member_message *o, int64_t now)
{
	if (!pack->bytes.used)
		pack->since = now;
	post_pack(&pack->bytes, o->bytes, o->n);
}

/* Ends the membership because of a letter that is larger than the NATS server takes, which would never arrive. */
static void refuse(struct member *m, size_t n)
{
	struct err_note why;
	const int err = err_set(&why, ERR_TOO_BIG,
		"a letter of %zu bytes to another agent is larger than the NATS server takes (%zu): raise its max_payload; the same command goes on then",
		n, bus_letter_most(m->bus));

	member_fail(m, err, &why);
}

/* Says whether the pack of an agent is due. It waits for more parcels, but not for long if one of the two agents has little to do:
 * then the crawl waits for the letters. */
static int is_pack_due(struct member *m, unsigned to, int64_t now)
{
	const struct member_pack *pack = &m->pack[to];

	if (!pack->bytes.used)
		return 0;
	if (now - pack->since >= PACK_MS || atomic_load(&m->stops))
		return 1;
	if (now - pack->since < HUNGRY_MS)
		return 0;
	pthread_mutex_lock(&m->lock);
	const int is_hungry = m->s.news[to].queued < HUNGRY || m->s.mine.queued < HUNGRY;
	pthread_mutex_unlock(&m->lock);
	return is_hungry;
}

int member_send_all(struct member *m, struct err_note *why)
{
	const int64_t now = clock_boot_ms();
	const size_t letter_most = bus_letter_most(m->bus), most = letter_most < PACK_MOST ? letter_most : PACK_MOST;
	struct member_message *o;
	int err = 0, got, any_due = 0;

	while ((o = next_outgoing(m)) != NULL) {
		struct member_pack *pack = &m->pack[o->to];
		got = pack->bytes.used + o->n + MEMBER_PACK_HEAD > most ? send_pack(m, o->to, why) : 0;
		if (o->n + MEMBER_PACK_HEAD > letter_most)
			refuse(m, o->n);
		else
			add_to_pack(pack, o, now);
		err = err ? err : got;
		free(o);
	}
	for (unsigned to = 0; !any_due && to < m->roster.n; to++)
		any_due = is_pack_due(m, to, now);
	/* all together, which the server reads at once */
	for (unsigned to = 0; any_due && to < m->roster.n; to++) {
		got = send_pack(m, to, why);
		err = err ? err : got;
	}
	return err;
}

/* One acknowledgement is for all packs before it, so the packs of ACKNOWLEDGE_MS wait for each other. */
void member_acknowledge_all(struct member *m)
{
	const int64_t now = clock_boot_ms();

	pthread_mutex_lock(&m->lock);
	const int is_due = now - m->acknowledged >= ACKNOWLEDGE_MS || m->s.done_n >= ACKNOWLEDGE_MOST || atomic_load(&m->stops);
	struct member_parcel *done = is_due ? m->s.done : NULL, *last = done;
	if (is_due) {
		m->s.done = NULL;
		m->s.done_n = 0;
	}
	pthread_mutex_unlock(&m->lock);
	for (struct member_parcel *p = done; p; p = p->next)
		if (p->place > last->place)
			last = p;
	if (last)
		m->acknowledged = now;
	if (last && last->place > m->listened)
		bus_acknowledge(&last->letter);
	while (done) {
		struct member_parcel *next = done->next;
		bus_drop_letter(&done->letter);
		free(done);
		done = next;
	}
}

int member_receive(struct member *m, struct err_note *why)
{
	struct bus_letter letters[TAKE_MOST];

	pthread_mutex_lock(&m->lock);
	const int is_full = m->s.in_n >= INCOMING_MOST;
	pthread_mutex_unlock(&m->lock);
	if (is_full) {
		member_pause(TAKE_WAIT_MS);
		return 0;
	}
	const int n = bus_take(m->bus, letters, TAKE_MOST, TAKE_WAIT_MS, why);
	pthread_mutex_lock(&m->lock);
	for (int i = 0; i < n; i++) {
		struct member_parcel *p = mem_new(1, sizeof *p);
		*p = (struct member_parcel){.letter = letters[i], .place = ++m->received};
		*m->s.in_end = p;
		m->s.in_end = &p->next;
		m->s.in_n++;
	}
	pthread_mutex_unlock(&m->lock);
	return n < 0 ? n : 0;
}
