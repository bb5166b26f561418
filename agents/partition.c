#include "agents/partition.h"
#include "parser/domain.h"

#include <assert.h>
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
