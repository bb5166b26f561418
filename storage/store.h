/* The store of a crawl: a folder that holds what was discovered, what became of it, and in which order. It is
 * one LMDB environment, which nothing outside this folder knows; doc/formats.md has every key and value.
 *
 * Pages are known by dense ids 0, 1, 2 ... in the order of their discovery. Of each the store has its URL (and
 * from a URL its page), host, depth and whether scope refused it; its last result; and, if it was crawled, its
 * links in document order. Besides there are the log, which is every event that the policy saw, in order; the
 * settings of the crawl; and the robots.txt of each origin for as long as it holds.
 *
 *     struct store *s;
 *     struct store_page page = {.url = "http://example.org/", .url_length = 19};
 *     uint32_t id;
 *
 *     int err = store_open(&s, "folder", STORE_WRITE, &why);
 *     if (!err) err = store_host(s, "example.org", 11, &page.host, &why);
 *     if (!err) err = store_add(s, &page, &id, &why);
 *     if (!err) err = store_log(s, &(struct log_entry){.kind = LOG_SEED, .id = id}, &why);
 *     if (!err) err = store_commit(s, &why);
 *     store_close(s);
 *
 * Writing. A store has one writer, by a lock that dies with its process. What is written lies in memory and can
 * be read by the writer at once; store_commit() puts all of it on the disk, or none. When it has returned 0, no
 * crash and no power failure takes it back. Without it, store_close() drops what was written. A commit that
 * fails changes nothing, and may be tried again. Commit every few thousand pages: more than STORE_BATCH_MAX
 * bytes are refused (ERR_TOO_BIG) until then.
 *
 * Reading. A reader sees the last commit before its opening for as long as it is open; meanwhile the file grows,
 * as the writer cannot use again what the reader may look at. A process has one handle on a store at a time
 * (LMDB's rule), and one thread uses a handle.
 *
 * Lifetimes. What a call returns by pointer is the store's. It is good
 *   - until the next call that writes, or the next commit: URLs, ETags, settings, a robots.txt;
 *   - until the next store_links(): links and kinds;
 *   - until the next store_log_next() of the cursor: the text of an entry;
 *   - until store_close(): names of hosts.
 * What is passed in is borrowed for the call.
 *
 * Errors. A call that can fail says so below, by these:
 *   ERR_FILE     the folder or the disk: no store, no permission, full, failing (EIO), gone; format 1 for a
 *                writer, which can only be read
 *   ERR_BUSY     another process writes it (its id is in the note), or this one does
 *   ERR_DAMAGED  the file is no sound store, or a value is not the one of its checksum
 *   ERR_NEWER    a later program, or a later LMDB, wrote it
 *   ERR_TOO_BIG  more than a record, or a commit, may have
 *   ERR_LIMIT    it is full: 2^32 - 1 pages, hosts, results or records of links
 *   ERR_MEMORY   no address space
 * A call that returns 1 or 0 returns 0 for a damaged record as well as for none; store_verify() tells which. */
#ifndef STORAGE_STORE_H
#define STORAGE_STORE_H

#include "base/err.h"
#include "base/outcome.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define STORE_FORMAT    2
#define STORE_NO_PAGE   UINT32_MAX
#define STORE_BATCH_MAX ((size_t)1 << 30) /* bytes not committed */
#define STORE_LINKS_MAX (1u << 20)        /* links of a page */
#define STORE_NAME_MAX  64                /* bytes of a setting's name */
#define STORE_TEXT_MAX  65535u            /* bytes of a setting, or of a text in the log */

enum store_mode { STORE_READ, STORE_WRITE /* made where it is missing */ };

struct progress;
struct store;

/* Opens the store in a folder. To write: makes folder and store where they are missing, and reads all URLs, so
 * that it can tell known pages from new ones (12 bytes of memory a page). To read: also where nothing may be
 * written, if nobody writes. ERR_FILE, ERR_BUSY, ERR_DAMAGED, ERR_NEWER, ERR_MEMORY; *out is NULL then. */
int store_open(struct store **, const char *dir, enum store_mode, struct err_note *why) MUST_USE;
/* Drops what is not committed. NULL is allowed. */
void store_close(struct store *);
/* Writers only. Returns at once where nothing was written since the last one. ERR_FILE: nothing changed; to be
 * tried again when there is room. ERR_TOO_BIG, ERR_DAMAGED, ERR_MEMORY. */
int store_commit(struct store *, struct err_note *why) MUST_USE;
/* Pages, results, links and log entries written since the last commit. */
uint64_t store_uncommitted(const struct store *);

/* --- what the crawl was asked to do: short texts by name ("policy", "batch", "scope") */
/* Writers only; it holds at once, and for good with the next commit. ERR_TOO_BIG: more than STORE_TEXT_MAX
 * bytes, or more than 1,024 settings. */
int store_set(struct store *, const char *name, const char *text, struct err_note *why) MUST_USE;
/* NULL where there is none; until it is set again. */
const char *store_get(struct store *, const char *name);

/* --- pages */
struct store_page {
	const char *url; /* canonical; NUL-terminated; the store's until the next write or commit */
	size_t url_length;
	uint32_t host;
	uint16_t depth; /* links from a seed when first seen */
	uint8_t refusal; /* enum outcome: why scope or a trap refused it at its discovery; 0: none did */
};

/* Finds the page of a URL: 1 and *id, or 0. Cost: a look-up in memory and one in the store, which decides. A
 * reader hashes all URLs at its first call, 12 bytes a page. */
int store_find(struct store *, const char *url, size_t n, uint32_t *id);
/* Writers only. Adds a page, which must not be there (asserted); *id is the number of pages before. Its URL has 1
 * to 65,535 bytes, none of them NUL, a control character or a blank. ERR_TOO_BIG, ERR_LIMIT. */
int store_add(
	struct store *, const struct store_page *, uint32_t *id, struct err_note *why) MUST_USE;
/* Reads a page: 1, or 0 where there is no such id. */
int store_page(struct store *, uint32_t id, struct store_page *out);
uint32_t store_pages(const struct store *);

/* --- hosts: "example.org" or "example.org:8080", lower case; below 64 KiB */
/* Finds a host or, as a writer, adds it. ERR_TOO_BIG, ERR_LIMIT. */
int store_host(
	struct store *, const char *name, size_t n, uint32_t *host, struct err_note *why) MUST_USE;
/* NULL where there is no such host. */
const char *store_host_name(struct store *, uint32_t host);
uint32_t store_hosts(const struct store *);

/* --- results: what became of a page; of several that were put the last counts */
struct store_result {
	uint8_t state;   /* enum page_state */
	uint8_t outcome; /* enum outcome */
	uint16_t status; /* HTTP */
	uint32_t target; /* of a redirect; of a page that was skipped, the one that it is taken for a
			    duplicate of; else STORE_NO_PAGE */
	uint32_t tries;
	uint64_t bytes;
	int64_t time; /* ms since 1970 */
	uint64_t digest[2];
	/* kept only beside a digest: hashes of what an HTML page says (parser/fingerprint.h,
	 * parser/simhash.h); 0: none */
	uint64_t gist, simhash;
	/* what a server can be asked again with, kept only beside a digest */
	int64_t modified;   /* its Last-Modified, s since 1970; 0: none */
	const char *etag;   /* etag_length bytes of its ETag, no NUL at their end */
	size_t etag_length; /* 0: none; at most STORE_ETAG_MAX */
};

#define STORE_ETAG_MAX 256

/* Writers only. ERR_TOO_BIG, ERR_LIMIT. */
int store_put_result(
	struct store *, uint32_t id, const struct store_result *, struct err_note *why) MUST_USE;
/* Reads the last result of a page: 1, or 0 where it has none. The first call goes through all results, later
 * ones through what came since: 4 bytes of memory a page. */
int store_result(struct store *, uint32_t id, struct store_result *out);

/* --- links of a crawled page, distinct, in document order; of several lists the last counts */
/* Writers only. `kinds` (parser/html.h) may be NULL: all 0. ERR_TOO_BIG, also for more than STORE_LINKS_MAX links;
 * ERR_LIMIT. */
int store_put_links(struct store *, uint32_t id, const uint32_t *links, const uint8_t *kinds,
	size_t n, struct err_note *why) MUST_USE;
/* Reads the links of a page and returns their number, 0 where it has none. *kinds becomes NULL where all are 0;
 * `kinds` may be NULL. The first call goes through all records, later ones through what came since: 4 bytes of
 * memory a page. */
size_t store_links(struct store *, uint32_t id, const uint32_t **links, const uint8_t **kinds);

/* --- the log */
enum log_kind {
	LOG_SESSION,    /* a run of the crawl began; time */
	LOG_SEED,       /* id; new */
	LOG_TAKE,       /* id */
	LOG_CRAWLED,    /* id; new */
	LOG_FAILED,     /* id, status, outcome */
	LOG_RETRY,      /* id, time: not before; status, outcome: tried, or put back */
	LOG_REFUSED,    /* id, outcome */
	LOG_REDIRECTED, /* id, target; new */
	LOG_POLICY,     /* the policy was swapped: `text` says to which */
	LOG_SITEMAP,    /* id: a sitemap that robots.txt named; queued like a seed, but none of the
	                   user's: scope is not told of it */
	LOG_SCOPE,      /* the scope was changed: `text` says to what, "name=value" with line feeds
	                   between */
	LOG_ADMITTED,   /* id: that change let it in, or it had failed and is tried again; queued like a seed */
	LOG_EXPELLED,   /* id, queued, outcome: why that change keeps it out */
	LOG_JUDGED,     /* id, outcome: found again by what the next entry tells of, and judged
	                   anew; OUTCOME_NONE: it belongs to the crawl now */
	LOG_KINDS
};

struct log_entry {
	enum log_kind kind;
	uint8_t outcome; /* enum outcome; where the kind has none: OUTCOME_NONE */
	uint16_t status;
	uint32_t id, target;
	/* new: the pages that the entry was the first to lead to are first_new and those behind it, n_new
	 * of them. store_log() counts them itself: those added since the entry before, of a SEED or
	 * SITEMAP only itself. STORE_NO_PAGE in n_new: a log of format 1, which does not tell. */
	uint32_t first_new, n_new;
	int64_t time; /* ms since 1970, where the kind has one */
	const char *text; /* POLICY, SCOPE: NUL-terminated; else NULL */
};

/* Writers only. Appends an entry; of its fields those count that its kind has. ERR_TOO_BIG. */
int store_log(struct store *, const struct log_entry *, struct err_note *why) MUST_USE;
/* Entries, those included that are not committed. */
uint64_t store_log_length(const struct store *);

struct store_log_cursor;
/* A cursor before the first entry. A writer's sees what is not committed, too, also what is written while it is
 * open. Free with store_log_stop(). */
struct store_log_cursor *store_log_start(struct store *);
/* Reads the next entry: 1, 0 at the end, or ERR_DAMAGED. */
int store_log_next(struct store_log_cursor *, struct log_entry *, struct err_note *why) MUST_USE;
void store_log_stop(struct store_log_cursor *);

/* --- robots.txt: what an origin ("https://example.org") said, so that it is not asked again while that
 * holds. A cache: what does not fit is not kept, what has expired goes when a store is opened to write. */
#define STORE_ROBOTS_TEXT ((size_t)512 << 10) /* bytes of one that is kept */
#define STORE_ROBOTS_MAX  ((size_t)64 << 20)  /* of all */

struct store_robots {
	const char *text;
	size_t n;
	int64_t expires; /* ms since 1970 */
};

/* Writers only. Keeps a text, in place of an earlier one; it can be read after the next commit. What is larger
 * than STORE_ROBOTS_TEXT, or finds no room within STORE_ROBOTS_MAX, is passed over: 0. ERR_TOO_BIG. */
int store_put_robots(struct store *, const char *origin, size_t n, const char *text, size_t text_n,
	int64_t expires, struct err_note *why) MUST_USE;
/* Reads what the last commit has of an origin: 1, or 0 where there is none that holds at `now` (ms since
 * 1970). */
int store_robots(
	struct store *, const char *origin, size_t n, int64_t now, struct store_robots *out);

/* --- by hand */
/* Prints text, sorted bytewise: for each page that was crawled, failed or was redirected a line "url TAB status TAB
 * digest" (32 hexadecimal digits, or "-"), for each link a line "url TAB url", its target being the end of its
 * redirects. There are no ids, times or order in it, so that two crawls of one site can be compared. Memory: 28
 * bytes a page. ERR_DAMAGED; ERR_FILE where it cannot be printed. */
int store_dump(struct store *, FILE *out, struct err_note *why) MUST_USE;

/* What store_verify() shows its progress on, which must outlive it; NULL: nothing. Its total is set then. */
void store_watch(struct store *, struct progress *);

/* Checks the invariants S1 to S11 of doc/formats.md, and tells each breach as a line. Returns the number of
 * breaches, or ERR_FILE where the disk cannot be read. */
int store_verify(struct store *, void (*tell)(void *ctx, const char *line), void *ctx,
	struct err_note *why) MUST_USE;

/* Whether a folder holds a store, of any version, sound or damaged. */
int store_is(const char *dir);

#endif
