#include "parser/words.h"
#include "base/ascii.h"
#include "base/lanes.h"

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define BLOCK CLASSES_BLOCK
#define AHEAD 2 /* bytes behind a '<' that are looked at */
#define ALL   (~(uint64_t)0)

#define TAG                  (1u << 31) /* a '<' before this byte begins a tag */
#define LETTER(c)            (1u << ((c)&31))
#define BOTH(lower, seconds) [lower] = TAG | (seconds), [(lower)-0x20] = TAG | (seconds)

/* Indexed by the byte after a '<'. 0: this byte begins no tag. The other bits are the second letters of the names of
 * media, scripts and styles that begin with this byte. */
static const uint32_t second_letters[128] = {
	/* clang-format off */
	['/'] = TAG, ['!'] = TAG, ['?'] = TAG,
	BOTH('a', LETTER('u')), BOTH('b', 0), BOTH('c', 0), BOTH('d', 0), BOTH('e', LETTER('m')),
	BOTH('f', LETTER('r')), BOTH('g', 0), BOTH('h', 0), BOTH('i', LETTER('m') | LETTER('f')),
	BOTH('j', 0), BOTH('k', 0), BOTH('l', 0), BOTH('m', 0), BOTH('n', 0),
	BOTH('o', LETTER('b')), BOTH('p', 0), BOTH('q', 0), BOTH('r', 0),
	BOTH('s', LETTER('o') | LETTER('c') | LETTER('t')), BOTH('t', 0), BOTH('u', 0),
	BOTH('v', LETTER('i')), BOTH('w', 0), BOTH('x', 0), BOTH('y', 0), BOTH('z', 0),
	/* clang-format on */
};

/* Returns a mask of those '<' in `open` that may begin a media tag, script or style. *none: the first '<' in `open` that
 * begins no tag, or 0. */
static inline uint64_t named_tags(const char *p, uint64_t open, uint64_t *none)
{
	uint64_t named = 0;

	*none = 0;
	for (; open; open &= open - 1) {
		const unsigned char *next = (const unsigned char *)p + __builtin_ctzll(open) + 1;
		const uint32_t seconds = next[0] < 0x80 ? second_letters[next[0]] : TAG;
		if (!seconds) {
			*none = open & -open;
			break;
		}
		if (seconds >> (next[1] & 31) & 1)
			named |= open & -open;
	}
	return named;
}

/* Fills the masks of `w` for the block of 64 bytes at p, whose classes are in m. The bytes that are not in the mask
 * `from` are ignored. */
static inline void look_in(struct words *w, const char *p, struct classes m, uint64_t from)
{
	uint64_t in_tag, named, none, sum;
	int is_open;

	m.word &= from;
	m.open &= from;
	m.close &= from;
	do {
		/* the carries of this sum run from each '<' to the next '>'; bit i of in_tag is the carry into bit i */
		const uint64_t stay = ~m.close;
		is_open = __builtin_add_overflow(stay, m.open, &sum);
		is_open |= __builtin_add_overflow(sum, (uint64_t)w->is_open, &sum);
		in_tag = sum ^ stay ^ m.open;
		named = named_tags(p, m.open & ~in_tag, &none);
		m.open ^= none;
	} while (none);
	w->is_open = is_open;
	w->word = m.word & ~in_tag;
	w->digit = m.digit;
	w->texts = (w->word & ~(w->word << 1)) | named;
}

/* Does the same for a block that look_in() cannot read without reading beyond the document. A function of its own, so
 * that the other blocks need no room for the copy. */
__attribute__((noinline)) static void look_in_last(struct words *w, uint64_t from)
{
	const size_t n = (size_t)(w->end - w->block);
	char last[BLOCK + AHEAD] = {0};
	struct classes of_last;

	memcpy(last, w->block, n < sizeof last ? n : sizeof last);
	classes_find(last, 1, &of_last);
	look_in(w, last, of_last, from);
}

/* Finds the classes of the block at `block` and of those behind it. */
__attribute__((noinline)) static void find_classes(struct words *w, const char *block)
{
	const size_t whole = (size_t)(w->end - block - AHEAD) / BLOCK;

	w->found_at = block;
	w->found = whole < WORDS_BLOCKS ? whole : WORDS_BLOCKS;
	classes_find(block, w->found, w->classes);
}

static inline void look_at(struct words *w, const char *block, uint64_t from)
{
	w->block = block;
	if (w->end - block < BLOCK + AHEAD) {
		look_in_last(w, from);
		return;
	}
	if ((size_t)(block - w->found_at) >= w->found * BLOCK)
		find_classes(w, block);
	look_in(w, block, w->classes[(size_t)(block - w->found_at) / BLOCK], from);
}

/* Goes on to the next block; returns 0 at the end of the document. */
static inline int look_on(struct words *w)
{
	if (w->end - w->block <= BLOCK)
		return 0;
	look_at(w, w->block + BLOCK, ALL);
	return 1;
}

int words_look(struct words *w)
{
	while (look_on(w))
		if (w->texts)
			return 1;
	return 0;
}

void words_init(struct words *w, const char *bytes, size_t n)
{
	w->bytes = w->block = w->found_at = bytes;
	w->end = bytes + n;
	w->word = w->digit = w->texts = 0;
	w->is_open = 0;
	w->found = 0;
	if (n)
		look_at(w, bytes, ALL);
}

/* Returns the end of the first '>' from `from` on, or the end of the document. */
static const char *end_from(const struct words *w, const char *from)
{
	const char *close = memchr(from, '>', (size_t)(w->end - from));

	return close ? close + 1 : w->end;
}

/* Returns the end of the script or style whose start tag is at `at`, or NULL if it is the tag of another element. */
static const char *end_of_raw_text(const struct words *w, const char *at)
{
	static const char *const closing[] = {"</script", "</style"};

	for (size_t i = 0; i < 2; i++) {
		const size_t n = strlen(closing[i]); /* as much as "<script" and one more */
		if ((size_t)(w->end - at) < n || !ascii_same(at + 1, closing[i] + 2, n - 2))
			continue;
		for (at++; (at = memchr(at, '<', (size_t)(w->end - at))); at++)
			if ((size_t)(w->end - at) >= n && ascii_same(at, closing[i], n))
				return end_from(w, at);
		return w->end;
	}
	return NULL;
}

/* Goes on at `at`, the end of a script or style, and perhaps of the document. */
static void look_behind(struct words *w, const char *at)
{
	const size_t from = (size_t)(at - w->bytes);

	w->is_open = 0;
	w->texts = 0;
	w->block = w->bytes + from / BLOCK * BLOCK;
	if (at < w->end)
		look_at(w, w->block, ALL << from % BLOCK);
}

/* Says whether a tag shows something other than text. */
static int is_media(struct words_text tag)
{
	static const char *const names[] = {"img", "source", "video", "audio", "iframe", "frame", "embed", "object"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const size_t n = strlen(names[i]);
		if (tag.length > n + 1 && ascii_same(tag.at + 1, names[i], n) && !words_is_letter((unsigned char)tag.at[n + 1]))
			return 1;
	}
	return 0;
}

/* Reads the tag at tag->at, whose first two letters are those of a media tag, script or style. */
static enum words_kind rest_of_tag(struct words *w, struct words_text *tag)
{
	const char *raw = end_of_raw_text(w, tag->at);

	if (raw) {
		look_behind(w, raw);
		return WORDS_END;
	}
	tag->length = (size_t)(end_from(w, tag->at) - tag->at);
	return is_media(*tag) ? WORDS_MEDIA : WORDS_END;
}

enum words_kind words_rest(struct words *w, struct words_text *text)
{
	uint64_t run = ALL << (text->at - w->block), letters = 0, digits = 0, gaps;

	if (*text->at == '<')
		return rest_of_tag(w, text);
	do {
		gaps = ~w->word & run;
		if (gaps)
			run &= (gaps & -gaps) - 1;
		letters |= run & ~w->digit;
		digits |= run & w->digit;
		w->texts &= ~run; /* texts that begin within this word are its rest, and no texts of their own */
		text->length = (size_t)(w->block + BLOCK - text->at);
		if (gaps)
			text->length -= BLOCK - (size_t)__builtin_ctzll(gaps);
		run = ALL;
	} while (!gaps && look_on(w));
	return !digits ? WORDS_LETTERS : letters ? WORDS_MIXED : WORDS_NUMBER;
}

/* Does what words_stir() does for a text at the end of the document, where LANES bytes cannot be loaded. */
__attribute__((noinline)) static uint64_t stir_last(uint64_t hash, struct words_text text)
{
	char last[LANES] = {0};

	if (text.length) /* if not, text.at may be NULL */
		memcpy(last, text.at, text.length);
	return words_stir(hash, last, text.length);
}

uint64_t words_hash_any(const struct words *w, struct words_text text)
{
	uint64_t hash = WORDS_HASH_START + text.length;

	for (; text.length > LANES; text.length -= LANES, text.at += LANES)
		hash = words_stir(hash, text.at, LANES);
	return w->end - text.at < LANES ? stir_last(hash, text) : words_stir(hash, text.at, text.length);
}

#if defined __x86_64__ && defined __GNUC__
#define CHOOSES_AVX2
#endif

void classes_find_plainly(const char *bytes, size_t blocks, struct classes *out)
{
	for (; blocks; blocks--, bytes += CLASSES_BLOCK) {
		struct classes m = {0, 0, 0, 0};
#pragma GCC unroll 4
		for (unsigned i = 0; i < CLASSES_BLOCK; i += LANES) {
			const lanes c = lanes_load(bytes + i);
			const lanes is_digit = (lanes)((lanes)(c - '0') < 10);
			const lanes is_letter = (lanes)((lanes)((c | 0x20) - 'a') < 26);
			const lanes is_high = c & 0x80; /* beyond ASCII */
			m.word |= lanes_bits(is_letter | is_digit | is_high) << i;
			m.digit |= lanes_bits(is_digit) << i;
			m.open |= lanes_bits((lanes)(c == '<')) << i;
			m.close |= lanes_bits((lanes)(c == '>')) << i;
		}
		*out++ = m;
	}
}

#ifdef CHOOSES_AVX2
typedef uint8_t wide __attribute__((vector_size(32)));

__attribute__((target("avx2"))) static inline uint64_t wide_bits(wide compared)
{
	return (uint32_t)_mm256_movemask_epi8((__m256i)compared);
}

__attribute__((target("avx2"))) static void find_wide(const char *bytes, size_t blocks, struct classes *out)
{
	for (; blocks; blocks--, bytes += CLASSES_BLOCK) {
		struct classes m = {0, 0, 0, 0};
#pragma GCC unroll 2
		for (unsigned i = 0; i < CLASSES_BLOCK; i += sizeof(wide)) {
			wide c;
			memcpy(&c, bytes + i, sizeof c);
			const wide is_digit = (wide)((wide)(c - '0') < 10);
			const wide is_letter = (wide)((wide)((c | 0x20) - 'a') < 26);
			/* wide_bits() takes the highest bit of each byte; in c it is set for bytes beyond ASCII, which count as
			 * letters */
			m.word |= wide_bits(is_letter | is_digit | c) << i;
			m.digit |= wide_bits(is_digit) << i;
			m.open |= wide_bits((wide)(c == '<')) << i;
			m.close |= wide_bits((wide)(c == '>')) << i;
		}
		*out++ = m;
	}
}
#endif

void classes_find(const char *bytes, size_t blocks, struct classes *out)
{
#ifdef CHOOSES_AVX2
	if (__builtin_cpu_supports("avx2")) {
		find_wide(bytes, blocks, out);
		return;
	}
#endif
	classes_find_plainly(bytes, blocks, out);
}
