/* The payloads that archives have: which response has had a body first. One thread at a time uses a struct payloads.
 *
 *	payloads_init(&p);
 *	err = payloads_load(&p, "earlier.cdxj", why);        what other archives have
 *	if (payloads_find(&p, digest, url, n, time, &first)) ... first.url has had it before ...
 *	payloads_release(&p); */
#ifndef STORAGE_PAYLOADS_H
#define STORAGE_PAYLOADS_H

#include "base/buf.h"
#include "base/err.h"
#include "base/map.h"

#define PAYLOAD_DIGEST 20 /* bytes of a SHA-1 */

struct payloads {
	struct map map;
	struct buf urls;
};

/* The response that has had a payload first. */
struct first_payload {
	const char *url; /* n bytes, valid until the next call */
	size_t n;
	int64_t time;   /* ms since 1970 */
	int is_seconds; /* 1: the time is known in whole seconds only */
};

void payloads_init(struct payloads *);
void payloads_release(struct payloads *);

/* Finds a payload by its SHA-1. Returns 1 with *first, or 0 and remembers the response of this URL and time as the first one. */
int payloads_find(struct payloads *, const unsigned char digest[PAYLOAD_DIGEST], const char *url, size_t n, int64_t time,
	struct first_payload *first);

/* Adds the responses of status 2xx, with a SHA-1, of an index in the format CDXJ, or of all indexes of a WACZ file. Returns 0;
 * ERR_FORMAT if the file is none of these; or ERR_FILE. Memory: about 80 bytes and the URL for each. */
int payloads_load(struct payloads *, const char *path, struct err_note *why) MUST_USE;

#endif
