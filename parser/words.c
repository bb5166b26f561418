#include "parser/words.h"

#include <string.h>
#include <strings.h>

int words_is_tag(const char *at, const char *end)
{
	return end - at > 1 && (words_is_letter((unsigned char)at[1]) || memchr("/!?", at[1], 3));
}

const char *words_behind_tag(const char *at, const char *end)
{
	static const char *const closing[] = {"</script", "</style"};
	const char *from = at;

	for (size_t i = 0; i < 2 && end - at > 1 && (at[1] | 0x20) == 's'; i++) {
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
