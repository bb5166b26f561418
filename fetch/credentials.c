#include "fetch/credentials.h"
#include "base/ascii.h"
#include "base/input.h"
#include "base/mem.h"
#include "base/num.h"
#include "parser/url.h"

#include <stdlib.h>
#include <string.h>

struct pass {
	char *origin; /* "https://example.org:8443" */
	size_t origin_length;
	char *value; /* of Authorization */
};

struct cookie {
	char *line; /* owns what follows */
	const char *domain, *path, *name, *value;
	int below;  /* the hosts below the domain, too */
	int secure; /* https only */
	uint64_t ends;
};

struct credentials {
	struct pass *pass;
	size_t passes, pass_room;
	struct cookie *cookie;
	size_t cookies, cookie_room;
};

static int has_control(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			return 1;
	return 0;
}

/* --- reading */

/* Splits the next word off, at blanks; NULL where there is none. */
static char *next_word(char **rest)
{
	char *word = *rest + strspn(*rest, " \t");
	char *end = word + strcspn(word, " \t");

	*rest = end + (*end != 0);
	*end = 0;
	return *word ? word : NULL;
}

/* Reads a line with an origin, a scheme and a secret. Returns 0, also for a comment or a blank line, or -1 if it is malformed. */
static int read_pass(struct credentials *c, char *line)
{
	struct url u = URL_EMPTY;
	int bad = -1;

	line += strspn(line, " \t");
	if (!*line || *line == '#')
		return 0;
	const char *origin = next_word(&line), *scheme = next_word(&line);
	struct buf value = BUF_EMPTY;
	line += strspn(line, " \t");
	if (scheme && url_parse(&u, origin, strlen(origin), NULL) == URL_OK && u.path + 1 == u.text.used &&
		!memchr(u.text.at, '@', u.path) && authorization_value(&value, scheme, line)) {
		c->pass = mem_grow(c->pass, &c->pass_room, c->passes + 1, sizeof *c->pass);
		c->pass[c->passes++] = (struct pass){mem_copy(u.text.at, u.path), u.path, buf_take(&value)};
		bad = 0;
	}
	buf_release(&value);
	url_release(&u);
	return bad;
}

/* Reads a line of a cookie file in Netscape's format. Returns 0, also for a comment or blank line, or -1 if it is malformed. */
static int read_cookie(struct credentials *c, const char *line)
{
	static const char http_only[] = "#HttpOnly_";
	char *field[7], *rest;

	if (strncmp(line, http_only, strlen(http_only)) == 0)
		line += strlen(http_only);
	else if (*line == '#' || !line[strspn(line, " \t")])
		return 0;
	char *copy = rest = mem_text(line);
	size_t n = 0;
	while (n < 7 && rest)
		field[n++] = strsep(&rest, "\t");
	struct cookie k = {.line = copy};
	int good = n == 7 && !rest;
	if (good) {
		k.below = ascii_order(field[1], "TRUE") == 0;
		k.secure = ascii_order(field[3], "TRUE") == 0;
		k.domain = field[0] + (*field[0] == '.');
		k.path = field[2];
		k.name = field[5];
		k.value = field[6];
		good = *k.domain && *k.path == '/' && *k.name && !has_control(k.name) && !has_control(k.value) &&
			!strpbrk(k.name, "=; ") && !strchr(k.value, ';') && num_count(field[4], UINT64_MAX, &k.ends) == 0;
	}
	if (!good) {
		free(copy);
		return -1;
	}
	c->cookie = mem_grow(c->cookie, &c->cookie_room, c->cookies + 1, sizeof *c->cookie);
	c->cookie[c->cookies++] = k;
	return 0;
}

static int read_lines(struct credentials *c, const char *path, int cookies, struct err_note *why)
{
	struct input *in;
	char *line;
	size_t n;
	int got, err = input_open(&in, path, why);

	if (err)
		return err;
	while ((got = input_line(in, &line, &n, why)) > 0) {
		if ((cookies ? read_cookie(c, line) : read_pass(c, line)) == 0)
			continue;
		got = err_set(why, ERR_FORMAT,
			cookies ? "%s:%llu: no cookie: there are seven fields with tabs between"
				: "%s:%llu: neither 'https://HOST basic USER:PASSWORD' nor "
				  "'https://HOST bearer TOKEN'",
			input_path(in), (unsigned long long)input_line_number(in));
		break;
	}
	input_close(in);
	return got;
}

int credentials_read(struct credentials **out, const char *auth, const char *cookies, struct err_note *why)
{
	struct credentials *c = mem_zero(1, sizeof *c);
	int err = auth ? read_lines(c, auth, 0, why) : 0;

	if (!err && cookies)
		err = read_lines(c, cookies, 1, why);
	if (err) {
		credentials_free(c);
		c = NULL;
	}
	*out = c;
	return err;
}

void credentials_free(struct credentials *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->passes; i++) {
		free(c->pass[i].origin);
		free(c->pass[i].value);
	}
	for (size_t i = 0; i < c->cookies; i++)
		free(c->cookie[i].line);
	free(c->pass);
	free(c->cookie);
	free(c);
}

/* --- what goes where */

static int is_for_host(const struct cookie *k, const struct url *u)
{
	const char *host = u->text.at + u->host;
	const size_t n = u->host_end - u->host, m = strlen(k->domain);

	if (n < m || !ascii_same(host + n - m, k->domain, m))
		return 0;
	/* an IP address has no subdomains */
	return n == m || (k->below && host[n - m - 1] == '.' && (host[n - 1] < '0' || host[n - 1] > '9'));
}

static int is_for_path(const struct cookie *k, const struct url *u)
{
	const size_t n = u->query - u->path, m = strlen(k->path);
	const char *path = u->text.at + u->path;

	return n >= m && memcmp(path, k->path, m) == 0 && (n == m || k->path[m - 1] == '/' || path[m] == '/');
}

void credentials_for(const struct credentials *c, const struct url *u, int64_t now, struct buf *authorization, struct buf *cookie)
{
	const char *origin = u->text.at;

	buf_clear(authorization);
	buf_clear(cookie);
	if (!c)
		return;
	for (size_t i = 0; i < c->passes; i++) {
		const struct pass *p = &c->pass[i];
		const size_t scheme = u->https ? 8 : 7, n = u->path - u->host;
		if (p->origin_length == scheme + n && memcmp(p->origin, origin, scheme) == 0 &&
			memcmp(p->origin + scheme, u->text.at + u->host, n) == 0) {
			buf_clear(authorization);
			buf_text(authorization, p->value);
		}
	}
	for (size_t i = 0; i < c->cookies; i++) {
		const struct cookie *k = &c->cookie[i];
		if ((k->ends && now >= 0 && (uint64_t)now >= k->ends) || (k->secure && !u->https) || !is_for_host(k, u) ||
			!is_for_path(k, u))
			continue;
		buf_format(cookie, "%s%s=%s", cookie->used ? "; " : "", k->name, k->value);
	}
}
