/* The URL parser. The states of the standard's state machine are functions: the rest of the input decides which function is
 * called next, and each writes its part of the canonical text. Only the scheme and the authority can make a URL invalid, so
 * these alone tell a URL of another scheme from an invalid one. */
#include "parser/url.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/mem.h"
#include "parser/url_part.h"
#include "parser/utf8.h"

#include <assert.h>
#include <string.h>

/* enum url_class of each byte, 16 a row. */
const uint8_t url_class[256] = {
	/* clang-format off */
	0xb7, 0x97, 0x97, 0x97, 0x97, 0x97, 0x97, 0x97, 0x97, 0xb7, 0xb7, 0x97, 0x97, 0xb7, 0x97, 0x97,
	0x97, 0x97, 0x97, 0x97, 0x97, 0x97, 0x97, 0x97, 0x97, 0x97, 0x97, 0x97, 0x97, 0x97, 0x97, 0x97,
	0xb7, 0x00, 0x07, 0xb7, 0x00, 0x90, 0x00, 0x02, 0x00, 0x00, 0x00, 0x40, 0x00, 0x40, 0x40, 0xbc,
	0x40, 0x40, 0x40, 0x40, 0x40, 0x40, 0x40, 0x40, 0x40, 0x40, 0xb4, 0x04, 0xb7, 0x04, 0xb7, 0xbd,
	0xb4, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0,
	0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xb4, 0xbc, 0xb4, 0xb4, 0x00,
	0x05, 0x40, 0x40, 0x40, 0x40, 0x40, 0x40, 0x40, 0x40, 0x40, 0x40, 0x40, 0x40, 0x40, 0x40, 0x40,
	0x40, 0x40, 0x40, 0x40, 0x40, 0x40, 0x40, 0x40, 0x40, 0x40, 0x40, 0x05, 0xb4, 0x05, 0x00, 0x97,
	0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87,
	0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87,
	0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87,
	0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87,
	0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87,
	0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87,
	0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87,
	0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87, 0x87,
	/* clang-format on */
};

char *url_encode(char *to, const char *p, const char *end, int set)
{
	for (; p < end; p++) {
		if (url_is(*p, set))
			to = url_escape(to, *p);
		else
			*to++ = *p;
	}
	return to;
}

/* Returns the number of dots of a segment that consists of one or two dots, each written "." or "%2e"; else 0. */
static int dots(const char *segment, const char *end)
{
	int n = 0;

	for (; segment < end; n++) {
		if (*segment == '.')
			segment++;
		else if (end - segment >= 3 && segment[0] == '%' && segment[1] == '2' && (segment[2] | 0x20) == 'e')
			segment += 3;
		else
			return 0;
	}
	return n <= 2 ? n : 0;
}

char *url_path(char *path, char *to, const char **at, const char *end)
{
	const char *p = *at;

	for (;;) {
		char *segment = to;
		int class = 0;
		for (; p < end; p++) {
			class = url_class[(uint8_t)*p] & (URL_IN_PATH | URL_ENDS_SEGMENT);
			if (!class)
				*to++ = *p;
			else if (class & URL_ENDS_SEGMENT)
				break;
			else
				to = url_escape(to, *p);
		}
		int more = p < end && *p != '?';
		int n = to > segment && (*segment == '.' || *segment == '%') ? dots(segment, to) : 0;
		if (n) {
			to = segment;
			if (n == 2 && segment > path + 1)
				for (to--; to[-1] != '/'; to--)
					;
		} else if (more) {
			*to++ = '/';
		}
		if (!more)
			break;
		p++;
	}
	*at = p;
	return to;
}

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
			char byte = (char)(ascii_hex(p[1]) << 4 | ascii_hex(p[2]));
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

/* Finds the port after the last colon of [host, path), or the default one of the scheme, and the end of the host. "[::1]" ends in a
 * bracket, so a colon before digits at the end is that of a port. Returns 0 or -1. */
static int split_port(const char *text, uint32_t host, uint32_t path, struct url *out)
{
	uint32_t digits = path, port = 0;

	out->host_end = path;
	out->port = out->https ? 443 : 80;
	while (digits > host && text[digits - 1] >= '0' && text[digits - 1] <= '9')
		digits--;
	if (digits == path || digits == host || text[digits - 1] != ':')
		return 0;
	for (uint32_t i = digits; i < path; i++)
		if ((port = 10 * port + (uint32_t)(text[i] - '0')) > UINT16_MAX)
			return -1;
	out->host_end = digits - 1;
	out->port = port;
	return 0;
}

enum url_result url_split(struct url *out, const char *text, size_t n)
{
	const size_t scheme = n > 8 && memcmp(text, "https://", 8) == 0 ? 8 : n > 7 && memcmp(text, "http://", 7) == 0 ? 7 : 0;

	if (!scheme || n > URL_MAX)
		return URL_BAD;
	const char *path = memchr(text + scheme, '/', n - scheme);
	if (!path)
		return URL_BAD;
	const char *credentials = memrchr(text + scheme, '@', (size_t)(path - text) - scheme);
	const char *query = memchr(path, '?', n - (size_t)(path - text));
	*out = (struct url){
		.text = {(char *)(uintptr_t)text, n, 0},
		.host = (uint32_t)(credentials ? (size_t)(credentials - text) + 1 : scheme),
		.path = (uint32_t)(path - text),
		.query = (uint32_t)(query ? (size_t)(query - text) : n),
		.https = scheme == 8,
	};
	if (split_port(text, out->host, out->path, out) || out->host_end == out->host)
		return URL_BAD;
	return URL_OK;
}

enum scheme {
	SCHEME_NONE,
	SCHEME_HTTP,
	SCHEME_HTTPS,
	SCHEME_FTP,
	SCHEME_WS,
	SCHEME_WSS,
	SCHEME_FILE,
	SCHEME_OTHER /* not special */
};

/* What a reference is resolved against. */
struct against {
	enum scheme scheme;    /* SCHEME_NONE: nothing */
	int opaque;            /* the base has an opaque path, as "mailto:me" has */
	const struct url *url; /* of http and https */
};

/* A reference made ready: trimmed, clean (see url_part.h), its fragment cut off. */
struct text {
	const char *at, *end;
	int fragment;    /* there was one */
	int cut;         /* longer than URL_INPUT_MAX; what is beyond is not here */
	struct buf copy; /* holds it where it had to be changed */
};

/* Says whether a byte is a control character or not ASCII. It looks at eight bytes at a time. */
static int has_odd_bytes(const char *p, size_t n)
{
	const uint64_t each = 0x0101010101010101u;
	uint64_t odd = 0, x;

	for (; n >= 8; p += 8, n -= 8) {
		memcpy(&x, p, 8);
		odd |= x | ((x - 0x20 * each) & ~x);
	}
	for (; n; p++, n--)
		odd |= (uint8_t)*p < 0x20 ? 0x80 : (uint8_t)*p;
	return (odd & 0x80 * each) != 0;
}

static int is_dropped(char c)
{
	return c == '\t' || c == '\n' || c == '\r';
}

static int is_clean(const char *p, const char *end)
{
	while (p < end) {
		if (is_dropped(*p) || utf8_read(&p, end) == UTF8_MALFORMED)
			return 0;
	}
	return 1;
}

/* Replaces malformed UTF-8 and removes tabs and line ends. The UTF-8 is decoded first, so a tab or line end within a character
 * makes it malformed. */
static void clean(struct text *t)
{
	char *to = buf_room(&t->copy, 3 * (size_t)(t->end - t->at));
	uint32_t c;

	while (t->at < t->end) {
		if (is_dropped(*t->at)) {
			t->at++;
			continue;
		}
		c = utf8_read(&t->at, t->end);
		to += utf8_write(to, c == UTF8_MALFORMED ? UTF8_REPLACEMENT : c);
	}
	t->at = t->copy.at;
	t->end = to;
}

static void text_init(struct text *t, const char *input, size_t n)
{
	*t = (struct text){.copy = BUF_EMPTY};
	while (n && (uint8_t)*input <= ' ') {
		input++;
		n--;
	}
	while (n && (uint8_t)input[n - 1] <= ' ')
		n--;
	const char *hash = n ? memchr(input, '#', n <= URL_INPUT_MAX ? n : URL_INPUT_MAX) : NULL;
	if (hash) {
		t->fragment = 1;
		n = (size_t)(hash - input);
	} else if (n > URL_INPUT_MAX) {
		t->cut = 1;
		n = URL_INPUT_MAX;
	}
	t->at = input;
	t->end = input + n;
	if (has_odd_bytes(input, n) && !is_clean(t->at, t->end))
		clean(t);
}

/* Moves *at behind "scheme:", where there is one. */
static enum scheme scheme_read(const char **at, const char *end)
{
	static const struct {
		const char *name;
		size_t n;
		enum scheme scheme;
	} special[] = {{"https", 5, SCHEME_HTTPS}, {"http", 4, SCHEME_HTTP}, {"file", 4, SCHEME_FILE}, {"ftp", 3, SCHEME_FTP},
		{"ws", 2, SCHEME_WS}, {"wss", 3, SCHEME_WSS}};
	const char *name = *at, *p = name;

	if (p == end || !ascii_is_letter(*p))
		return SCHEME_NONE;
	while (p < end && url_is(*p, URL_IN_SCHEME))
		p++;
	if (p == end || *p != ':')
		return SCHEME_NONE;
	*at = p + 1;
	for (size_t i = 0, k = 0; i < sizeof special / sizeof *special; i++, k = 0) {
		if ((size_t)(p - name) != special[i].n)
			continue;
		while (k < special[i].n && (name[k] | 0x20) == special[i].name[k])
			k++;
		if (k == special[i].n)
			return special[i].scheme;
	}
	return SCHEME_OTHER;
}

static int is_http(enum scheme s)
{
	return s == SCHEME_HTTP || s == SCHEME_HTTPS;
}

static int is_special(enum scheme s)
{
	return s != SCHEME_OTHER;
}

/* Says whether c counts as a slash in a URL with this scheme. */
static int is_slash(char c, enum scheme s)
{
	return c == '/' || (c == '\\' && is_special(s));
}

static const char *skip_slashes(const char *at, const char *end)
{
	while (at < end && is_slash(*at, SCHEME_HTTP))
		at++;
	return at;
}

static const char *authority_end(const char *at, const char *end, enum scheme s)
{
	while (at < end && *at != '?' && !is_slash(*at, s))
		at++;
	return at;
}

/* The parts of an authority; what is not there is empty. */
struct authority {
	const char *user, *user_end;
	const char *host, *host_end;
	int32_t port; /* -1: none given */
};

/* Returns 0, or -1 where no scheme allows it. */
static int authority_split(struct authority *a, const char *at, const char *end)
{
	const char *sign = memrchr(at, '@', (size_t)(end - at));
	int brackets = 0;

	*a = (struct authority){at, sign ? sign : at, sign ? sign + 1 : at, end, -1};
	const char *p = a->host;
	for (; p < end && (*p != ':' || brackets); p++) {
		if (*p == '[' || *p == ']')
			brackets = *p == '[';
	}
	a->host_end = p;
	if (a->host == p && (sign || p < end))
		return -1;
	if (p < end)
		p++;
	for (; p < end; p++) {
		if (*p < '0' || *p > '9')
			return -1;
		a->port = (a->port < 0 ? 0 : a->port) * 10 + (*p - '0');
		if (a->port > UINT16_MAX)
			return -1;
	}
	return 0;
}

/* Sets the buffer's length to the end `to` of what was written into it. */
static void take(struct buf *b, const char *to)
{
	b->used = (size_t)(to - b->at);
}

static void write_credentials(struct buf *b, const struct authority *a)
{
	size_t n = (size_t)(a->user_end - a->user);
	const char *colon = n ? memchr(a->user, ':', n) : NULL;
	const char *name_end = colon ? colon : a->user_end;
	const char *password = colon ? colon + 1 : a->user_end;

	if (name_end == a->user && password == a->user_end)
		return;
	char *to = url_encode(buf_room(b, 3 * n + 2), a->user, name_end, URL_IN_USERINFO);
	if (password < a->user_end) {
		*to++ = ':';
		to = url_encode(to, password, a->user_end, URL_IN_USERINFO);
	}
	*to++ = '@';
	take(b, to);
}

/* Says whether the last label of a host begins with a digit: the host may be an IPv4 address. */
static int may_be_number(const char *host, const char *end)
{
	if (end[-1] == '.')
		end--;
	const char *dot = memrchr(host, '.', (size_t)(end - host));
	const char *last = dot ? dot + 1 : host;

	return last < end && *last >= '0' && *last <= '9';
}

/* Writes an authority of any form after "scheme://". Returns 0, or -1 if it is invalid. */
static int write_authority(struct url *u, const char *at, const char *end)
{
	const uint32_t usual = u->https ? 443 : 80;
	struct authority a;

	if (authority_split(&a, at, end) || a.host == a.host_end)
		return -1;
	write_credentials(&u->text, &a);
	u->host = (uint32_t)u->text.used;
	if (url_host(&u->text, a.host, (size_t)(a.host_end - a.host)))
		return -1;
	u->host_end = (uint32_t)u->text.used;
	u->port = a.port < 0 ? usual : (uint32_t)a.port;
	if (u->port != usual)
		buf_format(&u->text, ":%u", u->port);
	return 0;
}

/* Writes the query, and checks the length of the URL. */
static enum url_result write_query(struct url *u, const char *at, const char *end, const char *encoding)
{
	struct buf *b = &u->text;

	u->query = (uint32_t)b->used;
	if (at < end) {
		size_t n = (size_t)(end - at) - 1;
		char *to = buf_room(b, 3 * n + 1);
		*to++ = *at++;
		b->used++;
		if (!encoding || !has_odd_bytes(at, n) || url_query_in(b, at, n, encoding))
			take(b, url_encode(to, at, end, URL_IN_QUERY));
	}
	buf_end(b);
	return b->used <= URL_MAX ? URL_OK : URL_TOO_LONG;
}

/* Writes the rest of a path, before which the text ends in '/', and the query. */
static enum url_result write_path(struct url *u, const char *at, const char *end, const char *encoding)
{
	struct buf *b = &u->text;
	char *to = buf_room(b, 3 * (size_t)(end - at));

	take(b, url_path(b->at + u->path, to, &at, end));
	return write_query(u, at, end, encoding);
}

/* Parses a URL of http or https from its authority on; `at` is the position after the slashes. */
static enum url_result write_absolute(struct url *u, enum scheme s, const char *at, const char *end, const char *encoding)
{
	struct buf *b = &u->text;

	u->https = s == SCHEME_HTTPS;
	u->host = u->https ? 8 : 7;
	buf_clear(b);
	char *to = buf_room(b, 16 + 3 * (size_t)(end - at));
	memcpy(to, u->https ? "https://" : "http:///", 8);
	to += u->host;
	/* A host that is written as it is read, alone: nearly all are. */
	const char *p = at;
	while (p < end && !url_is(*p, URL_NO_COPY))
		*to++ = *p++;
	int whole = p == end || url_is(*p, URL_ENDS_SEGMENT);
	if (p > at && whole && !may_be_number(b->at + u->host, to)) {
		take(b, to);
		u->host_end = (uint32_t)b->used;
		u->port = u->https ? 443 : 80;
	} else {
		b->used = u->host;
		p = authority_end(at, end, s);
		if (write_authority(u, at, p))
			return URL_BAD;
	}
	u->path = (uint32_t)b->used;
	buf_byte(b, '/');
	if (p < end && *p != '?')
		p++;
	return write_path(u, p, end, encoding);
}

/* Begins the text with the first n bytes of the base, and reserves `more` bytes. */
static void write_base(struct url *u, const struct url *base, size_t n, size_t more)
{
	buf_clear(&u->text);
	memcpy(buf_room(&u->text, n + more), base->text.at, n);
	u->text.used = n;
	u->host = base->host;
	u->host_end = base->host_end;
	u->port = base->port;
	u->path = base->path;
	u->https = base->https;
}

/* Writes a reference without a scheme, resolved against an http or https base. */
static enum url_result write_relative(struct url *u, const struct url *base, const char *at, const char *end, const char *encoding)
{
	size_t n = (size_t)(end - at);

	if (!n) {
		write_base(u, base, base->text.used, 0);
		u->query = base->query;
		buf_end(&u->text);
		return URL_OK;
	}
	if (is_slash(*at, SCHEME_HTTP)) {
		if (n > 1 && is_slash(at[1], SCHEME_HTTP))
			return write_absolute(u, base->https ? SCHEME_HTTPS : SCHEME_HTTP, skip_slashes(at, end), end, encoding);
		write_base(u, base, base->path + 1, 3 * n);
		return write_path(u, at + 1, end, encoding);
	}
	if (*at == '?') {
		write_base(u, base, base->query, 3 * n);
		return write_query(u, at, end, encoding);
	}
	const char *path = base->text.at + base->path;
	const char *slash = memrchr(path, '/', base->query - base->path);
	write_base(u, base, (size_t)(slash + 1 - base->text.at), 3 * n);
	return write_path(u, at, end, encoding);
}

/* Checks the authority of a URL that is neither http nor https; `at` is after the slashes. */
static enum url_result foreign_authority(struct buf *scratch, enum scheme s, const char *at, const char *end)
{
	struct authority a;

	if (authority_split(&a, at, authority_end(at, end, s)))
		return URL_BAD;
	size_t n = (size_t)(a.host_end - a.host);
	if (!is_special(s))
		return url_host_is_opaque(a.host, n) ? URL_FOREIGN : URL_BAD;
	return n && url_host(scratch, a.host, n) == 0 ? URL_FOREIGN : URL_BAD;
}

/* Checks the rest of a file URL, after its scheme, if any: only its host can be invalid. */
static enum url_result foreign_file(struct buf *scratch, const char *at, const char *end)
{
	if (end - at < 2 || !is_slash(at[0], SCHEME_FILE) || !is_slash(at[1], SCHEME_FILE))
		return URL_FOREIGN;
	at += 2;
	size_t n = (size_t)(authority_end(at, end, SCHEME_FILE) - at);
	if (!n || (n == 2 && ascii_is_letter(at[0]) && (at[1] == ':' || at[1] == '|')))
		return URL_FOREIGN; /* none, or a drive of Windows */
	return url_host(scratch, at, n) == 0 ? URL_FOREIGN : URL_BAD;
}

/* Checks a reference without a scheme against a base that is neither http nor https. */
static enum url_result foreign_relative(struct buf *scratch, const struct against *base, const struct text *t, const char *at)
{
	enum scheme s = base->scheme;

	if (base->opaque)
		return at == t->end && t->fragment ? URL_FOREIGN : URL_BAD;
	if (s == SCHEME_FILE)
		return foreign_file(scratch, at, t->end);
	if (t->end - at < 2 || !is_slash(at[0], s) || !is_slash(at[1], s))
		return URL_FOREIGN;
	at += 2;
	if (is_special(s))
		at = skip_slashes(at, t->end);
	return foreign_authority(scratch, s, at, t->end);
}

/* Parses a reference: decides by its scheme, its slashes and the base in which form it is. */
static enum url_result parse(struct url *u, const struct text *t, const struct against *base, const char *encoding)
{
	const char *at = t->at, *end = t->end;
	enum scheme s = scheme_read(&at, end);
	int slashes = end - at >= 2 && at[0] == '/' && at[1] == '/';
	int relative = s == SCHEME_NONE || (s == base->scheme && is_special(s) && !slashes);

	if (s == SCHEME_NONE && base->scheme == SCHEME_NONE)
		return URL_BAD;
	buf_clear(&u->text);
	if (relative && base->url)
		return write_relative(u, base->url, at, end, encoding);
	if (s == SCHEME_NONE)
		return foreign_relative(&u->text, base, t, at);
	if (is_http(s))
		return write_absolute(u, s, skip_slashes(at, end), end, encoding);
	if (s == SCHEME_FILE)
		return foreign_file(&u->text, at, end);
	if (s == SCHEME_OTHER)
		return slashes ? foreign_authority(&u->text, s, at + 2, end) : URL_FOREIGN;
	return relative ? foreign_relative(&u->text, base, t, at) : foreign_authority(&u->text, s, skip_slashes(at, end), end);
}

static enum url_result text_parse(struct url *u, const struct text *t, const struct against *base, const char *encoding)
{
	enum url_result r = parse(u, t, base, encoding);

	return r == URL_OK && t->cut ? URL_TOO_LONG : r;
}

void url_release(struct url *u)
{
	buf_release(&u->text);
	*u = (struct url)URL_EMPTY;
}

enum url_result url_parse_in(struct url *out, const char *input, size_t n, const struct url *base, const char *charset)
{
	struct against against = {SCHEME_NONE, 0, base};
	struct text t;

	assert(out != base);
	if (base)
		against.scheme = base->https ? SCHEME_HTTPS : SCHEME_HTTP;
	text_init(&t, input, n);
	enum url_result r = text_parse(out, &t, &against, charset);
	buf_release(&t.copy);
	return r;
}

enum url_result url_parse(struct url *out, const char *input, size_t n, const struct url *base)
{
	return url_parse_in(out, input, n, base, NULL);
}

enum url_result url_parse_text(struct url *out, const char *input, size_t n, const char *base, size_t base_n)
{
	struct against against = {SCHEME_NONE, 0, NULL};
	AUTO(url) parsed = URL_EMPTY;
	struct text t;

	text_init(&t, base, base_n);
	enum url_result r = text_parse(&parsed, &t, &against, NULL);
	const char *at = t.at;
	against.scheme = scheme_read(&at, t.end);
	against.opaque = against.scheme == SCHEME_OTHER && (at == t.end || *at != '/');
	buf_release(&t.copy);
	if (r == URL_OK)
		against.url = &parsed;
	if (r == URL_OK || r == URL_FOREIGN) {
		text_init(&t, input, n);
		r = text_parse(out, &t, &against, NULL);
		buf_release(&t.copy);
	}
	return r;
}

static int has_control(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			return 1;
	return 0;
}

int authorization_value(struct buf *value, const char *scheme, const char *secret)
{
	if (!*secret || has_control(secret))
		return 0;
	if (ascii_order(scheme, "basic") == 0 && strchr(secret, ':')) {
		buf_text(value, "Basic ");
		base64_add(value, secret, strlen(secret));
		return 1;
	}
	if (ascii_order(scheme, "bearer") == 0 && !strchr(secret, ' ')) {
		buf_text(value, "Bearer ");
		buf_text(value, secret);
		return 1;
	}
	return 0;
}
