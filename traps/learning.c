#include "traps/traps_internal.h"
#include "parser/shape.h"

/* A crawled page, compared with the first page that had its content. */
struct told {
	const struct traps_fact *fact;
	const struct url_traits *url;
	struct page_stand at;
	struct page_copied copied;
	int is_led;       /* 1: all crawled pages that link to it are duplicates */
	int has_original; /* 1: it is a duplicate of another page, whose URL is `original` */
	const struct url *original;
};

/* Confirms a place by a duplicate. The place grows also by links to new URLs that a limit refuses. */
static void confirm(struct traps *t, uint64_t key, const struct places_limits *limits, const struct told *p)
{
	if (limits->defer)
		places_confirmed(&t->places, key, limits, p->copied.first, p->fact->new_refused != 0);
}

/* Notes that a page of a place is no duplicate. */
static void differ(struct traps *t, uint64_t key, const struct places_limits *limits)
{
	if (limits->defer)
		places_differed(&t->places, key, limits, &t->freed);
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
	const unsigned told = p->is_led ? levels_told(p) : 0;

	for (enum traps_cover level = TRAPS_FOLDER; level < LEVELS; level++) {
		if (!(told >> level & 1))
			continue;
		const uint64_t key = traps_place_of_level(t, level, p->url);
		if (p->copied.is_copy)
			confirm(t, key, &t->of_level[level], p);
		else
			differ(t, key, &t->of_level[level]);
	}
	/* the folder of the duplicate that was the first to link to this page has led to a page with new content */
	if (told && !p->copied.is_copy)
		differ(t, traps_place_of_root(traps_led_from(t, p->fact->id)), &t->of_level[TRAPS_FOLDER]);
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
	const uint64_t key = traps_place_of_session(match.place);
	t->has_sessions |= match.content == p->copied.first;
	if (match.content == p->copied.first)
		confirm(t, key, &t->of_session, p);
	else
		differ(t, key, &t->of_session);
}

/* Frees the mirrors that a page is in, if it is no duplicate, but the page at the URL of its original is crawled. */
static void learn_no_mirror(struct traps *t, const struct traps_world *w, const struct url *u)
{
	struct mirrors_original o[MIRRORS_FOLDERS];
	const size_t n = mirrors_find(&t->mirrors, u, o);

	for (size_t i = 0; i < n; i++) {
		uint32_t id;
		if (traps_find_original(t, w, u, &o[i], &id) && w->is_crawled(w->ctx, id))
			differ(t, traps_place_of_mirror(o[i].key), &t->of_mirror);
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
		confirm(t, traps_place_of_mirror(key), &t->of_mirror, p);
}

/* Says whether a page links to a page that was discovered on it. */
static int leads_on(const struct traps_fact *f)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->links[i] >= f->first_new)
			return 1;
	return 0;
}

/* Confirms or frees the folder of a page whose path repeats its segments. A duplicate without links to new pages does
 * not confirm it, since such a path has an end. */
static void learn_repeats(struct traps *t, const struct told *p)
{
	if (!traps_has_repeats(t, p->url))
		return;
	if (!p->copied.is_copy)
		differ(t, traps_place_of_repeats(p->url), &t->of_repeats);
	else if (leads_on(p->fact))
		confirm(t, traps_place_of_repeats(p->url), &t->of_repeats, p);
}

/* Confirms or frees the folder of a page whose URL has a date of long ago. */
static void learn_past(struct traps *t, const struct told *p)
{
	if (!limits_is_old(&t->limits, p->url))
		return;
	if (p->copied.is_copy)
		confirm(t, traps_place_of_past(p->url), &t->of_past, p);
	else
		differ(t, traps_place_of_past(p->url), &t->of_past);
}

/* Confirms or frees the path of a page, if the path has had many queries. */
static void learn_queries(struct traps *t, const struct told *p)
{
	if (!traps_has_queries(t, p->url))
		return;
	if (p->copied.is_copy)
		confirm(t, traps_place_of_queries(p->url), &t->of_queries, p);
	else
		differ(t, traps_place_of_queries(p->url), &t->of_queries);
}

/* Notes of the pages that a page links to whether only duplicates link to them. */
static void follow_links(struct traps *t, const struct told *p)
{
	for (size_t i = 0; i < p->fact->n; i++) {
		const uint32_t id = p->fact->links[i];
		if (!p->copied.is_copy)
			traps_trust(t, id);
		else if (id >= p->fact->first_new)
			traps_lead(t, id, p->at.root);
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

void traps_learn(struct traps *t, const struct traps_world *w, const struct traps_fact *f)
{
	struct told p = {
		.fact = f,
		.url = f->traits,
		.at = {.host = f->traits->host, .root = shape_root(f->traits->url)},
		.is_led = t->of_level[TRAPS_FOLDER].defer && traps_linked_by_duplicates_only(t, f->id),
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
	learn_duplicate(t, &p);
	learn_session(t, &p);
	learn_mirror(t, w, &p);
	learn_repeats(t, &p);
	learn_past(t, &p);
	learn_queries(t, &p);
	follow_links(t, &p);
}
