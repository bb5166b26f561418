/* What replay and compare share: a graph, seeds, policies; crawls of it, measured and printed. */
#ifndef CLI_EXPERIMENT_H
#define CLI_EXPERIMENT_H

#include "cli/options.h"
#include "lab/compare.h"

struct experiment_options {
	const char *seeds;
	struct flag_list at; /* fractions of N, as typed */
};

extern const struct flag experiment_flags[];
extern const struct flag at_flag[]; /* --at alone */

struct experiment {
	/* in; borrowed */
	const struct graph_options *graph_options;
	const struct experiment_options *options;
	const struct policy_options *policy_options; /* its `policy` is not looked at */
	const struct report_options *report;
	const char *const *policies; /* names, as many as compare.n_policies */
	const uint64_t *fingerprint; /* what the graph's must be; NULL: anything */
	int if_possible; /* leave out policies that want a file or hosts that are not there */
	/* in and out; the caller sets n_policies, draws, keep, with_*, expected */
	struct compare compare;
	/* its own */
	struct dataset data;
	struct benchmark benchmark;
	struct opt_set *opts;
	const struct policy **policy;
	double *at;
	struct progress progress;
};

/* Checks all that is asked for, reads the graph, crawls. Follow with experiment_release() in any
 * case; the struct must have been zeroed but for what is `in`. */
int experiment_run(struct experiment *, struct err_note *why) MUST_USE;
void experiment_release(struct experiment *);

/* Prints a row a policy, draw and fraction. */
int experiment_print(struct experiment *, struct err_note *why) MUST_USE;

/* The same rows, then, in tables of their own, what they come to: each figure over the draws, the
 * policies in pairs, windows and depths. For with_profiles. */
int experiment_print_all(
	struct experiment *, FILE *out, enum results_form, struct err_note *why) MUST_USE;

/* The curves, as TSV: a row a policy and hundredth of N. For with_profiles. */
int experiment_print_curves(struct experiment *, FILE *out, struct err_note *why) MUST_USE;

/* Says on stderr who is best, and who beats whom. */
void experiment_tell(const struct experiment *);

/* Makes a folder, those above it too, where there is none, and sees whether it can be written to.
 */
int experiment_folder(const char *folder, struct err_note *why) MUST_USE;

/* Writes results.tsv, results.json, curves.tsv, report.html and manifest.json into a folder that is
 * there. For with_profiles. */
int experiment_write(struct experiment *, const char *folder, struct err_note *why) MUST_USE;

#endif
