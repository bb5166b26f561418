#include "cli/archive/archive_find.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/gunzip.h"
#include "base/input.h"
#include "base/mem.h"
#include "base/num.h"
#include "cli/export/export_filter.h"
#include "storage/warc_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

void capture_release(struct capture *c)
{
	buf_release(&c->url);
	buf_release(&c->digest);
	buf_release(&c->type);
	buf_release(&c->refers_to);
	buf_release(&c->block);
}

static void set(struct buf *b, struct warc_span value)
{
	buf_clear(b);
	buf_add(b, value.at, value.n);
}

/* Returns the milliseconds of a fraction of a second, as ".125Z". */
static int64_t fraction_of(const char *text)
{
	int64_t ms = 0;

	if (*text != '.')
		return 0;
	for (int64_t weight = 100; *++text >= '0' && *text <= '9'; weight /= 10)
		ms += (*text - '0') * weight;
	return ms;
}

/* Reads a time "2026-11-22T08:30:15Z", with or without a fraction. */
static int64_t time_of(struct warc_span value)
{
	char text[40] = "";
	struct tm tm = {0};

	memcpy(text, value.at, value.n < sizeof text ? value.n : sizeof text - 1);
	const char *rest = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);
	return rest ? (int64_t)timegm(&tm) * 1000 + fraction_of(rest) : 0;
}

/* Returns a URL without the angle brackets of older programs. */
static struct warc_span without_brackets(struct warc_span url)
{
	const int has = url.n > 2 && url.at[0] == '<' && url.at[url.n - 1] == '>';

	return has ? (struct warc_span){url.at + 1, url.n - 2} : url;
}

/* Fills in the fields of the current record's header. Returns 1, or 0 if the record has no page. */
static int capture_of(const struct warc_stream *s, struct capture *c)
{
	static const char *const kinds[] = {"response", "revisit", "resource"};
	const struct warc_span type = warc_field(s->header, "WARC-Type");
	const struct warc_span url = without_brackets(warc_field(s->header, "WARC-Target-URI"));
	size_t kind = 0;

	while (kind < 3 && !warc_is(type, kinds[kind]))
		kind++;
	if (kind == 3 || !url.n)
		return 0;
	c->kind = (enum capture_kind)kind;
	set(&c->url, url);
	set(&c->digest, warc_field(s->header, "WARC-Payload-Digest"));
	set(&c->refers_to, without_brackets(warc_field(s->header, "WARC-Refers-To-Target-URI")));
	c->refers_time = time_of(warc_field(s->header, "WARC-Refers-To-Date"));
	set(&c->type, warc_field(s->header, "Content-Type"));
	c->time = time_of(warc_field(s->header, "WARC-Date"));
	c->length = s->length;
	return 1;
}

/* Says whether the block is an HTTP message: by the record's type, or by how it begins. A block with an answer of another protocol,
 * such as text/dns or a file fetched by FTP, has no head. */
static int is_http(const struct capture *c)
{
	static const char type[] = "application/http";

	return c->kind != CAPTURE_RESOURCE && c->block.used &&
		((c->type.used && ascii_same(c->type.at, type, sizeof type - 1)) ||
			(c->block.used > 5 && memcmp(c->block.at, "HTTP/", 5) == 0));
}

/* Returns the bytes of the HTTP head with its blank line, 0 if there is none. Some servers end their lines with LF alone. */
static size_t head_size(const struct buf *block)
{
	const char *at = block->at, *end = at + block->used, *lf;

	for (; (lf = memchr(at, '\n', (size_t)(end - at))) != NULL; at = lf + 1) {
		const char *next = lf + 1 + (end - lf > 1 && lf[1] == '\r');
		if (next < end && *next == '\n')
			return (size_t)(next + 1 - block->at);
	}
	return 0;
}

int capture_read(struct warc_stream *s, struct capture *c, size_t most, struct err_note *why)
{
	buf_clear(&c->block);
	int err = warc_stream_block(s, &c->block, most, why);
	if (err)
		return err;
	c->head_n = is_http(c) ? head_size(&c->block) : 0;
	return 0;
}

int capture_read_on(struct warc_stream *s, struct capture *c, size_t most, struct err_note *why)
{
	return warc_stream_block(s, &c->block, most, why);
}

struct warc_span capture_head(const struct capture *c)
{
	return (struct warc_span){c->block.at ? c->block.at : "", c->head_n};
}

struct warc_span capture_body(const struct capture *c)
{
	return (struct warc_span){(c->block.at ? c->block.at : "") + c->head_n, c->block.used - c->head_n};
}

unsigned capture_status(const struct capture *c)
{
	const struct warc_span head = capture_head(c);
	const char *blank = head.n ? memchr(head.at, ' ', head.n) : NULL;

	return head.n > 5 && memcmp(head.at, "HTTP/", 5) == 0 && blank ? (unsigned)strtoul(blank, NULL, 10) % 1000 : 0;
}

struct warc_span capture_type(const struct capture *c)
{
	if (!is_http(c) && c->kind != CAPTURE_REVISIT)
		return (struct warc_span){c->type.at ? c->type.at : "", c->type.used};
	return warc_field(capture_head(c), "Content-Type");
}

/* --- the body without the codings that the HTTP head declares */

#define UNPACKED_MOST ((size_t)1 << 30)
#define CODINGS_MOST  8

/* The codings of a head, in the order in which they were applied. */
struct codings {
	struct warc_span name[CODINGS_MOST];
	size_t n;
	int chunked;
};

static int is_name(struct warc_span s, const char *name)
{
	return s.n == strlen(name) && ascii_same(s.at, name, s.n);
}

/* Adds the names of a list such as "deflate, gzip". */
static void add_names(struct codings *c, struct warc_span list)
{
	static const char separators[] = ", \t\r\n";
	const char *at = list.at, *end = at + list.n, *start;

	while (at < end) {
		while (at < end && strchr(separators, *at))
			at++;
		for (start = at; at < end && !strchr(separators, *at);)
			at++;
		const struct warc_span name = {start, (size_t)(at - start)};
		if (is_name(name, "chunked"))
			c->chunked = 1;
		else if (name.n && !is_name(name, "identity") && c->n < CODINGS_MOST)
			c->name[c->n++] = name;
	}
}

/* Adds the names of all fields of a name, which are one list. */
static void add_fields(struct codings *c, struct warc_span head, const char *field)
{
	const char *end = head.at + head.n;
	struct warc_span value;

	while ((value = warc_field(head, field)).n) {
		add_names(c, value);
		head = (struct warc_span){value.at + value.n, (size_t)(end - value.at) - value.n};
	}
}

/* Reads the line with the size of a chunk, and moves *at behind it. Returns 0, or -1 if it is no such line. */
static int read_size(const char **at, const char *end, unsigned long long *n)
{
	const char *lf = memchr(*at, '\n', (size_t)(end - *at));
	char *stop;

	if (!lf || !**at || !strchr("0123456789abcdefABCDEF", **at))
		return -1;
	*n = strtoull(*at, &stop, 16);
	stop += strspn(stop, " \t");
	if (stop > lf || !strchr(";\r\n", *stop))
		return -1;
	*at = lf + 1;
	return 0;
}

/* Joins the chunks of a body, with lines that end in CR LF or, as some servers write them, in LF. The body may be cut short behind
 * its first chunk. Returns 0; or -1 if the body has no chunks, as some programs archive it without, or they are malformed. */
static int join_chunks(struct warc_span body, struct buf *out)
{
	const char *at = body.at, *end = at + body.n;
	unsigned long long n;

	while (at < end) {
		if (read_size(&at, end, &n))
			return -1;
		if (n == 0)
			return 0;
		const size_t left = (size_t)(end - at);
		if (n > left && !out->used)
			return -1;
		buf_add(out, at, n < left ? (size_t)n : left);
		if (n >= left)
			return 0;
		at += n;
		at += *at == '\r' && at + 1 < end;
		if (*at++ != '\n')
			return -1;
	}
	return out->used ? 0 : -1;
}

/* Unpacks "deflate", which is zlib's format, or, from some servers, the bare stream in it. Returns 0, or -1 if the body is
 * neither. */
static int inflate_all(struct warc_span body, int window, struct buf *out)
{
	z_stream z = {.next_in = (Bytef *)(uintptr_t)body.at, .avail_in = (uInt)body.n};
	char room[16384];
	int code = body.n > UINT32_MAX ? Z_DATA_ERROR : inflateInit2(&z, window);

	if (code != Z_OK)
		return -1;
	do {
		z.next_out = (Bytef *)room;
		z.avail_out = sizeof room;
		code = inflate(&z, Z_NO_FLUSH);
		buf_add(out, room, sizeof room - z.avail_out);
	} while (code == Z_OK && out->used < UNPACKED_MOST);
	inflateEnd(&z);
	if (code != Z_STREAM_END)
		buf_clear(out);
	return code == Z_STREAM_END ? 0 : -1;
}

/* Removes one coding. Returns 1 with the bytes in the empty buffer `out`, 0 if the body is not what the coding's name says, or -1
 * if the name is not known. */
static int remove_coding(struct warc_span name, struct warc_span body, struct buf *out)
{
	if (is_name(name, "gzip") || is_name(name, "x-gzip"))
		return gzip_unpack(body.at, body.n, UNPACKED_MOST, out) == GZIP_WHOLE;
	if (is_name(name, "deflate"))
		return inflate_all(body, MAX_WBITS, out) == 0 || inflate_all(body, -MAX_WBITS, out) == 0;
	return -1;
}

static struct warc_span span_of(const struct buf *b)
{
	return (struct warc_span){b->at ? b->at : "", b->used};
}

int capture_decode(const struct capture *c, struct buf *out)
{
	struct codings codings = {.n = 0};
	struct warc_span body = capture_body(c);
	struct buf now = BUF_EMPTY, next = BUF_EMPTY;
	int known = 1;

	add_fields(&codings, capture_head(c), "Content-Encoding");
	add_fields(&codings, capture_head(c), "Transfer-Encoding");
	if (codings.chunked && join_chunks(body, &now) == 0)
		body = span_of(&now);
	while (codings.n && known >= 0) {
		buf_clear(&next);
		known = remove_coding(codings.name[--codings.n], body, &next);
		if (known > 0) {
			const struct buf later = next;
			next = now;
			now = later;
			body = span_of(&now);
		}
	}
	buf_add(out, body.at, body.n);
	buf_release(&now);
	buf_release(&next);
	return known < 0 ? -1 : 0;
}

#define SHA1_TEXT 32 /* the letters of a SHA-1 in base32 */

int index_is(const char *path)
{
	const size_t n = strlen(path);

	return (n > 5 && strcmp(path + n - 5, ".cdxj") == 0) || (n > 8 && strcmp(path + n - 8, ".cdxj.gz") == 0);
}

static const char *text_of(const json_t *entry, const char *name)
{
	const char *text = json_string_value(json_object_get(entry, name));

	return text ? text : "";
}

/* Reads a number, which most programs write as a text. */
static uint64_t count_of(const json_t *entry, const char *name)
{
	const json_t *value = json_object_get(entry, name);
	uint64_t count = 0;

	if (json_is_integer(value) && json_integer_value(value) >= 0)
		return (uint64_t)json_integer_value(value);
	(void)!num_count(text_of(entry, name), INT64_MAX, &count);
	return count;
}

/* Reads a time "20261122083015", perhaps with milliseconds. */
static int64_t time_of_digits(const char *text)
{
	struct tm tm = {0};

	return strptime(text, "%Y%m%d%H%M%S", &tm) ? (int64_t)timegm(&tm) * 1000 : 0;
}

/* Returns the digest of an index as a WARC record has it: other programs leave out "sha1:". */
static const char *with_method(const char *digest, char *text, size_t size)
{
	if (strlen(digest) != SHA1_TEXT || strchr(digest, ':'))
		return digest;
	snprintf(text, size, "sha1:%s", digest);
	return text;
}

static int read_line(const char *path, uint64_t number, char *line, index_fn *each, void *ctx, struct err_note *why)
{
	char *stamp = strchr(line, ' '), *json = stamp ? strchr(stamp + 1, ' ') : NULL;
	char digits[32] = "", digest[64];
	json_t *entry = json ? json_loads(json + 1, 0, NULL) : NULL;

	if (!json_is_object(entry)) {
		json_decref(entry);
		return err_set(why, ERR_FORMAT, "%s:%llu: no line of a CDXJ index", path, (unsigned long long)number);
	}
	const size_t n = (size_t)(json - stamp) - 1;
	memcpy(digits, stamp + 1, n < sizeof digits ? n : sizeof digits - 1);
	const struct index_entry e = {.url = text_of(entry, "url"),
		.status = text_of(entry, "status"),
		.type = text_of(entry, "mime"),
		.digest = with_method(text_of(entry, "digest"), digest, sizeof digest),
		.file = text_of(entry, "filename"),
		.time = time_of_digits(digits),
		.offset = count_of(entry, "offset"),
		.length = count_of(entry, "length")};
	int err = each(ctx, &e, why);
	json_decref(entry);
	return err;
}

int index_each(const char *path, index_fn *each, void *ctx, struct err_note *why)
{
	struct input *in;
	char *line;
	size_t n;
	int got = input_open(&in, path, why);

	if (got)
		return got;
	while ((got = input_line(in, &line, &n, why)) > 0) {
		if (!*line || *line == '!')
			continue; /* a line about the index */
		got = read_line(path, input_line_number(in), line, each, ctx, why);
		if (got)
			break;
	}
	input_close(in);
	return got;
}

char *index_file(const char *index, const char *file)
{
	const char *slash = strrchr(index, '/'), *name = strrchr(file, '/');

	return buf_made("%.*s%s", slash ? (int)(slash - index) + 1 : 0, index, name ? name + 1 : file);
}

#define RECORD_MOST ((uint64_t)1 << 30) /* bytes of a record that an index leads to */

/* --- which captures */

int archive_wish_init(struct archive_wish *w, const struct archive_options *o, struct err_note *why)
{
	*w = (struct archive_wish){.url = URL_EMPTY, .text = o->url, .until = INT64_MAX};
	if (o->url && url_parse(&w->url, o->url, strlen(o->url), NULL) != URL_OK)
		buf_clear(&w->url.text); /* compared as it is */
	return o->before ? export_time(o->before, "before", &w->until, why) : 0;
}

void archive_wish_release(struct archive_wish *w)
{
	url_release(&w->url);
}

int archive_fits(const struct archive_wish *w, const char *url, size_t n, int64_t time)
{
	struct url canonical = URL_EMPTY;
	int is_same = !w->text || (strlen(w->text) == n && memcmp(w->text, url, n) == 0);

	if (!is_same && w->url.text.used && url_parse(&canonical, url, n, NULL) == URL_OK)
		is_same = canonical.text.used == w->url.text.used &&
			memcmp(canonical.text.at, w->url.text.at, canonical.text.used) == 0;
	url_release(&canonical);
	return is_same && time <= w->until;
}

int archive_each(const char *path, const struct archive_wish *w, archive_fn *each, void *ctx, struct err_note *why)
{
	struct capture c = {.time = 0};
	struct warc_stream s;
	int got = warc_stream_open(&s, path, why);

	while (got >= 0 && (got = warc_stream_next(&s, why)) > 0) {
		if (!capture_of(&s, &c) || !archive_fits(w, c.url.at, c.url.used, c.time))
			continue;
		got = each(ctx, &s, &c, why);
		if (got)
			break;
	}
	warc_stream_close(&s);
	capture_release(&c);
	return got;
}

/* --- the capture that a URL and a time mean */

struct found {
	const struct archive_wish *wish;
	const char *path;           /* the file being read */
	int only_responses;         /* 1: revisits do not count */
	struct archive_place place; /* of the best capture; its file is NULL if there is none */
	int64_t time;
};

/* Notes a capture, unless the capture found so far is later; owns `file`. */
static void keep_later(struct found *f, char *file, uint64_t number, int64_t time)
{
	if (f->place.file && time < f->time) {
		free(file);
		return;
	}
	free(f->place.file);
	f->place.file = file;
	f->place.number = number;
	f->time = time;
}

static int find_one(void *ctx, struct warc_stream *s, struct capture *c, struct err_note *why)
{
	struct found *f = ctx;

	if (f->only_responses && c->kind != CAPTURE_RESPONSE)
		return 0;
	const int err = warc_stream_block(s, NULL, SIZE_MAX, why); /* a record that is cut short is none */
	if (!err)
		keep_later(f, mem_text(f->path), s->number, c->time);
	return err;
}

static int find_indexed(void *ctx, const struct index_entry *e, struct err_note *why)
{
	struct found *f = ctx;

	(void)why;
	if ((f->only_responses && strcmp(e->type, "warc/revisit") == 0) ||
		!archive_fits(f->wish, e->url, strlen(e->url), e->time) || (f->place.file && e->time < f->time))
		return 0;
	keep_later(f, index_file(f->path, e->file), 0, e->time);
	f->place.offset = e->offset;
	f->place.length = e->length;
	return 0;
}

/* Copies the bytes of the record from one file to another. Returns 0; an errno; or -1 if the file ends before. */
static int copy_record(const struct archive_place *f, int in, int out)
{
	char bytes[65536];

	for (uint64_t done = 0; done < f->length;) {
		const uint64_t left = f->length - done;
		const ssize_t n = pread(in, bytes, left < sizeof bytes ? (size_t)left : sizeof bytes, (off_t)(f->offset + done));
		if (n <= 0)
			return n < 0 ? errno : -1;
		for (ssize_t at = 0, put; at < n; at += put)
			if ((put = write(out, bytes + at, (size_t)(n - at))) < 0)
				return errno;
		done += (uint64_t)n;
	}
	return f->length ? 0 : -1;
}

/* Copies the record of an index to a file of its own, in memory. Returns its descriptor, or an error: also if the index says that
 * the record has more than RECORD_MOST bytes, since an index may say anything of a large file. */
static int cut_out(const struct archive_place *f, struct err_note *why)
{
	if (f->length > RECORD_MOST)
		return err_set(why, ERR_TOO_BIG,
			"a record of %llu bytes in '%s', says its index; give the WARC file in place of the index to read it",
			(unsigned long long)f->length, f->file);
	const int in =
		open(f->file, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe without a writer opens, too, and cannot be read */

	if (in < 0)
		return err_set(why, ERR_FILE, "cannot open '%s': %s", f->file, ascii_error(errno));
	const int out = memfd_create("record", MFD_CLOEXEC);
	const int code = out < 0 ? errno : copy_record(f, in, out);
	close(in);
	if (!code)
		return out;
	if (out >= 0)
		close(out);
	return err_set(why, ERR_FILE, "cannot read in '%s' the record of its index: %s", f->file,
		code > 0 ? ascii_error(code) : "the file ends before the record does");
}

struct reading {
	uint64_t number;      /* of the record; 0: the first one with a page */
	const char *digest;   /* of a response; NULL: any */
	struct capture *into; /* takes the capture */
	int is_found;
};

static int read_one(void *ctx, struct warc_stream *s, struct capture *c, struct err_note *why)
{
	struct reading *r = ctx;

	if ((r->number && s->number != r->number) ||
		(r->digest && (c->kind != CAPTURE_RESPONSE || !c->digest.used || ascii_order(c->digest.at, r->digest) != 0)))
		return 0;
	int err = capture_read(s, c, SIZE_MAX, why);
	if (err)
		return err;
	const struct capture taken = *c;
	*c = *r->into;
	*r->into = taken;
	r->is_found = 1;
	return 1;
}

static int read_from(const char *path, struct reading *r, struct err_note *why)
{
	const struct archive_wish any = {.url = URL_EMPTY, .until = INT64_MAX};
	const int got = archive_each(path, &any, read_one, r, why);

	return got < 0 ? got : 0;
}

int archive_read(const struct archive_place *f, struct capture *c, struct err_note *why)
{
	struct reading r = {.number = f->number, .into = c};
	char path[40];
	const int part = f->number ? -1 : cut_out(f, why);
	int err = f->number || part >= 0 ? 0 : part;

	if (!err) {
		snprintf(path, sizeof path, "/proc/self/fd/%d", part);
		err = read_from(f->number ? f->file : path, &r, why);
	}
	if (!err && !r.is_found)
		err = err_set(why, ERR_FORMAT, "'%s' has no page where its index says", f->file);
	if (part >= 0)
		close(part);
	return err;
}

/* Finds the best capture of a wish in the files and indexes of a command, each of which is read as far as it can be. *damage
 * becomes the note of the first one that cannot be read to its end. Returns 0, or an error if a file cannot be read at all. */
static int find_best(const struct command *c, struct found *f, struct err_note *damage, struct err_note *why)
{
	int err = 0;

	for (size_t i = 0; i < c->flags->operands && !err; i++) {
		f->path = c->flags->operand[i];
		err = index_is(f->path) ? index_each(f->path, find_indexed, f, why)
					: archive_each(f->path, f->wish, find_one, f, why);
		if (err != ERR_FORMAT)
			continue;
		if (!*damage->text)
			*damage = *why;
		err = 0;
	}
	return err;
}

/* Reads the last response of a URL until a time, into r->into. */
static int read_before(const struct command *c, const char *url, int64_t time, struct reading *r, struct err_note *why)
{
	struct archive_options o = {.url = url};
	struct archive_wish wish;
	struct err_note damage = {.text = ""};
	struct found f = {.wish = &wish, .only_responses = 1};
	int err = archive_wish_init(&wish, &o, why);

	wish.until = time;
	if (!err)
		err = find_best(c, &f, &damage, why);
	if (!err && f.place.file) {
		err = archive_read(&f.place, r->into, why);
		r->is_found = !err;
	}
	free(f.place.file);
	archive_wish_release(&wish);
	return err;
}

/* The first response of an index with a digest. */
struct original {
	const char *path, *digest;
	struct archive_place place; /* its file is NULL if there is none */
};

static int find_digest(void *ctx, const struct index_entry *e, struct err_note *why)
{
	struct original *o = ctx;

	(void)why;
	if (ascii_order(e->digest, o->digest) != 0 || strcmp(e->type, "warc/revisit") == 0)
		return 0;
	o->place = (struct archive_place){.file = index_file(o->path, e->file), .offset = e->offset, .length = e->length};
	return 1;
}

/* Reads the response with the digest of r from a WARC file that an index names. An index that does not tell revisits from
 * responses may lead to a revisit, which is not taken. */
static int read_indexed(const char *path, struct reading *r, struct err_note *why)
{
	struct original o = {.path = path, .digest = r->digest};
	int got = index_each(path, find_digest, &o, why);

	if (got > 0)
		got = archive_read(&o.place, r->into, why);
	r->is_found = o.place.file && !got && r->into->kind == CAPTURE_RESPONSE;
	free(o.place.file);
	return got;
}

/* A revisit has no body of its own: it is that of an earlier response with the same digest, in any of the files; or else of the
 * response that the revisit names by URL and time; or, if the revisit has neither since the server has said 304, of the last
 * response of the URL. */
static int read_original(const struct command *c, struct capture *revisit, struct err_note *why)
{
	const struct archive_options *o = c->options;
	struct capture original = {.time = 0};
	struct reading r = {.digest = revisit->digest.at, .into = &original};
	int err = 0;

	for (size_t i = 0; i < c->flags->operands && !err && !r.is_found && revisit->digest.used; i++) {
		err = index_is(c->flags->operand[i]) ? read_indexed(c->flags->operand[i], &r, why)
						     : read_from(c->flags->operand[i], &r, why);
		if (err == ERR_FORMAT) /* archive_find() has told of it */
			err = 0;
	}
	if (!err && !r.is_found && revisit->refers_to.used)
		err = read_before(c, revisit->refers_to.at, revisit->refers_time ? revisit->refers_time : revisit->time, &r, why);
	else if (!err && !r.is_found && !revisit->digest.used)
		err = read_before(c, o->url, revisit->time, &r, why);
	if (!err && !r.is_found)
		err = err_set(why, ERR_NOTHING,
			"the page has not changed since an earlier visit, and none of these files has that: name the files from before, too");
	if (!err) {
		const struct capture later = *revisit;
		*revisit = original;
		original = later;
	}
	capture_release(&original);
	return err;
}

/* Reads the last capture of --url before --before, and for a revisit the head and body of the response that it repeats. */
int archive_find(const struct command *c, struct capture *out, struct err_note *damage, struct err_note *why)
{
	const struct archive_options *o = c->options;
	struct archive_wish wish;
	struct found f = {.wish = &wish};
	int err = archive_wish_init(&wish, o, why);

	*damage->text = 0;
	if (!err)
		err = find_best(c, &f, damage, why);
	if (!err && !f.place.file)
		err = *damage->text
			? err_set(why, ERR_FORMAT, "%s", damage->text)
			: err_set(why, ERR_NOTHING, "the archive has no '%s'%s; 'lycosa archive list' lists what it has", o->url,
				  o->before ? " of that time" : "");
	if (!err)
		err = archive_read(&f.place, out, why);
	if (!err && out->kind == CAPTURE_REVISIT && !o->headers)
		err = read_original(c, out, why);
	free(f.place.file);
	archive_wish_release(&wish);
	return err;
}
