#include "agents/partition.h"
#include "parser/shape.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* Returns the length of a host without the port behind it. */
static size_t without_port(const char *host, size_t n)
{
	size_t digits = n;

	while (digits > 0 && host[digits - 1] >= '0' && host[digits - 1] <= '9')
		digits--;
	return digits > 0 && digits < n && host[digits - 1] == ':' ? digits - 1 : n;
}

unsigned partition_of(const char *host, size_t n)
{
	n = without_port(host, n);
	const size_t start = domain_start(host, n);
	return (unsigned)(XXH3_64bits(host + start, n - start) % PARTITIONS);
}

void shares_deal(struct shares *s, unsigned agents)
{
	assert(agents >= 1 && agents <= PARTITIONS);
	s->agents = agents;
	for (unsigned p = 0; p < PARTITIONS; p++)
		s->owner[p] = (uint16_t)(p % agents);
}

#define HEAD "lycosa shares 1\n"

/* Agents write the table every second. */
static void add_owner(struct buf *b, unsigned owner)
{
	char text[6], *at = text + sizeof text;

	do
		*--at = (char)('0' + owner % 10);
	while (owner /= 10);
	*--at = ' ';
	buf_add(b, at, (size_t)(text + sizeof text - at));
}

void share_table_write(const struct share_table *t, struct buf *b)
{
	buf_clear(b);
	buf_format(b, HEAD "%" PRIu64, t->epoch);
	for (unsigned p = 0; p < PARTITIONS; p++)
		add_owner(b, t->owner[p]);
	buf_text(b, "\n");
}

int share_table_read(struct share_table *t, const char *text, size_t n)
{
	char *copy = strndup(text, n), *at, *end;
	int status = copy && strncmp(copy, HEAD, strlen(HEAD)) == 0 ? 0 : -1;

	memset(t, 0, sizeof *t);
	if (!status) {
		t->epoch = strtoull(copy + strlen(HEAD), &at, 10);
		for (unsigned p = 0; !status && p < PARTITIONS; p++, at = end) {
			const unsigned long owner = strtoul(at, &end, 10);
			status = end == at || owner >= PARTITIONS ? -1 : 0;
			t->owner[p] = (uint16_t)owner;
		}
	}
	free(copy);
	return status;
}
