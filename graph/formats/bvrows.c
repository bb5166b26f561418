/* The reader is written once and compiled twice: for the codes that nearly all graphs have, where
 * no code has to be looked up, and for any. */
#include "graph/formats/bvrows.h"
#include "base/mem.h"

#include <string.h>

#define INLINE   static inline __attribute__((always_inline))
#define NO_COUNT UINT64_MAX

/* Copies n ids, eight at a time, which is faster for short rows than an exact copy. Up to 7 elements more are overwritten; if
 * these would be beyond `limit`, exactly n are copied. */
INLINE void copy_ids(uint32_t *out, const uint32_t *in, size_t n, const uint32_t *limit)
{
	if ((size_t)(limit - out) < n + 8) {
		memmove(out, in, n * sizeof *out);
		return;
	}
	size_t i = 0;
	do {
		uint32_t ids[8]; /* copied through a buffer, since the ids beyond n may overlap */
		memcpy(ids, in + i, sizeof ids);
		memcpy(out + i, ids, sizeof ids);
		i += 8;
	} while (__builtin_expect(i < n, 0));
}

/* Copies the blocks of a row from the n targets of `list`, at most d. Returns the number copied, or NO_COUNT if the blocks do
 * not fit. */
INLINE uint64_t copy_blocks(struct bits *b, const struct bvcodes *c, const uint32_t *list, uint64_t n, uint32_t *out, uint64_t d,
	const uint32_t *limit)
{
	const uint64_t blocks = bits_read(b, c->block_count, c->zeta);
	uint64_t copied = 0, at = 0;

	if (blocks > n + 1)
		return NO_COUNT;
	for (uint64_t i = 0; i < blocks; i++) {
		const uint64_t length = bits_read(b, c->block, c->zeta) + (i > 0);
		if (length > n - at)
			return NO_COUNT;
		if (i % 2 == 0) {
			if (length > d - copied)
				return NO_COUNT;
			copy_ids(out + copied, list + at, length, limit);
			copied += length;
		}
		at += length;
	}
	if (blocks % 2 == 0) {
		if (n - at > d - copied)
			return NO_COUNT;
		copy_ids(out + copied, list + at, n - at, limit);
		copied += n - at;
	}
	return copied;
}

/* The ids in intervals, at most `most`, into out; how many, or NO_COUNT. */
INLINE uint64_t read_intervals(struct bits *b, const struct bvcodes *c, const struct bvproperties *p, uint32_t x, uint32_t *out,
	uint64_t most)
{
	const uint64_t count = bits_read(b, c->interval, c->zeta);
	uint64_t done = 0, end = 0;

	if (count > most / p->min_interval)
		return NO_COUNT;
	for (uint64_t i = 0; i < count; i++) {
		const uint64_t gap = bits_read(b, c->interval, c->zeta);
		const uint64_t left = i ? end + gap + 1 : (uint64_t)(x + bits_signed(gap));
		const uint64_t length = bits_read(b, c->interval, c->zeta) + p->min_interval;
		if (left >= p->nodes || length > p->nodes - left || length > most - done)
			return NO_COUNT;
		for (uint64_t k = 0; k < length; k++)
			out[done + k] = (uint32_t)(left + k);
		done += length;
		end = left + length;
	}
	return done;
}

/* Reads the n >= 1 residuals of row x. Returns 0, or -1 if one of them is not below `nodes`. */
INLINE int read_residuals(struct bits *b, const struct bvcodes *c, uint64_t nodes, uint32_t x, uint32_t *out, uint64_t n)
{
	uint64_t id = (uint64_t)(x + bits_signed(bits_read(b, c->residual, c->zeta))), any = id;

	out[0] = (uint32_t)id;
	for (uint64_t i = 1; i < n && !bits_failed(b); i++) {
		id += bits_read(b, c->residual, c->zeta) + 1;
		any |= id;
		out[i] = (uint32_t)id;
	}
	return any >> 32 || id >= nodes ? -1 : 0;
}

/* Merges more[m] into out[n], both ascending; returns -1 if they have an id in common. It merges from the end, so that the
 * elements of out[] below all of more[] are not moved. */
INLINE int merge(uint32_t *out, size_t n, const uint32_t *more, size_t m)
{
	int is_shared = 0;

	while (m) {
		const uint32_t id = more[--m];
		for (; n && out[n - 1] > id; n--)
			out[n + m] = out[n - 1];
		is_shared |= n && out[n - 1] == id;
		out[n + m] = id;
	}
	return is_shared ? -1 : 0;
}

/* Decodes the part of row x, of d >= 1 targets, that follows its reference. list[n] is the row that it refers to, or NULL.
 * Memory behind the row may be overwritten up to `limit`. Returns NULL, or a sentence that says why the row is damaged. */
INLINE const char *read_ids(struct bvrows *r, struct bits *b, const struct bvcodes *c, uint32_t x, uint64_t d, const uint32_t *list,
	uint64_t n, uint32_t *out, const uint32_t *limit)
{
	const struct bvproperties *p = r->p;
	uint64_t have = 0;

	if (list) {
		have = copy_blocks(b, c, list, n, out, d, limit);
		if (have == NO_COUNT)
			return "it copies more than there is";
	}
	if (have < d && d > r->spare_room)
		r->spare = mem_grow(r->spare, &r->spare_room, d, sizeof *r->spare);
	if (have < d && p->min_interval) {
		uint32_t *const at = have ? r->spare : out;
		const uint64_t more = read_intervals(b, c, p, x, at, d - have);
		if (more == NO_COUNT)
			return "its intervals do not fit";
		if (have && more && merge(out, have, at, more))
			return "it has an arc twice";
		have += more;
	}
	if (have < d) {
		uint32_t *const at = have ? r->spare : out;
		if (read_residuals(b, c, p->nodes, x, at, d - have))
			return "an arc leads to no node";
		if (have && merge(out, have, at, d - have))
			return "it has an arc twice";
	}
	return NULL;
}

/* Row x of d >= 1 ids, behind its outdegree. */
INLINE const char *read_row(struct bvrows *r, struct bits *b, const struct bvcodes *c, uint32_t x, uint64_t d, uint32_t *out)
{
	const uint64_t window = r->p->window;
	const uint64_t back = window ? bits_read(b, c->reference, c->zeta) : 0;
	const uint32_t *list = NULL;
	uint64_t n = 0;

	if (back) {
		if (back > window || back > x - r->first)
			return "its reference goes back too far";
		const uint64_t begin = r->offset[x - back];
		n = r->offset[x - back + 1] - begin;
		list = r->target + begin;
	}
	return read_ids(r, b, c, x, d, list, n, out, r->target + r->room);
}

INLINE const char *read_rows(struct bvrows *r, const struct bvcodes *c, uint32_t end, uint64_t *need)
{
	const uint64_t nodes = r->p->nodes;
	struct bits b = r->in;
	const char *wrong = NULL;
	uint64_t begin = b.place, done = r->done;
	uint32_t x;

	*need = 0;
	for (x = r->next; x < end; x++) {
		begin = b.place;
		r->offset[x] = done;
		const uint64_t d = bits_read(&b, c->outdegree, c->zeta);
		if (d > nodes || d > r->most - done) {
			wrong = d > nodes ? "its outdegree is too large" : "there are too many arcs";
			break;
		}
		if (done + d > r->room) {
			*need = done + d;
			break;
		}
		if (d)
			wrong = read_row(r, &b, c, x, d, r->target + done);
		if (wrong || bits_failed(&b))
			break;
		done += d;
	}
	if (bits_failed(&b))
		wrong = "the bits run out";
	if (x < end)
		b.place = begin;
	r->in = b;
	r->next = x;
	r->done = done;
	return wrong;
}

static const struct bvcodes usual = {BITS_GAMMA, BITS_UNARY, BITS_GAMMA, BITS_GAMMA, BITS_GAMMA, BITS_ZETA, BITS_GAMMA, 3};

static const char *read_usual(struct bvrows *r, uint32_t end, uint64_t *need)
{
	return read_rows(r, &usual, end, need);
}

static const char *read_any(struct bvrows *r, uint32_t end, uint64_t *need)
{
	return read_rows(r, &r->p->codes, end, need);
}

int bvrows_are_usual(const struct bvcodes *c)
{
	return c->outdegree == usual.outdegree && c->reference == usual.reference && c->block_count == usual.block_count &&
		c->block == usual.block && c->interval == usual.interval && c->residual == usual.residual && c->zeta == usual.zeta;
}

const char *bvrows_read(struct bvrows *r, uint32_t end, uint64_t *need)
{
	return r->is_usual ? read_usual(r, end, need) : read_any(r, end, need);
}

INLINE const char *read_alone(struct bvrows *r, const struct bvcodes *c, uint64_t d, const uint32_t *list, uint64_t n,
	uint32_t *out, size_t room)
{
	struct bits b = r->in;
	const char *wrong = NULL;

	if (d)
		wrong = read_ids(r, &b, c, r->next, d, list, n, out, out + room);
	if (bits_failed(&b))
		wrong = "the bits run out";
	if (!wrong)
		r->in = b;
	return wrong;
}

const char *bvrows_read_alone(struct bvrows *r, uint64_t d, const uint32_t *list, uint64_t n, uint32_t *out, size_t room)
{
	return r->is_usual ? read_alone(r, &usual, d, list, n, out, room) : read_alone(r, &r->p->codes, d, list, n, out, room);
}

INLINE int peek(struct bits *in, const struct bvcodes *c, int has_window, uint64_t *degree, uint64_t *back)
{
	struct bits b = *in;

	*degree = bits_read(&b, c->outdegree, c->zeta);
	*back = *degree && has_window ? bits_read(&b, c->reference, c->zeta) : 0;
	*in = b;
	return bits_failed(&b) ? -1 : 0;
}

int bvrows_peek(struct bvrows *r, uint64_t *degree, uint64_t *back)
{
	const int has_window = r->p->window > 0;

	return r->is_usual ? peek(&r->in, &usual, has_window, degree, back) : peek(&r->in, &r->p->codes, has_window, degree, back);
}

INLINE int sum_degrees(struct bits b, enum bits_code code, unsigned k, const uint64_t *place, uint32_t n, uint64_t most,
	uint64_t *sum)
{
	int is_bad = 0;

	*sum = 0;
	for (uint32_t i = 0; i < n; i++) {
		b.place = place[i];
		const uint64_t d = bits_read(&b, code, k);
		is_bad |= d > most || bits_failed(&b);
		*sum += d;
	}
	return is_bad ? -1 : 0;
}

int bvrows_sum(const struct bvrows *r, const uint64_t *place, uint32_t n, uint64_t *sum)
{
	const struct bvcodes *c = &r->p->codes;

	if (c->outdegree == BITS_GAMMA)
		return sum_degrees(r->in, BITS_GAMMA, 0, place, n, r->p->nodes, sum);
	return sum_degrees(r->in, c->outdegree, c->zeta, place, n, r->p->nodes, sum);
}
