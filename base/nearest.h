/* Finds the known name that is nearest to an unknown one, for messages such as "no option 'delta';
 * the nearest is 'delta0'".
 *
 *	const char *best = NULL;
 *	for (i = 0; i < n; i++)
 *		nearest_try(wanted, name[i], &best, &distance);
 *	if (best && nearest_is_near(wanted, distance))
 *		... suggest best ... */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stddef.h>

/* Compares one known name with `wanted`, and sets *best to the name and *distance to its distance if
 * the name is nearer than *best is, or if *best is NULL (as it must be before the first call). The
 * distance is the Damerau edit distance (a swap of two neighbouring letters counts 1), over the
 * first 64 bytes, with capitals in `wanted` taken for small letters; a name that begins with
 * `wanted` has distance 1 if `wanted` has three letters or more. `name` is borrowed. */
void nearest_try(const char *wanted, const char *name, const char **best, size_t *distance);

/* Says whether a name at this distance from `wanted` is near enough to be suggested. */
int nearest_is_near(const char *wanted, size_t distance);

#endif
