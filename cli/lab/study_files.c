#include "cli/lab/study_files.h"
#include "base/flag.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/num.h"
#include "cli/folder.h"
#include "config.h"
#include "lab/study/dataset.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *const study_file_names[] = {"/*.tsv", "/*.svg", "/*.pdf", "/results.json", "/manifest.json", "/report.html",
	"/report.md", "/tables.tex", NULL};

/* Prints, for a study without a table "rows", a row for each of its tables: the name, and the number of rows. */
static void print_names(struct results *r, const struct study *s)
{
	static const char *const columns[] = {"table", "rows", NULL};

	results_columns(r, columns);
	for (size_t i = 0; i < s->tables; i++) {
		RESULTS_CELLS(r, cell_text(s->table[i].name), cell_count(s->table[i].cells / s->table[i].columns));
	}
}

/* Prints every table under its own name, so that one expression of sed or jq selects any of them. */
static int print(const struct study *s, enum results_form form, FILE *out, struct err_note *why)
{
	const size_t rows = s->tables && strcmp(s->table[0].name, "rows") == 0;
	struct results r;

	results_begin(&r, out, form);
	for (size_t i = 0; i < s->facts; i++)
		results_fact(&r, s->fact[i].name, s->fact[i].value);
	if (rows) {
		results_columns(&r, (const char *const *)s->table[0].column);
		results_cells(&r, s->table[0].cell, s->table[0].cells);
	} else {
		print_names(&r, s);
	}
	for (size_t i = rows; i < s->tables; i++) {
		results_table(&r, s->table[i].name, (const char *const *)s->table[i].column);
		results_cells(&r, s->table[i].cell, s->table[i].cells);
	}
	return results_end(&r, why);
}

static int write_results(const char *folder, const char *name, const struct study *s, enum results_form form, struct err_note *why)
{
	char *text = NULL;
	size_t n = 0;
	FILE *out = open_memstream(&text, &n);

	if (!out)
		return err_set(why, ERR_MEMORY, "cannot make '%s': out of memory", name);
	int err = print(s, form, out, why);
	if ((ferror(out) | fclose(out)) && !err) /* a stream to memory has no other way to fail */
		err = err_set(why, ERR_MEMORY, "cannot make '%s': out of memory", name);
	if (!err)
		err = folder_write(folder, name, text, n, why);
	free(text);
	return err;
}

static int write_with_end(const char *folder, const char *name, const char *end, const struct buf *text, struct err_note *why)
{
	AUTO(buf) file = buf_of("%s%s", name, end);

	return folder_write(folder, file.at, text->at ? text->at : "", text->used, why);
}

static int write_figure(const char *folder, const struct study_figure *f, struct err_note *why)
{
	AUTO(buf) text = BUF_EMPTY;

	drawing_svg_file(&f->drawing, f->label, &text);
	int err = write_with_end(folder, f->name, ".svg", &text, why);
	buf_clear(&text);
	drawing_pdf(&f->drawing, &text);
	if (!err)
		err = write_with_end(folder, f->name, ".pdf", &text, why);
	return err;
}

/* Writes one table, and the figures that stand before it. */
static int write_table(const char *folder, const struct study_table *t, struct err_note *why)
{
	AUTO(buf) text = BUF_EMPTY;

	study_tsv(t, &text);
	TRY(write_with_end(folder, t->name, ".tsv", &text, why));
	for (size_t k = 0; k < t->figures; k++)
		TRY(write_figure(folder, &t->figure[k], why));
	return 0;
}

static void write_html(const struct study *s, struct buf *out)
{
	study_page(s, PACKAGE_VERSION, out);
}

static int write_manifest(const char *folder, const struct job *j, struct err_note *why)
{
	AUTO(buf) text = BUF_EMPTY;

	job_manifest(j, &text);
	return folder_write(folder, "manifest.json", text.at, text.used, why);
}

int study_files(const char *folder, const struct study *s, const struct job *j, struct err_note *why)
{
	static const struct {
		const char *name;
		void (*write)(const struct study *s, struct buf *out);
	} texts[] = {{"report.html", write_html}, {"report.md", study_markdown}, {"tables.tex", study_latex}};

	TRY(write_results(folder, "results.tsv", s, RESULTS_TSV, why));
	TRY(write_results(folder, "results.json", s, RESULTS_JSON, why));
	for (size_t i = 0; i < s->tables; i++)
		TRY(write_table(folder, &s->table[i], why));
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		AUTO(buf) text = BUF_EMPTY;
		texts[i].write(s, &text);
		TRY(folder_write(folder, texts[i].name, text.at, text.used, why));
	}
	return write_manifest(folder, j, why);
}

int study_print(const struct study *s, const struct report_options *o, struct err_note *why)
{
	return print(s, o->json ? RESULTS_JSON : RESULTS_TSV, stdout, why);
}

int study_numbers_check(const struct job *j, const char *wanted, uint64_t found, struct err_note *why)
{
	char text[FINGERPRINT_ROOM];

	if (!wanted)
		return 0;
	if (strcmp(wanted, fingerprint_text(found, text)) != 0)
		return err_set(why, ERR_OTHER, "the numbers are not those of '%s' (%s, not %s)", j->path, text, wanted);
	log_say("the numbers are those of '%s'", j->path);
	return 0;
}

int study_leave(const char *folder, const struct study *s, struct job *j, const struct report_options *o, struct err_note *why)
{
	const char *numbers = job_text(j, NULL, JOB_NUMBERS);
	char *wanted = numbers ? mem_text(numbers) : NULL, found[FINGERPRINT_ROOM];

	job_set(&j->global, JOB_NUMBERS, fingerprint_text(study_fingerprint(s), found));
	int err = folder ? study_files(folder, s, j, why) : study_print(s, o, why);
	if (!err)
		err = study_numbers_check(j, wanted, study_fingerprint(s), why);
	free(wanted);
	return err;
}

/* --- flags as keys */

const char *short_name(const char *path)
{
	const char *name = strrchr(path, '/');

	return name && name[1] ? name + 1 : path;
}

static const char *graph_of(const struct command *c)
{
	const struct flag *row;
	size_t at;

	for (size_t i = 0; (row = flags_row(c->verb->flags, i, &at)) != NULL; i++)
		if (strcmp(row->name, "graph") == 0)
			return *(const char *const *)((const char *)c->options + at);
	return NULL;
}

/* Fills an empty job with the flags of a verb that were given or have a usual value, as far as they are keys of a job. The graph's
 * fingerprint is that of `data`, which may be NULL. */
static void job_of(struct job *j, const struct command *c, const struct dataset *data)
{
	const char *path = graph_of(c);
	struct job_section *graph = NULL;
	char text[FINGERPRINT_ROOM];

	job_init(j);
	job_set(&j->global, JOB_STUDY, c->verb->name);
	if (path) {
		graph = job_graph(j, short_name(path));
		job_set(graph, JOB_GRAPH, path);
	}
	if (graph && data)
		job_set(graph, JOB_FINGERPRINT, fingerprint_text(graph_fingerprint(&data->graph), text));
	job_take_flags(j, graph, c);
}

static void tell_section(struct study *s, const struct job_section *section)
{
	for (size_t key = 0; key < JOB_KEY_COUNT; key++)
		for (size_t i = 0; key != JOB_STUDY && i < section->value[key].n; i++)
			study_fact(s, job_key_name((enum job_key)key), cell_text(section->value[key].text[i]));
}

static void tell_facts(struct study *s, const struct job *j, const struct dataset *data)
{
	for (size_t i = 0; i < j->graphs; i++)
		tell_section(s, &j->graph[i]);
	if (data) {
		study_fact(s, "format", cell_text(data->format));
		study_fact(s, "nodes", cell_count(data->graph.nodes));
		study_fact(s, "links", cell_count(data->graph.arcs));
	}
	tell_section(s, &j->global);
}

void evaluation_release(struct evaluation *e)
{
	job_release(&e->job);
	study_release(&e->study);
}

int evaluation_write(const struct command *c, const char *folder, struct study *take_study, const struct dataset *data,
	struct err_note *why)
{
	struct evaluation own, *e = c->evaluation ? c->evaluation : &own;

	e->study = *take_study;
	*take_study = (struct study){0};
	job_of(&e->job, c, data);
	tell_facts(&e->study, &e->job, data);
	const int err = study_leave(folder, &e->study, &e->job, NULL, why);
	if (e == &own)
		evaluation_release(e);
	return err;
}

/* --- keys as flags */

static int give_flags(struct flags *f, const struct job_section *s, struct err_note *why)
{
	static const enum job_key no_flags[] = {JOB_STUDY, JOB_FINGERPRINT, JOB_NUMBERS, JOB_TITLE, JOB_FAMILY};

	for (size_t key = 0; key < JOB_KEY_COUNT; key++) {
		size_t i = 0;
		while (i < sizeof no_flags / sizeof *no_flags && no_flags[i] != (enum job_key)key)
			i++;
		if (i < sizeof no_flags / sizeof *no_flags)
			continue;
		for (i = 0; i < s->value[key].n; i++)
			TRY(flags_give(f, job_key_name((enum job_key)key), s->value[key].text[i], why));
	}
	return 0;
}

/* Compares an evaluation with the fingerprints of the job that asked for it. Returns ERR_USAGE if the graph differs, ERR_OTHER if
 * the numbers differ. */
static int check(const struct job *j, const struct job *found, struct err_note *why)
{
	static const enum job_key told[] = {JOB_FINGERPRINT, JOB_NUMBERS};

	for (size_t i = 0; i < 2; i++) {
		const char *want = job_text(j, j->graphs ? &j->graph[0] : NULL, told[i]);
		const char *got = job_text(found, found->graphs ? &found->graph[0] : NULL, told[i]);
		if (want && (!got || strcmp(want, got) != 0))
			return err_set(why, i ? ERR_OTHER : ERR_USAGE, "the %s not that of '%s' (%s, not %s)",
				i ? "numbers' fingerprint is" : "graph is another: its fingerprint is", j->path, got ? got : "none",
				want);
	}
	if (job_text(j, NULL, JOB_NUMBERS))
		log_say("the numbers are those of '%s'", j->path);
	return 0;
}

int evaluation_run(struct evaluation *e, const struct job *j, const char *out, struct err_note *why)
{
	const char *name = job_text(j, NULL, JOB_STUDY);
	const struct verb *v = verb_named(&lycosa, name, why);

	*e = (struct evaluation){.study = {.tables = 0}};
	if (!v)
		return ERR_USAGE;
	if (!out)
		return err_set(why, ERR_USAGE, "%s is of 'lycosa %s': --out DIR is needed", j->path, name);
	AUTO_FREE void *options = mem_copy(v->defaults, v->size);
	AUTO(buf) called = buf_of("lycosa %s", name);
	AUTO(flags) flags = {0}; /* has fields of the options, and so ends first */
	TRY(flags_read(&flags, called.at, v->flags, options, NULL, 0, why));
	TRY(flags_give(&flags, "out", out, why));
	if (j->graphs)
		TRY(give_flags(&flags, &j->graph[0], why));
	TRY(give_flags(&flags, &j->global, why));
	TRY(command_run(&(struct command){v, options, &flags, called.at, e}, why));
	return check(j, &e->job, why);
}
