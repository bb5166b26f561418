/* The verbs of lycosa. Each is a struct verb in a file verb_NAME.c of a folder of cli/; cli/verbs.c lists
 * them in the order of --help. A new verb is a file, a line here, a line there, and a manual page. */
#ifndef CLI_VERBS_H
#define CLI_VERBS_H

#include "cli/verb.h"

extern const struct verb verb_agree, verb_archive, verb_audit, verb_crawl, verb_ctl, verb_data, verb_export, verb_fleet,
	verb_replay, verb_compare, verb_measure, verb_graph, verb_rank, verb_serve, verb_seeds, verb_coverage, verb_study,
	verb_import, verb_list, verb_store, verb_view, verb_parse, verb_help_of, verb_completion;

#endif
