/* Base64 (RFC 4648, section 4): bytes as text, with padding and without line breaks. */
#ifndef BASE_BASE64_H
#define BASE_BASE64_H

#include "base/buf.h"

#include <stddef.h>

/* Appends n bytes as base64, which are 4 characters for each 3 bytes begun. */
void base64_add(struct buf *out, const void *bytes, size_t n);

#endif
