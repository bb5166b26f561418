#include "cli/store/store_endings.h"
#include "base/ascii.h"
#include "base/mem.h"
#include "base/outcome.h"
#include "crawler/resume/retry.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define STATUSES (UINT16_MAX + 1u)

int endings_refusals(struct store *s, uint8_t **out, struct err_note *why)
{
	struct store_log_cursor *c = store_log_start(s);
	uint8_t *refusal = mem_zero((size_t)store_pages(s) + 1, 1);
	struct store_page page;
	struct log_entry e;
	int err;

	for (uint32_t id = 0; id < store_pages(s); id++)
		refusal[id] = store_page(s, id, &page) ? page.refusal : OUTCOME_NONE;
	while ((err = store_log_next(c, &e, why)) > 0) {
		if (e.kind == LOG_JUDGED || e.kind == LOG_ADMITTED || e.kind == LOG_EXPELLED)
			refusal[e.id] = e.outcome;
		if (e.kind == LOG_SEED || e.kind == LOG_SITEMAP)
			refusal[e.id] = OUTCOME_NONE;
	}
	store_log_stop(c);
	if (err)
		free(refusal);
	*out = err ? NULL : refusal;
	return err;
}

struct ending ending_by(const struct result *result, enum outcome refusal)
{
	if (result)
		return (struct ending){(enum page_state)result->state, (enum outcome)result->outcome, result->status, result->tries,
			1};
	return (struct ending){refusal ? PAGE_REFUSED : PAGE_QUEUED, refusal, 0, 0, 0};
}

struct ending ending_of(struct store *s, uint32_t id, const uint8_t *refusal)
{
	struct result result;

	return ending_by(store_result(s, id, &result) ? &result : NULL, (enum outcome)refusal[id]);
}

void endings_init(struct endings *e)
{
	*e = (struct endings){.failed_status = mem_zero(STATUSES, sizeof *e->failed_status)};
}

void endings_release(struct endings *e)
{
	free(e->failed_status);
}

void endings_add(struct endings *e, const struct ending *one)
{
	const unsigned outcome = one->outcome % OUTCOMES;

	e->state[one->state]++;
	e->deferred += one->state == PAGE_QUEUED && outcome == OUTCOME_DEFERRED;
	e->skipped += one->state == PAGE_REFUSED && one->had_turn && outcome_is_skip(outcome);
	if (one->state == PAGE_REFUSED)
		e->refused[outcome]++;
	else if (one->state == PAGE_FAILED && outcome == OUTCOME_STATUS)
		e->failed_status[one->status]++;
	else if (one->state == PAGE_FAILED)
		e->failed[outcome]++;
}

int endings_each(struct store *s, int (*each)(void *ctx, uint32_t id, const struct ending *), void *ctx, struct err_note *why)
{
	uint8_t *refusal;
	int err = endings_refusals(s, &refusal, why);

	for (uint32_t id = 0; !err && id < store_pages(s); id++) {
		const struct ending one = ending_of(s, id, refusal);
		err = each(ctx, id, &one);
	}
	free(refusal);
	return err;
}

static int add(void *endings, uint32_t id, const struct ending *one)
{
	(void)id;
	endings_add(endings, one);
	return 0;
}

int endings_add_store(struct endings *e, struct store *s, struct err_note *why)
{
	return endings_each(s, add, e, why);
}

struct ending_reason *endings_reasons(const struct endings *e, size_t *n)
{
	struct ending_reason *all = mem_new(2 * OUTCOMES + STATUSES, sizeof *all);

	*n = 0;
	for (unsigned o = outcome_next(0); o < OUTCOMES; o = outcome_next(o))
		for (unsigned refused = 0; refused < 2; refused++) {
			const uint64_t pages = refused ? e->refused[o] : e->failed[o];
			struct ending_reason *r = &all[*n];
			if (!pages)
				continue;
			*r = (struct ending_reason){pages, refused ? PAGE_REFUSED : PAGE_FAILED, o, 0, "", outcome_sentence(o)};
			snprintf(r->word, sizeof r->word, "%s", outcome_word(o));
			++*n;
		}
	for (unsigned status = 0; status < STATUSES; status++)
		if (e->failed_status[status]) {
			all[*n] = (struct ending_reason){e->failed_status[status], PAGE_FAILED, OUTCOME_STATUS, status, "", NULL};
			snprintf(all[*n].word, sizeof all->word, "status %u", status);
			++*n;
		}
	return all;
}

void endings_tell(const struct endings *e, struct results *r)
{
	static const struct {
		enum page_state state;
		int has_status;
	} parts[] = {{PAGE_FAILED, 1}, {PAGE_FAILED, 0}, {PAGE_REFUSED, 0}};
	size_t n;
	AUTO_FREE struct ending_reason *all = endings_reasons(e, &n);

	RESULTS_COUNTS(r, {"put_off", e->deferred}, {"skipped", e->skipped});
	for (size_t p = 0; p < 3; p++)
		for (size_t i = 0; i < n; i++) {
			if (all[i].state != parts[p].state || (all[i].sentence == NULL) != parts[p].has_status)
				continue;
			const size_t digits = all[i].sentence ? 0 : strlen("status ");
			AUTO(buf)
			name = buf_of("%s_%s", parts[p].state == PAGE_FAILED ? "failed" : "refused", all[i].word + digits);
			results_fact(r, name.at, cell_count(all[i].n));
		}
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Returns the URLs of the pages that failed, sorted by bytes; the caller frees the array and the texts. */
static char **failed_urls(struct store *s, size_t *n)
{
	char **url = NULL;
	size_t room = 0;
	struct result result;
	struct store_page page;

	*n = 0;
	for (uint32_t id = 0; id < store_pages(s); id++) {
		if (!store_result(s, id, &result) || result.state != PAGE_FAILED || !store_page(s, id, &page))
			continue;
		url = mem_grow(url, &room, *n + 1, sizeof *url);
		url[(*n)++] = mem_text(page.url);
	}
	if (*n)
		qsort(url, *n, sizeof *url, compare);
	return url;
}

/* Calls a function for each page that failed, by URL. */
static void each_failed(struct store *s, void (*call)(void *ctx, const char *url, const struct result *), void *ctx)
{
	struct result result;
	uint32_t id;
	size_t n;
	char **url = failed_urls(s, &n);

	for (size_t i = 0; i < n; i++) {
		if (store_find(s, url[i], strlen(url[i]), &id) && store_result(s, id, &result))
			call(ctx, url[i], &result);
		free(url[i]);
	}
	free(url);
}

static void print_failed(void *out, const char *url, const struct result *result)
{
	fprintf(out, "%s\t%s\t%u\t%lu\n", url, outcome_word(result->outcome), result->status, (unsigned long)result->tries);
}

int endings_list_failed(struct store *s, FILE *out, struct err_note *why)
{
	each_failed(s, print_failed, out);
	return fflush(out) ? err_set(why, ERR_RESULTS, "cannot write: %s", ascii_error(errno)) : 0;
}

static void tell_failed(void *ctx, const char *url, const struct result *result)
{
	struct results *r = ctx;

	RESULTS_CELLS(r, cell_text(url), cell_text(outcome_word(result->outcome)), cell_count(result->status),
		cell_count(result->tries));
}

void endings_tell_failed(struct store *s, struct results *r)
{
	static const char *const columns[] = {"url", "reason", "status", "tries", NULL};

	results_columns(r, columns);
	each_failed(s, tell_failed, r);
}

/* --- remedies */

void remedy_word(struct buf *out, const char *text)
{
	const int is_plain = *text && !strpbrk(text, " \t\n'\"\\$&;|<>()*?[]{}#~`!");

	if (!is_plain)
		buf_text(out, "'");
	for (; *text; text++) {
		const unsigned char c = (unsigned char)*text;
		if (c == '\'')
			buf_text(out, "'\\''");
		else
			buf_format(out, "%c", c < 32 || c == 127 ? '?' : c);
	}
	if (!is_plain)
		buf_text(out, "'");
}

/* Returns the flags that end the rule, or the detector, that a page was refused for; NULL if there are none. */
static const char *flags_against(unsigned outcome)
{
	static const struct {
		enum outcome outcome;
		const char *flags;
	} rows[] = {{OUTCOME_DUPLICATE, "--retry-skipped --trap-opt duplicates=0"},
		{OUTCOME_MIRROR, "--retry-skipped --trap-opt mirror=0"},
		{OUTCOME_SESSION, "--retry-skipped --trap-opt session-ids=0"},
		{OUTCOME_REPEATS, "--retry-skipped --trap-opt repeats=0 --trap-opt depth=0"},
		{OUTCOME_QUERIES, "--retry-skipped --trap-opt queries=0"}, {OUTCOME_CHAIN, "--retry-skipped --trap-opt chain=0"},
		{OUTCOME_CALENDAR, "--retry-skipped --trap-opt years=0 --trap-opt past=0"},
		{OUTCOME_BUDGET, "--retry-skipped --no-max-per-host --no-max-per-domain"},
		{OUTCOME_HOSTS, "--retry-skipped --trap-opt hosts=0"}, {OUTCOME_PRIVATE, "--retry-failed=private --allow-private"}};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].outcome == outcome)
			return rows[i].flags;
	return NULL;
}

int remedy_command(const char *store, unsigned outcome, unsigned status, struct buf *out)
{
	const char *flags = flags_against(outcome);

	if (!flags && (retry_reasons_of(outcome, status) & RETRY_ALL))
		flags = "--retry-failed";
	if (!flags)
		return 0;
	buf_text(out, "lycosa crawl --store ");
	remedy_word(out, store);
	buf_format(out, " %s", flags);
	return 1;
}
