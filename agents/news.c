#include "agents/news.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "lycosa agent 1\n"

/* The fields that are numbers. */
static const struct {
	const char *name;
	size_t at;
} fields[] = {
	{"run", offsetof(struct news, run)},
	{"crawled", offsetof(struct news, crawled)},
	{"seen", offsetof(struct news, seen)},
	{"queued", offsetof(struct news, queued)},
	{"in-flight", offsetof(struct news, in_flight)},
	{"sent", offsetof(struct news, sent)},
	{"taken", offsetof(struct news, taken)},
	{"waiting", offsetof(struct news, waiting)},
	{"again", offsetof(struct news, again)},
	{"seeded", offsetof(struct news, seeded)},
	{"speed", offsetof(struct news, speed)},
	{"lag", offsetof(struct news, lag)},
	{"aside", offsetof(struct news, aside)},
	{"generation", offsetof(struct news, generation)},
	{"round", offsetof(struct news, round)},
	{"logged", offsetof(struct news, logged)},
};

void news_write(const struct news *n, struct buf *b)
{
	buf_clear(b);
	buf_text(b, HEAD);
	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
		uint64_t value;
		memcpy(&value, (const char *)n + fields[i].at, sizeof value);
		buf_format(b, "%s %" PRIu64 "\n", fields[i].name, value);
	}
	if (n->is_idle)
		buf_text(b, "idle\n");
	if (n->has_left)
		buf_text(b, "left\n");
	if (n->is_gone)
		buf_text(b, "gone\n");
	if (n->is_hungry)
		buf_text(b, "hungry\n");
	if (n->is_passing)
		buf_text(b, "passing\n");
	buf_text(b, "marks");
	for (size_t i = 0; i < n->n_marks; i++)
		buf_format(b, " %" PRIu64, n->mark[i]);
	buf_text(b, "\n");
}

/* Reads a number behind a blank. Returns the place behind it, or NULL. */
static const char *read_number(const char *at, uint64_t *value)
{
	char *end;

	if (*at != ' ' || at[1] < '0' || at[1] > '9')
		return NULL;
	*value = strtoull(at + 1, &end, 10);
	return end;
}

static int read_field(struct news *n, const char *line)
{
	uint64_t value;

	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
		const size_t length = strlen(fields[i].name);
		if (strncmp(line, fields[i].name, length) != 0 || line[length] != ' ')
			continue;
		if (!read_number(line + length, &value))
			return -1;
		memcpy((char *)n + fields[i].at, &value, sizeof value);
	}
	n->is_idle |= strncmp(line, "idle\n", 5) == 0;
	n->has_left |= strncmp(line, "left\n", 5) == 0;
	n->is_gone |= strncmp(line, "gone\n", 5) == 0;
	n->is_hungry |= strncmp(line, "hungry\n", 7) == 0;
	n->is_passing |= strncmp(line, "passing\n", 8) == 0;
	if (strncmp(line, "marks", 5) != 0)
		return 0;
	for (const char *at = line + 5; n->n_marks < NEWS_AGENTS && (at = read_number(at, &value)); n->n_marks++)
		n->mark[n->n_marks] = value;
	return 0;
}

int news_read(struct news *out, const char *text, size_t n)
{
	char *copy = strndup(text, n);
	int status = copy && strncmp(copy, HEAD, strlen(HEAD)) == 0 ? 0 : -1;

	memset(out, 0, sizeof *out);
	for (const char *line = copy; !status && line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!*line)
			break;
		status = read_field(out, line);
	}
	free(copy);
	return status;
}
