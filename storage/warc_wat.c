#include "storage/warc_wat.h"
#include "base/ascii.h"
#include "storage/cdxj.h"

#include <jansson.h>
#include <string.h>

/* Returns what a path of names leads to; NULL if there is no such thing. */
static const json_t *at_path(const json_t *from, const char *const *name)
{
	for (; from && *name; name++)
		from = json_object_get(from, *name);
	return from;
}

/* Appends an attribute of an element, if there is a value. */
static void put_attribute(struct buf *out, const char *name, size_t n, const char *value)
{
	if (!*value)
		return;
	buf_format(out, " %.*s=\"", (int)n, name);
	for (; *value; value++)
		if (*value == '"')
			buf_text(out, "&quot;");
		else if (*value == '&')
			buf_text(out, "&amp;");
		else
			buf_byte(out, *value);
	buf_text(out, "\"");
}

/* Says whether a text of n bytes is a word of letters, as the names of elements and attributes are here. */
static int is_word(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!ascii_is_letter(text[i]) && text[i] != '-')
			return 0;
	return n > 0;
}

/* Appends the element of a link: its path is "A@/href", the name of an element and that of an attribute. */
static void put_link(struct buf *out, const json_t *link)
{
	static const char *const also[] = {"rel", "type", "title", NULL};
	const char *path = cdxj_text(link, "path"), *mark = strstr(path, "@/");

	if (!mark || !is_word(path, (size_t)(mark - path)) || !is_word(mark + 2, strlen(mark + 2)))
		return;
	buf_format(out, "<%.*s", (int)(mark - path), path);
	put_attribute(out, mark + 2, strlen(mark + 2), cdxj_text(link, "url"));
	for (size_t i = 0; also[i]; i++)
		if (strcmp(mark + 2, also[i]) != 0)
			put_attribute(out, also[i], strlen(also[i]), cdxj_text(link, also[i]));
	buf_byte(out, '>');
	for (const char *p = ascii_order(path, "A@/href") == 0 ? cdxj_text(link, "text") : ""; *p; p++)
		buf_byte(out, *p == '<' ? ' ' : *p);
	/* a script that stays open would have the rest of the page as its text */
	buf_format(out, "</%.*s>\n", (int)(mark - path), path);
}

static void put_links(struct buf *out, const json_t *html, const char *where, const char *what)
{
	const json_t *list = at_path(html, (const char *const[]){where, what, NULL});
	const json_t *list_of = *where ? list : json_object_get(html, what);

	for (size_t i = 0; i < json_array_size(list_of); i++)
		put_link(out, json_array_get(list_of, i));
}

/* Appends the meta elements that say something of links: those of robots and of a refresh. */
static void put_metas(struct buf *out, const json_t *html)
{
	const json_t *list = at_path(html, (const char *const[]){"Head", "Metas", NULL});

	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *meta = json_array_get(list, i);
		buf_text(out, "<meta");
		put_attribute(out, "name", 4, cdxj_text(meta, "name"));
		put_attribute(out, "http-equiv", 10, cdxj_text(meta, "http-equiv"));
		put_attribute(out, "content", 7, cdxj_text(meta, "content"));
		buf_text(out, ">\n");
	}
}

static void put_document(struct buf *out, const json_t *html, const struct buf *url)
{
	const char *base = cdxj_text(json_object_get(html, "Head"), "Base");

	buf_text(out, "<!doctype html><html><head>\n");
	if (*base) {
		buf_text(out, "<base");
		put_attribute(out, "href", 4, base);
		buf_text(out, ">\n");
	}
	put_metas(out, html);
	put_links(out, html, "Head", "Link");
	put_links(out, html, "Head", "Scripts");
	buf_text(out, "<title>");
	for (const char *p = cdxj_text(json_object_get(html, "Head"), "Title"); *p; p++)
		buf_byte(out, *p == '<' ? ' ' : *p);
	/* the text of the page is not known, and so not that of any other page */
	buf_format(out, "</title></head><body><p>%.*s</p>\n", (int)strcspn(url->at, "<"), url->at);
	put_links(out, html, "", "Links");
}

/* Appends the head of an answer, without the fields that describe how its body was sent. */
static void put_head(struct buf *out, const json_t *answer)
{
	const json_t *status = at_path(answer, (const char *const[]){"Response-Message", "Status", NULL}), *value;
	json_t *headers = json_object_get(answer, "Headers");
	const char *name, *text;

	buf_format(out, "HTTP/1.1 %s\r\n", json_string_value(status) ? json_string_value(status) : "200");
	json_object_foreach(headers, name, value)
	{
		if (ascii_order(name, "Content-Encoding") == 0 || ascii_order(name, "Transfer-Encoding") == 0 ||
			ascii_order(name, "Content-Length") == 0)
			continue;
		text = json_string_value(value);
		if (text && !strpbrk(text, "\r\n"))
			buf_format(out, "%s: %s\r\n", name, text);
	}
	buf_text(out, "\r\n");
}

int wat_capture(struct capture *c, const struct warc_item *item)
{
	static const char *const to_answer[] = {"Envelope", "Payload-Metadata", "HTTP-Response-Metadata", NULL};
	const struct warc_span type = warc_field(item->header, "Content-Type");

	if (!warc_is(warc_field(item->header, "WARC-Type"), "metadata") || type.n < 16 ||
		!ascii_same(type.at, "application/json", 16))
		return 0;
	struct warc_span block;
	json_t *all = warc_item_block(item, SIZE_MAX, &block, NULL) ? NULL : json_loadb(block.at, block.n, 0, NULL);
	const json_t *answer = at_path(all, to_answer);
	const int is = answer != NULL && capture_of_url(c, item->header);
	if (is) {
		buf_clear(&c->block);
		put_head(&c->block, answer);
		c->head_at = 0;
		c->head_n = c->block.used;
		if (json_object_get(answer, "HTML-Metadata"))
			put_document(&c->block, json_object_get(answer, "HTML-Metadata"), &c->url);
	}
	json_decref(all);
	return is;
}
