/* Where a crawl has left its pages, and why: figures for `crawl` and `store info`, and a list for `store dump`.
 *
 *   struct endings e;
 *   endings_init(&e);
 *   err = endings_add_store(&e, store, why);
 *   endings_tell(&e, &results);       rows failed_404, failed_timeout ... refused_robots, refused_depth ...
 *   endings_release(&e); */
#ifndef CLI_STORE_STORE_ENDINGS_H
#define CLI_STORE_STORE_ENDINGS_H

#include "cli/results.h"
#include "storage/store.h"

/* Where a page was left. */
struct ending {
	enum page_state state;
	enum outcome outcome; /* why; OUTCOME_NONE where nothing has become of it */
	uint16_t status;      /* HTTP; 0: none */
	uint32_t tries;
};

/* Why scope or a trap refuses each page (enum outcome, by id), as the log has judged it last: malloc'd. ERR_DAMAGED. */
int endings_refusals(struct store *, uint8_t **refusal, struct err_note *why) MUST_USE;

/* A page by its last result, or by refusal[id] where it has none; else it is queued. */
struct ending ending_of(struct store *, uint32_t id, const uint8_t *refusal);

/* Pages by ending. */
struct endings {
	uint64_t state[PAGE_STATES], refused[OUTCOMES], failed[OUTCOMES];
	uint64_t *failed_status; /* by status, of those that failed with OUTCOME_STATUS */
};

void endings_init(struct endings *);
void endings_release(struct endings *);
void endings_add(struct endings *, const struct ending *);
/* Adds all pages of a store. ERR_DAMAGED. */
int endings_add_store(struct endings *, struct store *, struct err_note *why) MUST_USE;

/* Rows of how many pages failed, and were refused, for each reason that there was: failed_REASON and
 * refused_REASON, the reason being the outcome's word, or the status where the status says it. */
void endings_tell(const struct endings *, struct results *);

/* Writes a line for each page that failed, "URL TAB reason TAB status TAB tries", sorted bytewise. ERR_FILE. */
int endings_list_failed(struct store *, FILE *out, struct err_note *why) MUST_USE;

#endif
