#include "frontier/hosts.h"
#include "frontier/frontier.h"

#include <assert.h>
#include <math.h>

/* The manners of one host, by its number. */
struct own_manners {
	uint64_t key; /* of struct map */
	int64_t delay;
	double slow_factor;
};

void hosts_init(struct hosts *all, const struct politeness *politeness)
{
	*all = (struct hosts){.now = INT64_MIN, .politeness = *politeness};
	map_init(&all->manners, sizeof(struct own_manners));
	hosts_need(all, 0);
}

void hosts_release(struct hosts *all)
{
	for (size_t s = 0; s < all->n_servers; s++)
		heap_release(&all->servers[s].behind);
	free(all->servers);
	mem_big_free(all->at, all->room, sizeof *all->at);
	mem_big_free(all->place, all->room, sizeof *all->place);
	heap_release(&all->ready);
	heap_release(&all->waiting);
	heap_release(&all->resting);
	free(all->held);
	map_release(&all->manners);
}

static struct pace new_pace(const struct hosts *all)
{
	return (struct pace){.next = INT64_MIN,
		.was_next = INT64_MIN,
		.most = all->politeness.in_flight};
}

static struct server new_server(const struct hosts *all)
{
	return (struct server){.pace = new_pace(all),
		.best = HOSTS_NONE,
		.place = HOSTS_NONE};
}

void hosts_need(struct hosts *all, uint32_t host)
{
	if (host < all->n)
		return;
	if (host >= all->room) {
		const size_t room = mem_grown(all->room, (size_t)host + 1);
		all->at = mem_big_grow(all->at, all->room, room, sizeof *all->at);
		all->place = mem_big_grow(all->place, all->room, room, sizeof *all->place);
		all->room = room;
	}
	for (; all->n <= host; all->n++)
		all->at[all->n] = (struct host){.pace = new_pace(all),
			.standing.id = (uint32_t)all->n,
			.own = new_server(all)};
}

static inline struct server *server_of(const struct hosts *all, struct host *h)
{
	return h->address ? &all->servers[h->address] : &h->own;
}

static inline struct places host_places(const struct hosts *all)
{
	return (struct places){.base = all->place, .stride = sizeof *all->place};
}

/* The index of a host in the heap that its `where` names. */
static inline uint32_t place_of(const struct hosts *all, const struct host *h)
{
	return all->place[h->standing.id];
}

static inline struct places server_places(const struct hosts *all)
{
	return (struct places){.base = &all->servers[0].place, .stride = sizeof *all->servers};
}

/* --- when a host or a server may be asked */

static inline int is_free(const struct hosts *all, const struct pace *p)
{
	return p->in_flight < p->most && p->next <= all->now;
}

int hosts_may_ask(const struct hosts *all, uint32_t host)
{
	struct host *h = &all->at[host];

	return !h->is_held && is_free(all, &h->pace) && is_free(all, &server_of(all, h)->pace);
}

/* Counts n more pages as in flight. The next request begins at least `delay` ms after the beginning of this one. */
static inline void pace_take(struct pace *p, uint32_t n, int64_t now, int64_t delay)
{
	p->in_flight += n;
	p->was_next = p->next;
	if (delay > 0 && now + delay > p->next)
		p->next = now + delay;
}

/* Makes the next request wait for `rest` ms after the end of this one. */
static inline void pace_rest(struct pace *p, int64_t now, int64_t rest)
{
	if (rest <= 0)
		return;
	if (now + rest > p->was_next)
		p->was_next = now + rest; /* pace_undo() must not undo this rest */
	if (now + rest > p->next)
		p->next = now + rest;
}

/* Undoes the delay that pace_take() began, unless other pages are in flight. */
static inline void pace_undo(struct pace *p)
{
	if (!p->in_flight)
		p->next = p->was_next;
}

/* Returns the rest of a server, in ms, after a request that took `took` ms; a host rests as long, or for its Crawl-delay if
 * this is longer. */
static inline int64_t rest_after(const struct politeness *p, int64_t took)
{
	if (p->delay <= 0)
		return p->delay;
	const double slow = p->slow_factor * (double)took;
	if (slow <= (double)p->delay)
		return p->delay;
	return slow < FRONTIER_MAX_SLOW_MS       ? (int64_t)slow
	       : p->delay > FRONTIER_MAX_SLOW_MS ? p->delay
						 : FRONTIER_MAX_SLOW_MS;
}

/* --- the heap of resting servers */

static void rest_until(struct hosts *all, uint32_t address, struct server *s)
{
	const struct entry e = entry_make((double)s->pace.next, address, address);

	assert(address);
	if (s->place == HOSTS_NONE)
		heap_push(&all->resting, e, server_places(all));
	else if (!entry_is_equal(&all->resting.at[s->place], &e))
		heap_rekey(&all->resting, s->place, e, server_places(all));
}

static inline void rest_no_more(struct hosts *all, struct server *s)
{
	if (s->place == HOSTS_NONE)
		return;
	heap_remove(&all->resting, s->place, server_places(all));
	s->place = HOSTS_NONE;
}

/* --- the hosts of a server: ready and behind */

static void stand_behind(struct hosts *all, struct server *s, struct entry e)
{
	heap_push(&s->behind, e, host_places(all));
	all->at[e.id].where = HOST_BEHIND;
	all->behind++;
}

static struct entry step_out(struct hosts *all, struct server *s, uint32_t place)
{
	all->behind--;
	return heap_remove(&s->behind, place, host_places(all));
}

static void step_forward(struct hosts *all, struct server *s, struct entry e)
{
	heap_push(&all->ready, e, host_places(all));
	all->at[e.id].where = HOST_READY;
	s->best = e.id;
}

/* Removes the best host of a server from the ready heap. */
static struct entry step_back(struct hosts *all, struct server *s)
{
	struct entry e = heap_remove(&all->ready, all->place[s->best], host_places(all));

	s->best = HOSTS_NONE;
	return e;
}

static void choose_again(struct hosts *all, uint32_t address, struct server *s)
{
	if (!is_free(all, &s->pace)) {
		if (s->best != HOSTS_NONE)
			stand_behind(all, s, step_back(all, s));
		if (s->behind.n && s->pace.in_flight < s->pace.most)
			rest_until(all, address, s);
		else
			rest_no_more(all, s);
		return;
	}
	rest_no_more(all, s);
	if (!s->behind.n)
		return;
	if (s->best != HOSTS_NONE) {
		if (!entry_before(&s->behind.at[0], &all->ready.at[all->place[s->best]]))
			return;
		stand_behind(all, s, step_back(all, s));
	}
	step_forward(all, s, step_out(all, s, 0));
}

/* Makes S2 and S3 hold. */
static inline void choose(struct hosts *all, uint32_t address, struct server *s)
{
	if (s->behind.n || s->place != HOSTS_NONE || !is_free(all, &s->pace))
		choose_again(all, address, s);
}

/* Removes a host from the heap that it is in, if any. */
static void leave(struct hosts *all, struct host *h, struct server *s)
{
	if (h->where == HOST_WAITING)
		heap_remove(&all->waiting, place_of(all, h), host_places(all));
	else if (h->where == HOST_BEHIND)
		step_out(all, s, place_of(all, h));
	else if (h->where == HOST_READY)
		step_back(all, s);
	h->where = HOST_IDLE;
}

static void wait_until(struct hosts *all, struct host *h, struct server *s)
{
	const uint32_t host = h->standing.id;
	const struct entry e = entry_make((double)h->pace.next, host, host);

	if (h->where == HOST_WAITING) {
		if (!entry_is_equal(&all->waiting.at[place_of(all, h)], &e))
			heap_rekey(&all->waiting, place_of(all, h), e, host_places(all));
		return;
	}
	leave(all, h, s);
	heap_push(&all->waiting, e, host_places(all));
	h->where = HOST_WAITING;
}

/* Makes a host whose own rest is over ready or behind its server, by its standing. */
static void compete(struct hosts *all, struct host *h, struct server *s)
{
	const struct entry e = h->standing;

	if (h->where == HOST_WAITING)
		leave(all, h, s);
	if (h->where == HOST_READY) {
		if (all->ready.n == 1) /* as in a crawl without hosts */
			all->ready.at[0] = e;
		else if (!entry_is_equal(&all->ready.at[place_of(all, h)], &e))
			heap_rekey(&all->ready, place_of(all, h), e, host_places(all));
	} else if (h->where == HOST_BEHIND) {
		heap_rekey(&s->behind, place_of(all, h), e, host_places(all));
	} else if (s->best == HOSTS_NONE && !s->behind.n && is_free(all, &s->pace)) {
		step_forward(all, s, e);
	} else {
		stand_behind(all, s, e);
	}
}

/* Puts a host into the heap to which it belongs now (F4), and then its server (S2, S3). */
static void settle(struct hosts *all, struct host *h)
{
	struct server *s = server_of(all, h);

	if (!h->has_pages || h->is_held || h->pace.in_flight >= h->pace.most)
		leave(all, h, s);
	else if (h->pace.next > all->now)
		wait_until(all, h, s);
	else
		compete(all, h, s);
	choose(all, h->address, s);
}

static inline void set_standing(struct host *h, const struct entry *best)
{
	h->has_pages = best != NULL;
	if (best) {
		h->standing.ordinal = best->ordinal;
		h->standing.seq = best->seq;
	}
}

/* --- what happens */

void hosts_stand(struct hosts *all, uint32_t host, const struct entry *best)
{
	set_standing(&all->at[host], best);
	settle(all, &all->at[host]);
}

void hosts_wake(struct hosts *all, int64_t now)
{
	if (now > all->now)
		all->now = now;
	while (heap_next_key(&all->waiting) <= (double)all->now)
		settle(all, &all->at[all->waiting.at[0].id]);
	while (heap_next_key(&all->resting) <= (double)all->now) {
		const uint32_t address = all->resting.at[0].id;
		choose(all, address, &all->servers[address]);
	}
}

static inline int64_t longer(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static inline int64_t shorter(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* The politeness that a host gets: the crawl's, or its own manners. */
static struct politeness politeness_of(const struct hosts *all, const struct host *h)
{
	struct politeness p = all->politeness;
	const struct own_manners *own =
		h->has_manners ? map_find(&all->manners, h->standing.id) : NULL;

	if (own) {
		p.delay = own->delay >= 0 ? own->delay : p.delay;
		p.slow_factor = own->slow_factor >= 0 ? own->slow_factor : p.slow_factor;
	}
	return p;
}

void hosts_take(struct hosts *all, uint32_t host, uint32_t n, const struct entry *best)
{
	struct host *h = &all->at[host];
	const int64_t general = all->politeness.delay;
	const int64_t delay = h->has_manners ? politeness_of(all, h).delay : general;

	pace_take(&h->pace, n, all->now, longer(h->delay, delay));
	pace_take(&server_of(all, h)->pace, n, all->now, shorter(delay, general));
	set_standing(h, best);
	settle(all, h);
}

void hosts_retake(struct hosts *all, uint32_t host)
{
	struct host *h = &all->at[host];

	pace_take(&h->pace, 1, all->now, 0);
	pace_take(&server_of(all, h)->pace, 1, all->now, 0);
}

static int64_t lengthened(int64_t rest, double more)
{
	return rest > 0 ? (int64_t)((double)rest * more) : 0;
}

/* Counts one page fewer as in flight at a host and its server, and moves the clock. */
static inline void count_back(struct hosts *all, struct host *h, struct server *s, int64_t now)
{
	assert(h->pace.in_flight > 0 && s->pace.in_flight > 0);
	h->pace.in_flight--;
	s->pace.in_flight--;
	if (now > all->now)
		all->now = now;
}

void hosts_back_to_rest(
	struct hosts *all, uint32_t host, int64_t took, int64_t hung, int64_t now)
{
	struct host *h = &all->at[host];
	struct server *s = server_of(all, h);
	struct politeness *p = &all->politeness;
	const struct politeness manners = politeness_of(all, h);
	const int64_t least = shorter(rest_after(p, took), rest_after(&manners, took));
	const int64_t own = rest_after(&manners, took > hung ? took : hung);
	const int64_t rest = h->delay > own ? h->delay : own;
	double more = 1;

	count_back(all, h, s, now);
	if (rest > 0) {
		if (p->jitter > 0)
			more += p->jitter * rng_unit(&p->rng);
		pace_rest(&h->pace, now, lengthened(rest, more));
		pace_rest(&s->pace, now, lengthened(least, more));
	} else if (h->where == HOST_READY) {
		return; /* without a rest, one page fewer in flight changes nothing for a ready host */
	}
	settle(all, h);
}

void hosts_back_unasked(struct hosts *all, uint32_t host, int64_t now)
{
	struct host *h = &all->at[host];
	struct server *s = server_of(all, h);

	count_back(all, h, s, now);
	pace_undo(&h->pace);
	pace_undo(&s->pace);
	settle(all, h);
}

void hosts_delay(struct hosts *all, uint32_t host, int64_t delay)
{
	all->at[host].delay = delay;
}

void hosts_set_manners(struct hosts *all, uint32_t host, const struct frontier_manners *m)
{
	struct host *h = &all->at[host];
	struct own_manners *own = map_at(&all->manners, host);

	assert(!h->address && !h->has_pages);
	own->delay = m->delay_ms;
	own->slow_factor = m->slow_factor;
	h->has_manners = 1;
	if (m->per_host)
		h->pace.most = h->own.pace.most = m->per_host;
}

void hosts_set_delay(struct hosts *all, int64_t delay)
{
	all->politeness.delay = delay;
}

void hosts_hold(struct hosts *all, uint32_t host)
{
	struct host *h = &all->at[host];

	if (h->is_held)
		return;
	h->is_held = 1;
	all->held = mem_grow(all->held, &all->held_room, all->n_held + 1, sizeof *all->held);
	all->held[all->n_held++] = host;
	settle(all, h);
}

void hosts_let_go(struct hosts *all, uint32_t host)
{
	struct host *h = &all->at[host];
	size_t i = 0;

	if (!h->is_held)
		return;
	while (all->held[i] != host)
		i++;
	all->held[i] = all->held[--all->n_held];
	h->is_held = 0;
	settle(all, h);
}

void hosts_pause(struct hosts *all, uint32_t host, int64_t time)
{
	struct host *h = &all->at[host];

	if (time > h->pace.was_next)
		h->pace.was_next = time; /* pace_undo() must not undo this pause */
	if (time <= h->pace.next)
		return;
	h->pace.next = time;
	settle(all, h);
}

void hosts_move(struct hosts *all, uint32_t host, uint32_t address)
{
	struct host *h = &all->at[host];
	struct server *old = server_of(all, h);

	assert(address);
	if (h->address == address)
		return;
	leave(all, h, old);
	old->pace.in_flight -= h->pace.in_flight;
	choose(all, h->address, old);
	if (address >= all->n_servers) {
		all->servers = mem_grow(all->servers, &all->servers_room, (size_t)address + 1,
			sizeof *all->servers);
		for (; all->n_servers <= address; all->n_servers++)
			all->servers[all->n_servers] = new_server(all);
	}
	h->address = address;
	struct pace *pace = &all->servers[address].pace;
	pace->in_flight += h->pace.in_flight;
	if (h->pace.most > pace->most)
		pace->most = h->pace.most;
	settle(all, h);
}

double hosts_next_time(const struct hosts *all)
{
	return fmin(heap_next_key(&all->waiting), heap_next_key(&all->resting));
}
