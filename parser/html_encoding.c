#include "parser/html_encoding.h"
#include "parser/decode.h"
#include "parser/html_token.h"
#include "parser/mime.h"

#include <string.h>

#define PRESCAN 1024u /* bytes */

static size_t skip_space(const char *text, size_t n, size_t i)
{
	while (i < n && html_is(text[i], HTML_SPACE))
		i++;
	return i;
}

/* Returns the encoding that a declaration means: a declaration of UTF-16 that was read as ASCII means UTF-8, and x-user-defined
 * means windows-1252. */
static const char *as_declared(const char *name)
{
	if (name && strncmp(name, "utf-16", 6) == 0)
		return "utf-8";
	return name && strcmp(name, "x-user-defined") == 0 ? "windows-1252" : name;
}

const char *html_encoding_of_charset(const char *value, size_t n)
{
	return as_declared(encoding_name(value, n));
}

const char *html_encoding_of_content(const char *value, size_t n)
{
	static const char word[] = "charset";
	const size_t length = sizeof word - 1;

	for (size_t i = 0; i + length <= n; i++) {
		if (!html_is_name(value + i, length, word))
			continue;
		size_t start = skip_space(value, n, i + length), end;
		if (start == n || value[start] != '=')
			continue;
		start = skip_space(value, n, start + 1);
		if (start == n)
			return NULL;
		if (value[start] == '"' || value[start] == '\'') {
			const char *close = memchr(value + start + 1, value[start], n - start - 1);
			if (!close)
				return NULL;
			start++;
			end = (size_t)(close - value);
		} else {
			for (end = start; end < n && value[end] != ';';)
				if (html_is(value[end++], HTML_SPACE)) {
					end--;
					break;
				}
		}
		return html_encoding_of_charset(value + start, end - start);
	}
	return NULL;
}

/* Reads the attributes of a meta element, and sets *found to the encoding that it declares, or NULL. Returns -1 if the bytes end
 * within the element. */
static int read_meta(struct html_tokens *t, const char **found)
{
	struct html_attributes a;
	const int end = html_attributes_read(&a, t);
	const struct html_text pragma = a.value[HTML_HTTP_EQUIV], content = a.value[HTML_CONTENT], charset = a.value[HTML_CHARSET];

	*found = NULL;
	if (charset.at)
		*found = html_encoding_of_charset(charset.at, charset.n);
	else if (content.at && pragma.at && html_is_name(pragma.at, pragma.n, "content-type"))
		*found = html_encoding_of_content(content.at, content.n);
	return end;
}

static const char *prescan(const char *bytes, size_t n)
{
	struct html_tokens t;
	struct html_text name;
	enum html_tag_kind kind;
	const char *found;

	html_tokens_init(&t, bytes, n < PRESCAN ? n : PRESCAN);
	while ((kind = html_next_tag(&t, &name)) != HTML_END_OF_FILE) {
		if (kind != HTML_START_TAG || !html_is_name(name.at, name.n, "meta")) {
			if (html_skip_attributes(&t) < 0)
				return NULL;
		} else if (read_meta(&t, &found) < 0) {
			return NULL;
		} else if (found) {
			return found;
		}
	}
	return NULL;
}

/* Returns the encoding of an XML declaration, as the standard's "get an XML encoding" does. */
static const char *read_xml_declaration(const char *bytes, size_t n)
{
	static const char word[] = "encoding";
	const char *end = memchr(bytes, '>', n < PRESCAN ? n : PRESCAN), *p;

	if (!end || end - bytes < 5 || memcmp(bytes, "<?xml", 5) != 0)
		return NULL;
	p = memmem(bytes, (size_t)(end - bytes), word, sizeof word - 1);
	if (!p)
		return NULL;
	for (p += sizeof word - 1; p < end && (uint8_t)*p <= ' ';)
		p++;
	if (*p != '=')
		return NULL;
	for (p++; p < end && (uint8_t)*p <= ' ';)
		p++;
	const char *close = *p == '"' || *p == '\'' ? memchr(p + 1, *p, (size_t)(end - p - 1)) : NULL;
	if (!close)
		return NULL;
	p++;
	for (const char *q = p; q < close; q++)
		if ((uint8_t)*q <= ' ')
			return NULL;
	return as_declared(encoding_name(p, (size_t)(close - p)));
}

/* Sets the encoding that the first bytes show: by a byte order mark, or by an XML declaration in UTF-16. */
static void read_signature(const char *bytes, size_t n, struct html_encoding *found)
{
	static const struct {
		const char *bytes;
		size_t n, mark;
		const char *name;
	} sign[] = {{"\xef\xbb\xbf", 3, 3, "utf-8"}, {"\xfe\xff", 2, 2, "utf-16be"}, {"\xff\xfe", 2, 2, "utf-16le"},
		{"<\0?\0x\0", 6, 0, "utf-16le"}, {"\0<\0?\0x", 6, 0, "utf-16be"}};

	for (size_t i = 0; i < sizeof sign / sizeof *sign; i++) {
		if (n >= sign[i].n && memcmp(bytes, sign[i].bytes, sign[i].n) == 0) {
			found->name = sign[i].name;
			found->mark = sign[i].mark;
			return;
		}
	}
}

/* Finds the encoding that takes precedence over the document's declarations: that of a byte order mark, or of the Content-Type. */
static struct html_encoding find_told(const char *bytes, size_t n, const char *content_type)
{
	struct html_encoding found = {NULL, 0, 0, 0};
	struct mime mime;
	const char *told = NULL;

	if (content_type && mime_parse(&mime, content_type, strlen(content_type)) == 0) {
		told = encoding_name(mime.charset, strlen(mime.charset));
		found.is_xml = strcmp(mime.essence, "application/xhtml+xml") == 0;
	}
	read_signature(bytes, n, &found);
	found.certain = told || found.mark;
	if (told && !found.mark)
		found.name = told;
	return found;
}

struct html_encoding html_encoding_find(const char *bytes, size_t n, const char *content_type)
{
	struct html_encoding found = find_told(bytes, n, content_type);

	if (!found.name)
		found.name = prescan(bytes, n);
	if (!found.name)
		found.name = read_xml_declaration(bytes, n);
	if (!found.name)
		found.name = found.is_xml ? "utf-8" : "windows-1252";
	return found;
}

struct html_encoding html_encoding_of_xml(const char *bytes, size_t n, const char *content_type)
{
	struct html_encoding found = find_told(bytes, n, content_type);

	if (!found.name)
		found.name = read_xml_declaration(bytes, n);
	if (!found.name)
		found.name = "utf-8";
	return found;
}
