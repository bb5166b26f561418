#include "agents/bus.h"
#include "agents/log_pack.h"
#include "agents/member_parts.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TURN_MS       200                 /* so long logs are written, or read, before the lease is looked after again */
#define EPOCHS_MISSED ((uint64_t)1 << 32) /* more changes of the table than an agent can have slept through */
#define ROUND_MOST    256                 /* messages for logs that travel together, */
#define ROUND_BYTES   ((size_t)4 << 20)   /* and about how many bytes */

/* --- the table and the leases */

/* Makes the table that the member knows: before the first change, the one by which the crawl began. */
static void known_table(const struct member *m, struct share_table *t)
{
	struct shares first;

	*t = m->s.p.table;
	if (t->epoch)
		return;
	shares_deal(&first, m->roster.agents);
	memcpy(t->owner, first.owner, sizeof t->owner);
}

/* Takes a roster, if it has more agents than the one that is known. Returns 1 if it extends that one, else 0. */
static int adopt_roster(struct member *m, const struct buf *text)
{
	struct roster *r = mem_new(1, sizeof *r);
	const int is_one = !roster_read(r, text->at ? text->at : "", text->used) && roster_extends(r, &m->roster);

	if (is_one && r->n > m->roster.n) {
		pthread_mutex_lock(&m->lock);
		/* what the watch has shown of the news of new agents was passed over, since nobody knew their ids */
		for (unsigned i = m->roster.n; i < r->n; i++)
			leases_heard(m->s.leases, i, 0, 0, clock_boot_ms());
		m->roster = *r;
		pthread_mutex_unlock(&m->lock);
	}
	free(r);
	return is_one;
}

static int names_strangers(const struct member *m, const struct share_table *t)
{
	for (unsigned p = 0; p < PARTITIONS; p++)
		if (t->owner[p] >= m->roster.n)
			return 1;
	return 0;
}

/* Says whether the value is a table that may follow on the known one. A watch that begins anew may show it before the roster. */
static int is_table(struct member *m, struct share_table *t)
{
	struct buf text = BUF_EMPTY;
	uint64_t revision;

	if (share_table_read(t, m->text.at ? m->text.at : "", m->text.used) || t->epoch > m->s.p.table.epoch + EPOCHS_MISSED)
		return 0;
	if (names_strangers(m, t) && bus_get(m->bus, "roster", &text, &revision, NULL) > 0)
		(void)adopt_roster(m, &text);
	buf_release(&text);
	return !names_strangers(m, t);
}

/* Writes a table over the last one that was seen. It is the known one then. Returns what bus_set() does. */
static int put_table(struct member *m, const struct share_table *t, struct err_note *why)
{
	struct buf text = BUF_EMPTY;

	share_table_write(t, &text);
	const int got = bus_set(m->bus, SHARE_TABLE_KEY, text.at, text.used, &m->table_revision, why);
	buf_release(&text);
	if (got > 0) {
		pthread_mutex_lock(&m->lock);
		m->s.p.table = *t;
		pthread_mutex_unlock(&m->lock);
	}
	return got < 0 ? got : 0;
}

/* A value that is no table, or an older one, is written over by one with the next epoch. Whoever does so first, does so for all;
 * after an error the next watch shows the value once more. */
static void take_table(struct member *m, uint64_t revision)
{
	struct share_table t, known;
	const int is_one = is_table(m, &t);

	if (revision < m->table_revision)
		member_fall_back(m);
	known_table(m, &known);
	m->table_revision = revision;
	if (is_one && (t.epoch > known.epoch || memcmp(t.owner, known.owner, sizeof t.owner) == 0)) {
		pthread_mutex_lock(&m->lock);
		if (t.epoch > m->s.p.table.epoch)
			m->s.p.table = t;
		pthread_mutex_unlock(&m->lock);
		return;
	}
	if (!is_one && m->text.used)
		member_put_aside(m, "the table of shares");
	known.epoch++;
	(void)!put_table(m, &known, NULL);
}

static void take_roster(struct member *m, uint64_t revision)
{
	struct buf text = BUF_EMPTY;

	if (adopt_roster(m, &m->text))
		return;
	if (m->text.used)
		member_put_aside(m, "the roster");
	roster_write(&m->roster, &text);
	(void)!bus_set(m->bus, "roster", text.at, text.used, &revision, NULL);
	buf_release(&text);
}

void member_take_shares(struct member *m, uint64_t revision)
{
	if (strcmp(m->key.at, SHARE_TABLE_KEY) == 0) {
		take_table(m, revision);
	} else if (strcmp(m->key.at, "roster") == 0) {
		take_roster(m, revision);
	} else if (strcmp(m->key.at, "rebalance") == 0) {
		pthread_mutex_lock(&m->lock);
		m->s.p.rebalance = m->text.used ? strtoull(m->text.at, NULL, 10) : 0;
		pthread_mutex_unlock(&m->lock);
	}
}

static int write_table(struct member *m, struct err_note *why)
{
	struct share_table t = {.epoch = 0};

	pthread_mutex_lock(&m->lock);
	if (m->s.p.is_wanted && m->s.p.wanted.epoch == m->s.p.table.epoch + 1)
		t = m->s.p.wanted;
	m->s.p.is_wanted = 0;
	pthread_mutex_unlock(&m->lock);
	if (!t.epoch || !member_is_sure(m))
		return 0;
	return put_table(m, &t, why); /* if another agent was faster, its table comes */
}

/* Takes the partitions of an agent whose lease has ended: writes over its news, which that agent then cannot renew, because the
 * revision of the key has changed. */
static int seize(struct member *m, struct err_note *why)
{
	struct news *n = NULL;
	char key[64];
	int got = 0;

	pthread_mutex_lock(&m->lock);
	const int agent = m->s.p.seize;
	m->s.p.seize = -1;
	/* its news may have come since the coordinator looked */
	if (agent >= 0 && !m->s.news[agent].is_gone && member_has_lost(m, (unsigned)agent)) {
		n = mem_new(1, sizeof *n);
		*n = m->s.news[agent];
	}
	pthread_mutex_unlock(&m->lock);
	if (n && member_is_sure(m)) {
		uint64_t revision = m->agent_revision[agent];
		n->is_gone = 1;
		news_write(n, &m->text);
		snprintf(key, sizeof key, "agent.%s", m->roster.id[agent]);
		got = bus_set(m->bus, key, m->text.at, m->text.used, &revision, why);
	}
	free(n);
	return got < 0 ? got : 0;
}

/* A bus that has gone back may have no table at all, which no watch shows: writes the one that the member knows. */
static int write_lost_table(struct member *m, struct err_note *why)
{
	struct share_table known;

	if (m->table_revision || !m->s.p.table.epoch || !member_is_sure(m))
		return 0;
	known_table(m, &known);
	return put_table(m, &known, why);
}

int member_write_shares(struct member *m, struct err_note *why)
{
	int err = seize(m, why);

	if (!err)
		err = write_lost_table(m, why);
	return err ? err : write_table(m, why);
}

/* --- writing logs */

struct log_key {
	char text[16];
};

static struct log_key key_of(unsigned partition)
{
	struct log_key k;

	snprintf(k.text, sizeof k.text, BUS_LOG "%u", partition);
	return k;
}

/* The messages that are sent to the server together. They are the oldest waiting messages, and at most one for each partition: the
 * first message whose partition is in the round already begins the next round, so that the messages of a partition stay in
 * order. */
struct round {
	struct bus_value message[ROUND_MOST];
	struct log_key key[ROUND_MOST];
	struct member_message *of[ROUND_MOST];
	size_t n, bytes;
	uint8_t has[PARTITIONS];
};

static void gather(struct member *m, struct round *r)
{
	const size_t most = bus_log_most(m->bus);

	r->n = r->bytes = 0;
	memset(r->has, 0, sizeof r->has);
	pthread_mutex_lock(&m->lock);
	for (struct member_message *p = m->s.p.out.first; p && r->n < ROUND_MOST && r->bytes < ROUND_BYTES; p = p->next) {
		if (p->is_written)
			continue;
		/* one that must be divided first goes alone: what waits behind it may say that it is written */
		if (r->has[p->to] || (r->n && (p->n > most || r->message[0].n > most)))
			break;
		r->has[p->to] = 1;
		r->bytes += p->n;
		r->of[r->n] = p;
		r->key[r->n] = key_of(p->to);
		r->message[r->n] =
			(struct bus_value){.key = r->key[r->n].text, .bytes = p->bytes, .n = p->n, .revision = m->log_last[p->to]};
		r->n++;
	}
	pthread_mutex_unlock(&m->lock);
}

/* Drops the messages at the head of the queue that are written. */
static void drop_written(struct member *m)
{
	pthread_mutex_lock(&m->lock);
	while (m->s.p.out.first && m->s.p.out.first->is_written)
		free(member_queue_remove(&m->s.p.out));
	pthread_mutex_unlock(&m->lock);
}

/* Asks for the last message of a log, which becomes m->last, and its number, which becomes the one that is known. A log that ends
 * before the number that was known has gone back: what this agent would add stood behind records that are not there. Returns 1, 0
 * if the log is empty, or an error. */
static int ask_last(struct member *m, unsigned partition, struct err_note *why)
{
	uint64_t number;
	const int got = bus_get(m->bus, key_of(partition).text, &m->last, &number, why);

	if (got < 0)
		return got;
	if (number < m->log_last[partition]) {
		member_fall_back(m);
		return err_set(why, ERR_UNREACHABLE, "the logs at the NATS server are older than before");
	}
	m->log_last[partition] = number;
	return got;
}

/* Finds the number of the last message of a log that has another one than this agent has written last. An agent that takes a
 * partition over is first named in the table, and adds its message then; so the table, which is read behind the number, says whose
 * log it is, and anybody may have written the message. Returns 0, 1 if another agent owns the partition, or an error. */
static int find_last(struct member *m, unsigned partition, struct err_note *why)
{
	struct share_table t;
	struct log_pack pack;
	uint64_t revision;
	int got = ask_last(m, partition, why);

	if (got <= 0)
		return got;
	if (log_pack_open(&pack, m->last.at, m->last.used, why))
		member_put_aside(m, "a message in the log of a partition");
	log_pack_release(&pack);
	got = bus_get(m->bus, SHARE_TABLE_KEY, &m->text, &revision, why);
	if (got < 0)
		return got;
	if (!got || !is_table(m, &t))
		known_table(m, &t);
	return t.owner[partition] != m->self;
}

/* Puts a list of messages in the place of one of the queue for logs, which is freed. */
static void replace(struct member *m, struct member_message *p, struct member_message *first, struct member_message *last)
{
	struct member_queue *q = &m->s.p.out;
	struct member_message **at = &q->first;

	last->is_part = p->is_part;
	pthread_mutex_lock(&m->lock);
	while (*at != p)
		at = &(*at)->next;
	*at = first;
	last->next = p->next;
	if (q->end == &p->next)
		q->end = &last->next;
	pthread_mutex_unlock(&m->lock);
	free(p);
}

/* Makes a message for each record of one that is larger than the server takes, which may take less than it did when that one was
 * made. A single page is left out: another owner would fetch it again. Without a letter another owner would miss links for ever, so
 * one that is too large by itself ends the membership; the store has it. Returns 0 or an error. */
static int divide(struct member *m, struct member_message *p, struct err_note *why)
{
	struct member_message *first = NULL, *last = NULL;
	struct log_pack_out one = LOG_PACK_EMPTY;
	struct log_pack_record r = {.kind = LOG_PACK_LETTER};
	struct log_pack pack;
	int err = log_pack_open(&pack, p->bytes, p->n, why), more = 0;

	while (!err && (more = log_pack_next(&pack, &r, why)) > 0) {
		log_pack_add(&one, r.kind, r.number, r.bytes, r.n);
		log_pack_seal(&one, pack.agent, &m->last);
		struct member_message *part = member_message(p->to, m->last.at, m->last.used);
		part->is_part = 1;
		first = first ? first : part;
		last = last ? (last->next = part) : part;
	}
	err = err ? err : more;
	log_pack_out_release(&one);
	log_pack_release(&pack);
	if (!err && first != last) {
		replace(m, p, first, last);
		return 0;
	}
	for (struct member_message *next; first; first = next) {
		next = first->next;
		free(first);
	}
	if (!err && r.kind == LOG_PACK_PAGE) {
		log_say("partition %u: a page is too large for the log at the NATS server, and would be fetched again by another owner",
			p->to);
		p->is_written = 1;
	} else if (!err) {
		err = err_set(why, ERR_TOO_BIG,
			"a letter of %zu bytes is larger than the NATS server takes for the log of partition %u: raise its max_payload, or the "
			"max_msg_size of the stream of logs; the same command goes on then",
			p->n, p->to);
	}
	return err;
}

static int divide_all(struct member *m, const struct round *r, struct err_note *why)
{
	int err = 0;

	for (size_t i = 0; i < r->n && !err; i++)
		if (r->message[i].result == ERR_TOO_BIG)
			err = divide(m, r->of[i], why);
	return err;
}

/* A message of which it is not known whether it was added is added again: a reader passes over the second one. The number that was
 * known of its log stays: the server may have gone back meanwhile. */
static void note_results(struct member *m, const struct round *r)
{
	for (size_t i = 0; i < r->n; i++) {
		const int is_written = r->message[i].result > 0;
		if (r->message[i].result == ERR_TOO_BIG) /* it was not added */
			continue;
		r->of[i]->is_written = is_written;
		if (!is_written)
			continue;
		member_saw_log(m, r->of[i]->to, r->message[i].revision);
		m->log_last[r->of[i]->to] = r->message[i].revision;
	}
}

/* Looks at the logs that refused a message. A partition that has another owner meanwhile needs nothing of this agent: an earlier
 * process has written all before it gave the partition away; and an agent whose share was taken confirms no letter any more, since
 * it cannot write its news. Returns 0 or an error. */
static int look_at_refusals(struct member *m, const struct round *r, struct err_note *why)
{
	for (size_t i = 0; i < r->n; i++) {
		const int found = r->message[i].result ? 0 : find_last(m, r->of[i]->to, why);
		r->of[i]->is_written |= found > 0;
		if (found < 0)
			return found;
	}
	return 0;
}

int member_write_logs(struct member *m, struct err_note *why)
{
	const int64_t until = clock_boot_ms() + TURN_MS;
	struct round r;
	int err = 0;

	for (gather(m, &r); !err && r.n && clock_boot_ms() < until; gather(m, &r)) {
		err = member_send_all(m, why);
		if (err)
			break;
		err = bus_set_all(m->bus, r.message, r.n, why);
		note_results(m, &r);
		if (!err)
			err = look_at_refusals(m, &r, why);
		if (!err)
			err = divide_all(m, &r, why);
		drop_written(m);
	}
	if (err == ERR_FORMAT || err == ERR_TOO_BIG)
		member_fail(m, err, why);
	return err;
}

/* --- reading logs */

struct reader {
	struct member *member;
	struct member_reading *reading;
};

static void hand_over(struct member *m, struct member_chapter *c)
{
	pthread_mutex_lock(&m->lock);
	*m->s.p.in_end = c;
	m->s.p.in_end = &c->next;
	pthread_mutex_unlock(&m->lock);
}

/* Takes a message of the log that is being read. Renews the lease meanwhile, since reading a log may take longer than a lease
 * lasts, and returns ERR_UNREACHABLE if the agent has to end. */
static int take_message(void *ctx, uint64_t number, const void *message, size_t n)
{
	struct reader *r = ctx;

	member_keep_lease(r->member);
	if (atomic_load(&r->member->stops))
		return ERR_UNREACHABLE;
	struct member_chapter *c = mem_new(1, sizeof *c + n);

	*c = (struct member_chapter){.partition = r->reading->partition, .number = number, .n = n};
	memcpy(c->message, message, n);
	r->reading->after = number;
	hand_over(r->member, c);
	return 0;
}

/* Adds a message to the log, after which the owner before can add none. *before becomes the number of the last message before. An
 * agent that is not sure of its lease adds none: the log may be another agent's by now, which would take its own share for lost. */
static int close_log(struct member *m, unsigned partition, uint64_t *before, uint64_t *number, struct err_note *why)
{
	struct log_pack_out none = LOG_PACK_EMPTY;
	int got = 0;

	while (!got) {
		got = ask_last(m, partition, why);
		if (got < 0)
			break;
		*before = *number = m->log_last[partition];
		if (!member_is_sure(m)) {
			got = err_set(why, ERR_UNREACHABLE, "the agent is not sure of its lease, and reads no logs");
			break;
		}
		log_pack_seal(&none, m->self, &m->last);
		got = bus_set(m->bus, key_of(partition).text, m->last.at, m->last.used, number, why);
	}
	log_pack_out_release(&none);
	return got < 0 ? got : 0;
}

static int read_log(struct member *m, struct member_reading *r, struct err_note *why)
{
	struct reader reader = {m, r};
	uint64_t before = 0, number = 0;
	int err = close_log(m, r->partition, &before, &number, why);

	if (!err && before > r->after)
		err = bus_log_read(m->bus, r->partition, r->after, number, take_message, &reader, why);
	if (err)
		return err;
	m->log_last[r->partition] = number;
	struct member_chapter *last = mem_zero(1, sizeof *last);
	*last = (struct member_chapter){.partition = r->partition, .number = number, .is_last = 1};
	hand_over(m, last);
	pthread_mutex_lock(&m->lock);
	m->s.p.reading = r->next;
	if (!r->next)
		m->s.p.reading_end = &m->s.p.reading;
	pthread_mutex_unlock(&m->lock);
	free(r);
	return 0;
}

int member_read_logs(struct member *m, struct err_note *why)
{
	const int64_t until = clock_boot_ms() + TURN_MS;
	struct member_reading *r;
	int err = 0;

	do {
		pthread_mutex_lock(&m->lock);
		r = m->s.p.reading;
		pthread_mutex_unlock(&m->lock);
		if (r)
			err = read_log(m, r, why);
	} while (!err && r && clock_boot_ms() < until && member_is_sure(m));
	return err;
}
