#include "cli/store/verb_store.h"
#include "storage/store.h"
#include "base/mem.h"
#include "base/outcome.h"
#include "cli/store/store_endings.h"
#include "cli/store/store_unfollowed.h"
#include "crawler/knowledge/knowledge.h"
#include "crawler/settings/live_decision.h"
#include "scope/rules.h"
#include "storage/visits.h"
#include "parser/shape.h"
#include "parser/url.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const kind_name[LOG_KINDS] = {
	[LOG_SITTING] = "sitting",
	[LOG_SEED] = "seed",
	[LOG_SITEMAP] = "sitemap",
	[LOG_TAKE] = "take",
	[LOG_CRAWLED] = "crawled",
	[LOG_FAILED] = "failed",
	[LOG_REQUEUED] = "retry", /* or "put-back" */
	[LOG_REFUSED] = "refused",
	[LOG_REDIRECTED] = "redirected",
	[LOG_POLICY] = "policy",
	[LOG_SCOPE] = "scope",
	[LOG_ADMITTED] = "admitted",
	[LOG_EXPELLED] = "expelled",
	[LOG_JUDGED] = "judged",
	[LOG_VISITED] = "visited",
	[LOG_POSTED] = "posted",
	[LOG_HEARD] = "heard",
	[LOG_ELSEWHERE] = "elsewhere",
	[LOG_SHARES] = "shares",
	[LOG_ADOPTED] = "adopted",
};

/* --- what led to the page */

struct origin {
	uint64_t from;    /* crawled pages that link to it */
	uint32_t first;   /* the first of them to be crawled, or STORE_NO_PAGE */
	uint32_t alias;   /* a page that was redirected to it, or STORE_NO_PAGE */
	uint32_t made_up; /* the page like whose URL lycosa made up this one, or STORE_NO_PAGE */
	uint32_t visit;   /* the page whose later visit led to it first, or STORE_NO_PAGE */
	int seed;
	char chosen_by[32]; /* the rule by which the policy took it last; "": by its key */
};

/* How a page leads to another. */
enum way { WAY_NONE, WAY_LINK, WAY_MADE_UP };

static enum way way_to(struct store *s, uint32_t from, uint32_t id)
{
	const uint32_t *links;
	const size_t n = store_links(s, from, &links, NULL), on_page = store_web_links(s, from, &links, NULL);
	size_t i = 0;

	while (i < n && links[i] != id)
		i++;
	return i == n ? WAY_NONE : i < on_page ? WAY_LINK : WAY_MADE_UP;
}

static int find_origin(struct store *s, uint32_t id, struct origin *o, struct err_note *why)
{
	struct store_log_cursor *cursor = store_log_start(s);
	struct log_entry e;
	int err;

	*o = (struct origin){.first = STORE_NO_PAGE, .alias = STORE_NO_PAGE, .made_up = STORE_NO_PAGE, .visit = STORE_NO_PAGE};
	while ((err = store_log_next(cursor, &e, why)) > 0) {
		if (e.kind == LOG_VISITED && id >= e.first_new && id - e.first_new < e.n_new)
			o->visit = e.id;
		if (e.kind == LOG_SEED && e.id == id)
			o->seed = 1;
		if (e.kind == LOG_TAKE && e.id == id)
			snprintf(o->chosen_by, sizeof o->chosen_by, "%s", e.text ? e.text : "");
		if (e.kind == LOG_REDIRECTED && e.target == id && o->alias == STORE_NO_PAGE)
			o->alias = e.id;
		const enum way way = e.kind == LOG_CRAWLED ? way_to(s, e.id, id) : WAY_NONE;
		if (way == WAY_MADE_UP)
			o->made_up = e.id;
		if (way == WAY_LINK && !o->from++)
			o->first = e.id;
	}
	store_log_stop(cursor);
	return err;
}

/* --- printing */

static void tell_page(struct results *r, const char *name, struct store *s, uint32_t id)
{
	struct store_page page;

	if (id != STORE_NO_PAGE && store_page(s, id, &page))
		results_fact(r, name, cell_text(page.url));
}

static const char *time_text(int64_t ms, char *text, size_t size)
{
	time_t seconds = (time_t)(ms / 1000);
	struct tm parts;

	if (ms <= 0 || !gmtime_r(&seconds, &parts) || !strftime(text, size, "%Y-%m-%dT%H:%M:%SZ", &parts))
		return "";
	return text;
}

static void tell_result(struct results *r, struct store *s, uint32_t id)
{
	struct result result;
	char text[64];

	if (!store_result(s, id, &result))
		return;
	results_fact(r, "status", cell_count(result.status));
	if (outcome_is_reason(result.outcome)) {
		results_fact(r, "error", cell_text(outcome_word(result.outcome)));
		results_fact(r, "because", cell_text(outcome_sentence(result.outcome)));
	}
	tell_page(r, result.state == PAGE_REFUSED ? "duplicate_of" : "redirects_to", s, result.target);
	RESULTS_COUNTS(r, {"tries", result.tries}, {"bytes", result.bytes});
	results_fact(r, "time", cell_text(time_text(result.ended, text, sizeof text)));
	if (result.digest[0] || result.digest[1]) {
		snprintf(text, sizeof text, "%016llx%016llx", (unsigned long long)result.digest[1],
			(unsigned long long)result.digest[0]);
		results_fact(r, "digest", cell_text(text));
	}
}

/* Returns line `number` of the rules that the store keeps, which the caller frees; "" if there is no such line. */
static char *rule_text(struct store *s, unsigned number)
{
	const char *at = store_get(s, "rules");

	for (; at && number > 1; number--)
		at = *(at += strcspn(at, "\n")) ? at + 1 : NULL;
	return mem_part(at ? at : "", at ? strcspn(at, "\n") : 0);
}

/* Prints the line of the store's present rules that rejects a URL, if there is one. */
static void tell_rule(struct results *r, struct store *s, const char *url)
{
	const char *text = store_get(s, "rules");
	AUTO(url) u = URL_EMPTY;
	struct rules *rules = NULL;
	unsigned line = 0;

	if (text && rules_new(&rules, NULL, text, NULL) == 0 && url_parse(&u, url, strlen(url), NULL) == URL_OK)
		rules_judge(rules, &u, &line);
	if (line) {
		AUTO_FREE char *rule = rule_text(s, line);
		results_fact(r, "rule_line", cell_count(line));
		results_fact(r, "rule", cell_text(rule));
	}
	rules_free(rules);
}

static void tell_refusal(struct results *r, struct store *s, const struct store_page *page, enum outcome refusal)
{
	AUTO_FREE char *url = mem_text(page->url);

	results_fact(r, "out_of_scope", cell_text(outcome_word(refusal)));
	results_fact(r, "because", cell_text(outcome_sentence(refusal)));
	if (refusal == OUTCOME_RULE)
		tell_rule(r, s, url);
}

static void tell_about(struct results *r, struct store *s, uint32_t id, const struct origin *o, const uint8_t *refusal)
{
	struct store_page page;
	const uint32_t *links;

	if (!store_page(s, id, &page))
		return;
	results_fact(r, "url", cell_text(page.url));
	results_fact(r, "page", cell_count(id));
	results_fact(r, "host", cell_text(store_host_name(s, page.host)));
	results_fact(r, "depth", cell_count(page.depth));
	results_fact(r, "state", cell_text(page_state_name(ending_of(s, id, refusal).state)));
	if (refusal[id])
		tell_refusal(r, s, &page, (enum outcome)refusal[id]);
	tell_result(r, s, id);
	results_fact(r, "links", cell_count(store_web_links(s, id, &links, NULL)));
	results_fact(r, "seed", cell_text(o->seed ? "yes" : "no"));
	results_fact(r, "linked_from", cell_count(o->from));
	tell_page(r, "first_linked_from", s, o->first);
	tell_page(r, "redirected_from", s, o->alias);
	tell_page(r, "made_up_like", s, o->made_up);
	if (o->made_up != STORE_NO_PAGE)
		results_fact(r, "made_up",
			cell_text(
				"lycosa asks whether the site shows a page for any address (--trap-opt soft-404=0 asks for none)"));
	tell_page(r, "found_by_visit_of", s, o->visit);
	if (o->chosen_by[0])
		results_fact(r, "chosen_by", cell_text(o->chosen_by));
}

/* Prints the place that a verdict is about, as a person would name it. */
static void tell_place(struct results *r, const struct traps_verdict *v, const char *url)
{
	AUTO(buf) text = BUF_EMPTY;
	AUTO(url) u = URL_EMPTY;

	if (url_parse(&u, url, strlen(url), NULL) != URL_OK)
		return;
	const char *slash = memchr(u.text.at + u.path + 1, '/', u.query - u.path - 1);
	const size_t folder = slash ? (size_t)(slash + 1 - u.text.at) : u.path + 1u;
	const char *host = u.text.at + u.host;
	const size_t n = u.host_end - u.host, domain = domain_start(host, n);

	switch (v->cover) {
	case TRAPS_FOLDER:
		buf_format(&text, "folder %.*s", (int)folder, u.text.at);
		break;
	case TRAPS_HOST:
		buf_format(&text, "host %.*s", (int)n, host);
		break;
	case TRAPS_DOMAIN_STARTS:
		buf_format(&text, "new hosts of %.*s", (int)(n - domain), host + domain);
		break;
	case TRAPS_WEB_STARTS:
		buf_text(&text, "new domains");
		break;
	case TRAPS_DOMAIN:
		buf_format(&text, "hosts of %.*s without pages of their own", (int)(n - domain), host + domain);
		break;
	case TRAPS_MIRROR:
		buf_format(&text, "mirror %.*s", (int)v->prefix, u.text.at);
		break;
	case TRAPS_PARAMETERS:
		buf_format(&text, "values drawn at random in the same parts of URLs of %.*s", (int)n, host);
		break;
	case TRAPS_PATH:
		buf_format(&text, "queries of %.*s", (int)u.query, u.text.at);
		break;
	}
	results_fact(r, "place", cell_text(text.at));
}

/* Prints the verdict of the trap detectors on a page that is queued or was skipped, and sets *detector to the one that has deferred
 * it. */
static int tell_trap_verdict(struct results *r, struct store *s, uint32_t id, const struct ending *ending, enum outcome *detector,
	struct err_note *why)
{
	struct store_page page;
	struct traps_verdict v;

	*detector = OUTCOME_NONE;
	if (!store_log_is_whole(s) ||
		(ending->state != PAGE_QUEUED &&
			!(ending->state == PAGE_REFUSED && ending->had_turn && outcome_is_skip(ending->outcome))))
		return 0;
	const int err = trap_verdict_of(s, id, &v, why);
	if (err || !v.detector || !store_page(s, id, &page))
		return err;
	*detector = v.detector;
	results_fact(r, "detector", cell_text(outcome_word(v.detector)));
	tell_place(r, &v, page.url);
	results_fact(r, "confirmed_in_a_row", cell_count(v.row));
	if (ending->state == PAGE_QUEUED)
		tell_page(r, "duplicate_of", s, v.original);
	results_fact(r, "would_change",
		cell_text("a page of the place that differs; the remedy also counts for all pages that follow"));
	return 0;
}

/* Prints, for a page that was not fetched, the command that has the page fetched, if such a command exists. `detector` is the one
 * that has deferred the page, if one has. The flags that the store alone cannot ask for stand beside the command. */
static void tell_remedy(struct results *r, struct store *s, const char *path, const struct ending *ending, enum outcome detector)
{
	const int is_over = ending->state == PAGE_FAILED || ending->state == PAGE_REFUSED;
	AUTO(buf) command = BUF_EMPTY, needs = BUF_EMPTY;

	live_decision_needs(s, path, &needs);
	if (remedy_command(path, is_over ? ending->outcome : detector, ending->status, &command))
		results_fact(r, "remedy", cell_text(command.at));
	if (command.used && needs.used)
		results_fact(r, "give_again", cell_text(needs.at));
}

/* Prints the later visits of the page, and the changes that they have found. */
static void tell_visits(struct results *r, struct store *s, uint32_t id)
{
	AUTO(buf) text = BUF_EMPTY;
	struct store_visited v;
	struct store_change change;
	char time[32];

	if (!store_visited(s, id, &v))
		return;
	results_fact(r, "visits", cell_count(v.visits));
	results_fact(r, "last_visit", cell_text(time_text(v.last, time, sizeof time)));
	results_fact(r, "now", cell_text(store_presence_word((enum store_presence)v.now)));
	for (uint32_t i = 0; i < v.changes && store_change(s, id, i, &change); i++)
		buf_format(&text, "%s%s %s", i ? "; " : "", time_text(change.at, time, sizeof time),
			change.now == STORE_THERE ? "changed" : store_presence_word((enum store_presence)change.now));
	if (text.used)
		results_fact(r, "changes", cell_text(text.at));
}

/* Prints every entry of the log about the page, each with the number of pages taken before it. */
static int tell_log(struct results *r, struct store *s, uint32_t id, struct err_note *why)
{
	static const char *const columns[] = {"entry", "taken", "event", "status", "error", "time", NULL};
	struct store_log_cursor *cursor = store_log_start(s);
	struct log_entry e;
	uint64_t taken = 0;
	int err;

	results_columns(r, columns);
	for (uint64_t i = 0; (err = store_log_next(cursor, &e, why)) > 0; i++) {
		char text[32];
		if (e.id == id) {
			RESULTS_CELLS(r, cell_count(i), cell_count(taken),
				cell_text(e.kind == LOG_REQUEUED ? outcome_event(e.outcome, PAGE_QUEUED) : kind_name[e.kind]),
				cell_count(e.status), cell_text(outcome_is_reason(e.outcome) ? outcome_word(e.outcome) : ""),
				cell_text(time_text(e.time, text, sizeof text)));
		}
		taken += e.kind == LOG_TAKE;
	}
	store_log_stop(cursor);
	return err;
}

/* Finds the page of a URL as the user has typed it. */
static int find_page(const struct store_options *o, struct store *s, const char *text, uint32_t *id, struct err_note *why)
{
	AUTO(url) url = URL_EMPTY;

	if (url_parse(&url, text, strlen(text), NULL) != URL_OK)
		return err_set(why, ERR_USAGE, "'%s' is no http or https URL", text);
	else if (!store_find(s, url.text.at, url.text.used, id) &&
		!(url_drop_user(&url) && store_find(s, url.text.at, url.text.used, id)))
		TRY(store_unfollowed(o->store, s, &url, o->warc, why));
	return 0;
}

int store_explain(const struct command *c, struct err_note *why)
{
	const struct store_options *o = c->options;
	struct origin origin;
	struct results r;
	struct store *s;
	uint8_t *refusal = NULL;
	uint32_t id = 0;
	int err = open_to_read(&s, o->store, o->damaged, why);

	if (err)
		return err;
	err = find_page(o, s, c->flags->operand[0], &id, why);
	if (!err)
		err = find_origin(s, id, &origin, why);
	if (!err)
		err = endings_refusals(s, &refusal, why);
	if (!err) {
		results_begin(&r, stdout, o->json ? RESULTS_JSON : RESULTS_TSV);
		results_fact(&r, "store", cell_text(o->store));
		tell_about(&r, s, id, &origin, refusal);
		const struct ending ending = ending_of(s, id, refusal);
		tell_visits(&r, s, id);
		enum outcome detector;
		err = tell_trap_verdict(&r, s, id, &ending, &detector, why);
		tell_remedy(&r, s, o->store, &ending, detector);
		if (!err)
			err = tell_log(&r, s, id, why);
		int failed = results_end(&r, err ? NULL : why);
		err = err ? err : failed;
	}
	free(refusal);
	return store_close(s, err, why);
}
