/* How the pages of a store ended, and why: figures for `crawl` and `store info`, and a list for `store dump --failed`.
 *
 *   struct endings e;
 *   endings_init(&e);
 *   err = endings_add_store(&e, store, why);
 *   endings_tell(&e, &results);       rows failed_404, failed_timeout ... refused_robots, refused_depth ...
 *   endings_release(&e); */
#ifndef CLI_STORE_STORE_ENDINGS_H
#define CLI_STORE_STORE_ENDINGS_H

#include "base/buf.h"
#include "cli/results.h"
#include "storage/store.h"

/* The last event of a page. */
struct ending {
	enum page_state state;
	enum outcome outcome; /* OUTCOME_NONE for a page without an event */
	uint16_t status;      /* the HTTP status; 0: none */
	uint32_t tries;
	int had_turn; /* the outcome is that of its turn, and not of a rule when it was found */
};

/* Makes an array, by id, of the reasons (enum outcome) for which scope or a trap refuses each page, by the last
 * judgement in the log. The caller frees it with free(). Returns 0 or ERR_DAMAGED. */
int endings_refusals(struct store *, uint8_t **refusal, struct err_note *why) MUST_USE;

/* Returns the ending of a page: its last result; or else the refusal refusal[id]; or else the page is queued. */
struct ending ending_of(struct store *, uint32_t id, const uint8_t *refusal);

/* Returns the ending of a page whose last result (NULL: none) and refusal the caller has read. */
struct ending ending_by(const struct result *, enum outcome refusal);

/* Calls each() for every page of a store, by id, until it returns a value other than 0. Returns that value, 0 or ERR_DAMAGED. */
int endings_each(struct store *, int (*each)(void *ctx, uint32_t id, const struct ending *), void *ctx,
	struct err_note *why) MUST_USE;

/* The numbers of pages by ending. */
struct endings {
	uint64_t state[PAGE_STATES], refused[OUTCOMES], failed[OUTCOMES];
	uint64_t *failed_status;    /* by HTTP status, of the pages that failed with OUTCOME_STATUS */
	uint64_t deferred, skipped; /* as part of a trap (doc/traps.md): of the queued, and of the refused pages */
};

/* Sets all numbers to 0. */
void endings_init(struct endings *);

/* Frees the memory. */
void endings_release(struct endings *);

/* Counts one page. */
void endings_add(struct endings *, const struct ending *);

/* Counts all pages of a store. Returns 0 or ERR_DAMAGED. */
int endings_add_store(struct endings *, struct store *, struct err_note *why) MUST_USE;

/* A reason for which pages failed, or were refused. */
struct ending_reason {
	uint64_t n;               /* pages, more than 0 */
	enum page_state state;    /* PAGE_FAILED or PAGE_REFUSED */
	unsigned outcome, status; /* status: of OUTCOME_STATUS */
	char word[24];            /* "dns", "status 404" */
	const char *sentence;     /* NULL: the word says it */
};

/* Returns the reasons, outcomes before statuses, and their number in *n. The caller frees the array. */
struct ending_reason *endings_reasons(const struct endings *, size_t *n);

/* Adds the named values put_off and skipped to the results, and a value failed_REASON or refused_REASON for each
 * reason that occurred. The reason is the outcome's word, or the HTTP status for OUTCOME_STATUS. */
void endings_tell(const struct endings *, struct results *);

/* Writes a line "URL TAB reason TAB status TAB tries" for each page that failed, sorted by bytes. Returns 0 or
 * ERR_FILE. */
int endings_list_failed(struct store *, FILE *out, struct err_note *why) MUST_USE;

/* Adds the same list to the results, as rows. */
void endings_tell_failed(struct store *, struct results *);

/* --- remedies */

/* Remedies: the commands that make a crawl fetch a page which it has refused, skipped, or failed to fetch, for messages and
 * `lycosa store explain`. A user who runs such a command as it is printed gets the page.
 *
 *   if (remedy_command("my store", OUTCOME_DUPLICATE, 0, &command))
 *           lycosa crawl --store 'my store' --retry-skipped --trap-opt duplicates=0 */
/* Appends a text as one word of a shell, in quotes if it needs them. A control character is written as '?', since a terminal would
 * obey it. */
void remedy_word(struct buf *, const char *text);

/* Appends the command for a page that was refused, skipped or deferred by a trap detector, or that failed, for the reason
 * `outcome` (and, with OUTCOME_STATUS, this HTTP status). Returns 1; or 0 if no command is certain to help. */
int remedy_command(const char *store, unsigned outcome, unsigned status, struct buf *);

#endif
