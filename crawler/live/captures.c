#include "crawler/live/captures.h"
#include "base/map.h"
#include "base/mem.h"
#include "graph/memory/blocks.h"
#include "graph/memory/mapping.h"
#include "parser/url_rules.h"
#include "storage/warc_rules.h"
#include "storage/warc_wat.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define CHUNK_BYTES ((size_t)1 << 20) /* of entries, which are written at once */

/* The names by which revisits name responses, as hashes, the surest first; 0: none. A response has all that it could be named
 * by. */
enum name { NAME_DIGEST, NAME_RECORD, NAME_URL_TIME, NAME_URL, NAMES };

/* What a thread has found: the head of an entry. Behind it stand the URL with its NUL; from the next multiple of 8 on, `body`
 * bytes, the page or the text of a robots.txt; and bytes up to the next multiple of 8. */
struct entry {
	uint64_t url; /* its hash */
	uint64_t name[NAMES];
	int64_t time;
	uintptr_t page; /* the address that the page had; 0: the entry has none */
	uint32_t url_n;
	uint16_t is_revisit, is_robots;
	uint64_t body;
};

/* What is kept of an entry in memory. */
struct head {
	uint64_t url, name[NAMES], place;
	int64_t time;
	int is_revisit;
};

/* Entries in the temporary file. */
struct chunk {
	uint64_t at;
	size_t n;
};

struct part {
	struct warc_part bytes;
	uint32_t file;
	struct head *head;
	size_t heads, head_room;
	struct chunk *chunk;
	size_t chunks, chunk_room;
	struct captures_counts counts;
	int err;
	struct err_note why;
};

/* The last capture of a URL, by its time or, where two have the same or none, by its place. */
struct last {
	uint64_t key;
	uint64_t number;
	int64_t time;
	int is_revisit;
};

/* A response that revisits name. */
struct payload {
	uint64_t key;
	uint64_t place; /* WARC_NO_PLACE: not found yet */
	int64_t time;
	uint32_t file;
};

struct captures {
	struct captures_settings set;
	const struct warc_files *files;
	struct part *part;
	uint32_t parts;
	pthread_mutex_t mutex; /* of `spool` and of the progress */
	struct tempfile spool;
	_Atomic uint64_t done;
	struct map lasts, payloads;
	/* the next entry: its part, chunk, byte of the chunk, and number */
	uint32_t at_part;
	size_t at_chunk, at_byte;
	uint64_t number;
	struct buf text;
};

/* --- the reading of a part: one thread */

struct reading {
	struct captures *all;
	struct part *part;
	struct captured *reader;
	struct capture capture;
	struct url url;
	struct buf body, chunk;
};

static uint64_t hash_of(const struct buf *text)
{
	return XXH3_64bits(text->at ? text->at : "", text->used);
}

/* Returns a hash of a digest, which programs write in several ways; 0 if there is none. */
static uint64_t hash_of_digest(const struct buf *text)
{
	uint8_t bytes[64];
	const size_t n = text->used ? warc_digest_decode((struct warc_span){text->at, text->used}, bytes) : 0;

	return n ? XXH3_64bits(bytes, n) : text->used ? hash_of(text) : 0;
}

/* Returns a hash of a URL in its canonical form; 0 if it has none. */
static uint64_t hash_of_url(const struct captures *c, const struct buf *text)
{
	AUTO(url) u = URL_EMPTY;
	uint64_t hash = 0;

	if (text->used && url_parse(&u, text->at, text->used, NULL) == URL_OK) {
		url_drop_user(&u);
		url_rules_apply(c->set.rules, &u);
		hash = hash_of(&u.text);
	}
	return hash;
}

/* Sets the names of a response, or of that which a revisit names. */
static void name_response(const struct captures *all, const struct capture *c, struct entry *e)
{
	const int64_t time = e->is_revisit ? c->refers_time : c->time;
	uint64_t with_time[2] = {e->is_revisit ? hash_of_url(all, &c->refers_to) : e->url, (uint64_t)(time / 1000)};

	e->name[NAME_DIGEST] = hash_of_digest(&c->digest);
	e->name[NAME_RECORD] = c->record.used ? hash_of(&c->record) : 0;
	e->name[NAME_URL] = with_time[0];
	e->name[NAME_URL_TIME] = with_time[0] && time ? XXH3_64bits(with_time, sizeof with_time) : 0;
}

/* Writes the entries that wait. */
static void flush(struct reading *r)
{
	struct part *p = r->part;
	struct tempfile *spool = &r->all->spool;

	if (!r->chunk.used)
		return;
	p->chunk = mem_grow(p->chunk, &p->chunk_room, p->chunks + 1, sizeof *p->chunk);
	pthread_mutex_lock(&r->all->mutex);
	p->chunk[p->chunks++] = (struct chunk){spool->size + spool->waiting.used, r->chunk.used};
	tempfile_add(spool, r->chunk.at, r->chunk.used);
	pthread_mutex_unlock(&r->all->mutex);
	buf_clear(&r->chunk);
}

static void pad(struct buf *b)
{
	static const char zeros[8];

	buf_add(b, zeros, -b->used & 7);
}

static void put_entry(struct reading *r, struct entry e, uint64_t place, const void *body)
{
	struct part *p = r->part;

	p->head = mem_grow(p->head, &p->head_room, p->heads + 1, sizeof *p->head);
	p->head[p->heads] = (struct head){.url = e.url, .place = place, .time = e.time, .is_revisit = e.is_revisit};
	memcpy(p->head[p->heads++].name, e.name, sizeof e.name);
	buf_add(&r->chunk, &e, sizeof e);
	buf_add(&r->chunk, r->url.text.at, e.url_n + 1);
	pad(&r->chunk);
	if (e.body)
		buf_add(&r->chunk, body, e.body);
	pad(&r->chunk);
	if (r->chunk.used >= CHUNK_BYTES)
		flush(r);
}

/* Finds the page of an item: fills in the capture, without its block unless the item is of a WAT file, and the canonical URL.
 * Returns 1, or 0 if it is no page of the Web. */
static int find_page(struct reading *r, const struct warc_item *item)
{
	struct capture *c = &r->capture;

	buf_clear(&c->block);
	if (!capture_of(c, item) && !wat_capture(c, item))
		return 0;
	if (url_parse(&r->url, c->url.at, c->url.used, NULL) != URL_OK) {
		r->part->counts.foreign++;
		return 0;
	}
	url_drop_user(&r->url);
	url_rules_apply(r->all->set.rules, &r->url);
	return 1;
}

static int is_robots(const struct url *u)
{
	static const char path[] = "/robots.txt";

	return u->text.used - u->path == sizeof path - 1 && memcmp(u->text.at + u->path, path, sizeof path - 1) == 0;
}

int captures_answer(const struct capture *c, const struct url *url, int64_t time, struct buf *body, struct captured_answer *answer)
{
	const struct warc_span head = capture_head(c);

	buf_clear(body);
	const int err = capture_decode(c, body);
	buf_end(body);
	*answer = (struct captured_answer){.url = url,
		.head = {head.at, head.n},
		.type = head.n || !c->type.used ? NULL : c->type.at,
		.body = {body->at, body->used},
		.time = time};
	return err;
}

/* Takes an answer, whose block the capture has. */
static void take_answer(struct reading *r, struct entry e, uint64_t place)
{
	const struct capture *c = &r->capture;
	struct captured_answer a;

	r->part->counts.packed += captures_answer(c, &r->url, c->time, &r->body, &a) < 0;
	if (!e.is_robots) {
		struct fetch_page *page = captured_page(r->reader, &a);
		e.page = (uintptr_t)page;
		e.body = page->size;
		put_entry(r, e, place, page);
		fetch_page_free(page);
		return;
	}
	if (capture_status(c) == 200) {
		captured_robots(r->reader, &r->url, a.body.at, a.body.n);
		e.body = a.body.n + 1;
	}
	put_entry(r, e, place, a.body.at);
}

static int is_stopped(const struct captures *c)
{
	return c->set.stop && *c->set.stop;
}

static void tick(struct captures *c)
{
	const uint64_t done = atomic_fetch_add_explicit(&c->done, 1, memory_order_relaxed) + 1;

	if (!c->set.progress || done % 64 || pthread_mutex_trylock(&c->mutex) != 0)
		return;
	progress_tick(c->set.progress, done, NULL);
	pthread_mutex_unlock(&c->mutex);
}

static int take_item(void *ctx, const struct warc_item *item, struct err_note *why)
{
	struct reading *r = ctx;
	struct capture *c = &r->capture;
	struct warc_span block;

	r->part->counts.records++;
	if (is_stopped(r->all))
		return err_set(why, ERR_INTERRUPTED, "interrupted");
	if (!find_page(r, item))
		return 0;
	tick(r->all);
	struct entry e = {.url = hash_of(&r->url.text),
		.time = c->time,
		.url_n = (uint32_t)r->url.text.used,
		.is_revisit = c->kind == CAPTURE_REVISIT,
		.is_robots = (uint16_t)is_robots(&r->url)};
	name_response(r->all, c, &e);
	if (e.is_revisit) {
		put_entry(r, e, item->place, NULL);
		return 0;
	}
	const struct buf own = c->block;
	if (!own.used) { /* lent, since most blocks are long */
		const int err = warc_item_block(item, WARC_ITEM_MOST, &block, why);
		if (err)
			return err;
		c->block = (struct buf){(char *)(uintptr_t)block.at, block.n, block.n};
		capture_find_head(c);
	}
	if (capture_status(c) == 304) { /* a program without revisits keeps the answer as it came */
		e.is_revisit = 1;
		memset(e.name, 0, sizeof e.name);
		put_entry(r, e, item->place, NULL);
	} else {
		take_answer(r, e, item->place);
	}
	c->block = own;
	return 0;
}

/* Reads a part from the start, whatever was found in it before. */
static void read_part(void *ctx, uint32_t i)
{
	struct captures *all = ctx;
	struct part *p = &all->part[i];
	struct reading r = {.all = all, .part = p, .url = URL_EMPTY, .body = BUF_EMPTY, .chunk = BUF_EMPTY};

	p->heads = p->chunks = 0;
	p->counts = (struct captures_counts){.records = 0};
	captured_new(&r.reader, all->set.fetch);
	p->err = warc_items_of(all->files->path[p->file], &p->bytes, take_item, &r, &p->counts.damage, &p->why);
	flush(&r);
	captured_free(r.reader);
	capture_release(&r.capture);
	url_release(&r.url);
	buf_release(&r.body);
	buf_release(&r.chunk);
}

/* --- all parts: one thread again */

/* Cuts the files into parts. */
static void cut(struct captures *c)
{
	const uint64_t size = c->set.part ? c->set.part : CAPTURES_PART;
	size_t room = 0;

	for (uint32_t file = 0; file < c->files->n; file++) {
		const uint64_t parts = warc_parts(c->files->path[file], size);
		for (uint64_t i = 0; i < parts; i++) {
			c->part = mem_grow(c->part, &room, (size_t)c->parts + 1, sizeof *c->part);
			c->part[c->parts++] = (struct part){.file = file,
				.bytes = {.from = i * size, .to = i + 1 < parts ? (i + 1) * size : UINT64_MAX, .is_begun = !i}};
		}
	}
}

/* Makes the parts of a file those of one reading: a part that was read from within a record is read again, from where the part
 * before it ends. Adds the records to *items. Returns the first error. */
static int join_parts(struct captures *c, uint32_t first, uint32_t end, uint64_t *items, struct err_note *why)
{
	const uint64_t before = *items;
	uint64_t begin = c->part[first].bytes.begin;

	for (uint32_t i = first; i < end; i++) {
		struct part *p = &c->part[i];
		if (p->bytes.begin != begin) {
			p->bytes.from = begin;
			p->bytes.is_begun = 1;
			read_part(c, i);
		}
		if (p->err) {
			*why = p->why;
			return p->err;
		}
		begin = p->bytes.end;
		*items += p->bytes.items;
	}
	struct warc_damage *damage = &c->part[first].counts.damage;
	if (*items == before && !damage->places++)
		err_set(&damage->first, ERR_FORMAT, "'%s' has no record of a WARC file", c->files->path[c->part[first].file]);
	return 0;
}

/* Notes the payloads that the revisits of a part repeat. */
static void want_payloads(struct captures *c, const struct part *p)
{
	for (size_t i = 0; i < p->heads; i++)
		for (enum name j = 0; p->head[i].is_revisit && j < NAMES; j++)
			if (p->head[i].name[j])
				((struct payload *)map_at(&c->payloads, p->head[i].name[j]))->place = WARC_NO_PLACE;
}

static void note_response(struct captures *c, const struct part *p, const struct head *h)
{
	for (enum name i = 0; i < NAMES; i++) {
		struct payload *wanted = h->name[i] ? map_find(&c->payloads, h->name[i]) : NULL;
		if (wanted && (wanted->place == WARC_NO_PLACE || h->time >= wanted->time))
			*wanted = (struct payload){wanted->key, h->place, h->time, p->file};
	}
}

/* Notes the captures of a part: which one of each URL counts, and where the responses are that revisits repeat. */
static void note_part(struct captures *c, const struct part *p)
{
	for (size_t i = 0; i < p->heads; i++) {
		const struct head *h = &p->head[i];
		c->number++;
		if (!h->is_revisit && h->place != WARC_NO_PLACE)
			note_response(c, p, h);
		struct last *l = map_at(&c->lasts, h->url);
		if (l->number && h->is_revisit && !l->is_revisit) /* the page has not changed */
			continue;
		if (l->number && h->is_revisit == l->is_revisit && h->time && h->time < l->time)
			continue;
		l->number = c->number;
		l->time = h->time;
		l->is_revisit = h->is_revisit;
	}
}

static void add_counts(struct captures_counts *sum, const struct captures_counts *n)
{
	sum->records += n->records;
	sum->foreign += n->foreign;
	sum->packed += n->packed;
	if (!sum->damage.places)
		sum->damage.first = n->damage.first;
	sum->damage.places += n->damage.places;
}

int captures_read(struct captures **out, const struct captures_settings *set, const struct warc_files *files,
	struct captures_counts *counts, struct err_note *why)
{
	struct captures *c = mem_zero(1, sizeof *c);
	uint64_t items = 0;

	*out = c;
	*counts = (struct captures_counts){.records = 0};
	c->set = *set;
	c->files = files;
	pthread_mutex_init(&c->mutex, NULL);
	map_init(&c->lasts, sizeof(struct last));
	map_init(&c->payloads, sizeof(struct payload));
	cut(c);
	int err = tempfile_open(&c->spool, set->folder, why);
	if (!err)
		blocks_run(set->threads, c->parts, read_part, c);
	for (uint32_t i = 0, end; !err && i < c->parts; i = end) {
		for (end = i + 1; end < c->parts && c->part[end].file == c->part[i].file;)
			end++;
		err = join_parts(c, i, end, &items, why);
	}
	for (uint32_t i = 0; i < c->parts; i++)
		want_payloads(c, &c->part[i]);
	for (uint32_t i = 0; i < c->parts; i++) {
		note_part(c, &c->part[i]);
		add_counts(counts, &c->part[i].counts);
		free(c->part[i].head);
		c->part[i].head = NULL;
	}
	c->number = 0;
	if (!err && !items)
		err = err_set(why, ERR_FORMAT, "%s", counts->damage.first.text);
	return err ? err : tempfile_flush(&c->spool, why);
}

/* Reads the next chunk of entries. Returns 1, 0 at the end, or ERR_FILE. */
static int next_chunk(struct captures *c, struct err_note *why)
{
	while (c->at_part < c->parts && c->at_chunk == c->part[c->at_part].chunks) {
		c->at_part++;
		c->at_chunk = 0;
	}
	if (c->at_part == c->parts)
		return 0;
	const struct chunk *chunk = &c->part[c->at_part].chunk[c->at_chunk++];
	buf_clear(&c->text);
	char *to = buf_room(&c->text, chunk->n);
	c->text.used = chunk->n;
	c->at_byte = 0;
	TRY(tempfile_read(&c->spool, chunk->at, to, chunk->n, why));
	return 1;
}

static size_t padded(uint64_t n)
{
	return (size_t)(n + 7) & ~(size_t)7;
}

int captures_next(struct captures *c, struct captures_one *out, struct err_note *why)
{
	const int got = c->at_byte == c->text.used ? next_chunk(c, why) : 1;

	if (got <= 0)
		return got;
	char *at = c->text.at + c->at_byte;
	const struct entry *e = (const struct entry *)(const void *)at;
	const struct last *last = map_find(&c->lasts, e->url);
	c->number++;
	*out = (struct captures_one){.is_revisit = e->is_revisit,
		.is_robots = e->is_robots,
		.is_last = last && last->number == c->number,
		.url = at + sizeof *e,
		.url_n = e->url_n,
		.time = e->time,
		.names = e->name};
	at += padded(sizeof *e + e->url_n + 1);
	if (e->page && out->is_last) {
		out->page = (struct fetch_page *)(void *)at;
		fetch_page_moved(out->page, e->page);
	} else if (e->body && !e->page) {
		out->robots = at;
		out->robots_n = (size_t)e->body - 1;
	}
	c->at_byte = (size_t)(at - c->text.at) + padded(e->body);
	return 1;
}

/* --- responses that revisits repeat */

static int keep_response(void *ctx, const struct warc_item *item, struct err_note *why)
{
	struct capture *c = ctx;

	return !c->block.used && capture_of(c, item) && c->kind == CAPTURE_RESPONSE ? capture_take(c, item, SIZE_MAX, why) : 0;
}

int captures_response(struct captures *c, const uint64_t *names, struct capture *out)
{
	struct err_note note;

	for (enum name i = 0; i < NAMES; i++) {
		const struct payload *p = names[i] ? map_find(&c->payloads, names[i]) : NULL;
		buf_clear(&out->block);
		if (p && p->place != WARC_NO_PLACE &&
			warc_item_at(c->files->path[p->file], p->place, keep_response, out, &note) == 0 && out->block.used)
			return 1;
	}
	return 0;
}

void captures_free(struct captures *c)
{
	if (!c)
		return;
	for (uint32_t i = 0; i < c->parts; i++) {
		free(c->part[i].head);
		free(c->part[i].chunk);
	}
	free(c->part);
	tempfile_close(&c->spool);
	map_release(&c->lasts);
	map_release(&c->payloads);
	buf_release(&c->text);
	pthread_mutex_destroy(&c->mutex);
	free(c);
}
