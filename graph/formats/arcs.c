#include "graph/formats/arcs.h"
#include "graph/memory/mapping.h"
#include "graph/memory/runs.h"
#include "graph/memory/rows.h"
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
	runs_free(a->runs);
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

/* Makes room for n more arcs. The arrays hold 64-bit ids once an id has not fitted into 32 bits. */
static void grow(struct arcs *a, size_t n)
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

void arcs_bound(struct arcs *a, const struct graph_space *space)
{
	a->space = *space;
	a->most = space->memory ? runs_arcs(space) : 0;
}

/* Adds the reverse of every arc in memory. */
static void mirror(struct arcs *a)
{
	const size_t n = a->count;

	grow(a, n);
	for (size_t i = 0; i < n; i++) {
		if (is_wide(a) && a->wide_from[i] != a->wide_to[i]) {
			a->wide_from[a->count] = a->wide_to[i];
			a->wide_to[a->count++] = a->wide_from[i];
		} else if (!is_wide(a) && a->from[i] != a->to[i]) {
			a->from[a->count] = a->to[i];
			a->to[a->count++] = a->from[i];
		}
	}
}

/* Makes a run of what is in memory. */
static void spill(struct arcs *a)
{
	a->spilled += a->count;
	if (a->is_mirrored)
		mirror(a);
	if (!a->err && !a->runs)
		a->err = runs_open(&a->runs, &a->space, &a->note);
	if (!a->err && is_wide(a))
		runs_add_wide(a->runs, a->wide_from, a->wide_to, a->count);
	else if (!a->err)
		runs_add(a->runs, a->from, a->to, a->count);
	if (!a->err && runs_failed(a->runs))
		a->err = runs_begin(a->runs, &a->note); /* which says why */
	a->count = 0;
}

static void make_room(struct arcs *a, size_t n)
{
	if (a->most && a->count && a->count + n > a->most >> a->is_mirrored)
		spill(a);
	grow(a, n);
}

int arcs_room(struct arcs *a, size_t n)
{
	if (is_wide(a))
		return 0;
	make_room(a, n);
	return 1;
}

void arcs_expect(struct arcs *a, uint64_t bytes)
{
	const uint64_t arcs = bytes / 10;
	const uint64_t most = a->most && a->most < 1u << 24 ? a->most : 1u << 24;

	make_room(a, (size_t)(arcs < most ? arcs : most));
}

static void note_id(struct arcs *a, uint64_t id)
{
	a->least = id < a->least ? id : a->least;
	a->most_id = id > a->most_id ? id : a->most_id;
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
	make_room(a, 1);
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

void arcs_add_first(struct arcs *a, uint64_t from, uint64_t to)
{
	arcs_add(a, from, to);
	const size_t others = a->count - 1;
	if (is_wide(a)) {
		memmove(a->wide_from + 1, a->wide_from, others * sizeof *a->wide_from);
		memmove(a->wide_to + 1, a->wide_to, others * sizeof *a->wide_to);
		a->wide_from[0] = from;
		a->wide_to[0] = to;
	} else {
		memmove(a->from + 1, a->from, others * sizeof *a->from);
		memmove(a->to + 1, a->to, others * sizeof *a->to);
		a->from[0] = (uint32_t)from;
		a->to[0] = (uint32_t)to;
	}
}

void arcs_add_single(struct arcs *a, uint64_t id)
{
	a->single = mem_grow(a->single, &a->single_room, a->singles + 1, sizeof *a->single);
	a->single[a->singles++] = id;
	note_id(a, id);
}

int arcs_check(const struct arcs *a, const char *path, struct err_note *why)
{
	if (a->err)
		return err_set(why, (enum err)a->err, "%s", a->note.text);
	if (arcs_total(a) >= ARCS_MAX)
		return err_set(why, ERR_TOO_BIG, "'%s' has more than %zu arcs", path, ARCS_MAX);
	return 0;
}

static uint64_t ids(const struct arcs *a)
{
	return 2 * arcs_total(a) + a->singles;
}

/* Returns id i of the data set that is in memory, for i below 2 * count + singles: sources, targets, and nodes without arcs. */
static inline uint64_t id_at(const struct arcs *a, size_t i)
{
	if (i < a->count)
		return is_wide(a) ? a->wide_from[i] : a->from[i];
	i -= a->count;
	if (i < a->count)
		return is_wide(a) ? a->wide_to[i] : a->to[i];
	return a->single[i - a->count];
}

/* The map from the ids of a data set to nodes 0, 1, 2 ... There are three kinds. With `bit`: a bit for each id of the range that
 * occurs, and in `before` the number of bits set before each word. Else with `id`: the ascending list of ids. With neither: node =
 * id - least. */
struct numbering {
	uint64_t least, count;
	uint64_t *bit, *id;
	uint32_t *before;
};

static void numbering_release(struct numbering *p)
{
	free(p->bit);
	free(p->before);
	free(p->id);
}

static inline void set_bit(struct numbering *p, uint64_t id)
{
	p->bit[(id - p->least) >> 6] |= (uint64_t)1 << ((id - p->least) & 63);
}

/* Numbers the ids by a bit for each id of the range; the list of ids then has the labels. */
static int number_by_bits(struct numbering *p, const struct arcs *a, uint64_t span, struct err_note *why)
{
	const size_t words = (size_t)(span / 64 + 1);
	uint64_t count = 0, from, to;
	int got = a->runs ? runs_begin(a->runs, why) : 0;

	p->bit = mem_zero(words, sizeof *p->bit);
	p->before = mem_new(words, sizeof *p->before);
	for (size_t i = 0; i < 2 * a->count + a->singles; i++)
		set_bit(p, id_at(a, i));
	while (a->runs && !got && (got = runs_next(a->runs, &from, &to, why)) > 0) {
		set_bit(p, from);
		set_bit(p, to);
		got = 0;
	}
	for (size_t w = 0; w < words; w++)
		count += (unsigned)__builtin_popcountll(p->bit[w]);
	p->count = count;
	if (count > GRAPH_MAX_NODES || got)
		return got;
	p->id = mem_new(count, sizeof *p->id);
	count = 0;
	for (size_t w = 0; w < words; w++) {
		p->before[w] = (uint32_t)count;
		for (uint64_t left = p->bit[w]; left; left &= left - 1)
			p->id[count++] = p->least + w * 64 + (unsigned)__builtin_ctzll(left);
	}
	return 0;
}

/* Adds id[n], which is taken over, to the distinct ones. */
static void add_ids(struct numbering *p, uint64_t *id, size_t n)
{
	uint64_t *other = mem_new(n, sizeof *other), *sorted = radix_sort(id, other, n, 0);

	free(sorted == id ? other : id);
	n = radix_distinct(sorted, n);
	if (!p->count) {
		free(p->id);
		p->id = mem_resize(sorted, n, sizeof *sorted);
		p->count = n;
		return;
	}
	uint64_t *all = mem_new(p->count + n, sizeof *all);
	size_t i = 0, k = 0, kept = 0;
	while (i < p->count || k < n) {
		const int is_new = i == p->count || (k < n && sorted[k] < p->id[i]);
		const uint64_t next = is_new ? sorted[k++] : p->id[i++];
		if (!kept || all[kept - 1] != next)
			all[kept++] = next;
	}
	free(p->id);
	free(sorted);
	p->id = mem_resize(all, kept, sizeof *all);
	p->count = kept;
}

/* Adds the distinct ids of the arcs on the disk, in portions of at most a->most ids. */
static int add_spilled(struct numbering *p, const struct arcs *a, struct err_note *why)
{
	const size_t room = a->most;
	uint64_t *id = mem_new(room, sizeof *id), from, to, last = 0;
	size_t n = 0;
	int got = runs_begin(a->runs, why);

	while (!got && (got = runs_next(a->runs, &from, &to, why)) > 0) {
		got = 0;
		if (n + 2 > room) {
			add_ids(p, id, n);
			id = mem_new(room, sizeof *id);
			n = 0;
		}
		if (!n || last != from) /* arcs of one source lie together */
			id[n++] = last = from;
		id[n++] = to;
		if (p->count > GRAPH_MAX_NODES)
			break;
	}
	add_ids(p, id, n);
	return got;
}

static int number_by_sorting(struct numbering *p, const struct arcs *a, struct err_note *why)
{
	const size_t n = 2 * a->count + a->singles;
	uint64_t *id = mem_new(n, sizeof *id);

	for (size_t i = 0; i < n; i++)
		id[i] = id_at(a, i);
	add_ids(p, id, n);
	return a->runs ? add_spilled(p, a, why) : 0;
}

/* Returns the node of an id: its rank among the ids, by a bitmap with counts, or as the distance from the least id, or by binary
 * search. */
static inline uint32_t node_of(const struct numbering *p, uint64_t id)
{
	if (p->bit) {
		const uint64_t at = id - p->least, below = ((uint64_t)1 << (at & 63)) - 1;
		return p->before[at >> 6] + (uint32_t)__builtin_popcountll(p->bit[at >> 6] & below);
	}
	if (!p->id)
		return (uint32_t)(id - p->least);
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

/* Replaces the ids of all arcs in memory by their nodes, 32 bits wide. */
static void renumber(struct arcs *a, const struct numbering *p)
{
	if (!is_wide(a) && !p->id && !p->least)
		return;
	if (is_wide(a)) {
		a->from = mem_new(a->count, sizeof *a->from);
		a->to = mem_new(a->count, sizeof *a->to);
	}
	for (size_t i = 0; i < a->count; i++) {
		a->from[i] = node_of(p, is_wide(a) ? a->wide_from[i] : a->from[i]);
		a->to[i] = node_of(p, is_wide(a) ? a->wide_to[i] : a->to[i]);
	}
	free(a->wide_from);
	free(a->wide_to);
	a->wide_from = a->wide_to = NULL;
}

/* Makes the graph from the arcs on the disk, in their order; takes over `label`. */
static int from_runs(struct arcs *a, const struct numbering *p, uint32_t nodes, uint64_t *label, struct graph *g,
	struct err_note *why)
{
	uint64_t from, to;
	struct rows rows;
	int got = runs_begin(a->runs, why);

	if (!got)
		got = rows_begin(&rows, nodes, &a->space, why);
	if (got) {
		free(label);
		return got;
	}
	while ((got = runs_next(a->runs, &from, &to, why)) > 0)
		rows_add(&rows, node_of(p, from), node_of(p, to));
	if (got) {
		free(label);
		rows_abandon(&rows);
		return got;
	}
	return rows_end(&rows, GRAPH_ORDERED, label, g, why);
}

static int hand_over(struct arcs *a, const struct numbering *p, uint32_t nodes, uint64_t *label, struct graph *g,
	struct err_note *why)
{
	if (a->runs)
		return from_runs(a, p, nodes, label, g, why);
	if (a->is_mirrored)
		mirror(a);
	renumber(a, p);
	graph_take_arcs(g, nodes, mem_resize(a->from, a->count, sizeof *a->from), mem_resize(a->to, a->count, sizeof *a->to),
		a->count);
	a->from = a->to = NULL;
	graph_take_labels(g, label);
	return 0;
}

static int too_many(const char *path, uint64_t nodes, struct err_note *why)
{
	return err_set(why, ERR_TOO_BIG, "'%s' has %llu nodes; the most is %u", path, (unsigned long long)nodes, GRAPH_MAX_NODES);
}

/* Makes a graph whose nodes are the ids that occur. */
static int from_distinct(struct arcs *a, const struct arcs_nodes *known, const char *path, struct graph *g, struct err_note *why)
{
	struct numbering p = {.least = a->least};
	const uint64_t span = a->most_id - a->least;
	/* the bits take at most 12 bytes for each arc, less than sorting; with a bound on memory, at most half of it */
	const int is_dense = span / 64 < ids(a) / 2 + (1u << 14);
	const int is_small = !a->runs || span / 64 * 12 < a->space.memory / 2 + (1u << 18);
	int err = is_dense && is_small ? number_by_bits(&p, a, span, why) : number_by_sorting(&p, a, why);

	if (!err && p.count > GRAPH_MAX_NODES)
		err = too_many(path, p.count, why);
	if (!err && known->is_announced && p.count > known->announced)
		err = err_set(why, ERR_FORMAT, "'%s' announces %llu nodes, but has arcs between %llu", path,
			(unsigned long long)known->announced, (unsigned long long)p.count);
	if (!err) {
		const int is_plain = a->least == 0 && a->most_id == p.count - 1;
		const struct numbering as_they_are = {0};
		uint64_t *label = is_plain ? NULL : mem_copy(p.id, p.count * sizeof *p.id);
		err = hand_over(a, is_plain ? &as_they_are : &p, (uint32_t)p.count, label, g, why);
	}
	numbering_release(&p);
	return err;
}

/* Makes the graph of a data set whose ids are 1, 2, 3 ...: node i has the label i + 1. */
static int from_one(struct arcs *a, uint32_t nodes, struct graph *g, struct err_note *why)
{
	const struct numbering less_one = {.least = 1};
	uint64_t *label = mem_new(nodes, sizeof *label);

	for (uint32_t i = 0; i < nodes; i++)
		label[i] = (uint64_t)i + 1;
	return hand_over(a, &less_one, nodes, label, g, why);
}

/* If arcs are on the disk, writes those in memory there, too, and frees the arrays. Returns 0 or the first error of writing. */
static int spill_rest(struct arcs *a, struct err_note *why)
{
	if (a->runs)
		spill(a);
	if (a->err)
		return err_set(why, (enum err)a->err, "%s", a->note.text);
	if (a->runs) {
		free(a->from);
		free(a->to);
		free(a->wide_from);
		free(a->wide_to);
		a->from = a->to = NULL;
		a->wide_from = a->wide_to = NULL;
		a->room = 0;
	}
	return 0;
}

/* Makes the graph. Ids stay as they are if they are below the number of nodes, lose 1 if they run from 1 to this number, and else
 * the distinct ids are numbered in ascending order. */
static int to_graph(struct arcs *a, const struct arcs_nodes *known, const char *path, struct graph *g, struct err_note *why)
{
	const struct numbering as_they_are = {0};
	const uint64_t nodes = known->is_announced ? known->announced : known->hint;
	const int none = a->least > a->most_id;
	const int err = spill_rest(a, why);

	if (err)
		return err;
	if (nodes > GRAPH_MAX_NODES)
		return too_many(path, nodes, why);
	if (known->is_announced && nodes > (1u << 24) && nodes / 64 > arcs_total(a))
		return err_set(why, ERR_TOO_BIG, "'%s' announces %llu nodes, which its %llu arcs make incredible", path,
			(unsigned long long)nodes, (unsigned long long)arcs_total(a));
	if (known->is_from_one)
		return from_one(a, (uint32_t)nodes, g, why);
	if (none || a->most_id < nodes)
		return hand_over(a, &as_they_are, (uint32_t)nodes, NULL, g, why);
	if (a->least >= 1 && a->most_id <= nodes)
		return from_one(a, (uint32_t)nodes, g, why);
	return from_distinct(a, known, path, g, why);
}

int arcs_to_graph(struct arcs *a, const struct arcs_nodes *nodes, const char *path, struct graph *g, struct err_note *why)
{
	*g = (struct graph){0};
	const int err = to_graph(a, nodes, path, g, why);
	arcs_release(a);
	return err;
}
