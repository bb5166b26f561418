/* What a fetched page holds: its digest and links, or where it redirects to. */
#ifndef FETCH_PAGE_FILL_H
#define FETCH_PAGE_FILL_H

#include "fetch/page_build.h"
#include "fetch/transfer.h"

/* Completes *head, whose kind is settled, from the transfer: CRAWLED gets its digest (but for a
 * 304) and validators, and its links are added to the build; REDIRECTED its target, or becomes FAILED where there is none. */
void page_fill(struct page_build *b, struct fetch_page *head, const struct transfer *t);

#endif
