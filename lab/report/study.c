#include "lab/report/study.h"
#include "base/ascii.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static void release_figure(struct study_figure *f)
{
	drawing_release(&f->drawing);
	free(f->name);
	free(f->label);
	free(f->caption);
}

static void release_table(struct study_table *t)
{
	for (size_t k = 0; k < t->cells; k++)
		free(t->cell[k].text);
	for (size_t k = 0; k < t->figures; k++)
		release_figure(&t->figure[k]);
	for (size_t k = 0; k < t->columns; k++)
		free(t->column[k]);
	free(t->column);
	free(t->heading);
	free(t->caption);
	free(t->cell);
	free(t->figure);
}

void study_release(struct study *s)
{
	for (size_t i = 0; i < s->tables; i++)
		release_table(&s->table[i]);
	for (size_t i = 0; i < s->facts; i++) {
		free(s->fact[i].name);
		free(s->fact[i].value.text);
	}
	free(s->fact);
	free(s->table);
	free(s->title);
	*s = (struct study){0};
}

/* --- facts */

static void add_fact(struct study *s, const char *name, struct study_cell value)
{
	s->fact = mem_grow(s->fact, &s->fact_room, s->facts + 1, sizeof *s->fact);
	s->fact[s->facts++] = (struct study_fact){mem_text(name), value};
}

void study_fact(struct study *s, const char *name, const char *text)
{
	add_fact(s, name, (struct study_cell){.kind = STUDY_TEXT, .text = mem_text(text)});
}

void study_fact_count(struct study *s, const char *name, uint64_t count)
{
	add_fact(s, name, (struct study_cell){.kind = STUDY_COUNT, .count = count});
}

void study_fact_real(struct study *s, const char *name, double real)
{
	add_fact(s, name, (struct study_cell){.kind = STUDY_REAL, .real = real});
}

/* --- tables */

void study_table(struct study *s, const char *name, const char *heading, const char *caption, const char *const *column,
	enum study_shown shown)
{
	size_t columns = 0;

	while (column[columns])
		columns++;
	char **copy = mem_zero(columns + 1, sizeof *copy);
	for (size_t i = 0; i < columns; i++)
		copy[i] = mem_text(column[i]);
	s->table = mem_grow(s->table, &s->room, s->tables + 1, sizeof *s->table);
	s->table[s->tables++] = (struct study_table){.name = name,
		.heading = heading ? mem_text(heading) : NULL,
		.caption = mem_text(caption),
		.column = copy,
		.columns = columns,
		.shown = shown};
}

static void add(struct study *s, struct study_cell cell)
{
	struct study_table *t = &s->table[s->tables - 1];

	t->cell = mem_grow(t->cell, &t->room, t->cells + 1, sizeof *t->cell);
	t->cell[t->cells++] = cell;
}

void study_text(struct study *s, const char *text)
{
	add(s, (struct study_cell){.kind = STUDY_TEXT, .text = mem_text(text)});
}

void study_count(struct study *s, uint64_t count)
{
	add(s, (struct study_cell){.kind = STUDY_COUNT, .count = count});
}

void study_real(struct study *s, double real)
{
	add(s, (struct study_cell){.kind = STUDY_REAL, .real = real});
}

void study_interval(struct study *s, struct interval x, double scale)
{
	add(s, (struct study_cell){.kind = STUDY_INTERVAL, .real = scale * x.mean, .half = scale * (x.high - x.low) / 2});
}

void study_none(struct study *s)
{
	add(s, (struct study_cell){.kind = STUDY_NONE});
}

void study_figure(struct study *s, const char *name, struct drawing *take_drawing, const char *label, const char *caption)
{
	struct study_table *t = &s->table[s->tables - 1];

	t->figure = mem_grow(t->figure, &t->figure_room, t->figures + 1, sizeof *t->figure);
	struct study_figure *f = &t->figure[t->figures++];
	*f = (struct study_figure){*take_drawing, mem_text(name), mem_text(label), mem_text(caption)};
	for (char *c = f->name; *c; c++) /* a link to it needs no escapes then */
		*c = ascii_is_alnum(*c) || *c == '.' ? *c : '-';
	*take_drawing = (struct drawing){0};
}

void study_append(struct study *s, struct study *take_other)
{
	for (size_t i = 0; i < take_other->tables; i++) {
		s->table = mem_grow(s->table, &s->room, s->tables + 1, sizeof *s->table);
		s->table[s->tables++] = take_other->table[i];
	}
	take_other->tables = 0;
	study_release(take_other);
}

int study_decimals(const struct study_table *t, size_t column)
{
	double most = 0;

	for (size_t k = column; k < t->cells; k += t->columns)
		if (t->cell[k].kind == STUDY_REAL && fabs(t->cell[k].real) > most)
			most = fabs(t->cell[k].real);
	return most >= 1000 ? 0 : most >= 100 ? 1 : most > 1 ? 2 : 4;
}

uint64_t study_fingerprint(const struct study *s)
{
	XXH3_state_t *state = XXH3_createState();

	XXH3_64bits_reset(state);
	for (size_t i = 0; i < s->tables; i++) {
		const struct study_table *t = &s->table[i];
		XXH3_64bits_update(state, t->name, strlen(t->name) + 1);
		for (size_t k = 0; k < t->cells; k++) {
			const struct study_cell *c = &t->cell[k];
			XXH3_64bits_update(state, &c->count, sizeof c->count);
			XXH3_64bits_update(state, &c->real, sizeof c->real);
			if (c->text)
				XXH3_64bits_update(state, c->text, strlen(c->text) + 1);
		}
	}
	const uint64_t numbers = XXH3_64bits_digest(state);
	XXH3_freeState(state);
	return numbers;
}
