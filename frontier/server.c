#include "frontier/server.h"
#include "base/mem.h"
#include "frontier/queue.h"

#include <assert.h>

void servers_release(struct servers *all)
{
	for (size_t s = 0; s < all->n; s++)
		heap_release(&all->at[s].behind);
	free(all->at);
	heap_release(&all->waiting);
}

static void need_server(struct servers *all, uint32_t server)
{
	if (server < all->n)
		return;
	all->at = mem_grow(all->at, &all->room, (size_t)server + 1, sizeof *all->at);
	for (; all->n <= server; all->n++)
		all->at[all->n] = (struct server){
			.next_time = INT64_MIN, .was_next = INT64_MIN, .best = SERVER_NO_HOST};
}

static inline struct places server_places(const struct queue *q)
{
	return (struct places){.base = &q->servers.at[0].place, .stride = sizeof *q->servers.at};
}

static inline struct places host_places(const struct queue *q)
{
	return (struct places){.base = &q->hosts[0].place, .stride = sizeof *q->hosts};
}

/* --- a server among those that wait */

static void wait_until(struct queue *q, uint32_t number)
{
	struct server *s = &q->servers.at[number];
	struct heap *waiting = &q->servers.waiting;

	if (!s->is_timed)
		heap_push(waiting, (struct entry){(double)s->next_time, number, number},
			server_places(q));
	else if (waiting->at[s->place].key != (double)s->next_time)
		heap_rekey(waiting, s->place, (double)s->next_time, number, server_places(q));
	s->is_timed = 1;
}

static void wait_no_more(struct queue *q, struct server *s)
{
	if (s->is_timed)
		heap_remove(&q->servers.waiting, s->place, server_places(q));
	s->is_timed = 0;
}

/* --- its hosts */

/* Puts a host that stands nowhere behind its server. */
static void stand_behind(struct queue *q, struct server *s, struct entry e)
{
	heap_push(&s->behind, e, host_places(q));
	q->hosts[e.id].where = HOST_BEHIND;
	q->servers.behind++;
}

static struct entry step_out(struct queue *q, struct server *s, size_t place)
{
	struct entry e = heap_remove(&s->behind, place, host_places(q));

	q->hosts[e.id].where = HOST_IDLE;
	q->servers.behind--;
	return e;
}

/* The host that is ready for it goes behind it. */
static void step_back(struct queue *q, struct server *s)
{
	struct entry e = heap_remove(&q->ready, q->hosts[s->best].place, host_places(q));

	s->best = SERVER_NO_HOST;
	stand_behind(q, s, e);
}

/* Makes S2 and S3 hold. */
static void choose(struct queue *q, uint32_t number)
{
	struct server *s = &q->servers.at[number];
	int is_free = s->in_flight < q->per_host;

	if (!is_free || s->next_time > q->now) {
		if (s->best != SERVER_NO_HOST)
			step_back(q, s);
		if (is_free && s->behind.n)
			wait_until(q, number);
		else
			wait_no_more(q, s);
		return;
	}
	wait_no_more(q, s);
	if (!s->behind.n)
		return;
	if (s->best != SERVER_NO_HOST) {
		if (!entry_before(&s->behind.at[0], &q->ready.at[q->hosts[s->best].place]))
			return;
		step_back(q, s);
	}
	struct entry e = step_out(q, s, 0);
	s->best = e.id;
	heap_push(&q->ready, e, host_places(q));
	q->hosts[e.id].where = HOST_READY;
}

void server_leave(struct queue *q, uint32_t host)
{
	struct host *h = &q->hosts[host];
	struct server *s = &q->servers.at[h->server];

	if (h->where == HOST_BEHIND) {
		step_out(q, s, h->place);
	} else if (h->where == HOST_READY) {
		heap_remove(&q->ready, h->place, host_places(q));
		s->best = SERVER_NO_HOST;
		h->where = HOST_IDLE;
	}
}

void server_settle(struct queue *q, uint32_t host, const struct entry *best)
{
	struct host *h = &q->hosts[host];
	struct server *s = &q->servers.at[h->server];

	if (!best) {
		assert(h->where == HOST_IDLE || h->where == HOST_WAITING);
	} else if (h->where == HOST_READY) {
		heap_rekey(&q->ready, h->place, best->key, best->seq, host_places(q));
	} else if (h->where == HOST_BEHIND) {
		heap_rekey(&s->behind, h->place, best->key, best->seq, host_places(q));
	} else {
		assert(h->where == HOST_IDLE);
		stand_behind(q, s, (struct entry){best->key, best->seq, host});
	}
	choose(q, h->server);
}

void server_join(struct queue *q, uint32_t host, uint32_t server)
{
	struct host *h = &q->hosts[host];
	const uint32_t old = h->server;

	assert(server != SERVER_NONE && h->where == HOST_IDLE);
	need_server(&q->servers, server);
	if (old != SERVER_NONE) {
		q->servers.at[old].in_flight -= h->in_flight;
		choose(q, old);
	}
	h->server = server;
	q->servers.at[server].in_flight += h->in_flight;
	choose(q, server);
}

/* --- its clock */

void server_take(struct queue *q, uint32_t server, int64_t next)
{
	struct server *s = &q->servers.at[server];

	s->in_flight++;
	s->was_next = s->next_time;
	if (next > s->next_time)
		s->next_time = next;
}

void server_back(struct queue *q, uint32_t server, int64_t next)
{
	struct server *s = &q->servers.at[server];

	assert(s->in_flight > 0);
	s->in_flight--;
	if (next > s->was_next)
		s->was_next = next;
	if (next > s->next_time)
		s->next_time = next;
	choose(q, server);
}

void server_back_unasked(struct queue *q, uint32_t server)
{
	struct server *s = &q->servers.at[server];

	assert(s->in_flight > 0);
	s->in_flight--;
	if (!s->in_flight)
		s->next_time = s->was_next;
	choose(q, server);
}

void servers_wake(struct queue *q)
{
	struct heap *waiting = &q->servers.waiting;

	while (waiting->n && waiting->at[0].key <= (double)q->now)
		choose(q, waiting->at[0].id);
}

void servers_rebuild(struct queue *q, int (*standing)(struct queue *, uint32_t, struct entry *))
{
	for (size_t number = 1; number < q->servers.n; number++) {
		struct heap *behind = &q->servers.at[number].behind;
		for (size_t i = 0; i < behind->n; i++) {
			struct entry *e = &behind->at[i], best = *e;
			standing(q, e->id, &best);
			*e = (struct entry){best.key, best.seq, e->id};
		}
		heap_rebuild(behind, host_places(q));
		choose(q, (uint32_t)number);
	}
}
