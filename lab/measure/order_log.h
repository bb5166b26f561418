/* The logs of crawlers and web servers, read as the order in which pages were fetched.
 *
 *	order_log_open(&log, "wget.log", NULL, why);                     the format is told from the content
 *	while ((got = order_log_next(log, &entry, why)) > 0)
 *		... entry.fate, entry.url ...
 *	order_log_close(log);
 *
 * The files may contain any bytes. Memory: one line, except for Nutch's crawl database, which is sorted by time. */
#ifndef LAB_MEASURE_ORDER_LOG_H
#define LAB_MEASURE_ORDER_LOG_H

#include "base/err.h"

#include <stdint.h>

enum order_fate {
	ORDER_FETCHED,
	ORDER_REDIRECTED, /* the answer was a redirect; its target, if it was fetched, has an entry of its own */
	ORDER_FAILED,     /* no answer, or one with an error */
	ORDER_TAKEN_BACK  /* the page of an earlier entry, which the log then called fetched, has failed */
};

/* A page as the log names it: by the id of a node, by a URL, or by both. The texts belong to the log and are valid until the
 * next call. */
struct order_entry {
	const char *id;  /* digits; NULL where there is none */
	const char *url; /* NULL where there is none; without scheme and host, so that it begins with '/', if the log has none */
	enum order_fate fate;
};

struct order_log;

/* The names of the formats, in the order in which they are tried, with a word about each:
 *
 *   wget       the messages of wget, also those of -nv
 *   wget2      the messages of wget2
 *   httrack    HTTrack's hts-cache/new.txt
 *   scrapy     Scrapy's log at level DEBUG
 *   heritrix   Heritrix' crawl.log
 *   nutch      Nutch's log, with a line "fetching URL" a page
 *   readdb     what `nutch readdb -dump` prints, by the time of the last fetch
 *   access     a web server's access log: common, combined, with or without the host in front
 *   serve      the log of `lycosa serve --log`
 *   list       a line a page: id, URL, or id TAB anything; '#' begins a comment
 *   warc       a WARC file: its responses, in the order of the file */

/* Returns the name of format i, or NULL beyond the last. */
const char *order_format_named(size_t i);

/* Opens a log; "-" is stdin, and compressed files are read, too. `format` is one of the names above, or NULL: the format is then
 * the one that finds most pages in the first lines. A WARC from stdin has to be named. Returns 0; ERR_USAGE for an unknown
 * format; ERR_FORMAT if no format finds a page in the first lines; ERR_NOTHING for an empty file; or ERR_FILE. */
int order_log_open(struct order_log **, const char *path, const char *format, struct err_note *why) MUST_USE;

/* Closes a log. NULL is allowed. */
void order_log_close(struct order_log *);

/* Reads the next entry. Returns 1, or 0 at the end; ERR_FORMAT for a line of a list that is neither an id nor a URL, or for a
 * damaged file; ERR_TOO_BIG for a line of more than INPUT_LINE_MAX bytes; or ERR_FILE. */
int order_log_next(struct order_log *, struct order_entry *, struct err_note *why) MUST_USE;

/* Returns the name of the format. */
const char *order_log_format(const struct order_log *);

#endif
