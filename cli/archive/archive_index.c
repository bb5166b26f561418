#include "cli/archive/archive_index.h"
#include "base/buf.h"
#include "base/input.h"
#include "base/mem.h"
#include "base/num.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define SHA1_TEXT 32 /* the letters of a SHA-1 in base32 */

int index_is(const char *path)
{
	const size_t n = strlen(path);

	return (n > 5 && strcmp(path + n - 5, ".cdxj") == 0) || (n > 8 && strcmp(path + n - 8, ".cdxj.gz") == 0);
}

static const char *text_of(const json_t *entry, const char *name)
{
	const char *text = json_string_value(json_object_get(entry, name));

	return text ? text : "";
}

/* Reads a number, which most programs write as a text. */
static uint64_t count_of(const json_t *entry, const char *name)
{
	const json_t *value = json_object_get(entry, name);
	uint64_t count = 0;

	if (json_is_integer(value) && json_integer_value(value) >= 0)
		return (uint64_t)json_integer_value(value);
	(void)!num_count(text_of(entry, name), INT64_MAX, &count);
	return count;
}

/* Reads a time "20261122083015", perhaps with milliseconds. */
static int64_t time_of(const char *text)
{
	struct tm tm = {0};

	return strptime(text, "%Y%m%d%H%M%S", &tm) ? (int64_t)timegm(&tm) * 1000 : 0;
}

/* Returns the digest of an index as a WARC record has it: other programs leave out "sha1:". */
static const char *with_method(const char *digest, char *text, size_t size)
{
	if (strlen(digest) != SHA1_TEXT || strchr(digest, ':'))
		return digest;
	snprintf(text, size, "sha1:%s", digest);
	return text;
}

static int read_line(const char *path, uint64_t number, char *line, index_fn *each, void *ctx, struct err_note *why)
{
	char *stamp = strchr(line, ' '), *json = stamp ? strchr(stamp + 1, ' ') : NULL;
	char digits[32] = "", digest[64];
	json_t *entry = json ? json_loads(json + 1, 0, NULL) : NULL;

	if (!json_is_object(entry)) {
		json_decref(entry);
		return err_set(why, ERR_FORMAT, "%s:%llu: no line of a CDXJ index", path, (unsigned long long)number);
	}
	const size_t n = (size_t)(json - stamp) - 1;
	memcpy(digits, stamp + 1, n < sizeof digits ? n : sizeof digits - 1);
	const struct index_entry e = {.url = text_of(entry, "url"),
		.status = text_of(entry, "status"),
		.type = text_of(entry, "mime"),
		.digest = with_method(text_of(entry, "digest"), digest, sizeof digest),
		.file = text_of(entry, "filename"),
		.time = time_of(digits),
		.offset = count_of(entry, "offset"),
		.length = count_of(entry, "length")};
	int err = each(ctx, &e, why);
	json_decref(entry);
	return err;
}

int index_each(const char *path, index_fn *each, void *ctx, struct err_note *why)
{
	struct input *in;
	char *line;
	size_t n;
	int got = input_open(&in, path, why);

	if (got)
		return got;
	while ((got = input_line(in, &line, &n, why)) > 0) {
		if (!*line || *line == '!')
			continue; /* a line about the index */
		got = read_line(path, input_line_number(in), line, each, ctx, why);
		if (got)
			break;
	}
	input_close(in);
	return got;
}

char *index_file(const char *index, const char *file)
{
	const char *slash = strrchr(index, '/'), *name = strrchr(file, '/');
	struct buf path = BUF_EMPTY;

	buf_format(&path, "%.*s%s", slash ? (int)(slash - index) + 1 : 0, index, name ? name + 1 : file);
	return buf_take(&path);
}
