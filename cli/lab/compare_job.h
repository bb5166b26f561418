/* The job that `lycosa compare` is, and the manifest that it leaves. */
#ifndef CLI_LAB_COMPARE_JOB_H
#define CLI_LAB_COMPARE_JOB_H

#include "cli/lab/experiment.h"
#include "cli/lab/study_job.h"

/* What the flags say, as compare_job() takes it; all borrowed. */
struct compare_words {
	const struct flag_list *graphs;
	const struct graph_options *names; /* --urls and --hosts of the one graph */
	const struct experiment_options *experiment;
	const struct virtual_options *virtual;
	const struct agents_options *agents;
	const struct policy_options *policy;
	const char *const *policies; /* names */
	size_t n_policies;
	uint64_t draws;
	int tau, if_possible;
};

/* Fills an empty job. Follow with job_release(). */
void compare_job(struct job *j, const struct compare_words *w);

/* Settles a job that has run, experiment i on graph i, so that it makes the same numbers wherever and by
 * whatever version it is run: fingerprints, every option of every policy, and what had a default. */
void compare_settle(struct job *j, const struct experiment *x);

/* Compares the numbers with those that a job states. Returns 0, also for a job that states none, or ERR_OTHER if they differ. */
int compare_check(const struct job *j, const struct experiment *x, struct err_note *why) MUST_USE;

#endif
