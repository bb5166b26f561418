#include "traps/traps.h"
#include "base/buf.h"
#include "base/mem.h"
#include "parser/shape.h"
#include "traps/chains.h"
#include "traps/limits.h"
#include "traps/mirrors.h"
#include "traps/sessions.h"
#include "traps/sinks.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* The duplicate detector has a place for a URL at each of these levels: TRAPS_FOLDER to TRAPS_DOMAIN. */
#define LEVELS (TRAPS_DOMAIN + 1)

/* Why an address is made up. */
enum made_up_for { FOR_SINK, FOR_SESSION, FOR_LISTS, MADE_UP_FOR };

struct path {
	uint64_t key;
	uint64_t queries; /* the crawled pages with this path and a query */
};

struct traps {
	struct limits limits;
	struct duplicates duplicates;
	struct mirrors mirrors;
	struct sessions sessions;
	struct sinks sinks;
	struct chains chains;
	struct trap_places places;
	struct places_limits of_level[LEVELS], of_mirror, of_session, of_form, of_repeats, of_dates, of_queries, of_sink;
	uint32_t queries, asks; /* options */
	/* the weights of a page with the bytes of another, of one whose URL differs from the other's in a session id, and of one
	 * with the bytes of the mirrored page */
	uint32_t of_same, of_alias, of_session_id, of_original;
	int has_sessions;          /* 1: two URLs that differed only in drawn parts have had the same content */
	struct map paths;          /* by path: the number of crawled pages with this path and a query */
	struct places_freed freed; /* the pages that the last fact has freed */
	struct url other, beside;  /* scratch memory, whose texts belong to the traps_world */
	struct buf text;           /* scratch memory */
};

/* The places of a URL that are deferred or skipped. `state`, `key` and `verdict` are those of the place with the most severe
 * state, and of several such places those of the first. */
struct url_places {
	enum places_state state;
	uint64_t key;
	struct traps_verdict verdict; /* all fields but `action` */
	size_t n;                     /* the number of places */
	uint64_t keys[6 + CHAINS_LEVELS + LEVELS + MIRRORS_FOLDERS];
};

#define DEFER      8 /* the pages confirmed in a row after which the pages of a place are deferred */
#define NEW_FAMILY 8 /* times_of() */
#define FARM       2
#define ODD        10 /* how much more a page weighs that has the bytes of another and an odd URL */

/* The pages in a row after which the other pages of a growing place are skipped; of pages with bytes of their own, it is the
 * option `duplicates`: */
#define SAME    80   /* of pages with the bytes of others */
#define ALIAS   250  /* of pages that lead nowhere and have the bytes of pages of other places */
#define SESSION 24   /* of pages whose URLs differ from those of others, with the same content, in a session id */
#define WHOLE   1000 /* where the option `duplicates` is 0 */
#define BEFORE  16   /* at most a BEFORE-th of a folder's last pages may have come before its row */

/* Returns the key of the level TRAPS_FOLDER for a shape_family(). */
static uint64_t traps_place_of_family(uint64_t family)
{
	return places_key(family, PLACES_OF_LEVEL + TRAPS_FOLDER);
}

/* Returns the key of the place to which a URL belongs at a level of the duplicate detector. */
static uint64_t traps_place_of_level(struct traps *t, enum traps_cover level, const struct url_traits *u)
{
	const unsigned salt = PLACES_OF_LEVEL + level;

	switch (level) {
	case TRAPS_FOLDER:
		return traps_place_of_family(shape_family(u->url));
	case TRAPS_HOST:
		return places_key(u->host, salt);
	case TRAPS_WEB_STARTS:
		return places_key(0, salt);
	default:
		return places_key(limits_domain(&t->limits, u), salt);
	}
}

/* Says whether at least as many pages with the URL's path and a query were crawled as the option `queries` allows. */
static int traps_has_queries(const struct traps *t, const struct url_traits *u)
{
	const struct path *path = t->queries && u->path ? map_find(&t->paths, u->path) : NULL;

	return path && path->queries >= t->queries;
}

/* Returns the levels at which a URL belongs to a place, as a mask: its folder and host always; its domain, if its host is
 * hollow; TRAPS_DOMAIN_STARTS, if it is the first page of its host; TRAPS_WEB_STARTS, if it is the first of its domain. */
static unsigned levels_of(struct traps *t, const struct url_traits *u)
{
	const struct duplicates_counts host = duplicates_count(&t->duplicates, u->host);
	unsigned levels = 1u << TRAPS_FOLDER | 1u << TRAPS_HOST;

	if (duplicates_is_hollow(&host))
		levels |= 1u << TRAPS_DOMAIN;
	if (host.pages)
		return levels;
	const uint64_t domain = limits_domain(&t->limits, u);
	return levels | 1u << (duplicates_count(&t->duplicates, ~domain).pages ? TRAPS_DOMAIN_STARTS : TRAPS_WEB_STARTS);
}

/* Adds a place of the URL to *s, if it is deferred or skipped; the fields `action` and `row` of the verdict are not used. Where it
 * names no original, it is that of the page that was confirmed last in the place. */
static void add_place(struct url_places *s, const struct traps *t, uint64_t key, const struct places_limits *limits,
	struct traps_verdict verdict)
{
	const enum places_state state = places_state(&t->places, key, limits);

	if (state == PLACE_TRUSTED)
		return;
	s->keys[s->n++] = key;
	if (state <= s->state)
		return;
	s->state = state;
	s->key = key;
	if (verdict.original == TRAPS_NO_PAGE)
		verdict.original = places_example(&t->places, key);
	verdict.row = places_row(&t->places, key);
	s->verdict = verdict;
}

/* Returns the limits of a folder, in which the first pages of an endless section may have differed from each other: those
 * before the row count, too. */
static struct places_limits of_folder(const struct traps *t, uint64_t key)
{
	struct places_limits limits = t->of_level[TRAPS_FOLDER];
	const uint32_t before = duplicates_count(&t->duplicates, key).pages - places_row(&t->places, key);

	limits.skip -= before < limits.skip / BEFORE ? before : limits.skip / BEFORE;
	return limits;
}

/* Adds the places of a URL to which only duplicates link. */
static void add_levels(struct url_places *s, struct traps *t, const struct url_traits *u)
{
	const unsigned levels = levels_of(t, u);

	for (enum traps_cover level = TRAPS_FOLDER; level < LEVELS; level++)
		if (levels >> level & 1) {
			const uint64_t key = traps_place_of_level(t, level, u);
			const struct places_limits limits = level == TRAPS_FOLDER ? of_folder(t, key) : t->of_level[level];
			add_place(s, t, key, &limits,
				(struct traps_verdict){.detector = OUTCOME_DUPLICATE, .cover = level, .original = TRAPS_NO_PAGE});
		}
}

/* Adds the place of a URL that differs from a crawled page's in parts that look random only. */
static void add_session(struct url_places *s, const struct traps *t, const struct url *u)
{
	const struct sessions_match match = sessions_find(&t->sessions, u);

	if (match.is_known)
		add_place(s, t, places_key(match.place, PLACES_OF_SESSION), &t->of_session,
			(struct traps_verdict){.detector = OUTCOME_SESSION, .cover = TRAPS_PARAMETERS, .original = match.first});
}

/* Looks up the page at the URL of the original of a mirrored URL. Returns 1 with *id, or 0 if the crawl does not know
 * this URL. */
static int traps_find_original(struct traps *t, const struct traps_world *w, const struct url *u, const struct mirrors_original *o,
	uint32_t *id)
{
	if (!w->url(w->ctx, o->like, &t->beside) || t->beside.text.used < o->length)
		return 0;
	buf_clear(&t->text);
	buf_add(&t->text, t->beside.text.at, o->length);
	buf_add(&t->text, u->text.at + o->tail, u->text.used - o->tail);
	return w->find(w->ctx, t->text.at, t->text.used, id);
}

/* Says whether a mirror has a page whose content no other host or folder has; such a mirror is not skipped. `beside` is
 * the URL of a page of the original. */
static int has_own(const struct traps *t, const struct url_traits *traits, const struct mirrors_original *o)
{
	const struct url *u = traits->url;
	const int is_host =
		o->tail == u->path && (t->beside.path != u->path || memcmp(t->beside.text.at, u->text.at, u->path) != 0);

	return duplicates_count(&t->duplicates, is_host ? traits->host : shape_root(u)).alone > 0;
}

/* Adds the mirrors that a URL is in, if the crawl knows the page of the original. */
static void add_mirrors(struct url_places *s, struct traps *t, const struct traps_world *w, const struct url_traits *u)
{
	struct mirrors_original o[MIRRORS_FOLDERS];
	const size_t n = mirrors_find(&t->mirrors, u->url, o);

	for (size_t i = 0; i < n; i++) {
		const uint64_t key = places_key(o[i].key, PLACES_OF_MIRROR);
		struct places_limits limits = t->of_mirror;
		uint32_t id;
		if (places_state(&t->places, key, &limits) == PLACE_TRUSTED || !traps_find_original(t, w, u->url, &o[i], &id))
			continue;
		if (has_own(t, u, &o[i]) || !w->is_crawled(w->ctx, id))
			limits.skip = UINT32_MAX;
		add_place(s, t, key, &limits,
			(struct traps_verdict){.detector = OUTCOME_MIRROR,
				.cover = TRAPS_MIRROR,
				.original = id,
				.prefix = o[i].tail});
	}
}

/* Adds the sections without end to which a URL belongs. */
static void add_chains(struct url_places *s, struct traps *t, uint32_t id, const struct url_traits *u)
{
	struct chains_section section;

	for (enum chains_level level = 0; level < CHAINS_LEVELS; level++)
		if (chains_doubts(&t->chains, &t->places, id, u, level, &section))
			add_place(s, t, section.key, &section.limits,
				(struct traps_verdict){.detector = OUTCOME_CHAIN,
					.cover = level == CHAINS_HOST ? TRAPS_HOST : TRAPS_FOLDER,
					.original = TRAPS_NO_PAGE});
}

/* Finds the deferred and skipped places of the URL of page `id`. */
static struct url_places traps_url_places(struct traps *t, const struct traps_world *w, uint32_t id, const struct url_traits *u)
{
	struct url_places s = {.state = PLACE_TRUSTED, .verdict = {.original = TRAPS_NO_PAGE}};
	uint32_t first;

	/* an address that was made up is asked in any case */
	if (sinks_is_made(&t->sinks, id))
		return s;
	if (limits_has_form(&t->limits, u, id, &first))
		add_place(&s, t, places_key(u->host, PLACES_OF_FORM), &t->of_form,
			(struct traps_verdict){.detector = OUTCOME_SESSION, .cover = TRAPS_HOST, .original = first});
	if (t->has_sessions)
		add_session(&s, t, u->url);
	/* before add_levels(): a page is kept in the first of its places with the same state, and whether a mirror
	 * is skipped depends on the number of pages that it keeps */
	if (t->of_mirror.defer)
		add_mirrors(&s, t, w, u);
	if (limits_is_odd(&t->limits, u))
		add_place(&s, t, places_key(shape_root(u->url), PLACES_OF_REPEATS), &t->of_repeats,
			(struct traps_verdict){.detector = OUTCOME_REPEATS, .cover = TRAPS_FOLDER, .original = TRAPS_NO_PAGE});
	if (limits_is_far(&t->limits, u))
		add_place(&s, t, places_key(shape_family(u->url), PLACES_OF_DATES), &t->of_dates,
			(struct traps_verdict){.detector = OUTCOME_CALENDAR, .cover = TRAPS_FOLDER, .original = TRAPS_NO_PAGE});
	if (traps_has_queries(t, u))
		add_place(&s, t, places_key(u->path, PLACES_OF_QUERIES), &t->of_queries,
			(struct traps_verdict){.detector = OUTCOME_QUERIES, .cover = TRAPS_PATH, .original = TRAPS_NO_PAGE});
	if (t->places.place.used)
		add_place(&s, t, sinks_place(u), &t->of_sink,
			(struct traps_verdict){.detector = OUTCOME_DUPLICATE, .cover = TRAPS_FOLDER, .original = TRAPS_NO_PAGE});
	add_chains(&s, t, id, u);
	if (duplicates_leader(&t->duplicates, id))
		add_levels(&s, t, u);
	return s;
}

/* A crawled page, compared with the first page that had its content. */
struct told {
	const struct traps_fact *fact;
	const struct url_traits *url;
	struct page_stand at;
	struct page_copied copied;
	uint64_t leader;  /* duplicates_leader() */
	int is_made;      /* 1: its address was made up */
	uint32_t made_up; /* note_made_up() */
	int is_junk;      /* 1: it is a duplicate, and what the site shows for whatever it has no page for (traps/sinks.h) */
	int is_alias;     /* 1: it has the bytes of a page whose sinks_place() is another */
	int has_original; /* 1: it is a duplicate of another page, whose URL is `original` */
	const struct url *original;
};

/* What a duplicate weighs, and what it would weigh if its bytes were its own (struct places_met). */
struct weight {
	uint32_t is, least;
};

/* Confirms a place by a page of this weight. The place grows also by links to new URLs that a limit refuses. */
static void confirm(struct traps *t, uint64_t key, const struct places_limits *limits, const struct told *p, struct weight weight)
{
	if (limits->defer)
		places_confirmed(&t->places, key, limits,
			&(struct places_met){p->copied.first, p->fact->new_refused != 0, weight.is, weight.least});
}

/* Returns `times` the weight of a duplicate: a page with bytes of its own weighs little, since these may be what the page is
 * about: its pictures, its dates, its data for a script. So does the copy of a page of its place on a site that tells the
 * addresses that it has from others. */
static struct weight weight_of(const struct traps *t, const struct told *p, uint32_t times)
{
	const int is_worthless = p->is_junk || (p->copied.is_same && (p->is_alias || !sinks_was_denied(&t->sinks, p->at.host)));

	return (struct weight){is_worthless ? times * t->of_same : times, times};
}

/* Returns a weight that the bytes of the page do not change. */
static struct weight weight_in_any_case(uint32_t weight)
{
	return (struct weight){weight, weight};
}

/* Returns by what the weight of a duplicate is multiplied at a level: for a host, the first pages of a family count NEW_FAMILY
 * times as much as the others, so that several families that each have an end are no endless host; and the pages of a farm of
 * hosts count twice, since each host is asked for its robots.txt, too. */
static uint32_t times_of(const struct traps *t, enum traps_cover level, const struct told *p)
{
	if (level == TRAPS_FOLDER)
		return 1;
	if (level != TRAPS_HOST)
		return FARM;
	return duplicates_count(&t->duplicates, p->at.family).pages <= DEFER ? NEW_FAMILY : 1;
}

/* Notes that a page of a place is no duplicate. */
static void differ(struct traps *t, uint64_t key, const struct places_limits *limits)
{
	if (limits->defer)
		places_differed(&t->places, key, limits, &t->freed);
}

/* Confirms a place by a page if it is a duplicate, and frees the place otherwise. */
static void judge(struct traps *t, uint64_t key, const struct places_limits *limits, const struct told *p, struct weight weight)
{
	if (p->copied.is_copy)
		confirm(t, key, limits, p, weight);
	else
		differ(t, key, limits);
}

/* Returns the levels whose places a page confirms, if it is a duplicate, or frees, as a mask. A duplicate of a page on
 * another host, or in a place that may be a mirror, confirms neither its folder nor its host: the mirror detector judges
 * it. */
static unsigned levels_told(const struct told *p)
{
	unsigned levels = 0;

	if (!p->copied.is_copy || p->copied.stand.host != p->at.host)
		levels |= 1u << TRAPS_DOMAIN;
	if (!p->copied.is_copy || (p->has_original && !mirrors_may_be(p->url->url, p->original)))
		levels |= 1u << TRAPS_FOLDER | 1u << TRAPS_HOST;
	if (p->copied.is_first_of_host)
		levels |= 1u << TRAPS_DOMAIN_STARTS;
	if (p->copied.is_first_of_domain)
		levels |= 1u << TRAPS_WEB_STARTS;
	return levels;
}

/* Confirms or frees the places of a page to which only duplicates link. */
static void learn_duplicate(struct traps *t, const struct told *p)
{
	const unsigned told = p->leader ? levels_told(p) : 0;

	for (enum traps_cover level = TRAPS_FOLDER; level < LEVELS; level++)
		if (told >> level & 1)
			judge(t, traps_place_of_level(t, level, p->url), &t->of_level[level], p,
				weight_of(t, p, times_of(t, level, p)));
	/* the family that led to this page has led to a page with new content */
	if (told && !p->copied.is_copy)
		differ(t, p->leader, &t->of_level[TRAPS_FOLDER]);
}

/* Says whether a page leads to no page that was unknown, but for one whose address was made up. */
static int leads_nowhere(const struct traps_fact *f, uint32_t made_up)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->links[i] >= f->first_new && f->links[i] != made_up)
			return 0;
	return !f->new_refused;
}

/* Returns a hash of the text of a page, by which a sink is known: its fingerprint, or its digest if it has none. */
static uint64_t text_of(const struct page_marks *m)
{
	return m->fingerprint ? m->fingerprint : m->digest[0] ^ m->digest[1];
}

/* Finds the page with which a page is compared to make up an address: one that had the same text on the same host; or, in the
 * place of a session id that is confirmed, the first whose URL differs in the session id alone. */
static int asks_like(const struct traps *t, const struct traps_fact *f, enum made_up_for why, uint32_t *like)
{
	if (why == FOR_SINK)
		return sinks_asks(&t->sinks, f->traits->host, text_of(&f->marks), like);
	if (why == FOR_LISTS)
		return chains_asks(&t->chains, &t->places, f, like);
	if (!t->has_sessions || !sinks_may_ask(&t->sinks, f->traits->host))
		return 0;
	const struct sessions_match match = sessions_find(&t->sessions, f->traits->url);
	*like = match.first;
	return match.is_known && !match.is_proved &&
		places_row(&t->places, places_key(match.place, PLACES_OF_SESSION)) == DEFER - 1;
}

/* Writes the address that is made up from the URL of a page, if one is, into *out. */
static int make_up(struct traps *t, const struct traps_world *w, const struct traps_fact *f, enum made_up_for why, struct buf *out)
{
	uint32_t like;

	return t->asks && asks_like(t, f, why, &like) && w->url(w->ctx, like, &t->beside) &&
		sinks_make_up(f->traits->url, &t->beside, why == FOR_LISTS ? SINKS_FAR : SINKS_DRAWN, out);
}

/* Finds the page whose address was made up as a link of this one, and notes it. Returns TRAPS_NO_PAGE if there is none. */
static uint32_t note_made_up(struct traps *t, const struct traps_world *w, const struct traps_fact *f)
{
	uint32_t id;

	for (enum made_up_for why = 0; why < MADE_UP_FOR; why++) {
		if (!make_up(t, w, f, why, &t->text) || !w->find(w->ctx, t->text.at, t->text.used, &id))
			continue;
		if (why == FOR_LISTS) {
			chains_made(&t->chains, f->traits, id);
			sinks_made_for_others(&t->sinks, id);
		} else {
			sinks_made(&t->sinks, f->traits->host, text_of(&f->marks), id);
		}
		return id;
	}
	return TRAPS_NO_PAGE;
}

/* Confirms the place of a page that adds nothing, which is a duplicate that is junk or leads nowhere, or frees that of another
 * page; but a page with the bytes of another that leads on does neither. Only junk, and pages with the bytes of pages of other
 * places, have a weight. Others, each of which may be about something that its address alone says, are put off and not
 * skipped, and take back the weight of the pages before them. */
static void learn_sink(struct traps *t, const struct told *p)
{
	const struct traps_fact *f = p->fact;
	const uint64_t key = sinks_place(p->url);

	if (!t->of_sink.defer)
		return;
	if (!p->copied.is_copy || (!p->is_junk && !leads_nowhere(f, p->made_up))) {
		if (!p->copied.is_same)
			differ(t, key, &t->of_sink);
		return;
	}
	const uint32_t weight = p->is_junk ? t->of_same : p->is_alias ? t->of_alias : 0;
	confirm(t, key, &t->of_sink, p, (struct weight){weight, 0});
}

/* Confirms or frees the place of a page that was redirected for pages that add nothing: the target adds something unless it is
 * crawled, or waits. */
static void learn_redirect(struct traps *t, const struct traps_world *w, const struct traps_fact *f)
{
	if (!t->of_sink.defer || f->target == f->id || !w->url(w->ctx, f->target, &t->beside))
		return;
	const struct url_traits traits = url_traits(&t->beside);
	const uint64_t key = sinks_place(f->traits);
	const enum places_state state = places_state(&t->places, sinks_place(&traits), &t->of_sink);
	const uint32_t is_crawled = (uint32_t)w->is_crawled(w->ctx, f->target);

	if (state == PLACE_TRUSTED && !is_crawled)
		places_differed(&t->places, key, &t->of_sink, &t->freed);
	else
		places_confirmed(&t->places, key, &t->of_sink,
			&(struct places_met){.original = f->target,
				.weight = state == PLACE_SKIPPED ? t->of_same : is_crawled,
				.least = state == PLACE_SKIPPED ? 0 : is_crawled});
}

/* Confirms or frees the program of a page whose URL differs from a crawled page's in parts that look random only. */
static void learn_session(struct traps *t, const struct told *p)
{
	const struct page_marks *marks = &p->fact->marks;

	if (!t->of_session.defer || !(marks->fingerprint || marks->digest[0]))
		return;
	const struct sessions_match match = sessions_add(&t->sessions, p->url->url, p->fact->id, p->copied.first);
	if (!match.is_known)
		return;
	const uint64_t key = places_key(match.place, PLACES_OF_SESSION);
	const int is_same = match.content == p->copied.first;
	t->has_sessions |= is_same;
	if (!is_same || p->is_made)
		sessions_proved(&t->sessions, match.place, is_same);
	if (is_same)
		confirm(t, key, &t->of_session, p,
			weight_in_any_case(match.is_again || match.is_proved ? t->of_session_id : weight_of(t, p, 1).is));
	else
		differ(t, key, &t->of_session);
}

/* Confirms or frees the URLs of a host that differ in a session id with a well-known name, or in the order of their parameters, by
 * such a page, once the page is crawled from whose URL this one differs. */
static void learn_form(struct traps *t, const struct traps_world *w, const struct told *p)
{
	uint32_t first;

	if (limits_has_form(&t->limits, p->url, p->fact->id, &first) && w->is_crawled(w->ctx, first))
		judge(t, places_key(p->url->host, PLACES_OF_FORM), &t->of_form, p, weight_in_any_case(t->of_session_id));
}

/* Frees the mirrors that a page is in, if it is no duplicate, but the page at the URL of its original is crawled. */
static void learn_no_mirror(struct traps *t, const struct traps_world *w, const struct url *u)
{
	struct mirrors_original o[MIRRORS_FOLDERS];
	const size_t n = mirrors_find(&t->mirrors, u, o);

	for (size_t i = 0; i < n; i++) {
		uint32_t id;
		if (traps_find_original(t, w, u, &o[i], &id) && w->is_crawled(w->ctx, id))
			differ(t, places_key(o[i].key, PLACES_OF_MIRROR), &t->of_mirror);
	}
}

/* Counts a duplicate as a vote for a mirror, and confirms the mirror; frees it by a page that differs. */
static void learn_mirror(struct traps *t, const struct traps_world *w, const struct told *p)
{
	uint64_t key;

	if (!t->of_mirror.defer)
		return;
	if (!p->copied.is_copy)
		learn_no_mirror(t, w, p->url->url);
	else if (p->has_original && mirrors_add(&t->mirrors, p->url->url, p->original, p->copied.first, &key))
		confirm(t, places_key(key, PLACES_OF_MIRROR), &t->of_mirror, p,
			weight_in_any_case(p->copied.is_same ? t->of_original : 1));
}

/* Says whether a URL looks as those of an endless program do. */
typedef int odd_rule(const struct limits *, const struct url_traits *);

/* Says whether a page has led to a page that was unknown, and whose URL is as odd as its own. */
static int leads_on(struct traps *t, const struct traps_world *w, const struct traps_fact *f, odd_rule *is_odd)
{
	for (size_t i = 0; i < f->n; i++) {
		if (f->links[i] < f->first_new || !w->url(w->ctx, f->links[i], &t->beside))
			continue;
		const struct url_traits traits = url_traits(&t->beside);
		if (is_odd(&t->limits, &traits))
			return 1;
	}
	return 0;
}

/* Confirms or frees the place of a page with an odd URL. A page that leads to another such page confirms it even if its
 * content is new, since a program can make new content without end; one that leads to none does not confirm it, since there
 * the place ends. */
static void learn_odd(struct traps *t, const struct traps_world *w, const struct told *p, odd_rule *is_odd, uint64_t key,
	const struct places_limits *limits)
{
	if (leads_on(t, w, p->fact, is_odd))
		confirm(t, key, limits, p, (struct weight){p->copied.is_same ? ODD * t->of_same : 1, 1});
	else if (!p->copied.is_copy)
		differ(t, key, limits);
}

/* Notes that a page that is not a duplicate links to page `id`, which is freed if it was kept. */
static void trust(struct traps *t, uint32_t id)
{
	if (duplicates_trust(&t->duplicates, id))
		places_free(&t->places, id, &t->freed);
}

/* Notes of the pages that a page links to whether only duplicates link to them. */
static void follow_links(struct traps *t, const struct told *p)
{
	for (size_t i = 0; i < p->fact->n; i++) {
		const uint32_t id = p->fact->links[i];
		if (!p->copied.is_copy)
			trust(t, id);
		else if (id >= p->fact->first_new && t->of_level[TRAPS_FOLDER].defer)
			duplicates_lead(&t->duplicates, id, p->at.family);
	}
}

/* What stand_of() needs. */
struct originals {
	const struct traps_world *world;
	struct url *url; /* of the original, once it was read */
	int is_read;
};

/* The stand_of() of struct page_met. */
static int stand_of(void *ctx, uint32_t id, struct page_stand *out)
{
	struct originals *o = ctx;

	o->is_read = o->world->url(o->world->ctx, id, o->url);
	if (o->is_read)
		*out = (struct page_stand){.host = url_traits(o->url).host, .root = shape_root(o->url)};
	return o->is_read;
}

static int is_alias(const struct url_traits *u, const struct url *original)
{
	const struct url_traits traits = url_traits(original);

	return sinks_place(u) != sinks_place(&traits);
}

/* Confirms or frees the places of a page. */
static void learn_places(struct traps *t, const struct traps_world *w, const struct told *p)
{
	learn_duplicate(t, p);
	learn_mirror(t, w, p);
	learn_form(t, w, p);
	if (limits_is_odd(&t->limits, p->url))
		learn_odd(t, w, p, limits_is_odd, places_key(shape_root(p->url->url), PLACES_OF_REPEATS), &t->of_repeats);
	if (limits_is_far(&t->limits, p->url))
		learn_odd(t, w, p, limits_is_far, places_key(shape_family(p->url->url), PLACES_OF_DATES), &t->of_dates);
	if (traps_has_queries(t, p->url))
		judge(t, places_key(p->url->path, PLACES_OF_QUERIES), &t->of_queries, p, weight_of(t, p, 1));
	learn_sink(t, p);
}

/* Handles a fact TRAPS_CRAWLED: finds out whether the page is a duplicate, and confirms or trusts its places. */
static void traps_learn(struct traps *t, const struct traps_world *w, const struct traps_fact *f)
{
	struct told p = {
		.fact = f,
		.url = f->traits,
		.at = {.host = f->traits->host,
			.root = shape_root(f->traits->url),
			.family = traps_place_of_family(shape_family(f->traits->url))},
		.leader = duplicates_leader(&t->duplicates, f->id),
		.made_up = note_made_up(t, w, f),
		.is_made = sinks_is_made(&t->sinks, f->id),
		.original = &t->other,
	};
	struct originals originals = {w, &t->other, 0};

	p.at.domain = ~limits_domain(&t->limits, f->traits);
	p.copied = duplicates_add(&t->duplicates,
		&(struct page_met){.id = f->id,
			.url = f->traits->url,
			.stand = p.at,
			.marks = &f->marks,
			.new_outside = f->new_outside,
			.stand_of = stand_of,
			.ctx = &originals});
	p.has_original = originals.is_read;
	p.is_junk = p.copied.is_copy && t->of_sink.defer &&
		sinks_add(&t->sinks,
			&(struct sinks_page){f->traits->host, text_of(&f->marks), f->marks.bytes, f->id,
				(uint32_t)f->traits->url->text.used});
	p.is_alias = p.copied.is_same && p.has_original && is_alias(p.url, p.original);
	learn_session(t, &p);
	/* nothing leads to an address that was made up: it says nothing of the places in which it stands */
	if (p.is_made)
		p.copied.is_copy = 1;
	else
		learn_places(t, w, &p);
	chains_learn(&t->chains, &t->places, w, &(struct chains_met){f, p.copied.is_copy, p.is_made, &t->beside}, &t->freed);
	follow_links(t, &p);
}

/* The image of the traps: everything that they have learned, which are maps and two arrays. */

static void limits_image(struct limits *l, struct image *im)
{
	image_map(im, &l->forms_known);
	image_map(im, &l->hosts_known);
	image_map(im, &l->domains);
}

static void duplicates_image(struct duplicates *d, struct image *im)
{
	image_map(im, &d->contents);
	image_map(im, &d->counts);
	image_map(im, &d->shared);
	image_map(im, &d->shapes);
	image_map(im, &d->led);
}

void traps_image(struct traps *t, struct image *im)
{
	limits_image(&t->limits, im);
	duplicates_image(&t->duplicates, im);
	image_map(im, &t->mirrors.places);
	image_map(im, &t->sessions.forms);
	image_map(im, &t->sinks.texts);
	image_map(im, &t->sinks.made);
	places_image(&t->places, im);
	image_map(im, &t->paths);
	chains_image(&t->chains, im);
	image_bytes(im, &t->has_sessions, sizeof t->has_sessions);
}

static uint32_t option(const struct opt_set *set, const char *name)
{
	return (uint32_t)opt_number(set, name);
}

/* Returns the limits of a detector that skips after `skip` pages; 0: it is off. */
static struct places_limits limits_of(uint64_t skip, enum places_skips skips)
{
	return (struct places_limits){
		.defer = skip < DEFER ? (uint32_t)skip : DEFER,
		.skip = skip < UINT32_MAX ? (uint32_t)skip : UINT32_MAX,
		.skips = skips,
	};
}

/* Returns the limits of a detector that defers the pages of a place from the start; skip = 0: none is skipped. */
static struct places_limits limits_of_doubted(uint32_t is_on, uint32_t skip, enum places_skips skips)
{
	return (struct places_limits){
		.defer = is_on ? DEFER : 0,
		.skip = skip ? skip : UINT32_MAX,
		.skips = skips,
		.begins = PLACES_DOUBTED,
	};
}

static void make_limits(struct traps *t, const struct opt_set *set)
{
	const uint32_t duplicates = option(set, "duplicates"), whole = duplicates ? duplicates : WHOLE;

	for (enum traps_cover level = TRAPS_FOLDER; level < LEVELS; level++)
		t->of_level[level] = limits_of(duplicates, PLACES_GROWING);
	t->of_sink = limits_of(duplicates, PLACES_ANYWAY);
	t->of_level[TRAPS_HOST] = limits_of((uint64_t)NEW_FAMILY * duplicates, PLACES_GROWING);
	t->of_same = whole > SAME ? whole / SAME : 1;
	t->of_alias = whole > ALIAS ? whole / ALIAS : 1;
	t->of_session_id = whole / SESSION + 1;
	t->of_original = WHOLE / 60;
	t->of_mirror = limits_of((uint64_t)t->of_original * option(set, "mirror"), PLACES_WAITING);
	/* the hashes of one family of pages weigh as much as a session id twice at most */
	t->of_session = limits_of(t->limits.forms ? whole + 2 * t->of_session_id : 0, PLACES_GROWING);
	t->of_form = limits_of_doubted(t->limits.forms, whole, PLACES_WAITING);
	t->of_repeats = limits_of_doubted(t->limits.repeats || t->limits.depth, whole, PLACES_GROWING);
	t->of_dates = limits_of_doubted(t->limits.past || t->limits.years, whole, PLACES_GROWING);
	t->asks = duplicates && option(set, "soft-404");
	t->queries = option(set, "queries");
	t->of_queries = limits_of_doubted(t->queries, duplicates, PLACES_GROWING);
}

struct traps *traps_new(const struct opt_set *set, int year)
{
	struct traps *t = mem_zero(1, sizeof *t);

	t->limits = (struct limits){.year = year,
		.depth = option(set, "depth"),
		.repeats = option(set, "repeats"),
		.years = option(set, "years"),
		.past = option(set, "past"),
		.hosts = option(set, "hosts"),
		.forms = option(set, "session-ids")};
	limits_init(&t->limits);
	make_limits(t, set);
	duplicates_init(&t->duplicates, option(set, "simhash-bits"));
	mirrors_init(&t->mirrors);
	sessions_init(&t->sessions);
	sinks_init(&t->sinks);
	places_init(&t->places);
	chains_init(&t->chains, option(set, "chain"));
	map_init_paged(&t->paths, sizeof(struct path));
	return t;
}

void traps_free(struct traps *t)
{
	if (!t)
		return;
	limits_release(&t->limits);
	duplicates_release(&t->duplicates);
	mirrors_release(&t->mirrors);
	sessions_release(&t->sessions);
	sinks_release(&t->sinks);
	places_release(&t->places);
	places_freed_release(&t->freed);
	chains_release(&t->chains);
	map_release(&t->paths);
	buf_release(&t->text);
	free(t);
}

enum outcome traps_judge(const struct traps *t, const struct url_traits *u)
{
	return limits_judge(&t->limits, u);
}

/* --- turns */

/* Decides about a page that belongs to deferred or skipped places. */
static enum traps_action action_of(const struct traps *t, uint32_t id, const struct url_places *s)
{
	const enum places_keeping kept = places_kept(&t->places, id);

	if (kept == PLACES_PARDONED || s->state == PLACE_TRUSTED)
		return TRAPS_FETCH;
	if (s->state == PLACE_SKIPPED)
		return TRAPS_SKIP;
	return kept != PLACES_FREE || places_draws(id, s->verdict.row) ? TRAPS_FETCH : TRAPS_DEFER;
}

struct traps_verdict traps_turn(struct traps *t, const struct traps_world *w, uint32_t id, const struct url_traits *u)
{
	const struct url_places s = traps_url_places(t, w, id, u);
	struct traps_verdict verdict = s.verdict;

	verdict.action = action_of(t, id, &s);
	return verdict;
}

int traps_asks(struct traps *t, const struct traps_world *w, const struct traps_fact *f, struct buf *out)
{
	enum made_up_for why = 0;

	while (why < MADE_UP_FOR && !make_up(t, w, f, why, out))
		why++;
	return why < MADE_UP_FOR;
}

enum traps_action traps_kept(const struct traps *t, uint32_t id)
{
	switch (places_kept(&t->places, id)) {
	case PLACES_DEFERRED:
		return TRAPS_DEFER;
	case PLACES_SKIPPED:
		return TRAPS_SKIP;
	default:
		return TRAPS_FETCH;
	}
}

uint64_t traps_skipped(const struct traps *t)
{
	return t->places.skipped;
}

/* Handles a fact TRAPS_TAKEN. */
static void take(struct traps *t, const struct traps_world *w, const struct traps_fact *f)
{
	const struct url_places s = traps_url_places(t, w, f->id, f->traits);
	const enum traps_action action = action_of(t, f->id, &s);

	if (s.state != PLACE_TRUSTED)
		places_meet(&t->places, f->id, s.keys, s.n);
	if (action == TRAPS_FETCH)
		places_grant(&t->places, f->id);
	else
		places_keep(&t->places, s.key, f->id, action == TRAPS_SKIP ? PLACES_SKIPPED : PLACES_DEFERRED);
}

/* --- facts */

/* Handles a fact TRAPS_FOUND. */
static void find(struct traps *t, const struct traps_fact *f)
{
	limits_count(&t->limits, f->traits, f->id);
	chains_find(&t->chains, f->id, f->traits, f->target);
	if (f->target != TRAPS_NO_PAGE && duplicates_leader(&t->duplicates, f->target))
		duplicates_lead(&t->duplicates, f->id, duplicates_leader(&t->duplicates, f->target));
}

static void count_query(struct traps *t, const struct url_traits *u)
{
	if (t->queries && u->path)
		((struct path *)map_at(&t->paths, u->path))->queries++;
}

const struct places_freed *traps_apply(struct traps *t, const struct traps_world *w, const struct traps_fact *f)
{
	t->freed.deferred.n = t->freed.skipped.n = 0;
	switch (f->kind) {
	case TRAPS_FOUND:
		find(t, f);
		break;
	case TRAPS_TAKEN:
		take(t, w, f);
		break;
	case TRAPS_CRAWLED:
		traps_learn(t, w, f);
		count_query(t, f->traits);
		break;
	case TRAPS_REDIRECTED:
		if (!duplicates_leader(&t->duplicates, f->id))
			trust(t, f->target);
		learn_redirect(t, w, f);
		break;
	case TRAPS_RETRIED:
		if (places_kept(&t->places, f->id) == PLACES_SKIPPED)
			places_pardon(&t->places, f->id);
		break;
	}
	return &t->freed;
}

unsigned traps_wants(const struct traps *t)
{
	const int has_duplicates = t->of_level[TRAPS_FOLDER].defer != 0;
	unsigned wants = 0;

	if (has_duplicates || t->of_mirror.defer || t->of_session.defer)
		wants |= TRAPS_WANT_FINGERPRINTS;
	if (has_duplicates && t->duplicates.near)
		wants |= TRAPS_WANT_SIMHASHES;
	return wants;
}
