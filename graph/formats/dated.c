#include "graph/formats/dated.h"
#include "graph/formats/arctext.h"
#include "graph/formats/names.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MONTH_DIGITS 6

static const char complaint[] = "is no 'YYYYMM FROM TO COUNT' with TABs between";

struct reading {
	char *path; /* without the months */
	unsigned first, last;
	struct intern hosts;
	/* the month of each arc, for dated_snapshots(); NULL: of no interest */
	struct months *months;
};

struct months {
	unsigned *at;
	size_t n, room;
};

/* Returns the month YYYYMM at p, or 0 if there is none. */
static unsigned month_at(const char *p, const char *end)
{
	unsigned month = 0;

	if (end - p < MONTH_DIGITS)
		return 0;
	for (int i = 0; i < MONTH_DIGITS; i++) {
		if (p[i] < '0' || p[i] > '9')
			return 0;
		month = month * 10 + (unsigned)(p[i] - '0');
	}
	return month % 100 >= 1 && month % 100 <= 12 ? month : 0;
}

/* Prepares the reading of a path. If no file has the whole name, the text behind a # is the range of months. Returns 0, or
 * ERR_USAGE if that text is no range. */
static int reading_init(struct reading *r, const char *path, struct err_note *why)
{
	const char *mark = access(path, F_OK) == 0 ? NULL : strrchr(path, '#');

	*r = (struct reading){.path = mem_text(path), .last = 999912};
	if (!mark)
		return 0;
	r->path[mark - path] = 0;
	const char *p = mark + 1, *end = p + strlen(p);
	r->first = r->last = month_at(p, end);
	if (end - p == 2 * MONTH_DIGITS + 1 && p[MONTH_DIGITS] == '-')
		r->last = month_at(p + MONTH_DIGITS + 1, end);
	else if (end - p != MONTH_DIGITS)
		r->first = 0;
	if (!r->first || r->last < r->first)
		return err_set(why, ERR_USAGE, "'%s': months are given as #YYYYMM or #YYYYMM-YYYYMM, not '#%s'", r->path, p);
	return 0;
}

static void reading_release(struct reading *r)
{
	intern_release(&r->hosts);
	free(r->path);
}

/* Finds the field at *at, and moves *at behind the TAB after it. Returns the length of the field without the blanks around it; 0 if
 * it is empty. */
static size_t take_field(const char **at, const char *end, const char **field)
{
	const char *tab = memchr(*at, '\t', (size_t)(end - *at)), *stop = tab ? tab : end;

	*field = *at;
	*at = tab ? tab + 1 : end;
	while (*field < stop && **field == ' ')
		++*field;
	while (stop > *field && stop[-1] == ' ')
		stop--;
	return (size_t)(stop - *field);
}

/* Takes a line "month TAB from TAB to TAB count" of the months asked for. Returns NULL, also for a line of another month, or the
 * line if it is no such line. */
static const char *take_link(void *ctx, struct arcs *a, const char *line, const char *end)
{
	const char *p = line, *month_text, *from, *to, *count;
	struct reading *r = ctx;
	const size_t n = take_field(&p, end, &month_text);
	const unsigned month = n == MONTH_DIGITS ? month_at(month_text, month_text + n) : 0;
	const size_t from_length = take_field(&p, end, &from);
	const size_t to_length = take_field(&p, end, &to);

	if (!month || !from_length || !to_length)
		return line;
	for (size_t i = take_field(&p, end, &count); i-- > 0;)
		if (count[i] < '0' || count[i] > '9')
			return line;
	if (month < r->first || month > r->last)
		return NULL;
	const uint32_t u = intern_number(&r->hosts, from, from_length);
	const uint32_t v = intern_number(&r->hosts, to, to_length);
	if (r->months) {
		r->months->at = mem_grow(r->months->at, &r->months->room, r->months->n + 1, sizeof *r->months->at);
		r->months->at[r->months->n++] = month;
	}
	arcs_add(a, u, v);
	return NULL;
}

int dated_detect(const char *path)
{
	struct reading r;
	struct err_note note;
	/* dated_load() reports a malformed range of months */
	const int err = reading_init(&r, path, &note);
	const int is = lists_detect(r.path, take_link, &r);

	(void)err;
	reading_release(&r);
	return is;
}

/* Makes the hosts the names of the nodes. */
static void take_names(struct reading *r, struct names *names)
{
	intern_take(&r->hosts, &names->hosts, &names->host_text, &names->host_start);
	names->nodes = names->hosts;
	names->host = mem_new(names->nodes, sizeof *names->host);
	for (uint32_t i = 0; i < names->nodes; i++)
		names->host[i] = i;
}

int dated_load(const char *path, const struct graph_load *load, struct graph *g, struct err_note *why)
{
	struct reading r;
	int err = reading_init(&r, path, why);

	*g = (struct graph){0};
	if (!err)
		err = lists_load(r.path, load, take_link, &r, complaint, g, why);
	if (!err && !g->arcs) {
		err = err_set(why, ERR_NOTHING, "'%s' has no link of these months", path);
		graph_release(g);
	}
	if (!err && load->names)
		take_names(&r, load->names);
	reading_release(&r);
	return err;
}

/* --- a graph of each month */

static int by_month(const void *a, const void *b)
{
	const unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	return (x > y) - (x < y);
}

/* Returns the distinct months in their order, *n of them. */
static unsigned *distinct(const struct months *m, size_t *n)
{
	unsigned *month = mem_new(m->n + 1, sizeof *month);

	memcpy(month, m->at, m->n * sizeof *month);
	qsort(month, m->n, sizeof *month, by_month);
	*n = 0;
	for (size_t i = 0; i < m->n; i++)
		if (*n == 0 || month[*n - 1] != month[i])
			month[(*n)++] = month[i];
	return month;
}

static void make_snapshot(struct graph *g, uint32_t nodes, const struct arcs *a, const struct months *m, unsigned month)
{
	uint32_t *from = mem_new(m->n + 1, sizeof *from), *to = mem_new(m->n + 1, sizeof *to);
	uint64_t n = 0;

	for (size_t i = 0; i < m->n; i++)
		if (m->at[i] == month) {
			from[n] = a->from[i];
			to[n++] = a->to[i];
		}
	graph_take_arcs(g, nodes, from, to, n);
}

int dated_snapshots(const char *path, struct graph **snapshot, size_t *n, struct err_note *why)
{
	struct arcs a = ARCS_EMPTY;
	struct months months = {.n = 0};
	struct reading r;
	int err = reading_init(&r, path, why);

	*n = 0;
	r.months = &months;
	if (!err)
		err = lists_read(r.path, &a, take_link, &r, complaint, why);
	if (!err && !months.n)
		err = err_set(why, ERR_NOTHING, "'%s' has no link of these months", path);
	if (!err) {
		unsigned *month = distinct(&months, n);
		*snapshot = mem_new(*n, sizeof **snapshot);
		for (size_t i = 0; i < *n; i++)
			make_snapshot(&(*snapshot)[i], (uint32_t)r.hosts.count, &a, &months, month[i]);
		free(month);
	}
	free(months.at);
	arcs_release(&a);
	reading_release(&r);
	return err;
}
