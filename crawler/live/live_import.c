#include "crawler/live/live_import.h"
#include "base/clock.h"
#include "crawler/live/captures.h"
#include "crawler/live/live_parts.h"
#include "crawler/network/net_source.h"
#include "fetch/captured.h"
#include "fetch/robots_cache.h"

struct import {
	struct live *live;
	struct import_counts *counts;
	struct captures *captures;
	struct captured *reader; /* of the responses that revisits repeat */
	struct observer recorder;
	struct capture response;
	struct url url;
	struct buf body;
};

static int put_robots(struct import *m, const char *text, size_t n, int64_t time, struct err_note *why)
{
	const struct url *u = &m->url;
	AUTO(buf) origin = BUF_EMPTY;

	captured_robots(m->reader, u, text, n);
	buf_text(&origin, u->https ? "https://" : "http://");
	buf_add(&origin, u->text.at + u->host, u->path - u->host);
	return store_put_robots(m->live->store, origin.at, origin.used, text, n, time + ROBOTS_LIVE_MS, why);
}

/* Makes a page one of the crawl: a seed, unless it was found and belongs to the crawl, and then what its answer makes it. */
static int take_page(struct import *m, struct fetch_page *page, struct err_note *why)
{
	struct source *source = m->live->source;
	struct knowledge *k = net_source_knowledge(source);
	struct result *e = &page->result;
	const uint32_t known = store_pages(m->live->store);
	struct result before;
	int err = net_source_find(source, &m->url, &e->id, why);

	if (err)
		return err;
	if (knowledge_is_crawled(k, e->id) || knowledge_is_alias(k, e->id) || store_result(m->live->store, e->id, &before)) {
		m->counts->known++;
		return 0;
	}
	if (e->id >= known || knowledge_refusal(k, e->id) != OUTCOME_NONE)
		err = net_source_seed(source, e->id, why);
	if (!err)
		err = m->recorder.taken(m->recorder.ctx, e->id, 0, why);
	if (!err)
		err = net_source_adopt(source, page, why);
	if (!err)
		err = m->recorder.event(m->recorder.ctx, e, why);
	m->counts->pages++;
	m->counts->crawled += e->state == PAGE_CRAWLED;
	return err;
}

/* Takes the page or the robots.txt that a revisit repeats. */
static int take_revisit(struct import *m, const struct captures_one *c, struct err_note *why)
{
	if (!captures_response(m->captures, c->names, &m->response)) {
		m->counts->unresolved++;
		return 0;
	}
	struct captured_answer a;
	(void)captures_answer(&m->response, &m->url, c->time, &m->body, &a);
	if (c->is_robots)
		return capture_status(&m->response) == 200 ? put_robots(m, a.body.at, a.body.n, a.time, why) : 0;
	struct fetch_page *page = captured_page(m->reader, &a);
	const int err = take_page(m, page, why);
	fetch_page_free(page);
	return err;
}

static int take_capture(struct import *m, const struct captures_one *c, struct err_note *why)
{
	m->counts->captures += !c->is_robots;
	if (!c->is_last) {
		m->counts->earlier++;
		return 0;
	}
	if (url_parse(&m->url, c->url, c->url_n, NULL) != URL_OK) {
		m->counts->foreign++;
		return 0;
	}
	if (c->is_revisit)
		return take_revisit(m, c, why);
	if (c->is_robots)
		return c->robots ? put_robots(m, c->robots, c->robots_n, c->time, why) : 0;
	return take_page(m, c->page, why);
}

/* Takes all captures, in the order of the archives. */
static int take_captures(struct import *m, struct err_note *why)
{
	const volatile sig_atomic_t *stop = m->live->settings.stop;
	struct captures_one c;
	int err = store_log(m->live->store, &(struct log_entry){.kind = LOG_SITTING, .time = clock_wall_ms()}, why), got = 1;

	while (!err && (got = captures_next(m->captures, &c, why)) > 0)
		err = stop && *stop ? err_set(why, ERR_INTERRUPTED, "interrupted") : take_capture(m, &c, why);
	err = err ? err : got;
	if (!err || err == ERR_INTERRUPTED) {
		const int failed = recorder_finish(&m->live->recorder, err ? NULL : why);
		err = err ? err : failed;
	}
	return err;
}

int live_import(struct live *l, const struct warc_files *files, unsigned threads, struct import_counts *counts,
	struct progress *progress, struct err_note *why)
{
	struct import m = {.live = l, .counts = counts, .url = URL_EMPTY, .body = BUF_EMPTY};
	const struct captures_settings set = {.fetch = &l->network.fetch,
		.rules = live_url_rules(l),
		.folder = l->settings.dir,
		.threads = threads,
		.stop = l->settings.stop,
		.progress = progress};
	struct captures_counts read;

	*counts = (struct import_counts){.records = 0};
	captured_new(&m.reader, &l->network.fetch);
	recorder_init(&l->recorder, l->store, NULL, NULL, 0);
	m.recorder = recorder_observer(&l->recorder);
	int err = captures_read(&m.captures, &set, files, &read, why);
	if (!err)
		err = take_captures(&m, why);
	counts->records = read.records;
	counts->foreign += read.foreign;
	counts->packed = read.packed;
	counts->damage = read.damage;
	counts->seen = store_pages(l->store);
	if (progress)
		progress_done(progress);
	captures_free(m.captures);
	captured_free(m.reader);
	capture_release(&m.response);
	url_release(&m.url);
	buf_release(&m.body);
	return err;
}

int live_import_to(const char *dir, const struct warc_files *files, unsigned threads, struct import_counts *counts,
	struct err_note *why)
{
	const struct live_config config = live_config_defaults;
	struct live_asked asked = {.dir = dir, .config = &config};
	AUTO(live_decision) decision = {.resumed = 0};
	struct store *store = NULL;
	struct live *l = NULL;
	int err = store_is(dir) ? store_open(&store, dir, STORE_READ, why) : 0;

	if (store)
		asked.replace = LIVE_VIEW; /* nothing is fetched, so nothing is needed that the store must not grant */
	if (!err)
		err = live_decide(&decision, &asked, store, why);
	err = store_close(store, err, why);
	if (!err)
		err = live_new(&l, &(struct live_settings){.dir = dir, .decision = &decision}, why);
	if (!err)
		err = live_open(l, why);
	if (!err)
		err = live_import(l, files, threads, counts, NULL, why);
	live_close(l);
	return err;
}
