#include "cli/archive/archive_find.h"
#include "base/ascii.h"
#include "base/buf.h"
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
		if (!capture_of(&c, s.header, s.length) || !archive_fits(w, c.url.at, c.url.used, c.time))
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
