/* The seeds that a method of seeds/method.h finds in a data set, with the method's usual options. */
#ifndef LAB_STUDY_METHOD_SEEDS_H
#define LAB_STUDY_METHOD_SEEDS_H

#include "lab/study/dataset.h"
#include "seeds/method.h"

/* At most k seeds, best first, into *out, which is zeroed before and released after. Of `given` the fields host, value,
 * barred, threads and rng_seed are read. The transpose is the data set's where dataset_reverse() has made
 * it, else one of its own. Errors of the method. */
int method_seeds(const struct seed_method *m, const struct dataset *data, const struct seed_input *given,
	size_t k, struct seed_output *out, struct err_note *why) MUST_USE;

#endif
