/* A sitemap or feed of hostile bytes, XML, JSON, text or packed: every entry told is a canonical URL, no more are told than
 * allowed, and what is taken for a feed is read as one. */
#include "parser/sitemap.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int holds)
{
	if (!holds)
		abort();
}

static int on_entry(void *ctx, const struct url *target, enum sitemap_entry kind, int64_t changed)
{
	struct url again = URL_EMPTY;

	check(changed == SITEMAP_UNDATED || (changed > -63000000000 && changed < 254000000000));
	check(kind == SITEMAP_URL || kind == SITEMAP_INDEX);
	check(url_parse(&again, target->text.at, target->text.used, NULL) == URL_OK);
	check(strcmp(again.text.at, target->text.at) == 0);
	url_release(&again);
	check(++*(unsigned *)ctx <= SITEMAP_MAX_URLS);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct url address = URL_EMPTY;
	unsigned told = 0;

	check(url_parse(&address, "http://h.example/d/s.xml", 24, NULL) == URL_OK);
	int result = sitemap_read((const char *)data, size, &address, NULL, on_entry, &told);
	check(result == 0 || result == -1);
	/* exactly as many bytes, so that a step beyond them is seen */
	char *exact = malloc(size + 1);
	memcpy(exact + 1, data, size);
	if (sitemap_is_feed(exact + 1, size) && size && exact[1] == '{')
		check(result == 0);
	free(exact);
	url_release(&address);
	return 0;
}
