/* Reading a fetched page: its digest, fingerprint and links, or the target of its redirect.
 *
 *     page_fill(&build, &head, transfer);
 *     page = page_build_take(&build, &head);
 */
#ifndef FETCH_PAGE_FILL_H
#define FETCH_PAGE_FILL_H

#include "fetch/page_build.h"
#include "fetch/transfer.h"

/* Completes *head, whose outcome and state are settled, from the transfer. A CRAWLED page gets its digest (unless
 * the status is 304) and its validators, and its links are added to the build. A REDIRECTED page gets its target,
 * or becomes FAILED with OUTCOME_REDIRECTS where Location leads nowhere. */
void page_fill(struct page_build *b, struct fetch_page *head, const struct transfer *t);

#endif
