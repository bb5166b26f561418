#include "fetch/fetch.h"
#include "base/clock.h"
#include "base/mem.h"
#include "fetch/descriptors.h"
#include "fetch/page_command.h"
#include "fetch/scorer.h"
#include "fetch/worker.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

const struct fetch_settings fetch_defaults = {
#define FETCH(kind, field, value, ...) .field = value,
#include "base/settings.h"
	.threads = 2,
	.max_memory = 256u << 20,
	.heed = HEED_NOFOLLOW | HEED_META_ROBOTS | HEED_ROBOTS_TAG,
	.kinds = LINK_DEFAULTS,
	.max_links = 50000,
};

struct fetchers {
	struct transfer_options options;
	struct body_memory memory;
	struct channel outbox;
	_Atomic int orders;
	unsigned parallel; /* the most pages in flight */
	unsigned n;        /* threads that run */
	struct worker *worker;
	unsigned in_flight; /* the coordinator's count */
	int64_t next_help;  /* ms */
	struct resolver *resolver;
};

static uint64_t draw_key(void)
{
	uint64_t key;

	if (getrandom(&key, sizeof key, 0) != sizeof key)
		key = (uint64_t)clock_ns();
	return key;
}

static unsigned smaller(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Starts `n` threads; f->n becomes the number of those that were started. Returns 0, or the error of the first that could not
 * be, with the reason in *why. */
static int start_threads(struct fetchers *f, unsigned n, unsigned connections, struct err_note *why)
{
	const struct worker_share share = {&f->options, &f->outbox, &f->orders, f->resolver, connections / n, draw_key()};
	int err = 0;

	f->worker = mem_zero(n, sizeof *f->worker);
	while (f->n < n && !err) {
		struct worker *w = &f->worker[f->n];
		err = worker_init(w, &share, why);
		if (!err && pthread_create(&w->thread, NULL, worker_run, w) != 0)
			err = err_set(why, ERR_OTHER, "cannot start a thread");
		if (err)
			worker_release(w);
		else
			f->n++;
	}
	return err;
}

int fetchers_new(struct fetchers **out, const struct fetch_settings *set, struct err_note *why)
{
	assert(set->threads >= 1 && set->parallel >= 1 && set->tries >= 1 && set->user_agent);
	const unsigned parallel = (unsigned)set->parallel, wanted = smaller(set->threads, parallel);
	const unsigned room = descriptors_for_connections(wanted);
	/* an eighth of the descriptors, or less, is for looking names up */
	const unsigned resolvers = 1 + smaller(RESOLVER_MOST_THREADS - 1, room / (8 * RESOLVER_DESCRIPTORS));
	const unsigned kept = resolvers * RESOLVER_DESCRIPTORS;
	const unsigned connections = room > kept ? room - kept : 1;
	const unsigned n = smaller(wanted, connections);

	*out = NULL;
	if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
		return err_set(why, ERR_OTHER, "cannot start libcurl");
	struct fetchers *f = mem_zero(1, sizeof *f);
	f->memory.most = set->max_memory;
	transfer_options_init(&f->options, set, &f->memory);
	f->options.set.parallel = f->parallel = smaller(parallel, connections);
	channel_init(&f->outbox, f->parallel);
	f->resolver = resolver_new(resolvers);
	int err = set->scorer ? scorer_begin(set->scorer, &f->outbox, f->parallel, why) : 0;
	if (!err && set->runner)
		err = runner_begin(set->runner, set->scorer, &f->outbox, &f->memory, f->parallel, why);
	if (!err && set->renderer)
		err = renderer_begin(set->renderer, &f->memory, f->parallel, why);
	if (!err)
		err = start_threads(f, n, connections, why);
	if (err) {
		fetchers_free(f);
		return err;
	}
	*out = f;
	return 0;
}

unsigned fetchers_parallel(const struct fetchers *f)
{
	return f->parallel;
}

uint64_t fetchers_memory(const struct fetchers *f)
{
	return atomic_load_explicit(&f->memory.used, memory_order_relaxed);
}

static void give_orders(struct fetchers *f, enum worker_orders orders)
{
	atomic_store(&f->orders, (int)orders);
	for (unsigned i = 0; i < f->n; i++)
		curl_multi_wakeup(f->worker[i].multi);
}

void fetchers_free(struct fetchers *f)
{
	void *page;

	if (!f)
		return;
	give_orders(f, WORKER_QUIT);
	page_service_abort(f->options.set.renderer);
	for (unsigned i = 0; i < f->n; i++)
		pthread_join(f->worker[i].thread, NULL);
	resolver_free(f->resolver); /* which wakes the threads' multi handles up */
	for (unsigned i = 0; i < f->n; i++)
		worker_release(&f->worker[i]);
	page_service_end(f->options.set.renderer);
	page_service_end(f->options.set.runner);
	page_service_end(f->options.set.scorer);
	while (channel_take(&f->outbox, &page))
		fetch_page_free(page);
	channel_release(&f->outbox);
	transfer_options_release(&f->options);
	free(f->worker);
	free(f);
	curl_global_cleanup();
}

/* Returns host and port of a URL, or the whole text if it is not a URL. */
static const char *find_host(const char *url, size_t n, size_t *length)
{
	struct url parts;

	*length = n;
	return url_split(&parts, url, n) == URL_OK ? url_authority(&parts, length) : url;
}

/* Returns the thread that fetches the pages of a URL's host. */
static struct worker *worker_of(struct fetchers *f, const char *url, size_t n)
{
	size_t length;
	const char *host = find_host(url, n, &length);

	return &f->worker[XXH3_64bits(host, length) % f->n];
}

void fetchers_submit(struct fetchers *f, const struct fetch_request *r)
{
	struct worker *w = worker_of(f, r->url, r->n);
	struct job *job = mem_new(sizeof *job + r->n + 1 + r->since.etag_length, 1);

	assert(f->in_flight < f->parallel);
	f->in_flight++;
	*job = (struct job){.id = r->id,
		.tries = r->tries,
		.is_any_topic = r->is_any_topic,
		.n = r->n,
		.granted = r->address,
		.since = r->since};
	memcpy(job->url, r->url, r->n);
	job->url[r->n] = 0;
	job->since.etag = job->url + r->n + 1;
	if (r->since.etag_length)
		memcpy(job->url + r->n + 1, r->since.etag, r->since.etag_length);
	if (channel_put(&w->inbox, job))
		curl_multi_wakeup(w->multi);
}

void fetchers_know_robots(struct fetchers *f, const char *url, size_t n, const char *text, size_t text_n, int64_t ms)
{
	struct worker *w = worker_of(f, url, n);
	struct job *job = mem_new(sizeof *job + n + 1 + text_n, 1);

	*job = (struct job){.n = n, .robots_n = text_n, .robots_ms = ms};
	memcpy(job->url, url, n);
	job->url[n] = 0;
	if (text_n)
		memcpy(job->url + n + 1, text, text_n);
	job->robots = job->url + n + 1;
	if (channel_put(&w->inbox, job))
		curl_multi_wakeup(w->multi);
}

static int64_t next_look(int64_t until)
{
	const int64_t look = clock_ms() + SOCKETS_LOOK_MS;

	return look < until ? look : until;
}

static void help_threads(struct fetchers *f)
{
	const int64_t now = clock_ms();

	if (now < f->next_help)
		return;
	f->next_help = now + SOCKETS_LOOK_MS;
	for (unsigned i = 0; i < f->n; i++)
		sockets_unblock(&f->worker[i].sockets, f->worker[i].thread);
}

int fetchers_reap(struct fetchers *f, struct fetch_page **page, int64_t until)
{
	void *item;

	/* now and then, and when nothing else comes, whether a thread needs help is looked at */
	while (!channel_wait(&f->outbox, &item, next_look(until))) {
		help_threads(f);
		if (clock_ms() >= until)
			return 0;
	}
	f->in_flight--;
	help_threads(f);
	*page = item;
	return 1;
}

void fetchers_abort(struct fetchers *f)
{
	if (atomic_load(&f->orders) == WORKER_GO_ON)
		give_orders(f, WORKER_ABORT);
	page_service_abort(f->options.set.renderer);
	page_service_abort(f->options.set.runner);
	page_service_abort(f->options.set.scorer);
}
