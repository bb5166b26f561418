#include "cli/store/store_merge.h"
#include "base/ascii.h"
#include "storage/store_merge.h"
#include "base/buf.h"
#include "base/log.h"
#include "base/mem.h"
#include "cli/flags/options.h"
#include "cli/folder.h"
#include "cli/results.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The most stores at a time. */
#define STORES_MOST 1000

struct merge_options {
	struct standard_options standard;
	const char *into;
	int json;
};

/* --- the folders */

static int check_folders(const struct merge_options *o, char *const *dir, size_t n, struct err_note *why)
{
	struct stat st;

	if (lstat(o->into, &st) == 0)
		return err_set(why, ERR_USAGE, "--into '%s': it exists; a store is merged into a new folder", o->into);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < i; k++)
			if (folder_is(dir[i], dir[k]))
				return err_set(why, ERR_USAGE, "'%s' and '%s' are one store", dir[k], dir[i]);
	return 0;
}

/* --- the stores */

static int open_all(struct store **s, char *const *dir, size_t n, struct err_note *why)
{
	int err = 0;

	for (size_t i = 0; !err && i < n; i++)
		err = store_open(&s[i], dir[i], STORE_READ, why);
	return err;
}

/* Removes what a merge that failed has made. */
static void remove_store(const char *dir)
{
	static const char *const files[] = {"data.mdb", "lock.mdb", "writer"};

	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		struct buf path = BUF_EMPTY;
		buf_format(&path, "%s/%s", dir, files[i]);
		unlink(path.at);
		buf_release(&path);
	}
	rmdir(dir);
}

/* Returns the length of a path without slashes at its end. */
static size_t length_of(const char *path)
{
	size_t n = strlen(path);

	while (n > 1 && path[n - 1] == '/')
		n--;
	return n;
}

/* Merges into a folder beside the new one, which gets its name when it is complete. */
static int merge(struct store *const *s, size_t n, const char *into, struct store_merge_counts *counts, struct err_note *why)
{
	struct buf making = BUF_EMPTY;
	struct store *made = NULL;
	struct stat st;

	buf_add(&making, into, length_of(into));
	buf_text(&making, ".merging");
	if (lstat(making.at, &st) == 0) {
		int err = err_set(why, ERR_USAGE, "'%s' is in the way: a merge that was killed has left it, or it is yours; remove it", making.at);
		buf_release(&making);
		return err;
	}
	int err = store_open(&made, making.at, STORE_WRITE, why);
	if (!err)
		err = store_merge(made, s, n, counts, why);
	store_close(made);
	if (!err && rename(making.at, into))
		err = err_set(why, ERR_FILE, "cannot name the merged store '%s': %s", into, ascii_error(errno));
	if (err)
		remove_store(making.at);
	buf_release(&making);
	return err;
}

static void print_counts(const struct merge_options *o, const struct store_merge_counts *counts, size_t n, struct results *r)
{
	results_begin(r, stdout, o->json ? RESULTS_JSON : RESULTS_TSV);
	results_name(r, "store");
	results_text(r, o->into);
	results_figures(r);
	results_name(r, "stores");
	results_count(r, n);
	results_name(r, "pages");
	results_count(r, counts->pages);
	results_name(r, "crawled");
	results_count(r, counts->crawled);
	results_name(r, "repeated");
	results_count(r, counts->repeated);
}

static int run(const struct command *c, struct err_note *why)
{
	const struct merge_options *o = c->options;
	char *const *dir = (char *const *)(uintptr_t)c->flags->operand;
	const size_t n = c->flags->operands;
	struct store **s = mem_zero(n, sizeof *s);
	struct store_merge_counts counts;
	struct results r;
	int err = check_folders(o, dir, n, why);

	if (!err)
		err = open_all(s, dir, n, why);
	if (!err)
		err = merge(s, n, o->into, &counts, why);
	for (size_t i = 0; i < n; i++)
		store_close(s[i]);
	free(s);
	if (err)
		return err;
	print_counts(o, &counts, n, &r);
	return results_end(&r, why);
}

#define OWN(field) offsetof(struct merge_options, field)
static const struct flag own[] = {
	{"into", 0, FLAG_TEXT, OWN(into), "DIR", .help = "the folder of the new store, which must not exist", .required = 1, .file = FLAG_WRITES_STORE},
	{.name = NULL},
};

static const struct flag_group groups[] = {
	{NULL, own, 0, FLAGS_A_LINE_EACH},
	{NULL, json_flag, OWN(json), FLAGS_A_LINE_EACH},
	STANDARD_GROUP,
	{.flags = NULL},
};

static const struct merge_options defaults;

const struct verb verb_store_merge = {
	.name = "merge",
	.summary = "Makes one store of several.",
	.operands = "STORE...",
	.operand_file = FLAG_READS_FOLDER,
	.least = 1,
	.most = STORES_MOST,
	.groups = groups,
	.defaults = &defaults,
	.size = sizeof defaults,
	.run = run,
};
