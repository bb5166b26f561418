/* Estimates how large an extended regular expression becomes when the C library compiles it, so that a
 * caller can refuse one that would take all memory. The C library compiles x+ as xx* and x{3,9} as nine
 * copies of x, and a repetition within a repetition multiplies the copies: a short line of a rules file
 * can need gigabytes. Nested repetitions multiply the time to match by four for each level.
 *
 *	if (regex_size(text) > REGEX_SIZE_MAX)
 *		return err_set(why, ERR_USAGE, "regex '%s' is too large", text); */
#ifndef PARSER_REGEX_SIZE_H
#define PARSER_REGEX_SIZE_H

#include <stdint.h>

#define REGEX_SIZE_MAX     10000 /* atoms */
#define REGEX_DEPTH_MAX    100   /* groups within groups */
#define REGEX_REPEATED_MAX 6     /* repetitions within repetitions */

/* Returns the number of atoms of the expression after its repetitions are written out. The result is
 * REGEX_SIZE_MAX + 1 if there are more atoms than REGEX_SIZE_MAX, or if groups or repetitions are
 * nested deeper than the limits above. The function does not check the syntax; it returns some number
 * for a text that is no regular expression. Time: linear. */
uint32_t regex_size(const char *text);

#endif
