#include "agents/roster.h"
#include "agents/partition.h"
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define KEY  "roster"
#define HEAD "lycosa agents 1\n"

_Static_assert(NEWS_AGENTS == PARTITIONS, "each agent may have a partition");

void roster_draw(char id[ROSTER_ID])
{
	uint64_t drawn;

	while (getrandom(&drawn, sizeof drawn, 0) != sizeof drawn)
		;
	snprintf(id, ROSTER_ID, "%016llx", (unsigned long long)drawn);
}

int roster_is_complete(const struct roster *r)
{
	return r->n >= r->agents;
}

int roster_extends(const struct roster *r, const struct roster *earlier)
{
	/* a crawl that has begun with fewer agents than were planned */
	const int is_smaller = r->agents < earlier->agents && earlier->n <= r->agents;

	return (r->agents == earlier->agents || is_smaller) && r->n >= earlier->n &&
		memcmp(r->id, earlier->id, earlier->n * sizeof *earlier->id) == 0;
}

unsigned roster_find(const struct roster *r, const char *id)
{
	for (unsigned i = 0; i < r->n; i++)
		if (strcmp(r->id[i], id) == 0)
			return i;
	return ROSTER_NONE;
}

void roster_write(const struct roster *r, struct buf *b)
{
	buf_clear(b);
	buf_format(b, HEAD "%u\n", r->agents);
	for (unsigned i = 0; i < r->n; i++)
		buf_format(b, "%s\n", r->id[i]);
}

int roster_read(struct roster *r, const char *text, size_t n)
{
	char *copy = strndup(text, n), *at = copy, *end;

	memset(r, 0, sizeof *r);
	if (!copy || strncmp(copy, HEAD, strlen(HEAD)) != 0) {
		free(copy);
		return -1;
	}
	const unsigned long agents = strtoul(at += strlen(HEAD), &at, 10);
	r->agents = agents <= NEWS_AGENTS ? (unsigned)agents : 0;
	for (; *at == '\n' && r->n < NEWS_AGENTS; at = end) {
		const size_t length = strspn(++at, "0123456789abcdef");
		end = at + length;
		if (length != ROSTER_ID - 1)
			break;
		memcpy(r->id[r->n++], at, length);
	}
	free(copy);
	return r->agents ? 0 : -1;
}

/* Reads the roster and its revision. Returns 1, 0 or an error. */
static int look(struct bus *bus, struct roster *r, uint64_t *revision, struct err_note *why)
{
	struct buf text = BUF_EMPTY;
	int got = bus_get(bus, KEY, &text, revision, why);

	memset(r, 0, sizeof *r);
	if (got > 0 && roster_read(r, text.at, text.used))
		got = err_set(why, ERR_FORMAT, "the roster of the crawl is none that this version reads");
	buf_release(&text);
	return got;
}

int roster_look(struct bus *bus, struct roster *r, struct err_note *why)
{
	uint64_t revision;

	return look(bus, r, &revision, why);
}

/* Tries once. Returns 1, 0 if another agent has joined meanwhile, or an error. */
static int join(struct bus *bus, const char *id, unsigned agents, const struct roster *known, struct roster *r, struct buf *text,
	struct err_note *why)
{
	uint64_t revision;
	int got = look(bus, r, &revision, why);

	got = got == ERR_FORMAT && known->n ? 0 : got;
	if ((!got && !known->n && !agents) || got == ERR_FORMAT)
		got = err_set(why, ERR_UNREACHABLE,
			"the NATS server has no roster of the crawl that this version reads; an agent that has joined writes it again: try again");
	if (got < 0)
		return got;
	if (known->n && (!got || (roster_extends(known, r) && known->n > r->n)))
		*r = *known;
	else if (got && roster_find(r, id) != ROSTER_NONE)
		return 1;
	else if (!got)
		r->agents = agents;
	if (agents && !known->n && r->agents != agents)
		return err_set(why, ERR_USAGE, "--agents %u: the crawl was begun for %u; leave it out", agents, r->agents);
	if (roster_find(r, id) == ROSTER_NONE) {
		if (r->n == NEWS_AGENTS)
			return err_set(why, ERR_USAGE, "the crawl has had %u agents, and cannot have more", r->n);
		memcpy(r->id[r->n++], id, ROSTER_ID);
	}
	roster_write(r, text);
	return bus_set(bus, KEY, text->at, text->used, &revision, why);
}

int roster_begin(struct bus *bus, struct roster *r, struct err_note *why)
{
	struct roster *now = mem_new(1, sizeof *now);
	struct buf text = BUF_EMPTY;
	uint64_t revision;
	int got = look(bus, now, &revision, why);

	if (got > 0 && now->n == r->n) {
		now->agents = now->n;
		roster_write(now, &text);
		got = bus_set(bus, KEY, text.at, text.used, &revision, why);
	}
	if (got > 0)
		*r = *now;
	buf_release(&text);
	free(now);
	return got < 0 ? got : 0;
}

int roster_join(struct bus *bus, const char *id, unsigned agents, struct roster *r, struct err_note *why)
{
	struct roster *known = mem_copy(r, sizeof *r);
	struct buf text = BUF_EMPTY;
	int got = 0;

	while (!got)
		got = join(bus, id, agents, known, r, &text, why);
	buf_release(&text);
	free(known);
	return got < 0 ? got : 0;
}
