#include "parser/traits.h"
#include "base/ascii.h"
#include "parser/url_rules.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

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
