/* `lycosa agree`: one crawl in three worlds, a replay, virtual time and the live crawler on the served graph. */
#include "base/ascii.h"
#include "base/flag.h"
#include "base/log.h"
#include "base/mem.h"
#include "cli/flags/options.h"
#include "cli/verbs.h"
#include "crawler/live/live.h"
#include "lab/study/oracle.h"
#include "lab/study/virtual_time.h"
#include "lab/study/replay.h"
#include "policies/policies.h"
#include "scope/rules.h"
#include "simweb/serve.h"
#include "simweb/site.h"

#include <errno.h>
#include <ftw.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- How well two crawls of a graph agree: their orders, and, if they had a clock, their speeds and their hot pages. */

/* The pages of a host that both crawls must have for its speed to be compared. */
#define AGREEMENT_HOST_PAGES 20

/* Element 0 is of the first crawl, which predicts, and element 1 of the second. */
struct agreement {
	uint32_t crawled[2];
	double per_minute[2];  /* pages, over the whole crawl */
	double deviation;      /* |second / first - 1| of these */
	uint32_t hosts;        /* those with AGREEMENT_HOST_PAGES pages in both crawls */
	double host_deviation; /* the largest deviation of these hosts' pages a minute, first page to last; 0: no host */
	uint32_t worst_host;
	/* The difference between the strict throughputs of the two crawls at K = 1%, 2% ... of all pages, as far as both got:
	 * the mean, which is the area between the two curves, and the largest from 10% on. */
	double curve_mean, curve_max;
};

/* Returns how many pages the two crawls have taken in the same order, from the first page on. */
static uint32_t agreement_same(const struct replay *a, const struct replay *b)
{
	uint32_t n = 0;

	while (n < a->crawled && n < b->crawled && a->order[n] == b->order[n])
		n++;
	return n;
}

static double per_minute(double pages, int64_t ms)
{
	return ms > 0 ? pages * 60000 / (double)ms : INFINITY;
}

/* Returns the relative deviation of the second of two speeds from the first; equal ones, also if infinite, do not deviate. */
static double deviation_of(double first, double second)
{
	return first < second || second < first ? fabs(second / first - 1) : 0;
}

/* The pages of one host in one crawl. */
struct span {
	uint32_t pages;
	int64_t first, last; /* ms */
};

static struct span *spans_of(const struct dataset *data, const struct replay *r)
{
	const uint32_t hosts = data->names.host ? data->names.hosts : 1;
	struct span *span = mem_zero(hosts, sizeof *span);

	for (uint32_t i = 0; i < r->crawled; i++) {
		struct span *s = &span[data->names.host ? data->names.host[r->order[i]] : 0];
		if (!s->pages++)
			s->first = r->when[i];
		s->last = r->when[i];
	}
	return span;
}

static double speed_of(const struct span *s)
{
	return per_minute(s->pages - 1, s->last - s->first);
}

static void measure_hosts(struct agreement *g, const struct dataset *data, const struct replay *first, const struct replay *second)
{
	const uint32_t hosts = data->names.host ? data->names.hosts : 1;
	AUTO_FREE struct span *a = spans_of(data, first), *b = spans_of(data, second);

	for (uint32_t h = 0; h < hosts; h++) {
		if (a[h].pages < AGREEMENT_HOST_PAGES || b[h].pages < AGREEMENT_HOST_PAGES)
			continue;
		const double deviation = deviation_of(speed_of(&a[h]), speed_of(&b[h]));
		if (!g->hosts++ || deviation > g->host_deviation) {
			g->host_deviation = deviation;
			g->worst_host = h;
		}
	}
}

static void measure_curves(struct agreement *g, const struct dataset *data, const struct benchmark *b, const struct seedset *seeds,
	const struct replay *first, const struct replay *second)
{
	const struct replay *crawl[] = {first, second};
	struct throughput t[2];

	for (int i = 0; i < 2; i++)
		throughput_measure(&t[i], b, &data->graph, NULL, crawl[i]->order, crawl[i]->crawled, seeds->ids, seeds->n);
	int percent = 1;
	for (; percent <= 100; percent++) {
		const uint32_t k = throughput_k(percent / 100.0, data->graph.nodes);
		if (k > first->crawled || k > second->crawled)
			break;
		const double distance = fabs(throughput_at(&t[0], k).strict - throughput_at(&t[1], k).strict);
		g->curve_mean += distance;
		if (percent >= 10 && distance > g->curve_max)
			g->curve_max = distance;
	}
	if (percent > 1)
		g->curve_mean /= percent - 1;
	throughput_release(&t[0]);
	throughput_release(&t[1]);
}

/* Compares two crawls in time. */
static void agreement_measure(struct agreement *g, const struct dataset *data, const struct benchmark *b,
	const struct seedset *seeds, const struct replay *first, const struct replay *second)
{
	*g = (struct agreement){.crawled = {first->crawled, second->crawled},
		.per_minute = {per_minute(first->crawled, first->lasted), per_minute(second->crawled, second->lasted)}};
	g->deviation = deviation_of(g->per_minute[0], g->per_minute[1]);
	measure_hosts(g, data, first, second);
	measure_curves(g, data, b, seeds, first, second);
}

/* Says whether the speeds agree within 10%, and the curves within 0.02 on average. (On a small graph the largest difference
 * says little: of 30 pages, one is 0.03.) */
static int agreement_holds(const struct agreement *g)
{
	return g->deviation <= 0.1 && g->host_deviation <= 0.1 && g->curve_mean <= 0.02;
}

/* --- A crawl of a graph by the live crawler: the graph is served on loopback by this process (simweb/serve.h), and crawled over
 * HTTP into a store that is removed afterwards. What replay_run() does without a network, live_world_crawl() does with one,
 * and fills the same struct, so that the two can be compared.
 *
 *	struct replay r = {.policy = p, .opts = &opts, .total = n, .batch = 10, .virtual_time = &m};
 *	err = live_world_crawl(&r, &data, &seeds, &assignments, why);
 *	replay_release(&r); */

/* The most addresses that hosts can have on loopback. */
#define LIVE_WORLD_ADDRESSES 254

/* A crawl under way. */
struct world {
	struct replay *replay;
	const struct dataset *data;
	struct names hosts; /* of the data set, without its URLs; borrowed */
	struct simweb *web;
	struct live *live;
	char dir[64];
	const char *rules; /* the file of --rules; NULL: none */
	char **rule;       /* --connect-to: where each host is */
	size_t n_rules;
	int64_t began; /* ms of the crawl's clock; 0: not yet */
};

/* Checks that a live crawl of a served graph can have these settings: the jitter is the live crawl's, every host has one of at
 * most LIVE_WORLD_ADDRESSES addresses, and the web has no property that the server has not. Returns 0 or ERR_USAGE. */
static int live_world_check(const struct virtual_time *m, struct err_note *why)
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
	LIVE_ASK(&a, &c, host_share, r->host_share > 0 ? r->host_share : 1);
	if (r->growth > 0)
		LIVE_ASK(&a, &c, rerank_growth, r->growth);
	LIVE_ASK(&a, &c, batch, r->batch);
	LIVE_ASK(&a, &c, total, r->total);
	LIVE_ASK(&a, &c, rng_seed, r->rng_seed);
	LIVE_ASK(&a, &c, span_hosts, 1);
	LIVE_ASK(&a, &c, proxy, "");
	if (w->rules)
		LIVE_ASK(&a, &c, rules_file, w->rules);
	LIVE_ASK(&a, &c, connect_to, ((struct flag_list){(const char **)(uintptr_t)w->rule, w->n_rules}));
	ask_for_settings(&a, &c, r->virtual_time);
	return live_decide(d, &a, NULL, why);
}

/* --- the served web */

static void add_rule(struct world *w, const char *host, uint32_t address)
{
	w->rule[w->n_rules++] = buf_made("%s::127.0.0.%u:%u", host, address, simweb_port(w->web));
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
	s.names = w->hosts.host ? &w->hosts : NULL;
	if (m) {
		s.faults = m->web.faults;
		s.changing = w->replay->changing;
		s.clock = m->clock_ms / 1000;
	}
	TRY(simweb_start(&w->web, &s, why));
	add_rules(w);
	return 0;
}

static int add_seeds(struct world *w, const struct seedset *seeds, struct err_note *why)
{
	AUTO(buf) text = BUF_EMPTY;
	AUTO(url) url = URL_EMPTY;

	for (size_t i = 0; i < seeds->n; i++) {
		buf_clear(&text);
		simweb_url(w->web, seeds->ids[i], &text);
		TRY(live_seed_parse(&url, text.at, text.used, why));
		TRY(live_seed(w->live, &url, GUARD_LISTED, why));
	}
	return 0;
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
	for (size_t i = 0; i < w->n_rules; i++)
		free(w->rule[i]);
	free(w->rule);
	if (w->dir[0])
		nftw(w->dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Crawls a graph from the seeds, and fills `order`, `when`, `crawled`, `lasted` and `requests`. Only the fields policy, batch,
 * growth, total, max_pages, rng_seed, virtual_time and changing of the input are used; if virtual_time is NULL, one page is fetched
 * at a time, without delays. `opts` has the assignments "key=value" of the policy's options, and `rules` is the file that r->rules
 * was read from, or NULL. The pages have the URLs http://HOST/ID, whatever the URLs of the graph are. Returns 0, or an error of the
 * server, the store or the crawl. */
static int live_world_crawl(struct replay *r, const struct dataset *data, const struct seedset *seeds, const struct flag_list *opts,
	const char *rules, struct err_note *why)
{
	struct world w = {.replay = r, .data = data, .rules = rules};
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

struct agree_options {
	struct standard_options standard;
	struct graph_options graph;
	const char *seeds, *politeness, *rules;
	struct flag_list policies;
	struct policy_options policy;
	int json;
};

struct agree {
	const struct agree_options *o;
	struct dataset data;
	struct benchmark benchmark;
	struct seedset seeds;
	struct rules *rules;              /* NULL: none */
	struct virtual_time virtual_time; /* with --politeness */
	struct changing *changing;        /* NULL: the web does not change */
	struct results results;
	unsigned differ; /* policies under which the worlds differ */
};

/* --- orders: one page at a time, without delays */

static void print_order(struct agree *a, const struct policy *p, const struct replay world[3])
{
	static const char *const name[] = {"replay", "virtual", "live"};
	struct results *r = &a->results;

	for (int i = 1; i < 3; i++) {
		const uint32_t same = agreement_same(&world[0], &world[i]);
		const int agrees = same == world[0].crawled && same == world[i].crawled;
		a->differ += !agrees;
		RESULTS_CELLS(r, cell_text(p->name), cell_text(name[i]), cell_count(world[0].crawled), cell_count(world[i].crawled),
			cell_count(same), cell_text(agrees ? "yes" : "no"));
	}
}

static int agree_on_order(struct agree *a, struct replay *r, struct err_note *why)
{
	struct virtual_time alone;
	struct replay world[3] = {*r, *r, *r};
	int err = virtual_time_parse(&alone, "delay=0,parallel=1,latency=0,bandwidth=0", why);

	world[1].virtual_time = &alone;
	if (!err)
		err = replay_run(&world[0], &a->data, &a->seeds, why);
	if (!err)
		err = replay_run(&world[1], &a->data, &a->seeds, why);
	if (!err)
		err = live_world_crawl(&world[2], &a->data, &a->seeds, &a->o->policy.policy_opt, a->o->rules, why);
	if (!err)
		print_order(a, r->policy, world);
	for (int i = 0; i < 3; i++)
		replay_release(&world[i]);
	return err;
}

/* --- times: many pages at a time, politely */

static void print_times(struct agree *a, const struct policy *p, const struct agreement *g)
{
	struct results *r = &a->results;
	const int agrees = agreement_holds(g);

	a->differ += !agrees;
	RESULTS_CELLS(r, cell_text(p->name), cell_count(g->crawled[0]), cell_count(g->crawled[1]), cell_real(g->per_minute[0]),
		cell_real(g->per_minute[1]), cell_real(g->deviation), cell_count(g->hosts), cell_real(g->host_deviation),
		cell_text(g->hosts && a->data.names.host ? a->data.names.host_text + a->data.names.host_start[g->worst_host] : ""),
		cell_real(g->curve_mean), cell_real(g->curve_max), cell_text(agrees ? "yes" : "no"));
}

static int agree_on_times(struct agree *a, struct replay *r, struct err_note *why)
{
	struct replay world[2] = {*r, *r};
	struct agreement g;

	world[0].virtual_time = world[1].virtual_time = &a->virtual_time;
	world[0].changing = world[1].changing = a->changing;
	int err = replay_run(&world[0], &a->data, &a->seeds, why);
	if (!err)
		err = live_world_crawl(&world[1], &a->data, &a->seeds, &a->o->policy.policy_opt, a->o->rules, why);
	if (!err) {
		agreement_measure(&g, &a->data, &a->benchmark, &a->seeds, &world[0], &world[1]);
		print_times(a, r->policy, &g);
	}
	replay_release(&world[0]);
	replay_release(&world[1]);
	return err;
}

/* --- the policies */

static int agree_on(struct agree *a, const char *name, struct err_note *why)
{
	const struct policy_options *p = &a->o->policy;
	const struct policy *policy;
	struct opt_set opts;
	int err = policy_options_read(name, p, &policy, &opts, why);

	if (!err && policy_with_oracle(policy))
		err = err_set(why, ERR_USAGE, "the policy '%s' looks at the whole graph, which a live crawl has not seen", name);
	if (!err) {
		struct replay r = {.policy = policy,
			.opts = &opts,
			.batch = p->batch,
			.growth = p->growth,
			.max_pages = p->max_pages,
			.host_share = p->host_share,
			.rng_seed = p->rng_seed,
			.rules = a->rules,
			.benchmark = &a->benchmark};
		log_detail("%s", name);
		err = a->o->politeness ? agree_on_times(a, &r, why) : agree_on_order(a, &r, why);
	}
	opt_release(&opts);
	policy_free(policy);
	return err;
}

/* Compares the crawls under the policies that are given, or under every one that a live crawl can have and for which this graph has
 * hosts. */
static int agree_on_all(struct agree *a, struct err_note *why)
{
	const struct policy *p;
	size_t n;
	char **name = policy_specs(&a->o->policies, &n);
	int err = 0;

	for (size_t i = 0; !err && i < n; i++)
		err = agree_on(a, name[i], why);
	for (size_t i = 0; !err && !n && (p = policy_listed(i)); i++)
		if (!policy_with_oracle(p) && p != &policy_ideal && !(policy_needs(p) & ~dataset_sights(&a->data)))
			err = agree_on(a, p->name, why);
	for (size_t i = 0; i < n; i++)
		free(name[i]);
	free(name);
	return err;
}

/* --- the verb */

static int read_politeness(struct agree *a, struct err_note *why)
{
	struct virtual_web_settings *web = &a->virtual_time.web;

	TRY(virtual_time_parse(&a->virtual_time, a->o->politeness, why));
	/* loopback answers at once */
	web->latency = web->bandwidth = web->size = (struct spread){0, 0};
	const uint32_t hosts = a->data.names.host ? a->data.names.hosts : 1;
	if (!web->addresses)
		web->addresses = hosts < LIVE_WORLD_ADDRESSES ? hosts : LIVE_WORLD_ADDRESSES;
	TRY(live_world_check(&a->virtual_time, why));
	return changing_web(&a->changing, &a->data, a->o->graph.graph, &a->virtual_time, why);
}

/* Gives the nodes the URLs under which the live crawl knows their pages, whatever URLs the graph has: rules look at them, and
 * policies. */
static void name_served_pages(struct agree *a)
{
	struct names *n = &a->data.names, hosts = *n;
	const struct site site = {.g = &a->data.graph, .names = n->host ? &hosts : NULL, .default_host = SIMWEB_HOST};
	struct buf text = BUF_EMPTY, url = BUF_EMPTY;
	uint64_t *start = mem_new(a->data.graph.nodes, sizeof *start);

	hosts.text = NULL;
	hosts.start = NULL;
	for (uint32_t u = 0; u < a->data.graph.nodes; u++) {
		start[u] = text.used;
		buf_clear(&url);
		site_url(&site, u, &url);
		buf_add(&text, url.at, url.used);
		buf_byte(&text, 0);
	}
	free(n->text);
	free(n->start);
	n->nodes = a->data.graph.nodes;
	n->text = buf_take(&text);
	n->start = start;
	buf_release(&url);
}

static int begin(struct agree *a, struct err_note *why)
{
	const struct agree_options *o = a->o;
	const unsigned threads = threads_of(o->policy.threads);

	TRY(graph_options_open(&o->graph, threads, &a->data, why));
	if (a->data.crawled)
		return err_set(why, ERR_USAGE, "'%s' is a store; a graph is wanted, as 'lycosa graph convert' makes of it",
			o->graph.graph);
	if (!a->data.graph.nodes)
		return err_set(why, ERR_NOTHING, "the graph '%s' has no nodes", o->graph.graph);
	if (o->rules)
		TRY(rules_read(&a->rules, o->rules, why));
	name_served_pages(a);
	if (o->politeness)
		TRY(read_politeness(a, why));
	TRY(seedset_read(&a->seeds, o->seeds, &a->data, o->policy.rng_seed, why));
	if (o->politeness)
		benchmark_make(&a->benchmark, &a->data.graph, 1e-12, threads);
	return 0;
}

static void begin_table(struct agree *a)
{
	static const char *const orders[] = {"policy", "world", "crawled_replay", "crawled", "same", "agrees", NULL};
	static const char *const times[] = {"policy", "crawled_virtual", "crawled_live", "per_minute_virtual", "per_minute_live",
		"deviation", "hosts", "host_deviation", "worst_host", "curve_mean", "curve_max", "agrees", NULL};
	const struct agree_options *o = a->o;
	struct results *r = &a->results;

	results_begin(r, stdout, o->json ? RESULTS_JSON : RESULTS_TSV);
	report_graph(r, &o->graph, &a->data);
	results_fact(r, "seeds", cell_text(o->seeds));
	if (o->politeness) {
		results_fact(r, "politeness", cell_text(o->politeness));
	}
	results_columns(r, o->politeness ? times : orders);
}

static int run(const struct command *c, struct err_note *why)
{
	struct agree a = {.o = c->options};
	int err = begin(&a, why);

	if (!err) {
		begin_table(&a);
		err = agree_on_all(&a, why);
		const int printed = results_end(&a.results, err ? NULL : why);
		err = err ? err : printed;
	}
	if (!err && a.differ)
		err = err_set(why, ERR_OTHER, "the worlds differ in %u rows", a.differ);
	seedset_release(&a.seeds);
	benchmark_release(&a.benchmark);
	changing_free(a.changing);
	rules_free(a.rules);
	dataset_release(&a.data);
	return err;
}

#define OWN(field) offsetof(struct agree_options, field)
static const struct flag flags[] = {
	TABLE_ROW(graph_flags, OWN(graph)),
	{"seeds", 0, FLAG_TEXT, OWN(seeds), "SEEDS", .help = "a file, random:N, random:0.1, hosts:1, roots, METHOD:N",
		.file = FLAG_READS_SEEDS},
	{"policies", 0, FLAG_COMMAS, OWN(policies), "A,B", .help = "the policies; all that a live crawl can have",
		.file = FLAG_READS},
	{"politeness", 0, FLAG_TEXT, OWN(politeness), "LIST", .help = "compare times: delay=100ms,parallel=64,slow=0.1:60ms ..."},
	{"rules", 0, FLAG_TEXT, OWN(rules), "FILE", .help = "accept, reject, order pages by their URLs", .file = FLAG_READS},
	{"policy-opt", 0, FLAG_EACH, OWN(policy.policy_opt), "KEY=VALUE", .help = "an option of a policy", .file = FLAG_READS},
	{"max-pages", 0, FLAG_COUNT, OWN(policy.max_pages), "N", .help = "end each crawl after N pages; 0: no limit"},
	HOST_SHARE_ROW(OWN(policy.host_share)),
	GROWTH_ROW(OWN(policy.growth)),
	BATCH_ROW(OWN(policy.batch)),
	RNG_SEED_ROW(OWN(policy.rng_seed)),
	THREADS_ROW(OWN(policy.threads)),
	JSON_ROW(OWN(json)),
	STANDARD_ROWS,
};

static const struct agree_options defaults = {.seeds = "random:3", .policy = {.rng_seed = 1}};

const struct verb verb_agree = VERB("agree", "Compares replay, virtual time and live crawl of a graph.", flags, defaults, run);
