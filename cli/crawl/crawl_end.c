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
	AUTO(buf) text = BUF_EMPTY;

	crawl_summary_count(&text, n);
	fprintf(p->out, "%*s", width, text.at);
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
	AUTO(buf) text = BUF_EMPTY;

	crawl_summary_bytes(&text, (double)bytes);
	fputs(text.at, p->out);
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

/* Why a sitting ended, as a person and as a program reads it. */
static const struct {
	const char *sentence, *word;
} ends[] = {[CRAWL_DONE] = {"done", "done"},
	[CRAWL_PAGES] = {"stopped at --max-pages", "max-pages"},
	[CRAWL_TIME] = {"stopped at --max-time", "max-time"},
	[CRAWL_BYTES] = {"stopped at --max-bytes", "max-bytes"},
	[CRAWL_STOPPED] = {"interrupted", "interrupted"},
	[CRAWL_ENOUGH] = {"stopped at --stop-when", "stop-when"},
	[CRAWL_UNREACHABLE] = {"given up: the hosts left do not answer", "unreachable"},
	[CRAWL_SHARES] = {"stopped at --host-share", "host-share"},
	[CRAWL_PUT_OFF] = {"done but for what was put off", "put_off"}};

static void put_end(const struct sheet *p, const struct live_summary *s)
{
	put_in(p, s->end == CRAWL_UNREACHABLE ? RED : GREEN, ends[s->end].sentence);
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

static int by_count(const void *a, const void *b)
{
	const struct ending_reason *x = a, *y = b;

	return x->n != y->n ? (x->n < y->n ? 1 : -1) : strcmp(x->word, y->word);
}

/* Sorts reasons and writes those that were met. */
static void put_ends(const struct sheet *p, const char *heading, struct ending_reason *all, size_t n)
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

/* Writes the reasons of one state; the others lose their pages. */
static void put_failures(const struct sheet *p, const struct endings *e, enum page_state state, const char *heading)
{
	size_t n;
	AUTO_FREE struct ending_reason *all = endings_reasons(e, &n);

	for (size_t i = 0; i < n; i++)
		all[i].n *= all[i].state == state;
	put_ends(p, heading, all, n);
}

/* Writes what the visits of crawled pages have shown. */
static void put_visits(const struct sheet *p, const struct revisit_counts *v)
{
	struct ending_reason all[] = {{.n = v->same, .word = "unchanged"}, {.n = v->changed, .word = "changed"},
		{.n = v->gone, .word = "gone", .sentence = "the server has no such page any more"},
		{.n = v->moved, .word = "moved", .sentence = "a redirect leads to another page"},
		{.n = v->failed, .word = "failed", .sentence = "they are visited again another time"},
		{.n = v->fresh, .word = "new", .sentence = "pages that were found on them"}};

	put_ends(p, "Visited again", all, sizeof all / sizeof *all);
}

static void put_requisites(const struct sheet *p, const struct live_requisite_counts *r, const struct extract_counts *mirror)
{
	struct ending_reason all[] = {{.n = r->fetched, .word = "fetched"}, {.n = r->failed, .word = "failed"},
		{.n = r->refused, .word = "left out", .sentence = "robots.txt forbids them, or they were crawled as pages"},
		{.n = r->queued, .word = "queued", .sentence = "the same command goes on with them"},
		{.n = mirror ? mirror->files : 0, .word = "files", .sentence = "in the mirror, pages included"}};

	put_ends(p, "What pages need to be seen", all, sizeof all / sizeof *all);
}

/* --- hosts */

struct host {
	uint32_t id;
	uint32_t crawled, failed, queued;
};

static int by_crawled(const void *x, const void *y)
{
	const struct host *a = x, *b = y;

	return a->crawled != b->crawled ? (a->crawled < b->crawled ? 1 : -1) : (a->id > b->id) - (a->id < b->id);
}

/* What one pass over the pages counts. */
struct counting {
	struct store *store;
	struct endings endings;
	struct host *host; /* of the store */
};

static int count(void *ctx, uint32_t id, const struct ending *one)
{
	struct counting *c = ctx;
	struct store_page page;

	endings_add(&c->endings, one);
	if (!store_page(c->store, id, &page) || page.host >= store_hosts(c->store))
		return 0;
	c->host[page.host].crawled += one->state == PAGE_CRAWLED;
	c->host[page.host].failed += one->state == PAGE_FAILED;
	c->host[page.host].queued += one->state == PAGE_QUEUED;
	return 0;
}

/* Writes the first of the hosts, which it sorts. */
static void put_hosts(const struct sheet *p, struct store *store, struct host *host)
{
	const uint32_t hosts = store_hosts(store);
	AUTO(buf) title = BUF_EMPTY;

	for (uint32_t h = 0; h < hosts; h++)
		host[h].id = h;
	qsort(host, hosts, sizeof *host, by_crawled);
	if (hosts < 2 || !host->crawled)
		return;
	buf_text(&title, "Hosts with the most pages, of ");
	crawl_summary_count(&title, hosts);
	put_heading(p, title.at);
	for (uint32_t i = 0; i < TOP_HOSTS && i < hosts && host[i].crawled; i++) {
		put_count(p, 10, host[i].crawled);
		fputs("  ", p->out);
		results_print(p->out, store_host_name(store, host[i].id));
		if (host[i].failed)
			fprintf(p->out, ", %u failed", host[i].failed);
		if (host[i].queued)
			fprintf(p->out, ", %u queued", host[i].queued);
		fputc('\n', p->out);
	}
}

/* --- what comes next */

/* Says whether a failed page is tried again by --retry-failed. */
static int has_retries(const struct endings *e)
{
	size_t n, i = 0;
	AUTO_FREE struct ending_reason *all = endings_reasons(e, &n);

	while (i < n && !(all[i].state == PAGE_FAILED && (retry_reasons_of(all[i].outcome, all[i].status) & RETRY_ALL)))
		i++;
	return i < n;
}

/* Writes what a user has to add to a command for the store: " (with --proxy given again)", or nothing. */
static void put_needs(struct buf *out, const char *dir, struct store *store)
{
	AUTO(buf) names = BUF_EMPTY;

	live_decision_needs(store, dir, &names);
	if (names.used)
		buf_format(out, " (with %s given again)", names.at);
}

/* Prints the commands that may follow; beside those that crawl, the flags that have to be given again. */
static void put_next(const struct sheet *p, const struct crawl_options *o, struct store *store, const struct live_summary *s,
	const struct endings *e)
{
	const struct {
		int is_good;
		const char *verb, *place, *rest, *what;
	} rows[] = {{s->pages.queued > 0, "crawl --store ", o->store,
			    s->end == CRAWL_PAGES            ? " --no-max-pages"
				    : s->end == CRAWL_ENOUGH ? " --no-stop-when"
							     : "",
			    "goes on"},
		{has_retries(e), "crawl --store ", o->store, " --retry-failed", "tries failed pages again"},
		{s->pages.failed > 0, "store dump --store ", o->store, " --failed", "lists failed pages"},
		{o->config.warc != NULL, "archive serve ", o->config.warc, "-*.warc.*", "shows the pages as they were"},
		{1, "view ", o->store, "", "shows the crawl on a page"},
		{s->pages.crawled > 1, "rank --graph ", o->store, " --by pagerank --top 20", "ranks its pages"}};

	AUTO(buf) needs = BUF_EMPTY;

	put_needs(&needs, o->store, store);
	put_heading(p, "Next");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (!rows[i].is_good)
			continue;
		AUTO(buf) line = buf_of("lycosa %s", rows[i].verb);
		const int crawls = strncmp(rows[i].verb, "crawl ", 6) == 0;
		AUTO(buf) what = buf_of("%s%s", rows[i].what, crawls && needs.used ? needs.at : "");
		remedy_word(&line, rows[i].place);
		buf_text(&line, rows[i].rest);
		fprintf(p->out, "  %-52s  ", line.at);
		put_in(p, DIM, what.at);
		fputc('\n', p->out);
	}
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
	struct counting c = {.store = live_store(live)};

	c.host = mem_zero((size_t)store_hosts(c.store) + 1, sizeof *c.host);
	endings_init(&c.endings);
	int err = endings_each(c.store, count, &c, why);
	if (!err) {
		put_end(&p, s);
		put_pages(&p, s, &c.endings);
		put_visits(&p, &s->visits);
		if (s->has_requisites)
			put_requisites(&p, &s->requisites, mirror);
		put_hosts(&p, c.store, c.host);
		put_failures(&p, &c.endings, PAGE_FAILED, "Failures");
		put_failures(&p, &c.endings, PAGE_REFUSED, "Left out");
		put_next(&p, o, c.store, s, &c.endings);
	}
	endings_release(&c.endings);
	free(c.host);
	if (!err && (fflush(out) || ferror(out)))
		err = err_set(why, ERR_RESULTS, "cannot write the summary: %s", ascii_error(errno));
	return err;
}

static void tell_visits(struct results *r, const struct revisit_counts *v)
{
	RESULTS_COUNTS(r, {"visited", v->same + v->changed + v->gone + v->moved + v->failed}, {"visits_same", v->same},
		{"visits_changed", v->changed}, {"visits_gone", v->gone}, {"visits_moved", v->moved}, {"visits_failed", v->failed},
		{"visits_new", v->fresh});
}

static void tell_requisites(struct results *r, const struct live_requisite_counts *n, const struct extract_counts *mirror)
{
	RESULTS_COUNTS(r, {"requisites", n->fetched}, {"requisites_failed", n->failed}, {"requisites_refused", n->refused},
		{"requisites_queued", n->queued});
	if (mirror)
		RESULTS_COUNTS(r, {"mirror_files", mirror->files}, {"mirror_files_now", mirror->files - mirror->same});
}

int crawl_end_print(const struct crawl_options *o, struct live *live, const struct live_summary *s,
	const struct extract_counts *mirror, struct err_note *why)
{
	struct endings endings;
	struct results r;

	if (crawl_summary_is_wanted(o))
		return crawl_summary_print(stdout, o, live, s, mirror, why);
	report_begin(&o->report, &r);
	results_fact(&r, "store", cell_text(o->store));
	report_seconds(&o->report, &r, "seconds", s->ms * 1000000);
	results_figures(&r);
	results_fact(&r, "end", cell_text(ends[s->end].word));
	RESULTS_COUNTS(&r, {"crawled", s->pages.crawled}, {"crawled_now", s->crawled_now}, {"failed", s->pages.failed},
		{"refused", s->pages.refused}, {"redirected", s->pages.redirected}, {"queued", s->pages.queued},
		{"seen", s->pages.seen}, {"bytes_now", s->bytes_now});
	if (s->rendered_now)
		results_fact(&r, "rendered_now", cell_count(s->rendered_now));
	if (s->shells_now)
		results_fact(&r, "shells_now", cell_count(s->shells_now));
	if (!isnan(s->gain))
		results_fact(&r, "gain_expected", cell_real(s->gain));
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

/* Writes the reasons of failures, as in "2 dns: its host's name leads to no address; 1 status 404". */
static void put_reasons(struct buf *out, const struct endings *e)
{
	size_t n;
	AUTO_FREE struct ending_reason *all = endings_reasons(e, &n);

	for (size_t i = 0; i < n; i++)
		buf_format(out, "%s%llu %s%s%s", i ? "; " : "", (unsigned long long)all[i].n, all[i].word,
			all[i].sentence ? ": " : "", all[i].sentence ? all[i].sentence : "");
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
	AUTO(buf) reasons = BUF_EMPTY;
	AUTO(endings) e = {0};

	endings_init(&e);
	crawl_endings_add_seeds(&e, live);
	put_reasons(&reasons, &e);
	return err_set(why, ERR_ALL_SEEDS_FAILED, "every seed failed (%s); 'lycosa store explain --store %s URL' says more",
		reasons.used ? reasons.at : "for no reason known", store);
}

/* The pages of a place that were put off: of a family (parser/shape.h), for one reason. */
struct put_off {
	uint64_t key;
	uint64_t pages;
	uint32_t example; /* the first of them */
	enum outcome outcome;
};

struct putting_off {
	struct store *store;
	struct map map; /* of struct put_off */
};

static int add_put_off(void *ctx, uint32_t id, const struct ending *e)
{
	struct putting_off *o = ctx;
	struct store_page page;
	struct url u;

	if (e->state != PAGE_REFUSED || !e->had_turn || !outcome_is_skip(e->outcome) || !store_page(o->store, id, &page) ||
		url_split(&u, page.url, page.url_length) != URL_OK)
		return 0;
	struct put_off *p = map_at(&o->map, shape_family(&u) ^ e->outcome);
	if (!p->pages++) {
		p->example = id;
		p->outcome = e->outcome;
	}
	return 0;
}

/* Counts the pages of a store that were put off, by place, into put_off[n]; the caller frees it. Returns 0 or ERR_DAMAGED. */
static int count_put_off(struct store *store, struct put_off **put_off, size_t *n, struct err_note *why)
{
	struct putting_off o = {.store = store};
	struct map_walk walk = {0};

	map_init(&o.map, sizeof(struct put_off));
	const int err = endings_each(store, add_put_off, &o, why);
	*put_off = mem_zero(o.map.used + 1, sizeof **put_off);
	*n = 0;
	for (const struct put_off *p; (p = map_next(&o.map, &walk));)
		(*put_off)[(*n)++] = *p;
	map_release(&o.map);
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
	AUTO(buf) needs = BUF_EMPTY;
	size_t n;
	int err = count_put_off(store, &p, &n, why);

	put_needs(&needs, dir, store);
	qsort(p, n, sizeof *p, has_more_put_off);
	for (size_t i = 0; !err && i < n && i < TOP_HOSTS; i++) {
		AUTO(buf) command = BUF_EMPTY;
		if (store_page(store, p[i].example, &page) && remedy_command(dir, p[i].outcome, 0, &command))
			log_say("put off: %llu pages like %s (%s); '%s'%s crawls them", (unsigned long long)p[i].pages, page.url,
				outcome_word(p[i].outcome), command.at, needs.used ? needs.at : "");
	}
	if (n > TOP_HOSTS)
		log_say("put off: %zu more places; --rejected FILE lists the pages", n - TOP_HOSTS);
	free(p);
	return err;
}

/* Says which part of the budget hosts were kept from, and the command that gives it to them. */
static void tell_shares(const char *dir, struct store *store, const struct live_summary *s)
{
	AUTO(buf) command = BUF_EMPTY, needs = BUF_EMPTY;

	put_needs(&needs, dir, store);
	buf_text(&command, "lycosa crawl --store ");
	remedy_word(&command, dir);
	log_say("hosts that have had what --host-share lets them take of the budget: %llu, with %llu pages queued; '%s --host-share 1'%s "
		"goes on with them",
		(unsigned long long)s->pages.hosts_spent, (unsigned long long)s->pages.spent, command.at,
		needs.used ? needs.at : "");
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

struct rejecting {
	struct output *out;
	struct store *store;
};

static int write_if_rejected(void *ctx, uint32_t id, const struct ending *e)
{
	const struct rejecting *r = ctx;
	struct store_page page;

	if (e->state == PAGE_REFUSED && store_page(r->store, id, &page)) {
		output_text(r->out, page.url);
		output_text(r->out, "\t");
		output_text(r->out, outcome_word(e->outcome));
		output_text(r->out, "\n");
	}
	return 0;
}

static int write_rejected(struct output *out, struct live *l, struct err_note *why)
{
	return endings_each(live_store(l), write_if_rejected, &(struct rejecting){out, live_store(l)}, why);
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

/* Writes a list, if there is to be one, and closes its file. */
static int write_list(struct output **list, int (*write)(struct output *, struct live *, struct err_note *), struct live *l,
	struct err_note *why)
{
	struct output *out = *list;
	const int err = out ? write(out, l, why) : 0;

	if (err || !out)
		return err;
	*list = NULL;
	return output_close(out, why);
}

int crawl_lists_write(struct crawl_lists *lists, struct live *l, struct err_note *why)
{
	int err = write_list(&lists->order, write_order, l, why);

	if (!err)
		err = write_list(&lists->rejected, write_rejected, l, why);
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

/* What rank_page() needs. */
struct ranking {
	struct store *store;
	uint8_t *made_up; /* store_made_up() */
};

/* The url_rank_fn of a crawl: its seeds are main pages, and addresses that lycosa made up are no pages. */
static int rank_page(void *ctx, const char *url, size_t n)
{
	const struct ranking *r = ctx;
	struct store_page page;
	uint32_t id;

	if (!store_find(r->store, url, n, &id))
		return 0;
	return r->made_up[id] ? -1 : store_page(r->store, id, &page) && page.depth == 0;
}

int crawl_mirror_write(const struct live_config *c, struct store *store, const struct destinations *others,
	struct extract_counts *counts, struct err_note *why)
{
	struct warc_files f = {.n = 0};

	*counts = (struct extract_counts){.files = 0};
	if (!c->mirror)
		return 0;
	struct ranking ranking = {store, store_made_up(store)};
	int err = warc_each_file(c->warc, add_file, &f, why);
	if (!err)
		err = extract_pages(&(struct extraction){(const char *const *)f.path, f.n, c->mirror, INT64_MAX, others, rank_page,
					    &ranking},
			counts, why);
	free(ranking.made_up);
	if (err == ERR_NOTHING) /* no page has come yet */
		err = 0;
	warc_files_release(&f);
	return err;
}

int crawl_wacz_write(const struct live_config *c, struct store *store, struct err_note *why)
{
	struct warc_files f = {.n = 0};

	if (!c->wacz)
		return 0;
	struct ranking ranking = {store, store_made_up(store)};
	int err = warc_each_file(c->warc, add_file, &f, why);
	if (!err && f.n)
		err = wacz_write(&(struct wacz_content){c->wacz, (const char *const *)f.path, f.n, c->warc_dedup, rank_page,
					 &ranking},
			why);
	free(ranking.made_up);
	warc_files_release(&f);
	return err;
}
