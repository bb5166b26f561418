/* Memory: adding takes 24 bytes for each arc, 8 of them in the caller's two arrays and 16 here. The 16 are freed before merging,
 * which needs a buffer for each run. If there are more runs than buffers, groups of runs are first merged into one run each, in
 * another file, until there are few enough. */
#include "graph/memory/runs.h"
#include "base/mem.h"
#include "graph/memory/mapping.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BYTES_AN_ARC 24
#define LEAST_ARCS   2048 /* a window of text (arctext.c), and mirrored */
#define BUFFER_LEAST 4096
#define BUFFER_MOST  ((size_t)1 << 20)
#define RUNS_AT_ONCE 512
#define ROW_HEAD     20 /* bytes that two numbers take at most */

struct run {
	uint64_t begin, end; /* places in the file */
};

struct reader {
	uint64_t next, end; /* the part of the run that is not in the buffer yet */
	uint8_t *bytes;
	size_t at, have;
	uint64_t left; /* targets of this row still to come */
};

/* The arc that a reader stands at. */
struct head {
	uint64_t from, to;
	uint32_t reader;
};

struct runs {
	struct graph_space space;
	char *folder;
	struct tempfile file;
	struct run *run;
	size_t count, room;
	uint64_t *key, *other; /* of runs_arcs(), while arcs are added */

	struct reader *reader;
	size_t readers, buffer; /* bytes of a buffer */
	uint8_t *buffers;
	struct head *heap; /* the least arc first */
	size_t heads;
	struct head last;
	int begun;
};

size_t runs_arcs(const struct graph_space *space)
{
	const uint64_t n = space->memory / BYTES_AN_ARC;

	return n < LEAST_ARCS ? LEAST_ARCS : (size_t)n;
}

int runs_open(struct runs **result, const struct graph_space *space, struct err_note *why)
{
	struct runs *r = mem_zero(1, sizeof *r);

	*result = NULL;
	r->space = *space;
	r->folder = space->folder ? mem_text(space->folder) : NULL;
	r->space.folder = r->folder;
	const int err = tempfile_open(&r->file, r->folder, why);
	if (err) {
		free(r->folder);
		free(r);
		return err;
	}
	*result = r;
	return 0;
}

static void release_merge(struct runs *r)
{
	free(r->reader);
	free(r->buffers);
	free(r->heap);
	r->reader = NULL;
	r->buffers = NULL;
	r->heap = NULL;
	r->readers = r->heads = 0;
}

void runs_free(struct runs *r)
{
	if (!r)
		return;
	release_merge(r);
	tempfile_close(&r->file);
	free(r->key);
	free(r->other);
	free(r->run);
	free(r->folder);
	free(r);
}

int runs_failed(const struct runs *r)
{
	return r->file.failed != 0;
}

/* --- writing runs */

/* A run while it is written. */
struct writing {
	struct tempfile *file;
	uint64_t begin;
	uint64_t from; /* of the last row */
};

static void put_row(struct writing *w, uint64_t from, const uint64_t *to, size_t n)
{
	struct buf *b = &w->file->waiting;
	uint64_t last = 0;

	buf_varint(b, from - w->from);
	buf_varint(b, n);
	for (size_t i = 0; i < n; i++) {
		buf_varint(b, to[i] - last);
		last = to[i];
		if (i % 4096 == 0)
			tempfile_relieve(w->file);
	}
	w->from = from;
	tempfile_relieve(w->file);
}

static uint64_t file_end(const struct tempfile *t)
{
	return t->size + t->waiting.used;
}

static void begin_run(struct writing *w, struct tempfile *file)
{
	*w = (struct writing){file, file_end(file), 0};
}

static void end_run(const struct writing *w, struct run **run, size_t *count, size_t *room)
{
	*run = mem_grow(*run, room, *count + 1, sizeof **run);
	(*run)[(*count)++] = (struct run){w->begin, file_end(w->file)};
}

/* Returns the keys of the arcs in ascending order. Keys that already ascend are not sorted. */
static uint64_t *sort_arcs(struct runs *r, const uint32_t *from, const uint32_t *to, size_t n)
{
	int keys_ascend = 1, targets_ascend = 1;

	for (size_t i = 0; i < n; i++) {
		r->key[i] = (uint64_t)from[i] << 32 | to[i];
		if (i) {
			keys_ascend &= r->key[i] >= r->key[i - 1];
			targets_ascend &= to[i] >= to[i - 1];
		}
	}
	/* the sort is stable, so arcs in the order of their targets, as a transpose produces them, are sorted by their sources
	 * only */
	return keys_ascend ? r->key : radix_sort(r->key, r->other, n, targets_ascend ? 32 : 0);
}

void runs_add(struct runs *r, const uint32_t *from, const uint32_t *to, size_t n)
{
	struct writing w;

	assert(!r->begun && n <= runs_arcs(&r->space));
	if (!n || r->file.failed)
		return;
	if (!r->key) {
		r->key = mem_new(runs_arcs(&r->space), sizeof *r->key);
		r->other = mem_new(runs_arcs(&r->space), sizeof *r->other);
	}
	uint64_t *key = sort_arcs(r, from, to, n);
	n = radix_distinct(key, n);
	begin_run(&w, &r->file);
	for (size_t i = 0, end; i < n; i = end) {
		const uint64_t source = key[i] >> 32;
		for (end = i; end < n && key[end] >> 32 == source; end++)
			key[end] &= UINT32_MAX;
		put_row(&w, source, key + i, end - i);
	}
	end_run(&w, &r->run, &r->count, &r->room);
}

struct pair {
	uint64_t from, to;
};

static int compare_pairs(const void *x, const void *y)
{
	const struct pair *a = x, *b = y;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return (a->to > b->to) - (a->to < b->to);
}

/* Sorts the arcs from[n], to[n] in place, and removes repeated ones. Returns how many remain. */
static size_t sort_wide(uint64_t *from, uint64_t *to, size_t n)
{
	AUTO_FREE struct pair *pair = mem_new(n, sizeof *pair);
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		pair[i] = (struct pair){from[i], to[i]};
	qsort(pair, n, sizeof *pair, compare_pairs);
	for (size_t i = 0; i < n; i++) {
		if (kept && pair[i].from == from[kept - 1] && pair[i].to == to[kept - 1])
			continue;
		from[kept] = pair[i].from;
		to[kept++] = pair[i].to;
	}
	return kept;
}

void runs_add_wide(struct runs *r, uint64_t *from, uint64_t *to, size_t n)
{
	struct writing w;

	assert(!r->begun && n <= runs_arcs(&r->space));
	if (!n || r->file.failed)
		return;
	free(r->key);
	free(r->other);
	r->key = r->other = NULL;
	n = sort_wide(from, to, n);
	begin_run(&w, &r->file);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i; end < n && from[end] == from[i]; end++)
			;
		put_row(&w, from[i], to + i, end - i);
	}
	end_run(&w, &r->run, &r->count, &r->room);
}

/* --- reading and merging them */

static int fill(const struct runs *r, struct reader *s, struct err_note *why)
{
	const size_t rest = s->have - s->at;
	const uint64_t left = s->end - s->next, space = r->buffer - rest;
	const size_t n = (size_t)(left < space ? left : space);

	memmove(s->bytes, s->bytes + s->at, rest);
	const int err = tempfile_read(&r->file, s->next, s->bytes + rest, n, why);
	s->at = 0;
	s->have = rest + n;
	s->next += n;
	return err;
}

/* Moves a reader on to its next arc. Returns 1, 0 at the end of its run, or an error. */
static int advance(const struct runs *r, struct head *h, struct err_note *why)
{
	struct reader *s = &r->reader[h->reader];
	uint64_t gap = 0;

	if (s->have - s->at < ROW_HEAD + 10 && s->next < s->end) {
		const int err = fill(r, s, why);
		if (err)
			return err;
	}
	const uint8_t *p = s->bytes + s->at, *const end = s->bytes + s->have;
	int bad = 0;
	if (!s->left) {
		if (p == end)
			return 0;
		bad |= varint_read(&p, end, &gap) | varint_read(&p, end, &s->left);
		h->from += gap;
		h->to = 0;
	}
	bad |= varint_read(&p, end, &gap);
	h->to += gap;
	s->left--;
	s->at = (size_t)(p - s->bytes);
	return bad ? err_set(why, ERR_FILE, "a temporary file in '%s' has changed", r->file.folder) : 1;
}

static int is_less(const struct head *a, const struct head *b)
{
	return a->from < b->from || (a->from == b->from && a->to < b->to);
}

static void sift_down(struct head *heap, size_t n, size_t i)
{
	const struct head moved = heap[i];

	for (size_t child; (child = 2 * i + 1) < n; i = child) {
		if (child + 1 < n && is_less(&heap[child + 1], &heap[child]))
			child++;
		if (!is_less(&heap[child], &moved))
			break;
		heap[i] = heap[child];
	}
	heap[i] = moved;
}

static size_t readers_most(const struct runs *r)
{
	const uint64_t n = r->space.memory / 2 / BUFFER_LEAST;

	return n < 2 ? 2 : n < RUNS_AT_ONCE ? (size_t)n : RUNS_AT_ONCE;
}

/* Readers for runs first..first + n - 1. */
static int begin_merge(struct runs *r, size_t first, size_t n, struct err_note *why)
{
	const size_t share = n ? (size_t)(r->space.memory / 2 / n) : 0;

	release_merge(r);
	r->buffer = share < BUFFER_LEAST ? BUFFER_LEAST : share < BUFFER_MOST ? share : BUFFER_MOST;
	r->buffers = mem_new(n, r->buffer);
	r->reader = mem_zero(n, sizeof *r->reader);
	r->heap = mem_new(n, sizeof *r->heap);
	r->readers = n;
	r->last = (struct head){0, 0, UINT32_MAX};
	for (size_t i = 0; i < n; i++) {
		struct head h = {0, 0, (uint32_t)i};
		r->reader[i] = (struct reader){.next = r->run[first + i].begin,
			.end = r->run[first + i].end,
			.bytes = r->buffers + i * r->buffer};
		const int got = advance(r, &h, why);
		if (got < 0)
			return got;
		if (got)
			r->heap[r->heads++] = h;
	}
	for (size_t i = r->heads / 2; i-- > 0;)
		sift_down(r->heap, r->heads, i);
	return 0;
}

int runs_next(struct runs *r, uint64_t *from, uint64_t *to, struct err_note *why)
{
	while (r->heads) {
		const struct head top = r->heap[0];
		const int got = advance(r, &r->heap[0], why);
		if (got < 0)
			return got;
		if (!got)
			r->heap[0] = r->heap[--r->heads];
		if (r->heads > 1)
			sift_down(r->heap, r->heads, 0);
		if (top.from == r->last.from && top.to == r->last.to && r->last.reader != UINT32_MAX)
			continue;
		r->last = top;
		*from = top.from;
		*to = top.to;
		return 1;
	}
	return 0;
}

/* Merges the readers' runs into one run of another file. A long row is cut into several. */
static int merge_group(struct runs *r, struct writing *w, struct err_note *why)
{
	uint64_t row[1024], source = 0, from, to;
	size_t n = 0;
	int got;

	while ((got = runs_next(r, &from, &to, why)) > 0) {
		if (n == sizeof row / sizeof *row || (n && from != source)) {
			put_row(w, source, row, n);
			n = 0;
		}
		source = from;
		row[n++] = to;
	}
	if (n)
		put_row(w, source, row, n);
	return got;
}

/* Groups of runs become one each. */
static int merge_once(struct runs *r, struct err_note *why)
{
	struct tempfile file;
	struct run *run = NULL;
	size_t count = 0, room = 0;
	int err = tempfile_open(&file, r->folder, why);

	if (err)
		return err;
	for (size_t i = 0; i < r->count && !err; i += r->readers) {
		const size_t left = r->count - i, most = readers_most(r);
		struct writing w;
		begin_run(&w, &file);
		err = begin_merge(r, i, left < most ? left : most, why);
		if (!err)
			err = merge_group(r, &w, why);
		if (!err)
			end_run(&w, &run, &count, &room);
	}
	if (!err)
		err = tempfile_flush(&file, why);
	if (err) {
		tempfile_close(&file);
		free(run);
		return err;
	}
	tempfile_close(&r->file);
	free(r->run);
	r->file = file;
	r->run = run;
	r->count = count;
	r->room = room;
	return 0;
}

int runs_begin(struct runs *r, struct err_note *why)
{
	int err = r->begun ? 0 : tempfile_flush(&r->file, why);

	r->begun = 1;
	free(r->key);
	free(r->other);
	r->key = r->other = NULL;
	while (!err && r->count > readers_most(r))
		err = merge_once(r, why);
	return err ? err : begin_merge(r, 0, r->count, why);
}

static void count_bytes(const uint64_t *key, size_t n, size_t count[8][256])
{
	memset(count, 0, 8 * sizeof *count);
	for (size_t i = 0; i < n; i++)
		for (unsigned b = 0; b < 8; b++)
			count[b][key[i] >> 8 * b & 255]++;
}

uint64_t *radix_sort(uint64_t *key, uint64_t *other, size_t n, unsigned from_bit)
{
	size_t count[8][256];

	count_bytes(key, n, count);
	for (unsigned b = from_bit / 8; b < 8 && n; b++) {
		size_t *at = count[b], sum = 0;
		if (at[key[0] >> 8 * b & 255] == n)
			continue;
		for (size_t v = 0; v < 256; v++) {
			const size_t here = at[v];
			at[v] = sum;
			sum += here;
		}
		for (size_t i = 0; i < n; i++)
			other[at[key[i] >> 8 * b & 255]++] = key[i];
		uint64_t *const swap = key;
		key = other;
		other = swap;
	}
	return key;
}

size_t radix_distinct(uint64_t *key, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (!kept || key[kept - 1] != key[i])
			key[kept++] = key[i];
	return kept;
}
