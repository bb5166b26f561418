/* What judges URLs: rules from the first part of the input, up to a NUL; the URLs are the lines of
 * the second. All of it is a page as well. */
#include "traps/mirrors.h"
#include "scope/rules.h"
#include "parser/shape.h"
#include "parser/fingerprint.h"
#include "storage/cdxj.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void judge(const struct rules *rules, const struct url *u)
{
	struct buf key = BUF_EMPTY;
	unsigned line = 0;
	uint64_t place;
	const struct url_traits traits = url_traits(u);
	const size_t host = u->host_end - u->host;

	if (rules_judge(rules, u, &line) != RULES_SILENT)
		assert(line > 0);
	assert(traits.depth >= 1 && shape_repeats(u) >= 1);
	assert(traits.may_be_dated || shape_far_year(u, 2026, SHAPE_FIRST_YEAR) == 2026);
	(void)!shape_of(u);
	(void)!shape_without_query(u);
	(void)!shape_root(u);
	(void)!shape_drawn(u, &place);
	assert(abs(shape_far_year(u, 2026, SHAPE_FIRST_YEAR) - 2026) < 10000);
	assert(domain_start(u->text.at + u->host, host) < host);
	cdxj_key(&key, u->text.at, u->text.used);
	assert(key.used && !memchr(key.at, '\n', key.used));
	buf_release(&key);
}

/* Whatever is a copy of what: an original lies within its URLs. */
static void mirror(struct mirrors *m, const struct url *u, const struct url *last)
{
	struct mirrors_original original[MIRRORS_FOLDERS];
	uint64_t key;

	for (int i = 0; i < MIRRORS_SETTLED; i++)
		(void)!mirrors_add(m, u, last, 0, &key);
	(void)!mirrors_may_be(u, last);
	const size_t found = mirrors_find(m, u, original);
	for (size_t i = 0; i < found; i++)
		assert(original[i].tail < u->query && u->text.at[original[i].tail] == '/' && original[i].like == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char *text = malloc(n + 1), *at, *line;
	struct rules *rules = NULL;
	struct url u = URL_EMPTY, last = URL_EMPTY;
	struct err_note why;
	struct mirrors mirrors;

	memcpy(text, data, n);
	text[n] = 0;
	struct simhash simhash = {.words = 0};
	(void)fingerprint_html(text, n, text, n < 200 ? n : 200, &simhash);
	if (simhash_of(&simhash) != simhash_html(text, n))
		abort();
	mirrors_init(&mirrors);
	const size_t first = strlen(text);
	if (rules_new(&rules, NULL, text, &why))
		assert(!rules);
	at = first < n ? text + first + 1 : NULL;
	while (at && (line = strsep(&at, "\n")))
		if (url_parse(&u, line, strlen(line), NULL) == URL_OK) {
			judge(rules, &u);
			if (last.text.used)
				mirror(&mirrors, &u, &last);
			url_copy(&last, &u);
		}
	mirrors_release(&mirrors);
	url_release(&last);
	rules_free(rules);
	url_release(&u);
	free(text);
	return 0;
}
