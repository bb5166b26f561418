#include "crawler/agent/agent_log.h"
#include "agents/bus.h"
#include "agents/partition.h"
#include "base/clock.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define RAW_MOST 600000 /* bytes of a pack's records */

struct record {
	struct record *next;
	unsigned partition;
	enum log_pack_kind kind;
	uint64_t number;
	size_t n;
	char bytes[];
};

struct list {
	struct record *first, **end;
};

/* The pages of one commit. */
struct batch {
	struct batch *next;
	struct list pages;
	uint64_t entries;           /* of the store's log */
	uint64_t need[NEWS_AGENTS]; /* the last letter to each agent that must be confirmed */
	unsigned agents;
};

/* The records of a partition that may be written. Those that come while the partition is held wait outside the pack, which must not
 * become larger than a message. */
struct ready {
	struct log_pack_out pack;
	struct list held;
	int is_held;
	unsigned letters;              /* in `pack` and `held` */
	uint64_t last[LOG_PACK_KINDS]; /* of each kind: the number of the last record, by agent_log_add() */
};

struct agent_log {
	struct member *member;
	unsigned self;
	uint64_t before; /* entries that an earlier process has written */
	size_t raw_most; /* bytes of a pack's records, so that the server takes its message */
	struct list fresh;
	struct batch *batch, **batch_end;
	struct ready *ready;
	unsigned n_ready; /* partitions with records in `pack` or `held`, */
	unsigned letters; /* and letters there: the end of a page that an own letter is about goes behind that one */
	int64_t written;
	uint64_t ticket;  /* of the last pack */
	uint64_t entries; /* all up to there is in `ready`, or handed over */
	struct {
		uint64_t ticket, entries; /* when the server has the ticket, the entries are written */
	} mark;
	uint64_t done;
	struct log_press *press;
	struct buf message;
};

static void list_init(struct list *l)
{
	l->first = NULL;
	l->end = &l->first;
}

static void list_add(struct list *l, struct record *r)
{
	r->next = NULL;
	*l->end = r;
	l->end = &r->next;
}

static void list_free(struct list *l)
{
	for (struct record *r = l->first, *next; r; r = next) {
		next = r->next;
		free(r);
	}
	list_init(l);
}

struct agent_log *agent_log_new(struct member *member, unsigned self)
{
	struct agent_log *l = mem_zero(1, sizeof *l);

	l->member = member;
	l->self = self;
	l->before = member ? member_logged_before(member) : 0;
	l->done = l->before;
	/* what cannot be compressed becomes little longer */
	l->raw_most = member && member_parcel_most(member) / 10 * 9 < RAW_MOST ? member_parcel_most(member) / 10 * 9 : RAW_MOST;
	l->press = log_press_new();
	list_init(&l->fresh);
	l->batch_end = &l->batch;
	l->ready = mem_zero(PARTITIONS, sizeof *l->ready);
	for (unsigned p = 0; p < PARTITIONS; p++) {
		l->ready[p].pack.press = l->press;
		list_init(&l->ready[p].held);
	}
	return l;
}

void agent_log_free(struct agent_log *l)
{
	if (!l)
		return;
	list_free(&l->fresh);
	for (struct batch *b = l->batch, *next; b; b = next) {
		next = b->next;
		list_free(&b->pages);
		free(b);
	}
	for (unsigned p = 0; p < PARTITIONS; p++) {
		log_pack_out_release(&l->ready[p].pack);
		list_free(&l->ready[p].held);
	}
	log_press_free(l->press);
	buf_release(&l->message);
	free(l->ready);
	free(l);
}

void agent_log_add(struct agent_log *l, unsigned partition, enum log_pack_kind kind, uint64_t at, const void *bytes, size_t n)
{
	uint64_t *last = &l->ready[partition].last[kind];

	if (!l->member || at < l->before)
		return;
	*last = log_pack_number(at, *last);
	struct record *r = mem_new(1, sizeof *r + n);
	*r = (struct record){.partition = partition, .kind = kind, .number = *last, .n = n};
	memcpy(r->bytes, bytes, n);
	list_add(&l->fresh, r);
}

int agent_log_readdress(struct agent_log *l, const uint16_t *owner,
	int (*send)(void *ctx, unsigned partition, const void *letter, size_t n, struct err_note *why), void *ctx,
	struct err_note *why)
{
	struct list all = l->fresh;
	int err = 0;

	list_init(&l->fresh);
	for (struct record *r = all.first, *next; r; r = next) {
		const uint8_t *at = (const uint8_t *)r->bytes, *end = at + r->n;
		uint64_t from, number;
		next = r->next;
		if (owner[r->partition] == l->self) {
			list_add(&l->fresh, r);
			continue;
		}
		if (!err && r->kind == LOG_PACK_LETTER && !varint_read(&at, end, &from) && !varint_read(&at, end, &number))
			err = send(ctx, r->partition, at, (size_t)(end - at), why);
		free(r);
	}
	return err;
}

/* --- from committed to ready */

/* Writes the pack of a partition. */
static void write_pack(struct agent_log *l, unsigned partition)
{
	struct ready *r = &l->ready[partition];

	log_pack_seal(&r->pack, l->self, &l->message);
	l->n_ready--;
	l->letters -= r->letters;
	r->letters = 0;
	l->ticket = member_log(l->member, partition, l->message.at, l->message.used);
}

static int has_any(const struct ready *r)
{
	return r->pack.raw.used || r->held.first;
}

/* Takes a record. */
static void make_ready(struct agent_log *l, struct record *r)
{
	struct ready *to = &l->ready[r->partition];

	if (to->pack.raw.used && !to->is_held && to->pack.raw.used + r->n > l->raw_most)
		write_pack(l, r->partition);
	l->n_ready += !has_any(to);
	to->letters += r->kind == LOG_PACK_LETTER;
	l->letters += r->kind == LOG_PACK_LETTER;
	if (to->is_held) {
		list_add(&to->held, r);
		return;
	}
	log_pack_add(&to->pack, r->kind, r->number, r->bytes, r->n);
	free(r);
}

static void need_all(struct batch *b, const struct post *post)
{
	for (unsigned i = 0; i < b->agents; i++)
		b->need[i] = post_sent(post, i);
}

static struct batch *add_batch(struct agent_log *l, const struct post *post, uint64_t entries)
{
	struct batch *b = mem_new(1, sizeof *b);

	b->next = NULL;
	b->entries = entries;
	b->agents = post_agents(post);
	list_init(&b->pages);
	need_all(b, post);
	*l->batch_end = b;
	l->batch_end = &b->next;
	return b;
}

void agent_log_committed(struct agent_log *l, const struct post *post, uint64_t entries)
{
	struct batch *b = NULL;

	for (struct record *r = l->fresh.first, *next; r; r = next) {
		next = r->next;
		if (!b)
			b = add_batch(l, post, entries);
		if (r->kind == LOG_PACK_PAGE)
			list_add(&b->pages, r);
		else
			make_ready(l, r);
	}
	list_init(&l->fresh);
	if (!l->batch)
		l->entries = entries;
}

void agent_log_readdressed(struct agent_log *l, const struct post *post)
{
	for (struct batch *b = l->batch; b; b = b->next) {
		b->agents = post_agents(post);
		need_all(b, post);
	}
}

static int is_confirmed(const struct batch *b, const struct post *post)
{
	for (unsigned i = 0; i < b->agents; i++)
		if (post_confirmed(post, i) < b->need[i])
			return 0;
	return 1;
}

static void make_all_ready(struct agent_log *l, struct list *list)
{
	for (struct record *r = list->first, *next; r; r = next) {
		next = r->next;
		make_ready(l, r);
	}
	list_init(list);
}

static void release_batches(struct agent_log *l, const struct post *post)
{
	while (l->batch && !l->letters && is_confirmed(l->batch, post)) {
		struct batch *b = l->batch;
		make_all_ready(l, &b->pages);
		l->entries = b->entries;
		l->batch = b->next;
		if (!l->batch)
			l->batch_end = &l->batch;
		free(b);
	}
}

/* --- writing */

int agent_log_write(struct agent_log *l, const struct post *post, int64_t every)
{
	const uint64_t before = l->ticket;

	if (!l->member)
		return 0;
	release_batches(l, post);
	if (clock_ms() - l->written < every)
		return 0;
	for (unsigned p = 0; l->n_ready && p < PARTITIONS; p++)
		if (l->ready[p].pack.raw.used && !l->ready[p].is_held)
			write_pack(l, p);
	release_batches(l, post);
	if (l->ticket != before)
		l->written = clock_ms();
	if (!l->n_ready && l->mark.entries <= l->done) {
		l->mark.ticket = l->ticket;
		l->mark.entries = l->entries;
	}
	return l->ticket != before;
}

void agent_log_hold(struct agent_log *l, unsigned partition)
{
	l->ready[partition].is_held = 1;
}

void agent_log_release(struct agent_log *l, unsigned partition)
{
	struct ready *r = &l->ready[partition];
	struct list held = r->held;

	if (!r->is_held)
		return;
	r->is_held = 0;
	l->n_ready -= r->held.first && !r->pack.raw.used;
	for (const struct record *one = held.first; one; one = one->next) {
		r->letters -= one->kind == LOG_PACK_LETTER;
		l->letters -= one->kind == LOG_PACK_LETTER;
	}
	list_init(&r->held);
	make_all_ready(l, &held);
}

int agent_log_has_letters(const struct agent_log *l, uint64_t *ticket)
{
	*ticket = l->ticket;
	return !l->n_ready;
}

int agent_log_close(struct agent_log *l, unsigned partition, uint64_t entries, uint64_t *ticket)
{
	const struct ready *r = &l->ready[partition];

	if (l->entries < entries || r->is_held)
		return 0;
	if (has_any(r))
		write_pack(l, partition);
	*ticket = l->ticket;
	return 1;
}

int agent_log_is_written(const struct agent_log *l, uint64_t ticket)
{
	return !l->member || member_logged(l->member) >= ticket;
}

int agent_log_is_quiet(const struct agent_log *l)
{
	return !l->fresh.first && !l->batch && !l->n_ready && agent_log_is_written(l, l->ticket);
}

uint64_t agent_log_done(struct agent_log *l)
{
	if (l->mark.entries > l->done && agent_log_is_written(l, l->mark.ticket))
		l->done = l->mark.entries;
	return l->done;
}
