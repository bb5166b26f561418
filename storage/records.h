/* An append-only array of records of any length, numbered 0, 1, 2 ... The records are packed into chunks,
 * and each chunk is one value of LMDB (doc/formats.md). Chunks fill LMDB's pages almost completely. A commit
 * writes the last chunk of the commit before once more, and all chunks behind it. A store has one such array
 * each for pages, hosts, results, links and the crawl log.
 *
 *	records_append(&r, bytes, n);                        the record's number is r.n - 1 now
 *	if (records_get(&r, 7, &at, &n)) ...                 record 7 is n bytes at `at`
 *
 * Invariants:
 *  R1 chunk[i].first ascends from 0; chunk i contains the records from its `first` up to the next
 *     chunk's `first`.
 *  R2 the chunks below `clean` are equal to those of the last commit; the other chunks lie in memory.
 *  R3 `held` is the memory that a chunk owns. If it is NULL, `bytes` and `ends` point into the snapshot
 *     with the number `generation`.
 *  R4 the last chunk of a writer is the open one, whose memory is `open` and `open_ends`.
 *  R5 `bytes` of a chunk with several records is shorter than 64 KiB. */
#ifndef STORAGE_RECORDS_H
#define STORAGE_RECORDS_H

#include "base/buf.h"
#include "storage/env.h"

#include <endian.h>
#include <string.h>

#define RECORDS_STRIDE 256 /* records between two entries of `near` */

/* RECORDS_BY_NUMBER: records_get() reads any record. RECORDS_IN_SEQUENCE: the records of a chunk can only be
 * read one after the other by a caller that knows where each ends (the crawl log). */
enum records_table { RECORDS_IN_SEQUENCE, RECORDS_BY_NUMBER };

struct chunk {
	uint64_t first; /* the number of its first record */
	const uint8_t *bytes;
	/* RECORDS_BY_NUMBER: the offset behind each record within `bytes`, two bytes for each; NULL if the
	 * chunk has one record */
	const uint8_t *ends;
	void *held;
	uint32_t size : 31;      /* the number of `bytes` */
	uint32_t is_checked : 1; /* the chunk's checksum has been verified since the store was opened */
	uint32_t generation;
};

struct records {
	struct env *env;
	enum env_db db;
	enum records_table table;
	size_t chunk_most; /* the most bytes of a chunk with several records; below 64 KiB */
	uint64_t n;        /* the number of records */
	struct chunk *chunk;
	size_t chunks, room;
	size_t clean;
	size_t in_file;   /* the number of chunks whose key the last commit contains */
	int open_changed; /* the open chunk has changed since the last commit */
	int open_ended;   /* no further record may be added to the open chunk */
	struct buf open, open_ends;
	uint32_t *near; /* the chunks of the records 0, RECORDS_STRIDE, 2 * RECORDS_STRIDE ... */
	size_t nears, near_room;
};

/* Makes an empty array over a database of an open environment. `most` becomes chunk_most. */
void records_init(struct records *, struct env *, enum env_db, enum records_table, size_t most);

/* Frees the memory. Records that are not committed are lost. */
void records_release(struct records *);

/* Reads the chunks' keys and sizes from the last commit. `n` is the number of records that the store's
 * metadata tells. If the store is open for writing, the last chunk becomes the open one. Returns 0,
 * ERR_DAMAGED with a note if chunks and n contradict each other, or an error of env_get(). */
int records_load(struct records *, uint64_t n, struct err_note *why) MUST_USE;

/* Says whether a record of n bytes fits into the open chunk. */
int records_fits(const struct records *, size_t n);

/* Makes the next records_append() begin a new chunk. */
void records_end_chunk(struct records *);

/* Returns the place that the next record, of n bytes at most, is to have in its chunk, and makes records_append() put it there: 0
 * if it begins a new chunk. */
uint64_t records_next_place(struct records *, size_t n);

/* Appends a record of n bytes, n < 2^28, which gets the number records->n. Writers only (asserted). */
void records_append(struct records *, const void *bytes, size_t n);

/* Puts all chunks that have changed since the last commit into a batch. Returns 0, or what env_put() returned
 * if that was not 0. */
int records_fill(struct records *, struct env_batch *) MUST_USE;

/* Takes account of a batch that has been committed; the caller calls this after env_write() returned 0. */
void records_committed(struct records *);

/* Makes the bytes of chunk i readable: brings them up to the current snapshot, and verifies their checksum
 * the first time. Returns 0, ERR_DAMAGED with a note, or an error of env_get(). */
int records_read_chunk(struct records *, size_t i, struct err_note *why) MUST_USE;

/* Verifies the checksum of chunk i as the last commit has it once more. *n is the number of bytes that were read. Returns
 * as records_read_chunk() does. */
int records_scrub_chunk(struct records *, size_t i, size_t *n, struct err_note *why) MUST_USE;

/* Copies the last chunk from the snapshot into memory, unless the copy has been made. A reader calls this before env_let_go(): in
 * a later snapshot the last chunk may have more records, while all other chunks are the same. Returns as records_read_chunk()
 * does. */
int records_pin_last(struct records *, struct err_note *why) MUST_USE;

/* Returns the key of a chunk by the number of its first record, and the number by the key, which has 8 bytes. */
static inline struct bytes records_key(uint64_t first, uint64_t *key)
{
	*key = htobe64(first);
	return (struct bytes){key, sizeof *key};
}

static inline uint64_t records_first(struct bytes key)
{
	uint64_t first;

	memcpy(&first, key.at, sizeof first);
	return be64toh(first);
}

/* Returns the number of the first record behind chunk i. */
static inline uint64_t records_chunk_end(const struct records *r, size_t i)
{
	return i + 1 < r->chunks ? r->chunk[i + 1].first : r->n;
}

/* Reads entry i of a chunk's `ends`. */
static inline uint32_t records_end_at(const uint8_t *ends, uint64_t i)
{
	return ends[2 * i] | (uint32_t)ends[2 * i + 1] << 8;
}

/* Returns the number of the chunk that contains record i, where i < n. */
static inline size_t records_chunk_of(const struct records *r, uint64_t i)
{
	size_t c = r->near[i / RECORDS_STRIDE];

	while (c + 1 < r->chunks && r->chunk[c + 1].first <= i)
		c++;
	return c;
}

/* Finds the chunk of record i, and makes its bytes readable until the next append or commit. Returns NULL if there is no such
 * record or the chunk is damaged. */
static inline const struct chunk *records_chunk(struct records *r, uint64_t i)
{
	if (i >= r->n)
		return NULL;
	size_t c = records_chunk_of(r, i);
	struct chunk *k = &r->chunk[c];
	if (!k->held && k->generation != r->env->generation && records_read_chunk(r, c, NULL))
		return NULL;
	return k;
}

/* Finds record i in the chunk that contains it, of an array that is RECORDS_BY_NUMBER. Returns 1, with *n bytes at *at, or 0 if the
 * chunk is damaged. */
static inline int chunk_record(const struct chunk *k, uint64_t i, const uint8_t **at, size_t *n)
{
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

/* Finds record i of an array that is RECORDS_BY_NUMBER. Returns 1, with *n bytes at *at that are valid until
 * the next append or commit, or 0 if there is no such record or its chunk is damaged. Cost: two cache
 * misses. */
static inline int records_get(struct records *r, uint64_t i, const uint8_t **at, size_t *n)
{
	const struct chunk *k = records_chunk(r, i);

	return k && chunk_record(k, i, at, n);
}

#endif
