#include "storage/wacz_rules.h"
#include "base/ascii.h"
#include "base/input.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/zip.h"
#include "storage/cdxj.h"
#include "storage/warc_files.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define JSON_MOST ((size_t)1 << 30) /* bytes of a file of the package that is read as JSON */
#define SHOWN     60                /* bytes of a value in a message */

struct seen {
	uint64_t key; /* of a record that an index has, or of the URL and the time of a capture */
};

struct wacz_rules {
	const char *path;
	wacz_breach_fn *tell;
	void *ctx;
	struct mapped file;
	struct zip zip;
	struct buf room;  /* for contents that are unpacked */
	const char *name; /* of the file within the package that is checked, "" for none, and the line of it */
	uint64_t line;
	struct map seen;
	struct buf last; /* the line of the index before this one */
};

/* Tells a breach of the current line, with what a printf() of the last arguments says of it. */
#define breach(r, level, field, ...) \
	do { \
		struct err_note breach_text; \
		err_set(&breach_text, ERR_FORMAT, __VA_ARGS__); \
		(r)->tell((r)->ctx, (r)->name, (r)->line, level, field, breach_text.text); \
	} while (0)

/* --- values of JSON */

enum form { TEXT, TIME, URL, DIGEST, COUNT, DIGITS, VERSION };
static const char *const form_words[] = {"a text", "a time such as 2026-11-22T08:30:15Z", "a URL",
	"an algorithm, a colon and a digest", "a number", "a number", "a version such as 1.1.1"};

struct field {
	const char *name;
	enum form form;
	int is_needed;
};

static int is_digits(const char *text, size_t n)
{
	return strspn(text, "0123456789") >= n;
}

/* A time of RFC 3339. */
static int is_time(const char *text)
{
	static const char form[] = "dddd-dd-ddtdd:dd:dd";
	size_t i = 0;

	for (; i < sizeof form - 1; i++)
		if (form[i] == 'd'               ? !is_digits(text + i, 1)
				: form[i] == 't' ? text[i] != 'T' && text[i] != 't'
						 : text[i] != form[i])
			return 0;
	if (text[i] == '.' && is_digits(text + i + 1, 1))
		i += 1 + strspn(text + i + 1, "0123456789");
	if (text[i] == 'Z' || text[i] == 'z')
		return !text[i + 1];
	return (text[i] == '+' || text[i] == '-') && strlen(text + i) == 6 && is_digits(text + i + 1, 2) && text[i + 3] == ':' &&
		is_digits(text + i + 4, 2);
}

static int is_url(const char *text)
{
	const char *colon = strchr(text, ':');

	return colon > text && ascii_is_letter(*text) && !text[strcspn(text, " \t\"<>")];
}

static int has_form(const json_t *value, enum form form)
{
	const char *text = json_string_value(value);
	uint64_t n;

	if (form == COUNT || form == DIGITS)
		return (json_is_integer(value) && json_integer_value(value) >= 0) ||
			(form == DIGITS && text && num_count(text, INT64_MAX, &n) == 0);
	if (!text)
		return 0;
	return form == TIME       ? is_time(text)
		: form == URL     ? is_url(text)
		: form == VERSION ? is_digits(text, 1) && strchr(text, '.') && !text[strspn(text, "0123456789.")]
		: form == DIGEST  ? strchr(text, ':') > text && strchr(text, ':')[1]
				  : 1;
}

/* Judges the fields of an object by a table, whose last row has no name. Returns 1 if all needed ones are there and all have their
 * forms. */
static int judge(struct wacz_rules *r, const json_t *object, const struct field *field)
{
	int is_sound = 1;

	for (; field->name; field++) {
		const json_t *value = json_object_get(object, field->name);
		if (!value && !field->is_needed)
			continue;
		if (!value)
			breach(r, WARC_SHALL, field->name, "is missing");
		else if (!has_form(value, field->form))
			breach(r, WARC_SHALL, field->name, "is not %s", form_words[field->form]);
		else
			continue;
		is_sound = 0;
	}
	return is_sound;
}

/* Parses an object. Returns NULL, and tells, if the bytes are none. */
static json_t *parse(struct wacz_rules *r, const char *at, size_t n)
{
	json_error_t error;
	json_t *value = json_loadb(at, n, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &error);

	if (json_is_object(value))
		return value;
	breach(r, WARC_SHALL, "", "is no JSON object%s%s", value ? "" : ": ", value ? "" : error.text);
	json_decref(value);
	return NULL;
}

/* --- files of the package */

/* Gives the contents of a file of the package, and makes it the current one. Returns 1, or 0 and tells why it cannot be read. */
static int open_file(struct wacz_rules *r, const struct zip_entry *e, struct warc_span *out)
{
	struct err_note why;

	r->name = e->name;
	r->line = 0;
	const int err = zip_contents(e, JSON_MOST, &r->room, &out->at, &out->n, &why);
	if (err)
		breach(r, WARC_SHALL, "", "%s", why.text);
	return !err;
}

/* Finds a file and reads it as JSON. Returns NULL if it is not there or is no object. */
static json_t *open_json(struct wacz_rules *r, const char *name, enum warc_level level, struct warc_span *bytes)
{
	const struct zip_entry *e = zip_find(&r->zip, name);

	r->name = name;
	r->line = 0;
	if (!e)
		breach(r, level, "", "is missing");
	return e && open_file(r, e, bytes) ? parse(r, bytes->at, bytes->n) : NULL;
}

static int is_in(const char *name, const char *folder)
{
	const size_t n = strlen(folder);

	return strncmp(name, folder, n) == 0 && name[n];
}

/* Says whether a name leads out of the folder into which a program may unpack the package. */
static int is_unsafe(const char *name)
{
	int is = *name == '/' || strchr(name, '\\') || !*name;

	for (const char *at = name; !is && at; at = strchr(at, '/') ? strchr(at, '/') + 1 : NULL)
		is = strncmp(at, "..", 2) == 0 && (!at[2] || at[2] == '/');
	return is;
}

static void judge_folder(struct wacz_rules *r, const struct zip_entry *e)
{
	static const struct {
		const char *folder, *ending[6];
	} folders[] = {{"archive/", {".warc", ".warc.gz", NULL}}, {"pages/", {".jsonl", NULL}},
		{"indexes/", {".cdx", ".cdxj", ".cdx.gz", ".cdxj.gz", ".idx", NULL}}, {"index/", {NULL}}};

	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
		const char *const *end = folders[i].ending, *name = e->name + strlen(folders[i].folder);
		if (!is_in(e->name, folders[i].folder))
			continue;
		while (*end && !warc_files_end(name, *end))
			end++;
		if (!*end || strchr(name, '/'))
			breach(r, WARC_SHALL, "", "has no place in %s", folders[i].folder);
		if (e->method != ZIP_STORED && (i == 0 || warc_files_end(name, ".gz")))
			breach(r, i == 0 && !warc_files_end(name, ".gz") ? WARC_SHOULD : WARC_SHALL, "",
				"is compressed in the ZIP file, so that no reader can reach a part of it");
	}
}

static void judge_entry(struct wacz_rules *r, const struct zip_entry *e)
{
	const struct zip_entry *first = zip_find(&r->zip, e->name);
	struct warc_span bytes;
	int is_ascii = 1;

	r->name = e->name;
	r->line = 0;
	for (const char *p = e->name; *p; p++)
		is_ascii &= !((unsigned char)*p & 0x80);
	if (is_unsafe(e->name))
		breach(r, WARC_SHALL, "", "the name leads out of the package");
	if (!is_ascii && !(e->flags & 0x800))
		breach(r, WARC_SHOULD, "", "the name is not marked as UTF-8");
	if (first != e)
		breach(r, WARC_SHALL, "", "stands twice in the package");
	judge_folder(r, e);
	(void)open_file(r, e, &bytes);
}

static size_t count_in(const struct wacz_rules *r, const char *folder, const char *not_ending)
{
	size_t n = 0;

	for (size_t i = 0; i < r->zip.n; i++)
		n += is_in(r->zip.entry[i].name, folder) && !(not_ending && warc_files_end(r->zip.entry[i].name, not_ending));
	return n;
}

/* --- datapackage.json and datapackage-digest.json */

static const struct field package_fields[] = {{"profile", TEXT, 1}, {"wacz_version", VERSION, 1}, {"title", TEXT, 0},
	{"description", TEXT, 0}, {"software", TEXT, 0}, {"created", TIME, 0}, {"modified", TIME, 0}, {"mainPageUrl", URL, 0},
	{"mainPageDate", TIME, 0}, {NULL, TEXT, 0}};
static const struct field resource_fields[] = {{"name", TEXT, 1}, {"path", TEXT, 1}, {"hash", DIGEST, 1}, {"bytes", COUNT, 1},
	{NULL, TEXT, 0}};
static const struct field digest_fields[] = {{"path", TEXT, 1}, {"hash", DIGEST, 1}, {NULL, TEXT, 0}};
static const struct field signed_fields[] = {{"hash", DIGEST, 1}, {"created", TIME, 1}, {"software", TEXT, 1},
	{"signature", TEXT, 1}, {NULL, TEXT, 0}};

static void judge_hash(struct wacz_rules *r, const char *field, const char *hash, struct warc_span bytes)
{
	const enum digest_verdict verdict = warc_digest_verdict((struct warc_span){hash, strlen(hash)}, bytes);

	if (verdict == DIGEST_UNKNOWN)
		breach(r, WARC_SHOULD, field, "is of an algorithm that is not known here");
	else if (verdict != DIGEST_SAME)
		breach(r, WARC_SHALL, field, "the file has another digest");
}

static void judge_resource(struct wacz_rules *r, const json_t *resource, struct map *listed)
{
	const char *path = cdxj_text(resource, "path"), *name = cdxj_text(resource, "name");
	const struct zip_entry *e = zip_find(&r->zip, path);
	struct warc_span bytes;

	r->name = "datapackage.json";
	r->line = 0;
	if (!judge(r, resource, resource_fields))
		return;
	if (name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789._-")])
		breach(r, WARC_SHOULD, "name", "'%.*s' has other characters than a-z, 0-9, '.', '_' and '-'", SHOWN, name);
	const uint64_t key = XXH3_64bits(path, strlen(path)) | 1;
	if (map_find(listed, key))
		breach(r, WARC_SHALL, "path", "'%.*s' is listed twice", SHOWN, path);
	map_at(listed, key);
	if (!e)
		breach(r, WARC_SHALL, "path", "'%.*s' is not in the package", SHOWN, path);
	if (!e || e->wrong || zip_contents(e, JSON_MOST, &r->room, &bytes.at, &bytes.n, NULL))
		return;
	r->name = path;
	if (json_integer_value(json_object_get(resource, "bytes")) != (json_int_t)bytes.n)
		breach(r, WARC_SHALL, "bytes", "the file has %zu bytes", bytes.n);
	judge_hash(r, "hash", cdxj_text(resource, "hash"), bytes);
}

/* Judges the description of the package, and appends its bytes to *text. */
static void judge_package(struct wacz_rules *r, struct buf *text)
{
	struct map listed;
	struct warc_span bytes = {"", 0};
	json_t *package = open_json(r, "datapackage.json", WARC_SHALL, &bytes);
	const json_t *resources = json_object_get(package, "resources");

	buf_add(text, bytes.at, bytes.n);
	if (!package)
		return;
	map_init(&listed, sizeof(struct seen));
	judge(r, package, package_fields);
	if (*cdxj_text(package, "profile") && strcmp(cdxj_text(package, "profile"), "data-package") != 0)
		breach(r, WARC_SHALL, "profile", "is not 'data-package'");
	if (!json_array_size(resources))
		breach(r, WARC_SHALL, "resources", "is no list of files");
	for (size_t i = 0; i < json_array_size(resources); i++)
		judge_resource(r, json_array_get(resources, i), &listed);
	for (size_t i = 0; i < r->zip.n; i++) {
		const char *name = r->name = r->zip.entry[i].name;
		if (!map_find(&listed, XXH3_64bits(name, strlen(name)) | 1) && !warc_files_end(name, "/") &&
			strcmp(name, "datapackage.json") != 0 && strcmp(name, "datapackage-digest.json") != 0)
			breach(r, WARC_SHALL, "resources", "is not listed in datapackage.json");
	}
	map_release(&listed);
	json_decref(package);
}

static void judge_package_digest(struct wacz_rules *r, struct warc_span package)
{
	struct warc_span bytes;
	json_t *digest = open_json(r, "datapackage-digest.json", WARC_SHOULD, &bytes);
	const json_t *is_signed = json_object_get(digest, "signedData");
	if (digest && judge(r, digest, digest_fields)) {
		if (strcmp(cdxj_text(digest, "path"), "datapackage.json") != 0)
			breach(r, WARC_SHALL, "path", "is not 'datapackage.json'");
		judge_hash(r, "hash", cdxj_text(digest, "hash"), package);
	}
	if (is_signed && judge(r, is_signed, signed_fields) && strcmp(cdxj_text(is_signed, "hash"), cdxj_text(digest, "hash")) != 0)
		breach(r, WARC_SHALL, "signedData", "is of another hash");
	json_decref(digest);
}

/* --- indexes */

static uint64_t key_of(const char *text, size_t n, uint64_t number)
{
	return XXH3_64bits_withSeed(text, n, number) | 1;
}

static const struct field index_fields[] = {{"url", URL, 1}, {"digest", TEXT, 1}, {"mime", TEXT, 1}, {"filename", TEXT, 1},
	{"offset", DIGITS, 1}, {"length", DIGITS, 1}, {"status", DIGITS, 0}, {NULL, TEXT, 0}};

struct indexed {
	struct wacz_rules *rules;
	const json_t *entry;
	const char *stamp;
};

static void judge_same(struct wacz_rules *r, const char *field, const char *listed, const char *is)
{
	if (strcmp(listed, is) != 0)
		breach(r, WARC_SHALL, field, "the record has '%.*s'", SHOWN, is);
}

/* Compares the record at the place that a line says with the line. */
static int judge_record(void *ctx, const struct warc_item *item, struct err_note *why)
{
	const struct indexed *x = ctx;
	struct wacz_rules *r = x->rules;
	struct buf lines = BUF_EMPTY;

	(void)why;
	if (!item->is_alone)
		breach(r, WARC_SHALL, "offset", "the record has no packed member of its own");
	cdxj_record(&lines, item, cdxj_text(x->entry, "filename"), item->place, item->length);
	const char *stamp = lines.at ? strchr(lines.at, ' ') : NULL;
	json_t *is = stamp ? json_loads(strchr(stamp + 1, ' ') + 1, 0, NULL) : NULL;
	if (!is) {
		breach(r, WARC_SHALL, "offset", "the record there is no capture");
	} else {
		const char *digest = strchr(cdxj_text(is, "digest"), ':'), *listed = strrchr(cdxj_text(x->entry, "digest"), ':');
		judge_same(r, "url", cdxj_text(x->entry, "url"), cdxj_text(is, "url"));
		if (strncmp(stamp + 1, x->stamp, 14) != 0)
			breach(r, WARC_SHALL, "", "the record is of the time %.14s", stamp + 1);
		if (digest && ascii_order(digest + 1, listed ? listed + 1 : cdxj_text(x->entry, "digest")) != 0)
			breach(r, WARC_SHALL, "digest", "the record has '%.*s'", SHOWN, cdxj_text(is, "digest"));
		if (cdxj_count(x->entry, "length") != item->length)
			breach(r, WARC_SHALL, "length", "the record has %llu bytes", (unsigned long long)item->length);
		if (json_object_get(x->entry, "status") && cdxj_count(x->entry, "status") != cdxj_count(is, "status"))
			breach(r, WARC_SHALL, "status", "the record has %s", cdxj_text(is, "status"));
	}
	json_decref(is);
	buf_release(&lines);
	return 0;
}

static void judge_entry_of_index(struct wacz_rules *r, const char *index, const char *key, const char *stamp, const json_t *entry)
{
	const struct indexed x = {r, entry, stamp};
	const char *url = cdxj_text(entry, "url"), *file = cdxj_text(entry, "filename"), *name = strrchr(file, '/');
	struct buf want = BUF_EMPTY;
	struct err_note why;

	cdxj_key(&want, url, strlen(url));
	const size_t host = strcspn(want.at, ")"); /* of the path, programs sort the query or leave it */
	if (strncmp(key, want.at, host) != 0 || (key[host] != ')' && key[host] != ',' && key[host] != ':'))
		breach(r, WARC_SHALL, "", "the key '%.*s' is none of the URL, as '%.*s' is", SHOWN, key, SHOWN, want.at);
	buf_release(&want);
	name = name ? name + 1 : file;
	if (map_find(&r->seen, key_of(name, strlen(name), cdxj_count(entry, "offset"))))
		breach(r, WARC_SHOULD, "offset", "the record is listed twice");
	map_at(&r->seen, key_of(name, strlen(name), cdxj_count(entry, "offset")));
	map_at(&r->seen, key_of(url, strlen(url), strtoull(stamp, NULL, 10) / (stamp[14] == ' ' ? 1 : 1000)));
	char *path = cdxj_file(index, file);
	const size_t zip_n = zip_path(path);
	const struct zip_entry *e = zip_n ? zip_find(&r->zip, path + zip_n + 1) : NULL;
	if (e && e->method != ZIP_STORED) { /* no place leads to a record of it, as judge_folder() says */
		free(path);
		return;
	}
	if (warc_item_at(path, cdxj_count(entry, "offset"), judge_record, (void *)(uintptr_t)&x, &why))
		breach(r, WARC_SHALL, "offset", "%s", why.text);
	free(path);
}

/* Judges a line, which is changed. */
static void judge_line(struct wacz_rules *r, const char *index, const char *line)
{
	const char *stamp = strchr(line, ' '), *json = stamp ? strchr(stamp + 1, ' ') : NULL;
	const size_t digits = json ? (size_t)(json - stamp) - 1 : 0;

	if (r->last.used && strcmp(line, r->last.at) < 0)
		breach(r, WARC_SHALL, "", "sorts before the line above it");
	buf_clear(&r->last);
	buf_text(&r->last, line);
	if ((digits != 14 && digits != 17) || !is_digits(stamp + 1, digits)) {
		breach(r, WARC_SHALL, "", "is not a key, a time of 14 or 17 digits and a JSON object");
		return;
	}
	json_t *entry = parse(r, json + 1, strlen(json + 1));
	if (entry && judge(r, entry, index_fields))
		judge_entry_of_index(r, index, line, stamp + 1, entry);
	json_decref(entry);
}

static int judge_index(struct wacz_rules *r, const char *index, struct err_note *why)
{
	struct input *in;
	struct err_note note;
	char *line;
	size_t n;
	int got = input_open(&in, index, why);

	if (got)
		return got;
	buf_clear(&r->last);
	while ((got = input_line(in, &line, &n, &note)) > 0) {
		r->line = input_line_number(in);
		if (cdxj_is_legend(line)) {
			breach(r, WARC_SHALL, "",
				"is the legend of a CDX file, which is not judged: 'lycosa archive index' makes a CDXJ index");
			break;
		}
		if (*line && *line != '!')
			judge_line(r, index, line);
	}
	if (got < 0)
		breach(r, WARC_SHALL, "", "%s", note.text);
	input_close(in);
	return 0;
}

void wacz_rules_record(struct wacz_rules *r, const char *file, const struct warc_item *item)
{
	const struct warc_span type = warc_field(item->header, "WARC-Type");

	r->name = file;
	r->line = 0;
	if (item->place != WARC_NO_PLACE && (warc_is(type, "response") || warc_is(type, "revisit") || warc_is(type, "resource")) &&
		!map_find(&r->seen, key_of(file, strlen(file), item->place)))
		breach(r, WARC_SHALL, "", "no index has the record at byte %llu", (unsigned long long)item->place);
}

/* --- pages */

static const struct field heading_fields[] = {{"format", TEXT, 1}, {"id", TEXT, 1}, {"title", TEXT, 0}, {NULL, TEXT, 0}};
static const struct field page_fields[] = {{"url", URL, 1}, {"ts", TIME, 1}, {"title", TEXT, 0}, {"id", TEXT, 0}, {"text", TEXT, 0},
	{"size", COUNT, 0}, {NULL, TEXT, 0}};

static void judge_page(struct wacz_rules *r, const json_t *page)
{
	const char *url = cdxj_text(page, "url"), *ts = cdxj_text(page, "ts");
	uint64_t stamp = 0;

	if (r->line == 1) {
		if (judge(r, page, heading_fields) && strcmp(cdxj_text(page, "format"), "json-pages-1.0") != 0)
			breach(r, WARC_SHALL, "format", "is not 'json-pages-1.0'");
		return;
	}
	if (!judge(r, page, page_fields))
		return;
	for (size_t i = 0; i < 19; i++)
		stamp = ts[i] >= '0' && ts[i] <= '9' ? stamp * 10 + (uint64_t)(ts[i] - '0') : stamp;
	if (!map_find(&r->seen, key_of(url, strlen(url), stamp)))
		breach(r, WARC_SHOULD, "ts", "no index has a capture of the page at that time");
}

static void judge_pages(struct wacz_rules *r, const struct zip_entry *e)
{
	struct warc_span left;

	if (!open_file(r, e, &left))
		return;
	while (left.n) {
		const char *lf = memchr(left.at, '\n', left.n);
		const size_t n = lf ? (size_t)(lf - left.at) : left.n;
		r->line++;
		json_t *page = parse(r, left.at, n);
		if (page)
			judge_page(r, page);
		json_decref(page);
		left = (struct warc_span){left.at + n + (lf != NULL), left.n - n - (lf != NULL)};
	}
}

/* --- the whole */

struct wacz_rules *wacz_rules_new(const char *path, wacz_breach_fn *tell, void *ctx)
{
	struct wacz_rules *r = mem_zero(1, sizeof *r);

	*r = (struct wacz_rules){.path = path, .tell = tell, .ctx = ctx, .name = ""};
	map_init(&r->seen, sizeof(struct seen));
	return r;
}

void wacz_rules_free(struct wacz_rules *r)
{
	if (!r)
		return;
	zip_release(&r->zip);
	mapped_close(&r->file);
	map_release(&r->seen);
	buf_release(&r->room);
	buf_release(&r->last);
	free(r);
}

int wacz_is(const char *path)
{
	struct mapped file;
	const int is =
		strcmp(path, "-") != 0 && mapped_open(&file, path, NULL) > 0 && file.n > 4 && memcmp(file.at, "PK\3\4", 4) == 0;

	if (strcmp(path, "-") != 0)
		mapped_close(&file);
	return is;
}

int wacz_rules_check(struct wacz_rules *r, struct err_note *why)
{
	struct buf package = BUF_EMPTY;
	struct err_note note;

	if (cdxj_is(r->path))
		return judge_index(r, r->path, why);
	if (mapped_open(&r->file, r->path, why) < 0)
		return ERR_FILE;
	if (!warc_files_end(r->path, ".wacz"))
		breach(r, WARC_SHALL, "", "the name of the package does not end in .wacz");
	if (zip_read(&r->zip, r->file.at, r->file.n, &note))
		breach(r, WARC_SHALL, "", "%s", note.text);
	for (size_t i = 0; i < r->zip.n; i++)
		judge_entry(r, &r->zip.entry[i]);
	r->name = "";
	if (!count_in(r, "archive/", NULL))
		breach(r, WARC_SHALL, "", "archive/ has no WARC file");
	if (!count_in(r, "indexes/", ".idx"))
		breach(r, WARC_SHALL, "", "indexes/ has no index");
	if (!zip_find(&r->zip, "pages/pages.jsonl"))
		breach(r, WARC_SHALL, "", "pages/pages.jsonl is missing");
	judge_package(r, &package);
	judge_package_digest(r, (struct warc_span){package.at ? package.at : "", package.used});
	buf_release(&package);
	for (size_t i = 0; i < r->zip.n; i++) {
		char *path = buf_made("%s/%s", r->path, r->zip.entry[i].name);
		r->name = r->zip.entry[i].name;
		r->line = 0;
		if (is_in(r->name, "indexes/") && cdxj_is(r->name) && judge_index(r, path, &note))
			breach(r, WARC_SHALL, "", "%s", note.text);
		free(path);
	}
	for (size_t i = 0; i < r->zip.n; i++)
		if (is_in(r->zip.entry[i].name, "pages/"))
			judge_pages(r, &r->zip.entry[i]);
	return 0;
}
