#include "base/ascii.h"
#include "base/mem.h"
#include "base/progress.h"
#include "storage/handle.h"
#include "storage/visits.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>

#define STEPS 256u /* between two looks at the clock */

void breach(struct breaches *b, const char *format, ...)
{
	char line[512];
	va_list args;

	va_start(args, format);
	ascii_format_list(line, sizeof line, format, args);
	va_end(args);
	err_escape(line);
	if (b->n < INT_MAX)
		b->n++;
	b->tell(b->ctx, line);
}

/* Counts one more verified record, for the progress. */
static void verify_step(struct store *s)
{
	if (s->progress && ++s->steps % STEPS == 0)
		progress_tick(s->progress, s->steps, NULL);
}

/* Returns about how often verify_step() is called, for the progress. */
static uint64_t steps_of(const struct store *s)
{
	return 2 * (uint64_t)store_hosts(s) + 3 * (uint64_t)store_pages(s) + s->results.n + s->links.n + store_log_length(s);
}

/* Checks rule S3: whether the records can be read one by one. */
static void verify_chunks(struct records *r, struct breaches *b)
{
	struct err_note why;

	for (size_t i = 0; i < r->chunks; i++) {
		if (records_read_chunk(r, i, &why)) {
			breach(b, "S3: %s", why.text);
			continue;
		}
		const struct chunk *k = &r->chunk[i];
		uint64_t count = records_chunk_end(r, i) - k->first, last = 0;
		for (uint64_t at = 0; k->ends && at < count; at++) {
			uint32_t end = records_end_at(k->ends, at);
			if (end <= last || end > k->size)
				breach(b, "S3: database '%s', record %llu ends where it cannot", env_db_name(r->db),
					(unsigned long long)(k->first + at));
			last = end;
		}
		if (k->ends && last != k->size)
			breach(b, "S3: database '%s', chunk %llu has bytes of no record", env_db_name(r->db),
				(unsigned long long)k->first);
	}
}

static int any_robots(void *ctx, struct bytes origin, struct bytes value, struct err_note *why)
{
	(void)ctx, (void)origin, (void)value, (void)why;
	return 0;
}

/* Checks rule S12 for one page or change. */
static int verify_visit(void *ctx, uint32_t id, const struct store_visited *v, const struct store_change *c, struct err_note *why)
{
	struct breaches *b = ctx;
	struct result result;

	(void)why;
	if (!c && (!store_result(b->store, id, &result) || result.state != PAGE_CRAWLED))
		breach(b, "S12: page %u has later visits, but is not crawled", id);
	if (!c && v->changes > v->visits)
		breach(b, "S12: page %u has %u changes in %u visits", id, v->changes, v->visits);
	if (c && (c->at < c->before || (c->now == STORE_MOVED) != (c->target != STORE_NO_PAGE)))
		breach(b, "S12: a change of page %u has times or a target that cannot be", id);
	return 0;
}

static int is_clean_url(const struct store_page *page)
{
	for (size_t i = 0; i < page->url_length; i++) {
		unsigned char c = (unsigned char)page->url[i];
		if (c <= ' ' || c == 0x7f)
			return 0;
	}
	return 1;
}

/* Reports each text that is equal to an earlier one: rules S4 and S5. */
static void verify_distinct(struct store *s, struct texts *t, const char *what, struct breaches *b)
{
	struct err_note why;
	const char *text;
	uint32_t found;
	size_t n;

	if (!t->built && texts_build(t, &why))
		breach(b, "%s: %s", what, why.text);
	for (uint32_t i = 0; i < t->records.n; i++) {
		verify_step(s);
		if (texts_read(t, i, &text, &n) && texts_find(t, text, n, &found) && found != i)
			breach(b, "%s: database '%s', %u and %u are the same", what, env_db_name(t->records.db), found, i);
	}
}

static void verify_pages(struct store *s, struct breaches *b)
{
	struct store_page page;

	for (uint32_t i = 0; i < store_pages(s); i++) {
		verify_step(s);
		if (!store_page(s, i, &page))
			breach(b, "S4: page %u cannot be read", i);
		else if (!is_clean_url(&page))
			breach(b, "S4: page %u has a URL with bytes that no URL has", i);
	}
	verify_distinct(s, &s->pages, "S4", b);
}

static void verify_hosts(struct store *s, struct breaches *b)
{
	const uint8_t *at;
	size_t n;

	for (uint32_t i = 0; i < store_hosts(s); i++) {
		verify_step(s);
		if (!records_get(&s->hosts.records, i, &at, &n) || n < 2 || memchr(at, 0, n) != at + n - 1)
			breach(b, "S5: host %u has no name", i);
	}
	verify_distinct(s, &s->hosts, "S5", b);
}

/* Checks rule S6: results can be read, and have a target if and only if their state allows one. */
static void verify_results(struct store *s, struct breaches *b)
{
	struct result result;
	const uint8_t *at;
	size_t n;

	for (uint64_t i = 0; i < s->results.n; i++) {
		verify_step(s);
		if (!records_get(&s->results, i, &at, &n) || result_read(s, at, n, &result))
			breach(b, "S6: result %llu cannot be read", (unsigned long long)i);
		else if (result.state == PAGE_REDIRECTED && result.target == STORE_NO_PAGE)
			breach(b, "S6: page %u is redirected to nowhere", result.id);
		else if (result.state != PAGE_REDIRECTED && result.state != PAGE_REFUSED && result.target != STORE_NO_PAGE)
			breach(b, "S6: page %u is not redirected, but has a target", result.id);
	}
}

/* Checks rule S7: the links of a page can be read, and are distinct. */
static void verify_links(struct store *s, struct breaches *b)
{
	uint32_t *last = mem_zero((size_t)store_pages(s) + 1, sizeof *last); /* record + 1, by page */
	uint32_t id;
	size_t n;
	int kinds;

	for (uint64_t i = 0; i < s->links.n; i++) {
		verify_step(s);
		if (links_read(s, i, &id, &n, &kinds)) {
			breach(b, "S7: links %llu cannot be read", (unsigned long long)i);
			continue;
		}
		for (size_t k = 0; k < n; k++) {
			if (last[s->link[k]] == i + 1)
				breach(b, "S7: page %u links to page %u twice", id, s->link[k]);
			last[s->link[k]] = (uint32_t)i + 1;
		}
	}
	free(last);
}

/* What the log says of a page so far. */
enum life {
	LIFE_UNSEEN,
	LIFE_OUTSIDE, /* refused by scope at its discovery */
	LIFE_AGAIN,   /* out of scope in a log of format 1, and found again, so that scope may have accepted it */
	LIFE_QUEUED,
	LIFE_TAKEN,
	LIFE_LEFT, /* in flight when a sitting ended */
	LIFE_CRAWLED,
	LIFE_FAILED,
	LIFE_REFUSED,
	LIFE_REDIRECTED
};

static const char *const life_name[] = {"unseen", "out of scope", "perhaps out of scope", "queued", "in flight", "left in flight",
	"crawled", "failed", "refused", "redirected"};

#define BIT(n) (1u << (n))

/* The states in which a page may be taken. */
#define TAKEABLE (BIT(LIFE_QUEUED) | BIT(LIFE_AGAIN) | BIT(LIFE_LEFT))

/* Rule S10: the states from which each kind of entry may move a page, and the state to which it moves it. */
static const struct {
	const char *name;
	unsigned from; /* bits of enum life; 0: any */
	enum life to;
} arrows[LOG_KINDS] = {
	[LOG_TAKE] = {"take", TAKEABLE, LIFE_TAKEN},
	[LOG_ADOPTED] = {"adopted", TAKEABLE | BIT(LIFE_OUTSIDE) | BIT(LIFE_FAILED) | BIT(LIFE_REFUSED), LIFE_TAKEN},
	[LOG_CRAWLED] = {"crawled", BIT(LIFE_TAKEN), LIFE_CRAWLED},
	[LOG_FAILED] = {"failed", BIT(LIFE_TAKEN), LIFE_FAILED},
	[LOG_REQUEUED] = {"retry", BIT(LIFE_TAKEN) | BIT(LIFE_LEFT), LIFE_QUEUED},
	[LOG_REFUSED] = {"refused", TAKEABLE | BIT(LIFE_TAKEN), LIFE_REFUSED},
	[LOG_REDIRECTED] = {"redirected", BIT(LIFE_TAKEN), LIFE_REDIRECTED},
	[LOG_ADMITTED] = {"admitted", BIT(LIFE_OUTSIDE) | BIT(LIFE_AGAIN) | BIT(LIFE_REFUSED) | BIT(LIFE_FAILED), LIFE_QUEUED},
	[LOG_EXPELLED] = {"expelled", BIT(LIFE_QUEUED) | BIT(LIFE_AGAIN) | BIT(LIFE_LEFT), LIFE_REFUSED},
};

/* The states that the result of a queued page may have: those of a page without an end yet, and PAGE_REFUSED, if robots.txt
 * refused the page before it was added as a seed. */
#define NOT_YET (BIT(PAGE_QUEUED) | BIT(PAGE_IN_FLIGHT) | BIT(PAGE_REFUSED))

/* S11: the states a result may have, bits of enum page_state; and whether there must be one. */
static const struct {
	unsigned states;
	int needed;
} results[] = {
	[LIFE_UNSEEN] = {0, 0},
	[LIFE_OUTSIDE] = {BIT(PAGE_REFUSED), 0},
	[LIFE_AGAIN] = {NOT_YET, 0},
	[LIFE_QUEUED] = {NOT_YET, 0},
	[LIFE_TAKEN] = {NOT_YET, 0},
	[LIFE_LEFT] = {NOT_YET, 0},
	[LIFE_CRAWLED] = {BIT(PAGE_CRAWLED), 1},
	[LIFE_FAILED] = {BIT(PAGE_FAILED), 1},
	[LIFE_REFUSED] = {BIT(PAGE_REFUSED), 0},
	[LIFE_REDIRECTED] = {BIT(PAGE_REDIRECTED), 1},
};

struct lives {
	struct store *store;
	struct breaches *b;
	uint8_t *life;        /* enum life, by page */
	uint32_t next;        /* pages below were seen */
	int is_in_order;      /* S9 holds of the entry */
	int tells_judgements; /* the log is none of format 1 */
	uint32_t *taken;      /* the pages taken since the sitting began, some of which have ended */
	size_t n_taken, taken_room;
};

/* Checks rule S9: pages are discovered in the order of their ids. */
static void see(struct lives *l, uint32_t id, uint64_t entry)
{
	l->is_in_order &= id == l->next;
	if (id != l->next)
		breach(l->b, "S9: entry %llu discovers page %u, but page %u is next", (unsigned long long)entry, id, l->next);
	l->next = id + 1;
}

/* Handles a page that a link or a redirect leads to. */
static void discover(struct lives *l, uint32_t id, uint64_t entry)
{
	struct store_page page;

	if (l->life[id] == LIFE_UNSEEN) {
		see(l, id, entry);
		int outside = store_page(l->store, id, &page) && page.refusal;
		l->life[id] = outside ? LIFE_OUTSIDE : LIFE_QUEUED;
	} else if (l->life[id] == LIFE_OUTSIDE && !l->tells_judgements) {
		l->life[id] = LIFE_AGAIN;
	}
}

/* Handles a seed, which is in scope even if scope has refused the page before. */
static void seed(struct lives *l, uint32_t id, uint64_t entry)
{
	if (l->life[id] == LIFE_UNSEEN)
		see(l, id, entry);
	if (l->life[id] < LIFE_QUEUED || l->life[id] == LIFE_REFUSED)
		l->life[id] = LIFE_QUEUED;
}

static void discover_links(struct lives *l, uint32_t id, uint64_t entry)
{
	const uint32_t *link;
	size_t n = store_links(l->store, id, &link, NULL);

	for (size_t i = 0; i < n; i++)
		discover(l, link[i], entry);
}

static void begin_sitting(struct lives *l)
{
	for (size_t i = 0; i < l->n_taken; i++)
		if (l->life[l->taken[i]] == LIFE_TAKEN)
			l->life[l->taken[i]] = LIFE_LEFT;
	l->n_taken = 0;
}

/* Handles an entry 'judged': the page, which scope had refused, is found again, and may be in scope now. The entry that follows
 * is the one that leads to it. */
static void judge(struct lives *l, const struct log_entry *e, uint64_t entry)
{
	const enum life life = (enum life)l->life[e->id];

	if (life != LIFE_OUTSIDE && life != LIFE_REFUSED)
		breach(l->b, "S10: entry %llu is 'judged' of page %u, which is %s", (unsigned long long)entry, e->id,
			life_name[life]);
	if (life == LIFE_OUTSIDE && e->outcome == OUTCOME_NONE)
		l->life[e->id] = LIFE_QUEUED;
}

/* Handles an entry 'visited': a later visit of a crawled page discovers new pages, by links that the store does not keep. */
static void visit(struct lives *l, const struct log_entry *e, uint64_t entry)
{
	if (l->life[e->id] != LIFE_CRAWLED)
		breach(l->b, "S10: entry %llu is 'visited' of page %u, which is %s", (unsigned long long)entry, e->id,
			life_name[l->life[e->id]]);
	for (uint32_t i = 0; i < e->n_new && e->first_new + i < store_pages(l->store); i++)
		discover(l, e->first_new + i, entry);
}

/* Follows an entry of the log: checks rule S10, and sets the new state of its page. */
static void follow(struct lives *l, const struct log_entry *e, uint64_t entry)
{
	struct result result;

	if (e->kind == LOG_SITTING)
		begin_sitting(l);
	if (e->kind == LOG_SEED || e->kind == LOG_SITEMAP)
		seed(l, e->id, entry);
	if (e->kind == LOG_JUDGED)
		judge(l, e, entry);
	if (e->kind == LOG_VISITED)
		visit(l, e, entry);
	for (uint32_t i = 0; e->kind == LOG_HEARD && i < e->n_new && e->first_new + i < store_pages(l->store); i++)
		discover(l, e->first_new + i, entry);
	if (!arrows[e->kind].from ||
		(e->kind == LOG_ADOPTED && (l->life[e->id] == LIFE_CRAWLED || l->life[e->id] == LIFE_REDIRECTED)))
		return;
	if (!(arrows[e->kind].from & BIT(l->life[e->id])))
		breach(l->b, "S10: entry %llu is '%s' of page %u, which is %s", (unsigned long long)entry, arrows[e->kind].name,
			e->id, life_name[l->life[e->id]]);
	/* a page that was never discovered counts as discovered now, and see() reports the breach of S9 */
	if (l->life[e->id] == LIFE_UNSEEN)
		see(l, e->id, entry);
	l->life[e->id] = (uint8_t)arrows[e->kind].to;
	if (e->kind == LOG_TAKE || e->kind == LOG_ADOPTED) {
		l->taken = mem_grow(l->taken, &l->taken_room, l->n_taken + 1, sizeof *l->taken);
		l->taken[l->n_taken++] = e->id;
	}
	if (e->kind == LOG_CRAWLED)
		discover_links(l, e->id, entry);
	if (e->kind == LOG_REDIRECTED) {
		discover(l, e->target, entry);
		if (store_result(l->store, e->id, &result) && result.target != e->target)
			breach(l->b, "S11: page %u was redirected to %u, its result says %u", e->id, e->target, result.target);
	}
}

/* Applies an entry of the log to the lives of the pages, and checks that the entry discovers as many pages as its field n_new
 * says. */
static void follow_counted(struct lives *l, const struct log_entry *e, uint64_t entry)
{
	const uint32_t before = l->next;

	l->is_in_order = 1;
	l->tells_judgements = e->n_new != STORE_NO_PAGE;
	follow(l, e, entry);
	if (l->is_in_order && l->tells_judgements && l->next - before != e->n_new)
		breach(l->b, "S9: entry %llu says that it led first to %u pages, but it did to %u", (unsigned long long)entry,
			e->n_new, l->next - before);
}

/* Checks rule S11 after the last entry: each page has the result and the links that its state in the log asks for. */
static void compare_with_results(struct lives *l)
{
	struct store *s = l->store;
	struct result result;
	uint64_t number;

	for (uint32_t id = 0; id < store_pages(s); id++) {
		enum life life = (enum life)l->life[id];
		int got = store_result(s, id, &result);
		verify_step(s);
		if (life == LIFE_UNSEEN)
			breach(l->b, "S9: the log never discovers page %u", id);
		if (!got && results[life].needed)
			breach(l->b, "S11: page %u is %s, but has no result", id, life_name[life]);
		if (got && !(results[life].states & BIT(result.state)))
			breach(l->b, "S11: page %u is %s, its result has state %u", id, life_name[life], result.state);
		if (life != LIFE_CRAWLED && latest_find(s, &s->latest_links, &s->links, id, &number))
			breach(l->b, "S11: page %u has links, but is %s", id, life_name[life]);
	}
}

/* Checks the invariants S8 to S11, which are about the log. Returns 0, or ERR_FILE if the disk cannot be read. */
static int verify_log(struct store *s, struct breaches *b, struct err_note *why)
{
	struct lives l = {.store = s, .b = b};
	struct store_log_cursor *c = store_log_start(s);
	struct log_entry e;
	struct err_note note;
	uint64_t entry = 0;
	int status;

	l.life = mem_zero((size_t)store_pages(s) + 1, 1);
	while ((status = store_log_next(c, &e, &note)) == 1) {
		verify_step(s);
		follow_counted(&l, &e, entry++);
	}
	store_log_stop(c);
	if (status == ERR_DAMAGED) {
		breach(b, "S8: %s", note.text);
		status = 0;
	} else if (status) {
		err_set(why, (enum err)status, "%s", note.text);
	} else {
		compare_with_results(&l);
	}
	free(l.life);
	free(l.taken);
	return status;
}

int store_verify(struct store *s, void (*tell)(void *ctx, const char *line), void *ctx, struct err_note *why)
{
	struct breaches b = {.store = s, .tell = tell, .ctx = ctx};
	struct records *runs[STORE_RUNS];
	struct err_note note;

	s->steps = 0;
	if (s->progress)
		s->progress->total = steps_of(s);
	/* S2 was looked at when it was opened */
	int status = env_verify(&s->env, &note);
	if (status == ERR_DAMAGED)
		breach(&b, "S1: %s", note.text);
	else if (status)
		return err_set(why, (enum err)status, "%s", note.text);
	const int before = b.n;
	store_runs(s, runs);
	for (int i = 0; i < STORE_RUNS; i++)
		verify_chunks(runs[i], &b);
	if (env_walk(&s->env, ENV_ROBOTS, any_robots, NULL, &note))
		breach(&b, "S3: %s", note.text);
	if (b.n > before)
		return b.n;
	verify_hosts(s, &b);
	verify_pages(s, &b);
	verify_results(s, &b);
	verify_links(s, &b);
	if (store_visits_each(s, verify_visit, &b, &note)) /* which reads all values: rule S3 */
		breach(&b, "S12: %s", note.text);
	status = verify_log(s, &b, why);
	return status ? status : b.n;
}

int suspect_verify(struct suspect *s, struct progress *p, void (*tell)(void *ctx, const char *line), void *ctx,
	struct store **sound, struct err_note *why)
{
	s->store.progress = p;
	const int breaches = store_verify(&s->store, tell, ctx, why);
	*sound = breaches ? NULL : &s->store;
	return breaches;
}

/* The check of a store that is opened: the checksum of every value is verified once. What a damaged record lacks would otherwise be
 * missing in an answer, or in a store that is built on this one. Decoding all records, too, would take longer than most of what is
 * done with a store. The rules that relate records to one another are store_verify()'s alone. */

static int any_visit(void *ctx, uint32_t id, const struct store_visited *v, const struct store_change *change, struct err_note *why)
{
	(void)ctx, (void)id, (void)v, (void)change, (void)why;
	return 0;
}

/* Decodes pages, hosts, results and links, up to the first that cannot be read; store_unread() remembers it. */
static void decode_records(struct store *s)
{
	struct store_page page;
	struct result result;
	const uint8_t *at;
	const char *name;
	int with_kinds;
	uint32_t id;
	size_t n;

	for (uint32_t i = 0; i < store_hosts(s) && !s->env.unread; i++)
		if (!texts_read(&s->hosts, i, &name, &n))
			store_unread(s, "the name of host", i);
	for (uint32_t i = 0; i < store_pages(s) && !s->env.unread; i++)
		(void)!store_page(s, i, &page);
	for (uint64_t i = 0; i < s->results.n && !s->env.unread; i++)
		if (!records_get(&s->results, i, &at, &n) || result_read(s, at, n, &result))
			store_unread(s, "result", i);
	for (uint64_t i = 0; i < s->links.n && !s->env.unread; i++)
		if (links_read(s, i, &id, &n, &with_kinds))
			store_unread(s, "the record of links", i);
}

int store_decode(struct store *s, struct err_note *why)
{
	struct store_log_cursor *c = store_log_start(s);
	struct log_entry e;
	int err;

	decode_records(s);
	err = s->env.unread ? env_unread(&s->env, s->env.unread, &s->env.unread_why, why) : 0;
	if (!err)
		err = store_visits_each(s, any_visit, NULL, why);
	if (!err)
		while ((err = store_log_next(c, &e, why)) == 1)
			;
	store_log_stop(c);
	return err == ERR_NEWER ? 0
				: err; /* an entry of a kind that this version does not know is left to those who read the log */
}

int store_check(struct store *s, struct err_note *why)
{
	struct records *runs[STORE_RUNS];
	int err = s->env.format >= ENV_FORMAT_SUMS ? env_walk(&s->env, ENV_ROBOTS, any_robots, NULL, why) : store_decode(s, why);

	store_runs(s, runs);
	for (int i = 0; i < STORE_RUNS; i++)
		for (size_t k = 0; k < runs[i]->chunks && !err; k++)
			err = records_read_chunk(runs[i], k, why);
	if (!err)
		err = store_visits_each(s, any_visit, NULL, why);
	env_map_let_go(&s->env.map); /* most of the file is not read again soon */
	return err;
}
