/* The value of the header Authorization, from what a user writes into a file of credentials: "basic USER:PASSWORD" or
 * "bearer TOKEN".
 *
 *	authorization_value(&value, "basic", "me:secret");      value is "Basic bWU6c2VjcmV0" */
#ifndef PARSER_AUTHORIZATION_H
#define PARSER_AUTHORIZATION_H

#include "base/buf.h"

/* Appends the value for a scheme, in any case, and its secret. Returns 1, or 0 without a change if the scheme is neither basic nor
 * bearer, if the secret of basic has no ':', or if that of bearer has a blank. A secret with a control character is refused, too,
 * since it would end the header. */
int authorization_value(struct buf *value, const char *scheme, const char *secret);

#endif
