#include "crawler/live/live_seed.h"
#include "base/log.h"
#include "base/mem.h"
#include "crawler/live/live_parts.h"
#include "crawler/network/net_source.h"
#include "fetch/trust.h"
#include "traps/traps.h"

int live_seed_parse(struct url *u, const char *url, size_t n, struct err_note *why)
{
	static const char *const problem[] = {[URL_BAD] = "is no URL",
		[URL_FOREIGN] = "is not http or https",
		[URL_TOO_LONG] = "is too long"};
	enum url_result result = url_parse(u, url, n, NULL);

	return result ? err_set(why, ERR_USAGE, "seed '%.*s' %s; http://example.org/ is one",
				(int)(n < 200 ? n : 200), url, problem[result])
		      : 0;
}

int live_seed_check(const char *url, size_t n, struct err_note *why)
{
	struct url u = URL_EMPTY;
	int err = live_seed_parse(&u, url, n, why);

	url_release(&u);
	return err;
}

/* --- the seeds of a crawl that is open */

/* Adds the seed l->url. */
static int add_seed(struct live *l, struct err_note *why)
{
	uint32_t id;
	const int err = net_source_find(l->source, &l->url, &id, why);

	if (err)
		return err;
	enum page_state state = frontier_state(l->frontier, id);
	if (state != PAGE_UNSEEN && state != PAGE_REFUSED && net_source_is_seed(l->source, id))
		return 0;
	const size_t added = l->added.used;
	map_at(&l->added, id);
	if (l->added.used == added)
		return 0;
	l->seeds = mem_grow(l->seeds, &l->seeds_room, l->n_seeds + 1, sizeof *l->seeds);
	l->seeds[l->n_seeds++] = id;
	return net_source_seed(l->source, id, why);
}

int live_seed(struct live *l, const char *url, size_t n, struct err_note *why)
{
	int err = live_seed_parse(&l->url, url, n, why);

	if (!err && scope_blocks(l->scope, &l->url)) {
		log_say("seed '%.*s' is left out: its host is blocked; 'lycosa ctl unblock HOST' ends that",
			(int)(n < 200 ? n : 200), url);
		return 0;
	}
	if (!err)
		guard_add_seed(l->guard, &l->url);
	if (!err && l->url.https)
		err = trust_check(l->network.fetch.cacert, why);
	if (err)
		return err;
	l->summary.seeds++;
	return add_seed(l, why);
}

int live_require(struct live *l, const char *url, size_t n, struct err_note *why)
{
	const int err = live_seed_parse(&l->url, url, n, why);

	if (err)
		return err;
	url_rules_apply(l->network.fetch.rules, &l->url);
	const struct url_traits traits = url_traits(&l->url);
	return scope_judge_known(l->scope, &traits, 0) ? 0 : add_seed(l, why);
}

void live_queue_seeds(struct live *l)
{
	frontier_seed(l->frontier, l->seeds, l->n_seeds);
	l->n_seeds = 0;
	map_release(&l->added); /* the frontier knows them now */
	map_init(&l->added, sizeof(uint64_t));
}
