#include "lab/study/study.h"
#include "base/mem.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

void study_release(struct study *s)
{
	for (size_t i = 0; i < s->tables; i++) {
		struct study_table *t = &s->table[i];
		for (size_t k = 0; k < t->cells; k++)
			free(t->cell[k].text);
		for (size_t k = 0; k < t->figures; k++) {
			buf_release(&t->figure[k].script);
			buf_release(&t->figure[k].svg);
			free(t->figure[k].name);
			free(t->figure[k].label);
			free(t->figure[k].caption);
		}
		for (size_t k = 0; k < t->columns; k++)
			free(t->column[k]);
		free(t->column);
		free(t->heading);
		free(t->caption);
		free(t->cell);
		free(t->figure);
	}
	free(s->table);
	*s = (struct study){0};
}

void study_table(struct study *s, const char *name, const char *heading, const char *caption,
	const char *const *column, enum study_shown shown)
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

void study_none(struct study *s)
{
	add(s, (struct study_cell){.kind = STUDY_NONE});
}

static struct study_figure *add_figure(struct study *s, const char *label, const char *caption)
{
	struct study_table *t = &s->table[s->tables - 1];

	t->figure = mem_grow(t->figure, &t->figure_room, t->figures + 1, sizeof *t->figure);
	t->figure[t->figures] =
		(struct study_figure){.label = mem_text(label), .caption = mem_text(caption)};
	return &t->figure[t->figures++];
}

void study_figure(struct study *s, struct buf *take_script, const char *label, const char *caption)
{
	add_figure(s, label, caption)->script = *take_script;
	*take_script = (struct buf)BUF_EMPTY;
}

void study_drawing(struct study *s, const char *name, struct buf *take_svg, const char *label,
	const char *caption)
{
	struct study_figure *f = add_figure(s, label, caption);

	f->svg = *take_svg;
	f->name = mem_text(name);
	for (char *c = f->name; *c; c++) /* as a file may be called, and a link to it */
		*c = isalnum((unsigned char)*c) || *c == '.' ? *c : '-';
	*take_svg = (struct buf)BUF_EMPTY;
}

void study_script(struct buf *script, const char *x, const char *y, const char *more)
{
	buf_format(script,
		"set terminal svg size 860,430 dynamic noenhanced font 'sans-serif,14' linewidth "
		"1.3\nset grid linecolor rgb 'gray' linewidth 0.6\nset border 3 linewidth 0.8\n"
		"set tics nomirror out scale 0.6\n"
		"set key outside right center vertical Left reverse samplen 3 spacing 1.15\n"
		"set xlabel '%s'\nset ylabel '%s'\n%s",
		x, y, more);
}

const char *study_colour(size_t i)
{
	/* Okabe and Ito's, without yellow */
	static const char *const colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9",
		"#E69F00", "black", "#8a8a8a"};

	return colours[i % (sizeof colours / sizeof *colours)];
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
