/* URLs that are likely to mean the same page as another, or one near it. */
#ifndef LAB_STUDY_VARIANT_H
#define LAB_STUDY_VARIANT_H

#include "parser/url.h"

/* Ways in which a URL is altered, together or one by one. */
enum variant {
	VARIANT_SCHEME = 1, /* http for https, and the other way */
	VARIANT_WWW = 2,    /* with "www." before the host, or without */
	VARIANT_SLASH = 4,  /* with a slash at the end of the path, or without */
	VARIANT_INDEX = 8,  /* without index.*, default.* or home.* at its end */
	VARIANT_CASE = 16,  /* the path in lower case */
	VARIANT_QUERY = 32, /* without the query */
	VARIANT_ALL = 63
};

/* Writes to *out, which is cleared first, the URL altered in all the ways that `ways` (bits of enum variant) names.
 * Returns 1, or 0 if one of the ways leaves the URL as it is. */
int variant_of(const struct url *u, unsigned ways, struct buf *out);

/* Appends "http://host" with the port and without a slash; with the other scheme if `ways` has VARIANT_SCHEME. */
void variant_origin(const struct url *u, unsigned ways, struct buf *out);

#endif
