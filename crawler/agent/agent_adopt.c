#include "crawler/agent/agent_shares_parts.h"
#include "base/clock.h"
#include "base/mem.h"
#include "crawler/crawl.h"
#include "crawler/network/net_source.h"
#include "crawler/observers/record.h"
#include "fetch/answer.h"

#include <stdlib.h>
#include <string.h>

#define COMMIT_BYTES ((size_t)16 << 20) /* of records, between two commits */

unsigned agent_shares_partition(const struct agent_shares *s, uint32_t id)
{
	return net_fleet_partition(net_source_fleet(s->parts.source), id);
}

/* --- pages that an earlier owner has ended */

/* Says whether this agent has crawled a page itself, or was redirected, before the page's partition went away and came back. */
static int has_ended_here(const struct agent_shares *s, uint32_t id)
{
	struct knowledge *k = net_source_knowledge(s->parts.source);

	return knowledge_is_crawled(k, id) || knowledge_resolve(k, id) != id;
}

/* Tells the policy of a page that this agent has crawled, or followed as a redirect, itself, as if the page ended now. */
static void end_again(struct agent_shares *s, uint32_t id)
{
	struct knowledge *k = net_source_knowledge(s->parts.source);
	struct result e = {.id = id, .state = knowledge_is_crawled(k, id) ? PAGE_CRAWLED : PAGE_REDIRECTED};
	struct frontier_world world;

	e.target = knowledge_resolve(k, id);
	s->parts.source->ops->world(s->parts.source, &world);
	if (e.state == PAGE_CRAWLED)
		e.n = world.links(world.ctx, id, &e.links);
	agent_shares_inherit(s, &e);
}

void agent_shares_adopted(struct agent_shares *s, uint32_t id)
{
	/* it may be one that only links of pages here lead to, or that scope refuses here */
	if (frontier_state(s->parts.frontier, id) != PAGE_QUEUED)
		frontier_seed(s->parts.frontier, &id, 1);
	if (has_ended_here(s, id))
		end_again(s, id);
	else
		s->heir = id;
}

int agent_shares_is_heir(const struct agent_shares *s, uint32_t id)
{
	return s->heir == id && frontier_state(s->parts.frontier, id) == PAGE_QUEUED;
}

void agent_shares_inherit(struct agent_shares *s, const struct result *e)
{
	const unsigned own = agent_shares_partition(s, e->id);
	struct frontier_end end = {.state = e->state, .at = e->ended, .target = e->target};

	s->heir = UINT32_MAX;
	s->links = mem_grow(s->links, &s->links_room, e->n, sizeof *s->links);
	s->kinds = mem_grow(s->kinds, &s->kinds_room, e->n, sizeof *s->kinds);
	/* links to other partitions came, or come, by letters to these */
	for (size_t i = 0; e->state == PAGE_CRAWLED && i < e->n; i++) {
		if (agent_shares_partition(s, e->links[i]) != own)
			continue;
		s->links[end.n_links] = e->links[i];
		s->kinds[end.n_links++] = e->kinds ? e->kinds[i] : 0;
	}
	end.links = s->links;
	end.kinds = s->kinds;
	frontier_inherit(s->parts.frontier, e->id, &end, e->n);
}

/* Queues a page that no letter leads to. */
static int queue(struct agent_shares *s, uint32_t id, struct err_note *why)
{
	const struct log_entry entry = {.kind = LOG_SITEMAP, .id = id};
	int err = store_log(s->parts.store, &entry, why);

	if (!err)
		err = knowledge_apply_entry(net_source_knowledge(s->parts.source), &entry, NULL, 0, why);
	if (!err)
		frontier_seed(s->parts.frontier, &id, 1);
	return err;
}

int agent_shares_queue(struct agent_shares *s, uint32_t id, struct err_note *why)
{
	const enum page_state state = frontier_state(s->parts.frontier, id);

	if (s->parts.shares->owner[agent_shares_partition(s, id)] != s->parts.self ||
		(state != PAGE_UNSEEN && state != PAGE_REFUSED))
		return 0;
	return queue(s, id, why);
}

/* Finds the page of a record, and queues it if the store does not know it. Returns 1, 0 if the URL is none or is not of the
 * partition, or an error. */
static int meet(struct agent_shares *s, unsigned partition, const char *text, size_t n, uint32_t *id, struct err_note *why)
{
	const int is_known = store_find(s->parts.store, text, n, id);
	int err = 0;

	if (!is_known) {
		struct url url = URL_EMPTY;
		const int is_sound =
			url_parse(&url, text, n, NULL) == URL_OK && url.text.used == n && memcmp(url.text.at, text, n) == 0;
		if (is_sound)
			err = net_source_find(s->parts.source, &url, id, why);
		url_release(&url);
		if (err || !is_sound)
			return err;
	}
	if (agent_shares_partition(s, *id) != partition)
		return 0;
	if (!is_known)
		err = queue(s, *id, why);
	return err ? err : 1;
}

static void keep_rest(struct agent_shares *s, unsigned partition)
{
	if (s->record.rest > s->rest[partition])
		s->rest[partition] = s->record.rest;
}

/* Handles the record of a page that an earlier owner of the partition has finished: writes LOG_ADOPTED and the entries that the
 * page would have if this agent had fetched it. A page that has ended here, or is in flight, is left as it is. */
static int take_page(struct agent_shares *s, unsigned partition, unsigned agent, const struct log_pack_record *r,
	struct err_note *why)
{
	struct page_record *page = &s->record;
	struct result *e = &page->page.result;
	uint32_t id;
	int err = page_record_read(page, r->bytes, r->n, why);
	const int got = err ? err : meet(s, partition, page->url.at, page->url.used, &id, why);

	if (got <= 0)
		return got;
	const enum page_state state = frontier_state(s->parts.frontier, id);
	keep_rest(s, partition);
	/* the letters about the page may be gone with a bus that went back, so it is asked for again */
	if (agent != s->parts.self && s->of[agent].is_gone && !s->of[agent].is_built)
		return agent_shares_queue(s, id, why);
	if (state == PAGE_CRAWLED || state == PAGE_REDIRECTED || state == PAGE_IN_FLIGHT ||
		(state == PAGE_FAILED && e->state == PAGE_FAILED))
		return 0;
	e->id = id;
	err = store_log(s->parts.store, &(struct log_entry){.kind = LOG_ADOPTED, .id = id}, why);
	if (err)
		return err;
	agent_shares_adopted(s, id);
	if (s->heir != id)
		return 0;
	err = net_source_adopt(s->parts.source, &page->page, why);
	if (!err)
		err = recorder_put(s->parts.store, e, why);
	if (!err)
		agent_shares_inherit(s, e);
	return err;
}

int agent_take_own(struct agent_shares *s, const void *letter, size_t n, struct err_note *why)
{
	const struct log_entry entry = {.kind = LOG_HEARD, .agent = s->parts.self, .letter = letter, .letter_n = n};
	int err = exchange_take(s->parts.exchange, letter, n, why);

	if (!err)
		err = store_log(s->parts.store, &entry, why);
	return err ? err : agent_pages_queue_sitemaps(s->parts.pages, s->parts.frontier, why);
}

static int take_letter(struct agent_shares *s, const struct log_pack_record *r, struct err_note *why)
{
	const uint8_t *at = r->bytes, *end = at + r->n;
	uint64_t from, number;

	if (varint_read(&at, end, &from) || varint_read(&at, end, &number))
		return err_set(why, ERR_FORMAT, "the log of a partition has a letter that this version cannot read");
	return agent_take_own(s, at, (size_t)(end - at), why);
}

/* The times of two machines differ by as much as their clocks do. */
static int take_rest(struct agent_shares *s, unsigned partition, const struct log_pack_record *r, struct err_note *why)
{
	const uint8_t *at = r->bytes, *end = at + r->n;
	uint64_t until;
	uint32_t id;

	if (varint_read(&at, end, &until) || until > INT64_MAX)
		return err_set(why, ERR_FORMAT, "the log of a partition has a rest that this version cannot read");
	const int got = meet(s, partition, (const char *)at, (size_t)(end - at), &id, why);
	int64_t rest = (int64_t)until - clock_wall_ms();

	if (got <= 0 || rest <= 0)
		return got < 0 ? got : 0;
	rest = rest < ANSWER_MAX_DELAY ? rest : ANSWER_MAX_DELAY;
	frontier_rest(s->parts.frontier, id, s->parts.source->ops->now(s->parts.source) + rest);
	return 0;
}

static int take_record(struct agent_shares *s, unsigned partition, unsigned agent, const struct log_pack_record *r,
	struct err_note *why)
{
	uint32_t id;
	int got;

	if (r->kind == LOG_PACK_PAGE)
		return take_page(s, partition, agent, r, why);
	if (r->kind == LOG_PACK_LETTER)
		return take_letter(s, r, why);
	if (r->kind == LOG_PACK_REST)
		return take_rest(s, partition, r, why);
	got = meet(s, partition, (const char *)r->bytes, r->n, &id, why);
	return got <= 0 ? got : agent_shares_queue(s, id, why);
}

/* Handles a record that an earlier process of this agent has taken: its facts are in the store, but for how long hosts rest. */
static int take_again(struct agent_shares *s, unsigned partition, const struct log_pack_record *r, struct err_note *why)
{
	if (r->kind == LOG_PACK_REST)
		return take_rest(s, partition, r, why);
	const int err = r->kind == LOG_PACK_PAGE ? page_record_read(&s->record, r->bytes, r->n, why) : 0;
	if (!err && r->kind == LOG_PACK_PAGE)
		keep_rest(s, partition);
	return err;
}

/* --- logs that are read */

/* Begins with the records of a log, unless the record before was of the same reading of it. A partition that was given away and
 * comes back is read again from its first record, whose number is not above those of the reading before. */
static void turn_to(struct agent_shares *s, unsigned partition)
{
	if (s->reads == partition + 1)
		return;
	s->reads = partition + 1;
	for (unsigned kind = LOG_PACK_LETTER; kind < LOG_PACK_KINDS; kind++)
		memset(s->seen[kind], 0, NEWS_AGENTS * sizeof *s->seen[kind]);
}

/* Handles the record of an agent, unless it was handled before. What this version cannot read is put aside: it is none of a crawl's
 * records, or one of a later version. Returns 0 or an error of the store. */
static int take_once(struct agent_shares *s, unsigned partition, unsigned agent, const struct log_pack_record *r, int was_taken,
	struct err_note *why)
{
	const int is_known = r->kind >= LOG_PACK_LETTER && r->kind < LOG_PACK_KINDS;
	uint64_t *seen = is_known ? &s->seen[r->kind][agent] : NULL;
	int err = ERR_FORMAT;

	if (seen && r->number <= *seen)
		return 0;
	if (seen) {
		*seen = r->number;
		s->uncommitted += r->n;
		err = was_taken ? take_again(s, partition, r, why) : take_record(s, partition, agent, r, why);
	}
	if (err == ERR_FORMAT)
		member_put_aside(s->parts.member, "a record in the log of a partition");
	return err == ERR_FORMAT ? 0 : err;
}

/* Handles a message of a partition's log: its records in order, each agent's records once, by their numbers. The messages that an
 * earlier process has taken come again, since their numbers tell which records behind them are repeated. */
static int take_message(struct agent_shares *s, const struct member_chapter *c, struct err_note *why)
{
	const int was_taken = c->number <= s->read[c->partition];
	struct log_pack pack;
	struct log_pack_record r;
	int err = 0, more = log_pack_open(&pack, c->message, c->n, why);

	if (!more && pack.agent >= NEWS_AGENTS)
		more = ERR_FORMAT;
	turn_to(s, c->partition);
	while (!err && more >= 0 && (more = log_pack_next(&pack, &r, why)) > 0)
		err = take_once(s, c->partition, pack.agent, &r, was_taken, why);
	if (more < 0)
		member_put_aside(s->parts.member, "a message in the log of a partition");
	log_pack_release(&pack);
	return err;
}

/* Adds to the text of a LOG_SHARES how far the log of an own partition is read. */
static void tell_read(struct agent_shares *s, unsigned p, int is_whole)
{
	buf_format(&s->text, "%u %u %llu %d\n", p, s->parts.self, (unsigned long long)s->read[p], is_whole);
}

/* Writes that the log of an own partition is read up to a message, unless it was before. */
static int note(struct agent_shares *s, const struct member_chapter *c, struct err_note *why)
{
	if (c->number <= s->read[c->partition])
		return 0;
	s->read[c->partition] = c->number;
	buf_clear(&s->text);
	tell_read(s, c->partition, 0);
	return store_log(s->parts.store, &(struct log_entry){.kind = LOG_SHARES, .text = s->text.at}, why);
}

/* Handles a message, or the end, of the log of a partition that this agent has taken over; commits after COMMIT_BYTES of
 * records. */
static int take_chapter(struct agent_shares *s, const struct member_chapter *c, struct err_note *why)
{
	const unsigned p = c->partition;
	int err = 0;

	if (s->reading[p] != READING_LOG || s->parts.shares->owner[p] != s->parts.self)
		return 0;
	if (c->is_last) {
		s->reading[p] = READING_ENDED;
		s->reads = 0;
	} else {
		err = take_message(s, c, why);
		if (!err)
			err = note(s, c, why);
	}
	if (!err && s->uncommitted >= COMMIT_BYTES) {
		s->uncommitted = 0;
		err = s->parts.commit(s->parts.commit_ctx, why);
	}
	return err;
}

/* Writes LOG_ADOPTED for a page that has ended in this store before its partition moved away and came back, unless the adopted log
 * has its end already. */
static int settle_page(struct agent_shares *s, uint32_t id, struct err_note *why)
{
	const enum page_state state = frontier_state(s->parts.frontier, id);

	if (!has_ended_here(s, id) || state == PAGE_CRAWLED || state == PAGE_REDIRECTED)
		return 0;
	const int err = store_log(s->parts.store, &(struct log_entry){.kind = LOG_ADOPTED, .id = id}, why);
	if (!err)
		agent_shares_adopted(s, id);
	return err;
}

static int is_all_read(const struct agent_shares *s)
{
	for (unsigned p = 0; p < PARTITIONS; p++)
		if (s->reading[p] == READING_LOG)
			return 0;
	return 1;
}

/* Writes that the partitions are whole, and lets their logs be written. */
static int make_whole(struct agent_shares *s, struct err_note *why)
{
	buf_clear(&s->text);
	for (unsigned p = 0; p < PARTITIONS; p++) {
		if (s->reading[p] != READING_ENDED)
			continue;
		tell_read(s, p, 1);
		s->reading[p] = READING_NOTHING;
		s->rest[p] = 0;
		s->n_unfinished--;
		agent_log_release(s->log, p);
	}
	return store_log(s->parts.store, &(struct log_entry){.kind = LOG_SHARES, .text = s->text.at}, why);
}

/* Ends the adoption, after the logs of all partitions have been read: settles their pages, and lets each host rest for the longest
 * rest that its former owner may have given it. */
static int settle_all(struct agent_shares *s, struct err_note *why)
{
	const struct knowledge *k = net_source_knowledge(s->parts.source);
	const int64_t now = s->parts.source->ops->now(s->parts.source);
	int err = 0;

	for (uint32_t id = 0; !err && id < k->n; id++) {
		const unsigned p = agent_shares_partition(s, id);
		if (s->reading[p] != READING_ENDED)
			continue;
		err = settle_page(s, id, why);
		frontier_rest(s->parts.frontier, id, now + s->rest[p]);
	}
	return err ? err : make_whole(s, why);
}

int agent_adopt(struct agent_shares *s, struct err_note *why)
{
	int err = 0;

	if (!s->chapter)
		s->chapter = member_chapters(s->parts.member);
	while (!err && s->chapter) {
		struct member_chapter *c = s->chapter;
		err = take_chapter(s, c, why);
		s->chapter = c->next;
		free(c);
	}
	if (!err && s->n_unfinished && is_all_read(s))
		err = settle_all(s, why);
	return err;
}
