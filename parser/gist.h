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
 *   only a '/' or '-' parts from another, neither of them 0, or a ':', of which GIST_CLOCKS are left
 *   out: a page of more is a timetable, or tells how matches ended;
 * - a number next to one of the URL's, at most 100 greater than one of 60 or more, or that tells the place of a list's page as that does: 991 to
 *   1000 where the URL has page 100, or begins at 990;
 * - what changes from view to view: numbers that stand beside readers ("visitors", "online", "hits"
 *   and the like) or before a unit of time, "0.0123", and seconds or milliseconds since 1970;
 * - pictures of which one side is 0 or 1: they count readers.
 * After GIST_WORDS words the rest counts as it stands, to the byte: copies of long pages are told by
 * their first words only where nothing differs behind. Time: linear; pure. */
#define GIST_DRAWN  16
#define GIST_WORDS  1000
#define GIST_CLOCKS 8
uint64_t gist_html(const char *bytes, size_t n, const char *url, size_t url_length);

#endif
