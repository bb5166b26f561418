#include "cli/crawl/crawl_summary.h"
#include "base/ascii.h"
#include "base/mem.h"
#include "cli/store/store_endings.h"
#include "crawler/resume/retry.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

void crawl_summary_count(struct buf *out, uint64_t n)
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
		[CRAWL_UNREACHABLE] = "given up: the hosts left do not answer"};

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
		{"queued", BOLD, s->pages.queued, e->deferred, "deferred: they may be in a trap"}};

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
static void put_reasons(const struct sheet *p, const char *heading, struct reason *all, size_t n)
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
	put_reasons(p, "Failures", all, n);
	n = 0;
	for (unsigned o = outcome_next(0); o < OUTCOMES; o = outcome_next(o))
		add_reason(all, &n, e->refused[o], outcome_word(o), outcome_sentence(o));
	put_reasons(p, "Left out", all, n);
}

/* Writes what the visits of crawled pages have shown. */
static void put_visits(const struct sheet *p, const struct revisit_counts *v)
{
	struct reason all[] = {{v->same, "unchanged", NULL}, {v->changed, "changed", NULL},
		{v->gone, "gone", "the server has no such page any more"}, {v->moved, "moved", "a redirect leads to another page"},
		{v->failed, "failed", "they are visited again another time"}, {v->fresh, "new", "pages that were found on them"}};

	put_reasons(p, "Visited again", all, sizeof all / sizeof *all);
}

static void put_requisites(const struct sheet *p, const struct live_requisite_counts *r, const struct extract_counts *mirror)
{
	struct reason all[] = {{r->fetched, "fetched", NULL}, {r->failed, "failed", NULL},
		{r->refused, "left out", "robots.txt forbids them, or they were crawled as pages"},
		{r->queued, "queued", "the same command goes on with them"},
		{mirror ? mirror->files : 0, "files", "in the mirror, pages included"}};

	put_reasons(p, "What pages need to be seen", all, sizeof all / sizeof *all);
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

static void put_next(const struct sheet *p, const char *store, const struct live_summary *s, const struct endings *e)
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

	put_heading(p, "Next");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct buf line = BUF_EMPTY;
		if (!rows[i].is_good)
			continue;
		buf_format(&line, "lycosa %s", rows[i].verb);
		remedy_word(&line, store);
		buf_text(&line, rows[i].rest);
		fprintf(p->out, "  %-52s  ", line.at);
		put_in(p, DIM, rows[i].what);
		fputc('\n', p->out);
		buf_release(&line);
	}
}

/* --- the whole */

int crawl_summary_is_wanted(const struct crawl_options *o)
{
	return !o->report.json && (o->summary == SUMMARY_TEXT || (o->summary == SUMMARY_AUTO && isatty(STDOUT_FILENO)));
}

int crawl_summary_print(FILE *out, const struct crawl_options *o, struct live *live, const struct live_summary *s,
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
		put_next(&p, o->store, s, &endings);
	}
	endings_release(&endings);
	free(host);
	if (!err && (fflush(out) || ferror(out)))
		err = err_set(why, ERR_RESULTS, "cannot write the summary: %s", ascii_error(errno));
	return err;
}
