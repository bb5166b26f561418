#include "agents/charter.h"
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY  "settings"
#define HEAD "lycosa settings 1\n"

void charter_begin(struct buf *b)
{
	buf_clear(b);
	buf_text(b, HEAD);
}

void charter_add(struct buf *b, const char *name, const char *value)
{
	buf_format(b, "%s %zu\n%s\n", name, strlen(value), value);
}

static int damaged(struct err_note *why)
{
	return err_set(why, ERR_FORMAT, "the settings of the crawl at the NATS server are none that this version reads");
}

/* Reads an entry, whose NULs it writes; *at moves behind it. Returns 0 or -1. */
static int read_entry(char **at, char *end, char **name, char **value)
{
	char *blank = memchr(*at, ' ', (size_t)(end - *at)), *line;
	size_t n;

	if (!blank || blank == *at || blank[1] < '0' || blank[1] > '9')
		return -1;
	const size_t length = (size_t)(blank - *at);
	if (memchr(*at, 0, length) || memchr(*at, '\n', length))
		return -1;
	n = strtoul(blank + 1, &line, 10);
	if (*line != '\n' || n >= (size_t)(end - line) - 1 || line[1 + n] != '\n' || memchr(line + 1, 0, n))
		return -1;
	*blank = line[1 + n] = 0;
	*name = *at;
	*value = line + 1;
	*at = line + n + 2;
	return 0;
}

int charter_each(const struct buf *b, int (*take)(void *ctx, const char *name, const char *value, struct err_note *why), void *ctx,
	struct err_note *why)
{
	const size_t head = strlen(HEAD);
	char *copy, *at, *end, *name, *value;
	int err = 0;

	if (b->used < head || memcmp(b->at, HEAD, head) != 0)
		return damaged(why);
	copy = mem_copy(b->at, b->used + 1); /* with the NUL behind it; there may be others before */
	at = copy + head;
	end = copy + b->used;
	while (!err && at < end)
		err = read_entry(&at, end, &name, &value) ? damaged(why) : take(ctx, name, value, why);
	free(copy);
	return err;
}

int charter_look(struct bus *bus, struct buf *b, struct err_note *why)
{
	uint64_t revision;

	return bus_get(bus, KEY, b, &revision, why);
}

static size_t room_of(const struct bus *bus)
{
	return bus_letter_most(bus) < CHARTER_BYTES ? bus_letter_most(bus) : CHARTER_BYTES;
}

int charter_publish(struct bus *bus, const struct buf *b, struct err_note *why)
{
	uint64_t revision = 0;

	const size_t room = room_of(bus);

	if (b->used > room)
		return err_set(why, ERR_TOO_BIG,
			"--join: settings and seeds have %zu bytes, and the bucket takes %zu; begin with fewer seeds", b->used,
			room);
	return bus_set(bus, KEY, b->at, b->used, &revision, why);
}

int charter_add_seeds(struct bus *bus, const struct buf *lines, struct err_note *why)
{
	char key[32];
	int got = 0;

	if (lines->used > room_of(bus))
		return err_set(why, ERR_TOO_BIG, "the seeds have %zu bytes, and the bucket takes %zu; give them in parts",
			lines->used, room_of(bus));
	for (unsigned n = 1; !got; n++) {
		uint64_t revision = 0;
		snprintf(key, sizeof key, CHARTER_SEEDS "%u", n);
		got = bus_set(bus, key, lines->at, lines->used, &revision, why);
	}
	return got;
}
