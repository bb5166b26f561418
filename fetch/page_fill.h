/* Reads a fetched page: computes its digest and fingerprint, and collects its links or the target of its redirect.
 *
 *     page_fill(&build, &requisites, &head, transfer, NULL);
 *     page = page_build_take(&build, &head);
 */
#ifndef FETCH_PAGE_FILL_H
#define FETCH_PAGE_FILL_H

#include "fetch/page_build.h"
#include "fetch/transfer.h"

/* Completes *head, whose outcome and state the caller has set, from the transfer. A CRAWLED page gets its digest (unless the status
 * is 304), its hashes and its validators, and its links are added to the build. The target of a REDIRECTED page is added to the
 * build; if Location is no http or https URL, the page becomes FAILED with OUTCOME_REDIRECTS. An HTML page whose text does not
 * match `topic` (fetch/page_topic.h; NULL: every text does) has no links, and is_off_topic. Requisites that are no links
 * (settings.requisites) are collected in `requisites`, whose memory *head points to until the next call. */
void page_fill(struct page_build *b, struct page_build *requisites, struct fetch_page *head, const struct transfer *t,
	const regex_t *topic);

#endif
