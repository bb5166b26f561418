#include "traps/inside.h"
#include "parser/shape.h"

/* How a page that has come stands to the one with its content that came first. */
struct told {
	const struct traps_fact *fact;
	const struct url_traits *url;
	struct page_stand at;
	struct page_copied copied;
	int is_led; /* duplicates alone had led to it */
	int has_original;
	const struct url *original; /* the URL of that page, where it has one */
};

/* A link to a URL that a limit refuses is as good as one to a URL that is put off: the place grows. */
static void confirm(
	struct traps *t, uint64_t key, const struct places_limits *limits, const struct told *p)
{
	if (limits->suspect)
		places_confirmed(
			&t->places, key, limits, p->copied.first, p->fact->new_refused != 0);
}

static void differ(struct traps *t, uint64_t key, const struct places_limits *limits)
{
	if (limits->suspect)
		places_differed(&t->places, key, limits, &t->freed);
}

/* The levels that a page tells something of, as bits. A duplicate that stands where a mirror's page would says
 * nothing of folder and host. */
static unsigned levels_told(const struct told *p)
{
	unsigned levels = 0;

	if (!p->copied.is_copy || p->copied.stand.host != p->at.host)
		levels |= 1u << TRAPS_DOMAIN;
	if (!p->copied.is_copy ||
		(p->has_original && !mirrors_may_be(p->url->url, p->original)))
		levels |= 1u << TRAPS_FOLDER | 1u << TRAPS_HOST;
	if (p->copied.is_first_of_host)
		levels |= 1u << TRAPS_DOMAIN_STARTS;
	if (p->copied.is_first_of_domain)
		levels |= 1u << TRAPS_WEB_STARTS;
	return levels;
}

static void learn_duplicate(struct traps *t, const struct told *p)
{
	const unsigned told = p->is_led ? levels_told(p) : 0;

	for (enum traps_cover level = TRAPS_FOLDER; level < LEVELS; level++) {
		if (!(told >> level & 1))
			continue;
		const uint64_t key = place_of_level(t, level, p->url);
		if (p->copied.is_copy)
			confirm(t, key, &t->of_level[level], p);
		else
			differ(t, key, &t->of_level[level]);
	}
	/* the folder whose duplicates led here has led to something new */
	if (told && !p->copied.is_copy)
		differ(t, place_of_root(traps_led_from(t, p->fact->id)),
			&t->of_level[TRAPS_FOLDER]);
}

static void learn_session(struct traps *t, const struct told *p)
{
	const struct page_marks *marks = &p->fact->marks;

	if (!t->of_session.suspect || !(marks->fingerprint || marks->digest[0]))
		return;
	const struct sessions_match match =
		sessions_add(&t->sessions, p->url->url, p->fact->id, p->copied.first);
	if (!match.is_known)
		return;
	const uint64_t key = place_of_session(match.place);
	t->has_sessions |= match.content == p->copied.first;
	if (match.content == p->copied.first)
		confirm(t, key, &t->of_session, p);
	else
		differ(t, key, &t->of_session);
}

/* A page that is no duplicate stands where a mirror's would, beside an original that has come. */
static void learn_no_mirror(struct traps *t, const struct traps_world *w, const struct url *u)
{
	struct mirrors_original o[MIRRORS_FOLDERS];
	const size_t n = mirrors_find(&t->mirrors, u, o);

	for (size_t i = 0; i < n; i++) {
		uint32_t id;
		if (find_original(t, w, u, &o[i], &id) && w->is_crawled(w->ctx, id))
			differ(t, place_of_mirror(o[i].key), &t->of_mirror);
	}
}

static void learn_mirror(struct traps *t, const struct traps_world *w, const struct told *p)
{
	uint64_t key;

	if (!t->of_mirror.suspect)
		return;
	if (!p->copied.is_copy)
		learn_no_mirror(t, w, p->url->url);
	else if (p->has_original &&
		 mirrors_add(&t->mirrors, p->url->url, p->original, p->copied.first, &key))
		confirm(t, place_of_mirror(key), &t->of_mirror, p);
}

static int leads_on(const struct traps_fact *f)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->links[i] >= f->first_new)
			return 1;
	return 0;
}

/* A duplicate that leads to nothing new tells nothing of a path that repeats itself: such paths have an end. */
static void learn_repeats(struct traps *t, const struct told *p)
{
	if (!has_repeats(t, p->url))
		return;
	if (!p->copied.is_copy)
		differ(t, place_of_repeats(p->url), &t->of_repeats);
	else if (leads_on(p->fact))
		confirm(t, place_of_repeats(p->url), &t->of_repeats, p);
}

static void learn_queries(struct traps *t, const struct told *p)
{
	if (!has_queries(t, p->url))
		return;
	if (p->copied.is_copy)
		confirm(t, place_of_queries(p->url), &t->of_queries, p);
	else
		differ(t, place_of_queries(p->url), &t->of_queries);
}

/* Duplicates alone lead to the pages that a duplicate is the first to lead to; they lead no longer alone to those that
 * any other page leads to. */
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

void learn(struct traps *t, const struct traps_world *w, const struct traps_fact *f)
{
	struct told p = {
		.fact = f,
		.url = f->traits,
		.at = {.host = f->traits->host, .root = shape_root(f->traits->url)},
		.is_led = t->of_level[TRAPS_FOLDER].suspect && traps_is_led(t, f->id),
		.original = &t->other,
	};

	p.at.domain = ~limits_domain(&t->limits, f->traits);
	p.copied = duplicates_add(
		&t->duplicates, f->id, f->traits->url, &p.at, &f->marks, f->new_outside);
	p.has_original = p.copied.first != f->id && w->url(w->ctx, p.copied.first, &t->other);
	learn_duplicate(t, &p);
	learn_session(t, &p);
	learn_mirror(t, w, &p);
	learn_repeats(t, &p);
	learn_queries(t, &p);
	follow_links(t, &p);
}
