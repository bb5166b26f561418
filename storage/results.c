#include "storage/handle.h"

#include <assert.h>

#define DIGEST_BYTES 16

/* id state error status target+1 tries bytes time [digest [modified etag]] */

static void write_digest(uint8_t *at, const uint64_t digest[2])
{
	for (int i = 0; i < DIGEST_BYTES; i++)
		at[i] = (uint8_t)(digest[i / 8] >> (i % 8 * 8));
}

static void read_digest(const uint8_t *at, uint64_t digest[2])
{
	digest[0] = digest[1] = 0;
	for (int i = 0; i < DIGEST_BYTES; i++)
		digest[i / 8] |= (uint64_t)at[i] << (i % 8 * 8);
}

int store_put_result(
	struct store *s, uint32_t id, const struct store_result *r, struct err_note *why)
{
	struct buf *b = &s->scratch;

	assert(id < store_pages(s) && r->state <= STORED_REDIRECTED);
	assert(r->target == STORE_NO_PAGE || r->target < store_pages(s));
	assert(r->etag_length <= STORE_ETAG_MAX && r->modified >= 0);
	int status = store_take_room(s, &s->results, 80 + r->etag_length, why);
	if (status)
		return status;
	buf_clear(b);
	buf_varint(b, id);
	buf_byte(b, r->state);
	buf_byte(b, r->error);
	buf_varint(b, r->status);
	buf_varint(b, r->target == STORE_NO_PAGE ? 0 : (uint64_t)r->target + 1);
	buf_varint(b, r->tries);
	buf_varint(b, r->bytes);
	buf_zigzag(b, r->time);
	if (r->digest[0] || r->digest[1]) {
		write_digest((uint8_t *)buf_room(b, DIGEST_BYTES), r->digest);
		b->used += DIGEST_BYTES;
		if (r->modified || r->etag_length) {
			buf_varint(b, (uint64_t)r->modified);
			buf_add(b, r->etag, r->etag_length);
		}
	}
	records_append(&s->results, b->at, b->used);
	s->uncommitted++;
	return 0;
}

/* What stands behind the digest, if anything does. */
static int read_validators(const uint8_t *at, const uint8_t *end, struct store_result *out)
{
	uint64_t modified = 0;

	if (at != end && varint_read(&at, end, &modified))
		return -1;
	out->modified = (int64_t)modified;
	out->etag = (const char *)at;
	out->etag_length = (size_t)(end - at);
	return modified > INT64_MAX || out->etag_length > STORE_ETAG_MAX ? -1 : 0;
}

int result_read(
	const struct store *s, const uint8_t *at, size_t n, uint32_t *id, struct store_result *out)
{
	const uint8_t *end = at + n;
	uint64_t page, status, target, tries, pages = store_pages(s);

	if (varint_read(&at, end, &page) || page >= pages || end - at < 2)
		return -1;
	out->state = *at++;
	out->error = *at++;
	if (out->state > STORED_REDIRECTED || varint_read(&at, end, &status) ||
		status > UINT16_MAX || varint_read(&at, end, &target) || target > pages ||
		varint_read(&at, end, &tries) || tries > UINT32_MAX ||
		varint_read(&at, end, &out->bytes) || zigzag_read(&at, end, &out->time))
		return -1;
	if (at != end && end - at < DIGEST_BYTES)
		return -1;
	*id = (uint32_t)page;
	out->status = (uint16_t)status;
	out->target = target ? (uint32_t)(target - 1) : STORE_NO_PAGE;
	out->tries = (uint32_t)tries;
	out->digest[0] = out->digest[1] = 0;
	if (at == end)
		return read_validators(end, end, out);
	read_digest(at, out->digest);
	return read_validators(at + DIGEST_BYTES, end, out);
}

int result_find(struct store *s, uint32_t id, struct store_result *out)
{
	const uint8_t *at;
	uint64_t number;
	uint32_t of;
	size_t n;

	if (!latest_find(s, &s->latest_result, &s->results, id, &number))
		return 0;
	if (!records_get(&s->results, number, &at, &n) || result_read(s, at, n, &of, out))
		return -1;
	return of == id ? 1 : -1;
}

int store_result(struct store *s, uint32_t id, struct store_result *out)
{
	return result_find(s, id, out) == 1;
}
