#include "parser/simhash.h"
#include "parser/words.h"

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
	struct words words;
	struct words_text text;
	enum words_kind kind;
	uint64_t hash = 0;

	words_init(&words, bytes, n);
	while ((kind = words_next(&words, &text)) != WORDS_END)
		if (kind == WORDS_LETTERS)
			vote(&v, words_hash(&words, text));
	if (v.words < SIMHASH_WORDS)
		return 0;
	for (unsigned i = 0; i < 64; i++)
		hash |= (uint64_t)(v.bit[i] > 0) << i;
	return hash ? hash : 1;
}
