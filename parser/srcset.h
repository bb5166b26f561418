/* Finds the references of a srcset attribute: "small.png 1x, large.png 2x".
 *
 *	srcset_references(value.at, value.n, each, ctx);     each(ctx, "small.png", 9) ... */
#ifndef PARSER_SRCSET_H
#define PARSER_SRCSET_H

#include <stddef.h>

/* Receives one reference, n bytes within the value. Returns 0 to continue. */
typedef int srcset_fn(void *ctx, const char *at, size_t n);

/* Calls `each` for the references of a value of n bytes in their order (HTML 4.8.4.3.10, without its errors), until a call
 * returns a value other than 0. */
void srcset_references(const char *at, size_t n, srcset_fn *each, void *ctx);

#endif
