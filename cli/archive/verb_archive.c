/* `lycosa archive`: the pages of WARC files, of this program or another. */
#include "base/ascii.h"
#include "base/log.h"
#include "base/mem.h"
#include "cli/archive/archive.h"
#include "cli/export/export.h"
#include "cli/flags/options.h"
#include "cli/verbs.h"
#include "parser/html.h"
#include "parser/mime.h"
#include "storage/warc_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD_MOST ((size_t)64 << 10)  /* bytes of a block in which its HTTP head is looked for */
#define TEXT_MOST ((size_t)256 << 20) /* and bytes in which `text` reads a page, as archived */

static const char *const kind_words[] = {"response", "revisit", "resource"};

/* --- list */

struct listing {
	struct results results;
	const char *path;
	struct buf text;
};

static void tell_span(struct listing *l, struct warc_span value)
{
	buf_clear(&l->text);
	buf_add(&l->text, value.at, value.n);
	RESULTS_CELLS(&l->results, cell_text(l->text.at));
}

static void tell_time(struct results *r, int64_t ms)
{
	char text[EXPORT_TIME_ROOM + 1] = "";
	const struct cell cell = export_time_cell(ms, text);

	RESULTS_CELLS(r, cell_text(cell.kind == CELL_NONE ? "" : text));
}

static void tell_type(struct results *r, struct warc_span value)
{
	struct mime mime;

	RESULTS_CELLS(r, cell_text(value.n && mime_parse(&mime, value.at, value.n) == 0 ? mime.essence : ""));
}

static int list_one(void *ctx, const struct warc_item *item, struct capture *c, struct err_note *why)
{
	struct listing *l = ctx;
	struct results *r = &l->results;
	const int err = capture_take(c, item, HEAD_MOST, why);

	if (err)
		return err;
	tell_time(r, c->time);
	tell_span(l, (struct warc_span){c->url.at, c->url.used});
	RESULTS_CELLS(r, cell_text(kind_words[c->kind]), capture_status(c) ? cell_count(capture_status(c)) : cell_none());
	tell_type(r, capture_type(c));
	RESULTS_CELLS(r, cell_count(c->length - c->head_n));
	tell_span(l, (struct warc_span){c->digest.at ? c->digest.at : "", c->digest.used});
	RESULTS_CELLS(r, cell_text(l->path));
	return results_stopped(r) ? 1 : 0;
}

static int list_indexed(void *ctx, const struct cdxj_entry *e, struct err_note *why)
{
	struct listing *l = ctx;
	struct results *r = &l->results;

	(void)why;
	tell_time(r, e->time);
	RESULTS_CELLS(r, cell_text(e->url), cell_text(kind_words[strcmp(e->type, "warc/revisit") == 0]),
		e->status ? cell_count(e->status) : cell_none(), cell_text(e->type), cell_none(), cell_text(e->digest));
	char *path = cdxj_file(l->path, e->file);
	RESULTS_CELLS(r, cell_text(path));
	free(path);
	return results_stopped(r) ? 1 : 0;
}

static int run_list(const struct command *c, struct err_note *why)
{
	static const char *const columns[] = {"time", "url", "kind", "status", "media_type", "bytes", "digest", "file", NULL};
	const struct archive_options *o = c->options;
	struct listing l = {.text = BUF_EMPTY};
	struct archive_wish wish;
	int err = archive_wish_init(&wish, o, why);

	if (err)
		return err;
	results_begin(&l.results, stdout, o->json ? RESULTS_JSON : RESULTS_TSV);
	results_columns(&l.results, columns);
	for (size_t i = 0; i < c->flags->operands && !err; i++) {
		l.path = c->flags->operand[i];
		err = archive_is_index(l.path) ? archive_each_line(l.path, &wish, list_indexed, &l, why)
					       : archive_each(l.path, &wish, list_one, &l, why);
	}
	const int failed = results_end(&l.results, err < 0 ? NULL : why);
	buf_release(&l.text);
	archive_wish_release(&wish);
	return err < 0 ? err : failed;
}

/* --- get */

static int print(const char *bytes, size_t n, struct err_note *why)
{
	if (fwrite(bytes, 1, n, stdout) == n && fflush(stdout) == 0)
		return 0;
	return err_set(why, ERR_RESULTS, "cannot write: %s", ascii_error(errno));
}

/* Makes an error of a file that could not be read as a whole: a later capture may be what is damaged. */
static int tell_damage(const struct err_note *damage, struct err_note *why)
{
	return *damage->text ? err_set(why, ERR_FORMAT, "%s; what is printed is the last capture of what can be read", damage->text)
			     : 0;
}

static int run_get(const struct command *c, struct err_note *why)
{
	const struct archive_options *o = c->options;
	struct capture capture = {.time = 0};
	struct buf body = BUF_EMPTY;
	struct err_note damage;
	int err = archive_find(c, &capture, &damage, why);

	if (!err && o->headers) {
		err = print(capture_head(&capture).at, capture_head(&capture).n, why);
	} else if (!err && o->raw) {
		err = print(capture_body(&capture).at, capture_body(&capture).n, why);
	} else if (!err) {
		if (capture_decode(&capture, &body))
			log_say("the body is compressed in a way that is not known here, and printed as it is");
		err = print(body.at ? body.at : "", body.used, why);
	}
	if (!err)
		err = tell_damage(&damage, why);
	buf_release(&body);
	capture_release(&capture);
	return err;
}

/* --- text */

static const struct column text_columns[] = {
	{"time", CELL_TEXT, 0, "of the request, UTC"},
	{"url", CELL_TEXT, 0, "of the page"},
	{"text", CELL_TEXT, 0, "its visible text"},
};
static const struct table text_table = {"texts", "a row for each HTML page", text_columns, 3, 0};

static void text_of(const struct capture *c, struct buf *text)
{
	struct html_page page;

	buf_clear(text);
	if (archive_read_html(c, HTML_TEXT, &page)) {
		buf_add(text, page.text.at, page.text.used);
		html_page_release(&page);
	}
	/* of the characters that a terminal obeys the reader keeps those that turn the direction of a line, which are letters of a
	 * page */
	for (char *p = text->at; p && *p; p += err_printable(p) ? err_printable(p) : 1)
		*p = err_printable(p) || *p == '\n' ? *p : '?';
}

struct texts {
	struct table_writer *out;
	struct buf text;
};

static int add_text(void *ctx, const struct warc_item *item, struct capture *c, struct err_note *why)
{
	struct texts *t = ctx;
	char time[EXPORT_TIME_ROOM];
	int err = capture_take(c, item, HEAD_MOST, why);

	if (err || c->kind != CAPTURE_RESPONSE || capture_status(c) / 100 != 2 || !archive_is_html(c))
		return err;
	err = capture_take(c, item, TEXT_MOST, why);
	if (err)
		return err;
	text_of(c, &t->text);
	const struct cell row[] = {export_time_cell(c->time, time), cell_bytes(c->url.at, c->url.used),
		cell_bytes(t->text.at, t->text.used)};
	err = table_row(t->out, row, why);
	return err ? err : table_flush(t->out, why);
}

static int print_texts(const struct command *c, struct err_note *why)
{
	struct texts t = {.text = BUF_EMPTY};
	struct archive_wish wish;
	int err = archive_wish_init(&wish, c->options, why);

	if (!err)
		err = table_open(&t.out, TABLE_JSONL, "-", why);
	if (!err)
		err = table_begin(t.out, &text_table, why);
	for (size_t i = 0; i < c->flags->operands && !err; i++) {
		const char *path = c->flags->operand[i];
		err = archive_is_index(path) ? err_set(why, ERR_USAGE, "'%s' is an index: give --url, or the WARC files", path)
					     : archive_each(path, &wish, add_text, &t, why);
	}
	if (t.out) {
		const int failed = table_close(t.out, err ? NULL : why);
		err = err ? err : failed;
	}
	buf_release(&t.text);
	archive_wish_release(&wish);
	return err;
}

static int run_text(const struct command *c, struct err_note *why)
{
	const struct archive_options *o = c->options;
	struct capture capture = {.time = 0};
	struct buf text = BUF_EMPTY;
	struct err_note damage;

	if (!o->url)
		return print_texts(c, why);
	int err = archive_find(c, &capture, &damage, why);
	if (!err) {
		text_of(&capture, &text);
		err = print(text.at ? text.at : "", text.used, why);
	}
	if (!err)
		err = tell_damage(&damage, why);
	buf_release(&text);
	capture_release(&capture);
	return err;
}

/* --- what the operands stand for */

/* Runs a verb on the files that its operands stand for: a WACZ file, a folder, a pattern and a list stand for the archives in
 * them. */
static int run_on_files(const struct command *command, int (*run)(const struct command *, struct err_note *why),
	struct err_note *why)
{
	struct warc_files files = {.n = 0};
	struct flags flags = *command->flags;
	struct command c = *command;

	for (size_t i = 0; i < command->flags->operands; i++) {
		const char *operand = command->flags->operand[i];
		struct warc_files found = {.n = 0};
		if (archive_is_index(operand) || !warc_files_find(&found, operand))
			warc_files_add(&found, mem_text(operand));
		warc_files_take(&files, &found);
	}
	flags.operand = (const char **)(uintptr_t)files.path;
	flags.operands = files.n;
	c.flags = &flags;
	const int err = run(&c, why);
	warc_files_release(&files);
	return err;
}

#define ON_FILES(name, run) \
	static int name##_files(const struct command *c, struct err_note *why) \
	{ \
		return run_on_files(c, run, why); \
	}
ON_FILES(list, run_list)
ON_FILES(get, run_get)
ON_FILES(text, run_text)
ON_FILES(extract, archive_extract)
ON_FILES(serve, archive_serve)
ON_FILES(index, archive_index)

/* --- tables */

#define OWN(field) offsetof(struct archive_options, field)
#define ROW_URL \
	{ \
		"url", 0, FLAG_TEXT, OWN(url), "URL", .help = "only captures of this URL" \
	}
#define ROW_AT \
	{ \
		"before", 0, FLAG_TEXT, OWN(before), "TIME", .help = "only captures of then or before (2026-11-22T08:30, UTC)" \
	}
static const struct flag wish_flags[] = {ROW_URL, ROW_AT, {.name = NULL}};
static const struct archive_options defaults;
static const struct flag list_flags[] = {
	TABLE_ROW(wish_flags, 0),
	JSON_ROW(OWN(json)),
	STANDARD_ROWS,
};
static const struct flag get_flags[] = {
	{"url", 0, FLAG_TEXT, OWN(url), "URL", .help = "the page", .required = 1},
	ROW_AT,
	{"headers", 0, FLAG_SWITCH, OWN(headers), NULL, .help = "print the HTTP headers instead of the body"},
	{"raw", 0, FLAG_SWITCH, OWN(raw), NULL, .help = "print the body as archived, with its chunks and compression"},
	STANDARD_ROWS,
};
static const struct flag extract_flags[] = {
	{"to", 0, FLAG_TEXT, OWN(to), "DIR", .help = "the folder for the files", .required = 1, .file = FLAG_WRITES_PAGES},
	ROW_AT,
	JSON_ROW(OWN(json)),
	STANDARD_ROWS,
};
static const struct flag check_flags[] = {
	JSON_ROW(OWN(json)),
	STANDARD_ROWS,
};
static const struct flag index_flags[] = {
	{"to", 0, FLAG_TEXT, OWN(to), "FILE", .help = "the index, in the folder of the WARC files (stdout)", .file = FLAG_WRITES},
	{"block", 0, FLAG_COUNT, OWN(block), "N", .help = "pack it, N lines a gzip member, with a summary .idx beside it", .min = 0,
		.max = 1000000},
	STANDARD_ROWS,
};
static const struct flag wacz_flags[] = {
	{"to", 0, FLAG_TEXT, OWN(to), "FILE", .help = "the WACZ file", .required = 1, .file = FLAG_WRITES},
	STANDARD_ROWS,
};
static const struct flag serve_flags[] = {
	{"port", 0, FLAG_COUNT, OWN(port), "P", .help = "listen on this port; 0: any free port", .max = 65535},
	STANDARD_ROWS,
};
static const struct flag text_flags[] = {
	TABLE_ROW(wish_flags, 0),
	STANDARD_ROWS,
};

#define ARCHIVE_VERB(word, about, table, function) \
	VERB(word, about, table, defaults, function, .operands = "FILE...", .operand_file = FLAG_READS)
static const struct verb list = ARCHIVE_VERB("list", "Lists the captures of WARC files.", list_flags, list_files);
static const struct verb get = ARCHIVE_VERB("get", "Prints the body or the headers of a page.", get_flags, get_files);
static const struct verb text = ARCHIVE_VERB("text", "Prints the visible text of pages.", text_flags, text_files);
static const struct verb extract =
	ARCHIVE_VERB("extract", "Writes the pages of WARC files as files with links between them.", extract_flags, extract_files);
static const struct verb serve = ARCHIVE_VERB("serve", "Shows archived pages in a browser.", serve_flags, serve_files);
static const struct verb check =
	ARCHIVE_VERB("check", "Tells where WARC, WACZ and CDXJ files break the rules.", check_flags, archive_check);
static const struct verb index_verb = ARCHIVE_VERB("index", "Writes the index of WARC files (CDXJ).", index_flags, index_files);
static const struct verb wacz = ARCHIVE_VERB("wacz", "Makes one WACZ file of WARC files.", wacz_flags, archive_wacz);
static const struct verb *const archive_verbs[] = {&list, &get, &text, &extract, &serve, &check, &index_verb, &wacz, NULL};

const struct verb verb_archive = {
	.name = "archive",
	.summary = "Lists, prints and shows the pages of WARC files of any program.",
	.verbs = archive_verbs,
};
