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

/* Says whether the system's certificates are in one file that can be read. If they are, transfers name no folder of
 * certificates: libcurl (7.87 and later, with OpenSSL) then parses the file once for each fetcher thread, whereas it
 * parses the file again for each connection if there is also a folder, which takes some 7 ms of CPU. */
int trust_is_in_file(void);

/* Lists the files and folders of certificates that libcurl may read when it connects; NULL for none. */
#define TRUST_PLACES 4
void trust_places(const char *cacert, const char *place[TRUST_PLACES]);

#endif
