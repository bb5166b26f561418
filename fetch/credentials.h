/* Secrets for sites of one's own: what is sent with a request to whom. They are read from files, so
 * that they stand in no list of processes; they go into no store, log or message. */
#ifndef FETCH_CREDENTIALS_H
#define FETCH_CREDENTIALS_H

#include "base/err.h"
#include "parser/url.h"

/* A file of `auth`: lines
 *
 *	https://example.org:8443 basic USER:PASSWORD
 *	https://example.org bearer TOKEN
 *
 * scheme, host and port being those of the requests that it is sent with, and no others; blank
 * lines and those that begin with # are passed over. Of two lines of one origin the last counts.
 *
 * A file of cookies is Netscape's, as curl and wget write it: domain, whether for the hosts below
 * it, path, whether for https only, when it ends (s since 1970, 0: never), name, value, with tabs
 * between; a line may begin with "#HttpOnly_". Cookies that servers set are not taken. */
struct credentials;

/* Either path may be NULL. ERR_FILE; ERR_FORMAT names file and line, but not what stands there. */
int credentials_read(struct credentials **, const char *auth, const char *cookies,
	struct err_note *why) MUST_USE;
void credentials_free(struct credentials *);

/* The values of Authorization and Cookie for a request to `u` at `now` (s since 1970): replaces the
 * contents of both, with nothing where nothing is to be sent. `c` may be NULL. Any thread. */
void credentials_for(const struct credentials *c, const struct url *u, int64_t now,
	struct buf *authorization, struct buf *cookie);

#endif
