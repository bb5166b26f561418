#include "refresh/schedule.h"
#include "base/map.h"
#include "base/mem.h"
#include "frontier/heap.h"
#include "refresh/allocation.h"
#include "refresh/rates.h"

#include <assert.h>
#include <math.h>

#define SOLVE_SHARE \
	8 /* the plan is made again after visits of 1 / SOLVE_SHARE of the pages, and at twice all the visits of the last plan */
#define FAILED_MS   3600000.0
#define FAILED_MOST 10
#define HORIZON     365 /* days for which a copy of a new page is worth something at most */

enum where { AHEAD, DUE, OUT, LATER, DONE };

struct page {
	uint32_t id, host;
	float importance;
	struct known
		known; /* of the page's rate of change, as of the last plan or visit: from its visits, those of its host, and all */
	struct known told; /* of the rate, as of the last plan, by the page's own visits alone */
	float days;        /* between two visits, by the last plan; INFINITY: there are none */
	int64_t last;
	/* the time in ms at which it is due; in a round the negative worth of its visit, so that the most valuable one comes
	 * first */
	double due;
	struct changes changes;
	uint32_t place;   /* in the heap where it is */
	uint32_t next;    /* page of its host, + 1 */
	uint32_t claimed; /* the time of its last change by its host's sitemap, s; 0: it claims nothing */
	int64_t heard;    /* when the sitemap was read */
	uint8_t where, failures;
	uint8_t is_unread; /* it is a sitemap that was not read in this sitting */
};

/* The pages of a host that are due. */
struct lane {
	struct heap due; /* pages, by their due */
	uint32_t place;  /* in the heap of lanes where it is */
	uint8_t is_ready, is_waiting;
	uint8_t is_given_up; /* its host is not asked in this sitting */
	uint8_t is_liar;     /* what its host claims is not believed */
	uint8_t false_news;  /* the changes that were claimed and were none, less those that were some */
	uint32_t first;      /* page of its host, + 1 */
};

struct schedule {
	struct schedule_settings settings;
	struct page *page;
	uint32_t n;
	size_t room;
	struct map index;  /* from ids to indexes of page[], + 1 */
	struct lane *lane; /* by host */
	size_t lanes, lanes_room;
	struct heap ahead, later; /* pages, by the time they become due */
	struct heap ready;        /* lanes whose hosts may be asked, as far as is known, by the time of their first page */
	struct heap waiting;      /* lanes, by the time their hosts may be asked */
	struct rates rates;       /* of the hosts */
	double price, all_rates;  /* of the last plan; the sum of all rates */
	uint32_t visited;         /* since then */
	uint64_t all_visited;     /* since the schedule was made */
	int is_solved;
	uint32_t undone; /* of a round: the pages still to be visited, without those of hosts that are not asked in this sitting */
};

static struct heap_indexes page_places(struct schedule *s)
{
	return (struct heap_indexes){s->page ? &s->page[0].place : NULL, sizeof *s->page};
}

static struct heap_indexes lane_places(struct schedule *s)
{
	return (struct heap_indexes){s->lane ? &s->lane[0].place : NULL, sizeof *s->lane};
}

struct index {
	uint64_t id;
	uint32_t of;
};

static struct page *page_of(const struct schedule *s, uint32_t id)
{
	const struct index *i = map_find(&s->index, id);

	assert(i && i->of);
	return &s->page[i->of - 1];
}

static uint32_t index_of(const struct schedule *s, const struct page *p)
{
	return (uint32_t)(p - s->page);
}

void schedule_new(struct schedule **out, const struct schedule_settings *settings)
{
	struct schedule *s = mem_zero(1, sizeof *s);

	assert(settings->prior > 0 && (settings->course == SCHEDULE_ROUND || settings->visits > 0));
	s->settings = *settings;
	s->price = 1;
	rates_init(&s->rates, settings->prior);
	map_init(&s->index, sizeof(struct index));
	*out = s;
}

void schedule_free(struct schedule *s)
{
	if (!s)
		return;
	for (size_t h = 0; h < s->lanes; h++)
		heap_release(&s->lane[h].due);
	heap_release(&s->ahead);
	heap_release(&s->later);
	heap_release(&s->ready);
	heap_release(&s->waiting);
	map_release(&s->index);
	rates_release(&s->rates);
	free(s->page);
	free(s->lane);
	free(s);
}

/* --- rates */

/* Estimates the rate of a page by what is known of the others. p->told stays what the rate of its host was learnt from. */
static void estimate(const struct schedule *s, struct page *p)
{
	const struct known before = rates_prior(&s->rates, p->host, p->told);

	p->known = known_both(before, changes_told(&p->changes, changes_rate(&p->changes, before)));
}

/* Learns from all pages what to expect of one, and estimates their rates again. */
static void learn_rates(struct schedule *s)
{
	for (uint32_t i = 0; i < s->n; i++)
		s->page[i].told = changes_told(&s->page[i].changes, known_rate(s->page[i].known));
	for (int round = 0; round < RATES_ROUNDS; round++) {
		for (uint32_t i = 0; i < s->n; i++)
			if (changes_are_known(&s->page[i].changes))
				rates_count(&s->rates, s->page[i].host, s->page[i].told);
		rates_update(&s->rates);
	}
	for (uint32_t i = 0; i < s->n; i++)
		estimate(s, &s->page[i]);
}

static struct allocation_page worth_of(const struct page *p)
{
	return (struct allocation_page){(double)p->importance, p->known, (double)p->days};
}

/* Solves for the price of a visit. */
static void solve(struct schedule *s)
{
	struct allocation_page *all = mem_new(s->n, sizeof *all);

	learn_rates(s);
	s->all_rates = 0;
	for (uint32_t i = 0; i < s->n; i++) {
		all[i] = worth_of(&s->page[i]);
		s->all_rates += known_rate(s->page[i].known);
	}
	if (s->settings.how == SCHEDULE_OPTIMAL)
		s->price = allocation_price(all, s->n, (1 - SCHEDULE_EVEN) * s->settings.visits, s->price);
	for (uint32_t i = 0; i < s->n; i++)
		s->page[i].days = (float)all[i].days;
	s->visited = 0;
	s->is_solved = 1;
	free(all);
}

/* The days between the visits of a page, by what is known now and the price of the last plan. */
static float days_of(const struct schedule *s, const struct page *p)
{
	const struct allocation_page page = worth_of(p);

	return (float)allocation_days(&page, s->price);
}

/* The visits a day of a page, by the last solution. */
static double visits_of(const struct schedule *s, const struct page *p)
{
	const double even = s->settings.visits / s->n;

	switch (s->settings.how) {
	case SCHEDULE_UNIFORM:
		return even;
	case SCHEDULE_PROPORTIONAL:
		return s->settings.visits * known_rate(p->known) / s->all_rates;
	case SCHEDULE_OPTIMAL:
		break;
	}
	return SCHEDULE_EVEN * even + 1 / (double)p->days;
}

/* --- what hosts claim */

enum claim_says { CLAIMS_NOTHING, CLAIMS_CHANGE, CLAIMS_NONE };

/* Returns what is claimed, and believed, of the time since the page's last visit. A claim that is older than the visit says
 * nothing. */
static enum claim_says says(const struct schedule *s, const struct page *p)
{
	if (!p->claimed || s->lane[p->host].is_liar || p->heard <= p->last)
		return CLAIMS_NOTHING;
	return ((int64_t)p->claimed + 1) * 1000 > p->last ? CLAIMS_CHANGE : CLAIMS_NONE;
}

static int is_put_off(const struct schedule *s, const struct page *p)
{
	const uint64_t draw = (p->id + (uint64_t)p->heard / (uint64_t)SCHEDULE_DAY * 0x100000001b3u) * 0x9e3779b97f4a7c15u;

	return says(s, p) == CLAIMS_NONE && (draw >> 32) % SCHEDULE_SAMPLE;
}

static int is_later(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Says whether the dates of a sitemap differ, so that they can be those of its pages. */
static int are_telling(const struct claim *claim, size_t n)
{
	uint32_t *date = mem_new(n + 1, sizeof *date);
	size_t most = 0;

	for (size_t i = 0; i < n; i++)
		date[i] = claim[i].changed;
	qsort(date, n, sizeof *date, is_later);
	for (size_t i = 0, from = 0; i < n; i++) {
		while (date[i] - date[from] > 60)
			from++;
		most = i - from + 1 > most ? i - from + 1 : most;
	}
	free(date);
	return most * 10 < n * 9;
}

/* --- the times of pages */

/* Returns the time at which a page is due: SCHEDULE_DAY / visits_of() after its last successful visit, but not before
 * settings.least has passed. */
static double due_of(const struct schedule *s, const struct page *p)
{
	const double least = (double)p->last + (double)s->settings.least;
	const double rest = p->is_unread || says(s, p) == CLAIMS_CHANGE ? 0 : SCHEDULE_DAY / visits_of(s, p);
	const double due = is_put_off(s, p) ? fmin((double)p->heard + rest, (double)p->last + SCHEDULE_PUT_OFF * rest)
					    : (double)p->last + rest;

	return due > least ? due : least;
}

/* Returns the key of a page in a round: sitemaps first, then claimed changes, and pages that claim none last; within these by
 * worth. */
static double round_key(const struct schedule *s, const struct page *p, int64_t now)
{
	const double worth = fmin(schedule_worth(s, p->id, now), 1e8);

	if (p->is_unread)
		return -1e18 * (1 + worth);
	if (says(s, p) == CLAIMS_CHANGE)
		return -1e9 * (1 + worth);
	return is_put_off(s, p) ? 1 / (1 + worth) : -worth;
}

static void put_ahead(struct schedule *s, struct page *p)
{
	p->where = AHEAD;
	heap_push(&s->ahead, entry_make(p->due, index_of(s, p), index_of(s, p)), page_places(s));
}

/* Puts a page into the lane of its host. */
static void put_due(struct schedule *s, struct page *p)
{
	struct lane *l = &s->lane[p->host];
	const uint32_t i = index_of(s, p);

	p->where = DUE;
	s->undone -= s->settings.course == SCHEDULE_ROUND && l->is_given_up;
	heap_push(&l->due, entry_make(p->due, i, i), page_places(s));
	const struct entry e = entry_make(heap_next_key(&l->due), p->host, p->host);
	if (l->is_ready) {
		heap_rekey(&s->ready, l->place, e, lane_places(s));
	} else if (!l->is_waiting) {
		l->is_ready = 1;
		heap_push(&s->ready, e, lane_places(s));
	}
}

/* Computes the price again, and with it the times of all pages that wait for their time or for their hosts, except those whose last
 * visit has failed. */
static void plan_again(struct schedule *s)
{
	solve(s);
	for (size_t h = 0; h < s->lanes; h++) {
		s->lane[h].due.n = 0;
		s->lane[h].is_ready = 0;
	}
	s->ready.n = 0;
	s->ahead.n = 0;
	for (uint32_t i = 0; i < s->n; i++) {
		struct page *p = &s->page[i];
		if (p->where != AHEAD && p->where != DUE)
			continue;
		if (!p->failures)
			p->due = due_of(s, p);
		put_ahead(s, p);
	}
}

/* Writes the time of a lane's first page, which has changed, into the heap of lanes. */
static void lane_changed(struct schedule *s, struct lane *l)
{
	const uint32_t host = (uint32_t)(l - s->lane);

	if (l->is_ready && l->due.n)
		heap_rekey(&s->ready, l->place, entry_make(heap_next_key(&l->due), host, host), lane_places(s));
	else if (l->is_ready)
		heap_remove(&s->ready, l->place, lane_places(s));
	l->is_ready &= l->due.n > 0;
}

/* Computes anew when a page is due, whose claim has changed. */
static void move(struct schedule *s, struct page *p, int64_t now)
{
	struct lane *l = &s->lane[p->host];
	const int is_round = s->settings.course == SCHEDULE_ROUND;

	if (!s->is_solved || p->failures)
		return; /* the plan will, or the next visit */
	p->due = is_round ? round_key(s, p, now) : due_of(s, p);
	const struct entry e = entry_make(p->due, index_of(s, p), index_of(s, p));
	if (p->where == AHEAD)
		heap_rekey(&s->ahead, p->place, e, page_places(s));
	if (p->where != DUE)
		return;
	if (is_round) {
		heap_rekey(&l->due, p->place, e, page_places(s));
	} else {
		heap_remove(&l->due, p->place, page_places(s));
		put_ahead(s, p);
	}
	lane_changed(s, l);
}

void schedule_claims(struct schedule *s, uint32_t host, const struct claim *claim, size_t n, int64_t now)
{
	if (host >= s->lanes || s->lane[host].is_liar || !are_telling(claim, n))
		return;
	for (size_t i = 0; i < n; i++) {
		const struct index *at = map_find(&s->index, claim[i].id);
		if (!at || !at->of || s->page[at->of - 1].host != host)
			continue;
		struct page *p = &s->page[at->of - 1];
		p->claimed = claim[i].changed < now / 1000 + 2 * 86400 ? claim[i].changed : 0;
		p->heard = now;
		move(s, p, now);
	}
}

/* Learns from a visit whether the host's claims are true. Where the time of a change is unknown, it is taken to lie before the
 * claim if most of the time since the last visit does. */
static void judge_claim(struct schedule *s, const struct page *p, int64_t now, enum schedule_found found, int64_t changed)
{
	struct lane *l = &s->lane[p->host];
	const enum claim_says claims = says(s, p);

	if (claims == CLAIMS_NOTHING)
		return;
	if (claims == CLAIMS_CHANGE && found == SCHEDULE_SAME)
		l->is_liar = ++l->false_news >= SCHEDULE_FALSE_NEWS;
	else if (claims == CLAIMS_CHANGE)
		l->false_news = (uint8_t)(l->false_news - (l->false_news > 0));
	else if (claims == CLAIMS_NONE && found == SCHEDULE_CHANGED)
		l->is_liar = changed ? changed <= p->heard : now - p->heard <= p->heard - p->last;
	for (uint32_t i = l->is_liar ? l->first : 0; i; i = s->page[i - 1].next)
		if (s->page[i - 1].claimed)
			move(s, &s->page[i - 1], now);
}

static void need_plan(struct schedule *s)
{
	const uint64_t twice = s->all_visited / 2, share = s->n / SOLVE_SHARE;

	if (s->n && (!s->is_solved || s->visited > (twice < share ? twice : share) + 8))
		plan_again(s);
}

static void need_lane(struct schedule *s, uint32_t host)
{
	const size_t old = s->lanes;

	if (host < old)
		return;
	s->lane = mem_grow(s->lane, &s->lanes_room, (size_t)host + 1, sizeof *s->lane);
	s->lanes = (size_t)host + 1;
	memset(s->lane + old, 0, (s->lanes - old) * sizeof *s->lane);
}

void schedule_add(struct schedule *s, uint32_t id, const struct schedule_page *page)
{
	struct index *at = map_at(&s->index, id);

	assert(!at->of && page->importance > 0);
	need_lane(s, page->host);
	s->page = mem_grow(s->page, &s->room, (size_t)s->n + 1, sizeof *s->page);
	struct page *p = &s->page[s->n++];
	at->of = s->n;
	*p = (struct page){.id = id,
		.host = page->host,
		.importance = (float)page->importance,
		.last = page->last,
		.changes = page->changes,
		.next = s->lane[page->host].first,
		.is_unread = page->is_sitemap != 0};
	s->lane[page->host].first = s->n;
	estimate(s, p);
	if (s->settings.course == SCHEDULE_FOR_EVER) {
		/* before the first solution all pages are AHEAD, and their times do not matter */
		p->days = s->is_solved ? days_of(s, p) : 0;
		p->due = s->is_solved ? due_of(s, p) : 0;
		put_ahead(s, p);
		return;
	}
	/* a page that is crawled while a round goes on is not part of it */
	s->undone += !s->is_solved;
	p->where = s->is_solved ? DONE : AHEAD;
}

double schedule_worth(const struct schedule *s, uint32_t id, int64_t now)
{
	const struct page *p = page_of(s, id);
	const struct allocation_page worth = worth_of(p);

	return allocation_worth(&worth, now > p->last ? (double)(now - p->last) / SCHEDULE_DAY : 0);
}

double schedule_worth_new(const struct schedule *s, uint32_t host, double importance)
{
	const struct allocation_page page = {importance, rates_prior(&s->rates, host, (struct known){0, 0}), 0};

	return allocation_worth(&page, HORIZON);
}

/* --- what comes next */

/* Begins a round: all pages are due. */
static void begin_round(struct schedule *s, int64_t now)
{
	learn_rates(s);
	for (uint32_t i = 0; i < s->n; i++) {
		s->page[i].due = round_key(s, &s->page[i], now);
		put_due(s, &s->page[i]);
	}
	s->is_solved = 1;
}

static void wake(struct schedule *s, int64_t now)
{
	if (s->settings.course == SCHEDULE_FOR_EVER)
		need_plan(s);
	else if (!s->is_solved)
		begin_round(s, now);
	while (heap_next_key(&s->ahead) <= (double)now)
		put_due(s, &s->page[heap_remove(&s->ahead, 0, page_places(s)).id]);
	while (heap_next_key(&s->later) <= (double)now)
		put_due(s, &s->page[heap_remove(&s->later, 0, page_places(s)).id]);
	while (heap_next_key(&s->waiting) <= (double)now) {
		const uint32_t host = heap_remove(&s->waiting, 0, lane_places(s)).id;
		struct lane *l = &s->lane[host];
		l->is_waiting = 0;
		if (!l->due.n)
			continue;
		l->is_ready = 1;
		heap_push(&s->ready, entry_make(heap_next_key(&l->due), host, host), lane_places(s));
	}
}

/* Gives up a host: it is not asked in this sitting, so a round does not wait for its due pages. */
static void give_up(struct schedule *s, struct lane *l)
{
	l->is_given_up = 1;
	if (s->settings.course == SCHEDULE_ROUND)
		s->undone -= (uint32_t)l->due.n;
}

int schedule_next(struct schedule *s, int64_t now, schedule_host_time *time, void *ctx, uint32_t *id)
{
	wake(s, now);
	while (s->ready.n) {
		const uint32_t host = s->ready.at[0].id;
		struct lane *l = &s->lane[host];
		const struct page *p = &s->page[l->due.at[0].id];
		const int64_t at = time(ctx, p->id);
		if (at <= now) {
			*id = p->id;
			return 1;
		}
		heap_remove(&s->ready, 0, lane_places(s));
		l->is_ready = 0;
		l->is_waiting = 1;
		if (at == SCHEDULE_NEVER)
			give_up(s, l);
		heap_push(&s->waiting, entry_make(at == SCHEDULE_NEVER ? INFINITY : (double)at, host, host), lane_places(s));
	}
	return 0;
}

void schedule_out(struct schedule *s, uint32_t id)
{
	struct page *p = page_of(s, id);
	struct lane *l = &s->lane[p->host];

	assert(p->where == DUE && l->is_ready && s->page[l->due.at[0].id].id == id);
	heap_remove(&l->due, 0, page_places(s));
	p->where = OUT;
	lane_changed(s, l);
}

void schedule_put_back(struct schedule *s, uint32_t id, int64_t not_before)
{
	struct page *p = page_of(s, id);

	assert(p->where == OUT);
	p->where = LATER;
	heap_push(&s->later, entry_make((double)not_before, index_of(s, p), index_of(s, p)), page_places(s));
}

/* Adds what a visit has shown to the history of the page's changes. */
static void learn(struct page *p, int64_t now, enum schedule_found found, int64_t changed)
{
	const double days = now > p->last ? (double)(now - p->last) / SCHEDULE_DAY : 0;

	if (found == SCHEDULE_SAME)
		changes_same(&p->changes, days);
	else if (changed > p->last && changed <= now)
		changes_dated(&p->changes, (double)(now - changed) / SCHEDULE_DAY);
	else
		changes_seen(&p->changes, days);
}

void schedule_visited(struct schedule *s, uint32_t id, int64_t now, enum schedule_found found, int64_t changed)
{
	struct page *p = page_of(s, id);

	assert(p->where == OUT);
	s->visited++;
	s->all_visited++;
	p->is_unread = 0;
	if (found == SCHEDULE_FAILED) {
		if (p->failures < FAILED_MOST)
			p->failures++;
	} else {
		judge_claim(s, p, now, found, changed);
		learn(p, now, found, changed);
		estimate(s, p);
		p->days = days_of(s, p);
		p->last = now > p->last ? now : p->last;
		p->failures = 0;
	}
	if (s->settings.course == SCHEDULE_ROUND) {
		p->where = DONE;
		s->undone--;
		return;
	}
	p->due = due_of(s, p);
	if (p->failures) /* after failures, the next visit is counted from now, since the last successful one may be long ago */
		p->due = (double)now + fmin(SCHEDULE_DAY / visits_of(s, p), FAILED_MS * pow(2, p->failures - 1));
	put_ahead(s, p);
}

int64_t schedule_time(const struct schedule *s, int64_t now)
{
	double time = INFINITY;

	if (s->n && !s->is_solved)
		return now;
	time = fmin(time, heap_next_key(&s->ahead));
	time = fmin(time, heap_next_key(&s->later));
	time = fmin(time, heap_next_key(&s->waiting));
	if (s->ready.n)
		return now;
	return time < (double)SCHEDULE_NEVER ? (int64_t)ceil(time) : SCHEDULE_NEVER;
}

int schedule_is_over(const struct schedule *s)
{
	return s->settings.course == SCHEDULE_ROUND && !s->undone;
}
