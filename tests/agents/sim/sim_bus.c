#include "tests/agents/sim/sim_bus.h"
#include "agents/bus.h"
#include "agents/log_pack.h"
#include "base/clock.h"
#include "base/mem.h"
#include "tests/agents/sim/sim_time.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LATENCY_MS   3     /* of a call, at most; */
#define REACH_MS     20    /* of a change until a watch shows it, */
#define LATE_MS      20000 /* and of a letter that is late */
#define LATE_TAKE_MS 60    /* for which a thread that waits for letters may get no turn on its machine */
#define AGAIN_MS     10000 /* a letter that is not acknowledged comes again */

struct message {
	char subject[64];
	void *bytes;
	size_t n;
	int64_t time; /* when it was written, or, of a letter, from when on it can be taken */
};

/* Messages 1 to n. */
struct stream {
	struct message *m;
	size_t n, room;
};

static struct {
	int is_up;
	uint64_t life; /* of the process */
	int64_t went;  /* when the last one ended */
	uint64_t messages;
	struct stream bucket, log, letters;
	char agent[8][64]; /* the first agents that listened */
	size_t n_agents;
	struct sim_chance chance;
} server;

struct bus {
	int64_t wait; /* see bus_wait_at_most() */
	struct sim_line *owner;
	uint64_t watch_life, letters_life; /* the server's process that knows of the watch, of the consumer */
	size_t seen;                       /* of the bucket */
	size_t *first, n_first;            /* the last value of each key at the beginning of the watch */
	size_t next_first;
	int64_t stands_until; /* the watch */
	char agent[64];
	size_t taken, acknowledged; /* letters of the stream */
	int64_t taken_at;
};

/* --- streams */

static uint64_t add(struct stream *s, const char *subject, const void *bytes, size_t n, int64_t time)
{
	s->m = mem_grow(s->m, &s->room, s->n + 1, sizeof *s->m);
	struct message *m = &s->m[s->n++];

	snprintf(m->subject, sizeof m->subject, "%s", subject);
	m->bytes = mem_copy(n ? bytes : "", n + !n);
	m->n = n;
	m->time = time;
	server.messages++;
	return s->n;
}

/* Forgets the messages behind the first n. */
static void cut(struct stream *s, size_t n)
{
	while (s->n > n)
		free(s->m[--s->n].bytes);
	if (!n) {
		free(s->m);
		*s = (struct stream){.n = 0};
	}
}

/* Returns the number of the last message with a subject; 0: there is none. */
static size_t last_of(const struct stream *s, const char *subject)
{
	size_t i = s->n;

	while (i && strcmp(s->m[i - 1].subject, subject) != 0)
		i--;
	return i;
}

/* --- the server */

void sim_bus_begin(const struct sim_chance *chance)
{
	server.is_up = 1;
	server.life = 1;
	server.messages = 0;
	server.n_agents = 0;
	server.chance = *chance;
}

void sim_bus_end(void)
{
	cut(&server.bucket, 0);
	cut(&server.log, 0);
	cut(&server.letters, 0);
}

void sim_bus_down(void)
{
	server.is_up = 0;
	server.went = clock_ms();
	server.life++;
	cut(&server.letters, 0);
}

/* Forgets what a stream was told in the last ms, or in a part of that time. */
static void go_back(struct stream *s, int64_t ms)
{
	const int64_t until = server.went - (int64_t)sim_draw((uint64_t)ms + 1);
	size_t n = s->n;

	while (n && s->m[n - 1].time > until)
		n--;
	cut(s, n);
}

void sim_bus_back(int64_t ms)
{
	if (ms) {
		go_back(&server.bucket, ms);
		go_back(&server.log, ms);
	}
	server.is_up = 1;
}

void sim_bus_lose(void)
{
	cut(&server.bucket, 0);
	cut(&server.log, 0);
	server.is_up = 1;
}

static void send_to(const char *agent, const void *bytes, size_t n)
{
	const int64_t late =
		(int64_t)sim_draw(1000) < server.chance.letter_late ? (int64_t)sim_draw(LATE_MS) : (int64_t)sim_draw(REACH_MS);

	if (sim_draw(1000) >= server.chance.letter_lost)
		(void)add(&server.letters, agent, bytes, n, clock_ms() + late);
}

static void note_agent(const char *agent)
{
	size_t i = 0;

	while (i < server.n_agents && strcmp(server.agent[i], agent) != 0)
		i++;
	if (i == server.n_agents && i < sizeof server.agent / sizeof *server.agent)
		snprintf(server.agent[server.n_agents++], sizeof *server.agent, "%s", agent);
}

void sim_bus_publish(const char *pattern, const void *bytes, size_t n)
{
	char subject[80];
	const char *star = strchr(pattern, '*');

	if (star && !server.n_agents)
		return;
	snprintf(subject, sizeof subject, "%.*s%s", star ? (int)(star - pattern) : 64, pattern,
		star ? server.agent[sim_draw(server.n_agents)] : "");
	if (strncmp(subject, "to.", 3) == 0)
		send_to(subject + 3, bytes, n);
	else if (strncmp(subject, "log.", 4) == 0)
		(void)add(&server.log, subject + 4, bytes, n, clock_ms());
	else
		(void)add(&server.bucket, subject, bytes, n, clock_ms());
}

int sim_bus_has(const char *key)
{
	return last_of(&server.bucket, key) > 0;
}

int sim_bus_says(const char *key, const char *value)
{
	const size_t last = last_of(&server.bucket, key);

	return last && server.bucket.m[last - 1].n == strlen(value) &&
		memcmp(server.bucket.m[last - 1].bytes, value, strlen(value)) == 0;
}

void sim_bus_show(FILE *out)
{
	const struct stream *s = &server.bucket;

	for (size_t i = 0; i < s->n; i++)
		if (last_of(s, s->m[i].subject) == i + 1)
			fprintf(out, "--- %zu %s\n%.*s\n", i + 1, s->m[i].subject, (int)(s->m[i].n < 600 ? s->m[i].n : 600),
				(const char *)s->m[i].bytes);
}

uint64_t sim_bus_messages(void)
{
	return server.messages;
}

/* --- calls */

static int is_reached(const struct bus *b)
{
	return server.is_up && !b->owner->is_dead && !b->owner->is_cut;
}

/* Draws whether something happens. A chance of 0 draws no number, so that a seed gives the same run as before a kind of fault was
 * added. */
static int happens(unsigned chance)
{
	return chance && sim_draw(1000) < chance;
}

/* Lets a call travel. Returns 0 or ERR_UNREACHABLE. */
static int reach(const struct bus *b, struct err_note *why)
{
	if (!b->owner->is_dead)
		sim_sleep(1 + (int64_t)sim_draw(LATENCY_MS));
	if (is_reached(b) && !happens(server.chance.call_lost))
		return 0;
	if (!b->owner->is_dead)
		sim_sleep(b->wait);
	return err_set(why, ERR_UNREACHABLE, "cannot reach the NATS server: Timeout");
}

/* Says whether the answer to a call that the server has carried out is lost on its way. */
static int is_answer_lost(const struct bus *b, struct err_note *why)
{
	if (sim_draw(1000) >= server.chance.answer_lost)
		return 0;
	sim_sleep(b->wait);
	return err_set(why, ERR_UNREACHABLE, "cannot reach the NATS server: Timeout");
}

int bus_open(struct bus **out, const char *url, const struct bus_access *access, struct err_note *why)
{
	struct bus *b = mem_zero(1, sizeof *b);

	(void)url, (void)access;
	b->owner = sim_owner();
	b->wait = BUS_FIRST_WAIT_MS;
	assert(b->owner);
	const int err = reach(b, why);
	*out = err ? NULL : b;
	if (err)
		bus_close(b);
	return err;
}

void bus_close(struct bus *b)
{
	if (b)
		free(b->first);
	free(b);
}

void bus_end(void)
{
}

int bus_mark(struct bus *b, struct bus_mark *out, struct err_note *why)
{
	const int err = reach(b, why);

	*out = (struct bus_mark){server.bucket.n, server.log.n};
	return err;
}

int bus_written(struct bus *b, const char *key, int64_t *time, struct err_note *why)
{
	const int err = reach(b, why);
	const size_t at = err ? 0 : last_of(&server.bucket, key);

	*time = at ? server.bucket.m[at - 1].time : 0;
	return err ? err : at > 0;
}

static int is_log(const char *key)
{
	return strncmp(key, BUS_LOG, strlen(BUS_LOG)) == 0;
}

/* Returns the number of the last value of a key, and its message. */
static size_t last_value(const char *key, const struct message **m)
{
	const struct stream *s = is_log(key) ? &server.log : &server.bucket;
	const size_t at = last_of(s, is_log(key) ? key + strlen(BUS_LOG) : key);

	*m = at ? &s->m[at - 1] : NULL;
	return at;
}

/* Writes a message as the agent's version does: a newer one has a record of a later kind before each record. */
static uint64_t write_message(const struct bus *b, const struct bus_value *m)
{
	struct log_pack_out out = LOG_PACK_EMPTY;
	struct log_pack in;
	struct log_pack_record r;
	struct buf text = BUF_EMPTY;

	if (log_pack_open(&in, m->bytes, m->n, NULL) || !b->owner->is_newer) {
		buf_add(&text, m->bytes, m->n);
	} else {
		while (log_pack_next(&in, &r, NULL) > 0) {
			log_pack_add(&out, (enum log_pack_kind)(LOG_PACK_KINDS + 1), r.number, "later", 5);
			log_pack_add(&out, r.kind, r.number, r.bytes, r.n);
		}
		log_pack_seal(&out, in.agent, &text);
	}
	const uint64_t number = add(&server.log, m->key + strlen(BUS_LOG), text.at, text.used, clock_ms());
	log_pack_release(&in);
	log_pack_out_release(&out);
	buf_release(&text);
	return number;
}

/* Writes a value as the agent's version does. */
static uint64_t write_value(const struct bus *b, const struct bus_value *v)
{
	static const char field[] = "a-later-field 7\n";
	struct buf text = BUF_EMPTY;

	buf_add(&text, v->bytes, v->n);
	if (b->owner->is_newer && strncmp(v->key, "agent.", 6) == 0) {
		(void)add(&server.bucket, "a-later-key", field, sizeof field - 1, clock_ms());
		buf_text(&text, field);
	}
	const uint64_t revision = add(&server.bucket, v->key, text.used ? text.at : "", text.used, clock_ms());
	buf_release(&text);
	return revision;
}

int bus_get(struct bus *b, const char *key, struct buf *value, uint64_t *revision, struct err_note *why)
{
	const struct message *m;
	const int err = reach(b, why);

	buf_clear(value);
	*revision = err ? 0 : last_value(key, &m);
	if (*revision)
		buf_add(value, m->bytes, m->n);
	return err ? err : *revision > 0;
}

int bus_set_all(struct bus *b, struct bus_value *values, size_t count, struct err_note *why)
{
	const struct message *m;
	int err = reach(b, why);

	for (size_t i = 0; i < count; i++) {
		struct bus_value *v = &values[i];
		if (i && !err && happens(server.chance.round_cut))
			err = reach(b, why); /* the server or the process may go in the middle of a round */
		v->result = err ? err : last_value(v->key, &m) == v->revision;
		if (v->result > 0)
			v->revision = is_log(v->key) ? write_message(b, v) : write_value(b, v);
	}
	if (!err && (err = is_answer_lost(b, why)) != 0)
		for (size_t i = 0; i < count; i++)
			values[i].result = err;
	return err;
}

int bus_set(struct bus *b, const char *key, const void *value, size_t n, uint64_t *revision, struct err_note *why)
{
	struct bus_value v = {.key = key, .bytes = value, .n = n, .revision = *revision};
	const int err = bus_set_all(b, &v, 1, why);

	if (err)
		return err;
	*revision = v.revision;
	return v.result;
}

int bus_watch(struct bus *b, const char *pattern, struct err_note *why)
{
	const struct stream *s = &server.bucket;
	const int err = reach(b, why);

	(void)pattern;
	if (err)
		return err;
	free(b->first);
	b->first = mem_new(s->n + 1, sizeof *b->first);
	b->n_first = b->next_first = 0;
	for (size_t i = 0; i < s->n; i++)
		if (last_of(s, s->m[i].subject) == i + 1)
			b->first[b->n_first++] = i;
	b->seen = s->n;
	b->stands_until = 0;
	b->watch_life = server.life;
	return 0;
}

int bus_changed(struct bus *b, struct buf *key, struct buf *value, uint64_t *revision, struct err_note *why)
{
	const struct stream *s = &server.bucket;
	size_t at;

	(void)why;
	if (!is_reached(b) || b->watch_life != server.life)
		return 0;
	if (clock_ms() < b->stands_until)
		return 0;
	if ((b->next_first < b->n_first || b->seen < s->n) && happens(server.chance.watch_stops)) {
		b->stands_until = clock_ms() + (int64_t)sim_draw(LATE_MS);
		return 0;
	}
	if (b->next_first < b->n_first)
		at = b->first[b->next_first++];
	else if (b->seen < s->n && s->m[b->seen].time + (int64_t)sim_draw(REACH_MS) <= clock_ms())
		at = b->seen++;
	else
		return 0;
	server.messages++;
	buf_clear(key);
	buf_clear(value);
	buf_text(key, s->m[at].subject);
	buf_add(value, s->m[at].bytes, s->m[at].n);
	*revision = at + 1;
	return 1;
}

/* --- letters */

int bus_listen(struct bus *b, const char *agent, struct err_note *why)
{
	const int err = reach(b, why);

	if (err)
		return err;
	snprintf(b->agent, sizeof b->agent, "%s", agent);
	note_agent(agent);
	if (b->letters_life != server.life)
		b->acknowledged = 0;
	b->letters_life = server.life;
	b->taken = b->acknowledged;
	return 0;
}

/* Returns the place of the next letter to the agent that can be taken now; the stream's end: there is none. */
static size_t next_letter(struct bus *b)
{
	const struct stream *s = &server.letters;
	size_t i = b->taken;

	if (!is_reached(b) || b->letters_life != server.life)
		return s->n;
	if (b->taken > b->acknowledged && clock_ms() - b->taken_at > AGAIN_MS)
		i = b->acknowledged;
	while (i < s->n && (strcmp(s->m[i].subject, b->agent) != 0 || s->m[i].time > clock_ms()))
		i++;
	return i;
}

int bus_take(struct bus *b, struct bus_letter *out, int most, int64_t wait_ms, struct err_note *why)
{
	const int64_t until = clock_ms() + wait_ms + (int64_t)sim_draw(LATE_TAKE_MS);
	int n = 0;

	if (b->owner->is_dead)
		return err_set(why, ERR_UNREACHABLE, "cannot reach the NATS server: it is not there");
	sim_sleep_until(until);
	for (size_t at; n < most && (at = next_letter(b)) < server.letters.n;) {
		const struct message *m = &server.letters.m[at];
		const int is_twice = sim_draw(1000) < server.chance.letter_twice;
		server.messages++;
		out[n++] = (struct bus_letter){.bytes = mem_copy(m->n ? m->bytes : "", m->n + !m->n), .n = m->n, .bus = b};
		out[n - 1].message = (void *)out[n - 1].bytes;
		b->taken = is_twice ? at : at + 1;
		b->taken_at = clock_ms();
	}
	return n;
}

/* The letters of a stream carry no numbers here: those that were taken are acknowledged together, as the caller does. */
void bus_acknowledge(struct bus_letter *l)
{
	if (is_reached(l->bus) && l->bus->letters_life == server.life)
		l->bus->acknowledged = l->bus->taken;
	bus_drop_letter(l);
}

void bus_drop_letter(struct bus_letter *l)
{
	free(l->message);
	l->message = NULL;
}

void bus_wait_at_most(struct bus *b, int64_t ms)
{
	b->wait = ms;
}

size_t bus_letter_most(const struct bus *b)
{
	(void)b;
	return BUS_LETTER_MAX;
}

int bus_send(struct bus *b, const char *agent, const void *letter, size_t n, struct err_note *why)
{
	if (!is_reached(b))
		return err_set(why, ERR_UNREACHABLE, "cannot reach the NATS server: no connection");
	send_to(agent, letter, n);
	return 0;
}

/* --- logs */

int bus_log_open(struct bus *b, struct err_note *why)
{
	return reach(b, why);
}

size_t bus_log_most(const struct bus *b)
{
	return bus_letter_most(b);
}

static const char *log_of(unsigned partition)
{
	static char text[16];

	snprintf(text, sizeof text, "%u", partition);
	return text;
}

int bus_log_read(struct bus *b, unsigned partition, uint64_t after, uint64_t upto,
	int (*take)(void *ctx, uint64_t number, const void *message, size_t n), void *ctx, struct err_note *why)
{
	int err = reach(b, why);

	for (size_t i = after; !err && i < upto && i < server.log.n; i++) {
		const struct message *m = &server.log.m[i];
		if (strcmp(m->subject, log_of(partition)) != 0)
			continue;
		struct buf copy = BUF_EMPTY; /* the stream may change while the message is taken */
		buf_add(&copy, m->bytes, m->n);
		err = take(ctx, i + 1, copy.at ? copy.at : "", copy.used);
		buf_release(&copy);
		server.messages++;
	}
	return err;
}
