#include "agents/post.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define VERSION 1

struct letter_kept {
	struct letter_kept *next;
	int was_sent;
	size_t n;
	char parcel[];
};

/* What goes to an agent, and how much has come from it. In memory are the letters behind `confirmed` up to `kept`. */
struct line {
	uint64_t sent, confirmed, kept, taken;
	int is_unsure; /* letters of an earlier process were counted, and no confirmation has come since */
	struct letter_kept *first, **end;
	struct letter_kept *due; /* the first that is to be handed out; those behind it are, too */
	int64_t since;           /* when the oldest letter began to wait for its confirmation */
};

struct post {
	unsigned agents, self;
	struct line **line;
	size_t room;
	uint64_t waiting, again;
};

int post_parcel_read(struct post_parcel *p, const void *bytes, size_t n)
{
	const uint8_t *at = bytes;

	if (n < POST_HEAD || at[0] != VERSION)
		return -1;
	*p = (struct post_parcel){.from = at[1] | (unsigned)at[2] << 8, .letter = at + POST_HEAD, .n = n - POST_HEAD};
	for (int i = 0; i < 8; i++)
		p->number |= (uint64_t)at[3 + i] << (8 * i);
	return 0;
}

static void write_head(uint8_t *at, unsigned from, uint64_t number)
{
	at[0] = VERSION;
	at[1] = (uint8_t)from;
	at[2] = (uint8_t)(from >> 8);
	for (int i = 0; i < 8; i++)
		at[3 + i] = (uint8_t)(number >> (8 * i));
}

void post_pack(struct buf *pack, const void *parcel, size_t n)
{
	for (int i = 0; i < 4; i++)
		buf_byte(pack, (int)(n >> (8 * i) & 0xff));
	buf_add(pack, parcel, n);
}

int post_unpack(const uint8_t **at, const uint8_t *end, const void **parcel, size_t *n)
{
	if (*at == end)
		return 0;
	if (end - *at < 4)
		return -1;
	*n = (*at)[0] | (size_t)(*at)[1] << 8 | (size_t)(*at)[2] << 16 | (size_t)(*at)[3] << 24;
	*at += 4;
	if (*n > (size_t)(end - *at))
		return -1;
	*parcel = *at;
	*at += *n;
	return 1;
}

/* Returns the line of an agent, which is made if the agent is new. */
static struct line *line_of(struct post *p, unsigned agent)
{
	p->line = mem_grow(p->line, &p->room, (size_t)agent + 1, sizeof *p->line);
	for (; p->agents <= agent; p->agents++) {
		struct line *l = mem_zero(1, sizeof *l);
		l->end = &l->first;
		p->line[p->agents] = l;
	}
	return p->line[agent];
}

struct post *post_new(unsigned agents, unsigned self)
{
	struct post *p = mem_zero(1, sizeof *p);

	p->self = self;
	if (agents)
		(void)line_of(p, agents - 1);
	return p;
}

/* Forgets the oldest letter of a line. */
static void forget(struct post *p, struct line *l)
{
	struct letter_kept *old = l->first;

	p->waiting -= old->n;
	if (l->due == old)
		l->due = old->next;
	l->first = old->next;
	if (!l->first)
		l->end = &l->first;
	free(old);
}

void post_free(struct post *p)
{
	if (!p)
		return;
	for (unsigned i = 0; i < p->agents; i++) {
		while (p->line[i]->first)
			forget(p, p->line[i]);
		free(p->line[i]);
	}
	free(p->line);
	free(p);
}

/* Keeps the letter behind the last one in memory. */
static void keep(struct post *p, struct line *l, const void *letter, size_t n, int was_sent)
{
	struct letter_kept *k = mem_new(1, sizeof *k + POST_HEAD + n);

	*k = (struct letter_kept){.was_sent = was_sent, .n = POST_HEAD + n};
	write_head((uint8_t *)k->parcel, p->self, ++l->kept);
	if (n)
		memcpy(k->parcel + POST_HEAD, letter, n);
	*l->end = k;
	l->end = &k->next;
	if (!l->due)
		l->due = k;
	p->waiting += k->n;
}

uint64_t post_add(struct post *p, unsigned to, const void *letter, size_t n)
{
	struct line *l = line_of(p, to);

	if (l->kept == l->sent++)
		keep(p, l, letter, n, 0);
	return l->sent;
}

void post_count_earlier(struct post *p, unsigned to)
{
	struct line *l = line_of(p, to);

	l->sent++;
	l->is_unsure = 1;
}

/* Says whether letters of a line must be read from the log before any other letter of it is sent. */
static int lacks(const struct line *l)
{
	return !l->is_unsure && !l->first && l->kept < l->sent;
}

int post_lacks(const struct post *p)
{
	for (unsigned to = 0; to < p->agents; to++)
		if (lacks(p->line[to]))
			return 1;
	return 0;
}

uint64_t post_wanted(const struct post *p, unsigned to)
{
	const struct line *l = p->line[to];

	return l->is_unsure || l->kept == l->sent ? 0 : l->kept + 1;
}

int post_restore(struct post *p, unsigned to, uint64_t number, const void *letter, size_t n)
{
	struct line *l = line_of(p, to);

	if (post_wanted(p, to) != number)
		return 0;
	if (p->waiting >= POST_RESTORE_MOST)
		return 1;
	keep(p, l, letter, n, 1);
	return 0;
}

static void send_line(struct post *p, unsigned to, int64_t now, int (*send)(void *ctx, unsigned to, const void *parcel, size_t n),
	void *ctx)
{
	struct line *l = line_of(p, to);

	if (l->first && !l->due && now - l->since > POST_PATIENCE_MS)
		l->due = l->first;
	for (; l->due; l->due = l->due->next) {
		if (send(ctx, to, l->due->parcel, l->due->n) != 0)
			return;
		if (l->due == l->first)
			l->since = now;
		p->again += (uint64_t)l->due->was_sent;
		l->due->was_sent = 1;
	}
}

void post_each_due(struct post *p, int64_t now, int (*send)(void *ctx, unsigned to, const void *parcel, size_t n), void *ctx)
{
	for (unsigned to = 0; to < p->agents; to++)
		send_line(p, to, now, send, ctx);
}

/* Forgets the letters of a line that are in memory: those after `number` are read from the log. */
static void begin_at(struct post *p, struct line *l, uint64_t number)
{
	while (l->first)
		forget(p, l);
	l->confirmed = l->kept = number;
}

uint64_t post_confirm(struct post *p, unsigned to, uint64_t number, int64_t now)
{
	struct line *l = line_of(p, to);
	const uint64_t missing = number > l->sent ? number - l->sent : 0;

	number -= missing;
	l->is_unsure = 0;
	if (number < l->confirmed || number > l->kept)
		begin_at(p, l, number);
	for (; l->confirmed < number; l->confirmed++) {
		forget(p, l);
		l->since = now;
	}
	return missing;
}

void post_again(struct post *p, unsigned to)
{
	struct line *l = line_of(p, to);

	l->due = l->first;
}

unsigned post_agents(const struct post *p)
{
	return p->agents;
}

uint64_t post_sent(const struct post *p, unsigned to)
{
	return to < p->agents ? p->line[to]->sent : 0;
}

uint64_t post_confirmed(const struct post *p, unsigned to)
{
	return to < p->agents ? p->line[to]->confirmed : 0;
}

void post_close(struct post *p, unsigned to)
{
	struct line *l = line_of(p, to);

	begin_at(p, l, l->sent);
	l->is_unsure = 0;
}

enum post_verdict post_judge(const struct post *p, unsigned from, uint64_t number)
{
	const uint64_t next = post_mark(p, from) + 1;

	return number == next ? POST_NEXT : number < next ? POST_AGAIN : POST_GAP;
}

void post_took(struct post *p, unsigned from)
{
	line_of(p, from)->taken++;
}

uint64_t post_mark(const struct post *p, unsigned from)
{
	return from < p->agents ? p->line[from]->taken : 0;
}

void post_count(const struct post *p, struct post_counts *out)
{
	*out = (struct post_counts){.waiting = p->waiting, .since = INT64_MAX, .again = p->again};
	for (unsigned i = 0; i < p->agents; i++) {
		out->sent += p->line[i]->sent;
		out->taken += p->line[i]->taken;
		if (p->line[i]->first && p->line[i]->first->was_sent && p->line[i]->since < out->since)
			out->since = p->line[i]->since;
	}
}
