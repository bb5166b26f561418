/* The two worked examples of seed selection, and a seed method run by its name. */
#ifndef TESTS_SEEDING_H
#define TESTS_SEEDING_H

#include "seeds/method.h"
#include "tests/test.h"

/* 14 pages, 27 links, of which 21 are between hosts. */
static const uint32_t h14_from[] = {0, 0, 0, 1, 1, 1, 2, 2, 3, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 11, 11, 12, 12, 12, 13, 13, 13};
static const uint32_t h14_to[] = {3, 4, 5, 3, 4, 5, 3, 4, 11, 0, 3, 9, 9, 10, 9, 10, 7, 13, 8, 12, 13, 10, 11, 13, 5, 11, 12};
static const uint32_t h14_host[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 11, 11};

static inline void h14(struct graph *g)
{
	graph_from_arcs(g, 14, h14_from, h14_to, sizeof h14_from / sizeof *h14_from);
}

/* 12 pages, 18 links. */
static const uint32_t z12_from[] = {0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 5, 7, 8, 9, 9, 9, 10};
static const uint32_t z12_to[] = {2, 3, 4, 5, 6, 11, 4, 5, 6, 8, 1, 6, 9, 7, 7, 8, 10, 11};
#define Z12_ONE SEED_VALUE_ONE
static const int64_t z12_value[] = {Z12_ONE, Z12_ONE, Z12_ONE, Z12_ONE, Z12_ONE, Z12_ONE, Z12_ONE, Z12_ONE, 10 * Z12_ONE, Z12_ONE,
	35 * Z12_ONE / 10, -10 * Z12_ONE};

static inline void z12(struct graph *g)
{
	graph_from_arcs(g, 12, z12_from, z12_to, sizeof z12_from / sizeof *z12_from);
}

#define SEEDING_OPTS 8

struct seeding {
	const struct graph *g;
	const struct seed_method *method;
	const char *opts[SEEDING_OPTS]; /* key=value; those that the method lacks are passed over */
	const uint32_t *host;
	const int64_t *value;
	const uint8_t *barred;
	int (*enough)(void *ctx, const struct seed_output *);
	void *ctx;
	size_t k;
	uint64_t rng_seed; /* 0: 1 */
	unsigned threads;  /* 0: 1 */
	struct err_note why;
};

static inline int seeding_has(const struct seed_method *m, const char *assignment)
{
	for (const struct opt *o = m->opts; o && o->name; o++)
		if (strncmp(assignment, o->name, strlen(o->name)) == 0 && assignment[strlen(o->name)] == '=')
			return 1;
	return 0;
}

/* What the method says; `out` is to be released. */
static inline int seeding_run(struct seeding *s, struct seed_output *out)
{
	struct graph reverse;
	struct opt_set opts;
	struct seed_input in = {.graph = s->g,
		.reverse = s->method->ways == SEEDS_BOTH_WAYS ? &reverse : NULL,
		.host = s->host,
		.value = s->value,
		.barred = s->barred,
		.enough = s->enough,
		.ctx = s->ctx,
		.threads = s->threads ? s->threads : 1,
		.rng_seed = s->rng_seed ? s->rng_seed : 1,
		.opts = &opts};

	*out = (struct seed_output){0};
	graph_transpose(s->g, &reverse, 1);
	opt_init(&opts, s->method->opts, s->method->name);
	for (size_t i = 0; i < SEEDING_OPTS && s->opts[i]; i++)
		if (seeding_has(s->method, s->opts[i]))
			assert_int_equal(opt_give(&opts, s->opts[i], &s->why), 0);
	int err = s->method->select(&in, s->k, out, &s->why);
	opt_release(&opts);
	graph_release(&reverse);
	return err;
}

#endif
