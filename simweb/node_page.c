#include "simweb/node_page.h"
#include "base/ascii.h"
#include "base/rng.h"

#include <math.h>
#include <string.h>

/* Appends a text as the content of an element or of an attribute in double quotes. Characters with a meaning in HTML, and
 * control characters, which a parser would change or refuse, become numeric references. */
static void add_escaped(struct buf *out, const char *text, size_t n)
{
	const char *end = text + n;

	while (text < end) {
		const char *p = text;
		while (p < end && (unsigned char)*p >= ' ' && !strchr("&<>\"'\x7f", *p))
			p++;
		buf_add(out, text, (size_t)(p - text));
		if (p < end)
			buf_format(out, "&#%d;", (unsigned char)*p++);
		text = p;
	}
}

/* Says whether the path and query alone, as an href, resolve to this address on the same host. */
static int is_plain(const struct address *a)
{
	if (a->target_length == 0 || *a->target != '/' || (a->target_length > 1 && a->target[1] == '/'))
		return 0;
	for (size_t i = 0; i < a->target_length; i++)
		if (a->target[i] <= ' ' || a->target[i] > '~' || a->target[i] == '\\')
			return 0;
	return 1;
}

static int same_origin(const struct address *a, const struct address *b)
{
	size_t n = (size_t)(a->target - a->origin);

	return n == (size_t)(b->target - b->origin) && ascii_same(a->origin, b->origin, n) && !memchr(a->origin, '@', n);
}

/* Appends the href of a link from u to v. `own` is the address of the URL that was given for u, or NULL if u has none and is
 * served at http://HOST/NUMBER. */
static void add_href(const struct site *s, uint32_t u, const struct address *own, uint32_t v, struct buf *out)
{
	const char *url = site_given_url(s, v);
	struct address a;

	if (url) {
		if (own && address_of_url(&a, url) && same_origin(own, &a) && is_plain(&a))
			add_escaped(out, a.target, a.target_length);
		else
			add_escaped(out, url, strlen(url));
		return;
	}
	const char *host = site_host(s, v);
	if (own || strcmp(host, site_host(s, u)) != 0) {
		buf_text(out, site_scheme(s));
		add_escaped(out, host, strlen(host));
	}
	buf_format(out, "/%llu", (unsigned long long)site_number(s, v));
}

#define VOCABULARY 4096 /* words, each of two or three syllables */
#define WORDS      30   /* a page has from WORDS to 2 * WORDS words */

static void add_word(struct buf *out, unsigned word)
{
	static const char consonant[] = "bdfgklmnprstvzhj", vowel[] = "aeio";

	for (unsigned syllables = word % 3 ? 2 : 3, left = word; syllables; syllables--, left /= 64) {
		buf_byte(out, consonant[left % 16]);
		buf_byte(out, vowel[left / 16 % 4]);
	}
}

/* Appends a paragraph of the node's own, so that no two pages look alike: words whose frequencies follow Zipf's law. */
static void add_text(struct buf *out, uint64_t number)
{
	struct rng rng = {number};

	buf_text(out, "<p>");
	for (uint64_t left = WORDS + rng_below(&rng, WORDS); left; left--) {
		add_word(out, (unsigned)exp(rng_unit(&rng) * log(VOCABULARY)) - 1);
		buf_byte(out, left > 1 ? ' ' : '\n');
	}
}

void node_page(const struct site *s, uint32_t u, const struct changing_look *look, struct buf *out)
{
	const uint32_t *row = look ? look->links : graph_row(s->g, u), n = look ? look->n : graph_outdegree(s->g, u);
	unsigned long long number = site_number(s, u);
	const char *url = site_given_url(s, u);
	struct address own;

	if (url && !address_of_url(&own, url))
		url = NULL;
	buf_format(out,
		"<!doctype html>\n<html><head><meta charset=\"utf-8\"><title>node "
		"%llu</title></head>\n"
		"<body><h1>node %llu</h1>\n<ol>\n",
		number, number);
	for (uint32_t i = 0; i < n; i++) {
		buf_text(out, "<li><a href=\"");
		add_href(s, u, url ? &own : NULL, row[i], out);
		buf_format(out, "\">%llu</a>\n", (unsigned long long)site_number(s, row[i]));
	}
	buf_text(out, "</ol>\n");
	add_text(out, look ? number + look->version * 0x9e3779b97f4a7c15u : number);
	buf_text(out, "</body></html>\n");
}
