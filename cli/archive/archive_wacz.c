/* `lycosa archive wacz`: WARC files as one WACZ file (Web Archive Collection Zipped 1.1.1): a ZIP file in which they lie
 * uncompressed, so that a reader can reach each record, with an index, a list of the pages, and digests of all of these.
 *
 *	archive/NAME.warc.gz ...  indexes/index.cdx (or .cdx.gz and .idx)  pages/pages.jsonl
 *	datapackage.json  datapackage-digest.json */
#include "config.h"

#include "base/ascii.h"
#include "base/clock.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/output.h"
#include "base/zip.h"
#include "cli/archive/archive.h"
#include "parser/html.h"
#include "storage/wacz_rules.h"

#include <archive.h>
#include <archive_entry.h>
#include <jansson.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define HEAD_MOST   ((size_t)64 << 10) /* bytes of a block in which its HTTP head is looked for */
#define CHUNK       ((size_t)1 << 20)
#define INDEX_BLOCK 3000 /* lines of an index, as other programs have it */

struct packing {
	const struct wacz_content *content;
	const char *to;
	struct output *out;
	struct archive *zip;
	json_t *resources;
	struct buf pages, extra; /* the lines of main pages, and of others */
	struct map mains;        /* the URLs to which main pages redirect */
	json_t *titles;          /* by the digest of a payload, for pages that repeat it */
	int64_t first;           /* the time of the earliest capture, ms; 0: none yet */
	struct buf main_url;     /* the earliest page, and its time */
	int64_t main_time;
};

/* --- entries of the ZIP file */

static int zip_failed(struct packing *p, struct err_note *why)
{
	return err_set(why, ERR_FILE, "cannot write '%s': %s", p->to, archive_error_string(p->zip));
}

static int begin_entry(struct packing *p, const char *name, uint64_t size, struct err_note *why)
{
	struct archive_entry *entry = archive_entry_new();

	archive_entry_set_pathname(entry, name);
	archive_entry_set_size(entry, (la_int64_t)size);
	archive_entry_set_filetype(entry, AE_IFREG);
	archive_entry_set_perm(entry, 0644);
	archive_entry_set_mtime(entry, (time_t)(p->first / 1000), 0);
	const int code = archive_write_header(p->zip, entry);
	archive_entry_free(entry);
	return code == ARCHIVE_OK ? 0 : zip_failed(p, why);
}

/* Returns a digest as WACZ writes it. */
static json_t *hash_text(struct sha256_ctx *sha)
{
	uint8_t digest[SHA256_DIGEST_SIZE];
	char hash[8 + 2 * SHA256_DIGEST_SIZE] = "sha256:";

	sha256_digest(sha, sizeof digest, digest);
	for (size_t i = 0; i < sizeof digest; i++)
		snprintf(hash + 7 + 2 * i, 3, "%02x", digest[i]);
	return json_string(hash);
}

/* Notes an entry that is complete among the resources, with its digest. */
static void note_resource(struct packing *p, const char *path, uint64_t size, struct sha256_ctx *sha)
{
	/* names are of few characters, and there is one of each */
	char *name = mem_text(archive_name(path));
	for (char *c = name; *c; c++)
		*c = *c >= 'A' && *c <= 'Z' ? (char)(*c + 32) : ascii_is_letter(*c) || strchr("0123456789.-_", *c) ? *c : '_';
	for (size_t i = 0; i < json_array_size(p->resources); i++)
		if (strcmp(name, json_string_value(json_object_get(json_array_get(p->resources, i), "name"))) == 0) {
			char *longer = buf_made("%s-%zu", name, json_array_size(p->resources));
			free(name);
			name = longer;
		}
	json_array_append_new(p->resources,
		json_pack("{s:s, s:s, s:o, s:I}", "name", name, "path", path, "hash", hash_text(sha), "bytes", (json_int_t)size));
	free(name);
}

/* Adds an entry of n bytes. */
static int add_bytes(struct packing *p, const char *name, const char *at, size_t n, struct err_note *why)
{
	struct sha256_ctx sha;
	int err = begin_entry(p, name, n, why);

	sha256_init(&sha);
	for (size_t done = 0, part; !err && done < n; done += part) {
		part = n - done < CHUNK ? n - done : CHUNK;
		sha256_update(&sha, part, (const uint8_t *)at + done);
		if (archive_write_data(p->zip, at + done, part) != (la_ssize_t)part)
			err = zip_failed(p, why);
	}
	if (!err)
		note_resource(p, name, n, &sha);
	return err;
}

/* Adds a WARC file. */
static int add_file(struct packing *p, const char *path, struct err_note *why)
{
	char *name = buf_made("archive/%s", archive_name(path));
	struct mapped file;
	int err = mapped_open(&file, path, why);

	if (err >= 0)
		err = add_bytes(p, name, file.at, file.n, why);
	mapped_close(&file);
	free(name);
	return err;
}

/* --- the list of the pages */

static json_t *title_of(const struct capture *c)
{
	struct html_page page;

	if (!archive_read_html(c, 0, &page))
		return NULL;
	json_t *title = json_string(page.title);
	html_page_release(&page);
	return title;
}

static const char *time_text(int64_t ms, char text[32])
{
	const struct tm tm = clock_utc(ms);

	strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &tm);
	return text;
}

struct url_key {
	uint64_t key;
};

static uint64_t key_of(const char *url, size_t n)
{
	return XXH3_64bits(url, n) | 1;
}

/* Returns the rank of a capture (url_rank_fn). The target of the redirect of a main page is a main page, too. */
static int rank_of(struct packing *p, const struct capture *c)
{
	const struct warc_span to = warc_field(capture_head(c), "Location");
	struct url base = URL_EMPTY, target = URL_EMPTY;
	int rank = p->content->rank ? p->content->rank(p->content->ctx, c->url.at, c->url.used) : 1;

	if (rank == 0)
		rank = map_find(&p->mains, key_of(c->url.at, c->url.used)) != NULL;
	if (rank > 0 && capture_status(c) / 100 == 3 && to.n && url_parse(&base, c->url.at, c->url.used, NULL) == URL_OK &&
		url_parse(&target, to.at, to.n, &base) == URL_OK)
		map_at(&p->mains, key_of(target.text.at, target.text.used));
	url_release(&base);
	url_release(&target);
	return rank;
}

/* Adds the line of a capture. */
static void add_line(struct packing *p, const struct capture *c, int is_main)
{
	char text[32];
	const char *digest = c->digest.used ? c->digest.at : "";
	json_t *title = c->kind == CAPTURE_REVISIT ? json_incref(json_object_get(p->titles, digest)) : title_of(c);
	json_t *page = json_object();

	if (title)
		json_object_set(p->titles, digest, title);
	json_object_set_new(page, "url", json_stringn(c->url.at, c->url.used));
	json_object_set_new(page, "ts", json_string(time_text(c->time, text)));
	if (title)
		json_object_set_new(page, "title", title);
	char *line = json_object_get(page, "url") ? json_dumps(page, JSON_COMPACT) : NULL;
	if (line)
		buf_format(is_main ? &p->pages : &p->extra, "%s\n", line);
	if (line && is_main && (!p->main_url.used || c->time < p->main_time)) {
		p->main_time = c->time;
		buf_clear(&p->main_url);
		buf_add(&p->main_url, c->url.at, c->url.used);
	}
	free(line);
	json_decref(page);
}

/* Adds the line of a capture that is an HTML page with status 200. */
static int add_page(void *ctx, const struct warc_item *item, struct capture *c, struct err_note *why)
{
	struct packing *p = ctx;
	int err = capture_take(c, item, HEAD_MOST, why);

	if (err)
		return err;
	if (c->time > 0 && (!p->first || c->time < p->first))
		p->first = c->time;
	const int rank = rank_of(p, c);
	if (rank < 0 || c->kind == CAPTURE_RESOURCE || capture_status(c) != 200 || !archive_is_html(c))
		return 0;
	err = capture_take(c, item, SIZE_MAX, why);
	if (!err)
		add_line(p, c, rank);
	return err;
}

/* --- the whole */

/* Names in the description of this package the package with the responses that the revisits of this one repeat, in the form in
 * which ReplayWeb.page looks for it. */
static void name_required(const struct packing *p, json_t *about)
{
	const char *path = p->content->required;
	struct sha256_ctx sha;
	struct mapped file;

	if (!path || !wacz_is(path))
		return;
	if (mapped_open(&file, path, NULL) > 0) {
		sha256_init(&sha);
		sha256_update(&sha, file.n, (const uint8_t *)file.at);
		json_object_set_new(about, "relation",
			json_pack("{s:[{s:s, s:o}]}", "requires", "filename", archive_name(path), "hash", hash_text(&sha)));
	}
	mapped_close(&file);
}

/* Adds the description of the package, and the digest of the description. */
static int add_description(struct packing *p, struct err_note *why)
{
	char created[32];
	json_t *about = json_pack("{s:s, s:s, s:s, s:s}", "profile", "data-package", "wacz_version", "1.1.1", "software",
		"lycosa " PACKAGE_VERSION, "created", time_text(p->first, created));

	if (p->main_url.used) {
		json_object_set_new(about, "mainPageUrl", json_stringn(p->main_url.at, p->main_url.used));
		json_object_set_new(about, "mainPageDate", json_string(time_text(p->main_time, created)));
	}
	json_object_set(about, "resources", p->resources);
	name_required(p, about);
	char *text = json_dumps(about, JSON_INDENT(2));
	json_decref(about);
	int err = add_bytes(p, "datapackage.json", text, strlen(text), why);
	free(text);
	if (err)
		return err;
	const json_t *last = json_array_get(p->resources, json_array_size(p->resources) - 1);
	json_t *digest = json_pack("{s:s, s:O}", "path", "datapackage.json", "hash", json_object_get(last, "hash"));
	text = json_dumps(digest, JSON_INDENT(2));
	json_decref(digest);
	err = add_bytes(p, "datapackage-digest.json", text, strlen(text), why);
	free(text);
	return err;
}

/* Refuses two files of one name, which would be one entry. */
static int check_names(const struct wacz_content *c, struct err_note *why)
{
	for (size_t i = 0; i < c->n; i++) {
		const char *end = strrchr(archive_name(c->files[i]), '.');
		if (!end || (strcmp(end, ".gz") != 0 && strcmp(end, ".warc") != 0))
			return err_set(why, ERR_USAGE, "'%s' has no place in a WACZ file, which takes .warc and .warc.gz",
				c->files[i]);
		for (size_t k = 0; k < i; k++)
			if (strcmp(archive_name(c->files[i]), archive_name(c->files[k])) == 0)
				return err_set(why, ERR_USAGE, "'%s' and '%s' would have one name in the WACZ file", c->files[k],
					c->files[i]);
	}
	return 0;
}

/* Reads all files: the index and the pages. */
static int read_files(struct packing *p, struct buf *index, struct err_note *why)
{
	static const struct archive_wish all = {.url = URL_EMPTY, .until = INT64_MAX};
	int err = check_names(p->content, why);

	buf_text(&p->pages, "{\"format\":\"json-pages-1.0\",\"id\":\"pages\",\"title\":\"All Pages\"}\n");
	buf_text(&p->extra, "{\"format\":\"json-pages-1.0\",\"id\":\"extra-pages\",\"title\":\"Other Pages\"}\n");
	for (size_t i = 0; i < p->content->n && !err; i++) {
		err = archive_index_file(index, p->content->files[i], why);
		if (!err)
			err = archive_each(p->content->files[i], &all, add_page, p, why);
	}
	return err;
}

/* Adds the index: packed, with a summary, if it is so long that a reader would not fetch all of it. */
static int add_index(struct packing *p, struct buf *index, struct err_note *why)
{
	struct buf packed = BUF_EMPTY, summary = BUF_EMPTY;
	size_t lines = 0;

	cdxj_sort(index);
	for (size_t i = 0; i < index->used; i++)
		lines += index->at[i] == '\n';
	if (lines <= INDEX_BLOCK)
		return add_bytes(p, "indexes/index.cdx", index->at ? index->at : "", index->used, why);
	cdxj_pack(index, INDEX_BLOCK, "index.cdx.gz", &packed, &summary);
	int err = add_bytes(p, "indexes/index.cdx.gz", packed.at, packed.used, why);
	if (!err)
		err = add_bytes(p, "indexes/index.idx", summary.at, summary.used, why);
	buf_release(&packed);
	buf_release(&summary);
	return err;
}

static int write_zip(struct packing *p, struct buf *index, struct err_note *why)
{
	int err = 0;

	p->zip = archive_write_new();
	archive_write_set_format_zip(p->zip);
	archive_write_zip_set_compression_store(p->zip);
	archive_write_set_bytes_in_last_block(p->zip, 1);
	if (archive_write_open_fd(p->zip, output_descriptor(p->out)) != ARCHIVE_OK)
		err = zip_failed(p, why);
	for (size_t i = 0; i < p->content->n && !err; i++)
		err = add_file(p, p->content->files[i], why);
	if (!err)
		err = add_index(p, index, why);
	if (!err)
		err = add_bytes(p, "pages/pages.jsonl", p->pages.at, p->pages.used, why);
	if (!err && p->content->rank)
		err = add_bytes(p, "pages/extraPages.jsonl", p->extra.at, p->extra.used, why);
	if (!err)
		err = add_description(p, why);
	if (!err && archive_write_close(p->zip) != ARCHIVE_OK)
		err = zip_failed(p, why);
	archive_write_free(p->zip);
	return err;
}

int wacz_write(const struct wacz_content *content, struct err_note *why)
{
	struct packing p = {.content = content, .to = content->to, .resources = json_array(), .titles = json_object()};
	struct buf index = BUF_EMPTY;

	map_init(&p.mains, sizeof(struct url_key));
	int err = read_files(&p, &index, why);
	if (!err)
		err = output_open(&p.out, content->to, why);
	if (!err) {
		output_sync(p.out);
		err = write_zip(&p, &index, why);
		if (err)
			output_abandon(p.out);
		else
			err = output_close(p.out, why);
	}
	json_decref(p.resources);
	json_decref(p.titles);
	map_release(&p.mains);
	buf_release(&p.pages);
	buf_release(&p.extra);
	buf_release(&p.main_url);
	buf_release(&index);
	return err;
}

int archive_wacz(const struct command *command, struct err_note *why)
{
	const struct archive_options *o = command->options;

	return wacz_write(&(struct wacz_content){o->to, command->flags->operand, command->flags->operands, NULL, NULL, NULL}, why);
}
