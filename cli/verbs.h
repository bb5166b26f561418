/* The verbs there are, each in a file cli/verb_NAME.c. A new one is a file, a line here and one in
 * cli/verbs.c. */
#ifndef CLI_VERBS_H
#define CLI_VERBS_H

#include "cli/verb.h"

extern const struct verb verb_crawl, verb_replay, verb_compare, verb_graph, verb_rank, verb_serve,
	verb_seeds, verb_coverage, verb_study, verb_list, verb_store, verb_parse, verb_help_of, verb_completion;

#endif
