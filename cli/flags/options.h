/* Flags that several verbs share: a row, or a struct, its defaults, and the table that fills it. A verb
 * embeds the struct anywhere in its own and names the table in its own one with its offset:
 *
 *   struct replay_options { struct standard_options standard; struct graph_options graph; uint64_t threads; ... };
 *   #define OWN(field) offsetof(struct replay_options, field)
 *   static const struct flag flags[] = {
 *           HEADING_ROW("Input"),
 *           TABLE_ROW(graph_flags, OWN(graph)),
 *           THREADS_ROW(OWN(threads)),
 *           STANDARD_ROWS}; */
#ifndef CLI_FLAGS_OPTIONS_H
#define CLI_FLAGS_OPTIONS_H

#include "base/opt.h"
#include "base/progress.h"
#include "cli/results.h"
#include "cli/verb.h"
#include "frontier/policy.h"
#include "lab/study/dataset.h"

/* --- how a NATS server is reached: a struct bus_access (agents/bus_access.h) */
extern const struct flag nats_flags[];

/* --- a graph: --graph (required) --urls --hosts --damaged */
struct graph_options {
	const char *graph, *urls, *hosts;
	int damaged;
	int made_up; /* no flag: as in struct dataset_where */
};

extern const struct flag graph_flags[];
extern const struct flag names_flags[]; /* without --graph */

/* Opens the graph with its names. A note about the file (see graph_load.odd) is printed on stderr. Returns 0 or an
 * error of dataset_open(). */
int graph_options_open(const struct graph_options *, unsigned threads, struct dataset *, struct err_note *why) MUST_USE;

/* Opens the graph in the same way, within a bound on memory (--memory). */
int graph_options_open_within(const struct graph_options *, const struct graph_space *, unsigned threads, struct dataset *,
	struct err_note *why) MUST_USE;

/* Opens a store for reading; with `damaged`, the rest of one that is damaged: a line says what is missing, and the command ends
 * with ERR_PARTIAL. Returns 0 or an error of storage/. */
int open_to_read(struct store **, const char *dir, int damaged, struct err_note *why) MUST_USE;

/* --- rows that stand in several tables; `at` is the offset of the field */

/* clang-format off */
/* an int, which is 1 if the rest of a damaged store is read */
#define DAMAGED_ROW(at) \
	{"damaged", 0, FLAG_CHOICE, at, "fail|skip", .help = "skip: of a damaged store, read the rest"}
/* uint64_t; 0: one for each processor */
#define THREADS_ROW(at) \
	{"threads", 0, FLAG_COUNT, at, "T", .help = "number of threads; the result is the same", .max = THREADS_MAX}
/* double; 0: the default of the verb */
#define TOL_ROW(at) \
	{"tol", 0, FLAG_REAL, at, "E", .help = "PageRank stops at this L1 change", .min = 1e-300, .max = 1}
#define RNG_SEED_ROW(at) \
	{"rng-seed", 0, FLAG_COUNT, at, "S", .help = "seed of all random numbers"}
#define HOST_SHARE_ROW(at) \
	{"host-share", 0, FLAG_REAL, at, "X", .help = "what a host takes of the limit beyond its share (1)", \
		.min = HOST_SHARE_LEAST, .max = 1}
#define GROWTH_ROW(at) \
	{"rerank-growth", 0, FLAG_REAL, at, "F", .help = "policies rerank when the crawl has grown by this share (0.1)", \
		.min = GROWTH_LEAST, .max = GROWTH_MOST}
#define BATCH_ROW(at) \
	{"batch", 0, FLAG_COUNT, at, "K", .help = "they rerank every K pages instead, as in the papers", .min = 1}
#define TOTAL_ROW(at) \
	{"total", 0, FLAG_TEXT, at, "N", .help = "pages the policy is told to expect, or all, reachable (unknown)"}
/* ints */
#define JSON_ROW(at) \
	{"json", 0, FLAG_SWITCH, at, .help = "print JSON instead of TSV"}
#define PROGRESS_ROW(at) \
	{"progress", 0, FLAG_CHOICE, at, "auto|bar|log|none", .help = "how progress is shown"}
#define TIMING_ROW(at) \
	{"timing", 0, FLAG_SWITCH, at, .help = "add durations to the results"}
/* clang-format on */

#define THREADS_MAX      1024
#define HOST_SHARE_LEAST 0.001
#define GROWTH_LEAST     0.001
#define GROWTH_MOST      1000

/* Returns the value of --threads, or the number of processors if it is 0. */
unsigned threads_of(uint64_t threads);

/* --- a policy and its crawl, what replay, compare and crawl have in common: --policy
 * --policy-opt --max-pages --host-share --rerank-growth --batch --total --tol --rng-seed --threads */
struct policy_options {
	const char *policy;          /* a name, a chain or a file: see policy_find(); NULL: not given */
	struct flag_list policy_opt; /* key=value */
	uint64_t max_pages;          /* 0: no limit */
	double host_share;           /* 0: not given */
	uint64_t batch;              /* 0: not given */
	double growth;               /* 0: not given */
	const char *total;           /* see total_of(); NULL: not given */
	double tol;                  /* 0: not given */
	uint64_t rng_seed;
	uint64_t threads; /* 0: one for each processor */
	/* all policies of a comparison, whose options are accepted as well; may be NULL */
	const char *const *beside;
	size_t n_beside;
};

#define POLICY_OPTIONS_DEFAULT \
	{ \
		.rng_seed = 1 \
	}

extern const struct flag policy_flags[];

/* Returns policy i of all policies followed by `ideal`; NULL beyond the last. */
const struct policy *policy_listed(size_t i);

/* A flag_words: returns the name of policy_listed(i), or NULL. */
const char *policy_word(size_t i);

/* A flag_beside: says whether a text is a chain or a file of a policy. */
int policy_is_spec(const char *text);

/* Finds the policy that `spec` names and sets its options. An option is given as `key=value`, or as
 * `name.key=value`, which only the policy of that name uses; in a chain all options are given by name. --tol sets
 * the option `tol` of each policy that has one and was not given it. Returns 0; ERR_USAGE with the nearest name in
 * the note; or an error of opt_give() or policy_find(). In each case the caller calls opt_release() and then
 * policy_free(). */
int policy_options_read(const char *spec, const struct policy_options *given, const struct policy **policy, struct opt_set *opts,
	struct err_note *why) MUST_USE;

/* Returns the policies of a list that was cut at its commas, with chains put together again: an array of *n texts,
 * which the caller frees, and the texts, with free(). */
char **policy_specs(const struct flag_list *parts, size_t *n);

#define TOTAL_REACHABLE UINT64_MAX
#define TOTAL_ALL       (UINT64_MAX - 1)

/* Writes the schedule of a crawl as the key `batch` of a job has it: "250" for --batch, or "growth:0.1" for --rerank-growth.
 * batch_parse() reads it, and "growth"; it returns 0 or ERR_USAGE. */
void batch_describe(uint64_t batch, double growth, struct buf *);
int batch_parse(const char *text, uint64_t *batch, double *growth) MUST_USE;

/* Parses --total: TOTAL_REACHABLE for "reachable", TOTAL_ALL for "all", 0 for "unknown" or NULL, else a number. Returns 0 or
 * ERR_USAGE. */
int total_of(const char *text, uint64_t *total, struct err_note *why) MUST_USE;

/* --- how results and progress are shown: --json --timing --progress */
struct report_options {
	int json, timing;
	int progress; /* enum progress_mode */
};

extern const struct flag report_flags[];

/* Begins the results on stdout, as TSV or as JSON. */
void report_begin(const struct report_options *, struct results *);

/* Adds the lines that describe the graph: path, format, fingerprint. */
void report_graph(struct results *, const struct graph_options *, const struct dataset *);

/* Reports how long something took: among the results with --timing, else on stderr with -v. The caller calls this
 * before the rows, or among named values. */
void report_seconds(const struct report_options *, struct results *, const char *name, int64_t ns);

/* The flags that give the values of pages: --values, or --page-attrs and --p-unique. */

struct value_options {
	const char *values, *page_attrs, *p_unique;
};

extern const struct flag value_flags[];

/* Says whether any of the flags was given. */
int value_options_given(const struct value_options *);

/* Reads the values of all pages into *value, and what stands for the value 1 into *one; *value is NULL if no flag was given. The
 * caller frees the values with free().
 * Without --page-attrs, --p-unique counts the uncrawled links that a store knows. Returns 0, ERR_USAGE if the flags do not
 * go together, or an error of seed_values_read() or attributes_read(). */
int value_options_read(const struct value_options *, const struct dataset *, int64_t **value, int64_t *one,
	struct err_note *why) MUST_USE;

#endif
