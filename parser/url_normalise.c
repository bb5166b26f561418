#include "parser/url.h"
#include "parser/url_part.h"

#include <string.h>

void url_copy(struct url *to, const struct url *from)
{
	struct buf text = to->text;

	*to = *from;
	to->text = text;
	buf_clear(&to->text);
	buf_add(&to->text, from->text.at, from->text.used);
}

int url_drop_user(struct url *u)
{
	const uint32_t scheme = u->https ? 8 : 7, n = u->host - scheme; /* "https://" */

	if (!url_has_user(u))
		return 0;
	memmove(u->text.at + scheme, u->text.at + u->host, u->text.used + 1 - u->host);
	u->text.used -= n;
	u->host -= n;
	u->host_end -= n;
	u->path -= n;
	u->query -= n;
	return 1;
}

static int is_unreserved(char c)
{
	return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '-' || c == '.' || c == '_' || c == '~';
}

/* Says whether a byte that occurs in paths and queries of canonical URLs is one that RFC 3986 allows in neither. */
static int is_outlaw(char c)
{
	return c && strchr("[]\\^`{|}", c);
}

/* Writes the bytes from p to `end` normalised; returns the end of what is written. */
static char *write_normal(char *to, const char *p, const char *end)
{
	while (p < end) {
		if (url_is_escape(p, end)) {
			char byte = (char)(url_hex(p[1]) << 4 | url_hex(p[2]));
			p += 3;
			if (is_unreserved(byte))
				*to++ = byte;
			else
				to = url_escape(to, byte);
		} else {
			if (*p == '%' || is_outlaw(*p))
				to = url_escape(to, *p);
			else
				*to++ = *p;
			p++;
		}
	}
	return to;
}

static int is_normal(const char *p, const char *end)
{
	for (; p < end; p++) {
		if (*p == '%' || is_outlaw(*p))
			return 0;
	}
	return 1;
}

void url_normalise(struct url *u)
{
	struct buf *b = &u->text;

	if (u->query + 1 == b->used)
		b->used = u->query;
	buf_end(b);
	const size_t used = b->used;
	if (is_normal(b->at + u->path, b->at + used))
		return;
	/* the new text is made behind the old one, then moved there */
	char *start = buf_room(b, 3 * (used - u->path)), *old = b->at;
	char *query = write_normal(start, old + u->path, old + u->query);
	char *end = write_normal(query, old + u->query, old + used);
	size_t n = (size_t)(end - start);
	if (u->path + n <= URL_MAX) {
		memmove(old + u->path, start, n);
		b->used = u->path + n;
		u->query = u->path + (uint32_t)(query - start);
	}
	buf_end(b);
}
