#include "crawler/scope.h"
#include "base/mem.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <uthash.h>

#define SCOPE_MAX_URL 2000 /* bytes: what is longer is a trap, or no page anybody links to */

/* What seeds widen the scope by: a host ("example.org:8080"), or a folder on it
 * ("example.org:8080/a/"). */
struct place {
	UT_hash_handle hh;
	size_t longest; /* of a host: the bytes of its longest folder */
	char name[];
};

/* A list with commas between, taken apart. */
struct list {
	char **item;
	size_t n, room;
};

struct scope {
	int span_hosts, no_parent;
	uint32_t max_depth;
	struct list domains, accept, reject; /* one without elements counts as not given */
	regex_t *accept_regex, *reject_regex;
	struct place *places;
};

static void list_read(struct list *l, const char *text)
{
	while (text && *text) {
		size_t n = strcspn(text, ",");
		const char *at = text;
		text += n + (text[n] == ',');
		for (; n && *at == ' '; at++)
			n--;
		while (n && at[n - 1] == ' ')
			n--;
		if (n == 0)
			continue;
		l->item = mem_grow(l->item, &l->room, l->n + 1, sizeof *l->item);
		l->item[l->n] = mem_copy(at, n + 1);
		l->item[l->n++][n] = 0;
	}
}

static void list_release(struct list *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->item[i]);
	free(l->item);
}

static int regex_read(regex_t **out, const char *text, struct err_note *why)
{
	char message[256];

	if (!text)
		return 0;
	*out = mem_zero(1, sizeof **out);
	int code = regcomp(*out, text, REG_EXTENDED | REG_NOSUB);
	if (code == 0)
		return 0;
	regerror(code, *out, message, sizeof message);
	free(*out);
	*out = NULL;
	return err_set(why, ERR_USAGE, "'%s' is no extended regular expression: %s", text, message);
}

int scope_new(struct scope **out, const struct scope_settings *set, struct err_note *why)
{
	struct scope *s = *out = mem_zero(1, sizeof *s);

	s->span_hosts = set->span_hosts;
	s->no_parent = set->no_parent;
	s->max_depth = set->max_depth;
	list_read(&s->domains, set->domains);
	list_read(&s->accept, set->accept);
	list_read(&s->reject, set->reject);
	int err = regex_read(&s->accept_regex, set->accept_regex, why);
	if (!err)
		err = regex_read(&s->reject_regex, set->reject_regex, why);
	if (err) {
		scope_free(s);
		*out = NULL;
	}
	return err;
}

static void regex_free(regex_t *r)
{
	if (r)
		regfree(r);
	free(r);
}

void scope_free(struct scope *s)
{
	struct place *p, *next;

	if (!s)
		return;
	for (p = s->places; p; p = next) {
		next = p->hh.next;
		HASH_DELETE(hh, s->places, p);
		free(p);
	}
	list_release(&s->domains);
	list_release(&s->accept);
	list_release(&s->reject);
	regex_free(s->accept_regex);
	regex_free(s->reject_regex);
	free(s);
}

static struct place *find_place(const struct scope *s, const char *name, size_t n)
{
	struct place *p;

	HASH_FIND(hh, s->places, name, n, p);
	return p;
}

static struct place *add_place(struct scope *s, const char *name, size_t n)
{
	struct place *p = find_place(s, name, n);

	if (!p) {
		p = mem_zero(1, sizeof *p + n);
		memcpy(p->name, name, n);
		HASH_ADD_KEYPTR(hh, s->places, p->name, n, p);
	}
	return p;
}

static struct place *host_of(const struct scope *s, const struct url *u)
{
	return find_place(s, u->text.at + u->host, u->path - u->host);
}

/* A path up to its last '/', without the query. */
static size_t folder_length(const struct url *u)
{
	const char *path = u->text.at + u->path;
	const char *slash = memrchr(path, '/', u->query - u->path);

	return slash ? (size_t)(slash - path) + 1 : 0;
}

void scope_add_seed(struct scope *s, const struct url *seed)
{
	const char *name = seed->text.at + seed->host;
	const size_t n = seed->path - seed->host, folder = n + folder_length(seed);
	struct place *host = add_place(s, name, n);

	add_place(s, name, folder);
	if (host->longest < folder)
		host->longest = folder;
}

/* Whether one of the folders around a page is a seed's. */
static int is_below(const struct scope *s, const struct place *host, const struct url *u)
{
	const char *name = u->text.at + u->host;
	size_t most = u->path - u->host + folder_length(u);

	if (most > host->longest)
		most = host->longest;
	for (size_t n = u->path - u->host; n < most; n++)
		if (name[n] == '/' && find_place(s, name, n + 1))
			return 1;
	return 0;
}

/* "example.org", ".example.org": the domain itself and what ends in it, label by label. */
static int in_domain(const char *host, size_t n, const char *domain)
{
	domain += *domain == '.';
	size_t m = strlen(domain);

	if (m == 0 || m > n || strncasecmp(host + n - m, domain, m) != 0)
		return 0;
	return m == n || host[n - m - 1] == '.';
}

static int host_belongs(const struct scope *s, const struct url *u)
{
	const char *host = u->text.at + u->host;

	if (s->domains.n == 0)
		return s->span_hosts || host_of(s, u);
	for (size_t i = 0; i < s->domains.n; i++)
		if (in_domain(host, u->host_end - u->host, s->domains.item[i]))
			return 1;
	return 0;
}

/* Whether c is in the set at *p, which is moved behind its ']'; -1 where it is no set. */
static int in_set(const char **p, char c)
{
	const char *q = *p + 1;
	int inverted = *q == '!' || *q == '^', found = 0;

	q += inverted;
	for (const char *first = q; *q && (*q != ']' || q == first); q++) {
		if (q[1] == '-' && q[2] && q[2] != ']') {
			found |= (unsigned char)*q <= (unsigned char)c &&
				 (unsigned char)c <= (unsigned char)q[2];
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

/* Whether the glob takes one character c at its beginning; *p is moved on where it does. */
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

/* The shell's *, ?, [a-z], [!a-z], iteratively: only the last * is ever gone back to, so that the
 * cost is length times length (fnmatch's is exponential in the number of stars). */
static int glob_matches(const char *p, const char *text, size_t n)
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

static int name_matches(const struct list *l, const char *name, size_t n)
{
	for (size_t i = 0; i < l->n; i++) {
		const char *item = l->item[i];
		size_t m = strlen(item);
		if (strpbrk(item, "*?[")) {
			if (glob_matches(item, name, n))
				return 1;
		} else if (m <= n && memcmp(name + n - m, item, m) == 0) {
			return 1;
		}
	}
	return 0;
}

static int suffix_belongs(const struct scope *s, const struct url *u)
{
	const size_t folder = folder_length(u);
	const char *name = u->text.at + u->path + folder;
	const size_t n = u->query - u->path - folder;

	if (name_matches(&s->reject, name, n))
		return 0;
	return s->accept.n == 0 || !memchr(name, '.', n) || name_matches(&s->accept, name, n);
}

static int regex_belongs(const struct scope *s, const struct url *u)
{
	if (s->accept_regex && regexec(s->accept_regex, u->text.at, 0, NULL, 0) != 0)
		return 0;
	return !s->reject_regex || regexec(s->reject_regex, u->text.at, 0, NULL, 0) != 0;
}

static int parent_belongs(const struct scope *s, const struct url *u)
{
	const struct place *host = s->no_parent ? host_of(s, u) : NULL;

	return !host || is_below(s, host, u);
}

enum refusal scope_judge(const struct scope *s, const struct url *u, uint32_t depth)
{
	if (u->text.used > SCOPE_MAX_URL)
		return REFUSAL_LENGTH;
	if (depth > s->max_depth)
		return REFUSAL_DEPTH;
	if (!host_belongs(s, u))
		return REFUSAL_HOST;
	if (!suffix_belongs(s, u))
		return REFUSAL_SUFFIX;
	if (!regex_belongs(s, u))
		return REFUSAL_REGEX;
	if (!parent_belongs(s, u))
		return REFUSAL_PARENT;
	return REFUSAL_NONE;
}

const char *refusal_name(enum refusal r)
{
	static const char *const names[] = {
#define REFUSAL_TEXT(name, text) text,
		REFUSAL_TABLE(REFUSAL_TEXT)
#undef REFUSAL_TEXT
	};

	return (unsigned)r < REFUSALS ? names[r] : "?";
}
