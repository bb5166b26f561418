/* The gist of a page: a hash of what it says, which stays the same where a program prints the same
 * once more under another URL: another day without an entry, a page under another session id, an
 * error message that repeats what was asked for. */
#ifndef PARSER_GIST_H
#define PARSER_GIST_H

#include <stddef.h>
#include <stdint.h>

/* Of the words of a document, tags, scripts and styles left out, and of its pictures, films and
 * frames, which are what differs in albums: their tags count as they stand. Without regard to case. 0
 * where nothing is left. No words are:
 * - those of the URL, and numbers equal to one of the URL's;
 * - what looks drawn: GIST_DRAWN digits, or letters and digits mixed;
 * - years (1900 to 2199), and what looks like part of a date or a time: a number below 60 that stands
 *   beside a month's name or a number greater or less by one, as in a calendar's table, or that
 *   only a ':', '/' or '-' parts from another, or that is a URL's number and one more or less;
 * - what stands behind "0.": seconds that it took.
 * After GIST_WORDS words the rest counts as it stands, to the byte: copies of long pages are told by
 * their first words only where nothing differs behind. Time: linear; pure. */
#define GIST_DRAWN 16
#define GIST_WORDS 1000
uint64_t gist_html(const char *bytes, size_t n, const char *url, size_t url_length);

#endif
