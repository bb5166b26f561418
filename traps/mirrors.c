#include "traps/mirrors.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* A folder or host that may be a mirror of another. */
struct candidate {
	uint64_t key, of;      /* the hashes of the mirror and of its original */
	uint32_t like, length; /* as in struct mirrors_original */
	uint32_t votes;        /* the votes for this original, less the votes for others */
	uint32_t is_settled;   /* 1: it has had MIRRORS_SETTLED votes */
};

void mirrors_init(struct mirrors *m)
{
	map_init_paged(&m->places, sizeof(struct candidate));
}

void mirrors_release(struct mirrors *m)
{
	map_release(&m->places);
}

/* Returns the end of the first folder after the slash at `tail`; if there is no folder, the end of this slash. A slash at
 * the end of the path ends no folder. */
static uint32_t behind_folder(const struct url *u, uint32_t tail)
{
	const char *text = u->text.at;
	const char *slash = memchr(text + tail + 1, '/', u->query - tail - 1);

	return slash && slash + 1 < text + u->query ? (uint32_t)(slash - text) + 1 : tail + 1;
}

/* Returns the key of the mirror that has its common end with the original from `tail` on. */
static uint64_t key_of(const struct url *u, uint32_t tail)
{
	return XXH3_64bits_withSeed(u->text.at, behind_folder(u, tail), tail);
}

/* Returns where in `a` the longest common end of two URLs begins, a slash in the path; or 0 if there is none. */
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

/* Says whether the folder or host `key` is settled as a mirror of `of`. */
static int is_mirror(const struct mirrors *m, uint64_t key, uint64_t of)
{
	const struct candidate *p = map_find(&m->places, key);

	return p && p->is_settled && p->of == of;
}

int mirrors_add(struct mirrors *m, const struct url *copy, const struct url *original, uint32_t first, uint64_t *key)
{
	const uint32_t tail = tail_of(copy, original);

	if (!tail)
		return 0;
	const uint32_t length = (uint32_t)(original->text.used - (copy->text.used - tail));
	if (length >= original->query)
		return 0;
	const uint64_t of = key_of(original, length);
	*key = key_of(copy, tail);
	struct candidate *p = map_at(&m->places, *key);
	if (!p->votes) {
		p->is_settled = 0;
		p->of = of;
		p->like = first;
		p->length = length;
	}
	p->votes += p->of == of ? 1 : (uint32_t)-1;
	if (p->votes >= MIRRORS_SETTLED && !is_mirror(m, of, *key))
		p->is_settled = 1;
	return p->of == of;
}

size_t mirrors_find(const struct mirrors *m, const struct url *u, struct mirrors_original out[MIRRORS_FOLDERS])
{
	const char *text = u->text.at;
	uint32_t at = u->path;
	size_t n = 0;

	for (unsigned i = 0; m->places.used && i < MIRRORS_FOLDERS; i++) {
		const uint64_t key = key_of(u, at);
		const struct candidate *p = map_find(&m->places, key);
		if (p && p->is_settled)
			out[n++] = (struct mirrors_original){key, p->like, p->length, at};
		const char *slash = memchr(text + at + 1, '/', u->query - at - 1);
		if (!slash)
			break;
		at = (uint32_t)(slash - text);
	}
	return n;
}

/* Returns where the segment before the slash at `tail` begins; or 0 if there is none. */
static uint32_t segment_before(const struct url *u, uint32_t tail)
{
	const char *path = u->text.at + u->path;
	const char *slash = tail > u->path ? memrchr(path, '/', tail - u->path) : NULL;

	return slash ? (uint32_t)(slash + 1 - u->text.at) : 0;
}

/* Says whether the segment from `from` to `tail` is a number, as of a year or a page. */
static int is_number(const struct url *u, uint32_t from, uint32_t tail)
{
	while (from < tail && u->text.at[from] >= '0' && u->text.at[from] <= '9')
		from++;
	return from == tail;
}

int mirrors_may_be(const struct url *copy, const struct url *original)
{
	const uint32_t tail = tail_of(copy, original);
	const uint32_t other = (uint32_t)(original->text.used - (copy->text.used - tail));

	if (!tail || other >= original->query)
		return 0;
	if (copy->path != original->path || memcmp(copy->text.at, original->text.at, copy->path) != 0)
		return 1;
	const uint32_t a = segment_before(copy, tail), b = segment_before(original, other);
	return a && a == b && tail + 1 < copy->text.used && memcmp(copy->text.at, original->text.at, a) == 0 &&
		!(is_number(copy, a, tail) && is_number(original, b, other));
}
