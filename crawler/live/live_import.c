#include "crawler/live/live_import.h"
#include "base/clock.h"
#include "base/map.h"
#include "crawler/live/live_parts.h"
#include "crawler/network/net_source.h"
#include "fetch/captured.h"
#include "fetch/robots_cache.h"
#include "storage/warc_wat.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* The last capture of a URL. */
struct last {
	uint64_t key; /* of the URL */
	uint64_t number;
	int is_revisit;
};

/* A response by its payload, for the revisits that repeat it. */
struct payload {
	uint64_t key; /* of the digest */
	uint64_t place;
	uint32_t file;
};

struct import {
	struct live *live;
	const struct warc_files *files;
	struct import_counts *counts;
	struct progress *progress;
	struct captured *reader;
	struct observer recorder;
	struct map lasts, payloads;
	uint32_t file;
	uint64_t number; /* of the capture in all files */
	struct capture capture, original;
	struct url url;
	struct buf body;
};

static uint64_t hash_of(const struct buf *text)
{
	return XXH3_64bits(text->at ? text->at : "", text->used);
}

/* Finds the page of an item: fills in the capture, without its block, and the canonical URL. Returns 1, or 0 if it is no page of the
 * Web. */
static int find_page(struct import *m, const struct warc_item *item)
{
	struct capture *c = &m->capture;

	if (!capture_of(c, item->header, item->block.n)) {
		if (!wat_capture(c, item))
			return 0;
	} else if (c->kind != CAPTURE_REVISIT || item->block.n) {
		buf_clear(&c->block);
	}
	if (url_parse(&m->url, c->url.at, c->url.used, NULL) != URL_OK) {
		m->counts->foreign++;
		return 0;
	}
	url_drop_user(&m->url);
	url_rules_apply(live_url_rules(m->live), &m->url);
	m->number++;
	return 1;
}

static int is_robots(const struct url *u)
{
	static const char path[] = "/robots.txt";

	return u->text.used - u->path == sizeof path - 1 && memcmp(u->text.at + u->path, path, sizeof path - 1) == 0;
}

static int is_stopped(const struct import *m)
{
	return m->live->settings.stop && *m->live->settings.stop;
}

/* --- the first reading: which capture of each URL is the last one */

static int note_item(void *ctx, const struct warc_item *item, struct err_note *why)
{
	struct import *m = ctx;

	m->counts->records++;
	if (is_stopped(m))
		return err_set(why, ERR_INTERRUPTED, "interrupted");
	if (!find_page(m, item))
		return 0;
	const int is_revisit = m->capture.kind == CAPTURE_REVISIT;
	if (!is_revisit && m->capture.digest.used && item->place != WARC_NO_PLACE) {
		struct payload *p = map_at(&m->payloads, hash_of(&m->capture.digest));
		p->place = item->place;
		p->file = m->file;
	}
	struct last *l = map_at(&m->lasts, hash_of(&m->url.text));
	if (l->number && is_revisit && !l->is_revisit) /* the page has not changed */
		return 0;
	l->number = m->number;
	l->is_revisit = is_revisit;
	return 0;
}

/* --- the second reading: pages */

static int keep_original(void *ctx, const struct warc_item *item, struct err_note *why)
{
	struct import *m = ctx;

	(void)why;
	if (capture_of(&m->original, item->header, item->block.n) && m->original.kind == CAPTURE_RESPONSE) {
		buf_clear(&m->original.block);
		buf_add(&m->original.block, item->block.at, item->block.n);
		capture_find_head(&m->original);
	}
	return 0;
}

/* Finds the response that a revisit repeats. Returns it, or NULL if it is in none of the archives. */
static const struct capture *original_of(struct import *m)
{
	const struct payload *p = m->capture.digest.used ? map_find(&m->payloads, hash_of(&m->capture.digest)) : NULL;
	struct err_note note;

	buf_clear(&m->original.block);
	if (!p || warc_item_at(m->files->path[p->file], p->place, keep_original, m, &note) || !m->original.block.used)
		return NULL;
	return &m->original;
}

static int put_robots(struct import *m, const char *text, size_t n, int64_t time, struct err_note *why)
{
	const struct url *u = &m->url;
	struct buf origin = BUF_EMPTY;

	captured_robots(m->reader, u, text, n);
	buf_text(&origin, u->https ? "https://" : "http://");
	buf_add(&origin, u->text.at + u->host, u->path - u->host);
	const int err = store_put_robots(m->live->store, origin.at, origin.used, text, n, time + ROBOTS_LIVE_MS, why);
	buf_release(&origin);
	return err;
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

/* Takes an answer: its bytes are those of `from`, which is the capture itself or the response that it repeats. */
static int take_answer(struct import *m, const struct capture *from, struct err_note *why)
{
	const struct warc_span head = capture_head(from);
	struct captured_answer a = {.url = &m->url, .head = {head.at, head.n}, .time = m->capture.time};

	buf_clear(&m->body);
	(void)capture_decode(from, &m->body);
	buf_end(&m->body);
	a.body = (struct warc_bytes){m->body.at, m->body.used};
	a.type = head.n || !from->type.used ? NULL : from->type.at;
	if (is_robots(&m->url))
		return capture_status(from) == 200 ? put_robots(m, a.body.at, a.body.n, a.time, why) : 0;
	struct fetch_page *page = captured_page(m->reader, &a);
	const int err = take_page(m, page, why);
	fetch_page_free(page);
	return err;
}

static int take_item(void *ctx, const struct warc_item *item, struct err_note *why)
{
	struct import *m = ctx;
	const struct capture *from = &m->capture;

	if (m->progress)
		progress_tick(m->progress, m->number, NULL);
	if (is_stopped(m))
		return err_set(why, ERR_INTERRUPTED, "interrupted");
	if (!find_page(m, item))
		return 0;
	m->counts->captures += !is_robots(&m->url);
	const struct last *last = map_find(&m->lasts, hash_of(&m->url.text));
	if (!last || last->number != m->number) {
		m->counts->earlier++;
		return 0;
	}
	if (m->capture.kind == CAPTURE_REVISIT) {
		from = original_of(m);
		if (!from) {
			m->counts->unresolved++;
			return 0;
		}
	} else if (!m->capture.block.used) {
		buf_add(&m->capture.block, item->block.at, item->block.n);
		capture_find_head(&m->capture);
	}
	return take_answer(m, from, why);
}

/* Reads all files once. */
static int read_files(struct import *m, warc_item_fn *each, struct warc_damage *damage, struct err_note *why)
{
	int err = 0;

	m->number = 0;
	m->counts->foreign = 0;
	for (m->file = 0; !err && m->file < m->files->n; m->file++)
		err = warc_items(m->files->path[m->file], each, m, damage, why);
	return err;
}

int live_import(struct live *l, const struct warc_files *files, struct import_counts *counts, struct progress *progress,
	struct err_note *why)
{
	struct import m = {.live = l, .files = files, .counts = counts, .progress = progress, .url = URL_EMPTY, .body = BUF_EMPTY};
	struct warc_damage again = {.places = 0};

	*counts = (struct import_counts){.records = 0};
	map_init(&m.lasts, sizeof(struct last));
	map_init(&m.payloads, sizeof(struct payload));
	captured_new(&m.reader, &l->network.fetch);
	recorder_init(&l->recorder, l->store, NULL, 0);
	m.recorder = recorder_observer(&l->recorder);
	int err = store_log(l->store, &(struct log_entry){.kind = LOG_SITTING, .time = clock_wall_ms()}, why);
	if (!err)
		err = read_files(&m, note_item, &counts->damage, why);
	if (!err)
		err = read_files(&m, take_item, &again, why);
	if (!err || err == ERR_INTERRUPTED) {
		const int failed = recorder_finish(&l->recorder, err ? NULL : why);
		err = err ? err : failed;
	}
	counts->seen = store_pages(l->store);
	if (progress)
		progress_done(progress);
	captured_free(m.reader);
	capture_release(&m.capture);
	capture_release(&m.original);
	url_release(&m.url);
	buf_release(&m.body);
	map_release(&m.lasts);
	map_release(&m.payloads);
	return err;
}

int live_import_to(const char *dir, const struct warc_files *files, struct import_counts *counts, struct err_note *why)
{
	const struct live_config config = live_config_defaults;
	struct live_asked asked = {.dir = dir, .config = &config};
	struct live_decision decision = {.resumed = 0};
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
		err = live_import(l, files, counts, NULL, why);
	live_close(l);
	live_decision_release(&decision);
	return err;
}
