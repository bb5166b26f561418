#include "cli/archive/archive_replay.h"
#include "base/ascii.h"
#include "base/log.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAD_MOST ((size_t)64 << 10)
#define NONE      SIZE_MAX

struct replay {
	struct replay_capture *capture; /* n, by URL and time */
	size_t n, room;
	size_t *by_digest; /* n_by_digest: the responses with a digest, by it and then by their places */
	size_t n_by_digest;
	size_t damaged;   /* files that could not be read to their ends */
	size_t *response; /* n: the place of the last response of the same URL with a status of 2xx, up to this capture; or NONE */
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
	struct capture capture;
	uint64_t number;
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
		.is_revisit = strcmp(e->type, "warc/revisit") == 0,
		.place = {.file = cdxj_file(in->path, e->file), .offset = e->offset}};
	return 0;
}

static int add_record(void *ctx, const struct warc_item *item, struct err_note *why)
{
	struct reading *in = ctx;
	struct capture *c = &in->capture;

	(void)why;
	in->number++;
	if (!capture_of(c, item->header, item->block.n))
		return 0;
	capture_take(c, item->block, HEAD_MOST);
	const struct warc_span type = capture_type(c);
	*add(in->replay) = (struct replay_capture){.url = canonical(c->url.at, c->url.used),
		.type = mem_part(type.at, type.n),
		.digest = mem_text(c->digest.at ? c->digest.at : ""),
		.time = c->time,
		.status = capture_status(c),
		.is_revisit = c->kind == CAPTURE_REVISIT,
		.refers_to = c->refers_to.used ? mem_text(c->refers_to.at) : NULL,
		.refers_time = c->refers_time,
		.place = {mem_text(in->path), in->number, item->is_alone ? item->place : WARC_NO_PLACE}};
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

static int read_file(struct replay *r, const char *path, struct err_note *why)
{
	struct warc_damage damage = {.places = 0};
	char *index = cdxj_is(path) ? mem_text(path) : index_beside(path);
	struct reading in = {.replay = r, .path = index ? index : path};
	const int err = index ? cdxj_each(index, add_indexed, &in, why) : warc_items(path, add_record, &in, &damage, why);

	capture_release(&in.capture);
	free(index);
	return err || !damage.places ? err : err_set(why, ERR_FORMAT, "%s", damage.first.text);
}

/* Reads the files, each as far as it can be read. */
static int read_files(struct replay *r, const char *const *files, size_t n, struct err_note *why)
{
	for (size_t i = 0; i < n; i++) {
		const int err = read_file(r, files[i], why);
		if (err && err != ERR_FORMAT)
			return err;
		if (err)
			log_say("%s; what is damaged is left out", why->text);
		r->damaged += err != 0;
	}
	if (r->n)
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

int replay_open(struct replay **out, const char *const *files, size_t n, struct err_note *why)
{
	struct replay *r = mem_zero(1, sizeof *r);
	const int err = read_files(r, files, n, why);

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

void replay_close(struct replay *r)
{
	for (size_t i = 0; r && i < r->n; i++) {
		free(r->capture[i].url);
		free(r->capture[i].type);
		free(r->capture[i].digest);
		free(r->capture[i].refers_to);
		free(r->capture[i].place.file);
	}
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

const struct replay_capture *replay_at(const struct replay *r, size_t i)
{
	return i < r->n ? &r->capture[i] : NULL;
}

const struct replay_capture *replay_find(const struct replay *r, const char *url, size_t n, int64_t time, size_t *i)
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

	return replay_find(r, revisit->refers_to, strlen(revisit->refers_to), time, &i) ? before_of(r, &r->capture[i]) : NULL;
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
	return c->is_revisit ? original_of(r, c) : c;
}

int replay_read(const struct replay *r, const struct replay_capture *c, struct capture *out, struct err_note *why)
{
	const struct replay_capture *with_body = replay_with_body(r, c);

	if (!with_body)
		return err_set(why, ERR_NOTHING,
			"the page had not changed since an earlier visit, and the archive does not have that");
	return archive_read(&with_body->place, out, why);
}
