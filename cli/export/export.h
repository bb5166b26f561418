/* The tables of an export: the pages, links, hosts and changes of a store, those that a filter takes.
 *
 *	struct export x = {.store = store, .filter = &filter, .out = writer, .progress = &progress};
 *	err = export_facts_read(&x.facts, store, EXPORT_FACTS_ALL, why);
 *	if (!err) err = export_pages(&x, why);
 *	export_release(&x);
 *
 * The store may be one that is being crawled: every EXPORT_BATCH pages an export lets go of it, and only then writes. */
#ifndef CLI_EXPORT_EXPORT_H
#define CLI_EXPORT_EXPORT_H

#include "base/progress.h"
#include "cli/export/export_filter.h"
#include "cli/export/export_table.h"
#include "refresh/rates.h"
#include "storage/store.h"

/* --- the facts of a store's pages that no single record has: they are gathered from the log and from all links.
 * Memory: 19 bytes for each page, and 8 for each host. */

struct export_facts {
	uint32_t pages;
	uint8_t *refusal;      /* by page: see endings_refusals() */
	uint8_t *is_seed;      /* by page; NULL, as the arrays below, if they were not asked for */
	uint32_t *found_on;    /* the page by whose links or redirect it was discovered; STORE_NO_PAGE: none, or not known */
	uint32_t *crawl_order; /* 1 for the page that was crawled first; 0: not crawled */
	uint32_t *linked_from; /* the number of crawled pages that link to it */
	uint32_t *links;       /* the number of its own links; 0 if it has not been crawled */
	uint8_t *made_up;      /* by page: lycosa made up its address (traps/sinks.h) */
	int has_visits;        /* 1: pages were visited again */
	struct rates rates;    /* of the hosts, if has_visits, as a crawl that visits pages again estimates them */
};

enum export_facts_part { EXPORT_FACTS_REFUSALS, EXPORT_FACTS_ALL };

/* Gathers the facts of a store that is open for reading. It lets go of the store from time to time. Returns 0 or
 * ERR_DAMAGED; the caller calls export_release() in each case. */
int export_facts_read(struct export_facts *, struct store *, enum export_facts_part, struct err_note *why) MUST_USE;

/* --- the tables */

#define EXPORT_BATCH 4096 /* pages */

struct export
{
	struct store *store; /* open for reading */
	const struct export_filter *filter;
	struct table_writer *out;
	struct progress *progress;
	struct export_facts facts;
	uint64_t looked_at, rows; /* pages, rows of the current table */
	struct buf usage;         /* of the current row of pages */
};

/* One page that the filter takes. Texts are the store's. */
struct export_page {
	uint32_t id;
	struct store_page page;
	const char *host;
	struct ending ending;
	int has_result;
	struct result result; /* only if has_result */
};

/* Writes the table `pages`, `links`, `hosts` or `changes`. export_pages() needs all facts, the others the refusals. What later
 * visits have found is as of the moment at which the page is read. Returns 0, ERR_DAMAGED or ERR_FILE. */
int export_pages(struct export *, struct err_note *why) MUST_USE;
int export_links(struct export *, struct err_note *why) MUST_USE;
int export_hosts(struct export *, struct err_note *why) MUST_USE;
int export_changes(struct export *, struct err_note *why) MUST_USE;

/* Frees the facts. */
void export_release(struct export *);

/* Calls each() for every page that the filter takes, by id, and lets go of the store and writes between batches. Stops at
 * the first value other than 0, and returns it. For the files of this folder. */
int export_each(struct export *, int (*each)(struct export *, const struct export_page *, void *ctx, struct err_note *why),
	void *ctx, struct err_note *why) MUST_USE;

/* --- cells of several tables */

#define EXPORT_TIME_ROOM   32
#define EXPORT_HASH_ROOM   17
#define EXPORT_DIGEST_ROOM 33

/* Returns a time (ms since 1970) as "2026-11-22T08:30:00.125Z", in `text`; missing for 0. */
struct cell export_time_cell(int64_t ms, char text[EXPORT_TIME_ROOM]);

/* Returns a time in seconds since 1970 in the same form. */
struct cell export_seconds_cell(int64_t seconds, char text[EXPORT_TIME_ROOM]);

/* Returns a digest as 32 hexadecimal digits, in `text`; missing for 0. */
struct cell export_digest_cell(const uint64_t digest[2], char text[EXPORT_DIGEST_ROOM]);

/* Returns the URL of a page, which belongs to the store; missing for STORE_NO_PAGE. */
struct cell export_url_cell(struct export *, uint32_t id);

/* Returns a hash as 16 hexadecimal digits, in `text`; missing for 0. */
struct cell export_hash_cell(uint64_t hash, char text[EXPORT_HASH_ROOM]);

#endif
