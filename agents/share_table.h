/* The shares of a crawl as the bucket has them, under the key "shares": who owns each partition. Each change has the next epoch.
 * Before the first change there is no such key, and the partitions belong to the agents who began the crawl, as shares_deal() deals
 * them.
 *
 * Who may change it: the owner of a partition gives it to another agent; and if an agent is gone (struct news, is_gone), the lowest
 * of the other agents deals its partitions to all of them. The key is written by compare-and-set. */
#ifndef AGENTS_SHARE_TABLE_H
#define AGENTS_SHARE_TABLE_H

#include "agents/partition.h"
#include "base/buf.h"

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
