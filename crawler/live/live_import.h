/* Makes a crawl of archives: the pages that stand in WARC, WAT and WACZ files of any program become pages of a crawl that is open,
 * as if it had fetched them in the order of the archives. Pages that are linked and not captured stay queued, so that the crawl can
 * go on.
 *
 *	live_new(&l, &settings, why), live_open(l, why);
 *	err = live_import(l, &files, threads, &counts, progress, why);
 *	live_close(l);
 *
 * Of several captures of a URL the last one counts; a revisit counts as the response that it repeats. A page to which no page
 * before it leads is a seed. The archived robots.txt of a site is kept as the crawl's, and is no page. */
#ifndef CRAWLER_LIVE_IMPORT_H
#define CRAWLER_LIVE_IMPORT_H

#include "base/progress.h"
#include "crawler/live/live.h"
#include "storage/warc_files.h"
#include "storage/warc_items.h"

struct import_counts {
	uint64_t records;    /* of all kinds */
	uint64_t captures;   /* of pages, robots.txt not included */
	uint64_t pages;      /* that were taken: crawled, redirected or failed */
	uint64_t crawled;    /* of these */
	uint64_t earlier;    /* captures of a page that was captured again later */
	uint64_t unresolved; /* revisits whose response is in none of the archives */
	uint64_t foreign;    /* captures whose URL is none of http or https */
	uint64_t packed;     /* responses whose bodies could not be unpacked */
	uint64_t known;      /* captures of pages that the crawl had ended before */
	uint64_t seen;       /* pages of the crawl, with those that are linked alone */
	struct warc_damage damage;
};

/* Appends what the archives have that is not in the crawl, each with "; " before it. It stands here for programs without a
 * crawler. */
static inline void import_tell_missing(const struct import_counts *n, struct buf *out)
{
	if (n->damage.places)
		buf_format(out, "; %llu damaged places of the archives were passed over; the first: %s",
			(unsigned long long)n->damage.places, n->damage.first.text);
	if (n->unresolved)
		buf_format(out, "; %llu revisits repeat responses that are in none of the archives",
			(unsigned long long)n->unresolved);
	if (n->packed)
		buf_format(out, "; %llu bodies are packed in a way that is not known, and have no links",
			(unsigned long long)n->packed);
}

/* Imports archives into a crawl after live_open(), which is not run afterwards. Commits what it has taken. The files are read by
 * `threads` threads, whose number changes no result, before the first page is taken. `progress` may be NULL. Returns 0; an error of
 * the store; ERR_FILE or ERR_FORMAT if an archive cannot be read or is none; or ERR_INTERRUPTED if the crawl was told to stop. */
int live_import(struct live *, const struct warc_files *, unsigned threads, struct import_counts *, struct progress *progress,
	struct err_note *why) MUST_USE;

/* Imports archives into the store in a folder, with its settings; a new store gets the default ones. Returns as live_import()
 * does. */
int live_import_to(const char *dir, const struct warc_files *, unsigned threads, struct import_counts *,
	struct err_note *why) MUST_USE;

#endif
