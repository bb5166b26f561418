/* The rules of WARC 1.0 and 1.1 (ISO 28500:2017; numbers of sections are those of the specification of WARC 1.1), for archives of
 * any program.
 *
 *	rules = warc_rules_new(tell, &ctx);
 *	warc_rules_record(rules, &item);                     for each record of a file (storage/warc_items.h), in its order
 *	warc_rules_free(rules); */
#ifndef STORAGE_WARC_RULES_H
#define STORAGE_WARC_RULES_H

#include "storage/warc_items.h"

/* How much a rule says: "shall", which a file must keep, or "should". */
enum warc_level { WARC_SHALL, WARC_SHOULD };

/* Receives a breach: the name of the field ("" for the record as a whole), and what is wrong with it, for a person, valid during
 * the call. */
typedef void warc_breach_fn(void *ctx, enum warc_level, const char *field, const char *what);

struct warc_rules;

/* Prepares the rules for the records of one or several files. */
struct warc_rules *warc_rules_new(warc_breach_fn *tell, void *ctx);
void warc_rules_free(struct warc_rules *);

/* Says that a new file begins. */
void warc_rules_file(struct warc_rules *);

/* Calls tell() for each rule that the record breaks. Returns 0, or an error of warc_item_block(). Memory: 8 bytes for each record,
 * whose identifiers must differ. */
int warc_rules_record(struct warc_rules *, const struct warc_item *, struct err_note *why) MUST_USE;

/* Decodes a digest of an algorithm that is known here. Returns the number of its bytes, 0 if it is none. */
size_t warc_digest_decode(struct warc_span said, uint8_t out[64]);

enum digest_verdict { DIGEST_OTHER, DIGEST_SAME, DIGEST_UNKNOWN, DIGEST_MALFORMED };

/* Compares bytes with a digest "NAME:VALUE" (SHA-1, SHA-256, SHA-512 or MD5, in base 16, 32 or 64). */
enum digest_verdict warc_digest_verdict(struct warc_span said, struct warc_span bytes);

#endif
