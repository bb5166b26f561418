#include "lab/report/sentence.h"

#include <string.h>

char *sentence_filled(const char *text, sentence_number *number, const void *ctx)
{
	struct buf out = BUF_EMPTY;

	buf_text(&out, "");
	for (const char *c = text; *c; c++) {
		const char *end = *c == '{' ? strchr(c, '}') : NULL;
		if (end && end > c + 1 && number(ctx, c + 1, (size_t)(end - c) - 1, &out))
			c = end;
		else
			buf_byte(&out, (unsigned char)*c);
	}
	buf_end(&out);
	return buf_take(&out);
}
