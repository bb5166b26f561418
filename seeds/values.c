#include "seeds/values.h"
#include "base/input.h"
#include "base/mem.h"
#include "base/num.h"
#include "seeds/method.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ONE_MOST INT64_C(1000000000000000000)

static int read_line(char *line, const struct input *in, const struct graph *g, double *value, struct err_note *why)
{
	const unsigned long long number = (unsigned long long)input_line_number(in);
	char *tab = strchr(line, '\t');
	uint64_t label;
	uint32_t node;
	double worth;

	if (!*line || *line == '#')
		return 0;
	if (!tab)
		return err_set(why, ERR_FORMAT, "%s:%llu: not of the form id<TAB>value", input_path(in), number);
	*tab = 0;
	if (num_count(line, UINT64_MAX, &label) || !graph_find_label(g, label, &node))
		return err_set(why, ERR_FORMAT, "%s:%llu: no node '%s' in the graph", input_path(in), number, line);
	if (num_real(tab + 1, &worth) || fabs(worth) > SEED_VALUE_MAX)
		return err_set(why, ERR_FORMAT, "%s:%llu: '%s' is no value from %g to %g", input_path(in), number, tab + 1,
			-SEED_VALUE_MAX, SEED_VALUE_MAX);
	value[node] = worth;
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
	struct input *in;
	double *worth;
	char *line;
	size_t n;
	int err = input_open(&in, path, why);

	*value = NULL;
	if (err)
		return err;
	worth = mem_new(g->nodes, sizeof *worth);
	for (uint32_t v = 0; v < g->nodes; v++)
		worth[v] = 1;
	while ((err = input_line(in, &line, &n, why)) > 0)
		if ((err = read_line(line, in, g, worth, why)))
			break;
	*one = choose_one(worth, g->nodes);
	*value = mem_new(g->nodes, sizeof **value);
	for (uint32_t v = 0; v < g->nodes; v++)
		(*value)[v] = llround(worth[v] * (double)*one);
	free(worth);
	if (!err)
		err = seed_values_check(*value, g->nodes, input_path(in), why);
	input_close(in);
	if (err) {
		free(*value);
		*value = NULL;
	}
	return err;
}
