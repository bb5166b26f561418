/* Remedies: the commands that make a crawl fetch a page which it has refused, skipped, or failed to fetch, for messages and
 * `lycosa store explain`. A user who runs such a command as it is printed gets the page.
 *
 *   if (remedy_command("my store", OUTCOME_DUPLICATE, 0, &command))
 *           lycosa crawl --store 'my store' --retry-skipped --trap-opt duplicates=0 */
#ifndef CLI_STORE_REMEDY_H
#define CLI_STORE_REMEDY_H

#include "base/buf.h"

/* Appends a text as one word of a shell, in quotes if it needs them. A control character is written as '?', since a terminal would
 * obey it. */
void remedy_word(struct buf *, const char *text);

/* Appends the command for a page that was refused, skipped or deferred by a trap detector, or that failed, for the reason
 * `outcome` (and, with OUTCOME_STATUS, this HTTP status). Returns 1; or 0 if no command is certain to help. */
int remedy_command(const char *store, unsigned outcome, unsigned status, struct buf *);

#endif
