#include "cli/lab/live_world.h"
#include "base/ascii.h"
#include "base/mem.h"
#include "crawler/live/live.h"
#include "simweb/serve.h"

#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A crawl under way. */
struct world {
	struct replay *replay;
	const struct dataset *data;
	struct names hosts; /* of the data set, without its URLs; borrowed */
	struct simweb *web;
	struct live *live;
	char dir[64];
	char **rule; /* --connect-to: where each host is */
	size_t rules;
	int64_t began; /* ms of the crawl's clock; 0: not yet */
};

int live_world_check(const struct virtual_time *m, struct err_note *why)
{
	const struct virtual_web_settings *web = &m->web;

	if (m->jitter < LIVE_JITTER || m->jitter > LIVE_JITTER)
		return err_set(why, ERR_USAGE, "--politeness jitter=%g: a live crawl has %g", m->jitter, LIVE_JITTER);
	if (web->addresses > LIVE_WORLD_ADDRESSES)
		return err_set(why, ERR_USAGE, "--politeness addresses=%u: loopback has %d here", web->addresses,
			LIVE_WORLD_ADDRESSES);
	if (web->crawl_delay > 0 || web->disallow > 0 || web->dead > 0 || web->outage > 0)
		return err_set(why, ERR_USAGE, "--politeness crawl-delay, disallow, dead, outage: the served web has none");
	return 0;
}

/* --- the crawl's pages as nodes */

/* Finds the node of a URL that ends with a number, that of the page itself or of its alias. Returns 1 with *u, or 0. */
static int node_of(struct world *w, uint32_t id, uint32_t *u)
{
	struct store_page page;

	if (!store_page(live_store(w->live), id, &page))
		return 0;
	const char *end = page.url + page.url_length, *number = end;
	while (number > page.url && number[-1] >= '0' && number[-1] <= '9')
		number--;
	char digits[24];
	if (number == end || (size_t)(end - number) >= sizeof digits)
		return 0;
	memcpy(digits, number, (size_t)(end - number));
	digits[end - number] = 0;
	return graph_find_label(&w->data->graph, strtoull(digits, NULL, 10), u);
}

static int note_event(void *ctx, const struct result *e, struct err_note *why)
{
	struct world *w = ctx;
	struct replay *r = w->replay;
	uint32_t u;

	(void)why;
	if (!w->began)
		w->began = e->started;
	r->lasted = e->ended - w->began;
	r->requests += (uint64_t)outcome_has(e->outcome, TRAIT_ASKED);
	if (e->state != PAGE_CRAWLED || !node_of(w, e->id, &u) || r->crawled == w->data->graph.nodes)
		return 0;
	r->when[r->crawled] = r->lasted;
	r->order[r->crawled++] = u;
	return 0;
}

/* --- the configuration */

static void ask_for_settings(struct live_asked *a, struct live_config *c, const struct virtual_time *m)
{
	LIVE_ASK(a, c, delay, m ? m->delay_ms : 0);
	LIVE_ASK(a, c, parallel, m ? m->parallel : 1);
	if (!m)
		return;
	LIVE_ASK(a, c, delay_factor, m->slow_factor);
	LIVE_ASK(a, c, parallel_per_host, m->per_host);
	LIVE_ASK(a, c, tries, m->tries);
	LIVE_ASK(a, c, timeout, m->timeout_ms);
}

static int decide(const struct world *w, const struct flag_list *opts, struct live_decision *d, struct err_note *why)
{
	const struct replay *r = w->replay;
	struct live_config c = live_config_defaults;
	struct live_asked a = {.dir = w->dir, .config = &c};

	LIVE_ASK(&a, &c, policy, r->policy->name);
	LIVE_ASK(&a, &c, policy_opt, *opts);
	LIVE_ASK(&a, &c, max_pages, r->max_pages);
	LIVE_ASK(&a, &c, batch, r->batch);
	LIVE_ASK(&a, &c, total, r->total);
	LIVE_ASK(&a, &c, rng_seed, r->rng_seed);
	LIVE_ASK(&a, &c, span_hosts, 1);
	LIVE_ASK(&a, &c, proxy, "");
	LIVE_ASK(&a, &c, connect_to, ((struct flag_list){(const char **)(uintptr_t)w->rule, w->rules}));
	ask_for_settings(&a, &c, r->virtual_time);
	return live_decide(d, &a, NULL, why);
}

/* --- the served web */

static void add_rule(struct world *w, const char *host, uint32_t address)
{
	struct buf rule = BUF_EMPTY;

	buf_format(&rule, "%s::127.0.0.%u:%u", host, address, simweb_port(w->web));
	w->rule[w->rules++] = buf_take(&rule);
}

/* Tells where the hosts are: at the addresses of virtual_web_address(), or at one. */
static void add_rules(struct world *w)
{
	const uint32_t addresses = w->replay->virtual_time ? w->replay->virtual_time->web.addresses : 0;
	const uint32_t hosts = addresses ? w->hosts.hosts : 0;

	w->rule = mem_zero((size_t)hosts + 2, sizeof *w->rule);
	for (uint32_t h = 0; h < hosts; h++)
		add_rule(w, w->hosts.host_text + w->hosts.host_start[h], 1 + h % addresses);
	add_rule(w, "", 1);
}

static int serve(struct world *w, struct err_note *why)
{
	const struct virtual_time *m = w->replay->virtual_time;
	struct simweb_settings s = {.g = &w->data->graph, .addresses = m ? m->web.addresses : 1, .threads = 2};

	w->hosts = w->data->names;
	w->hosts.text = NULL;
	w->hosts.start = NULL;
	s.names = w->hosts.nodes ? &w->hosts : NULL;
	if (m) {
		s.faults = m->web.faults;
		s.changing = w->replay->changing;
		s.clock = m->clock_ms / 1000;
	}
	const int err = simweb_start(&w->web, &s, why);
	if (!err)
		add_rules(w);
	return err;
}

static int add_seeds(struct world *w, const struct seedset *seeds, struct err_note *why)
{
	struct buf url = BUF_EMPTY;
	int err = 0;

	for (size_t i = 0; !err && i < seeds->n; i++) {
		buf_clear(&url);
		simweb_url(w->web, seeds->ids[i], &url);
		err = live_seed(w->live, url.at, url.used, GUARD_LISTED, why);
	}
	buf_release(&url);
	return err;
}

/* --- the store's folder */

static int make_folder(struct world *w, struct err_note *why)
{
	const char *tmp = getenv("TMPDIR");

	if (!tmp || !*tmp || strlen(tmp) > sizeof w->dir - 32)
		tmp = "/tmp";
	snprintf(w->dir, sizeof w->dir, "%s/lycosa-XXXXXX", tmp);
	if (mkdtemp(w->dir))
		return 0;
	const int err = err_set(why, ERR_FILE, "cannot make '%s': %s", w->dir, ascii_error(errno));
	w->dir[0] = 0;
	return err;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *place)
{
	(void)status, (void)type, (void)place;
	return remove(path);
}

static void release(struct world *w)
{
	live_close(w->live);
	simweb_stop(w->web);
	for (size_t i = 0; i < w->rules; i++)
		free(w->rule[i]);
	free(w->rule);
	if (w->dir[0])
		nftw(w->dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

int live_world_crawl(struct replay *r, const struct dataset *data, const struct seedset *seeds, const struct flag_list *opts,
	struct err_note *why)
{
	struct world w = {.replay = r, .data = data};
	const struct observer observer = {.ctx = &w, .event = note_event};
	struct live_decision d = {.resumed = 0};

	r->order = mem_new(data->graph.nodes, sizeof *r->order);
	r->when = mem_new(data->graph.nodes, sizeof *r->when);
	r->key = NULL;
	r->crawled = 0;
	r->lasted = 0;
	r->requests = 0;
	int err = make_folder(&w, why);
	if (!err)
		err = serve(&w, why);
	if (!err)
		err = decide(&w, opts, &d, why);
	if (!err)
		err = live_new(&w.live, &(struct live_settings){.dir = w.dir, .decision = &d}, why);
	if (!err) {
		live_observe(w.live, &observer, 1, NULL);
		err = live_open(w.live, why);
	}
	if (!err)
		err = add_seeds(&w, seeds, why);
	if (!err)
		err = live_run(w.live, why);
	release(&w);
	live_decision_release(&d);
	if (err)
		replay_release(r);
	return err;
}
