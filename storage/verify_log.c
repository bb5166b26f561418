#include "base/mem.h"
#include "storage/handle.h"

#include <stdlib.h>

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

int verify_log(struct store *s, struct breaches *b, struct err_note *why)
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
