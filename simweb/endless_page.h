/* Composes what the hosts of the endless web answer with. All functions append to a buffer. */
#ifndef SIMWEB_ENDLESS_PAGE_H
#define SIMWEB_ENDLESS_PAGE_H

#include "simweb/endless_host.h"

#define ENDLESS_SITEMAP_MOST 1000 /* URLs of a sitemap */

/* Writes an HTML page with title, links and text, in UTF-8. */
void endless_html(const struct endless *, const struct endless_host *, uint32_t page, uint64_t version, struct buf *out);

/* Writes a document of the page's media type, HTML or another. */
void endless_document(const struct endless *, const struct endless_host *, uint32_t page, uint64_t version, struct buf *out);

/* Writes the page of a month of a calendar, with links to the months before and after. */
void endless_month(const struct endless *, const struct endless_host *, uint32_t month, struct buf *out);

/* Writes the page that a host with ENDLESS_SOFT_404 sends in place of each page that does not exist. */
void endless_soft_404(const struct endless *, const struct endless_host *, struct buf *out);

/* Writes the robots.txt of a host whose rules are neither missing nor broken. */
void endless_robots_text(const struct endless *, const struct endless_host *, struct buf *out);

/* Writes the sitemap of a host, which names its first pages. */
void endless_sitemap(const struct endless *, const struct endless_host *, struct buf *out);

/* Returns the media type of what endless_document() makes, as in Content-Type. */
const char *endless_media_type(enum endless_media);

#endif
