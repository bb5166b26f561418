#include "crawler/alike.h"
#include "crawler/shape.h"
#include "parser/simhash.h"

#include <string.h>

#define RECENT 4 /* pages of a shape that a new one is compared with */

/* One that had a copy. */
struct shape {
	uint64_t key;
	uint64_t recent[RECENT]; /* simhashes; 0: none */
	uint32_t next;
	uint32_t stale; /* copies in a row */
	uint32_t run;   /* those among them that led to more of their own, and nothing else */
	uint32_t is_closed;
};

void alike_init(struct alike *a, uint32_t most, uint32_t near)
{
	memset(a, 0, sizeof *a);
	a->most = most;
	a->near = near;
	map_init(&a->shapes, sizeof(struct shape));
}

void alike_release(struct alike *a)
{
	map_release(&a->shapes);
}

/* The shapes of a URL, a folder's first; returns how many. */
static unsigned shapes_of(const struct url *u, uint64_t shape[ALIKE_SHAPES])
{
	const uint64_t all[ALIKE_SHAPES] = {
		shape_folder(u), shape_of(u), shape_without_query(u), shape_echo(u)};
	unsigned n = 0;

	for (unsigned i = 0; i < ALIKE_SHAPES; i++)
		if (all[i])
			shape[n++] = all[i];
	return n;
}

int alike_is_closed(const struct alike *a, const struct url *u)
{
	uint64_t shape[ALIKE_SHAPES];
	const unsigned n = a->closed ? shapes_of(u, shape) : 0; /* mostly nothing is */

	for (unsigned i = 0; i < n; i++) {
		const struct shape *s = map_find(&a->shapes, shape[i]);
		if (s && s->is_closed)
			return 1;
	}
	return 0;
}

void alike_begin(struct alike *a, const struct url *u, int copy, uint64_t simhash)
{
	memset(a->own, 0, sizeof a->own);
	memset(a->other, 0, sizeof a->other);
	a->n = shapes_of(u, a->shape);
	a->has_folder = a->n && a->shape[0] == shape_folder(u);
	a->is_read = 1;
	a->copy = copy;
	a->simhash = a->near ? simhash : 0;
}

int alike_asks(const struct alike *a)
{
	return a->n && a->most && (a->copy || a->simhash);
}

static int has(const uint64_t *shape, unsigned n, uint64_t one)
{
	for (unsigned i = 0; i < n; i++)
		if (shape[i] == one)
			return 1;
	return 0;
}

/* Whether one of the shapes has for long been but copies. */
static int is_stale(const struct alike *a, const uint64_t *shape, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		const struct shape *s = map_find(&a->shapes, shape[i]);
		if (s && s->stale >= a->most)
			return 1;
	}
	return 0;
}

void alike_led(struct alike *a, const struct url *to)
{
	uint64_t shape[ALIKE_SHAPES];

	if (!alike_asks(a))
		return;
	const unsigned n = shapes_of(to, shape);
	const int stale = is_stale(a, shape, n);
	for (unsigned i = 0; i < a->n; i++) {
		if (stale || has(shape, n, a->shape[i]))
			a->own[i]++;
		else
			a->other[i]++;
	}
}

int alike_shares(const struct alike *a, const struct url *u)
{
	const uint64_t numbers = shape_of(u), query = shape_without_query(u);

	if (!a->is_read)
		return -1;
	return (numbers && has(a->shape, a->n, numbers)) || (query && has(a->shape, a->n, query));
}

/* Whether the page is near to one of the last of a shape, among which it is from now on. */
static int is_near(const struct alike *a, struct shape *s)
{
	int near = 0;

	for (unsigned i = 0; i < RECENT && a->simhash; i++)
		near |= s->recent[i] && simhash_distance(a->simhash, s->recent[i]) < a->near;
	if (a->simhash)
		s->recent[s->next++ % RECENT] = a->simhash;
	return near;
}

static void learn(struct alike *a, unsigned i)
{
	struct shape *s = a->copy || a->simhash ? map_at(&a->shapes, a->shape[i])
						: map_find(&a->shapes, a->shape[i]);

	if (!s)
		return;
	const int copy = is_near(a, s) || a->copy;
	s->stale = copy ? s->stale + 1 : 0;
	if (!copy || a->other[i])
		s->run = 0;
	else if (a->own[i])
		s->run++;
	const int is_folder = i == 0 && a->has_folder;
	if (s->run / (is_folder ? ALIKE_FOLDER : 1) >= a->most && !s->is_closed) {
		s->is_closed = 1;
		a->closed++;
	}
}

void alike_end(struct alike *a)
{
	for (unsigned i = 0; i < a->n && a->most; i++)
		learn(a, i);
	a->n = 0;
	a->is_read = 0;
}

void alike_redirected(struct alike *a, const struct url *from, const struct url *to)
{
	uint64_t shape[ALIKE_SHAPES];

	if (!a->most || !is_stale(a, shape, shapes_of(to, shape)))
		return;
	const unsigned n = shapes_of(from, shape);
	for (unsigned i = 0; i < n; i++)
		((struct shape *)map_at(&a->shapes, shape[i]))->stale = a->most;
}

void alike_recall(struct alike *a, const struct url *left)
{
	uint64_t shape[ALIKE_SHAPES];
	const unsigned n = shapes_of(left, shape);
	const uint64_t numbers = shape_of(left);

	if (!a->most || (!numbers && n != 1) || alike_is_closed(a, left))
		return;
	struct shape *s = map_at(&a->shapes, numbers ? numbers : shape[0]);
	s->stale = a->most;
	s->is_closed = 1;
	a->closed++;
}
