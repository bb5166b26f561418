/* What replay and compare share: a graph, seeds, policies; crawls of it, measured and printed. */
#ifndef CLI_LAB_EXPERIMENT_H
#define CLI_LAB_EXPERIMENT_H

#include "cli/flags/options.h"
#include "lab/study/compare.h"
#include "lab/report/study.h"

/* What is asked of an experiment: the graph, the crawls, and how they are measured. The tables of flags below fill it, and so do
 * the keys of a job (cli/lab/study_run.c). */
struct experiment_options {
	struct graph_options graph;
	const char *seeds;
	uint64_t draws;
	struct flag_list at; /* fractions of N, as typed */
	const char *target;  /* a file with the score of each page, or "harmonic"; NULL: PageRank */
	const char *rules;   /* a file of rules; NULL: none */
	int ties;            /* pages of equal PageRank are hot together */
	int tau;
	/* orders of other crawlers, which are measured beside the policies: NAME=FILE or FILE, as lab/study/crawl_order.h reads
	 * them */
	struct flag_list orders;
	const char *format; /* of the orders; NULL: told from the content */
	/* a crawl in virtual time: a list of lab/study/virtual_time.h; NULL, "none": a replay */
	const char *politeness;
	struct flag_list when;        /* times, as typed */
	int64_t max_time;             /* ms; 0: no limit */
	struct fleet_plan plan;       /* a crawl by several agents; `agents` 0: one crawl, without agents */
	struct policy_options policy; /* its `policy` is not looked at */
	/* what only a job says */
	const uint64_t *fingerprint; /* what the graph's must be; NULL: anything */
	const uint64_t *drawn;       /* what those of the draws must be; NULL: anything */
	uint64_t batches;            /* a batch is N / batches pages, rounded up; 0: as `policy` says */
	int leave_out;               /* policies that want a file or hosts that are not there */
};

extern const struct flag seeds_flag[];    /* --seeds */
extern const struct flag measure_flags[]; /* --at --ties --target */
extern const struct flag rules_flag[];    /* --rules */
extern const struct flag virtual_flags[]; /* --politeness --when --max-time */
extern const struct flag agents_flags[];  /* --agents --lag --shares */

/* Parses "K", "K:T" (a lag of T), "K:T:load" (shares follow load) or "none", and NULL as "none". Returns 0 or ERR_USAGE. */
int fleet_plan_parse(struct fleet_plan *, const char *text) MUST_USE;

/* Returns 0, or ERR_USAGE for --lag or --shares without --agents. */
int fleet_plan_check(const struct fleet_plan *, struct err_note *why) MUST_USE;

/* One graph, its options and its results. The caller sets the fields below `in`, and of `compare` those named there;
 * experiment_run() sets all others. */
struct experiment {
	/* in; borrowed */
	const struct experiment_options *o;
	const struct report_options *report;
	const char *const *policies; /* names, as many as compare.n_policies */
	/* in and out; the caller sets n_policies, keep, with_profiles; orders add theirs to n_policies, and set draws */
	struct compare compare;
	/* out: what is told of the graph when it is gone */
	const char *format;
	uint64_t found; /* its fingerprint */
	/* its own */
	struct dataset data;
	struct benchmark benchmark;
	struct crawl_orders orders;
	struct opt_set *opts;
	const struct policy **policy; /* the crawlers of `orders` first, then those of `policies` */
	double *at;
	struct virtual_time virtual_time;
	struct rules *rules;
	struct changing *changing; /* NULL: the web does not change */
	struct benchmark *then;    /* of a web that changes: of each of compare.when; otherwise NULL */
	int64_t *when;
	struct progress progress;
};

/* Checks the options, reads the graph, and runs the crawls. Before the call all fields but those below `in` must be 0. Returns 0
 * or an error; the caller calls experiment_release() in each case. */
int experiment_run(struct experiment *, struct err_note *why) MUST_USE;
void experiment_release(struct experiment *);

/* Frees the graph and the benchmark of an experiment that has run, and keeps its figures. */
void experiment_let_go(struct experiment *);

/* The functions below take n >= 1 experiments x[], each on a graph of its own and with the same options otherwise. */

/* Fills it with all tables and figures: the rows, then what lab/report/contest_report.h has. For
 * with_profiles. */
void experiment_study(const struct experiment *x, size_t n, struct study *s);

/* Prints the rows. */
int experiment_print(const struct experiment *x, size_t n, struct err_note *why) MUST_USE;

/* Says on stderr who is best, and who beats whom. */
void experiment_tell(const struct experiment *x, size_t n);

#endif
