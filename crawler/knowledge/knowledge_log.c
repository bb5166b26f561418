/* The facts of the entries of a log. */
#include "crawler/knowledge/knowledge.h"

#include <assert.h>

/* Returns the fact of a log entry, without the pages that the entry discovers. */
static struct fact fact_of(const struct log_entry *e, const uint32_t *links, size_t n)
{
	static const struct {
		enum fact_kind kind;
		enum page_state state; /* of FACT_ENDED */
	} facts[LOG_KINDS] = {
		[LOG_SEED] = {FACT_SEED, 0},
		[LOG_SITEMAP] = {FACT_SITEMAP, 0},
		[LOG_TAKE] = {FACT_TAKEN, 0},
		[LOG_ADOPTED] = {FACT_TAKEN, 0},
		[LOG_CRAWLED] = {FACT_CRAWLED, 0},
		[LOG_FAILED] = {FACT_ENDED, PAGE_FAILED},
		[LOG_REQUEUED] = {FACT_ENDED, PAGE_QUEUED},
		[LOG_REFUSED] = {FACT_ENDED, PAGE_REFUSED},
		[LOG_REDIRECTED] = {FACT_REDIRECTED, 0},
		[LOG_ADMITTED] = {FACT_JUDGED, 0},
		[LOG_EXPELLED] = {FACT_JUDGED, 0},
		[LOG_JUDGED] = {FACT_JUDGED, 0},
		[LOG_VISITED] = {FACT_VISITED, 0},
	};

	return (struct fact){
		.kind = facts[e->kind].kind,
		.state = facts[e->kind].state,
		.id = e->id,
		.outcome = (enum outcome)e->outcome,
		.target = e->target,
		.links = links,
		.n = n,
	};
}

static int apply_arrival(struct knowledge *k, uint32_t id, struct err_note *why)
{
	struct result result = {.digest = {0, 0}};

	store_result(k->store, id, &result);
	return knowledge_apply(k,
		&(struct fact){.kind = FACT_ARRIVED,
			.id = id,
			.marks = {{result.digest[0], result.digest[1]}, result.fingerprint, result.simhash}},
		why);
}

void knowledge_apply_own(struct knowledge *k, const struct fact *fact)
{
	struct err_note why;
	const int err = knowledge_apply(k, fact, &why);

	assert(!err);
	(void)err;
}

int knowledge_apply_entry(struct knowledge *k, const struct log_entry *e, const uint32_t *links, size_t n, struct err_note *why)
{
	const struct fact fact = fact_of(e, links, n);
	struct found found = {.by = FOUND_AS_SEED};
	int err = 0;

	if (e->kind == LOG_SITTING || e->kind == LOG_POLICY || e->kind == LOG_SCOPE || e->kind == LOG_POSTED ||
		e->kind == LOG_ELSEWHERE || e->kind == LOG_SHARES)
		return 0;
	if (e->kind == LOG_CRAWLED)
		err = apply_arrival(k, e->id, why);
	if (!err && e->kind == LOG_CRAWLED)
		found = knowledge_found_on(k, e->id);
	if (e->kind == LOG_VISITED && e->id < k->n)
		found = knowledge_found_on_visit(k, e->id);
	if (e->kind == LOG_REDIRECTED && e->id < k->n)
		found = knowledge_found_by_redirect(k, e->id);
	for (uint32_t i = 0; !err && i < e->n_new; i++)
		err = knowledge_apply(k, &(struct fact){.kind = FACT_FOUND, .id = e->first_new + i, .found = found}, why);
	/* what a letter says of known pages is applied when the letter is read again (crawler/agent/live_agent.h) */
	if (!err && e->kind != LOG_HEARD)
		err = knowledge_apply(k, &fact, why);
	/* the live crawl has judged these pages; entries of their own admit them */
	if (e->kind == LOG_CRAWLED || e->kind == LOG_REDIRECTED)
		k->nearer.n = 0;
	return err;
}
