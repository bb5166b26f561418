#include "cli/crawl/crawl_end.h"
#include "base/log.h"
#include "base/mem.h"
#include "cli/crawl/crawl_summary.h"
#include "cli/folder.h"
#include "cli/store/store_endings.h"
#include "crawler/resume/resume.h"
#include "storage/warc_records.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void tell_visits(struct results *r, const struct revisit_counts *v)
{
	const struct {
		const char *name;
		uint64_t value;
	} rows[] = {{"visited", v->same + v->changed + v->gone + v->moved + v->failed}, {"visits_same", v->same},
		{"visits_changed", v->changed}, {"visits_gone", v->gone}, {"visits_moved", v->moved}, {"visits_failed", v->failed},
		{"visits_new", v->fresh}};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		results_name(r, rows[i].name);
		results_count(r, rows[i].value);
	}
}

static void tell_requisites(struct results *r, const struct live_requisite_counts *n, const struct extract_counts *mirror)
{
	const struct {
		const char *name;
		uint64_t value;
	} rows[] = {{"requisites", n->fetched}, {"requisites_failed", n->failed}, {"requisites_refused", n->refused},
		{"requisites_queued", n->queued}, {"mirror_files", mirror ? mirror->files : 0},
		{"mirror_files_now", mirror ? mirror->files - mirror->same : 0}};

	for (size_t i = 0; i < (mirror ? 6u : 4u); i++) {
		results_name(r, rows[i].name);
		results_count(r, rows[i].value);
	}
}

int crawl_end_print(const struct crawl_options *o, struct live *live, const struct live_summary *s,
	const struct extract_counts *mirror, struct err_note *why)
{
	static const char *const ends[] = {[CRAWL_DONE] = "done",
		[CRAWL_PAGES] = "max-pages",
		[CRAWL_TIME] = "max-time",
		[CRAWL_BYTES] = "max-bytes",
		[CRAWL_STOPPED] = "interrupted",
		[CRAWL_ENOUGH] = "stop-when",
		[CRAWL_UNREACHABLE] = "unreachable"};
	const struct {
		const char *name;
		uint64_t value;
	} rows[] = {{"crawled", s->pages.crawled}, {"crawled_now", s->crawled_now}, {"failed", s->pages.failed},
		{"refused", s->pages.refused}, {"redirected", s->pages.redirected}, {"queued", s->pages.queued},
		{"seen", s->pages.seen}, {"bytes_now", s->bytes_now}};
	struct endings endings;
	struct results r;

	if (crawl_summary_is_wanted(o))
		return crawl_summary_print(stdout, o, live, s, mirror, why);
	report_begin(&o->report, &r);
	results_name(&r, "store");
	results_text(&r, o->store);
	report_seconds(&o->report, &r, "seconds", s->ms * 1000000);
	results_figures(&r);
	results_name(&r, "end");
	results_text(&r, ends[s->end]);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		results_name(&r, rows[i].name);
		results_count(&r, rows[i].value);
	}
	if (!isnan(s->gain)) {
		results_name(&r, "gain_expected");
		results_real(&r, s->gain);
	}
	if (s->visits.pages)
		tell_visits(&r, &s->visits);
	if (s->has_requisites)
		tell_requisites(&r, &s->requisites, mirror);
	endings_init(&endings);
	int err = endings_add_store(&endings, live_store(live), why);
	endings_tell(&endings, &r);
	endings_release(&endings);
	const int failed = results_end(&r, err ? NULL : why);
	return err ? err : failed;
}

/* Prints a message if the --max-pages that the store keeps from an earlier sitting leaves this sitting nothing to crawl and nothing
 * to visit again. */
static void tell_limit(const struct live_decision *d, const struct live_summary *s)
{
	if (s->end == CRAWL_PAGES && !s->crawled_now && !s->visits.pages && live_decision_origin(d, "max-pages") == LIVE_KEPT)
		log_say("nothing was left to do: the store keeps --max-pages %llu, and %llu pages are crawled; --max-pages N or --no-max-pages goes on",
			(unsigned long long)d->config.max_pages, (unsigned long long)s->pages.crawled);
}

static void put_reason(struct buf *out, uint64_t n, const char *word, const char *sentence)
{
	if (n)
		buf_format(out, "%s%llu %s%s%s", out->used ? "; " : "", (unsigned long long)n, word, sentence ? ": " : "",
			sentence ? sentence : "");
}

/* Writes the reasons of failures, as in "2 dns: its host's name leads to no address; 1 status 404". */
static void put_reasons(struct buf *out, const struct endings *e)
{
	char word[24];

	for (unsigned o = outcome_next(0); o < OUTCOMES; o = outcome_next(o)) {
		if (o != OUTCOME_STATUS)
			put_reason(out, e->failed[o], outcome_word(o), outcome_sentence(o));
		put_reason(out, e->refused[o], outcome_word(o), outcome_sentence(o));
	}
	for (unsigned status = 100; status < 600; status++) {
		snprintf(word, sizeof word, "status %u", status);
		put_reason(out, e->failed_status[status], word, NULL);
	}
}

static int every_seed_failed(const char *store, struct live *live, struct err_note *why)
{
	struct buf reasons = BUF_EMPTY;
	struct endings e;

	endings_init(&e);
	crawl_endings_add_seeds(&e, live);
	put_reasons(&reasons, &e);
	int err = err_set(why, ERR_ALL_SEEDS_FAILED, "every seed failed (%s); 'lycosa store explain --store %s URL' says more",
		reasons.used ? reasons.at : "for no reason known", store);
	buf_release(&reasons);
	endings_release(&e);
	return err;
}

int crawl_end_verdict(const struct crawl_options *o, const struct live_decision *d, struct live *live, const struct live_summary *s,
	struct err_note *why)
{
	tell_limit(d, s);
	if (s->end == CRAWL_STOPPED)
		return err_set(why, ERR_INTERRUPTED, "interrupted with %llu pages queued; the same command goes on",
			(unsigned long long)s->pages.queued);
	if (s->end == CRAWL_UNREACHABLE)
		return err_set(why, ERR_UNREACHABLE,
			"given up with %llu pages queued: their hosts have stopped answering; the same "
			"command tries them again",
			(unsigned long long)s->pages.queued);
	if (s->end != CRAWL_DONE && o->strict)
		return err_set(why, ERR_LIMIT, "a limit was reached with %llu pages queued", (unsigned long long)s->pages.queued);
	if (s->seeds && s->seeds == s->seeds_failed)
		return every_seed_failed(o->store, live, why);
	return 0;
}

/* --- the lists of the whole crawl */

static int write_order(struct output *out, struct live *l, struct err_note *why)
{
	struct store *store = live_store(l);
	struct store_log_cursor *cursor = store_log_start(store);
	struct store_page page;
	struct log_entry e;
	uint32_t adopted = STORE_NO_PAGE;
	int err;

	while ((err = store_log_next(cursor, &e, why)) > 0) {
		/* what another agent has crawled stands in its order */
		if (e.kind == LOG_ADOPTED)
			adopted = e.id;
		if (e.kind == LOG_CRAWLED && e.id != adopted && store_page(store, e.id, &page)) {
			output_text(out, page.url);
			output_text(out, "\n");
		}
	}
	store_log_stop(cursor);
	return err;
}

static int write_rejected(struct output *out, struct live *l, struct err_note *why)
{
	struct store *store = live_store(l);
	struct store_page page;
	uint8_t *refusal;
	int err = endings_refusals(store, &refusal, why);

	for (uint32_t id = 0; !err && id < store_pages(store); id++) {
		const struct ending e = ending_of(store, id, refusal);
		if (e.state != PAGE_REFUSED || !store_page(store, id, &page))
			continue;
		output_text(out, page.url);
		output_text(out, "\t");
		output_text(out, outcome_word(e.outcome));
		output_text(out, "\n");
	}
	free(refusal);
	return err;
}

int crawl_lists_open(struct crawl_lists *lists, const char *order, const char *rejected, struct err_note *why)
{
	int err = order ? output_open(&lists->order, order, why) : 0;

	return !err && rejected ? output_open(&lists->rejected, rejected, why) : err;
}

void crawl_lists_abandon(struct crawl_lists *lists)
{
	output_abandon(lists->order);
	output_abandon(lists->rejected);
	*lists = (struct crawl_lists){NULL, NULL};
}

int crawl_lists_write(struct crawl_lists *lists, struct live *l, struct err_note *why)
{
	struct output *order = lists->order, *rejected = lists->rejected;
	int err = order ? write_order(order, l, why) : 0;

	if (!err && order) {
		lists->order = NULL;
		err = output_close(order, why);
	}
	if (!err && rejected) {
		err = write_rejected(rejected, l, why);
	}
	if (!err && rejected) {
		lists->rejected = NULL;
		err = output_close(rejected, why);
	}
	crawl_lists_abandon(lists);
	return err;
}

struct seed_endings {
	struct endings *endings;
	struct store *store;
	uint8_t *refusal;
};

static int add_seed(void *ctx, uint32_t id, struct err_note *why)
{
	const struct seed_endings *s = ctx;
	const struct ending e = ending_of(s->store, id, s->refusal);

	(void)why;
	endings_add(s->endings, &e);
	return 0;
}

void crawl_endings_add_seeds(struct endings *e, struct live *l)
{
	struct seed_endings s = {e, live_store(l), NULL};

	if (endings_refusals(s.store, &s.refusal, NULL) == 0)
		(void)!resume_seeds(s.store, add_seed, &s, NULL);
	free(s.refusal);
}

/* --- the mirror */

int crawl_mirror_check(const struct live_config *c, struct err_note *why)
{
	return c->mirror ? folder_make(c->mirror, why) : 0;
}

struct files {
	char **path;
	size_t n, room;
};

static int add_file(void *ctx, const char *path, struct err_note *why)
{
	struct files *f = ctx;

	(void)why;
	f->path = mem_grow(f->path, &f->room, f->n + 1, sizeof *f->path);
	f->path[f->n++] = mem_text(path);
	return 0;
}

int crawl_mirror_write(const struct live_config *c, const struct destinations *others, struct extract_counts *counts,
	struct err_note *why)
{
	struct files f = {NULL, 0, 0};

	*counts = (struct extract_counts){.files = 0};
	if (!c->mirror)
		return 0;
	int err = warc_each_file(c->warc, add_file, &f, why);
	if (!err)
		err = extract_pages(&(struct extraction){(const char *const *)f.path, f.n, c->mirror, INT64_MAX, others}, counts,
			why);
	if (err == ERR_NOTHING) /* no page has come yet */
		err = 0;
	for (size_t i = 0; i < f.n; i++)
		free(f.path[i]);
	free(f.path);
	return err;
}
