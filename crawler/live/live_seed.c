#include "crawler/live/live_seed.h"
#include "base/log.h"
#include "base/mem.h"
#include "crawler/live/live_parts.h"
#include "crawler/network/net_source.h"
#include "fetch/trust.h"
#include "traps/traps.h"

#include <string.h>

int live_seed_parse(struct url *u, const char *url, size_t n, struct err_note *why)
{
	static const char *const problem[] =
		{[URL_BAD] = "is no URL", [URL_FOREIGN] = "is not http or https", [URL_TOO_LONG] = "is too long"};
	enum url_result result = url_parse(u, url, n, NULL);

	return result ? err_set(why, ERR_USAGE, "seed '%.*s' %s; http://example.org/ is one", (int)(n < 200 ? n : 200), url,
				problem[result])
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

int live_seed(struct live *l, const char *url, size_t n, enum guard_origin origin, struct err_note *why)
{
	int err = live_seed_parse(&l->url, url, n, why);

	if (!err && url_drop_user(&l->url))
		log_say("user and password of the seed '%.200s' are left out; --auth FILE is for those of your own sites",
			l->url.text.at);
	if (!err && scope_blocks(l->scope, &l->url)) {
		log_say("seed '%.*s' is left out: its host is blocked; 'lycosa ctl unblock HOST' ends that",
			(int)(n < 200 ? n : 200), url);
		return 0;
	}
	if (!err)
		guard_add_seed(l->guard, &l->url, origin);
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
	url_drop_user(&l->url);
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

/* --- seeds with private addresses */

/* The store's setting with the URLs of the hosts and ports that were connected to at addresses that are not public, a line each,
 * since the user had named them as seeds. It grants nothing, since a store may come from elsewhere. */
#define PRIVATE_SEEDS "private-seeds"

static int is_line_of(const char *text, const char *line)
{
	const size_t n = strlen(line);
	size_t length;

	for (; text && *text; text += length + (text[length] == '\n')) {
		length = strcspn(text, "\n");
		if (length == n && memcmp(text, line, n) == 0)
			return 1;
	}
	return 0;
}

/* Keeps the seeds with private addresses in the store, before it commits. */
static int keep_private(void *live, struct err_note *why)
{
	struct live *l = live;
	const char *kept = store_get(l->store, PRIVATE_SEEDS), *origin;
	struct buf text = BUF_EMPTY;
	int err = 0;

	for (; (origin = guard_private(l->guard, l->private_seeds)); l->private_seeds++)
		if (!is_line_of(kept, origin))
			buf_format(&text, "%s\n", origin);
	if (text.used) {
		buf_text(&text, kept ? kept : "");
		err = store_set(l->store, PRIVATE_SEEDS, text.at, why);
	}
	buf_release(&text);
	return err;
}

struct observer live_seed_observer(struct live *l)
{
	return (struct observer){.ctx = l, .sync = keep_private};
}

int live_seed_check_private(struct live *l, struct err_note *why)
{
	const char *at = live_config_of(l)->allow_private ? NULL : store_get(l->store, PRIVATE_SEEDS);
	size_t n;

	for (; at && *at; at += n + (at[n] == '\n')) {
		n = strcspn(at, "\n");
		if (url_parse(&l->url, at, n, NULL) == URL_OK && !guard_grants(l->guard, &l->url))
			return err_set(why, ERR_USAGE,
				"the crawl in '%s' has the seed %.*s at a private address: name this URL again, or give --allow-private",
				l->settings.dir, (int)(n < 200 ? n : 200), at);
	}
	return 0;
}
