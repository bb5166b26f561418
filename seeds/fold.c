#include "seeds/fold.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

/* What the copies of a side are made from. */
struct source {
	const struct graph *rows;
	const uint32_t *member;
	const uint8_t *dead;
	const uint32_t *place; /* of the other side's copies, from `first` on */
	uint32_t first;
};

/* At least n, and seldom anew. */
static size_t rounded(uint32_t n)
{
	size_t room = 16;

	while (room < n)
		room += room / 2;
	return room;
}

static void *room_for(void *old, size_t n, size_t size)
{
	free(old);
	return mem_new(n, size);
}

static void make_room(struct fold_side *s, uint32_t members)
{
	s->members = members;
	if (members <= s->member_room)
		return;
	const size_t room = s->member_room ? rounded(members) : members;
	s->member_room = room;
	s->row = room_for(s->row, room, sizeof *s->row);
	s->leaf = room_for(s->leaf, room, sizeof *s->leaf);
	s->count = room_for(s->count, room, sizeof *s->count);
	s->order = room_for(s->order, room, sizeof *s->order);
}

/* How many links of each member are left. */
static void count_links(struct fold_side *s, const struct source *from)
{
	for (uint32_t i = 0; i < s->members; i++) {
		const uint32_t *row = graph_row(from->rows, from->member[i]);
		uint32_t left = 0;
		for (uint32_t k = 0, n = graph_outdegree(from->rows, from->member[i]); k < n; k++)
			left += !from->dead[row[k]];
		s->count[i] = left;
	}
}

/* Which members are leaves, and what they hang on. */
static void find_leaves(
	struct fold_side *s, const struct source *from, const struct fold_side *other)
{
	for (uint32_t i = 0; i < s->members; i++) {
		s->leaf[i] = FOLD_ROW;
		if (s->count[i] != 1)
			continue;
		const uint32_t *row = graph_row(from->rows, from->member[i]);
		while (from->dead[*row])
			row++;
		s->row[i] = from->place[*row] - from->first;
		if (other->count[s->row[i]] > 1)
			s->leaf[i] = FOLD_LEAF;
	}
}

/* The leaves leave the counts of what they hang on. */
static uint64_t count_out(const struct fold_side *leaves, struct fold_side *s)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < leaves->members; i++) {
		if (leaves->leaf[i] != FOLD_LEAF)
			continue;
		s->count[leaves->row[i]]--;
		n++;
	}
	return n;
}

#define LENGTHS 256 /* longer rows are in the order of their members alone */

static uint32_t class_of(uint32_t length)
{
	return length < LENGTHS ? length : LENGTHS;
}

/* Where the rows of each length begin; returns how many rows there are. */
static uint32_t count_lengths(const struct fold_side *s, uint32_t at[LENGTHS + 2])
{
	for (uint32_t c = 0; c < LENGTHS + 2; c++)
		at[c] = 0;
	for (uint32_t i = 0; i < s->members; i++)
		if (s->leaf[i] == FOLD_ROW)
			at[class_of(s->count[i]) + 1]++;
	for (uint32_t c = 0; c <= LENGTHS; c++)
		at[c + 1] += at[c];
	return at[LENGTHS + 1];
}

static void give_row(struct fold_side *s, uint32_t member, uint32_t at[LENGTHS + 2])
{
	s->row[member] = at[class_of(s->count[member])]++;
	s->order[s->row[member]] = member;
}

/* Rows by their length, so that a loop over them foresees where each ends. */
static void number_rows(struct fold_side *s)
{
	uint32_t at[LENGTHS + 2];

	s->rows = count_lengths(s, at);
	for (uint32_t i = 0; i < s->members; i++)
		if (s->leaf[i] == FOLD_ROW)
			give_row(s, i, at);
}

#define UNNUMBERED UINT32_MAX

/* Likewise, of equal lengths in the order in which the rows of the other side (`from` is what they
 * are made from) name them: what is summed together then lies together. */
static void number_after(
	struct fold_side *s, const struct fold_side *other, const struct source *from)
{
	uint32_t at[LENGTHS + 2];

	s->rows = count_lengths(s, at);
	for (uint32_t i = 0; i < s->members; i++)
		if (s->leaf[i] == FOLD_ROW)
			s->row[i] = UNNUMBERED;
	for (uint32_t r = 0; r < other->rows; r++) {
		const uint32_t node = from->member[other->order[r]];
		const uint32_t *row = graph_row(from->rows, node);
		for (uint32_t k = 0, n = graph_outdegree(from->rows, node); k < n; k++) {
			const uint32_t i = from->place[row[k]] - from->first;
			if (!from->dead[row[k]] && s->leaf[i] == FOLD_ROW &&
				s->row[i] == UNNUMBERED)
				give_row(s, i, at);
		}
	}
	for (uint32_t i = 0; i < s->members; i++)
		if (s->leaf[i] == FOLD_ROW && s->row[i] == UNNUMBERED)
			give_row(s, i, at);
}

static void make_row_room(struct fold_side *s)
{
	s->n_dropped = 0;
	if (s->rows >= s->row_room) { /* one more than rows */
		mem_big_free(s->x, s->row_room, sizeof *s->x);
		s->row_room = s->row_room ? rounded(s->rows + 1) : (size_t)s->rows + 1;
		s->leaves = room_for(s->leaves, s->row_room, sizeof *s->leaves);
		s->x = mem_big(s->row_room, sizeof *s->x);
	}
	s->x[s->rows] = 0.0;
}

static void hang(const struct fold_side *leaves, struct fold_side *s)
{
	for (uint32_t r = 0; r < s->rows; r++)
		s->leaves[r] = 0;
	for (uint32_t i = 0; i < leaves->members; i++)
		if (leaves->leaf[i])
			s->leaves[s->row[leaves->row[i]]]++;
}

static void fill_rows(struct fold_side *s, const struct source *from, const struct fold_side *other)
{
	const uint32_t rows = s->rows;
	uint64_t targets = 0;

	for (uint32_t r = 0; r < rows; r++)
		targets += s->count[s->order[r]];
	sweep_begin(&s->sweep, targets);
	for (uint32_t r = 0; r < rows; r++) {
		const uint32_t i = s->order[r], *row = graph_row(from->rows, from->member[i]);
		uint32_t *target = sweep_row(&s->sweep, s->count[i]);
		for (uint32_t k = 0, n = graph_outdegree(from->rows, from->member[i]); k < n; k++) {
			if (from->dead[row[k]])
				continue;
			const uint32_t member = from->place[row[k]] - from->first;
			if (!other->leaf[member])
				*target++ = other->row[member];
		}
	}
	sweep_end(&s->sweep);
}

void fold_build(struct fold *f, const struct parts *p, const struct part *part)
{
	const struct source hubs = {&p->pruned->graph, p->hub + part->hubs.at, p->dead,
		p->authority_place, part->authorities.at};
	const struct source authorities = {&p->pruned->reverse, p->authority + part->authorities.at,
		p->dead, p->hub_place, part->hubs.at};

	make_room(&f->hubs, part->hubs.n);
	make_room(&f->authorities, part->authorities.n);
	count_links(&f->hubs, &hubs);
	count_links(&f->authorities, &authorities);
	find_leaves(&f->hubs, &hubs, &f->authorities);
	find_leaves(&f->authorities, &authorities, &f->hubs);
	f->folded = count_out(&f->hubs, &f->authorities);
	f->folded += count_out(&f->authorities, &f->hubs);
	number_rows(&f->authorities);
	number_after(&f->hubs, &f->authorities, &authorities);
	number_after(&f->authorities, &f->hubs, &hubs);
	make_row_room(&f->hubs);
	make_row_room(&f->authorities);
	fill_rows(&f->hubs, &hubs, &f->authorities);
	fill_rows(&f->authorities, &authorities, &f->hubs);
	hang(&f->hubs, &f->authorities);
	hang(&f->authorities, &f->hubs);
}

static void forget_scratch(struct fold_side *s)
{
	free(s->count);
	free(s->order);
	s->count = s->order = NULL;
	s->member_room = 0;
}

void fold_settle(struct fold *f)
{
	forget_scratch(&f->hubs);
	forget_scratch(&f->authorities);
}

static void release_side(struct fold_side *s)
{
	sweep_release(&s->sweep);
	free(s->row);
	free(s->leaf);
	free(s->leaves);
	mem_big_free(s->x, s->row_room, sizeof *s->x);
	free(s->count);
	free(s->order);
	free(s->dropped);
}

void fold_release(struct fold *f)
{
	release_side(&f->hubs);
	release_side(&f->authorities);
	*f = (struct fold){.folded = 0};
}

/* --- less of it */

static void drop(struct fold_side *s, struct fold_side *other, uint32_t member)
{
	if (s->leaf[member]) {
		uint32_t *leaves = &other->leaves[other->row[s->row[member]]];
		*leaves -= *leaves > 0; /* none is left where that node went before */
		s->leaf[member] = FOLD_LEAF_GONE;
		return;
	}
	const uint32_t row = s->row[member];
	uint32_t length, *target = sweep_row_at(&s->sweep, row, &length);
	for (uint32_t k = 0; k < length; k++)
		target[k] = other->rows;
	s->leaves[row] = 0;
	s->dropped = mem_grow(s->dropped, &s->dropped_room, s->n_dropped + 1, sizeof *s->dropped);
	s->dropped[s->n_dropped++] = row;
}

void fold_drop_hub(struct fold *f, uint32_t member)
{
	drop(&f->hubs, &f->authorities, member);
}

void fold_drop_authority(struct fold *f, uint32_t member)
{
	drop(&f->authorities, &f->hubs, member);
}

/* --- iterations */

static void begin(struct fold_side *s)
{
	for (uint32_t r = 0; r < s->rows; r++)
		s->x[r] = 1.0;
	for (size_t i = 0; i < s->n_dropped; i++)
		s->x[s->dropped[i]] = 0.0;
}

/* The scores of the leaves: those of what they hang on, times `scale`. */
static void give_leaves(
	const struct fold_side *s, const struct fold_side *other, double scale, double *out)
{
	for (uint32_t i = 0; i < s->members; i++)
		if (s->leaf[i])
			out[i] = s->leaf[i] == FOLD_LEAF ? scale * other->x[other->row[s->row[i]]]
							 : 0.0;
}

static void give_rows(const struct fold_side *s, double *out)
{
	for (uint32_t i = 0; i < s->members; i++)
		if (s->leaf[i] == FOLD_ROW)
			out[i] = s->x[s->row[i]];
}

/* How far the iterations have come. */
struct state {
	struct sweep_sums hubs, authorities;
	double hub_scale, authority_scale; /* what is owed to the vectors */
	double log_hub, log_authority;     /* of the last norms */
};

static void to_authorities(struct fold *f, struct state *s, unsigned threads)
{
	const struct sweep_step step = {f->hubs.x, s->hub_scale, f->authorities.leaves,
		s->authority_scale, f->authorities.x};

	sweep_sum(&f->authorities.sweep, &step, threads, &s->authorities);
	const double norm =
		sqrt(s->authorities.square + s->hub_scale * s->hub_scale * s->hubs.leaf_square);
	s->log_authority = log(norm);
	s->authority_scale = 1.0 / norm;
}

static void to_hubs(struct fold *f, struct state *s, unsigned threads)
{
	const struct sweep_step step = {
		f->authorities.x, s->authority_scale, f->hubs.leaves, s->hub_scale, f->hubs.x};

	sweep_sum(&f->hubs.sweep, &step, threads, &s->hubs);
	const double norm = sqrt(s->hubs.square + s->authority_scale * s->authority_scale *
							  s->authorities.leaf_square);
	s->log_hub = log(norm);
	s->hub_scale = 1.0 / norm;
}

static unsigned give_nothing(
	const struct fold *f, double *hub, double *authority, struct fold_norms *norms)
{
	for (uint32_t i = 0; i < f->hubs.members; i++)
		hub[i] = 0.0;
	for (uint32_t i = 0; i < f->authorities.members; i++)
		authority[i] = 0.0;
	*norms = (struct fold_norms){-INFINITY, 0.0};
	return 0;
}

/* Leaves of a hub have the score that it had before the last half, those of an authority what it
 * has now: as in the sums. */
unsigned fold_run(struct fold *f, unsigned iterations, unsigned threads, double *hub,
	double *authority, struct fold_norms *norms)
{
	struct fold_side *h = &f->hubs, *a = &f->authorities;
	struct state s = {.hub_scale = 1.0, .authority_scale = 1.0};
	double log_norm = 0.0;
	unsigned done = 0;
	int same = 0;

	begin(h);
	begin(a);
	for (uint32_t r = 0; r < h->rows; r++)
		s.hubs.leaf_square += h->leaves[r];
	for (; done < iterations && !same; done++) {
		const double hub_scale = s.hub_scale, authority_scale = s.authority_scale;
		log_norm += s.log_authority + s.log_hub;
		to_authorities(f, &s, threads);
		if (s.log_authority == -INFINITY)
			return give_nothing(f, hub, authority, norms);
		if (done + 1 == iterations)
			give_leaves(a, h, hub_scale, authority);
		to_hubs(f, &s, threads);
		same = done && s.authorities.same && s.hubs.same && s.hub_scale == hub_scale &&
		       s.authority_scale == authority_scale;
	}
	if (done < iterations)
		give_leaves(a, h, s.hub_scale, authority);
	give_leaves(h, a, s.authority_scale, hub);
	give_rows(h, hub);
	give_rows(a, authority);
	norms->log_norm = log_norm + (iterations - done) * (s.log_authority + s.log_hub);
	norms->log_authority = s.log_authority;
	return done;
}
