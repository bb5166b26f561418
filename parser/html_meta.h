/* The meaning of the content attribute of a meta element. */
#ifndef PARSER_HTML_META_H
#define PARSER_HTML_META_H

#include "parser/html_token.h"

/* Parses a refresh by the standard's shared declarative refresh steps. Returns 1, or 0 if the
 * text is no refresh. *url is the reference within the text; url->at is NULL if there is no
 * reference, and then the refresh leads to the document itself. */
int html_meta_refresh(struct html_text content, double *seconds, struct html_text *url);

/* Returns the directives of a robots meta element as a mask of enum html_robots. */
unsigned html_meta_robots(struct html_text content);

/* Says whether a rel attribute contains a word, which is given in lower case. */
int html_has_word(struct html_text words, const char *word);

#endif
