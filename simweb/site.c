#include "simweb/site.h"
#include "base/ascii.h"

#include <string.h>

static const char *url_of(const void *ctx, uint32_t page)
{
	const struct site *s = ctx;

	if (s->stored)
		return stored_url(s->stored, page);
	return s->names ? names_url(s->names, page) : NULL;
}

void site_init(struct site *s)
{
	s->pages = s->stored ? stored_pages(s->stored) : s->g->nodes;
	int urls = s->stored || (s->names && s->names->text);
	address_table_init(&s->table, (struct address_list){s, urls ? s->pages : 0, url_of});
}

void site_release(struct site *s)
{
	address_table_release(&s->table);
}

const char *site_given_url(const struct site *s, uint32_t page)
{
	const char *url = url_of(s, page);
	struct address a;

	return url && address_of_url(&a, url) ? url : NULL;
}

const char *site_host(const struct site *s, uint32_t page)
{
	const char *host = s->names ? names_host(s->names, page) : "";

	return *host ? host : s->default_host;
}

const char *site_scheme(const struct site *s)
{
	return s->tls ? "https://" : "http://";
}

uint64_t site_number(const struct site *s, uint32_t page)
{
	return s->stored ? page : graph_label(s->g, page);
}

void site_url(const struct site *s, uint32_t page, struct buf *out)
{
	const char *url = site_given_url(s, page);

	if (url)
		buf_text(out, url);
	else
		buf_format(out, "%s%s/%llu", site_scheme(s), site_host(s, page), (unsigned long long)site_number(s, page));
}

void site_alias_url(const struct site *s, uint32_t page, struct buf *out)
{
	const char *url = site_given_url(s, page);
	struct address a;

	if (url && address_of_url(&a, url))
		buf_add(out, a.origin, (size_t)(a.target - a.origin));
	else
		buf_format(out, "%s%s", site_scheme(s), site_host(s, page));
	buf_format(out, SITE_ALIAS "%llu", (unsigned long long)site_number(s, page));
}

static int is_literal(const struct address *a)
{
	return a->host_length == 0 || address_host_is(a, "127.0.0.1") || address_host_is(a, "localhost");
}

static int is_on_host_of(const struct site *s, const struct address *a, uint32_t page)
{
	const char *url = site_given_url(s, page), *host = site_host(s, page);
	struct address own;

	if (!url)
		return address_host_is(a, host) || (host == s->default_host && is_literal(a));
	return address_of_url(&own, url) && own.host_length == a->host_length && ascii_same(own.host, a->host, a->host_length);
}

/* Reads decimal digits in the form in which numbers are printed. Returns 1, or 0 if the text has another form. */
static int read_number(const char *digits, size_t n, uint64_t *number)
{
	*number = 0;
	if (n == 0 || n > 20 || (n > 1 && digits[0] == '0'))
		return 0;
	for (size_t i = 0; i < n; i++) {
		unsigned d = (unsigned)(digits[i] - '0');
		if (d > 9 || __builtin_mul_overflow(*number, 10, number) || __builtin_add_overflow(*number, d, number))
			return 0;
	}
	return 1;
}

int site_find_number(const struct site *s, const struct address *a, const char *digits, size_t n, uint32_t *page)
{
	uint64_t number;

	if (!read_number(digits, n, &number))
		return 0;
	if (s->stored) {
		if (number >= s->pages)
			return 0;
		*page = (uint32_t)number;
	} else if (!graph_find_label(s->g, number, page)) {
		return 0;
	}
	return is_on_host_of(s, a, *page);
}

int site_find(const struct site *s, const struct address *a, uint32_t *page)
{
	if (address_table_find(&s->table, a, page))
		return 1;
	return a->target_length > 1 && *a->target == '/' && site_find_number(s, a, a->target + 1, a->target_length - 1, page) &&
		!site_given_url(s, *page);
}
