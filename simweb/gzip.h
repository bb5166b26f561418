/* Bytes packed as gzip. */
#ifndef SIMWEB_GZIP_H
#define SIMWEB_GZIP_H

#include "base/buf.h"

/* Appends n bytes as one gzip member, the same bytes each time. 0, or ERR_OTHER where libarchive
 * fails; `out` is as it was then. */
int gzip_pack(struct buf *out, const char *bytes, size_t n);

#endif
