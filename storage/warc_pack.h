/* Composes the records of an archive, each of which becomes a gzip member.
 *
 *     struct warc_pack p = WARC_PACK(WARC_LEVEL);
 *     warc_make_id(id);
 *     warc_pack_begin(&p, "request", id, date);
 *     warc_pack_target(&p, "WARC-Target-URI", url);
 *     n = warc_pack_end(&p, "application/http; msgtype=request", head, body);
 *     ... further records; p.packed contains all of them ...
 *     warc_pack_clear(&p);                       for the next exchange
 *     warc_pack_release(&p);
 *
 * A thread may use a struct of its own at any time. */
#ifndef STORAGE_WARC_PACK_H
#define STORAGE_WARC_PACK_H

#include "base/buf.h"
#include "storage/warc.h"

#define WARC_ID_SIZE     48
#define WARC_DATE_SIZE   32
#define WARC_DIGEST_SIZE 48
#define WARC_SHA1_SIZE   20

struct warc_pack {
	struct buf text;                          /* the header of the record that was begun last */
	struct buf packed;                        /* the records that are ended, compressed */
	int level;                                /* see struct warc_settings */
	struct libdeflate_compressor *compressor; /* of this level; NULL before the first record */
};

#define WARC_PACK(level) \
	{ \
		BUF_EMPTY, BUF_EMPTY, level, NULL \
	}

/* Writes a new random record id, "<urn:uuid:...>". */
void warc_make_id(char id[WARC_ID_SIZE]);

/* Writes a time in ms since 1970 as "2026-11-21T04:38:07.123Z". */
void warc_make_date(char date[WARC_DATE_SIZE], int64_t ms);

/* Computes the SHA-1 of n bytes. */
void warc_digest(unsigned char digest[WARC_SHA1_SIZE], const char *at, size_t n);

/* Writes a SHA-1 as "sha1:" and its base 32. */
void warc_make_digest(char text[WARC_DIGEST_SIZE], const unsigned char digest[WARC_SHA1_SIZE]);

/* Begins a record with the fields WARC-Type, WARC-Record-ID and WARC-Date. */
void warc_pack_begin(struct warc_pack *, const char *type, const char *id, const char *date);

/* Adds a field to the header of the record. */
void warc_pack_field(struct warc_pack *, const char *name, const char *value);

/* Adds a field whose value is a URL that need not end with a NUL. */
void warc_pack_target(struct warc_pack *, const char *name, struct warc_bytes url);

/* Ends the header with the fields Content-Type (`type`) and Content-Length, adds the block, which is `head`
 * followed by `body`, compresses the record, and appends it to `packed`. Returns the length of the compressed
 * record. */
uint64_t warc_pack_end(struct warc_pack *, const char *type, struct warc_bytes head, struct warc_bytes body);

/* Forgets the records, and keeps the compressor and up to WARC_PACK_KEPT bytes of memory for the next ones. */
void warc_pack_clear(struct warc_pack *);

#define WARC_PACK_KEPT (1u << 20)

/* Frees the memory. */
void warc_pack_release(struct warc_pack *);

#endif
