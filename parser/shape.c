#include "parser/shape.h"
#include "base/ascii.h"
#include "parser/url.h"
#include "parser/url_rules.h"

#include <libpsl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define SHAPE_SEGMENTS 256 /* looked at for repeats */

/* Appends the path, with "0" for each run of letters and digits that has a digit. Says whether there was one. */
static int add_path(struct buf *out, const char *at, const char *end)
{
	int changed = 0;

	while (at < end) {
		const char *run = at;
		int digits = 0;
		for (; at < end && ascii_is_alnum(*at); at++)
			digits |= ascii_is_digit(*at);
		if (digits)
			buf_text(out, "0");
		else
			buf_add(out, run, (size_t)(at - run));
		changed |= digits;
		if (at < end)
			buf_add(out, at++, 1);
	}
	return changed;
}

/* Appends the query without its values. */
static void add_query(struct buf *out, const char *at, const char *end)
{
	while (at < end) {
		const char *next = memchr(at, '&', (size_t)(end - at));
		next = next ? next + 1 : end;
		const char *equals = memchr(at, '=', (size_t)(next - at));
		buf_add(out, at, equals ? (size_t)(equals - at) : 0);
		buf_text(out, "&");
		at = next;
	}
}

uint64_t shape_of(const struct url *u)
{
	const char *text = u->text.at;
	AUTO(buf) shape = BUF_EMPTY;

	buf_add(&shape, text, u->path);
	int changed = add_path(&shape, text + u->path, text + u->query);
	if (u->query < u->text.used) {
		buf_text(&shape, "?");
		add_query(&shape, text + u->query + 1, text + u->text.used);
		changed = 1;
	}
	const uint64_t hash = changed ? XXH3_64bits(shape.at, shape.used) : 0;
	return changed && !hash ? 1 : hash;
}

uint64_t shape_without_query(const struct url *u)
{
	AUTO(buf) shape = BUF_EMPTY;
	uint64_t hash = 0;

	if (u->query == u->text.used)
		return 0;
	buf_add(&shape, u->text.at, u->path);
	add_path(&shape, u->text.at + u->path, u->text.at + u->query);
	buf_text(&shape, "?*");
	hash = XXH3_64bits(shape.at, shape.used);
	return hash ? hash : 1;
}

static int is_drawn_byte(char c)
{
	return ascii_is_alnum(c) || c == '-' || c == '_';
}

static int looks_random(const char *at, size_t n)
{
	unsigned digits = 0, changes = 0;
	int last = -1;

	for (size_t i = 0; n >= SHAPE_DRAWN && i < n; i++) {
		if (!ascii_is_alnum(at[i]))
			continue;
		changes += last >= 0 && last != ascii_is_digit(at[i]);
		last = ascii_is_digit(at[i]);
		digits += (unsigned)last;
	}
	return changes >= 2 || (digits >= SHAPE_DRAWN && digits == n);
}

uint64_t shape_drawn(const struct url *u, uint64_t *place)
{
	const char *text = u->text.at, *at = text + u->path, *end = text + u->text.used;
	const char *query = u->query < u->text.used ? text + u->query + 1 : NULL;
	struct buf form = BUF_EMPTY, places = BUF_EMPTY;
	uint64_t hash = 0;
	size_t from = u->path; /* what tells a run's place begins there in the form */

	buf_add(&form, text, u->path);
	buf_add(&places, text + u->host, u->path - u->host);
	const size_t host = places.used;
	while (at < end) {
		const char *run = at;
		for (; at < end && is_drawn_byte(*at); at++)
			continue;
		if (looks_random(run, (size_t)(at - run))) {
			from = run == query ? u->path : from; /* it has no name */
			buf_add(&places, form.at + from, form.used - from);
			buf_byte(&places, '*');
			buf_byte(&form, '*');
			from = form.used;
		} else {
			buf_add(&form, run, (size_t)(at - run));
		}
		if (at < end)
			buf_add(&form, at++, 1);
		if (query && (at == query || (at > query && at[-1] == '&')))
			from = form.used; /* a parameter's name, or what the value has before it */
	}
	if (places.used > host) {
		hash = XXH3_64bits(form.at, form.used);
		*place = XXH3_64bits(places.at, places.used);
	}
	buf_release(&form);
	buf_release(&places);
	return hash;
}

uint64_t shape_root(const struct url *u)
{
	const char *host = u->text.at + u->host, *path = u->text.at + u->path;
	const char *slash = memchr(path + 1, '/', u->query - u->path - 1);

	/* the slash at the end tells it from a host */
	return XXH3_64bits(host, (size_t)((slash ? slash : path) + 1 - host));
}

uint64_t shape_family(const struct url *u)
{
	const char *text = u->text.at, *path = text + u->path, *end = text + u->query;
	const char *slash = u->query < u->text.used ? end - 1 : memchr(path + 1, '/', (size_t)(end - path - 1));
	AUTO(buf) shape = BUF_EMPTY;

	buf_add(&shape, text + u->host, u->path - u->host);
	add_path(&shape, path, (slash ? slash : path) + 1);
	if (u->query < u->text.used)
		buf_text(&shape, "?");
	return XXH3_64bits(shape.at, shape.used);
}

uint64_t shape_domain(const struct url *u)
{
	const char *host = u->text.at + u->host;
	const size_t n = u->host_end - u->host, start = domain_start(host, n);

	return XXH3_64bits(host + start, n - start);
}

/* Computes the hashes of the path's segments, at most SHAPE_SEGMENTS. Returns the number of segments. */
static unsigned segments(const struct url *u, uint64_t hash[SHAPE_SEGMENTS])
{
	const char *at = u->text.at + u->path + 1, *end = u->text.at + u->query;
	unsigned n = 0;

	for (;; n++) {
		const char *slash = memchr(at, '/', (size_t)(end - at));
		const char *stop = slash ? slash : end;
		if (n < SHAPE_SEGMENTS)
			hash[n] = XXH3_64bits(at, (size_t)(stop - at));
		if (!slash)
			return n + 1;
		at = slash + 1;
	}
}

unsigned shape_repeats(const struct url *u)
{
	uint64_t hash[SHAPE_SEGMENTS];
	unsigned n = segments(u, hash), most = 1;

	n = n < SHAPE_SEGMENTS ? n : SHAPE_SEGMENTS;
	for (unsigned group = 1; group <= SHAPE_GROUP; group++) {
		unsigned run = 0; /* segments equal to those a group before */
		for (unsigned i = group; i < n; i++) {
			run = hash[i] == hash[i - group] ? run + 1 : 0;
			if (run / group + 1 > most)
				most = run / group + 1;
		}
	}
	return most;
}

/* Returns the number that the `digits` digits at `at` spell, or -1 if there are fewer. Digits that follow are not looked at. */
static int number(const char *at, const char *end, int digits)
{
	int value = 0;

	for (int i = 0; i < digits; i++) {
		if (at + i >= end || !ascii_is_digit(at[i]))
			return -1;
		value = 10 * value + (at[i] - '0');
	}
	return value;
}

/* Says whether a number may be a year, of which `first` is the first. */
static int is_year(int n, int first)
{
	return n >= first && n < 2200;
}

/* Says whether four digits that could be a year may begin here. The first byte rules most texts out. */
static inline int may_be_year(const char *at, const char *end)
{
	return end - at >= 4 && (*at == '1' || *at == '2') && ascii_is_digit(at[1]) && ascii_is_digit(at[2]);
}

/* Says whether six digits are a date YYMMDD, as in the names of lectures and minutes: 210912 is then not read as the year 2109
 * and a month. */
static int is_short_date(const char *at, const char *end)
{
	const int month = number(at + 2, end, 2), day = number(at + 4, end, 2);

	return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

/* Returns the year of a year and a month with '-' or '/' between, or of YYYYMM, or of YYYYMMDD; else -1. */
static int year_and_month(const char *at, const char *end, int first)
{
	const int year = number(at, end, 4);

	if (!is_year(year, first) || end - at < 6)
		return -1;
	const char *month = at + 4 + (at[4] == '-' || at[4] == '/');
	const int m = number(month, end, 2);
	if (m < 1 || m > 12)
		return -1;
	const char *rest = month + 2;
	const size_t more = strspn(rest < end ? rest : "", "0123456789");
	const int day = more == 2 ? number(rest, end, 2) : 0;
	if (month == at + 4)
		return (day >= 1 && day <= 31) || (more == 0 && !is_short_date(at, end)) ? year : -1;
	return more == 0 ? year : -1;
}

/* Returns a year that stands alone. */
static int year_alone(const char *at, const char *end, int first)
{
	const int year = end - at == 4 ? number(at, end, 4) : -1;

	return is_year(year, first) ? year : -1;
}

static int year_of_parameter(const char *at, const char *end, int first)
{
	static const char years[] = "y yr year cal_year calyear", dates[] = "date month day week d m from to start end time ym cal";
	const char *equals = memchr(at, '=', (size_t)(end - at));
	int year = -1;

	if (!equals || !may_be_year(equals + 1, end))
		return -1;
	const size_t n = (size_t)(equals - at);
	if (ascii_is_among(at, n, years))
		year = year_alone(equals + 1, end, first);
	if (year < 0 && (ascii_is_among(at, n, dates) || ascii_is_among(at, n, years)))
		year = year_and_month(equals + 1, end, first);
	return year;
}

static int farther_year(int found, int far, int year)
{
	return found >= 0 && abs(found - year) > abs(far - year) ? found : far;
}

int shape_far_year(const struct url *u, int year, int first)
{
	const char *at = u->text.at + u->path, *end = u->text.at + u->query;
	int far = year;

	while (at < end && (at = memchr(at, '/', (size_t)(end - at)))) {
		at++;
		if (may_be_year(at, end))
			far = farther_year(year_and_month(at, end, first), far, year);
	}
	at = u->text.at + u->query;
	end = u->text.at + u->text.used;
	while (at < end) {
		at++; /* the question mark, or the ampersand */
		const char *next = memchr(at, '&', (size_t)(end - at));
		next = next ? next : end;
		far = farther_year(year_of_parameter(at, next, first), far, year);
		at = next;
	}
	return far;
}

static int is_address(const char *host)
{
	return *host == '[' || !host[strspn(host, "0123456789.")];
}

size_t domain_start(const char *host, size_t n)
{
	char name[DOMAIN_HOST_MAX + 1];

	if (n > DOMAIN_HOST_MAX)
		return 0;
	memcpy(name, host, n);
	name[n] = 0;
	const char *domain = is_address(name) ? NULL : psl_registrable_domain(psl_builtin(), name);
	return domain ? (size_t)(domain - name) : 0;
}

struct parameter {
	const char *at;
	size_t n, name; /* bytes in all, and of the name */
};

struct query {
	unsigned n;                                    /* parameters that count */
	int has_more;                                  /* there are some that do not: session ids, empty ones */
	struct parameter parameter[TRAITS_PARAMETERS]; /* n; the rest is not initialised */
};

static void add_parameter(struct query *q, const char *at, size_t n)
{
	const char *equals = memchr(at, '=', n);
	const size_t name = equals ? (size_t)(equals - at) : n;

	if (!name || url_rules_is_session(at, n, name)) {
		q->has_more = 1;
		return;
	}
	if (name + 1 == n) { /* "a=" is "a" */
		n = name;
		q->has_more = 1;
	}
	q->parameter[q->n++] = (struct parameter){at, n, name};
}

/* Reads the parameters of a query, from after its question mark. Returns 1, or 0 if there are more than TRAITS_PARAMETERS. */
static int read_parameters(struct query *q, const char *at, const char *end)
{
	q->n = 0;
	q->has_more = 0;
	for (unsigned n = 0; at < end; at++) {
		const char *next = memchr(at, '&', (size_t)(end - at));
		next = next ? next : end;
		if (++n > TRAITS_PARAMETERS)
			return 0;
		add_parameter(q, at, (size_t)(next - at));
		at = next;
	}
	return 1;
}

/* Returns how many parameters before number i have its name; the order of parameters of one name matters. */
static unsigned namesakes(const struct query *q, unsigned i)
{
	const struct parameter *p = &q->parameter[i];
	unsigned n = 0;

	for (unsigned k = 0; k < i; k++)
		n += q->parameter[k].name == p->name && memcmp(q->parameter[k].at, p->at, p->name) == 0;
	return n;
}

/* Returns a hash of the parameters that does not depend on their order. */
static uint64_t hash_of_parameters(const struct query *q)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < q->n; i++)
		sum += XXH3_64bits_withSeed(q->parameter[i].at, q->parameter[i].n, namesakes(q, i));
	return XXH3_64bits(&sum, sizeof sum);
}

/* Returns a hash of the text before the query without its session ids; 0 if it has none. */
static uint64_t hash_without_sessions(const struct url *u)
{
	char text[URL_MAX + 1];
	struct url place = *u;

	if (u->query > URL_MAX)
		return 0;
	place.text = (struct buf){.at = text, .used = u->query, .room = sizeof text};
	memcpy(text, u->text.at, u->query);
	text[u->query] = 0;
	url_rules_cut_sessions(&place);
	return place.query != u->query ? XXH3_64bits(text, place.query) : 0;
}

/* Returns the hash of a URL's form (see traits.h), or 0 if it has none of its own. may_have_session: the path has a byte after
 * which session ids stand. */
static uint64_t form_of(const struct url *u, uint64_t path, int may_have_session)
{
	struct query q;
	uint64_t place = 0;

	if (!read_parameters(&q, u->text.at + u->query + (u->query < u->text.used), u->text.at + u->text.used))
		return 0;
	if (may_have_session)
		place = hash_without_sessions(u);
	if (!place && !q.has_more && q.n < 2)
		return 0;
	if (!place)
		place = path ? path : XXH3_64bits(u->text.at, u->query);
	const uint64_t hash = place ^ hash_of_parameters(&q);
	return hash ? hash : 1;
}

/* Says whether a year from 1900 to 2199 may begin here. */
static inline int begins_a_year(const char *at)
{
	return (at[0] == '1' && ascii_is_digit(at[1])) || (at[0] == '2' && (at[1] == '0' || at[1] == '1'));
}

struct url_traits url_traits(const struct url *u)
{
	const char *text = u->text.at, *query = text + u->query, *end = text + u->text.used;
	struct url_traits t = {.url = u, .host = XXH3_64bits(text + u->host, u->path - u->host)};
	int may_have_session = 0;

	for (const char *at = text + u->path; at < query; at++) {
		if (*at == '/') {
			t.depth++;
			t.may_be_dated |= begins_a_year(at + 1);
			may_have_session |= at[1] == '(';
		}
		may_have_session |= *at == ';';
	}
	for (const char *at = query; at < end; at++)
		t.may_be_dated |= *at == '=' && begins_a_year(at + 1);
	if (query < end)
		t.path = XXH3_64bits(text, u->query);
	if (query < end || may_have_session)
		t.form = form_of(u, t.path, may_have_session);
	return t;
}
