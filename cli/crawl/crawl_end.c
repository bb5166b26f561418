#include "cli/crawl/crawl_end.h"
#include "base/ascii.h"
#include "base/log.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/unzstd.h"
#include "cli/folder.h"
#include "cli/store/store_endings.h"
#include "crawler/resume/resume.h"
#include "crawler/resume/retry.h"
#include "parser/shape.h"
#include "storage/warc_files.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- the summary for a person */

/* The summary of a sitting that a person reads, where stdout is a terminal: what came, the hosts with the most pages, why
 * pages failed or were left out, and what can be done next.
 *
 *	done: 1,391 pages crawled in 60 s, 23/s, 968 KB
 *
 *	  crawled     1,391   of 4,254 discovered
 *	  failed        150
 *	  ...
 *	Failures
 *	  138  status 404
 *	...
 *	Next
 *	  lycosa crawl --store example.crawl     goes on */

#define TOP_HOSTS   5
#define TOP_REASONS 8

enum { SUMMARY_AUTO, SUMMARY_TEXT, SUMMARY_TSV }; /* the words of --summary */

/* --- the sheet */

struct sheet {
	FILE *out;
	int has_colours;
};

static int can_colour(FILE *out)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	return isatty(fileno(out)) && !(no && *no) && term && strcmp(term, "dumb") != 0;
}

#define BOLD  "1"
#define RED   "31"
#define GREEN "32"
#define DIM   "2"

static void put_in(const struct sheet *p, const char *colour, const char *text)
{
	if (p->has_colours)
		fprintf(p->out, "\033[%sm", colour);
	results_print(p->out, text);
	if (p->has_colours)
		fputs("\033[m", p->out);
}

static void put_heading(const struct sheet *p, const char *text)
{
	fputc('\n', p->out);
	put_in(p, BOLD, text);
	fputc('\n', p->out);
}

/* Appends a whole number with its digits in groups of three: "1,234,567". */
static void crawl_summary_count(struct buf *out, uint64_t n)
{
	char digits[24];
	const int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);

	for (int i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			buf_byte(out, ',');
		buf_byte(out, digits[i]);
	}
	buf_end(out);
}

/* Writes a number, right-aligned in `width` columns. */
static void put_count(const struct sheet *p, int width, uint64_t n)
{
	struct buf text = BUF_EMPTY;

	crawl_summary_count(&text, n);
	fprintf(p->out, "%*s", width, text.at);
	buf_release(&text);
}

void crawl_summary_bytes(struct buf *out, double n)
{
	static const char *const units[] = {"B", "KB", "MB", "GB", "TB"};
	size_t i = 0;

	for (; n >= 1000 && i < 4; i++)
		n /= 1000;
	buf_format(out, "%.*f %s", i && n < 100 ? 1 : 0, n, units[i]);
}

static void put_bytes(const struct sheet *p, uint64_t bytes)
{
	struct buf text = BUF_EMPTY;

	crawl_summary_bytes(&text, (double)bytes);
	fputs(text.at, p->out);
	buf_release(&text);
}

/* Writes a duration, as in "1 h 02 min", "3 min 07 s" or "2.4 s". */
static void put_time(const struct sheet *p, int64_t ms)
{
	const long long s = ms / 1000;

	if (s >= 3600)
		fprintf(p->out, "%lld h %02lld min", s / 3600, s / 60 % 60);
	else if (s >= 60)
		fprintf(p->out, "%lld min %02lld s", s / 60, s % 60);
	else
		ascii_print(p->out, "%.1f s", (double)ms / 1000);
}

/* --- the first lines */

static void put_end(const struct sheet *p, const struct live_summary *s)
{
	static const char *const ends[] = {[CRAWL_DONE] = "done",
		[CRAWL_PAGES] = "stopped at --max-pages",
		[CRAWL_TIME] = "stopped at --max-time",
		[CRAWL_BYTES] = "stopped at --max-bytes",
		[CRAWL_STOPPED] = "interrupted",
		[CRAWL_ENOUGH] = "stopped at --stop-when",
		[CRAWL_UNREACHABLE] = "given up: the hosts left do not answer",
		[CRAWL_SHARES] = "stopped at --host-share",
		[CRAWL_PUT_OFF] = "done but for what was put off"};

	put_in(p, s->end == CRAWL_UNREACHABLE ? RED : GREEN, ends[s->end]);
	fputs(": ", p->out);
	put_count(p, 0, s->crawled_now);
	fprintf(p->out, " page%s crawled in ", s->crawled_now == 1 ? "" : "s");
	put_time(p, s->ms);
	if (s->ms > 0)
		ascii_print(p->out, ", %.1f/s", (double)s->crawled_now * 1000 / (double)s->ms);
	fputs(", ", p->out);
	put_bytes(p, s->bytes_now);
	fputs("\n\n", p->out);
}

static void put_pages(const struct sheet *p, const struct live_summary *s, const struct endings *e)
{
	const struct {
		const char *name, *colour;
		uint64_t n, of;
		const char *what; /* of `of` */
	} rows[] = {{"crawled", GREEN, s->pages.crawled, s->pages.seen, "discovered"}, {"failed", RED, s->pages.failed, 0, NULL},
		{"left out", DIM, s->pages.refused, e->skipped, "skipped as part of a trap"},
		{"redirected", DIM, s->pages.redirected, 0, NULL},
		{"queued", BOLD, s->pages.queued, e->deferred, "deferred: they may be in a trap"},
		{"rendered", GREEN, s->rendered_now, 0, NULL}, {"need a browser", BOLD, s->shells_now, 0, NULL}};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (!rows[i].n && i)
			continue;
		fputs("  ", p->out);
		put_in(p, rows[i].colour, rows[i].name);
		put_count(p, 24 - (int)strlen(rows[i].name), rows[i].n);
		if (rows[i].of) {
			fputs("  of ", p->out);
			if (i) /* a part of the pages, and not the whole */
				fputs("which ", p->out);
			put_count(p, 0, rows[i].of);
			fprintf(p->out, " %s", rows[i].what);
		}
		fputc('\n', p->out);
	}
}

/* --- reasons */

struct reason {
	uint64_t n;
	char word[24];
	const char *sentence; /* NULL: the word says it */
};

static int by_count(const void *a, const void *b)
{
	const struct reason *x = a, *y = b;

	return x->n != y->n ? (x->n < y->n ? 1 : -1) : strcmp(x->word, y->word);
}

/* Sorts reasons and writes those that were met. */
static void put_ends(const struct sheet *p, const char *heading, struct reason *all, size_t n)
{
	uint64_t rest = 0;

	qsort(all, n, sizeof *all, by_count);
	while (n && !all[n - 1].n)
		n--;
	if (!n)
		return;
	put_heading(p, heading);
	for (size_t i = 0; i < n; i++) {
		if (i >= TOP_REASONS) {
			rest += all[i].n;
			continue;
		}
		put_count(p, 10, all[i].n);
		fprintf(p->out, "  %s%s%s\n", all[i].word, all[i].sentence ? ": " : "", all[i].sentence ? all[i].sentence : "");
	}
	if (rest) {
		put_count(p, 10, rest);
		fputs("  for other reasons\n", p->out);
	}
}

static void add_reason(struct reason *all, size_t *n, uint64_t count, const char *word, const char *sentence)
{
	if (!count)
		return;
	all[*n] = (struct reason){.n = count, .sentence = sentence};
	snprintf(all[*n].word, sizeof all[*n].word, "%s", word);
	++*n;
}

static void put_failures(const struct sheet *p, const struct endings *e)
{
	struct reason all[OUTCOMES + 600];
	char word[24];
	size_t n = 0;

	for (unsigned o = outcome_next(0); o < OUTCOMES; o = outcome_next(o))
		add_reason(all, &n, e->failed[o], outcome_word(o), outcome_sentence(o));
	for (unsigned status = 100; status < 600; status++) {
		snprintf(word, sizeof word, "status %u", status);
		add_reason(all, &n, e->failed_status[status], word, NULL);
	}
	put_ends(p, "Failures", all, n);
	n = 0;
	for (unsigned o = outcome_next(0); o < OUTCOMES; o = outcome_next(o))
		add_reason(all, &n, e->refused[o], outcome_word(o), outcome_sentence(o));
	put_ends(p, "Left out", all, n);
}

/* Writes what the visits of crawled pages have shown. */
static void put_visits(const struct sheet *p, const struct revisit_counts *v)
{
	struct reason all[] = {{v->same, "unchanged", NULL}, {v->changed, "changed", NULL},
		{v->gone, "gone", "the server has no such page any more"}, {v->moved, "moved", "a redirect leads to another page"},
		{v->failed, "failed", "they are visited again another time"}, {v->fresh, "new", "pages that were found on them"}};

	put_ends(p, "Visited again", all, sizeof all / sizeof *all);
}

static void put_requisites(const struct sheet *p, const struct live_requisite_counts *r, const struct extract_counts *mirror)
{
	struct reason all[] = {{r->fetched, "fetched", NULL}, {r->failed, "failed", NULL},
		{r->refused, "left out", "robots.txt forbids them, or they were crawled as pages"},
		{r->queued, "queued", "the same command goes on with them"},
		{mirror ? mirror->files : 0, "files", "in the mirror, pages included"}};

	put_ends(p, "What pages need to be seen", all, sizeof all / sizeof *all);
}

/* --- hosts */

struct host {
	uint32_t id;
	uint32_t crawled, failed, queued;
};

static int has_more_crawled(const struct host *a, const struct host *b)
{
	return a->crawled != b->crawled ? a->crawled > b->crawled : a->id < b->id;
}

/* Puts a host among the first TOP_HOSTS, if it is one of them; top[0..*n) is sorted. */
static void insert_in_top(struct host *top, size_t *n, const struct host *h)
{
	size_t i = *n;

	if (i == TOP_HOSTS && !has_more_crawled(h, &top[i - 1]))
		return;
	if (i < TOP_HOSTS)
		++*n;
	else
		i--;
	for (; i && has_more_crawled(h, &top[i - 1]); i--)
		top[i] = top[i - 1];
	top[i] = *h;
}

/* Counts the pages by host and by ending, in one pass. */
static int count(struct store *store, struct endings *e, struct host *host, struct err_note *why)
{
	uint8_t *refusal;
	struct store_page page;
	int err = endings_refusals(store, &refusal, why);

	for (uint32_t id = 0; !err && id < store_pages(store); id++) {
		const struct ending one = ending_of(store, id, refusal);
		endings_add(e, &one);
		if (!store_page(store, id, &page) || page.host >= store_hosts(store))
			continue;
		host[page.host].crawled += one.state == PAGE_CRAWLED;
		host[page.host].failed += one.state == PAGE_FAILED;
		host[page.host].queued += one.state == PAGE_QUEUED;
	}
	free(refusal);
	return err;
}

static void put_hosts(const struct sheet *p, struct store *store, struct host *host)
{
	struct host top[TOP_HOSTS];
	const uint32_t hosts = store_hosts(store);
	struct buf title = BUF_EMPTY;
	size_t n = 0;

	for (uint32_t h = 0; h < hosts; h++) {
		host[h].id = h;
		if (host[h].crawled)
			insert_in_top(top, &n, &host[h]);
	}
	if (hosts < 2 || !n)
		return;
	buf_text(&title, "Hosts with the most pages, of ");
	crawl_summary_count(&title, hosts);
	put_heading(p, title.at);
	for (size_t i = 0; i < n; i++) {
		put_count(p, 10, top[i].crawled);
		fputs("  ", p->out);
		results_print(p->out, store_host_name(store, top[i].id));
		if (top[i].failed)
			fprintf(p->out, ", %u failed", top[i].failed);
		if (top[i].queued)
			fprintf(p->out, ", %u queued", top[i].queued);
		fputc('\n', p->out);
	}
	buf_release(&title);
}

/* --- what comes next */

/* Says whether a failed page is tried again by --retry-failed. */
static int has_retries(const struct endings *e)
{
	for (unsigned o = outcome_next(0); o < OUTCOMES; o = outcome_next(o))
		if (o != OUTCOME_STATUS && e->failed[o] && (retry_reasons_of(o, 0) & RETRY_ALL))
			return 1;
	for (unsigned status = 100; status < 600; status++)
		if (e->failed_status[status] && retry_reasons_of(OUTCOME_STATUS, status))
			return 1;
	return 0;
}

/* Writes what a user has to add to a command for the store: " (with --proxy given again)", or nothing. */
static void put_needs(struct buf *out, const char *dir, struct store *store)
{
	struct buf names = BUF_EMPTY;

	live_decision_needs(store, dir, &names);
	if (names.used)
		buf_format(out, " (with %s given again)", names.at);
	buf_release(&names);
}

/* Prints the commands that may follow; beside those that crawl, the flags that have to be given again. */
static void put_next(const struct sheet *p, const char *dir, struct store *store, const struct live_summary *s,
	const struct endings *e)
{
	const struct {
		int is_good;
		const char *verb, *rest, *what;
	} rows[] = {{s->pages.queued > 0, "crawl --store ",
			    s->end == CRAWL_PAGES            ? " --no-max-pages"
				    : s->end == CRAWL_ENOUGH ? " --no-stop-when"
							     : "",
			    "goes on"},
		{has_retries(e), "crawl --store ", " --retry-failed", "tries failed pages again"},
		{s->pages.failed > 0, "store dump --store ", " --failed", "lists failed pages"},
		{1, "view ", "", "shows the crawl on a page"},
		{s->pages.crawled > 1, "rank --graph ", " --by pagerank --top 20", "ranks its pages"}};

	struct buf needs = BUF_EMPTY;

	put_needs(&needs, dir, store);
	put_heading(p, "Next");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (!rows[i].is_good)
			continue;
		struct buf line = buf_of("lycosa %s", rows[i].verb);
		const int crawls = strncmp(rows[i].verb, "crawl ", 6) == 0;
		struct buf what = buf_of("%s%s", rows[i].what, crawls && needs.used ? needs.at : "");
		remedy_word(&line, dir);
		buf_text(&line, rows[i].rest);
		fprintf(p->out, "  %-52s  ", line.at);
		put_in(p, DIM, what.at);
		fputc('\n', p->out);
		buf_release(&what);
		buf_release(&line);
	}
	buf_release(&needs);
}

/* --- the whole */

/* Says whether the summary for a person is to be printed instead of TSV: --summary says so, or stdout is a terminal. */
static int crawl_summary_is_wanted(const struct crawl_options *o)
{
	return !o->report.json && (o->summary == SUMMARY_TEXT || (o->summary == SUMMARY_AUTO && isatty(STDOUT_FILENO)));
}

/* Prints it, with the counts of a mirror's files, if there is one (NULL: there is none). Colours are used if `out` is a terminal
 * and the variable NO_COLOR is empty or not set. Returns 0, ERR_DAMAGED or ERR_FILE. */
static int crawl_summary_print(FILE *out, const struct crawl_options *o, struct live *live, const struct live_summary *s,
	const struct extract_counts *mirror, struct err_note *why)
{
	const struct sheet p = {out, can_colour(out)};
	struct store *store = live_store(live);
	struct host *host = mem_zero((size_t)store_hosts(store) + 1, sizeof *host);
	struct endings endings;

	endings_init(&endings);
	int err = count(store, &endings, host, why);
	if (!err) {
		put_end(&p, s);
		put_pages(&p, s, &endings);
		put_visits(&p, &s->visits);
		if (s->has_requisites)
			put_requisites(&p, &s->requisites, mirror);
		put_hosts(&p, store, host);
		put_failures(&p, &endings);
		put_next(&p, o->store, store, s, &endings);
	}
	endings_release(&endings);
	free(host);
	if (!err && (fflush(out) || ferror(out)))
		err = err_set(why, ERR_RESULTS, "cannot write the summary: %s", ascii_error(errno));
	return err;
}

static void tell_visits(struct results *r, const struct revisit_counts *v)
{
	const struct {
		const char *name;
		uint64_t value;
	} rows[] = {{"visited", v->same + v->changed + v->gone + v->moved + v->failed}, {"visits_same", v->same},
		{"visits_changed", v->changed}, {"visits_gone", v->gone}, {"visits_moved", v->moved}, {"visits_failed", v->failed},
		{"visits_new", v->fresh}};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		results_fact(r, rows[i].name, cell_count(rows[i].value));
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
		results_fact(r, rows[i].name, cell_count(rows[i].value));
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
		[CRAWL_UNREACHABLE] = "unreachable",
		[CRAWL_SHARES] = "host-share",
		[CRAWL_PUT_OFF] = "put_off"};
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
	results_fact(&r, "store", cell_text(o->store));
	report_seconds(&o->report, &r, "seconds", s->ms * 1000000);
	results_figures(&r);
	results_fact(&r, "end", cell_text(ends[s->end]));
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		results_fact(&r, rows[i].name, cell_count(rows[i].value));
	}
	if (s->rendered_now)
		results_fact(&r, "rendered_now", cell_count(s->rendered_now));
	if (s->shells_now)
		results_fact(&r, "shells_now", cell_count(s->shells_now));
	if (!isnan(s->gain)) {
		results_fact(&r, "gain_expected", cell_real(s->gain));
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

/* Adds the ending of each seed to `endings`. */
static void crawl_endings_add_seeds(struct endings *e, struct live *l)
{
	struct seed_endings s = {e, live_store(l), NULL};

	if (endings_refusals(s.store, &s.refusal, NULL) == 0)
		(void)!resume_seeds(s.store, add_seed, &s, NULL);
	free(s.refusal);
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

/* The pages of a place that were put off: of a family (parser/shape.h), for one reason. */
struct put_off {
	uint64_t key;
	uint64_t pages;
	uint32_t example; /* the first of them */
	enum outcome outcome;
};

/* Counts the pages of a store that were put off, by place, into put_off[n]; the caller frees it. Returns 0 or ERR_DAMAGED. */
static int count_put_off(struct store *store, struct put_off **put_off, size_t *n, struct err_note *why)
{
	struct store_page page;
	struct map_walk walk = {0};
	struct map map;
	struct url u;
	uint8_t *refusal;
	int err = endings_refusals(store, &refusal, why);

	map_init(&map, sizeof(struct put_off));
	for (uint32_t id = 0; !err && id < store_pages(store); id++) {
		const struct ending e = ending_of(store, id, refusal);
		if (e.state != PAGE_REFUSED || !e.had_turn || !outcome_is_skip(e.outcome) || !store_page(store, id, &page) ||
			url_split(&u, page.url, page.url_length) != URL_OK)
			continue;
		struct put_off *p = map_at(&map, shape_family(&u) ^ e.outcome);
		if (!p->pages++) {
			p->example = id;
			p->outcome = e.outcome;
		}
	}
	*put_off = mem_zero(map.used + 1, sizeof **put_off);
	*n = 0;
	for (const struct put_off *p; (p = map_next(&map, &walk));)
		(*put_off)[(*n)++] = *p;
	map_release(&map);
	free(refusal);
	return err;
}

static int has_more_put_off(const void *a, const void *b)
{
	const struct put_off *x = a, *y = b;

	return x->pages != y->pages ? (x->pages < y->pages ? 1 : -1) : (x->example > y->example) - (x->example < y->example);
}

/* Says which pages were put off, the places with the most of them first, and by which command each is crawled. */
static int tell_put_off(const char *dir, struct store *store, struct err_note *why)
{
	struct put_off *p;
	struct store_page page;
	struct buf needs = BUF_EMPTY;
	size_t n;
	int err = count_put_off(store, &p, &n, why);

	put_needs(&needs, dir, store);
	qsort(p, n, sizeof *p, has_more_put_off);
	for (size_t i = 0; !err && i < n && i < TOP_HOSTS; i++) {
		struct buf command = BUF_EMPTY;
		if (store_page(store, p[i].example, &page) && remedy_command(dir, p[i].outcome, 0, &command))
			log_say("put off: %llu pages like %s (%s); '%s'%s crawls them", (unsigned long long)p[i].pages, page.url,
				outcome_word(p[i].outcome), command.at, needs.used ? needs.at : "");
		buf_release(&command);
	}
	if (n > TOP_HOSTS)
		log_say("put off: %zu more places; --rejected FILE lists the pages", n - TOP_HOSTS);
	free(p);
	buf_release(&needs);
	return err;
}

/* Says which part of the budget hosts were kept from, and the command that gives it to them. */
static void tell_shares(const char *dir, struct store *store, const struct live_summary *s)
{
	struct buf command = BUF_EMPTY, needs = BUF_EMPTY;

	put_needs(&needs, dir, store);
	buf_text(&command, "lycosa crawl --store ");
	remedy_word(&command, dir);
	log_say("hosts that have had what --host-share lets them take of the budget: %llu, with %llu pages queued; '%s --host-share 1'%s "
		"goes on with them",
		(unsigned long long)s->pages.hosts_spent, (unsigned long long)s->pages.spent, command.at,
		needs.used ? needs.at : "");
	buf_release(&needs);
	buf_release(&command);
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
	if (s->end == CRAWL_SHARES)
		tell_shares(o->store, live_store(live), s);
	if (s->end == CRAWL_PUT_OFF) {
		const int err = tell_put_off(o->store, live_store(live), why);
		if (err || o->strict)
			return err ? err : err_set(why, ERR_PUT_OFF, "pages were put off, since they looked like more of the same");
	} else if (s->end != CRAWL_DONE && o->strict)
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

/* --- the mirror */

int crawl_mirror_check(const struct live_config *c, struct err_note *why)
{
	if (c->mirror && c->warc_dedup)
		return err_set(why, ERR_USAGE, "--mirror needs the bodies that --warc-dedup leaves out: give one of them");
	if (c->warc_compress && !zstd_is_there())
		return err_set(why, ERR_USAGE, "--warc-compress zstd: this program was built without libzstd");
	if (c->warc_compress && c->wacz)
		return err_set(why, ERR_USAGE, "--wacz: a WACZ file takes WARC files of gzip, and none of --warc-compress zstd");
	if (c->warc_dedup && !c->warc)
		return err_set(why, ERR_USAGE, "--warc-dedup is about an archive: give --warc PREFIX or --wacz FILE, too");
	return c->mirror ? folder_make(c->mirror, why) : 0;
}

static int add_file(void *ctx, const char *path, struct err_note *why)
{
	(void)why;
	warc_files_add(ctx, mem_text(path));
	return 0;
}

int crawl_mirror_write(const struct live_config *c, const struct destinations *others, struct extract_counts *counts,
	struct err_note *why)
{
	struct warc_files f = {.n = 0};

	*counts = (struct extract_counts){.files = 0};
	if (!c->mirror)
		return 0;
	int err = warc_each_file(c->warc, add_file, &f, why);
	if (!err)
		err = extract_pages(&(struct extraction){(const char *const *)f.path, f.n, c->mirror, INT64_MAX, others}, counts,
			why);
	if (err == ERR_NOTHING) /* no page has come yet */
		err = 0;
	warc_files_release(&f);
	return err;
}

/* Says whether a page is one of the seeds. */
static int is_seed(void *ctx, const char *url, size_t n)
{
	struct store *store = ctx;
	struct store_page page;
	uint32_t id;

	return store_find(store, url, n, &id) && store_page(store, id, &page) && page.depth == 0;
}

int crawl_wacz_write(const struct live_config *c, struct store *store, struct err_note *why)
{
	struct warc_files f = {.n = 0};

	if (!c->wacz)
		return 0;
	int err = warc_each_file(c->warc, add_file, &f, why);
	if (!err && f.n)
		err = wacz_write(&(struct wacz_content){c->wacz, (const char *const *)f.path, f.n, is_seed, store}, why);
	warc_files_release(&f);
	return err;
}
