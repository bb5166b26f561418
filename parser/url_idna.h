/* The Bidi rule of RFC 5893, by which the labels of a domain name in right-to-left scripts are valid or
 * not. A label is n > 0 code points, after the mapping of UTS #46. Any thread may call. */
#ifndef PARSER_URL_IDNA_H
#define PARSER_URL_IDNA_H

#include "base/buf.h"
#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

/* Says whether a label contains a character of the Bidi classes R, AL or AN. If one label of a domain
 * does, every label of the domain must satisfy the Bidi rule. */
int idna_is_rtl(const uint32_t *label, size_t n);

/* Says whether a label satisfies the Bidi rule (RFC 5893, section 2, conditions 1 to 6). */
int idna_keeps_bidi_rule(const uint32_t *label, size_t n);

/* Punycode (RFC 3492), the ASCII form of a Unicode label of a host name, without the prefix "xn--".
 *
 *	punycode_encode(&out, point, 6);                     "bücher" becomes "bcher-kva"
 *	n = punycode_decode("bcher-kva", 9, point);          n is 6 */

/* Encodes n code points and appends the result to `out`. Returns 0, or -1 if an integer overflows; what
 * was appended is then of no use. Time: O(n * distinct code points), so a caller must bound n. */
int punycode_encode(struct buf *out, const uint32_t *point, size_t n) MUST_USE;

/* Decodes n bytes into point[], which has room for n code points. Returns the number of code points, or
 * -1 if the bytes are not Punycode. Time: O(n^2), so a caller must bound n. */
ptrdiff_t punycode_decode(const char *text, size_t n, uint32_t *point) MUST_USE;

#endif
