#include "storage/store_merge.h"
#include "base/mem.h"
#include "storage/handle.h"
#include "storage/store.h"
#include "storage/visits.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Entries between two commits. */
#define COMMIT_EVERY 20000

#define NO_ENTRY UINT32_MAX

/* Pages between two commits of visits. */
#define VISITS_COMMIT_EVERY 4096

/* A store that is read. */
struct part {
	struct store *store;
	struct store_log_cursor *cursor;
	struct log_entry entry; /* the next one */
	int has_entry;
	uint32_t at;    /* its number in the log */
	int64_t time;   /* its time, or that of an earlier entry */
	uint32_t *id;   /* of each page: its id in the new store, or STORE_NO_PAGE */
	uint32_t *last; /* of each page: the number of the entry that ended it for good, or NO_ENTRY */
	uint8_t *life;  /* of each page: enum page_state, as the log leaves it; PAGE_UNSEEN: only links have led to it */
	uint8_t *rule;  /* of each page: the place behind the one in word[] of the rule by which it was taken last; 0: by its key */
	char **word;
	size_t words, word_room;
	int is_after_gap; /* entries before this one cannot be read */
	int has_told;     /* the ends that the log does not tell have been written */
};

/* A page of the new store, in one of the stores. */
struct place {
	uint32_t to, part, id;
};

/* In the byte of a page's state: several stores have crawled the page. */
#define REPEATED 0x80

struct merge {
	struct store *into;
	struct part *part;
	size_t n;
	struct store_merge_counts *counts;
	struct store_lost *lost; /* what a damaged store lacks; NULL: the stores are sound */
	enum store_rebuilt rebuilt;
	uint8_t *state; /* of each page of the new store: enum page_state, and REPEATED */
	size_t state_room;
	uint32_t *links; /* of the page that is written */
	uint8_t *kinds;
	size_t links_room, kinds_room;
	struct buf anchors;  /* their anchor texts */
	struct place *place; /* of pages that were visited again, or crawled in several stores */
	size_t places, place_room;
	struct store_change *seen; /* of one page: all that the stores have seen of it */
	size_t n_seen, seen_room;
	unsigned entries; /* since the last commit */
};

/* --- reading */

static int is_result(enum log_kind kind)
{
	return kind == LOG_CRAWLED || kind == LOG_FAILED || kind == LOG_REDIRECTED || kind == LOG_REFUSED || kind == LOG_EXPELLED;
}

/* Returns the state of a page after an entry about it. */
static enum page_state state_after(const struct log_entry *e, enum page_state before)
{
	static const enum page_state after[LOG_KINDS] = {
		[LOG_CRAWLED] = PAGE_CRAWLED,
		[LOG_FAILED] = PAGE_FAILED,
		[LOG_REDIRECTED] = PAGE_REDIRECTED,
		[LOG_REFUSED] = PAGE_REFUSED,
		[LOG_EXPELLED] = PAGE_REFUSED,
		[LOG_TAKE] = PAGE_QUEUED,
		[LOG_REQUEUED] = PAGE_QUEUED,
		[LOG_ADMITTED] = PAGE_QUEUED,
	};

	if (e->kind == LOG_ADOPTED)
		return before == PAGE_CRAWLED || before == PAGE_REDIRECTED ? before : PAGE_QUEUED;
	if (e->kind == LOG_JUDGED)
		return before == PAGE_UNSEEN && e->outcome == OUTCOME_NONE ? PAGE_QUEUED : before;
	if (e->kind == LOG_SEED || e->kind == LOG_SITEMAP || e->kind == LOG_VISITED)
		return before == PAGE_UNSEEN || before == PAGE_REFUSED ? PAGE_QUEUED : before;
	return after[e->kind];
}

/* Reads an entry of a store. If the store is a damaged one, the entries that cannot be read are left out, and *gap is set. */
static int read_next(const struct merge *m, struct store_log_cursor *c, struct log_entry *e, int *gap, struct err_note *why)
{
	int more = store_log_next(c, e, why);

	while (more == ERR_DAMAGED && m->lost) {
		*gap = 1;
		more = store_log_skip(c) ? store_log_next(c, e, why) : 0;
	}
	return more;
}

/* Reads the whole log: sets the last state of each page, and the number of the entry that ended it. */
static int read_lives(const struct merge *m, struct part *p, struct err_note *why)
{
	struct store_log_cursor *c = store_log_start(p->store);
	const uint32_t pages = store_pages(p->store);
	struct log_entry e;
	uint32_t at = 0;
	int more, gap;

	while ((more = read_next(m, c, &e, &gap, why)) > 0 && at < NO_ENTRY) {
		if (e.id < pages) { /* it is about a page */
			p->life[e.id] = (uint8_t)state_after(&e, (enum page_state)p->life[e.id]);
			p->last[e.id] = p->life[e.id] == PAGE_QUEUED ? NO_ENTRY : is_result(e.kind) ? at : p->last[e.id];
		}
		at++;
	}
	store_log_stop(c);
	return more > 0 ? err_set(why, ERR_TOO_BIG, "the log of a store has 2^32 entries or more") : more;
}

/* Reads the next entry of a store, and its time. */
static int next_entry(const struct merge *m, struct part *p, struct err_note *why)
{
	struct result result;
	const int more = read_next(m, p->cursor, &p->entry, &p->is_after_gap, why);

	p->has_entry = more > 0;
	p->at++;
	if (more <= 0)
		return more;
	const struct log_entry *e = &p->entry;
	int64_t time = e->kind == LOG_SITTING ? e->time : INT64_MIN;
	if (is_result(e->kind) && p->last[e->id] == p->at && store_result(p->store, e->id, &result))
		time = result.ended;
	if (time > p->time)
		p->time = time;
	return 0;
}

static int open_part(const struct merge *m, struct part *p, struct store *s, struct err_note *why)
{
	const uint32_t pages = store_pages(s);

	*p = (struct part){.store = s, .at = UINT32_MAX, .time = INT64_MIN};
	p->id = mem_new(pages, sizeof *p->id);
	p->last = mem_new(pages, sizeof *p->last);
	memset(p->id, 0xff, pages * sizeof *p->id);
	memset(p->last, 0xff, pages * sizeof *p->last);
	p->life = mem_zero(pages, sizeof *p->life);
	p->rule = mem_zero(pages, sizeof *p->rule);
	p->cursor = store_log_start(s);
	int err = read_lives(m, p, why);
	return err ? err : next_entry(m, p, why);
}

/* Returns the store whose next entry is the earliest, of equal times the first; NULL: there is none. */
static struct part *earliest(const struct merge *m)
{
	struct part *first = NULL;

	for (size_t i = 0; i < m->n; i++)
		if (m->part[i].has_entry && (!first || m->part[i].time < first->time))
			first = &m->part[i];
	return first;
}

/* --- writing */

/* Returns the state of a page of the new store. */
static enum page_state state_of(const struct merge *m, uint32_t to)
{
	return (enum page_state)(m->state[to] & ~REPEATED);
}

static int write_entry(struct merge *m, const struct log_entry *e, struct err_note *why)
{
	m->entries++;
	return store_log(m->into, e, why);
}

/* Sets p->id[id] if the new store has the page. Returns whether it does. */
static int find_page(struct merge *m, struct part *p, uint32_t id)
{
	struct store_page page;

	if (p->id[id] == STORE_NO_PAGE && store_page(p->store, id, &page) &&
		!store_find(m->into, page.url, page.url_length, &p->id[id]))
		p->id[id] = STORE_NO_PAGE;
	return p->id[id] != STORE_NO_PAGE;
}

/* Returns the host of a URL, *n bytes. */
static const char *host_of(const char *url, size_t *n)
{
	const char *at = strstr(url, "://");

	at = at ? at + 3 : url;
	*n = strcspn(at, "/?#");
	return at;
}

/* The reason for which a page is added. */
enum welcome { WELCOME_SEED, WELCOME_LINK };

/* Finds the page in the new store, and adds it if it is not there; a page that a link has found keeps its refusal. Sets
 * p->id[id], to STORE_NO_PAGE if the store is damaged and its URL lost. */
static int add_page(struct merge *m, struct part *p, uint32_t id, enum welcome as, struct err_note *why)
{
	struct store_page page;

	if (find_page(m, p, id))
		return 0;
	if (!store_page(p->store, id, &page))
		return m->lost ? 0 : err_set(why, ERR_DAMAGED, "page %u of a store cannot be read; see 'lycosa store verify'", id);
	const char *host = store_host_name(p->store, page.host);
	size_t host_n = host ? strlen(host) : 0;
	if (!host && m->lost)
		host = host_of(page.url, &host_n);
	if (!host || !host_n)
		return err_set(why, ERR_DAMAGED, "host %u of a store cannot be read; see 'lycosa store verify'", page.host);
	page.refusal = as == WELCOME_LINK ? page.refusal : 0;
	int err = store_host(m->into, host, host_n, &page.host, why);
	if (!err)
		err = store_add(m->into, &page, &p->id[id], why);
	if (err) {
		p->id[id] = STORE_NO_PAGE;
		return err;
	}
	m->state = mem_grow(m->state, &m->state_room, (size_t)p->id[id] + 1, sizeof *m->state);
	m->state[p->id[id]] = page.refusal ? PAGE_OUTSIDE : PAGE_QUEUED;
	return 0;
}

/* Makes a page queued that the new store does not know, or that is out of scope, refused or failed there. */
static int make_queued(struct merge *m, struct part *p, uint32_t id, struct err_note *why)
{
	const uint32_t before = store_pages(m->into);
	int err = add_page(m, p, id, WELCOME_SEED, why);

	if (err || p->id[id] == STORE_NO_PAGE)
		return err;
	const uint32_t to = p->id[id];
	if (store_pages(m->into) > before)
		return write_entry(m, &(struct log_entry){.kind = LOG_SITEMAP, .id = to}, why);
	if (m->state[to] == PAGE_QUEUED)
		return 0;
	m->state[to] = PAGE_QUEUED;
	return write_entry(m, &(struct log_entry){.kind = LOG_ADMITTED, .id = to}, why);
}

static int write_seed(struct merge *m, struct part *p, const struct log_entry *e, struct err_note *why)
{
	int err = add_page(m, p, e->id, WELCOME_SEED, why);

	if (err || p->id[e->id] == STORE_NO_PAGE)
		return err;
	const uint32_t to = p->id[e->id];
	if (m->state[to] == PAGE_OUTSIDE || m->state[to] == PAGE_REFUSED)
		m->state[to] = PAGE_QUEUED;
	return write_entry(m, &(struct log_entry){.kind = e->kind, .id = to}, why);
}

/* Adds the targets of page `id` to the new store, and writes its links; those whose target is lost are left out. */
static int write_links(struct merge *m, struct part *p, uint32_t id, struct err_note *why)
{
	const uint32_t *links, pages = store_pages(p->store);
	const uint8_t *kinds;
	const size_t n = store_links(p->store, id, &links, &kinds);
	size_t anchor_n, kept = 0;

	buf_clear(&m->anchors);
	m->links = mem_grow(m->links, &m->links_room, n, sizeof *m->links);
	m->kinds = mem_grow(m->kinds, &m->kinds_room, n, sizeof *m->kinds);
	for (size_t i = 0; i < n; i++) {
		if (links[i] >= pages)
			return err_set(why, ERR_DAMAGED, "page %u of a store links to page %u of %u", id, links[i], pages);
		const int err = add_page(m, p, links[i], WELCOME_LINK, why);
		if (err)
			return err;
		if (p->id[links[i]] == STORE_NO_PAGE) {
			m->lost->links++;
			continue;
		}
		m->links[kept] = p->id[links[i]];
		m->kinds[kept++] = kinds ? kinds[i] : 0;
		const char *anchor = store_anchor(p->store, id, i, &anchor_n);
		buf_add(&m->anchors, anchor, anchor_n + 1);
	}
	return store_put_links(m->into, p->id[id], m->links, m->kinds, kept ? m->anchors.at : NULL, kept, why);
}

/* Writes the result of page `id`, whose target, if it has one, is made known first. */
static int write_result(struct merge *m, struct part *p, const struct log_entry *e, enum page_state state, struct err_note *why)
{
	const uint32_t id = e->id;
	struct result r;
	int err = 0;

	if (!store_result(p->store, id, &r) || r.state != state) {
		if (state == PAGE_REFUSED)
			return 0;
		if (!m->lost)
			return err_set(why, ERR_DAMAGED, "page %u of a store has no result", id);
		m->lost->results++;
		r = (struct result){.state = state, .outcome = (enum outcome)e->outcome, .target = e->target};
		if (m->rebuilt == STORE_REBUILT_TO_CRAWL) {
			r.status = e->status;
			r.tries = 1;
			r.ended = p->time == INT64_MIN ? 0 : p->time;
		}
	}
	if (r.target < store_pages(p->store)) {
		if (state == PAGE_REDIRECTED)
			err = add_page(m, p, r.target, WELCOME_LINK, why);
		r.target = p->id[r.target];
	}
	return err ? err : store_put_result(m->into, p->id[id], &r, why);
}

/* Notes the rule by which a page is taken. */
static void note_rule(struct part *p, const struct log_entry *e)
{
	size_t i = 0;

	p->rule[e->id] = 0;
	while (e->text && i < p->words && strcmp(p->word[i], e->text) != 0)
		i++;
	if (!e->text || i == UINT8_MAX)
		return;
	if (i == p->words) {
		p->word = mem_grow(p->word, &p->word_room, p->words + 1, sizeof *p->word);
		p->word[p->words++] = mem_text(e->text);
	}
	p->rule[e->id] = (uint8_t)(i + 1);
}

/* Writes how a page ended: its entry, with all that it leads to. */
static int write_end(struct merge *m, struct part *p, const struct log_entry *e, enum page_state state, struct err_note *why)
{
	const uint32_t to = p->id[e->id];
	struct log_entry own = {.kind = e->kind, .id = to, .status = e->status, .outcome = e->outcome, .target = STORE_NO_PAGE};
	int err = 0;

	if (state != PAGE_REFUSED)
		err = write_entry(m,
			&(struct log_entry){.kind = LOG_TAKE,
				.id = to,
				.text = p->rule[e->id] ? p->word[p->rule[e->id] - 1] : NULL},
			why);
	if (!err)
		err = write_result(m, p, e, state, why);
	if (!err && state == PAGE_CRAWLED)
		err = write_links(m, p, e->id, why);
	if (!err && state == PAGE_REDIRECTED) {
		if (e->target >= store_pages(p->store) || p->id[e->target] == STORE_NO_PAGE)
			return err_set(why, ERR_DAMAGED, "page %u of a store is redirected to no page", e->id);
		own.target = p->id[e->target];
	}
	if (err)
		return err;
	m->state[to] = (uint8_t)state;
	m->counts->crawled += state == PAGE_CRAWLED;
	return write_entry(m, &own, why);
}

/* Says whether the rest of a page's end is there: the links of a crawled page, the target of a redirected one. */
static int has_rest(struct part *p, const struct log_entry *e, enum page_state state)
{
	struct store *s = p->store;
	struct store_page page;
	int with_kinds;
	uint64_t number;
	uint32_t of;
	size_t n;

	if (state == PAGE_REDIRECTED)
		return store_page(s, e->target, &page);
	return state != PAGE_CRAWLED ||
		(latest_find(s, &s->latest_links, &s->links, e->id, &number) && links_read(s, number, &of, &n, &with_kinds) == 0);
}

static int take_end(struct merge *m, struct part *p, const struct log_entry *e, struct err_note *why)
{
	const enum page_state state = state_after(e, PAGE_QUEUED);
	const enum page_state known = find_page(m, p, e->id) ? state_of(m, p->id[e->id]) : PAGE_UNSEEN;

	if (known == PAGE_CRAWLED || known == PAGE_REDIRECTED) {
		m->counts->repeated += state == PAGE_CRAWLED;
		m->state[p->id[e->id]] |= state == PAGE_CRAWLED ? REPEATED : 0;
		return 0;
	}
	/* a page is unseen here, too, if the crawl that led to it was left out */
	const int err = make_queued(m, p, e->id, why);
	if (err || p->id[e->id] == STORE_NO_PAGE)
		return err;
	if (m->lost && !has_rest(p, e, state)) {
		m->lost->again++;
		if (m->rebuilt == STORE_REBUILT_TO_CRAWL || state != PAGE_CRAWLED)
			return 0;
	}
	return write_end(m, p, e, state, why);
}

/* Writes the ends of pages that a damaged log does not tell, in the order of their results. */
static int take_untold(struct merge *m, struct part *p, struct err_note *why)
{
	static const enum log_kind kind[] =
		{[PAGE_CRAWLED] = LOG_CRAWLED, [PAGE_FAILED] = LOG_FAILED, [PAGE_REDIRECTED] = LOG_REDIRECTED};
	struct store *s = p->store;
	struct result r, last;
	const uint8_t *at;
	size_t n;
	int err = 0;

	for (uint64_t i = 0; !err && i < s->results.n; i++) {
		if (!records_get(&s->results, i, &at, &n) || result_read(s, at, n, &r) || p->last[r.id] != NO_ENTRY ||
			(r.state != PAGE_CRAWLED && r.state != PAGE_FAILED && r.state != PAGE_REDIRECTED) ||
			!store_result(s, r.id, &last) || last.state != r.state || last.ended != r.ended)
			continue;
		p->time = r.ended > p->time ? r.ended : p->time;
		p->last[r.id] = NO_ENTRY - 1; /* an entry that no log has */
		m->lost->entries++;
		err = take_end(m, p,
			&(struct log_entry){.kind = kind[r.state],
				.id = r.id,
				.status = r.status,
				.outcome = (uint8_t)r.outcome,
				.target = r.target},
			why);
	}
	return err;
}

/* Adds the pages that a later visit of a page has found. If the page is not crawled in the new store, those of them that the store
 * has queued are queued at the end. */
static int take_visit(struct merge *m, struct part *p, const struct log_entry *e, struct err_note *why)
{
	const uint32_t before = store_pages(m->into);
	int err = 0;

	if (!find_page(m, p, e->id) || state_of(m, p->id[e->id]) != PAGE_CRAWLED)
		return 0;
	for (uint32_t i = 0; i < e->n_new && !err && !p->has_told; i++)
		err = add_page(m, p, e->first_new + i, WELCOME_LINK, why);
	if (err || store_pages(m->into) == before)
		return err;
	return write_entry(m, &(struct log_entry){.kind = LOG_VISITED, .id = p->id[e->id]}, why);
}

/* Writes what the next entry of a store says, if the new store needs it. */
static int take(struct merge *m, struct part *p, struct err_note *why)
{
	const struct log_entry *e = &p->entry;

	if (m->lost && (e->kind == LOG_SITTING || e->kind == LOG_POLICY || e->kind == LOG_SCOPE))
		return write_entry(m, e, why);
	if (e->kind == LOG_SEED || e->kind == LOG_SITEMAP)
		return write_seed(m, p, e, why);
	if (e->kind == LOG_VISITED)
		return take_visit(m, p, e, why);
	if (e->kind == LOG_TAKE)
		note_rule(p, e);
	if (is_result(e->kind) && p->last[e->id] == p->at)
		return take_end(m, p, e, why);
	return 0;
}

/* --- what remains */

/* Says whether a page is queued in its store, or is to be queued again. */
static int is_queued(const struct part *p, uint32_t id)
{
	struct store_page page;

	if (p->life[id] == PAGE_UNSEEN)
		return store_page(p->store, id, &page) && !page.refusal;
	return p->life[id] == PAGE_QUEUED;
}

/* Queues the pages that are queued in this store and out of scope or missing in the new one. */
static int queue_rest(struct merge *m, struct part *p, struct err_note *why)
{
	int err = 0;

	for (uint32_t id = 0; !err && id < store_pages(p->store); id++) {
		if (!is_queued(p, id))
			continue;
		find_page(m, p, id);
		const uint32_t to = p->id[id];
		if (to == STORE_NO_PAGE || m->state[to] == PAGE_OUTSIDE)
			err = make_queued(m, p, id, why);
	}
	return err;
}

static int commit(struct merge *m, struct err_note *why)
{
	if (m->entries < COMMIT_EVERY)
		return 0;
	m->entries = 0;
	return store_commit(m->into, why);
}

/* Writes what a gap in the log has had, once. */
static int tell_gap(struct merge *m, struct part *p, struct err_note *why)
{
	if (!p->is_after_gap || p->has_told)
		return 0;
	p->has_told = 1;
	return take_untold(m, p, why);
}

static int merge_logs(struct merge *m, struct err_note *why)
{
	struct part *p;
	int err = 0;

	while (!err && (p = earliest(m))) {
		err = tell_gap(m, p, why);
		if (!err)
			err = take(m, p, why);
		if (!err)
			err = commit(m, why);
		if (!err)
			err = next_entry(m, p, why);
	}
	for (size_t i = 0; !err && i < m->n; i++)
		err = tell_gap(m, &m->part[i], why);
	for (size_t i = 0; !err && i < m->n; i++)
		err = queue_rest(m, &m->part[i], why);
	return err;
}

/* --- later visits (storage/visits.h). If one store alone has crawled a page, the new store has the same visits of the page as that
 * store. If several stores have crawled a page, the new store's history of the page is made of all observations that these stores
 * have of it, in the order of time. An observation is the crawl of the page by a store, a change that a store has found, or the
 * last visit of a store. The observations before the crawl that counts are left out, and one that shows the page as the observation
 * before it did is no change. So a change that two stores have found is one. The order of the stores changes nothing. */

static int is_crawled(struct store *s, uint32_t id, struct result *out)
{
	return store_result(s, id, out) && out->state == PAGE_CRAWLED;
}

/* Differences of such times, ms since 1970, have 64 bits. */
static int is_time(int64_t ms)
{
	return ms > -((int64_t)1 << 61) && ms < (int64_t)1 << 61;
}

static int compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return x->to != y->to ? (x->to < y->to ? -1 : 1) : (x->part > y->part) - (x->part < y->part);
}

/* Finds the pages whose history is not that of their crawl alone, in the order of the new store. */
static void gather_places(struct merge *m)
{
	struct store_visited visited;
	struct result result;

	for (size_t i = 0; i < m->n; i++)
		for (uint32_t id = 0; id < store_pages(m->part[i].store); id++) {
			struct part *p = &m->part[i];
			if (!find_page(m, p, id) || state_of(m, p->id[id]) != PAGE_CRAWLED ||
				!(m->state[p->id[id]] & REPEATED || store_visited(p->store, id, &visited)) ||
				!is_crawled(p->store, id, &result) || !is_crawled(m->into, p->id[id], &result) ||
				!is_time(result.ended))
				continue;
			m->place = mem_grow(m->place, &m->place_room, m->places + 1, sizeof *m->place);
			m->place[m->places++] = (struct place){p->id[id], (uint32_t)i, id};
		}
	if (m->places)
		qsort(m->place, m->places, sizeof *m->place, compare_places);
}

/* Adds what one store has seen at a time, unless it leads to a page that the new store does not have. */
static void add_seen(struct merge *m, const struct place *at, struct store_change c)
{
	const struct part *p = &m->part[at->part];

	if (c.target != STORE_NO_PAGE)
		c.target = c.target < store_pages(p->store) ? p->id[c.target] : STORE_NO_PAGE;
	if (!is_time(c.at) || (c.now == STORE_MOVED && c.target == STORE_NO_PAGE))
		return;
	m->seen = mem_grow(m->seen, &m->seen_room, m->n_seen + 1, sizeof *m->seen);
	m->seen[m->n_seen++] = c;
}

/* Adds the changes of a page that a store tells. Returns the last one. */
static struct store_change add_changes(struct merge *m, const struct place *at, const struct store_visited *v)
{
	struct store_change c = {.target = STORE_NO_PAGE};

	for (uint32_t i = 0; i < v->changes && store_change(m->part[at->part].store, at->id, i, &c); i++)
		add_seen(m, at, c);
	return c;
}

/* Returns the order of the first two fields that differ. */
static int compare_fields(const uint64_t fields[][2], size_t n)
{
	while (n && fields[0][0] == fields[0][1])
		n--, fields++;
	return n ? (fields[0][0] > fields[0][1]) - (fields[0][0] < fields[0][1]) : 0;
}

/* Makes signed numbers unsigned ones in the same order. */
static uint64_t ranked(int64_t number)
{
	return (uint64_t)number ^ (uint64_t)1 << 63;
}

/* Says whether visit a of a page says what the page is now, rather than b: the later one does; of two at the same time the one that
 * is more by its other fields, whatever the order of the stores is. */
static int is_newer(const struct store_visited *a, const struct store_visited *b)
{
	const uint64_t fields[][2] = {
		{ranked(a->last), ranked(b->last)},
		{ranked(a->modified), ranked(b->modified)},
		{a->status, b->status},
		{a->failures, b->failures},
		{a->etag_length, b->etag_length},
	};
	const int order = compare_fields(fields, sizeof fields / sizeof *fields);

	return order ? order > 0 : a->etag_length && memcmp(a->etag, b->etag, a->etag_length) > 0;
}

/* Adds the crawl, the changes and the last visit of a page in one store, and its visits to *all; what is known of the page by the
 * latest visit stays. */
static void add_place(struct merge *m, const struct place *at, struct store_visited *all)
{
	struct store *s = m->part[at->part].store;
	struct store_visited v;
	struct result r;

	(void)is_crawled(s, at->id, &r);
	(void)store_known(s, at->id, &v);
	struct store_change seen = {.now = STORE_THERE,
		.status = r.status,
		.before = INT64_MIN,
		.at = r.ended,
		.digest = {r.digest[0], r.digest[1]},
		.bytes = r.bytes,
		.target = STORE_NO_PAGE};
	add_seen(m, at, seen);
	const struct store_change last = add_changes(m, at, &v);
	seen = (struct store_change){.now = v.now,
		.status = v.status,
		.before = INT64_MIN,
		.at = v.last,
		.digest = {v.digest[0], v.digest[1]},
		.target = v.now == STORE_MOVED ? last.target : STORE_NO_PAGE};
	add_seen(m, at, seen);
	const uint32_t visits = v.visits < UINT32_MAX - 1 - all->visits ? all->visits + v.visits : UINT32_MAX - 1;
	const int is_undated = all->is_undated || v.is_undated;
	if (!all->visits || is_newer(&v, all))
		*all = v;
	all->visits = visits + 1; /* the crawl is one, too */
	all->is_undated = is_undated;
}

/* Orders observations by time, and then by all other fields, so that two which compare equal are equal, and the stores may come in
 * any order. */
static int compare_times(const void *a, const void *b)
{
	const struct store_change *x = a, *y = b;
	const uint64_t fields[][2] = {
		{ranked(x->at), ranked(y->at)},
		{x->now, y->now},
		{x->digest[0], y->digest[0]},
		{x->digest[1], y->digest[1]},
		{ranked(y->before), ranked(x->before)}, /* what bounds the change best comes first, and counts */
		{ranked(x->modified), ranked(y->modified)},
		{x->status, y->status},
		{x->bytes, y->bytes},
		{x->target, y->target},
	};

	return compare_fields(fields, sizeof fields / sizeof *fields);
}

static int is_same(const struct store_change *a, const struct store_change *b)
{
	if (a->now != b->now || a->now == STORE_GONE)
		return a->now == b->now;
	return a->now == STORE_MOVED ? a->target == b->target : a->digest[0] == b->digest[0] && a->digest[1] == b->digest[1];
}

/* Writes the changes between what was seen of page `to` since its crawl, in the order of time. */
static int write_changes(struct merge *m, uint32_t to, const struct result *crawl, struct store_visited *all, struct err_note *why)
{
	struct store_change last = {.now = STORE_THERE, .digest = {crawl->digest[0], crawl->digest[1]}, .target = STORE_NO_PAGE};
	int64_t before = crawl->ended;
	int err = 0;

	all->changes = 0;
	for (size_t i = 0; i < m->n_seen && !err; i++) {
		struct store_change c = m->seen[i];
		if (c.at < crawl->ended)
			continue;
		if (!is_same(&c, &last)) {
			c.before = c.before > before && c.before <= c.at ? c.before : before;
			err = store_put_change(m->into, to, all->changes++, &c, why);
			last = c;
		}
		before = c.at;
	}
	all->now = last.now;
	all->first = crawl->ended;
	all->last = before;
	return err;
}

/* Puts together what n stores have seen of a page; if it is one, its visits stay as they are. */
static int merge_page(struct merge *m, const struct place *at, size_t n, struct err_note *why)
{
	struct store_visited all = {.visits = 0};
	struct result crawl;
	int err = 0;

	m->n_seen = 0;
	if (n == 1) {
		if (!store_visited(m->part[at->part].store, at->id, &all))
			return 0;
		(void)add_changes(m, at, &all);
		for (all.changes = 0; all.changes < m->n_seen && !err; all.changes++)
			err = store_put_change(m->into, at->to, all.changes, &m->seen[all.changes], why);
	} else {
		for (size_t i = 0; i < n; i++)
			add_place(m, &at[i], &all);
		all.visits--; /* the crawl that counts */
		qsort(m->seen, m->n_seen, sizeof *m->seen, compare_times);
		(void)is_crawled(m->into, at->to, &crawl);
		err = write_changes(m, at->to, &crawl, &all, why);
	}
	return err ? err : store_put_visited(m->into, at->to, &all, why);
}

/* Writes the visits of all pages that are crawled in the new store, which has their results. A change that leads to a page that the
 * new store does not have is left out. */
static int merge_visits(struct merge *m, struct err_note *why)
{
	size_t pages = 0, n;
	int err = 0;

	gather_places(m);
	for (size_t i = 0; i < m->places && !err; i += n) {
		for (n = 1; i + n < m->places && m->place[i + n].to == m->place[i].to; n++)
			;
		err = merge_page(m, &m->place[i], n, why);
		if (!err && ++pages % VISITS_COMMIT_EVERY == 0)
			err = store_commit(m->into, why);
	}
	return err;
}

/* --- all of it */

/* Writes the settings that all stores have in common. */
static int merge_settings(const struct merge *m, struct err_note *why)
{
	const struct store *first = m->part[0].store;
	int err = 0;

	for (size_t i = 0; !err && i < first->settings; i++) {
		const char *name = first->setting[i].name, *text = store_get(m->part[0].store, name);
		int is_common = strcmp(name, STORE_SCRUBBED) != 0 &&
			(!m->lost || (strcmp(name, "agent") != 0 && strcmp(name, "agents") != 0));
		for (size_t k = 1; is_common && k < m->n; k++) {
			const char *other = store_get(m->part[k].store, name);
			is_common = other && strcmp(other, text) == 0;
		}
		if (is_common)
			err = store_set(m->into, name, text, why);
	}
	return err;
}

static int copy_robots(void *into, struct bytes origin, struct bytes value, struct err_note *why)
{
	const uint8_t *at = value.at, *end = at + value.n;
	int64_t expires;

	if (zigzag_read(&at, end, &expires))
		return 0;
	return store_put_robots(into, origin.at, origin.n, (const char *)at, (size_t)(end - at), expires, why);
}

static void merge_release(struct merge *m)
{
	for (size_t i = 0; i < m->n; i++) {
		store_log_stop(m->part[i].cursor);
		free(m->part[i].id);
		free(m->part[i].last);
		free(m->part[i].life);
		free(m->part[i].rule);
		while (m->part[i].words)
			free(m->part[i].word[--m->part[i].words]);
		free(m->part[i].word);
	}
	free(m->part);
	free(m->state);
	free(m->links);
	free(m->kinds);
	free(m->place);
	free(m->seen);
	buf_release(&m->anchors);
}

static int merge(struct merge *m, struct store *const *from, size_t n, struct err_note *why)
{
	int err = 0;

	assert(n >= 1 && !store_pages(m->into));
	m->part = mem_zero(n, sizeof *m->part);
	while (!err && m->n < n) {
		err = open_part(m, &m->part[m->n], from[m->n], why);
		m->n++;
	}
	if (!err)
		err = merge_settings(m, why);
	if (!err)
		err = merge_logs(m, why);
	if (!err)
		err = merge_visits(m, why);
	return err ? err : store_commit(m->into, why);
}

int store_merge(struct store *into, struct store *const *from, size_t n, struct store_merge_counts *counts, struct err_note *why)
{
	struct merge m = {.into = into, .counts = counts};

	*counts = (struct store_merge_counts){0};
	int err = merge(&m, from, n, why);
	for (size_t i = 0; i < n && !err; i++)
		err = store_doubt(from[i], why);
	counts->pages = store_pages(into);
	merge_release(&m);
	return err;
}

int store_rebuild(struct store *into, struct suspect *suspect, enum store_rebuilt rebuilt, struct store_lost *lost,
	struct err_note *why)
{
	struct store_merge_counts counts = {0};
	struct merge m = {.into = into, .counts = &counts, .lost = lost, .rebuilt = rebuilt};
	struct store *from = &suspect->store;
	struct store_page page;

	*lost = (struct store_lost){0};
	int err = merge(&m, &from, 1, why);
	for (uint32_t id = 0; !err && id < store_pages(from); id++)
		lost->pages += !store_page(from, id, &page);
	if (!err)
		err = env_walk(&from->env, ENV_ROBOTS, copy_robots, into, why);
	if (!err)
		err = store_commit(into, why);
	merge_release(&m);
	return err;
}
