/* The division of a crawl. The hosts fall into 1,024 partitions, by a hash of their registrable domains, so that the hosts of
 * one site are together. The number does not depend on the number of agents: partitions are what an agent owns, and what
 * moves from one agent to another.
 *
 *	struct shares shares;
 *	shares_deal(&shares, 4);
 *	unsigned owner = shares.owner[partition_of("www.example.co.uk", 17)]; */
#ifndef AGENTS_PARTITION_H
#define AGENTS_PARTITION_H

#include <stddef.h>
#include <stdint.h>

#define PARTITIONS 1024

/* Returns the partition of a host of n bytes in lower case; a port behind it ("example.org:8080") is ignored. The partition is
 * XXH3-64 of the registrable domain (parser/domain.h; rules of the private part of the Public Suffix List count), modulo
 * PARTITIONS. Any thread may call. */
unsigned partition_of(const char *host, size_t n);

/* Who owns each partition. */
struct shares {
	unsigned agents;            /* 1 to PARTITIONS */
	uint16_t owner[PARTITIONS]; /* below `agents` */
};

/* Deals the partitions to the agents in turn: partition p to agent p modulo `agents`. */
void shares_deal(struct shares *, unsigned agents);

#endif
