/* A run of records, numbered 0, 1, 2 ..., that only ever grows; packed into chunks, a chunk a value
 * of LMDB (doc/formats.md). A chunk fills whole pages, so hardly a byte is lost, and a commit
 * writes the last chunk again and what came after it.
 *
 * Invariants:
 *  R1 chunk[i].first ascends from 0; chunk i holds the records from its first to the next one's.
 *  R2 chunks below `clean` lie in the last commit as they are here; the others in memory.
 *  R3 `held` of a chunk is its memory; NULL: `bytes` and `ends` point into the snapshot
 *     `generation`.
 *  R4 where the handle writes, the last chunk is the open one, whose memory is `open`, `open_ends`.
 *  R5 of a chunk with several records `bytes` is shorter than 64 KiB. */
#ifndef STORAGE_RECORDS_H
#define STORAGE_RECORDS_H

#include "base/buf.h"
#include "storage/env.h"

#include <string.h>

#define RECORDS_STRIDE 256 /* of `near` */

enum records_table { RECORDS_IN_SEQUENCE /* read from the start of a chunk */, RECORDS_BY_NUMBER };

struct chunk {
	uint64_t first;
	const uint8_t *bytes;
	const uint8_t *ends; /* where each record ends, two bytes each; NULL for one record */
	void *held;
	uint32_t size : 31;      /* of bytes */
	uint32_t is_checked : 1; /* its checksum was right when it was read before */
	uint32_t generation;
};

struct records {
	struct env *env;
	enum env_db db;
	enum records_table table;
	size_t chunk_most; /* bytes of a chunk of several records; < 64 KiB */
	uint64_t n;
	struct chunk *chunk;
	size_t chunks, room;
	size_t clean;
	size_t in_file;   /* chunks whose key is in the last commit */
	int open_changed; /* since the last commit */
	int open_ended;
	struct buf open, open_ends;
	uint32_t *near; /* the chunk of each RECORDS_STRIDEth record */
	size_t nears, near_room;
};

void records_init(struct records *, struct env *, enum env_db, enum records_table, size_t most);
void records_release(struct records *);

/* Reads which chunks there are; `n` is how many records the store says it has. Where the handle
 * writes the last one is opened. */
int records_load(struct records *, uint64_t n, struct err_note *why) MUST_USE;

/* Whether a record of n bytes goes into the chunk that is open. */
int records_fits(const struct records *, size_t n);
/* Nothing more goes into it. */
void records_end_chunk(struct records *);
/* Writers only. n < 2^28; its number is records->n before. */
void records_append(struct records *, const void *bytes, size_t n);

/* Writes what is not committed; afterwards, when the commit stands, records_committed(). */
int records_fill(struct records *, struct env_batch *) MUST_USE;
void records_committed(struct records *);

/* Makes a chunk's bytes good to read. ERR_DAMAGED with a note. */
int records_read_chunk(struct records *, size_t i, struct err_note *why) MUST_USE;

static inline uint64_t records_chunk_end(const struct records *r, size_t i)
{
	return i + 1 < r->chunks ? r->chunk[i + 1].first : r->n;
}

static inline uint32_t records_end_at(const uint8_t *ends, uint64_t i)
{
	return ends[2 * i] | (uint32_t)ends[2 * i + 1] << 8;
}

/* The chunk of a record below n. */
static inline size_t records_chunk_of(const struct records *r, uint64_t i)
{
	size_t c = r->near[i / RECORDS_STRIDE];

	while (c + 1 < r->chunks && r->chunk[c + 1].first <= i)
		c++;
	return c;
}

/* One record, RECORDS_BY_NUMBER: 1, or 0 where there is none or it is damaged. Good until the next
 * append or commit. Cost: two cache misses. */
static inline int records_get(struct records *r, uint64_t i, const uint8_t **at, size_t *n)
{
	if (i >= r->n)
		return 0;
	size_t c = records_chunk_of(r, i);
	struct chunk *k = &r->chunk[c];
	if (!k->held && k->generation != r->env->generation && records_read_chunk(r, c, NULL))
		return 0;
	uint32_t start = 0, end = k->size;
	if (k->ends) {
		uint64_t place = i - k->first;
		end = records_end_at(k->ends, place);
		start = place ? records_end_at(k->ends, place - 1) : 0;
	}
	if (start > end || end > k->size)
		return 0;
	*at = k->bytes + start;
	*n = end - start;
	return 1;
}

#endif
