/* Images: the memory of a struct as one run of bytes, from which another program of the same build goes on. One function says what
 * belongs to the image of a struct, and both writes and reads it, so that the two cannot differ:
 *
 *	void box_image(struct box *b, struct image *im)
 *	{
 *		image_bytes(im, &b->count, sizeof b->count);
 *		image_map(im, &b->known);
 *		b->id = image_array(im, b->id, &b->n, &b->room, sizeof *b->id);
 *	}
 *
 *	struct image out = image_to(sink, ctx);               sink() gets the bytes, piece by piece
 *	box_image(&box, &out);
 *	image_end(&out);
 *
 *	struct image in = image_of(bytes, n);
 *	box_image(&new_box, &in);
 *	if (image_end(&in)) ...                               the bytes are no image of a box
 *
 * Writing changes nothing of the struct. A struct that is read into must be new. The bytes are trusted: they must be those that the
 * same build of the program has written; an image that is too short is noticed, and no byte outside it is read. */
#ifndef BASE_IMAGE_H
#define BASE_IMAGE_H

#include "base/buf.h"
#include "base/map.h"

#include <stddef.h>
#include <stdint.h>

typedef void image_sink(void *ctx, const void *bytes, size_t n);

struct image {
	image_sink *sink; /* NULL: the image is read */
	void *ctx;
	struct buf held; /* bytes that the sink has not got yet */
	const uint8_t *at, *end;
	int is_bad; /* 1: bytes that were to be read are missing */
};

/* Begins to write an image. The caller calls image_end() in each case. */
struct image image_to(image_sink *, void *ctx);

/* Begins to read an image of n bytes, which must outlive it. */
struct image image_of(const void *bytes, size_t n);

/* Ends an image. Returns 0; or -1 if an image that was read has too few or too many bytes, or impossible sizes. */
int image_end(struct image *);

/* Writes or reads n bytes. Bytes that are missing are read as 0. */
void image_bytes(struct image *, void *at, size_t n);

/* Writes a text of n bytes, or compares it with that of an image that is read. Returns 1, or 0 if they differ. */
int image_same(struct image *, const char *text, size_t n);

/* Writes an array of *n elements, or reads one. Returns the array, which the caller owns; *room is then that of mem_grow(). */
void *image_array(struct image *, void *array, size_t *n, size_t *room, size_t size);

/* As image_array(), for an array of paged_need() (base/paged.h). */
void *image_paged(struct image *, void *array, size_t *n, size_t *room, size_t size);

/* Writes a map, or reads one into a map that is empty and has the same size of records. */
void image_map(struct image *, struct map *);

#endif
