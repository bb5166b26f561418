/* A header's value and a body's start: what is read stays within its bounds, in lower case, and
 * means the same when it is written plainly. */
#include "parser/decode.h"
#include "parser/link_kind.h"
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

/* The bytes of a Link header, within which the references of its links lie. */
struct span {
	const char *at;
	size_t n;
};

static int on_reference(void *ctx, struct html_text reference, enum link_kind kind)
{
	const struct span *all = ctx;

	check(kind == LINK_CANONICAL || kind == LINK_ALTERNATE || kind == LINK_NEXT || kind == LINK_HREFLANG);
	check(reference.at > all->at && reference.at + reference.n < all->at + all->n);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span all = {(const char *)data, size};
	const char *text = (const char *)data;
	struct mime m, again;

	(void)mime_sniff_html(text, size);
	link_header_read(text, size, on_reference, &all);
	const char *type = mime_of_path(text, size);
	check(!type || strchr(type, '/'));
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
