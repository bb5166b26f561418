#include "graph/formats/formats.h"
#include "base/ascii.h"
#include "graph/formats/arctext.h"
#include "base/output.h"

#include <stdio.h>
#include <string.h>

static const char banner[] = "%%MatrixMarket";

int mtx_detect(const char *path)
{
	struct input *in;
	const char *bytes;
	size_t n;

	if (input_open(&in, path, NULL))
		return 0;
	int is = input_chunk(in, &bytes, &n, NULL) > 0;
	const size_t skip = is && n >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
	is = is && n - skip >= sizeof banner && ascii_same(bytes + skip, banner, sizeof banner - 1);
	input_close(in);
	return is;
}

struct reading {
	struct arcs arcs;
	uint64_t rows, columns, entries, size_line;
	int has_banner;
};

/* Copies the next word of a line into word[16], in lower case; a longer word is truncated. */
static const char *take_word(const char *p, const char *end, char *word)
{
	size_t n = 0;

	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	for (; p < end && *p != ' ' && *p != '\t'; p++)
		if (n < 15)
			word[n++] = (char)(*p >= 'A' && *p <= 'Z' ? *p - 'A' + 'a' : *p);
	word[n] = 0;
	return p;
}

/* Reads the first line: %%MatrixMarket matrix coordinate FIELD SYMMETRY. */
static int take_banner(void *ctx, const struct arctext *t, const char *line, size_t n, struct err_note *why)
{
	static const char *const wanted[] = {"matrix", "coordinate", "pattern integer real complex double",
		"general symmetric skew-symmetric hermitian"};
	struct reading *r = ctx;
	const char *end = line + n;
	char word[16];

	if (t->number != 1 || n < sizeof banner || !ascii_same(line, banner, sizeof banner - 1))
		return 0;
	line += sizeof banner - 1;
	for (size_t i = 0; i < 4; i++) {
		line = take_word(line, end, word);
		if (!ascii_is_among(word, strlen(word), wanted[i]))
			return err_set(why, ERR_FORMAT,
				"%s:1: '%s' is no kind of Matrix Market that can be read; only "
				"coordinate matrices are",
				t->path, word);
	}
	r->arcs.is_mirrored = strcmp(word, "general") != 0;
	r->has_banner = 1;
	return 0;
}

/* Reads the line with the numbers of rows, columns and entries. */
static int take_size(void *ctx, const struct arctext *t, const char *line, size_t n, struct err_note *why)
{
	struct reading *r = ctx;
	const char *end = line + n;

	r->size_line = t->number;
	if (!r->has_banner)
		return err_set(why, ERR_FORMAT, "%s:1: does not begin with %s", t->path, banner);
	if (arctext_number(&line, end, &r->rows) || arctext_number(&line, end, &r->columns) ||
		arctext_number(&line, end, &r->entries))
		return err_set(why, ERR_FORMAT, "%s:%llu: rows, columns and entries are missing", t->path,
			(unsigned long long)t->number);
	if (r->rows != r->columns)
		return err_set(why, ERR_FORMAT, "%s:%llu: a matrix of %llu x %llu is no graph", t->path,
			(unsigned long long)t->number, (unsigned long long)r->rows, (unsigned long long)r->columns);
	return 1;
}

struct search {
	uint64_t rows;
	int past_size;
};

/* Finds the first entry that lies outside the matrix, so that the message can name its line. The first line is the size, and is
 * skipped. */
static const char *find_outside(void *ctx, struct arcs *a, const char *line, const char *end)
{
	struct search *s = ctx;
	const char *p = line;
	uint64_t row, column;

	(void)a;
	if (!s->past_size) {
		s->past_size = 1;
		return NULL;
	}
	if (arctext_number(&p, end, &row))
		return line;
	while (p < end && (*p == ' ' || *p == '\t' || *p == ','))
		p++;
	if (arctext_number(&p, end, &column))
		return line;
	return row < 1 || row > s->rows || column < 1 || column > s->rows ? line : NULL;
}

/* Returns ERR_FORMAT for an entry outside of the matrix. The file is read once more to find the line for the note; input from a
 * pipe cannot be read again, and gets a note without the line. */
static int outside(const struct reading *r, const char *path, struct err_note *why)
{
	struct search s = {.rows = r->rows};
	struct arcs none = ARCS_EMPTY;
	char complaint[80];

	snprintf(complaint, sizeof complaint, "is outside of 1..%llu", (unsigned long long)r->rows);
	const int err = lists_read(path, &none, find_outside, &s, complaint, why);
	arcs_release(&none);
	return err == ERR_FORMAT ? err : err_set(why, ERR_FORMAT, "'%s' has an entry %s", path, complaint);
}

/* Checks that the file has as many entries as its size line announces, and none outside the matrix. */
static int check(const struct reading *r, const struct arctext *t, struct err_note *why)
{
	if (!t->begun)
		return err_set(why, ERR_FORMAT, "'%s' is cut short: no size of the matrix", t->path);
	if (arcs_total(&r->arcs) != r->entries)
		return err_set(why, ERR_FORMAT, "%s:%llu: announces %llu entries, but there are %llu", t->path,
			(unsigned long long)r->size_line, (unsigned long long)r->entries, (unsigned long long)arcs_total(&r->arcs));
	if (r->entries && (r->arcs.least < 1 || r->arcs.most_id > r->rows))
		return outside(r, t->path, why);
	return 0;
}

int mtx_load(const char *path, const struct graph_load *load, struct graph *g, struct err_note *why)
{
	struct reading r = {.arcs = ARCS_EMPTY};
	struct arctext t = {.arcs = &r.arcs, .ctx = &r, .comment = take_banner, .first = take_size};

	*g = (struct graph){0};
	arcs_bound(&r.arcs, &load->space);
	int err = arctext_read(&t, path, why);
	if (!err)
		err = check(&r, &t, why);
	const struct arcs_nodes nodes = {.announced = r.rows, .is_announced = 1, .is_from_one = 1};
	if (err)
		arcs_release(&r.arcs);
	else
		err = arcs_to_graph(&r.arcs, &nodes, t.path, g, why);
	return err;
}

int mtx_save(const struct graph *g, const char *path, struct err_note *why)
{
	struct output *out;
	uint64_t passed = 0;
	int err = output_open(&out, path, why);

	if (err)
		return err;
	output_text(out, banner);
	output_text(out, " matrix coordinate pattern general\n");
	output_number(out, g->nodes, ' ');
	output_number(out, g->nodes, ' ');
	output_number(out, g->arcs, '\n');
	for (uint32_t u = 0; u < g->nodes; u++) {
		for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++) {
			output_number(out, (uint64_t)u + 1, ' ');
			output_number(out, (uint64_t)g->target[a] + 1, '\n');
		}
		graph_pass(g, &passed, u);
	}
	return output_close(out, why);
}
