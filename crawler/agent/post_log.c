#include "crawler/agent/post_log.h"
#include "agents/news.h"
#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct post_log {
	struct store *store;
	struct store_log_cursor *cursor; /* NULL: before the first entry */
	uint64_t number[NEWS_AGENTS];    /* the letters to each agent that were read */
	struct buf late;                 /* the letter that was read last, if there was no room for it */
	unsigned late_to;
	int is_late;
	uint64_t read;
};

struct post_log *post_log_new(struct store *s)
{
	struct post_log *l = mem_zero(1, sizeof *l);

	l->store = s;
	return l;
}

static void begin_anew(struct post_log *l)
{
	store_log_stop(l->cursor);
	l->cursor = NULL;
	memset(l->number, 0, sizeof l->number);
	l->is_late = 0;
}

void post_log_free(struct post_log *l)
{
	if (!l)
		return;
	begin_anew(l);
	buf_release(&l->late);
	free(l);
}

/* Says whether an agent needs letters that stand in the log before the entry at which the reading has stopped. */
static int is_too_far(const struct post_log *l, const struct post *p)
{
	for (unsigned to = 0; to < post_agents(p) && to < NEWS_AGENTS; to++) {
		const uint64_t next = post_wanted(p, to), read = l->number[to] - (l->is_late && l->late_to == to);
		if (next && read >= next)
			return 1;
	}
	return 0;
}

/* Hands the letter that was read last to the post. Returns 1 if there is no room for it. */
static int hand_over(struct post_log *l, struct post *p, const struct log_entry *e)
{
	if (!post_restore(p, e->agent, l->number[e->agent], e->letter, e->letter_n))
		return 0;
	buf_clear(&l->late);
	buf_add(&l->late, e->letter, e->letter_n);
	l->late_to = e->agent;
	l->is_late = 1;
	return 1;
}

int post_log_restore(struct post_log *l, struct post *p, struct err_note *why)
{
	struct log_entry e;
	int got = 0;

	if (is_too_far(l, p))
		begin_anew(l);
	if (!l->cursor)
		l->cursor = store_log_start(l->store);
	if (l->is_late && post_restore(p, l->late_to, l->number[l->late_to], l->late.at, l->late.used))
		return 0;
	l->is_late = 0;
	while ((got = store_log_next(l->cursor, &e, why)) > 0) {
		l->read++;
		if (e.kind != LOG_POSTED || e.agent >= NEWS_AGENTS)
			continue;
		l->number[e.agent]++;
		if (hand_over(l, p, &e))
			return 0;
	}
	return got;
}

uint64_t post_log_read(const struct post_log *l)
{
	return l->read;
}

int post_log_confirm(struct store *s, struct post *p, unsigned from, uint64_t number, int64_t now, struct err_note *why)
{
	const struct log_entry empty = {.kind = LOG_POSTED, .agent = from, .letter = ""};
	const uint64_t sent = post_sent(p, from);
	int err = 0;

	if (number > sent && number - sent > POST_LOG_MISSING_MOST)
		return err_set(why, ERR_FORMAT,
			"agent %u says that it has taken %" PRIu64 " letters of this agent, which has sent %" PRIu64
			": the crawl's keys at the NATS server are damaged",
			from + 1, number, sent);
	for (uint64_t missing = post_confirm(p, from, number, now); !err && missing; missing--) {
		err = store_log(s, &empty, why);
		post_add(p, from, "", 0);
	}
	return err;
}
