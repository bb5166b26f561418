/* What replay and compare share: a graph, seeds, policies; crawls of it, measured and printed. */
#ifndef CLI_LAB_EXPERIMENT_H
#define CLI_LAB_EXPERIMENT_H

#include "cli/flags/options.h"
#include "lab/study/compare.h"
#include "lab/report/study.h"

struct experiment_options {
	const char *seeds;
	struct flag_list at; /* fractions of N, as typed */
	const char *target;  /* a file with the score of each page, or "harmonic"; NULL: PageRank */
	const char *rules;   /* a file of rules; NULL: none */
	int ties;            /* pages of equal PageRank are hot together */
};

/* --order --format: orders of other crawlers, which are measured beside the policies. */
struct order_options {
	struct flag_list orders; /* NAME=FILE or FILE, as lab/study/crawl_order.h reads them */
	const char *format;      /* NULL: told from the content */
};

/* --politeness --when --max-time: a crawl in virtual time. */
struct virtual_options {
	const char *politeness; /* a list of lab/study/virtual_time.h; NULL, "none": a replay */
	struct flag_list when;  /* times, as typed */
	int64_t max_time;       /* ms; 0: no limit */
};

/* --agents --lag --shares: a crawl by several agents. */
struct agents_options {
	struct fleet_plan plan; /* `agents` 0: one crawl, without agents */
};

extern const struct flag agents_flags[];

/* Parses "K", "K:T" (a lag of T), "K:T:load" (shares follow load) or "none", and NULL as "none". Returns 0 or ERR_USAGE. */
int agents_options_parse(struct agents_options *, const char *text) MUST_USE;

/* Returns 0, or ERR_USAGE for --lag or --shares without --agents. */
int agents_options_check(const struct agents_options *, struct err_note *why) MUST_USE;

extern const struct flag virtual_flags[];
extern const struct flag experiment_flags[];
extern const struct flag measure_flags[]; /* without --seeds */

/* One graph, its options and its results. The caller sets the fields below `in`, and of `compare` those named there;
 * experiment_run() sets all others. */
struct experiment {
	/* in; borrowed */
	const struct graph_options *graph_options;
	const struct experiment_options *options;
	const struct virtual_options *virtual_options;
	const struct agents_options *agents_options; /* NULL: one crawl, without agents */
	const struct order_options *order_options;   /* NULL: none */
	const struct policy_options *policy_options; /* its `policy` is not looked at */
	const struct report_options *report;
	const char *const *policies; /* names, as many as compare.n_policies */
	const uint64_t *fingerprint; /* what the graph's must be; NULL: anything */
	uint64_t batches;            /* a batch is N / batches pages, rounded up; 0: as policy_options says */
	int if_possible;             /* leave out policies that want a file or hosts that are not there */
	/* in and out; the caller sets n_policies, draws, keep, with_*, expected; orders add theirs to n_policies, and set draws */
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
