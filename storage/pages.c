#include "base/mem.h"
#include "storage/handle.h"

#include <assert.h>
#include <stdlib.h>

#define URL_END 65536u

/* --- pages: url NUL host depth refusal */

int page_record_read(const struct store *s, const uint8_t *at, size_t n, struct store_page *out)
{
	const uint8_t *end = at + n, *nul = memchr(at, 0, n);
	uint64_t host, depth;

	if (!nul || nul == at)
		return -1;
	out->url = (const char *)at;
	out->url_length = (size_t)(nul - at);
	at = nul + 1;
	if (varint_read(&at, end, &host) || varint_read(&at, end, &depth) || end - at != 1)
		return -1;
	if (host >= s->hosts.records.n || depth > UINT16_MAX)
		return -1;
	out->host = (uint32_t)host;
	out->depth = (uint16_t)depth;
	/* format 1 numbered refusals on their own, below those of outcomes */
	out->refusal = (uint8_t)(*at < OUTCOME_HOST ? outcome_of_refusal_1(*at) : *at);
	return 0;
}

int store_find(struct store *s, const char *url, size_t n, uint32_t *id)
{
	return texts_find(&s->pages, url, n, id);
}

int store_add(struct store *s, const struct store_page *page, uint32_t *id, struct err_note *why)
{
	struct buf *b = &s->scratch;

	assert(page->url_length > 0 && page->url_length < URL_END);
	assert(page->host < store_hosts(s));
	assert(!store_find(s, page->url, page->url_length, id));
	int status = store_take_room(s, &s->pages.records, page->url_length + 16, why);
	if (status)
		return status;
	buf_clear(b);
	buf_add(b, page->url, page->url_length);
	buf_byte(b, 0);
	buf_varint(b, page->host);
	buf_varint(b, page->depth);
	buf_byte(b, page->refusal);
	*id = texts_add(&s->pages, b->at, b->used, page->url_length);
	s->uncommitted++;
	return 0;
}

int store_page(struct store *s, uint32_t id, struct store_page *out)
{
	const uint8_t *at;
	size_t n;

	return records_get(&s->pages.records, id, &at, &n) && page_record_read(s, at, n, out) == 0;
}

uint32_t store_pages(const struct store *s)
{
	return (uint32_t)s->pages.records.n;
}

/* --- hosts: name NUL */

int store_host(struct store *s, const char *name, size_t n, uint32_t *host, struct err_note *why)
{
	struct buf *b = &s->scratch;

	assert(n > 0 && n < URL_END && !memchr(name, 0, n));
	if (texts_find(&s->hosts, name, n, host))
		return 0;
	int status = store_take_room(s, &s->hosts.records, n + 1, why);
	if (status)
		return status;
	buf_clear(b);
	buf_add(b, name, n);
	buf_byte(b, 0);
	*host = texts_add(&s->hosts, b->at, b->used, n);
	return 0;
}

const char *store_host_name(struct store *s, uint32_t host)
{
	const uint8_t *at;
	size_t n, hosts = store_hosts(s);

	if (host >= hosts)
		return NULL;
	if (host >= s->host_names) {
		size_t room = hosts + hosts / 2;
		s->host_name = mem_resize(s->host_name, room, sizeof *s->host_name);
		memset(s->host_name + s->host_names, 0,
			(room - s->host_names) * sizeof *s->host_name);
		s->host_names = room;
	}
	if (!s->host_name[host]) {
		if (!records_get(&s->hosts.records, host, &at, &n) || !memchr(at, 0, n))
			return NULL;
		s->host_name[host] = mem_text((const char *)at);
	}
	return s->host_name[host];
}

uint32_t store_hosts(const struct store *s)
{
	return (uint32_t)s->hosts.records.n;
}
