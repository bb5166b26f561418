#include "simweb/stored.h"

#include "base/ascii.h"
#include "base/buf.h"
#include "base/input.h"
#include "base/mem.h"
#include "simweb/address.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct stored {
	int dir;
	struct buf text; /* file NUL url NUL file NUL url NUL ... */
	uint64_t *start; /* of each file in text; pages */
	size_t room;     /* of start */
	uint32_t pages;
};

static const struct {
	const char *extension, *type;
} types[] = {
	{"html", "text/html"},
	{"htm", "text/html"},
	{"xhtml", "application/xhtml+xml"},
	{"txt", "text/plain"},
	{"css", "text/css"},
	{"csv", "text/csv"},
	{"js", "text/javascript"},
	{"json", "application/json"},
	{"xml", "application/xml"},
	{"rss", "application/rss+xml"},
	{"atom", "application/atom+xml"},
	{"svg", "image/svg+xml"},
	{"png", "image/png"},
	{"gif", "image/gif"},
	{"jpg", "image/jpeg"},
	{"jpeg", "image/jpeg"},
	{"ico", "image/vnd.microsoft.icon"},
	{"pdf", "application/pdf"},
	{"ps", "application/postscript"},
	{"doc", "application/msword"},
	{"ppt", "application/vnd.ms-powerpoint"},
	{"gz", "application/gzip"},
	{"zip", "application/zip"},
	{"mp3", "audio/mpeg"},
	{"mp4", "video/mp4"},
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
	struct buf path = BUF_EMPTY;

	if (fd < 0)
		return err_set(why, ERR_FILE, "cannot open folder '%s': %s", dir, ascii_error(errno));
	struct stored *s = mem_zero(1, sizeof *s);
	s->dir = fd;
	buf_format(&path, "%s/index.tsv", dir);
	int err = read_index(s, path.at, why);
	buf_release(&path);
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

/* Returns the media type for the extension of a path's last segment, or NULL if it is unknown. */
static const char *type_of(const char *path, size_t n)
{
	const char *end = path + n, *dot = end;

	while (dot > path && dot[-1] != '.')
		dot--;
	if (dot == path)
		return NULL;
	n = (size_t)(end - dot);
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (strlen(types[i].extension) == n && ascii_same(types[i].extension, dot, n))
			return types[i].type;
	return NULL;
}

const char *stored_type(const struct stored *s, uint32_t page)
{
	const char *file = file_of(s, page), *type = type_of(file, strlen(file));
	struct address a;

	if (!type && address_of_url(&a, stored_url(s, page))) {
		const char *query = memchr(a.target, '?', a.target_length);
		type = type_of(a.target, query ? (size_t)(query - a.target) : a.target_length);
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
