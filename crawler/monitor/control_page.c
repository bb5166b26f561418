#include "crawler/monitor/control_internal.h"
#include "base/clock.h"
#include "base/mem.h"
#include "parser/url_rules.h"

#include <stdlib.h>
#include <string.h>

#define MOST_NEXT  200
#define MOST_LINKS 200
#define SEARCH_MS  50  /* for the pages that link to a page */
#define MOST_WAY   100 /* pages between a seed and a page that are shown */

static const char *url_of(struct control *c, uint32_t id)
{
	struct store_page page;

	return store_page(c->store, id, &page) ? page.url : NULL;
}

/* Adds the state of a page, and what the frontier and the knowledge have of it. */
static void put_page(struct control *c, json_t *out, uint32_t id)
{
	const enum page_state state = frontier_state(c->frontier, id);
	const struct known_page *known = &c->knowledge->page[id];

	json_put_text(out, "url", url_of(c, id));
	json_put_text(out, "state", page_state_name(state));
	json_put_count(out, "id", id);
	json_put_count(out, "depth", known->depth);
	json_put_text(out, "host", control_host_name(c, knowledge_host(c->knowledge, id)));
	if (state != PAGE_UNSEEN)
		json_put_real(out, "key", frontier_key(c->frontier, id));
	if (state == PAGE_QUEUED)
		json_put_count(out, "failed_tries", knowledge_tries(c->knowledge, id));
}

/* --- next */

/* Adds the reason for a queued page's position in the queue, as a sentence. */
static void put_why(struct control *c, json_t *out, uint32_t id)
{
	const struct policy *p = frontier_policy(c->frontier);
	struct buf text = BUF_EMPTY;

	if (!p->crawled && !p->rerank && !p->seed)
		buf_format(&text, "%s takes pages in the order of their discovery", p->name);
	else
		buf_format(&text, "%s takes the %s key first", p->name, p->order == POLICY_HIGHEST_FIRST ? "highest" : "lowest");
	if (frontier_is_deferred(c->frontier, id))
		buf_text(&text, "; it is deferred behind other pages, since it may be in a trap");
	if (c->knowledge->page[id].depth == 0)
		buf_text(&text, "; it is a seed");
	json_put_text(out, "why", text.at);
	buf_release(&text);
}

int control_next(struct control *c, const json_t *args, json_t *out, struct err_note *why)
{
	uint32_t id[MOST_NEXT];
	uint64_t most;
	int err = control_count(args, "count", 20, MOST_NEXT, &most, why);

	if (err)
		return err;
	const size_t n = most ? frontier_upcoming(c->frontier, id, (size_t)most) : 0;
	json_t *rows = json_array();
	for (size_t i = 0; i < n; i++) {
		json_t *row = json_object(), *host = json_object();
		put_page(c, row, id[i]);
		put_why(c, row, id[i]);
		control_put_host_state(c, host, knowledge_host(c->knowledge, id[i]));
		json_object_set_new(row, "host_now", host);
		const uint32_t from = discovery_paths_from(c->paths, id[i]);
		json_put_text(row, "found_on", from != STORE_NO_PAGE ? url_of(c, from) : NULL);
		json_array_append_new(rows, row);
	}
	json_object_set_new(out, "rows", rows);
	return 0;
}

/* --- explain */

static int find_page(struct control *c, const char *text, uint32_t *id, struct err_note *why)
{
	struct url u = URL_EMPTY;
	int err = 0;

	if (url_parse(&u, text, strlen(text), NULL) != URL_OK)
		err = err_set(why, ERR_USAGE, "'%s' is no http or https URL", text);
	else {
		url_drop_user(&u);
		url_rules_apply(live_url_rules(c->live), &u);
		if (!store_find(c->store, u.text.at, u.text.used, id) || *id >= c->knowledge->n)
			err = err_set(why, ERR_NOTHING, "the crawl does not know '%s': nothing crawled links to it", text);
	}
	url_release(&u);
	return err;
}

/* Adds the outcome of a page and what its result in the store says. */
static void put_result(struct control *c, json_t *out, uint32_t id)
{
	const enum outcome refusal = knowledge_refusal(c->knowledge, id);
	struct result r;

	if (refusal) {
		json_put_text(out, "outcome", outcome_word(refusal));
		json_put_text(out, "because", outcome_sentence(refusal));
	}
	if (!store_result(c->store, id, &r))
		return;
	if (r.status)
		json_put_count(out, "status", r.status);
	if (!refusal && r.outcome != OUTCOME_NONE) {
		json_put_text(out, "outcome", outcome_word(r.outcome));
		json_put_text(out, "because", outcome_sentence(r.outcome));
	}
	json_put_count(out, "tries", r.tries);
	json_put_count(out, "bytes", r.bytes);
	json_put_count(out, "time", r.ended > 0 ? (uint64_t)r.ended : 0);
	if (r.target != STORE_NO_PAGE)
		json_put_text(out, r.state == PAGE_REDIRECTED ? "redirects_to" : "duplicate_of", url_of(c, r.target));
}

/* Adds the verdict of the trap detectors on a queued page to the answer. */
static void put_trap_verdict(struct control *c, json_t *out, uint32_t id)
{
	if (frontier_state(c->frontier, id) != PAGE_QUEUED)
		return;
	if (frontier_is_deferred(c->frontier, id))
		json_object_set_new(out, "put_off", json_true());
	const struct traps_verdict v = knowledge_trap_verdict(c->knowledge, id);
	if (!v.detector)
		return;
	json_t *suspicion = json_object();
	json_put_text(suspicion, "detector", outcome_word(v.detector));
	json_put_text(suspicion, "because", outcome_sentence(v.detector));
	if (v.original != TRAPS_NO_PAGE)
		json_put_text(suspicion, "duplicate_of", url_of(c, v.original));
	json_object_set_new(out, "suspicion", suspicion);
}

/* Adds the chain of pages from a seed to the page, each of which was discovered on the one before; the seed is first. */
static void put_way(struct control *c, json_t *out, uint32_t id)
{
	json_t *way = json_array();

	for (unsigned i = 0; i < MOST_WAY && id != STORE_NO_PAGE; i++) {
		json_array_insert_new(way, 0, json_text(url_of(c, id)));
		id = discovery_paths_from(c->paths, id);
	}
	json_object_set_new(out, "way", way);
	if (id != STORE_NO_PAGE)
		json_object_set_new(out, "way_is_cut", json_true());
}

/* Adds the first MOST_LINKS links of a crawled page with their states, and the number of its links. */
static void put_links(struct control *c, json_t *out, uint32_t id)
{
	const uint32_t *links;
	json_t *rows = json_array();

	if (frontier_state(c->frontier, id) != PAGE_CRAWLED) {
		json_decref(rows);
		return;
	}
	const size_t n = store_links(c->store, id, &links, NULL);
	for (size_t i = 0; i < n && i < MOST_LINKS; i++) {
		json_t *row = json_object();
		if (links[i] >= c->knowledge->n) {
			json_decref(row);
			continue; /* a damaged store */
		}
		json_put_text(row, "url", url_of(c, links[i]));
		json_put_text(row, "state", page_state_name(frontier_state(c->frontier, links[i])));
		json_array_append_new(rows, row);
	}
	json_put_count(out, "n_links", n);
	json_object_set_new(out, "links", rows);
}

/* Says whether a crawled page links to page `id`, under any name of it. */
static int links_to(struct control *c, uint32_t from, uint32_t id)
{
	const uint32_t *links;
	const size_t n = store_links(c->store, from, &links, NULL);

	for (size_t i = 0; i < n; i++)
		if (links[i] == id || (links[i] < c->knowledge->n && knowledge_resolve(c->knowledge, links[i]) == id))
			return 1;
	return 0;
}

/* Adds the crawled pages that link to a page, the earliest first. This reads the links of all crawled pages, and stops after
 * SEARCH_MS, so that it does not delay a large crawl. */
static void put_links_to(struct control *c, json_t *out, uint32_t id)
{
	const int64_t until = clock_ms() + SEARCH_MS;
	json_t *rows = json_array();
	uint64_t found = 0;
	uint32_t from = 0;

	for (; from < c->knowledge->n; from++) {
		if (from % 64 == 63 && clock_ms() >= until)
			break;
		if (!knowledge_is_crawled(c->knowledge, from) || !links_to(c, from, id))
			continue;
		if (found++ < MOST_LINKS)
			json_array_append_new(rows, json_text(url_of(c, from)));
	}
	json_put_count(out, "n_linked_from", found);
	json_object_set_new(out, "linked_from", rows);
	if (from < c->knowledge->n)
		json_object_set_new(out, "linked_from_is_cut", json_true());
}

int control_explain(struct control *c, const json_t *args, json_t *out, struct err_note *why)
{
	uint32_t id;
	int err = find_page(c, control_text(args, "url"), &id, why);

	if (err)
		return err;
	json_t *host = json_object();
	put_page(c, out, id);
	control_put_host_state(c, host, knowledge_host(c->knowledge, id));
	json_object_set_new(out, "host_now", host);
	put_result(c, out, id);
	if (frontier_state(c->frontier, id) == PAGE_QUEUED)
		put_why(c, out, id);
	put_trap_verdict(c, out, id);
	put_way(c, out, id);
	put_links(c, out, id);
	put_links_to(c, out, id);
	return 0;
}
