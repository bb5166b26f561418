/* The pages of the fake web and the URL of each. The pages are the nodes of a graph or stored pages. A page whose
 * URL is given has that URL; any other node has the URL http://HOST/NUMBER (or https).
 *
 *	struct site s = {.g = graph, .names = names, .default_host = "node.test"};
 *	site_init(&s);
 *	if (site_find(&s, &address, &page)) ... */
#ifndef SIMWEB_SITE_H
#define SIMWEB_SITE_H

#include "base/buf.h"
#include "base/err.h"
#include "graph/formats/names.h"
#include "graph/graph.h"
#include "simweb/address.h"
#include "simweb/changing.h"

#include <stdint.h>
#include <sys/types.h>

/* The caller sets either `g` (with `names`, or NULL) or `stored`, and `default_host`; all are borrowed. The struct is
 * immutable after site_init(), so threads may share it. */
struct site {
	const struct graph *g;
	const struct names *names;
	const struct stored *stored;
	const char *default_host; /* the host of nodes without one */
	int tls;                  /* 1: the URLs of nodes without one begin with https; 0: with http */
	uint32_t pages;
	struct address_table table; /* the pages whose URLs are given */
};

/* Fills in `pages` and `table`. The caller calls site_release() in the end. */
void site_init(struct site *);

/* Frees the table. */
void site_release(struct site *);

/* Finds the page at an address. Returns 1 with its number in *page, or 0. A page without a given URL is found at
 * http://HOST/NUMBER; if its host is the default host, it is also found at the hosts 127.0.0.1 and localhost and
 * without a host. */
int site_find(const struct site *, const struct address *, uint32_t *page);

/* Finds the page with the site_number() that n decimal digits say, if the address has the page's host. Returns 1
 * with the page's id in *page, or 0. */
int site_find_number(const struct site *, const struct address *, const char *digits, size_t n, uint32_t *page);

/* Returns the number in the URL of a page: the label of a node, or the position of a stored page in its index. */
uint64_t site_number(const struct site *, uint32_t page);

/* Appends the URL of a page. */
void site_url(const struct site *, uint32_t page, struct buf *out);

/* The path of the target of a page's redirect, before the site_number(). */
#define SITE_ALIAS "/alias/"

/* Appends the URL of the target of a page's redirect, which has the scheme, host and port of the page's URL. */
void site_alias_url(const struct site *, uint32_t page, struct buf *out);

/* --- Composes the HTML page that the fake web serves for a node of a graph. */

/* Appends the page of node u to `out`, in UTF-8 with a meta element that says so. The page has a title and, for
 * each target of u's row, an element `a` with an href, in the order of the row; a link to itself is included. Then it has
 * a paragraph of made-up words, which differs from page to page, so that no page is a near-duplicate of another.
 * An href is the absolute path ("/a?b") if the target has u's scheme, host and port and the path cannot be
 * misread; else it is the whole URL. Both forms resolve to the target's URL. Of a web that changes, `look` is what the page is
 * like now: it has these links in place of its row, and a paragraph of its version; else `look` is NULL. */
void node_page(const struct site *, uint32_t u, const struct changing_look *look, struct buf *out);

/* --- A folder of stored pages. DIR/index.tsv has one line "file<TAB>url" for each page; the file is
 * below DIR. */

struct stored;

/* Reads the index of a folder. Returns 0, or ERR_FILE, or ERR_FORMAT for a line without a file or
 * without an absolute URL, and for a file that is not below the folder ("/etc/passwd", "../x"). The
 * opened folder is immutable, so threads may share it. */
int stored_open(struct stored **, const char *dir, struct err_note *why) MUST_USE;

/* Closes the folder and frees the index. NULL is allowed. */
void stored_close(struct stored *);

/* Returns the number of pages. Pages are numbered from 0 in the order of the index. */
uint32_t stored_pages(const struct stored *);

/* Returns the URL of a page, which is valid until stored_close(). */
const char *stored_url(const struct stored *, uint32_t page);

/* Returns the media type of a page, from the extension of the file or else from that of the URL's
 * path; the result is "text/html", without a charset, if neither extension is known. */
const char *stored_type(const struct stored *, uint32_t page);

/* Opens the file of a page for reading and gives its size. Returns a descriptor, which the caller
 * closes, or -1 if the file is no regular file or a part of its path below the folder is a symbolic
 * link. */
int stored_file(const struct stored *, uint32_t page, off_t *size);

#endif
