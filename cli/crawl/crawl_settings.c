#include "cli/crawl/crawl_settings.h"
#include "base/log.h"
#include "cli/crawl/crawl_lines.h"
#include "cli/crawl/crawl_options.h"
#include "policies/policies.h"

#include <string.h>

static int check_swap(const struct crawl_options *o, struct err_note *why)
{
	if (!o->swap_policy)
		return 0;
	if (o->config.policy)
		return err_set(why, ERR_USAGE,
			"--policy and --swap-policy: the store knows the policy it was begun with; leave out --policy");
	if (!store_is(o->store))
		return err_set(why, ERR_USAGE, "--swap-policy: there is no crawl in '%s' to go on with; begin it with --policy",
			o->store);
	return 0;
}

/* Checks the policy and its options before a store is created, and refuses an oracle. Returns 0 or an error of
 * policy_options_read(). */
static int check_policy(const struct crawl_options *o, struct err_note *why)
{
	const char *spec = o->swap_policy ? o->swap_policy : o->config.policy;
	const struct policy_options given = {.policy_opt = o->config.policy_opt, .tol = o->config.tol};
	const struct policy *policy, *hidden;
	struct opt_set opts;

	if (!spec)
		return 0;
	int err = policy_options_read(spec, &given, &policy, &opts, why);
	hidden = err ? NULL : policy_with_oracle(policy);
	if (hidden)
		err = err_set(why, ERR_USAGE,
			"the policy '%s' looks at the whole graph, which a live crawl has not seen; 'lycosa replay' can",
			hidden->name);
	opt_release(&opts);
	policy_free(policy);
	return err;
}

/* Notes in a->row[i] whether the command line gives row i of the configuration a value, resets it (--no-NAME), or leaves it out. */
static void note_rows(const struct command *c, struct live_asked *a)
{
	static const uint8_t asking[] =
		{[FLAG_ABSENT] = LIVE_UNASKED, [FLAG_GIVEN] = LIVE_ASKED, [FLAG_RESET] = LIVE_ASKED_DEFAULT};
	const struct flag *row, *flag;

	for (size_t i = 0; (row = live_config_row(i)) != NULL; i++)
		for (size_t k = 0; (flag = flags_row(c->flags->groups, k, NULL)) != NULL; k++)
			if (flag == row)
				a->row[i] = asking[c->flags->given[k]];
}

static int decide(const struct command *c, struct store *store, struct live_decision *d, struct err_note *why)
{
	const struct crawl_options *o = c->options;
	struct live_config given = o->config;
	struct live_asked a = {.dir = o->store,
		.config = &given,
		.replace = (o->swap_policy ? LIVE_SWAP : 0u) | (o->rescope ? LIVE_RESCOPE : 0u) | (o->keep ? LIVE_KEEP : 0u) |
			(o->retry_skipped ? LIVE_RETRAP : 0u)};

	note_rows(c, &a);
	if (o->swap_policy)
		LIVE_ASK(&a, &given, policy, o->swap_policy);
	return live_decide(d, &a, store, why);
}

/* If another crawl is using the store, puts that error, which is the more important one, in place of `err`. Returns the error. */
static int check_free(const char *dir, int err, struct err_note *why)
{
	struct err_note busy = {""};
	struct store *store = NULL;
	const int problem = store_open(&store, dir, STORE_WRITE, &busy);

	store_close(store);
	if (problem && why)
		*why = busy;
	return problem ? problem : err;
}

/* Leaves out a folder of --mirror that the store alone names: a store may come from anywhere. Archive and requisites are kept, so
 * that a later sitting can write the folder. */
static void leave_mirror(const struct crawl_options *o, struct live_decision *d)
{
	if (!d->config.mirror || live_decision_origin(d, "mirror") != LIVE_KEPT)
		return;
	log_error("the folder '%s' is not written, since only the store '%s' names it: --mirror %s writes it", d->config.mirror,
		o->store, d->config.mirror);
	d->config.mirror = NULL;
}

int crawl_decide(const struct command *c, struct live_decision *d, struct err_note *why)
{
	const struct crawl_options *o = c->options;
	struct store *store = NULL;

	*d = (struct live_decision){.resumed = 0};
	int err = check_swap(o, why);
	if (!err)
		err = check_policy(o, why);
	if (!err && store_is(o->store))
		err = store_open(&store, o->store, STORE_READ, why);
	if (!err)
		err = decide(c, store, d, why);
	const int is_differing = err == ERR_USAGE && store && !o->dry_run;
	store_close(store);
	if (is_differing)
		err = check_free(o->store, err, why);
	if (!err)
		leave_mirror(o, d);
	const struct live_config *now = &d->config;
	if (!err)
		err = crawl_lines_check(&now->header, &now->connect_to, now->user_agent, now->cacert, why);
	return err;
}
