#include "frontier/hosts.h"
#include "base/paged.h"
#include "frontier/frontier.h"

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
	paged_free(all->servers, all->servers_room, sizeof *all->servers);
	paged_free(all->at, all->room, sizeof *all->at);
	paged_free(all->index, all->room, sizeof *all->index);
	heap_release(&all->ready);
	heap_release(&all->waiting);
	heap_release(&all->resting);
	free(all->held);
	map_release(&all->manners);
}

static struct pace new_pace(const struct hosts *all)
{
	return (struct pace){.next = INT64_MIN, .was_next = INT64_MIN, .most = all->politeness.in_flight};
}

static struct server new_server(const struct hosts *all)
{
	return (struct server){.pace = new_pace(all), .best = HOSTS_NONE, .rest_index = HOSTS_NONE};
}

void hosts_need(struct hosts *all, uint32_t host)
{
	if (host < all->n)
		return;
	if (host >= all->room) {
		const size_t room = mem_grown(all->room, (size_t)host + 1);
		all->at = paged_grow(all->at, all->room, room, sizeof *all->at);
		all->index = paged_grow(all->index, all->room, room, sizeof *all->index);
		all->room = room;
	}
	for (; all->n <= host; all->n++)
		all->at[all->n] = (struct host){.pace = new_pace(all), .standing.id = (uint32_t)all->n};
}

static inline struct heap_indexes host_indexes(const struct hosts *all)
{
	return (struct heap_indexes){.base = all->index, .stride = sizeof *all->index};
}

/* Returns the index of a host in the heap that its `where` names. */
static inline uint32_t index_of(const struct hosts *all, const struct host *h)
{
	return all->index[h->standing.id];
}

static inline struct heap_indexes server_indexes(const struct hosts *all)
{
	return (struct heap_indexes){.base = &all->servers[0].rest_index, .stride = sizeof *all->servers};
}

/* --- when a host or a server may be asked */

static inline int is_free(const struct hosts *all, const struct pace *p)
{
	return p->in_flight < p->most && p->next <= all->now;
}

int hosts_may_ask(const struct hosts *all, uint32_t host)
{
	const struct host *h = &all->at[host];
	const struct server *s = hosts_server(all, h);

	return !h->is_held && is_free(all, &h->pace) && (!s || is_free(all, &s->pace));
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

/* Returns the rest of a server, in ms, after a request that took `took` ms; a host rests at least for its Crawl-delay, too. */
static inline int64_t rest_after(const struct politeness *p, int64_t took)
{
	if (p->delay <= 0)
		return p->delay;
	const double slow = p->slow_factor * (double)took;
	if (slow <= (double)p->delay)
		return p->delay;
	return slow < FRONTIER_MAX_SLOW_MS ? (int64_t)slow : p->delay > FRONTIER_MAX_SLOW_MS ? p->delay : FRONTIER_MAX_SLOW_MS;
}

/* --- the heap of resting servers */

static void rest_until(struct hosts *all, uint32_t address, struct server *s)
{
	const struct entry e = entry_make((double)s->pace.next, address, address);

	assert(address);
	if (s->rest_index == HOSTS_NONE)
		heap_push(&all->resting, e, server_indexes(all));
	else if (!entry_is_equal(&all->resting.at[s->rest_index], &e))
		heap_rekey(&all->resting, s->rest_index, e, server_indexes(all));
}

static inline void end_rest(struct hosts *all, struct server *s)
{
	if (s->rest_index == HOSTS_NONE)
		return;
	heap_remove(&all->resting, s->rest_index, server_indexes(all));
	s->rest_index = HOSTS_NONE;
}

/* --- the hosts of a server: ready and behind */

static void add_behind(struct hosts *all, struct server *s, struct entry e)
{
	heap_push(&s->behind, e, host_indexes(all));
	all->at[e.id].where = HOST_BEHIND;
	all->behind++;
}

static struct entry remove_behind(struct hosts *all, struct server *s, uint32_t index)
{
	all->behind--;
	return heap_remove(&s->behind, index, host_indexes(all));
}

static void add_ready(struct hosts *all, struct server *s, struct entry e)
{
	heap_push(&all->ready, e, host_indexes(all));
	all->at[e.id].where = HOST_READY;
	if (s)
		s->best = e.id;
}

/* Removes the best host of a server from the ready heap. */
static struct entry remove_ready(struct hosts *all, struct server *s)
{
	struct entry e = heap_remove(&all->ready, all->index[s->best], host_indexes(all));

	s->best = HOSTS_NONE;
	return e;
}

/* Moves hosts between the ready heap and the server's heap `behind`, so that S2 and S3 hold: if the server is free, its best host
 * is ready; else none is, and the server rests if a host waits for it. */
static void choose_again(struct hosts *all, uint32_t address, struct server *s)
{
	if (!is_free(all, &s->pace)) {
		if (s->best != HOSTS_NONE)
			add_behind(all, s, remove_ready(all, s));
		if (s->behind.n && s->pace.in_flight < s->pace.most)
			rest_until(all, address, s);
		else
			end_rest(all, s);
		return;
	}
	end_rest(all, s);
	if (!s->behind.n)
		return;
	if (s->best != HOSTS_NONE) {
		if (!entry_before(&s->behind.at[0], &all->ready.at[all->index[s->best]]))
			return;
		add_behind(all, s, remove_ready(all, s));
	}
	add_ready(all, s, remove_behind(all, s, 0));
}

/* Makes S2 and S3 hold for a server; there is nothing to choose for a host without one. */
static inline void choose(struct hosts *all, uint32_t address, struct server *s)
{
	if (s && (s->behind.n || s->rest_index != HOSTS_NONE || !is_free(all, &s->pace)))
		choose_again(all, address, s);
}

/* Removes a host from the heap that it is in, if any. */
static void leave(struct hosts *all, struct host *h, struct server *s)
{
	if (h->where == HOST_WAITING)
		heap_remove(&all->waiting, index_of(all, h), host_indexes(all));
	else if (h->where == HOST_BEHIND)
		remove_behind(all, s, index_of(all, h));
	else if (h->where == HOST_READY && s)
		remove_ready(all, s);
	else if (h->where == HOST_READY)
		heap_remove(&all->ready, index_of(all, h), host_indexes(all));
	h->where = HOST_IDLE;
}

static void wait_until(struct hosts *all, struct host *h, struct server *s)
{
	const uint32_t host = h->standing.id;
	const struct entry e = entry_make((double)h->pace.next, host, host);

	if (h->where == HOST_WAITING) {
		if (!entry_is_equal(&all->waiting.at[index_of(all, h)], &e))
			heap_rekey(&all->waiting, index_of(all, h), e, host_indexes(all));
		return;
	}
	leave(all, h, s);
	heap_push(&all->waiting, e, host_indexes(all));
	h->where = HOST_WAITING;
}

/* Makes a host whose own rest is over ready or behind its server, by its standing. */
static void compete(struct hosts *all, struct host *h, struct server *s)
{
	const struct entry e = h->standing;

	if (h->where == HOST_WAITING)
		leave(all, h, s);
	if (h->where == HOST_READY) {
		if (all->ready.n == 1) /* this is the usual case in a crawl without hosts */
			all->ready.at[0] = e;
		else if (!entry_is_equal(&all->ready.at[index_of(all, h)], &e))
			heap_rekey(&all->ready, index_of(all, h), e, host_indexes(all));
	} else if (h->where == HOST_BEHIND) {
		heap_rekey(&s->behind, index_of(all, h), e, host_indexes(all));
	} else if (!s || (s->best == HOSTS_NONE && !s->behind.n && is_free(all, &s->pace))) {
		add_ready(all, s, e);
	} else {
		add_behind(all, s, e);
	}
}

/* Puts a host into the heap to which it belongs now (F4), and then its server (S2, S3). */
static void place_in_heap(struct hosts *all, struct host *h)
{
	struct server *s = hosts_server(all, h);

	if (!h->has_pages || h->is_held || h->is_spent || h->pace.in_flight >= h->pace.most)
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
	place_in_heap(all, &all->at[host]);
}

void hosts_wake(struct hosts *all, int64_t now)
{
	if (now > all->now)
		all->now = now;
	while (heap_next_key(&all->waiting) <= (double)all->now)
		place_in_heap(all, &all->at[all->waiting.at[0].id]);
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

/* Returns the politeness of a host: the crawl's, or the host's own manners. */
static struct politeness politeness_of(const struct hosts *all, const struct host *h)
{
	struct politeness p = all->politeness;
	const struct own_manners *own = h->has_manners ? map_find(&all->manners, h->standing.id) : NULL;

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
	struct server *s = hosts_server(all, h);

	pace_take(&h->pace, n, all->now, longer(h->delay, delay));
	if (s)
		pace_take(&s->pace, n, all->now, shorter(delay, general));
	set_standing(h, best);
	place_in_heap(all, h);
}

void hosts_retake(struct hosts *all, uint32_t host)
{
	struct host *h = &all->at[host];
	struct server *s = hosts_server(all, h);

	pace_take(&h->pace, 1, all->now, 0);
	if (s)
		pace_take(&s->pace, 1, all->now, 0);
}

static int64_t with_jitter(int64_t rest, double more)
{
	return rest > 0 ? (int64_t)((double)rest * more) : 0;
}

/* Counts one page fewer as in flight at a host and its server, and moves the clock. */
static inline void count_back(struct hosts *all, struct host *h, struct server *s, int64_t now)
{
	assert(h->pace.in_flight > 0 && (!s || s->pace.in_flight > 0));
	h->pace.in_flight--;
	if (s)
		s->pace.in_flight--;
	if (now > all->now)
		all->now = now;
}

void hosts_back_to_rest(struct hosts *all, uint32_t host, int64_t took, int64_t hung, int64_t now)
{
	struct host *h = &all->at[host];
	struct server *s = hosts_server(all, h);
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
		pace_rest(&h->pace, now, with_jitter(rest, more));
		if (s)
			pace_rest(&s->pace, now, with_jitter(least, more));
	} else if (h->where == HOST_READY) {
		return; /* without a rest, one page fewer in flight changes nothing for a ready host */
	}
	place_in_heap(all, h);
}

void hosts_back_unasked(struct hosts *all, uint32_t host, int64_t now)
{
	struct host *h = &all->at[host];
	struct server *s = hosts_server(all, h);

	count_back(all, h, s, now);
	pace_undo(&h->pace);
	if (s)
		pace_undo(&s->pace);
	place_in_heap(all, h);
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
		h->pace.most = m->per_host;
}

void hosts_hold(struct hosts *all, uint32_t host)
{
	struct host *h = &all->at[host];

	if (h->is_held)
		return;
	h->is_held = 1;
	all->held = mem_grow(all->held, &all->held_room, all->n_held + 1, sizeof *all->held);
	all->held[all->n_held++] = host;
	place_in_heap(all, h);
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
	place_in_heap(all, h);
}

void hosts_spend(struct hosts *all, uint32_t host, int is_spent)
{
	all->at[host].is_spent = (uint8_t)is_spent;
	place_in_heap(all, &all->at[host]);
}

void hosts_pause(struct hosts *all, uint32_t host, int64_t time)
{
	struct host *h = &all->at[host];

	if (time > h->pace.was_next)
		h->pace.was_next = time; /* pace_undo() must not undo this pause */
	if (time <= h->pace.next)
		return;
	h->pace.next = time;
	place_in_heap(all, h);
}

void hosts_move(struct hosts *all, uint32_t host, uint32_t address)
{
	struct host *h = &all->at[host];
	struct server *old = hosts_server(all, h);

	assert(address);
	if (h->address == address)
		return;
	leave(all, h, old);
	if (old)
		old->pace.in_flight -= h->pace.in_flight;
	choose(all, h->address, old);
	if (address >= all->n_servers) {
		all->servers = paged_need(all->servers, &all->servers_room, (size_t)address + 1, sizeof *all->servers);
		for (; all->n_servers <= address; all->n_servers++)
			all->servers[all->n_servers] = new_server(all);
	}
	h->address = address;
	struct pace *pace = &all->servers[address].pace;
	pace->in_flight += h->pace.in_flight;
	if (h->pace.most > pace->most)
		pace->most = h->pace.most;
	place_in_heap(all, h);
}

double hosts_next_time(const struct hosts *all)
{
	return fmin(heap_next_key(&all->waiting), heap_next_key(&all->resting));
}
