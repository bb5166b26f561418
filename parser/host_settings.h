/* Settings that hold for some hosts of a crawl only (--host-settings), as a file of sections:
 *
 *     # a server of our own
 *     [host intranet.example.org:8080]
 *     delay = 0
 *     parallel-per-host = 4
 *     auth = basic crawler:secret
 *
 *     [domain example.org]
 *     user-agent = examplebot/1.0
 *     reject-regex = [?&]sort=
 *
 *     [glob *.museum]
 *     max-per-host = 200
 *
 * A section begins with the hosts that it is about:
 *   host NAME     this host, with its port unless that is the default one
 *   domain NAME   this host and all hosts below it
 *   glob PATTERN  hosts that match a shell pattern; a host is compared with its port unless that is the default one
 *
 * Below it stand settings, which have the names and values of the flags of `lycosa crawl`, and `auth`. Every section that a host
 * matches counts for it; where two of them have the same setting, the later one decides. Blank lines and lines that begin with #
 * are ignored.
 *
 *     struct host_settings *h = host_settings_new();
 *     err = host_settings_read(h, "hosts.conf", text, why);
 *     host_settings_for(h, "www.example.org", 15, &setting);     setting.user_agent is "examplebot/1.0"
 *     host_settings_free(h);
 *
 * Any thread may call host_settings_for() once the settings are read. */
#ifndef PARSER_HOST_SETTINGS_H
#define PARSER_HOST_SETTINGS_H

#include "base/buf.h"
#include "base/err.h"
#include "parser/url.h"

#include <regex.h>

#define HOST_SETTINGS_MAX 1000 /* the most sections of one text */

struct host_settings;

/* What holds for one host. Each field has a value that stands for "as in the rest of the crawl". Pointers are valid until
 * host_settings_free(). */
struct host_setting {
	int64_t delay;                              /* ms between two requests; -1: as in the rest of the crawl */
	double delay_factor;                        /* -1 */
	uint64_t parallel;                          /* the most requests at once; 0 */
	uint64_t max_pages;                         /* the most pages crawled, 0 for no limit; HOST_SETTING_ANY_PAGES */
	int no_robots;                              /* 1: robots.txt is ignored, 0: it is obeyed; -1 */
	const char *user_agent;                     /* NULL */
	const char *auth;                           /* the value of the header Authorization; NULL: none. See host_setting_auth() */
	int auth_over_http;                         /* 1: `auth` may be sent over http */
	const regex_t *accept_regex, *reject_regex; /* of URLs; NULL */
};

#define HOST_SETTING_ANY_PAGES UINT64_MAX

/* The two kinds of settings: those of the scope (accept-regex, reject-regex) decide which pages belong to a crawl, and the manners
 * how they are fetched. */
enum host_settings_kind { HOST_SETTINGS_MANNERS, HOST_SETTINGS_SCOPE };

/* Makes settings without a section; the caller frees them with host_settings_free(). */
struct host_settings *host_settings_new(void);

/* Frees settings. NULL is allowed. */
void host_settings_free(struct host_settings *);

/* Reads the sections of a text and adds them. `name` is the name of its file, for messages. Returns 0; or ERR_USAGE with the file
 * and the line in the note, which never has the value of `auth`. */
int host_settings_read(struct host_settings *, const char *name, const char *text, struct err_note *why) MUST_USE;

/* Appends the sections with their settings of one kind, as a text that host_settings_read() reads; nothing if there are none. */
void host_settings_text(const struct host_settings *, enum host_settings_kind, struct buf *out);

/* Says whether a text of host_settings_text() contains a secret. */
int host_settings_has_secret(const char *text);

/* Says whether any host has a budget (max-per-host). */
int host_settings_has_budgets(const struct host_settings *);

/* Says whether any host has rules of its own for URLs. */
int host_settings_has_scope(const struct host_settings *);

/* Finds what holds for a host of n bytes, which has its port unless that is the default one. `h` may be NULL, for no settings.
 * Time: proportional to the number of sections. */
void host_settings_for(const struct host_settings *h, const char *host, size_t n, struct host_setting *out);

/* Does what host_settings_for() does, for the host of a URL. */
void host_settings_for_url(const struct host_settings *h, const struct url *, struct host_setting *out);

/* Returns the value of the header Authorization for a request to a URL of the host, or NULL. A secret goes over https; it goes over
 * http only if its section names the host with a port, as in [host intranet:80]. */
const char *host_setting_auth(const struct host_setting *, const struct url *);

#endif
