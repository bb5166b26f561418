/* "Did you mean": the known name nearest to one that is not known. */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stddef.h>

/* Feeds one candidate: keeps in *best the name with the smallest edit distance (Damerau, adjacent
 * swaps count one, capitals in `wanted` are small letters) to `wanted` and in *distance that
 * distance. Start with *best = NULL. */
void nearest_try(const char *wanted, const char *name, const char **best, size_t *distance);

/* Whether a name at that distance is worth suggesting. */
int nearest_is_near(const char *wanted, size_t distance);

#endif
