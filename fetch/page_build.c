#include "fetch/page_build.h"
#include "base/mem.h"
#include "parser/link_kind.h"
#include "parser/utf8.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define SLOTS_FIRST 1024u
#define STEP        16u
#define SLOTS_KEPT  (1u << 17) /* a page with more links than half of it gives the rest back */

static void new_slots(struct page_build *b, size_t slots)
{
	b->slot = mem_zero(slots, sizeof *b->slot);
	b->mask = slots - 1;
	b->epoch = 1;
}

void page_build_init(struct page_build *b, uint32_t max_links, uint64_t key)
{
	*b = (struct page_build){.max_links = max_links, .key = key};
	new_slots(b, SLOTS_FIRST);
}

void page_build_release(struct page_build *b)
{
	buf_release(&b->text);
	buf_release(&b->line);
	buf_release(&b->anchors);
	buf_release(&b->shown);
	url_release(&b->changed);
	free(b->link);
	free(b->slot);
}

static void double_slots(struct page_build *b)
{
	struct page_slot *old = b->slot;
	size_t n = b->mask + 1;
	uint32_t epoch = b->epoch;

	new_slots(b, n * 2);
	for (size_t i = 0; i < n; i++) {
		if (old[i].epoch != epoch)
			continue;
		size_t at = old[i].hash & b->mask;
		while (b->slot[at].epoch == b->epoch)
			at = (at + 1) & b->mask;
		b->slot[at] = (struct page_slot){old[i].hash, old[i].link, b->epoch};
	}
	free(old);
}

static size_t length_of(const struct page_build *b, uint32_t i)
{
	size_t end = i + 1 < b->n ? b->link[i + 1].start : b->text.used;

	return end - b->link[i].start - 1;
}

static const struct url *by_rules(struct page_build *b, const struct url *target)
{
	url_copy(&b->changed, target);
	url_drop_user(&b->changed);
	url_rules_apply(b->rules, &b->changed);
	return &b->changed;
}

/* Keeps the anchor text of the link that was added last. Nothing is kept until a link has a text; then empty texts are added for
 * the links before it. */
static void add_anchor(struct page_build *b, const char *anchor)
{
	if (b->anchors.used == 0 && !*anchor)
		return;
	for (uint32_t i = 1; b->anchors.used < b->n - 1 && i < b->n; i++)
		buf_byte(&b->anchors, 0);
	buf_add(&b->anchors, anchor, strlen(anchor) + 1);
}

int page_build_add(struct page_build *b, const struct url *target, unsigned kind, const char *anchor)
{
	if (b->rules || url_has_user(target))
		target = by_rules(b, target);
	const char *text = target->text.at;
	const size_t n = target->text.used;
	const uint64_t hash = XXH3_64bits_withSeed(text, n, b->key);
	size_t at = hash & b->mask;

	for (; b->slot[at].epoch == b->epoch; at = (at + 1) & b->mask) {
		const struct page_slot *s = &b->slot[at];
		if (s->hash == hash && length_of(b, s->link) == n && memcmp(b->text.at + b->link[s->link].start, text, n) == 0)
			return 0;
	}
	if (b->n >= b->max_links || b->text.used + n + 1 > PAGE_MAX_TEXT)
		return 1;
	b->slot[at] = (struct page_slot){hash, b->n, b->epoch};
	b->link = mem_grow(b->link, &b->room, (size_t)b->n + 1, sizeof *b->link);
	b->link[b->n++] = (struct page_link){(uint32_t)b->text.used, target->host, target->path, 0, (uint8_t)kind};
	buf_add(&b->text, text, n);
	buf_byte(&b->text, 0);
	add_anchor(b, anchor);
	if ((size_t)b->n * 2 > b->mask)
		double_slots(b);
	return 0;
}

void page_build_reset(struct page_build *b)
{
	b->n = 0;
	buf_clear(&b->text);
	buf_clear(&b->anchors);
	if (b->mask >= SLOTS_KEPT || ++b->epoch == 0) {
		free(b->slot);
		new_slots(b, SLOTS_FIRST);
	}
}

void page_build_filter(struct page_build *b, int (*keep)(void *ctx, const char *url, size_t n, unsigned kind), void *ctx)
{
	size_t kept = 0, anchor = 0, anchors = 0;
	uint32_t n = 0;

	for (uint32_t i = 0, end; i < b->n; i++, anchor += end) {
		const size_t length = length_of(b, i);
		struct page_link l = b->link[i];
		end = b->anchors.used ? (uint32_t)strlen(b->anchors.at + anchor) + 1 : 0;
		if (!keep(ctx, b->text.at + l.start, length, l.kind))
			continue;
		if (kept < l.start)
			memmove(b->text.at + kept, b->text.at + l.start, length + 1);
		if (anchors < anchor)
			memmove(b->anchors.at + anchors, b->anchors.at + anchor, end);
		l.start = (uint32_t)kept;
		b->link[n++] = l;
		kept += length + 1;
		anchors += end;
	}
	b->n = n;
	b->text.used = kept;
	b->anchors.used = anchors;
}

/* --- from process to process */

size_t page_build_most(uint32_t max_links)
{
	return PAGE_MAX_TEXT + (size_t)max_links * (sizeof(struct page_link) + LINK_ANCHOR);
}

static char *append(char *to, const void *bytes, size_t n)
{
	if (n)
		memcpy(to, bytes, n);
	return to + n;
}

char *page_build_put(const struct page_build *b, struct page_cargo *cargo, char *to)
{
	*cargo = (struct page_cargo){b->n, b->text.used, b->anchors.used};
	to = append(to, b->link, b->n * sizeof *b->link);
	to = append(to, b->text.at, b->text.used);
	return append(to, b->anchors.at, b->anchors.used);
}

/* Says whether a page can give a link of a kind. */
static int is_of_page(unsigned kind)
{
	return kind < LINK_KINDS && kind != LINK_REDIRECT && kind != LINK_MADE_UP;
}

/* Says whether a link has a kind that a page can give, and n bytes of a URL, with its NUL, that has a host where the link says. */
static int is_sound(const struct page_link *l, const char *url, size_t n)
{
	unsigned char outside = 0;
	size_t i = 0;

	for (; i + STEP < n; i += STEP) /* which the compiler does at once */
		for (size_t k = 0; k < STEP; k++)
			outside |= (unsigned char)((unsigned char)(url[i + k] - 0x21) > 0x7e - 0x21);
	for (; i + 1 < n; i++)
		outside |= (unsigned char)((unsigned char)(url[i] - 0x21) > 0x7e - 0x21);
	return !outside && n > 8 && !url[n - 1] && is_of_page(l->kind & ~(unsigned)LINK_NOFOLLOW) && l->host < l->host_end &&
		l->host_end < n && (memcmp(url, "http://", 7) == 0 || memcmp(url, "https://", 8) == 0);
}

int page_text_is_clean(const char *text, size_t n)
{
	for (const char *end = text + n; text < end;) {
		const uint32_t c = utf8_read(&text, end);
		if (c < 0x20 || (c >= 0x7f && c < 0xa0) || c == UTF8_MALFORMED)
			return 0;
	}
	return 1;
}

/* Says whether these are n clean texts, each with its NUL. */
static int are_sound(const char *anchors, size_t length, size_t n)
{
	const char *end = anchors + length;

	for (; n && anchors < end; n--) {
		const size_t m = strnlen(anchors, (size_t)(end - anchors));
		if (m >= LINK_ANCHOR || m == (size_t)(end - anchors) || !page_text_is_clean(anchors, m))
			return 0;
		anchors += m + 1;
	}
	return !n && anchors == end;
}

const char *page_build_load(struct page_build *b, const struct page_cargo *cargo, const char *from)
{
	const uint32_t n = cargo->n;
	int is_good = n <= b->max_links && cargo->text_n <= PAGE_MAX_TEXT && cargo->anchors_n <= (size_t)n * LINK_ANCHOR;

	page_build_reset(b);
	if (!is_good)
		return NULL;
	b->link = mem_grow(b->link, &b->room, n, sizeof *b->link);
	memcpy(b->link, from, n * sizeof *b->link);
	from += n * sizeof *b->link;
	buf_add(&b->text, from, cargo->text_n);
	buf_add(&b->anchors, from + cargo->text_n, cargo->anchors_n);
	for (uint32_t i = 0, at = 0, end; is_good && i < n; i++, at = end) {
		end = i + 1 < n ? b->link[i + 1].start : (uint32_t)cargo->text_n;
		is_good = b->link[i].start == at && at < end && end <= cargo->text_n &&
			is_sound(&b->link[i], b->text.at + at, end - at);
	}
	is_good &= (n || !cargo->text_n) && (!cargo->anchors_n || are_sound(b->anchors.at, cargo->anchors_n, n));
	b->n = n;
	if (is_good)
		return from + cargo->text_n + cargo->anchors_n;
	page_build_reset(b);
	return NULL;
}

/* Copies n bytes to *end, which moves behind them. Returns the copy. */
static const char *put(char **end, const char *bytes, size_t n)
{
	char *copy = *end;

	if (n)
		memcpy(copy, bytes, n);
	*end += n;
	return copy;
}

struct fetch_page *page_build_take(struct page_build *b, const struct fetch_page *head)
{
	const size_t n = b->n;
	const struct validators *v = &head->result.validators;
	const size_t size = sizeof(struct fetch_page) + (4 * n + 1) * sizeof(uint32_t) + n + b->text.used + v->etag_length +
		head->robots_n + head->line_n + b->anchors.used + head->shown_n + head->result.requisites_n;
	struct fetch_page *page = mem_new(size, 1);
	uint32_t *start = (uint32_t *)(page + 1), *host = start + n + 1, *host_end = host + n, *changed = host_end + n;
	uint8_t *kinds = (uint8_t *)(changed + n);
	char *text = (char *)(kinds + n);

	*page = *head;
	page->size = size;
	page->result.type = page->about.type;
	page->result.language = page->about.language;
	page->result.title = page->about.title;
	page->n = b->n;
	page->start = start;
	page->host = host;
	page->host_end = host_end;
	page->changed = changed;
	page->kinds = kinds;
	page->text = text;
	for (size_t i = 0; i < n; i++) {
		start[i] = b->link[i].start;
		host[i] = b->link[i].host;
		host_end[i] = b->link[i].host_end;
		changed[i] = b->link[i].changed;
		kinds[i] = b->link[i].kind;
	}
	start[n] = (uint32_t)b->text.used;
	if (b->text.used)
		memcpy(text, b->text.at, b->text.used);
	char *end = text + b->text.used;
	page->result.validators.etag = put(&end, v->etag, v->etag_length);
	if (head->robots)
		page->robots = put(&end, head->robots, head->robots_n);
	page->line = put(&end, head->line, head->line_n);
	if (b->anchors.used)
		page->anchors = put(&end, b->anchors.at, b->anchors.used);
	if (head->shown)
		page->shown = put(&end, head->shown, head->shown_n);
	page->result.requisites = put(&end, head->result.requisites, head->result.requisites_n);
	page_build_reset(b);
	return page;
}

/* Returns a pointer into a page that has moved by some bytes. */
static const void *moved(const void *at, uintptr_t by)
{
	return at ? (const void *)((uintptr_t)at + by) : NULL;
}

void fetch_page_moved(struct fetch_page *page, uintptr_t from)
{
	const uintptr_t by = (uintptr_t)page - from;
	struct result *r = &page->result;

	r->type = moved(r->type, by);
	r->language = moved(r->language, by);
	r->title = moved(r->title, by);
	r->validators.etag = moved(r->validators.etag, by);
	r->requisites = moved(r->requisites, by);
	page->line = moved(page->line, by);
	page->shown = moved(page->shown, by);
	page->robots = moved(page->robots, by);
	page->start = moved(page->start, by);
	page->host_end = moved(page->host_end, by);
	page->host = moved(page->host, by);
	page->changed = moved(page->changed, by);
	page->kinds = moved(page->kinds, by);
	page->text = moved(page->text, by);
	page->anchors = moved(page->anchors, by);
}

void fetch_page_free(struct fetch_page *page)
{
	free(page);
}
