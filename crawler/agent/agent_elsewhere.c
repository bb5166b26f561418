#include "crawler/agent/agent_elsewhere.h"
#include "base/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define ELSEWHERE_MS 1000 /* between two entries */

int agent_elsewhere_read(struct agent_elsewhere *a, struct frontier *f, const char *text, struct err_note *why)
{
	struct frontier_elsewhere e;

	if (sscanf(text, "%" SCNu64 " %" SCNu64 " %" SCNu64, &e.crawled, &e.seen, &e.queued) != 3 || e.crawled < a->counts.crawled)
		return err_set(why, ERR_DAMAGED, "the store's log is damaged: counts of other agents");
	a->counts = e;
	frontier_hear(f, &e);
	return 0;
}

int agent_elsewhere_log(struct agent_elsewhere *a, struct frontier *f, struct store *store, const struct frontier_elsewhere *sum,
	struct err_note *why)
{
	struct frontier_elsewhere now = *sum;
	char text[80];

	if (now.crawled < a->counts.crawled)
		now.crawled = a->counts.crawled; /* an agent that came back knows of fewer at first */
	if (clock_ms() - a->logged < ELSEWHERE_MS || memcmp(&now, &a->counts, sizeof now) == 0)
		return 0;
	snprintf(text, sizeof text, "%" PRIu64 " %" PRIu64 " %" PRIu64, now.crawled, now.seen, now.queued);
	const int err = store_log(store, &(struct log_entry){.kind = LOG_ELSEWHERE, .text = text}, why);
	a->logged = clock_ms();
	a->counts = now;
	frontier_hear(f, &now);
	return err;
}
