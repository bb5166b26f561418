/* The captures of archives, with their pages parsed. Parts of the files are read side by side, by several threads; what they find
 * is kept in a temporary file, and given back in the order of the archives.
 *
 *	err = captures_read(&c, &settings, &files, why);
 *	while (!err && (got = captures_next(c, &capture, why)) > 0)
 *		... capture.url, capture.page ...
 *	captures_free(c);
 *
 * The parts have the same borders for any number of threads, and so everything has the same order.
 * Deviation: how many sitemaps and feeds of an origin are read, and which sitemaps its robots.txt announces, is known within a part
 * of CAPTURES_PART bytes, and not, as to a crawl, from its beginning on. */
#ifndef CRAWLER_CAPTURES_H
#define CRAWLER_CAPTURES_H

#include "base/progress.h"
#include "fetch/captured.h"
#include "storage/warc_capture.h"
#include "storage/warc_files.h"

#include <signal.h>

#define CAPTURES_PART (UINT64_C(64) << 20)

struct captures_settings {
	const struct fetch_settings *fetch; /* as for captured_new() */
	unsigned rules;                     /* of parser/url_rules.h, for the URLs of the captures */
	const char *folder;                 /* of the temporary file */
	unsigned threads;                   /* >= 1 */
	const volatile sig_atomic_t *stop;  /* a signal sets it; NULL: none does */
	struct progress *progress;          /* NULL: none is shown */
	uint64_t part;                      /* bytes of a part; 0: CAPTURES_PART */
};

struct captures_counts {
	uint64_t records; /* of all kinds */
	uint64_t foreign; /* captures whose URL is none of http or https */
	uint64_t packed;  /* responses in a coding that capture_decode() does not know, which are taken as they are */
	struct warc_damage damage;
};

struct captures_one {
	int is_revisit;
	int is_robots;   /* of a robots.txt */
	int is_last;     /* 1: of the captures of its URL the one that counts: the last one but for revisits that repeat it */
	const char *url; /* canonical, url_n bytes and a NUL */
	size_t url_n;
	int64_t time;            /* ms since 1970; 0: unknown */
	const uint64_t *names;   /* by which captures_response() finds the response that a revisit repeats */
	struct fetch_page *page; /* where is_last; NULL of a revisit and of a robots.txt */
	const char *robots; /* the text of a robots.txt, robots_n bytes; NULL if it had another status than 200, or is a revisit */
	size_t robots_n;
};

struct captures;

/* Reads the archives; `counts` are complete afterwards. Returns 0; ERR_FILE or ERR_FORMAT if an archive cannot be read or is none,
 * or if the temporary file cannot be written; or ERR_INTERRUPTED. The caller calls captures_free() in each case. */
int captures_read(struct captures **, const struct captures_settings *, const struct warc_files *, struct captures_counts *counts,
	struct err_note *why) MUST_USE;

/* Gives the next capture, which is valid until the next call. Returns 1, 0 at the end, or ERR_FILE. */
int captures_next(struct captures *, struct captures_one *, struct err_note *why) MUST_USE;

/* Makes *answer that in a capture, whose body is put into *body. What the arguments point to must outlive the answer. Returns as
 * capture_decode() does. */
int captures_answer(const struct capture *, const struct url *, int64_t time, struct buf *body, struct captured_answer *answer);

/* Fills in the response that a revisit repeats, with its block: that with the digest of its payload, or else with the record, the
 * URL and the second, or the URL that the revisit names. Of several the one that is the last by its date counts. Returns 1, or 0 if
 * none of the archives has one that can be found again. */
int captures_response(struct captures *, const uint64_t *names, struct capture *);

/* Frees the memory. NULL is allowed. */
void captures_free(struct captures *);

#endif
