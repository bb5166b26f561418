#include "base/buf.h"
#include "cli/parse/parse.h"
#include "cli/results.h"
#include "parser/encoding.h"
#include "parser/mime.h"
#include "parser/url_rules.h"

#include <string.h>

/* A longer line is an error; only this many bytes of it are kept. No function of the parser accepts so long a text. */
#define LINE_MAX_BYTES (1u << 20)

/* Reads the next line, which may have any bytes up to its LF. Returns 1, or 0 at the end. */
static int read_line(FILE *in, struct buf *line)
{
	int c;

	buf_clear(line);
	while ((c = getc_unlocked(in)) != EOF && c != '\n') {
		if (line->used <= LINE_MAX_BYTES)
			buf_byte(line, c);
	}
	buf_end(line);
	return c != EOF || line->used;
}

/* Computes the answer to one line: appends it to `out` and returns 0, or returns -1. */
typedef int answer_fn(const void *ctx, struct url *scratch, const struct buf *line, struct buf *out);

void parse_out_row(const struct parse_out *out, const char *line, const char *const *cells, size_t n)
{
	if (!out->json) {
		fputs(line, out->text);
		putc('\n', out->text);
		return;
	}
	n = n < out->json->columns ? n : out->json->columns;
	for (size_t i = 0; i < n; i++) {
		if (cells[i])
			results_text(out->json, cells[i]);
		else
			results_none(out->json);
	}
}

/* Prints the row of an answer, which is cut at its TAB. */
static void put_row(const struct parse_out *out, char *line, int is_error)
{
	char *tab = strchr(line, '\t');

	if (tab)
		*tab++ = 0;
	const char *second = tab && strcmp(tab, "-") != 0 ? tab : NULL;
	parse_out_row(out, NULL, (const char *const[]){is_error ? NULL : line, second}, 2);
}

/* Prints a line for each line that it reads. */
static int answer_lines(answer_fn *answer, const void *ctx, FILE *in, const struct parse_out *out)
{
	struct buf line = BUF_EMPTY, result = BUF_EMPTY;
	struct url scratch = URL_EMPTY;

	while (read_line(in, &line)) {
		buf_clear(&result);
		const int is_error = line.used > LINE_MAX_BYTES || answer(ctx, &scratch, &line, &result);
		if (is_error) {
			buf_clear(&result);
			buf_text(&result, "error");
		}
		if (out->json)
			put_row(out, result.at, is_error);
		else
			parse_out_row(out, result.at, NULL, 0);
	}
	int err = ferror(in) ? ERR_FILE : out->text && fflush(out->text) ? ERR_RESULTS : 0;
	buf_release(&line);
	buf_release(&result);
	url_release(&scratch);
	return err;
}

/* What lines are resolved against. */
struct base {
	const char *text;
	struct url url;
	enum url_result result;
};

static int resolve(const void *ctx, struct url *scratch, const struct buf *line, struct buf *out)
{
	const struct base *base = ctx;
	enum url_result r;

	if (base->text && base->result != URL_OK)
		r = url_parse_text(scratch, line->at, line->used, base->text, strlen(base->text));
	else
		r = url_parse(scratch, line->at, line->used, base->text ? &base->url : NULL);
	if (r == URL_OK)
		buf_add(out, scratch->text.at, scratch->text.used);
	return r == URL_OK ? 0 : -1;
}

static int canon(const void *ctx, struct url *scratch, const struct buf *line, struct buf *out)
{
	const unsigned *rules = ctx;

	if (url_parse(scratch, line->at, line->used, NULL) != URL_OK)
		return -1;
	url_rules_apply(*rules, scratch);
	buf_add(out, scratch->text.at, scratch->text.used);
	return 0;
}

static int content_type(const void *ctx, struct url *scratch, const struct buf *line, struct buf *out)
{
	struct mime m;

	(void)ctx;
	(void)scratch;
	if (mime_parse(&m, line->at, line->used))
		return -1;
	const char *charset = encoding_name(m.charset, strlen(m.charset));
	buf_format(out, "%s\t%s", m.essence, charset ? charset : "-");
	return 0;
}

int parse_url_resolve(const char *base, FILE *in, const struct parse_out *out)
{
	struct base b = {base, URL_EMPTY, URL_BAD};

	if (base)
		b.result = url_parse(&b.url, base, strlen(base), NULL);
	int err = answer_lines(resolve, &b, in, out);
	url_release(&b.url);
	return err;
}

int parse_url_canon(unsigned rules, FILE *in, const struct parse_out *out)
{
	return answer_lines(canon, &rules, in, out);
}

int parse_http_content_type(FILE *in, const struct parse_out *out)
{
	return answer_lines(content_type, NULL, in, out);
}
