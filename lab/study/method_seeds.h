/* The seeds that a method of seeds/method.h finds in a data set, with the method's usual options. */
#ifndef LAB_STUDY_METHOD_SEEDS_H
#define LAB_STUDY_METHOD_SEEDS_H

#include "lab/study/dataset.h"
#include "seeds/method.h"

/* Fills *out with at most k seeds, the best first; the caller zeroes it before and releases it afterwards. Of `given` only the
 * fields host, value, barred, threads and rng_seed are read. If the method needs the transpose, it is the data set's if
 * dataset_reverse() has made it, else a temporary one. Returns 0 or an error of the method. */
int method_seeds(const struct seed_method *m, const struct dataset *data, const struct seed_input *given, size_t k,
	struct seed_output *out, struct err_note *why) MUST_USE;

#endif
