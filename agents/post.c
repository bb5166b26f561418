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

/* What goes to an agent, and how much has come from it. */
struct line {
	uint64_t sent, confirmed, taken;
	struct letter_kept *first, **end;
	struct letter_kept *due; /* the first that is to be handed out; those behind it are, too */
	int64_t since;           /* when the oldest letter began to wait for its confirmation */
};

struct post {
	unsigned agents, self;
	struct line *line;
	uint64_t waiting, again;
};

int post_parcel_read(struct post_parcel *p, const void *bytes, size_t n)
{
	const uint8_t *at = bytes;

	if (n <= POST_HEAD || at[0] != VERSION)
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

struct post *post_new(unsigned agents, unsigned self)
{
	struct post *p = mem_zero(1, sizeof *p);

	p->agents = agents;
	p->self = self;
	p->line = mem_zero(agents, sizeof *p->line);
	for (unsigned i = 0; i < agents; i++)
		p->line[i].end = &p->line[i].first;
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
	for (unsigned i = 0; i < p->agents; i++)
		while (p->line[i].first)
			forget(p, &p->line[i]);
	free(p->line);
	free(p);
}

uint64_t post_add(struct post *p, unsigned to, const void *letter, size_t n)
{
	struct line *l = &p->line[to];
	struct letter_kept *k = mem_new(1, sizeof *k + POST_HEAD + n);

	*k = (struct letter_kept){.n = POST_HEAD + n};
	write_head((uint8_t *)k->parcel, p->self, ++l->sent);
	memcpy(k->parcel + POST_HEAD, letter, n);
	*l->end = k;
	l->end = &k->next;
	if (!l->due)
		l->due = k;
	p->waiting += k->n;
	return l->sent;
}

static int send_line(struct post *p, unsigned to, int64_t now,
	int (*send)(void *ctx, unsigned to, const void *parcel, size_t n), void *ctx)
{
	struct line *l = &p->line[to];
	int status;

	if (l->first && !l->due && now - l->since > POST_PATIENCE_MS)
		l->due = l->first;
	for (; l->due; l->due = l->due->next) {
		if ((status = send(ctx, to, l->due->parcel, l->due->n)) != 0)
			return status;
		if (l->due == l->first)
			l->since = now;
		p->again += (uint64_t)l->due->was_sent;
		l->due->was_sent = 1;
	}
	return 0;
}

int post_each_due(struct post *p, int64_t now, int (*send)(void *ctx, unsigned to, const void *parcel, size_t n), void *ctx)
{
	int status = 0;

	for (unsigned to = 0; !status && to < p->agents; to++)
		status = send_line(p, to, now, send, ctx);
	return status;
}

void post_confirm(struct post *p, unsigned to, uint64_t number, int64_t now)
{
	struct line *l = &p->line[to];

	if (number > l->sent)
		number = l->sent; /* the receiver knows letters that a power failure has taken from this agent */
	for (; l->confirmed < number; l->confirmed++) {
		forget(p, l);
		l->since = now;
	}
}

void post_again(struct post *p, unsigned to)
{
	p->line[to].due = p->line[to].first;
}

enum post_verdict post_judge(const struct post *p, unsigned from, uint64_t number)
{
	const uint64_t next = p->line[from].taken + 1;

	return number == next ? POST_NEXT : number < next ? POST_AGAIN : POST_GAP;
}

void post_took(struct post *p, unsigned from)
{
	p->line[from].taken++;
}

uint64_t post_mark(const struct post *p, unsigned from)
{
	return p->line[from].taken;
}

void post_count(const struct post *p, struct post_counts *out)
{
	*out = (struct post_counts){.waiting = p->waiting, .again = p->again};
	for (unsigned i = 0; i < p->agents; i++) {
		out->sent += p->line[i].sent;
		out->taken += p->line[i].taken;
	}
}
