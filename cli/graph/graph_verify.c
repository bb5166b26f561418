/* `lycosa graph verify`: whether graph files are whole. */
#include "cli/graph/graph_target.h"
#include "base/log.h"

struct verify_options {
	struct standard_options standard;
	struct report_options report;
	uint64_t threads;
};

/* Verifies one file: prints a row, or the error that says what is wrong with the file. */
static int verify(const struct verify_options *o, const char *path, struct results *r, struct err_note *why)
{
	struct err_note odd = {""};
	const struct graph_load load = {.threads = threads_of(o->threads), .care = GRAPH_WHOLE, .odd = &odd};
	const struct graph_format *format;
	struct graph g;
	int err = graph_open(path, &load, &g, &format, why);

	if (!err && format->verify)
		err = format->verify(path, why);
	if (err) {
		graph_release(&g);
		return err;
	}
	if (*odd.text)
		log_say("%s", odd.text);
	results_text(r, path);
	results_text(r, format->name);
	results_count(r, g.nodes);
	results_count(r, g.arcs);
	results_fingerprint(r, graph_fingerprint(&g));
	graph_release(&g);
	return 0;
}

/* Verifies all files, also after an error in one of them. */
static int run_verify(const struct command *c, struct err_note *why)
{
	static const char *const columns[] = {"file", "format", "nodes", "arcs", "fingerprint", NULL};
	const struct verify_options *o = c->options;
	struct err_note note;
	struct results r;
	int err = 0;

	report_begin(&o->report, &r);
	results_columns(&r, columns);
	for (size_t i = 0; i < c->flags->operands; i++) {
		const int failed = verify(o, c->flags->operand[i], &r, &note);
		if (failed && err)
			log_say("%s", note.text);
		else if (failed)
			err = err_set(why, (enum err)failed, "%s", note.text);
	}
	const int end = results_end(&r, err ? NULL : why);
	return err ? err : end;
}

static const struct verify_options verify_defaults;
static const struct flag_group verify_groups[] = {
	{NULL, threads_flag, offsetof(struct verify_options, threads), FLAGS_A_LINE_EACH},
	{NULL, json_flag, offsetof(struct verify_options, report.json), FLAGS_A_LINE_EACH},
	STANDARD_GROUP,
	{.flags = NULL},
};

const struct verb verb_graph_verify = {
	.name = "verify",
	.summary = "Checks graph files against their checksums and headings.",
	.operands = "FILE...",
	.operand_file = FLAG_READS_GRAPH,
	.least = 1,
	.most = OPERANDS_ANY,
	.groups = verify_groups,
	.defaults = &verify_defaults,
	.size = sizeof verify_defaults,
	.run = run_verify,
};
