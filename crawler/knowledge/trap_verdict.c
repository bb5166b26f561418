#include "crawler/knowledge/trap_verdict.h"
#include "base/num.h"
#include "crawler/knowledge/knowledge.h"

/* Makes a scope with the trap options and the year that the store keeps. The other rules of scope are left out, since the log
 * contains their verdicts. */
static int make_scope(struct scope **scope, struct store *s, struct err_note *why)
{
	const char *year = store_get(s, "year");
	struct scope_settings set = {.span_hosts = 1, .max_depth = UINT32_MAX, .traps = store_get(s, "trap-opt")};
	uint64_t n = 0;

	if (year && num_count(year, 9999, &n) == 0)
		set.year = n;
	return scope_new(scope, &set, why);
}

static int apply_log(struct knowledge *k, struct store *s, struct err_note *why)
{
	struct store_log_cursor *c = store_log_start(s);
	struct log_entry e;
	int err;

	while ((err = store_log_next(c, &e, why)) > 0) {
		const uint32_t *links = NULL;
		const size_t n = e.kind == LOG_CRAWLED ? store_links(s, e.id, &links, NULL) : 0;
		err = knowledge_apply_entry(k, &e, links, n, why);
		if (err)
			break;
	}
	store_log_stop(c);
	return err;
}

int trap_verdict_of(struct store *s, uint32_t id, struct traps_verdict *verdict, struct err_note *why)
{
	struct knowledge k;
	struct scope *scope;
	int err = make_scope(&scope, s, why);

	if (err)
		return err;
	knowledge_init(&k, s, scope);
	err = apply_log(&k, s, why);
	*verdict = (struct traps_verdict){.original = TRAPS_NO_PAGE};
	if (!err && id < k.n)
		*verdict = knowledge_trap_verdict(&k, id);
	knowledge_release(&k);
	scope_free(scope);
	return err;
}
