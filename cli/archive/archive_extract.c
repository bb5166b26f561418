#include "base/ascii.h"
#include "base/buf.h"
#include "base/log.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/output.h"
#include "base/zip.h"
#include "cli/archive/archive_rewrite.h"
#include "cli/archive/archive.h"
#include "cli/folder.h"
#include "cli/results.h"
#include "parser/mime.h"
#include "parser/url.h"
#include "storage/store.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

/* --- the names of the files for archived pages, which a browser opens from the disk.
 *
 *	name[i] = file_name(url, "text/html");               http://a.test/x/?q=1 becomes "a.test/x/index@q=1.html"
 *	file_names_part(name, n, replay);
 *
 * A name has no "..", no hidden part, no byte that means anything to a file system or in a reference, and no part of more than 255
 * bytes. */

#define PART_MOST 200  /* bytes of a part of a name without its ending and a hash; file systems take 255 */
#define NAME_MOST 1000 /* bytes of a name; file systems take 4,095 with the folder */

/* A name in the making. */
struct making {
	struct buf name;
	size_t begin; /* of the part that is being made */
	int is_cut;   /* 1: a part was too long */
};

static void begin_part(struct making *m)
{
	if (m->name.used)
		buf_byte(&m->name, '/');
	m->begin = m->name.used;
}

/* Appends bytes of a URL to the part of a name: other bytes than these as "_" and two digits, so that no name means anything to a
 * browser or a file system, as ".." does. */
static void put(struct making *m, const char *at, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char c = at[i];
		const int is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
			(c && strchr("-~=,+@", c)) || (c == '.' && m->name.used > m->begin);
		if (m->name.used - m->begin > PART_MOST - 3) {
			m->is_cut = 1;
			break;
		}
		if (is_plain)
			buf_byte(&m->name, c);
		else
			buf_format(&m->name, "_%02x", (unsigned char)c);
	}
}

static int ends_with(const struct buf *b, const char *end)
{
	const size_t n = strlen(end);

	return b->used >= n && memcmp(b->at + b->used - n, end, n) == 0;
}

/* Returns the endings that a file of this type may have; the first one is added to a name that has none of them. NULL: any
 * ending. */
static const char *const *endings_for(const char *type)
{
	static const char *const html[] = {".html", ".htm", ".xhtml", NULL}, *const css[] = {".css", NULL},
				 *const script[] = {".js", ".mjs", NULL}, *const svg[] = {".svg", NULL};
	struct mime mime;

	if (mime_parse(&mime, type, strlen(type)))
		return NULL;
	if (mime_is_html(&mime))
		return html;
	if (strcmp(mime.essence, "text/css") == 0)
		return css;
	if (strcmp(mime.essence, "image/svg+xml") == 0)
		return svg;
	return strstr(mime.essence, "javascript") ? script : NULL;
}

static void put_ending(struct buf *path, const char *type)
{
	const char *const *endings = endings_for(type);

	for (size_t i = 0; endings && endings[i]; i++)
		if (ends_with(path, endings[i]))
			return;
	if (endings)
		buf_text(path, endings[0]);
}

/* Puts a hash of the URL before the ending of a name. */
static char *renamed(const char *name, const char *url)
{
	const char *slash = strrchr(name, '/'), *dot = strrchr(slash, '.');
	const size_t stem = dot && strlen(dot) < 8 ? (size_t)(dot - name) : strlen(name);
	struct buf b = BUF_EMPTY;

	buf_add(&b, name, stem);
	buf_format(&b, "~%016llx%s", (unsigned long long)XXH3_64bits(url, strlen(url)), name + stem);
	return buf_take(&b);
}

/* Makes the name for the parts of a URL: at first without its ending, and with parts that may be cut. */
static void put_url(struct making *m, const struct url *u)
{
	size_t n;
	const char *host = url_authority(u, &n), *at = u->text.at + u->path + 1, *query = u->text.at + u->query,
		   *end = u->text.at + u->text.used;

	begin_part(m);
	put(m, host, n);
	for (const char *slash; (slash = memchr(at, '/', (size_t)(query - at))) != NULL; at = slash + 1) {
		begin_part(m);
		put(m, at, (size_t)(slash - at));
		if (slash == at)
			buf_byte(&m->name, '_');
	}
	begin_part(m);
	if (at == query)
		buf_text(&m->name, "index");
	put(m, at, (size_t)(query - at));
	if (query < end) {
		put(m, "@", 1);
		put(m, query + 1, (size_t)(end - query) - 1);
	}
}

/* Returns the name of the file for a URL and the value of its Content-Type; NULL if the URL is none of http. A document, a style
 * sheet, a script and an SVG image get the ending by which a browser knows them. The caller frees it with free(). */
static char *file_name(const char *url, const char *type)
{
	struct url u = URL_EMPTY;
	struct making m = {BUF_EMPTY, 0, 0};

	if (url_parse(&u, url, strlen(url), NULL) != URL_OK)
		return NULL;
	put_url(&m, &u);
	url_release(&u);
	if (m.name.used > NAME_MOST) { /* the host, and the hash of the URL */
		m.name.used = (size_t)(strchr(m.name.at, '/') - m.name.at);
		buf_text(&m.name, "/long");
		m.is_cut = 1;
	}
	put_ending(&m.name, type);
	char *name = buf_take(&m.name);
	if (!m.is_cut)
		return name;
	char *whole = renamed(name, url);
	free(name);
	return whole;
}

/* --- distinct names */

struct name_set {
	char **at;
	size_t *order; /* the names there are, sorted, equal ones by their places */
	size_t n;
};

static int compare(const void *a, const void *b, void *ctx)
{
	char *const *name = ctx;
	const size_t i = *(const size_t *)a, k = *(const size_t *)b;
	const int order = ascii_order(name[i], name[k]);

	return order ? order : (i > k) - (i < k);
}

/* The hash of n bytes of a name, which is the same for both cases of its letters. */
static uint64_t hash_of(const char *name, size_t n, struct buf *lower)
{
	buf_clear(lower);
	for (size_t i = 0; i < n; i++)
		buf_byte(lower, name[i] >= 'A' && name[i] <= 'Z' ? name[i] - 'A' + 'a' : name[i]);
	return XXH3_64bits(lower->at, n);
}

/* Notes the folders of all names. */
static void note_folders(const struct name_set *all, struct map *folders, struct buf *lower)
{
	for (size_t k = 0; k < all->n; k++) {
		const char *name = all->at[all->order[k]];
		for (const char *slash = name; (slash = strchr(slash, '/')) != NULL; slash++)
			map_at(folders, hash_of(name, (size_t)(slash - name), lower));
	}
}

/* Makes n names distinct, of which some are NULL, so that none is the folder of another, either: http://a.test/x and
 * https://a.test/x, or /x and /x/y. Names that differ in the case of letters alone are equal here, as they are to the file systems
 * of Windows and macOS. Of equal names the first stays; another one gets a hash of its URL before its ending. */
static void file_names_part(char **name, size_t n, const struct replay *replay)
{
	struct name_set all = {name, mem_new(n + 1, sizeof *all.order), 0};
	struct buf lower = BUF_EMPTY;
	struct map folders;
	const char *first = NULL;

	map_init(&folders, sizeof(uint64_t));
	for (size_t i = 0; i < n; i++)
		if (name[i])
			all.order[all.n++] = i;
	if (all.n)
		qsort_r(all.order, all.n, sizeof *all.order, compare, name);
	note_folders(&all, &folders, &lower);
	for (size_t k = 0; k < all.n; k++) {
		const size_t i = all.order[k];
		const int is_equal = first && ascii_order(name[i], first) == 0;
		if (!is_equal)
			first = name[i];
		if (!is_equal && !map_find(&folders, hash_of(name[i], strlen(name[i]), &lower)))
			continue;
		char *old = name[i];
		name[i] = renamed(old, replay_at(replay, i)->url);
		if (first == old) /* later ones are still compared with it */
			first = name[i];
		free(old);
	}
	map_release(&folders);
	buf_release(&lower);
	free(all.order);
}

/* --- where references lead */

#define HOPS_MOST    14
#define NOT_FOLLOWED SIZE_MAX
#define NO_FILE      (SIZE_MAX - 1)

struct extract {
	struct replay *replay;
	const char *dir;
	int64_t until;
	const struct destinations *others;
	char **path; /* by the place of a capture in the replay: its file below `dir`; NULL: it has none */
	size_t n;
	size_t *file;   /* n: the place of the capture of the same URL that has a file, or NO_FILE */
	size_t *behind; /* n: the place of the file behind the redirects of a capture, NO_FILE, or NOT_FOLLOWED */
	struct extract_counts counts;
	const char *from;   /* the path of the page that is written */
	struct buf blocked; /* the last file that was in the way of a folder and stays; empty: there was none */
};

/* Returns the capture with the body of a page that was fetched: the capture itself, or the one that a revisit refers to. NULL: it
 * is no page, or it is a 304 and the page was captured before. */
static const struct replay_capture *body_of(const struct extract *x, const struct replay_capture *c)
{
	return c->status / 100 == 2 && c->time <= x->until ? replay_with_body(x->replay, c) : NULL;
}

/* Returns the index, in the replay, of the capture whose file capture i leads to, following at most HOPS_MOST redirects; NO_FILE if
 * that capture has no file. */
static size_t follow(struct extract *x, size_t i)
{
	const struct replay_capture *c = replay_at(x->replay, i);
	struct capture capture = {.time = 0};
	struct url base = URL_EMPTY, to = URL_EMPTY;
	struct err_note why;
	size_t file = NO_FILE;

	for (int hops = 0; c; hops++) {
		file = x->file[i];
		if (file != NO_FILE || c->status / 100 != 3 || hops == HOPS_MOST)
			break;
		if (replay_read(x->replay, c, &capture, &why))
			break;
		const struct warc_span location = warc_field(capture_head(&capture), "Location");
		if (url_parse(&base, c->url, strlen(c->url), NULL) != URL_OK ||
			url_parse(&to, location.at ? location.at : "", location.n, &base) != URL_OK)
			break;
		c = replay_find(x->replay, to.text.at, to.text.used, x->until, &i);
	}
	capture_release(&capture);
	url_release(&base);
	url_release(&to);
	return file;
}

/* Finds the capture that a URL leads to, behind its redirects, which are read once for each capture. Returns 1 with its index in
 * the replay in *i, or 0 if that capture has no file. */
static int find_file(struct extract *x, const char *url, size_t n, size_t *i)
{
	if (!replay_find(x->replay, url, n, x->until, i))
		return 0;
	size_t *behind = &x->behind[*i];
	if (*behind == NOT_FOLLOWED)
		*behind = follow(x, *i);
	*i = *behind;
	return *i != NO_FILE;
}

/* Appends the relative path that leads from one file to another. */
static void put_way(const char *from, const char *to, struct buf *out)
{
	size_t common = 0;

	for (size_t i = 0; from[i] && from[i] == to[i]; i++)
		if (from[i] == '/')
			common = i + 1;
	for (const char *at = from + common; (at = strchr(at, '/')) != NULL; at++)
		buf_text(out, "../");
	buf_text(out, to + common);
}

static int name_file(void *ctx, const struct url *u, struct buf *out)
{
	struct extract *x = ctx;
	size_t i;

	if (!find_file(x, u->text.at, u->text.used, &i))
		return 0;
	put_way(x->from, x->path[i], out);
	return 1;
}

/* --- pages */

static void put_page(struct extract *x, const struct url *base, const char *header, const char *bytes, size_t n, struct buf *out)
{
	const struct rewrite r = {.base = base, .name = name_file, .ctx = x};
	struct mime mime = {.essence = ""};

	(void)!mime_parse(&mime, header, strlen(header));
	if (mime_is_html(&mime))
		rewrite_html(&r, bytes, n, *header ? header : NULL, out);
	else if (strcmp(mime.essence, "text/css") == 0)
		rewrite_css(&r, bytes, n, out);
	else
		buf_add(out, bytes, n);
}

/* Appends the body of capture i as the file `from` has it: with its references rewritten if it is a document or a style sheet.
 * Returns 0 or an error of reading. */
static int make_page(struct extract *x, size_t i, const char *from, struct buf *out, struct err_note *why)
{
	const struct replay_capture *c = replay_at(x->replay, i);
	struct capture capture = {.time = 0};
	struct url base = URL_EMPTY;
	struct buf body = BUF_EMPTY;
	const int err = replay_read(x->replay, c, &capture, why);

	if (!err) {
		const struct warc_span type = capture_type(&capture);
		char *header = mem_part(type.at ? type.at : "", type.n);
		(void)!url_parse(&base, c->url, strlen(c->url), NULL);
		(void)!capture_decode(&capture, &body);
		x->from = from;
		put_page(x, &base, header, body.at ? body.at : "", body.used, out);
		free(header);
	}
	url_release(&base);
	buf_release(&body);
	capture_release(&capture);
	return err;
}

/* --- files */

/* Says whether a file has these bytes already. */
static int has_bytes(const char *path, const struct buf *body)
{
	struct mapped file;
	const int is =
		mapped_open(&file, path, NULL) >= 0 && file.n == body->used && (!file.n || memcmp(file.at, body->at, file.n) == 0);

	mapped_close(&file);
	return is;
}

/* Says whether a file was written by an earlier extraction, when the archive had no page below it: it is a capture of the page
 * whose name it was then. Such a page has another name now. */
static int is_former_page(struct extract *x, const char *path)
{
	const char *from = path + strlen(x->dir) + 1;
	const struct replay_capture *c, *with_body;
	struct err_note unread;
	int is = 0;

	for (size_t i = 0; !is && (c = replay_at(x->replay, i)) != NULL; i++) {
		struct buf page = BUF_EMPTY;
		char *name = (with_body = body_of(x, c)) != NULL ? file_name(c->url, with_body->type) : NULL;
		is = name && strcmp(name, from) == 0 && make_page(x, i, from, &page, &unread) == 0 && has_bytes(path, &page);
		buf_release(&page);
		free(name);
	}
	return is;
}

/* Makes a folder, in place of a former page if need be; any other file in its way stays, as does a store, and the error is
 * ENOTDIR. */
static int make_folder(struct extract *x, const char *path)
{
	struct stat info;

	if (mkdir(path, 0777) == 0)
		return 0;
	if (errno != EEXIST || lstat(path, &info) != 0)
		return -1;
	if (!S_ISREG(info.st_mode) && !store_is(path))
		return 0;
	if (!S_ISREG(info.st_mode) || (x->blocked.used && strcmp(x->blocked.at, path) == 0) ||
		destinations_find(x->others, &info) || !is_former_page(x, path)) {
		buf_clear(&x->blocked);
		buf_text(&x->blocked, path);
		errno = ENOTDIR;
		return -1;
	}
	return unlink(path) || mkdir(path, 0777) ? -1 : 0;
}

static int make_folders(struct extract *x, struct buf *path)
{
	for (char *at = path->at + strlen(x->dir) + 1; (at = strchr(at, '/')) != NULL; at++) {
		*at = 0;
		const int failed = make_folder(x, path->at) != 0;
		*at = '/';
		if (failed)
			return errno;
	}
	return 0;
}

/* Returns 0 if a page's file can be written to a path, or the errno of what is in its way. */
static int look_at(const struct extract *x, const char *path)
{
	struct stat info;

	if (lstat(path, &info) != 0)
		return errno == ENOENT ? 0 : errno;
	if (S_ISDIR(info.st_mode))
		return EISDIR;
	return S_ISREG(info.st_mode) && !destinations_find(x->others, &info) ? 0 : ELOOP;
}

static int write_page(struct extract *x, size_t i, const struct buf *body, struct err_note *why)
{
	int err = 0, code;

	struct buf path = buf_of("%s/%s", x->dir, x->path[i]);
	if ((code = make_folders(x, &path)) == 0)
		code = look_at(x, path.at);
	const int is_same = !code && has_bytes(path.at, body);
	if (!code && !is_same)
		err = output_whole(path.at, body->at, body->used, why);
	else if (code == ENOTDIR || code == EISDIR || code == ELOOP || code == ENAMETOOLONG)
		log_say("'%.200s' is left out: %s", path.at,
			code == ENAMETOOLONG ? "its name is too long" : "another file, a link or a store stands in its way");
	else if (code)
		err = err_set(why, ERR_FILE, "cannot write '%s': %s", path.at, ascii_error(code));
	x->counts.files += !code;
	x->counts.same += (uint64_t)is_same;
	x->counts.bytes += code ? 0 : body->used;
	buf_release(&path);
	return err;
}

static int extract_one(struct extract *x, size_t i, struct err_note *why)
{
	struct buf page = BUF_EMPTY;
	struct err_note unread;
	int err = 0;

	if (make_page(x, i, x->path[i], &page, &unread))
		log_say("%s is left out: %s", replay_at(x->replay, i)->url, unread.text);
	else
		err = write_page(x, i, &page, why);
	buf_release(&page);
	return err;
}

/* Gives a file to the last capture of each URL that has a page, and notes for all captures of the URL which of them it is. */
static void name_all(struct extract *x, const struct extraction *e)
{
	const struct replay_capture *c, *next, *with_body, *best_body = NULL;

	while (replay_at(x->replay, x->n))
		x->n++;
	x->path = mem_zero(x->n + 1, sizeof *x->path);
	x->file = mem_new(x->n + 1, sizeof *x->file);
	x->behind = mem_new(x->n + 1, sizeof *x->behind);
	memset(x->behind, 0xff, x->n * sizeof *x->behind); /* NOT_FOLLOWED */
	for (size_t i = 0, first = 0, best = 0; (c = replay_at(x->replay, i)) != NULL; i++) {
		next = replay_at(x->replay, i + 1);
		if ((with_body = body_of(x, c)) != NULL && (!e->rank || e->rank(e->ctx, c->url, strlen(c->url)) >= 0)) {
			best = i;
			best_body = with_body;
		}
		if (next && strcmp(next->url, c->url) == 0)
			continue;
		if (best_body)
			x->path[best] = file_name(c->url, best_body->type);
		for (; first <= i; first++)
			x->file[first] = best_body ? best : NO_FILE;
		best_body = NULL;
	}
	file_names_part(x->path, x->n, x->replay);
}

int extract_pages(const struct extraction *e, struct extract_counts *counts, struct err_note *why)
{
	struct extract x = {.dir = e->dir, .until = e->until, .others = e->others};
	int err = replay_open(&x.replay, e->files, e->n, NULL, why);

	if (!err)
		err = folder_make(x.dir, why);
	if (!err)
		name_all(&x, e);
	for (size_t i = 0; !err && i < x.n; i++)
		if (x.path[i])
			err = extract_one(&x, i, why);
	x.counts.damaged = err ? 0 : replay_damaged(x.replay);
	*counts = x.counts;
	for (size_t i = 0; i < x.n; i++)
		free(x.path[i]);
	buf_release(&x.blocked);
	free(x.path);
	free(x.file);
	free(x.behind);
	replay_close(x.replay);
	return err;
}

/* --- the verb */

int archive_extract(const struct command *c, struct err_note *why)
{
	const struct archive_options *o = c->options;
	struct extract_counts counts;
	struct archive_wish wish;
	struct results results;
	struct destinations others = DESTINATIONS_NONE;
	int err = archive_wish_init(&wish, o, why);

	command_files(c, o, &others);

	if (!err)
		err = extract_pages(&(struct extraction){c->flags->operand, c->flags->operands, o->to, wish.until, &others, NULL,
					    NULL},
			&counts, why);
	if (!err) {
		results_begin(&results, stdout, o->json ? RESULTS_JSON : RESULTS_TSV);
		results_figures(&results);
		results_fact(&results, "files", cell_count(counts.files));
		results_fact(&results, "bytes", cell_count(counts.bytes));
		err = results_end(&results, why);
	}
	if (!err && counts.damaged)
		err = err_set(why, ERR_FORMAT, "%llu of the files could not be read to their ends: only what was read is extracted",
			(unsigned long long)counts.damaged);
	destinations_release(&others);
	archive_wish_release(&wish);
	return err;
}
