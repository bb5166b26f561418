#include "parser/gist.h"
#include "parser/words.h"

#include <string.h>
#include <strings.h>

#define WORD_START 0xcbf29ce484222325u
#define WORD_PRIME 0x9e3779b97f4a7c15u
#define URL_WORDS  64 /* looked at */

enum { LETTER = 1, DIGIT = 2 };

/* What a byte is in a word; 0: nothing. */
static unsigned kind_of(char c)
{
	return words_is_letter((unsigned char)c)  ? LETTER
	       : words_is_digit((unsigned char)c) ? DIGIT
						  : 0;
}

struct word {
	uint64_t hash;
	size_t length;
	unsigned kinds; /* of its bytes, in all */
	unsigned value; /* of digits alone, at most four of them */
};

/* Letters in lower case; of some others, two become one. */
static uint64_t hash_of(const char *at, size_t n)
{
	uint64_t hash = WORD_START + n, eight;

	for (; n > 8; at += 8, n -= 8) {
		memcpy(&eight, at, 8);
		hash = (hash ^ (eight | 0x2020202020202020u)) * WORD_PRIME;
		hash ^= hash >> 32;
	}
	eight = 0;
	memcpy(&eight, at, n);
	return (hash ^ (eight | 0x2020202020202020u)) * WORD_PRIME;
}

/* The word that begins at `at`; of length 0 where none does. */
static struct word word_at(const char *at, const char *end)
{
	struct word w = {0, 0, 0, 0};
	const char *stop = at;

	for (unsigned kind; stop < end && (kind = kind_of(*stop)); stop++)
		w.kinds |= kind;
	w.length = (size_t)(stop - at);
	if (w.length)
		w.hash = hash_of(at, w.length);
	for (size_t i = 0; w.kinds == DIGIT && w.length <= 4 && i < w.length; i++)
		w.value = w.value * 10 + (unsigned)(at[i] - '0');
	return w;
}

static int tells_something(const struct word *w, const uint64_t *known, size_t n)
{
	if (w->kinds == DIGIT && w->length <= 4 &&
		(w->value < 60 || (w->value >= 1000 && w->value < 3000)))
		return 0;
	if (w->kinds == (LETTER | DIGIT) && w->length >= GIST_DRAWN)
		return 0;
	for (size_t i = 0; i < n; i++)
		if (known[i] == w->hash)
			return 0;
	return 1;
}

static size_t words_of(const char *url, size_t n, uint64_t known[URL_WORDS])
{
	const char *end = url + n;
	size_t count = 0;

	while (url < end && count < URL_WORDS) {
		const struct word w = word_at(url, end);
		if (w.length)
			known[count++] = w.hash;
		url += w.length ? w.length : 1;
	}
	return count;
}

/* Whether what begins at `at` shows something that is no text. */
static int is_shown(const char *at, const char *end)
{
	static const char *const names[] = {
		"img", "source", "video", "audio", "iframe", "frame", "embed", "object"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if ((at[1] | 0x20) != names[i][0])
			continue;
		const size_t n = strlen(names[i]);
		if ((size_t)(end - at) > n + 1 && strncasecmp(at + 1, names[i], n) == 0 &&
			!words_is_letter((unsigned char)at[n + 1]))
			return 1;
	}
	return 0;
}

static uint64_t mix(uint64_t gist, uint64_t hash)
{
	gist = (gist ^ hash) * WORD_PRIME;
	return gist ^ gist >> 29;
}

uint64_t gist_html(const char *bytes, size_t n, const char *url, size_t url_length)
{
	const char *at = bytes, *end = bytes + n;
	uint64_t known[URL_WORDS], gist = 0;
	const size_t words = words_of(url, url_length, known);

	while (at < end) {
		if (*at == '<' && words_is_tag(at, end)) {
			const char *behind = words_behind_tag(at, end);
			if (is_shown(at, end))
				gist = mix(gist, hash_of(at, (size_t)(behind - at)));
			at = behind;
			continue;
		}
		const struct word w = word_at(at, end);
		if (w.length && tells_something(&w, known, words))
			gist = mix(gist, w.hash);
		at += w.length ? w.length : 1;
	}
	return gist;
}
