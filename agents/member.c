#include "agents/member.h"
#include "agents/address_book.h"
#include "agents/post.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TAKE_MOST     256
#define TAKE_WAIT_MS  20
#define INCOMING_MOST 4096 /* parcels that wait for the coordinator */
#define URGENT_MS     50   /* between two urgent news */
#define AGAIN_MS      200  /* before a call that has failed is tried again */
#define PACK_MOST     200000 /* bytes of a pack of several parcels */
#define LAST_TRIES    10   /* to write the state of the crawl before the agent leaves */
#define DEAF_MS       6000 /* no change seen for so long, not even of the own news: the bus is repaired */

struct outgoing {
	struct outgoing *next;
	unsigned to;
	size_t n;
	char bytes[];
};

/* What both threads touch, under the lock. */
struct shared {
	struct outgoing *out, **out_end;
	size_t out_bytes;
	struct member_parcel *in, **in_end, *done;
	size_t in_n;
	struct news mine;
	int is_urgent;
	struct news *news; /* of each agent */
	int64_t *heard;    /* when, in ms of clock_boot_ms(); 0: never */
	struct address_book *book; /* NULL: the crawl has one agent, which shares no address */
	enum member_state state;
	int wants_state; /* an enum member_state that is to be written; -1: none */
	int fault;
	struct err_note note;
};

struct member {
	struct bus *bus;
	struct roster roster;
	unsigned self;
	pthread_t thread;
	int is_running;
	_Atomic int stops;
	_Atomic int64_t sure_until;
	pthread_mutex_t lock;
	struct shared s;

	/* the thread's own */
	uint64_t run, revision, state_revision;
	int64_t began;         /* when the process did */
	int64_t told, changed; /* when the last news were written, and the last change was seen */
	struct buf *pack;      /* for each agent; empty between two calls of send_all() */
	int is_cut_off;        /* the server does not answer */
	struct buf key, text;
};

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

/* --- the thread: the lease */

static void key_of(struct member *m, unsigned agent)
{
	buf_clear(&m->key);
	buf_format(&m->key, "agent.%s", m->roster.id[agent]);
}

/* After the bucket refused the news: it has gone back to an earlier revision, or another process runs as this agent. */
static int look_who(struct member *m, struct err_note *why)
{
	struct news *n = mem_new(1, sizeof *n);
	int got = bus_get(m->bus, m->key.at, &m->text, &m->revision, why);

	if (got > 0 && m->told && !news_read(n, m->text.at, m->text.used) && n->run != m->run)
		got = err_set(why, ERR_BUSY,
			"another process runs as agent %s of this crawl: a store is one agent's; give each agent its own",
			m->roster.id[m->self]);
	free(n);
	return got < 0 ? got : 0;
}

/* Writes the news once. Returns 1, 0 if they are to be written again, or an error. */
static int write_news(struct member *m, struct err_note *why)
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
		if (m->s.book && clock_boot_ms() >= atomic_load(&m->sure_until))
			book_lapse(m->s.book);
		pthread_mutex_unlock(&m->lock);
		atomic_store(&m->sure_until, before + NEWS_LOST_MS - MEMBER_MARGIN_MS);
	} else if (!got) {
		got = look_who(m, why);
	}
	return got;
}

static void fail(struct member *m, int err, const struct err_note *why)
{
	pthread_mutex_lock(&m->lock);
	m->s.fault = err;
	m->s.note = *why;
	pthread_mutex_unlock(&m->lock);
	atomic_store(&m->sure_until, 0);
	atomic_store(&m->stops, 1);
}

/* What the server has said: it cannot be reached for now, or it can again. */
static void note_contact(struct member *m, int err, const struct err_note *why)
{
	if (err && !m->is_cut_off)
		log_say("%s; the agent tries again, and crawls as long as it is sure of its lease", why->text);
	if (!err && m->is_cut_off)
		log_say("the NATS server answers again");
	m->is_cut_off = err != 0;
}

static void pause_ms(int64_t ms)
{
	const struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

	nanosleep(&t, NULL);
}

static void keep_lease(struct member *m)
{
	const int64_t ago = clock_boot_ms() - m->told;
	struct err_note why = {""};

	pthread_mutex_lock(&m->lock);
	const int is_due = ago >= NEWS_MS || (m->s.is_urgent && ago >= URGENT_MS);
	pthread_mutex_unlock(&m->lock);
	if (!is_due)
		return;
	const int got = write_news(m, &why);
	if (got == ERR_BUSY) {
		fail(m, got, &why);
		return;
	}
	note_contact(m, got < 0 ? got : 0, &why);
	if (got < 0)
		pause_ms(AGAIN_MS);
}

/* --- the thread: changes of the bucket */

static void take_news(struct member *m, unsigned agent)
{
	struct news *n = mem_new(1, sizeof *n);

	if (!news_read(n, m->text.at, m->text.used)) {
		pthread_mutex_lock(&m->lock);
		m->s.news[agent] = *n;
		m->s.heard[agent] = clock_boot_ms();
		pthread_mutex_unlock(&m->lock);
	}
	free(n);
}

static void take_state(struct member *m, uint64_t revision)
{
	const int state = member_state_of(m->text.at ? m->text.at : "", m->text.used);

	m->state_revision = revision;
	if (state < 0)
		return;
	pthread_mutex_lock(&m->lock);
	m->s.state = (enum member_state)state;
	pthread_mutex_unlock(&m->lock);
}

static int take_changes(struct member *m, struct err_note *why)
{
	uint64_t revision;
	int got;

	while ((got = bus_changed(m->bus, &m->key, &m->text, &revision, why)) > 0) {
		m->changed = clock_boot_ms();
		if (strncmp(m->key.at, "agent.", 6) == 0) {
			const unsigned agent = roster_find(&m->roster, m->key.at + 6);
			if (agent != ROSTER_NONE)
				take_news(m, agent);
		} else if (strncmp(m->key.at, BOOK_KEY, strlen(BOOK_KEY)) == 0) {
			pthread_mutex_lock(&m->lock);
			if (m->s.book)
				book_learn(m->s.book, m->key.at, m->text.at ? m->text.at : "", m->text.used, revision, clock_boot_ms());
			pthread_mutex_unlock(&m->lock);
		} else if (strcmp(m->key.at, "state") == 0) {
			take_state(m, revision);
		}
	}
	return got;
}

static void write_state(struct member *m)
{
	struct err_note why;

	pthread_mutex_lock(&m->lock);
	const int wanted = m->s.wants_state;
	m->s.wants_state = -1;
	pthread_mutex_unlock(&m->lock);
	if (wanted < 0)
		return;
	const char *word = words[wanted];
	if (bus_set(m->bus, "state", word, strlen(word), &m->state_revision, &why) <= 0) {
		pthread_mutex_lock(&m->lock);
		m->s.wants_state = wanted;
		pthread_mutex_unlock(&m->lock);
		(void)!bus_get(m->bus, "state", &m->text, &m->state_revision, &why);
		pause_ms(AGAIN_MS);
	}
}

/* --- the thread: addresses */

/* Whether an agent has lost its lease, or has left. An agent that was never heard of is as good as lost. */
static int is_gone(void *ctx, unsigned agent)
{
	const struct member *m = ctx;

	return agent >= m->roster.n || m->s.news[agent].has_left ||
	       clock_boot_ms() - (m->s.heard[agent] ? m->s.heard[agent] : m->began) > NEWS_LOST_MS;
}

static int write_addresses(struct member *m, struct err_note *why)
{
	struct book_write w;
	int got = 0;

	while (got >= 0 && m->s.book && member_is_sure(m)) {
		pthread_mutex_lock(&m->lock);
		const int has = book_next(m->s.book, clock_boot_ms(), is_gone, m, &w);
		pthread_mutex_unlock(&m->lock);
		if (!has)
			break;
		got = bus_set(m->bus, w.key, w.text, strlen(w.text), &w.revision, why);
		pthread_mutex_lock(&m->lock);
		/* a lease that was lost meanwhile gives nothing */
		book_wrote(m->s.book, &w, member_is_sure(m) ? got : 0, clock_boot_ms());
		pthread_mutex_unlock(&m->lock);
	}
	return got < 0 ? got : 0;
}

/* --- the thread: letters */

static struct outgoing *next_outgoing(struct member *m)
{
	pthread_mutex_lock(&m->lock);
	struct outgoing *o = m->s.out;
	if (o) {
		m->s.out = o->next;
		m->s.out_bytes -= o->n;
		if (!m->s.out)
			m->s.out_end = &m->s.out;
	}
	pthread_mutex_unlock(&m->lock);
	return o;
}

/* Sends the pack of an agent. What is lost is sent again by agents/post.h. */
static int send_pack(struct member *m, unsigned to, struct err_note *why)
{
	struct buf *pack = &m->pack[to];
	const int err = pack->used ? bus_send(m->bus, m->roster.id[to], pack->at, pack->used, why) : 0;

	buf_clear(pack);
	return err;
}

/* Sends what waits, the parcels of an agent together: a message costs the server more than its bytes. */
static int send_all(struct member *m, struct err_note *why)
{
	struct outgoing *o;
	int err = 0, got;

	while ((o = next_outgoing(m)) != NULL) {
		got = m->pack[o->to].used + o->n > PACK_MOST ? send_pack(m, o->to, why) : 0;
		post_pack(&m->pack[o->to], o->bytes, o->n);
		err = err ? err : got;
		free(o);
	}
	for (unsigned to = 0; to < m->roster.n; to++) {
		got = send_pack(m, to, why);
		err = err ? err : got;
	}
	return err;
}

static void acknowledge_all(struct member *m)
{
	pthread_mutex_lock(&m->lock);
	struct member_parcel *done = m->s.done;
	m->s.done = NULL;
	pthread_mutex_unlock(&m->lock);
	while (done) {
		struct member_parcel *next = done->next;
		bus_acknowledge(&done->letter);
		free(done);
		done = next;
	}
}

static int receive(struct member *m, struct err_note *why)
{
	struct bus_letter letters[TAKE_MOST];

	pthread_mutex_lock(&m->lock);
	const int is_full = m->s.in_n >= INCOMING_MOST;
	pthread_mutex_unlock(&m->lock);
	if (is_full) {
		pause_ms(TAKE_WAIT_MS);
		return 0;
	}
	const int n = bus_take(m->bus, letters, TAKE_MOST, TAKE_WAIT_MS, why);
	pthread_mutex_lock(&m->lock);
	for (int i = 0; i < n; i++) {
		struct member_parcel *p = mem_new(1, sizeof *p);
		*p = (struct member_parcel){.letter = letters[i]};
		*m->s.in_end = p;
		m->s.in_end = &p->next;
		m->s.in_n++;
	}
	pthread_mutex_unlock(&m->lock);
	return n < 0 ? n : 0;
}

static int listen_and_watch(struct member *m, struct err_note *why)
{
	const int err = bus_watch(m->bus, ">", why), also = bus_listen(m->bus, m->roster.id[m->self], why);

	m->changed = clock_boot_ms();
	return err ? err : also;
}

static void *run(void *member)
{
	struct member *m = member;
	struct err_note why = {""};

	while (!atomic_load(&m->stops)) {
		keep_lease(m);
		int err = take_changes(m, &why);
		write_state(m);
		if (!err)
			err = write_addresses(m, &why);
		if (!err)
			err = send_all(m, &why);
		acknowledge_all(m);
		if (!err)
			err = receive(m, &why);
		/* a server that was started again has forgotten who watches */
		if (err || clock_boot_ms() - m->changed > DEAF_MS) {
			pause_ms(AGAIN_MS);
			err = listen_and_watch(m, &why);
			if (err)
				note_contact(m, err, &why);
		}
	}
	return NULL;
}

/* --- the coordinator */

int member_start(struct member **out, struct bus *bus, const struct roster *roster, unsigned self, int64_t rest,
	struct err_note *why)
{
	struct member *m = mem_zero(1, sizeof *m);
	int err;

	*out = NULL;
	m->bus = bus;
	m->roster = *roster;
	m->self = self;
	m->s.out_end = &m->s.out;
	m->s.in_end = &m->s.in;
	m->s.wants_state = -1;
	m->s.book = roster->n > 1 ? book_new(self, rest) : NULL;
	m->began = clock_boot_ms();
	m->pack = mem_zero(roster->n, sizeof *m->pack);
	m->s.news = mem_zero(roster->n, sizeof *m->s.news);
	m->s.heard = mem_zero(roster->n, sizeof *m->s.heard);
	char drawn[ROSTER_ID];
	roster_draw(drawn);
	m->run = strtoull(drawn, NULL, 16) >> 1;
	pthread_mutex_init(&m->lock, NULL);
	/* the first news may find those of an earlier process, and take the lease from it */
	do
		err = write_news(m, why);
	while (!err && !m->told);
	err = err > 0 ? 0 : err;
	if (!err)
		err = listen_and_watch(m, why);
	if (!err && pthread_create(&m->thread, NULL, run, m) != 0)
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

void member_stop(struct member *m)
{
	struct err_note why;

	if (!m)
		return;
	atomic_store(&m->stops, 1);
	if (m->is_running) {
		pthread_join(m->thread, NULL);
		acknowledge_all(m);
		for (int i = 0; i < LAST_TRIES && !m->s.fault && m->s.wants_state >= 0; i++)
			write_state(m);
		m->s.mine.has_left = 1;
		if (!m->s.fault)
			(void)!send_all(m, &why);
		if (!m->s.fault)
			(void)!write_news(m, &why);
	}
	free_parcels(m->s.in);
	free_parcels(m->s.done);
	for (struct outgoing *o = m->s.out, *next; o; o = next) {
		next = o->next;
		free(o);
	}
	bus_close(m->bus);
	pthread_mutex_destroy(&m->lock);
	buf_release(&m->key);
	buf_release(&m->text);
	book_free(m->s.book);
	for (unsigned i = 0; m->pack && i < m->roster.n; i++)
		buf_release(&m->pack[i]);
	free(m->pack);
	free(m->s.news);
	free(m->s.heard);
	free(m);
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

size_t member_outgoing(struct member *m)
{
	pthread_mutex_lock(&m->lock);
	const size_t n = m->s.out_bytes;
	pthread_mutex_unlock(&m->lock);
	return n;
}

void member_send(struct member *m, unsigned to, const void *parcel, size_t n)
{
	struct outgoing *o = mem_new(1, sizeof *o + n);

	*o = (struct outgoing){.to = to, .n = n};
	memcpy(o->bytes, parcel, n);
	pthread_mutex_lock(&m->lock);
	*m->s.out_end = o;
	m->s.out_end = &o->next;
	m->s.out_bytes += n;
	pthread_mutex_unlock(&m->lock);
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
		p = next;
	}
	pthread_mutex_unlock(&m->lock);
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
	const int may = !m->s.book || (member_is_sure(m) && book_ask(m->s.book, ip, clock_boot_ms()));
	pthread_mutex_unlock(&m->lock);
	return may;
}

void member_asked(struct member *m, const unsigned char ip[16], int64_t rest)
{
	pthread_mutex_lock(&m->lock);
	if (m->s.book)
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
