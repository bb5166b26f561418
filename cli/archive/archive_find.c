#include "cli/archive/archive_find.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/mem.h"
#include "cli/export/export_filter.h"
#include "storage/warc_stream.h"

#include <stdlib.h>
#include <string.h>

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

/* Notes a capture, unless the capture found so far is later; owns the name of the file. */
static void keep_later(struct found *f, struct archive_place place, int64_t time)
{
	const int is_later = !f->place.file || time >= f->time;

	free(is_later ? f->place.file : place.file);
	if (is_later) {
		f->place = place;
		f->time = time;
	}
}

static int find_one(void *ctx, struct warc_stream *s, struct capture *c, struct err_note *why)
{
	struct found *f = ctx;

	if (f->only_responses && c->kind != CAPTURE_RESPONSE)
		return 0;
	const int err = warc_stream_block(s, NULL, SIZE_MAX, why); /* a record that is cut short is none */
	if (!err)
		keep_later(f, (struct archive_place){mem_text(f->path), s->number, WARC_NO_PLACE}, c->time);
	return err;
}

static int find_indexed(void *ctx, const struct cdxj_entry *e, struct err_note *why)
{
	struct found *f = ctx;

	(void)why;
	if ((!f->only_responses || strcmp(e->type, "warc/revisit") != 0) && archive_fits(f->wish, e->url, e->url_length, e->time))
		keep_later(f, (struct archive_place){cdxj_file(f->path, e->file), 0, e->offset}, e->time);
	return 0;
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

static int take_item(void *ctx, const struct warc_item *item, struct err_note *why)
{
	struct reading *r = ctx;

	(void)why;
	r->is_found = capture_of(r->into, item->header, item->block.n);
	if (r->is_found)
		capture_take(r->into, item->block, SIZE_MAX);
	return 1;
}

int archive_read(const struct archive_place *f, struct capture *c, struct err_note *why)
{
	struct reading r = {.number = f->number, .into = c};
	const int err =
		f->offset == WARC_NO_PLACE ? read_from(f->file, &r, why) : warc_item_at(f->file, f->offset, take_item, &r, why);

	return err >= 0 && !r.is_found ? err_set(why, ERR_FORMAT, "'%s' has no page where its index says", f->file)
				       : (err < 0 ? err : 0);
}

/* Finds the best capture of a wish in the files and indexes of a command, each of which is read as far as it can be. *damage
 * becomes the note of the first one that cannot be read to its end. Returns 0, or an error if a file cannot be read at all. */
static int find_best(const struct command *c, struct found *f, struct err_note *damage, struct err_note *why)
{
	int err = 0;

	for (size_t i = 0; i < c->flags->operands && !err; i++) {
		f->path = c->flags->operand[i];
		err = cdxj_is(f->path) ? cdxj_each(f->path, find_indexed, f, why)
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

static int find_digest(void *ctx, const struct cdxj_entry *e, struct err_note *why)
{
	struct original *o = ctx;

	(void)why;
	if (ascii_order(e->digest, o->digest) != 0 || strcmp(e->type, "warc/revisit") == 0)
		return 0;
	o->place = (struct archive_place){.file = cdxj_file(o->path, e->file), .offset = e->offset};
	return 1;
}

/* Reads the response with the digest of r from a WARC file that an index names. An index that does not tell revisits from
 * responses may lead to a revisit, which is not taken. */
static int read_indexed(const char *path, struct reading *r, struct err_note *why)
{
	struct original o = {.path = path, .digest = r->digest};
	int got = cdxj_each(path, find_digest, &o, why);

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
		err = cdxj_is(c->flags->operand[i]) ? read_indexed(c->flags->operand[i], &r, why)
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
