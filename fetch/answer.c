#include "fetch/answer.h"
#include "parser/usage.h"
#include "base/ascii.h"

#include <curl/curl.h>
#include <stdio.h>
#include <string.h>

#define MODIFIED_MAX 253402300799 /* s since 1970: the last of the year 9999 */

void answer_release(struct answer *a)
{
	buf_release(&a->location);
	buf_release(&a->refresh);
	buf_release(&a->etag);
	buf_release(&a->links);
}

void answer_reset(struct answer *a)
{
	a->status = 0;
	a->has_headers = a->has_type = a->has_location = a->has_refresh = a->nofollow = 0;
	a->usage = 0;
	a->packed = a->gzipped = 0;
	a->has_length = a->contradicts = 0;
	a->retry_after = -1;
	a->modified = 0;
	a->header_bytes = 0;
	a->type[0] = a->language[0] = 0;
	buf_clear(&a->location);
	buf_clear(&a->refresh);
	buf_clear(&a->etag);
	buf_clear(&a->links);
}

/* A run of bytes within a header line. */
struct part {
	const char *at;
	size_t n;
};

static int is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static struct part trim(const char *at, size_t n)
{
	while (n && is_blank(*at)) {
		at++;
		n--;
	}
	while (n && is_blank(at[n - 1]))
		n--;
	return (struct part){at, n};
}

static int is(struct part p, const char *text)
{
	return p.n == strlen(text) && ascii_same(p.at, text, p.n);
}

/* Finds the next element of a list with commas. Returns 1, or 0 at the end of the list. */
static int next_element(struct part *rest, struct part *out)
{
	if (!rest->at)
		return 0;
	const char *comma = memchr(rest->at, ',', rest->n);
	size_t n = comma ? (size_t)(comma - rest->at) : rest->n;
	*out = trim(rest->at, n);
	*rest = comma ? (struct part){comma + 1, rest->n - n - 1} : (struct part){NULL, 0};
	return 1;
}

/* Reads an X-Robots-Tag: what stands there for all agents, or behind this agent's name ("botname: nofollow, noindex"). */
static void read_robots_tag(struct answer *a, struct part value, const char *agent)
{
	static const char *const with_value[] = {"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"};
	struct part one;
	int mine = 1;

	while (next_element(&value, &one)) {
		const char *colon = memchr(one.at, ':', one.n);
		if (colon) {
			struct part name = trim(one.at, (size_t)(colon - one.at));
			/* the text before a colon is an agent's name, unless it is a directive with a value, or part of a date */
			int agents = !memchr(name.at, ' ', name.n);
			for (size_t i = 0; i < sizeof with_value / sizeof *with_value; i++)
				agents = agents && !is(name, with_value[i]);
			if (!agents)
				continue;
			mine = is(name, agent);
			one = trim(colon + 1, one.n - (size_t)(colon + 1 - one.at));
		}
		if (!mine)
			continue;
		a->nofollow |= is(one, "nofollow") || is(one, "none");
		a->usage |= usage_parse(one.at, one.n);
	}
}

static void read_codings(struct answer *a, struct part value)
{
	static const char *const codings[] = {"gzip", "x-gzip", "deflate", "compress", "x-compress", "br", "zstd"};
	enum { GZIPS = 2 };
	struct part one;

	while (next_element(&value, &one)) {
		for (size_t i = 0; i < sizeof codings / sizeof *codings; i++) {
			if (!is(one, codings[i]))
				continue;
			a->packed++;
			a->gzipped += i < GZIPS;
		}
	}
}

/* Seconds, or a date; -1 for neither. */
static int64_t read_retry_after(struct part value, int64_t now)
{
	char text[64];
	int64_t seconds = 0;

	if (value.n == 0 || value.n >= sizeof text)
		return -1;
	memcpy(text, value.at, value.n);
	text[value.n] = 0;
	if (strspn(text, "0123456789") == value.n) {
		for (const char *p = text; *p && seconds < ANSWER_MAX_DELAY; p++)
			seconds = seconds * 10 + (*p - '0');
	} else {
		time_t date = curl_getdate(text, NULL);
		if (date == (time_t)-1)
			return -1;
		seconds = (int64_t)date - now;
	}
	if (seconds < 0)
		return 0;
	return seconds < ANSWER_MAX_DELAY / 1000 ? seconds * 1000 : ANSWER_MAX_DELAY;
}

void answer_date(int64_t time, char *text, size_t size)
{
	static const char day[] = "SunMonTueWedThuFriSat";
	static const char month[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	const time_t t = (time_t)time;
	struct tm tm;

	gmtime_r(&t, &tm);
	snprintf(text, size, "%.3s, %02d %.3s %04d %02d:%02d:%02d GMT", day + 3 * tm.tm_wday, tm.tm_mday, month + 3 * tm.tm_mon,
		tm.tm_year + 1900, tm.tm_hour, tm.tm_min, tm.tm_sec);
}

/* Returns the time of a Last-Modified, or 0 unless answer_date() gives back the same text: servers compare the text of
 * If-Modified-Since. */
static int64_t read_modified(struct part value)
{
	char text[ANSWER_DATE_SIZE], again[ANSWER_DATE_SIZE];

	if (value.n >= sizeof text)
		return 0;
	memcpy(text, value.at, value.n);
	text[value.n] = 0;
	const time_t date = curl_getdate(text, NULL);
	if (date <= 0 || date > MODIFIED_MAX)
		return 0;
	answer_date(date, again, sizeof again);
	return strcmp(text, again) == 0 ? (int64_t)date : 0;
}

/* Keeps an ETag if it is valid: in quotes, perhaps with W/ before it, of visible bytes. Any other leaves *out empty. */
static void read_etag(struct buf *out, struct part value)
{
	const size_t weak = value.n > 2 && memcmp(value.at, "W/", 2) == 0 ? 2 : 0;

	buf_clear(out);
	if (value.n > ANSWER_MAX_ETAG || value.n < weak + 2 || value.at[weak] != '"' || value.at[value.n - 1] != '"')
		return;
	for (size_t i = weak + 1; i + 1 < value.n; i++)
		if ((unsigned char)value.at[i] <= ' ' || value.at[i] == '"' || value.at[i] == 0x7f)
			return;
	buf_add(out, value.at, value.n);
}

static void read_status(struct answer *a, struct part line)
{
	size_t bytes = a->header_bytes;
	const char *blank = memchr(line.at, ' ', line.n);
	unsigned status = 0;

	answer_reset(a);
	a->header_bytes = bytes; /* interim answers count, too */
	for (const char *p = blank ? blank + 1 : line.at + line.n; p < line.at + line.n && *p >= '0' && *p <= '9' && status < 1000;
		p++)
		status = status * 10 + (unsigned)(*p - '0');
	a->status = status < 1000 ? (uint16_t)status : 0;
}

/* Notes a Content-Length, and whether it contradicts an earlier one. The end of such an answer is ambiguous, which attacks use
 * to hide requests and answers: RFC 9110, 8.6. */
static void read_length(struct answer *a, struct part value)
{
	uint64_t length = 0;

	for (size_t i = 0; i < value.n; i++)
		length = length * 31 + (unsigned char)value.at[i];
	a->contradicts |= a->has_length && a->length != length;
	a->has_length = 1;
	a->length = length;
}

/* Appends a value, with its bytes beyond ASCII written as %HH. */
static void add_ascii(struct buf *out, struct part value)
{
	for (size_t i = 0; i < value.n; i++) {
		const unsigned char c = (unsigned char)value.at[i];
		if (c < 0x80)
			buf_byte(out, c);
		else
			buf_format(out, "%%%02X", c);
	}
}

/* Keeps the value of a field unless an earlier field of this name was kept. */
static void keep_reference(int *has, struct buf *out, struct part value)
{
	if (*has)
		return;
	*has = 1;
	add_ascii(out, value);
}

/* Reads one header field. Of a field that occurs several times, Location and Refresh count the first time, and Content-Type the
 * last time, as in browsers. */
static void read_field(struct answer *a, struct part name, struct part value, const char *agent, int64_t now)
{
	if (is(name, "content-type")) { /* the last one counts, as in browsers */
		size_t n = value.n < sizeof a->type ? value.n : sizeof a->type - 1;
		memcpy(a->type, value.at, n);
		a->type[n] = 0;
		a->has_type = a->type[0] != 0;
	} else if (is(name, "content-language")) {
		size_t n = value.n < sizeof a->language ? value.n : 0;
		memcpy(a->language, value.at, n);
		a->language[n] = 0;
	} else if (is(name, "location")) {
		keep_reference(&a->has_location, &a->location, value);
	} else if (is(name, "refresh")) {
		keep_reference(&a->has_refresh, &a->refresh, value);
	} else if (is(name, "link")) {
		buf_text(&a->links, a->links.used ? "," : "");
		add_ascii(&a->links, value);
	} else if (is(name, "retry-after")) {
		a->retry_after = read_retry_after(value, now);
	} else if (is(name, "content-length")) {
		read_length(a, value);
	} else if (is(name, "last-modified")) {
		a->modified = read_modified(value);
	} else if (is(name, "etag")) {
		read_etag(&a->etag, value);
	} else if (is(name, "x-robots-tag")) {
		read_robots_tag(a, value, agent);
	} else if (is(name, "content-usage")) {
		a->usage |= usage_parse(value.at, value.n);
	} else if (is(name, "tdm-reservation")) {
		a->usage |= is(value, "1") ? USAGE_RESERVED : 0;
	} else if (is(name, "content-encoding")) {
		read_codings(a, value);
	}
}

int answer_line(struct answer *a, const char *line, size_t n, const char *agent, int64_t now)
{
	struct part whole = trim(line, n);

	a->header_bytes += n;
	if (a->header_bytes > (a->max_headers ? a->max_headers : ANSWER_MAX_HEADERS))
		return -1;
	if (n >= 5 && memcmp(line, "HTTP/", 5) == 0) {
		read_status(a, whole);
		return 0;
	}
	if (a->has_headers)
		return 0;
	if (whole.n == 0) {
		a->has_headers = 1;
		return 0;
	}
	const char *colon = memchr(whole.at, ':', whole.n);
	if (colon && !is_blank(line[0])) {
		size_t name = (size_t)(colon - whole.at);
		read_field(a, trim(whole.at, name), trim(colon + 1, whole.n - name - 1), agent, now);
	}
	return 0;
}

void answer_product(const char *user_agent, char *token, size_t size)
{
	size_t n = strcspn(user_agent, "/ \t");

	if (n >= size)
		n = size - 1;
	memcpy(token, user_agent, n);
	token[n] = 0;
}
