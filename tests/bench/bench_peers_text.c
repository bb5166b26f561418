/* The part of bench_peers that reads pages: libxml2 and libcurl are the peers. */
#include "base/input.h"
#include "base/mem.h"
#include "parser/html.h"
#include "storage/warc_items.h"
#include "tests/bench/bench_peers.h"

#include <curl/curl.h>
#include <dirent.h>
#include <libxml/HTMLparser.h>
#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAGES_MOST 1500
#define BASE       "http://docs.test/manual/chapter/"

struct texts {
	char *page[PAGES_MOST];
	size_t size[PAGES_MOST], pages;
	char **reference; /* href attributes as they are written */
	size_t references, room;
	struct url base;
	uint64_t ours, theirs; /* links found */
};

/* --- the links of a page */

static int count_link(void *ctx, const struct url *target, unsigned kind, const char *anchor)
{
	struct texts *t = ctx;

	(void)anchor;
	(void)target;
	(void)kind;
	t->ours++;
	return 0;
}

static void our_links(void *ctx)
{
	struct texts *t = ctx;
	struct html_page page;

	t->ours = 0;
	for (size_t i = 0; i < t->pages; i++) {
		html_read(t->page[i], t->size[i], &t->base, "text/html; charset=utf-8", 1 << LINK_A, UINT64_MAX, count_link, t,
			&page);
		html_page_release(&page);
	}
}

static void start_element(void *ctx, const xmlChar *name, const xmlChar **attribute)
{
	struct texts *t = ctx;

	if (!attribute || strcmp((const char *)name, "a") != 0)
		return;
	for (; *attribute; attribute += 2)
		if (strcmp((const char *)*attribute, "href") == 0)
			t->theirs++;
}

/* Its events alone: no tree is built, and no link is resolved. */
static void libxml2_links(void *ctx)
{
	static htmlSAXHandler handler = {.startElement = start_element};
	struct texts *t = ctx;

	t->theirs = 0;
	for (size_t i = 0; i < t->pages; i++) {
		htmlParserCtxtPtr p = htmlCreatePushParserCtxt(&handler, t, NULL, 0, NULL, XML_CHAR_ENCODING_UTF8);
		htmlParseChunk(p, t->page[i], (int)t->size[i], 1);
		htmlFreeParserCtxt(p);
	}
}

/* --- references resolved */

static void our_urls(void *ctx)
{
	struct texts *t = ctx;
	struct url out = URL_EMPTY;

	for (size_t i = 0; i < t->references; i++)
		if (url_parse(&out, t->reference[i], strlen(t->reference[i]), &t->base) == URL_OK)
			t->ours += out.text.used;
	url_release(&out);
}

static void curl_urls(void *ctx)
{
	struct texts *t = ctx;
	CURLU *base = curl_url();

	if (curl_url_set(base, CURLUPART_URL, BASE, 0))
		peers_die("libcurl does not take the base");
	for (size_t i = 0; i < t->references; i++) {
		CURLU *u = curl_url_dup(base);
		char *text;
		if (!curl_url_set(u, CURLUPART_URL, t->reference[i], 0) && !curl_url_get(u, CURLUPART_URL, &text, 0)) {
			t->theirs += strlen(text);
			curl_free(text);
		}
		curl_url_cleanup(u);
	}
	curl_url_cleanup(base);
}

/* --- the pages */

static void add_reference(void *ctx, const xmlChar *name, const xmlChar **attribute)
{
	struct texts *t = ctx;

	if (!attribute || strcmp((const char *)name, "a") != 0)
		return;
	for (; *attribute; attribute += 2) {
		if (strcmp((const char *)*attribute, "href") != 0)
			continue;
		t->reference = mem_grow(t->reference, &t->room, t->references + 1, sizeof *t->reference);
		t->reference[t->references++] = mem_text((const char *)attribute[1]);
	}
}

static void read_page(struct texts *t, const char *path)
{
	static htmlSAXHandler handler = {.startElement = add_reference};
	const size_t i = t->pages;

	if (i == PAGES_MOST || input_all(path, 1 << 24, &t->page[i], &t->size[i], NULL))
		return;
	t->pages++;
	htmlParserCtxtPtr p = htmlCreatePushParserCtxt(&handler, t, NULL, 0, NULL, XML_CHAR_ENCODING_UTF8);
	htmlParseChunk(p, t->page[i], (int)t->size[i], 1);
	htmlFreeParserCtxt(p);
}

/* --- an archive */

#define ARCHIVE_COPIES 20 /* of the pages, each a record and a gzip member */

/* Writes the pages as a WARC file. Returns its bytes. */
static double write_archive(const struct texts *t, const char *path)
{
	struct libdeflate_compressor *packer = libdeflate_alloc_compressor(6);
	struct buf record = BUF_EMPTY, packed = BUF_EMPTY;
	double bytes = 0;
	FILE *f = fopen(path, "wb");

	for (size_t i = 0; f && i < ARCHIVE_COPIES * t->pages; i++) {
		const size_t page = i % t->pages;
		buf_clear(&record);
		buf_format(&record,
			"WARC/1.1\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a.test/%zu\r\nContent-Length: %zu\r\n\r\n", i,
			t->size[page]);
		buf_add(&record, t->page[page], t->size[page]);
		buf_text(&record, "\r\n\r\n");
		const size_t room = libdeflate_gzip_compress_bound(packer, record.used);
		const size_t n = libdeflate_gzip_compress(packer, record.at, record.used, buf_room(&packed, room), room);
		bytes += (double)fwrite(packed.at, 1, n, f);
	}
	if (!f || fclose(f))
		peers_die("cannot write an archive");
	libdeflate_free_compressor(packer);
	buf_release(&record);
	buf_release(&packed);
	return bytes;
}

static int count_item(void *ctx, const struct warc_item *item, struct err_note *why)
{
	(void)why;
	*(uint64_t *)ctx += item->block.n;
	return 0;
}

static void read_archive(void *path)
{
	struct warc_damage damage = {.places = 0};
	uint64_t bytes = 0;

	if (warc_items(path, count_item, &bytes, &damage, NULL) || damage.places)
		peers_die("the archive cannot be read");
}

/* What zcat does. */
static void unpack_archive(void *path)
{
	struct input *in;
	const char *bytes;
	size_t n;

	if (input_open(&in, path, NULL))
		peers_die("the archive cannot be unpacked");
	while (input_chunk(in, &bytes, &n, NULL) > 0)
		;
	input_close(in);
}

static void beside_zlib(const struct texts *t)
{
	char path[] = "/tmp/bench_warc.XXXXXX";
	const int fd = mkstemp(path);

	if (fd < 0)
		peers_die("no temporary file");
	close(fd);
	const double bytes = write_archive(t, path);
	peers_row("a WARC file read, by the byte of its gzip members (zlib: unpacked, no more)", "ns/byte",
		CLOCK_PROCESS_CPUTIME_ID, bytes, read_archive, unpack_archive, "zlib", path);
	unlink(path);
}

void peers_texts(const char *folder)
{
	static struct texts t;
	struct dirent **entry;
	char path[4096];
	double bytes = 0;
	const int n = scandir(folder, &entry, NULL, alphasort);

	url_parse(&t.base, BASE, strlen(BASE), NULL);
	for (int i = 0; i < n; i++) {
		const char *dot = strrchr(entry[i]->d_name, '.');
		snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
		if (dot && strcmp(dot, ".html") == 0)
			read_page(&t, path);
		free(entry[i]);
	}
	if (n >= 0)
		free(entry);
	for (size_t i = 0; i < t.pages; i++)
		bytes += (double)t.size[i];
	if (!t.pages) {
		printf("# no pages in %s: two rows are missing (Debian: postgresql-doc-15)\n", folder);
		return;
	}
	printf("# pages: %zu, %.0f bytes, %zu references\n", t.pages, bytes, t.references);
	peers_row("the links of a page, resolved (libxml2: found only)", "ns/byte", CLOCK_PROCESS_CPUTIME_ID, bytes, our_links,
		libxml2_links, "libxml2 (events)", &t);
	if (t.ours != t.theirs)
		printf("# links found: %llu, libxml2 %llu\n", (unsigned long long)t.ours, (unsigned long long)t.theirs);
	peers_row("a reference resolved", "ns/URL", CLOCK_PROCESS_CPUTIME_ID, (double)t.references, our_urls, curl_urls, "libcurl",
		&t);
	beside_zlib(&t);
	for (size_t i = 0; i < t.pages; i++)
		free(t.page[i]);
	for (size_t i = 0; i < t.references; i++)
		free(t.reference[i]);
	free(t.reference);
	url_release(&t.base);
}
