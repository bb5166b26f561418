#include "seeds/values.h"
#include "base/input.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/rng.h"
#include "graph/formats/names.h"
#include "seeds/method.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ONE_MOST INT64_C(1000000000000000000)

static int bad_line(const struct input *in, struct err_note *why, const char *what)
{
	return err_set(why, ERR_FORMAT, "%s:%llu: %s", input_path(in), (unsigned long long)input_line_number(in), what);
}

typedef int take_line(void *ctx, const struct input *in, char *line, struct err_note *why);

/* Hands each line of a file that is neither empty nor a comment to take(), until a call returns an error. */
static int each_line(const char *path, take_line *take, void *ctx, struct err_note *why)
{
	struct input *in;
	char *line;
	size_t n;
	int err = input_open(&in, path, why);

	if (err)
		return err;
	while ((err = input_line(in, &line, &n, why)) > 0)
		if (*line && *line != '#' && (err = take(ctx, in, line, why)))
			break;
	input_close(in);
	return err;
}

struct worths {
	const struct graph *g;
	double *value;
};

static int take_worth(void *ctx, const struct input *in, char *line, struct err_note *why)
{
	const struct worths *w = ctx;
	const unsigned long long number = input_line_number(in);
	char *tab = strchr(line, '\t');
	uint64_t label;
	uint32_t node;
	double worth;

	if (!tab)
		return bad_line(in, why, "not of the form id<TAB>value");
	*tab = 0;
	if (num_count(line, UINT64_MAX, &label) || !graph_find_label(w->g, label, &node))
		return err_set(why, ERR_FORMAT, "%s:%llu: no node '%s' in the graph", input_path(in), number, line);
	if (num_real(tab + 1, &worth) || fabs(worth) > SEED_VALUE_MAX)
		return err_set(why, ERR_FORMAT, "%s:%llu: '%s' is no value from %g to %g", input_path(in), number, tab + 1,
			-SEED_VALUE_MAX, SEED_VALUE_MAX);
	w->value[node] = worth;
	return 0;
}

static int is_whole(double x)
{
	return fabs(x - nearbyint(x)) <= 1e-15 * fabs(x);
}

/* Returns what stands for the value 1, so that the digits of all values are kept if possible. */
static int64_t choose_one(const double *value, uint32_t nodes)
{
	int64_t one = SEED_VALUE_ONE;
	double sum = 0;

	for (uint32_t v = 0; v < nodes; v++)
		sum += fabs(value[v]);
	for (uint32_t v = 0; v < nodes; v++)
		while (!is_whole(value[v] * (double)one) && one < ONE_MOST &&
			10 * sum * (double)one <= SEED_VALUE_SUM_MAX * (double)SEED_VALUE_ONE)
			one *= 10;
	return one;
}

double seed_value_real(int64_t value, int64_t one)
{
	/* the quotient of long doubles, of 64 bits, is rounded as that of the whole numbers is */
	return (double)((long double)value / (long double)one);
}

int seed_values_check(const int64_t *value, uint32_t nodes, const char *path, struct err_note *why)
{
	double sum = 0;

	for (uint32_t v = 0; v < nodes; v++)
		sum += fabs((double)value[v]);
	if (sum <= SEED_VALUE_SUM_MAX * (double)SEED_VALUE_ONE)
		return 0;
	return err_set(why, ERR_TOO_BIG, "%s: the values sum up to more than %g, signs aside", path, SEED_VALUE_SUM_MAX);
}

int seed_values_read(const char *path, const struct graph *g, int64_t **value, int64_t *one, struct err_note *why)
{
	struct worths w = {g, mem_new(g->nodes, sizeof *w.value)};

	*value = NULL;
	for (uint32_t v = 0; v < g->nodes; v++)
		w.value[v] = 1;
	int err = each_line(path, take_worth, &w, why);
	if (!err) {
		*one = choose_one(w.value, g->nodes);
		*value = mem_new(g->nodes, sizeof **value);
		for (uint32_t v = 0; v < g->nodes; v++)
			(*value)[v] = llround(w.value[v] * (double)*one);
		err = seed_values_check(*value, g->nodes, strcmp(path, "-") == 0 ? "stdin" : path, why);
	}
	free(w.value);
	if (err) {
		free(*value);
		*value = NULL;
	}
	return err;
}

#define MOST_UNCRAWLED 1000000 /* of a page */
#define MOST_PAGES     UINT32_MAX
#define MOST_FIELDS    4

int64_t attributes_value(int spam, int clicked, uint64_t uncrawled, struct uniqueness p)
{
	const int64_t own = clicked ? 10 : spam ? -10 : 1;
	const rng_wide share = (rng_wide)uncrawled * p.unique * (uint64_t)SEED_VALUE_ONE;

	return own * SEED_VALUE_ONE + (int64_t)((2 * share + p.of) / (2 * (rng_wide)p.of));
}

/* Splits a line at its TABs, which become NULs. Returns the number of fields, or MOST_FIELDS + 1 if there are more than
 * MOST_FIELDS. */
static size_t split(char *line, char *field[MOST_FIELDS])
{
	size_t n = 0;

	for (char *next = line; next; n++) {
		if (n == MOST_FIELDS)
			return MOST_FIELDS + 1;
		field[n] = next;
		next = strchr(next, '\t');
		if (next)
			*next++ = 0;
	}
	return n;
}

/* --- uniqueness, a fraction a site */

static int share_of(const char *text, struct uniqueness *p)
{
	double share;

	if (num_real(text, &share) || share < 0 || share > 1)
		return -1;
	*p = (struct uniqueness){(uint64_t)llround(share * 1e6), 1000000};
	return 0;
}

static int compare_names(const void *a, const void *b, void *ctx)
{
	const struct names *names = ctx;

	return strcmp(names->host_text + names->host_start[*(const uint32_t *)a],
		names->host_text + names->host_start[*(const uint32_t *)b]);
}

/* Returns the host with this name, by binary search in sorted[]; UINT32_MAX if there is none. */
static uint32_t find_host(const struct names *names, const uint32_t *sorted, const char *name)
{
	uint32_t low = 0, high = names->hosts;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		const int order = strcmp(names->host_text + names->host_start[sorted[middle]], name);
		if (order == 0)
			return sorted[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return UINT32_MAX;
}

struct sites {
	const struct names *names;
	uint32_t *sorted;
	struct uniqueness *site;
};

/* Takes the line of a site. A site that the graph does not have is ignored: the file may be of a larger crawl. */
static int take_site(void *ctx, const struct input *in, char *line, struct err_note *why)
{
	const struct sites *s = ctx;
	struct uniqueness p;
	char *field[MOST_FIELDS];

	const size_t n = split(line, field);
	if (n == 3) {
		if (num_count(field[1], MOST_PAGES, &p.unique) || num_count(field[2], MOST_PAGES, &p.of) || p.unique > p.of)
			return bad_line(in, why, "not of the form site<TAB>unique<TAB>new, two counts");
		if (!p.of)
			return 0; /* without new pages the line says nothing about the site */
	} else if (n != 2 || share_of(field[1], &p)) {
		return bad_line(in, why, "not of the form site<TAB>share, a number from 0 to 1");
	}
	const uint32_t host = find_host(s->names, s->sorted, field[0]);
	if (host != UINT32_MAX)
		s->site[host] = p;
	return 0;
}

static int read_sites(const struct attributes *a, struct uniqueness *site, struct err_note *why)
{
	struct sites s = {.names = a->names, .site = site};
	const uint32_t hosts = a->names->hosts;

	if (!hosts)
		return err_set(why, ERR_USAGE,
			"--p-unique '%s': a file needs the hosts of the pages: give --hosts or "
			"--urls, or a number",
			a->p_unique);
	s.sorted = mem_new(hosts, sizeof *s.sorted);
	for (uint32_t i = 0; i < hosts; i++)
		s.sorted[i] = i;
	qsort_r(s.sorted, hosts, sizeof *s.sorted, compare_names, (void *)a->names);
	const int err = each_line(a->p_unique, take_site, &s, why);
	free(s.sorted);
	return err;
}

/* --- pages */

struct reading {
	const struct attributes *a;
	const struct uniqueness *site; /* of each host */
	struct uniqueness all;
	int64_t *value;
};

static struct uniqueness uniqueness_of(const struct reading *r, uint32_t v)
{
	return r->site ? r->site[r->a->names->host[v]] : r->all;
}

static uint64_t known_uncrawled(const struct reading *r, uint32_t v)
{
	return r->a->uncrawled ? r->a->uncrawled[v] : 0;
}

static int take_page(void *ctx, const struct input *in, char *line, struct err_note *why)
{
	const struct reading *r = ctx;
	char *field[MOST_FIELDS];
	uint64_t label, spam, clicked, uncrawled;
	uint32_t v;

	const size_t n = split(line, field);
	if (n < 3 || n > MOST_FIELDS || num_count(field[1], 1, &spam) || num_count(field[2], 1, &clicked))
		return bad_line(in, why, "not of the form id<TAB>spam<TAB>clicked<TAB>uncrawled, the first two 0 or 1");
	if (num_count(field[0], UINT64_MAX, &label) || !graph_find_label(r->a->graph, label, &v))
		return bad_line(in, why, "no such node in the graph");
	uncrawled = known_uncrawled(r, v);
	if (n == 4 && num_count(field[3], MOST_UNCRAWLED, &uncrawled))
		return bad_line(in, why, "the last is a count of at most 1000000");
	r->value[v] = attributes_value((int)spam, (int)clicked, uncrawled, uniqueness_of(r, v));
	return 0;
}

int attributes_read(const struct attributes *a, int64_t **value, struct err_note *why)
{
	const uint32_t nodes = a->graph->nodes;
	struct reading r = {.a = a, .all = {1, 1}};
	struct uniqueness *site = NULL;
	int err = 0;

	*value = NULL;
	if (a->p_unique && share_of(a->p_unique, &r.all)) {
		site = mem_new(a->names->hosts, sizeof *site);
		for (uint32_t i = 0; i < a->names->hosts; i++)
			site[i] = (struct uniqueness){1, 1};
		err = read_sites(a, site, why);
	}
	r.site = site;
	if (!err) {
		r.value = mem_new(nodes, sizeof *r.value);
		for (uint32_t v = 0; v < nodes; v++)
			r.value[v] = attributes_value(0, 0, known_uncrawled(&r, v), uniqueness_of(&r, v));
		err = a->pages ? each_line(a->pages, take_page, &r, why) : 0;
	}
	if (!err)
		err = seed_values_check(r.value, nodes, a->pages ? a->pages : "the values of pages", why);
	free(site);
	if (err)
		free(r.value);
	else
		*value = r.value;
	return err;
}
