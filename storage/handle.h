/* What a handle of a store consists of; shared by the files of this folder, for nobody else. */
#ifndef STORAGE_HANDLE_H
#define STORAGE_HANDLE_H

#include "base/buf.h"
#include "storage/env.h"
#include "storage/records.h"
#include "storage/store.h"
#include "storage/tags.h"

/* Records that begin with a text and its NUL, and the numbers of those texts. */
struct texts {
	struct records records;
	struct tags tags;
	uint64_t seed; /* of the hash: nobody outside can choose names that collide */
	int built;     /* the tags are those of the records */
};

/* For each page the last of its records, or 0: its number + 1. Built when it is first asked. */
struct latest {
	uint32_t *at;
	size_t room, pages; /* entries that are there */
	uint64_t seen;      /* records looked at */
	uint64_t nobodys;   /* of them damaged: which page they are of is lost */
};

/* What was learnt of an origin's robots.txt since the last commit. */
struct new_robots {
	char *origin;
	size_t origin_n;
	int is_gone; /* its time is up */
	struct buf value;
};

struct kept_robots {
	struct new_robots *news;
	size_t n, room;
	size_t bytes;   /* of all that are kept, about */
	int64_t opened; /* ms since 1970 */
};

struct setting {
	char *name, *text;
	int changed; /* since the last commit */
};

struct store {
	struct env env;
	int lock;
	struct texts hosts, pages;
	struct records results, links, log;
	struct latest latest_result, latest_links;
	struct kept_robots robots;
	char **host_name; /* by host, once asked */
	size_t host_names;
	struct setting *setting;
	size_t settings, setting_room;
	int settings_changed;
	uint64_t uncommitted;
	size_t uncommitted_bytes;
	struct buf scratch; /* a record being put together */
	uint32_t *link;     /* of the last store_links() */
	uint8_t *kind;
	size_t link_room, kind_room;
	uint32_t log_id; /* what the last entry of the log's open chunk leaves: see log.c */
	int64_t log_time;
	uint32_t log_pages;        /* that entries of the log have led to */
	struct progress *progress; /* of a verify; NULL: not shown */
	uint64_t steps;            /* of it, so far */
};

/* --- texts.c */
int texts_find(struct texts *, const char *text, size_t n, uint32_t *id);
/* Adds a record whose text is not there yet; its text is its first n bytes. */
uint32_t texts_add(struct texts *, const void *record, size_t record_n, size_t n);
/* Hashes all there are that can be read. ERR_DAMAGED for a record without a text, or one text again
 * and again; the others are found nevertheless. */
int texts_build(struct texts *, struct err_note *why);
void texts_init(struct texts *, struct env *, enum env_db, size_t chunk_most);
void texts_release(struct texts *);

/* --- store.c: room for one more record of n bytes in what is not committed, or ERR_TOO_BIG */
int store_take_room(
	struct store *, const struct records *, size_t n, struct err_note *why) MUST_USE;

/* --- robots.c: which are there, for a writer; what a commit writes of them; that it stands */
int robots_open(struct store *, struct err_note *why) MUST_USE;
int robots_fill(const struct kept_robots *, struct env_batch *) MUST_USE;
void robots_committed(struct kept_robots *);
void robots_release(struct kept_robots *);

/* --- latest.c: the number of the page's last record in *number: 1, or 0 */
int latest_find(struct store *, struct latest *, struct records *, uint32_t id, uint64_t *number);

/* --- codecs; each returns 0, or -1 where the bytes are no such record */
int page_record_read(const struct store *, const uint8_t *at, size_t n, struct store_page *out);
int result_read(
	const struct store *, const uint8_t *at, size_t n, uint32_t *id, struct store_result *out);
/* The page of a record of links, their number, and whether kinds follow. `at` moves behind. */
int links_head(const struct store *, const uint8_t **at, const uint8_t *end, uint32_t *id,
	size_t *n, int *kinds);
int links_body(
	struct store *, const uint8_t *at, const uint8_t *end, uint32_t id, size_t n, int kinds);
/* What a page has: 1, 0, or -1 where it cannot be read. The links are in store->link, kind. */
int result_find(struct store *, uint32_t id, struct store_result *out);
int links_find(struct store *, uint32_t id, size_t *n, int *with_kinds);
int log_open(struct store *, struct err_note *why) MUST_USE;

/* --- verify_log.c */
struct breaches {
	void (*tell)(void *ctx, const char *line);
	void *ctx;
	int n; /* stops at INT_MAX */
};

/* One record more was looked at. */
void verify_step(struct store *);
void breach(struct breaches *, const char *format, ...) __attribute__((format(printf, 2, 3)));
int verify_log(struct store *, struct breaches *, struct err_note *why) MUST_USE;

#endif
