/* The gist of a page: a hash of what it says, which stays the same where a program prints the same
 * once more under another URL: another day without an entry, a page under another session id, an
 * error message that repeats what was asked for. */
#ifndef PARSER_GIST_H
#define PARSER_GIST_H

#include <stddef.h>
#include <stdint.h>

/* Of the words of a document, tags, scripts and styles left out, and of its pictures, films and
 * frames, which are what differs in albums: their tags count as they stand. No words are those of the
 * URL, numbers that may be days, hours or years (below 60, or from 1000 to 2999), and what looks
 * drawn: GIST_DRAWN letters and digits mixed. Without regard to case. 0 where nothing is left.
 * Time: linear; pure. */
#define GIST_DRAWN 16
uint64_t gist_html(const char *bytes, size_t n, const char *url, size_t url_length);

#endif
