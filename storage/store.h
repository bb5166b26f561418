/* The store of a crawl: a folder with one LMDB environment. The only LMDB user.
 *
 * It knows pages by dense ids 0, 1, 2 ... in the order of their discovery, and holds: the URL of
 * each (and back), its host, depth and whether scope refused it; what became of it; the links of
 * each crawled page in document order; the log of the crawl, every event that the policy saw in
 * order; and what the crawl was asked to do. doc/formats.md has every key and value.
 *
 * Writing: one writer a store, kept by a lock that dies with its process. Everything since the
 * last store_commit() stands or falls together: a crash or a power failure leaves the store as it was
 * when the last store_commit() returned.
 * What is not committed lies in memory, so commit every few thousand pages; more than
 * STORE_BATCH_MAX bytes are refused with ERR_TOO_BIG until it is committed. A commit that fails
 * changes nothing: it may be tried again. The map grows by itself.
 *
 * A reader sees the last commit before its opening, for as long as it is open; meanwhile the
 * writer cannot use again the room that later commits free. A process has one handle on a store at
 * a time (LMDB's rule; a reader beside its own writer is ERR_BUSY). One thread uses a handle.
 *
 * Errors: ERR_FILE (folder, disk full, no store), ERR_BUSY (another writer; its pid is in the
 * note), ERR_DAMAGED, ERR_NEWER (written by a later format), ERR_TOO_BIG, ERR_LIMIT (2^32 - 1
 * pages). A handle that writes has checked all URLs at its opening; what returns 0 for "none"
 * returns it for a damaged record as well, and store_verify() tells which. */
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

int store_open(struct store **, const char *dir, enum store_mode, struct err_note *why) MUST_USE;
/* Drops what is not committed. */
void store_close(struct store *);
int store_commit(struct store *, struct err_note *why) MUST_USE;
/* Pages, results, links and log entries written since the last commit. */
uint64_t store_uncommitted(const struct store *);

/* --- what the crawl was asked to do: short texts by name ("policy", "batch", "scope") */
int store_set(struct store *, const char *name, const char *text, struct err_note *why) MUST_USE;
/* NULL where there is none; the store's until the next call. */
const char *store_get(struct store *, const char *name);

/* --- pages */
struct store_page {
	const char *url; /* canonical; NUL-terminated; the store's until the next write or commit */
	size_t url_length;
	uint32_t host;
	uint16_t depth; /* links from a seed when first seen */
	uint8_t refusal; /* enum outcome: why scope or a trap refused it at its discovery; 0: none did */
};

/* The page of a URL: 1 and *id, or 0. In memory (12 bytes a page) but for one look at the store,
 * which decides. A handle to read hashes all URLs at the first call. */
int store_find(struct store *, const char *url, size_t n, uint32_t *id);
/* Adds a page not yet there (asserted); its id is store_pages() before. The URL: 1 to 65,535 bytes,
 * none a NUL, control character or blank. */
int store_add(
	struct store *, const struct store_page *, uint32_t *id, struct err_note *why) MUST_USE;
int store_page(struct store *, uint32_t id, struct store_page *out); /* 1, or 0: no such id */
uint32_t store_pages(const struct store *);

/* --- hosts: "example.org" or "example.org:8080", lower case; below 64 KiB */
/* Finds or adds. */
int store_host(
	struct store *, const char *name, size_t n, uint32_t *host, struct err_note *why) MUST_USE;
const char *store_host_name(struct store *, uint32_t host); /* the store's until closed */
uint32_t store_hosts(const struct store *);

/* --- what became of a page: the last that was put */
struct store_result {
	uint8_t state;   /* enum page_state */
	uint8_t outcome; /* enum outcome */
	uint16_t status; /* HTTP */
	uint32_t target; /* of a redirect, else STORE_NO_PAGE */
	uint32_t tries;
	uint64_t bytes;
	int64_t time; /* ms since 1970 */
	uint64_t digest[2];
	/* kept only beside a digest: hashes of what an HTML page says (parser/fingerprint.h,
	 * parser/simhash.h); 0: none */
	uint64_t gist, simhash;
	/* what a server can be asked again with, kept only beside a digest */
	int64_t modified;   /* its Last-Modified, s since 1970; 0: none */
	const char *etag;   /* etag_length bytes of its ETag, no NUL at their end; read: the store's
			     until the next call */
	size_t etag_length; /* 0: none; at most STORE_ETAG_MAX */
};

#define STORE_ETAG_MAX 256

int store_put_result(
	struct store *, uint32_t id, const struct store_result *, struct err_note *why) MUST_USE;
/* 1 or 0. The first call goes through all results, later ones through the new: 4 bytes a page. */
int store_result(struct store *, uint32_t id, struct store_result *out);

/* --- links of a crawled page, in document order, distinct; kinds may be NULL: all 0. More than
 * STORE_LINKS_MAX are ERR_TOO_BIG. */
int store_put_links(struct store *, uint32_t id, const uint32_t *links, const uint8_t *kinds,
	size_t n, struct err_note *why) MUST_USE;
/* Their number, the arrays being the store's until the next call; `kinds` may be NULL, and *kinds
 * is NULL where all are 0. For a page without a record 0. The first call goes through all records:
 * 4 bytes a page. */
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
	const char *
		text; /* POLICY, SCOPE: NUL-terminated, else NULL; when read, the store's until the next */
};

int store_log(struct store *, const struct log_entry *, struct err_note *why) MUST_USE;
uint64_t store_log_length(const struct store *);

struct store_log_cursor;
/* From the first entry; includes what is not committed where the handle is the writer. */
struct store_log_cursor *store_log_start(struct store *);
/* 1 and *entry, 0 at the end, or ERR_DAMAGED. */
int store_log_next(struct store_log_cursor *, struct log_entry *, struct err_note *why) MUST_USE;
void store_log_stop(struct store_log_cursor *);

/* --- robots.txt: what an origin ("https://example.org") said, so that it is not asked again while that
 * holds. A cache: what does not fit is not kept, what has expired goes when a store is opened to write. */
#define STORE_ROBOTS_TEXT ((size_t)512 << 10) /* bytes of one that is kept */
#define STORE_ROBOTS_MAX  ((size_t)64 << 20)  /* of all */

struct store_robots {
	const char *text; /* the store's until the next commit */
	size_t n;
	int64_t expires; /* ms since 1970 */
};

/* Replaces what is kept of the origin, with the next commit. ERR_TOO_BIG as all that writes. */
int store_put_robots(struct store *, const char *origin, size_t n, const char *text, size_t text_n,
	int64_t expires, struct err_note *why) MUST_USE;
/* What the last commit has of the origin, where it holds at `now` (ms since 1970): 1, or 0. */
int store_robots(
	struct store *, const char *origin, size_t n, int64_t now, struct store_robots *out);

/* --- by hand */
/* Sorted text: a line a crawled, failed or redirected page "url TAB status TAB digest", a line a
 * link "url TAB url", the target being the end of its redirects; sorted bytewise; no ids, times or order, so that two crawls of one site
 * compare. The digest is 32 hexadecimal digits, or "-". Memory: 28 bytes a page. */
int store_dump(struct store *, FILE *out, struct err_note *why) MUST_USE;

/* What a store_verify() to come shows its progress on: its total is set then. Borrowed; NULL: none. */
void store_watch(struct store *, struct progress *);

/* Checks the invariants (doc/formats.md numbers them); each breach is told as a line. Returns the
 * number of breaches, or an error where the store cannot be read on. */
int store_verify(struct store *, void (*tell)(void *ctx, const char *line), void *ctx,
	struct err_note *why) MUST_USE;

/* Whether `dir` holds a store (of any version, or damaged). */
int store_is(const char *dir);

#endif
