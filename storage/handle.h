/* The struct behind `struct store`, and the functions that the files of this folder share. Besides the tests, no file outside this
 * folder includes this header. */
#ifndef STORAGE_HANDLE_H
#define STORAGE_HANDLE_H

#include "base/buf.h"
#include "base/map.h"
#include "storage/env.h"
#include "storage/records.h"
#include "storage/store.h"
#include "storage/tags.h"

/* The most bytes of a chunk on so many pages of the file, of which LMDB's head takes 16 and the checksum 8. */
#define CHUNK_BYTES(pages) ((pages)*4096u - 16 - 8)

/* The page of one record, decoded; of a host, `url` is its name. The record after it is decoded from it. */
struct url_entry {
	struct buf url; /* a NUL follows */
	uint64_t host, depth;
	uint8_t refusal; /* as it is stored */
	uint64_t number; /* the record's number + 1; 0: none has been read */
};

/* The pages' URLs or the hosts' names: an array of records, each of which has a text, and an index from a text to the number of its
 * record. */
struct texts {
	struct records records;
	struct tags tags;
	struct url_entry reading; /* the record that texts_read() read last */
	uint64_t seed;            /* of the hash, drawn at the opening, so that no site can choose URLs that collide */
	int built;                /* `tags` indexes all records */
};

/* An index from a page to the last of its records in `results` or `links`: see results.c. It is built at its first use. */
struct latest {
	struct tags number; /* by a tag that no other page has: the number of the record */
	uint64_t *alone;    /* a bit for each page: 1: it has one record, which is not in `number` */
	size_t alone_room;  /* of its words */
	int is_whole;       /* 1: `number` has all pages */
	int has_looked;     /* 1: the end of the records was looked through */
	uint64_t found;     /* the last record that was found and is not in `number` */
	uint64_t seen;      /* the records that are in the index */
};

/* A setting, a robots.txt or a record of later visits that is not committed yet. */
struct new_value {
	enum env_db db;
	int is_gone; /* 1: the next commit removes the key */
	struct buf key, value;
};

struct setting {
	char *name, *text;
};

struct store {
	struct env env;
	int lock;
	struct texts hosts, pages;
	struct url_entry last_page;             /* the page that was added last */
	struct url_entry read[STORE_URLS_HELD]; /* the pages that store_page() has returned last */
	uint64_t read_turn[STORE_URLS_HELD];    /* when, as a number of the call */
	uint64_t turns;
	struct records results, links, log;
	struct latest latest_result, latest_links;
	struct new_value *value; /* those since the last commit */
	size_t values, value_room;
	struct map value_of; /* from the hash of a key to its value among these */
	size_t robots_bytes; /* an estimate of the bytes of all robots.txt in the store */
	int64_t opened;      /* for writing; ms since 1970 */
	struct setting *setting;
	size_t settings, setting_room;
	int settings_changed;
	size_t uncommitted_bytes;
	struct buf scratch;      /* the record that is being encoded */
	uint64_t links_in_steps; /* the records of `links`, from the first on, that have the form of format 4 */
	uint32_t linked;         /* the pages when links were put last, or the store was opened: later ones are called new */
	uint32_t *link;          /* the links that links_read() decoded last */
	uint8_t *kind;           /* their kinds */
	struct buf anchors;      /* their anchor texts, each with its NUL; empty if all are "" */
	size_t *anchor;          /* where each of them begins */
	size_t link_room, kind_room, anchor_room;
	uint32_t links_of; /* the page whose links these are; STORE_NO_PAGE: none */
	size_t links_n;
	uint32_t log_id; /* the id and time that the next entry of the log is encoded against: see log.c */
	int64_t log_time;
	uint64_t log_sum; /* see store_log_sum() */
	int log_sum_known;
	uint32_t log_pages;        /* the pages that the entries of the log have led to */
	uint64_t scrub_rounds;     /* see store_scrub() */
	int scrub_run;             /* the array of the chunk that is scrubbed next ... */
	size_t scrub_chunk;        /* ... and its number */
	struct progress *progress; /* of a store_verify(); NULL: not shown */
	uint64_t steps;            /* the records that it has looked at */
};

/* See storage/store.h. */
struct suspect {
	struct store store;
};

/* --- pages.c */

/* Makes empty indexes over the databases of pages and hosts. */
void pages_init(struct store *);

/* Frees the memory. */
void pages_release(struct store *);

/* Finds a text of n bytes. Returns 1 with its number in *id, or 0. The first call builds the index, unless
 * texts_build() has been called; a text in a damaged record is not found. */
int texts_find(struct texts *, const char *text, size_t n, uint32_t *id);

/* Reads the text of a record, *n bytes at *text, valid until the next call, append or commit. Returns 1, or 0 if there is no such
 * record or it is damaged. */
int texts_read(struct texts *, uint32_t id, const char **text, size_t *n);

/* Builds the index from all records. Returns 0, or ERR_DAMAGED if a record has no text, or if a text occurs so
 * often that the store must have been made up; the other texts are in the index nevertheless. */
int texts_build(struct texts *, struct err_note *why);

/* --- store.c */

/* Gives the arrays of records, in the order of their counts. */
#define STORE_RUNS 5
void store_runs(struct store *, struct records *run[STORE_RUNS]);

/* Remembers that a record could not be decoded, `what` being its kind, as "result", unless the store is suspect. The next commit
 * fails, and so does store_close(). Returns 0, for callers to return. */
int store_unread(struct store *, const char *what, uint64_t number);

/* Returns 0, or the error of the last record that could not be read, with its note. */
int store_doubt(struct store *, struct err_note *why) MUST_USE;

/* Makes a value, which is the store's from now on, that of a key at the next commit, or removes the key. */
void values_take(struct store *, enum env_db, struct bytes key, struct buf value);
void values_drop(struct store *, enum env_db, struct bytes key);

/* Finds the value of a key, also one that is not committed. Returns 1 with the *value, valid until the next call that writes, or
 * 0. */
int values_get(struct store *, enum env_db, struct bytes key, struct bytes *value);

/* Counts one more record of n bytes that is not committed. Returns 0; ERR_TOO_BIG if the commit would have more
 * than STORE_BATCH_MAX bytes; or ERR_LIMIT if the array of records is full. */
int store_take_room(struct store *, const struct records *, size_t n, struct err_note *why) MUST_USE;

/* --- robots.c */

/* Finds out, when a store is opened for writing, how much room the robots.txt files take and which have
 * expired. */
int robots_open(struct store *, struct err_note *why) MUST_USE;

/* --- results.c */

/* Finds a page's last record in `records`, the results or the links. Returns 1 with its number in *number, or 0
 * if the page has none. */
int latest_find(struct store *, struct latest *, struct records *, uint32_t id, uint64_t *number);

/* Frees the memory, and makes an index that is built at its next use. */
void latest_release(struct latest *);

/* --- codecs: results.c, links.c, log.c. The bytes may be damaged. */

/* Decodes a result and its page. Returns 0, or -1 if the bytes are no result. */
int result_read(const struct store *, const uint8_t *at, size_t n, struct result *out);

/* Decodes a record of links: its page, the number of its links, and whether it has their kinds; the links into store->link, with
 * kinds store->kind, and the anchor texts. Returns 0, or -1 if it cannot be read. */
int links_read(struct store *, uint64_t number, uint32_t *id, size_t *n, int *with_kinds);

/* Reads, when a store is opened for writing, what the encoding of the log's next entry depends on. */
int log_open(struct store *, struct err_note *why) MUST_USE;

/* Makes a cursor of a store that was opened as STORE_SUSPECT go on behind the chunk of the next entry, which cannot be read.
 * Returns 1, or 0 at the end of the log. The entries behind the chunk do not tell any more which pages they were the first to lead
 * to: first_new of these entries is too small. */
int store_log_skip(struct store_log_cursor *);

/* Counts the entries of a chunk of the log, without its store. Returns 0, or -1 if the bytes are no such chunk. */
int log_count(const uint8_t *at, size_t n, uint64_t *entries) MUST_USE;

/* --- verify.c */

/* Verifies the checksum of every value. Returns 0, or ERR_DAMAGED or ERR_FILE with a note on the first one that is wrong. Cost:
 * reads the whole file. */
int store_check(struct store *, struct err_note *why) MUST_USE;

/* The breaches of rules that store_verify() or warc_check() finds. */
struct breaches {
	struct store *store; /* NULL: they are those of an archive */
	void (*tell)(void *ctx, const char *line);
	void *ctx;
	int n; /* the number of breaches; stays at INT_MAX when it gets there */
};

/* Tells one breach as a line that is formatted as printf() does. */
void breach(struct breaches *, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
