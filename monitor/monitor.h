/* The web server of a crawl (--monitor, --metrics). It answers on threads of its own, which can write no file
 * (base/sandbox.h), and touches no crawl: metrics are read as they are, and everything else is asked for (control_ask()).
 *
 *	GET  /                                the monitor: a page, which uses nothing but what follows
 *	GET  /metrics                         Prometheus' text format
 *	GET  /api                             the verbs and their arguments
 *	GET  /api/VERB?NAME=VALUE...          a reading
 *	POST /api/VERB  {"NAME": "VALUE"}     a command, with Content-Type: application/json
 *
 * doc/control.md describes the answers. Who may ask:
 *
 *   - With a token, who sends it (Authorization: Bearer TOKEN); only the page itself, which holds no figures, is for all.
 *   - Without, everybody on this machine, under a name of this machine: a site that lets its own name lead to 127.0.0.1
 *     (DNS rebinding) sends its name in the Host header, and is refused.
 *   - A command also needs the Origin of the page, where a browser sends one, and the Content-Type above, which no
 *     form of another site can send. */
#ifndef MONITOR_MONITOR_H
#define MONITOR_MONITOR_H

#include "monitor/control.h"
#include "monitor/metrics.h"

struct monitor;

struct monitor_settings {
	const char *flag;        /* "--monitor", for messages */
	const char *at;          /* "PORT", "ADDRESS:PORT" or "[ADDRESS]:PORT"; port 0: the system chooses one */
	struct metrics *metrics; /* NULL: there is no /metrics; must outlive the monitor */
	struct control *control; /* NULL: there is /metrics alone; must outlive the monitor */
	const char *token; /* who asks must know it; NULL, only without a control (asserted): who asks by a name of this machine */
};

/* Starts the server. Returns 0, ERR_USAGE, or ERR_FILE if the port is in use. */
int monitor_new(struct monitor **, const struct monitor_settings *, struct err_note *why) MUST_USE;

/* Ends the threads and frees the server. NULL is allowed. The control no longer answers (control_end()), or threads that
 * have asked end only when their patience does. */
void monitor_free(struct monitor *);

/* Returns the address of the server as a URL, "http://127.0.0.1:4711", valid until monitor_free(). */
const char *monitor_url(const struct monitor *);

/* --- who may ask; for tests */

/* Says whether the value of a Host header is a name of this machine, with any port. NULL: 0. */
int monitor_is_own_host(const char *host);

/* Says whether the value of an Origin header is that of a page under the Host. A missing Origin (NULL) is. */
int monitor_is_own_origin(const char *origin, const char *host);

/* Says whether an Authorization header has the token. The time does not depend on where they differ. */
int monitor_has_token(const char *authorization, const char *token);

#endif
