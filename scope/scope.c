#include "scope/scope.h"
#include "base/map.h"
#include "base/mem.h"
#include "parser/host_settings.h"
#include "parser/match.h"
#include "parser/shape.h"
#include "traps/traps.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#define SCOPE_MAX_URL 2000 /* bytes; a longer URL is refused: it is part of a trap, or of no use */

/* An area of the web: the host of a seed ("example.org:8080"), the folder of a seed ("example.org:8080/a/"), or a blocked host. */
struct area {
	UT_hash_handle hh;
	size_t longest; /* of a host: the bytes of its longest folder */
	char name[];
};

/* The items of a list with commas. */
struct list {
	char **item;
	size_t n, room;
};

struct taken {
	uint64_t key, pages;
};

struct scope {
	int span_hosts, no_parent;
	uint32_t max_depth;
	struct list domains, accept, reject; /* an empty list: the setting was not given */
	regex_t *accept_regex, *reject_regex;
	struct area *areas, *blocked;
	struct rules *rules;
	struct traps *traps;
	const struct host_settings *hosts;
	/* budgets, the numbers of pages that may be crawled of each host and each registrable domain; 0: no limit */
	uint64_t per_host, per_domain;
	const struct host_settings *own; /* has the budgets of some hosts, in place of per_host; NULL: there are none */
	struct map taken[2];             /* of hosts and of domains: the number of pages crawled or in flight */
	struct buf
		memory; /* the settings that decide what budgets and traps keep, and which ways to pages are followed, as a text */
};

static void free_areas(struct area **all)
{
	struct area *p, *next;

	for (p = *all; p; p = next) {
		next = p->hh.next;
		HASH_DELETE(hh, *all, p);
		free(p);
	}
}

static void list_read(struct list *l, const char *text)
{
	while (text && *text) {
		size_t n = strcspn(text, ",");
		const char *at = text;
		text += n + (text[n] == ',');
		for (; n && *at == ' '; at++)
			n--;
		while (n && at[n - 1] == ' ')
			n--;
		if (n == 0)
			continue;
		l->item = mem_grow(l->item, &l->room, l->n + 1, sizeof *l->item);
		l->item[l->n] = mem_copy(at, n + 1);
		l->item[l->n++][n] = 0;
	}
}

static void list_release(struct list *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->item[i]);
	free(l->item);
}

static struct area *find_area(const struct area *all, const char *name, size_t n)
{
	struct area *p;

	HASH_FIND(hh, all, name, n, p);
	return p;
}

static struct area *add_area(struct area **all, const char *name, size_t n)
{
	struct area *p = find_area(*all, name, n);

	if (!p) {
		p = mem_zero(1, sizeof *p + n);
		memcpy(p->name, name, n);
		HASH_ADD_KEYPTR(hh, *all, p->name, n, p);
	}
	return p;
}

/* --- blocked hosts */

void scope_block(struct scope *s, const char *host, size_t n)
{
	add_area(&s->blocked, host, n)->longest = n;
}

void scope_unblock(struct scope *s, const char *host, size_t n)
{
	struct area *p = find_area(s->blocked, host, n);

	if (!p)
		return;
	HASH_DELETE(hh, s->blocked, p);
	free(p);
}

int scope_blocks(const struct scope *s, const struct url *u)
{
	return s->blocked && find_area(s->blocked, u->text.at + u->host, u->path - u->host);
}

int scope_has_blocks(const struct scope *s)
{
	return s->blocked != NULL;
}

void scope_list_blocked(const struct scope *s, struct buf *out)
{
	for (const struct area *p = s->blocked; p; p = p->hh.next) {
		if (p != s->blocked)
			buf_byte(out, ',');
		buf_add(out, p->name, p->longest);
	}
	buf_end(out);
}

static void block_all(struct scope *s, const char *hosts)
{
	struct list all = {.n = 0};

	list_read(&all, hosts);
	for (size_t i = 0; i < all.n; i++)
		scope_block(s, all.item[i], strlen(all.item[i]));
	list_release(&all);
}

static int make_traps(struct scope *s, const struct scope_settings *set, struct err_note *why)
{
	char *text = mem_text(set->traps ? set->traps : ""), *next = text, *one;
	struct opt_set limits;
	int err = 0;

	opt_init(&limits, traps_options, "--trap-opt");
	while (!err && (one = strsep(&next, "\n")))
		if (*one)
			err = traps_give(&limits, one, why);
	if (!err)
		s->traps = traps_new(&limits, (int)set->year);
	opt_release(&limits);
	free(text);
	return err;
}

int scope_new(struct scope **out, const struct scope_settings *set, struct err_note *why)
{
	struct scope *s = *out = mem_zero(1, sizeof *s);

	s->span_hosts = set->span_hosts;
	s->no_parent = set->no_parent;
	s->max_depth = (uint32_t)set->max_depth;
	list_read(&s->domains, set->domains);
	list_read(&s->accept, set->accept);
	list_read(&s->reject, set->reject);
	int err = match_regex_new(&s->accept_regex, set->accept_regex, why);
	if (!err)
		err = match_regex_new(&s->reject_regex, set->reject_regex, why);
	if (!err && set->rules)
		err = rules_new(&s->rules, NULL, set->rules, why);
	if (!err)
		err = make_traps(s, set, why);
	s->hosts = set->hosts;
	s->own = host_settings_has_budgets(set->hosts) ? set->hosts : NULL;
	s->per_host = set->max_per_host;
	s->per_domain = set->max_per_domain;
	for (size_t i = 0; i < 2; i++)
		map_init_paged(&s->taken[i], sizeof(struct taken));
	block_all(s, set->block_hosts);
	buf_format(&s->memory, "year=%d depth=%d per-host=%d per-domain=%d own=%d traps/2=%s", (int)set->year,
		set->max_depth != UINT32_MAX, set->max_per_host != 0, set->max_per_domain != 0, s->own != NULL,
		set->traps ? set->traps : "");
	if (err) {
		scope_free(s);
		*out = NULL;
	}
	return err;
}

void scope_free(struct scope *s)
{
	if (!s)
		return;
	free_areas(&s->areas);
	free_areas(&s->blocked);
	list_release(&s->domains);
	list_release(&s->accept);
	list_release(&s->reject);
	match_regex_free(s->accept_regex);
	match_regex_free(s->reject_regex);
	rules_free(s->rules);
	traps_free(s->traps);
	for (size_t i = 0; i < 2; i++)
		map_release(&s->taken[i]);
	buf_release(&s->memory);
	free(s);
}

static struct area *host_of(const struct scope *s, const struct url *u)
{
	return find_area(s->areas, u->text.at + u->host, u->path - u->host);
}

/* Returns the length of a URL's path up to its last '/', with it and without the query. */
static size_t folder_length(const struct url *u)
{
	const char *path = u->text.at + u->path;
	const char *slash = memrchr(path, '/', u->query - u->path);

	return slash ? (size_t)(slash - path) + 1 : 0;
}

void scope_add_seed(struct scope *s, const struct url *seed)
{
	const char *name = seed->text.at + seed->host;
	const size_t n = seed->path - seed->host, folder = n + folder_length(seed);
	struct area *host = add_area(&s->areas, name, n);

	add_area(&s->areas, name, folder);
	if (host->longest < folder)
		host->longest = folder;
}

/* Says whether a page is in the folder of a seed, or in a folder below it. */
static int is_below(const struct scope *s, const struct area *host, const struct url *u)
{
	const char *name = u->text.at + u->host;
	size_t most = u->path - u->host + folder_length(u);

	if (most > host->longest)
		most = host->longest;
	for (size_t n = u->path - u->host; n < most; n++)
		if (name[n] == '/' && find_area(s->areas, name, n + 1))
			return 1;
	return 0;
}

static int host_belongs(const struct scope *s, const struct url *u)
{
	const char *host = u->text.at + u->host;

	if (s->domains.n == 0)
		return s->span_hosts || host_of(s, u);
	for (size_t i = 0; i < s->domains.n; i++)
		if (match_domain(host, u->host_end - u->host, s->domains.item[i]))
			return 1;
	return 0;
}

static int name_matches(const struct list *l, const char *name, size_t n)
{
	for (size_t i = 0; i < l->n; i++) {
		const char *item = l->item[i];
		size_t m = strlen(item);
		if (strpbrk(item, "*?[")) {
			if (match_glob(item, name, n))
				return 1;
		} else if (m <= n && memcmp(name + n - m, item, m) == 0) {
			return 1;
		}
	}
	return 0;
}

static int suffix_belongs(const struct scope *s, const struct url *u)
{
	const size_t folder = folder_length(u);
	const char *name = u->text.at + u->path + folder;
	const size_t n = u->query - u->path - folder;

	if (name_matches(&s->reject, name, n))
		return 0;
	return s->accept.n == 0 || !memchr(name, '.', n) || name_matches(&s->accept, name, n);
}

static int regex_belongs(const struct scope *s, const struct url *u)
{
	const regex_t *accept = s->accept_regex, *reject = s->reject_regex;
	struct host_setting own;

	if (host_settings_has_scope(s->hosts)) {
		host_settings_for_url(s->hosts, u, &own);
		accept = own.accept_regex ? own.accept_regex : accept;
		reject = own.reject_regex ? own.reject_regex : reject;
	}
	if (accept && !match_regex(accept, u->text.at))
		return 0;
	return !reject || !match_regex(reject, u->text.at);
}

static int parent_belongs(const struct scope *s, const struct url *u)
{
	const struct area *host = s->no_parent ? host_of(s, u) : NULL;

	return !host || is_below(s, host, u);
}

/* Judges a URL for which no rule decides: by host, suffix, expressions and parent folders. Returns OUTCOME_NONE or the reason of
 * the refusal. */
static enum outcome judge_place(const struct scope *s, const struct url *u)
{
	if (!host_belongs(s, u))
		return OUTCOME_HOST;
	if (!suffix_belongs(s, u))
		return OUTCOME_SUFFIX;
	if (!regex_belongs(s, u))
		return OUTCOME_REGEX;
	if (!parent_belongs(s, u))
		return OUTCOME_PARENT;
	return OUTCOME_NONE;
}

uint32_t scope_max_depth(const struct scope *s)
{
	return s->max_depth;
}

static enum outcome judge_all(const struct scope *s, const struct url *u, uint32_t depth)
{
	if (u->text.used > SCOPE_MAX_URL)
		return OUTCOME_LENGTH;
	if (depth > s->max_depth)
		return OUTCOME_DEPTH;
	if (scope_blocks(s, u))
		return OUTCOME_RULE;
	switch (rules_judge(s->rules, u, NULL)) {
	case RULES_REJECT:
		return OUTCOME_RULE;
	case RULES_ACCEPT:
		return OUTCOME_NONE;
	default:
		return judge_place(s, u);
	}
}

enum outcome scope_judge_known(const struct scope *s, const struct url_traits *u, uint32_t depth)
{
	return judge_all(s, u->url, depth);
}

enum outcome scope_judge_new(const struct scope *s, const struct url_traits *u, uint32_t depth)
{
	const enum outcome refusal = judge_all(s, u->url, depth);

	return refusal ? refusal : traps_judge(s->traps, u);
}

int scope_has_budgets(const struct scope *s)
{
	return s->per_host || s->per_domain || s->own;
}

static int has_room(const struct map *taken, uint64_t key, uint64_t most)
{
	const struct taken *t = most ? map_find(taken, key) : NULL;

	return !t || t->pages < most;
}

int scope_has_room(const struct scope *s, const struct url_traits *u)
{
	uint64_t most = s->per_host;
	struct host_setting own;

	if (s->own) {
		host_settings_for_url(s->own, u->url, &own);
		most = own.max_pages == HOST_SETTING_ANY_PAGES ? most : own.max_pages;
	}
	return has_room(&s->taken[0], u->host, most) &&
		(!s->per_domain || has_room(&s->taken[1], shape_domain(u->url), s->per_domain));
}

/* Adds 1 to the numbers of a URL's host and domain, or takes it back. */
static void count(struct scope *s, const struct url_traits *u, int by)
{
	const uint64_t key[2] = {u->host, s->per_domain ? shape_domain(u->url) : 0};
	const int is_counted[2] = {s->per_host || s->own, s->per_domain != 0};

	for (size_t i = 0; i < 2; i++) {
		struct taken *t = is_counted[i] ? map_at(&s->taken[i], key[i]) : NULL;
		if (t && (by > 0 || t->pages))
			t->pages += (uint64_t)(int64_t)by;
	}
}

void scope_take(struct scope *s, const struct url_traits *u)
{
	count(s, u, 1);
}

void scope_give_back(struct scope *s, const struct url_traits *u)
{
	count(s, u, -1);
}

int scope_image(struct scope *s, struct image *im)
{
	if (!image_same(im, s->memory.at, s->memory.used))
		return 0;
	image_map(im, &s->taken[0]);
	image_map(im, &s->taken[1]);
	traps_image(s->traps, im);
	return 1;
}

const struct rules *scope_rules(const struct scope *s)
{
	return s->rules;
}

struct traps *scope_traps(struct scope *s)
{
	return s->traps;
}
