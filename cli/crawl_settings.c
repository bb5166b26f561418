#include "cli/crawl_settings.h"
#include "cli/crawl_lines.h"
#include "cli/crawl_options.h"
#include "config.h"

#include <stdlib.h>

void crawl_texts_release(struct crawl_texts *t)
{
	free(t->batch);
	free(t->total);
	free(t->rng_seed);
	free(t->max_depth);
	free(t->options);
	free(t->user_agent);
}

static char *text_of(uint64_t number)
{
	struct buf b = BUF_EMPTY;

	buf_format(&b, "%llu", (unsigned long long)number);
	return buf_take(&b);
}

/* What is kept in the store; what was not given stays NULL. */
static int kept_of(
	const struct command *c, struct live_kept *k, struct crawl_texts *t, struct err_note *why)
{
	const struct crawl_options *o = c->options;
	uint64_t total;
	int err = total_of(o->policy.total, &total, why);

	if (!err && total == TOTAL_REACHABLE)
		err = err_set(why, ERR_USAGE,
			"--total reachable: a live crawl cannot know it; give a number");
	if (err)
		return err;
	t->options = policy_options_text(&o->policy);
	t->batch = o->policy.batch ? text_of(o->policy.batch) : NULL;
	t->total = total ? text_of(total) : NULL;
	t->rng_seed = flags_given(c->flags, "rng-seed") ? text_of(o->policy.rng_seed) : NULL;
	t->max_depth = flags_given(c->flags, "max-depth") ? text_of(o->max_depth) : NULL;
	*k = (struct live_kept){
		.policy = o->policy.policy,
		.options = t->options,
		.batch = t->batch,
		.total = t->total,
		.rng_seed = t->rng_seed,
		.span_hosts = o->span_hosts ? "1" : NULL,
		.domains = o->domains,
		.accept = o->accept,
		.reject = o->reject,
		.accept_regex = o->accept_regex,
		.reject_regex = o->reject_regex,
		.no_parent = o->no_parent ? "1" : NULL,
		.max_depth = t->max_depth,
	};
	return 0;
}

static char *user_agent_of(const struct crawl_options *o)
{
	struct buf text = BUF_EMPTY;

	buf_text(&text, o->user_agent ? o->user_agent : PACKAGE_NAME "/" PACKAGE_VERSION);
	if (o->contact)
		buf_format(&text, " (+%s)", o->contact);
	return buf_take(&text);
}

int crawl_settings_of(const struct command *c, struct live_settings *s, struct crawl_texts *t,
	struct err_note *why)
{
	const struct crawl_options *o = c->options;
	struct opt_set opts = {0};
	const struct policy *policy;
	int err = kept_of(c, &s->kept, t, why);

	/* a name or option that is wrong must not leave a store behind */
	if (!err && o->policy.policy) {
		err = policy_options_read(o->policy.policy, &o->policy, &policy, &opts, why);
		opt_release(&opts);
		if (!err && policy->oracle)
			err = err_set(why, ERR_USAGE,
				"--policy %s looks at the whole graph, which a live crawl has not seen; 'lycosa replay' can",
				policy->name);
	}
	if (err)
		return err;
	err = crawl_lines_check(&o->headers, &o->connect_to, o->user_agent, o->cacert, why);
	if (err)
		return err;
	t->user_agent = user_agent_of(o);
	s->dir = o->store;
	s->fetch = fetch_defaults;
	s->fetch.user_agent = t->user_agent;
	s->fetch.threads = threads_of(o->policy.threads);
	s->fetch.parallel = (unsigned)o->parallel;
	s->fetch.headers = o->headers.at;
	s->fetch.connect_to = o->connect_to.at;
	s->fetch.proxy = o->proxy;
	s->fetch.cacert = o->cacert;
	s->fetch.loopback_only = !o->contact;
	s->fetch.no_robots = o->no_robots;
	if (o->follow_sitemaps)
		s->fetch.kinds |= 1u << LINK_SITEMAP;
	s->fetch.timeout_ms = o->timeout;
	s->fetch.tries = (unsigned)o->tries;
	s->fetch.limit_rate = o->limit_rate;
	s->delay_ms = o->delay;
	s->per_host = (uint32_t)o->per_host;
	s->max_pages = o->policy.max_pages;
	s->max_bytes = o->max_bytes;
	s->max_time = o->max_time;
	return 0;
}
