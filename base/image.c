#include "base/image.h"
#include "base/mem.h"
#include "base/paged.h"

#include <stdlib.h>
#include <string.h>

#define HELD ((size_t)1 << 16)

/* Records of a table between two calls of paged_trim(). */
#define RECORDS 4096

struct image image_to(image_sink *sink, void *ctx)
{
	return (struct image){.sink = sink, .ctx = ctx};
}

struct image image_of(const void *bytes, size_t n)
{
	return (struct image){.at = bytes, .end = (const uint8_t *)bytes + n};
}

static void pass_on(struct image *im)
{
	if (im->held.used)
		im->sink(im->ctx, im->held.at, im->held.used);
	buf_clear(&im->held);
}

int image_end(struct image *im)
{
	if (im->sink)
		pass_on(im);
	buf_release(&im->held);
	return im->is_bad || im->at != im->end ? -1 : 0;
}

static void put(struct image *im, const void *bytes, size_t n)
{
	if (im->held.used + n > HELD)
		pass_on(im);
	if (n <= HELD) {
		if (n)
			buf_add(&im->held, bytes, n);
		return;
	}
	for (size_t at = 0; at < n; at += PAGED_PIECE) {
		im->sink(im->ctx, (const char *)bytes + at, n - at < PAGED_PIECE ? n - at : PAGED_PIECE);
		paged_trim();
	}
}

/* Returns the next n bytes of an image that is read, or NULL. */
static const uint8_t *get(struct image *im, size_t n)
{
	const uint8_t *at = im->at;

	if (im->is_bad || (size_t)(im->end - at) < n) {
		im->is_bad = 1;
		return NULL;
	}
	im->at += n;
	return at;
}

void image_bytes(struct image *im, void *at, size_t n)
{
	const uint8_t *from;

	if (im->sink)
		put(im, at, n);
	else if (!(from = get(im, n)))
		memset(at, 0, n);
	else if (n)
		memcpy(at, from, n);
}

/* Writes a number, or reads one: returns n in a writing image, and the number that was read in a reading one. */
static size_t number(struct image *im, size_t n)
{
	uint64_t wide = n;

	image_bytes(im, &wide, sizeof wide);
	return (size_t)wide;
}

int image_same(struct image *im, const char *text, size_t n)
{
	const size_t there = number(im, n);
	const uint8_t *at;

	if (im->sink) {
		put(im, text, n);
		return 1;
	}
	return there == n && (at = get(im, n)) && (!n || memcmp(at, text, n) == 0);
}

typedef void *grow_array(void *array, size_t *room, size_t need, size_t size);

static void *array_by(struct image *im, void *array, size_t *n, size_t *room, size_t size, grow_array *grow)
{
	const size_t there = number(im, *n);
	const uint8_t *at;

	if (im->sink) {
		put(im, array, *n * size);
		return array;
	}
	if (there > (size_t)(im->end - im->at) / size) {
		im->is_bad = 1;
		return array;
	}
	at = get(im, there * size);
	if (!there || !at)
		return array;
	array = grow(array, room, there, size);
	for (size_t done = 0, all = there * size; done < all; done += PAGED_PIECE) {
		memcpy((char *)array + done, at + done, all - done < PAGED_PIECE ? all - done : PAGED_PIECE);
		paged_trim();
	}
	*n = there;
	return array;
}

void *image_array(struct image *im, void *array, size_t *n, size_t *room, size_t size)
{
	return array_by(im, array, n, room, size, mem_grow);
}

void *image_paged(struct image *im, void *array, size_t *n, size_t *room, size_t size)
{
	return array_by(im, array, n, room, size, paged_need);
}

void image_map(struct image *im, struct map *m)
{
	const size_t room = number(im, m->room), used = number(im, m->used);
	struct map_walk walk = {0};
	const void *record;

	if (im->sink) {
		for (size_t i = 0; (record = map_next(m, &walk)); i++) {
			put(im, record, m->size);
			if (i % RECORDS == 0)
				paged_trim();
		}
		return;
	}
	if (used > (size_t)(im->end - im->at) / m->size || used > map_most(room) || room > UINT32_MAX) {
		im->is_bad = 1;
		return;
	}
	map_reserve(m, room);
	for (size_t i = 0; i < used && (record = get(im, m->size)); i++) {
		map_put(m, record);
		if (i % RECORDS == 0)
			paged_trim();
	}
}
