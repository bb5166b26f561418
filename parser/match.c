#include "parser/match.h"
#include "base/ascii.h"
#include "base/mem.h"
#include "parser/regex_size.h"

#include <stdlib.h>
#include <string.h>

int match_regex_new(regex_t **out, const char *text, struct err_note *why)
{
	char message[256];

	if (!text)
		return 0;
	if (regex_size(text) > REGEX_SIZE_MAX)
		return err_set(why, ERR_USAGE,
			"'%.80s' repeats too much: the most is %d characters once that is written out, "
			"and %d repetitions one around the other",
			text, REGEX_SIZE_MAX, REGEX_REPEATED_MAX);
	*out = mem_zero(1, sizeof **out);
	int code = ascii_regex(*out, text, REG_EXTENDED | REG_NOSUB);
	if (code == 0)
		return 0;
	if (code == REG_ESPACE)
		mem_exhausted();
	regerror(code, *out, message, sizeof message);
	free(*out);
	*out = NULL;
	return err_set(why, ERR_USAGE, "'%s' is no extended regular expression: %s", text, message);
}

int match_regex(const regex_t *r, const char *text)
{
	const int code = regexec(r, text, 0, NULL, 0);

	if (code == REG_ESPACE)
		mem_exhausted();
	return code == 0;
}

void match_regex_free(regex_t *r)
{
	if (r)
		regfree(r);
	free(r);
}

int match_domain(const char *host, size_t n, const char *domain)
{
	domain += *domain == '.';
	size_t m = strlen(domain);

	if (m == 0 || m > n || !ascii_same(host + n - m, domain, m))
		return 0;
	return m == n || host[n - m - 1] == '.';
}

/* Says whether c is in the bracket expression at *p, and moves *p behind its ']'. Returns -1 if there is no complete expression. */
static int in_set(const char **p, char c)
{
	const char *q = *p + 1;
	int inverted = *q == '!' || *q == '^', found = 0;

	q += inverted;
	for (const char *first = q; *q && (*q != ']' || q == first); q++) {
		if (q[1] == '-' && q[2] && q[2] != ']') {
			found |= (unsigned char)*q <= (unsigned char)c && (unsigned char)c <= (unsigned char)q[2];
			q += 2;
		} else {
			found |= *q == c;
		}
	}
	if (!*q)
		return -1;
	*p = q + 1;
	return found != inverted;
}

/* Says whether the glob matches one character c at its beginning; if so, moves *p on. */
static int glob_one(const char **p, char c)
{
	int found = -1;

	if (**p == '[')
		found = in_set(p, c);
	if (found >= 0)
		return found;
	if (**p != '?' && **p != c)
		return 0;
	++*p;
	return 1;
}

/* The match is iterative, and backtracks to the last '*' only; fnmatch() takes time exponential in the number of stars. */
int match_glob(const char *p, const char *text, size_t n)
{
	const char *end = text + n, *star = NULL, *from = NULL;

	while (text < end) {
		const char *q = p;
		if (*p == '*') {
			star = ++p;
			from = text;
		} else if (*p && glob_one(&q, *text)) {
			p = q;
			text++;
		} else if (star) {
			p = star;
			text = ++from;
		} else {
			return 0;
		}
	}
	while (*p == '*')
		p++;
	return !*p;
}
