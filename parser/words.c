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

static void look_at(struct words *w, size_t block)
{
	const char *p = w->bytes + block * BLOCK;
	const size_t left = w->n - block * BLOCK;
	char last[BLOCK] = {0};

	if (left < BLOCK)
		p = memcpy(last, p, left);
	w->block = block;
	w->word = w->digit = w->open = w->close = 0;
	for (unsigned i = 0; i < BLOCK; i += LANES) {
		const lanes c = lanes_load(p + i);
		const lanes digit = (lanes)((lanes)(c - '0') < 10);
		const lanes letter = (lanes)((lanes)((c | 0x20) - 'a') < 26) | (lanes)(c >= 0x80);
		w->word |= lanes_bits(letter | digit) << i;
		w->digit |= lanes_bits(digit) << i;
		w->open |= lanes_bits((lanes)(c == '<')) << i;
		w->close |= lanes_bits((lanes)(c == '>')) << i;
	}
}

/* The next byte, from the cursor on, that is of a word or a '<'; or the end. */
static size_t next_place(struct words *w)
{
	for (size_t at = w->at; at < w->n; at = (at / BLOCK + 1) * BLOCK) {
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

/* The length of the tag at `at`, which lies in the block that is known. */
static size_t length_of_tag(const struct words *w, size_t at)
{
	const char *tag = w->bytes + at, *end = w->bytes + w->n, *from = tag;
	const uint64_t close = w->close >> at % BLOCK;

	if (may_be_raw(tag, end))
		from = behind_raw_text(tag, end);
	if (from == tag && close)
		return (size_t)__builtin_ctzll(close) + 1;
	from = from ? memchr(from, '>', (size_t)(end - from)) : NULL;
	return (size_t)((from ? from + 1 : end) - tag);
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
	for (;;) {
		const size_t at = next_place(w);
		enum words_kind kind = WORDS_TAG;
		*text = (struct words_text){w->bytes + at, 0};
		w->at = at;
		if (at == w->n)
			return WORDS_END;
		if (*text->at != '<')
			text->length = end_of_word(w, at, &kind) - at;
		else if (is_tag(text->at, w->bytes + w->n))
			text->length = length_of_tag(w, at);
		w->at = at + (text->length ? text->length : 1);
		if (text->length)
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

uint64_t words_hash(const struct words *w, struct words_text text)
{
	const char *end = w->bytes + w->n;
	uint64_t hash = HASH_START + text.length;
	char last[LANES] = {0};

	for (; text.length > LANES; text.length -= LANES, text.at += LANES)
		hash = stir(hash, text.at, LANES);
	if (end - text.at < LANES)
		text.at = memcpy(last, text.at, text.length);
	return stir(hash, text.at, text.length);
}
