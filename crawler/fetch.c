#include "crawler/fetch.h"
#include "base/clock.h"
#include "base/mem.h"
#include "crawler/worker.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

const struct fetch_settings fetch_defaults = {
	.threads = 2,
	.parallel = 32,
	.timeout_ms = 120000,
	.connect_ms = 20000,
	.stall_ms = 20000,
	.max_body = 16u << 20,
	.tries = 3,
	.kinds = 1u << LINK_A | 1u << LINK_AREA | 1u << LINK_FRAME | 1u << LINK_REFRESH,
	.max_links = 50000,
};

struct fetchers {
	struct transfer_options options;
	struct channel outbox;
	_Atomic int orders;
	unsigned n; /* threads that run */
	struct worker *worker;
	unsigned in_flight; /* the coordinator's count */
};

static uint64_t draw_key(void)
{
	uint64_t key;

	if (getrandom(&key, sizeof key, 0) != sizeof key)
		key = (uint64_t)clock_ns();
	return key;
}

int fetchers_new(struct fetchers **out, const struct fetch_settings *set, struct err_note *why)
{
	assert(set->threads >= 1 && set->parallel >= 1 && set->tries >= 1 && set->user_agent);
	const unsigned n = set->threads < set->parallel ? set->threads : set->parallel;
	const uint64_t key = draw_key();
	int err = 0;

	*out = NULL;
	if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
		return err_set(why, ERR_OTHER, "cannot start libcurl");
	struct fetchers *f = mem_zero(1, sizeof *f);
	transfer_options_init(&f->options, set);
	channel_init(&f->outbox, set->parallel);
	f->worker = mem_zero(n, sizeof *f->worker);
	while (f->n < n && !err) {
		struct worker *w = &f->worker[f->n];
		err = worker_init(w, &f->options, &f->outbox, &f->orders, set->parallel, key, why);
		if (!err && pthread_create(&w->thread, NULL, worker_run, w) != 0)
			err = err_set(why, ERR_OTHER, "cannot start a thread");
		if (err)
			worker_release(w);
		else
			f->n++;
	}
	if (err) {
		fetchers_free(f);
		return err;
	}
	*out = f;
	return 0;
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
	for (unsigned i = 0; i < f->n; i++) {
		pthread_join(f->worker[i].thread, NULL);
		worker_release(&f->worker[i]);
	}
	while (channel_take(&f->outbox, &page))
		fetch_page_free(page);
	channel_release(&f->outbox);
	transfer_options_release(&f->options);
	free(f->worker);
	free(f);
	curl_global_cleanup();
}

/* The host and port of a canonical URL, without user and password. */
static const char *find_host(const char *url, size_t n, size_t *length)
{
	const char *end = url + n, *from = memchr(url, ':', n);

	from = from && end - from >= 3 ? from + 3 : url;
	const char *slash = memchr(from, '/', (size_t)(end - from));
	if (slash)
		end = slash;
	const char *at = memrchr(from, '@', (size_t)(end - from));
	if (at)
		from = at + 1;
	*length = (size_t)(end - from);
	return from;
}

void fetchers_submit(struct fetchers *f, uint32_t id, const char *url, size_t n, unsigned tries)
{
	size_t length;
	const char *host = find_host(url, n, &length);
	struct worker *w = &f->worker[XXH3_64bits(host, length) % f->n];
	struct job *job = mem_new(sizeof *job + n + 1, 1);

	assert(f->in_flight < f->options.set.parallel);
	f->in_flight++;
	*job = (struct job){.id = id, .tries = tries, .n = n};
	memcpy(job->url, url, n);
	job->url[n] = 0;
	if (channel_put(&w->inbox, job))
		curl_multi_wakeup(w->multi);
}

int fetchers_reap(struct fetchers *f, struct fetch_page **page, int64_t until)
{
	void *item;

	if (!channel_wait(&f->outbox, &item, until))
		return 0;
	f->in_flight--;
	*page = item;
	return 1;
}

void fetchers_abort(struct fetchers *f)
{
	if (atomic_load(&f->orders) == WORKER_GO_ON)
		give_orders(f, WORKER_ABORT);
}
