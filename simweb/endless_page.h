/* Composes what the hosts of the endless web answer with. All functions append to a buffer. */
#ifndef SIMWEB_ENDLESS_PAGE_H
#define SIMWEB_ENDLESS_PAGE_H

#include "simweb/endless_host.h"

#define ENDLESS_SITEMAP_MOST 1000 /* URLs of a sitemap */

/* An HTML page with title, links and text, in UTF-8. */
void endless_html(const struct endless *, const struct endless_host *, uint32_t page, uint64_t version, struct buf *out);

/* A document of a media type other than HTML, or HTML. */
void endless_document(const struct endless *, const struct endless_host *, uint32_t page, uint64_t version, struct buf *out);

/* A month of a calendar, with links to the months before and after. */
void endless_month(const struct endless *, const struct endless_host *, uint32_t month, struct buf *out);

/* The page that a host with ENDLESS_SOFT_404 has in place of each page that it has not. */
void endless_soft_404(const struct endless *, const struct endless_host *, struct buf *out);

/* The robots.txt of a host whose rules are neither missing nor broken. */
void endless_robots_text(const struct endless *, const struct endless_host *, struct buf *out);

/* The sitemap of a host: its first pages. */
void endless_sitemap(const struct endless *, const struct endless_host *, struct buf *out);

/* Returns the media type of what endless_document() makes, as in Content-Type. */
const char *endless_media_type(enum endless_media);

#endif
