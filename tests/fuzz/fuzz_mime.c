/* A header's value and a body's start: what is read stays within its bounds, in lower case, and
 * means the same when it is written plainly. */
#include "parser/decode.h"
#include "parser/mime.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int holds)
{
	if (!holds)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct mime m, again;

	(void)mime_sniff_html(text, size);
	if (mime_parse(&m, text, size) == 0) {
		check(strlen(m.essence) < sizeof m.essence && strlen(m.charset) < sizeof m.charset);
		check(strchr(m.essence, '/') != NULL);
		for (const char *p = m.essence; *p; p++)
			check(*p > ' ' && *p < 0x7f && !(*p >= 'A' && *p <= 'Z'));
		const char *name = encoding_name(m.charset, strlen(m.charset));
		check(!name || encoding_name(name, strlen(name)) == name);
		check(mime_parse(&again, m.essence, strlen(m.essence)) == 0);
		check(strcmp(again.essence, m.essence) == 0 && !*again.charset);
		check(mime_is_html(&again) == mime_is_html(&m));
	}
	return 0;
}
