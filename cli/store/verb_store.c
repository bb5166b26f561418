/* `lycosa store`: what an earlier crawl left. */
#include "cli/store/verb_store.h"
#include "base/log.h"
#include "base/progress.h"
#include "cli/store/store_endings.h"
#include "cli/verbs.h"
#include "storage/visits.h"
#include "storage/warc_check.h"

#include <stdio.h>

/* --- dump */

/* Prints a row of a dump. Returns 1 if nothing more can be written. */
static int tell_line(void *results, const struct store_dump_line *line)
{
	struct results *r = results;

	RESULTS_CELLS(r, cell_text(line->url));
	if (line->target) {
		RESULTS_CELLS(r, cell_none(), cell_none(), cell_text(line->target));
	} else {
		RESULTS_CELLS(r, cell_count(line->status), line->digest ? cell_text(line->digest) : cell_none(), cell_none());
	}
	return results_stopped(r);
}

static int dump_as_json(struct store *s, const struct store_options *o, struct err_note *why)
{
	static const char *const columns[] = {"url", "status", "digest", "target", NULL};
	struct results r;
	int err = 0;

	results_begin(&r, stdout, RESULTS_JSON);
	results_fact(&r, "store", cell_text(o->store));
	if (o->failed) {
		endings_tell_failed(s, &r);
	} else {
		results_columns(&r, columns);
		err = store_dump_each(s, tell_line, &r, why);
	}
	const int failed = results_end(&r, err ? NULL : why);
	return err < 0 ? err : failed;
}

static int run_dump(const struct command *c, struct err_note *why)
{
	const struct store_options *o = c->options;
	struct store *s;
	int err = open_to_read(&s, o->store, o->damaged, why);

	if (err)
		return err;
	if (o->json)
		err = dump_as_json(s, o, why);
	else
		err = o->failed ? endings_list_failed(s, stdout, why) : store_dump(s, stdout, why);
	return store_close(s, err, why);
}

/* --- info */

struct store_figures {
	uint64_t links, bytes, tries;
	struct endings endings;
};

static int count_store(struct store *s, struct store_figures *f, struct err_note *why)
{
	*f = (struct store_figures){0};
	endings_init(&f->endings);
	int err = endings_add_store(&f->endings, s, why);
	for (uint32_t i = 0; i < store_pages(s); i++) {
		struct result result;
		const uint32_t *links;
		f->links += store_web_links(s, i, &links, NULL);
		if (store_result(s, i, &result)) {
			f->bytes += result.bytes;
			f->tries += result.tries;
		}
	}
	return err;
}

/* Adds the settings of the crawl, which the store keeps under the names of crawl's flags. */
static void add_settings(struct results *r, struct store *s)
{
	const struct flag *row;

	for (size_t i = 0; (row = flags_row(verb_crawl.flags, i, NULL)) != NULL; i++) {
		const char *text = store_get(s, row->name);
		if (text && *text) {
			results_fact(r, row->name, cell_text(text));
		}
	}
}

/* Adds the swaps of the policy in the log, as in "after 60 pages: ieca delta0=0.35 ...", with "; " between them. */
static int add_swaps(struct results *r, struct store *s, struct err_note *why)
{
	struct store_log_cursor *cursor = store_log_start(s);
	AUTO(buf) text = BUF_EMPTY;
	struct log_entry e;
	uint64_t crawled = 0;
	int err;

	while ((err = store_log_next(cursor, &e, why)) > 0) {
		crawled += e.kind == LOG_CRAWLED;
		if (e.kind == LOG_POLICY)
			buf_format(&text, "%safter %llu pages: %s", text.used ? "; " : "", (unsigned long long)crawled, e.text);
	}
	store_log_stop(cursor);
	if (!err && text.used)
		results_fact(r, "swaps", cell_text(text.at));
	return err;
}

struct visit_figures {
	uint64_t pages, visits, changes;
};

static int count_visits(void *ctx, uint32_t id, const struct store_visited *v, const struct store_change *change,
	struct err_note *why)
{
	struct visit_figures *f = ctx;

	(void)id, (void)why;
	f->pages += !change;
	f->visits += change ? 0 : v->visits;
	f->changes += change != NULL;
	return 0;
}

static int run_info(const struct command *c, struct err_note *why)
{
	const struct store_options *o = c->options;
	struct visit_figures visits = {0};
	struct store_figures f;
	const uint64_t *of = f.endings.state; /* pages by state */
	struct results r;
	struct store *s;
	int err = open_to_read(&s, o->store, o->damaged, why);

	if (err)
		return err;
	err = count_store(s, &f, why);
	if (!err)
		err = store_visits_each(s, count_visits, &visits, why);
	results_begin(&r, stdout, o->json ? RESULTS_JSON : RESULTS_TSV);
	results_fact(&r, "store", cell_text(o->store));
	add_settings(&r, s);
	if (!err)
		err = add_swaps(&r, s, why);
	results_figures(&r);
	/* there is no page in flight between two crawls */
	RESULTS_COUNTS(&r, {"pages", store_pages(s)}, {"hosts", store_hosts(s)}, {"crawled", of[PAGE_CRAWLED]},
		{"failed", of[PAGE_FAILED]}, {"redirected", of[PAGE_REDIRECTED]}, {"refused", of[PAGE_REFUSED]},
		{"queued", of[PAGE_QUEUED]});
	endings_tell(&f.endings, &r);
	endings_release(&f.endings);
	RESULTS_COUNTS(&r, {"links", f.links}, {"bytes", f.bytes}, {"tries", f.tries}, {"log_entries", store_log_length(s)},
		{"visited", visits.pages}, {"visits", visits.visits}, {"changes", visits.changes});
	if (store_get(s, STORE_SCRUBBED))
		results_fact(&r, "scrubbed", cell_text(store_get(s, STORE_SCRUBBED)));
	const int failed = results_end(&r, err ? NULL : why);
	return store_close(s, err ? err : failed, why);
}

/* --- verify */

struct breaches {
	struct progress progress;
	struct results *results; /* of --json; NULL: lines */
};

static void tell_breach(void *ctx, const char *line)
{
	struct breaches *b = ctx;

	progress_done(&b->progress);
	if (b->results) {
		RESULTS_CELLS(b->results, cell_text(line));
	} else {
		results_print(stdout, line);
		putchar('\n');
	}
}

static int run_verify(const struct command *c, struct err_note *why)
{
	const struct store_options *o = c->options;
	static const char *const columns[] = {"breach", NULL};
	struct breaches b = {.results = NULL};
	struct results r;
	struct suspect *s;
	struct store *sound;
	int err = suspect_open(&s, o->store, why);

	if (err)
		return err;
	if (o->json) {
		results_begin(&r, stdout, RESULTS_JSON);
		results_fact(&r, "store", cell_text(o->store));
		results_columns(&r, columns);
		b.results = &r;
	}
	progress_init(&b.progress, (enum progress_mode)o->progress, "records", 0);
	int breaches = suspect_verify(s, &b.progress, tell_breach, &b, &sound, why);
	progress_done(&b.progress);
	int lacks = sound && o->warc ? warc_check(sound, o->warc, tell_breach, &b, why) : 0;
	suspect_drop(s);
	if (o->json && (err = results_end(&r, why)))
		return err;
	if (breaches > 0)
		return err_set(why, ERR_DAMAGED, "'%s': %d breaches of its invariants", o->store, breaches);
	if (lacks > 0)
		return err_set(why, ERR_DAMAGED,
			"'%s-*.warc.gz' differ from '%s' in %d places; lycosa-store(1) tells how to fetch what is missing again",
			o->warc, o->store, lacks);
	if (!breaches && !lacks)
		log_say("'%s' is sound%s", o->store, o->warc ? ", and its archive has all of it" : "");
	return breaches ? breaches : lacks;
}

/* --- compact */

static int run_compact(const struct command *c, struct err_note *why)
{
	const struct store_options *o = c->options;
	uint64_t before = 0, after = 0;
	struct results r;

	TRY(store_compact(o->store, &before, &after, why));
	results_begin(&r, stdout, o->json ? RESULTS_JSON : RESULTS_TSV);
	results_fact(&r, "store", cell_text(o->store));
	results_figures(&r);
	RESULTS_COUNTS(&r, {"bytes_before", before}, {"bytes_after", after});
	return results_end(&r, why);
}

#define STORE(field) offsetof(struct store_options, field)
#define STORE_ROW \
	{ \
		"store", 0, FLAG_TEXT, STORE(store), "DIR", .help = "the store of a crawl", .required = 1, .is_noun = 1, \
							    .file = FLAG_READS_FOLDER \
	}
static const struct store_options store_defaults;
static const struct flag dump_flags[] = {
	STORE_ROW,
	JSON_ROW(STORE(json)),
	{"failed", 0, FLAG_SWITCH, STORE(failed), NULL, .help = "list the pages that failed instead: URL, reason, status, tries"},
	DAMAGED_ROW(STORE(damaged)),
	STANDARD_ROWS,
};
static const struct flag verify_flags[] = {
	STORE_ROW,
	JSON_ROW(STORE(json)),
	{"warc", 0, FLAG_TEXT, STORE(warc), "PREFIX", .help = "also: does the archive have what the store has?",
		.file = FLAG_READS_ARCHIVE},
	PROGRESS_ROW(STORE(progress)),
	STANDARD_ROWS,
};
static const struct flag info_flags[] = {STORE_ROW, JSON_ROW(STORE(json)), DAMAGED_ROW(STORE(damaged)), STANDARD_ROWS};
static const struct flag compact_flags[] = {STORE_ROW, JSON_ROW(STORE(json)), STANDARD_ROWS};

static const struct flag explain_flags[] = {
	STORE_ROW,
	{"warc", 0, FLAG_TEXT, STORE(warc), "PREFIX",
		.help = "of a URL that the store does not know: look for links in this archive", .file = FLAG_READS_ARCHIVE},
	JSON_ROW(STORE(json)),
	DAMAGED_ROW(STORE(damaged)),
	STANDARD_ROWS,
};

static const struct verb verb_dump =
	VERB("dump", "Prints pages and links as sorted text, to compare two crawls.", dump_flags, store_defaults, run_dump);

static const struct verb verb_info = VERB("info", "Prints a store's figures.", info_flags, store_defaults, run_info);

static const struct verb verb_verify =
	VERB("verify", "Checks a store, and its archive; prints each breach.", verify_flags, store_defaults, run_verify);

static const struct verb verb_explain =
	VERB("explain", "Prints the state of a URL, and why.", explain_flags, store_defaults, store_explain, .operands = "URL");

static const struct verb verb_compact =
	VERB("compact", "Makes the file of a store as small as it can be.", compact_flags, store_defaults, run_compact);

static const struct verb *const store_verbs[] = {&verb_dump, &verb_info, &verb_verify, &verb_explain, &verb_store_diff,
	&verb_compact, &verb_store_merge, &verb_store_salvage, NULL};

const struct verb verb_store = {
	.name = "store",
	.summary = "Dumps, verifies, explains, compares, compacts, salvages stores.",
	.verbs = store_verbs,
};
