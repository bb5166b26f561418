#include "parser/html_token.h"

#include <string.h>

/* The sums of enum html_class; none from 0x80 on. */
const uint8_t html_class[256] = {
	0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 1, 0, 0,                /* 00 */
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,                /* 10 */
	1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2,                /* 20 */
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 8, 0,                /* 30 */
	0, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, /* 40 */
	16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 0, 0, 0, 0, 0,     /* 50 */
	0, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, /* 60 */
	16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 0, 0, 0, 0, 0,     /* 70 */
};

enum { ENDS_TAG_NAME = HTML_SPACE | HTML_SLASH | HTML_CLOSE };
enum { ENDS_NAME = ENDS_TAG_NAME | HTML_EQUALS, ENDS_VALUE = HTML_SPACE | HTML_CLOSE };

int html_is_name(const char *text, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++) {
		char c = text[i];
		if (c >= 'A' && c <= 'Z')
			c = (char)(c | 0x20);
		if (!name[i] || c != name[i])
			return 0;
	}
	return name[n] == 0;
}

void html_tokens_init(struct html_tokens *t, const char *bytes, size_t n)
{
	*t = (struct html_tokens){.at = bytes, .end = bytes + n, .blank = 1};
}

static size_t left(const struct html_tokens *t, const char *p)
{
	return (size_t)(t->end - p);
}

static const char *after_next(const struct html_tokens *t, const char *p, char c)
{
	const char *found = memchr(p, c, left(t, p));

	return found ? found + 1 : t->end;
}

/* Skips a comment; p is after "<!--". A comment ends at "-->" and "--!>", and immediately at ">" and "->". */
static const char *skip_comment(const struct html_tokens *t, const char *p)
{
	const char *start = p;

	if (p < t->end && *p == '>')
		return p + 1;
	if (left(t, p) > 1 && p[0] == '-' && p[1] == '>')
		return p + 2;
	for (;;) {
		const char *close = memchr(p, '>', left(t, p));
		if (!close)
			return t->end;
		p = close + 1;
		if (close - start >= 2 && close[-1] == '-' && close[-2] == '-')
			return p;
		if (close - start >= 3 && close[-1] == '!' && close[-2] == '-' && close[-3] == '-')
			return p;
	}
}

/* Skips a comment, CDATA section or other markup; p is after "<", before the '!' or '?', or before a '/' that no letter follows. */
static const char *skip_markup(const struct html_tokens *t, const char *p)
{
	static const char cdata[] = "![CDATA[";

	if (left(t, p) >= 3 && memcmp(p, "!--", 3) == 0)
		return skip_comment(t, p + 3);
	if (t->cdata && left(t, p) >= sizeof cdata - 1 && memcmp(p, cdata, sizeof cdata - 1) == 0) {
		const char *close = memmem(p, left(t, p), "]]>", 3);
		return close ? close + 3 : t->end;
	}
	return after_next(t, p, '>');
}

/* Returns the '<' that ends the text at p, or the end. */
static const char *skip_text(struct html_tokens *t, const char *p)
{
	if (t->blank) {
		while (p < t->end && (html_is(*p, HTML_SPACE) || *p == 0))
			p++;
		t->blank = p == t->end || *p == '<';
	}
	if (p < t->end && *p == '<')
		return p;
	p = memchr(p, '<', left(t, p));
	return p ? p : t->end;
}

enum html_tag_kind html_next_tag(struct html_tokens *t, struct html_text *name)
{
	const char *p = t->at;

	for (;;) {
		p = skip_text(t, p);
		if (left(t, p) < 2) {
			t->at = t->end;
			return HTML_END_OF_FILE;
		}
		p++;
		int is_end = *p == '/';
		const char *start = p + is_end;
		if (start < t->end && html_is(*start, HTML_ALPHA)) {
			for (p = start + 1; p < t->end && !html_is(*p, ENDS_TAG_NAME);)
				p++;
			*name = (struct html_text){start, (size_t)(p - start)};
			t->at = p;
			return is_end ? HTML_END_TAG : HTML_START_TAG;
		}
		if (is_end && start == t->end)
			t->blank = 0;
		else if (is_end || *p == '!' || *p == '?')
			p = skip_markup(t, p + is_end);
		else
			t->blank = 0;
	}
}

int html_next_text(struct html_tokens *t, struct html_text *text)
{
	const char *p = t->at;

	while (left(t, p) >= 2 && *p == '<' && (p[1] == '!' || p[1] == '?' || p[1] == '/'))
		p = skip_markup(t, p + 1 + (p[1] == '/'));
	text->at = p;
	p = p < t->end ? memchr(p + 1, '<', left(t, p) - 1) : NULL;
	t->at = p ? p : t->end;
	text->n = (size_t)(t->at - text->at);
	return text->n > 0;
}

static inline const char *skip_space(const char *p, const char *end)
{
	while (p < end && html_is(*p, HTML_SPACE))
		p++;
	return p;
}

/* Returns the value after a '=', and moves *at behind it; *at becomes NULL if the document ends within quotes. */
static inline struct html_text read_value(const char **at, const char *end)
{
	const char *p = skip_space(*at, end), *start = p;

	if (p < end && (*p == '"' || *p == '\'')) {
		start = p + 1;
		p = memchr(start, *p, (size_t)(end - start));
		*at = p ? p + 1 : NULL;
		return (struct html_text){start, p ? (size_t)(p - start) : 0};
	}
	while (p < end && !html_is(*p, ENDS_VALUE))
		p++;
	*at = p;
	return (struct html_text){start, (size_t)(p - start)};
}

/* Inlined, since both callers call it in a loop over every tag. */
__attribute__((always_inline)) static inline int next_attribute(struct html_tokens *t, const char **at, struct html_text *name,
	struct html_text *value)
{
	const char *p = *at, *end = t->end, *start = p;

	while (p < end && html_is(*p, HTML_SPACE | HTML_SLASH))
		p++;
	if (p < end && *p == '>') {
		t->self_closing = p > start && p[-1] == '/';
		*at = p + 1;
		return 0;
	}
	start = p;
	if (p < end) /* a '=' here begins a name */
		p++;
	while (p < end && !html_is(*p, ENDS_NAME))
		p++;
	*name = (struct html_text){start, (size_t)(p - start)};
	*value = (struct html_text){p, 0};
	p = skip_space(p, end);
	if (p < end && *p == '=') {
		p++;
		*value = read_value(&p, end);
	}
	*at = p && p < end ? p : end;
	return *at == end ? -1 : 1;
}

int html_next_attribute(struct html_tokens *t, struct html_text *name, struct html_text *value)
{
	return next_attribute(t, &t->at, name, value);
}

int html_attributes_read(struct html_attributes *a, struct html_tokens *t)
{
	static const char *const known[] = {
#define ATTRIBUTE_ROW(id, text) text,
		HTML_ATTRIBUTE_TABLE(ATTRIBUTE_ROW)
#undef ATTRIBUTE_ROW
	};
	/* the first of each length */
	static const uint8_t first[] = {0, 0, HTML_AS, HTML_REL, HTML_DATA, HTML_STYLE, HTML_HIDDEN, HTML_CHARSET, HTML_DATA_SRC,
		HTML_BACKGROUND, HTML_BACKGROUND, HTML_DATA_SRCSET, HTML_ATTRIBUTES};
	struct html_text name, value;
	const char *p = t->at;
	int more;

	memset(a, 0, sizeof *a);
	while ((more = next_attribute(t, &p, &name, &value)) > 0) {
		const size_t n = name.n < sizeof first - 1 ? name.n : 0;
		for (size_t i = first[n]; i < first[n + 1]; i++)
			if (*known[i] == (*name.at | 0x20) && !a->value[i].at && html_is_name(name.at, name.n, known[i]))
				a->value[i] = value;
	}
	t->at = p;
	return more;
}

int html_skip_some_attributes(struct html_tokens *t)
{
	struct html_text name, value;
	const char *p = t->at;
	int more;

	while ((more = next_attribute(t, &p, &name, &value)) > 0)
		;
	t->at = p;
	return more;
}

/* Says whether the tag with this name is at p, a '<'; `open` is "<" or "</". */
static int is_tag(const struct html_tokens *t, const char *p, const char *open, const char *name)
{
	size_t before = strlen(open), n = strlen(name);

	return left(t, p) > before + n && memcmp(p, open, before) == 0 && html_is_name(p + before, n, name) &&
		html_is(p[before + n], ENDS_TAG_NAME);
}

void html_skip_raw_text(struct html_tokens *t, const char *name)
{
	const char *p = t->at;

	while ((p = memchr(p, '<', left(t, p))) != NULL && !is_tag(t, p, "</", name))
		p++;
	t->at = p ? p : t->end;
}

/* Skips the text of a script: HTML 13.2.5.15 to 31. Within a comment ("escaped") a "<script" makes the next "</script" belong to
 * it ("double escaped"); both states end with the comment. */
void html_skip_script(struct html_tokens *t)
{
	enum { PLAIN, ESCAPED, TWICE } state = PLAIN;
	const char *p = t->at;

	for (; p < t->end; p++) {
		if (state == PLAIN && *p != '<') {
			p = memchr(p, '<', left(t, p));
			if (!p)
				break;
		}
		if (*p == '-') {
			if (left(t, p) >= 3 && p[1] == '-' && p[2] == '>')
				state = PLAIN;
		} else if (*p == '<') {
			if (is_tag(t, p, "</", "script")) {
				if (state != TWICE)
					break;
				state = ESCAPED;
			} else if (state == ESCAPED && is_tag(t, p, "<", "script")) {
				state = TWICE;
			} else if (state == PLAIN && left(t, p) >= 4 && memcmp(p, "<!--", 4) == 0) {
				state = ESCAPED;
				p++; /* its own dashes may end it */
			}
		}
	}
	t->at = p && p < t->end ? p : t->end;
}

void html_skip_text(struct html_tokens *t, struct html_text tag)
{
	static const struct html_text raw[] = {{"style", 5}, {"textarea", 8}, {"title", 5}, {"xmp", 3}, {"noembed", 7},
		{"noframes", 8}, {"iframe", 6}};

	if (html_is_name(tag.at, tag.n, "script")) {
		html_skip_script(t);
		return;
	}
	for (size_t i = 0; i < sizeof raw / sizeof *raw; i++)
		if (raw[i].n == tag.n && html_is_name(tag.at, tag.n, raw[i].at))
			html_skip_raw_text(t, raw[i].at);
}

#define BLOCK  128 /* bytes that are looked at together */
#define BEHIND 3   /* and the bytes behind them */

typedef uint8_t wide __attribute__((vector_size(32)));
typedef uint64_t quarters __attribute__((vector_size(32)));

/* Says whether the text "<b.s" begins in one of the blocks at p. The function is compiled as a part of each caller, for the
 * vectors of the caller's target. */
__attribute__((always_inline)) static inline int seek(const char *p, size_t blocks)
{
	for (; blocks; blocks--, p += BLOCK) {
		wide any = {0}, first, second, fourth;
#pragma GCC unroll 4
		for (size_t i = 0; i < BLOCK; i += sizeof(wide)) {
			memcpy(&first, p + i, sizeof first);
			memcpy(&second, p + i + 1, sizeof second);
			memcpy(&fourth, p + i + 3, sizeof fourth);
			any |= (wide)(first == '<') & (wide)((second | 0x20) == 'b') & (wide)((fourth | 0x20) == 's');
		}
		const quarters bits = (quarters)any;
		if (bits[0] | bits[1] | bits[2] | bits[3])
			return 1;
	}
	return 0;
}

static int seek_plainly(const char *p, size_t blocks)
{
	return seek(p, blocks);
}

#if defined __x86_64__ && defined __GNUC__
__attribute__((target("avx2"))) static int seek_by_avx2(const char *p, size_t blocks)
{
	return seek(p, blocks);
}

static int seek_in_blocks(const char *p, size_t blocks)
{
	return __builtin_cpu_supports("avx2") ? seek_by_avx2(p, blocks) : seek_plainly(p, blocks);
}
#else
static int seek_in_blocks(const char *p, size_t blocks)
{
	return seek_plainly(p, blocks);
}
#endif

int html_may_have_base(const char *bytes, size_t n)
{
	const size_t blocks = n < BEHIND ? 0 : (n - BEHIND) / BLOCK;

	if (seek_in_blocks(bytes, blocks))
		return 1;
	bytes += blocks * BLOCK;
	for (n -= blocks * BLOCK; n >= 5; bytes++, n--)
		if (*bytes == '<' && html_is_name(bytes + 1, 4, "base"))
			return 1;
	return 0;
}
