/* Compresses the bodies of the fake web with gzip. */
#ifndef SIMWEB_GZIP_H
#define SIMWEB_GZIP_H

#include "base/buf.h"

/* Compresses n bytes into one gzip member and appends it to `out`. Equal bytes give equal members. Returns 0, or
 * ERR_OTHER if libarchive fails; `out` is then unchanged. */
int gzip_pack(struct buf *out, const char *bytes, size_t n);

#endif
