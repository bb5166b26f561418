/* What the content of a meta element says. */
#ifndef PARSER_HTML_META_H
#define PARSER_HTML_META_H

#include "parser/html_token.h"

/* A refresh, by the standard's shared declarative refresh steps. Returns 1, or 0 where it is none;
 * `url` is the reference within the text, its `at` NULL where there is none (the document itself is
 * meant). */
int html_meta_refresh(struct html_text content, double *seconds, struct html_text *url);

/* enum html_robots as the words of a robots meta tell. */
unsigned html_meta_robots(struct html_text content);

/* Whether a rel attribute has a word (lower case). */
int html_has_word(struct html_text words, const char *word);

#endif
