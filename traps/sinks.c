#include "traps/sinks.h"
#include "base/ascii.h"
#include "traps/places.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define FIRST_ASKED \
	8u /* the pages with a text after which an address is made up; twice as many for each made up in vain, or for this text */
#define FAR          8 /* the digits of a far number */
#define MOST_IN_VAIN 20
#define ECHOES       8 /* a template may repeat the address so many times, */
#define NOISE        8 /* and the length of a compressed body may differ by so many bytes beyond that */

struct text {
	uint32_t key[2];
	uint32_t pages, like;   /* like: the last page that had it; of a host, pages: the addresses that were made up in vain */
	uint32_t asked;         /* the pages when an address was made up last */
	uint32_t bytes, length; /* of the answer to a made-up address, and of this address; length 0: there is none */
};

struct made {
	uint64_t key;         /* the id */
	uint64_t is_compared; /* 1: it was made up for a page with the same text, as it may turn out */
};

void sinks_init(struct sinks *s)
{
	map_init_paged(&s->texts, sizeof(struct text));
	map_init(&s->made, sizeof(struct made));
}

void sinks_release(struct sinks *s)
{
	map_release(&s->texts);
	map_release(&s->made);
}

static uint32_t difference(uint32_t a, uint32_t b)
{
	return a > b ? a - b : b - a;
}

int sinks_add(struct sinks *s, const struct sinks_page *p)
{
	struct text *text = map_at(&s->texts, p->host ^ p->text);
	const uint32_t bytes = p->bytes < INT32_MAX ? (uint32_t)p->bytes : INT32_MAX;

	const struct made *made = s->made.used ? map_find(&s->made, p->id) : NULL;
	if (!text->length && made && made->is_compared) {
		((struct text *)map_at(&s->texts, ~p->host))->pages--;
		text = map_at(&s->texts, p->host ^ p->text);
		text->bytes = bytes;
		text->length = p->length;
	}
	text->pages++;
	text->like = p->id;
	return text->length && difference(text->bytes, bytes) <= (uint64_t)ECHOES * difference(text->length, p->length) + NOISE;
}

/* Returns how many addresses of a host were made up in vain. */
static uint32_t in_vain_of(const struct sinks *s, uint64_t host)
{
	const struct text *asked = map_find(&s->texts, ~host);

	return asked ? asked->pages : 0;
}

int sinks_was_denied(const struct sinks *s, uint64_t host)
{
	return in_vain_of(s, host) > 0;
}

int sinks_may_ask(const struct sinks *s, uint64_t host)
{
	return in_vain_of(s, host) < MOST_IN_VAIN;
}

int sinks_asks(const struct sinks *s, uint64_t host, uint64_t hash, uint32_t *like)
{
	const struct text *text = map_find(&s->texts, host ^ hash);

	if (!text || text->length || !sinks_may_ask(s, host) || text->pages + 1 < FIRST_ASKED << in_vain_of(s, host) ||
		text->pages + 1 < 2 * text->asked)
		return 0;
	*like = text->like;
	return 1;
}

void sinks_made(struct sinks *s, uint64_t host, uint64_t hash, uint32_t id)
{
	struct text *text = map_find(&s->texts, host ^ hash);

	if (text)
		text->asked = text->pages + 1;
	((struct made *)map_at(&s->made, id))->is_compared = 1;
	((struct text *)map_at(&s->texts, ~host))->pages++;
}

void sinks_made_for_others(struct sinks *s, uint32_t id)
{
	map_at(&s->made, id);
}

int sinks_is_made(const struct sinks *s, uint32_t id)
{
	return s->made.used && map_find(&s->made, id) != NULL;
}

uint64_t sinks_place(const struct url_traits *u)
{
	const char *path = u->url->text.at + u->url->path;
	const uint32_t last = (uint32_t)((const char *)memrchr(path, '/', u->url->query - u->url->path) - u->url->text.at);
	const struct url name = {.text = {.at = u->url->text.at + last, .used = u->url->text.used - last},
		.query = (uint32_t)u->url->query - last};

	return places_key(u->path ? shape_of(u->url) : shape_family(u->url) ^ shape_of(&name) ^ u->depth, PLACES_OF_SINK);
}

static int ends_name(char c)
{
	return !ascii_is_alnum(c) && !strchr("-_~%", c);
}

/* Adds a name of at least n letters and digits that is no word, no number and no hexadecimal one, and looks drawn
 * (shape_drawn()). */
static void add_name(struct buf *out, size_t n, uint64_t random)
{
	static const char letters[] = "ghjkmnpqrtvwxz", digits[] = "23456789";

	for (size_t i = 0; i < n || i < SINKS_NAME; i++) {
		random = random * 0x9e3779b97f4a7c15u + 1;
		buf_byte(out,
			i % 3 < 2 ? letters[(random >> 33) % (sizeof letters - 1)] : digits[(random >> 33) % (sizeof digits - 1)]);
	}
}

static int is_number(const char *at, size_t n)
{
	size_t i = 0;

	while (i < n && ascii_is_digit(at[i]))
		i++;
	return n && i == n;
}

/* Adds a number that is far above one of n digits, and that programs take for a number, unless that one is too long already. */
static void add_number(struct buf *out, size_t n, uint64_t random)
{
	buf_byte(out, '9');
	for (size_t i = 0; i < n || i + 1 < FAR; i++) {
		random = random * 0x9e3779b97f4a7c15u + 1;
		buf_byte(out, (char)('0' + (random >> 33) % 10));
	}
}

/* Returns the digits of the longest number in a URL. */
static size_t longest_number(const struct url *u)
{
	size_t longest = 0, n = 0;

	for (size_t i = 0; i < u->text.used; i++) {
		n = ascii_is_digit(u->text.at[i]) ? n + 1 : 0;
		longest = n > longest ? n : longest;
	}
	return longest;
}

int sinks_is_as_far(const struct url *u, const struct url *made)
{
	const size_t far = longest_number(made);

	return far < FAR || longest_number(u) >= far;
}

int sinks_make_up(const struct url *u, const struct url *like, enum sinks_names names, struct buf *out)
{
	const char *a = u->text.at, *b = like->text.at;
	const size_t n = u->text.used, m = like->text.used;
	const uint64_t random = XXH3_64bits(a, n);
	size_t from = 0, same = 0, drawn = 0;

	while (from < n && from < m && a[from] == b[from])
		from++;
	while (same < n - from && same < m - from && a[n - 1 - same] == b[m - 1 - same])
		same++;
	size_t to = n - same;
	if (from <= u->path)
		return 0;
	while (!ends_name(a[from - 1]))
		from--;
	while (to < n && !ends_name(a[to]))
		to++;
	buf_clear(out);
	buf_add(out, a, from);
	for (size_t at = from, end; at < to; at = end + (end < to)) {
		for (end = at; end < to && !ends_name(a[end]); end++)
			continue;
		const int is_value = end > at && (end == n || a[end] != '=');
		drawn += (size_t)is_value;
		if (is_value && names == SINKS_FAR && is_number(a + at, end - at))
			add_number(out, end - at, random + at);
		else if (is_value)
			add_name(out, end - at, random + at);
		else
			buf_add(out, a + at, end - at);
		buf_add(out, a + end, end < to);
	}
	buf_add(out, a + to, n - to);
	return drawn > 0;
}
