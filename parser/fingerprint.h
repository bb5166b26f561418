/* The fingerprint of a page: a hash of its text that stays the same where a program prints the same
 * text once more under another URL: another day of a calendar without an entry, a page under another
 * session id, an error message that repeats the URL that was asked for. Pages of one fingerprint are
 * near-duplicates.
 *
 *	const struct fingerprint f = fingerprint_html(body, n, url, url_length);
 *	if (f.words >= FINGERPRINT_LEAST)
 *		... two pages of one f.hash are near-duplicates */
#ifndef PARSER_FINGERPRINT_H
#define PARSER_FINGERPRINT_H

#include <stddef.h>
#include <stdint.h>

struct fingerprint {
	uint64_t hash; /* 0 for a page without words */
	size_t words;  /* words and pictures that are part of the hash */
};

/* A page of fewer words says too little to be told from another by its fingerprint. */
#define FINGERPRINT_LEAST 6

/* The fingerprint of an HTML document. Its words count without regard to case; tags, scripts and styles do not,
 * but for pictures, films and frames, whose tags count as they stand: albums differ in nothing else.
 * Words that do not count:
 * - those of the URL, and numbers equal to one of the URL's;
 * - those that look drawn at random: FINGERPRINT_DRAWN digits, or letters and digits mixed;
 * - years (1900 to 2199), and numbers that look like part of a date or a time: a number below 60 that
 *   stands beside a month's name or a number greater or less by one, as in a calendar's table, or that
 *   only a '/' or '-' parts from another, neither of them 0, or a ':', of which FINGERPRINT_CLOCKS do
 *   not count: a page of more is a timetable, or tells how matches ended;
 * - a number next to one of the URL's, at most 100 greater than one of 60 or more, or that tells the
 *   place of a list's page: 991 to 1000 where the URL has page 100, or begins at 990;
 * - numbers that change from view to view: beside readers ("visitors", "online", "hits" and the like),
 *   before a unit of time, "0.0123", and seconds or milliseconds since 1970;
 * - pictures of which one side is 0 or 1 pixels: they count readers.
 * Behind FINGERPRINT_WORDS words the rest of the document counts as it stands, to the byte.
 * Time: linear; pure. */
#define FINGERPRINT_DRAWN  16
#define FINGERPRINT_WORDS  300
#define FINGERPRINT_CLOCKS 8
struct fingerprint fingerprint_html(
	const char *bytes, size_t n, const char *url, size_t url_length);

#endif
