/* Whether this machine can check anyone's certificate. A crawl of https without certificates of
 * authorities fails page after page with a TLS error, so that the lack is told before it begins. */
#ifndef FETCH_TRUST_H
#define FETCH_TRUST_H

#include "base/err.h"

/* 0 where libcurl finds certificates of authorities: in `cacert`, or where `cacert` is NULL, in the
 * places it was built to look at. ERR_FILE, with what is missing and what to do, otherwise. */
int trust_check(const char *cacert, struct err_note *why) MUST_USE;

/* The check itself: of a file, and of a folder; NULL where libcurl looks at none. */
int trust_check_at(const char *file, const char *folder, struct err_note *why) MUST_USE;

#endif
