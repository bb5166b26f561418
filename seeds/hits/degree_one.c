#include "seeds/hits/degree_one.h"
#include "base/mem.h"
#include "graph/graph.h"
#include "graph/memory/blocks.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

enum kind { ROW, LEAF };

/* What the copies of a side are made from. */
struct source {
	const struct graph *rows;
	const uint32_t *member;
	const uint8_t *dead;
	const uint32_t *place; /* of the other side's copies, from `first` on */
	uint32_t first;
};

/* Returns a size of at least n, in large steps, so that arrays are seldom allocated again. */
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

static void make_room(struct degree_one_side *s, uint32_t members)
{
	s->members = members;
	if (members <= s->member_room)
		return;
	const size_t room = s->member_room ? rounded(members) : members;
	s->member_room = room;
	s->row = room_for(s->row, room, sizeof *s->row);
	s->kind = room_for(s->kind, room, sizeof *s->kind);
	s->count = room_for(s->count, room, sizeof *s->count);
	s->order = room_for(s->order, room, sizeof *s->order);
}

static void make_final_room(struct degree_one_side *s)
{
	const uint32_t leaves = s->members - s->rows;

	if (s->rows > s->row_room || !s->leaves) {
		s->row_room = s->row_room ? rounded(s->rows) : s->rows;
		s->leaves = room_for(s->leaves, s->row_room, sizeof *s->leaves);
	}
	if (leaves > s->leaf_room || !s->on) {
		s->leaf_room = s->leaf_room ? rounded(leaves) : leaves;
		s->on = room_for(s->on, s->leaf_room, sizeof *s->on);
		s->gone = room_for(s->gone, s->leaf_room, sizeof *s->gone);
	}
	for (uint32_t r = 0; r < s->rows; r++)
		s->leaves[r] = 0;
	for (uint32_t k = 0; k < leaves; k++)
		s->gone[k] = 0;
	s->n_dropped = 0;
}

/* Returns the number of links of a node; 0 for a removed one. */
static uint32_t length_of(const struct source *from, uint32_t node)
{
	return from->dead[node] ? 0 : graph_outdegree(from->rows, node);
}

/* Counts the links of each member to nodes that were not removed. */
static void count_links(struct degree_one_side *s, const struct source *from)
{
	for (uint32_t i = 0; i < s->members; i++) {
		const uint32_t *row = graph_row(from->rows, from->member[i]);
		uint32_t left = 0;
		for (uint32_t k = 0, n = length_of(from, from->member[i]); k < n; k++)
			left += !from->dead[row[k]];
		s->count[i] = left;
	}
}

/* Finds the members that are leaves (they have one link, to a member with several), and sets s->row to the member that each one
 * is linked to. */
static void find_leaves(struct degree_one_side *s, const struct source *from, const struct degree_one_side *other)
{
	for (uint32_t i = 0; i < s->members; i++) {
		s->kind[i] = ROW;
		if (s->count[i] != 1)
			continue;
		const uint32_t *row = graph_row(from->rows, from->member[i]);
		while (from->dead[*row])
			row++;
		s->row[i] = from->place[*row] - from->first;
		if (other->count[s->row[i]] > 1)
			s->kind[i] = LEAF;
	}
}

/* Subtracts the leaves from the link counts of the members that they are linked to. Returns the number of leaves. */
static uint64_t count_out(const struct degree_one_side *leaves, struct degree_one_side *s)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < leaves->members; i++) {
		if (leaves->kind[i] != LEAF)
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

/* Sets at[] to the positions where the rows of each length begin. Returns the number of rows. */
static uint32_t count_lengths(const struct degree_one_side *s, uint32_t at[LENGTHS + 2])
{
	for (uint32_t c = 0; c < LENGTHS + 2; c++)
		at[c] = 0;
	for (uint32_t i = 0; i < s->members; i++)
		if (s->kind[i] == ROW)
			at[class_of(s->count[i]) + 1]++;
	for (uint32_t c = 0; c <= LENGTHS; c++)
		at[c + 1] += at[c];
	return at[LENGTHS + 1];
}

static void give_row(struct degree_one_side *s, uint32_t member, uint32_t at[LENGTHS + 2])
{
	s->row[member] = at[class_of(s->count[member])]++;
	s->order[s->row[member]] = member;
}

/* Numbers the rows by their length, so that the processor predicts the end of each inner loop. */
static void number_rows(struct degree_one_side *s)
{
	uint32_t at[LENGTHS + 2];

	s->rows = count_lengths(s, at);
	for (uint32_t i = 0; i < s->members; i++)
		if (s->kind[i] == ROW)
			give_row(s, i, at);
}

#define UNNUMBERED UINT32_MAX

/* Numbers the rows by their length, and rows of equal length in the order in which the rows of the other side first refer to
 * them, so that values which are summed together are near one another in memory. `from` has the links of the other side. */
static void number_after(struct degree_one_side *s, const struct degree_one_side *other, const struct source *from)
{
	uint32_t at[LENGTHS + 2];

	s->rows = count_lengths(s, at);
	for (uint32_t i = 0; i < s->members; i++)
		if (s->kind[i] == ROW)
			s->row[i] = UNNUMBERED;
	for (uint32_t r = 0; r < other->rows; r++) {
		const uint32_t node = from->member[other->order[r]];
		const uint32_t *row = graph_row(from->rows, node);
		for (uint32_t k = 0, n = length_of(from, node); k < n; k++) {
			const uint32_t i = from->place[row[k]] - from->first;
			if (!from->dead[row[k]] && s->kind[i] == ROW && s->row[i] == UNNUMBERED)
				give_row(s, i, at);
		}
	}
	for (uint32_t i = 0; i < s->members; i++)
		if (s->kind[i] == ROW && s->row[i] == UNNUMBERED)
			give_row(s, i, at);
}

/* Numbers the leaves of a side, after the rows, by the row that they are linked to: sets order[] and on[], and counts the leaves
 * of each row in other->leaves. */
static void number_leaves(struct degree_one_side *s, struct degree_one_side *other)
{
	uint32_t *at = other->leaves, sum = 0;

	for (uint32_t i = 0; i < s->members; i++)
		if (s->kind[i] == LEAF)
			at[other->row[s->row[i]]]++;
	for (uint32_t r = 0; r < other->rows; r++) {
		const uint32_t n = at[r];
		at[r] = sum;
		sum += n;
	}
	for (uint32_t i = 0; i < s->members; i++) {
		if (s->kind[i] != LEAF)
			continue;
		const uint32_t r = other->row[s->row[i]];
		s->on[at[r]] = r;
		s->order[s->rows + at[r]++] = i;
	}
	/* now at[r] is where the leaves of r end */
	for (uint32_t r = other->rows; r-- > 1;)
		at[r] -= at[r - 1];
}

/* Puts the members of the component into the order of their rows. All arrays by the old order become invalid, except row[],
 * which then has the lengths of the rows. */
static void renumber(struct degree_one_side *s, uint32_t *node, uint32_t *place, uint32_t first)
{
	for (uint32_t r = 0; r < s->rows; r++)
		s->row[r] = s->count[s->order[r]];
	for (uint32_t i = 0; i < s->members; i++)
		s->count[i] = node[first + s->order[i]];
	for (uint32_t i = 0; i < s->members; i++) {
		node[first + i] = s->count[i];
		place[s->count[i]] = first + i;
	}
}

static void fill_rows(struct degree_one_side *s, const struct source *from, const struct degree_one_side *other)
{
	uint64_t targets = 0;

	for (uint32_t r = 0; r < s->rows; r++)
		targets += s->row[r];
	sweep_begin(&s->sweep, targets);
	for (uint32_t r = 0; r < s->rows; r++) {
		const uint32_t node = from->member[r], *row = graph_row(from->rows, node);
		uint32_t *target = sweep_row(&s->sweep, s->row[r]);
		for (uint32_t k = 0, n = length_of(from, node); k < n; k++) {
			const uint32_t member = from->place[row[k]] - from->first;
			if (!from->dead[row[k]] && member < other->rows)
				*target++ = member;
		}
	}
	sweep_end(&s->sweep);
}

static struct source source_of_hubs(const struct bicover *p, const struct bicover_component *component)
{
	return (struct source){&p->pruned->graph, p->hub + component->hubs.at, p->dead, p->authority_place,
		component->authorities.at};
}

static struct source source_of_authorities(const struct bicover *p, const struct bicover_component *component)
{
	return (struct source){&p->pruned->reverse, p->authority + component->authorities.at, p->dead, p->hub_place,
		component->hubs.at};
}

void degree_one_plan(struct degree_one *f, struct bicover *p, const struct bicover_component *component)
{
	const struct source hubs = source_of_hubs(p, component), authorities = source_of_authorities(p, component);

	make_room(&f->hubs, component->hubs.n);
	make_room(&f->authorities, component->authorities.n);
	count_links(&f->hubs, &hubs);
	count_links(&f->authorities, &authorities);
	find_leaves(&f->hubs, &hubs, &f->authorities);
	find_leaves(&f->authorities, &authorities, &f->hubs);
	f->saved = count_out(&f->hubs, &f->authorities);
	f->saved += count_out(&f->authorities, &f->hubs);
	number_rows(&f->authorities);
	number_after(&f->hubs, &f->authorities, &authorities);
	number_after(&f->authorities, &f->hubs, &hubs);
	make_final_room(&f->hubs);
	make_final_room(&f->authorities);
	number_leaves(&f->hubs, &f->authorities);
	number_leaves(&f->authorities, &f->hubs);
	renumber(&f->hubs, p->hub, p->hub_place, component->hubs.at);
	renumber(&f->authorities, p->authority, p->authority_place, component->authorities.at);
	f->hubs.zero = p->pruned->graph.nodes - component->hubs.at;
	f->authorities.zero = p->pruned->graph.nodes - component->authorities.at;
}

void degree_one_fill_hubs(struct degree_one *f, const struct bicover *p, const struct bicover_component *component)
{
	const struct source from = source_of_hubs(p, component);

	fill_rows(&f->hubs, &from, &f->authorities);
}

void degree_one_fill_authorities(struct degree_one *f, const struct bicover *p, const struct bicover_component *component)
{
	const struct source from = source_of_authorities(p, component);

	fill_rows(&f->authorities, &from, &f->hubs);
}

void degree_one_build(struct degree_one *f, struct bicover *p, const struct bicover_component *component)
{
	degree_one_plan(f, p, component);
	degree_one_fill_hubs(f, p, component);
	degree_one_fill_authorities(f, p, component);
}

static void free_array(uint32_t **scratch)
{
	free(*scratch);
	*scratch = NULL;
}

static void forget_plan(struct degree_one_side *s)
{
	free_array(&s->count);
	free_array(&s->order);
	free(s->kind);
	s->kind = NULL;
	s->member_room = 0;
}

void degree_one_forget_plan(struct degree_one *f)
{
	forget_plan(&f->hubs);
	forget_plan(&f->authorities);
}

void degree_one_forget_lengths(struct degree_one *f)
{
	free_array(&f->hubs.row);
	free_array(&f->authorities.row);
}

static void release_side(struct degree_one_side *s)
{
	sweep_release(&s->sweep);
	free(s->leaves);
	free(s->on);
	free(s->gone);
	free(s->row);
	free(s->kind);
	free(s->count);
	free(s->order);
	free(s->dropped);
}

void degree_one_release(struct degree_one *f)
{
	release_side(&f->hubs);
	release_side(&f->authorities);
	*f = (struct degree_one){.saved = 0};
}

/* --- removing members */

static void remove_member(struct degree_one_side *s, struct degree_one_side *other, uint32_t member)
{
	if (member >= s->rows) {
		uint32_t *leaves = &other->leaves[s->on[member - s->rows]];
		*leaves -= *leaves > 0; /* the count is 0 already if the node that the leaf is linked to was removed before */
		s->gone[member - s->rows] = 1;
		return;
	}
	uint32_t length, *target = sweep_row_at(&s->sweep, member, &length);
	for (uint32_t k = 0; k < length; k++)
		target[k] = other->zero;
	s->leaves[member] = 0;
	s->dropped = mem_grow(s->dropped, &s->dropped_room, s->n_dropped + 1, sizeof *s->dropped);
	s->dropped[s->n_dropped++] = member;
}

void degree_one_drop_hub(struct degree_one *f, uint32_t member)
{
	remove_member(&f->hubs, &f->authorities, member);
}

void degree_one_drop_authority(struct degree_one *f, uint32_t member)
{
	remove_member(&f->authorities, &f->hubs, member);
}

/* --- iterations */

static void begin(struct degree_one_side *s)
{
	for (uint32_t r = 0; r < s->rows; r++)
		s->x[r] = 1.0;
	for (size_t i = 0; i < s->n_dropped; i++)
		s->x[s->dropped[i]] = 0.0;
}

/* Sets the score of each leaf to that of the member that it is linked to, times `scale`. */
static void give_leaves(const struct degree_one_side *s, const struct degree_one_side *other, double scale)
{
	const uint32_t leaves = s->members - s->rows;
	double *x = s->x + s->rows;

	for (uint32_t k = 0; k < leaves; k++)
		x[k] = s->gone[k] ? 0.0 : scale * other->x[s->on[k]];
}

/* How far the iterations have come. */
struct state {
	struct sweep_sums hubs, authorities;
	double hub_scale, authority_scale; /* the factors by which the vectors still have to be multiplied */
	double log_hub, log_authority;     /* of the last norms */
};

static void to_authorities(struct degree_one *f, struct state *s, unsigned threads)
{
	const struct sweep_step step = {f->hubs.x, s->hub_scale, f->authorities.leaves, s->authority_scale, f->authorities.x};

	sweep_sum(&f->authorities.sweep, &step, threads, &s->authorities);
	const double norm = sqrt(s->authorities.square + s->hub_scale * s->hub_scale * s->hubs.leaf_square);
	s->log_authority = log(norm);
	s->authority_scale = 1.0 / norm;
}

static void to_hubs(struct degree_one *f, struct state *s, unsigned threads)
{
	const struct sweep_step step = {f->authorities.x, s->authority_scale, f->hubs.leaves, s->hub_scale, f->hubs.x};

	sweep_sum(&f->hubs.sweep, &step, threads, &s->hubs);
	const double norm = sqrt(s->hubs.square + s->authority_scale * s->authority_scale * s->authorities.leaf_square);
	s->log_hub = log(norm);
	s->hub_scale = 1.0 / norm;
}

static unsigned give_nothing(struct degree_one *f, struct degree_one_norms *norms)
{
	for (uint32_t i = 0; i < f->hubs.members; i++)
		f->hubs.x[i] = 0.0;
	for (uint32_t i = 0; i < f->authorities.members; i++)
		f->authorities.x[i] = 0.0;
	*norms = (struct degree_one_norms){-INFINITY, 0.0};
	return 0;
}

/* The leaves get their scores as they enter the sums: those of a hub by its score before the last half of the last iteration,
 * those of an authority by its present score. */
unsigned degree_one_run(struct degree_one *f, unsigned iterations, unsigned threads, double *hub, double *authority,
	struct degree_one_norms *norms)
{
	struct degree_one_side *h = &f->hubs, *a = &f->authorities;
	struct state s = {.hub_scale = 1.0, .authority_scale = 1.0};
	double log_norm = 0.0;
	unsigned done = 0;
	int same = 0;

	h->x = hub;
	a->x = authority;
	begin(h);
	begin(a);
	for (uint32_t r = 0; r < h->rows; r++)
		s.hubs.leaf_square += h->leaves[r];
	for (; done < iterations && !same; done++) {
		const double hub_scale = s.hub_scale, authority_scale = s.authority_scale;
		log_norm += s.log_authority + s.log_hub;
		to_authorities(f, &s, threads);
		if (s.log_authority == -INFINITY)
			return give_nothing(f, norms);
		if (done + 1 == iterations)
			give_leaves(a, h, hub_scale);
		to_hubs(f, &s, threads);
		same = done && s.authorities.same && s.hubs.same && s.hub_scale == hub_scale &&
			s.authority_scale == authority_scale;
	}
	if (done < iterations)
		give_leaves(a, h, s.hub_scale);
	give_leaves(h, a, s.authority_scale);
	norms->log_norm = log_norm + (iterations - done) * (s.log_authority + s.log_hub);
	norms->log_authority = s.log_authority;
	return done;
}

static void begin_block(struct sweep *s)
{
	s->block = mem_grow(s->block, &s->block_room, (size_t)s->blocks + 1, sizeof *s->block);
	s->block[s->blocks++] = (struct sweep_block){s->targets, s->runs};
}

void sweep_begin(struct sweep *s, uint64_t targets)
{
	if (targets > s->target_room) {
		free(s->target);
		s->target = mem_new(targets, sizeof *s->target);
		s->target_room = targets;
	}
	s->rows = s->blocks = 0;
	s->targets = s->runs = 0;
}

uint32_t *sweep_row(struct sweep *s, uint32_t length)
{
	const uint64_t at = s->targets;

	if (s->rows % SWEEP_BLOCK == 0)
		begin_block(s);
	s->rows++;
	s->targets += length;
	if (s->runs > s->block[s->blocks - 1].run && s->run[s->runs - 1].length == length) {
		s->run[s->runs - 1].rows++;
		return s->target + at;
	}
	s->run = mem_grow(s->run, &s->run_room, s->runs + 1, sizeof *s->run);
	s->run[s->runs++] = (struct sweep_run){length, 1};
	return s->target + at;
}

void sweep_end(struct sweep *s)
{
	free(s->square);
	free(s->same);
	s->square = mem_new(2 * (size_t)s->blocks, sizeof *s->square);
	s->same = mem_new(s->blocks, sizeof *s->same);
}

uint32_t *sweep_row_at(const struct sweep *s, uint32_t row, uint32_t *length)
{
	const struct sweep_block *b = &s->block[row / SWEEP_BLOCK];
	uint32_t *target = s->target + b->target, skip = row % SWEEP_BLOCK;
	const struct sweep_run *run = s->run + b->run;

	for (; skip >= run->rows; run++) {
		target += (size_t)run->length * run->rows;
		skip -= run->rows;
	}
	*length = run->length;
	return target + (size_t)run->length * skip;
}

void sweep_release(struct sweep *s)
{
	free(s->target);
	free(s->run);
	free(s->block);
	free(s->square);
	free(s->same);
	*s = (struct sweep){0};
}

struct summing {
	struct sweep *s;
	const struct sweep_step *step;
};

/* Sums the rows of a run. It is inlined, so that the compiler makes a copy for each small constant length. */
static inline __attribute__((always_inline)) void sum_run(const struct sweep_step *m, const uint32_t *target, uint32_t length,
	uint32_t first, uint32_t rows, struct sweep_sums *sums)
{
	double square = 0.0, leaf_square = 0.0;
	int same = 1;

	for (uint32_t i = first; i < first + rows; i++, target += length) {
		const double leaves = (double)m->leaves[i], was = m->y[i];
		double sum = 0.0;
		for (uint32_t k = 0; k < length; k++)
			sum += m->x[target[k]];
		sum = m->scale * (sum + leaves * (m->own * was));
		same &= sum == was;
		m->y[i] = sum;
		square += sum * sum;
		leaf_square += leaves * (sum * sum);
	}
	sums->square += square;
	sums->leaf_square += leaf_square;
	sums->same &= same;
}

/* Sums the rows of a block. The lengths 1 to 3 are constants in the calls, for which the compiler makes faster copies. */
static void sum_block(void *ctx, uint32_t b)
{
	const struct summing *m = ctx;
	struct sweep *s = m->s;
	const uint32_t *target = s->target + s->block[b].target;
	const size_t end = b + 1 < s->blocks ? s->block[b + 1].run : s->runs;
	uint32_t first = b * SWEEP_BLOCK;
	struct sweep_sums sums = {.same = 1};

	for (size_t r = s->block[b].run; r < end; r++) {
		const uint32_t length = s->run[r].length, rows = s->run[r].rows;
		if (length == 1)
			sum_run(m->step, target, 1, first, rows, &sums);
		else if (length == 2)
			sum_run(m->step, target, 2, first, rows, &sums);
		else if (length == 3)
			sum_run(m->step, target, 3, first, rows, &sums);
		else
			sum_run(m->step, target, length, first, rows, &sums);
		target += (size_t)length * rows;
		first += rows;
	}
	s->square[b] = sums.square;
	s->square[s->blocks + b] = sums.leaf_square;
	s->same[b] = (uint8_t)sums.same;
}

void sweep_sum(struct sweep *s, const struct sweep_step *step, unsigned threads, struct sweep_sums *sums)
{
	struct summing m = {s, step};

	blocks_run(threads, s->blocks, sum_block, &m);
	*sums = (struct sweep_sums){.square = blocks_sum(s->square, s->blocks),
		.leaf_square = blocks_sum(s->square + s->blocks, s->blocks),
		.same = 1};
	for (uint32_t b = 0; b < s->blocks; b++)
		sums->same &= s->same[b];
}
