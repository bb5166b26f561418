/* The folder that compare --out leaves. */
#include "base/log.h"
#include "base/mem.h"
#include "cli/lab/experiment.h"
#include "cli/folder.h"
#include "cli/lab/manifest.h"
#include "config.h"
#include "lab/report/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum printed { RESULTS_AS_TSV, RESULTS_AS_JSON, CURVES };

static int write_printed(const struct experiment *x, size_t graphs, const char *folder,
	const char *name, enum printed what, struct err_note *why)
{
	char *text = NULL;
	size_t n = 0;
	FILE *out = open_memstream(&text, &n);

	if (!out)
		return err_set(why, ERR_MEMORY, "cannot make '%s': out of memory", name);
	int err = what == CURVES
			  ? experiment_print_curves(x, graphs, out, why)
			  : experiment_print_all(x, graphs, out,
				    what == RESULTS_AS_TSV ? RESULTS_TSV : RESULTS_JSON, why);
	if ((ferror(out) | fclose(out)) && !err) /* a stream to memory has no other way to fail */
		err = err_set(why, ERR_MEMORY, "cannot make '%s': out of memory", name);
	if (!err)
		err = folder_write(folder, name, text, n, why);
	free(text);
	return err;
}

static int write_report(
	const struct experiment *x, size_t n, const char *folder, struct err_note *why)
{
	struct report_graph *graphs = mem_new(n, sizeof *graphs);
	const struct report report = {.graphs = graphs,
		.n = n,
		.version = PACKAGE_VERSION,
		.with_cost = x->report->timing,
		.ties = x->options->ties};
	struct buf html = BUF_EMPTY;
	struct err_note undrawn;

	for (size_t i = 0; i < n; i++)
		graphs[i] =
			(struct report_graph){&x[i].compare, x[i].graph_options->graph, x[i].found};
	if (report_write(&html, &report, &undrawn))
		log_say("report.html is without figures: %s", undrawn.text);
	int err = folder_write(folder, "report.html", html.at, html.used, why);
	buf_release(&html);
	free(graphs);
	return err;
}

int experiment_write(const struct experiment *x, size_t n, const char *folder, struct err_note *why)
{
	struct buf manifest = BUF_EMPTY;
	int err = write_printed(x, n, folder, "results.tsv", RESULTS_AS_TSV, why);

	if (!err)
		err = write_printed(x, n, folder, "results.json", RESULTS_AS_JSON, why);
	if (!err)
		err = write_printed(x, n, folder, "curves.tsv", CURVES, why);
	if (!err)
		err = write_report(x, n, folder, why);
	if (!err) {
		manifest_write(x, n, &manifest);
		err = folder_write(folder, "manifest.json", manifest.at, manifest.used, why);
	}
	buf_release(&manifest);
	return err;
}
