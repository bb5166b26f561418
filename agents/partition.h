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
#include "base/buf.h"

#define PARTITIONS 1024

/* Returns the partition of a host of n bytes in lower case; a port behind it ("example.org:8080") is ignored. The partition is
 * XXH3-64 of the registrable domain (parser/shape.h; rules of the private part of the Public Suffix List count), modulo
 * PARTITIONS. Any thread may call. */
unsigned partition_of(const char *host, size_t n);

/* Who owns each partition. */
struct shares {
	unsigned agents;            /* 1 to PARTITIONS */
	uint16_t owner[PARTITIONS]; /* below `agents` */
};

/* Deals the partitions to the agents in turn: partition p to agent p modulo `agents`. */
void shares_deal(struct shares *, unsigned agents);

/* The shares of a crawl as the bucket has them, under the key "shares": who owns each partition. Each change has the next epoch.
 * Before the first change there is no such key, and the partitions belong to the agents who began the crawl, as shares_deal() deals
 * them.
 *
 * Who may change it: the owner of a partition gives it to another agent; and if an agent is gone (struct news, is_gone), the lowest
 * of the other agents deals its partitions to all of them. The key is written by compare-and-set. */

#define SHARE_TABLE_KEY "shares"

struct share_table {
	uint64_t epoch; /* 0: before the first change */
	uint16_t owner[PARTITIONS];
};

/* Writes its text, which replaces what the buf has. */
void share_table_write(const struct share_table *, struct buf *);

/* Reads a text of n bytes. Returns 0, or -1 if the text is none. */
int share_table_read(struct share_table *, const char *text, size_t n);

#endif
