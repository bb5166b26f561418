/* The store of a crawl: a folder with the discovered pages, their results, and the log of all events. It is one
 * LMDB environment, which only the files of storage/ know; doc/formats.md describes every key and value.
 *
 * A page has an id 0, 1, 2 ... in the order of discovery. For each page the store has its URL (and an index from
 * URLs to pages), its host, its depth, and the reason if scope or a trap refused it at its discovery; its last
 * result; and, if it was crawled, its links in document order. The store also has the log, which is the sequence
 * of all events that the policy saw; the settings of the crawl; and the robots.txt of each origin until it expires.
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
 *     store_drop(s);              or, after reading: err = store_close(s, err, &why)
 *
 * Writing. A store has one writer, which holds a lock that ends with its process. Records that are written lie in
 * memory, where the writer can read them at once, until store_commit() puts all of them on the disk. A commit that
 * returned 0 survives every crash and power failure. A commit that fails changes nothing and may be tried again.
 * store_drop() discards records that are not committed. A writer should commit every few thousand pages: calls that
 * write fail with ERR_TOO_BIG when STORE_BATCH_MAX bytes are not committed.
 *
 * Reading. A reader sees the commit that was the last one when the reader opened the store. As long as the reader is
 * open, the file grows, since the writer cannot reuse the pages that the reader may read; a reader that takes long
 * calls store_let_go() from time to time. A process has one handle on a store at a time (LMDB requires it), and one
 * thread uses a handle.
 *
 * Lifetimes. Memory that a call returns by pointer belongs to the store. It is valid
 *   - until store_page() has read STORE_URLS_HELD other pages: the URL of a page;
 *   - until the next call that writes, the next commit or store_let_go(): ETags and other texts of a result,
 *     settings, a robots.txt;
 *   - until the next store_links() or store_anchor(): links, kinds and anchor texts;
 *   - until the next store_log_next() of the cursor: the text and the letter of an entry;
 *   - until the next call about a host: its name.
 * Memory that the caller passes in is borrowed for the call.
 *
 * Errors. Each call below lists the errors it can return, by these names:
 *   ERR_FILE     there is no store; permission is missing; the disk is full or fails (EIO); the file was removed;
 *                or a writer opened a store of format 1, which can only be read
 *                (a store of format 2, 3 or 4 becomes one of format 5 by the first commit)
 *   ERR_BUSY     another process (the note has its id) or this one has the store open for writing
 *   ERR_DAMAGED  the file is not a sound store, or a checksum is wrong
 *   ERR_NEWER    a later version of this program or of LMDB wrote the store
 *   ERR_TOO_BIG  a record, or the next commit, would exceed its limit
 *   ERR_LIMIT    the store is full: it has 2^32 - 1 pages, hosts, results or records of links
 *   ERR_MEMORY   there is not enough address space
 * Damage that the disk does to the file of a writer after the opening is found when a value is read for the first time: it counts
 * as not found, and no commit succeeds any more. */
#ifndef STORAGE_STORE_H
#define STORAGE_STORE_H

#include "base/err.h"
#include "base/result.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define STORE_FORMAT      6
#define STORE_NO_PAGE     UINT32_MAX
#define STORE_URLS_HELD   8                 /* how many pages' URLs are valid at once */
#define STORE_BATCH_MAX   ((size_t)1 << 30) /* bytes of one commit */
#define STORE_EXPECT_MOST 16                /* URLs of one store_expect() */
#define STORE_LINKS_MAX   (1u << 20)        /* links of a page */
#define STORE_NAME_MAX    64                /* bytes of a setting's name */
#define STORE_TEXT_MAX    65535u            /* bytes of a setting, or of a text in the log */
#define STORE_LETTER_MAX  ((size_t)1 << 20) /* bytes of a letter between agents, in the log */

enum store_mode {
	STORE_READ,
	STORE_WRITE,   /* a store that is missing is created */
	STORE_SETTINGS /* for reading, without pages, hosts, results, links and log, which are not checked */
};

struct progress;

/* A store all of whose values have been checked: there is no other way to one than through store_open(), and none to a record but
 * through a store. */
struct store;

/* Opens the store in a folder, and checks all of it: every value fits its checksum. So the calls below find no damage, and nothing
 * is built on any. (A record that fits its checksum, and still cannot be decoded, is one that no lycosa has written: store_close()
 * tells of it. The records of format 1, which has no checksums, are all decoded.) STORE_WRITE creates the folder and the store if
 * they are missing, and reads all URLs to index them (12 bytes of memory for each page). The other modes work without permission to
 * write as long as no process writes the store. Returns 0, or ERR_FILE, ERR_BUSY, ERR_DAMAGED, ERR_NEWER or ERR_MEMORY; *out is
 * NULL after an error, which has changed nothing in the store. Cost: the file is read once; doc/store.md has figures. */
int store_open(struct store **, const char *dir, enum store_mode, struct err_note *why) MUST_USE;

/* Closes a store that was read. Returns `err` if that is not 0; or ERR_DAMAGED or ERR_FILE with a note if a record could not be
 * read since the opening, so that what the calls have told is not all that the store has; or 0. NULL is allowed. */
int store_close(struct store *, int err, struct err_note *why) MUST_USE;

/* Closes a store of which nothing is used any more that was read, and discards everything that is not committed. NULL is
 * allowed. */
void store_drop(struct store *);

/* Decodes every record of a store that is open for reading, for callers who have no way to fail when they close it. Returns 0,
 * ERR_DAMAGED or ERR_FILE. Cost: as much as opening the store. */
int store_decode(struct store *, struct err_note *why) MUST_USE;

/* Lets a writer reuse the parts of the file that this reader holds. The reader sees the same records as before: records are
 * only ever added, and the reader does not look at records that came after its opening. Readers only. The next call
 * that reads takes hold of the file again. Memory that calls have returned by pointer becomes invalid (see
 * Lifetimes). Returns 0, or an error of reading. */
int store_let_go(struct store *, struct err_note *why) MUST_USE;

/* Commits everything that has been written since the last commit. Writers only. Returns 0; ERR_FILE, after which the caller may try
 * again when the disk has room; or ERR_TOO_BIG, ERR_MEMORY, or ERR_DAMAGED, also if a value could not be read before. The call
 * costs nothing if nothing was written. */
int store_commit(struct store *, struct err_note *why) MUST_USE;

/* --- the settings of the crawl: short texts by name ("policy", "batch", "scope") */

/* Sets a setting. Writers only. store_get() returns the new text at once; the next commit makes it permanent. Returns 0;
 * or ERR_TOO_BIG if the text has more than STORE_TEXT_MAX bytes, or if there are 1,024 settings already. */
int store_set(struct store *, const char *name, const char *text, struct err_note *why) MUST_USE;

/* Returns the text of a setting, or NULL if it is not set. The text is valid until the setting is set again. */
const char *store_get(struct store *, const char *name);

/* --- pages */
struct store_page {
	const char *url; /* canonical; NUL-terminated; see Lifetimes */
	size_t url_length;
	uint32_t host;
	uint16_t depth;  /* the number of links from a seed, along the path by which it was discovered */
	uint8_t refusal; /* enum outcome: why scope or a trap refused it at its discovery; 0: neither did */
};

/* Looks up a URL of n bytes. Returns 1 with its page in *id, or 0. A reader builds the index of URLs at its first call,
 * which takes 12 bytes of memory for each page. */
int store_find(struct store *, const char *url, size_t n, uint32_t *id) MUST_USE;

/* A URL of n bytes. */
struct store_text {
	const char *at;
	size_t n;
};

/* Fetches the memory that store_find() of n URLs will read, n <= STORE_EXPECT_MOST, for all of them at once. It changes no result;
 * in a store that is larger than the processor's caches, the searches that follow wait less. */
void store_expect(struct store *, const struct store_text *urls, size_t n);

/* Adds a page whose URL the store does not have yet (asserted). Writers only. The URL has 1 to 65,535 bytes, without
 * NULs, control characters and blanks. Returns 0 with the new page's *id, or ERR_TOO_BIG or ERR_LIMIT. */
int store_add(struct store *, const struct store_page *, uint32_t *id, struct err_note *why) MUST_USE;

/* Reads a page. Returns 1, or 0 if there is no page with this id. */
int store_page(struct store *, uint32_t id, struct store_page *out) MUST_USE;

/* Returns the number of pages; ids are below it. */
uint32_t store_pages(const struct store *);

/* Says whether the log tells how the crawl came to its state. That of format 1, the first, does not tell all, so no crawl goes on
 * with it and none is shown; the pages, links and results of such a store are read as those of any other. */
int store_log_is_whole(const struct store *);

/* --- hosts: "example.org" or "example.org:8080", in lower case, shorter than 64 KiB */

/* Finds the number of a host. A writer adds the host if the store does not have it. Returns 0, or ERR_TOO_BIG or
 * ERR_LIMIT. */
int store_host(struct store *, const char *name, size_t n, uint32_t *host, struct err_note *why) MUST_USE;

/* Finds the number of a host that the store has. Returns 1, or 0 if it does not have the host. */
int store_find_host(struct store *, const char *name, size_t n, uint32_t *host) MUST_USE;

/* Returns the name of a host, valid until the next call of this function, store_host() or store_find_host(), or NULL if there is no
 * such host. */
const char *store_host_name(struct store *, uint32_t host);

/* Returns the number of hosts. */
uint32_t store_hosts(const struct store *);

/* --- results: how a page ended; if several were written for a page, the last one counts. The store keeps of a struct result:
 * state, outcome, status, target (of a redirected page, the target; of a skipped page, the page that it is taken for a duplicate
 * of), tries, bytes, the time of its end since 1970, score, and type, language and title. If the page has a digest, it keeps that,
 * too, with fingerprint, simhash and validators, whose ETag has at most STORE_ETAG_MAX bytes. */

#define STORE_ETAG_MAX 256

/* Writes a result of a page, whatever id it says. Writers only. Returns 0, ERR_TOO_BIG or ERR_LIMIT. */
int store_put_result(struct store *, uint32_t id, const struct result *, struct err_note *why) MUST_USE;

/* Reads the last result of a page: the id, the fields above, in ms since 1970 (`started` and `not_before` are `ended`), and no NULL
 * in place of a text; all other fields are 0. Returns 1, or 0 if the page has none. The first call reads all results to index
 * them, which takes 4 bytes of memory for each page. */
int store_result(struct store *, uint32_t id, struct result *out) MUST_USE;

/* --- links of a crawled page, distinct, in document order; if several lists were written, the last one counts */

/* Writes the links of a page. Writers only. `kinds` has n bytes (enum link_kind of parser/html.h, with flags), or is
 * NULL if all are 0. `anchors` has n anchor texts one behind the other, each shorter than LINK_ANCHOR and with its NUL, or is NULL
 * if all are "". Returns 0; ERR_TOO_BIG, also if n > STORE_LINKS_MAX; or ERR_LIMIT. */
int store_put_links(struct store *, uint32_t id, const uint32_t *links, const uint8_t *kinds, const char *anchors, size_t n,
	struct err_note *why) MUST_USE;

/* Reads the links of a page and returns their number, which is 0 if the page has none. *links and *kinds are valid until
 * the next store_links(); *kinds is NULL if all kinds are 0. A caller that needs no kinds passes NULL. The first
 * call reads all links to index them, which takes 4 bytes of memory for each page. */
size_t store_links(struct store *, uint32_t id, const uint32_t **links, const uint8_t **kinds) MUST_USE;

/* Reads the links that stand on the page, for all who ask what the Web looks like: those of store_links() but for one to an address
 * that lycosa has made up (traps/sinks.h), which is the last of its page. Only who repeats what the crawl did calls
 * store_links(). */
size_t store_web_links(struct store *, uint32_t id, const uint32_t **links, const uint8_t **kinds) MUST_USE;
/* Returns a byte for each page, which the caller frees: 1 if lycosa made up its address. Reads all links. */
uint8_t *store_made_up(struct store *);

/* Says whether a crawled page was read as a sitemap. */
int store_is_sitemap(struct store *, uint32_t id);
#define STORE_SITEMAP 6  /* the kind of the links of a sitemap: LINK_SITEMAP of parser/link_kind.h */
#define STORE_MADE_UP 15 /* the kind of that link: LINK_MADE_UP of parser/link_kind.h */

/* Returns the anchor text of link number `place` of a page, *n bytes with a NUL behind them, valid until the next store_links() or
 * store_anchor(); "" if there is no such link, or it has no text. The call reads the links of the page as store_links() does, if
 * they are not those that were read last. */
const char *store_anchor(struct store *, uint32_t id, size_t place, size_t *n);

/* --- the log. The comments name the fields of struct log_entry that each kind has; the other fields are ignored. */
enum log_kind {
	LOG_SITTING,  /* time: a sitting began */
	LOG_SEED,     /* id, new: a page was queued as a seed */
	LOG_TAKE,     /* id, and text, the rule by which the policy chose it, if it was not by its key: the frontier's best page was
			taken from the queue */
	LOG_CRAWLED,  /* id, new */
	LOG_FAILED,   /* id, status, outcome */
	LOG_REQUEUED, /* id, status, outcome, time: the page was queued again, as `outcome` says why (for a retry, put back,
			   deferred, or aborted), and is not taken before `time` */
	LOG_REFUSED,  /* id, outcome */
	LOG_REDIRECTED, /* id, target, new */
	LOG_POLICY,     /* text: the policy was swapped for this one */
	LOG_SITEMAP,    /* id: a sitemap that robots.txt named was queued as a seed; unlike a seed of the user, it does
			   not widen the scope */
	LOG_SCOPE,      /* text: the scope was changed to this one, "name=value" with line feeds between */
	LOG_ADMITTED,   /* id: a page was queued as a seed, because a changed scope admits it, the user retries it, or
			   a trap detector no longer skips it */
	LOG_EXPELLED,   /* id, outcome: a queued page was removed, because the changed scope refuses it */
	LOG_JUDGED,     /* id, outcome: the event of the next entry leads to this refused page once more, and
			   scope judged it again; OUTCOME_NONE: the page now belongs to the crawl */
	LOG_VISITED,    /* id, new: a crawled page was visited again (storage/visits.h), and leads to pages that are new;
			   a visit that led to none has no entry */
	/* of a crawl that several agents make (agents/exchange.h) */
	LOG_POSTED,    /* agent, letter: this letter is to be sent to an agent; its number is the count of such entries */
	LOG_HEARD,     /* agent, letter, new: this letter came from an agent and was taken */
	LOG_ELSEWHERE, /* text: the counts of the other agents are "CRAWLED SEEN QUEUED" from now on */
	LOG_SHARES,    /* text: partitions have other owners from now on (crawler/agent/agent_shares.h) */
	LOG_ADOPTED,   /* id: an earlier owner of the page's partition took the page; the next end of the page is its. A page that
			   this store has crawled, or redirected, itself ends as it did then, without another entry */
	LOG_KINDS
};

struct log_entry {
	enum log_kind kind;
	uint8_t outcome; /* enum outcome; OUTCOME_NONE if the kind has none */
	uint16_t status;
	uint32_t id, target;
	/* "new" above: the n_new pages from first_new on were discovered by this entry. store_log() fills these two
	 * in: for SEED and SITEMAP with the page itself if it is new, for the other kinds with all pages that were
	 * added since the entry before. n_new is STORE_NO_PAGE in a log of format 1, which does not have them. */
	uint32_t first_new, n_new;
	int64_t time;       /* ms since 1970 */
	const char *text;   /* NUL-terminated; NULL if the kind has none */
	uint32_t agent;     /* its index in the roster (agents/roster.h) */
	const void *letter; /* letter_n bytes, at most STORE_LETTER_MAX */
	size_t letter_n;
};

/* Appends an entry. Writers only. Returns 0 or ERR_TOO_BIG. */
int store_log(struct store *, const struct log_entry *, struct err_note *why) MUST_USE;

/* Says whether everything that was written is committed. */
int store_is_committed(const struct store *);

/* Returns how many bytes are not committed: an estimate, which may be several times too high. They are in memory, and a commit
 * takes as much again. */
size_t store_uncommitted(const struct store *);

/* Returns the number of entries, with those that are not committed. */
uint64_t store_log_length(const struct store *);

/* Gives in *sum a hash of all entries of the log, with those that are not committed, by which two logs are told apart. Returns 1;
 * or 0 if the sum is not known, because no cursor has read the log to its end since the store was opened. */
int store_log_sum(const struct store *, uint64_t *sum);

/* A position in the log. */
struct store_log_cursor;

/* Returns a cursor before the first entry, to be freed with store_log_stop(). A writer's cursor also reads entries that
 * are not committed, and those that are appended while it is open. */
struct store_log_cursor *store_log_start(struct store *);

/* Reads the next entry. Returns 1, 0 at the end, ERR_NEWER for an entry of a kind that this version does not know, or ERR_DAMAGED.
 * The entry's text and letter are valid until the next call. */
int store_log_next(struct store_log_cursor *, struct log_entry *, struct err_note *why) MUST_USE;

/* Returns the number of entries before a cursor, their sum (as store_log_sum()) in *sum, and the number of pages that they have
 * led to in *pages. */
uint64_t store_log_told(const struct store_log_cursor *, uint64_t *sum, uint32_t *pages);

/* Frees a cursor. */
void store_log_stop(struct store_log_cursor *);

/* --- the robots.txt of an origin ("https://example.org"), kept so that a later sitting need not fetch it again before
 * it expires. The texts are a cache with bounds; opening a store for writing removes the texts that have expired. */
#define STORE_ROBOTS_TEXT ((size_t)512 << 10) /* the most bytes of one text */
#define STORE_ROBOTS_MAX  ((size_t)64 << 20)  /* the most bytes of all texts */

struct store_robots {
	const char *text;
	size_t n;
	int64_t expires; /* ms since 1970 */
};

/* Keeps the robots.txt of an origin of n bytes, in place of an earlier one. Writers only. store_robots() finds the text
 * after the next commit. Returns 0, also if the text is not kept because it exceeds one of the two bounds; or
 * ERR_TOO_BIG. */
int store_put_robots(struct store *, const char *origin, size_t n, const char *text, size_t text_n, int64_t expires,
	struct err_note *why) MUST_USE;

/* Reads the robots.txt of an origin as the last commit has it. Returns 1, or 0 if there is none or if it has expired by
 * `now` (ms since 1970). */
int store_robots(struct store *, const char *origin, size_t n, int64_t now, struct store_robots *out);

/* --- scrubbing. Committed chunks do not change, so a writer reads them without verifying them again. Who has time reads them once
 * more to learn early that the disk has damaged one: in rounds, from the first chunk to the last. */

struct store_scrub {
	uint64_t rounds;        /* that have ended, since the store was opened */
	uint64_t chunks, total; /* that were verified in this round, of so many */
};

#define STORE_SCRUBBED "scrubbed" /* the setting in which a commit says how far scrubbing was */

/* Verifies further chunks, of n bytes and a chunk more. Writers only. Returns 0; 1 at the end of a round; or ERR_DAMAGED or
 * ERR_FILE, and then no commit succeeds any more. */
int store_scrub(struct store *, size_t n, struct err_note *why) MUST_USE;

/* Says how far scrubbing is. */
struct store_scrub store_scrubbed(struct store *);

/* --- inspection */

/* Prints the store as lines of text that are sorted by bytes: a line "url TAB status TAB digest" for each page that was
 * crawled, has failed or was redirected (the digest is 32 hexadecimal digits, or "-"), and a line "url TAB url" for
 * each link, whose target is the end of the link's redirects. The lines contain no ids and no times, so that the dumps
 * of two crawls of one site can be compared. Memory: 28 bytes for each page, and its URL. Returns 0, ERR_DAMAGED, or ERR_RESULTS
 * if printing fails. */
int store_dump(struct store *, FILE *out, struct err_note *why) MUST_USE;

/* A line of a dump: `target` is NULL for a page, and a URL for a link, which has neither status nor digest. The digest is NULL if
 * the page has none. A result other than 0 ends the dump. */
struct store_dump_line {
	const char *url, *digest, *target;
	unsigned status;
};
typedef int store_dump_fn(void *ctx, const struct store_dump_line *);

/* Calls a function for each line of store_dump(), in the same order. Returns 0, ERR_DAMAGED, or the result of the function that was
 * not 0. */
int store_dump_each(struct store *, store_dump_fn *, void *ctx, struct err_note *why) MUST_USE;

/* Checks the invariants S1 to S12 of doc/formats.md, and calls `tell` with a line for each breach. Returns the number of breaches,
 * or ERR_FILE if the disk cannot be read. */
int store_verify(struct store *, void (*tell)(void *ctx, const char *line), void *ctx, struct err_note *why) MUST_USE;

/* A store that has not been checked, and may be damaged. It is no struct store, so that no record of it can be asked for:
 * it can be verified, and rebuilt (storage/store_merge.h). */
struct suspect;

/* Opens a store for reading without checking it. Returns as store_open() does; the errors are those of LMDB's trees and of the
 * format. */
int suspect_open(struct suspect **, const char *dir, struct err_note *why) MUST_USE;

/* Verifies a store as store_verify() does, and shows that on a struct progress, whose total it sets; NULL: nowhere. If there is no
 * breach, *sound is the store, the suspect's until it is dropped; else NULL. */
int suspect_verify(struct suspect *, struct progress *, void (*tell)(void *ctx, const char *line), void *ctx, struct store **sound,
	struct err_note *why) MUST_USE;

/* Closes the store. NULL is allowed. */
void suspect_drop(struct suspect *);

/* Makes the file of a store as small as its records allow, and puts the pages of each database behind one another: copies what is
 * in use, checks the copy, syncs it, and renames it. Whatever happens meanwhile, the folder has the whole store. Nobody may have
 * the store open; it takes as much room on the disk as the result. *before and *after are the sizes of the file in bytes. Returns
 * 0; ERR_BUSY if another process writes or reads the store; ERR_DAMAGED, ERR_NEWER or ERR_FILE. */
int store_compact(const char *dir, uint64_t *before, uint64_t *after, struct err_note *why) MUST_USE;

/* Says whether a folder contains a store: of any version, sound or damaged. */
int store_is(const char *dir);

#endif
