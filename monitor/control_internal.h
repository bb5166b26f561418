/* The struct of a control, for its two files, which alone include this header:
 *
 *   control.c            the table of verbs, the commands, and the way from a thread that asks to the coordinator
 *   control_readings.c   the readings */
#ifndef MONITOR_CONTROL_INTERNAL_H
#define MONITOR_CONTROL_INTERNAL_H

#include "monitor/census.h"
#include "monitor/control.h"
#include "monitor/inbox.h"
#include "base/json_text.h"
#include "monitor/tally.h"

#define CONTROL_WATCHED_MS 30000 /* how long after a question the crawl counts as watched */

struct control {
	struct control_settings settings;
	struct inbox *inbox;
	struct live *live; /* NULL before control_begin() */
	struct store *store;
	struct frontier *frontier;
	const struct source *source;
	struct knowledge *knowledge;
	struct scope *scope;
	struct tally *tally;
	struct census *census;
	/* The page that each page was first discovered on, by id, or STORE_NO_PAGE: read once from the log, and then told by
	 * events. */
	uint32_t *found_on;
	size_t n_found, found_room;
	int64_t delay;   /* ms, as it is now */
	int64_t watched; /* ms of clock_ms(): the last question */
};

typedef int control_answer_fn(struct control *, const json_t *args, json_t *out, struct err_note *why);

control_answer_fn control_status, control_history, control_hosts, control_next, control_explain;

/* Returns the text of an argument, or NULL. */
const char *control_text(const json_t *args, const char *name);

/* Finds the number of a host of the crawl by its name. Returns 0, or ERR_NOTHING. */
int control_find_host(struct control *, const char *name, uint32_t *host, struct err_note *why) MUST_USE;

/* Adds what a host does now: "state", and "ready_in_ms", which is 0 unless it rests. */
void control_put_host_state(struct control *, json_t *out, uint32_t host);

/* Returns the name of a host, or "". */
const char *control_host_name(struct control *, uint32_t host);

/* Reads from the log which page each page was discovered on. Returns 0 or ERR_DAMAGED. Cost: one reading of the log. */
int control_read_found(struct control *, struct err_note *why) MUST_USE;

/* Notes that the pages that were added to the store since the last call were discovered on page `from`;
 * STORE_NO_PAGE: they are seeds. */
void control_found(struct control *, uint32_t from);

#endif
