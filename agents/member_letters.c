#include "agents/member_parts.h"
#include "agents/post.h"
#include "base/clock.h"
#include "base/mem.h"

#include <stdlib.h>

#define TAKE_MOST     256
#define TAKE_WAIT_MS  20
#define INCOMING_MOST 4096   /* parcels that wait for the coordinator */
#define PACK_MOST     200000 /* bytes of a pack of several parcels */
#define PACK_MS       500    /* a pack waits so long for more parcels */
#define ACKNOWLEDGE_MS \
	1000 /* between two acknowledgements; the server sends what is not acknowledged again after ten times as long */
#define ACKNOWLEDGE_MOST 512 /* packs that wait for one */
#define HUNGRY           32  /* an agent with fewer pages queued is soon without work, */
#define HUNGRY_MS        60  /* and packs to it and from it wait so long */

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
