#include "cli/archive/archive.h"
#include "base/ascii.h"
#include "base/log.h"
#include "base/mem.h"
#include "cli/export/export_filter.h"
#include "parser/html.h"
#include "parser/mime.h"
#include "storage/warc_files.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAD_MOST ((size_t)64 << 10)
#define NONE      SIZE_MAX

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

/* Says whether a capture of a URL of n bytes is meant. Two URLs are one if their canonical forms are equal. */
static int fits(const struct archive_wish *w, const char *url, size_t n, int64_t time, int is_revisit, const char *digest)
{
	struct url canonical = URL_EMPTY;
	int is_same = !w->text || (strlen(w->text) == n && memcmp(w->text, url, n) == 0);

	if (!is_same && w->url.text.used && url_parse(&canonical, url, n, NULL) == URL_OK)
		is_same = canonical.text.used == w->url.text.used &&
			memcmp(canonical.text.at, w->url.text.at, canonical.text.used) == 0;
	url_release(&canonical);
	return is_same && time <= w->until && (!w->digest || (!is_revisit && ascii_order(digest, w->digest) == 0));
}

struct choosing {
	const struct archive_wish *wish;
	archive_fn *each;
	cdxj_fn *each_line;
	void *ctx;
	struct capture capture;
};

static int choose_item(void *ctx, const struct warc_item *item, struct err_note *why)
{
	struct choosing *x = ctx;
	struct capture *c = &x->capture;

	if (!capture_of(c, item) ||
		!fits(x->wish, c->url.at, c->url.used, c->time, c->kind == CAPTURE_REVISIT, c->digest.at ? c->digest.at : ""))
		return 0;
	return x->each(x->ctx, item, c, why);
}

int archive_each(const char *path, const struct archive_wish *w, archive_fn *each, void *ctx, struct err_note *why)
{
	struct choosing x = {.wish = w, .each = each, .ctx = ctx};
	struct warc_damage damage = {.places = 0};
	const int got = warc_items(path, choose_item, &x, &damage, why);

	capture_release(&x.capture);
	return got || !damage.places ? got : err_set(why, ERR_FORMAT, "%s", damage.first.text);
}

int archive_is_html(const struct capture *c)
{
	const struct warc_span type = capture_type(c);
	struct mime mime;

	return type.n && mime_parse(&mime, type.at, type.n) == 0 && mime_is_html(&mime);
}

int archive_read_html(const struct capture *c, unsigned flags, struct html_page *page)
{
	const struct warc_span type = capture_type(c);
	struct url address = URL_EMPTY;
	struct buf body = BUF_EMPTY;
	char *header = mem_part(type.at, type.n);
	const int is = !capture_decode(c, &body) && url_parse(&address, c->url.at, c->url.used, NULL) == URL_OK;

	if (is)
		html_read(body.at ? body.at : "", body.used, &address, *header ? header : NULL, flags, 0, NULL, NULL, page);
	free(header);
	url_release(&address);
	buf_release(&body);
	return is;
}

static int is_revisit(const struct cdxj_entry *e)
{
	return strcmp(e->type, "warc/revisit") == 0;
}

static int choose_line(void *ctx, const struct cdxj_entry *e, struct err_note *why)
{
	const struct choosing *x = ctx;

	return fits(x->wish, e->url, e->url_length, e->time, is_revisit(e), e->digest) ? x->each_line(x->ctx, e, why) : 0;
}

int archive_each_line(const char *path, const struct archive_wish *w, cdxj_fn *each, void *ctx, struct err_note *why)
{
	struct choosing x = {.wish = w, .each_line = each, .ctx = ctx};

	return cdxj_find(path, w->url.text.used ? w->url.text.at : w->text, CDXJ_SMALL, choose_line, &x, why);
}

/* --- the captures */

struct replay {
	struct replay_capture *capture; /* n, by URL and time */
	size_t n, room;
	size_t *by_digest; /* n_by_digest: the responses with a digest, by it and then by their places */
	size_t n_by_digest;
	size_t damaged;         /* files that could not be read to their ends */
	struct err_note damage; /* of the first of these */
	size_t *response; /* n: the place of the last response of the same URL with a status of 2xx, up to this capture; or NONE */
	/* of a replay by indexes that are searched: these; how many captures are enough; and the captures of the URL that was asked
	 * for last */
	struct warc_files indexes;
	size_t most;
	struct replay *of_url;
};

/* Returns the canonical form of a URL, or the URL as it is if it has none. */
static char *canonical(const char *text, size_t n)
{
	struct url u = URL_EMPTY;
	char *out = url_parse(&u, text, n, NULL) == URL_OK ? mem_part(u.text.at, u.text.used) : mem_part(text, n);

	url_release(&u);
	return out;
}

static struct replay_capture *add(struct replay *r)
{
	r->capture = mem_grow(r->capture, &r->room, r->n + 1, sizeof *r->capture);
	return &r->capture[r->n++];
}

/* --- reading */

struct reading {
	struct replay *replay;
	const char *path;
};

static int add_indexed(void *ctx, const struct cdxj_entry *e, struct err_note *why)
{
	const struct reading *in = ctx;

	(void)why;
	*add(in->replay) = (struct replay_capture){.url = canonical(e->url, e->url_length),
		.type = mem_text(e->type),
		.digest = mem_text(e->digest),
		.time = e->time,
		.status = e->status,
		.is_revisit = is_revisit(e) || e->status == 304,
		.place = {.file = cdxj_file(in->path, e->file), .offset = e->offset}};
	return in->replay->n == in->replay->most;
}

static int add_record(void *ctx, const struct warc_item *item, struct capture *c, struct err_note *why)
{
	const struct reading *in = ctx;
	int err = capture_take(c, item, HEAD_MOST, why);

	if (!err)
		err = warc_item_pass(item, why); /* a record that is cut short is none */
	if (err)
		return err;
	const struct warc_span type = capture_type(c);
	*add(in->replay) = (struct replay_capture){.url = canonical(c->url.at, c->url.used),
		.type = mem_part(type.at, type.n),
		.digest = mem_text(c->digest.at ? c->digest.at : ""),
		.time = c->time,
		.status = capture_status(c),
		.is_revisit = c->kind == CAPTURE_REVISIT || capture_status(c) == 304,
		.refers_to = c->refers_to.used ? mem_text(c->refers_to.at) : NULL,
		.refers_time = c->refers_time,
		.place = {mem_text(in->path), item->number, item->is_alone ? item->place : WARC_NO_PLACE}};
	return 0;
}

/* Returns the path of the index beside a WARC file: its name with .cdxj in place of .warc and what follows; NULL if there is no
 * such file. */
static char *index_beside(const char *path)
{
	const char *end = strstr(path, ".warc");

	for (const char *later; end && (later = strstr(end + 1, ".warc")) != NULL;)
		end = later;
	if (!end)
		return NULL;
	struct buf name = buf_of("%.*s.cdxj", (int)(end - path), path);
	if (access(name.at, R_OK) == 0)
		return buf_take(&name);
	buf_release(&name);
	return NULL;
}

/* Reads the files, each as far as it can be read. */
static int read_files(struct replay *r, const char *const *files, size_t n, const struct archive_wish *w, struct err_note *why)
{
	static const struct archive_wish any = {.url = URL_EMPTY, .until = INT64_MAX};

	for (size_t i = 0; i < n && (!r->most || r->n < r->most); i++) {
		char *index = archive_is_index(files[i]) ? mem_text(files[i]) : w ? NULL : index_beside(files[i]);
		struct reading in = {r, index ? index : files[i]};
		const int err = index ? archive_each_line(index, w ? w : &any, add_indexed, &in, why)
				      : archive_each(files[i], w ? w : &any, add_record, &in, why);
		free(index);
		if (err < 0 && err != ERR_FORMAT)
			return err;
		if (err < 0 && !w)
			log_say("%s; what is damaged is left out", why->text);
		if (err < 0 && !r->damaged++)
			r->damage = *why;
	}
	if (r->n || w)
		return 0;
	return r->damaged ? err_set(why, ERR_FORMAT, "the archive has no page that can be read")
			  : err_set(why, ERR_NOTHING, "the archive has no page");
}

static int by_url(const void *a, const void *b)
{
	const struct replay_capture *x = a, *y = b;
	const int order = strcmp(x->url, y->url);

	return order ? order : x->time != y->time ? (x->time < y->time ? -1 : 1) : x->is_revisit - y->is_revisit;
}

static int compare_digests(const void *a, const void *b, void *ctx)
{
	const struct replay_capture *capture = ctx;
	const size_t i = *(const size_t *)a, k = *(const size_t *)b;
	const int order = ascii_order(capture[i].digest, capture[k].digest);

	return order ? order : (i > k) - (i < k);
}

static void sort_digests(struct replay *r)
{
	r->by_digest = mem_new(r->n + 1, sizeof *r->by_digest);
	for (size_t i = 0; i < r->n; i++)
		if (!r->capture[i].is_revisit && *r->capture[i].digest)
			r->by_digest[r->n_by_digest++] = i;
	if (r->n_by_digest)
		qsort_r(r->by_digest, r->n_by_digest, sizeof *r->by_digest, compare_digests, r->capture);
}

/* Finds the responses that revisits may repeat, in one pass: an archive may have any number of revisits of a URL. */
static void note_responses(struct replay *r)
{
	r->response = mem_new(r->n + 1, sizeof *r->response);
	for (size_t i = 0; i < r->n; i++) {
		const struct replay_capture *c = &r->capture[i];
		const int is_first = !i || strcmp(c[-1].url, c->url) != 0;
		if (!c->is_revisit && c->status / 100 == 2)
			r->response[i] = i;
		else
			r->response[i] = is_first ? NONE : r->response[i - 1];
	}
}

/* Reads the files into a new replay. Frees it after an error. */
static int fill(struct replay **out, struct replay *r, const char *const *files, size_t n, const struct archive_wish *w,
	struct err_note *why)
{
	const int err = read_files(r, files, n, w, why);

	if (r->n)
		qsort(r->capture, r->n, sizeof *r->capture, by_url);
	sort_digests(r);
	note_responses(r);
	if (err) {
		replay_close(r);
		r = NULL;
	}
	*out = r;
	return err;
}

int replay_open(struct replay **out, const char *const *files, size_t n, const struct archive_wish *w, struct err_note *why)
{
	return fill(out, mem_zero(1, sizeof **out), files, n, w, why);
}

int replay_open_searched(struct replay **out, const char *const *files, size_t n, struct err_note *why)
{
	struct replay *r = mem_zero(1, sizeof *r);
	size_t i = 0;

	for (; i < n; i++) {
		char *index = archive_is_index(files[i]) ? mem_text(files[i]) : index_beside(files[i]);
		if (index)
			warc_files_add(&r->indexes, index);
		if (!index || !cdxj_is_searched(index, CDXJ_SMALL))
			break;
	}
	if (i < n)
		warc_files_release(&r->indexes);
	r->most = i < n ? 0 : REPLAY_FIRST;
	return fill(out, r, files, n, NULL, why);
}

void replay_close(struct replay *r)
{
	for (size_t i = 0; r && i < r->n; i++) {
		free(r->capture[i].url);
		free(r->capture[i].type);
		free(r->capture[i].digest);
		free(r->capture[i].refers_to);
		free(r->capture[i].place.file);
	}
	if (r && r->of_url)
		replay_close(r->of_url);
	if (r)
		warc_files_release(&r->indexes);
	free(r ? r->capture : NULL);
	free(r ? r->by_digest : NULL);
	free(r ? r->response : NULL);
	free(r);
}

/* --- finding */

size_t replay_damaged(const struct replay *r)
{
	return r->damaged;
}

static const struct replay *current(const struct replay *r)
{
	return r->of_url ? r->of_url : r;
}

const struct replay_capture *replay_at(const struct replay *r, size_t i)
{
	r = current(r);
	return i < r->n ? &r->capture[i] : NULL;
}

static const struct replay_capture *find_in(const struct replay *r, const char *url, size_t n, int64_t time, size_t *i)
{
	char *text = canonical(url, n);
	size_t low = 0, high = r->n;

	/* the first capture behind the URL and the time */
	while (low < high) {
		const size_t middle = (low + high) / 2;
		const struct replay_capture *c = &r->capture[middle];
		const int order = strcmp(c->url, text);
		if (order > 0 || (order == 0 && c->time > time))
			high = middle;
		else
			low = middle + 1;
	}
	const int has_before = low && strcmp(r->capture[low - 1].url, text) == 0;
	int is = low < r->n && strcmp(r->capture[low].url, text) == 0;
	if (has_before && (!is || time - r->capture[low - 1].time <= r->capture[low].time - time))
		low--;
	is |= has_before;
	free(text);
	*i = low;
	return is ? &r->capture[low] : NULL;
}

const struct replay_capture *replay_find(struct replay *r, const char *url, size_t n, int64_t time, size_t *i)
{
	char *text = r->indexes.n ? mem_part(url, n) : NULL;
	struct archive_wish w;
	struct err_note why;

	if (text && !archive_wish_init(&w, &(struct archive_options){.url = text}, &why)) {
		replay_close(r->of_url);
		if (replay_open(&r->of_url, (const char *const *)r->indexes.path, r->indexes.n, &w, &why))
			log_say("%s", why.text);
		archive_wish_release(&w);
	}
	free(text);
	return find_in(current(r), url, n, time, i);
}

/* Returns the last response of the same URL before a revisit that does not say to which response it refers. */
static const struct replay_capture *before_of(const struct replay *r, const struct replay_capture *revisit)
{
	const size_t i = r->response[revisit - r->capture];

	return i == NONE ? NULL : &r->capture[i];
}

/* Returns the response next to the time and the URL that a revisit names, or NULL. */
static const struct replay_capture *referred_to(const struct replay *r, const struct replay_capture *revisit)
{
	const int64_t time = revisit->refers_time ? revisit->refers_time : revisit->time;
	size_t i;

	return find_in(r, revisit->refers_to, strlen(revisit->refers_to), time, &i) ? before_of(r, &r->capture[i]) : NULL;
}

/* Returns the first response with a digest, in the order of URLs and times. */
static const struct replay_capture *with_digest(const struct replay *r, const char *digest)
{
	size_t low = 0, high = r->n_by_digest;

	while (low < high) {
		const size_t middle = (low + high) / 2;
		if (ascii_order(r->capture[r->by_digest[middle]].digest, digest) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	const struct replay_capture *c = low < r->n_by_digest ? &r->capture[r->by_digest[low]] : NULL;
	return c && ascii_order(c->digest, digest) == 0 ? c : NULL;
}

/* Returns the response that a revisit repeats, or NULL. For a revisit with the status 304 it is the last response of the same
 * URL before it, since the digest of such a revisit may be that of its own empty body; for any other it is the response with the
 * same digest. */
static const struct replay_capture *original_of(const struct replay *r, const struct replay_capture *revisit)
{
	const struct replay_capture *best = revisit->status == 304 ? before_of(r, revisit) : NULL;

	if (!best && *revisit->digest)
		best = with_digest(r, revisit->digest);
	if (!best && revisit->refers_to)
		best = referred_to(r, revisit);
	return best ? best : before_of(r, revisit);
}

const struct replay_capture *replay_with_body(const struct replay *r, const struct replay_capture *c)
{
	return c->is_revisit ? original_of(current(r), c) : c;
}

/* --- the records */

struct finding {
	uint64_t number;      /* of the record; 0: the first one with a page */
	struct capture *into; /* takes the capture */
	int is_found;
};

static int take_item(void *ctx, const struct warc_item *item, struct err_note *why)
{
	struct finding *f = ctx;

	if ((f->number && item->number != f->number) || !capture_of(f->into, item))
		return 0;
	const int err = capture_take(f->into, item, SIZE_MAX, why);
	f->is_found = !err;
	return err ? err : 1;
}

/* Reads the capture at a place, with its block. Returns 0, ERR_FORMAT if there is none, or an error of reading. */
static int read_place(const struct archive_place *p, struct capture *c, struct err_note *why)
{
	struct finding f = {.number = p->offset == WARC_NO_PLACE ? p->number : 0, .into = c};
	struct warc_damage damage = {.places = 0};
	const int err = p->offset == WARC_NO_PLACE ? warc_items(p->file, take_item, &f, &damage, why)
						   : warc_item_at(p->file, p->offset, take_item, &f, why);

	return err >= 0 && !f.is_found ? err_set(why, ERR_FORMAT, "'%s' has no page where its index says", p->file)
				       : (err < 0 ? err : 0);
}

/* --- one capture of an archive that need not fit into the memory */

/* Reads the last capture of a wish: a response, unless revisits are meant, too. Returns 1, 0 if there is none, or an error. *damage
 * becomes the note of the first file that cannot be read to its end. */
static int read_last(const char *const *files, size_t n, const struct archive_wish *w, int with_revisits, struct capture *out,
	struct err_note *damage, struct err_note *why)
{
	const struct replay_capture *last = NULL;
	struct replay *r;
	int err = replay_open(&r, files, n, w, why);

	for (size_t i = 0; r && i < r->n; i++)
		if ((with_revisits || !r->capture[i].is_revisit) && (!last || r->capture[i].time >= last->time))
			last = &r->capture[i];
	if (!err && last)
		err = read_place(&last->place, out, why);
	if (r && r->damaged && !*damage->text)
		*damage = r->damage;
	replay_close(r);
	return err ? err : last != NULL && (with_revisits || out->kind != CAPTURE_REVISIT);
}

/* Puts the response that a revisit repeats in its place: that with its digest at the URL that it names, or anywhere; or whatever
 * was at that URL then; or, for a revisit that names no response since the server has said 304, the last response of its own
 * URL. */
static int read_original(const char *const *files, size_t n, struct capture *revisit, struct err_note *damage, struct err_note *why)
{
	const char *digest = revisit->digest.used ? revisit->digest.at : NULL,
		   *url = revisit->refers_to.used ? revisit->refers_to.at : NULL;
	const int64_t then = revisit->refers_time ? revisit->refers_time : revisit->time;
	const struct {
		const char *url, *digest;
		int64_t until;
		int is_meant;
	} tries[] = {{revisit->url.at, NULL, revisit->time, capture_status(revisit) == 304},
		{url, digest, INT64_MAX, url && digest}, {NULL, digest, INT64_MAX, digest != NULL}, {url, NULL, then, url != NULL},
		{revisit->url.at, NULL, revisit->time, !digest && !url}};
	struct capture original = {.time = 0};
	int got = 0;

	for (size_t i = 0; i < sizeof tries / sizeof *tries && !got; i++) {
		struct archive_wish w;
		if (!tries[i].is_meant || archive_wish_init(&w, &(struct archive_options){.url = tries[i].url}, why))
			continue;
		w.until = tries[i].until;
		w.digest = tries[i].digest;
		got = read_last(files, n, &w, 0, &original, damage, why);
		archive_wish_release(&w);
	}
	if (got > 0) {
		const struct capture later = *revisit;
		*revisit = original;
		original = later;
	}
	capture_release(&original);
	return got
		? (got < 0 ? got : 0)
		: err_set(why, ERR_NOTHING,
			  "the page has not changed since an earlier visit, and none of these files has that: name the files from before, too");
}

int replay_read(const struct replay *r, const struct replay_capture *c, struct capture *out, struct err_note *why)
{
	const struct replay_capture *with_body = replay_with_body(r, c);
	struct err_note damage = {""};

	if (with_body)
		return read_place(&with_body->place, out, why);
	if (!r->indexes.n)
		return err_set(why, ERR_NOTHING,
			"the page had not changed since an earlier visit, and the archive does not have that");
	const int err = read_place(&c->place, out, why); /* which names the response */
	return err ? err : read_original((const char *const *)r->indexes.path, r->indexes.n, out, &damage, why);
}

int archive_find(const struct command *c, struct capture *out, struct err_note *damage, struct err_note *why)
{
	const struct archive_options *o = c->options;
	struct archive_wish w;
	int got = archive_wish_init(&w, o, why);

	*damage->text = 0;
	if (!got)
		got = read_last(c->flags->operand, c->flags->operands, &w, 1, out, damage, why);
	if (!got)
		got = *damage->text
			? err_set(why, ERR_FORMAT, "%s", damage->text)
			: err_set(why, ERR_NOTHING, "the archive has no '%s'%s; 'lycosa archive list' lists what it has", o->url,
				  o->before ? " of that time" : "");
	else if (got > 0)
		got = out->kind == CAPTURE_REVISIT && !o->headers
			? read_original(c->flags->operand, c->flags->operands, out, damage, why)
			: 0;
	archive_wish_release(&w);
	return got;
}
