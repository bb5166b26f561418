#include "storage/warc_stream.h"
#include "base/input.h"
#include "base/num.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int warc_stream_open(struct warc_stream *s, const char *path, struct err_note *why)
{
	*s = (struct warc_stream){.path = path};
	return input_open(&s->input, path, why);
}

void warc_stream_close(struct warc_stream *s)
{
	if (s->input)
		input_close(s->input);
	buf_release(&s->text);
	*s = (struct warc_stream){.path = NULL};
}

/* Reads on if no byte is left. Returns 1 if there is one, 0 at the end of the file, or an error. */
static int fill(struct warc_stream *s, struct err_note *why)
{
	int got = 1;

	while (s->n == 0 && (got = input_chunk(s->input, &s->at, &s->n, why)) > 0)
		;
	return got < 0 ? got : s->n > 0;
}

static int malformed(const struct warc_stream *s, const char *what, struct err_note *why)
{
	return err_set(why, ERR_FORMAT, "%s: record %llu %s", s->path, (unsigned long long)s->number, what);
}

int warc_stream_block(struct warc_stream *s, struct buf *out, size_t most, struct err_note *why)
{
	while (s->left && most) {
		const int got = fill(s, why);
		if (got <= 0)
			return got < 0 ? got : malformed(s, "is cut short", why);
		size_t n = s->n < most ? s->n : most;
		if (n > s->left)
			n = (size_t)s->left;
		if (out)
			buf_add(out, s->at, n);
		s->at += n;
		s->n -= n;
		s->left -= n;
		most -= n;
	}
	return 0;
}

/* Skips the block and the blank lines behind it. 1 where a record follows. */
static int skip(struct warc_stream *s, struct err_note *why)
{
	int got = warc_stream_block(s, NULL, SIZE_MAX, why);

	if (got)
		return got;
	while ((got = fill(s, why)) > 0 && (*s->at == '\r' || *s->at == '\n')) {
		s->at++;
		s->n--;
	}
	return got;
}

/* Reads the header to its blank line, each line with CR LF. */
static int read_header(struct warc_stream *s, struct err_note *why)
{
	size_t line = 0;
	int got;

	buf_clear(&s->text);
	while ((got = fill(s, why)) > 0) {
		const char *lf = memchr(s->at, '\n', s->n);
		const size_t n = lf ? (size_t)(lf - s->at) + 1 : s->n;
		if (s->text.used + n > WARC_HEADER_MOST)
			return malformed(s, "has a header that is too long", why);
		buf_add(&s->text, s->at, n);
		s->at += n;
		s->n -= n;
		if (!lf)
			continue;
		if (s->text.used - line <= 2 && (s->text.used - line == 1 || s->text.at[line] == '\r')) {
			s->text.used = line;
			return 0;
		}
		line = s->text.used;
		if (memcmp(s->text.at, "WARC/", line < 5 ? line : 5) != 0)
			return malformed(s, "is none of a WARC file (ARC, its predecessor, is not read)", why);
	}
	return got < 0 ? got : malformed(s, "is cut short", why);
}

int warc_stream_next(struct warc_stream *s, struct err_note *why)
{
	char text[24];
	int got = skip(s, why);

	if (got <= 0)
		return got;
	s->number++;
	int err = read_header(s, why);
	if (err)
		return err;
	s->header = (struct warc_span){s->text.at, s->text.used};
	const struct warc_span length = warc_field(s->header, "Content-Length");
	snprintf(text, sizeof text, "%.*s", (int)(length.n < 22 ? length.n : 22), length.at);
	text[strcspn(text, " \t")] = 0;
	if (num_count(text, INT64_MAX, &s->length))
		return malformed(s, "has no Content-Length", why);
	s->left = s->length;
	return 1;
}
