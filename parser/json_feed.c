#include "parser/json_feed.h"
#include "parser/url.h"

#include <jansson.h>
#include <string.h>

/* Where the reader is in a document. Depth 1 is the inside of the feed, 2 that of its list of items, 3 that of an item. */
struct place {
	const char *at, *end;
	const char *key; /* the name before the value that comes next, with its quotes; NULL: there is none */
	size_t key_n;
	size_t depth;
	int in_items, in_item;
};

/* Returns the position behind the string that begins at p, or `end` if the string has no end. */
static const char *behind_string(const char *p, const char *end)
{
	for (p++; p < end && *p != '"'; p++)
		p += *p == '\\' && p + 1 < end;
	return p < end ? p + 1 : end;
}

static int is_key(const struct place *p, const char *name)
{
	const size_t n = strlen(name);

	return p->key && p->key_n == n + 2 && memcmp(p->key + 1, name, n) == 0;
}

static void open(struct place *p, char bracket)
{
	p->depth++;
	if (p->depth == 2)
		p->in_items = bracket == '[' && is_key(p, "items");
	else if (p->depth == 3)
		p->in_item = p->in_items && bracket == '{';
	p->key = NULL;
}

static void close(struct place *p)
{
	p->in_item &= p->depth > 3;
	p->in_items &= p->depth > 2;
	p->depth -= p->depth > 0;
	p->key = NULL;
}

/* Finds the next string that is the value of a name, with its quotes. Returns its length, or 0 at the end of the document. */
static size_t next_value(struct place *p, const char **value)
{
	while (p->at < p->end) {
		const char *from = p->at++;
		if (*from == '{' || *from == '[')
			open(p, *from);
		else if (*from == '}' || *from == ']')
			close(p);
		if (*from != '"')
			continue;
		p->at = behind_string(from, p->end);
		const size_t n = (size_t)(p->at - from);
		const char *next = p->at;
		while (next < p->end && strchr(" \t\r\n", *next) && *next)
			next++;
		if (next < p->end && *next == ':') {
			p->key = from;
			p->key_n = n;
			p->at = next + 1;
		} else if (p->key) {
			*value = from;
			return n;
		}
	}
	return 0;
}

/* Calls `each` with the text of a string, whose escapes are resolved. A string that is longer than any URL, or malformed, is passed
 * over. */
static int tell(const char *value, size_t n, json_feed_fn *each, void *ctx)
{
	json_t *string = n <= URL_INPUT_MAX ? json_loadb(value, n, JSON_DECODE_ANY, NULL) : NULL;
	const int over = string ? each(ctx, json_string_value(string), json_string_length(string)) : 0;

	json_decref(string);
	return over;
}

static struct place begin(const char *bytes, size_t n)
{
	return (struct place){.at = bytes, .end = bytes + n};
}

static int is_version(void *ctx, const char *text, size_t n)
{
	static const char version[] = "https://jsonfeed.org/version/";

	*(int *)ctx = n >= strlen(version) && memcmp(text, version, strlen(version)) == 0;
	return *(int *)ctx;
}

int json_feed_is(const char *bytes, size_t n)
{
	struct place p = begin(bytes, n);
	const char *value;
	size_t length;
	int is_feed = 0;

	if (!memmem(bytes, n, "jsonfeed.org", strlen("jsonfeed.org")))
		return 0;
	while (!is_feed && (length = next_value(&p, &value)) != 0) {
		if (p.depth == 1 && is_key(&p, "version"))
			tell(value, length, is_version, &is_feed);
		p.key = NULL;
	}
	return is_feed;
}

void json_feed_read(const char *bytes, size_t n, json_feed_fn *each, void *ctx)
{
	struct place p = begin(bytes, n);
	const char *value;
	size_t length;
	int over = 0;

	while (!over && (length = next_value(&p, &value)) != 0) {
		if ((p.depth == 1 && is_key(&p, "next_url")) ||
			(p.depth == 3 && p.in_item && (is_key(&p, "url") || is_key(&p, "external_url"))))
			over = tell(value, length, each, ctx);
		p.key = NULL;
	}
}
