#include "base/mem.h"
#include "storage/handle.h"

#include <assert.h>
#include <stdlib.h>

#define URL_END 65536u

/* --- pages: see storage/urls.h */

int store_find(struct store *s, const char *url, size_t n, uint32_t *id)
{
	return texts_find(&s->pages, url, n, id);
}

void store_expect(struct store *s, const struct store_text *urls, size_t n)
{
	texts_expect(&s->pages, urls, n);
}

int store_add(struct store *s, const struct store_page *page, uint32_t *id, struct err_note *why)
{
	assert(page->url_length > 0 && page->url_length < URL_END);
	assert(page->host < store_hosts(s));
	assert(!store_find(s, page->url, page->url_length, id));
	int status = store_take_room(s, &s->pages.records, page->url_length + 16, why);
	if (status)
		return status;
	urls_append(&s->pages.records, page->url, page->url_length, page->host, page->depth, page->refusal, &s->last_page,
		&s->scratch);
	*id = texts_added(&s->pages, page->url, page->url_length);
	s->uncommitted++;
	return 0;
}

/* Returns the entry that has the page; else the one that was returned longest ago. If an entry has the page before, that is copied
 * into it, since the page is decoded from there. */
static struct url_entry *entry_for(struct store *s, uint32_t id)
{
	const struct url_entry *before = NULL;
	int oldest = 0, found = -1;

	for (int i = 0; i < STORE_URLS_HELD; i++) {
		if (s->read[i].number == (uint64_t)id + 1)
			found = i;
		if (id && s->read[i].number == id)
			before = &s->read[i];
		if (s->read_turn[i] < s->read_turn[oldest])
			oldest = i;
	}
	if (found < 0) {
		found = oldest;
		if (before)
			url_entry_copy(&s->read[found], before);
	}
	s->read_turn[found] = ++s->turns;
	return &s->read[found];
}

int store_page(struct store *s, uint32_t id, struct store_page *out)
{
	struct url_entry *e = entry_for(s, id);

	if (!urls_read(&s->pages.records, id, e) || e->host >= s->hosts.records.n || e->depth > UINT16_MAX)
		return 0;
	out->url = e->url.at;
	out->url_length = e->url.used;
	out->host = (uint32_t)e->host;
	out->depth = (uint16_t)e->depth;
	/* format 1 numbered refusals on their own, below those of outcomes */
	out->refusal = (uint8_t)(e->refusal < OUTCOME_HOST ? outcome_of_refusal_1(e->refusal) : e->refusal);
	return 1;
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
	records_append(&s->hosts.records, b->at, b->used);
	*host = texts_added(&s->hosts, name, n);
	return 0;
}

int store_find_host(struct store *s, const char *name, size_t n, uint32_t *host)
{
	return texts_find(&s->hosts, name, n, host);
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
		memset(s->host_name + s->host_names, 0, (room - s->host_names) * sizeof *s->host_name);
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
