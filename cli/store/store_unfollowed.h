/* Why a store does not know a URL: the kinds of links that the crawl does not follow, and, if its archive is given, the page that
 * has such a link to the URL.
 *
 *	if (!store_find(s, url.text.at, url.text.used, &id))
 *		return store_unfollowed(dir, s, &url, "archive/x", why); */
#ifndef CLI_STORE_STORE_UNFOLLOWED_H
#define CLI_STORE_STORE_UNFOLLOWED_H

#include "parser/url.h"
#include "storage/store.h"

/* Writes the reason into the note, with the flag by which such links are followed. Returns ERR_NOTHING. `archive` is a prefix of
 * WARC files, or NULL: the prefix that the store names is not read, since a store may come from anywhere. An archive is read to its
 * first page with such a link; damage of it counts as its end. */
int store_unfollowed(const char *dir, struct store *, const struct url *, const char *archive, struct err_note *why) MUST_USE;

#endif
