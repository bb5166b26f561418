#include "lib/policy_list.h"
#include "base/mem.h"
#include "lab/measure/oracle.h"
#include "policies/policies.h"

#include <stdlib.h>
#include <string.h>

/* Returns the part of an option that is for a policy: what stands behind "name.", or all of it if the
 * policy has the key, else NULL. */
static const char *part_for(const struct policy *p, const char *option)
{
	size_t n = strlen(p->name);

	if (strncmp(option, p->name, n) == 0 && option[n] == '.')
		return option + n + 1;
	for (const struct opt *o = p->opts; o && o->name; o++) {
		n = strlen(o->name);
		if (strncmp(option, o->name, n) == 0 && option[n] == '=')
			return option;
	}
	return NULL;
}

static int give(struct policy_list *list, const char *option, struct err_note *why)
{
	size_t given = 0;

	for (size_t i = 0; i < list->n; i++) {
		const char *part = part_for(list->policy[i], option);
		const int err = part ? opt_give(&list->opts[i], part, why) : 0;
		if (err)
			return err;
		given += part != NULL;
	}
	if (given)
		return 0;
	if (list->n == 1)
		return opt_give(&list->opts[0], option, why); /* names the nearest key */
	return err_set(why, ERR_USAGE, "none of these policies has the option '%s'", option);
}

static void add(struct policy_list *list, const struct policy *policy)
{
	list->policy[list->n] = policy;
	opt_init(&list->opts[list->n], policy->opts, policy->name);
	list->n++;
}

static int add_named(struct policy_list *list, const char *spec, struct err_note *why)
{
	const struct policy *policy = &policy_ideal;
	const int err = strcmp(spec, policy->name) == 0 ? 0 : policy_find(spec, &policy, why);

	if (!err)
		add(list, policy);
	return err;
}

static size_t count_built_in(void)
{
	size_t n = 0;

	while (policies[n])
		n++;
	return n;
}

int policy_list_read(struct policy_list *list, const struct lycosa_graph *graph, const struct lycosa_crawl_options *options,
	size_t most, struct err_note *why)
{
	const size_t named = options->n_policies < most ? options->n_policies : most;
	const size_t room = named ? named : count_built_in();
	int err = 0;

	*list = (struct policy_list){mem_zero(room, sizeof *list->policy), mem_zero(room, sizeof *list->opts), 0};
	for (size_t i = 0; !err && i < named; i++)
		err = add_named(list, options->policies[i], why);
	for (size_t i = 0; !named && i < room; i++)
		if (!(policy_needs(policies[i]) & ~dataset_sights(&graph->data)) && policies[i]->oracle != POLICY_SCORES)
			add(list, policies[i]);
	for (size_t i = 0; !err && i < options->n_policy_options; i++)
		err = give(list, options->policy_options[i], why);
	return err;
}

void policy_list_release(struct policy_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		opt_release(&list->opts[i]);
		policy_free(list->policy[i]);
	}
	free(list->policy);
	free(list->opts);
}
