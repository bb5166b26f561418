#include "traps/mirrors.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define WEIGHT 4 /* of a page that is not what it would be */

struct place {
	uint64_t key, of; /* hashes of it and of the original */
	uint32_t like, length;
	uint32_t score;
	uint32_t is_mirror;
};

void mirrors_init(struct mirrors *m, uint32_t most)
{
	*m = (struct mirrors){.most = most};
	map_init(&m->places, sizeof(struct place));
}

void mirrors_release(struct mirrors *m)
{
	map_release(&m->places);
}

/* Behind the first folder of the path from `tail`, a slash, on; where it has none, behind `tail`. A
 * slash at the end is part of the name before it. */
static uint32_t behind_folder(const struct url *u, uint32_t tail)
{
	const char *text = u->text.at;
	const char *slash = memchr(text + tail + 1, '/', u->query - tail - 1);

	return slash && slash + 1 < text + u->query ? (uint32_t)(slash - text) + 1 : tail + 1;
}

static uint64_t key_of(const struct url *u, uint32_t tail)
{
	return XXH3_64bits_withSeed(u->text.at, behind_folder(u, tail), tail);
}

/* Where the longest part that both paths end in begins, in the first: a slash; or 0. */
static uint32_t tail_of(const struct url *a, const struct url *b)
{
	const char *x = a->text.at + a->text.used, *y = b->text.at + b->text.used;
	const char *first = a->text.at + a->path, *last = a->text.at + a->query, *slash = NULL;

	for (size_t n = b->text.used - b->path; n && x > first && x[-1] == y[-1]; n--) {
		x--, y--;
		if (*x == '/' && x < last)
			slash = x;
	}
	return slash ? (uint32_t)(slash - a->text.at) : 0;
}

void mirrors_copy(
	struct mirrors *m, const struct url *copy, const struct url *original, uint32_t first)
{
	const uint32_t tail = m->most ? tail_of(copy, original) : 0;

	if (!tail)
		return;
	const uint32_t length = (uint32_t)(original->text.used - (copy->text.used - tail));
	if (length >= original->query)
		return;
	const uint64_t key = key_of(copy, tail), of = key_of(original, length);
	const struct place *other = map_find(&m->places, of);
	if (other && other->is_mirror && other->of == key)
		return;
	struct place *p = map_at(&m->places, key);
	if (p->is_mirror)
		return;
	if (p->score == 0) {
		p->of = of;
		p->like = first;
		p->length = length;
	}
	if (p->of == of)
		p->score++;
	else
		p->score -= p->score < WEIGHT ? p->score : WEIGHT;
	p->is_mirror = p->score >= m->most;
	m->found += p->is_mirror;
}

/* The place around a URL with the longest original that is one, or may be. */
static struct place *find(const struct mirrors *m, const struct url *u, uint32_t *tail)
{
	const char *text = u->text.at;
	struct place *best = NULL;
	uint32_t at = u->path;

	for (unsigned i = 0; i < MIRRORS_FOLDERS; i++) {
		struct place *p = map_find(&m->places, key_of(u, at));
		if (p && p->score && (!best || p->score > best->score)) {
			best = p;
			*tail = at;
		}
		const char *slash = memchr(text + at + 1, '/', u->query - at - 1);
		if (!slash)
			break;
		at = (uint32_t)(slash - text);
	}
	return best;
}

int mirrors_suspect(const struct mirrors *m, const struct url *u, struct mirrors_original *out)
{
	const struct place *p = m->places.used ? find(m, u, &out->tail) : NULL;

	if (p) {
		out->like = p->like;
		out->length = p->length;
	}
	return p != NULL;
}

int mirrors_find(const struct mirrors *m, const struct url *u, struct mirrors_original *out)
{
	const struct place *p = m->found ? find(m, u, &out->tail) : NULL;

	if (!p || !p->is_mirror || XXH3_64bits(u->text.at, u->text.used) % MIRRORS_SAMPLE == 0)
		return 0;
	out->like = p->like;
	out->length = p->length;
	return 1;
}

void mirrors_differ(struct mirrors *m, const struct url *u)
{
	uint32_t tail;
	struct place *p = find(m, u, &tail);

	if (!p)
		return;
	m->found -= p->is_mirror;
	p->score -= p->score < WEIGHT ? p->score : WEIGHT;
	p->is_mirror = 0;
}
