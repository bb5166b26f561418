/* Shapes of URLs that a program fills without end, known by what their pages say and lead to: pages
 * that only repeat others, and lead to nothing but more of their own.
 *
 * A page has a few shapes (crawler/shape.h). A shape is closed once `most` of its pages in a row
 * were copies that led to URLs never seen before, all of which were of the shape too, or of others
 * whose last `most` pages were but copies. Copies that lead nowhere new (a photo in an album, a
 * chapter not yet written) count for nothing; a page that says something new, or leads to something
 * else, starts the count again. */
#ifndef CRAWLER_ALIKE_H
#define CRAWLER_ALIKE_H

#include "base/map.h"
#include "parser/url.h"

#define ALIKE_SHAPES 4 /* of a URL */
#define ALIKE_FOLDER 4 /* times as many close a folder, where real pages may be among them */

struct alike {
	uint32_t most; /* 0: no shape is ever closed */
	uint32_t near; /* bits of the simhash, see alike_begin(); 0: no matter */
	size_t closed;
	struct map shapes;

	/* the page being read */
	uint64_t shape[ALIKE_SHAPES];
	unsigned n;                                      /* of its shapes */
	int is_read, has_folder;                         /* which then is the first of its shapes */
	uint32_t own[ALIKE_SHAPES], other[ALIKE_SHAPES]; /* URLs it led to */
	int copy;
	uint64_t simhash;
};

void alike_init(struct alike *a, uint32_t most, uint32_t near);
void alike_release(struct alike *a);

int alike_is_closed(const struct alike *a, const struct url *u);

/* A page is read, a copy or not; it is one, too, where its simhash differs in fewer than `near` bits
 * from one of the last of its shape. Then each URL that belongs and was found on it first; then the
 * end. */
void alike_begin(struct alike *a, const struct url *u, int copy, uint64_t simhash);
void alike_led(struct alike *a, const struct url *to);
void alike_end(struct alike *a);

/* A page is a redirect to another: its shapes are no better than those of where it leads. */
void alike_redirected(struct alike *a, const struct url *from, const struct url *to);

/* A URL was left, in an earlier sitting, since one of its shapes was closed: the narrowest that it can
 * have been is closed again. */
void alike_recall(struct alike *a, const struct url *left);

/* Whether it matters what the page being read leads to. */
int alike_asks(const struct alike *a);

/* Whether a URL is the page being read but for numbers or query; -1 where none is. */
int alike_shares(const struct alike *a, const struct url *u);

#endif
