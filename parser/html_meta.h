/* The meaning of the content attribute of a meta element. */
#ifndef PARSER_HTML_META_H
#define PARSER_HTML_META_H

#include "base/outcome.h"
#include "parser/html_token.h"

/* Parses a refresh by the standard's shared declarative refresh steps. Returns 1, or 0 if the
 * text is no refresh. *url is the reference within the text; url->at is NULL if there is no
 * reference, and then the refresh leads to the document itself. */
int html_meta_refresh(struct html_text content, double *seconds, struct html_text *url);

/* Returns the directives of a robots meta element as a mask of enum html_robots. */
unsigned html_meta_robots(struct html_text content);

/* Says whether a rel attribute contains a word, which is given in lower case. */
int html_has_word(struct html_text words, const char *word);

/* The facts that an HTML document declares about itself for its readers: title and language. Pure functions on values
 * that html_value() has converted.
 *
 *	char title[ABOUT_TITLE] = "";
 *	html_title((struct html_text){"  The\n web ", 11}, title);      title is "The web" */

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
