/* A resumed crawl with another scope: what waits and what scope refused is judged anew. */
#ifndef CRAWLER_RESCOPE_H
#define CRAWLER_RESCOPE_H

#include "base/progress.h"
#include "crawler/source.h"
#include "storage/store.h"

/* The frontier and the network source are back where they were (crawler/resume.h), the source's
 * scope is the new one. Queued pages that do not belong any more are refused, refused ones that do
 * are queued, in the order of discovery; the log has all of it, and `changes`, what was changed.
 * `progress` (may be NULL) is told of pages judged. */
int rescope(struct store *, struct frontier *, struct source *, const char *changes,
	struct progress *, struct err_note *why) MUST_USE;

#endif
