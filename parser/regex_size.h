/* How large an extended regular expression becomes. The C library compiles x+ as xx*, x{3,9} as nine
 * times x, and what is repeated within a repetition once a copy: a line of a rules file can ask for
 * more memory than there is. And it takes four times as long for each + around x*: for years. */
#ifndef PARSER_REGEX_SIZE_H
#define PARSER_REGEX_SIZE_H

#include <stdint.h>

#define REGEX_SIZE_MAX     10000
#define REGEX_DEPTH_MAX    100
#define REGEX_REPEATED_MAX 6

/* Its atoms once repetitions are written out; REGEX_SIZE_MAX + 1 for more of them, for groups deeper
 * than REGEX_DEPTH_MAX, or for repetitions within more than REGEX_REPEATED_MAX. What is no regular expression has some size, too. */
uint32_t regex_size(const char *text);

#endif
