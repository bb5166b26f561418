/* Checks that this machine has certificates of authorities, without which every https page fails with a TLS error. A crawl
 * checks this before it begins. */
#ifndef FETCH_TRUST_H
#define FETCH_TRUST_H

#include "base/err.h"

/* Checks the file `cacert`, or, if it is NULL, the default places of libcurl. Returns 0 if there are certificates, or
 * ERR_FILE; the note says what is missing and what to do. */
int trust_check(const char *cacert, struct err_note *why) MUST_USE;

/* Checks a file and a folder, either of which may be NULL, in the same way; trust_check() calls this. */
int trust_check_at(const char *file, const char *folder, struct err_note *why) MUST_USE;

#endif
