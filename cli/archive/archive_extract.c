/* `lycosa archive extract`: writes the pages of an archive as files that a browser opens from the disk, with links between them.
 *
 * http://a.test/x/?q=1 becomes DIR/a.test/x/index@q=1.html. A reference to a page that is extracted becomes a relative path, also
 * through redirects; every other one becomes an absolute URL, as the page is not there. */
#include "base/log.h"
#include "base/mem.h"
#include "cli/archive/replay.h"
#include "cli/archive/replay_rewrite.h"
#include "cli/archive/verb_archive.h"
#include "cli/flags/options.h"
#include "cli/results.h"
#include "parser/mime.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#define NAME_MOST 200 /* bytes of a file's name; file systems take 255 */
#define HOPS_MOST 14

struct extract {
	struct replay *replay;
	const char *dir;
	int64_t until;
	char **path; /* by the place of a capture in the replay: its file below `dir`; NULL: it has none */
	size_t n;
	uint64_t files, bytes;
	const char *from; /* the path of the page that is written */
};

/* --- names */

/* Appends a part of a URL as a part of a file's name: other bytes than these as "_" and two digits, so that no name means anything to a
 * browser or a file system, as ".." does. */
static void put_part(struct buf *out, const char *at, size_t n)
{
	const size_t begin = out->used;

	for (size_t i = 0; i < n; i++) {
		const char c = at[i];
		const int is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
				     (c >= '0' && c <= '9') || (c && strchr("-~=,+@", c)) ||
				     (c == '.' && out->used > begin);
		if (out->used - begin > NAME_MOST - 4)
			break;
		if (is_plain)
			buf_byte(out, c);
		else
			buf_format(out, "_%02x", (unsigned char)c);
	}
}

static int ends_with(const struct buf *b, const char *end)
{
	const size_t n = strlen(end);

	return b->used >= n && memcmp(b->at + b->used - n, end, n) == 0;
}

static int is_html(const char *type)
{
	struct mime mime;

	return mime_parse(&mime, type, strlen(type)) == 0 && mime_is_html(&mime);
}

/* The file of a page; NULL if its URL is none of http. malloc'd. */
static char *path_of(const struct replay_capture *c)
{
	struct url u = URL_EMPTY;
	struct buf path = BUF_EMPTY;

	if (url_parse(&u, c->url, strlen(c->url), NULL) != URL_OK)
		return NULL;
	size_t n;
	const char *host = url_authority(&u, &n), *at = u.text.at + u.path + 1,
		   *query = u.text.at + u.query;
	const char *end = u.text.at + u.text.used;
	put_part(&path, host, n);
	for (const char *slash; (slash = memchr(at, '/', (size_t)(query - at))) != NULL;
		at = slash + 1) {
		buf_byte(&path, '/');
		put_part(&path, at, (size_t)(slash - at));
		if (slash == at)
			buf_byte(&path, '_');
	}
	buf_byte(&path, '/');
	if (at == query)
		buf_text(&path, "index");
	put_part(&path, at, (size_t)(query - at));
	if (query < end) {
		buf_byte(&path, '@');
		put_part(&path, query + 1, (size_t)(end - query) - 1);
	}
	if (is_html(c->type) && !ends_with(&path, ".html") && !ends_with(&path, ".htm"))
		buf_text(&path, ".html");
	url_release(&u);
	return buf_take(&path);
}

/* The place of a capture of the same URL as capture i that has a file; i itself if there is none. */
static size_t beside(const struct extract *x, size_t i)
{
	const char *url = replay_at(x->replay, i)->url;
	const struct replay_capture *c;

	for (size_t k = i;
		k != SIZE_MAX && (c = replay_at(x->replay, k)) && strcmp(c->url, url) == 0; k--)
		if (x->path[k])
			return k;
	for (size_t k = i; (c = replay_at(x->replay, k)) && strcmp(c->url, url) == 0; k++)
		if (x->path[k])
			return k;
	return i;
}

/* The place of the capture that a URL means, behind its redirects. Returns 1, or 0 if it is not extracted. */
static int find_file(struct extract *x, const char *url, size_t n, size_t *i)
{
	struct capture capture = {.time = 0};
	struct url base = URL_EMPTY, to = URL_EMPTY;
	struct err_note why;
	const struct replay_capture *c = replay_find(x->replay, url, n, x->until, i);
	int hops = 0, is = 0;

	while (c) {
		*i = beside(x, *i);
		is = x->path[*i] != NULL;
		if (is || c->status / 100 != 3 || hops++ == HOPS_MOST)
			break;
		if (replay_read(x->replay, c, &capture, &why))
			break;
		const struct warc_span location = warc_field(capture_head(&capture), "Location");
		if (url_parse(&base, c->url, strlen(c->url), NULL) != URL_OK ||
			url_parse(&to, location.at ? location.at : "", location.n, &base) != URL_OK)
			break;
		c = replay_find(x->replay, to.text.at, to.text.used, x->until, i);
	}
	capture_release(&capture);
	url_release(&base);
	url_release(&to);
	return is;
}

/* Appends the way from one file to another. */
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

/* --- files */

static int make_folders(struct buf *path, size_t from)
{
	for (char *at = path->at + from; (at = strchr(at, '/')) != NULL; at++) {
		*at = 0;
		const int failed = mkdir(path->at, 0777) != 0 && errno != EEXIST;
		*at = '/';
		if (failed)
			return errno;
	}
	return 0;
}

static int write_file(const char *path, const struct buf *body)
{
	const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
	size_t done = 0;

	if (fd < 0)
		return errno;
	while (done < body->used) {
		const ssize_t n = write(fd, body->at + done, body->used - done);
		if (n < 0) {
			const int code = errno;
			close(fd);
			return code;
		}
		done += (size_t)n;
	}
	return close(fd) ? errno : 0;
}

static int write_page(struct extract *x, size_t i, const struct buf *body, struct err_note *why)
{
	struct buf path = BUF_EMPTY;

	buf_format(&path, "%s/%s", x->dir, x->path[i]);
	int code = make_folders(&path, strlen(x->dir));
	if (!code)
		code = write_file(path.at, body);
	int err = 0;
	if (code == ENOTDIR || code == EISDIR || code == ELOOP)
		log_say("'%s' is left out: another page's file, or a link, stands in its way",
			path.at);
	else if (code == ENAMETOOLONG)
		log_say("'%.100s...' is left out: its name is too long", path.at);
	else if (code)
		err = err_set(why, ERR_FILE, "cannot write '%s': %s", path.at, strerror(code));
	x->files += !code;
	x->bytes += code ? 0 : body->used;
	buf_release(&path);
	return err;
}

/* Writes the body of a capture, with its references rewritten if it is a document or a style sheet. */
static int extract_one(struct extract *x, size_t i, struct err_note *why)
{
	const struct replay_capture *c = replay_at(x->replay, i);
	struct capture capture = {.time = 0};
	struct url base = URL_EMPTY;
	struct buf body = BUF_EMPTY, out = BUF_EMPTY;
	struct mime mime = {.essence = ""};
	struct err_note unread;
	int err = replay_read(x->replay, c, &capture, &unread);

	if (err) {
		log_say("%s is left out: %s", c->url, unread.text);
		capture_release(&capture);
		return 0;
	}
	const struct warc_span type = capture_type(&capture);
	char *header = mem_part(type.at ? type.at : "", type.n);
	(void)!mime_parse(&mime, header, strlen(header));
	(void)!url_parse(&base, c->url, strlen(c->url), NULL);
	(void)!capture_decode(&capture, &body);
	x->from = x->path[i];
	const struct rewrite r = {.base = &base, .name = name_file, .ctx = x};
	const char *bytes = body.at ? body.at : "";
	if (mime_is_html(&mime))
		rewrite_html(&r, bytes, body.used, *header ? header : NULL, &out);
	else if (strcmp(mime.essence, "text/css") == 0)
		rewrite_css(&r, bytes, body.used, &out);
	else
		buf_add(&out, bytes, body.used);
	err = write_page(x, i, &out, why);
	free(header);
	url_release(&base);
	buf_release(&body);
	buf_release(&out);
	capture_release(&capture);
	return err;
}

static int compare_paths(const void *a, const void *b, void *ctx)
{
	const struct extract *x = ctx;
	const size_t i = *(const size_t *)a, k = *(const size_t *)b;
	const int order = strcmp(x->path[i], x->path[k]);

	return order ? order : (i > k) - (i < k);
}

/* Renames a file whose name another page's file has: http://a.test/x and https://a.test/x, or /x and /x.html. A hash of the URL goes
 * before the name's ending. */
static void rename_file(struct extract *x, size_t i)
{
	const char *url = replay_at(x->replay, i)->url, *path = x->path[i], *slash = strrchr(path, '/'),
		   *dot = strrchr(slash, '.');
	const size_t stem = dot && strlen(dot) < 8 ? (size_t)(dot - path) : strlen(path);
	struct buf b = BUF_EMPTY;

	buf_add(&b, path, stem);
	buf_format(&b, "~%016llx%s", (unsigned long long)XXH3_64bits(url, strlen(url)), path + stem);
	free(x->path[i]);
	x->path[i] = buf_take(&b);
}

/* Makes the files' names distinct. */
static void part_names(struct extract *x)
{
	size_t *order = mem_new(x->n + 1, sizeof *order), n = 0, first = 0;

	for (size_t i = 0; i < x->n; i++)
		if (x->path[i])
			order[n++] = i;
	if (n)
		qsort_r(order, n, sizeof *order, compare_paths, x);
	for (size_t k = 1; k < n; k++) {
		/* of the pages with one name the first keeps the name, and each later one is compared with the first */
		if (strcmp(x->path[order[k]], x->path[order[first]]) == 0)
			rename_file(x, order[k]);
		else
			first = k;
	}
	free(order);
}

/* Gives a file to the last capture of each URL that has a page. */
static void name_all(struct extract *x)
{
	const struct replay_capture *c, *next;

	while (replay_at(x->replay, x->n))
		x->n++;
	x->path = mem_zero(x->n + 1, sizeof *x->path);
	for (size_t i = 0, best = SIZE_MAX; (c = replay_at(x->replay, i)) != NULL; i++) {
		next = replay_at(x->replay, i + 1);
		if (!c->is_revisit && c->status / 100 == 2 && c->time <= x->until)
			best = i;
		if (next && strcmp(next->url, c->url) == 0)
			continue;
		if (best != SIZE_MAX)
			x->path[best] = path_of(replay_at(x->replay, best));
		best = SIZE_MAX;
	}
	part_names(x);
}

int archive_extract(const struct command *c, struct err_note *why)
{
	const struct archive_options *o = c->options;
	struct extract x = {.dir = o->to};
	struct archive_wish wish;
	struct results results;
	int err = archive_wish_init(&wish, o, why);

	x.until = wish.until;
	if (!err)
		err = replay_open(&x.replay, c->flags->operand, c->flags->operands, why);
	if (!err && mkdir(x.dir, 0777) != 0 && errno != EEXIST)
		err = err_set(
			why, ERR_FILE, "cannot make the folder '%s': %s", x.dir, strerror(errno));
	if (!err)
		name_all(&x);
	for (size_t i = 0; !err && i < x.n; i++)
		if (x.path[i])
			err = extract_one(&x, i, why);
	if (!err) {
		results_begin(&results, stdout, o->json ? RESULTS_JSON : RESULTS_TSV);
		results_figures(&results);
		results_name(&results, "files");
		results_count(&results, x.files);
		results_name(&results, "bytes");
		results_count(&results, x.bytes);
		err = results_end(&results, why);
	}
	for (size_t i = 0; i < x.n; i++)
		free(x.path[i]);
	free(x.path);
	replay_close(x.replay);
	archive_wish_release(&wish);
	return err;
}
