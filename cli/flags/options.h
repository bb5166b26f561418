/* Flags that several verbs share: a struct, its defaults, and the table that fills it. A verb
 * embeds the struct anywhere in its own and names the table in its groups with its offset:
 *
 *   struct replay_options { struct standard_options standard; struct graph_options graph; ... };
 *   static const struct flag_group groups[] = {
 *           {"Input", graph_flags, offsetof(struct replay_options, graph), FLAGS_A_LINE_EACH},
 *           ...
 *           STANDARD_GROUP, {.flags = NULL}}; */
#ifndef CLI_FLAGS_OPTIONS_H
#define CLI_FLAGS_OPTIONS_H

#include "base/opt.h"
#include "base/progress.h"
#include "cli/results.h"
#include "cli/verb.h"
#include "frontier/policy.h"
#include "lab/study/dataset.h"

/* --- a graph: --graph (required) --urls --hosts */
struct graph_options {
	const char *graph, *urls, *hosts;
};

extern const struct flag graph_flags[];
extern const struct flag names_flags[]; /* without --graph */

/* Opens the graph with its names. What is odd about the file is said on stderr. Errors as dataset_open(). */
int graph_options_open(const struct graph_options *, unsigned threads, struct dataset *,
	struct err_note *why) MUST_USE;

/* Opens the graph within a bounded memory (--memory). */
int graph_options_open_within(const struct graph_options *, const struct graph_space *,
	unsigned threads, struct dataset *, struct err_note *why) MUST_USE;

/* --- tables of one row, for verbs that need just that; their "struct" is the field itself */
extern const struct flag threads_flag[];  /* uint64_t; 0: one a processor */
extern const struct flag tol_flag[];      /* double; 0: the default of whoever uses PageRank */
extern const struct flag rng_seed_flag[]; /* uint64_t */

/* The value of --threads, or the number of processors where it is 0. */
unsigned threads_of(uint64_t threads);

/* --- a policy and its crawl, what replay, compare and crawl have in common: --policy
 * --policy-opt --max-pages --batch --total --tol --rng-seed --threads */
struct policy_options {
	const char *policy;          /* a spec: see policy_find(); NULL: not given */
	struct flag_list policy_opt; /* key=value */
	uint64_t max_pages;          /* 0: no limit */
	uint64_t batch;              /* 0: not given */
	const char *total;           /* a number, "reachable", or NULL: not given; see total_of() */
	double tol;                  /* 0: not given, each user of PageRank has its default */
	uint64_t rng_seed;
	uint64_t threads; /* 0: one a processor */
	/* of a comparison, all its specs: options of theirs are no mistake; may be NULL */
	const char *const *beside;
	size_t n_beside;
};

#define POLICY_OPTIONS_DEFAULT                                                                     \
	{                                                                                          \
		.rng_seed = 1                                                                      \
	}

extern const struct flag policy_flags[];

/* All policies there are, then `ideal`; NULL beyond. */
const struct policy *policy_listed(size_t i);

/* Their names: a flag_words. */
const char *policy_word(size_t i);

/* Whether a text is a spec that names more than a policy of the table: a flag_beside. */
int policy_is_spec(const char *text);

/* The policy of that spec, and its options with those given applied: `key=value`, or
 * `name.key=value`, which is for the policy of that name alone and passed over by others; in a chain
 * options are given by name; --tol is the option `tol` of each that has one and was not given it.
 * `opts` is to be released in any case, and the policy to be given to policy_free() behind it.
 * ERR_USAGE with the nearest name, or as opt_give() and policy_find() say. */
int policy_options_read(const char *spec, const struct policy_options *given,
	const struct policy **policy, struct opt_set *opts, struct err_note *why) MUST_USE;

/* The specs of a list that was cut at its commas, chains put together again: an array of *n texts,
 * free() them and it. */
char **policy_specs(const struct flag_list *parts, size_t *n);

/* --total: 0 where it is not given, TOTAL_REACHABLE for "reachable". ERR_USAGE. */
#define TOTAL_REACHABLE UINT64_MAX
int total_of(const char *text, uint64_t *total, struct err_note *why) MUST_USE;

/* --- how results and progress are shown: --json --timing --progress */
struct report_options {
	int json, timing;
	int progress; /* enum progress_mode */
};

extern const struct flag report_flags[];
extern const struct flag json_flag[], progress_flag[], timing_flag[]; /* one alone: an int */

/* Begins the results on stdout in the form asked for. */
void report_begin(const struct report_options *, struct results *);

/* The lines that say on which graph: path, format, fingerprint. */
void report_graph(struct results *, const struct graph_options *, const struct dataset *);

/* How long something took: among the results with --timing, else said on stderr under -v. Before
 * results_figures() or results_columns(), or among figures. */
void report_seconds(const struct report_options *, struct results *, const char *name, int64_t ns);

#endif
