#include "parser/words.h"
#include "base/lanes.h"

#include <string.h>
#include <strings.h>

#define BLOCK      64
#define NO_BLOCK   ((size_t)-1)
#define HASH_START 0xcbf29ce484222325u
#define HASH_PRIME 0x9e3779b97f4a7c15u

void words_init(struct words *w, const char *bytes, size_t n)
{
	*w = (struct words){.bytes = bytes, .n = n, .block = NO_BLOCK};
}

/* Fills the masks with what stands in the block at p. */
static void classify(struct words *w, const char *p)
{
	uint64_t word = 0, digit = 0, open = 0, close = 0; /* a store to w might change *p */

#pragma GCC unroll 4
	for (unsigned i = 0; i < BLOCK; i += LANES) {
		const lanes c = lanes_load(p + i);
		const lanes is_digit = (lanes)((lanes)(c - '0') < 10);
		const lanes is_letter = (lanes)((lanes)((c | 0x20) - 'a') < 26);
		word |= lanes_bits(is_letter | is_digit | (c & 0x80)) << i; /* 0x80: beyond ASCII */
		digit |= lanes_bits(is_digit) << i;
		open |= lanes_bits((lanes)(c == '<')) << i;
		close |= lanes_bits((lanes)(c == '>')) << i;
	}
	w->word = word;
	w->digit = digit;
	w->open = open;
	w->close = close;
}

/* The document's last block, which may be shorter than the others. A function of its own, so that the
 * others need no room for the copy. */
__attribute__((noinline)) static void look_at_last(struct words *w)
{
	char last[BLOCK] = {0};

	memcpy(last, w->bytes + w->block * BLOCK, w->n - w->block * BLOCK);
	classify(w, last);
}

static void look_at(struct words *w, size_t block)
{
	w->block = block;
	if (w->n - block * BLOCK < BLOCK)
		look_at_last(w);
	else
		classify(w, w->bytes + block * BLOCK);
}

/* The next byte, from `at` on, that is of a word or a '<'; or the end. */
static size_t next_place(struct words *w, size_t at)
{
	for (; at < w->n; at = (at / BLOCK + 1) * BLOCK) {
		if (at / BLOCK != w->block)
			look_at(w, at / BLOCK);
		const uint64_t bits = (w->word | w->open) >> at % BLOCK;
		if (bits)
			return at + (size_t)__builtin_ctzll(bits);
	}
	return w->n;
}

static int is_tag(const char *at, const char *end)
{
	return end - at > 1 && (words_is_letter((unsigned char)at[1]) || at[1] == '/' ||
				       at[1] == '!' || at[1] == '?');
}

/* Whether it may begin a script or a style. */
static int may_be_raw(const char *at, const char *end)
{
	return end - at > 2 && (at[1] | 0x20) == 's' && (at[2] | 0x20) != 'p';
}

/* The end tag's '<' of the raw text that a tag begins, the tag itself where it begins none. NULL:
 * there is no end. */
static const char *behind_raw_text(const char *at, const char *end)
{
	static const char *const closing[] = {"</script", "</style"};

	for (size_t i = 0; i < 2; i++) {
		const size_t n = strlen(closing[i]); /* as much as "<script" and one more */
		if ((size_t)(end - at) < n || strncasecmp(at + 1, closing[i] + 2, n - 2) != 0)
			continue;
		for (at++; (at = memchr(at, '<', (size_t)(end - at))); at++)
			if ((size_t)(end - at) >= n && strncasecmp(at, closing[i], n) == 0)
				break;
		break;
	}
	return at;
}

/* The end of the tag whose '>' is sought from the byte `from` of the document on. */
static size_t end_from(const struct words *w, size_t from)
{
	const char *close = memchr(w->bytes + from, '>', w->n - from);

	return close ? (size_t)(close + 1 - w->bytes) : w->n;
}

/* The end of the tag at `at`, which lies in the block that is known. */
static size_t end_of_tag(struct words *w, size_t at)
{
	const char *tag = w->bytes + at, *end = w->bytes + w->n, *from = tag;
	const uint64_t close = w->close >> at % BLOCK;

	if (may_be_raw(tag, end) && (from = behind_raw_text(tag, end)) != tag)
		return from ? end_from(w, (size_t)(from - w->bytes)) : w->n;
	if (close)
		return at + (size_t)__builtin_ctzll(close) + 1;
	at = (at / BLOCK + 1) * BLOCK; /* most tags end here, and what follows is read next */
	if (at >= w->n)
		return w->n;
	look_at(w, at / BLOCK);
	if (w->close)
		return at + (size_t)__builtin_ctzll(w->close) + 1;
	return end_from(w, w->n - at > BLOCK ? at + BLOCK : w->n);
}

static enum words_kind kind_of(uint64_t run, uint64_t digit)
{
	return !(run & digit) ? WORDS_LETTERS : run & ~digit ? WORDS_MIXED : WORDS_NUMBER;
}

/* The end of the word at `at`, which lies in the block that is known. */
static size_t end_of_word(struct words *w, size_t at, enum words_kind *kind)
{
	uint64_t gaps = ~w->word >> at % BLOCK, digit = w->digit >> at % BLOCK;

	if (gaps) {
		*kind = kind_of((gaps & -gaps) - 1, digit);
		return at + (size_t)__builtin_ctzll(gaps);
	}
	*kind = kind_of(~(uint64_t)0 >> at % BLOCK, digit);
	for (;;) {
		at = (at / BLOCK + 1) * BLOCK;
		if (at >= w->n)
			return at;
		look_at(w, at / BLOCK);
		if (!(w->word & 1))
			return at;
		gaps = ~w->word;
		if (kind_of(gaps ? (gaps & -gaps) - 1 : w->word, w->digit) != *kind)
			*kind = WORDS_MIXED;
		if (gaps)
			return at + (size_t)__builtin_ctzll(gaps);
	}
}

enum words_kind words_next(struct words *w, struct words_text *text)
{
	for (size_t at = w->at;; at++) {
		enum words_kind kind = WORDS_TAG;
		at = next_place(w, at);
		const char *start = w->bytes + at;
		if (at == w->n)
			kind = WORDS_END, w->at = at;
		else if (*start != '<')
			w->at = end_of_word(w, at, &kind);
		else if (is_tag(start, w->bytes + w->n))
			w->at = end_of_tag(w, at);
		else
			continue;
		*text = (struct words_text){start, w->at - at};
		return kind;
	}
}

static uint64_t stir(uint64_t hash, const char *sixteen, size_t n)
{
	static const char keep[2 * LANES] =
		"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff";
	const lanes x =
		(lanes_load(sixteen) | 0x20) & lanes_load(keep + LANES - (n < LANES ? n : LANES));
	uint64_t half[2];

	memcpy(half, &x, sizeof half);
	hash = (hash ^ half[0]) * HASH_PRIME + half[1];
	hash = (hash ^ hash >> 32) * HASH_PRIME;
	return hash ^ hash >> 29;
}

/* The same for a text at the end of the document, behind which there are no LANES bytes to be loaded. */
__attribute__((noinline)) static uint64_t stir_last(uint64_t hash, struct words_text text)
{
	char last[LANES] = {0};

	memcpy(last, text.at, text.length);
	return stir(hash, last, text.length);
}

uint64_t words_hash(const struct words *w, struct words_text text)
{
	const char *end = w->bytes + w->n;
	uint64_t hash = HASH_START + text.length;

	for (; text.length > LANES; text.length -= LANES, text.at += LANES)
		hash = stir(hash, text.at, LANES);
	return end - text.at < LANES ? stir_last(hash, text) : stir(hash, text.at, text.length);
}
