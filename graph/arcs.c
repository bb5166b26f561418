#include "graph/arcs.h"
#include "graph/mapping.h"
#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void arcs_release(struct arcs *a)
{
	free(a->from);
	free(a->to);
	free(a->wide_from);
	free(a->wide_to);
	free(a->single);
	*a = (struct arcs)ARCS_EMPTY;
}

static int is_wide(const struct arcs *a)
{
	return a->wide_from != NULL;
}

static uint64_t *widen(uint32_t *narrow, size_t count, size_t room)
{
	uint64_t *wide = mem_new(room, sizeof *wide);

	for (size_t i = 0; i < count; i++)
		wide[i] = narrow[i];
	free(narrow);
	return wide;
}

static void need(struct arcs *a, size_t n)
{
	size_t room = a->room;

	if (a->count + n <= room)
		return;
	if (is_wide(a)) {
		a->wide_from = mem_grow(a->wide_from, &a->room, a->count + n, sizeof *a->wide_from);
		a->wide_to = mem_grow(a->wide_to, &room, a->count + n, sizeof *a->wide_to);
	} else {
		a->from = mem_grow(a->from, &a->room, a->count + n, sizeof *a->from);
		a->to = mem_grow(a->to, &room, a->count + n, sizeof *a->to);
		mapping_prefer_large(a->from, a->room * sizeof *a->from);
		mapping_prefer_large(a->to, a->room * sizeof *a->to);
	}
}

int arcs_room(struct arcs *a, size_t n)
{
	if (is_wide(a))
		return 0;
	need(a, n);
	return 1;
}

void arcs_expect(struct arcs *a, uint64_t bytes)
{
	const uint64_t arcs = bytes / 10, most = (uint64_t)1 << 24;

	need(a, (size_t)(arcs < most ? arcs : most));
}

static void note_id(struct arcs *a, uint64_t id)
{
	a->least = id < a->least ? id : a->least;
	a->most = id > a->most ? id : a->most;
}

void arcs_take(struct arcs *a, size_t n)
{
	const uint32_t *from = a->from + a->count, *to = a->to + a->count;
	uint32_t least = UINT32_MAX, most = 0;

	for (size_t i = 0; i < n; i++) {
		const uint32_t low = from[i] < to[i] ? from[i] : to[i];
		const uint32_t high = from[i] < to[i] ? to[i] : from[i];
		least = low < least ? low : least;
		most = high > most ? high : most;
	}
	a->count += n;
	if (n) {
		note_id(a, least);
		note_id(a, most);
	}
}

void arcs_add(struct arcs *a, uint64_t from, uint64_t to)
{
	need(a, 1);
	note_id(a, from);
	note_id(a, to);
	if (!is_wide(a) && (from > UINT32_MAX || to > UINT32_MAX)) {
		a->wide_from = widen(a->from, a->count, a->room);
		a->wide_to = widen(a->to, a->count, a->room);
		a->from = a->to = NULL;
	}
	if (is_wide(a)) {
		a->wide_from[a->count] = from;
		a->wide_to[a->count++] = to;
	} else {
		assert(a->from && a->to);
		a->from[a->count] = (uint32_t)from;
		a->to[a->count++] = (uint32_t)to;
	}
}

void arcs_add_single(struct arcs *a, uint64_t id)
{
	a->single = mem_grow(a->single, &a->single_room, a->singles + 1, sizeof *a->single);
	a->single[a->singles++] = id;
	note_id(a, id);
}

void arcs_mirror(struct arcs *a)
{
	const size_t n = a->count;

	need(a, n);
	for (size_t i = 0; i < n; i++) {
		const uint64_t from = is_wide(a) ? a->wide_from[i] : a->from[i];
		const uint64_t to = is_wide(a) ? a->wide_to[i] : a->to[i];
		if (from != to)
			arcs_add(a, to, from);
	}
}

static size_t ids(const struct arcs *a)
{
	return 2 * a->count + a->singles;
}

/* Every id of the data set, i below ids(). */
static inline uint64_t id_at(const struct arcs *a, size_t i)
{
	if (i < a->count)
		return is_wide(a) ? a->wide_from[i] : a->from[i];
	i -= a->count;
	if (i < a->count)
		return is_wide(a) ? a->wide_to[i] : a->to[i];
	return a->single[i - a->count];
}

/* Which ids there are, and the place of each among them: either a bit an id of the range and the
 * number of bits set before each word, or the ascending list alone. */
struct places {
	uint64_t least;
	uint64_t *bit;
	uint32_t *before;
	uint64_t *id;
	uint64_t count;
};

static void places_by_bits(struct places *p, const struct arcs *a, uint64_t span)
{
	const size_t words = (size_t)(span / 64 + 1);
	uint64_t count = 0;

	p->bit = mem_zero(words, sizeof *p->bit);
	p->before = mem_new(words, sizeof *p->before);
	for (size_t i = 0; i < ids(a); i++) {
		const uint64_t at = id_at(a, i) - p->least;
		p->bit[at >> 6] |= (uint64_t)1 << (at & 63);
	}
	for (size_t w = 0; w < words; w++)
		count += (unsigned)__builtin_popcountll(p->bit[w]);
	p->count = count;
	if (count > GRAPH_MAX_NODES)
		return;
	p->id = mem_new(count, sizeof *p->id);
	count = 0;
	for (size_t w = 0; w < words; w++) {
		p->before[w] = (uint32_t)count;
		for (uint64_t left = p->bit[w]; left; left &= left - 1)
			p->id[count++] = p->least + w * 64 + (unsigned)__builtin_ctzll(left);
	}
}

/* By bytes, the lowest first; a byte that all ids share costs no pass. Not by comparing, nor by
 * hashing: no file can make this slow. */
static uint64_t *sort_ids(uint64_t *id, size_t n)
{
	uint64_t *other = mem_new(n, sizeof *other);

	for (unsigned shift = 0; shift < 64; shift += 8) {
		size_t begin[257] = {0};
		for (size_t i = 0; i < n; i++)
			begin[(id[i] >> shift & 255) + 1]++;
		if (n == 0 || begin[(id[0] >> shift & 255) + 1] == n)
			continue;
		for (size_t b = 1; b < 257; b++)
			begin[b] += begin[b - 1];
		for (size_t i = 0; i < n; i++)
			other[begin[id[i] >> shift & 255]++] = id[i];
		uint64_t *swap = id;
		id = other;
		other = swap;
	}
	free(other);
	return id;
}

static void places_by_sorting(struct places *p, const struct arcs *a)
{
	const size_t n = ids(a);
	size_t kept = 0;

	p->id = mem_new(n, sizeof *p->id);
	for (size_t i = 0; i < n; i++)
		p->id[i] = id_at(a, i);
	p->id = sort_ids(p->id, n);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || p->id[i] != p->id[i - 1])
			p->id[kept++] = p->id[i];
	p->count = kept;
	p->id = mem_resize(p->id, kept, sizeof *p->id);
}

static uint32_t place_of(const struct places *p, uint64_t id)
{
	if (p->bit) {
		const uint64_t at = id - p->least, below = ((uint64_t)1 << (at & 63)) - 1;
		return p->before[at >> 6] + (uint32_t)__builtin_popcountll(p->bit[at >> 6] & below);
	}
	uint64_t low = 0, high = p->count - 1;
	while (low < high) {
		const uint64_t middle = (low + high) / 2;
		if (p->id[middle] < id)
			low = middle + 1;
		else
			high = middle;
	}
	return (uint32_t)low;
}

/* Ids become their places, 32 bits wide. */
static void renumber(struct arcs *a, const struct places *p)
{
	if (is_wide(a)) {
		a->from = mem_new(a->count, sizeof *a->from);
		a->to = mem_new(a->count, sizeof *a->to);
	}
	for (size_t i = 0; i < a->count; i++) {
		a->from[i] = place_of(p, is_wide(a) ? a->wide_from[i] : a->from[i]);
		a->to[i] = place_of(p, is_wide(a) ? a->wide_to[i] : a->to[i]);
	}
	free(a->wide_from);
	free(a->wide_to);
	a->wide_from = a->wide_to = NULL;
}

static void hand_over(struct arcs *a, uint32_t nodes, struct graph *g)
{
	graph_take_arcs(g, nodes, mem_resize(a->from, a->count, sizeof *a->from),
		mem_resize(a->to, a->count, sizeof *a->to), a->count);
	a->from = a->to = NULL;
}

static int too_many(const char *path, uint64_t nodes, struct err_note *why)
{
	return err_set(why, ERR_TOO_BIG, "'%s' has %llu nodes; the most is %u", path,
		(unsigned long long)nodes, GRAPH_MAX_NODES);
}

static int from_distinct(struct arcs *a, const char *path, struct graph *g, struct err_note *why)
{
	struct places p = {.least = a->least};
	const uint64_t span = a->most - a->least;
	int err = 0;

	/* 12 bytes an arc at most, less than sorting takes */
	if (span / 64 < ids(a) / 2 + (1u << 14))
		places_by_bits(&p, a, span);
	else
		places_by_sorting(&p, a);
	if (p.count > GRAPH_MAX_NODES) {
		err = too_many(path, p.count, why);
	} else if (a->least == 0 && a->most == p.count - 1) {
		hand_over(a, (uint32_t)p.count, g);
	} else {
		renumber(a, &p);
		hand_over(a, (uint32_t)p.count, g);
		graph_take_labels(g, p.id);
		p.id = NULL;
	}
	free(p.bit);
	free(p.before);
	free(p.id);
	return err;
}

/* Node i is called i + 1. */
static void from_one(struct arcs *a, uint32_t nodes, struct graph *g)
{
	uint64_t *label = mem_new(nodes, sizeof *label);

	for (size_t i = 0; i < a->count; i++) {
		a->from[i]--;
		a->to[i]--;
	}
	for (uint32_t i = 0; i < nodes; i++)
		label[i] = (uint64_t)i + 1;
	hand_over(a, nodes, g);
	graph_take_labels(g, label);
}

static int to_graph(struct arcs *a, const struct arcs_nodes *known, const char *path,
	struct graph *g, struct err_note *why)
{
	const uint64_t nodes = known->is_announced ? known->announced : known->hint;
	const int none = a->least > a->most;

	if (nodes > GRAPH_MAX_NODES)
		return too_many(path, nodes, why);
	if (known->is_announced && nodes > (1u << 24) && nodes / 64 > a->count)
		return err_set(why, ERR_TOO_BIG,
			"'%s' announces %llu nodes, which its %zu arcs make incredible", path,
			(unsigned long long)nodes, a->count);
	if (known->is_from_one)
		from_one(a, (uint32_t)nodes, g);
	else if (none || a->most < nodes)
		hand_over(a, (uint32_t)nodes, g);
	else if (a->least >= 1 && a->most <= nodes)
		from_one(a, (uint32_t)nodes, g);
	else
		return from_distinct(a, path, g, why);
	return 0;
}

int arcs_to_graph(struct arcs *a, const struct arcs_nodes *nodes, const char *path, struct graph *g,
	struct err_note *why)
{
	*g = (struct graph){0};
	const int err = to_graph(a, nodes, path, g, why);
	arcs_release(a);
	return err;
}
