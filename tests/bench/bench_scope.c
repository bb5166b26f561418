/* What scope and traps cost the coordinator: ns for each URL that a page leads to and that is new.
 *
 *	bench_scope [URLS [ROW]]
 *
 * Prints a line a figure: name TAB ns TAB "ns/URL", with the defaults and with every limit of the traps
 * off; for a URL with a path alone, with one parameter, with three, and with a session id; or for one ROW
 * of these alone, with the defaults. */
#include "base/clock.h"
#include "base/num.h"
#include "scope/scope.h"
#include "traps/traps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OFF "duplicates=0\nmirror=0\nsession-ids=0\nrepeats=0\ndepth=0\nyears=0\npast=0\nqueries=0\nhosts=0"

static struct scope *made(const char *traps)
{
	struct scope_settings s = {.span_hosts = 1, .max_depth = UINT32_MAX, .traps = traps, .year = 2026};
	struct scope *scope;
	struct err_note why;

	if (scope_new(&scope, &s, &why)) {
		fprintf(stderr, "%s\n", why.text);
		exit(1);
	}
	return scope;
}

/* URL number i of a pattern whose '#' is the number, on one of a hundred hosts. */
static void make(struct url *u, const char *pattern, unsigned i)
{
	struct buf text = BUF_EMPTY;

	buf_format(&text, "http://www%u.example.org", i % 100);
	for (; *pattern; pattern++)
		if (*pattern == '#')
			buf_format(&text, "%u", i);
		else
			buf_byte(&text, *pattern);
	if (url_parse(u, text.at, text.used, NULL))
		exit(1);
	buf_release(&text);
}

#define BATCH  50 /* URLs of a page: they are in the cache when they are judged */
#define ROUNDS 5  /* of which the fastest counts */

/* As a live crawl does with a URL that is new (crawler/network/net_source.c). */
static void meet(struct scope *s, unsigned id, const struct url *u)
{
	static const struct traps_world world = {NULL, NULL, NULL, NULL};
	const struct url_traits traits = url_traits(u);

	if (scope_judge_new(s, &traits, 3) == OUTCOME_NONE)
		traps_apply(scope_traps(s), &world,
			&(struct traps_fact){.kind = TRAPS_FOUND, .id = id, .target = TRAPS_NO_PAGE, .traits = &traits});
}

/* ns that n URLs of a pattern take, a page's at a time. */
static double once(const char *pattern, const char *traps, unsigned n)
{
	struct scope *s = made(traps);
	struct url u[BATCH] = {URL_EMPTY};
	int64_t took = 0;

	for (unsigned i = 0; i + BATCH <= n; i += BATCH) {
		for (unsigned k = 0; k < BATCH; k++)
			make(&u[k], pattern, i + k);
		const int64_t started = clock_read_ns(CLOCK_PROCESS_CPUTIME_ID);
		for (unsigned k = 0; k < BATCH; k++)
			meet(s, i + k, &u[k]);
		took += clock_read_ns(CLOCK_PROCESS_CPUTIME_ID) - started;
	}
	for (unsigned k = 0; k < BATCH; k++)
		url_release(&u[k]);
	scope_free(s);
	return (double)took / n;
}

static void measure(const char *name, const char *pattern, const char *traps, unsigned n)
{
	double best = once(pattern, traps, n);

	for (int i = 1; i < ROUNDS; i++) {
		const double next = once(pattern, traps, n);
		best = next < best ? next : best;
	}
	printf("%s\t%.0f\tns/URL\n", name, best);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name, *pattern;
	} rows[] = {
		{"path", "/archive/articles/#.html"},
		{"one parameter", "/forum/thread.php?id=#"},
		{"three parameters", "/forum/view.php?thread=#&page=7&sort=date"},
		{"session id", "/shop/item-#.html;jsessionid=0123456789ABCDEF?page=7"},
	};
	uint64_t n = 20000;

	if (argc > 1 && num_count(argv[1], 100000000, &n))
		return 2;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char name[64];
		if (argc > 2 && strcmp(argv[2], rows[i].name) != 0)
			continue;
		measure(rows[i].name, rows[i].pattern, "", (unsigned)n);
		if (argc > 2)
			break;
		snprintf(name, sizeof name, "%s, traps off", rows[i].name);
		measure(name, rows[i].pattern, OFF, (unsigned)n);
	}
	return 0;
}
