/* Making the records of an archive, one after the other, each a gzip member.
 *
 *     struct warc_pack p = WARC_PACK_EMPTY;
 *     warc_make_id(id);
 *     warc_pack_begin(&p, "request", id, date);
 *     warc_pack_target(&p, "WARC-Target-URI", url);
 *     n = warc_pack_end(&p, "application/http; msgtype=request", head, body);
 *     ... the next; p.packed holds all of them ...
 *     warc_pack_release(&p); */
#ifndef STORAGE_WARC_PACK_H
#define STORAGE_WARC_PACK_H

#include "base/buf.h"
#include "storage/warc.h"

#define WARC_ID_SIZE     48
#define WARC_DATE_SIZE   32
#define WARC_DIGEST_SIZE 48
#define WARC_SHA1_SIZE   20

struct warc_pack {
	struct buf text;   /* of the record begun */
	struct buf packed; /* those that are ended */
};

#define WARC_PACK_EMPTY                                                                            \
	{                                                                                          \
		BUF_EMPTY, BUF_EMPTY                                                               \
	}

/* A record's name, drawn: "<urn:uuid:...>". */
void warc_make_id(char id[WARC_ID_SIZE]);
/* "2026-11-21T04:38:07.123Z", of ms since 1970. */
void warc_make_date(char date[WARC_DATE_SIZE], int64_t ms);
/* The SHA-1 of bytes; "sha1:" and one in base 32. */
void warc_digest(unsigned char digest[WARC_SHA1_SIZE], const char *at, size_t n);
void warc_make_digest(char text[WARC_DIGEST_SIZE], const unsigned char digest[WARC_SHA1_SIZE]);

/* Begins a record with its kind, name and date; further fields of its header. */
void warc_pack_begin(struct warc_pack *, const char *type, const char *id, const char *date);
void warc_pack_field(struct warc_pack *, const char *name, const char *value);
void warc_pack_target(struct warc_pack *, const char *name, struct warc_bytes url);

/* Ends the header, adds the block, which is of two parts, and packs all of it. Returns the length of the
 * member. */
uint64_t warc_pack_end(
	struct warc_pack *, const char *type, struct warc_bytes head, struct warc_bytes body);

void warc_pack_release(struct warc_pack *);

#endif
