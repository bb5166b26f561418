#include "storage/salvage.h"
#include "base/buf.h"
#include "base/log.h"
#include "base/mem.h"
#include "cli/results.h"
#include "cli/store/store_new.h"
#include "cli/store/verb_store.h"
#include "crawler/live/live_import.h"

#include <stdio.h>
#include <stdlib.h>

struct salvage_options {
	struct standard_options standard;
	const char *to, *warc;
	int json;
};

struct job {
	const char *from;
	struct salvage_report report;
	struct import_counts imported;
};

static int salvage(void *ctx, const char *making, struct err_note *why)
{
	struct job *job = ctx;

	return store_salvage(job->from, making, &job->report, why);
}

/* Prints a row for each database. */
static void print_parts(const struct salvage_report *report, struct results *r)
{
	static const char *const columns[] = {"database", "chunks", "mended", "lost", "records", "lost_records", NULL};

	results_columns(r, columns);
	for (int i = 0; i < SALVAGE_PARTS; i++) {
		const struct salvage_part *p = &report->part[i];
		RESULTS_CELLS(r, cell_text(p->name), cell_count(p->sound), cell_count(p->mended), cell_count(p->lost),
			cell_count(p->records), cell_count(p->lost_records));
	}
}

/* Says on stderr what is lost, and what was done. */
static void say(const struct salvage_report *report, const char *to)
{
	const struct store_lost *lost = &report->rebuilt;

	if (*report->settings)
		log_error("settings that are lost: %s: say them again, on the command line of the crawl", report->settings);
	if (!report->is_rebuilt) {
		log_say("'%s' has every page, result, link and event of the old store, under the same ids", to);
		return;
	}
	if (report->is_uncounted)
		log_error("the numbers of records are lost, so that more may be missing than the table says");
	log_error("'%s' has %u pages; of the old ones it lacks %u, whose URLs are lost, and %u links to them", to, report->pages,
		lost->pages, lost->links);
	log_error(
		"%u pages are queued again, since their links or targets are lost; %u results were made anew from the log, without "
		"digest, type and title; of %u pages the log had lost how they ended, and their results tell",
		lost->again, lost->results, lost->entries);
}

/* Finds the files of the crawl's archive. */
static int find_archive(struct warc_files *files, const char *prefix, struct err_note *why)
{
	AUTO_FREE char *pattern = buf_made("%s-*.warc.*", prefix);

	return warc_files_find(files, pattern)
		? 0
		: err_set(why, ERR_FILE, "no archive '%s': --warc takes the PREFIX that the crawl had", pattern);
}

/* Salvages the store, and takes pages that are queued again from the archive. */
static int make(const struct salvage_options *o, struct job *job, struct err_note *why)
{
	AUTO(warc_files) files = {0};
	int err = store_new_check("to", o->to, why);

	if (!err && o->warc)
		err = find_archive(&files, o->warc, why);
	if (!err)
		err = store_new(o->to, salvage, job, why);
	if (!err && o->warc && job->report.is_rebuilt)
		err = live_import_to(o->to, &files, threads_of(0), &job->imported, why);
	if (job->imported.seen)
		job->report.pages = (uint32_t)job->imported.seen;
	return err;
}

static int run(const struct command *c, struct err_note *why)
{
	const struct salvage_options *o = c->options;
	struct job job = {.from = c->flags->operand[0]};
	struct results r;
	int err = make(o, &job, why);

	if (err)
		return err;
	results_begin(&r, stdout, o->json ? RESULTS_JSON : RESULTS_TSV);
	results_fact(&r, "store", cell_text(o->to));
	results_fact(&r, "rebuilt", cell_text(job.report.is_rebuilt ? "yes" : "no"));
	results_fact(&r, "pages", cell_count(job.report.pages));
	if (o->warc)
		results_fact(&r, "from_archive", cell_count(job.imported.pages));
	print_parts(&job.report, &r);
	err = results_end(&r, why);
	say(&job.report, o->to);
	if (job.imported.pages)
		log_error("%llu pages are taken from the archive", (unsigned long long)job.imported.pages);
	return err;
}

#define OWN(field) offsetof(struct salvage_options, field)
static const struct flag flags[] = {
	{"to", 0, FLAG_TEXT, OWN(to), "DIR", .help = "the folder of the new store, which must be new or empty", .required = 1,
		.file = FLAG_WRITES_STORE},
	{"warc", 0, FLAG_TEXT, OWN(warc), "PREFIX", .help = "take pages whose links are lost from this archive of the crawl",
		.file = FLAG_READS_ARCHIVE},
	JSON_ROW(OWN(json)),
	STANDARD_ROWS,
};

static const struct salvage_options defaults;

const struct verb verb_store_salvage = VERB("salvage", "Makes a sound store of a damaged one.", flags, defaults, run,
	.operands = "STORE", .operand_file = FLAG_READS_FOLDER);
