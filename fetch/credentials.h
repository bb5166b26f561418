/* Passwords, tokens and cookies that the user has for some sites (--auth, --load-cookies), and which request sends which.
 *
 *     credentials_read(&c, "auth.txt", "cookies.txt", &why);
 *     credentials_for(c, &url, time(NULL), &authorization, &cookie);
 *
 * Secrets are read from files, so that no list of processes shows them. No store, log or message contains them. */
#ifndef FETCH_CREDENTIALS_H
#define FETCH_CREDENTIALS_H

#include "base/err.h"
#include "parser/url.h"

/* A file of `auth` has lines of these two forms:
 *
 *	https://example.org:8443 basic USER:PASSWORD
 *	https://example.org bearer TOKEN
 *
 * The secret of a line is sent with requests to exactly that scheme, host and port. Blank lines and lines that begin
 * with # are ignored. If two lines have one origin, the last one counts.
 *
 * A file of cookies has Netscape's format, which curl and wget write. Each line has these fields with tabs between:
 * domain, TRUE if hosts below the domain get the cookie, path, TRUE if the cookie needs https, the time at which it
 * expires (s since 1970; 0 is never), name, value. A line may begin with "#HttpOnly_". Cookies that servers set are
 * ignored. */
struct credentials;

/* Reads both files; either path may be NULL. Returns 0; ERR_FILE if a file cannot be read; or ERR_FORMAT with the file
 * and the number of the line, but not its text, in the note. The caller frees the credentials with
 * credentials_free(). */
int credentials_read(struct credentials **, const char *auth, const char *cookies, struct err_note *why) MUST_USE;

/* Frees the credentials. NULL is allowed. */
void credentials_free(struct credentials *);

/* Writes the values of the headers Authorization and Cookie for a request to `u` at the time `now` (s since 1970) into the
 * two buffers, in place of their contents. An empty buffer means that the request does not have this header. `c` may
 * be NULL. Any thread may call. */
void credentials_for(const struct credentials *c, const struct url *u, int64_t now, struct buf *authorization, struct buf *cookie);

#endif
