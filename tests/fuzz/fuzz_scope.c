/* What judges URLs: rules from the first part of the input, up to a NUL; the URLs are the lines of
 * the second. All of it is a page as well. */
#include "crawler/rules.h"
#include "crawler/shape.h"
#include "parser/domain.h"
#include "parser/gist.h"
#include "parser/simhash.h"
#include "storage/cdxj.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void judge(const struct rules *rules, const struct url *u)
{
	struct buf key = BUF_EMPTY;
	unsigned line = 0;
	const size_t host = u->host_end - u->host;

	if (rules_judge(rules, u, &line) != RULES_SILENT)
		assert(line > 0);
	assert(shape_depth(u) >= 1 && shape_repeats(u) >= 1);
	(void)!shape_of(u);
	(void)!shape_without_query(u);
	assert(abs(shape_far_year(u, 2026) - 2026) < 10000);
	assert(domain_start(u->text.at + u->host, host) < host);
	cdxj_key(&key, u->text.at, u->text.used);
	assert(key.used && !memchr(key.at, '\n', key.used));
	buf_release(&key);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char *text = malloc(n + 1), *at, *line;
	struct rules *rules = NULL;
	struct url u = URL_EMPTY;
	struct err_note why;

	memcpy(text, data, n);
	text[n] = 0;
	(void)!simhash_html(text, n);
	(void)!gist_html(text, n, text, n < 200 ? n : 200);
	const size_t first = strlen(text);
	if (rules_new(&rules, text, &why))
		assert(!rules);
	at = first < n ? text + first + 1 : NULL;
	while (at && (line = strsep(&at, "\n")))
		if (url_parse(&u, line, strlen(line), NULL) == URL_OK)
			judge(rules, &u);
	rules_free(rules);
	url_release(&u);
	free(text);
	return 0;
}
