#include "cli/archive/archive_find.h"
#include "base/mem.h"
#include "cli/export/export_filter.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

int archive_each(const char *path, const struct archive_wish *w, archive_fn *each, void *ctx,
	struct err_note *why)
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
	const char *path; /* the file being read */
	int only_responses; /* 1: revisits do not count */
	struct archive_place place; /* of the best capture; its file is NULL if there is none */
	int64_t time;
};

static void better(struct found *f, char *file, uint64_t number, int64_t time)
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

	(void)why;
	if (!f->only_responses || c->kind == CAPTURE_RESPONSE)
		better(f, mem_text(f->path), s->number, c->time);
	return 0;
}

static int find_indexed(void *ctx, const struct index_entry *e, struct err_note *why)
{
	struct found *f = ctx;

	(void)why;
	if ((f->only_responses && strcmp(e->type, "warc/revisit") == 0) ||
		!archive_fits(f->wish, e->url, strlen(e->url), e->time) || (f->place.file && e->time < f->time))
		return 0;
	better(f, index_file(f->path, e->file), 0, e->time);
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
		const ssize_t n = pread(in, bytes, left < sizeof bytes ? (size_t)left : sizeof bytes,
			(off_t)(f->offset + done));
		if (n <= 0)
			return n < 0 ? errno : -1;
		for (ssize_t at = 0, put; at < n; at += put)
			if ((put = write(out, bytes + at, (size_t)(n - at))) < 0)
				return errno;
		done += (uint64_t)n;
	}
	return f->length ? 0 : -1;
}

/* Copies the record of an index to a file of its own. *path is the file's name, which the caller removes and frees; NULL after an
 * error. */
static int cut_out(const struct archive_place *f, char **path, struct err_note *why)
{
	const char *folder = getenv("TMPDIR");
	struct buf name = BUF_EMPTY;
	const int in = open(f->file, O_RDONLY | O_CLOEXEC);

	if (in < 0)
		return err_set(why, ERR_FILE, "cannot open '%s': %s", f->file, strerror(errno));
	buf_format(&name, "%s/lycosa-record-XXXXXX", folder && *folder ? folder : "/tmp");
	const int out = mkstemp(name.at);
	if (out < 0) {
		err_set(why, ERR_FILE, "cannot make '%s': %s; TMPDIR names the folder", name.at, strerror(errno));
		close(in);
		buf_release(&name);
		return ERR_FILE;
	}
	const int code = copy_record(f, in, out);
	close(in);
	close(out);
	*path = buf_take(&name);
	if (!code)
		return 0;
	unlink(*path);
	free(*path);
	*path = NULL;
	return err_set(why, ERR_FILE, "cannot read in '%s' the record of its index: %s", f->file,
		code > 0 ? strerror(code) : "the file ends before the record does");
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
		(r->digest && (c->kind != CAPTURE_RESPONSE || !c->digest.used ||
				      strcmp(c->digest.at, r->digest) != 0)))
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
	char *part = NULL;
	int err = f->number ? 0 : cut_out(f, &part, why);

	if (!err)
		err = read_from(f->number ? f->file : part, &r, why);
	if (!err && !r.is_found)
		err = err_set(why, ERR_FORMAT, "'%s' has no page where its index says", f->file);
	if (part)
		unlink(part);
	free(part);
	return err;
}

/* Finds the best capture of a wish in the files and indexes of a command. */
static int find_best(const struct command *c, struct found *f, struct err_note *why)
{
	int err = 0;

	for (size_t i = 0; i < c->flags->operands && !err; i++) {
		f->path = c->flags->operand[i];
		err = index_is(f->path) ? index_each(f->path, find_indexed, f, why)
					: archive_each(f->path, f->wish, find_one, f, why);
	}
	return err;
}

/* Reads the last response of the URL before a revisit, into r->into. */
static int read_before(const struct command *c, int64_t time, struct reading *r, struct err_note *why)
{
	struct archive_wish wish;
	struct found f = {.wish = &wish, .only_responses = 1};
	int err = archive_wish_init(&wish, c->options, why);

	wish.until = time;
	if (!err)
		err = find_best(c, &f, why);
	if (!err && f.place.file) {
		err = archive_read(&f.place, r->into, why);
		r->is_found = !err;
	}
	free(f.place.file);
	archive_wish_release(&wish);
	return err;
}

/* A revisit has no body of its own: it is that of an earlier response with the same digest, in any of the files; or, if the
 * revisit has no digest since the server has said 304, of the last response of the URL. */
static int read_original(const struct command *c, struct capture *revisit, struct err_note *why)
{
	struct capture original = {.time = 0};
	struct reading r = {.digest = revisit->digest.at, .into = &original};
	int err = 0;

	for (size_t i = 0; i < c->flags->operands && !err && !r.is_found && revisit->digest.used; i++)
		if (!index_is(c->flags->operand[i]))
			err = read_from(c->flags->operand[i], &r, why);
	if (!err && !r.is_found && !revisit->digest.used)
		err = read_before(c, revisit->time, &r, why);
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

/* Reads the capture of --url and --at. */
int archive_find(const struct command *c, struct capture *out, struct err_note *why)
{
	const struct archive_options *o = c->options;
	struct archive_wish wish;
	struct found f = {.wish = &wish};
	int err = archive_wish_init(&wish, o, why);

	if (!err)
		err = find_best(c, &f, why);
	if (!err && !f.place.file)
		err = err_set(why, ERR_NOTHING, "the archive has no '%s'%s; 'lycosa archive list' lists what it has",
			o->url, o->before ? " of that time" : "");
	if (!err)
		err = archive_read(&f.place, out, why);
	if (!err && out->kind == CAPTURE_REVISIT && !o->headers)
		err = read_original(c, out, why);
	free(f.place.file);
	archive_wish_release(&wish);
	return err;
}

