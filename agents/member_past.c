#include "agents/member_past.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define DIGITS 16 /* of a generation */

void member_past_write(const struct member_past *p, struct buf *out)
{
	struct buf table = BUF_EMPTY;

	buf_clear(out);
	buf_format(out, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %u %" PRIu64 "\n", p->generation, p->seen.bucket, p->seen.log,
		p->partition, p->message);
	if (!p->table.epoch)
		return;
	share_table_write(&p->table, &table);
	buf_text(out, table.at);
	buf_release(&table);
}

int member_past_read(struct member_past *p, const char *text)
{
	const char *table = text ? strchr(text, '\n') : NULL;

	*p = (struct member_past){.generation = 0};
	if (!table ||
		sscanf(text, "%" SCNu64 " %" SCNu64 " %" SCNu64 " %u %" SCNu64, &p->generation, &p->seen.bucket, &p->seen.log,
			&p->partition, &p->message) != 5 ||
		p->partition >= PARTITIONS || (table[1] && share_table_read(&p->table, table + 1, strlen(table + 1)))) {
		*p = (struct member_past){.generation = 0};
		return -1;
	}
	return 0;
}

int member_past_is_ahead(const struct member_past *p, struct bus *bus, struct err_note *why)
{
	struct buf last = BUF_EMPTY;
	struct bus_mark now;
	char key[16];
	uint64_t number = 0;
	int got = bus_mark(bus, &now, why);

	snprintf(key, sizeof key, BUS_LOG "%u", p->partition);
	if (!got && (now.bucket < p->seen.bucket || now.log < p->seen.log))
		return 1;
	if (!got && p->message)
		got = bus_get(bus, key, &last, &number, why);
	buf_release(&last);
	return got < 0 ? got : number < p->message;
}

uint64_t member_generation_of(const char *text, size_t n)
{
	char copy[DIGITS + 1];

	if (!text || n != DIGITS || strspn(text, "0123456789abcdef") < DIGITS)
		return 0;
	memcpy(copy, text, DIGITS);
	copy[DIGITS] = 0;
	return strtoull(copy, NULL, 16);
}

/* Writes a new generation over the one of this revision. Returns what bus_set() does. */
static int begin(struct bus *bus, uint64_t *generation, uint64_t revision, struct err_note *why)
{
	char text[DIGITS + 1];

	do
		while (getrandom(generation, sizeof *generation, 0) != sizeof *generation)
			;
	while (!*generation);
	snprintf(text, sizeof text, "%016" PRIx64, *generation);
	return bus_set(bus, MEMBER_GENERATION, text, DIGITS, &revision, why);
}

int member_past_meet(const struct member_past *p, struct bus *bus, uint64_t *generation, struct err_note *why)
{
	struct buf text = BUF_EMPTY;
	uint64_t revision;
	int got = 0;

	while (!got) {
		got = bus_get(bus, MEMBER_GENERATION, &text, &revision, why);
		*generation = got > 0 ? member_generation_of(text.at, text.used) : 0;
		const int is_known = got >= 0 && *generation && *generation == p->generation;
		if (is_known)
			got = member_past_is_ahead(p, bus, why);
		if (got < 0 || (is_known && !got) || (*generation && !is_known))
			break;
		got = begin(bus, generation, revision, why);
	}
	buf_release(&text);
	return got < 0 ? got : 0;
}
