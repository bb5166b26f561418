#include "base/mem.h"
#include "seeds/method.h"

#include <stdlib.h>
#include <string.h>

const struct seed_method *const seed_methods[] = {
	&seed_method_hits,
	&seed_method_random,
	&seed_method_pagerank,
	&seed_method_harmonic,
	&seed_method_outdegree,
	&seed_method_maxout,
	&seed_method_maxweight,
	&seed_method_maxscc,
	&seed_method_rootscc,
	NULL,
};

const struct seed_method *seed_method_named(const char *name)
{
	for (size_t i = 0; seed_methods[i]; i++)
		if (strcmp(seed_methods[i]->name, name) == 0)
			return seed_methods[i];
	return NULL;
}

void seed_output_add(struct seed_output *out, uint32_t seed)
{
	out->seed = mem_grow(out->seed, &out->room, out->n + 1, sizeof *out->seed);
	out->seed[out->n++] = seed;
}

void seed_output_take_core(struct seed_output *out, const struct seed_core *core)
{
	out->core = mem_grow(out->core, &out->core_room, out->cores + 1, sizeof *out->core);
	out->core[out->cores++] = *core;
}

void seed_core_release(struct seed_core *c)
{
	free(c->hub);
	free(c->authority);
	free(c->hub_score);
	free(c->authority_score);
}

void seed_output_release(struct seed_output *out)
{
	for (size_t i = 0; i < out->cores; i++)
		seed_core_release(&out->core[i]);
	free(out->core);
	free(out->seed);
	*out = (struct seed_output){0};
}
