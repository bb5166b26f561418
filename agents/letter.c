#include "agents/letter.h"
#include "agents/partition.h"

#include <math.h>
#include <string.h>

int letter_is_of_page(enum letter_kind kind)
{
	return kind == LETTER_PAGE || kind == LETTER_TARGET;
}

/* --- writing */

static void write_real(struct buf *b, double real)
{
	uint64_t bits;

	memcpy(&bits, &real, sizeof bits);
	for (int i = 0; i < 8; i++)
		buf_byte(b, (int)(bits >> 8 * i & 0xff));
}

static void write_url(struct letter_out *o, const char *url, size_t n)
{
	size_t common = 0;

	while (common < n && common < o->last.used && url[common] == o->last.at[common])
		common++;
	buf_varint(&o->bytes, common);
	buf_varint(&o->bytes, n - common);
	buf_add(&o->bytes, url + common, n - common);
	buf_clear(&o->last);
	buf_add(&o->last, url, n);
}

static void begin(struct letter_out *o, enum letter_kind kind, unsigned partition, size_t urls)
{
	buf_clear(&o->bytes);
	buf_clear(&o->last);
	buf_byte(&o->bytes, kind);
	buf_varint(&o->bytes, partition);
	buf_varint(&o->bytes, urls);
}

void letter_write_page(struct letter_out *o, enum letter_kind kind, unsigned partition, const struct frontier_remote *page,
	const char *url, size_t n)
{
	begin(o, kind, partition, page->n_links + 1);
	write_real(&o->bytes, page->key);
	buf_byte(&o->bytes, page->kinds != NULL);
	buf_varint(&o->bytes, page->depth);
	buf_varint(&o->bytes, page->outdegree);
	buf_varint(&o->bytes, page->n_private);
	if (page->n_private)
		buf_add(&o->bytes, page->private, page->n_private);
	write_url(o, url, n);
}

void letter_write_link(struct letter_out *o, const struct frontier_remote *page, const char *url, size_t n, uint8_t kind)
{
	write_url(o, url, n);
	if (page->kinds)
		buf_byte(&o->bytes, kind);
}

void letter_write_masses(struct letter_out *o, unsigned partition, size_t count)
{
	begin(o, LETTER_MASS, partition, count);
}

void letter_write_mass(struct letter_out *o, const char *url, size_t n, double mass)
{
	write_url(o, url, n);
	write_real(&o->bytes, mass);
}

void letter_write_seed(struct letter_out *o, unsigned partition, const char *url, size_t n)
{
	begin(o, LETTER_SEED, partition, 1);
	write_url(o, url, n);
}

void letter_out_release(struct letter_out *o)
{
	buf_release(&o->bytes);
	buf_release(&o->last);
}

/* --- reading */

static int damaged(struct err_note *why)
{
	return err_set(why, ERR_FORMAT, "the bytes are no letter of an agent");
}

static size_t rest(const struct letter *l)
{
	return (size_t)(l->end - l->at);
}

/* Reads a number of at most `most`. Returns 0 or -1. */
static int read_number(struct letter *l, uint64_t most, uint64_t *n)
{
	return varint_read(&l->at, l->end, n) || *n > most ? -1 : 0;
}

static int read_real(struct letter *l, double *real)
{
	uint64_t bits = 0;

	if (rest(l) < 8)
		return -1;
	for (int i = 0; i < 8; i++)
		bits |= (uint64_t)*l->at++ << 8 * i;
	memcpy(real, &bits, sizeof bits);
	return isfinite(*real) ? 0 : -1;
}

static int read_byte(struct letter *l, unsigned most, uint8_t *byte)
{
	if (!rest(l) || *l->at > most)
		return -1;
	*byte = *l->at++;
	return 0;
}

/* Reads the fields of a page that stand before its URL. Returns 0 or -1. */
static int read_page(struct letter *l)
{
	uint64_t depth, outdegree, n;
	uint8_t has_kinds;

	if (read_real(l, &l->page.key) || read_byte(l, 1, &has_kinds) || read_number(l, UINT16_MAX, &depth) ||
		read_number(l, UINT32_MAX, &outdegree) || read_number(l, LETTER_PRIVATE_MAX, &n) || n > rest(l))
		return -1;
	l->has_kinds = has_kinds;
	l->page.depth = (uint16_t)depth;
	l->page.outdegree = (size_t)outdegree;
	l->page.n_private = (size_t)n;
	l->page.private = l->at;
	l->at += n;
	return l->left && l->left - 1 <= outdegree ? 0 : -1;
}

int letter_open(struct letter *l, const void *bytes, size_t n, struct err_note *why)
{
	uint64_t partition, urls;
	uint8_t kind;

	*l = (struct letter){.at = bytes, .end = (const uint8_t *)bytes + n};
	if (read_byte(l, LETTER_SEED, &kind) || !kind || read_number(l, PARTITIONS - 1, &partition) || read_number(l, n, &urls))
		return damaged(why);
	l->kind = (enum letter_kind)kind;
	l->partition = (unsigned)partition;
	l->left = (size_t)urls;
	if (l->kind == LETTER_SEED && urls != 1)
		return damaged(why);
	return letter_is_of_page(l->kind) && read_page(l) ? damaged(why) : 0;
}

int letter_url(struct letter *l, struct err_note *why)
{
	uint64_t common, n;

	if (!l->left)
		return rest(l) ? damaged(why) : 0;
	if (read_number(l, l->url.used, &common) || read_number(l, LETTER_URL_MAX - common, &n) || n > rest(l) || common + n == 0 ||
		memchr(l->at, 0, (size_t)n))
		return damaged(why);
	l->url.used = (size_t)common;
	buf_add(&l->url, l->at, (size_t)n);
	l->at += n;
	l->left--;
	return 1;
}

int letter_kind_of_link(struct letter *l, uint8_t *kind, struct err_note *why)
{
	*kind = 0;
	return l->has_kinds && read_byte(l, UINT8_MAX, kind) ? damaged(why) : 0;
}

int letter_mass(struct letter *l, double *mass, struct err_note *why)
{
	return read_real(l, mass) || *mass <= 0 || *mass > LETTER_MASS_MAX ? damaged(why) : 0;
}

void letter_release(struct letter *l)
{
	buf_release(&l->url);
}
