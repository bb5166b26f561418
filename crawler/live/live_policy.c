#include "crawler/live/live_policy.h"
#include "policies/policies.h"

#include <stdlib.h>
#include <string.h>

int live_policy_make(struct live_policy *p, const struct live_config *c, struct err_note *why)
{
	int err = policy_find(c->policy, &p->policy, why);

	if (!err)
		opt_init(&p->opts, p->policy->opts, p->policy->name);
	for (size_t i = 0; !err && i < c->policy_opt.count; i++)
		err = opt_give(&p->opts, c->policy_opt.at[i], why);
	return err;
}

void live_policy_release(struct live_policy *p)
{
	opt_release(&p->opts);
	policy_free(p->policy);
}

/* Writes a policy with its options, as in "ieca delta0=0.35 beta=0.1". */
static void describe(const struct policy *p, const struct opt_set *opts, struct buf *out)
{
	struct buf options = BUF_EMPTY;

	opt_describe(opts, &options);
	buf_text(out, p->name);
	if (options.used)
		buf_format(out, " %s", options.at);
	buf_release(&options);
}

static int log_swap(struct store *store, const struct policy *p, const struct opt_set *opts, struct err_note *why)
{
	struct buf text = BUF_EMPTY;

	describe(p, opts, &text);
	int err = store_log(store, &(struct log_entry){.kind = LOG_POLICY, .text = text.at}, why);
	buf_release(&text);
	return err;
}

int live_policy_swapped(const struct live_policy *p, struct store *store, struct err_note *why)
{
	return log_swap(store, p->policy, &p->opts, why);
}

static int note_turn(struct live_policy *p, struct err_note *why)
{
	const struct policy *now = frontier_policy(p->frontier);

	if (now == p->told)
		return 0;
	p->told = now;
	return log_swap(p->store, now, frontier_opts(p->frontier), why);
}

/* Says whether the last swap in the log is a swap to this policy. */
static int is_last(struct store *store, const struct buf *text, struct err_note *why)
{
	struct store_log_cursor *c = store_log_start(store);
	struct log_entry e;
	int is = 0, err;

	while ((err = store_log_next(c, &e, why)) > 0)
		if (e.kind == LOG_POLICY)
			is = strcmp(e.text, text->at) == 0;
	store_log_stop(c);
	return err < 0 ? err : is;
}

int live_policy_watch(struct live_policy *p, struct store *store, const struct frontier *f, struct err_note *why)
{
	struct frontier_counts n;
	struct buf text = BUF_EMPTY;
	int known = 1;

	p->store = store;
	p->frontier = f;
	frontier_count(f, &n);
	if (p->policy->plan.n && n.crawled >= p->policy->plan.turns[0].until) {
		describe(frontier_policy(f), frontier_opts(f), &text);
		known = is_last(store, &text, why);
		buf_release(&text);
	}
	p->told = known > 0 ? frontier_policy(f) : NULL;
	return known < 0 ? known : note_turn(p, why);
}

static int taken(void *ctx, uint32_t id, double key, struct err_note *why)
{
	(void)id;
	(void)key;
	return note_turn(ctx, why);
}

static int idle(void *ctx, struct err_note *why)
{
	return note_turn(ctx, why);
}

struct observer live_policy_observer(struct live_policy *p)
{
	return (struct observer){.ctx = p, .taken = taken, .idle = idle};
}
