#include "parser/simhash.h"

#include <string.h>
#include <strings.h>

#define WORD_START 0xcbf29ce484222325u
#define WORD_PRIME 0x100000001b3u

struct votes {
	int32_t bit[64];
	uint64_t last; /* word */
	size_t words;
};

static uint64_t scatter(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

static void vote(struct votes *v, uint64_t word)
{
	const uint64_t hash = scatter(word + 3 * v->last);

	if (v->words++)
		for (unsigned i = 0; i < 64; i++)
			v->bit[i] += (hash >> i & 1) ? 1 : -1;
	v->last = word;
}

static int is_letter(unsigned char c)
{
	return (unsigned)(c | 0x20) - 'a' < 26 || c >= 0x80;
}

static int is_digit(unsigned char c)
{
	return (unsigned)c - '0' < 10;
}

/* Behind the end of the element whose tag begins at `at`, where it is one whose content is no text;
 * else behind the tag. */
static const char *behind_tag(const char *at, const char *end)
{
	static const char *const closing[] = {"</script", "</style"};
	const char *from = at;

	for (size_t i = 0; i < 2; i++) {
		const size_t n = strlen(closing[i]) - 2; /* of the name */
		if ((size_t)(end - at) < n + 1 || strncasecmp(at + 1, closing[i] + 2, n) != 0)
			continue;
		for (from = at + 1; (from = memchr(from, '<', (size_t)(end - from))); from++)
			if ((size_t)(end - from) >= n + 2 &&
				strncasecmp(from, closing[i], n + 2) == 0)
				break;
		if (!from)
			return end;
		break;
	}
	const char *close = memchr(from, '>', (size_t)(end - from));
	return close ? close + 1 : end;
}

uint64_t simhash_html(const char *bytes, size_t n)
{
	struct votes v = {.words = 0};
	const char *at = bytes, *end = bytes + n;
	uint64_t hash = 0;

	while (at < end) {
		if (*at == '<' && end - at > 1 &&
			(is_letter((unsigned char)at[1]) || memchr("/!?", at[1], 3))) {
			at = behind_tag(at, end);
			continue;
		}
		uint64_t word = WORD_START;
		const char *start = at;
		int digits = 0;
		for (; at < end && (is_letter((unsigned char)*at) || is_digit((unsigned char)*at));
			at++) {
			digits |= is_digit((unsigned char)*at);
			word = (word ^ ((unsigned char)*at | 0x20)) * WORD_PRIME;
		}
		if (at == start)
			at++;
		else if (!digits)
			vote(&v, word);
	}
	if (v.words < SIMHASH_WORDS)
		return 0;
	for (unsigned i = 0; i < 64; i++)
		hash |= (uint64_t)(v.bit[i] > 0) << i;
	return hash ? hash : 1;
}
