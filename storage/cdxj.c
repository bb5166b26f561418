#include "storage/cdxj.h"
#include "base/clock.h"
#include "base/gunzip.h"
#include "base/input.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/output.h"
#include "base/zip.h"
#include "storage/warc_capture.h"
#include "storage/warc_files.h"

#include <jansson.h>
#include <libdeflate.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PACKING_LEVEL 6

static int is_address(const char *host, size_t n)
{
	return n && (*host == '[' || strspn(host, "0123456789.") >= n);
}

/* Appends a host without "www.", its labels in reverse order: "www.example.org" as "org,example". */
static void add_host(struct buf *out, const char *host, size_t n)
{
	if (is_address(host, n)) {
		buf_add(out, host, n);
		return;
	}
	if (n > 4 && memcmp(host, "www.", 4) == 0 && memchr(host + 4, '.', n - 4)) {
		host += 4;
		n -= 4;
	}
	while (n) {
		const char *dot = memrchr(host, '.', n);
		const size_t from = dot ? (size_t)(dot - host) + 1 : 0;
		buf_add(out, host + from, n - from);
		n = dot ? from - 1 : 0;
		if (n)
			buf_text(out, ",");
	}
}

struct part {
	const char *at;
	size_t n;
};

static int by_bytes(const void *a, const void *b)
{
	const struct part *x = a, *y = b;
	const int order = memcmp(x->at, y->at, x->n < y->n ? x->n : y->n);

	return order ? order : x->n < y->n ? -1 : x->n > y->n;
}

/* Appends the query after its '?', with sorted parameters. */
static void add_query(struct buf *out, const char *at, const char *end)
{
	struct part *part = NULL;
	size_t n = 0, room = 0;

	while (at <= end) {
		const char *next = memchr(at, '&', (size_t)(end - at));
		next = next ? next : end;
		part = mem_grow(part, &room, n + 1, sizeof *part);
		part[n++] = (struct part){at, (size_t)(next - at)};
		at = next + 1;
	}
	qsort(part, n, sizeof *part, by_bytes);
	for (size_t i = 0; i < n; i++) {
		buf_text(out, i ? "&" : "?");
		buf_add(out, part[i].at, part[i].n);
	}
	free(part);
}

static const char *find_any(const char *at, const char *end, const char *set)
{
	while (at < end && !strchr(set, *at))
		at++;
	return at;
}

void cdxj_key(struct buf *out, const char *url, size_t n)
{
	const char *end = url + n, *host = memmem(url, n, "://", 3);
	const size_t before = out->used;

	host = host ? host + 3 : url;
	const char *path = find_any(host, end, "/?"), *query = find_any(path, end, "?");
	const char *at = memrchr(host, '@', (size_t)(path - host));
	host = at ? at + 1 : host;
	const char *bracket = memchr(host, ']', (size_t)(path - host));
	const char *name_end = find_any(bracket ? bracket : host, path, ":");
	add_host(out, host, (size_t)(name_end - host));
	buf_add(out, name_end, (size_t)(path - name_end));
	buf_text(out, ")");
	buf_add(out, path, (size_t)(query - path));
	if (end - query > 1)
		add_query(out, query + 1, end);
	for (size_t i = before; i < out->used; i++)
		if (out->at[i] >= 'A' && out->at[i] <= 'Z')
			out->at[i] = (char)(out->at[i] + 32);
}

void cdxj_line(struct buf *out, const struct cdxj_entry *e)
{
	const struct tm tm = clock_utc(e->time);
	char text[32];

	cdxj_key(out, e->url, e->url_length);
	strftime(text, sizeof text, " %Y%m%d%H%M%S ", &tm);
	buf_text(out, text);
	snprintf(text, sizeof text, "%u", e->status);
	json_t *object = json_object();
	json_object_set_new(object, "url", json_stringn_nocheck(e->url, e->url_length));
	json_t *type = e->type ? json_string(e->type) : NULL; /* none where it is no UTF-8 */
	json_object_set_new(object, "mime", type ? type : json_string("unk"));
	json_object_set_new(object, "status", json_string(text));
	json_object_set_new(object, "digest", json_string(e->digest));
	json_object_set_new(object, "length", json_integer((json_int_t)e->length));
	json_object_set_new(object, "offset", json_integer((json_int_t)e->offset));
	json_object_set_new(object, "filename", json_string(e->file));
	char *json = json_dumps(object, JSON_COMPACT | JSON_ENSURE_ASCII);
	buf_text(out, json ? json : "{}");
	buf_text(out, "\n");
	free(json);
	json_decref(object);
}

#define HEAD_MOST   ((size_t)64 << 10)
#define EMPTY_SHA_1 "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"

void cdxj_record(struct buf *out, const struct warc_item *item, const char *file, uint64_t offset, uint64_t length)
{
	struct capture c = {.time = 0};
	struct cdxj_entry e = {.file = file, .offset = offset, .length = length};

	if (capture_of(&c, item) && !capture_take(&c, item, HEAD_MOST, NULL)) {
		struct warc_span type = capture_type(&c);
		while (type.n && memchr(type.at, ';', type.n))
			type.n--;
		while (type.n && (type.at[type.n - 1] == ' ' || type.at[type.n - 1] == '\t'))
			type.n--;
		char *type_text = mem_part(type.n ? type.at : "", type.n);
		e.url = c.url.at;
		e.url_length = c.url.used;
		e.time = c.time;
		e.status = c.kind == CAPTURE_RESOURCE ? 200 : capture_status(&c);
		e.type = c.kind == CAPTURE_REVISIT ? "warc/revisit" : *type_text ? type_text : NULL;
		e.digest = c.digest.used ? c.digest.at : item->size > c.head_n ? "-" : EMPTY_SHA_1;
		if (c.kind == CAPTURE_RESOURCE || c.head_n)
			cdxj_line(out, &e);
		free(type_text);
	}
	capture_release(&c);
}

void cdxj_sort(struct buf *lines)
{
	struct part *line = NULL;
	size_t count = 0, room = 0;
	struct buf sorted = BUF_EMPTY;

	for (size_t at = 0; at < lines->used; at += line[count - 1].n) {
		const char *lf = memchr(lines->at + at, '\n', lines->used - at);
		line = mem_grow(line, &room, count + 1, sizeof *line);
		line[count++] = (struct part){lines->at + at, lf ? (size_t)(lf + 1 - (lines->at + at)) : lines->used - at};
	}
	if (count)
		qsort(line, count, sizeof *line, by_bytes);
	for (size_t i = 0; i < count; i++)
		buf_add(&sorted, line[i].at, line[i].n);
	free(line);
	buf_release(lines);
	*lines = sorted;
}

/* Appends n bytes as a gzip member, and its line in the summary. */
static void pack_member(struct libdeflate_compressor *c, const char *at, size_t n, struct buf *packed, struct buf *summary)
{
	const size_t bound = libdeflate_gzip_compress_bound(c, n), offset = packed->used;
	const char *stamp = memchr(at, ' ', n), *json = stamp ? memchr(stamp + 1, ' ', (size_t)(at + n - stamp - 1)) : NULL;
	uint8_t digest[SHA256_DIGEST_SIZE];
	struct sha256_ctx sha;

	packed->used += libdeflate_gzip_compress(c, at, n, buf_room(packed, bound), bound);
	buf_end(packed);
	sha256_init(&sha);
	sha256_update(&sha, packed->used - offset, (const uint8_t *)packed->at + offset);
	sha256_digest(&sha, sizeof digest, digest);
	buf_add(summary, at, json ? (size_t)(json - at) : 0);
	buf_format(summary, " {\"offset\":%zu,\"length\":%zu,\"digest\":\"sha256:", offset, packed->used - offset);
	for (size_t i = 0; i < sizeof digest; i++)
		buf_format(summary, "%02x", digest[i]);
	buf_text(summary, "\"}\n");
}

void cdxj_pack(const struct buf *lines, size_t block, const char *name, struct buf *packed, struct buf *summary)
{
	struct libdeflate_compressor *c = libdeflate_alloc_compressor(PACKING_LEVEL);
	json_t *about = json_pack("{s:s, s:s}", "format", "cdxj-gzip-1.0", "filename", name);
	char *text = json_dumps(about, JSON_COMPACT);
	size_t from = 0, n = 0;

	if (!c || !text)
		mem_exhausted();
	buf_format(summary, "!meta 0 %s\n", text);
	for (size_t at = 0; at < lines->used;) {
		const char *lf = memchr(lines->at + at, '\n', lines->used - at);
		at = lf ? (size_t)(lf + 1 - lines->at) : lines->used;
		if (++n == block || at == lines->used) {
			pack_member(c, lines->at + from, at - from, packed, summary);
			from = at;
			n = 0;
		}
	}
	libdeflate_free_compressor(c);
	json_decref(about);
	free(text);
}

int cdxj_write(const char *path, struct buf *lines, struct err_note *why)
{
	struct output *out;
	int err = output_open(&out, path, why);

	if (err)
		return err;
	output_sync(out);
	cdxj_sort(lines);
	output_bytes(out, lines->at, lines->used);
	return output_close(out, why);
}

/* --- reading */

#define SHA1_TEXT 32 /* the letters of a SHA-1 in base32 */

int cdxj_is(const char *path)
{
	return warc_files_end(path, ".cdxj") || warc_files_end(path, ".cdxj.gz") || warc_files_end(path, ".cdx") ||
		warc_files_end(path, ".cdx.gz");
}

int cdxj_is_summary(const char *path)
{
	return warc_files_end(path, ".idx");
}

const char *cdxj_text(const json_t *entry, const char *name)
{
	const char *text = json_string_value(json_object_get(entry, name));

	return text ? text : "";
}

uint64_t cdxj_count(const json_t *entry, const char *name)
{
	const json_t *value = json_object_get(entry, name);
	uint64_t count = 0;

	if (json_is_integer(value) && json_integer_value(value) >= 0)
		return (uint64_t)json_integer_value(value);
	(void)!num_count(cdxj_text(entry, name), INT64_MAX, &count);
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

/* Where lines come from. */
struct reading {
	const char *path;
	uint64_t number; /* of the line */
	cdxj_fn *each;
	void *ctx;
};

int cdxj_is_legend(const char *line)
{
	return strncmp(line, " CDX ", 5) == 0;
}

static const char *field_text(const char *field)
{
	return strcmp(field, "-") == 0 ? "" : field;
}

/* Reads a line of CDX, which is changed: key, time, URL, media type, status, digest, then with 10 or 11 fields the redirect, and
 * with 11 the tags and the length, then the offset and the file. Returns 1, or 0 if it is none. */
static int read_fields(char *line, struct cdxj_entry *e, const char **digits)
{
	char *field[12], *rest = NULL;
	size_t n = 0;

	for (char *at = strtok_r(line, " ", &rest); at && n < 12; at = strtok_r(NULL, " ", &rest))
		field[n++] = at;
	if (n < 9 || n > 11 || num_count(field[n - 2], INT64_MAX, &e->offset))
		return 0;
	uint64_t status = 0;
	(void)!num_count(field[4], 999, &status);
	if (n == 11)
		(void)!num_count(field[8], INT64_MAX, &e->length);
	*digits = field[1];
	e->url = field[2];
	e->type = field_text(field[3]);
	e->status = (unsigned)status;
	e->digest = field_text(field[5]);
	e->file = field[n - 1];
	return 1;
}

/* Reads the JSON behind the time of a line. */
static void read_object(const json_t *object, struct cdxj_entry *e)
{
	const uint64_t status = cdxj_count(object, "status");

	e->url = cdxj_text(object, "url");
	e->status = status < 1000 ? (unsigned)status : 0;
	e->type = cdxj_text(object, "mime");
	e->digest = cdxj_text(object, "digest");
	e->file = cdxj_text(object, "filename");
	e->offset = cdxj_count(object, "offset");
	e->length = cdxj_count(object, "length");
}

static int read_line(const struct reading *r, const char *line, struct err_note *why)
{
	const char *stamp = strchr(line, ' '), *json = stamp ? strchr(stamp + 1, ' ') : NULL, *digits = stamp ? stamp + 1 : "";
	json_t *object = json ? json_loads(json + 1, 0, NULL) : NULL;
	char *copy = mem_text(line), digest[64];
	struct cdxj_entry e = {.offset = 0};
	int err;

	if (json_is_object(object))
		read_object(object, &e);
	if (json_is_object(object) || read_fields(copy, &e, &digits)) {
		e.url_length = strlen(e.url);
		e.digest = with_method(e.digest, digest, sizeof digest);
		e.time = time_of_digits(digits);
		err = r->each(r->ctx, &e, why);
	} else {
		err = err_set(why, ERR_FORMAT, "%s:%llu: no line of a CDXJ index, nor one of a CDX file with 9 to 11 fields",
			r->path, (unsigned long long)r->number);
	}
	json_decref(object);
	free(copy);
	return err;
}

/* --- sorted lines */

/* Returns the end of the line at `at`, its LF or the end of all. */
static size_t line_end(struct warc_span all, size_t at)
{
	const char *lf = memchr(all.at + at, '\n', all.n - at);

	return lf ? (size_t)(lf - all.at) : all.n;
}

/* Compares a line with a text; a line that begins with it is equal. */
static int compare_begin(struct warc_span all, size_t at, const struct buf *text)
{
	const size_t n = line_end(all, at) - at;
	const int order = memcmp(all.at + at, text->at, n < text->used ? n : text->used);

	return order ? order : n < text->used ? -1 : 0;
}

/* Returns where the first line begins that is not before a text. */
static size_t bisect(struct warc_span all, const struct buf *text)
{
	size_t low = 0, high = all.n; /* both begin lines */

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const char *lf = memrchr(all.at + low, '\n', middle - low);
		const size_t at = lf ? (size_t)(lf - all.at) + 1 : low;
		if (compare_begin(all, at, text) < 0)
			low = line_end(all, at) + (line_end(all, at) < all.n);
		else
			high = at;
	}
	return low;
}

/* Reads the lines that begin with a text. */
static int read_lines(struct reading *r, struct warc_span all, const struct buf *text, struct err_note *why)
{
	int got = 0;

	for (size_t at = bisect(all, text); !got && at < all.n && compare_begin(all, at, text) == 0; at = line_end(all, at) + 1) {
		char *line = mem_part(all.at + at, line_end(all, at) - at);
		r->number++;
		got = *line && *line != '!' && !cdxj_is_legend(line) ? read_line(r, line, why) : 0;
		free(line);
	}
	return got;
}

/* --- ZipNum: packed members of sorted lines, and a summary with a line for the first line of each: "KEY TIMESTAMP JSON", as in a
 * WACZ file, or "KEY TIMESTAMP TAB FILE TAB OFFSET TAB LENGTH ...", as in Common Crawl's cluster.idx */

#define MEMBER_MOST ((size_t)256 << 20) /* bytes, unpacked */

/* Reads the lines of a member that begin with a text; `line` of the summary tells where it is, and `name` its file unless the line
 * does. */
static int read_member(struct reading *r, const char *line, const char *name, const struct buf *text, struct err_note *why)
{
	const char *tab = strchr(line, '\t'), *brace = strchr(line, '{'), *slash = strrchr(r->path, '/');
	json_t *entry = brace && !tab ? json_loads(brace, 0, NULL) : NULL;
	const size_t folder = slash ? (size_t)(slash - r->path) + 1 : 0;
	size_t name_n = tab ? strcspn(tab + 1, "\t") : strlen(name);
	uint64_t at[2] = {cdxj_count(entry, "offset"), cdxj_count(entry, "length")};
	struct buf lines = BUF_EMPTY;
	struct mapped file;

	for (size_t i = 0; tab && i < 2; i++)
		at[i] = (tab = strchr(tab + 1, '\t')) != NULL ? strtoull(tab + 1, NULL, 10) : 0;
	const char *named = strchr(line, '\t') ? strchr(line, '\t') + 1 : name, *last = memrchr(named, '/', name_n);
	if (last) /* a path of a stranger leads to no other folder */
		name_n -= (size_t)(last + 1 - named), named = last + 1;
	char *path = buf_made("%.*s%.*s", (int)folder, r->path, (int)name_n, named);
	int got = mapped_open(&file, path, why);
	if (got >= 0)
		got = at[1] && at[0] <= file.n && at[1] <= file.n - at[0] &&
				gzip_unpack(file.at + at[0], (size_t)at[1], MEMBER_MOST, &lines) == GZIP_WHOLE
			? read_lines(r, (struct warc_span){lines.at ? lines.at : "", lines.used}, text, why)
			: err_set(why, ERR_FORMAT, "'%s' has no lines where '%s' says", path, r->path);
	mapped_close(&file);
	buf_release(&lines);
	json_decref(entry);
	free(path);
	return got;
}

/* Reads the lines that begin with a text through a summary. */
static int read_members(struct reading *r, struct warc_span idx, const struct buf *text, struct err_note *why)
{
	const size_t first = line_end(idx, 0);
	char *about = mem_part(idx.at, first), *stem = mem_part(r->path, strlen(r->path) - strlen(".idx"));
	json_t *meta = *about == '!' && strchr(about, '{') ? json_loads(strchr(about, '{'), 0, NULL) : NULL;
	char *name = *cdxj_text(meta, "filename") ? mem_text(cdxj_text(meta, "filename"))
						  : buf_made("%s.cdx.gz", strrchr(stem, '/') ? strrchr(stem, '/') + 1 : stem);
	size_t at = bisect(idx, text);
	int got = 0;

	/* the member before the first one that begins with the text may end with it */
	const char *lf = at > 1 ? memrchr(idx.at, '\n', at - 1) : NULL;
	for (at = lf ? (size_t)(lf + 1 - idx.at) : 0; !got && at < idx.n && compare_begin(idx, at, text) <= 0;
		at = line_end(idx, at) + 1) {
		char *line = mem_part(idx.at + at, line_end(idx, at) - at);
		got = *line && *line != '!' ? read_member(r, line, name, text, why) : 0;
		free(line);
	}
	json_decref(meta);
	free(about);
	free(stem);
	free(name);
	return got;
}

/* Returns the path of the summary of an index: itself, or the file x.idx beside x.cdx.gz; NULL if there is none. */
static char *summary_of(const char *path)
{
	const size_t n = strlen(path);

	if (cdxj_is_summary(path))
		return mem_text(path);
	char *stem = mem_part(path, warc_files_end(path, ".gz") ? n - 3 : 0);
	char *dot = strrchr(stem, '.'), *idx = dot ? buf_made("%.*s.idx", (int)(dot - stem), stem) : NULL;
	struct mapped file;
	if (idx && mapped_open(&file, idx, NULL) <= 0) {
		free(idx);
		idx = NULL;
	}
	if (dot)
		mapped_close(&file);
	free(stem);
	return idx;
}

/* --- all lines, and some */

static int read_all(struct reading *r, struct err_note *why)
{
	struct input *in;
	char *line;
	size_t n;
	int got = input_open(&in, r->path, why);

	if (got)
		return got;
	while ((got = input_line(in, &line, &n, why)) > 0) {
		r->number = input_line_number(in);
		got = *line && *line != '!' && !cdxj_is_legend(line) ? read_line(r, line, why)
								     : 0; /* '!': a line about the index */
		if (got)
			break;
	}
	input_close(in);
	return got;
}

int cdxj_each(const char *path, cdxj_fn *each, void *ctx, struct err_note *why)
{
	return cdxj_find(path, NULL, 0, each, ctx, why);
}

/* Reads the lines whose keys may be that of a URL: programs sort the query or leave it, and leave out a slash at the end of the
 * path. If there is none, it reads all of the host. */
static int read_url(struct reading *r, struct warc_span all, int is_summary, const char *url, struct err_note *why)
{
	static const char *const ends[] = {" ", "/ ", "?", "/?", ""};
	struct buf key = BUF_EMPTY, text = BUF_EMPTY;
	int got = 0;

	cdxj_key(&key, url, strlen(url));
	const size_t host = strcspn(key.at, "):"), query = strcspn(key.at, "?"), path = query - (query && key.at[query - 1] == '/');
	for (size_t i = 0; !got && i < 5; i++) {
		if (i == 4 ? r->number > 0 : i > 1 && !key.at[query]) /* found; or there is no query */
			continue;
		buf_clear(&text);
		buf_add(&text, key.at, i == 4 ? host : path);
		buf_text(&text, ends[i]);
		got = is_summary ? read_members(r, all, &text, why) : read_lines(r, all, &text, why);
	}
	buf_release(&key);
	buf_release(&text);
	return got;
}

int cdxj_find(const char *path, const char *url, uint64_t small, cdxj_fn *each, void *ctx, struct err_note *why)
{
	const struct buf any = {&(char){0}, 0, 0};
	char *idx = url || cdxj_is_summary(path) ? summary_of(path) : NULL;
	struct reading r = {.path = path, .each = each, .ctx = ctx};
	struct mapped file = {.at = ""};
	int got = url || idx ? mapped_open(&file, path, why) : 0;
	const int is_large = file.n > small;

	if (got >= 0 && idx && strcmp(idx, path) != 0 && is_large) {
		mapped_close(&file);
		r.path = idx;
		got = mapped_open(&file, idx, why);
	}
	const struct warc_span all = {file.at, file.n};
	if (got < 0)
		;
	else if (idx && (is_large || strcmp(idx, path) == 0))
		got = url ? read_url(&r, all, 1, url, why) : read_members(&r, all, &any, why);
	else if (url && is_large && !warc_files_end(path, ".gz"))
		got = read_url(&r, all, 0, url, why);
	else
		got = read_all(&r, why);
	if (url || idx)
		mapped_close(&file);
	free(idx);
	return got;
}

static int is_sorted(struct warc_span all)
{
	size_t before = 0, before_n = 0;

	for (size_t at = 0; at < all.n;) {
		const size_t end = line_end(all, at), n = end - at;
		const int order = memcmp(all.at + before, all.at + at, n < before_n ? n : before_n);
		if (order > 0 || (order == 0 && n < before_n))
			return 0;
		before = at;
		before_n = n;
		at = end + 1;
	}
	return 1;
}

int cdxj_is_searched(const char *path, uint64_t small)
{
	char *idx = summary_of(path);
	struct mapped file;
	const int is_large = mapped_open(&file, path, NULL) > 0 && file.n > small;
	const int is = (idx && (is_large || strcmp(idx, path) == 0)) ||
		(is_large && !warc_files_end(path, ".gz") && is_sorted((struct warc_span){file.at, file.n}));

	mapped_close(&file);
	free(idx);
	return is;
}

char *cdxj_file(const char *index, const char *file)
{
	const char *slash = strrchr(index, '/'), *name = strrchr(file, '/');
	const size_t n = slash ? (size_t)(slash - index) + 1 : 0, in_wacz = sizeof "indexes/" - 1;

	name = name ? name + 1 : file;
	if (n > in_wacz && memcmp(slash + 1 - in_wacz, "indexes/", in_wacz) == 0)
		return buf_made("%.*sarchive/%s", (int)(n - in_wacz), index, name);
	return buf_made("%.*s%s", (int)n, index, name);
}
