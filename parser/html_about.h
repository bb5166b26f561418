/* The facts that an HTML document declares about itself for its readers: title and language. Pure functions on values
 * that html_value() has converted.
 *
 *	char title[ABOUT_TITLE] = "";
 *	html_title((struct html_text){"  The\n web ", 11}, title);      title is "The web" */
#ifndef PARSER_HTML_ABOUT_H
#define PARSER_HTML_ABOUT_H

#include "base/outcome.h"
#include "parser/html_token.h"

/* Writes a text as one line of at most room - 1 bytes of UTF-8, with a NUL behind it: white space at both ends is dropped and
 * collapsed to one blank elsewhere, control characters are dropped, malformed bytes become U+FFFD, and a text that is too long
 * is cut behind a whole character. */
void html_line(struct html_text text, char *line, size_t room);

/* Writes a text as a title: html_line(). */
void html_title(struct html_text text, char title[ABOUT_TITLE]);

/* Writes a declared language if it may be a language tag: 1 to ABOUT_LANGUAGE - 1 letters, digits and hyphens, with blanks
 * around them. Any other text leaves `language` as it is. */
void html_language(struct html_text text, char language[ABOUT_LANGUAGE]);

#endif
