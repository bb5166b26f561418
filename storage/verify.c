#include "base/ascii.h"
#include "base/mem.h"
#include "base/progress.h"
#include "storage/handle.h"
#include "storage/visits.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>

#define STEPS 256u /* between two looks at the clock */

void breach(struct breaches *b, const char *format, ...)
{
	char line[512];
	va_list args;

	va_start(args, format);
	ascii_format_list(line, sizeof line, format, args);
	va_end(args);
	err_escape(line);
	if (b->n < INT_MAX)
		b->n++;
	b->tell(b->ctx, line);
}

void store_watch(struct store *s, struct progress *p)
{
	s->progress = p;
}

void verify_step(struct store *s)
{
	if (s->progress && ++s->steps % STEPS == 0)
		progress_tick(s->progress, s->steps, NULL);
}

/* Returns about how often verify_step() is called, for the progress. */
static uint64_t steps_of(const struct store *s)
{
	return 2 * (uint64_t)store_hosts(s) + 3 * (uint64_t)store_pages(s) + s->results.n + s->links.n + store_log_length(s);
}

/* Checks rule S3: whether the records can be read one by one. Returns 1, or 0 after a breach. */
static int verify_chunks(struct records *r, struct breaches *b)
{
	struct err_note why;
	int before = b->n;

	for (size_t i = 0; i < r->chunks; i++) {
		if (records_read_chunk(r, i, &why)) {
			breach(b, "S3: %s", why.text);
			continue;
		}
		const struct chunk *k = &r->chunk[i];
		uint64_t count = records_chunk_end(r, i) - k->first, last = 0;
		for (uint64_t at = 0; k->ends && at < count; at++) {
			uint32_t end = records_end_at(k->ends, at);
			if (end <= last || end > k->size)
				breach(b, "S3: database '%s', record %llu ends where it cannot", env_db_name(r->db),
					(unsigned long long)(k->first + at));
			last = end;
		}
		if (k->ends && last != k->size)
			breach(b, "S3: database '%s', chunk %llu has bytes of no record", env_db_name(r->db),
				(unsigned long long)k->first);
	}
	return b->n == before;
}

static int any_robots(void *ctx, struct bytes origin, struct bytes value, struct err_note *why)
{
	(void)ctx, (void)origin, (void)value, (void)why;
	return 0;
}

/* Checks rule S3 for the robots.txt that are kept. */
static int verify_robots(struct store *s, struct breaches *b)
{
	struct err_note why;

	if (s->env.format < ENV_FORMAT_SUMS || env_walk(&s->env, ENV_ROBOTS, ENV_CHECKED, any_robots, NULL, &why) == 0)
		return 1;
	breach(b, "S3: %s", why.text);
	return 0;
}

struct visit_check {
	struct store *store;
	struct breaches *b;
};

/* Checks rule S12 for one page or change. */
static int verify_visit(void *ctx, uint32_t id, const struct store_visited *v, const struct store_change *c, struct err_note *why)
{
	const struct visit_check *check = ctx;
	struct breaches *b = check->b;
	struct result result;

	(void)why;
	if (!c && (!store_result(check->store, id, &result) || result.state != PAGE_CRAWLED))
		breach(b, "S12: page %u has later visits, but is not crawled", id);
	if (!c && v->changes > v->visits)
		breach(b, "S12: page %u has %u changes in %u visits", id, v->changes, v->visits);
	if (c && (c->at < c->before || (c->now == STORE_MOVED) != (c->target != STORE_NO_PAGE)))
		breach(b, "S12: a change of page %u has times or a target that cannot be", id);
	return 0;
}

/* Checks rule S12 for all visits; reading the values checks rule S3. */
static void verify_visits(struct store *s, struct breaches *b)
{
	struct visit_check check = {s, b};
	struct err_note why;

	if (store_visits_each(s, verify_visit, &check, &why))
		breach(b, "S12: %s", why.text);
}

static int is_clean_url(const struct store_page *page)
{
	for (size_t i = 0; i < page->url_length; i++) {
		unsigned char c = (unsigned char)page->url[i];
		if (c <= ' ' || c == 0x7f)
			return 0;
	}
	return 1;
}

/* Reports each text that is equal to an earlier one: rules S4 and S5. */
static void verify_distinct(struct store *s, struct texts *t, const char *what, struct breaches *b)
{
	struct err_note why;
	const char *text;
	uint32_t found;
	size_t n;

	if (!t->built && texts_build(t, &why))
		breach(b, "%s: %s", what, why.text);
	for (uint32_t i = 0; i < t->records.n; i++) {
		verify_step(s);
		if (texts_read(t, i, &text, &n) && texts_find(t, text, n, &found) && found != i)
			breach(b, "%s: database '%s', %u and %u are the same", what, env_db_name(t->records.db), found, i);
	}
}

static void verify_pages(struct store *s, struct breaches *b)
{
	struct store_page page;

	for (uint32_t i = 0; i < store_pages(s); i++) {
		verify_step(s);
		if (!store_page(s, i, &page))
			breach(b, "S4: page %u cannot be read", i);
		else if (!is_clean_url(&page))
			breach(b, "S4: page %u has a URL with bytes that no URL has", i);
	}
	verify_distinct(s, &s->pages, "S4", b);
}

static void verify_hosts(struct store *s, struct breaches *b)
{
	const uint8_t *at;
	size_t n;

	for (uint32_t i = 0; i < store_hosts(s); i++) {
		verify_step(s);
		if (!records_get(&s->hosts.records, i, &at, &n) || n < 2 || memchr(at, 0, n) != at + n - 1)
			breach(b, "S5: host %u has no name", i);
	}
	verify_distinct(s, &s->hosts, "S5", b);
}

/* Checks rule S6: results can be read, and have a target if and only if their state allows one. */
static void verify_results(struct store *s, struct breaches *b)
{
	struct result result;
	const uint8_t *at;
	size_t n;

	for (uint64_t i = 0; i < s->results.n; i++) {
		verify_step(s);
		if (!records_get(&s->results, i, &at, &n) || result_read(s, at, n, &result))
			breach(b, "S6: result %llu cannot be read", (unsigned long long)i);
		else if (result.state == PAGE_REDIRECTED && result.target == STORE_NO_PAGE)
			breach(b, "S6: page %u is redirected to nowhere", result.id);
		else if (result.state != PAGE_REDIRECTED && result.state != PAGE_REFUSED && result.target != STORE_NO_PAGE)
			breach(b, "S6: page %u is not redirected, but has a target", result.id);
	}
}

/* Checks rule S7: the links of a page can be read, and are distinct. */
static void verify_links(struct store *s, struct breaches *b)
{
	uint32_t *last = mem_zero((size_t)store_pages(s) + 1, sizeof *last); /* record + 1, by page */
	uint32_t id;
	size_t n;
	int kinds;

	for (uint64_t i = 0; i < s->links.n; i++) {
		verify_step(s);
		if (links_read(s, i, &id, &n, &kinds)) {
			breach(b, "S7: links %llu cannot be read", (unsigned long long)i);
			continue;
		}
		for (size_t k = 0; k < n; k++) {
			if (last[s->link[k]] == i + 1)
				breach(b, "S7: page %u links to page %u twice", id, s->link[k]);
			last[s->link[k]] = (uint32_t)i + 1;
		}
	}
	free(last);
}

int store_verify(struct store *s, void (*tell)(void *ctx, const char *line), void *ctx, struct err_note *why)
{
	struct breaches b = {.tell = tell, .ctx = ctx};
	struct err_note note;

	s->steps = 0;
	if (s->progress)
		s->progress->total = steps_of(s);
	/* S2 was looked at when it was opened */
	int status = env_verify(&s->env, &note);
	if (status == ERR_DAMAGED)
		breach(&b, "S1: %s", note.text);
	else if (status)
		return err_set(why, (enum err)status, "%s", note.text);
	/* none is skipped after a breach, since each function reports the breaches of its own part */
	int good = verify_chunks(&s->hosts.records, &b);
	good &= verify_chunks(&s->pages.records, &b);
	good &= verify_chunks(&s->results, &b);
	good &= verify_chunks(&s->links, &b);
	good &= verify_chunks(&s->log, &b);
	good &= verify_robots(s, &b);
	if (!good)
		return b.n;
	verify_hosts(s, &b);
	verify_pages(s, &b);
	verify_results(s, &b);
	verify_links(s, &b);
	verify_visits(s, &b);
	status = verify_log(s, &b, why);
	return status ? status : b.n;
}
