#include "crawler/agent/page_record.h"
#include "base/mem.h"
#include "base/num.h"
#include "parser/link_kind.h"
#include "parser/url.h"

#include <stdlib.h>
#include <string.h>

/* --- writing */

static void put_text(struct buf *b, const void *text, size_t n)
{
	buf_varint(b, n);
	buf_add(b, text, n);
}

static void put_string(struct buf *b, const char *text)
{
	put_text(b, text ? text : "", text ? strlen(text) : 0);
}

static void put_u64(struct buf *b, uint64_t value)
{
	for (int i = 0; i < 8; i++)
		buf_byte(b, (int)(value >> (8 * i) & 0xff));
}

/* Appends the result of a page, in the order in which get_result() reads it. */
static void put_result(struct buf *b, const struct result *r)
{
	uint64_t score;

	memcpy(&score, &r->score, sizeof score);
	buf_varint(b, r->state);
	buf_varint(b, r->outcome);
	buf_varint(b, r->status);
	buf_zigzag(b, r->ended);
	buf_varint(b, r->bytes);
	put_u64(b, r->digest[0]);
	put_u64(b, r->digest[1]);
	put_u64(b, r->fingerprint);
	put_u64(b, r->simhash);
	buf_zigzag(b, r->validators.modified);
	put_text(b, r->validators.etag, r->validators.etag_length);
	buf_varint(b, r->is_scored != 0);
	put_u64(b, r->is_scored ? score : 0);
	put_string(b, r->type);
	put_string(b, r->language);
	put_string(b, r->title);
}

/* Adds the URL of page `id`, behind that of *last. A page that cannot be read has the URL "". */
static void put_url(struct buf *b, struct store *s, uint32_t id, struct buf *last)
{
	struct store_page page = {.url = "", .url_length = 0};
	size_t common = 0;

	if (!store_page(s, id, &page))
		page = (struct store_page){.url = ""};
	while (common < last->used && common < page.url_length && last->at[common] == page.url[common])
		common++;
	buf_varint(b, common);
	put_text(b, page.url + common, page.url_length - common);
	buf_clear(last);
	buf_add(last, page.url, page.url_length);
}

static void put_links(struct buf *b, struct store *s, uint32_t id, struct buf *last)
{
	const uint32_t *links;
	const uint8_t *kinds;
	const size_t n = store_links(s, id, &links, &kinds);
	size_t anchor_n, any = 0;

	buf_varint(b, n);
	for (size_t i = 0; i < n; i++) {
		put_url(b, s, links[i], last);
		buf_byte(b, kinds ? kinds[i] : 0);
	}
	for (size_t i = 0; i < n && !any; i++) {
		(void)store_anchor(s, id, i, &any);
	}
	buf_byte(b, any != 0);
	for (size_t i = 0; any && i < n; i++) {
		const char *anchor = store_anchor(s, id, i, &anchor_n);
		put_text(b, anchor, anchor_n);
	}
}

int page_record_write(struct store *s, uint32_t id, int64_t rest, struct buf *b)
{
	struct result result;
	struct buf last = BUF_EMPTY;

	buf_clear(b);
	if (!store_result(s, id, &result))
		return 0;
	put_result(b, &result);
	buf_varint(b, (uint64_t)(rest > 0 ? rest : 0));
	put_url(b, s, id, &last);
	if (result.state == PAGE_CRAWLED) {
		put_links(b, s, id, &last);
	} else if (result.state == PAGE_REDIRECTED) {
		buf_varint(b, 1);
		put_url(b, s, result.target, &last);
		buf_byte(b, 0);
		buf_byte(b, 0);
	} else {
		buf_varint(b, 0);
		buf_byte(b, 0);
	}
	buf_varint(b, result.usage);
	buf_release(&last);
	return 1;
}

/* --- reading */

/* Bytes of the URLs of a page's links: many links may have most of a long URL in common, and so take far more than the record
 * does. */
#define TEXTS_MOST ((size_t)256 << 20)

struct place {
	const uint8_t *at, *end;
	int is_wrong;
};

static uint64_t get(struct place *p, uint64_t most)
{
	uint64_t value = 0;

	if (p->is_wrong || varint_read(&p->at, p->end, &value) || value > most)
		p->is_wrong = 1;
	return p->is_wrong ? 0 : value;
}

static int64_t get_signed(struct place *p)
{
	int64_t value = 0;

	if (p->is_wrong || zigzag_read(&p->at, p->end, &value))
		p->is_wrong = 1;
	return p->is_wrong ? 0 : value;
}

static uint64_t get_u64(struct place *p)
{
	uint64_t value = 0;

	if (p->is_wrong || p->end - p->at < 8) {
		p->is_wrong = 1;
		return 0;
	}
	for (int i = 0; i < 8; i++)
		value |= (uint64_t)*p->at++ << (8 * i);
	return value;
}

/* Returns n bytes, at most `most` and none of them 0; "" if they are wrong. */
static const char *get_text(struct place *p, size_t *n, size_t most)
{
	*n = (size_t)get(p, most);
	if (p->is_wrong || *n > (size_t)(p->end - p->at) || memchr(p->at, 0, *n)) {
		p->is_wrong = 1;
		*n = 0;
		return "";
	}
	p->at += *n;
	return (const char *)p->at - *n;
}

static void get_string(struct place *p, char *to, size_t room)
{
	size_t n;
	const char *text = get_text(p, &n, room - 1);

	memcpy(to, text, n);
	to[n] = 0;
}

/* Reads the result of a page; sets p->is_wrong if it is impossible. */
static void get_result(struct place *p, struct page_record *r)
{
	struct page_about *about = &r->page.about;
	struct result *out = &r->page.result;
	size_t n;

	out->state = (enum page_state)get(p, PAGE_STATES - 1);
	out->outcome = (enum outcome)get(p, UINT8_MAX);
	out->status = (uint16_t)get(p, UINT16_MAX);
	out->started = out->ended = out->not_before = get_signed(p);
	out->bytes = get(p, UINT64_MAX);
	out->digest[0] = get_u64(p);
	out->digest[1] = get_u64(p);
	out->fingerprint = get_u64(p);
	out->simhash = get_u64(p);
	out->validators.modified = get_signed(p);
	out->validators.etag = get_text(p, &n, STORE_ETAG_MAX);
	out->validators.etag_length = n;
	out->is_scored = get(p, 1) != 0;
	const uint64_t score = get_u64(p);
	memcpy(&out->score, &score, sizeof out->score);
	get_string(p, about->type, sizeof about->type);
	get_string(p, about->language, sizeof about->language);
	get_string(p, about->title, sizeof about->title);
	out->type = about->type;
	out->language = about->language;
	out->title = about->title;
	out->target = STORE_NO_PAGE;
	r->rest = (int64_t)get(p, INT32_MAX);
	out->host_delay = -1;
	if (!outcome_may_leave(out->outcome, out->state) || out->state == PAGE_QUEUED || out->validators.modified < 0 ||
		(out->is_scored && !(out->score >= 0 && out->score <= NUM_SCORE_MOST)))
		p->is_wrong = 1;
}

/* Reads a URL into the end of *to. The URL before it, `had` bytes, ends `behind` bytes before the end of *to. */
static size_t get_url(struct place *p, struct buf *to, size_t from, size_t had)
{
	struct url url;
	size_t n;
	const size_t common = (size_t)get(p, had);
	const char *rest = get_text(p, &n, STORE_TEXT_MAX - common);

	/* by an offset, since the buf moves as it grows */
	(void)buf_room(to, common + n + 1);
	buf_add(to, to->at + from, common);
	buf_add(to, rest, n);
	if (!p->is_wrong && url_split(&url, to->at + to->used - common - n, common + n) != URL_OK)
		p->is_wrong = 1;
	return common + n;
}

/* Reads the links of a page with kinds and anchor texts. Each URL is stored without the beginning that it shares with the URL
 * before it. */
static void get_links(struct place *p, struct page_record *r)
{
	struct fetch_page *page = &r->page;
	const size_t most = (size_t)(p->end - p->at);

	page->n = (uint32_t)get(p, most < STORE_LINKS_MAX ? most : STORE_LINKS_MAX);
	r->start = mem_grow(r->start, &r->start_room, (size_t)page->n + 1, sizeof *r->start);
	r->kinds = mem_grow(r->kinds, &r->kinds_room, (size_t)page->n + 1, sizeof *r->kinds);
	size_t from = 0, had = r->texts.used - 1;
	const size_t before = r->texts.used;
	for (uint32_t i = 0; i < page->n && !p->is_wrong; i++) {
		const size_t at = r->texts.used;
		had = get_url(p, &r->texts, from, had);
		buf_byte(&r->texts, 0);
		p->is_wrong |= r->texts.used > TEXTS_MOST;
		from = at;
		r->start[i] = (uint32_t)(at - before);
		r->kinds[i] = p->at < p->end ? *p->at++ : 0;
		p->is_wrong |= (r->kinds[i] & ~LINK_NOFOLLOW) >= LINK_KINDS;
	}
	r->start[page->n] = (uint32_t)(r->texts.used - before);
	if (get(p, 1))
		for (uint32_t i = 0; i < page->n && !p->is_wrong; i++) {
			size_t n;
			const char *anchor = get_text(p, &n, STORE_TEXT_MAX);
			buf_add(&r->anchors, anchor, n);
			buf_byte(&r->anchors, 0);
		}
	page->text = r->texts.at + before;
	page->start = r->start;
	page->kinds = r->kinds;
	page->anchors = r->anchors.used ? r->anchors.at : NULL;
}

int page_record_read(struct page_record *r, const void *bytes, size_t n, struct err_note *why)
{
	struct place p = {bytes, (const uint8_t *)bytes + n, 0};

	memset(&r->page, 0, sizeof r->page);
	buf_clear(&r->texts);
	buf_clear(&r->anchors);
	get_result(&p, r);
	/* the links' URLs follow that of the page, which is the first text */
	(void)get_url(&p, &r->texts, 0, 0);
	buf_clear(&r->url);
	buf_add(&r->url, r->texts.at, r->texts.used);
	buf_byte(&r->texts, 0);
	if (!p.is_wrong)
		get_links(&p, r);
	r->page.result.usage = (uint16_t)get(&p, UINT16_MAX);
	if (p.is_wrong || p.at != p.end || (r->page.result.state == PAGE_REDIRECTED && r->page.n != 1))
		return err_set(why, ERR_FORMAT, "the log of a partition has a page that this version cannot read");
	return 0;
}

void page_record_release(struct page_record *r)
{
	buf_release(&r->url);
	buf_release(&r->texts);
	buf_release(&r->anchors);
	free(r->start);
	free(r->kinds);
}
