#include "cli/verbs.h"

#include <stdio.h>

/* --- lycosa help VERB */

static int run_help(const struct command *c, struct err_note *why)
{
	const struct verb *v = &lycosa;
	AUTO(buf) called = BUF_EMPTY, text = BUF_EMPTY;

	buf_text(&called, v->name);
	for (size_t i = 0; i < c->flags->operands; i++) {
		v = verb_named(v, c->flags->operand[i], why);
		if (!v)
			return ERR_USAGE;
		buf_format(&called, " %s", v->name);
	}
	verb_help(v, called.at, FLAGS_SCREEN, &text);
	fputs(text.at, stdout);
	return 0;
}

static const struct standard_options help_defaults;
static const struct flag help_flags[] = {
	STANDARD_ROWS,
};

const struct verb verb_help_of =
	VERB("help", "Prints the usage of a verb.", help_flags, help_defaults, run_help, .operands = "[VERB...]");

/* In the order of `lycosa --help`. */
static const struct verb *const verbs[] = {
	&verb_crawl,
	&verb_import,
	&verb_ctl,
	&verb_fleet,
	&verb_replay,
	&verb_compare,
	&verb_measure,
	&verb_study,
	&verb_seeds,
	&verb_coverage,
	&verb_rank,
	&verb_graph,
	&verb_data,
	&verb_serve,
	&verb_audit,
	&verb_agree,
	&verb_list,
	&verb_store,
	&verb_export,
	&verb_view,
	&verb_archive,
	&verb_parse,
	&verb_help_of,
	&verb_completion,
	NULL,
};

const struct verb lycosa = {
	.name = "lycosa",
	.summary = "A web crawler whose order of crawling is a policy, and a laboratory of policies.",
	.verbs = verbs,
};
