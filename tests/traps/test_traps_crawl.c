/* Whole crawls of made-up sites, without a network: what the traps defer, free and skip under any
 * order of the pages. */
#include "tests/test.h"

#include "base/buf.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/rng.h"
#include "traps/traps.h"

#include <limits.h>

#define PAGES_MOST 20000

/* A page of a site: its text's fingerprint and its links, one a line; no text: there is no such page. */
struct answer {
	uint64_t digest, fingerprint;
	uint64_t real; /* what a crawl must find, under whatever URL; 0: nothing */
	int is_moved;  /* 1: it redirects to its link */
	struct buf links;
};

struct site {
	const char *name, *seed;
	void (*answer)(struct answer *, const char *path);
	size_t real;        /* pages that a crawl must find */
	size_t vain;        /* pages at most that it may fetch besides */
	const char *option; /* of the traps, or NULL */
};

enum order { FIRST_FOUND, LAST_FOUND, DRAWN, ORDERS };

struct crawled {
	char *url;
	int is_outside, is_crawled;
};

struct crawl {
	struct traps *traps;
	struct crawled *page;
	size_t room;
	uint32_t n;
	uint32_t *queue, *deferred;
	size_t n_queue, n_deferred, queue_room, deferred_room;
	struct rng rng;
	struct map found;
	size_t real, vain;
};

static uint32_t number_of(const struct crawl *c, const char *url, size_t n)
{
	for (uint32_t id = c->n; id-- > 0;)
		if (strlen(c->page[id].url) == n && memcmp(c->page[id].url, url, n) == 0)
			return id;
	return UINT32_MAX;
}

static int find(void *ctx, const char *url, size_t n, uint32_t *id)
{
	struct crawl *c = ctx;

	*id = number_of(c, url, n);
	return *id != UINT32_MAX && !c->page[*id].is_outside;
}

static int url_of(void *ctx, uint32_t id, struct url *out)
{
	const char *text = ((struct crawl *)ctx)->page[id].url;

	return url_split(out, text, strlen(text)) == URL_OK;
}

static int is_crawled(void *ctx, uint32_t id)
{
	return ((struct crawl *)ctx)->page[id].is_crawled;
}

static void queue(uint32_t **list, size_t *n, size_t *room, uint32_t id)
{
	*list = mem_grow(*list, room, *n + 1, sizeof **list);
	(*list)[(*n)++] = id;
}

/* A URL of site.test, or of another host: outside; `from` is the page that redirects to it. */
static uint32_t add(struct crawl *c, const struct traps_world *w, const char *url, uint32_t from)
{
	struct url u;

	c->page = mem_grow(c->page, &c->room, c->n + 1u, sizeof *c->page);
	c->page[c->n] = (struct crawled){mem_text(url), !strstr(url, "site.test"), 0};
	assert_true(url_of(c, c->n, &u));
	const struct url_traits traits = url_traits(&u);
	if (!c->page[c->n].is_outside && !traps_judge(c->traps, &traits)) {
		queue(&c->queue, &c->n_queue, &c->queue_room, c->n);
		traps_apply(c->traps, w, &(struct traps_fact){.kind = TRAPS_FOUND, .id = c->n, .target = from, .traits = &traits});
	}
	return c->n++;
}

static uint32_t take(uint32_t *list, size_t *n, size_t i)
{
	const uint32_t id = list[i];

	memmove(list + i, list + i + 1, (--*n - i) * sizeof *list);
	return id;
}

/* The next page: of the deferred ones only where there is no other. */
static uint32_t next(struct crawl *c, enum order order)
{
	const size_t drawn = rng_below(&c->rng, c->n_queue ? c->n_queue : c->n_deferred);

	if (!c->n_queue)
		return take(c->deferred, &c->n_deferred, drawn);
	return take(c->queue, &c->n_queue, order == FIRST_FOUND ? 0 : order == LAST_FOUND ? c->n_queue - 1 : drawn);
}

/* Pages that were freed stand in the queue again. */
static void free_pages(struct crawl *c, const struct places_freed *freed)
{
	for (size_t i = 0; i < freed->deferred.n; i++)
		for (size_t k = 0; k < c->n_deferred; k++)
			if (c->deferred[k] == freed->deferred.id[i])
				queue(&c->queue, &c->n_queue, &c->queue_room, take(c->deferred, &c->n_deferred, k));
	for (size_t i = 0; i < freed->skipped.n; i++)
		queue(&c->queue, &c->n_queue, &c->queue_room, freed->skipped.id[i]);
}

/* Links of a page: those out of the crawl that are new are counted, then what it tells is learnt. */
static void come(struct crawl *c, const struct traps_world *w, uint32_t id, const struct url_traits *traits, struct answer *a)
{
	struct traps_fact fact = {.kind = TRAPS_CRAWLED,
		.id = id,
		.traits = traits,
		.marks = {{a->digest, 0}, a->fingerprint, 0, 0},
		.first_new = c->n};
	struct buf made_up = BUF_EMPTY;
	uint32_t links[65];
	char *text = a->links.at ? a->links.at : (char[1]){0}, *link;

	while ((link = strsep(&text, "\n")))
		if (*link && fact.n < 64) {
			links[fact.n] = number_of(c, link, strlen(link));
			if (links[fact.n] == UINT32_MAX) {
				links[fact.n] = add(c, w, link, TRAPS_NO_PAGE);
				fact.new_outside += (size_t)c->page[links[fact.n]].is_outside;
			}
			fact.n++;
		}
	fact.links = links;
	if (traps_asks(c->traps, w, &fact, &made_up)) {
		buf_end(&made_up);
		links[fact.n++] = add(c, w, made_up.at, TRAPS_NO_PAGE);
	}
	buf_release(&made_up);
	c->page[id].is_crawled = 1;
	free_pages(c, traps_apply(c->traps, w, &fact));
}

/* The page redirects to its one link. */
static void move(struct crawl *c, const struct traps_world *w, uint32_t id, const struct url_traits *traits, struct answer *a)
{
	struct traps_fact fact = {.kind = TRAPS_REDIRECTED, .id = id, .traits = traits};

	a->links.at[a->links.used - 1] = '\0';
	fact.target = number_of(c, a->links.at, a->links.used - 1);
	if (fact.target == UINT32_MAX)
		fact.target = add(c, w, a->links.at, id);
	free_pages(c, traps_apply(c->traps, w, &fact));
	c->vain++;
}

/* The pages of all crawls of this program that each detector has skipped. */
static size_t skipped_by[OUTCOMES];

static void ask(struct crawl *c, const struct site *s, uint32_t id)
{
	const struct traps_world w = {c, find, url_of, is_crawled};
	struct url u = URL_EMPTY;
	struct answer a = {.links = BUF_EMPTY};

	assert_true(url_of(c, id, &u));
	const struct url_traits traits = url_traits(&u);
	const struct traps_verdict v = traps_turn(c->traps, &w, id, &traits);
	traps_apply(c->traps, &w, &(struct traps_fact){.kind = TRAPS_TAKEN, .id = id, .traits = &traits});
	if (v.action == TRAPS_DEFER)
		queue(&c->deferred, &c->n_deferred, &c->deferred_room, id);
	if (v.action == TRAPS_SKIP)
		skipped_by[v.detector]++;
	if (v.action == TRAPS_FETCH) {
		s->answer(&a, u.text.at + u.path);
		const size_t had = c->found.used;
		if (a.real)
			map_at(&c->found, a.real);
		c->real = c->found.used;
		c->vain += a.digest && c->found.used == had;
		if (a.is_moved)
			move(c, &w, id, &traits, &a);
		else if (a.digest)
			come(c, &w, id, &traits, &a);
	}
	buf_release(&a.links);
}

static void crawl(const struct site *s, enum order order, uint64_t seed)
{
	struct crawl c = {.rng = {seed}};
	const struct traps_world w = {&c, find, url_of, is_crawled};
	struct opt_set limits;

	map_init(&c.found, sizeof(uint64_t));
	opt_init(&limits, traps_options, "traps");
	char *text = mem_text(s->option ? s->option : ""), *rest = text, *option;
	while ((option = strsep(&rest, " ")))
		if (*option && traps_give(&limits, option, NULL))
			fail_msg("%s: no such option", s->name);
	free(text);
	c.traps = traps_new(&limits, 2026);
	opt_release(&limits);
	add(&c, &w, s->seed, TRAPS_NO_PAGE);
	while ((c.n_queue || c.n_deferred) && c.real + c.vain < PAGES_MOST)
		ask(&c, s, next(&c, order));
	/* where a site and its mirror are met at once, either may be the first */
	const size_t vain = order == DRAWN ? 4 * s->vain : s->vain;
	if (c.real != s->real || c.vain > vain)
		fail_msg("%s, order %d, seed %d: %zu of %zu pages, %zu (at most %zu) in vain", s->name, (int)order, (int)seed,
			c.real, s->real, c.vain, vain);
	for (uint32_t id = 0; id < c.n; id++)
		free(c.page[id].url);
	map_release(&c.found);
	free(c.page);
	free(c.queue);
	free(c.deferred);
	traps_free(c.traps);
}

static void link_to(struct answer *a, const char *folder, long n)
{
	buf_format(&a->links, "http://site.test%s%ld\n", folder, n);
}

/* A page of content `content`, that must be found as `real`; its bytes are those of the content. */
static void say(struct answer *a, uint64_t content, uint64_t real)
{
	a->digest = a->fingerprint = 1000 + content;
	a->real = real;
	buf_text(&a->links, "");
}

static int is_at(const char *path, const char *folder, long *n)
{
	const size_t m = strlen(folder);

	*n = strncmp(path, folder, m) == 0 ? strtol(path + m, NULL, 10) : 0;
	return *n > 0;
}

/* /en/1 to 100, each linking to three more and to its like of /tr/, of which 1 to 40 are copies. */
static void half_translated(struct answer *a, const char *path)
{
	const char *folder = strncmp(path, "/tr/", 4) == 0 ? "/tr/" : "/en/";
	const int is_tr = *(folder + 1) == 't';
	long n = 1;

	if (strcmp(path, "/") != 0 && !is_at(path, folder, &n))
		return;
	if (n > 100)
		return;
	const uint64_t content = (uint64_t)n + (is_tr && n > 40 ? 500 : 0);
	say(a, content, content);
	if (strcmp(path, "/") == 0)
		say(a, 999, 999);
	for (long to = n + 1; to <= n + 3 && to <= 100; to++) {
		link_to(a, folder, to);
		if (!is_tr)
			link_to(a, "/tr/", to);
	}
	link_to(a, "/en/", 1);
	link_to(a, "/tr/", 1);
}

/* 300 reports of one text, each with a link out of the crawl and to the next. */
static void reports(struct answer *a, const char *path)
{
	long n = 1;

	if ((strcmp(path, "/") != 0 && !is_at(path, "/report/", &n)) || n > 300)
		return;
	say(a, 1, (uint64_t)n);
	a->digest = 5000 + (uint64_t)n;
	buf_format(&a->links, "http://other.test/%ld\n", n);
	link_to(a, "/report/", n + 1);
}

/* 600 pages drawn into one another at random, all in one text but thirty, the links of which the others
 * do not have. */
static void hidden(struct answer *a, const char *path)
{
	struct rng rng = {7};
	long n = 1;

	if ((strcmp(path, "/") != 0 && !is_at(path, "/p/", &n)) || n > 600)
		return;
	const uint64_t content = n % 20 == 0 ? 500 + (uint64_t)n : 1;
	say(a, content, content);
	a->digest = 9000 + (uint64_t)n;
	rng.state += (uint64_t)n;
	for (int i = 0; i < 4; i++)
		link_to(a, "/p/", 1 + (long)rng_below(&rng, 600));
	link_to(a, "/p/", n + 1);
}

/* 120 copies in a folder that a page lists, and one page among them. */
static void one_of_many(struct answer *a, const char *path)
{
	long n = 0;

	if (strcmp(path, "/") == 0) {
		say(a, 999, 999);
		for (n = 1; n <= 3; n++)
			link_to(a, "/copy/", n);
	} else if (is_at(path, "/copy/", &n) && n <= 121) {
		say(a, n == 121 ? 5 : 1, n == 121 ? 5 : 1);
		a->digest = 2000 + (uint64_t)n;
		for (long to = 1; to <= 40; to++)
			link_to(a, "/copy/", (n * 40 + to) % 121 + 1);
	}
}

/* A calendar without end. */
static void calendar(struct answer *a, const char *path)
{
	long n = 0;

	if (strcmp(path, "/") == 0) {
		say(a, 999, 999);
		link_to(a, "/day/", 1000000);
	} else if (is_at(path, "/day/", &n)) {
		say(a, 1, 1);
		a->digest = (uint64_t)n;
		link_to(a, "/day/", n - 1);
		link_to(a, "/day/", n + 1);
	}
}

/* The site again, whole, in a folder. */
static void mirror(struct answer *a, const char *path)
{
	const char *folder = strncmp(path, "/old/", 5) == 0 ? "/old/" : "/new/";
	long n = 1;

	if ((strcmp(path, "/") != 0 && !is_at(path, folder, &n)) || n > 500)
		return;
	say(a, (uint64_t)n, (uint64_t)n);
	link_to(a, folder, 2 * n);
	link_to(a, folder, 2 * n + 1);
	if (strcmp(path, "/") == 0) {
		say(a, 999, 999);
		link_to(a, "/new/", 1);
		link_to(a, "/old/", 1);
	}
}

/* How many folders of a path are named x. */
static long folders(const char *path)
{
	long n = 0;

	for (; (path = strstr(path, "/x/")); path += 2)
		n++;
	return n;
}

static void link_to_folders(struct answer *a, long deep, const char *name)
{
	buf_text(&a->links, "http://site.test");
	while (deep--)
		buf_text(&a->links, "/x");
	buf_format(&a->links, "/%s\n", name);
}

/* Forty pages whose paths repeat themselves: duplicates all, but for one. */
static void repeated(struct answer *a, const char *path)
{
	const long deep = folders(path);

	say(a, deep == 19 ? 5 : 1, deep == 19 ? 5 : 1);
	a->digest = 3000 + (uint64_t)deep;
	for (long to = 1; deep == 0 && to <= 40; to++)
		link_to_folders(a, to, "");
}

/* A path that grows without end. */
static void growing(struct answer *a, const char *path)
{
	const long deep = folders(path);

	say(a, deep ? 1 : 999, deep ? 1 : 999);
	link_to_folders(a, deep + 1, "");
}

/* 100 threads of a forum, one after another, and no end of threads that are not there. */
static void threads(struct answer *a, const char *path)
{
	long n = 1;

	if (strcmp(path, "/") != 0 && !is_at(path, "/view?t=", &n))
		return;
	say(a, n <= 100 ? (uint64_t)n : 1000, n <= 100 ? (uint64_t)n : 0);
	a->digest = (uint64_t)n;
	link_to(a, "/view?t=", n + 1);
}

/* The month before that of a date YYYYMM15, or 0 before 1944. */
static long month_before(long date)
{
	return date / 10000 < 1944 ? 0 : date / 100 % 100 > 1 ? date - 100 : date - 10000 + 1100;
}

/* An archive of the months of 82 years, each of which leads to the one before, and all differ. */
static void archive(struct answer *a, const char *path)
{
	long date = 20260115;

	if (strcmp(path, "/") != 0 && !is_at(path, "/paper/", &date))
		return;
	say(a, (uint64_t)date, (uint64_t)date);
	if (strcmp(path, "/") == 0)
		say(a, 999, 999);
	if ((date = strcmp(path, "/") == 0 ? date : month_before(date)))
		link_to(a, "/paper/", date);
}

/* 1,500 classes, on lists of another folder with fifty each, of which each leads to the page of its uses. */
static void classes(struct answer *a, const char *path)
{
	long n = 0;

	if (strcmp(path, "/") == 0 || (is_at(path, "/all/", &n) && n < 30)) {
		say(a, (uint64_t)(9000 + n), (uint64_t)(9000 + n));
		for (long i = 50 * n + 1; i <= 50 * n + 50; i++)
			link_to(a, "/lib/", i);
		if (n < 29)
			link_to(a, "/all/", n + 1);
	} else if (is_at(path, "/lib/", &n)) {
		say(a, (uint64_t)(1 + n), (uint64_t)(1 + n));
		if (n <= 1500)
			link_to(a, "/lib/", n + 2000);
	}
}

/* A calendar back to 1944, of twelve texts. */
static void months(struct answer *a, const char *path)
{
	long date = 20260115;

	archive(a, path);
	if (is_at(path, "/paper/", &date)) {
		a->fingerprint = (uint64_t)date / 100 % 100;
		a->real = 0;
	}
}

/* Lists without end: each page leads to the next two, and all have one text. */
static void list(struct answer *a, const char *path)
{
	long n = 1;

	if (strcmp(path, "/") != 0 && !is_at(path, "/list/", &n))
		return;
	say(a, 1, 1);
	link_to(a, "/list/", n + 1);
	link_to(a, "/list/", n + 2);
}

/* The month after that of a date YYYYMM15. */
static long month_after(long date)
{
	return date / 100 % 100 < 12 ? date + 100 : date + 10000 - 1100;
}

/* The months to come, without end: each leads to the next two. */
static void months_ahead(struct answer *a, const char *path)
{
	long date = 20260115;

	if (strcmp(path, "/") != 0 && !is_at(path, "/plan/", &date))
		return;
	say(a, (uint64_t)date / 100 % 100, 0);
	a->digest = (uint64_t)date;
	link_to(a, "/plan/", month_after(date));
	link_to(a, "/plan/", month_after(month_after(date)));
}

/* Ten pages, whose links to one another have a session id that is new each time. */
static void sessions(struct answer *a, const char *path)
{
	const char *id = strstr(path, "?sid=");
	struct rng rng = {id ? strtoull(id + 5, NULL, 16) : 1};
	long n = 1;

	if (strcmp(path, "/") != 0 && !is_at(path, "/room/", &n))
		return;
	say(a, (uint64_t)n, (uint64_t)n);
	for (long to = 1; to <= 10; to++)
		buf_format(&a->links, "http://site.test/room/%ld?sid=%016llx\n", to, (unsigned long long)rng_next(&rng));
}

/* 51 pages, each of which leads to fourteen that are gone; whatever the site has no page for has one text, and
 * leads to a form about its address. */
static void gone(struct answer *a, const char *path)
{
	long n = 0;

	if ((strcmp(path, "/") == 0 || is_at(path, "/page/", &n)) && n <= 50) {
		say(a, 100 + (uint64_t)n, 100 + (uint64_t)n);
		for (long to = 1; to <= 14; to++)
			link_to(a, "/old/", 1000 * n + to);
		if (n < 50)
			link_to(a, "/page/", n + 1);
		return;
	}
	say(a, 1, 0);
	if (strncmp(path, "/about?", 7) != 0)
		buf_format(&a->links, "http://site.test/about?page=%s\n", path);
	for (a->digest = 7; *path; path++)
		a->digest = 31 * a->digest + (uint64_t)*path;
}

/* 300 villages with one text, of which a list has each, and the site has no others. */
static void villages(struct answer *a, const char *path)
{
	long n = 0;

	if (strcmp(path, "/") == 0 || (is_at(path, "/list/", &n) && n < 6)) {
		say(a, 100 + (uint64_t)n, 1000 + (uint64_t)n);
		for (long to = 1; to <= 50; to++)
			link_to(a, "/village/", 50 * n + to);
		link_to(a, "/list/", n + 1);
	} else if (is_at(path, "/village/", &n) && n <= 300) {
		say(a, 1, (uint64_t)n);
		a->digest = 5000 + (uint64_t)n;
	}
}

/* 600 topics, and the same bytes under the number of an answer of each. */
static void answers(struct answer *a, const char *path)
{
	long n = 0;

	if (strcmp(path, "/") == 0 || (is_at(path, "/list/", &n) && n < 20)) {
		say(a, 1000 + (uint64_t)n, 1000 + (uint64_t)n);
		for (long to = 1; to <= 30; to++) {
			link_to(a, "/topic/", 30 * n + to);
			link_to(a, "/answer/", 30 * n + to);
		}
		link_to(a, "/list/", n + 1);
	} else if ((is_at(path, "/topic/", &n) || is_at(path, "/answer/", &n)) && n <= 600) {
		say(a, (uint64_t)n, (uint64_t)n);
	}
}

/* Lists in the same words, of 900 places, in most of which there is no shop. */
static void lookups(struct answer *a, const char *path)
{
	long n = 0;

	if (strcmp(path, "/") == 0 || (is_at(path, "/list/", &n) && n < 18)) {
		say(a, 1, 5000 + (uint64_t)n);
		a->digest = 5000 + (uint64_t)n;
		for (long to = 1; to <= 50; to++)
			link_to(a, "/zip/", 50 * n + to);
		link_to(a, "/list/", n + 1);
	} else if (is_at(path, "/zip/", &n) && n <= 900)
		say(a, n <= 897 ? 2 : (uint64_t)n, (uint64_t)n);
}

/* 600 pages that only members may edit: others are sent to a page of its own to log in. */
static void members(struct answer *a, const char *path)
{
	long n = 1;

	if (strcmp(path, "/") == 0 || (is_at(path, "/node/", &n) && n <= 600)) {
		say(a, (uint64_t)n, (uint64_t)n);
		link_to(a, "/node/", n + 1);
		link_to(a, "/edit/", n);
	} else if (is_at(path, "/edit/", &n)) {
		a->is_moved = 1;
		link_to(a, "/login/", n);
	} else if (strncmp(path, "/login/", 7) == 0) {
		say(a, 5000, 5000);
		a->digest += (uint64_t)(is_at(path, "/login/", &n) ? n : 0);
	}
}

/* Weeks without end, each with a file, which leads nowhere. */
static void weeks(struct answer *a, const char *path)
{
	long n = 0;

	if (is_at(path, "/week/of/", &n)) {
		a->digest = 7000000 + (uint64_t)n;
	} else if (strcmp(path, "/") == 0 || is_at(path, "/week/", &n)) {
		n = n ? n : 500000;
		a->digest = a->fingerprint = (uint64_t)n;
		link_to(a, "/week/of/", n);
		link_to(a, "/week/", n + 1);
		link_to(a, "/week/", n - 1);
	}
}

/* Months without end in one text, each with thirty days, whose texts differ. */
static void days_of_months(struct answer *a, const char *path)
{
	long n = 0;

	if (is_at(path, "/day/", &n)) {
		a->digest = a->fingerprint = 90000000 + (uint64_t)n;
		link_to(a, "/month/", n / 30);
	} else if (strcmp(path, "/") == 0 || is_at(path, "/month/", &n)) {
		n = n ? n : 500000;
		a->fingerprint = 1;
		a->digest = (uint64_t)n;
		for (long day = 0; day < 30; day++)
			link_to(a, "/day/", 30 * n + day);
		link_to(a, "/month/", n - 1);
		link_to(a, "/month/", n + 1);
	}
}

/* 957 things without links on 33 lists, each of which is found by the one before alone. */
static void older(struct answer *a, const char *path)
{
	long n = 0;

	if (strcmp(path, "/") == 0 || (is_at(path, "/older/", &n) && n <= 32)) {
		say(a, (uint64_t)(90000 + n), (uint64_t)(90000 + n));
		for (long i = 29 * n + 1; i <= 29 * n + 29; i++)
			link_to(a, "/thing/", i);
		if (n < 32)
			link_to(a, "/older/", n + 1);
	} else if (is_at(path, "/thing/", &n)) {
		say(a, (uint64_t)n, (uint64_t)n);
	}
}

/* Pages without end, each of which leads to two addresses that redirect to further ones: 1,000 cost their redirects, too. */
static void redirected(struct answer *a, const char *path)
{
	long n = 0;

	if (is_at(path, "/out/", &n)) {
		a->is_moved = 1;
		link_to(a, "/in/", n);
	} else if (strcmp(path, "/") == 0 || is_at(path, "/in/", &n)) {
		a->digest = a->fingerprint = 70000 + (uint64_t)n;
		link_to(a, "/out/", (long)((2 * (unsigned long)n + 1) % LONG_MAX));
		link_to(a, "/out/", (long)((2 * (unsigned long)n + 2) % LONG_MAX));
	}
}

static const struct site sites[] = {
	{"redirected", "http://site.test/", redirected, 0, 2500, NULL},
	{"older", "http://site.test/", older, 990, 0, NULL},
	{"days of months", "http://site.test/", days_of_months, 0, 1000, NULL},
	{"lookups", "http://site.test/", lookups, 918, 0, NULL},
	{"members", "http://site.test/", members, 601, 500, NULL},
	{"weeks", "http://site.test/", weeks, 0, 1001, NULL},
	{"gone", "http://site.test/", gone, 51, 199, NULL},
	{"villages", "http://site.test/", villages, 306, 0, NULL},
	{"answers", "http://site.test/", answers, 620, 300, NULL},
	{"list", "http://site.test/", list, 1, 1000, NULL},
	{"months ahead", "http://site.test/", months_ahead, 0, 1600, "duplicates=0 chain=0"},
	{"sessions", "http://site.test/", sessions, 10, 44, NULL},
	{"half translated", "http://site.test/", half_translated, 161, 40, NULL},
	{"reports", "http://site.test/", reports, 300, 0, NULL},
	{"hidden", "http://site.test/", hidden, 31, 570, NULL},
	{"one of many", "http://site.test/", one_of_many, 3, 119, NULL},
	{"calendar", "http://site.test/", calendar, 2, 1002, NULL},
	{"mirror", "http://site.test/", mirror, 501, 74, NULL},
	{"repeated", "http://site.test/", repeated, 2, 40, NULL},
	{"growing", "http://site.test/", growing, 2, 13, NULL},
	{"archive", "http://site.test/", archive, 987, 0, NULL},
	{"classes", "http://site.test/", classes, 3030, 0, NULL},
	{"months", "http://site.test/", months, 1, 1000, NULL},
	{"months alone", "http://site.test/", months, 1, 986, "duplicates=0"},
	{"threads", "http://site.test/", threads, 100, 1001, "queries=20 chain=0"},
};

static void whatever_the_order_no_page_is_lost_and_each_trap_ends(void **state)
{
	(void)state;

	for (size_t i = 0; i < sizeof sites / sizeof *sites; i++)
		for (enum order order = FIRST_FOUND; order < ORDERS; order++)
			for (uint64_t seed = 1; seed <= 5; seed++)
				crawl(&sites[i], order, seed);
}

static void each_detector_skips_pages_of_a_site(void **state)
{
	(void)state;
	for (unsigned o = outcome_next(0); o < OUTCOMES; o = outcome_next(o))
		if (outcome_is_skip(o) != (skipped_by[o] > 0))
			fail_msg("%zu pages of these sites are skipped as '%s'", skipped_by[o], outcome_word(o));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whatever_the_order_no_page_is_lost_and_each_trap_ends),
		cmocka_unit_test(each_detector_skips_pages_of_a_site),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
