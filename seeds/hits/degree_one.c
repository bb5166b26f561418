#include "seeds/hits/degree_one.h"
#include "base/mem.h"
#include "graph/graph.h"
#include "graph/memory/blocks.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* --- the plan: which members are leaves, and the new order */

#define UNNUMBERED UINT32_MAX
#define LENGTHS    256 /* longer rows are in the order of their members alone */

/* A side while it is planned, by the old places of its members. */
struct plan {
	const struct graph *graph;
	const struct bicover_side *names;
	const uint8_t *dead;
	uint32_t first, members; /* the range in names->node[] */
	uint32_t *count;         /* the number of a member's links, without those to leaves */
	uint32_t *row;           /* the member's row, or a leaf's neighbour */
	uint32_t *order;         /* the members by their new place */
	uint8_t *is_leaf;
};

/* Finds the next link of a node at *at that leads to a node which was not removed. Returns 1 with the member it leads to, or 0. */
static inline int next_link(const struct plan *s, const struct plan *other, const uint32_t **at, const uint32_t *end,
	uint32_t *member)
{
	while (*at < end && s->dead[**at])
		++*at;
	if (*at == end)
		return 0;
	*member = other->names->place[*(*at)++] - other->first;
	return 1;
}

/* Returns the links of a member; a removed one has none. */
static const uint32_t *links_of(const struct plan *s, uint32_t member, const uint32_t **end)
{
	const uint32_t node = s->names->node[s->first + member], *row = graph_row(s->graph, node);

	*end = row + (s->dead[node] ? 0 : graph_outdegree(s->graph, node));
	return row;
}

static void plan_begin(struct plan *s, const struct bicover *p, const struct bicover_component *component, enum side side)
{
	const uint32_t n = component->members[side].n;

	*s = (struct plan){.graph = &p->pruned->rows[side],
		.names = &p->side[side],
		.dead = p->dead,
		.first = component->members[side].at,
		.members = n,
		.count = mem_new(3 * (size_t)n, sizeof *s->count),
		.is_leaf = mem_zero(n, 1)};
	s->row = s->count + n;
	s->order = s->row + n;
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t *end, *at = links_of(s, i, &end);
		uint32_t left = 0;
		for (; at < end; at++)
			left += !s->dead[*at];
		s->count[i] = left;
	}
}

static void plan_end(struct plan *s)
{
	free(s->count);
	free(s->is_leaf);
}

/* Finds the members that are leaves (they have one link, to a member with several), and sets s->row to the member that each one
 * is linked to. */
static void find_leaves(struct plan *s, const struct plan *other)
{
	for (uint32_t i = 0; i < s->members; i++) {
		const uint32_t *end, *at = links_of(s, i, &end);
		if (s->count[i] == 1 && next_link(s, other, &at, end, &s->row[i]))
			s->is_leaf[i] = other->count[s->row[i]] > 1;
	}
}

/* Subtracts the leaves from the link counts of the members that they are linked to. Returns the number of leaves. */
static uint32_t count_out(const struct plan *leaves, struct plan *s)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < leaves->members; i++)
		if (leaves->is_leaf[i]) {
			s->count[leaves->row[i]]--;
			n++;
		}
	return n;
}

static uint32_t class_of(uint32_t length)
{
	return length < LENGTHS ? length : LENGTHS;
}

static void give_row(struct plan *s, uint32_t member, uint32_t at[LENGTHS + 2])
{
	s->row[member] = at[class_of(s->count[member])]++;
	s->order[s->row[member]] = member;
}

/* Numbers the rows by their length, so that the processor predicts the end of each inner loop; rows of equal length in the order in
 * which the rows of the other side, unless it is NULL, first refer to them, so that values which are summed together are near one
 * another in memory. */
static void number_rows(struct plan *s, const struct plan *other, uint32_t other_rows)
{
	uint32_t at[LENGTHS + 2] = {0}, member;

	for (uint32_t i = 0; i < s->members; i++)
		if (!s->is_leaf[i]) {
			at[class_of(s->count[i]) + 1]++;
			s->row[i] = UNNUMBERED;
		}
	for (uint32_t c = 0; c <= LENGTHS; c++)
		at[c + 1] += at[c];
	for (uint32_t r = 0; other && r < other_rows; r++) {
		const uint32_t *end, *link = links_of(other, other->order[r], &end);
		while (next_link(other, s, &link, end, &member))
			if (!s->is_leaf[member] && s->row[member] == UNNUMBERED)
				give_row(s, member, at);
	}
	for (uint32_t i = 0; i < s->members; i++)
		if (!s->is_leaf[i] && s->row[i] == UNNUMBERED)
			give_row(s, i, at);
}

/* --- the sides */

static void make_room(struct degree_one_side *s, uint32_t members)
{
	s->members = members;
	if (members > s->member_room || !s->leaves) {
		s->member_room = s->member_room ? mem_grown(s->member_room, members) : members;
		s->leaves = mem_resize(s->leaves, s->member_room, sizeof *s->leaves);
		s->on = mem_resize(s->on, s->member_room, sizeof *s->on);
		s->gone = mem_resize(s->gone, s->member_room, sizeof *s->gone);
	}
	for (uint32_t i = 0; i < members; i++) {
		s->leaves[i] = 0;
		s->gone[i] = 0;
	}
}

/* Numbers the leaves of a side, after the rows, by the row that they are linked to: sets order[] and on[], and counts the leaves
 * of each row in leaves[] of the other side. */
static void number_leaves(struct degree_one_side *s, struct plan *plan, struct degree_one_side *other,
	const struct plan *other_plan)
{
	uint32_t *at = other->leaves, sum = 0;

	for (uint32_t i = 0; i < s->members; i++)
		if (plan->is_leaf[i])
			at[other_plan->row[plan->row[i]]]++;
	for (uint32_t r = 0; r < other->rows; r++) {
		const uint32_t n = at[r];
		at[r] = sum;
		sum += n;
	}
	for (uint32_t i = 0; i < s->members; i++) {
		if (!plan->is_leaf[i])
			continue;
		const uint32_t r = other_plan->row[plan->row[i]];
		s->on[at[r]] = r;
		plan->order[s->rows + at[r]++] = i;
	}
	/* now at[r] is where the leaves of r end */
	for (uint32_t r = other->rows; r-- > 1;)
		at[r] -= at[r - 1];
}

/* Puts the members of the component into the order of their rows; count[] then has the lengths of the rows by this order. */
static void renumber(struct bicover_side *names, struct plan *s)
{
	for (uint32_t i = 0; i < s->members; i++) {
		const uint32_t member = s->order[i];
		s->order[i] = names->node[s->first + member];
		s->row[i] = s->count[member];
	}
	for (uint32_t i = 0; i < s->members; i++) {
		names->node[s->first + i] = s->order[i];
		names->place[s->order[i]] = s->first + i;
	}
}

/* Adds a row to the runs. */
static void add_row(struct degree_one_side *s, uint32_t row, uint32_t length)
{
	if (row % DEGREE_ONE_BLOCK == 0) {
		s->block = mem_grow(s->block, &s->block_room, (size_t)s->blocks + 1, sizeof *s->block);
		s->block[s->blocks++] = (struct degree_one_block){.target = s->targets, .run = s->runs};
	}
	s->targets += length;
	if (s->runs > s->block[s->blocks - 1].run && s->run[s->runs - 1].length == length) {
		s->run[s->runs - 1].rows++;
		return;
	}
	s->run = mem_grow(s->run, &s->run_room, s->runs + 1, sizeof *s->run);
	s->run[s->runs++] = (struct degree_one_run){length, 1};
}

/* Fills the rows of a side, in the new order of both sides. */
static void fill_rows(struct degree_one_side *s, const struct plan *plan, const struct plan *other, uint32_t other_rows)
{
	uint32_t *target, member;

	s->blocks = 0;
	s->targets = s->runs = 0;
	for (uint32_t r = 0; r < s->rows; r++)
		add_row(s, r, plan->row[r]);
	if (s->targets > s->target_room) {
		free(s->target);
		s->target = mem_new(s->targets, sizeof *s->target);
		s->target_room = s->targets;
	}
	target = s->target;
	for (uint32_t r = 0; r < s->rows; r++) {
		const uint32_t *end, *at = links_of(plan, r, &end);
		while (next_link(plan, other, &at, end, &member))
			if (member < other_rows)
				*target++ = member;
	}
}

void degree_one_build(struct degree_one *f, struct bicover *p, const struct bicover_component *component)
{
	struct degree_one_side *h = &f->side[HUBS], *a = &f->side[AUTHORITIES];
	struct plan hubs, authorities;

	plan_begin(&hubs, p, component, HUBS);
	plan_begin(&authorities, p, component, AUTHORITIES);
	make_room(h, hubs.members);
	make_room(a, authorities.members);
	find_leaves(&hubs, &authorities);
	find_leaves(&authorities, &hubs);
	h->rows = hubs.members - count_out(&hubs, &authorities);
	a->rows = authorities.members - count_out(&authorities, &hubs);
	f->saved = (uint64_t)(hubs.members - h->rows) + (authorities.members - a->rows);
	number_rows(&authorities, NULL, 0);
	number_rows(&hubs, &authorities, a->rows);
	number_rows(&authorities, &hubs, h->rows);
	number_leaves(h, &hubs, a, &authorities);
	number_leaves(a, &authorities, h, &hubs);
	renumber(&p->side[HUBS], &hubs);
	renumber(&p->side[AUTHORITIES], &authorities);
	fill_rows(h, &hubs, &authorities, a->rows);
	fill_rows(a, &authorities, &hubs, h->rows);
	h->zero = p->pruned->nodes - hubs.first;
	a->zero = p->pruned->nodes - authorities.first;
	plan_end(&hubs);
	plan_end(&authorities);
}

void degree_one_release(struct degree_one *f)
{
	for (enum side side = HUBS; side <= AUTHORITIES; side++) {
		struct degree_one_side *s = &f->side[side];
		free(s->target);
		free(s->run);
		free(s->block);
		free(s->leaves);
		free(s->on);
		free(s->gone);
	}
	*f = (struct degree_one){.saved = 0};
}

void degree_one_drop(struct degree_one *f, enum side side, uint32_t member)
{
	struct degree_one_side *s = &f->side[side], *other = &f->side[!side];

	s->gone[member] = 1;
	if (member >= s->rows) {
		uint32_t *leaves = &other->leaves[s->on[member - s->rows]];
		*leaves -= *leaves > 0; /* the count is 0 already if the node that the leaf is linked to was removed before */
		return;
	}
	const struct degree_one_block *b = &s->block[member / DEGREE_ONE_BLOCK];
	const struct degree_one_run *run = s->run + b->run;
	uint32_t *target = s->target + b->target, skip = member % DEGREE_ONE_BLOCK;
	for (; skip >= run->rows; run++) {
		target += (size_t)run->length * run->rows;
		skip -= run->rows;
	}
	target += (size_t)run->length * skip;
	for (uint32_t k = 0; k < run->length; k++)
		target[k] = other->zero;
	s->leaves[member] = 0;
}

/* --- iterations */

/* Half an iteration: y[i] becomes scale * (sum of x[t] over the targets t of row i + leaves[i] * own * y[i]). */
struct step {
	struct degree_one_side *s;
	const double *x;
	double scale, own;
};

/* Sums the rows of a run. It is inlined, so that the compiler makes a copy for each small constant length. */
static inline __attribute__((always_inline)) void sum_run(const struct step *m, const uint32_t *target, uint32_t length,
	uint32_t first, uint32_t rows, struct degree_one_block *sums)
{
	double *y = m->s->x, square = 0.0, leaf_square = 0.0;
	int same = 1;

	for (uint32_t i = first; i < first + rows; i++, target += length) {
		const double leaves = (double)m->s->leaves[i], was = y[i];
		double sum = 0.0;
		for (uint32_t k = 0; k < length; k++)
			sum += m->x[target[k]];
		sum = m->scale * (sum + leaves * (m->own * was));
		same &= sum == was;
		y[i] = sum;
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
	const struct step *m = ctx;
	const struct degree_one_side *s = m->s;
	struct degree_one_block sums = {.target = s->block[b].target, .run = s->block[b].run, .same = 1};
	const uint32_t *target = s->target + sums.target;
	const size_t end = b + 1 < s->blocks ? s->block[b + 1].run : s->runs;
	uint32_t first = b * DEGREE_ONE_BLOCK;

	for (size_t r = sums.run; r < end; r++) {
		const uint32_t length = s->run[r].length, rows = s->run[r].rows;
		if (length == 1)
			sum_run(m, target, 1, first, rows, &sums);
		else if (length == 2)
			sum_run(m, target, 2, first, rows, &sums);
		else if (length == 3)
			sum_run(m, target, 3, first, rows, &sums);
		else
			sum_run(m, target, length, first, rows, &sums);
		target += (size_t)length * rows;
		first += rows;
	}
	s->block[b] = sums;
}

/* How far the iterations have come with a side. */
struct state {
	double leaf_square;
	double scale;    /* the factor by which the vector still has to be multiplied */
	double log_norm; /* of the last norm */
	int same;
};

/* Makes the scores of a side from those of the other. */
static void advance(struct degree_one *f, enum side side, struct state state[2], unsigned threads)
{
	struct degree_one_side *s = &f->side[side];
	struct state *now = &state[side], *other = &state[!side];
	struct step step = {s, f->side[!side].x, other->scale, now->scale};
	double square = 0.0, leaf_square = 0.0;
	int same = 1;

	blocks_run(threads, s->blocks, sum_block, &step);
	for (uint32_t b = 0; b < s->blocks; b++) {
		square += s->block[b].square;
		leaf_square += s->block[b].leaf_square;
		same &= s->block[b].same;
	}
	const double norm = sqrt(square + other->scale * other->scale * other->leaf_square);
	*now = (struct state){leaf_square, 1.0 / norm, log(norm), same && 1.0 / norm == now->scale};
}

/* Sets the score of each leaf to that of the member that it is linked to, times `scale`. */
static void give_leaves(const struct degree_one_side *s, const struct degree_one_side *other, double scale)
{
	for (uint32_t i = s->rows; i < s->members; i++)
		s->x[i] = s->gone[i] ? 0.0 : scale * other->x[s->on[i - s->rows]];
}

static unsigned give_nothing(struct degree_one *f, struct degree_one_norms *norms)
{
	for (enum side side = HUBS; side <= AUTHORITIES; side++)
		for (uint32_t i = 0; i < f->side[side].members; i++)
			f->side[side].x[i] = 0.0;
	*norms = (struct degree_one_norms){-INFINITY, 0.0};
	return 0;
}

/* The leaves get their scores as they enter the sums: those of a hub by its score before the last half of the last iteration,
 * those of an authority by its present score. */
unsigned degree_one_run(struct degree_one *f, unsigned iterations, unsigned threads, double *hub, double *authority,
	struct degree_one_norms *norms)
{
	struct degree_one_side *h = &f->side[HUBS], *a = &f->side[AUTHORITIES];
	struct state state[2] = {{.scale = 1.0}, {.scale = 1.0}};
	double log_norm = 0.0;
	unsigned done = 0;
	int same = 0;

	h->x = hub;
	a->x = authority;
	for (enum side side = HUBS; side <= AUTHORITIES; side++)
		for (uint32_t r = 0; r < f->side[side].rows; r++)
			f->side[side].x[r] = !f->side[side].gone[r];
	for (uint32_t r = 0; r < h->rows; r++)
		state[HUBS].leaf_square += h->leaves[r];
	for (; done < iterations && !same; done++) {
		const double hub_scale = state[HUBS].scale;
		log_norm += state[AUTHORITIES].log_norm + state[HUBS].log_norm;
		advance(f, AUTHORITIES, state, threads);
		if (state[AUTHORITIES].log_norm == -INFINITY)
			return give_nothing(f, norms);
		if (done + 1 == iterations)
			give_leaves(a, h, hub_scale);
		advance(f, HUBS, state, threads);
		same = done && state[AUTHORITIES].same && state[HUBS].same;
	}
	if (done < iterations)
		give_leaves(a, h, state[HUBS].scale);
	give_leaves(h, a, state[AUTHORITIES].scale);
	norms->log_norm = log_norm + (iterations - done) * (state[AUTHORITIES].log_norm + state[HUBS].log_norm);
	norms->log_authority = state[AUTHORITIES].log_norm;
	return done;
}
