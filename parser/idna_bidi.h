/* The Bidi rule of RFC 5893, which keeps labels of right-to-left scripts readable. */
#ifndef PARSER_IDNA_BIDI_H
#define PARSER_IDNA_BIDI_H

#include <stddef.h>
#include <stdint.h>

/* Whether a label has a character of classes R, AL or AN: then all labels of its domain must keep
 * the rule. The n > 0 code points are such as UTS46 leaves in a label. */
int idna_is_rtl(const uint32_t *label, size_t n);

/* Whether a label keeps the rule (2, conditions 1 to 6). */
int idna_keeps_bidi_rule(const uint32_t *label, size_t n);

#endif
