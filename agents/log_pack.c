#include "agents/log_pack.h"
#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <zlib.h>

#define VERSION 2
#define NARROW  1 /* the version before, whose numbers have NARROW_BITS for the records of an entry */
#define LEVEL   1 /* of zlib, */
#define WINDOW  15
#define MEMORY  6 /* whose tables are cleared for each pack: most have some hundred bytes */

#define ENTRY_BITS  24
#define NARROW_BITS 8

uint64_t log_pack_number(uint64_t entry, uint64_t before)
{
	const uint64_t first = (entry + 1) << ENTRY_BITS;

	return before >= first ? before + 1 : first;
}

static uint64_t widened(uint64_t narrow)
{
	return (narrow >> NARROW_BITS) << ENTRY_BITS | (narrow & ((1U << NARROW_BITS) - 1));
}

void log_pack_add(struct log_pack_out *p, enum log_pack_kind kind, uint64_t number, const void *bytes, size_t n)
{
	buf_byte(&p->raw, (int)kind);
	buf_varint(&p->raw, number);
	buf_varint(&p->raw, n);
	buf_add(&p->raw, bytes, n);
	p->last = number;
}

struct log_press {
	z_stream z;
};

struct log_press *log_press_new(void)
{
	struct log_press *press = mem_zero(1, sizeof *press);

	if (deflateInit2(&press->z, LEVEL, Z_DEFLATED, WINDOW, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
		mem_exhausted();
	return press;
}

void log_press_free(struct log_press *press)
{
	if (press)
		(void)deflateEnd(&press->z);
	free(press);
}

static void compress_into(struct log_press *press, const struct buf *raw, struct buf *message)
{
	z_stream *z = &press->z;

	(void)deflateReset(z);
	const uLong room = deflateBound(z, (uLong)raw->used);
	z->next_out = (Bytef *)buf_room(message, room);
	z->avail_out = (uInt)room;
	z->next_in = (Bytef *)raw->at;
	z->avail_in = (uInt)raw->used;
	const int end = deflate(z, Z_FINISH);
	assert(end == Z_STREAM_END); /* there is room */
	(void)end;
	message->used += room - z->avail_out;
	buf_end(message);
}

void log_pack_seal(struct log_pack_out *p, unsigned agent, struct buf *message)
{
	buf_clear(message);
	buf_byte(message, VERSION);
	buf_varint(message, agent);
	buf_varint(message, p->raw.used);
	if (p->raw.used) {
		struct log_press *press = p->press ? p->press : log_press_new();
		compress_into(press, &p->raw, message);
		if (press != p->press)
			log_press_free(press);
	}
	buf_clear(&p->raw);
}

void log_pack_out_release(struct log_pack_out *p)
{
	buf_release(&p->raw);
}

static int foreign(struct err_note *why)
{
	return err_set(why, ERR_FORMAT,
		"the log of a partition at the NATS server is none of this version: all agents need the same");
}

int log_pack_open(struct log_pack *p, const void *message, size_t n, struct err_note *why)
{
	const uint8_t *at = message, *end = at + n;
	uint64_t agent, raw;

	*p = (struct log_pack){.raw = BUF_EMPTY};
	if (n < 3 || (*at != VERSION && *at != NARROW))
		return foreign(why);
	p->version = *at++;
	if (varint_read(&at, end, &agent) || agent > UINT16_MAX || varint_read(&at, end, &raw) || raw > LOG_PACK_RAW_MAX)
		return foreign(why);
	p->agent = (unsigned)agent;
	if (raw) {
		uLongf got = (uLongf)raw;
		char *to = buf_room(&p->raw, raw);
		if (uncompress((Bytef *)to, &got, at, (uLong)(end - at)) != Z_OK || got != raw)
			return foreign(why);
		p->raw.used = raw;
		buf_end(&p->raw);
	}
	p->at = (const uint8_t *)p->raw.at;
	return 0;
}

int log_pack_next(struct log_pack *p, struct log_pack_record *r, struct err_note *why)
{
	const uint8_t *end = p->raw.used ? (const uint8_t *)p->raw.at + p->raw.used : p->at;
	uint64_t n;

	if (p->at == end)
		return 0;
	r->kind = (enum log_pack_kind) * p->at++;
	if (varint_read(&p->at, end, &r->number) || varint_read(&p->at, end, &n) || n > (uint64_t)(end - p->at))
		return foreign(why);
	if (p->version == NARROW)
		r->number = widened(r->number);
	r->bytes = p->at;
	r->n = (size_t)n;
	p->at += n;
	return 1;
}

void log_pack_release(struct log_pack *p)
{
	buf_release(&p->raw);
}
