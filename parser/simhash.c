#include "parser/simhash.h"

void simhash_rest(struct simhash *s, struct words *words)
{
	struct words_text text;
	enum words_kind kind;

	while ((kind = words_next(words, &text)) != WORDS_END)
		if (kind == WORDS_LETTERS)
			simhash_add(s, words_hash(words, text));
}

uint64_t simhash_of(const struct simhash *s)
{
	uint64_t hash = 0;

	if (s->words < SIMHASH_WORDS)
		return 0;
	for (unsigned i = 0; i < 64; i++) {
		uint64_t count = 0;
		for (unsigned k = 0; k < 32; k++)
			count |= (s->count[k] >> i & 1) << k;
		hash |= (uint64_t)(2 * count > s->words - 1) << i;
	}
	return hash ? hash : 1;
}

uint64_t simhash_html(const char *bytes, size_t n)
{
	struct simhash s = {.words = 0};
	struct words words;

	words_init(&words, bytes, n);
	simhash_rest(&s, &words);
	return simhash_of(&s);
}
