#include "cli/store/verb_store.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/output.h"
#include "base/log.h"
#include "base/mem.h"
#include "cli/flags/options.h"
#include "cli/folder.h"
#include "cli/results.h"
#include "storage/lock.h"
#include "storage/store_merge.h"

#include <dirent.h>
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

/* The folder within the new store's in which the store is made, so that a merge that is killed leaves no store. */
#define MAKING ".merging"

/* Says whether a folder has nothing but what a merge that was killed can have left. */
static int is_free(const char *dir)
{
	DIR *all = opendir(dir);
	const struct dirent *e = NULL;

	while (all && (e = readdir(all)) &&
		(strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 || strcmp(e->d_name, MAKING) == 0 ||
			strcmp(e->d_name, "writer") == 0))
		;
	if (all)
		closedir(all);
	return all && !e;
}

static int check_folders(const struct merge_options *o, char *const *dir, size_t n, struct err_note *why)
{
	struct stat st;

	if (lstat(o->into, &st) == 0 && !is_free(o->into))
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

/* Removes files of a folder, and the folder if nothing else is in it. */
static void remove_files(const char *dir, const char *const *file)
{
	for (; *file; file++) {
		struct buf path = BUF_EMPTY;
		buf_format(&path, "%s/%s", dir, *file);
		(void)!unlink(path.at);
		buf_release(&path);
	}
	(void)!rmdir(dir);
}

static const char *const store_files[] = {"data.mdb", "lock.mdb", "writer", NULL};

/* Merges into a folder within the new store's, whose lock the caller holds, and moves the file to its place when it is complete. */
static int merge_within(struct store *const *s, size_t n, const char *into, struct store_merge_counts *counts, struct err_note *why)
{
	struct buf making = BUF_EMPTY, from = BUF_EMPTY, to = BUF_EMPTY;
	struct store *made = NULL;

	buf_format(&making, "%s/" MAKING, into);
	buf_format(&from, "%s/data.mdb", making.at);
	buf_format(&to, "%s/data.mdb", into);
	remove_files(making.at, store_files); /* of a merge that was killed */
	int err = store_open(&made, making.at, STORE_WRITE, why);
	if (!err)
		err = store_merge(made, s, n, counts, why);
	store_close(made);
	if (!err && (rename(from.at, to.at) || lasting_name(to.at)))
		err = err_set(why, ERR_FILE, "cannot put the merged store into '%s': %s", into, ascii_error(errno));
	remove_files(making.at, store_files);
	buf_release(&making);
	buf_release(&from);
	buf_release(&to);
	return err;
}

static int merge(struct store *const *s, size_t n, const char *into, struct store_merge_counts *counts, struct err_note *why)
{
	static const char *const lock_file[] = {"writer", NULL};
	int lock;

	if (mkdir(into, 0777) && errno != EEXIST)
		return err_set(why, ERR_FILE, "cannot make the folder '%s': %s", into, ascii_error(errno));
	int err = lock_take(into, &lock, why);
	if (err)
		return err;
	err = merge_within(s, n, into, counts, why);
	if (err)
		remove_files(into, lock_file);
	close(lock);
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
	{"into", 0, FLAG_TEXT, OWN(into), "DIR", .help = "the folder of the new store, which must be new or empty", .required = 1,
		.file = FLAG_WRITES_STORE},
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
