#include "cli/archive/file_names.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/mem.h"
#include "parser/mime.h"
#include "parser/url.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

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

char *file_name(const char *url, const char *type)
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

struct names {
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
static void note_folders(const struct names *all, struct map *folders, struct buf *lower)
{
	for (size_t k = 0; k < all->n; k++) {
		const char *name = all->at[all->order[k]];
		for (const char *slash = name; (slash = strchr(slash, '/')) != NULL; slash++)
			map_at(folders, hash_of(name, (size_t)(slash - name), lower));
	}
}

void file_names_part(char **name, size_t n, const char *(*url)(const void *ctx, size_t i), const void *ctx)
{
	struct names all = {name, mem_new(n + 1, sizeof *all.order), 0};
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
		name[i] = renamed(old, url(ctx, i));
		if (first == old) /* later ones are still compared with it */
			first = name[i];
		free(old);
	}
	map_release(&folders);
	buf_release(&lower);
	free(all.order);
}
