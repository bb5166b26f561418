#include "simweb/site.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/input.h"
#include "base/mem.h"
#include "base/rng.h"
#include "simweb/address.h"
#include "parser/mime.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *url_of(const void *ctx, uint32_t page)
{
	const struct site *s = ctx;

	if (s->stored)
		return stored_url(s->stored, page);
	return s->names ? names_url(s->names, page) : NULL;
}

void site_init(struct site *s)
{
	s->pages = s->stored ? stored_pages(s->stored) : s->g->nodes;
	int urls = s->stored || (s->names && s->names->text);
	address_table_init(&s->table, (struct address_list){s, urls ? s->pages : 0, url_of});
}

void site_release(struct site *s)
{
	address_table_release(&s->table);
}

/* Returns the URL that was given for a page, or NULL if none was. */
static const char *site_given_url(const struct site *s, uint32_t page)
{
	const char *url = url_of(s, page);
	struct address a;

	return url && address_of_url(&a, url) ? url : NULL;
}

/* Returns the host of a node without a given URL: its name's host, or else the default host. */
static const char *site_host(const struct site *s, uint32_t page)
{
	const char *host = s->names ? names_host(s->names, page) : "";

	return *host ? host : s->default_host;
}

/* Returns "http://" or "https://", with which the URL of a node without a given one begins. */
static const char *site_scheme(const struct site *s)
{
	return s->tls ? "https://" : "http://";
}

uint64_t site_number(const struct site *s, uint32_t page)
{
	return s->stored ? page : graph_label(s->g, page);
}

void site_url(const struct site *s, uint32_t page, struct buf *out)
{
	const char *url = site_given_url(s, page);

	if (url)
		buf_text(out, url);
	else
		buf_format(out, "%s%s/%llu", site_scheme(s), site_host(s, page), (unsigned long long)site_number(s, page));
}

void site_alias_url(const struct site *s, uint32_t page, struct buf *out)
{
	const char *url = site_given_url(s, page);
	struct address a;

	if (url && address_of_url(&a, url))
		buf_add(out, a.origin, (size_t)(a.target - a.origin));
	else
		buf_format(out, "%s%s", site_scheme(s), site_host(s, page));
	buf_format(out, SITE_ALIAS "%llu", (unsigned long long)site_number(s, page));
}

static int is_literal(const struct address *a)
{
	return a->host_length == 0 || address_host_is(a, "127.0.0.1") || address_host_is(a, "localhost");
}

static int is_on_host_of(const struct site *s, const struct address *a, uint32_t page)
{
	const char *url = site_given_url(s, page), *host = site_host(s, page);
	struct address own;

	if (!url)
		return address_host_is(a, host) || (host == s->default_host && is_literal(a));
	return address_of_url(&own, url) && own.host_length == a->host_length && ascii_same(own.host, a->host, a->host_length);
}

/* Reads decimal digits in the form in which numbers are printed. Returns 1, or 0 if the text has another form. */
static int read_number(const char *digits, size_t n, uint64_t *number)
{
	*number = 0;
	if (n == 0 || n > 20 || (n > 1 && digits[0] == '0'))
		return 0;
	for (size_t i = 0; i < n; i++) {
		unsigned d = (unsigned)(digits[i] - '0');
		if (d > 9 || __builtin_mul_overflow(*number, 10, number) || __builtin_add_overflow(*number, d, number))
			return 0;
	}
	return 1;
}

int site_find_number(const struct site *s, const struct address *a, const char *digits, size_t n, uint32_t *page)
{
	uint64_t number;

	if (!read_number(digits, n, &number))
		return 0;
	if (s->stored) {
		if (number >= s->pages)
			return 0;
		*page = (uint32_t)number;
	} else if (!graph_find_label(s->g, number, page)) {
		return 0;
	}
	return is_on_host_of(s, a, *page);
}

int site_find(const struct site *s, const struct address *a, uint32_t *page)
{
	if (address_table_find(&s->table, a, page))
		return 1;
	return a->target_length > 1 && *a->target == '/' && site_find_number(s, a, a->target + 1, a->target_length - 1, page) &&
		!site_given_url(s, *page);
}

/* Appends a text as the content of an element or of an attribute in double quotes. Characters with a meaning in HTML, and
 * control characters, which a parser would change or refuse, become numeric references. */
static void add_escaped(struct buf *out, const char *text, size_t n)
{
	const char *end = text + n;

	while (text < end) {
		const char *p = text;
		while (p < end && (unsigned char)*p >= ' ' && !strchr("&<>\"'\x7f", *p))
			p++;
		buf_add(out, text, (size_t)(p - text));
		if (p < end)
			buf_format(out, "&#%d;", (unsigned char)*p++);
		text = p;
	}
}

/* Says whether the path and query alone, as an href, resolve to this address on the same host. */
static int is_plain(const struct address *a)
{
	if (a->target_length == 0 || *a->target != '/' || (a->target_length > 1 && a->target[1] == '/'))
		return 0;
	for (size_t i = 0; i < a->target_length; i++)
		if (a->target[i] <= ' ' || a->target[i] > '~' || a->target[i] == '\\')
			return 0;
	return 1;
}

static int same_origin(const struct address *a, const struct address *b)
{
	size_t n = (size_t)(a->target - a->origin);

	return n == (size_t)(b->target - b->origin) && ascii_same(a->origin, b->origin, n) && !memchr(a->origin, '@', n);
}

/* Appends the href of a link from u to v. `own` is the address of the URL that was given for u, or NULL if u has none and is
 * served at http://HOST/NUMBER. */
static void add_href(const struct site *s, uint32_t u, const struct address *own, uint32_t v, struct buf *out)
{
	const char *url = site_given_url(s, v);
	struct address a;

	if (url) {
		if (own && address_of_url(&a, url) && same_origin(own, &a) && is_plain(&a))
			add_escaped(out, a.target, a.target_length);
		else
			add_escaped(out, url, strlen(url));
		return;
	}
	const char *host = site_host(s, v);
	if (own || strcmp(host, site_host(s, u)) != 0) {
		buf_text(out, site_scheme(s));
		add_escaped(out, host, strlen(host));
	}
	buf_format(out, "/%llu", (unsigned long long)site_number(s, v));
}

#define VOCABULARY 4096 /* words, each of two or three syllables */
#define WORDS      30   /* a page has from WORDS to 2 * WORDS words */

static void add_word(struct buf *out, unsigned word)
{
	static const char consonant[] = "bdfgklmnprstvzhj", vowel[] = "aeio";

	for (unsigned syllables = word % 3 ? 2 : 3, left = word; syllables; syllables--, left /= 64) {
		buf_byte(out, consonant[left % 16]);
		buf_byte(out, vowel[left / 16 % 4]);
	}
}

/* Appends a paragraph of the node's own, so that no two pages look alike: words whose frequencies follow Zipf's law. */
static void add_text(struct buf *out, uint64_t number)
{
	struct rng rng = {number};

	buf_text(out, "<p>");
	for (uint64_t left = WORDS + rng_below(&rng, WORDS); left; left--) {
		add_word(out, (unsigned)exp(rng_unit(&rng) * log(VOCABULARY)) - 1);
		buf_byte(out, left > 1 ? ' ' : '\n');
	}
}

void node_page(const struct site *s, uint32_t u, const struct changing_look *look, struct buf *out)
{
	const uint32_t *row = look ? look->links : graph_row(s->g, u), n = look ? look->n : graph_outdegree(s->g, u);
	unsigned long long number = site_number(s, u);
	const char *url = site_given_url(s, u);
	struct address own;

	if (url && !address_of_url(&own, url))
		url = NULL;
	buf_format(out,
		"<!doctype html>\n<html><head><meta charset=\"utf-8\"><title>node "
		"%llu</title></head>\n"
		"<body><h1>node %llu</h1>\n<ol>\n",
		number, number);
	for (uint32_t i = 0; i < n; i++) {
		buf_text(out, "<li><a href=\"");
		add_href(s, u, url ? &own : NULL, row[i], out);
		buf_format(out, "\">%llu</a>\n", (unsigned long long)site_number(s, row[i]));
	}
	buf_text(out, "</ol>\n");
	add_text(out, look ? number + look->version * 0x9e3779b97f4a7c15u : number);
	buf_text(out, "</body></html>\n");
}

struct stored {
	int dir;
	struct buf text; /* file NUL url NUL file NUL url NUL ... */
	uint64_t *start; /* of each file in text; pages */
	size_t room;     /* of start */
	uint32_t pages;
};

/* Copies the next segment of a path into part[]. Returns 1; 0 at the end; or -1 for a segment longer than NAME_MAX. */
static int next_part(const char **path, char part[NAME_MAX + 1])
{
	while (**path == '/')
		++*path;
	size_t n = strcspn(*path, "/");
	if (n > NAME_MAX)
		return -1;
	memcpy(part, *path, n);
	part[n] = 0;
	*path += n;
	return n > 0;
}

static int stays_below(const char *file)
{
	char part[NAME_MAX + 1];
	int more;

	if (!*file || *file == '/')
		return 0;
	while ((more = next_part(&file, part)) > 0)
		if (strcmp(part, "..") == 0)
			return 0;
	return more == 0;
}

/* Takes a line of the index, a file TAB its URL. The file must be below the folder, since the index may be anybody's. */
static int read_line(struct stored *s, const struct input *in, char *line, size_t n, struct err_note *why)
{
	char *tab = memchr(line, '\t', n);
	struct address a;
	const char *path = input_path(in);
	unsigned long long number = input_line_number(in);

	if (!tab)
		return err_set(why, ERR_FORMAT, "%s:%llu: no tab between file and URL", path, number);
	*tab = 0;
	if (!stays_below(line))
		return err_set(why, ERR_FORMAT, "%s:%llu: '%s' is no file below the folder", path, number, line);
	if (!address_of_url(&a, tab + 1))
		return err_set(why, ERR_FORMAT, "%s:%llu: '%s' is no absolute URL", path, number, tab + 1);
	if (s->pages == UINT32_MAX - 1)
		return err_set(why, ERR_TOO_BIG, "%s:%llu: too many pages", path, number);
	s->start = mem_grow(s->start, &s->room, (size_t)s->pages + 1, sizeof *s->start);
	s->start[s->pages++] = s->text.used;
	buf_add(&s->text, line, n + 1);
	return 0;
}

/* Reads the index of a folder of pages, which must name a page. */
static int read_index(struct stored *s, const char *path, struct err_note *why)
{
	struct input *in;
	char *line;
	size_t n;

	int err = input_open(&in, path, why);
	if (err)
		return err;
	int more;
	while ((more = input_line(in, &line, &n, why)) > 0)
		if (n && (err = read_line(s, in, line, n, why)))
			break;
	if (more < 0)
		err = more;
	if (!err && s->pages == 0)
		err = err_set(why, ERR_FORMAT, "%s: no pages in it", path);
	input_close(in);
	return err;
}

int stored_open(struct stored **out, const char *dir, struct err_note *why)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return err_set(why, ERR_FILE, "cannot open folder '%s': %s", dir, ascii_error(errno));
	struct stored *s = mem_zero(1, sizeof *s);
	s->dir = fd;
	AUTO(buf) path = buf_of("%s/index.tsv", dir);
	int err = read_index(s, path.at, why);
	if (err) {
		stored_close(s);
		return err;
	}
	*out = s;
	return 0;
}

void stored_close(struct stored *s)
{
	if (!s)
		return;
	close(s->dir);
	buf_release(&s->text);
	free(s->start);
	free(s);
}

uint32_t stored_pages(const struct stored *s)
{
	return s->pages;
}

static const char *file_of(const struct stored *s, uint32_t page)
{
	return s->text.at + s->start[page];
}

const char *stored_url(const struct stored *s, uint32_t page)
{
	const char *file = file_of(s, page);

	return file + strlen(file) + 1;
}

const char *stored_type(const struct stored *s, uint32_t page)
{
	const char *file = file_of(s, page), *type = mime_of_path(file, strlen(file));
	struct address a;

	if (!type && address_of_url(&a, stored_url(s, page))) {
		const char *query = memchr(a.target, '?', a.target_length);
		type = mime_of_path(a.target, query ? (size_t)(query - a.target) : a.target_length);
	}
	return type ? type : "text/html";
}

/* Opens a name in the folder `at` without following a symbolic link, and closes `at`, unless `at` is the descriptor of the
 * stored folder. Returns a descriptor or -1. */
static int step(const struct stored *s, int at, const char *name, int flags)
{
	int fd = openat(at, name, flags | O_NOFOLLOW | O_CLOEXEC);

	if (at != s->dir)
		close(at);
	return fd;
}

int stored_file(const struct stored *s, uint32_t page, off_t *size)
{
	const char *path = file_of(s, page);
	char part[NAME_MAX + 1], next[NAME_MAX + 1];
	struct stat status;
	int fd = s->dir, more = next_part(&path, part);

	while (more > 0 && fd >= 0) {
		more = next_part(&path, next);
		/* a FIFO must not keep a thread waiting */
		fd = step(s, fd, part, more > 0 ? O_RDONLY | O_DIRECTORY : O_RDONLY | O_NONBLOCK);
		strcpy(part, next);
	}
	if (fd < 0 || fd == s->dir)
		return -1;
	if (fstat(fd, &status) || !S_ISREG(status.st_mode)) {
		close(fd);
		return -1;
	}
	*size = status.st_size;
	return fd;
}
