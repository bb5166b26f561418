/* The Bidi rule of RFC 5893, by which the labels of a domain name in right-to-left scripts are valid or
 * not. A label is n > 0 code points, after the mapping of UTS #46. Any thread may call. */
#ifndef PARSER_IDNA_BIDI_H
#define PARSER_IDNA_BIDI_H

#include <stddef.h>
#include <stdint.h>

/* Says whether a label contains a character of the Bidi classes R, AL or AN. If one label of a domain
 * does, every label of the domain must satisfy the Bidi rule. */
int idna_is_rtl(const uint32_t *label, size_t n);

/* Says whether a label satisfies the Bidi rule (RFC 5893, section 2, conditions 1 to 6). */
int idna_keeps_bidi_rule(const uint32_t *label, size_t n);

#endif
