#include "agents/member.h"
#include "agents/bus.h"
#include "agents/charter.h"
#include "agents/member_parts.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ADDRESSES_MOST 64   /* keys of addresses that are written together */
#define LOG_TROUBLE_MS 4000 /* a log that fails for so long, while the news are written, is spoken of */
#define STILL_MS       4000 /* an agent that asks for no page for so long says why, */
#define LASTS_MS       150  /* if it has been for the same reason for so long */
#define DEAF_MS        6000 /* no change seen for so long, not even of the own news: the bus is repaired */

/* --- changes of the bucket */

/* News that come a second time, since the watching began anew, say nothing of the agent's lease. */
static void take_news(struct member *m, unsigned agent, uint64_t revision)
{
	struct news *n = mem_new(1, sizeof *n);
	const int is_newer = revision > m->agent_revision[agent], is_odd = news_read(n, m->text.at ? m->text.at : "", m->text.used);

	if (revision < m->agent_revision[agent])
		member_fall_back(m);
	if (is_newer) /* of bytes of somebody else, too: whoever writes over the news names what stands there */
		m->agent_revision[agent] = revision;
	if (is_newer && is_odd && m->text.used)
		member_put_aside(m, "the news of an agent");
	if (is_newer && !is_odd) {
		pthread_mutex_lock(&m->lock);
		m->s.is_alive[agent] = m->s.heard[agent] != 0;
		m->s.news[agent] = *n;
		m->s.heard[agent] = clock_boot_ms();
		leases_heard(m->s.leases, agent, revision, n->has_left || n->is_gone, m->s.heard[agent]);
		pthread_mutex_unlock(&m->lock);
	}
	free(n);
}

static void take_state(struct member *m, uint64_t revision)
{
	const int state = member_state_of(m->text.at ? m->text.at : "", m->text.used);

	m->state_revision = revision;
	if (state < 0) {
		if (m->text.used)
			member_put_aside(m, "the state of the crawl");
		return;
	}
	pthread_mutex_lock(&m->lock);
	m->s.state = (enum member_state)state;
	pthread_mutex_unlock(&m->lock);
}

/* Appends a new text of seeds; a text of an earlier revision is ignored, since a watch that begins again shows all keys again. */
static void take_seeds(struct member *m, uint64_t revision)
{
	if (revision <= m->s.seeds_revision)
		return;
	pthread_mutex_lock(&m->lock);
	m->s.seeds_revision = revision;
	buf_add(&m->s.seeds, m->text.at, m->text.used);
	if (m->text.used && m->text.at[m->text.used - 1] != '\n')
		buf_byte(&m->s.seeds, '\n');
	pthread_mutex_unlock(&m->lock);
}

/* Another generation than the agent's says that the bus has gone back, and that another agent has noticed it first. */
static void take_generation(struct member *m, uint64_t revision)
{
	const uint64_t generation = member_generation_of(m->text.at, m->text.used);
	char text[24];

	if (generation == m->s.past.generation)
		return;
	if (generation) {
		member_fall_back(m);
		return;
	}
	if (m->text.used)
		member_put_aside(m, "the generation of the bus");
	const int n = snprintf(text, sizeof text, "%016llx", (unsigned long long)m->s.past.generation);
	(void)!bus_set(m->bus, MEMBER_GENERATION, text, (size_t)n, &revision, NULL);
}

/* Takes all changes of keys in the bucket that have arrived: news of agents, entries of the address book, the state of the crawl,
 * seeds, and the table of owners. */
static int take_changes(struct member *m, struct err_note *why)
{
	uint64_t revision;
	int got;

	while ((got = bus_changed(m->bus, &m->key, &m->text, &revision, why)) > 0) {
		m->changed = clock_boot_ms();
		member_saw_key(m, revision);
		if (strcmp(m->key.at, MEMBER_GENERATION) == 0) {
			take_generation(m, revision);
		} else if (strncmp(m->key.at, "agent.", 6) == 0) {
			const unsigned agent = roster_find(&m->roster, m->key.at + 6);
			if (agent != ROSTER_NONE)
				take_news(m, agent, revision);
		} else if (strncmp(m->key.at, BOOK_KEY, strlen(BOOK_KEY)) == 0) {
			pthread_mutex_lock(&m->lock);
			const int is_older = book_is_older(m->s.book, m->key.at, revision);
			book_learn(m->s.book, m->key.at, m->text.at ? m->text.at : "", m->text.used, revision, clock_boot_ms());
			pthread_mutex_unlock(&m->lock);
			if (is_older)
				member_fall_back(m);
		} else if (strcmp(m->key.at, "state") == 0) {
			take_state(m, revision);
		} else if (strncmp(m->key.at, CHARTER_SEEDS, strlen(CHARTER_SEEDS)) == 0) {
			take_seeds(m, revision);
		} else {
			member_take_shares(m, revision);
		}
	}
	return got;
}

/* Writes the state that the coordinator wishes for, if it does. */
static void member_write_state(struct member *m)
{
	struct err_note why;

	pthread_mutex_lock(&m->lock);
	const int wanted = m->s.wants_state;
	m->s.wants_state = -1;
	pthread_mutex_unlock(&m->lock);
	if (wanted < 0)
		return;
	const char *word = member_state_word((enum member_state)wanted);
	if (bus_set(m->bus, "state", word, strlen(word), &m->state_revision, &why) <= 0) {
		pthread_mutex_lock(&m->lock);
		m->s.wants_state = wanted;
		pthread_mutex_unlock(&m->lock);
		(void)!bus_get(m->bus, "state", &m->text, &m->state_revision, &why);
		member_pause(MEMBER_AGAIN_MS);
	}
}

/* --- addresses */

/* Finds keys that are to be written now, at most ADDRESSES_MOST. Returns their number. */
static size_t next_addresses(struct member *m, struct book_write *writes, struct bus_value *values)
{
	size_t n = 0;

	pthread_mutex_lock(&m->lock);
	while (n < ADDRESSES_MOST && book_next(m->s.book, clock_boot_ms(), m->s.leases, &writes[n]))
		n++;
	pthread_mutex_unlock(&m->lock);
	for (size_t i = 0; i < n; i++)
		values[i] = (struct bus_value){.key = writes[i].key,
			.bytes = writes[i].text,
			.n = strlen(writes[i].text),
			.revision = writes[i].revision};
	return n;
}

/* Reads the key of an address that the bucket refuses again and again. */
static int look_at_address(struct member *m, const char *key, struct err_note *why)
{
	uint64_t revision;
	const int got = bus_get(m->bus, key, &m->text, &revision, why);

	if (got < 0)
		return got;
	pthread_mutex_lock(&m->lock);
	book_learn(m->s.book, key, got ? m->text.at : "", got ? m->text.used : 0, revision, clock_boot_ms());
	pthread_mutex_unlock(&m->lock);
	return 0;
}

static int write_addresses(struct member *m, struct err_note *why)
{
	struct book_write writes[ADDRESSES_MOST];
	struct bus_value values[ADDRESSES_MOST];
	size_t n;
	int err = 0;

	while (!err && member_is_sure(m) && (n = next_addresses(m, writes, values)) > 0) {
		const char *doubtful = NULL; /* others have their turn later */
		err = bus_set_all(m->bus, values, n, why);
		pthread_mutex_lock(&m->lock);
		for (size_t i = 0; i < n; i++) {
			writes[i].revision = values[i].revision;
			/* a lease that was lost meanwhile gives nothing */
			if (book_wrote(m->s.book, &writes[i], member_is_sure(m) ? values[i].result : ERR_UNREACHABLE,
				    clock_boot_ms()))
				doubtful = writes[i].key;
		}
		pthread_mutex_unlock(&m->lock);
		if (!err && doubtful)
			err = look_at_address(m, doubtful, why);
	}
	return err;
}

/* --- the loop */

/* Watches the bucket and listens to the letters, from the start or anew. Returns 0 or an error of the bus. */
static int member_listen(struct member *m, struct err_note *why)
{
	int err = member_look_back(m, why);

	if (!err)
		err = bus_watch(m->bus, ">", why);
	if (!err)
		err = bus_listen(m->bus, m->roster.id[m->self], why);
	m->changed = clock_boot_ms();
	m->listened = m->received;
	pthread_mutex_lock(&m->lock);
	leases_listen(m->s.leases, m->changed);
	book_listen(m->s.book);
	m->s.is_urgent = 1; /* the next news are a mark of what the watch has shown */
	pthread_mutex_unlock(&m->lock);
	return err;
}

/* Writes and reads logs. If the server cannot be reached at all, member_note_contact() tells the user so. If only the logs fail,
 * the user is told here, once, since letters and pages wait for the logs. */
static int tend_logs(struct member *m, struct err_note *why)
{
	const int64_t now = clock_boot_ms();
	int err = member_write_logs(m, why);

	if (!err)
		err = member_read_logs(m, why);
	if (!err) {
		if (m->is_log_trouble_told)
			log_say("the logs of partitions are written and read again");
		m->log_trouble = m->is_log_trouble_told = 0;
		return 0;
	}
	if (!m->log_trouble)
		m->log_trouble = now;
	if (!m->is_log_trouble_told && !m->is_cut_off && now - m->log_trouble > LOG_TROUBLE_MS) {
		log_say("%s; this is tried again, and what waits for it is not lost", why->text);
		m->is_log_trouble_told = 1;
	}
	return err;
}

/* Does once what the bus is there for, but for the lease. Returns 0 or an error of the bus. */
static int work(struct member *m, struct err_note *why)
{
	int err = take_changes(m, why);

	member_write_state(m);
	if (!err)
		err = write_addresses(m, why);
	if (!err)
		err = member_write_shares(m, why);
	if (!err)
		err = member_send_all(m, why);
	member_acknowledge_all(m);
	if (!err)
		err = tend_logs(m, why);
	return err ? err : member_receive(m, why);
}

/* Finds out why no page is asked for, unless one was lately. The text has no numbers that change, so that it is another one when
 * the reason is. The caller has the lock. Returns 1 or 0. */
static int why_still(struct member *m, int64_t now, char *text, size_t room)
{
	const struct news *mine = &m->s.mine;
	unsigned silent = NEWS_AGENTS, busy = NEWS_AGENTS;

	/* a page that gets no turn at its address is in flight for moments, again and again, and letters bring pages to a queue */
	const uint64_t ended = mine->seen - mine->queued - mine->in_flight, pages[] = {mine->crawled, ended};
	const int has_changed = memcmp(pages, m->still_pages, sizeof pages) != 0;
	memcpy(m->still_pages, pages, sizeof pages);
	if ((has_changed && !m->s.held) || !m->still_since) { /* who may take no page hears of others' */
		m->still_since = now;
		m->is_still_told = 0;
	}
	for (unsigned i = 0; i < m->roster.n; i++) {
		const struct news *n = &m->s.news[i];
		if (i == m->self || n->is_gone || n->has_left)
			continue;
		silent = now - m->s.heard[i] > STILL_MS - NEWS_MS + news_ms(m->roster.n) ? i : silent;
		busy = n->queued || n->in_flight ? i : busy;
	}
	m->is_still_usual =
		member_is_sure(m) && m->s.state != MEMBER_PAUSED && !m->s.held && (mine->queued || silent == NEWS_AGENTS);
	if (!member_is_sure(m))
		snprintf(text, room, "the NATS server takes no news of this agent, whose lease is over until it does");
	else if (m->s.state == MEMBER_PAUSED)
		snprintf(text, room, "the crawl is paused, until 'lycosa fleet resume'");
	else if (m->s.held)
		snprintf(text, room, "%s", m->s.held);
	else if (mine->queued)
		snprintf(text, room, "the queued pages wait for their hosts, or for addresses that other agents ask");
	else if (silent < NEWS_AGENTS)
		snprintf(text, room, "this agent has none left, and nothing is heard of agent %u, whose lease may end", silent + 1);
	else if (busy < NEWS_AGENTS)
		snprintf(text, room, "this agent has none left, and waits for agent %u, which has some", busy + 1);
	else
		snprintf(text, room, "no agent has any left, and the crawl ends when all of them have each other's letters");
	return !mine->in_flight && now - m->still_since >= STILL_MS;
}

/* Says why this agent stands still, once for each reason that lasts. That hosts or other agents are waited for may be so behind
 * each page: it is said again only after another reason. */
static void tell_still(struct member *m)
{
	const int64_t now = clock_boot_ms();
	char text[sizeof m->still_why];

	pthread_mutex_lock(&m->lock);
	const int is_still = why_still(m, now, text, sizeof text);
	if (strcmp(text, m->still_why) != 0) {
		memcpy(m->still_why, text, sizeof text);
		m->still_why_since = now;
		m->is_still_told = 0;
	}
	const int is_again = m->is_still_usual && strcmp(text, m->still_told) == 0;
	const int is_news = is_still && !m->is_still_told && now - m->still_why_since >= LASTS_MS && !is_again;
	m->is_still_told |= is_news;
	if (is_news)
		memcpy(m->still_told, text, sizeof text);
	pthread_mutex_unlock(&m->lock);
	if (is_news)
		log_say("no page is asked for: %s", text);
}

/* Runs the thread of a member; the function for pthread_create(). */
static void *member_run(void *member)
{
	struct member *m = member;
	struct err_note why = {""};
	int err = 0;

	while (!atomic_load(&m->stops)) {
		member_keep_lease(m);
		tell_still(m);
		/* after an error nothing is written before member_listen() has looked whether the bus has gone back */
		if (!err)
			err = work(m, &why);
		/* a server that was started again has forgotten who watches */
		if (!atomic_load(&m->stops) && (err || clock_boot_ms() - m->changed > DEAF_MS)) {
			member_pause(MEMBER_AGAIN_MS);
			tell_still(m);
			err = member_listen(m, &why);
			if (err)
				member_note_contact(m, err, &why);
		}
	}
	return NULL;
}

/* --- the calls of the coordinator for shares and logs */

/* Makes and frees what is in shared.p. */
static void member_partitions_make(struct member_partitions *p)
{
	*p = (struct member_partitions){.seize = -1};
	member_queue_make(&p->out);
	p->reading_end = &p->reading;
	p->in_end = &p->in;
}

static void member_partitions_free(struct member_partitions *p)
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

#define REST_MS    5000 /* so long an agent that leaves writes logs */
#define LAST_TRIES 10   /* to write the state of the crawl before the agent leaves */

/* --- the other calls of the coordinator */

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

/* Meets the bus: finds its generation. In another one than that of the past all marks are void. */
static int meet(struct member *m, const struct member_past *past, struct err_note *why)
{
	const int err = member_past_meet(past, m->bus, &m->s.past.generation, why);

	if (err)
		return err;
	m->generation_before = past->generation;
	m->rewrites = past->generation && m->s.past.generation != past->generation;
	if (!m->rewrites && past->generation)
		m->s.past = *past;
	if (!m->rewrites)
		return 0;
	m->s.p.table = past->table;
	log_say("the NATS server has lost some of the crawl: what the logs of this agent's partitions lack is written again from its store");
	return 0;
}

int member_start(struct member **out, struct bus *bus, const struct roster *roster, unsigned self, int64_t rest,
	uint64_t log_length, const struct member_past *past, struct err_note *why)
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
	err = bus_log_open(bus, why);
	if (!err)
		err = meet(m, past, why);
	/* the first news may find those of an earlier process, and take the lease from it */
	while (!err && !m->told)
		err = member_write_news(m, why);
	err = err > 0 ? 0 : err;
	if (!err)
		err = member_listen(m, why);
	if (!err)
		bus_wait_at_most(bus, BUS_WAIT_MS);
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
		for (int i = 0; i < LAST_TRIES && !m->s.fault && m->s.wants_state >= 0; i++) {
			member_write_state(m);
			if (!i && m->s.wants_state >= 0)
				log_say("the crawl is %s, which the NATS server cannot be told yet; the agent tries again, and ends then",
					member_state_word((enum member_state)m->s.wants_state));
		}
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

void member_remember(struct member *m, int is_whole, struct member_past *out)
{
	pthread_mutex_lock(&m->lock);
	*out = m->s.past;
	out->generation = is_whole ? out->generation : m->generation_before;
	out->table = m->s.p.table;
	pthread_mutex_unlock(&m->lock);
}

/* Nobody changes it after member_start(). */
uint64_t member_generation(const struct member *m)
{
	return m->s.past.generation;
}

int member_rewrites(const struct member *m)
{
	return m && m->rewrites;
}

int member_begins_anew(struct member *m)
{
	pthread_mutex_lock(&m->lock);
	const int begins_anew = m->s.begins_anew;
	pthread_mutex_unlock(&m->lock);
	return begins_anew;
}

const _Atomic uint64_t *member_aside(const struct member *m)
{
	return &m->aside;
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

void member_tell(struct member *m, const struct news *n, const char *held, int is_urgent)
{
	pthread_mutex_lock(&m->lock);
	m->s.mine = *n;
	m->s.held = held;
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
