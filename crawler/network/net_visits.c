#include "crawler/network/net_visits.h"
#include "base/mem.h"

#include <string.h>

struct validators net_visits_since(struct store *s, uint32_t id)
{
	struct store_visited v;

	if (!store_known(s, id, &v) || v.now != STORE_THERE)
		return (struct validators){0, NULL, 0};
	return (struct validators){v.modified, v.etag, v.etag_length};
}

/* --- judging */

static int is_same(const struct result *e, const struct store_visited *v)
{
	return e->status == 304 || (e->digest[0] == v->digest[0] && e->digest[1] == v->digest[1]);
}

static enum visit judge(const struct result *e, const struct store_visited *v)
{
	switch (e->state) {
	case PAGE_QUEUED:
		return VISIT_PUT_BACK;
	case PAGE_CRAWLED:
		return v->now == STORE_THERE && is_same(e, v) ? VISIT_SAME : VISIT_CHANGED;
	case PAGE_REDIRECTED:
		return v->now == STORE_MOVED ? VISIT_SAME : VISIT_MOVED;
	default:
		break;
	}
	if (e->status != 404 && e->status != 410)
		return VISIT_FAILED;
	return v->now == STORE_GONE ? VISIT_SAME : VISIT_GONE;
}

/* Finds the pages of n links, and keeps those that are new. */
static int take_new(struct net_pages *p, struct fetch_page *page, struct err_note *why)
{
	struct result *e = &page->result;
	const struct found found = knowledge_found_on_visit(p->knowledge, e->id);
	const uint32_t first = store_pages(p->store);

	for (uint32_t i = 0; i < page->n; i++) {
		const struct url u = net_pages_link(page, i);
		const int err = net_pages_meet(p, &u, &found, &e->target, why);
		if (err)
			return err;
	}
	e->n = store_pages(p->store) - first;
	p->links = mem_grow(p->links, &p->links_room, e->n, sizeof *p->links);
	for (uint32_t i = 0; i < e->n; i++)
		p->links[i] = first + i;
	e->links = p->links;
	if (e->state == PAGE_REDIRECTED)
		e->target = knowledge_resolve(p->knowledge, e->target);
	else
		e->target = STORE_NO_PAGE;
	return 0;
}

int net_visits_end(struct net_pages *p, struct fetch_page *page, struct err_note *why)
{
	struct result *e = &page->result;
	struct store_visited v = {.now = STORE_THERE};

	if (!store_known(p->store, e->id, &v))
		return err_set(why, ERR_DAMAGED, "the store is damaged: page %u is crawled, and has no result", e->id);
	e->visit = judge(e, &v);
	if (e->outcome == OUTCOME_SITEMAPS)
		return net_pages_sitemaps(p, page, why);
	return e->visit == VISIT_CHANGED || e->visit == VISIT_MOVED ? take_new(p, page, why) : 0;
}

void net_visits_claims(struct net_pages *p, struct fetch_page *page)
{
	const uint32_t host = knowledge_host(p->knowledge, page->result.id);
	uint32_t id;

	page->result.n_claims = 0;
	for (uint32_t i = 0; page->result.state == PAGE_CRAWLED && i < page->n; i++) {
		if (!page->changed[i] ||
			!store_find(p->store, page->text + page->start[i], page->start[i + 1] - page->start[i] - 1, &id))
			continue;
		id = knowledge_resolve(p->knowledge, id);
		if (knowledge_host(p->knowledge, id) != host)
			continue;
		p->claims = mem_grow(p->claims, &p->claims_room, page->result.n_claims + 1, sizeof *p->claims);
		p->claims[page->result.n_claims++] = (struct claim){id, page->changed[i]};
	}
	page->result.claims = p->claims;
}

/* --- recording */

/* Updates the record of a page after a visit that has shown its state: whether it exists, and its digest and validators. */
static void see(const struct result *e, struct store_visited *v)
{
	v->failures = 0;
	v->last = e->ended + e->ahead;
	if (e->visit == VISIT_GONE || e->visit == VISIT_MOVED)
		v->now = e->visit == VISIT_GONE ? STORE_GONE : STORE_MOVED;
	if (e->visit == VISIT_CHANGED)
		v->now = STORE_THERE;
	if (v->now != STORE_THERE)
		return;
	if (e->visit == VISIT_SAME && e->validators.modified != v->modified && e->status != 304)
		/* the time of its last change is unknown: Last-Modified has changed, although the page has not */
		v->is_undated = 1;
	if (e->digest[0] || e->digest[1])
		memcpy(v->digest, e->digest, sizeof v->digest);
	if (e->status == 304 && !e->validators.modified && !e->validators.etag_length)
		return;
	v->modified = e->validators.modified;
	v->etag = e->validators.etag;
	v->etag_length = e->validators.etag_length;
}

static int put_change(struct store *s, const struct result *e, const struct store_visited *before, const struct store_visited *now,
	struct err_note *why)
{
	struct store_change c = {.now = now->now,
		.status = e->status,
		.before = before->last,
		.at = now->last > before->last ? now->last : before->last,
		.digest = {e->digest[0], e->digest[1]},
		.bytes = e->bytes,
		.target = now->now == STORE_MOVED ? e->target : STORE_NO_PAGE};
	const int64_t modified = e->visit == VISIT_CHANGED ? e->validators.modified : 0;

	if (!now->is_undated && modified > before->last / 1000 && modified <= c.at / 1000)
		c.modified = modified;
	return store_put_change(s, e->id, before->changes, &c, why);
}

int net_visits_record(struct store *s, const struct result *e, struct err_note *why)
{
	struct store_visited before, now;
	int err = 0;

	if (e->visit == VISIT_PUT_BACK)
		return 0;
	if (!store_known(s, e->id, &before))
		return err_set(why, ERR_DAMAGED, "the store is damaged: page %u is crawled, and has no result", e->id);
	now = before;
	now.visits++;
	now.status = e->status;
	if (e->visit == VISIT_FAILED)
		now.failures++;
	else
		see(e, &now);
	const int has_changed = e->visit == VISIT_CHANGED || e->visit == VISIT_GONE || e->visit == VISIT_MOVED;
	if (has_changed) {
		err = put_change(s, e, &before, &now, why);
		now.changes++;
	}
	if (!err)
		err = store_put_visited(s, e->id, &now, why);
	if (!err && e->n)
		err = store_log(s, &(struct log_entry){.kind = LOG_VISITED, .id = e->id}, why);
	return err;
}
