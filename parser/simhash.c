#include "parser/simhash.h"
#include "parser/words.h"

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

uint64_t simhash_html(const char *bytes, size_t n)
{
	struct votes v = {.words = 0};
	const char *at = bytes, *end = bytes + n;
	uint64_t hash = 0;

	while (at < end) {
		if (*at == '<' && words_is_tag(at, end)) {
			at = words_behind_tag(at, end);
			continue;
		}
		uint64_t word = WORD_START;
		const char *start = at;
		int digits = 0;
		for (; at < end &&
			(words_is_letter((unsigned char)*at) || words_is_digit((unsigned char)*at));
			at++) {
			digits |= words_is_digit((unsigned char)*at);
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
