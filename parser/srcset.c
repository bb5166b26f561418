#include "parser/srcset.h"
#include "parser/html_token.h"

/* Skips the descriptors of a candidate, up to its comma; commas within parentheses are part of them. */
static const char *skip_descriptors(const char *at, const char *end)
{
	int depth = 0;

	for (; at < end && (*at != ',' || depth); at++)
		depth += (*at == '(') - (*at == ')' && depth);
	return at;
}

void srcset_references(const char *at, size_t n, srcset_fn *each, void *ctx)
{
	const char *end = at + n;
	int is_over = 0;

	while (!is_over) {
		while (at < end && (html_is(*at, HTML_SPACE) || *at == ','))
			at++;
		const char *url = at;
		while (at < end && !html_is(*at, HTML_SPACE))
			at++;
		const char *last = at;
		while (last > url && last[-1] == ',')
			last--;
		if (last == url)
			return;
		is_over = each(ctx, url, (size_t)(last - url));
		if (last == at)
			at = skip_descriptors(at, end);
	}
}
