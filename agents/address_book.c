#include "agents/address_book.h"
#include "base/map.h"
#include "base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define NOBODY    (-1)
#define WISH_MS   2000                        /* a wish that is not repeated for so long is none */
#define IDLE_MS   200                         /* an agent that has asked for nothing there for so long has nothing to ask */
#define REST_MOST ((int64_t)24 * 3600 * 1000) /* ms; no host rests longer, whatever an entry says */
#define LATER_MS  200                         /* before a writing that has failed is tried again */
#define REFUSALS  5                           /* so often a key is refused in a row before it is read */

struct entry {
	unsigned char ip[16];
	int holder, wisher; /* as the bucket has it, */
	int64_t rest;       /* and for how long its holder lets it rest from then on */
	uint64_t revision;  /* 0: the key is not there */
	uint64_t before;    /* the revision that was known when the watch began */
	int is_mine;        /* the agent holds it, and is sure of that */
	unsigned in_flight;
	int64_t asked;       /* when the agent last wanted to ask there; 0: never */
	int64_t since;       /* when its turn began */
	int64_t usable;      /* the agent may ask from then on: the rest that its turn began with is over */
	int64_t rests_until; /* after the last request of this agent */
	int64_t later;       /* nothing is written before */
	int64_t deleted;     /* when the deletion of the key was seen; 0: it is there, or never was */
	unsigned refusals;   /* of writings with this revision */
	int is_busy;         /* it is in `busy` */
};

struct slot {
	uint64_t hash;          /* of the address */
	uint32_t place, unused; /* the entry's place, plus 1 */
};

struct address_book {
	int self;
	int64_t rest;
	uint64_t sure_from; /* the revision of the news with which the agent became sure of its lease */
	struct entry *entry;
	size_t n, room;
	struct map places; /* of struct slot */
	uint32_t *busy;    /* entries at which something may be to be written */
	size_t n_busy, busy_room, next;
};

struct address_book *book_new(unsigned self, int64_t rest)
{
	struct address_book *b = mem_zero(1, sizeof *b);

	b->self = (int)self;
	b->rest = rest;
	map_init(&b->places, sizeof(struct slot));
	return b;
}

void book_free(struct address_book *b)
{
	if (!b)
		return;
	free(b->entry);
	map_release(&b->places);
	free(b->busy);
	free(b);
}

/* Two addresses with one hash would share an entry, and so be asked in turns. */
static struct entry *entry_of(struct address_book *b, const unsigned char ip[16])
{
	struct slot *slot = map_at(&b->places, XXH3_64bits(ip, 16));

	if (!slot->place) {
		b->entry = mem_grow(b->entry, &b->room, b->n + 1, sizeof *b->entry);
		slot->place = (uint32_t)++b->n;
		b->entry[b->n - 1] = (struct entry){.holder = NOBODY, .wisher = NOBODY};
		memcpy(b->entry[b->n - 1].ip, ip, 16);
	}
	return &b->entry[slot->place - 1];
}

/* Puts an entry into the list of those that book_next() looks at, if it is not there. */
static void stir(struct address_book *b, struct entry *e)
{
	if (e->is_busy)
		return;
	e->is_busy = 1;
	b->busy = mem_grow(b->busy, &b->busy_room, b->n_busy + 1, sizeof *b->busy);
	b->busy[b->n_busy++] = (uint32_t)(e - b->entry);
}

static int is_wished_by_others(const struct address_book *b, const struct entry *e)
{
	return e->wisher != NOBODY && e->wisher != b->self;
}

static int is_turn_over(const struct address_book *b, const struct entry *e, int64_t now)
{
	return is_wished_by_others(b, e) && now - e->since >= BOOK_TURN_MS;
}

static int wants(const struct entry *e, int64_t now)
{
	return e->asked && now - e->asked < WISH_MS;
}

int book_ask(struct address_book *b, const unsigned char ip[16], int64_t now)
{
	struct entry *e = entry_of(b, ip);

	e->asked = now;
	stir(b, e);
	if (!e->is_mine || now < e->usable || is_turn_over(b, e, now))
		return 0;
	e->in_flight++;
	return 1;
}

void book_ended(struct address_book *b, const unsigned char ip[16], int64_t now, int64_t rest)
{
	struct entry *e = entry_of(b, ip);

	if (e->in_flight)
		e->in_flight--;
	/* the frontier of this agent lets it rest; another agent's is told how long */
	if (now + rest > e->rests_until)
		e->rests_until = now + rest;
	stir(b, e);
}

static int read_ip(const char *key, unsigned char ip[16])
{
	unsigned byte;

	if (strncmp(key, BOOK_KEY, strlen(BOOK_KEY)) != 0 || strlen(key += strlen(BOOK_KEY)) != 32)
		return -1;
	for (int i = 0; i < 16; i++) {
		if (sscanf(key + 2 * i, "%2x", &byte) != 1)
			return -1;
		ip[i] = (unsigned char)byte;
	}
	return 0;
}

/* The agent lets an address rest for so long from now on, or longer if it knows of a longer rest. */
static void let_rest(struct entry *e, int64_t now, int64_t rest)
{
	rest = rest < 0 ? 0 : rest < REST_MOST ? rest : REST_MOST;
	if (now + rest > e->rests_until)
		e->rests_until = now + rest;
	e->usable = e->rests_until;
}

/* The key was deleted. The entry keeps the holder, which alone knows what it asks there. */
static void learn_deletion(struct address_book *b, struct entry *e, uint64_t revision, int64_t now)
{
	e->is_mine = 0;
	e->wisher = NOBODY;
	e->deleted = now;
	e->later = 0;
	e->revision = revision;
	e->refusals = 0;
	stir(b, e);
}

void book_listen(struct address_book *b)
{
	for (size_t i = 0; i < b->n; i++)
		b->entry[i].before = b->entry[i].revision;
}

int book_is_older(struct address_book *b, const char *key, uint64_t revision)
{
	unsigned char ip[16];

	return !read_ip(key, ip) && revision < entry_of(b, ip)->before;
}

void book_learn(struct address_book *b, const char *key, const char *text, size_t n, uint64_t revision, int64_t now)
{
	char copy[64];
	unsigned char ip[16];
	int holder, wisher;
	int64_t rest;

	if (read_ip(key, ip))
		return;
	n = n < sizeof copy ? n : 0;
	memcpy(copy, text, n);
	copy[n] = 0;
	if (sscanf(copy, "%d %d %" SCNd64, &holder, &wisher, &rest) != 3)
		n = 0;
	struct entry *e = entry_of(b, ip);
	if (!n && (revision > e->revision || (!revision && e->revision)))
		learn_deletion(b, e, revision, now);
	if (!n || revision <= e->revision)
		return;
	if (holder == b->self && !e->is_mine)
		let_rest(e, now, rest);
	if (holder == b->self && e->revision && e->holder != b->self) { /* it was handed over */
		e->is_mine = revision > b->sure_from;
		e->since = now;
	}
	e->is_mine &= holder == b->self;
	e->rest = rest;
	e->holder = holder;
	e->wisher = wisher;
	e->revision = revision;
	e->deleted = 0;
	e->refusals = 0;
	stir(b, e);
}

void book_lapse(struct address_book *b, uint64_t revision)
{
	b->sure_from = revision;
	for (size_t i = 0; i < b->n; i++)
		b->entry[i].is_mine = 0;
}

static void write_entry(const struct entry *e, struct book_write *w, int holder, int wisher, int64_t rest)
{
	char *at = w->key + sprintf(w->key, BOOK_KEY);

	for (int i = 0; i < 16; i++)
		at += sprintf(at, "%02x", e->ip[i]);
	snprintf(w->text, sizeof w->text, "%d %d %" PRId64, holder, wisher, rest);
	w->revision = e->revision;
	w->holder = holder;
	w->wisher = wisher;
	w->rest = rest;
}

/* Decides what this agent writes into the bucket about an address that, by the last value this agent has seen there, this agent
 * holds. Returns 1 and writes the change to *w, or 0 if the value stays as it is. */
static int next_of_own(const struct address_book *b, const struct entry *e, int64_t now, struct book_write *w)
{
	const int64_t rest = e->rests_until > now ? e->rests_until - now : 0;

	/* a deletion ends no request, a lease that is lost does */
	if (!e->is_mine &&
		(e->deleted ? wants(e, now) || e->in_flight : !e->in_flight && (wants(e, now) || is_wished_by_others(b, e)))) {
		write_entry(e, w, b->self, e->wisher, rest > b->rest ? rest : b->rest);
		return 1;
	}
	if (e->is_mine && is_wished_by_others(b, e) && !e->in_flight &&
		(now - e->since >= BOOK_TURN_MS || now - e->asked >= IDLE_MS)) {
		write_entry(e, w, e->wisher, NOBODY, rest);
		return 1;
	}
	return 0;
}

/* Says whether an address of another agent, or of none, may be taken. */
static int is_free(const struct entry *e, const struct leases *l)
{
	if (e->deleted && leases_is_marked(l, e->revision, e->deleted + NEWS_LOST_MS))
		return 1;
	return e->holder == NOBODY ? !e->deleted : leases_is_over(l, (unsigned)e->holder, e->revision);
}

static int next_of_entry(const struct address_book *b, const struct entry *e, int64_t now, const struct leases *l,
	struct book_write *w)
{
	if (now < e->later)
		return 0;
	if (e->holder == b->self)
		return next_of_own(b, e, now, w);
	if (!wants(e, now))
		return 0;
	if (e->deleted && !e->revision && e->holder != NOBODY) { /* no watch has told the holder */
		write_entry(e, w, e->holder, b->self, e->rest);
		return leases_is_marked(l, 0, e->deleted);
	}
	if (is_free(e, l)) {
		write_entry(e, w, b->self, e->wisher == b->self ? NOBODY : e->wisher, b->rest);
		return 1;
	}
	if (!e->deleted && (e->wisher == NOBODY || (e->wisher != b->self && leases_is_over(l, (unsigned)e->wisher, e->revision)))) {
		write_entry(e, w, e->holder, b->self, e->rest);
		return 1;
	}
	return 0;
}

/* Says whether the entry causes no write until its address is asked for or its key in the bucket changes. */
static int is_quiet(const struct address_book *b, const struct entry *e, int64_t now)
{
	return !wants(e, now) && !e->in_flight && !(e->holder == b->self && is_wished_by_others(b, e)) && e->wisher != b->self;
}

int book_next(struct address_book *b, int64_t now, const struct leases *l, struct book_write *w)
{
	for (; b->next < b->n_busy; b->next++) {
		struct entry *e = &b->entry[b->busy[b->next]];
		w->at = b->busy[b->next];
		if (next_of_entry(b, e, now, l, w)) {
			e->later = now + LATER_MS; /* until book_wrote() */
			/* no request may begin there while the key is written; if the writing fails, the agent writes the key
			 * again */
			e->is_mine &= w->holder == b->self;
			/* who has nothing to ask does not wish for the address that it hands over; else two such agents would hand
			 * it to and fro */
			if (w->holder != b->self && e->holder == b->self && now - e->asked >= IDLE_MS)
				e->asked = 0;
			b->next++;
			return 1;
		}
		if (is_quiet(b, e, now)) {
			e->is_busy = 0;
			b->busy[b->next--] = b->busy[--b->n_busy];
		}
	}
	b->next = 0;
	return 0;
}

int book_wrote(struct address_book *b, const struct book_write *w, int result, int64_t now)
{
	struct entry *e = &b->entry[w->at];
	const int is_new = !e->revision && !e->deleted;

	if (result < 0) /* it is tried again */
		return 0;
	if (!result) /* another agent was faster, and the change will come */
		return ++e->refusals % REFUSALS == 0;
	if (w->revision <= e->revision)
		return 0; /* it has come already */
	e->later = 0;
	e->revision = w->revision;
	e->refusals = 0;
	e->deleted = 0;
	e->rest = w->rest;
	e->wisher = w->wisher;
	if (w->holder == b->self && (e->holder != b->self || !e->is_mine)) {
		e->is_mine = 1;
		e->since = now;
		let_rest(e, now, is_new ? 0 : b->rest);
	}
	if (w->holder != b->self)
		e->is_mine = 0;
	e->holder = w->holder;
	return 0;
}

size_t book_held(const struct address_book *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->n; i++)
		n += (size_t)b->entry[i].is_mine;
	return n;
}
