#include "parser/usage.h"
#include "base/ascii.h"

#include <string.h>

static const char *const words[] = {
#define USAGE_WORD(symbol, word) word,
	USAGES(USAGE_WORD)};

static int is_word(const char *at, size_t n, const char *word)
{
	return strlen(word) == n && ascii_same(at, word, n);
}

static uint16_t bit_of(const char *at, size_t n)
{
	for (unsigned i = 0; i < USAGE_PLACES; i++)
		if (is_word(at, n, words[i]))
			return (uint16_t)(1u << i);
	return is_word(at, n, "none") ? USAGE_NOINDEX : 0;
}

uint16_t usage_parse(const char *text, size_t n)
{
	const char *const end = text + n;
	uint16_t mask = 0;

	while (text < end) {
		const char *from = text;
		while (text < end && *text != ',' && !ascii_is_space(*text))
			text++;
		mask |= bit_of(from, (size_t)(text - from));
		text += text < end;
	}
	return mask;
}

void usage_write(uint16_t mask, struct buf *out)
{
	const char *between = "";

	for (unsigned i = 0; i < USAGE_PLACES; i++)
		if (mask >> i & 1) {
			buf_format(out, "%s%s", between, words[i]);
			between = ", ";
		}
}
