#include "tests/traps/family_sites.h"
#include "tests/traps/families.h"

#include <stdio.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

struct numbered {
	uint64_t key; /* a hash of host and path */
	uint64_t n;
};

void family_urls_init(struct family_urls *urls)
{
	map_init(&urls->n, sizeof(struct numbered));
}

void family_urls_release(struct family_urls *urls)
{
	map_release(&urls->n);
}

void family_host(const char *name, struct buf *out)
{
	out->used = 0;
	for (; *name; name++) {
		const char c = *name >= 'A' && *name <= 'Z' ? (char)(*name + 'a' - 'A') : *name;
		if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
			buf_byte(out, c);
		else if (out->used && out->at[out->used - 1] != '-')
			buf_byte(out, '-');
	}
	buf_text(out, "-family.test");
	buf_end(out);
}

static uint64_t key_of(const char *host, const char *path)
{
	return XXH3_64bits_withSeed(path, strlen(path), XXH3_64bits(host, strlen(host)));
}

/* Writes a link to a page of the family, and knows it from now on. */
static void link_to(struct family_urls *urls, const struct family *family, const char *host, long n, struct buf *html)
{
	struct buf path = BUF_EMPTY;

	family->path(&path, n);
	buf_end(&path);
	((struct numbered *)map_at(&urls->n, key_of(host, path.at)))->n = (uint64_t)n;
	buf_format(html, "<a href=\"%s\">more</a>", path.at);
	buf_release(&path);
}

static void write_page(struct family_urls *urls, const struct family *family, const char *host, long n, long pages,
	struct buf *html)
{
	const unsigned ways = n < 0 ? 0 : family->links;
	const long to[] = {n < 0 ? 0 : -1, ways & TO_NEXT ? n + 1 : -1, ways & TO_BEFORE ? n - 1 : -1,
		ways & TO_TWO ? 2 * n + 1 : -1, ways & TO_TWO ? 2 * n + 2 : -1};

	buf_text(html, "<html><title>Site</title><p>Home News Contact");
	if (n >= 0)
		family->body(html, n);
	else
		buf_text(html, "Welcome to this site, which has much to show");
	for (size_t i = 0; i < sizeof to / sizeof *to; i++)
		if (to[i] >= 0 && (!pages || to[i] < pages))
			link_to(urls, family, host, to[i], html);
}

int family_answer(struct family_urls *urls, struct said *said, const char *host, const char *path)
{
	const struct family *const tables[] = {finite_families, endless_families};
	struct buf name = BUF_EMPTY;
	int is_known = 0;

	for (int i = 0; i < 2 && !is_known; i++)
		for (const struct family *f = tables[i]; f->name && !is_known; f++) {
			family_host(f->name, &name);
			if (strcmp(name.at, host) != 0)
				continue;
			is_known = 1;
			const struct numbered *numbered = map_find(&urls->n, key_of(host, path));
			const long n = strcmp(path, "/") == 0 ? -1 : numbered ? (long)numbered->n : -2;
			if (n == -2)
				break;
			if (i == 0 || n == -1)
				snprintf(said->name, sizeof said->name, "page-%ld", n + 1);
			write_page(urls, f, host, n, i == 0 ? FAMILY_PAGES : 0, &said->page);
		}
	buf_release(&name);
	return is_known;
}
