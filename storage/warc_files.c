#include "storage/warc_files.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/input.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/place.h"
#include "base/zip.h"
#include "storage/warc_items.h"

#include <dirent.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* --- the files of a crawl */

size_t warc_stem(const char *path)
{
	const size_t n = strlen(path);

	return n >= 8 && strcmp(path + n - 8, ".warc.gz") == 0     ? n - 8
		: n >= 9 && strcmp(path + n - 9, ".warc.zst") == 0 ? n - 9
								   : n;
}

/* Says whether a name is that of a file with the prefix: BASE-YYYYMMDDhhmmss-NNNNN.warc.gz or .warc.zst. */
static int is_ours(const char *name, const char *base)
{
	const size_t n = strlen(base);

	if (strncmp(name, base, n) != 0 || name[n] != '-' || strspn(name + n + 1, "0123456789") != 14)
		return 0;
	name += n + 15;
	const size_t digits = *name == '-' ? strspn(name + 1, "0123456789") : 0;
	return digits >= 5 && warc_stem(name + 1 + digits) == 0 && strncmp(name + 1 + digits, ".warc.", 6) == 0;
}

int warc_each_file(const char *prefix, warc_file_fn *each, void *ctx, struct err_note *why)
{
	const char *slash = strrchr(prefix, '/'), *base = slash ? slash + 1 : prefix;
	const size_t folder = (size_t)(base - prefix);
	struct buf path = BUF_EMPTY;
	struct dirent **entry = NULL;
	int err = 0;

	buf_add(&path, prefix, folder);
	const int n = scandir(folder ? path.at : ".", &entry, NULL, alphasort);
	for (int i = 0; i < n; i++) {
		if (!err && is_ours(entry[i]->d_name, base)) {
			buf_clear(&path);
			buf_add(&path, prefix, folder);
			buf_text(&path, entry[i]->d_name);
			err = each(ctx, path.at, why);
		}
		free(entry[i]);
	}
	free(entry);
	buf_release(&path);
	return err;
}

/* --- the files that a text names */

void warc_files_add(struct warc_files *f, char *path)
{
	f->path = mem_grow(f->path, &f->room, f->n + 1, sizeof *f->path);
	f->path[f->n++] = path;
}

void warc_files_take(struct warc_files *f, struct warc_files *more)
{
	for (size_t i = 0; i < more->n; i++)
		warc_files_add(f, more->path[i]);
	free(more->path);
	*more = (struct warc_files){0};
}

void warc_files_release(struct warc_files *f)
{
	for (size_t i = 0; i < f->n; i++)
		free(f->path[i]);
	free(f->path);
	*f = (struct warc_files){0};
}

int warc_files_end(const char *name, const char *end)
{
	const size_t n = strlen(name), m = strlen(end);

	return n > m && ascii_order(name + n - m, end) == 0;
}

/* Says whether a name is that of an archive, by its ending. */
static int is_archive_name(const char *name)
{
	static const char *const kinds[] = {".warc", ".wat", ".wacz", NULL},
				 *const packings[] = {"", ".gz", ".zst", ".xz", ".bz2", NULL};
	char end[16];

	for (size_t i = 0; kinds[i]; i++)
		for (size_t k = 0; packings[k]; k++) {
			strcat(strcpy(end, kinds[i]), packings[k]);
			if (warc_files_end(name, end))
				return 1;
		}
	return 0;
}

/* Says whether the first bytes of a file, unpacked, have a record of a WARC file, or an ARC file, of which the reader says so. A
 * file that cannot be unpacked is an archive if it has the name of one. */
static int is_warc(const char *path)
{
	struct input *in;
	const char *bytes;
	size_t n = 0;

	if (input_open(&in, path, NULL))
		return 0;
	const int got = input_chunk(in, &bytes, &n, NULL);
	const size_t looked_at = is_archive_name(path) || n < 16 ? n : 16; /* blank lines may stand before the first record */
	const int is = got > 0 && (memmem(bytes, looked_at, "WARC/", 5) || (n > 9 && memcmp(bytes, "filedesc:", 9) == 0));
	input_close(in);
	return is || (got < 0 && is_archive_name(path));
}

/* Adds a file of a folder or of a ZIP file if its name is that of an archive. A reader says of one that is damaged what is wrong
 * with it. */
static void add_named(void *ctx, const char *path)
{
	struct warc_files *f = ctx;
	const size_t before = f->n;

	if (is_archive_name(path))
		input_each_member(path, add_named, f);
	if (is_archive_name(path) && f->n == before)
		warc_files_add(f, mem_text(path));
}

/* Says whether a path leads, also by links, to something in a folder. */
static int is_within(const char *path, const char *folder)
{
	struct place at, in;

	place_find(&at, path);
	place_find(&in, *folder ? folder : ".");
	const size_t n = strlen(in.path);
	const int is = strncmp(at.path, in.path, n) == 0 && (at.path[n] == '/' || n == 1);
	place_release(&at);
	place_release(&in);
	return is;
}

/* Adds the packages that a JSON file names, which describes them as one: a multi-WACZ package. A stranger may have written the
 * file, so that packages in its folder alone are read. */
static void add_packages(struct warc_files *f, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder = mem_part(path, slash ? (size_t)(slash + 1 - path) : 0);
	json_t *all = json_load_file(path, 0, NULL), *list = json_object_get(all, "resources");
	const char *profile = json_string_value(json_object_get(all, "profile"));

	for (size_t i = 0; profile && strcmp(profile, "multi-wacz-package") == 0 && i < json_array_size(list); i++) {
		const char *name = json_string_value(json_object_get(json_array_get(list, i), "path"));
		char *whole = buf_made("%s%s", name && *name == '/' ? "" : folder, name ? name : "");
		if (is_within(whole, folder))
			add_named(f, whole);
		else
			log_say("'%s' is left out: '%s' names it, and may name what lies in its own folder alone", whole, path);
		free(whole);
	}
	free(folder);
	json_decref(all);
}

/* Adds a file if it is an archive by its name or its contents; or those that it describes. */
static void add_path(struct warc_files *f, const char *path)
{
	const size_t before = f->n;

	input_each_member(path, add_named, f);
	if (f->n == before && is_warc(path))
		warc_files_add(f, mem_text(path));
	if (f->n == before && warc_files_end(path, ".json"))
		add_packages(f, path);
}

static void add_folder(struct warc_files *f, const char *folder)
{
	struct dirent **entry = NULL;
	struct stat st;
	const int n = scandir(folder, &entry, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		char *path = buf_made("%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/", entry[i]->d_name);
		if (*entry[i]->d_name != '.' && lstat(path, &st) == 0) {
			if (S_ISDIR(st.st_mode))
				add_folder(f, path);
			else
				add_named(f, path);
		}
		free(path);
		free(entry[i]);
	}
	free(entry);
}

/* Adds the files of a list if its first line names an archive. */
static void add_list(struct warc_files *f, const char *list)
{
	struct input *in;
	char *line;
	size_t n;

	if (input_open(&in, list, NULL))
		return;
	while (input_line(in, &line, &n, NULL) > 0) {
		const size_t before = f->n;
		if (!*line || *line == '#')
			continue;
		if (is_archive_name(line))
			add_path(f, line);
		if (f->n == before)
			break;
	}
	input_close(in);
}

/* Says whether a name fits a pattern, in which * stands for any text and ? for any byte. */
static int fits(const char *name, const char *pattern)
{
	for (; *pattern; name++, pattern++) {
		if (*pattern == '*') {
			do
				if (fits(name, pattern + 1))
					return 1;
			while (*name++);
			return 0;
		}
		if (!*name || (*pattern != '?' && *pattern != *name))
			return 0;
	}
	return !*name;
}

/* Adds the files of a folder whose names fit a pattern, the last part of the path. */
static void add_pattern(struct warc_files *f, const char *pattern)
{
	const char *slash = strrchr(pattern, '/'), *last = slash ? slash + 1 : pattern;
	char *folder = mem_part(pattern, (size_t)(last - pattern));
	struct dirent **entry = NULL;
	const int n = scandir(*folder ? folder : ".", &entry, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		char *path = buf_made("%s%s", folder, entry[i]->d_name);
		if (*entry[i]->d_name != '.' && fits(entry[i]->d_name, last))
			add_path(f, path);
		free(path);
		free(entry[i]);
	}
	free(entry);
	free(folder);
}

int warc_files_find(struct warc_files *f, const char *text)
{
	struct stat st;

	*f = (struct warc_files){0};
	if (stat(text, &st) == 0 && S_ISDIR(st.st_mode)) {
		add_folder(f, text);
	} else if (stat(text, &st) == 0 && S_ISREG(st.st_mode)) {
		add_path(f, text);
		if (!f->n)
			add_list(f, text);
	} else if (strpbrk(text, "*?")) {
		add_pattern(f, text);
	} else if (zip_path(text)) {
		add_path(f, text);
	}
	return f->n > 0;
}
