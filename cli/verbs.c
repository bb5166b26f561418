#include "cli/verbs.h"

/* In the order of `lycosa --help`. */
static const struct verb *const verbs[] = {
	&verb_crawl,
	&verb_ctl,
	&verb_fleet,
	&verb_replay,
	&verb_compare,
	&verb_study,
	&verb_seeds,
	&verb_coverage,
	&verb_rank,
	&verb_graph,
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
