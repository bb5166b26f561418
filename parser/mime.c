#include "parser/mime.h"
#include "base/ascii.h"

#include <stdint.h>
#include <string.h>

/* What is left of a header's value. */
struct input {
	const char *at, *end;
};

/* Says whether a byte is HTTP white space. */
static int is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static int is_token(char c)
{
	return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || (c && strchr("!#$%&'*+-.^_`|~", c));
}

/* Says whether a byte may occur in the value of a parameter. */
static int is_quotable(char c)
{
	return c == '\t' || ((uint8_t)c >= ' ' && c != 0x7f);
}

static const char *find(const struct input *in, char c)
{
	const char *p = memchr(in->at, c, (size_t)(in->end - in->at));

	return p ? p : in->end;
}

static const char *trim_end(const char *start, const char *end)
{
	while (end > start && is_blank(end[-1]))
		end--;
	return end;
}

/* Appends a token in lower case to the string `to` of n bytes; -1 where it is none or too long. */
static int add_token(char *to, size_t room, const char *p, const char *end)
{
	size_t n = strlen(to);

	if (p == end || (size_t)(end - p) >= room - n)
		return -1;
	for (; p < end; p++) {
		if (!is_token(*p))
			return -1;
		to[n++] = ascii_lower(*p);
	}
	to[n] = 0;
	return 0;
}

/* Reads the value of a parameter, plain or quoted, up to the next ';', in lower case. A value that is too long becomes "", since
 * no encoding has so long a name. Returns 1, or 0 if the value is malformed and is to be ignored. */
static int read_value(struct input *in, char *to, size_t room)
{
	const int quoted = *in->at == '"';
	const char *stop = quoted ? in->end : trim_end(in->at, find(in, ';'));
	size_t n = 0;
	int legal = quoted || stop > in->at;

	for (in->at += quoted; in->at < stop && !(quoted && *in->at == '"'); in->at++, n++) {
		if (quoted && *in->at == '\\' && in->at + 1 < stop)
			in->at++;
		legal &= is_quotable(*in->at);
		if (n < room)
			to[n] = ascii_lower(*in->at);
	}
	to[n < room ? n : 0] = 0;
	in->at = find(in, ';');
	return legal;
}

int mime_parse(struct mime *m, const char *value, size_t n)
{
	struct input in = {value, trim_end(value, value + n)};
	int found = 0;

	memset(m, 0, sizeof *m);
	while (in.at < in.end && is_blank(*in.at))
		in.at++;
	const char *slash = find(&in, '/');
	if (slash == in.end || add_token(m->essence, sizeof m->essence - 1, in.at, slash))
		return -1;
	strcat(m->essence, "/");
	in.at = slash + 1;
	const char *stop = find(&in, ';');
	if (add_token(m->essence, sizeof m->essence, in.at, trim_end(in.at, stop)))
		return -1;
	for (in.at = stop; in.at < in.end;) {
		char name[8] = "", text[sizeof m->charset];
		for (in.at++; in.at < in.end && is_blank(*in.at);)
			in.at++;
		const char *equals = find(&in, '=');
		stop = find(&in, ';');
		if (stop < equals || equals + 1 >= in.end) {
			in.at = stop;
			continue;
		}
		int wanted = add_token(name, sizeof name, in.at, equals) == 0 && strcmp(name, "charset") == 0;
		in.at = equals + 1;
		if (read_value(&in, text, sizeof text) && wanted && !found) {
			memcpy(m->charset, text, sizeof text);
			found = 1;
		}
	}
	return 0;
}

int mime_is_html(const struct mime *m)
{
	return strcmp(m->essence, "text/html") == 0 || strcmp(m->essence, "application/xhtml+xml") == 0;
}

int mime_sniff_html(const char *bytes, size_t n)
{
	static const char *const sign[] = {"!doctype html", "html", "head", "script", "iframe", "h1", "div", "font", "table", "a",
		"style", "title", "b", "body", "br", "p", "!--"};
	const char *p = bytes, *end = bytes + n;

	if (n >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
		p += 3;
	while (p < end && (is_blank(*p) || *p == '\f'))
		p++;
	if (p == end || *p++ != '<')
		return 0;
	for (size_t i = 0; i < sizeof sign / sizeof *sign; i++) {
		size_t k = 0, length = strlen(sign[i]);
		if ((size_t)(end - p) <= length)
			continue;
		while (k < length && ascii_lower(p[k]) == sign[i][k])
			k++;
		if (k == length && (p[k] == ' ' || p[k] == '>'))
			return 1;
	}
	return 0;
}

static const struct {
	const char *extension, *type;
} types[] = {
	{"html", "text/html"},
	{"htm", "text/html"},
	{"xhtml", "application/xhtml+xml"},
	{"txt", "text/plain"},
	{"md", "text/markdown"},
	{"css", "text/css"},
	{"csv", "text/csv"},
	{"js", "text/javascript"},
	{"json", "application/json"},
	{"xml", "application/xml"},
	{"rss", "application/rss+xml"},
	{"atom", "application/atom+xml"},
	{"svg", "image/svg+xml"},
	{"png", "image/png"},
	{"gif", "image/gif"},
	{"jpg", "image/jpeg"},
	{"jpeg", "image/jpeg"},
	{"webp", "image/webp"},
	{"ico", "image/vnd.microsoft.icon"},
	{"pdf", "application/pdf"},
	{"ps", "application/postscript"},
	{"doc", "application/msword"},
	{"ppt", "application/vnd.ms-powerpoint"},
	{"odt", "application/vnd.oasis.opendocument.text"},
	{"epub", "application/epub+zip"},
	{"gz", "application/gzip"},
	{"xz", "application/x-xz"},
	{"tar", "application/x-tar"},
	{"zip", "application/zip"},
	{"mp3", "audio/mpeg"},
	{"mp4", "video/mp4"},
};

const char *mime_of_path(const char *path, size_t n)
{
	const char *end = path + n, *dot = end;

	while (dot > path && dot[-1] != '.' && dot[-1] != '/')
		dot--;
	if (dot == path || dot[-1] == '/')
		return NULL;
	n = (size_t)(end - dot);
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (strlen(types[i].extension) == n && ascii_same(types[i].extension, dot, n))
			return types[i].type;
	return NULL;
}
