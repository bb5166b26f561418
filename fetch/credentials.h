/* Passwords, tokens and cookies for sites of the user's own, and which request carries which.
 *
 *     credentials_read(&c, "auth.txt", "cookies.txt", &why);
 *     credentials_for(c, &url, time(NULL), &authorization, &cookie);
 *
 * Secrets are read from files, so that no list of processes shows them. They go into no store, log or message. */
#ifndef FETCH_CREDENTIALS_H
#define FETCH_CREDENTIALS_H

#include "base/err.h"
#include "parser/url.h"

/* A file of `auth` has lines of these two forms:
 *
 *	https://example.org:8443 basic USER:PASSWORD
 *	https://example.org bearer TOKEN
 *
 * The secret of a line is sent with requests to exactly that scheme, host and port. Blank lines, and lines that
 * begin with #, are passed over. Of two lines for one origin the last one counts.
 *
 * A file of cookies has Netscape's format, as curl and wget write it: domain, whether hosts below the domain get
 * the cookie, path, whether https is required, when the cookie ends (s since 1970, 0: never), name, value, with
 * tabs between; a line may begin with "#HttpOnly_". Cookies that servers set are never kept. */
struct credentials;

/* Reads both files; either path may be NULL. ERR_FILE where a file cannot be read; ERR_FORMAT names the file and the
 * line, and does not quote the line. */
int credentials_read(struct credentials **, const char *auth, const char *cookies,
	struct err_note *why) MUST_USE;
void credentials_free(struct credentials *);

/* Writes the values of the headers Authorization and Cookie for a request to `u` at `now` (s since 1970) into the two
 * buffers, whose contents are replaced; a buffer is empty where its header is not to be sent. `c` may be NULL. Any
 * thread may call it. */
void credentials_for(const struct credentials *c, const struct url *u, int64_t now,
	struct buf *authorization, struct buf *cookie);

#endif
