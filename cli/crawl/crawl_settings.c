#include "cli/crawl/crawl_settings.h"
#include "base/input.h"
#include "cli/crawl/crawl_lines.h"
#include "cli/crawl/crawl_options.h"
#include "config.h"
#include "policies/policies.h"
#include "fetch/answer.h"

#include <stdlib.h>
#include <string.h>

#define CRAWL_MOST_BYTES ((uint64_t)1 << 30) /* of a page */
#define JITTER                                                                                     \
	0.2 /* the share by which a rest may be longer, so that crawls do not fall into step */

void crawl_texts_release(struct crawl_texts *t)
{
	free(t->rules);
	free(t->traps);
	free(t->policy);
	free(t->batch);
	free(t->total);
	free(t->rng_seed);
	free(t->max_depth);
	free(t->options);
	free(t->user_agent);
	credentials_free(t->credentials);
}

static char *text_of(uint64_t number)
{
	struct buf b = BUF_EMPTY;

	buf_format(&b, "%llu", (unsigned long long)number);
	return buf_take(&b);
}

/* The rules as they stand in their file; the limits of traps, a line each. */
static int scope_texts(const struct crawl_options *o, struct crawl_texts *t, struct err_note *why)
{
	struct buf traps = BUF_EMPTY;
	size_t n;

	for (size_t i = 0; i < o->trap_opts.count; i++)
		buf_format(&traps, "%s%s", i ? "\n" : "", o->trap_opts.at[i]);
	t->traps = traps.used ? buf_take(&traps) : NULL;
	return o->rules ? input_all(o->rules, STORE_TEXT_MAX, &t->rules, &n, why) : 0;
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
	err = scope_texts(o, t, why);
	if (err)
		return err;
	const char *spec = o->swap_policy ? o->swap_policy : o->policy.policy;
	t->policy = spec ? policy_spec_absolute(spec) : NULL;
	t->options = policy_options_text(spec, &o->policy);
	t->batch = o->policy.batch ? text_of(o->policy.batch) : NULL;
	t->total = total ? text_of(total) : NULL;
	t->rng_seed = flags_given(c->flags, "rng-seed") ? text_of(o->policy.rng_seed) : NULL;
	t->max_depth = flags_given(c->flags, "max-depth") ? text_of(o->max_depth) : NULL;
	*k = (struct live_kept){
		.policy = t->policy,
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
		.types = o->types,
		.rules = t->rules,
		.traps = t->traps,
		.normalise = o->normalise,
	};
	return 0;
}

/* Where nothing is said: robots.txt and its like are for all but one's own server. */
static unsigned heed_of(const struct crawl_options *o)
{
	enum { ALL = 4, NONE = 5 };
	unsigned heed = 0;

	if (!o->heed.count)
		return o->no_robots ? 0 : fetch_defaults.heed;
	for (size_t i = 0; i < o->heed.count; i++)
		for (size_t k = 0; k < NONE; k++)
			if (strcmp(o->heed.at[i], crawl_heed_word(k)) == 0)
				heed |= k == ALL ? (1u << ALL) - 1 : 1u << k;
	return heed;
}

/* Limits beyond which a transfer is broken off. */
static int limits_of(const struct crawl_options *o, struct fetch_settings *f, struct err_note *why)
{
	f->timeout_ms = o->timeout;
	f->connect_ms = o->connect_timeout;
	f->first_byte_ms = o->first_byte_timeout;
	f->stall_ms = o->read_timeout;
	f->max_body = o->max_filesize;
	f->max_unpacked = o->max_unpacked;
	f->max_headers = (size_t)o->max_headers;
	f->redirects = (unsigned)o->max_redirect;
	f->tries = (unsigned)o->tries;
	f->limit_rate = o->limit_rate;
	if (o->max_headers < 1024 || o->max_headers > ANSWER_MAX_HEADERS)
		return err_set(why, ERR_USAGE, "--max-headers is from 1K to 256K");
	if (!o->max_filesize || !o->max_unpacked || o->max_filesize > CRAWL_MOST_BYTES ||
		o->max_unpacked > CRAWL_MOST_BYTES)
		return err_set(why, ERR_USAGE,
			"--max-filesize and --max-unpacked are from 1 byte to 1G: pages are read in memory");
	if (!o->connect_timeout || !o->first_byte_timeout || !o->read_timeout)
		return err_set(why, ERR_USAGE,
			"--connect-timeout, --first-byte-timeout and --read-timeout are more than 0");
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

static int check_swap(const struct crawl_options *o, struct err_note *why)
{
	if (!o->swap_policy)
		return 0;
	if (o->policy.policy)
		return err_set(why, ERR_USAGE,
			"--policy and --swap-policy: the store knows the policy it was begun with; leave out --policy");
	if (!store_is(o->store))
		return err_set(why, ERR_USAGE,
			"--swap-policy: there is no crawl in '%s' to go on with; begin it with --policy",
			o->store);
	return 0;
}

/* A name or option that is wrong must not leave a store behind. */
static int check_policy(const struct crawl_options *o, struct err_note *why)
{
	const char *spec = o->swap_policy ? o->swap_policy : o->policy.policy;
	const struct policy *policy, *hidden;
	struct opt_set opts;

	if (!spec)
		return 0;
	int err = policy_options_read(spec, &o->policy, &policy, &opts, why);
	hidden = err ? NULL : policy_with_oracle(policy);
	if (hidden)
		err = err_set(why, ERR_USAGE,
			"the policy '%s' looks at the whole graph, which a live crawl has not seen; 'lycosa replay' can",
			hidden->name);
	opt_release(&opts);
	policy_free(policy);
	return err;
}

int crawl_settings_of(const struct command *c, struct live_settings *s, struct crawl_texts *t,
	struct err_note *why)
{
	const struct crawl_options *o = c->options;
	int err = kept_of(c, &s->kept, t, why);

	s->swap = o->swap_policy != NULL;
	if (!err)
		err = check_swap(o, why);
	if (!err)
		err = check_policy(o, why);
	if (err)
		return err;
	err = crawl_lines_check(&o->headers, &o->connect_to, o->user_agent, o->cacert, why);
	if (err)
		return err;
	t->user_agent = user_agent_of(o);
	s->dir = o->store;
	s->previous = o->previous;
	s->fetch = fetch_defaults;
	s->fetch.user_agent = t->user_agent;
	s->fetch.threads = threads_of(o->policy.threads);
	s->fetch.parallel = (unsigned)o->parallel;
	s->fetch.headers = o->headers.at;
	s->fetch.connect_to = o->connect_to.at;
	s->fetch.proxy = o->proxy;
	s->fetch.cacert = o->cacert;
	s->guard = (struct guard_settings){.reach = o->contact ? GUARD_PUBLIC : GUARD_LOOPBACK,
		.allow_private = o->allow_private,
		.domains = o->domains,
		.connect_to = o->connect_to.at};
	s->fetch.by_address = 1;
	s->fetch.no_robots = o->no_robots;
	s->fetch.heed = heed_of(o);
	if (o->follow_sitemaps)
		s->fetch.kinds |= 1u << LINK_SITEMAP;
	s->warc = o->warc;
	s->warc_limit = o->warc_size;
	s->rescope = o->rescope;
	s->host_pages = o->host_pages;
	s->domain_pages = o->domain_pages;
	s->delay_ms = o->delay;
	s->slow_factor = o->delay_factor;
	s->jitter = JITTER;
	s->per_host = (uint32_t)o->per_host;
	s->max_pages = o->policy.max_pages;
	s->max_bytes = o->max_bytes;
	s->max_time = o->max_time;
	err = limits_of(o, &s->fetch, why);
	if (!err && (o->auth || o->cookies))
		err = credentials_read(&t->credentials, o->auth, o->cookies, why);
	s->fetch.credentials = t->credentials;
	return err;
}
