/* Declarations that the files of this folder share: the contents of a graph of the library, and the conversion of the
 * library's types into those of the folders below. */
#ifndef LIB_LIB_INTERNAL_H
#define LIB_LIB_INTERNAL_H

#include "frontier/policy.h"
#include "lab/measure/throughput.h"
#include "lab/study/dataset.h"
#include "lib/lycosa.h"

#include <pthread.h>

struct lycosa_graph {
	struct dataset data;
	pthread_mutex_t lock;       /* held while the benchmark is made */
	struct benchmark benchmark; /* under the lock; hot is NULL until inside_benchmark() */
};

/* Returns a note of the library as a note of the folders below; both structs have the same fields. NULL stays NULL. */
static inline struct err_note *inside_note(struct lycosa_note *why)
{
	_Static_assert(sizeof(struct lycosa_note) == sizeof(struct err_note), "one note");
	return (struct err_note *)why;
}

#define MOST_THREADS 256

/* Returns a number of threads from 1 to MOST_THREADS: 0 means one for each processor that is online. */
unsigned inside_threads(unsigned threads);

/* Returns the PageRank of the graph with its hot pages, which the first call computes. The benchmark
 * belongs to the graph. Any thread may call. */
const struct benchmark *inside_benchmark(const struct lycosa_graph *graph, unsigned threads);

/* Makes a policy of the table's kind whose hooks call the caller's functions, for crawls of a graph of so many nodes. Its names and
 * functions are borrowed. Free it with own_policy_free(). */
const struct policy *own_policy_make(const struct lycosa_policy *, uint32_t nodes);
void own_policy_free(const struct policy *);

/* Says whether own_policy_make() made a policy. */
int own_policy_is(const struct policy *);

/* Returns 0, or the error of the first crawl under the policy that one of the caller's functions or a key ended, with its note. */
int own_policy_error(const struct policy *, struct err_note *why) MUST_USE;

/* Returns 0 if this process does not have the store open, or ERR_BUSY with a note if it does, since LMDB cannot open a store twice
 * in a process. Returns 0 for a folder without a store, too. */
int inside_store_is_free(const char *folder, struct err_note *why) MUST_USE;

#endif
