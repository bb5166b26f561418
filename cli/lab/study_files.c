#include "cli/lab/study_files.h"
#include "base/num.h"
#include "base/log.h"
#include "cli/folder.h"
#include "config.h"
#include "lab/report/chart.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static void print_cell(struct results *r, const struct study_cell *c)
{
	if (c->kind == STUDY_TEXT)
		results_text(r, c->text);
	else if (c->kind == STUDY_COUNT)
		results_count(r, c->count);
	else if (c->kind == STUDY_REAL)
		results_real(r, c->real);
	else
		results_none(r);
}

/* Every table under its own name, so that one expression of sed or jq takes any. */
static int print(const struct study *s, const struct study_about *about, enum results_form form,
	FILE *out, struct err_note *why)
{
	static const char *const none[] = {"table", "rows", NULL};
	struct results r;

	results_begin(&r, out, form);
	if (about->graph) {
		results_name(&r, "graph");
		results_text(&r, about->graph->graph ? about->graph->graph : "");
	}
	results_name(&r, "options");
	results_text(&r, about->options);
	results_columns(&r, none);
	for (size_t i = 0; i < s->tables; i++) {
		results_text(&r, s->table[i].name);
		results_count(&r, s->table[i].cells / s->table[i].columns);
	}
	for (size_t i = 0; i < s->tables; i++) {
		const struct study_table *t = &s->table[i];
		results_table(&r, t->name, (const char *const *)t->column);
		for (size_t k = 0; k < t->cells; k++)
			print_cell(&r, &t->cell[k]);
	}
	return results_end(&r, why);
}

static int write_results(const char *folder, const char *name, const struct study *s,
	const struct study_about *about, enum results_form form, struct err_note *why)
{
	char *text = NULL;
	size_t n = 0;
	FILE *out = open_memstream(&text, &n);

	if (!out)
		return err_set(why, ERR_MEMORY, "cannot make '%s': out of memory", name);
	int err = print(s, about, form, out, why);
	if ((ferror(out) | fclose(out)) && !err) /* a stream to memory has no other way to fail */
		err = err_set(why, ERR_MEMORY, "cannot make '%s': out of memory", name);
	if (!err)
		err = folder_write(folder, name, text, n, why);
	free(text);
	return err;
}

static int write_with_end(const char *folder, const char *name, const char *end,
	const struct buf *text, struct err_note *why)
{
	struct buf file = BUF_EMPTY;

	buf_format(&file, "%s%s", name, end);
	const int err = folder_write(folder, file.at, text->at ? text->at : "", text->used, why);
	buf_release(&file);
	return err;
}

/* One table, and the drawings that stand before it. */
static int write_table(const char *folder, const struct study_table *t, struct err_note *why)
{
	struct buf text = BUF_EMPTY;

	study_tsv(t, &text);
	int err = write_with_end(folder, t->name, ".tsv", &text, why);
	for (size_t k = 0; !err && k < t->figures; k++) {
		if (!t->figure[k].name)
			continue;
		buf_clear(&text);
		chart_file(&text, t->figure[k].svg.at);
		err = write_with_end(folder, t->figure[k].name, ".svg", &text, why);
	}
	buf_release(&text);
	return err;
}

static int write_texts(const char *folder, const struct study *s, const struct study_about *about,
	struct err_note *why)
{
	struct buf text = BUF_EMPTY;

	study_markdown(s, about->title, &text);
	int err = folder_write(folder, "report.md", text.at, text.used, why);
	buf_clear(&text);
	study_latex(s, &text);
	if (!err)
		err = folder_write(folder, "tables.tex", text.at, text.used, why);
	buf_release(&text);
	return err;
}

static int write_page(const char *folder, const struct study *s, const struct study_about *about,
	struct err_note *why)
{
	const struct dataset *d = about->data;
	const struct study_page page = {.title = about->title,
		.graph = !about->graph         ? NULL
			 : about->graph->graph ? about->graph->graph
					       : "generated sites",
		.version = PACKAGE_VERSION,
		.nodes = d ? d->graph.nodes : 0,
		.arcs = d ? d->graph.arcs : 0,
		.fingerprint = d ? graph_fingerprint(&d->graph) : 0,
		.options = about->options};
	struct buf html = BUF_EMPTY;
	struct err_note undrawn;

	if (study_write(s, &page, &html, &undrawn))
		log_say("report.html is without figures: %s", undrawn.text);
	int err = folder_write(folder, "report.html", html.at, html.used, why);
	buf_release(&html);
	return err;
}

static json_t *text_or_null(const char *text)
{
	json_t *value = text ? json_string(text) : NULL;

	return value ? value : json_null();
}

static int write_manifest(const char *folder, const struct study *s,
	const struct study_about *about, struct err_note *why)
{
	json_t *root = json_object(), *graph = json_object();
	char fingerprint[FINGERPRINT_ROOM];

	if (about->graph) {
		json_object_set_new(graph, "path", text_or_null(about->graph->graph));
		json_object_set_new(graph, "urls", text_or_null(about->graph->urls));
		json_object_set_new(graph, "hosts", text_or_null(about->graph->hosts));
	}
	if (about->data) {
		const struct graph *g = &about->data->graph;
		char text[FINGERPRINT_ROOM];
		json_object_set_new(graph, "format", json_string(about->data->format));
		json_object_set_new(graph, "nodes", json_integer((json_int_t)g->nodes));
		json_object_set_new(graph, "arcs", json_integer((json_int_t)g->arcs));
		json_object_set_new(graph, "fingerprint",
			json_string(fingerprint_text(graph_fingerprint(g), text)));
	}
	json_object_set_new(root, "study", json_string(about->verb));
	json_object_set_new(root, "lycosa", json_string(PACKAGE_VERSION));
	json_object_set_new(root, "compiler", json_string(__VERSION__));
	json_object_set_new(root, "graph", graph);
	json_object_set_new(root, "options", text_or_null(about->options));
	json_object_set_new(root, "rng_seed", json_sprintf("%" PRIu64, about->rng_seed));
	json_object_set_new(
		root, "numbers", json_string(fingerprint_text(study_fingerprint(s), fingerprint)));
	char *text = json_dumps(root, JSON_INDENT(2));
	int err = folder_write(folder, "manifest.json", text, strlen(text), why);
	free(text);
	json_decref(root);
	return err;
}

int study_print(const struct study *s, const struct study_about *about,
	const struct report_options *o, struct err_note *why)
{
	return print(s, about, o->json ? RESULTS_JSON : RESULTS_TSV, stdout, why);
}

int study_files(const char *folder, const struct study *s, const struct study_about *about,
	struct err_note *why)
{
	int err = write_results(folder, "results.tsv", s, about, RESULTS_TSV, why);

	for (size_t i = 0; !err && i < s->tables; i++)
		err = write_table(folder, &s->table[i], why);
	if (!err)
		err = write_texts(folder, s, about, why);

	if (!err)
		err = write_results(folder, "results.json", s, about, RESULTS_JSON, why);
	if (!err)
		err = write_page(folder, s, about, why);
	if (!err && about->graph)
		err = write_manifest(folder, s, about, why);
	return err;
}
