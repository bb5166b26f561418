#include "cli/store/verb_store.h"
#include "base/mem.h"
#include "cli/flags/options.h"
#include "cli/folder.h"
#include "cli/results.h"
#include "cli/store/store_new.h"
#include "storage/store_merge.h"

#include <stdio.h>
#include <stdlib.h>

/* The most stores at a time. */
#define STORES_MOST 1000

struct merge_options {
	struct standard_options standard;
	const char *into;
	int json, damaged;
};

static int check_folders(const struct merge_options *o, char *const *dir, size_t n, struct err_note *why)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < i; k++)
			if (folder_is(dir[i], dir[k]))
				return err_set(why, ERR_USAGE, "'%s' and '%s' are one store", dir[k], dir[i]);
	return store_new_check("into", o->into, why);
}

/* --- the stores */

static int open_all(struct store **s, char *const *dir, size_t n, int damaged, struct err_note *why)
{
	for (size_t i = 0; i < n; i++)
		TRY(open_to_read(&s[i], dir[i], damaged, why));
	return 0;
}

struct job {
	struct store *const *from;
	size_t n;
	struct store_merge_counts *counts;
};

static int merge(void *ctx, const char *making, struct err_note *why)
{
	const struct job *job = ctx;
	struct store *made = NULL;
	int err = store_open(&made, making, STORE_WRITE, why);

	if (!err)
		err = store_merge(made, job->from, job->n, job->counts, why);
	store_drop(made);
	return err;
}

static void print_counts(const struct merge_options *o, const struct store_merge_counts *counts, size_t n, struct results *r)
{
	results_begin(r, stdout, o->json ? RESULTS_JSON : RESULTS_TSV);
	results_fact(r, "store", cell_text(o->into));
	results_figures(r);
	RESULTS_COUNTS(r, {"stores", n}, {"pages", counts->pages}, {"crawled", counts->crawled}, {"repeated", counts->repeated});
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
		err = open_all(s, dir, n, o->damaged, why);
	if (!err)
		err = store_new(o->into, merge, &(struct job){s, n, &counts}, why);
	for (size_t i = 0; i < n; i++)
		store_drop(s[i]);
	free(s);
	if (err)
		return err;
	print_counts(o, &counts, n, &r);
	return results_end(&r, why);
}

#define OWN(field) offsetof(struct merge_options, field)
static const struct flag flags[] = {
	{"into", 0, FLAG_TEXT, OWN(into), "DIR", .help = "the folder of the new store, which must be new or empty", .required = 1,
		.file = FLAG_WRITES_STORE},
	JSON_ROW(OWN(json)),
	DAMAGED_ROW(OWN(damaged)),
	STANDARD_ROWS,
};

static const struct merge_options defaults;

const struct verb verb_store_merge = VERB("merge", "Makes one store of several.", flags, defaults, run, .operands = "STORE...",
	.operand_file = FLAG_READS_FOLDER, .most = STORES_MOST);
