/* A job's experiments run: of `lycosa study` the contest that they are, too. `lycosa compare` makes a job of its
 * flags and runs it here. */
#ifndef CLI_LAB_STUDY_RUN_H
#define CLI_LAB_STUDY_RUN_H

#include "cli/lab/experiment.h"
#include "cli/lab/study_job.h"
#include "lab/study/contest.h"

struct study_run {
	const struct job *job; /* borrowed */
	struct report_options report;
	uint64_t threads;
	int with_profiles; /* what a report needs is kept */
	/* out */
	struct experiment *x; /* graph by graph, value by value */
	struct contest contest;
	/* its own */
	char **policy, **value, **method; /* method: value by value, policy by policy */
	size_t policies, values;          /* values: 1 where nothing varies */
	size_t yardsticks; /* the number of yardsticks of a gap, which stand in policy[] after the `policies` others */
	enum job_key varied;
	double *number;            /* of each value, NAN where it does not end in one */
	const char *varied_option; /* "ieca.delta0" where an option of a policy varies; else NULL */
	struct study_task *task;   /* graph by graph, value by value */
	struct contest_graph *graph;
	struct contest_claim *claim;
};

/* Runs the experiments of a job whose "study" is "compare": nothing is judged. ERR_USAGE, and ERR_* of an
 * experiment. Follow with study_run_release() in any case. */
int study_run_experiments(struct study_run *r, struct err_note *why) MUST_USE;

/* Reads what the job says, and runs it; a graph that is missing is an error before the first crawl.
 * ERR_USAGE with file and line; ERR_* of an experiment. Follow with study_run_release() in any case. */
int study_run(struct study_run *r, struct err_note *why) MUST_USE;
void study_run_release(struct study_run *r);

#endif
