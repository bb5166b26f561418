/* Two texts with a line feed between: a base and a reference. What is written is read as itself,
 * with the same parts, and so is what is normalised; normalising once is enough. */
#include "parser/url_rules.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int holds)
{
	if (!holds)
		abort();
}

static void check_parts(const struct url *u)
{
	const char *t = u->text.at;

	check(u->text.used <= URL_MAX && strlen(t) == u->text.used);
	check(u->host < u->host_end && u->host_end <= u->path && u->path < u->query);
	check(t[u->path] == '/' && u->port <= 65535);
	check(u->query <= u->text.used && (t[u->query] == '?' || !t[u->query]));
	for (const char *p = t; *p; p++)
		check(*p > ' ' && *p < 0x7f);
}

static void check_same_parts(const struct url *again, const struct url *u)
{
	check(again->host == u->host && again->host_end == u->host_end && again->path == u->path && again->query == u->query &&
		again->port == u->port && again->https == u->https);
}

static void check_reads_as_itself(const struct url *u)
{
	struct url again = URL_EMPTY, parts;

	check(url_parse(&again, u->text.at, u->text.used, NULL) == URL_OK);
	check(strcmp(again.text.at, u->text.at) == 0);
	check_same_parts(&again, u);
	url_release(&again);
	check(url_split(&parts, u->text.at, u->text.used) == URL_OK);
	check_same_parts(&parts, u);
}

/* Three sets of rules, by the bits of any. */
static void check_normal(struct url *u, unsigned any)
{
	struct buf once = BUF_EMPTY;

	url_normalise(u);
	check_parts(u);
	check_reads_as_itself(u);
	buf_add(&once, u->text.at, u->text.used);
	url_normalise(u);
	check(strcmp(u->text.at, once.at) == 0);
	for (unsigned i = 0; i < 3; i++) {
		const unsigned rules = any >> 8 * i & ((1u << URL_RULES) - 1);
		url_rules_apply(rules, u);
		check_parts(u);
		check_reads_as_itself(u);
		buf_clear(&once);
		buf_add(&once, u->text.at, u->text.used);
		url_rules_apply(rules, u);
		check(strcmp(u->text.at, once.at) == 0);
	}
	buf_release(&once);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const encoding[] = {"windows-1252", "windows-1258", "gbk", "big5", "euc-jp", "iso-2022-jp", "shift_jis",
		"x-user-defined"};
	const char *base = (const char *)data, *end = base + size;
	const char *lf = size ? memchr(base, '\n', size) : NULL;
	const char *input = lf ? lf + 1 : base;
	const size_t n = (size_t)(end - input), base_n = lf ? (size_t)(lf - base) : 0;
	struct url b = URL_EMPTY, u = URL_EMPTY, other = URL_EMPTY;

	const int has_base = lf && url_parse(&b, base, base_n, NULL) == URL_OK;
	enum url_result r = url_parse(&u, input, n, has_base ? &b : NULL);
	if (has_base) {
		check(url_parse_text(&other, input, n, base, base_n) == r);
		check(r != URL_OK || strcmp(other.text.at, u.text.at) == 0);
	} else if (lf) {
		(void)!url_parse_text(&other, input, n, base, base_n);
	}
	if (r == URL_OK) {
		check_parts(&u);
		check_reads_as_itself(&u);
		check_normal(&u, (unsigned)XXH3_64bits(data, size));
	}
	if (url_parse_in(&other, input, n, has_base ? &b : NULL, encoding[size % 8]) == URL_OK) {
		check_parts(&other);
		check_reads_as_itself(&other);
	}
	url_release(&b);
	url_release(&u);
	url_release(&other);
	return 0;
}
